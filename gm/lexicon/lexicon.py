"""The lexicon: what our lists say about a word, how the GM's rulings change that, and the record of a turn."""

import hashlib
import json
import mmap
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, reduce
from operator import or_
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final, overload

from games import profiles
from games.shared.tiles import POINTS
from games.words import UNLISTED, Fact, Profile, Verdict, Words
from gm.lexicon.spelling import board_letters, speller
from gm.lexicon.word_flags import FACTS, WORDS, Flag
from gm.runtime.errors import ConfigError

_NOTHING: Final = Flag(0)
_PLAIN: Final = Flag.WORD | Flag.CAPITAL
"""What needs no saying: that it is a word, and what its entry shows."""
_TOO_SHORT: Final = Verdict("refused", "TOO_SHORT")
_WRONG_LENGTH: Final = Verdict("refused", "WRONG_LENGTH")
_NO_PAIR: Final = Verdict("refused", "NO_PAIR")
_JOKERS: Final = "?*"
_NEAR: Final = 6
"""How many near matches are shown."""
_CACHED_VERDICTS: Final = 65536


class _WordFile:
    """Our list in its file, which is mapped: all processes share the memory."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        # Loaded when the first word is looked up: most commands of `gm` judge none.
        import marisa_trie

        with WORDS.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        count, size = facts["words"], len(data)
        self.trie: marisa_trie.Trie = marisa_trie.Trie().map(data)
        self.find: Callable[[str], int | None] = self.trie.get
        self.kinds = data[size - 2 * count : size - count]
        self.spellings = data[size - count :]
        self.spellers = [speller(patterns) for patterns in facts["spellings"]]
        self.flags = [Flag(sum(Flag[name] for name in names)) for names in facts["kinds"]]
        self.umlauts = [bool(patterns) and all(map(_has_umlaut, patterns.split())) for patterns in facts["spellings"]]
        self._judged: dict[str, list[Verdict]] = {}
        self._proposed: dict[str, WordList] = {}
        # The trie points into the memory without holding it.
        self._memory = data

    def flags_of(self, number: int) -> Flag:
        """Return all flags of a word by its number in the trie."""
        return self.flags[self.kinds[number]] | (Flag.UMLAUT if self.umlauts[self.spellings[number]] else _NOTHING)

    def verdict(self, number: int, word: str, profile: Profile) -> Verdict:
        """Judge a word by its number in the trie."""
        said = self._verdicts(profile)[self.kinds[number]]
        if len(word) != (profile.length or len(word)):
            return _WRONG_LENGTH
        if said is UNLISTED:
            return said
        return Verdict(said.status, said.reason, self.spellers[self.spellings[number]](word))

    def _verdicts(self, profile: Profile) -> list[Verdict]:
        """Return what the profile makes of each kind of word."""
        if profile.name not in self._judged:
            self._judged[profile.name] = [judged(profile, flags) for flags in self.flags]
        return self._judged[profile.name]

    def accepted(self, profile: Profile, without: Flag = _NOTHING) -> Iterator[tuple[str, int]]:
        """Go through the accepted words in alphabetical order, each with its number in the trie."""
        good = [
            verdict.status == "accepted" and not flags & without
            for verdict, flags in zip(self._verdicts(profile), self.flags, strict=True)
        ]
        length, kinds = profile.length, self.kinds
        return (
            (word, number)
            for word, number in self.trie.iteritems()
            if good[kinds[number]] and (length is None or len(word) == length)
        )

    def proposed(self, profile: Profile) -> "WordList":
        """List the accepted words without slurs; once for all lexicons of the process."""
        if profile.name not in self._proposed:
            numbers = array("I", (number for _, number in self.accepted(profile, without=Flag.SLUR)))
            self._proposed[profile.name] = WordList(self, numbers)
        return self._proposed[profile.name]


def judged(profile: Profile, flags: Flag) -> Verdict:
    """Judge a word by its flags: gives the verdict of a profile, without the entry."""
    for case in profile.cases:
        if flags & _flag(case.any_of) and not flags & _flag(case.none_of):
            return case.verdict
    return UNLISTED


@cache
def _flag(facts: tuple[Fact, ...]) -> Flag:
    return reduce(or_, (Flag[fact.upper()] for fact in facts), _NOTHING)


def _has_umlaut(pattern: str) -> bool:
    return len(pattern) > 1


class WordList(Sequence[str]):
    """Words in alphabetical order; each is only written out when it is asked for.

    A word is the number of one in the trie or, above these, of one that the trie doesn't have.
    """

    def __init__(self, data: _WordFile, numbers: "array[int]", extra: Sequence[str] = ()) -> None:
        # Held as a whole: the trie alone doesn't keep the memory that it points into.
        self._data = data
        self._numbers = numbers
        self._extra = extra

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> "WordList": ...
    def __getitem__(self, at: int | slice) -> "str | WordList":
        if isinstance(at, slice):
            return WordList(self._data, self._numbers[at], self._extra)
        return self._word(self._numbers[at])

    def __iter__(self) -> Iterator[str]:
        restore, size = self._data.trie.restore_key, len(self._data.kinds)  # asking for each place takes thrice as long
        for number in self._numbers:
            yield restore(number) if number < size else self._extra[number - size]

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        at = bisect_left(self, word)
        return at < len(self) and self[at] == word

    def _word(self, number: int) -> str:
        size = len(self._data.kinds)
        return self._data.trie.restore_key(number) if number < size else self._extra[number - size]

    def amended(self, verdicts: Mapping[str, Verdict]) -> "WordList":
        """Put in the words that these verdicts accept, and take out the others that they are about."""
        numbers, extra, start = array("I"), list(self._extra), 0
        for word in sorted(verdicts):
            at = bisect_left(self, word)
            numbers += self._numbers[start:at]
            start = at + (at < len(self) and self[at] == word)
            if verdicts[word].status == "accepted":
                numbers.append(len(self._data.kinds) + len(extra))
                extra.append(word)
        return WordList(self._data, numbers + self._numbers[start:], extra)


@cache
def _facts() -> Mapping[str, Any]:
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts


@cache
def _word_file() -> _WordFile:
    return _WordFile(_facts())


class Lexicon:
    """Our list, and the house's own lists, which win. `name` and `checksum` say which lists judged a game."""

    def __init__(self, house: Mapping[str, Verdict] | None = None, extra: Sequence[str] = ()) -> None:
        self._house = dict(house or {})
        self._extra = tuple(extra)
        self._cached_verdict = lru_cache(_CACHED_VERDICTS)(self._verdict)
        self._lists: dict[str, WordList] = {}

    @classmethod
    def load(cls, extra: Iterable[Path] = ()) -> "Lexicon":
        """Read the house's lists; of two that name a word, the last one counts. Raises ConfigError."""
        verdicts, faults, paths = dict[str, Verdict](), list[str](), tuple(extra)
        for path in paths:
            verdicts.update(_house_list(path, faults))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(verdicts, tuple(path.name for path in paths))

    @cached_property
    def _facts(self) -> Mapping[str, Any]:
        return _facts()

    @cached_property
    def _data(self) -> _WordFile:
        return _word_file()

    @cached_property
    def _profiles(self) -> Mapping[str, Profile]:
        return profiles()

    @property
    def name(self) -> str:
        """Our list with its version, and the files of the house."""
        return "+".join([f"{self._facts['name']}-{self._facts['version']}", *self._extra])

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over our list, how it is judged, and every word of the house's lists."""
        lines = (f"{word} {verdict.status} {verdict.reason}\n" for word, verdict in sorted(self._house.items()))
        facts = FACTS.read_bytes()
        return hashlib.sha256(facts + "".join(lines).encode()).hexdigest()

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word by its board letters.

        What isn't listed is doubtful, or refused if it has two letters and the profile knows all of these. The entry is
        how dictionaries spell the word, several ways with " / ": `Glück`, `Masse / Maße`.
        """
        if self._house and word in self._house:
            return self._house[word]
        return self._cached_verdict(word, profile)

    def _verdict(self, word: str, profile_name: str) -> Verdict:
        profile, number = self._profiles[profile_name], self._find(word)
        if number is None:
            verdict = UNLISTED if len(word) > 1 else _TOO_SHORT
        else:
            verdict = self._data.verdict(number, word, profile)
        if verdict.status == "doubtful" and len(word) == 2 and profile.pairs_are_closed:
            is_unsure = number is not None and self._data.flags[self._data.kinds[number]] & Flag.UNSURE
            return verdict if is_unsure else _NO_PAIR
        return verdict

    @cached_property
    def _find(self) -> Callable[[str], int | None]:
        return self._data.find

    def flags(self, word: str) -> tuple[str, ...]:
        """List what our list knows about a word, by the names in `word_flags`; nothing if it doesn't have the word."""
        number = self._find(word)
        known = _NOTHING if number is None else self._data.flags_of(number)
        return tuple(str(flag.name).lower() for flag in known & ~_PLAIN)

    def listed(self, profile: str) -> WordList:
        """List all accepted words in alphabetical order, without slurs.

        Finders and examples use it: a slur counts when a player lays it, but we never propose one.
        """
        if profile not in self._lists:
            self._lists[profile] = self._data.proposed(self._profiles[profile]).amended(self._house)
        return self._lists[profile]

    def ours(self, profile: str) -> Iterator[str]:
        """Go through what our list would put there, without the house's: quicker than writing out `listed`."""
        return (word for word, _ in self._proposed(profile))

    def _proposed(self, profile: str) -> Iterator[tuple[str, int]]:
        return self._data.accepted(self._profiles[profile], without=Flag.SLUR)

    def suggest(self, letters: str, profile: str) -> list[str]:
        """Find the words that a rack allows, `?` or `*` for a joker, the best first. Slurs are left out.

        The best is worth most by the tiles of `games.shared.tiles`, jokers nothing. Of equals the longer comes first.
        """
        rack = Counter(board_letters("".join(letter for letter in letters if letter not in _JOKERS)) or "")
        jokers = sum(letter in _JOKERS for letter in letters)
        longest = rack.total() + jokers
        ours = (word for word in self.ours(profile) if word not in self._house)
        house = (word for word, said in self._house.items() if said.status == "accepted")
        return sorted(
            (
                word
                for words in (ours, house)
                for word in words
                if len(word) <= longest and (jokers or rack.keys() >= set(word)) and _lacks(word, rack) <= jokers
            ),
            key=lambda word: (-_worth(word, rack), -len(word), word),
        )

    def near(self, word: str, profile: str) -> list[str]:
        """Find the accepted words that differ by one letter more, less or changed, or by two letters swapped."""
        cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
        found = {front + back[1] + back[0] + back[2:] for front, back in cuts if len(back) > 1}
        found |= {front + back[1:] for front, back in cuts if back}
        found |= {
            front + letter + end for front, back in cuts for letter in ascii_uppercase for end in (back, back[1:])
        }
        accepted = (other for other in found - {word} if self.check(other, profile).status == "accepted")
        # A slip seldom changes the first letter, and seldom the length.
        return sorted(
            (other for other in accepted if "slur" not in self.flags(other)),
            key=lambda other: (other[:1] != word[:1], abs(len(other) - len(word)), other),
        )[:_NEAR]


