"""From a block to a turn: lines take effect in order, all problems are named, and any problem refuses the block."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from games.api import Grid, MoveBlock, Seat, Sheet, Text, say
from games.shared.lines import field
from games.shared.notation import shown
from games.shared.phrases import plain
from games.shared.plane import (
    Spot,
    WordLine,
    cell_name,
    exchangeable,
    picture,
    read_jolly_line,
    read_word_line,
    sign_at,
)
from games.shared.tiles import Colour, count_colours, draw, without
from games.typ_dom.rules import (
    Exchange,
    Laying,
    Move,
    State,
    Table,
    Variant,
    bought_text,
    colours_text,
    points_text,
    rack_text,
    score,
)
from games.typ_dom.words import Judged, judge
from games.words import Words

_BUY: Final = frozenset({"kaufen", "kaufe", "kauf", "buy"})
_PASS: Final = frozenset({"passe", "passen", "pass", "weiter"})
_COLOURS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("rot", "rote", "roten", "roter", "red"), "red"),
    **dict.fromkeys(("schwarz", "schwarze", "schwarzen", "schwarzer", "black"), "black"),
}
_FILLING: Final = frozenset({"und", "and", "stein", "steine", "tile", "tiles", "tiles:"})
_NUMBER: Final = re.compile(r"[0-9]{1,2}")


@dataclass(frozen=True, kw_only=True)
class JollyLine:
    """`Jolly AB27 = A`."""

    spot: Spot
    letter: str


@dataclass(frozen=True, kw_only=True)
class BuyLine:
    """`kaufen 2 rot 1 schwarz`: a colour, or None, for each tile."""

    wishes: tuple[Colour | None, ...]


@dataclass(frozen=True, kw_only=True)
class PassLine:
    """`passe`."""


@dataclass(frozen=True, kw_only=True)
class RoundLine:
    """`Runde: 7`."""

    value: str


@dataclass(frozen=True, kw_only=True)
class UnreadLine:
    """What isn't understood."""

    text: str


Line: TypeAlias = WordLine | JollyLine | BuyLine | PassLine | RoundLine | UnreadLine


def read_lines(lines: Iterable[str]) -> tuple[Line, ...]:
    """Read the lines of a block; blank ones, and the one that names the game, say nothing."""
    found = (_read_line(line.strip()) for line in lines if line.strip())
    return tuple(line for line in found if line)


def misread(block: MoveBlock) -> tuple[Text, ...]:
    """Name the lines that aren't understood, whatever lies on the board."""
    return tuple(_unread(line) for line in read_lines(block.lines) if isinstance(line, UnreadLine))


def _unread(line: UnreadLine) -> Text:
    return say("UNREAD", line=shown(line.text) or "?")


def _read_line(line: str) -> Line | None:
    named = field(line)
    if named and named[0] in ("game", "round"):
        return RoundLine(value=named[1]) if named[0] == "round" and named[1] else None
    words = re.sub(r"[,+.!:]", " ", line.lower()).split()
    if words and words[0] in _BUY:
        wishes = _wishes(words[1:])
        return UnreadLine(text=line) if wishes is None else BuyLine(wishes=wishes)
    if len(words) == 1 and words[0] in _PASS:
        return PassLine()
    jolly = read_jolly_line(line)
    if jolly:
        return JollyLine(spot=jolly[0], letter=jolly[1])
    return read_word_line(line) or UnreadLine(text=line)


def _wishes(words: list[str]) -> tuple[Colour | None, ...] | None:
    """Read `2 rot 1 schwarz`, `rot`, `2`, nothing; None where something else is said."""
    wishes, number = list[Colour | None](), ""
    for word in (word for word in words if word not in _FILLING):
        if word in _COLOURS:
            wishes += [_COLOURS[word]] * int(number or 1)
            number = ""
        elif _NUMBER.fullmatch(word) and not number:
            number = word
        else:
            return None
    wishes += [None] * int(number or not wishes)
    return tuple(wishes) or None


_BOUGHT: Final = "kaufen"
"""What a second word that isn't laid leads to."""


@dataclass(frozen=True, kw_only=True)
class _Draft:
    """What the lines so far come to. `lines` are those of a corrected block."""

    table: Table
    steps: tuple[Exchange | Laying, ...] = ()
    words: tuple[Judged, ...] = ()
    wishes: tuple[Colour | None, ...] | None = None
    passes: bool = False
    problems: tuple[Text, ...] = ()
    remarks: tuple[Text, ...] = ()
    lines: tuple[str, ...] = ()
    ending: str = ""
    """The line of the corrected block that buys or passes; it comes last."""

    @property
    def is_empty(self) -> bool:
        """Nothing was entered."""
        return not (self.steps or self.words or self.wishes or self.passes or self.problems)

    @property
    def may_lay_again(self) -> bool:
        """The first word joins two stretches, and it is the only one so far."""
        return len(self.words) == 1 and self.words[0].joins

    def with_problems(self, *problems: Text) -> "_Draft":
        """Add faults, each once."""
        return replace(self, problems=(*self.problems, *(one for one in problems if one not in self.problems)))


