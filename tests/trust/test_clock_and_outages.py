"""Clock jumps, and outages of servers or the service over a ZAT: no round closes early, none stays open for days."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from gm.app.context import App
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.reports.game import show
from gm.requests.desk import actions
from gm.runtime.clock import SteadyClock
from gm.runtime.config.settings import Digest
from gm.service.maintenance import nightly_backup
from gm.service.outbound import digests
from gm.service.scheduler import Backoff, Loop
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Game, MailIn, MailOut, Question, Sheet
from gm.transport.doubles.in_memory import MemoryInbox
from gm.transport.imap.mails import Fetched

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5
ZAT = datetime(2026, 11, 16, 19, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEVER = timedelta(days=9999)


@dataclass
class Machine:
    """A machine whose clock is wrong by so much; the story's clock is the mail server's, which is right."""

    story: Story
    app: App
    wrong: timedelta = timedelta()

    @property
    def loop(self) -> Loop:
        """A service on this machine that writes no pages and has no memory of its own."""
        return Loop(app=self.app, archive=Backoff(until=self.story.now + NEVER, pause=2 * NEVER))

    def restarts(self, boot: str = "a", now: Callable[[], datetime] | None = None) -> App:
        """Begin a new process; as another boot the machine was off."""
        with self.story.app.database.read() as session:
            noted = zine_queries.zine(session).clock
        begun = datetime(2026, 10, 1, tzinfo=UTC) if boot == "a" else self.story.now
        self.app = replace(self.story.app, now=SteadyClock(
            now or (lambda: self.story.now + self.wrong), lambda: (self.story.now - begun).total_seconds(), boot=boot,
            noted=noted,
        ))  # fmt: skip
        return self.app

    def until(self, instant: datetime, step: timedelta = HOUR / 2) -> None:
        """Do passes up to an instant, by the right time; let the loop know no rest."""
        while self.story.now < instant:
            self.loop.one_pass()
            self.story.now = min(self.story.now + step, instant)
        self.loop.one_pass()

    @property
    def round(self) -> int:
        """The round that is open."""
        with self.app.database.read() as session:
            return game_queries.named(session, "Eriwan").round

    def subjects(self, name: str) -> list[str]:
        """What a player got since the last look."""
        return [mail.subject for to, mail in self.story.mails() if to == address_of(name)]


@pytest.fixture
def machine(running: Callable[..., Story], caplog: pytest.LogCaptureFixture) -> Machine:
    """Eriwan in round 1; the clock is right, and a pass has been."""
    caplog.set_level(logging.INFO, "gm")
    machine = Machine(story := running(more={"deadlines": {"outage": "24h"}, "nmr": {"standby_after": 0}}), story.app)
    story.now = ZAT - 4 * DAY  # nothing happened in the first ten days
    with story.app.database.write() as session:
        zine_queries.zine(session).last_fetch = story.now
    machine.restarts()
    machine.loop.one_pass()
    return machine


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the log warns of the clock."""
    return [one.getMessage() for one in caplog.records if "clock" in one.getMessage()]


