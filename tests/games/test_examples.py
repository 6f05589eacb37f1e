"""The examples on the pages of rules are moves that their games allow."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from games import engines
from games.api import Grid
from gm.lexicon.lexicon import Lexicon


def runs(grid: Grid) -> Iterator[str]:
    """Give what stands in rows and columns of a board, two letters or more."""
    lines = [[cell.text.strip("*") or "." for cell in row] for row in grid.cells]
    for line in (*lines, *zip(*lines, strict=True)):
        yield from re.findall(r"[A-Z]{2,}", "".join(line).upper())


@pytest.mark.parametrize("key", ["typ-dom", "point-typ-dom", "presto"])
def test_all_that_touches_is_a_word(key: str) -> None:
    """On the board of an example, whatever touches is a word that counts in this game."""
    rules = engines()[key].rules
    assert rules.example is not None
    (grid,) = rules.example.grids
    found = list(runs(grid))
    assert len(found) > 3
    # The profile refuses nothing else; MEXICO is as the rule text writes it.
    lexicon = Lexicon.load()
    assert [word for word in found if lexicon.check(word, rules.profile).status != "accepted"] == []


def test_hits_are_counted() -> None:
    """The answers to guesses are those of the game."""
    (grid,) = engines()["combinato"].rules.example.grids
    assert ["".join(cell.text for cell in row) for row in grid.cells] == ["WADE○", "HERD●", "WILD●●●"]
    (grid,) = engines()["combinato-zahlen"].rules.example.grids
    assert ["".join(cell.text for cell in row) for row in grid.cells] == ["1234○○", "4422●●○○", "0421●●●"]


def test_the_tiles_fit() -> None:
    """In Farbdomino's example touching fields have one colour, and the new tiles close a square."""
    example = engines()["farbdomino"].rules.example
    assert example is not None
    (grid,) = example.grids
    tiles = {(x, y): cell for y, row in enumerate(grid.cells) for x, cell in enumerate(row) if cell.sides}
    assert len(tiles) == 4
    touching = []
    for (x, y), tile in tiles.items():
        if right := tiles.get((x + 1, y)):
            touching.append((tile.sides[1].text, right.sides[3].text))
        if below := tiles.get((x, y + 1)):
            touching.append((tile.sides[2].text, below.sides[0].text))
    assert len(touching) == 4, "a square of four"
    assert all(one == other for one, other in touching)
