"""Passwords and tokens appear nowhere but in their place, whatever goes wrong; hidden moves appear in no log."""

import base64
import json
import logging
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_plus
from warnings import catch_warnings

import oauth_server
import pytest
import scripted_server
import seating
from sqlalchemy.exc import StatementError
from typer.testing import CliRunner
from waiting import TIMEOUT

from games import AnyEngine, engines
from games.dice import Dice
from gm.app.context import App
from gm.cli.commands import cli
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.runtime.config.passwords import exposed
from gm.runtime.config.settings import ImapSettings, Secret, SmtpSettings, load
from gm.runtime.errors import ConfigError, DeliveryError, MailboxError, StoreError
from gm.runtime.redaction import masked
from gm.runtime.tracebacks import CarefulFormatter, described, log_carefully, trace
from gm.store.database import Database
from gm.store.queries import game_queries, seat_queries
from gm.store.zine_tables import StoredFile
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.imap.inbox import Inbox
from gm.transport.smtp.letters import Letter
from gm.transport.smtp.outbox import Outbox

CANARY = 'Kanari "vogel" ä&%=+/\\0815'
TAME = "kanari-vogel-0815"
DRIVER = """
import json, logging, sys
from gm.runtime.tracebacks import log_carefully
from gm.cli import main
log_carefully(logging.DEBUG)
for line in json.loads(sys.argv[1]):
    sys.argv = ["gm", *line]
    print(">>>", *line, flush=True)
    try:
        main()
    except SystemExit as end:
        print("<<<", end.code, flush=True)
"""


# -- looking for a secret ----------------------------------------------------------------------------------------------


def is_in(text: str | bytes, secret: str) -> bool:
    """Whether a text gives the secret away: as it is, escaped, in a URL, or anywhere inside of base64."""
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    with catch_warnings(action="ignore"):  # most of it is not escaped, or not so
        unescaped = said.encode().decode("unicode_escape", "replace")
    texts = [said, unquote_plus(said), unescaped]
    wanted = [secret, repr(secret)[1:-1], json.dumps(secret)[1:-1], secret.encode().decode("latin-1")]
    if any(one in found for one in wanted for found in texts):
        return True
    return any(secret.encode() in one for one in _decoded(said))


