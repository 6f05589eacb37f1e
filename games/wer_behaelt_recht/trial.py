"""Trying a move: the position that it leads to, and all rules that it breaks."""

from dataclasses import dataclass, replace

from games.api import Seat, Text, say
from games.shared.notation import shown
from games.shared.phrases import reason_text
from games.shared.plane import CENTRE, Rows, Run, Spot, cell_name, exchangeable, is_inside, lay, run_at, sign_at
from games.shared.tiles import RED_JOKER, VOWELS, colour, in_order, joker_for, tile_of, without
from games.wer_behaelt_recht.rules import (
    Finished,
    Fragment,
    Judge,
    Laying,
    Move,
    Side,
    State,
    as_finished,
    crossing_cells,
    fit,
    grow,
    is_finished,
    makes_square,
    put_tile,
    target,
)
from games.words import Verdict


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A position in the middle of a move."""

    board: Rows
    rack: str
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


def try_move(state: State, seat: Seat, move: Move, judge: Judge) -> Trial:
    """Carry out a move on trial: jokers, purchase, tile, premium tile."""
    trial = Trial(board=state.board, rack=state.rack(seat), open=state.open)
    for exchange in move.exchanges:
        trial = _exchange(trial, exchange.spot, exchange.letter)
    trial = _buy(state, move, trial)
    if move.passes:
        trial = _pass(state, move, trial)
    if move.laying:
        trial = _lay(state, seat, move.laying, trial, judge)
    if move.premium and move.laying and not trial.problems:
        trial = _lay_premium(move.premium, trial)
    return trial


def _exchange(trial: Trial, spot: Spot, letter: str) -> Trial:
    """Give a letter for a joker, as in Typ-Dom."""
    sign, cell = sign_at(trial.board, spot), cell_name(spot)
    if not sign.islower():
        return trial.refused(say("NO_JOKER_THERE", cell=cell))
    if sign.upper() != letter:
        return trial.refused(say("JOKER_STANDS_FOR", cell=cell, letter=sign.upper(), sent=letter))
    if not exchangeable(trial.board, spot):
        return trial.refused(say("JOKER_BUILT_IN", cell=cell))
    rack = without(trial.rack, letter)
    if rack is None:
        return trial.refused(say("NOT_HELD", letter=letter))
    return replace(trial, rack=in_order(rack + tile_of(sign)), board=lay(trial.board, {spot: letter}))


def _buy(state: State, move: Move, trial: Trial) -> Trial:
    if not move.buys:
        return trial
    if state.bought:
        return trial.refused(say("BOUGHT_ALREADY"))
    if not state.bag:
        return trial.refused(say("BAG_EMPTY"))
    if move.buys != "any" and all(colour(tile) != move.buys for tile in state.bag):
        return replace(trial, remarks=(*trial.remarks, say("COLOUR_GONE")))
    return trial


def _pass(state: State, move: Move, trial: Trial) -> Trial:
    if move.laying:
        return trial.refused(say("PASS_OR_TILE"))
    allowed = move.buys or state.bought or not state.bag
    return trial if allowed else trial.refused(say("BUY_BEFORE_PASSING"))


def _lay(state: State, seat: Seat, laying: Laying, trial: Trial, judge: Judge) -> Trial:
    """Lay the tile of a turn: in the sense of the open word, for another one, or as the start of a new one."""
    faults = _tile_faults(laying, trial)
    if trial.open is None:
        return _start_word(state, seat, laying, trial.refused(*faults), judge)
    if laying.begins:
        return trial.refused(*faults, say("STILL_OPEN", word=trial.open.word))
    if laying.word in ("", trial.open.word):
        known = (say("SAME_WORD", word=laying.word),) if laying.word else ()
        return _lay_in_sense(laying, replace(trial.refused(*faults), remarks=(*trial.remarks, *known)))
    run = trial.open.run(trial.board)
    return _announce(seat, laying, run, target(run, laying.side), trial.refused(*faults), judge)


def _tile_faults(laying: Laying, trial: Trial) -> tuple[Text, ...]:
    """Return why the seat can't lay this tile, whatever its place."""
    held = joker_for(laying.letter) if laying.joker else laying.letter
    if held in trial.rack:
        return ()
    if laying.joker:
        red = held == RED_JOKER
        return (say("NO_RED_JOKER" if red else "NO_BLACK_JOKER", letter=laying.letter),)
    joker = joker_for(laying.letter) in trial.rack
    return (say("NOT_HELD_JOKER" if joker else "NOT_HELD", letter=laying.letter),)


