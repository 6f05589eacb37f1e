"""Prose with one plain wish (issue 29): shown, asked about, or left to the GM. Nothing changes by prose alone."""

import re
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Player, Question, Seat, Standby, Vacation

ANNA, BERND = PLAYERS[:2]
STRANGER = "Xaver Unbekannt"
GM = "cici@postspiel.example"


def open_questions(story: Any, kind: str = "wish") -> list[Question]:
    """The open questions of a kind."""
    return [one for one in story.rows(Question) if one.kind == kind and one.answered_at is None]


def asked(story: Any, text: str, name: str = ANNA, **more: Any) -> Any:
    """The one mail with which prose is answered; nobody else gets any."""
    story.writes(name, text, **more)
    story.tick()
    mails = story.mails()
    assert [recipient for recipient, _ in mails] == [address_of(name)], mails
    return mails[0][1]


def code_of(mail: Any) -> str:
    """The code in a subject."""
    found = re.search(r"\[(?:Frage|Question) (\w+)\]", mail.subject)
    assert found, mail.subject
    return found[0]


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hallo Cici,\nwie steht es denn?\nGruß Anna\n", "Stand in Runde 1"),
        ("Wie ist der Stand in Eriwan?\n", "Stand in Runde 1"),
        ("whose turn is it?\n", "Position in round 1"), ("bitte schick mir die Regeln von Typ-Dom\n", "Typ-Dom"),
        ("Was sind die Regeln?\n", "Crossword"), ("Schick mir bitte das letzte Bulletin noch mal!\n", "noch einmal"),
        ("welche Spiele gibt es?\n", "Offene und laufende Partien"),
        ("What games are there?\n", "Open and running games"),
        ("Ich verstehe nicht, wie das hier geht :-(\n", "Hilfe: So spielt man hier per Mail"),
    ],
)  # fmt: skip
def test_what_only_shows_something_is_done_at_once(eriwan: Any, text: str, said: str) -> None:
    """Help, rules, position, history and games need no question, and the GM isn't bothered (issue 29)."""
    assert said in eriwan.said(asked(eriwan, text))
    assert eriwan.rows(Question) == []


def test_words_beside_a_harmless_wish_reach_the_gm(eriwan: Any) -> None:
    """What more is said goes to the GM once, and the player is told so: nothing is lost in silence."""
    eriwan.writes(ANNA, "Wie steht es? Übrigens hat mir die letzte Runde viel Freude gemacht.\n")
    eriwan.tick()
    mails = dict(eriwan.mails())
    assert "die letzte Runde viel Freude" in eriwan.said(mails[GM])
    assert "Stand in Runde 1" in eriwan.said(mails[address_of(ANNA)])
    assert "Was du dazu geschrieben hast, ist bei" in eriwan.said(mails[address_of(ANNA)])


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    ("text", "line", "table", "rows"),
    [
        ("Bin vom 20.12. bis 3.1. weg.\n", "Urlaub 20.12.2026-03.01.2027", Vacation, 1),
        ("I'm away until Sunday\n", "Vacation 02.11.2026-08.11.2026", Vacation, 1),
        ("Ich springe gern ein.\n", "Standby", Standby, 1),
        ("Hallo,\n\nich möchte gern bei Tiflis mitspielen :-)\n\nLG Anna\n", "Anmeldung Crossword Tiflis", Seat, 7),
    ],
)
def test_yes_carries_out_the_line(eriwan: Any, text: str, line: str, table: Any, rows: int) -> None:
    """The answer shows what was understood and the line; nothing is done before `Ja` (issue 29)."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    before = len(eriwan.rows(table))
    mail = asked(eriwan, text)
    assert line in eriwan.said(mail)
    assert len(eriwan.rows(table)) == before
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {code_of(mail)} ...")
    eriwan.tick()
    assert len(eriwan.rows(table)) == rows
    assert open_questions(eriwan) == []


def test_a_vacation_shows_its_own_days(eriwan: Any) -> None:
    """The sender's dates with their years, in question and answer; never those of an example (issue 29)."""
    mail = asked(eriwan, "bin vom 20.12. bis 3.1. weg\n")
    assert "vom 20.12.2026 bis zum 03.01.2027" in eriwan.said(mail)
    assert "24.12.2026" not in eriwan.said(mail)
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    assert "Schönen Urlaub vom 20.12.2026 bis zum 03.01.2027" in eriwan.reply(ANNA)


