"""From a block to a move: orders are read, then tried; and what is offered instead of a wrong one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

from games.api import MoveBlock, Seat, Sheet, Text, say
from games.base import not_on_turn
from games.shared.lines import Line, other_round, parts, read_lines, unread, values_of
from games.shared.notation import board_letters, letter, shown
from games.shared.phrases import plain
from games.shared.plane import SIZE, cell_name, picture, read_direction, run_at, spot_named
from games.shared.racks import (
    Exchange,
    Wishes,
    exchange_pair,
    read_exchange,
    read_wishes,
    wishes_line,
    wishes_pair,
)
from games.wer_behaelt_recht.rules import Judge, Laying, Move, Side, State, side_text
from games.wer_behaelt_recht.trial import Trial, sides_of, try_move
from games.words import Words

_SIDES: Final[dict[str, Side]] = {
    **dict.fromkeys(("vorn", "vorne", "davor", "vor", "front", "before"), "front"),
    **dict.fromkeys(("hinten", "hinter", "dahinter", "back", "behind", "after"), "back"),
}
_CENTRE: Final = ("mitte", "centre", "center", "middle")
_CROSS: Final = ("neu", "new")
_SIGN_OFF: Final = re.compile(
    r"gr(?:u|ü|ue)(?:ß|ss)\w*|lg|vg|mfg|danke?|bitte|viele[nr]?|liebe[nr]?|beste[nr]?|sch(?:ö|oe)ne[nr]?|herzliche[nr]?"
    r"|mit|tsch(?:ü|ue)(?:ß|ss)|ciao|bis|dein[er]?|eure?|thanks?|regards|greetings|cheers|kind|best|yours|please",
    re.IGNORECASE,
)
"""How the words begin that people close a mail with, when they stand right behind a move."""
_LETTER: Final = re.compile(r"([^\W\d_])([*◆]?)")
_CELL: Final = re.compile(r"[a-z]{1,2}\d{0,2}", re.IGNORECASE)


@dataclass
class Orders:
    """A block as read."""

    exchanges: list[Exchange] = field(default_factory=list)
    wishes: Wishes = ()
    layings: list[Laying] = field(default_factory=list)
    """The tile, and the premium tile."""
    passes: bool = False
    problems: list[Text] = field(default_factory=list)

    @property
    def move(self) -> Move:
        """What the lines say, if nothing is wrong with them."""
        laying, premium = (*self.layings, None, None)[:2]
        return Move(
            exchanges=tuple(self.exchanges), wishes=self.wishes, laying=laying, premium=premium, passes=self.passes
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered."""
        return self.move == Move() and not self.problems

    def add(self, line: str) -> None:
        """Read a line; if it can't be read that is a problem."""
        tokens, wishes = parts(line), read_wishes(line)
        if exchange := read_exchange(line):
            self.exchanges.append(exchange)
        elif wishes is not None:
            self._add_wishes(wishes)
        elif tokens and (laying := _laying(tokens)):
            self._add_laying(laying, line)
        elif tokens:
            self.problems.append(unread(line))

    def _add_wishes(self, wishes: Wishes) -> None:
        if not wishes:
            self.passes = True
        elif self.wishes or len(wishes) > 1:
            self.problems.append(say("BUY_ONE"))
        elif self.layings:
            self.problems.append(say("BUY_FIRST"))
        else:
            self.wishes = wishes

    def _add_laying(self, laying: Laying | Text, line: str) -> None:
        if isinstance(laying, Text):
            self.problems.append(laying)
        elif not self.layings or (len(self.layings) == 1 and not laying.begins):
            self.layings.append(laying)
        else:
            self.problems.append(say("TOO_MANY_TILES", line=shown(line)))


def read_orders(lines: Iterable[Line]) -> Orders:
    """Read all lines that order something; each that can't be read is a problem."""
    orders = Orders()
    for line in lines:
        if line.label not in ("game", "round"):
            orders.add(line.text)
    return orders


