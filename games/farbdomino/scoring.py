"""The end: who is the Gewinner, and the ranking by counters."""

from games.api import Seat, Standing
from games.farbdomino.state import Player, State


def winners(state: State) -> tuple[Seat, ...]:
    """Give the Gewinner: who was out of tiles first, or by option who has most counters.

    Where nobody is out, most counters win, then the fewest tiles; only then may several share it.
    """
    first = tuple(player.seat for player in state.players if player.finished == 1)
    if first and state.winner == "first_out":
        return first
    playing = [player for player in state.players if not player.resigned]
    best = min((_key(player) for player in playing), default=None)
    return tuple(player.seat for player in playing if _key(player) == best)


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by balance; equal ones by the order of finishing, then by the fewest tiles."""
    keys = sorted(_key(player) for player in state.players)
    ranked = sorted(state.players, key=lambda player: (_key(player), player.seat))
    return tuple(
        Standing(rank=1 + keys.index(_key(player)), seat=player.seat, points=player.counters) for player in ranked
    )


def _key(player: Player) -> tuple[int, int, int]:
    never = 99
    return (-player.counters, player.finished or never, len(player.hand))
