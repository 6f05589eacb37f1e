"""Real servers for the benchmarks of mails: Dovecot, and Postfix's SMTP sink."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mail_servers
import pytest
from imapclient import IMAPClient
from waiting import until

SINK = shutil.which("smtp-sink") or "/usr/sbin/smtp-sink"


@dataclass(frozen=True)
class Servers:
    """Dovecot, into whose maildirs mails are laid, and the sink."""

    mail: Any
    sink_port: int

    def login(self, user: str) -> IMAPClient:
        """Log in and open the inbox."""
        client = IMAPClient("127.0.0.1", self.mail.imap_port, ssl=False)
        client.login(user, mail_servers.PASSWORD)
        client.select_folder("INBOX")
        return client

    def lay_down(self, user: str, mails: Sequence[bytes]) -> None:
        """Put mails into a user's inbox as a delivery agent does, only faster."""
        with self.login(user):  # the first login creates the maildir
            folder = self.mail.root / "home" / user / "Maildir" / "new"
            owner = folder.stat()
            for raw in mails:
                path = folder / f"{time.time_ns()}.bench"
                path.write_bytes(raw)
                os.chown(path, owner.st_uid, owner.st_gid)
        with self.login(user) as client:  # Dovecot notes them all now and not while the time is taken
            assert len(client.search("ALL")) == len(mails)


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """Dovecot and the sink."""
    if reason := mail_servers.missing() or ("" if Path(SINK).exists() else "not installed: postfix"):
        pytest.skip(reason)
    (port,) = mail_servers.free_ports(1)
    user = ["-u", "postfix"] if os.geteuid() == 0 else []
    command = [SINK, *user, "-h", "sink", f"127.0.0.1:{port}", "1000"]
    with mail_servers.MailServers() as mail, subprocess.Popen(command, stderr=subprocess.DEVNULL) as sink:
        until("the sink", lambda: mail_servers.answers(port))
        yield Servers(mail, port)
        sink.terminate()
