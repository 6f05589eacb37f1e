"""Names that can be taken for another player's wait for the GM's decision."""

from email.header import Header
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import address_of
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions, mail_actions
from gm.requests.sender_check import similar_names
from gm.store.tables import MailIn, Player, Question

GM = "cici@postspiel.example"
SIGN_UP = "Anmeldung Crossword Eriwan\nNeu: D\n"
STRANGER = "neu@fremd.example"

MIXED = {
    "Cyrillic A": "\u0410nna Berg", "Cyrillic a at the end": "Ann\u0430 Berg",
    "Greek and wide letters": "\uff21nna \u0392erg", "nobody's name": "Gerd\u0430 Hahn",
    "Cyrillic": "\u0421ici Beilken",
}  # fmt: skip
ALIKE = {
    "wide letters": "\uff21nna Berg",
    "zero width": "Anna\u200b Berg",
    "zero width within": "An\u200bna Berg",
    "a soft hyphen": "Anna Be\u00adrg",
    "a joiner": "Anna\u2060 Berg",
    "case": "ANNA BERG",
    "small": "anna berg",
    "no blank": "AnnaBerg",
    "a hyphen": "Anna-Berg",
    "bold letters of mathematics": "\U0001d400nna Berg",
    "a Hangul filler": "Anna\u3164 Berg",
    "fillers": "\u115f\u1160Anna\uffa0 Berg",
    "a variation selector": "Anna Berg\ufe0f",
    "one of the later ones": "Anna Berg\U000e0100",
    "tags": "Anna\U000e0041\U000e007f Berg",
    "a blank of Braille": "Anna\u2800 Berg",
    "a grapheme joiner": "Anna B\u034ferg",
    "a Mongolian selector": "Anna\u180b Berg",
    "a sign not yet assigned": "Anna\u2065 Berg",
    "more than a name may be long": "\u3164" * 60 + "ANNA BERG",
}
THE_GMS = {
    "the name": "Cici Beilken", "in capitals": "CICI BEILKEN", "GM": "GM", "gm": "gm", "wide": "\uff27\uff2d",
    "with a filler": "G\u3164M", "more than fits": "\ufe0f" * 60 + "GM", "filled": "Cici\u3164 Beilken\ufe0f",
    "the zine, filled": "Dottendorfer\u2800 Soccer", "with more": "GM Cici", "in brackets": "Cici (GM)",
    "the role": "Spielleitung", "the zine": "Dottendorfer Soccer",
}  # fmt: skip
NOBODYS = ["N. N.", "N.N.", "n. n.", "N N", "N.\u3164 N.", "N. N. 2", "NN\ufe0f", "\uff2e. N."]
OTHERS = [
    "N. Neumann",
    "Nina",
    "Anna Bergmann",
    "Hanna Berg",
    "Anna Berger",
    "Änna Berg",
    "Gerda Hahn",
    "Anna",
    "Gm\u00fcnd Karl",
    "Imgm Bo",
    "\u0410\u043d\u043d\u0430 \u0411\u0435\u0440\u0433",
    "O\u02bbahu B\u00f8e",
    "\u674e \u5c0f\u9f99",
]


