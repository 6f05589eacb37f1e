"""Move blocks: where one begins and ends, with or without a title line above it, and what its lines look like.

Sources: shared/spec/games.md (Conventions), rulings.md part 3 (2 two columns, 3 end of a block, 17 `Runde:`). What the
lines mean is for the game to say.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from games.api import MoveBlock
from parsers.commands import Join, Orders
from parsers.invisible import fold_name
from parsers.lines.names import ROUND, Named, Names
from parsers.prose.courtesies import FAREWELL, GREETING

MAX_BLOCK: Final = 200
"""More lines than any block has; the rest is left alone."""
MOST_OF_ENTRY: Final = 80
MOST_ALTERNATIVES: Final = 10
NEARLY: Final = 2
"""So many rows of a grid without a title may be of another width; the others are as wide as the grid is high."""
FEWEST_WORDS: Final = 4
"""Of a sentence below a grid."""
MOST_TOKENS: Final = 40
MOST_TITLE_WORDS: Final = 6
"""Of a title with a game's name, both written with blanks for hyphens."""
PLAYER_LINE = re.compile(r"Name\s*:\s*(?P<name>\S.{0,59})", re.IGNORECASE)
ROUND_LINE = re.compile(rf"{ROUND}\s*:\s*(?P<number>\d{{1,3}})\.?", re.IGNORECASE)
STAND_LINE = re.compile(r"Stand\s*:\s*(?P<number>\d{1,6})\.?", re.IGNORECASE)
WISH_LINE = re.compile(r"(?:neu|new)\b\s*:?\s*\S{0,3}(?:\s{3,}.*)?", re.IGNORECASE)
WISH_KEY = re.compile(r"(?:neu|new|wunsch(?:buchstabe)?|wish)\s*:", re.IGNORECASE)
# Without a title a wish is a letter, or two that somebody couldn't choose between.
LONE_WISH = re.compile(
    r"(?:neu|new)\s*:\W*[^\W\d_](?:\W{0,3}[^\W\d_])?(?:[\W_]{0,3}$|\s{3}|\s*[,;(]|\s+(?:oder|or|und|and)\b)",
    re.IGNORECASE,
)
ROW = re.compile(r"(?:\**[A-Za-zÄÖÜäöüß]\**|[._·•∙⋅◆\-‐‑‒−–—])+")
BLANK_CELL = re.compile(r"[._·•∙⋅\-‐‑‒−–—]")
STRAY = re.compile(r"[A-Za-zÄÖÜäöüß](?:[A-Za-zÄÖÜäöüß ]{0,11}[A-Za-zÄÖÜäöüß])?")
DIGIT = re.compile(r"\d")
# An entry of a word list (`S2: urb / ur 1`): between two words stands more than a blank.
ENTRY = re.compile(r"[^\W\d_]{2,}<?(?:[-+/()=:\[\]–](?:[^\W\d_]{2,}<?)?| ?\d{1,3}(?!\d))*")
LABEL = re.compile(r"(?:[ZSRCD]|Zeile|Spalte|Diagonale?|Row|Col|Column) ?\d\b(:?) *", re.IGNORECASE)
UNIT = re.compile(r" ?(?:p|pt|pts|pkt|punkte?|points?)\b\.?(?=[)\]]?$)", re.IGNORECASE)
AROUND = re.compile(r" ?([-+/()=:\[\]–]) ?")
_LINE = r"(?:Zeile|Reihe|Row|Line|Zug|Move)"
POINT = re.compile(
    rf"(?:\(?(?P<number>\d{{1,2}})[.)]\s+(?:{_LINE}\b\s*[:.–=-]?\s+)?|{_LINE}\s?(?P<behind>\d{{1,2}})\s*(?:[:.)=–-]|->|→)\s+)(?=\S)",
    re.IGNORECASE,
)
"""The number of a line in a list: `1. `, `(1) `, `1. Zeile: `, `Zeile 1 → `."""
LEAD = re.compile(r"(?:(?:mein|unser|my|our)\s+)?(?:zug|move|turn)\s*:\s*(?=\D)", re.IGNORECASE)
NO_WORD = re.compile(r"(?:[ZSRCD]\s?\d\s*:\s*)?(?:[-–—]|\.{3})", re.IGNORECASE)
LIST_HEAD = re.compile(r"[^\W\d_]{2,20}\s*:")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block as found: its lines, what else stood in it for the service, and where it ends."""

    moves: MoveBlock
    player_name: str = ""
    round: int | None = None
    stand: int | None = None
    end: int
    """Index of the first line behind it."""


def unfold(line: str, names: Names) -> list[str]:
    """Split a clean line that holds title, `Neu:` and rows: some programs lose the line breaks of a block."""
    tokens = line.split()
    may_be_joined = 1 < len(tokens) <= MOST_TOKENS and (BLANK_CELL.search(tokens[-1]) or WISH_KEY.search(line))
    if not may_be_joined or names.read_title_line(line):
        return [line]
    for head in range(min(MOST_TITLE_WORDS, len(tokens)), -1, -1):
        title = " ".join(tokens[:head])
        if not head or names.read_title_line(title):
            wish, rows = _wish_and_rows(tokens[head:])
            pieces = [*filter(None, (title, wish)), *rows]
            # `Neu: alles...` is a wish that somebody got wrong, and no row.
            is_sure = len(rows) > 1 or head or " " in wish
            if len(pieces) > 1 and is_sure and _are_rows(rows):
                return pieces
    return [line]


def _wish_and_rows(tokens: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Split off `Neu: D`, `Neu:D` or an empty `Neu:` at the begin."""
    if not (tokens and WISH_KEY.match(tokens[0])):
        return "", tokens
    height = 2 if tokens[0].endswith(":") and len(tokens) > 1 and len(tokens[1]) == 1 and tokens[1].isalpha() else 1
    return " ".join(tokens[:height]), tokens[height:]


