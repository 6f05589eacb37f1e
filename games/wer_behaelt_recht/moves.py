"""From a block to a move: orders are read, then tried; and what is offered instead of a wrong one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

from games.api import MoveBlock, Seat, Sheet, Text, say
from games.shared.lines import field as labelled
from games.shared.notation import board_letters, letter, shown
from games.shared.phrases import plain
from games.shared.plane import SIZE, cell_name, picture, read_direction, read_jolly_line, run_at, spot_named
from games.wer_behaelt_recht.rules import Exchange, Judge, Laying, Move, Purchase, Side, State, side_text, sign_of
from games.wer_behaelt_recht.trial import Trial, sides_of, try_move
from games.words import Words

_LINES: Final = 30
_WIDTH: Final = 200
_SIDES: Final[dict[str, Side]] = {
    **dict.fromkeys(("vorn", "vorne", "davor", "vor", "front", "before"), "front"),
    **dict.fromkeys(("hinten", "hinter", "dahinter", "back", "behind", "after"), "back"),
}
_CENTRE: Final = ("mitte", "centre", "center", "middle")
_CROSS: Final = ("neu", "new")
_PASSES: Final = re.compile(r"(?:ich\s+)?(?:gebe\s+)?(?:weiter|passe|pass|go\s+on|next)", re.IGNORECASE)
_BUYS: Final = re.compile(r"(?:kaufe|kaufen|kauf|buy)((?:\s+(?:\d+|[a-z]+))*)", re.IGNORECASE)
_COLOURS: Final[dict[str, Purchase]] = {
    **dict.fromkeys(("rot", "roten", "red", "rt"), "red"),
    **dict.fromkeys(("schwarz", "schwarzen", "black", "sw"), "black"),
}
_FILLERS: Final = ("einen", "ein", "1", "stein", "a", "one", "tile")
_SIGN_OFF: Final = re.compile(
    r"gr(?:u|ü|ue)(?:ß|ss)\w*|lg|vg|mfg|danke?|bitte|viele[nr]?|liebe[nr]?|beste[nr]?|sch(?:ö|oe)ne[nr]?|herzliche[nr]?"
    r"|mit|tsch(?:ü|ue)(?:ß|ss)|ciao|bis|dein[er]?|eure?|thanks?|regards|greetings|cheers|kind|best|yours|please",
    re.IGNORECASE,
)
"""How the words begin that people close a mail with, when they stand right behind a move."""
_LETTER: Final = re.compile(r"([^\W\d_])([*◆]?)")
_CELL: Final = re.compile(r"[a-z]{1,2}\d{0,2}", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Orders:
    """A block as read."""

    move: Move = field(default_factory=Move)
    problems: tuple[Text, ...] = ()
    rounds: tuple[str, ...] = ()
    """What `Runde:` lines name."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered."""
        return self.move == Move() and not self.problems


def read_orders(block: MoveBlock) -> Orders:
    """Read all lines; each that can't be read is a problem."""
    orders = Orders()
    for line in block.lines[:_LINES]:
        # Outer stars come from bold type; a full stop or an exclamation mark does no harm.
        text = " ".join(line[:_WIDTH].replace("»", "").replace("«", "").split()).strip(".,;! ")
        if text:
            orders = _with_line(orders, text)
    return orders


def _with_line(orders: Orders, text: str) -> Orders:
    if jolly := read_jolly_line(text):
        exchange = Exchange(spot=jolly[0], letter=jolly[1])
        return _moved(orders, exchanges=(*orders.move.exchanges, exchange))
    if _PASSES.fullmatch(text):
        return _moved(orders, passes=True)
    if bought := _BUYS.fullmatch(text):
        return _with_purchase(orders, bought[1].lower().split(), text)
    tokens = text.replace(":", " ").replace(",", " ").split()
    laying = _laying(tokens) if tokens else None
    if laying is not None:
        return _with_laying(orders, laying, text)
    if (found := labelled(text)) and found[0] in ("round", "game"):
        return replace(orders, rounds=(*orders.rounds, found[1]))
    return _faulty(orders, say("UNREAD", line=shown(text)))


