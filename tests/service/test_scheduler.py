"""The service running for days: a failure is reported once, retried, and stops nothing else."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import databases
import pytest
from waiting import NEVER, TIMEOUT, until

from gm.app.context import App, open_app
from gm.archive import make_games
from gm.archive.game_pages.pages import game_pages
from gm.archive.record.record import Record
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail
from gm.requests.desk import actions
from gm.runtime.config.settings import Settings, load
from gm.runtime.errors import MailboxError
from gm.service import scheduler
from gm.service.scheduler import Loop
from gm.service.tick import Report
from gm.store.database import Database
from gm.store.queries import game_queries
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.doubles.in_memory import MemoryInbox
from gm.transport.imap.inbox import Target
from gm.transport.imap.mails import Waiting

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


@pytest.fixture
def story(running: Callable[..., Story], caplog: pytest.LogCaptureFixture) -> Story:
    """Eriwan in round 1, ZAT 16 November, 20:00."""
    caplog.set_level(logging.INFO, "gm")
    return running()


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Return what the log says of troubles and their end, with its level."""
    found = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "gm"]
    return [(level, text) for level, text in found if "server" in text or "database" in text]


def run_through(story: Story, loop: Loop, seconds: int, step: int = 1) -> Iterator[Report | None]:
    """Let time pass, with a pass of the loop every `step` seconds."""
    for _ in range(0, seconds, step):
        story.passes(seconds=step)
        yield loop.one_pass()


IMAP_DOWN = "The IMAP server in memory is switched off; switch it on again."
SMTP_DOWN = "The SMTP server in memory is switched off; switch it on again."


def test_a_lost_imap_server_is_said_once_and_tried_after_growing_pauses(
    story: Story, caplog: pytest.LogCaptureFixture
) -> None:
    """An outage of half an hour makes one line in the log and a dozen tries; its end makes one more line."""
    loop = Loop(app=story.app, makes_pages=False)
    story.server.is_down = True
    passes = [*run_through(story, loop, 640, step=5), *run_through(story, loop, 1300, step=100)]
    seconds = [*range(0, 640, 5), *range(735, 1936, 100)]
    tries = [second for second, report in zip(seconds, passes, strict=True) if report and report.troubles]
    pauses = [later - sooner for sooner, later in pairwise(tries)]
    assert pauses[:8] == [5, 10, 20, 40, 80, 160, 320, 600]
    assert set(pauses[8:]) == {600}
    assert said(caplog) == [("WARNING", IMAP_DOWN)]
    story.server.is_down = False
    list(run_through(story, loop, 700, step=100))
    assert said(caplog)[1:] == [("INFO", f"works again, after: {IMAP_DOWN}")]


def test_a_second_outage_is_said_again_and_begins_with_short_pauses(
    story: Story, caplog: pytest.LogCaptureFixture
) -> None:
    """After a recovery all is forgotten."""
    loop = Loop(app=story.app, makes_pages=False)
    for _ in range(2):
        story.server.is_down = True
        tried = [second for second, report in enumerate(run_through(story, loop, 17)) if report and report.troubles]
        assert tried == [0, 5, 15]
        story.server.is_down = False
        list(run_through(story, loop, 30))
    assert [level for level, _ in said(caplog)] == ["WARNING", "INFO"] * 2


def test_mail_goes_out_while_none_comes_in(story: Story) -> None:
    """A lost IMAP server doesn't keep bulletins back."""
    loop = Loop(app=story.app, makes_pages=False)
    loop.one_pass()
    story.server.is_down = True
    loop.one_pass()
    actions.close(story.app, "Eriwan", story.now)
    story.passes(seconds=1)
    loop.one_pass()
    assert len(story.mails()) == 6


def test_nothing_goes_out_before_the_mailbox_was_seen(story: Story) -> None:
    """A process that begins while the IMAP server is away can't know whose the mailbox is by now: it sends nothing."""
    actions.close(story.app, "Eriwan", story.now)
    story.passes(seconds=1)
    loop = Loop(app=replace(story.app, ours=set()), makes_pages=False)
    story.server.is_down = True
    loop.one_pass()
    assert story.mails() == []
    story.server.is_down = False
    story.passes(minutes=1)
    loop.one_pass()
    assert len(story.mails()) == 6


