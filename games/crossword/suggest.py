"""What could be laid: a sensible block for scripted players, and what a finished game held unclaimed."""

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, groupby, islice
from operator import or_
from typing import Final

from games.api import Seat, Section, Table, Text, say
from games.crossword.board import BLANK, LINES, SIZE, Line, Rows, all_along, cell_name, match, points, read_list
from games.crossword.rules import PROFILE, SEATS, Found, State, best_score, standings
from games.crossword.view import draw_capitals, line_name, marked_rows
from games.dice import Dice
from games.shared.phrases import counted, table_head
from games.words import Words

_LOOKED_AT: Final = 20_000
_KEPT: Final = 4_000
_TRIED_LINES: Final = 8
_TRIED_WORDS: Final = 30
_COMMON: Final = "ENIRSTAD"
FIRST_WISHES: Final = "ENRSTA"
"""Letters that the seats wish at first."""
_GRID_ROW: Final = re.compile(r"[A-Za-z.]{6}")


@dataclass(frozen=True, kw_only=True)
class _Target:
    """A word that may arise in a line: where, which letters can be laid now, which are still to come."""

    line: int
    start: int
    word: str
    laid: tuple[int, ...]
    missing: str

    @property
    def merit(self) -> tuple[int, int]:
        return (len(self.laid) - len(self.missing), len(self.word))


def suggest_lines(state: State, seat: int, dice: Dice, words: Words) -> tuple[str, ...]:
    """Place the letters of the round so that words can arise, wish one that is missing, list the words at last."""
    old = state.grids[seat - 1]
    pool = "\n".join(dice.shuffled(_pool(words.listed(PROFILE))))
    rows, missing = _place(old, state.wishes, pool, dice, state.is_last)
    lines = marked_rows(old, rows)
    if state.is_last:
        return (*lines, *_list_lines(rows, words))
    return (f"Neu: {_wish(missing, dice)}", *lines)


