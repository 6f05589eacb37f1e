"""A zine whose mailbox is a real IMAP server behind a proxy that can misbehave, with the service's own loop."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import proxy
from imapclient import IMAPClient
from sqlmodel import select
from waiting import TIMEOUT

from gm.app.context import App, owner_of
from gm.app.pass_report import Report
from gm.demo.in_memory_zine import Story, address_of, observed, write_mail
from gm.reports.health import health
from gm.reports.state import State
from gm.runtime.config.settings import ImapSettings, Secret
from gm.runtime.errors import MailboxError
from gm.service.scheduler import Loop
from gm.store.queries import game_queries
from gm.store.tables import Game, MailIn
from gm.transport.imap.inbox import Inbox

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5
CONFIRMED = "[Eriwan] Zug Runde 1 angekommen"
ANNA, BERND = "Anna Berg", "Bernd Cordes"


class Zine:
    """Eriwan in round 1, ZAT 16 November; `proxy` is what its mailbox is reached through."""

    def __init__(self, story: Story, port: int, account: str, **imap: Any) -> None:
        self._stack = ExitStack()
        self.story, self.account = story, account
        self.proxy = self._stack.enter_context(proxy.Proxy(port))
        self.port = port
        self.app = self.service(story.app, **imap)
        # Pages are another matter, and take most of a pass's time.
        self.loop = Loop(app=self.app, makes_pages=False)

    def service(self, app: App, **imap: Any) -> App:
        """Let a zine read this mailbox through the proxy."""
        login = {"host": "127.0.0.1", "port": self.proxy.port, "security": "none", "username": self.account}
        changed = ImapSettings(**{**login, "password": Secret("secret"), "idle": False, **imap})
        settings = app.settings.model_copy(update={"imap": changed})
        inbox = Inbox(settings.imap, owner=lambda: owner_of(settings, app.database), answer_timeout=TIMEOUT)
        self._stack.callback(inbox.close)
        return replace(app, settings=settings, inbox=inbox)

    def has_patience(self, seconds: float) -> None:
        """Wait so long for an answer of the server, from the next connection on, which is a new one."""
        self.app.inbox._answer_timeout = seconds  # type: ignore[attr-defined]
        self.proxy.cut_all()
        self.app.inbox.close()

    def close(self) -> None:
        """Let go of the sockets."""
        self._stack.close()

    @contextmanager
    def somebody(self) -> Iterator[IMAPClient]:
        """Somebody else at the same mailbox, with a mail program and not through the proxy."""
        with IMAPClient("127.0.0.1", self.port, ssl=False, timeout=TIMEOUT) as client:
            # As in the product: without it each command waits 40 ms for an acknowledgement.
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.login(self.account, "secret")
            yield client

    def arrives(self, raw: bytes, folder: str = "INBOX") -> None:
        """Put a mail into the mailbox; a minute later something else may happen."""
        with self.somebody() as client:
            client.append(folder, raw, msg_time=self.story.now)
        self.story.passes(minutes=1)

    def writes(self, name: str, text: str = MOVE, folder: str = "INBOX", **more: Any) -> bytes:
        """Let a player write."""
        raw = write_mail(address_of(name), text, name=name, **more)
        self.arrives(raw, folder)
        return raw

    def is_due(self) -> None:
        """Let the round's ZAT pass."""
        self.story.at("2026-11-16T21:00:00+01:00")

    def serves_until_due(self) -> None:
        """Let the round's ZAT pass, with a pass every twelve hours."""
        while self.story.now < datetime.fromisoformat("2026-11-16T21:00:00+01:00"):
            self.story.passes(minutes=12 * 60)
            self.one_pass()

    def one_pass(self) -> Report:
        """Do one pass of the loop, after whatever pause it wanted; no exception comes out of it."""
        self.story.passes(minutes=11)
        with observed(self.app) as reports:
            report = self.loop.one_pass()
            assert report is not None, "the database was no trouble here"
            reports.append(report)
        return report

    def trouble(self) -> str:
        """Do a pass that goes wrong, and return the one sentence it says, which is also what `gm status` shows."""
        report = self.one_pass()
        assert len(report.troubles) == 1, report.troubles
        return sentence(report)

    def statuses(self) -> list[str]:
        """Return what became of each mail that was stored, in order."""
        with self.app.database.read() as session:
            return list(session.exec(select(MailIn.status).order_by(MailIn.id)))  # type: ignore[arg-type]

    def unfetched(self) -> int:
        """Count the mails of which `gm status` says that they can't be fetched."""
        with self.app.database.read() as session:
            reasons = health(State(self.app, session))["reasons"]
        return sum("can't be fetched (INBOX, UID" in said for said in reasons)

    def stored(self) -> list[tuple[int, int]]:
        """List what was stored, by UIDVALIDITY and UID."""
        with self.app.database.read() as session:
            return list(session.exec(select(MailIn.uidvalidity, MailIn.uid).order_by(MailIn.id)))  # type: ignore[arg-type]

    def answers(self) -> Counter[tuple[str, str]]:
        """Count the mails since the last look, by recipient and subject."""
        return Counter((recipient.partition("@")[0], mail.subject) for recipient, mail in self.story.mails())

    def round(self) -> int:
        """The round being played."""
        with self.app.database.read() as session:
            game: Game = game_queries.named(session, "Eriwan")
            return game.round

    def mails(self, folder: str) -> list[bytes]:
        """List what lies in a folder, nothing where there is none."""
        with self.somebody() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            return [one[b"BODY[]"] for one in client.fetch(client.search(), ["BODY.PEEK[]"]).values()]


def sentence(report: Report) -> str:
    """Return what went wrong with the mailbox, once it is sure that it is one finished sentence for the GM."""
    (said,) = [str(trouble) for trouble in report.troubles if isinstance(trouble, MailboxError)]
    assert said.endswith((".", "!"))
    assert "\n" not in said
    assert not any(word in said for word in ("Traceback", "secret", "object at", "None"))
    return said
