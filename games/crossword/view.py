"""A position through the eyes of one viewer; and how a grid, a line or a word is shown."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from games.api import ALL, Cell, Grid, Played, Seat, Section, Standing, Table, Text, View, Viewer, say, seat_of
from games.crossword.board import BLANK, CELLS, COLUMNS, LINES, NAMES, SIZE, Rows, placed, points, rows_of
from games.crossword.rules import ROUNDS, SEATS, Claim, Move, Result, State, standings, sums
from games.crossword.wordlist import read_list
from games.shared.phrases import counted, labelled, plain, reason_text, seat_text, table_head

_LINE_CODES: Final = {"Z": "LINE_ROW", "S": "LINE_COLUMN", "D": "LINE_DIAGONAL"}
_ORDER: Final = (*range(SIZE), 12, *range(SIZE, 12), 13)
"""Rows and the first diagonal on the left, columns and the second one on the right, when the table is folded."""


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Grids and letters are public; a move on file and a word list are for their seat only."""
    if state.over:
        return View(
            sections=_final_sections(state), facts=_facts(state), seat_facts=_seat_facts(state), words=_played(state)
        )
    seat = seat_of(viewer, SEATS)
    mine = _on_file(state, seat, own) if seat and own else _all_lists(state) if viewer == ALL else ()
    return View(
        sections=(_letters(state), _grids(state), *mine),
        ask=_ask(state) if seat else None,
        how_to=_how_to(state) if seat else (),
        in_short=(say("HOW_LIST"),) if seat and state.is_last else (),  # the grid is nothing new in the last round
        block=block_lines(state, seat, Move(grid=state.grids[seat - 1])) if seat else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer, own),
    )


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
    return draw(state.grids[seat - 1], state.new[seat - 1], seat=seat, note=note)


def _on_file(state: State, seat: Seat, own: Move) -> tuple[Section, ...]:
    new = placed(state.grids[seat - 1], own.grid)
    pairs = [(say("LABEL_PLACED"), placed_text(new)), *wish_pair(state, own)]
    if own.words:
        pairs.append((say("LABEL_LIST"), entries_text(own.words)))
    return (Section(title=say("ON_FILE", round=state.round), lines=labelled(pairs), grids=(draw(own.grid, new),)),)


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


def _final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking and then the seats in its order. A game that ended early has no points, only places."""
    ranked = standings(state)
    if state.results:
        return (_ranking(state, ranked), *(_player(state, standing) for standing in ranked))
    rows = tuple((standing.rank, seat_text(standing.seat, state.given_up)) for standing in ranked)
    places = Table(head=table_head("RANK", "NAME"), rows=rows)
    grids = (
        draw(state.grids[line.seat - 1], state.new[line.seat - 1], seat=line.seat, capitals=True) for line in ranked
    )
    table = Section(title=say("RANKING"), table=places, notes=(say("NO_POINTS"),))
    return (table, *(Section(grids=(grid,)) for grid in grids))


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
    by_kind = (sums(claim for claim in result.claims if NAMES[claim.line][0] == kind)[0] for kind in _LINE_CODES)
    sixes = sum(claim.status == "accepted" and len(claim.word) == SIZE for claim in result.claims)
    refused = sum(claim.status == "refused" for claim in result.claims)
    points = points_text(result.points, result.open) if result.open else result.points
    return (standing.rank, seat_text(standing.seat, state.given_up), *by_kind, sixes, refused, points)


def _player(state: State, standing: Standing) -> Section:
    seat, result = standing.seat, state.results[standing.seat - 1]
    title = say("PLAYER", rank=standing.rank, seat=seat, points=counted(result.points))
    if result.open:
        title = say("PLAYER_OPEN", rank=standing.rank, seat=seat, points=counted(result.points), open=result.open)
    claims = _by_line(result.claims)
    lines = ((line, claims.get(line, ())) for line in _ORDER)
    rows = tuple((line_name(line), _marks(words), sums(words)[0]) for line, words in lines)
    return Section(
        title=title,
        grids=(draw(state.grids[seat - 1], state.new[seat - 1], capitals=True),),
        table=Table(head=table_head("LINE", "WORDS", "WORTH"), rows=rows, fold=2),
        notes=(
            *(note for line in _ORDER for note in _claim_notes(claims.get(line, ()))),
            *(say("FITS_NO_LINE", words=words) for words in result.unplaced),
            *_best_note(result),
        ),
    )


def _by_line(claims: Iterable[Claim]) -> dict[int, tuple[Claim, ...]]:
    """Group claims, which go by their lines."""
    return {line: tuple(words) for line, words in groupby(claims, key=lambda claim: claim.line)}


def _claim_notes(claims: Sequence[Claim]) -> list[Text]:
    """Say which words of a line were struck, for which substitute, and which wait for the GM."""
    notes: list[Text] = []
    spare = next((claim for claim in claims if claim.substitute and claim.status != "refused"), None)
    for claim in claims:
        if claim.status == "refused":
            notes.append(_struck(claim, spare))
            spare = None
        elif claim.status == "doubtful":
            notes.append(say("WAITING", line=line_name(claim.line), word=claim.word, points=claim.points))
    return notes


def _struck(claim: Claim, spare: Claim | None) -> Text:
    line, reason = line_name(claim.line), why(claim)
    if spare is None:
        return say("STRUCK", line=line, word=claim.word, reason=reason)
    points = spare.points if spare.status == "accepted" else 0
    return say("STRUCK_SUBSTITUTE", line=line, word=claim.word, reason=reason, substitute=spare.word, points=points)


def _best_note(result: Result) -> tuple[Text, ...]:
    """Say what more was possible, with the words that the player hasn't got; nothing where all of it was found."""
    if not result.best:
        return (say("BEST_NOTHING"),)
    points = sum(word.points for word in result.best)
    if points <= result.points:
        return ()
    got = {(claim.line, claim.word) for claim in result.claims if claim.status == "accepted"}
    words = tuple(
        say("BEST_WORD", line=line_name(best.line), word=best.word + "<" * best.backwards)
        for best in result.best
        if (best.line, best.word) not in got
    )
    return (say("BEST", points=counted(points), words=words),)


