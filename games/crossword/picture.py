"""How a grid, a line and a claimed word are shown."""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import groupby

from games.api import Cell, Grid, Seat, Text, say
from games.crossword.board import BLANK, COLUMNS, LINES, SIZE, Rows, cell_name
from games.crossword.state import Claim
from games.crossword.texts import WORDING
from games.words import REASONS

_COLUMNS = tuple(COLUMNS)
_ROWS = tuple(str(row + 1) for row in range(SIZE))
_LINE_CODES = {"Z": "LINE_ROW", "S": "LINE_COLUMN", "D": "LINE_DIAGONAL"}


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def draw(rows: Rows, new: Collection[str] = (), seat: Seat | None = None, note: Text | None = None) -> Grid:
    """Draw a grid: new letters in capitals, old ones in lower case."""
    return Grid(
        seat=seat,
        note=note,
        columns=_COLUMNS,
        rows=_ROWS,
        cells=_cells(rows, frozenset(new)),
    )


@lru_cache(maxsize=100)
def _cells(rows: Rows, new: Collection[str]) -> tuple[tuple[Cell, ...], ...]:
    """Lay out the cells of a grid: once for the mails to all who see it."""
    return tuple(
        tuple(_cell(rows[row][column], cell_name(row, column) in new) for column in range(SIZE)) for row in range(SIZE)
    )


@lru_cache(maxsize=200)
def _cell(lies: str, new: bool) -> Cell:
    return Cell(text="" if lies == BLANK else lies.upper() if new else lies.lower(), new=new)


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
    """Say why a word doesn't count."""
    known = claim.reason in REASONS or claim.reason in WORDING
    reason = say(claim.reason if known else "REFUSED")
    return say("NOTED", reason=reason, note=claim.note) if claim.note else reason


def mark(claim: Claim) -> str:
    """Write a word as the final table does: `<` backwards, `-WORT-` refused, `WORT?` doubtful, `+WORT` substitute."""
    word = claim.word + ("<" if claim.backwards else "")
    if claim.status == "refused":
        word = f"-{word}-"
    return ("+" if claim.substitute else "") + word + ("?" if claim.status == "doubtful" else "")


def marks(claims: Sequence[Claim]) -> str:
    """Write all words of one line; `-` where there is none."""
    return " ".join(mark(claim) for claim in claims) or "-"


def counted(points: int) -> Text:
    """Write `1 Punkt`, `90 Punkte`."""
    return say("POINT") if points == 1 else say("POINTS", points=points)


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


def list_summary(claims: Sequence[Claim]) -> tuple[tuple[Text, Text], ...]:
    """Show a word list line by line with its points, and the sum."""
    lines = [(number, tuple(words)) for number, words in groupby(claims, key=lambda claim: claim.line)]
    shown = tuple((line_name(n), say("WORDS_POINTS", words=marks(c), points=points_text(*sums(c)))) for n, c in lines)
    return (*shown, (say("LABEL_SUM"), points_text(*sums(claims))))
