"""A round waits at its ZAT for a mail that may be a missing move, whatever else lies there, and for `hold` at most."""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import seating
import zines

from gm.demo.in_memory_zine import NESTED, PLAYERS, address_of, write_mail
from gm.game.position import position
from gm.reports.game import show
from gm.requests.desk import actions, players
from gm.service.inbound import handle as handling
from gm.service.inbound import read as reading
from gm.store.queries import game_queries
from gm.store.tables import Duty
from parsers.mime.message import Mail, read_head, read_mail

prepared_zines, opener, begin = zines.prepared_zines, zines.opener, zines.begin
ANNA, BERND = PLAYERS[:2]
STRICT = {"sender": "authenticated", "trusted_authserv": ["mx.example.org"]}
MANY = 60
"""More mails than were ever looked at."""


class Dead(BaseException):
    """The process is gone."""


def unreadable(sender: str, body: bytes = b"", subject: str = "Zug") -> bytes:
    """Write a mail that can't be read below its head."""
    return f"From: {sender}\r\nSubject: {subject}\r\n".encode() + NESTED + body


def all_but_anna_move(zine: Any) -> None:
    """Everybody else has a move on file."""
    for name in PLAYERS[1:]:
        actions.enter_move(zine.app, "Eriwan", name, zine.block(name))


def at_its_zat(zine: Any) -> str:
    """Do a pass just after the ZAT; return why the round still waits, "" where it doesn't."""
    zine.passes_until(zine.zat, minutes=1)
    zine.tick()
    return held(zine)


def held(zine: Any, name: str = "Eriwan") -> str:
    """Return what `gm show` says."""
    with zine.app.database.read() as session:
        return str(show(zine.app, session, game_queries.named(session, name))["held"] or "")


def named(mail: Any) -> str:
    """Return what it says of a round that waits for a mail."""
    kind = {"quarantined": "in quarantine", "waiting": "that waits for its sender's word"}.get(mail.status)
    return f"mail {mail.id} {kind or 'that waits for another hour'} may be a missing move: gm mail show {mail.id}"


# -- however many others lie there ------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    "sender", ["Xaver <x{}@evil.example>", address_of(BERND), "x{}"], ids=["strangers", "another player", "nobody"]
)
def test_many_mails_by_others_hide_none(begin: Callable[..., Any], sender: str) -> None:
    """Sixty mails that can't be read lie before Anna's: the round waits for hers all the same."""
    zine = begin("started")
    all_but_anna_move(zine)
    for number in range(MANY):
        zine.arrives(unreadable(sender.format(number)))
    zine.arrives(unreadable(f"Anna Berg <{address_of(ANNA)}>"))
    zine.tick()
    assert at_its_zat(zine) == named(zine.received()[-1])


@pytest.mark.trust
def test_many_unproven_mails_hide_none(begin: Callable[..., Any]) -> None:
    """Sixty mails in Bernd's name wait for his word, and he has moved; the round waits for Anna's."""
    zine = begin("started", security=STRICT)
    all_but_anna_move(zine)
    zine.passes_until(zine.zat, hours=-2)
    for _ in range(MANY):
        zine.sends(BERND, "DN")
    zine.sends(ANNA, "DN")
    zine.tick()
    assert {row.status for row in zine.received()} == {"waiting"}
    assert at_its_zat(zine) == named(zine.received()[-1])


def test_a_mail_that_was_put_off_is_unread(begin: Callable[..., Any]) -> None:
    """Strangers' mails wait for another hour and hold nothing; one does as soon as its address is Anna's."""
    zine = begin("started", security={"answers_per_hour": 1})
    all_but_anna_move(zine)
    zine.passes_until(zine.zat, hours=-2)
    for number in range(MANY):
        zine.writes("Xaver", "Hilfe\n", sender=f"x{number}@evil.example")
    zine.writes(ANNA, "Stand Eriwan\n", sender="anna@arbeit.example")
    zine.tick()
    mail = zine.received()[-1]
    assert mail.status == "put off"
    players.use(zine.app, ANNA, "anna@arbeit.example")
    assert at_its_zat(zine) == named(mail)


