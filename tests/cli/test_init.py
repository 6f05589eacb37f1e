"""`gm init`: what it asks, and that what it writes runs; the systemd unit of the package."""

import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import TIMEOUT, until

from gm.demo.in_memory_zine import GM_ADDRESS, write_mail
from gm.runtime.config.settings import Encryption, load
from gm.runtime.errors import Refused
from gm.service.setup import providers
from gm.service.setup.providers import (
    PROVIDERS,
    Kind,
    Provider,
    Server,
    provider_of_domain,
    provider_of_server,
    read_server,
    read_servers,
)
from gm.transport.doubles.embedded_server import MailServer

PASSWORD = "hunter2-is-secret"
ANNA = "anna@spieler.example"
CICI = "Cici Beilken <cici@postspiel.example>"
ROOT = Path(__file__).parents[2]
UNIT = ROOT / "gm/gm.service"
PAGE = (ROOT / "docs/install.md").read_text("utf-8")


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mailbox of the zine, one of the GM and one of a player."""
    with MailServer({GM_ADDRESS: PASSWORD, "cici@postspiel.example": "x", ANNA: "x"}) as server:
        yield server


def servers_of(server: MailServer) -> str:
    """The answer to the question for the servers."""
    return f"127.0.0.1:{server.imap_port} 127.0.0.1:{server.smtp_port}"


def options(server: MailServer) -> tuple[str, ...]:
    """What `gm init` need not ask."""
    return ("--address", GM_ADDRESS, "--gm", CICI, "--provider", servers_of(server))


def mode(path: Path) -> int:
    """The rights of a file."""
    return path.stat().st_mode & 0o777


# -- with a terminal -------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_the_whole_conversation(server, terminal, tmp_path):
    """Five questions set up a zine; the password is in a file of its own and nowhere else."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder))
    gm.answers("Address that players write to", "nonsense")
    gm.answers("allowed is an address like gm@example.org", GM_ADDRESS)
    gm.answers("You, the GM", GM_ADDRESS)
    gm.answers("allowed is another address", CICI)
    gm.sees("Known providers: GMX, WEB.DE")
    gm.answers("Mail provider, or its IMAP server and its SMTP server", "nobody")
    gm.answers("give both servers, like imap.example.org smtp.example.org", servers_of(server))
    gm.answers(f"Login name [{GM_ADDRESS}]", "")
    gm.answers("Password", PASSWORD)
    gm.answers("The zine's name [Postspiele]", "Ortszeit")
    assert gm.ends() == 0, gm.shown
    assert gm.shown.endswith(f"Next: gm doctor --config {shlex.quote(str(folder / 'config.toml'))}\n")
    assert PASSWORD not in gm.shown + (folder / "config.toml").read_text()
    assert (folder / "mailbox.password").read_text() == f"{PASSWORD}\n"
    assert {path.name: mode(path) for path in folder.iterdir()} == dict.fromkeys(
        ("config.toml", "mailbox.password", "gm.db"), 0o600
    )
    settings = load(folder / "config.toml")
    assert settings.service.name == "Ortszeit"
    assert (settings.imap.port, settings.imap.security) == (server.imap_port, "none")
    assert settings.imap.username == settings.smtp.username == GM_ADDRESS
    assert settings.imap.password.get_secret_value() == settings.smtp.password.get_secret_value() == PASSWORD


@pytest.mark.trust
def test_no_password_yet(server, terminal, tmp_path):
    """Without a password the config names the environment variables."""
    gm = terminal("init", str(tmp_path / "new"), *options(server), "--username", "cici", "--name", "Ortszeit")
    gm.answers("Password", "")
    assert gm.ends() == 0, gm.shown
    assert "GM_IMAP_PASSWORD" in gm.shown
    text = (tmp_path / "new/config.toml").read_text()
    assert 'password_env = "GM_SMTP_PASSWORD"' in text
    assert 'username = "cici"' in text


@pytest.mark.trust
def test_gmail(terminal, tmp_path):
    """The servers of a big provider follow from the address; the first advice for Google is the app password."""
    gm = terminal("init", str(tmp_path / "new"), "--gm", CICI)
    gm.answers("Address that players write to", "zug@gmail.com")
    gm.sees("Mails are fetched from imap.gmail.com:993 and sent through smtp.gmail.com:465.")
    gm.sees("make an app password")
    gm.answers("Login name", "")
    gm.answers("Password", PASSWORD)
    gm.answers("name [Postspiele]", "")
    assert gm.ends() == 0, gm.shown
    assert load(tmp_path / "new/config.toml").smtp.security == "tls"


