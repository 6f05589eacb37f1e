"""Was war drin? What the grids of a finished game held unclaimed, and what its letters would have allowed."""

from collections import Counter
from collections.abc import Callable, Container, Iterator
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from games.api import Seat, Section, Table, Text, say
from games.crossword.board import BLANK, LINES, SIZE, all_along, cell_name, points
from games.crossword.picture import counted, draw_capitals, line_name
from games.crossword.rearranging import Arranged, rearranged
from games.crossword.scoring import best_score, standings
from games.crossword.state import PROFILE, SEATS, Found, State
from games.crossword.wordlist import match, read_list
from games.dice import Dice
from games.words import Words

_SHOWN: Final = 4
"""Words of fewer letters are only counted."""
_PIECES: Final = 1 << 16
_TEXTS: Final = 1 << 15
_LEFTWARDS: Final = "<"


def look_back(state: State, words: Words, dice: Dice) -> Iterator[tuple[Section, ...]]:
    """Give the grids in the order of the ranking at once, then better and better grids of all letters."""
    if not state.results:
        return
    counts = _judge(words)
    shown: tuple[Section, ...] = ()
    for standing in standings(state):
        shown = (*shown, _left_in_grid(state, standing.seat, counts))
        yield shown
    best: Arranged | None = None
    letters, sections = letters_of(state), shown
    for found in rearranged(letters, _worth(counts), dice):
        if found.points and found != best:
            best, sections = found, (*shown, _laid_anew(found, len(letters), counts))
        yield sections


def _judge(words: Words) -> Callable[[str], bool]:
    """Say which words count. Slurs count when a player lays them, but are never proposed: they aren't listed."""
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
    """Give the letters that were published, as far as the end still tells: those of the last round, and of the rounds
    before what somebody has placed. A letter is lacking only where nobody placed as many of it as there were.
    """
    before = reduce(or_, (_placed_before(state, seat) for seat in SEATS))
    return "".join(sorted((before + Counter(state.wishes)).elements()))


def _placed_before(state: State, seat: Seat) -> Counter[str]:
    """Count what lay in a grid before the last round."""
    rows, new = state.grids[seat - 1], state.new[seat - 1]
    cells = ((rows[r][c], cell_name(r, c)) for r in range(SIZE) for c in range(SIZE))
    return Counter(sign for sign, name in cells if sign != BLANK and name not in new)


def _worth(counts: Callable[[str], bool]) -> Callable[[str], int]:
    """Say what a line is worth: the best of all ways to part it into words. What was asked lately is remembered."""

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
    return Table(head=(say("HEAD_LINE"), say("HEAD_WORDS"), say("HEAD_WORTH")), rows=rows, fold=2)


def _marked(line: tuple[Found, ...]) -> str:
    return " ".join(found.word + _LEFTWARDS * found.backwards for found in line)
