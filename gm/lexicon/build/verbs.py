"""Forms of verbs: those that a source has, and those of all other verbs, made by rule."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_WEAK: Final = ("e", "st", "t", "te", "test", "ten", "tet")
_WEAK_E: Final = ("", *_WEAK, "est", "et", "ete", "etest", "eten", "etet")
_ALWAYS_INSEPARABLE: Final = ("be", "ent", "er", "ge", "miss", "ver", "zer")
_INSEPARABLE: Final = (*_ALWAYS_INSEPARABLE, "über", "unter", "wider", "hinter", "um", "durch", "voll", "wieder")


class Verbs:
    """Infinitives, finite forms, participles and infinitives with `zu`, as they are spelt.

    `finite` has all forms that only a verb can have. `regular` lacks those that are spoken but not written (`ich läg`,
    `wenn ich abgeb`), and those that only similar forms confirm.
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.infinitives = set(tables)
        self.finite: set[str] = set()
        self.regular: set[str] = set()
        self.participles: set[str] = set()
        self.with_zu: set[str] = set()
        self._of: dict[str, set[str]] = {}
        self._regular_of: dict[str, set[str]] = {}
        self._verbs_of: dict[str, list[str]] = {}
        self._participles_of: dict[str, set[str]] = {}
        self.tabled: set[str] = set(tables)
        for infinitive, table in tables.items():
            finite = {form for tense in ("KJ1", "KJ2", "PRÄ", "PRT", "IMP") for form in _joined(table.get(tense))}
            self.tabled |= {*finite, *table.get("PA2", ()), *_joined(table.get("EIZ"))}
            finite |= {other for form in finite for other in _with_or_without_e(form)}
            self.regular |= finite
            self._regular_of[infinitive] = set(finite)
            imperatives = set(_imperatives(infinitive))
            if not table.get("hasPrefix"):
                self.regular |= imperatives
            finite |= imperatives | {form.removesuffix("e") for form in finite}
            self._of[infinitive] = finite
            for form in finite:
                self._verbs_of.setdefault(form, []).append(infinitive)
            self._participles_of[infinitive] = {*_joined(table.get("PA1")), *table.get("PA2", ()), f"{infinitive}d"}
            self.finite |= finite
            self.participles |= self._participles_of[infinitive]
            self._add_zu(*_joined(table.get("EIZ")))

    def find(self, listed: set[str]) -> None:
        """Find the verbs among listed words in small letters that the source doesn't have, and make their forms."""
        known = dict(self._of)
        endings = ("en", "ern", "eln")
        for word in sorted(word for word in listed if word.endswith(endings) and word.islower()):
            stem = word[:-1] if word.endswith(endings[1:]) else word[:-2]
            # `wir abbrachen` is of another verb; `wogen` is that too, but there is `wogend`.
            if word in self.finite and word not in known and f"{word}d" not in listed:
                continue
            named = word not in known and f"{word.capitalize()}s" in listed
            # `du polktest` is a form of verbs only; `das Kantern` is told from `die Alten` by its genitive.
            if named or (word.endswith("ieren") and f"{stem}t" in listed) or {f"{stem}test", f"{stem}etest"} & listed:
                self._add_weak(word, stem)
            for at in range(2, len(word) - 3):
                if word[at:] in known and self._is_prefixed(word[:at], word[at:], listed):
                    self._add_prefixed(word, word[:at], word[at:])

        for word in filter(str.islower, listed):
            weak = _weak_siblings(word, listed)
            self.regular |= weak
            self.finite |= weak | _siblings(word, listed)

    def is_finite(self, word: str, listed: set[str]) -> bool:
        """Return whether a word that is no adjective is a form of a listed verb: `verlorengingen`, `muckschte`."""
        if _is_declined(word, listed):
            return False
        for at in range(2, len(word) - 2):
            prefix = word[:at]
            bases = [base for base in self._verbs_of.get(word[at:], ()) if base != word[at:]]
            if any(prefix + base in listed for base in bases):
                return True
            if bases and word.endswith("t") and _SEPARABLE.fullmatch(prefix):
                return True
        stems = [word.removesuffix(end) for end in ("te", "ten", "test", "tet") if word.endswith(end)]
        if word.endswith(("le", "re")):
            stems.append(f"{word[:-2]}e{word[-2]}")
        return any(f"{stem}en" in listed or (stem.endswith(("er", "el")) and f"{stem}n" in listed) for stem in stems)

    def _is_prefixed(self, prefix: str, base: str, listed: set[str]) -> bool:
        """Look for a form that only this verb has: `heimzufahren`, `heimfuhrt`. Many adjectives end like a verb."""
        if f"{prefix}zu{base}" in listed:
            return True
        return (prefix in _INSEPARABLE or _SEPARABLE.fullmatch(prefix) is not None) and any(
            form.endswith("t") and not form.endswith("st") and form != base[:-2] and prefix + form in listed
            for form in self._of[base]
        )

    def _add_prefixed(self, infinitive: str, prefix: str, base: str) -> None:
        self.infinitives.add(infinitive)
        self.finite |= {prefix + form for form in self._of[base]}
        self.regular |= {prefix + form for form in self._regular_of[base]}
        if prefix in _INSEPARABLE:
            self.regular |= {prefix + form for form in _imperatives(base)}
        for participle in self._participles_of[base]:
            if prefix not in _ALWAYS_INSEPARABLE:
                self.participles.add(prefix + participle)
            if prefix in _INSEPARABLE:
                self.participles.add(prefix + participle.removeprefix("ge"))
        self._add_zu(f"{prefix}zu{base}")

    def _add_weak(self, infinitive: str, stem: str) -> None:
        self.infinitives.add(infinitive)
        forms = {stem + end for end in _WEAK_E}
        if infinitive.endswith(("ern", "eln")):
            forms |= {f"{stem[:-2]}{stem[-1]}e{end}" for end in ("", "st", "t", "n")}
        self.finite |= forms
        self.regular |= forms - {stem} if len(_seams(stem)) > 1 else forms
        bare = _BARE.match(infinitive) is not None
        self.participles |= {
            f"{infinitive}d",
            *(f"{stem[:at]}ge{stem[at:]}{end}" for at in _seams(stem) for end in ("t", "et")),
            *(f"{stem}{end}" for end in ("t", "et") if bare),
        }
        for at in _seams(stem)[1:]:
            self._add_zu(f"{stem[:at]}zu{infinitive[at:]}")

    def _add_zu(self, *infinitives: str) -> None:
        self.with_zu |= set(infinitives)
        self.participles |= {f"{infinitive}d" for infinitive in infinitives}


