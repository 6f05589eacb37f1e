"""What a site was made from and which of its files are ours: read before an export, written with it.

It lies in parts, so that a closed round costs no more in a zine of 100,000 games: each has what belongs to some
folders, whichever their names' checksums say, and few enough. The first file knows the checksums of the others; of few
games it is the only one. The same site always has the same bytes.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError

NAME: Final = ".manifest.json"
PARTS: Final = ".manifest"
"""The folder of the parts, where there are several."""
GAMES: Final = "partien"
"""The folder of the games' folders."""
FULL: Final = 400
"""Games and pages in a part; with more, sixteen parts take its place."""

_DEEP: Final = {"partien": 3, "personen": 2, "woerter": 2, "gestrichen": 2, "ewige-tabelle": 2, "statistik": 2}
"""How many folders deep pages lie that are made anew together."""

Fetch = Callable[[str], bytes | None]


class Damaged(Exception):  # noqa: N818  nobody outside hears of it
    """A part isn't what the first file says it is."""


def folder_of(path: str) -> str:
    """Say with which others a page is made anew: `personen/anna-b` for all of hers."""
    folders = path.split("/")[:-1]
    return "/".join(folders[: _DEEP.get(folders[0], 1)] if folders else ())


@lru_cache(maxsize=512)  # most games have files of the same names
def _key(shape: tuple[str, ...]) -> str:
    return blake2b("\n".join(shape).encode(), digest_size=6).hexdigest()


@dataclass(kw_only=True)
class Part:
    """Stamps of games by folder, checksums of the other pages by path, and the files of each game.

    Thousands of games have files of the same names: such a list stands there once, as a shape.
    """

    games: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Names below a game's folder."""
    shape_of: dict[str, str] = field(default_factory=dict)

    @property
    def is_used(self) -> bool:
        """Say whether anything stands in it."""
        return bool(self.games or self.pages)

    def names(self, slug: str) -> tuple[str, ...]:
        """List the files of a game, below its folder."""
        return self.shapes.get(self.shape_of.get(slug, ""), ())

    def add(self, slug: str, stamp: str, names: Iterable[str]) -> None:
        """Note a game and its files."""
        shape = tuple(sorted(names))
        key = _key(shape)
        self.games[slug], self.shape_of[slug], self.shapes[key] = stamp, key, shape

    def files(self) -> Iterator[str]:
        """List all files."""
        yield from self.pages
        for slug in self.games:
            yield from (f"{GAMES}/{slug}/{name}" for name in self.names(slug))

    def values(self) -> dict[str, Any]:
        """Give what stands in the file."""
        used = set(self.shape_of.values())
        return {**vars(self), "shapes": {key: shape for key, shape in self.shapes.items() if key in used}}


@dataclass(kw_only=True)
class Owed:
    """Lists of a big zine that are made less often: which wait, for what, and when those that rest were made."""

    lists: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    ended: list[tuple[int, str]] = field(default_factory=list)
    resting: dict[str, tuple[int, int]] = field(default_factory=dict)
    """When a list was made, and for how many seconds it stays as it is."""


@dataclass(kw_only=True)
class _First(Part):
    """The first file: itself the only part where it names no others."""

    schema: Literal[1] = 1
    form: str = ""
    owed: Owed = field(default_factory=Owed)
    count: int = 0
    parts: dict[str, str] = field(default_factory=dict)
    """Parts by name, with their checksums."""


_FIRST: Final = TypeAdapter(_First)
_PART: Final = TypeAdapter(Part)


def _nothing(_: str) -> None:
    return None


