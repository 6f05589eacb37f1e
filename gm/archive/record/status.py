"""The state of a game at a glance: one of a few tones, a word, and two to four facts. Pages and lists show the same.

A page stands for weeks, so all dates are dates: `4 days left` would soon be wrong.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from gm.archive.layout import phrase, unbroken
from gm.archive.record.record import Place, Record, WordRecord
from gm.game.announcements.counts import Count, counts
from gm.messages.rendering.wording import listed

When: TypeAlias = Callable[[datetime, str], str]
"""Writes an instant by the name of a pattern, `weekday` or `time`."""

Tone: TypeAlias = Literal["", "green", "amber", "petrol"]

MOST_NAMES: Final = 2
"""Of those who are ahead together."""


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A fact in a few words; names and dates in it have no blank to break at."""

    label: str
    text: str
    small: str = ""


@dataclass(frozen=True, kw_only=True)
class Status:
    """How a game stands. The first fact has the chip in place of a label."""

    tone: Tone
    chip: str
    facts: tuple[Fact, ...]


def status_of(record: Record, when: When, address: str = "") -> Status:
    """Say how a game stands. `when` writes in the language of the game; `address` is where to join, if pages say it."""
    return Status(
        tone=_tone(record),
        chip=phrase(record.language, f"CHIP_{record.status}"),
        facts=tuple(_Facts(record, when, address).all()),
    )


def who_leads(record: Record, when: When) -> Fact | None:
    """Say who leads in a game that goes on; None where nobody does, nearly everybody, or it isn't public."""
    return _Facts(record, when, "").ahead()


def best_word(words: Iterable[WordRecord], status: str) -> WordRecord | None:
    """Pick the word with most points, of those the longest."""
    found = [word for word in words if word.status == status]
    return max(found, key=lambda word: (word.points or 0, len(word.word)), default=None)


def _tone(record: Record) -> Tone:
    if not record.rules_version:
        return ""
    match record.status:
        case "open":
            return "green"
        case "running":
            is_missing = record.due or (record.filed or 0) < (record.owed or 0)
            return "amber" if is_missing or not record.zat else "green"
        case "provisional":
            return "amber"
        case "finished":
            return "petrol"
        case _:
            return ""


