"""A legal, sensible block for scripted players and tests. It looks at a bounded part of the words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final

from games.crossword.board import BLANK, LINES, SIZE, Rows, all_along
from games.crossword.picture import marked_rows
from games.crossword.scoring import best_score
from games.crossword.state import PROFILE, Found, State
from games.dice import Dice
from games.words import Words

_LOOKED_AT: Final = 20_000
_KEPT: Final = 4_000
_TRIED_LINES: Final = 8
_TRIED_WORDS: Final = 30
_COMMON: Final = "ENIRSTAD"


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
