"""What is drawn: a board in words, the same for pages and mails."""

from dataclasses import dataclass

from games.api import Cell, Look


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A board whose texts are worded and whose seats are names."""

    look: Look = "letters"
    title: str
    """Whose it is, or what: `Anna B.`, `Brett`. Screen readers hear it first."""
    note: str = ""
    """A short addition: `NMR`, `62 Punkte`."""
    said: str = ""
    """What it shows, in a sentence. If empty, the rows are read."""
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    """Row by row; each row as wide as `columns`."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A word on a board, outlined where somebody points at it: its first and last cell by their labels (`Z26`)."""

    first: str
    last: str
    title: str
    """What is read out: `STEGE, 7 Punkte`."""
