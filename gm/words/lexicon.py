"""The lexicon: what our lists say about a word, the GM's rulings over it, and the record of a turn."""

import csv
import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from games.words import UNLISTED, Verdict, Words
from gm.errors import ConfigError

LISTED: Final = Verdict("accepted")

_TWO_LETTERS: Final = Path(__file__).with_name("two_letter.csv")
_UMLAUTS: Final = {"Ä": "AE", "Ö": "OE", "Ü": "UE", "ß": "SS", "ẞ": "SS"}


def board(word: str) -> str | None:
    """Write a word in board letters: A-Z, umlauts as AE OE UE, ß as SS; None if it has any other character."""
    letters = [_board_letter(letter) for letter in unicodedata.normalize("NFC", word)]
    return "".join(letters) if letters and all(letters) else None


def _board_letter(letter: str) -> str:
    # Python knows more characters that are upper-cased into A-Z (ı, ſ, ﬁ): these are no letters of ours.
    if letter.isascii():
        return letter.upper() if letter.isalpha() else ""
    return _UMLAUTS.get(letter) or _UMLAUTS.get(letter.upper(), "")


class Lexicon:
    """The lists, judging for every profile alike. `name` and `checksum` tell which lists judged a game."""

    def __init__(self, name: str, verdicts: Mapping[str, Verdict]) -> None:
        self.name = name
        self._verdicts = dict(verdicts)

    @classmethod
    def load(cls, extra: Iterable[Path] = ()) -> "Lexicon":
        """Read our list and the house's own, of which the last has the last word. Raises ConfigError."""
        verdicts, faults, paths = _two_letters(), list[str](), tuple(extra)
        for path in paths:
            verdicts.update(_house_list(path, faults))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls("+".join(["two_letter", *(path.name for path in paths)]), verdicts)

    @property
    def checksum(self) -> str:
        """SHA-256 over every word and what is said about it."""
        lines = (f"{word} {verdict.status} {verdict.reason}\n" for word, verdict in sorted(self._verdicts.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002 (until a list tells profiles apart)
        """Judge one word. What isn't listed is doubtful, never refused."""
        return self._verdicts.get(word, UNLISTED)

    def listed(self, profile: str) -> Iterable[str]:  # noqa: ARG002
        """All accepted words in alphabetical order."""
        return sorted(word for word, verdict in self._verdicts.items() if verdict.status == "accepted")


class Judge:
    """A lexicon below the GM's rulings. `asked` collects what a turn rests on, by "profile/WORD"."""

    def __init__(self, lexicon: Words, rulings: Mapping[str, Verdict]) -> None:
        self._lexicon = lexicon
        self._rulings = rulings
        self.asked: dict[str, Verdict] = {}

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word, and remember it unless nobody knows it."""
        verdict = self._rulings.get(word) or self._lexicon.check(word, profile)
        if verdict != UNLISTED:
            self.asked[f"{profile}/{word}"] = verdict
        return verdict

    def listed(self, profile: str) -> Iterable[str]:
        """All accepted words in alphabetical order."""
        ruled_in = {word for word, verdict in self._rulings.items() if verdict.status == "accepted"}
        return sorted(set(self._lexicon.listed(profile)) - self._rulings.keys() | ruled_in)


class Recorded:
    """The verdicts of a turn as they were then: a replay needs no list."""

    def __init__(self, verdicts: Mapping[str, Verdict]) -> None:
        self._verdicts = verdicts

    def check(self, word: str, profile: str) -> Verdict:
        """Repeat the verdict; what wasn't recorded was unlisted."""
        return self._verdicts.get(f"{profile}/{word}", UNLISTED)

    def listed(self, profile: str) -> Iterable[str]:  # noqa: ARG002
        """Nothing: a closing must not depend on a list."""
        return ()


def _two_letters() -> dict[str, Verdict]:
    with _TWO_LETTERS.open(encoding="utf-8", newline="") as file:
        return {row["word"]: LISTED if row["verdict"] == "1" else UNLISTED for row in csv.DictReader(file)}


def _house_list(path: Path, faults: list[str]) -> dict[str, Verdict]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        faults.append(f"{path}, named in lexicon.extra, can't be read: {why}.")
        return {}
    verdicts = {}
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        word = board(text.removeprefix("-"))
        if text and not word:
            faults.append(
                f"{path}, line {number}: '{text}' is no word of A-Z, Ä, Ö, Ü, ß; write WORD, or -WORD to refuse it."
            )
        elif word:
            verdicts[word] = Verdict("refused" if text.startswith("-") else "accepted", "HOUSE")
    return verdicts
