"""A mail that we can't use is answered in a few lines (issue 29): what was read, what is missing, the line to send."""

from email.message import EmailMessage
from typing import Any

import pytest

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of

ANNA = PLAYERS[0]
MOST_LINES = 8
QUOTED = "Am 2.11.2026 schrieb GM:\n> Neues vom Spiel\n"
EXPECTED = "Ein Zug von dir wird erwartet in »Eriwan« (bis Mo, 16.11.2026, 20:00 Uhr)."


def lines_of(mail: Any) -> list[str]:
    """The lines between greeting and sign-off."""
    lines = [line for line in mail.text.splitlines() if line.strip()]
    start = next(at for at, line in enumerate(lines) if line.startswith(("Hallo", "Hello")))
    stop = next(at for at, line in enumerate(lines) if line.startswith(("»Hilfe«", "“Help”", "-- ")))
    return lines[start + 1 : stop]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Das Wetter ist schön.\nDie Katze schläft.\nUnd sonst?\nAlles gut.\n", "Gelesen habe ich 4 Zeilen Text;"),
        ("Das Wetter ist schön.\n", "Gelesen habe ich eine Zeile Text;"),
        (f"Das Wetter ist schön.\n\n{QUOTED}", "Gelesen habe ich eine Zeile Text, ein Zitat;"),
        (QUOTED, "steht nur Zitiertes"), ("\n", "war nichts zu lesen"),
        ("Anfang der weitergeleiteten Nachricht:\n\nVon: GM <gm@example.org>\nBetreff: Eriwan\n\nHallo\n",
         "Den weitergeleiteten Teil"),
    ],
)  # fmt: skip
def test_what_was_seen_and_what_is_missing(eriwan: Any, text: str, said: str) -> None:
    """The answer counts what it saw, and names the game in which a move is expected, with its deadline."""
    eriwan.writes(ANNA, text, subject="Hallo")
    mail = eriwan.answer(ANNA)
    assert said in eriwan.said(mail)
    assert EXPECTED in eriwan.said(mail)
    assert len(lines_of(mail)) <= MOST_LINES


def test_a_picture_is_seen(eriwan: Any) -> None:
    """A photograph of a move is named as what it is, and the line that explains the form is that game's."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address_of(ANNA), GM_ADDRESS, "Zug"
    mail.set_content("Hier ist er ja.\n")
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="zug.png")
    eriwan.arrives(bytes(mail))
    answer = eriwan.answer(ANNA)
    assert "eine Zeile Text, ein Bild als Anhang; ein Zug war darin nicht zu finden" in eriwan.said(answer)
    assert "die Zeile »Hilfe Crossword« zeigt die Form" in eriwan.said(answer)
    assert len(lines_of(answer)) <= MOST_LINES


def test_where_no_move_is_due(eriwan: Any) -> None:
    """Whoever has moved hears that nothing is expected; in several games each is named."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Das Wetter ist schön.\n")
    assert "Gerade wird von dir kein Zug erwartet." in eriwan.reply(ANNA)


def test_several_games_are_named(eriwan: Any) -> None:
    """Each game that waits is named, and the answer stays short."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    for name in PLAYERS:
        actions.join(eriwan.app, "Tiflis", name, address_of(name), "D")
    actions.start(eriwan.app, "Tiflis")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Das Wetter ist schön.\n")
    mail = eriwan.answer(ANNA)
    assert "»Eriwan« (bis Mo, 16.11.2026, 20:00 Uhr), »Tiflis« (bis" in eriwan.said(mail)
    assert len(lines_of(mail)) <= MOST_LINES


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
