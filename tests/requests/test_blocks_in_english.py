"""A player whose language is English gets blocks to copy with English words, and they are read when they come back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import seating

from games import engine
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.messages.game_mails import in_language
from gm.requests.desk import actions

ANNA = PLAYERS[0]


def begun(zine: Any, kind: str, seats: int, language: str) -> str:
    """Start a game and return the mail of the first player."""
    actions.new_game(zine.app, kind, "Elba", language=language)
    for name, wish in zip(PLAYERS[:seats], "DINORT", strict=False):
        seating.join(zine.app, "Elba", name, address_of(name), wish if kind == "crossword" else None)
    actions.start(zine.app, "Elba")
    zine.tick()
    return str(next(mail.text for to, mail in zine.mails() if to == address_of(ANNA)))


def block_of(text: str) -> list[str]:
    """The last copy block in a mail."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("     ")]
    at = max(at for at, line in enumerate(lines) if re.search(r" Elba(, (Runde|Round) \d)?$", line))
    return lines[at:]


@pytest.mark.parametrize(
    ("kind", "seats", "english", "german", "move"),
    [
        ("crossword", 6, "New:", "Neu:", "New: E"), ("combinato", 2, "Secret:", "Geheim:", "Secret: BILD"),
        ("wort-yahtzee", 2, "keep", "behalte", "keep nothing"),
    ],
)  # fmt: skip
def test_an_english_block_has_english_keys(
    begin: Callable[..., Any], kind: str, seats: int, english: str, german: str, move: str
) -> None:
    """interface.md: commands are German or English; what is copied from an English mail is English, and is taken."""
    zine = begin("empty")
    block = block_of(begun(zine, kind, seats, "en"))
    assert english in block
    assert german not in block
    assert not any(line.startswith("Wurf") for line in block)
    zine.writes(ANNA, "\n".join([move if line == english else line for line in block]) + "\n")
    zine.tick()
    (answer,) = [mail for to, mail in zine.mails() if to == address_of(ANNA)]
    assert "ACCEPTED" in answer.text


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("behalte nichts", "keep nothing"), ("behalte E S", "keep E S"), ("werte konsonanten", "score consonants"),
        ("werte vokale / R3", "score vowels / R3"), ("werte chance AN", "score chance AN"), ("streiche", "strike"),
    ],
)  # fmt: skip
def test_orders_of_wort_yahtzee_in_english(german: str, english: str) -> None:
    """Whole orders are said in English, not only their first word."""
    assert in_language(engine("wort-yahtzee"), [german], "en") == (english,)


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_corrected_block_has_the_keys_of_its_mail(begin: Callable[..., Any], language: str) -> None:
    """A refused move comes back with the word for the wish that its reader has."""
    zine = begin("empty")
    begun(zine, "crossword", 6, language)
    zine.writes(ANNA, "Crossword Elba\nNeu: E\nDX....\n......\n......\n......\n......\n......\n")
    zine.tick()
    (answer,) = [mail for to, mail in zine.mails() if to == address_of(ANNA)]
    assert ("Neu: E" if language == "de" else "New: E") in block_of(answer.text)


def test_a_german_block_is_as_before(begin: Callable[..., Any]) -> None:
    """In German nothing changes."""
    assert "Neu:" in block_of(begun(begin("empty"), "crossword", 6, "de"))
