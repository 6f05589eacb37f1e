"""Reading a grid of any size: rows of letters and dots, a star behind a letter for a joker."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.api import Text, say
from games.notation import UMLAUTS, cells, letter, shown
from games.plane import BLANK, Rows, Spot, cell_name, lay, occupied, run_at, sign_at
from games.tiles import JOKERS, colour, on_board, tile_of, without

MOST: Final = 40
"""Rows and columns that a grid may have (games.md, Presto)."""
_STARS: Final = "*◆"
_SIGNS: Final = 1000


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
    faults = tuple(fault for _, found in read for fault in found)
    rows = _cut(row for row, _ in read)
    if not occupied(rows):
        return Reading(problems=faults)
    if len(rows) > MOST or len(rows[0]) > MOST:
        return Reading(problems=(*faults, say("GRID_TOO_LARGE", rows=len(rows), columns=len(rows[0]))))
    rows, remarks = _with_jokers(rows, rack)
    left = _left(rows, rack)
    problems = (*faults, *_surplus(rows, rack), *_left_over(left, one_left=one_left), *_apart(rows))
    return Reading(rows=rows, left=left, problems=problems, remarks=remarks)


def _row(line: str, number: int) -> tuple[str, tuple[Text, ...]]:
    """Read a row into signs as they lie on a board; what can't be read leaves a blank and a problem."""
    signs = "".join("*" if sign in _STARS else sign for sign in cells(line[:_SIGNS]))
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
    """Take the only letter of a colour that the rack lacks for the unused joker: its star was forgotten."""
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


def _left(rows: Rows, rack: str) -> str:
    """Give the tiles of the rack that don't lie in the grid."""
    lying = Counter(_tiles(rows)) & Counter(rack)
    return without(rack, "".join(lying.elements())) or ""


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
    code = "LEFT_ONE" if len(left) == 1 else "LEFT_SEVERAL"
    return (say(code, tiles=names) if len(left) == 1 else say(code, number=len(left), tiles=names),)


def _apart(rows: Rows) -> tuple[Text, ...]:
    """Name a part that doesn't hang together with the rest, by one word or tile of it."""
    first, *others = occupied(rows)
    reached = _reached(rows, first)
    apart = next((spot for spot in others if spot not in reached), None)
    return (say("APART", one=_thing(rows, first), other=_thing(rows, apart)),) if apart else ()


def _reached(rows: Rows, start: Spot) -> frozenset[Spot]:
    """Give the cells that hang together with one."""
    seen = {start}
    edge = [start]
    while edge:
        spot = edge.pop()
        for run in (run_at(rows, spot, "w"), run_at(rows, spot, "s")):
            new = set(run.spots) - seen
            seen |= new
            edge += new
    return frozenset(seen)


def _thing(rows: Rows, spot: Spot) -> str:
    runs = (run_at(rows, spot, "w"), run_at(rows, spot, "s"))
    longest = max(runs, key=lambda run: len(run.signs))
    return f"{longest.word} ({longest.where})" if len(longest.signs) > 1 else f"{longest.word} ({cell_name(spot)})"


def tile_name(tile: str) -> Text:
    """Name a tile: `E`, `Joker (schwarz)`."""
    if tile in JOKERS:
        return say("RED_JOKER") if colour(tile) == "red" else say("BLACK_JOKER")
    return say("PLAIN", text=tile)
