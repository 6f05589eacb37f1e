"""Sensible blocks for scripted players: which dice to roll again, and the best words that seven dice can lay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

from games.api import Seat
from games.dice import Dice
from games.shared.wordfinder import KnownList, known_list
from games.words import Words
from games.wort_yahtzee.laying import judged, readings
from games.wort_yahtzee.moves import closed, keep_line, roll_line, write
from games.wort_yahtzee.rules import (
    CHANCE,
    COUNTS,
    DICE,
    JOKER,
    LENGTHS,
    LETTERS_OF,
    NUMBERED,
    ROLLS,
    SHORTEST,
    WORDS,
    YAHTZEE,
    Move,
    Player,
    State,
    Word,
    misfits,
    points,
)

Index: TypeAlias = Mapping[str, tuple[str, ...]]
"""Letters of the dice in order -> words of just these."""


def index_of(words: Words) -> Index:
    """Return the index of a list.

    What is found there must be judged: words may have been ruled on since, and those with AE, OE, UE stand under all
    ways to lay them.
    """
    return _index(known_list(words.listed(WORDS.name)))


@lru_cache(maxsize=4)
def _index(known: KnownList) -> Index:
    found: dict[str, tuple[str, ...]] = {}
    for word in known.words:
        for laid in _ways(word):
            if SHORTEST <= len(laid) <= DICE:
                letters = "".join(sorted(laid))
                found[letters] = (*found.get(letters, ()), laid)
    return found


def _ways(word: str) -> list[str]:
    """Return the ways to lay a word, if any is short enough: an umlaut may lie on one die."""
    umlauts = word.count("AE") + word.count("OE") + word.count("UE") if "E" in word else 0
    if len(word) - umlauts > DICE:
        return []
    return readings(word) if umlauts else [word]


Found: TypeAlias = Mapping[int, tuple[Word, ...]]
"""Which dice (bit by bit) -> words that just these lay, one or several together. All of them are worth the same."""

_PAR: Final = {**dict(zip(NUMBERED, (4, 7, 8, 8, 6, 12, 12, 10), strict=True)), CHANCE: 12}
"""What a box usually brings: below it another roll is worth trying."""
_WHOLE: Final = (1 << DICE) - 1
_KEPT_WORDS: Final = 3
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"
_USEFUL: Final = "*ENRSTAILDUGHBMK"
_VOWELS: Final = "AEIOUÄÖÜ"
_MOST: Final = 4
"""So many useful letters are kept."""
_RICH: Final = 2000
_PATIENCE: Final = 24


def suggest_lines(state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Score what is good, roll for what is not, strike out at last."""
    if state.over:
        return ()
    player, index = state.player(seat), index_of(words)
    found = _find(player.dice, index, lambda laid: judged(laid, state.values, words))
    struck = Move(roll=len(player.rolls), zero=_cheapest(state, player))
    used, move = max(_scores(state, player, found), key=lambda score: _merit(player, score[1]), default=(0, struck))
    left = ROLLS - len(player.rolls)
    # A short list (that of a test) hardly has a word however long one rolls.
    is_hopeless = len(index) < _RICH and dice.below(_PATIENCE) > 0
    if left and not is_hopeless and _merit(player, move) < (0 if left > 1 else -2):
        return (roll_line(player), keep_line(_kept(player.dice, used)))
    return write(state, player, move)


def _merit(player: Player, move: Move) -> int:
    """Compare what a move brings with what its boxes usually bring."""
    return points(move, player.card) - _PAR.get(move.box, 0) - _PAR.get(move.zero, 0)


def _kept(dice: str, used: int) -> str:
    """Keep a word that is there, so that it can only get better, else letters that many words have."""
    if 0 < used < _WHOLE:
        return _of(dice, used)
    kept = ""
    for face in _USEFUL:
        vowels = sum(letter in _VOWELS for letter in kept)
        if face in dice and len(kept) < _MOST and not (face in _VOWELS and vowels > 1):
            kept += face
    return kept or dice[:1]


def _cheapest(state: State, player: Player) -> str:
    """Choose the box for a zero."""
    return min(state.open(player), key=_PAR.__getitem__)


def _of(dice: str, mask: int) -> str:
    return "".join(face for at, face in enumerate(dice) if mask >> at & 1)


def _find(dice: str, index: Index, judge: Callable[[str], Word]) -> Found:
    """Find what every choice of dice can lay; of two diamonds only one is used at a time."""
    found: dict[int, tuple[Word, ...]] = {}
    for mask in range(1, 1 << DICE):
        faces = _of(dice, mask)
        if len(faces) > 1 and faces.count(JOKER) < 2:
            words = tuple(word for word in map(judge, _candidates(faces, index)) if word.counts())
            if words:
                found[mask] = words[:_KEPT_WORDS]
    return found


def _candidates(faces: str, index: Index) -> Iterator[str]:
    if JOKER not in faces:
        yield from index.get("".join(sorted(faces)), ())
        return
    plain = faces.replace(JOKER, "")
    for letter in _LETTERS:
        for word in index.get("".join(sorted(plain + letter)), ()):
            yield word.replace(letter, letter + JOKER, 1)


def _sets(found: Found, number: int) -> Found:
    """Choose so many different words that share no die, one way for all dice together."""
    sets: dict[int, tuple[tuple[int, ...], tuple[Word, ...]]] = {0: ((0,), ())}
    for _ in range(number):
        sets = {
            used | mask: ((*masks, mask), (*words, new))
            for used, (masks, words) in sets.items()
            for mask, choice in found.items()
            if mask > masks[-1] and not used & mask and (new := _other(choice, words))
        }
    return {used: words for used, (_, words) in sets.items()}


def _other(choice: Sequence[Word], words: Sequence[Word]) -> Word | None:
    laid = {word.spelling for word in words}
    return next((word for word in choice if word.spelling not in laid), None)


def _scores(state: State, player: Player, found: Found) -> Iterator[tuple[int, Move]]:
    """List the ways to end the round with more than a zero, each with the dice that its words use."""
    sets = cache(lambda number: _sets(found, number))
    roll, zero = len(player.rolls), _cheapest(state, player)
    for box in state.open(player):
        for used, words in sets(COUNTS[box]).items():
            if used.bit_count() == LENGTHS.get(box, used.bit_count()):
                yield used, Move(roll=roll, box=box, words=words)
    several = {**sets(2), **sets(1)}
    if len(words := several.get(_WHOLE, ())) == 1:
        yield _WHOLE, Move(roll=roll, box=YAHTZEE, words=words, zero=zero)
    for box in LETTERS_OF:
        if not (closed(player, box) or misfits(box, player.dice)):
            yield _WHOLE, Move(roll=roll, box=box, zero=zero)
    if several and not closed(player, CHANCE):
        used = max(several, key=lambda used: sum(word.value for word in several[used]))
        yield used, Move(roll=roll, box=CHANCE, words=several[used], zero=zero)
