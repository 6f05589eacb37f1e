"""A part of a position in words: what mails, pages and the printed issue show of it.

Games say codes and seats (`games.api.Section`). A view becomes these values once; whatever shows it takes them.
"""

from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from games.api import Cell, Look
from gm.drawing.json_form import CELL_SCHEMA, GermanNames, cell_from_json, cell_to_json

ShownCell: TypeAlias = Annotated[
    Cell, PlainValidator(cell_from_json), PlainSerializer(cell_to_json), WithJsonSchema(CELL_SCHEMA)
]


@dataclass(frozen=True, kw_only=True)
class Board(GermanNames):
    """A board with its texts in words."""

    look: Look = "letters"
    """What it is drawn as."""
    name: str = ""
    """Whose it is, or what (`Brett`). Screen readers hear it first."""
    note: str = ""
    """A short addition to the name: `NMR`, `62 Punkte`."""
    seat: int | None = None
    """Whose it is, by number of the seat."""
    columns: tuple[str, ...]
    """The labels of the columns."""
    rows: tuple[str, ...]
    """The labels of the rows, from the top."""
    cells: tuple[tuple[ShownCell, ...], ...]
    """Row by row; each row as wide as `columns`."""
    said: str = ""
    """What it shows, in a sentence. If empty, the rows are read."""

    def without_marks(self) -> "Board":
        """Return the board with nothing marked as new."""
        return replace(self, cells=tuple(tuple(replace(cell, new=False) for cell in line) for line in self.cells))

    @property
    def drawn_as(self) -> str:
        """Its look; a rack of dominoes is a `hand`."""
        if self.look == "tiles" and any(cell.sides for line in self.cells for cell in line):
            return "hand"
        return self.look


@dataclass(frozen=True, kw_only=True)
class Chart(GermanNames):
    """A table with headings."""

    head: tuple[str, ...]
    """The headings of the columns."""
    rows: tuple[tuple[str | int, ...], ...]
    """The rows; each as long as there are headings."""
    fold: int = 1
    """2: where there is room, its halves stand beside each other."""
    is_card: bool = False
    """A score card: each row, a seat, is a column there."""
    below: tuple[tuple[str, ...], ...] = ()
    """Of a score card: small words below each cell, such as what was entered there."""

    @property
    def has_figures(self) -> list[bool]:
        """Whether a column holds only figures, which stand on the right."""
        return [all(isinstance(row[at], int) for row in self.rows) for at in range(len(self.head))]


@dataclass(frozen=True, kw_only=True)
class Part(GermanNames):
    """A section of a position: heading, sentences, boards, a table, sentences below."""

    heading: str = ""
    """What it is about."""
    lines: tuple[str, ...] = ()
    """Sentences above the boards."""
    legend: tuple[str, ...] = ()
    """How to read the letters of the boards, where they are shown as text."""
    boards: tuple[Board, ...] = ()
    """The boards of this section."""
    table: Chart | None = None
    """A table of this section."""
    notes: tuple[str, ...] = ()
    """Sentences below boards and table."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A word on a board, outlined where somebody points at it: its first and last cell by their labels (`Z26`)."""

    first: str
    last: str
    title: str
    """What is read out: `STEGE, 7 Punkte`."""
