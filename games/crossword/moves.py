"""From a block to a move: what was sent, what stays from the move on file, and what the player should know."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.api import Grid, MoveBlock, Seat, Sheet, Text, say
from games.crossword.board import (
    SIZE,
    Matching,
    Rows,
    WordList,
    all_along,
    cell_name,
    letter_at,
    match,
    new_cells,
    places,
    points,
    read_entry,
    read_list,
)
from games.crossword.rules import PROFILE, Claim, Move, State, Wish, judge_list
from games.crossword.sheets import Parts, Reading, read_grid, sort_lines
from games.crossword.view import draw, entries_text, line_name, list_summary, marked_rows, placed_text, sums, why
from games.shared.lines import other_round
from games.shared.notation import BLANKS, UMLAUTS, letter, shown
from games.shared.phrases import listed, plain
from games.words import Words

_MOST_PIECES: Final = 8
"""Of an entry, as many blanks as somebody may put into it; a longer line is a sentence."""


@dataclass(frozen=True, kw_only=True)
class WishField:
    """The `Neu:` line as read: a letter, nothing, or a problem."""

    letter: str = ""
    problem: Text | None = None


def read_sign_up(block: MoveBlock) -> Sheet[Wish]:
    """Read the wish letter that a sign-up brings."""
    wish = read_wish(sort_lines(block).wishes)
    if wish.problem:
        return Sheet(problems=(wish.problem,))
    if not wish.letter:
        return Sheet(wanted=(say("WISH_FIRST"),))
    return Sheet(move=Wish(letter=wish.letter), summary=((say("LABEL_FIRST_WISH"), plain(wish.letter)),))


def read_wish(values: Sequence[str]) -> WishField:
    """Read the values of the `Neu:` lines: one letter A-Z, or nothing."""
    marks = "".join(sign for sign in " ".join(values) if sign.isalnum())
    letters = {letter(sign) or sign for sign in marks}
    if not letters:
        return WishField()
    sent = shown(" ".join(values))
    if len(letters) > 1 or any(len([s for s in value if s.isalnum()]) > 1 for value in values):
        return WishField(problem=say("WISH_SEVERAL", sent=sent))
    if marks[0] in UMLAUTS:
        return WishField(problem=say("WISH_UMLAUT", sent=marks[0]))
    wish = letter(marks[0])
    return WishField(letter=wish) if wish else WishField(problem=say("WISH_NO_LETTER", sent=sent))


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None) -> Sheet[Move]:
    """Understand a block of a seat. What it leaves out stays as in `own`, the move on file."""
    before = state.grids[seat - 1]
    parts = _with_rows(sort_lines(block), before)
    wish = WishField() if state.is_last else read_wish(parts.wishes)
    grid = read_grid(parts.rows, before, state.wishes) if parts.rows else _kept_grid(before, own)
    listing = read_list(parts.words)
    missing = (say("NO_GRID"),) if _lacks_grid(state, parts, listing, own) else ()
    wishes = (wish.problem,) if wish.problem else ()
    problems = (*other_round(parts.rounds, state.round), *missing, *grid.problems, *wishes)
    if problems:
        known = wish.letter or (own.wish if own else "")
        is_lost = missing or (grid.problems and grid.rows == before)
        offer = _template(state, before) if is_lost else _offer(state, before, grid, known, listing)
        return _refusal(problems, grid, before, offer)
    placed = parts.rows and grid.rows != before
    if not (placed or wish.letter or listing.lines):
        return _nothing(state, parts, grid, listing)
    move = Move(
        grid=grid.rows,
        wish=wish.letter or (own.wish if own else ""),
        words=listing.lines or (own.words if own else ()),
    )
    remarks = (*grid.remarks, *_remarks(state, parts, wish, before, move, own), *_unread(listing))
    return _with_list(_acceptance(state, before, move, remarks), state, seat, move, words)


def _with_rows(parts: Parts, before: Rows) -> Parts:
    """Make a grid of letters that were sent by their cells: they are put into the grid of the round before."""
    if not parts.placed:
        return parts
    signs = dict(parts.placed)
    rows = ("".join(signs.get(cell_name(r, c), before[r][c].lower()) for c in range(SIZE)) for r in range(SIZE))
    return replace(parts, rows=tuple(rows))


def _kept_grid(before: Rows, own: Move | None) -> Reading:
    rows = own.grid if own else before
    return Reading(sent=rows, rows=rows)


def _lacks_grid(state: State, parts: Parts, listing: WordList, own: Move | None) -> bool:
    """Return whether lines were meant as a grid but can't be read: without a problem its letters would be lost.

    A wish alone is fine, and in the last round a list alone (games.md, Crossword 5), unless some lines look like rows.
    In the other rounds any unread line may be a row.
    """
    grid_like = [line for line in listing.unread if sum(sign in BLANKS for sign in line) > 1]
    strays = 0 if state.is_last else len(listing.unread)
    return not parts.rows and (len(grid_like) > 2 or strays > (own is not None))


def _nothing(state: State, parts: Parts, grid: Reading, listing: WordList) -> Sheet[Move]:
    """Answer a block in which nothing was entered, or nothing that can be read."""
    ignored = [say("WISH_IGNORED")] if state.is_last and any(parts.wishes) else []
    return Sheet(remarks=(*ignored, *(grid.remarks if parts.rows else ()), *_unread(listing)))


def _refusal(problems: tuple[Text, ...], grid: Reading, before: Rows, offer: tuple[str, ...]) -> Sheet[Move]:
    return Sheet(problems=problems, grids=(_as_read(grid, before),), offer=offer)


def _as_read(grid: Reading, before: Rows) -> Grid:
    rows = tuple("".join(letter(sign) or (shown(sign) or "?") for sign in row) for row in grid.sent)
    return draw(rows, _differing(before, rows), wrong=grid.wrong)


def _differing(before: Rows, rows: Rows) -> tuple[str, ...]:
    pairs = ((row, column) for row in range(SIZE) for column in range(SIZE))
    return tuple(cell_name(r, c) for r, c in pairs if before[r][c] != rows[r][c])


def _template(state: State, before: Rows) -> tuple[str, ...]:
    """Offer the empty template: a grid of which nothing could be read must not be offered as a move."""
    return (*(() if state.is_last else ("Neu:",)), *marked_rows(before, before))


def _offer(state: State, before: Rows, grid: Reading, wish: str, listing: WordList) -> tuple[str, ...]:
    """Make the corrected block, ready to send."""
    head = () if state.is_last else (f"Neu: {wish}".strip(),)
    return (*head, *marked_rows(before, grid.rows), *(shown(line, 200) for line in listing.lines))


def _acceptance(state: State, before: Rows, move: Move, remarks: tuple[Text, ...]) -> Sheet[Move]:
    new = new_cells(before, move.grid)
    lost = unplaced(state, before, move)
    summary = [(say("LABEL_PLACED"), placed_text(before, move)), (say("LABEL_LOST"), _letters_text(lost))]
    if not state.is_last:
        summary.append((say("LABEL_WISH", round=state.round + 1), plain(move.wish) if move.wish else say("NONE")))
    wanted = () if state.is_last or move.wish else (say("WISH_WANTED", round=state.round + 1),)
    note = (say("UNPLACED", letters=listed(lost, SIZE)),) if lost else ()
    return Sheet(
        move=move,
        remarks=(*remarks, *note),
        wanted=wanted,
        summary=tuple(summary),
        grids=(draw(move.grid, new),),
    )


def unplaced(state: State, before: Rows, move: Move) -> tuple[str, ...]:
    """Return the letters of the round that a move leaves out."""
    left = sorted(state.wishes)
    for cell in new_cells(before, move.grid):
        if (placed := letter_at(move.grid, cell)) in left:
            left.remove(placed)
    return tuple(left)


def _letters_text(letters: Sequence[str]) -> Text:
    return plain(", ".join(letters)) if letters else say("NONE")


def _remarks(
    state: State, parts: Parts, wish: WishField, before: Rows, move: Move, own: Move | None
) -> tuple[Text, ...]:
    """Return what was taken from the move on file, and what had no effect."""
    remarks: list[Text] = []
    if state.is_last and any(parts.wishes):
        remarks.append(say("WISH_IGNORED"))
    if own and own.wish and not wish.letter and not state.is_last:
        remarks.append(say("WISH_KEPT", letter=own.wish))
    if parts.placed:
        remarks.append(say("CELLS_READ"))
    if not parts.rows:
        remarks.append(say("GRID_KEPT") if own and own.grid != before else say("GRID_UNCHANGED"))
    elif own and move.grid == before != own.grid:
        remarks.append(say("GRID_BACK"))
    return tuple(remarks)


def _unread(listing: WordList) -> tuple[Text, ...]:
    return tuple(
        say("UNREAD_ENTRY" if _is_nearly_entry(line) else "UNREAD", line=shown(line))
        for line in listing.unread
        if shown(line)
    )


def _is_nearly_entry(line: str) -> bool:
    """Return whether a line that wasn't read may be meant as an entry: it has a figure and a word, and is short."""
    has_both = any(map(str.isdecimal, line)) and any(map(str.isalpha, line))
    return has_both and len(line.split()) <= _MOST_PIECES and read_entry(line) is None


