"""A game as its pages show it: all texts worded, names as their players want them, and only what is public.

`partie.json` is exactly this, and the pages are made of nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final

from pydantic import ConfigDict, TypeAdapter

from games.api import Language, Look, Mark, Tone, Unit
from games.words import Status

OVER: Final = ("provisional", "finished", "aborted")
"""The status of a game that was played to its end, or broken off."""

SCHEMA: Final = 1
"""Raised when a name in `partie.json` changes its meaning."""

_GERMAN: Final[Mapping[str, str]] = {
    "game": "partie", "kind": "spiel", "title": "titel", "language": "sprache", "unit": "zaehlt", "begun": "beginn",
    "ended": "ende", "seats": "plaetze", "snapshots": "runden", "result": "endstand", "hindsight": "was_war_drin",
    "checksum": "pruefsumme", "seed": "startwert", "word_list": "woerterliste", "rules_version": "regeln",
    "number": "nr", "heading": "ueberschrift", "at": "am", "events": "ereignisse", "missed": "nmr",
    "foreword": "vorwort", "parts": "abschnitte", "press": "presse", "facts": "fakten", "seat_facts": "je_platz",
    "name": "name", "person": "person", "before": "vorher", "lines": "zeilen", "boards": "raster", "table": "tabelle",
    "notes": "anmerkungen", "note": "zusatz", "columns": "spalten", "rows": "reihen", "cells": "felder",
    "new": "neu", "tones": "farben", "head": "kopf", "signed": "von", "text": "text", "version": "fassung",
    "is_final": "amtlich", "standings": "tabelle", "words": "woerter", "rank": "platz", "points": "punkte",
    "guesses": "geraten", "look": "aussehen", "said": "gesagt", "marks": "zeichen", "values": "werte",
    "sides": "seiten", "is_card": "karte", "first": "von_feld", "last": "bis_feld",
    "seat": "sitz", "word": "wort", "why": "grund", "where": "wo", "now": "jetzt", "due": "am_zug",
    "filed": "eingegangen", "owed": "erwartet", "free": "frei",
}  # fmt: skip
"""What a field is called in the file, which German readers open."""


def _called(name: str) -> str:
    return _GERMAN.get(name, name)


class _Named:
    """Gives the names of fields in the file."""

    __pydantic_config__ = ConfigDict(alias_generator=_called, populate_by_name=True)


@dataclass(frozen=True, kw_only=True)
class Board(_Named):
    """A board: texts of the cells row by row, and by `row,column`, from 0, what else is known of a cell."""

    look: Look = "letters"
    """What it is drawn as."""
    name: str = ""
    """Whose it is, or what."""
    note: str = ""
    seat: int | None = None
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    new: tuple[tuple[int, int], ...] = ()
    """Row and column, from 0."""
    tones: Mapping[str, Tone] = field(default_factory=dict)
    """Colours that belong to the things themselves."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Jokers, pegs, dice that weren't used."""
    values: Mapping[str, int] = field(default_factory=dict)
    """What a letter is worth."""
    sides: Mapping[str, tuple[tuple[str, Tone], ...]] = field(default_factory=dict)
    """The fields of a domino above, right, below and left: text and colour."""
    said: str = ""
    """The same in a sentence, where there is one."""


@dataclass(frozen=True, kw_only=True)
class Chart(_Named):
    """A table with headings; figures stand on the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]
    is_card: bool = False
    """A score card: each row, a seat, is a column there."""


@dataclass(frozen=True, kw_only=True)
class Part(_Named):
    """A section of a position: heading, sentences, boards, a table, sentences below."""

    heading: str = ""
    lines: tuple[str, ...] = ()
    boards: tuple[Board, ...] = ()
    table: Chart | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Remark(_Named):
    """Press; `signed` is empty where it is anonymous."""

    signed: str = ""
    text: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Snapshot(_Named):
    """The game after a round (0: the start), as everybody could see it; after the end also what was hidden."""

    number: int
    heading: str
    """`Start`, `Runde 3`, `Zug 12`."""
    headline: str = ""
    """What has happened last, where a bulletin is about a single turn."""
    at: datetime
    zat: datetime | None = None
    """The deadline that was set with it."""
    foreword: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    """Who sent no move (NMR)."""
    parts: tuple[Part, ...] = ()
    press: tuple[Remark, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    seat_facts: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Holder(_Named):
    """Somebody in a seat: the name as it is shown, and the folder of the person's page."""

    name: str
    person: str


@dataclass(frozen=True, kw_only=True)
class SeatRecord(_Named):
    """A seat and who has it, or had it last; `before` are those who sat there earlier."""

    seat: int
    name: str
    person: str
    before: tuple[Holder, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Place(_Named):
    """A line of the result."""

    rank: int
    seat: int
    name: str
    points: int | None = None
    guesses: int | None = None
    winner: bool = False
    """Whether this seat has won, which the head of the table need not have."""


@dataclass(frozen=True, kw_only=True)
class WordRecord(_Named):
    """A word that a seat laid or claimed."""

    seat: int
    word: str
    points: int | None = None
    status: Status = "accepted"
    why: str = ""
    where: str = ""
    first: str = ""
    """The cell of its first letter as the labels of column and row say it (`Z26`), where it lies on a board."""
    last: str = ""
    """The cell of its last letter."""


@dataclass(frozen=True, kw_only=True)
class ResultRecord(_Named):
    """How it ended: provisional as long as a word is doubtful; each correction is another version."""

    version: int
    is_final: bool
    standings: tuple[Place, ...]
    words: tuple[WordRecord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Record(_Named):
    """All of a game."""

    schema: int
    game: str
    slug: str
    """The folder of its pages."""
    kind: str
    title: str
    language: Language
    unit: Unit
    status: str
    rounds: int | None = None
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
    begun: datetime
    ended: datetime | None = None
    seats: tuple[SeatRecord, ...]
    snapshots: tuple[Snapshot, ...]
    now: Snapshot | None = None
    """Where a running game stands, if everybody has seen more of it than the last snapshot."""
    result: ResultRecord | None = None
    hindsight: tuple[Part, ...] = ()
    word_list: str = ""
    rules_version: int
    checksum: str
    """SHA-256 of the seed, published at the start."""
    seed: str | None = None
    """Published with the result."""

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end, or broken off."""
        return self.status in OVER


@cache
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Record)


def to_json(record: Record) -> bytes:
    """Write `partie.json`; what is empty is left out."""
    return _adapter().dump_json(record, by_alias=True, exclude_defaults=True) + b"\n"


def from_json(content: bytes) -> Record:
    """Read `partie.json`. Raises pydantic.ValidationError."""
    return _adapter().validate_json(content)


@dataclass(frozen=True, kw_only=True)
class WordsRecord(_Named):
    """The words of a result."""

    words: tuple[WordRecord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Mentions(_Named):
    """The people and words of a record."""

    kind: str
    status: str
    ended: datetime | None = None
    seats: tuple[SeatRecord, ...] = ()
    result: WordsRecord | None = None
    rules_version: int = 0

    def people(self) -> set[str]:
        """Give the folders of all who sit or sat there."""
        before = {holder.person for seat in self.seats for holder in seat.before}
        return before | {seat.person for seat in self.seats}

    def words(self) -> set[str]:
        """Give the words that were laid or claimed."""
        return {word.word for word in self.result.words} if self.result else set()


@cache
def _mentions() -> TypeAdapter[Mentions]:
    return TypeAdapter(Mentions)


def mentions(content: bytes) -> Mentions:
    """Read the people and words of `partie.json`, in a tenth of the time. Raises pydantic.ValidationError."""
    return _mentions().validate_json(content)
