"""A mail that we can't use is answered in a few lines (issue 29): what was read, what is missing, the line to send."""

from email.message import EmailMessage
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.queries import game_queries

ANNA = PLAYERS[0]
MOST_LINES = 8
QUOTED = "Am 2.11.2026 schrieb GM:\n> Neues vom Spiel\n"
EXPECTED = "Ein Zug von dir fehlt noch in »Eriwan« (bis Mo, 16.11.2026, 20:00 Uhr)."


def lines_of(mail: Any) -> list[str]:
    """The lines between greeting and sign-off."""
    lines = [line for line in mail.text.splitlines() if line.strip()]
    start = next(at for at, line in enumerate(lines) if line.startswith(("Hallo", "Hello")))
    stop = next(at for at, line in enumerate(lines) if at > start and line.startswith(("»Hilfe", "“Help", "-- ")))
    return lines[start + 1 : stop]


NO_MOVE = "Einen Zug habe ich in deiner Mail nicht gefunden,"


def said_in(mail: Any) -> list[str]:
    """The lines of our own, without those to copy."""
    return [line for line in lines_of(mail) if not line.startswith("     ")]


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Das Wetter ist schön.\nDie Katze schläft.\nUnd sonst?\nAlles gut.\n", NO_MOVE),
        ("Das Wetter ist schön.\n", NO_MOVE),
        (f"Das Wetter ist schön.\n\n{QUOTED}", NO_MOVE),
        ("Das Wetter ist schön.\n-- \nVon meinem iPhone\n", NO_MOVE),
        (f"Das Wetter ist schön.\n\n{QUOTED}\n-- \nAnna\n", NO_MOVE),
        (QUOTED, "steht nur Zitiertes"), ("\n", "war nichts zu lesen"),
        ("Anfang der weitergeleiteten Nachricht:\n\nVon: GM <gm@example.org>\nBetreff: Eriwan\n\nHallo\n",
         "Den weitergeleiteten Teil"),
    ],
)  # fmt: skip
def test_what_was_seen_and_what_is_missing(eriwan: Any, text: str, said: str) -> None:
    """The answer says what is missing, and names the game in which a move is expected, with its deadline."""
    eriwan.writes(ANNA, text, subject="Hallo")
    mail = eriwan.answer(ANNA)
    assert said in eriwan.said(mail)
    assert EXPECTED in eriwan.said(mail)
    assert "zeigt die Form" not in eriwan.said(mail)
    assert len(said_in(mail)) <= MOST_LINES


def test_a_picture_is_seen(eriwan: Any) -> None:
    """A photograph of a move is named as what it is, and the block to send is that game's."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address_of(ANNA), GM_ADDRESS, "Zug"
    mail.set_content("Hier ist er ja.\n")
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="zug.png")
    eriwan.arrives(bytes(mail))
    answer = eriwan.answer(ANNA)
    assert "Im Text deiner Mail habe ich keinen Zug gefunden," in eriwan.said(answer)
    assert "Crossword Eriwan, Runde 1 Neu: ......" in eriwan.said(answer)
    assert len(said_in(answer)) <= MOST_LINES


ONLY_ATTACHED = {
    "picture": ([("image", "jpeg", "IMG_1.jpg")], "ein Bild als Anhang"),
    "pictures": ([("image", "jpeg", "1.jpg"), ("image", "heic", "2.heic")], "2 Bilder als Anhang"),
    "docx": ([("application", "vnd.openxmlformats-officedocument.wordprocessingml.document", "zug.docx")],
             "eine Datei als Anhang"),
    "both": ([("image", "png", "1.png"), ("application", "pdf", "zug.pdf")],
             "ein Bild als Anhang, eine Datei als Anhang"),
}  # fmt: skip


@pytest.mark.parametrize(("files", "said"), ONLY_ATTACHED.values(), ids=ONLY_ATTACHED)
def test_nothing_but_an_attachment(eriwan: Any, files: Any, said: str) -> None:
    """Sender and GM read in words what was seen, no MIME types; the sender sees the block to send."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address_of(ANNA), GM_ADDRESS, "Zug"
    mail.set_content("\n")
    for kind, subtype, name in files:
        mail.add_attachment(b"PK\x03\x04", maintype=kind, subtype=subtype, filename=name)
    eriwan.arrives(bytes(mail))
    eriwan.tick()
    mails = dict(eriwan.mails())
    to_anna, to_gm = mails[address_of(ANNA)], mails["cici@postspiel.example"]
    assert f"in deiner Mail ist nur {said}, kein Text." in eriwan.said(to_anna)
    assert "Crossword Eriwan, Runde 1 Neu: ......" in eriwan.said(to_anna)
    assert len(said_in(to_anna)) <= MOST_LINES
    assert f"Kein Text, nur {said}." in eriwan.said(to_gm)
    assert not any(f"{kind}/" in to_gm.text for kind, _, _ in files)


