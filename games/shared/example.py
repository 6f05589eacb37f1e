"""Examples of games on the open board."""

from collections.abc import Iterable, Sequence

from games.api import Section, say
from games.shared.plane import BLANK, EMPTY, Rows, lay, occupied, picture, read_word_line, sign_at
from games.shared.tiles import on_board


def example(lying: Sequence[str], laid: Sequence[str], *, worth: bool = False) -> Section:
    """Show a board on which words lie, and what is laid there as new; both as lines like `Z26 w WORT`."""
    before = _lay_words(EMPTY, lying)
    after = _lay_words(before, laid)
    new = [spot for spot in occupied(after) if sign_at(before, spot) == BLANK]
    return Section(lines=(say("EXAMPLE"),), grids=(picture(after, new, worth=worth),))


def _lay_words(rows: Rows, lines: Iterable[str]) -> Rows:
    for line in lines:
        word = read_word_line(line)
        if word is None:
            raise ValueError(line)
        signs = (on_board(letter.upper(), joker=at in word.jokers) for at, letter in enumerate(word.letters))
        rows = lay(rows, dict(zip(word.spots, signs, strict=True)))
    return rows
