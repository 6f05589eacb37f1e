"""config.toml as frozen settings. Every fault names file, key, value and what is allowed. All are reported at once."""

import datetime as dt
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn, Self, TypeAlias, get_args, get_origin
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo

from gm.runtime.config import passwords, values
from gm.runtime.config.hosts import is_loopback
from gm.runtime.config.oauth import OAuth
from gm.runtime.config.passwords import Password, WithPassword
from gm.runtime.config.values import Contact as Contact
from gm.runtime.config.values import NotAllowed, Section, number
from gm.runtime.config.values import Span as Span
from gm.runtime.config.zine import Zine
from gm.runtime.errors import ConfigError
from gm.runtime.redaction import Secret as Secret
from gm.runtime.redaction import masked, without_password

Encryption: TypeAlias = Literal["tls", "starttls", "none"]
Weekday: TypeAlias = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: Final[tuple[str, ...]] = get_args(Weekday)


class Service(Section):
    """The service's name and address, and the GM."""

    name: values.Line = "Postspiele"
    address: values.Address
    gm: values.Person
    second_gm: values.PersonOrNobody = None
    language: values.Language = "de"
    timezone: values.Zone = ZoneInfo("Europe/Berlin")
    chat: bool = False

    @field_validator("gm", "second_gm")
    @classmethod
    def _is_somebody_else(cls, person: Contact | None, info: ValidationInfo) -> Contact | None:
        if person and person.address.casefold() == info.data.get("address", "").casefold():
            raise NotAllowed("another address than service.address, which we read ourselves")
        return person


class Login(WithPassword):
    """What IMAP and SMTP share: an encrypted connection, and a password or a token."""

    host: values.Host
    port: Annotated[int, number(1, 65535)]
    security: Encryption = "tls"
    username: values.LineOrNothing = ""
    password: Password = Secret()
    _oauth: OAuth | None = None

    @field_validator("security")
    @classmethod
    def _is_encrypted(cls, security: Encryption, info: ValidationInfo) -> Encryption:
        if security == "none" and not is_loopback(info.data.get("host", "localhost")):
            raise NotAllowed("tls or starttls; none only where the host is 127.0.0.1 or ::1")
        return security

    @property
    def oauth(self) -> OAuth | None:
        """The app that asks for tokens, where there is no password."""
        return self._oauth

    def with_tokens(self, oauth: OAuth | None) -> Self:
        """Return the same login with tokens, if it has a username."""
        login = self.model_copy()
        login._oauth = oauth if self.username else None
        return login


class ImapSettings(Login):
    """Where mails are fetched. Folders are written with `/`. An empty `junk` means no junk folder."""

    port: Annotated[int, number(1, 65535)] = 993
    folder: values.Line = "INBOX"
    processed: values.Line = "GM/Processed"
    quarantine: values.Line = "GM/Quarantine"
    junk: values.LineOrNothing = ""
    idle: values.Flag = True
    poll_seconds: Annotated[int, number(1, 86400)] = 60


class SmtpSettings(Login):
    """Where mails are sent, and how many a minute the provider takes."""

    port: Annotated[int, number(1, 65535)] = 587
    security: Encryption = "starttls"
    per_minute: Annotated[int, number(1, 1_000_000)] = 60


class Database(Section):
    """Where the zine is stored. The URL may hold a password, so it isn't shown."""

    url: values.DatabaseUrl = Field(default="sqlite:///gm.db", validate_default=True)


class Deadlines(Section):
    """When rounds end."""

    zat: values.RoundSpan = Span(14, "d")
    time: values.ClockTime = dt.time(20)
    reminders: tuple[values.Length, ...] = (dt.timedelta(days=3), dt.timedelta(hours=12))
    close_early: values.Flag = True
    settle: values.Length = dt.timedelta(hours=12)
    release: Literal["auto", "gm"] = "auto"
    hold: values.Length = dt.timedelta(hours=24)
    outage: values.Length = dt.timedelta(hours=24)
    holidays: tuple[values.Days, ...] = ()
    vacation: Literal["note", "extend"] = "note"
    vacation_days: Annotated[int, number(0, 366)] = 21
    pause_max: values.Length = dt.timedelta(days=30)

    @property
    def free_days(self) -> frozenset[dt.date]:
        """The days of all holidays: no ZAT that is counted in days falls on one."""
        return frozenset(chain.from_iterable(self.holidays))


class Nmr(Section):
    """What follows when no moves are received."""

    standby_after: Annotated[int, number(0, 99)] = 2
    standby_time: values.Length = dt.timedelta(days=3)
    standby_answer: values.Length = dt.timedelta(days=2)


class Security(Section):
    """Whose mail counts as whose."""

    sender: Literal["address", "authenticated"] = "address"
    trusted_authserv: tuple[values.Authserv, ...] = ()
    answers_per_hour: Annotated[int, number(1, 10_000)] = 20


