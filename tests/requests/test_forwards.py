"""A forwarded mail is never carried out; what it plainly says reaches the GM with the line that does it (issue 49)."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest
from zines import SHARED, seat_couple

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Question
from tests.stories.zines import Zine

ANNA, BERND, CARLA = PLAYERS[:3]
GM = "cici@postspiel.example"
HEADS = {
    "thunderbird": "-------- Weitergeleitete Nachricht --------\nBetreff: \tZug\nDatum: \tMon, 2 Nov 2026 12:02\n"
                   "Von: \t{0}\nAn: \tcici@postspiel.example\n\n",
    "gmail": "---------- Forwarded message ---------\nVon: {0}\nDate: Mo., 2. Nov. 2026 um 12:02 Uhr\nSubject: Zug\n"
             "To: <cici@postspiel.example>\n\n",
    "apple": "Anfang der weitergeleiteten Nachricht:\n\nVon: {0}\nBetreff: Zug\nDatum: 2. November 2026\n\n",
}  # fmt: skip


def attached(sender: str, name: str, to_forward: EmailMessage) -> bytes:
    """Write a mail that forwards another one as attachment."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"{name} <{sender}>", GM_ADDRESS, "Fwd: Zug"
    mail["Message-ID"] = "<forward@postspiel.example>"
    mail.set_content("Siehe Anhang.\n")
    mail.add_attachment(to_forward)
    return mail.as_bytes(policy=SMTP)


def original(sender: str, text: str, in_reply_to: str = "") -> EmailMessage:
    """Write the mail that somebody forwards later."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, GM, "Zug"
    if in_reply_to:
        mail["In-Reply-To"] = in_reply_to
    mail.set_content(text)
    return mail


def to_gm(zine: Zine) -> str:
    """Do a pass and return what the one mail to the GM says."""
    zine.tick()
    (mail,) = [mail for to, mail in zine.mails() if to == GM]
    return str(mail.text)


def forwards(zine: Zine, text: str, head: str = "gmail", sender: str = f"Anna Berg <{address_of(ANNA)}>") -> str:
    """Let the GM forward a mail that came to the own address; return what the GM gets."""
    inline = f"Bitte eintragen.\n\n{HEADS[head].format(sender)}{text}"
    zine.writes("Cici Beilken", inline, sender=GM, subject="Fwd: Zug")
    return to_gm(zine)


@pytest.mark.parametrize("head", HEADS)
def test_a_move_that_the_gm_forwards(eriwan: Zine, head: str) -> None:
    """The sender in the head is a player: the line names both, the block stands there, and nothing is filed."""
    said = forwards(eriwan, eriwan.block(ANNA, "DN"), head)
    assert 'gm move Eriwan "Anna Berg"' in said
    assert "Crossword Eriwan" in said
    assert "DN...." in said
    assert eriwan.on_file(ANNA) is None


def test_a_move_that_is_attached(eriwan: Zine) -> None:
    """A mail that is forwarded as attachment is read as well."""
    mail = original(f"Anna Berg <{address_of(ANNA)}>", eriwan.block(ANNA, "DN"))
    eriwan.arrives(attached(GM, "Cici Beilken", mail))
    assert 'gm move Eriwan "Anna Berg"' in to_gm(eriwan)
    assert eriwan.on_file(ANNA) is None


def test_a_block_without_its_title(eriwan: Zine) -> None:
    """Anna plays in one game: it is that one's."""
    block = eriwan.block(ANNA, "DN").partition("\n")[2]
    assert 'gm move Eriwan "Anna Berg"' in forwards(eriwan, block)


def test_a_name_without_an_address(eriwan: Zine) -> None:
    """Some programs leave the address out of the head."""
    assert 'gm move Eriwan "Anna Berg"' in forwards(eriwan, eriwan.block(ANNA, "DN"), sender="Anna Berg")


def test_an_unknown_sender_is_to_be_filled_in(eriwan: Zine) -> None:
    """From an address that nobody has: the GM knows whose it is."""
    said = forwards(eriwan, eriwan.block(ANNA, "DN"), sender="Xaver <xaver@fremd.example>")
    assert "gm move Eriwan NAME" in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("bitte 3 Tage mehr\n", "gm zat Eriwan +3d"),
        ("Hallo Cici,\n\nich brauche noch eine Woche.\n\nGruß, Anna\n", "gm zat Eriwan +7d"),
        ("Verlängerung Eriwan 2 Tage\n", "gm zat Eriwan +2d"),
    ],
)
def test_a_wish_for_time(eriwan: Zine, text: str, line: str) -> None:
    """The line is there, and may be sent back."""
    zat = eriwan.zat
    assert line in forwards(eriwan, text)
    assert eriwan.zat == zat
    (question,) = [one for one in eriwan.rows(Question) if one.kind == "forwarded"]
    eriwan.writes("Cici Beilken", line, sender=GM, subject=f"Re: [Frage {question.code}]")
    eriwan.tick()
    assert eriwan.zat > zat


