"""From a block to a move: a whole grid of any size, or `passe`."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.api import Grid, MoveBlock, Seat, Sheet, Text, say
from games.presto.rules import Move, State
from games.presto.view import WIDEST, draw_grid
from games.shared.grids import cells, plain_rows
from games.shared.lines import other_round, read_lines, values_of
from games.shared.notation import UMLAUTS, letter, shown
from games.shared.phrases import plain, reason_text
from games.shared.plane import BLANK, Rows, Spot, apart, cell_name, lay, occupied, run_at, runs, sign_at
from games.shared.tiles import JOKERS, colour, in_order, on_board, tile_name, tile_of
from games.words import Words

MOST: Final = 40
"""Rows and columns that a grid may have (games.md, Presto)."""
_STARS: Final = "*◆"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A grid as read, cut to its used rectangle."""

    rows: Rows = ()
    left: str = ""
    """The tiles of the rack that don't lie in it."""
    problems: tuple[Text, ...] = ()
    remarks: tuple[Text, ...] = ()


def read_grid(lines: Sequence[str], rack: str, *, one_left: bool) -> Reading:
    """Read the rows of a block against a rack; the words are judged elsewhere."""
    read = [_row(line, number) for number, line in enumerate(lines, start=1)]
    faults = tuple(fault for _, of_row in read for fault in of_row)
    rows = _cut(row for row, _ in read)
    if not occupied(rows):
        return Reading(problems=faults)
    if len(rows) > MOST or len(rows[0]) > MOST:
        return Reading(problems=(*faults, say("GRID_TOO_LARGE", rows=len(rows), columns=len(rows[0]))))
    rows, remarks = _with_jokers(rows, rack)
    left = in_order("".join((Counter(rack) - Counter(_tiles(rows))).elements()))
    problems = (*faults, *_surplus(rows, rack), *_left_over(left, one_left=one_left), *_apart(rows))
    return Reading(rows=rows, left=left, problems=problems, remarks=remarks)


def _row(line: str, number: int) -> tuple[str, tuple[Text, ...]]:
    """Read a row into signs as they lie on a board; what can't be read leaves a blank and a problem."""
    signs = "".join("*" if sign in _STARS else sign for sign in cells(line))
    if signs.startswith("*"):
        # What a mail program writes round bold text is no joker (rulings 3.6).
        signs = signs[1:].removesuffix("*")
    row, faults = "", list[Text]()
    for sign in signs:
        if sign == "*" and row and row[-1].isupper():
            row = row[:-1] + on_board(row[-1], joker=True)
        elif sign == BLANK or letter(sign):
            row += letter(sign) or BLANK
        else:
            faults.append(_unreadable(sign, f"{number}", shown(line)))
            row += BLANK
    return row, tuple(faults)


def _unreadable(sign: str, row: str, line: str) -> Text:
    if sign in UMLAUTS:
        return say("UMLAUT", row=row, line=line, sent=sign, instead=UMLAUTS[sign])
    return say("STAR_ALONE", row=row, line=line) if sign == "*" else say("NO_LETTER", row=row, line=line, sent=sign)


def _cut(rows: Iterable[str]) -> Rows:
    """Cut the rows to the rectangle that holds tiles; short ones are filled up on the right."""
    used = list(rows)
    while used and not used[0].strip(BLANK):
        del used[0]
    while used and not used[-1].strip(BLANK):
        del used[-1]
    margin = min((len(row) - len(row.lstrip(BLANK)) for row in used if row.strip(BLANK)), default=0)
    width = max((len(row.rstrip(BLANK)) for row in used), default=0)
    return tuple(row[margin:width].ljust(width - margin, BLANK) for row in used)


def _with_jokers(rows: Rows, rack: str) -> tuple[Rows, tuple[Text, ...]]:
    """Take the one letter that the rack lacks for the joker of its colour: its star was forgotten."""
    remarks = list[Text]()
    for joker in JOKERS:
        lacking = [tile for tile in (Counter(_tiles(rows)) - Counter(rack)).elements() if colour(tile) == colour(joker)]
        if len(lacking) == 1 and lacking[0] not in JOKERS and _tiles(rows).count(joker) < rack.count(joker):
            spot = [spot for spot in occupied(rows) if sign_at(rows, spot) == lacking[0]][-1]
            rows = lay(rows, {spot: on_board(lacking[0], joker=True)})
            remarks.append(say("STAR_FORGOTTEN", cell=cell_name(spot), letter=lacking[0]))
    return rows, tuple(remarks)


def _tiles(rows: Rows) -> str:
    return "".join(tile_of(sign) for row in rows for sign in row if sign != BLANK)


def _surplus(rows: Rows, rack: str) -> tuple[Text, ...]:
    """Name what lies more often than the rack holds it."""
    lying, held = Counter(_tiles(rows)), Counter(rack)
    return tuple(
        say("TOO_MANY", tile=tile_name(tile), lying=number, held=held[tile])
        for tile, number in sorted(lying.items())
        if number > held[tile]
    )


def _left_over(left: str, *, one_left: bool) -> tuple[Text, ...]:
    if len(left) <= one_left:
        return ()
    names = tuple(tile_name(tile) for tile in left)
    return (say("LEFT_ONE", tiles=names) if len(left) == 1 else say("LEFT_SEVERAL", number=len(left), tiles=names),)


def _apart(rows: Rows) -> tuple[Text, ...]:
    """Name a part that doesn't hang together with the rest, by one word or tile of it."""
    other = apart(rows)
    return (say("APART", one=_thing(rows, occupied(rows)[0]), other=_thing(rows, other)),) if other else ()


