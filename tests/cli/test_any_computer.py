"""`gm` on a computer without POSIX, as far as that can be played elsewhere (without_posix.py). See docs/install.md."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

import pytest
from waiting import TIMEOUT, until

from gm.demo.in_memory_zine import GM_ADDRESS, write_mail
from gm.runtime.errors import Refused
from gm.service.maintenance import backup
from gm.transport.doubles.embedded_server import MailServer

PASSWORD = "hunter2-is-secret"
ANNA = "anna@spieler.example"
COMMAND = (sys.executable, "-X", "warn_default_encoding", str(Path(__file__).with_name("without_posix.py")))

pytestmark = pytest.mark.sqlite


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mailbox of the zine, one of the GM and one of a player."""
    with MailServer({GM_ADDRESS: PASSWORD, "cici@postspiel.example": "x", ANNA: "x"}) as server:
        yield server


@pytest.fixture
def gm(tmp_path: Path):
    """Run `gm` in a folder for this test, as on Windows; nothing may be said on stderr."""

    def run(*words: str) -> str:
        done = subprocess.run([*COMMAND, *words], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT)
        assert (done.returncode, done.stderr) == (0, ""), (words, done.stdout)
        return done.stdout

    return run


@pytest.fixture
def zine(gm, server: MailServer, tmp_path: Path) -> Path:
    """A zine that was set up there."""
    (tmp_path / "password").write_text(f"{PASSWORD}\n", "utf-8")
    gm(
        "init", "zine", "--address", GM_ADDRESS, "--gm", "Cici Beilken <cici@postspiel.example>", "--name", "Spiele",
        "--provider", f"127.0.0.1:{server.imap_port} 127.0.0.1:{server.smtp_port}", "--username", GM_ADDRESS,
        "--password-file", "password",
    )  # fmt: skip
    return tmp_path / "zine"


def left_in(folder: Path) -> list[str]:
    """Drafts that nobody has cleared away."""
    return [path.name for path in folder.rglob("*.part*")]


@pytest.mark.slow
def test_a_zine(gm, zine: Path, server: MailServer, tmp_path: Path) -> None:
    """It is set up, found well, answers a mail, is copied and restored, and nothing is left over."""
    config = ("--config", "zine/config.toml")
    assert "fail" not in gm("doctor", *config)
    server.append(GM_ADDRESS, write_mail(ANNA, "Hilfe"))
    assert gm("serve", "--once", *config).startswith("1 mails handled, 0 rounds closed, 1 mails sent")
    assert (zine / "archive/index.html").exists()
    gm("backup", "copy.tar.gz", *config)
    gm("restore", "copy.tar.gz", "again")
    assert (tmp_path / "again/config.toml").read_bytes() == (zine / "config.toml").read_bytes()
    says = gm("doctor", *config)  # by now it restores the night's copy
    assert "1 kept in" in says
    assert "fail" not in says
    assert left_in(tmp_path) == []


@pytest.mark.slow
def test_the_service(zine: Path, server: MailServer, tmp_path: Path) -> None:
    """`gm serve` waits for mail, answers it, and ends in order with Ctrl-C."""
    config = zine / "config.toml"
    log = tmp_path / "log"
    with log.open("wb") as written:
        service = subprocess.Popen([*COMMAND, "serve", "--config", str(config)], stderr=written)
    try:
        until("the first pass", lambda: "mails handled, " in log.read_text("utf-8"))
        server.append(GM_ADDRESS, write_mail(ANNA, "Hilfe"))
        until("the answer", lambda: server.mails(ANNA))
        service.send_signal(signal.SIGINT)
        assert service.wait(TIMEOUT) == 0
    finally:
        service.kill()
        service.wait()
    said = log.read_text("utf-8")
    assert said.splitlines()[-1].endswith("the service ends (SIGINT)")
    assert {line.split()[2] for line in said.splitlines()} == {"INFO"}, said


@pytest.mark.trust
@pytest.mark.slow
def test_the_demo(gm, tmp_path: Path) -> None:
    """A whole game is played over SMTP and IMAP, and its pages are made."""
    gm("demo", "--fast", "--keep", "demo")
    assert (tmp_path / "demo/archive/partien/eriwan/index.html").exists()
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("name", [r"..\words.txt", r"issues\..\..\x.md", r"C:\words.txt", "C:words.txt", r"\words.txt"])
def test_no_file_of_a_backup_leaves_its_folder_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is plain on POSIX may lead elsewhere on Windows: it is refused there."""
    monkeypatch.setattr(backup, "Path", PureWindowsPath)
    with pytest.raises(Refused, match="names a file elsewhere"):
        backup._inside(name, "[lexicon] extra")