def _moved(orders: Orders, **changes: object) -> Orders:
    return replace(orders, move=replace(orders.move, **changes))  # type: ignore[arg-type]


def _faulty(orders: Orders, problem: Text) -> Orders:
    return replace(orders, problems=(*orders.problems, problem))


def _with_purchase(orders: Orders, words: list[str], text: str) -> Orders:
    named = [_COLOURS[word] for word in words if word in _COLOURS]
    if any(word not in _COLOURS and word not in _FILLERS for word in words):
        several = any(word.isdecimal() for word in words)
        return _faulty(orders, say("BUY_ONE") if several else say("UNREAD", line=shown(text)))
    if orders.move.buys or len(named) > 1:
        return _faulty(orders, say("BUY_ONE"))
    if orders.move.laying:
        return _faulty(orders, say("BUY_FIRST"))
    return _moved(orders, buys=named[0] if named else "any")


def _with_laying(orders: Orders, laying: Laying | Text, text: str) -> Orders:
    if isinstance(laying, Text):
        return _faulty(orders, laying)
    if orders.move.laying is None:
        return _moved(orders, laying=laying)
    if orders.move.premium is None and not laying.begins:
        return _moved(orders, premium=laying)
    return _faulty(orders, say("TOO_MANY_TILES", line=shown(text)))


def _laying(tokens: list[str]) -> Laying | Text | None:
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


def _crossing(tokens: list[str]) -> Laying | Text:
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


def _announced(tokens: list[str]) -> tuple[str, str]:
    """Separate the announced word, which may be spaced out letter by letter, from the text behind it.

    Only a closing of the mail is dropped. Any other text is returned: only the sender knows whether two words are one.
    """
    said = [token.strip(".!?-–()") for token in tokens if any(sign.isalnum() for sign in token)]
    width = len(list(takewhile(lambda token: len(token) == 1, said))) or 1
    word, rest = "".join(said[:width]), said[width:]
    return word, "" if rest and _SIGN_OFF.fullmatch(rest[0]) else " ".join(rest)


def _tile(tokens: list[str], laying: Laying, *, needs_word: bool) -> Laying | Text:
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
    orders, judge = read_orders(block), judge_of(state, words)
    if orders.is_empty and not orders.rounds:
        return Sheet()
    problems = (*_not_asked(state, seat), *_other_turn(state, orders))
    trial = try_move(state, seat, orders.move, judge)
    problems = (*problems, *orders.problems, *trial.problems)
    if problems:
        offer = () if _not_asked(state, seat) else _offer(state, seat, orders.move, judge)
        return Sheet(problems=problems, remarks=trial.remarks, offer=offer)
    if orders.is_empty:
        return Sheet()
    move = _settled(state, orders.move)
    return Sheet(
        move=move,
        remarks=trial.remarks,
        doubtful=trial.doubtful,
        summary=_summary(state, move, trial),
        grids=(picture(trial.board, trial.new),) if trial.new else (),
    )


def judge_of(state: State, words: Words) -> Judge:
    """Judge words by the agreement of this game."""
    return lambda word: words.check(word, state.profile)


def _not_asked(state: State, seat: Seat) -> tuple[Text, ...]:
    if state.over:
        return (say("ENDED"),)
    return () if seat == state.on_turn else (say("NOT_ON_TURN", seat=state.on_turn),)


def _other_turn(state: State, orders: Orders) -> tuple[Text, ...]:
    return tuple(
        say("TURN_OTHER", sent=shown(value), turn=state.turn)
        for value in orders.rounds
        if value.strip().strip(".").lstrip("0") != str(state.turn)
    )


def _settled(state: State, move: Move) -> Move:
    """Complete a move: the side of a new word, and no announcement for the word that is open already."""
    laying, premium = move.laying, move.premium
    if laying and laying.cell and not laying.side:
        run = run_at(state.board, laying.cell, laying.direction or "w")
        laying = replace(laying, side=sides_of(laying, run.word)[0])
    if laying and state.open and laying.word == state.open.word:
        laying = replace(laying, word="")
    return replace(move, laying=laying, premium=replace(premium, word="") if premium else None)


