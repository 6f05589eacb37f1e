"""A game as its pages show it: all texts worded, names as their players want them, and only what is public.

`partie.json` is exactly this, and the pages are made of nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from games.api import Language, Unit
from games.words import Status
from gm.drawing.json_form import GermanNames
from gm.drawing.parts import Part
from gm.game.announcements.counts import Course
from gm.runtime.harmful_characters import visible

OVER: Final = ("provisional", "finished", "aborted")
"""The status of a game that was played to its end, or broken off."""

SCHEMA: Final = 1
"""Raised when a name in `partie.json` changes its meaning."""

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""Of the schemas."""


@dataclass(frozen=True, kw_only=True)
class Remark(GermanNames):
    """A player's press."""

    signed: str = ""
    """Who wrote it; missing where it is anonymous."""
    text: tuple[str, ...]
    """What was written, line by line."""


@dataclass(frozen=True, kw_only=True)
class Snapshot(GermanNames):
    """The game after a round (0: the start), as everybody could see it; after the end also what was hidden."""

    number: int
    """Which round it is, from 0."""
    heading: str
    """What it is called: `Start`, `Runde 3`, `Zug 12`."""
    headline: str = ""
    """What has happened last, where a bulletin is about a single turn."""
    at: datetime
    """When its bulletins went out."""
    zat: datetime | None = None
    """The deadline that was set with it."""
    foreword: tuple[str, ...] = ()
    """What the game master wrote above the bulletin, line by line."""
    events: tuple[str, ...] = ()
    """What happened, as sentences: the moves that were made, and what followed from them."""
    missed: tuple[str, ...] = ()
    """Who sent no move (NMR)."""
    names: Mapping[int, str] = field(default_factory=dict)
    """Who held each seat then, by its number; missing in a game in which nobody has left."""
    parts: tuple[Part, ...] = ()
    """The position: boards, tables and sentences about it."""
    press: tuple[Remark, ...] = ()
    """What players wrote to all."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The position for programs. What is in it depends on the game."""
    seat_facts: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """The same for each seat, by its number."""

    @property
    def path(self) -> str:
        """The folder of its page, below that of the game. Its number never changes, as feeds and bookmarks keep it."""
        return f"runde-{self.number}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What happened, without what the headline says already."""
        return tuple(one for one in self.events if one.rstrip(".") != self.headline.rstrip("."))

    @property
    def missed_unsaid(self) -> tuple[str, ...]:
        """Who sent no move, where no sentence of the game says so."""
        return () if any("NMR" in one for one in self.events) else self.missed


@dataclass(frozen=True, kw_only=True)
class Holder(GermanNames):
    """Somebody in a seat."""

    name: str
    """The name as it is shown."""
    person: str
    """The folder of the person's page in `personen/`."""


@dataclass(frozen=True, kw_only=True)
class SeatRecord(GermanNames):
    """A seat and who has it, or had it last."""

    seat: int
    """Its number, from 1."""
    name: str
    """The player's name as it is shown."""
    person: str
    """The folder of the person's page in `personen/`."""
    before: tuple[Holder, ...] = ()
    """Those who sat there earlier, the first one first."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who has sat there."""
        return (*(one.name for one in self.before), self.name)


@dataclass(frozen=True, kw_only=True)
class Place(GermanNames):
    """A line of the result."""

    rank: int
    """The rank; equal results share one."""
    seat: int
    """The number of the seat."""
    name: str
    """The player's name as it is shown."""
    points: int | None = None
    """The score, in a game with points."""
    guesses: int | None = None
    """How many guesses it took, in a game that is won by guessing."""
    winner: bool = False
    """Whether this seat has won, which the head of the table need not have."""


@dataclass(frozen=True, kw_only=True)
class WordRecord(GermanNames):
    """A word that a seat laid or claimed."""

    seat: int
    """The number of the seat."""
    word: str
    """The word, in capitals."""
    points: int | None = None
    """What it is worth, or would be if it counted."""
    status: Status = "accepted"
    """Whether it counts."""
    why: str = ""
    """Why it doesn't count."""
    where: str = ""
    """Line, cell or round."""
    first: str = ""
    """The cell of its first letter as the labels of column and row say it (`Z26`), where it lies on a board."""
    last: str = ""
    """The cell of its last letter."""


