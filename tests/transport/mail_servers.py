"""Debian's Dovecot and Postfix on free loopback ports, configured in one temporary directory.

Any user name with the password "secret" has a mailbox. Postfix accepts mail for gm...@local.test and
anna...@local.test and delivers it to Dovecot by LMTP, which Dovecot serves only then. With `introspection` both also
accept tokens (XOAUTH2), and Postfix requires a login. Dovecot runs as any user, Postfix only as root.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import dovecotconf
from waiting import TIMEOUT

POSTFIX = Path("/usr/lib/postfix/sbin/master")
PASSWORD = "secret"
# Dovecot's master may wait six seconds for a child; after this long everything is killed.
STOP_SECONDS = 0.25
TRIALS = 5

QUEUES = ["active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace"]

SASL_CF = """
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth_port}
smtpd_sasl_security_options = noanonymous
smtpd_client_restrictions = permit_sasl_authenticated, reject
"""
MAIN_CF = """
compatibility_level = 3.6
queue_directory = {postfix}/queue
data_directory = {postfix}/data
daemon_directory = /usr/lib/postfix/sbin
shlib_directory = /usr/lib/postfix
meta_directory = /etc/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file_prefixes = {postfix}
maillog_file = {postfix}/mail.log
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mx.local.test
mydestination =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = local.test
virtual_mailbox_maps = regexp:{postfix}/mailboxes
virtual_transport = lmtp:inet:127.0.0.1:{lmtp_port}
default_transport = error:loopback only
smtpd_relay_restrictions = reject_unauth_destination
smtpd_client_connection_count_limit = 0
smtpd_error_sleep_time = 0
smtpd_client_connection_rate_limit = 0
smtpd_peername_lookup = no
disable_dns_lookups = yes
in_flow_delay = 0
"""
MASTER_CF = """
127.0.0.1:{smtp_port} inet n - n - 50 smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
smtp unix - - n - - smtp
lmtp unix - - n - 20 lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def missing(*, postfix: bool = False, tls: bool = False) -> str:
    """Why the servers can't be started here; empty if they can."""
    needed = {dovecotconf.IMAP: "dovecot-imapd"}
    if postfix:
        needed |= {dovecotconf.LMTP: "dovecot-lmtpd", POSTFIX: "postfix"}
    packages = [package for program, package in needed.items() if not program.exists()]
    if tls and not shutil.which("openssl"):
        packages.append("openssl")
    if packages:
        return f"not installed: {', '.join(packages)}"
    return "Postfix can be started by root only" if postfix and os.geteuid() != 0 else ""


class NotStartedError(Exception):
    """A server has ended instead of answering; with what it said."""


class PortTakenError(NotStartedError):
    """Somebody else listens there."""


