"""config.toml: names and defaults are stable, and all faults are reported at once."""

import datetime as dt
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gm.runtime.config import settings as config
from gm.runtime.config.passwords import exposed
from gm.runtime.config.settings import SECTIONS, Contact, Secret, Span, load, render, section_keys
from gm.runtime.errors import ConfigError, Refused

EXAMPLE = Path(__file__).parents[2] / "config.example.toml"
MINIMAL = """
[service]
address = "gm@example.org"
gm = "Cici Beilken <cici@example.org>"
[imap]
host = "imap.example.org"
[smtp]
host = "smtp.example.org"
"""

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a config file."""

    def to_file(text: str) -> Path:
        path = tmp_path / "config.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return to_file


def faults(path: Path) -> list[str]:
    """Load a faulty file and return the lines of the error, without the file's name before each."""
    with pytest.raises(ConfigError) as raised:
        load(path)
    lines = str(raised.value).splitlines()
    assert all(line.startswith(f"{path}: ") for line in lines)
    return [line.removeprefix(f"{path}: ") for line in lines]


def changed(section: str, line: str) -> str:
    """The minimal file with one more line in one section, or another line for one that it has."""
    if (old := re.search(rf"^{line.split(' = ')[0]} = .*$", MINIMAL, re.MULTILINE)) and section == "imap":
        return MINIMAL.replace(old[0], line, 1)
    if f"[{section}]" in MINIMAL:
        return MINIMAL.replace(f"[{section}]", f"[{section}]\n{line}")
    return f"{MINIMAL}\n[{section}]\n{line}"


def test_four_keys_are_enough(write: Write) -> None:
    """A file with the four required keys loads, and everything else has its default."""
    settings = load(write(MINIMAL))
    assert settings.service.name == "Postspiele"
    assert settings.service.gm == Contact("Cici Beilken", "cici@example.org")
    assert settings.service.second_gm is None
    assert settings.service.timezone == ZoneInfo("Europe/Berlin")
    assert settings.imap.port == 993
    assert settings.smtp.security == "starttls"
    assert not settings.imap.password
    assert settings.deadlines.zat == Span(14, "d")
    assert settings.deadlines.reminders == (dt.timedelta(days=3), dt.timedelta(hours=12))
    assert settings.security.trusted_authserv == ()


def test_required_keys_are_named(write: Write) -> None:
    """An empty file is told all four keys that it lacks."""
    missing = [line.split(" is missing")[0] for line in faults(write(""))]
    assert missing == ["service.address", "service.gm", "imap.host", "smtp.host"]


def test_example_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """config.example.toml is a good file as it stands."""
    monkeypatch.setenv("GM_IMAP_PASSWORD", "one")
    monkeypatch.setenv("GM_SMTP_PASSWORD", "two")
    settings = load(EXAMPLE)
    assert settings.imap.password.get_secret_value() == "one"
    assert settings.smtp.password.get_secret_value() == "two"


@pytest.mark.parametrize("section", SECTIONS)
def test_example_names_every_key(section: str) -> None:
    """config.example.toml names every key of every section, and no other."""
    part = re.split(r"\n(?:# )?\[", EXAMPLE.read_text(encoding="utf-8").split(f"[{section}]\n")[1])[0]
    named = re.findall(r"^(?:# )?(\w+) = ", part, re.MULTILINE)
    assert sorted(named) == sorted(section_keys(SECTIONS[section]))


@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "oauth"])
def test_example_shows_defaults(section: str, write: Write) -> None:
    """What config.example.toml shows is the default, or its line names the default."""
    text = EXAMPLE.read_text(encoding="utf-8")
    lines = text.split(f"[{section}]\n")[1].split("\n[")[0].splitlines()
    shown = tomllib.loads(text)[section]
    for key, one in SECTIONS[section].model_fields.items():
        if one.is_required() or key == "password":
            continue
        line = next(line for line in lines if line.startswith(f"{key} = "))
        named = re.search(r"default: (\"[^\"]*\"|\[\])", line)
        value = named[1] if named else line.partition(" = ")[2].partition("#")[0].strip()
        with_it, without = load(write(changed(section, f"{key} = {value}"))), load(write(MINIMAL))
        assert getattr(with_it, section) == getattr(without, section), f"{key} = {shown[key]}"


