"""A game to step through: its boards, drawn once for all rounds, and what happened in each.

The page has a radio button for each round. Rules of its own stylesheet hide what came after the chosen round, mark
what came in it, and show its text. So nothing is drawn twice, and no script is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from markupsafe import Markup

from gm.archive import layout
from gm.archive.game_pages import boards
from gm.archive.game_pages.boards import Key, Placed
from gm.archive.game_pages.moves import Move
from gm.archive.game_pages.standings import part_of_result
from gm.archive.game_pages.tables import table
from gm.archive.record.record import Record, WordRecord
from gm.drawing.parts import Board, Outline, Part
from gm.game.announcements.counts import Count

LONG: Final = 24
"""Rounds whose buttons stand in several rows, with racks and hands after each; longer games have one row that scrolls,
and racks only at the end."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A round in the replay. `shown` has the boards and tables that aren't drawn once for all rounds."""

    at: int
    move: Move
    shown: Markup
    has_page: bool
    """False for the round that goes on."""


@dataclass(frozen=True, kw_only=True)
class Replay:
    """All rounds, and the boards below them."""

    steps: Sequence[Step]
    boards: Markup

    @property
    def is_long(self) -> bool:
        """Whether the buttons stand in one row."""
        return len(self.steps) > LONG


def replay(record: Record, moves: Sequence[Move], counted: Sequence[Count]) -> Replay:
    """Make the replay of a game that has begun."""
    rounds = [boards.placed(move.snapshot, record.seats) for move in moves]
    growing = _growing(rounds)
    drawn = (_over_rounds(record, moves, found, counted, has_caption=len(growing) > 1) for found in growing.values())
    last = len(moves) - 1
    steps = [
        Step(
            at=at, move=move, has_page=move.snapshot is not record.now,
            shown=_shown(record, move, [one for one in rounds[at] if one.key not in growing])
            if at == last or last < LONG else Markup(""),
        )
        for at, move in enumerate(moves)
    ]  # fmt: skip
    return Replay(steps=steps, boards=Markup("").join(drawn))


def _growing(rounds: Sequence[Sequence[Placed]]) -> dict[Key, list[Placed | None]]:
    """Find the boards from which nothing is ever taken, in the order of the last round."""
    by_key = [{one.key: one for one in found} for found in rounds]
    over = {key: [found.get(key) for found in by_key] for key in by_key[-1]}
    return {key: found for key, found in over.items() if _is_drawn_once(key, found)}


def _is_drawn_once(key: Key, found: Sequence[Placed | None]) -> bool:
    """Whether a board lies there from round to round and only grows; racks, hands and dice come and go."""
    look, seat, _ = key
    stays = look in ("letters", "pegs") or (look == "dominoes" and not seat)
    return stays and len(found) - found.count(None) >= min(2, len(found)) and boards.only_grows(_boards(found))


def _boards(found: Sequence[Placed | None]) -> list[Board | None]:
    return [one.board if one else None for one in found]


def _over_rounds(
    record: Record,
    moves: Sequence[Move],
    found: Sequence[Placed | None],
    counted: Sequence[Count],
    *,
    has_caption: bool,
) -> Markup:
    last = next(one for one in reversed(found) if one)
    seat = last.key[1]
    points = next((one.by_seat[seat] for one in counted if one.kind == "points" and seat in one.by_seat), ())
    label = last.name or layout.phrase(record.language, "BOARD")
    holders = [move.snapshot.names.get(seat, label) for move in moves]
    notes = [
        _held(_note(one, points[at] if at < len(points) else None), "" if holder == label else holder)
        for at, (one, holder) in enumerate(zip(found, holders, strict=True))
    ]
    caption = label if has_caption or seat else ""
    return boards.over_rounds(_boards(found), label, caption, outlines(record, last), notes, is_own=seat > 0)


def _note(one: Placed | None, points: int | None) -> str:
    """Give the note of a board, or the points of whose it is."""
    if one and one.board.note:
        return one.board.note
    return "" if points is None else layout.minus(points)


def _held(note: str, by: str) -> str:
    """Add who held the seat then, where the board is called by somebody who came later: `NMR (Dora E.)`."""
    return f"{note} ({by})".strip() if by else note


def outlines(record: Record, last: Placed) -> list[Outline] | None:
    """Outline the words on a board, each with its points; None where words aren't judged, or it isn't known where."""
    words = record.words if last.board.look == "letters" else ()
    if not any(word.first for word in words):
        return None
    return [
        Outline(first=word.first, last=word.last, title=_title(record, word))
        for word in words
        if word.first and word.last and word.status != "refused" and last.key[1] in (0, word.seat)
    ]


def _title(record: Record, word: WordRecord) -> str:
    """Say a word and what it is worth, or that nobody knows yet."""
    say = partial(layout.phrase, record.language)
    worth = say("STATUS_doubtful") if word.status == "doubtful" else word.points and say("WORTH", count=word.points)
    return f"{word.word}, {worth}" if worth else word.word


def _shown(record: Record, move: Move, others: Sequence[Placed]) -> Markup:
    """Draw what changes altogether from round to round: dice, racks, score cards; all tables, if there is no board."""
    heading = move.snapshot.heading
    drawn = [_single(one, heading) for one in others]
    shown = [layout.piece("boards", drawn)] if drawn else []
    tables = [(part, part.table) for part in move.snapshot.parts if part.table and shows_table(record, part)]
    for part, chart in sorted(tables, key=lambda found: not found[1].is_card):
        name = part.heading or layout.phrase(record.language, "TABLE_ALONE")
        shown.append(table(chart, name, f"{name}, {heading}"))
    return Markup("").join(shown)


def _single(one: Placed, heading: str) -> Markup:
    board = replace(one.board, name=one.name)
    return boards.position(board, one.name, f"{one.name}, {heading}", is_own=one.key[1] > 0)


def shows_table(record: Record, part: Part) -> bool:
    """Whether the table of a section is shown with its round: a score card, or any but the result without boards."""
    if part.table is None or part is part_of_result(record):
        return False
    return part.table.is_card or not any(one.boards for snapshot in record.snapshots for one in snapshot.parts)
