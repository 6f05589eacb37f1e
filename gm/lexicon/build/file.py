"""Writes the files of the list: the trie with two bytes for each word, and what these bytes mean."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import marisa_trie

from gm.lexicon.build.additions import ADDITIONS
from gm.lexicon.build.collect import TWO_LETTERS, collect
from gm.lexicon.build.entries import Entries
from gm.lexicon.build.packages import main_date
from gm.lexicon.build.sources import BuildError, fetch, sha256, sources
from gm.lexicon.word_flags import FACTS, WORDS, Flag

NAME: Final = "german"
VERSION: Final = "2"


def write(entries: Entries, date: str, words: Path, facts: Path) -> None:
    """Write the list and the facts about it."""
    trie = marisa_trie.Trie(
        sorted(entries.flags), num_tries=1, cache_size=marisa_trie.HUGE_CACHE, order=marisa_trie.LABEL_ORDER
    )
    order = [trie.restore_key(number) for number in range(len(trie))]
    kinds, flags = _numbered([int(entries.flags[word]) for word in order])
    spellings, patterns = _numbered(_without_rare([entries.pattern(word) for word in order]))
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
                "sources": [asdict(source) for source in sources()],
                "own": {path.name: sha256(path) for path in (ADDITIONS, TWO_LETTERS)},
                "kinds": [[str(flag.name) for flag in Flag(value)] for value in flags],
                "spellings": patterns,
            },
            ensure_ascii=False,
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )


def _without_rare(patterns: Sequence[str]) -> list[str]:
    """Keep only the first spelling of patterns that few words have: more than 256 patterns don't fit into a byte."""
    count = Counter(patterns)
    return [pattern if count[pattern] > 2 else pattern.partition(" ")[0] for pattern in patterns]


def _numbered(values: Sequence[Any]) -> tuple[bytes, list[Any]]:
    """Number the values that occur, in order: gives the number of each as a byte, and the list of them."""
    known = sorted(set(values))
    if len(known) > 256:
        raise BuildError(f"{len(known)} different values don't fit into a byte.")
    number = {value: at for at, value in enumerate(known)}
    return bytes(number[value] for value in values), known


def build(folder: Path, words: Path = WORDS, facts: Path = FACTS) -> None:
    """Build the list from the packages in a folder."""
    fetch(folder)
    write(collect(folder), main_date(folder), words, facts)
