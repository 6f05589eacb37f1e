"""A position through the eyes of one viewer, the final ranking, and how grids are drawn and written."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.api import ALL, Grid, Played, Seat, Section, Table, Text, View, Viewer, say, seat_of
from games.presto.rules import Deal, Finish, Move, State, standings, tiles_text
from games.shared.phrases import counted, labelled, plain, seat_text, table_head
from games.shared.plane import BLANK, Rows, Run, Spot, cell_name, picture, runs
from games.shared.tiles import rack_grid, shown

WIDEST: Final = 34
"""Columns that fit into a mail, with a star in every cell."""


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. A rack, an unfinished deal's grid and a move on file are for their seat only."""
    seat = seat_of(viewer, state.seats)
    if state.over:
        seat_facts = _seat_facts(state, None)
        return View(sections=final_sections(state), facts=_facts(state), seat_facts=seat_facts, words=played(state))
    mine = (_own(state, seat), *_on_file(state, own)) if seat else (_hidden(state),) if viewer == ALL else ()
    asked = seat is not None and seat in state.building
    return View(
        headline=_headline(state),
        sections=(_race(state), *mine, _scores(state), *_last_deal(state)),
        ask=say("ASK_GRID") if asked else None,
        how_to=_how_to(state) if asked else (),
        in_short=(say("HOW_PASS"),) if asked and state.round > 1 else (),
        block=(f"Stand: {state.round}",) if asked else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer),
    )


def _headline(state: State) -> Text:
    """Return what happened last: somebody finished, gave up, or a deal began."""
    if finishes := state.now.finishes:
        return say("HEADLINE_FINISHED", seat=finishes[-1].seat, place=len(finishes), deal=state.round)
    won = state.past[-1].finishes if state.past else ()
    if won:
        return say("HEADLINE_WON", seat=won[0].seat, before=state.round - 1, deal=state.round)
    return say("HEADLINE_OPENS", deal=state.round)


def _race(state: State) -> Section:
    """Return who has finished and who is still building."""
    building = tuple(say("SEAT", seat=seat) for seat in sorted(state.building))
    out = tuple(say("SEAT", seat=seat) for seat in state.passed)
    lines = [
        say("PLACE_LEFT" if finish.left else "PLACE", place=place, seat=finish.seat, points=counted(finish.points))
        for place, finish in enumerate(state.now.finishes, start=1)
    ]
    lines.append(say("BUILDING", seats=building))
    lines += [say("OUT_OF_DEAL", seats=out)] if out else []
    return Section(title=say("RACE", deal=state.round, deals=state.deals), lines=tuple(lines))


def _own(state: State, seat: Seat) -> Section:
    """Show the own tiles, and the own grid once it has been taken."""
    grids: tuple[Grid, ...] = ()
    if finish := state.finish(seat):
        grids = finished_grids((finish,), state.round, state.now.finishes.index(finish) + 1)
    title = say("OWN_TILES", number=len(state.rack(seat)))
    return Section(title=title, grids=(rack_grid(state.rack(seat), tiles_text(state.rack(seat))), *grids))


def _on_file(state: State, own: Move | None) -> tuple[Section, ...]:
    """Show a grid that waits for the GM's ruling on a word."""
    if own is None or own.passes or own.deal != state.round:
        return ()
    words = plain(", ".join(sorted({run.word for run in runs(own.grid)})))
    return (Section(title=say("ON_FILE"), lines=labelled([(say("LABEL_WORDS"), words)]), grids=(draw_grid(own.grid),)),)


def _hidden(state: State) -> Section:
    """Show all tiles, and the grids of those who have finished this deal."""
    racks = tuple(
        rack_grid(state.rack(seat), say("RACK_OF", seat=seat, tiles=tiles_text(state.rack(seat))), seat)
        for seat in state.seats
    )
    rest = (rack_grid(state.now.rest, say("REST", tiles=shown(state.now.rest))),) if state.now.rest else ()
    title = say("ALL_TILES", deal=state.round)
    return Section(title=title, grids=(*racks, *rest, *finished_grids(state.now.finishes, state.round)))


def _scores(state: State) -> Section:
    rows = tuple(
        (line.rank, seat_text(line.seat, state.given_up), state.points(line.seat)) for line in standings(state)
    )
    return Section(title=say("SCORES"), table=Table(head=table_head("RANK", "NAME", "POINTS"), rows=rows))


def _last_deal(state: State) -> tuple[Section, ...]:
    """Show the grids of the deal before, when all may see them."""
    if not state.past or not state.past[-1].finishes:
        return ()
    deal = len(state.past)
    return (Section(title=say("GRIDS", deal=deal), grids=finished_grids(state.past[-1].finishes, deal)),)


