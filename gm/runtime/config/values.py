"""The types of values in config.toml: how each is validated, and what is allowed (its `description`).

The context of a validation is the folder that paths are relative to.
"""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StrictBool,
    StrictStr,
    StringConstraints,
    ValidationInfo,
)

from games.api import LANGUAGES, say
from gm.runtime.errors import Refused
from gm.runtime.redaction import HiddenUrl, Secret

FARTHEST: Final = dt.timedelta(days=36_500)
"""No ZAT lies further ahead, nothing lasts longer. So no date computed from it is beyond the calendar."""
LONGEST_ROUND: Final = dt.timedelta(days=3650)
"""The longest span of a round. A game has many rounds, and players are told when each will end."""

LONGEST_ADDRESS: Final = 254
AN_ADDRESS: Final = "an address like gm@example.org"
A_PERSON: Final = "an address, or Name <address>"
A_DATABASE: Final = "sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME"
A_SPAN: Final = "a span of time like 90m, 12h or 3d"


_UNITS: Final = {
    "m": ("m", 1), "min": ("m", 1), "minute": ("m", 1), "minuten": ("m", 1), "minutes": ("m", 1),
    "h": ("h", 1), "std": ("h", 1), "stunde": ("h", 1), "stunden": ("h", 1), "hour": ("h", 1), "hours": ("h", 1),
    "d": ("d", 1), "tag": ("d", 1), "tage": ("d", 1), "tagen": ("d", 1), "day": ("d", 1), "days": ("d", 1),
    "w": ("d", 7), "woche": ("d", 7), "wochen": ("d", 7), "week": ("d", 7), "weeks": ("d", 7),
}  # fmt: skip
"""Unit as people write it -> ours, and how many of them it is."""
_MOST_UNITS: Final = 999_999_999
"""So many days are as long as a span can be in Python."""


@dataclass(frozen=True)
class Span:
    """A span of time as people write it. `90m` and `12h` are exact, `3d` counts calendar days (gm.game.deadlines)."""

    amount: int
    unit: Literal["m", "h", "d"]

    @classmethod
    def parse(cls, text: str) -> "Span":
        """Read `90m`, `12h`, `3d` or `2w`, also in words: `3 Tage`, `12 hours`, `+1 Woche`. Raises Refused."""
        match = re.fullmatch(r"\+?([0-9]{1,9}) ?([a-z]+)\.?", " ".join(text.split()).casefold())
        unit, times = _UNITS.get(match[2], ("", 0)) if match else ("", 0)
        amount = int(match[1]) * times if match else 0
        if not unit or amount > _MOST_UNITS:
            raise Refused(say("values.no_span", text=text))
        return cls(amount, unit)  # type: ignore[arg-type]

    @property
    def exact(self) -> dt.timedelta | None:
        """The length of a span in minutes or hours; None for whole days, whose length depends on the calendar."""
        return None if self.unit == "d" else self.length

    @property
    def days(self) -> int:
        """How many calendar days; 0 for an exact span."""
        return self.amount if self.unit == "d" else 0

    @property
    def length(self) -> dt.timedelta:
        """The length with days of 24 hours, for where summer time doesn't matter (reminders, limits)."""
        return dt.timedelta(minutes=self.amount * {"m": 1, "h": 60, "d": 1440}[self.unit])

    def __str__(self) -> str:
        return f"{self.amount}{self.unit}"


@dataclass(frozen=True)
class Contact:
    """A person with an address: `Cici Beilken <cici@example.org>`. The name may be empty."""

    name: str
    address: str

    @classmethod
    def parse(cls, text: str) -> "Contact":
        """Read an address with or without a name. Raises Refused."""
        match = re.fullmatch(r"\s*\"?([^<>\"]*?)\"?\s*<([^<>]*)>\s*|\s*(\S+)\s*", text) if text.isprintable() else None
        address = match[2] or match[3] if match else ""
        if not match or not _is_address(address):
            raise Refused(say("values.no_person", text=text))
        return cls(match[1] or "", address)

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


