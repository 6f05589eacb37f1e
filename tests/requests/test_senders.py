"""Mails whose From says in another way who wrote them: nothing of a person vanishes, and no list is answered."""

from __future__ import annotations

from typing import Any

import pytest
import seating
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game.people import lookup
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import players
from gm.store.tables import Address, MailIn, Question, Sheet

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"
HOME = address_of(ANNA)


def sends(zine: Any, text: str = "", sender: str = HOME, *, written: str = "", **headers: str) -> dict[str, Any]:
    """Let Anna's move arrive with another From, and these fields; returns what goes out, by recipient."""
    raw = write_mail(sender, text or zine.block(ANNA, "DN"))
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"from:")]
    fields = [f"From: {written or sender}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    zine.arrives(b"\r\n".join([*(field.encode() for field in fields), *lines]) + b"\r\n\r\n" + body)
    zine.tick()
    return dict(zine.mails())


def on_list(zine: Any) -> list[dict[str, Any]]:
    """List what waits for the GM."""
    with zine.app.database.read() as session:
        return waiting_for_gm(zine.app, session)


@pytest.mark.parametrize(
    "written",
    [
        f"Anna Berg <{HOME}>, Anna <{HOME}>", f"Anna Berg <{HOME}", f"{HOME};", f"Berg, Anna <{HOME}>",
        "=?utf-8?q?Anna_Berg_=3Canna=40spieler=2Eexample=3E?=",
    ],
)  # fmt: skip
def test_one_address_is_one_sender(eriwan: Any, written: str) -> None:
    """The move counts and is confirmed to the one address that stands in From."""
    assert sends(eriwan, written=written)[HOME].subject == "[Eriwan] Zug Runde 1 angekommen"
    assert [sheet.seat for sheet in eriwan.rows(Sheet)] == [1]


def test_two_addresses_of_one_player(eriwan: Any) -> None:
    """Both are Anna's: it is Anna's mail. With somebody else's beside it nothing is done, and the GM is told."""
    players.use(eriwan.app, ANNA, "anna@arbeit.example")
    sent = sends(eriwan, written=f"{HOME}, anna@arbeit.example")
    assert sent["anna@arbeit.example"].subject == "[Eriwan] Zug Runde 1 angekommen"
    sent = sends(eriwan, written=f"{HOME}, {address_of(BERND)}")
    assert set(sent) == {GM}
    assert len(eriwan.rows(Sheet)) == 1


@pytest.mark.parametrize("known", ["anna@bücher.example", "anna@xn--bcher-kva.example"])
@pytest.mark.parametrize("writes", ["anna@bücher.example", "Anna@XN--BCHER-KVA.example"])
def test_a_domain_with_umlauts(eriwan: Any, known: str, writes: str) -> None:
    """However it was entered and however the mail program writes it, it is one address."""
    players.use(eriwan.app, ANNA, known)
    assert set(sends(eriwan, sender="anna@x.example", written=writes)) == {"anna@xn--bcher-kva.example"}
    assert len(eriwan.rows(Sheet)) == 1


@pytest.mark.parametrize("writes", ["anna.berg@gmail.com", "AnnaBerg+zine@googlemail.com", "a.n.n.a.berg@gmail.com"])
def test_one_mailbox_at_gmail(eriwan: Any, writes: str) -> None:
    """Dots, what stands behind `+` and the form of the domain make no other mailbox; we answer where we always do."""
    players.use(eriwan.app, ANNA, "anna.berg@googlemail.com")
    assert set(sends(eriwan, sender="a@x.example", written=writes)) == {"anna.berg@googlemail.com"}
    assert len(eriwan.rows(Sheet)) == 1
    with eriwan.app.database.write() as session:
        assert lookup.find_or_register(eriwan.app, session, ANNA, writes).name == ANNA
    with eriwan.app.database.read() as session:
        assert len(session.exec(select(Address).where(Address.address == writes.lower())).all()) == 0


def test_elsewhere_dots_matter(eriwan: Any) -> None:
    """Only at Gmail: `anna.berg@x` and `annaberg@x` are two people's elsewhere."""
    players.use(eriwan.app, ANNA, "anna.berg@spieler.example")
    sends(eriwan, sender="annaberg@spieler.example")
    assert eriwan.rows(Sheet) == []


def test_a_companys_gateway_marks_people_as_programs(eriwan: Any) -> None:
    """`Auto-Submitted: auto-generated` above a move or a command of a player: it counts, and is answered."""
    sent = sends(eriwan, Auto_Submitted="auto-generated")
    assert sent[HOME].subject == "[Eriwan] Zug Runde 1 angekommen"
    assert "Stand" in sends(eriwan, "Stand Eriwan\n", Auto_Submitted="auto-generated")[HOME].subject
    assert HOME not in sends(eriwan, "Ich bin nicht da.\n", Auto_Submitted="auto-generated")
    assert "Ich bin nicht da." in on_list(eriwan)[-1]["about"]


REWRITTEN = {
    "forwarder": ('"Anna Berg" <no-reply@forward.test>', {"Reply_To": HOME}),
    "forwarder, no Reply-To": ('"Anna Berg" <no-reply@forward.test>', {}),
    "list": ("Anna Berg via Runde <runde@liste.test>", {"Reply_To": HOME, "List_Id": "<runde.liste.test>"}),
    "list, no mark": ("Anna Berg via Runde <runde@liste.test>", {"Reply_To": f"Anna <{HOME}>, runde@liste.test"}),
    "list, by name alone": ("Anna Berg via Runde <runde@liste.test>", {"Precedence": "list"}),
    "from work": ("anna@arbeit.example", {"Reply_To": HOME}),
}


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("how", REWRITTEN)
def test_a_rewritten_from(eriwan: Any, how: str) -> None:
    """The player is asked at the address we know, nobody is answered there; with `Ja` the move counts as it came."""
    written, headers = REWRITTEN[how]
    sent = sends(eriwan, sender="x@y.example", written=written, **headers)
    assert set(sent) == {HOME}
    assert "Neu: E" in sent[HOME].text
    assert eriwan.rows(Sheet) == []
    arrived = eriwan.rows(MailIn)[-1].received_at
    eriwan.passes(hours=1)
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {sent[HOME].subject}", in_reply_to=sent[HOME].message_id)
    eriwan.tick()
    assert [(sheet.seat, sheet.received_at) for sheet in eriwan.rows(Sheet)] == [(1, arrived)]


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("how", REWRITTEN)
def test_a_command_under_a_rewritten_from(eriwan: Any, how: str) -> None:
    """It lies on the GM's list, each time, and the list isn't answered."""
    written, headers = REWRITTEN[how]
    for number in (1, 2):
        sent = sends(eriwan, f"Warten Eriwan\nGruß {number}\n", sender="x@y.example", written=written, **headers)
        assert set(sent) == {GM}
        assert "Warten Eriwan" in sent[GM].text
        assert len(on_list(eriwan)) == number


def test_a_second_move_while_the_first_is_open(eriwan: Any) -> None:
    """It is on the list too, and the GM is told of it by mail, as nobody is asked twice a day."""
    written, headers = REWRITTEN["forwarder"]
    sends(eriwan, sender="x@y.example", written=written, **headers)
    sent = sends(eriwan, eriwan.block(ANNA, "ND"), sender="x@y.example", written=written, **headers)
    assert set(sent) == {GM}
    mails = {row.id for row in eriwan.rows(MailIn)}
    assert mails == {question.mail_id for question in eriwan.rows(Question) if question.mail_id}


def test_a_list_without_anything_for_us(eriwan: Any) -> None:
    """Words on a list in nobody's name here are left alone, and a newsletter with a player's name too."""
    assert sends(eriwan, "Hallo Runde!\n", sender="x@y.example", written="Xaver via Runde <r@l.test>",
                 List_Id="<r.l.test>") == {}  # fmt: skip
    assert sends(eriwan, "Angebote\n", sender="x@y.example", written='"Anna Berg" <news@shop.test>',
                 List_Unsubscribe="<mailto:x@shop.test>") == {}  # fmt: skip
    assert on_list(eriwan) == []


def test_a_name_alone_is_nobody(eriwan: Any) -> None:
    """Who writes from a new address under a player's name gets the help, as before."""
    sent = sends(eriwan, sender="anna@neu.example", written="Anna Berg <anna@neu.example>")
    assert "anna@neu.example" in sent


@pytest.mark.parametrize("from_line", [1, 2])
def test_a_block_without_its_title(eriwan: Any, from_line: int) -> None:
    """A list hands on a reply to the bulletin with little but the grid in it: Anna is asked."""
    bulletin = next(one for one in eriwan.outgoing(address=HOME))
    text = "\n".join(eriwan.block(ANNA, "DN").split("\n")[from_line:])
    sent = sends(eriwan, text, sender="x@y.example", written="Anna Berg via Runde <runde@liste.test>", Reply_To=HOME,
                 In_Reply_To=bulletin.message_id)  # fmt: skip
    assert set(sent) == {HOME}
    assert "DN...." in sent[HOME].text


def test_a_word_alone_under_a_rewritten_from(begin: Any) -> None:
    """A reply with nothing but a word, which may be a move or not: the GM gets it."""
    zine = begin("empty")
    seating.start(zine.app, "typ-dom", "Riga", (ANNA, BERND))
    zine.tick()
    bulletin = next(mail for to, mail in zine.mails() if to == HOME)
    raw = write_mail("runde@liste.test", "HAUS\n", subject=f"Re: {bulletin.subject}", in_reply_to=bulletin.message_id,
                     name="Anna Berg via Runde", headers={"Reply-To": HOME})  # fmt: skip
    zine.arrives(raw)
    zine.tick()
    assert [to for to, _ in zine.mails()] == [GM]
