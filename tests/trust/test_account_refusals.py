"""A server that refuses every mail with 550 has trouble with our account: nothing is lost, no address is marked."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from gm.cli.commands import cli
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, one_pass
from gm.requests.desk import actions
from gm.service.outbound.refusals import names_address, tells_of_account
from gm.store.tables import Address, MailOut, Question
from gm.transport.doubles.in_memory import MemoryOutbox
from gm.transport.smtp.letters import Delivery, Letter
from parsers.mime.message import read_mail

GM = "cici@postspiel.example"
LIMIT = "5.4.5 Daily sending limit exceeded"
VAGUE = "not taken"
GONE = "5.1.1 no such user"


@dataclass(kw_only=True)
class RefusingOutbox(MemoryOutbox):
    """A server that says what it is told: to everybody, or to some."""

    refusal: str = ""
    """What it refuses everybody with; nothing: it takes what comes."""
    gone: dict[str, str] = field(default_factory=dict)
    left: int = 10_000
    """So many it still takes."""

    def _try(self, letter: Letter) -> Delivery:
        words = self.gone.get(letter.recipient) or (self.refusal if self.left <= 0 else "")
        self.left -= not words
        return self._delivery(letter, 550, words) if words else super()._try(letter)


class Zine:
    """Eriwan in round 1 behind such a server."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.outbox = RefusingOutbox(clock=lambda: story.now)
        self.app = replace(story.app, outbox=self.outbox)

    def works(self, **span: float) -> Any:
        """Do a pass, and let time pass."""
        report = one_pass(self.app, archive=False)
        self.story.passes(**(span or {"minutes": 5}))
        return report

    def closes(self) -> None:
        """Close a round: a bulletin for everybody."""
        self.story.passes(minutes=1)
        actions.close(self.app, "Eriwan", self.story.now)

    def rows(self, table: Any) -> list[Any]:
        """List a table."""
        with self.app.database.read() as session:
            return list(session.exec(select(table).order_by(col(table.id))))

    def statuses(self) -> dict[str, int]:
        """Count the mails by status."""
        found = [row.status for row in self.rows(MailOut)]
        return {status: found.count(status) for status in sorted({*found})}

    def marked(self) -> set[str]:
        """List whose mails come back."""
        return {row.address for row in self.rows(Address) if row.bounced_at}

    def to(self, address: str) -> list[str]:
        """List the subjects of what an address got."""
        return [read_mail(one.raw).subject for one in self.outbox.letters if one.recipient == address]

    def waits(self) -> list[str]:
        """List the kinds of what waits for the GM."""
        return [row.kind for row in self.rows(Question) if row.answered_at is None and not row.address]


@pytest.fixture
def zine(running: Callable[..., Story]) -> Zine:
    """A round has been closed; nothing of it has gone out yet."""
    made = Zine(running(more={"nmr": {"standby_after": 0}}))
    made.closes()
    return made


@pytest.mark.parametrize("refusal", [LIMIT, VAGUE, GONE, "quota reached for today"])
@pytest.mark.parametrize("first", [0, 3])
def test_a_limit_loses_no_round(zine: Zine, refusal: str, first: int) -> None:
    """Whatever the server's words and the first refused mail: all mails wait, no address is marked, one notice."""
    zine.outbox.refusal, zine.outbox.left = refusal, first
    began = zine.story.now
    for _ in range(30):
        zine.works(minutes=20)
    assert zine.statuses().keys() <= {"queued", "sent", "dropped"}
    assert (zine.marked(), [kind for kind in zine.waits() if kind == "undelivered"]) == (set(), [])
    assert zine.to(GM) == []
    zine.outbox.refusal = ""
    for _ in range(3):
        zine.works(hours=6)
    assert zine.statuses().get("queued") is None
    assert zine.statuses().get("refused") is None
    for name in PLAYERS:
        assert [subject.split()[1] for subject in zine.to(address_of(name))][-1:] == ["Runde"], name
    assert len(zine.to(GM)) == 1
    assert zine.waits() == ["unsent"]
    (text,) = (row.payload["text"] for row in zine.rows(Question) if row.kind == "unsent")
    zone = zine.app.settings.service.timezone
    again = min(row.sent_at for row in zine.rows(MailOut) if row.sent_at and row.sent_at > began + timedelta(hours=1))
    span = [f"{instant.astimezone(zone):%Y-%m-%d %H:%M}" for instant in (began, again)]
    assert text.startswith(f"{span[0]} - {span[1]}\n550 ")


def test_another_process_knows_it_too(zine: Zine) -> None:
    """Each mail is tried by another process: what was refused before lies in the database."""
    zine.outbox.refusal, zine.outbox.left = VAGUE, 0
    smtp = zine.app.settings.smtp.model_copy(update={"per_minute": 1})
    one = replace(zine.app, settings=zine.app.settings.model_copy(update={"smtp": smtp}))
    for _ in range(8):
        zine.app = replace(one, database=zine.story.open(one.settings).database)
        zine.works(minutes=2)
    assert (zine.marked(), zine.statuses().get("refused"), zine.waits()) == (set(), None, [])


