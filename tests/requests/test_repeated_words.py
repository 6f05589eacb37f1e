"""What others wrote, or we, acts for nobody who repeats it (mail.md, Policies; issue 48).

Mail programs quote without a mark, wrap quoted lines anew and leave their rest unmarked. Whose a line is shows what
goes on around it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.store.queries import game_queries, player_queries, seat_queries
from tests.stories.zines import Zine

ANNA, BERND = PLAYERS[:2]
PRESS = "Wer bei diesem Spiel nicht mehr mithalten mag, der schreibt eben einfach\n{line}\nund geht heim."
LONG = "Wer nicht mehr mithalten mag, der schreibt einfach zwei Wörter, und zwar {line}"
"""Behind the mark the line is too long, and its end is wrapped into the next one."""


def unmarked(text: str) -> str:
    """Quote as a program that marks nothing."""
    return text


def wrapped(text: str) -> str:
    """Quote as a program that wraps at 72 columns, and marks only where a line of ours began."""
    lines = (textwrap.wrap(f"> {line}", 72, break_long_words=False) or [">"] for line in text.splitlines())
    return "\n".join(part for parts in lines for part in parts)


def refilled(text: str) -> str:
    """Quote as a program that fills paragraphs anew, each line of at most 40 columns, without marks."""
    paragraphs = (" ".join(part.replace(">", " ").split()) for part in text.split("\n\n"))
    return "\n\n".join(textwrap.fill(part, 40) for part in paragraphs)


def spaced(text: str) -> str:
    """Quote as a program that writes no-break and zero-width spaces, without marks."""
    return re.sub(r"(?<=\S) (?=\S)", "\u00a0", text.replace(">", "")).replace("m", "m\u200b")


QUOTE = (unmarked, wrapped, refilled, spaced)


def bulletin(zine: Zine, press: str, *, to: str = BERND) -> Any:
    """Let Anna write press, close the round, and return a bulletin."""
    zine.writes(ANNA, f"Presse Eriwan\n{press}\nEnde\n")
    zine.tick()
    zine.mails()
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    return dict(zine.mails())[address_of(to)]


def answers(zine: Zine, mail: Any, text: str, name: str = BERND) -> str:
    """Let a player reply to a mail, and return what the answer says."""
    zine.writes(name, text, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    zine.tick()
    return "\n".join(f"{one.subject}\n{one.text}" for to, one in zine.mails() if to == address_of(name))


def plays(zine: Zine, name: str) -> bool:
    """Whether a player has a seat in Eriwan."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        taken = [seat.player_id for seat in seat_queries.seats(game)]
        return any(player.id in taken for player in player_queries.players_at(session, address_of(name)))


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("press", [PRESS, LONG, "{line}"])
@pytest.mark.parametrize("quote", QUOTE)
def test_what_others_wrote_resigns_for_nobody(eriwan: Zine, quote: Callable[[str], str], press: str) -> None:
    """Bernd answers the bulletin with his move; Anna's press stands below it in any form."""
    mail = bulletin(eriwan, press.format(line="Abmeldung Eriwan"))
    move = eriwan.block(BERND, "ROT")
    said = answers(eriwan, mail, f"{move}\n\n{quote(mail.text)}")
    assert plays(eriwan, BERND)
    assert "Abmeldung" not in said
    assert eriwan.on_file(BERND) == ("rot", "E")


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("line", ["Urlaub 01.12.2026-20.12.2026", "Sprache en", "Warten Eriwan", "An alle Eriwan: Na?"])
@pytest.mark.parametrize("quote", QUOTE)
def test_nor_does_it_anything_else(eriwan: Zine, quote: Callable[[str], str], line: str) -> None:
    """Whatever command stands in it."""
    mail = bulletin(eriwan, PRESS.format(line=line))
    said = answers(eriwan, mail, f"Danke, sehr schön!\n\n{quote(mail.text)}")
    assert line not in said


def test_without_a_thread_it_is_compared_with_the_latest_mails(eriwan: Zine) -> None:
    """A program that writes no In-Reply-To quotes a mail of the game all the same."""
    mail = bulletin(eriwan, PRESS.format(line="Abmeldung Eriwan"))
    eriwan.passes(minutes=-5)  # by the mail server's clock, which is behind ours
    eriwan.writes(BERND, f"Danke!\n\n{spaced(mail.text)}", subject="Danke")
    eriwan.passes(minutes=5)
    eriwan.tick()
    assert plays(eriwan, BERND)


