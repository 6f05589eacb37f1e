"""Mails without a valid move: from strangers, for another seat, messages to the GM, automatic mails."""

from datetime import timedelta
from typing import Any

import pytest

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Player, Question, Sheet

ANNA, BERND = PLAYERS[:2]
STRANGER = "Xaver Unbekannt"
MOVE = "Crossword {}\nNeu: E\nDN....\n......\n......\n......\n......\n......\n"


@pytest.mark.trust(except_first=5)
@pytest.mark.parametrize(
    "text",
    [
        MOVE.format("Eriwan"), MOVE.format("Tiflis"), MOVE.format(""), "Stand Eriwan\n", "Stand Tiflis\n",
        "Zurückziehen Eriwan\n", "Warten Eriwan\n", "Fertig Eriwan\n", "GM: Hallo!\n", "Hallo, was ist das?\n",
        "Ja\n",
    ],
)  # fmt: skip
def test_a_stranger_gets_short_help(eriwan: Any, text: str) -> None:
    """Whatever a stranger sends beside a sign-up, the answer is the short help and nothing happens."""
    eriwan.writes(STRANGER, text)
    assert eriwan.answer(STRANGER).subject == "Postspiele per Mail: Dottendorfer Soccer"
    assert eriwan.rows(Sheet) == eriwan.rows(Question) == []
    assert len(eriwan.rows(Player)) == 6


def test_help_comes_once_a_day(eriwan: Any) -> None:
    """A second mail on the same day gets no answer, one on the next day does."""
    for hours, answers in ((0, 1), (3, 0), (20.5, 0), (1, 1)):
        eriwan.passes(hours=hours)
        eriwan.writes(STRANGER, MOVE.format("Eriwan"))
        eriwan.tick()
        assert len(eriwan.mails()) == answers


def test_the_answer_does_not_tell_whether_a_game_exists(begin: Any) -> None:
    """Two strangers, one who names a game that exists and one who doesn't, get the same words."""
    answers = []
    for game in ("Eriwan", "Tiflis"):
        zine = begin("started")
        zine.writes(STRANGER, MOVE.format(game))
        mail = zine.answer(STRANGER)
        answers.append((mail.subject, mail.text, sorted(mail.headers)))
    assert answers[0] == answers[1]


def test_a_question_does_not_count_as_help(eriwan: Any) -> None:
    """A stranger who was asked about a sign-up still gets the help on the same day."""
    eriwan.writes(STRANGER, "Standby\n")
    assert eriwan.answer(STRANGER).subject.startswith("[Frage ")
    eriwan.writes(STRANGER, "Schönes Wetter bei euch!\n")
    assert eriwan.answer(STRANGER).subject.startswith("Postspiele per Mail")


def test_strangers_may_ask_for_games_and_help(eriwan: Any) -> None:
    """`Spiele` and `Hilfe` are answered to everybody."""
    for text, subject in (("Spiele\n", "Offene und laufende Partien"), ("Help\n", "Help: how to play here by mail")):
        eriwan.writes(STRANGER, text)
        assert eriwan.answer(STRANGER).subject == subject


def test_a_player_cannot_move_another_seat(eriwan: Any) -> None:
    """A block from Bernd's address with Anna's name changes neither seat, and says so to Bernd only."""
    eriwan.sends(ANNA, "RO")
    eriwan.tick()
    eriwan.mails()
    eriwan.sends(BERND, "DN", head=(f"Name: {ANNA}",))
    eriwan.tick()
    ((recipient, mail),) = eriwan.mails()
    assert recipient == address_of(BERND)
    assert "spielst du unter dieser Adresse nicht" in eriwan.said(mail)
    assert eriwan.on_file(ANNA) == ("ro", "E")
    assert eriwan.on_file(BERND) is None


def test_the_name_in_from_is_nobodys_proof(eriwan: Any) -> None:
    """The address decides who writes, never the display name."""
    eriwan.sends(ANNA, "DN", sender=address_of(BERND))
    eriwan.tick()
    assert eriwan.on_file(ANNA) is None
    assert eriwan.on_file(BERND) == ("dn", "E")