class Manifest:
    """All parts as one. Those that nobody asks for aren't read. Raises Damaged wherever one is."""

    def __init__(self, form: str = "", first: _First | None = None, fetch: Fetch = _nothing) -> None:
        first = first or _First(form=form)
        self.form = first.form
        self.owed = first.owed
        self.gone: set[str] = set()
        """Files that have been ours and aren't noted any more."""
        self.mark = ""
        """The checksum of all that it says, as it was read or written; empty for one that is new."""
        self._sums, self._fetch = first.parts, fetch
        self._depth = len(next(iter(first.parts), ""))
        self._parts = {} if self._depth else {"": Part(**{name: getattr(first, name) for name in vars(Part())})}
        self._count = first.count if self._depth else len(first.games) + len(first.pages)
        self._changed: set[str] = set()

    # -- what it says --------------------------------------------------------------------------------------------------

    def stamp(self, slug: str) -> str | None:
        """Say what a game's pages were made from; None where there are none."""
        return self._of(f"{GAMES}/{slug}").games.get(slug)

    def names(self, slug: str) -> tuple[str, ...]:
        """List the files of a game, below its folder."""
        return self._of(f"{GAMES}/{slug}").names(slug)

    def page(self, path: str) -> str | None:
        """Say what another page was made from."""
        return self._of(folder_of(path)).pages.get(path)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.page(path) is not None

    def pages_in(self, folder: str) -> list[str]:
        """List the pages that are made anew together."""
        return [path for path in self._of(folder).pages if folder_of(path) == folder]

    def games(self) -> dict[str, str]:
        """Give the stamps of all games."""
        return {slug: stamp for part in self._all() for slug, stamp in part.games.items()}

    def pages(self) -> set[str]:
        """List all other pages."""
        return {path for part in self._all() for path in part.pages}

    def files(self) -> set[str]:
        """List all files."""
        return {path for part in self._all() for path in part.files()}

    def parts(self) -> set[str]:
        """List the files of its own beside the first."""
        return {_path(key) for key in self._sums}

    # -- what it shall say ---------------------------------------------------------------------------------------------

    def add(self, slug: str, stamp: str, names: Iterable[str]) -> None:
        """Note a game and its files."""
        before, is_new = self._paths(slug), self.stamp(slug) is None
        self._changing(f"{GAMES}/{slug}", int(is_new)).add(slug, stamp, names)
        self.gone = (self.gone | before) - self._paths(slug)

    def _paths(self, slug: str) -> set[str]:
        return {f"{GAMES}/{slug}/{name}" for name in self.names(slug)}

    def drop(self, slug: str) -> None:
        """Note that a game has no pages any more."""
        if self.stamp(slug) is not None:
            self.add(slug, "", ())
            part = self._changing(f"{GAMES}/{slug}", -1)
            del part.games[slug], part.shape_of[slug]

    def add_page(self, path: str, made_from: str) -> None:
        """Note another page."""
        if (before := self.page(path)) != made_from:
            self._changing(folder_of(path), int(before is None)).pages[path] = made_from
        self.gone.discard(path)

    def drop_page(self, path: str) -> None:
        """Note that a page is no more."""
        if self.page(path) is not None:
            del self._changing(folder_of(path), -1).pages[path]
            self.gone.add(path)

    # -- files ---------------------------------------------------------------------------------------------------------

    def written(self) -> dict[str, bytes]:
        """Write the files that are new, the first one last: the same bytes whenever they say the same."""
        before = self.parts()
        self._part_anew()
        changed = sorted(self._changed) if self._depth else []
        texts = {key: _json(self._parts[key].values()) for key in changed if self._parts[key].is_used}
        self._sums = {key: known for key, known in self._sums.items() if key not in changed}
        self._sums |= {key: _sum(text) for key, text in texts.items()}
        self.gone |= before - self.parts()
        owed = {} if self.owed == Owed() else {"owed": asdict(self.owed)}
        own = {"parts": self._sums, "count": self._count} if self._depth else self._parts[""].values()
        first = _json({"schema": 1, "form": self.form, **own, **owed})
        self.mark = _sum(first)
        return {**{_path(key): text for key, text in texts.items()}, NAME: first}

    def _part_anew(self) -> None:
        """Put everything into more or fewer parts where that has become necessary."""
        depth = next(depth for depth in range(16) if self._count <= FULL * 16**depth)
        if depth == self._depth:
            return
        everything = list(self._all())
        self._depth, self._parts, self._sums = depth, {}, {}
        if not depth:
            self._parts[""] = Part()
        self._changed = set(self._parts)
        for part in everything:
            for slug, stamp in part.games.items():
                self._changing(f"{GAMES}/{slug}", 0).add(slug, stamp, part.names(slug))
            for path, made_from in part.pages.items():
                self._changing(folder_of(path), 0).pages[path] = made_from

    def _changing(self, folder: str, more: int) -> Part:
        self._count += more
        self._changed.add(self._name(folder))
        return self._of(folder)

    def _of(self, folder: str) -> Part:
        return self._part(self._name(folder))

    def _name(self, folder: str) -> str:
        return blake2b(folder.encode(), digest_size=8).hexdigest()[: self._depth]

    def _part(self, key: str) -> Part:
        if key not in self._parts:
            self._parts[key] = _read(self._fetch(_path(key)), self._sums[key]) if key in self._sums else Part()
        return self._parts[key]

    def _all(self) -> Iterator[Part]:
        for key in sorted(self._sums.keys() | self._parts.keys()):
            yield self._part(key)


def read(content: bytes, fetch: Fetch = _nothing) -> Manifest | None:
    """Read the first file; None where it is damaged, or another version's."""
    try:
        found = Manifest(first=_FIRST.validate_json(content), fetch=fetch)
    except ValidationError:
        return None
    found.mark = _sum(content)
    return found


def _read(content: bytes | None, checksum: str) -> Part:
    if content is None or _sum(content) != checksum:
        raise Damaged
    return _PART.validate_json(content)


def _path(key: str) -> str:
    return f"{PARTS}/{key}.json"


def _sum(content: bytes) -> str:
    return blake2b(content, digest_size=12).hexdigest()


def _json(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, sort_keys=True) + "\n").encode()


def digest(*values: object) -> str:
    """Give a short checksum of values that print the same whenever they are the same."""
    return blake2b(repr(values).encode(), digest_size=12).hexdigest()
