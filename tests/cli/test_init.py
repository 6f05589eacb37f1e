"""`gm init`: what it asks, how it tries the answers, and that what it writes runs."""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import TIMEOUT, until

from gm.cli.init import Answers
from gm.demo.in_memory_zine import GM_ADDRESS, write_mail
from gm.runtime.config import system_wide
from gm.runtime.config.settings import Encryption, default_path, load
from gm.runtime.errors import Refused
from gm.service.setup.providers import PROVIDERS, provider_of_domain, provider_of_server
from gm.service.setup.server_discovery import Kind, Server, candidates, first_that_answers, read_server
from gm.service.setup.systemd_unit import UNIT, cron_line, installation, render_unit, write_unit
from gm.transport.doubles.embedded_server import MailServer
from gm.zine.build import has_issues

PASSWORD = "hunter2-is-secret"
ANNA = "anna@spieler.example"
CICI = "Cici Beilken <cici@postspiel.example>"


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mailbox of the zine, one of the GM and one of a player."""
    with MailServer({GM_ADDRESS: PASSWORD, "cici@postspiel.example": "x", ANNA: "x"}) as server:
        yield server


def options(server: MailServer) -> tuple[str, ...]:
    """What `gm init` need not ask."""
    return (
        "--address", GM_ADDRESS, "--gm", CICI, "--imap-host", "127.0.0.1", "--imap-port", str(server.imap_port),
        "--smtp-host", "127.0.0.1", "--smtp-port", str(server.smtp_port),
    )  # fmt: skip


def mode(path: Path) -> int:
    """The rights of a file."""
    return path.stat().st_mode & 0o777


# -- with a terminal -------------------------------------------------------------------------------------------------


def test_the_whole_conversation(server, terminal, tmp_path):
    """Five answers set up a zine, and its logins are tried; the password is in a file of its own and nowhere else."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder))
    gm.answers("Address that players write to", "nonsense")
    gm.answers("allowed is an address like gm@example.org", GM_ADDRESS)
    gm.answers("You, the GM", GM_ADDRESS)
    gm.answers("allowed is another address", CICI)
    gm.answers("IMAP server", f"127.0.0.1:{server.imap_port}")
    gm.answers("SMTP server", f"127.0.0.1:{server.smtp_port}")
    gm.answers("Password", PASSWORD)
    gm.sees(f"ok    IMAP: {GM_ADDRESS} is logged in at 127.0.0.1:{server.imap_port}.")
    gm.sees(f"ok    SMTP: {GM_ADDRESS} is logged in at 127.0.0.1:{server.smtp_port}.")
    assert gm.ends() == 0, gm.shown
    last = shlex.quote(str(folder / "config.toml"))
    assert gm.shown.endswith(f"Next:\n  gm doctor --config {last}\n  gm new crossword NAME --config {last}\n")
    assert PASSWORD not in gm.shown
    assert PASSWORD not in (folder / "config.toml").read_text() + (folder / "gm.service").read_text()
    assert (folder / "mailbox.password").read_text() == f"{PASSWORD}\n"
    assert {mode(folder / name) for name in ("config.toml", "mailbox.password", "gm.db")} == {0o600}
    settings = load(folder / "config.toml")
    assert (settings.imap.port, settings.imap.security) == (server.imap_port, "none")
    assert settings.imap.password.reveal() == settings.smtp.password.reveal() == PASSWORD


def test_a_wrong_password_is_asked_for_again(server, terminal, tmp_path):
    """A refused login is told in a sentence, and name and password can be given anew; nothing typed is lost."""
    gm = terminal("init", str(tmp_path / "new"), *options(server))
    gm.answers("Password", "wr0ng-as-wr0ng")
    gm.sees("fail  IMAP: The IMAP server")
    gm.answers(f"User name [{GM_ADDRESS}]", "")
    gm.answers("Password (hidden; empty if it stays the same)", PASSWORD)
    gm.sees("ok    SMTP")
    assert gm.ends() == 0, gm.shown
    assert "wr0ng" not in gm.shown
    assert load(tmp_path / "new/config.toml").imap.password.reveal() == PASSWORD


