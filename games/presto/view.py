"""A position through the eyes of one viewer: the only way out of a state."""

from collections.abc import Mapping
from typing import Any

from games.api import ALL, Grid, Seat, Section, Table, Text, View, Viewer, say
from games.presto.final import deal_facts, final_sections, finished_grids, played, seat_text, standings
from games.presto.picture import counted, tiles_text, written
from games.presto.state import State
from games.tiles import shown


def show(state: State, viewer: Viewer) -> View:
    """Show a position. A rack and an unfinished deal's grid are for their seat only."""
    seat = next((seat for seat in state.seats if seat == viewer), None)
    if state.over:
        seat_facts = _seat_facts(state, None)
        return View(sections=final_sections(state), facts=_facts(state), seat_facts=seat_facts, words=played(state))
    mine = (_own(state, seat),) if seat else (_hidden(state),) if viewer == ALL else ()
    asked = seat is not None and seat in state.due
    return View(
        headline=_headline(state),
        sections=(_race(state), *mine, _scores(state), *_last_deal(state)),
        how_to=_how_to(state) if asked else (),
        block=(f"Stand: {state.number}",) if asked else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer),
    )


def _headline(state: State) -> Text:
    """Say what happened last: somebody finished, gave up, or a deal began."""
    if state.finishes:
        return say("HEADLINE_FINISHED", seat=state.finishes[-1].seat, place=len(state.finishes), deal=state.number)
    won = state.past[-1].finishes if state.past else ()
    if won:
        return say("HEADLINE_WON", seat=won[0].seat, before=state.number - 1, deal=state.number)
    return say("HEADLINE_OPENS", deal=state.number)


def _race(state: State) -> Section:
    """Say who has finished and who is still building."""
    building = tuple(say("SEAT", seat=seat) for seat in sorted(state.due))
    out = tuple(say("SEAT", seat=seat) for seat in state.given_up)
    lines = [
        say("PLACE_LEFT" if finish.left else "PLACE", place=place, seat=finish.seat, points=counted(finish.points))
        for place, finish in enumerate(state.finishes, start=1)
    ]
    lines.append(say("BUILDING", seats=building))
    lines += [say("OUT_OF_DEAL", seats=out)] if out else []
    return Section(title=say("RACE", deal=state.number, deals=state.deals), lines=tuple(lines))


def _own(state: State, seat: Seat) -> Section:
    """Show the own tiles, and the own grid once it has been taken."""
    finish = state.finish(seat)
    grids: tuple[Grid, ...] = finished_grids((finish,), first=state.finishes.index(finish) + 1) if finish else ()
    title = say("OWN_TILES", number=len(state.rack(seat)))
    return Section(title=title, lines=(tiles_text(state.rack(seat)),), grids=grids)


def _hidden(state: State) -> Section:
    """Show all tiles, and the grids of those who have finished this deal."""
    racks = tuple(say("RACK_OF", seat=seat, tiles=tiles_text(state.rack(seat))) for seat in state.seats)
    return Section(
        title=say("ALL_TILES", deal=state.number),
        lines=(*racks, *([say("REST", tiles=shown(state.rest))] if state.rest else [])),
        grids=finished_grids(state.finishes),
    )


def _scores(state: State) -> Section:
    head = (say("HEAD_RANK"), say("HEAD_NAME"), say("HEAD_POINTS"))
    rows = tuple((line.rank, seat_text(state, line.seat), state.points(line.seat)) for line in standings(state))
    return Section(title=say("SCORES"), table=Table(head=head, rows=rows))


def _last_deal(state: State) -> tuple[Section, ...]:
    """Show the grids of the deal before, when all may see them."""
    if not state.past or not state.past[-1].finishes:
        return ()
    return (Section(title=say("GRIDS", deal=len(state.past)), grids=finished_grids(state.past[-1].finishes)),)


def _how_to(state: State) -> tuple[Text, ...]:
    left = (say("HOW_ONE_LEFT"),) if state.one_left else ()
    return (say("HOW_GRID"), say("HOW_EXAMPLE"), *left, say("HOW_PASS"))


def _facts(state: State) -> Mapping[str, Any]:
    return {
        "deal": state.number,
        "deals": state.deals,
        "one_left": state.one_left,
        "words": state.profile,
        "finished": [] if state.over else [finish.seat for finish in state.finishes],
        "given_up": [] if state.over else list(state.given_up),
        "past": [deal_facts(state, deal) for deal in state.past],
    }


def _seat_facts(state: State, viewer: Viewer | None) -> Mapping[Seat, Mapping[str, Any]]:
    ranks = {line.seat: line.rank for line in standings(state)}
    facts: dict[Seat, dict[str, Any]] = {
        seat: {"rank": ranks[seat], "points": state.points(seat), "resigned": seat in state.resigned}
        for seat in state.seats
    }
    for seat in state.seats:
        if viewer in (seat, ALL):
            finish = state.finish(seat)
            facts[seat] |= {"rack": shown(state.rack(seat)), "grid": list(written(finish.grid)) if finish else []}
    return facts
