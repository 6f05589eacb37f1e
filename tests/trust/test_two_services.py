"""Sending: by a process that is replaced meanwhile, after a crash, and by how many at a time."""

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest
import scripted_server
import smtp_zine
from sqlmodel import col, func, select
from waiting import TIMEOUT

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import Story
from gm.runtime.config.settings import SmtpSettings
from gm.service.outbound.delivery import deliver, take_from_queue
from gm.service.scheduler import Loop
from gm.store.database import Database
from gm.store.tables import MailOut
from gm.transport.smtp.outbox import Outbox
from parsers.mime.message import read_mail

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


def test_one_that_lost_the_lead_while_it_sends(running: Callable[..., Story]) -> None:
    """Another one takes over: at most what may go unnoted goes out twice, and order is kept."""
    story = running()
    slow, quick = smtp_zine.MisbehavingSmtp(), smtp_zine.MisbehavingSmtp()
    waking, waiting = threading.Event(), threading.Event()

    class Replaced(Database):
        """The database of a process that led, until it was held up."""

        def has_lost_the_lead(self) -> bool:
            """Say so."""
            return waiting.is_set()

    mails, addresses = 80, 40

    def held_up(_line: object, address: str) -> bytes:
        waiting.set()
        waking.wait(TIMEOUT)
        return usual(_line, address)

    usual = slow._takes
    slow._takes = held_up
    with ExitStack() as stack:
        apps = []
        databases = (stack.enter_context(closing(Replaced(story.app.database.url))), story.app.database)
        for smtp_server, database in zip((slow, quick), databases, strict=True):
            server = stack.enter_context(scripted_server.ScriptedServer(smtp_server.script))
            settings = SmtpSettings(host="127.0.0.1", port=server.port, security="none", per_minute=1000)
            outbox = stack.enter_context(closing(Outbox(settings)))
            all_settings = story.app.settings.model_copy(update={"smtp": settings})
            apps.append(replace(story.app, outbox=outbox, settings=all_settings, database=database))
        zine = smtp_zine.SmtpZine(story, quick, Loop(app=apps[1], makes_pages=False))
        zine.queues(f"p{number % addresses}@far.example" for number in range(mails))
        first = threading.Thread(target=deliver, args=(apps[0], Report()))
        first.start()
        assert waiting.wait(TIMEOUT)
        deliver(apps[1], Report())
        waking.set()
        first.join(TIMEOUT)
        assert not first.is_alive()
        deliver(apps[1], Report())
    assert not zine.queued()
    assert len(slow.taken) <= 1
    assert set(Counter(quick.taken).values()) == {1}
    assert len(quick.taken) == mails
    for address in {to for to, _ in quick.taken}:
        ids = [read_mail(raw).message_id for to, raw in quick.taken if to == address]
        assert ids == [row.message_id for row in zine.mails(address=address)]


def test_one_that_lost_the_lead_before_it_sends(running: Callable[..., Story], monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that stood still with mails in its hands sends none when it wakes, as another one sends them."""
    story = running()
    zine = smtp_zine.SmtpZine(story, smtp_zine.MisbehavingSmtp(), Loop(app=story.app, makes_pages=False))
    zine.queues(f"p{number}@far.example" for number in range(6))
    monkeypatch.setattr(story.app.database, "has_lost_the_lead", lambda: True)
    deliver(story.app, Report())
    assert story.mails() == []
    monkeypatch.undo()
    deliver(story.app, Report())
    assert len(story.mails()) == 6


def test_what_may_have_been_sent_goes_one_by_one(running: Callable[..., Story]) -> None:
    """Of letters that were in a dead process' hands each is noted before the next: a second death repeats one at most.

    What nobody has begun to send follows faster, with many noted together.
    """
    story = running()
    smtp_server = smtp_zine.MisbehavingSmtp()
    zine = smtp_zine.SmtpZine(story, smtp_server, Loop(app=story.app, makes_pages=False))
    noted: list[int] = []

    def counting(line: object, address: str) -> bytes:
        with story.app.database.read() as session:
            noted.append(session.exec(select(func.count()).where(MailOut.status == "sent", *in_question)).one())
        return usual(line, address)

    usual, smtp_server._takes = smtp_server._takes, counting
    zine.queues(f"p{number}@far.example" for number in range(60))
    taken = take_from_queue(story.app)
    in_question = (col(MailOut.id).in_([letter.id for letter in taken]),)
    zine.queues(f"q{number}@far.example" for number in range(60))
    with scripted_server.ScriptedServer(smtp_server.script) as server:
        settings = SmtpSettings(host="127.0.0.1", port=server.port, security="none", per_minute=1000)
        with closing(Outbox(settings)) as outbox:
            deliver(replace(story.app, outbox=outbox), Report())
    assert len(taken) == 60
    assert not zine.queued()
    assert noted == [*range(60), *[60] * 60]


def test_what_goes_to_one_address_is_taken_together(running: Callable[..., Story]) -> None:
    """All that is queued is taken at once, whoever its mails are for, in the order in which they were queued."""
    story = running()
    zine = smtp_zine.SmtpZine(story, smtp_zine.MisbehavingSmtp(), Loop(app=story.app, makes_pages=False))
    zine.queues(f"p{number % 3}@far.example" for number in range(30))
    queued = [row.id for row in zine.queued()]
    assert [letter.id for letter in take_from_queue(story.app)] == queued
