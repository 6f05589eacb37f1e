"""Mails that a real Dovecot can't hand over: an unreadable file, a wrong size in the file's name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.reports.health import health
from gm.reports.state import State
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import mail_actions
from gm.store.queries import game_queries
from gm.store.tables import MailIn

pytestmark = pytest.mark.server

ANNA, BERND, CARLA = PLAYERS[:3]
MOVE = "Crossword Eriwan\nRunde: 1\nNeu: E\nROT" + "...\n......\n......\n......\n......\n......\n"
GM = "cici@postspiel.example"


class BrokenZine:
    """Eriwan in round 1 at an account of Dovecot, whose mail files are broken."""

    def __init__(self, story: Story, mailbox: Any, root: Path) -> None:
        self.story, self.mailbox = story, mailbox
        self.folder = root / "home" / mailbox.settings.username / "Maildir"
        story.app = replace(story.app, inbox=mailbox.inbox())

    def writes(self, name: str) -> None:
        """Let a player send a move, a minute after whatever happened before."""
        self.mailbox.deliver(write_mail(address_of(name), MOVE, name=name), self.story.now)
        self.story.passes(minutes=1)

    def arrives_broken(self, name: str, wrong_by: int) -> Path:
        """Deliver a move as a file whose name tells a wrong size; Dovecot breaks off where it is read."""
        raw, at = write_mail(address_of(name), MOVE, name=name), self.story.now.timestamp()
        self._look()
        file = self.folder / "new" / f"{int(at)}.M1P{len(raw)}.{name[0]},S={len(raw) + wrong_by}"
        file.write_bytes(raw)
        shutil.chown(file, self.folder.owner(), self.folder.group())
        os.utime(file, (at, at))
        self._look()  # gives it its number
        self.story.passes(minutes=1)
        return file

    def mend(self, file: Path) -> None:
        """Write no size into the name of a broken file, which makes it another mail for Dovecot."""
        (broken,) = self.folder.glob(f"cur/{file.name}*")
        broken.rename(self.folder / "new" / file.name.partition(",")[0])

    def _look(self) -> None:
        with self.mailbox.client() as client:
            client.select_folder("INBOX")

    def statuses(self) -> list[str]:
        """Return what became of each mail."""
        with self.story.app.database.read() as session:
            return [mail.status for mail in session.exec(select(MailIn).order_by(MailIn.uid))]

    def waiting(self) -> list[dict[str, Any]]:
        """List what waits for the GM."""
        with self.story.app.database.read() as session:
            return waiting_for_gm(self.story.app, session)

    def told_to_gm(self) -> list[str]:
        """Return what mails to the GM say since the last look."""
        return [mail.text for to, mail in self.story.mails() if to == GM]


@pytest.fixture
def zine(dovecot: Any, dovecot_mailbox: Any, running: Callable[..., Story]) -> BrokenZine:
    """Eriwan at Dovecot."""
    return BrokenZine(running(), dovecot_mailbox, dovecot.root)


def test_two_broken_mails_at_the_head_of_the_inbox(zine: BrokenZine) -> None:
    """A good move behind them is read at once; list and health name both; mended, they count."""
    broken = [zine.arrives_broken(ANNA, 500), zine.arrives_broken(BERND, -200)]
    zine.writes(CARLA)
    assert zine.story.tick().troubles == []
    assert zine.statuses() == ["unfetched", "unfetched", "applied"]
    (told,) = zine.told_to_gm()
    assert told.count("INBOX, UID") == 2
    about = [row["about"] for row in zine.waiting()]
    assert [one.partition(", UID")[0] for one in about] == ["INBOX", "INBOX"]
    assert all(" 2 Nov 2026, 12:0" in one for one in about)
    with zine.story.app.database.read() as session:
        reasons = health(State(zine.story.app, session))["reasons"]
    assert len([one for one in reasons if "can't be fetched (INBOX, UID" in one]) == 2
    zine.story.passes(minutes=5)
    assert zine.story.tick().troubles == []
    assert zine.told_to_gm() == []
    for file in broken:
        zine.mend(file)
    zine.story.tick()
    zine.story.tick()
    assert sorted(zine.statuses()) == ["applied"] * 3 + ["ignored"] * 2
    assert zine.waiting() == []
    assert len(zine.mailbox.mails("GM/Processed")) == 3


@pytest.mark.trust
def test_a_broken_mail_holds_the_rounds_of_its_window(zine: BrokenZine) -> None:
    """The round waits at its ZAT; with the mail dropped it closes, and the mail stays where it is, in peace."""
    zine.arrives_broken(ANNA, 500)
    zine.writes(BERND)
    zine.story.tick()
    assert zine.statuses() == ["unfetched", "applied"]
    app = zine.story.app
    with app.database.read() as session:
        zat = game_queries.named(session, "Eriwan").zat
    assert zat is not None
    while zine.story.now < zat:
        zine.story.passes(minutes=12 * 60)
        assert zine.story.tick().closed == []
    with app.database.write() as session:
        assert "put aside" in mail_actions.drop(app, session, "2")
    assert zine.waiting() == []
    assert zine.story.tick().closed == ["Eriwan"]
    assert zine.story.tick().troubles == []
    assert zine.statuses() == ["dropped", "applied"]


@pytest.mark.trust
def test_it_is_held_up_for_so_long_at_most(zine: BrokenZine) -> None:
    """After the time of `hold` the round closes, and the next one isn't held by the same mail."""
    zine.arrives_broken(ANNA, -200)
    zine.story.tick()
    closed: list[str] = []
    with zine.story.app.database.read() as session:
        zat = game_queries.named(session, "Eriwan").zat
    assert zat is not None
    while not closed:
        zine.story.passes(minutes=6 * 60)
        closed = zine.story.tick().closed
    assert zat + timedelta(hours=24) <= zine.story.now < zat + timedelta(hours=31)
    with zine.story.app.database.read() as session:
        zat = game_queries.named(session, "Eriwan").zat
    assert zat is not None
    while zine.story.now < zat:
        assert zine.story.tick().closed == []
        zine.story.passes(minutes=6 * 60)
    assert zine.story.tick().closed == ["Eriwan"]
