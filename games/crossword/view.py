"""A position through the eyes of one viewer; and how a grid, a line or a word is shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final

from games.api import ALL, Cell, Grid, Played, Seat, Section, Standing, Table, Text, View, Viewer, say, seat_of
from games.catalogue import read
from games.crossword.board import BLANK, COLUMNS, LINES, SIZE, Rows, cell_name, letter_at, new_cells, points, read_list
from games.crossword.rules import ROUNDS, SEATS, Claim, Move, Result, State, standings
from games.shared.phrases import counted, labelled, plain, reason_text, seat_text, table_head

_COLUMNS = tuple(COLUMNS)
_ROWS = tuple(str(row + 1) for row in range(SIZE))
_LINE_CODES = {"Z": "LINE_ROW", "S": "LINE_COLUMN", "D": "LINE_DIAGONAL"}
_ORDER = (*range(SIZE), 12, *range(SIZE, 12), 13)
"""Rows and the first diagonal on the left, columns and the second one on the right, when the table is folded."""


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Grids and letters are public; a move on file and a word list are for their seat only."""
    if state.over:
        return _result(state)
    seat = seat_of(viewer, SEATS)
    mine = _on_file(state, seat, own) if seat and own else _all_lists(state) if viewer == ALL else ()
    return View(
        sections=(*_public(state), *mine),
        ask=_ask(state) if seat else None,
        how_to=_how_to(state) if seat else (),
        in_short=(say("HOW_LIST"),) if seat and state.is_last else (),  # the grid is nothing new in the last round
        block=_block(state, seat) if seat else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer, own),
    )


@lru_cache(maxsize=1)
def _public(state: State) -> tuple[Section, ...]:
    return (_letters(state), _grids(state))


def _letters(state: State) -> Section:
    wishes = tuple(
        say("WISHED_AGAIN" if again else "WISHED", seat=seat, letter=letter)
        for seat, letter, again in zip(SEATS, state.wishes, state.repeated, strict=True)
    )
    return Section(
        title=say("LETTERS", round=state.round, letters=" ".join(state.wishes)),
        lines=(say("WISHES", wishes=wishes),),
    )


def _grids(state: State) -> Section:
    closed = state.round - 1
    legend = say("LEGEND", round=closed, letters=" ".join(sorted(state.previous)))
    return Section(
        title=say("GRIDS", round=closed) if closed else say("GRIDS_START"),
        legend=(legend,) if closed else (),
        grids=tuple(_grid(state, seat, closed) for seat in SEATS),
    )


def _grid(state: State, seat: Seat, closed: int) -> Grid:
    missed = closed in state.nmr[seat - 1] and seat not in state.given_up
    note = say("NOTE_NMR", seat=seat, in_round=closed) if missed else None
    return draw(state.grids[seat - 1], state.new[seat - 1], seat, note)


def _on_file(state: State, seat: Seat, own: Move) -> tuple[Section, ...]:
    before = state.grids[seat - 1]
    pairs = [(say("LABEL_PLACED"), placed_text(before, own))]
    if not state.is_last:
        pairs.append((say("LABEL_WISH", round=state.round + 1), plain(own.wish) if own.wish else say("NONE")))
    if own.words:
        pairs.append((say("LABEL_LIST"), entries_text(len(read_list(own.words).entries))))
    return (
        Section(
            title=say("ON_FILE", round=state.round),
            lines=labelled(pairs),
            grids=(draw(own.grid, new_cells(before, own.grid)),),
        ),
    )


def _all_lists(state: State) -> tuple[Section, ...]:
    """Show the word lists that came early: all else that is hidden comes with the moves of a round."""
    lines = tuple(
        say("LIST_OF", seat=seat, entries="; ".join(kept))
        for seat, kept in zip(SEATS, state.lists, strict=True)
        if kept
    )
    return (Section(title=say("ALL_LISTS"), lines=lines),) if lines else ()


def _ask(state: State) -> Text:
    letters = " ".join(state.wishes)
    if state.is_last:
        return say("ASK_LIST", letters=letters)
    return say("ASK_GRID", letters=letters, round=state.round + 1)


def _how_to(state: State) -> tuple[Text, ...]:
    wish_or_list = say("HOW_LIST") if state.is_last else say("HOW_WISH", round=state.round + 1)
    return (say("HOW_GRID"), wish_or_list)