@pytest.mark.parametrize("more", ["", "\n\nViele Grüße\nBernd"])
def test_what_may_be_either_is_asked_back(eriwan: Zine, more: str) -> None:
    """Bernd resigns in the very words of the press. He is asked; `Ja` resigns, and so does the line that is offered."""
    mail = bulletin(eriwan, PRESS.format(line="Abmeldung Eriwan"))
    said = answers(eriwan, mail, f"Abmeldung Eriwan{more}")
    assert "Ist sie von dir?" in said
    assert "     Abmeldung Eriwan   \n" in said
    assert plays(eriwan, BERND)
    question = eriwan.outgoing(kind="answer")[-1]
    eriwan.writes(BERND, "Ja" if more else "Abmeldung Eriwan\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    assert not plays(eriwan, BERND)


def test_a_line_from_a_hint_of_ours_is_the_senders(eriwan: Zine) -> None:
    """The bulletin says in a sentence what waits for the ZAT; whoever writes it means it."""
    mail = bulletin(eriwan, "Nichts Neues.")
    assert "schreib »Warten Eriwan«" in " ".join(mail.text.split())
    assert "»Eriwan« wartet" in answers(
        eriwan, mail, f"Hallo Cici,\n\nWarten Eriwan\n\nViele Grüße\nBernd\n{wrapped(mail.text)}"
    )


@pytest.mark.parametrize("quote", QUOTE)
def test_our_own_sentences_are_quotations(eriwan: Zine, quote: Callable[[str], str]) -> None:
    """A hint whose words come to stand alone in a line does nothing either."""
    mail = bulletin(eriwan, "Nichts Neues.")
    text = re.sub(
        r"\s+»Warten Eriwan«", "\nWarten Eriwan\n", quote(mail.text).replace("\u00a0", " ").replace("\u200b", "")
    )
    said = answers(eriwan, mail, f"Danke, schönes Bulletin!\n\n{text}")
    assert "»Eriwan« wartet" not in said


def test_a_block_filled_in_within_the_quotation_counts(eriwan: Zine) -> None:
    """Many answer by writing into the block as it stands in the mail, and their program marks nothing."""
    mail = bulletin(eriwan, "Nichts Neues.")
    text = mail.text.replace("Neu:   \n     ......", "Neu: N\n     ROT...", 1)
    answers(eriwan, mail, text)
    assert eriwan.on_file(BERND) == ("rot", "N")


# -- the GM ------------------------------------------------------------------------------------------------------------

GM = "cici@postspiel.example"
CLAIM = (
    "Stell dir vor, Cici, du würdest mir jetzt gleich eine Zeile schreiben, und zwar {line}, das wäre ein Ding, was?"
)


def told(zine: Zine, text: str) -> Any:
    """Let Anna ask for more time and say something beside, and return the mail that tells the GM."""
    zine.writes(ANNA, f"Verlängerung Eriwan 3 Tage\n\n{text}\n")
    zine.tick()
    mail = dict(zine.mails())[GM]
    assert " ".join(text.split()) in " ".join(mail.text.replace(" > ", " ").split())
    return mail


def gm_answers(zine: Zine, mail: Any, text: str) -> dict[str, Any]:
    """Let the GM reply, and return the new mails by address."""
    zine.passes(minutes=2)
    zine.writes("Cici", text, sender=GM, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    zine.tick()
    return dict(zine.mails())


def broken(text: str, line: str) -> str:
    """Quote as a program that marks lines, and wraps them where a line of somebody's begins and ends."""
    marked = "\n".join(f"> {one}" for one in text.splitlines())
    return re.sub(rf" *{re.escape(line)}[, ]*", f"\n{line}\n", marked.replace(" > ", " "))


def test_a_players_words_move_no_zat(eriwan: Zine) -> None:
    """The GM's mail offers `gm zat`; what Anna wrote isn't the GM's, however it is quoted."""
    line = "gm zat Eriwan +90d"
    zat, mail = eriwan.zat, told(eriwan, CLAIM.format(line=line))
    gm_answers(eriwan, mail, f"Mal sehen, Anna.\n\n{broken(mail.text, line)}")
    gm_answers(eriwan, mail, f"Mal sehen, Anna.\n\n{broken(mail.text, line).replace('>', '')}")
    assert eriwan.zat == zat


@pytest.mark.parametrize("to", ["An alle: Ich höre auf.", "An Bernd Cordes: Du bist raus."])
def test_a_players_words_are_no_letter(eriwan: Zine, to: str) -> None:
    """Nobody gets a letter that Anna has written in the GM's name."""
    mail = told(eriwan, CLAIM.format(line=to))
    got = gm_answers(eriwan, mail, f"Mal sehen, Anna.\n\n{broken(mail.text, to)}")
    assert address_of(BERND) not in got
    assert not any("Ding" in one.text for address, one in got.items() if address != GM)


def test_what_the_gm_pastes_is_asked_back(eriwan: Zine) -> None:
    """The GM pastes Anna's line alone: it may be meant, or shown. Sent back with our question, it counts."""
    zat, mail = eriwan.zat, told(eriwan, CLAIM.format(line="gm zat Eriwan +5d"))
    question = gm_answers(eriwan, mail, "gm zat Eriwan +5d\n")[GM]
    assert eriwan.zat == zat
    gm_answers(eriwan, question, "gm zat Eriwan +5d\n")
    assert eriwan.zat > zat


def test_a_letter_pasted_alone_is_asked_back(eriwan: Zine) -> None:
    """So it is with the heading of a letter."""
    mail = told(eriwan, CLAIM.format(line="An Bernd Cordes: Du bist raus."))
    got = gm_answers(eriwan, mail, "An Bernd Cordes: Du bist raus.\n")
    assert set(got) == {GM}
    assert "Soll ich deinen Text so verschicken?" in got[GM].subject


def test_a_subject_that_comes_back_is_no_command(eriwan: Zine) -> None:
    """Anna takes her move back by the subject; the GM's letter has it as well, and so has her answer to that."""
    eriwan.sends(ANNA, "ROT")
    eriwan.writes(ANNA, "Sag mal, geht das so?", subject="Zurückziehen Eriwan")
    eriwan.tick()
    notice = dict(eriwan.mails())[GM]
    letter = gm_answers(eriwan, notice, "Klar, Anna, das geht so.")[address_of(ANNA)]
    eriwan.sends(ANNA, "ROT")
    eriwan.tick()
    answers(eriwan, letter, "Danke, schon wieder da!", ANNA)
    assert letter.subject == "Re: Zurückziehen Eriwan"
    assert eriwan.on_file(ANNA) == ("rot", "E")
