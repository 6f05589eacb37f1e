"""The GM's commands by mail: only lines that were offered, with their code, from the GM's address, are done."""

import re
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.messages import gm_list
from gm.messages.questions import About
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.requests.desk.mail_actions import tick_off
from gm.store.tables import Game, MailIn, Question, Ruling, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GM, SECOND = "cici@postspiel.example", "zweite@postspiel.example"
CODE = re.compile(r"\[(?:Frage|Question) (\w{8})\]")


def mails_to(zine: Any, address: str) -> list[Any]:
    """Do a pass and return the new mails to an address."""
    zine.tick()
    return [mail for recipient, mail in zine.mails() if recipient == address]


def asked(zine: Any, address: str = GM) -> Any:
    """Do a pass and return the one new mail to the GM."""
    (mail,) = mails_to(zine, address)
    return mail


def quoted(mail: Any) -> str:
    """Quote a mail as mutt does."""
    return "".join(f"> {line}".rstrip() + "\n" for line in mail.text.splitlines())


HEAD = "-----Ursprüngliche Nachricht-----\nVon: Dottendorfer Soccer\nGesendet: Montag\nAn: Cici\nBetreff: {0}\n\n"
FORMS = {
    "alone": "{line}\n",
    "mutt, below": "Am Montag schrieb Dottendorfer Soccer:\n{quoted}\n{line}\n",
    "above": "{line}\n\nGruß, Cici\n\nAm 02.11.2026 schrieb Dottendorfer Soccer <zug@postspiel.example>:\n{quoted}",
    "outlook": "{line}\n\nGruß\nCici\n\n" + HEAD + "{original}",
}  # fmt: skip


def answers(zine: Any, mail: Any, line: str, form: str = "alone", **more: Any) -> str:
    """Let the GM reply to a mail and do a pass; returns what the one answer says."""
    sender = more.pop("sender", GM)
    text = FORMS[form].format(mail.subject, line=line, quoted=quoted(mail), original=mail.text)
    more.setdefault("subject", f"Re: {mail.subject}")
    zine.writes("Cici", text, sender=sender, in_reply_to=more.pop("in_reply_to", mail.message_id), **more)
    found = [answer for answer in mails_to(zine, sender) if "[Frage" not in answer.subject or "Re:" in answer.subject]
    assert len(found) == 1, [answer.subject for answer in found]
    return str(zine.said(found[0]))


def todo(zine: Any) -> dict[str, str]:
    """Return what `gm todo` says: what waits, and what to do."""
    with zine.app.database.read() as session:
        return {row["what"]: row["do"] for row in waiting_for_gm(zine.app, session)}


@pytest.fixture
def provisional(begin: Any) -> Any:
    """The end of Eriwan hangs on two words; the GM has been asked."""
    zine = begin("last round")
    zine.writes(ANNA, zine.block(ANNA, "", None) + "rot+dni / in 6\nore 3\nSumme 9\n")
    zine.tick()
    zine.mails()
    actions.close(zine.app, "Eriwan", zine.now)
    return zine


@pytest.mark.trust
@pytest.mark.parametrize("form", FORMS)
def test_ruling_by_reply(provisional: Any, form: str) -> None:
    """The line sent back rules, however the mail program quotes; with the last word the result goes to all."""
    mail = asked(provisional)
    said = answers(provisional, mail, "gm rule Eriwan accept ORE", form)
    assert "»gm rule Eriwan accept ORE« ist erledigt: Eriwan: noch offen: DNI" in said
    assert provisional.show()["doubtful"] == ["dni"]
    said = answers(provisional, mail, "gm rule Eriwan reject dni --note Eigenname", form)
    assert "Der Endstand ist an alle unterwegs" in said
    assert provisional.status == "finished"
    assert [(ruling.word, ruling.accepted, ruling.note) for ruling in provisional.rows(Ruling)] == [
        ("ORE", True, ""), ("DNI", False, "Eigenname"),
    ]  # fmt: skip
    assert todo(provisional) == {}
    assert "schon erledigt" in answers(provisional, mail, "gm rule Eriwan accept DNI")


