"""Trying a move: the position that it leads to, and all rules that it breaks."""

from dataclasses import dataclass, field, replace

from games.api import Text, say
from games.shared.notation import shown
from games.shared.phrases import reason_text
from games.shared.plane import CENTRE, Run, Spot, cell_name, is_inside, run_at, sign_at
from games.shared.racks import Exchange, Tabletop, Wishes, short_of
from games.shared.tiles import RED_JOKER, VOWELS, joker_for, on_board
from games.wer_behaelt_recht.rules import (
    Finished,
    Fragment,
    Judge,
    Laying,
    Move,
    Side,
    State,
    crossing_cells,
    fit,
    grow,
    makes_square,
    target,
)


def try_move(state: State, move: Move, judge: Judge) -> "Trial":
    """Carry out a move of the seat on turn on trial: jokers, purchase, tile, premium tile."""
    trial = Trial(state=state, judge=judge, table=state.table(state.on_turn), open=state.open)
    for exchange in move.exchanges:
        trial.exchange(exchange)
    if move.wishes:
        trial.buy(move.wishes)
    if move.passes:
        trial.pass_on(move)
    if move.laying:
        trial.lay(move.laying)
    if move.premium and move.laying and not trial.problems:
        trial.lay_premium(move.premium)
    return trial


@dataclass
class Trial:
    """A position in the middle of a move."""

    state: State
    """The position before it."""
    judge: Judge
    table: Tabletop
    open: Fragment | None
    new: tuple[Spot, ...] = ()
    finished: Finished | None = None
    """The word that the move has finished."""
    at_once: bool = False
    """It was finished by the very tile with which it was announced."""
    may_more: bool = False
    """One more tile is allowed: a square, or a crossing at a vowel."""
    problems: list[Text] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    doubtful: tuple[str, ...] = ()

    def refuse(self, code: str, **values: str) -> None:
        """Add a problem."""
        self.problems.append(say(code, **values))

    def exchange(self, wish: Exchange) -> None:
        """Give a letter for a joker, as in Typ-Dom."""
        if fault := self.table.fault(wish):
            self.problems.append(fault)
        else:
            self.table = self.table.exchanged(wish)

    def buy(self, wishes: Wishes) -> None:
        """Buy a tile; which one is not known yet."""
        if self.state.bought:
            self.refuse("BOUGHT_ALREADY")
        elif not self.state.bag:
            self.refuse("BAG_EMPTY")
        else:
            self.remarks += short_of(self.state.bag, wishes)

    def pass_on(self, move: Move) -> None:
        """Pass, with nothing laid."""
        if move.laying:
            self.refuse("PASS_OR_TILE")
        elif not move.wishes and not self.state.bought and self.state.bag:
            self.refuse("BUY_BEFORE_PASSING")

    def lay(self, laying: Laying) -> None:
        """Lay the tile of a turn: in the sense of the open word, for another one, or as the start of a new one."""
        self._check_tile(laying)
        if self.open is None:
            self._start_word(laying)
        elif laying.begins:
            self.refuse("STILL_OPEN", word=self.open.word)
        elif laying.word in ("", self.open.word):
            self.remarks += [say("SAME_WORD", word=laying.word)] if laying.word else []
            self._lay_in_sense(laying, self.open)
        else:
            self._announce(laying, self.open.run(self.table.board))

    def lay_premium(self, laying: Laying) -> None:
        """Lay the premium tile: in the sense of the word now announced, and without a premium of its own."""
        if not self.may_more:
            self.refuse("NO_PREMIUM")
        elif self.open is None:
            self.refuse("PREMIUM_WORD_DONE")
        else:
            self._check_tile(laying)
            if laying.word not in ("", self.open.word):
                self.refuse("PREMIUM_ANNOUNCES", word=shown(laying.word))
            self._lay_in_sense(laying, self.open)

    def _check_tile(self, laying: Laying) -> None:
        """Refuse a tile that the seat doesn't hold, whatever its place."""
        if laying.tile in self.table.rack:
            return
        if laying.joker:
            self.refuse("NO_RED_JOKER" if laying.tile == RED_JOKER else "NO_BLACK_JOKER", letter=laying.letter)
        else:
            joker = joker_for(laying.letter) in self.table.rack
            self.refuse("NOT_HELD_JOKER" if joker else "NOT_HELD", letter=laying.letter)

    def _start_word(self, laying: Laying) -> None:
        """Lay the first tile of a new word."""
        direction = laying.direction or "w"
        if self.state.finished and laying.cell is None:
            self.refuse("NOTHING_OPEN")
        elif not self.state.finished and (laying.cell or not laying.begins):
            self.refuse("CENTRE_FIRST")
        elif laying.cell is None:
            self._announce(laying, Run(CENTRE, direction, ""))
        elif fault := _crossing_fault(self.state, laying, laying.cell):
            self.problems.append(fault)
        else:
            self._cross(laying, run_at(self.table.board, laying.cell, direction))

    def _cross(self, laying: Laying, run: Run) -> None:
        """Lay the first tile of a word that crosses another one at this letter."""
        sides = [laying.side] if laying.side else sides_of(laying, run.word)
        if len(sides) == 1:
            self._announce(replace(laying, side=sides[0]), run)
        else:
            code = "SIDE_EITHER" if sides else "SIDE_NEITHER"
            self.refuse(code, letter=laying.letter, word=laying.word, cross=run.word)

    def _lay_in_sense(self, laying: Laying, fragment: Fragment) -> None:
        """Lay a tile in the sense of the word that is open."""
        run = fragment.run(self.table.board)
        spot = target(run, laying.side)
        table = self._with_tile(laying, spot)
        after = grow(fragment, table.board, spot) if table else None
        if table and after:
            self._take_over(table, after, laying, spot)
        else:
            # Both sides are told: whoever sees only the fragment easily takes front for back.
            self.refuse("NOT_IN_SENSE", letter=laying.letter, word=fragment.word, fragment=run.word)

    def _announce(self, laying: Laying, run: Run) -> None:
        """Lay a tile beside a run, which has no sign yet in the centre, and announce another word with it."""
        word, verdict = laying.word, self.judge(laying.word)
        if verdict.status == "refused":
            self.problems.append(say("REFUSED_WORD", word=word, reason=reason_text(verdict.reason, verdict.note)))
        spot = target(run, laying.side) if run.signs else run.start
        table = self._with_tile(laying, spot)
        if table is None:
            self.refuse("OVER_THE_EDGE")
            return
        grown = run_at(table.board, spot, run.direction)
        if grown.word not in word:
            self.refuse("NOT_IN_WORD", fragment=grown.word, word=word)
            return
        fits = fit(table.board, grown, word, spot, self.judge)
        if not fits.starts and fits.contacts:
            self.refuse("SENSELESS", word=word, made=", ".join(fits.contacts))
        elif not fits.starts:
            self.refuse("NO_ROOM", word=word)
        elif verdict.status != "refused":
            fragment = Fragment(
                word=word, owner=self.state.on_turn, spot=spot, direction=run.direction, starts=fits.starts,
                laid=(*(self.open.laid if self.open else ()), spot),
            )  # fmt: skip
            unknown = (word,) if verdict.status == "doubtful" else ()
            self.doubtful = tuple(sorted({*unknown, *fits.doubtful}))
            self._take_over(table, fragment, laying, spot)
            self.at_once = self.finished is not None

    def _with_tile(self, laying: Laying, spot: Spot) -> Tabletop | None:
        """Return the table with a tile; None beyond the edge."""
        if not is_inside(self.table.board, spot):
            return None
        return self.table.laid({spot: on_board(laying.letter, joker=laying.joker)})

    def _take_over(self, table: Tabletop, fragment: Fragment, laying: Laying, spot: Spot) -> None:
        """Take over the table with a tile, and see whether the word is finished, and whether it brings a premium."""
        run = fragment.run(table.board)
        whole = run.word == fragment.word
        crosses_vowel = laying.cell is not None and sign_at(table.board, laying.cell).upper() in VOWELS
        self.table, self.new = table, (*self.new, spot)
        self.open = None if whole else fragment
        self.finished = Finished(run=run, owner=fragment.owner) if whole else None
        self.may_more = crosses_vowel or makes_square(table.board, spot)


def sides_of(laying: Laying, cross: str) -> list[Side]:
    """Return the sides of the crossing letter where a tile may lie so that the word holds both side by side."""
    pairs: dict[Side, str] = {"front": laying.letter + cross, "back": cross + laying.letter}
    return [side for side, pair in pairs.items() if pair in laying.word]


def _crossing_fault(state: State, laying: Laying, cell: Spot) -> Text | None:
    """Say why a new word may not cross here, or not in this direction."""
    cells = crossing_cells(state)
    if (cell, laying.direction) in cells:
        return None
    word = state.finished[-1].word
    if any(spot == cell for spot, _ in cells):
        return say("WRONG_DIRECTION", cell=cell_name(cell), word=word)
    names = ", ".join(dict.fromkeys(cell_name(spot) for spot, _ in cells)) or "-"
    return say("CROSS_ELSEWHERE", cell=cell_name(cell), word=word, cells=names)
