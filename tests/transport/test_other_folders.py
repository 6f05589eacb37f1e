"""The folders beside the inbox: players' mails among the junk, and handled mails after a copy was put back."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from copies import back_up, put_in_place
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.runtime.errors import MailboxError
from gm.store.queries import zine_queries
from gm.store.tables import MailIn, Sheet

ANNA, BERND = PLAYERS[:2]
SPAM = write_mail("reich@fremd.example", "Gewonnen! Sofort antworten!", subject="Gewinn")
MOVE = "Crossword Eriwan\nRunde: 1\nNeu: E\nROT" + "...\n......\n......\n......\n......\n......\n"


def move_of(name: str, number: int = 1) -> bytes:
    """Write a move of round 1."""
    return write_mail(address_of(name), MOVE, name=name, message_id=f"<{number}.{name[0]}@spieler.example>")


@pytest.fixture
def zine(mailbox: Any, running: Callable[..., Story]) -> Callable[..., Story]:
    """Open Eriwan in round 1 on a mailbox: `zine(junk="Junk")`; a folder is a copy of its database."""

    def begin(folder: Path | None = None, **imap: Any) -> Story:
        story = running(*[folder] if folder else [], more={"imap": imap})
        story.app = replace(story.app, inbox=mailbox.inbox())
        return story

    return begin


def filed(story: Story) -> list[tuple[int, datetime]]:
    """List the moves that were filed: seat and arrival."""
    with story.app.database.read() as session:
        return [(sheet.seat, sheet.received_at) for sheet in session.exec(select(Sheet).order_by(Sheet.id))]


def stored(story: Story) -> list[tuple[str, str]]:
    """List what is in the log of received mails: folder and status."""
    with story.app.database.read() as session:
        return [(mail.folder, mail.status) for mail in session.exec(select(MailIn).order_by(MailIn.id))]


def lying(story: Story, folder: str) -> list[bytes]:
    """List what waits in a folder; a server without MOVE and UIDPLUS keeps the rest, marked as deleted."""
    inbox = story.app.inbox if folder == "INBOX" else story.app.inbox.other_folder(folder)
    return [mail.raw for mail in inbox.fetch(inbox.waiting().uids)]


def test_heads(mailbox: Any) -> None:
    """Arrival, size and sender are told without the mail; a mail that is moved keeps its arrival."""
    at = datetime.fromisoformat("2026-11-03T12:34:56+01:00")
    mailbox.deliver(move_of(ANNA), at)
    mailbox.deliver(b"Subject: nobody\r\n\r\n\r\n", at)
    inbox = mailbox.inbox()
    one, other = inbox.waiting().uids
    heads = inbox.heads([one, other, 99999], with_sender=True)
    assert (heads[one].received_at, heads[one].size) == (at, len(move_of(ANNA)))
    assert b"<anna@spieler.example>" in heads[one].sender
    assert heads[other].sender.strip() == b""
    assert set(heads) == {one, other}
    handled = inbox.other_folder("GM/Processed")
    assert not handled.exists()
    inbox.move([one], "processed")
    assert handled.exists()
    (moved,) = handled.heads(handled.waiting().uids).values()
    assert (moved.received_at, moved.size) == (at, len(move_of(ANNA)))
    assert inbox.other_folder("GM/Processed") is handled or hasattr(mailbox, "server")


@pytest.mark.trust(except_first=1)
def test_a_players_mail_among_the_junk(mailbox: Any, zine: Callable[..., Story]) -> None:
    """It counts as if it had come into the inbox and is moved out; what else lies there stays, unread."""
    story = zine(junk="Junk")
    for raw in (SPAM, move_of(ANNA), SPAM):
        mailbox.deliver(raw, story.now, "Junk")
    assert story.tick().troubles == []
    assert [seat for seat, _ in filed(story)] == [1]
    assert stored(story) == [("Junk", "applied")]
    assert lying(story, "Junk") == [SPAM, SPAM]
    assert mailbox.mails("GM/Processed") == [move_of(ANNA)]
    if hasattr(mailbox, "client"):
        with mailbox.client() as client:
            client.select_folder(mailbox._prefix + "Junk")
            left = client.search("UNDELETED")  # an old server can't take the handled one out
            assert not any(rb"\Seen" in flags for flags in client.get_flags(left).values())


@pytest.mark.trust(except_first=1)
def test_junk_is_looked_at_once(mailbox: Any, zine: Callable[..., Story], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each mail there the sender is asked for once, whatever the number of passes."""
    story = zine(junk="Junk")
    asked: list[int] = []
    kind = type(story.app.inbox)
    heads = kind.heads
    monkeypatch.setattr(kind, "heads", lambda self, uids, **more: asked.extend(uids) or heads(self, uids, **more))
    for expected in (2, 0, 1, 0):
        for _ in range(expected):
            mailbox.deliver(SPAM, story.now, "Junk")
        asked.clear()
        story.tick()
        assert len(asked) == expected
    assert stored(story) == []


