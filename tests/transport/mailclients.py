"""Debian's mutt, s-nail and swaks as players' mail programs, each with its own home, on the servers of `mail_servers`.

They write encoded words, quotations, threads and MIME parts in their own ways, as no library does.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import subprocess
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from waiting import TIMEOUT

from parsers.mime.message import Mail

TRIALS = 4
SIGNATURE = "Postfach 7, Köln"
ABOVE = 'cat text "$1"'
BELOW = "sed '/^-- $/e cat text' \"$1\""
"""How a text gets into the mail that mutt has quoted: in shell, from the file to standard output."""

MUTTRC = """
set realname="{name}" from={address} use_from=yes hostname=local.test signature=~/signature
set smtp_url=smtp://127.0.0.1:{smtp_port}/ ssl_starttls=no ssl_force_tls=no
set folder=imap://127.0.0.1:{imap_port}/ spoolfile=+INBOX imap_user={address} imap_pass=secret
set attribution="Am %d schrieb %n:" include=yes fast_reply=yes abort_unmodified=no
set editor="sh editor" pager="cp -t shown" copy=no move=no prompt_after=no wait_key=no sleep_time=0
"""
NAILRC = """
set v15-compat mta=smtp://127.0.0.1:{smtp_port} smtp-auth=none hostname=local.test sendwait
set from="{name} <{address}>" sendcharsets=iso-8859-1,utf-8 indentprefix="> " message-inject-tail='-- \\n{signature}'
"""


@dataclass(kw_only=True)
class MailClient:
    """A mail program that is set up for one player."""

    home: Path
    name: str
    address: str
    smtp_port: int
    imap_port: int
    program = ""

    def __post_init__(self) -> None:
        """Make the home; each program then writes its settings there."""
        self.home.mkdir()

    def sends(self, to: str, subject: str, text: str) -> None:
        """Send a mail of its own."""
        raise NotImplementedError

    def replies(self, mail: Mail, text: str, *, above: bool = False) -> None:
        """Answer a mail in the player's folder, above what the program quotes of it, or below."""
        raise NotImplementedError

    def _write(self, name: str, text: str) -> Path:
        path = self.home / name
        path.write_text(text, encoding="utf-8")
        return path

    def _configure(self, name: str, template: str) -> None:
        self._write(name, template.format(**vars(self), signature=SIGNATURE))

    def _run(self, *arguments: str | Path, given: str = "") -> str:
        done = subprocess.run(
            [self.program, *arguments], input=given.encode(), cwd=self.home, env=self._environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False,
        )  # fmt: skip
        said = done.stdout.decode(errors="replace")
        assert done.returncode == 0, f"{self.program} {arguments}: {said}"
        return said

    @property
    def _environment(self) -> dict[str, str]:
        # Nothing of whoever runs the tests.
        home = {"HOME": str(self.home), "TMPDIR": str(self.home)}
        return {**home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm"}


class Mutt(MailClient):
    """mutt; what it can't do in batch mode it is told by keys, on a terminal that nobody looks at."""

    program = "mutt"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._configure(".muttrc", MUTTRC)
        self._write("signature", f"{SIGNATURE}\n")
        (self.home / "shown").mkdir()

    def sends(self, to: str, subject: str, text: str) -> None:
        signed = f"{text}-- \n{SIGNATURE}\n"  # in batch mode it adds none
        self._run("-s", subject, "--", to, given=signed)

    def replies(self, mail: Mail, text: str, *, above: bool = False) -> None:
        self._write("text", text)
        self.edits(mail, ABOVE if above else BELOW)

    def edits(self, mail: Mail, command: str) -> None:
        """Answer a mail; the shell command gets the file with the quotation and prints what is to be sent."""
        self._write("editor", f'{command} > edited && cp edited "$1"\n')
        (self.home / "edited").unlink(missing_ok=True)
        self._press(mail, "<reply><send-message>")

    def shows(self, mail: Mail) -> str:
        """Return what the pager would show of a mail."""
        self._press(mail, "<display-message>")
        (shown,) = (self.home / "shown").iterdir()
        return shown.rename(self.home / "last shown").read_text(encoding="utf-8")

    def _press(self, mail: Mail, keys: str) -> None:
        """Press keys at a mail. Where its server is too busy to open the folder, mutt forgets them and waits for more.

        Then it is begun anew, unless it has come to the editor: nothing may be sent twice.
        """
        for _ in range(TRIALS):
            said, code = self._try_to_press(mail, keys)
            if said is not None:
                assert code == 0, f"mutt, {keys}: {said}"
                return
            if (self.home / "edited").exists():
                break
        raise AssertionError(f"mutt, {keys}: it hangs")

    def _try_to_press(self, mail: Mail, keys: str) -> tuple[str | None, int]:
        """Return what was shown and the exit code; None instead if it had to be killed."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))  # a terminal without a size opens on older systems only
        command = [self.program, "-e", f"push '<limit>~i {mail.message_id.strip('<>')}<enter>{keys}<exit>'"]
        with subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.home, env=self._environment,
            start_new_session=True,
        ) as process:  # fmt: skip
            os.close(theirs)
            said = _read_to_end(ours)
            if said is None:
                os.killpg(process.pid, signal.SIGKILL)
        os.close(ours)
        return said, process.returncode


class Nail(MailClient):
    """s-nail in batch mode: one command a line."""

    program = "s-nail"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._configure(".mailrc", NAILRC)

    def sends(self, to: str, subject: str, text: str) -> None:
        self._run("-s", subject, to, given=text)

    def replies(self, mail: Mail, text: str, *, above: bool = False) -> None:
        body = f"{text}~Q\n" if above else f"~Q\n{text}"
        self._command(f"reply {_chosen(mail)}\n{body}~.")

    def shows(self, mail: Mail) -> str:
        """Return what it prints of a mail."""
        return self._command(f"type {_chosen(mail)}")

    @property
    def _environment(self) -> dict[str, str]:
        # It takes no HOME from root.
        files = {"MAILRC": ".mailrc", "DEAD": "dead.letter", "MBOX": "mbox", "NETRC": ".netrc"}
        return super()._environment | {key: str(self.home / name) for key, name in files.items()}

    def _command(self, command: str) -> str:
        folder = f"imap://{quote(self.address, safe='')}:secret@127.0.0.1:{self.imap_port}/INBOX"
        return self._run("-#", "-f", folder, given=f"{command}\nexit\n")


class Swaks(MailClient):
    """swaks: a line of options makes a mail, with headers as bytes in UTF-8."""

    program = "swaks"

    def sends(self, to: str, subject: str, text: str, *options: str) -> None:
        signed = self._write("body", f"{text}-- \n{SIGNATURE}\n")
        self.sends_parts(to, subject, "--body", f"@{signed}", *options)

    def replies(self, mail: Mail, text: str, *, above: bool = False) -> None:  # noqa: ARG002
        """Answer a mail as a script would: it refers to it and quotes nothing."""
        self.sends(mail.sender, f"Re: {mail.subject}", text, "--add-header", f"In-Reply-To: {mail.message_id}")

    def sends_parts(self, to: str, subject: str, *options: str) -> None:
        """Send a mail whose parts are given as options; `file` makes one."""
        server = ("--server", "127.0.0.1", "--port", str(self.smtp_port), "--helo", "local.test", "--hide-all")
        headers = ("--header", f"From: {self.name} <{self.address}>", "--header", f"Subject: {subject}")
        self._run(*server, "--from", self.address, "--to", to, *headers, *options)

    def file(self, name: str, text: str) -> str:
        """Write a file into the player's home, as an argument for swaks."""
        return f"@{self._write(name, text)}"


CLIENTS = {client.program: client for client in (Mutt, Nail, Swaks)}


def missing(program: str) -> str:
    """Why a program can't be run here; empty if it can."""
    return "" if shutil.which(program) else f"{program} is not installed (apt-get install {program})"


def _chosen(mail: Mail) -> str:
    return f"@message-id@{mail.message_id.strip('<>').partition('@')[0]}"


def _read_to_end(terminal: int) -> str | None:
    """What was written until the last writer left; None if that takes too long."""
    said = b""
    end = time.monotonic() + TIMEOUT / TRIALS
    while select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
        try:
            said += os.read(terminal, 65536)
        except OSError:  # EIO: nobody is left on the other side
            return said.decode(errors="replace")
    return None