REFUSED = [
    "gm rule Eriwan accept TANZEN", "gm rule Eriwan accept ORE TANZEN", "gm rule Eriwan accept", "gm rule",
    "gm rule Havanna accept ORE", "gm rule Eriwan maybe ORE", "gm rule Eriwan accept ORE --house", "gm close Eriwan",
    "gm zat Eriwan +3d", "gm release Eriwan", "gm mail drop 1", "gm standby Eriwan Anna --none",
    "gm todo --done", "Ja", "Nein",
]  # fmt: skip


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("line", REFUSED)
def test_other_lines_are_refused(provisional: Any, line: str) -> None:
    """Another command, game or word than those offered is refused with what is offered, and nothing is done."""
    mail = asked(provisional)
    said = answers(provisional, mail, line)
    assert f"»{line}« bietet diese Mail nicht an; ich habe nichts getan." in said
    assert "gm rule Eriwan accept DNI ORE" in said
    assert provisional.rows(Ruling) == []
    assert provisional.show()["doubtful"] == ["dni", "ore"]
    assert "words" in todo(provisional)


def test_who_may(provisional: Any) -> None:
    """Neither a player nor a stranger rules, even with the code; the GM doesn't without."""
    mail = asked(provisional)
    line = "gm rule Eriwan accept ORE"
    assert "nehme ich nur von der Spielleitung" in answers(provisional, mail, line, sender=address_of(BERND))
    provisional.writes("Xaver", line, sender="xaver@spieler.example", subject=mail.subject, in_reply_to=mail.message_id)
    provisional.writes("Cici", line, sender=GM, subject="Wörter")
    provisional.writes("Cici", "Ja", sender=GM, subject="Wörter")
    provisional.tick()
    texts = {recipient: provisional.said(answer) for recipient, answer in provisional.mails()}
    assert "Zu deiner Antwort gibt es gerade keine offene Frage" in texts[GM]
    assert "getan" not in texts.get("xaver@spieler.example", "")
    assert provisional.rows(Ruling) == []


def test_without_a_code_the_thread_tells(provisional: Any) -> None:
    """A reply whose subject was changed belongs to the mail that it answers; without both it is refused."""
    mail = asked(provisional)
    line = "gm rule Eriwan accept ORE"
    assert "Zu dieser Zeile gehört die Mail" in answers(provisional, mail, line, subject="Wörter", in_reply_to="")
    assert "ist erledigt" in answers(provisional, mail, line, subject="Wörter")


def test_wrong_codes(provisional: Any) -> None:
    """A code that was never given is refused, however often; the right one counts all the same."""
    mail = asked(provisional)
    line = "gm rule Eriwan accept ORE"
    for _ in range(5):
        assert "habe ich dir nicht gestellt" in answers(provisional, mail, line, subject="[Frage ABCDEFGH]")
    assert provisional.rows(Ruling) == []
    assert "ist erledigt" in answers(provisional, mail, line)


# -- the other kinds -----------------------------------------------------------------------------------------------


def test_release(begin: Any) -> None:
    """A bulletin is released by reply, with a foreword in which nothing is read."""
    zine = begin("started", deadlines={"release": "gm"})
    actions.close(zine.app, "Eriwan", zine.now)
    mail = asked(zine)
    foreword = "gm release Eriwan\nHallo!\nStand Eriwan\nEnde\nGruß\n"
    zine.writes("Cici", foreword, sender=GM, subject=f"Re: {mail.subject}")
    zine.tick()
    mails = zine.mails()
    bulletins = [one for recipient, one in mails if recipient != GM]
    assert len(bulletins) == 6
    assert all("Hallo!" in one.text and "Stand Eriwan" in one.text for one in bulletins)
    assert len(mails) == 7


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("form", FORMS)
def test_release_by_yes(begin: Any, form: str) -> None:
    """`Ja` releases without a foreword; `Nein` doesn't tick it off, for the game would wait for ever."""
    zine = begin("started", deadlines={"release": "gm"})
    actions.close(zine.app, "Eriwan", zine.now)
    mail = asked(zine)
    assert "»Nein« bietet diese Mail nicht an" in answers(zine, mail, "Nein", form)
    zine.writes("Cici", FORMS[form].format("", line="Ja", quoted=quoted(mail), original=mail.text), sender=GM,
                subject="AW: " + mail.subject)  # fmt: skip
    zine.tick()
    assert len([one for recipient, one in zine.mails() if recipient != GM]) == 6
    assert zine.rows(Turn)[-1].foreword == ""


def test_release_and_words_of_one_step(begin: Any) -> None:
    """Of two mails about one step each is answered for itself, by thread alone."""
    zine = begin("last round", deadlines={"release": "gm"})
    zine.writes(ANNA, zine.block(ANNA, "", None) + "rot+dni / in 6\nSumme 6\n")
    zine.tick()
    zine.mails()
    actions.close(zine.app, "Eriwan", zine.now)
    release, words = sorted(mails_to(zine, GM), key=lambda mail: "Freigabe" not in mail.subject)
    assert "ist erledigt" in answers(zine, words, "gm rule Eriwan accept DNI", subject="Wort")
    assert "Die Bulletins sind unterwegs" in answers(zine, release, "Ja", subject="Los")
    assert zine.status == "finished"


