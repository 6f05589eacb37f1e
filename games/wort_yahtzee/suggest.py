"""Sensible blocks for scripted players: which dice to roll again, and the best words that seven dice can lay."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, TypeAlias

from games.api import Seat
from games.dice import Dice
from games.shared.wordfinder import KnownList, known_list
from games.words import Words
from games.wort_yahtzee.laying import judge, readings, roll_line, spaced
from games.wort_yahtzee.rules import (
    ALL_ALIKE,
    CHANCE,
    COUNTS,
    DICE,
    FIRST_YAHTZEE,
    JOKER,
    LENGTHS,
    LETTERS_OF,
    MORE_YAHTZEE,
    PROFILE,
    ROLLS,
    SHORTEST,
    YAHTZEE,
    Player,
    State,
    misfits,
)

Index: TypeAlias = Mapping[str, tuple[str, ...]]
"""Letters of the dice in order -> words of just these."""


def index_of(words: Words, faces: tuple[str, ...]) -> Index:
    """Return the index of a list, for these dice.

    What is found there must be judged: words may have been ruled on since, and those with AE, OE, UE stand under all
    ways to lay them.
    """
    return _index(known_list(words.listed(PROFILE)), faces)


@lru_cache(maxsize=4)
def _index(known: KnownList, faces: tuple[str, ...]) -> Index:
    most = Counter(face for die in faces for face in set(die))
    found: dict[str, tuple[str, ...]] = {}
    for word in known.words:
        for laid in _ways(word):
            if SHORTEST <= len(laid) <= DICE and _has_room(laid, most):
                letters = "".join(sorted(laid))
                found[letters] = (*found.get(letters, ()), laid)
    return found


def _ways(word: str) -> Iterable[str]:
    """Return the ways to lay a word, if any is short enough: an umlaut may lie on one die."""
    umlauts = word.count("AE") + word.count("OE") + word.count("UE") if "E" in word else 0
    if len(word) - umlauts > DICE:
        return ()
    return ("".join(tiles) for tiles in readings(tuple(word))) if umlauts else (word,)


def _has_room(laid: str, most: Mapping[str, int]) -> bool:
    """Return whether there are dice enough for these letters, the diamond for those that lack one."""
    lacking = 0
    for letter in {*laid}:
        lacking += max(laid.count(letter) - most[letter], 0)
    return lacking <= most[JOKER]


Found: TypeAlias = Mapping[int, tuple[str, ...]]
"""Which dice (bit by bit) -> words that just these lay. All of them are worth the same."""
Sets: TypeAlias = Mapping[int, tuple[str, ...]]
"""Which dice -> words that they lay together."""

_PAR: Final = dict(zip(("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"), (4, 7, 8, 8, 6, 12, 12, 10), strict=True))
"""What a box usually brings: below it another roll is worth trying."""
_CHANCE_PAR: Final = 12
_WHOLE: Final = (1 << DICE) - 1
_KEPT_WORDS: Final = 3
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"
_USEFUL: Final = "*ENRSTAILDUGHBMK"
_VOWELS: Final = "AEIOUÄÖÜ"
_RICH: Final = 2000
_PATIENCE: Final = 24


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """A way to end the round, and how good it is against what its box usually brings."""

    merit: int
    line: str
    dice: int = _WHOLE
    """Those that its words use."""


def suggest_lines(state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Score what is good, roll for what is not, strike out at last."""
    player = state.player(seat)
    if player is None or state.over:
        return ()
    index = index_of(words, state.faces)
    found = _find(player.dice, index, cache(lambda word: judge(word, words).status == "accepted"))
    plans = tuple(_plans(state, player, found))
    best = max(plans, key=lambda plan: plan.merit, default=None)
    left = ROLLS - len(player.rolls)
    # A short list (that of a test) hardly has a word however long one rolls.
    is_hopeless = len(index) < _RICH and dice.below(_PATIENCE) > 0
    if left and not is_hopeless and (best is None or best.merit < (0 if left > 1 else -2)):
        return (roll_line(player), _keep_line(player, best))
    return (roll_line(player), best.line if best else _strike_line(state, player))


