"""`Ja` to "so lese ich deinen Zug" files exactly the block that we offered.

Sources: interface.md (Players' commands by mail), issue 29 (`Ja` takes our reading).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import seating

from games import engines
from games.api import MoveBlock
from games.dice import Dice
from games.kit.testkit import damaged
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.game.schedule import closing
from gm.requests.desk import actions
from gm.store.queries import game_queries, player_queries, turn_queries
from gm.store.tables import Address, Question, Sheet
from parsers.mime.message import read_mail

ANNA, BERND = PLAYERS[:2]
INVITES = "Antworte einfach »Ja«"


def refused(zine: Any, new: str = "DQ", name: str = ANNA) -> Any:
    """Let a player send a block with a letter that isn't there, and return the refusal."""
    zine.sends(name, new)
    mail = zine.answer(name)
    assert "NICHT angenommen" in mail.subject
    return mail


def mail_text(row: Any) -> str:
    """Return the text of a mail in the queue."""
    return " ".join(read_mail(row.raw).text.split())


def says(zine: Any, text: str, to: Any = None, name: str = ANNA, **more: Any) -> str:
    """Let a player answer, as a reply where a mail is given, and return what comes back."""
    reply = {"subject": f"Re: {to.subject}", "in_reply_to": to.message_id} if to else {"subject": ""}
    zine.writes(name, f"{text}\n", **{**reply, **more})
    return str(zine.reply(name))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    "text",
    ["Ja", "ja.", "Yes", "Ja, stimmt so!", "Genau :-)", "Ok", "Hallo Cici,\n\nja, passt.\n\nViele Grüße\nAnna", "👍"],
)
def test_yes_files_our_reading(eriwan: Any, text: str) -> None:
    """Interface: a `Ja` to the refusal files what the offered block says, as of the arrival of the `Ja`."""
    mail = refused(eriwan)
    assert INVITES in eriwan.said(mail)
    eriwan.passes(hours=5)
    arrived = eriwan.now.replace(microsecond=0)
    says(eriwan, text, mail)
    assert eriwan.on_file(ANNA) == ("d", "E")
    assert [sheet.received_at for sheet in eriwan.rows(Sheet)] == [arrived]
    assert [question.answer for question in eriwan.rows(Question)] == ["yes"]


def test_a_bare_yes_is_enough(eriwan: Any) -> None:
    """Without a thread `Ja` answers the only open question, in the strict form alone."""
    refused(eriwan)
    says(eriwan, "Ok, danke")
    assert eriwan.on_file(ANNA) is None
    assert "angekommen" in says(eriwan, "Ja")
    assert eriwan.on_file(ANNA) == ("d", "E")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("text", ["Passt so!", "Ja, so war das gemeint", "Nein, das stimmt nicht", "Yes, that's right"])
def test_an_answer_in_a_new_mail(eriwan: Any, text: str) -> None:
    """Issue 29: what looks like an answer names the mail that asks, and a `Ja` to that answer is one."""
    question = refused(eriwan)
    says(eriwan, text)
    assert eriwan.on_file(ANNA) is None
    told = eriwan.outgoing(address=address_of(ANNA))[-1]
    assert f"»{question.subject}«" in " ".join(mail_text(told).split()) or f"“{question.subject}”" in mail_text(told)
    eriwan.writes(ANNA, "Ok, passt.\n", subject="", in_reply_to=told.message_id)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("d", "E")


def test_an_answer_in_a_new_mail_to_two_questions(eriwan: Any) -> None:
    """Where two are open nobody knows which is meant; only those to the sender's own address are named."""
    refused(eriwan)
    eriwan.writes(ANNA, "Bin vom 20.12. bis 3.1. weg\n", subject="Hallo")
    assert "[Frage" in eriwan.answer(ANNA).subject
    eriwan.writes(ANNA, "Adresse anna@neu.example\n")
    eriwan.tick()
    eriwan.mails()
    eriwan.passes(hours=1)
    said = says(eriwan, "Passt so!")
    assert "Ich habe noch 3 offene Fragen an dich" in said
    assert eriwan.on_file(ANNA) is None
    assert "Offen" not in says(eriwan, "Passt so!", name=BERND)


