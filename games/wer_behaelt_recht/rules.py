"""The position, and building a word tile by tile: where it fits, and what one more tile makes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from games.api import Outcome, Seat, Text, say
from games.base import playing
from games.shared import ranking
from games.shared.plane import BLANK, Direction, Rows, Run, Spot, across, is_inside, lay, run_at, sign_at
from games.shared.racks import Exchange, RackState, Wishes
from games.shared.tiles import joker_for
from games.words import Verdict

Side: TypeAlias = Literal["", "front", "back"]
"""front: before the first letter in reading direction (left, above). back: behind the last one (right, below)."""
Ending: TypeAlias = Literal["", "rack", "passed", "last"]
"""Why the game is over: a rack is empty, everybody passed in a row, only one seat is left."""


@dataclass(frozen=True, kw_only=True)
class Laying:
    """A tile laid, and the word announced with it."""

    letter: str
    joker: bool = False
    side: Side = ""
    """Empty for the first tile of a game, and for a new word whose letters leave only one side."""
    word: str = ""
    """Empty: in the sense of the word announced last."""
    cell: Spot | None = None
    """The crossing cell of a new word."""
    direction: Direction | None = None
    """Where a new word runs."""

    @property
    def begins(self) -> bool:
        """Whether this starts a new word."""
        return self.direction is not None

    @property
    def tile(self) -> str:
        """The tile that it takes from the rack."""
        return joker_for(self.letter) if self.joker else self.letter

    @property
    def sign(self) -> str:
        """The tile as players write it: `E`, `E*` for a joker."""
        return f"{self.letter}*" if self.joker else self.letter


@dataclass(frozen=True, kw_only=True)
class Move:
    """What a seat does on its turn, in this order. Without a tile and without `passes` the turn goes on."""

    exchanges: tuple[Exchange, ...] = ()
    wishes: Wishes = ()
    """The tile to buy, if any."""
    laying: Laying | None = None
    premium: Laying | None = None
    passes: bool = False


@dataclass(frozen=True, kw_only=True)
class Fragment:
    """The word that is open: what was announced, by whom, and what lies of it."""

    word: str
    owner: Seat
    spot: Spot
    """A cell of the fragment."""
    direction: Direction
    starts: tuple[Spot, ...]
    """Where the announced word may begin so that everything fits (an E may be the second or last letter of REISE)."""
    laid: tuple[Spot, ...]
    """The cells whose tiles were laid for it; what lay there before stays if its owner drops out."""

    def run(self, board: Rows) -> Run:
        """What lies of the word."""
        return run_at(board, self.spot, self.direction)


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A finished word on the board."""

    run: Run
    owner: Seat

    @property
    def word(self) -> str:
        """The word in capitals."""
        return self.run.word


@dataclass(frozen=True, kw_only=True)
class News:
    """What has happened last, for the headline."""

    code: str
    seat: Seat
    letter: str = ""
    word: str = ""


@dataclass(frozen=True, kw_only=True)
class Payment:
    """Points that one seat pays another."""

    payer: Seat
    receiver: Seat
    points: int


@dataclass(frozen=True, kw_only=True)
class State(RackState):
    """A position."""

    step: int = 1
    """Counts turns and purchases: every position that somebody is asked about has its own number."""
    bought: bool = False
    """The seat on turn has bought its tile already."""
    gone: str = ""
    """Tiles that left the board with an owner who dropped out."""
    new: tuple[Spot, ...] = ()
    """What was laid in the last turn."""
    open: Fragment | None = None
    finished: tuple[Finished, ...] = ()
    passed: int = 0
    """How many turns in a row brought neither a tile nor a purchase."""
    barren: int = 0
    """How many turns in a row brought no tile, purchases or not."""
    out: tuple[Seat, ...] = ()
    """Who could not make a word true, and has paid for it."""
    payments: tuple[Payment, ...] = ()
    news: News
    ending: Ending = ""
    winner: Seat | None = None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.ending)

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """The seats that take their turns."""
        return tuple(seat for seat in playing(self) if seat not in self.out)

    def balance(self, seat: Seat) -> int:
        """What a seat was paid, less what it paid."""
        return sum(p.points * ((p.receiver == seat) - (p.payer == seat)) for p in self.payments)


