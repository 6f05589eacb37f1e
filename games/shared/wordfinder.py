"""Finds words that a rack can lay, alone or on an open board. For suggestions and tests, never for judging.

A `Vocabulary` holds the short words of a list and some of the longer ones: enough for a sensible move, and small.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from games.dice import Dice
from games.shared.plane import (
    BLANK,
    CENTRE,
    EMPTY,
    Direction,
    Rows,
    Run,
    Spot,
    across,
    is_inside,
    lay,
    occupied,
    run_at,
    sign_at,
)
from games.shared.tiles import JOKERS, LETTERS, joker_for, on_board

_LONGEST: Final = 8
_SHORT: Final = 5
"""Words up to this length are all kept: they end games."""
_KEPT: Final = 12_000
"""How many of the longer ones are kept."""
_EXACT: Final = 20_000
"""Up to so many words, lists are compared word by word."""
_TRIED: Final = 400
_ENOUGH: Final = 12

_BITS: Final = {letter: 1 << at for at, letter in enumerate(LETTERS)}


@dataclass(frozen=True, kw_only=True)
class Placing:
    """A word that can be laid: its run on the board with it, and what is new."""

    run: Run
    rows: Rows
    """The board with the word on it."""
    new: tuple[Spot, ...]
    tiles: str
    """The tiles it takes from the rack."""


class Vocabulary:
    """Words of a list, indexed by their letters."""

    def __init__(self, listed: Iterable[str]) -> None:
        short, long = list[str](), list[str]()
        for word in listed:
            if 2 <= len(word) <= _LONGEST:
                (short if len(word) <= _SHORT else long).append(word)
        kept = long[:: len(long) // _KEPT + 1]
        self.words: tuple[str, ...] = tuple(sorted({*short, *kept}))
        self._letters = tuple((_mask(word), word) for word in self.words)
        self._text = "\n".join(self.words)

    def containing(self, part: str) -> Iterator[str]:
        """Yield the words that hold these letters next to each other, in alphabetical order."""
        at = self._text.find(part)
        while at >= 0:
            start, end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            end = len(self._text) if end < 0 else end
            yield self._text[start:end]
            at = self._text.find(part, end)

    def near(self, rack: str, more: int = 1) -> list[str]:
        """Return the words that have no more than so many different letters (and jokers) beyond those of a rack."""
        foreign, more = ~_mask(rack), more + sum(tile in JOKERS for tile in rack)
        return [word for letters, word in self._letters if (letters & foreign).bit_count() <= more]

    def from_rack(self, rack: str, dice: Dice | None = None) -> Iterator[str]:
        """Yield the words that a rack spells, jokers included; in a drawn order if there are dice."""
        near = self.near(rack, more=0)
        for word in dice.shuffled(near) if dice else near:
            if tiles_for(word, rack) is not None:
                yield word


@dataclass(frozen=True)
class KnownList:
    """A word list as the key of a cache. Long lists that differ by a few rulings are equal."""

    mark: tuple[str, ...]
    words: Sequence[str] = field(compare=False)


def known_list(listed: Iterable[str]) -> KnownList:
    """Make the key of a list. What is found in a list that was cached for another one must be judged."""
    words = listed if isinstance(listed, Sequence) else tuple(listed)
    if len(words) <= _EXACT:
        return KnownList(tuple(words), words)
    return KnownList((words[0], words[-1], f"{len(words) // 1000}"), words)


def vocabulary(listed: Iterable[str]) -> Vocabulary:
    """Index a list of words; the index of a list is made once."""
    return _index(known_list(listed))


@lru_cache(maxsize=8)
def _index(known: KnownList) -> Vocabulary:
    return Vocabulary(known.words)


def _mask(letters: str) -> int:
    mask = 0
    for letter in letters:
        mask |= _BITS.get(letter, 0)
    return mask


def tiles_for(letters: str, rack: str) -> str | None:
    """Choose tiles of a rack for some letters, one each, in order: real ones before jokers. None where they lack."""
    left, chosen = Counter(rack), ""
    for letter in letters:
        tile = letter if left[letter] > 0 else joker_for(letter)
        if left[tile] <= 0:
            return None
        left[tile] -= 1
        chosen += tile
    return chosen


def placings(rows: Rows, rack: str, words: Vocabulary, is_word: Callable[[str], bool], dice: Dice) -> Iterator[Placing]:
    """Find legal words for a rack on an open board, in random order. On an empty board they cover the centre.

    Only words that share a cell with a tile on the board are found. `is_word` judges every run that they make.
    """
    if not rack:
        return
    if not occupied(rows):
        yield from _openings(rack, words, is_word, dice)
        return
    near = words.near(rack)
    by_letter: dict[str, tuple[str, ...]] = {}
    anchors = [(spot, direction) for spot in occupied(rows) for direction in _free_directions(rows, spot)]
    for spot, direction in dice.shuffled(anchors):
        run = run_at(rows, spot, direction)
        if run.word not in by_letter:
            by_letter[run.word] = _candidates(run.word, rack, near, dice)
        for word in by_letter[run.word]:
            yield from _fitting(rows, rack, word, run, is_word)


def best_placing(
    rows: Rows,
    rack: str,
    words: Vocabulary,
    is_word: Callable[[str], bool],
    dice: Dice,
    merit: Callable[[Placing], int] = lambda placing: len(placing.new),
) -> Placing | None:
    """Choose the best of the first words found; None where there is none."""
    found: list[Placing] = []
    for placing in placings(rows, rack, words, is_word, dice):
        found.append(placing)
        if len(found) == _ENOUGH or len(placing.new) == len(rack):
            break
    return max(found, key=merit, default=None)


def _free_directions(rows: Rows, spot: Spot) -> Iterator[Direction]:
    """The lines in which a word may be built on a tile: the first one of its run stands for all."""
    directions: tuple[Direction, ...] = ("w", "s")
    for direction in directions:
        if sign_at(rows, spot.moved(direction, -1)) == BLANK:
            yield direction


def _candidates(part: str, rack: str, near: Sequence[str], dice: Dice) -> tuple[str, ...]:
    letters = [word for word in near if part in word and word != part]
    fits = [word for word in dice.shuffled(letters)[:_TRIED] if tiles_for(word.replace(part, "", 1), rack) is not None]
    return tuple(sorted(fits, key=len, reverse=True))


def _openings(rack: str, words: Vocabulary, is_word: Callable[[str], bool], dice: Dice) -> Iterator[Placing]:
    for word in words.from_rack(rack, dice):
        if is_word(word):
            yield from _placed(EMPTY, rack, word, CENTRE.moved("w", -dice.below(len(word))), "w", is_word)


def _fitting(rows: Rows, rack: str, word: str, run: Run, is_word: Callable[[str], bool]) -> Iterator[Placing]:
    at = word.find(run.word)
    while at >= 0:
        yield from _placed(rows, rack, word, run.start.moved(run.direction, -at), run.direction, is_word)
        at = word.find(run.word, at + 1)


def _placed(
    rows: Rows, rack: str, word: str, start: Spot, direction: Direction, is_word: Callable[[str], bool]
) -> Iterator[Placing]:
    """Lay a word if it can lie there: within the edge, with blank ends, on equal letters, every run a word."""
    spots = [start.moved(direction, step) for step in range(len(word))]
    if not (is_inside(rows, start) and is_inside(rows, spots[-1])):
        return
    if sign_at(rows, start.moved(direction, -1)) != BLANK or sign_at(rows, spots[-1].moved(direction)) != BLANK:
        return
    lies = [sign_at(rows, spot) for spot in spots]
    if any(sign not in (BLANK, letter, letter.lower()) for sign, letter in zip(lies, word, strict=True)):
        return
    new = tuple(spot for spot, sign in zip(spots, lies, strict=True) if sign == BLANK)
    tiles = tiles_for("".join(letter for letter, sign in zip(word, lies, strict=True) if sign == BLANK), rack)
    if not tiles or not all(_crosses_well(rows, spot, word[spots.index(spot)], direction, is_word) for spot in new):
        return
    if not is_word(word):
        return
    signs = {
        spot: on_board(word[spots.index(spot)], joker=tile in JOKERS) for spot, tile in zip(new, tiles, strict=True)
    }
    laid = lay(rows, signs)
    yield Placing(run=run_at(laid, start, direction), rows=laid, new=new, tiles=tiles)


def _crosses_well(rows: Rows, spot: Spot, letter: str, direction: Direction, is_word: Callable[[str], bool]) -> bool:
    """Return whether a new letter makes a word with what it touches at the sides."""
    side = across(direction)
    before, after = spot.moved(side, -1), spot.moved(side)
    head = run_at(rows, before, side).word if sign_at(rows, before) != BLANK else ""
    tail = run_at(rows, after, side).word if sign_at(rows, after) != BLANK else ""
    return not (head or tail) or is_word(head + letter + tail)
