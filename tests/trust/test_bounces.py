"""Bounces: the address is marked, the GM is told once, the seat stays, and a mail from there removes the mark."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes
from typing import Any

import databases
import pytest
from sqlmodel import select

from gm.cli.players import _row
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.game.people import lookup
from gm.reports.game import show, text_of
from gm.reports.health import health
from gm.reports.players import details, summary
from gm.reports.state import State
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions, erasure, mail_actions, players
from gm.runtime.errors import Refused
from gm.service.outbound.digests import make, out_of_turn
from gm.store.queries import game_queries
from gm.store.tables import Address, MailIn, MailOut, Question, Seat
from parsers.mime.message import read_mail

ANNA, BERND = PLAYERS[:2]
ANNAS, BERNDS = map(address_of, (ANNA, BERND))
GM = "cici@postspiel.example"
GONE = "550 5.1.1 no such mailbox"


def report(raw: bytes, recipient: str, *, action: str = "failed", status: str = "5.1.1", said: str = GONE) -> bytes:
    """Write the report of a server about a mail of ours."""
    head = (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: zug@postspiel.example\r\nSubject: Undelivered\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\nMIME-Version: 1.0\r\n\r\n'
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: {status}\r\n"
        f"Diagnostic-Code: smtp; {said}\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
    )
    return head.encode() + raw + b"\r\n--b--\r\n"


def in_words(raw: bytes, recipient: str) -> bytes:
    """Write a report as qmail does."""
    said = f"I'm afraid I wasn't able to deliver your message.\n\n<{recipient}>:\nSorry, no mailbox here. (#5.1.1)\n"
    head = (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example\nTo: zug@postspiel.example\nSubject: failure notice\n\n{said}"
    )
    return head.encode() + b"\n--- Below this line is a copy of the message.\n\n" + raw


class Post:
    """A story, and what it has sent."""

    def __init__(self, zine: Story) -> None:
        self.zine = zine
        self.seen = len(zine.outbox.letters)

    def new(self) -> list[tuple[str, bytes]]:
        """Do a pass; give what went out."""
        self.zine.tick()
        sent = [(letter.recipient, letter.raw) for letter in self.zine.outbox.letters[self.seen :]]
        self.seen = len(self.zine.outbox.letters)
        return sent

    def to(self, address: str) -> list[bytes]:
        """Return what went to an address in a pass."""
        return [raw for recipient, raw in self.new() if recipient == address]

    def round(self) -> bytes:
        """Close a round; give Anna's bulletin."""
        actions.close(self.zine.app, "Eriwan", self.zine.now)
        (raw,) = self.to(ANNAS)
        return raw

    def rows(self, table: Any) -> list[Any]:
        """List a table."""
        with self.zine.app.database.read() as session:
            return list(session.exec(select(table).order_by(table.id)))

    def address(self, wanted: str = ANNAS) -> Any:
        """Return the row of an address."""
        return next(row for row in self.rows(Address) if row.address == wanted)

    def last(self) -> tuple[str, str]:
        """Return what became of the last mail."""
        row = self.rows(MailIn)[-1]
        return row.status, row.reason

    def out(self, raw: bytes) -> Any:
        """Return the row of a mail that went out."""
        message_id = read_mail(raw).message_id
        return next(row for row in self.rows(MailOut) if row.message_id == message_id)


@pytest.fixture
def post(running: Callable[..., Story]) -> Post:
    """Eriwan in round 1."""
    return Post(running(more={"nmr": {"standby_after": 0}}))


@pytest.mark.parametrize("write", [report, in_words])
def test_a_bounce_marks_the_address(post: Post, write: Any) -> None:
    """The log says which mail came back and why, the mail that it is bounced, the player where to; the seat stays."""
    raw = post.round()
    post.zine.arrives(write(raw, ANNAS))
    sent = post.new()
    out = post.out(raw)
    said = GONE if write is report else "Sorry, no mailbox here. (#5.1.1)"
    assert post.last() == ("ignored", f"bounce of mail o{out.id} to {ANNAS}: {said}")
    assert (out.status, out.error) == ("bounced", said)
    assert (post.address().bounced_at is not None, post.address().bounce) == (True, said)
    assert [to for to, _ in sent] == [GM]
    assert all(seat.until is None for seat in post.rows(Seat))


def test_the_gm_is_told_once_with_what_mends_it(post: Post) -> None:
    """However many mails come back: one notice, one line on the list, and commands that mend it."""
    first = post.round()
    post.zine.arrives(report(first, ANNAS))
    (notice,) = post.to(GM)
    text = read_mail(notice).text
    for line in (f"Mails an {ANNA} kommen zurück", GONE, f"gm mail retry o{post.out(first).id}",
                 f'gm player address "{ANNA}" ADRESSE'):  # fmt: skip
        assert line in " ".join(text.split())
    for _ in range(2):
        post.zine.arrives(report(post.round(), ANNAS))
        assert post.to(GM) == []
    with post.zine.app.database.read() as session:
        (row,) = waiting_for_gm(post.zine.app, session)
        assert row["what"] == "undelivered"
        assert f'gm player address "{ANNA}" ADDRESS' in row["do"]


