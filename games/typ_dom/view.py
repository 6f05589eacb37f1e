"""A position through the eyes of one viewer. Racks and the bag are hidden till the end."""

from dataclasses import replace
from typing import Any

from games.api import ALL, Grid, Played, Seat, Section, Table, Text, View, Viewer, say, seat_of
from games.shared.phrases import labelled, listed, reason_text, seat_text, table_head
from games.shared.plane import (
    BLANK,
    Rows,
    Spot,
    cell_name,
    covering,
    exchangeable,
    occupied,
    picture,
    sign_at,
    used_part,
)
from games.shared.tiles import POINTS, VALUES, count_colours, rack_grid, shown
from games.typ_dom.moves import move_pairs
from games.typ_dom.rules import Move, State, Turn, Variant, colours_text, named, rack_text, turn_texts, word_text
from games.typ_dom.settlement import standings


def show(variant: Variant, state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. What lies and how many tiles of which colour everybody holds is public."""
    seat = seat_of(viewer, state.seats)
    points = variant.settle(state) if state.over else ()
    ending = variant.final(state, points) if state.over else ()
    racks = _racks(variant, state, seat, viewer)
    mine = _on_file(variant, own) if seat == state.seat and own else ()
    on_turn = seat == state.seat and not state.over
    return View(
        headline=_headline(state),
        sections=(*ending, _board(variant, state), *_recently(variant, state), _seats(variant, state), *racks, *mine),
        ask=say("ASK_WORD") if on_turn else None,
        how_to=tuple(say(code) for code in variant.how_to) if on_turn else (),
        in_short=tuple(say(code) for code in variant.in_short) if on_turn and _has_moved(state) else (),
        block=(f"Stand: {state.turn}",) if on_turn else (),
        facts=_facts(state),
        seat_facts={one: _seat_facts(variant, state, one, viewer, points) for one in state.seats},
        words=_words(variant, state) if state.over else (),
    )


def _has_moved(state: State) -> bool:
    return any(turn.seat == state.seat for turn in state.turns)


def _headline(state: State) -> Text:
    """What the last turn brought, without points."""
    if not state.turns:
        return say("HEADLINE_STARTS", seat=state.starter)
    last = state.turns[-1]
    if last.missed:
        return say("HEADLINE_MISSED", seat=last.seat, in_round=last.number)
    if last.resigned:
        return say("HEADLINE_RESIGNED", seat=last.seat)
    if last.words:
        return say("HEADLINE_LAID", seat=last.seat, words=word_text(last.words))
    return say("HEADLINE_BOUGHT" if last.red or last.black else "HEADLINE_PASSED", seat=last.seat)


def _board(variant: Variant, state: State) -> Section:
    last = state.turns[-1] if state.turns else None
    new = tuple(named(cell) for cell in last.cells) if last else ()
    legend = say("LEGEND", seat=last.seat) if last and new else say("LEGEND_OLD")
    return Section(
        title=say("BOARD"),
        lines=jokers_text(state.rows) if _lies(state) else (say("EMPTY_BOARD"),),
        legend=(legend,) if _lies(state) else (),
        grids=(picture(state.rows, new, worth=variant.words_score),),
    )


def _recently(variant: Variant, state: State) -> tuple[Section, ...]:
    """The turns of one round: what has happened since one's own last turn."""
    turns = state.turns[-len(state.racks) :]
    texts = (text for turn in turns for text in turn_texts(turn, words_score=variant.words_score))
    return (Section(title=say("RECENTLY"), lines=tuple(texts)),) if turns else ()


def _seats(variant: Variant, state: State) -> Section:
    heads = ("NAME", "RED", "BLACK", *(("POINTS",) if variant.words_score else ()))
    return Section(
        title=say("SEATS") if state.over else say("ON_TURN", seat=state.seat, turn=state.turn),
        table=Table(
            head=table_head(*heads),
            rows=tuple(_seat_row(variant, state, seat) for seat in state.seats),
        ),
        notes=(
            say("BAG", tiles=colours_text(*count_colours(state.bag))),
            *((say("LAST_ROUND", seat=state.first_out),) if state.first_out and not state.over else ()),
        ),
    )


def _seat_row(variant: Variant, state: State, seat: Seat) -> tuple[str | int | Text, ...]:
    points = (state.points(seat),) if variant.words_score else ()
    return (seat_text(seat, state.gone), *count_colours(state.rack(seat)), *points)


def _racks(variant: Variant, state: State, seat: Seat | None, viewer: Viewer) -> tuple[Section, ...]:
    """The own tiles; after the end the settlement shows them all."""
    if state.over:
        left = (rack_grid(state.bag, rack_text(state.bag), worth=variant.words_score),)
        return (Section(title=say("BAG_LEFT"), grids=left),) if state.bag else ()
    if viewer == ALL:
        return (_all_racks(variant, state),)
    values = (say("VALUES", values=VALUES),) if variant.words_score else ()
    return (Section(title=say("YOUR_RACK"), grids=(_rack(variant, state, seat),), notes=values),) if seat else ()


def _rack(variant: Variant, state: State, seat: Seat) -> Grid:
    return rack_grid(state.rack(seat), rack_text(state.rack(seat)), worth=variant.words_score)


def _all_racks(variant: Variant, state: State) -> Section:
    racks = tuple(
        replace(
            _rack(variant, state, one), seat=one, said=say("RACK_OF", seat=one, tiles=rack_text(state.rack(one)))
        )
        for one in state.seats
    )  # fmt: skip
    bag = rack_grid(state.bag, say("BAG", tiles=rack_text(state.bag)), worth=variant.words_score)
    return Section(title=say("ALL_RACKS"), grids=(*racks, bag))


def _words(variant: Variant, state: State) -> tuple[Played, ...]:
    """List the words of all turns; nothing doubtful ever lies on the board."""
    return tuple(_played(variant, state, turn, word) for turn in state.turns for word in turn.words)


def _played(variant: Variant, state: State, turn: Turn, word: str) -> Played:
    cells = [cell_name(spot) for spot in covering(state.rows, word, [named(cell) for cell in turn.cells])]
    return Played(
        seat=turn.seat,
        word=word,
        points=_points(turn, word) if variant.words_score else None,
        status="refused" if word in turn.refused else "accepted",
        why=reason_text("RULED") if word in turn.refused else None,
        where=say("LAID_AT", round=turn.round, cells=listed(turn.cells)),
        first=cells[0] if cells else "",
        last=cells[-1] if cells else "",
    )


def _points(turn: Turn, word: str) -> int | None:
    """Return what a word scored as it was laid.

    A turn by older rules has only the sum of two words: without jokers it can be split.
    """
    if turn.scores:
        return dict(zip(turn.words, turn.scores, strict=True))[word]
    if len(turn.words) == 1:
        return turn.points
    worths = {one: sum(POINTS[letter] for letter in one) for one in turn.words}
    return worths[word] if sum(worths[one] for one in turn.words) == turn.points else None


def _on_file(variant: Variant, own: Move) -> tuple[Section, ...]:
    """A turn that waits for the GM's ruling on a word."""
    return (Section(title=say("ON_FILE"), lines=labelled(move_pairs(variant, own))),)


def _facts(state: State) -> dict[str, Any]:
    down, along = used_part(state.rows, margin=0)
    red, black = count_colours(state.bag)
    return {
        "turn": state.turn,
        "round": state.round,
        "on_turn": None if state.over else state.seat,
        "words": state.words,
        "bag": {"red": red, "black": black},
        "board": {
            "first": cell_name(Spot(down.start, along.start)),
            "rows": [state.rows[row][along.start : along.stop] for row in down] if _lies(state) else [],
        },
        "last": _turn_facts(state.turns[-1]) if state.turns else None,
    }


def _turn_facts(turn: Turn) -> dict[str, Any]:
    return {
        "seat": turn.seat,
        "words": list(turn.words),
        "cells": list(turn.cells),
        "points": turn.points,
        "red": turn.red,
        "black": turn.black,
    }


def _lies(state: State) -> bool:
    return any(row.strip(BLANK) for row in state.rows)


def _seat_facts(variant: Variant, state: State, seat: Seat, viewer: Viewer, points: tuple[int, ...]) -> dict[str, Any]:
    red, black = count_colours(state.rack(seat))
    facts: dict[str, Any] = {"red": red, "black": black, "resigned": seat in state.gone}
    if variant.words_score:
        facts["points"] = state.points(seat)
    if state.over or viewer in (seat, ALL):
        facts["rack"] = shown(state.rack(seat))
    if state.over:
        facts["rank"] = next(standing.rank for standing in standings(state, points) if standing.seat == seat)
        facts["points"] = points[seat - 1]
    return facts


def jokers_text(rows: Rows) -> tuple[Text, ...]:
    """Return where jokers lie and which of them may be taken; nothing where there are none."""
    spots = [spot for spot in occupied(rows) if sign_at(rows, spot).islower()]
    parts = tuple(
        say(
            "JOKER_FREE" if exchangeable(rows, spot) else "JOKER_CLOSED",
            cell=cell_name(spot),
            letter=sign_at(rows, spot).upper(),
        )
        for spot in spots
    )
    return (say("JOKERS", jokers=parts),) if parts else ()
