"""Every command in interface.md's table, in German and English, alone and with others; and misspelt commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Game, Player, Press, Question, Sheet, Standby, Vacation, Watcher

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"


class Row(NamedTuple):
    """A command in both languages, what the answer says, and what is true afterwards."""

    german: str
    english: str
    said: tuple[str, str]
    brings: Callable[[Any], bool] = lambda _: True
    before: Callable[[Any], None] = lambda _: None


def player(zine: Any, name: str = ANNA) -> Player:
    """Load a player."""
    return next(one for one in zine.rows(Player) if one.name == name)


def has_question(zine: Any, kind: str) -> bool:
    """Return whether something of this kind was asked."""
    return kind in [question.kind for question in zine.rows(Question)]


def second_game(zine: Any) -> None:
    """Open Havanna, for everybody to see."""
    actions.new_game(zine.app, "crossword", "Havanna")


def move(zine: Any) -> None:
    """Let Anna have a move on file."""
    zine.sends(ANNA, "DN")
    zine.tick()


def watching(zine: Any) -> None:
    """Let Anna watch Havanna."""
    second_game(zine)
    zine.writes(ANNA, "Beobachten Havanna\n")
    zine.tick()


def standing_by(zine: Any) -> None:
    """Let Anna be a standby."""
    zine.writes(ANNA, "Standby\n")
    zine.tick()


ROWS = {
    "help": Row("Hilfe", "Help", ("Ein Befehl steht allein", "A command goes on a line of its own")),
    "help about a game": Row("Hilfe Crossword", "Help Crossword", ("Regeln und Form", "rules, and how to write")),
    "games": Row("Spiele", "Games", ("Crossword, Runde 1", "Crossword, round 1")),
    "my games": Row("Meine Partien", "My games", ("dein Zug fehlt noch", "your move is missing")),
    "join": Row("Anmeldung Crossword Havanna\nNeu: D", "Join Crossword Havanna\nNeu: D", ("1 von 6", "1 of 6"),
                before=second_game),
    "resign": Row("Abmeldung Eriwan", "Resign Eriwan", ("spielst in »Eriwan« nicht mehr", "no longer play"),
                  lambda zine: has_question(zine, "resigned") or has_question(zine, "vacancy")),
    "status": Row("Stand Eriwan", "Status Eriwan", ("Dein Zug fehlt noch", "Your move is missing")),
    "history": Row("Protokoll Eriwan 0", "History Eriwan 0", ("Es geht los", "off we go")),
    "last history": Row("Protokoll Eriwan", "History Eriwan", ("Es geht los", "off we go")),
    "withdraw": Row("Zurückziehen Eriwan", "Withdraw Eriwan", ("zurückgezogen", "withdrawn"),
                    lambda zine: zine.on_file(ANNA) is None, move),
    "wait": Row("Warten Eriwan", "Wait Eriwan", ("bis zum ZAT", "will wait"), lambda zine: zine.seat(ANNA)["waiting"]),
    "ready": Row("Fertig Eriwan", "Ready Eriwan", ("darf vor dem ZAT", "may close before"),
                 lambda zine: not zine.seat(ANNA)["waiting"]),
    "vacation": Row("Urlaub 24.12.2026-06.01.2027", "Vacation 24.12.2026-06.01.2027", ("Schönen Urlaub", "Enjoy"),
                    lambda zine: len(zine.rows(Vacation)) == 1),
    "extension": Row("Verlängerung Eriwan 3 Tage", "Extension Eriwan 3 days", ("späteren ZAT", "later deadline"),
                     lambda zine: has_question(zine, "extension")),
    "standby": Row("Standby Crossword", "Standby Crossword", ("Liste der Ersatzspieler", "Liste der Ersatzspieler"),
                   lambda zine: [one.engine for one in zine.rows(Standby)] == ["crossword"]),
    "no standby": Row("kein Standby", "No standby", ("nicht mehr auf der Liste", "no longer on"),
                      lambda zine: not zine.rows(Standby), standing_by),
    "watch": Row("Beobachten Havanna", "Watch Havanna", ("die Bulletins von »Havanna«", "the bulletins of “Havanna”"),
                 lambda zine: len(zine.rows(Watcher)) == 1, second_game),
    "unwatch": Row("nicht beobachten Havanna", "Unwatch Havanna", ("nicht mehr", "no more"),
                   lambda zine: not zine.rows(Watcher), watching),
    "press": Row("Presse Eriwan\nHallo!\nEnde", "Press Eriwan\nHallo!\nEnd", ("gezeichnet mit", "signed Anna"),
                 lambda zine: [one.text for one in zine.rows(Press)] == ["Hallo!"]),
    "appeal": Row("Einspruch Eriwan TIN: steht im Duden", "Appeal Eriwan TIN: it is in the Duden",
                  ("Einspruch zu", "appeal about"), lambda zine: has_question(zine, "appeal")),
    "to the GM": Row("GM: Guten Tag!", "GM: Guten Tag!", ("ist bei Cici", "ist bei Cici"),
                     lambda zine: has_question(zine, "text")),
    "digest off": Row("Digest aus", "Digest off", ("kommt nicht mehr", "will not come"),
                      lambda zine: player(zine).digest == "off"),
    "digest monthly": Row("Digest monatlich", "Digest monthly", ("einmal im Monat", "once a month"),
                          lambda zine: player(zine).digest == "monthly"),
    "digest on": Row("Digest an", "Digest on", ("jede Woche", "every week"),
                     lambda zine: player(zine).digest == "weekly"),
    "archive name, full": Row("Archivname voll", "Archive name full", ("»Anna Berg«, auch", "“Anna Berg” from"),
                              lambda zine: player(zine).name_form == "full"),
    "archive name, short": Row("Archivname: kurz", "Archive name: initial", ("»Anna B.«", "“Anna B.” from"),
                               lambda zine: player(zine).name_form == "initial"),
    "archive name as it is": Row("Archivname", "Archive name", ("heißt du »Anna B.«. So", "you are “Anna B.”. To"),
                                 lambda zine: player(zine).name_form == ""),
    "address": Row("Adresse neu@spieler.example", "Address neu@spieler.example", ("beiden Adressen", "both addresses"),
                   lambda zine: has_question(zine, "address")),
    "yes": Row("Ja", "Yes", ("keine offene Frage", "no open question")),
    "no": Row("Nein", "No", ("keine offene Frage", "no open question")),
}  # fmt: skip


@pytest.mark.trust(except_first=len(ROWS))
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("language", [0, 1], ids=["de", "en"])
@pytest.mark.parametrize("where", ["body", "subject", "reply"])
def test_every_command(eriwan: Any, row: Row, language: int, where: str) -> None:
    """Each command does what the table says, is answered once and in its language, wherever it stands."""
    row.before(eriwan)
    eriwan.mails()
    text = (row.german, row.english)[language]
    if where == "body":
        eriwan.writes(ANNA, f"{text}\n", subject="Hallo")
    elif where == "subject":
        head, _, rest = text.partition("\n")
        eriwan.writes(ANNA, f"{rest}\n", subject=head)
    else:
        old = eriwan.outgoing(kind="start", address=address_of(ANNA))[0]
        quoted = "".join(f"> {line}\n" for line in ("Hallo zusammen,", "Stand Eriwan", "Neu:", "......"))
        eriwan.writes(
            ANNA, f"{text}\n\nAm 02.11.2026 um 12:00 schrieb Dottendorfer Soccer:\n{quoted}",
            subject="Re: [Eriwan] Es geht los", in_reply_to=old.message_id,
        )  # fmt: skip
    eriwan.tick()
    sent = [mail for recipient, mail in eriwan.mails() if recipient == address_of(ANNA)]
    assert len(sent) == 1, [mail.subject for mail in sent]
    assert row.said[language].lower() in eriwan.said(sent[0]).lower()
    assert row.brings(eriwan)


@pytest.mark.parametrize(("command", "said"), [("Sprache en", "you in English"), ("Language de", "auf Deutsch")])
def test_a_language_is_chosen(eriwan: Any, command: str, said: str) -> None:
    """`Sprache en` is answered in English, and so is all that comes later."""
    eriwan.writes(ANNA, f"{command}\n")
    assert said in eriwan.reply(ANNA)
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    subject = eriwan.gets(ANNA).subject
    assert ("Round 1" in subject or "round 1" in subject) == command.endswith("en")


MANY = """Hallo Cici,

