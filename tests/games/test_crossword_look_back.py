"""Was war drin? Unclaimed words and the best grid of the same letters, after the end of a game of Crossword."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import Seat, Section, View
from games.crossword import ENGINE
from games.crossword.board import EMPTY, LINES, NAMES, all_along, points, rows_of
from games.crossword.rules import SEATS, State, judge_list
from games.crossword.suggest import STEPS, letters_of, rearranged, unclaimed
from games.crossword.wordlist import Entry, Matching
from games.dice import Dice
from games.kit.testkit import COMMON_WORDS, Contract, WordSet, block, drawn, play
from games.optional_parts import LooksBack
from games.words import Verdict, Words

ANNA = Seat(1)
DICE = Dice("seed", 9)
GRID = ("TIER.O", "......", "......", "......", "......", "NEBEL.")
WORDS = WordSet(["TIER", "REIT", "EI", "EIN", "NEBEL", "LEBEN", "EBEN", "NEBE", "EBE"], ["TIE"])
LETTERS = "AGERNELRISTLOHMRETREUETSANSINEKDEBAN"
"""The letters of a whole grid."""


def finished(grid: Any = GRID, listed: str = "", words: Words = WORDS) -> State:
    """A game that ends with this grid and list of Anna's, and empty grids of the others."""
    last = State(round=6, wishes=tuple("XXXXXX"), grids=(grid, *(EMPTY,) * 5))
    move = ENGINE.read(last, ANNA, block("\n".join([*grid, listed])), words).move
    return ENGINE.resolve(last, {ANNA: move} if move else {}, DICE, words).state


def left(state: State, words: WordSet = WORDS, seat: Seat = ANNA) -> list[tuple[str, str, int, bool]]:
    def counts(word: str) -> bool:
        return words.check(word, "duden").status == "accepted"

    found = unclaimed(state, seat, counts)
    return [(NAMES[one.line], one.word, one.points, one.backwards) for one in found]


def text_of(sections: tuple[Section, ...], language: Any = "de") -> list[str]:
    return drawn(ENGINE, View(sections=sections), language)


def last_of(state: State, words: Words = WORDS, seed: str = "seed") -> tuple[Section, ...]:
    return ENGINE.look_back(state, words, Dice(seed, 9))


def worth_of(words: WordSet, text: str) -> int:
    """What a line is worth, found the long way: every way to part it."""
    ways = [0]
    for start in range(len(text)):
        for end in range(start + 2, len(text) + 1):
            piece = text[start:end]
            if any(words.check(word, "duden").status == "accepted" for word in (piece, piece[::-1])):
                ways.append(points(piece) + worth_of(words, text[end:]))
    return max(ways)


# The grids as they stand


def test_the_engine_looks_back() -> None:
    """Crossword says that it can look back, and does so after the end only."""
    assert isinstance(ENGINE, LooksBack)
    assert ENGINE.look_back(State(wishes=tuple("ENRSTA")), WORDS, DICE) == ()


def test_unclaimed_words_by_hand() -> None:
    """Every accepted word that lies in a line either way is found once, the most valuable first, then by lines."""
    assert left(finished()) == [
        ("Z6", "NEBEL", 7, False),
        ("Z6", "LEBEN", 7, True),
        ("Z1", "TIER", 5, False),
        ("Z1", "REIT", 5, True),
        ("Z6", "NEBE", 5, False),
        ("Z6", "EBEN", 5, True),
        ("Z6", "EBE", 3, False),
        ("Z1", "EI", 1, True),
    ]


def test_claimed_words_are_not_unclaimed() -> None:
    """What was named for a line, as a word or its substitute, isn't listed for it, whatever became of it."""
    over = finished(listed="Z1: tier / reit 5\nZ6: leben + ebe 8")
    assert [word for _, word, _, _ in left(over)] == ["NEBEL", "NEBE", "EBEN", "EI"]
    elsewhere = finished(listed="Z2: tier 5")
    assert "TIER" in [word for _, word, _, _ in left(elsewhere)]


