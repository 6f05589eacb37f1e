"""How long the lexicon takes: `make bench`. Nothing here asserts a time."""

import random
from typing import Any

from games.crossword.rules import best_score
from gm.lexicon.lexicon import Judge, Lexicon

LEXICON = Lexicon.load()
GRID = ("SOLIMT", "SEKARG", "ANEDER", "STREBE", "NENRUT", "INELHA")
CHANCE = random.Random(1)
LETTERS = "EEEENNNIIISSRRRATTTADDHHUULLCGGMMOOBWFKZPV"
GRIDS = [tuple("".join(CHANCE.choices(LETTERS, k=6)) for _ in range(6)) for _ in range(200)]


def _words(number: int) -> list[str]:
    words = LEXICON.listed("duden")
    known = [words[CHANCE.randrange(len(words))] for _ in range(number // 2)]
    return known + ["".join(CHANCE.choices(LETTERS, k=5)) for _ in range(number // 2)]


def test_open(benchmark: Any) -> None:
    """Opening the list and looking one word up."""
    assert benchmark(lambda: Lexicon.load().check("HAUS", "duden"))


def test_10_000_lookups(benchmark: Any) -> None:
    """Looking up 10,000 words, half of them unknown, none of them asked before."""
    words = _words(10_000)

    def fresh() -> tuple[tuple[Any, ...], dict[str, Any]]:
        lexicon = Lexicon.load()
        lexicon.check("HAUS", "duden")
        return (lexicon,), {}

    benchmark.pedantic(lambda lexicon: [lexicon.check(word, "duden") for word in words], setup=fresh, rounds=10)


def test_listed(benchmark: Any) -> None:
    """The first enumeration of all accepted words, and a slice from all over it."""
    assert benchmark(lambda: list(Lexicon.load().listed("duden")[::30]))


def test_best_score(benchmark: Any) -> None:
    """The best score of one filled grid, through a game's judge."""
    judge = Judge(LEXICON, {})
    assert benchmark(best_score, GRID, lambda word: judge.check(word, "duden").status == "accepted")


def test_best_scores_of_200_grids(benchmark: Any) -> None:
    """The best scores of 200 filled grids, no two alike."""
    accepts = lambda word: LEXICON.check(word, "duden").status == "accepted"  # noqa: E731
    assert benchmark(lambda: [best_score(grid, accepts) for grid in GRIDS])


def test_suggest(benchmark: Any) -> None:
    """All words that seven letters allow."""
    assert benchmark(LEXICON.suggest, "EISRTNA", "duden")
