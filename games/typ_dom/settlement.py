"""Who pays whom when a game of Typ-Dom is over."""

from games.api import Outcome, Seat, Section, Text, say
from games.base import playing
from games.shared import ranking
from games.shared.phrases import counted
from games.shared.racks import fewest, next_stake, ranking_section
from games.shared.tiles import worth
from games.typ_dom.rules import State


def winner(state: State) -> Seat | None:
    """Return who has won: the seat that is out, the only one left, or the one with the fewest points."""
    return state.first_out or fewest(state, playing(state))


def result(state: State) -> Outcome:
    """Let everybody pay the winner what they hold, times the stake."""
    won = winner(state)
    costs = {seat: state.stake * worth(state.rack(seat)) if won not in (None, seat) else 0 for seat in state.seats}
    points = {seat: sum(costs.values()) if seat == won else -cost for seat, cost in costs.items()}
    return Outcome(standings=ranking.standings(points, state.given_up), winners=(won,) if won else ())


def final_sections(state: State) -> tuple[Section, ...]:
    """Show who pays what for which tiles."""
    return (ranking_section(state, result(state).standings, *_reasons(state)),)


def _reasons(state: State) -> list[Text]:
    won = winner(state)
    if not playing(state) and not state.first_out:
        return [say("ALL_LEFT")]
    if won is None:
        return [say("STUCK"), say("WON_NOBODY", stake=next_stake(state))]
    if state.first_out:
        return [say("WON_OUT", seat=won)]
    if len(playing(state)) == 1:
        return [say("WON_ALONE", seat=won)]
    return [say("STUCK"), say("WON_FEWEST", seat=won, points=counted(worth(state.rack(won))))]