def _pool(listed: Iterable[str]) -> tuple[str, ...]:
    """Pick words of a useful length, from all over the list where that costs nothing."""
    if isinstance(listed, Sequence):
        listed = listed[:: len(listed) // _LOOKED_AT + 1]
    return tuple(islice((word for word in islice(listed, _LOOKED_AT) if 3 <= len(word) <= SIZE), _KEPT))


def _wish(missing: str, dice: Dice) -> str:
    return max(sorted(set(missing)), key=missing.count) if missing else dice.choice(_COMMON)


def _place(old: Rows, letters: Sequence[str], pool: str, dice: Dice, is_last: bool) -> tuple[Rows, str]:
    rows, free, missing = old, Counter(letters), ""
    for number in dice.shuffled(range(2 * SIZE))[:_TRIED_LINES]:
        target = _target(number, all_along(rows)[number], free, pool, dice, is_last)
        if target:
            rows = _lay(rows, target)
            free -= Counter(target.word[at] for at in target.laid)
            missing += target.missing
    return _scatter(rows, sorted(free.elements()), dice), missing


def _target(number: int, text: str, free: Counter[str], pool: str, dice: Dice, is_last: bool) -> _Target | None:
    """Find the word that the letters help most in one window of each length, read in a drawn direction."""
    best: _Target | None = None
    for length in range(SIZE, 2, -1):
        start = dice.below(SIZE - length + 1)
        window = text[start : start + length]
        backwards = bool(dice.below(2))
        pattern = (window[::-1] if backwards else window).replace(BLANK, "[A-Z]")
        if BLANK in window and free:
            for found in islice(re.finditer(rf"^{pattern}$", pool, re.MULTILINE), _TRIED_WORDS):
                word = found[0][::-1] if backwards else found[0]
                target = _weigh(number, start, word, window, free)
                if target.laid and not (is_last and target.missing) and (not best or target.merit > best.merit):
                    best = target
    return best


def _weigh(number: int, start: int, word: str, window: str, free: Counter[str]) -> _Target:
    left = Counter(free)
    laid: list[int] = []
    missing = ""
    for at, (new, lies) in enumerate(zip(word, window, strict=True)):
        if lies == BLANK and left[new] > 0:
            left[new] -= 1
            laid.append(at)
        elif lies == BLANK:
            missing += new
    return _Target(line=number, start=start, word=word, laid=tuple(laid), missing=missing)


def _lay(rows: Rows, target: _Target) -> Rows:
    cells = {LINES[target.line].cells[target.start + at]: target.word[at] for at in target.laid}
    return _with(rows, cells)


def _with(rows: Rows, cells: dict[tuple[int, int], str]) -> Rows:
    return tuple("".join(cells.get((r, c), rows[r][c]) for c in range(SIZE)) for r in range(SIZE))


def _scatter(rows: Rows, letters: Sequence[str], dice: Dice) -> Rows:
    """Put the letters that helped no word anywhere: perhaps they will help one later."""
    blank = [(r, c) for r in range(SIZE) for c in range(SIZE) if rows[r][c] == BLANK]
    return _with(rows, dict(zip(dice.shuffled(blank), letters, strict=False)))


def _list_lines(rows: Rows, words: Words) -> tuple[str, ...]:
    best = best_score(rows, lambda word: words.check(word, PROFILE).status == "accepted")
    lines = tuple(_list_line(tuple(found)) for _, found in groupby(best, key=lambda word: word.line))
    return (*lines, f"Summe {sum(found.points for found in best)}") if lines else ()


def _list_line(found: tuple[Found, ...]) -> str:
    return f"{'+'.join(word.word.lower() for word in found)} {sum(word.points for word in found)}"


STEPS: Final = 6_000
"""Swaps tried in the search for a better grid: they take less than a second."""
_AT_ONE_HEAT: Final = 50
_HOT: Final = 1.1
_COLD: Final = 0.35
_CELLS: Final = SIZE * SIZE
_MOST: Final = 140
"""Fourteen lines of ten points."""
_ALL: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Arranged:
    """A grid row by row, and what its lines are worth."""

    points: int
    cells: str

    @property
    def rows(self) -> Rows:
        """The grid as others write it."""
        return tuple(self.cells[start : start + SIZE] for start in range(0, _CELLS, SIZE))


@dataclass(frozen=True, kw_only=True)
class _Swap:
    """Two cells, and the lines through one or both of them."""

    first: int
    second: int
    lines: tuple[int, ...]
    slices: tuple[slice, ...]

    def done(self, cells: str) -> str:
        """Swap what lies in the two cells."""
        one, other = cells[self.first], cells[self.second]
        return f"{cells[: self.first]}{other}{cells[self.first + 1 : self.second]}{one}{cells[self.second + 1 :]}"


def _numbers(line: Line) -> tuple[int, ...]:
    return tuple(row * SIZE + column for row, column in line.cells)


def _slice(line: Line) -> slice:
    """Find a line in a grid that is written as one string."""
    start, second, *_, last = _numbers(line)
    step = second - start
    return slice(start, last + (1 if step > 0 else -1), step)


_SLICES: Final = tuple(_slice(line) for line in LINES)
_THROUGH: Final = tuple(
    frozenset(number for number, line in enumerate(LINES) if cell in _numbers(line)) for cell in range(_CELLS)
)


def _swap(first: int, second: int) -> _Swap:
    lines = tuple(sorted(_THROUGH[first] | _THROUGH[second]))
    return _Swap(first=first, second=second, lines=lines, slices=tuple(_SLICES[number] for number in lines))


_SWAPS: Final = tuple(_swap(first, second) for first, second in combinations(range(_CELLS), 2))


def rearranged(letters: str, worth: Callable[[str], int], dice: Dice) -> Arranged:
    """Look for a grid of these letters whose lines are worth most: cells are swapped at random (simulated annealing).

    Swaps that lose points are taken less and less often. `worth` values a line; it is asked often and should be cached.
    With fewer than 36 letters some cells stay blank.
    """
    cells = "".join(dice.shuffled(letters.ljust(_CELLS, BLANK)))
    worths = [worth(cells[line]) for line in _SLICES]
    best = Arranged(points=sum(worths), cells=cells)
    for done in range(STEPS):
        if done % _AT_ONE_HEAT == 0:
            odds = _odds(_HOT * (_COLD / _HOT) ** (done / STEPS))
        swap = dice.choice(_SWAPS)
        after = swap.done(cells)
        changed = [worth(after[line]) for line in swap.slices]
        gain = sum(changed) - sum(worths[number] for number in swap.lines)
        if gain >= 0 or dice.below(_ALL) < odds[-gain]:
            cells = after
            for number, points in zip(swap.lines, changed, strict=True):
                worths[number] = points
            if gain > 0 and sum(worths) > best.points:
                best = Arranged(points=sum(worths), cells=cells)
    return best


def _odds(heat: float) -> tuple[int, ...]:
    """Return for each loss of points how often it is accepted, out of `_ALL`."""
    return tuple(int(_ALL * math.exp(-loss / heat)) for loss in range(_MOST + 1))


_SHOWN: Final = 4
"""Words of fewer letters are only counted."""
_PIECES: Final = 1 << 16
_TEXTS: Final = 1 << 15
_LEFTWARDS: Final = "<"


def look_back(state: State, words: Words, dice: Dice) -> tuple[Section, ...]:
    """Show the words left in each grid, in the order of the ranking, then a better grid of all letters."""
    if not state.results:
        return ()
    counts, letters = _judge(words), letters_of(state)
    grids = tuple(_left_in_grid(state, standing.seat, counts) for standing in standings(state))
    found = rearranged(letters, _worth(counts), dice)
    return (*grids, _laid_anew(found, len(letters), counts)) if found.points else grids


def _judge(words: Words) -> Callable[[str], bool]:
    """Return a function that accepts words to propose. Slurs count when laid, but are never listed nor proposed."""
    proposed = _proposed(words)
    return lambda word: words.check(word, PROFILE).status == "accepted" and word in proposed


def _proposed(words: Words) -> Container[str]:
    listed = words.listed(PROFILE)
    # A lexicon's own sequence finds words without writing out all of them, which would take longer than a step may.
    return listed if isinstance(listed, Container) and not isinstance(listed, list | tuple) else frozenset(listed)


# --- The grids as they stand ---


def unclaimed(state: State, seat: Seat, counts: Callable[[str], bool]) -> tuple[Found, ...]:
    """Find the words that lie in a grid and that its player didn't name for their line, the most valuable first."""
    rows = state.grids[seat - 1]
    entries = match(read_list(state.lists[seat - 1]).entries, rows).lines
    found: list[Found] = []
    for number, text in enumerate(all_along(rows)):
        entry = entries.get(number)
        named = {*entry.words, *entry.surplus, entry.substitute} if entry else set[str]()
        found += (one for one in _words_in(text, number, counts) if one.word not in named)
    return tuple(sorted(found, key=lambda one: (-one.points, one.line)))


def _words_in(text: str, line: int, counts: Callable[[str], bool]) -> list[Found]:
    """Find all words of a line, each once."""
    found: dict[str, Found] = {}
    for start in range(SIZE - 1):
        for end in range(start + 2, SIZE + 1):
            piece = text[start:end]
            for word in () if BLANK in piece else (piece, piece[::-1]):
                if word not in found and counts(word):
                    found[word] = Found(line=line, word=word, backwards=word != piece, points=points(word))
    return list(found.values())


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
    best = max(sum(found.points for found in result.best), result.points)
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
    rows, new = state.grids[seat - 1], state.new[seat - 1]
    cells = ((rows[r][c], cell_name(r, c)) for r in range(SIZE) for c in range(SIZE))
    return Counter(sign for sign, name in cells if sign != BLANK and name not in new)


def _worth(counts: Callable[[str], bool]) -> Callable[[str], int]:
    """Return a function that values a line: the best of all ways to split it into words. It caches recent answers."""

    @lru_cache(maxsize=_PIECES)
    def one(piece: str) -> int:
        return points(piece) if BLANK not in piece and (counts(piece) or counts(piece[::-1])) else 0

    @lru_cache(maxsize=_TEXTS)
    def line(text: str) -> int:
        most = [0] * (SIZE + 1)
        for end in range(2, SIZE + 1):
            most[end] = max(most[end - 1], *[most[start] + one(text[start:end]) for start in range(end - 1)])
        return most[SIZE]

    return line


def _laid_anew(found: Arranged, letters: int, counts: Callable[[str], bool]) -> Section:
    best = best_score(found.rows, counts)
    lines = [tuple(word for word in best if word.line == number) for number in range(len(LINES))]
    return Section(
        title=say("LAID_ANEW", number=letters),
        lines=(say("AT_LEAST", points=counted(found.points)),),
        grids=(draw_capitals(found.rows),),
        table=_table([line for line in lines if line]),
        notes=(say("LEFTWARDS"), say("BEAT_IT")),
    )


def _table(lines: list[tuple[Found, ...]]) -> Table:
    rows = tuple((line_name(line[0].line), _marked(line), sum(word.points for word in line)) for line in lines)
    return Table(head=table_head("LINE", "WORDS", "WORTH"), rows=rows, fold=2)


def _marked(line: tuple[Found, ...]) -> str:
    return " ".join(found.word + _LEFTWARDS * found.backwards for found in line)
