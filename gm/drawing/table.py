"""Boards and score cards as tables for mails: all styles inline, no images, and read without colour as well.

Every table has a caption, for those who hear the mail. Tables stand to the left, so that small boards share a row.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import escape

from gm.drawing.boards import mail
from gm.drawing.boards.looks import look_of, shape_of
from gm.drawing.picture import Picture

FONT: Final = "font-family:Verdana,Geneva,'DejaVu Sans',sans-serif"
_SPACING: Final = {"letters": 1, "dominoes": 0, "hand": 0}
"""Pixels between cells; other looks have more."""
_NARROW: Final = 12
"""Boards with more columns than these have no space between cells."""


def mail_table(picture: Picture) -> str:
    """Draw a board as a table."""
    rows = shape_of(picture).mail_rows(picture)
    spacing = 0 if len(picture.columns) > _NARROW else _SPACING.get(look_of(picture), 3)
    return _table(_caption(picture), rows, f'cellspacing="{spacing}" align="left"', "margin:0 10px 12px 0")


def mail_card(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Write a score card: each row, a seat, becomes a column. The last row of the card is the sum."""
    (corner, *boxes), names = head, [row[0] for row in rows]
    titles = "".join(_card_head(name) for name in (corner, *names))
    lines = "".join(
        _card_line(box, [row[at].strip() for row in rows], is_sum=at == len(boxes)) for at, box in enumerate(boxes, 1)
    )
    style = f"margin:0 0 12px 0;border:2px solid {mail.INK};border-collapse:collapse"
    return _table(f"<b>{escape(caption)}</b>", f"<tr>{titles}</tr>\n{lines}", 'cellspacing="0"', style)


def _table(caption: str, rows: str, attributes: str, style: str) -> str:
    ground = f"background:{mail.PAPER};color:{mail.INK};{FONT}"
    return (
        f'<table cellpadding="0" border="0" {attributes} bgcolor="{mail.PAPER}" style="{ground};{style}">\n'
        f'<caption style="padding:0 0 2px 0;text-align:left;font-size:14px;line-height:20px">{caption}</caption>\n'
        f"{rows}</table>\n"
    )


def _caption(picture: Picture) -> str:
    """Write what it is; of a rack, the sentence in place of its name."""
    if picture.said:
        return str(escape(picture.said))
    return f"<b>{escape(picture.title)}</b> {escape(picture.note)}".strip()


def _card_head(name: str) -> str:
    align = ' align="right"' if name else ""
    style = "padding:5px 8px;background:#123f4e;color:#ffffff;font-size:13px"
    return f'<th scope="col"{align} bgcolor="#123f4e" style="{style}">{escape(name)}</th>'


def _card_line(box: str, figures: Sequence[str], *, is_sum: bool) -> str:
    ground = mail.TILE if is_sum else mail.PAPER
    edge = f"padding:4px 8px;border:1px solid {mail.LINE};font-size:14px"
    weight = "bold" if is_sum else "normal"
    start = (
        f'<th scope="row" align="left" bgcolor="{ground}" '
        f'style="{edge};background:{ground};color:{mail.INK};font-weight:{weight}">{escape(box)}</th>'
    )
    cells = (
        mail.cell(str(escape(figure)), ground, mail.INK, f";{edge};font-weight:{weight}", ' align="right"')
        for figure in figures
    )
    return f"<tr>{start}{''.join(cells)}</tr>\n"