@dataclass(kw_only=True)
class MailServers:
    """`with MailServers() as mail:` gives mail.imap_port, and mail.smtp_port where Postfix is wanted."""

    postfix: bool = False
    tls: bool = False
    separator: str = "/"
    prefix: str = ""
    capability: str = ""
    introspection: str = ""
    acl: Path | None = None
    """A file with access lists."""
    root: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="gm-mail.")))
    imap_port: int = 0
    imaps_port: int = 0
    lmtp_port: int = 0
    smtp_port: int = 0
    auth_port: int = 0
    find_ports: Callable[[int], list[int]] = field(default_factory=lambda: free_ports)
    _dovecot: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> MailServers:
        for trial in range(1, TRIALS + 1):
            try:
                self._start()
            except PortTakenError:
                self.__exit__()
                if trial == TRIALS:
                    raise
                self.root.mkdir()
            except BaseException:
                self.__exit__()
                raise
            else:
                break
        return self

    def _start(self) -> None:
        """Start all and wait for them. Raises PortTakenError where somebody was quicker, else NotStartedError."""
        self.imap_port, self.imaps_port, self.lmtp_port, self.smtp_port, self.auth_port = self.find_ports(5)
        self.root.chmod(0o755)
        self._start_dovecot()
        if self.postfix:
            self._start_postfix()
        self._await_banners()

    def __exit__(self, *_: object) -> None:
        pids = [self._dovecot.pid] if self._dovecot else []
        pid_file = self.root / "postfix/queue/pid/master.pid"
        if pid_file.exists():
            pids.append(int(pid_file.read_text()))
        _end(pids)
        if self._dovecot:
            self._dovecot.wait(TIMEOUT)
        shutil.rmtree(self.root, ignore_errors=True)

    @property
    def certificate(self) -> Path:
        """The self-signed certificate, which nobody trusts unless told to."""
        return self.root / "cert.pem"

    def _start_dovecot(self) -> None:
        for name in ("run", "state", "home"):
            (self.root / name).mkdir()
        me = pwd.getpwuid(os.geteuid())
        as_root = os.geteuid() == 0
        owner, internal = (pwd.getpwnam("mail"), pwd.getpwnam("dovecot")) if as_root else (me, me)
        if as_root:
            os.chown(self.root / "home", owner.pw_uid, owner.pw_gid)
        given = {
            "internal": internal.pw_name,
            "internal_group": grp.getgrgid(internal.pw_gid).gr_name,
            "login": "dovenull" if as_root else me.pw_name,
            "uid": owner.pw_uid,
            "gid": owner.pw_gid,
            "password": PASSWORD,
            "separator": self.separator,
            "prefix": self.prefix,
            "imap_port": self.imap_port,
            "imaps_port": self.imaps_port if self.tls else 0,
            "lmtp_port": self.lmtp_port,
            "lmtp": self.postfix,
            "auth_port": self.auth_port if self.introspection else 0,
            "mechanism": " xoauth2" if self.introspection else "",
            "introspection": self.introspection,
            "acl": self.acl,
        }
        if self.tls:
            self._certify()
        config = dovecotconf.write(self.root, tls=self.tls, capability=self.capability, given=given)
        with self._output_file.open("wb") as output:
            self._dovecot = subprocess.Popen(
                [dovecotconf.PROGRAM, "-F", "-c", config],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip

    def _certify(self) -> None:
        # Not for 127.0.0.1, so that a wrong name can be tried out.
        names = "subjectAltName=DNS:localhost"
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        files = ["-keyout", self.root / "key.pem", "-out", self.certificate]
        subprocess.run([*request, "-addext", names, *files], check=True, capture_output=True)

    def _start_postfix(self) -> None:
        home = self.root / "postfix"
        for name in ("queue", "data", "conf"):
            (home / name).mkdir(parents=True)
        postfix = pwd.getpwnam("postfix")
        os.chown(home / "data", postfix.pw_uid, postfix.pw_gid)
        files = {
            home / "mailboxes": r"/^(gm|anna)[a-z0-9-]*@local\.test$/ ok",
            home / "conf/main.cf": MAIN_CF.format(postfix=home, lmtp_port=self.lmtp_port)
            + (SASL_CF.format(auth_port=self.auth_port) if self.introspection else ""),
            home / "conf/master.cf": MASTER_CF.format(smtp_port=self.smtp_port),
        }
        for path, text in files.items():
            path.write_text(text)
            # Postfix waits two seconds for a file that was changed just now.
            os.utime(path, (time.time() - 60,) * 2)
        _make_queue(home / "queue")
        # Without the last two, which the command `postfix` sets, what the master says before its log runs is lost.
        environment = {
            **os.environ, "MAIL_CONFIG": str(home / "conf"), "MAIL_LOGTAG": "postfix",
            "POSTLOG_SERVICE": str(home / "queue/public/postlog"), "POSTLOG_HOSTNAME": "mx",
        }  # fmt: skip
        with self._output_file.open("ab") as output:
            started = subprocess.run(
                [POSTFIX, "-c", home / "conf", "-w"],
                check=False, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )  # fmt: skip
        if started.returncode:
            raise self._not_started()

    def _await_banners(self) -> None:
        deadline = time.monotonic() + TIMEOUT
        for port in (self.imap_port, *((self.lmtp_port, self.smtp_port) if self.postfix else ())):
            while self._is_running() and not answers(port):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"nothing answers on port {port}\n{self._output()}")
                time.sleep(0.01)
        if not self._is_running():  # who has answered was somebody else
            raise self._not_started()

    @property
    def _output_file(self) -> Path:
        return self.root / "output"

    def _output(self) -> str:
        """Return all that the servers have written."""
        files = (self._output_file, self.root / "dovecot.log", self.root / "postfix/mail.log")
        return "".join(file.read_text(errors="replace") for file in files if file.exists())

    def _not_started(self) -> NotStartedError:
        words = self._output()
        return (PortTakenError if "Address already in use" in words else NotStartedError)(words)

    def _is_running(self) -> bool:
        """Whether both still run: who finds a port taken ends."""
        pid_file = self.root / "postfix/queue/pid/master.pid"
        has_postfix = not pid_file.exists() or _is_alive(int(pid_file.read_text()))
        return self._dovecot is not None and self._dovecot.poll() is None and has_postfix


def free_ports(count: int) -> list[int]:
    """Find ports on which nobody listens now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listening.getsockname()[1] for listening in sockets]
    for listening in sockets:
        listening.close()
    return ports


def answers(port: int) -> bool:
    """Return whether a server on this machine greets who connects to a port."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            return bool(connection.recv(200))
    except OSError:
        return False


def _make_queue(queue: Path) -> None:
    """What `postfix check` makes, which would take a second."""
    owner, drop = pwd.getpwnam("postfix").pw_uid, grp.getgrnam("postdrop").gr_gid
    for name in QUEUES:
        (queue / name).mkdir(mode=0o700)
        os.chown(queue / name, owner, 0)
    (queue / "pid").mkdir(mode=0o755)
    for name, mode in (("maildrop", 0o730), ("public", 0o710)):
        (queue / name).mkdir()
        os.chown(queue / name, owner, drop)
        (queue / name).chmod(mode)


def _end(pids: list[int]) -> None:
    for pid in pids:
        _signal(os.kill, pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while any(_is_alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    # Both masters lead a session of their own, so this reaches their children and nobody else.
    for pid in pids:
        if _is_alive(pid):
            _signal(os.killpg, pid, signal.SIGKILL)


def _signal(send: object, pid: int, number: signal.Signals) -> None:
    try:
        send(pid, number)  # type: ignore[operator]  # os.kill or os.killpg
    except ProcessLookupError:
        return


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
