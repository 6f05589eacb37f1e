"""Players' input stays text: one zine full of hostile input, and a test for each place where it is shown."""

import ast
import base64
import json
import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import seating
from sqlalchemy import inspect
from sqlmodel import SQLModel, func, select
from waiting import TIMEOUT

import gm
from gm.archive.export import export
from gm.cli import main
from gm.demo.in_memory_zine import GM_ADDRESS, Story, write_mail
from gm.game.people.name_rules import clean_name
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Game, MailIn, Turn

PAYLOADS = {
    "script": "<script>alert('gm-was-here')</script><img src=x onerror=alert('gm-was-here')>",
    "attribute": "\" onmouseover=\"alert('gm-was-here')\" x='",
    "link": "javascript:alert('gm-was-here') <a href=\"data:text/html,<script>alert('gm-was-here')</script>\">x</a>",
    "template": "{{ 7 * 7 }}{% for x in ().__class__.__base__.__subclasses__() %}{% endfor %} ${7*7} %(x)s {0}",
    "terminal": "\x1b]0;gm-was-here\x07\x1b[2J\x1b[31m\x9b31m [bold red]rot[/bold red] \u202egnp.exe \x08\x08",
    "sql": "Robert'); DROP TABLE game; -- \"; DELETE FROM turn; /*",
    "calendar": "Fest\\nEND:VEVENT;X-EVIL=1,2\nBEGIN:VALARM\nATTENDEE:mailto:evil@fremd.example",
    "json": '"}],"status":"finished","evil":[{"\u2028\u2029\\u0000',
    "path": "../../../../tmp/gm-was-here /etc/passwd ..\\..\\x CON NUL:",
    "log": "Hallo\n2026-11-22 12:00:00,000 INFO closed Eriwan, turn 9",
    "xml": ']]><!ENTITY x SYSTEM "file:///etc/passwd">&x;<?php ?><!--',
}
"""What players write, by what it would like to be more than."""

HEADERS = {
    "display name": "=?utf-8?q?Anna=0D=0ABcc:_evil=40fremd.example?= <anna@spieler.example>",
    "subject": "=?utf-8?q?Zug=0D=0ABcc:_evil=40fremd.example=0D=0A=0D=0ANeuer_Text?=",
}
CAST = {who: f"{who}@spieler.example" for who in ("anna", "bernd", "carla", "dora", "emil", "frida")}
ASKED = ("Hilfe {0}", "Stand {0}", "Anmeldung {0}", "Protokoll {0} 3", "Beobachten {0}", "Urlaub {0}", "Archivname {0}",
         "Adresse {0}", "Einspruch Eriwan RAR: {0}", "GM: {0}", "Sprache {0}", "gm show {0}", "Warten {0}",
         "Crossword {0}\nNeu: E\n......", "Crossword Eriwan\nNeu: {0}\n{0}\n{0}\n......")  # fmt: skip
"""Lines in which a player can put them."""

NAMES = re.compile(r"[a-z0-9][a-z0-9.-]*|\.stamp\.json|\.[a-z]+")
FIELDS = {
    "content-type", "mime-version", "from", "to", "subject", "date", "message-id", "in-reply-to", "references",
    "auto-submitted", "x-auto-response-suppress", "x-loop", "content-language", "list-id", "list-unsubscribe",
}  # fmt: skip


@dataclass
class Flooded:
    """A zine after all of that, its archive, and what it has sent."""

    story: Story
    site: Path
    names: list[str] = field(default_factory=list)

    @cached_property
    def mails(self) -> list[EmailMessage]:
        """Everything that was sent."""
        return [_parsed(letter.raw) for letter in self.story.outbox.letters]

    @cached_property
    def html(self) -> list[tuple[str, str]]:
        """Every HTML text that somebody will open, with where it is from."""
        bodies = [mail.get_body(("html",)) for mail in self.mails]
        pages = sorted(self.site.rglob("*.html"))
        return [
            *((f"mail {number}", body.get_content()) for number, body in enumerate(bodies) if body),
            *((str(path.relative_to(self.site)), path.read_text(encoding="utf-8")) for path in pages),
        ]


