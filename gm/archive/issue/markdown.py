"""The GM's own words in Markdown: headings, lists, quotations, tables, emphasis and links; no HTML and no pictures.

What is written there is set as it stands, but for addresses: those are left out, as on all pages. Of a picture its
words stay. What can't be as it was meant is found with its line, and keeps nothing from being built.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from markupsafe import Markup, escape

from games.api import Language
from gm.game.people.shown_names import masked
from gm.runtime.harmful_characters import HARMFUL, visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

RULES: Final = (
    "heading", "lheading", "list", "blockquote", "hr", "table", "emphasis", "strikethrough", "link", "image", "newline",
    "escape", "entity",
)  # fmt: skip
_TITLE: Final = re.compile(r"\A\s*# +(.+?)[ #]*(?:\n|\Z)")


@dataclass(frozen=True, kw_only=True)
class Article:
    """A file of the GM's: the heading that it begins with, and the rest."""

    title: str
    source: str
    path: str = ""
    written: str = ""
    """All of it, as it was written."""

    @property
    def lines(self) -> Sequence[tuple[str, str]]:
        """Its lines as they were written, each with its place."""
        return [(self._place(number), line) for number, line in enumerate(self.written.split("\n"), 1)]

    def faults(self, anchors: Collection[str]) -> Iterator[str]:
        """Say what can't be printed as it was meant, and in which line; `anchors` is what a link may lead to."""
        for place, line in self.lines:
            if found := dict.fromkeys(HARMFUL.findall(line)):
                named = ", ".join(f"U+{ord(one):04X} {unicodedata.name(one, '')}".strip() for one in found)
                yield f"{place}: {named} can't be printed; � stands there."
            if re.search(r"<img\b", line, re.IGNORECASE):
                yield f"{place}: an issue has no pictures and no HTML; it stands there as it was written."
        first = self.written.count("\n") - self.source.count("\n") + 1
        for line_number, link, words in _links(self.source):
            place = self._place(first + line_number)
            if words is not None:
                yield f"{place}: an issue has no pictures; of {link} there are its words: “{words}”."
            elif link.startswith("#") and unquote(link[1:]) not in anchors:
                yield f"{place}: {link} leads to nothing in the issue; the words stand there without a link."

    def _place(self, number: int) -> str:
        return f"{self.path}, line {number}"

    def html(self, language: Language) -> Markup:
        """Set it as HTML; its headings go below that of its section."""
        drawn = _library().render(masked(self.source, language))
        return Markup(re.sub(r"<(/?)h([1-6])>", lambda tag: f"<{tag[1]}h{min(int(tag[2]) + 2, 6)}>", drawn))

    def text(self, language: Language) -> str:
        """Give it as text: Markdown is meant to be read as it is."""
        return masked(self.source, language).strip()


def read_article(name: str, written: str, path: str = "") -> Article:
    """Read a file; without a first heading it is called like the file."""
    written = written.replace("\r\n", "\n").replace("\r", "\n")
    source = visible(written)
    found = _TITLE.match(source)
    title = found[1] if found else name.removesuffix(".md").replace("_", " ").replace("-", " ").capitalize()
    return Article(title=title, source=source[found.end() :] if found else source, path=path or name, written=written)


def _links(source: str) -> Iterator[tuple[int, str, str | None]]:
    """Give the links and pictures of a text: the line, counted from 0, where it leads, and a picture's words."""
    line = 0
    for token in _library().parse(source):
        line = token.map[0] if token.map else line
        for at in token.children or ():
            if at.type in ("softbreak", "hardbreak"):
                line += 1
            elif at.type == "link_open":
                yield line, str(at.attrGet("href")), None
            elif at.type == "image":
                yield line, str(at.attrGet("src")), at.content


@cache
def _library() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    library = MarkdownIt("zero", {"html": False}).enable(list(RULES))
    library.add_render_rule("image", _words_of_picture)
    return library


def _words_of_picture(_renderer: Any, tokens: Sequence[Any], at: int, *_: Any) -> str:
    return str(escape(tokens[at].content))