@pytest.fixture
def opened(zine: Any) -> Any:
    """Eriwan, open, with Anna Berg in it."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    seating.join(zine.app, "Eriwan", "Anna Berg", address_of("Anna Berg"), "E")
    return zine


def confirms(zine: Any, name: str, sender: str = STRANGER, text: str = SIGN_UP) -> dict[str, Any]:
    """Sign up and say `Ja`; returns the mails that this brings, by recipient."""
    written = name if name.isascii() else Header(name, "utf-8", maxlinelen=2000).encode()
    zine.writes(written, text, sender=sender, message_id="<1@fremd.example>")
    zine.tick()
    ((_, question),) = zine.mails()
    zine.writes(
        written, "Ja\n", sender=sender, subject=f"Re: {question.subject}", in_reply_to=question.message_id,
        message_id="<2@fremd.example>",
    )  # fmt: skip
    zine.tick()
    return dict(zine.mails())


def names(zine: Any) -> list[str]:
    """Name everybody whom the zine knows."""
    return [player.name for player in zine.rows(Player)]


def todo(zine: Any) -> list[str]:
    """List the kinds of what waits for the GM."""
    with zine.app.database.read() as session:
        return [row["what"] for row in waiting_for_gm(zine.app, session)]


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("name", [*ALIKE.values(), *THE_GMS.values(), *MIXED.values()], ids=[*ALIKE, *THE_GMS, *MIXED])
def test_the_gm_decides_first(opened: Any, name: str) -> None:
    """Nobody is registered; the newcomer is told that it takes a look, and the GM gets the name."""
    mails = confirms(opened, name)
    assert names(opened) == ["Anna Berg"]
    said = opened.said(mails[STRANGER])
    assert "sieht Cici Beilken ihn sich erst an" in " ".join(said.split())
    assert "Anna" not in said
    assert STRANGER in mails[GM].text
    assert todo(opened) == ["alike"]


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("name", OTHERS)
def test_other_names_play(opened: Any, name: str) -> None:
    """A name that is only similar gets the seat at once."""
    confirms(opened, name)
    assert names(opened) == ["Anna Berg", name]
    assert todo(opened) == []


def test_the_notice_names_the_letter(opened: Any) -> None:
    """What nobody can see in a name is written out."""
    mails = confirms(opened, "\u0410nna Berg")
    assert "U+0410 CYRILLIC CAPITAL LETTER A" in mails[GM].text
    assert "Ein Name aus zwei Schriften" in mails[GM].subject


def test_the_notice_names_the_other(opened: Any) -> None:
    """The GM reads whose name it is like."""
    assert "Ein Name wie »Anna Berg«" in confirms(opened, "ANNA BERG")[GM].subject


def test_the_gm_lets_them_in(opened: Any) -> None:
    """With `gm mail retry` all that the mail asked for is done, however late; a name that is taken has a number."""
    mails = confirms(opened, "ANNA BERG", text=f"{SIGN_UP}\nStandby Crossword\n")
    (line,) = [line for line in mails[GM].text.splitlines() if line.strip().startswith("gm mail retry")]
    opened.passes(days=10)
    opened.tick()
    opened.mails()
    opened.writes("Cici", line, sender=GM, subject=f"Re: {mails[GM].subject}", in_reply_to=mails[GM].message_id)
    opened.tick()
    opened.tick()
    assert dict(opened.mails())[STRANGER].subject == "[Eriwan] Du bist dabei"
    assert names(opened) == ["Anna Berg", "ANNA BERG 2"]
    assert todo(opened) == []
    assert [seat["player"] for seat in opened.show()["seats"]] == ["Anna Berg", "ANNA BERG 2"]


def test_the_gm_says_no(opened: Any) -> None:
    """A dropped one is nobody, and a further `Ja` brings the GM nothing."""
    confirms(opened, "ANNA BERG")
    (waiting,) = [row for row in opened.rows(MailIn) if row.status == "waiting"]
    with opened.writing() as session:
        mail_actions.drop(opened.app, session, str(waiting.id))
    (question,) = [row for row in opened.rows(Question) if row.kind == "newcomer"]
    opened.writes("ANNA BERG", "Ja\n", sender=STRANGER, subject=f"[Frage {question.code}]")
    opened.tick()
    mails = dict(opened.mails())
    assert GM not in mails
    assert "schon erledigt" in opened.said(mails[STRANGER])
    assert names(opened) == ["Anna Berg"]
    assert todo(opened) == []


def test_once(opened: Any) -> None:
    """A second `Ja` gets the same answer, and the GM isn't told again."""
    confirms(opened, "ANNA BERG")
    (question,) = [row for row in opened.rows(Question) if row.kind == "newcomer"]
    opened.writes("ANNA BERG", "Ja, bitte!\n", sender=STRANGER, subject=f"[Frage {question.code}]")
    opened.writes("ANNA BERG", "Ja\n", sender=STRANGER, subject=f"[Frage {question.code}]")
    opened.tick()
    assert GM not in dict(opened.mails())
    assert todo(opened) == ["alike"]


def test_the_gm_may_play(opened: Any) -> None:
    """The GM's own address plays under the GM's name."""
    confirms(opened, "Cici Beilken", sender=GM)
    assert "Cici Beilken" in names(opened)


@pytest.mark.parametrize("name", NOBODYS)
def test_nobodys_name(opened: Any, name: str) -> None:
    """The forgotten are called N. N.: the GM decides, and who is let in is called as the address says."""
    mails = confirms(opened, name)
    assert names(opened) == ["Anna Berg"]
    assert "sieht Cici Beilken ihn sich erst an" in " ".join(opened.said(mails[STRANGER]).split())
    assert "Ein Name wie »N. N.«" in mails[GM].subject
    (waiting,) = [row for row in opened.rows(MailIn) if row.status == "waiting"]
    with opened.writing() as session:
        mail_actions.retry(opened.app, session, str(waiting.id))
    opened.tick()
    assert dict(opened.mails())[STRANGER].subject == "[Eriwan] Du bist dabei"
    assert names(opened) == ["Anna Berg", "neu"]


def test_a_name_that_nobody_sees(opened: Any) -> None:
    """It is no name: the newcomer is called as the address says."""
    confirms(opened, "\u3164\u2800\ufe0f")
    assert names(opened) == ["Anna Berg", "neu"]


def test_no_name_is_like_nothing(opened: Any) -> None:
    """A name of signs alone looks like nobody's."""
    with opened.app.database.read() as session:
        assert similar_names.similar_name(opened.app, session, "---", STRANGER) == ""
