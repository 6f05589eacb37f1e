"""The order of the final table in all games: given-up seats come last and can't win (rulings.md, All games)."""

from collections.abc import Collection, Mapping, Sequence

from games.api import Seat, Standing


def standings(
    points: Mapping[Seat, int | None], given_up: Collection[Seat] = (), ties: Mapping[Seat, Sequence[int]] | None = None
) -> tuple[Standing, ...]:
    """Rank seats by points, most first; given-up seats stand behind all others.

    `ties` decides between equal points, the smaller value first. Seats that are still equal share a rank.
    """

    def key(seat: Seat) -> tuple[bool, int, tuple[int, ...]]:
        return seat in given_up, -(points[seat] or 0), tuple(ties[seat]) if ties else ()

    keys = sorted(map(key, points))
    order = sorted(points, key=lambda seat: (key(seat), seat))
    return tuple(Standing(rank=1 + keys.index(key(seat)), seat=seat, points=points[seat]) for seat in order)


def leaders(ranked: Sequence[Standing], given_up: Collection[Seat] = ()) -> tuple[Seat, ...]:
    """Return who has won where the first of the table wins; nobody if all gave up."""
    return tuple(line.seat for line in ranked if line.rank == 1 and line.seat not in given_up)
