"""A position through the eyes of one viewer; its public part is tables."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from games.api import ALL, Played, Seat, Section, Standing, Table, Text, View, Viewer, say
from games.shared.phrases import counted, labelled, plain, seat_text, table_head
from games.wort_yahtzee.laying import (
    box_name,
    box_text,
    boxes_text,
    dice_grid,
    entry_text,
    mark,
    roll_line,
    spaced,
    spelling,
    values_text,
    why,
)
from games.wort_yahtzee.moves import entry_of, summary
from games.wort_yahtzee.rules import (
    BEFORE_THIRD,
    LOWER,
    ROLLS,
    ROUNDS,
    SPECIAL,
    UPPER,
    YAHTZEE,
    Card,
    Entry,
    Move,
    Player,
    State,
    Word,
    card_of,
    has_doubt,
    open_points,
    points,
    standings,
)

_WIDTHS: Final[Mapping[str, int]] = {YAHTZEE: 3}
_FREE: Final = "."
_OPEN: Final = "?"
_ENTRY_HEAD: Final = table_head("DICE", "ROLLS", "ENTRY", "POINTS")


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
        sections=(
            *mine,
            *hidden,
            *last_round(state),
            *cards(state, has_rolled=bool(player and player.rolls[1:])),
            *doubts(state),
        ),
        ask=_ask(state, player) if player else None,
        how_to=_how_to(state, player) if player else (),
        in_short=_in_short(state, player) if player and (player.card or len(player.rolls) > 1) else (),
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
    lines = labelled(summary(player, entry_of(state, player, own)))
    return (Section(title=say("ON_FILE", round=state.round), lines=lines),)


def _how_to(state: State, player: Player) -> tuple[Text, ...]:
    keep = () if len(player.rolls) == ROLLS else (say(f"HOW_KEEP_{ROLLS - len(player.rolls)}"),)
    box = (
        say("HOW_ANY", boxes=boxes_text(player.open)) if state.any_order else say("HOW_ROUND", box=box_text(state.box))
    )
    return (*keep, box, _how_special(state, player), say("HOW_STRIKE_ANY") if state.any_order else say("HOW_STRIKE"))


def _how_special(state: State, player: Player) -> Text:
    ways = tuple(say(f"WAY_{box.upper()}") for box in _special(player))
    if state.any_order:
        return say("HOW_SPECIAL_ANY", ways=ways, first=player.open[0])
    return say("HOW_SPECIAL", ways=ways, box=state.box)


def _ask(state: State, player: Player) -> Text:
    left = ROLLS - len(player.rolls)
    box = (
        say("ASK_ANY", boxes=boxes_text(player.open)) if state.any_order else say("ASK_ROUND", box=box_text(state.box))
    )
    return say("ASK_BOTH", keep=say(f"ASK_KEEP_{left}"), box=box) if left else box


def _in_short(state: State, player: Player) -> tuple[Text, ...]:
    ways = tuple(say(f"SHORT_{box.upper()}") for box in _special(player))
    return (say("SHORT_SPECIAL_ANY", ways=ways) if state.any_order else say("SHORT_SPECIAL", ways=ways, box=state.box),)


def _special(player: Player) -> list[str]:
    """List the boxes that may be filled instead of the round's."""
    return [box for box in SPECIAL if not (box in BEFORE_THIRD and (player.has(box) or len(player.rolls) == ROLLS))]


def _block(state: State, player: Player) -> tuple[str, ...]:
    order = "werte" if len(player.rolls) == ROLLS else "behalte"
    return (f"Stand: {state.stand(player.seat)}", roll_line(player), order)


def last_round(state: State) -> tuple[Section, ...]:
    """Show what everybody made of the round that was closed last."""
    if not state.players[0].card:
        return ()
    number = state.players[0].card[-1].round
    rows = tuple(
        (say("SEAT", seat=player.seat), *_entry_cells(player, len(player.card) - 1)) for player in state.players
    )
    table = Table(head=(say("HEAD_NAME"), *_ENTRY_HEAD), rows=rows)
    return (Section(title=say("LAST_ROUND", round=number), table=table),)


def _entry_cells(player: Player, at: int) -> tuple[str | int | Text, ...]:
    entry = player.card[at]
    return (entry.dice, entry.rolls, entry_text(player.seat, entry), points(player.card, at))


def cards(state: State, *, has_rolled: bool = False) -> tuple[Section, ...]:
    """Show all cards as one table with a row for each seat. It fits into 72 columns.

    Who has rolled again in this round has just read what the columns are called.
    """
    head = (
        say("HEAD_NAME"),
        *(plain(box) for box in UPPER),
        say("HEAD_BONUS"),
        *(plain(box) for box in LOWER),
        *(say(f"HEAD_{box.upper()}") for box in SPECIAL),
        say("HEAD_SUM"),
    )
    rows = tuple(_card_row(player) for player in state.players)
    title = say("CARDS", round=len(state.players[0].card)) if state.players[0].card else say("CARDS_START")
    return (
        Section(
            title=title,
            table=Table(head=head, rows=rows, is_card=True, below=tuple(map(_entered, state.players))),
            notes=() if has_rolled else (say("CARDS_LEGEND"),),
        ),
    )