def test_an_extension(eriwan: Any) -> None:
    """A wish for more time is granted with `Ja`, or with another span; `Nein` tells the player."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    mail = asked(eriwan)
    assert "gm zat Eriwan +3d" in mail.text
    assert todo(eriwan)["extension"].startswith("gm zat Eriwan +3d; else gm todo --done ")
    assert "Der ZAT ist Donnerstag, 19.11.2026, 20:00 Uhr" in answers(eriwan, mail, "Ja")
    assert eriwan.zat.isoformat() == "2026-11-19T20:00:00+01:00"
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    assert "Der ZAT ist Dienstag, 24.11.2026, 20:00 Uhr" in answers(eriwan, asked(eriwan), "gm zat Eriwan +5d")
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    mail = asked(eriwan)
    eriwan.writes("Cici", "Nein\n", sender=GM, subject=f"Re: {mail.subject}")
    eriwan.tick()
    texts = {recipient: eriwan.said(one) for recipient, one in eriwan.mails()}
    assert "Der ZAT von »Eriwan« bleibt, wie er ist" in texts[address_of(ANNA)]
    assert "abgehakt" in texts[GM]
    assert todo(eriwan) == {}


def test_an_extension_of_a_closed_round(eriwan: Any) -> None:
    """With its round a wish for more time is settled: a late `Ja` moves no other ZAT."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    mail = asked(eriwan)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    eriwan.tick()
    eriwan.mails()
    before = eriwan.zat
    assert "schon erledigt" in answers(eriwan, mail, "Ja")
    assert (eriwan.zat, todo(eriwan)) == (before, {})


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(("line", "ends"), [("gm close Eriwan", 2), ("gm zat Eriwan +12d", 1)])
def test_after_an_outage(begin: Any, line: str, ends: int) -> None:
    """What fell due while no mail could be fetched: the GM closes it, or gives a new ZAT that lies ahead."""
    zine = begin("started", deadlines={"outage": "24h"})
    zine.tick()
    zine.at("2026-11-25T12:00:00+01:00")
    mail = asked(zine)
    assert {"gm close Eriwan", "gm zat Eriwan +3d"} <= {one.strip() for one in mail.text.splitlines()}
    assert "ist erledigt" in answers(zine, mail, line)
    assert (zine.round, zine.show()["held"], todo(zine)) == (ends, None, {})


def test_the_offer_is_no_time_that_has_passed(begin: Any) -> None:
    """The ZAT that is offered after an outage can be taken as it stands."""
    zine = begin("started", deadlines={"outage": "24h"})
    zine.tick()
    zine.at("2026-11-25T21:00:00+01:00")
    mail = asked(zine)
    offer = next(line.strip() for line in mail.text.splitlines() if line.strip().startswith("gm zat"))
    assert "ist erledigt" in answers(zine, mail, offer)
    assert zine.zat.isoformat() == "2026-11-28T20:00:00+01:00"


def test_a_vacancy(eriwan: Any) -> None:
    """For a free seat the GM names somebody, or lets the others play on; the placeholders are no name."""
    eriwan.writes(FRIDA, "Abmeldung Eriwan\n")
    left, vacancy = sorted(mails_to(eriwan, GM), key=lambda mail: "übernimmt" in mail.subject)
    assert "gm todo --done" in left.text
    assert 'gm standby Eriwan "Frida Groß" NAME ADRESSE' in vacancy.text
    refused = answers(eriwan, vacancy, 'gm standby Eriwan "Frida Groß" NAME ADRESSE')
    assert "Einen Mitspieler »NAME ADRESSE« gibt es noch nicht" in refused
    assert "bietet diese Mail nicht an" in answers(eriwan, vacancy, 'gm standby Eriwan "Anna Berg" --none')
    done = answers(eriwan, vacancy, "gm standby Eriwan „Frida Groß“ Gerda Hahn gerda@spieler.example")
    assert "Gerda Hahn hat in Eriwan den Platz von Frida Groß übernommen" in done
    assert eriwan.seat("Gerda Hahn")["history"] == [FRIDA, "Gerda Hahn"]
    assert todo(eriwan) == {}


