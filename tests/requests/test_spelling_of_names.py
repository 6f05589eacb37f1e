"""A game's name is found however its letters are written: capitals with ẞ, `SS`, umlauts in two parts."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries

ANNA = PLAYERS[0]
NAMES = {
    "Straße-Genua": ("STRAẞE-GENUA", "STRASSE-GENUA", "straße-genua", "Strasse-Genua"),
    "STRASSE-BARI": ("Straße-Bari", "straẞe-bari"),
    "Köln": ("KÖLN", unicodedata.normalize("NFD", "köln"), unicodedata.normalize("NFD", "KÖLN")),
    unicodedata.normalize("NFD", "Grün"): ("Grün", "GRÜN"),
}
SPELLINGS = [(name, written) for name, all_written in NAMES.items() for written in (name, *all_written)]


@pytest.fixture
def named(begin: Any, request: pytest.FixtureRequest) -> Any:
    """A game of Crossword with the name that a test is about, and a second one."""
    zine = begin("empty")
    for name in (request.param, "Eriwan"):
        actions.new_game(zine.app, "crossword", name, language="de")
        for player, wish in zip(PLAYERS, "DINORT", strict=False):
            seating.join(zine.app, name, player, address_of(player), wish)
        actions.start(zine.app, name)
    zine.tick()
    zine.mails()
    return zine


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(("named", "written"), SPELLINGS, indirect=["named"])
def test_a_name_is_found_however_it_is_written(named: Any, written: str) -> None:
    """In commands, titles of blocks, the subject, and the GM's lines at the computer."""
    with named.app.database.read() as session:
        name = game_queries.named(session, written).name
    assert unicodedata.is_normalized("NFC", name)
    for line in (f"Stand {written}", f"Protokoll {written} 0", f"Warten {written}", f"Warten Crossword {written}"):
        named.writes(ANNA, f"{line}\n")
        assert f"[{name}]" in named.answer(ANNA).subject
    for mail in (
        {"text": f"Crossword {written}\nNeu: D\n"},
        {"text": "Neu: D\n", "subject": f"Re: [{written}] Runde 1"},
    ):
        named.writes(ANNA, **mail)
        assert f"[{name}]" in named.answer(ANNA).subject
    for line in (f"An alle {written}: Hallo!", f"Presse {written}\nHallo!\nEnde", f"Verlängerung {written} 3 Tage"):
        named.writes(ANNA, f"{line}\n")
        said = named.answer(ANNA)
        assert f"[{name}]" in said.subject, said.text
    named.mails()
    named.writes("Cici Beilken", f"An alle {written}: Bis bald!", sender="cici@postspiel.example")
    named.tick()
    assert any("Bis bald" in mail.text and name in mail.subject + mail.text for _, mail in named.mails()), written
    zat = actions.move_zat(named.app, written, "+3d")
    with named.app.database.read() as session:
        assert game_queries.named(session, name).zat == zat
        assert game_queries.named(session, "Eriwan").zat != zat


@pytest.mark.parametrize("again", ["STRAẞE-GENUA", "strasse-genua", unicodedata.normalize("NFD", "Straße-Genua")])
def test_a_name_is_not_given_twice(begin: Any, again: str) -> None:
    """Another spelling of a name is the same name."""
    zine = begin("empty")
    actions.new_game(zine.app, "crossword", "Straße-Genua")
    with pytest.raises(Refused, match="never used twice"):
        actions.new_game(zine.app, "crossword", again)


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [
        ("E" * 31, "it has 31 letters; it is one word of 2 to 30", "das sind 31 Zeichen; es ist ein Wort"),
        ("E", "it has 1 letter;", "das ist 1 Zeichen"), ("Neu York", "no blank can", "ein Leerzeichen geht"),
        ("Eri_wan!", "_ ! can't stand in it", "_ ! geht darin nicht"),
        ("7er", "it begins with 7", "vorn steht 7"), ("-Riga", "it begins with -", "vorn steht -"),
        ("Érevan", "É can't stand in it", "É geht darin nicht"),
        ("STAND", "a command", "ein Befehl"),
        ("VERLÄNGERUNG", "a command", "ein Befehl"), ("Crossword", "a title", "ein Spiel"),
        (unicodedata.normalize("NFD", "Verlängerung"), "a command", "ein Befehl"),
    ],
)  # fmt: skip
def test_why_a_name_is_refused(begin: Any, name: str, english: str, german: str) -> None:
    """One sentence says what is wrong with it."""
    with pytest.raises(Refused) as error:
        actions.new_game(begin("empty").app, "crossword", name)
    assert english in str(error.value)
    assert german in error.value.said_in("de")
    assert str(error.value).count(". ") == 0
