"""Layout of the HTML part: tables with inline styles, as the programs that show mails want it.

Colours come twice, as attribute and as `background:` shorthand: GMX knows no other (bulletins.md 3). No text has a
colour without its background, or a program that darkens one of the two would make it unreadable. Outlook knows padding
in cells alone, so what is framed or coloured is a table for the layout (`role="presentation"`). Every other table has
a caption, for those who hear the mail; a heading that belongs to a table stands in it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import escape

from games.api import Grid, Section, Table, Text
from gm.drawing.boards.mail import INK, PAPER
from gm.drawing.picture import Picture
from gm.drawing.table import ROOM, mail_card, mail_table
from gm.messages.rendering.plain_text import number_columns, short_name
from gm.messages.rendering.wording import Head, Speaker, Tone, phrase

BLANKS: Final = re.compile(r"[ \n]+")
MANY: Final = 2
"""More boards than these are small."""
SHORT: Final = 8
"""Letters of a note beside a name; a longer one stands below it."""

GAP: Final = "margin:0 0 12px 0"
HEADING: Final = "margin:0;font-size:17px;line-height:1.4"
COLOURS: Final[dict[Tone, str]] = {"green": "#1c6638", "red": "#9c221a", "amber": "#744e00", "petrol": "#17566a"}
"""Grounds that white letters can be read on."""
MUTED: Final = f"background:{PAPER};color:#55595f"
RULE: Final = "1px solid #d9d2c3"
LAYOUT: Final = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
SIDE: Final = 12
"""Pixels beside the text: two boards still stand beside each other on a phone."""
SMALL_PRINT: Final = (
    f"padding:10px {SIDE}px 14px {SIDE}px;border-top:{RULE};{MUTED};font-size:13px;word-break:break-word"
)
LINK: Final = f"background:{PAPER};color:#17566a"
LINE: Final = "border:1px solid #c8c8c8"
BAND: Final = "background:#123f4e;color:#ffffff"
BLOCK: Final = "background:#ffffff;padding:10px 12px"
CODE: Final = "margin:0;font-family:Consolas,Courier,monospace;font-size:16px;line-height:20px;white-space:pre-wrap"
BUTTON: Final = "border-radius:6px;line-height:20px;text-decoration:none"
END_OF_ROW: Final = '<br clear="all" style="clear:both;font-size:1px;line-height:1px">'
HAIR: Final = f"border-bottom:{RULE}"
LONGEST_NAME: Final = 20
"""A name up to here stands on one line of a table; a phone has no room for more."""
LONGEST_LABEL: Final = 14
LONGEST_UNBROKEN: Final = 28
MANY_COLUMNS: Final = 6
"""A table with more columns than these has smaller letters and gaps: a phone of 320 px shows it with whole names."""
CAPTION: Final = '<caption style="padding:0;text-align:left;font-size:15px;line-height:22px">'
PAIRED: Final = f"padding:6px 12px 6px 0;border-bottom:{RULE};text-align:left;font-weight:normal;font-size:14px"
PAIRS: Final = f"{GAP};border-collapse:collapse;font-size:15px"
PAIR: Final = f'<td valign="top" style="padding:6px 0;border-bottom:{RULE}">'
DATE: Final = re.compile(
    r"(?<=\d) (?=Uhr\b|[A-Z][a-z]+ \d{4})|(?<=[a-z]) (?=\d{4}\b)|(?<=Uhr) (?=\()|(?<=:\d\d) (?=\()"
)
"""The gaps in `16.11.2026, 20:00 Uhr (MEZ)` and `16 November 2026, 20:00 (CET)`, but for those behind commas."""


@dataclass(frozen=True)
class Page:
    """The forms that body templates call, as HTML. `Plain` has the same ones as text."""

    speaker: Speaker

    def p(self, html: str) -> str:
        """Write a paragraph; what it holds is escaped already."""
        one_line = BLANKS.sub(" ", html).strip()
        return f'<p style="{GAP}">{one_line}</p>\n'

    def hello(self, greeting: str) -> str:
        """Greet."""
        return f'<p style="margin:0">{esc(greeting)}</p>\n'

    def small(self, text: str) -> str:
        """Write small print."""
        return esc(text)

    def h(self, title: str) -> str:
        """Write a heading."""
        return f'<h2 style="{HEADING};margin:22px 0 8px 0">{esc(title)}</h2>\n'

    def head(self, head: Head) -> str:
        """Head a mail as rows of its table: whose it is; then how it is and until when, in colour and in words."""
        ground = COLOURS[head.tone]
        strip = f"background:{ground};color:#ffffff"
        rank, above = ("h1", "") if head.is_first else ("h2", _above(head, strip))
        until = f'<span style="{strip};line-height:24px">{unbroken(head.until)}</span>' if head.until else ""
        anchor = f'<a name="{head.anchor}"></a>' if head.anchor else ""  # more programs keep it than an id
        heading = f"{anchor}{above}{unbroken(head.headline)}</{rank}>"
        return (
            (_band(head) if head.is_first else "") + f'<tr><td align="left" bgcolor="{ground}" '
            f'style="{strip};padding:12px {SIDE}px 13px {SIDE}px">'
            f'<{rank} style="margin:0;{strip};font-size:20px;line-height:1.3">{heading}\n{until}</td></tr>\n'
        )

    def pairs(self, caption: str, rows: Iterable[Sequence[str]], mark: str = ":", headed: bool = False) -> str:  # noqa: ARG002 (text)
        """List labels and contents, and perhaps where a label leads to; labels without a mark are orders to copy."""
        style = f"{PAIRED};{MUTED if mark else 'font-family:Consolas,Courier,monospace'}"
        lines = "".join(
            f'<tr><th scope="row" align="left" valign="top" style="{style};{_wrapping(label, LONGEST_LABEL)}">'
            f"{_leading_to(esc(label), *page)}</th>{PAIR}{unbroken(content)}</td></tr>\n"
            for label, content, *page in rows
        )
        return (
            f'<table cellpadding="0" cellspacing="0" border="0" width="100%" style="{PAIRS}">\n'
            f'<caption style="text-align:left;padding:0 0 4px 0"><b>{esc(caption)}</b></caption>\n{lines}</table>\n'
        )

    def contents(self, rows: Iterable[tuple[str, str, str]]) -> str:
        """List what the mail holds: where it stands in it, its name, what it says."""
        points = "".join(
            f'<li style="margin:0 0 6px 0"><a href="#{anchor}" style="{LINK}"><b>{esc(name)}</b></a><br>\n'
            f"{unbroken(said)}</li>\n"
            for anchor, name, said in rows
        )
        return f'<ul style="{GAP};padding:0 0 0 20px">\n{points}</ul>\n'

    def faults(self, texts: Sequence[str]) -> str:
        """List what is wrong, framed."""
        box = f"background:#fbe9e6;color:{INK}"
        edge = COLOURS["red"]
        listed = (
            f"<b>{esc(texts[0])}</b>"
            if len(texts) == 1
            else f'<ol style="margin:0;padding:0 0 0 24px">\n{_points(texts)}</ol>'
        )
        return (
            f'<table {LAYOUT} width="100%" style="margin:0 0 16px 0"><tr>'
            f'<td width="6" bgcolor="{edge}" style="background:{edge};width:6px"></td>'
            f'<td bgcolor="#fbe9e6" style="{box};padding:10px 14px">{listed}</td></tr></table>\n'
        )

    def items(self, texts: Iterable[str]) -> str:
        """List sentences by number."""
        return f'<ol style="{GAP};padding:0 0 0 28px">\n{_points(texts)}</ol>\n'

    def points(self, texts: Iterable[str]) -> str:
        """List sentences, each a point of its own."""
        return f'<ul style="{GAP};padding:0 0 0 20px">\n{_points(texts)}</ul>\n'

    def games(self, rows: Iterable[tuple[str, str]], label: str) -> str:
        """List what is said of games, each with a link of this name to its page, where it has one."""
        points = "".join(
            f'<li style="margin:0 0 6px 0">{unbroken(said)}{"<br>" if page else ""}\n'
            f"{_leading_to(esc(label), page) if page else ''}</li>\n"
            for said, page in rows
        )
        return f'<ul style="{GAP};padding:0 0 0 20px">\n{points}</ul>\n'

    def block(self, lines: Iterable[str], title: str = "", tone: Tone = "petrol") -> str:
        """Show lines to copy, or to read exactly as they are, in a frame with a title."""
        ground, text = COLOURS[tone] if title else "#d9d2c3", "\n".join(map(esc, lines))
        style = f"background:{ground};color:#ffffff;padding:6px 12px;font-size:14px"
        bar = f'<tr><td bgcolor="{ground}" style="{style}"><b>{esc(title)}</b></td></tr>\n' if title else ""
        framed = f'<tr><td bgcolor="#ffffff" style="{BLOCK};border:{2 if title else 1}px solid {ground}">'
        pre = f'<pre style="{CODE}">{text}</pre></td></tr>'
        return f'<table {LAYOUT} width="100%" style="margin:0 0 14px 0">{bar}{framed}{pre}</table>\n'

    def quote(self, lines: Iterable[str]) -> str:
        """Show what somebody wrote, line by line, marked as in the text: whoever sends it back sends no command."""
        mark = f'<span style="{MUTED}">&gt;</span> '
        text = "<br>\n".join(f"{mark}{esc(line)}" if line.strip() else "" for line in lines)
        return f'<blockquote style="margin:0 0 12px 0;padding:0 0 0 12px">{text}</blockquote>\n'

    def link(self, url: str, text: str, tone: Tone = "petrol") -> str:
        """Offer a click: a button that Outlook draws as well, where the padding of a link counts nothing."""
        return f'<table {LAYOUT} style="margin:0 0 18px 0"><tr>{_button(url, text, tone)}</tr></table>\n'

    def buttons(self, choices: Iterable[tuple[str, str, Tone]]) -> str:
        """Offer several clicks beside each other; what a phone has no room for moves below."""
        beside = "".join(
            f'<table {LAYOUT} align="left" style="margin:0 0 14px 0"><tr>{_button(url, text, tone)}'
            f'<td width="10" style="width:10px"></td></tr></table>\n'
            for url, text, tone in choices
        )
        return f"<div>\n{beside}{END_OF_ROW}\n</div>\n"

    def web(self, label: str, url: str) -> str:
        """Name a page."""
        return f'<p style="{GAP}">{esc(label)}: <a href="{esc(url)}" style="{LINK}">{esc(url)}</a></p>\n'

    def grids(self, grids: Sequence[Grid]) -> str:
        """Draw boards, as many beside each other as there is room for."""
        return f"<div>\n{''.join(self._grid(grid, is_small=len(grids) > MANY) for grid in grids)}{END_OF_ROW}\n</div>\n"

    def section(self, section: Section) -> str:
        """Write a part of a view. A heading that belongs to nothing but a board or a table is heard with it, once."""
        say = self.speaker.say
        in_caption = (
            bool(section.title)
            and not section.lines
            and (not section.grids if section.table else len(section.grids) == 1 and not section.grids[0].seat)
        )
        title = self.h(say(section.title)) if section.title and not in_caption else ""
        lines = "".join(f'<p style="{GAP}">{esc(say(line))}</p>\n' for line in (*section.lines, *section.legend))
        notes = "".join(f'<p style="margin:0 0 6px 0;font-size:15px">{esc(say(note))}</p>\n' for note in section.notes)
        return f"{title}{lines}{self._grids_and_table(section, in_caption)}\n{notes}"

    def _grids_and_table(self, section: Section, in_caption: bool) -> str:
        label = phrase(self.speaker.language, "board.table")
        if section.table and len(section.grids) == 1:
            table = self._table(section.table, label, 'align="left" ')
            return f"<div>\n{self._grid(section.grids[0])}{table}\n{END_OF_ROW}\n</div>"
        if in_caption and section.title:
            title = self.speaker.say(section.title)
            # A caption breaks where its table ends, be that in the middle of a name.
            whole = ";white-space:nowrap" if len(title) <= LONGEST_UNBROKEN else ""
            label = f'<h2 style="{HEADING};padding:10px 0 6px 0{whole}">{esc(title)}</h2>'
            if section.grids:
                return f"<div>\n{self._grid(section.grids[0], heading=label)}{END_OF_ROW}\n</div>\n"
        table = self._table(section.table, label) if section.table else ""
        return (self.grids(section.grids) if section.grids else "") + table

    def _grid(self, grid: Grid, *, is_small: bool = False, heading: str = "") -> str:
        """Draw a board, below a heading where one belongs to it; of an empty rack only its sentence is left."""
        said = self.speaker.say(grid.said) if grid.said else ""
        if said and not any(grid.cells):
            return heading + self.p(esc(said))
        title, note = self._head(grid)
        return mail_table(
            Picture(
                look=grid.look, title=title, note=note, said=said,
                columns=grid.columns, rows=grid.rows, cells=grid.cells,
            ),
            is_small=is_small,
            heading=heading,
        )  # fmt: skip

    def _head(self, grid: Grid) -> tuple[str, str]:
        """Head a board with its player in one line, beside a short note.

        One with a taller head would catch the boards of the next row, as they float.
        """
        note = self.speaker.say(grid.note) if grid.note else ""
        if not grid.seat:
            return note or phrase(self.speaker.language, f"board.{grid.look}"), ""
        own = phrase(self.speaker.language, "board.own") if grid.seat == self.speaker.own else ""
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
        size, padding = (13, 2) if len(table.head) > MANY_COLUMNS else (14, 3)
        style = f"margin:0 0 12px 0;border-collapse:collapse;font-size:{size}px"
        return (
            f'<table cellpadding="{padding}" cellspacing="0" border="0" {align}style="{style}">\n'
            f"{CAPTION}{caption}</caption>\n"
            f"{head}{''.join(lines)}</table>\n"
        )

    def _cells(self, row: Sequence[Text | str | int], right: Sequence[bool]) -> str:
        """The first cell of a row that is no figure says whom or what the row is about."""
        about = next((at for at, item in enumerate(row) if not isinstance(item, int)), None)
        texts = [esc(self.speaker.say(item)) for item in row]
        return "".join(
            f'<th scope="row" align="left" style="{HAIR};font-weight:normal;{_wrapping(text)}">{text}</th>'
            if at == about
            else f'<td align="right" style="{HAIR}">{text}</td>'
            if right[at]
            else f'<td style="{HAIR}">{text}</td>'
            for at, text in enumerate(texts)
        )

    def _column_heads(self, table: Table, right: Sequence[bool]) -> str:
        return "".join(
            f'<th scope="col" align="{"right" if is_right else "left"}" bgcolor="{PAPER}" style="'
            f"border-bottom:2px solid #8f8778;"
            f'font-size:12px;font-weight:normal;{MUTED}">{esc(self.speaker.say(title))}</th>'
            for title, is_right in zip(table.head, right, strict=True)
        )


def esc(text: object) -> str:
    """Escape a text for HTML; what is escaped already stays as it is."""
    return text if type(text) is str and text.isalnum() else str(escape(text))


def _button(url: str, text: str, tone: Tone) -> str:
    """Write the cell of a button: Outlook colours and pads that, others the link."""
    ground = COLOURS[tone]
    cell = f"background:{ground};border-radius:6px;mso-padding-alt:13px 16px 13px 16px"
    style = f"display:inline-block;padding:13px 16px;background:{ground};color:#ffffff;{BUTTON}"
    link = f'<a href="{esc(url)}" style="{style}"><b>{esc(text)}</b></a>'
    return f'<td align="center" bgcolor="{ground}" style="{cell}">{link}</td>'


def _leading_to(html: str, page: str = "") -> str:
    return f'<a href="{esc(page)}" style="{LINK}">{html}</a>' if page else html


def _wrapping(text: str, most: int = LONGEST_NAME) -> str:
    return "white-space:nowrap" if len(text) <= most else "word-break:break-word"


def unbroken(text: str) -> str:
    """Escape a text, and keep its dates and times on one line."""
    written = esc(text)
    # The search takes its time, and every date has a year.
    return DATE.sub(lambda gap: gap[0].replace(" ", "&nbsp;"), written) if "20" in written else written


def _band(head: Head) -> str:
    """Name game, zine and game master; names break behind commas only, unless they are very long."""
    title = f'<b style="{BAND};font-size:18px;line-height:26px">{esc(head.title)}</b><br>\n' if head.title else ""
    parts = ", ".join(filter(None, (head.sender, head.note))).split(", ")
    names = ", ".join(
        esc(part).replace(" ", "&nbsp;") if len(part) <= LONGEST_UNBROKEN else esc(part) for part in parts
    )
    return (
        f'<tr><td align="left" bgcolor="#123f4e" style="{BAND};padding:12px {SIDE}px 11px {SIDE}px;font-size:14px;'
        f'line-height:20px">{title}{names}</td></tr>\n'
    )


def _above(head: Head, strip: str) -> str:
    """Write above a later answer what it answers, or which game it is about."""
    about = ", ".join(filter(None, (head.answered or head.title, head.note)))
    return f'<span style="{strip};font-size:14px;font-weight:normal">{unbroken(about)}</span><br>\n'


def _points(texts: Iterable[str]) -> str:
    return "".join(f'<li style="margin:0 0 6px 0">{esc(text)}</li>\n' for text in texts)