# -- ahead -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [HOUR, DAY, 30 * DAY], ids=["hour", "day", "month"])
def test_a_clock_that_jumps_ahead_closes_no_round(
    machine: Machine, wrong: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    """Half an hour before the ZAT the clock jumps over it: the round waits for the right time, and takes a move."""
    machine.until(ZAT - DAY / 2 - HOUR, 12 * HOUR)
    reminded = Counter(to for to, _ in machine.story.mails())
    machine.story.now = ZAT - HOUR / 2
    machine.wrong = wrong
    machine.loop.one_pass()
    machine.loop.one_pass()
    machine.story.writes(PLAYERS[0], MOVE)
    machine.loop.one_pass()
    assert machine.round == 1
    assert warnings(caplog)[0].startswith("The clock of this machine jumped ahead by ")
    assert len(warnings(caplog)) == 1
    assert "[Eriwan] Zug Runde 1 angekommen" in machine.subjects(PLAYERS[0])
    machine.wrong = timedelta()
    machine.until(ZAT + HOUR)
    assert machine.round == 2
    assert reminded == {address_of(name): 1 for name in PLAYERS}


def test_a_clock_that_jumps_ahead_within_a_pass(machine: Machine) -> None:
    """The jump comes while mails are fetched: neither this pass nor the next one closes the round."""

    class Jumping(MemoryInbox):
        def fetch(self, uids: Sequence[int]) -> list[Fetched]:
            machine.wrong = DAY
            return super().fetch(uids)

    machine.story.now = ZAT - HOUR
    machine.loop.one_pass()
    machine.story.writes(PLAYERS[0], MOVE)
    machine.app = replace(machine.app, inbox=Jumping(machine.story.server))
    for _ in range(3):
        machine.loop.one_pass()
    assert machine.wrong == DAY
    assert machine.round == 1


def test_a_clock_that_is_put_right_forwards_is_believed_with_the_next_mail(machine: Machine) -> None:
    """A machine began in the past and is put right: until a mail comes we go by the old time, then by its."""
    machine.wrong = -2 * HOUR
    machine.restarts("b")
    machine.story.now = ZAT + HOUR
    machine.loop.one_pass()
    machine.wrong = timedelta()
    machine.loop.one_pass()
    assert machine.round == 1
    machine.story.writes(PLAYERS[0], "Hilfe")
    machine.loop.one_pass()
    assert machine.app.now() == machine.story.now
    machine.loop.one_pass()
    assert machine.round == 2


def test_a_wrong_clock_finds_no_witness(machine: Machine) -> None:
    """While the clock is ahead, mails come in that the server dates otherwise: it is believed none the more."""
    machine.story.now = ZAT - 12 * HOUR
    machine.loop.one_pass()
    machine.wrong = DAY
    for name in PLAYERS:
        machine.story.writes(name, MOVE)
        machine.loop.one_pass()
    assert machine.app.now() < ZAT
    assert machine.round == 1, "not even settled: all moves are in, and twelve hours have not passed"


def test_a_restart_knows_what_the_last_process_went_by(machine: Machine) -> None:
    """cron begins a process for each pass: a jump between two of them is noticed all the same."""
    machine.story.now = ZAT - 2 * HOUR
    machine.loop.one_pass()
    machine.story.passes(minutes=1)
    machine.wrong = DAY
    for _ in range(3):
        machine.restarts()
        machine.loop.one_pass()
        machine.story.passes(minutes=1)
    assert machine.round == 1


def test_after_a_boot_far_ahead_what_falls_due_is_held(machine: Machine) -> None:
    """Nothing is known of the clock before: after a gap of over a day the round is held and the GM asked."""
    machine.story.now = ZAT - 2 * HOUR
    machine.loop.one_pass()
    machine.wrong = DAY + 2 * HOUR
    machine.restarts("b")
    machine.loop.one_pass()
    assert machine.round == 1
    with machine.app.database.read() as session:
        assert [one.kind for one in session.exec(select(Question))] == ["outage"]
        assert "no mails could be fetched" in session.exec(select(Game.held)).one()


# -- back --------------------------------------------------------------------------------------------------------------


def test_a_clock_set_back_over_the_zat(machine: Machine) -> None:
    """An hour back before the ZAT: it closes an hour late; who came in that hour is late, by the server's time."""
    machine.story.now = ZAT - HOUR / 2
    machine.story.writes(PLAYERS[0], MOVE)
    machine.loop.one_pass()
    machine.wrong = -HOUR
    machine.story.now = ZAT + HOUR / 2
    machine.story.writes(PLAYERS[1], MOVE)
    machine.loop.one_pass()
    assert machine.round == 1
    machine.until(ZAT + HOUR + timedelta(minutes=1))
    assert machine.round == 2
    assert "[Eriwan] Zug Runde 1 verspätet eingegangen" in machine.subjects(PLAYERS[1])
    with machine.app.database.read() as session:
        assert [sheet.seat for sheet in session.exec(select(Sheet).where(Sheet.round == 1))] == [1]


def test_a_clock_set_back_and_put_right_again(machine: Machine) -> None:
    """To where it was before it is believed without a witness, so the round closes in time."""
    machine.story.now = ZAT - 3 * HOUR
    machine.loop.one_pass()
    machine.wrong = -HOUR
    machine.loop.one_pass()
    machine.wrong = timedelta()
    machine.until(ZAT + timedelta(seconds=2))
    assert machine.round == 2


def test_a_clock_set_back_within_a_pass(machine: Machine) -> None:
    """The jump comes while a due round is looked at: it is closed once, with the moves that came in time."""

    class Jumping(MemoryInbox):
        def fetch(self, uids: Sequence[int]) -> list[Fetched]:
            machine.wrong = -HOUR
            return super().fetch(uids)

    machine.story.now = ZAT - HOUR
    machine.loop.one_pass()
    machine.story.writes(PLAYERS[0], MOVE)
    machine.story.now = ZAT + HOUR / 2
    machine.app = replace(machine.app, inbox=Jumping(machine.story.server))
    for _ in range(4):
        machine.loop.one_pass()
        machine.story.passes(minutes=30)
    assert machine.round == 2
    assert Counter(machine.subjects(PLAYERS[0]))["[Eriwan] Zug Runde 1 angekommen"] == 1


@pytest.mark.parametrize("wrong", [HOUR, DAY], ids=["hour", "day"])
def test_nothing_is_stuck_after_a_clock_was_ahead(machine: Machine, wrong: timedelta) -> None:
    """It was ahead when the machine began, and is put right: pauses, limits and answers know no tomorrow."""
    story = machine.story
    machine.wrong = wrong
    machine.restarts("b")
    settings = machine.app.settings
    machine.app = replace(machine.app, settings=settings.model_copy(update={
        "smtp": settings.smtp.model_copy(update={"per_minute": 8}),
        "security": settings.security.model_copy(update={"answers_per_hour": 3}),
    }))  # fmt: skip
    loop = machine.loop
    actions.close(machine.app, "Eriwan", machine.app.now())  # bulletins, seen "tomorrow"
    story.outbox.defer(address_of(PLAYERS[1]))
    loop.one_pass()
    for _ in range(3):
        story.writes(PLAYERS[0], "Stand Eriwan")
    loop.one_pass()
    with machine.app.database.write() as session:  # a process died with a mail in its hands
        stuck = session.exec(select(MailOut).where(MailOut.status == "queued")).first()
        assert stuck
        stuck.sending = True
        session.add(stuck)
    story.server.is_down = story.outbox.is_down = True
    for _ in range(4):
        loop.one_pass()
        story.passes(minutes=1)
    story.server.is_down = story.outbox.is_down = False
    story.outbox.accept(address_of(PLAYERS[1]))
    story.mails()

    machine.wrong = timedelta()
    story.passes(minutes=2)
    story.writes(PLAYERS[0], "Stand Eriwan")
    story.writes(PLAYERS[2], MOVE.replace("Crossword Eriwan", "Crossword Eriwan\nRunde: 2"))
    story.writes(PLAYERS[3], "Stand Eriwan")
    for _ in range(12):  # a pause of five minutes may have become one of an hour, never of a day
        loop.one_pass()
        story.passes(minutes=7)
    with machine.app.database.read() as session:
        assert not session.exec(select(MailOut).where(MailOut.status == "queued")).all()
        assert {row.status for row in session.exec(select(MailIn))} <= {"applied", "refused"}
        assert zine_queries.zine(session).last_fetch <= story.now  # type: ignore[operator]
    got = Counter(to for to, _ in story.mails())
    assert got[address_of(PLAYERS[1])] >= 1
    assert got[address_of(PLAYERS[0])] >= 1
    assert got[address_of(PLAYERS[3])] == 1


def test_a_position_seen_tomorrow_was_seen(machine: Machine) -> None:
    """The bulletin went out by a clock that was ahead; after that is mended a move without a round is in time."""
    machine.wrong = DAY
    machine.restarts("b")
    actions.close(machine.app, "Eriwan", machine.app.now())
    machine.loop.one_pass()
    machine.story.mails()
    machine.wrong = timedelta()
    machine.story.passes(minutes=30)
    machine.story.writes(PLAYERS[0], "Crossword Eriwan\nNeu: E\n" + "\n".join(_grid(machine)))
    machine.loop.one_pass()
    assert machine.subjects(PLAYERS[0]) == ["[Eriwan] Zug Runde 2 angekommen"]


def _grid(machine: Machine) -> list[str]:
    with machine.app.database.read() as session:
        shown = show(machine.app, session, game_queries.named(session, "Eriwan"), None)
    return ["".join(row) for row in next(seat["grid"] for seat in shown["seats"] if seat["player"] == PLAYERS[0])]


def test_reminders_come_once_though_the_clock_jumps_over_them(machine: Machine) -> None:
    """Back and forth over the time of a reminder: one mail to each, and the next reminder when its time has come."""
    for days, wrong in ((2.99, 0), (2.95, -6), (2, 0), (0.25, 0)):
        machine.until(ZAT - days * DAY, 16 * HOUR)
        machine.wrong = wrong * HOUR
        machine.loop.one_pass()
        machine.story.writes(PLAYERS[5], "Hilfe")  # a witness
        machine.loop.one_pass()
    with machine.app.database.read() as session:
        kinds = session.exec(select(MailOut.address).where(MailOut.kind == "reminder")).all()
    assert Counter(kinds) == {address_of(name): 2 for name in PLAYERS}


# -- outages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("down", "held"), [(HOUR, False), (23 * HOUR, False), (2 * DAY, True)])
@pytest.mark.parametrize("what", ["service", "imap"])
def test_down_over_the_zat(machine: Machine, what: str, down: timedelta, held: bool) -> None:
    """Short: closes with the first look, with what came in time. Longer than `outage`: held, and the GM is asked."""
    machine.until(ZAT - HOUR / 2, 8 * HOUR)
    machine.story.server.is_down = what == "imap"
    machine.story.writes(PLAYERS[0], MOVE)
    machine.story.now = ZAT + HOUR / 4
    machine.story.writes(PLAYERS[1], MOVE)
    end = ZAT - HOUR / 2 + down
    if what == "imap":
        machine.until(end, 8 * HOUR)
        assert machine.round == 1
    machine.story.server.is_down = False
    machine.story.now = end
    machine.restarts()
    machine.loop.one_pass()
    assert (machine.round == 1) == held
    with machine.app.database.read() as session:
        sheets = session.exec(select(Sheet.seat).where(Sheet.round == 1)).all()
        assert [one.kind for one in session.exec(select(Question))].count("outage") == held
    assert 1 in sheets
    if held:
        machine.story.passes(hours=1)
        machine.loop.one_pass()
        assert machine.round == 1, "it waits for the GM"
        actions.close(machine.app, "Eriwan", machine.app.now())
        assert machine.round == 2


def test_smtp_down_over_the_zat(machine: Machine) -> None:
    """The round closes and the bulletins wait; once each when it is back, and then a move for them counts."""
    machine.until(ZAT - HOUR, 8 * HOUR)
    machine.story.mails()
    machine.story.outbox.is_down = True
    machine.until(ZAT + HOUR)
    assert machine.round == 2
    machine.story.outbox.is_down = False
    machine.until(ZAT + 3 * HOUR)
    assert Counter(to for to, mail in machine.story.mails() if "Runde 1" in mail.subject) == {
        address_of(name): 1 for name in PLAYERS
    }
    machine.story.writes(PLAYERS[0], "\n".join(["Crossword Eriwan", "Neu: E", *_grid(machine)]))
    machine.loop.one_pass()
    assert machine.subjects(PLAYERS[0]) == ["[Eriwan] Zug Runde 2 angekommen"]


@pytest.mark.parametrize("zat", ["2027-03-28 02:30", "2026-10-25 02:30", "2026-10-25 03:00"])
def test_a_zat_in_the_night_of_summer_time(running: Callable[..., Story], zat: str) -> None:
    """A ZAT by a clock time that comes twice or never: the round closes once, at the later reading, not before."""
    story = running()
    zone = story.app.settings.service.timezone
    day, _, clock = zat.partition(" ")
    year, month, number = map(int, day.split("-"))
    hour, minute = map(int, clock.split(":"))
    before = datetime(year, month, number, tzinfo=zone).astimezone(UTC) - 2 * HOUR
    story.now = before
    actions.move_zat(story.app, "Eriwan", f"{day} {clock}")
    with story.app.database.read() as session:
        set_to = game_queries.named(session, "Eriwan").zat
    assert set_to == max(
        datetime(year, month, number, hour, minute, tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)
    )
    rounds = []
    for _ in range(14):
        story.passes(minutes=30)
        story.tick()
        with story.app.database.read() as session:
            rounds.append((story.now - timedelta(seconds=2) > set_to, game_queries.named(session, "Eriwan").round))
    assert set(rounds) == {(False, 1), (True, 2)}


NIGHTS = {
    "a day of 23 hours": ("2027-03-28", "2027-03-28T01:30:00+00:00", "2027-03-28T01:00:00+00:00"),
    "a day of 25 hours": ("2027-10-31", "2027-10-31T01:30:00+00:00", "2027-10-31T02:00:00+00:00"),
}
"""The Sunday, when it is 02:30 for the last time (03:30, where it never is), and 03:00."""


@pytest.mark.parametrize(("day", "half_past_two", "three"), NIGHTS.values(), ids=NIGHTS)
def test_the_times_of_a_night_of_summer_time(
    running: Callable[..., Story], day: str, half_past_two: str, three: str
) -> None:
    """A digest at 02:30 and the nightly backup come once in such a night, at the time for which the service wakes."""
    story = running(more={"digest": {"weekday": "sunday", "time": "02:30"}, "backup": {"keep": 3}})
    story.at(f"{day}T00:00:00+01:00")
    story.now -= 2 * HOUR
    story.tick()
    loop = Loop(app=story.app, makes_pages=False)
    woken: dict[str, list[datetime]] = {"digest": [], "backup": []}
    while story.now < datetime.fromisoformat(half_past_two) + 6 * HOUR:
        times = loop.next_times(story.now)
        story.now = min(times["digest"], times["backup"], story.now + HOUR)
        for job, instants in woken.items():
            instants += [story.now] if story.now == times[job] else []
        loop.one_pass()
    assert woken == {"digest": [datetime.fromisoformat(half_past_two)], "backup": [datetime.fromisoformat(three)]}
    with story.app.database.read() as session:
        sent = session.exec(select(MailOut.created_at).where(MailOut.kind == "digest").distinct()).all()
    assert sent == woken["digest"]


@pytest.mark.parametrize("weekday", ["sunday", "monday"])
def test_from_time_to_time(running: Callable[..., Story], weekday: str) -> None:
    """For two years each time follows the one before: a week or a day later, give or take the hour of summer time."""
    zone = running().app.settings.service.timezone
    rules = Digest(weekday=weekday, time="02:30")
    instant = night = datetime(2026, 10, 1, tzinfo=UTC)
    for number in range(730):
        later = nightly_backup.next_instant(zone, night)
        assert nightly_backup.last_night(zone, later) > nightly_backup.last_night(zone, later - timedelta(seconds=1))
        assert number == 0 or abs(later - night - DAY) <= HOUR
        night = later
    for number in range(104):
        later = digests.next_instant(rules, zone, instant)
        assert digests.last_instant(rules, zone, later) == later
        assert digests.last_instant(rules, zone, later - timedelta(seconds=1)) < later
        assert number == 0 or abs(later - instant - 7 * DAY) <= HOUR
        instant = later