def test_mail_comes_in_while_none_goes_out(story: Story, caplog: pytest.LogCaptureFixture) -> None:
    """A refused login at SMTP is said once; moves are stored all the same, and the answers go out later."""
    loop = Loop(app=story.app, makes_pages=False)
    story.outbox.is_down = True
    for name in PLAYERS:
        story.writes(name, MOVE)
    reports = list(run_through(story, loop, 36))
    assert [report.received for report in reports if report and report.received] == [6]
    assert story.server.folders["INBOX"] == {}
    assert [at for at, report in enumerate(reports) if report and report.troubles] == [0, 5, 15, 35]
    assert said(caplog) == [("WARNING", SMTP_DOWN)]
    assert story.mails() == []
    story.outbox.is_down = False
    list(run_through(story, loop, 41))
    assert len(story.mails()) == 6
    assert said(caplog)[1:] == [("INFO", f"works again, after: {SMTP_DOWN}")]


def test_a_locked_database_ends_nothing(story: Story, caplog: pytest.LogCaptureFixture) -> None:
    """While the database can't be used the loop waits, says so once, and then goes on with all that came in."""
    app = replace(story.app, database=Database(story.app.settings.database.url, lock_seconds=0.01))
    loop = Loop(app=app, makes_pages=False)
    story.writes("Anna Berg", MOVE)
    let_go = databases.CHOSEN.hold(story.config.parent)
    assert set(run_through(story, loop, 30)) == {None}
    let_go()
    list(run_through(story, loop, 30))
    app.database.close()
    assert story.gets("Anna Berg").subject == "[Eriwan] Zug Runde 1 angekommen"
    assert [level for level, _ in said(caplog)] == ["WARNING", "INFO"]
    assert "another process has held it" in said(caplog)[0][1]


def test_a_due_round_waits_for_a_look_into_the_inbox(story: Story) -> None:
    """After an outage over a ZAT the inbox is read before the round closes: a move that arrived in time counts."""
    loop = Loop(app=story.app, makes_pages=False)
    story.at("2026-11-16T19:00:00+01:00")
    story.server.is_down = True
    story.writes("Anna Berg", MOVE)
    story.at("2026-11-16T23:00:00+01:00")
    report = loop.one_pass()
    assert report is not None
    assert report.closed == []
    story.server.is_down = False
    closed = [report.closed for report in run_through(story, loop, 10) if report and report.closed]
    assert closed == [["Eriwan"]]
    with story.app.database.read() as session:
        assert game_queries.named(session, "Eriwan").round == 2
    bulletin = next(mail for recipient, mail in reversed(story.mails()) if recipient == address_of("Bernd Cordes"))
    assert "NMR" in bulletin.text
    assert "D N T I R O" in bulletin.text


class _Immovable(MemoryInbox):
    """A server on which our folders can't be made."""

    def move(self, uids: Sequence[int], _target: Target) -> None:
        if uids:
            raise MailboxError("The folder GM/Processed can't be made.")


def test_a_mail_that_can_not_be_moved_holds_no_round(story: Story) -> None:
    """All has been read and stored: a server that refuses the folder is said, and the round closes."""
    stuck = replace(story.app, inbox=_Immovable(story.server))
    loop = Loop(app=stuck, makes_pages=False)
    story.writes("Anna Berg", MOVE)
    loop.one_pass()
    story.at("2026-11-16T23:00:00+01:00")
    report = loop.one_pass()
    assert report is not None
    assert [str(trouble) for trouble in report.troubles] == ["The folder GM/Processed can't be made."]
    assert report.closed == ["Eriwan"]
    assert report.received == 0, "it isn't read again"


# -- times -------------------------------------------------------------------------------------------------------------

