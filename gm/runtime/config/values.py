"""The values of config.toml: their types, and a reader for each that turns TOML's value into ours.

A reader is given the value and the config file's folder. It raises `Wrong` with what is allowed.
"""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from gm.runtime.errors import Refused
from gm.runtime.redaction import HiddenUrl, Secret

FARTHEST: Final = dt.timedelta(days=36_500)
"""No ZAT lies further ahead, nothing lasts longer: so what is reckoned from there stays in the calendar."""
LONGEST_ROUND: Final = dt.timedelta(days=3650)
"""A game has many of them, and the players are told when each will end."""


@dataclass(frozen=True)
class Span:
    """A span as people write it: `90m` and `12h` are exact, `3d` counts calendar days (gm.game.deadlines)."""

    amount: int
    unit: Literal["m", "h", "d"]

    @classmethod
    def parse(cls, text: str) -> "Span":
        """Read `90m`, `12h` or `3d`. Raises Refused."""
        match = re.fullmatch(r"([0-9]{1,9})([mhd])", text.strip())
        if not match:
            raise Refused(f"'{text}' is no span of time; write 90m, 12h or 3d.")
        return cls(int(match[1]), match[2])  # type: ignore[arg-type]

    @property
    def exact(self) -> dt.timedelta | None:
        """The length of a span in minutes or hours; None for whole days, whose length the calendar knows."""
        return None if self.unit == "d" else self.length

    @property
    def days(self) -> int:
        """How many calendar days; 0 for an exact span."""
        return self.amount if self.unit == "d" else 0

    @property
    def length(self) -> dt.timedelta:
        """The length with days of 24 hours, where summer time doesn't matter (reminders, limits)."""
        return dt.timedelta(minutes=self.amount * {"m": 1, "h": 60, "d": 1440}[self.unit])

    def __str__(self) -> str:
        return f"{self.amount}{self.unit}"


@dataclass(frozen=True)
class Contact:
    """Somebody with an address: `Cici Beilken <cici@example.org>`; the name may be empty."""

    name: str
    address: str

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


class Wrong(Exception):  # noqa: N818 (it holds no sentence, only what is allowed)
    """What would be allowed."""


Reader: TypeAlias = Callable[[Any, Path], Any]

_ADDRESS = r"[^\s@<>,;\"]+@[^\s@<>,;\"]+"


def line(value: Any, _folder: Path) -> str:
    """One line of text."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value.strip()
    raise Wrong("a text of one line")


def line_or_nothing(value: Any, folder: Path) -> str:
    """One line of text, or nothing."""
    return "" if value == "" else line(value, folder)


def host(value: Any, _folder: Path) -> str:
    """The name or number of a server, without port."""
    if isinstance(value, str) and re.fullmatch(r"[\w.-]+|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*\]?", value):
        return value.strip("[]")
    raise Wrong("a host like mail.example.org, without port (that is `port`) and without ://")


def authserv(value: Any, _folder: Path) -> str:
    """A name in Authentication-Results, maybe with stars, or `no-id`; `below` behind it: also beneath Received."""
    known = " ".join(value.lower().split()) if isinstance(value, str) else ""
    # Two labels without a star: else a list of names would trust anybody's.
    if re.fullmatch(r"(?:(?:[a-z0-9_*-]+\.)*[a-z0-9_-]+\.[a-z0-9_-]+|[a-z0-9_-]+)(?: below)?", known):
        return known
    raise Wrong('the name of a mail server like mx.example.org or *.example.org, or no-id, or "mx.example.org below"')


def address(value: Any, _folder: Path) -> str:
    """A mail address."""
    if isinstance(value, str) and re.fullmatch(_ADDRESS, value.strip()):
        return value.strip()
    raise Wrong("an address like gm@example.org")


def contact(value: Any, _folder: Path) -> Contact:
    """An address, with a name or without."""
    if isinstance(value, str) and value.isprintable():
        if match := re.fullmatch(rf"\s*\"?([^<>\"]*?)\"?\s*<({_ADDRESS})>\s*", value):
            return Contact(match[1], match[2])
        if re.fullmatch(_ADDRESS, value.strip()):
            return Contact("", value.strip())
    raise Wrong("an address, or Name <address>")


def contact_or_nothing(value: Any, folder: Path) -> Contact | None:
    """The same, or nothing."""
    return None if value == "" else contact(value, folder)


def choice(*allowed: str) -> Reader:
    """Make a reader of one of these words."""

    def read(value: Any, _folder: Path) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        raise Wrong(" | ".join(allowed))

    return read


def number(least: int, most: int) -> Reader:
    """Make a reader of a whole number between these."""

    def read(value: Any, _folder: Path) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise Wrong(f"a whole number from {least} to {most}")

    return read


def flag(value: Any, _folder: Path) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise Wrong("true or false, without quotes")


def zone(value: Any, _folder: Path) -> ZoneInfo:
    """A time zone that is known here."""
    try:
        return ZoneInfo(value)
    except (KeyError, ValueError, TypeError, AttributeError, OSError):
        raise Wrong("a time zone by its full name, like Europe/Berlin") from None


def clock_time(value: Any, _folder: Path) -> dt.time:
    """A time of day, as text or as TOML's own."""
    if isinstance(value, dt.time):
        return value
    if isinstance(value, str) and re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", value):
        return dt.time.fromisoformat(value)
    raise Wrong("a time of day like 20:00")


