"""Prose with one plain wish (issue 29): a closed table of phrases, and no guessing."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import Rules
from parsers.commands.grammar import read_commands
from parsers.commands.prose.english_phrases import ENGLISH
from parsers.commands.prose.phrases import GERMAN
from parsers.commands.prose.wishes import Wish, read_wish
from parsers.commands.titles import Titles
from parsers.mime.message import Mail

SAID = {
    "join": [
        "ich möchte bei Eriwan mitspielen",
        "ich würde gern bei Crossword Eriwan mitmachen!",
        "habt ihr noch einen Platz in Crossword?",
        "kann ich bei euch mitspielen?",
        "I'd like to join Eriwan",
        "Hallo Cici,\n\nich moechte gerne bei eriwan mitspielen :-)\n\nViele Grüße\nAnna",
        "Hallo Cici! Ich würde total gern mal wieder bei einer Runde Crossword mitmachen. LG Anna",
        "Ist noch ein Platz frei?",
        "Ich melde mich für Eriwan an.",
        "can I play in Crossword?",
        "is there still room in Eriwan?",
        "Ich hätte Lust, bei Typ-Dom mitzuspielen.",
        "Ich wollte fragen, ob ich bei Eriwan noch mitspielen kann.",
        "Gibt es noch freie Plätze?",
        "hätte lust auf eine partie presto",
        "Eriwan: ich möchte mitmachen",
        "Wie kann ich mitmachen?",
        "Hi, please sign me up for Eriwan. Cheers, Ben",
        "Ich möchte Crossword spielen.",
        "Ich moechte gern bei der Partie Eriwan mitspielen",
        "Ich würde gerne mitmachen!",
        "Darf ich noch einsteigen?",
        "Ich hätte gern einen Platz in Eriwan",
        "ich spiele gern mit",
        "ich steige bei Tiflis ein",
        "I would love to play!",
        "Do you have a free seat?",
        "How can I join?",
        "Can I join in?",
        "I want to take part in Eriwan",
        "Are there any seats left?",
        "I'm interested in joining",
    ],
    "standby": [
        "ich springe gern ein",
        "setz mich auf die Ersatzliste",
        "Setz mich bitte auf die Standby-Liste.",
        "put me on the standby list please",
        "Ich könnte als Ersatzspieler einspringen",
        "ich wuerde gern einspringen",
        "nehmt mich auf die Warteliste",
        "Ich möchte auf die Ersatzliste",
        "Ich stehe als Ersatz bereit.",
        "I'd like to be on the standby list",
        "I can fill in",
        "Please add me to the reserve list",
    ],
    "watch": [
        "ich würde gern nur zuschauen bei Eriwan",
        "kann ich bei Eriwan zusehen?",
        "I would like to watch Eriwan",
        "Ich möchte die Partie Eriwan beobachten.",
        "Ich will bei Eriwan nur zuschauen.",
        "Darf ich zugucken?",
        "ich schaue bei Eriwan gern zu",
        "May I watch Eriwan?",
        "I'd like to follow the game Eriwan",
        "Can I just watch?",
    ],
    "resign": [
        "ich höre auf",
        "ich steige aus",
        "ich steige bei Eriwan aus",
        "ich kann leider nicht mehr mitspielen",
        "Leider muss ich aufhören. Mir fehlt die Zeit.",
        "I quit",
        "I can't play any more",
        "ich möchte nicht mehr mitmachen",
        "I have to resign from Eriwan",
        "I'm out",
        "Ich hoere leider auf, weil mir die Zeit fehlt.",
        "Ich möchte aussteigen.",
        "hoere auf",
        "Ich muss mich leider abmelden",
        "Ich gebe auf!",
        "Ich bin raus.",
        "ich mag nicht mehr mitspielen",
        "Unfortunately I have to stop playing.",
        "I resign",
        "I give up.",
        "I can no longer play",
        "I'm leaving Eriwan",
        "I would like to quit",
    ],
    "vacation": [
        "bin vom 20.12. bis 3.1. weg",
        "ich bin bis Sonntag verreist",
        "Ich bin nächste Woche im Urlaub.",
        "vom 20. Dezember bis 3. Januar bin ich nicht da",
        "I'm away until Sunday",
        "I will be on vacation from Dec 20 to Jan 3",
        "Bin 20.12.-3.1. im Urlaub!",
        "ab morgen bis Freitag bin ich verreist",
        "Urlaub vom 20.12. bis 3.1.!",
        "Hallo zusammen, ich bin ab Montag bis Freitag nicht erreichbar.",
        "Ich fahre vom 20.12. bis 3.1. in den Urlaub",
        "ab 20.12. bis einschließlich 3.1. bin ich unterwegs",
        "Ich bin am Wochenende nicht zu Hause.",
        "kann nächste Woche leider nicht spielen",
        "Bin übermorgen verhindert",
        "I am travelling from Monday to Friday",
        "I'll be away until Jan 3",
        "Away from Dec 20 to Jan 3!",
        "I'm out of town this weekend",
        "I can't play next week",
        "On holiday from 20 December until 3 January",
    ],
    "extension": [
        "kann ich 3 Tage mehr haben?",
        "brauche mehr Zeit",
        "+3 Tage bitte",
        "Ich brauche noch 3 Tage mehr Zeit.",
        "Könnte ich bis Sonntag mehr Zeit bekommen?",
        "could I have 3 more days?",
        "I need more time",
        "kannst du den ZAT um 2 Tage verschieben?",
        "Ich bräuchte etwas mehr Zeit",
        "ich brauche 12 Stunden mehr",
        "Bitte um Aufschub bis Freitag",
        "Verlängere bitte den ZAT um 3 Tage",
        "Can I have more time?",
        "Could you extend the deadline by 3 days?",
        "I need 3 more days",
        "May I have an extension?",
        "+3 days please",
    ],
    "withdraw": [
        "ich ziehe meinen Zug zurück",
        "Kann ich meinen Zug zurückziehen?",
        "I take my move back",
        "bitte vergiss meinen Zug",
        "ich nehme meinen Zug in Eriwan zurück",
        "Zieh meinen Zug bitte zurück!",
        "Ich möchte meinen letzten Zug zurücknehmen",
        "I'd like to withdraw my move",
        "Can I take back my move?",
        "Please ignore my last move",
    ],
    "rules": [
        "bitte schick mir die Regeln von Typ-Dom",
        "Schickst du mir die Regeln?",
        "please send me the rules of Typ-Dom",
        "Was sind die Regeln?",
        "Gibt es Regeln für Wer behält recht?",
        "Wo finde ich die Spielregeln?",
        "hätte gern die Regeln von Presto",
        "Can you send me the rules of Typ-Dom?",
        "Where are the rules?",
        "What are the rules of Crossword?",
    ],
    "position": [
        "wie steht es?",
        "wie steht es denn in Eriwan?",
        "wie ist der Stand in Eriwan?",
        "wer ist dran?",
        "Hallo Cici wie steht es?",
        "whose turn is it?",
        "what's the current standing?",
        "wie steht's denn?",
        "bin ich dran?",
        "Schick mir mal den aktuellen Spielstand",
        "Wie ist die Lage?",
        "How do we stand?",
        "What is the score?",
        "Please show me the board",
        "Is it my turn?",
    ],
    "history": [
        "schick mir bitte das letzte Bulletin noch mal",
        "kannst du mir das Protokoll der Runde 3 schicken?",
        "please send me the last bulletin again",
        "Ich habe das letzte Bulletin nicht bekommen.",
        "Das letzte Protokoll bitte",
        "Ich finde das letzte Bulletin nicht mehr",
        "Could you resend the last bulletin?",
        "I lost the last bulletin",
        "Please send me the results again",
    ],
    "games": [
        "welche Spiele gibt es?",
        "Was kann man hier spielen?",
        "what games are there?",
        "welche partien sind offen?",
        "Gibt es neue Partien?",
        "Welche Spiele habt ihr?",
        "Which games do you have?",
        "What can I play?",
        "Are there any open games?",
    ],
    "my_games": [
        "in welchen Partien bin ich?",
        "which games am I in?",
        "wo spiele ich überall mit?",
        "Zeig mir meine Partien",
        "wo bin ich überall dabei?",
        "my games please",
        "Where am I playing?",
    ],
    "help": [
        "ich verstehe nicht, wie das hier geht",
        "Wie geht das hier?",
        "Kannst du mir helfen?",
        "I don't understand how this works",
        "How do I play?",
        "wie geht Crossword?",
        "brauche Hilfe!!",
        "How does Crossword work?",
        "Ich komme nicht klar.",
        "Was muss ich tun?",
        "Wie funktioniert das hier?",
        "How does this work?",
        "I need help!",
        "What should I write?",
        "Can somebody help me?",
    ],
    "digest": [
        "bitte keine Übersicht mehr",
        "Newsletter abbestellen",
        "no more digest please",
        "Ich möchte keinen Newsletter mehr bekommen",
        "Ich möchte die Wochenübersicht abbestellen.",
        "Please stop sending me the newsletter",
        "unsubscribe",
        "I don't want the digest any more",
    ],
    "english": [
        "please write in English",
        "Bitte auf Englisch",
        "Could you write in English please?",
        "in English please",
        "Can you write in English?",
    ],
    "german": [
        "bitte schreib mir auf Deutsch",
        "in German please",
    ],
}
"""Wish -> how people say it."""
NOT_SAID = [
    "Ben hört auf?",
    "ich höre nicht auf",
    "wenn ich aufhöre, sage ich Bescheid",
    "Ben möchte mitspielen",
    "Hallo Ben möchte mitspielen",
    "Mein Bruder möchte bei Eriwan mitspielen",
    "Ich höre auf?",
    "Ich höre auf mein Herz",
    "Ich steige aus dem Bus aus",
    "Vielleicht höre ich auf",
    "Ben schrieb, ich höre auf",
    "Ich würde gern mitspielen, wenn noch Platz ist",
    "Ich möchte bei Eriwan mitspielen, aber nur mit Ben",
    "Wie geht es dir?",
    "Wie geht's?",
    "Wie geht es euch so?",
    "How are you?",
    "How is it going?",
    "Ich bin im Urlaub.",
    "Ich war bis Sonntag im Urlaub",
    "Ich ziehe nicht zurück",
    "ich ziehe meinen Zug nicht zurück",
    "Schöner Urlaub bis Sonntag",
    "Ich springe vor Freude",
    "Der Platz ist schön",
    "HAUS A1 waagerecht",
    "wie steht es?\nHAUS 12",
    "wie steht es?\nra..ua",
    "Ich höre auf und möchte bei Tiflis mitspielen",
    "Danke!",
    "Siehe Anhang.",
    "Hallo, was ist das?",
    "Wie geht das Spiel aus?",
    "Das ist ein tolles Spiel",
    "»Ich höre auf«, sagte Ben.",
    "Ich bin dabei",
    "Bin gespannt wie es weitergeht",
    "Anna ist bis Sonntag weg",
    "Ben ist im Urlaub vom 1.12. bis 3.12.",
    "Ich will nicht aufhören",
    "Ich möchte nicht mitspielen",
    "Ich kann nicht mitspielen",
    "Der Stand ist gut",
    "Habt ihr noch einen Platz für Ben?",
    "I don't quit",
    "If I quit, who takes over?",
    "Ben quits",
    "I was away until Sunday",
    "My brother would like to join Eriwan",
    "Will Ben resign?",
    "What a game!",
    "I would like to know whether Ben plays",
    "Ich habe 3 Tage gebraucht",
    "Ich habe mich für Eriwan angemeldet",
    "Ich spiele gut",
    "Du springst ein?",
    "Ich steige um",
    "Wer springt ein?",
    "Presse: Ich höre auf!",
    "Ich bin weg von dem Wort",
    "Kann Ben mehr Zeit haben?",
    "Regeln sind Regeln",
    "Das Bulletin war toll",
    "Mein Zug ist da",
    "Im Moment steht es gut",
    "Ich ziehe A4",
    "Crossword Eriwan",
    "Ich denke, ich höre auf",
    "Falls möglich, mehr Zeit bitte",
    "Soll ich aufhören?",
    "Hört Ben auf?",
    "Ich hoffe, ich bin bis Sonntag weg, oder?",
    "Anna braucht mehr Zeit",
    "Maybe I quit",
    "Is Ben away until Sunday?",
    "They would like to join Eriwan",
    "Don't withdraw my move",
    "I will not resign",
    "Ich bin bis Sonntag weg und vom 20.12. bis 3.1. verreist",
    "Ich möchte bei Eriwan und bei Tiflis mitspielen",
    "Ich höre bei Eriwan auf, nicht bei Tiflis",
]
"""Talk, negations, conditions, others' wishes, several at once, moves: none is a plain wish."""


