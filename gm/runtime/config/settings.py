"""config.toml as frozen settings. Every fault names file, key, value and what is allowed; all are told at once."""

import datetime as dt
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn, TypeAlias, get_type_hints
from zoneinfo import ZoneInfo

from gm.runtime.config import passwords
from gm.runtime.config import values as read
from gm.runtime.config.oauth import OAuth2, finished
from gm.runtime.config.values import Contact as Contact
from gm.runtime.config.values import Span as Span
from gm.runtime.errors import ConfigError
from gm.runtime.redaction import Secret as Secret
from gm.runtime.redaction import masked, without_password

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

Language: TypeAlias = Literal["de", "en"]
Encryption: TypeAlias = Literal["tls", "starttls", "none"]


@dataclass(frozen=True, kw_only=True)
class Service:
    """Who we are, and who is in charge."""

    name: Annotated[str, read.line] = "Postspiele"
    address: Annotated[str, read.address]
    gm: Annotated[Contact, read.contact]
    second_gm: Annotated[Contact | None, read.contact_or_nothing] = None
    language: Annotated[Language, read.choice("de", "en")] = "de"
    timezone: Annotated[ZoneInfo, read.zone] = field(default_factory=lambda: ZoneInfo("Europe/Berlin"))


@dataclass(frozen=True, kw_only=True)
class ImapSettings:
    """Where mails are fetched. Folders are written with `/`; an empty `junk` isn't looked into."""

    host: Annotated[str, read.host]
    port: Annotated[int, read.number(1, 65535)] = 993
    security: Annotated[Encryption, read.choice("tls", "starttls", "none")] = "tls"
    username: Annotated[str, read.line_or_nothing] = ""
    password: Secret = field(default_factory=Secret)
    oauth2: OAuth2 | None = None
    folder: Annotated[str, read.line] = "INBOX"
    processed: Annotated[str, read.line] = "GM/Processed"
    quarantine: Annotated[str, read.line] = "GM/Quarantine"
    junk: Annotated[str, read.line_or_nothing] = ""
    idle: Annotated[bool, read.flag] = True
    poll_seconds: Annotated[int, read.number(1, 86400)] = 60


@dataclass(frozen=True, kw_only=True)
class SmtpSettings:
    """Where mails are handed in, and how many a minute the provider takes."""

    host: Annotated[str, read.host]
    port: Annotated[int, read.number(1, 65535)] = 587
    security: Annotated[Encryption, read.choice("tls", "starttls", "none")] = "starttls"
    username: Annotated[str, read.line_or_nothing] = ""
    password: Secret = field(default_factory=Secret)
    oauth2: OAuth2 | None = None
    per_minute: Annotated[int, read.number(1, 1_000_000)] = 60


@dataclass(frozen=True, kw_only=True)
class Database:
    """Where the zine is kept. The URL may hold a password, so it isn't shown."""

    url: Annotated[str, read.database_url] = field(default="sqlite:///gm.db", repr=False)


@dataclass(frozen=True, kw_only=True)
class Deadlines:
    """When rounds end."""

    zat: Annotated[Span, read.span] = field(default_factory=lambda: Span(14, "d"))
    time: Annotated[dt.time, read.clock_time] = dt.time(20)
    reminders: Annotated[tuple[dt.timedelta, ...], read.list_of(read.length)] = (
        dt.timedelta(days=3),
        dt.timedelta(hours=12),
    )
    close_early: Annotated[bool, read.flag] = True
    settle: Annotated[dt.timedelta, read.length] = dt.timedelta(hours=12)
    release: Annotated[Literal["auto", "gm"], read.choice("auto", "gm")] = "auto"
    hold: Annotated[dt.timedelta, read.length] = dt.timedelta(hours=24)
    outage: Annotated[dt.timedelta, read.length] = dt.timedelta(hours=24)
    holidays: Annotated[tuple[dt.date, ...], read.list_of(read.day)] = ()
    vacation: Annotated[Literal["note", "extend"], read.choice("note", "extend")] = "note"
    vacation_days: Annotated[int, read.number(0, 366)] = 21
    pause_max: Annotated[dt.timedelta, read.length] = dt.timedelta(days=30)


