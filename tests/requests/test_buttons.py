"""Buttons: what a click sends is understood as the answer, from who was asked, without the thread of the question."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import seating
from zines import SHARED, seat_couple

from games.api import Played, Seat
from games.shared.phrases import plain
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.messages import gm_list
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.tables import Player, Question, Ruling

ANNA, BERND, CARLA, DORA = PLAYERS[:4]
XAVER, GERDA = "Xaver Zorn", "Gerda Hahn"
GM = "cici@postspiel.example"
STRICT = {"sender": "authenticated", "trusted_authserv": ["mx.example.org"]}
BUTTON = re.compile(r'<a href="(mailto:[^"]*)" style="display:inline-block[^>]*><b>([^<]*)</b>')


def buttons(mail: Any) -> dict[str, str]:
    """The buttons of a mail: where each leads, by what stands on it."""
    return {label: link.replace("&amp;", "&") for link, label in BUTTON.findall(mail.html)}


def click(zine: Any, mail: Any, label: str, sender: str, *, instead: str = "") -> dict[str, Any]:
    """Send what a button opens as a new mail, perhaps with another code; returns what goes out, by recipient."""
    link = urlsplit(buttons(mail)[label])
    fields = {key: values[0] for key, values in parse_qs(link.query, strict_parsing=True).items()}
    assert unquote(link.path) == GM_ADDRESS
    subject = fields["subject"].replace(code_of(mail), instead) if instead else fields["subject"]
    zine.writes("Somebody", fields["body"].replace("\r\n", "\n"), sender=sender, subject=subject)
    zine.tick()
    return dict(zine.mails())


def code_of(mail: Any) -> str:
    """The code in a subject."""
    return re.findall(r"\[(?:Frage|Question) (\w{8})\]", mail.subject)[0]


def question(zine: Any, mail: Any) -> Question:
    """The question that a mail asks."""
    return next(one for one in zine.rows(Question) if one.code == code_of(mail))


def sent(zine: Any, name: str, text: str, to: str = "", **more: Any) -> Any:
    """Let somebody write; returns the question that goes out to them, or to another address."""
    zine.writes(name, text, **more)
    zine.tick()
    return next(mail for got, mail in zine.mails() if got == (to or address_of(name)))


def offer(zine: Any) -> Any:
    """Let Dora miss two moves; returns the offer of the seat."""
    actions.add_standby(zine.app, GERDA, address_of(GERDA), None)
    for _ in range(2):
        zine.all_send(*(name for name in PLAYERS if name != DORA))
        zine.mails()
        zine.passes_until(zine.zat, seconds=1)
        zine.tick()
    return next(mail for to, mail in zine.mails() if to == address_of(GERDA))


def from_elsewhere(zine: Any) -> Any:
    """Let Anna's move come from an address that nobody knows."""
    text = zine.block(ANNA, "DN", head=(f"Name: {ANNA}",))
    return sent(zine, ANNA, text, address_of(ANNA), sender="anna@arbeit.example")


ASKED: dict[str, tuple[str, Callable[[Any], Any], str, str]] = {
    "newcomer": (address_of(XAVER), lambda zine: sent(zine, XAVER, "Beobachten Eriwan\n"), "Bulletins", "dann nicht"),
    "English": (address_of(XAVER), lambda zine: sent(zine, XAVER, "Watch Eriwan\n"), "bulletins of", "not this time"),
    "address": (address_of(ANNA), lambda zine: sent(zine, ANNA, "Adresse a@neu.example\n"), "fehlt noch", "bleibt"),
    "wish": (address_of(ANNA), lambda zine: sent(zine, ANNA, "Bin vom 20.12. bis 3.1. weg.\n"), "20.12.2026", "Cici"),
    "stranger": (address_of(ANNA), from_elsewhere, "Zug Runde 1 angekommen", "dann nicht"),
    "seat": (address_of(GERDA), offer, "Willkommen", "dann nicht"),
    "sender": (address_of(ANNA), lambda zine: sent(zine, ANNA, zine.block(ANNA, "DN")), "Runde 1 angekommen", "Cici"),
    "letter": (GM, lambda zine: sent(zine, "Cici", "An alle Eriwan: Hallo!\n", GM, sender=GM), "6", "nicht"),
    "extension": (GM, lambda zine: sent(zine, ANNA, "Verlängerung Eriwan 3 Tage\n", GM), "ZAT", "abgehakt"),
}  # fmt: skip
"""Each question: who is asked, how it comes about, and what the answers to yes and no say."""


@pytest.fixture
def asked(begin: Any, request: pytest.FixtureRequest) -> tuple[Any, str, Any]:
    """A zine, who was asked in it, and the mail that asks."""
    address, ask, *_ = ASKED[request.param]
    zine = begin("started", **({"security": STRICT} if request.param == "sender" else {}))
    return zine, address, ask(zine)


