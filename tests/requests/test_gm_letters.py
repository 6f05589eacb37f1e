"""The GM writes to players by mail: a reply to a forwarded mail reaches the player; to all only after a `Ja`.

Sources: issue 29 (GM by mail); interface.md (`Ja` and `Nein` answer the question whose code they carry).
"""

import re
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest
import seating
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.declared import all_names
from gm.requests.desk import actions, players
from gm.store.tables import MailOut, Question
from parsers.commands import GmCommand
from parsers.mime.message import Mail
from parsers.prose.gm_mails import read_gm_mail
from parsers.sent_texts import SentTexts

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GM, SECOND, GUEST = "cici@postspiel.example", "zweite@postspiel.example", "gast@spieler.example"
CODE = re.compile(r"\[(?:Frage|Question) (\w{8})\]")
WORDS = "Passt mir das Wochenende auch noch?"
REPLY = "Hallo Anna,\n\nSonntag reicht völlig, <b>keine Eile</b> & viel Glück.\nDein Platz bleibt frei.\n\nGruß, Cici"


def mails_to(zine: Any, address: str) -> list[Any]:
    """Do a pass and return the new mails to an address."""
    zine.tick()
    return [mail for recipient, mail in zine.mails() if recipient == address]


def all_mails(zine: Any) -> dict[str, Any]:
    """Do a pass and return the new mails by address; nobody gets two."""
    zine.tick()
    found = zine.mails()
    assert len(dict(found)) == len(found), [(to, mail.subject) for to, mail in found]
    return dict(found)


def notice(zine: Any, text: str = WORDS, name: str = ANNA, **more: Any) -> Any:
    """Let a player write, and return the mail that brings it to the GM."""
    zine.writes(name, text, **{"subject": "Frage zum Spiel", **more})
    return all_mails(zine)[GM]


def gm_writes(zine: Any, text: str, mail: Any = None, **more: Any) -> dict[str, Any]:
    """Let the GM write, as a reply to a mail if one is given; returns the new mails by address."""
    if mail is not None:
        more = {"subject": f"Re: {mail.subject}", "in_reply_to": mail.message_id, **more}
    zine.passes(minutes=2)
    zine.writes("Cici", text, **{"sender": GM, "subject": "Mail", **more})
    return all_mails(zine)


def quoted(mail: Any) -> str:
    """Quote a mail as mutt does."""
    return "".join(f"> {line}".rstrip() + "\n" for line in mail.text.splitlines())


def shuffled(mail: Any) -> str:
    """Quote a mail without any mark, wrapped anew at another width."""
    lines, line = [], ""
    for word in mail.text.split():
        line = f"{line} {word}".strip()
        if len(line) > 50:
            lines, line = [*lines, line], ""
    return "\n".join([*lines, line])


HEAD = "-----Ursprüngliche Nachricht-----\nVon: Dottendorfer Soccer\nGesendet: Montag\nAn: Cici\nBetreff: {0}\n\n"
FORMS = {
    "alone": "{reply}\n",
    "above": "{reply}\n\nAm 02.11.2026 schrieb Dottendorfer Soccer <zug@postspiel.example>:\n{quoted}",
    "below": "Am Montag schrieb Dottendorfer Soccer:\n{quoted}\n{reply}\n",
    "outlook": "{reply}\n\n" + HEAD + "{original}",
    "no marks": "{reply}\n\n{original}",
    "no marks, wrapped": "{reply}\n\n{shuffled}",
    "no marks, below": "{original}\n\n{reply}",
    "signed": "{reply}\n-- \nCici Beilken\nPostspiele seit 1989\n",
}  # fmt: skip


def in_form(form: str, mail: Any, reply: str = REPLY) -> str:
    """Write a reply as a mail program does."""
    return FORMS[form].format(mail.subject, reply=reply, quoted=quoted(mail), original=mail.text,
                              shuffled=shuffled(mail))  # fmt: skip


def codes(zine: Any) -> set[str]:
    """Return the codes of all questions."""
    return {row.code for row in zine.rows(Question)}


def check_nothing_of_ours(zine: Any, mail: Any) -> None:
    """Check that nothing which is for the GM alone stands in a mail to a player."""
    for text in (mail.subject, mail.text, mail.html):
        assert not codes(zine) & set(re.findall(r"\w{8}", text)), text
        assert not any(words in text for words in ("gm todo", "gm mail", "Abhaken")), text