def test_put_off_mails_of_strangers_hold_nothing(begin: Callable[..., Any]) -> None:
    """Nor do mails in quarantine whose sender can be read and plays nowhere."""
    zine = begin("started", security={"answers_per_hour": 1})
    for number in range(MANY):
        zine.writes("Xaver", "Hilfe\n", sender=f"x{number}@evil.example")
    zine.arrives(unreadable("x@evil.example", b"Crossword Eriwan\r\n"))
    zine.tick()
    assert at_its_zat(zine) == ""
    assert zine.round == 2


def test_each_game_waits_for_its_own_seats(begin: Callable[..., Any]) -> None:
    """Anna's mail may be for any game in which her move is missing; where she has moved, or has no seat, none waits."""
    zine = begin("started")
    for game, seated in (("Jalta", PLAYERS), ("Kiew", PLAYERS[1:])):
        actions.new_game(zine.app, "crossword", game)
        for name, wish in zip((*seated, "Gerda Hahn"), "DNTIROE", strict=False):
            if len(seated) == len(PLAYERS) and name == "Gerda Hahn":
                continue
            seating.join(zine.app, game, name, address_of(name), wish)
        actions.start(zine.app, game)
    zine.tick()
    actions.enter_move(zine.app, "Jalta", ANNA, "Crossword Jalta\nNeu: E\n" + "......\n" * 6)
    for number in range(MANY):
        zine.arrives(unreadable(f"x{number}@evil.example"))
    zine.arrives(unreadable(address_of(ANNA)))
    zine.tick()
    mail = zine.received()[-1]
    zine.passes_until(zine.zat, hours=1)
    zine.tick()
    assert [held(zine, game) for game in ("Eriwan", "Jalta", "Kiew")] == [named(mail), "", ""]


def test_a_seat_that_is_not_due_holds_nothing(begin: Callable[..., Any]) -> None:
    """In a game played in turns only who is on turn is waited for."""
    zine = begin("empty")
    seating.start(zine.app, "typ-dom", "Riga", PLAYERS[:3])
    zine.tick()
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        at = position(zine.app, game)
        (due,) = at.engine.due(at.state)
    zine.arrives(unreadable(address_of(PLAYERS[due % 3])))
    zine.passes_until(game.zat, minutes=1)
    assert zine.tick().closed == ["Riga"]


# -- a mail that ends the process --------------------------------------------------------------------------------------


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> None:
    """To read a mail with the word TOD in it, or its base64, ends the process."""

    def read(raw: bytes) -> Mail:
        if b"TOD" in raw or base64.b64encode(b"TOD") in raw:
            raise Dead
        return read_mail(raw)

    monkeypatch.setattr(handling, "read_mail", read)


def dies(zine: Any, times: int) -> None:
    """Let so many processes end, one after the other; the next one puts the mail aside."""
    for _ in range(times):
        with pytest.raises(Dead):
            zine.tick()
        zine.app.ours.clear()  # the next one begins
    zine.tick()


@pytest.mark.usefixtures("deadly")
@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("name", ["Anna Berg", "=?utf-8?B?QW5uYSBCZXJn?=", "Bérg, Anna"])
@pytest.mark.parametrize("transfer", ["8bit", "base64"])
def test_the_round_waits_for_a_mail_that_ends_the_process(begin: Callable[..., Any], name: str, transfer: str) -> None:
    """Nobody gets to read Anna's mail, but who wrote it is known: her round waits for `hold`, and then her NMR is none.

    The other mails of the batch are handled, and the GM is told whose it is about.
    """
    zine = begin("started")
    all_but_anna_move(zine)
    zine.writes(BERND, "Stand Eriwan\n")
    text = b"TOD\r\nCrossword Eriwan\r\n"
    body = text if transfer == "8bit" else base64.encodebytes(text)
    head = f"From: {name} <{address_of(ANNA)}>\r\nSubject: Zug\r\nMessage-ID: <1@x>\r\n"
    zine.arrives(f"{head}Content-Transfer-Encoding: {transfer}\r\n\r\n".encode() + body)
    dies(zine, 3)
    first, mail = zine.received()
    assert (first.status, mail.status, mail.sender, mail.subject) == ("applied", "quarantined", address_of(ANNA), "Zug")
    assert at_its_zat(zine) == named(mail)
    zine.passes_until(zine.zat, hours=23, minutes=58)
    zine.tick()
    assert held(zine) == named(mail)
    zine.passes(minutes=5)
    assert zine.tick().closed == ["Eriwan"]
    bulletin = next(mail for to, mail in zine.mails() if to == address_of(ANNA) and "Runde 1" in mail.subject)
    assert "NMR: Anna Berg (Mail ungeklärt)" in zine.said(bulletin)
    assert [duty.unclear for duty in zine.rows(Duty) if duty.seat == 1] == [True]


