"""A position through the eyes of one viewer; its public part is tables."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from games.api import ALL, Cell, Grid, Played, Seat, Section, Standing, Table, Text, View, Viewer, say, seat_of
from games.shared.phrases import counted, labelled, plain, seat_text, table_head
from games.wort_yahtzee.laying import box_name, box_text, mark, spaced, why, word_marks
from games.wort_yahtzee.moves import closed, roll_line, summary
from games.wort_yahtzee.rules import (
    DICE,
    LOWER,
    NUMBERED,
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
    open_points,
    points,
    standings,
)

_FREE: Final = "."
_OPEN: Final = "?"
_ENTRY_HEAD: Final = table_head("DICE", "ROLLS", "ENTRY", "POINTS")
_COLUMNS: Final = (*UPPER, "bonus", *LOWER, *SPECIAL, "sum")
"""Of the table of cards, behind the name."""


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Cards are public once a round is closed; dice and a move on file are for their seat only."""
    facts = {"round": state.round, "rounds": ROUNDS, "any_order": state.any_order}
    seat_facts = _seat_facts(state, viewer, own)
    if state.over:
        return View(sections=_final_sections(state), facts=facts, seat_facts=seat_facts, words=_played(state))
    seat = seat_of(viewer, state.seats)
    if seat is None:
        hidden = (_all_dice(state),) if viewer == ALL else ()
        public = (*_last_round(state), cards(state), *_doubts(state))
        return View(sections=(*hidden, *public), facts=facts, seat_facts=seat_facts)
    player = state.player(seat)
    has_rolled = len(player.rolls) > 1
    mine = (_own_dice(state, player), *_on_file(state, player, own))
    return View(
        sections=(*mine, *_last_round(state), cards(state, has_rolled=has_rolled), *_doubts(state)),
        ask=_ask(state, player),
        how_to=_how_to(state, player),
        in_short=(_fill_special("SHORT_", state, player),) if player.card or has_rolled else (),
        block=_block(state, player),
        facts=facts,
        seat_facts=seat_facts,
    )


def _own_dice(state: State, player: Player) -> Section:
    values = ", ".join(f"{face} {state.values[face]}" for face in dict.fromkeys(player.dice))
    return Section(
        title=say("OWN_DICE", round=state.round, roll=len(player.rolls), dice=spaced(player.dice)),
        grids=(_dice_grid(player),),
        notes=(say("VALUES", values=values), say(f"ROLLS_LEFT_{ROLLS - len(player.rolls)}")),
    )


def _all_dice(state: State) -> Section:
    grids = tuple(replace(_dice_grid(player), seat=player.seat) for player in state.players)
    return Section(title=say("ALL_DICE", round=state.round), grids=grids)


def _dice_grid(player: Player) -> Grid:
    """Draw the rolls of this round, a row each; what was rolled last is new."""
    last = len(player.rolls) - 1
    return Grid(
        look="dice",
        columns=tuple(str(number + 1) for number in range(DICE)),
        rows=tuple(str(number + 1) for number in range(len(player.rolls))),
        cells=tuple(
            tuple(Cell(text=face, new=row == last and at not in player.kept) for at, face in enumerate(dice))
            for row, dice in enumerate(player.rolls)
        ),
    )


def _on_file(state: State, player: Player, own: Move | None) -> tuple[Section, ...]:
    if own is None or own.keep is not None or own.roll != len(player.rolls):
        return ()
    return (Section(title=say("ON_FILE", round=state.round), lines=labelled(summary(player, own))),)


# What to send


def _ask(state: State, player: Player) -> Text:
    left = ROLLS - len(player.rolls)
    box = _fill("ASK_", state, player)
    return say("ASK_BOTH", keep=say(f"ASK_KEEP_{left}"), box=box) if left else box


def _how_to(state: State, player: Player) -> tuple[Text, ...]:
    left = ROLLS - len(player.rolls)
    keep = (say(f"HOW_KEEP_{left}"),) if left else ()
    strike = say(f"HOW_STRIKE_{_order(state)}")
    return (*keep, _fill("HOW_", state, player), _fill_special("HOW_", state, player), strike)