# -- a reply reaches the player ----------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("form", FORMS)
def test_a_reply_reaches_the_player(eriwan: Any, form: str) -> None:
    """However the GM's program quotes, the player gets the GM's words and nothing else, in the own mail's thread."""
    raw = eriwan.writes(ANNA, WORDS, subject="Frage zum Spiel")
    told = all_mails(eriwan)[GM]
    got = gm_writes(eriwan, in_form(form, told), told)
    letter = got[address_of(ANNA)]
    own = re.search(rb"Message-ID: (<[^>]+>)", raw)
    assert own
    assert letter.in_reply_to == own[1].decode()
    assert letter.subject == "Re: Frage zum Spiel"
    said = eriwan.said(letter)
    assert "Cici Beilken schreibt dir:" in said
    for words in ("Hallo Anna,", "Sonntag reicht völlig, <b>keine Eile</b> & viel Glück.", "Dein Platz bleibt frei."):
        assert words in said
    assert "&lt;b&gt;keine Eile" in letter.html
    assert "<b>keine Eile" not in letter.html
    check_nothing_of_ours(eriwan, letter)
    confirmed = eriwan.said(got[GM])
    assert "Dein Text ist als Mail an Anna Berg unterwegs" in confirmed
    assert "abgehakt" in confirmed
    assert set(got) == {GM, address_of(ANNA)}
    assert [row.answered_at is None for row in eriwan.rows(Question)] == [False]
    assert [row.player_id for row in eriwan.rows(MailOut) if row.kind == "letter"] == [1]


def test_an_html_reply(eriwan: Any) -> None:
    """A reply in HTML alone, with the quotation in a blockquote, is read as its reader saw it."""
    told = notice(eriwan)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = f"Cici <{GM}>", "zug@postspiel.example", "<html@postspiel.example>"
    mail["Subject"], mail["In-Reply-To"] = f"AW: {told.subject}", told.message_id
    mail.set_content(f"<div>Sonntag geht.<br>Bis dann!</div><blockquote>{told.html}</blockquote>", subtype="html")
    eriwan.passes(minutes=2)
    eriwan.arrives(mail.as_bytes(policy=SMTP))
    letter = all_mails(eriwan)[address_of(ANNA)]
    assert "Sonntag geht." in eriwan.said(letter)
    check_nothing_of_ours(eriwan, letter)


def test_between_the_quoted_lines(eriwan: Any) -> None:
    """Of an answer between the quoted lines the own ones go out, in their order."""
    told = notice(eriwan)
    first, *rest = quoted(told).splitlines()
    text = "\n".join([first, "Zum Ersten: ja, gern.", *rest, "Zum Zweiten: mal sehen."])
    letter = gm_writes(eriwan, text, told)[address_of(ANNA)]
    assert re.search(r"Zum Ersten: ja, gern\.[\s>]+Zum Zweiten: mal sehen\.", letter.text)
    check_nothing_of_ours(eriwan, letter)


def test_a_code_never_goes_out(eriwan: Any) -> None:
    """A text with the code of a question in it comes from a mail to the GM, and isn't sent."""
    told = notice(eriwan)
    code = CODE.search(told.subject)
    assert code
    got = gm_writes(eriwan, f"Hallo Anna, da steht {code[1].lower()}, was ist das?", told)
    assert set(got) == {GM}
    assert "Im Text steht der Code einer Frage" in eriwan.said(got[GM])
    assert "ging an niemanden hinaus" in eriwan.said(got[GM])


@pytest.mark.parametrize("by", ["code", "thread"])
def test_code_or_thread(eriwan: Any, by: str) -> None:
    """The code in the subject, or the thread, is enough, also once the entry is ticked off."""
    told = notice(eriwan)
    more = {"subject": "Sonntag"} if by == "thread" else {"in_reply_to": ""}
    for _ in range(2):
        assert address_of(ANNA) in gm_writes(eriwan, "Sonntag geht gut.", told, **more)


def test_nobody_else(eriwan: Any) -> None:
    """A stranger or a player with the code writes to nobody; nor does who forges the GM without code and thread."""
    told = notice(eriwan)
    eriwan.writes("Xaver", "Hallo Anna, hier ist Cici.", sender="xaver@spieler.example", subject=told.subject,
                  in_reply_to=told.message_id)  # fmt: skip
    eriwan.writes(BERND, "Hallo Anna, hier ist Cici.", subject=told.subject, in_reply_to=told.message_id)
    eriwan.writes("Cici", "Hallo Anna, hier ist Cici.", sender=GM, subject="Re: Nachricht von Anna")
    eriwan.writes("Cici", "Hallo Anna, hier ist Cici.", sender=GM, subject="[Frage ABCDEFGH]")
    eriwan.writes("Cici", "An Anna Berg: hier ist Cici.", sender=GM)
    eriwan.tick()
    assert address_of(ANNA) not in {to for to, _ in eriwan.mails()}
    assert [row for row in eriwan.rows(MailOut) if row.kind == "letter"] == []