def _played(state: State) -> tuple[Played, ...]:
    """List every word that was claimed, substitutes and those that fit no line as well."""
    words: list[Played] = []
    for seat, result in zip(SEATS, state.results, strict=False):  # none, where it ended early
        words += (_claimed(seat, claim) for claim in result.claims)
        words += (
            Played(seat=seat, word=word, points=points(word), status="refused", why=say("IN_NO_LINE"))
            for entry in result.unplaced
            for word in entry.split("+")
        )
    return tuple(words)


def _claimed(seat: Seat, claim: Claim) -> Played:
    cells = CELLS[LINES[claim.line]][claim.start :][: len(claim.word)]
    first, *_, last = (cells[::-1] if claim.backwards else cells) if claim.start >= 0 else ("", "")
    return Played(
        seat=seat,
        word=claim.word,
        points=claim.points,
        status=claim.status,
        why=why(claim) if claim.status == "refused" else None,
        where=line_name(claim.line),
        first=first,
        last=last,
    )


def _facts(state: State) -> Mapping[str, Any]:
    return {"round": state.round, "rounds": ROUNDS, "letters": "".join(sorted(state.wishes))}


def _seat_facts(
    state: State, viewer: Viewer | None = None, own: Move | None = None
) -> Mapping[Seat, Mapping[str, Any]]:
    facts: dict[Seat, dict[str, Any]] = {
        seat: {
            "nmr": list(state.nmr[seat - 1]),
            "grid": _small(state.grids[seat - 1]),
            "wish": state.wishes[seat - 1],
            **(_final_facts(state, seat) if state.over else {}),
        }
        for seat in SEATS
    }
    for seat in SEATS:
        if seat == viewer:
            facts[seat]["move"] = {"grid": _small(own.grid), "wish": own.wish} if own else None
        kept = (own.words if own and seat == viewer else ()) or state.lists[seat - 1]
        if kept and viewer in (seat, ALL):
            facts[seat]["words"] = list(kept)
    return facts


def _small(rows: Rows) -> list[str]:
    return [row.lower() for row in rows]


def _final_facts(state: State, seat: Seat) -> dict[str, Any]:
    """Return what a seat got as plain JSON."""
    rank = next(standing.rank for standing in standings(state) if standing.seat == seat)
    if not state.results:
        return {"rank": rank}
    mine = state.results[seat - 1]
    best = sum(word.points for word in mine.best)
    words = {NAMES[line]: _marks(claims).lower() for line, claims in _by_line(mine.claims).items()}
    return {"rank": rank, "points": mine.points, "open": mine.open, "best": best, "words": words}


