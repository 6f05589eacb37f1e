"""A zine on real servers: players send by SMTP, the service fetches by IMAP, and tests wait for its mails."""

from __future__ import annotations

import itertools
import smtplib
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from sqlmodel import select
from waiting import TIMEOUT

from gm.app.context import App, open_app
from gm.demo.in_memory_zine import one_pass, write_config, write_mail
from gm.reports.game import show
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import MailIn
from parsers.mime.message import Mail, read_mail

GM = "Cici Beilken"
WORDS = ("ROT", "TIN")
PAUSE_SECONDS = 0.02
_numbers = itertools.count(1)


class ZineOnServers:
    """The service is asked for a pass until the mail has come. On a shared server each world has its own addresses."""

    app: App
    smtp_port: int
    imap_port: int

    def __init__(self, folder: Path, players: Iterable[str]) -> None:
        number = next(_numbers)
        self.service = f"gm-zine{number}@local.test"
        self.addresses = {name: f"anna{number}-{at}@local.test" for at, name in enumerate(players)}
        self.addresses[GM] = f"gm-cici{number}@local.test"
        self._folder = folder
        self._stack = ExitStack()
        self._clients: dict[str, IMAPClient] = {}
        self._seen: set[tuple[str, int]] = set()
        self._unread: list[tuple[str, Mail]] = []

    @contextmanager
    def on(self, server: Any) -> Iterator[ZineOnServers]:
        """Open the zine on a server that runs."""
        login = {"security": "none", "username": self.service, "password": "secret"}
        more: dict[str, dict[str, object]] = {
            "service": {"address": self.service, "gm": f"{GM} <{self.addresses[GM]}>"},
            "imap": {**login, "port": server.imap_port},
            "smtp": {"security": "none", "port": server.smtp_port},
        }
        self.smtp_port, self.imap_port = server.smtp_port, server.imap_port
        with self._stack as stack:
            self.app = open_app(load(write_config(self._folder, words=WORDS, more=more)))
            stack.callback(self.app.close)
            yield self

    def address(self, name: str) -> str:
        """Where this player gets mail."""
        return self.addresses[name]

    def writes(self, name: str, text: str) -> None:
        """Let a player send a text by the standard library's SMTP client."""
        raw = write_mail(self.addresses[name], text, headers={"To": self.service}, name=name)
        with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=TIMEOUT) as smtp:
            smtp.sendmail(self.addresses[name], [self.service], raw)

    def gets(self, name: str, words: str) -> Mail:
        """Wait for a mail to this player with these words in its subject."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            report = one_pass(self.app)
            assert report.troubles == []
            self._look(name)
            for at, (recipient, mail) in enumerate(self._unread):
                if recipient == name and words in mail.subject:
                    del self._unread[at]
                    return mail
            time.sleep(PAUSE_SECONDS)
        there = [mail.subject for recipient, mail in self._unread if recipient == name]
        pytest.fail(f"{name} waited in vain for {words!r}; there: {there}")

    def waits_for_the_zat(self) -> None:
        """Set the ZAT to the next full second: whoever waits for a mail now waits for it, too."""
        while not self._ends_in_a_second():
            """The second was over before it was read."""

    def _ends_in_a_second(self) -> bool:
        soon = self.app.now().replace(microsecond=0) + timedelta(seconds=1)
        try:
            actions.move_zat(
                self.app, "Eriwan", f"{soon.astimezone(self.app.settings.service.timezone):%Y-%m-%d %H:%M:%S}"
            )
        except Refused:
            return False
        return True

    def last_received(self) -> bytes:
        """Return the last mail that the service has read, as it came."""
        with self.app.database.read() as session:
            return session.exec(select(MailIn).order_by(MailIn.id)).all()[-1].raw  # type: ignore[arg-type]

    def _look(self, name: str) -> None:
        client = self._clients.get(name) or self._log_in(name)
        client.noop()
        fresh = [uid for uid in client.search() if (name, uid) not in self._seen]
        for uid, found in client.fetch(fresh, ["BODY.PEEK[]"]).items() if fresh else ():
            self._seen.add((name, uid))
            self._unread.append((name, read_mail(found[b"BODY[]"])))

    def _log_in(self, name: str) -> IMAPClient:
        client = IMAPClient("127.0.0.1", port=self.imap_port, ssl=False, timeout=TIMEOUT)
        self._stack.callback(client.logout)
        client.login(self.addresses[name], "secret")
        client.select_folder("INBOX")
        self._clients[name] = client
        return client


def seat(app: App, name: str, viewer: str | None = None) -> dict[str, Any]:
    """Return a seat of Eriwan as spectators see it, or as `viewer` does."""
    with app.database.read() as session:
        seats = show(app, session, game_queries.named(session, "Eriwan"), viewer)["seats"]
    return next(seat for seat in seats if name in seat["history"])