@pytest.mark.parametrize("text", ["Ich brauche noch bis Sonntag\n", "Kann ich in Eriwan bis 8.11. Zeit haben?\n"])
def test_time_that_is_there_anyway(eriwan: Any, text: str) -> None:
    """Nobody is asked what the `Ja` would then refuse: the ZAT is later than the day (issue 29)."""
    eriwan.writes(ANNA, text, subject="Hallo")
    mail = eriwan.answer(ANNA)
    assert "ist erst am 16.11.2026, so lange hast du ohnehin Zeit" in eriwan.said(mail)
    assert "[Frage" not in mail.subject
    assert not eriwan.rows(Question)


def test_leaving_is_asked_about(eriwan: Any) -> None:
    """`Ich höre auf` frees no seat before `Ja`, and does then what `Abmeldung Eriwan` does."""
    mail = asked(eriwan, "Ich höre leider auf.\n")
    assert "Abmeldung Eriwan" in mail.text
    assert all(seat.until is None for seat in eriwan.rows(Seat))
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert [seat.until is None for seat in eriwan.rows(Seat)].count(False) == 1
    assert any(one.kind == "resigned" for one in eriwan.rows(Question))


def test_more_time_is_put_before_the_gm(eriwan: Any) -> None:
    """`Kann ich 3 Tage mehr haben?` becomes, with `Ja`, what `Verlängerung Eriwan 3 Tage` is."""
    mail = asked(eriwan, "Kann ich 3 Tage mehr haben?\n")
    assert "Verlängerung Eriwan 3 Tage" in mail.text
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert "gm zat Eriwan +3d" in dict(eriwan.mails())[GM].text


def test_an_extension_until_a_day(eriwan: Any) -> None:
    """`Verlängerung Eriwan bis Freitag` offers that day at the ZAT's time; an earlier day is refused."""
    eriwan.writes(ANNA, "Verlängerung Eriwan bis 20.11.\n")
    eriwan.tick()
    assert 'gm zat Eriwan "2026-11-20 20:00"' in dict(eriwan.mails())[GM].text
    eriwan.writes(ANNA, "Verlängerung Eriwan bis Sonntag\n")
    assert "erst am 16.11.2026" in eriwan.reply(ANNA)


@pytest.mark.parametrize(
    ("line", "noted"),
    [("Urlaub 20.12.-3.1.", "20.12.2026 bis zum 03.01.2027"), ("Urlaub bis Sonntag", "02.11.2026 bis zum 08.11.2026"),
     ("Vacation until Sunday", "2 November 2026 to 8 November 2026"),
     ("Urlaub nächste Woche", "09.11.2026 bis zum 15.11.2026")],
)  # fmt: skip
def test_a_command_takes_days_as_people_write_them(eriwan: Any, line: str, noted: str) -> None:
    """A date without its year is the next such one, in the command as in prose (issue 29)."""
    eriwan.writes(ANNA, f"{line}\n")
    assert noted in eriwan.reply(ANNA)
    assert len(eriwan.rows(Vacation)) == 1


def test_no_puts_the_words_before_the_gm(eriwan: Any) -> None:
    """With `Nein` nothing is done, and what was read wrongly goes to the GM."""
    mail = asked(eriwan, "Ich höre auf.\n")
    eriwan.writes(ANNA, "Nein\n", in_reply_to=mail.message_id)
    eriwan.tick()
    mails = dict(eriwan.mails())
    assert "Ich höre auf" in eriwan.said(mails[GM])
    assert "nichts geändert" in eriwan.said(mails[address_of(ANNA)])
    assert all(seat.until is None for seat in eriwan.rows(Seat))


