"""The whole service against SMTP servers that misbehave: every mail arrives once, in order, as soon as they behave."""

import itertools
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import databases
import pytest
from neighbours import neighbour
from sqlmodel import col, select
from typer.testing import CliRunner
from waiting import HANGS

from gm.cli.commands import cli as commands
from gm.commands.desk import actions
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.runtime.config.settings import Secret, SmtpSettings
from gm.service.scheduler import Backoff, Loop
from gm.store.database import Database
from gm.store.tables import MailOut, Question
from gm.transport.smtp.letters import Limits
from gm.transport.smtp.outbox import Outbox
from parsers.mime.message import read_mail

GM = "cici@postspiel.example"
MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5
ANNA, BERND = address_of(PLAYERS[0]), address_of(PLAYERS[1])
TAKEN = b"250 queued"
CUT, HANG, BUSY = b"(hangs up)", b"(says nothing more)", b"421 4.3.2 busy"
GONE = (CUT, HANG, BUSY)
"""What ends a conversation."""
SHORT = Limits(answer=0.6, letter=0.9, sending=1.2)
"""On a busy machine it may be too short for a server that behaves as well: `PostOffice.unheard` tells how often."""
"""A minute is long in a test."""
NEVER = timedelta(days=9999)

scripted = neighbour("transport/scripted")
Mood = Callable[[str, str], bytes | None]
"""Asked at each step (connect, EHLO, AUTH, MAIL, RCPT, DATA, "." and, for a mail it takes, "taken"), and for whom."""


def content(step: str, address: str) -> None:
    """Answer as a server does that behaves."""
    del step, address


@dataclass
class PostOffice:
    """An SMTP server with moods; it remembers what it took and what it was asked."""

    mood: Mood = content
    offers: bytes = b"250-scripted\r\n250-SIZE 100000\r\n250 AUTH PLAIN"
    slowness: float = 0.0
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    unheard: int = 0
    """So many letters it took from somebody who hung up instead of hearing of it: these may come once more."""
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, line: Any, _number: int) -> None:
        """Hold a conversation."""
        usual = {"connect": b"220 ready", "EHLO": self.offers, "DATA": b"354 go on", "AUTH": b"235 welcome"}
        address = ""
        if (said := self._says(line, "connect", address, usual["connect"])) in GONE:
            return
        while (heard := self._hears(line, said)) != "QUIT":
            step = heard[:4].upper()
            address = heard.partition("<")[2].partition(">")[0] if step == "RCPT" else address
            address = "" if step == "MAIL" else address
            said = self._says(line, step, address, usual.get(step, b"250 ok"))
            if said == usual["DATA"]:
                said = self._takes(line, address)
            if said in GONE:
                return
        line.say(b"221 bye")

    def _takes(self, line: Any, address: str) -> bytes:
        raw = b""
        while (part := line.hear()) != b".":
            raw += (part[1:] if part.startswith(b"..") else part) + b"\r\n"
        reply = self._reply(".", address)
        if reply is None:
            with self.lock:
                self.taken.append((address, raw))
            reply = self._reply("taken", address)
        self.over.wait(self.slowness)
        with self._noting_who_is_gone(reply is None):
            return self._say(line, reply or TAKEN)

    def _hears(self, line: Any, said: bytes) -> str:
        with self._noting_who_is_gone(said == TAKEN):
            return str(line.hear().decode())

    @contextmanager
    def _noting_who_is_gone(self, is_taken: bool) -> Iterator[None]:
        try:
            yield
        except OSError:
            with self.lock:
                self.unheard += is_taken
            raise

    def _says(self, line: Any, step: str, address: str, usual: bytes) -> bytes:
        return self._say(line, self._reply(step, address) or usual)

    def _reply(self, step: str, address: str) -> bytes | None:
        with self.lock:
            self.asked.append((step, address))
            return self.mood(step, address)

    def _say(self, line: Any, reply: bytes) -> bytes:
        if reply == HANG:
            self.over.wait(HANGS)
        if reply not in (CUT, HANG):
            line.say(reply)
        return reply


