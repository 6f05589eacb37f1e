"""Rendering pages: templates, phrases, and links that are relative to the page they stand on."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from importlib import resources
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.environment import TemplateModule
from markupsafe import Markup

from games.api import Language
from gm.game.people.shown_names import masked, written
from gm.messages.game_mails import mailto
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.wording import listed
from gm.runtime.catalogues import wording
from gm.runtime.config.settings import Settings
from gm.runtime.harmful_characters import visible

PHRASES: Final = wording("archive")
PLACES: Final = (
    ("START", "index.html", ""), ("GAMES", "partien/index.html", "partien/"),
    ("PEOPLE", "personen/index.html", "personen/"), ("TABLE", "ewige-tabelle/index.html", "ewige-tabelle/"),
    ("WORDS", "woerter/index.html", ("woerter/", "gestrichen/")),
    ("RULES", "spiele/index.html", "spiele/"), ("DATES", "termine/index.html", "termine/"),
)  # fmt: skip
"""Where the head of each page leads: phrase, page, and what is found below it."""

STYLES: Final = ("base", "components", "boards", "game", "lists", "reference", "print")
"""The parts of the stylesheet, in order."""

WIDTH_STEP: Final = 30
WIDTHS: Final = 100
"""Units between two widths of boards, the classes `w1`, `w2`, ..., and how many there are."""
PLACES_ACROSS: Final = 20
"""Into so many parts a board is divided where a class says what lies where: `p0` is at the left."""


# A figure that stands alone, or in a sentence; `d4 -3,1` is a place, which players write as it is.
_MINUS: Final = re.compile(r"^-(?=\d+(?:[.,]\d+)?$)|(?<= )-(?=\d+(?![\d,]))")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("templates", "archive"), autoescape=True, undefined=StrictUndefined, auto_reload=False,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["minus"] = minus
    environment.filters["unbroken"] = unbroken
    environment.filters["instant"] = lambda at: at.isoformat(timespec="seconds").replace("+00:00", "Z")
    environment.globals |= {"places": PLACES, "mailto": mailto}
    return environment


def render(settings: Settings, path: str, template: str, context: Mapping[str, Any], language: Language) -> str:
    """Render the page at `path`."""
    name = gm_name(settings)
    page = _environment().get_template(template).render(
        {"root": "../" * path.count("/"), **context}, language=language, say=partial(phrase, language),
        when=partial(when, settings.service.timezone, language),
        service=masked(settings.service.name, language), path=path,
        gm=unbroken(name) if path.endswith(".html") else name, address=address(settings),
    )  # fmt: skip
    return visible(page)


def piece(name: str, *values: object) -> Markup:
    """Write a piece of a page by its macro in `pieces.html`."""
    written: Markup = getattr(_pieces(), name)(*values)
    return written


@cache
def _pieces() -> TemplateModule:
    return _environment().get_template("pieces.html").module


def when(zone: ZoneInfo, language: Language, instant: datetime | None, pattern: str = "long") -> str:
    """Write an instant for readers; "" for None."""
    return write_date(instant, zone, language, pattern) if instant else ""


def gm_name(settings: Settings) -> str:
    """Name the GM."""
    return written(settings.service.gm.name, "full") or "GM"


def address(settings: Settings) -> str:
    """Give the address to join at, where the GM wants it shown; "" where not."""
    return settings.service.address if settings.archive.address else ""


def phrase(language: Language, code: str, **values: object) -> str:
    """Give a phrase of the pages; there may be another one for a `count` of 1. A tuple of names is listed."""
    if values.get("count") == 1 and f"{code}_ONE" in PHRASES:
        code = f"{code}_ONE"
    shown = {name: _written(value, language) for name, value in values.items()}
    return PHRASES[code][language].format_map(shown)


def _written(value: object, language: Language) -> object:
    if isinstance(value, tuple):
        return listed(value, language)
    return minus(value) if isinstance(value, int) else value


def unbroken(text: str) -> str:
    """Make a name or a date that isn't broken into lines."""
    return text.replace(" ", "\u00a0")


def minus(value: object) -> str:
    """Write figures below zero with a minus instead of a hyphen; everything else as it is."""
    text = str(value)
    return _MINUS.sub("−", text) if "-" in text else text


def stylesheet() -> bytes:
    """Read the stylesheet that all pages share, from its parts; what stands on paper comes last."""
    return b"\n".join([_measures().encode(), *(static_file(f"css/{part}.css") for part in STYLES)])


def _measures() -> str:
    """Write what the classes of widths and places mean, as a page has no styles at its elements."""
    widths = (f".w{number}{{--units:{number * WIDTH_STEP}}}" for number in range(1, WIDTHS + 1))
    places = (f".p{number}{{--place:{number / PLACES_ACROSS:g}}}" for number in range(PLACES_ACROSS + 1))
    return "".join([*widths, *places])


def static_file(name: str) -> bytes:
    """Read a file that all pages share, like the icon."""
    return resources.files("templates.archive").joinpath(name).read_bytes()


# -- feeds -------------------------------------------------------------------------------------------------------------


def authority(settings: Settings) -> str:
    """Give the domain of identifiers: the host of the archive, or of the GM's address."""
    return (urlsplit(settings.archive.base_url).hostname or settings.service.address.rpartition("@")[2]).lower()


def tag(settings: Settings, year: int, path: str) -> str:
    """Give the permanent identifier of a feed or an entry: `tag:example.org,2026:partien/eriwan`."""
    return f"tag:{authority(settings)},{year}:{path}"