def test_paths_are_relative_to_the_file(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths (database, archive, word lists, passwords) start at the config file, wherever gm is called."""
    (tmp_path / "secret").write_text("hunter 2\r\n", encoding="utf-8")
    text = changed("imap", 'password_file = "secret"') + '[lexicon]\nextra = ["lists/own.txt"]\n'
    path = write(text)
    monkeypatch.chdir("/")
    settings = load(path)
    assert settings.imap.password.get_secret_value() == "hunter 2"
    assert settings.database.url == f"sqlite:///{tmp_path}/gm.db"
    assert settings.archive.path == tmp_path / "archive"
    assert settings.lexicon.extra == (tmp_path / "lists/own.txt",)
    assert settings.path == path


def test_config_is_found(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a path $GM_CONFIG counts, and without that ./config.toml."""
    monkeypatch.setenv("GM_CONFIG", str(write(MINIMAL)))
    assert load(None).service.address == "gm@example.org"
    monkeypatch.delenv("GM_CONFIG")
    assert config.default_path() == Path("config.toml")


def test_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    """Without a config file the error names `gm init` and `--config`."""
    with pytest.raises(ConfigError, match=r"no .*nowhere\.toml; `gm init` writes one, `--config FILE`"):
        load(tmp_path / "nowhere.toml")


def test_folder_is_no_file(tmp_path: Path) -> None:
    """A path that can't be read is a sentence, not a traceback."""
    with pytest.raises(ConfigError, match=r"can't be read \(Is a directory\)"):
        load(tmp_path)


def test_broken_toml_says_where(write: Write) -> None:
    """A file that is no TOML is told with line and column."""
    with pytest.raises(ConfigError, match=r"config\.toml is not TOML: .*line 2, column 8"):
        load(write("[imap]\nhost = imap.example.org\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = " + "[" * 10_000 + "]" * 10_000, "nested too deeply"),
        ("x = " + "{a = " * 10_000 + "1" + "}" * 10_000, "nested too deeply"),
        ("[" + ".".join("a" * 10_000) + "]", "nested too deeply"),
        # Python 3.13 can show it: then it is a wrong value, shortened.
        ("[service]\nname = [{" + ".".join("a" * 5_000) + " = 1}]", "(nested too deeply|service.name = )"),
        ("[imap]\nport = " + "9" * 10_000, "too many digits"),
        ("[imap]\nport = 0x" + "f" * 10_000, "too many digits"),
    ],
    ids=["lists", "tables", "section", "dotted keys", "number", "hexadecimal number"],
)
def test_what_is_too_deep_or_too_long_is_refused_in_a_sentence(write: Write, text: str, said: str) -> None:
    """Values that Python can't parse or print give a sentence; the file's permissions are checked anyway."""
    path = write(text)
    with pytest.raises(ConfigError, match=rf"^\S+config\.toml:? [^\n]{{,300}}{said}[^\n]{{,300}}\.(\n|$)"):
        load(path)
    assert list(exposed(path)) == []


def test_wrong_encoding_says_where(tmp_path: Path) -> None:
    """A file in Latin-1 is told with line and column."""
    path = tmp_path / "config.toml"
    path.write_bytes('[service]\nname = "Jörg"\n'.encode("latin-1"))
    with pytest.raises(ConfigError, match="not UTF-8 at line 2, column 10"):
        load(path)


def test_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """A file saved by an editor that puts a byte order mark before it loads."""
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINIMAL.encode())
    assert load(path).imap.host == "imap.example.org"


