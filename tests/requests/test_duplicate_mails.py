"""The same mail by two ways: equal sender, Date and text, another Message-ID. It counts once, in every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from played_zine import OTHERS, WISHES, PlayedZine
from sqlmodel import select

from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game import word_judge
from gm.game.position import position
from gm.store.queries import game_queries
from gm.store.tables import MailIn, Question, Sheet, Turn

ANNA, BERND, CARLA = PLAYERS[:3]
FOOTER = "\n_______________________________________________\nRunde mailing list\nhttps://liste.example/runde\n"
DATE = "Mon, 02 Nov 2026 12:30:00 +0100"


def statuses(zine: Any) -> list[str]:
    """Return what became of each mail."""
    with zine.app.database.read() as session:
        return [mail.status for mail in session.exec(select(MailIn).order_by(MailIn.id))]


def arrives(zine: Any, who: str, text: str, date: str = DATE, **more: Any) -> None:
    """Let a mail arrive that was written then."""
    headers = {"Date": date, **more.pop("headers", {})} if date else more.pop("headers", {})
    zine.arrives(write_mail(more.pop("sender", address_of(who)), text, headers=headers, **more))


def _suggested(zine: PlayedZine, name: str) -> tuple[str, int, str]:
    """Say whose move is due, in which seat, and a move without its title."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at, words = position(zine.app, game), word_judge.judge(zine.app, game)
        seat = min(at.engine.due(at.state))
        lines = at.engine.suggest(at.state, SeatNumber(seat), Dice(name, at.turn.number), words)
    return zine.due(name)[0], seat, "\n".join([*lines, ""])


def _done(zine: PlayedZine) -> list[int]:
    with zine.app.database.read() as session:
        return [len(session.exec(select(table.id)).all()) for table in (Sheet, Turn)]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("quotes", [False, True])
@pytest.mark.parametrize("kind", ["crossword", *OTHERS])
def test_a_duplicate_after_the_position_has_moved_on(kind: str, quotes: bool, tmp_path: Path) -> None:
    """It comes by way of a list, with a footer, after others moved: it is recognized without a word, in all games."""
    zine = PlayedZine(tmp_path)
    name, seats, _ = OTHERS.get(kind, ("Eriwan", 6, ()))
    zine.begins(kind, name, PLAYERS[:seats], WISHES if kind == "crossword" else "")
    who, _, text = _suggested(zine, name)
    position_mail = next(mail for to, mail in reversed(zine.mails()) if to == zine.address(who))
    quoted = "\n> ".join(["", *position_mail.text.splitlines()[-12:]]) if quotes else ""
    sent = {"sender": zine.address(who), "subject": f"Re: {position_mail.subject}"}
    arrives(zine, who, text + quoted, in_reply_to=position_mail.message_id, **sent)
    zine.passes(minutes=5)
    zine.tick()
    assert statuses(zine)[-1] == "applied"
    zine.plays(name, 1, but=[who])
    zine.mails()
    before, number = _done(zine), len(statuses(zine))
    arrives(zine, who, text + quoted + FOOTER, in_reply_to=position_mail.message_id, **sent)
    arrives(zine, who, text + quoted, **sent)
    zine.tick()
    assert statuses(zine)[number:] == ["ignored"] * 2
    assert _done(zine) == before
    assert [mail.subject for to, mail in zine.mails() if to == zine.address(who)] == []
    zine.close()


def test_a_refused_mail_once_more(eriwan: Any) -> None:
    """What was refused for what it says isn't refused a second time."""
    for footer in ("", FOOTER):
        arrives(eriwan, ANNA, f"Crossword Eriwan\nNeu: 7\nDN....\n{footer}")
        eriwan.tick()
    assert statuses(eriwan) == ["refused", "ignored"]
    assert len(eriwan.mails()) == 1


def test_another_date_is_another_mail(eriwan: Any) -> None:
    """Grid A, grid B, grid A again under one Message-ID: with three Dates the third counts."""
    grids = [eriwan.block(ANNA, new) for new in ("DN", "ND", "DN")]
    for number, grid in enumerate(grids):
        date = f"Mon, 02 Nov 2026 12:3{number}:00 +0100"
        arrives(eriwan, ANNA, grid, date, message_id="<one@spieler.example>")
        eriwan.passes(minutes=1)
        eriwan.tick()
    assert statuses(eriwan) == ["applied"] * 3
    assert eriwan.rows(Sheet)[-1].lines[2] == eriwan.rows(Sheet)[0].lines[2]