class NotAllowed(ValueError):  # noqa: N818 (it holds what is allowed)
    """A wrong value, with what would be allowed, where the description of the type is not enough."""


class Section(BaseModel):
    """A section of the file. Pydantic's errors show no values: one of them may be a password.

    The validators are built when a file is read, for all sections at once. On import they would take twice as long.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


def allowed(what: str) -> Any:
    """Describe what is allowed, for the sentence about a wrong value."""
    return Field(description=what)


def read_by(convert: Callable[[Any], object]) -> PlainValidator:
    """Return a validator that converts a value. Whatever `convert` raises, the value is refused."""

    def read(value: Any) -> object:
        try:
            return convert(value)
        except (LookupError, TypeError, AttributeError, OSError, Refused):
            raise ValueError from None

    return PlainValidator(read)


def read_in_folder(convert: Callable[[str, Path], object]) -> PlainValidator:
    """Return a validator that converts a text. `convert` is also given the folder that paths are relative to."""

    def read(value: Any, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            raise ValueError
        return convert(value, folder_of(info))

    return PlainValidator(read)


def only(is_right: Callable[[str], object]) -> AfterValidator:
    """Return a validator that refuses texts for which `is_right` is false."""

    def check(text: str) -> str:
        if not is_right(text):
            raise ValueError
        return text

    return AfterValidator(check)


def number(least: int, most: int) -> Any:
    """Return the field of a whole number between these limits."""
    return Field(strict=True, ge=least, le=most, description=f"a whole number from {least} to {most}")


def folder_of(info: ValidationInfo) -> Path:
    """Return the folder that paths are relative to."""
    return info.context or Path()


def _clock_time(value: Any) -> dt.time:
    found = dt.time.fromisoformat(str(value))  # TOML has times of its own
    if found.tzinfo:
        raise ValueError
    return found


def _span(text: str, longest: dt.timedelta) -> Span:
    found = Span.parse(text)
    if found.length > longest:
        raise NotAllowed(f"a span of at most {longest.days}d")
    return found


def _round_span(text: str) -> Span:
    found = _span(text, LONGEST_ROUND)
    if not found.amount:
        raise ValueError
    return found


def absolute_path(name: str, folder: Path) -> Path:
    """Make a path absolute from the config file's folder. Raises ValueError."""
    if not name.strip() or not name.isprintable():
        raise ValueError
    try:
        return folder / Path(name).expanduser()
    except RuntimeError:  # `~anna/gm.db`, and there is no such user
        raise ValueError from None


def database_url(url: str, folder: Path) -> str:
    """Read the URL of a supported database. The path of a file is made absolute. A password in it is not shown.

    Raises ValueError.
    """
    if url.startswith("postgresql+psycopg://") and _is_url(url):
        Secret(unquote(urlsplit(url).password or ""))  # so that no text shows it
        return HiddenUrl(url)
    place = url.removeprefix("sqlite:///")
    if place in (url, ":memory:"):
        raise ValueError
    return f"sqlite:///{absolute_path(place, folder)}"


def _is_url(text: str) -> bool:
    """Return whether SQLAlchemy can read a URL. In its errors it would show the password.

    `p@ss/word` must be written `p%40ss%2Fword` in a URL.
    """
    try:
        parts = urlsplit(text)
        has_place = parts.hostname or parts.netloc.endswith("@") or not parts.netloc  # without a host: by a socket
        return bool(has_place) and "@" not in parts.path + parts.query + parts.fragment and parts.port != 0
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    """Return whether this is one plain ASCII address. (parsers.addresses does that for mails; it is on our floor.)"""
    from email.errors import HeaderParseError
    from email.headerregistry import Address as MailAddress

    try:
        address = MailAddress(addr_spec=text)
    except (HeaderParseError, ValueError, IndexError):
        return False
    plain = text.isascii() and text.isprintable() and not set(text) & set(' "\\()<>[],:;') and "=?" not in text
    return plain and bool(address.domain) and address.addr_spec == text and len(text) <= LONGEST_ADDRESS


