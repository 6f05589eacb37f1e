"""Issue 31, the hardened service: the zine of the whole system under a real systemd, within all limits of its unit."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import oauth_server
import postgres
import pytest
from own_systemd import Systemd
from waiting import until

from gm.demo.in_memory_zine import write_mail
from gm.transport.doubles.embedded_server import MailServer

PAGE = Path(__file__).parents[2] / "docs/install.md"
ADDRESS, PASSWORD, ANNA = "gm@example.org", "geheim-geheim", "anna@example.org"
CONFIG, STATE = "/etc/gm/config.toml", Path("/var/lib/gm")
GM = str(Path(sys.executable).with_name("gm"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def mails():
    """The mailbox of the zine, and a player's."""
    with MailServer({ADDRESS: PASSWORD, "cici@example.org": "x", ANNA: "x"}) as server:
        yield server


@pytest.fixture(scope="module")
def machine(mails, tmp_path_factory):
    """A systemd, and the zine installed in it by the lines of the page."""
    with Systemd(tmp_path_factory.mktemp("systemd")) as machine:
        machine.says("sh", "-c", f"umask 077; echo {PASSWORD} > /run/password")
        said = machine.says(
            GM, "init", "--system", "--address", ADDRESS, "--gm", "Cici <cici@example.org>",
            "--imap-host", "127.0.0.1", "--imap-port", str(mails.imap_port), "--smtp-host", "127.0.0.1",
            "--smtp-port", str(mails.smtp_port), "--password-file", "/run/password",
        )  # fmt: skip
        lines = re.search(r"<!-- whole system -->\n```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]
        assert lines == re.sub(
            "^  ", "", said.partition("with systemd:\n")[2].partition("or with")[0], flags=re.MULTILINE
        )
        machine.says("sh", "-ec", "mkdir -p /var/log/journal; " + lines)
        yield machine


@pytest.fixture
def thorough(at_full_length):
    """For what is tried with --trust only."""
    if not at_full_length:
        pytest.skip("takes --trust")


def within_limits(machine: Systemd, command: str) -> str:
    """Run a command under the installed unit's own lines, but for those about starting again; what it prints.

    A call that the filter refuses ends it at once, so that none goes unnoticed.
    """
    unit = machine.says("cat", "/etc/systemd/system/gm.service")
    unit = re.sub(r"^(Watchdog|Restart|Timeout|SystemCallError)\w+=.*\n", "", unit, flags=re.MULTILINE)
    unit = unit.replace("Type=notify", "Type=oneshot\nStandardOutput=file:/run/said\nStandardError=inherit")
    unit = re.sub(r"^ExecStart=.*$", lambda _: f"ExecStart={command}", unit, flags=re.MULTILINE)
    machine.says("sh", "-ec", 'printf %s "$UNIT" > /run/systemd/system/try.service; rm -f /run/said', UNIT=unit)
    machine.says("systemctl", "daemon-reload")
    ran = machine.runs("systemctl", "start", "try")
    said = machine.runs("cat", "/run/said").stdout
    assert ran.returncode == 0, f"{command}\n{said}{ran.stderr}{machine.runs('systemctl', 'status', 'try').stdout}"
    return said


def is_answered(mails: MailServer) -> None:
    """Anna writes, and the service answers."""
    before = len(mails.mails(ANNA))
    mails.append(ADDRESS, write_mail(ANNA, "Spiele", headers={"To": ADDRESS}, name="Anna Berg"))
    until("an answer", lambda: len(mails.mails(ANNA)) > before)


def test_it_serves(machine, mails):
    """It answers mails, makes the nightly backup and the pages, each for its user alone."""
    is_answered(mails)
    until("pages", lambda: machine.runs("test", "-e", f"{STATE}/archive/index.html").returncode == 0)
    until("a backup", lambda: ".tar.gz" in machine.says("ls", f"{STATE}/backups"))
    files = [CONFIG, "/etc/gm/mailbox.password", *(f"{STATE}/{name}" for name in
             ("gm.db", "archive", "archive/index.html", "backups"))]  # fmt: skip
    modes = machine.says("stat", "-c", "%a:%U", *files).split()
    assert modes == ["640:root", "640:root", "600:gm", "700:gm", "600:gm", "700:gm"]
    assert "User=gm" in machine.says("systemctl", "show", "gm", "-p", "User")
    log = machine.says("journalctl", "-u", "gm", "-o", "cat")
    assert '"level": "warning"' not in log, log
    assert '"level": "error"' not in log, log


def test_its_score(machine):
    """systemd counts at most 2.0 for the service that runs."""
    if machine.runs("systemctl", "start", "dbus.socket").returncode:
        pytest.skip("systemd-analyze asks a running systemd by D-Bus, which isn't installed")
    machine.says("systemd-analyze", "security", "--threshold=20", "--no-pager", "gm")


@pytest.mark.usefixtures("thorough")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("doctor", "ok    backup"), ("issue build 1", "Written: issue.html"),
        (f"backup {STATE}/by-hand.tar.gz --all --secrets", "holds the whole zine"),
    ],
)  # fmt: skip
def test_commands_within_the_limits(words, says, machine):
    """Backup and printed issue are made without a call, a file or a right that the unit refuses."""
    assert says in within_limits(machine, f"{GM} {words}")