WISHES = [
    "Ich würde gern bei Kiew mitspielen.", "Ich höre bei Eriwan auf.", "Ich höre auf.", "Bin vom 20.12. bis 3.1. weg.",
    "Kann ich in Eriwan 3 Tage mehr haben?", "Ich brauche noch bis Sonntag.", "Ich brauche mehr Zeit.",
    "Bitte zieh meinen Zug in Eriwan zurück.", "Setz mich bitte auf die Liste der Ersatzspieler.",
    "Ich möchte bei Riga zusehen.", "Ich möchte zuschauen.", "Bitte keine Wochenübersicht mehr.",
    "Bitte schreib mir auf Englisch.", "I'd like to join Kiew.", "I want to leave Eriwan.",
    "I'm away from 20 December to 3 January.", "Could I have three more days in Eriwan?", "I'd like to watch Riga.",
    "Ich möchte mitspielen.", "Passt so!", "Nein danke", "R", "Wie ist das Wetter?", "Danke!", "Frohe Weihnachten!",
]  # fmt: skip
BESIDE = "\n\nUnd noch etwas ganz anderes: Wann ist eigentlich euer Sommerfest? Meine Schwester käme gern mit."


@pytest.mark.trust
@pytest.mark.parametrize("beside", ["", BESIDE], ids=["alone", "with words beside"])
def test_no_answer_to_prose_is_long(eriwan: Any, beside: str) -> None:
    """Issue 29: at most eight lines of our own, whatever was understood, and whether or not words stand beside it."""
    for kind, name in (("crossword", "Tiflis"), ("typ-dom", "Riga"), ("crossword", "Lima")):
        actions.new_game(eriwan.app, kind, name)
        seating.join(eriwan.app, name, ANNA, address_of(ANNA), "D" if kind == "crossword" else None)
    actions.new_game(eriwan.app, "crossword", "Kiew")
    eriwan.tick()
    eriwan.mails()
    answered = 0
    for text in WISHES:
        eriwan.passes(minutes=15)
        eriwan.writes(ANNA, f"{text}{beside}\n", subject="Hallo")
        eriwan.tick()
        for recipient, mail in eriwan.mails():
            if recipient == address_of(ANNA):
                answered += 1
                assert len(said_in(mail)) <= MOST_LINES, f"{text}\n{mail.text}"
    assert answered >= len(WISHES) - 3


def test_where_no_move_is_due(eriwan: Any) -> None:
    """Whoever has moved hears that nothing is expected; in several games each is named."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Das Wetter ist schön.\n")
    assert "Gerade fehlt kein Zug von dir." in eriwan.reply(ANNA)


def test_several_games_are_named(eriwan: Any) -> None:
    """Each game that waits is named, and the answer stays short."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    for name in PLAYERS:
        seating.join(eriwan.app, "Tiflis", name, address_of(name), "D")
    actions.start(eriwan.app, "Tiflis")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Das Wetter ist schön.\n")
    mail = eriwan.answer(ANNA)
    assert "»Eriwan« (bis Mo, 16.11.2026, 20:00 Uhr), »Tiflis« (bis" in eriwan.said(mail)
    assert len(said_in(mail)) <= MOST_LINES


@pytest.mark.parametrize("text", ["Tolles Wetter heute!", "Hilfst du mir beim Umzug?", "Ich bin im Urlaub.", "Fertig!"])
def test_the_whole_help_comes_only_when_asked_for(eriwan: Any, text: str) -> None:
    """No other mail brings the list of all commands (issue 29)."""
    eriwan.writes(ANNA, f"{text}\n")
    assert "So spielt man hier" not in eriwan.reply(ANNA)


def test_the_strangers_help_is_short(eriwan: Any) -> None:
    """At most eight lines in each of its two languages."""
    eriwan.writes("Xaver Unbekannt", "Was ist das hier für ein Laden?\n")
    mail = eriwan.answer("Xaver Unbekannt")
    assert mail.subject == "Postspiele per Mail: Dottendorfer Soccer"
    paragraphs = mail.text.split("\n\n")
    assert all(len(paragraph.splitlines()) <= MOST_LINES for paragraph in paragraphs)