def test_all_faults_at_once(write: Write) -> None:
    """Every fault of a file stands in one error, one a line."""
    text = MINIMAL.replace("[imap]", "[imap]\nprot = 143\nidle = 1") + '[diggest]\n[deadlines]\nzat = "two weeks"\n'
    lines = faults(write(text))
    assert lines[0] == "imap.idle = 1 is not possible; allowed is true or false, without quotes."
    assert lines[1].startswith("imap.prot = 143 is no setting (is port meant?); [imap] has host, port,")
    assert lines[2] == "deadlines.zat = 'two weeks' is not possible; allowed is a span of time like 90m, 12h or 3d."
    assert lines[3].startswith("[diggest] is no section (is digest meant?); there are service, imap,")
    assert len(lines) == 4


WRONG_VALUES = [
    ("service", 'name = "a\\nb"', "a text of one line"),
    ("service", 'second_gm = "nobody"', "an address, or Name <address>"),
    ("service", 'second_gm = "We <GM@example.org>"', "another address than service.address"),
    ("service", 'language = "fr"', "de | en"),
    ("service", 'timezone = "Europe/Bonn"', "a time zone by its full name"),
    ("service", 'timezone = ""', "a time zone by its full name"),
    ("service", "timezone = 1", "a time zone by its full name"),
    ("service", 'timezone = "../../etc/passwd"', "a time zone by its full name"),
    ("imap", 'host = "127.0.0.1:993"', "a host like mail.example.org"),
    ("imap", 'host = "imaps://mail.example.org"', "a host like mail.example.org"),
    ("imap", "port = 0", "a whole number from 1 to 65535"),
    ("imap", 'port = "993"', "a whole number from 1 to 65535"),
    ("imap", "port = true", "a whole number from 1 to 65535"),
    ("imap", 'security = "ssl"', "tls | starttls | none"),
    ("imap", 'security = "none"', "tls or starttls; none only where the host is 127.0.0.1"),
    ("smtp", 'security = "none"', "tls or starttls; none only where the host is 127.0.0.1"),
    ("imap", 'folder = ""', "a text of one line"),
    ("smtp", "per_minute = 0", "a whole number from 1"),
    ("database", 'url = "mysql://host/db"', "sqlite:///FILE or postgresql+psycopg://"),
    ("database", 'url = "sqlite:///:memory:"', "sqlite:///FILE or postgresql+psycopg://"),
    ("database", 'url = "postgresql://host/db"', "sqlite:///FILE or postgresql+psycopg://"),
    ("deadlines", 'zat = "0d"', "a span of time like 90m"),
    ("deadlines", 'zat = "3651d"', "a span of at most 3650d"),
    ("deadlines", 'hold = "999999d"', "a span of at most 36500d"),
    ("deadlines", "zat = 14", "a span of time like 90m"),
    ("deadlines", 'time = "24:00"', "a time of day like 20:00"),
    ("deadlines", 'time = "8 pm"', "a time of day like 20:00"),
    ("deadlines", 'reminders = "3d"', "a list in brackets, each of it a span of time"),
    ("deadlines", 'reminders = ["soon"]', "a list in brackets, each of it a span of time"),
    ("deadlines", 'holidays = ["2026-02-30"]', "a list in brackets, each of it a date like 2026-12-24"),
    ("deadlines", 'holidays = ["2027-01-06..2026-12-20"]', "a list in brackets, each of it a date like 2026-12-24"),
    ("deadlines", 'holidays = ["2026-12-20..2028-01-06"]', "a list in brackets, each of it a date like 2026-12-24"),
    ("deadlines", 'release = "never"', "auto | gm"),
    ("nmr", "standby_after = -1", "a whole number from 0"),
    ("security", 'sender = "trust"', "address | authenticated"),
    ("digest", 'weekday = "Sonntag"', "monday | tuesday"),
    ("archive", 'base_url = "example.org"', "where the archive is published"),
    ("archive", 'base_url = "https://user@example.org/"', "where the archive is published"),
    ("archive", 'base_url = "https://example.org/?a"', "where the archive is published"),
    ("archive", 'names = "first"', "full | initial"),
    ("archive", 'path = ""', "a path"),
    ("archive", 'path = "~nobody-of-this-name/archive"', "a path"),
    ("deadlines", 'time = "20:00Z"', "a time of day like 20:00"),
    ("service", 'second_gm = "Jörg <jörg@example.org>"', "an address, or Name <address>"),
    ("service", 'second_gm = "a@example.org, b@example.org"', "an address, or Name <address>"),
    ("lexicon", "extra = [1]", "a list in brackets, each of it a path"),
    ("zine", "first = 0", "a whole number from 1"),
    ("zine", 'rhythm = "12h"', 'whole weeks or days like 5w, or ""'),
    ("zine", 'rhythm = "0d"', 'whole weeks or days like 5w, or ""'),
    ("zine", 'rhythm = "monthly"', 'whole weeks or days like 5w, or ""'),
    ("zine", "rhythm = 5", 'whole weeks or days like 5w, or ""'),
    ("zine", 'rhythm = "5w"', "a rhythm only where zine.dates has one date, the first one, and it has 0; "),
    ("zine", 'dates = ["4.11.2026"]', "a list in brackets, each of it a date like 2026-12-24"),
    ("zine", 'dates = ["2026-12-09", "2026-11-04"]', "a list in brackets, each of it a date later than the"),
    ("zine", 'dates = ["2026-13-09"]', "a list in brackets, each of it a date like"),
    ("zine", 'zat = "12d"', "whole days before the issue appears, like -12d"),
    ("zine", 'zat = "-12h"', "whole days before the issue appears, like -12d"),
    ("zine", 'zat = "0d"', "whole days before the issue appears, like -12d"),
    ("zine", 'copy = "-8d"', "whole days after the ZAT, like +8d"),
    ("zine", 'copy = "+13d"', "at most +12d: then the issue appears (zine.zat)"),
]