def test_without_a_date_nothing_is_a_duplicate(eriwan: Any) -> None:
    """Two mails without a Date are two, unless they have one Message-ID and say the same."""
    for message_id in ("<1@spieler.example>", "<2@spieler.example>", "<2@spieler.example>"):
        arrives(eriwan, ANNA, "Warten Eriwan\n", "", message_id=message_id)
        eriwan.tick()
    assert statuses(eriwan) == ["applied", "applied", "ignored"]


def test_one_date_and_different_texts(eriwan: Any) -> None:
    """Two orders sent in one second, and one sender's words in another's mail, are no duplicates."""
    arrives(eriwan, ANNA, "Warten Eriwan\n")
    arrives(eriwan, ANNA, "Warten Eriwan\nFertig Eriwan\n")
    arrives(eriwan, BERND, "Warten Eriwan\n")
    eriwan.tick()
    assert statuses(eriwan) == ["applied"] * 3


@pytest.mark.parametrize("zone", ["Mon, 2 Nov 2026 11:30:00 +0000", "2 Nov 2026 11:30:00 GMT"])
def test_one_instant_in_two_spellings(eriwan: Any, zone: str) -> None:
    """A gateway writes the Date in its own way: it is the same instant."""
    for date in (DATE, zone):
        arrives(eriwan, ANNA, "Warten Eriwan\n", date)
        eriwan.tick()
    assert statuses(eriwan) == ["applied", "ignored"]


def test_a_copy_by_a_list_first(eriwan: Any) -> None:
    """The copy that came by way of a list did nothing; the one that comes straight counts."""
    move = eriwan.block(ANNA, "DN")
    arrives(eriwan, ANNA, move + FOOTER, message_id="<1@x.example>", headers={"List-Id": "<runde.liste.example>"})
    arrives(eriwan, ANNA, move, message_id="<1@x.example>")
    eriwan.tick()
    assert statuses(eriwan) == ["ignored", "applied"]


PROVEN = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=spieler.example", "Received": "from a"}


@pytest.fixture
def strict(begin: Any) -> Any:
    """Eriwan in a zine that asks for proof."""
    return begin("started", security={"sender": "authenticated", "trusted_authserv": ["mx.example.org"]})


def test_a_copy_with_proof_takes_the_place_of_one_without(strict: Any) -> None:
    """The first copy waits for Anna's word; the second has proof and counts, and the question is settled."""
    move = strict.block(ANNA, "DN")
    arrives(strict, ANNA, move)
    strict.tick()
    assert statuses(strict) == ["waiting"]
    arrives(strict, ANNA, move + FOOTER)
    strict.tick()
    assert statuses(strict) == ["waiting", "ignored"]
    raw = write_mail(address_of(ANNA), move, headers={"Date": DATE})
    strict.arrives(b"".join(f"{name}: {value}\r\n".encode() for name, value in PROVEN.items()) + raw)
    strict.tick()
    assert statuses(strict) == ["ignored", "ignored", "applied"]
    assert [question.answer for question in strict.rows(Question)] == ["replaced"]


@pytest.mark.parametrize("written", [address_of(ANNA), f"{ANNA} via Runde <runde@liste.example>"])
def test_a_copy_by_a_list_afterwards(eriwan: Any, written: str) -> None:
    """The straight one counted; the list's copy asks nobody, whether the list has left From alone or not."""
    move = eriwan.block(ANNA, "DN")
    arrives(eriwan, ANNA, move)
    eriwan.tick()
    eriwan.mails()
    raw = write_mail(address_of(ANNA), move + FOOTER, headers={"Date": DATE, "List-Id": "<runde.liste.example>"})
    eriwan.arrives(raw.replace(f"From: {address_of(ANNA)}".encode(), f"From: {written}".encode()))
    eriwan.tick()
    assert eriwan.mails() == []
    assert statuses(eriwan) == ["applied", "ignored"]
    assert eriwan.rows(Question) == []