@pytest.mark.trust
def test_refused_and_doubtful_words_are_not_shown() -> None:
    """A word that a ruling took out, or that nobody knows, is no word that was there."""
    ruled = WordSet(["TIER", "EI"], ["REIT"])
    assert [word for _, word, _, _ in left(finished(words=ruled), ruled)] == ["TIER", "EI"]
    assert not any("REIT" in line for line in text_of(last_of(finished(words=ruled), ruled)))


@pytest.mark.trust
def test_slurs_are_not_proposed() -> None:
    """A word that counts but isn't listed is shown to nobody who didn't lay it."""

    class Discreet(WordSet):
        def listed(self, profile: str) -> Iterator[str]:
            return iter(word for word in super().listed(profile) if word != "LEBEN")

    words = Discreet(["LEBEN", "NEBEL"])
    text = text_of(last_of(finished(words=words), words))
    assert any("NEBEL" in line for line in text)
    assert not any("LEBEN" in line for line in text)


def test_a_grid_in_words() -> None:
    """A grid is shown with what counted, what was possible, the longer words left, and how many short ones were."""
    first, *_ = last_of(finished(listed="Z1: tier 5"))
    assert text_of((first,))[:-1] == [
        "# Was war drin bei Wilhelmine B1?",
        "Gezählt: 5 Punkte. Mit den besten Wörtern in jeder Linie: 12 Punkte.",
        "    Wörter  P.",
        "Z6  NEBEL   7",
        "Z6  LEBEN<  7",
        "Z1  REIT<   5",
        "Z6  NEBE    5",
        "Z6  EBEN<   5",
        "* Nicht genannt blieben auch Wörter mit zwei oder drei Buchstaben: 2.",
    ]
    assert "# What was in it for Wilhelmine B1?" in text_of((first,), "en")


def test_a_grid_that_was_used_up() -> None:
    """A player who claimed all words is told so; a single short word is counted as one."""
    first, *_ = last_of(finished(listed="Z1: tier 5", words=(one := WordSet(["TIER"]))), one)
    assert text_of((first,))[1:-1] == [
        "Gezählt: 5 Punkte. Mehr gab dieses Raster nicht her.",
        "Alle Wörter, die da waren, sind auch genannt.",
    ]
    first, *_ = last_of(finished(words=(two := WordSet(["EI"]))), two)
    assert "* Nicht genannt blieb auch ein Wort mit zwei oder drei Buchstaben." in text_of((first,))


def test_grids_come_first_in_the_order_of_the_ranking() -> None:
    """What each grid held is shown first, the winner's before the others."""
    sections = last_of(finished(listed="Z1: tier 5"))
    titles = [section.title for section in sections[:6]]
    assert {title.values["seat"] for title in titles if title} == set(SEATS)
    assert titles[0] is not None
    assert titles[0].values["seat"] == ANNA


# All letters of the game


def test_letters_as_published() -> None:
    """The letters are those of the last round, and of the rounds before all that somebody has placed."""
    for seed in ("one", "two"):
        published: Counter[str] = Counter()
        for step in play(Contract(engine=ENGINE), seed, 0.0):
            published += Counter(step.before.wishes) if step.before else Counter()
            over = step.after.state
        letters = Counter(letters_of(over))
        assert sum(published.values()) == 36
        assert letters <= published
        assert all(Counter("".join(grid).replace(".", "")) <= letters for grid in over.grids)


def test_letters_of_the_last_round_count_once() -> None:
    """A letter placed in the last round is among its published ones already."""
    last = State(round=6, wishes=tuple("ENRSTA"), grids=(("EN....", *EMPTY[1:]), *(EMPTY,) * 5))
    move = ENGINE.read(last, ANNA, block("\n".join(("ENRS..", *EMPTY[1:]))), WORDS).move
    over = ENGINE.resolve(last, {ANNA: move}, DICE, WORDS).state
    assert letters_of(over) == "".join(sorted("EN" + "ENRSTA"))


