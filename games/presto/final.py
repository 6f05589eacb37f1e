"""The final bulletin: the ranking, and every deal with its grids, racks and rest."""

from collections.abc import Sequence
from typing import Any

from games import ranking
from games.api import Grid, Played, Seat, Section, Standing, Table, Text, say
from games.plane import runs
from games.presto.picture import counted, draw_grid, written
from games.presto.state import Deal, Finish, State
from games.tiles import shown


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats by their points; equal points share a rank."""
    return ranking.standings({seat: state.points(seat) for seat in state.seats}, state.resigned)


def winners(state: State) -> tuple[Seat, ...]:
    """The most points win."""
    return ranking.leaders(standings(state), state.resigned)


def seat_text(state: State, seat: Seat) -> Text:
    """Name a seat, and say so where it was given up."""
    return say("SEAT_GONE" if seat in state.resigned else "SEAT", seat=seat)


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking, then the deals in their order."""
    return (_ranking(state), *(_deal(state, number, deal) for number, deal in enumerate(state.past, start=1)))


def _ranking(state: State) -> Section:
    heads = ("RANK", "NAME", "FIRSTS", "SECONDS", "POINTS")
    rows = tuple(
        (line.rank, seat_text(state, line.seat), *_places(state, line.seat), state.points(line.seat))
        for line in standings(state)
    )
    return Section(title=say("RANKING"), table=Table(head=tuple(say(f"HEAD_{head}") for head in heads), rows=rows))


def _places(state: State, seat: Seat) -> tuple[int, int]:
    """Count the first and the second places of a seat."""
    first, second = (
        sum(len(deal.finishes) > place and deal.finishes[place].seat == seat for deal in state.past) for place in (0, 1)
    )
    return first, second


def _deal(state: State, number: int, deal: Deal) -> Section:
    dealt = tuple(
        say("DEALT_TO", seat=seat, tiles=shown(rack)) for seat, rack in zip(state.seats, deal.racks, strict=True)
    )
    return Section(
        title=say("DEAL", deal=number),
        lines=() if deal.finishes else (say("NOBODY"),),
        grids=finished_grids(deal.finishes),
        notes=(*dealt, *([say("REST", tiles=shown(deal.rest))] if deal.rest else [])),
    )


def played(state: State) -> tuple[Played, ...]:
    """List the words of all grids that were finished; what isn't a word was never taken."""
    return tuple(
        Played(seat=finish.seat, word=run.word, where=say("DEAL", deal=number))
        for number, deal in enumerate(state.past, start=1)
        for finish in deal.finishes
        for run in runs(finish.grid)
    )


def finished_grids(finishes: Sequence[Finish], first: int = 1) -> tuple[Grid, ...]:
    """Draw the grids of those who finished, with place and points; `first` is the place of the first one."""
    return tuple(
        draw_grid(finish.grid, finish.seat, say("NOTE_PLACE", place=place, points=counted(finish.points)))
        for place, finish in enumerate(finishes, start=first)
    )


def deal_facts(state: State, deal: Deal) -> dict[str, Any]:
    """Give a deal that is over as plain JSON; racks and rest only after the end."""
    finishes = [
        {"seat": finish.seat, "points": finish.points, "left": shown(finish.left), "grid": list(written(finish.grid))}
        for finish in deal.finishes
    ]
    hidden = {"racks": [shown(rack) for rack in deal.racks], "rest": shown(deal.rest)} if state.over else {}
    return {"finishes": finishes, **hidden}