def test_the_end_for_good_is_asked_about(begin: Any) -> None:
    """With two left `--none` would end the game: the GM is asked by mail, and `Ja` does it."""
    zine = begin("empty")
    seating.start(zine.app, "combinato", "Riga", (ANNA, BERND))
    actions.enter_move(zine.app, "Riga", ANNA, "Geheim: BILD")
    zine.tick()
    zine.mails()
    zine.writes(BERND, "Abmeldung Riga\n")
    _, vacancy = sorted(mails_to(zine, GM), key=lambda mail: "übernimmt" in mail.subject)
    zine.writes("Cici", 'gm standby Riga "Bernd Cordes" --none', sender=GM, subject=f"Re: {vacancy.subject}")
    (question,) = mails_to(zine, GM)
    assert "Soll die Partie zu Ende sein?" in question.subject
    assert "Ohne Bernd Cordes wäre »Riga« endgültig zu Ende: gewonnen hätte Anna Berg" in zine.said(question)
    assert "ending" in todo(zine)
    assert [game.status for game in zine.rows(Game)] == ["running"]
    assert "Riga ist ohne Bernd Cordes zu Ende" in answers(zine, question, "Ja")
    assert [game.status for game in zine.rows(Game)] == ["finished"]
    assert todo(zine) == {}


BY_NAME = [
    "gm standby Eriwan frida Gerda Hahn gerda@spieler.example",
    "gm standby ERIWAN Frida Groß Gerda Hahn gerda@spieler.example",
    'gm standby eriwan „frida groß“ "Gerda Hahn" gerda@spieler.example',
]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("line", BY_NAME)
def test_the_first_name_is_enough(eriwan: Any, line: str) -> None:
    """In a line that a mail has offered, the first name will do, and a whole name without quotes; in any case."""
    eriwan.writes(FRIDA, "Abmeldung Eriwan\n")
    _, vacancy = sorted(mails_to(eriwan, GM), key=lambda mail: "übernimmt" in mail.subject)
    assert "Gerda Hahn hat in Eriwan den Platz von Frida Groß übernommen" in answers(eriwan, vacancy, line)


def test_a_first_name_is_of_whom_the_mail_tells(eriwan: Any) -> None:
    """Neither another player's first name nor a part of one stands for the player whom a mail is about."""
    eriwan.writes(FRIDA, "Abmeldung Eriwan\n")
    _, vacancy = sorted(mails_to(eriwan, GM), key=lambda mail: "übernimmt" in mail.subject)
    for line in ("gm standby Eriwan Anna --none", "gm standby Eriwan Fri --none", "gm standby Eriwan Groß --none"):
        assert "bietet diese Mail nicht an" in answers(eriwan, vacancy, line)
    assert "geht ohne Frida Groß weiter" in answers(eriwan, vacancy, "gm standby Eriwan Frida --none")


TIMES = {
    "gm zat Eriwan -3d": "13.11.2026", "gm zat eriwan -3 Tage": "13.11.2026",
    "gm zat Eriwan +3 Tage": "19.11.2026", "gm zat eriwan 3d": "19.11.2026", "gm zat Eriwan +1 Woche": "23.11.2026",
    "gm zat Eriwan 24.12.": "24.12.2026", "GM ZAT ERIWAN 24.12.2026 18:00": "24.12.2026",
    "gm zat Eriwan Freitag 18:00": "06.11.2026", "gm zat Eriwan übermorgen": "04.11.2026",
}  # fmt: skip


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("line", TIMES)
def test_times_as_people_write_them(eriwan: Any, line: str) -> None:
    """Spans and days by mail are read as at the command line."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 2d\n")
    assert TIMES[line] in answers(eriwan, asked(eriwan), line)


@pytest.mark.parametrize("is_code", [True, False], ids=["code", "line"])
def test_codes_in_any_case(eriwan: Any, is_code: bool) -> None:
    """A code in small letters is the same code, in the subject and in the line that ticks off."""
    eriwan.writes(ANNA, "GM: Wann ist Schluss?\n")
    mail = asked(eriwan)
    (code,) = CODE.findall(mail.subject)
    if is_code:
        said = answers(eriwan, mail, "Ja", subject=f"re: [frage {code.lower()}]", in_reply_to="")
    else:
        said = answers(eriwan, mail, f"gm todo --done {code.lower()}", subject="Hallo")
    assert "abgehakt" in said


def test_what_only_informs(eriwan: Any) -> None:
    """A player's words, a late move: `Ja`, `Nein` or the line tick them off, and only them."""
    for line in ("Ja", "Nein", ""):
        eriwan.writes(ANNA, "GM: Wann ist Schluss?\n")
        mail = asked(eriwan)
        code = CODE.search(mail.subject)
        assert code
        assert f"gm todo --done {code[1]}" in mail.text
        assert todo(eriwan)["text"].endswith(f"; then gm todo --done {code[1]}")
        said = answers(eriwan, mail, line or f"gm todo --done {code[1]}")
        assert "abgehakt" in said or "ticked off" in said
        assert todo(eriwan) == {}