@pytest.mark.parametrize(
    "sender",
    [
        f"{address_of(ANNA)} <x@evil.example>", f'"{address_of(ANNA)}" <x@evil.example>',
        f"{address_of(ANNA)}, x@evil.example", f"x@evil.example ({address_of(ANNA)})",
    ],
)  # fmt: skip
def test_a_forged_from_moves_nothing(eriwan: Any, sender: str) -> None:
    """A From with Anna's address as decoration is not Anna; Anna gets no mail about it, the GM may."""
    raw = eriwan.sends(ANNA, "DN")
    eriwan.server.folders["INBOX"].clear()
    eriwan.arrives(raw.replace(f"From: {ANNA} <{address_of(ANNA)}>".encode(), f"From: {sender}".encode()))
    eriwan.tick()
    assert eriwan.on_file(ANNA) is None
    assert {recipient for recipient, _ in eriwan.mails()} <= {"x@evil.example", "cici@postspiel.example"}


def test_a_move_in_a_game_without_ones_seat(begin: Any) -> None:
    """A player who has no game of that kind hears of a game that doesn't exist what one hears of somebody else's."""
    zine = begin("started")
    zine.writes(ANNA, "Typ-Dom Tiflis\nHAUS\n")
    assert "Tiflis" in zine.reply(ANNA)
    assert zine.rows(Sheet) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [("GM: Ich bin im Urlaub.\n", "Ich bin im Urlaub."), ("Ich bin im Urlaub.\n", "Ich bin im Urlaub.")],
)
def test_words_to_the_gm_reach_the_gm(eriwan: Any, text: str, kept: str) -> None:
    """`GM: ...` and free text are put on the GM's list, go to the GM in one notice, and the player is told."""
    eriwan.writes(ANNA, text)
    eriwan.tick()
    sent = dict(eriwan.mails())
    assert set(sent) == {"cici@postspiel.example", address_of(ANNA)}
    assert kept in eriwan.said(sent["cici@postspiel.example"])
    assert ANNA in eriwan.said(sent["cici@postspiel.example"])
    assert "Cici Beilken" in eriwan.said(sent[address_of(ANNA)])
    (question,) = eriwan.rows(Question)
    assert (question.kind, question.payload["text"], question.answered_at) == ("text", kept, None)


def test_words_to_the_gm_beside_a_move(eriwan: Any) -> None:
    """A move and `GM: ...` in one mail are both carried out, with one answer."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN") + "\nGM: Danke!\n")
    eriwan.tick()
    assert sorted(recipient for recipient, _ in eriwan.mails()) == [address_of(ANNA), "cici@postspiel.example"]
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert len(eriwan.rows(Question)) == 1


def test_greetings_beside_a_move_bother_nobody(eriwan: Any) -> None:
    """Free text around a move is kept with the mail and is no message to the GM."""
    eriwan.writes(ANNA, "Hallo Cici,\n\nhier mein Zug:\n\n" + eriwan.block(ANNA, "DN") + "\nViele Grüße\nAnna\n")
    eriwan.tick()
    assert [recipient for recipient, _ in eriwan.mails()] == [address_of(ANNA)]
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert eriwan.rows(Question) == []


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("new", ["DN", "QQ"], ids=["a good move", "a wrong one"])
@pytest.mark.parametrize("where", ["above", "below", "behind the farewell"])
def test_words_beside_a_move_reach_the_gm_once(eriwan: Any, where: str, new: str) -> None:
    """What somebody writes beside a move is one notice to the GM with the game, and the writer is told; once."""
    asks, block = "Kannst du den ZAT verschieben? Meine Frau ist im Krankenhaus.", eriwan.block(ANNA, new)
    texts = {
        "above": f"Hallo Cici,\n\n{asks}\n\n{block}", "below": f"{block}\n{asks}\n\nLG Anna\n",
        "behind the farewell": f"{block}\nViele Grüße\nAnna\n\nP.S. {asks}\n",
    }  # fmt: skip
    for number in range(2):
        eriwan.writes(ANNA, texts[where])
        eriwan.tick()
        sent = dict(eriwan.mails())
        assert set(sent) == {address_of(ANNA), *(["cici@postspiel.example"] if number == 0 else [])}
        if number == 0:
            assert "Was du dazu geschrieben hast, ist bei Cici Beilken." in eriwan.said(sent[address_of(ANNA)])
            told = sent["cici@postspiel.example"]
            assert told.subject.startswith("[Frage ")
            assert "[Eriwan]" in told.subject
            assert asks in eriwan.said(told)
    assert [one.kind for one in eriwan.rows(Question)] == ["text"]
    assert (eriwan.on_file(ANNA) is None) == (new == "QQ")


PROVEN = {
    "auto-reply": {"Auto-Submitted": "auto-replied"},
    "loop": {"X-Loop": GM_ADDRESS},
    "list": {"List-Id": "<zine.example>"},
}
"""Marks that say what a mail is, whoever sent it."""
LIKELY = {
    "out of office": {"X-Autoreply": "yes"},
    "bounce": {"Return-Path": "<>"},
    "failed": {"X-Failed-Recipients": "anna@spieler.example"},
    "inbox rule": {"X-MS-Exchange-Inbox-Rules-Loop": "anna@spieler.example"},
    "absence": {"Subject": "Abwesenheitsnotiz: [Eriwan] Es geht los"},
    "receipt": {"Subject": "Gelesen: [Eriwan] Runde 1"},
    "automatic": {"Subject": "Automatische Antwort: [Eriwan] Runde 1"},
}
"""Marks that most mails with them have from a program, and some have from a person's."""
PASSED_ON = {
    "provider": {"Feedback-ID": "1:2:3:provider"},
    "newsletter": {"List-Unsubscribe": "<mailto:out@provider.example>"},
    "bulk": {"Precedence": "bulk"},
    "campaign": {"X-Campaign": "7"},
    "variable path": {"Return-Path": "<bounces+12-anna=spieler.example@mailer.example>"},
    "rewritten path": {"Return-Path": "<SRS0=abcd=xy=spieler.example=anna@relay.example>"},
    "no reply wanted": {"Reply-To": "noreply@spieler.example"},
}
"""What relays and providers add to anybody's mail."""