def test_a_player_forwards_what_another_wrote(eriwan: Zine) -> None:
    """Bernd gets the help as ever, and hears that the GM has it; the line names Anna."""
    sender = f"Anna Berg <{address_of(ANNA)}>"
    eriwan.writes(BERND, HEADS["gmail"].format(sender) + eriwan.block(ANNA, "DN"), subject="Fwd: Zug")
    eriwan.tick()
    mails = dict(eriwan.mails())
    assert 'gm move Eriwan "Anna Berg"' in mails[GM].text
    answer = eriwan.said(mails[address_of(BERND)])
    assert "Den weitergeleiteten Teil deiner Mail habe ich nicht gelesen" in answer
    assert "Cici Beilken" in answer
    assert eriwan.on_file(ANNA) is None
    assert eriwan.on_file(BERND) is None


def test_a_line_to_the_gm_above_it(eriwan: Zine) -> None:
    """What stands above may be a command; the forwarded part reaches the GM all the same."""
    text = "GM: Das kam bei mir an.\n\n" + HEADS["gmail"].format(f"Anna Berg <{address_of(ANNA)}>")
    eriwan.writes(BERND, text + eriwan.block(ANNA, "DN"), subject="Fwd: Zug")
    said = to_gm(eriwan)
    assert "Das kam bei mir an." in said
    assert 'gm move Eriwan "Anna Berg"' in said


@pytest.mark.parametrize(
    ("head", "names"), [("", [ANNA, BERND]), (f"Name: {BERND}\n", [BERND])], ids=["nameless", "named"]
)
def test_a_mailbox_of_two(begin: Any, head: str, names: list[str]) -> None:
    """Nobody guesses which of the two wrote: both lines are there, unless the block says it."""
    zine = begin("empty", after=seat_couple)
    zine.mails()
    said = forwards(zine, zine.block(ANNA, "DN", head=tuple(filter(None, [head.strip()]))), sender=f"<{SHARED}>")
    assert [name for name in PLAYERS if f'gm move Eriwan "{name}"' in said] == names


def test_the_mail_replied_to_tells_whose_it_is(begin: Any) -> None:
    """An attached mail has its thread: Bernd's bulletin went to him alone."""
    zine = begin("empty", after=seat_couple)
    zine.mails()
    bulletin = zine.outgoing(kind="start")[PLAYERS.index(BERND)]
    zine.arrives(attached(GM, "Cici Beilken", original(SHARED, zine.block(BERND, "DN"), bulletin.message_id)))
    said = to_gm(zine)
    assert [name for name in PLAYERS if f'gm move Eriwan "{name}"' in said] == [BERND]


@pytest.mark.parametrize("text", ["Schönes Wetter heute!\n", "Crossword Eriwan\nNeu:\n" + "......\n" * 6])
def test_what_says_nothing_brings_no_line(eriwan: Zine, text: str) -> None:
    """Small talk, and the empty block of a bulletin."""
    said = forwards(eriwan, text)
    assert "gm move" not in said
    assert "gm zat" not in said


def test_a_bulletin_of_ours_wishes_nothing(eriwan: Zine) -> None:
    """Who forwards our own mail gets the help."""
    assert "gm move Eriwan" not in forwards(eriwan, eriwan.block(ANNA, "DN"), sender=f"DS <{GM_ADDRESS}>")


def test_a_gm_who_plays_does_not_see_it(begin: Any) -> None:
    """Bernd forwards Carla's move, and the GM sits in that game: nothing of it is shown."""
    zine = begin("started")
    actions.standby(zine.app, "Eriwan", PLAYERS[5], "Cici Beilken", GM)
    zine.tick()
    zine.mails()
    sender = f"{CARLA} <{address_of(CARLA)}>"
    zine.writes(BERND, HEADS["gmail"].format(sender) + zine.block(CARLA, "DN"), subject="Fwd: Zug")
    said = to_gm(zine)
    assert "DN...." not in said
    assert "gm move" not in said


@pytest.mark.parametrize("text", ["GM: Ich brauche noch drei Tage\n", "GM: bitte 3 Tage mehr für Eriwan\n"])
def test_words_to_the_gm_that_wish_for_time(eriwan: Zine, text: str) -> None:
    """The GM reads them with the line that grants it."""
    eriwan.writes(ANNA, text)
    said = to_gm(eriwan)
    assert "drei Tage" in said or "3 Tage" in said
    assert "gm zat Eriwan +3d" in said


def test_a_wish_whose_question_has_no_answer(eriwan: Zine) -> None:
    """After a week the words go to the GM, with the line."""
    eriwan.writes(ANNA, "Ich brauche noch drei Tage.\n")
    eriwan.tick()
    eriwan.mails()
    eriwan.passes(days=7, hours=1)
    assert "gm zat Eriwan +3d" in to_gm(eriwan)