def test_an_appeal(provisional: Any) -> None:
    """An appeal is ruled on by reply, with a reason for the players, and settled."""
    asked(provisional)
    provisional.writes(BERND, "Einspruch Eriwan ROT: ist ein Farbwort\n")
    mail = asked(provisional)
    assert "ist erledigt" in answers(provisional, mail, 'gm rule Eriwan reject ROT --note "doch nicht"')
    assert "appeal" not in todo(provisional)


def test_one_mail_with_several_matters(eriwan: Any) -> None:
    """What one mail puts before the GM is one notice; each line in it answers its own, a bare Ja none (mail.md)."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 2d\n\nGM: Was ist mit dem Archiv?\n")
    mail = asked(eriwan)
    assert "bittet um mehr Zeit" in mail.subject
    said = eriwan.said(mail)
    assert "gm zat Eriwan +2d" in said
    assert "Was ist mit dem Archiv?" in said
    assert "Antworte mit »Ja«" not in said
    for word in ("Ja", "Nein"):
        refused = answers(eriwan, mail, word)
        assert f"»{word}« bietet diese Mail nicht an" in refused
        assert "gm zat Eriwan +2d" in refused
        assert "gm todo --done" in refused
    assert set(todo(eriwan)) == {"extension", "text"}
    assert "ist erledigt" in answers(eriwan, mail, "gm zat Eriwan +2d")
    assert set(todo(eriwan)) == {"text"}
    (line,) = re.findall(r"gm todo --done \w{8}", said)
    assert "ist erledigt" in answers(eriwan, mail, line)
    assert todo(eriwan) == {}
    assert "schon erledigt" in answers(eriwan, mail, line)


def test_one_mail_with_two_words_to_the_gm(eriwan: Any) -> None:
    """Two things that are only to be read are ticked off together."""
    eriwan.writes(ANNA, "GM: Erstens.\n\nGM: Zweitens.\n")
    mail = asked(eriwan)
    assert re.search(r"Erstens\..*Zweitens\.", eriwan.said(mail))
    assert "abgehakt" in answers(eriwan, mail, "Ja")
    assert todo(eriwan) == {}


def test_matters_of_two_gms(begin: Any) -> None:
    """What concerns a game in which the GM plays goes to the second GM, the rest of the same mail to the first."""
    zine = _seat_the_gm(begin("empty", service={"second_gm": f"Zweite <{SECOND}>"}))
    zine.writes(ANNA, "Urlaub 24.12.2026 - 27.12.2026\nVerlängerung Havanna 2d\n")
    zine.tick()
    told = {recipient: zine.said(mail) for recipient, mail in zine.mails()}
    assert ("gm zat Havanna" in told[SECOND], "gm zat Havanna" in told[GM]) == (True, False)
    assert ("meldet zum Urlaub" in told[SECOND], "meldet zum Urlaub" in told[GM]) == (False, True)


@pytest.mark.tampers
def test_quarantine(eriwan: Any) -> None:
    """A mail that could not be read is tried again or dropped by reply."""
    eriwan.writes(ANNA, "GM: Hallo\n")
    code = CODE.search(asked(eriwan).subject)
    assert code
    tick_off(eriwan.app, code[1])
    with eriwan.writing() as session:
        row = session.get_one(MailIn, eriwan.received()[-1].id)
        row.status, row.reason = "quarantined", "MailError"
        about = About(mail=row, cause=f"mail:{row.id}")
        offers = [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]
        gm_list.tell(eriwan.app, session, "quarantine", "why", about, offers)
    mail = asked(eriwan)
    assert "bietet diese Mail nicht an" in answers(eriwan, mail, "gm mail drop 9999")
    assert "ist weggelegt" in answers(eriwan, mail, f"gm mail drop {row.id}")
    assert todo(eriwan) == {}
    assert eriwan.received()[-3].status == "ignored"


# -- two GMs, a GM who plays ---------------------------------------------------------------------------------------


@pytest.fixture
def playing(begin: Any) -> Any:
    """Havanna, in which Cici, the GM, plays; there is no second GM."""
    return _seat_the_gm(begin("empty"))


def _seat_the_gm(zine: Any) -> Any:
    actions.new_game(zine.app, "crossword", "Havanna")
    for name, wish in zip(PLAYERS[:5], "DNTIR", strict=True):
        seating.join(zine.app, "Havanna", name, address_of(name), wish)
    seating.join(zine.app, "Havanna", "Cici Beilken", GM, "O")
    actions.start(zine.app, "Havanna")
    zine.tick()
    zine.mails()
    return zine


BLOCK = "Crossword Havanna\nNeu: E\nDNTIRO\n......\n......\n......\n......\n......\n"


def test_the_second_gm(begin: Any) -> None:
    """What concerns a game in which the GM plays goes to the second one, who may answer; other games' don't."""
    zine = _seat_the_gm(begin("empty", service={"second_gm": f"Zweite <{SECOND}>"}))
    zine.writes(ANNA, "Verlängerung Havanna 3 Tage\n")
    mail = asked(zine, SECOND)
    assert "ist erledigt" in answers(zine, mail, "Ja", sender=SECOND)
    actions.close(zine.app, "Havanna", zine.now)
    zine.tick()
    zine.mails()
    zine.writes(ANNA, "GM: Hallo\n", subject="nur so")
    zine.tick()
    assert GM in {recipient for recipient, _ in zine.mails()}


def test_the_second_gm_sees_late_moves(begin: Any) -> None:
    """The second GM reads the late move that the playing one doesn't get."""
    zine = _seat_the_gm(begin("empty", service={"second_gm": f"Zweite <{SECOND}>"}))
    actions.close(zine.app, "Havanna", zine.now)
    zine.writes(ANNA, BLOCK)
    zine.tick()
    mails = dict(zine.mails())
    assert "DNTIRO" in mails[SECOND].text
    assert "kam zu spät" not in mails[GM].subject