def read_block(variant: Variant, state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    if state.over or seat != state.seat:
        return Sheet(problems=(say("OVER_ALREADY") if state.over else say("NOT_ON_TURN", seat=state.seat),))
    lines = read_lines(block.lines)
    draft = _draft(variant, state, lines, words)
    if draft.is_empty:
        return Sheet()
    if draft.problems:
        offer = _offer(variant, state, lines, draft, words)
        bought = (say("OFFER_BUYS"),) if draft.wishes is None and offer[-1:] == (_BOUGHT,) else ()
        return Sheet(problems=draft.problems, remarks=bought, grids=_grids(variant, state, draft), offer=offer)
    return _accepted(variant, state, draft)


def _draft(variant: Variant, state: State, lines: Sequence[Line], words: Words) -> _Draft:
    draft = _Draft(table=Table(rows=state.rows, rack=state.rack(state.seat)))
    for line in lines:
        draft = _add_line(variant, state, draft, line, words)
    return _check_whole(variant, state, draft)


def _add_line(variant: Variant, state: State, draft: _Draft, line: Line, words: Words) -> _Draft:
    is_order = not isinstance(line, RoundLine | UnreadLine)
    if is_order and (draft.wishes is not None or draft.passes):
        draft = draft.with_problems(say("AFTER_THE_END"))
    match line:
        case RoundLine():
            return _add_round(state, draft, line)
        case UnreadLine():
            return draft.with_problems(_unread(line))
        case WordLine():
            return _add_word(state, draft, line, words)
        case JollyLine():
            return _add_exchange(draft, line)
        case BuyLine():
            return _add_purchase(variant, state, draft, line)
        case PassLine():
            return _add_pass(variant, state, draft)


def _add_round(state: State, draft: _Draft, line: RoundLine) -> _Draft:
    """Refuse a block that names another turn: it is a late one."""
    digits = "".join(sign for sign in line.value if sign in "0123456789").lstrip("0")
    if digits == str(state.turn):
        return draft
    return draft.with_problems(say("TURN_OTHER", sent=shown(line.value), turn=state.turn))


def _add_word(state: State, draft: _Draft, line: WordLine, words: Words) -> _Draft:
    if draft.words and not draft.may_lay_again:
        code = "NO_THIRD" if len(draft.words) > 1 else "NO_SECOND"
        return draft.with_problems(say(code, word=shown(line.letters.upper())))
    judged = judge(draft.table, line, words, state.words)
    return replace(
        draft,
        table=Table(rows=judged.rows, rack=judged.rack),
        steps=(*draft.steps, judged.step) if judged.step else draft.steps,
        words=(*draft.words, judged),
        problems=(*draft.problems, *judged.problems),
        remarks=(*draft.remarks, *judged.remarks),
        lines=(*draft.lines, judged.mended),
    )


def _add_exchange(draft: _Draft, line: JollyLine) -> _Draft:
    fault = _exchange_fault(draft.table, line)
    if fault:
        return draft.with_problems(fault)
    step = Exchange(cell=cell_name(line.spot), letter=line.letter)
    text = f"Jolly {step.cell} = {step.letter}"
    return replace(draft, table=draft.table.after(step), steps=(*draft.steps, step), lines=(*draft.lines, text))


def _exchange_fault(table: Table, line: JollyLine) -> Text | None:
    """Return why a joker can't be taken: none there, another letter, built in, or no such tile in hand."""
    sign, cell = sign_at(table.rows, line.spot), cell_name(line.spot)
    if not sign.islower():
        return say("NO_JOKER_THERE", cell=cell)
    if sign.upper() != line.letter:
        return say("JOKER_OTHER", cell=cell, letter=sign.upper(), sent=line.letter)
    if not exchangeable(table.rows, line.spot):
        return say("JOKER_BUILT_IN", cell=cell)
    if without(table.rack, line.letter) is None:
        return say("NOT_IN_RACK", cell=cell, letter=line.letter, rack=rack_text(table.rack))
    return None


def _add_purchase(variant: Variant, state: State, draft: _Draft, line: BuyLine) -> _Draft:
    """Read a purchase: instead of a word, or in Typ-Dom instead of the second one."""
    instead_of_second = variant.second_word_is_duty and draft.may_lay_again
    if draft.words and not instead_of_second:
        return draft.with_problems(say("WORD_AND_PURCHASE"))
    if variant.finishes_round and state.first_out:
        return replace(draft.with_problems(say("NO_BUYING")), wishes=())
    wishes = line.wishes[: variant.most_bought]
    if len(line.wishes) > variant.most_bought:
        draft = draft.with_problems(say("TOO_MANY_BOUGHT", sent=len(line.wishes), most=variant.most_bought))
    return replace(
        draft, wishes=wishes, remarks=(*draft.remarks, *_bag_remarks(state, wishes)), ending=_buying_line(wishes)
    )


def _buying_line(wishes: Sequence[Colour | None]) -> str:
    names = ((name, sum(wish == colour for wish in wishes)) for name, colour in (("rot", "red"), ("schwarz", "black")))
    coloured = " ".join(f"{number} {name}" for name, number in names if number)
    return f"kaufen {coloured or len(wishes)}" if coloured or len(wishes) > 1 else "kaufen"


def _bag_remarks(state: State, wishes: Sequence[Colour | None]) -> tuple[Text, ...]:
    """Return where the bag doesn't hold what is asked for."""
    if not state.bag:
        return (say("BAG_EMPTY"),)
    drawn, _ = draw(state.bag, wishes)
    red, black = count_colours(drawn)
    short = red < sum(wish == "red" for wish in wishes) or black < sum(wish == "black" for wish in wishes)
    return (
        (say("COLOUR_GONE", tiles=bought_text(red, black) if red or black else say("NONE")),)
        if short or len(drawn) < len(wishes)
        else ()
    )


def _add_pass(variant: Variant, state: State, draft: _Draft) -> _Draft:
    if draft.words:
        return draft.with_problems(say("WORD_AND_PASS"))
    if state.bag and not variant.may_pass:
        return replace(draft.with_problems(say("MUST_BUY")), passes=True)
    return replace(draft, passes=True, ending="passe")


def _check_whole(variant: Variant, state: State, draft: _Draft) -> _Draft:
    """Check the whole turn: it needs a word, a purchase or a pass. A missing second word is bought for or lost."""
    if draft.problems or draft.is_empty:
        return draft
    if not draft.words and draft.wishes is None and not draft.passes:
        return draft.with_problems(say("NOTHING_ENDS"))
    if not draft.may_lay_again or draft.wishes is not None or not draft.table.rack:
        return draft
    if not variant.second_word_is_duty:
        return replace(draft, remarks=(*draft.remarks, say("SECOND_LOST")))
    if not state.bag:
        return draft
    return replace(draft, wishes=(None,), remarks=(*draft.remarks, say("SECOND_BOUGHT")))


def _offer(variant: Variant, state: State, lines: Sequence[Line], draft: _Draft, words: Words) -> tuple[str, ...]:
    """Make a corrected block: all lines mended, or only those up to the first word. It is read again to be sure.

    It adds nothing that wasn't sent, but the purchase that a missing second word leads to.
    """
    mended = (*(line for line in draft.lines if line), *([draft.ending] if draft.ending else []))
    for block in (mended, _first_only(variant, state, lines, words)):
        again = _draft(variant, state, read_lines(block), words)
        if not (again.is_empty or again.problems):
            return (*block, _BOUGHT) if again.wishes and not again.ending else block
    return ()


def _first_only(variant: Variant, state: State, lines: Sequence[Line], words: Words) -> tuple[str, ...]:
    """Return the lines up to the first word."""
    first = next((at for at, line in enumerate(lines) if isinstance(line, WordLine)), None)
    if first is None:
        return ()
    kept = [line for line in lines[: first + 1] if isinstance(line, WordLine | JollyLine)]
    return tuple(line for line in _draft(variant, state, kept, words).lines if line)


def _grids(variant: Variant, state: State, draft: _Draft) -> tuple[Grid, ...]:
    if not draft.words and draft.table.rows == state.rows:
        return ()
    wrong = tuple(spot for word in draft.words for spot in word.wrong)
    return (picture(draft.table.rows, _new(draft), wrong=wrong, worth=variant.words_score),)


def _new(draft: _Draft) -> tuple[Spot, ...]:
    return tuple(spot for word in draft.words for spot in word.new)


def _accepted(variant: Variant, state: State, draft: _Draft) -> Sheet[Move]:
    move = Move(steps=draft.steps, wishes=draft.wishes or ())
    return Sheet(
        move=move,
        remarks=draft.remarks,
        doubtful=tuple(sorted({word for judged in draft.words for word in judged.doubtful})),
        summary=move_pairs(variant, move),
        grids=_grids(variant, state, draft),
    )


def move_pairs(variant: Variant, move: Move) -> tuple[tuple[Text, Text], ...]:
    """Put a move into labels and contents."""
    pairs: list[tuple[Text, Text]] = []
    for step in move.steps:
        if isinstance(step, Exchange):
            pairs.append((say("LABEL_JOKER"), say("EXCHANGE", cell=step.cell, letter=step.letter)))
        else:
            pairs.append((say("LABEL_WORD"), _word_pair(variant, step)))
    if move.wishes:
        red, black = (sum(wish == colour for wish in move.wishes) for colour in ("red", "black"))
        any_colour = len(move.wishes) - red - black
        pairs.append((say("LABEL_BUY"), colours_text(red, black) if not any_colour else plain(str(any_colour))))
    elif not move.steps:
        pairs.append((say("LABEL_TURN"), say("PASS")))
    return tuple(pairs)


def _word_pair(variant: Variant, step: Laying) -> Text:
    word = f"{step.start} {step.direction} {step.signs.upper()}"
    return say("WORD_FOR", word=word, points=points_text(score(step.signs))) if variant.words_score else plain(word)