def test_other_addresses_are_named_not_tried(post: Post) -> None:
    """The notice names the player's second address with the command that uses it; the GM may reply with that line."""
    players.use(post.zine.app, ANNA, "anna@anderswo.example")
    players.use(post.zine.app, ANNA, ANNAS)
    post.zine.arrives(report(post.round(), ANNAS))
    (notice,) = post.to(GM)
    offer = f'gm player address "{ANNA}" anna@anderswo.example'
    assert offer in read_mail(notice).text
    mail = read_mail(notice)
    post.zine.arrives(write_mail(GM, f"{offer}\n", subject=f"Re: {mail.subject}", in_reply_to=mail.message_id))
    (done,) = post.to(GM)
    assert "anna@anderswo.example" in read_mail(done).text
    actions.close(post.zine.app, "Eriwan", post.zine.now)
    assert len(post.to("anna@anderswo.example")) == 1
    assert post.address("anna@anderswo.example").bounced_at is None
    assert post.address(ANNAS).bounced_at is not None


def test_only_this_players_address_may_be_given_by_mail(post: Post) -> None:
    """The notice about Anna lets the GM give Anna an address by mail, and nobody else."""
    post.zine.arrives(report(post.round(), ANNAS))
    (notice,) = post.to(GM)
    mail = read_mail(notice)
    for name, works in ((BERND, False), (ANNA, True)):
        line = f'gm player address "{name}" neu@spieler.example\n'
        post.zine.arrives(write_mail(GM, line, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id))
        post.new()
        assert ("neu@spieler.example" in {row.address for row in post.rows(Address)}) is works


def test_a_mail_from_there_mends_it(post: Post) -> None:
    """As soon as the player writes, the mark is gone; if mails come back again a day later, that is news."""
    post.zine.arrives(report(post.round(), ANNAS))
    post.new()
    post.zine.writes(ANNA, "Stand Eriwan\n")
    post.new()
    assert (post.address().bounced_at, post.address().bounce) == (None, "")
    post.zine.arrives(report(post.round(), ANNAS))
    assert post.to(GM) == []  # a full mailbox that still sends: once a day is enough
    assert post.address().bounced_at is not None
    post.zine.writes(ANNA, "Stand Eriwan\n")
    post.new()
    post.zine.passes(days=1)
    post.zine.arrives(report(post.round(), ANNAS))
    assert len(post.to(GM)) == 1


def test_a_robot_there_mends_nothing(post: Post) -> None:
    """A mail that is ignored is no sign that ours arrive."""
    post.zine.arrives(report(post.round(), ANNAS))
    post.new()
    post.zine.writes(ANNA, "Bin weg.\n", headers={"Auto-Submitted": "auto-replied"})
    post.new()
    assert post.address().bounced_at is not None


def test_refused_at_once_is_the_same(post: Post) -> None:
    """What the server refuses when we send it marks the address as well, and is told once for all such mails."""
    post.zine.outbox.refuse(ANNAS)
    for _ in range(2):
        actions.close(post.zine.app, "Eriwan", post.zine.now)
        post.new()
    assert post.address().bounce == "550 not taken"
    assert [row.kind for row in post.rows(Question)] == ["undelivered"]
    assert [row.status for row in post.rows(MailOut) if row.address == ANNAS][-2:] == ["refused", "refused"]


def test_a_delay_is_only_logged(post: Post) -> None:
    """A report that a mail is late marks nothing and tells nobody."""
    raw = post.round()
    post.zine.arrives(report(raw, ANNAS, action="delayed", status="4.4.1", said="connection timed out"))
    assert post.new() == []
    reason = f"delay of mail o{post.out(raw).id} to {ANNAS}: connection timed out; it is still tried there"
    assert post.last() == ("ignored", reason)
    assert (post.address().bounced_at, post.out(raw).status) == (None, "sent")


def test_a_forged_bounce_marks_nobody(post: Post) -> None:
    """Without the Message-ID of a mail that went there a report is only logged, whatever else it names."""
    mail = message_from_bytes(post.round())
    del mail["Message-ID"]
    mail["Message-ID"] = "<abcdefghijklmnopqrstuvwx@postspiel.example>"
    post.zine.arrives(report(mail.as_bytes(), ANNAS))
    assert post.new() == []
    assert post.last() == ("ignored", "report: delivery, receipt or complaint")
    assert post.address().bounced_at is None


def test_who_has_one_mail_can_mark_only_its_own_address(post: Post) -> None:
    """A report by Anna, with her Message-ID and Bernd's address, is about Anna's address."""
    post.zine.arrives(report(post.round(), BERNDS))
    post.new()
    assert post.address(BERNDS).bounced_at is None
    assert f"to {ANNAS}, passed on to {BERNDS}" in post.last()[1]


