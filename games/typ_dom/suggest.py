"""A legal, sensible turn for scripted players and tests."""

from collections.abc import Callable

from games.dice import Dice
from games.shared.plane import Run, exchangeable, occupied, sign_at, stretches
from games.shared.racks import Exchange, Tabletop, Wishes
from games.shared.tiles import count_colours
from games.shared.wordfinder import Placing, best_placing, vocabulary
from games.typ_dom.rules import Move, State, Variant, after_step, score
from games.words import Words


def suggest_move(variant: Variant, state: State, dice: Dice, words: Words) -> Move:
    """Lay a good word, and a second one where that is allowed; else buy, or pass."""
    table = state.table(state.on_turn)
    best = _finder(variant, state, dice, words)
    taken = _joker(table, dice)
    for before in (taken, ()) if taken else ((),):
        ready = after_step(table, before[0]) if before else table
        if placing := best(ready):
            return Move(steps=(*before, placing.run, *_second(ready, placing, best)))
    return Move(wishes=_wishes(variant, state))


def _finder(variant: Variant, state: State, dice: Dice, words: Words) -> Callable[[Tabletop], Placing | None]:
    """Return what finds the word that is worth most, or gets rid of most tiles."""
    known = vocabulary(words.listed(state.profile))

    def accepts(word: str) -> bool:
        return words.check(word, state.profile).status == "accepted"

    def best(table: Tabletop) -> Placing | None:
        if variant.words_score:
            return best_placing(table.board, table.rack, known, accepts, dice, _worth, _most)
        return best_placing(table.board, table.rack, known, accepts, dice)

    return best


def _worth(placing: Placing) -> int:
    return score(placing.run.signs)


def _most(word: str, part: str) -> int:  # noqa: ARG001 (what lies there counts as well)
    return score(word)


def _joker(table: Tabletop, dice: Dice) -> tuple[Exchange, ...]:
    """Take a joker from the board now and then, where one can be had."""
    free = [
        Exchange(spot=spot, letter=sign_at(table.board, spot).upper())
        for spot in occupied(table.board)
        if exchangeable(table.board, spot) and sign_at(table.board, spot).upper() in table.rack
    ]
    return (dice.choice(free),) if free and dice.below(2) else ()


def _second(table: Tabletop, first: Placing, best: Callable[[Tabletop], Placing | None]) -> tuple[Run, ...]:
    """Lay a second word where the first one joins two stretches, or leave it to the purchase that follows."""
    after = after_step(table, first.run)
    if not after.rack or stretches(table.board, first.run.spots) < 2:
        return ()
    second = best(after)
    return (second.run,) if second else ()


def _wishes(variant: Variant, state: State) -> Wishes:
    """Buy what is scarcer in hand, or pass."""
    if not variant.may_buy(state):
        return ()
    red, black = count_colours(state.rack(state.on_turn))
    return ("red",) if 2 * red < black else ("black",) if black < red else (None,)
