"""A legal, sensible turn for scripted players and tests. It looks at a limited number of words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from games.dice import Dice
from games.shared.plane import run_at
from games.shared.tiles import BLACK_JOKER, JOKERS, RED_JOKER, VOWELS, Colour, joker_for
from games.shared.wordfinder import Vocabulary, signs_for, vocabulary
from games.wer_behaelt_recht.moves import judge_of
from games.wer_behaelt_recht.rules import Judge, Laying, Move, Side, State, crossing_cells, missing
from games.wer_behaelt_recht.trial import Trial, try_move
from games.words import Words

_SIDES: Final[tuple[Side, ...]] = ("front", "back")
_WORDS: Final = 40
"""How many words are looked at for each pair of tile and side."""
_PLACES: Final = 24
_TILES: Final = 6
"""How many cells to cross, and how many tiles at each, are looked at."""


def suggest_move(state: State, dice: Dice, words: Words) -> Move:
    """Announce a word that the seat could finish by itself; else lay in the sense of the open one, buy, or pass."""
    judge = judge_of(state, words)
    index = vocabulary(words.listed(state.profile))
    best = _best(state, _announcements(state, index, dice), judge)
    laying = best or _in_sense(state, judge)
    return _with_premium(state, laying, judge) if laying else _without_tile(state)


def _with_premium(state: State, laying: Laying, judge: Judge) -> Move:
    """Add the premium tile where one is allowed and at hand."""
    trial = try_move(state, Move(laying=laying), judge)
    for tile in trial.table.rack if trial.may_more and trial.open else "":
        for side in _SIDES:
            more = Move(laying=laying, premium=_laying(tile, tile, side))
            if tile not in JOKERS and not try_move(state, more, judge).problems:
                return more
    return Move(laying=laying)


def _without_tile(state: State) -> Move:
    if not state.bought and state.bag:
        return Move(wishes=(_wish(state.rack(state.on_turn)),))
    return Move(passes=True)


def _wish(rack: str) -> Colour:
    """Wish the colour that the rack has less of than words need; red ones are dear at the end."""
    return "red" if 3 * sum(tile in VOWELS + RED_JOKER for tile in rack) < len(rack) else "black"


def _in_sense(state: State, judge: Judge) -> Laying | None:
    """Lay a tile in the sense of the open word."""
    tiles = "".join(sorted(state.rack(state.on_turn), key=lambda tile: tile in JOKERS))
    tries = (_laying(tile, letter, side) for tile in tiles for letter in _letters(tile, state) for side in _SIDES)
    return next((laying for laying in tries if state.open and _is_legal(state, laying, judge)), None)


def _letters(tile: str, state: State) -> str:
    """Return the letters that a tile may stand for; a joker only for those of the open word."""
    if tile not in JOKERS:
        return tile
    wanted = sorted(set(state.open.word)) if state.open else []
    return "".join(letter for letter in wanted if joker_for(letter) == tile)


def _laying(tile: str, letter: str, side: Side) -> Laying:
    return Laying(letter=letter, joker=tile in JOKERS, side=side)


def _is_legal(state: State, laying: Laying, judge: Judge) -> bool:
    trial = try_move(state, Move(laying=laying), judge)
    return not trial.problems and not trial.doubtful


def _best(state: State, layings: Iterator[Laying], judge: Judge) -> Laying | None:
    """Choose, among the first legal announcements, one that the rack could make true."""
    for laying in islice(layings, _WORDS * _PLACES):
        trial = try_move(state, Move(laying=laying), judge)
        if not trial.problems and not trial.doubtful and _could_finish(trial):
            return laying
    return None


def _could_finish(trial: Trial) -> bool:
    """Return whether the rest of the rack holds what lacks."""
    fragment = trial.open
    if fragment is None:
        return True
    lacking = (missing(fragment, trial.table.board, start) for start in fragment.starts)
    return any(signs_for("".join(letters.values()), trial.table.rack) is not None for letters in lacking)


def _announcements(state: State, index: Vocabulary, dice: Dice) -> Iterator[Laying]:
    """Yield words that may be announced with one tile, in a drawn order."""
    rack = state.rack(state.on_turn)
    letters = dice.shuffled(sorted(set(rack) - set(JOKERS)))
    if state.open:
        found = _beside(Laying(letter=""), state.open.run(state.board).word, rack, letters, index, dice)
        yield from (laying for laying in found if laying.word != state.open.word)
    elif state.finished:
        for cell, direction in dice.shuffled(crossing_cells(state))[:_PLACES]:
            new = Laying(letter="", cell=cell, direction=direction)
            yield from _beside(new, run_at(state.board, cell, direction).word, rack, letters[:_TILES], index, dice)
    else:
        for letter in letters:
            for word in _words(index, letter, rack, "", dice):
                yield Laying(letter=letter, word=word, direction="w")


def _beside(
    laying: Laying, lies: str, rack: str, letters: Sequence[str], index: Vocabulary, dice: Dice
) -> Iterator[Laying]:  # fmt: skip
    """Yield what may be announced with a tile on either side of what lies."""
    for letter in letters:
        for side in dice.shuffled(_SIDES):
            part = letter + lies if side == "front" else lies + letter
            for word in _words(index, part, rack, lies, dice):
                yield replace(laying, letter=letter, side=side, word=word)


def _words(index: Vocabulary, part: str, rack: str, lies: str, dice: Dice) -> tuple[str, ...]:
    """Return words that hold a part and that the rack and what lies could spell, the long ones first."""
    stock = Counter(lies + rack)
    jokers = stock[RED_JOKER] + stock[BLACK_JOKER]
    fits = (word for word in index.containing(part) if (Counter(word) - stock).total() <= jokers)
    found = dice.shuffled(tuple(islice(fits, _WORDS)))
    return tuple(sorted(found, key=len, reverse=True))
