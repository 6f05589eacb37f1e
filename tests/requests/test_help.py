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


@pytest.mark.trust(except_first=4)
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


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", sorted(engines()))
def test_both_languages_show_the_same_figures(key: str) -> None:
    """Blocks and tables stand in the rules of each language."""
    counts = [
        [sum(piece.kind in kinds for piece in rules_page(engines()[key], language)) for language in LANGUAGES]
        for kinds in (("block",), ("table", "pairs"))
    ]
    assert all(german == english for german, english in counts), counts


def told(key: str, language: Language) -> str:
    """The sentences of a game's rules page."""
    return " ".join(" ".join((piece.text, *piece.lines)) for piece in rules_page(engines()[key], language))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    ("language", "ahead"), [("de", ("»Vorab«", "»Zurückziehen« nimmt")), ("en", ("“Advance”", "“Withdraw” takes"))]
)
@pytest.mark.parametrize("key", sorted(key for key, engine in engines().items() if engine.rules.in_turns))
def test_rules_tell_how_to_move_in_advance(key: str, language: Language, ahead: tuple[str, ...]) -> None:
    """interface.md: `Vorab` works where seats move in turn, `Withdraw` takes it back, and no text denies that."""
    page = told(key, language)
    assert all(words in page for words in ahead)
    assert "moves in advance" not in page
    said = engines()[key].wording["NOT_ON_TURN"][language]
    assert not re.search("Voraus|advance", said)


@pytest.mark.parametrize(
    ("language", "doubtful"), [("de", "sonst nicht kennt, ist"), ("en", "else our list|else the list")]
)
@pytest.mark.parametrize("key", sorted(key for key, one in engines().items() if one.rules.profile == "typdom"))
def test_rules_refuse_runs_of_two_letters(key: str, language: Language, doubtful: str) -> None:
    """Rulings 1.9: two letters without a line in the list of such words are refused, never held."""
    page = told(key, language)
    assert "(RW, QX)" in page
    assert re.search(doubtful, page)


@pytest.mark.parametrize("key", ["typ-dom", "point-typ-dom"])
def test_rules_say_where_a_second_word_may_lie(key: str) -> None:
    """Rulings 2: the stretches lie in the line of the first word, the second one lies anywhere."""
    assert "eigenen Linie" not in told(key, "de")
    assert "Das zweite liegt, wo du willst" in told(key, "de")
    assert "own line" not in told(key, "en")
    assert "The second one lies where you like" in told(key, "en")


@pytest.mark.parametrize("key", ["combinato", "combinato-zahlen"])
def test_rules_count_hits_as_the_rule_text_does(key: str) -> None:
    """games.md: TEER against PELZ is a full hit and a hit, as the E of PELZ is in TEER twice."""
    assert not re.search(r"für sich( zählt)?\.|counts by itself|by itself\.", told(key, "de") + told(key, "en"))
    assert re.search("zweimal (in TEER|darin) enthalten", told(key, "de"))


@pytest.mark.parametrize("key", ["typ-dom", "point-typ-dom", "farbdomino"])
def test_tiles_that_still_count_are_not_out_of_play(key: str) -> None:
    """Rulings 2: the tiles of who resigned are laid by nobody, but count in the end."""
    engine = engines()[key]
    said = [engine.wording["RESIGNED"], {language: told(key, language) for language in LANGUAGES}]
    assert not any("aus dem Spiel" in text["de"] or "out of play" in text["en"] for text in said)


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
        told = [mail.text.index(part) for part in ("The block looks like this:", "     New: D   ", "     brecHt   ")]
        assert told == sorted(told)


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
    assert "Crossword Eriwan, Runde 1 Neu: ......" in said
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
