"""Carrying out turns: buying, laying, handing over, finishing a word, dropping out, the end.

Most functions take what has happened so far, a `Resolution`, and go on from its state.
"""

from collections.abc import Sequence
from dataclasses import replace

from games.api import Resolution, Seat, Text, Viewer, private, public, say
from games.dice import Dice
from games.shared.phrases import counted
from games.shared.plane import BLANK, Spot, cell_name, lay
from games.shared.racks import Wishes, bought_text, fewest, next_stake, tiles_text
from games.shared.tiles import begins, count_colours, in_order, redeal, tile_of, worth
from games.shared.wordfinder import signs_for
from games.wer_behaelt_recht.rules import (
    Ending,
    Finished,
    Fragment,
    Judge,
    Laying,
    Move,
    News,
    Payment,
    State,
    missing,
    side_text,
)
from games.wer_behaelt_recht.trial import Trial, try_move


def carry_out(state: State, move: Move, judge: Judge) -> Resolution[State]:
    """Carry out a move of the seat on turn, or a part of it. One that isn't legal (any more) changes nothing."""
    seat, trial = state.on_turn, try_move(state, move, judge)
    if trial.problems:
        return Resolution(state=state)
    after = replace(state.with_table(seat, trial.table), step=state.step + 1, new=trial.new)
    if move.exchanges:
        after = replace(after, news=News(code="EXCHANGED", seat=seat))
    so_far = Resolution(state=after, events=public(*(exchange.told(seat) for exchange in move.exchanges)))
    if move.wishes:
        so_far = buy(so_far, seat, move.wishes)
    if move.laying:
        return _after_tiles(so_far, move, move.laying, trial)
    if move.passes:
        so_far = so_far.then(so_far.state, *public(say("PASSES", seat=seat)))
        return _end_without_tile(so_far, News(code="PASSED", seat=seat))
    return so_far


def buy(so_far: Resolution[State], seat: Seat, wishes: Wishes) -> Resolution[State]:
    """Draw a tile; all see its back, one sees its face."""
    after, tile = so_far.state.draw_for(seat, wishes)
    after = replace(after, bought=True, news=News(code="BOUGHT", seat=seat))
    seen = say("BOUGHT", seat=seat, tiles=bought_text(*count_colours(tile)))
    return so_far.then(after, *public(seen), *private(seat, say("DREW", tiles=tiles_text(tile))))


def miss(state: State) -> Resolution[State]:
    """End a turn for which nothing came: one tile is bought, and the turn passes."""
    seat = state.on_turn
    told = say("NMR", seat=seat, in_round=state.turn)
    so_far = Resolution(state=replace(state, step=state.step + 1, new=()), events=public(told))
    if state.bag and not state.bought:
        so_far = buy(so_far, seat, (None,))
    return _end_without_tile(so_far, News(code="MISSED", seat=seat))


def _end_without_tile(so_far: Resolution[State], news: News) -> Resolution[State]:
    """End a turn without a tile; when everybody has passed in a row, the game is over."""
    state = so_far.state
    passed = 0 if state.bought else state.passed + 1
    so_far = so_far.then(replace(state, passed=passed, barren=state.barren + 1, news=news))
    if passed >= len(state.in_play) and not state.open:
        so_far = so_far.then(so_far.state, *public(say("ALL_PASSED")))
        return end(so_far, "passed", fewest(state, state.in_play))
    return hand_over(so_far, state.after(news.seat))


def _after_tiles(so_far: Resolution[State], move: Move, laying: Laying, trial: Trial) -> Resolution[State]:
    """Report what was laid, and check whether the game or the word is finished."""
    seat = so_far.state.on_turn
    word = trial.open.word if trial.open else trial.finished.word if trial.finished else ""
    code = "ANNOUNCES" if laying.word else "LAYS"
    told = [say(code, seat=seat, tile=laying.sign, word=word, side=_where(laying))]
    if move.premium:
        side = side_text(move.premium.side)
        told.append(say("LAYS_MORE", seat=seat, tile=move.premium.sign, side=side, word=word))
    news = News(code=code, seat=seat, letter=laying.sign, word=word)
    after = replace(so_far.state, open=trial.open, passed=0, barren=0, news=news)
    so_far = so_far.then(after, *public(*told))
    if trial.finished:
        return _finish_word(so_far, trial.finished, at_once=trial.at_once)
    return hand_over(so_far, after.after(seat)) if after.rack(seat) else _end_by_rack(so_far, seat)


def _where(laying: Laying) -> Text:
    if laying.cell:
        return say("CROSSING", cell=cell_name(laying.cell), side=side_text(laying.side))
    return side_text(laying.side) if laying.side else say("CENTRE")


def _finish_word(so_far: Resolution[State], word: Finished, *, at_once: bool) -> Resolution[State]:
    """Finish a word. Its owner starts the next one; if the announcing tile finished it, the next seat does."""
    state = replace(so_far.state, finished=(*so_far.state.finished, word))
    so_far = so_far.then(state, *public(say("WORD_DONE", word=word.word)))
    if not state.rack(state.on_turn):
        return _end_by_rack(so_far, state.on_turn)
    others = state.after(word.owner)
    return hand_over(so_far, others if at_once else (word.owner, *others))


def hand_over(so_far: Resolution[State], order: Sequence[Seat]) -> Resolution[State]:
    """Pass the turn to the first of these seats that is in play; the owner of the open word must make it true."""
    state = so_far.state
    owner = state.open.owner if state.open else None
    seat = next(seat for seat in order if seat == owner or seat in state.in_play)
    if state.open and seat == owner:
        return _make_true(so_far, seat, state.open)
    return so_far.then(_turn_of(state, seat))


