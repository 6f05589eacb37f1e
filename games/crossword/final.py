"""The final bulletin: the ranking, and every seat's grid with its words line by line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.api import Played, Seat, Section, Standing, Table, Text, say
from games.crossword.board import LINES, SIZE, points
from games.crossword.picture import counted, draw_capitals, line_name, marks, points_text, sums, why
from games.crossword.scoring import standings
from games.crossword.state import SEATS, Claim, Result, State

_ORDER = (*range(SIZE), 12, *range(SIZE, 12), 13)
"""Rows and the first diagonal on the left, columns and the second one on the right, when the table is folded."""


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking and then the seats in its order."""
    ranked = standings(state)
    if not state.results:
        return (_places(state, ranked), *(_grid(state, standing) for standing in ranked))
    return (_ranking(state, ranked), *(_player(state, standing) for standing in ranked))


def final_facts(state: State, seat: Seat) -> dict[str, Any]:
    """Give what a seat got as plain JSON."""
    rank = next(standing.rank for standing in standings(state) if standing.seat == seat)
    if not state.results:
        return {"rank": rank}
    mine = state.results[seat - 1]
    best = sum(found.points for found in mine.best)
    words = {_name(number): marks(claims).lower() for number, claims in sorted(mine.by_line.items())}
    return {"rank": rank, "points": mine.points, "open": mine.open, "best": best, "words": words}


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
    )


def _fitting_nowhere(seat: Seat, word: str) -> Played:
    return Played(seat=seat, word=word, points=points(word), status="refused", why=say("IN_NO_LINE"))


def _name(number: int) -> str:
    return f"{LINES[number].kind}{LINES[number].number}"


def _ranking(state: State, ranked: Sequence[Standing]) -> Section:
    is_open = any(result.open for result in state.results)
    heads = ("RANK", "NAME", "ROWS", "COLUMNS", "DIAGONALS", "SIXES", "REFUSED", "POINTS")
    rows = tuple(_ranking_row(state, standing) for standing in ranked)
    return Section(
        title=say("RANKING_PROVISIONAL" if is_open else "RANKING"),
        table=Table(head=tuple(say(f"HEAD_{head}") for head in heads), rows=rows),
        notes=(say("MARKS"),),
    )


def _places(state: State, ranked: Sequence[Standing]) -> Section:
    """Show the places of a game that ended before there were points."""
    return Section(
        title=say("RANKING"),
        table=Table(
            head=(say("HEAD_RANK"), say("HEAD_NAME")),
            rows=tuple((standing.rank, seat_text(state, standing.seat)) for standing in ranked),
        ),
        notes=(say("NO_POINTS"),),
    )


def _grid(state: State, standing: Standing) -> Section:
    at = standing.seat - 1
    return Section(grids=(replace(draw_capitals(state.grids[at], state.new[at]), seat=standing.seat),))


def seat_text(state: State, seat: Seat) -> Text:
    """Name a seat, and say so where it was given up."""
    return say("SEAT_GONE" if seat in state.given_up else "SEAT", seat=seat)


def _ranking_row(state: State, standing: Standing) -> tuple[str | int | Text, ...]:
    result = state.results[standing.seat - 1]
    by_kind = {kind: sums([c for c in result.claims if LINES[c.line].kind == kind])[0] for kind in "ZSD"}
    sixes = sum(claim.status == "accepted" and len(claim.word) == SIZE for claim in result.claims)
    refused = sum(claim.status == "refused" for claim in result.claims)
    points = points_text(result.points, result.open) if result.open else result.points
    return (standing.rank, seat_text(state, standing.seat), *by_kind.values(), sixes, refused, points)


def _player(state: State, standing: Standing) -> Section:
    seat, result = standing.seat, state.results[standing.seat - 1]
    title = say("PLAYER", rank=standing.rank, seat=seat, points=counted(result.points))
    if result.open:
        title = say("PLAYER_OPEN", rank=standing.rank, seat=seat, points=counted(result.points), open=result.open)
    return Section(
        title=title,
        grids=(draw_capitals(state.grids[seat - 1], state.new[seat - 1]),),
        table=_lines_table(result),
        notes=(*_claim_notes(result), *_unplaced_notes(result), _best_note(result)),
    )


def _lines_table(result: Result) -> Table:
    rows = ((number, result.by_line.get(number, ())) for number in _ORDER)
    return Table(
        head=(say("HEAD_LINE"), say("HEAD_WORDS"), say("HEAD_WORTH")),
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


def _best_note(result: Result) -> Text:
    if not result.best:
        return say("BEST_NOTHING")
    words = tuple(
        say("BEST_WORD", line=line_name(found.line), word=found.word + ("<" if found.backwards else ""))
        for found in result.best
    )
    return say("BEST", points=counted(sum(found.points for found in result.best)), words=words)
