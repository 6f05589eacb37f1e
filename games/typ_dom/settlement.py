"""Who pays whom when a game of Typ-Dom is over."""

from games.api import Seat, Section, Standing, Table, Text, say
from games.shared import ranking
from games.shared.phrases import seat_text, signed, table_head
from games.shared.tiles import worth
from games.typ_dom.rules import NOBODY, State, points_text, rack_text


def in_hand(state: State, seat: Seat) -> int:
    """Return what the tiles of a seat cost it: black 1, red 3, joker 10."""
    return worth(state.rack(seat))


def winner(state: State) -> Seat:
    """Return who has won: the seat that is out, the only one left, or the one with the fewest points; else NOBODY."""
    if state.first_out:
        return state.first_out
    fewest = min((in_hand(state, seat) for seat in state.playing), default=0)
    few = [seat for seat in state.playing if in_hand(state, seat) == fewest]
    return few[0] if len(few) == 1 else NOBODY


def winners(state: State) -> tuple[Seat, ...]:
    """Return the winner as the contract asks for it."""
    return () if winner(state) == NOBODY else (winner(state),)


def payments(state: State) -> tuple[int, ...]:
    """Let everybody pay the winner what they hold, times the stake."""
    won = winner(state)
    if won == NOBODY:
        return (0,) * len(state.racks)
    costs = {seat: state.stake * in_hand(state, seat) for seat in state.seats if seat != won}
    return tuple(sum(costs.values()) if seat == won else -costs[seat] for seat in state.seats)


def standings(state: State, points: tuple[int, ...]) -> tuple[Standing, ...]:
    """Rank the seats; equal points share a rank."""
    return ranking.standings(dict(zip(state.seats, points, strict=True)), state.gone)


def final_sections(state: State, points: tuple[int, ...]) -> tuple[Section, ...]:
    """Show who pays what for which tiles."""
    stake = (say("STAKE", stake=say(f"STAKE_{state.stake}")),) if state.stake > 1 else ()
    return (
        Section(
            title=say("RANKING"),
            lines=tuple(_reasons(state)),
            table=Table(
                head=table_head("RANK", "NAME", "WORTH", "PAID"),
                rows=tuple(_row(state, standing) for standing in standings(state, points)),
            ),
            notes=(*rests(state), say("WORTHS"), *stake),
        ),
    )


def rests(state: State) -> tuple[Text, ...]:
    """Name the tiles that are left over."""
    return tuple(say("REST_OF", seat=s, tiles=rack_text(state.rack(s))) for s in state.seats if state.rack(s))


def _row(state: State, standing: Standing) -> tuple[str | int | Text, ...]:
    seat = standing.seat
    return (standing.rank, seat_text(seat, state.gone), in_hand(state, seat), signed(standing.points or 0))


def _reasons(state: State) -> list[Text]:
    won = winner(state)
    if state.first_out:
        return [say("WON_OUT", seat=won)]
    if not state.playing:
        return [say("WON_ALL_LEFT")]
    if won == NOBODY:
        return [say("STUCK"), say("WON_NOBODY", stake=say(f"STAKE_{min(2 * state.stake, 4)}"))]
    if len(state.playing) == 1:
        return [say("WON_ALONE", seat=won)]
    return [say("STUCK"), say("WON_FEWEST", seat=won, points=points_text(in_hand(state, won)))]