def test_without_an_answer_the_words_go_to_the_gm(eriwan: Any) -> None:
    """A week later the question is closed and the GM has the words, once; the code does nothing any more."""
    mail = asked(eriwan, "Ich bin bis Sonntag verreist.\n")
    eriwan.passes(days=7, minutes=1)
    eriwan.tick()
    eriwan.tick()
    notices = [eriwan.said(one) for recipient, one in eriwan.mails() if recipient == GM]
    assert sum("Ich bin bis Sonntag verreist" in one for one in notices) == 1
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {code_of(mail)}")
    eriwan.tick()
    assert eriwan.rows(Vacation) == []


@pytest.mark.parametrize("answer", [{"text": "Ja\n"}, {"text": "Ja\n", "subject": "[Frage ABCDEFGH] x"}])
def test_whoever_forges_a_sender_changes_nothing(eriwan: Any, answer: dict[str, str]) -> None:
    """A bare `Ja`, or one with a guessed code, doesn't answer: only the registered address has seen the question."""
    asked(eriwan, "Ich höre auf.\n")
    eriwan.writes(ANNA, answer["text"], **{key: value for key, value in answer.items() if key != "text"})
    eriwan.tick()
    assert all(seat.until is None for seat in eriwan.rows(Seat))
    assert len(open_questions(eriwan)) == 1


def test_another_player_can_not_answer(eriwan: Any) -> None:
    """The code of Anna's question does nothing in Bernd's mail."""
    mail = asked(eriwan, "Ich höre auf.\n")
    eriwan.writes(BERND, "Ja\n", subject=f"Re: {code_of(mail)}")
    eriwan.tick()
    assert all(seat.until is None for seat in eriwan.rows(Seat))


def test_a_later_move_is_not_withdrawn(eriwan: Any) -> None:
    """`Ja` to an old question takes back no move that came after it: no move is lost."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    mail = asked(eriwan, "Ich ziehe meinen Zug zurück.\n")
    eriwan.sends(ANNA, "RO")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("ro", "E")


def test_a_move_is_withdrawn(eriwan: Any) -> None:
    """Without a later one the move on file is taken back."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    mail = asked(eriwan, "Ich ziehe meinen Zug zurück.\n")
    assert eriwan.on_file(ANNA) == ("dn", "E")
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert eriwan.on_file(ANNA) is None


def test_where_several_games_are_meant_the_lines_are_listed(eriwan: Any) -> None:
    """The answer asks which, with one line for each game (issue 29)."""
    for name in ("Tiflis", "Dakar"):
        actions.new_game(eriwan.app, "crossword", name)
        seating.join(eriwan.app, name, ANNA, address_of(ANNA), "D")
    text = asked(eriwan, "Ich höre auf.\n").text
    for line in ("Abmeldung Eriwan", "Abmeldung Tiflis", "Abmeldung Dakar"):
        assert line in text
    assert open_questions(eriwan) == []


def test_a_wish_in_the_games_own_thread(eriwan: Any) -> None:
    """The thread tells the game, where the writer sits in several."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    seating.join(eriwan.app, "Tiflis", ANNA, address_of(ANNA), "D")
    (bulletin,) = eriwan.outgoing(kind="start", recipient=address_of(ANNA)) or eriwan.outgoing(kind="start")[:1]
    assert "Abmeldung Eriwan" in asked(eriwan, "Ich höre auf.\n", in_reply_to=bulletin.message_id).text


@pytest.mark.parametrize(
    "text", ["ich möchte bei Eriwan mitspielen", "Anmeldung Eriwan", "Kann ich bei Tiflis mitspielen?"]
)
def test_a_strangers_sign_up_in_prose_is_asked_about_as_its_line_is(seated: Any, text: str) -> None:
    """A stranger gets the same answer as to `Anmeldung`, and no word of theirs is repeated."""
    name = "Tiflis" if "Tiflis" in text else "Eriwan"
    seated.writes(STRANGER, f"{text}\n")
    prose = seated.answer(STRANGER)
    seated.writes("Yvo Fremd", f"Anmeldung {name}\n")
    line = seated.answer("Yvo Fremd")
    assert seated.said(prose) == seated.said(line)
    assert "Tiflis" not in prose.text


def test_a_stranger_joins_an_open_game_in_prose(zine: Any) -> None:
    """The only open game is meant; the seat comes with `Ja`."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    zine.writes(STRANGER, "Hallo, habt ihr noch einen Platz frei?\n")
    mail = zine.answer(STRANGER)
    assert "Möchtest du mitspielen?" in mail.subject
    assert zine.rows(Player) == []
    zine.writes(STRANGER, "Ja\n", in_reply_to=mail.message_id)
    zine.tick()
    assert len(zine.rows(Seat)) == 1


