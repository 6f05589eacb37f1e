"""What most games do alike: which seats and options they take, whose move it is, who leaves, and when it is over.

In a `RoundGame` all seats move, then the round is closed. In a `TurnGame` one seat moves after another, each at once.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from games.api import E, Engine, M, Outcome, Resolution, Seat, Text, public, say
from games.dice import Dice
from games.errors import SetupError
from games.shared.phrases import last_in_play
from games.words import Words


class Position(Protocol):
    """What a position has, as fields or properties; `given_up` is a field."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the game, also those that were given up."""

    @property
    def given_up(self) -> tuple[Seat, ...]:
        """The seats that nobody plays any more."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""


class RoundPosition(Position, Protocol):
    """A position of a game in rounds; `over` is a field."""

    @property
    def round(self) -> int:
        """Which round is being played, or was the last."""


class TurnPosition(Position, Protocol):
    """A position of a game in turns."""

    @property
    def turn(self) -> int:
        """Which turn it is, or was the last."""

    @property
    def on_turn(self) -> Seat:
        """Whose turn it is, or was last."""


P = TypeVar("P", bound=Position)
R = TypeVar("R", bound=RoundPosition)
T = TypeVar("T", bound=TurnPosition)


def playing(state: Position) -> tuple[Seat, ...]:
    """Return the seats that were not given up."""
    return tuple(seat for seat in state.seats if seat not in state.given_up)


class Game(Engine[P, M, E]):
    """What games in rounds and in turns have in common."""

    def start(self, entries: Mapping[Seat, E | None], options: Mapping[str, Any], dice: Dice) -> Resolution[P]:
        """Check seats and options, then `begin`. Raises SetupError."""
        self._check_seats(entries)
        agreed = {**self.rules.options, **options}
        for name, allowed in self.rules.choices.items():
            if agreed[name] not in allowed:
                raise SetupError(say("SETUP_OPTION", name=name, allowed=_listed(allowed), value=str(agreed[name])))
        return self.begin(dict(sorted(entries.items())), agreed, dice)

    @abstractmethod
    def begin(self, entries: Mapping[Seat, E | None], options: Mapping[str, Any], dice: Dice) -> Resolution[P]:
        """Set up round 1 for these seats, in order; every option has a value. Raises SetupError."""

    def _check_seats(self, entries: Mapping[Seat, E | None]) -> None:
        fewest, most = self.rules.seats
        players = say("SEATS_EXACT", number=most) if fewest == most else say("SEATS_RANGE", fewest=fewest, most=most)
        if len(entries) < fewest:
            free = tuple(say("SEAT", seat=Seat(number)) for number in range(1, fewest + 1) if number not in entries)
            raise SetupError(say("SETUP_FREE", title=self.rules.title, players=players, seats=free))
        if len(entries) > most:
            raise SetupError(say("SETUP_MANY", title=self.rules.title, players=players, number=len(entries)))

    def outcome(self, state: P) -> Outcome | None:
        """Return the `result` after the end."""
        return self.result(state) if state.over else None

    @abstractmethod
    def result(self, state: P) -> Outcome:
        """Say how the game ended."""

    def resign(self, state: P, seat: Seat, dice: Dice) -> Resolution[P]:
        """Give up a seat, and `leave` it. Nothing happens where it can't be given up, or the game is over."""
        if state.over or seat not in playing(state):
            return Resolution(state=state)
        left = self.give_up(state, frozenset({*state.given_up, seat}))
        return Resolution(state=state) if left == state else self.leave(left, seat, dice)

    @abstractmethod
    def leave(self, state: P, seat: Seat, dice: Dice) -> Resolution[P]:
        """Play on without a seat that was given up just now; the last one in play has won."""


class RoundGame(Game[R, M, E]):
    """All seats move, also those that were given up: a standby may take one. Then the round is closed."""

    def due(self, state: R) -> frozenset[Seat]:
        """All seats, until the end."""
        return frozenset() if state.over else frozenset(state.seats)

    def round(self, state: R) -> int:
        """Return which round it is."""
        return state.round

    def resolve(self, state: R, moves: Mapping[Seat, M], dice: Dice, words: Words) -> Resolution[R]:
        """Close the round."""
        return Resolution(state=state) if state.over else self.close(state, moves, dice, words)

    @abstractmethod
    def close(self, state: R, moves: Mapping[Seat, M], dice: Dice, words: Words) -> Resolution[R]:
        """Carry out all moves at once."""

    def give_up(self, state: R, seats: frozenset[Seat]) -> R:
        """Mark exactly these seats."""
        return changed(state, given_up=tuple(sorted(seats)))

    def leave(self, state: R, seat: Seat, dice: Dice) -> Resolution[R]:  # noqa: ARG002
        """Leave the seat on the table; until a standby comes it is NMR. The last one in play has won."""
        if len(playing(state)) > 1:
            return Resolution(state=state, events=public(say("RESIGNED", seat=seat)))
        told = public(say("RESIGNED_LAST", seat=seat), *last_in_play(playing(state)))
        return Resolution(state=changed(state, over=True), events=told)


class TurnGame(Game[T, M, E]):
    """One seat moves after another. A move takes effect at once; one of a seat that isn't on turn has none."""

    def due(self, state: T) -> frozenset[Seat]:
        """The seat on turn, until the end."""
        return frozenset() if state.over else frozenset({state.on_turn})

    def round(self, state: T) -> int:
        """Return which turn it is."""
        return state.turn

    def act(self, state: T, seat: Seat, move: M, dice: Dice, words: Words) -> Resolution[T] | None:
        """Carry out the move of the seat on turn."""
        if seat not in self.due(state):
            return Resolution(state=state)
        return self.carry_out(state, move, dice, words)

    def resolve(self, state: T, moves: Mapping[Seat, M], dice: Dice, words: Words) -> Resolution[T]:
        """End the turn for which nothing came."""
        if state.over:
            return Resolution(state=state)
        move = moves.get(state.on_turn)
        return self.miss(state, dice, words) if move is None else self.carry_out(state, move, dice, words)

    @abstractmethod
    def carry_out(self, state: T, move: M, dice: Dice, words: Words) -> Resolution[T]:
        """Carry out a move of the seat on turn, and hand over."""

    @abstractmethod
    def miss(self, state: T, dice: Dice, words: Words) -> Resolution[T]:
        """Do what an NMR of the seat on turn leads to, and hand over."""

    def give_up(self, state: T, seats: frozenset[Seat]) -> T:
        """Mark these seats as well."""
        return changed(state, given_up=tuple(sorted({*state.given_up, *seats})))


def not_on_turn(state: TurnPosition, seat: Seat) -> tuple[Text, ...]:
    """Say why a seat has nothing to send: the game is over, or it is another's turn."""
    if state.over:
        return (say("ENDED"),)
    return () if seat == state.on_turn else (say("NOT_ON_TURN", seat=state.on_turn),)


def changed(state: P, **fields: Any) -> P:
    """Return a position with other values in some of its fields."""
    return cast(P, replace(cast(Any, state), **fields))


def _listed(allowed: Sequence[str | int | bool]) -> str:
    return f"{allowed[0]}-{allowed[-1]}" if isinstance(allowed, range) else ", ".join(map(str, allowed))
