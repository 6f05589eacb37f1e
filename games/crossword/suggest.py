"""What could be laid: a sensible block for scripted players, and what a finished game held unclaimed."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations, groupby
from operator import or_
from typing import Final

from games.api import Seat, Section, Table, Text, say
from games.crossword.board import BLANK, CELLS, LINES, SIZE, all_along, points, rows_of
from games.crossword.rules import (
    PROFILE,
    SEATS,
    LineWord,
    Move,
    State,
    best_parts,
    best_score,
    line_word,
    standings,
    worth_of,
)
from games.crossword.view import block_lines, draw, line_name
from games.crossword.wordlist import match, read_list
from games.dice import Dice
from games.shared.patterns import ORDINARY, patterns
from games.shared.phrases import counted, table_head
from games.shared.wordfinder import KnownList, known_list
from games.words import Words

FIRST_WISHES: Final = "ENRSTA"
"""Letters that the seats wish at first."""

_POINT: Final = 12
"""Hopes are counted in parts of a point."""
_HOPES: Final = (1.0, 0.5, 0.22)
"""Which part of its points a word is worth while it lacks so many letters, if many words fit."""
_FEW: Final = 1
"""If so many fit, half of that."""
_SHORTEST_HOPE: Final = 3
_TRIES: Final = 250
"""Swaps tried in the search for a good place for each letter."""
_GOOD: Final = 5
"""Cells for which a letter is wished."""


def suggest_lines(state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Lay the letters of the round where words are or can be, wish one that helps, list the words at last."""
    worth = _hopes(known_list(words.listed(PROFILE)), state.is_last)
    cells = _filled("".join(state.grids[seat - 1]), state.wishes, worth, dice)
    if state.is_last:
        move = Move(grid=rows_of(cells), words=_list_lines(cells, words))
    else:
        move = Move(grid=rows_of(cells), wish=_wish(cells, ORDINARY[(state.round + seat) % 2 :: 2], worth))
    return block_lines(state, seat, move)


@lru_cache(maxsize=4)
def _hopes(known: KnownList, is_last: bool) -> Callable[[str], int]:
    """Return a function that values a line for what it is and, but in the last round, for what it may become."""
    index = patterns(known.words, SIZE)

    def hope(piece: str) -> int:
        lacking = piece.count(BLANK)
        if lacking and (is_last or lacking >= len(_HOPES) or len(piece) < _SHORTEST_HOPE):
            return 0
        fits = max(index.number(piece), index.number(piece[::-1]))
        return int(_POINT * points(piece) * _HOPES[lacking] * (fits / (fits + _FEW) if lacking else fits > 0))

    return best_of_line(hope)


def _filled(cells: str, letters: Sequence[str], worth: Callable[[str], int], dice: Dice) -> str:
    """Put letters into blank cells, the best found within bounded work."""
    free = tuple(at for at, sign in enumerate(cells) if sign == BLANK)
    filled = dict(zip(dice.shuffled(free), letters, strict=False))
    cells = "".join(filled.get(at, sign) for at, sign in enumerate(cells))
    return _improved(cells, tuple(combinations(free, 2)), worth, _TRIES, _POINT, dice)


def _wish(cells: str, letters: str, worth: Callable[[str], int]) -> str:
    """Choose the letter that would help most in one of the cells with the best prospects."""

    def value(cells: str, cell: int) -> int:
        return sum(worth(cells[line]) for line in _through(cell))

    def gain(letter: str) -> int:
        after = ((f"{cells[:cell]}{letter}{cells[cell + 1 :]}", cell) for cell in good)
        return max((value(laid, cell) - value(cells, cell) for laid, cell in after), default=0)

    free = (at for at, sign in enumerate(cells) if sign == BLANK)
    good = sorted(free, key=lambda cell: value(cells, cell), reverse=True)[:_GOOD]
    return max(letters, key=gain)