ZAT = datetime(2026, 11, 16, 19, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_every_time_is_a_job(running: Callable[..., Story]) -> None:
    """The poll, the next instant of a game, the digest and the nightly backup: none waits for another."""
    weekly = {"weekday": "sunday", "time": "18:00"}
    story = running(more={"backup": {"keep": 3}, "digest": weekly, "deadlines": {"reminders": []}})
    loop = Loop(app=story.app, makes_pages=False)
    story.at("2026-11-13T12:00:00+01:00")
    loop.one_pass()
    assert loop.next_times(story.now) == {
        "poll": story.now + timedelta(seconds=story.app.settings.imap.poll_seconds),
        "due": ZAT + SECOND,
        "digest": datetime(2026, 11, 15, 17, tzinfo=UTC),
        "backup": datetime(2026, 11, 14, 2, tzinfo=UTC),
    }


def test_the_fetch_of_a_zat_begins_a_second_after_it(story: Story) -> None:
    """A mail's arrival has whole seconds: sooner a mail in time may be missing, later the players would wait."""
    loop = Loop(app=story.app, makes_pages=False)
    for story.now in (ZAT - 60 * SECOND, ZAT, ZAT + 0.9 * SECOND):
        loop.one_pass()
        assert loop.next_times(story.now)["due"] == ZAT + SECOND
    fell_due = loop.next_times(story.now)["due"]
    story.now = fell_due + SECOND
    assert loop.next_times(ZAT)["due"] == fell_due, "what fell due in a long pass is no news for the next poll"
    report = loop.one_pass()
    assert report is not None
    assert report.closed == ["Eriwan"]
    assert loop.next_times(story.now)["due"] > story.now


def test_a_fetch_that_fails_at_a_zat_is_tried_again_before_the_next_poll(running: Callable[..., Story]) -> None:
    """The round stays open until a fetch succeeds."""
    story = running(more={"imap": {"poll_seconds": NEVER}})
    loop = Loop(app=story.app, makes_pages=False)
    story.at((ZAT + SECOND).isoformat())
    story.server.is_down = True
    for pause in (5, 10, 20):
        report = loop.one_pass()
        assert report is not None
        assert report.closed == []
        times = loop.next_times(story.now)
        assert times["poll"] == story.now + pause * SECOND
        story.now = times["poll"]
    story.server.is_down = False
    report = loop.one_pass()
    assert report is not None
    assert report.closed == ["Eriwan"]


def test_who_stands_by_has_no_times_but_the_next_look(story: Story) -> None:
    """It looks every few seconds whether the other one has gone."""
    loop = Loop(app=story.app, leads=False)
    assert loop.next_times(story.now) == {"poll": story.now + 4 * SECOND}


# -- threads -----------------------------------------------------------------------------------------------------------


class WatchedLoop(Loop):
    """A loop with somebody who looks at each report."""

    def __init__(self, app: App, after: Callable[[Report], object]) -> None:
        super().__init__(app=app)
        self.after = after

    def one_pass(self) -> Report | None:
        """Do a pass, and show what it did."""
        report = super().one_pass()
        if report:
            self.after(report)
        return report


@contextmanager
def at_work(loop: Loop) -> Iterator[threading.Thread]:
    """Let the loop run in a thread, until the test is over; then it must end."""
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        yield thread
    finally:
        loop.app.stop_signal.set()
        thread.join(TIMEOUT)
    assert not thread.is_alive()


def test_the_loop_ends_at_once(running: Callable[..., Story]) -> None:
    """Ctrl-C or SIGTERM ends the service, though the next poll is a day away."""
    done = threading.Event()
    loop = WatchedLoop(running(more={"imap": {"poll_seconds": NEVER}}).app, lambda _: done.set())
    with at_work(loop):
        assert done.wait(TIMEOUT)


def test_waking_begins_a_pass_at_once(running: Callable[..., Story]) -> None:
    """Whatever wakes the loop, it looks into the inbox without waiting for the clock."""
    story = running(more={"imap": {"poll_seconds": NEVER}})
    passes: list[int] = []
    news = threading.Event()

    def after(report: Report) -> None:
        passes.append(report.received)
        news.set()

    loop = WatchedLoop(story.app, after)
    with at_work(loop):
        assert news.wait(TIMEOUT)
        news.clear()
        story.writes("Anna Berg", MOVE)
        loop.app.stop_signal.wake.set()
        assert news.wait(TIMEOUT)
    assert passes[:2] == [0, 1]


def test_a_mail_wakes_the_service_by_idle(tmp_path: Path) -> None:
    """With IDLE a mail is answered, though the next poll is a day away."""
    with MailServer({GM_ADDRESS: "x", "anna@spieler.example": "x"}) as server:
        login = {"username": GM_ADDRESS, "password": "x", "port": server.imap_port}
        config = write_config(
            tmp_path,
            more={"imap": {**login, "idle": True, "poll_seconds": NEVER}, "smtp": {"port": server.smtp_port}},
        )
        app = open_app(load(config))
        passes: list[Report] = []
        answered, idling = threading.Event(), threading.Event()

        def after(report: Report) -> None:
            passes.append(report)
            if len(passes) == 2:  # the first by itself, the second when the idler is connected
                idling.set()
            if report.sent:
                answered.set()

        loop = WatchedLoop(app, after)
        with at_work(loop):
            assert idling.wait(TIMEOUT)
            server.append(GM_ADDRESS, write_mail("anna@spieler.example", "Hilfe"))
            assert answered.wait(TIMEOUT)
        app.close()
        assert len(server.mails("anna@spieler.example")) == 1


@dataclass
class Watch:
    """A clock that goes with the time, until it is set or the machine sleeps."""

    began: datetime
    read: list[datetime] = field(default_factory=list)
    """When the inbox was looked into."""

    def __post_init__(self) -> None:
        self.offset = self.began - timedelta(seconds=time.monotonic())

    def __call__(self) -> datetime:
        """Return the instant."""
        return self.offset + timedelta(seconds=time.monotonic())


@contextmanager
def at_work_by(watch: Watch, story: Story, after: Callable[[Report], object]) -> Iterator[None]:
    """Let the service work by a clock that goes; it polls once a day."""

    class Noting(MemoryInbox):
        def waiting(self) -> Waiting:
            watch.read.append(watch())
            return super().waiting()

    with at_work(WatchedLoop(replace(story.app, now=watch, inbox=Noting(story.server)), after)):
        yield


def test_a_round_closes_at_its_zat_though_the_next_poll_is_a_day_away(running: Callable[..., Story]) -> None:
    """The fetch that it needs is begun for it: not before the second of the ZAT is over."""
    story = running(more={"imap": {"poll_seconds": NEVER}})
    closed = threading.Event()
    watch = Watch(ZAT - SECOND / 4)
    with at_work_by(watch, story, lambda report: closed.set() if report.closed else None):
        assert closed.wait(TIMEOUT)
    assert watch.read[-1] >= ZAT + SECOND


def test_a_round_that_falls_due_while_pages_are_written_comes_first(
    running: Callable[..., Story], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages of three games are to be written, and after the first one's it is time to close a round."""
    story = running(more={"imap": {"poll_seconds": NEVER}})
    for name in ("Fiume", "Gotha"):
        actions.new_game(story.app, "crossword", name)
    watch = Watch(ZAT - SECOND / 4)
    wake, made, reports = story.app.stop_signal.wake, list[str](), list[Report]()

    def slow_pages(settings: Settings, record: Record) -> dict[str, bytes]:
        made.append(record.slug)
        assert len(made) > 1 or wake.wait(TIMEOUT)
        return game_pages(settings, record)

    monkeypatch.setattr(make_games, "game_pages", slow_pages)
    with at_work_by(watch, story, reports.append):
        until("the second pass", lambda: len(reports) > 1)
    assert [(report.closed, report.has_pages_left) for report in reports[:1]] == [([], True)]
    assert reports[1].closed == ["Eriwan"]


@pytest.mark.parametrize("hours", [-5, 8], ids=["set back", "slept"])
def test_a_clock_that_jumps_while_nothing_is_done(
    running: Callable[..., Story], hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that is set back, or a laptop that was closed over the ZAT: what is due is asked anew at once."""
    monkeypatch.setattr(scheduler, "ALIVE_SECONDS", 0.01)
    story = running(more={"imap": {"poll_seconds": NEVER}})
    reports: list[Report] = []
    watch = Watch(ZAT - timedelta(hours=4))
    with at_work_by(watch, story, reports.append):
        until("the first pass", lambda: reports)
        watch.offset += timedelta(hours=hours)
        until("the next one", lambda: len(reports) > 1)
        watch.offset = ZAT + SECOND - timedelta(seconds=time.monotonic())
        until("the closing", lambda: any(report.closed for report in reports))
    assert [report.closed for report in reports if report.closed] == [["Eriwan"]]
