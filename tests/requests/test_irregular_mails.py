"""Irregular mails: blocks without title, in quotations or attachments. Quoted text never counts, nothing is lost."""

from email.message import EmailMessage
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Question

ANNA, BERND = PLAYERS[:2]
ROWS = "DN....\n" + "......\n" * 5


def quoted(text: str) -> str:
    """Quote a text as mail programs do."""
    return "".join(f"> {line}\n" for line in text.splitlines())


def second_game(zine: Any) -> None:
    """Let Anna sit in another game as well, so that she must say which she means."""
    actions.new_game(zine.app, "crossword", "Dakar")
    seating.join(zine.app, "Dakar", ANNA, address_of(ANNA), "E")


@pytest.mark.parametrize(
    "more",
    [
        {"subject": "Re: [Eriwan] Runde 1"}, {"subject": "AW: [extern] [Crossword Eriwan] mein Zug"},
        {"subject": "mein Zug", "in_reply_to": "bulletin"},
    ],
)  # fmt: skip
def test_the_game_of_a_block_without_title(eriwan: Any, more: dict[str, str]) -> None:
    """Subject and thread tell which of her games Anna means, and nobody nags about the title (issue 29)."""
    second_game(eriwan)
    if "in_reply_to" in more:
        more = {**more, "in_reply_to": eriwan.outgoing(kind="start", address=address_of(ANNA))[0].message_id}
    eriwan.writes(ANNA, f"Neu: E\n{ROWS}", **more)
    assert "Den Namen der Partie habe ich" not in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_block_of_a_single_player(eriwan: Any) -> None:
    """With one game there is no doubt; with two and no hint both are named and nothing is filed."""
    eriwan.writes(ANNA, f"Neu: E\n{ROWS}")
    assert "du spielst aber nur in dieser" in eriwan.reply(ANNA)
    second_game(eriwan)
    eriwan.writes(ANNA, f"Neu: X\n{ROWS}")
    assert "Eriwan, Dakar" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_subject_about_another_game_is_not_overruled(eriwan: Any) -> None:
    """A block under `[Dakar]` is never a move in Eriwan, though Anna sits there only."""
    actions.new_game(eriwan.app, "crossword", "Dakar")
    eriwan.writes(ANNA, f"Neu: E\n{ROWS}", subject="[Dakar]")
    assert "Dakar" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) is None


def test_a_quoted_block_with_new_letters_is_shown(eriwan: Any) -> None:
    """Somebody writes into the quoted template: not applied, but answered with the block, ready to send."""
    eriwan.writes(ANNA, "Am 2.11.2026 schrieb GM:\n" + quoted(eriwan.block(ANNA, "DN", "E")))
    mail = eriwan.answer(ANNA)
    assert "NICHT angenommen" in mail.subject
    assert "zitierten Teil" in eriwan.said(mail)
    assert "     Crossword Eriwan, Runde 1   \n     Neu: E   \n     DN....   \n" in mail.text
    assert eriwan.on_file(ANNA) is None
    assert not eriwan.outgoing(kind="trouble")


def test_a_quoted_block_below_an_unmarked_head_is_shown(eriwan: Any) -> None:
    """Outlook marks nothing: what stands below its head is a quotation all the same."""
    eriwan.writes(ANNA, "Von: GM <gm@x.example>\nGesendet: heute\n\n" + eriwan.block(ANNA, "DN", "E"))
    assert "zitierten Teil" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) is None


def test_text_beside_a_quoted_block_reaches_the_gm(eriwan: Any) -> None:
    """One answer holds both: how the block would be read, and that the GM has the text."""
    eriwan.writes(ANNA, "Stimmt das so?\n\n" + quoted(eriwan.block(ANNA, "DN", "E")))
    said = eriwan.reply(ANNA)
    assert "zitierten Teil" in said
    assert "Was du dazu geschrieben hast, ist bei Cici Beilken." in said
    assert [row.payload["text"] for row in eriwan.rows(Question) if not row.address] == ["Stimmt das so?"]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("block", ["template", "on file", "old"])
