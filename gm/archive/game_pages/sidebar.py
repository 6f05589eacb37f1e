"""What the page of a game shows beside its rounds: bars of the result, best and struck words, wishes, press."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

from markupsafe import Markup

from gm.archive import layout
from gm.archive.game_pages import boards
from gm.archive.game_pages.rounds import DrawnPart, DrawnRound
from gm.archive.record.record import Chart, Place, Record, Remark, SeatRecord, WordRecord

TENS: Final = 24
"""Longer games are replayed by tens."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A line of the result with its bar: where it starts and how wide it is, in per cent."""

    place: Place
    person: str
    start: float
    width: float

    @property
    def number(self) -> int | None:
        """The figure beside the name: points, or the number of guesses."""
        return self.place.points if self.place.guesses is None else self.place.guesses


def bars(record: Record) -> list[Bar]:
    """Give the bars of the result."""
    places = record.result.standings if record.result else ()
    people = {seat.seat: seat.person for seat in record.seats}
    points = [place.points or 0 for place in places]
    least = min([0, *points])
    room = max([0, *points]) - least or 1
    return [
        Bar(
            place=place, person=people.get(place.seat, ""),
            start=round((min(number, 0) - least) * 100 / room, 1), width=round(abs(number) * 100 / room, 1),
        )
        for place, number in zip(places, points, strict=True)
    ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Decade:
    """Ten rounds of a long game's replay, and the one that is shown first."""

    rounds: Sequence[DrawnRound]
    chosen: int

    @property
    def label(self) -> str:
        """From the first to the last."""
        if len(self.rounds) == 1:
            return self.rounds[0].label
        return f"{self.rounds[0].number}–{self.rounds[-1].number}"


def decades(rounds: Sequence[DrawnRound]) -> list[Decade]:
    """Divide a replay by tens of rounds; a short one isn't divided."""
    last = rounds[-1].number
    if len(rounds) <= TENS:
        return [Decade(rounds=rounds, chosen=last)]
    tens = [list(some) for _, some in groupby(rounds, key=lambda one: one.number // 10)]
    return [Decade(rounds=some, chosen=last if some is tens[-1] else some[0].number) for some in tens]


def best_word(words: Sequence[WordRecord], status: str) -> WordRecord | None:
    """Pick the word with most points, of those the longest."""
    found = [word for word in words if word.status == status]
    return max(found, key=lambda word: (word.points or 0, len(word.word)), default=None)


def words_by_seat(record: Record, text: str) -> list[tuple[SeatRecord, list[WordRecord]]]:
    """List each seat's words, unless the text of the last round has them all."""
    words = record.result.words if record.result else ()
    if all(word.word in text for word in words if word.status != "refused"):
        return []
    by_seat = [(seat, [word for word in words if word.seat == seat.seat]) for seat in record.seats]
    return [(seat, own) for seat, own in by_seat if own]


def struck(record: Record) -> list[WordRecord]:
    """List the words that did not count."""
    return [word for word in record.result.words if word.status == "refused"] if record.result else []


def final_parts(last: DrawnRound) -> list[DrawnPart]:
    """Pick the sections of the last round that have more than boards, which the replay shows."""
    return [shown for shown in last.parts if shown.table or not shown.boards]


def wishes(record: Record) -> Markup | None:
    """Make the table of letters that players wished for; None in games without wishes."""
    asked = [one for one in record.snapshots if any(facts.get("wish") for facts in one.seat_facts.values())]
    if record.is_over:
        asked = asked[:-1]  # nothing comes of what stands beside the result
    if not asked:
        return None
    phrase = partial(layout.phrase, record.language)
    rows = [
        (seat.name, *(str(one.seat_facts.get(seat.seat, {}).get("wish") or "–") for one in asked))
        for seat in record.seats
    ]
    heading = phrase("WISHES")
    chart = Chart(head=(phrase("FOR_ROUND"), *(str(one.number + 1) for one in asked)), rows=tuple(rows))
    return boards.chart(chart, boards.unseen(heading), heading)


def press(record: Record) -> list[tuple[str, tuple[Remark, ...]]]:
    """Gather the press of all rounds."""
    return [(one.heading, one.press) for one in record.snapshots if one.press]
