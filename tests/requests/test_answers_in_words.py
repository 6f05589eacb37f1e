"""Yes and no as people say them, to each kind of question (issue 29), and to nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.queries import player_queries
from gm.store.tables import Address, Player, Question, Seat, Sheet, Standby

ANNA, BERND, CARLA = PLAYERS[:3]
XAVER = "Xaver Zorn"
GM = "cici@postspiel.example"
YES = ["Ja, gerne!", "Klar, mach ich :-)", "Hallo Cici,\n\nok, passt.\n\nViele Grüße\nXaver", "Yes please", "👍"]
NO = ["Nein danke, keine Zeit", "Lieber nicht", "Sorry, diesmal nicht.\nGruß, Xaver", "No thanks"]
UNCLEAR = [
    "Ja, aber nur wenn Bernd mitspielt",
    "Vielleicht",
    "Ja oder nein?",
    "Ja, aber erst ab Januar",
    "Wer fragt das?",
]


def replies(zine: Any, name: str, text: str, question: Any, way: str = "both", **more: Any) -> None:
    """Let somebody reply to a question: with its code, in its thread, or both."""
    code = {} if way == "thread" else {"subject": f"AW: {question.subject}"}
    thread = {} if way == "code" else {"in_reply_to": question.message_id}
    zine.writes(name, f"{text}\n", **{**code, **thread, **more})
    zine.tick()


def answers(zine: Any) -> list[str]:
    """List how the questions were answered."""
    return [question.answer for question in zine.rows(Question)]


# -- a newcomer --------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(zine: Any) -> Any:
    """Eriwan, open, and Xaver, a stranger, who was asked whether he wants to play."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    zine.writes(XAVER, "Anmeldung Crossword Eriwan\nNeu: D\n")
    zine.question = zine.answer(XAVER)
    return zine


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("way", ["code", "thread", "both"])
@pytest.mark.parametrize("text", YES)
def test_a_newcomer_says_yes(asked: Any, text: str, way: str) -> None:
    """The seat is given with the code or in the thread."""
    replies(asked, XAVER, text, asked.question, way)
    assert [seat.entry for seat in asked.rows(Seat)] == [{"letter": "D"}]
    assert answers(asked) == ["yes"]


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("text", NO)
def test_a_newcomer_says_no(asked: Any, text: str) -> None:
    """Nobody is registered."""
    replies(asked, XAVER, text, asked.question)
    assert (asked.rows(Player), answers(asked)) == ([], ["no"])


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("text", UNCLEAR)
def test_a_newcomer_is_unclear(asked: Any, text: str) -> None:
    """The words go to the GM; the question stays open, its answer says so and how, and a reply to that is enough."""
    replies(asked, XAVER, text, asked.question)
    mails = dict(asked.mails())
    assert set(mails) == {address_of(XAVER), GM}
    assert text in mails[GM].text
    said = asked.said(mails[address_of(XAVER)])
    assert "noch offen: Antworte auf diese Mail bitte nur mit »Ja« oder »Nein«" in said
    assert text not in said
    assert asked.rows(Player) == []
    replies(asked, XAVER, "Ja, gerne", mails[address_of(XAVER)], "thread")
    assert len(asked.rows(Seat)) == 1


def test_a_chatty_stranger_is_not_passed_on_for_ever(asked: Any) -> None:
    """Of what a stranger says to one question, the GM gets the first three mails."""
    for number in range(6):
        replies(asked, XAVER, f"Hm, wer fragt da zum {number}. Mal?", asked.question)
    assert len([recipient for recipient, _ in asked.mails() if recipient == GM]) == 3


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", ["Ja, gerne!", "Ok", "Klar :-)"])
def test_without_code_and_thread_it_is_prose(asked: Any, text: str) -> None:
    """Whoever forges Xaver's address hasn't seen our mail: a loose yes, like a bare one, does nothing."""
    for more in ({"subject": ""}, {"in_reply_to": "<made@up.example>"}, {"subject": "[Frage ABCDEFGH] x"}):
        asked.writes(XAVER, f"{text}\n", **more)
    asked.writes(BERND, f"{text}\n", subject=asked.question.subject, in_reply_to=asked.question.message_id)
    asked.tick()
    assert asked.rows(Player) == []


