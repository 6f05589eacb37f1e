"""The rules of deals: dealing, finishing, closing, and who has won; and how grids and racks are written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.api import Event, Resolution, Seat, Standing, Text, Viewer, private, public, say
from games.base import playing
from games.dice import Dice
from games.shared import ranking
from games.shared.phrases import counted, last_in_play
from games.shared.plane import Rows, lay, occupied, runs, sign_at
from games.shared.tiles import count_colours, deal, redeal, shown
from games.words import Words

HANDS: Final = {4: (12, 7), 5: (10, 6), 6: (8, 5)}
"""Seats -> how many black and red tiles each gets."""
MOST_DEALS: Final = 20
PLACES: Final = 2
"""How many places are paid; with the last one taken the deal is over."""
PRIZES: Final = (4, 2)
PRIZES_ONE_LEFT: Final = (2, 1)


@dataclass(frozen=True, kw_only=True)
class Move:
    """A whole grid for one deal, or the word that the seat gives this deal up."""

    deal: int
    grid: Rows = ()
    """The used rectangle; a joker is the small letter that it stands for."""
    left: str = ""
    """The tile left over, where the option allows one."""
    passes: bool = False


@dataclass(frozen=True, kw_only=True)
class Finish:
    """A seat that has finished a deal, in the order of arrival."""

    seat: Seat
    grid: Rows
    left: str = ""
    points: int


@dataclass(frozen=True, kw_only=True)
class Deal:
    """A deal that is over. Racks are those of the seats in order; empty where a seat had left the game."""

    racks: tuple[str, ...]
    rest: str
    """The tiles that were not dealt."""
    finishes: tuple[Finish, ...] = ()


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Tuples run over the seats of the game, the first one first."""

    seats: tuple[Seat, ...]
    deals: int
    one_left: bool
    profile: str
    round: int = 1
    """The deal being played, or the last one."""
    racks: tuple[str, ...] = ()
    rest: str = ""
    """The tiles that were not dealt."""
    finishes: tuple[Finish, ...] = ()
    passed: tuple[Seat, ...] = ()
    """Who gives the present deal up."""
    given_up: tuple[Seat, ...] = ()
    """Who plays no more."""
    past: tuple[Deal, ...] = ()
    """The deals that are over; after the end all of them."""
    over: bool = False

    def rack(self, seat: Seat) -> str:
        """The tiles of a seat in the present deal."""
        return self.racks[self.seats.index(seat)] if seat in self.seats else ""

    def finish(self, seat: Seat) -> Finish | None:
        """What a seat has finished in the present deal."""
        return next((finish for finish in self.finishes if finish.seat == seat), None)

    @property
    def building(self) -> frozenset[Seat]:
        """Who may still finish the present deal."""
        done = {*self.passed, *self.given_up, *(finish.seat for finish in self.finishes)}
        return frozenset() if self.over else frozenset(self.seats) - done

    def points(self, seat: Seat) -> int:
        """What a seat has earned so far, in the deals that are over and in this one."""
        # After the end the last deal lies among those that are over.
        finishes = [*(finish for deal in self.past for finish in deal.finishes), *(() if self.over else self.finishes)]
        return sum(finish.points for finish in finishes if finish.seat == seat)