def test_robots(eriwan: Any) -> None:
    """An absence note of the GM's mail server is forwarded to nobody."""
    told = notice(eriwan)
    got = gm_writes(eriwan, "Ich bin bis Januar nicht im Haus.", told, headers={"Auto-Submitted": "auto-replied"})
    assert got == {}
    got = gm_writes(eriwan, "Ich bin bis Januar nicht im Haus.", told, subject=f"Abwesenheitsnotiz: {told.subject}")
    assert address_of(ANNA) not in got


COURTESIES = {
    "Danke!": True, "Klar!": True, "Hallo Anna, passt!": True, "Gern.\n\nGruß, Cici": True, "": False,
    "Gruß, Cici": False, "Hallo Anna,": False, "Viele Grüße\nCici Beilken": False,
}  # fmt: skip


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", COURTESIES)
def test_short_answers(eriwan: Any, text: str) -> None:
    """One word is an answer; a greeting and a signature alone are none, and the GM is told so."""
    told = notice(eriwan)
    got = gm_writes(eriwan, text, told)
    assert (address_of(ANNA) in got) is COURTESIES[text]
    assert (GM in got and "stand nichts" in eriwan.said(got[GM])) is not COURTESIES[text]


def test_a_command_beside(eriwan: Any) -> None:
    """A line `gm ...` is still a command; prose beside it reaches the player, a courtesy doesn't."""
    told = notice(eriwan, "Verlängerung Eriwan 3 Tage\n")
    got = gm_writes(eriwan, "gm zat Eriwan +5d\n\nDanke dir!\n\nGruß, Cici", told)
    assert not any(row.kind == "letter" for row in eriwan.rows(MailOut))
    assert "ist erledigt" in eriwan.said(got[GM])
    told = notice(eriwan, "Verlängerung Eriwan 3 Tage\n")
    eriwan.writes("Cici", "Ja\n\nDiesmal noch, aber beim nächsten Mal bitte früher melden.", sender=GM,
                  subject=f"Re: {told.subject}")  # fmt: skip
    eriwan.tick()
    letters = [mail for to, mail in eriwan.mails() if to == address_of(ANNA) and "schreibt dir" in mail.text]
    assert len(letters) == 1
    assert "bitte früher melden" in letters[0].text
    assert not re.search(r"^\s*Ja\s*$", letters[0].text, re.MULTILINE)


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("line", ["gm undo Eriwan", "gm zta Eriwan +3d", "gm zat Eriwan murks", "gm abort Eriwan"])
def test_beside_a_refused_line(eriwan: Any, line: str) -> None:
    """A line that was to be a command is never prose, and where one is refused no text goes out."""
    told = notice(eriwan, "Verlängerung Eriwan 3 Tage\n")
    got = gm_writes(eriwan, f"{line}\nDas habe ich für dich eingetragen, bis Sonntag.", told)
    assert set(got) == {GM}
    assert "ist auch dein Text nicht hinausgegangen" in eriwan.said(got[GM])


def test_a_decision_stays_open(eriwan: Any) -> None:
    """A word to the player about a wish for more time decides nothing."""
    told = notice(eriwan, "Verlängerung Eriwan 3 Tage\n")
    got = gm_writes(eriwan, "Wieso denn drei Tage, was ist los?", told)
    assert "Wieso denn drei Tage" in got[address_of(ANNA)].text
    assert "abgehakt" not in eriwan.said(got[GM])
    assert [row.answered_at for row in eriwan.rows(Question)] == [None]


def test_lines_that_would_be_commands(eriwan: Any) -> None:
    """What would be a command or a move in a player's mail is the GM's prose, and nothing is carried out."""
    told = notice(eriwan)
    block = eriwan.block(ANNA, "", None)
    got = gm_writes(eriwan, f"Schick es so:\n\n{block}\nUrlaub 24.12.2026-06.01.2027\nStand Eriwan\n", told)
    said = got[address_of(ANNA)].text
    assert all(line.strip() in said for line in block.splitlines())
    assert "Urlaub 24.12.2026-06.01.2027" in said
    assert set(got) == {GM, address_of(ANNA)}


