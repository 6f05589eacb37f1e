"""Understanding a block: a whole grid, or `passe`."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from games.api import Grid, MoveBlock, Seat, Sheet, Text, say
from games.notation import field, letter, shown
from games.plane import Rows, occupied, runs
from games.presto.grid import Reading, read_grid, tile_name
from games.presto.picture import WIDEST, draw_grid, plain
from games.presto.state import Move, State
from games.words import REASONS, Verdict, Words

LONGEST: Final = 15
"""Letters of the longest words in our lists; longer ones are compounds."""
SHORTEST: Final = 3
"""Letters of a part of a compound."""
_LINES: Final = 200
_PASSES: Final = re.compile(r"(?:ich\s+)?(?:passe|pass|i\s+pass)[.!]*", re.IGNORECASE)
_CRY: Final = re.compile(r"(?:presto|fertig|ready|done)\s*!+", re.IGNORECASE)
_QUIET_CRY: Final = re.compile(r"fertig|presto", re.IGNORECASE)


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    lines = [line for line in block.lines[:_LINES] if line.strip() and not _CRY.fullmatch(line.strip())]
    fields = [found for line in lines if (found := field(line))]
    rows = [line for line in lines if not field(line)]
    problems = (*_not_asked(state, seat), *_other_deal(state, fields))
    if [line for line in rows if _PASSES.fullmatch(line.strip())] == rows and rows:
        return Sheet(problems=problems) if problems else _passing(state)
    reading = _read_rows(rows, state, seat)
    if not reading.rows:
        return Sheet(problems=(*problems, *reading.problems))
    return _judged(state, reading, problems, words)


def _not_asked(state: State, seat: Seat) -> tuple[Text, ...]:
    """Say why this seat has nothing more to send."""
    if seat in state.due:
        return ()
    if state.finish(seat):
        return (say("FINISHED_ALREADY", deal=state.number),)
    return (say("GIVEN_UP_ALREADY", deal=state.number) if seat in state.given_up else say("NOT_ASKED"),)


def _other_deal(state: State, fields: Sequence[tuple[str, str]]) -> tuple[Text, ...]:
    """A block that names another deal comes too late: its tiles are gone."""
    named = [re.search("[0-9]+", value) for key, value in fields if key in ("game", "round")]
    return tuple(
        say("DEAL_OTHER", sent=shown(number[0]), deal=state.number)
        for number in named
        if number and number[0].lstrip("0") != str(state.number)
    )


def _passing(state: State) -> Sheet[Move]:
    summary = ((say("LABEL_DEAL"), plain(str(state.number))), (say("LABEL_MOVE"), say("GIVES_UP")))
    return Sheet(move=Move(deal=state.number, passes=True), summary=summary)


def _read_rows(lines: Sequence[str], state: State, seat: Seat) -> Reading:
    """Read the rows; `Fertig` alone in a line is a cry where the tiles say that it isn't a row."""
    rack = state.rack(seat)
    reading = read_grid(lines, rack, one_left=state.one_left)
    without = [line for line in lines if not _QUIET_CRY.fullmatch(line.strip())]
    if len(without) == len(lines) or not without or not reading.problems:
        return reading
    quiet = read_grid(without, rack, one_left=state.one_left)
    return reading if len(quiet.problems) > len(reading.problems) else quiet


def _judged(state: State, reading: Reading, problems: tuple[Text, ...], words: Words) -> Sheet[Move]:
    """Judge every run of two or more."""
    verdicts = {run: words.check(run.word, state.profile) for run in runs(reading.rows)}
    impossible = tuple(
        say("NOT_A_WORD", word=run.word, where=run.where)
        for run, verdict in verdicts.items()
        if verdict.status == "doubtful"
        and not reading.problems
        and not _can_be(run.word, len(occupied(reading.rows)), state.profile, words)
    )
    refused = tuple(
        say("REFUSED_WORD", word=run.word, where=run.where, reason=reason(verdict))
        for run, verdict in verdicts.items()
        if verdict.status == "refused"
    )
    doubtful = tuple(sorted({run.word for run, verdict in verdicts.items() if verdict.status == "doubtful"}))
    grids = _shown(reading.rows)
    problems = (*problems, *reading.problems, *refused, *impossible)
    if problems:
        unlisted = (say("WOULD_ASK", words=", ".join(doubtful)),) if doubtful else ()
        return Sheet(problems=problems, remarks=unlisted, grids=grids)
    return Sheet(
        move=Move(deal=state.number, grid=reading.rows, left=reading.left),
        remarks=reading.remarks,
        doubtful=doubtful,
        summary=_summary(state, reading, sorted({run.word for run in verdicts})),
        grids=grids,
    )


def _can_be(word: str, tiles: int, profile: str, words: Words) -> bool:
    """Say whether the GM need be asked: not about all tiles in one row, or so many as no list goes, unless compounded.

    Else anybody could hold a place, and the race, with a row of letters.
    """
    if len(word) < tiles and len(word) <= LONGEST:
        return True
    parts = ((word[:at], word[at:]) for at in range(SHORTEST, len(word) - SHORTEST + 1))
    return any(_is_listed(first, profile, words) and _is_listed(last, profile, words) for first, last in parts)


def _is_listed(part: str, profile: str, words: Words) -> bool:
    """Ask for a part of a compound, also with the S that joins it to the next."""
    forms = (part, part.removesuffix("S"))
    return any(len(form) >= SHORTEST and words.check(form, profile).status == "accepted" for form in forms)


def reason(verdict: Verdict) -> Text:
    """Say why a word doesn't count."""
    known = say(verdict.reason if verdict.reason in REASONS else "REFUSED")
    return say("NOTED", reason=known, note=verdict.note) if verdict.note else known


def _shown(rows: Rows) -> tuple[Grid, ...]:
    """Draw what was read, unless it is too wide for a mail (then it doesn't hang together)."""
    return (draw_grid(rows),) if len(rows[0]) <= WIDEST else ()


def _summary(state: State, reading: Reading, words: Sequence[str]) -> tuple[tuple[Text, Text], ...]:
    laid = sum(bool(letter(sign)) for row in reading.rows for sign in row)
    pairs: Mapping[str, Text] = {
        "LABEL_DEAL": plain(str(state.number)),
        "LABEL_TILES": plain(str(laid)),
        "LABEL_WORDS": plain(", ".join(words)),
        **({"LABEL_LEFT": tile_name(reading.left)} if reading.left else {}),
    }
    return tuple((say(label), content) for label, content in pairs.items())