FIRST_MAILS = [
    ("Ich würde gern in Crossword Tiflis mit E einsteigen, und für das Typ-Dom auch", ["Tiflis", "Riga"], ["E"]),
    ("Ich möchte bei Tiflis und bei Riga mitspielen", ["Tiflis", "Riga"], []),
    ("Could you sign me up for Crossword Tiflis with the letter R? I'd like to join Riga, too.", ["Tiflis", "Riga"],
     ["R"]),
    ("Ich möchte bei Crossword Tiflis mitspielen, Wunschbuchstabe Q", ["Tiflis"], ["Q"]),
]  # fmt: skip
"""What strangers write, the games that they mean, and their letters."""


@pytest.mark.parametrize(("text", "games", "letters"), FIRST_MAILS)
def test_a_first_mail_for_several_games(zine: Any, text: str, games: list[str], letters: list[str]) -> None:
    """One question says what was read, and one `Ja` gives all seats, with the letters (issue 47)."""
    for title, name in (("crossword", "Tiflis"), ("typ-dom", "Riga")):
        actions.new_game(zine.app, title, name)
    zine.writes(STRANGER, f"Hallo,\n\n{text}\n\nViele Grüße\nXaver\n")
    mail = zine.answer(STRANGER)
    said = zine.said(mail)
    assert "Du möchtest " in said or "You would like " in said
    assert all(f"»{name}«" in said or f"“{name}”" in said for name in games)
    assert all(f"mit {letter}" in said or f"with {letter}" in said for letter in letters)
    assert zine.rows(Player) == []
    zine.writes(STRANGER, "Ja\n", in_reply_to=mail.message_id)
    zine.tick()
    assert len(zine.rows(Seat)) == len(games)
    assert [seat.entry["letter"] for seat in zine.rows(Seat) if seat.entry] == letters


def test_a_player_who_wishes_for_several_games_gets_their_lines(eriwan: Any) -> None:
    """Nothing is asked that one `Ja` would carry out by halves: the lines are shown (issue 47)."""
    for name in ("Tiflis", "Dakar"):
        actions.new_game(eriwan.app, "crossword", name)
    text = asked(eriwan, "Ich möchte bei Tiflis und bei Dakar mitspielen.\n").text
    assert "Anmeldung Crossword Tiflis" in text
    assert "Anmeldung Crossword Dakar" in text
    assert eriwan.rows(Question) == []


