"""What can be counted of each seat after each round: points, counters, tiles. Curves and leaders are made of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal, Protocol, TypeAlias

from games.words import Status

Kind: TypeAlias = Literal["points", "counters", "tiles"]

_CELL: Final = re.compile(r"[a-zA-Z]\d\d?")
POINTS: Final = frozenset({"points", "balance"})
"""What the points of a seat are called among its facts."""
_KINDS: Final[tuple[Kind, ...]] = ("points", "counters", "tiles")


@dataclass(frozen=True, kw_only=True)
class Count:
    """One thing that is counted, by seat: a figure for each round, the start first."""

    kind: Kind
    rounds: tuple[int, ...]
    """The number of each round."""
    by_seat: Mapping[int, tuple[int, ...]]
    is_of_words: bool = False
    """Whether it was added up of words, each in the round in which its last letter came."""

    @property
    def tells(self) -> bool:
        """Whether it tells how the game went: more than that something came at the end."""
        before = {values[at] for values in self.by_seat.values() for at in range(len(values) - 1)}
        return len(before) > 1

    @property
    def changes(self) -> int:
        """In how many rounds something changed."""
        after = list(zip(*self.by_seat.values(), strict=True))
        return sum(now != before for before, now in pairwise(after))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats that are ahead: with most points or counters, or fewest tiles. Nobody, if all are even."""
        last = {seat: values[-1] for seat, values in self.by_seat.items()}
        best = min(last.values()) if self.kind == "tiles" else max(last.values())
        return tuple(seat for seat, value in last.items() if value == best) if len({*last.values()}) > 1 else ()


class Snapshot(Protocol):
    """The game after a round."""

    @property
    def number(self) -> int:
        """Which round it is, from 0."""

    @property
    def seat_facts(self) -> Mapping[Any, Mapping[str, Any]]:
        """What everybody may know of each seat, by its number: `games.api.View.seat_facts`."""


@dataclass(frozen=True, kw_only=True)
class PublicFacts:
    """What everybody may know of each seat after a round."""

    number: int
    seat_facts: Mapping[Any, Mapping[str, Any]]


class Word(Protocol):
    """A word that was laid or claimed, as `games.api.Played` says it."""

    @property
    def seat(self) -> int:
        """Whose it is."""

    @property
    def points(self) -> int | None:
        """What it is worth."""

    @property
    def status(self) -> Status:
        """Whether it counts."""

    @property
    def first(self) -> str:
        """The cell of its first letter, where it lies on a board."""

    @property
    def last(self) -> str:
        """The cell of its last letter."""


class Place(Protocol):
    """A line of the final table."""

    @property
    def seat(self) -> int:
        """Whose it is."""

    @property
    def points(self) -> int | None:
        """What was reached in the end."""


@dataclass(frozen=True, kw_only=True)
class Course:
    """A game round by round, and, after its end, all words and the final table."""

    seats: Sequence[int]
    snapshots: Sequence[Snapshot]
    words: Sequence[Word] = ()
    places: Sequence[Place] = ()


def counts(game: Course) -> list[Count]:
    """List what every seat has a figure of after every round, and what changes at all."""
    found = [count for kind in _KINDS if (count := _count(game, kind))]
    if not any(count.kind == "points" for count in found) and (of_words := _points_of_words(game)):
        found.insert(0, of_words)
    return found


def last_points(game: Course) -> tuple[dict[int, int], dict[int, int]]:
    """Return what each seat had before the last of some rounds, and after it; both empty where that isn't known."""
    found = next((count for count in counts(game) if count.kind == "points"), None)
    if found is None:
        return {}, {}
    before, now = ({seat: values[at] for seat, values in found.by_seat.items()} for at in (-2, -1))
    return before, now


def _count(game: Course, kind: Kind) -> Count | None:
    snapshots = game.snapshots
    by_seat = {seat: tuple(_figures(snapshots, seat, kind)) for seat in game.seats}
    is_complete = bool(by_seat) and all(len(values) == len(snapshots) for values in by_seat.values())
    if not is_complete or len({value for values in by_seat.values() for value in values}) < 2:
        return None
    return Count(kind=kind, rounds=tuple(one.number for one in snapshots), by_seat=by_seat)