def _with_list(sheet: Sheet[Move], state: State, seat: Seat, move: Move, words: Words) -> Sheet[Move]:
    """Add what the word list says: points in the last round, before it only that it is kept."""
    kept = move.words or state.lists[seat - 1]
    if not kept:
        return replace(sheet, wanted=(*sheet.wanted, say("LIST_WANTED"))) if state.is_last else sheet
    listing = read_list(kept)
    if not state.is_last:
        early = (say("LABEL_LIST"), entries_text(len(listing.entries)))
        remark = (say("LIST_EARLY"),) if move.words else ()
        return replace(sheet, remarks=(*sheet.remarks, *remark), summary=(*sheet.summary, early))
    matching = match(listing.entries, move.grid)
    judged = judge_list(move.grid, matching, words)
    return replace(
        sheet,
        remarks=(*sheet.remarks, *_list_remarks(listing, matching, judged, old=not move.words)),
        doubtful=_doubtful(judged, move, matching, words),
        summary=(*sheet.summary, *list_summary(judged)),
    )


def _doubtful(judged: Sequence[Claim], move: Move, matching: Matching, words: Words) -> tuple[str, ...]:
    """Return the words the GM must rule on, also substitutes that count if a doubtful word is refused."""
    waiting = {claim.line for claim in judged if claim.status == "doubtful"}
    spares = {
        entry.substitute
        for line, entry in matching.lines.items()
        if line in waiting and entry.substitute and any(places(entry.substitute, all_along(move.grid)[line]))
    }
    unknown = {word for word in spares if words.check(word, PROFILE).status == "doubtful"}
    return tuple(sorted({claim.word for claim in judged if claim.status == "doubtful"} | unknown))


