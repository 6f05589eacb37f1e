"""Trying a move: the position that it leads to, and all rules that it breaks."""

from dataclasses import dataclass, replace

from games.api import Seat, Text, say
from games.shared.notation import shown
from games.shared.phrases import reason_text
from games.shared.plane import CENTRE, Run, Spot, cell_name, is_inside, run_at, sign_at
from games.shared.racks import Table, Wishes, short_of
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
from games.words import Verdict


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A position in the middle of a move."""

    table: Table
    open: Fragment | None
    new: tuple[Spot, ...] = ()
    finished: Finished | None = None
    """The word that the move has finished."""
    at_once: bool = False
    """It was finished by the very tile with which it was announced."""
    may_more: bool = False
    """One more tile is allowed: a square, or a crossing at a vowel."""
    problems: tuple[Text, ...] = ()
    remarks: tuple[Text, ...] = ()
    doubtful: tuple[str, ...] = ()

    def refused(self, *problems: Text) -> "Trial":
        """Add problems."""
        return replace(self, problems=(*self.problems, *problems))


def try_move(state: State, move: Move, judge: Judge) -> Trial:
    """Carry out a move of the seat on turn on trial: jokers, purchase, tile, premium tile."""
    trial = Trial(table=state.table(state.on_turn), open=state.open)
    for exchange in move.exchanges:
        fault = trial.table.fault(exchange)
        trial = trial.refused(fault) if fault else replace(trial, table=trial.table.exchanged(exchange))
    if move.wishes:
        trial = _buy(state, move.wishes, trial)
    if move.passes:
        trial = _pass(state, move, trial)
    if move.laying:
        trial = _lay(state, move.laying, trial, judge)
    if move.premium and move.laying and not trial.problems:
        trial = _lay_premium(move.premium, trial)
    return trial


def _buy(state: State, wishes: Wishes, trial: Trial) -> Trial:
    if state.bought:
        return trial.refused(say("BOUGHT_ALREADY"))
    if not state.bag:
        return trial.refused(say("BAG_EMPTY"))
    return replace(trial, remarks=(*trial.remarks, *short_of(state.bag, wishes)))


def _pass(state: State, move: Move, trial: Trial) -> Trial:
    if move.laying:
        return trial.refused(say("PASS_OR_TILE"))
    allowed = move.wishes or state.bought or not state.bag
    return trial if allowed else trial.refused(say("BUY_BEFORE_PASSING"))


def _lay(state: State, laying: Laying, trial: Trial, judge: Judge) -> Trial:
    """Lay the tile of a turn: in the sense of the open word, for another one, or as the start of a new one."""
    faults = _tile_faults(laying, trial)
    if trial.open is None:
        return _start_word(state, laying, trial.refused(*faults), judge)
    if laying.begins:
        return trial.refused(*faults, say("STILL_OPEN", word=trial.open.word))
    if laying.word in ("", trial.open.word):
        known = (say("SAME_WORD", word=laying.word),) if laying.word else ()
        return _lay_in_sense(laying, replace(trial.refused(*faults), remarks=(*trial.remarks, *known)))
    run = trial.open.run(trial.table.board)
    return _announce(state.on_turn, laying, run, target(run, laying.side), trial.refused(*faults), judge)


def _tile_faults(laying: Laying, trial: Trial) -> tuple[Text, ...]:
    """Return why the seat can't lay this tile, whatever its place."""
    if laying.tile in trial.table.rack:
        return ()
    if laying.joker:
        red = laying.tile == RED_JOKER
        return (say("NO_RED_JOKER" if red else "NO_BLACK_JOKER", letter=laying.letter),)
    joker = joker_for(laying.letter) in trial.table.rack
    return (say("NOT_HELD_JOKER" if joker else "NOT_HELD", letter=laying.letter),)


def _start_word(state: State, laying: Laying, trial: Trial, judge: Judge) -> Trial:
    """Lay the first tile of a new word."""
    if not laying.begins:
        return trial.refused(say("NOTHING_OPEN_FIRST" if not state.finished else "NOTHING_OPEN"))
    if laying.cell is None:
        if state.finished:
            return trial.refused(say("CENTRE_TAKEN"))
        return _announce(state.on_turn, laying, Run(CENTRE, laying.direction or "w", ""), CENTRE, trial, judge)
    if not state.finished:
        return trial.refused(say("CENTRE_FIRST"))
    faults = _crossing_faults(state, laying, laying.cell)
    if faults:
        return trial.refused(*faults)
    run = run_at(trial.table.board, laying.cell, laying.direction or "w")
    sides = [laying.side] if laying.side else sides_of(laying, run.word)
    if len(sides) != 1:
        is_same = laying.letter + run.word == run.word + laying.letter
        either, neither = ("SAME_EITHER", "SAME_NEITHER") if is_same else ("SIDE_EITHER", "SIDE_NEITHER")
        code = either if sides else neither
        return trial.refused(say(code, letter=laying.letter, word=laying.word, cross=run.word))
    laying = replace(laying, side=sides[0])
    return _announce(state.on_turn, laying, run, target(run, laying.side), trial, judge)


