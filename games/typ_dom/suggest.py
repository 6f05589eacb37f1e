"""A legal, sensible block for scripted players and tests."""

from collections.abc import Sequence

from games.dice import Dice
from games.shared.plane import cell_name, exchangeable, occupied, sign_at, stretches, word_line
from games.shared.tiles import count_colours
from games.shared.wordfinder import Placing, Vocabulary, best_placing, vocabulary
from games.typ_dom.rules import Exchange, State, Table, Variant, may_buy, score
from games.words import Words


def suggest_lines(variant: Variant, state: State, dice: Dice, words: Words) -> tuple[str, ...]:
    """Lay a good word, and a second one where that is allowed; else buy, or pass."""
    known, table = vocabulary(words.listed(state.words)), Table(rows=state.rows, rack=state.rack(state.seat))
    taken = _joker(table, dice)
    for before in (taken, ()) if taken else ((),):
        ready = table.after(before[0]) if before else table
        placing = _best(variant, ready, known, words, state.words, dice)
        if placing:
            lines = (*(f"Jolly {step.cell} = {step.letter}" for step in before), _line(placing))
            return (*lines, *_second(variant, state, ready, placing, known, words, dice))
    return (_otherwise(variant, state),)


def _best(variant: Variant, table: Table, known: Vocabulary, words: Words, profile: str, dice: Dice) -> Placing | None:
    """Find the word that is worth most, or gets rid of most tiles."""

    def accepts(word: str) -> bool:
        return words.check(word, profile).status == "accepted"

    if variant.words_score:
        return best_placing(table.rows, table.rack, known, accepts, dice, _worth, _most)
    return best_placing(table.rows, table.rack, known, accepts, dice)


def _worth(placing: Placing) -> int:
    return score(placing.run.signs)


def _most(word: str, part: str) -> int:  # noqa: ARG001 (what lies there counts as well)
    return score(word)


def _joker(table: Table, dice: Dice) -> tuple[Exchange, ...]:
    """Take a joker from the board now and then, where one can be had."""
    free = [
        Exchange(cell=cell_name(spot), letter=sign_at(table.rows, spot).upper())
        for spot in occupied(table.rows)
        if exchangeable(table.rows, spot) and sign_at(table.rows, spot).upper() in table.rack
    ]
    return (dice.choice(free),) if free and dice.below(2) else ()


def _second(
    variant: Variant, state: State, table: Table, first: Placing, known: Vocabulary, words: Words, dice: Dice
) -> Sequence[str]:
    """Lay a second word where the first one joins two stretches, or leave it to the purchase that follows."""
    rack = list(table.rack)
    for tile in first.tiles:
        rack.remove(tile)
    if not rack or stretches(table.rows, first.run.spots) < 2:
        return ()
    after = Table(rows=first.rows, rack="".join(rack))
    second = _best(variant, after, known, words, state.words, dice)
    return (_line(second),) if second else ()


def _line(placing: Placing) -> str:
    return word_line(placing.rows, placing.run, placing.new)


def _otherwise(variant: Variant, state: State) -> str:
    """Buy what is scarcer in hand, or pass."""
    if not may_buy(variant, state):
        return "passe"
    red, black = count_colours(state.rack(state.seat))
    return "kaufen rot" if 2 * red < black else "kaufen schwarz" if black < red else "kaufen"
