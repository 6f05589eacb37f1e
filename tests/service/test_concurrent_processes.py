"""Two processes on one database and mailbox: what one has done the other doesn't do again."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import databases
import pytest
from sqlmodel import select
from waiting import TIMEOUT, until

from gm.app.context import App, Outbox
from gm.demo.in_memory_zine import PLAYERS, Story, observed, one_pass
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.runtime.errors import GmError, Refused, StoreError
from gm.service.outbound.delivery import deliver
from gm.service.scheduler import Loop
from gm.service.tick import Report, tick
from gm.store.database import Database
from gm.store.queries import game_queries
from gm.store.tables import MailIn, MailOut, Sheet, Turn
from gm.transport.smtp.letters import Delivery, Letter

GM = "cici@postspiel.example"
MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


@pytest.fixture
def story(running: Callable[..., Story]) -> Story:
    """Eriwan in round 1."""
    return running()


@pytest.fixture
def other(story: Story) -> Iterator[App]:
    """A second process on the same files and servers."""
    app = story.open(load(story.config))
    yield app
    app.close()


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Do all jobs at the same time, each in a thread; give what each returned, or the GmError it raised."""
    gate = threading.Barrier(len(jobs))
    found: list[Any] = [None] * len(jobs)

    def do(number: int, job: Callable[[], Any]) -> None:
        gate.wait()
        try:
            found[number] = job()
        except GmError as error:
            found[number] = error

    threads = [threading.Thread(target=do, args=(number, job)) for number, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def rows(app: App, table: Any) -> list[Any]:
    """List a table."""
    with app.database.read() as session:
        return list(session.exec(select(table).order_by(table.id)).all())


def sent(story: Story) -> Counter[tuple[str, str]]:
    """Count what has gone out since the last look, by recipient and Message-ID."""
    return Counter((recipient, mail.message_id) for recipient, mail in story.mails())


def test_a_due_round_is_closed_once(story: Story, other: App) -> None:
    """Both see that the round is due: one closes it, each player gets one bulletin, and round 2 stays open."""
    story.passes(days=20)
    with observed(story.app):
        reports = at_once(lambda: tick(story.app, outbox=False), lambda: tick(other, outbox=False))
    assert sorted(report.closed for report in reports) == [[], ["Eriwan"]]
    assert [(turn.number, turn.kind) for turn in rows(other, Turn)] == [(0, "start"), (1, "resolve")]
    story.tick()
    assert sorted(sent(story).values()) == [1] * 6


def test_a_mail_is_handled_once(story: Story, other: App) -> None:
    """Both fetch the same mails: each is stored, applied and answered once."""
    for name in PLAYERS:
        story.writes(name, MOVE)
    with observed(story.app):
        reports = at_once(lambda: tick(story.app, outbox=False), lambda: tick(other, outbox=False))
    assert not any(report.troubles for report in reports)
    assert [row.status for row in rows(other, MailIn)] == ["applied"] * 6
    assert len(rows(other, Sheet)) == 6
    story.tick()
    assert sorted(sent(story).values()) == [1] * 6


def test_two_gm_close_at_once_close_one_round(story: Story, other: App) -> None:
    """Two `gm close` cross each other: one closes round 1, the other is refused and says why."""
    asked = story.now
    story.passes(seconds=1)
    found = at_once(lambda: actions.close(story.app, "Eriwan", asked), lambda: actions.close(other, "Eriwan", asked))
    refused = [one for one in found if isinstance(one, Refused)]
    assert [str(one) for one in refused] == [
        "Eriwan has just been closed; round 2 stays open. Look first: gm show Eriwan."
    ]
    assert [turn.number for turn in rows(other, Turn)] == [0, 1]


def test_gm_close_that_waited_does_not_close_the_next_round(story: Story, other: App) -> None:
    """While `gm close` still fetched, the service closed the round: the next one, opened since, stays open."""
    asked = story.now
    story.passes(seconds=5)
    actions.close(other, "Eriwan", story.now)
    story.passes(seconds=1)
    with pytest.raises(Refused, match="round 2 stays open"):
        actions.close(story.app, "Eriwan", asked)
    assert actions.close(story.app, "Eriwan", story.now).round == 3


def test_one_of_two_serves(story: Story, other: App) -> None:
    """The first one has the zine until it ends; then the other has it."""
    assert [story.app.database.lead(), other.database.lead(), story.app.database.lead()] == [True, False, True]
    story.app.database.close()
    assert [other.database.lead(), story.app.database.lead()] == [True, False]
    other.database.close()
    until("the other one's turn", story.app.database.lead)


def test_who_stands_by_does_nothing(story: Story, other: App, caplog: pytest.LogCaptureFixture) -> None:
    """While another one serves nothing is fetched, closed or sent; afterwards all is, in the order of arrival."""
    caplog.set_level("INFO")
    assert other.database.lead()
    story.writes("Anna Berg", MOVE)
    loop = Loop(app=story.app, makes_pages=False)
    standing_by = threading.Thread(target=loop.run)
    standing_by.start()
    until("its look", lambda: loop.leads is False)
    assert not rows(story.app, MailIn)
    other.database.close()
    until("its turn", lambda: [row.status for row in rows(story.app, MailIn)] == ["applied"])
    story.app.stop_signal.set()
    standing_by.join(TIMEOUT)
    assert "this one stands by" in caplog.text
    assert "This process serves the zine from now on" in caplog.text


@dataclass
class Stuck:
    """An outbox that takes mails, and then nothing more is heard of it."""

    taken: list[Letter]

    def send(self, letters: Sequence[Letter]) -> Iterator[Delivery]:
        self.taken.extend(letters)
        raise SystemExit
        yield

    def close(self) -> None:
        pass


def die_while_sending(story: Story) -> list[Letter]:
    """Leave the state of a process that was killed with mails in its hands."""
    stuck = Stuck([])
    dying: Outbox = stuck
    app = replace(story.app, outbox=dying)
    with pytest.raises(SystemExit):
        deliver(app, Report())
    with story.app.database.write() as session:  # a killed process gives nothing back
        for letter in stuck.taken:
            row = session.get_one(MailOut, letter.id)
            row.sending = True
            session.add(row)
    return stuck.taken


def test_what_a_dead_process_had_in_hand_goes_out_again(story: Story, other: App) -> None:
    """Nobody knows whether it went out: it goes as the very same mail, and before what was written later."""
    actions.close(story.app, "Eriwan", story.now)
    in_hand = die_while_sending(story)
    assert len(in_hand) == 6
    story.passes(minutes=1)
    actions.close(other, "Eriwan", story.now)
    one_pass(other)
    letters = [letter for letter in story.outbox.letters if letter.recipient != GM]
    assert [(letter.recipient, letter.raw) for letter in letters[:6]] == [
        (letter.recipient, letter.raw) for letter in in_hand
    ]
    subjects = [mail.subject.split()[2] for _, mail in story.mails()]
    assert subjects[:12] == ["1"] * 6 + ["2"] * 6


def test_per_minute_holds_for_who_takes_over(story: Story, other: App) -> None:
    """The provider's limit is the mailbox's, whoever sends."""
    slow = story.app.settings.smtp.model_copy(update={"per_minute": 4})
    apps = [replace(app, settings=app.settings.model_copy(update={"smtp": slow})) for app in (story.app, other)]
    story.passes(minutes=5)
    actions.close(story.app, "Eriwan", story.now)
    for app in apps:
        deliver(app, Report())
    assert len(story.mails()) == 4
    story.passes(seconds=61)
    deliver(apps[1], Report())
    assert len(story.mails()) == 2


def test_a_database_locked_too_long_is_said_and_nothing_is_lost(story: Story) -> None:
    """Somebody holds the database: one sentence with the mend; when it is free again, all goes on."""
    story.writes("Anna Berg", MOVE)
    app = replace(story.app, database=Database(story.app.settings.database.url, lock_seconds=0.1))
    let_go = databases.CHOSEN.hold(story.config.parent)
    for _ in range(5):
        with pytest.raises(StoreError, match=r"lock.*': another process has held it for 0.1 s; try again"):
            tick(app)
    with app.database.read() as session:  # readers are not kept waiting
        assert game_queries.named(session, "Eriwan").round == 1
    let_go()
    assert tick(app).received == 1
    assert story.gets("Anna Berg").subject == "[Eriwan] Zug Runde 1 angekommen"
    assert [(row.status, row.attempts) for row in rows(app, MailIn)] == [("applied", 0)]
    app.database.close()
