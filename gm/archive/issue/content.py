"""What stands in an issue, section by section, as the pages and the text write it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from games.api import Language
from gm.app.issues import Issue
from gm.archive import layout
from gm.archive.issue.boards import DrawnPart, draw_part, in_rows
from gm.archive.issue.markdown import Article
from gm.archive.issue.order import Order
from gm.archive.issue.phrases import phrase
from gm.archive.issue.window import Printed, Ranked
from gm.archive.list_data.game_kinds import title_of
from gm.archive.record.record import Record, Remark, Snapshot
from gm.archive.record.status import status_of, who_leads
from gm.drawing.parts import Part
from gm.game.people.slugs import Segments
from gm.messages.rendering.wording import listed
from gm.runtime.config.settings import Settings

HEADLINES: Final = 5
"""So many stand on the cover at most."""
LONG: Final = 80
"""Letters of a note that only explains: the same one in several games stands once, before the first."""


@dataclass(frozen=True, kw_only=True)
class Moves:
    """What happened in a round."""

    label: str
    sentences: tuple[str, ...]
    foreword: tuple[str, ...]
    """What the GM wrote above the bulletin."""


@dataclass(frozen=True, kw_only=True)
class Remarks:
    """The press of a round, in reading order."""

    heading: str
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """A game with what the window holds of it."""

    anchor: str
    record: Record
    last: Snapshot
    """The newest position that the issue knows."""
    title: str
    span: str
    players: tuple[str, ...]
    zat: str
    is_run_in: bool
    """Whether its moves follow each other in one paragraph, as those of a game with turns do."""
    moves: tuple[Moves, ...]
    parts: tuple[DrawnPart, ...]
    legend: tuple[str, ...]
    foreword: Article | None
    press: tuple[Remarks, ...]
    remark: str
    """That it is provisional, or broken off."""

    @property
    def headline(self) -> str:
        """What the cover may say of the game; empty where there is nothing to tell."""
        return (self.record.headline or self.last.headline).rstrip(".")

    @property
    def names(self) -> list[str]:
        """The players' names, longer ones first: one may begin with another."""
        return sorted({name for seat in self.record.seats for name in seat.names}, key=lambda name: (-len(name), name))

    @property
    def rows(self) -> list[list[DrawnPart]]:
        """The sections of the position, in rows."""
        return in_rows(self.parts)

    @property
    def language(self) -> Language:
        """The language of its texts."""
        return self.record.language


@dataclass(frozen=True, kw_only=True)
class Row:
    """How a game stands."""

    anchor: str
    title: str
    stand: str
    ahead: str
    zat: str


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A game that waits for players."""

    title: str
    free: str
    line: str


@dataclass(frozen=True, kw_only=True)
class Edition:
    """All that an issue says, in its language."""

    window: Issue
    language: Language
    zone: ZoneInfo
    zine: str
    gm: str
    address: str
    """Of the service, where the GM wants it printed."""
    order: Order
    games: tuple[GamePage, ...]
    standings: tuple[Row, ...]
    seek: tuple[Wanted, ...]
    vacant: tuple[str, ...]
    """Games in which a seat is free."""
    standbys: tuple[str, ...]
    """Kinds that nobody waits to step into, by title."""
    ranking: Sequence[Ranked]
    dates: tuple[tuple[str, str], ...]
    """When, and what."""
    corrected: bool = False

    @property
    def headlines(self) -> list[GamePage]:
        """The games whose headlines stand on the cover: those that have ended, then rounds, then single turns."""
        told = (game for game in self.games if game.headline)
        return sorted(told, key=lambda game: (game.record.result is None, not game.record.headline))[:HEADLINES]

    def has(self, section: str) -> bool:
        """Whether a section is wanted and has something to say."""
        told: Mapping[str, object] = {
            "editorial": self.order.forewords.get("editorial"), "press": any(game.press for game in self.games),
            "letters": self.order.letters, "puzzles": self.order.puzzles, "standings": self.standings,
            "seek": self.seek, "standbys": self.standbys or self.vacant, "tables": self.ranking,
        }  # fmt: skip
        return section not in self.order.leave_out and bool(told.get(section, True))

    @property
    def sections(self) -> list[str]:
        """The sections that stand in the issue, in order."""
        return [name for name in self.order.sections if self.has(name)]

    @property
    def anchors(self) -> dict[str, str]:
        """Where links to a section lead, by its name: each to another place, whatever files are called."""
        segments = Segments("page")
        return {name: segments.add(at, name.removesuffix(".md")) for at, name in enumerate(self.sections, 1)}


def sorted_games(games: Sequence[Printed], order: Order) -> list[Printed]:
    """Sort games: the GM's kinds first, the rest by title; within a kind by name."""
    rank = {kind: at for at, kind in enumerate(order.kinds)}

    def key(game: Printed) -> tuple[int, str, str, str, str]:
        one = game.record
        return rank.get(one.kind, len(rank)), title_of(one.kind), one.kind, one.game.casefold(), one.slug

    return sorted(games, key=key)


