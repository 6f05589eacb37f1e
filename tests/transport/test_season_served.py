"""A small season with real servers on both sides: mails come by IMAP and go out by SMTP."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from outsiders import STRANGERS
from people import STANDBYS
from sqlmodel import col, select
from story_actions import StoryActions
from waiting import TIMEOUT, until

from games.kit.testplay import COMMON_WORDS
from gm.app.context import Outbox, owner_of
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.store.tables import MailOut
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.imap.inbox import Inbox
from gm.transport.smtp.letters import Delivery, Letter
from gm.transport.smtp.outbox import Outbox as SmtpOutbox
from parsers.mime.message import read_mail

STEPS = 25
GAMES = 3
GM = "Cici Beilken"
_numbers = itertools.count(1)


@dataclass
class GameTimeOutbox:
    """An outbox whose server has the clock of the story: it says when a mail went out."""

    inner: Outbox
    now: Callable[[], datetime]

    def send(self, letters: Sequence[Letter]) -> Iterator[Delivery]:
        """As the outbox."""
        for delivery in self.inner.send(letters):
            yield replace(delivery, at=self.now())

    def close(self) -> None:
        """As the outbox."""
        self.inner.close()


class ServedStory(Story):
    """A story between real servers, with a clock that can be set."""

    def __init__(self, folder: Path, server: Any, address: Callable[[str], str], account: str) -> None:
        login = {"username": account, "password": "secret"}
        super().__init__(folder, words=COMMON_WORDS, more={
            "service": {"address": account, "gm": f"{GM} <{address(GM)}>"},
            "imap": {**login, "port": server.imap_port}, "smtp": {"port": server.smtp_port},
        })  # fmt: skip
        settings = self.app.settings
        inbox = Inbox(settings.imap, owner=lambda: owner_of(settings, self.app.database))
        outbox = GameTimeOutbox(SmtpOutbox(settings.smtp), lambda: self.now)
        self.app = replace(self.app, inbox=inbox, outbox=outbox)
        self._mailbox = IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=60)
        self._mailbox.login(account, "secret")

    def arrives(self, raw: bytes) -> int:
        """Put a mail into the mailbox, as if it came now."""
        self._mailbox.append("INBOX", raw, msg_time=self.now)
        self.passes(minutes=1)
        return 0

    def sent(self) -> list[MailOut]:
        """List what the server took."""
        with self.app.database.read() as session:
            rows = select(MailOut).where(col(MailOut.status).in_(("sent", "bounced"))).order_by(col(MailOut.id))
            return list(session.exec(rows))

    def close(self) -> None:
        """End the story and hang up."""
        self._mailbox.logout()
        super().close()


def name_addresses() -> tuple[Callable[[str], str], str]:
    """Give everybody in a story an address on the servers, and the service its account."""
    number = next(_numbers)
    return lambda name: f"anna-{name.split()[0].lower()}-{number}@local.test", f"gm-story{number}@local.test"


def do_pass(actions: StoryActions) -> None:
    """Let the service do a pass; the legal moves that came before it were taken."""
    actions.story.tick(archive=actions.chance.random() < 0.1)
    actions.company.check_expected()


def tell(folder: Path, server: Any, address: Callable[[str], str], account: str, seed: int) -> None:
    """Play a story; at its end every mailbox has each mail sent to it once, and nothing else."""
    with closing(ServedStory(folder, server, address, account)) as story:
        _play(story, seed, server, address)


def _play(story: ServedStory, seed: int, server: Any, address: Callable[[str], str]) -> None:
    actions = StoryActions(story, seed, address=address)
    actions.open_games(GAMES, lambda: do_pass(actions))
    for _ in range(STEPS):
        actions.time_passes()
        for _ in range(actions.chance.randint(1, 4)):
            actions.somebody_writes()
        actions.outsiders_write()
        story.passes(seconds=2)
        do_pass(actions)
    story.tick()
    sent = {(row.address, row.message_id) for row in story.sent() if row.sent_at}
    for recipient in sorted({to for to, _ in sent}):
        expected = {message_id: 1 for to, message_id in sent if to == recipient}
        with IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=TIMEOUT) as client:
            client.login(recipient, "secret")
            client.select_folder("INBOX")
            # What SMTP has taken may still be on its way to the mailbox.
            until(f"{len(expected)} mails are there", partial(_has_so_many, client, len(expected)))
            there = client.fetch(client.search(), ["BODY.PEEK[]"]).values()
        assert Counter(read_mail(one[b"BODY[]"]).message_id for one in there) == expected


def _has_so_many(client: IMAPClient, number: int) -> bool:
    client.noop()
    return len(client.search()) >= number


@pytest.mark.trust
@pytest.mark.parametrize("seed", [0, 1])
def test_on_the_embedded_server(seed: int, tmp_path: Path) -> None:
    """All promises hold over the demo's IMAP and SMTP."""
    address, account = name_addresses()
    everybody = [*map(address, (*PLAYERS, *STANDBYS, *STRANGERS, GM)), account]
    with MailServer(dict.fromkeys(everybody, "secret")) as server:
        tell(tmp_path, server, address, account, seed)


@pytest.mark.trust
@pytest.mark.server
def test_on_postfix_and_dovecot(postfix: Any, tmp_path: Path) -> None:
    """All promises hold over the servers that most providers run."""
    tell(tmp_path, postfix, *name_addresses(), seed=2)