def test_wrong_value_names_key_value_and_allowed(write: Write, subtests: pytest.Subtests) -> None:
    """Whatever is wrong, the error has the key, the value and what is allowed."""
    for section, line, allowed in WRONG_VALUES:
        with subtests.test(section=section, line=line, allowed=allowed):
            (fault,) = faults(write(changed(section, line)))
            ((key, value),) = tomllib.loads(line).items()
            assert fault.startswith(f"{section}.{key} = {value!r} is not possible")
            assert f"allowed is {allowed}" in fault


def test_a_rhythm_goes_on_from_one_date(write: Write) -> None:
    """Where `rhythm` is given the list holds the first date only, or the error says so."""
    assert faults(write(f'{MINIMAL}[zine]\ndates = [2026-11-04, 2026-12-10]\nrhythm = "5w"\n')) == [
        "zine.rhythm = '5w' is not possible; allowed is a rhythm only where zine.dates has one date, the first one, "
        "and it has 2; without a rhythm it has all."
    ]


def test_dates_of_issues(write: Write) -> None:
    """TOML's own dates do as well as quoted ones; without [zine] there are none."""
    for date in ("2026-11-04", '"2026-11-04"'):
        found = load(write(f'{MINIMAL}[zine]\nfirst = 102\ndates = [{date}]\nrhythm = "5w"\n')).zine
        assert (found.first, found.dates, found.rhythm) == (102, (dt.date(2026, 11, 4),), Span(35, "d"))
    plain = load(write(MINIMAL)).zine
    assert (plain.dates, plain.rhythm) == ((), None)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
def test_plain_text_on_this_machine(host: str, write: Write) -> None:
    """Without encryption is fine where nobody else can listen."""
    settings = load(write(MINIMAL.replace('"imap.example.org"', f'"{host}"\nsecurity = "none"')))
    assert settings.imap.security == "none"


def test_section_must_be_a_table(write: Write) -> None:
    """A section's name with a value, and a key before the first section, are told as such."""
    lines = faults(write(f'digest = "no"\nspeed = 3\n{MINIMAL}'))
    assert lines == [
        "digest = 'no' is not possible; allowed is a section, [digest], with its keys below.",
        "speed = 3 stands outside the sections; there are service, imap, smtp, oauth, database, backup, deadlines, "
        "nmr, security, digest, archive, lexicon, zine.",
    ]


