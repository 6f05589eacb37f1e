"""The rules of deals: dealing, finishing, closing, and who has won; and how grids and racks are written."""

from dataclasses import dataclass, replace
from typing import Final

from games.api import Event, Outcome, Resolution, Seat, Standing, Text, Viewer, private, public, say
from games.base import playing
from games.dice import Dice
from games.shared import ranking
from games.shared.phrases import counted, first_place, last_in_play
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
    """A deal. Racks are those of the seats in order."""

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
    now: Deal
    """The present deal, or the last one."""
    before: tuple[Deal, ...] = ()
    """The deals before it."""
    passed: tuple[Seat, ...] = ()
    """Who gives the present deal up."""
    given_up: tuple[Seat, ...] = ()
    """Who plays no more."""
    over: bool = False

    @property
    def round(self) -> int:
        """The number of the present deal, or the last one."""
        return len(self.before) + 1

    @property
    def past(self) -> tuple[Deal, ...]:
        """The deals that are over."""
        return (*self.before, self.now) if self.over else self.before

    def rack(self, seat: Seat) -> str:
        """The tiles of a seat in the present deal."""
        return self.now.racks[self.seats.index(seat)] if seat in self.seats else ""

    def finish(self, seat: Seat) -> Finish | None:
        """What a seat has finished in the present deal."""
        return next((finish for finish in self.now.finishes if finish.seat == seat), None)

    @property
    def building(self) -> frozenset[Seat]:
        """Who may still finish the present deal."""
        done = {*self.passed, *self.given_up, *(finish.seat for finish in self.now.finishes)}
        return frozenset() if self.over else frozenset(self.seats) - done

    def points(self, seat: Seat) -> int:
        """What a seat has earned so far."""
        finishes = (finish for deal in (*self.before, self.now) for finish in deal.finishes)
        return sum(finish.points for finish in finishes if finish.seat == seat)


def deal_to(seats: int, dice: Dice) -> Deal:
    """Deal to so many seats."""
    black, red = HANDS[seats]
    racks, rest = deal(dice, seats, red, black)
    return Deal(racks=racks, rest=rest)


def opening_events(state: State) -> tuple[Event, ...]:
    """Make the events of a new deal; each seat hears of its own tiles only."""
    tiles = (
        event
        for seat in sorted(state.building)
        for event in private(seat, say("DEALT", deal=state.round, tiles=tiles_text(state.rack(seat))))
    )
    return (*public(say("OPENS", deal=state.round, deals=state.deals)), *tiles)


def finish(state: State, seat: Seat, move: Move, words: Words) -> tuple[State, Text]:
    """Take the next place with a whole grid."""
    place = len(state.now.finishes)
    laid = Finish(seat=seat, grid=move.grid, left=move.left, points=0)
    finish = replace(laid, points=_prize(laid, place, state.profile, words))
    event = say("FINISHED_LEFT" if move.left else "FINISHED", seat=seat, place=place + 1, points=counted(finish.points))
    now = replace(state.now, finishes=(*state.now.finishes, finish))
    return replace(state, now=now), event


def _prize(finish: Finish, place: int, profile: str, words: Words) -> int:
    """Return what a place brings: nothing with a refused word in the grid."""
    is_refused = any(words.check(run.word, profile).status == "refused" for run in runs(finish.grid))
    return 0 if is_refused else (PRIZES_ONE_LEFT if finish.left else PRIZES)[place]


def judge_again(state: State, words: Words) -> State:
    """Pay each finished grid by what is ruled on its words today. Places stay: nobody moves up."""
    before = tuple(_paid(deal, state.profile, words) for deal in state.before)
    return replace(state, before=before, now=_paid(state.now, state.profile, words))


def _paid(deal: Deal, profile: str, words: Words) -> Deal:
    prizes = (_prize(finish, place, profile, words) for place, finish in enumerate(deal.finishes))
    finishes = (replace(finish, points=prize) for finish, prize in zip(deal.finishes, prizes, strict=True))
    return replace(deal, finishes=tuple(finishes))


def close_if_done(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """Close the deal if both places are taken, nobody is still building, or only one seat is left in play."""
    if state.building and len(state.now.finishes) < PLACES and len(playing(state)) > 1:
        return Resolution(state=state, events=events)
    return close_deal(state, events, dice)


def close_deal(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """End the deal and deal anew; after the last deal, or with one seat left, the game is over."""
    paid = tuple(say("PAID", seat=finish.seat, points=finish.points) for finish in state.now.finishes)
    said = say("DEAL_OVER", deal=state.round, paid=paid) if paid else say("DEAL_OVER_NOBODY", deal=state.round)
    if state.round == state.deals or len(playing(state)) < 2:
        ended = replace(state, over=True)
        alone = last_in_play(playing(ended)) if len(playing(ended)) < 2 else ()
        return Resolution(state=ended, events=(*events, *public(said, *alone, *first_place(result(ended)))))
    before, now = (*state.before, state.now), deal_to(len(state.seats), dice)
    after = replace(state, before=before, now=now, passed=())
    return Resolution(state=after, events=(*events, *public(said), *opening_events(after)))


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Deal the tiles anew that the viewer has never seen, in this deal and in those that are over.

    A grid that was finished shows all tiles of its seat. As long as it is hidden it may lie the other way, or with its
    jokers on other cells; other words can't be drawn without a word list.
    """
    if state.over:
        return state
    before = tuple(_dealt_anew(state, deal, viewer, dice) for deal in state.before)
    now = _dealt_anew(state, state.now, viewer, dice)
    finishes = tuple(one if one.seat == viewer else _laid_anew(one, dice) for one in now.finishes)
    return replace(state, before=before, now=replace(now, finishes=finishes))


def _dealt_anew(state: State, deal: Deal, viewer: Viewer, dice: Dice) -> Deal:
    seen = {viewer, *(finish.seat for finish in deal.finishes)}
    known = [rack if seat in seen else "" for seat, rack in zip(state.seats, deal.racks, strict=True)]
    racks, rest = redeal(deal.racks, deal.rest, known, lambda _: None, dice)
    return replace(deal, racks=racks, rest=rest)


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


def result(state: State) -> Outcome:
    """The most points over all deals win."""
    ranked = standings(state)
    return Outcome(standings=ranked, winners=ranking.leaders(ranked, state.given_up))


def tiles_text(rack: str) -> Text:
    """Show a rack: `AEEIU* BDFLMNR* (6 rote, 8 schwarze)`."""
    red, black = count_colours(rack)
    return say("TILES", tiles=shown(rack), red=red, black=black)
