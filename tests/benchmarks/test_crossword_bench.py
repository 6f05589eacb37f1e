"""How long Crossword takes: `make bench`. Nothing here asserts a time."""

from typing import Any

from games.api import MoveBlock, Seat
from games.crossword import ENGINE
from games.crossword.rules import State, best_score
from games.dice import Dice
from games.kit.testkit import COMMON_WORDS, WordSet, block

GRID = ("SOLIMT", "SEKARG", "ANEDER", "STREBE", "NENRUT", "INELHA")
BEFORE = ("SOLIM.", "SEKARG", "ANEDER", "STREBE", "NENRUT", ".NELH.")
LIST = """soli 5\nes+arg 4\nreden 7\nstrebe 10\nturnen 10\nahlen 7\nass+ins 6\nenten 7\nkerne 7\nader 5\nhuber / hub 3
greta 7\nsee+aue 6\ndrei 5\nSumme 89"""
WORDS = WordSet([*COMMON_WORDS, *LIST.upper().replace("+", " ").replace("/", " ").split()])
STATE = State(round=6, wishes=tuple("TIAENR"), grids=(BEFORE,) * 6)
BLOCK = block("\n".join([*(row.lower() for row in GRID), LIST]))


def test_read(benchmark: Any) -> None:
    """Reading the last grid with its word list."""
    assert benchmark(ENGINE.read, STATE, Seat(1), BLOCK, WORDS).move


def test_read_damaged(benchmark: Any) -> None:
    """Reading five rows that must be compared with the old ones."""
    short = MoveBlock(lines=BLOCK.lines[1:6])
    assert benchmark(ENGINE.read, STATE, Seat(1), short, WORDS).problems


def test_resolve_last_round(benchmark: Any) -> None:
    """Closing the last round: six lists judged, six best scores."""
    move = ENGINE.read(STATE, Seat(1), BLOCK, WORDS).move
    moves = {Seat(number): move for number in range(1, 7)}
    assert benchmark(ENGINE.resolve, STATE, moves, Dice("bench", 6), WORDS).state.over


def test_best_score(benchmark: Any) -> None:
    """The best possible score of one full grid."""
    assert benchmark(best_score, GRID, lambda word: WORDS.check(word, "duden").status == "accepted")


def test_suggest(benchmark: Any) -> None:
    """Making a block."""
    assert benchmark(lambda: ENGINE.suggest(STATE, Seat(1), Dice("bench", 6), WORDS))