def _card_row(player: Player) -> tuple[str | int | Text, ...]:
    card = card_of(player.card)
    upper = tuple(_box(player, card, box) for box in UPPER)
    lower = tuple(_box(player, card, box) for box in (*LOWER, *SPECIAL))
    return (say("SEAT", seat=player.seat), *upper, f"{card.bonus or _FREE:>2}", *lower, f"{card.total:>3}")


def _entered(player: Player) -> tuple[Text | str, ...]:
    """Say of each box of a card what was entered there, or why it is a zero."""
    upper = tuple(_entered_in(player, box) for box in UPPER)
    return ("", *upper, "", *(_entered_in(player, box) for box in (*LOWER, *SPECIAL)), "")


def _entered_in(player: Player, box: str) -> Text | str:
    words = [mark(word) for entry in player.card if entry.box == box for word in entry.words]
    zero = next((entry for entry in player.card if entry.zero == box), None)
    if zero is None:
        return " ".join(words)
    if zero.nmr:
        return say("ZERO_NMR")
    return say("ZERO_IN", box=box_name(zero.box)) if zero.box else say("ZERO_STRUCK")


def _box(player: Player, card: Card, box: str) -> str:
    """Write a box; figures stand on the right. What counts already is shown where a further word is doubtful."""
    number = card.boxes.get(box)
    has_figure = number or (number is not None and not has_doubt(player.card, box))
    shown = str(number) if has_figure else _FREE if number is None else _OPEN
    return shown.rjust(_WIDTHS.get(box, 2))


def doubts(state: State) -> tuple[Section, ...]:
    """List the words that wait for the GM, and those that were struck out after they were entered."""
    words = [
        (player.seat, entry.round, entry.box, word)
        for player in state.players
        for entry in player.card
        for word in entry.words
    ]
    waiting = tuple(
        say("WAITING", seat=seat, word=word.laid, box=box_name(box), round=number)
        for seat, number, box, word in words
        if word.status == "doubtful"
    )
    struck = tuple(
        say("STRUCK", seat=seat, word=word.laid, box=box_name(box), reason=why(word))
        for seat, _, box, word in words
        if word.status == "refused"
    )
    return (Section(title=say("DOUBTS"), notes=(*waiting, *struck)),) if waiting or struck else ()


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking, the cards, and every seat's eight rounds in the order of the ranking."""
    ranked = standings(state)
    rounds = tuple(_rounds(state, standing) for standing in ranked)
    return (_ranking(state, ranked), *cards(state), *doubts(state), *rounds)


def _ranking(state: State, ranked: tuple[Standing, ...]) -> Section:
    is_open = not state.is_cut_short and any(open_points(player.card) for player in state.players)
    heads = ("RANK", "NAME", "UPPER", "BONUS_LONG", "LOWER", "HUNDREDS", "TOTAL")
    rows = tuple(_ranking_row(state, standing, is_open=is_open) for standing in ranked)
    open_head = (say("HEAD_OPEN"),) if is_open else ()
    return Section(
        title=say("RANKING_PROVISIONAL" if is_open else "RANKING"),
        table=Table(head=(*table_head(*heads), *open_head), rows=rows),
    )


def _ranking_row(state: State, standing: Standing, *, is_open: bool) -> tuple[str | int | Text, ...]:
    entries = next(player.card for player in state.players if player.seat == standing.seat)
    card = card_of(entries)
    figures = (card.upper, card.bonus, card.lower, card.hundreds, card.total)
    return (
        standing.rank,
        seat_text(standing.seat, state.given_up),
        *figures,
        *((open_points(entries),) if is_open else ()),
    )


def _rounds(state: State, standing: Standing) -> Section:
    player = next(player for player in state.players if player.seat == standing.seat)
    rows = tuple((entry.round, *_entry_cells(player, at)) for at, entry in enumerate(player.card))
    title = say("PLAYER", rank=standing.rank, seat=standing.seat, points=counted(card_of(player.card).total))
    return Section(title=title, table=Table(head=(say("HEAD_ROUND"), *_ENTRY_HEAD), rows=rows))


def played(state: State) -> tuple[Played, ...]:
    """List the words of all cards."""
    return tuple(
        Played(
            seat=player.seat,
            word=spelling(word.laid),
            points=_worth(player, at, word),
            status=word.status,
            why=why(word) if word.status == "refused" else None,
            where=say("ENTERED", box=box_name(entry.box), round=entry.round),
        )
        for player in state.players
        for at, entry in enumerate(player.card)
        for word in entry.words
    )


def _worth(player: Player, at: int, word: Word) -> int:
    """Return what a word would bring if it counted: its dice, or what the box pays for it."""
    entry = player.card[at]
    if entry.box != YAHTZEE:
        return word.value
    counting: Entry = replace(entry, words=(replace(word, status="accepted"),))
    return points((*player.card[:at], counting), at)


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


EXAMPLE: Final = Section(
    lines=(say("EXAMPLE"),),
    grids=(dice_grid(Player(seat=Seat(1), rolls=("OEÄC*HN", "MERA*HU"), kept=(1, 4, 5))),),
)
"""The roll of the block on the page of rules, and the one after it."""