def _fill(code: str, state: State, player: Player) -> Text:
    """Say which boxes words may go into; `code` is the first part of the sentence's."""
    first, *more = state.open(player)
    boxes = ", ".join((first, *more)) if state.any_order else box_text(first)
    return say(f"{code}{_order(state)}", boxes=boxes)


def _fill_special(code: str, state: State, player: Player) -> Text:
    """Say which boxes may be filled for a zero in another one."""
    first, *_ = state.open(player)
    ways = tuple(say(f"{code}{box.upper()}") for box in SPECIAL if not closed(player, box))
    return say(f"{code}SPECIAL_{_order(state)}", first=first, ways=ways)


def _order(state: State) -> str:
    """Return how the codes of sentences end that differ between the standard rules and the alternative."""
    return "ANY" if state.any_order else "ROUND"


def _block(state: State, player: Player) -> tuple[str, ...]:
    order = "werte" if len(player.rolls) == ROLLS else "behalte"
    return (f"Stand: {state.stand(player.seat)}", roll_line(player), order)


# Tables


def _last_round(state: State) -> tuple[Section, ...]:
    """Show what everybody made of the round that was closed last."""
    if not state.players[0].card:
        return ()
    rows = tuple((say("SEAT", seat=player.seat), *_entry_cells(player, -1)) for player in state.players)
    table = Table(head=(say("HEAD_NAME"), *_ENTRY_HEAD), rows=rows)
    return (Section(title=say("LAST_ROUND", round=state.players[0].card[-1].round), table=table),)


def _entry_cells(player: Player, at: int) -> tuple[str | int | Text, ...]:
    entry = player.card[at]
    return (entry.dice, entry.roll, _entry_text(player.seat, entry), points(entry, player.card[:at]))


def _entry_text(seat: Seat, entry: Entry) -> Text:
    """Return what was entered in a round."""
    if entry.nmr:
        return say("ENTRY_NMR", seat=seat, in_round=entry.round, zero=entry.zero)
    if not entry.box:
        return say("ENTRY_STRUCK", zero=entry.zero)
    words = f" {word_marks(entry.words)}" if entry.words else ""
    if not entry.zero:
        return say("ENTRY_WORDS", box=entry.box, words=words)
    return say("ENTRY_SPECIAL", box=box_name(entry.box), words=words, zero=entry.zero)


def cards(state: State, *, has_rolled: bool = False) -> Section:
    """Show all cards as one table with a row for each seat. It fits into 72 columns.

    Who has rolled again in this round has just read what the columns are called.
    """
    head = (plain(column) if column in NUMBERED else say(f"HEAD_{column.upper()}") for column in _COLUMNS)
    table = Table(
        head=(say("HEAD_NAME"), *head),
        rows=tuple(map(_card_row, state.players)),
        is_card=True,
        below=tuple(("", *(_entered(player, column) for column in _COLUMNS)) for player in state.players),
    )
    number = len(state.players[0].card)
    title = say("CARDS", round=number) if number else say("CARDS_START")
    return Section(title=title, table=table, notes=() if has_rolled else (say("CARDS_LEGEND"),))


def _card_row(player: Player) -> tuple[str | int | Text, ...]:
    card = card_of(player.card)
    sums = {"bonus": f"{card.bonus or _FREE:>2}", "sum": f"{card.total:>3}"}
    return (say("SEAT", seat=player.seat), *(sums.get(column) or _figure(player, card, column) for column in _COLUMNS))


def _figure(player: Player, card: Card, box: str) -> str:
    """Write a box; figures stand on the right. What counts already is shown where a further word is doubtful."""
    number = card.boxes.get(box)
    in_doubt = any(word.status == "doubtful" for entry in player.card if entry.box == box for word in entry.words)
    figure = _FREE if number is None else _OPEN if in_doubt and not number else str(number)
    return figure.rjust(3 if box == YAHTZEE else 2)


def _entered(player: Player, box: str) -> Text | str:
    """Say what was entered in a box, or why it is a zero."""
    zero = next((entry for entry in player.card if entry.zero == box), None)
    if zero is None:
        return " ".join(mark(word) for entry in player.card if entry.box == box for word in entry.words)
    if zero.nmr:
        return say("ZERO_NMR")
    return say("ZERO_IN", box=box_name(zero.box)) if zero.box else say("ZERO_STRUCK")


