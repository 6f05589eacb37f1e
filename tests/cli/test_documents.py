"""What README and docs/ show is so: each command is run as written, and prints what the page shows below it.

How a page is written:

- A block `console` is run. What stands behind `$ ` is typed; the lines below it are what `gm` prints. Nothing below it
  means that what it prints is not shown. A line `...` stands for any number of lines, dates and codes for any others.
- A block `mail Anna` is a mail of Anna's to the game's address, a reply to the last mail that she has got; with a
  line `Betreff: ...` on top it is a new one. A block `answer Anna` shows from the newest mail to her what matters, with
  `...` for the rest; `<!-- answer Anna: ... -->` does so where readers needn't see it.
- `<!-- zine: NAME -->` says what has happened before the page begins, `<!-- meanwhile: NAME -->` what happens here.

`make docs` writes anew what commands print; the diff is the review.
"""

import difflib
import io
import os
import re
import shlex
import smtplib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from gm.app.context import App, open_app
from gm.archive.issue import pdf
from gm.cli import main
from gm.demo.in_memory_zine import PLAYERS, digests_from, one_pass, write_config, write_mail
from gm.reports.game import show
from gm.requests.desk import actions
from gm.runtime.clock import utcnow
from gm.runtime.config.settings import load
from gm.store.queries import game_queries
from gm.store.tables import MailOut
from gm.transport.doubles.embedded_server import MailServer
from parsers.mime.message import read_mail

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ADDRESS, PASSWORD, GM = "gm@example.org", "a-password", "Cici Beilken"
ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
PEOPLE = {name.split()[0]: name for name in (*PLAYERS, "Gerda Hahn", "Ines Jahn", GM)}
WISHES = "DNTIRO"
BLOCK = re.compile(r"^```(?P<info>(?:console|mail|answer)\b[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(
    rf"{BLOCK.pattern}|^<!-- (?P<what>zine|meanwhile|answer \w+): (?P<name>[^>]*) -->$", re.MULTILINE | re.DOTALL
)


def address_of(name: str) -> str:
    """A person's address: `anna@example.org`."""
    return f"{name.split()[0].lower()}@example.org"


