"""Issue 31, the hardened service: the zine of the whole system under a real systemd, within all limits of its unit."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import oauth_server
import postgres
import pytest
from own_systemd import Systemd
from waiting import until

from gm.demo.in_memory_zine import write_mail
from gm.transport.doubles.embedded_server import MailServer

PAGE = Path(__file__).parents[2] / "docs/install.md"
OPERATE = PAGE.with_name("operate.md")
ADDRESS, PASSWORD, ANNA = "gm@example.org", "geheim-geheim", "anna@example.org"
STATE = Path("/var/lib/gm")
CONFIG = f"{STATE}/config.toml"
UNIT = Path(__file__).parents[2] / "gm/gm.service"
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
        machine.says("sh", "-ec", f"echo {PASSWORD} > /run/password; mkdir -p /opt/gm/bin; ln -s {GM} /opt/gm/bin/gm")
        answers = shlex.join([
            "--address", ADDRESS, "--gm", "Cici <cici@example.org>", "--password-file", "/run/password",
            "--provider", f"127.0.0.1:{mails.imap_port} 127.0.0.1:{mails.smtp_port}",
        ])  # fmt: skip
        lines = re.search(r"<!-- whole system -->\n```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]
        for shown, here in ((f"gm init {STATE}", f"{GM} init {STATE} {answers}"),
                            (re.findall(r"/opt/gm/lib/\S+", lines)[0], UNIT)):  # fmt: skip
            assert shown in lines
            lines = lines.replace(shown, str(here))
        # The program of these tests may lie in a home.
        other = (
            "sed -i s/ProtectHome=yes/ProtectHome=read-only/ /etc/systemd/system/gm.service\nsystemctl daemon-reload"
        )
        lines = lines.replace("systemctl daemon-reload", other)
        machine.says("sh", "-ec", "mkdir -p /var/log/journal; " + lines)
        yield machine


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
    names = ("config.toml", "mailbox.password", "gm.db", "archive", "archive/index.html", "backups")
    modes = machine.says("stat", "-c", "%a:%U", *(f"{STATE}/{name}" for name in names)).split()
    assert modes == ["600:gm", "600:gm", "600:gm", "700:gm", "600:gm", "700:gm"]
    assert "User=gm" in machine.says("systemctl", "show", "gm", "-p", "User")
    log = machine.says("journalctl", "-u", "gm", "-o", "cat")
    assert '"level": "warning"' not in log, log
    assert '"level": "error"' not in log, log


def test_its_score(machine):
    """systemd counts at most 2.0 for the service that runs."""
    if machine.runs("systemctl", "start", "dbus.socket").returncode:
        pytest.skip("systemd-analyze asks a running systemd by D-Bus, which isn't installed")
    machine.says("systemd-analyze", "security", "--threshold=20", "--no-pager", "gm")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("doctor", "ok    backup"), ("issue build 1", "Written: issue.html"),
        (f"backup {STATE}/by-hand.tar.gz", "holds the zine"),
    ],
)  # fmt: skip
def test_commands_within_the_limits(words, says, machine):
    """Backup and printed issue are made without a call, a file or a right that the unit refuses."""
    assert says in within_limits(machine, f"{GM} {words} --config {CONFIG}")


def test_a_restore_within_the_limits(machine, mails):
    """A copy is unpacked and its database put back, and the service goes on with it."""
    within_limits(machine, f"{GM} backup {STATE}/back.tar.gz --config {CONFIG}")
    machine.says("systemctl", "stop", "gm")
    unpacked = within_limits(machine, f"{GM} restore {STATE}/back.tar.gz {STATE}/back")
    assert "holds the zine now" in unpacked
    within_limits(machine, f"mv {STATE}/back/gm.db {STATE}/gm.db")
    machine.says("systemctl", "start", "gm")
    is_answered(mails)


def test_what_it_may_not(machine):
    """It writes to nothing but its state, reads no passwords of others, and sees no other process."""
    tried = [
        "exec 2> /dev/null",
        *(f"touch {folder}/x && echo wrote {folder}" for folder in ("/etc", "/home", "/srv", "/usr")),
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


def test_pages_elsewhere(machine):
    """An archive elsewhere is written to, and a web server may read it, after the lines of the page."""
    machine.says("install", "-d", "-o", "gm", "/var/www/ds")
    before = configured(machine, '^path = "archive".*', 'path = "/var/www/ds"')
    limits = re.search(r"```ini\n(\[Service\]\nReadWritePaths=.*?)```", OPERATE.read_text("utf-8"), re.DOTALL)[1]
    machine.says(
        "sh", "-ec", "cd /etc/systemd/system; mkdir -p gm.service.d; "
        'printf %s "$LIMITS" > gm.service.d/x.conf; systemctl daemon-reload; systemctl restart gm', LIMITS=limits,
    )  # fmt: skip
    until("pages", lambda: machine.runs("test", "-e", "/var/www/ds/index.html").returncode == 0)
    assert machine.says("stat", "-c", "%a", "/var/www/ds/index.html", f"{STATE}/gm.db").split() == ["644", "600"]
    machine.says(
        "sh", "-ec", f'printf %s "$TEXT" > {CONFIG}; rm -r /etc/systemd/system/gm.service.d; systemctl daemon-reload; '
        "systemctl restart gm", TEXT=before,
    )  # fmt: skip


def test_root_goes_on_as_its_user(machine):
    """What root's commands write is the service's."""
    machine.says(GM, "new", "crossword", "Eriwan", GM_CONFIG=CONFIG)
    machine.says(GM, "backup", f"{STATE}/of-root.db", "--config", CONFIG)
    assert machine.says("stat", "-c", "%U", f"{STATE}/of-root.db").strip() == "gm"
    refused = machine.runs(GM, "backup", "/srv/x.db", "--config", CONFIG)
    assert refused.returncode == 1
    assert "Permission denied" in refused.stderr


def configured(machine: Systemd, pattern: str, line: str, section: str = "") -> str:
    """Put a line into the place of others of the config, and perhaps a section below; return what was there before."""
    text = machine.says("cat", CONFIG)
    new, number = re.subn(pattern, lambda _: line, text, flags=re.MULTILINE)
    assert number, text
    machine.says("sh", "-ec", f'printf %s "$TEXT" > {CONFIG}', TEXT=new + section)
    return text


@pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing() or "")
def test_postgresql_within_the_limits(machine, mails, cluster):
    """The zine moves to a server within the limits, is served from there, and moves back."""
    cluster.create("hardened")
    url = cluster.url("hardened", host="127.0.0.1", port=cluster.port)
    machine.says("systemctl", "stop", "gm")
    migrated = within_limits(machine, f"{GM} migrate {url} --config {CONFIG}".replace("%", "%%"))
    assert "rows are there." in migrated
    before = configured(machine, r'^url = ".*', f'url = "{url}"')
    machine.says("systemctl", "start", "gm")
    is_answered(mails)
    machine.says("systemctl", "stop", "gm")
    assert "rows are there." in within_limits(machine, f"{GM} migrate sqlite:///{STATE}/gm.db --config {CONFIG}")
    machine.says("sh", "-ec", f'printf %s "$TEXT" > {CONFIG}; systemctl start gm', TEXT=before)
    is_answered(mails)


def test_tokens_within_the_limits(machine, tmp_path):
    """The service renews its token, and writes it down where it may write, for its user alone."""
    with oauth_server.Authority(tmp_path) as authority:
        authority.refreshing.add("old-refresh-token")
        kept = {"token": "old", "refresh_token": "old-refresh-token", "client_id": oauth_server.CLIENT}
        trusted = Path(authority.environment["REQUESTS_CA_BUNDLE"]).read_text()
        proxy = f"[Service]\nEnvironment=HTTPS_PROXY={authority.url} REQUESTS_CA_BUNDLE=/etc/ca-of-tests.pem\n"
        machine.says(
            "sh", "-ec", f'umask 077; printf %s "$TOKENS" > {STATE}/tokens.json; chown gm {STATE}/tokens.json; '
            'umask 022; printf %s "$CA" > /etc/ca-of-tests.pem; mkdir -p /run/systemd/system/gm.service.d; '
            'printf %s "$PROXY" > /run/systemd/system/gm.service.d/proxy.conf; systemctl daemon-reload',
            TOKENS=json.dumps(kept), CA=trusted, PROXY=proxy,
        )  # fmt: skip
        section = f'\n[oauth]\nprovider = "google"\nclient_id = "{oauth_server.CLIENT}"\n'
        before = configured(machine, "^password_file = .*", "", section)
        machine.runs("systemctl", "restart", "--no-block", "gm")
        until("a new token", lambda: "access-token" in machine.says("cat", f"{STATE}/tokens.json"))
    machine.says("sh", "-ec", "rm -r /run/systemd/system/gm.service.d; systemctl daemon-reload")
    assert machine.says("stat", "-c", "%a:%U", f"{STATE}/tokens.json").strip() == "600:gm"
    machine.says("sh", "-ec", f'printf %s "$TEXT" > {CONFIG}; systemctl restart gm', TEXT=before)