class _Facts:
    """Words the facts of a game."""

    def __init__(self, record: Record, when: When, address: str) -> None:
        self._record, self._when, self._address = record, when, address
        self._names = {seat.seat: unbroken(seat.name) for seat in record.seats}

    def all(self) -> list[Fact]:
        """List them, the most important one first."""
        record = self._record
        if record.status == "open":
            return self._open()
        if not record.snapshots:
            code = "STATUS_LEFT_OUT" if not record.rules_version else "STATUS_NOT_BEGUN"
            return [Fact(label="", text=self._say(code))]
        if record.status == "running":
            ahead = None if record.headline else self.ahead()
            return [self._going_on(), self._zat(), *([ahead] if ahead else []), self._last()]
        return [self._result(), self._played(), *self._best_word(), self._last()]

    # -- before the start ----------------------------------------------------------------------------------------------

    def _open(self) -> list[Fact]:
        record, free = self._record, self._record.free
        text = self._say("STATUS_WANTED") if free is None else self._say("STATUS_FREE", count=free)
        if free == 0:
            return [Fact(label="", text=self._say("STATUS_FULL"), small=self._say("STATUS_NOT_BEGUN"))]
        line = self._say("STATUS_JOIN_LINE", title=record.title, game=record.game)
        at = self._say("STATUS_JOIN_AT", address=self._address) if self._address else self._say("STATUS_JOIN_HOW")
        how = Fact(label=self._say("STATUS_JOIN"), text=line, small=at)
        return [Fact(label="", text=text, small=self._say("STATUS_NOT_BEGUN")), how]

    # -- while it runs -------------------------------------------------------------------------------------------------

    def _going_on(self) -> Fact:
        record, heading = self._record, self._heading_of_next()
        if record.due:
            code = "STATUS_ON_TURN" if len(record.due) == 1 else "STATUS_ON_TURN_MANY"
            return Fact(label="", text=self._say(code, names=self._named(record.due)), small=heading)
        if record.owed and record.filed is not None:
            code = "STATUS_FILED" if record.filed else "STATUS_FILED_NONE"
            code = "STATUS_FILED_ALL" if record.filed == record.owed > 1 else code
            return Fact(label="", text=self._say(code, filed=record.filed, count=record.owed), small=heading)
        return Fact(label="", text=self._say("STATUS_GOES_ON", heading=heading))

    def _heading_of_next(self) -> str:
        """Name the round that goes on."""
        record = self._record
        number = record.snapshots[-1].number + 1
        heading = unbroken(self._say(f"HEADING_{record.unit}", number=number))
        if record.unit == "round" and record.rounds:
            return self._say("STATUS_OF_ROUNDS", heading=heading, rounds=record.rounds)
        return heading

    def _zat(self) -> Fact:
        label, zat = self._say("STATUS_ZAT"), self._record.zat
        if zat is None:
            return Fact(label=label, text=self._say("STATUS_NO_ZAT"), small=self._say("STATUS_NO_ZAT_WHY"))
        return Fact(label=label, text=self._day(zat), small=unbroken(self._when(zat, "time")))

    def ahead(self) -> Fact | None:
        """Name who leads, where that is public and not nearly everybody."""
        found = next(iter(counts(self._record.course)), None)
        if found is None or not 0 < len(found.leaders) <= MOST_NAMES:
            return None
        label = self._say("STATUS_AHEAD_tiles" if found.kind == "tiles" else "STATUS_AHEAD")
        return Fact(label=label, text=self._named(found.leaders), small=self._figure(found))

    def _figure(self, found: Count) -> str:
        figure = self._say(f"COUNT_{found.kind}", count=found.by_seat[found.leaders[0]][-1])
        return self._say("STATUS_EACH", figure=figure) if len(found.leaders) > 1 else figure

    # -- when it is over -----------------------------------------------------------------------------------------------

    def _result(self) -> Fact:
        record, result = self._record, self._record.result
        if result is None:
            return Fact(label="", text=self._say("STATUS_NO_RESULT"))
        version = [self._say("VERSION", version=result.version)] if result.version > 1 else []
        if record.headline:
            return Fact(label="", text=self._with_names(record.headline), small="".join(version))
        if not result.is_final:
            first = [place for place in result.standings if place.rank == 1]
            return self._places(first, "STATUS_LEADS", "STATUS_LEAD_MANY", self._say("STATUS_WORDS_OPEN"))
        was_played = any(place.points or place.guesses for place in result.standings)
        code = "STATUS_DRAW" if was_played and result.standings[-1].rank == 1 else "STATUS_NO_WINNER"
        small = ", ".join(item for item in (self._score(result.standings[0]), *version) if item)
        return Fact(label="", text=self._say(code), small=small)

    def _places(self, places: Sequence[Place], one: str, many: str, small: str) -> Fact:
        names = self._named([place.seat for place in places])
        return Fact(label="", text=self._say(one if len(places) == 1 else many, names=names), small=small)

    def _score(self, place: Place) -> str:
        if place.guesses is not None:
            return self._say("STATUS_WITH_GUESSES", count=place.guesses)
        return "" if place.points is None else self._say("COUNT_points", count=place.points)

    def _played(self) -> Fact:
        record, number = self._record, self._record.snapshots[-1].number
        code = f"STATUS_PLAYED_{record.unit}"
        text = self._say(code, count=number)
        if record.rounds and record.unit == "round" and record.rounds != number:
            text = self._say("STATUS_PLAYED_OF", number=number, rounds=record.rounds)
        since = self._say("STATUS_SINCE", begun=self._day(record.begun))
        return Fact(label=self._say("STATUS_PLAYED"), text=text, small=since)

    def _best_word(self) -> list[Fact]:
        words = self._record.words
        word = best_word(words, "accepted")
        if word is None or not (word.points or len({len(one.word) for one in words}) > 1):
            return []  # where all are alike none is the best
        worth = [self._say("COUNT_points", count=word.points)] if word.points else []
        small = ", ".join([*worth, self._names[word.seat]])
        return [Fact(label=self._say("STATUS_BEST_WORD"), text=word.word, small=small)]

    # -- always --------------------------------------------------------------------------------------------------------

    def _last(self) -> Fact:
        record = self._record
        last = record.now or record.snapshots[-1]
        label = f"STATUS_LAST_{record.unit}" if last.number or last is record.now else "STATUS_BEGUN"
        small = record.headline.rstrip(".") if not record.result else ""
        small = small or last.headline or (last.heading if last.number and last is not record.now else "")
        return Fact(label=self._say(label), text=self._day(last.at), small=self._with_names(small))

    def _with_names(self, text: str) -> str:
        for seat in self._record.seats:
            text = text.replace(seat.name, self._names[seat.seat])
        return text

    def _named(self, seats: Sequence[int]) -> str:
        """Name some seats: `Anna B. und Bernd C.`."""
        return listed([self._names[seat] for seat in seats], self._record.language)

    def _day(self, at: datetime) -> str:
        return unbroken(self._when(at, "weekday"))

    def _say(self, code: str, **values: object) -> str:
        return phrase(self._record.language, code, **values)