@dataclass
class World:
    """Eriwan in round 1, a loop, and the office that takes its mails."""

    story: Story
    office: PostOffice
    loop: Loop
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def closes(self, rounds: int = 1) -> None:
        """Let the GM close rounds: each queues a bulletin for everybody."""
        for _ in range(rounds):
            self.story.passes(minutes=1)
            actions.close(self.loop.app, "Eriwan", self.story.now)

    def queues(self, addresses: Iterable[str]) -> None:
        """Queue a note for each of these addresses."""
        with self.loop.app.database.write() as session:
            for address in addresses:
                name = f"<{next(self.numbers)}@test>"
                raw = f"To: {address}\r\nSubject: Rundbrief\r\nMessage-ID: {name}\r\n\r\nHallo\r\n".encode()
                session.add(MailOut(
                    cause=name, kind="note", recipient=address, address=address, message_id=name, raw=raw,
                    subject="Rundbrief", next_try=self.story.now, created_at=self.story.now,
                ))  # fmt: skip

    def works(self, most: int = 40, **span: float) -> int:
        """Do passes, five minutes apart, until nothing is queued; says how many it took."""
        for number in range(most):
            self.loop.one_pass()
            if not self.queued():
                return number
            self.story.passes(**(span or {"minutes": 5}))
        raise AssertionError(f"still queued: {[(row.address, row.error) for row in self.queued()]}")

    def mails(self, **filters: Any) -> list[MailOut]:
        """List the mails to send, in order."""
        with self.loop.app.database.read() as session:
            rows = session.exec(select(MailOut).order_by(col(MailOut.id))).all()
        return [row for row in rows if all(getattr(row, key) == value for key, value in filters.items())]

    def queued(self) -> list[MailOut]:
        """List what still waits."""
        return self.mails(status="queued")

    def waits(self) -> list[tuple[str, Any]]:
        """List what waits for the GM: kind, and the mail it is about."""
        with self.loop.app.database.read() as session:
            rows = session.exec(select(Question).where(col(Question.answered_at).is_(None), Question.address == ""))
            return [(row.kind, row.payload.get("out")) for row in rows]

    def check(self, *, twice: int = 0) -> None:
        """Everything arrived as it was queued, in order for each address; so many mails arrived a second time."""
        mails = self.mails(status="sent")[6:]  # without the bulletins of the start
        assert mails
        counts = Counter(self.office.taken)
        assert set(counts) == {(row.address, row.raw) for row in mails}
        assert sum(counts.values()) - len(counts) <= twice + self.office.unheard
        assert max(counts.values()) <= 2 + self.office.unheard
        for kind in {(row.address, row.priority) for row in mails}:  # answers go before bulletins
            queued = [row.raw for row in mails if (row.address, row.priority) == kind]
            assert [raw for to, raw in dict.fromkeys(self.office.taken) if to == kind[0] and raw in queued] == queued


@pytest.fixture
def world(running: Callable[..., Story], request: pytest.FixtureRequest) -> Iterator[World]:
    """Eriwan in round 1, with a server of its own that behaves; we wait long for it unless it is to hang."""
    story, office = running(more={"nmr": {"standby_after": 0}}), PostOffice()
    with ExitStack() as stack:
        server = stack.enter_context(scripted.ScriptedServer(office.script))
        stack.callback(office.over.set)
        login = {"username": "gm", "password": Secret("geheim")}
        settings = SmtpSettings(host="127.0.0.1", port=server.port, security="none", per_minute=1000, **login)
        outbox = Outbox(settings, limits=SHORT if "hang" in request.node.name else None)
        stack.callback(outbox.close)
        app = replace(story.app, outbox=outbox, settings=story.app.settings.model_copy(update={"smtp": settings}))
        resting = Backoff(until=story.now + NEVER, pause=NEVER)
        yield World(story, office, Loop(app=app, archive=resting))


def times(number: int, at: str, reply: bytes, address: str = "") -> Mood:
    """Misbehave so many times at a step (and, if told, for one address only), then behave."""
    left = [number]

    def mood(step: str, to: str) -> bytes | None:
        if step != at or left[0] == 0 or (address and to != address):
            return None
        left[0] -= 1
        return reply

    return mood


