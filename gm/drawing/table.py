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
_SEATS: Final = 3
"""Seats of a score card that a phone has room for."""
_HEAD: Final = ' bgcolor="#123f4e" style="background:#123f4e;color:#ffffff;white-space:nowrap"'
_SUM: Final = f' bgcolor="{mail.TILE}" style="background:{mail.TILE};color:{mail.INK};font-weight:bold"'
ROOM: Final = 18
"""Letters above a small board; a longer note stands in a line of its own."""


def mail_table(picture: Picture, *, is_small: bool = False, heading: str = "") -> str:
    """Draw a board as a table; one of many boards is small. A heading, as HTML, stands in place of its name."""
    rows = shape_of(picture).mail_rows(picture, is_small=is_small)
    look = look_of(picture)
    spacing = 0 if look == "letters" and len(picture.columns) > _NARROW else _SPACING.get(look, 3)
    return _table(_caption(picture, heading), rows, f'cellspacing="{spacing}" align="left"', "margin:0 6px 12px 0")


def mail_card(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Write score cards: each row, a seat, becomes a column; three of them stand beside each other.

    The last row of a card is the sum. The caption is HTML, as it may hold a heading.
    """
    parts = (rows[at : at + _SEATS] for at in range(0, len(rows), _SEATS))
    return "".join(_card(head, part, "" if at else caption) for at, part in enumerate(parts))


def _card(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    names = [row[0] for row in rows]
    titles = "".join(f'<th scope="col"{_HEAD}>{escape(name)}</th>' for name in (head[0], *names))
    lines = "".join(
        _card_line(box, [row[at].strip() for row in rows], is_sum=at == len(head) - 1)
        for at, box in enumerate(head)
        if at
    )
    style = f"margin:0 0 12px 0;border:2px solid {mail.INK};border-collapse:collapse;font-size:14px"
    heard = caption or escape(", ".join(names))
    return _table(heard, f'<tr align="right">{titles}</tr>\n{lines}', 'cellspacing="0"', style, padding=4)


def _card_line(box: str, figures: Sequence[str], *, is_sum: bool) -> str:
    cells = "".join(f"<td>{escape(figure)}</td>" for figure in figures)
    return f'<tr align="right"{_SUM if is_sum else ""}><th scope="row" align="left">{escape(box)}</th>{cells}</tr>\n'


def _table(caption: str, rows: str, attributes: str, style: str, padding: int = 0) -> str:
    style = f"background:{mail.PAPER};color:{mail.INK};{FONT};{style}"
    space = f'cellpadding="{padding}" border="{1 if padding else 0}"'
    return (
        f'<table {space} {attributes} bgcolor="{mail.PAPER}" style="{style}">\n'
        f'<caption style="padding:0 0 2px 0;text-align:left;font-size:13px;line-height:20px">{caption}</caption>\n'
        f"{rows}</table>\n"
    )


def _caption(picture: Picture, heading: str) -> str:
    """Write what it is; of a rack, the sentence in place of its name."""
    if picture.said:
        return heading + str(escape(picture.said))
    if heading:
        return heading + str(escape(picture.note))
    gap = " " if len(picture.title) + len(picture.note) < ROOM else "<br>\n"
    return f"<b>{escape(picture.title)}</b>" + (f"{gap}{escape(picture.note)}" if picture.note else "")