{block}

Warten Eriwan
Stand Tiflis
Digest aus
Archivname kurz
Presse Eriwan
Wer wünscht sich hier dauernd E?
Stand Eriwan
Ende
Sprahce en
Standby

Viele Grüße
Anna
"""


def test_many_commands_in_a_mail(eriwan: Any) -> None:
    """A move and eight lines are answered by one mail: what was done, what not and why, what was not understood."""
    eriwan.writes(ANNA, MANY.format(block=eriwan.block(ANNA, "DN")))
    mail = eriwan.answer(ANNA)
    said = eriwan.said(mail)
    assert mail.subject == "[Eriwan] Zug Runde 1 angekommen – NICHT angenommen: Stand Tiflis, Sprahce en"
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert eriwan.seat(ANNA)["waiting"]
    assert (player(eriwan).digest, player(eriwan).name_form, player(eriwan).language) == ("off", "initial", "")
    assert [press.text for press in eriwan.rows(Press)] == ["Wer wünscht sich hier dauernd E?\nStand Eriwan"]
    assert len(eriwan.rows(Standby)) == 1
    assert "In einer Partie »Tiflis« spielst du" in said
    assert "Die Zeile »Sprahce en« habe ich nicht verstanden. Meinst du vielleicht »Sprache en«?" in said
    headings = re.findall(r"^  ZU »(.*)«", mail.text, re.MULTILINE)
    assert headings == ["WARTEN ERIWAN", "STAND TIFLIS", "DIGEST AUS", "ARCHIVNAME KURZ", "PRESSE ERIWAN", "STANDBY"]
    for line in headings:
        assert f"Zu »{line}«".lower() in mail.html.lower()


def test_two_answers_need_no_headings(eriwan: Any) -> None:
    """Up to two parts are told apart without a heading."""
    eriwan.writes(ANNA, "Warten Eriwan\nDigest aus\n")
    assert "ZU »" not in eriwan.answer(ANNA).text


def test_the_first_language_named_is_the_answers(eriwan: Any) -> None:
    """One mail is answered in one language: that of its first command that has one."""
    eriwan.writes(ANNA, "Games\nDigest aus\n")
    said = eriwan.reply(ANNA)
    assert "The digest will not come" in said


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Zurückziehn Eriwan", "Zurückziehen Eriwan"), ("Satnd Eriwan", "Stand Eriwan"),
        ("Statsu Eriwan", "Status Eriwan"), ("Protokol Eriwan 3", "Protokoll Eriwan 3"),
        ("Sprache fr", "Sprache en"), ("Anmeldnug Crosword Eriwan", "Anmeldung Crossword Eriwan"),
        ("Beobahcten Eriwan", "Beobachten Eriwan"),
    ],
)  # fmt: skip
def test_a_typo_is_answered_with_the_nearest(eriwan: Any, line: str, meant: str) -> None:
    """A slip alone in a mail is answered with the command that is nearest, and bothers no GM."""
    eriwan.writes(ANNA, f"{line}\n")
    eriwan.tick()
    ((recipient, mail),) = eriwan.mails()
    assert recipient == address_of(ANNA)
    assert f"»{meant}«" in eriwan.said(mail) or f"“{meant}”" in eriwan.said(mail)


def test_a_typo_beside_a_move(eriwan: Any) -> None:
    """A slip beside a move stops nothing: the move counts, the slip is told."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN") + "\nWraten Eriwan\n")
    said = eriwan.reply(ANNA)
    assert "»Warten Eriwan«" in said
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_typo_beside_free_text(eriwan: Any) -> None:
    """Free text beside a slip goes to the GM; both are said in one answer."""
    eriwan.writes(ANNA, "Sprache fr\n\nIst am 24.12. wirklich ZAT? Da bin ich nämlich verreist.\n")
    eriwan.tick()
    sent = dict(eriwan.mails())
    assert set(sent) == {GM, address_of(ANNA)}
    assert "»Sprache en«" in eriwan.said(sent[address_of(ANNA)])
    assert "wirklich ZAT" in eriwan.said(sent[GM])