def test_gm_is_not_the_service(write: Write) -> None:
    """The GM's address must be another one than the service's, in any case of letters."""
    (fault,) = faults(write(MINIMAL.replace("<cici@", "<GM@")))
    assert fault.startswith("service.gm = 'Cici Beilken <GM@example.org>' is not possible; allowed is another address")


@pytest.mark.parametrize(
    ("written", "contact"),
    [
        ("cici@example.org", Contact("", "cici@example.org")),
        ("<cici@example.org>", Contact("", "cici@example.org")),
        ("Müller, Jörg <j@example.org>", Contact("Müller, Jörg", "j@example.org")),
        ('\\"Jörg M.\\" <j@example.org>', Contact("Jörg M.", "j@example.org")),
    ],
)
def test_contact_is_name_and_address(written: str, contact: Contact, write: Write) -> None:
    """A GM may be written with a name or without."""
    assert load(write(changed("service", f'second_gm = "{written}"'))).service.second_gm == contact


def test_times_and_dates_may_be_tomls_own(write: Write) -> None:
    """A time or a date without quotes is TOML's own and means the same."""
    text = changed("deadlines", 'time = 18:30:00\nholidays = [2026-12-24, "2026-12-25"]')
    deadlines = load(write(text)).deadlines
    assert deadlines.time == dt.time(18, 30)
    assert deadlines.free_days == {dt.date(2026, 12, 24), dt.date(2026, 12, 25)}


def test_holidays_may_be_spans(write: Write) -> None:
    """`FIRST..LAST` stands for all days from the one to the other."""
    deadlines = load(write(changed("deadlines", 'holidays = ["2026-10-03", "2026-12-30 .. 2027-01-02"]'))).deadlines
    assert sorted(deadlines.free_days) == [dt.date(2026, 10, 3), dt.date(2026, 12, 30), dt.date(2026, 12, 31),
                                           dt.date(2027, 1, 1), dt.date(2027, 1, 2)]  # fmt: skip


def test_password_has_one_source(write: Write) -> None:
    """Two ways of giving a password are one too many."""
    (fault,) = faults(write(changed("imap", 'password = "a"\npassword_env = "B"')))
    assert fault.startswith("imap.password = ***")
    assert "only one of password, password_env, password_file" in fault
    assert "here are password and password_env" in fault


def test_missing_password_is_named(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment variable that isn't set and a file that isn't there are named."""
    monkeypatch.delenv("GM_NOWHERE", raising=False)
    text = changed("imap", 'password_env = "GM_NOWHERE"').replace("[smtp]", '[smtp]\npassword_file = "no.password"')
    env, file = faults(write(text))
    assert "imap.password_env = 'GM_NOWHERE'" in env
    assert "isn't set" in env
    assert f"{tmp_path}/no.password can't be read (No such file or directory)" in file


@pytest.mark.parametrize(
    "line",
    [
        'pasword = "hunter2"',
        'password = ["hunter2"]',
        'password_env = "hunter2"',
        'oauth = {client_secret = "hunter2"}',
    ],
)
def test_faults_hide_passwords(line: str, write: Write) -> None:
    """A mistyped password key doesn't bring the password into a log."""
    assert "hunter2" not in "".join(faults(write(changed("imap", line))))


def test_faults_hide_database_passwords(write: Write) -> None:
    """Nor does a wrong database URL."""
    (fault,) = faults(write(changed("database", 'url = "mysql://me:hunter2@host/db"')))
    assert "'mysql://me:***@host/db'" in fault


@pytest.mark.parametrize("line", ['password = "hunter2"', 'password_env = "PATH"', ""])
def test_token_or_password(line: str, write: Write) -> None:
    """A login with a token needs a username and no password."""
    oauth = '\n[oauth]\nprovider = "google"\nclient_id = "x"\n'
    text = changed("imap", f'username = "gm@example.org"\n{line}' if line else "") + oauth
    (fault,) = faults(write(text))
    assert fault.startswith("[oauth] is not possible; allowed is this only with a username")
    assert "hunter2" not in fault


def test_settings_hide_passwords(write: Write) -> None:
    """Printed settings show neither the passwords nor the database URL that may hold one."""
    text = changed("imap", 'password = "hunter2"') + '[database]\nurl = "postgresql+psycopg://me:hunter2@host/db"\n'
    settings = load(write(text))
    assert "hunter2" not in repr(settings)
    assert "hunter2" not in f"{settings.imap.password} {settings.imap.password!r}"
    assert settings.imap.password == Secret("hunter2")


@pytest.mark.parametrize(
    ("text", "exact", "days"),
    [("90m", dt.timedelta(minutes=90), 0), ("12h", dt.timedelta(hours=12), 0), ("3d", None, 3)],
)
def test_span(text: str, exact: dt.timedelta | None, days: int) -> None:
    """Minutes and hours are exact, days are the calendar's; a span is written as it was read."""
    span = Span.parse(text)
    assert (span.exact, span.days, str(span)) == (exact, days, text)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("+3d", "3d"), ("3 Tage", "3d"), ("+3 Tage", "3d"), ("1 Tag", "1d"), ("3 DAYS", "3d"), (" 2  wochen ", "14d"),
        ("+1 Woche", "7d"), ("2w", "14d"), ("12 Stunden", "12h"), ("12 hours", "12h"), ("6 Std.", "6h"),
        ("90 Minuten", "90m"), ("90min", "90m"),
    ],
)  # fmt: skip
def test_a_span_in_words(text: str, short: str) -> None:
    """People write spans in words, German or English (issue 29: `+3 Tage` as `+3d`)."""
    assert str(Span.parse(text)) == short