@pytest.mark.trust
def test_microsoft(terminal, tmp_path):
    """Microsoft takes no password: the id of the app is asked for instead, and `gm login` is next."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder), "--gm", CICI, "--address", "zug@zine.example")
    gm.answers("Mail provider", "microsoft 365")
    gm.sees("register an app there")
    gm.answers("Client id of your app there", "app-1")
    gm.answers("name [Postspiele]", "")
    assert gm.ends() == 0, gm.shown
    assert "Next: gm login --config" in gm.shown
    settings = load(folder / "config.toml")
    assert (settings.oauth.provider, settings.oauth.client_id) == ("microsoft", "app-1")
    assert settings.imap.oauth == settings.smtp.oauth == settings.oauth


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("at", ["Address that players write to", "Mail provider", "Password", "The zine's name"])
def test_ctrl_c_at_any_question(at, server, terminal, tmp_path):
    """Who breaks the questions off has set nothing up, and can begin again."""
    gm = terminal("init", str(tmp_path / "new"), "--gm", CICI)
    answers = {"Address that players write to": GM_ADDRESS, "Mail provider": servers_of(server), "Login name": "",
               "Password": PASSWORD, "The zine's name": ""}  # fmt: skip
    for question, answer in answers.items():
        if question == at:
            gm.sees(question)
            gm.interrupts()
            break
        gm.answers(question, answer)
    assert gm.ends() != 0
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_written_is_told_first(terminal, tmp_path):
    """Nobody answers five questions to learn that the folder is none."""
    (tmp_path / "file").write_text("")
    gm = terminal("init", str(tmp_path / "file" / "new"))
    assert gm.ends() == 1
    assert "Address" not in gm.shown
    assert "can't be written to" in gm.shown


# -- without a terminal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ((), "--address, --gm and --provider"),
        (("--address", "zug@postspiel.example", "--gm", CICI), "--provider"),
        (("--address", "zug@gmx.de"), "--gm"),
        (("--address", "zug@outlook.de", "--gm", CICI), "--client-id"),
    ],
)
def test_without_a_terminal_nothing_is_asked(given, missing, gm, tmp_path):
    """What is missing is named by its option, all at once."""
    ran = gm.run("init", str(tmp_path / "new"), *given, stdin=b"zug@postspiel.example\n" * 9)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"gm: Without a terminal nothing can be asked; give {missing} as well.\n"
    assert not (tmp_path / "new").exists()


def test_a_password_from_a_file(server, gm, tmp_path):
    """A script can do it all; `gm doctor` tries the logins, and finds everything in order."""
    (tmp_path / "given").write_text(f"{PASSWORD}\n")
    ran = gm.run("init", str(tmp_path / "new"), *options(server), "--password-file", str(tmp_path / "given"))
    assert (ran.code, ran.err) == (0, "")
    doctor = gm.run("doctor", "--config", str(tmp_path / "new/config.toml"))
    assert doctor.code == 0, doctor.out
    assert "ok    IMAP login" in doctor.out
    assert "ok    SMTP login" in doctor.out
    assert PASSWORD not in "".join(gm.printed)
    missing = gm.run("init", str(tmp_path / "other"), *options(server), "--password-file", str(tmp_path / "missing"))
    assert "can't be read: No such file or directory" in missing.err


def test_a_wrong_password(server, gm, tmp_path, monkeypatch):
    """`gm doctor` says that the login was refused, and what the provider wants done first."""
    here = Provider("Here", "", "127.0.0.1", f"127.0.0.1:{server.smtp_port}", hint="Here IMAP is switched on first.")
    monkeypatch.setattr(providers, "PROVIDERS", (*PROVIDERS, here))
    (tmp_path / "given").write_text("wr0ng")
    assert gm.run("init", str(tmp_path / "new"), *options(server), "--password-file", str(tmp_path / "given")).code == 0
    said = gm.run("doctor", "--config", str(tmp_path / "new/config.toml"))
    assert said.code == 1
    for kind in ("IMAP", "SMTP"):
        assert re.search(
            rf"^fail  {kind} login: .*refused the login.* Here IMAP is switched on", said.out, re.MULTILINE
        )
    assert "wr0ng" not in "".join(gm.printed)


def test_set_up_again(server, gm, tmp_path):
    """What an earlier try has left, whatever ended it, is no zine yet and in nobody's way."""
    (tmp_path / "given").write_text(PASSWORD)
    command = ("init", str(tmp_path / "new"), *options(server), "--password-file", str(tmp_path / "given"))
    assert gm.run(*command).code == 0
    assert "is there already; edit it" in gm.run(*command).err
    (tmp_path / "new/config.toml").unlink()
    assert gm.run(*command).code == 0
    assert gm.run("doctor", "--config", str(tmp_path / "new/config.toml")).code == 0


# -- servers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "server"),
    [
        ("imap", "mail.example.org", ("mail.example.org", 993, "tls")),
        ("smtp", "mail.example.org", ("mail.example.org", 587, "starttls")),
        ("smtp", "mail.example.org:465", ("mail.example.org", 465, "tls")),
        ("imap", " mail.example.org:143 ", ("mail.example.org", 143, "starttls")),
        ("imap", "mail.example.org:10143", ("mail.example.org", 10143, "tls")),
        ("imap", "127.0.0.1:10143", ("127.0.0.1", 10143, "none")),
        ("imap", "[::1]:10143", ("::1", 10143, "none")),
    ],
)
def test_the_port_says_the_encryption(kind: Kind, text: str, server: tuple[str, int, Encryption]):
    """A host is enough, a port behind it says the rest; without encryption only this machine is spoken to."""
    assert read_server(kind, text) == Server(host=server[0], port=server[1], security=server[2])