COMMON = WordSet(COMMON_WORDS)


@cache
def worth(text: str) -> int:
    return worth_of(COMMON, text)


@cache
def arranged(letters: str = LETTERS, seed: str = "seed") -> str:
    return rearranged(letters, worth, Dice(seed, 1))


def value(cells: str) -> int:
    return sum(map(worth, all_along(rows_of(cells))))


def test_a_rearrangement_is_better() -> None:
    """A search finds a grid that is worth more than the letters at random, and the letters stay the same."""
    found, at_random = arranged(), "".join(Dice("seed", 1).shuffled(LETTERS))
    assert value(found) > 2 * value(at_random)
    assert sorted(found) == sorted(LETTERS)


@pytest.mark.trust
def test_a_rearrangement_is_drawn() -> None:
    """The same dice find the same grid, others another one."""
    assert rearranged(LETTERS, worth, Dice("seed", 1)) == arranged()
    assert arranged() != arranged(seed="other")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("letters", [LETTERS, LETTERS[:20], "ABEND", ""])
def test_points_are_those_of_the_game(letters: str) -> None:
    """Claimed word by word, the grid scores what is said of it; a cell is blank only where letters lack."""
    rows = rows_of(letters.ljust(36, "."))
    over = replace(finished(rows, words=COMMON), wishes=(), new=((),) * 6)
    sections = last_of(over, COMMON)[6:]
    if not value(arranged(letters)):
        assert sections == ()
        return
    (shown,) = sections
    assert shown.table
    (grid,) = shown.grids
    assert sorted("".join(cell.text for row in grid.cells for cell in row)) == sorted(letters)
    laid = tuple("".join(cell.text or "." for cell in row) for row in grid.cells)
    entries = {}
    for line in text_of((shown,)):
        name, *rest = line.split()
        if name in NAMES and rest[-1].isdigit():
            entries[NAMES.index(name)] = Entry(words=tuple(word.rstrip("<") for word in rest[:-1]))
    judged = judge_list(laid, Matching(lines=entries), COMMON)
    assert {claim.status for claim in judged} == {"accepted"}
    total = sum(claim.points for claim in judged)
    assert f"Neu geordnet ergeben die Buchstaben dieser Partie mindestens {total} Punkte." in text_of((shown,))
    assert total == sum(map(worth, all_along(laid)))


@pytest.mark.trust
@given(st.text("ENRSTAIDL", max_size=36))
@settings(max_examples=3, deadline=None)
def test_any_letters(letters: str) -> None:
    """Whatever the letters are, they are all laid, and a line is worth the best of all its partings."""
    found = arranged(letters)
    assert sorted(found) == sorted(letters.ljust(36, "."))


@pytest.mark.trust
def test_no_doubtful_word_in_a_rearrangement() -> None:
    """Only accepted words make points: with none there is nothing to show."""
    silent = WordSet()
    assert len(last_of(finished(words=silent), silent)) == len(SEATS)


@pytest.mark.parametrize("letters", [LETTERS, "ABEND"])
def test_a_search_has_a_fixed_length(letters: str) -> None:
    """However good the grid becomes, a search tries so many swaps, at most six lines each, before and after it: seconds
    decide nothing."""
    asked: list[str] = []

    def valued(text: str) -> int:
        asked.append(text)
        return worth(text)

    rearranged(letters, valued, Dice("seed", 1))
    assert STEPS < len(asked) - len(LINES) <= 12 * STEPS


def test_words_are_judged_by_the_profile_of_the_game() -> None:
    """What was there is asked as the game asks: names count, as in the Duden profile."""

    class Watched(WordSet):
        def check(self, word: str, profile: str) -> Verdict:
            assert profile == "duden"
            return super().check(word, profile)

    assert last_of(finished(words=Watched(["TIER"])), Watched(["TIER"]))
