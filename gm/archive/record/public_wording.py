"""What engines show, worded for everybody: texts and names in place of codes and seats."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from games.api import Grid, Text
from gm.drawing.parts import Board
from gm.game.people.shown_names import masked
from gm.messages.rendering.wording import Speaker

_SHORTEST: Final = 3
"""Letters of an address."""
_TWO_STOPS: Final = re.compile(r"(?<!\.)\.\.(?!\.)")


class PublicSpeaker(Speaker):
    """Words texts for everybody: without addresses, and with one full stop where a name at the end has its own."""

    def say(self, text: Text | str | int) -> str:
        """Word a text."""
        said = super().say(text)
        return masked(_TWO_STOPS.sub(".", said) if ".." in said else said, self.language)

    def boards(self, grids: Iterable[Grid]) -> tuple[Board, ...]:
        """Put boards into words."""
        return tuple(map(self._without_addresses, super().boards(grids)))

    def _without_addresses(self, board: Board) -> Board:
        if all(len(cell.text) < _SHORTEST for line in board.cells for cell in line):
            return board
        cells = (tuple(replace(cell, text=self.shown(cell.text)) for cell in line) for line in board.cells)
        return replace(board, cells=tuple(cells))

    def shown(self, value: Any) -> Any:
        """Give plain data, however deep, without addresses. Most of it is single letters, which are left alone."""
        if isinstance(value, str):
            return value if len(value) < _SHORTEST else masked(value, self.language)
        if isinstance(value, Mapping):
            return {self.shown(key): self.shown(item) for key, item in value.items()}
        return [self.shown(item) for item in value] if isinstance(value, list | tuple) else value