def test_a_password_of_its_own_for_sending(server, terminal, tmp_path):
    """Where only the SMTP login fails, only that is asked for again, and each password has its file."""
    server.users[GM_ADDRESS] = "another-one"  # the IMAP server has taken its own note at the start
    gm = terminal("init", str(tmp_path / "new"), *options(server))
    gm.answers("Password", PASSWORD)
    gm.sees("ok    IMAP")
    gm.sees("fail  SMTP: The SMTP server")
    gm.answers("User name", "")
    gm.answers("Password (hidden; empty if it stays the same)", "another-one")
    gm.sees("ok    SMTP")
    assert gm.ends() == 0, gm.shown
    settings = load(tmp_path / "new/config.toml")
    assert (settings.imap.password.reveal(), settings.smtp.password.reveal()) == (PASSWORD, "another-one")
    assert mode(tmp_path / "new/smtp.password") == 0o600


def test_a_wrong_server_is_asked_for_again(server, terminal, tmp_path):
    """Where nothing listens the server is asked for again, not the password."""
    given = [*options(server)]
    given[7] = "9"
    gm = terminal("init", str(tmp_path / "new"), *given)
    gm.answers("Password", PASSWORD)
    gm.sees("nothing listens there")
    gm.answers("IMAP server [127.0.0.1:9]", f"127.0.0.1:{server.imap_port}")
    gm.sees("ok    IMAP")
    gm.sees("ok    SMTP")
    assert gm.ends() == 0, gm.shown


@pytest.mark.parametrize("answer", ["n", "y"])
def test_when_nothing_helps(answer, server, terminal, tmp_path):
    """After a few tries the files can be written all the same, or not at all."""
    gm = terminal("init", str(tmp_path / "new"), *options(server))
    gm.answers("Password", "wrong")
    for _ in range(3):
        gm.answers("User name", "")
        gm.answers("Password", "")
    gm.answers("Write the config all the same?", answer)
    if answer == "y":  # and the SMTP server is still to come
        gm.answers("User name", "")
        gm.answers("Password", PASSWORD)
    assert gm.ends() == (answer == "n"), gm.shown
    assert (tmp_path / "new/config.toml").exists() == (answer == "y")


def test_no_password_yet(server, terminal, tmp_path):
    """Without a password nothing is tried, and the config names the environment variables."""
    gm = terminal("init", str(tmp_path / "new"), *options(server))
    gm.answers("Password", "")
    assert gm.ends() == 0, gm.shown
    assert "GM_IMAP_PASSWORD" in gm.shown
    assert 'password_env = "GM_SMTP_PASSWORD"' in (tmp_path / "new/config.toml").read_text()
    assert f"EnvironmentFile={tmp_path / 'new/gm.env'}" in (tmp_path / "new/gm.service").read_text()


def test_a_known_provider_is_not_asked_for(terminal, tmp_path):
    """The servers of a big provider follow from the address."""
    gm = terminal("init", str(tmp_path / "new"), "--gm", CICI, "--no-login")
    gm.answers("Address that players write to", "zug@gmx.de")
    gm.sees("GMX: mails are fetched from imap.gmx.net:993 and sent through mail.gmx.net:587.")
    gm.answers("Password", PASSWORD)
    assert gm.ends() == 0, gm.shown
    assert load(tmp_path / "new/config.toml").smtp.security == "starttls"


def test_a_provider_can_be_named(terminal, tmp_path):
    """With a domain of one's own the provider's name is an answer; the other server follows from it."""
    gm = terminal("init", str(tmp_path / "new"), "--gm", CICI, "--no-login", "--address", "zug@postspiel.example")
    gm.answers("IMAP server", "ionos")
    gm.sees("IONOS: mails are fetched from imap.ionos.de:993 and sent through smtp.ionos.de:465.")
    gm.answers("Password", "")
    assert gm.ends() == 0, gm.shown


# -- without a terminal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ((), "--address, --gm, --imap-host and --smtp-host"),
        (("--address", "zug@postspiel.example", "--gm", CICI, "--smtp-host", "x"), "--imap-host"),
        (("--address", "zug@gmx.de"), "--gm"),
    ],
)
def test_without_a_terminal_nothing_is_asked(given, missing, gm, tmp_path):
    """What is missing is named by its option, all at once."""
    ran = gm.run("init", str(tmp_path / "new"), *given, stdin=b"zug@postspiel.example\n" * 9)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"gm: Without a terminal nothing can be asked; give {missing} as well.\n"
    assert not (tmp_path / "new").exists()


def test_a_password_from_a_file(server, gm, tmp_path):
    """A script can do it all; the logins are tried, `gm doctor` finds everything in order."""
    (tmp_path / "given").write_text(f"{PASSWORD}\n")
    ran = gm.run("init", str(tmp_path / "new"), *options(server), "--password-file", str(tmp_path / "given"))
    assert (ran.code, ran.err) == (0, "")
    assert "ok    IMAP" in ran.out
    assert "ok    SMTP" in ran.out
    doctor = gm.run("doctor", "--config", str(tmp_path / "new/config.toml"))
    assert doctor.code == 0, doctor.out
    assert PASSWORD not in "".join(gm.printed)