def _offer(state: State, seat: Seat, move: Move, judge: Judge) -> tuple[str, ...]:
    """Return the nearest block that is legal as it stands, if there is one."""
    for other in _nearest(move):
        trial = try_move(state, seat, other, judge)
        if other != Move() and not trial.problems and not trial.doubtful:
            return written(_settled(state, other))
    return ()


def _nearest(move: Move) -> Iterator[Move]:
    """Yield what was probably meant: as read, without the extras, on the other side, with a joker or without.

    Nothing is added that wasn't sent: a purchase can't be taken back, and a tile without its word helps somebody else.
    """
    yield move
    bare = replace(move, premium=None, passes=False)
    yield bare
    yield replace(bare, buys="")
    if move.laying:
        lays = [replace(move.laying, joker=not move.laying.joker)]
        lays += [
            replace(move.laying, side=side) for side in ("front", "back") if not move.laying.begins or move.laying.cell
        ]
        for laying in lays:
            yield replace(bare, laying=laying)
            yield replace(bare, laying=laying, buys="")


def written(move: Move) -> tuple[str, ...]:
    """Write a move as the lines of a block."""
    colours = {"any": "kaufen", "red": "kaufen rot", "black": "kaufen schwarz"}
    return (
        *(f"Jolly {cell_name(exchange.spot)} = {exchange.letter}" for exchange in move.exchanges),
        *([colours[move.buys]] if move.buys else []),
        *(written_laying(laying) for laying in (move.laying, move.premium) if laying),
        *(["weiter"] if move.passes else []),
    )


def written_laying(laying: Laying) -> str:
    """Write a tile as a line of a block: `hinten E TIER`, `neu Z26 s vorn W WIND`."""
    side = {"front": "vorn", "back": "hinten", "": ""}[laying.side]
    tile = sign_of(laying)
    if laying.cell:
        parts = ["neu", cell_name(laying.cell), laying.direction or "", side, tile, laying.word]
    elif laying.begins:
        parts = ["mitte", "s" if laying.direction == "s" else "", tile, laying.word]
    else:
        parts = [side, tile, laying.word]
    return " ".join(part for part in parts if part)


def _summary(state: State, move: Move, trial: Trial) -> tuple[tuple[Text, Text], ...]:
    pairs = list(move_pairs(move))
    if trial.finished:
        pairs.append((say("LABEL_FINISHED"), plain(trial.finished.word)))
    elif trial.open and move.laying:
        owner = say("OWN_WORD") if trial.open.owner == state.on_turn else say("SEAT", seat=trial.open.owner)
        pairs.append((say("LABEL_WORD"), say("WORD_OF", word=trial.open.word, owner=owner)))
        pairs.append((say("LABEL_FRAGMENT"), plain(trial.open.run(trial.board).word)))
    if move.passes:
        pairs.append((say("LABEL_MOVE"), say("PASSING")))
    return tuple(pairs)


def move_pairs(move: Move) -> tuple[tuple[Text, Text], ...]:
    """Put jokers, purchase and tiles of a move into labels and contents."""
    pairs = [(say("LABEL_EXCHANGE"), plain(f"{cell_name(e.spot)} {e.letter}")) for e in move.exchanges]
    if move.buys:
        pairs.append((say("LABEL_BUY"), say(f"BUY_{move.buys.upper()}")))
    pairs += [
        (say("LABEL_TILE" if laying == move.laying else "LABEL_PREMIUM"), _tile_text(laying))
        for laying in (move.laying, move.premium)
        if laying
    ]
    return tuple(pairs)


def _tile_text(laying: Laying) -> Text:
    return (
        say("TILE_SIDE", tile=sign_of(laying), side=side_text(laying.side)) if laying.side else plain(sign_of(laying))
    )
