"""What could have been, beside what was: the winner's board, and the best one of the same letters.

As long as words are doubtful nobody has won, and the board of who leads stands there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from gm.archive import layout
from gm.archive.game_pages import boards
from gm.archive.game_pages.boards import Placed
from gm.archive.game_pages.replay import outlines
from gm.archive.game_pages.tables import table
from gm.archive.record.record import Place, Record
from gm.drawing.parts import Board, Outline, Part


@dataclass(frozen=True, kw_only=True)
class BestGrid:
    """A section of what could have been, with two boards: that of the winner, and the best."""

    part: Part
    boards: Markup
    table: Markup


def best_grid(record: Record) -> BestGrid | None:
    """Put the best board beside the winner's; None where nobody has a board of their own, or none was found."""
    part = next((one for one in record.retrospect if _is_alone(one.boards)), None)
    ranked = record.result.standings if record.result else ()
    winner = next((one for one in ranked if one.winner), next(iter(ranked), None))  # nobody has won yet: who leads
    own = _own(record, winner) if winner else None
    if part is None or winner is None or own is None:
        return None
    say = layout.phrase
    best = say(record.language, "BEST_GRID")
    note = "" if winner.points is None else layout.minus(winner.points)
    laid = replace(own.board.without_marks(), name=winner.name, note=note)
    drawn = [
        _drawn(record, laid, outlines(record, own)),
        _drawn(record, replace(part.boards[0], name=best), None),
    ]
    words = table(part.table, best, best) if part.table else Markup("")
    return BestGrid(part=part, boards=Markup("").join(drawn), table=words)


def _is_alone(found: Sequence[Board]) -> bool:
    return len(found) == 1 and found[0].look == "letters"


def _own(record: Record, winner: Place) -> Placed | None:
    """Find the board of a seat after the last round."""
    found = boards.placed(record.snapshots[-1], record.seats) if record.snapshots else []
    own = (one for one in found if one.key[:2] == ("letters", winner.seat))
    return next(own, None)


def _drawn(record: Record, board: Board, words: Sequence[Outline] | None) -> Markup:
    label = f"{board.name}, {layout.phrase(record.language, 'RETROSPECT')}"
    return boards.position(board, board.name, label, is_own=True, outlines=words)