@dataclass(frozen=True, kw_only=True)
class Nmr:
    """What follows when no moves are received."""

    standby_after: Annotated[int, read.number(0, 99)] = 2
    standby_time: Annotated[dt.timedelta, read.length] = dt.timedelta(days=3)
    standby_answer: Annotated[dt.timedelta, read.length] = dt.timedelta(days=2)


@dataclass(frozen=True, kw_only=True)
class Security:
    """Whose mail counts as whose."""

    sender: Annotated[
        Literal["address", "authenticated", "token"], read.choice("address", "authenticated", "token")
    ] = "address"
    trusted_authserv: Annotated[tuple[str, ...], read.list_of(read.authserv)] = ()
    answers_per_hour: Annotated[int, read.number(1, 10_000)] = 20


@dataclass(frozen=True, kw_only=True)
class Digest:
    """When the weekly digest goes out."""

    weekday: Annotated[str, read.choice(*WEEKDAYS)] = "sunday"
    time: Annotated[dt.time, read.clock_time] = dt.time(18)


@dataclass(frozen=True, kw_only=True)
class Archive:
    """Where the pages are written, where they are published (empty: nowhere), and how much of a name they show."""

    path: Annotated[Path, read.path] = Path("archive")
    base_url: Annotated[str, read.base_url] = ""
    names: Annotated[Literal["full", "initial", "pseudonym"], read.choice("full", "initial", "pseudonym")] = "initial"


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """Word lists of the house."""

    extra: Annotated[tuple[Path, ...], read.list_of(read.path)] = ()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The whole file. Paths are absolute."""

    path: Path
    service: Service
    imap: ImapSettings
    smtp: SmtpSettings
    database: Database
    deadlines: Deadlines
    nmr: Nmr
    security: Security
    digest: Digest
    archive: Archive
    lexicon: Lexicon


def default_path() -> Path:
    """Say which file is meant when none is named: $GM_CONFIG, else ./config.toml."""
    return Path(os.environ.get("GM_CONFIG") or "config.toml")


def load(path: Path | None = None) -> Settings:
    """Read the settings. Raises ConfigError with all faults of the file, one a line."""
    path = path or default_path()
    document, sections, faults = _parse(path), section_types(), _Faults(path)
    values = _read_document(document, sections, faults)
    if faults.lines:
        faults = _Faults(path)
        _read_document(document, sections, faults)  # once more: now all secrets are known, wherever one stands
        raise ConfigError("\n".join(faults.lines))
    return Settings(path=path.absolute(), **{name: kind(**values[name]) for name, kind in sections.items()})


_SECRET: Final = ("password", "client_secret")
"""Keys that may be given in the ways that `gm.runtime.config.passwords` knows."""


def _read_document(
    document: Mapping[str, Any], sections: Mapping[str, type[Any]], faults: "_Faults"
) -> dict[str, dict[str, Any]]:
    for name in [name for name in document if name not in sections]:
        faults.unknown_section(name, document[name], sections)
    values = {name: _read_section(name, kind, document.get(name, {}), faults) for name, kind in sections.items()}
    _compare(values, faults)
    return values


def section_types() -> dict[str, type[Any]]:
    """Name the sections with their dataclasses, in the order of the file."""
    return {name: kind for name, kind in get_type_hints(Settings).items() if name != "path"}


def section_keys(kind: type[Any]) -> tuple[str, ...]:
    """Name the keys a section may have; a password has several ways of being given."""
    names = [f.name for f in fields(kind) if f.name != "oauth2"]
    return tuple(key for name in names for key in (passwords.keys_of(name) if name in _SECRET else (name,)))


LONGEST: Final = 200
"""So much of a wrong value is repeated."""


class _Faults:
    """All that is wrong with one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[str] = []

    def add(self, key: str, sentence: str) -> None:
        self.lines.append(f"{self.path}: {key} {sentence}")

    def wrong(self, key: str, value: Any, allowed: object) -> None:
        self.add(f"{key} = {_shown(key, value)}", f"is not possible; allowed is {allowed}.")

    def unknown_key(self, section: str, key: str, value: Any, known: Iterable[str]) -> None:
        hint = _nearest(key, known)
        self.add(
            f"{section}.{key} = {_shown(f'{section}.{key}', value, is_known=False)}",
            f"is no setting{hint}; [{section}] has {', '.join(known)}.",
        )

    def unknown_section(self, name: str, value: Any, known: Iterable[str]) -> None:
        if isinstance(value, dict):
            self.add(f"[{name}]", f"is no section{_nearest(name, known)}; there are {', '.join(known)}.")
        else:
            self.add(
                f"{name} = {_shown(name, value, is_known=False)}",
                f"stands outside the sections; there are {', '.join(known)}.",
            )


