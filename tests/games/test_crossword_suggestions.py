"""What Crossword suggests: grids that are full of words, ordinary wishes, and lists that a person could send."""

from collections import Counter
from functools import cache

from games.api import MoveBlock
from games.crossword import ENGINE
from games.crossword.board import EMPTY
from games.crossword.rules import SEATS, State
from games.dice import Dice
from games.kit.testkit import COMMON_WORDS, WordSet, block
from games.shared.patterns import ORDINARY
from games.words import Verdict

DICE = Dice("seed", 1)
WORDS = WordSet(COMMON_WORDS)


@cache
def played(seed: str) -> tuple[list[State], list[tuple[str, ...]]]:
    """Play a game of suggestions: all positions, and the lists of the last round."""
    wishes = (sheet.move for sheet in (ENGINE.enrol(block(ENGINE.suggest_entry(seat)[0]), {}) for seat in SEATS))
    positions = [ENGINE.start(dict(zip(SEATS, wishes, strict=True)), {}, DICE).state]
    while not positions[-1].over:
        now = positions[-1]
        lines = {seat: ENGINE.suggest(now, seat, Dice(f"{seed}{seat}", now.round), WORDS) for seat in SEATS}
        moves = {seat: ENGINE.read(now, seat, MoveBlock(lines=lines[seat]), WORDS).move for seat in SEATS}
        positions.append(ENGINE.resolve(now, moves, DICE, WORDS).state)
    return positions, list(lines.values())


def test_suggested_grids_are_full_of_words() -> None:
    """Letters are laid where words are or can be: grids at random have half the points."""
    points = [result.points for seed in "ab" for result in played(seed)[0][-1].results]
    assert sum(points) / len(points) > 50


def test_suggested_wishes_are_ordinary() -> None:
    """What is wished makes words, and no letter is wished by more than three."""
    for now in (*played("a")[0], *played("b")[0]):
        assert {*now.wishes} <= {*ORDINARY}
        assert max(Counter(now.wishes).values()) <= 3


def test_suggested_lists_name_no_slur() -> None:
    """What the judge accepts but doesn't list is not claimed."""

    class Rude(WordSet):
        def check(self, word: str, profile: str) -> Verdict:
            return Verdict("accepted") if word == "TSEN" else super().check(word, profile)

    last = State(round=6, wishes=tuple("ENRSTA"), grids=(("TSEN..", *EMPTY[1:]), *(EMPTY,) * 5))
    assert "nest 5" in ENGINE.suggest(last, SEATS[0], DICE, Rude(["NEST"]))
    assert not any("tsen" in line for line in ENGINE.suggest(last, SEATS[0], DICE, Rude(["EN"]))[6:])