def test_what_a_newcomer_says_beside_reaches_the_gm(asked: Any) -> None:
    """A clear yes counts; the rest of the mail is passed on."""
    replies(asked, XAVER, "Ja, gerne! Ich spiele seit Jahren Postspiele.", asked.question)
    assert len(asked.rows(Seat)) == 1
    assert "seit Jahren Postspiele" in dict(asked.mails())[GM].text


# -- questions to players ----------------------------------------------------------------------------------------------


def test_a_player_says_ok_elsewhere(eriwan: Any) -> None:
    """Outside a question's thread "ok" is prose: it goes to the GM and answers nothing."""
    eriwan.writes(ANNA, "Adresse anna@neu.example\n")
    eriwan.tick()
    for text in ("Ok", "Ja, gerne!"):
        eriwan.writes(ANNA, f"{text}\n", subject="Hallo")
    eriwan.tick()
    assert answers(eriwan)[:2] == ["", ""]


@pytest.fixture
def offered(eriwan: Any) -> Any:
    """Eriwan with Anna's seat offered to Yvonne, a standby."""
    actions.add_standby(eriwan.app, "Yvonne Ypsilon", address_of("Yvonne Ypsilon"), None)
    eriwan.writes(ANNA, "Abmeldung Eriwan\n")
    eriwan.tick()
    eriwan.tick()
    eriwan.question = dict(eriwan.mails())[address_of("Yvonne Ypsilon")]
    return eriwan


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("Ja klar, ich springe gern ein!", "Yvonne Ypsilon"), ("Ich übernehme den Platz gern.", "Yvonne Ypsilon"),
        ("Leider nein, keine Zeit.", ANNA), ("Ja, aber nur für zwei Runden", ANNA),
        ("Ich würde gern, aber ich kann nicht", ANNA), ("Ja, den Platz nehme ich", "Yvonne Ypsilon"),
        ("Ja, da bin ich weg", ANNA),
    ],
)  # fmt: skip
def test_a_standby(offered: Any, text: str, seat: str) -> None:
    """The offer of a seat."""
    replies(offered, "Yvonne Ypsilon", text, offered.question)
    assert offered.show()["seats"][0]["player"] == seat
    assert len(offered.rows(Standby)) == 1


SIGNATURES = [
    "\n\nViele Grüße\nAnna Muster\nMusterweg 3\nTel. 01234", "\nAnna Muster\nMusterweg 3\nTel. 01234 5678",
    "\n\nA. Muster\nAm Markt 3\n53111 Bonn\nMobil: 0171/123456", "\n\nGesendet von meinem iPhone",
    "\n\nMuster GmbH\nAnna Muster\nanna@muster.example\nwww.muster.example",
]  # fmt: skip


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("word", ["Ja", "Ja, gern!"])
def test_a_signature_without_a_mark(offered: Any, word: str, signature: str) -> None:
    """Up to four lines that say who and where somebody is: still a yes, and nothing for the GM to read."""
    replies(offered, "Yvonne Ypsilon", f"{word}{signature}", offered.question)
    assert offered.show()["seats"][0]["player"] == "Yvonne Ypsilon"
    assert not [one for one in offered.rows(Question) if one.kind == "text"]


def test_a_vacation(eriwan: Any) -> None:
    """Whoever is asked about dates may say that they are away then."""
    eriwan.writes(ANNA, "Bin vom 20.12.2026 bis 3.1.2027 weg.\n")
    question = eriwan.answer(ANNA)
    replies(eriwan, ANNA, "Ja, da bin ich weg", question)
    assert answers(eriwan)[0] == "yes"


