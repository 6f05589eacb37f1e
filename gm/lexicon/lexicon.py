"""The lexicon: what our lists say about a word, the GM's rulings over it, and the record of a turn."""

import hashlib
import json
import mmap
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, reduce
from itertools import accumulate
from operator import or_
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final, overload

from games import profiles
from games.shared.tiles import POINTS
from games.words import UNLISTED, Fact, Profile, Verdict, Words
from gm.lexicon.spelling import board, speller
from gm.lexicon.word_flags import FACTS, WORDS, Flag
from gm.runtime.errors import ConfigError

__all__ = ["Judge", "Lexicon", "Recorded", "board"]

_NOTHING: Final = Flag(0)
_PLAIN: Final = Flag.WORD | Flag.CAPITAL
"""What needs no saying: that it is a word, and what its entry shows."""
_TOO_SHORT: Final = Verdict("refused", "TOO_SHORT")
_WRONG_LENGTH: Final = Verdict("refused", "WRONG_LENGTH")
_NO_PAIR: Final = Verdict("refused", "NO_PAIR")
_JOKERS: Final = "?*"
_NEAR: Final = 6
"""How many near matches are shown."""
_RECENT: Final = 32768
"""Verdicts that are kept for each profile: on known words, and on all short ones."""
_PAIR: Final = 2
_SHORT: Final = 3
"""Letters of what the grids of all games ask for again and again, words or not: there are 18,278 of them."""


class _Data:
    """Our list in its file, mapped: all processes share the memory."""

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
        # The trie points into the memory without holding it.
        self._memory = data

    def known(self, number: int) -> Flag:
        """Give all flags of a word by its number in the trie."""
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
        """Give what the profile makes of each kind of word."""
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


def judged(profile: Profile, flags: Flag) -> Verdict:
    """Say what a profile makes of the flags of a word: the verdict, but for the entry."""
    for case in profile.cases:
        if flags & _flag(case.any_of) and not flags & _flag(case.none_of):
            return case.verdict
    return UNLISTED


@cache
def _flag(facts: tuple[Fact, ...]) -> Flag:
    return reduce(or_, (Flag[fact.upper()] for fact in facts), _NOTHING)


def _has_umlaut(pattern: str) -> bool:
    return len(pattern) > 1


class _Listed(Sequence[str]):
    """Words of the trie by their numbers: each is only written out when it is asked for."""

    def __init__(self, data: _Data, numbers: "array[int]") -> None:
        # Held as a whole: the trie alone doesn't keep the memory that it points into.
        self._data = data
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> "_Listed": ...
    def __getitem__(self, at: int | slice) -> "str | _Listed":
        if isinstance(at, slice):
            return _Listed(self._data, self._numbers[at])
        return str(self._data.trie.restore_key(self._numbers[at]))

    def __iter__(self) -> Iterator[str]:
        restore = self._data.trie.restore_key  # asking for each place takes thrice as long
        for number in self._numbers:
            yield restore(number)

    def __contains__(self, word: object) -> bool:
        return _holds(self, word)


class _Amended(Sequence[str]):
    """A sorted sequence with some words put in and some taken out."""

    def __init__(self, base: Sequence[str], added: Iterable[str], dropped: Iterable[str]) -> None:
        # Stretches of the base as (from, to), and between them the words put in.
        changes = dict.fromkeys(dropped, False) | dict.fromkeys(added, True)
        self._parts: list[Sequence[str] | range] = []
        self._base = base
        start = 0
        for word in sorted(changes):
            at = bisect_left(base, word)
            self._parts += [range(start, at), [word] if changes[word] else []]
            start = at + (at < len(base) and base[at] == word)
        self._parts.append(range(start, len(base)))
        self._ends = list(accumulate(len(part) for part in self._parts))

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            wanted = range(len(self))[at]
            return list(self._forwards(wanted)) if wanted.step > 0 else [self[one] for one in wanted]
        at = range(len(self))[at]
        number = bisect_right(self._ends, at)
        found = self._parts[number][at - self._ends[number]]
        return found if isinstance(found, str) else self._base[found]

    def __iter__(self) -> Iterator[str]:
        return self._forwards(range(len(self)))

    def _forwards(self, wanted: range) -> Iterator[str]:
        """Go from part to part: to look for each word alone takes ten times as long."""
        begin = 0
        for part, end in zip(self._parts, self._ends, strict=True):
            here = wanted[bisect_left(wanted, begin) : bisect_left(wanted, end)]
            if here:
                found = part[here.start - begin : here[-1] - begin + 1 : here.step]
                yield from self._base[found.start : found.stop : found.step] if isinstance(found, range) else found
            begin = end

    def __contains__(self, word: object) -> bool:
        return _holds(self, word)


def _holds(words: Sequence[str], word: object) -> bool:
    if not isinstance(word, str):
        return False
    at = bisect_left(words, word)
    return at < len(words) and words[at] == word