def _list_lines(cells: str, words: Words) -> tuple[str, ...]:
    best = best_score(rows_of(cells), _judge(words))
    lines = tuple(_list_line(tuple(of_line)) for _, of_line in groupby(best, key=lambda word: word.line))
    return (*lines, f"Summe {sum(word.points for word in best)}") if lines else ()


def _list_line(words: tuple[LineWord, ...]) -> str:
    return f"{'+'.join(word.word.lower() for word in words)} {sum(word.points for word in words)}"


STEPS: Final = 6_000
"""Swaps tried in the search for a better grid: they take less than a second."""
_AT_ONE_HEAT: Final = 50
_HOT: Final = 1.1
_COLD: Final = 0.35
_CHANCE: Final = 1 << 20
_ALL_CELLS: Final = range(SIZE * SIZE)


def rearranged(letters: str, worth: Callable[[str], int], dice: Dice) -> str:
    """Look for a grid of these letters whose lines are worth most: cells are swapped at random (simulated annealing).

    Swaps that lose points are taken less and less often. `worth` values a line; it is asked often and should be cached.
    With fewer than 36 letters some cells stay blank. Returns the cells, row by row.
    """
    cells = "".join(dice.shuffled(letters.ljust(len(_ALL_CELLS), BLANK)))
    return _improved(cells, tuple(combinations(_ALL_CELLS, 2)), worth, STEPS, 1, dice)


def _improved(
    cells: str, swaps: Sequence[tuple[int, int]], worth: Callable[[str], int], steps: int, point: int, dice: Dice
) -> str:
    """Try so many swaps of two cells, and return the best grid on the way; `worth` has so much for a point."""
    best, most = cells, sum(worth(cells[line]) for line in LINES)
    value = most
    for done in range(steps if swaps else 0):
        if done % _AT_ONE_HEAT == 0:
            heat = point * _HOT * (_COLD / _HOT) ** (done / steps)
        first, second = dice.choice(swaps)
        if cells[first] == cells[second]:
            continue
        after = f"{cells[:first]}{cells[second]}{cells[first + 1 : second]}{cells[first]}{cells[second + 1 :]}"
        gain = sum(worth(after[line]) - worth(cells[line]) for line in _through(first, second))
        if gain >= 0 or dice.below(_CHANCE) < int(_CHANCE * math.exp(gain / heat)):
            cells, value = after, value + gain
            if value > most:
                best, most = cells, value
    return best


@cache
def _through(*cells: int) -> list[slice]:
    """Return the lines through one of these cells."""
    return [line for line in LINES if not {*cells}.isdisjoint(_ALL_CELLS[line])]


_SHOWN: Final = 4
"""Words of fewer letters are only counted."""
_PIECES: Final = 1 << 16
_TEXTS: Final = 1 << 15


def look_back(state: State, words: Words, dice: Dice) -> tuple[Section, ...]:
    """Show the words left in each grid, in the order of the ranking, then a better grid of all letters."""
    if not state.results:
        return ()
    counts, letters = _judge(words), letters_of(state)
    grids = tuple(_left_in_grid(state, standing.seat, counts) for standing in standings(state))
    cells = rearranged(letters, best_of_line(worth_of(counts)), dice)
    best = best_score(rows_of(cells), counts)
    return (*grids, _laid_anew(cells, len(letters), best)) if best else grids


def _judge(words: Words) -> Callable[[str], bool]:
    """Return a function that accepts words to propose. Slurs count when laid, but are never listed nor proposed."""
    listed = known_list(words.listed(PROFILE)).words
    return lambda word: words.check(word, PROFILE).status == "accepted" and word in listed


def best_of_line(worth: Callable[[str], int]) -> Callable[[str], int]:
    """Return a function that values a line by the best way to part it into words. It caches recent answers."""
    one = lru_cache(maxsize=_PIECES)(worth)
    return lru_cache(maxsize=_TEXTS)(lambda text: sum(map(one, best_parts(text, one))))