class Screen(io.StringIO):
    """A terminal that keeps what is shown."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@dataclass(frozen=True)
class Typed:
    """A command of a page, and what the page shows below it."""

    line: str
    shown: str


def typed(block: str) -> list[Typed]:
    """The commands of a block `console`."""
    found = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [Typed(line, shown.strip("\n")) for line, _, shown in (one.partition("\n") for one in found)]


class Zine:
    """A zine in a folder of its own, on a mail server of this process."""

    def __init__(self, folder: Path, server: MailServer, terminal: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.server, self.terminal, self.monkeypatch = folder, server, terminal, monkeypatch
        self.config = folder / "zine/config.toml"
        monkeypatch.chdir(folder)
        monkeypatch.setenv("GM_CONFIG", str(self.config))
        monkeypatch.setenv("COLUMNS", "80")
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)

    def set_up(self) -> None:
        """Make the zine that most pages begin with: it speaks German, and no game is open."""
        login = {"username": ADDRESS, "password": PASSWORD}
        more: Mapping[str, Mapping[str, Any]] = {
            "service": {"address": ADDRESS, "gm": f"{GM} <{address_of(GM)}>"},
            "imap": {"port": self.server.imap_port, **login},
            "smtp": {"port": self.server.smtp_port, **login},
        }
        write_config(self.config.parent, more=more)
        with self.app(create=True):
            pass

    @contextmanager
    def app(self, *, create: bool = False) -> Iterator[App]:
        """Open the zine, for what happens between two commands."""
        app = open_app(load(self.config), create=create)
        try:
            yield app
        finally:
            app.close()

    def types(self, line: str) -> str:
        """Type a command and return what it prints, as it would look at home."""
        words = shlex.split(line, comments=True)
        assert words[0] == "gm", f"only gm is run: {line}"
        code, shown = (self._at_terminal if words[1:2] == ["init"] else self._runs)(words[1:])
        assert code == 0, f"exit code {code}\n{shown}"
        return self.at_home(shown)

    def _runs(self, words: Sequence[str]) -> tuple[int, str]:
        """Run a command in this process, on a screen; nobody sits before it to be asked."""
        screen, code = Screen(), 0
        with self.monkeypatch.context() as patched:
            patched.setattr(sys, "argv", ["gm", *words])
            patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(self.stdin)))
            patched.setattr(sys, "stdout", screen)
            patched.setattr(sys, "stderr", screen)
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        return code, screen.getvalue()

    stdin = b"Crossword Eriwan\nNeu: E\nTRIDON\n" + 5 * b"......\n"
    """What is typed below `gm move`."""

    def _at_terminal(self, words: Sequence[str]) -> tuple[int, str]:
        """Answer what `gm init` asks: a password is read from a terminal alone."""
        gm = self.terminal(*words, cwd=self.folder)
        gm.answers("Address that players write to", ADDRESS)
        gm.answers("You, the GM", f"{GM} <{address_of(GM)}>")
        gm.answers("Mail provider", f"127.0.0.1:{self.server.imap_port} 127.0.0.1:{self.server.smtp_port}")
        gm.answers("Login name", "")
        gm.answers("Password", PASSWORD)
        gm.answers("The zine's name", "")
        return gm.ends(), gm.shown

    def at_home(self, text: str) -> str:
        """Put names that anybody may have for this machine's."""
        text = as_seen(text)
        for port, kind, secure in ((self.server.imap_port, "imap", "993 (tls)"),
                                   (self.server.smtp_port, "smtp", "587 (starttls)")):  # fmt: skip
            text = text.replace(f"127.0.0.1:{port} (none)", f"{kind}.example.org:{secure}")
            text = text.replace(f"127.0.0.1:{port}", f"{kind}.example.org")
        text = text.replace(str(self.folder), "/home/cici")
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    def one_pass(self) -> None:
        """Let the service do a pass."""
        with self.app() as app:
            digests_from(app)  # on a Sunday it would be the newest mail
            one_pass(app)

    def mails(self, name: str, text: str) -> None:
        """Let somebody write, and the service do a pass."""
        sender = address_of(name)
        first, _, rest = text.partition("\n")
        more: dict[str, Any] = {}
        if first.startswith("Betreff:"):
            more["subject"], text = first.removeprefix("Betreff:").strip(), rest.lstrip("\n")
        elif got := self.server.mails(sender):
            last = read_mail(got[-1])
            more = {"subject": f"Re: {last.subject}", "in_reply_to": last.message_id}
            self.sent_a_while_ago()
        raw = write_mail(sender, text, headers={"To": ADDRESS}, name=name, **more)
        with smtplib.SMTP("127.0.0.1", self.server.smtp_port) as smtp:
            smtp.sendmail(sender, ADDRESS, raw)
        self.one_pass()

    def sent_a_while_ago(self) -> None:
        """Let what was sent lie there for some minutes: nobody answers within seconds."""
        with self.app() as app, app.database.write() as session:
            for mail in session.exec(select(MailOut).where(col(MailOut.sent_at).is_not(None))).all():
                assert mail.sent_at
                mail.sent_at -= timedelta(minutes=5)
                session.add(mail)

    def newest_mail(self, name: str) -> str:
        """What the newest mail to somebody says, its subject on top."""
        got = self.server.mails(address_of(name))
        assert got, "there is no mail to them"
        mail = read_mail(got[-1])
        return f"Betreff: {mail.subject}\n\n{mail.text}"


def as_seen(text: str) -> str:
    """What stands on a terminal in the end: colours are left out, lines that were written over are gone."""
    lines, row = [""], 0
    for piece in re.findall(r"\x1b\[\??[\d;]*[a-zA-Z]|\r*\n|\r|[^\x1b\r\n]+", text):
        if piece.endswith("\n"):
            row += 1
            lines += [""] * (row == len(lines))
        elif piece == "\r" or (piece.startswith("\x1b") and piece.endswith("K")):
            lines[row] = ""
        elif not piece.startswith("\x1b"):
            lines[row] += piece
        elif piece.endswith("A"):
            row = max(0, row - 1)
    return "\n".join(lines)


# -- what has happened ------------------------------------------------------------------------------------------------


def empty(zine: Zine) -> None:
    """A zine without games."""
    zine.set_up()


def running(zine: Zine) -> None:
    """Eriwan is in its first round, all have got the bulletin; Oslo, a game of Typ-Dom, looks for players."""
    zine.set_up()
    with zine.app() as app:
        actions.new_game(app, "crossword", "Eriwan")
        for name, wish in zip(PLAYERS, WISHES, strict=True):
            actions.join(app, "Eriwan", name, address_of(name), wish)
        actions.start(app, "Eriwan")
        actions.new_game(app, "typ-dom", "Oslo")
    zine.one_pass()


def five_sign_up(zine: Zine) -> None:
    """Five players sign up for Eriwan."""
    with zine.app() as app:
        for name, wish in zip(PLAYERS[:5], WISHES, strict=False):
            actions.join(app, "Eriwan", name, address_of(name), wish)


