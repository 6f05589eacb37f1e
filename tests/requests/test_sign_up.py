"""Signing up by mail: nobody gets a seat without having said Ja, and everybody is told where they stand."""

import re
from typing import Any

import pytest
import seating
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, player_queries
from gm.store.tables import Player, Question, Seat, Standby, Watcher

SIGN_UP = "Anmeldung Crossword Eriwan\nNeu: D\n"


@pytest.fixture
def opened(zine: Any) -> Any:
    """Eriwan, open, with nobody in it."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    return zine


def players(zine: Any) -> list[str]:
    """Name everybody whom the zine knows."""
    return [player.name for player in zine.rows(Player)]


def seated(zine: Any) -> list[str]:
    """Name everybody who has a seat."""
    return [seat["player"] for seat in zine.show()["seats"]]


def asked(zine: Any, name: str, text: str = SIGN_UP, **more: Any) -> Any:
    """Sign up and return the question that comes back."""
    zine.writes(name, text, **more)
    return zine.answer(name)


def says(zine: Any, name: str, word: str, question: Any = None, **more: Any) -> Any:
    """Answer with one word, as a reply where a question is given, and return what comes back."""
    reply = {"subject": f"Re: {question.subject}", "in_reply_to": question.message_id} if question else {}
    zine.writes(name, f"{word}\n", **{**reply, **more})
    return zine.answer(name)


def test_an_unknown_address_is_asked_first(opened: Any) -> None:
    """A sign-up from an unknown address only sends a question; the name in it is shown to nobody else."""
    question = asked(opened, "Anna Berg")
    assert question.subject.startswith("[Frage ")
    assert "Crossword »Eriwan«" in opened.said(question)
    assert "Anna" not in opened.said(question)
    assert seated(opened) == players(opened) == []


def test_yes_as_a_reply_gives_the_seat(opened: Any) -> None:
    """`Ja` in a reply to the question gives a seat, with the wish that came with the sign-up."""
    answer = says(opened, "Anna Berg", "Ja", asked(opened, "Anna Berg"))
    assert answer.subject == "[Eriwan] Du bist dabei"
    assert "1 von 6" in opened.said(answer)
    assert [(seat["player"], seat["wished"]) for seat in opened.show()["seats"]] == [("Anna Berg", True)]


def test_yes_with_the_code_in_the_subject(opened: Any) -> None:
    """Where the mail program drops In-Reply-To, the code in the subject tells which question is meant."""
    first = asked(opened, "Anna Berg")
    says(opened, "Anna Berg", "Ja", subject=f"AW: {first.subject}")
    assert seated(opened) == ["Anna Berg"]


def test_a_strangers_bare_yes_answers_nothing(opened: Any) -> None:
    """Two mails with a forged unknown sender aren't an answer to our question."""
    asked(opened, "Anna Berg")
    says(opened, "Anna Berg", "Ja", subject="")
    assert seated(opened) == players(opened) == []


def test_quoted_question_below_the_yes_does_no_harm(opened: Any) -> None:
    """A reply above the whole quoted question is one `Ja`, and the quotation signs nobody up again."""
    question = asked(opened, "Anna Berg")
    quoted = "".join(f"> {line}\n" for line in question.text.splitlines())
    says(opened, "Anna Berg", f"Ja\n\nAm 02.11.2026 schrieb Dottendorfer Soccer:\n{quoted}", question)
    assert seated(opened) == ["Anna Berg"]
    assert len(opened.rows(Question)) == 1


def test_no_seats_nobody(opened: Any) -> None:
    """`Nein` settles the question: nobody is registered, and a later `Ja` is told so."""
    question = asked(opened, "Anna Berg")
    assert "dann nicht" in opened.said(says(opened, "Anna Berg", "Nein", question))
    assert "schon erledigt" in opened.said(says(opened, "Anna Berg", "Ja", question))
    assert seated(opened) == players(opened) == []


def test_yes_with_a_wrong_code_seats_nobody(opened: Any) -> None:
    """A wrong code answers no question, though one is open."""
    asked(opened, "Anna Berg")
    says(opened, "Anna Berg", "Ja", subject="Re: [Frage AAAAAAAA] Möchtest du mitspielen?")
    assert seated(opened) == players(opened) == []


