"""From a block to a move. A block for an earlier roll is refused, with the dice as they lie now."""

from dataclasses import replace

from games.api import MoveBlock, Seat, Sheet, Text, say
from games.notation import shown
from games.words import Words
from games.wort_yahtzee.filling import read_score, read_strike
from games.wort_yahtzee.keeping import read_keep
from games.wort_yahtzee.laying import faces_in
from games.wort_yahtzee.orders import Order, Parts, sort
from games.wort_yahtzee.picture import roll_line, spaced
from games.wort_yahtzee.state import JOKER, Move, Player, SignUp, State

_WRITTEN = {"keep": "behalte", "score": "werte", "strike": "streiche"}


def read_sign_up(block: MoveBlock) -> Sheet[SignUp]:
    """Take a sign-up: there is nothing to bring."""
    lines = tuple(shown(line) for line in block.lines if shown(line))
    return Sheet(move=SignUp(), remarks=tuple(say("UNREAD", line=line) for line in lines[:5]))


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    player = state.player(seat)
    if state.over or player is None:
        return Sheet(problems=(say("NOTHING_DUE"),))
    parts = sort(block)
    if not parts.orders:
        return _nothing(parts)
    late = (*_round_problems(state, parts), *_roll_problems(player, parts))
    if len(parts.orders) > 1:
        several = say("SEVERAL", lines=" / ".join(_line(order) for order in parts.orders))
        return Sheet(problems=(*late, several))
    sheet = _read(state, player, parts.orders[0], words)
    if late:
        return _too_late(player, parts.orders[0], sheet, late)
    if sheet.problems:
        offer = (roll_line(player), *sheet.offer) if sheet.offer else ()
        return replace(sheet, offer=offer)
    unread = tuple(say("UNREAD", line=shown(line)) for line in parts.unread if shown(line))
    return replace(sheet, remarks=(*sheet.remarks, *unread))


def _line(order: Order) -> str:
    return f"{_WRITTEN[order.kind]} {shown(order.text)}".strip()


def _read(state: State, player: Player, order: Order, words: Words) -> Sheet[Move]:
    match order.kind:
        case "keep":
            return read_keep(player, order.text)
        case "score":
            return read_score(state, player, order.text, words)
        case "strike":
            return read_strike(state, player, order.text)


def _nothing(parts: Parts) -> Sheet[Move]:
    """Nothing was entered, or nothing that we can read."""
    unread = tuple(say("NOT_UNDERSTOOD", line=shown(line)) for line in parts.unread if shown(line))
    return Sheet(problems=unread)


def _too_late(player: Player, order: Order, sheet: Sheet[Move], late: tuple[Text, ...]) -> Sheet[Move]:
    """Refuse a block for other dice, and offer it again where it would do for these as well."""
    again = (roll_line(player), _line(order)) if sheet.move else ()
    return Sheet(problems=(*late, *sheet.problems), offer=again)


def _round_problems(state: State, parts: Parts) -> tuple[Text, ...]:
    return tuple(
        say("ROUND_OTHER", sent=shown(value), round=state.round)
        for value in parts.rounds
        if value and _number(value) != str(state.round)
    )


def _number(value: str) -> str:
    digits = "".join(sign if sign in "0123456789" else " " for sign in value).split()
    return (digits[0].lstrip("0") or "0") if digits else ""


def _roll_problems(player: Player, parts: Parts) -> tuple[Text, ...]:
    """A block that names another roll, or other dice, was written for something else."""
    problems: list[Text] = []
    for number, dice in parts.rolls:
        if number and number != str(len(player.rolls)):
            problems.append(say("ROLL_OTHER", sent=number, roll=len(player.rolls), dice=spaced(player.dice)))
        elif (faces := _faces(dice)) and sorted(faces) != sorted(player.dice):
            problems.append(say("DICE_OTHER", sent=shown(dice), roll=len(player.rolls), dice=spaced(player.dice)))
    return tuple(problems)


def _faces(dice: str) -> str:
    return "".join(sign for sign in faces_in(dice) if sign.isalpha() or sign == JOKER)
