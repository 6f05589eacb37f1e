"""The dice and their values: options of a game, because the rule text gives neither."""

import re
from collections.abc import Mapping
from typing import Any, Final

from games.dice import Dice
from games.errors import SetupError
from games.notation import letter
from games.wort_yahtzee.state import DICE, JOKER

DIAMONDS: Final = "◆◇♦♢⬥⯁"
_UMLAUTS: Final = dict(zip("äöüÄÖÜ", "ÄÖÜÄÖÜ", strict=True))

# The American dice with one A, one O and one U made umlauts, and the letter values of Point-Typ-Dom.
FACES: Final = "OWÜMPY BEXSAY RQJNÄD ACEFIZ PIMEG* TESLAH VUNCÖK"
VALUES: Final = (
    "A1 B4 C4 D3 E1 F3 G4 H3 I1 J6 K4 L2 M3 N2 O1 P4 Q9 R2 S2 T3 U1 V6 W6 X9 Y9 Z6 Ä6 Ö8 Ü6"  # the diamond: nothing
)
OPTIONS: Final[Mapping[str, str | int | bool]] = {"any_order": False, "dice": FACES, "values": VALUES}

_MOST: Final = 14
"""The highest value of a letter: seven of them still have two digits on the card."""
_VALUE: Final = re.compile(r"(\D)\s*[=:]?\s*([0-9]{1,3})[\s,;]*")


def capital(sign: str) -> str:
    """Give the face that a sign stands for: A-Z, Ä, Ö, Ü, the diamond as `*`; nothing for any other."""
    if sign == JOKER or sign in DIAMONDS:
        return JOKER
    return _UMLAUTS.get(sign) or letter(sign)


def faces_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the option `dice`. Raises SetupError."""
    text = str(options["dice"])
    dice = tuple("".join(capital(sign) or "?" for sign in die) for die in re.split(r"[\s,;/|]+", text.strip()))
    if len(dice) != DICE or any("?" in die for die in dice):
        raise SetupError(
            f"The option dice is '{text}'; it needs seven dice, parted by blanks, of A-Z, Ä, Ö, Ü and * (the diamond)."
        )
    return dice


def values_of(options: Mapping[str, Any], faces: tuple[str, ...]) -> dict[str, int]:
    """Read the option `values`. Raises SetupError."""
    text = str(options["values"]).strip()
    pairs = _VALUE.findall(text)
    values = {capital(sign): int(number) for sign, number in pairs} | {JOKER: 0}
    lacking = sorted({face for die in faces for face in die} - values.keys())
    if _VALUE.sub("", text) or "" in values or max(values.values()) > _MOST:
        raise SetupError(f"The option values is '{text}'; it needs letters with values of 0 to {_MOST}: A1 B4 Ä6.")
    if lacking:
        raise SetupError(f"The option values lacks a value for {', '.join(lacking)}.")
    return values


def roll(faces: tuple[str, ...], before: str, keep: tuple[int, ...], dice: Dice) -> str:
    """Roll all dice but those that are kept."""
    return "".join(before[at] if at in keep else dice.choice(die) for at, die in enumerate(faces))