def _doubts(state: State) -> tuple[Section, ...]:
    """List the words that wait for the GM, and those that were struck out after they were entered."""
    waiting, struck = list[Text](), list[Text]()
    for player, at, word in state.words():
        entry = player.card[at]
        if word.status == "doubtful":
            box = box_name(entry.box)
            waiting.append(say("WAITING", seat=player.seat, word=word.laid, box=box, round=entry.round))
        elif word.status == "refused":
            struck.append(say("STRUCK", seat=player.seat, word=word.laid, box=box_name(entry.box), reason=why(word)))
    return (Section(title=say("DOUBTS"), notes=(*waiting, *struck)),) if waiting or struck else ()


# The end


def _final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking, the cards, and every seat's eight rounds in the order of the ranking."""
    ranked = standings(state)
    rounds = tuple(_rounds(state.player(standing.seat), standing) for standing in ranked)
    return (_ranking(state, ranked), cards(state), *_doubts(state), *rounds)


def _ranking(state: State, ranked: tuple[Standing, ...]) -> Section:
    is_open = not state.is_cut_short and any(open_points(player.card) for player in state.players)
    heads = ("RANK", "NAME", "UPPER", "BONUS_LONG", "LOWER", "HUNDREDS", "TOTAL", *(("OPEN",) if is_open else ()))
    rows: list[tuple[str | int | Text, ...]] = []
    for standing in ranked:
        entries = state.player(standing.seat).card
        card = card_of(entries)
        figures = (card.upper, card.bonus, card.lower, card.hundreds, card.total)
        waiting = (open_points(entries),) if is_open else ()
        rows.append((standing.rank, seat_text(standing.seat, state.given_up), *figures, *waiting))
    title = say("RANKING_PROVISIONAL" if is_open else "RANKING")
    return Section(title=title, table=Table(head=table_head(*heads), rows=tuple(rows)))


def _rounds(player: Player, standing: Standing) -> Section:
    rows = tuple((entry.round, *_entry_cells(player, at)) for at, entry in enumerate(player.card))
    title = say("PLAYER", rank=standing.rank, seat=standing.seat, points=counted(standing.points or 0))
    return Section(title=title, table=Table(head=(say("HEAD_ROUND"), *_ENTRY_HEAD), rows=rows))


def _played(state: State) -> tuple[Played, ...]:
    """List the words of all cards."""
    return tuple(_played_word(player, at, word) for player, at, word in state.words())


def _played_word(player: Player, at: int, word: Word) -> Played:
    """Tell what a word would bring if it counted, its dice or what the box pays for it, and why it doesn't."""
    entry = player.card[at]
    return Played(
        seat=player.seat,
        word=word.spelling,
        points=points(replace(entry, words=(replace(word, status="accepted"),)), player.card[:at]),
        status=word.status,
        why=why(word) if word.status == "refused" else None,
        where=say("ENTERED", box=box_name(entry.box), round=entry.round),
    )


# Plain facts


def _seat_facts(state: State, viewer: Viewer, own: Move | None) -> Mapping[Seat, Mapping[str, Any]]:
    facts = {player.seat: _card_facts(player) for player in state.players}
    if state.over:
        for standing in standings(state):
            facts[standing.seat]["rank"] = standing.rank
        return facts
    for player in state.players:
        if viewer in (player.seat, ALL):
            facts[player.seat] |= {"dice": player.dice, "rolls": len(player.rolls)}
        if viewer == player.seat:
            words = [word.laid for word in own.words] if own else []
            facts[player.seat]["move"] = {"box": own.box, "words": words, "zero": own.zero} if own else None
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


EXAMPLE: Final = Section(
    lines=(say("EXAMPLE"),),
    grids=(_dice_grid(Player(seat=Seat(1), rolls=("OEÄC*HN", "MERA*HU"), kept=(1, 4, 5))),),
)
"""The roll of the block on the page of rules, and the one after it."""
