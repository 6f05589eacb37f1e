"""From a block to a move: what was sent, what stays from the move on file, and what the player should know."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.api import Grid, MoveBlock, Seat, Sheet, Text, say
from games.crossword.board import CELLS, SIZE, Rows, all_along, placed, points, starts
from games.crossword.rules import PROFILE, Claim, Move, State, Wish, doubtful, judge_list, sums
from games.crossword.sheets import Parts, Reading, read_grid, sign_text, sort_lines
from games.crossword.view import block_lines, draw, entries_text, line_name, list_summary, placed_text, why, wish_pair
from games.crossword.wordlist import Matching, WordList, match, read_entry, read_list
from games.shared.grids import BLANKS
from games.shared.lines import other_round, unread
from games.shared.notation import UMLAUTS, letter, shown
from games.shared.phrases import listed, plain
from games.words import Words

_MOST_PIECES: Final = 8
"""Of an entry, as many blanks as somebody may put into it; a longer line is a sentence."""


def read_sign_up(block: MoveBlock) -> Sheet[Wish]:
    """Read the wish letter that a sign-up brings."""
    wish, problems = read_wish(sort_lines(block).wishes)
    if problems:
        return Sheet(problems=problems)
    if not wish:
        return Sheet(wanted=(say("WISH_FIRST"),))
    return Sheet(move=Wish(letter=wish), summary=((say("LABEL_FIRST_WISH"), plain(wish)),))


def read_wish(values: Sequence[str]) -> tuple[str, tuple[Text, ...]]:
    """Read the values of the `Neu:` lines: one letter A-Z, or nothing; and what is wrong with them."""
    marks = "".join(sign for sign in " ".join(values) if sign.isalnum())
    letters = {letter(sign) or sign for sign in marks}
    if not letters:
        return "", ()
    sent = shown(" ".join(values))
    if len(letters) > 1 or any(len([s for s in value if s.isalnum()]) > 1 for value in values):
        return "", (say("WISH_SEVERAL", sent=sent),)
    if marks[0] in UMLAUTS:
        return "", (say("WISH_UMLAUT", sent=marks[0]),)
    wish = letter(marks[0])
    return wish, () if wish else (say("WISH_NO_LETTER", sent=sent),)


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None) -> Sheet[Move]:
    """Understand a block of a seat. What it leaves out stays as in `own`, the move on file."""
    before = state.grids[seat - 1]
    kept = own or Move(grid=before)
    parts = sort_lines(block, before)
    wish, wish_problems = ("", ()) if state.is_last else read_wish(parts.wishes)
    grid = read_grid(parts.rows, before, state.wishes) if parts.rows else Reading(sent=kept.grid, rows=kept.grid)
    listing = read_list(parts.words)
    missing = (say("NO_GRID"),) if _lacks_grid(state, parts, listing, own) else ()
    problems = (*other_round(parts.rounds, state.round), *missing, *grid.problems, *wish_problems)
    if problems:
        offer = Move(grid=grid.rows, wish=wish or kept.wish, words=tuple(shown(line, 200) for line in listing.lines))
        if missing or (grid.problems and grid.rows == before):
            # A grid of which nothing could be read must not be offered as a move.
            offer = Move(grid=before)
        # Which sign kept rows from being read; that other lines are no rows is said by the problem.
        remarks = tuple(text for text in _unread(listing) if missing and text.code == "UNREAD_SIGN")
        drawn = (_as_read(grid, before),)
        return Sheet(problems=problems, remarks=remarks, grids=drawn, offer=block_lines(state, seat, offer))
    if not (wish or listing.lines or (parts.rows and grid.rows != before)):
        return Sheet(remarks=(*_ignored(state, parts), *grid.remarks, *_unread(listing)))
    move = Move(grid=grid.rows, wish=wish or kept.wish, words=listing.lines or kept.words)
    remarks = (*grid.remarks, *_ignored(state, parts), *_kept(state, parts, wish, before, move, own), *_unread(listing))
    return _with_list(_acceptance(state, before, move, remarks), state, seat, move, words)


def _lacks_grid(state: State, parts: Parts, listing: WordList, own: Move | None) -> bool:
    """Return whether lines were meant as a grid but can't be read: without a problem its letters would be lost.

    A wish alone is fine, and in the last round a list alone (games.md, Crossword 5), unless some lines look like rows.
    In the other rounds any unread line may be a row.
    """
    grid_like = [line for line in listing.unread if sum(sign in BLANKS for sign in line) > 1]
    strays = 0 if state.is_last else len(listing.unread)
    return not parts.rows and (len(grid_like) > 2 or strays > (own is not None))


def _as_read(grid: Reading, before: Rows) -> Grid:
    signs = [sign_text(sign) for row in grid.sent for sign in row]
    lying = zip(CELLS, "".join(before), signs, strict=True)
    return draw(tuple(signs), [cell for cell, lies, sign in lying if lies != sign], wrong=grid.wrong)


def _acceptance(state: State, before: Rows, move: Move, remarks: tuple[Text, ...]) -> Sheet[Move]:
    new = placed(before, move.grid)
    lost = tuple(sorted((Counter(state.wishes) - Counter(new.values())).elements()))
    lost_text = plain(", ".join(lost)) if lost else say("NONE")
    wanted = () if state.is_last or move.wish else (say("WISH_WANTED", round=state.round + 1),)
    note = (say("UNPLACED", letters=listed(lost, SIZE)),) if lost else ()
    return Sheet(
        move=move,
        remarks=(*remarks, *note),
        wanted=wanted,
        summary=((say("LABEL_PLACED"), placed_text(new)), (say("LABEL_LOST"), lost_text), *wish_pair(state, move)),
        grids=(draw(move.grid, new),),
    )


def _ignored(state: State, parts: Parts) -> tuple[Text, ...]:
    """Say that there are no wishes in the last round."""
    return (say("WISH_IGNORED"),) if state.is_last and parts.wishes else ()


def _kept(state: State, parts: Parts, wish: str, before: Rows, move: Move, own: Move | None) -> tuple[Text, ...]:
    """Say what was taken from the move on file."""
    remarks: list[Text] = []
    if own and own.wish and not wish and not state.is_last:
        remarks.append(say("WISH_KEPT", letter=own.wish))
    if parts.by_cells:
        remarks.append(say("CELLS_READ"))
    if not parts.rows:
        remarks.append(say("GRID_KEPT") if own and own.grid != before else say("GRID_UNCHANGED"))
    elif own and move.grid == before != own.grid:
        remarks.append(say("GRID_BACK"))
    return tuple(remarks)


def _unread(listing: WordList) -> tuple[Text, ...]:
    return tuple(
        unread(line, "UNREAD_ENTRY" if _is_nearly_entry(line) else "UNREAD") for line in listing.unread if shown(line)
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
    if not state.is_last:
        early = (say("LABEL_LIST"), entries_text(kept))
        remark = (say("LIST_EARLY"),) if move.words else ()
        return replace(sheet, remarks=(*sheet.remarks, *remark), summary=(*sheet.summary, early))
    listing = read_list(kept)
    matching = match(listing.entries, move.grid)
    judged = judge_list(move.grid, matching, words)
    is_old = () if move.words else (say("LIST_OLD"),)
    return replace(
        sheet,
        remarks=(*sheet.remarks, *is_old, *_list_remarks(listing, matching, judged)),
        doubtful=_doubtful(judged, move, matching, words),
        summary=(*sheet.summary, *list_summary(judged)),
    )


def _doubtful(judged: Sequence[Claim], move: Move, matching: Matching, words: Words) -> tuple[str, ...]:
    """Return the words the GM must rule on, also substitutes that count if a doubtful word is refused."""
    waiting = {claim.line: matching.lines[claim.line].substitute for claim in judged if claim.status == "doubtful"}
    texts = all_along(move.grid)
    spares = {word for line, word in waiting.items() if word and starts(word, texts[line])}
    unknown = {word for word in spares if words.check(word, PROFILE).status == "doubtful"}
    return tuple(sorted({*doubtful(judged), *unknown}))


def _list_remarks(listing: WordList, matching: Matching, judged: Sequence[Claim]) -> tuple[Text, ...]:
    remarks = [say("FITS_NOWHERE", words="+".join(entry.words)) for entry in matching.unplaced]
    remarks += [say("FITS_ELSEWHERE", words="+".join(entry.words), line=line_name(n)) for n, entry in matching.moved]
    remarks += [
        say("SURPLUS", line=line_name(number), words="+".join(entry.surplus))
        for number, entry in matching.lines.items()
        if entry.surplus
    ]
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
        sure, still_open = sums(claim for claim in judged if claim.line == number)
        if entry.points not in (None, sure, sure + still_open, points(entry.substitute) or None):
            remarks.append(say("POINTS_OTHER", line=line_name(number), sent=entry.points, points=sure))
    sure, still_open = sums(judged)
    if listing.total not in (None, sure, sure + still_open):
        remarks.append(say("SUM_OTHER", sent=listing.total, points=sure))
    return tuple(remarks)
