"""Building a word tile by tile: where an announced word fits on the board, and what one more tile makes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from games.plane import (
    BLANK,
    Direction,
    Rows,
    Run,
    Spot,
    across,
    is_inside,
    lay,
    run_at,
    sign_at,
)
from games.tiles import on_board
from games.wer_behaelt_recht.state import Finished, Fragment, Laying, Side, State
from games.words import Verdict

Judge = Callable[[str], Verdict]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Where an announced word may begin, and which words at right angles that would make."""

    starts: tuple[Spot, ...] = ()
    doubtful: tuple[str, ...] = ()
    """Filled where every place makes a word that nobody knows."""
    contacts: tuple[str, ...] = ()
    """The senseless contacts of the places that were left out."""
    has_room: bool = False
    """Some place has room for the word, contacts apart."""


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
    """Find where a word with a run in it fits. `tile` was laid just now: it too may touch something at the sides."""
    best: Fit | None = None
    starts, contacts = list[Spot](), list[str]()
    for start in places(board, run, word):
        verdicts = {made: judge(made).status for made in crossings(board, start, run.direction, word, tile)}
        refused = [made for made, status in verdicts.items() if status == "refused"]
        doubtful = tuple(made for made, status in verdicts.items() if status == "doubtful")
        contacts += refused
        if not refused and not doubtful:
            starts.append(start)
        elif not refused and (best is None or len(doubtful) < len(best.doubtful)):
            best = Fit(starts=(start,), doubtful=doubtful, has_room=True)
    if starts or best is None:
        room = bool(starts or contacts)
        return Fit(starts=tuple(starts), contacts=tuple(dict.fromkeys(contacts)), has_room=room)
    return best


def crossings(board: Rows, start: Spot, direction: Direction, word: str, tile: Spot | None) -> tuple[str, ...]:
    """Give the words that the letters still to be laid, and the tile laid just now, make at right angles."""
    made = []
    for step, letter in enumerate(word):
        spot = start.moved(direction, step)
        if spot == tile or sign_at(board, spot) == BLANK:
            side = across(direction)
            run = run_at(lay(board, {spot: letter}), spot, side)
            made += [run.word] if len(run.signs) > 1 else []
    return tuple(made)


def target(run: Run, side: Side) -> Spot:
    """Give the cell before or behind a run."""
    return run.start.moved(run.direction, -1) if side == "front" else run.spots[-1].moved(run.direction)


def laid(board: Rows, spot: Spot, laying: Laying) -> Rows:
    """Put the tile on the board."""
    return lay(board, {spot: on_board(laying.letter, joker=laying.joker)})


def grown(fragment: Fragment, board: Rows, spot: Spot) -> Fragment | None:
    """Carry on a fragment with a tile in its sense, which lies already; None where no place of the word fits it."""
    run = run_at(board, fragment.spot, fragment.direction)
    starts = tuple(start for start in fragment.starts if _agrees(run, start, fragment.word))
    return replace(fragment, starts=starts, laid=(*fragment.laid, spot)) if starts else None


def _agrees(run: Run, start: Spot, word: str) -> bool:
    at = (run.start.column - start.column) + (run.start.row - start.row)
    return at >= 0 and word[at:].startswith(run.word)


def is_finished(fragment: Fragment, board: Rows) -> bool:
    """Ask whether the whole word lies there."""
    return fragment.run(board).word == fragment.word


def as_finished(fragment: Fragment, board: Rows) -> Finished:
    """Make a finished word of a fragment that is whole."""
    start = fragment.run(board).start
    return Finished(word=fragment.word, start=start, direction=fragment.direction, owner=fragment.owner)


def missing(fragment: Fragment, board: Rows, start: Spot) -> dict[Spot, str]:
    """Say which letters lack, and where, if the word begins here."""
    spots = (start.moved(fragment.direction, step) for step in range(len(fragment.word)))
    pairs = zip(spots, fragment.word, strict=True)
    return {spot: letter for spot, letter in pairs if sign_at(board, spot) == BLANK}


def makes_square(board: Rows, spot: Spot) -> bool:
    """Ask whether a tile completes a square of two by two."""
    corners = ((row, column) for row in (-1, 0) for column in (-1, 0))
    return any(
        all(sign_at(board, Spot(spot.row + r + dr, spot.column + c + dc)) != BLANK for dr in (0, 1) for dc in (0, 1))
        for r, c in corners
    )


def crossing_cells(state: State) -> tuple[tuple[Spot, Direction], ...]:
    """Give the cells where a new word may cross, with its direction: those of the word finished last.

    Where that has none, or a whole round of seats has found nothing there, those of any finished word.
    """
    last = _free_cells(state.board, state.finished[-1:])
    stuck = state.barren >= len(state.in_play)
    return _free_cells(state.board, state.finished) if stuck or not last else last


def _free_cells(board: Rows, words: Sequence[Finished]) -> tuple[tuple[Spot, Direction], ...]:
    """Cells whose neighbours at right angles to their word are both blank."""
    found = ((spot, across(word.direction)) for word in words for spot in word.spots)
    return tuple(dict.fromkeys(pair for pair in found if len(run_at(board, *pair).signs) == 1))
