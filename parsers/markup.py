"""HTML -> text as its reader saw it: lines broken where they were, quotations marked by `>` at the head of each line.

Sources: shared/spec/mail.md 2 and 4.4. What is hidden (`display:none`) isn't read; remote parts are never loaded.
"""

import re
from typing import Any, Final, TypeAlias

from inscriptis import Inscriptis
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.model.config import ParserConfig
from lxml import html
from lxml.etree import LxmlError

Element: TypeAlias = Any
"""An element of lxml, which comes without types."""

MAX_DEPTH: Final = 150
"""Deeper than any mail program nests; inscriptis calls itself for each level."""

# GMX, WEB.DE and Yahoo quote without a blockquote.
QUOTE_DIVS: Final = "//div[@name='quote' or contains(concat(' ', normalize-space(@class), ' '), ' yahoo_quoted ')]"
# An indented paragraph of one's own is a blockquote as well: programs give it no border.
INDENTED = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
# Outlook's paragraphs stand close together; its empty ones are the blank lines.
CLOSE = re.compile(r"margin(?:-bottom|-top)?\s*:\s*0", re.IGNORECASE)
XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>", re.IGNORECASE)
CONFIG: Final = ParserConfig(css=CSS_PROFILES["strict"])


def html_text(source: str) -> str:
    """Give the text of a page, quotations as lines that begin with `>`; empty where it can't be made out."""
    try:
        tree = html.document_fromstring(XML_DECLARATION.sub("", source, count=1))
        if _depth(tree) > MAX_DEPTH:
            return ""
        _close_up_paragraphs(tree)
        _plain_lists(tree)
        _dot_empty_cells(tree)
        _mark_quotations(tree)
        return _text(tree)
    except (LxmlError, ValueError, RecursionError):
        return ""


def _close_up_paragraphs(tree: Element) -> None:
    for paragraph in [*tree.iter("p")]:
        if "MsoNormal" in paragraph.get("class", "") or CLOSE.search(paragraph.get("style", "")):
            paragraph.tag = "div"
            if not paragraph.text_content().strip():
                paragraph.append(html.Element("br"))


def _plain_lists(tree: Element) -> None:
    """Numbers and bullets are no part of a row."""
    for item in [*tree.iter("ol", "ul", "li")]:
        item.tag = "div"


def _dot_empty_cells(tree: Element) -> None:
    """Show an empty cell of a board as a dot: somebody copied our grid and wrote into it."""
    for table in tree.iter("table"):
        rows = [row for row in table.iter("tr") if row.find("td") is not None and row.find("th[@scope='col']") is None]
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


def _depth(tree: Element) -> int:
    depth, level = 0, [tree]
    while level and depth <= MAX_DEPTH:
        depth, level = depth + 1, [child for element in level for child in element]
    return depth
