"""Layout of the HTML part: tables with inline styles, as the programs that show mails want it.

Colours come twice, as attribute and as `background:` shorthand: GMX knows no other (bulletins.md 3). No text has a
colour without its background, or a program that darkens one of the two would make it unreadable. Every table has a
caption, for those who hear the mail; a heading that belongs to a table stands in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import escape

from games.api import Grid, Language, Look, Section, Table, Text
from gm.drawing.picture import Picture
from gm.drawing.table import mail_card, mail_table
from gm.messages.rendering.plain_text import number_columns, short_name
from gm.messages.rendering.wording import Speaker

LABELS: Final = {
    "de": {"own": " (du)", "table": "Wertung"},
    "en": {"own": " (you)", "table": "Score"},
}
"""What HTML adds: whose board is the reader's, and captions where the game gives none."""
BOARDS: Final[Mapping[Language, Mapping[Look, str]]] = {
    "de": {"letters": "Raster", "dominoes": "Tisch", "tiles": "Steine", "dice": "Würfel", "pegs": "Zeilen"},
    "en": {"letters": "Grid", "dominoes": "Table", "tiles": "Tiles", "dice": "Dice", "pegs": "Rows"},
}
"""Captions of boards that are nobody's."""
ROOM: Final = 22
"""Letters above a small board."""
SHORT: Final = 8
"""Letters of a note beside a name; a longer one stands below it."""

INK: Final = "#1a1a1a"
GAP: Final = "margin:0 0 12px 0"
HEADING: Final = "margin:0;font-size:18px;line-height:1.3"
LINE: Final = "border:1px solid #c8c8c8"
GREY: Final = f"background:#f4f4f4;color:{INK}"
BAND: Final = "background:#1f3a4d;color:#ffffff"
END_OF_ROW: Final = '<br clear="all" style="clear:both;font-size:1px;line-height:1px">'
CAPTION: Final = '<caption style="padding:0;text-align:left;font-size:15px;line-height:22px">'
PAIRED: Final = "padding:4px 12px 4px 0;border-top:1px solid #c8c8c8;text-align:left;font-weight:normal"