def _turn_of(state: State, seat: Seat) -> State:
    return replace(state, turn=state.turn + 1, on_turn=seat, bought=False)


def _make_true(so_far: Resolution[State], seat: Seat, fragment: Fragment) -> Resolution[State]:
    """End a full round with an open word: its owner lays all missing letters, or drops out."""
    state = so_far.state
    for start in fragment.starts:
        lacking = missing(fragment, state.board, start)
        signs = signs_for("".join(lacking.values()), state.rack(seat))
        if signs is not None and seat in state.in_play:
            return _complete(so_far, seat, fragment, dict(zip(lacking, signs, strict=True)))
    if seat in state.in_play:
        so_far = _drop_out(so_far, seat, fragment)
    so_far = _take_off(so_far, fragment)
    if len(so_far.state.in_play) < 2:
        return _end_alone(so_far)
    return hand_over(so_far, state.after(seat))


def _complete(
    so_far: Resolution[State], seat: Seat, fragment: Fragment, signs: dict[Spot, str]
) -> Resolution[State]:  # fmt: skip
    state = so_far.state
    after = state.with_table(seat, state.table(seat).laid(signs))
    after = replace(
        after,
        new=(*state.new, *signs),
        open=None,
        passed=0,
        barren=0,
        finished=(*state.finished, Finished(run=fragment.run(after.board), owner=seat)),
        news=News(code="COMPLETES", seat=seat, word=fragment.word),
    )
    letters = " ".join(signs.values()).upper()
    so_far = so_far.then(after, *public(say("COMPLETES", seat=seat, word=fragment.word, tiles=letters)))
    return so_far.then(_turn_of(after, seat)) if after.rack(seat) else _end_by_rack(so_far, seat)


def _drop_out(so_far: Resolution[State], seat: Seat, fragment: Fragment) -> Resolution[State]:
    """Drop a seat that can't complete its word: it pays every seat still in play what its rack is worth."""
    state = so_far.state
    points = worth(state.rack(seat)) * state.stake
    paid = tuple(Payment(payer=seat, receiver=other, points=points) for other in state.in_play if other != seat)
    after = replace(
        state,
        out=(*state.out, seat),
        payments=(*state.payments, *paid),
        passed=0,
        barren=0,
        news=News(code="DROPS", seat=seat, word=fragment.word),
    )
    return so_far.then(after, *public(say("DROPS", seat=seat, word=fragment.word, points=counted(points))))


def _take_off(so_far: Resolution[State], fragment: Fragment) -> Resolution[State]:
    """Take the tiles of a fragment from the board; what lay before it stays."""
    state = so_far.state
    tiles = "".join(state.board[spot.row][spot.column] for spot in fragment.laid)
    gone = in_order(state.gone + "".join(map(tile_of, tiles)))
    after = replace(state, board=lay(state.board, dict.fromkeys(fragment.laid, BLANK)), open=None, gone=gone)
    return so_far.then(after, *public(say("TAKEN_OFF", word=fragment.word, tiles=" ".join(tiles.upper()))))


def leave(state: State, seat: Seat) -> Resolution[State]:
    """Play on without a seat that was given up; its rack still counts for the winner."""
    after = replace(state, step=state.step + 1)
    so_far = Resolution(state=after, events=public(say("RESIGNED", seat=seat)))
    if len(after.in_play) < 2:
        return _end_alone(so_far)
    return hand_over(so_far, after.after(seat)) if state.on_turn == seat else so_far


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Deal the tiles anew that the viewer can't see.

    Before the first step all know whose rack has to begin. Who is out has paid what its rack is worth.
    """
    if state.over:
        return state

    def told(racks: Sequence[str]) -> object:
        worths = [worth(rack) for seat, rack in zip(state.seats, racks, strict=True) if seat in state.out]
        return worths, state.step == 1 and begins(racks)

    known = [state.rack(seat) if seat == viewer else "" for seat in state.seats]
    racks, bag = redeal(state.racks, state.bag, known, told, dice)
    return replace(state, racks=racks, bag=bag)


# --- The end ---


def _end_by_rack(so_far: Resolution[State], seat: Seat) -> Resolution[State]:
    return end(so_far.then(so_far.state, *public(say("RACK_EMPTY", seat=seat))), "rack", seat)


def _end_alone(so_far: Resolution[State]) -> Resolution[State]:
    return end(so_far, "last", next(iter(so_far.state.in_play), None))


def end(so_far: Resolution[State], ending: Ending, winner: Seat | None) -> Resolution[State]:
    """End the game: the winner is paid what the others hold. Seats that dropped out have paid already."""
    state = so_far.state
    paid = tuple(
        Payment(payer=seat, receiver=winner, points=points)
        for seat in state.seats
        if winner is not None and seat != winner and seat not in state.out
        if (points := worth(state.rack(seat)) * state.stake)
    )
    after = replace(state, ending=ending, winner=winner, payments=(*state.payments, *paid))
    if not state.in_play:
        return so_far.then(after, *public(say("ALL_LEFT")))
    if winner is None:
        return so_far.then(after, *public(say("NO_WINNER", stake=next_stake(state))))
    sum_paid = counted(sum(payment.points for payment in paid))
    return so_far.then(after, *public(say("WINS", seat=winner, points=sum_paid)))
