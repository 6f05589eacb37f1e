"""What of the words beside a move is for the GM, and what is only courtesy."""

import pytest

from parsers.prose.courtesies import words_for_the_gm

NAMES = ("Anna Berg", "Anna", "Berg")


def beside(text: str) -> str:
    """Return what the GM gets of a text."""
    return words_for_the_gm([tuple(part.split("\n")) for part in text.strip("\n").split("\n\n")], NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "Hallo Cici,\n\nhier mein Zug:\n\nViele Grüße\nAnna",
        "Hallo Cici,\n\nschöne Grüße aus Köln, hier kommt mein Zug für diese Runde:\n\nViele Grüße\nAnna",
        "Moin!\n\nLG Anna",
        "Anbei mein Zug.\n\nAnna Berg\nRosenweg 3\n50667 Köln",
        "Danke!\n\nSchönen Sonntag noch\n\nMit freundlichen Grüßen\n\nAnna Berg",
        "Bis bald und viel Spaß beim Auswerten!",
        "Vielen Dank für die Auswertung\n\nA. Berg",
        "Hello,\n\nhere is my move for round 3.\n\nKind regards\nAnna",
        "Have a nice weekend!\n\nCheers",
        "Frohe Weihnachten euch allen!",
        "Fertig!",
        "",
        "Ihr H. Wegener",
        "Sehr geehrte Frau Beilken,\n\nHochachtungsvoll Th. Kranz",
        "Sehr geehrter Herr Spielleiter,\n\nHochachtungsvoll\nTh. Kranz",
        "Werte Spielleitung,\n\nMit sportlichem Gruß\nHorst Wegener",
        "Liebe Grüße vom Bodensee, Horst",
        "Mit freundlichen Grüßen aus dem verregneten Bad Segeberg, Ihr H. Wegener",
        "Herzlichst Ihre Gerda",
        "Euer treuer Mitspieler Horst",
        "Es grüßt Horst",
        "Sonnige Pfingstgrüße und bleiben Sie gesund!",
        "Mit den besten Wünschen für das Wochenende\nGerda",
        "Dear Ms Beilken,\n\nYours sincerely\nTom",
        "Good morning!\n\nYours, Tom",
        "Danke, dass du das machst!",
        "Einen schönen Abend noch, Frau Beilken!",
        "Liebe Grüße\nAnna\nDer Weg ist das Ziel",
    ],
)
def test_courtesies_bother_nobody(text: str) -> None:
    """Greetings, introductions, wishes, farewells and signatures are no words for the GM."""
    assert beside(text) == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Kannst du den ZAT verschieben? Meine Frau ist im Krankenhaus.",) * 2,
        (
            "Hallo Cici,\n\nhier mein Zug:\n\nKannst du den ZAT verschieben?\n\nViele Grüße\nAnna",
            "Kannst du den ZAT verschieben?",
        ),
        ("LG Anna\n\nP.S. Ich ziehe im Mai um.", "P.S. Ich ziehe im Mai um."),
        ("Cici, bitte sag den anderen Bescheid.",) * 2,
        ("Hallo, kannst du mir helfen?",) * 2,
        ("Danke, aber ist das Wort ROT wirklich gestrichen?",) * 2,
        ("Bin krank!",) * 2,
        ("Danke für die Mail.\nIch bin ab Montag im Krankenhaus.", "Ich bin ab Montag im Krankenhaus."),
        ("LG Anna\nP.S. Ich ziehe im Mai um.", "P.S. Ich ziehe im Mai um."),
        ("Anna\nKannst du das verschieben?", "Kannst du das verschieben?"),
    ],
)
def test_words_are_kept(text: str, kept: str) -> None:
    """Questions and news reach the GM, wherever they stand."""
    assert beside(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "ich weiß nicht, wie ich das schreiben soll", "Hallo Cici, ich bin krank", "Danke, ich bin bis Montag weg",
        "hier der Zug für diese Runde, er ist aber\nnoch nicht fertig", "Danke, aber ich muss leider aufhören",
        "Ich habe zwei Fragen:\n1. Wann ist Schluss?\n2. Wer fehlt noch?", "Viel Glück allen, ich steige aus",
        "Bitte schöne Grüße an Bernd ausrichten", "Ihr habt euch vertan", "Ihr Zug kam nicht an",
        "Hallo Cici ich bin ab morgen verreist", "Thanks, I am ill this week", "Hello Cici, I can't find my letters",
        "Grüße an Bernd, er soll sich melden", "Mein Zug kommt morgen, heute schaffe ich es nicht",
    ],
)  # fmt: skip
def test_a_message_is_never_cut(text: str) -> None:
    """Issue 47: what begins as a courtesy and says more reaches the GM whole."""
    assert beside(text) == text