def test_a_new_address(eriwan: Any) -> None:
    """Both addresses may say it in their own words; the code or thread of the other one's question is no answer."""
    eriwan.writes(ANNA, "Adresse anna@neu.example\n")
    eriwan.tick()
    mails = {recipient: mail for recipient, mail in eriwan.mails() if "[Frage" in mail.subject}
    eriwan.passes(minutes=2)
    replies(eriwan, ANNA, "Ja, das war ich.", mails["anna@neu.example"])
    assert answers(eriwan) == ["", ""]
    replies(eriwan, ANNA, "Ja, das war ich.", mails[address_of(ANNA)])
    replies(eriwan, ANNA, "ok, stimmt so", mails["anna@neu.example"], sender="anna@neu.example")
    assert answers(eriwan)[1] == ""
    eriwan.passes(minutes=2)
    replies(eriwan, ANNA, "Ja, stimmt so", mails["anna@neu.example"], sender="anna@neu.example")
    assert answers(eriwan)[:2] == ["yes", "yes"]
    with eriwan.app.database.read() as session:
        assert player_queries.address_of(session, player_queries.player_named(session, ANNA).id) == "anna@neu.example"


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    ("text", "on_file", "status"),
    [
        ("Ja, das war ich :-)", ("dn", "E"), "applied"), ("Nein, die Mail ist nicht von mir!", None, "refused"),
        ("Ja, glaube ich", None, "waiting"),
    ],
)  # fmt: skip
def test_the_sender_check(begin: Callable[..., Any], text: str, on_file: Any, status: str) -> None:
    """`Kam diese Mail von dir?`"""
    zine = begin("started", security={"sender": "authenticated", "trusted_authserv": ["mx.example.org"]})
    zine.sends(ANNA, "DN")
    question = zine.answer(ANNA)
    zine.writes(ANNA, "Ja, das war ich\n", subject="")
    replies(zine, ANNA, text, question)
    assert zine.on_file(ANNA) == on_file
    assert zine.received()[0].status == status


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(("text", "on_file"), [("Ja, der Zug ist von mir", ("dn", "E")), ("Nein, war ich nicht", None)])
def test_a_move_from_elsewhere(eriwan: Any, text: str, on_file: Any) -> None:
    """`Ist dieser Zug von dir?`"""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN", head=(f"Name: {ANNA}",)), sender="anna@arbeit.example")
    eriwan.tick()
    question = dict(eriwan.mails())[address_of(ANNA)]
    replies(eriwan, ANNA, text, question, sender="anna@arbeit.example")
    assert eriwan.rows(Sheet) == []
    replies(eriwan, ANNA, text, question)
    assert eriwan.on_file(ANNA) == on_file


def test_whose_move(eriwan: Any) -> None:
    """Where a name is asked for, a yes in any words is told so; the name answers it."""
    for name in (ANNA, BERND):
        with eriwan.writing() as session:
            player = player_queries.player_named(session, name)
            session.add(Address(player_id=player.id, address="paar@spieler.example"))
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN"), sender="paar@spieler.example")
    eriwan.tick()
    question = next(mail for _, mail in eriwan.mails() if "unter dieser Adresse" in mail.text)
    replies(eriwan, ANNA, "Ja, klar", question, sender="paar@spieler.example")
    assert "Von wem ist der Zug" in eriwan.said(eriwan.mails()[-1][1])
    replies(eriwan, ANNA, "Name: Anna", question, sender="paar@spieler.example")
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_block_beside_a_yes_is_filed(offered: Any) -> None:
    """Both are carried out: the offer is taken, and the block in the same mail is a move."""
    block = offered.block(ANNA, "DN")
    replies(offered, "Yvonne Ypsilon", f"Ja, klar!\n\n{block}", offered.question)
    assert offered.show()["seats"][0]["player"] == "Yvonne Ypsilon"
    assert [sheet.seat for sheet in offered.rows(Sheet)] == [1]


# -- the GM ------------------------------------------------------------------------------------------------------------


def to_gm(zine: Any) -> Any:
    """Return the last mail to the GM."""
    zine.tick()
    return [mail for recipient, mail in zine.mails() if recipient == GM][-1]


def gm_says(zine: Any, text: str, question: Any) -> None:
    """Let the GM reply."""
    zine.passes(minutes=2)
    zine.writes("Cici", f"{text}\n", sender=GM, subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    zine.tick()


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    ("text", "moved"), [("Ja, klar, gern.", True), ("Nein, lieber nicht.", False), ("Ja, aber nur einen Tag", False)]
)
def test_the_gm_decides(eriwan: Any, text: str, moved: bool) -> None:
    """Where a plain `Ja` means the only command offered, so does one in words; elsewhere it is the GM's prose."""
    before = eriwan.zat
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    gm_says(eriwan, text, to_gm(eriwan))
    assert (eriwan.zat > before) is moved


