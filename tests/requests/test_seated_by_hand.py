"""Who is seated by the GM's hand is told so by mail: by whom, in what, and how to get out again."""

from typing import Any

import pytest
import seating
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.messages import bounces
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.tables import MailOut, Player

ANNA, BERND, *_ = PLAYERS
SHARED = "berge@spieler.example"
GM = "cici@postspiel.example"


@pytest.fixture
def opened(zine: Any) -> Any:
    """Eriwan, open, with nobody in it."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    return zine


@pytest.fixture
def vacant(eriwan: Any) -> Any:
    """Anna has left Eriwan, and nobody is on the standby list: the GM is asked. Gerda plays elsewhere."""
    actions.new_game(eriwan.app, "crossword", "Jalta")
    seating.join(eriwan.app, "Jalta", "Gerda Hahn", "gerda@spieler.example", "D")
    eriwan.mails()
    eriwan.writes(ANNA, "Abmeldung Eriwan\n")
    eriwan.tick()
    eriwan.tick()
    return eriwan


def seat(zine: Any, name: str = ANNA, wish: str | None = "D", address: str = "") -> Any:
    """Let the GM seat a player; returns the one mail that this brings the player."""
    actions.join(zine.app, "Eriwan", name, address or address_of(name), wish)
    return zine.answer(name)


def test_a_welcome_says_who_has_entered_whom_in_what(opened: Any) -> None:
    """The mail names game, zine and GM, the letter, when it starts, where the rules are and how to get out."""
    mail = seat(opened)
    said = opened.said(mail)
    assert mail.subject == "[Eriwan] Cici Beilken hat dich eingetragen"
    for words in (
        "Hallo Anna", "Cici Beilken, Spielleitung von »Dottendorfer Soccer«", "»Eriwan« (Crossword)", "1 von 6 Plätzen",
        "Sobald alle da sind", "Wunschbuchstabe: D", "»Hilfe Crossword«", "»Abmeldung Eriwan«", "zug@postspiel.example",
    ):  # fmt: skip
        assert words in said


def test_what_the_welcome_offers_works(opened: Any) -> None:
    """A reply with the line that it names gives the seat up."""
    mail = seat(opened)
    opened.writes(ANNA, "Abmeldung Eriwan\n", subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    opened.tick()
    assert opened.show()["seats"] == []


def test_a_wish_that_is_missing_is_asked_for(opened: Any) -> None:
    """Seated without a letter, the player is told what is missing and how to send it; sent so, it is taken."""
    mail = seat(opened, wish=None)
    assert mail.subject == "[Eriwan] Du bist dabei, aber es fehlt noch etwas"
    assert "Cici Beilken, Spielleitung von »Dottendorfer Soccer«, hat dich" in opened.said(mail)
    opened.writes(ANNA, "Crossword Eriwan\nNeu: R\n", subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    assert "Wunschbuchstabe: R" in opened.reply(ANNA)
    assert opened.seat(ANNA)["wished"]


def test_another_wish_is_confirmed_in_short(opened: Any) -> None:
    """Said again with another letter, `gm join` changes the wish, and the player is told; each time."""
    seat(opened)
    for wish in "EF":
        mail = seat(opened, wish=wish)
        assert mail.subject == "[Eriwan] Deine Anmeldung ist geändert"
        assert f"Wunschbuchstabe: {wish}" in opened.said(mail)
        assert "Abmeldung" not in opened.said(mail)


def test_in_the_players_language(opened: Any) -> None:
    """Who is written to in English gets the welcome in English, with English lines."""
    seat(opened)
    with opened.writing() as session:
        player = session.exec(select(Player)).one()
        player.language = "en"
        session.add(player)
    actions.new_game(opened.app, "crossword", "Jalta")
    actions.join(opened.app, "Jalta", ANNA, address_of(ANNA), None)
    said = opened.reply(ANNA)
    for words in ("Cici Beilken, game master of “Dottendorfer Soccer”", "“Help Crossword”", "“Resign Jalta”"):
        assert words in said


def test_the_last_one_is_welcomed_before_the_game_starts(opened: Any) -> None:
    """With --autostart the last seat starts the game: the welcome goes out first, and says so."""
    actions.new_game(opened.app, "crossword", "Jalta", autostart=True)
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(opened.app, "Jalta", name, address_of(name), wish)
    opened.tick()
    subjects = [mail.subject for to, mail in opened.mails() if to == address_of(PLAYERS[-1])]
    assert subjects[0] == "[Jalta] Cici Beilken hat dich eingetragen"
    assert subjects[1].startswith("[Jalta] Es geht los")


def test_two_at_one_address_are_told_apart(opened: Any) -> None:
    """Where two share an address, the mail names the one whom it is for."""
    actions.join(opened.app, "Eriwan", ANNA, SHARED, "D")
    actions.join(opened.app, "Eriwan", BERND, SHARED, None)
    opened.tick()
    second = opened.mails()[-1][1]
    assert f"Name: {BERND}" in opened.said(second)


def test_a_sign_up_by_mail_shows_the_letter(opened: Any) -> None:
    """The confirmation of a sign-up by mail shows the letter that was wished."""
    opened.writes(ANNA, "Anmeldung Crossword Eriwan\nNeu: D\n")
    question = opened.answer(ANNA)
    opened.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    mail = opened.answer(ANNA)
    assert mail.subject == "[Eriwan] Du bist dabei"
    assert "Wunschbuchstabe: D" in opened.said(mail)
    assert "Name:" not in opened.said(mail)


@pytest.mark.parametrize(
    "lines",
    [
        "Anmeldung Eriwan\nName: Anna\nNeu: D\n\nAnmeldung Eriwan\nName: Bernd\nNeu: R\n",
        "Name: Anna\nAnmeldung Eriwan\nNeu: D\n\nName: Bernd\nAnmeldung Eriwan\nNeu: R\n",
    ],
)
def test_a_couple_in_one_mail(opened: Any, lines: str) -> None:
    """Two sign-ups in one mail: each part of the answer names the one whom it is for, and the letter."""
    actions.new_game(opened.app, "crossword", "Jalta")
    for name in (ANNA, BERND):
        seating.join(opened.app, "Jalta", name, SHARED, "E")
    opened.writes(ANNA, lines, sender=SHARED)
    opened.tick()
    said = opened.said(opened.mails()[-1][1])
    assert said.index(f"Name: {ANNA}") < said.index("Wunschbuchstabe: D")
    assert said.index(f"Name: {BERND}") < said.index("Wunschbuchstabe: R")


# -- taken off an open game --------------------------------------------------------------------------------------------


def test_taken_off_an_open_game(opened: Any) -> None:
    """The seat is free again, the player is told how to come back, and may."""
    seat(opened)
    assert actions.take_off(opened.app, "Eriwan", "anna") == ANNA
    mail = opened.answer(ANNA)
    assert mail.subject == "[Eriwan] Du stehst nicht mehr auf der Liste"
    assert "Cici Beilken hat dich von der Liste für »Eriwan« (Crossword) genommen" in opened.said(mail)
    assert opened.show()["seats"] == []
    opened.writes(ANNA, "Anmeldung Crossword Eriwan\nNeu: R\n")
    assert "Du bist dabei" in opened.reply(ANNA)
    assert actions.take_off(opened.app, "Eriwan", "anna") == ANNA
    assert "Du stehst nicht mehr auf der Liste" in opened.reply(ANNA)


def test_nobody_takes_a_seat_over_before_the_start(opened: Any) -> None:
    """Whoever shall come instead is seated: the refusal says how, and nothing is changed."""
    seat(opened)
    with pytest.raises(Refused, match='gm standby Eriwan "anna", then gm join Eriwan "Gerda Hahn" ADDRESS'):
        actions.take_off(opened.app, "Eriwan", "anna", "Gerda Hahn")
    assert [one["player"] for one in opened.show()["seats"]] == [ANNA]


def test_in_a_running_game_nobody_is_taken_off(eriwan: Any) -> None:
    """There `gm standby` means what it always does."""
    assert actions.take_off(eriwan.app, "Eriwan", "anna") == ""
    assert eriwan.seat(ANNA)["player"] == ANNA


def test_the_gm_takes_somebody_off_by_mail(opened: Any) -> None:
    """Where the welcome comes back, the GM's mail offers to take the player off; sent back, that is done."""
    actions.join(opened.app, "Eriwan", ANNA, "anan@spieler.example", "D")
    opened.tick()
    opened.mails()
    with opened.writing() as session:
        out = session.exec(select(MailOut).where(MailOut.address == "anan@spieler.example")).one()
        bounces.mark_returned(opened.app, session, out, "550 no such user")
    opened.tick()
    told = next(mail for to, mail in opened.mails() if to == GM)
    line = f'gm standby Eriwan "{ANNA}" --none'
    assert line in opened.said(told)
    opened.writes("Cici Beilken", f"{line}\n", sender=GM, subject=f"Re: {told.subject}", in_reply_to=told.message_id)
    opened.tick()
    sent = dict(opened.mails())
    assert "Eriwan: Anna Berg steht nicht mehr auf der Liste" in opened.said(sent[GM])
    assert opened.show()["seats"] == []