@pytest.mark.parametrize("command", ["Stand", "Protokoll", "Zurückziehen", "Abmeldung", "Fertig", "Anmeldung"])
def test_a_misspelt_name_is_answered_with_the_nearest(eriwan: Any, command: str) -> None:
    """A game's name with a slip is answered with that of one's own game, and nothing is done."""
    eriwan.writes(ANNA, f"{command} Erivan\n")
    assert "Meinst du »Eriwan«?" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


def test_a_misspelt_name_of_a_game_to_watch(eriwan: Any) -> None:
    """Which games run is no secret: everybody is told the nearest, also to stop watching."""
    second_game(eriwan)
    for command in ("Beobachten Havana\n", "nicht beobachten Havana\n"):
        eriwan.writes(ANNA, command)
        assert "Meinst du »Havanna«?" in eriwan.reply(ANNA)


def test_somebody_elses_game_is_no_nearest(eriwan: Any) -> None:
    """A running game in which one doesn't sit is never given away."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    with eriwan.writing() as session:
        game = session.get_one(Game, 2)
        game.status = "finished"
        session.add(game)
    eriwan.writes(ANNA, "Stand Havana\n")
    assert "Havanna" not in eriwan.reply(ANNA)


COMMANDS = {
    "de": ("Hilfe", "Spiele", "Anmeldung", "Abmeldung", "Stand", "Protokoll", "Zurückziehen", "Warten", "Fertig",
           "Urlaub", "Verlängerung", "Standby", "kein Standby", "Beobachten", "nicht beobachten", "Presse",
           "Presse anonym", "Einspruch", "GM:", "Digest", "monatlich", "Sprache", "Archivname", "Adresse",
           "Meine Partien", "Ja", "Nein"),
    "en": ("Help", "Games", "Join", "Resign", "Status", "History", "Withdraw", "Wait", "Ready", "Vacation",
           "Extension", "Standby", "No standby", "Watch", "Unwatch", "Press", "Press anonymous", "Appeal", "GM:",
           "Digest", "monthly", "Language", "Archive name", "Address", "My games",
           "Yes", "No"),
}  # fmt: skip


@pytest.mark.parametrize("language", COMMANDS)
def test_help_names_every_command(eriwan: Any, language: str) -> None:
    """The help leaves no command out."""
    eriwan.writes(ANNA, f"{COMMANDS[language][0]}\n")
    mail = eriwan.answer(ANNA)
    for command in COMMANDS[language]:
        assert re.search(rf"(^  |[»“]){re.escape(command)}(?!\w)", mail.text, re.MULTILINE), command


@pytest.mark.parametrize("later", [0, 2, 8])
def test_dates_count_from_the_day_on_which_the_mail_came(eriwan: Any, later: int) -> None:
    """A mail that is handled days later means the days that its writer meant (simpler.md, B7)."""
    came = eriwan.app.now().date()
    sunday = came + timedelta(days=(6 - came.weekday() - 1) % 7 + 1)
    eriwan.writes(ANNA, "Urlaub bis Sonntag\n")
    eriwan.passes(days=later)
    eriwan.tick()
    assert [(one.first, one.last) for one in eriwan.rows(Vacation)] == [(came, sunday)]


@pytest.mark.parametrize("line", ["Warten lohnt", "Fertig gepackt", "stand heute"])
def test_running_text_is_no_command(eriwan: Any, line: str) -> None:
    """A word that no game has for a name makes a line prose: it goes to the GM, and nothing is done (B7)."""
    eriwan.writes(ANNA, f"{line}\n")
    eriwan.tick()
    assert not eriwan.seat(ANNA)["waiting"]
    assert line in next(eriwan.said(mail) for to, mail in eriwan.mails() if to != address_of(ANNA))