def game_pages(games: Sequence[Printed], order: Order, settings: Settings) -> tuple[GamePage, ...]:
    """Make the pages of all games that the window has news of."""
    wanted = [one for one in games if one.news]
    legends = _Legends(wanted)
    return tuple(_game_page(one, order, settings, legends) for one in wanted)


def _game_page(game: Printed, order: Order, settings: Settings, legends: "_Legends") -> GamePage:
    record, name = game.record, game.record.game
    phrased, when = partial(phrase, record.language), partial(layout.when, settings.service.timezone, record.language)
    has = {
        part: not order.leaves_out(name, part) for part in ("foreword", "moves", "boards", "tables", "notes", "press")
    }
    legend = legends.first_of(record)
    zat = phrased("NEXT_ZAT", heading=_next_heading(record), zat=when(record.zat, "short")) if record.zat else ""
    return GamePage(
        anchor=f"partie-{record.slug}", record=record, last=game.last, span=_span(game.news, phrased), zat=zat,
        title=phrased("GAME", title=record.title, game=name), players=tuple(_players(record, phrased)),
        is_run_in=record.unit == "turn",
        moves=tuple(_moves(record, game.news, phrased, has)), legend=legend if has["notes"] else (),
        parts=tuple(_parts(game, has, legends.long(record))),
        foreword=order.forewords.get(name) if has["foreword"] else None,
        press=tuple(_press(game.news)) if has["press"] else (), remark=_remark(record, phrased),
    )  # fmt: skip


def _remark(record: Record, phrased: "partial[str]") -> str:
    if record.status == "aborted":
        return phrased("ABORTED")
    return phrased("PROVISIONAL") if record.result and not record.result.is_final else ""


def _span(news: Sequence[Snapshot], phrased: "partial[str]") -> str:
    first, last = news[0].heading, news[-1].heading
    return first if first == last else phrased("SPAN", first=first, last=last)


def _next_heading(record: Record) -> str:
    number = record.snapshots[-1].number + 1 if record.snapshots else 1
    return layout.phrase(record.language, f"HEADING_{record.unit}", number=number)


def _players(record: Record, phrased: "partial[str]") -> Iterator[str]:
    for seat in record.seats:
        before = ", ".join(holder.name for holder in seat.before)
        yield layout.unbroken(seat.name) if not before else phrased("SINCE_FOR", name=seat.name, before=before)


def _moves(
    record: Record, news: Sequence[Snapshot], phrased: "partial[str]", has: Mapping[str, bool]
) -> Iterator[Moves]:  # fmt: skip
    for one in news:
        missed = (phrased("MISSED", names=listed(one.missed_unsaid, record.language)),) if one.missed_unsaid else ()
        sentences = (*one.events, *missed) if has["moves"] else ()
        foreword = one.foreword if has["foreword"] else ()
        if sentences or foreword:
            label = one.heading if record.unit != "turn" or one.number == 0 else str(one.number)
            yield Moves(label=label, sentences=sentences, foreword=foreword)