def test_about_nobody(begin: Any) -> None:
    """A reply to a mail about no player goes to nobody, and the GM is told what would."""
    zine = begin("started", deadlines={"release": "gm"})
    actions.close(zine.app, "Eriwan", zine.now)
    told = mails_to(zine, GM)[0]
    got = gm_writes(zine, "Das schaue ich mir morgen an.", told)
    assert set(got) == {GM}
    assert "An alle Eriwan: ..." in zine.said(got[GM])


def test_an_other_player(eriwan: Any) -> None:
    """In the thread of a mail to the GM `An Bernd ...` writes to that player; an unknown name sends nothing at all."""
    told = notice(eriwan)
    got = gm_writes(eriwan, f"Frag doch Bernd.\n\nAn {BERND}: Anna fragt etwas.\nSchreibst du ihr?\nEnde\n", told)
    assert "Frag doch Bernd." in got[address_of(ANNA)].text
    assert "Schreibst du ihr?" not in got[address_of(ANNA)].text
    assert re.search(r"Anna fragt etwas\.[\s>]+Schreibst du ihr\?", got[address_of(BERND)].text)
    assert "Ende" not in got[address_of(BERND)].text
    assert got[address_of(BERND)].in_reply_to == ""
    got = gm_writes(eriwan, "Frag doch Berta.\n\nAn Berta Xyz: Anna fragt etwas.\n", told)
    assert set(got) == {GM}
    assert "Berta Xyz" in eriwan.said(got[GM])


def test_the_second_gm(begin: Any) -> None:
    """The second GM writes in the own name, from the own address."""
    zine = begin("started", service={"second_gm": f"Zweite Hand <{SECOND}>"})
    told = notice(zine)
    got = gm_writes(zine, "Sonntag geht gut.", told, sender=SECOND)
    assert "Zweite Hand schreibt dir:" in got[address_of(ANNA)].text
    assert "unterwegs" in got[SECOND].text


# -- the player answers ------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", ["Prima, dann bis Sonntag!", "Ja", "Nein.\n\nGruß, Anna"])
def test_the_player_answers(eriwan: Any, text: str) -> None:
    """The player's answer goes back to the GM, also a bare `Ja`, in the thread of the GM's own mail."""
    told = notice(eriwan)
    eriwan.passes(minutes=2)
    raw = eriwan.writes("Cici", "Reicht dir denn der Sonntag?", sender=GM, subject=f"Re: {told.subject}")
    letter = all_mails(eriwan)[address_of(ANNA)]
    eriwan.writes(ANNA, text, subject=f"Re: {letter.subject}", in_reply_to=letter.message_id)
    got = all_mails(eriwan)
    own = re.search(rb"Message-ID: (<[^>]+>)", raw)
    assert own
    assert got[GM].in_reply_to == own[1].decode()
    assert text.split("\n")[0].rstrip(".") in got[GM].text
    assert "offene Frage" not in got[address_of(ANNA)].text
    assert "Cici Beilken" in eriwan.said(got[address_of(ANNA)])
    again = gm_writes(eriwan, "Dann machen wir es so.", got[GM])
    assert "Dann machen wir es so." in again[address_of(ANNA)].text


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("text", ["Erledigt", "Done", "ok", "Danke!"])
def test_a_short_reply_is_a_letter(eriwan: Any, text: str) -> None:
    """Issue 29: a reply to a forwarded mail reaches the player. Only `Ja`, which the mail names, ticks it off."""
    told = notice(eriwan)
    assert text in gm_writes(eriwan, text, told)[address_of(ANNA)].text


def test_answering_the_confirmation(eriwan: Any) -> None:
    """What the GM adds by answering the confirmation of a letter reaches the same player."""
    told = notice(eriwan)
    confirmation = gm_writes(eriwan, "Sonntag geht gut.", told)[GM]
    got = gm_writes(eriwan, "Und noch etwas: Montag auch.", confirmation)
    assert "Montag auch" in got[address_of(ANNA)].text


# -- without any thread ------------------------------------------------------------------------------------------------


PROSE = [
    "Hallo, ich schreibe mal was an alle, die mitspielen.", "Wie geht das hier?", "Wie steht es?", "ok",
    "Ich möchte bei Eriwan mitspielen.", "Bitte schick mir die Regeln von Crossword.", "Ich höre auf.",
]  # fmt: skip