def _laying(tokens: tuple[str, ...]) -> Laying | Text | None:
    """Read a line that lays a tile; a text says what is wrong with it, None that it is something else."""
    head, rest = tokens[0].lower(), tokens[1:]
    if head in _SIDES:
        return _tile(rest, Laying(letter="", side=_SIDES[head]), needs_word=False)
    if head in _CENTRE:
        direction = read_direction(rest[0]) if len(rest) > 2 and _LETTER.fullmatch(rest[1]) else None
        return _tile(rest[1:] if direction else rest, Laying(letter="", direction=direction or "w"), needs_word=True)
    if head in _CROSS and rest and _CELL.fullmatch(rest[0]):
        return _crossing(rest)
    return None


def _crossing(tokens: tuple[str, ...]) -> Laying | Text:
    """Read what follows `neu`: a cell, a direction, perhaps a side, a letter and a word."""
    # `Z 28` is a cell as well.
    width = 2 if len(tokens) > 1 and tokens[1].isdecimal() else 1
    cell, rest = spot_named("".join(tokens[:width])), tokens[width:]
    direction = read_direction(rest[0]) if rest else None
    if cell is None or direction is None:
        return say("NEW_FORM", line=shown(" ".join(tokens)))
    side = _SIDES.get(rest[1].lower(), "") if len(rest) > 2 else ""
    laying = Laying(letter="", side=side, cell=cell, direction=direction)
    return _tile(rest[2:] if side else rest[1:], laying, needs_word=True)


def _announced(tokens: tuple[str, ...]) -> tuple[str, str]:
    """Separate the announced word, which may be spaced out letter by letter, from the text behind it.

    Only a closing of the mail is dropped. Any other text is returned: only the sender knows whether two words are one.
    """
    said = [token for token in tokens if any(sign.isalnum() for sign in token)]
    width = len(list(takewhile(lambda token: len(token) == 1, said))) or 1
    word, rest = "".join(said[:width]), said[width:]
    return word, "" if rest and _SIGN_OFF.fullmatch(rest[0]) else " ".join(rest)


def _tile(tokens: tuple[str, ...], laying: Laying, *, needs_word: bool) -> Laying | Text:
    """Read a letter and a word: `L SPIEL`, `L*`."""
    found = _LETTER.fullmatch(tokens[0]) if tokens else None
    if not found or not letter(found[1]):
        return say("NO_TILE", sent=shown(tokens[0])) if tokens else say("NO_TILE_AT_ALL")
    letters, rest = _announced(tokens[1:])
    word = board_letters(letters.replace("*", ""))
    if word and not all(letter(sign) for sign in word):
        return say("NO_WORD_SIGNS", word=shown(word))
    if rest:
        return say("TWO_WORDS", word=shown(word), rest=shown(rest))
    if not word and needs_word:
        return say("WORD_NEEDED", letter=letter(found[1]))
    if len(word) == 1 or len(word) > SIZE:
        return say("WORD_LENGTH", word=shown(word))
    return replace(laying, letter=letter(found[1]), joker=bool(found[2]), word=word)


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    lines = read_lines(block)
    orders, late = read_orders(lines), other_round(values_of(lines, "round"), state.turn, "TURN_OTHER")
    if orders.is_empty and not late:
        return Sheet()
    if problems := not_on_turn(state, seat):
        return Sheet(problems=problems)
    judge = judge_of(state, words)
    trial = try_move(state, orders.move, judge)
    problems = (*late, *orders.problems, *trial.problems)
    if problems:
        return Sheet(problems=problems, remarks=tuple(trial.remarks), offer=_offer(state, orders.move, judge))
    move = _settled(state, orders.move)
    return Sheet(
        move=move,
        remarks=tuple(trial.remarks),
        doubtful=trial.doubtful,
        summary=_summary(state, move, trial),
        grids=(picture(trial.table.board, trial.new),) if trial.new else (),
    )


def judge_of(state: State, words: Words) -> Judge:
    """Judge words by the agreement of this game."""
    return lambda word: words.check(word, state.profile)


