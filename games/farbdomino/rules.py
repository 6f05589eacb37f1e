"""The rules of the table: dealing, laying, paying, buying, the end, and who has won."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from games.api import Event, Resolution, Seat, Standing, Text, Viewer, private, public, say
from games.dice import Dice
from games.farbdomino.board import TILES, Laid, placements, squares, table_of
from games.shared import ranking
from games.shared.phrases import plain

HANDS: Final = {2: 8, 3: 7, 4: 6, 5: 5}
"""Tiles in each hand at the start, by the number of players."""
Winner: TypeAlias = Literal["first_out", "counters"]
WINNERS: Final[tuple[Winner, ...]] = ("first_out", "counters")
"""What the option `winner` may be, the usual one first."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """The tiles to lay, in this order; each fits when it is laid."""

    tiles: tuple[Laid, ...]


@dataclass(frozen=True, kw_only=True)
class Player:
    """One who plays: the hand is hidden, the rest is public."""

    seat: Seat
    hand: tuple[str, ...]
    counters: int = 0
    """A balance: what was paid is below zero, and all together are zero."""
    finished: int = 0
    """1: out of tiles first; 0: not out."""


@dataclass(frozen=True, kw_only=True)
class Last:
    """The turn before: who it was, and how many tiles were laid (none: NMR)."""

    seat: Seat
    tiles: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class State:
    """A position."""

    turn: int = 0
    """Counts the turns that a seat was asked for."""
    on_turn: Seat
    over: bool = False
    players: tuple[Player, ...]
    """By seats, in the order of turns."""
    stock: tuple[str, ...]
    """Face down, the next one to be bought first."""
    board: tuple[Laid, ...] = ()
    """In the order in which they were laid."""
    passes: int = 0
    """Turns without a tile laid or bought, in a row."""
    last: Last | None = None
    winner: Winner = "first_out"
    given_up: tuple[Seat, ...] = ()
    """Who has resigned; who was out of tiles before has not."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(player.seat for player in self.players)

    @property
    def players_in(self) -> tuple[Player, ...]:
        """Those who still come to their turn."""
        return tuple(player for player in self.players if not player.finished and player.seat not in self.given_up)

    def player(self, seat: Seat) -> Player:
        """Find who sits there."""
        return next(player for player in self.players if player.seat == seat)

    def with_players(self, *changed: Player) -> "State":
        """Put in players as they are now."""
        now = {player.seat: player for player in changed}
        return replace(self, players=tuple(now.get(player.seat, player) for player in self.players))


def deal(seats: Sequence[Seat], winner: Winner, dice: Dice) -> Resolution[State]:
    """Deal the hands and draw who begins (rule 4; 1.11: the first one is drawn)."""
    pile = dice.shuffled(tuple(TILES))
    size = HANDS[len(seats)]
    hands = (pile[number * size : (number + 1) * size] for number in range(len(seats)))
    players = tuple(Player(seat=seat, hand=tuple(sorted(hand))) for seat, hand in zip(seats, hands, strict=True))
    first = dice.choice(seats)
    state = State(turn=1, on_turn=first, players=players, stock=pile[len(seats) * size :], winner=winner)
    return Resolution(state=state, events=public(say("BEGINS", seat=first)))


def carry_out(state: State, move: Move) -> Resolution[State]:
    """Lay the tiles of the seat on turn one by one, pay, and hand over."""
    tiles = tuple(plain(laid.tile) for laid in move.tiles)  # where they lie is seen on the board
    seat, events = state.on_turn, list(public(say("LAYS", seat=state.on_turn, names=tiles)))
    for laid in move.tiles:
        state, paid = _lay(state, laid)
        events += paid
    state = replace(state, passes=0, last=Last(seat=seat, tiles=tuple(laid.tile for laid in move.tiles)))
    state, paid = _settle_out(state, seat)
    return hand_over(state, (*events, *paid))


def _lay(state: State, laid: Laid) -> tuple[State, tuple[Event, ...]]:
    """Lay one tile. A square is paid at once, before anybody counts as out (rule 8)."""
    mine = state.player(state.on_turn)
    mine = replace(mine, hand=tuple(tile for tile in mine.hand if tile != laid.tile))
    state = replace(state, board=(*state.board, laid)).with_players(mine)
    number = squares(table_of(state.board), (laid.x, laid.y))
    payers = tuple(player for player in state.players_in if player.seat != mine.seat)
    if not number or not payers:
        return state, ()
    state = _pay(state, mine.seat, {player.seat: number for player in payers})
    code = "SQUARE" if number == 1 else "SQUARES"
    values: dict[str, str | int | Text | tuple[Text, ...]] = {} if number == 1 else {"number": number}
    text = say(code, seat=mine.seat, tile=laid.tile, counters=number * len(payers), **values)
    return state, public(text)