def test_a_players_letter_is_part_of_the_question(eriwan: Any) -> None:
    """`mit dem Buchstaben E` stands below the sign-up, and counts with `Ja`."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    mail = asked(eriwan, "Ich möchte bei Tiflis mit dem Buchstaben X mitspielen.\n")
    assert "Neu: X" in mail.text
    eriwan.writes(ANNA, "Ja\n", in_reply_to=mail.message_id)
    eriwan.tick()
    assert [seat.entry["letter"] for seat in eriwan.rows(Seat) if seat.entry][-1] == "X"


@pytest.mark.parametrize("text", ["Ich höre auf.", "wie steht es?", "bin bis Sonntag weg", "keine Übersicht mehr"])
def test_other_wishes_of_strangers_get_the_short_help(eriwan: Any, text: str) -> None:
    """What is for players alone tells a stranger nothing."""
    eriwan.writes(STRANGER, f"{text}\n")
    assert eriwan.answer(STRANGER).subject == "Postspiele per Mail: Dottendorfer Soccer"
    assert eriwan.rows(Question) == []


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    "text",
    ["Ich höre nicht auf.", "Wenn ich aufhöre, sage ich Bescheid.", "Ben möchte bei Eriwan mitspielen.",
     "Ich würde gern mitspielen, wenn noch Platz ist.", "Ich bin im Urlaub.",
     "Ich höre auf und steige bei Tiflis ein."],
)  # fmt: skip
def test_what_is_not_plain_goes_to_the_gm(eriwan: Any, text: str) -> None:
    """Negations, conditions, others' wishes and half a wish are no wish: the GM gets the words, as ever."""
    eriwan.writes(ANNA, f"{text}\n")
    eriwan.tick()
    assert {recipient for recipient, _ in eriwan.mails()} == {GM, address_of(ANNA)}
    assert [one.kind for one in eriwan.rows(Question)] == ["text"]


def test_asking_twice_leaves_one_question(eriwan: Any) -> None:
    """The same wish again closes the first question, so that the GM hears of it once at most."""
    asked(eriwan, "Ich höre auf.\n")
    asked(eriwan, "Ich höre auf!\n")
    assert len(open_questions(eriwan)) == 1


def test_a_wish_that_can_not_be_granted_reaches_the_gm(eriwan: Any) -> None:
    """The player hears why, and the GM has the words."""
    eriwan.writes(ANNA, "Ich möchte bei Tiflis mitspielen.\n")
    eriwan.tick()
    mails = dict(eriwan.mails())
    assert "kenne ich nicht" in eriwan.said(mails[address_of(ANNA)])
    assert "bei Tiflis mitspielen" in eriwan.said(mails[GM])


def test_with_proof_asked_for_a_harmless_wish_needs_none(begin: Any) -> None:
    """`security.sender = "authenticated"` asks for what changes something, not for what is only shown."""
    story = begin("started", security={"sender": "authenticated", "trusted_authserv": ["mx.example.org"]})
    assert "Stand in Runde 1" in story.said(asked(story, "wie steht es?\n"))
    assert "Kam diese Mail von dir?" in asked(story, "Ich höre auf.\n").subject


def test_the_gms_address_is_the_games(eriwan: Any) -> None:
    """The question comes from the address of the service, to which the answer goes."""
    assert GM_ADDRESS in str(asked(eriwan, "Ich höre auf.\n").headers["from"])


def test_the_game_named_in_the_subject_is_the_one_that_is_meant(eriwan: Any) -> None:
    """`Wie steht es?` under the subject `Riga` is about Riga, also without brackets (issue 29)."""
    seating.start(eriwan.app, "typ-dom", "Riga", (ANNA, BERND))
    eriwan.tick()
    eriwan.mails()
    assert "so steht »Riga«" in eriwan.said(asked(eriwan, "Wie steht es?\n", subject="Riga"))
    assert "Abmeldung Riga" in eriwan.said(asked(eriwan, "Ich höre auf\n", subject="Re: Riga"))


def test_a_new_address_in_prose_is_asked_about_at_both(eriwan: Any) -> None:
    """As after the line `Adresse ...`: prose alone sends nobody's mails elsewhere (interface.md)."""
    eriwan.writes(ANNA, "Meine neue Adresse ist anna.neu@example.org\n")
    eriwan.tick()
    mails = dict(eriwan.mails())
    assert mails.keys() == {address_of(ANNA), "anna.neu@example.org"}
    assert all(code_of(mail) for mail in mails.values())


def test_the_name_in_the_archive_is_shown_with_the_lines_that_change_it(eriwan: Any) -> None:
    """Nothing changes; the answer names the lines (issue 29)."""
    said = eriwan.said(asked(eriwan, "Im Archiv bitte nur mein Vorname mit Kürzel\n"))
    assert "Archivname kurz" in said