def _settled(state: State, move: Move) -> Move:
    """Complete a move: the side of a new word, and no announcement for the word that is open already."""
    laying, premium = move.laying, move.premium
    if laying and laying.cell and not laying.side:
        run = run_at(state.board, laying.cell, laying.direction or "w")
        laying = replace(laying, side=sides_of(laying, run.word)[0])
    if laying and state.open and laying.word == state.open.word:
        laying = replace(laying, word="")
    return replace(move, laying=laying, premium=replace(premium, word="") if premium else None)


def _offer(state: State, move: Move, judge: Judge) -> tuple[str, ...]:
    """Return the nearest block that is legal as it stands, if there is one."""
    for other in _nearest(move):
        trial = try_move(state, other, judge)
        if other != Move() and not trial.problems and not trial.doubtful:
            return write_move(_settled(state, other))
    return ()


def _nearest(move: Move) -> Iterator[Move]:
    """Yield what was probably meant: as read, without the extras, on the other side, with a joker or without.

    Nothing is added that wasn't sent: a purchase can't be taken back, and a tile without its word helps somebody else.
    """
    yield move
    bare = replace(move, premium=None, passes=False)
    yield bare
    yield replace(bare, wishes=())
    if move.laying:
        lays = [replace(move.laying, joker=not move.laying.joker)]
        lays += [
            replace(move.laying, side=side) for side in ("front", "back") if not move.laying.begins or move.laying.cell
        ]
        for laying in lays:
            yield replace(bare, laying=laying)
            yield replace(bare, laying=laying, wishes=())


def write_move(move: Move) -> tuple[str, ...]:
    """Write a move as the lines of a block."""
    return (
        *(exchange.line for exchange in move.exchanges),
        *([wishes_line(move.wishes)] if move.wishes else []),
        *(_written(laying) for laying in (move.laying, move.premium) if laying),
        *(["weiter"] if move.passes else []),
    )


def _written(laying: Laying) -> str:
    """Write a tile as a line of a block: `hinten E TIER`, `neu Z26 s vorn W WIND`."""
    side = {"front": "vorn", "back": "hinten", "": ""}[laying.side]
    if laying.cell:
        line = ["neu", cell_name(laying.cell), laying.direction or "", side, laying.sign, laying.word]
    elif laying.begins:
        line = ["mitte", "s" if laying.direction == "s" else "", laying.sign, laying.word]
    else:
        line = [side, laying.sign, laying.word]
    return " ".join(filter(None, line))


def _summary(state: State, move: Move, trial: Trial) -> tuple[tuple[Text, Text], ...]:
    pairs = list(move_pairs(move))
    if trial.finished:
        pairs.append((say("LABEL_FINISHED"), plain(trial.finished.word)))
    elif trial.open and move.laying:
        owner = say("OWN_WORD") if trial.open.owner == state.on_turn else say("SEAT", seat=trial.open.owner)
        pairs.append((say("LABEL_WORD"), say("WORD_OF", word=trial.open.word, owner=owner)))
        pairs.append((say("LABEL_FRAGMENT"), plain(trial.open.run(trial.table.board).word)))
    if move.passes:
        pairs.append((say("LABEL_TURN"), say("PASSING")))
    return tuple(pairs)


def move_pairs(move: Move) -> tuple[tuple[Text, Text], ...]:
    """Put jokers, purchase and tiles of a move into labels and contents."""
    pairs = [exchange_pair(exchange) for exchange in move.exchanges]
    if move.wishes:
        pairs.append(wishes_pair(move.wishes))
    pairs += [
        (say("LABEL_TILE" if laying == move.laying else "LABEL_PREMIUM"), _tile_text(laying))
        for laying in (move.laying, move.premium)
        if laying
    ]
    return tuple(pairs)


def _tile_text(laying: Laying) -> Text:
    return say("TILE_SIDE", tile=laying.sign, side=side_text(laying.side)) if laying.side else plain(laying.sign)
