"""The rules: the position, how variants differ, and carrying out turns."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from games.api import Outcome, Resolution, Seat, Section, Text, Viewer, private, public, say
from games.base import playing
from games.dice import Dice
from games.shared.phrases import counted, plain
from games.shared.plane import BLANK, Run, Spot, sign_at
from games.shared.racks import BLACK, RED, Exchange, RackState, Tabletop, Wishes, bought_text, counts_text, tiles_text
from games.shared.tiles import POINTS, begins, count_colours, joker_for, redeal
from games.words import Words

RACK: Final = f"{RED}+{BLACK}"
"""Red and black tiles that each seat is dealt."""
Step: TypeAlias = Exchange | Run
"""A joker taken, or a word laid: all its cells as they lie then."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """A turn: exchanges and words in the order of their lines, then purchases. An empty move is a pass."""

    steps: tuple[Step, ...] = ()
    wishes: Wishes = ()


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What everybody saw of a turn."""

    seat: Seat
    round: int
    number: int
    """Which turn of the game it was, from 1."""
    words: tuple[str, ...] = ()
    cells: tuple[Spot, ...] = ()
    """Where new tiles lie."""
    scores: tuple[int, ...] = ()
    """What each word scored as it was laid, where words bring points."""
    refused: tuple[str, ...] = ()
    """Its words that the GM has refused since, where words bring points."""
    red: int = 0
    black: int = 0
    """How many tiles were bought."""
    missed: bool = False
    resigned: bool = False

    @property
    def points(self) -> int:
        """What its words bring, without those that were refused."""
        return sum(score for word, score in zip(self.words, self.scores, strict=False) if word not in self.refused)


@dataclass(frozen=True, kw_only=True)
class State(RackState):
    """A position."""

    round: int = 1
    """How often it has been the starter's turn, or would have been."""
    over: bool = False
    starter: Seat
    first_out: Seat | None = None
    """Who was the first to lay the last tile."""
    passes: int = 0
    """How many turns in a row brought neither a word nor a tile."""
    turns: tuple[Turn, ...] = ()

    def points(self, seat: Seat) -> int:
        """Add up what the words of a seat have scored."""
        return sum(turn.points for turn in self.turns if turn.seat == seat)


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A game with the Typ-Dom tiles on the open board, played in turn."""

    most_bought: int
    """Tiles that one turn may buy."""
    may_pass: bool
    """A turn may pass although there are tiles to buy."""
    second_word_is_duty: bool
    """Who may lay a second word and doesn't, buys a tile."""
    finishes_round: bool
    """A round goes on to its end when a rack is empty."""
    words_score: bool
    """Words bring points for their letters."""
    result: Callable[[State], Outcome]
    """How a game ended."""
    final: Callable[[State], tuple[Section, ...]]
    """How that is shown."""

    def is_last_round(self, state: State) -> bool:
        """Return whether somebody is out, and the round goes on; then nothing can be bought any more."""
        return self.finishes_round and state.first_out is not None

    def may_buy(self, state: State) -> bool:
        """Return whether tiles can be bought."""
        return bool(state.bag) and not self.is_last_round(state)


def score(signs: str) -> int:
    """Add up the values of all letters of a word, those that lay before included; a joker counts nothing."""
    return sum(POINTS.get(sign, 0) for sign in signs)


def new_signs(table: Tabletop, word: Run) -> dict[Spot, str]:
    """Return what a word brings into blank cells."""
    return {
        spot: sign for spot, sign in zip(word.spots, word.signs, strict=True) if sign_at(table.board, spot) == BLANK
    }


def after_step(table: Tabletop, step: Step) -> Tabletop:
    """Carry out a step that was found legal."""
    return table.exchanged(step) if isinstance(step, Exchange) else table.laid(new_signs(table, step))


def carry_out(
    variant: Variant, state: State, move: Move, words: Words, *, missed: bool = False
) -> Resolution[State]:  # fmt: skip
    """Carry out the turn of the seat on turn."""
    seat = state.on_turn
    after, turn = _lay(variant, state, move)
    after, drawn = after.draw_for(seat, move.wishes)
    red, black = count_colours(drawn)
    turn = _judged(replace(turn, red=red, black=black, missed=missed), state.profile, words)
    passes = 0 if turn.words or drawn else state.passes + 1
    exchanged = (step.told(seat) for step in move.steps if isinstance(step, Exchange))
    told = public(*exchanged, *turn_texts(turn))
    drew = private(seat, say("DREW", tiles=tiles_text(drawn))) if drawn else ()
    after = replace(after, turns=(*state.turns, turn), passes=passes)
    return _pass_turn(variant, Resolution(state=after, events=(*told, *drew)))


def _lay(variant: Variant, state: State, move: Move) -> tuple[State, Turn]:
    """Carry out the exchanges and words; return what they amounted to."""
    seat, table = state.on_turn, state.table(state.on_turn)
    words, cells, scores = list[str](), list[Spot](), list[int]()
    for step in move.steps:
        if isinstance(step, Exchange):
            cells.append(step.spot)
        else:
            words.append(step.word)
            cells += new_signs(table, step)
            scores += [score(step.signs)] if variant.words_score else []
        table = after_step(table, step)
    turn = Turn(
        seat=seat, round=state.round, number=state.turn, words=tuple(words), cells=tuple(cells), scores=tuple(scores)
    )
    return state.with_table(seat, table), turn