STEPS = ("connect", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", ".")
LATER = (BUSY, b"451 4.7.1 later", b"999 ~~~ \xff what", CUT, HANG)


@pytest.mark.parametrize("reply", LATER, ids=["421", "451", "garbage", "cut", "hang"])
def test_what_passes_costs_no_mail(world: World, reply: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a server does at whatever step, for a while: each mail arrives once, in order, nobody is bothered."""
    steps = STEPS if reply != HANG else ("connect", "MAIL", "DATA", ".")
    for step in steps:
        world.office.mood = times(3, step, reply)
        world.queues(address_of(name) for name in PLAYERS * 2)
        world.works()
        world.check()
    assert 0 <= len(world.office.taken) - 12 * len(steps) <= world.office.unheard
    assert world.waits() == []
    assert all(message.isprintable() for message in caplog.messages), "whatever bytes the server said"


@pytest.mark.parametrize("reply", [CUT, HANG, b"garbage"], ids=["cut", "hang", "garbage"])
def test_an_answer_that_was_lost(world: World, reply: bytes) -> None:
    """A server takes a mail and we never hear of it: it is sent again as the very same mail, and no other one is."""
    world.office.mood = times(1, "taken", reply)
    world.closes(2)
    world.works()
    assert 13 <= len(world.office.taken) <= 13 + world.office.unheard
    world.check(twice=1)


@pytest.mark.parametrize("step", ["connect", "EHLO", "AUTH", "MAIL"])
def test_a_refusal_that_is_about_us_refuses_no_mail(world: World, step: str, caplog: pytest.LogCaptureFixture) -> None:
    """An account that is blocked or a password that is wrong: nothing is given up, and all goes out afterwards."""
    reply = b"535 5.7.8 bad credentials" if step == "AUTH" else b"550 5.7.1 you are blocked"
    world.office.mood = lambda at, _: reply if at == step else None
    world.closes(2)
    with pytest.raises(AssertionError, match="still queued"):
        world.works(most=20, hours=1)
    assert world.mails(status="refused") == []
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1
    named = {"AUTH": "refused the login of gm: 5.7.8 bad", "EHLO": "AUTH extension is not supported"}
    assert named.get(step, "does not take mail from us: 550 5.7.1 you are blocked") in warnings[0]
    world.office.mood = content
    world.works(hours=1)
    world.check()
    assert world.waits() == []


def test_a_wrong_password_is_tried_rarely(world: World) -> None:
    """A provider locks an account after five wrong passwords in ten minutes: a day sees about thirty, none in a row."""
    world.office.mood = lambda at, _: b"535 5.7.8 bad credentials" if at == "AUTH" else None
    world.closes()
    tries = []
    for minute in range(24 * 60):
        before = len(world.office.asked)
        if world.loop.outbox.allows(world.story.now):  # a pass without the outbox is none of this matter
            world.loop.one_pass()
        if ("AUTH", "") in world.office.asked[before:]:
            tries.append(minute)
        world.story.passes(minutes=1)
    assert tries[:5] == [0, 5, 15, 35, 75]
    assert len(tries) < 30
    world.office.mood = content
    world.works(most=2, hours=1)
    world.check()


@pytest.mark.parametrize(("step", "reply"), [
    ("RCPT", b"550 5.1.1 no such user"), ("RCPT", b"552 5.2.2 mailbox full"), ("DATA", b"554 no"), (".", b"554 spam"),
])  # fmt: skip
def test_a_mail_refused_for_good_is_told_once_and_can_be_tried_again(world: World, step: str, reply: bytes) -> None:
    """One player's mail is refused: the GM is told once, the others have theirs, and `gm mail` shows and mends it."""
    world.office.mood = times(1, step, reply, ANNA)
    world.closes()
    world.works()
    for _ in range(3):
        world.story.passes(hours=1)
        world.loop.one_pass()
    (refused,) = world.mails(status="refused")
    assert refused.address == ANNA
    assert refused.error == reply.decode()
    assert world.waits() == [("undelivered", refused.id)]
    with world.loop.app.database.read() as session:
        code = session.exec(select(Question.code)).one()
    assert [read_mail(raw).subject for to, raw in world.office.taken if to == GM] == [
        f"[Frage {code}] Mails an {PLAYERS[0]} kommen zurück"
    ]
    config = ["--config", str(world.story.config)]
    run = lambda *words: CliRunner().invoke(commands, [*words, *config])  # noqa: E731
    assert f"o{refused.id}" in run("mail", "list", "--status", "refused").output
    assert reply.decode() in " ".join(run("mail", "show", f"o{refused.id}").output.split())
    assert run("mail", "retry", f"o{refused.id}").exit_code == 0
    world.works()
    assert world.waits() == []
    world.check()


def test_a_mail_too_large_for_the_server_is_refused_alone(world: World) -> None:
    """The server says how much it takes (SIZE) and refuses one mail at MAIL: the others go out."""
    world.closes()
    with world.loop.app.database.write() as session:
        first = session.exec(select(MailOut).where(MailOut.status == "queued").order_by(col(MailOut.id))).first()
        assert first
        first.raw = (first.raw or b"") + b"x" * 99 + b"\r\n"
        session.add(first)
        size = len(first.raw)
    sizes: list[int] = []
    real = world.office.script

    def script(line: Any, number: int) -> None:
        hear = line.hear

        def listening() -> bytes:
            heard: bytes = hear()
            if heard.upper().startswith(b"MAIL FROM:"):  # a letter may say "Mails an Anna"
                sizes.append(int(heard.lower().partition(b"size=")[2].split()[0]))
            return heard

        line.hear = listening
        real(line, number)

    def mood(step: str, _: str) -> bytes | None:
        return b"552 5.3.4 too big" if step == "MAIL" and sizes[-1] == size else None

    world.office.mood = mood
    with scripted.ScriptedServer(script) as server:
        settings = world.loop.app.settings.smtp.model_copy(update={"port": server.port})
        with closing(Outbox(settings)) as outbox:
            world.loop.app = replace(world.loop.app, outbox=outbox)
            world.works()
    assert [row.id for row in world.mails(status="refused")] == [first.id]
    assert world.waits() == [("undelivered", first.id)]
    assert len(world.office.taken) == 6  # five players and the GM


def test_greylisting_delays_one_address_and_nobody_else(world: World) -> None:
    """450 for Anna, until five minutes have passed: hers come then, in order; the others have theirs at once."""
    begun = world.story.now + timedelta(minutes=4)

    def mood(step: str, to: str) -> bytes | None:
        return b"450 4.2.0 greylisted" if step == "RCPT" and to == ANNA and world.story.now < begun else None

    world.office.mood = mood
    world.closes(3)
    world.loop.one_pass()
    assert Counter(to for to, _ in world.office.taken) == {address_of(name): 3 for name in PLAYERS[1:]}
    assert world.works() == 1
    world.check()


def test_a_server_that_takes_no_more_is_not_pressed(world: World) -> None:
    """451 "too many" to everything: after ten refusals in a row the rest is not even tried, after growing pauses."""
    world.office.mood = lambda at, _: b"451 4.7.1 too many messages" if at == "." else None
    world.queues(f"p{number}@far.example" for number in range(30))
    for _ in range(12):
        world.loop.one_pass()
        world.story.passes(seconds=5)
    tried = sum(step == "." for step, _ in world.office.asked)
    assert 10 <= tried <= 30 + 8, "nobody more than once or twice in a minute"
    world.office.mood = content
    world.works()
    assert len(world.office.taken) == 30


def test_tries_count_towards_our_own_limit(world: World) -> None:
    """With per_minute = 6 a server is asked six times a minute, also while it puts everything off."""
    world.story.passes(hours=1)
    smtp = world.loop.app.settings.smtp.model_copy(update={"per_minute": 6})
    world.loop.app = replace(world.loop.app, settings=world.loop.app.settings.model_copy(update={"smtp": smtp}))
    world.office.mood = lambda at, _: b"450 later" if at == "RCPT" else None
    world.queues(f"p{number}@far.example" for number in range(30))
    world.loop.one_pass()
    assert sum(step == "RCPT" for step, _ in world.office.asked) == 6


def test_after_days_without_a_server_the_first_later_is_no_refusal(world: World) -> None:
    """Six days nobody answers, then the server greylists: the mails are tried on, not given up as too old."""
    world.office.mood = lambda *_: CUT
    world.closes()
    world.loop.one_pass()
    world.story.passes(days=6)
    world.office.mood = times(6, "RCPT", b"450 greylisted")
    world.works()
    world.check()
    assert world.mails(status="refused") == []


def test_what_nobody_takes_for_days_is_given_up_and_told(world: World) -> None:
    """A mailbox that says "later" for more than five days: a dozen tries at least, then the GM is told, once."""
    world.office.mood = lambda step, to: b"452 4.2.2 mailbox full" if step == "RCPT" and to == ANNA else None
    world.closes()
    world.works(most=40, hours=6)
    (refused,) = world.mails(status="refused")
    assert refused.attempts >= 12
    assert world.story.now - refused.created_at >= timedelta(days=5)
    assert world.waits() == [("undelivered", refused.id)]


@pytest.mark.parametrize("step", ["EHLO", "."])
def test_a_server_that_hangs_keeps_no_other_work_waiting(world: World, step: str) -> None:
    """It says nothing more, for good: each pass is over in time, moves are taken in, and a due round closes."""
    world.office.mood = lambda at, _: HANG if at == step else None
    world.closes()
    world.loop.one_pass()
    for name in PLAYERS:
        world.story.writes(name, MOVE)
    report = world.loop.one_pass()
    assert report is not None
    assert report.received == 6
    world.story.passes(days=30)
    report = world.loop.one_pass()
    assert report is not None
    assert report.closed == ["Eriwan"]
    world.office.mood = content
    world.office.over.set()
    world.works()
    world.check()


def test_a_slow_server_gets_a_share_of_each_pass(world: World) -> None:
    """Each mail takes its time: a pass ends after a while, with the rest queued and nothing counted against it."""
    world.office.slowness = 0.5
    world.queues(f"p{number}@far.example" for number in range(60))
    with closing(Outbox(world.loop.app.settings.smtp, limits=Limits(sending=2))) as outbox:
        world.loop.app = replace(world.loop.app, outbox=outbox)
        report = world.loop.one_pass()
        assert report is not None
        assert 1 <= report.sent < 60
        assert not report.troubles
        assert {row.attempts for row in world.queued()} == {0}
        world.office.slowness = 0
        world.works()
    assert len(world.office.taken) == len(set(world.office.taken)) == 60


def test_a_database_locked_while_mails_are_marked_sends_none_twice(world: World) -> None:
    """A server has taken mails and the database can't be written: they are marked later, and not sent again."""
    url = world.story.app.settings.database.url
    world.loop.app = replace(world.loop.app, database=Database(url, lock_seconds=0.05))
    holders: list[Callable[[], None]] = []

    def mood(step: str, _: str) -> bytes | None:
        if step == "RCPT" and not holders:
            holders.append(databases.CHOSEN.hold(world.story.config.parent))
        return None

    world.closes(2)
    world.office.mood = mood
    assert world.loop.one_pass() is None
    assert len(world.office.taken) >= 1
    world.story.passes(minutes=1)
    assert world.loop.one_pass() is None, "still locked"
    holders[0]()
    world.story.passes(minutes=11)
    world.works()
    world.check()
    assert len(world.office.taken) == 12
    world.loop.app.database.close()


@pytest.mark.parametrize("at", ["RCPT", "DATA", "."])
def test_a_daily_limit_loses_no_round(world: World, at: str) -> None:
    """550 for everybody is the account's trouble: put off, few are tried meanwhile, nobody is marked; then all goes."""
    world.office.mood = lambda step, _: b"550 not today" if step == at else None
    world.closes()
    for _ in range(6):
        world.loop.one_pass()
        world.story.passes(hours=1)
    assert world.mails(status="refused") == []
    assert world.waits() == []
    world.office.mood = content
    world.works(hours=1)
    world.story.passes(hours=1)
    world.loop.one_pass()
    world.check()
    assert [kind for kind, _ in world.waits()] == ["unsent"]


def test_a_greeting_that_is_refused_is_about_us(world: World) -> None:
    """Without a login the greeting comes with the first mail: 550 to it refuses no mail either."""
    settings = world.loop.app.settings.smtp.model_copy(update={"username": ""})
    outbox = Outbox(settings)
    world.loop.app = replace(
        world.loop.app, outbox=outbox, settings=world.loop.app.settings.model_copy(update={"smtp": settings})
    )
    world.office.mood = lambda step, _: b"550 5.7.1 go away" if step in ("EHLO", "HELO") else None
    world.closes()
    for _ in range(4):
        world.loop.one_pass()
        world.story.passes(hours=1)
    assert world.mails(status="refused") == []
    assert {row.attempts for row in world.queued()} == {0}
    world.office.mood = content
    world.works(hours=1)
    world.check()
    assert world.waits() == []
    outbox.close()