def _decoded(text: str) -> Iterator[bytes]:
    for blob in re.findall(r"[A-Za-z0-9+/_-]{8,}", text):
        for start in range(4):
            cut = blob[start:].replace("-", "+").replace("_", "/")
            yield base64.b64decode(cut[: len(cut) // 4 * 4])


@pytest.mark.parametrize("secret", [CANARY, TAME])
def test_the_search_finds(secret: str) -> None:
    """What the tests below search with finds a secret in each disguise, and nothing where there is none."""
    blob = base64.b64encode(f"user=gm\1auth=Bearer {secret}\1\1".encode()).decode()
    for text in (secret, f"x{secret}y", quote(secret), quote(secret, safe=""), repr(secret), ascii(secret), blob):
        assert is_in(f"AUTH {text}", secret)
        assert is_in(f"AUTH {text}".encode(), secret)
    assert not is_in("AUTH PLAIN AGdtAGthbmFyaQ== kanari vogel", secret)


@pytest.mark.parametrize("secret", [CANARY, TAME])
def test_masked(secret: str) -> None:
    """Texts are cleaned of each of these disguises; others stay as they are."""
    Secret(secret)
    for around in ("", "\0", "\0gm\0", "user=gm\1auth=Bearer "):
        blob = base64.b64encode(f"{around}{secret}\1\1".encode()).decode()
        assert not is_in(masked(f"535 you said {blob}"), secret)
    for text in (secret, quote(secret), quote(secret, safe=""), repr(secret), ascii(secret), str(secret.encode())):
        assert not is_in(masked(f"said {text}."), secret)
    assert masked("The IMAP server said no.") == "The IMAP server said no."


# -- the commands ------------------------------------------------------------------------------------------------------


def echoing_imap(line: Any, _number: int) -> None:
    """Refuse the login and repeat all that was said, as no server should."""
    line.say(b"* OK ready")
    while heard := line.hear():
        tag, _, rest = heard.partition(b" ")
        verb = rest.split()[0].upper() if rest.split() else b""
        if verb == b"CAPABILITY":
            line.say(b"* CAPABILITY IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2\r\n" + tag + b" OK done")
        elif verb == b"AUTHENTICATE":
            line.say(b"+ ")
            blob = line.hear()
            line.say(tag + b" NO " + blob + b" is " + base64.b64decode(blob + b"==").replace(b"\1", b" "))
        elif verb == b"LOGIN":
            line.say(b"* BYE " + rest + b"\r\n" + tag + b" NO you said " + rest)
        else:
            line.say(tag + b" OK done")


def echoing_smtp(line: Any, _number: int) -> None:
    """The same for SMTP."""
    line.say(b"220 ready")
    while heard := line.hear():
        verb = heard[:4].upper()
        if verb == b"EHLO":
            line.say(b"250-ready\r\n250 AUTH PLAIN XOAUTH2")
        elif verb == b"AUTH":
            blob = heard.split()[-1]
            line.say(b"535 5.7.8 " + blob + b" is " + base64.b64decode(blob).replace(b"\1", b" ").replace(b"\0", b" "))
        else:
            line.say(b"250 ok")


def run(*commands: list[str], env: dict[str, str] | None = None) -> str:
    """Run commands one after the other in one process at log level DEBUG; returns all that they print anywhere."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(commands)], capture_output=True, env={**os.environ, **(env or {})},
        timeout=TIMEOUT,
    )  # fmt: skip
    said = done.stdout.decode() + done.stderr.decode()
    assert said.count("<<<") + said.count(">>>") >= len(commands), said
    return said


def on(config: Path, *commands: list[str]) -> list[list[str]]:
    """Let commands be about one zine."""
    return [[*command, "--config", str(config)] for command in commands]


def zine(folder: Path, imap_port: int, smtp_port: int, **keys: Any) -> Path:
    """A zine whose mailbox has a secret, given in some way."""
    more: dict[str, dict[str, Any]] = {"archive": {"path": "archive"}}
    for name, port in (("imap", imap_port), ("smtp", smtp_port)):
        more[name] = {"port": port, "username": GM_ADDRESS, **keys}
    config = write_config(folder, more=more)
    config.chmod(0o600)
    return config


FAILING = (["doctor"], ["doctor", "--json"], ["serve", "--once"], ["serve", "--once", "--debug"], ["status", "--json"],
           ["todo", "--debug"], ["mail", "list"])  # fmt: skip


def test_failing_commands(tmp_path: Path) -> None:
    """Whatever the servers repeat of the password, no command, log line or file shows it."""
    with scripted_server.ScriptedServer(echoing_imap) as imap, scripted_server.ScriptedServer(echoing_smtp) as smtp:
        config = zine(tmp_path / "zine", imap.port, smtp.port, password="CANARY")
        config.write_text(config.read_text().replace('"CANARY"', json.dumps(CANARY, ensure_ascii=False)))
        said = run(*on(config, *FAILING))
        assert said.count("refused the login of zug@postspiel.example") >= 6, said
        assert "***" in said
        assert (imap.connections >= 4, smtp.connections) == (True, 2)
    assert not is_in(said, CANARY), said
    assert files_with(tmp_path / "zine", CANARY) == {"config.toml"}


def test_other_ways_of_giving_it(tmp_path: Path) -> None:
    """So it is with the environment and a file; then not even the config has it."""
    (tmp_path / "mailbox.password").write_text(CANARY)
    (tmp_path / "mailbox.password").chmod(0o600)
    ways = {"env": "GM_CANARY", "file": "../mailbox.password"}
    with scripted_server.ScriptedServer(echoing_imap) as imap, scripted_server.ScriptedServer(echoing_smtp) as smtp:
        for way, value in ways.items():
            zine(tmp_path / way, imap.port, smtp.port, **{f"password_{way}": value})
        said = run(
            *(["doctor", "--debug", "--config", str(tmp_path / way / "config.toml")] for way in ways),
            env={"GM_CANARY": CANARY},
        )
    assert said.count("refused the login of zug@postspiel.example") == 4, said
    assert not is_in(said, CANARY), said
    assert not [way for way in ways if files_with(tmp_path / way, CANARY)]


def files_with(folder: Path, secret: str) -> set[str]:
    """The files that hold a secret, byte by byte: database, its log, pages, locks."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "gm.db" for path in found)
    return {path.name for path in found if is_in(path.read_bytes(), secret)}


def test_other_troubles(tmp_path: Path) -> None:
    """A server that is down or can't encrypt brings the password nowhere either, tracebacks included."""
    with scripted_server.ScriptedServer(echoing_imap) as imap, scripted_server.ScriptedServer(echoing_smtp) as smtp:
        for trouble in ("down", "tls", "starttls"):
            ports = (1, 1) if trouble == "down" else (imap.port, smtp.port)
            zine(tmp_path / trouble, *ports, password=TAME, security="none" if trouble == "down" else trouble)
        configs = [str(tmp_path / trouble / "config.toml") for trouble in ("down", "tls", "starttls")]
        commands = (["doctor", "--debug"], ["serve", "--once", "--debug"])
        said = run(*([*command, "--config", config] for config in configs for command in commands))
    assert said.count("Traceback") == 3
    assert not is_in(said, TAME)
    assert files_with(tmp_path / "down", TAME) == {"config.toml"}


def test_a_working_zine(tmp_path: Path) -> None:
    """Where all goes well the password isn't in the output, the database, the archive or any mail."""
    with MailServer({GM_ADDRESS: TAME, "anna@spieler.example": "x", "cici@postspiel.example": "x"}) as server:
        config = zine(tmp_path / "zine", server.imap_port, server.smtp_port, password=TAME)
        server.append(GM_ADDRESS, write_mail("anna@spieler.example", "Hilfe\n", subject="Hilfe"))
        server.append(GM_ADDRESS, write_mail("anna@spieler.example", "Anmeldung Crossword Eriwan\n", name="Anna"))
        commands = "new crossword Eriwan", "serve --once --debug", "doctor", "status", "status --json", "todo --json"
        more = "mail show 1 --debug", f"archive {tmp_path / 'site'}"
        said = run(*on(config, *(command.split() for command in (*commands, *more))))
        sent = server.mails("anna@spieler.example")
    assert "2 mails handled" in said
    assert len(sent) == 2
    assert "<<< 1" not in said
    assert not is_in(said, TAME)
    assert not [raw for raw in sent if is_in(raw, TAME)]
    assert files_with(tmp_path / "zine", TAME) == {"config.toml"}
    assert not [path for path in (tmp_path / "site").rglob("*") if path.is_file() and is_in(path.read_bytes(), TAME)]


def test_tokens_and_the_secret_of_an_app(tmp_path: Path) -> None:
    """Tokens, also those for renewals, and the app's secret are as hidden as passwords."""
    app, access, refresh = "kanari-app-0815", "kanari-access-0815", "kanari-refresh-0815"
    with (
        scripted_server.ScriptedServer(echoing_imap) as imap, scripted_server.ScriptedServer(echoing_smtp) as smtp,
        oauth_server.Authority(tmp_path / "authority") as server,
    ):  # fmt: skip
        config = zine(tmp_path / "zine", imap.port, smtp.port)
        section = {"provider": "google", "client_id": oauth_server.CLIENT, "client_secret_file": "app.secret"}
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in section.items())
        config.write_text(f"{config.read_text()}[oauth]\n{lines}")
        kept = {"token": access, "refresh_token": refresh, "client_id": oauth_server.CLIENT,
                "expiry": "2999-01-01T00:00:00Z"}  # fmt: skip
        for name, text in (("app.secret", app), ("tokens.json", json.dumps(kept))):
            config.with_name(name).write_text(text)
            config.with_name(name).chmod(0o600)
        server.client_secret = app
        server.says["invalid_grant"] = f"{refresh} {app} {quote(refresh)}"
        said = run(*on(config, ["doctor"], ["serve", "--once", "--debug"]), env=server.environment)
        assert "run `gm login` again" in said
        assert imap.connections >= 2
    for secret in (app, access, refresh):
        assert not is_in(said, secret), said
    assert files_with(tmp_path / "zine", access) == {"tokens.json"}
    assert files_with(tmp_path / "zine", refresh) == {"tokens.json"}
    assert files_with(tmp_path / "zine", app) == {"app.secret"}


def test_libraries_at_their_most_talkative(caplog: pytest.LogCaptureFixture) -> None:
    """IMAPClient, aiosmtplib and asyncio log no password, even at level DEBUG."""
    caplog.set_level(logging.DEBUG)
    for name in ("imapclient", "aiosmtplib", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    with MailServer({GM_ADDRESS: TAME, "anna@spieler.example": "x"}) as server:
        login: dict[str, Any] = {"host": "127.0.0.1", "security": "none", "username": GM_ADDRESS}
        for password in (TAME, f"{TAME}-wrong"):
            inbox = Inbox(ImapSettings(port=server.imap_port, password=Secret(password), **login))
            outbox = Outbox(SmtpSettings(port=server.smtp_port, password=Secret(password), **login))
            try:
                inbox.waiting()
                raw = write_mail(GM_ADDRESS, "Hallo\n", headers={"To": "anna@spieler.example"})
                list(outbox.send([Letter(id=1, sender=GM_ADDRESS, recipient="anna@spieler.example", raw=raw)]))
            except (MailboxError, DeliveryError) as error:
                caplog.records.append(logging.makeLogRecord({"msg": str(error), "name": "gm"}))
            inbox.close()
            outbox.close()
    ours = [record for record in caplog.records if not record.name.startswith(("pymap", "mail."))]  # the server's own
    assert "imapclient" in {record.name.partition(".")[0] for record in ours}
    assert not is_in("\n".join(logging.Formatter().format(record) for record in ours), TAME)


# -- settings ----------------------------------------------------------------------------------------------------------

MINIMAL = """
[service]
address = "gm@example.org"
gm = "cici@example.org"
[imap]
host = "imap.example.org"
%s
[smtp]
host = "smtp.example.org"
"""


def test_settings_show_no_secret(tmp_path: Path) -> None:
    """Settings can be printed and taken apart, and show neither password nor the one in the database's URL."""
    url = f"postgresql+psycopg://me:{quote(CANARY, safe='')}@db.example.org/zine?sslmode=verify-full"
    path = tmp_path / "config.toml"
    path.write_text(MINIMAL % f"password = '''{TAME}'''" + f'[database]\nurl = "{url}"\n')
    settings = load(path)
    assert (settings.imap.password.get_secret_value(), settings.database.url) == (TAME, url)
    taken_apart = [str(dict(one)) for one in (settings, settings.imap, settings.database)]
    for shown in (repr(settings), str(settings), f"{settings}", *taken_apart, str(vars(settings.database))):
        assert not is_in(shown, TAME)
        assert not is_in(shown, CANARY)


@pytest.mark.parametrize(
    "line",
    [
        "pasword = 'CANARY'",
        "passwort = 'CANARY'",
        "kennwort = 'CANARY'",
        "pass = ['CANARY']",
        "user_name = 'CANARY'",
        "password = ['CANARY']",
        "password = { value = 'CANARY' }",
        "password = 'CANARY",
        "password = CANARY",
        "password_env = 'CANARY'",
        "password_file = 'CANARY'",
        "password = 'CANARY'\npassword = 'CANARY'",
        "password = 'CANARY'\npassword_env = 'X'",
        "password = 'CANARY'\nport = 'CANARY'",
        "[oauth]\nprovider = 'google'\nclient_id = 'x'\nclientsecret = 'CANARY'",
        "[oauth]\nprovider = 'CANARY'\nclient_id = 'x'\nclient_secret = 'CANARY'",
        "[oauth]\nprovider = 'google'\nclient_secret_file = 'CANARY'",
        "[oauth]\nprovider = 'google'\nclient_id = 'x'\nclient_secret_file = ['CANARY']",
        "[imap.oauth]\nclient_secret = 'CANARY'",
        "[secrets]\nimap = 'CANARY'",
        "[database]\nurl = 'postgresql://me:CANARY@db.example.org/zine'",
        "[database]\nurl = 'postgresql+psycopg://me:CANARY/x@db.example.org/zine'",
        "[database]\nurl = 'postgresql+psycopg://me:a@CANARY/x@db.example.org/zine'",
        "[database]\nurl = 'mysql://db.example.org/zine?password=CANARY'",
        "[database]\nuri = 'postgresql+psycopg://me:CANARY@db.example.org/zine'",
    ],
)
def test_faults_of_the_config(line: str, tmp_path: Path) -> None:
    """A password under a misspelt key, in the wrong place or in a broken file isn't in the error or its traceback."""
    path = tmp_path / "config.toml"
    path.write_text(MINIMAL % line.replace("CANARY", TAME))
    with pytest.raises(ConfigError) as raised:
        load(path)
    assert not is_in(str(raised.value), TAME), str(raised.value)
    assert not is_in(trace(raised.value), TAME)
    assert not is_in("".join(traceback.format_exception(raised.value)), TAME)


def test_a_password_before_all_sections(tmp_path: Path) -> None:
    """Nor is one that stands outside the sections."""
    path = tmp_path / "config.toml"
    path.write_text(f"imap_login = '{TAME}'\npassword = '{TAME}'\n" + MINIMAL % "")
    with pytest.raises(ConfigError, match="stands outside") as raised:
        load(path)
    assert not is_in(str(raised.value), TAME)


def test_a_database_that_can_not_be_reached(tmp_path: Path) -> None:
    """What the database's own driver says about its URL holds no password."""
    for query in ("", f"?password={quote(CANARY, safe='')}"):
        login = f"me:{quote(CANARY, safe='')}@" if not query else ""
        path = tmp_path / "config.toml"
        path.write_text(MINIMAL % "" + f'[database]\nurl = "postgresql+psycopg://{login}127.0.0.1:1/zine{query}"\n')
        url = load(path).database.url
        with pytest.raises((StoreError, ImportError)) as raised:  # ImportError: the driver isn't installed here
            Database(url).prepare()
        assert not is_in(str(raised.value), CANARY)
        assert not is_in(trace(raised.value), CANARY)


# -- files that others can read ----------------------------------------------------------------------------------------


def said_of(config: Path) -> list[str]:
    """Return what is said of files that others can read."""
    return [sentence for _, sentence in exposed(config)]


def test_files_that_others_can_read(tmp_path: Path) -> None:
    """Each start of the service and `gm doctor` warn of files with secrets that others can read, and say the mend."""
    (tmp_path / "pw").write_text(TAME)
    (tmp_path / "pw").chmod(0o640)
    (tmp_path / "tokens.json").write_text("{}")
    (tmp_path / "tokens.json").chmod(0o604)
    text = 'password_file = "pw"'
    config = tmp_path / "config.toml"
    config.write_text(MINIMAL % text)
    config.chmod(0o644)
    assert said_of(config) == [
        f"{tmp_path}/pw holds secrets and can be read by the file's group; say: chmod 600 {tmp_path}/pw",
        f"{tmp_path}/tokens.json holds secrets and can be read by everybody on this machine; "
        f"say: chmod 600 {tmp_path}/tokens.json",
    ]
    for name in ("pw", "tokens.json"):
        (tmp_path / name).chmod(0o600)
    assert list(exposed(config)) == []


@pytest.mark.parametrize(
    "text",
    [f'password = "{TAME}"', '[database]\nurl = "postgresql+psycopg://a:b@c/d"'],
)
def test_a_config_that_others_can_read(text: str, tmp_path: Path) -> None:
    """The config itself counts where it holds a secret, be it the mailbox's or the database's."""
    config = tmp_path / "config.toml"
    config.write_text(MINIMAL % text)
    for mode, number in ((0o644, 1), (0o640, 1), (0o600, 0), (0o400, 0)):
        config.chmod(mode)
        assert [status for status, _ in exposed(config)] == ["fail"] * number


def test_the_service_does_not_start_with_such_a_config(tmp_path: Path) -> None:
    """`gm serve` and `gm doctor` refuse a config whose password others can read, with the mend; then they go on."""
    config = zine(tmp_path / "zine", 1, 1, password=TAME)
    config.chmod(0o644)
    mend = f"{config} holds secrets and can be read by everybody on this machine; say: chmod 600 {config}"
    said = run(*on(config, ["doctor"], ["serve", "--once"]))
    assert f"fail  secrets: {mend}" in said
    assert said.count(mend) == 2
    assert "logged in" not in said.partition("fail  secrets")[0]
    config.chmod(0o600)
    assert "secrets" not in run(*on(config, ["doctor"], ["serve", "--once"]))


def test_a_password_file_only_warns(tmp_path: Path) -> None:
    """A file of its own may be somebody else's to keep: each start says so in its log."""
    config = zine(tmp_path / "zine", 1, 1, password=TAME)
    secret = config.with_name("gm.env")
    secret.write_text("GM_IMAP_PASSWORD=x")
    secret.chmod(0o640)
    said = run(*on(config, ["doctor"], ["serve", "--once"]))
    assert re.search(r"WARNING .*gm\.env holds secrets and can be read by the file's group", said)


def test_a_disk_without_rights_only_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `chmod` has no effect nobody can mend it."""
    config = zine(tmp_path / "zine", 1, 1, password=TAME)
    config.chmod(0o755)
    usual = os.fstat
    monkeypatch.setattr(os, "fstat", lambda number: os.stat_result((0o100755, *usual(number)[1:])))
    ((status, sentence),) = exposed(config)
    assert status == "warn"
    assert "this disk knows no rights" in sentence


def test_a_config_that_root_has_put_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its group is how the service reads it."""
    config = zine(tmp_path / "zine", 1, 1, password=TAME)
    config.chmod(0o640)
    monkeypatch.setattr(os, "geteuid", lambda: config.stat().st_uid + 1)
    assert said_of(config) == []
    config.chmod(0o644)
    assert said_of(config)[0].endswith(f"say: chmod o= {config}"), "600 would lock the service out"


# -- hidden moves ------------------------------------------------------------------------------------------------------


MARK = "KANARI"
"""Stands in every message of the bugs below; tracebacks show lines of this file, so it isn't in those."""


def spilt(*what: Any) -> str:
    """A message that holds all that was at hand."""
    return f"{MARK} {what}"


@dataclass
class Leaky:
    """Rules with bugs whose messages hold all that they were given."""

    inner: AnyEngine
    broken: frozenset[str] = frozenset()

    def __getattr__(self, name: str) -> Any:
        """Break, or do as the real ones."""
        found = getattr(self.inner, name)
        return self._break if name in self.broken else found

    def _break(self, *arguments: Any, **more: Any) -> Any:
        try:
            raise KeyError(spilt(arguments, more))
        except KeyError as error:
            error.add_note(spilt(arguments))
            raise ValueError(spilt(arguments), arguments) from error


@dataclass(frozen=True, kw_only=True)
class Buggy(App):
    """An App in which every game is played by these rules."""

    rules: Any

    def engine(self, _key: str) -> AnyEngine:
        """Find the rules of any game."""
        found: AnyEngine = self.rules
        return found


def moves_of(story: Story) -> dict[str, tuple[str, ...]]:
    """What each who owes a move might send."""
    with story.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        at = position(story.app, game)
        words = word_judge.judge(story.app, game)
        seats = {seat.number: seat.player_id for seat in seat_queries.seats(game)}
        due = sorted(at.engine.due(at.state))
        names = {number: session.get_one(actions.Player, seats[number]).name for number in due}
        return {names[number]: at.engine.suggest(at.state, number, Dice("log", 1), words) for number in due}


@pytest.mark.parametrize("kind", sorted(engines()))
@pytest.mark.tampers
def test_hidden_moves_are_in_no_log(kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Moves on file, and states and moves in the messages of bugs, are in no log line, `gm status` or `gm todo`.

    The GM plays as well. Mails break the rules' reading, the closing and the showing; all at level DEBUG.
    """
    caplog.set_level(logging.DEBUG)
    caplog.handler.setFormatter(CarefulFormatter("%(message)s"))  # as the service has it
    rules = engines()[kind].rules
    story = Story(tmp_path / "zine", words=["ROT", "TOR"], more={"service": {"gm": f"Cici <{address_of(PLAYERS[0])}>"}})
    cast = PLAYERS[: max(rules.seats[0], min(3, rules.seats[1]))]
    actions.new_game(story.app, kind, "Eriwan")
    for name, wish in zip(cast, "DNTIRO", strict=False):
        seating.join(story.app, "Eriwan", name, address_of(name), wish if kind == "crossword" else None)
    actions.start(story.app, "Eriwan")
    story.tick()
    moves = moves_of(story)
    blocks = {name: "\n".join(lines) for name, lines in moves.items() if lines}
    assert blocks
    leaky = Leaky(engines()[kind])
    for broken in ((), ("read",), ("view",), ("resolve", "act")):
        leaky.broken = frozenset(broken)
        story.app = Buggy(**{**vars(story.app), "rules": leaky})
        for name, block in blocks.items():
            story.writes(name, f"{rules.title} Eriwan\n{block}\n")
        story.tick()
    story.passes(days=30)
    story.tick(archive=True)
    config = str(story.config)
    shown = [CliRunner().invoke(cli, [*words, "--config", config]).output
             for words in (["status"], ["status", "--json"], ["todo"], ["todo", "--json"], ["list"])]  # fmt: skip
    story.close()
    assert "could not be" in caplog.text
    assert "ValueError" in caplog.text
    for text in (caplog.text, *shown):
        assert MARK not in text
        lines = {line for block in blocks.values() for line in block.splitlines() if len(line) >= 6}
        assert not [line for line in lines if line in text]
    assert "Eriwan" in shown[0]


def test_a_bug_is_told_by_its_place() -> None:
    """The traceback of a bug says where, in every link of what led to it, and gives no message away."""
    try:
        Leaky(engines()["crossword"], frozenset(["read"])).read("state", "move")
    except ValueError as error:
        said, short = trace(error), described(error)
    assert said.count("in _break") == 2
    assert re.search(r"^KeyError$.*^which led to:$.*^ValueError$", said, re.MULTILINE | re.DOTALL)
    assert MARK not in said
    assert re.fullmatch(r"ValueError in tests/trust/test_secrets\.py, line \d+", short)


def test_the_log_itself_is_careful(tmp_path: Path) -> None:
    """Whatever a library logs: a traceback comes without values, a secret is masked, and lines keep their form."""
    Secret(TAME)
    formatter = CarefulFormatter("%(levelname)s %(message)s")
    try:
        raise ValueError(spilt(TAME))
    except ValueError:
        record = logging.getLogger("x").makeRecord(
            "x", logging.ERROR, __file__, 1, "failed with %s", (TAME,), sys.exc_info()
        )
    record.exc_text = spilt(TAME)
    written = formatter.format(record)
    assert written.startswith("ERROR failed with ***\nTraceback")
    assert written.endswith("\nValueError")
    assert MARK not in written
    assert not is_in(written, TAME)


def _file(name: str) -> StoredFile:
    return StoredFile(name=name, file_name=MARK, kind=MARK, content=MARK.encode())


def test_queries_are_told_without_their_values(tmp_path: Path) -> None:
    """An error of the database names the statement, never the values: a state or a move may be among them."""

    def twice() -> None:
        with story.app.database.write() as session:
            session.add_all([_file(MARK), _file("another")])
            session.flush()
            session.add(_file("twice"))
            session.connection().exec_driver_sql(
                "INSERT INTO stored_file (name, file_name, kind, content) VALUES (?, ?, ?, ?)", (MARK, MARK, MARK, b"")
            )

    story = Story(tmp_path / "zine")
    with pytest.raises(StoreError) as raised:
        twice()
    story.close()
    assert isinstance(raised.value.__cause__, StatementError)
    for text in (str(raised.value), str(raised.value.__cause__), trace(raised.value)):
        assert MARK not in text


def test_libraries_are_kept_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would write down whole conversations with the mail servers stays quiet at level DEBUG."""
    names = ("imapclient", "sqlalchemy.engine", "apscheduler", "asyncio", "msal", "requests_oauthlib", "google.auth",
             "google_auth_oauthlib", "urllib3")  # fmt: skip
    before = {
        name: logging.getLogger(name).level for name in ("", *names, "sqlalchemy", "aiosmtplib", "google", "oauthlib")
    }
    hook = sys.modules["threading"].excepthook
    try:
        log_carefully(logging.DEBUG)
        assert not [name for name in names if logging.getLogger(name).isEnabledFor(logging.INFO)]
    finally:
        sys.modules["threading"].excepthook = hook
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
