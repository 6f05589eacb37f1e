"""Two services on one database and mailbox with real servers; one may be blocked for longer than its lease."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import scripted_server
import smtp_zine
from sqlmodel import col, func, select
from waiting import TIMEOUT

from gm.app.context import App, open_app
from gm.app.pass_report import Report
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, observed, write_config, write_mail
from gm.runtime.config.settings import SmtpSettings, load
from gm.service.outbound.delivery import LEASE, claim, deliver
from gm.service.scheduler import Backoff, Loop
from gm.service.tick import tick
from gm.store.tables import MailIn, MailOut, Turn
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.smtp.outbox import Outbox
from gm.transport.smtp.sender import UNNOTED
from parsers.mime.message import read_mail

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


def test_one_that_was_held_up_for_longer_than_its_lease(running: Callable[..., Story]) -> None:
    """It comes back after another one took over: at most what may go unnoted goes out twice, and order is kept."""
    story = running()
    slow, quick = smtp_zine.MisbehavingSmtp(), smtp_zine.MisbehavingSmtp()
    waking, waiting = threading.Event(), threading.Event()
    mails, addresses = 80, 40

    def held_up(_line: object, address: str) -> bytes:
        waiting.set()
        waking.wait(TIMEOUT)
        return usual(_line, address)

    usual = slow._takes
    slow._takes = held_up
    with ExitStack() as stack:
        apps = []
        for smtp_server in (slow, quick):
            server = stack.enter_context(scripted_server.ScriptedServer(smtp_server.script))
            settings = SmtpSettings(host="127.0.0.1", port=server.port, security="none", per_minute=1000)
            outbox = stack.enter_context(closing(Outbox(settings)))
            apps.append(
                replace(story.app, outbox=outbox, settings=story.app.settings.model_copy(update={"smtp": settings}))
            )
        zine = smtp_zine.SmtpZine(story, quick, Loop(app=apps[1], makes_pages=False))
        zine.queues(f"p{number % addresses}@far.example" for number in range(mails))
        first = threading.Thread(target=deliver, args=(apps[0], Report()))
        first.start()
        assert waiting.wait(TIMEOUT)
        deliver(apps[1], Report())
        assert not quick.taken, "the first one has them in its hands"
        story.passes(minutes=11)
        deliver(apps[1], Report())
        waking.set()
        first.join(TIMEOUT)
        assert not first.is_alive()
        deliver(apps[0], Report())
        deliver(apps[1], Report())
    assert not zine.queued()
    assert len(slow.taken) <= UNNOTED
    assert set(Counter(quick.taken).values()) == {1}
    assert len(quick.taken) == mails
    for address in {to for to, _ in quick.taken}:
        ids = [read_mail(raw).message_id for to, raw in quick.taken if to == address]
        assert ids == [row.message_id for row in zine.mails(address=address)]


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
    taken = claim(story.app).letters
    in_question = (col(MailOut.id).in_([letter.id for letter in taken]),)
    zine.queues(f"q{number}@far.example" for number in range(60))
    story.passes(minutes=11)
    with scripted_server.ScriptedServer(smtp_server.script) as server:
        settings = SmtpSettings(host="127.0.0.1", port=server.port, security="none", per_minute=1000)
        with closing(Outbox(settings)) as outbox:
            deliver(replace(story.app, outbox=outbox), Report())
    assert len(taken) == 60
    assert not zine.queued()
    assert noted == [*range(60), *[60] * 60]


def test_what_goes_to_one_address_is_taken_together(running: Callable[..., Story]) -> None:
    """A claim is as long as the queue, whoever its mails are for, in the order in which they were queued."""
    story = running()
    zine = smtp_zine.SmtpZine(story, smtp_zine.MisbehavingSmtp(), Loop(app=story.app, makes_pages=False))
    zine.queues(f"p{number % 3}@far.example" for number in range(30))
    queued = [row.id for row in zine.queued()]
    assert [letter.id for letter in claim(story.app).letters] == queued
    zine.queues(["p0@far.example", "p9@far.example"])
    assert [letter.recipient for letter in claim(story.app).letters] == ["p9@far.example"], "behind p0's nobody may go"


def test_a_lease_that_another_took_over_is_not_given_back(running: Callable[..., Story]) -> None:
    """A blocked service releases only mails it still holds, and marks nothing that the other one has settled."""
    story = running()
    zine = smtp_zine.SmtpZine(story, smtp_zine.MisbehavingSmtp(), Loop(app=story.app, makes_pages=False))
    zine.queues(f"p{number}@far.example" for number in range(4))

    class HeldUp:
        """An outbox in which the time passes, and another process takes over."""

        def send(self, letters):  # type: ignore[no-untyped-def]
            story.passes(minutes=11)
            taken.append(claim(story.app))
            raise KeyboardInterrupt
            yield letters

        def close(self) -> None:
            """Nothing to close."""

    taken = []
    with pytest.raises(KeyboardInterrupt):
        deliver(replace(story.app, outbox=HeldUp()), Report())
    assert len(taken[0].letters) == 4
    assert [row.lease_until for row in zine.queued()] == [story.now + LEASE] * 4
    assert not claim(story.app).letters


def test_a_lease_of_a_moment_later_is_one(running: Callable[..., Story]) -> None:
    """A service with an earlier time, or a slow clock, sends no mail that another one has taken."""
    story = running()
    story.writes("Anna Berg", "Stand Eriwan\n")
    tick(story.app, outbox=False, archive=False)
    assert len(claim(story.app).letters) == 1
    story.passes(seconds=-3)
    assert not claim(story.app).letters


def _pass_until_closed(loop: Loop, app: App) -> None:
    """Go on: a round is closed by a fetch that begins a second after the last mail, as the server tells no less."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        loop.outbox = Backoff()
        loop.one_pass()
        with app.database.read() as session:
            if len(session.exec(select(Turn)).all()) > 1:
                return
        time.sleep(0.2)