def sides_of(laying: Laying, cross: str) -> list[Side]:
    """Return the sides of the crossing letter where a tile may lie so that the word holds both side by side."""
    pairs: dict[Side, str] = {"front": laying.letter + cross, "back": cross + laying.letter}
    return [side for side, pair in pairs.items() if pair in laying.word]


def _crossing_faults(state: State, laying: Laying, cell: Spot) -> tuple[Text, ...]:
    cells = crossing_cells(state)
    if (cell, laying.direction) in cells:
        return ()
    word = state.finished[-1].word
    names = ", ".join(dict.fromkeys(cell_name(spot) for spot, _ in cells)) or "-"
    if any(spot == cell for spot, _ in cells):
        return (say("WRONG_DIRECTION", cell=cell_name(cell), word=word),)
    return (say("CROSS_ELSEWHERE", cell=cell_name(cell), word=word, cells=names),)


def _lay_in_sense(laying: Laying, trial: Trial) -> Trial:
    """Lay a tile in the sense of the word that is open."""
    fragment = trial.open
    assert fragment is not None, "a word is open"
    run = fragment.run(trial.table.board)
    spot = target(run, laying.side)
    table = _with_tile(trial, laying, spot)
    after = grow(fragment, table.board, spot) if table else None
    if table is None or after is None:
        # Both sides are told: whoever sees only the fragment easily takes front for back.
        return trial.refused(say("NOT_IN_SENSE", letter=laying.letter, word=fragment.word, fragment=run.word))
    return _laid(trial, after, table, spot, laying, at_once=False)


def _with_tile(trial: Trial, laying: Laying, spot: Spot) -> Table | None:
    """Lay a tile; None beyond the edge."""
    if not is_inside(trial.table.board, spot):
        return None
    return trial.table.laid({spot: on_board(laying.letter, joker=laying.joker)})


def _announce(seat: Seat, laying: Laying, run: Run, spot: Spot, trial: Trial, judge: Judge) -> Trial:
    """Lay a tile and announce another word with it."""
    word, verdict = laying.word, judge(laying.word)
    faults = _refused(word, verdict)
    table = _with_tile(trial, laying, spot)
    if table is None:
        return trial.refused(*faults, say("OVER_THE_EDGE"))
    grown_run = run_at(table.board, spot, run.direction)
    if grown_run.word not in word:
        return trial.refused(*faults, say("NOT_IN_WORD", fragment=grown_run.word, word=word))
    fits = fit(table.board, grown_run, word, spot, judge)
    if not fits.starts:
        contact = (
            say("SENSELESS", word=word, made=", ".join(fits.contacts)) if fits.contacts else say("NO_ROOM", word=word)
        )
        return trial.refused(*faults, contact)
    if faults:
        return trial.refused(*faults)
    before = trial.open.laid if trial.open else ()
    fragment = Fragment(
        word=word, owner=seat, spot=spot, direction=run.direction, starts=fits.starts, laid=(*before, spot)
    )
    unknown = (word,) if verdict.status == "doubtful" else ()
    trial = replace(trial, doubtful=tuple(sorted({*unknown, *fits.doubtful})))
    return _laid(trial, fragment, table, spot, laying, at_once=True)


def _refused(word: str, verdict: Verdict) -> tuple[Text, ...]:
    if verdict.status != "refused":
        return ()
    return (say("REFUSED_WORD", word=word, reason=reason_text(verdict.reason, verdict.note)),)


def _laid(trial: Trial, fragment: Fragment, table: Table, spot: Spot, laying: Laying, *, at_once: bool) -> Trial:
    """Take over the table with a tile, and see whether the word is finished."""
    run = fragment.run(table.board)
    whole = run.word == fragment.word
    vowel = laying.cell is not None and sign_at(table.board, laying.cell).upper() in VOWELS
    return replace(
        trial,
        table=table,
        open=None if whole else fragment,
        new=(*trial.new, spot),
        finished=Finished(run=run, owner=fragment.owner) if whole else None,
        at_once=whole and at_once,
        may_more=vowel or makes_square(table.board, spot),
    )


def _lay_premium(laying: Laying, trial: Trial) -> Trial:
    """Lay the premium tile: in the sense of the word now announced, and without a premium of its own."""
    if not trial.may_more:
        return trial.refused(say("NO_PREMIUM"))
    if trial.open is None:
        return trial.refused(say("PREMIUM_WORD_DONE"))
    faults = _tile_faults(laying, trial)
    if laying.word not in ("", trial.open.word):
        faults = (*faults, say("PREMIUM_ANNOUNCES", word=shown(laying.word)))
    return _lay_in_sense(replace(laying, cell=None), trial.refused(*faults))
