"""Who has won: the one who found the other's secret; both or nobody is a draw. There are no points."""

from games import ranking
from games.api import Seat, Standing, Text, say
from games.combinato.state import SEATS, State


def winners(state: State) -> tuple[Seat, ...]:
    """Give who has found the secret alone, or is the only one left in play."""
    found = tuple(seat for seat in state.playing if state.has_found(seat))
    return found if len(found) == 1 else state.playing if len(state.playing) == 1 else ()


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats, with how often each has guessed."""
    first = {seat: (seat not in winners(state),) for seat in SEATS}
    return tuple(
        Standing(rank=line.rank, seat=line.seat, guesses=len(state.rows[line.seat - 1]))
        for line in ranking.standings(dict.fromkeys(SEATS), state.given_up, first)
    )


def how_it_ended(state: State) -> Text:
    """Say in a few words what points say elsewhere."""
    if not state.playing:
        return say("HOW_NOBODY")
    won = winners(state)
    if not won:
        return say("HOW_DRAW")
    return say("HOW_FOUND", round=state.round) if state.has_found(won[0]) else say("HOW_ALONE")
