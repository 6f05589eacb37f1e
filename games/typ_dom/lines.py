"""The lines of a block, each by itself: words, exchanges, purchases, passing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.notation import field
from games.plane import Spot, WordLine, read_jolly_line, read_word_line
from games.tiles import Colour

_BUY: Final = frozenset({"kaufen", "kaufe", "kauf", "buy"})
_PASS: Final = frozenset({"passe", "passen", "pass", "weiter"})
_COLOURS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("rot", "rote", "roten", "roter", "red"), "red"),
    **dict.fromkeys(("schwarz", "schwarze", "schwarzen", "schwarzer", "black"), "black"),
}
_FILLING: Final = frozenset({"und", "and", "stein", "steine", "tile", "tiles", "tiles:"})
_NUMBER: Final = re.compile(r"[0-9]{1,2}")


@dataclass(frozen=True, kw_only=True)
class JollyLine:
    """`Jolly AB27 = A`."""

    spot: Spot
    letter: str


@dataclass(frozen=True, kw_only=True)
class BuyLine:
    """`kaufen 2 rot 1 schwarz`: a colour, or None, for each tile."""

    wishes: tuple[Colour | None, ...]


@dataclass(frozen=True, kw_only=True)
class PassLine:
    """`passe`."""


@dataclass(frozen=True, kw_only=True)
class RoundLine:
    """`Runde: 7`."""

    value: str


@dataclass(frozen=True, kw_only=True)
class UnreadLine:
    """What isn't understood."""

    text: str


Line: TypeAlias = WordLine | JollyLine | BuyLine | PassLine | RoundLine | UnreadLine


def read_lines(lines: Iterable[str]) -> tuple[Line, ...]:
    """Read the lines of a block; blank ones, and the one that names the game, say nothing."""
    found = (_read_line(line.strip()) for line in lines if line.strip())
    return tuple(line for line in found if line)


def _read_line(line: str) -> Line | None:
    named = field(line)
    if named and named[0] in ("game", "round"):
        return RoundLine(value=named[1]) if named[0] == "round" and named[1] else None
    words = re.sub(r"[,+.!:]", " ", line.lower()).split()
    if words and words[0] in _BUY:
        wishes = _wishes(words[1:])
        return UnreadLine(text=line) if wishes is None else BuyLine(wishes=wishes)
    if len(words) == 1 and words[0] in _PASS:
        return PassLine()
    jolly = read_jolly_line(line)
    if jolly:
        return JollyLine(spot=jolly[0], letter=jolly[1])
    return read_word_line(line) or UnreadLine(text=line)


def _wishes(words: list[str]) -> tuple[Colour | None, ...] | None:
    """Read `2 rot 1 schwarz`, `rot`, `2`, nothing; None where something else is said."""
    wishes, number = list[Colour | None](), ""
    for word in (word for word in words if word not in _FILLING):
        if word in _COLOURS:
            wishes += [_COLOURS[word]] * int(number or 1)
            number = ""
        elif _NUMBER.fullmatch(word) and not number:
            number = word
        else:
            return None
    wishes += [None] * int(number or not wishes)
    return tuple(wishes) or None