@pytest.mark.parametrize(("address", "provider"), [("zug@outlook.de", "microsoft"), ("zug@gmail.com", "google")])
def test_tokens_instead_of_a_password(address, provider, gm, tmp_path):
    """With a client id, [imap.oauth2] is filled in for both servers; no password is asked, `gm login` is next."""
    ran = gm.run("init", str(tmp_path / "new"), "--address", address, "--gm", CICI, "--client-id", "app-1")
    assert (ran.code, ran.err) == (0, "")
    assert f"Next:\n  gm login --config {tmp_path}/new/config.toml\n  gm doctor" in ran.out
    assert "GM_IMAP_PASSWORD" not in ran.out
    settings = load(tmp_path / "new/config.toml")
    assert settings.imap.oauth2 == settings.smtp.oauth2
    assert (settings.imap.oauth2.provider, settings.imap.oauth2.client_id) == (provider, "app-1")
    assert settings.imap.oauth2.tokens == tmp_path / "new/tokens.json"
    other = gm.run("init", str(tmp_path / "other"), "--address", "zug@gmx.de", "--gm", CICI, "--client-id", "app-1")
    assert "--client-id is for Gmail and Microsoft; for others write [imap.oauth2]" in other.err


def test_a_wrong_password_from_a_file(server, gm, tmp_path):
    """A login that fails stops a script before anything is written, unless it says --no-login."""
    (tmp_path / "given").write_text("wr0ng")
    command = ("init", str(tmp_path / "new"), *options(server), "--password-file", str(tmp_path / "given"))
    ran = gm.run(*command)
    assert ran.code == 1
    assert "refused the login" in ran.out
    assert ran.err == "gm: The IMAP login failed; nothing was written. --no-login leaves the trial out.\n"
    assert not (tmp_path / "new").exists()
    assert gm.run(*command, "--no-login").code == 0
    assert (tmp_path / "new/mailbox.password").read_text() == "wr0ng\n"
    assert "wr0ng" not in "".join(gm.printed)
    missing = gm.run("init", str(tmp_path / "other"), *options(server), "--password-file", str(tmp_path / "missing"))
    assert "can't be read: No such file or directory" in missing.err


def test_plain_text_only_on_this_machine(gm, tmp_path):
    """`none` is refused for any other host, and nothing is left behind."""
    ran = gm.run("init", str(tmp_path / "new"), "--address", "zug@gmx.de", "--gm", CICI, "--imap-security", "none")
    assert ran.code == 1
    assert "imap.security = 'none' is not possible" in ran.err
    assert not (tmp_path / "new/config.toml").exists()


# -- servers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "port", "security", "server"),
    [
        ("imap", "mail.example.org", None, None, ("mail.example.org", 993, "tls")),
        ("smtp", "mail.example.org", None, None, ("mail.example.org", 587, "starttls")),
        ("smtp", "mail.example.org:465", None, None, ("mail.example.org", 465, "tls")),
        ("imap", " mail.example.org:143 ", None, None, ("mail.example.org", 143, "starttls")),
        ("imap", "mail.example.org:10143", None, None, ("mail.example.org", 10143, "tls")),
        ("imap", "127.0.0.1:10143", None, None, ("127.0.0.1", 10143, "none")),
        ("imap", "[::1]:10143", None, None, ("::1", 10143, "none")),
        ("smtp", "::1", 1025, None, ("::1", 1025, "none")),
        ("smtp", "mail.example.org", None, "tls", ("mail.example.org", 465, "tls")),
        ("imap", "mail.example.org", 1143, "starttls", ("mail.example.org", 1143, "starttls")),
    ],
)
def test_port_and_encryption_follow_from_each_other(
    kind: Kind, text: str, port: int | None, security: Encryption | None, server: tuple[str, int, Encryption]
):
    """A host is enough, a port behind it says the rest."""
    assert read_server(kind, text, port, security) == Server(host=server[0], port=server[1], security=server[2])


@pytest.mark.parametrize("text", ["", "https://example.org", "a b", "example.org:0", "example.org:65536", "x:y"])
def test_what_is_no_server(text):
    """A text that is no server is refused with an example."""
    with pytest.raises(Refused, match=r"write it like mail\.example\.org"):
        read_server("imap", text)


