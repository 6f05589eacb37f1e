"""What a mail may be about where no plain wish is read (issue 29: "the line that does it"); nothing is done by it."""

import pytest

from gm.requests.declared import all_names
from parsers.prose.wishes import Wish, read_wish, topic_of

TITLES = all_names()
NAMES = frozenset(["eriwan", "kiew", "riga"])

ABOUT = {
    "Mein Nachbar interessiert sich sehr für Typ-Dom. Ich bitte um Zusendung der Regeln.": ("rules", "typ_dom"),
    "Wie schaut denn mein Kreuzworträtsel in Eriwan jetzt aus? Der Zettel ist weg.": ("position", "Eriwan"),
    "Mit Freude lese ich, dass in Kiew noch Plätze da sind. Hiermit melde ich mich verbindlich an.": ("join", "Kiew"),
    "Meine Augen machen leider nicht mehr mit. Darum gebe ich meinen Platz in Eriwan auf.": ("resign", "Eriwan"),
    "Ich gehe vom 15.1. bis 5.2. in die Reha nach Bad Kissingen. Einen Computer gibt es dort nicht.": ("vacation", ""),
    "Ich werde in Riga leider nicht rechtzeitig fertig. Gewähren Sie mir bitte noch zwei Tage.": ("extension", "Riga"),
    "Meine heutige Abgabe für Riga möchte ich widerrufen.": ("withdraw", "Riga"),
    "Bitte tilgen Sie meinen Namen und meine Adresse aus Ihrer Kartei.": ("forget", ""),
    "Should you ever need a substitute player, I am at your disposal.": ("standby", ""),
    "The old provider is closing; from now on my address is anna.neu@example.net, as it should be.": ("address", ""),
    "Befehlsübersicht bitte, so etwas muss es doch geben.": ("help", ""),
}  # fmt: skip


def topic(text: str) -> Wish | None:
    """Read a text's topic."""
    return topic_of(text.split("\n"), TITLES, NAMES)


@pytest.mark.parametrize("text", ABOUT)
def test_a_mail_is_about_one_thing(text: str) -> None:
    """One topic is found, with the title or game that it names."""
    found = topic(text)
    assert found is not None
    assert (found.kind, found.game or found.title_key.replace("-", "_")) == ABOUT[text]


@pytest.mark.parametrize(
    "text",
    [
        "Das Wetter ist schön.", "", "Vielen Dank für die Regeln!", "Meine Daten müssen Sie nicht löschen.",
        "Schick mir die Regeln und setz mich auf die Ersatzliste.", "Wie war der Urlaub?",
        "Meine Adresse hat sich geändert, die neue kommt noch.", "Eine Verlängerung benötige ich nun doch nicht.",
        "Soll ich bei Eriwan oder bei Kiew mitspielen?", "KATZE\nHUND\nregeln",
    ],
)  # fmt: skip
def test_nothing_is_offered(text: str) -> None:
    """No topic, several, thanks, a denial, days or an address that are missing, two games, or what may be a move."""
    assert topic(text) is None


