"""The lines of a block: `a3 1,0 ge`, `passe`, and what nobody can read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.api import Text, say
from games.farbdomino.tiles import COLOURS
from games.notation import shown

_LINES: Final = 60
_WIDTH: Final = 200
_NAMES: Final = {
    "rt": "rt rot red", "gn": "gn gr grün gruen green", "sw": "sw schwarz black", "ge": "ge gb gelb yellow",
    "bl": "bl blau blue",
}  # fmt: skip
COLOUR_NAMES: Final = {name: colour for colour in COLOURS for name in _NAMES[colour].split()}
"""What players write for a colour, long or short, German or English."""

_NUMBER: Final = r"([-+−–]?\s?[0-9]{1,3})"
_LAY: Final = re.compile(
    rf"(?P<tile>[a-z]\s?[0-9]{{1,2}})[\s:=]\s*(?:auf\s+|an\s+|at\s+|on\s+)?[(\[]?\s*{_NUMBER}\s*[,;/|]\s*{_NUMBER}\s*[)\]]?"
    r"(?:[\s,;]\s*(?P<colour>[^\W\d_]+)(?:\s+(?:oben|up))?)?[.!]?",
    re.IGNORECASE,
)
_PASS: Final = re.compile(r"(?:(?:ich\s+)?passe?n?|weiter|pass)\s*[.!]*", re.IGNORECASE)
_BUY: Final = re.compile(r"(?:kaufen?|buy)\b.*", re.IGNORECASE)
_STAND: Final = re.compile(r"stand\s*:.*", re.IGNORECASE)
_NEARLY: Final = re.compile(r"\W*[a-e]\s?[0-9]\b|.*[0-9]\s*[,;/|]\s*[-+−–]?\s?[0-9]", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A placement as written; `colour` is a colour of ours, nothing, or a word that is none."""

    tile: str
    x: int
    y: int
    colour: str = ""


@dataclass(frozen=True, kw_only=True)
class Lines:
    """A block, sorted: placements or the problem with a line, in the order sent."""

    wishes: tuple[Wish | Text, ...] = ()
    passes: bool = False
    remarks: tuple[Text, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Ask whether nothing was entered: the template as we sent it."""
        return not (self.wishes or self.passes)


def read_lines(lines: Sequence[str]) -> Lines:
    """Sort the lines of a block; what looks like a placement and can't be read is a problem, other text a remark."""
    wishes: list[Wish | Text] = []
    remarks: list[Text] = []
    passes = False
    for line in (line[:_WIDTH].replace("*", "").strip() for line in lines[:_LINES]):
        if _STAND.fullmatch(line) or not line:
            continue
        if _PASS.fullmatch(line):
            passes = True
        elif _BUY.fullmatch(line):
            passes = True
            remarks.append(say("BUYS_ITSELF"))
        elif wish := _LAY.fullmatch(line):
            wishes.append(_wish(wish))
        elif _NEARLY.match(line):
            wishes.append(say("UNREADABLE", line=shown(line)))
        else:
            remarks.append(say("UNREAD", line=shown(line)))
    return Lines(wishes=tuple(wishes), passes=passes, remarks=tuple(remarks))


def _wish(found: re.Match[str]) -> Wish:
    colour = (found["colour"] or "").lower()
    return Wish(
        tile="".join(found["tile"].lower().split()),
        x=_number(found[2]),
        y=_number(found[3]),
        colour=COLOUR_NAMES.get(colour, shown(colour, 12)),
    )


def _number(text: str) -> int:
    return int("".join(text.split()).replace("−", "-").replace("–", "-"))
