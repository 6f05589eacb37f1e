"""Checks one word line against board and rack: what would lie there, and all its problems."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from games.api import Text, say
from games.shared.phrases import listed, reason_text
from games.shared.plane import (
    BLANK,
    CENTRE,
    Rows,
    Run,
    Spot,
    WordLine,
    cell_name,
    lay,
    occupied,
    run_at,
    runs_at,
    sign_at,
    stretches,
    word_line,
)
from games.shared.racks import Tabletop, tiles_text
from games.shared.tiles import on_board, tile_of
from games.shared.wordfinder import signs_for
from games.words import Verdict, Words

_SHORTEST: Final = 2


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What a word line comes to."""

    step: Run | None = None
    """None where it can't lie there at all."""
    table: Tabletop
    """The board with it and what is left in hand, or as it was."""
    new: tuple[Spot, ...] = ()
    wrong: tuple[Spot, ...] = ()
    """The cells that it is refused for."""
    joins: bool = False
    """It joins two or more stretches: a second word may follow."""
    problems: tuple[Text, ...] = ()
    remarks: tuple[Text, ...] = ()
    doubtful: tuple[str, ...] = ()
    mended: str = ""
    """The line as it might be right, if there is an idea."""


def judge(table: Tabletop, line: WordLine, words: Words, profile: str) -> Judged:
    """Check a word against the board, the rack and the judge of words. All problems are named."""
    clashes = _clashes(table.board, line)
    misfits = (*_edge_problems(line), *clashes.values())
    if misfits:
        return Judged(table=table, wrong=tuple(clashes), problems=misfits)
    new = _new_signs(table.board, line)
    after = table.laid(new)
    run = run_at(after.board, line.start, line.direction)
    verdicts = {run: words.check(run.word, profile) for run in runs_at(after.board, tuple(new))}
    missing = _missing(table.rack, line, new)
    problems = (*_place_problems(table.board, line, run, new), *missing.values(), *_word_problems(verdicts))
    return Judged(
        step=run,
        table=after,
        new=tuple(new),
        wrong=(
            *missing,
            *(spot for run, verdict in verdicts.items() if verdict.status == "refused" for spot in run.spots),
        ),
        joins=stretches(table.board, line.spots) > 1,
        problems=problems,
        remarks=_remarks(table.board, line, new),
        doubtful=tuple(sorted({run.word for run, verdict in verdicts.items() if verdict.status == "doubtful"})),
        mended=_mended(table, line, run, tuple(new)) if problems else word_line(after.board, run, new),
    )


def _edge_problems(line: WordLine) -> Iterator[Text]:
    if not line.is_inside:
        yield say("OVER_EDGE", word=line.letters.upper())


def _clashes(board: Rows, line: WordLine) -> dict[Spot, Text]:
    """Find the cells where another tile lies."""
    return {
        spot: say("OTHER_TILE", cell=cell_name(spot), lies=lies.upper(), sent=sent.upper())
        for spot, sent in line.sent.items()
        if (lies := sign_at(board, spot)) not in (BLANK, sent.lower(), sent.upper())
    }


def _new_signs(board: Rows, line: WordLine) -> dict[Spot, str]:
    """Return what each blank cell takes: a letter with a star is a joker."""
    return {
        spot: on_board(sent.upper(), joker=at in line.jokers)
        for at, (spot, sent) in enumerate(line.sent.items())
        if sign_at(board, spot) == BLANK
    }


def _place_problems(board: Rows, line: WordLine, run: Run, new: Mapping[Spot, str]) -> Iterator[Text]:
    """Yield what is wrong with the place: not a whole run, not joined, nothing new, not in the centre."""
    if len(line.letters) < _SHORTEST:
        yield say("TOO_SHORT_WORD")
    if len(run.signs) != len(line.letters):
        yield say("WORD_GOES_ON", word=line.letters.upper(), where=run.where, run=run.word)
    if not new:
        yield say("NOTHING_NEW", word=line.letters.upper())
    elif not occupied(board):
        if CENTRE not in line.spots:
            yield say("NOT_CENTRE", word=line.letters.upper())
    elif len(new) == len(line.letters):
        yield say("NOT_JOINED", word=line.letters.upper())


def _missing(rack: str, line: WordLine, new: Mapping[Spot, str]) -> dict[Spot, Text]:
    """Find the cells whose tiles the rack lacks."""
    left, found = Counter(rack), dict[Spot, Text]()
    for spot, sign in new.items():
        left[tile_of(sign)] -= 1
        if left[tile_of(sign)] < 0:
            code = "NO_JOKER" if sign.islower() else "NOT_IN_RACK" if line.sent[spot].isupper() else "SMALL_ON_BLANK"
            found[spot] = say(code, cell=cell_name(spot), letter=sign.upper(), rack=tiles_text(rack))
    return found


def _word_problems(verdicts: Mapping[Run, Verdict]) -> Iterator[Text]:
    for run, verdict in verdicts.items():
        if verdict.status == "refused":
            yield say("RUN_REFUSED", where=run.where, word=run.word, reason=reason_text(verdict.reason, verdict.note))


def _remarks(board: Rows, line: WordLine, new: Mapping[Spot, str]) -> tuple[Text, ...]:
    """Return where the case or a star disagrees with what lies: that is only a checksum (rulings 3.9)."""
    cells = {
        "CASE_NEW": [spot for spot in new if line.sent[spot].islower()],
        "CASE_OLD": [spot for spot, sent in line.sent.items() if spot not in new and sent.isupper()],
        "STAR_OLD": [
            spot for at, spot in enumerate(line.spots) if at in line.jokers and sign_at(board, spot).isupper()
        ],
    }
    return tuple(say(code, cells=listed([*map(cell_name, spots)])) for code, spots in cells.items() if spots)


def _mended(table: Tabletop, line: WordLine, run: Run, new: tuple[Spot, ...]) -> str:
    """Write the line as it was probably meant: the whole run, jokers for missing letters, through the centre."""
    if not occupied(table.board) and CENTRE not in line.spots:
        run = Run(CENTRE, run.direction, run.signs)
        new = run.spots
    letters = dict(zip(run.spots, run.word, strict=True))
    signs = signs_for("".join(letters[spot] for spot in new), table.rack)
    if signs is None:
        return ""
    return word_line(lay(table.board, dict(zip(new, signs, strict=True))), run, new)