@pytest.mark.usefixtures("thorough")
def test_a_restore_within_the_limits(machine, mails):
    """A copy is put back, and the service goes on with it."""
    within_limits(machine, f"{GM} backup {STATE}/back.db")
    machine.says("systemctl", "stop", "gm")
    assert "is in place" in within_limits(machine, f"{GM} restore {STATE}/back.db")
    machine.says("systemctl", "start", "gm")
    is_answered(mails)


def test_what_it_may_not(machine):
    """It writes to nothing but its state, reads no passwords of others, and sees no other process."""
    tried = [
        "exec 2> /dev/null",
        *(f"touch {folder}/x && echo wrote {folder}" for folder in ("/etc/gm", "/home", "/srv", "/usr")),
        "cat /etc/shadow", "test -e /proc/1/status && echo saw", "touch /var/lib/gm/x && echo mine",
        "test -r /proc/sys/kernel/random/boot_id && echo boot",
        "grep -q '^CapBnd:.0*$' /proc/self/status && echo powerless", "umask", "true",
    ]  # fmt: skip
    assert within_limits(machine, f"/bin/sh -c {shlex.quote('; '.join(tried))}").split() == [
        "mine",
        "boot",
        "powerless",
        "0077",
    ]


@pytest.mark.usefixtures("thorough")
def test_pages_elsewhere(machine):
    """What the config names elsewhere is written to, after the lines that `gm init --unit` prints."""
    machine.says("install", "-d", "-o", "gm", "/var/www/ds")
    configured(machine, '^path = "archive".*', 'path = "/var/www/ds"')
    assert "warn  unit:" in machine.runs(GM, "doctor").stdout
    said = machine.says(GM, "init", "--system", "--unit")
    machine.says("sh", "-ec", "\n".join(line for line in said.splitlines() if line.startswith("  ")))
    until("pages", lambda: machine.runs("test", "-e", "/var/www/ds/index.html").returncode == 0)
    assert "unit:" not in machine.runs(GM, "doctor").stdout
    assert machine.says("stat", "-c", "%a", "/var/www/ds/index.html", f"{STATE}/gm.db").split() == ["644", "600"]


def test_root_goes_on_as_its_user(machine):
    """What root's commands write is the service's; they find the config by themselves, also `gm` alone."""
    machine.says(GM, "new", "crossword", "Eriwan")
    assert "No round is due" in machine.says(GM)
    machine.says(GM, "backup", f"{STATE}/of-root.db")
    assert machine.says("stat", "-c", "%U", f"{STATE}/of-root.db").strip() == "gm"
    refused = machine.runs(GM, "backup", "/srv/x.db")
    assert refused.returncode == 1
    assert "can't be written" in refused.stderr


def configured(machine: Systemd, pattern: str, line: str, section: str = "") -> str:
    """Put another line into the config, and perhaps a section below; return what was there before."""
    text = machine.says("cat", CONFIG)
    new, number = re.subn(pattern, lambda _: line, text, count=1, flags=re.MULTILINE)
    assert number, text
    machine.says("sh", "-ec", f'printf %s "$TEXT" > {CONFIG}', TEXT=new + section)
    return text


@pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing() or "")
def test_postgresql_within_the_limits(machine, mails, cluster):
    """The zine moves to a server within the limits, and is served from there."""
    cluster.create("hardened")
    url = cluster.url("hardened", host="127.0.0.1", port=cluster.port)
    machine.says("systemctl", "stop", "gm")
    assert "the same on both sides" in within_limits(machine, f"{GM} migrate {url}".replace("%", "%%"))
    configured(machine, r'^url = ".*', f'url = "{url}"')
    machine.says("systemctl", "start", "gm")
    is_answered(mails)


def test_tokens_within_the_limits(machine):
    """The service renews its token, and writes it down where it may write, for its user alone."""
    with oauth_server.Authority() as authority:
        section = authority.section()
        authority.refreshing.add("old-refresh-token")
        key = " ".join(
            (ADDRESS, str(section["token_url"]), oauth_server.CLIENT, *sorted(str(section["scope"]).split()))
        )
        old: Any = {key: {"access_token": "old", "refresh_token": "old-refresh-token", "expires_at": time.time() - 1}}
        machine.says(
            "sh", "-ec", f'umask 077; printf %s "$TOKENS" > {STATE}/tokens.json; chown gm {STATE}/tokens.json',
            TOKENS=json.dumps(old),
        )  # fmt: skip
        keys = (f"{name} = {json.dumps(value)}\n" for name, value in section.items())
        before = configured(machine, "^password_file = .*", "", f"\n[imap.oauth2]\n{''.join(keys)}")
        machine.runs("systemctl", "restart", "--no-block", "gm")
        until("a new token", lambda: "old-refresh-token" not in machine.says("cat", f"{STATE}/tokens.json"))
    assert machine.says("stat", "-c", "%a:%U", f"{STATE}/tokens.json").strip() == "600:gm"
    machine.says("sh", "-ec", f'printf %s "$TEXT" > {CONFIG}; systemctl restart gm', TEXT=before)