_BARE: Final = re.compile(f"(?:{'|'.join(_INSEPARABLE)})[^aeiouäöü]+[aeiouäöüy].*e.?n$|.*ieren$")
"""Verbs whose participle has no `ge`: `verlinkt`, `frisiert`, but `geerbt`."""
_OF_IEREN: Final = re.compile("..ier(?:e|e?st|et|test|tet)$")
_SEPARABLE: Final = re.compile(
    "(?:da|dar|her|hin|vor|um|mit|ein|dr)?(?:ab|an|auf|aus|bei|durch|ein|entgegen|fest|fort|frei|her|hin|hoch|los|mit|nach|nieder|raus|rein|rum|runter|rauf"
    "|über|um|unter|voll|vor|weg|weiter|wieder|zu|zurück|zusammen|heim|statt|teil|vorbei|vorüber|empor|rüber|rauf|dazwischen|dahin|daher|dran|drauf|drin|bereit|kaputt|tot|blank|gut|hops|klar|krumm|schief|steif|still|wach|warm|wett|kehrt|preis|bekannt)"
)


def _weak_siblings(word: str, listed: set[str]) -> set[str]:
    """Return the finite forms that follow from two others, whatever the infinitive is: `du pulstest, ihr pulstet`."""
    if word.endswith("test") and f"{word[:-4]}tet" in listed:
        return {word[:-4] + end for end in ("te", "ten", "test", "tet")}
    return set()


def _siblings(word: str, listed: set[str]) -> set[str]:
    """Return forms that must be finite if this one is listed. They confirm nothing: misspellings have such too."""
    if word.endswith("st") and len(word) > 4 and f"{word[:-2]}t" in listed:
        return {word[:-2] + end for end in ("", "e", "st", "t", "est", "et")}
    return {word} if _OF_IEREN.search(word) else set()


def _is_declined(word: str, listed: set[str]) -> bool:
    """Return whether a word is declined like an adjective (`kerngesundem`), as of a verb only participles are."""
    stems = (word, *(word.removesuffix(end) for end in ("e", "em", "en", "er", "es") if word.endswith(end)))
    return any(f"{stem}em" in listed for stem in stems)


def _seams(stem: str) -> list[int]:
    """Return the places where a participle may have its `ge`: in front, and behind a prefix."""
    found = _SEPARABLE.match(stem)
    return [0, found.end()] if found and found.end() < len(stem) - 1 else [0]


def _imperatives(infinitive: str) -> Iterator[str]:
    """Yield the forms without an e that the source lacks: `geh`, `handle`."""
    if infinitive.endswith("en"):
        yield infinitive[:-2]
    if infinitive.endswith(("ern", "eln")):
        yield f"{infinitive[:-3]}{infinitive[-2]}e"


def _with_or_without_e(form: str) -> Iterator[str]:
    """Yield other forms of the second person that the source lacks: `du gehest, ihr gehet`, `du kämst, ihr kämt`."""
    for short, full in (("st", "est"), ("t", "et")):
        if form.endswith(full):
            yield form.removesuffix(full) + short
        elif form.endswith(short):
            yield form.removesuffix(short) + full
    # `schosst` is `schoss-t`, for the second person of one and of many.
    if form.endswith(("sst", "ßt", "zt", "xt")):
        yield f"{form[:-1]}est"


def _joined(forms: Any) -> Iterator[str]:
    """Yield all forms of a tense, the prefix where it stands in a subordinate clause."""
    if isinstance(forms, str):
        yield forms
    elif isinstance(forms, list):
        yield "".join(reversed(forms))
    elif forms:
        for inner in forms.values():
            yield from _joined(inner)
