"""Who has won: the one who found the other's secret; both or nobody is a draw."""

from games.api import Standing
from games.combinato.state import SEATS, State


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats: a point for the secret found."""
    points = {seat: int(state.has_found(seat)) for seat in SEATS}
    ranked = sorted(SEATS, key=lambda seat: (-points[seat], seat))
    return tuple(
        Standing(rank=1 + (points[seat] < max(points.values())), seat=seat, points=points[seat]) for seat in ranked
    )