def _start_word(state: State, seat: Seat, laying: Laying, trial: Trial, judge: Judge) -> Trial:
    """Lay the first tile of a new word."""
    if not laying.begins:
        return trial.refused(say("NOTHING_OPEN_FIRST" if not state.finished else "NOTHING_OPEN"))
    if laying.cell is None:
        if state.finished:
            return trial.refused(say("CENTRE_TAKEN"))
        return _announce(seat, laying, Run(CENTRE, laying.direction or "w", ""), CENTRE, trial, judge)
    if not state.finished:
        return trial.refused(say("CENTRE_FIRST"))
    faults = _crossing_faults(state, laying, laying.cell)
    if faults:
        return trial.refused(*faults)
    run = run_at(trial.board, laying.cell, laying.direction or "w")
    sides = [laying.side] if laying.side else sides_of(laying, run.word)
    if len(sides) != 1:
        is_same = laying.letter + run.word == run.word + laying.letter
        either, neither = ("SAME_EITHER", "SAME_NEITHER") if is_same else ("SIDE_EITHER", "SIDE_NEITHER")
        code = either if sides else neither
        return trial.refused(say(code, letter=laying.letter, word=laying.word, cross=run.word))
    laying = replace(laying, side=sides[0])
    return _announce(seat, laying, run, target(run, laying.side), trial, judge)


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
    run = fragment.run(trial.board)
    spot = target(run, laying.side)
    board = put_tile(trial.board, spot, laying) if is_inside(trial.board, spot) else trial.board
    after = grow(fragment, board, spot)
    if after is None or board == trial.board:
        # Both sides are told: whoever sees only the fragment easily takes front for back.
        return trial.refused(say("NOT_IN_SENSE", letter=laying.letter, word=fragment.word, fragment=run.word))
    return _take_tile(trial, after, board, spot, laying, at_once=False)


def _announce(seat: Seat, laying: Laying, run: Run, spot: Spot, trial: Trial, judge: Judge) -> Trial:
    """Lay a tile and announce another word with it."""
    word, verdict = laying.word, judge(laying.word)
    faults = _refused(word, verdict)
    if not is_inside(trial.board, spot):
        return trial.refused(*faults, say("OVER_THE_EDGE"))
    board = put_tile(trial.board, spot, laying)
    grown_run = run_at(board, spot, run.direction)
    if grown_run.word not in word:
        return trial.refused(*faults, say("NOT_IN_WORD", fragment=grown_run.word, word=word))
    fits = fit(board, grown_run, word, spot, judge)
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
    return _take_tile(trial, fragment, board, spot, laying, at_once=True)


def _refused(word: str, verdict: Verdict) -> tuple[Text, ...]:
    if verdict.status != "refused":
        return ()
    return (say("REFUSED_WORD", word=word, reason=reason_text(verdict.reason, verdict.note)),)


def _take_tile(trial: Trial, fragment: Fragment, board: Rows, spot: Spot, laying: Laying, *, at_once: bool) -> Trial:
    """Take the tile from the rack, and see whether the word is finished."""
    tile = joker_for(laying.letter) if laying.joker else laying.letter
    whole = is_finished(fragment, board)
    vowel = laying.cell is not None and sign_at(board, laying.cell).upper() in VOWELS
    return replace(
        trial,
        board=board,
        rack=without(trial.rack, tile) or "",
        open=None if whole else fragment,
        new=(*trial.new, spot),
        finished=as_finished(fragment, board) if whole else None,
        at_once=whole and at_once,
        may_more=vowel or makes_square(board, spot),
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