def read(text: str, titles: Titles) -> Wish | None:
    """The wish in a text."""
    return read_wish(text.split("\n"), titles)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SAID.items() for text in texts])
def test_a_plain_wish_is_read(titles: Titles, kind: str, text: str) -> None:
    """As it stands, with greeting and signature, with a smiley, and in small letters without umlauts."""
    plain = text.translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"})
    for said in (
        text,
        f"Hallo Cici,\n\n{text}\n\nViele Grüße\nAnna",
        f"{text} :-)",
        f"Hi!\n{text} 😀\nLG\nAnna Berg",
        plain,
    ):
        wish = read(said, titles)
        assert wish is not None, said
        assert wish.kind == kind, said


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_is_not_plain_is_not_read(titles: Titles, text: str) -> None:
    """It goes to the GM, as any other words."""
    for said in (text, f"Hallo Cici,\n\n{text}\n\nViele Grüße\nAnna"):
        assert read(said, titles) is None


def test_every_wish_is_said_in_both_languages() -> None:
    """The tables have the same wishes, and this one tells examples of each."""
    assert GERMAN.keys() == ENGLISH.keys() == SAID.keys()


@pytest.mark.parametrize(
    ("text", "title_key", "game"),
    [
        ("ich möchte bei Eriwan mitspielen", "", "Eriwan"), ("ich möchte bei eriwan mitspielen", "", "eriwan"),
        ("kann ich bei Crossword Eriwan mitmachen?", "crossword", "Eriwan"), ("I'd like to join Eriwan", "", "Eriwan"),
        ("habt ihr noch einen Platz in Crossword?", "crossword", ""), ("kann ich bei euch mitspielen?", "", ""),
        ("Eriwan: ich möchte mitmachen", "", "Eriwan"), ("bitte schick mir die Regeln von Typ-Dom", "typ-dom", ""),
        ("Wie ist der Stand in »Eriwan«?", "", "Eriwan"), ("wie geht Wer behält recht?", "wer-behaelt-recht", ""),
    ],
)  # fmt: skip
def test_the_game_that_is_meant(titles: Titles, text: str, title_key: str, game: str) -> None:
    """Title and name are found where they stand in the sentence."""
    wish = read(text, titles)
    assert wish is not None
    assert (wish.title_key, wish.game) == (title_key, game)