def test_the_gms_ok_ticks_nothing_off(eriwan: Any) -> None:
    """A player's words are only to be read: other words than `Ja` go to the player, and settle the entry."""
    eriwan.writes(ANNA, "Bin ich nächste Woche dran?\n")
    question = to_gm(eriwan)
    gm_says(eriwan, "Ja, klar!", question)
    assert answers(eriwan) == ["answered"]


@pytest.mark.parametrize("text", ["Das ist mein Zug.", "So soll es bleiben.", "Bitte so werten!", "ok", "👍"])
def test_a_withdrawal_takes_a_plain_yes(eriwan: Any, text: str) -> None:
    """What may mean the contrary of what was asked does nothing; the question stays open and says how to answer."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN"))
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Bitte nehmt meinen Zug bei Eriwan zurück\n")
    question = eriwan.answer(ANNA)
    replies(eriwan, ANNA, text, question)
    assert eriwan.on_file(ANNA) == ("dn", "E")
    replies(eriwan, ANNA, "Ja, bitte", question)
    assert eriwan.on_file(ANNA) == ("dn", "E")  # more than `Ja` within a minute
    eriwan.passes(minutes=1)
    replies(eriwan, ANNA, "Ja, bitte", question)
    assert eriwan.on_file(ANNA) is None


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", [
    "Ja, das ist mein Zug.", "Ja\n\nQuatsch!", "Ja\n\nNein, doch nicht.", "Ja?", "Ja\nAber nur mit Bernd zusammen.",
    "Ja. So soll es bleiben.", "Ja, ich mache wieder mit!",
])  # fmt: skip
def test_a_yes_that_is_taken_back_is_none(eriwan: Any, text: str) -> None:
    """A `Ja` to what can't be taken back stands beside nothing that doubts it, or agrees to something else."""
    eriwan.writes(ANNA, "Ich höre bei Eriwan auf\n")
    question = eriwan.answer(ANNA)
    eriwan.passes(hours=1)
    replies(eriwan, ANNA, text, question)
    assert answers(eriwan)[0] == ""
    replies(eriwan, ANNA, "Hallo Cici,\n\nja\n\nViele Grüße\nAnna", question)
    assert answers(eriwan)[0] == "yes"


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", [
    "Ok, danke für Ihre Mail.", "Ok, vielen Dank für Ihre Nachricht! Ich melde mich.", "Okay, thanks for your message.",
    "Ok, danke für Ihre Mail. Ich bin bis 3.1. nicht im Büro.", "Yes, thank you for your mail. I'm out of the office.",
    "Das ist mein Zug.", "So soll es bleiben.", "Bitte so werten!",
])  # fmt: skip
def test_no_yes_to_a_seat(offered: Any, text: str) -> None:
    """Neither a machine nor words about a move take a seat."""
    before = offered.show()["seats"][0]["player"]
    replies(offered, "Yvonne Ypsilon", text, offered.question)
    assert offered.show()["seats"][0]["player"] == before


@pytest.mark.parametrize("text", ["Ich möchte gerne dabei sein!", "Ich springe gerne ein", "Ich übernehme den Platz"])
def test_no_yes_to_our_reading(eriwan: Any, text: str) -> None:
    """Words about a seat file no move."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DQ"))
    question = eriwan.answer(ANNA)
    replies(eriwan, ANNA, text, question)
    assert eriwan.on_file(ANNA) is None


@pytest.mark.parametrize("text", ["Ich möchte gerne dabei sein!", "Klar, mach ich", "passt so"])
def test_a_resignation_takes_a_plain_yes(eriwan: Any, text: str) -> None:
    """Nobody leaves a game by words that may mean something else."""
    eriwan.writes(ANNA, "Ich höre bei Eriwan auf\n")
    question = eriwan.answer(ANNA)
    replies(eriwan, ANNA, text, question)
    assert next(seat.until for seat in eriwan.rows(Seat)) is None
    assert answers(eriwan)[0] == ""
    replies(eriwan, ANNA, "Ja.", question)
    assert answers(eriwan)[0] == "yes"