def _figures(snapshots: Sequence[Snapshot], seat: int, kind: Kind) -> Iterator[int]:
    for one in snapshots:
        figure = _figure(one.seat_facts.get(seat, {}), kind)
        if figure is not None:
            yield figure


def _figure(facts: Mapping[str, Any], kind: Kind) -> int | None:
    """Read a figure from the facts of a seat; `games.api.View.seat_facts` says what they are called."""
    found = facts.get("balance") if kind == "points" and "balance" in facts else facts.get(kind)
    if kind == "tiles" and found is None and {"red", "black"} <= facts.keys():
        found = {"red": facts["red"], "black": facts["black"]}
    if isinstance(found, Mapping):
        found = sum(found.values())
    return found if isinstance(found, int) else None


# -- words on boards of their own --------------------------------------------------------------------------------------


def _points_of_words(game: Course) -> Count | None:
    """Add up accepted words, each in the round in which its last letter came; the rest of a result comes at the end."""
    snapshots = game.snapshots
    if not game.places or not snapshots or any(place.points is None for place in game.places):
        return None
    counted = [word for word in game.words if word.status == "accepted" and _grid(snapshots[-1], word.seat)]
    if not counted:
        return None
    gained = {place.seat: [0] * len(snapshots) for place in game.places}
    for word, at in zip(counted, _came(snapshots, counted), strict=True):
        gained[word.seat][at] += word.points or 0
    for place in game.places:
        gained[place.seat][-1] += (place.points or 0) - sum(gained[place.seat])
    by_seat = {seat: tuple(sum(values[: at + 1]) for at in range(len(values))) for seat, values in gained.items()}
    return Count(kind="points", rounds=tuple(one.number for one in snapshots), by_seat=by_seat, is_of_words=True)


def came_in(snapshots: Sequence[Snapshot], words: Sequence[Word]) -> list[int | None]:
    """Give of each word the number of the round in which its last letter came; None where that isn't known."""
    return [
        snapshots[at].number if _cells(word) and _grid(snapshots[-1], word.seat) else None
        for word, at in zip(words, _came(snapshots, words), strict=True)
    ]


def _came(snapshots: Sequence[Snapshot], words: Sequence[Word]) -> list[int]:
    """Find of each word the first snapshot in which all its letters lie; the last one where there is none."""
    lies_from = {seat: _lies_from(snapshots, seat) for seat in {word.seat for word in words}}
    last = len(snapshots) - 1
    return [max((lies_from[word.seat].get(cell, last) for cell in _cells(word)), default=last) for word in words]


def _lies_from(snapshots: Sequence[Snapshot], seat: int) -> dict[tuple[int, int], int]:
    """Find of each cell the first snapshot in which a letter lies there."""
    found: dict[tuple[int, int], int] = {}
    for at, one in enumerate(snapshots):
        grid = _grid(one, seat)
        for row, line in enumerate(grid):
            for column, sign in enumerate(line):
                if sign != ".":
                    found.setdefault((row, column), at)
    return found


def _grid(snapshot: Snapshot, seat: int) -> Sequence[str]:
    return snapshot.seat_facts.get(seat, {}).get("grid") or ()


def _cells(word: Word) -> list[tuple[int, int]]:
    """List the cells of a word; none where it isn't known where it lies."""
    if not (_CELL.fullmatch(word.first) and _CELL.fullmatch(word.last)):
        return []
    (top, left), (bottom, right) = _place(word.first), _place(word.last)
    steps = max(abs(bottom - top), abs(right - left))
    down, across = ((bottom - top) // steps, (right - left) // steps) if steps else (0, 0)
    return [(top + at * down, left + at * across) for at in range(steps + 1)]


def _place(label: str) -> tuple[int, int]:
    """Read `b3` as row and column, from 0."""
    return int(label[1:]) - 1, ord(label[0].lower()) - ord("a")