class Lexicon:
    """Our list below the house's own. `name` and `checksum` tell which lists judged a game."""

    def __init__(self, house: Mapping[str, Verdict] | None = None, extra: Sequence[str] = ()) -> None:
        self._house = dict(house or {})
        self._extra = tuple(extra)
        self._recent: dict[str, dict[str, Verdict]] = {}
        self._lists: dict[str, Sequence[str]] = {}

    @classmethod
    def load(cls, extra: Iterable[Path] = ()) -> "Lexicon":
        """Read the house's lists, of which the last has the last word. Raises ConfigError."""
        verdicts, faults, paths = dict[str, Verdict](), list[str](), tuple(extra)
        for path in paths:
            verdicts.update(_house_list(path, faults))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(verdicts, tuple(path.name for path in paths))

    @cached_property
    def _facts(self) -> Mapping[str, Any]:
        facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
        return facts

    @cached_property
    def _data(self) -> _Data:
        return _Data(self._facts)

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

    def info(self) -> dict[str, str | int]:
        """Describe the lists, as `gm words info` prints it."""
        facts = self._facts
        packages = (f"{source['package']} {source['version']} ({source['licence']})" for source in facts["sources"])
        return {
            "name": self.name,
            "checksum": self.checksum,
            "words": facts["words"],
            "bytes": WORDS.stat().st_size,
            "date": facts["date"],
            "licence": facts["licence"],
            "sources": ", ".join(packages),
            "house lists": ", ".join(self._extra) or "none",
        }

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word by its board letters. What isn't listed is doubtful; of two letters, refused by some profiles.

        The entry is how dictionaries spell it, several ways with " / ": `Glück`, `Masse / Maße`.
        """
        if self._house and word in self._house:
            return self._house[word]
        recent = self._recent.get(profile)
        if recent is None:
            recent = self._recent[self._profiles[profile].name] = {}
        known = recent.get(word)
        if known is not None:
            return known
        number = self._find(word)
        if number is None and len(word) > _SHORT:
            return UNLISTED
        if len(recent) == _RECENT:
            recent.clear()
        verdict = recent[word] = self._verdict(number, word, profile)
        return verdict

    def _verdict(self, number: int | None, word: str, profile: str) -> Verdict:
        if number is None:
            verdict = UNLISTED if len(word) > 1 else _TOO_SHORT
        else:
            verdict = self._data.verdict(number, word, self._profiles[profile])
        if verdict.status == "doubtful" and len(word) == _PAIR and self._profiles[profile].pairs_are_closed:
            is_unsure = number is not None and self._data.flags[self._data.kinds[number]] & Flag.UNSURE
            return verdict if is_unsure else _NO_PAIR
        return verdict

    @cached_property
    def _find(self) -> Callable[[str], int | None]:
        return self._data.find

    def flags(self, word: str) -> tuple[str, ...]:
        """Tell what our list knows about a word, by the names in `word_flags`: nothing, if it has no such word."""
        number = self._find(word)
        known = _NOTHING if number is None else self._data.known(number)
        return tuple(str(flag.name).lower() for flag in known & ~_PLAIN)

    def listed(self, profile: str) -> Sequence[str]:
        """All accepted words but slurs in alphabetical order; each is only written out when it is asked for.

        Finders and examples use it: a slur counts when a player lays it, but we never propose one (lexicon.md).
        """
        if profile not in self._lists:
            numbers = array("I", (number for _, number in self._proposed(profile)))
            ours = _Listed(self._data, numbers)
            self._lists[profile] = _amended(ours, self._house)
        return self._lists[profile]

    def _proposed(self, profile: str) -> Iterator[tuple[str, int]]:
        return self._data.accepted(self._profiles[profile], without=Flag.SLUR)

    def suggest(self, letters: str, profile: str) -> list[str]:
        """Find the words that a rack allows, `?` or `*` for a joker, the best first. Slurs are left out.

        The tiles of `games.shared.tiles` say what is best: a joker is worth nothing. Of equals the longer comes first.
        """
        rack = Counter(board("".join(letter for letter in letters if letter not in _JOKERS)) or "")
        jokers = sum(letter in _JOKERS for letter in letters)
        longest = rack.total() + jokers
        ours = (word for word, _ in self._proposed(profile) if word not in self._house)
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
        """Give the accepted words that one letter more, less or another makes of a word, or two letters swapped."""
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


def _amended(base: Sequence[str], verdicts: Mapping[str, Verdict]) -> Sequence[str]:
    if not verdicts:
        return base
    added = {word for word, verdict in verdicts.items() if verdict.status == "accepted"}
    return _Amended(base, added, verdicts.keys() - added)


class Judge:
    """A lexicon below the GM's rulings. `asked` collects what a turn rests on, by "profile/WORD"."""

    def __init__(self, lexicon: Words, rulings: Mapping[str, Verdict]) -> None:
        self._lexicon = lexicon
        self._rulings = rulings
        self.asked: dict[str, Verdict] = {}

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word, and remember it unless nobody knows it."""
        verdict = self._rulings.get(word) or self._lexicon.check(word, profile)
        if verdict.reason != UNLISTED.reason:
            self.asked[f"{profile}/{word}"] = verdict
        return verdict

    def listed(self, profile: str) -> Sequence[str]:
        """All accepted words in alphabetical order."""
        below = self._lexicon.listed(profile)
        return _amended(below if isinstance(below, Sequence) else sorted(below), self._rulings)


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