def open_deal(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """Deal to all seats; each hears of its own tiles only. What has happened before stands in front."""
    black, red = HANDS[len(state.seats)]
    racks, rest = deal(dice, len(state.seats), red, black)
    dealt = replace(state, racks=racks, rest=rest, finishes=(), passed=())
    tiles = (
        event
        for seat in sorted(dealt.building)
        for event in private(seat, say("DEALT", deal=dealt.round, tiles=tiles_text(dealt.rack(seat))))
    )
    return Resolution(state=dealt, events=(*events, *public(say("OPENS", deal=dealt.round, deals=dealt.deals)), *tiles))


def finish(state: State, seat: Seat, move: Move, words: Words) -> tuple[State, Text]:
    """Take the next place with a whole grid."""
    place = len(state.finishes)
    laid = Finish(seat=seat, grid=move.grid, left=move.left, points=0)
    finish = replace(laid, points=_prize(laid, place, state.profile, words))
    event = say("FINISHED_LEFT" if move.left else "FINISHED", seat=seat, place=place + 1, points=counted(finish.points))
    return replace(state, finishes=(*state.finishes, finish)), event


def _prize(finish: Finish, place: int, profile: str, words: Words) -> int:
    """Return what a place brings: nothing with a refused word in the grid."""
    is_refused = any(words.check(run.word, profile).status == "refused" for run in runs(finish.grid))
    return 0 if is_refused else (PRIZES_ONE_LEFT if finish.left else PRIZES)[place]


def judge_again(state: State, words: Words) -> State:
    """Pay each finished grid by what is ruled on its words today. Places stay: nobody moves up."""
    past = tuple(replace(deal, finishes=_paid(deal.finishes, state.profile, words)) for deal in state.past)
    return replace(state, past=past, finishes=_paid(state.finishes, state.profile, words))


def _paid(finishes: tuple[Finish, ...], profile: str, words: Words) -> tuple[Finish, ...]:
    return tuple(replace(finish, points=_prize(finish, place, profile, words)) for place, finish in enumerate(finishes))


def close_if_done(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """Close the deal if both places are taken, nobody is still building, or only one seat is left in play."""
    if state.building and len(state.finishes) < PLACES and len(playing(state)) > 1:
        return Resolution(state=state, events=events)
    return close_deal(state, events, dice)


def close_deal(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """End the deal and deal anew; after the last deal, or with one seat left, the game is over."""
    past = (*state.past, Deal(racks=state.racks, rest=state.rest, finishes=state.finishes))
    paid = tuple(say("PAID", seat=finish.seat, points=finish.points) for finish in state.finishes)
    said = say("DEAL_OVER", deal=state.round, paid=paid) if paid else say("DEAL_OVER_NOBODY", deal=state.round)
    if state.round == state.deals or len(playing(state)) < 2:
        ended = replace(state, past=past, over=True)
        return Resolution(state=ended, events=(*events, *public(said, *_winner_texts(ended))))
    return open_deal(replace(state, past=past, round=state.round + 1), (*events, *public(said)), dice)


def _winner_texts(state: State) -> tuple[Text, ...]:
    alone = last_in_play(playing(state)) if len(playing(state)) < 2 else ()
    first = tuple(say("FIRST", seat=seat, points=counted(state.points(seat))) for seat in winners(state))
    return (*alone, *first)


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Deal the tiles anew that the viewer has never seen, in this deal and in those that are over.

    A grid that was finished shows all tiles of its seat. As long as it is hidden it may lie the other way, or with its
    jokers on other cells; other words can't be drawn without a word list.
    """
    if state.over:
        return state
    racks, rest = _dealt_anew(state, state.racks, state.rest, state.finishes, viewer, dice)
    past = tuple(_played_anew(state, over, viewer, dice) for over in state.past)
    finishes = tuple(one if one.seat == viewer else _laid_anew(one, dice) for one in state.finishes)
    return replace(state, racks=racks, rest=rest, past=past, finishes=finishes)


def _played_anew(state: State, over: Deal, viewer: Viewer, dice: Dice) -> Deal:
    racks, rest = _dealt_anew(state, over.racks, over.rest, over.finishes, viewer, dice)
    return replace(over, racks=racks, rest=rest)


def _dealt_anew(
    state: State, racks: Sequence[str], rest: str, finishes: Sequence[Finish], viewer: Viewer, dice: Dice
) -> tuple[tuple[str, ...], str]:
    seen = {viewer, *(finish.seat for finish in finishes)}
    known = [rack if seat in seen else "" for seat, rack in zip(state.seats, racks, strict=True)]
    return redeal(tuple(racks), rest, known, lambda _: None, dice)


def _laid_anew(finish: Finish, dice: Dice) -> Finish:
    """Turn a grid so that its rows are columns, or not, and put its jokers where the same letters lie."""
    rows = tuple(map("".join, zip(*finish.grid, strict=True))) if dice.below(2) else finish.grid
    for joker in sorted({sign for row in rows for sign in row if sign.islower()}):
        plain = lay(rows, {spot: joker.upper() for spot in occupied(rows) if sign_at(rows, spot) == joker})
        alike = [spot for spot in occupied(plain) if sign_at(plain, spot) == joker.upper()]
        rows = lay(plain, {dice.choice(alike): joker})
    return replace(finish, grid=rows)


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats by their points; equal points share a rank."""
    return ranking.standings({seat: state.points(seat) for seat in state.seats}, state.given_up)


def winners(state: State) -> tuple[Seat, ...]:
    """The most points win."""
    return ranking.leaders(standings(state), state.given_up)


def tiles_text(rack: str) -> Text:
    """Show a rack: `AEEIU* BDFLMNR* (6 rote, 8 schwarze)`."""
    red, black = count_colours(rack)
    return say("TILES", tiles=shown(rack), red=red, black=black)
