"""Carrying out turns: buying, laying, handing over, finishing a word, dropping out, the end.

Every function takes a state and gives the next one with its events.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from games.api import Event, Resolution, Seat, Text, private, public, say
from games.shared.plane import BLANK, Spot, cell_name, lay
from games.shared.tiles import colour, draw, in_order, joker_for, on_board, without, worth
from games.shared.wordfinder import tiles_for
from games.wer_behaelt_recht.rules import (
    Ending,
    Finished,
    Fragment,
    Judge,
    Laying,
    Move,
    News,
    Payment,
    Purchase,
    State,
    as_finished,
    counted,
    missing,
    side_text,
    sign_of,
    tile_name,
)
from games.wer_behaelt_recht.trial import Trial, try_move


@dataclass(frozen=True, kw_only=True)
class Course:
    """A state, and what has happened on the way to it."""

    state: State
    events: tuple[Event, ...] = ()

    def then(self, state: State, *events: Event) -> "Course":
        """Go on to another state."""
        return Course(state=state, events=(*self.events, *events))

    @property
    def resolution(self) -> Resolution[State]:
        """What the contract asks for."""
        return Resolution(state=self.state, events=self.events)


def carry_out(state: State, seat: Seat, move: Move, judge: Judge) -> Course:
    """Carry out a move. One that isn't legal (any more) changes nothing."""
    trial = try_move(state, seat, move, judge)
    if seat != state.on_turn or state.over or trial.problems:
        return Course(state=state, events=private(seat, say("TOO_LATE")))
    racks = _racks(state, seat, trial.rack)
    course = Course(state=replace(state, racks=racks, board=trial.board, step=state.step + 1, new=trial.new))
    for exchange in move.exchanges:
        told = say("EXCHANGED", seat=seat, cell=cell_name(exchange.spot), letter=exchange.letter)
        course = course.then(replace(course.state, news=News(code="EXCHANGED", seat=seat)), *public(told))
    if move.buys:
        course = bought(course, seat, move.buys)
    if move.laying:
        return _after_tiles(course, seat, move, move.laying, trial)
    if move.passes:
        return _handed_on(course, seat, say("PASSES", seat=seat), News(code="PASSED", seat=seat))
    return course


def _racks(state: State, seat: Seat, rack: str) -> tuple[str, ...]:
    return tuple(rack if owner == seat else held for owner, held in zip(state.seats, state.racks, strict=True))


def bought(course: Course, seat: Seat, wish: Purchase) -> Course:
    """Draw a tile; all see its back, one sees its face."""
    state = course.state
    tile, bag = draw(state.bag, [wish if wish in ("red", "black") else None])
    rack = in_order(state.rack(seat) + tile)
    after = replace(state, racks=_racks(state, seat, rack), bag=bag, bought=True, news=News(code="BOUGHT", seat=seat))
    back = say("RED" if colour(tile) == "red" else "BLACK")
    seen, face = say("BUYS", seat=seat, colour=back), say("DREW", tile=tile_name(tile))
    return course.then(after, *public(seen), *private(seat, face))


def missed(state: State) -> Course:
    """The ZAT has come: one tile is bought, and the turn passes."""
    seat = state.on_turn
    told = say("NMR", seat=seat)
    course = Course(state=replace(state, step=state.step + 1, new=()), events=public(told))
    if state.bag and not state.bought:
        course = bought(course, seat, "any")
    return _handed_on(course, seat, None, News(code="MISSED", seat=seat))


def _handed_on(course: Course, seat: Seat, told: Text | None, news: News) -> Course:
    """End a turn without a tile; when everybody has passed in a row, the game is over."""
    state = course.state
    passed = 0 if state.bought else state.passed + 1
    course = course.then(
        replace(state, passed=passed, barren=state.barren + 1, news=news), *(public(told) if told else ())
    )
    if passed >= len(state.in_play) and not state.open:
        return _ended_by_points(course)
    return handed_over(course, state.after(seat))


