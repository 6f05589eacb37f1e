"""Closing a round: secrets are hidden in round 0, then both guesses are answered together."""

from collections.abc import Mapping
from dataclasses import replace

from games.api import EVERYONE, Event, Resolution, Seat, Text, say
from games.combinato.hits import count
from games.combinato.scoring import winners
from games.combinato.state import SEATS, SILENT_ROUNDS, Move, Row, State, other
from games.combinato.variant import Variant
from games.dice import Dice
from games.words import Words


def hide(variant: Variant, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:
    """Close round 0: take the secrets, draw those that are missing, send equal ones back."""
    sent = {seat: moves[seat].word for seat in SEATS if seat in moves}
    secrets, events = dict(sent), list[Event]()
    if len(sent) == len(SEATS) and len(set(sent.values())) == 1:
        # Nobody may lay the own secret, so with equal ones nobody could ever win. No reason is given, only to them.
        told = Event(text=say("ANOTHER_SECRET"), readers=frozenset(SEATS))
        return Resolution(state=replace(state, returned=(*state.returned, sent[SEATS[0]])), events=(told,))
    for seat in SEATS:
        if seat not in sent:
            drawn = variant.draw(state, (*state.returned, *secrets.values()), dice, words)
            secrets[seat] = drawn
            events.append(_public(say("NMR_SECRET", seat=seat)))
            events.append(Event(text=say("DRAWN", word=drawn), readers=frozenset({seat})))
    first, second = (secrets[seat] for seat in SEATS)
    return Resolution(state=replace(state, round=1, secrets=(first, second)), events=tuple(events))


def answer(state: State, moves: Mapping[Seat, Move]) -> Resolution[State]:
    """Close a round of guesses. Who finds the secret wins; both at once, or nobody trying any more, is a draw."""
    first, second = (_guessed(state, seat, moves.get(seat)) for seat in SEATS)
    missed = tuple(old if seat in moves else (*old, state.round) for seat, old in zip(SEATS, state.missed, strict=True))
    state = replace(state, rows=(first, second), missed=(missed[0], missed[1]))
    texts = [_answered(state, seat, moves.get(seat)) for seat in SEATS]
    ending = _ending(state)
    if ending:
        return Resolution(state=replace(state, over=True), events=tuple(map(_public, (*texts, *ending))))
    return Resolution(state=replace(state, round=state.round + 1), events=tuple(map(_public, texts)))


def _guessed(state: State, seat: Seat, move: Move | None) -> tuple[Row, ...]:
    rows = state.rows[seat - 1]
    if move is None:
        return rows
    full, part = count(state.secrets[other(seat) - 1], move.word)
    return (*rows, Row(round=state.round, word=move.word, full=full, part=part))


def _answered(state: State, seat: Seat, move: Move | None) -> Text:
    if move is None:
        return say("NMR", seat=seat)
    row = state.rows[seat - 1][-1]
    return say("ANSWER", seat=seat, word=row.word, full=row.full, part=row.part)


def _ending(state: State) -> tuple[Text, ...]:
    found = [seat for seat in SEATS if state.has_found(seat)]
    if len(found) == len(state.playing) == len(SEATS):
        return (say("BOTH_FOUND"),)
    if found:
        told = (say("FOUND", seat=seat, word=state.secrets[other(seat) - 1]) for seat in found)
        return (*told, *(say("LAST_ONE", seat=seat) for seat in winners(state) if state.given_up))
    last = range(state.round, max(state.round - SILENT_ROUNDS, 0), -1)
    silent = all(number in missed for number in last for missed in state.missed)
    return (say("SILENT", rounds=SILENT_ROUNDS),) if silent and len(last) == SILENT_ROUNDS else ()


def _public(text: Text) -> Event:
    return Event(text=text, readers=EVERYONE)