def _list_remarks(listing: WordList, matching: Matching, judged: Sequence[Claim], *, old: bool) -> tuple[Text, ...]:
    remarks = [say("LIST_OLD")] if old else []
    remarks += [say("FITS_NOWHERE", words="+".join(entry.words)) for entry in matching.unplaced]
    remarks += [say("FITS_ELSEWHERE", words="+".join(entry.words), line=line_name(n)) for n, entry in matching.moved]
    for number, entry in matching.lines.items():
        if entry.surplus:
            remarks.append(say("SURPLUS", line=line_name(number), words="+".join(entry.surplus)))
    remarks += [
        say("WORD_REFUSED", line=line_name(claim.line), word=claim.word, reason=why(claim))
        for claim in judged
        if claim.status == "refused"
    ]
    return (*remarks, *_point_remarks(listing, matching, judged))


def _point_remarks(listing: WordList, matching: Matching, judged: Sequence[Claim]) -> tuple[Text, ...]:
    """Compare the player's figures with ours. While words are doubtful, both sums are right: with them and without."""
    remarks: list[Text] = []
    for number, entry in matching.lines.items():
        ours = _both_sums([claim for claim in judged if claim.line == number])
        if entry.points is not None and entry.points not in (*ours, *_instead(entry.substitute)):
            remarks.append(say("POINTS_OTHER", line=line_name(number), sent=entry.points, points=ours[0]))
    ours = _both_sums(judged)
    if listing.total is not None and listing.total not in ours:
        remarks.append(say("SUM_OTHER", sent=listing.total, points=ours[0]))
    return tuple(remarks)


def _instead(substitute: str) -> tuple[int, ...]:
    return (points(substitute),) if substitute else ()


def _both_sums(judged: Sequence[Claim]) -> tuple[int, int]:
    sure, still_open = sums(judged)
    return sure, sure + still_open