def _parse(path: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        repr(document)  # what can't be shown in the line of a fault is refused here
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


def _read_section(name: str, kind: type[Any], table: Any, faults: _Faults) -> dict[str, Any]:
    if not isinstance(table, dict):
        faults.wrong(name, table, f"a section, [{name}], with its keys below")
        return {}
    known, hints = section_keys(kind), get_type_hints(kind, include_extras=True)
    for key in [key for key in table if key not in known and not (key == "oauth2" and key in hints)]:
        faults.unknown_key(name, key, table[key], known)
    found = {}
    for one in fields(kind):
        if one.name == "oauth2":
            found[one.name] = _read_oauth2(f"{name}.oauth2", table["oauth2"], faults) if "oauth2" in table else None
            continue
        reader = passwords.reader(one.name, name, table) if one.name in _SECRET else hints[one.name].__metadata__[0]
        found[one.name] = _read_key(name, one.name, table, reader, faults, default=_default(one))
    return found


def _read_oauth2(name: str, table: Any, faults: _Faults) -> OAuth2 | None:
    before = len(faults.lines)
    values = _read_section(name, OAuth2, table, faults)
    try:
        return finished(OAuth2(**values)) if len(faults.lines) == before else None
    except read.Wrong as wrong:
        faults.add(f"[{name}]", f"is not complete; needed is {wrong}.")
        return None


def _default(one: Any) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def _read_key(
    section: str, key: str, table: Mapping[str, Any], reader: read.Reader, faults: _Faults, default: Any
) -> Any:
    folder = faults.path.absolute().parent
    given = next((name for name in (passwords.keys_of(key) if key in _SECRET else (key,)) if name in table), None)
    try:
        if given is not None:
            return reader(table[given], folder)
        # Defaults that name a place are relative to the file as well.
        return reader(default, folder) if isinstance(default, str) or default is MISSING else _rooted(default, folder)
    except read.Wrong as wrong:
        if given is None:
            faults.add(f"{section}.{key}", f"is missing; allowed is {wrong}.")
        else:
            faults.wrong(f"{section}.{given}", table[given], wrong)
    return None


def _rooted(default: Any, folder: Path) -> Any:
    return folder / default if isinstance(default, Path) else default


def _compare(values: Mapping[str, Mapping[str, Any]], faults: _Faults) -> None:
    service = values["service"]
    for key in ("gm", "second_gm"):
        contact, address = service.get(key), service.get("address")
        if contact and address and contact.address.casefold() == address.casefold():
            faults.wrong(
                f"service.{key}", str(contact), "another address than service.address, which we read ourselves"
            )
    for section in ("imap", "smtp"):
        host = values[section].get("host")
        if values[section].get("security") == "none" and host and not _is_loopback(host):
            faults.wrong(f"{section}.security", "none", "tls or starttls; none only where the host is 127.0.0.1 or ::1")
    _share_oauth2(values["imap"], values["smtp"])
    for section in ("imap", "smtp"):
        _compare_oauth2(section, values[section], faults)


def _share_oauth2(imap: Any, smtp: Any) -> None:
    """Let one login serve both servers, unless [smtp] says how it logs in itself, or as somebody else."""
    if imap.get("oauth2") and smtp.get("username") == imap.get("username") and not smtp.get("password"):
        smtp["oauth2"] = smtp.get("oauth2") or imap["oauth2"]


def _compare_oauth2(section: str, values: Mapping[str, Any], faults: _Faults) -> None:
    if not values.get("oauth2"):
        return
    if values.get("password"):
        faults.add(f"[{section}.oauth2]", f"stands beside a password of [{section}]; give one or the other.")
    if not values.get("username"):
        faults.add(f"{section}.username", f"is missing; [{section}.oauth2] needs the mailbox's address there.")


def _is_loopback(host: str) -> bool:
    return bool(re.fullmatch(r"localhost|::1|127(\.[0-9]{1,3}){3}", host.lower()))


def _shown(key: str, value: Any, *, is_known: bool = True) -> str:
    """A value for an error line, without what may be a password, be it behind a mistyped key or in a wrong place."""
    section, _, name = key.lower().rpartition(".")
    if isinstance(value, dict):
        return "{...}"
    names_a_place = (name.endswith("_file") and passwords.looks_like_a_path(str(value))) or (
        name.endswith("_env") and re.fullmatch(r"[A-Z_][A-Z0-9_]*", str(value))
    )
    if re.search(r"pas|pw|secret|token$|_keyring$", name) and not names_a_place:
        return "***"
    if not is_known and isinstance(value, str | list) and section.partition(".")[0] in ("", "imap", "smtp", "database"):
        return "***"
    said = masked(without_password(repr(value)))
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _nearest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), list(known), 1)
    return f" (is {near[0]} meant?)" if near else ""


