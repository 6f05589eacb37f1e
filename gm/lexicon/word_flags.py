"""The flags that say what is known about a word, and the files that hold them."""

from enum import IntFlag
from pathlib import Path
from typing import Final

WORDS: Final = Path(__file__).with_name("german.words")
"""The trie of all words; then for each word, in the order of the trie, its kind; then its spelling (a byte each)."""
FACTS: Final = Path(__file__).with_name("german.json")
"""Name, version, licence, sources, and what the bytes for kind and spelling mean."""


class Flag(IntFlag):
    """What is known of a word. The names stand in `german.json`."""

    WORD = 1
    """An entry of a dictionary or one of its inflections."""
    PLACE = 2
    FIRST = 4
    FAMILY = 8
    PROPER = 16
    """Another name: gods, stars, buildings."""
    BRAND = 32
    """A firm or what it sells, and nothing else."""
    ABBREVIATION = 64
    SPOKEN = 128
    """An abbreviation that is spoken as a word (UNO): doubtful."""
    ACCENT = 256
    """Only spelt with an accent or another special sign."""
    PHRASE = 512
    """Only part of a phrase (nolens volens): doubtful."""
    UNSURE = 1024
    """Known, but no dictionary could be looked up: doubtful."""
    NOUN = 2048
    """The base form of a noun."""
    CAPITAL = 4096
    """Also spelt with a capital: a form of a noun."""
    INFINITIVE = 8192
    FINITE = 16384
    """Nothing but a finite form of a verb."""
    PARTICIPLE = 32768
    """Nothing but a participle that no list has as an adjective."""
    UMLAUT = 65536
    """Only spelt with Ä, Ö, Ü or ß. The file doesn't hold it: it follows from the spelling."""
    FOREIGN = 131072
    """Foreign or dialect, where that is known."""
    SLUR = 262144
    """Judged like any word, never suggested."""


NAMES: Final = Flag.PLACE | Flag.FIRST | Flag.FAMILY | Flag.PROPER