class Backup(Section):
    """The nightly backups: how many are kept (0: none are made), and in which folder."""

    keep: Annotated[int, number(0, 1000)] = 14
    path: values.FilePath = Field(default="backups", validate_default=True)


class Digest(Section):
    """When the weekly digest goes out."""

    weekday: Weekday = "sunday"
    time: values.ClockTime = dt.time(18)


class Archive(Section):
    """Where the pages are written, where they are published (empty: nowhere), and what they show of people."""

    path: values.FilePath = Field(default="archive", validate_default=True)
    base_url: values.BaseUrl = ""
    names: Literal["full", "initial"] = "initial"
    address: values.Flag = False


class Lexicon(Section):
    """Word lists of the house."""

    extra: tuple[values.FilePath, ...] = ()


class _File(Section):
    service: Service
    imap: ImapSettings
    smtp: SmtpSettings
    oauth: OAuth | None = None
    database: Database
    backup: Backup
    deadlines: Deadlines
    nmr: Nmr
    security: Security
    digest: Digest
    archive: Archive
    lexicon: Lexicon
    zine: Zine

    @field_validator("oauth")
    @classmethod
    def _is_the_only_way(cls, oauth: OAuth | None, info: ValidationInfo) -> OAuth | None:
        imap, smtp = info.data.get("imap"), info.data.get("smtp")
        if oauth and imap and smtp and (not imap.username or imap.password or smtp.password):
            raise NotAllowed("this only with a username in [imap], the mailbox's address, and without any password")
        return oauth


class Settings(_File):
    """The whole file. Paths are absolute."""

    path: Path

    @property
    def folder(self) -> Path:
        """Where the zine keeps what it writes, unless another place is named."""
        return self.path.parent


def default_path() -> Path:
    """Return the file that is used when none is named: $GM_CONFIG, else ./config.toml."""
    if named := os.environ.get("GM_CONFIG"):
        return Path(named)
    return Path("config.toml")


def load(path: Path | None = None) -> Settings:
    """Read the settings. Raises ConfigError with all faults of the file, one a line."""
    path = path or default_path()
    document = {**{name: {} for name, one in _File.model_fields.items() if one.is_required()}, **read_document(path)}
    try:
        file = _File.model_validate(document, context=path.absolute().parent)
    except ValidationError as error:
        faults = [f"{path}: {_sentence(document, one)}" for one in error.errors(include_url=False)]
    else:
        logins = {"imap": file.imap.with_tokens(file.oauth), "smtp": file.smtp.with_tokens(file.oauth)}
        return Settings.model_construct(path=path.absolute(), **{**dict(file), **logins})
    raise ConfigError("\n".join(dict.fromkeys(faults)))  # outside of `except`: pydantic's error holds all values


def read_document(path: Path) -> dict[str, Any]:
    """Read the file as it is, without looking whether its settings are right. Raises ConfigError."""
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        repr(document)  # a fault is reported with its value: what Python can't print is refused here
    except FileNotFoundError:
        _fail(f"There is no {path}; `gm init` writes one, `--config FILE` or $GM_CONFIG names another.")
    except OSError as error:
        _fail(f"{path} can't be read ({error.strerror}); `--config FILE` names another.", error)
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(errors="replace").split("\n")
        _fail(f"{path} is not UTF-8 at line {len(before)}, column {len(before[-1]) + 1}; save it as UTF-8.", error)
    except tomllib.TOMLDecodeError as error:
        _fail(f"{path} is not TOML: {error}. Texts need quotes, sections brackets.", error)
    except RecursionError as error:
        _fail(f"{path} has brackets or keys nested too deeply to be read; no setting needs more than three.", error)
    except ValueError as error:  # Python's limit for reading and writing numbers
        _fail(f"{path} holds a number with too many digits to be read; no setting needs more than five.", error)
    return document


def _fail(sentence: str, cause: Exception | None = None) -> NoReturn:
    raise ConfigError(sentence) from cause


# -- faults ------------------------------------------------------------------------------------------------------------

LONGEST_SHOWN: Final = 200
"""How many characters of a wrong value are shown."""


def _sentence(document: Mapping[str, Any], error: Mapping[str, Any]) -> str:
    """Write a fault that pydantic found: where it is, what stands there, and what is allowed."""
    *above, key = [part for part in error["loc"] if isinstance(part, str)]  # a number is a place in a list
    table: Mapping[str, Any] = document
    kind: type[Section] = _File
    for name in above:
        table, kind = table[name], _section(kind.model_fields[name])
    given = next((one for one in passwords.keys_of(key) if one in table), key)
    name = ".".join((*above, given))
    if error["type"] == "missing":
        return f"{name} is missing; allowed is {_allowed(kind.model_fields[key], error)}."
    if error["type"] == "extra_forbidden":
        return _unknown(above, key, table[key], section_keys(kind))
    if error["type"] == "model_type":
        return f"{_set(name, table[given])} is not possible; allowed is a section, [{name}], with its keys below."
    return f"{_set(name, table[given])} is not possible; allowed is {_allowed(kind.model_fields[key], error)}."