def test_the_latest_reading_counts(eriwan: Any) -> None:
    """Interface: exactly our latest reading. A `Ja` to an older one files nothing and names the newer."""
    first, second = refused(eriwan, "DQ"), refused(eriwan, "TQ")
    assert "neueren Zug vorgeschlagen" in says(eriwan, "Ja", first)
    assert eriwan.on_file(ANNA) is None
    says(eriwan, "Ja", second)
    assert eriwan.on_file(ANNA) == ("t", "E")


def test_no_leaves_everything(eriwan: Any) -> None:
    """`Nein` closes the question; a `Ja` after it changes nothing."""
    mail = refused(eriwan)
    assert "nehme ich nicht" in says(eriwan, "Nein, so nicht", mail)
    assert "schon erledigt" in says(eriwan, "Ja", mail)
    assert eriwan.on_file(ANNA) is None


def test_twice_counts_once(eriwan: Any) -> None:
    """A second `Ja` files nothing more."""
    mail = refused(eriwan)
    says(eriwan, "Ja", mail)
    assert "schon erledigt" in says(eriwan, "Ja", mail, message_id="<again@spieler.example>")
    assert len(eriwan.rows(Sheet)) == 1


def closes(zine: Any) -> None:
    """Let the round end, and read what goes out."""
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    zine.mails()


def undoes(zine: Any) -> None:
    """Let the round end, and the GM take that back."""
    closes(zine)
    with zine.app.database.write() as session:
        closing.undo(zine.app, session, game_queries.named(session, "Eriwan"))
    zine.tick()
    zine.mails()


def moves(zine: Any) -> None:
    """Let Anna send another move."""
    zine.sends(ANNA, "RO")
    zine.tick()
    zine.mails()


def withdraws(zine: Any) -> None:
    """Let Anna send a move and take it back."""
    moves(zine)
    says(zine, "Zurückziehen Eriwan")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("happens", "holds"), [(moves, ("ro", "E")), (withdraws, None), (closes, None), (undoes, None)]
)
def test_it_lapses(eriwan: Any, happens: Callable[[Any], None], holds: Any) -> None:
    """Interface: any later move, a withdrawal, a closing and its undoing end it; the answer shows what holds."""
    mail = refused(eriwan)
    happens(eriwan)
    sheets = len(eriwan.rows(Sheet))
    said = says(eriwan, "Ja", mail)
    assert "ist überholt" in said
    assert "Crossword Eriwan" in said
    assert eriwan.on_file(ANNA) == holds
    assert len(eriwan.rows(Sheet)) == sheets
    assert "keine offene Frage" in says(eriwan, "Ja")


def test_it_lapses_with_the_game(eriwan: Any) -> None:
    """An aborted game takes no move any more, and its reading is in no other question's way."""
    mail = refused(eriwan)
    actions.abort(eriwan.app, "Eriwan", "Schluss")
    eriwan.tick()
    eriwan.mails()
    assert "zu Ende" in says(eriwan, "Ja", mail)
    assert "keine offene Frage" in says(eriwan, "Ja")


def test_a_yes_after_the_deadline_is_late(eriwan: Any) -> None:
    """Interface: its own arrival counts, also where the round is closed only after it."""
    mail = refused(eriwan)
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert eriwan.round == 2
    assert eriwan.rows(Sheet) == []


def test_beside_another_question_a_bare_yes_is_unclear(eriwan: Any) -> None:
    """Two open questions: a bare `Ja` is refused and both stay open; in the thread it is clear."""
    mail = refused(eriwan)
    eriwan.writes(ANNA, "Adresse anna@neu.example\n")
    eriwan.tick()
    eriwan.mails()
    assert "oder es sind mehrere" in says(eriwan, "Ja")
    assert eriwan.on_file(ANNA) is None
    says(eriwan, "Ja", mail)
    assert eriwan.on_file(ANNA) == ("d", "E")


