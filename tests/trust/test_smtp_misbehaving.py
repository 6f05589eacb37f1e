"""The whole service with misbehaving SMTP servers: every mail arrives once, in order, as soon as they behave."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import databases
import pytest
import scripted_server
from smtp_zine import BUSY, CUT, HANG, MisbehavingSmtp, SmtpZine, times, well_behaved
from sqlmodel import col, select
from typer.testing import CliRunner

from gm.cli.commands import cli as commands
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
SHORT = Limits(answer=0.6, letter=0.9, sending=1.2)
"""On a busy machine too short even for a server that behaves: `MisbehavingSmtp.unheard` counts how often."""
NEVER = timedelta(days=9999)


@pytest.fixture
def zine(running: Callable[..., Story], request: pytest.FixtureRequest) -> Iterator[SmtpZine]:
    """Eriwan in round 1, with a server of its own that behaves; we wait long for it unless it is to hang."""
    story, smtp_server = running(more={"nmr": {"standby_after": 0}}), MisbehavingSmtp()
    with ExitStack() as stack:
        server = stack.enter_context(scripted_server.ScriptedServer(smtp_server.script))
        stack.callback(smtp_server.over.set)
        login = {"username": "gm", "password": Secret("geheim")}
        settings = SmtpSettings(host="127.0.0.1", port=server.port, security="none", per_minute=1000, **login)
        outbox = Outbox(settings, limits=SHORT if "hang" in request.node.name else None)
        stack.callback(outbox.close)
        app = replace(story.app, outbox=outbox, settings=story.app.settings.model_copy(update={"smtp": settings}))
        resting = Backoff(until=story.now + NEVER, pause=NEVER)
        yield SmtpZine(story, smtp_server, Loop(app=app, archive=resting))


STEPS = ("connect", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", ".")
LATER = (BUSY, b"451 4.7.1 later", b"999 ~~~ \xff what", CUT, HANG)


@pytest.mark.parametrize("reply", LATER, ids=["421", "451", "garbage", "cut", "hang"])
def test_what_passes_costs_no_mail(zine: SmtpZine, reply: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a server does at whatever step, for a while: each mail arrives once, in order, nobody is bothered."""
    steps = STEPS if reply != HANG else ("connect", "MAIL", "DATA", ".")
    for step in steps:
        zine.smtp_server.behaviour = times(3, step, reply)
        zine.queues(address_of(name) for name in PLAYERS * 2)
        zine.works()
        zine.check()
    assert 0 <= len(zine.smtp_server.taken) - 12 * len(steps) <= zine.smtp_server.unheard
    assert zine.waits() == []
    assert all(message.isprintable() for message in caplog.messages), "whatever bytes the server said"


@pytest.mark.parametrize("reply", [CUT, HANG, b"garbage"], ids=["cut", "hang", "garbage"])
def test_an_answer_that_was_lost(zine: SmtpZine, reply: bytes) -> None:
    """A server takes a mail and we never hear of it: it is sent again as the very same mail, and no other one is."""
    zine.smtp_server.behaviour = times(1, "taken", reply)
    zine.closes(2)
    zine.works()
    assert 13 <= len(zine.smtp_server.taken) <= 13 + zine.smtp_server.unheard
    zine.check(twice=1)


