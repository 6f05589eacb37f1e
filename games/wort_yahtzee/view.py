"""A position through the eyes of one viewer: the only way out of a state."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.api import ALL, Seat, Section, Text, View, Viewer, say
from games.wort_yahtzee.card import BEFORE_THIRD, card_of, open_points, standings
from games.wort_yahtzee.filling import entry_of, summary
from games.wort_yahtzee.picture import (
    box_text,
    boxes_text,
    dice_grid,
    roll_line,
    spaced,
    values_text,
)
from games.wort_yahtzee.state import ROLLS, ROUNDS, SPECIAL, Move, Player, State
from games.wort_yahtzee.tables import cards, doubts, final_sections, last_round, played


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Cards are public once a round is closed; dice and a move on file are for their seat only."""
    facts = {"round": state.round, "rounds": ROUNDS, "any_order": state.any_order}
    if state.over:
        seat_facts = _seat_facts(state, None, None)
        return View(sections=final_sections(state), facts=facts, seat_facts=seat_facts, words=played(state))
    player = state.player(viewer)
    mine = (_own_dice(state, player), *_on_file(state, player, own)) if player else ()
    hidden = (_all_dice(state),) if viewer == ALL else ()
    return View(
        sections=(*mine, *hidden, *last_round(state), *cards(state), *doubts(state)),
        how_to=_how_to(state, player) if player else (),
        block=_block(state, player) if player else (),
        facts=facts,
        seat_facts=_seat_facts(state, viewer, own),
    )


def _own_dice(state: State, player: Player) -> Section:
    left = ROLLS - len(player.rolls)
    return Section(
        title=say("OWN_DICE", round=state.round, roll=len(player.rolls), dice=spaced(player.dice)),
        grids=(dice_grid(player),),
        notes=(say("VALUES", values=values_text(player.dice, state.values)), say(f"ROLLS_LEFT_{left}")),
    )


def _all_dice(state: State) -> Section:
    grids = tuple(replace(dice_grid(player), seat=player.seat) for player in state.players)
    return Section(title=say("ALL_DICE", round=state.round), grids=grids)


def _on_file(state: State, player: Player, own: Move | None) -> tuple[Section, ...]:
    if own is None or own.keep is not None or own.roll != len(player.rolls):
        return ()
    pairs = summary(player, entry_of(state, player, own))
    lines = tuple(say("LABELLED", label=label, content=content) for label, content in pairs)
    return (Section(title=say("ON_FILE", round=state.round), lines=lines),)


def _how_to(state: State, player: Player) -> tuple[Text, ...]:
    keep = () if len(player.rolls) == ROLLS else (say(f"HOW_KEEP_{ROLLS - len(player.rolls)}"),)
    box = (
        say("HOW_ANY", boxes=boxes_text(player.open)) if state.any_order else say("HOW_ROUND", box=box_text(state.box))
    )
    return (*keep, box, _how_special(state, player), say("HOW_STRIKE_ANY") if state.any_order else say("HOW_STRIKE"))


def _how_special(state: State, player: Player) -> Text:
    free = [box for box in SPECIAL if not (box in BEFORE_THIRD and (player.has(box) or len(player.rolls) == ROLLS))]
    ways = tuple(say(f"WAY_{box.upper()}") for box in free)
    if state.any_order:
        return say("HOW_SPECIAL_ANY", ways=ways, first=player.open[0])
    return say("HOW_SPECIAL", ways=ways, box=state.box)


def _block(state: State, player: Player) -> tuple[str, ...]:
    order = "werte" if len(player.rolls) == ROLLS else "behalte"
    return (f"Stand: {state.stand(player.seat)}", roll_line(player), order)


def _seat_facts(state: State, viewer: Viewer | None, own: Move | None) -> Mapping[Seat, Mapping[str, Any]]:
    ranks = {standing.seat: standing.rank for standing in standings(state)} if state.over else {}
    facts: dict[Seat, dict[str, Any]] = {player.seat: _card_facts(player) for player in state.players}
    for seat, rank in ranks.items():
        facts[seat]["rank"] = rank
    for player in state.players:
        if viewer in (player.seat, ALL):
            facts[player.seat] |= {"dice": player.dice, "rolls": len(player.rolls)}
        if viewer == player.seat:
            facts[player.seat]["move"] = _move_facts(own)
    return facts


def _card_facts(player: Player) -> dict[str, Any]:
    card = card_of(player.card)
    return {
        "boxes": dict(card.boxes),
        "bonus": card.bonus,
        "points": card.total,
        "open": open_points(player.card),
        "nmr": [entry.round for entry in player.card if entry.nmr],
        "words": {str(entry.round): [word.laid for word in entry.words] for entry in player.card if entry.words},
    }


def _move_facts(own: Move | None) -> dict[str, Any] | None:
    if own is None:
        return None
    return {"box": own.box, "words": [word.laid for word in own.words], "zero": own.zero}