# --- The grids as they stand ---


def unclaimed(state: State, seat: Seat, counts: Callable[[str], bool]) -> tuple[LineWord, ...]:
    """Find the words that lie in a grid and that its player didn't name for their line, the most valuable first."""
    rows = state.grids[seat - 1]
    entries = match(read_list(state.lists[seat - 1]).entries, rows).lines
    left: list[LineWord] = []
    for line, text in enumerate(all_along(rows)):
        entry = entries.get(line)
        named = {*entry.words, *entry.surplus, entry.substitute} if entry else set[str]()
        left += (word for word in _words_in(line, text, counts) if word.word not in named)
    return tuple(sorted(left, key=lambda word: (-word.points, word.line)))


def _words_in(line: int, text: str, counts: Callable[[str], bool]) -> list[LineWord]:
    """Find all words of a line, each once."""
    pieces = (text[start:end] for start, end in combinations(range(SIZE + 1), 2) if end - start > 1)
    both = (line_word(line, piece, backwards) for piece in pieces if BLANK not in piece for backwards in (False, True))
    words: dict[str, LineWord] = {}
    for word in both:
        if word.word not in words and counts(word.word):
            words[word.word] = word
    return list(words.values())


def _left_in_grid(state: State, seat: Seat, counts: Callable[[str], bool]) -> Section:
    left = unclaimed(state, seat, counts)
    shown = [word for word in left if len(word.word) >= _SHOWN]
    return Section(
        title=say("LEFT_IN_GRID", seat=seat),
        lines=(_possible(state, seat), *(() if left else (say("ALL_CLAIMED"),))),
        table=_table([(word,) for word in shown]) if shown else None,
        notes=_rest(len(left) - len(shown)),
    )


def _possible(state: State, seat: Seat) -> Text:
    """Compare what was counted with the best score that the grid allows as it stands."""
    result = state.results[seat - 1]
    best = max(sum(word.points for word in result.best), result.points)
    if best == result.points:
        return say("MOST_REACHED", points=counted(best))
    return say("MOST_POSSIBLE", best=counted(best), points=counted(result.points))


def _rest(number: int) -> tuple[Text, ...]:
    if not number:
        return ()
    return (say("SHORT_WORD"),) if number == 1 else (say("SHORT_WORDS", number=number),)


# --- All letters of the game ---


def letters_of(state: State) -> str:
    """Return the published letters, as far as the final position shows them.

    These are the letters of the last round, and of earlier rounds those that somebody placed. One is missing only if no
    player placed as many of it as there were.
    """
    before = reduce(or_, (_placed_before(state, seat) for seat in SEATS))
    return "".join(sorted((before + Counter(state.wishes)).elements()))


def _placed_before(state: State, seat: Seat) -> Counter[str]:
    """Count what lay in a grid before the last round."""
    cells = zip(CELLS, "".join(state.grids[seat - 1]), strict=True)
    return Counter(sign for cell, sign in cells if sign != BLANK and cell not in state.new[seat - 1])


def _laid_anew(cells: str, letters: int, best: Sequence[LineWord]) -> Section:
    lines = [tuple(words) for _, words in groupby(best, key=lambda word: word.line)]
    return Section(
        title=say("LAID_ANEW", number=letters),
        lines=(say("AT_LEAST", points=counted(sum(word.points for word in best))),),
        grids=(draw(rows_of(cells), capitals=True),),
        table=_table(lines),
        notes=(say("LEFTWARDS"), say("BEAT_IT")),
    )


def _table(lines: Sequence[tuple[LineWord, ...]]) -> Table:
    rows = tuple((line_name(line[0].line), _marked(line), sum(word.points for word in line)) for line in lines)
    return Table(head=table_head("LINE", "WORDS", "WORTH"), rows=rows, fold=2)


def _marked(line: tuple[LineWord, ...]) -> str:
    return " ".join(word.word + "<" * word.backwards for word in line)