WEAK = {
    "help": [
        "Ich bin zum ersten Mal dabei und etwas ratlos. Welche Befehle versteht dein Programm denn?",
        "Welche Befehle versteht euer Programm?",
        "gibts irgendwo ne anleitung was ich dir alles schreiben kann? will nix kaputt machen",
        "Wie bediene ich das hier?",
        "Kannst du mir sagen, was ich alles schreiben kann?",
        "Was kann ich hier alles machen?",
        "Ich komme mit dem Programm nicht zurecht.",
        "Ich blicke hier nicht durch, was muss ich tun?",
        "Wie funktioniert das mit den Mails?",
        "Schick mir bitte eine Übersicht der Befehle.",
        "Ich weiß nicht, wie ich einen Zug schicke.",
        "Wie schreibt man so einen Zug?",
        "I'm not quite sure how this works. What can I write to you, and is there a list of commands somewhere?",
        "Which commands does your program understand?",
        "What can I send you?",
        "Is there a list of commands?",
        "How do I send a move?",
        "I don't get how this works, can you help me?",
        "I'm new here, how do I use this?",
    ],
    "withdraw": [
        "Bitte werten Sie den Zug, den ich heute für Riga abgegeben habe, nicht, ich möchte ihn zurückholen.",
        "ups, der zug in eriwan von vorhin war quatsch. nimm den bitte wieder raus",
        "please take back the move I sent for Riga this morning. My cat did not press send, I did, and I regret it.",
        "Mein Zug in Riga war Mist, bitte vergiss ihn.",
        "Den Zug von eben bitte nicht werten!",
        "Bitte meinen Zug für Riga zurückziehen.",
        "Zug zurück bitte, Riga",
        "Ich möchte meinen Zug in Riga zurückhaben.",
        "Kann ich meinen Zug noch zurücknehmen?",
        "Bitte meinen letzten Zug verwerfen, da war ein Fehler drin.",
        "Mein Zug von heute früh soll nicht zählen.",
        "Kannst du meinen Zug in Riga wieder löschen?",
        "I'd like my move in Riga back.",
        "Please don't count the move I sent for Riga.",
        "Please ignore my last move in Riga.",
        "Scrap my move, I made a mistake.",
        "Can I undo my move in Riga?",
        "The move I sent today was wrong, please cancel it.",
    ],
    "my_games": [
        "Bitte nennen Sie mir die Partien, an denen ich zurzeit teilnehme",
        "hey, kannst du mir kurz sagen bei welchen spielen ich gerade angemeldet bin?",
        "Könnten Sie mir eine Aufstellung zusenden, an welchen Spielen ich gegenwärtig teilnehme?",
        "wann ist für mich wo der nächste Zug fällig?",
        "Wo spiele ich eigentlich gerade überall mit?",
        "Welche Partien laufen bei mir noch?",
        "In welchen Runden bin ich dabei?",
        "Schick mir eine Liste meiner Spiele.",
        "An wie vielen Partien bin ich beteiligt?",
        "Wo muss ich überall noch ziehen?",
        "Wo fehlt mein Zug noch?",
        "Übersicht meiner Partien bitte",
        "Which games am I in right now?",
        "Can you list the games I'm playing?",
        "Where do I still owe a move?",
        "What games am I signed up for?",
        "How many games am I playing in?",
        "Please remind me which games I joined.",
        "Where am I playing at the moment?",
        "A list of my games, please.",
    ],
    "archive_name": [
        "Nenn mich im Archiv bitte Nachteule.",
        "Im Archiv darf also ruhig mein voller Name stehen statt der Abkürzung.",
        "Ich möchte im Archiv nicht mit Namen auftauchen.",
        "Kann mein Name im Archiv weg?",
        "Bitte kürzt meinen Nachnamen im Archiv ab.",
        "Auf der Internetseite soll mein Name nicht stehen.",
        "Please call me Night Owl in the archive.",
        "Could you use only my initials on the website?",
        "I don't want my full name in the archive.",
        "My name in the archive should be shortened.",
        "Ich will auf eurer Website nicht mit vollem Namen stehen",
    ],
}
"""Kinds of wishes that people say in many ways."""


IN_MANY_WAYS = [(kind, text) for kind, texts in WEAK.items() for text in texts]


def test_what_people_ask_in_many_ways(subtests: pytest.Subtests) -> None:
    """It is a plain wish, or the line that does it is offered (issue 29)."""
    for kind, text in IN_MANY_WAYS:
        with subtests.test(kind=kind, text=text):
            found = read_wish([text], TITLES, NAMES) or topic(text)
            assert found is not None
            assert found.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "Ich habe Ben gesagt, welche Befehle das Programm versteht.",
        "Was kann ich dafür, dass Riga so schwer ist?",
        "Mein Zug war Mist, aber er bleibt stehen.",
        "Der Zug von Ben zählt hoffentlich nicht.",
        "Ben will seinen Zug zurück.",
        "Ich nehme zurück, was ich über Riga gesagt habe.",
        "Bitte nenne mir die Leute, mit denen ich spiele, und die Partien, an denen ich teilnehme",
        "Welche Partien Ben spielt, weiß ich nicht.",
        "My move stands, don't cancel it.",
        "I told Ben which games I'm playing.",
        "What can I say, Riga was fun.",
        "My help was not needed in the end.",
    ],
)
def test_what_only_sounds_so_is_done_by_nobody(text: str) -> None:
    """It is no wish, whatever is offered."""
    assert read_wish([text], TITLES, NAMES) is None