def test_two_services_at_work_on_real_servers(tmp_path: Path) -> None:
    """Both loops run at once: each mail is handled once, each round closed once, each bulletin sent once."""
    users = {GM_ADDRESS: "x", "cici@postspiel.example": "x", **{address_of(name): "x" for name in PLAYERS}}
    with MailServer(users) as server, ExitStack() as stack:
        login = {"username": GM_ADDRESS, "password": "x"}
        config = write_config(tmp_path, more={
            "imap": {**login, "port": server.imap_port}, "smtp": {**login, "port": server.smtp_port},
        })  # fmt: skip
        apps = [stack.enter_context(closing(open_app(load(config)))) for _ in range(2)]
        far = Backoff(until=datetime.now(UTC) + timedelta(days=9999), pause=timedelta(days=9999))
        loops = [Loop(app=app, archive=replace(far)) for app in apps]
        actions.new_game(apps[0], "crossword", "Eriwan")
        for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
            actions.join(apps[0], "Eriwan", name, address_of(name), wish)
        actions.start(apps[0], "Eriwan")
        loops[0].one_pass()
        for number, name in enumerate(PLAYERS):
            for more in range(2):
                raw = write_mail(address_of(name), MOVE, name=name, message_id=f"<{number}.{more}@x>")
                server.append(GM_ADDRESS, raw)
        for name in PLAYERS:
            server.append(GM_ADDRESS, write_mail(address_of(name), "Fertig Eriwan", name=name))
        threads = [threading.Thread(target=lambda loop=loop: [loop.one_pass() for _ in range(8)]) for loop in loops]
        with observed(apps[0]):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(TIMEOUT)
            _pass_until_closed(loops[0], apps[0])
        with apps[0].database.read() as session:
            handled = session.exec(select(MailIn)).all()
            queued = session.exec(select(MailOut)).all()
            assert [turn.number for turn in session.exec(select(Turn).order_by(Turn.id))] == [0, 1]
        assert Counter(row.status for row in handled) == {"applied": 18}
        assert {row.status for row in queued} == {"sent"}
        others = users.keys() - {GM_ADDRESS}
        arrived = Counter(read_mail(raw).message_id for user in others for raw in server.mails(user))
        assert arrived == {row.message_id: 1 for row in queued}
        assert server.mails(GM_ADDRESS) == []