def day(value: Any, _folder: Path) -> dt.date:
    """A date, as text or as TOML's own."""
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    try:
        return dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        raise Wrong("a date like 2026-12-24") from None


def span(value: Any, _folder: Path) -> Span:
    """The span of a round: longer than nothing."""
    found = _span(value, "a span of time like 90m, 12h or 3d", LONGEST_ROUND)
    if found.amount:
        return found
    raise Wrong("a span of time like 90m, 12h or 3d")


def length(value: Any, _folder: Path) -> dt.timedelta:
    """A span where a day is 24 hours; nothing is possible."""
    return _span(value, "a span of time like 90m, 12h or 3d (0m for none)", FARTHEST).length


def _span(value: Any, allowed: str, longest: dt.timedelta) -> Span:
    try:
        found = Span.parse(value)
    except (Refused, AttributeError):
        raise Wrong(allowed) from None
    if found.length > longest:
        raise Wrong(f"a span of at most {longest.days}d")
    return found


def list_of(one: Reader) -> Reader:
    """Make a reader of a list of these."""

    def read(value: Any, folder: Path) -> tuple[Any, ...]:
        items = value if isinstance(value, list) else [MISSING]
        try:
            return tuple(one(item, folder) for item in items)
        except Wrong as wrong:
            raise Wrong(f"a list in brackets, each of it {wrong}") from None

    return read


def path(value: Any, folder: Path) -> Path:
    """A path, made absolute from the config file's folder."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return folder / Path(value).expanduser()
    raise Wrong("a path, relative to the folder of this file")


def database_url(value: Any, folder: Path) -> str:
    """A database that we support; a file is made absolute. It is shown without its password."""
    if isinstance(value, str):
        if value.startswith("postgresql+psycopg://") and _is_url(value):
            Secret(unquote(urlsplit(value).password or ""))  # so that no text shows it
            return HiddenUrl(value)
        place = value.removeprefix("sqlite:///")
        if place != value and place not in ("", ":memory:"):
            return f"sqlite:///{path(place, folder)}"
    raise Wrong("sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME")


def _is_url(text: str) -> bool:
    """Refuse what SQLAlchemy would choke on, and repeat: `p@ss/word` must be written `p%40ss%2Fword` in a URL."""
    try:
        parts = urlsplit(text)
        has_place = parts.hostname or parts.netloc.endswith("@") or not parts.netloc  # without a host: by a socket
        return bool(has_place) and "@" not in parts.path + parts.query + parts.fragment and parts.port != 0
    except ValueError:
        return False


def base_url(value: Any, _folder: Path) -> str:
    """A web address, made to end with a slash, or nothing."""
    if value == "":
        return ""
    if isinstance(value, str) and re.fullmatch(r"https?://[^\s\"'<>@?#/]+(?:/[^\s\"'<>?#]*)?", value):
        return value.rstrip("/") + "/"
    raise Wrong('where the archive is published, like https://example.org/ds/, or ""')