def _keep_line(player: Player, best: _Plan | None) -> str:
    """Keep a word that is there, so that it can only get better, else letters that many words have."""
    kept = _of(player.dice, best.dice) if best else ""
    if not kept or len(kept) == DICE:
        kept = _useful(player.dice, 4)
    return f"behalte {spaced(kept)}" if kept else "behalte nichts"


def _useful(dice: str, most: int) -> str:
    kept = ""
    for face in _USEFUL:
        vowels = sum(letter in _VOWELS for letter in kept)
        if face in dice and len(kept) < most and not (face in _VOWELS and vowels > 1):
            kept += face
    return kept or dice[:1]


def _strike_line(state: State, player: Player) -> str:
    return f"streiche {min(player.open, key=_PAR.__getitem__)}" if state.any_order else "streiche"


def _of(dice: str, mask: int) -> str:
    return "".join(face for at, face in enumerate(dice) if mask >> at & 1)


def _find(dice: str, index: Index, accepts: Callable[[str], bool]) -> Found:
    """Find what every choice of dice can lay; of two diamonds only one is used at a time."""
    found: dict[int, tuple[str, ...]] = {}
    for mask in range(1, 1 << DICE):
        faces = _of(dice, mask)
        if len(faces) > 1 and faces.count(JOKER) < 2:
            words = [word for word in _candidates(faces, index) if accepts(word.replace(JOKER, ""))]
            if words:
                found[mask] = tuple(words[:_KEPT_WORDS])
    return found


def _candidates(faces: str, index: Index) -> Iterator[str]:
    if JOKER not in faces:
        yield from index.get("".join(sorted(faces)), ())
        return
    plain = faces.replace(JOKER, "")
    for letter in _LETTERS:
        for word in index.get("".join(sorted(plain + letter)), ()):
            yield word.replace(letter, letter + JOKER, 1)


def _sets(found: Found, number: int) -> Sets:
    """Choose so many different words that share no die, one way for all dice together."""
    sets: dict[int, tuple[tuple[int, ...], tuple[str, ...]]] = {0: ((0,), ())}
    for _ in range(number):
        sets = {
            used | mask: ((*masks, mask), (*words, new))
            for used, (masks, words) in sets.items()
            for mask, texts in found.items()
            if mask > masks[-1] and not used & mask and (new := _other(texts, words))
        }
    return {used: words for used, (_, words) in sets.items()}


def _other(texts: tuple[str, ...], words: tuple[str, ...]) -> str:
    laid = {word.replace(JOKER, "") for word in words}
    return next((text for text in texts if text.replace(JOKER, "") not in laid), "")


def _plans(state: State, player: Player, found: Found) -> Iterator[_Plan]:
    """List the ways to end the round with more than a zero."""
    sets = cache(lambda number: _sets(found, number))
    worth = cache(lambda mask: sum(state.values[face] for face in _of(player.dice, mask)))
    for box in player.open if state.any_order else (state.box,):
        name = f"{box} " if state.any_order else ""
        for mask, words in sets(COUNTS.get(box, 1)).items():
            if mask.bit_count() == LENGTHS.get(box, mask.bit_count()):
                yield _Plan(merit=worth(mask) - _PAR[box], line=f"werte {name}{'+'.join(words)}", dice=mask)
    yield from _special_plans(state, player, {**sets(2), **sets(1)}, worth)


def _special_plans(state: State, player: Player, sets: Sets, worth: Callable[[int], int]) -> Iterator[_Plan]:
    zero = min(player.open, key=_PAR.__getitem__) if state.any_order else state.box
    lost, behind = _PAR[zero], f" / {zero}" if state.any_order else ""
    words = sets.get(_WHOLE, ())
    if len(words) == 1:
        points = MORE_YAHTZEE if player.has(YAHTZEE) else FIRST_YAHTZEE
        yield _Plan(merit=points - lost, line=f"werte yahtzee {words[0]}{behind}")
    if len(player.rolls) == ROLLS:
        return
    for box in LETTERS_OF:
        if not (player.has(box) or misfits(box, player.dice)):
            yield _Plan(merit=ALL_ALIKE - lost, line=f"werte {box}{behind}")
    if sets and not player.has(CHANCE):
        mask = max(sets, key=worth)
        yield _Plan(
            merit=worth(mask) - _CHANCE_PAR - lost, line=f"werte chance {'+'.join(sets[mask])}{behind}", dice=mask
        )