def _after_tiles(course: Course, seat: Seat, move: Move, laying: Laying, trial: Trial) -> Course:
    """Tell what was laid, and see whether the game or the word is over."""
    word = trial.open.word if trial.open else trial.finished.word if trial.finished else ""
    code = "ANNOUNCES" if laying.word else "LAYS"
    told = [say(code, seat=seat, tile=sign_of(laying), word=word, **_where(laying))]
    if move.premium:
        side = side_text(move.premium.side)
        told.append(say("LAYS_MORE", seat=seat, tile=sign_of(move.premium), side=side, word=word))
    news = News(code=code, seat=seat, letter=sign_of(laying), word=word)
    after = replace(course.state, open=trial.open, passed=0, barren=0, news=news)
    course = course.then(after, *public(*told))
    if trial.finished:
        return _word_finished(course, seat, trial.finished, at_once=trial.at_once)
    return _ended_by_rack(course, seat) if _is_empty(course, seat) else handed_over(course, after.after(seat))


def _where(laying: Laying) -> dict[str, Text]:
    if laying.cell:
        return {"side": say("CROSSING", cell=cell_name(laying.cell), side=side_text(laying.side))}
    return {"side": side_text(laying.side) if laying.side else say("CENTRE")}


def _is_empty(course: Course, seat: Seat) -> bool:
    return not course.state.rack(seat)


def _word_finished(course: Course, seat: Seat, word: Finished, *, at_once: bool) -> Course:
    """A word is whole: its owner starts the next one, or, where the announcing tile made it whole, the next seat."""
    state = replace(course.state, open=None, finished=(*course.state.finished, word))
    course = course.then(state, *public(say("WORD_DONE", word=word.word)))
    if not state.rack(seat):
        return _ended_by_rack(course, seat)
    others = state.after(word.owner)
    return handed_over(course, others if at_once else (word.owner, *others))


def handed_over(course: Course, order: Sequence[Seat]) -> Course:
    """Give the turn to the first of these seats that is in play; the owner of the open word must make it true."""
    for seat in order:
        state = course.state
        if state.open and state.open.owner == seat:
            return _returned(course, seat, state.open)
        if seat in state.in_play:
            return course.then(_turn_of(state, seat), *public(say("ON_TURN", seat=seat)))
    return course.then(replace(course.state, ending="last"))


def _turn_of(state: State, seat: Seat) -> State:
    return replace(state, turn=state.turn + 1, on_turn=seat, bought=False)


def _returned(course: Course, seat: Seat, fragment: Fragment) -> Course:
    """The announcement has come round: its owner lays all that lacks, or drops out."""
    state = course.state
    for start in fragment.starts:
        lacking = missing(fragment, state.board, start)
        tiles = tiles_for("".join(lacking.values()), state.rack(seat))
        if tiles is not None and seat in state.in_play:
            signs = {
                spot: on_board(letter, joker=tile != letter)
                for (spot, letter), tile in zip(lacking.items(), tiles, strict=True)
            }
            return _completed(course, seat, fragment, signs, tiles)
    if seat in state.in_play:
        course = _dropped(course, seat, fragment)
    course = _taken_off(course, fragment)
    if len(course.state.in_play) < 2:
        return ended(course, "last", next(iter(course.state.in_play), None))
    return handed_over(course, state.after(seat))


def _completed(course: Course, seat: Seat, fragment: Fragment, signs: dict[Spot, str], tiles: str) -> Course:
    state = course.state
    board = lay(state.board, signs)
    rack = without(state.rack(seat), tiles) or ""
    after = replace(
        state,
        board=board,
        racks=_racks(state, seat, rack),
        new=(*state.new, *signs),
        open=None,
        passed=0,
        barren=0,
        finished=(*state.finished, as_finished(fragment, board)),
        news=News(code="COMPLETES", seat=seat, word=fragment.word),
    )
    letters = " ".join(signs.values()).upper()
    course = course.then(after, *public(say("COMPLETES", seat=seat, word=fragment.word, tiles=letters)))
    if not rack:
        return _ended_by_rack(course, seat)
    return course.then(_turn_of(after, seat), *public(say("ON_TURN", seat=seat)))