def test_what_nobody_has_seen_nobody_answers(eriwan: Any) -> None:
    """A bare `Ja` that came before the refusal went out isn't meant for it."""
    eriwan.sends(ANNA, "DQ")
    eriwan.writes(ANNA, "Ja\n", subject="")
    eriwan.tick()
    assert eriwan.on_file(ANNA) is None


@pytest.mark.parametrize("name", [BERND, "Xaver Zorn"])
def test_nobody_else_can_say_it(eriwan: Any, name: str) -> None:
    """Another player or a stranger who replies to the refusal files nothing."""
    mail = refused(eriwan)
    for text in ("Ja", "Ja, stimmt so!"):
        eriwan.writes(name, f"{text}\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert eriwan.rows(Sheet) == []


@pytest.mark.parametrize("block", ["QX", "XYZ"])
def test_where_nothing_is_left_nobody_is_asked(eriwan: Any, block: str) -> None:
    """An offer that is no move is no question: the refusal doesn't invite a `Ja`."""
    eriwan.writes(ANNA, f"Crossword Eriwan\nNeu:\n{block}\nZZ\n..\n......\n")
    said = eriwan.reply(ANNA)
    assert INVITES not in said
    assert eriwan.rows(Question) == []
    assert "keine offene Frage" in says(eriwan, "Ja")


def test_a_block_beside_the_yes_is_the_move(eriwan: Any) -> None:
    """A reply with a block in it is that move, whatever it says above: no block is lost."""
    for text in ("Ja", "Ja, klar:"):
        mail = refused(eriwan)
        eriwan.writes(ANNA, f"{text}\n\n{eriwan.block(ANNA, 'TI')}", in_reply_to=mail.message_id)
        eriwan.tick()
        assert eriwan.on_file(ANNA) == ("ti", "E")
        assert [sheet.lines[1][:2] for sheet in eriwan.rows(Sheet)][-1] == "TI"
        eriwan.mails()
    assert len(eriwan.rows(Sheet)) == 2


def test_an_edit_in_the_quotation(eriwan: Any) -> None:
    """mail.md: what stands in a quotation is no move until the sender answers our reading of it with `Ja`."""
    quoted = "".join(f"> {line}\n" for line in eriwan.block(ANNA, "DN").splitlines())
    eriwan.writes(ANNA, f"Am 02.11.2026 schrieb Dottendorfer Soccer:\n{quoted}")
    mail = eriwan.answer(ANNA)
    assert INVITES in eriwan.said(mail)
    says(eriwan, "Ja, genau", mail)
    assert eriwan.on_file(ANNA) == ("dn", "E")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    "text", ["Ja, aber das N soll nach c1", "Ok, ich schaue es mir an", "Vielleicht", "Ja?", "Warum denn das?"]
)
def test_what_is_unclear_goes_to_the_gm(eriwan: Any, text: str) -> None:
    """Issue 29: what is conditional or unclear files nothing; the sender hears that the question is open, and how."""
    mail = refused(eriwan)
    said = says(eriwan, text, mail)
    assert "noch offen: Antworte auf diese Mail" in said
    assert eriwan.on_file(ANNA) is None
    assert eriwan.rows(Question)[-1].payload["text"] == text
    eriwan.passes(hours=1)
    again = eriwan.outgoing(address=address_of(ANNA))[-1]
    eriwan.writes(ANNA, "Ok, passt.\n", subject="", in_reply_to=again.message_id)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("d", "E")


