"""Carrying out turns: what changes, who hears what, whose turn it is next, and when it is over."""

from collections.abc import Sequence, Set
from dataclasses import replace

from games import ranking
from games.api import EVERYONE, Event, Resolution, Seat, Text, say
from games.plane import cell_name
from games.tiles import count_colours, draw, in_order
from games.typ_dom.pictures import colours_text, points_text, rack_text, word_text
from games.typ_dom.state import NOBODY, Exchange, Laying, Move, State, Turn
from games.typ_dom.table import Table, new_signs, score
from games.typ_dom.variant import Variant


def carry_out(variant: Variant, state: State, move: Move, *, missed: bool = False) -> Resolution[State]:
    """Carry out the turn of the seat that is due."""
    seat = state.seat
    table, done = _stepped(variant, state, move)
    drawn, bag = draw(state.bag, move.wishes)
    red, black = count_colours(drawn)
    turn = replace(done, red=red, black=black, missed=missed)
    after = replace(
        state,
        rows=table.rows,
        racks=_with(state.racks, seat, in_order(table.rack + drawn)),
        bag=bag,
        turns=(*state.turns, turn),
        passes=0 if turn.words or drawn else state.passes + 1,
    )
    events = (*_exchange_events(seat, move), *_turn_events(variant, turn), *_drawn_events(seat, drawn))
    return _with_next(variant, after, events)


def give_up(state: State, seats: Set[Seat]) -> State:
    """Mark seats as given up."""
    return replace(state, gone=(*state.gone, *sorted(seats - {*state.gone})))


def resign(variant: Variant, state: State, seat: Seat) -> Resolution[State]:
    """Play on without a seat: its turn goes to the next one, its rack stays out of play."""
    if state.over or seat not in state.playing:
        return Resolution(state=state)
    turn = Turn(seat=seat, round=state.round, resigned=True)
    after = replace(give_up(state, {seat}), turns=(*state.turns, turn))
    event = public(say("RESIGNED", seat=seat, tiles=colours_text(*count_colours(state.rack(seat)))))
    if seat == state.seat or len(after.playing) < 2 or _is_over(variant, after, is_new_round=False):
        return _with_next(variant, after, (event,))
    return Resolution(state=after, events=(event,))


def nmr_move(variant: Variant, state: State) -> Move:
    """What happens without a move: a tile is bought, where tiles are still bought."""
    return Move(wishes=(None,) if may_buy(variant, state) else ())


def may_buy(variant: Variant, state: State) -> bool:
    """Ask whether there is anything to buy: not from an empty bag, and not in a round that is only finished."""
    return bool(state.bag) and not (variant.finishes_round and state.first_out)


def public(text: Text) -> Event:
    """An event for everybody."""
    return Event(text=text, readers=EVERYONE)


def _with(racks: Sequence[str], seat: Seat, rack: str) -> tuple[str, ...]:
    return (*racks[: seat - 1], rack, *racks[seat:])


def _stepped(variant: Variant, state: State, move: Move) -> tuple[Table, Turn]:
    """Carry out the exchanges and words; give what they amounted to."""
    table = Table(rows=state.rows, rack=state.rack(state.seat))
    words, cells, points = list[str](), list[str](), 0
    for step in move.steps:
        if isinstance(step, Laying):
            words.append(step.signs.upper())
            cells += [cell_name(spot) for spot in new_signs(table.rows, step)]
            points += score(step.signs) if variant.words_score else 0
        else:
            cells.append(step.cell)
        table = table.after(step)
    return table, Turn(seat=state.seat, round=state.round, words=tuple(words), cells=tuple(cells), points=points)


def _exchange_events(seat: Seat, move: Move) -> tuple[Event, ...]:
    exchanges = (step for step in move.steps if isinstance(step, Exchange))
    return tuple(public(say("EXCHANGED", seat=seat, cell=step.cell, letter=step.letter)) for step in exchanges)


def _turn_events(variant: Variant, turn: Turn) -> tuple[Event, ...]:
    return tuple(public(text) for text in turn_texts(turn, words_score=variant.words_score))


def turn_texts(turn: Turn, *, words_score: bool) -> tuple[Text, ...]:
    """Say what everybody saw of a turn."""
    if turn.resigned:
        return (say("HAS_RESIGNED", seat=turn.seat),)
    tiles, texts = colours_text(turn.red, turn.black), list[Text]()
    if turn.words and words_score:
        texts.append(say("LAID_FOR", seat=turn.seat, words=word_text(turn.words), points=points_text(turn.points)))
    elif turn.words:
        texts.append(say("LAID", seat=turn.seat, words=word_text(turn.words)))
    if turn.red or turn.black:
        texts.append(say("NMR_BOUGHT" if turn.missed else "BOUGHT", seat=turn.seat, tiles=tiles))
    return tuple(texts) or (say("NMR_PASSED" if turn.missed else "PASSED", seat=turn.seat),)


def _drawn_events(seat: Seat, drawn: str) -> tuple[Event, ...]:
    return (Event(text=say("DREW", tiles=rack_text(drawn)), readers=frozenset({seat})),) if drawn else ()


def _with_next(variant: Variant, state: State, events: tuple[Event, ...]) -> Resolution[State]:
    """Pass the turn on, or end the game."""
    out = not state.rack(state.seat) and state.seat in state.playing
    if out:
        events = (*events, public(say("OUT", seat=state.seat)))
        state = replace(state, first_out=state.first_out or state.seat)
    following = _following(state)
    is_new_round = following is not None and _offset(state, following) <= _offset(state, state.seat)
    if following is None or _is_over(variant, state, is_new_round=is_new_round):
        return _ended(variant, state, events)
    if out and state.first_out == state.seat:
        events = (*events, public(say("ROUND_GOES_ON")))
    after = replace(state, turn=state.turn + 1, seat=following, round=state.round + is_new_round)
    return Resolution(state=after, events=events)


def _offset(state: State, seat: Seat) -> int:
    """Count how many seats after the starter this one comes in a round."""
    return (seat - state.starter) % len(state.racks)


def _following(state: State) -> Seat | None:
    """Say whose turn comes next; None where hardly anybody is left."""
    if len(state.playing) < 2:
        return None
    return min(state.playing, key=lambda seat: (seat - state.seat - 1) % len(state.racks))


def _is_over(variant: Variant, state: State, *, is_new_round: bool) -> bool:
    """Somebody is out, or nobody lays any more: at once, or where a round is finished, at its end."""
    return (state.first_out != NOBODY or _is_stuck(state)) and (is_new_round or not variant.finishes_round)


def _is_stuck(state: State) -> bool:
    """Nobody lays any more: all have passed in a row with nothing left to buy, or twice round (rulings 2)."""
    return state.passes >= len(state.playing) * (2 if state.bag else 1)


def _ended(variant: Variant, state: State, events: tuple[Event, ...]) -> Resolution[State]:
    over = replace(state, over=True)
    points = variant.settle(over)
    order = ranking.standings(dict(zip(over.seats, points, strict=True)), over.gone)
    texts = tuple(say("RESULT", seat=line.seat, points=points_text(points[line.seat - 1])) for line in order)
    return Resolution(state=over, events=(*events, public(say("OVER", results=texts))))
