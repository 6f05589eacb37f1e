"""Sentences in files beside a game's rules, one a language: `words.de.toml` with lines `CODE = "sentence"`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

Language: TypeAlias = str
"""`de`, `en`: what the name of a file says in which its sentences are."""

Wording: TypeAlias = Mapping[str, Mapping[Language, str]]
"""Code -> language -> sentence with `{placeholders}`. Every code has every language (checked by the testkit)."""

_SHARED: Final = "games.shared"
LANGUAGES: Final[tuple[Language, ...]] = tuple(
    sorted(file.name.split(".")[1] for file in files(_SHARED).iterdir() if file.name.startswith("common."))
)
"""The languages that players may read: those of the sentences that most games share."""


def wording_of(package: str, *shared: str) -> Wording:
    """Read the sentences of a game in its package, and what of `games.shared` it says: `common`, `rounds`."""
    return {**{code: said for name in shared for code, said in read(_SHARED, name).items()}, **read(package, "words")}


@cache
def read(package: str, name: str) -> Wording:
    """Read the files of a name in a package. Where a language has none, English stands for it, else what there is."""
    found = {language: _sentences(package, f"{name}.{language}.toml") for language in LANGUAGES}
    usual = found.get("en") or next(filter(None, found.values()), {})
    return {
        code: {language: sentences.get(code, sentence) for language, sentences in found.items()}
        for code, sentence in usual.items()
    }


def _sentences(package: str, name: str) -> Mapping[str, str]:
    file = files(package) / name
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