@dataclass(frozen=True)
class Page:
    """The forms that body templates call, as HTML. `Plain` has the same ones as text."""

    speaker: Speaker

    def p(self, html: str) -> str:
        """Write a paragraph; what it holds is escaped already."""
        return f'<p style="{GAP}">{html.strip()}</p>\n'

    def hello(self, greeting: str) -> str:
        """Greet."""
        return f'<p style="{GAP}">{esc(greeting)}</p>\n'

    def h(self, title: str) -> str:
        """Write a heading."""
        return f'<h2 style="{HEADING};margin:22px 0 8px 0">{esc(title)}</h2>\n'

    def banner(self, rows: Sequence[tuple[str, str]], label: str = "", date: str = "") -> str:
        """Head a bulletin: rows of left and right, the first one with the title; then, framed, the date that counts."""
        (title, what), *others = rows
        head = (
            f'<h1 style="margin:0;padding:10px 12px;{BAND};font-size:22px;line-height:1.3">{esc(title)}<br>\n'
            f'<span style="{BAND};font-size:17px">{esc(what)}</span></h1>\n'
        )
        amber = f'<p style="margin:0;padding:8px 12px;background:#ffe08a;color:{INK}">'
        framed = f"{amber}{esc(label)}:<br>\n<b>{esc(date)}</b></p>\n" if label else ""
        below = (", ".join(esc(text) for text in row if text) for row in others)
        return head + framed + "".join(f'<p style="margin:6px 0 16px 0;font-size:14px">{row}</p>\n' for row in below)

    def pairs(self, caption: str, rows: Iterable[tuple[str, str]], mark: str = ":", headed: bool = False) -> str:  # noqa: ARG002 (text)
        """List labels and contents."""
        lines = "".join(
            f'<tr><th scope="row" align="left" valign="top" style="{PAIRED}">{esc(label)}</th>'
            f'<td valign="top" style="padding:4px 0;border-top:1px solid #c8c8c8">{esc(content)}</td></tr>\n'
            for label, content in rows
        )
        style = f"{GAP};border-collapse:collapse;font-size:16px"
        return (
            f'<table cellpadding="0" cellspacing="0" border="0" style="{style}">\n'
            f'<caption style="text-align:left;padding:0 0 4px 0"><b>{esc(caption)}</b></caption>\n{lines}</table>\n'
        )

    def items(self, texts: Iterable[str]) -> str:
        """List sentences by number."""
        return f'<ol style="{GAP};padding:0 0 0 28px">\n{_points(texts)}</ol>\n'

    def points(self, texts: Iterable[str]) -> str:
        """List sentences, each a point of its own."""
        return f'<ul style="{GAP};padding:0 0 0 20px">\n{_points(texts)}</ul>\n'

    def block(self, lines: Iterable[str]) -> str:
        """Show lines to copy, or to read exactly as they are."""
        font = "font-family:Consolas,Courier,monospace;font-size:16px;white-space:pre-wrap"
        text = "\n".join(map(esc, lines))
        return f'<pre style="{GAP};padding:8px 12px;{GREY};{LINE};{font}">{text}</pre>\n'

    def quote(self, lines: Iterable[str]) -> str:
        """Show what somebody wrote, line by line."""
        style = "margin:0 0 12px 0;padding:0 0 0 12px;border-left:3px solid #c8c8c8"
        text = "<br>\n".join(map(esc, lines))
        return f'<blockquote style="{style}">{text}</blockquote>\n'

    def link(self, url: str, text: str) -> str:
        """Offer a click."""
        style = f"display:inline-block;padding:8px 14px;{BAND};text-decoration:none"
        return f'<p style="margin:0 0 16px 0"><a href="{esc(url)}" style="{style}"><b>{esc(text)}</b></a></p>\n'

    def web(self, label: str, url: str) -> str:
        """Name a page."""
        return f'<p style="{GAP}">{esc(label)}: <a href="{esc(url)}">{esc(url)}</a></p>\n'

    def grids(self, grids: Sequence[Grid]) -> str:
        """Draw boards, as many beside each other as there is room for."""
        return f"<div>\n{''.join(map(self._grid, grids))}{END_OF_ROW}\n</div>\n"

    def section(self, section: Section) -> str:
        """Write a part of a view. A heading that belongs to nothing but a table is heard with it, once."""
        say = self.speaker.say
        in_caption = bool(section.title and section.table and not (section.lines or section.grids))
        title = self.h(say(section.title)) if section.title and not in_caption else ""
        lines = "".join(f'<p style="{GAP}">{esc(say(line))}</p>\n' for line in section.lines)
        notes = "".join(f'<p style="margin:0 0 6px 0;font-size:15px">{esc(say(note))}</p>\n' for note in section.notes)
        return f"{title}{lines}{self._grids_and_table(section, in_caption)}\n{notes}"

    def _grids_and_table(self, section: Section, in_caption: bool) -> str:
        label = LABELS[self.speaker.language]["table"]
        if section.table and len(section.grids) == 1:
            table = self._table(section.table, label, 'align="left" ')
            return f"<div>\n{self._grid(section.grids[0])}{table}\n{END_OF_ROW}\n</div>"
        if in_caption and section.title:
            label = f'<h2 style="{HEADING};padding:10px 0 6px 0">{esc(self.speaker.say(section.title))}</h2>'
        table = self._table(section.table, label) if section.table else ""
        return (self.grids(section.grids) if section.grids else "") + table

    def _grid(self, grid: Grid) -> str:
        """Draw a board; of an empty rack only its sentence is left."""
        said = self.speaker.say(grid.said) if grid.said else ""
        if said and not any(grid.cells):
            return self.p(esc(said))
        title, note = self._head(grid)
        return mail_table(
            Picture(
                look=grid.look, title=title, note=note, said=said,
                columns=grid.columns, rows=grid.rows, cells=grid.cells,
            )
        )  # fmt: skip

    def _head(self, grid: Grid) -> tuple[str, str]:
        """Head a board with its player in one line, beside a short note.

        One with a taller head would catch the boards of the next row, as they float.
        """
        labels = LABELS[self.speaker.language]
        note = self.speaker.say(grid.note) if grid.note else ""
        if not grid.seat:
            return note or BOARDS[self.speaker.language][grid.look], ""
        own = labels["own"] if grid.seat == self.speaker.own else ""
        beside = len(note) + 1 if len(note) <= SHORT else 0
        return short_name(self.speaker.name(grid.seat), ROOM - len(own) - beside) + own, note

    def _table(self, table: Table, caption: str, align: str = "") -> str:
        """A folded table holds its halves beside each other; where a phone has no room, it moves below the board."""
        if table.is_card:
            worded = ([self.speaker.say(item) for item in row] for row in table.rows)
            seats = [[short_name(name, SHORT + 2), *boxes] for name, *boxes in worded]
            return mail_card([self.speaker.say(title) for title in table.head], seats, caption)
        right = number_columns(table)
        halves = 2 if table.fold == 2 else 1
        height = -(-len(table.rows) // halves)
        cells = [self._cells(row, right) for row in table.rows]
        beside = cells[height:] + [""] * height
        lines = (f'<tr valign="top">{left}{more}</tr>\n' for left, more in zip(cells[:height], beside, strict=False))
        is_headed = any(self.speaker.say(title) for title in table.head)
        head = f"<tr>{self._column_heads(table, right) * halves}</tr>\n" if is_headed else ""
        style = "margin:0 0 12px 0;border-collapse:collapse;font-size:14px"
        return (
            f'<table cellpadding="3" cellspacing="0" border="0" {align}style="{style}">\n{CAPTION}{caption}</caption>\n'
            f"{head}{''.join(lines)}</table>\n"
        )

    def _cells(self, row: Sequence[Text | str | int], right: Sequence[bool]) -> str:
        """The first cell of a row that is no figure says whom or what the row is about."""
        about = next((at for at, item in enumerate(row) if not isinstance(item, int)), None)
        texts = [esc(self.speaker.say(item)) for item in row]
        return "".join(
            f'<th scope="row" style="{LINE};text-align:left;font-weight:normal;word-break:break-word">{text}</th>'
            if at == about
            else f'<td align="right" style="{LINE}">{text}</td>'
            if right[at]
            else f'<td style="{LINE}">{text}</td>'
            for at, text in enumerate(texts)
        )

    def _column_heads(self, table: Table, right: Sequence[bool]) -> str:
        return "".join(
            f'<th scope="col" align="{"right" if is_right else "left"}" bgcolor="#f4f4f4" '
            f'style="{LINE};{GREY};font-size:12px">{esc(self.speaker.say(title))}</th>'
            for title, is_right in zip(table.head, right, strict=True)
        )


def esc(text: object) -> str:
    """Escape a text for HTML; what is escaped already stays as it is."""
    return text if type(text) is str and text.isalnum() else str(escape(text))


def _points(texts: Iterable[str]) -> str:
    return "".join(f'<li style="margin:0 0 6px 0">{esc(text)}</li>\n' for text in texts)