@pytest.mark.parametrize("headers", PROVEN.values(), ids=PROVEN)
def test_robots_get_no_answer_and_no_move(eriwan: Any, headers: dict[str, str]) -> None:
    """Auto-replies, list mails and our own loops are logged: no move, no answer, no notice."""
    eriwan.sends(ANNA, "DN", headers=headers)
    eriwan.writes(STRANGER, "Hilfe\n", headers=headers)
    eriwan.tick()
    assert eriwan.nothing_new()
    assert eriwan.on_file(ANNA) is None
    assert {row.status for row in eriwan.received()} == {"ignored"}
    assert eriwan.server.folders["INBOX"] == {}


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("headers", LIKELY.values(), ids=LIKELY)
def test_what_may_be_a_robots_is_taken_or_put_before_the_gm(eriwan: Any, headers: dict[str, str]) -> None:
    """A player's move counts; a player's words stand on the GM's list, once, unanswered; strangers are only logged."""
    fields = {"subject": headers.get("Subject", "Zug"), "headers": {k: v for k, v in headers.items() if k != "Subject"}}
    eriwan.sends(ANNA, "DN", **fields)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "E")
    eriwan.mails()
    for _ in range(2):
        eriwan.writes(BERND, "Ich bin bis Montag nicht da, kannst du den ZAT verschieben?\n", **fields)
    eriwan.writes(STRANGER, "Hilfe\n", **fields)
    eriwan.tick()
    assert eriwan.nothing_new()
    assert [(one.kind, one.player_id) for one in eriwan.rows(Question)] == [("text", 2)]
    assert "ZAT verschieben" in eriwan.rows(Question)[0].payload["text"]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("headers", PASSED_ON.values(), ids=PASSED_ON)
def test_what_relays_add_says_nothing_of_a_player(eriwan: Any, headers: dict[str, str]) -> None:
    """Moves, words and commands of players, and of strangers who want to play, are taken as without it."""
    eriwan.sends(ANNA, "DN", headers=headers)
    eriwan.writes(BERND, "Ich bin verreist.\n", headers=headers)
    eriwan.writes(STRANGER, "Spiele\n", headers=headers)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert {recipient for recipient, _ in eriwan.mails()} == {
        address_of(ANNA), address_of(BERND), address_of(STRANGER), "cici@postspiel.example",
    }  # fmt: skip