@pytest.mark.trust(except_first=1)
def test_in_order_of_arrival(mailbox: Any, zine: Callable[..., Story]) -> None:
    """Of a move in the inbox and one among the junk the later one counts, wherever it lies."""
    story = zine(junk="Junk")
    mailbox.deliver(move_of(ANNA, 2), story.now + timedelta(minutes=2))
    mailbox.deliver(move_of(ANNA, 1), story.now + timedelta(minutes=1), "Junk")
    story.passes(minutes=3)
    story.tick()
    assert [folder for folder, _ in stored(story)] == ["Junk", "INBOX"]
    assert [at for _, at in filed(story)] == sorted(at for _, at in filed(story))
    assert lying(story, "INBOX") == lying(story, "Junk") == []


@pytest.mark.trust(except_first=2)
def test_no_junk_folder(zine: Callable[..., Story], caplog: pytest.LogCaptureFixture) -> None:
    """A junk folder that isn't there is said once, and stops nothing."""
    story = zine(junk="Spam")
    with caplog.at_level(logging.WARNING, "gm"):
        for _ in range(3):
            assert story.tick().troubles == []
    assert [record.message for record in caplog.records].count(
        "There is no folder Spam in the mailbox; check junk in [imap]."
    ) == 1


@pytest.mark.trust(except_first=1)
def test_junk_that_cannot_be_read(mailbox: Any, zine: Callable[..., Story], monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails in the inbox are handled, but no round closes: the move that is missing may lie there."""
    story = zine(junk="Junk")
    mailbox.deliver(move_of(BERND), story.now)
    kind = type(story.app.inbox)
    exists = kind.exists

    def refuse(_inbox: Any) -> bool:
        raise MailboxError("The server refuses Junk.")

    monkeypatch.setattr(kind, "exists", refuse)
    story.passes(days=20)
    report = story.tick()
    assert [str(trouble) for trouble in report.troubles] == ["The server refuses Junk."]
    assert (stored(story), report.closed) == ([("INBOX", "applied")], [])
    mailbox.deliver(move_of(ANNA), story.now - timedelta(days=19), "Junk")
    monkeypatch.setattr(kind, "exists", exists)
    assert story.tick().closed == ["Eriwan"]
    assert [seat for seat, _ in filed(story)] == [2, 1]


@pytest.mark.trust(except_first=1)
@pytest.mark.sqlite
def test_a_copy_is_put_back(mailbox: Any, zine: Callable[..., Story], tmp_path: Path) -> None:
    """What was handled since, from inbox and junk, is handled again with its old arrival; nothing twice."""
    story = zine(junk="Junk")
    mailbox.deliver(write_mail(address_of(ANNA), "Stand", message_id="<known@spieler.example>"), story.now)
    story.tick()
    copy, place = tmp_path / "copy.db", tmp_path / "gm.db"
    back_up(f"sqlite:///{place}", copy, story.now)
    first, second = story.now + timedelta(minutes=5), story.now + timedelta(minutes=9)
    mailbox.deliver(move_of(ANNA), first)
    mailbox.deliver(move_of(BERND), second, "Junk")
    story.passes(minutes=10)
    story.tick()
    expected = filed(story)
    assert len(expected) == 2
    story.app.close()
    put_in_place(copy, place, story.now)
    again = replace(story.app, database=story.open(story.app.settings).database, inbox=mailbox.inbox())
    story.app = again
    assert filed(story) == []
    assert story.tick().troubles == []
    assert filed(story) == expected
    assert stored(story) == [("INBOX", "applied"), ("GM/Processed", "applied"), ("GM/Processed", "applied")]
    with story.app.database.read() as session:
        assert not zine_queries.zine(session).is_behind
    assert story.tick().received == 0
    assert len(mailbox.mails("GM/Processed")) == 3