def _are_rows(tokens: Sequence[str]) -> bool:
    widths = {row_width(token) for token in tokens}
    return not tokens or (len(widths) == 1 and min(widths) > 3 and any(map(BLANK_CELL.search, tokens)))


def read_block(lines: Sequence[str], start: int, grid_rows: int, ends: Callable[[str], bool]) -> Block:
    """Read the block whose first line below the title is `start`; `lines` are clean, `ends` knows what ends a block."""
    is_double = _is_double_spaced(lines, start, ends)
    taken: list[str] = []
    widths: list[int] = []
    at = start
    while at < len(lines) and len(taken) < MAX_BLOCK and not ends(lines[at]):
        if not lines[at]:
            below = _next_text(lines, at)
            is_double_here = is_double and below == at + 1
            is_late_wish = below < len(lines) and WISH_KEY.match(lines[below]) and not _has_wish(taken)
            if below == len(lines) or not (
                not taken or is_late_wish or _goes_on(lines, below, widths, grid_rows, is_double_here)
            ):
                break
            at = below
            continue
        if PLAYER_LINE.fullmatch(lines[at]) and any(map(PLAYER_LINE.fullmatch, taken)):
            break  # the move of somebody else at the same address
        if len(widths) >= grid_rows > 0 and _is_prose(lines, at):
            break  # stuck to the grid; `danke 5` is a word of a list
        taken.append(lines[at])
        widths += [width] if (width := row_width(lines[at])) else []
        at += 1
    if grid_rows and not widths and _has_wish(taken):
        at = _take_strays(lines, at, taken)
    return _block(taken, at)


def _is_prose(lines: Sequence[str], at: int) -> bool:
    """Return whether a farewell stands here, or a sentence with nothing of a move below it up to a blank line."""
    if FAREWELL.match(lines[at]) and not DIGIT.search(lines[at]):
        return True
    if len(lines[at].split()) < FEWEST_WORDS:
        return False
    rest = [*takewhile(bool, lines[at : at + MAX_BLOCK])]
    return not (any(map(DIGIT.search, rest)) or _has_wish(rest))


def _take_strays(lines: Sequence[str], at: int, taken: list[str]) -> int:
    """Take short lines in capitals below a wish without rows: they may be rows with blanks for blank cells.

    The game decides what they are. A name below the wish is not taken.
    """
    strays: list[str] = []
    below = _next_text(lines, at)
    while below < len(lines) and STRAY.fullmatch(lines[below]) and not FAREWELL.match(lines[below]):
        strays.append(lines[below])
        end, below = below + 1, _next_text(lines, below + 1)
    if any(sum(map(str.isupper, line)) > len(line.split()) for line in strays):
        taken += strays
        return end
    return at


