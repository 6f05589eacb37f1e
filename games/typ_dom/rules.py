"""The rules: the position, how variants differ, and carrying out turns."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeAlias

from games.api import Event, Resolution, Rules, Seat, Section, Text, Viewer, Wording, private, public, say
from games.dice import Dice
from games.shared import ranking
from games.shared.phrases import plain
from games.shared.plane import (
    BLANK,
    EMPTY,
    Direction,
    Rows,
    Spot,
    cell_name,
    lay,
    sign_at,
    spot_named,
)
from games.shared.profiles import TYPDOM
from games.shared.tiles import (
    POINTS,
    Colour,
    begins,
    count_colours,
    draw,
    in_order,
    joker_for,
    redeal,
    shown,
    tile_of,
    without,
)
from games.words import Words

NOBODY: Final = Seat(0)


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A joker taken from the board for the letter that it stands for."""

    cell: str
    letter: str


@dataclass(frozen=True, kw_only=True)
class Laying:
    """A word laid: all its cells as they lie then, jokers as small letters."""

    start: str
    direction: Direction
    signs: str


Step: TypeAlias = Exchange | Laying


@dataclass(frozen=True, kw_only=True)
class Move:
    """A turn: exchanges and words in the order of their lines, then purchases. An empty move is a pass."""

    steps: tuple[Step, ...] = ()
    wishes: tuple[Colour | None, ...] = ()
    """The colours of the tiles to buy, None for any."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What everybody saw of a turn."""

    seat: Seat
    round: int
    number: int = 0
    """Which turn of the game it was, from 1."""
    words: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    """Where new tiles lie."""
    points: int = 0
    """What its words bring, without those that the GM has refused since."""
    scores: tuple[int, ...] = ()
    """What each word scored as it was laid, where words bring points."""
    refused: tuple[str, ...] = ()
    """Its words that the GM has refused since."""
    red: int = 0
    black: int = 0
    """How many tiles were bought."""
    missed: bool = False
    resigned: bool = False


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Tuples run over the seats, 1 first."""

    turn: int = 1
    round: int = 1
    """How often it has been the starter's turn, or would have been."""
    over: bool = False
    words: str = TYPDOM.name
    stake: int = 1
    starter: Seat
    seat: Seat
    """Whose turn it is, or was last."""
    racks: tuple[str, ...]
    bag: str
    """The tiles left, in their drawn order."""
    rows: Rows = EMPTY
    gone: tuple[Seat, ...] = ()
    """Who has resigned; their racks are out of play."""
    first_out: Seat = NOBODY
    """Who was the first to lay the last tile."""
    passes: int = 0
    """How many turns in a row brought neither a word nor a tile."""
    turns: tuple[Turn, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, also those that have resigned."""
        return tuple(Seat(number) for number in range(1, len(self.racks) + 1))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are still in play."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def rack(self, seat: Seat) -> str:
        """Return the tiles of a seat."""
        return self.racks[seat - 1]

    def points(self, seat: Seat) -> int:
        """Add up what the words of a seat have scored."""
        return sum(turn.points for turn in self.turns if turn.seat == seat)


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A game with the Typ-Dom tiles on the open board, played in turn."""

    rules: Rules
    wording: Wording
    rack: Callable[[Mapping[str, Any], int], tuple[int, int]]
    """Red and black tiles of a rack by the options and the number of seats. Raises SetupError."""
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
    winners: Callable[[State], tuple[Seat, ...]]
    """Who has won."""
    settle: Callable[[State], tuple[int, ...]]
    """The points of all seats in the end."""
    final: Callable[[State, tuple[int, ...]], tuple[Section, ...]]
    """How the settlement is shown."""
    how_to: tuple[str, ...]
    in_short: tuple[str, ...]
    """The codes of what a seat on turn is told."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """What lies, and what is in hand."""

    rows: Rows
    rack: str

    def after(self, step: Step) -> "Table":
        """Carry out a step that was found legal."""
        return self._exchanged(step) if isinstance(step, Exchange) else self._laid(step)

    def _exchanged(self, step: Exchange) -> "Table":
        left = without(self.rack, step.letter) or ""
        rows = lay(self.rows, {named(step.cell): step.letter})
        return Table(rows=rows, rack=in_order(left + joker_for(step.letter)))

    def _laid(self, step: Laying) -> "Table":
        new = new_signs(self.rows, step)
        left = without(self.rack, "".join(tile_of(sign) for sign in new.values()))
        return replace(self, rows=lay(self.rows, new), rack=left or "")


def named(cell: str) -> Spot:
    """Find a cell that a move names."""
    spot = spot_named(cell)
    if spot is None:
        raise ValueError(f"no cell: {cell}")
    return spot


def spots_of(step: Laying) -> tuple[Spot, ...]:
    """Return the cells of a word."""
    return tuple(named(step.start).moved(step.direction, at) for at in range(len(step.signs)))


def new_signs(rows: Rows, step: Laying) -> dict[Spot, str]:
    """Return what a word brings into blank cells."""
    return {spot: sign for spot, sign in zip(spots_of(step), step.signs, strict=True) if sign_at(rows, spot) == BLANK}


def score(signs: str) -> int:
    """Add up the values of all letters of a word, those that lay before included; a joker counts nothing."""
    return sum(POINTS.get(sign, 0) for sign in signs)


def carry_out(
    variant: Variant, state: State, move: Move, words: Words, *, missed: bool = False
) -> Resolution[State]:  # fmt: skip
    """Carry out the turn of the seat that is due."""
    seat = state.seat
    table, laid = _carry_out_steps(variant, state, move)
    done = _judged(laid, state.words, words)
    drawn, bag = draw(state.bag, move.wishes)
    red, black = count_colours(drawn)
    turn = replace(done, number=state.turn, red=red, black=black, missed=missed)
    after = replace(
        state,
        rows=table.rows,
        racks=_with(state.racks, seat, in_order(table.rack + drawn)),
        bag=bag,
        turns=(*state.turns, turn),
        passes=0 if turn.words or drawn else state.passes + 1,
    )
    events = (*_exchange_events(seat, move), *_turn_events(variant, turn), *_drawn_events(seat, drawn))
    return _pass_turn(variant, after, events)


def judge_again(state: State, words: Words) -> State:
    """Take away what refused words have scored, and give back what others have; the tiles stay where they lie."""
    return replace(state, turns=tuple(_judged(turn, state.words, words) for turn in state.turns))


def _judged(turn: Turn, profile: str, words: Words) -> Turn:
    """Count the words of a turn that aren't refused. Where no scores are known for each, nothing hangs on a word."""
    if not turn.scores:
        return turn
    refused = tuple(word for word in turn.words if words.check(word, profile).status == "refused")
    scores = zip(turn.words, turn.scores, strict=True)
    return replace(turn, refused=refused, points=sum(score for word, score in scores if word not in refused))


def give_up(state: State, seats: Set[Seat]) -> State:
    """Mark seats as given up."""
    return replace(state, gone=(*state.gone, *sorted(seats - {*state.gone})))


def resign(variant: Variant, state: State, seat: Seat) -> Resolution[State]:
    """Play on without a seat: its turn goes to the next one, its rack stays out of play."""
    if state.over or seat not in state.playing:
        return Resolution(state=state)
    turn = Turn(seat=seat, round=state.round, number=state.turn, resigned=True)
    after = replace(give_up(state, {seat}), turns=(*state.turns, turn))
    events = public(say("RESIGNED", seat=seat, tiles=colours_text(*count_colours(state.rack(seat)))))
    if seat == state.seat or len(after.playing) < 2 or _is_over(variant, after, is_new_round=False):
        return _pass_turn(variant, after, events)
    return Resolution(state=after, events=events)


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
            takers[joker_for(sign_at(state.rows, named(cell)))] = taker
    return "".join(joker for joker, taker in takers.items() if taker == seat and joker in state.rack(seat))


def nmr_move(variant: Variant, state: State) -> Move:
    """Return the move of a seat that sent none: it buys a tile if it can."""
    return Move(wishes=(None,) if may_buy(variant, state) else ())


def may_buy(variant: Variant, state: State) -> bool:
    """Return whether tiles can be bought: not from an empty bag, and not in the last round."""
    return bool(state.bag) and not (variant.finishes_round and state.first_out)


def _with(racks: Sequence[str], seat: Seat, rack: str) -> tuple[str, ...]:
    return (*racks[: seat - 1], rack, *racks[seat:])


def _carry_out_steps(variant: Variant, state: State, move: Move) -> tuple[Table, Turn]:
    """Carry out the exchanges and words; give what they amounted to."""
    table = Table(rows=state.rows, rack=state.rack(state.seat))
    words, cells, scores = list[str](), list[str](), list[int]()
    for step in move.steps:
        if isinstance(step, Laying):
            words.append(step.signs.upper())
            cells += [cell_name(spot) for spot in new_signs(table.rows, step)]
            scores += [score(step.signs)] if variant.words_score else []
        else:
            cells.append(step.cell)
        table = table.after(step)
    return table, Turn(
        seat=state.seat, round=state.round, words=tuple(words), cells=tuple(cells), points=sum(scores),
        scores=tuple(scores),
    )  # fmt: skip


def _exchange_events(seat: Seat, move: Move) -> tuple[Event, ...]:
    exchanges = (step for step in move.steps if isinstance(step, Exchange))
    return public(*(say("EXCHANGED", seat=seat, cell=step.cell, letter=step.letter) for step in exchanges))


def _turn_events(variant: Variant, turn: Turn) -> tuple[Event, ...]:
    return public(*turn_texts(turn, words_score=variant.words_score))


def turn_texts(turn: Turn, *, words_score: bool) -> tuple[Text, ...]:
    """Return what everybody saw of a turn."""
    tell = partial(say, seat=turn.seat, in_round=turn.number)
    if turn.resigned:
        return (tell("HAS_RESIGNED"),)
    texts = list[Text]()
    if turn.words and words_score:
        texts.append(tell("LAID_FOR", words=word_text(turn.words), points=points_text(turn.points)))
    elif turn.words:
        texts.append(tell("LAID", words=word_text(turn.words)))
    if turn.red or turn.black:
        texts.append(tell("NMR_BOUGHT" if turn.missed else "BOUGHT", tiles=bought_text(turn.red, turn.black)))
    return tuple(texts) or (tell("NMR_PASSED" if turn.missed else "PASSED"),)


def _drawn_events(seat: Seat, drawn: str) -> tuple[Event, ...]:
    return private(seat, say("DREW", tiles=rack_text(drawn))) if drawn else ()


def _pass_turn(variant: Variant, state: State, events: tuple[Event, ...]) -> Resolution[State]:
    """Pass the turn on, or end the game."""
    out = not state.rack(state.seat) and state.seat in state.playing
    if out:
        events = (*events, *public(say("OUT", seat=state.seat)))
        state = replace(state, first_out=state.first_out or state.seat)
    following = _next_seat(state)
    is_new_round = following is not None and _offset(state, following) <= _offset(state, state.seat)
    if following is None or _is_over(variant, state, is_new_round=is_new_round):
        return _end_game(variant, state, events)
    if out and state.first_out == state.seat:
        events = (*events, *public(say("ROUND_GOES_ON")))
    after = replace(state, turn=state.turn + 1, seat=following, round=state.round + is_new_round)
    return Resolution(state=after, events=events)


def _offset(state: State, seat: Seat) -> int:
    """Count how many seats after the starter this one comes in a round."""
    return (seat - state.starter) % len(state.racks)


def _next_seat(state: State) -> Seat | None:
    """Return whose turn comes next; None where hardly anybody is left."""
    if len(state.playing) < 2:
        return None
    return min(state.playing, key=lambda seat: (seat - state.seat - 1) % len(state.racks))


def _is_over(variant: Variant, state: State, *, is_new_round: bool) -> bool:
    """Return whether the game is over: somebody is out, or nobody lays any more. A last round may have to end first."""
    return (state.first_out != NOBODY or _is_stuck(state)) and (is_new_round or not variant.finishes_round)


def _is_stuck(state: State) -> bool:
    """Return whether nobody lays any more: all passed in a row with an empty bag, or twice in a row (rulings 2)."""
    return state.passes >= len(state.playing) * (2 if state.bag else 1)


def _end_game(variant: Variant, state: State, events: tuple[Event, ...]) -> Resolution[State]:
    over = replace(state, over=True)
    points = variant.settle(over)
    order = ranking.standings(dict(zip(over.seats, points, strict=True)), over.gone)
    texts = tuple(say("RESULT", seat=line.seat, points=points_text(points[line.seat - 1])) for line in order)
    return Resolution(state=over, events=(*events, *public(say("OVER", results=texts))))


# -- what several modules say ------------------------------------------------------------------------------------------


def points_text(points: int) -> Text:
    """Write `1 Punkt`, `90 Punkte`."""
    return say("POINT", points=points) if abs(points) == 1 else say("POINTS", points=points)


def colours_text(red: int, black: int) -> Text:
    """Write a number of tiles: `1 rot`, `2 rot, 1 schwarz`."""
    parts = [say("RED", number=red)] if red else []
    parts += [say("BLACK", number=black)] if black else []
    return say("LISTED", parts=tuple(parts)) if parts else say("NONE")


def bought_text(red: int, black: int) -> Text:
    """Write the tiles that somebody buys: `einen roten Stein und 2 schwarze Steine`."""
    reds = say("REDS", number=red) if red > 1 else say("ONE_RED")
    blacks = say("BLACKS", number=black) if black > 1 else say("ONE_BLACK")
    return say("BOTH_COLOURS", red=reds, black=blacks) if red and black else reds if red else blacks


def rack_text(tiles: str) -> Text:
    """Write tiles with their colours: `rot E I *, schwarz D F`."""
    red, _ = count_colours(tiles)
    row = shown(tiles).replace(" ", "")
    parts = [say("RED_TILES", tiles=" ".join(row[:red]))] if red else []
    parts += [say("BLACK_TILES", tiles=" ".join(row[red:]))] if row[red:] else []
    return say("LISTED", parts=tuple(parts)) if parts else say("NONE")


def word_text(words: Sequence[str]) -> Text:
    """Write one word or two: `TIER`, `TIER und EIS`."""
    if len(words) == 2:
        return say("WORD_AND_WORD", first=words[0], second=words[1])
    return plain(" ".join(words))
