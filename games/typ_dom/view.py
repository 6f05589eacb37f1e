"""A position through the eyes of one viewer. Racks and the bag are hidden till the end."""

from typing import Any

from games.api import ALL, Played, Seat, Section, Standing, Table, Text, View, Viewer, say, seat_of
from games.shared.phrases import listed, reason_text, seat_text, table_head
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
from games.shared.racks import bag_facts, bag_text, on_file, rack_sections
from games.shared.tiles import count_colours, shown
from games.typ_dom.moves import move_pairs
from games.typ_dom.rules import Move, State, Turn, Variant, turn_texts, word_text


def show(variant: Variant, state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. What lies and how many tiles of which colour everybody holds is public."""
    seat = seat_of(viewer, state.seats)
    on_turn = seat == state.on_turn and not state.over
    standings = variant.result(state).standings if state.over else ()
    return View(
        headline=_headline(state),
        sections=(
            *(variant.final(state) if state.over else ()),
            _board(variant, state),
            *_recently(state),
            _seats(variant, state),
            *rack_sections(state, viewer, is_over=state.over, values=variant.words_score),
            *((on_file(move_pairs(variant, own)),) if seat == state.on_turn and own else ()),
        ),
        ask=say("ASK_WORD") if on_turn else None,
        how_to=_how_to(variant) if on_turn else (),
        in_short=(say("SHORT_BUY"),) if on_turn and _has_moved(state) else (),
        block=(f"Stand: {state.turn}",) if on_turn else (),
        facts=_facts(state),
        seat_facts={one: _seat_facts(variant, state, one, viewer, standings) for one in state.seats},
        words=_words(state) if state.over else (),
    )


def _how_to(variant: Variant) -> tuple[Text, ...]:
    scores = (say("HOW_SCORE"),) if variant.words_score else ()
    return (say("HOW_WORD"), *scores, say("HOW_SECOND"), say("HOW_JOKER"), say("HOW_BUY"))


def _has_moved(state: State) -> bool:
    return any(turn.seat == state.on_turn for turn in state.turns)


def _headline(state: State) -> Text:
    """What the last turn brought, without points."""
    if not state.turns:
        return say("HEADLINE_BEGINS", seat=state.starter)
    last = state.turns[-1]
    if last.missed:
        return say("HEADLINE_MISSED", seat=last.seat, in_round=last.number)
    if last.resigned:
        return say("HEADLINE_RESIGNED", seat=last.seat)
    if last.words:
        return say("HEADLINE_LAID", seat=last.seat, words=word_text(last))
    return say("HEADLINE_BOUGHT" if last.red or last.black else "HEADLINE_PASSED", seat=last.seat)


def _board(variant: Variant, state: State) -> Section:
    last = state.turns[-1] if state.turns else None
    new = last.cells if last else ()
    legend = say("LEGEND", seat=last.seat) if last and new else say("LEGEND_OLD")
    lies = bool(occupied(state.board))
    return Section(
        title=say("BOARD"),
        lines=jokers_text(state.board) if lies else (say("EMPTY_BOARD"),),
        legend=(legend,) if lies else (),
        grids=(picture(state.board, new, worth=variant.words_score),),
    )


def _recently(state: State) -> tuple[Section, ...]:
    """The turns of one round: what has happened since one's own last turn."""
    texts = tuple(text for turn in state.turns[-len(state.seats) :] for text in turn_texts(turn))
    return (Section(title=say("RECENTLY"), lines=texts),) if texts else ()


def _seats(variant: Variant, state: State) -> Section:
    heads = ("NAME", "RED", "BLACK", *(("POINTS",) if variant.words_score else ()))
    last_round = (say("LAST_ROUND", seat=state.first_out),) if state.first_out and not state.over else ()
    return Section(
        title=say("SEATS") if state.over else say("ON_TURN", seat=state.on_turn, turn=state.turn),
        table=Table(head=table_head(*heads), rows=tuple(_seat_row(variant, state, seat) for seat in state.seats)),
        notes=(bag_text(state), *last_round),
    )


def _seat_row(variant: Variant, state: State, seat: Seat) -> tuple[str | int | Text, ...]:
    points = (state.points(seat),) if variant.words_score else ()
    return (seat_text(seat, state.given_up), *count_colours(state.rack(seat)), *points)


def _words(state: State) -> tuple[Played, ...]:
    """List the words of all turns; nothing doubtful ever lies on the board."""
    return tuple(_played(state, turn, at) for turn in state.turns for at in range(len(turn.words)))


def _played(state: State, turn: Turn, at: int) -> Played:
    word = turn.words[at]
    cells = [cell_name(spot) for spot in covering(state.board, word, turn.cells)]
    return Played(
        seat=turn.seat,
        word=word,
        points=turn.scores[at] if turn.scores else None,
        status="refused" if word in turn.refused else "accepted",
        why=reason_text("RULED") if word in turn.refused else None,
        where=say("LAID_AT", round=turn.round, cells=listed([*map(cell_name, turn.cells)])),
        first=cells[0] if cells else "",
        last=cells[-1] if cells else "",
    )


def _facts(state: State) -> dict[str, Any]:
    down, along = used_part(state.board, margin=0)
    lies = any(row.strip(BLANK) for row in state.board)
    return {
        "turn": state.turn,
        "round": state.round,
        "on_turn": None if state.over else state.on_turn,
        "words": state.profile,
        "bag": bag_facts(state),
        "board": {
            "first": cell_name(Spot(down.start, along.start)),
            "rows": [state.board[row][along.start : along.stop] for row in down] if lies else [],
        },
        "last": _turn_facts(state.turns[-1]) if state.turns else None,
    }


def _turn_facts(turn: Turn) -> dict[str, Any]:
    return {
        "seat": turn.seat,
        "words": list(turn.words),
        "cells": [cell_name(spot) for spot in turn.cells],
        "points": turn.points,
        "red": turn.red,
        "black": turn.black,
    }


def _seat_facts(
    variant: Variant, state: State, seat: Seat, viewer: Viewer, standings: tuple[Standing, ...]
) -> dict[str, Any]:
    red, black = count_colours(state.rack(seat))
    facts: dict[str, Any] = {"red": red, "black": black, "resigned": seat in state.given_up}
    if variant.words_score:
        facts["points"] = state.points(seat)
    if state.over or viewer in (seat, ALL):
        facts["rack"] = shown(state.rack(seat))
    for line in standings:
        if line.seat == seat:
            facts |= {"rank": line.rank, "points": line.points}
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
