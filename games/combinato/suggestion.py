"""A guess that agrees with all answers so far, for scripted players and tests."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from games.api import Seat
from games.combinato.hits import count
from games.combinato.reading import line_of
from games.combinato.state import State, other
from games.combinato.variant import Variant
from games.dice import Dice
from games.words import Words

_TRIED: Final = 300
"""Drawn words that are judged before we give up: only the GM's rulings can refuse one that is listed."""


def suggest_lines(variant: Variant, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Hide a drawn word; then guess one that can still be the secret."""
    pool = dice.shuffled(tuple(variant.candidates(state, words)))
    if not state.round:
        hidden = (word for word in pool if word not in state.returned)
        word = next((w for w in islice(hidden, _TRIED) if not variant.secret_problems(w, state, words)), "")
    else:
        rows = state.rows[seat - 1]
        agreeing = (word for word in pool if all(count(word, row.word) == (row.full, row.part) for row in rows))
        word = next(_legal(variant, state, seat, chain(agreeing, pool), words), "")
    return (line_of(state, word),) if word else ()


def _legal(variant: Variant, state: State, seat: Seat, pool: Iterable[str], words: Words) -> Iterator[str]:
    closed = {state.secrets[seat - 1], *(row.word for row in state.rows[other(seat) - 1])}
    open_words = (word for word in pool if word not in closed)
    return (word for word in islice(open_words, _TRIED) if not variant.guess_problems(word, words))
