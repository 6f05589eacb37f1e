"""`gm` as it is called from a shell, on a zine of its own."""

import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import databases
import pytest
import seating
from waiting import TIMEOUT

from gm.app.context import App, open_app
from gm.cli import main
from gm.demo.in_memory_zine import PLAYERS, address_of, write_config
from gm.requests.desk import actions
from gm.runtime.config.settings import load

PASSWORD = "hunter2-is-secret"
WORDS = ("BROT", "NOTE", "TON", "ROT", "NOT", "ORT", "DORN", "RIND", "TINTE", "OR", "-TOR")


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[list[str]]:
        """The tab-separated cells of a table in a pipe."""
        return [line.split("\t") for line in self.out.splitlines()]


class Shell:
    """Runs `gm`; everything it ever printed is kept in `printed`."""

    def __init__(self, config: Path, capsys: Any, monkeypatch: Any) -> None:
        self.config = config
        self.printed: list[str] = []
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def run(self, *arguments: str, stdin: bytes = b"") -> Ran:
        """Run `gm` with exactly these arguments."""
        self._monkeypatch.setattr(sys, "argv", ["gm", *arguments])
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        captured = self._capsys.readouterr()
        self.printed += [captured.out, captured.err]
        return Ran(code, captured.out, captured.err)

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ran:
        """Run `gm` on this zine; it must succeed."""
        ran = self.run(*arguments, "--config", str(self.config), stdin=stdin)
        assert ran.code == 0, ran.err
        assert ran.err == ""
        return ran

    def refused(self, *arguments: str, stdin: bytes = b"") -> str:
        """Run `gm` on this zine; it must refuse in one sentence without a traceback. Returns the sentence."""
        ran = self.run(*arguments, "--config", str(self.config), stdin=stdin)
        assert ran.code == 1, (ran.code, ran.out, ran.err)
        assert ran.err.startswith("gm: ")
        assert "Traceback" not in ran.err
        assert "bug in gm" not in ran.err, ran.err
        assert ran.err.rstrip().endswith((".", "gm mail list`.")), ran.err
        return ran.err.removeprefix("gm: ").rstrip("\n")

    @contextmanager
    def app(self) -> Iterator[App]:
        """Open the zine itself, for what would take many commands."""
        app = open_app(load(self.config))
        try:
            yield app
        finally:
            app.close()

    def dump(self) -> list[str]:
        """Everything in the database."""
        return databases.CHOSEN.dump(self.config.parent)


class Terminal:
    """`gm` on a terminal of its own, 80 columns wide; `shown` is all that was ever on the screen."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
        self.screen, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        # Who asks for a password opens the terminal by its name: it must be the one that controls the process.
        # Whoever starts the tests in the background lets them ignore Ctrl-C, and a child inherits that.
        code = (
            "import fcntl, signal, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
            "signal.signal(signal.SIGINT, signal.default_int_handler); from gm.cli import main; main()"
        )
        surroundings = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**surroundings, "TERM": "xterm", **(env or {})}, cwd=cwd,
        )  # fmt: skip
        os.close(slave)
        self.shown = ""
        self._seen = 0

    def sees(self, text: str, seconds: float = TIMEOUT) -> None:
        """Wait until this is shown, behind what was waited for before."""
        until = time.monotonic() + seconds
        while (at := self.shown.find(text, self._seen)) < 0:
            assert self._reads(until - time.monotonic()), f"no {text!r} in {self.shown[self._seen :]!r}"
        self._seen = at + len(text)

    def types(self, line: str) -> None:
        """Type a line."""
        os.write(self.screen, f"{line}\n".encode())

    def answers(self, question: str, line: str) -> None:
        """Wait for a question and type the answer."""
        self.sees(question)
        self.sees(": ")  # the blank comes when a password's echo is off; what is typed before is thrown away
        self.types(line)

    def interrupts(self) -> None:
        """Press Ctrl-C until the program ends: Python misses one that comes just as it begins to read a line."""
        until = time.monotonic() + TIMEOUT
        while self.process.poll() is None:
            assert time.monotonic() < until, f"Ctrl-C ends nothing: {self.shown!r}"
            os.write(self.screen, b"\x03")
            while self._reads(1):
                pass

    def ends(self) -> int:
        """Wait for the end; returns the exit code."""
        while self._reads(TIMEOUT):
            pass
        return self.process.wait(TIMEOUT)

    def _reads(self, seconds: float) -> bool:
        if not select.select([self.screen], [], [], max(0, seconds))[0]:
            return False
        try:
            more = os.read(self.screen, 4096)
        except OSError:  # Linux's way to say that the other end is closed
            return False
        self.shown += more.decode(errors="replace").replace("\r\n", "\n")
        return bool(more)

    def close(self) -> None:
        """End whatever still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.screen)


@pytest.fixture(autouse=True)
def _fixed_time(gm_clock: Callable[[str], None]) -> None:
    """Give each test of the command line the same time on any day."""


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Run `gm` on a terminal."""
    opened: list[Terminal] = []

    def begin(*arguments: str, **more: Any) -> Terminal:
        opened.append(Terminal(*arguments, **more))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()


@pytest.fixture
def make_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Shell]:
    """Set up a zine whose mailbox has a password."""

    def make(**more: dict[str, Any]) -> Shell:
        login = {"username": "zug@postspiel.example", "password": PASSWORD}
        sections = {"imap": dict(login), "smtp": dict(login)}
        for section, keys in more.items():
            sections.setdefault(section, {}).update(keys)
        sections = {name: {key: value for key, value in keys.items() if value is not None} for name, keys in
                    sections.items()}  # fmt: skip
        return Shell(write_config(tmp_path / "zine", words=WORDS, more=sections), capsys, monkeypatch)

    return make


@pytest.fixture
def gm(make_shell: Callable[..., Shell]) -> Shell:
    """An empty zine."""
    return make_shell()


@pytest.fixture
def running(gm: Shell) -> Shell:
    """A zine with the game Eriwan in its first round."""
    with gm.app() as app:
        actions.new_game(app, "crossword", "Eriwan")
        for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
            seating.join(app, "Eriwan", name, address_of(name), letter)
        actions.start(app, "Eriwan")
    return gm