# -- one person, one name ----------------------------------------------------------------------------------------------


def test_a_shorter_name_at_the_same_address(opened: Any) -> None:
    """`gm join` with the first name of who is there already is refused, and so is putting them on the standby list."""
    seat(opened)
    for asks in (
        lambda: actions.join(opened.app, "Eriwan", "Anna", address_of(ANNA), None),
        lambda: actions.add_standby(opened.app, "Anna", address_of(ANNA), None),
    ):
        with pytest.raises(Refused, match=f"At that address there is {ANNA}"):
            asks()
    assert [player.name for player in opened.rows(Player)] == [ANNA]


def test_a_shorter_name_by_mail(vacant: Any) -> None:
    """The same holds for the line that a mail to the GM offers: no second player comes to be."""
    told = next(mail for to, mail in vacant.mails() if to == GM and "gm standby" in mail.text)
    line = f'gm standby Eriwan "{ANNA}" Gerda gerda@spieler.example'
    vacant.writes("Cici Beilken", f"{line}\n", sender=GM, subject=f"Re: {told.subject}", in_reply_to=told.message_id)
    vacant.tick()
    assert any(
        "Unter dieser Adresse gibt es Gerda Hahn" in vacant.said(mail) for to, mail in vacant.mails() if to == GM
    )
    assert "Gerda" not in [player.name for player in vacant.rows(Player)]