def _block(state: State, seat: Seat) -> tuple[str, ...]:
    rows = block_rows(state.grids[seat - 1])
    return rows if state.is_last else ("Neu:", *rows)


@lru_cache(maxsize=1)
def _result(state: State) -> View:
    """Show how it ended, to all alike: nothing is hidden any more."""
    seat_facts = _seat_facts(state, None, None)
    return View(sections=final_sections(state), facts=_facts(state), seat_facts=seat_facts, words=played(state))


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking and then the seats in its order."""
    ranked = standings(state)
    if not state.results:
        return (_places(state, ranked), *(_final_grid(state, standing) for standing in ranked))
    return (_ranking(state, ranked), *(_player(state, standing) for standing in ranked))


def _ranking(state: State, ranked: Sequence[Standing]) -> Section:
    is_open = any(result.open for result in state.results)
    heads = ("RANK", "NAME", "ROWS", "COLUMNS", "DIAGONALS", "SIXES", "REFUSED", "POINTS")
    rows = tuple(_ranking_row(state, standing) for standing in ranked)
    return Section(
        title=say("RANKING_PROVISIONAL" if is_open else "RANKING"),
        table=Table(head=table_head(*heads), rows=rows),
        notes=(say("MARKS"),),
    )


def _ranking_row(state: State, standing: Standing) -> tuple[str | int | Text, ...]:
    result = state.results[standing.seat - 1]
    by_kind = {kind: sums([c for c in result.claims if LINES[c.line].kind == kind])[0] for kind in "ZSD"}
    sixes = sum(claim.status == "accepted" and len(claim.word) == SIZE for claim in result.claims)
    refused = sum(claim.status == "refused" for claim in result.claims)
    points = points_text(result.points, result.open) if result.open else result.points
    return (standing.rank, seat_text(standing.seat, state.given_up), *by_kind.values(), sixes, refused, points)


def _places(state: State, ranked: Sequence[Standing]) -> Section:
    """Show the places of a game that ended before there were points."""
    return Section(
        title=say("RANKING"),
        table=Table(
            head=table_head("RANK", "NAME"),
            rows=tuple((standing.rank, seat_text(standing.seat, state.given_up)) for standing in ranked),
        ),
        notes=(say("NO_POINTS"),),
    )


def _final_grid(state: State, standing: Standing) -> Section:
    at = standing.seat - 1
    return Section(grids=(replace(draw_capitals(state.grids[at], state.new[at]), seat=standing.seat),))


def _player(state: State, standing: Standing) -> Section:
    seat, result = standing.seat, state.results[standing.seat - 1]
    title = say("PLAYER", rank=standing.rank, seat=seat, points=counted(result.points))
    if result.open:
        title = say("PLAYER_OPEN", rank=standing.rank, seat=seat, points=counted(result.points), open=result.open)
    return Section(
        title=title,
        grids=(draw_capitals(state.grids[seat - 1], state.new[seat - 1]),),
        table=_lines_table(result),
        notes=(*_claim_notes(result), *_unplaced_notes(result), *_best_note(result)),
    )


def _lines_table(result: Result) -> Table:
    rows = ((number, result.by_line.get(number, ())) for number in _ORDER)
    return Table(
        head=table_head("LINE", "WORDS", "WORTH"),
        rows=tuple((line_name(number), marks(claims), sums(claims)[0]) for number, claims in rows),
        fold=2,
    )


def _claim_notes(result: Result) -> tuple[Text, ...]:
    notes: list[Text] = []
    for number in _ORDER:
        claims = result.by_line.get(number, ())
        spare = next((c for c in claims if c.substitute and c.status != "refused"), None)
        for claim in claims:
            if claim.status == "refused":
                notes.append(_struck(claim, spare))
                spare = None
            elif claim.status == "doubtful":
                notes.append(say("WAITING", line=line_name(number), word=claim.word, points=claim.points))
    return tuple(notes)


def _struck(claim: Claim, spare: Claim | None) -> Text:
    line, reason = line_name(claim.line), why(claim)
    if spare is None:
        return say("STRUCK", line=line, word=claim.word, reason=reason)
    points = spare.points if spare.status == "accepted" else 0
    return say("STRUCK_SUBSTITUTE", line=line, word=claim.word, reason=reason, substitute=spare.word, points=points)


def _unplaced_notes(result: Result) -> tuple[Text, ...]:
    return tuple(say("FITS_NO_LINE", words=words) for words in result.unplaced)


def _best_note(result: Result) -> tuple[Text, ...]:
    """Say what more was possible, with the words that the player hasn't got; nothing where all of it was found."""
    if not result.best:
        return (say("BEST_NOTHING"),)
    points = sum(found.points for found in result.best)
    if points <= result.points:
        return ()
    got = {(claim.line, claim.word) for claim in result.claims if claim.status == "accepted"}
    words = tuple(
        say("BEST_WORD", line=line_name(found.line), word=found.word + ("<" if found.backwards else ""))
        for found in result.best
        if (found.line, found.word) not in got
    )
    return (say("BEST", points=counted(points), words=words),)


