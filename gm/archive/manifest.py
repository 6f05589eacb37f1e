"""What a site was made from and which of its files are ours: read before an export, written with it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal

from pydantic import TypeAdapter, ValidationError

NAME: Final = ".manifest.json"
GAMES: Final = "partien"
"""The folder of the games' folders."""


@lru_cache(maxsize=512)  # most games have files of the same names
def _key(shape: tuple[str, ...]) -> str:
    return blake2b("\n".join(shape).encode(), digest_size=6).hexdigest()


@dataclass(kw_only=True)
class Manifest:
    """Stamps of games by folder, checksums of the other pages by path, and the files of each game.

    Thousands of games have files of the same names: such a list stands there once, as a shape.
    """

    schema: Literal[1] = 1
    form: str = ""
    games: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Names below a game's folder."""
    shape_of: dict[str, str] = field(default_factory=dict)

    def add(self, slug: str, stamp: str, names: Iterable[str]) -> None:
        """Note a game and its files."""
        shape = tuple(sorted(names))
        key = _key(shape)
        self.games[slug], self.shape_of[slug], self.shapes[key] = stamp, key, shape

    def names(self, slug: str) -> tuple[str, ...]:
        """List the files of a game, below its folder."""
        return self.shapes.get(self.shape_of.get(slug, ""), ())

    def lost(self, after: "Manifest") -> set[str]:
        """List the files that `after` has no more."""
        changed = [slug for slug, key in self.shape_of.items() if after.shape_of.get(slug) != key]
        of_games = {
            f"{GAMES}/{slug}/{name}" for slug in changed for name in set(self.names(slug)) - set(after.names(slug))
        }
        return of_games | (self.pages.keys() - after.pages.keys())

    def to_json(self) -> bytes:
        """Write the file: the same bytes whenever it says the same."""
        return (json.dumps(vars(self), sort_keys=True) + "\n").encode()


_ADAPTER: Final = TypeAdapter(Manifest)


def read(content: bytes) -> Manifest | None:
    """Read the file; None where it is damaged, or another version's."""
    try:
        return _ADAPTER.validate_json(content)
    except ValidationError:
        return None
