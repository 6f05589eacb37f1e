"""From a block to a turn: lines take effect in order, all problems are named, and any problem refuses the block."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from games.api import Grid, MoveBlock, Seat, Sheet, Text, say
from games.base import not_on_turn
from games.shared.lines import Line, other_round, read_lines, unread, values_of
from games.shared.notation import shown
from games.shared.phrases import counted, plain
from games.shared.plane import Run, WordLine, cell_name, picture, read_word_line, word_line
from games.shared.racks import (
    Exchange,
    Tabletop,
    Wishes,
    exchange_pair,
    read_exchange,
    read_wishes,
    short_of,
    wishes_line,
    wishes_pair,
)
from games.typ_dom.rules import Move, State, Step, Variant, after_step, new_signs, score
from games.typ_dom.words import Judged, judge
from games.words import Words

Order: TypeAlias = WordLine | Exchange | Wishes | Text
"""A line as read; a text says that it wasn't. To wish nothing is to pass."""


def read_orders(lines: Iterable[Line]) -> tuple[Order, ...]:
    """Read all lines that order something."""
    return tuple(_read_order(line.text) for line in lines if line.label not in ("game", "round"))


def _read_order(line: str) -> Order:
    wishes = read_wishes(line)
    return wishes if wishes is not None else read_exchange(line) or read_word_line(line) or unread(line)


def misread(block: MoveBlock) -> tuple[Text, ...]:
    """Name the lines that aren't understood, whatever lies on the board."""
    return tuple(order for order in read_orders(read_lines(block)) if isinstance(order, Text))