def _section(field: FieldInfo) -> type[Section]:
    """Return the class of a section, also of one that may be missing."""
    return next(one for one in (field.annotation, *get_args(field.annotation)) if isinstance(one, type))


SECTIONS: Final[Mapping[str, type[Section]]] = {name: _section(one) for name, one in _File.model_fields.items()}
"""The sections in the order of the file."""


def section_keys(kind: type[Section]) -> tuple[str, ...]:
    """List the keys that a section may have. A password can be given by several keys."""
    return tuple(key for name in kind.model_fields for key in passwords.keys_of(name))


def _allowed(field: FieldInfo, error: Mapping[str, Any]) -> str:
    """Say what is allowed: as the validator says of this value, or as the type is described."""
    is_list = get_origin(field.annotation) is tuple
    one = FieldInfo.from_annotation(get_args(field.annotation)[0]) if is_list else field
    reason = error.get("ctx", {}).get("error")
    what = reason if isinstance(reason, NotAllowed) else one.description or " | ".join(get_args(one.annotation))
    return f"a list in brackets, each of it {what}" if is_list else str(what)


def _unknown(above: Sequence[str], key: str, value: Any, known: Sequence[str]) -> str:
    """Write that there is no such key or section, and which one may be meant."""
    what, section = _set(".".join((*above, key)), value, is_known=False), ".".join(above)
    if section:
        return f"{what} is no setting{_nearest(key, known)}; [{section}] has {', '.join(known)}."
    if isinstance(value, dict):
        return f"{what} is no section{_nearest(key, known)}; there are {', '.join(known)}."
    return f"{what} stands outside the sections; there are {', '.join(known)}."


def _set(name: str, value: Any, *, is_known: bool = True) -> str:
    return f"[{name}]" if isinstance(value, dict) else f"{name} = {_shown(name, value, is_known=is_known)}"


def _shown(key: str, value: Any, *, is_known: bool) -> str:
    """Return a value for an error line. What may be a password is hidden, also after a mistyped key."""
    section, _, name = key.lower().rpartition(".")
    names_a_place = (name.endswith("_file") and passwords.looks_like_a_path(str(value))) or (
        name.endswith("_env") and re.fullmatch(r"[A-Z_][A-Z0-9_]*", str(value))
    )
    if re.search(r"pas|pw|secret|token$", name) and not names_a_place:
        return "***"
    if not is_known and isinstance(value, str | list) and section.partition(".")[0] in ("", "imap", "smtp", "database"):
        return "***"
    shown = masked(without_password(repr(value)))
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


def _nearest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), list(known), 1)
    return f" (is {near[0]} meant?)" if near else ""


_EXAMPLE: Final = Path(__file__).parents[2] / "config.example.toml"

_NO_EXAMPLES: Final[Mapping[str, Any]] = {
    "service.name": "Postspiele",
    "imap.username": "",
    "imap.password_env": None,
    "smtp.username": "",
    "smtp.password_env": None,
    "security.trusted_authserv": [],
    "archive.base_url": "",
    "zine.dates": [],
    "zine.rhythm": "",
}
"""Where config.example.toml shows an example instead of the default: the value for a new config."""


def render(options: Mapping[str, Any]) -> str:
    """Return config.example.toml with these values in it (`{"imap.host": "..."}`). None comments a line out."""
    section, lines, left = "", [], {**_NO_EXAMPLES, **options}
    for line in _EXAMPLE.read_text(encoding="utf-8").splitlines():
        if head := re.match(r"(# )?\[(\w+)\]", line):
            section = head[2]
            line = line[2:] if head[1] and any(key.startswith(f"{section}.") for key in left) else line
        lines.append(_put_in(line, section, left))
    if left:
        raise ValueError(f"no such settings: {', '.join(left)}")
    return "\n".join(lines) + "\n"


def _put_in(line: str, section: str, left: dict[str, Any]) -> str:
    match = re.fullmatch(r"(?:# )?(\w+) = (?:\"[^\"]*\"|\[[^\]]*\]|\w+)( *)(#.*)?", line)
    if not match or f"{section}.{match[1]}" not in left:
        return line
    value = left.pop(f"{section}.{match[1]}")
    if value is None:
        return line if line.startswith("# ") else f"# {line}"
    text = f"{match[1]} = {toml_value(value)}"
    return f"{text.ljust(match.start(3) - 2)}  {match[3]}" if match[3] else text


def toml_value(value: Any) -> str:
    """Write a value as TOML."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool | int):
        return str(value).lower()
    escaped = "".join(
        {'"': '\\"', "\\": "\\\\"}.get(c, c if c.isprintable() else f"\\U{ord(c):08x}") for c in str(value)
    )
    return f'"{escaped}"'
