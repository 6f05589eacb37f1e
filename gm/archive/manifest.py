"""What each file of the site was made from, as a checksum. It is read before an export and written with it.

Files are noted by the folder they belong to. The folders are spread over 256 parts by a checksum of their names, so a
closed round reads and writes a few small parts, however many games there are. The first file holds the checksums of the
parts. The same site always has the same bytes here.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError

NAME: Final = ".manifest.json"
"""The first file."""
PARTS: Final = ".manifest"
"""The folder of the parts."""
GAMES: Final = "partien"
"""The folder of the games' folders."""

Fetch = Callable[[str], bytes | None]
"""Reads a file of the site; None where there is none."""


class Damaged(Exception):  # noqa: N818  nobody outside hears of it
    """A part isn't what the first file says it is."""


def digest(*values: object) -> str:
    """Give a short checksum of values that print the same whenever they are the same."""
    return _checksum(repr(values).encode())


def folder_of(path: str) -> str:
    """Name the folder that a file is noted in: `personen/anna-b` for all pages of hers."""
    return "/".join(path.split("/")[:-1][:2])


def game_folder(slug: str) -> str:
    """Name the folder of a game's pages."""
    return f"{GAMES}/{slug}"


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What has changed in the games that lists show; None: it may be everything."""

    people: tuple[str, ...] | None = None
    """The folders of those who sit or sat in games that begin, end or change hands, as they were before and are now."""
    words: tuple[str, ...] | None = None
    """The sort keys of the words of those games, before and now."""
    ended: tuple[tuple[int, str], ...] | None = None
    """Year of the end and kind of those games that were over before or are now."""

    @property
    def kinds(self) -> set[str] | None:
        """The kinds of games whose results have changed."""
        return None if self.ended is None else {kind for _, kind in self.ended}

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            people=_both(self.people, other.people), words=_both(self.words, other.words),
            ended=_both(self.ended, other.ended),
        )  # fmt: skip


def _both(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    return None if one is None or other is None else tuple(sorted({*one, *other}))


@dataclass(frozen=True, kw_only=True)
class LongLists:
    """When the long lists of a big zine were made, and what has changed since."""

    made_at: int = 0
    seconds: int = 0
    """How long they stay as they are."""
    changes: Changes | None = None
    """None: nothing that they show has changed."""

    def are_due(self, now: int) -> bool:
        """Whether they have to be made."""
        return self.changes is not None and not self.are_resting(now)

    def are_resting(self, now: int) -> bool:
        """Whether they must not be made yet. A clock that was ahead holds nothing up."""
        return self.made_at <= now < self.made_at + self.seconds


@dataclass(frozen=True, kw_only=True)
class _First:
    """What the first file holds."""

    schema: Literal[2] = 2
    version: str
    long_lists: LongLists
    parts: dict[str, str] = field(default_factory=dict)
    """Parts by name, with their checksums."""


_FIRST: Final = TypeAdapter(_First)

_Part = dict[str, dict[str, str]]
"""Folder -> the names of its files -> what each was made from."""


class Manifest:
    """What the site was made from. Parts are read when they are needed; Damaged is raised where one can't be."""

    def __init__(self, version: str = "") -> None:
        self.version = version
        """What all pages rest on beside their games."""
        self.long_lists = LongLists()
        self.gone: set[str] = set()
        """Files that have been ours and aren't noted any more."""
        self.mark = ""
        """The checksum of all that it says, as it was read or written; empty for one that is new."""
        self._checksums: dict[str, str] = {}
        self._parts: dict[str, _Part] = {}
        self._changed: set[str] = set()
        self._fetch: Fetch = lambda _: None

    @classmethod
    def read(cls, content: bytes, fetch: Fetch) -> "Manifest | None":
        """Read the first file; None where it is damaged, or another version's."""
        try:
            first = _FIRST.validate_json(content)
        except ValidationError:
            return None
        found = cls(first.version)
        found.long_lists, found.mark = first.long_lists, _checksum(content)
        found._checksums, found._fetch = first.parts, fetch
        return found

    # -- what it says --------------------------------------------------------------------------------------------------

    def made_from(self, path: str) -> str | None:
        """Give what a file was made from; None where it isn't ours."""
        folder = folder_of(path)
        return self._files(folder).get(_below(folder, path))

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.made_from(path) is not None

    def game(self, slug: str) -> str | None:
        """Give what a game's pages were made from; None where there are none."""
        return next(iter(self._files(game_folder(slug)).values()), None)

    def files_in(self, folder: str) -> list[str]:
        """List the files of a folder and of those below it."""
        noted_in = "/".join(folder.split("/")[:2])
        paths = (f"{noted_in}/{name}" for name in self._files(noted_in))
        return [path for path in paths if path.startswith(f"{folder}/")]

    def games(self) -> dict[str, str]:
        """Give what the pages of all games were made from."""
        return {
            folder.removeprefix(f"{GAMES}/"): next(iter(files.values()))
            for folder, files in self._folders() if _is_of_a_game(folder)
        }  # fmt: skip

    def pages(self) -> set[str]:
        """List all files but those of games."""
        return {
            path for folder, files in self._folders() if not _is_of_a_game(folder)
            for path in _paths(folder, files)
        }  # fmt: skip

    def files(self) -> set[str]:
        """List all files of the site."""
        return {path for folder, files in self._folders() for path in _paths(folder, files)}

    def parts(self) -> set[str]:
        """List its own files beside the first."""
        return {_part_path(key) for key in self._checksums}

    # -- what it shall say ---------------------------------------------------------------------------------------------

    def note_game(self, slug: str, made_from: str, names: Iterable[str]) -> None:
        """Note a game's files, by their names in its folder, in place of those that it had."""
        folder = game_folder(slug)
        paths = {f"{folder}/{name}" for name in names}
        for path in {*self.files_in(folder)} - paths:
            self.drop(path)
        for path in paths:
            self.note(path, made_from)

    def note(self, path: str, made_from: str) -> None:
        """Note a file."""
        if self.made_from(path) != made_from:
            folder = folder_of(path)
            self._files_to_change(folder)[_below(folder, path)] = made_from
        self.gone.discard(path)

    def drop(self, path: str) -> None:
        """Note that a file is no more."""
        if path in self:
            folder = folder_of(path)
            del self._files_to_change(folder)[_below(folder, path)]
            self.gone.add(path)

    # -- its own files -------------------------------------------------------------------------------------------------

    def written(self) -> dict[str, bytes]:
        """Write those of its files that have changed; the first one comes last."""
        texts: dict[str, bytes] = {}
        for key in sorted(self._changed):
            part = {folder: files for folder, files in self._parts[key].items() if files}
            if part:
                texts[_part_path(key)] = content = _json(part)
                self._checksums[key] = _checksum(content)
            elif self._checksums.pop(key, None):
                self.gone.add(_part_path(key))
        parts = dict(sorted(self._checksums.items()))
        first = _First(version=self.version, long_lists=self.long_lists, parts=parts)
        texts[NAME] = _FIRST.dump_json(first) + b"\n"
        self.mark = _checksum(texts[NAME])
        return texts

    def _files(self, folder: str) -> Mapping[str, str]:
        return self._part(_key(folder)).get(folder, {})

    def _files_to_change(self, folder: str) -> dict[str, str]:
        self._changed.add(_key(folder))
        return self._part(_key(folder)).setdefault(folder, {})

    def _part(self, key: str) -> _Part:
        if key not in self._parts:
            self._parts[key] = self._read_part(key) if key in self._checksums else {}
        return self._parts[key]

    def _read_part(self, key: str) -> _Part:
        content = self._fetch(_part_path(key))
        if content is None or _checksum(content) != self._checksums[key]:
            raise Damaged
        part: _Part = json.loads(content)
        return part

    def _folders(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        for key in sorted(self._checksums.keys() | self._parts.keys()):
            yield from ((folder, files) for folder, files in self._part(key).items() if files)


def _is_of_a_game(folder: str) -> bool:
    """Whether a folder is a game's, and not that of a year beside them: names of games begin with a letter."""
    above, _, name = folder.partition("/")
    return above == GAMES and name != "" and not name.isdecimal()


def _paths(folder: str, names: Iterable[str]) -> Iterator[str]:
    return (f"{folder}/{name}" if folder else name for name in names)


def _below(folder: str, path: str) -> str:
    return path.removeprefix(f"{folder}/")


def _key(folder: str) -> str:
    return blake2b(folder.encode(), digest_size=1).hexdigest()


def _part_path(key: str) -> str:
    return f"{PARTS}/{key}.json"


def _checksum(content: bytes) -> str:
    return blake2b(content, digest_size=12).hexdigest()


def _json(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, sort_keys=True) + "\n").encode()
