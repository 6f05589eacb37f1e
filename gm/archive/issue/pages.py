"""An issue as HTML: the same templates and stylesheet for paper and for `issue.html`, which is one file."""

import html
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from functools import cache, partial
from importlib import resources
from typing import Final
from urllib.parse import unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gm.archive.issue.content import Edition
from gm.archive.issue.order import NOTES
from gm.archive.issue.phrases import phrase
from gm.archive.layout import minus, unbroken, when
from gm.archive.layout import phrase as archived
from gm.archive.list_data.cards import main_board
from gm.archive.list_pages.all_time_tables import ENOUGH
from gm.drawing.printed import printed
from gm.messages.rendering.dates import write_day
from gm.runtime.harmful_characters import visible

FONTS: Final = (
    ("Zine", "Zine-Regular", 400, "normal"), ("Zine", "Zine-Italic", 400, "italic"),
    ("Zine", "Zine-Bold", 700, "normal"), ("Zine", "Zine-BoldItalic", 700, "italic"),
    ("Zine Sans", "ZineSans-Regular", 400, "normal"),
    ("Zine Sans", "ZineSans-Italic", 400, "italic"), ("Zine Sans", "ZineSans-Bold", 700, "normal"),
)  # fmt: skip
"""Family, file, weight and style."""
MOST_IN_CONTENTS: Final = 12
"""Lines of the contents on the cover: longer ones stand in two columns."""
COVER_ROOM: Final = 121.0
"""Millimetres of the cover below the name of the zine."""
COVER_LINE: Final = 4.6
LOWEST, HIGHEST = 28.0, 62.0
"""Millimetres of the board on the cover."""
WRAPPED: Final = 55
"""Letters of a line that a mail program has broken; shorter ones were meant to end there, as in a poem."""


@dataclass(frozen=True, kw_only=True)
class Fill:
    """What an issue is set with, beside what it says."""

    filler: Sequence[str] = ()
    """Waiting pages that fill the last sheet."""
    lines: int = 0
    """Lines to write on that fill the rest."""
    tight: Collection[str] = ()
    """The games with smaller boards, by the ids of their sections."""


def for_screen(issue: Edition) -> bytes:
    """Make `issue.html`: fonts and style are in it, nothing is fetched."""
    style = _faces(lambda name: f"data:font/woff2;base64,{b64encode(font(name)).decode()}") + _style("screen.css")
    return _page(issue, style, Fill()).encode()


def for_paper(issue: Edition, fill: Fill) -> str:
    """Make what the pages are set from, with fonts called `font:NAME`."""
    return _page(issue, _faces(lambda name: f"font:{name}"), fill)


def font(name: str) -> bytes:
    """Read a font of the issue."""
    return resources.files("templates.zine").joinpath(f"fonts/{name}.woff2").read_bytes()


def _faces(address: Callable[[str], str]) -> str:
    return "".join(
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};src:url({address(name)})}}\n'
        for family, name, weight, style in FONTS
    )


def _style(name: str) -> str:
    return resources.files("templates.zine").joinpath(name).read_text(encoding="utf-8")


def _page(issue: Edition, style: str, fill: Fill) -> str:
    filler = [*fill.filler, *([NOTES] if fill.lines else [])]
    text = _environment().get_template("issue.html").render(
        issue=issue, style=Markup(_style("issue.css") + style), sections=_in_order(issue, filler), lines=fill.lines,
        tight=fill.tight, most_in_contents=MOST_IN_CONTENTS, cover_board=_cover_board(issue),
        cover_is_long=_cover_room(issue) < 0,
        date=write_day(issue.window.date, issue.language), created=_midnight(issue),
        say=partial(phrase, issue.language), say_in=phrase, archived=archived, until=write_until(issue), enough=ENOUGH,
    )  # fmt: skip
    return _without_dead_links(visible(text))


def _cover_room(issue: Edition) -> float:
    """Estimate how many millimetres of the cover are left for a board. Below zero it goes on on another page."""
    entries = len(issue.games) + len(issue.sections) - 2
    lines = [-(-entries // 2) if entries > MOST_IN_CONTENTS else entries]
    lines += [_lines(what, 58) for _, what in issue.dates]
    lines += [_lines(f"{one.headline} {one.title}", 66) for one in issue.headlines[1:]]
    lines += [2 * _lines(one.headline, 34) for one in issue.headlines[:1]]
    return COVER_ROOM - COVER_LINE * sum(lines)


def _lines(text: str, letters: int) -> int:
    """Estimate how many lines a text takes."""
    return -(-len(text) // letters)


def _cover_board(issue: Edition) -> Markup:
    """Draw the board of the first headline; empty where there is none, or no room."""
    lead, room = next(iter(issue.headlines), None), _cover_room(issue)
    board = main_board(lead.record, lead.last) if lead else None
    if lead is None or board is None or room < LOWEST:
        return Markup("")
    return printed(replace(board, name=board.name or lead.record.game), min(room, HIGHEST)).markup


def anchors(page: str) -> frozenset[str]:
    """List what links of a page may lead to."""
    return frozenset(html.unescape(found) for found in re.findall(r' id="([^"]*)"', page))


def _without_dead_links(page: str) -> str:
    """Leave of a link to what isn't there its words."""
    known = anchors(page)

    def kept(link: re.Match[str]) -> str:
        return link[0] if unquote(html.unescape(link["to"])) in known else link["words"]

    return re.sub(r'<a href="#(?P<to>[^"]*)"[^>]*>(?P<words>.*?)</a>', kept, page, flags=re.DOTALL)


def write_until(issue: Edition) -> str:
    """Write up to when an issue tells."""
    return when(issue.zone, issue.language, issue.window.until, "short")


def _midnight(issue: Edition) -> str:
    return datetime.combine(issue.window.date, time(), UTC).isoformat()


def _in_order(issue: Edition, filler: Sequence[str]) -> list[tuple[str, bool]]:
    """List the sections, and whether each is filler: that stands before the imprint, if the imprint is the last one."""
    sections = [(name, False) for name in issue.sections]
    at = len(sections) - 1 if sections and sections[-1][0] == "imprint" else len(sections)
    return [*sections[:at], *((name, True) for name in filler), *sections[at:]]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("templates", "zine"), autoescape=True, undefined=StrictUndefined, auto_reload=False,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"minus": minus, "unbroken": unbroken, "paragraphs": paragraphs, "whole": _with_whole_names}
    return environment


def paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """Make paragraphs of what somebody wrote: lines that a mail program has broken are joined again."""
    found: list[list[str]] = [[]]
    goes_on = False
    for line in (line.rstrip() for line in lines):
        if not line.strip():
            found += [[]] if found[-1] else []
            goes_on = False
            continue
        if goes_on:
            found[-1][-1] += f" {line.lstrip()}"
        else:
            found[-1].append(line)
        goes_on = len(line) >= WRAPPED
    return [one for one in found if one]


def _with_whole_names(text: str, names: Sequence[str]) -> str:
    """Keep lines from being broken within a player's name."""
    for name in names:
        text = text.replace(name, unbroken(name))
    return text