@pytest.mark.parametrize("text", [
    "", "3", "d", "-3d", "++3d", "3x", "3 Monate", "drei Tage", "1.5h", "³d", "9999999999d", "999999999w", "3 d d",
])  # fmt: skip
def test_no_span(text: str) -> None:
    """Anything else is refused with what is allowed."""
    with pytest.raises(Refused, match="write 90m, 12h or 3d"):
        Span.parse(text)


def test_render_puts_values_in(write: Write) -> None:
    """A rendered file loads and has the values given, whatever characters they hold, and no example's."""
    text = render(
        {
            "service.name": 'Die "Post" \\ C:\\neu',
            "service.address": "spiel@example.net",
            "service.gm": "Jörg <j@example.net>",
            "imap.host": "127.0.0.1",
            "imap.port": 1143,
            "imap.idle": False,
            "imap.password": "p#\t'\"w",
            "deadlines.reminders": ["2d"],
        }
    )
    settings = load(write(text))
    assert settings.service.name == 'Die "Post" \\ C:\\neu'
    assert settings.service.gm == Contact("Jörg", "j@example.net")
    assert (settings.imap.port, settings.imap.idle) == (1143, False)
    assert settings.imap.password.get_secret_value() == "p#\t'\"w"
    assert settings.deadlines.reminders == (dt.timedelta(days=2),)
    assert (settings.smtp.username, settings.archive.base_url, settings.security.trusted_authserv) == ("", "", ())


def test_render_keeps_the_comments() -> None:
    """The text of `gm init` is that of config.example.toml but for the values."""
    without_values = re.compile(r"^(# )?(\w+) = ((?!  #).)*", re.MULTILINE)
    example = EXAMPLE.read_text(encoding="utf-8")
    blanks = re.compile(r" {2,}#")
    assert blanks.sub("  #", without_values.sub(r"\2", render({}))) == blanks.sub(
        "  #", without_values.sub(r"\2", example)
    )


def test_render_refuses_unknown_settings() -> None:
    """A key that the file doesn't have is a mistake of the caller's."""
    with pytest.raises(ValueError, match=r"imap\.prot"):
        render({"imap.prot": 3})


def test_config_starts_fast() -> None:
    """Reading settings loads no heavy library."""
    heavy = "{'sqlmodel', 'jinja2', 'difflib', 'asyncio'}"
    code = f"import gm.runtime.config.settings, sys; print({heavy} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