@dataclass(frozen=True, kw_only=True)
class Alternatives:
    """Blocks of which one is to count."""

    named: Named
    blocks: tuple[Block, ...]
    end: int
    """Index of the first line behind them."""


def read_alternatives(
    lines: Sequence[str], start: int, named: Named, names: Names, ends: Callable[[str], bool]
) -> Alternatives:
    """Read the blocks below `start`: with title lines of one game, or without any, parted by blank lines.

    Behind a block with a title line only another one with a title line goes on.
    """
    found: list[Block] = []
    at, is_titled = start, False
    while len(found) < MOST_ALTERNATIVES and (below := _next_text(lines, at)) < len(lines):
        title = names.read_title_line(lines[below])
        if title and _is_of(title, named):
            named, is_titled = Named(title_key=title.title_key, game=named.game or title.game), True
            below += 1
        elif title or is_titled or ends(lines[below]) or FAREWELL.match(lines[below]):
            break
        block = read_block(lines, below, 0, lambda line: ends(line) or names.read_title_line(line) is not None)
        block = _without_farewell(lines, below, block)
        found += [block]
        at = max(block.end, below)
    return Alternatives(named=named, blocks=tuple(found), end=at)


def _is_of(title: Named, named: Named) -> bool:
    """Return whether a title line may stand below one that names this game."""
    return (not named.title_key or title.title_key == named.title_key) and (
        not title.game or not named.game or fold_name(title.game) == fold_name(named.game)
    )


def _without_farewell(lines: Sequence[str], start: int, block: Block) -> Block:
    """End a block before a farewell that sticks to it."""
    stuck = (at for at in range(start + 1, block.end) if FAREWELL.match(lines[at]) and not DIGIT.search(lines[at]))
    stop = next(stuck, None)
    return block if stop is None else _block([line for line in lines[start:stop] if line], stop)


def find_untitled(lines: Sequence[str], grid_rows: int, ends: Callable[[str], bool]) -> tuple[int, Block] | None:
    """Find a block without title line: from a `Neu:` line or a whole grid on. Only games with grids are so plain."""
    if not grid_rows:
        return None
    at = 0
    while at < len(lines):
        if not (WISH_KEY.match(lines[at]) or _is_row(lines, at, ())):
            at += 1
            continue
        block = read_block(lines, at, grid_rows, ends)
        if _speaks_for_itself(block.moves.lines, grid_rows):
            return at, block
        at = max(block.end, at + 1)
    return None


def orders_of(above: Named | Orders | Join, block: Block, player_name: str) -> Orders:
    """Put a block below its title; a line of its own says the round rather than the title does."""
    number = None if isinstance(above, Join) else above.round
    return Orders(
        title_key=above.title_key, game=above.game, block=block.moves, player_name=player_name, stand=block.stand,
        round=number if block.round is None else block.round,
    )  # fmt: skip


def row_width(line: str) -> int:
    """Return how many cells a line has if it looks like a row of a grid, else 0. A word right of the row is ignored."""
    return _cells(line) or (_cells(line.partition("   ")[0]) if "   " in line else 0)


def _cells(text: str) -> int:
    tokens = text.split()
    is_spaced = all(len(token.rstrip("*")) == 1 for token in tokens)
    row = "".join(tokens) if is_spaced else text
    is_row = 2 <= len(row) <= 60 and ROW.fullmatch(row)
    return len(row.replace("*", "")) if is_row else 0


def _speaks_for_itself(lines: Sequence[str], grid_rows: int) -> bool:
    """Return whether lines without a title are a block. A patch isn't: it has file names, rulers, `new: foo`."""
    rows = [line for line in lines if row_width(line)]
    has_letters = any(char.isalpha() for row in rows for char in row)
    is_whole = len(rows) >= grid_rows and sum(row_width(row) == grid_rows for row in rows) >= grid_rows - NEARLY
    is_grid = is_whole and has_letters and any(BLANK_CELL.search(row) for row in rows)
    return is_grid or any(LONE_WISH.match(line) for line in lines) or (is_whole and _has_wish(lines))


