"""Words by what they mean: how a table of meanings, verbs and rules is written, and what it makes of a clause.

A vocabulary says of each word of one language what it means; a rule says which meanings make a wish, in any order.
Whatever stands in a clause must be a small word that changes nothing, or mean something that its rule allows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

FEWEST_LETTERS: Final = 8
"""A word so long is known with one letter wrong as well."""
PAST: Final = ("te", "ten", "test", "tet", "ed")
"""Endings that no slip makes."""
STRONG: Final[Mapping[str, str]] = {
    "nehmen": "nimm nimmst nimmt", "geben": "gib gibst gibt", "sehen": "sieh siehst sieht",
    "lesen": "lies liest", "fahren": "faehrst faehrt", "lassen": "laesst", "tragen": "traegst traegt",
    "vergessen": "vergiss vergisst", "laufen": "laeuft", "helfen": "hilf hilfst hilft", "kommen": "kam",
}  # fmt: skip
"""Forms of German verbs with another vowel."""


@dataclass(frozen=True)
class Meant:
    """What one word of a clause means, and whether it may be passed over."""

    meanings: frozenset[str]
    is_small: bool = False


TO: Final = "to_"
"""Begins the meaning of an infinitive with `zu`."""
IMPLIED: Final = "_i"
"""Of a verb that says `ich` by its form: `bin`, `höre`."""
NOTHING: Final = Meant(frozenset(), is_small=True)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """The meanings that make a wish, and those that may stand beside them."""

    kind: str
    needs: frozenset[str]
    may: frozenset[str]
    also: str = ""
    """What else must stand in the clause: a `game`, a `title`, the `days`, or a `span`."""
    bars: frozenset[str] = frozenset()
    """Meanings that must not be there."""
    asks: bool = False
    """It may be a question; what is only told isn't sure with `?` behind it."""

    @cached_property
    def _allowed(self) -> frozenset[str]:
        return self.needs | self.may | {f"{TO}{word}" for word in self.needs if len(self.needs) > 1}

    def fits(self, clause: "WholeClause") -> bool:
        """Return whether a clause has all it needs, and nothing else but small words."""
        # `es macht Spaß, mitzuspielen` has one meaning only, and is no wish
        said = clause.with_infinitives if len(self.needs) > 1 else clause.said
        if not self.needs <= said or self.bars & said or clause.is_denied_twice:
            return False
        allowed = self._allowed | {"like"} if "want" in said else self._allowed  # `I would like`, but not `I like`
        return not any(meanings.isdisjoint(allowed) for meanings in clause.weighty)


class WholeClause:
    """What the words of a clause say together, worked out once for all rules."""

    def __init__(self, meant: Sequence[Meant]) -> None:
        said = frozenset[str]().union(*(one.meanings for one in meant))
        self.said: Final = said | {"i"} if IMPLIED in said else said
        self.with_infinitives: Final = self.said | {word.removeprefix(TO) for word in self.said}
        self.is_denied_twice: Final = sum("no" in one.meanings for one in meant) > 1
        self.weighty: Final = [one.meanings for one in meant if not one.is_small]
        """The meanings of each word that can't be passed over."""


