"""The GM's own words in Markdown: headings, lists, quotations, tables, emphasis and links; no HTML and no pictures.

What is written there is set as it stands, but for addresses: those are left out, as on all pages.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from games.api import Language
from gm.players.shown_names import masked
from gm.runtime.harmful_characters import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

RULES: Final = (
    "heading", "lheading", "list", "blockquote", "hr", "table", "emphasis", "strikethrough", "link", "newline",
    "escape", "entity",
)  # fmt: skip
_TITLE: Final = re.compile(r"\A\s*# +(.+?)[ #]*(?:\n|\Z)")


@dataclass(frozen=True, kw_only=True)
class Article:
    """A file of the GM's: the heading that it begins with, and the rest."""

    title: str
    source: str

    def html(self, language: Language) -> Markup:
        """Set it as HTML; its headings go below that of its section."""
        drawn = _library().render(masked(self.source, language))
        return Markup(re.sub(r"<(/?)h([1-6])>", lambda tag: f"<{tag[1]}h{min(int(tag[2]) + 2, 6)}>", drawn))

    def text(self, language: Language) -> str:
        """Give it as text: Markdown is meant to be read as it is."""
        return masked(self.source, language).strip()


def read_article(name: str, source: str) -> Article:
    """Read a file; without a first heading it is called like the file."""
    source = visible(source.replace("\r\n", "\n").replace("\r", "\n"))
    found = _TITLE.match(source)
    title = found[1] if found else name.removesuffix(".md").replace("_", " ").replace("-", " ").capitalize()
    return Article(title=title, source=source[found.end() :] if found else source)


@cache
def _library() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"html": False}).enable(list(RULES))