@pytest.mark.trust(except_first=6)
@pytest.mark.parametrize("text", PROSE)
def test_what_works_by_mail(eriwan: Any, text: str) -> None:
    """The GM's prose without a thread gets six lines on what a GM can do, never the players' help."""
    got = gm_writes(eriwan, text)
    said = eriwan.said(got[GM])
    assert set(got) == {GM}
    assert "An alle Eriwan" in said
    assert "Anmeldung" not in said
    assert "This is the program that collects" not in said
    assert len([line for line in got[GM].text.splitlines() if line.startswith("  - ")]) == 6


TO_ALL = "An alle Eriwan: Frohe Weihnachten!\n\nDer nächste ZAT ist erst im Januar.\nStand Eriwan\nEnde\nGruß, Cici\n"


def test_to_all(eriwan: Any) -> None:
    """A text to all is asked back with the number of readers; `Ja` sends it once, and to nobody else."""
    eriwan.writes("Gast", "Beobachten Eriwan", sender=GUEST)
    eriwan.writes("Gast", "Ja", sender=GUEST, subject=f"Re: {all_mails(eriwan)[GUEST].subject}")
    eriwan.tick()
    eriwan.mails()
    asked = gm_writes(eriwan, TO_ALL)
    assert set(asked) == {GM}
    assert CODE.search(asked[GM].subject)
    said = eriwan.said(asked[GM])
    assert "An alle in »Eriwan«. Mitspieler: 6, Zuschauer: 1 (7 Mails):" in said
    assert all(words in said for words in ("Frohe Weihnachten!", "ist erst im Januar."))
    got = gm_writes(eriwan, "Ja", asked[GM])
    assert set(got) == {GM, GUEST, *map(address_of, PLAYERS)}
    for name in PLAYERS:
        letter = got[address_of(name)]
        assert letter.subject.startswith("[Eriwan] ")
        assert re.search(r"Frohe Weihnachten![\s>]+Der nächste ZAT ist erst im Januar\.[\s>]+Stand Eriwan", letter.text)
        assert "Gruß, Cici" not in letter.text
        check_nothing_of_ours(eriwan, letter)
    assert "Mails: 7" in eriwan.said(got[GM])
    assert set(gm_writes(eriwan, "Ja", asked[GM])) == {GM}


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("how", ["nein", "late", "bare", "player", "player with code"])
def test_to_all_not_sent(eriwan: Any, how: str) -> None:
    """`Nein`, a week without an answer, a bare `Ja`, and anybody else send nothing."""
    asked = gm_writes(eriwan, TO_ALL)[GM]
    eriwan.passes(days=8 if how == "late" else 0)
    eriwan.tick()
    eriwan.mails()
    if how == "player":
        eriwan.writes(ANNA, TO_ALL)
    elif how == "player with code":
        eriwan.writes(ANNA, "Ja", subject=asked.subject, in_reply_to=asked.message_id)
    else:
        gm_writes(eriwan, "Nein" if how == "nein" else "Ja", None if how == "bare" else asked)
    eriwan.tick()
    assert [row for row in eriwan.rows(MailOut) if row.kind == "letter"] == []


HEADINGS = {
    "An alle Eriwan: Hallo": "Mitspieler: 6", "an alle in Eriwan: Hallo": "Mitspieler: 6",
    "An alle Crossword Eriwan:\nHallo": "Mitspieler: 6", "To all Eriwan: Hallo": "Players: 6",
    "An Eriwan: Hallo": "Mitspieler: 6", "An alle: Hallo": "An alle in offenen und laufenden Partien. Mitspieler: 6",
    f"An {ANNA}: Hallo": f"An {ANNA}", "An alle Erwian: Hallo": "Eine Partie »Erwian« gibt es nicht",
    "An alle Eriwan:\n\n": "Da steht kein Text", "An alle Eriwan: " + "x" * 5000: "höchstens 4000",
}  # fmt: skip


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("heading", HEADINGS)
def test_headings(eriwan: Any, heading: str) -> None:
    """Who is meant is found however it is said; else the GM hears what is wrong."""
    got = gm_writes(eriwan, heading)
    assert set(got) == {GM}
    assert HEADINGS[heading] in eriwan.said(got[GM])