def _thing(rows: Rows, spot: Spot) -> str:
    runs = (run_at(rows, spot, "w"), run_at(rows, spot, "s"))
    longest = max(runs, key=lambda run: len(run.signs))
    return f"{longest.word} ({longest.where})" if len(longest.signs) > 1 else f"{longest.word} ({cell_name(spot)})"


LONGEST: Final = 15
"""Letters of the longest words in our lists; longer ones are compounds."""
SHORTEST: Final = 3
"""Letters of a part of a compound."""
_PASSES: Final = re.compile(r"(?:ich\s+)?(?:passe|pass|i\s+pass)[.!]*", re.IGNORECASE)
_CRY: Final = re.compile(r"(?:presto|fertig|ready|done)\s*!+", re.IGNORECASE)
_QUIET_CRY: Final = re.compile(r"fertig|presto", re.IGNORECASE)


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    lines = read_lines(block)
    # A row may begin with NEU.
    rows = [line.text for line in lines if line.label in ("", "wish") and not _CRY.fullmatch(line.text)]
    problems = (*_not_asked(state, seat), *other_round(values_of(lines, "round"), state.round, "DEAL_OTHER"))
    if rows and all(_PASSES.fullmatch(row) for row in rows):
        return Sheet(problems=problems) if problems else _passing(state)
    reading = _read_rows(plain_rows(rows), state, seat)
    if not reading.rows:
        return Sheet(problems=(*problems, *reading.problems))
    return _judged(state, reading, problems, words)


def _not_asked(state: State, seat: Seat) -> tuple[Text, ...]:
    """Return why this seat has nothing more to send."""
    if seat in state.building:
        return ()
    if state.over:
        return (say("ENDED"),)
    if state.finish(seat):
        return (say("FINISHED_ALREADY", deal=state.round),)
    return (say("GIVEN_UP_ALREADY", deal=state.round) if seat in state.passed else say("NOT_ASKED"),)


def _passing(state: State) -> Sheet[Move]:
    summary = ((say("LABEL_DEAL"), plain(str(state.round))), (say("LABEL_MOVE"), say("GIVES_UP")))
    return Sheet(move=Move(deal=state.round, passes=True), summary=summary)


def _read_rows(lines: Sequence[str], state: State, seat: Seat) -> Reading:
    """Read the rows. A line `Fertig` is left out if the tiles fit better without it."""
    quiet = tuple(line for line in lines if not _QUIET_CRY.fullmatch(line))
    ways = (rows for rows in dict.fromkeys((quiet, tuple(lines))) if rows)
    readings = (read_grid(rows, state.rack(seat), one_left=state.one_left) for rows in ways)
    return min(readings, key=lambda reading: len(reading.problems), default=Reading())


def _judged(state: State, reading: Reading, problems: tuple[Text, ...], words: Words) -> Sheet[Move]:
    """Judge every run of two or more."""
    verdicts = {run: words.check(run.word, state.profile) for run in runs(reading.rows)}
    unlisted = [run for run, verdict in verdicts.items() if verdict.status == "doubtful"]
    doubtful = tuple(sorted({run.word for run in unlisted}))
    struck = {run: verdict for run, verdict in verdicts.items() if verdict.status == "refused"}
    grids = _shown(reading.rows, wrong=[spot for run in struck for spot in run.spots])
    tiles = len(occupied(reading.rows))
    refused = (
        say("REFUSED_WORD", word=run.word, where=run.where, reason=reason_text(verdict.reason, verdict.note))
        for run, verdict in struck.items()
    )
    impossible = (
        say("NOT_A_WORD", word=run.word, where=run.where)
        for run in unlisted
        if not (reading.problems or _can_be(run.word, tiles, state.profile, words))
    )
    problems = (*problems, *reading.problems, *refused, *impossible)
    if problems:
        would_ask = (say("WOULD_ASK", words=", ".join(doubtful)),) if doubtful else ()
        return Sheet(problems=problems, remarks=would_ask, grids=grids)
    left = ((say("LABEL_LEFT"), tile_name(reading.left)),) if reading.left else ()
    return Sheet(
        move=Move(deal=state.round, grid=reading.rows, left=reading.left),
        remarks=reading.remarks,
        doubtful=doubtful,
        summary=(
            (say("LABEL_DEAL"), plain(str(state.round))),
            (say("LABEL_TILES"), plain(str(tiles))),
            (say("LABEL_WORDS"), plain(", ".join(sorted({run.word for run in verdicts})))),
            *left,
        ),
        grids=grids,
    )


def _can_be(word: str, tiles: int, profile: str, words: Words) -> bool:
    """Return whether an unlisted word is worth the GM's time: it is short enough, or a compound of listed words.

    A row of all tiles, or one longer than any listed word, is neither. Otherwise anybody could hold a place in the race
    with a row of letters.
    """
    if len(word) < tiles and len(word) <= LONGEST:
        return True
    parts = ((word[:at], word[at:]) for at in range(SHORTEST, len(word) - SHORTEST + 1))
    return any(_is_listed(first, profile, words) and _is_listed(last, profile, words) for first, last in parts)


def _is_listed(part: str, profile: str, words: Words) -> bool:
    """Return whether a part of a compound is listed, perhaps without the S that joins it to the next part."""
    forms = (part, part.removesuffix("S"))
    return any(len(form) >= SHORTEST and words.check(form, profile).status == "accepted" for form in forms)


def _shown(rows: Rows, wrong: Collection[Spot]) -> tuple[Grid, ...]:
    """Draw what was read, unless it is too wide for a mail (then it doesn't hang together)."""
    return (draw_grid(rows, wrong=wrong),) if len(rows[0]) <= WIDEST else ()