def round_over(zine: Zine) -> None:
    """All but Dora move, and the round is closed."""
    with zine.app() as app:
        for name in PLAYERS:
            if name != DORA:
                actions.enter_move(app, "Eriwan", name, "Neu: E\n")
        actions.close(app, "Eriwan", app.now() + timedelta(seconds=1))
    zine.one_pass()


def last_round(zine: Zine) -> None:
    """All rounds are played; in the last one only Anna moves, and claims a word that no list knows."""
    with zine.app() as app:
        for number in range(_shown(app)["round"], 7):
            seats = _shown(app)["seats"]
            for seat, wish in zip(seats, LAST_WISHES, strict=True):
                if number < 6:
                    actions.enter_move(app, "Eriwan", seat["player"], f"Neu: {wish}\n")
            if number == 6:
                rows = [*seats[0]["grid"][:5], LAST_WISHES, "", "Z6: nort 4"]
                actions.enter_move(app, "Eriwan", ANNA, "\n".join(["Crossword Eriwan", *rows]))
            actions.close(app, "Eriwan", app.now() + timedelta(seconds=1))
    zine.one_pass()


LAST_WISHES = "NORTES"


def _shown(app: App) -> dict[str, Any]:
    with app.database.read() as session:
        return show(app, session, game_queries.named(session, "Eriwan"))


def letter(zine: Zine) -> None:
    """A letter lies in a file."""
    zine.folder.joinpath("brief.txt").write_text("Das nächste Heft kommt am Montag.\n", encoding="utf-8")


def calendar(zine: Zine) -> None:
    """config.toml has the dates of two issues; the first one appears in two months."""
    dates = [f"{wednesday(weeks)}" for weeks in (8, 13)]
    with zine.config.open("a", encoding="utf-8") as file:
        file.write(f"[zine]\nfirst = 102\ndates = {dates}\n")


def wednesday(weeks: int) -> date:
    """Give the Wednesday of a week to come."""
    today = utcnow().date()
    return today + timedelta(days=(2 - today.weekday()) % 7 + 7 * weeks)


def issue_moves(zine: Zine) -> None:
    """The GM edits the date of the first issue: it appears a week later."""
    text = zine.config.read_text(encoding="utf-8")
    zine.config.write_text(text.replace(f"{wednesday(8)}", f"{wednesday(9)}"), encoding="utf-8")


def genua(zine: Zine) -> None:
    """Two players sign up for Genua, and it starts."""
    with zine.app() as app:
        for name in PLAYERS[:2]:
            actions.join(app, "Genua", name, address_of(name), None)
        actions.start(app, "Genua")


def a_pass(zine: Zine) -> None:
    """The service does a pass."""
    zine.one_pass()


SCENES: Mapping[str, Callable[[Zine], None]] = {
    "empty": empty, "running": running, "five sign up": five_sign_up, "a round is over": round_over,
    "the last round": last_round, "a pass": a_pass,
    "a letter is written": letter, "issues are planned": calendar, "Genua starts": genua,
    "the issue moves": issue_moves,
}  # fmt: skip


# -- the pages --------------------------------------------------------------------------------------------------------


def undated(text: str) -> str:
    """What changes from day to day, made equal: dates, times of day, codes, sizes, and how tables are drawn."""
    month = "January|February|March|April|May|June|July|August|September|October|November|December"
    text = re.sub(r"\bPython 3[.\d]+", "Python 3", text)
    text = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d)?|\d\d-\d\d \d\d:\d\d", "DATE", text)
    text = re.sub(r"(\b[A-Z][a-z], )?\d\d?\.\d\d?\.(\d{4})?", "DATE", text)
    text = re.sub(rf"\d{{4}}-\d\d-\d\d|(\w+day, )?\d+ ({month})( \d{{4}})?", "DATE", text)
    text = re.sub(r"\b\d\d:\d\d(:\d\d)?\b", "TIME", text)
    text = re.sub(r"\b\d{8}-\d{6}\b", "DATE", re.sub(r'(?<=seconds_ago": )\d+', "AGO", text))
    text = re.sub(r"\d+ (seconds?|minutes?) ago|just now", "AGO", text)
    text = re.sub(r"checksum \w+", "checksum X", re.sub(r"--done [A-Z2-9]{8}", "--done CODE", text))
    text = re.sub(r"(?:\bunder )?\b\d+([.,]\d+)? (kB|MB|bytes|seconds|ms)\b", "SIZE", text)
    if os.geteuid() != 0:  # who isn't root gets a unit of their own: other lines to install it
        text = re.sub(r"(?s)(?<=with systemd:\n).*?(?=or with cron)", "", text)
    return re.sub(r" {2,}|─+", " ", text)