@pytest.mark.trust(except_first=6)
@pytest.mark.parametrize(("asked", "kind"), [(kind, kind) for kind in ASKED], indirect=["asked"])
@pytest.mark.parametrize("is_yes", [True, False], ids=["yes", "no"])
def test_a_click_is_the_answer(asked: tuple[Any, str, Any], kind: str, is_yes: bool) -> None:
    """Both buttons answer the question that the mail asks."""
    zine, address, mail = asked
    yes, no = buttons(mail)
    assert (yes, no) == (("Yes", "No") if kind == "English" else ("Ja", "Nein"))
    assert question(zine, mail).answered_at is None
    said = zine.said(click(zine, mail, yes if is_yes else no, address)[address])
    assert ASKED[kind][2 if is_yes else 3] in said
    assert question(zine, mail).answered_at is not None
    assert (question(zine, mail).answer == "no") != is_yes


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("asked", [*ASKED], indirect=True)
def test_nobody_else_answers(asked: tuple[Any, str, Any]) -> None:
    """Neither another player nor a stranger answers by the button, nor who forges the sender without the code."""
    zine, address, mail = asked
    before = [player.name for player in zine.rows(Player)]
    for label in buttons(mail):
        for sender in (address_of(BERND), "eve@fremd.example"):
            click(zine, mail, label, sender)
        click(zine, mail, label, address, instead="ABCDEFGH")
    assert question(zine, mail).answered_at is None
    assert [player.name for player in zine.rows(Player)] == before


def test_a_couple_says_by_name_whose_a_move_is(begin: Any) -> None:
    """Where the answer is a name, each of the two has a button."""
    zine = begin("empty", after=seat_couple)
    zine.sends(ANNA, "DN", sender=SHARED)
    zine.tick()
    mail = next(mail for to, mail in zine.mails() if to == SHARED and "Von wem" in mail.subject)
    assert [*buttons(mail)] == [ANNA, BERND]
    click(zine, mail, BERND, SHARED)
    assert zine.on_file(BERND) == ("dn", "E")


def test_who_says_neither_is_shown_the_buttons_again(eriwan: Any) -> None:
    """Words that are neither yes nor no go to the GM; the question is still open, and its buttons come once more."""
    mail = sent(eriwan, ANNA, "Bin vom 20.12. bis 3.1. weg.\n")
    again = sent(eriwan, ANNA, "Da frage ich erst meine Frau.\n", subject=f"Re: {mail.subject}")
    assert buttons(again) == buttons(mail)
    click(eriwan, again, "Ja", address_of(ANNA))
    assert question(eriwan, mail).answer == "yes"
    assert buttons(sent(eriwan, BERND, "Ja\n", subject=f"Re: {mail.subject}")) == {}, "Bernd wasn't asked"


def test_what_cannot_be_taken_back_shows_the_buttons_again(eriwan: Any) -> None:
    """A yes with more beside it, within a minute, is asked for once more; the buttons say nothing else."""
    mail = sent(eriwan, ANNA, "Adresse a@neu.example\n")
    again = sent(eriwan, ANNA, "Ja\n\nBin im Büro umgezogen.\n", subject=f"Re: {mail.subject}")
    assert "nur mit dem einen Wort" in eriwan.said(again)
    assert question(eriwan, mail).answered_at is None
    click(eriwan, again, "Ja", address_of(ANNA))
    assert question(eriwan, mail).answer == "yes"


def test_the_gm_ticks_off_and_releases(begin: Any) -> None:
    """What is only to be read has one button, and so has a bulletin that waits."""
    zine = begin("started", deadlines={"release": "gm"})
    mail = sent(zine, ANNA, "GM: Schöne Grüße!\n", GM)
    assert [*buttons(mail)] == ["Abhaken"]
    click(zine, mail, "Abhaken", address_of(BERND))
    assert question(zine, mail).answered_at is None
    click(zine, mail, "Abhaken", GM)
    assert question(zine, mail).answered_at is not None
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    release = next(mail for to, mail in zine.mails() if to == GM)
    assert "Freigeben" in buttons(release)
    assert address_of(ANNA) in click(zine, release, "Freigeben", GM)


# -- words to rule on --------------------------------------------------------------------------------------------------


def word_held(zine: Any) -> Any:
    """Let Carla lay a word that no list knows in a game in which nothing else lies; returns the GM's mail."""
    actions.new_game(zine.app, "point-typ-dom", "Riga")
    with zine.writing() as session:
        game_queries.named(session, "Riga").seed = "a move each"
    for name in PLAYERS[:4]:
        seating.join(zine.app, "Riga", name, address_of(name), None)
    actions.start(zine.app, "Riga")
    zine.tick()
    zine.mails()
    zine.writes(CARLA, "Point-Typ-Dom Riga\nStand: 1\nZ26 w GRIFX\n")
    zine.tick()
    return next(mail for _, mail in zine.mails() if "[Frage" in mail.subject)