def _settle_out(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """Pay a player who is out of tiles: from every other player a counter for each tile in hand (rule 7)."""
    mine = state.player(seat)
    if mine.hand:
        return state, ()
    due = {player.seat: len(player.hand) for player in state.players if player.hand}
    finished = 1 + max(player.finished for player in state.players)
    state = _pay(state.with_players(replace(mine, finished=finished)), seat, due)
    shares = tuple(say("SHARE", seat=payer, counters=counters) for payer, counters in due.items())
    counters = sum(due.values())
    if counters == 1:
        return state, public(say("OUT_ONE", seat=seat, number=finished, payer=say("SEAT", seat=next(iter(due)))))
    return state, public(say("OUT", seat=seat, number=finished, counters=counters, shares=shares))


def _pay(state: State, to: Seat, due: dict[Seat, int]) -> State:
    state = state.with_players(
        *(replace(player, counters=player.counters - due.get(player.seat, 0)) for player in state.players)
    )
    mine = state.player(to)
    return state.with_players(replace(mine, counters=mine.counters + sum(due.values())))


def hand_over(state: State, events: tuple[Event, ...]) -> Resolution[State]:
    """Pass the turn to the next seat that can lay; it buys until it can. A seat that can't do either passes at once."""
    while len(state.players_in) > 1 and state.passes < len(state.players_in):
        state = replace(state, on_turn=_next(state))
        state, bought = _buy_until_it_fits(state)
        events = (*events, *bought)
        if can_lay(state, state.player(state.on_turn)):
            return Resolution(state=replace(state, turn=state.turn + 1), events=events)
        state = replace(state, passes=state.passes + 1)
        events = (*events, *public(say("PASSED", seat=state.on_turn)))
    state = replace(state, over=True)
    ending = public(*(say("WINNER", seat=seat) for seat in winners(state)))
    return Resolution(state=state, events=(*events, *ending))


def _next(state: State) -> Seat:
    seats = [player.seat for player in state.players_in]
    return next((seat for seat in seats if seat > state.on_turn), seats[0])


def can_lay(state: State, player: Player) -> bool:
    """Return whether a tile of the hand fits somewhere."""
    return next(placements(table_of(state.board), player.hand), None) is not None


def _buy_until_it_fits(state: State) -> tuple[State, tuple[Event, ...]]:
    """Let the seat on turn buy until it can lay (rule 6). The number is public, the tiles are not."""
    seat, number, trial = state.on_turn, 0, state
    while trial.stock and not can_lay(trial, trial.player(seat)):
        number += 1
        trial, _ = _buy(trial, 1)
    if not number:
        return state, ()
    state, drawn = _buy(state, number)
    bought = say("BOUGHT_ONE", seat=seat) if number == 1 else say("BOUGHT", seat=seat, number=number)
    return state, (*public(bought), *drawn)


def _buy(state: State, number: int) -> tuple[State, tuple[Event, ...]]:
    """Move tiles from the stock into the hand of the seat on turn. Only that seat hears which."""
    drawn, stock = state.stock[:number], state.stock[number:]
    mine = state.player(state.on_turn)
    hand = tuple(sorted((*mine.hand, *drawn)))
    told = private(mine.seat, say("DREW", tiles=plain(", ".join(drawn))))
    return replace(state, stock=stock).with_players(replace(mine, hand=hand)), told


def miss(state: State) -> Resolution[State]:
    """Carry out an NMR: one tile is bought although one may fit; if none is left to buy, it is a pass."""
    seat = state.on_turn
    state = replace(state, last=Last(seat=seat))
    if not state.stock:
        passed = replace(state, passes=state.passes + 1)
        return hand_over(passed, public(say("NMR_PASSED", seat=seat, in_round=state.turn)))
    state, drawn = _buy(state, 1)
    return hand_over(state, (*public(say("NMR_BOUGHT", seat=seat, in_round=state.turn)), *drawn))


def leave(state: State, seat: Seat) -> Resolution[State]:
    """Play on without a seat that was given up: its turns are skipped, its tiles are out of play."""
    events = public(say("RESIGNED", seat=seat))
    if seat == state.on_turn or len(state.players_in) < 2:
        return hand_over(state, events)
    return Resolution(state=state, events=events)


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Deal the tiles anew that the viewer can't see, in hands as large as they are.

    Whoever is on turn can lay, and of those who have passed since the last tile was laid everybody knows who can't.
    """
    others = tuple(player for player in state.players if player.seat != viewer)
    if state.over:
        return state
    ways = (_dealt_anew(state, others, dice) for _ in range(_TRIES))
    told = _can_lay_now(state)
    return next((way for way in ways if _can_lay_now(way) == told), state)


def _dealt_anew(state: State, others: Sequence[Player], dice: Dice) -> State:
    pile = dice.shuffled(sorted((*(tile for player in others for tile in player.hand), *state.stock)))
    dealt = []
    for player in others:
        hand, pile = pile[: len(player.hand)], pile[len(player.hand) :]
        dealt.append(replace(player, hand=tuple(sorted(hand))))
    return replace(state, stock=pile).with_players(*dealt)


def _can_lay_now(state: State) -> tuple[bool, ...]:
    """Return which of the seats can lay whose turns came last: those that have passed, and the one on turn."""
    order = sorted(state.players_in, key=lambda player: (state.on_turn - player.seat) % (max(HANDS) + 1))
    return tuple(can_lay(state, player) for player in order[: state.passes + 1])


_TRIES: Final = 200


def winners(state: State) -> tuple[Seat, ...]:
    """Return the winner: who was out of tiles first, or by option who has most counters.

    If nobody is out of tiles, most counters win, then the fewest tiles. Only if these are equal, several win.
    """
    first = tuple(player.seat for player in state.players if player.finished == 1)
    if first and state.winner == "first_out":
        return first
    playing = [player for player in state.players if player.seat not in state.given_up]
    best = min(((-player.counters, *_tie(player)) for player in playing), default=None)
    return tuple(player.seat for player in playing if (-player.counters, *_tie(player)) == best)


def how_it_ended(state: State) -> Text | None:
    """Return how the winner won. Counters are no points: they only order the table."""
    won = [state.player(seat) for seat in winners(state)]
    if not won:
        return None
    return say("HOW_FIRST_OUT" if won[0].finished == 1 else "HOW_WINS" if len(won) == 1 else "HOW_WIN")


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by balance; equal ones by the order of finishing, then by the fewest tiles."""
    return ranking.standings(
        {player.seat: player.counters for player in state.players},
        state.given_up,
        {player.seat: _tie(player) for player in state.players},
    )


def _tie(player: Player) -> tuple[int, int]:
    never = 99
    return (player.finished or never, len(player.hand))