def test_a_newsletter_is_not_sent_help(eriwan: Any) -> None:
    """A bulk mail from a stranger without any command is only logged."""
    eriwan.writes(STRANGER, "Unsere Angebote der Woche\n", headers=PASSED_ON["newsletter"])
    eriwan.tick()
    assert eriwan.nothing_new()
    assert eriwan.last_reason() == "campaign: passed on by a mailer"


def test_a_players_post_to_a_list_is_on_the_gms_list_once_a_day(eriwan: Any) -> None:
    """A list post is never a move; the GM can see that a player wrote one."""
    for _ in range(3):
        eriwan.sends(ANNA, "DN", headers=PROVEN["list"])
    eriwan.tick()
    assert [one.kind for one in eriwan.rows(Question)] == ["list"]
    eriwan.passes(days=1, minutes=1)
    eriwan.sends(ANNA, "DN", headers=PROVEN["list"])
    eriwan.tick()
    assert [one.kind for one in eriwan.rows(Question)] == ["list"] * 2
    assert eriwan.nothing_new()


def test_an_ambiguous_from_with_a_players_address_is_told_to_the_gm(eriwan: Any) -> None:
    """Nobody knows who wrote it: nothing is applied, nobody answered; the GM is told once a day, and all are listed."""
    raw = eriwan.sends(ANNA, "DN")
    eriwan.server.folders["INBOX"].clear()
    for number in range(3):
        sender = f"From: {address_of(ANNA)}, x{number}@evil.example"
        eriwan.arrives(raw.replace(f"From: {ANNA} <{address_of(ANNA)}>".encode(), sender.encode()))
    eriwan.tick()
    assert [recipient for recipient, _ in eriwan.mails()] == ["cici@postspiel.example"]
    assert [one.kind for one in eriwan.rows(Question)] == ["ambiguous"] * 3
    assert eriwan.on_file(ANNA) is None


def test_our_own_mails_come_round(eriwan: Any) -> None:
    """A mail from our own address, or with a Message-ID that we made, is dropped, marks or no marks."""
    eriwan.writes(BERND, eriwan.block(BERND, "DN"), sender=GM_ADDRESS)
    own = eriwan.outgoing()[0]
    eriwan.arrives(own.raw)
    stripped = own.raw.replace(f"X-Loop: {GM_ADDRESS}\r\n".encode(), b"").replace(b"Auto-Submitted", b"X-Was")
    stripped = stripped.replace(b"List-Id", b"X-List").replace(f"<{GM_ADDRESS}>".encode(), b"<anna@spieler.example>")
    eriwan.arrives(stripped)
    eriwan.tick()
    assert eriwan.nothing_new()
    assert [row.status for row in eriwan.received()] == ["ignored"] * 3
    assert "own mail: Message-ID" in eriwan.last_reason()


def test_answers_have_a_cap(begin: Any) -> None:
    """One address gets so many answers an hour; moves beyond the cap still count, and others are answered."""
    eriwan = begin("started", security={"answers_per_hour": 3})
    for letters in ("D", "N", "T", "I", "R"):
        eriwan.sends(ANNA, letters)
    eriwan.sends(BERND, "D")
    eriwan.tick()
    recipients = [recipient for recipient, _ in eriwan.mails()]
    assert recipients.count(address_of(ANNA)) == 3
    assert recipients.count(address_of(BERND)) == 1
    assert eriwan.on_file(ANNA) == ("r", "E")
    eriwan.passes(hours=1)
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    subjects = [mail.subject for recipient, mail in eriwan.mails() if recipient == address_of(ANNA)]
    assert subjects == ["[Eriwan] Zug Runde 1 angekommen", "Was aus deinen Mails geworden ist"]