_Stripped: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True)]
LineOrNothing: TypeAlias = Annotated[_Stripped, only(str.isprintable), allowed("a text of one line")]
Line: TypeAlias = Annotated[LineOrNothing, Field(min_length=1)]
Flag: TypeAlias = Annotated[StrictBool, allowed("true or false, without quotes")]
Address: TypeAlias = Annotated[_Stripped, only(_is_address), allowed(AN_ADDRESS)]
Host: TypeAlias = Annotated[
    str,
    Field(pattern=r"^([\w.-]+|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*\]?)$"),
    AfterValidator(lambda host: host.strip("[]")),
    allowed("a host like mail.example.org, without port (that is `port`) and without ://"),
]
# At least two labels have no star: "*.org" would trust anybody.
Authserv: TypeAlias = Annotated[
    str,
    AfterValidator(lambda name: " ".join(name.lower().split())),
    only(re.compile(r"(?:(?:[a-z0-9_*-]+\.)*[a-z0-9_-]+\.[a-z0-9_-]+|[a-z0-9_-]+)(?: below)?").fullmatch),
    allowed('the name of a mail server like mx.example.org or *.example.org, or no-id, or "mx.example.org below"'),
]
Person: TypeAlias = Annotated[Contact, read_by(Contact.parse), allowed(A_PERSON)]
PersonOrNobody: TypeAlias = Annotated[
    Contact | None, read_by(lambda text: None if text == "" else Contact.parse(text)), allowed(A_PERSON)
]


def _days(value: Any) -> tuple[dt.date, ...]:
    """Read a date, or all dates of a span of at most a year."""
    first, dots, last = (part.strip() for part in str(value).partition(".."))
    begin = dt.date.fromisoformat(first)
    end = dt.date.fromisoformat(last) if dots else begin
    number = (end - begin).days + 1
    if not 1 <= number <= 366:
        raise ValueError
    return tuple(begin + dt.timedelta(days=ahead) for ahead in range(number))


def _known_language(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(language)
    return language


Language: TypeAlias = Annotated[StrictStr, AfterValidator(_known_language), allowed(" | ".join(LANGUAGES))]
Zone: TypeAlias = Annotated[ZoneInfo, read_by(ZoneInfo), allowed("a time zone by its full name, like Europe/Berlin")]
ClockTime: TypeAlias = Annotated[dt.time, read_by(_clock_time), allowed("a time of day like 20:00")]
Day: TypeAlias = Annotated[
    dt.date, read_by(lambda value: dt.date.fromisoformat(str(value))), allowed("a date like 2026-12-24")
]
Days: TypeAlias = Annotated[
    tuple[dt.date, ...],
    read_by(_days),
    allowed("a date like 2026-12-24, or a span of dates like 2026-12-20..2027-01-06"),
]
RoundSpan: TypeAlias = Annotated[Span, read_by(_round_span), allowed(A_SPAN)]
Length: TypeAlias = Annotated[
    dt.timedelta, read_by(lambda text: _span(text, FARTHEST).length), allowed(f"{A_SPAN} (0m for none)")
]
FilePath: TypeAlias = Annotated[
    Path, read_in_folder(absolute_path), allowed("a path, relative to the folder of this file")
]
DatabaseUrl: TypeAlias = Annotated[str, read_in_folder(database_url), allowed(A_DATABASE)]
BaseUrl: TypeAlias = Annotated[
    str,
    Field(pattern=r"""^(https?://[^\s"'<>@?#/]+(?:/[^\s"'<>?#]*)?)?$"""),
    AfterValidator(lambda url: url and url.rstrip("/") + "/"),
    allowed('where the archive is published, like https://example.org/ds/, or ""'),
]
Organisation: TypeAlias = Annotated[
    str,
    Field(pattern=r"^[\w.-]+$"),
    allowed("common, consumers, organizations, or the id or domain of your organisation"),
]
