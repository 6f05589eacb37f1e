"""The final bulletin: ranking, payments, leftovers."""

from games import ranking
from games.api import Section, Standing, Table, Text, say
from games.tiles import shown, worth
from games.wer_behaelt_recht.picture import counted, signed
from games.wer_behaelt_recht.state import State


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats by what they were paid less what they paid; equal ones share a rank, the winner stands first."""
    return ranking.standings(
        {seat: state.balance(seat) for seat in state.seats},
        state.resigned,
        {seat: (seat != state.winner,) for seat in state.seats},
    )


def final_sections(state: State) -> tuple[Section, ...]:
    """Show who has won, the sums, what was left over, and every payment."""
    return (_ranking(state), *_payments(state))


def _ranking(state: State) -> Section:
    heads = ("RANK", "NAME", "WORTH", "BALANCE")
    rows = tuple(
        (
            line.rank,
            say("SEAT", seat=line.seat),
            sum(worth(tile) for tile in state.rack(line.seat)),
            signed(state.balance(line.seat)),
        )
        for line in standings(state)
    )
    left = tuple(say("LEFT_OVER", seat=seat, tiles=shown(state.rack(seat))) for seat in state.seats if state.rack(seat))
    stake = (say("STAKE_NOTE", stake=say(f"STAKE_{state.stake}")),) if state.stake > 1 else ()
    return Section(
        title=say("RANKING"),
        lines=(how_it_ended(state),),
        table=Table(head=tuple(say(f"HEAD_{head}") for head in heads), rows=rows),
        notes=(*left, say("WORTH_NOTE"), *stake),
    )


def how_it_ended(state: State) -> Text:
    """Say in a sentence who has won, and by what."""
    if not state.in_play:
        return say("END_ALL_LEFT")
    if state.winner is None:
        return say("END_NOBODY", stake=say(f"STAKE_{min(2 * state.stake, 4)}"))
    return say(f"END_{state.ending.upper()}", seat=state.winner)


def _payments(state: State) -> tuple[Section, ...]:
    if not state.payments:
        return ()
    lines = tuple(
        say("PAYS", payer=say("SEAT", seat=p.payer), receiver=say("SEAT", seat=p.receiver), points=counted(p.points))
        for p in state.payments
    )
    return (Section(title=say("PAYMENTS"), lines=lines),)