# -- grids, lines and words --------------------------------------------------------------------------------------------


def draw(
    rows: Rows,
    new: Collection[str] = (),
    *,
    seat: Seat | None = None,
    note: Text | None = None,
    wrong: Collection[str] = (),
    capitals: bool = False,
) -> Grid:
    """Draw a grid: new letters in capitals, old ones small, or all in capitals where words are read from it.

    `wrong` are cells that a move is refused for.
    """
    cells = tuple(
        _cell(lies.upper() if capitals or cell in new else lies.lower(), is_new=cell in new, is_wrong=cell in wrong)
        for cell, lies in zip(CELLS, "".join(rows), strict=True)
    )
    numbers = tuple(str(row + 1) for row in range(SIZE))
    return Grid(seat=seat, note=note, columns=tuple(COLUMNS), rows=numbers, cells=tuple(cells[n] for n in LINES[:SIZE]))


@lru_cache(maxsize=500)  # the archive draws 1,500 cells a game, of which few differ
def _cell(lies: str, *, is_new: bool, is_wrong: bool) -> Cell:
    return Cell(text="" if lies == BLANK else lies, new=is_new, mark="wrong" if is_wrong else "")


def block_lines(state: State, seat: Seat, move: Move) -> tuple[str, ...]:
    """Write a move as the lines of a block, what is new in capitals; one with the old grid alone is the one to copy."""
    cells = zip("".join(state.grids[seat - 1]), "".join(move.grid), strict=True)
    rows = rows_of("".join(sign if lies == BLANK else sign.lower() for lies, sign in cells))
    return (*rows, *move.words) if state.is_last else (f"Neu: {move.wish}".strip(), *rows, *move.words)


def line_name(number: int) -> Text:
    """Name one of the fourteen lines: `Z1`, `S6`, `D2`; in English `R1`, `C6`, `D2`."""
    name = NAMES[number]
    return say(_LINE_CODES[name[0]], number=int(name[1]))


def why(claim: Claim) -> Text:
    """Return why a word doesn't count."""
    return reason_text(claim.reason, claim.note, ("NOT_THERE",))


def _marks(claims: Iterable[Claim]) -> str:
    """Write all words of one line; `-` where there is none."""
    return " ".join(map(_mark, claims)) or "-"


def _mark(claim: Claim) -> str:
    """Write a word as the final table does: `<` backwards, `-WORT-` refused, `WORT?` doubtful, `+WORT` substitute."""
    word = claim.word + "<" * claim.backwards
    if claim.status == "refused":
        word = f"-{word}-"
    return ("+" if claim.substitute else "") + word + ("?" if claim.status == "doubtful" else "")


def entries_text(words: Sequence[str]) -> Text:
    """Write how long a word list is."""
    number = len(read_list(words).entries)
    return say("LIST_ENTRY") if number == 1 else say("LIST_ENTRIES", entries=number)


def points_text(sure: int, still_open: int) -> Text:
    """Write a sum: `28`, or `28, dazu 3 offen`."""
    return say("POINTS_OPEN", points=sure, open=still_open) if still_open else plain(str(sure))


def placed_text(new: Mapping[str, str]) -> Text:
    """Return which letters were placed: `b1 O, f1 T`."""
    return plain(", ".join(f"{cell} {letter}" for cell, letter in new.items())) if new else say("NONE")


def wish_pair(state: State, move: Move) -> list[tuple[Text, Text]]:
    """Return what a move wishes for the next round, with its label."""
    wish = plain(move.wish) if move.wish else say("NONE")
    return [] if state.is_last else [(say("LABEL_WISH", round=state.round + 1), wish)]


def list_summary(claims: Sequence[Claim]) -> tuple[tuple[Text, Text], ...]:
    """Show a word list line by line with its points, and the sum."""
    lines = (
        (line_name(line), say("WORDS_POINTS", words=_marks(words), points=points_text(*sums(words))))
        for line, words in _by_line(claims).items()
    )
    return (*lines, (say("LABEL_SUM"), points_text(*sums(claims))))


EXAMPLE: Final = Section(
    lines=(say("EXAMPLE"),),
    grids=(
        draw(
            ("BRECHT", "RA..UA", "UR...N", ".....Z", ".....E", "R..B.N"),
            ("e1", "e2", "b3", "f4", "a6", "d6"),
            capitals=True,
        ),
    ),
)
"""The grid of the block on the page of rules."""
