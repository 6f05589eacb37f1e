"""HTML -> text as its reader saw it: the same line breaks, and `>` in front of quoted lines.

Sources: shared/spec/mail.md 2 and 4.4. Hidden text (`display:none`) isn't read; remote parts are never loaded.
"""

import re
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from inscriptis import Inscriptis
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from inscriptis.model.tag.table_tag import table_end_handler
from lxml import html
from lxml.etree import LxmlError

from parsers.mime.message import MAX_LINES

Element: TypeAlias = Any
"""An element of lxml, which comes without types."""

MAX_DEPTH: Final = 150
"""Deeper than any mail program nests; inscriptis calls itself for each level."""
MAX_ELEMENTS: Final = 12_000
"""inscriptis takes up to 40 microseconds for each."""
MAX_AREA: Final = 3_000_000
"""Characters of a table as it is drawn: each row is as wide as the widest, however little stands in it."""

# GMX, WEB.DE and Yahoo quote without a blockquote.
QUOTE_DIVS: Final = "//div[@name='quote' or contains(concat(' ', normalize-space(@class), ' '), ' yahoo_quoted ')]"
# An indented paragraph of one's own is a blockquote as well: programs give it no border.
INDENTED = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
# Outlook's paragraphs stand close together; its empty ones are the blank lines.
CLOSE = re.compile(r"margin(?:-bottom|-top)?\s*:\s*0", re.IGNORECASE)
# A page may end more than once: list servers append theirs.
NOISE = re.compile(r"^\s*<\?xml[^>]*>|</(?:body|html)\s*>", re.IGNORECASE)
# What tells the text; lengths (`padding-left: 99999em`) would only fill the memory with blanks.
STYLES = re.compile(r"(?:^|;)\s*((?:display|white-space|border(?:-left)?)\s*:\s*[\w-]{1,20})", re.IGNORECASE)


def html_text(source: str) -> str:
    """Return the text of a page, quotations as lines that begin with `>`; empty where it can't be made out."""
    try:
        tree = html.document_fromstring(NOISE.sub("", source))
        if _is_too_much(tree):
            return ""
        _close_up_paragraphs(tree)
        _plain_lists(tree)
        _dot_empty_cells(tree)
        _plain_styles(tree)
        _mark_quotations(tree)
        return "\n".join(_text(tree).split("\n", MAX_LINES)[:MAX_LINES])
    except (LxmlError, ValueError, RecursionError):
        return ""


def _close_up_paragraphs(tree: Element) -> None:
    for paragraph in [*tree.iter("p")]:
        if "MsoNormal" in paragraph.get("class", "") or CLOSE.search(paragraph.get("style", "")):
            paragraph.tag = "div"
    for line in tree.iter("div", "p"):
        # What looks like a blank line is one.
        if "\xa0" in (text := line.text_content()) and not text.strip():
            line.append(html.Element("br"))


def _plain_lists(tree: Element) -> None:
    """Numbers and bullets are no part of a row."""
    for item in [*tree.iter("ol", "ul", "li")]:
        item.tag = "div"


def _dot_empty_cells(tree: Element) -> None:
    """Show an empty cell of a board as a dot: somebody copied our grid and wrote into it."""
    for table in tree.iter("table"):
        groups = (table, *table.iterchildren("thead", "tbody", "tfoot"))
        own = (row for group in groups for row in group.iterchildren("tr"))
        rows = [row for row in own if row.find("td") is not None and row.find("th[@scope='col']") is None]
        cells = [cell for row in rows for cell in row.findall("td")]
        texts = [cell.text_content().strip() for cell in cells]
        if len(rows) > 2 and any(texts) and all(len(text) <= 1 for text in texts):
            for cell, text in zip(cells, texts, strict=True):
                if not text:
                    cell.text = "."


def _mark_quotations(tree: Element) -> None:
    marked: set[Element] = set()
    for quotation in [*tree.iter("blockquote"), *tree.xpath(QUOTE_DIVS)]:
        is_inside = any(above in marked for above in quotation.iterancestors())
        if is_inside or INDENTED.search(quotation.get("style", "")):
            continue
        marked.add(quotation)
        tail, quotation.tail = quotation.tail, None
        lines = _text(quotation).split("\n")
        instead = html.Element("pre")
        instead.text = "\n".join(f"> {line}".rstrip() for line in lines)
        instead.tail = tail
        quotation.getparent().replace(quotation, instead)


def _text(tree: Element) -> str:
    return str(Inscriptis(tree, CONFIG).get_text())


def _plain_styles(tree: Element) -> None:
    for element in tree.xpath("//*[@style]"):
        element.set("style", ";".join(STYLES.findall(element.get("style"))))


def _is_too_much(tree: Element) -> bool:
    depth, elements, level = 0, 0, [tree]
    while level and depth <= MAX_DEPTH:
        depth, elements = depth + 1, elements + len(level)
        level = [child for element in level for child in element]
    return depth > MAX_DEPTH or elements > MAX_ELEMENTS


def _end_table(state: Element) -> None:
    """Draw a table. Raises ValueError for one that would be far larger than what stands in it."""
    rows = [row.columns for table in state.current_table[-1:] for row in table.rows]
    heights = sum(max((cell.normalize_blocks() for cell in row), default=0) + 1 for row in rows)
    columns = zip_longest(*rows)
    widths = sum(max(max(map(len, cell.blocks)) for cell in column if cell) + 2 for column in columns)
    if heights * widths > MAX_AREA:
        raise ValueError("The table is too large to be drawn.")
    table_end_handler(state)


def _without_indents() -> dict[str, HtmlElement]:
    """Take inscriptis' styles without their indents: in deep quotations they were longer than the lines."""
    css = {tag: element.__copy__() for tag, element in CSS_PROFILES["strict"].items()}
    for element in css.values():
        element.padding_inline = 0
    return css


CONFIG: Final = ParserConfig(
    css=_without_indents(),
    custom_html_tag_handler_mapping=CustomHtmlTagHandlerMapping(
        start_tag_mapping={}, end_tag_mapping={"table": _end_table}
    ),
)