def _has_wish(lines: Sequence[str]) -> bool:
    return any(WISH_KEY.match(line) for line in lines)


def _block(taken: Sequence[str], end: int) -> Block:
    """Separate the lines for the service from those for the game."""
    names = [found["name"] for line in taken if (found := PLAYER_LINE.fullmatch(line))]
    rounds = [int(found["number"]) for line in taken if (found := ROUND_LINE.fullmatch(line))]
    stands = [int(found["number"]) for line in taken if (found := STAND_LINE.fullmatch(line))]
    ours = (PLAYER_LINE, ROUND_LINE, STAND_LINE)
    moves = plain_lines([line for line in taken if not any(pattern.fullmatch(line) for pattern in ours)])
    return Block(
        moves=MoveBlock(lines=moves), player_name=names[0] if names else "", round=rounds[0] if rounds else None,
        stand=stands[0] if stands else None, end=end,
    )  # fmt: skip


def plain_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Take off what somebody wrote before the lines: `Mein Zug:`, or the numbers 1, 2, 3 of all but the wish."""
    if lines and (lead := LEAD.match(lines[0])):
        lines = [lines[0][lead.end() :], *lines[1:]]
    points = {at: POINT.match(line) for at, line in enumerate(lines) if not WISH_LINE.fullmatch(line)}
    numbers = [int(point["number"] or point["behind"]) for point in points.values() if point]
    if not points or numbers != list(range(1, len(points) + 1)):
        return tuple(lines)
    return tuple(line[point.end() :] if (point := points.get(at)) else line for at, line in enumerate(lines))


def _goes_on(lines: Sequence[str], below: int, widths: Sequence[int], grid_rows: int, is_double: bool) -> bool:
    """Return whether the block goes on with line `below` behind blank lines; `widths` are those of its rows so far."""
    if FAREWELL.match(lines[below]) and not BLANK_CELL.search(lines[below]):
        return False
    if is_double and (widths or not grid_rows):
        return True
    if len(widths) >= grid_rows > 0:
        return any(lines[below - 3 : below]) and _begins_list(lines, below)
    return len(widths) < grid_rows and (_is_key_line(lines[below]) or _is_row(lines, below, widths))


def _begins_list(lines: Sequence[str], at: int) -> bool:
    """Return whether a word list stands here, two blank lines below a whole grid at most; a heading may be above it."""
    if LIST_HEAD.fullmatch(lines[at]) and not FAREWELL.match(lines[at]):
        at = _next_text(lines, at + 1)
    while at < len(lines) and NO_WORD.fullmatch(lines[at]):
        at += 1
    return at < len(lines) and is_entry(lines[at])


def is_entry(line: str) -> bool:
    """Return whether a line looks like an entry with points of a word list, or one with a label."""
    plain = AROUND.sub(r"\1", " ".join(line[:MOST_OF_ENTRY].split()))
    label = LABEL.match(plain)
    entry = UNIT.sub("", plain[label.end() :] if label else plain)
    has_points = DIGIT.search(entry) or (label and label[1])
    return bool(has_points and ENTRY.fullmatch(entry)) and not GREETING.match(line)


def _is_key_line(line: str) -> bool:
    return any(pattern.fullmatch(line) for pattern in (WISH_LINE, PLAYER_LINE, ROUND_LINE, STAND_LINE))


def _is_row(lines: Sequence[str], at: int, widths: Sequence[int]) -> bool:
    """A row has a blank cell, or is as wide as the row above (the first one: below): a signature `Anna` is none."""
    width = row_width(lines[at])
    if not width:
        return False
    below = _next_text(lines, at + 1)
    neighbour = widths[-1] if widths else row_width(lines[below]) if below < len(lines) else 0
    return BLANK_CELL.search(lines[at]) is not None or width == neighbour


def _is_double_spaced(lines: Sequence[str], start: int, ends: Callable[[str], bool]) -> bool:
    """Return whether a blank line follows every line from the title on, as Outlook writes: two lines at least."""
    at, seen = start, 0
    while seen < MAX_BLOCK and at + 1 < len(lines) and not lines[at] and lines[at + 1] and not ends(lines[at + 1]):
        seen += 1
        at += 2
    return seen > 1 and (at >= len(lines) or not lines[at])


def _next_text(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at]:
        at += 1
    return at
