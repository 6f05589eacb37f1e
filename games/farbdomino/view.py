"""A position through the eyes of one viewer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from games.api import ALL, Seat, Section, Table, Text, View, Viewer, say
from games.farbdomino.board import Laid, draw_hand, draw_table
from games.farbdomino.rules import Player, State, standings, winners
from games.shared.phrases import plain, signed, table_head

_MANY = 4
"""More tiles than these are counted in a headline, not named."""


def show(state: State, viewer: Viewer) -> View:
    """Show a position. The table, counters and numbers of tiles are public; a hand is for its seat only."""
    mine = next((player for player in state.players if player.seat == viewer), None)
    if state.over:
        sections: tuple[Section, ...] = (_ranking(state), _table(state), _left(state))
        return View(headline=_headline(state), sections=sections, facts=_facts(state), seat_facts=_seat_facts(state))
    is_due = mine is not None and mine.seat == state.on_turn
    own = (_hand(mine),) if mine and mine.hand else (_all_hands(state),) if viewer == ALL else ()
    return View(
        headline=_headline(state),
        sections=(_table(state), _players(state), *own),
        ask=say("ASK_LINE") if is_due else None,
        how_to=(say("HOW_LINE"), say("HOW_FIRST") if not state.board else say("HOW_FIT")) if is_due else (),
        block=(f"Stand: {state.turn}",) if is_due else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer),
    )


def _headline(state: State) -> Text | None:
    last = state.last
    if last is None:
        return None
    if not last.tiles:
        return say("HEADLINE_NMR", seat=last.seat, in_round=state.turn - (not state.over))
    if len(last.tiles) == 1:
        return say("HEADLINE_ONE", seat=last.seat, tile=last.tiles[0])
    if len(last.tiles) > _MANY:
        return say("HEADLINE_MANY", seat=last.seat, number=len(last.tiles))
    return say("HEADLINE_SOME", seat=last.seat, tiles=", ".join(last.tiles[:-1]), last=last.tiles[-1])


def _table(state: State) -> Section:
    new = state.last.tiles if state.last else ()
    if not state.board:
        return Section(title=say("TABLE"), lines=(say("TABLE_EMPTY"),))
    return Section(
        title=say("TABLE"), legend=(say("LEGEND"), *((say("NEW"),) if new else ())), grids=draw_table(state.board, new)
    )


def _players(state: State) -> Section:
    rows = tuple(
        (say("SEAT", seat=player.seat), len(player.hand), plain(signed(player.counters)), _note(state, player))
        for player in state.players
    )
    rest = say("REST", number=len(state.stock)) if state.stock else say("REST_NONE")
    return Section(
        title=say("TURN", number=state.turn, seat=state.on_turn),
        table=Table(head=table_head("NAME", "TILES", "COUNTERS", "NOTE"), rows=rows),
        notes=(rest,),
    )


def _note(state: State, player: Player) -> Text:
    if player.finished:
        return say("NOTE_OUT", number=player.finished)
    if player.seat in state.given_up:
        return say("NOTE_RESIGNED")
    return say("NOTE_TURN") if player.seat == state.on_turn and not state.over else plain("")


def _hand(mine: Player) -> Section:
    return Section(title=say("HAND", number=len(mine.hand)), grids=draw_hand(mine.hand))


def _all_hands(state: State) -> Section:
    """Show everybody's tiles, and the rest in the order in which it will be bought."""
    grids = tuple(grid for player in state.players for grid in draw_hand(player.hand, player.seat))
    rest = (say("NEXT_REST", tiles=", ".join(state.stock)),) if state.stock else ()
    return Section(title=say("ALL_HANDS"), grids=grids, notes=rest)


def _ranking(state: State) -> Section:
    first = winners(state)
    rows = []
    for standing in standings(state):
        player = state.player(standing.seat)
        mark = _winner_mark(player) if player.seat in first else _note(state, player)
        balance = plain(signed(player.counters))
        rows.append((standing.rank, say("SEAT", seat=player.seat), balance, len(player.hand), mark))
    return Section(
        title=say("RANKING"),
        lines=(say("RULE_FIRST_OUT") if state.winner == "first_out" else say("RULE_COUNTERS"),),
        table=Table(head=table_head("RANK", "NAME", "COUNTERS", "TILES", "NOTE"), rows=tuple(rows)),
    )


def _winner_mark(player: Player) -> Text:
    return say("NOTE_WINNER_OUT") if player.finished == 1 else say("NOTE_WINNER")


def _left(state: State) -> Section:
    """What was hidden: the tiles in hand and the rest, face up at the end."""
    grids = tuple(
        replace(grid, said=say("LEFT", seat=player.seat, tiles=plain(", ".join(player.hand))))
        for player in state.players
        for grid in draw_hand(player.hand, player.seat)
    )
    rest = tuple(sorted(state.stock))
    grids += tuple(replace(grid, said=say("LEFT_REST", tiles=", ".join(rest))) for grid in draw_hand(rest))
    return Section(title=say("LEFT_TITLE"), lines=() if grids else (say("LEFT_NOTHING"),), grids=grids)


def _facts(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "on_turn": None if state.over else state.on_turn,
        "board": [
            {"tile": laid.tile, "x": laid.x, "y": laid.y, "sides": list(laid.sides)} for laid in state.board
        ],
        "stock": len(state.stock),
        "last": list(state.last.tiles) if state.last else [],
        **({"winners": list(winners(state))} if state.over else {}),
    }  # fmt: skip


def _seat_facts(state: State, viewer: Viewer | None = None) -> Mapping[Seat, Mapping[str, Any]]:
    return {
        player.seat: {
            "tiles": len(player.hand),
            "counters": player.counters,
            "finished": player.finished,
            "resigned": player.seat in state.given_up,
            **({"hand": list(player.hand)} if state.over or viewer in (player.seat, ALL) else {}),
        }
        for player in state.players
    }


EXAMPLE: Final = Section(
    lines=(say("EXAMPLE"),),
    grids=draw_table(
        (
            Laid(tile="a1", x=0, y=0, up="gn"),
            Laid(tile="e2", x=1, y=0, up="gn"),
            Laid(tile="a2", x=0, y=1, up="ge"),
            Laid(tile="e1", x=1, y=1, up="ge"),
        ),
        new=("a2", "e1"),
    ),
)
"""The move on the page of rules: it closes a square."""