def test_days_spans_and_numbers(titles: Titles) -> None:
    """What a wish says of time and rounds is kept as it was said."""
    away = read("bin vom 20.12. bis 3.1. weg", titles)
    assert away is not None
    assert away.days is not None
    assert away.days.on(date(2026, 11, 4)) == (date(2026, 12, 20), date(2027, 1, 3))
    for text, span in (("+3 Tage bitte", "3d"), ("ich brauche 12 Stunden mehr", "12h"), ("I need 2 more weeks", "14d")):
        more = read(text, titles)
        assert more is not None
        assert more.span == span
    until = read("Könnte ich bis Sonntag mehr Zeit bekommen?", titles)
    assert until is not None
    assert until.until is not None
    assert until.until.weekday == 6
    bulletin = read("Schick mir bitte das Protokoll der Runde 3", titles)
    assert bulletin is not None
    assert bulletin.number == 3


def test_what_stands_beside_a_wish(titles: Titles) -> None:
    """Reasons and good wishes are kept apart from the wish; a condition or a figure makes it none."""
    wish = read("Ich höre leider auf, weil mir die Zeit fehlt. Alles Gute!", titles)
    assert wish is not None
    assert wish.beside == ("mir die Zeit fehlt", "Alles Gute")
    for beside in (
        "wenn es geht",
        "Ben sagt das auch",
        "A4 links",
        "HAUS",
        "Neu: D",
        "ra..ua",
        "am 3.1.",
        "Typ-Dom ist schön",
    ):
        assert read(f"Ich höre auf.\n{beside}", titles) is None


