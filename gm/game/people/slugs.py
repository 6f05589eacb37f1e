"""Names as parts of a path: ASCII that every file system and every address line takes, and no two the same."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

LONGEST: Final = 60
RESERVED: Final = frozenset(
    [
        "con",
        "prn",
        "aux",
        "nul",
        "index",
        "n-n",
        *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)),
    ]
)
"""Devices of Windows; the folder's own page; and N. N., as forgotten players are called."""

# These are letters of their own, not a letter with a mark on it.
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe"})
_OTHERS: Final = str.maketrans({pair[0]: pair[1:] for pair in
    """
    åa łl đd ðd þth ıi ħh ŋng əe
    αa βb γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo
    аa бb вv гg дd еe жzh зz иi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ыy эe юyu яya єye іi ґg
    ђdj јj љlj њnj ћc џdz ѕdz
    """.split()  # noqa: SIM905  pairs read best side by side
})  # fmt: skip
_UNHEARD: Final = re.compile(r"['’‘ʼ`´]")
_APART: Final = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=1 << 15)
def segment(name: str) -> str:
    """Write a name in a-z, 0-9 and single hyphens; empty where none of its letters can be."""
    small = unicodedata.normalize("NFC", name.casefold()).translate(_GERMAN)
    apart = unicodedata.normalize("NFKD", small)
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign)).translate(_OTHERS)
    heard = "".join(sign for sign in _UNHEARD.sub("", plain) if sign.isascii() or not sign.isalnum())
    return _APART.sub("-", heard).strip("-")[:LONGEST].strip("-")


class Segments:
    """Gives each name a path segment of its own. Names that come later never change the earlier ones.

    `otherwise` stands for names that can't be written in ASCII.
    """

    def __init__(self, otherwise: str) -> None:
        self._otherwise, self._taken = otherwise, set(RESERVED)

    def add(self, number: int, name: str) -> str:
        """Give one more name its segment."""
        written = self.next(number, name)
        self._taken.add(written)
        return written

    def next(self, number: int, name: str) -> str:
        """Return the segment that one more name would get."""
        written = segment(name) or f"{self._otherwise}-{number}"
        while written in self._taken:
            written = f"{written}-{number}"
        return written