@pytest.mark.parametrize("refusal", ["5.7.1 rejected", VAGUE, GONE])
@pytest.mark.parametrize("who", [0, 5])
def test_one_address_that_is_gone_is_marked(zine: Zine, refusal: str, who: int) -> None:
    """If only one player's mails are refused and others accepted, that address is marked, whatever the server says."""
    address = address_of(PLAYERS[who])
    zine.outbox.gone = {address: refusal}
    for number in range(12):
        zine.works(minutes=10)
        if number % 3 == 1:
            zine.closes()
    assert zine.marked() == {address}
    assert zine.waits().count("undelivered") == 1
    assert [row.status for row in zine.rows(MailOut) if row.address == address][-1] == "refused"


@pytest.mark.parametrize("refusal", [VAGUE, GONE])
def test_two_that_are_gone_are_marked_as_well(zine: Zine, refusal: str) -> None:
    """Two next to each other are taken for the account's trouble at most until others were served."""
    gone = {address_of(name) for name in PLAYERS[1:3]}
    zine.outbox.gone = dict.fromkeys(gone, refusal)
    for _ in range(6):
        zine.works(minutes=10)
    assert zine.marked() == gone
    assert zine.statuses()["refused"] == 2


def test_who_insists_is_blocked(zine: Zine) -> None:
    """As soon as it is clear that nobody's mail is taken, a pass tries one mail and no more, and says so."""
    zine.outbox.refusal, zine.outbox.left = VAGUE, 0
    for _ in range(4):
        tried = sum(row.attempts for row in zine.rows(MailOut))
        assert "whoever they are for" in str(zine.works().troubles[0])
        assert 1 <= sum(row.attempts for row in zine.rows(MailOut)) - tried <= 5


def test_an_address_that_was_marked_before_stays_so(zine: Zine) -> None:
    """What the account's trouble takes back is its own work alone."""
    zine.outbox.gone = {address_of(PLAYERS[0]): GONE}
    zine.works()
    zine.outbox.gone, zine.outbox.refusal, zine.outbox.left = {}, VAGUE, 0
    zine.closes()
    for _ in range(5):
        zine.works()
    assert zine.marked() == {address_of(PLAYERS[0])}


@pytest.mark.parametrize(("refusal", "account", "address"), [
    ("550 5.4.5 Daily sending limit exceeded", True, False),
    ("550 5.4.5 Daily user sending quota exceeded. abc - gsmtp", True, False),
    ("550 Daily sending limit exceeded", True, False),
    ("554 5.7.0 Your account has been temporarily blocked", True, False),
    ("550 5.1.90 Your message can't be sent because you've reached your daily limit for recipients", True, False),
    ("550 5.1.8 sender address rejected", True, False),
    ("550 Sender rate limit exceeded", True, False),
    ("450 too many messages", True, False),
    ("550 5.1.1 no such user here", False, True),
    ("552 5.2.2 mailbox full, quota exceeded", False, True),
    ("552 mailbox quota exceeded", False, False),
    ("552 5.3.4 message size limit exceeded", False, False),
    ("554 spam", False, False), ("550 not taken", False, False), ("550", False, False),
])  # fmt: skip
def test_what_refusals_say(refusal: str, account: bool, address: bool) -> None:
    """The server's words tell at the first refusal whose trouble it is, where they tell it."""
    assert (tells_of_account(refusal), names_address(refusal)) == (account, address)


@pytest.mark.parametrize("refusal", [LIMIT, VAGUE, GONE])
@pytest.mark.parametrize("first", [0, 3])
def test_the_log_says_what_became_of_each_mail(
    zine: Zine, refusal: str, first: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A mail that was refused and waits is `put off`; `refused` is shown only for one that is given up."""
    caplog.set_level(logging.INFO, "gm")
    shown_as = {"queued": "put off", "refused": "refused", "sent": "sent"}
    zine.outbox.gone = {address_of(PLAYERS[5]): GONE}
    zine.outbox.refusal, zine.outbox.left = refusal, first
    before = {row.id for row in zine.rows(MailOut) if row.attempts}
    for number in range(12):
        zine.works(hours=3)
        zine.outbox.refusal = refusal if number < 3 else ""
        told = dict(re.findall(r"mail o(\d+) (put off|refused|sent)", caplog.text))
        assert told == {
            str(row.id): shown_as[row.status] for row in zine.rows(MailOut) if row.attempts and row.id not in before
        }
    assert {*told.values()} == {"sent", "refused"}
    assert {*re.findall(r" put off \((\d+)\)", caplog.text)} == {"550"}


def test_all_of_them_are_sent_again(zine: Zine) -> None:
    """`gm mail retry --all` queues what was refused, since a time if wanted, and says how many."""
    zine.outbox.gone = {address_of(PLAYERS[0]): GONE}
    zine.works(days=2)
    zine.closes()
    zine.works()

    def gm(*words: str) -> tuple[int, str]:
        ran = CliRunner().invoke(cli, ["mail", "retry", *words, "--config", str(zine.story.config)])
        return ran.exit_code, f"{ran.output}{ran.exception or ''}".strip()

    tells = "Mails that are sent once more with the next pass of `gm serve`:"
    assert gm("--all", "--since", "2026-11-03 20:00") == (0, f"{tells} 1.")
    assert zine.statuses()["refused"] == 1
    assert zine.marked() == set()
    assert gm("--all", "--since", "2026-11-05") == (0, f"{tells} 0.")
    assert gm("--all") == (0, f"{tells} 1.")
    assert gm("--all", "--since", "3d") == (0, f"{tells} 0.")
    assert "is no time" in gm("--all", "--since", "soon")[1]
    assert [gm(*words)[0] for words in ((), ("o1", "--all"), ("o1", "--since", "1d"))] == [2, 2, 2]