def test_a_playing_gm_sees_no_late_move(playing: Any) -> None:
    """Alone, the playing GM is told of a late move, but not what it was; neither by mail nor by `gm todo`."""
    actions.close(playing.app, "Havanna", playing.now)
    playing.writes(ANNA, BLOCK)
    playing.tick()
    mails = playing.mails()
    answer = next(mail for recipient, mail in mails if recipient == address_of(ANNA) and "verspätet" in mail.subject)
    assert "kann ihn aber sehen" not in playing.said(answer)
    mail = next(mail for recipient, mail in mails if recipient == GM and "kam zu spät" in mail.subject)
    assert "Du spielst selbst mit, darum steht er hier nicht." in playing.said(mail)
    assert "DNTIRO" not in mail.text
    with playing.app.database.read() as session:
        assert "DNTIRO" not in str(waiting_for_gm(playing.app, session))
    assert [row.payload["text"] for row in playing.rows(Question)] == [""]


def test_bulletins_say_so(playing: Any) -> None:
    """Where the GM plays every bulletin says it."""
    actions.close(playing.app, "Havanna", playing.now)
    playing.tick()
    assert all("spielt" in mail.text and "mit" in mail.text for _, mail in playing.mails())


def test_a_playing_gms_own_mails(playing: Any) -> None:
    """The playing GM moves, asks and answers like anybody, and a reply to the own bulletin is no desk."""
    actions.close(playing.app, "Havanna", playing.now)
    bulletin = asked(playing)
    playing.writes("Cici", "Stand Havanna\n", sender=GM)
    assert "Havanna" in asked(playing).subject
    said = answers(playing, bulletin, "gm close Havanna")
    assert "Zu dieser Zeile gehört die Mail" in said


def test_abort_settles(eriwan: Any) -> None:
    """What was asked about a game that is broken off is settled; its mail says so to whom answers late."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    mail = asked(eriwan)
    actions.abort(eriwan.app, "Eriwan", "no time")
    eriwan.tick()
    eriwan.mails()
    assert todo(eriwan) == {}
    assert "schon erledigt" in answers(eriwan, mail, "Ja")


def test_the_end_settles(begin: Any) -> None:
    """With the last closing nobody waits any more for a ZAT or a standby; appeals and words do."""
    zine = begin("last round")
    zine.writes(BERND, "Verlängerung Eriwan 3 Tage\n")
    zine.tick()
    assert {"extension", "vacancy"} <= set(todo(zine))
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    assert todo(zine) == {}