@pytest.mark.parametrize(
    "text",
    [
        "Stand Eriwan\nich höre auf",
        "Crossword Eriwan\nNeu: D\nra..ua\n......\n......\n......\n......\n......\nIch höre auf",
    ],
)
def test_beside_a_command_or_move_no_wish_is_read(rules: tuple[Rules, ...], text: str) -> None:
    """A mail with a command or a block says what it wants."""
    assert read_commands(Mail(texts=(text,)), rules).wish is None


def test_a_subject_alone_may_be_a_wish(rules: tuple[Rules, ...]) -> None:
    """Where the mail has no text, its subject is what was said; else it isn't looked at."""
    wish = read_commands(Mail(subject="Re: wie steht es?"), rules).wish
    assert wish is not None
    assert wish.kind == "position"
    assert read_commands(Mail(subject="ich höre auf", texts=("Schöne Grüße von der See",)), rules).wish is None
    assert read_commands(Mail(texts=("WIE STEHT ES?",)), rules).wish == wish.__class__(
        kind="position", language="de", text="WIE STEHT ES"
    )
    assert read_commands(Mail(texts=("> ich höre auf",)), rules).wish is None


WORDS = st.sampled_from(
    ["ich höre auf", "nicht", "bei Eriwan", "ich möchte", "mitspielen", "bin bis Sonntag weg", "Ben", "wenn",
     "mehr Zeit", "3 Tage", ".", ",", "?", "I quit", "und"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_no_negation_or_condition_is_overheard(titles: Titles, text: str) -> None:
    """Whatever the order of the words: a text with `wenn` or `Ben` in another clause is no wish, and nothing raises."""
    wish = read(text, titles)
    assert wish is None or "wenn" not in text.split()
    assert wish is None or wish.kind in GERMAN


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(titles: Titles, text: str) -> None:
    """Nothing raises, and what is found is a wish of the table."""
    wish = read(text, titles)
    assert wish is None or wish.kind in GERMAN