def is_same(shown: str, printed: str) -> bool:
    """Compare what a page shows with what is printed."""
    pieces = re.split(r"^\.\.\.$", undated(shown), flags=re.MULTILINE)
    return re.fullmatch(".*".join(map(re.escape, pieces)), undated(printed), re.DOTALL) is not None


def is_said(shown: str, mail: str) -> bool:
    """Compare what a page shows of a mail with the mail; lines may be broken elsewhere."""
    pieces = [" ".join(undated(piece).split()) for piece in shown.split("...")]
    return re.search(".*".join(map(re.escape, pieces)), " ".join(undated(mail).split())) is not None


def test_what_a_page_may_leave_open():
    """Dates and left out lines may differ; another word, or a line more, may not."""
    assert is_same("ZAT: 2026-12-05 20:00", "ZAT: 2027-01-02 20:00")
    assert is_same("first\n...\nlast", "first\nsecond\nthird\nlast")
    assert not is_same("first\nlast", "first\nsecond\nlast")
    assert not is_same("New ZAT of Eriwan", "New ZAT of Oslo")


class Page:
    """A page, told from top to bottom."""

    def __init__(self, path: Path, zine: Zine) -> None:
        self.path, self.zine, self.text = path, zine, path.read_text(encoding="utf-8")
        self.faults: list[str] = []

    def tell(self) -> str:
        """Run all that the page shows; returns the page as it would be right."""
        return STEP.sub(self._step, self.text)

    def _step(self, found: re.Match[str]) -> str:
        if found["what"] and found["what"].startswith("answer"):
            self._answer(PEOPLE[found["what"].split()[1]], found["name"])
        elif found["what"]:
            SCENES[found["name"]](self.zine)
        elif found["info"].startswith("console"):
            blocks = [self._typed(one) for one in typed(found["text"])]
            return f"```{found['info']}\n" + "\n".join(blocks) + "\n```"
        else:
            kind, who = found["info"].split()
            (self._mail if kind == "mail" else self._answer)(PEOPLE[who], found["text"])
        return found[0]

    def _typed(self, one: Typed) -> str:
        printed = self._checked(f"`{one.line}`", lambda: self.zine.types(one.line))
        is_left_out = one.line.startswith("gm issue ") and pdf.check().status != "ok"  # no Pango, no pages
        if printed is None or not one.shown or is_left_out or is_same(one.shown, printed):
            return "\n".join(filter(None, (f"$ {one.line}", one.shown)))
        lines = difflib.unified_diff(one.shown.splitlines(), printed.splitlines(), self.path.name, "now", lineterm="")
        self.faults.append(f"`{one.line}` prints something else:\n" + "\n".join(lines))
        return f"$ {one.line}\n{printed}"

    def _mail(self, name: str, text: str) -> None:
        self._checked(f"{name}'s mail", lambda: self.zine.mails(name, text) or "")

    def _answer(self, name: str, text: str) -> None:
        got = self._checked(f"the answer to {name}", lambda: self.zine.newest_mail(name))
        if got is not None and not is_said(text, got.replace("\n  > ", "\n  ")):
            self.faults.append(f"the newest mail to {name} doesn't say\n{text}\nbut\n{got}")

    def _checked(self, what: str, run: Callable[[], str]) -> str | None:
        """Go on after a fault, so that one run tells them all; returns None then."""
        try:
            return run()
        except Exception as fault:  # noqa: BLE001  it fails the test
            self.faults.append(f"{what} fails: {fault}")
            return None


@pytest.fixture
def zine(tmp_path: Path, terminal: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Zine]:
    """A mail server and an empty folder."""
    boxes = {ADDRESS: PASSWORD, "emil.funke@example.org": "x", **{address_of(name): "x" for name in PEOPLE.values()}}
    with MailServer(boxes) as server:
        yield Zine(tmp_path, server, terminal, monkeypatch)


@pytest.mark.trust(except_first=1)
@pytest.mark.sqlite
@pytest.mark.parametrize(
    "path", [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))], ids=lambda path: path.stem
)
def test_page(path: Path, zine: Zine, request: pytest.FixtureRequest) -> None:
    """Every command that a page shows runs and prints what is shown; mails are answered as the page shows."""
    page = Page(path, zine)
    right = page.tell()
    if request.config.getoption("--update-golden"):
        path.write_text(right, encoding="utf-8")
        page.faults = [fault for fault in page.faults if "prints something else" not in fault]
    if page.faults:
        head = f"{path.name} (`make docs` writes anew what commands print):"
        pytest.fail("\n\n".join([head, *page.faults]), pytrace=False)
