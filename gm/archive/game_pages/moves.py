"""What happened in each round, in words and with what it brought: for the replay and the list of moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gm.archive.layout import minus
from gm.archive.record.record import Record, Snapshot
from gm.game.announcements.counts import Count, Kind, came_in

MOST_WORDS: Final = 2
"""Words that are named of those that a round has completed."""


@dataclass(frozen=True, kw_only=True)
class Gain:
    """What a round has brought to a seat: points, counters or tiles, and by which words."""

    name: str
    change: int
    words: tuple[str, ...] = ()
    has_more: bool = False

    @property
    def signed(self) -> str:
        """`+7`, `−2`."""
        return minus(f"{self.change:+d}")


@dataclass(frozen=True, kw_only=True)
class Move:
    """A round and what it brought."""

    snapshot: Snapshot
    kind: Kind
    """What is gained."""
    gains: tuple[Gain, ...]


def moves(record: Record, counted: Sequence[Count]) -> list[Move]:
    """List the rounds of a game with what each brought of the first thing that is counted."""
    words = _words_by_round(record)
    telling = max((count for count in counted if count.tells), key=lambda count: count.changes, default=None)
    gains = _gains(record, telling, words) if telling else ()
    kind = telling.kind if telling else "points"
    return [
        Move(snapshot=one, kind=kind, gains=gains[at] if at < len(gains) else ()) for at, one in enumerate(record.steps)
    ]


def _gains(
    record: Record, count: Count, words: Mapping[tuple[int, int], Sequence[str]]
) -> tuple[tuple[Gain, ...], ...]:  # fmt: skip
    names = {seat.seat: seat.name for seat in record.seats}

    def of_round(at: int) -> Iterator[Gain]:
        for seat, values in count.by_seat.items():
            if change := values[at] - values[at - 1]:
                found = words.get((seat, count.rounds[at]), ())
                name = record.steps[at].names.get(seat, names[seat])
                yield Gain(name=name, change=change, words=tuple(found[:MOST_WORDS]), has_more=len(found) > MOST_WORDS)

    order = 1 if count.kind == "tiles" else -1
    return (), *(tuple(sorted(of_round(at), key=lambda one: order * one.change)) for at in range(1, len(count.rounds)))


def _words_by_round(record: Record) -> dict[tuple[int, int], list[str]]:
    """Group words on boards of one's own by seat and by the round that completed them, the dearest first."""
    found: dict[tuple[int, int], list[str]] = {}
    accepted = sorted((one for one in record.words if one.status == "accepted"), key=lambda one: -(one.points or 0))
    for word, number in zip(accepted, came_in(record.snapshots, accepted), strict=True):
        if number is not None:
            found.setdefault((word.seat, number), []).append(word.word)
    return found