def read_move(variant: Variant, state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    if problems := not_on_turn(state, seat):
        return Sheet(problems=problems)
    lines = read_lines(block)
    orders, late = read_orders(lines), other_round(values_of(lines, "round"), state.turn, "TURN_OTHER")
    trial = _tried(variant, state, words, orders)
    if late or trial.problems:
        offer = _offer(trial, orders)
        bought = (say("OFFER_BUYS"),) if not trial.ending and offer[-1:] == (wishes_line((None,)),) else ()
        return Sheet(problems=(*late, *trial.problems), remarks=bought, grids=trial.grids(), offer=offer)
    if trial.is_empty:
        return Sheet()
    return Sheet(
        move=trial.move,
        remarks=tuple(trial.remarks),
        doubtful=tuple(sorted({word for judged in trial.words for word in judged.doubtful})),
        summary=move_pairs(variant, trial.move),
        grids=trial.grids(),
    )


def _tried(variant: Variant, state: State, words: Words, orders: Iterable[Order]) -> "_Trial":
    trial = _Trial(variant=variant, state=state, judge=words, table=state.table(state.on_turn))
    for order in orders:
        trial.add(order)
    if not (trial.problems or trial.is_empty):
        trial.end()
    return trial


@dataclass
class _Trial:
    """The table while a block is tried out, and what its lines come to."""

    variant: Variant
    state: State
    judge: Words
    table: Tabletop
    steps: list[Step] = field(default_factory=list)
    words: list[Judged] = field(default_factory=list)
    wishes: Wishes | None = None
    """What is bought in the end, nothing for a pass; None while nothing ends the turn but a word."""
    problems: list[Text] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """Those of a corrected block;"""
    ending: tuple[str, ...] = ()
    """the one that buys or passes comes last."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered."""
        return not (self.steps or self.words or self.problems) and self.wishes is None

    @property
    def move(self) -> Move:
        """What the lines say, if nothing is wrong with them."""
        return Move(steps=tuple(self.steps), wishes=self.wishes or ())

    @property
    def may_lay_again(self) -> bool:
        """Whether the first word joins two stretches, and is the only one so far."""
        return len(self.words) == 1 and self.words[0].joins

    def refuse(self, *problems: Text) -> None:
        """Add faults, each once."""
        self.problems += [problem for problem in problems if problem not in self.problems]

    def add(self, order: Order) -> None:
        """Carry out a line as far as it goes."""
        if self.wishes is not None and not isinstance(order, Text):
            self.refuse(say("AFTER_THE_END"))
        match order:
            case Text():
                self.refuse(order)
            case WordLine():
                self._lay(order)
            case Exchange():
                self._exchange(order)
            case ():
                self._pass()
            case _:
                self._buy(order)

    def _lay(self, line: WordLine) -> None:
        if self.words and not self.may_lay_again:
            code = "NO_THIRD" if len(self.words) > 1 else "NO_SECOND"
            self.refuse(say(code, word=shown(line.letters.upper())))
            return
        judged = judge(self.table, line, self.judge, self.state.profile)
        self.table = judged.table
        self.words.append(judged)
        self.steps += [judged.step] if judged.step else []
        self.lines += [judged.mended] if judged.mended else []
        self.refuse(*judged.problems)
        self.remarks += judged.remarks

    def _exchange(self, wish: Exchange) -> None:
        if fault := self.table.fault(wish):
            self.refuse(fault)
            return
        self.table = self.table.exchanged(wish)
        self.steps.append(wish)
        self.lines.append(wish.line)

    def _buy(self, wishes: Wishes) -> None:
        """Read a purchase: instead of a word, or in Typ-Dom instead of the second one."""
        most = self.variant.most_bought
        if self.words and not (self.variant.second_word_is_duty and self.may_lay_again):
            self.refuse(say("WORD_AND_PURCHASE"))
            return
        if self.variant.is_last_round(self.state):
            self.refuse(say("NO_BUYING"))
            self.wishes = ()
            return
        if len(wishes) > most:
            self.refuse(say("TOO_MANY_BOUGHT", sent=len(wishes), most=most))
        self.wishes = wishes[:most]
        self.ending = (wishes_line(self.wishes),)
        self.remarks += short_of(self.state.bag, self.wishes) if self.state.bag else (say("BAG_EMPTY"),)

    def _pass(self) -> None:
        if self.words:
            self.refuse(say("WORD_AND_PASS"))
            return
        self.wishes = ()
        if self.state.bag and not self.variant.may_pass:
            self.refuse(say("MUST_BUY"))
        else:
            self.ending = ("passe",)

    def end(self) -> None:
        """Check the whole turn: it needs a word, a purchase or a pass. A missing second word is bought for or lost."""
        if not self.words and self.wishes is None:
            self.refuse(say("NOTHING_ENDS"))
        elif not self.may_lay_again or self.wishes is not None or not self.table.rack:
            return
        elif not self.variant.second_word_is_duty:
            self.remarks.append(say("SECOND_LOST"))
        elif self.state.bag:
            self.wishes = (None,)
            self.remarks.append(say("SECOND_BOUGHT"))

    def grids(self) -> tuple[Grid, ...]:
        """Draw the board as it would be, with the cells of what is wrong."""
        if not self.words and self.table.board == self.state.board:
            return ()
        new = tuple(spot for word in self.words for spot in word.new)
        wrong = tuple(spot for word in self.words for spot in word.wrong)
        return (picture(self.table.board, new, wrong=wrong, worth=self.variant.words_score),)


def _offer(trial: _Trial, orders: tuple[Order, ...]) -> tuple[str, ...]:
    """Make a corrected block: all lines mended, or only those up to the first word. It is read again to be sure.

    It adds nothing that wasn't sent, but the purchase that a missing second word leads to.
    """
    first = _tried(trial.variant, trial.state, trial.judge, _up_to_first_word(orders))
    for lines in ((*trial.lines, *trial.ending), first.lines):
        again = _tried(trial.variant, trial.state, trial.judge, map(_read_order, lines))
        if not (again.is_empty or again.problems):
            return write_move(trial.state, trial.state.on_turn, again.move)
    return ()


def _up_to_first_word(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    first = next((at for at, order in enumerate(orders) if isinstance(order, WordLine)), -1)
    return tuple(order for order in orders[: first + 1] if isinstance(order, WordLine | Exchange))


def write_move(state: State, seat: Seat, move: Move) -> tuple[str, ...]:
    """Write a move as the lines of a block."""
    table, lines = state.table(seat), list[str]()
    for step in move.steps:
        after = after_step(table, step)
        lines.append(step.line if isinstance(step, Exchange) else word_line(after.board, step, new_signs(table, step)))
        table = after
    if move.wishes:
        lines.append(wishes_line(move.wishes))
    elif not any(isinstance(step, Run) for step in move.steps):
        lines.append("passe")
    return tuple(lines)


def move_pairs(variant: Variant, move: Move) -> tuple[tuple[Text, Text], ...]:
    """Put a move into labels and contents."""
    pairs = [
        exchange_pair(step) if isinstance(step, Exchange) else (say("LABEL_WORD"), _word_content(variant, step))
        for step in move.steps
    ]
    if move.wishes:
        pairs.append(wishes_pair(move.wishes))
    return tuple(pairs) or ((say("LABEL_TURN"), say("PASS")),)


def _word_content(variant: Variant, run: Run) -> Text:
    word = f"{cell_name(run.start)} {run.direction} {run.word}"
    return say("WORD_FOR", word=word, points=counted(score(run.signs))) if variant.words_score else plain(word)
