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
    ],
)
def test_words_are_kept(text: str, kept: str) -> None:
    """Questions and news reach the GM, wherever they stand."""
    assert beside(text) == kept
