"""`Hilfe` and `Hilfe Crossword`: the commands, and every game's rules as they stand in its README."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games import engines
from games.api import LANGUAGES, Language
from gm.demo.in_memory_zine import PLAYERS
from gm.messages.outgoing import Part, Recipient, Sender, compose
from gm.messages.rendering.rules_page import rules_page
from gm.store.tables import Game

ANNA = PLAYERS[0]
STRANGER = "Xaver Zorn"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(engines()))
def test_every_game_has_rules_to_mail(key: str, language: Language) -> None:
    """The page of every game here keeps to 78 columns in every form, and no Markdown is left of it."""
    engine = engines()[key]
    page = rules_page(engine, language)
    assert {"p", "items"} <= {piece.kind for piece in page}
    part = Part(template="rules", context={"title": engine.rules.title, "page": page, "game": ""}, engine=engine)
    to = Recipient(name="Anna Berg", address="anna@spieler.example", language=language)
    subject, text, html = compose([part], to, True, Sender())
    assert subject.startswith(f"{engine.rules.title}: ")
    assert max(len(line.rstrip()) for line in text.split("\n")) <= 78
    assert not re.search(r"`|\*\*|\|--|^#|\]\(", text, re.MULTILINE)
    assert (" und " in text) == (language == "de")
    assert len(html.encode()) < 80_000


@pytest.mark.parametrize("key", sorted(engines()))
def test_both_languages_show_the_same_figures(key: str) -> None:
    """What the English rules call "above" stands above: the German part's blocks and tables."""
    counts = [
        [sum(piece.kind in kinds for piece in rules_page(engines()[key], language)) for language in LANGUAGES]
        for kinds in (("block",), ("table", "pairs"))
    ]
    assert all(bool(german) == bool(english) for german, english in counts), counts


def test_rules_with_the_own_position(eriwan: Any) -> None:
    """Below the rules stands how the writer moves now, with the block to copy."""
    eriwan.writes(ANNA, "Hilfe Crossword\n")
    mail = eriwan.answer(ANNA)
    assert mail.subject == "Crossword: Regeln und Form der Züge"
    assert "\n  RUNDEN 1 BIS 5\n" in mail.text
    assert "     brecHt   \n     ra..Ua   \n" in mail.text
    assert "  DEINE PARTIE »ERIWAN«" in mail.text
    assert mail.text.rstrip().endswith("\n     ......")


def test_rules_in_english(eriwan: Any) -> None:
    """The command's language decides; the game may be named instead of its kind."""
    for command in ("Help Crossword\n", "Help Eriwan\n"):
        eriwan.writes(ANNA, command)
        mail = eriwan.answer(ANNA)
        assert mail.subject == "Crossword: rules, and how to write a move"
        assert mail.text.index("     brecHt   ") < mail.text.index("The block looks as above.")


def test_rules_for_strangers(eriwan: Any) -> None:
    """Somebody without a seat gets the rules alone; a game's name tells a stranger nothing."""
    eriwan.writes(STRANGER, "Hilfe Crossword\n")
    mail = eriwan.answer(STRANGER)
    assert mail.subject.startswith("Crossword: ")
    assert "ERIWAN«" not in mail.text
    eriwan.writes(STRANGER, "Hilfe Eriwan\n")
    assert "Eriwan" not in eriwan.reply(STRANGER)


def test_help_about_nothing_known(eriwan: Any) -> None:
    """What isn't known is named, and the general help comes all the same."""
    eriwan.writes(ANNA, "Hilfe Unsinn\n")
    said = eriwan.reply(ANNA)
    assert said.startswith("Hilfe: So spielt man hier per Mail")
    assert "»Unsinn« kenne ich nicht" in said
    assert "Zurückziehen Eriwan" in said


def test_help_names_the_games_and_the_own_one(eriwan: Any) -> None:
    """The general help takes its examples from the reader's game, or from none."""
    eriwan.writes(ANNA, "Hilfe\n")
    said = eriwan.reply(ANNA)
    for engine in engines().values():
        assert engine.rules.title in said
    assert "Crossword Eriwan Neu: ......" in said
    eriwan.writes(STRANGER, "Hilfe\n")
    said = eriwan.reply(STRANGER)
    assert "Eriwan" not in said
    assert "Stand NAME" in said


@pytest.mark.tampers
def test_help_where_rules_are_missing(eriwan: Any) -> None:
    """A game whose rules can't be had here keeps nobody from getting help."""
    with eriwan.writing() as session:
        game = session.get_one(Game, 1)
        game.engine = "gone"
        session.add(game)
    eriwan.writes(ANNA, "Hilfe\n")
    assert "Stand NAME" in eriwan.reply(ANNA)
