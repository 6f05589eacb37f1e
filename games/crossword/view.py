"""A position through the eyes of one viewer: the only way out of a state."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.api import ALL, Grid, Seat, Section, Text, View, Viewer, say
from games.crossword.board import new_cells
from games.crossword.final import final_facts, final_sections, played
from games.crossword.moves import placed_text
from games.crossword.picture import block_rows, draw, entries_text, plain
from games.crossword.state import ROUNDS, SEATS, Move, State
from games.crossword.wordlist import read_list


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Grids and letters are public; a move on file and a word list are for their seat only."""
    if state.over:
        return _result(state)
    seat = next((seat for seat in SEATS if seat == viewer), None)
    mine = _on_file(state, seat, own) if seat and own else _all_lists(state) if viewer == ALL else ()
    return View(
        sections=(*_public(state), *mine),
        how_to=_how_to(state) if seat else (),
        block=_block(state, seat) if seat else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer, own),
    )


@lru_cache(maxsize=1)
def _result(state: State) -> View:
    """Show how it ended, to all alike: nothing is hidden any more."""
    seat_facts = _seat_facts(state, None, None)
    return View(sections=final_sections(state), facts=_facts(state), seat_facts=seat_facts, words=played(state))


@lru_cache(maxsize=1)
def _public(state: State) -> tuple[Section, ...]:
    return (_letters(state), _grids(state))


def _facts(state: State) -> Mapping[str, Any]:
    return {"round": state.round, "rounds": ROUNDS, "letters": "".join(sorted(state.wishes))}


def _letters(state: State) -> Section:
    wishes = tuple(
        say("WISHED_AGAIN" if again else "WISHED", seat=seat, letter=letter)
        for seat, letter, again in zip(SEATS, state.wishes, state.repeated, strict=True)
    )
    return Section(
        title=say("LETTERS", round=state.round, letters=" ".join(state.wishes)),
        lines=(say("WISHES", wishes=wishes),),
    )


def _grids(state: State) -> Section:
    closed = state.round - 1
    legend = say("LEGEND", round=closed, letters=" ".join(sorted(state.previous)))
    return Section(
        title=say("GRIDS", round=closed) if closed else say("GRIDS_START"),
        lines=(legend,) if closed else (),
        grids=tuple(_grid(state, seat, closed) for seat in SEATS),
    )


def _grid(state: State, seat: Seat, closed: int) -> Grid:
    note = say("NOTE_NMR") if closed in state.nmr[seat - 1] else None
    return draw(state.grids[seat - 1], state.new[seat - 1], seat, note)


def _on_file(state: State, seat: Seat, own: Move) -> tuple[Section, ...]:
    before = state.grids[seat - 1]
    pairs = [(say("LABEL_PLACED"), placed_text(before, own))]
    if not state.is_last:
        pairs.append((say("LABEL_WISH", round=state.round + 1), plain(own.wish) if own.wish else say("NONE")))
    if own.words:
        pairs.append((say("LABEL_LIST"), entries_text(len(read_list(own.words).entries))))
    return (
        Section(
            title=say("ON_FILE", round=state.round),
            lines=tuple(say("LABELLED", label=label, content=content) for label, content in pairs),
            grids=(draw(own.grid, new_cells(before, own.grid)),),
        ),
    )


def _all_lists(state: State) -> tuple[Section, ...]:
    """Show the word lists that came early: all else that is hidden comes with the moves of a round."""
    lines = tuple(
        say("LIST_OF", seat=seat, entries="; ".join(kept))
        for seat, kept in zip(SEATS, state.lists, strict=True)
        if kept
    )
    return (Section(title=say("ALL_LISTS"), lines=lines),) if lines else ()


def _how_to(state: State) -> tuple[Text, ...]:
    wish_or_list = say("HOW_LIST") if state.is_last else say("HOW_WISH", round=state.round + 1)
    return (say("HOW_GRID"), wish_or_list)


def _block(state: State, seat: Seat) -> tuple[str, ...]:
    rows = block_rows(state.grids[seat - 1])
    return rows if state.is_last else ("Neu:", *rows)


def _seat_facts(state: State, viewer: Viewer | None, own: Move | None) -> Mapping[Seat, Mapping[str, Any]]:
    facts: dict[Seat, dict[str, Any]] = {
        seat: {
            "nmr": list(state.nmr[seat - 1]),
            "grid": list(block_rows(state.grids[seat - 1])),
            "wish": state.wishes[seat - 1],
            **(final_facts(state, seat) if state.over else {}),
        }
        for seat in SEATS
    }
    for seat in SEATS:
        if seat == viewer:
            facts[seat]["move"] = _move_facts(own)
        kept = (own.words if own and seat == viewer else ()) or state.lists[seat - 1]
        if kept and viewer in (seat, ALL):
            facts[seat]["words"] = list(kept)
    return facts


def _move_facts(own: Move | None) -> dict[str, Any] | None:
    return {"grid": list(block_rows(own.grid)), "wish": own.wish} if own else None
