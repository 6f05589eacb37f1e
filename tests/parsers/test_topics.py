"""What a mail may be about where no plain wish is read (issue 29: "the line that does it"); nothing is done by it."""

import pytest

from games import engines
from parsers.commands.prose.topic_words import PATTERNS
from parsers.commands.prose.topics import topic_of
from parsers.commands.prose.wishes import Wish
from parsers.commands.titles import titles_of

TITLES = titles_of(engine.rules for engine in engines().values())
NAMES = ("Eriwan", "Kiew", "Riga")

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


@pytest.mark.parametrize("kind", PATTERNS)
def test_a_long_text_is_read_fast(kind: str) -> None:
    """A pattern takes no more than a few steps a letter: a thousand beginnings of a match end in none."""
    text = "archiv daten zug mail zurueck melde steige noch mein " * 1000
    assert PATTERNS[kind].search(f"{text}".replace(" ", "x ")) is None