@pytest.mark.usefixtures("deadly")
def test_a_head_that_ends_the_process_is_looked_at_no_more(
    begin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where even that kills, the mail is put aside all the same, and others are handled."""
    zine = begin("started")

    def kill(raw: bytes) -> Mail:
        if b"TOD" in raw:
            raise Dead
        return read_head(raw)

    monkeypatch.setattr(reading, "read_head", kill)
    zine.writes(ANNA, "TOD\n")
    zine.writes(BERND, "Stand Eriwan\n")
    dies(zine, 4)
    assert [row.status for row in zine.received()] == ["quarantined", "applied"]


@pytest.mark.usefixtures("deadly")
def test_a_head_that_can_not_be_read_does_no_harm(begin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is raised there: the mail is put aside with its sender unknown."""
    zine = begin("started")

    def fail(_raw: bytes) -> Mail:
        raise RecursionError

    monkeypatch.setattr(reading, "read_head", fail)
    zine.writes(ANNA, "TOD\n")
    dies(zine, 3)
    assert [(row.status, row.sender) for row in zine.received()] == [("quarantined", "")]


# -- a mail of nobody --------------------------------------------------------------------------------------------------


def coded(text: str) -> bytes:
    """Write a text as base64, as telephones do."""
    return b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(text.encode()) + b"\r\n"


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize(
    ("raw", "waits"),
    [
        (unreadable("Anna", b"Crossword Eriwan\r\nDN....\r\n"), True),
        (unreadable("Anna", coded("Crosswort Jalta")), False),
        (unreadable("Anna", coded("Hallo,\n\nCrossword Eriwan\nNeu: Ä\nDN....\n")), True),
        (unreadable("Anna", coded("Eriwan")), True),
        (unreadable("Anna", b"Crosswo=\r\nrd\r\n"), True),
        (unreadable("Anna", subject="=?utf-8?B?RXJpd2Fu?="), True),
        (unreadable("Anna", b"\x89PNG" + bytes(range(256)) * 20), False),
    ],
    ids=["the game", "another game", "in base64", "a short one", "quoted-printable", "in the subject", "a picture"],
)  # fmt: skip
def test_a_mail_of_nobody_holds_if_it_names_the_game(begin: Callable[..., Any], raw: bytes, waits: bool) -> None:
    """Sixty others that name no game lie before it."""
    zine = begin("started")
    all_but_anna_move(zine)
    for number in range(MANY):
        zine.arrives(unreadable(f"x{number}"))
    zine.arrives(raw)
    zine.tick()
    mail = zine.received()[-1]
    assert (mail.status, mail.sender) == ("quarantined", "")
    assert at_its_zat(zine) == (named(mail) if waits else "")


def test_a_mail_of_nobody_holds_in_our_thread(begin: Callable[..., Any]) -> None:
    """A reply to a bulletin is about that game."""
    zine = begin("started")
    bulletin = next(row for row in zine.outgoing(address=address_of(ANNA)) if row.kind == "start")
    zine.arrives(f"In-Reply-To: {bulletin.message_id}\r\n".encode() + unreadable("Anna"))
    zine.tick()
    assert at_its_zat(zine) == named(zine.received()[-1])
    zine.passes(hours=int(timedelta(days=1) / timedelta(hours=1)))
    assert zine.tick().closed == ["Eriwan"]


def test_what_came_before_the_round_holds_nothing(begin: Callable[..., Any]) -> None:
    """A mail of an earlier round lies there still; this one closes at its ZAT."""
    zine = begin("started")
    zine.arrives(unreadable(address_of(ANNA)))
    zine.tick()
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    zine.arrives(write_mail(address_of(BERND), "Stand Eriwan\n"))
    assert at_its_zat(zine) == ""
    assert zine.round == 3