SUBJECTS = {
    ("An alle Eriwan", "Hallo ihr"): "Mitspieler: 6", ("An alle Eriwan:", "Hallo ihr"): "Mitspieler: 6",
    ("an alle in Eriwan", "Hallo ihr"): "Mitspieler: 6", ("To all Eriwan", "Hallo ihr"): ": 6",
    ("[Zine] An alle Eriwan", "Hallo ihr"): "Mitspieler: 6",
    ("An alle Eriwan: Weihnachten", "Hallo ihr"): "Weihnachten",
    ("An alle", "Hallo ihr"): "An alle in offenen und laufenden Partien. Mitspieler: 6",
    (f"An {ANNA}:", "Hallo ihr"): f"An {ANNA}", ("An alle Erwian", "Hallo ihr"): "Eine Partie »Erwian« gibt es nicht",
    ("An alle Eriwan", ""): "Da steht kein Text", ("An alle Eriwan", "An alle Eriwan: Hallo ihr"): "Mitspieler: 6",
}  # fmt: skip


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(("subject", "text"), SUBJECTS)
def test_heading_in_the_subject(eriwan: Any, subject: str, text: str) -> None:
    """The subject of a new mail may be the heading; the text stands below it, and is asked back like any other."""
    got = gm_writes(eriwan, f"{text}\n", subject=subject)
    assert set(got) == {GM}
    said = eriwan.said(got[GM])
    assert SUBJECTS[subject, text] in said
    assert bool(CODE.search(got[GM].subject)) == ("Hallo ihr" in said)
    assert [row for row in eriwan.rows(MailOut) if row.kind == "letter"] == []


def test_a_subject_goes_to_all_once(eriwan: Any) -> None:
    """`Ja` sends the text under such a subject to each player; a second `Ja` sends nothing."""
    asked = gm_writes(eriwan, "Frohe Weihnachten!\n-- \nCici\n", subject="An alle Eriwan")[GM]
    got = gm_writes(eriwan, "Ja\n\nGruß Cici", asked)
    assert set(got) == {GM, *map(address_of, PLAYERS)}
    assert all("Frohe Weihnachten!" in got[address_of(name)].text for name in PLAYERS)
    assert set(gm_writes(eriwan, "Ja", asked)) == {GM}


def test_the_subject_of_a_reply_is_no_heading(eriwan: Any) -> None:
    """A reply reaches the player it answers, also where the player's subject looks like a heading."""
    told = notice(eriwan, subject="An alle: Frage")
    got = gm_writes(eriwan, REPLY, told, subject="Re: An alle: Frage")
    assert set(got) == {GM, address_of(ANNA)}
    assert not CODE.search(got[GM].subject)


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("greeting", ["", "Hallo,\n\n"])
@pytest.mark.parametrize("game", ["Eriwan", "Erwian", ""])
def test_a_forgotten_colon(eriwan: Any, game: str, greeting: str) -> None:
    """What is meant for all never reaches only the player whom the mail replied to is about."""
    got = gm_writes(eriwan, f"{greeting}An alle {game}\n\nDie Runde zählt nicht.\n", notice(eriwan))
    assert set(got) == {GM}
    assert bool(CODE.search(got[GM].subject)) == (game != "Erwian")


# -- one's name is part of another's -----------------------------------------------------------------------------------

NEWCOMER = "neu@spieler.example"
TO_BERND = "An Bernd: Willkommen!\n"


@pytest.fixture
def two_bernds(eriwan: Any) -> Any:
    """Beside Bernd Celik somebody is called Bernd."""
    actions.add_standby(eriwan.app, "Bernd", NEWCOMER, None)
    return eriwan


@pytest.mark.parametrize("is_reply", [False, True])
def test_which_bernd(two_bernds: Any, is_reply: bool) -> None:
    """The GM is asked which of them is meant, and says so by the address."""
    told = notice(two_bernds) if is_reply else None
    got = gm_writes(two_bernds, TO_BERND, told)
    assert set(got) == {GM}
    asked = f"»Bernd« kann Bernd, {BERND} sein; schreib mehr vom Namen, oder für Bernd: {NEWCOMER}."
    assert asked in " ".join(two_bernds.said(got[GM]).split())
    got = gm_writes(two_bernds, f"An {NEWCOMER}: Willkommen!\n", told)
    assert is_reply or "An Bernd (1 Mail)" in two_bernds.said(got[GM])
    assert set(got if is_reply else gm_writes(two_bernds, "Ja", got[GM])) == {GM, NEWCOMER}