def played(state: State) -> tuple[Played, ...]:
    """List every word that was claimed, substitutes and those that fit no line as well."""
    words: list[Played] = []
    for seat, result in zip(SEATS, state.results, strict=False):  # none, where it ended early
        words += (_played(seat, claim) for claim in result.claims)
        lost = (word for entry in result.unplaced for word in entry.split("+"))
        words += (_fitting_nowhere(seat, word) for word in lost)
    return tuple(words)


def _played(seat: Seat, claim: Claim) -> Played:
    return Played(
        seat=seat,
        word=claim.word,
        points=claim.points,
        status=claim.status,
        why=why(claim) if claim.status == "refused" else None,
        where=line_name(claim.line),
        **_ends(claim),
    )


def _ends(claim: Claim) -> dict[str, str]:
    """Give the cells of the first and the last letter; nothing for a word that doesn't lie in its line."""
    if claim.start < 0:
        return {}
    cells = LINES[claim.line].cells[claim.start : claim.start + len(claim.word)]
    first, *_, last = (cell_name(*cell) for cell in (reversed(cells) if claim.backwards else cells))
    return {"first": first, "last": last}


def _fitting_nowhere(seat: Seat, word: str) -> Played:
    return Played(seat=seat, word=word, points=points(word), status="refused", why=say("IN_NO_LINE"))


def _facts(state: State) -> Mapping[str, Any]:
    return {"round": state.round, "rounds": ROUNDS, "letters": "".join(sorted(state.wishes))}


def _seat_facts(state: State, viewer: Viewer | None, own: Move | None) -> Mapping[Seat, Mapping[str, Any]]:
    facts: dict[Seat, dict[str, Any]] = {
        seat: {
            "nmr": list(state.nmr[seat - 1]),
            "grid": list(block_rows(state.grids[seat - 1])),
            "wish": state.wishes[seat - 1],
            **(final_facts(state, seat) if state.over else {}),
        }
        for seat in SEATS
    }
    for seat in SEATS:
        if seat == viewer:
            facts[seat]["move"] = _move_facts(own)
        kept = (own.words if own and seat == viewer else ()) or state.lists[seat - 1]
        if kept and viewer in (seat, ALL):
            facts[seat]["words"] = list(kept)
    return facts


def final_facts(state: State, seat: Seat) -> dict[str, Any]:
    """Return what a seat got as plain JSON."""
    rank = next(standing.rank for standing in standings(state) if standing.seat == seat)
    if not state.results:
        return {"rank": rank}
    mine = state.results[seat - 1]
    best = sum(found.points for found in mine.best)
    words = {_name(number): marks(claims).lower() for number, claims in sorted(mine.by_line.items())}
    return {"rank": rank, "points": mine.points, "open": mine.open, "best": best, "words": words}


def _name(number: int) -> str:
    return f"{LINES[number].kind}{LINES[number].number}"


def _move_facts(own: Move | None) -> dict[str, Any] | None:
    return {"grid": list(block_rows(own.grid)), "wish": own.wish} if own else None


def draw(
    rows: Rows,
    new: Collection[str] = (),
    seat: Seat | None = None,
    note: Text | None = None,
    wrong: Collection[str] = (),
) -> Grid:
    """Draw a grid: new letters in capitals, old ones in lower case. `wrong` are cells that a move is refused for."""
    cells = _cells(rows, frozenset(new), frozenset(wrong))
    return Grid(seat=seat, note=note, columns=_COLUMNS, rows=_ROWS, cells=cells)


@lru_cache(maxsize=100)
def _cells(rows: Rows, new: Collection[str], wrong: Collection[str] = ()) -> tuple[tuple[Cell, ...], ...]:
    """Lay out the cells of a grid: once for the mails to all who see it."""
    names = [[cell_name(row, column) for column in range(SIZE)] for row in range(SIZE)]
    return tuple(
        tuple(_cell(lies, name in new, name in wrong) for lies, name in zip(row, of_row, strict=True))
        for row, of_row in zip(rows, names, strict=True)
    )