def _worth(word: str, rack: Counter[str]) -> int:
    return sum(POINTS[letter] * number for letter, number in (Counter(word) & rack).items())


def _lacks(word: str, rack: Counter[str]) -> int:
    return (Counter(word) - rack).total()


class Judge:
    """A lexicon with the GM's rulings, which win. `asked` collects the verdicts of a turn, by "profile/WORD"."""

    def __init__(self, lexicon: Words, rulings: Mapping[str, Verdict]) -> None:
        self._lexicon = lexicon
        self._rulings = rulings
        self.asked: dict[str, Verdict] = {}

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word, and remember the verdict unless the word is unlisted."""
        verdict = self._rulings.get(word) or self._lexicon.check(word, profile)
        if verdict.reason != UNLISTED.reason:
            self.asked[f"{profile}/{word}"] = verdict
        return verdict

    def listed(self, profile: str) -> Sequence[str]:
        """List all accepted words in alphabetical order."""
        below = self._lexicon.listed(profile)
        if isinstance(below, WordList):
            return below.amended(self._rulings)
        accepted = {word for word, verdict in self._rulings.items() if verdict.status == "accepted"}
        return sorted(({*below} - self._rulings.keys()) | accepted)


class Recorded:
    """The verdicts of a turn as they were recorded, so that a replay needs no list."""

    def __init__(self, verdicts: Mapping[str, Verdict]) -> None:
        self._verdicts = verdicts

    def check(self, word: str, profile: str) -> Verdict:
        """Return the recorded verdict; a word without one was unlisted."""
        return self._verdicts.get(f"{profile}/{word}", UNLISTED)

    def listed(self, profile: str) -> Iterable[str]:  # noqa: ARG002
        """List nothing: a closing must not depend on a list."""
        return ()


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
        word = board_letters(text.removeprefix("-"))
        if text and not word:
            faults.append(
                f"{path}, line {number}: '{text}' is no word of A-Z, Ä, Ö, Ü, ß; write WORD, or -WORD to refuse it."
            )
        elif word:
            verdicts[word] = Verdict("refused" if text.startswith("-") else "accepted", "HOUSE")
    return verdicts