def _parts(game: Printed, has: Mapping[str, bool], long: frozenset[str]) -> Iterator[DrawnPart]:
    """Draw the sections of the last position, without what the legend of the kind or the moves say."""
    told = {sentence for one in game.news for sentence in one.events} if has["moves"] else set()
    for part in game.last.parts:
        kept = Part(
            heading=part.heading, lines=tuple(line for line in part.lines if line not in long),
            boards=part.boards if has["boards"] else (), table=part.table if has["tables"] else None,
            notes=tuple(note for note in part.notes if note not in long) if has["notes"] else (),
        )  # fmt: skip
        has_more = kept.boards or kept.table or kept.notes
        if has_more or not told.issuperset(kept.lines):
            yield draw_part(kept, game.record.language)


def _press(news: Sequence[Snapshot]) -> Iterator[Remarks]:
    """Give the press round by round. Anonymous remarks come last, by their text: no place tells whose they are."""
    for one in news:
        signed = [remark for remark in one.press if remark.signed]
        unsigned = sorted((remark for remark in one.press if not remark.signed), key=lambda remark: remark.text)
        if one.press:
            yield Remarks(heading=one.heading, remarks=(*signed, *unsigned))


class _Legends:
    """Sentences that several games of a kind share, and that only explain: they stand once, before the first game."""

    def __init__(self, games: Sequence[Printed]) -> None:
        counted: dict[tuple[str, str], dict[str, int]] = {}
        for game in games:
            said = (text for part in game.last.parts for text in (*part.lines, *part.notes))
            of_kind = counted.setdefault((game.record.kind, game.record.language), {})
            for text in dict.fromkeys(text for text in said if len(text) > LONG):
                of_kind[text] = of_kind.get(text, 0) + 1
        self._shared = {
            kind: tuple(text for text, games in found.items() if games > 1) for kind, found in counted.items()
        }
        self._told: set[tuple[str, str]] = set()

    def long(self, record: Record) -> frozenset[str]:
        """The sentences that the games of a kind don't repeat."""
        return frozenset(self._shared[record.kind, record.language])

    def first_of(self, record: Record) -> tuple[str, ...]:
        """Give them for the first game of a kind, nothing for the others."""
        key = (record.kind, record.language)
        if key in self._told:
            return ()
        self._told.add(key)
        return self._shared[key]


# -- lists of games ----------------------------------------------------------------------------------------------------


def standings(games: Sequence[Printed], pages: Sequence[GamePage], settings: Settings) -> Iterator[Row]:
    """Say how every game stands that runs, or that the window has news of."""
    anchors = {page.record.slug: page.anchor for page in pages}
    for game in games:
        record = game.record
        if not record.snapshots or (record.is_over and not game.news):
            continue
        when = partial(layout.when, settings.service.timezone, record.language)
        stated = status_of(record, when)
        first = stated.facts[0]
        ahead = first if record.is_over else who_leads(record, when)
        yield Row(
            anchor=anchors.get(record.slug, ""),
            title=phrase(record.language, "GAME", title=record.title, game=record.game),
            stand=(first.small or first.text) if not record.is_over else stated.chip,
            ahead=", ".join(filter(None, (ahead.text, ahead.small))) if ahead else "",
            zat=when(record.zat, "day") if record.zat else "",
        )  # fmt: skip


def wanted(games: Sequence[Printed]) -> Iterator[Wanted]:
    """List the games that wait for players."""
    for game in games:
        record = game.record
        if record.status == "open" and record.free:
            phrased = partial(phrase, record.language)
            yield Wanted(
                title=phrased("GAME", title=record.title, game=record.game),
                free=layout.phrase(record.language, "STATUS_FREE", count=record.free),
                line=phrased("SEEK_LINE", title=record.title, game=record.game),
            )
