"""What happens at the table: laying, paying, buying, and whose turn it is next."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from games.api import EVERYONE, Event, Resolution, Seat, Text, say
from games.dice import Dice
from games.farbdomino.board import Laid, placements, squares, table_of
from games.farbdomino.picture import listed, plain
from games.farbdomino.scoring import winners
from games.farbdomino.state import HANDS, Last, Move, Player, State, Winner
from games.farbdomino.tiles import TILES


def deal(seats: Sequence[Seat], winner: Winner, dice: Dice) -> Resolution[State]:
    """Deal the hands and draw who begins (rule 4; 1.11: the first one is drawn)."""
    pile = dice.shuffled(tuple(TILES))
    size = HANDS[len(seats)]
    hands = (pile[number * size : (number + 1) * size] for number in range(len(seats)))
    players = tuple(Player(seat=seat, hand=tuple(sorted(hand))) for seat, hand in zip(seats, hands, strict=True))
    first = dice.choice(seats)
    state = State(turn=1, on_turn=first, players=players, stock=pile[len(seats) * size :], winner=winner)
    return Resolution(state=state, events=(_public(say("BEGINS", seat=first)),))


def can_lay(state: State, player: Player) -> bool:
    """Ask whether a tile of the hand fits somewhere."""
    return next(placements(table_of(state.board), player.hand), None) is not None


def carry_out(state: State, move: Move) -> Resolution[State]:
    """Lay the tiles of the seat on turn one by one, pay, and hand over."""
    seat, events = state.on_turn, [_public(say("LAYS", seat=state.on_turn, tiles=listed(move.tiles)))]
    for laid in move.tiles:
        state, paid = _lay(state, laid)
        events += paid
    state = replace(state, passes=0, last=Last(seat=seat, tiles=tuple(laid.tile for laid in move.tiles)))
    state, paid = _settle_out(state, seat)
    return hand_over(state, (*events, *paid))


def _lay(state: State, laid: Laid) -> tuple[State, tuple[Event, ...]]:
    """Lay one tile; a square is paid at once, before anybody is out (rule 8)."""
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
    return state, (_public(text),)


def _settle_out(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """Who is out of tiles gets from every other player a counter for each tile that they hold (rule 7)."""
    mine = state.player(seat)
    if mine.hand:
        return state, ()
    due = {player.seat: len(player.hand) for player in state.players if player.hand}
    finished = 1 + max(player.finished for player in state.players)
    state = _pay(state.with_players(replace(mine, finished=finished)), seat, due)
    shares = tuple(say("SHARE", seat=payer, counters=counters) for payer, counters in due.items())
    counters = sum(due.values())
    if counters == 1:
        return state, (_public(say("OUT_ONE", seat=seat, number=finished, shares=shares)),)
    return state, (_public(say("OUT", seat=seat, number=finished, counters=counters, shares=shares)),)


def _pay(state: State, to: Seat, due: dict[Seat, int]) -> State:
    state = state.with_players(
        *(replace(player, counters=player.counters - due.get(player.seat, 0)) for player in state.players)
    )
    mine = state.player(to)
    return state.with_players(replace(mine, counters=mine.counters + sum(due.values())))


def miss(state: State) -> Resolution[State]:
    """NMR: one tile is bought although one may fit; without a rest it is a pass."""
    seat = state.on_turn
    state = replace(state, last=Last(seat=seat))
    if not state.stock:
        passed = replace(state, passes=state.passes + 1)
        return hand_over(passed, (_public(say("NMR_PASSED", seat=seat)),))
    state, drawn = _buy(state, 1)
    return hand_over(state, (_public(say("NMR_BOUGHT", seat=seat)), *drawn))


def leave(state: State, seat: Seat) -> Resolution[State]:
    """Play on without a seat: it is skipped, its tiles are out of play."""
    if state.over or not any(player.seat == seat and player.is_in for player in state.players):
        return Resolution(state=state)
    was_on_turn = seat == state.on_turn
    state = give_up(state, {seat})
    events = (_public(say("RESIGNED", seat=seat)),)
    if was_on_turn or len(state.players_in) < 2:
        return hand_over(state, events)
    return Resolution(state=state, events=events)


def give_up(state: State, seats: Collection[Seat]) -> State:
    """Mark seats as given up. Who is out of tiles has nothing left to give up."""
    return state.with_players(*(replace(player, resigned=True) for player in state.players_in if player.seat in seats))


def hand_over(state: State, events: tuple[Event, ...]) -> Resolution[State]:
    """Find the next seat that can lay, buying for it until it can; who can't do either passes at once."""
    while len(state.players_in) > 1 and state.passes < len(state.players_in):
        state = replace(state, on_turn=_next(state))
        state, bought = _buy_until_it_fits(state)
        events = (*events, *bought)
        if can_lay(state, state.player(state.on_turn)):
            return Resolution(state=replace(state, turn=state.turn + 1), events=events)
        state = replace(state, passes=state.passes + 1)
        events = (*events, _public(say("PASSED", seat=state.on_turn)))
    state = replace(state, over=True)
    ending = (_public(say("WINNER", seat=seat)) for seat in winners(state))
    return Resolution(state=state, events=(*events, *ending))


def _next(state: State) -> Seat:
    seats = [player.seat for player in state.players_in]
    return next((seat for seat in seats if seat > state.on_turn), seats[0])


def _buy_until_it_fits(state: State) -> tuple[State, tuple[Event, ...]]:
    """Rule 6: the seat on turn buys until it can lay. The number is public, the tiles are not."""
    seat, number, trial = state.on_turn, 0, state
    while trial.stock and not can_lay(trial, trial.player(seat)):
        number += 1
        trial, _ = _buy(trial, 1)
    if not number:
        return state, ()
    state, drawn = _buy(state, number)
    bought = say("BOUGHT_ONE", seat=seat) if number == 1 else say("BOUGHT", seat=seat, number=number)
    return state, (_public(bought), *drawn)


def _buy(state: State, number: int) -> tuple[State, tuple[Event, ...]]:
    """Move tiles from the rest into the hand of the seat on turn, and tell only that seat which."""
    drawn, stock = state.stock[:number], state.stock[number:]
    mine = state.player(state.on_turn)
    hand = tuple(sorted((*mine.hand, *drawn)))
    told = Event(text=say("DREW", tiles=plain(", ".join(drawn))), readers=frozenset({mine.seat}))
    return replace(state, stock=stock).with_players(replace(mine, hand=hand)), (told,)


def _public(text: Text) -> Event:
    return Event(text=text, readers=EVERYONE)