_EXAMPLE: Final = Path(__file__).parents[2] / "config.example.toml"

_NOT_FOR_EVERYBODY: Final[Mapping[str, Any]] = {
    "service.name": "Postspiele",
    "imap.username": "",
    "imap.password_env": None,
    "smtp.username": "",
    "smtp.password_env": None,
    "security.trusted_authserv": [],
    "archive.base_url": "",
}
"""Where config.example.toml shows an example and no default: what stands there unless it is given."""


def render(options: Mapping[str, Any]) -> str:
    """Write config.example.toml with these values in it (`{"imap.host": "..."}`); None comments a line out."""
    section, lines, left = "", [], {**_NOT_FOR_EVERYBODY, **options}
    for line in _EXAMPLE.read_text(encoding="utf-8").splitlines():
        if head := re.match(r"(#   )?\[([\w.]+)\]", line):
            section = head[2]
            line = line[4:] if head[1] and any(key.startswith(f"{section}.") for key in left) else line
        lines.append(_put_in(line, section, left))
    if left:
        raise ValueError(f"no such settings: {', '.join(left)}")
    return "\n".join(lines) + "\n"


def _put_in(line: str, section: str, left: dict[str, Any]) -> str:
    match = re.fullmatch(r"(?:# (?:  )?)?(\w+) = (?:\"[^\"]*\"|\[[^\]]*\]|\w+)( *)(#.*)?", line)
    if not match or f"{section}.{match[1]}" not in left:
        return line
    value = left.pop(f"{section}.{match[1]}")
    if value is None:
        return line if line.startswith("# ") else f"# {line}"
    text = f"{match[1]} = {_toml(value)}"
    return f"{text.ljust(match.start(3) - 2)}  {match[3]}" if match[3] else text


def _toml(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool | int):
        return str(value).lower()
    escaped = "".join(
        {'"': '\\"', "\\": "\\\\"}.get(c, c if c.isprintable() else f"\\U{ord(c):08x}") for c in str(value)
    )
    return f'"{escaped}"'