@lru_cache(maxsize=200)
def _cell(lies: str, new: bool, wrong: bool) -> Cell:
    text = "" if lies == BLANK else lies.upper() if new else lies.lower()
    return Cell(text=text, new=new, mark="wrong" if wrong else "")


def draw_capitals(rows: Rows, new: Collection[str] = ()) -> Grid:
    """Draw a grid without its player, all in capitals: words are read from it. What is new stays marked."""
    cells = tuple(
        tuple(_capital(lies, cell.new) for lies, cell in zip(row, drawn, strict=True))
        for row, drawn in zip(rows, _cells(rows, frozenset(new)), strict=True)
    )
    return Grid(columns=_COLUMNS, rows=_ROWS, cells=cells)


@cache
def _capital(lies: str, new: bool) -> Cell:
    return Cell(text="" if lies == BLANK else lies, new=new)


def block_rows(rows: Rows) -> tuple[str, ...]:
    """Write the rows of a grid for a block without new letters."""
    return tuple(row.lower() for row in rows)


def marked_rows(old: Rows, rows: Rows) -> tuple[str, ...]:
    """Write the rows of a grid for a block: what is new in capitals."""
    return tuple(
        "".join(sign if lies == BLANK else sign.lower() for lies, sign in zip(before, row, strict=True))
        for before, row in zip(old, rows, strict=True)
    )


@cache
def line_name(number: int) -> Text:
    """Name one of the fourteen lines: `Z1`, `S6`, `D2`; in English `R1`, `C6`, `D2`."""
    line = LINES[number]
    return say(_LINE_CODES[line.kind], number=line.number)


def why(claim: Claim) -> Text:
    """Return why a word doesn't count."""
    return reason_text(claim.reason, claim.note, read("games.crossword", "words"))


def mark(claim: Claim) -> str:
    """Write a word as the final table does: `<` backwards, `-WORT-` refused, `WORT?` doubtful, `+WORT` substitute."""
    word = claim.word + ("<" if claim.backwards else "")
    if claim.status == "refused":
        word = f"-{word}-"
    return ("+" if claim.substitute else "") + word + ("?" if claim.status == "doubtful" else "")


def marks(claims: Sequence[Claim]) -> str:
    """Write all words of one line; `-` where there is none."""
    return " ".join(mark(claim) for claim in claims) or "-"


def entries_text(number: int) -> Text:
    """Write how long a word list is."""
    return say("LIST_ENTRY") if number == 1 else say("LIST_ENTRIES", entries=number)


def points_text(sure: int, still_open: int) -> Text:
    """Write a sum: `28`, or `28, dazu 3 offen`."""
    return say("POINTS_OPEN", points=sure, open=still_open) if still_open else plain(str(sure))


def sums(claims: Sequence[Claim]) -> tuple[int, int]:
    """Add up the accepted words, and the doubtful ones."""
    worth = {
        status: sum(claim.points for claim in claims if claim.status == status) for status in ("accepted", "doubtful")
    }
    return worth["accepted"], worth["doubtful"]


def placed_text(before: Rows, move: Move) -> Text:
    """Return which letters were placed: `b1 O, f1 T`."""
    new = new_cells(before, move.grid)
    return plain(", ".join(f"{cell} {letter_at(move.grid, cell)}" for cell in new)) if new else say("NONE")


def list_summary(claims: Sequence[Claim]) -> tuple[tuple[Text, Text], ...]:
    """Show a word list line by line with its points, and the sum."""
    lines = [(number, tuple(words)) for number, words in groupby(claims, key=lambda claim: claim.line)]
    shown = tuple((line_name(n), say("WORDS_POINTS", words=marks(c), points=points_text(*sums(c)))) for n, c in lines)
    return (*shown, (say("LABEL_SUM"), points_text(*sums(claims))))


EXAMPLE: Final = Section(
    lines=(say("EXAMPLE"),),
    grids=(
        draw_capitals(
            ("BRECHT", "RA..UA", "UR...N", ".....Z", ".....E", "R..B.N"), ("e1", "e2", "b3", "f4", "a6", "d6")
        ),
    ),
)
"""The grid of the block on the page of rules."""