def test_whose_mail_is_replied_to(two_bernds: Any) -> None:
    """The whole name of the one whom the mail replied to is about needs no address."""
    told = notice(two_bernds, name="Bernd", sender=NEWCOMER)
    assert set(gm_writes(two_bernds, TO_BERND, told)) == {GM, NEWCOMER}
    told = notice(two_bernds, name=BERND)
    assert set(gm_writes(two_bernds, TO_BERND, told)) == {GM}
    assert set(gm_writes(two_bernds, f"An {BERND}: Hallo!\n", told)) == {GM, address_of(BERND)}
    told = notice(two_bernds, "Und der Samstag?", name="Bernd", sender=NEWCOMER)
    assert set(gm_writes(two_bernds, "Willkommen!\n", told)) == {GM, NEWCOMER}


def test_both_have_one_address(two_bernds: Any) -> None:
    """Then the name goes before the address."""
    players.use(two_bernds.app, NEWCOMER, address_of(BERND))
    got = gm_writes(two_bernds, TO_BERND)
    assert f"für Bernd: Bernd {address_of(BERND)}." in " ".join(two_bernds.said(got[GM]).split())
    asked = gm_writes(two_bernds, f"An Bernd {address_of(BERND)}: Willkommen!\n")[GM]
    assert "An Bernd (1 Mail)" in two_bernds.said(asked)
    gm_writes(two_bernds, "Ja", asked)
    assert [row.player_id for row in two_bernds.rows(MailOut) if row.kind == "letter"] == [7]


# -- reading -----------------------------------------------------------------------------------------------------------

NO_HEADINGS = [
    "An: Anna Berg", "To be honest: no idea", "An Anna Berg <anna@spieler.example>: hallo", "An dem Tag: nichts",
    "Danke an alle!", "an dich: danke",
]  # fmt: skip


@pytest.mark.parametrize("line", NO_HEADINGS)
def test_no_headings(line: str) -> None:
    """A line of a mail's head, and ordinary prose with a colon, addresses nobody."""
    said = read_gm_mail(Mail(texts=(line,)), all_names())
    assert said.letters == ()
    assert said.prose == line


LINES = st.sampled_from([
    "Hallo Anna,", "das geht so.", "", "gm zat Eriwan +3d", "gm undo Eriwan", "An Anna Berg: eins", "An alle Eriwan:",
    "Ende", "Ja", "> gm todo --done ABCDEFGH", "Crossword Eriwan", "-- ", "Gruß, Cici", "gm release Eriwan", "An B: ",
])  # fmt: skip


@settings(max_examples=300)
@given(st.lists(LINES | st.text(max_size=30), max_size=20))
def test_no_command_is_prose(lines: list[str]) -> None:
    """A line of the GM's for us is never part of a text, and a quoted line neither; whatever stands around."""
    said = read_gm_mail(Mail(texts=("\n".join(lines),)), all_names())
    texts = [said.prose, *(letter.text for letter in said.letters if "Ende" not in lines)]
    for text in texts:
        assert not any(re.match(r"gm (zat|undo|release)\b", line) for line in text.split("\n")), text
        assert "gm todo" not in text


OUR_MAIL = """Hallo Cici,

Anna Berg schreibt:

  > Wie geht es dir?

Antworte mit »Ja«, dann ist es abgehakt, oder gib am Rechner ein:

     gm todo --done ABCDEFGH

Am Rechner zeigt »gm mail show 1« die ganze Mail. Antworte mit »gm todo«, dann bekommst du alles, was auf dich wartet.
"""


@settings(max_examples=200)
@given(st.integers(20, 100), st.text(alphabet="abc xyz\n", max_size=60))
def test_our_mail_is_left_out(width: int, own: str) -> None:
    """Whatever the width at which a program wraps our mail, without marks, nothing of it is the GM's prose."""
    wrapped = "\n".join(part for line in OUR_MAIL.split("\n") for part in _wrapped(line, width))
    said = read_gm_mail(Mail(texts=(f"{own}\n\n{wrapped}",)), all_names(), SentTexts([OUR_MAIL]))
    assert set(said.prose.split()) <= set(own.split())


def _wrapped(line: str, width: int) -> list[str]:
    lines = [""]
    for word in line.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def test_words_of_both(eriwan: Any) -> None:
    """A GM who says what the player said has said it, too: that isn't a quotation."""
    told = notice(eriwan)
    got = gm_writes(eriwan, f"Du fragst:\n{WORDS}\nMir passt es.", told)
    assert WORDS in got[address_of(ANNA)].text