def test_the_first_server_that_answers():
    """The first candidate that takes a connection is chosen, whatever is wrong with the others."""
    with socket.socket() as deaf, socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(
        ("127.0.0.1", 0)
    ) as other:  # fmt: skip
        deaf.bind(("127.0.0.1", 0))  # and doesn't listen
        dead, first, second = (
            Server(host="127.0.0.1", port=each.getsockname()[1], security="none") for each in (deaf, one, other)
        )
        strange = Server(host=f"{'x' * 70}..example", port=993, security="tls")
        assert first_that_answers([dead, strange, first, second], seconds=TIMEOUT) == first
        assert first_that_answers([dead], seconds=TIMEOUT) is None


def test_the_usual_names():
    """The names tried for a domain begin with the service's own, encrypted from the start."""
    found = [(one.host, one.port) for one in candidates("imap", "example.org")]
    assert found[:2] == [("imap.example.org", 993), ("imap.example.org", 143)]
    assert ("mail.example.org", 993) in found
    assert ("example.org", 993) in found


def test_providers():
    """A domain is known whatever its case; none belongs to two providers, none is reached without encryption."""
    domains = [domain for one in PROVIDERS for domain in one.domains.split()]
    assert len(domains) == len(set(domains))
    assert {server.security for one in PROVIDERS for server in (one.imap, one.smtp)} == {"tls", "starttls"}
    assert provider_of_domain("GMX.de") is provider_of_domain("gmx.net") is provider_of_server("imap.gmx.net")
    assert provider_of_domain("zine.onmicrosoft.com") is not None
    assert provider_of_domain("postspiel.example") is None


# -- what keeps the service running ----------------------------------------------------------------------------------


@pytest.fixture
def zine(server, gm, tmp_path) -> Path:
    """A zine in a folder whose name every program reads differently."""
    folder = tmp_path / "Dottendorf 100% $HOME"
    (tmp_path / "given").write_text(PASSWORD)
    ran = gm.run("init", str(folder), *options(server), "--password-file", str(tmp_path / "given"))
    assert ran.code == 0, ran.err
    return folder


def command_of(unit: Path) -> list[str]:
    """The command of a unit, as systemd would run it."""
    line = next(line for line in unit.read_text().splitlines() if line.startswith("ExecStart="))
    return shlex.split(line.removeprefix("ExecStart=").replace("%%", "%").replace("$$", "$"))


def wait_for_answer(server: MailServer) -> None:
    """Wait until Anna has mail."""
    until("an answer", lambda: server.mails(ANNA))