def test_quotations_without_news_are_nothing(eriwan: Any, block: str) -> None:
    """The template, the move on file and letters of another round are quoted all the time: the text counts alone."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    lines = {"template": "", "on file": "DN", "old": "XYZ"}[block]
    eriwan.writes(ANNA, "Danke!\n\n" + quoted(eriwan.block(ANNA, lines, "" if block == "template" else "E")))
    said = eriwan.reply(ANNA)
    assert "WEITERGEGEBEN" in said  # the heading: nothing was done, as there was no move
    assert "zitierten Teil" not in said


def test_somebody_elses_quoted_block_is_nothing(eriwan: Any) -> None:
    """Quoting a block of a game without a seat there reveals nothing."""
    actions.new_game(eriwan.app, "crossword", "Dakar")
    eriwan.writes(ANNA, "Hallo\n\n" + quoted(eriwan.block(ANNA, "DN", "E").replace("Eriwan", "Dakar")))
    assert "weitergegeben" in eriwan.reply(ANNA)


def test_the_template_beside_the_move_is_no_second_block(eriwan: Any) -> None:
    """Above or below the own block, it is skipped; two different moves clash; the same one written twice counts."""
    template, move = eriwan.block(ANNA, "", ""), eriwan.block(ANNA, "DN", "E")
    for text in (f"{template}\n{move}", f"{move}\n{template}", f"{move}\n{move.replace('......', '. . . . . .')}"):
        eriwan.writes(ANNA, text)
        assert "angekommen" in eriwan.answer(ANNA).subject
        assert eriwan.on_file(ANNA) == ("dn", "E")
    eriwan.writes(ANNA, f"{move}\n{eriwan.block(ANNA, 'ND', 'E')}")
    assert "angekommen" not in eriwan.answer(ANNA).subject
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_an_attached_move_is_refused_and_shown_to_the_gm(eriwan: Any) -> None:
    """Nothing but an attachment: the player is told, and the GM knows that something lies there."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address_of(ANNA), GM_ADDRESS, "Zug"
    mail.set_content("\n")
    mail.add_attachment(eriwan.block(ANNA, "DN", "E"), filename="zug.txt")
    eriwan.arrives(bytes(mail))
    assert "Anhänge lese ich nicht" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) is None
    assert "eine Datei als Anhang" in eriwan.rows(Question)[0].payload["text"]


def test_text_with_an_attachment(eriwan: Any) -> None:
    """`Siehe Anhang`: the GM gets the text, and the player learns that the attachment was not read."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address_of(ANNA), GM_ADDRESS, "Zug"
    mail.set_content("Siehe Anhang.\n")
    mail.add_attachment(eriwan.block(ANNA, "DN", "E"), filename="zug.txt")
    eriwan.arrives(bytes(mail))
    assert "Den Anhang habe ich nicht gelesen" in eriwan.reply(ANNA)
    assert eriwan.rows(Question)[0].payload["text"] == "Siehe Anhang."


def test_nothing_but_a_quotation(eriwan: Any) -> None:
    """A reply in which nothing was written is told so, not that it has attachments."""
    eriwan.writes(ANNA, "Am 2.11.2026 schrieb GM:\n" + quoted(eriwan.block(ANNA, "", "")))
    assert "steht nur Zitiertes" in eriwan.reply(ANNA)


def test_nothing_but_an_attached_mail_that_may_be_a_programs(eriwan: Any) -> None:
    """A player's mail that looks like a bounce and holds only another mail stands on the GM's list."""
    inner = f"From: {address_of(ANNA)}\r\nTo: {GM_ADDRESS}\r\nSubject: Zug\r\n\r\nMein Zug liegt hier drin.\r\n"
    head = f"From: {address_of(ANNA)}\r\nTo: {GM_ADDRESS}\r\nMessage-ID: <odd@spieler.example>\r\nMIME-Version: 1.0\r\n"
    more = "X-Failed-Recipients: dora@spieler.example\r\nContent-Type: message/rfc822\r\n\r\n"
    eriwan.arrives((head + more + inner).encode())
    eriwan.tick()
    assert [row.kind for row in eriwan.rows(Question)] == ["text"]
    assert eriwan.mails() == []
