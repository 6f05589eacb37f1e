"""Checks one word line against board and rack: what would lie there, and all its problems."""

from collections import Counter
from collections.abc import Iterator
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
from games.shared.tiles import JOKERS, joker_for, on_board
from games.shared.wordfinder import tiles_for
from games.typ_dom.rules import Laying, Table, rack_text
from games.words import Verdict, Words

_SHORTEST: Final = 2


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What a word line comes to."""

    step: Laying | None = None
    """None where it can't lie there at all."""
    rows: Rows
    """The board with it, or as it was."""
    rack: str
    """What is left in hand."""
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


def judge(table: Table, line: WordLine, words: Words, profile: str) -> Judged:
    """Check a word against the board, the rack and the judge of words. All problems are named."""
    clashes = _clashes(table.rows, line)
    misfits = (*_edge_problems(line), *clashes.values())
    if misfits:
        return Judged(rows=table.rows, rack=table.rack, wrong=tuple(clashes), problems=misfits)
    new = tuple(spot for spot in line.spots if sign_at(table.rows, spot) == BLANK)
    wanted = _wanted(line, new)
    rows = lay(table.rows, {spot: _sign(line, spot, tile) for spot, tile in wanted.items()})
    run = run_at(rows, line.start, line.direction)
    verdicts = _verdicts(rows, new, words, profile)
    missing = _missing(table.rack, line, wanted)
    problems = (*_place_problems(table.rows, line, run, new), *missing.values(), *_word_problems(verdicts))
    left = Counter(table.rack)
    left.subtract(wanted.values())
    return Judged(
        step=Laying(start=cell_name(run.start), direction=run.direction, signs=run.signs),
        rows=rows,
        rack="".join((+left).elements()),
        new=new,
        wrong=(*missing, *(spot for one, verdict in verdicts if verdict.status == "refused" for spot in one.spots)),
        joins=stretches(table.rows, line.spots) > 1,
        problems=problems,
        remarks=_remarks(table.rows, line, new),
        doubtful=tuple(sorted({run.word for run, verdict in verdicts if verdict.status == "doubtful"})),
        mended=_mended(table, line, run, new) if problems else word_line(rows, run, new),
    )


def _edge_problems(line: WordLine) -> Iterator[Text]:
    if not line.is_inside:
        yield say("OVER_EDGE", word=line.letters.upper())


def _clashes(rows: Rows, line: WordLine) -> dict[Spot, Text]:
    """Find the cells where another tile lies."""
    return {
        spot: say("OTHER_TILE", cell=cell_name(spot), lies=lies.upper(), sent=sent.upper())
        for spot, sent in zip(line.spots, line.letters, strict=True)
        if (lies := sign_at(rows, spot)) not in (BLANK, sent.lower(), sent.upper())
    }


def _wanted(line: WordLine, new: tuple[Spot, ...]) -> dict[Spot, str]:
    """Return which tile each blank cell takes."""
    letters = {spot: (at, sign.upper()) for at, (spot, sign) in enumerate(zip(line.spots, line.letters, strict=True))}
    return {spot: joker_for(letters[spot][1]) if letters[spot][0] in line.jokers else letters[spot][1] for spot in new}


def _sign(line: WordLine, spot: Spot, tile: str) -> str:
    return on_board(line.letters[line.spots.index(spot)].upper(), joker=tile in JOKERS)


def _place_problems(rows: Rows, line: WordLine, run: Run, new: tuple[Spot, ...]) -> Iterator[Text]:
    """Yield what is wrong with the place: not a whole run, not joined, nothing new, not in the centre."""
    if len(line.letters) < _SHORTEST:
        yield say("TOO_SHORT_WORD")
    if len(run.signs) != len(line.letters):
        yield say("WORD_GOES_ON", word=line.letters.upper(), where=run.where, run=run.word)
    if not new:
        yield say("NOTHING_NEW", word=line.letters.upper())
    elif not occupied(rows):
        if CENTRE not in line.spots:
            yield say("NOT_CENTRE", word=line.letters.upper())
    elif len(new) == len(line.letters):
        yield say("NOT_JOINED", word=line.letters.upper())


def _missing(rack: str, line: WordLine, wanted: dict[Spot, str]) -> dict[Spot, Text]:
    """Find the cells whose tiles the rack lacks."""
    left, found = Counter(rack), dict[Spot, Text]()
    for spot, tile in wanted.items():
        left[tile] -= 1
        if left[tile] >= 0:
            continue
        sent = line.letters[line.spots.index(spot)]
        code = "NO_JOKER" if tile in JOKERS else "NOT_IN_RACK" if sent.isupper() else "SMALL_ON_BLANK"
        found[spot] = say(code, cell=cell_name(spot), letter=sent.upper(), rack=rack_text(rack))
    return found


def _verdicts(rows: Rows, new: tuple[Spot, ...], words: Words, profile: str) -> tuple[tuple[Run, Verdict], ...]:
    return tuple((run, words.check(run.word, profile)) for run in runs_at(rows, new))


def _word_problems(verdicts: tuple[tuple[Run, Verdict], ...]) -> Iterator[Text]:
    for run, verdict in verdicts:
        if verdict.status == "refused":
            yield say("RUN_REFUSED", where=run.where, word=run.word, reason=reason_text(verdict.reason, verdict.note))


def _remarks(rows: Rows, line: WordLine, new: tuple[Spot, ...]) -> tuple[Text, ...]:
    """Return where the case or a star disagrees with what lies: that is only a checksum (rulings 3.9)."""
    sent = dict(zip(line.spots, line.letters, strict=True))
    small = [cell_name(spot) for spot in new if sent[spot].islower()]
    large = [cell_name(spot) for spot in line.spots if spot not in new and sent[spot].isupper()]
    stars = [
        cell_name(spot) for at, spot in enumerate(line.spots) if at in line.jokers and sign_at(rows, spot).isupper()
    ]
    remarks = [say("CASE_NEW", cells=listed(small))] if small else []
    remarks += [say("CASE_OLD", cells=listed(large))] if large else []
    remarks += [say("STAR_OLD", cells=listed(stars))] if stars else []
    return tuple(remarks)


def _mended(table: Table, line: WordLine, run: Run, new: tuple[Spot, ...]) -> str:
    """Write the line as it was probably meant: the whole run, jokers for missing letters, through the centre."""
    if not occupied(table.rows) and CENTRE not in line.spots:
        run = Run(CENTRE, run.direction, run.signs)
        new = run.spots
    letters = dict(zip(run.spots, run.word, strict=True))
    tiles = tiles_for("".join(letters[spot] for spot in new), table.rack)
    if tiles is None:
        return ""
    signs = {spot: on_board(letters[spot], joker=tile in JOKERS) for spot, tile in zip(new, tiles, strict=True)}
    return word_line(lay(table.rows, signs), run, new)