def _parsed(raw: bytes) -> EmailMessage:
    mail = message_from_bytes(raw, policy=policy.SMTP)
    assert isinstance(mail, EmailMessage)
    return mail


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flooded]:
    """A whole game among players who are called like that, and say nothing else."""
    folder = tmp_path_factory.mktemp("flooded")
    story = Story(folder, words=["RAR", "ROT"], more={"archive": {"base_url": "https://postspiel.example/ds/"}})
    zine = Flooded(story, folder / "archive")
    _begin(zine)
    for number, payload in enumerate(PAYLOADS.values()):
        _say_everything(zine, number, payload)
    _smuggle_headers(story)
    story.tick()
    with story.app.database.read() as session:
        running = game_queries.named(session, "Eriwan").status == "running"
    assert running
    for _ in range(6):
        actions.close(story.app, "Eriwan", story.app.now())
        story.passes(minutes=5)
        story.tick()
    export(story.app, zine.site)
    yield zine
    story.close()


def _begin(zine: Flooded) -> None:
    """Seat the payloads themselves: as names, by command line and by mail."""
    story, payloads = zine.story, list(PAYLOADS.values())
    actions.new_game(story.app, "crossword", "Eriwan")
    actions.new_game(story.app, "typ-dom", "Offen")
    for number, (address, wish) in enumerate(zip(CAST.values(), "DNTIRO", strict=True)):
        name = clean_name(payloads[number])
        seating.join(story.app, "Eriwan", name, address, wish)
        zine.names.append(name)
    actions.start(story.app, "Eriwan")
    for number, payload in enumerate(payloads[6:]):
        _sign_up(zine, f"neu{number}@spieler.example", payload)
    for address in CAST.values():
        story.arrives(write_mail(address, "Digest an\n"))
    story.tick()


def _sign_up(zine: Flooded, address: str, name: str) -> None:
    story = zine.story
    story.arrives(_called(address, name, write_mail(address, "Anmeldung Offen\n")))
    story.tick()
    asked = _parsed(next(one.raw for one in reversed(story.outbox.letters) if one.recipient == address))
    story.arrives(write_mail(address, "Ja\n", subject=f"Re: {asked['Subject']}", in_reply_to=asked["Message-ID"]))
    story.tick()
    zine.names.append(clean_name(name))


def _called(address: str, name: str, raw: bytes) -> bytes:
    """Write a sender's name as mail programs do that encode whatever they get."""
    sender = f"From: =?utf-8?b?{base64.b64encode(name.encode()).decode()}?= <{address}>\r"
    return re.sub(rb"(?m)^From: .*$", sender.encode(), raw, count=1)


def _say_everything(zine: Flooded, number: int, payload: str) -> None:
    """Let a player use it as press, message, subject and in every command; a stranger does the same."""
    story = zine.story
    player, stranger = list(CAST.values())[number % 6], f"fremd{number}@fremd.example"
    one_line = " ".join(payload.split())
    story.arrives(write_mail(player, f"Presse Eriwan:\n{payload}\nEnde\n"))
    story.arrives(write_mail(player, f"{payload}\n", subject=clean_name(payload)))
    for line in ASKED:
        story.arrives(write_mail(player, f"{line.format(one_line)}\n", subject="Zug"))
    story.arrives(write_mail(stranger, f"Hilfe\n{payload}\n", subject=clean_name(payload)))
    story.tick()
    story.passes(hours=2)  # so that answers aren't left out for their number


def _smuggle_headers(story: Story) -> None:
    for extra in ({"From": HEADERS["display name"]}, {"Subject": HEADERS["subject"]}):
        raw = write_mail(CAST["anna"], "Stand Eriwan\n")
        for name, value in extra.items():
            raw = re.sub(rb"(?m)^%s: .*$" % name.encode(), f"{name}: {value}\r".encode(), raw, count=1)
        story.arrives(raw)
    odd = '<a"b,c:d;e@fremd.example>\r\n <x@[1.2.3.4]> <\t> <evil@fremd.example> Bcc: evil@fremd.example'
    raw = write_mail(CAST["anna"], "Stand Eriwan\n", message_id='<a"b,c:d;e=?utf-8?q?=0D=0A?=@fremd.example>')
    story.arrives(raw.replace(b"\r\nTo:", f"\r\nReferences: {odd}\r\nIn-Reply-To: {odd}\r\nTo:".encode(), 1))