def _dropped(course: Course, seat: Seat, fragment: Fragment) -> Course:
    """Whoever can't make the own word true pays everybody still in play what the rack is worth, and is out."""
    state = course.state
    points = sum(worth(tile) for tile in state.rack(seat)) * state.stake
    others = tuple(other for other in state.in_play if other != seat)
    paid = tuple(Payment(payer=seat, receiver=other, points=points) for other in others)
    after = replace(
        state,
        out=(*state.out, seat),
        payments=(*state.payments, *paid),
        passed=0,
        barren=0,
        news=News(code="DROPS", seat=seat, word=fragment.word),
    )
    told = say("DROPS", seat=seat, word=fragment.word, points=counted(points))
    return course.then(after, *public(told))


def _taken_off(course: Course, fragment: Fragment) -> Course:
    """Take the tiles of a fragment from the board; what lay before it stays."""
    state = course.state
    tiles = "".join(state.board[spot.row][spot.column] for spot in fragment.laid)
    gone = "".join(joker_for(sign.upper()) if sign.islower() else sign for sign in tiles)
    board = lay(state.board, dict.fromkeys(fragment.laid, BLANK))
    after = replace(state, board=board, open=None, gone=in_order(state.gone + gone))
    return course.then(after, *public(say("TAKEN_OFF", word=fragment.word, tiles=" ".join(tiles.upper()))))


def given_up(state: State, seats: AbstractSet[Seat]) -> State:
    """Mark seats as given up."""
    return replace(state, resigned=(*state.resigned, *sorted(seats - {*state.resigned})))


def resigned(state: State, seat: Seat) -> Course:
    """Play on without a seat; its rack still counts for the winner."""
    after = replace(given_up(state, {seat}), step=state.step + 1)
    course = Course(state=after, events=public(say("RESIGNED", seat=seat)))
    if len(after.in_play) < 2:
        return ended(course, "last", next(iter(after.in_play), None))
    return handed_over(course, after.after(seat)) if state.on_turn == seat else course


# --- The end ---


def _ended_by_rack(course: Course, seat: Seat) -> Course:
    return ended(course.then(course.state, *public(say("RACK_EMPTY", seat=seat))), "rack", seat)


def _ended_by_points(course: Course) -> Course:
    """Everybody passed in a row: the fewest points in hand win; equal ones mean no winner."""
    state = course.state
    held = {seat: sum(worth(tile) for tile in state.rack(seat)) for seat in state.in_play}
    fewest = [seat for seat, points in held.items() if points == min(held.values())]
    course = course.then(state, *public(say("ALL_PASSED")))
    return ended(course, "passed", fewest[0] if len(fewest) == 1 else None)


def ended(course: Course, ending: Ending, winner: Seat | None) -> Course:
    """End the game: the winner is paid what the others hold; who dropped out has paid already."""
    state = course.state
    paid = tuple(
        Payment(payer=seat, receiver=winner, points=points)
        for seat in state.seats
        if winner is not None and seat != winner and seat not in state.out
        if (points := sum(worth(tile) for tile in state.rack(seat)) * state.stake)
    )
    after = replace(state, ending=ending, winner=winner, payments=(*state.payments, *paid))
    if not state.in_play:
        return course.then(after, *public(say("ALL_LEFT")))
    if winner is None:
        return course.then(after, *public(say("NO_WINNER", stake=say(f"STAKE_{min(2 * state.stake, 4)}"))))
    sum_paid = counted(sum(payment.points for payment in paid))
    return course.then(after, *public(say("WINS", seat=winner, points=sum_paid)))