Judge = Callable[[str], Verdict]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Where an announced word may begin, and which words at right angles that would make."""

    starts: tuple[Spot, ...] = ()
    doubtful: tuple[str, ...] = ()
    """Filled where every place makes a word that nobody knows."""
    contacts: tuple[str, ...] = ()
    """The senseless contacts of the places that were left out."""


def places(board: Rows, run: Run, word: str) -> tuple[Spot, ...]:
    """Find where a word may begin so that it holds the run, has room and ends blank on both sides."""
    offsets = (at for at in range(len(word)) if word.startswith(run.word, at))
    starts = (run.start.moved(run.direction, -at) for at in offsets)
    return tuple(start for start in starts if _has_room(board, start, run.direction, word))


def _has_room(board: Rows, start: Spot, direction: Direction, word: str) -> bool:
    spots = [start.moved(direction, step) for step in range(len(word))]
    ends = (start.moved(direction, -1), spots[-1].moved(direction))
    return (
        is_inside(board, start)
        and is_inside(board, spots[-1])
        and all(sign_at(board, end) == BLANK for end in ends)
        and all(sign_at(board, spot).upper() in (BLANK, sign) for spot, sign in zip(spots, word, strict=True))
    )


def fit(board: Rows, run: Run, word: str, tile: Spot | None, judge: Judge) -> Fit:
    """Find where a word fits that contains a run. `tile` was laid just now, so its crossings are judged as well."""
    found, contacts = list[tuple[Spot, tuple[str, ...]]](), dict[str, None]()
    for start in places(board, run, word):
        statuses = {made: judge(made).status for made in crossings(board, start, run.direction, word, tile)}
        refused = [made for made, status in statuses.items() if status == "refused"]
        contacts |= dict.fromkeys(refused)
        if not refused:
            found.append((start, tuple(made for made, status in statuses.items() if status == "doubtful")))
    starts = tuple(start for start, doubtful in found if not doubtful)
    if starts or not found:
        return Fit(starts=starts, contacts=tuple(contacts))
    start, doubtful = min(found, key=lambda one: len(one[1]))
    return Fit(starts=(start,), doubtful=doubtful)


def crossings(board: Rows, start: Spot, direction: Direction, word: str, tile: Spot | None) -> tuple[str, ...]:
    """Return the words that the letters still to be laid, and the tile laid just now, make at right angles."""
    made = []
    for step, letter in enumerate(word):
        spot = start.moved(direction, step)
        if spot == tile or sign_at(board, spot) == BLANK:
            side = across(direction)
            run = run_at(lay(board, {spot: letter}), spot, side)
            made += [run.word] if len(run.signs) > 1 else []
    return tuple(made)


def target(run: Run, side: Side) -> Spot:
    """Return the cell before or behind a run."""
    return run.start.moved(run.direction, -1) if side == "front" else run.spots[-1].moved(run.direction)


def grow(fragment: Fragment, board: Rows, spot: Spot) -> Fragment | None:
    """Carry on a fragment with a tile in its sense, which lies already; None where no place of the word fits it."""
    fitting = places(board, fragment.run(board), fragment.word)
    starts = tuple(start for start in fragment.starts if start in fitting)
    return replace(fragment, starts=starts, laid=(*fragment.laid, spot)) if starts else None


def missing(fragment: Fragment, board: Rows, start: Spot) -> dict[Spot, str]:
    """Return which letters lack, and where, if the word begins here."""
    spots = (start.moved(fragment.direction, step) for step in range(len(fragment.word)))
    pairs = zip(spots, fragment.word, strict=True)
    return {spot: letter for spot, letter in pairs if sign_at(board, spot) == BLANK}


def makes_square(board: Rows, spot: Spot) -> bool:
    """Return whether a tile completes a square of two by two."""
    corners = ((row, column) for row in (-1, 0) for column in (-1, 0))
    return any(
        all(sign_at(board, Spot(spot.row + r + dr, spot.column + c + dc)) != BLANK for dr in (0, 1) for dc in (0, 1))
        for r, c in corners
    )


def crossing_cells(state: State) -> tuple[tuple[Spot, Direction], ...]:
    """Return the cells where a new word may cross, with its direction.

    They are those of the word finished last. If it has none, or no seat laid a tile for a whole round, they are those
    of all finished words.
    """
    last = _free_cells(state.board, state.finished[-1:])
    stuck = state.barren >= len(state.in_play)
    return _free_cells(state.board, state.finished) if stuck or not last else last


def _free_cells(board: Rows, words: Sequence[Finished]) -> tuple[tuple[Spot, Direction], ...]:
    """Cells whose neighbours at right angles to their word are both blank."""
    found = ((spot, across(word.run.direction)) for word in words for spot in word.run.spots)
    return tuple(dict.fromkeys(pair for pair in found if len(run_at(board, *pair).signs) == 1))


def result(state: State) -> Outcome:
    """Rank the seats by what they were paid minus what they paid. Of equal seats the winner stands first."""
    points: dict[Seat, int | None] = {seat: state.balance(seat) for seat in state.seats}
    ties = {seat: (seat != state.winner,) for seat in state.seats}
    standings = ranking.standings(points, state.given_up, ties)
    return Outcome(standings=standings, winners=(state.winner,) if state.winner else ())


def side_text(side: Side) -> Text:
    """Name the side of a fragment."""
    return say("FRONT" if side == "front" else "BACK")