@dataclass(frozen=True, kw_only=True)
class ResultRecord(GermanNames):
    """How it ended."""

    version: int
    """Each correction is another version."""
    is_final: bool
    """Whether it is final: it is provisional as long as a word is doubtful."""
    standings: tuple[Place, ...]
    """The result, best first."""
    words: tuple[WordRecord, ...] = ()
    """All words that were laid or claimed."""


@dataclass(frozen=True, kw_only=True)
class Record(GermanNames):
    """A game of the archive. What is empty or false is left out."""

    schema: int
    """Raised when a name in this file changes its meaning. New names may come without it."""
    game: str
    """What this game is called."""
    slug: str
    """The folder of its pages in `partien/`."""
    kind: str
    """The kind of game, by the key of its rules."""
    title: str
    """What this kind of game is called."""
    language: Language
    """The language of all texts in this file."""
    unit: Unit
    """What the game counts: rounds, turns or deals."""
    status: str
    """`open`, `running`, `provisional` (played, but a word is doubtful), `finished` or `aborted`."""
    rounds: int | None = None
    """How many rounds there are, where that is fixed."""
    zat: datetime | None = None
    """The deadline of a running game, unless its clock stands still."""
    due: tuple[int, ...] = ()
    """The seats on turn, in a game with turns."""
    filed: int | None = None
    """In a game with rounds: how many moves are in for the round that goes on. Whose they are is nobody's business."""
    owed: int | None = None
    """How many it waits for."""
    free: int | None = None
    """How many seats are free, before the start."""
    missing: int | None = None
    """How many players it still takes to begin, before the start."""
    joined: tuple[str, ...] = ()
    """Who has signed up, as their names are shown, before the start."""
    about: str = ""
    """What a game that waits for players is about."""
    example: Part | None = None
    """What such a game looks like."""
    begun: datetime
    """When it began, or was announced."""
    ended: datetime | None = None
    """When it ended, or was broken off."""
    seats: tuple[SeatRecord, ...]
    """Who plays."""
    snapshots: tuple[Snapshot, ...]
    """The game after each round, from the start on."""
    now: Snapshot | None = None
    """Where a running game stands, if everybody has seen more of it than the last snapshot."""
    result: ResultRecord | None = None
    """How it ended."""
    retrospect: tuple[Part, ...] = ()
    """What could have been scored."""
    word_list: str = ""
    """The list of words that it was played with."""
    rules_version: int
    """The version of its rules."""
    checksum: str
    """SHA-256 of the seed, published at the start."""
    headline: str = ""
    """What was most exciting about the end, or about the last round."""
    seed: str | None = None
    """What everything that was drawn follows from, published with the result."""

    @property
    def course(self) -> Course:
        """The game, to count what each seat had after each round."""
        return Course(
            seats=[seat.seat for seat in self.seats],
            snapshots=self.steps,
            words=self.words,
            places=self.result.standings if self.result else (),
        )

    @property
    def steps(self) -> tuple[Snapshot, ...]:
        """All that is known of its course, with the round that goes on."""
        return (*self.snapshots, self.now) if self.now else self.snapshots

    @property
    def last(self) -> Snapshot | None:
        """Where it stands, as everybody may know it."""
        return self.steps[-1] if self.steps else None

    @property
    def words(self) -> tuple[WordRecord, ...]:
        """All words that were laid or claimed, after the end."""
        return self.result.words if self.result else ()

    @property
    def struck(self) -> list[WordRecord]:
        """The words that did not count."""
        return [word for word in self.words if word.status == "refused"]

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end, or broken off."""
        return self.status in OVER


@cache
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Record)


def to_json(record: Record) -> bytes:
    """Write `partie.json`; what is empty is left out."""
    content = _adapter().dump_json(record, by_alias=True, exclude_defaults=True).decode()
    return f"{visible(content)}\n".encode()


def json_schema() -> dict[str, Any]:
    """Describe `partie.json` for other programs, as a JSON Schema."""
    return {"$schema": DIALECT, **_adapter().json_schema(by_alias=True, mode="serialization"), "title": "partie.json"}


def from_json(content: bytes | None) -> Record | None:
    """Read `partie.json`; None where there is none, or one that can't be read any more."""
    try:
        return _adapter().validate_json(content) if content is not None else None
    except ValidationError:
        return None