def test_mails_of_the_game_go_on_the_digest_waits(post: Post) -> None:
    """Bulletins still go to a marked address, a full mailbox empties; the digest doesn't, and the GM's counts it."""
    post.zine.arrives(report(post.round(), ANNAS))
    post.new()
    assert post.round()
    app = post.zine.app
    with app.database.read() as session:
        made = make(app, session, out_of_turn(app))
    assert {copy.player.name: copy.why for copy in made.copies}[ANNA] == "returned"
    assert made.gm.context["counts"].returned == 1
    assert made.gm.context["troubles"]["returned"] == [(ANNA, ANNAS)]


def test_the_gm_sees_it_everywhere(post: Post) -> None:
    """`gm players`, `gm player show`, `gm status` and `gm show` say that mails bounce; players don't see it."""
    post.zine.arrives(report(post.round(), ANNAS))
    post.new()
    app = post.zine.app
    with app.database.read() as session:
        anna, game = lookup.named(session, ANNA), game_queries.named(session, "Eriwan")
        assert _row(summary(app, session, anna))[1] == f"{ANNAS} (mails come back)"
        assert [(row["address"], row["said"]) for row in details(app, session, anna)["returned"]] == [(ANNAS, GONE)]
        assert health(State(app, session))["unreachable"] == [f"{ANNA} ({ANNAS})"]
        unreachable = [seat["player"] for seat in show(app, session, game)["seats"] if seat.get("unreachable")]
        assert unreachable == [ANNA]
        assert f"Mails to {ANNA} come back" in text_of(app, session, game)
    assert all(b"come back" not in raw and b"zur=C3=BCck" not in raw for to, raw in post.new() if to != GM)


def test_retry_sends_the_very_mail_again(post: Post) -> None:
    """`gm mail retry` takes the mark away and the notice off the list; another return is news."""
    raw = post.round()
    post.zine.arrives(report(raw, ANNAS))
    post.new()
    app = post.zine.app
    with app.database.write() as session:
        mail_actions.retry(app, session, f"o{post.out(raw).id}")
        assert waiting_for_gm(app, session) == []
    assert post.address().bounced_at is None
    assert post.to(ANNAS) == [raw]
    assert post.out(raw).status == "sent"
    with app.database.write() as session, pytest.raises(Refused):
        mail_actions.retry(app, session, f"o{post.out(raw).id}")


def test_no_loop_with_the_gm_or_a_stranger(post: Post) -> None:
    """A notice to the GM that comes back, and help to a stranger, bring no further mail."""
    post.zine.arrives(report(post.round(), ANNAS))
    (notice,) = post.to(GM)
    post.zine.arrives(report(notice, GM))
    post.zine.arrives(write_mail("xaver@fremd.example", "Hallo\n"))
    ((to, helped),) = post.new()
    assert to == "xaver@fremd.example"
    post.zine.arrives(report(helped, "xaver@fremd.example"))
    assert post.new() == []
    assert post.last()[1].startswith(f"bounce of mail o{post.out(helped).id} to xaver@fremd.example: ")
    assert [row.kind for row in post.rows(Question)] == ["undelivered"]


def test_a_couple_is_told_of_once(post: Post) -> None:
    """Two players at one address: both are marked, one notice names both."""
    players.use(post.zine.app, BERND, ANNAS)
    actions.close(post.zine.app, "Eriwan", post.zine.now)
    for raw in post.to(ANNAS):
        post.zine.arrives(report(raw, ANNAS))
    (notice,) = post.to(GM)
    assert f"Mails an {ANNA} / {BERND} kommen zurück" in read_mail(notice).subject
    assert sum(row.bounced_at is not None for row in post.rows(Address)) == 2


def test_the_mark_stays_with_its_address(post: Post) -> None:
    """When a player's mails go elsewhere the mark goes with the old address, and comes back with it."""
    post.zine.arrives(report(post.round(), ANNAS))
    post.new()
    players.use(post.zine.app, ANNA, "neu@spieler.example")
    assert (post.address("neu@spieler.example").bounced_at, post.address().bounce) == (None, GONE)
    players.use(post.zine.app, ANNA, ANNAS)
    assert (post.address("neu@spieler.example").bounced_at, post.address().bounce) == (None, GONE)


def test_forgetting_takes_the_address_out_of_the_log(running: Callable[..., Story]) -> None:
    """After `gm player forget` neither the log of bounces nor the list of what was left out names the address."""
    post = Post(running())
    post.zine.arrives(report(post.round(), ANNAS))
    post.new()
    actions.abort(post.zine.app, "Eriwan", "Schluss")
    post.new()
    erasure.forget(post.zine.app, ANNA)
    assert not [row for row in post.rows(MailIn) if ANNAS in row.reason]
    assert not [row for row in post.rows(Question) if ANNAS in str(row.payload)]
    assert not [row for row in databases.CHOSEN.dump(post.zine.config.parent) if ANNAS in row]