def rules(kind: str, may: str, *, tell: str = "", ask: str = "") -> list[Rule]:
    """Write rules: `tell="want playin / i playin +game"`, each with the meanings that it needs, and what else."""
    made = []
    for text, asks in ((tell, False), (ask, True)):
        for one in filter(None, map(str.strip, text.split("/"))):
            words = one.split()
            also = next((word[1:] for word in words if word.startswith("+")), "")
            bars = frozenset(word[1:] for word in words if word.startswith("-"))
            needs = frozenset(word for word in words if word[0] not in "+-")
            made.append(Rule(kind=kind, needs=needs, may=frozenset(may.split()), also=also, bars=bars, asks=asks))
    return made


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The words of a language. A multiword is written `zu_hause`, a verb with what may part from it `mit+spielen`."""

    words: Mapping[str, str]
    """Meaning -> words."""
    small: frozenset[str]
    short: Mapping[str, str]
    """Words that are run together or cut short, and how they are in full."""
    own_verbs: Mapping[str, str]
    """Meaning -> German infinitives of what people do themselves: only `ich` and the infinitive are theirs."""
    verbs: Mapping[str, str]
    """Likewise of what the reader may do as well: in all forms."""
    rules: tuple[Rule, ...]

    @cached_property
    def known(self) -> Mapping[str, frozenset[str]]:
        """Word, or several with `_` between them -> meanings."""
        table: dict[str, set[str]] = {word: set() for word in self.small}
        for meaning, words in self.words.items():
            for word in words.split():
                table.setdefault(word, set()).add(meaning)
        for form, particle, said in self._forms():
            table.setdefault(particle + form, set()).update(said)
        return {word: frozenset(said) for word, said in table.items()}

    @cached_property
    def parted(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """Form of a verb -> what may part from it -> meanings."""
        table: dict[str, dict[str, set[str]]] = {}
        for form, particle, said in self._forms():
            if particle:
                table.setdefault(form, {}).setdefault(particle, set()).update(said)
        return {form: {one: frozenset(said) for one, said in of.items()} for form, of in table.items()}

    def _forms(self) -> Iterable[tuple[str, str, frozenset[str]]]:
        for table, is_own in ((self.own_verbs, True), (self.verbs, False)):
            for meaning, infinitives in table.items():
                for written in infinitives.split():
                    particle, _, infinitive = written.rpartition("+")
                    stem = infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]
                    yield infinitive, particle, frozenset([meaning])
                    if particle:
                        yield f"zu{infinitive}", particle, frozenset([f"{TO}{meaning}"])
                    for form in (stem, f"{stem}e"):
                        yield form, particle, frozenset([meaning, IMPLIED] if is_own else [meaning])
                    others = f"{stem}st {stem}t {stem}est {stem}et {STRONG.get(infinitive, '')}"
                    for form in () if is_own else others.split():
                        yield form, particle, frozenset([meaning])

    def in_full(self, word: str) -> str:
        """Write a word that is run together or cut short in full: `siehts` is `sieht es`."""
        if word in self.short or word in self.known or word in self.parted:
            return self.short.get(word, word)
        stem = word.removesuffix("s").removesuffix("'")
        return f"{stem} es" if self.own_verbs and stem != word and (stem in self.known or stem in self.parted) else word

    @cached_property
    def _lacking(self) -> Mapping[str, str]:
        """Long word with one letter left out -> the word."""
        long = (word for word in self.known if len(word) >= FEWEST_LETTERS and "_" not in word)
        return {less: word for word in long for less in _one_less(word)}

    def nearest(self, word: str) -> str:
        """Return a long word that differs in one letter, or in two that have changed places; else the word."""
        if word in self.known or len(word) < FEWEST_LETTERS or word.endswith(PAST):
            return word
        tried = (self._lacking.get(less) or (less if less in self.known else "") for less in (word, *_one_less(word)))
        return next((found for found in tried if len(found) >= FEWEST_LETTERS), word)

    def read(self, words: Sequence[str]) -> list[Meant | None]:
        """Say of each word what it means; None of one that isn't known."""
        words = [self.nearest(word) for word in words]
        meant: list[Meant | None] = [None] * len(words)
        for at in range(len(words)):
            if meant[at] is not None:
                continue
            length = next(
                (n for n in (4, 3, 2) if n <= len(words) - at and "_".join(words[at : at + n]) in self.known), 1
            )
            joined = "_".join(words[at : at + length])
            if length > 1:
                meant[at : at + length] = [Meant(self.known[joined], joined in self.small)] + [NOTHING] * (length - 1)
        for at, word in reversed(list(enumerate(words))):  # `bei welchen Spielen mache ich mit`
            of = self.parted.get(word, {})
            behind = [later for later in range(at + 1, len(words)) if words[later] in of and meant[later] is None]
            if behind and meant[at] is None:
                meant[at], meant[behind[-1]] = Meant(of[words[behind[-1]]]), NOTHING
        for at, word in enumerate(words):
            if meant[at] is None and word in self.known:
                meant[at] = Meant(self.known[word], word in self.small)
        return meant


def _one_less(word: str) -> Iterable[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))
