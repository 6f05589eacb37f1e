"""Finds words that a rack can lay, alone or on an open board. For suggestions and tests, never for judging.

A `Vocabulary` holds the words of a list that are short enough to be laid often.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Final

from games.dice import Dice
from games.shared.plane import (
    BLANK,
    CENTRE,
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
from games.shared.tiles import BLACK_JOKER, JOKERS, LETTERS, RED_JOKER, VOWELS, joker_for, on_board

_LONGEST: Final = 8
_EXACT: Final = 20_000
"""Up to so many words, lists are compared word by word."""
_LACKING: Final = 2
"""How many letters a word may take from its line, beside those of the rack."""

_WIDTH: Final = 5
UNIT: Final = {letter: 1 << (_WIDTH * number) for number, letter in enumerate(LETTERS)}
"""A letter as `packed` counts it."""
_TOP: Final = {letter: unit << (_WIDTH - 1) for letter, unit in UNIT.items()}
_GUARD: Final = sum(_TOP.values())


def packed(letters: Iterable[str]) -> int:
    """Pack counts of letters into one number (up to 15 of each), so that comparing them is one subtraction."""
    return sum(UNIT[letter] for letter in letters)


def holds(stock: int, need: int) -> bool:
    """Return whether a stock has enough of every letter that is needed."""
    return ((stock | _GUARD) - need) & _GUARD == _GUARD


def _tops(letters: Iterable[str]) -> int:
    """Write a set of letters as a number."""
    return sum(_TOP[letter] for letter in {*letters})


@dataclass(frozen=True, kw_only=True)
class Placing:
    """A word that can be laid: its run on the board with it, and what is new."""

    run: Run
    rows: Rows
    """The board with the word on it."""
    new: tuple[Spot, ...]


class Vocabulary:
    """Words of a list, indexed by their letters."""

    def __init__(self, listed: Iterable[str]) -> None:
        self.words: tuple[str, ...] = tuple(sorted({word for word in listed if 2 <= len(word) <= _LONGEST}))
        self._by_letters: dict[int, list[tuple[int, str]]] = {}
        for word in self.words:
            self._by_letters.setdefault(_mask(word), []).append((packed(word), word))
        self._text = "\n".join(self.words)

    def containing(self, part: str) -> Iterator[str]:
        """Yield the words that hold these letters next to each other, in alphabetical order."""
        at = self._text.find(part)
        while at >= 0:
            start, end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            end = len(self._text) if end < 0 else end
            yield self._text[start:end]
            at = self._text.find(part, end)

    def of(self, letters: str) -> list[str]:
        """Return the words that these letters spell, each letter once."""
        return self.lacking(letters, 0).get(0, [])

    def lacking(self, letters: str, most: int) -> Mapping[int, list[str]]:
        """Return the words that lack at most so many different letters, by the set of these letters."""
        foreign, guarded, found = ~_mask(letters), packed(letters) | _GUARD, dict[int, list[str]]()
        near = (words for mask, words in self._by_letters.items() if (mask & foreign).bit_count() <= most)
        for words in near:
            for need, word in words:
                lacks = ~(guarded - need) & _GUARD
                if lacks.bit_count() <= most:
                    found.setdefault(lacks, []).append(word)
        return found

    def from_rack(self, rack: str) -> list[str]:
        """Return the words that a rack spells, jokers included."""
        plain = rack.translate(_NO_JOKERS)
        if plain == rack:
            return self.of(rack)
        near = self.lacking(plain, len(rack) - len(plain))
        return [word for words in near.values() for word in words if signs_for(word, rack) is not None]


_BITS: Final = {letter: 1 << number for number, letter in enumerate(LETTERS)}


def _mask(letters: str) -> int:
    mask = 0
    for letter in letters:
        mask |= _BITS[letter]
    return mask


_NO_JOKERS: Final = str.maketrans("", "", JOKERS)


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


def signs_for(letters: str, rack: str) -> str | None:
    """Spell letters with tiles of a rack, real ones before jokers, as they lie on a board. None where they lack."""
    left, signs = Counter(rack), ""
    for letter in letters:
        tile = letter if left[letter] > 0 else joker_for(letter)
        if left[tile] <= 0:
            return None
        left[tile] -= 1
        signs += on_board(letter, joker=tile in JOKERS)
    return signs


def best_placing(
    rows: Rows,
    rack: str,
    words: Vocabulary,
    is_word: Callable[[str], bool],
    dice: Dice,
    merit: Callable[[Placing], int] = lambda placing: len(placing.new),
    most: Callable[[str, str], int] = lambda word, part: len(word) - len(part),
) -> Placing | None:
    """Find the legal word that is best for a rack on an open board, one of several at random; None if there is none.

    It shares a cell with a tile on the board; on an empty one it covers the centre. `is_word` judges every run that it
    makes. `most` says how much a word could be worth at best, on a part of it that lies.
    """
    best, search = None, _Search(rows, rack, words, is_word, dice, most)
    for placing in _placings(search) if rack else ():
        if (worth := merit(placing)) > search.reached:
            best, search.reached = placing, worth
    return best


@dataclass
class _Search:
    """What may lie where, and which words a rack can lay: worked out once for the whole board."""

    rows: Rows
    rack: str
    words: Vocabulary
    is_word: Callable[[str], bool]
    dice: Dice
    most: Callable[[str, str], int]
    reached: int = 0
    """What the best word found so far is worth."""
    letters: str = ""
    """Those that the rack may lay."""
    near: Mapping[int, list[str]] = field(default_factory=dict)
    fitting: dict[tuple[str, int], list[tuple[int, str]]] = field(default_factory=dict)
    cells: dict[tuple[Spot, Direction], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        plain = self.rack.translate(_NO_JOKERS)
        self.letters = "".join(sorted({*plain})) if plain == self.rack else LETTERS
        self.near = self.words.lacking(plain, _LACKING + len(self.rack) - len(plain))

    def ordered(self, words: Sequence[str], part: str = "") -> list[tuple[int, str]]:
        """Sort words by what they may be worth, the most first; which of equals comes first is drawn."""
        cut = self.dice.below(len(words))
        found = [(self.most(word, part), word) for word in (*words[cut:], *words[:cut])]
        return sorted(found, key=itemgetter(0), reverse=True)

    def words_with(self, part: str, line: int) -> list[tuple[int, str]]:
        """Return the words with a part that rack, part and the other letters of its line may spell, ordered."""
        if (part, line) not in self.fitting:
            found = self._grown(part) if len(part) > 1 else self._crossing(part, line)
            self.fitting[part, line] = self.ordered(found, part)
        return self.fitting[part, line]

    def _grown(self, part: str) -> list[str]:
        longer = (word for word in self.words.containing(part) if word != part)
        return [word for word in longer if signs_for(word.replace(part, "", 1), self.rack) is not None]

    def _crossing(self, letter: str, line: int) -> list[str]:
        jokers = self.rack.count(RED_JOKER), self.rack.count(BLACK_JOKER)
        reached = [words for lacks, words in self.near.items() if _is_covered(lacks & ~line, *jokers)]
        return [word for words in reached for word in words if letter in word]

    def allowed(self, spot: Spot, direction: Direction) -> str:
        """Return the letters that a word in this direction may have in a cell; nothing beyond the edge."""
        if (spot, direction) not in self.cells:
            self.cells[spot, direction] = self._allowed(spot, direction)
        return self.cells[spot, direction]

    def _allowed(self, spot: Spot, direction: Direction) -> str:
        if not is_inside(self.rows, spot):
            return ""
        if (sign := sign_at(self.rows, spot)) != BLANK:
            return sign.upper()
        side = across(direction)
        before, after = spot.moved(side, -1), spot.moved(side)
        head = run_at(self.rows, before, side).word if sign_at(self.rows, before) != BLANK else ""
        tail = run_at(self.rows, after, side).word if sign_at(self.rows, after) != BLANK else ""
        if not (head or tail):
            return self.letters
        return "".join(letter for letter in self.letters if self.is_word(head + letter + tail))


def _is_covered(lacking: int, red: int, black: int) -> bool:
    """Return whether jokers stand for all letters that lack."""
    vowels = (lacking & _RED).bit_count()
    return vowels <= red and lacking.bit_count() - vowels <= black


_RED: Final = _tops(VOWELS)


def _placings(search: _Search) -> Iterator[Placing]:
    """Yield the ways to lay words that may be worth more than what is reached; on an empty board one for each."""
    if not occupied(search.rows):
        for worth, word in search.ordered(search.words.from_rack(search.rack)):
            if worth <= search.reached:
                return
            yield from _placed(search, word, CENTRE.moved("w", -search.dice.below(len(word))), "w")
        return
    rows = search.rows
    anchors = [(spot, direction) for spot in occupied(rows) for direction in _free_directions(rows, spot)]
    for spot, direction in search.dice.shuffled(anchors):
        run = run_at(rows, spot, direction)
        for worth, word in search.words_with(run.word, _line(rows, spot, direction)):
            if worth <= search.reached:
                break
            for start in _starts(search, word, run):
                yield from _placed(search, word, start, direction)


def _line(rows: Rows, spot: Spot, direction: Direction) -> int:
    """Return the letters that lie in a line, as a set."""
    signs = rows[spot.row] if direction == "w" else "".join(row[spot.column] for row in rows)
    return _tops(signs.replace(BLANK, "").upper())


def _free_directions(rows: Rows, spot: Spot) -> Iterator[Direction]:
    """The lines in which a word may be built on a tile: the first one of its run stands for all."""
    directions: tuple[Direction, ...] = ("w", "s")
    for direction in directions:
        if sign_at(rows, spot.moved(direction, -1)) == BLANK:
            yield direction


def _starts(search: _Search, word: str, run: Run) -> Iterator[Spot]:
    """Find where a word may begin so that it covers a run and has no letter that can't be where it would be."""
    at = word.find(run.word)
    while at >= 0:
        start = run.start.moved(run.direction, -at)
        around = (*range(at), *range(at + len(run.word), len(word)))
        if all(word[n] in search.allowed(start.moved(run.direction, n), run.direction) for n in around):
            yield start
        at = word.find(run.word, at + 1)


def _placed(search: _Search, word: str, start: Spot, direction: Direction) -> Iterator[Placing]:
    """Lay a word whose letters may be there, if its ends are blank, the rack has the tiles and it is a word."""
    rows, spots = search.rows, [start.moved(direction, step) for step in range(len(word))]
    if sign_at(rows, start.moved(direction, -1)) != BLANK or sign_at(rows, spots[-1].moved(direction)) != BLANK:
        return
    new = {spot: letter for spot, letter in zip(spots, word, strict=True) if sign_at(rows, spot) == BLANK}
    signs = signs_for("".join(new.values()), search.rack)
    if signs and search.is_word(word):
        laid = lay(rows, dict(zip(new, signs, strict=True)))
        yield Placing(run=run_at(laid, start, direction), rows=laid, new=tuple(new))