def test_the_unit_runs(zine, server):
    """What the unit starts fetches a mail, answers it, and ends properly when systemd says so."""
    server.append(GM_ADDRESS, write_mail(ANNA, "Spiele", name="Anna Berg"))
    command = command_of(zine / "gm.service")
    assert Path(command[0]).is_absolute()
    # systemd gives no PATH of ours and no folder.
    process = subprocess.Popen(command, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_for_answer(server)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 0, output
    assert PASSWORD not in output


def test_the_cron_line_runs(zine, server):
    """What cron hands to the shell makes one pass, and is silent when all is well."""
    server.append(GM_ADDRESS, write_mail(ANNA, "Spiele", name="Anna Berg"))
    line = cron_line(zine / "config.toml")
    assert line.startswith("* * * * * /")
    command = line.removeprefix("* * * * * ")
    assert "%" not in command.replace("\\%", ""), "cron takes what is behind it for input"
    ran = subprocess.run(["/bin/sh", "-c", command.replace("\\%", "%")], cwd="/", capture_output=True, timeout=TIMEOUT)
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert len(server.mails(ANNA)) == 1


@pytest.mark.parametrize("manager", ["system", "user"])
@pytest.mark.parametrize("name", ["zine", "Dottendorf 100% $HOME \"neu\" 'alt'"])
def test_systemd_understands_the_unit(manager, name, tmp_path):
    """systemd has nothing to say against the unit, of the system or of a user, wherever the zine lies."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    folder = tmp_path / name
    folder.mkdir()
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    unit = folder / "gm.service"
    unit.write_text(render_unit(folder / "config.toml", is_system=manager == "system", user=user, environment="gm.env"))
    ran = subprocess.run(
        ["systemd-analyze", "verify", f"--{manager}", str(unit)], capture_output=True, text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    assert [line for line in ran.stderr.splitlines() if "gm.service" in line] == []
    assert ran.returncode == 0, ran.stderr


def test_walls_of_a_system_unit():
    """A unit of the system may write to the zine's folder only; a user's unit has only what a user can have."""
    system = render_unit(Path("/srv/my zine/config.toml"), is_system=True, user="gm")
    assert "\nUser=gm\n" in system
    assert '\nReadWritePaths="/srv/my zine"\n' in system
    assert "\nWorkingDirectory=/srv/my zine\n" in system
    assert "Restart=on-failure" in system
    assert "\nType=notify\nWatchdogSec=" in system, "who hangs is started again"
    if not sys.executable.startswith(("/tmp/", "/var/tmp/")):
        assert "\nPrivateTmp=yes\n" in system
    assert "PrivateTmp" not in render_unit(Path("/tmp/zine/config.toml"), is_system=True, user="gm")
    own = render_unit(Path("/srv/zine/config.toml"), is_system=False, user="gm")
    assert not {"User=", "ProtectSystem=", "ReadWritePaths="} & {line.partition("=")[0] + "=" for line in own.split()}
    assert "WantedBy=default.target" in own
    for wall in ("NoNewPrivileges=yes", "UMask=0077", "SystemCallFilter=@system-service"):
        assert f"\n{wall}\n" in system, wall
        assert f"\n{wall}\n" in own, wall


def test_the_page_shows_the_lines_that_install_it():
    """docs/install.md has what root types to install the system's zine."""
    page = (Path(__file__).parents[2] / "docs/install.md").read_text("utf-8")
    shown = page.partition("<!-- whole system -->\n```sh\n")[2].partition("\n```")[0]
    assert shown.splitlines() == installation(system_wide.CONFIG_FOLDER / UNIT, is_system=True)
    in_one_folder = render_unit(system_wide.STATE_FOLDER / "config.toml", is_system=True, user="gm")
    assert lines_of(in_one_folder, "StateDirectory") == ["gm"], "where a whole zine was restored into"
    assert lines_of(in_one_folder, "ReadWritePaths") == []


def lines_of(unit: str, key: str) -> list[str]:
    """What a unit gives a key."""
    return [line.partition("=")[2] for line in unit.splitlines() if line.startswith(f"{key}=")]


@pytest.mark.parametrize("config", ["/etc/gm/config.toml", "/srv/zine/config.toml", "/home/cici/zine/config.toml",
                                    "/tmp/Dottendorf 100% $HOME/config.toml"])  # fmt: skip
def test_exposure_of_a_system_unit(config, tmp_path):
    """Issue 31: the unit scores at most 2.0 in `systemd-analyze security`, wherever the zine lies."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "gm.service"
    unit.write_text(
        render_unit(Path(config), is_system=True, user="gm", elsewhere=[Path("/var/www/ds")], has_readers=True)
    )
    ran = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", str(unit)],
        capture_output=True, text=True,
    )  # fmt: skip
    if "--offline" in ran.stderr:
        pytest.skip("this systemd-analyze is older than 250 and looks at no files")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_the_unit_may_write(tmp_path, monkeypatch):
    """Issue 31: what the config keeps elsewhere is written to; of the system's zine state and config lie apart."""
    (tmp_path / "config.toml").write_text(
        '[imap]\npassword_env = "X"\n[imap.oauth2]\ntokens = "/srv/tokens/t.json"\n[smtp]\n'
        '[database]\nurl = "sqlite:////srv/data/gm.db"\n[backup]\n'
        'path = "/mnt/copies of mine"\n[archive]\npath = "pages"\n'
    )
    unit = write_unit(tmp_path / "gm.service", tmp_path / "config.toml").read_text()
    assert lines_of(unit, "EnvironmentFile") == [str(tmp_path / "gm.env")]
    assert lines_of(unit, "UMask") == ["0077"]
    monkeypatch.setattr("gm.service.setup.systemd_unit.is_root", lambda: True)
    unit = write_unit(tmp_path / "gm.service", tmp_path / "config.toml").read_text()
    assert lines_of(unit, "ReadWritePaths") == [
        str(tmp_path), "-/srv/data", '"-/mnt/copies of mine"', "-/srv/tokens"
    ], "what is not there (yet) doesn't keep the service from starting"  # fmt: skip
    monkeypatch.setattr(system_wide, "CONFIG_FOLDER", tmp_path)
    unit = write_unit(tmp_path / "gm.service", tmp_path / "config.toml").read_text()
    assert lines_of(unit, "StateDirectory") == ["gm"]
    assert str(tmp_path) not in lines_of(unit, "ReadWritePaths"), "the config is root's"
    settings = load_minimal(tmp_path)
    state = system_wide.STATE_FOLDER
    assert (settings.folder, settings.backup.path, settings.archive.path, settings.database.url) == (
        state, state / "backups", state / "archive", f"sqlite:///{state}/gm.db"
    )  # fmt: skip
    assert settings.lexicon.extra == (tmp_path / "words.txt",)
    assert settings.imap.oauth2.tokens == state / "tokens.json"
    assert settings.smtp.password.reveal() == "geheim", "what is only read lies beside the config"


def load_minimal(folder):
    """The settings of a config that leaves all paths as they are."""
    (folder / "words.txt").write_text("")
    (folder / "p.password").write_text("geheim")
    (folder / "config.toml").write_text(
        '[service]\naddress = "gm@example.org"\ngm = "cici@example.org"\n[imap]\nhost = "i.example.org"\n'
        'username = "gm@example.org"\n[imap.oauth2]\nprovider = "google"\nclient_id = "x"\n'
        '[smtp]\nhost = "s.example.org"\npassword_file = "p.password"\n[lexicon]\nextra = ["words.txt"]\n'
    )
    return load(folder / "config.toml")


@pytest.mark.parametrize(
    ("archive", "umask"),
    [("", "0077"), ('path = "pages"', "0077"), ('path = "/var/www/ds"', "0022"),
     ('base_url = "https://example.org/ds/"', "0022"), ("path = 7", "0077")],
)  # fmt: skip
def test_who_may_read_the_pages(archive, umask, tmp_path):
    """What a web server shows it must be able to read; else all is the service's alone."""
    (tmp_path / "config.toml").write_text(f"[archive]\n{archive}\n")
    unit = write_unit(tmp_path / "gm.service", tmp_path / "config.toml").read_text()
    assert lines_of(unit, "UMask") == [umask]


def test_the_unit_is_written_anew(zine, gm, tmp_path, monkeypatch):
    """Issue 31: an old installation gets the new unit by `gm init --unit`; `gm doctor` says when it should."""
    monkeypatch.setattr("gm.service.setup.systemd_unit.is_root", lambda: True)
    installed = tmp_path / "gm.service"
    monkeypatch.setattr("gm.service.setup.systemd_unit.INSTALLED", installed)
    config = zine / "config.toml"
    assert "unit:" not in gm.run("doctor", "--config", str(config)).out, "none is installed"
    ran = gm.run("init", str(zine), "--unit")
    assert ran.code == 0, ran.err
    assert f"systemctl restart {UNIT}" in ran.out
    assert "Take care: The service's user gm may not enter" in ran.out, "the folder of these tests is ours alone"
    new = (zine / UNIT).read_text()
    installed.write_text(new)
    assert "unit:" not in gm.run("doctor", "--config", str(config)).out
    kept = [line for line in new.splitlines() if not line.startswith("SystemCall")]
    installed.write_text("\n".join(kept))
    told = gm.run("doctor", "--config", str(config)).out
    assert f"warn  unit: {installed} is older than this version or the config; as root, `gm init --unit" in told
    installed.write_text(new)
    config.write_text(config.read_text().replace('path = "archive"', 'path = "/var/www/ds"'))
    assert "warn  unit:" in gm.run("doctor", "--config", str(config)).out
    installed.write_text("[Service]\nExecStart=/usr/bin/gm serve --config /srv/another.toml\n")
    assert "unit:" not in gm.run("doctor", "--config", str(config)).out, "another zine's"
    assert gm.run("init", str(tmp_path / "nothing"), "--unit").code == 1


def test_only_root_sets_up_the_system(gm, tmp_path, monkeypatch):
    """Issue 31: `--system` is for root, and for a gm that the service's user can start."""
    monkeypatch.setattr(system_wide, "CONFIG_FOLDER", tmp_path / "etc")
    monkeypatch.setattr(system_wide, "STATE_FOLDER", tmp_path / "lib")
    given = ("--system", "--no-login", "--address", "zug@gmx.de", "--gm", CICI)
    monkeypatch.setattr("gm.service.setup.zine_setup.is_root", lambda: False)
    assert "Only root sets up a zine for the whole system" in gm.run("init", *given).err
    monkeypatch.setattr("gm.service.setup.zine_setup.is_root", lambda: True)
    program = tmp_path / "closed/gm"
    program.parent.mkdir(mode=0o700)
    monkeypatch.setattr("gm.service.setup.zine_setup.program", lambda: [str(program)])
    refused = gm.run("init", *given)
    assert refused.code == 1
    assert "The service's user gm may not enter" in refused.err
    assert not (tmp_path / "etc").exists()
    monkeypatch.setattr("gm.service.setup.zine_setup.closed_to_service", lambda _: "")
    ran = gm.run("init", *given)
    assert ran.code == 0, ran.err
    assert {path.name for path in (tmp_path / "etc").iterdir()} == {"config.toml", "gm.service"}
    assert [path.name for path in (tmp_path / "lib").iterdir()] == ["gm.db"]
    assert "\n  gm doctor\n  gm new crossword NAME\n" in ran.out, "the system's config is found by itself"


def test_what_the_systems_zine_keeps_is_in_its_own_folder(gm, tmp_path, monkeypatch):
    """Issue 31: issues, and a database that it moves to, lie where the service may write, not beside the config."""
    monkeypatch.setattr(system_wide, "CONFIG_FOLDER", tmp_path / "etc")
    monkeypatch.setattr(system_wide, "STATE_FOLDER", tmp_path / "lib")
    monkeypatch.setattr("gm.service.setup.zine_setup.is_root", lambda: True)
    monkeypatch.setattr("gm.service.setup.zine_setup.closed_to_service", lambda _: "")
    assert gm.run("init", "--system", "--no-login", "--address", "zug@gmx.de", "--gm", CICI).code == 0
    config = str(tmp_path / "etc/config.toml")
    for name in ("GM_IMAP_PASSWORD", "GM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, "secret")
    assert not has_issues(load(Path(config)))
    order = tmp_path / "lib/issues/1/issue.toml"
    order.parent.mkdir(parents=True)
    order.write_text("number = 1\n")
    assert has_issues(load(Path(config)))
    assert gm.run("backup", str(tmp_path / "all.tar.gz"), "--all", "--config", config).code == 0
    with tarfile.open(tmp_path / "all.tar.gz") as backup:
        assert "issues/1/issue.toml" in backup.getnames()
    assert gm.run("migrate", "sqlite:///moved.db", "--config", config).code == 0
    assert (tmp_path / "lib/moved.db").is_file()


def test_the_systems_config_is_found(tmp_path, monkeypatch):
    """Issue 31: `gm` finds the system's config where none is named and none lies here."""
    monkeypatch.setattr(system_wide, "CONFIG_FOLDER", tmp_path / "etc")
    monkeypatch.setattr(system_wide, "STATE_FOLDER", tmp_path / "lib")
    monkeypatch.delenv("GM_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert default_path() == Path("config.toml")
    for folder in (tmp_path / "lib", tmp_path / "etc"):  # the one in /etc comes first
        folder.mkdir()
        (folder / "config.toml").touch()
        assert default_path() == folder / "config.toml"
    Path("config.toml").touch()
    assert default_path() == Path("config.toml")
    monkeypatch.setenv("GM_CONFIG", "other.toml")
    assert default_path() == Path("other.toml")


# -- broken off, and gone on with ------------------------------------------------------------------------------------


def test_ctrl_c_loses_no_answer(server, terminal, tmp_path):
    """Issue 29, `gm init`: Ctrl-C keeps what was answered in valid TOML, without passwords; the next one goes on."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder), *options(server)[4:], "--name", "Ortszeit")
    gm.answers("Address that players write to", GM_ADDRESS)
    gm.answers("You, the GM", CICI)
    gm.sees("Password")
    gm.sees(": ")
    os.write(gm.screen, PASSWORD.encode())
    gm.interrupts()
    assert gm.ends() != 0
    assert "What you answered is kept in" in gm.shown
    assert not (folder / "config.toml").exists()
    draft = folder / "config.draft.toml"
    kept = tomllib.loads(draft.read_text())
    assert (kept["service"]["address"], kept["imap"]["port"]) == (GM_ADDRESS, server.imap_port)
    assert PASSWORD not in gm.shown + draft.read_text()
    assert mode(draft) == 0o600
    again = terminal("init", str(folder))
    again.answers(f"Address that players write to [{GM_ADDRESS}]", "")
    again.answers(f"You, the GM (Name <address>) [{CICI}]", "")
    again.answers(f"IMAP server [127.0.0.1:{server.imap_port}]", "")
    again.answers(f"SMTP server [127.0.0.1:{server.smtp_port}]", "")
    again.answers("Password", PASSWORD)
    again.sees("ok    SMTP")
    assert again.ends() == 0, again.shown
    assert load(folder / "config.toml").service.name == "Ortszeit"
    assert not draft.exists()


def test_another_address_has_another_login(server, terminal, tmp_path):
    """Issue 29, `gm init`: who corrects a slip in the address isn't logged in by the wrong one; the rest is kept."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder), *options(server)[4:], "--language", "en")
    gm.answers("Address that players write to", f"x{GM_ADDRESS}")
    gm.answers("You, the GM", CICI)
    gm.sees("Password")
    gm.sees(": ")
    gm.interrupts()
    assert gm.ends() != 0
    assert tomllib.loads((folder / "config.draft.toml").read_text())["imap"]["username"] == f"x{GM_ADDRESS}"
    again = terminal("init", str(folder))
    again.answers(f"Address that players write to [x{GM_ADDRESS}]", GM_ADDRESS)
    again.answers(f"You, the GM (Name <address>) [{CICI}]", "")
    again.answers(f"IMAP server [127.0.0.1:{server.imap_port}]", "")
    again.answers(f"SMTP server [127.0.0.1:{server.smtp_port}]", "")
    again.answers("Password", PASSWORD)
    again.sees("ok    SMTP")
    assert again.ends() == 0, again.shown
    settings = load(folder / "config.toml")
    assert (settings.imap.username, settings.smtp.username, settings.service.language) == (GM_ADDRESS, GM_ADDRESS, "en")


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("zug@gmx.de", {"imap.host": "imap.gmx.net", "imap.username": "zug@gmx.de", "smtp.username": "else"}),
        ("spiel@gmx.de", {"imap.host": "imap.gmx.net", "smtp.username": "else"}),
        ("zug@web.de", {}),
    ],
)
def test_what_an_address_says_of_its_mailbox(address, kept):
    """Of the same address all is kept, of another one there the servers, of one elsewhere nothing."""
    answers = Answers({"service.address": "zug@gmx.de", "imap.host": "imap.gmx.net", "imap.username": "zug@gmx.de",
                       "smtp.username": "else"})  # fmt: skip
    answers.note_address(address)
    assert answers == {"service.address": address, **kept}


@pytest.mark.parametrize("at", ["Address that players write to", "You, the GM", "IMAP server", "SMTP server"])
def test_ctrl_c_at_any_question(at, server, terminal, tmp_path):
    """Issue 29, `gm init`: what was answered before the question is kept; before the first there is nothing to keep."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder))
    answers = {"Address that players write to": GM_ADDRESS, "You, the GM": CICI,
               "IMAP server": f"127.0.0.1:{server.imap_port}", "SMTP server": ""}  # fmt: skip
    for question, answer in answers.items():
        if question == at:
            gm.sees(question)
            gm.sees(": ")
            gm.interrupts()
            break
        gm.answers(question, answer)
    assert gm.ends() != 0
    kept = tomllib.loads((folder / "config.draft.toml").read_text()) if folder.exists() else {}
    asked = list(answers).index(at)
    found = ("address" in kept.get("service", {}), "gm" in kept.get("service", {}), "host" in kept.get("imap", {}))
    assert found == (asked > 0, asked > 1, asked > 2)


def test_the_login_for_sending_may_be_left_out(server, terminal, tmp_path):
    """Issue 29, `gm init`: where only the SMTP login fails, a minus leaves it out, and the config is written."""
    server.users[GM_ADDRESS] = "another-one"
    gm = terminal("init", str(tmp_path / "new"), *options(server))
    gm.answers("Password", PASSWORD)
    gm.sees("ok    IMAP")
    gm.sees("A minus (-) leaves the SMTP login out")
    gm.answers("User name", "-")
    assert gm.ends() == 0, gm.shown
    settings = load(tmp_path / "new/config.toml")
    assert (settings.smtp.username, settings.smtp.password.reveal()) == ("", "")
    assert settings.imap.password.reveal() == PASSWORD
    assert not (tmp_path / "new/smtp.password").exists()


def test_a_refusal_at_the_end_loses_no_answer(server, terminal, tmp_path):
    """Issue 29, `gm init`: who doesn't want the config written finds the answers again."""
    folder = tmp_path / "new"
    gm = terminal("init", str(folder), *options(server))
    gm.answers("Password", "wrong")
    gm.answers("User name", "anna")
    gm.answers("Password", "")
    for _ in range(2):
        gm.answers("User name", "")
        gm.answers("Password", "")
    gm.answers("Write the config all the same?", "n")
    assert gm.ends() == 1
    assert tomllib.loads((folder / "config.draft.toml").read_text())["imap"]["username"] == "anna"


def test_a_folder_that_cannot_be_written_is_told_first(terminal, tmp_path):
    """Nobody answers six questions to learn that the folder is none."""
    (tmp_path / "file").write_text("")
    gm = terminal("init", str(tmp_path / "file" / "new"))
    assert gm.ends() == 1
    assert "Address" not in gm.shown
    assert "can't be written to" in gm.shown
