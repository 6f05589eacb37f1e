"""One word for one thing: what a game's mails, pages and rules call its parts."""

import re
from pathlib import Path

import pytest

import games
from games import engines
from games.api import SPECTATOR, Seat, Unit
from games.kit.testkit import Contract, play, texts_of_sheet, texts_of_view, worded
from gm.archive.layout import PHRASES
from gm.messages.sentences import SENTENCES

NEVER: dict[Unit, str] = {
    "round": r"Durchgang|Durchgangs|Durchgänge|Durchgängen|deals",
    "turn": r"Durchgang|Durchgangs|Durchgänge|Durchgängen|deals",
    "deal": r"Partie|Partien|Runden?|[Rr]ounds?|[Hh]ands?",
}
"""By what a game counts: words that would be a second name for that, or this name for something else."""


@pytest.mark.parametrize("key", engines())
def test_a_game_has_one_name_for_what_it_counts(key: str) -> None:
    """Issue 26, words said: `Partie` and `Durchgang` are never mixed, in no text of the game and not in its rules."""
    engine = engines()[key]
    pages = (Path(games.__file__).parent / key.replace("-", "_")).glob("README*.md")
    said = [
        *(re.sub(r"\{\w+\}", "", text) for pattern in engine.wording.values() for text in pattern.values()),
        *(page.read_text("utf-8") for page in pages),
    ]
    never = re.compile(rf"\b(?:{NEVER[engine.rules.unit]})\b")
    assert [(found[0], text) for text in said if (found := never.search(text))] == []


MANY = (
    r"(?:[a-zäöü]+ )?(?:Steine|Marken|Punkte|Wörter|Runden|Züge|Zeilen|Spalten|Buchstaben|Ziffern|Quadrate|Einträge"
    r"|Partien|Mal|Tage|Plätze|Änderungen|Treffer|Adressen|Fehler|Fragen|tiles|counters|points|words|rounds|turns"
    r"|rows|columns|letters|figures|squares|entries|games|days|places|times|changes|addresses|faults|questions)n?\b"
)
"""Nouns that count things, in the plural."""
NEVER_ONE = {
    "SILENT": "the rule's three rounds", "BOUGHT": "one is BOUGHT_ONE", "HEADLINE_MANY": "fewer are named",
    "HEADLINE_HALF_TIME": "one is the last",
    "TOO_MANY_BOUGHT": "more than may be bought", "OWN_TILES": "a whole rack", "LAID_ANEW": "36 letters",
    "COULD_BE_YAHTZEE": "50 or 100", "LEFT_SEVERAL": "one is LEFT_ONE",
    "ADDRESS_ENOUGH": "a limit", "HALL_WAITING": "a limit",
    "SO_FAR_ROUND": "the rounds of Crossword or Wort-Yahtzee", "FEAT_LONGEST": "a word", "WORD_TIMES": "more than once",
    "STATUS_FILED_ALL": "of one, one is in", "STATUS_PLAYED_OF": "no game has one round", "ALL_round": "a long game",
    "ALL_turn": "a long game", "ALL_deal": "a long game", "START_MORE": "more than there are cards",
    "QUESTIONS_WAIT": "one is QUESTION_WAITS", "WORD_LENGTH": "one letter is WORD_SHORT",
}  # fmt: skip
"""Sentences whose count is never one, and why."""


def singular(code: str) -> set[str]:
    """Guess how the sentence for one of it is called."""
    return {f"{code}_ONE", code.removesuffix("S"), code.removesuffix("IES") + "Y"} - {code}


@pytest.mark.parametrize("where", [*engines(), "sentences", "phrases"])
def test_a_count_before_a_noun_has_its_singular(where: str) -> None:
    """Issue 26, words said (`1 Marken`): where a sentence counts, another one is there for a single thing."""
    wording = {"sentences": SENTENCES, "phrases": PHRASES}.get(where) or engines()[where].wording
    counting = [
        code
        for code, pattern in wording.items()
        if any(re.search(r"\{\w+\} " + MANY, text) for text in pattern.values())
    ]
    assert [code for code in counting if code not in NEVER_ONE and not singular(code) & wording.keys()] == []


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("key", engines())
def test_nothing_that_is_said_in_play_counts_one_as_many(key: str) -> None:
    """The same in whole games, damaged moves and NMRs included, in both languages."""
    engine, wrong = engines()[key], re.compile(r"(?<![\d.,:/-])\b1 " + MANY)
    for seed in ("plural", "one", "two"):
        for step in play(Contract(engine=engine), seed, 0.3):
            views = [engine.view(step.after.state, viewer) for viewer in (SPECTATOR, Seat(1), Seat(2))]
            texts = [
                *(event.text for event in step.after.events),
                *(text for view in views for text in texts_of_view(view)),
            ]
            texts += [text for sent in step.sent for text in texts_of_sheet(sent.sheet)]
            said = {worded(engine, text, language) for text in texts for language in ("de", "en")}
            assert [text for text in said if wrong.search(text)] == []
