"""A scripted player's mail program: SMTP to write, IMAP to read, as Thunderbird and the others do."""

import smtplib
import socket
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import make_msgid
from types import TracebackType

from imapclient import IMAPClient

from gm.demo.progress import LIMIT_SECONDS, Progress
from parsers.mime.message import Mail, read_mail

GM_ADDRESS = "zug@postspiel.example"


class MailProgram:
    """One person's mailbox. Mails that don't match stay in `inbox` for the next `wait_for`."""

    def __init__(
        self, name: str, address: str, password: str, imap_port: int, smtp_port: int, progress: Progress
    ) -> None:
        self.name = name
        self.address = address
        self._smtp_port = smtp_port
        self._progress = progress
        self._imap = IMAPClient("127.0.0.1", port=imap_port, ssl=False, timeout=LIMIT_SECONDS)
        # IMAPClient writes a command and its line end apart: without this each command waits 40 ms for an answer.
        self._imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._imap.login(address, password)
        self._imap.select_folder("INBOX")
        self._seen: set[int] = set()
        self.inbox: list[Mail] = []

    def __enter__(self) -> "MailProgram":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._imap.logout()

    def write(self, text: str, answering: Mail | None = None, subject: str = "") -> str:
        """Send a mail to the game address, as an answer where a mail is given; returns its Message-ID."""
        mail = EmailMessage()
        mail["From"] = f"{self.name} <{self.address}>"
        mail["To"] = GM_ADDRESS
        mail["Subject"] = f"Re: {answering.subject}" if answering else subject
        mail["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        if answering:
            mail["In-Reply-To"] = mail["References"] = answering.message_id
        mail.set_content(text)
        with smtplib.SMTP("127.0.0.1", self._smtp_port, timeout=LIMIT_SECONDS) as smtp:
            smtp.send_message(mail)
        return str(mail["Message-ID"])

    def wait_for(self, what: str, matches: Callable[[Mail], bool]) -> Mail:
        """Wait for a mail that matches; it is taken out of `inbox`. Raises OperatorError without any progress."""
        return self._progress.wait_for(self.name, what, lambda: self._take(matches))

    def _take(self, matches: Callable[[Mail], bool]) -> Mail | None:
        self._look()
        for mail in self.inbox:
            if matches(mail):
                self.inbox.remove(mail)
                return mail
        return None

    def _look(self) -> None:
        self._imap.noop()
        fresh = [uid for uid in self._imap.search() if uid not in self._seen]
        if fresh:
            fetched = self._imap.fetch(fresh, ["BODY.PEEK[]"])
            self.inbox += [read_mail(fetched[uid][b"BODY[]"]) for uid in fresh]
            self._seen.update(fresh)
