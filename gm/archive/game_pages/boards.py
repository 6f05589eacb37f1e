"""Boards and tables as HTML, the same on a round's page, in the replay and in print.

A game may have 150 rounds and boards of 700 cells. So cells are as short as HTML allows: optional end tags are left
out, and the stylesheet draws empty cells.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

from games.api import Language, Tone
from gm.archive import layout
from gm.archive.record.record import Board, Chart

CLASS_OF_TONE: Final[dict[Tone, str]] = {"": "", "red": "r", "green": "g", "black": "k", "yellow": "y", "blue": "b"}

NARROW: Final = 10
"""Cells beside each other on the smallest phone."""

NARROW_TABLE: Final = 26
"""Letters of a table beside each other there; a column takes two more."""

_FIGURE = re.compile(r"\s*(?:[+−-]?\d+|[.?–-]?)\s*")


def board(board: Board, caption: Markup, label: str) -> Markup:
    """Draw a board; one that is wider than a phone gets a frame to scroll in, whose name is `label`."""
    # " " is where nothing can lie: such a board has free places of its own.
    loose = ' class="board loose"' if any(" " in texts for texts in board.cells) else ' class="board"'
    head = "".join(f"<th scope=col>{escape(name)}" if name else "<td>" for name in board.columns)
    drawn = f"<table{loose}><caption>{caption}</caption><thead><tr><td>{head}<tbody>{_rows(board)}</table>"
    cells = len(board.columns) * max([1, *(len(text) - 1 for texts in board.cells for text in texts)])
    return framed(drawn, label) if cells > NARROW else Markup(drawn)


def chart(chart: Chart, caption: Markup, label: str) -> Markup:
    """Write a table with headings. The first cell of a row that is no figure is the row's heading."""
    right = _figures(chart)
    titles = "".join(
        f"<th scope=col{' class=n' if to_right else ''}>{escape(title)}" if title else "<td>"
        for title, to_right in zip(chart.head, right, strict=True)
    )
    head = f"<thead><tr>{titles}" if any(chart.head) else ""
    rows = "".join(f"<tr>{_items(row, right)}" for row in chart.rows)
    drawn = f'<table class="list"><caption>{caption}</caption>{head}<tbody>{rows}</table>'
    return framed(drawn, label) if _breadth(chart) > NARROW_TABLE else Markup(drawn)


def framed(content: str, label: str) -> Markup:
    """Put something wide into a frame to scroll in, also with the keyboard."""
    return Markup(f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">{content}</div>')


def caption(board: Board, fallback: str, language: Language) -> Markup:
    """Write the caption of a board; without a name of its own the caption is for screen readers only."""
    if board.name or board.note:
        note = Markup("<small>{}</small>").format(board.note) if board.note else ""
        return Markup(" ").join(item for item in (escape(board.name), note) if item)
    return unseen(fallback or layout.phrase(language, "BOARD"))


def unseen(text: str) -> Markup:
    """Write something for screen readers only."""
    return Markup('<span class="said">{}</span>').format(text)


def _rows(board: Board) -> str:
    new = frozenset(board.new)
    written = []
    for row, (name, texts) in enumerate(zip(board.rows, board.cells, strict=True)):
        cells = [
            _cell(text, (row, column) in new, board.tones.get(f"{row},{column}", ""))
            for column, text in enumerate(texts)
        ]
        written.append(f"<tr>{f'<th scope=row>{escape(name)}' if name else '<td>'}{''.join(cells)}")
    return "".join(written)


@lru_cache(maxsize=4096)
def _cell(text: str, new: bool, tone: Tone) -> str:
    """Write a cell. Cached, as there are a few hundred different ones and millions of each."""
    if text == ".":
        return "<td class=p>"
    shown = str(escape(text.strip()))
    if new and shown:
        shown = f"<b>{shown}</b>"
    names = [name for name in ("n" if new else "", CLASS_OF_TONE[tone]) if name]
    if not names:
        return f"<td>{shown}"
    return f"<td class={names[0]}>{shown}" if len(names) == 1 else f'<td class="{" ".join(names)}">{shown}'


def _breadth(chart: Chart) -> int:
    """Give the least width of a table in letters: lines break between words."""
    columns = zip(chart.head, *chart.rows, strict=True)
    return sum(2 + max((len(word) for item in column for word in str(item).split()), default=0) for column in columns)


def _figures(chart: Chart) -> list[bool]:
    return [
        all(isinstance(row[at], int) or _FIGURE.fullmatch(str(row[at])) for row in chart.rows)
        for at in range(len(chart.head))
    ]


def _items(row: Sequence[str | int], right: Sequence[bool]) -> str:
    subject = next((at for at, item in enumerate(row) if not isinstance(item, int) and not right[at]), None)
    return "".join(
        f"<th scope=row>{escape(layout.minus(item))}"
        if at == subject
        else f"<td{' class=n' if right[at] else ''}>{escape(layout.minus(item))}"
        for at, item in enumerate(row)
    )