# -- HTML --------------------------------------------------------------------------------------------------------------


ODD_LINK = re.compile(r"\s*(?!https:|mailto:|data:image/)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Seen(HTMLParser):
    """Collects what a browser would do something about."""

    ACTIVE = ("script", "iframe", "object", "embed", "applet", "form", "base", "frame", "portal", "audio", "video")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.active: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note elements that do something, handlers, and links that aren't plain ones."""
        if tag in self.ACTIVE or (tag == "meta" and dict(attrs).get("http-equiv") == "refresh"):
            self.active.append(f"<{tag}>")
        for name, value in attrs:
            is_link = name in ("href", "src", "action", "background", "formaction", "xlink:href", "srcset")
            odd = is_link and re.match(
                r"\s*(?!https:|mailto:|data:image/)[a-z][a-z0-9+.-]*:", value or "", re.IGNORECASE
            )
            if name.startswith("on") or name in ("srcdoc", "ping") or odd:
                self.active.append(f"<{tag} {name}={value!r}>")
            if name == "style" and re.search(r"url\(|expression|@import|behavior", value or "", re.IGNORECASE):
                self.active.append(f"<{tag} {name}={value!r}>")

    def handle_data(self, data: str) -> None:
        """Keep what is read."""
        self.text.append(data)


def test_html_of_mails_and_pages_holds_no_active_content(flooded: Flooded) -> None:
    """No script, handler, form, frame or odd link is in anything that somebody opens, whatever players wrote."""
    number = 0
    for where, html in flooded.html:
        seen = Seen()
        seen.feed(html)
        assert seen.active == [], where
        number += 1
    assert number > 100


def test_what_was_written_is_still_there_to_be_read(flooded: Flooded) -> None:
    """Encoded, not thrown away: every press is read on the game's pages and in a mail as it was written."""
    pages = " ".join("".join(_read(html)) for where, html in flooded.html if not where.startswith("mail"))
    mails = " ".join("".join(_read(html)) for where, html in flooded.html if where.startswith("mail"))
    for name, payload in PAYLOADS.items():
        for line in payload.splitlines():
            words = [word for word in line.split() if word.isprintable() and not re.search(r"@|:|/", word)]
            missing = [word for word in words if word not in pages or word not in mails]
            assert not missing, f"{name}: {missing}"


def _read(html: str) -> list[str]:
    seen = Seen()
    seen.feed(html)
    return seen.text


@pytest.mark.server
def test_a_browser_with_scripts_switched_on_does_nothing_with_it(
    flooded: Flooded, launch: Callable[..., Any], tmp_path: Path
) -> None:
    """In Chromium no dialog opens and nothing is asked of the net, on a page of each kind and in mails."""
    chosen = _worst(flooded, tmp_path)
    happened: list[str] = []
    with launch() as browser:
        page = browser.new_page()
        page.set_default_timeout(1000 * TIMEOUT)
        page.on("dialog", lambda dialog: (happened.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: happened.append(f"error {error}"))
        page.on("request", lambda request: happened.append(request.url) if "file:" not in request.url[:5] else None)
        for path in chosen:
            page.goto(path.as_uri())
            for element in page.locator("a, summary, td, th").all()[:5]:
                element.dispatch_event("mouseover")
        assert page.evaluate("1 + 1") == 2, "scripts are on"
    assert happened == []
    assert len(chosen) > 20


def _worst(flooded: Flooded, folder: Path) -> list[Path]:
    """Choose what is worth a look: the pages and mails with most of the payloads, one of each shape."""
    best: dict[str, tuple[int, str, str]] = {}
    for where, html in flooded.html:
        shape = re.sub("[0-9]+", "", re.sub("personen/[^/]+", "person", where)) + f"{len(html) // 4000}"
        rank = html.count("gm-was-here")
        if rank >= best.get(shape, (-1, "", ""))[0]:
            best[shape] = (rank, where, html)
    paths = []
    for number, (_, where, html) in enumerate(best.values()):
        if where.startswith("mail"):
            paths.append(folder / f"{number}.html")
            paths[-1].write_text(html, encoding="utf-8")
        else:
            paths.append(flooded.site / where)
    return paths


# -- mails -------------------------------------------------------------------------------------------------------------


def test_no_mail_has_a_field_that_is_not_ours(flooded: Flooded) -> None:
    """Line breaks in names, subjects and ids make no header: known fields, once each, one recipient."""
    for letter in flooded.story.outbox.letters:
        head = letter.raw.partition(b"\r\n\r\n")[0]
        lines = head.split(b"\r\n")
        assert b"\r" not in b"".join(lines)
        assert b"\n" not in b"".join(lines)
        assert b"\0" not in letter.raw
        assert max(map(len, letter.raw.split(b"\r\n"))) <= 998
        names = [line.partition(b":")[0].decode().lower() for line in lines if line[:1] not in b" \t"]
        assert len(names) == len(set(names)), names
        assert set(names) <= FIELDS, set(names) - FIELDS
        mail = _parsed(letter.raw)
        assert [one.addr_spec for one in mail["To"].addresses] == [letter.recipient]
        assert [one.addr_spec for one in mail["From"].addresses] == [GM_ADDRESS]
        assert not mail.defects, mail.defects


def test_subjects_are_one_printable_line(flooded: Flooded) -> None:
    """What a player wrote as subject, name or word comes out without control and direction characters."""
    for mail in flooded.mails:
        assert str(mail["Subject"]).isprintable(), repr(mail["Subject"])
        assert str(mail["To"].addresses[0].display_name).isprintable()


# -- the GM's terminal and the logs ------------------------------------------------------------------------------------

STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
RICH = re.compile(r"\x1b\[[0-9;]*m|\r(?=\n)")
COMMANDS = (
    ("todo",), ("status",), ("list",), ("show", "Eriwan"), ("players",), ("mail", "list"), ("rulings",),
    ("standbys", "list"), ("digest",), ("verify",),
)  # fmt: skip


@pytest.fixture
def gm_says(flooded: Flooded, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run `gm` and return what it printed into a pipe."""

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["gm", *arguments, "--config", str(flooded.story.config)])
        capsys.readouterr()
        with suppress(SystemExit):
            main()
        return "".join(capsys.readouterr())

    return run


def _on_a_terminal(flooded: Flooded, *arguments: str) -> str:
    """Run `gm` on a terminal and return what was shown."""
    here = ("--config", str(flooded.story.config))
    command = [sys.executable, "-c", "from gm.cli import main; main()", *arguments, *here]
    screen, slave = pty.openpty()
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "xterm"}):
        os.close(slave)
        shown = b"".join(iter(lambda: _read_screen(screen), b""))
    os.close(screen)
    return shown.decode(errors="replace")


def _read_screen(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # Linux says so at the end of a terminal
        return b""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_lets_a_player_steer_the_terminal(
    command: tuple[str, ...], flooded: Flooded, gm_says: Callable[..., str]
) -> None:
    """Control and direction characters are made visible; markup of Rich is printed as it is."""
    said = gm_says(*command)
    assert said.strip(), "it has something to say"
    assert not STEERING.findall(said), command
    if command[0] in ("todo", "players"):
        shown = _on_a_terminal(flooded, *command)
        assert "bold red" in shown, "Rich takes it for text"
        assert not STEERING.findall(RICH.sub("", shown)), command


def test_every_received_mail_can_be_looked_at(flooded: Flooded, gm_says: Callable[..., str]) -> None:
    """`gm mail show` and `gm player show` print hostile mails and names harmlessly."""
    with flooded.story.app.database.read() as session:
        mails = sorted(session.exec(select(func.max(MailIn.id)).group_by(MailIn.subject)))
    for number in mails[:6]:
        assert not STEERING.findall(gm_says("mail", "show", f"{number}"))
    assert not STEERING.findall(gm_says("player", "show", flooded.names[4]))


def test_json_for_scripts_is_json_whatever_was_written(flooded: Flooded, gm_says: Callable[..., str]) -> None:
    """`--json` and partie.json are read back as they were meant, without a key that a player brought along."""
    shown = json.loads(gm_says("show", "Eriwan", "--json"))
    assert shown["status"] in ("finished", "provisional")
    assert {seat["player"] for seat in shown["seats"]} == set(flooded.names[:6])
    for command in (("todo",), ("players",), ("mail", "list"), ("status",)):
        json.loads(gm_says(*command, "--json"))
    for path in flooded.site.rglob("*.json"):
        assert "evil" not in _keys(json.loads(path.read_bytes())), path
    for path in flooded.site.rglob("*.xml"):
        assert ElementTree.parse(path).getroot().tag.startswith("{")


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, list) else set()


def test_a_log_line_is_one_line(flooded: Flooded, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody forges an entry of the log: neither names nor texts of players bring a line break into one."""
    story = flooded.story
    with caplog.at_level("DEBUG"):
        for number, payload in enumerate(PAYLOADS.values()):
            story.arrives(write_mail(CAST["anna"], f"Hilfe\n{payload}\n", subject=clean_name(payload)))
            story.arrives(_called(f"wer{number}@fremd.example", payload, write_mail(GM_ADDRESS, payload)))
        story.tick(archive=True)
    ours = [record for record in caplog.records if record.name.startswith("gm")]
    assert ours or story.tick().is_idle
    said = [record.getMessage() for record in ours]
    assert [line for line in said if STEERING.search(line) or "\n" in line] == []
    assert "gm-was-here" not in caplog.text, "what players write is not logged"


# -- SQL and paths -----------------------------------------------------------------------------------------------------


def test_the_database_is_whole(flooded: Flooded) -> None:
    """Every table is there with its rows; a replay of all games finds nothing changed."""
    database = flooded.story.app.database
    assert set(SQLModel.metadata.tables) <= set(inspect(database.engine).get_table_names())
    with database.read() as session:
        assert session.exec(select(func.count(Game.id))).one() == 2
        assert session.exec(select(func.count(Turn.id))).one() > 6
        if not database.is_shared:
            assert session.connection().exec_driver_sql("PRAGMA integrity_check").fetchone() == ("ok",)
    with pytest.raises(Refused, match="no game"), flooded.story.app.database.read() as session:
        game_queries.named(session, PAYLOADS["sql"])


STATEMENTS = ("text", "exec_driver_sql", "execute", "executescript", "executemany")


def test_no_statement_is_put_together_from_values() -> None:
    """SQL as text is written out in full in our code; values are handed to the driver beside it."""
    root = Path(gm.__file__).parent
    calls = (
        (path, node)
        for path in root.rglob("*.py") if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    )  # fmt: skip
    made = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path, node in calls
        if _name(node.func) in STATEMENTS and node.args and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
    ]
    assert sorted(made) == sorted(_exceptions(root))


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _exceptions(root: Path) -> Iterator[str]:
    """Find what takes no parameter: a pragma, with values of our own, and the name of a table of ours."""
    for name, said in (
        ("store/database.py", 'f"PRAGMA {pragma}"'), ("store/database.py", 'f"PRAGMA busy_timeout='),
        ("service/maintenance/migrate.py", "f'ALTER TABLE"),
    ):  # fmt: skip
        lines = (root / name).read_text(encoding="utf-8").splitlines()
        yield f"{name}:{next(number for number, line in enumerate(lines, 1) if said in line)}"


def test_archive_paths_are_made_of_plain_letters(flooded: Flooded) -> None:
    """Whatever a player's name is, the page is inside the archive's folder under a portable file name."""
    paths = list(flooded.site.rglob("*"))
    parts = {part for path in paths for part in path.relative_to(flooded.site).parts}
    assert {part for part in parts if not NAMES.fullmatch(part)} == set()
    assert not [path for path in paths if path.is_symlink()]
    assert not Path("/tmp/gm-was-here").exists()
    persons = [path.name for path in (flooded.site / "personen").iterdir() if path.is_dir()]
    assert len(persons) >= 6