def miss(variant: Variant, state: State, words: Words) -> Resolution[State]:
    """Carry out an NMR: a tile is bought if there is one to buy."""
    move = Move(wishes=(None,) if variant.may_buy(state) else ())
    return carry_out(variant, state, move, words, missed=True)


def judge_again(state: State, words: Words) -> State:
    """Take away what refused words have scored, and give back what others have; the tiles stay where they lie."""
    return replace(state, turns=tuple(_judged(turn, state.profile, words) for turn in state.turns))


def _judged(turn: Turn, profile: str, words: Words) -> Turn:
    """Note which words of a turn are refused. Where words bring no points, nothing hangs on one."""
    scoring = turn.words if turn.scores else ()
    return replace(turn, refused=tuple(word for word in scoring if words.check(word, profile).status == "refused"))


def leave(variant: Variant, state: State, seat: Seat) -> Resolution[State]:
    """Play on without a seat that was given up: its turn goes to the next one, its rack stays out of play."""
    turn = Turn(seat=seat, round=state.round, number=state.turn, resigned=True)
    after = replace(state, turns=(*state.turns, turn))
    told = say("RESIGNED", seat=seat, tiles=counts_text(*count_colours(state.rack(seat))))
    left = Resolution(state=after, events=public(told))
    if seat == state.on_turn or len(playing(after)) < 2 or _is_over(variant, after, is_new_round=False):
        return _pass_turn(variant, left)
    return left


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Deal the tiles anew that the viewer can't see; before the first turn all know whose rack has to begin."""
    if state.over:
        return state
    known = [state.rack(seat) if seat == viewer else _taken(state, seat) for seat in state.seats]
    racks, bag = redeal(state.racks, state.bag, known, lambda racks: not state.turns and begins(racks), dice)
    return replace(state, racks=racks, bag=bag)


def _taken(state: State, seat: Seat) -> str:
    """Return the jokers that a seat has taken from the board and not laid yet: everybody has seen that."""
    cells = [(turn.seat, cell) for turn in state.turns for cell in turn.cells]
    takers = {}
    for at, (taker, cell) in enumerate(cells):
        if any(cell == laid for _, laid in cells[:at]):
            takers[joker_for(sign_at(state.board, cell))] = taker
    return "".join(joker for joker, taker in takers.items() if taker == seat and joker in state.rack(seat))


def turn_texts(turn: Turn) -> tuple[Text, ...]:
    """Return what everybody saw of a turn."""
    tell = partial(say, seat=turn.seat, in_round=turn.number)
    if turn.resigned:
        return (tell("HAS_RESIGNED"),)
    texts = list[Text]()
    if turn.scores:
        texts.append(tell("LAID_FOR", words=word_text(turn), points=counted(turn.points)))
    elif turn.words:
        texts.append(tell("LAID", words=word_text(turn)))
    if turn.red or turn.black:
        texts.append(tell("NMR_BOUGHT" if turn.missed else "BOUGHT", tiles=bought_text(turn.red, turn.black)))
    return tuple(texts) or (tell("NMR_PASSED" if turn.missed else "PASSED"),)


def word_text(turn: Turn) -> Text:
    """Write one word or two: `TIER`, `TIER und EIS`."""
    if len(turn.words) == 2:
        return say("WORD_AND_WORD", first=turn.words[0], second=turn.words[1])
    return plain(" ".join(turn.words))


def _pass_turn(variant: Variant, so_far: Resolution[State]) -> Resolution[State]:
    """Pass the turn on, or end the game."""
    state, seat = so_far.state, so_far.state.on_turn
    out = not state.rack(seat) and seat in playing(state)
    if out:
        state = replace(state, first_out=state.first_out or seat)
        so_far = so_far.then(state, *public(say("OUT", seat=seat)))
    following = next((one for one in state.after(seat) if one in playing(state)), seat)
    is_new_round = _place(state, following) <= _place(state, seat)
    if len(playing(state)) < 2 or _is_over(variant, state, is_new_round=is_new_round):
        return _end_game(variant, so_far)
    if out and state.first_out == seat:
        so_far = so_far.then(state, *public(say("ROUND_GOES_ON")))
    return so_far.then(replace(state, turn=state.turn + 1, on_turn=following, round=state.round + is_new_round))


def _place(state: State, seat: Seat) -> int:
    """Count how many seats after the starter this one comes in a round."""
    return (state.seats.index(seat) - state.seats.index(state.starter)) % len(state.seats)


def _is_over(variant: Variant, state: State, *, is_new_round: bool) -> bool:
    """Return whether the game is over: somebody is out, or nobody lays any more. A last round may have to end first."""
    return (state.first_out is not None or _is_stuck(state)) and (is_new_round or not variant.finishes_round)


def _is_stuck(state: State) -> bool:
    """Return whether nobody lays any more: all passed in a row with an empty bag, or twice in a row (rulings 2)."""
    return state.passes >= len(playing(state)) * (2 if state.bag else 1)


def _end_game(variant: Variant, so_far: Resolution[State]) -> Resolution[State]:
    over = replace(so_far.state, over=True)
    standings = variant.result(over).standings
    texts = tuple(say("RESULT", seat=line.seat, points=counted(line.points or 0)) for line in standings)
    return so_far.then(over, *public(say("OVER", results=texts)))
