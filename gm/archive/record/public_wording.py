"""What engines show, worded for everybody: texts and names in place of codes and seats."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.api import Grid, Section, Table, Text
from gm.archive.record.record import Board, Chart, Part
from gm.messages.rendering.wording import Speaker
from gm.players.shown_names import masked

_SHORTEST: Final = 3
"""Letters of an address."""
_TWO_STOPS: Final = re.compile(r"(?<!\.)\.\.(?!\.)")


class PublicSpeaker(Speaker):
    """Words texts for everybody: without addresses, and with one full stop where a name at the end has its own."""

    def say(self, text: Text | str | int) -> str:
        """Word a text."""
        return masked(_TWO_STOPS.sub(".", super().say(text)), self.language)

    def shown(self, value: Any) -> Any:
        """Give plain data, however deep, without addresses. Most of it is single letters, which are left alone."""
        if isinstance(value, str):
            return value if len(value) < _SHORTEST else masked(value, self.language)
        if isinstance(value, Mapping):
            return {self.shown(key): self.shown(item) for key, item in value.items()}
        return [self.shown(item) for item in value] if isinstance(value, list | tuple) else value


def worded(speaker: PublicSpeaker, section: Section) -> Part:
    """Put a section into words."""
    return Part(
        heading=speaker.say(section.title) if section.title else "",
        lines=_all(speaker, section.lines),
        legend=_all(speaker, section.legend),
        boards=tuple(_board(speaker, grid) for grid in section.grids),
        table=_table(speaker, section.table) if section.table else None,
        notes=_all(speaker, section.notes),
    )


def _all(speaker: Speaker, texts: Iterable[Text]) -> tuple[str, ...]:
    return tuple(speaker.say(text) for text in texts)


def _board(speaker: PublicSpeaker, grid: Grid) -> Board:
    cells = {
        f"{row},{column}": cell for row, line in enumerate(grid.cells) for column, cell in enumerate(line)
    }  # fmt: skip
    return Board(
        look=grid.look, name=speaker.name(grid.seat), note=speaker.say(grid.note) if grid.note else "",
        seat=int(grid.seat) if grid.seat else None, columns=grid.columns, rows=grid.rows,
        cells=tuple(tuple(speaker.shown(cell.text) for cell in line) for line in grid.cells),
        new=tuple((row, column) for row, line in enumerate(grid.cells) for column, cell in enumerate(line) if cell.new),
        tones={at: cell.tone for at, cell in cells.items() if cell.tone},
        marks={at: cell.mark for at, cell in cells.items() if cell.mark},
        values={at: cell.value for at, cell in cells.items() if cell.value is not None},
        sides={at: tuple((side.text, side.tone) for side in cell.sides) for at, cell in cells.items() if cell.sides},
        said=speaker.say(grid.said) if grid.said else "",
    )  # fmt: skip


def _table(speaker: Speaker, table: Table) -> Chart:
    rows = tuple(tuple(item if isinstance(item, int) else speaker.say(item) for item in row) for row in table.rows)
    below = tuple(tuple(map(speaker.say, row)) for row in table.below)
    return Chart(head=tuple(map(speaker.say, table.head)), rows=rows, is_card=table.is_card, below=below)