def _how_to(state: State) -> tuple[Text, ...]:
    left = (say("HOW_ONE_LEFT"),) if state.one_left else ()
    return (say("HOW_GRID"), say("HOW_EXAMPLE"), *left, say("HOW_PASS"))


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking, then the deals in their order."""
    return (_ranking(state), *(_deal(state, number, deal) for number, deal in enumerate(state.past, start=1)))


def _ranking(state: State) -> Section:
    rows = tuple(
        (line.rank, seat_text(line.seat, state.given_up), *_places(state, line.seat), state.points(line.seat))
        for line in standings(state)
    )
    head = table_head("RANK", "NAME", "FIRSTS", "SECONDS", "POINTS")
    return Section(title=say("RANKING"), table=Table(head=head, rows=rows))


def _places(state: State, seat: Seat) -> tuple[int, int]:
    """Count the first and the second places of a seat."""
    first, second = (
        sum(len(deal.finishes) > place and deal.finishes[place].seat == seat for deal in state.past) for place in (0, 1)
    )
    return first, second


def _deal(state: State, number: int, deal: Deal) -> Section:
    dealt = tuple(
        say("DEALT_TO", deal=number, seat=seat, tiles=shown(rack))
        for seat, rack in zip(state.seats, deal.racks, strict=True)
    )
    return Section(
        title=say("DEAL", deal=number),
        lines=() if deal.finishes else (say("NOBODY"),),
        grids=finished_grids(deal.finishes, number),
        notes=(*dealt, *([say("NOT_DEALT", deal=number, tiles=shown(deal.rest))] if deal.rest else [])),
    )


def finished_grids(finishes: Sequence[Finish], deal: int, first: int = 1) -> tuple[Grid, ...]:
    """Draw the grids of seats that finished a deal, with place and points. `first` is the place of the first grid."""
    return tuple(
        draw_grid(finish.grid, finish.seat, say("NOTE_PLACE", deal=deal, place=place, points=counted(finish.points)))
        for place, finish in enumerate(finishes, start=first)
    )


def played(state: State) -> tuple[Played, ...]:
    """List the words of all grids that were finished; what isn't a word was never taken."""
    return tuple(
        _played(finish.seat, run, number)
        for number, deal in enumerate(state.past, start=1)
        for finish in deal.finishes
        for run in runs(finish.grid)
    )


def _played(seat: Seat, run: Run, deal: int) -> Played:
    first, *_, last = map(cell_name, run.spots)
    return Played(seat=seat, word=run.word, where=say("DEAL", deal=deal), first=first, last=last)


def _facts(state: State) -> Mapping[str, Any]:
    return {
        "deal": state.round,
        "deals": state.deals,
        "one_left": state.one_left,
        "words": state.profile,
        "finished": [] if state.over else [finish.seat for finish in state.now.finishes],
        "given_up": [] if state.over else list(state.passed),
        "past": [deal_facts(state, deal) for deal in state.past],
    }


def deal_facts(state: State, deal: Deal) -> dict[str, Any]:
    """Return a deal that is over as plain JSON; racks and rest only after the end."""
    finishes = [
        {"seat": finish.seat, "points": finish.points, "left": shown(finish.left), "grid": list(written(finish.grid))}
        for finish in deal.finishes
    ]
    hidden = {"racks": [shown(rack) for rack in deal.racks], "rest": shown(deal.rest)} if state.over else {}
    return {"finishes": finishes, **hidden}


def _seat_facts(state: State, viewer: Viewer | None) -> Mapping[Seat, Mapping[str, Any]]:
    ranks = {line.seat: line.rank for line in standings(state)}
    facts: dict[Seat, dict[str, Any]] = {
        seat: {"rank": ranks[seat], "points": state.points(seat), "resigned": seat in state.given_up}
        for seat in state.seats
    }
    for seat in state.seats:
        if viewer in (seat, ALL):
            finish = state.finish(seat)
            facts[seat] |= {"rack": shown(state.rack(seat)), "grid": list(written(finish.grid)) if finish else []}
    return facts


def draw_grid(rows: Rows, seat: Seat | None = None, note: Text | None = None, wrong: Collection[Spot] = ()) -> Grid:
    """Draw a grid in capitals, jokers with a star. `wrong` are the cells of words that don't count."""
    grid = picture(rows, wrong=wrong, margin=0)
    cells = tuple(tuple(replace(cell, text=cell.text.upper()) for cell in row) for row in grid.cells)
    return replace(grid, seat=seat, note=note, cells=cells)


PASSES: Final = ("passe",)
"""The lines that give a deal up."""


def written(rows: Rows) -> tuple[str, ...]:
    """Write a grid as the rows of a block: `WINTER..`, `......F*`."""
    return tuple("".join(_written(sign) for sign in row) for row in rows)


def _written(sign: str) -> str:
    return f"{sign.upper()}*" if sign.islower() else sign or BLANK


EXAMPLE: Final = Section(
    lines=(say("EXAMPLE"),),
    grids=(draw_grid(("WINTER..", "..A.....", "..SOMMER", "..E....U", "..N....M", ".......P", ".......f")),),
)
"""The grid of the block on the page of rules."""