OFFERED = {
    "Mein Enkel will Crossword lernen. Ich bitte höflich um Zusendung der Regeln.": ["Hilfe Crossword"],
    "Wie schaut denn mein Kreuzworträtsel in Eriwan jetzt aus? Ich finde den Zettel nicht mehr.": ["Stand Eriwan"],
    "Schweren Herzens gebe ich nach all den Jahren meinen Platz in Eriwan auf.": ["Abmeldung Eriwan"],
    "Meine heutige Abgabe möchte ich widerrufen, da war ein Irrtum drin.": ["Zurückziehen Eriwan"],
    "Das Wohnmobil ist gepackt, Portugal wartet, und zwar vom 15.1. bis 5.2.": ["Urlaub 15.01.2027-05.02.2027"],
    "Mit Freude lese ich, dass noch Plätze da sind. Hiermit melde ich mich verbindlich an.": [
        "Anmeldung Crossword Kiew", "Anmeldung Crossword Lwiw",
    ],
}  # fmt: skip


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", OFFERED)
def test_the_line_that_does_it_is_offered(eriwan: Any, text: str) -> None:
    """Issue 29: words that are no plain wish go to the GM and do nothing; the answer offers the line, which works."""
    for name in ("Kiew", "Lwiw"):
        actions.new_game(eriwan.app, "crossword", name)
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, f"{text}\n", subject="Hallo")
    eriwan.tick()
    mails = dict(eriwan.mails())
    to_anna, lines = mails[address_of(ANNA)], OFFERED[text]
    assert text[:30] in mails["cici@postspiel.example"].text
    assert [line.strip() for line in lines_of(to_anna) if line.strip() in lines] == lines
    assert len(said_in(to_anna)) <= MOST_LINES
    eriwan.passes(minutes=15)
    eriwan.writes(ANNA, f"{lines[0]}\n", subject="Hallo")
    eriwan.tick()
    answered = dict(eriwan.mails())[address_of(ANNA)]
    assert "verstanden" not in eriwan.said(answered)
    assert "nicht gelesen" not in eriwan.said(answered)


FORMS = {
    "combinato": ("Combinato Riga, Runde 0 Geheim:", ""),
    "typ-dom": ("Typ-Dom Riga Stand: 1", "zum Beispiel »B2 s WoRT*«"),
    "wer-behaelt-recht": ("Wer behält recht Riga Stand: 1", "zum Beispiel »mitte L SPIEL«"),
    "wort-yahtzee": ("Wort-Yahtzee Riga Stand: 1 Wurf 1:", ""),
}


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("text", ["Ich nehme das Wort von gestern.\n", "\n", QUOTED], ids=["prose", "empty", "quoted"])
def test_the_block_to_send_is_shown(zine: Any, kind: str, text: str) -> None:
    """Issue 47: where a move is due and none is read, the answer shows how it is sent, and refers to no help."""
    actions.new_game(zine.app, kind, "Riga")
    with zine.writing() as session:
        game_queries.named(session, "Riga").seed = "a"
    for name in PLAYERS[:2]:
        seating.join(zine.app, "Riga", name, address_of(name), None)
    actions.start(zine.app, "Riga")
    zine.tick()
    asked = dict(zine.mails())[address_of(ANNA)]
    zine.writes(ANNA, text, subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    answer = zine.answer(ANNA)
    block, example = FORMS[kind]
    assert block in zine.said(answer)
    assert example in zine.said(answer)
    assert "zeigt die Form" not in zine.said(answer)
    assert len(said_in(answer)) <= MOST_LINES


def test_of_several_games_the_block_is_that_of_the_thread(eriwan: Any) -> None:
    """A reply to a game's mail is about that game."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    for name in PLAYERS:
        seating.join(eriwan.app, "Tiflis", name, address_of(name), "D")
    actions.start(eriwan.app, "Tiflis")
    eriwan.tick()
    asked = [mail for to, mail in eriwan.mails() if to == address_of(ANNA)][-1]
    eriwan.writes(ANNA, "Das Wetter ist schön.\n", subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    assert "schick ihn bitte so: Crossword Tiflis, Runde 1 Neu:" in eriwan.reply(ANNA)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Urlaub streichen bitte, wir bleiben doch hier", "Urlaub streichen"),
        ("Vacation off please, we are staying at home", "Vacation off"),
        ("Verlängerung Eriwan 3 Tage, weil ich krank bin", "Verlängerung Eriwan 3 Tage"),
        ("Zurückziehen Eriwan (ich habe mich vertan)", "Zurückziehen Eriwan"), ("Das Wetter ist schön.", ""),
    ],
)  # fmt: skip
def test_prose_where_no_move_is_asked_for(eriwan: Any, text: str, line: str) -> None:
    """Issue 47: nobody who has moved reads that there was no move in their words; a line that is near is offered."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, f"{text}\n")
    eriwan.tick()
    mails = dict(eriwan.mails())
    answer = eriwan.said(mails[address_of(ANNA)])
    assert "Einen Zug habe ich" not in answer
    assert line in answer
    assert text in eriwan.said(mails["cici@postspiel.example"])
    assert eriwan.on_file(ANNA) == ("dn", "E")