def test_two_robots_end_their_talk(begin: Any) -> None:
    """A robot without any mark that answers every mail of ours is not talked to for ever."""
    zine = begin("started", security={"answers_per_hour": 5})
    zine.writes(STRANGER, "Hilfe\n")
    answered = 0
    for _ in range(20):
        zine.tick()
        sent = zine.mails()
        answered += len(sent)
        for _, mail in sent:
            zine.writes(STRANGER, "Hilfe\n", subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    assert answered == 5
    assert zine.now - zine.received()[0].received_at < timedelta(hours=1)


def test_a_bouncing_player_is_put_before_the_gm(eriwan: Any) -> None:
    """A mail that the player's server refuses for good is one question to the GM, and no other mail suffers."""
    eriwan.outbox.refuse(address_of(ANNA))
    eriwan.sends(ANNA, "DN")
    eriwan.sends(BERND, "DN")
    eriwan.tick()
    assert [question.kind for question in eriwan.rows(Question)] == ["undelivered"]
    assert [recipient for recipient, _ in eriwan.mails()] == [address_of(BERND), "cici@postspiel.example"]
    assert eriwan.on_file(ANNA) == ("dn", "E")


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    "text",
    [
        "Anmeldung Crossword Eriwan, ZETTEL",
        "Anmeldung Crossword ZETTEL",
        "Anmeldung ZETTEL Eriwan",
        "Anmeldung Crossword Lima\nName: ZETTEL\nNeu: ZETTEL",
        "Standby ZETTEL",
        "Standby Crossword ZETTEL",
        "Beobachten ZETTEL",
        "Beobachten Eriwan ZETTEL",
        "Hilfe ZETTEL",
        "Spiele ZETTEL",
        "Stand ZETTEL",
        "Ja ZETTEL",
        "Adresse zettel@zettel.example",
        "Presse Eriwan\nZETTEL\nEnde",
        "Einspruch Eriwan ZETTEL: ZETTEL",
        "Crossword ZETTEL\nNeu: D",
        "GM: ZETTEL",
        "ZETTEL",
    ],
)
def test_a_forger_has_nothing_said_to_others(eriwan: Any, text: str) -> None:
    """A forged sender makes us write to that address, but controls no part of our text: no name, subject or word."""
    actions.new_game(eriwan.app, "crossword", "Lima")
    eriwan.writes("Zettel ZETTEL", f"{text}\n", sender="victim@fremd.example", subject="ZETTEL")
    eriwan.tick()
    for recipient, mail in eriwan.mails():
        if recipient == "victim@fremd.example":
            said = f"{mail.subject} {mail.text} {mail.html} {mail.headers['to']}".lower()
            assert "zettel" not in said.replace("zettel@zettel.example", "")


@pytest.mark.parametrize(
    "text",
    [
        "ich weiß nicht, wie ich das schreiben soll",
        "Ich weiß nicht, wie das geht. Meine Tochter hilft mir nicht mehr.",
        "Wie steht es in Eriwan, und wann ist euer Sommerfest?",
        "I don't know how to write this down, could you help me?",
        "Ich höre bei Eriwan auf, es macht mir so keinen Spaß mehr.",
    ],
)
def test_a_message_reaches_the_gm_whole(eriwan: Any, text: str) -> None:
    """Issue 47: whatever was understood of a message, the GM reads all of it"""
    eriwan.writes(ANNA, f"{text}\n")
    eriwan.tick()
    to_gm = [mail for to, mail in eriwan.mails() if to == "cici@postspiel.example"]
    assert all(text.rstrip(".") in eriwan.said(mail) for mail in to_gm)
    assert to_gm
    assert all(
        text.rstrip(".") in " ".join(one.payload["text"].split()) for one in eriwan.rows(Question) if one.kind == "text"
    )


@pytest.mark.parametrize(
    ("head", "sign_off"),
    [
        ("Sehr geehrte Frau Beilken,", "Hochachtungsvoll Th. Kranz"),
        ("Sehr geehrter Herr Spielleiter,", "Ihr H. Wegener"),
        ("Werte Spielleitung,", "Mit sportlichem Gruß\nHorst"),
        ("Dear Ms Beilken,", "Yours sincerely\nTom"),
        ("Liebe Cici, liebe Mitspieler,", "Liebe Grüße vom Bodensee, Horst"),
    ],
)
def test_salutations_and_sign_offs_are_no_message(eriwan: Any, head: str, sign_off: str) -> None:
    """Issue 47: around a command, a move or an answer they bother nobody."""
    for text in ("Stand Eriwan", eriwan.block(ANNA, "DN").rstrip()):
        eriwan.writes(ANNA, f"{head}\n\n{text}\n\n{sign_off}\n")
        eriwan.tick()
        assert [to for to, _ in eriwan.mails()] == [address_of(ANNA)]
    assert eriwan.rows(Question) == []