def test_yes_from_another_address_seats_nobody(opened: Any) -> None:
    """A question is answered by the address that was asked, code or not."""
    question = asked(opened, "Anna Berg")
    opened.writes("Bernd Cordes", "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    opened.tick()
    assert seated(opened) == players(opened) == []


@pytest.mark.parametrize(("days", "expected"), [(6.9, ["Anna Berg"]), (7.1, [])])
def test_a_question_expires_after_a_week(opened: Any, days: float, expected: list[str]) -> None:
    """A week after it was asked, a question can't be answered any more."""
    question = asked(opened, "Anna Berg")
    opened.passes(days=days)
    says(opened, "Anna Berg", "Ja", question)
    assert seated(opened) == expected


def test_an_impatient_second_sign_up_gives_one_seat(opened: Any) -> None:
    """Signing up twice and saying `Ja` to both questions gives one player and one seat."""
    questions = [asked(opened, "Anna Berg"), asked(opened, "Anna Berg", SIGN_UP.replace("D", "Q"))]
    assert "Du bist dabei" in says(opened, "Anna Berg", "Ja", questions[1]).subject
    says(opened, "Anna Berg", "Ja", questions[0])
    assert players(opened) == seated(opened) == ["Anna Berg"]
    opened.writes("Anna Berg", "Crossword Eriwan\nNeu: X\n")
    assert "Du bist dabei" in opened.answer("Anna Berg").subject


def test_bare_yes_to_two_questions_is_asked_back(opened: Any) -> None:
    """With two questions open, a bare `Ja` decides nothing."""
    asked(opened, "Anna Berg")
    asked(opened, "Anna Berg", "Standby\n")
    assert "mehrere" in opened.said(says(opened, "Anna Berg", "Ja", subject=""))
    assert players(opened) == []


def test_a_second_sign_up_by_a_player_is_told_so(seated: Any) -> None:
    """A player with a seat is told so and keeps that one seat."""
    seated.writes("Anna Berg", SIGN_UP)
    assert "schon einen Platz" in seated.reply("Anna Berg")
    assert len(seated.show()["seats"]) == 6


def test_same_name_at_two_addresses_makes_two_players(opened: Any) -> None:
    """Two people of one name are two players, told apart by a number."""
    says(opened, "Anna Berg", "Ja", asked(opened, "Anna Berg"))
    opened.writes("Anna Berg", SIGN_UP, sender="berg@elsewhere.example")
    opened.tick()
    ((_, question),) = opened.mails()
    opened.writes("Anna Berg", "Ja\n", sender="berg@elsewhere.example", subject=f"Re: {question.subject}")
    opened.tick()
    assert seated(opened) == ["Anna Berg", "Anna Berg 2"]


def test_a_full_game_takes_nobody(begin: Any) -> None:
    """A seventh player is told at once that the game is full: there is nothing to ask."""
    full = begin("seated")
    answer = asked(full, "Gerda Hahn")
    assert "»Eriwan« ist leider schon voll" in full.said(answer)
    assert "[Frage" not in answer.subject
    assert full.rows(Question) == []
    assert seated(full) == list(PLAYERS)


def test_the_last_seat_goes_to_who_says_yes_first(opened: Any) -> None:
    """A seat isn't reserved by asking for it: whoever confirms first has it, the other is told."""
    for name in PLAYERS[:5]:
        seating.join(opened.app, "Eriwan", name, address_of(name), "E")
    slow, quick = asked(opened, "Frida Groß"), asked(opened, "Gerda Hahn")
    assert "6 von 6" in opened.said(says(opened, "Gerda Hahn", "Ja", quick))
    assert "voll" in opened.said(says(opened, "Frida Groß", "Ja", slow))
    assert seated(opened)[5] == "Gerda Hahn"


def test_a_missing_wish_is_asked_for_and_sent_later(opened: Any) -> None:
    """Without a wish the seat is taken, and a short block brings the wish; until then the game can't start."""
    for name, wish in zip(PLAYERS[1:], "NTIRO", strict=True):
        seating.join(opened.app, "Eriwan", name, address_of(name), wish)
    answer = says(opened, "Anna Berg", "Ja", asked(opened, "Anna Berg", "Anmeldung Crossword Eriwan\n"))
    assert "fehlt noch" in answer.subject
    assert "Crossword Eriwan" in opened.said(answer)
    with pytest.raises(Refused, match="Anna Berg"):
        actions.start(opened.app, "Eriwan")
    opened.writes("Anna Berg", "Crossword Eriwan\nNeu: D\n")
    assert opened.answer("Anna Berg").subject == "[Eriwan] Du bist dabei"
    actions.start(opened.app, "Eriwan")
    assert opened.show()["letters"] == "DINORT"


def test_a_wish_may_change_before_the_start(seated: Any) -> None:
    """Until the start the last wish counts, and it is answered."""
    seated.writes("Anna Berg", "Crossword Eriwan\nNeu: Q\n")
    assert seated.answer("Anna Berg").subject == "[Eriwan] Du bist dabei"
    actions.start(seated.app, "Eriwan")
    assert seated.show()["letters"] == "INOQRT"


def test_a_wrong_wish_before_the_start_leaves_the_old_one(seated: Any) -> None:
    """An umlaut is refused with the reason; the wish from before stays."""
    seated.writes("Anna Berg", "Crossword Eriwan\nNeu: Ä\n")
    assert "Ä" in seated.reply("Anna Berg")
    actions.start(seated.app, "Eriwan")
    assert seated.show()["letters"] == "DINORT"


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("wish", ["Ü", "EE", "7"])
def test_a_sign_up_with_a_wrong_wish_says_that_there_is_no_seat_yet(opened: Any, wish: str) -> None:
    """games.md, Crossword 1: a wrong wish leaves no doubt whether one is in, as a newcomer and as a known player."""
    question = asked(opened, "Anna Berg", f"Anmeldung Crossword Eriwan\nNeu: {wish}\n")
    for answer in (
        says(opened, "Anna Berg", "Ja", question), asked(opened, "Anna Berg", f"Anmeldung Eriwan\nNeu: {wish}\n"),
    ):  # fmt: skip
        assert "In »Eriwan« hast du damit noch keinen Platz" in opened.said(answer)
        assert re.search(r"wünschen|Wünsch dir", opened.said(answer))
    assert seated(opened) == []
    assert asked(opened, "Anna Berg", "Anmeldung Eriwan\nNeu: E\n").subject == "[Eriwan] Du bist dabei"
    assert seated(opened) == ["Anna Berg"]


def test_autostart_with_the_last_wish(zine: Any) -> None:
    """A game opened with autostart begins by itself with the sixth seat and wish, and tells everybody."""
    actions.new_game(zine.app, "crossword", "Eriwan", autostart=True)
    for name in PLAYERS[:5]:
        seating.join(zine.app, "Eriwan", name, address_of(name), "E")
    question = asked(zine, "Frida Groß", "Anmeldung Crossword Eriwan\n")
    says(zine, "Frida Groß", "Ja", question)
    assert zine.status == "open"
    zine.writes("Frida Groß", "Crossword Eriwan\nNeu: X\n")
    zine.tick()
    assert zine.status == "running"
    sent = zine.mails()
    started = [recipient for recipient, mail in sent if "Es geht los" in mail.subject]
    assert sorted(started) == sorted(map(address_of, PLAYERS))
    (answer,) = (mail for _, mail in sent if "Du bist dabei" in mail.subject)
    assert "geht es los" in zine.said(answer)


def test_english_sign_up_is_answered_in_english(opened: Any) -> None:
    """A sign-up in English is answered in English, and so are later mails, whatever the game's language."""
    question = asked(opened, "Emma Stone", "Join Crossword Eriwan\nNew: D\n")
    assert question.subject.startswith("[Question ")
    assert "Is that right?" in opened.said(question)
    answer = says(opened, "Emma Stone", "Yes", question)
    assert answer.subject == "[Eriwan] You are in"
    for name in PLAYERS[:5]:
        seating.join(opened.app, "Eriwan", name, address_of(name), "E")
    actions.start(opened.app, "Eriwan")
    opened.tick()
    sent = dict(opened.mails())
    assert "Off we go" in sent[address_of("Emma Stone")].subject
    assert "Es geht los" in sent[address_of("Anna Berg")].subject


def test_title_alone_means_the_only_open_game(opened: Any) -> None:
    """`Anmeldung Crossword` is enough while one game is open."""
    says(opened, "Anna Berg", "Ja", asked(opened, "Anna Berg", "Anmeldung Crossword\nNeu: D\n"))
    assert seated(opened) == ["Anna Berg"]


def test_sign_up_for_a_game_that_is_not(opened: Any) -> None:
    """A sign-up for a game that doesn't exist ends in a sentence, without a question, and the player may try again."""
    answer = asked(opened, "Anna Berg", "Anmeldung Crossword Tiflis\n")
    assert "Eine offene Partie »…« kenne ich nicht." in opened.said(answer)
    assert opened.rows(Question) == opened.rows(Player) == []
    asked(opened, "Anna Berg", SIGN_UP)


def test_status_before_the_start_is_answered(seated: Any) -> None:
    """`Stand` in an open game says that it hasn't begun."""
    seated.writes("Anna Berg", "Stand Eriwan\n")
    assert "noch nicht angefangen" in seated.reply("Anna Berg")


def test_by_hand_and_by_mail_are_one_player(seated: Any) -> None:
    """A player seated by the GM is asked nothing: the address is known."""
    with seated.app.database.read() as session:
        assert [player.name for player in player_queries.players_at(session, address_of("Anna Berg"))] == ["Anna Berg"]
    seated.writes("Anna Berg", "Standby\n")
    assert "Liste der Ersatzspieler" in seated.reply("Anna Berg")
    assert seated.rows(Question) == []


# -- several wishes in a mail ------------------------------------------------------------------------------------------


def open_many(zine: Any) -> None:
    """Let games be open, full, running and over."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    actions.new_game(zine.app, "presto", "Kutaissi")
    for name, kind in (("Riga", "crossword"), ("Tiflis", "crossword"), ("Baku", "crossword")):
        actions.new_game(zine.app, kind, name)
        for player in PLAYERS:
            seating.join(zine.app, name, player, address_of(player), "E")
    for name in ("Tiflis", "Baku"):
        actions.start(zine.app, name)
    actions.abort(zine.app, "Baku", "niemand mag mehr")
    zine.tick()


@pytest.fixture
def many(begin: Any) -> Any:
    """Eriwan and Kutaissi are open, Riga is full, Tiflis runs, Baku is over."""
    return begin("empty", after=open_many)


XAVER = "Xaver Zorn"
ALL = "Anmeldung Crossword Eriwan\nNeu: D\n\nAnmeldung Presto Kutaissi\nStandby Crossword\nBeobachten Tiflis\n"


def seats_of(zine: Any, name: str) -> list[str]:
    """Name the games in which somebody sits."""
    with zine.app.database.read() as session:
        players = [one for one in session.exec(select(Player)) if one.name == name]
        return sorted(
            game.name for game in game_queries.games_of_players(session, [one.id for one in players], ("open",))
        )


def test_one_yes_for_all_that_a_mail_wants(many: Any) -> None:
    """Two seats, the standby list and a game to watch are one question with one code; one `Ja` brings all of it."""
    question = asked(many, XAVER, ALL)
    said = many.said(question)
    for wish in ("Crossword »Eriwan«", "Presto »Kutaissi«", "Ersatzspieler für Crossword", "bei »Tiflis« zusehen"):
        assert wish in said
    assert said.count("[Frage") == len(many.rows(Question)) == 1
    answer = says(many, XAVER, "Ja", question)
    assert seats_of(many, XAVER) == ["Eriwan", "Kutaissi"]
    assert len(many.rows(Standby)) == len(many.rows(Watcher)) == 1
    assert players(many).count(XAVER) == 1
    for done in ("Platz in »Eriwan«", "Platz in »Kutaissi«", "Liste der Ersatzspieler", "Bulletins von »Tiflis«"):
        assert done in many.said(answer)
    assert [seat["wished"] for seat in many.show()["seats"]] == [True]


def test_one_no_for_all_that_a_mail_wants(many: Any) -> None:
    """`Nein` settles all of it."""
    says(many, XAVER, "Nein", asked(many, XAVER, ALL))
    assert XAVER not in players(many)


def test_what_cannot_be_done_is_said_in_the_question(many: Any) -> None:
    """Full, running, over and unknown games are said in the same mail, and only the rest is asked."""
    text = "".join(f"Anmeldung {name}\n" for name in ("Riga", "Tiflis", "Baku", "Nirgends", "Eriwan"))
    question = asked(many, XAVER, f"{text}Beobachten Baku\n")
    said = many.said(question)
    assert question.subject.startswith("[Frage ")
    assert "Du möchtest in Crossword »Eriwan« mitspielen. Stimmt das?" in said
    assert "»Riga« ist leider schon voll" in said
    assert "»Tiflis« läuft schon" in said
    assert said.count("Eine offene Partie »…« kenne ich nicht.") == 2
    says(many, XAVER, "Ja", question)
    assert seats_of(many, XAVER) == ["Eriwan"]


def test_where_nothing_can_be_done_nothing_is_asked(many: Any) -> None:
    """The answer says why, and leaves no question behind."""
    answer = asked(many, XAVER, "Anmeldung Riga\nAnmeldung Tiflis\n")
    assert "voll" in many.said(answer)
    assert "läuft schon" in many.said(answer)
    assert many.rows(Question) == []


def test_a_game_that_is_over_sounds_like_none(many: Any) -> None:
    """What the list of games doesn't tell, a sign-up doesn't tell either."""
    answers = [many.said(asked(many, XAVER, f"Anmeldung {name}\n")) for name in ("Baku", "Oslo")]
    assert answers[0] == answers[1]


def test_a_game_that_fills_up_before_the_yes(many: Any) -> None:
    """What became impossible between question and `Ja` is said then, below what was done."""
    question = asked(many, XAVER, ALL)
    for name in PLAYERS:
        seating.join(many.app, "Eriwan", name, address_of(name), "E")
    answer = says(many, XAVER, "Ja", question)
    assert answer.subject.startswith("[Kutaissi] Du bist dabei")
    assert "»Eriwan« ist leider schon voll" in many.said(answer)
    assert seats_of(many, XAVER) == ["Kutaissi"]


def test_a_yes_to_nothing_registers_nobody(many: Any) -> None:
    """Where all has become impossible, nobody is made a player."""
    question = asked(many, XAVER)
    for name in PLAYERS:
        seating.join(many.app, "Eriwan", name, address_of(name), "E")
    assert "voll" in many.said(says(many, XAVER, "Ja", question))
    assert XAVER not in players(many)


def test_the_same_wish_twice_is_one(many: Any) -> None:
    """A sign-up that stands twice in a mail is asked and carried out once, with the wish letter of either."""
    question = asked(many, XAVER, "Anmeldung Eriwan\nNeu: D\n\nStandby\nanmeldung crossword eriwan\nStandby\n")
    assert many.said(question).count("»Eriwan«") == 1
    says(many, XAVER, "Ja", question)
    assert many.show()["seats"][0]["wished"]


def test_words_beside_a_strangers_sign_up(many: Any) -> None:
    """They wait for the `Ja`, which brings them to the GM in one notice; the question says so."""
    question = asked(many, XAVER, "Hallo!\n\nAnmeldung Eriwan\nNeu: D\n\nGibt es auch Doppelkopf bei euch?\n")
    assert "bekommt Cici Beilken mit deinem »Ja«" in many.said(question)
    many.writes(XAVER, "Ja\n\nIch freue mich schon sehr.\n", subject=f"Re: {question.subject}")
    many.tick()
    sent = dict(many.mails())
    assert "Gibt es auch Doppelkopf bei euch?" in many.said(sent["cici@postspiel.example"])
    assert len(sent) == 2
    assert [one.payload["text"] for one in many.rows(Question) if one.kind == "text"] == [
        "Gibt es auch Doppelkopf bei euch?", "Ich freue mich schon sehr.",
    ]  # fmt: skip
    assert "Was du dazu geschrieben hast, ist bei Cici Beilken." in many.said(sent[address_of(XAVER)])


# -- lines with more in them -------------------------------------------------------------------------------------------

CHEERFUL = "Anmeldung Presto Kutaissi, ich freu mich auf euch!\nAnmeldung Crossword Eriwan\nNeu: D\n"


def test_a_players_sign_up_with_words(many: Any) -> None:
    """It is carried out like the one beside it, and the words are with the GM."""
    many.writes("Anna Berg", CHEERFUL)
    many.tick()
    sent = dict(many.mails())
    said = many.said(sent[address_of("Anna Berg")])
    assert "Platz in »Kutaissi«" in said
    assert "Platz in »Eriwan«" in said
    assert "Was du dazu geschrieben hast, ist bei Cici Beilken." in said
    assert "ich freu mich auf euch!" in many.said(sent["cici@postspiel.example"])


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("in_subject", [False, True])
def test_a_strangers_sign_up_with_words(many: Any, in_subject: bool) -> None:
    """It is asked like the one beside it, and the words come to the GM with the `Ja`."""
    subject, _, text = CHEERFUL.partition("\n") if in_subject else ("Hallo", "", CHEERFUL)
    question = asked(many, XAVER, text, subject=subject)
    assert "Presto »Kutaissi«" in many.said(question)
    assert "Crossword »Eriwan«" in many.said(question)
    many.writes(XAVER, "Ja\n", subject=f"Re: {question.subject}")
    many.tick()
    assert "ich freu mich auf euch!" in many.said(dict(many.mails())["cici@postspiel.example"])
    assert seats_of(many, XAVER) == ["Eriwan", "Kutaissi"]
    assert many.show()["seats"][0]["wished"]


UNSURE = "Anmeldung Presto Kutaissi als www.evil.example\nAnmeldung zu noch zwei Spielen\nAnmeldung Eriwan\n"


def test_a_line_that_cannot_be_read_beside_one_that_can(many: Any) -> None:
    """A player is told the line and what it may have been; the other is carried out."""
    many.writes("Anna Berg", UNSURE)
    many.tick()
    sent = dict(many.mails())
    said = many.said(sent[address_of("Anna Berg")])
    assert "Die Zeile »Anmeldung Presto Kutaissi als www.evil.example« habe ich nicht verstanden" in said
    assert "»Anmeldung Presto Kutaissi«" in said
    assert "Platz in »Eriwan«" in said
    assert "zu noch zwei Spielen" in many.said(sent["cici@postspiel.example"])


def test_a_strangers_line_that_cannot_be_read(many: Any) -> None:
    """A stranger is told what each may have been, and never what it said: a forger may have written it."""
    question = asked(many, XAVER, UNSURE)
    said = many.said(question)
    assert "Crossword »Eriwan«" in said
    assert "Meinst du vielleicht »Anmeldung Presto Kutaissi«?" in said
    assert "Meinst du vielleicht »Anmeldung Crossword Eriwan«?" in said
    assert "evil" not in said + question.html


def test_a_strangers_only_line_cannot_be_read(many: Any) -> None:
    """Alone in a mail it is told as well, and nothing is asked."""
    assert "»Anmeldung Presto Kutaissi«" in many.said(asked(many, XAVER, "Anmeldung Presto Kutaissi als Xaver\n"))
    assert many.rows(Question) == []


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("name", ["Anna Berg", XAVER])
@pytest.mark.parametrize(
    "line",
    ["Anmeldung Kutaissi, ich freu mich!", "Join Presto Kutaissi - can't wait", "Standby, falls was frei wird",
     "Beobachten Kutaissi; bin gespannt", "Anmeldnug Presto Kutaissi, ich freu mich",
     "Anmeldung Presto Kutaissi ab Mai",
     "Anmeldung Presto, Kutaissi", "Standby Kutaissi, gerne", "Anmeldung Kutaisi, ich freu mich"],
)  # fmt: skip
def test_no_sign_up_line_vanishes(many: Any, name: str, line: str) -> None:
    """Beside one that is carried out each is carried out as well, asked, or told."""
    words = "Hallo!\n\nAnmeldung Crossword Eriwan\nNeu: D\n\n{}Viele Grüße\n"
    alone, both = (many.said(asked(many, name, words.format(more))) for more in ("", f"{line}\n\n"))
    kept = {word for word in re.findall(r"\w+", both) if word not in re.findall(r"\w+", alone)}
    assert kept & {"Kutaissi", "Standby", "Ersatzspieler", "Kutaisi"}


LETTERS = [
    "Anmeldung Crossword Eriwan mit dem Buchstaben E",
    "Anmeldung Crossword Eriwan, Buchstabe E",
    "Anmeldung Crossword Eriwan mit E",
    "Anmeldung Crossword Eriwan mit Wunschbuchstabe E, bitte! LG Anna",
    "Anmeldung Crossword Eriwan (E)",
    "Anmeldung Crossword Eriwan E",
    "Anmeldung mit dem Buchstaben E für Crossword Eriwan",
    "Anmeldung Crossword Eriwan. Mein Buchstabe ist das E.",
    "Anmeldung Eriwan mit »E« 😊",
    "Join Crossword Eriwan with letter E",
    "Join Crossword Eriwan with an E, please",
    "Join Crossword Eriwan, my letter is E",
    "join crossword eriwan letter: e",
]


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("line", LETTERS)
def test_a_letter_in_the_line_is_the_wish(opened: Any, line: str) -> None:
    """Issue 47: a letter in the line of the sign-up is what `Neu: E` says, of a stranger and of a player."""
    question = asked(opened, "Anna Berg", f"{line}\n")
    assert "mit E mitspielen. Stimmt das?" in opened.said(question) or "with E. Is that right?" in opened.said(question)
    says(opened, "Anna Berg", "Ja", question)
    actions.new_game(opened.app, "crossword", "Tiflis")
    opened.writes("Anna Berg", f"{line}\n".replace("Eriwan", "Tiflis").replace("eriwan", "Tiflis"), subject="")
    opened.tick()
    assert [seat.entry for seat in opened.rows(Seat)] == [{"letter": "E"}] * 2


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (
            "Anmeldung Crossword Eriwan und Combinato",
            "»Eriwan« mitspielen und in Combinato »Riga« mitspielen. Stimmt das?",
        ),
        (
            "Anmeldung Crossword Eriwan mit E, und Combinato",
            "»Eriwan« mit E mitspielen, und in Combinato »Riga« mitspielen.",
        ),
        (
            "Anmeldung Crossword Eriwan und Combinato Riga, Buchstabe E",
            "»Eriwan« mit E mitspielen, und in Combinato »Riga« mitspielen.",
        ),
        (
            "Anmeldung Combinato und Crossword Eriwan (E), danke",
            "»Riga« mitspielen und in Crossword »Eriwan« mit E mitspielen.",
        ),
        ("Join Crossword Eriwan with E and Combinato", "“Eriwan” with E, and to play in Combinato “Riga”."),
    ],
)
def test_several_games_in_a_line_are_asked_about_at_once(opened: Any, line: str, read: str) -> None:
    """Issue 47: the question says which games were read, and with which letter; one `Ja` is for all."""
    actions.new_game(opened.app, "combinato", "Riga")
    question = asked(opened, "Anna Berg", f"{line}\n")
    assert read in opened.said(question)
    opened.writes("Anna Berg", "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    opened.tick()
    assert len(opened.rows(Seat)) == 2


@pytest.mark.parametrize(
    "line",
    [
        "Anmeldung Crossword Eriwan mit E oder F",
        "Anmeldung Crossword Eriwan mit meinem Mann",
        "Join Crossword Eriwan with E/F",
        "Anmeldung Crossword Eriwan mit E und F",
        "Anmeldung Crossword Eriwan, Buchstabe egal",
    ],
)
def test_what_is_no_one_letter_is_no_wish(opened: Any, line: str) -> None:
    """Two letters, or a word, are no wish: nothing is guessed."""
    assert "mit E" not in opened.said(asked(opened, "Anna Berg", f"{line}\n"))