@pytest.mark.parametrize(("label", "lies"), [("GRIFX gilt", True), ("GRIFX gilt nicht", False)])
def test_the_gm_rules_by_a_click(zine: Any, label: str, lies: bool) -> None:
    """The GM reads whose the word is, where it shall lie and what it is worth, and has a button for each ruling."""
    mail = word_held(zine)
    assert [*buttons(mail)] == ["GRIFX gilt", "GRIFX gilt nicht"]
    for part in (f"Von: {CARLA}", "Zug: 1", "Z26 w GRIFX, 19 Punkte"):
        assert part in " ".join(mail.text.split()), mail.text
    assert click(zine, mail, label, address_of(CARLA)).get(GM) is None, "Carla is no GM"
    assert zine.rows(Ruling) == []
    click(zine, mail, label, GM)
    assert [(one.word, one.accepted) for one in zine.rows(Ruling)] == [("GRIFX", lies)]


def test_a_gm_who_plays_reads_no_move(begin: Any) -> None:
    """Where the only GM plays, the mail says whose word waits, as all are told, and nothing of the move."""
    mail = word_held(begin("empty", service={"gm": f"Bernd <{address_of(BERND)}>"}))
    assert f"Von: {CARLA}" in " ".join(mail.text.split())
    assert "Z26" not in mail.text + mail.html


def test_several_words_have_two_buttons_each(begin: Any) -> None:
    """One click rules on one word; the others wait on, and the mail's other buttons still do."""
    zine = begin("started")
    with zine.writing() as session:
        game = game_queries.named(session, "Eriwan")
        played = [Played(seat=Seat(1), word="QXA", points=4, status="doubtful", where=plain("Z3"))]
        gm_list.ask_for_rulings(zine.app, session, game, "turn:1", ("QXA", "QXE"), played)
    zine.tick()
    mail = next(mail for to, mail in zine.mails() if to == GM)
    assert [*buttons(mail)] == ["QXA gilt", "QXA gilt nicht", "QXE gilt", "QXE gilt nicht"]
    assert f"1. QXA: {ANNA}, Z3, 4 Punkte 2. QXE Mit" in " ".join(mail.text.split())
    click(zine, mail, "QXE gilt nicht", GM)
    assert question(zine, mail).answered_at is None
    click(zine, mail, "QXA gilt", GM)
    assert {one.word: one.accepted for one in zine.rows(Ruling)} == {"QXE": False, "QXA": True}
    assert question(zine, mail).answered_at is not None


# -- lists of games ----------------------------------------------------------------------------------------------------

PAGE = "https://example.org/ds/partien/eriwan/"
PUBLISHED = {"base_url": "https://example.org/ds/"}
LISTS: dict[str, Callable[[Any], Any]] = {
    "my games": lambda zine: sent(zine, ANNA, "Meine Partien\n"),
    "games": lambda zine: sent(zine, ANNA, "Spiele\n"),
    "digest": lambda zine: on_sunday(zine),
}


def on_sunday(zine: Any) -> Any:
    """Let the digest come; returns Anna's."""
    zine.at("2026-11-08T18:00:00+01:00")
    zine.tick()
    return next(mail for to, mail in zine.mails() if to == address_of(ANNA))


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_leads_to_each_games_page(begin: Any, kind: str) -> None:
    """Where the archive is published, a game's page is linked in HTML and named in the text, once; else nothing is."""
    mail = LISTS[kind](begin("started", archive=PUBLISHED, digest={"weekday": "sunday", "time": "18:00"}))
    assert mail.text.count(PAGE) == 1
    assert mail.html.count(f'href="{PAGE}"') == 1
    mail = LISTS[kind](begin("started", digest={"weekday": "sunday", "time": "18:00"}))
    assert "partien" not in mail.html + mail.text


@pytest.mark.parametrize(("kind", "label"), [("my games", "Zug schreiben: Eriwan"), ("digest", "Meinen Zug schreiben")])
def test_where_a_move_is_missing_a_click_begins_it(begin: Any, kind: str, label: str) -> None:
    """The button opens the block of the writer's own seat; with the move on file it is gone."""
    zine = begin("started", digest={"weekday": "sunday", "time": "18:00"})
    mail = LISTS[kind](zine)
    body = parse_qs(urlsplit(buttons(mail)[label]).query, strict_parsing=True)["body"][0].replace("\r\n", "\n")
    assert body.startswith("Crossword Eriwan, Runde 1\n")
    zine.writes(ANNA, body.replace("Neu:", "Neu: E").replace("......", "DN....", 1))
    assert "angekommen" in zine.reply(ANNA)
    assert zine.on_file(ANNA) == ("dn", "E")
    assert label not in buttons(sent(zine, ANNA, "Meine Partien\n"))


def test_a_couples_button_names_who_it_is_for(begin: Any) -> None:
    """In the digest of somebody who shares an address the block has the name."""
    zine = begin("empty", after=seat_couple, digest={"weekday": "sunday", "time": "18:00"})
    zine.mails()
    zine.at("2026-11-08T18:00:00+01:00")
    zine.tick()
    bodies = [parse_qs(urlsplit(link).query)["body"][0] for to, mail in zine.mails() if to == SHARED
              for label, link in buttons(mail).items() if label == "Meinen Zug schreiben"]  # fmt: skip
    assert [body.splitlines()[1] for body in bodies] == [f"Name: {ANNA}", f"Name: {BERND}"]
