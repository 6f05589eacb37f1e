"""The lines of a block as people write them: a label, its value and whatever they put between, or a line alone."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from games.api import MoveBlock, Text, say
from games.shared.notation import first_number, shown

LINES: Final = 100
"""No block is longer; what comes behind is not read."""
WIDTH: Final = 200
"""No line is longer."""

SEPARATOR: Final = r"(?:\s*[-=]+>|\s*→|\s*[:=]|\s+(?:\.{3,}|[–—-])(?=\s+\S))"
"""What people write between a label and its value: `Rat: MOND`, `Rat = MOND`, `Rat -> MOND`, `Rat ..... MOND`,
`Rat – MOND`."""
BETWEEN: Final = rf"(?:{SEPARATOR}|\s*[,;+]|\s)\s*"
"""What people write between the other parts of a line: that, a comma or a blank."""
AROUND: Final = " .,;!»«„“”\"'()-–—"
"""What they write around a line or a part of it. A question mark is none of it: who asks sends no move."""

COMMON: Final[Mapping[str, str]] = {
    **dict.fromkeys(("neu", "new", "wunsch", "wunschbuchstabe", "wish"), "wish"),
    **dict.fromkeys(("runde", "round", "durchgang", "deal"), "round"),
    **dict.fromkeys(("partie", "game"), "game"),
}
"""Labels that mean the same in all games, in small letters."""

_LABEL: Final = (
    r"\W*(?:\d{1,2}[.)]\s+)?(?:(?:mein|meine|ich|bitte|my|i|please)\s+)?(?P<label>[^\W\d_]+(?:-[^\W\d_]+)*)"
    r"(?:\s+(?:ist|lautet|is))?"
)
_LABELLED: Final = re.compile(rf"{_LABEL}{SEPARATOR}(?P<value>.*)", re.DOTALL | re.IGNORECASE)
_ENTRY: Final = re.compile(r"[^:=–—-]*(?:=|\s[–—-])\s*[0-9]")
"""`neu = 3` and `neu - 3` are words of a list with their points, and no labels."""
# Without a colon `Neu` is a label only before one sign: `neu 3` is a word of a list, `wunsch` a row.
_NAKED_WISH: Final = re.compile(r"\s*(neu|new)(?:\s+(?:ist\s+|is\s+)?([^\s\d]))?\s*", re.IGNORECASE)
NEVER: Final = r"(?!)"
"""No value stands behind a label without a sign between."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line as read."""

    label: str = ""
    """What it is about (`round`, `wish`, `game`, or a label of the game); empty: it has no label that is known."""
    value: str
    """What stands behind the label; without one the whole line."""
    text: str
    """The whole line, as sent."""


def read_lines(block: MoveBlock, labels: Mapping[str, str] | None = None, naked: str = NEVER) -> tuple[Line, ...]:
    """Read the lines of a block, without blank ones.

    `labels` are those of the game in small letters, with what each means; the `COMMON` ones are known to all. Behind
    one of the game's, a value that matches the pattern `naked` needs no sign before it: `Geheim BILD`.
    """
    sent = (line[:WIDTH].strip() for line in block.lines[:LINES])
    return tuple(_read(line, labels or {}, naked) for line in sent if line)


def _read(line: str, labels: Mapping[str, str], naked: str) -> Line:
    for pattern, known in ((_LABELLED, {**COMMON, **labels}), (_naked(naked), labels)):
        found = pattern.fullmatch(line)
        label = known.get(found["label"].lower(), "") if found else ""
        is_odd = _ENTRY.match(line) or not line[:1].isalnum()  # behind a bullet it may be a row of the grid
        if found and label and not (label in COMMON.values() and is_odd):
            return Line(label=label, value=found["value"].strip(), text=line)
    if wish := _NAKED_WISH.fullmatch(line):
        return Line(label="wish", value=wish[2] or "", text=line)
    return Line(value=line, text=line)


@cache
def _naked(value: str) -> re.Pattern[str]:
    return re.compile(rf"{_LABEL}(?:\s+|[.!]?$)(?P<value>{value})", re.DOTALL | re.IGNORECASE)


def field(line: str) -> tuple[str, str] | None:
    """Read a line with a common label as what it is about (`wish`, `round`, `game`) and its value."""
    found = _read(line, {}, NEVER)
    return (found.label, found.value) if found.label else None


def values_of(lines: Iterable[Line], label: str) -> tuple[str, ...]:
    """Return what stands behind a label, line by line, without the empty ones; for an empty label the other lines."""
    return tuple(line.value for line in lines if line.label == label and line.value)


def parts(line: str) -> tuple[str, ...]:
    """Split a line without a label into its parts: `vorn → E: WORT!` is `vorn`, `E` and `WORT`."""
    return tuple(filter(None, (part.strip(AROUND) for part in re.split(BETWEEN, line))))


def other_round(values: Iterable[str], number: int, code: str = "ROUND_OTHER") -> tuple[Text, ...]:
    """Refuse a block whose `Runde:` lines name another round: it is a late one, and never meant for this one."""
    named = (value for value in values if value and first_number(value) != str(number))
    return tuple(say(code, sent=shown(value), round=number) for value in named)


_USUAL: Final = frozenset(".,:;=*+/-−–—_()[]!?'’\"»«„“”&|>< ")


def unread(text: str, code: str = "UNREAD") -> Text:
    """Say that a line wasn't read; where a sign in it is one that no game knows, name the sign."""
    return with_sign(say(code, line=shown(text) or "?"), text)


def with_sign(reason: Text, text: str) -> Text:
    """Put behind a reason which sign of a text no game knows, where there is one."""
    odd = next((sign for sign in text if not (sign.isalnum() or sign.isspace() or sign in _USUAL)), "")
    return say("UNREAD_SIGN", reason=reason, sign=odd) if odd and odd.isprintable() else reason
