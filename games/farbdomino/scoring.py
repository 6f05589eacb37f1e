"""The end: who is the Gewinner, and the ranking by counters."""

from games import ranking
from games.api import Seat, Standing, Text, say
from games.farbdomino.state import Player, State


def winners(state: State) -> tuple[Seat, ...]:
    """Give the Gewinner: who was out of tiles first, or by option who has most counters.

    Where nobody is out, most counters win, then the fewest tiles; only then may several share it.
    """
    first = tuple(player.seat for player in state.players if player.finished == 1)
    if first and state.winner == "first_out":
        return first
    playing = [player for player in state.players if not player.resigned]
    best = min(((-player.counters, *_tie(player)) for player in playing), default=None)
    return tuple(player.seat for player in playing if (-player.counters, *_tie(player)) == best)


def how_it_ended(state: State) -> Text | None:
    """Say how the Gewinner won: counters are no points, and order the table only."""
    won = [state.player(seat) for seat in winners(state)]
    if not won:
        return None
    return say("HOW_FIRST_OUT" if won[0].finished == 1 else "HOW_WINS" if len(won) == 1 else "HOW_WIN")


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by balance; equal ones by the order of finishing, then by the fewest tiles."""
    return ranking.standings(
        {player.seat: player.counters for player in state.players},
        [player.seat for player in state.players if player.resigned],
        {player.seat: _tie(player) for player in state.players},
    )


def _tie(player: Player) -> tuple[int, int]:
    never = 99
    return (player.finished or never, len(player.hand))