@pytest.mark.parametrize("step", ["connect", "EHLO", "AUTH", "MAIL"])
def test_a_refusal_that_is_about_us_refuses_no_mail(
    zine: SmtpZine, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An account that is blocked or a password that is wrong: nothing is given up, and all goes out afterwards."""
    reply = b"535 5.7.8 bad credentials" if step == "AUTH" else b"550 5.7.1 you are blocked"
    zine.smtp_server.behaviour = lambda at, _: reply if at == step else None
    zine.closes(2)
    with pytest.raises(AssertionError, match="still queued"):
        zine.works(most=20, hours=1)
    assert zine.mails(status="refused") == []
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1
    named = {"AUTH": "refused the login of gm: 5.7.8 bad", "EHLO": "AUTH extension is not supported"}
    assert named.get(step, "does not take mail from us: 550 5.7.1 you are blocked") in warnings[0]
    zine.smtp_server.behaviour = well_behaved
    zine.works(hours=1)
    zine.check()
    assert zine.waits() == []


def test_a_wrong_password_is_tried_rarely(zine: SmtpZine) -> None:
    """A wrong password is tried about thirty times a day: providers lock an account after five in ten minutes."""
    zine.smtp_server.behaviour = lambda at, _: b"535 5.7.8 bad credentials" if at == "AUTH" else None
    zine.closes()
    tries = []
    for minute in range(24 * 60):
        before = len(zine.smtp_server.asked)
        if zine.loop.outbox.allows(zine.story.now):  # a pass without the outbox is none of this matter
            zine.loop.one_pass()
        if ("AUTH", "") in zine.smtp_server.asked[before:]:
            tries.append(minute)
        zine.story.passes(minutes=1)
    assert tries[:5] == [0, 5, 15, 35, 75]
    assert len(tries) < 30
    zine.smtp_server.behaviour = well_behaved
    zine.works(most=2, hours=1)
    zine.check()


@pytest.mark.parametrize(("step", "reply"), [
    ("RCPT", b"550 5.1.1 no such user"), ("RCPT", b"552 5.2.2 mailbox full"), ("DATA", b"554 no"), (".", b"554 spam"),
])  # fmt: skip
def test_a_mail_refused_for_good_is_told_once_and_can_be_tried_again(zine: SmtpZine, step: str, reply: bytes) -> None:
    """One player's mail is refused: the GM is told once, the others have theirs, and `gm mail` shows and mends it."""
    zine.smtp_server.behaviour = times(1, step, reply, ANNA)
    zine.closes()
    zine.works()
    for _ in range(3):
        zine.story.passes(hours=1)
        zine.loop.one_pass()
    (refused,) = zine.mails(status="refused")
    assert refused.address == ANNA
    assert refused.error == reply.decode()
    assert zine.waits() == [("undelivered", refused.id)]
    with zine.loop.app.database.read() as session:
        code = session.exec(select(Question.code)).one()
    assert [read_mail(raw).subject for to, raw in zine.smtp_server.taken if to == GM] == [
        f"[Frage {code}] Mails an {PLAYERS[0]} kommen zurück"
    ]
    config = ["--config", str(zine.story.config)]
    run = lambda *words: CliRunner().invoke(commands, [*words, *config])  # noqa: E731
    assert f"o{refused.id}" in run("mail", "list", "--status", "refused").output
    assert reply.decode() in " ".join(run("mail", "show", f"o{refused.id}").output.split())
    assert run("mail", "retry", f"o{refused.id}").exit_code == 0
    zine.works()
    assert zine.waits() == []
    zine.check()


def test_a_mail_too_large_for_the_server_is_refused_alone(zine: SmtpZine) -> None:
    """The server says how much it takes (SIZE) and refuses one mail at MAIL: the others go out."""
    zine.closes()
    with zine.loop.app.database.write() as session:
        first = session.exec(select(MailOut).where(MailOut.status == "queued").order_by(col(MailOut.id))).first()
        assert first
        first.raw = (first.raw or b"") + b"x" * 99 + b"\r\n"
        session.add(first)
        size = len(first.raw)
    sizes: list[int] = []
    real = zine.smtp_server.script

    def script(line: Any, number: int) -> None:
        hear = line.hear

        def listening() -> bytes:
            heard: bytes = hear()
            if heard.upper().startswith(b"MAIL FROM:"):  # a letter may say "Mails an Anna"
                sizes.append(int(heard.lower().partition(b"size=")[2].split()[0]))
            return heard

        line.hear = listening
        real(line, number)

    def behaviour(step: str, _: str) -> bytes | None:
        return b"552 5.3.4 too big" if step == "MAIL" and sizes[-1] == size else None

    zine.smtp_server.behaviour = behaviour
    with scripted_server.ScriptedServer(script) as server:
        settings = zine.loop.app.settings.smtp.model_copy(update={"port": server.port})
        with closing(Outbox(settings)) as outbox:
            zine.loop.app = replace(zine.loop.app, outbox=outbox)
            zine.works()
    assert [row.id for row in zine.mails(status="refused")] == [first.id]
    assert zine.waits() == [("undelivered", first.id)]
    assert len(zine.smtp_server.taken) == 6  # five players and the GM


def test_greylisting_delays_one_address_and_nobody_else(zine: SmtpZine) -> None:
    """450 for Anna, until five minutes have passed: hers come then, in order; the others have theirs at once."""
    begun = zine.story.now + timedelta(minutes=4)

    def behaviour(step: str, to: str) -> bytes | None:
        return b"450 4.2.0 greylisted" if step == "RCPT" and to == ANNA and zine.story.now < begun else None

    zine.smtp_server.behaviour = behaviour
    zine.closes(3)
    zine.loop.one_pass()
    assert Counter(to for to, _ in zine.smtp_server.taken) == {address_of(name): 3 for name in PLAYERS[1:]}
    assert zine.works() == 1
    zine.check()


def test_a_server_that_takes_no_more_is_not_pressed(zine: SmtpZine) -> None:
    """451 "too many" to everything: after ten refusals in a row the rest is not even tried, after growing pauses."""
    zine.smtp_server.behaviour = lambda at, _: b"451 4.7.1 too many messages" if at == "." else None
    zine.queues(f"p{number}@far.example" for number in range(30))
    for _ in range(12):
        zine.loop.one_pass()
        zine.story.passes(seconds=5)
    tried = sum(step == "." for step, _ in zine.smtp_server.asked)
    assert 10 <= tried <= 30 + 8, "nobody more than once or twice in a minute"
    zine.smtp_server.behaviour = well_behaved
    zine.works()
    assert len(zine.smtp_server.taken) == 30


def test_tries_count_towards_our_own_limit(zine: SmtpZine) -> None:
    """With per_minute = 6 a server is asked six times a minute, also while it puts everything off."""
    zine.story.passes(hours=1)
    smtp = zine.loop.app.settings.smtp.model_copy(update={"per_minute": 6})
    zine.loop.app = replace(zine.loop.app, settings=zine.loop.app.settings.model_copy(update={"smtp": smtp}))
    zine.smtp_server.behaviour = lambda at, _: b"450 later" if at == "RCPT" else None
    zine.queues(f"p{number}@far.example" for number in range(30))
    zine.loop.one_pass()
    assert sum(step == "RCPT" for step, _ in zine.smtp_server.asked) == 6


def test_after_days_without_a_server_the_first_later_is_no_refusal(zine: SmtpZine) -> None:
    """Six days nobody answers, then the server greylists: the mails are tried on, not given up as too old."""
    zine.smtp_server.behaviour = lambda *_: CUT
    zine.closes()
    zine.loop.one_pass()
    zine.story.passes(days=6)
    zine.smtp_server.behaviour = times(6, "RCPT", b"450 greylisted")
    zine.works()
    zine.check()
    assert zine.mails(status="refused") == []


def test_what_nobody_takes_for_days_is_given_up_and_told(zine: SmtpZine) -> None:
    """A mailbox that says "later" for more than five days: a dozen tries at least, then the GM is told, once."""
    zine.smtp_server.behaviour = lambda step, to: b"452 4.2.2 mailbox full" if step == "RCPT" and to == ANNA else None
    zine.closes()
    zine.works(most=40, hours=6)
    (refused,) = zine.mails(status="refused")
    assert refused.attempts >= 12
    assert zine.story.now - refused.created_at >= timedelta(days=5)
    assert zine.waits() == [("undelivered", refused.id)]


@pytest.mark.parametrize("step", ["EHLO", "."])
def test_a_server_that_hangs_keeps_no_other_work_waiting(zine: SmtpZine, step: str) -> None:
    """It says nothing more, for good: each pass is over in time, moves are taken in, and a due round closes."""
    zine.smtp_server.behaviour = lambda at, _: HANG if at == step else None
    zine.closes()
    zine.loop.one_pass()
    for name in PLAYERS:
        zine.story.writes(name, MOVE)
    report = zine.loop.one_pass()
    assert report is not None
    assert report.received == 6
    zine.story.passes(days=30)
    report = zine.loop.one_pass()
    assert report is not None
    assert report.closed == ["Eriwan"]
    zine.smtp_server.behaviour = well_behaved
    zine.smtp_server.over.set()
    zine.works()
    zine.check()


def test_a_slow_server_gets_a_share_of_each_pass(zine: SmtpZine) -> None:
    """Each mail takes its time: a pass ends after a while, with the rest queued and nothing counted against it."""
    zine.smtp_server.slowness = 0.5
    zine.queues(f"p{number}@far.example" for number in range(60))
    with closing(Outbox(zine.loop.app.settings.smtp, limits=Limits(sending=2))) as outbox:
        zine.loop.app = replace(zine.loop.app, outbox=outbox)
        report = zine.loop.one_pass()
        assert report is not None
        assert 1 <= report.sent < 60
        assert not report.troubles
        assert {row.attempts for row in zine.queued()} == {0}
        zine.smtp_server.slowness = 0
        zine.works()
    assert len(zine.smtp_server.taken) == len(set(zine.smtp_server.taken)) == 60


def test_a_database_locked_while_mails_are_marked_sends_none_twice(zine: SmtpZine) -> None:
    """A server has taken mails and the database can't be written: they are marked later, and not sent again."""
    url = zine.story.app.settings.database.url
    zine.loop.app = replace(zine.loop.app, database=Database(url, lock_seconds=0.05))
    holders: list[Callable[[], None]] = []

    def behaviour(step: str, _: str) -> bytes | None:
        if step == "RCPT" and not holders:
            holders.append(databases.CHOSEN.hold(zine.story.config.parent))
        return None

    zine.closes(2)
    zine.smtp_server.behaviour = behaviour
    assert zine.loop.one_pass() is None
    assert len(zine.smtp_server.taken) >= 1
    zine.story.passes(minutes=1)
    assert zine.loop.one_pass() is None, "still locked"
    holders[0]()
    zine.story.passes(minutes=11)
    zine.works()
    zine.check()
    assert len(zine.smtp_server.taken) == 12
    zine.loop.app.database.close()


@pytest.mark.parametrize("at", ["RCPT", "DATA", "."])
def test_a_daily_limit_loses_no_round(zine: SmtpZine, at: str) -> None:
    """550 for all recipients is about the account: mails wait, few are tried, no address is marked; all go later."""
    zine.smtp_server.behaviour = lambda step, _: b"550 not today" if step == at else None
    zine.closes()
    for _ in range(6):
        zine.loop.one_pass()
        zine.story.passes(hours=1)
    assert zine.mails(status="refused") == []
    assert zine.waits() == []
    zine.smtp_server.behaviour = well_behaved
    zine.works(hours=1)
    zine.story.passes(hours=1)
    zine.loop.one_pass()
    zine.check()
    assert [kind for kind, _ in zine.waits()] == ["unsent"]


def test_a_greeting_that_is_refused_is_about_us(zine: SmtpZine) -> None:
    """Without a login the greeting comes with the first mail: 550 to it refuses no mail either."""
    settings = zine.loop.app.settings.smtp.model_copy(update={"username": ""})
    outbox = Outbox(settings)
    zine.loop.app = replace(
        zine.loop.app, outbox=outbox, settings=zine.loop.app.settings.model_copy(update={"smtp": settings})
    )
    zine.smtp_server.behaviour = lambda step, _: b"550 5.7.1 go away" if step in ("EHLO", "HELO") else None
    zine.closes()
    for _ in range(4):
        zine.loop.one_pass()
        zine.story.passes(hours=1)
    assert zine.mails(status="refused") == []
    assert {row.attempts for row in zine.queued()} == {0}
    zine.smtp_server.behaviour = well_behaved
    zine.works(hours=1)
    zine.check()
    assert zine.waits() == []
    outbox.close()