@pytest.mark.parametrize("text", ["", "https://example.org", "a b", "example.org:0", "example.org:65536", "x:y"])
def test_what_is_no_server(text):
    """A text that is no server is refused with an example."""
    with pytest.raises(Refused, match=r"write it like mail\.example\.org"):
        read_server("imap", text)


@pytest.mark.parametrize(
    ("text", "servers"),
    [
        ("ionos", "imap.ionos.de:993 smtp.ionos.de:465"), ("web.de", "imap.web.de:993 smtp.web.de:587"),
        ("i.example.org, s.example.org:465", "i.example.org:993 s.example.org:465"),
        ("mail.example.org", "mail.example.org:993 mail.example.org:587"),
    ],
)  # fmt: skip
def test_the_answer_about_servers(text, servers):
    """A provider's name, two servers, or one for both."""
    assert " ".join(map(str, read_servers(text))) == servers


@pytest.mark.parametrize("text", ["", "nobody", "a.example.org b.example.org c.example.org", "a.example.org:993"])
def test_no_answer_about_servers(text):
    """Anything else is refused with an example."""
    with pytest.raises(Refused, match=r"like imap\.example\.org smtp\.example\.org"):
        read_servers(text)


def test_providers():
    """A domain is known whatever its case; none belongs to two providers, none is reached without encryption."""
    domains = [domain for one in PROVIDERS for domain in one.domains.split()]
    assert len(domains) == len(set(domains))
    assert {server.security for one in PROVIDERS for server in one.servers} == {"tls", "starttls"}
    assert provider_of_domain("GMX.de") is provider_of_domain("gmx.net") is provider_of_server("imap.gmx.net")
    assert provider_of_domain("zine.onmicrosoft.com") is not None
    assert provider_of_domain("postspiel.example") is None


# -- what keeps the service running ----------------------------------------------------------------------------------


@pytest.fixture
def zine(server, gm, tmp_path) -> Path:
    """A zine."""
    folder = tmp_path / "ours"
    (tmp_path / "given").write_text(PASSWORD)
    ran = gm.run("init", str(folder), *options(server), "--password-file", str(tmp_path / "given"))
    assert ran.code == 0, ran.err
    return folder


def program() -> str:
    """The `gm` of these tests, as one word of a shell."""
    return shlex.join([sys.executable, "-c", "from gm.cli import main; main()"])


def as_here(line: str, zine: Path) -> str:
    """Put this machine's paths into a command of the unit or the page."""
    line = re.sub(r"\S+/bin/gm\b", lambda _: program(), line)
    return re.sub(r"\S+/config\.toml", lambda _: shlex.quote(str(zine / "config.toml")), line)


@pytest.mark.trust
def test_the_unit_runs(zine, server):
    """What the unit starts fetches a mail, answers it, and ends properly when systemd says so."""
    server.append(GM_ADDRESS, write_mail(ANNA, "Spiele", name="Anna Berg"))
    (line,) = re.findall(r"^ExecStart=(.*)", UNIT.read_text(), re.MULTILINE)
    process = subprocess.Popen(
        shlex.split(as_here(line, zine)), cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        until("an answer", lambda: server.mails(ANNA))
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 0, output
    assert PASSWORD not in output


@pytest.mark.trust
def test_the_cron_line_runs(zine, server):
    """What cron hands to the shell makes one pass, and is silent when all is well."""
    server.append(GM_ADDRESS, write_mail(ANNA, "Spiele", name="Anna Berg"))
    (line,) = re.findall(r"^\* \* \* \* \* (.*)", PAGE, re.MULTILINE)
    assert "%" not in line, "cron takes what is behind it for input"
    ran = subprocess.run(["/bin/sh", "-c", as_here(line, zine)], cwd="/", capture_output=True, timeout=TIMEOUT)
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert len(server.mails(ANNA)) == 1


def analysed(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Let systemd look at a unit."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("manager", ["system", "user"])
def test_systemd_understands_the_unit(manager, tmp_path, monkeypatch):
    """systemd has nothing to say against the unit of the package, nor against that of the page for a user."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    text = UNIT.read_text() if manager == "system" else PAGE.partition("```ini\n")[2].partition("```")[0]
    unit = tmp_path / "gm.service"
    unit.write_text(re.sub(r"ExecStart=\S+", f"ExecStart={sys.executable}", text).replace("User=gm\n", "User=root\n"))
    ran = analysed("verify", f"--{manager}", str(unit))
    assert [line for line in ran.stderr.splitlines() if "gm.service" in line] == []
    assert ran.returncode == 0, ran.stderr


def test_exposure_of_the_unit():
    """The unit scores at most 2.0 in `systemd-analyze security`."""
    ran = analysed("security", "--offline=yes", "--threshold=20", "--no-pager", str(UNIT))
    if "--offline" in ran.stderr:
        pytest.skip("this systemd-analyze is older than 250 and looks at no files")
    assert ran.returncode == 0, ran.stdout + ran.stderr
