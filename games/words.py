"""The judge of words, as games see it. The shell brings the lists and the GM's rulings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

Status: TypeAlias = Literal["accepted", "refused", "doubtful"]


@dataclass(frozen=True)
class Verdict:
    """What is said about one word: `reason` is a code of the shared wordings, `note` a GM's own words."""

    status: Status
    reason: str = ""
    entry: str = ""
    note: str = ""


UNLISTED = Verdict("doubtful", "UNLISTED")
"""Nobody knows the word: never a silent no, the GM rules."""


class Words(Protocol):
    """Words in board letters: A-Z in capitals, umlauts as AE OE UE, ß as SS."""

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word."""

    def listed(self, profile: str) -> Iterable[str]:
        """All accepted words, for finders and suggestions."""