def test_a_week_later(eriwan: Any) -> None:
    """An answer comes late: the entry is ticked off and the round closed, and the player gets it all the same."""
    told = notice(eriwan)
    eriwan.now += timedelta(days=30)
    eriwan.tick()
    eriwan.mails()
    eriwan.writes("Cici", "Entschuldige, das hat gedauert.", sender=GM, subject=f"Re: {told.subject}")
    assert any("das hat gedauert" in mail.text for mail in mails_to(eriwan, address_of(ANNA)))


# -- in one language ---------------------------------------------------------------------------------------------------

ENGLISH = {
    "gm zat Eriwan +5d": "Eriwan: the deadline is", "gm zat Eriwan murks": "'murks' is no deadline",
    "gm zat Eriwan 2001-01-01 20:00": "which has passed", "gm undo Eriwan": "doesn't work by mail",
    "Why three days, Anna?": "Your text is on its way to Anna Berg",
}  # fmt: skip
GERMAN = {
    "gm zat Eriwan +5d": "Eriwan: Der ZAT ist", "gm zat Eriwan murks": "»murks« ist kein ZAT",
    "gm zat Eriwan 2001-01-01 20:00": "und das ist vorbei", "gm undo Eriwan": "geht per Mail nicht",
    "Wieso drei Tage, Anna?": "Dein Text ist als Mail an Anna Berg unterwegs",
}  # fmt: skip


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(("language", "line"), [("en", one) for one in ENGLISH] + [("de", one) for one in GERMAN])
def test_in_the_zines_language(begin: Any, language: str, line: str) -> None:
    """What became of a command, a refusal among it, is told in the zine's language (promise 7 looks at all of it)."""
    zine = begin("started", service={"language": language})
    told = notice(zine, "Extension Eriwan 3 days\n")
    zine.passes(minutes=2)
    zine.writes("Cici", line, sender=GM, subject=f"Re: {told.subject}")
    zine.tick()
    said = next(zine.said(mail) for to, mail in zine.mails() if to == GM)
    assert (ENGLISH if language == "en" else GERMAN)[line] in said


def test_several_whom_a_name_may_mean(eriwan: Any) -> None:
    """A first name that two have sends nothing, and the GM of a German zine reads in German whom it may mean."""
    actions.new_game(eriwan.app, "typ-dom", "Riga")
    seating.join(eriwan.app, "Riga", "Anna Zander", "zander@spieler.example", None)
    eriwan.tick()
    eriwan.mails()
    got = gm_writes(eriwan, "An Anna: Hallo")
    assert set(got) == {GM}
    assert "»Anna« kann Anna Berg, Anna Zander sein" in eriwan.said(got[GM])


def test_a_zat_within_a_pause(eriwan: Any) -> None:
    """A ZAT within a pause is refused in the zine's language."""
    told = notice(eriwan, "Verlängerung Eriwan 3 Tage\n")
    actions.pause(eriwan.app, "Eriwan", "30d")
    eriwan.tick()
    eriwan.mails()
    got = gm_writes(eriwan, f"gm zat Eriwan {eriwan.now + timedelta(days=9):%Y-%m-%d} 20:00", told)
    assert "»Eriwan« macht Pause" in eriwan.said(got[GM])


@pytest.mark.parametrize(
    ("text", "prose", "mistaken"),
    [("gm", "", ("gm",)), ("GM!", "", ("gm",)), ("gm todo\n\nGM", "GM", ()), ("An Bernd: Hallo\nEnde\nGM", "GM", ())],
)
def test_gm_alone(text: str, prose: str, mistaken: tuple[str, ...]) -> None:
    """`gm` alone is a command that somebody forgot to finish; below a command or a letter it is who has signed."""
    said = read_gm_mail(Mail(texts=(text,)), all_names())
    assert (said.prose, said.mistaken) == (prose, mistaken)


@pytest.mark.parametrize(
    ("below", "foreword"),
    [
        ("Hallo allerseits!\nWas für eine Runde.", "Hallo allerseits!\nWas für eine Runde."),
        ("Viele Grüße\nCici", ""),
        ("Viele Grüße\nEnde\nCici", "Viele Grüße"),
    ],
)
def test_the_foreword_below_a_release(below: str, foreword: str) -> None:
    """Up to `Ende`, or all that stands below; a farewell alone, without `Ende`, is no foreword."""
    (said,) = read_gm_mail(Mail(texts=(f"gm release Eriwan\n{below}",)), all_names()).commands
    assert said.command == GmCommand(words=("release", "Eriwan"), text=foreword)