def test_the_proof_of_a_block(begin: Callable[..., Any]) -> None:
    """Interface: it passes the same sender check as a block: unproven, the registered address is asked first."""
    zine = begin("started", security={"sender": "authenticated", "trusted_authserv": ["mx.example.org"]})
    zine.writes(ANNA, zine.block(ANNA, "DQ"))
    question = zine.answer(ANNA)
    zine.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    mail = zine.answer(ANNA)
    assert INVITES in zine.said(mail)
    assert zine.on_file(ANNA) is None
    assert "keine offene Frage" in says(zine, "Ja")
    zine.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    question = zine.answer(ANNA)
    assert question.subject.startswith("[Frage ")
    assert zine.on_file(ANNA) is None
    zine.writes(ANNA, "Ja, das war ich\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    zine.tick()
    assert zine.on_file(ANNA) == ("d", "E")


def test_a_couple(begin: Callable[..., Any]) -> None:
    """At a shared address the thread tells whose reading is meant; a bare `Ja` could be either's."""
    zine = begin("started")
    for name, new in ((ANNA, "DQ"), (BERND, "TQ")):
        with zine.app.database.write() as session:
            player = player_queries.player_named(session, name)
            session.add(Address(player_id=player.id, address="paar@spieler.example"))
        zine.sends(name, new, sender="paar@spieler.example", head=(f"Name: {name}",))
    zine.tick()
    mails = dict(zine.mails())
    assert "oder es sind mehrere" in says(zine, "Ja", sender="paar@spieler.example", name=ANNA)
    zine.writes(BERND, "Ja, passt\n", sender="paar@spieler.example", in_reply_to=mails[address_of(BERND)].message_id)
    zine.tick()
    assert (zine.on_file(ANNA), zine.on_file(BERND)) == (None, ("t", "E"))


def faulty(zine: Any, name: str) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Find a seat that is due, a damaged block of it with faults, and the lines that are offered instead."""
    chance = random.Random("damage")
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at, words = position(zine.app, game), word_judge.judge(zine.app, game)
        seats = sorted(at.engine.due(at.state))
        suggested = {seat: at.engine.suggest(at.state, seat, Dice("damage", 1), words) for seat in seats[:2]}
        for seat, sent in [*suggested.items()] * 500:
            block = MoveBlock(lines=damaged(sent, chance))
            sheet = at.engine.read(at.state, seat, block, words)
            again = at.engine.read(at.state, seat, MoveBlock(lines=sheet.offer), words) if sheet.offer else None
            if sheet.problems and again and again.move is not None and all(line.isprintable() for line in block.lines):
                return seat, block.lines, sheet.offer
    raise AssertionError(f"no damaged block of {name} leads to an offer")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("key", sorted(engines().keys() - {"presto"}))
def test_in_every_game(begin: Callable[..., Any], key: str) -> None:
    """Wherever blocks are offered, a `Ja` does what the block does when it is sent back, also where that is at once."""
    moved = []
    for sends_block in (True, False):
        zine, rules = begin("empty"), engines()[key].rules
        game = actions.new_game(zine.app, key, "Tiflis")
        with zine.writing() as session:
            game_queries.named(session, "Tiflis").seed = "the same dice"
        for player, letter in zip(PLAYERS[: rules.seats[0]], "DNTIRO", strict=False):
            wish = letter if engines()[key].enrol(MoveBlock(lines=()), game.options).wanted else None
            seating.join(zine.app, "Tiflis", player, address_of(player), wish)
        actions.start(zine.app, "Tiflis")
        zine.tick()
        zine.mails()
        seat, block, offer = faulty(zine, "Tiflis")
        player, title = PLAYERS[seat - 1], f"{rules.title} Tiflis"
        zine.writes(player, "\n".join([title, *block, ""]))
        mail = zine.answer(player)
        assert "NICHT angenommen" in mail.subject
        assert INVITES in zine.said(mail)
        said = "\n".join([title, *offer, ""]) if sends_block else "Ja, stimmt so!\n"
        zine.writes(player, said, in_reply_to=mail.message_id)
        zine.tick()
        with zine.app.database.read() as session:
            turn = turn_queries.current_turn(game_queries.named(session, "Tiflis"))
            moved.append(
                (turn.state, [(sheet.seat, sheet.move) for sheet in zine.rows(Sheet)], len(zine.rows(Question)))
            )
    assert moved[0] == moved[1]
