"""The folder of the site: what it holds, and how new files take the place of old ones.

New files are staged in `.new`. When all are there, a list of moves is written, and only then is anything moved. So a
process that ends before that leaves the site as it was, and the next one goes on with the staged games. One that ends
while it moves files is finished by the next. Files of others are neither deleted nor written over.
"""

import errno
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from gm.app.issues import PUBLISHED
from gm.archive import manifest
from gm.archive.manifest import GAMES, Manifest, game_folder
from gm.runtime import drafts
from gm.runtime.errors import ArchiveBusy, ArchiveError
from gm.runtime.file_lock import FileLock

STAGING: Final = ".new"

_NO_LOCKS: Final = (errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EINVAL)
"""What file systems answer that know no locks: there, nothing but good sense keeps two apart."""


@dataclass(frozen=True, kw_only=True)
class Staged:
    """A game whose new files are staged."""

    slug: str
    made_from: str
    version: str
    """By which program and settings."""
    names: tuple[str, ...]
    """All its files, by their names in its folder."""
    new: tuple[str, ...]
    """Those that differ from the site's."""


_STAGED: Final = TypeAdapter(Staged)


class Site:
    """A folder with a site, or for one. Of several processes only one has it open."""

    def __init__(self, folder: Path, version: str) -> None:
        self.folder = folder
        self.manifest: Manifest | None = None
        """What the site was made from; None where that can't be read."""
        self.staged: dict[str, Staged] = {}
        """Games whose files are staged, also those that an earlier process has left, by folder."""
        self.foreign: list[str] = []
        """Where a file would have to go, but somebody else's lies."""
        self._version = version
        self._staging = folder / STAGING
        self._orders = self._staging / "orders.json"
        self._log = self._staging / "games.jsonl"
        self._pages: list[str] = []
        self._lock = FileLock(folder / ".lock", drafts.FOR_ALL)

    # -- open and close ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Finish what another process has begun to move, and find what it has staged. Raises ArchiveError."""
        check(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        if self._orders.exists():
            with suppress(ValueError):  # torn by a loss of power; the manifest is still the old one: all is made again
                self._carry_out(json.loads(self._orders.read_bytes()))
            shutil.rmtree(self._staging)
        for line in self._log.read_bytes().splitlines() if self._log.exists() else ():
            with suppress(ValidationError):  # one that a killed process was writing may be torn
                self._add(_STAGED.validate_json(line))
        content = self.read(manifest.NAME)
        self.manifest = Manifest() if content is None else Manifest.read(content, self.read)

    def _add(self, game: Staged) -> None:
        if game.version == self._version:
            self.staged[game.slug] = game

    def close(self) -> None:
        """Let other processes open it."""
        self._lock.release()

    def _take_lock(self) -> None:
        """Keep others out. Raises ArchiveBusy."""
        try:
            is_ours = self._lock.take()
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        else:
            if not is_ours:
                says = f"Another gm is writing the archive {self.folder} right now; try again when it is done."
                raise ArchiveBusy(says)

    def give_up_manifest(self) -> None:
        """Go on without the manifest, as a part of it is damaged; staged games stay, list pages are made again."""
        self.manifest, self._pages, self.foreign = None, [], []

    def clear_staging(self) -> None:
        """Delete what is staged."""
        if self._staging.exists():
            shutil.rmtree(self._staging, ignore_errors=True)
        self.staged, self._pages = {}, []

    # -- what is there -------------------------------------------------------------------------------------------------

    def read(self, path: str) -> bytes | None:
        """Read a file of the site as it is now."""
        try:
            return (self.folder / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def read_staged(self, path: str) -> bytes | None:
        """Read a file as it will be."""
        file = self._staged_file(path)
        return file.read_bytes() if file.is_file() else self.read(path)

    def read_of_game(self, slug: str, name: str) -> bytes | None:
        """Read a file of a game as it will be: the staged one, if the game's pages are staged."""
        path = f"{game_folder(slug)}/{name}"
        return self.read_staged(path) if slug in self.staged else self.read(path)

    def names(self, slug: str) -> tuple[str, ...]:
        """List what lies in a game's folder."""
        below = self.folder / game_folder(slug)
        return tuple(sorted(file.relative_to(below).as_posix() for file in below.rglob("*") if file.is_file()))

    def games(self) -> set[str]:
        """List the folders that hold a game."""
        return {file.parent.name for file in (self.folder / GAMES).glob("*/partie.json")}

    # -- new files -----------------------------------------------------------------------------------------------------

    def stage_game(self, slug: str, made_from: str, files: Mapping[str, bytes]) -> Staged:
        """Stage a game's files, given by path. They count when `log` has noted the game."""
        folder = game_folder(slug)
        shutil.rmtree(self._staged_file(folder), ignore_errors=True)
        ours = [path for path, content in files.items() if not self._is_foreign(path, content)]
        new = [path for path in ours if self._put(path, files[path])]
        return Staged(
            slug=slug, made_from=made_from, version=self._version,
            names=tuple(path.removeprefix(f"{folder}/") for path in ours),
            new=tuple(path.removeprefix(f"{folder}/") for path in new),
        )  # fmt: skip

    def log(self, games: Sequence[Staged]) -> None:
        """Note games whose files are all staged: a later process needn't make them again."""
        if not games:
            return
        self._staging.mkdir(exist_ok=True)
        with self._log.open("a", encoding="utf-8") as file:
            # A torn line of a killed process must not swallow ours.
            file.write("".join(f"\n{json.dumps(asdict(game))}" for game in games) + "\n")
        for game in games:
            self._add(game)

    def stage(self, path: str, content: bytes) -> bool:
        """Stage a page; False where somebody else's file lies in its place."""
        if self._is_foreign(path, content):
            return False
        if self._put(path, content):
            self._pages.append(path)
        return True

    def _is_foreign(self, path: str, content: bytes) -> bool:
        """Whether somebody else's file lies there. Without a manifest every file is taken for ours."""
        if self.manifest is None or path in self.manifest or self.read(path) in (None, content):
            return False
        self.foreign.append(path)
        return True

    def _put(self, path: str, content: bytes) -> bool:
        """Stage a file unless the site has it already."""
        if self.read(path) == content:
            return False
        file = self._staged_file(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return True

    def _staged_file(self, path: str) -> Path:
        return self._staging / "files" / path

    # -- all at once ---------------------------------------------------------------------------------------------------

    def commit(self, notes: Mapping[str, bytes], gone: Iterable[str]) -> int:
        """Move all that is staged into place and delete what is `gone`. Gives the number of new files.

        Last come the `notes`, the files of the manifest.
        """
        leaving = sorted(gone)
        new_notes = [path for path, content in notes.items() if self._put(path, content)]
        files = sum(len(game.new) for game in self.staged.values()) + len(self._pages)
        if new_notes or files or leaving:
            self._staging.mkdir(exist_ok=True)
            orders = {"move": [*self._moves(), *new_notes], "delete": leaving}
            drafts.replace(self._orders, json.dumps(orders).encode())
            self._carry_out(orders)
        self.clear_staging()
        return files

    def _moves(self) -> list[str]:
        """Sort what has to be moved: first files that no page links to yet, then those that have links to them.

        The start page goes last of the new ones: until then, nothing of a first site can be reached.
        """
        folders, files = [], []
        for game in self.staged.values():
            folder = game_folder(game.slug)
            if (self.folder / folder).exists():
                files += [f"{folder}/{name}" for name in game.new]
            else:
                folders.append(folder)
        pages = sorted(self._pages, key=lambda path: (-path.count("/"), path == "index.html", path))
        is_there = {path: (self.folder / path).exists() for path in (*files, *pages)}
        return [*folders, *sorted((*files, *pages), key=is_there.__getitem__)]

    def _carry_out(self, orders: Mapping[str, Sequence[str]]) -> None:
        for path in orders["move"]:
            _move(self._staged_file(path), self.folder / path)
        for path in orders["delete"]:
            file = self.folder / path
            with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                file.unlink()
            with suppress(OSError):  # something else lies there
                while (file := file.parent) != self.folder:
                    file.rmdir()


def _move(source: Path, target: Path) -> None:
    """Move a file, or a folder to where there is none yet. Files that were moved before are left."""
    try:
        source.replace(target)
    except FileNotFoundError:
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
    except OSError:
        if not (source.is_dir() and target.is_dir()):  # each system has an error of its own for that
            raise
        for below in sorted(source.iterdir()):
            _move(below, target / below.name)


@contextmanager
def opened(folder: Path, version: str) -> Iterator[Site]:
    """Open a site; only games staged by this `version` of program and settings are used. Raises ArchiveError.

    So does every error of the disk within the block.
    """
    site = Site(folder, version)
    try:
        site.open()
        yield site
    except OSError as error:
        if error.errno in _FULL and not (folder / STAGING / "orders.json").exists():
            site.clear_staging()  # the room is needed
        raise ArchiveError(_sentence(folder, error)) from error
    finally:
        site.close()


_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


_IN_THE_WAY: Final = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST)


def _sentence(folder: Path, error: OSError) -> str:
    path = Path(error.filename2 or error.filename or folder)
    place, mend = f"The archive {folder} can't be written: ", "make room" if error.errno in _FULL else "mend that"
    if error.errno in _IN_THE_WAY:
        there = next(one for one in (path, *path.parents) if one.exists())
        what, wanted = ("folder", "file") if there.is_dir() else ("file", "folder")
        place, mend = f"{place}{there} is a {what} where a {wanted} has to be", "move it away"
    else:
        place += f"{error.strerror or error}{f' ({path})' if path != folder else ''}"
    if (folder / STAGING / "orders.json").exists():
        return f"{place}; {mend} and try again, the next export finishes what this one has begun."
    return f"{place}; {mend} and try again, the site is as it was."


def check(folder: Path) -> None:
    """Check that a site can be in this folder. Raises ArchiveError, with what to do."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise ArchiveError(f"{there} is a file; the archive needs a folder: name another one.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ArchiveError(f"{there} can't be written to; check its rights, or name another folder.")
    if there != folder:
        return
    inside = {path.name for path in folder.iterdir()}
    is_ours = manifest.NAME in inside or (folder / STAGING / "orders.json").exists()
    if not is_ours and any(not name.startswith(".") and name not in ("lost+found", PUBLISHED) for name in inside):
        raise ArchiveError(
            f"{folder} has files in it and no archive of pages; name an empty folder, or a new one: it will be made."
        )
