"""The folder of the site: what it holds, and how new pages take the place of old ones.

New files wait in `.new`. When all are there, a list of what to do is written, and only then is anything moved: a
process that ends before leaves the old site as it was, and the next one goes on with what waits; one that ends in the
middle of moving is finished by the next. Files of others are neither deleted nor written over.
"""

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from gm.archive import manifest
from gm.archive.manifest import GAMES, Manifest
from gm.runtime.errors import ArchiveBusy, ArchiveError

STAGING: Final = ".new"

_NO_LOCKS: Final = (errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EINVAL)
"""What file systems answer that know no locks on a folder: there, nothing but good sense keeps two apart."""


@dataclass(frozen=True, kw_only=True)
class Staged:
    """A game whose pages wait: what they were made from, all its files, and those that differ from the site's."""

    slug: str
    stamp: str
    form: str
    names: tuple[str, ...]
    new: tuple[str, ...]


_STAGED: Final = TypeAdapter(Staged)


class Site:
    """A folder with a site, or that shall get one. Of several processes only one has it open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waiting: dict[str, Staged] = {}
        """Games whose pages wait, also those that an earlier process has left."""
        self.foreign: list[str] = []
        """Where a page would have to go, but somebody else's file lies."""
        self._staging = folder / STAGING
        self._orders = self._staging / "orders.json"
        self._log = self._staging / "games.jsonl"
        self._pages: list[str] = []
        self._lock = -1

    # -- open and close ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Stand ready: finish what another process had begun to move, find what it had made. Raises ArchiveError."""
        check(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder)
        if self._orders.exists():
            with suppress(ValueError):  # torn by a loss of power; the manifest is still the old one: all is made again
                self._carry_out(json.loads(self._orders.read_bytes()))
            shutil.rmtree(self._staging)
        for line in self._log.read_bytes().splitlines() if self._log.exists() else ():
            with suppress(ValidationError):  # one that a killed process was writing may be torn
                entry = _STAGED.validate_json(line)
                self.waiting[entry.slug] = entry

    def close(self) -> None:
        """Let others at it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def drop(self) -> None:
        """Throw away what waits."""
        shutil.rmtree(self._staging, ignore_errors=True)
        self.waiting, self._pages = {}, []

    # -- what is there -------------------------------------------------------------------------------------------------

    def manifest(self) -> Manifest | None:
        """Say what the site was made from; None where that can't be read."""
        content = self.read(manifest.NAME)
        return Manifest() if content is None else manifest.read(content, self.read)

    def read(self, path: str) -> bytes | None:
        """Read a file of the site as it is now."""
        try:
            return (self.folder / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def read_staged(self, path: str) -> bytes | None:
        """Read a file as it will be."""
        file = self._staging / "files" / path
        return file.read_bytes() if file.is_file() else self.read(path)

    def names(self, slug: str) -> tuple[str, ...]:
        """List what lies in a game's folder."""
        below = self.folder / GAMES / slug
        return tuple(sorted(str(file.relative_to(below)) for file in below.rglob("*") if file.is_file()))

    def games(self) -> set[str]:
        """List the folders that hold a game."""
        return {file.parent.name for file in (self.folder / GAMES).glob("*/partie.json")}

    # -- new files -----------------------------------------------------------------------------------------------------

    def stage_game(
        self, slug: str, stamp: str, form: str, files: Mapping[str, bytes], own: Iterable[str] | None
    ) -> Staged:
        """Let a game's files wait for their places; `own` are those of ours that are there, None: any may be.

        It counts when `log` has noted it.
        """
        below, place = f"{GAMES}/{slug}", self.folder / GAMES / slug
        shutil.rmtree(self._staging / "files" / below, ignore_errors=True)
        mine = None if own is None else {f"{below}/{name}" for name in own}
        is_there = place.exists()
        left = {path for path, content in files.items() if is_there and self._is_foreign(path, content, mine)}
        new = [
            path for path, content in files.items() if path not in left and self._put(path, content, compare=is_there)
        ]
        names = [path.removeprefix(f"{below}/") for path in files if path not in left]
        return Staged(
            slug=slug, stamp=stamp, form=form, names=tuple(names),
            new=tuple(path.removeprefix(f"{below}/") for path in new),
        )  # fmt: skip

    def log(self, staged: Sequence[Staged]) -> None:
        """Note games that are complete: a later process needn't make them again."""
        if not staged:
            return
        self._staging.mkdir(exist_ok=True)
        with self._log.open("a", encoding="utf-8") as file:
            # A torn line of a killed process must not swallow ours.
            file.write("".join(f"\n{json.dumps(asdict(one))}" for one in staged) + "\n")
        self.waiting |= {one.slug: one for one in staged}

    def stage(self, path: str, content: bytes, own: Container[str] | None) -> bool:
        """Let a page wait for its place; False where somebody else's file lies there."""
        if self._is_foreign(path, content, own):
            return False
        if self._put(path, content, compare=True):
            self._pages.append(path)
        return True

    def _is_foreign(self, path: str, content: bytes, own: Container[str] | None) -> bool:
        if own is None or path in own or self.read(path) in (None, content):
            return False
        self.foreign.append(path)
        return True

    def _put(self, path: str, content: bytes, *, compare: bool) -> bool:
        if compare and self.read(path) == content:
            return False
        file = self._staging / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return True

    # -- all at once ---------------------------------------------------------------------------------------------------

    def commit(self, notes: Mapping[str, bytes], gone: Iterable[str]) -> int:
        """Move all that waits into place and take away what is gone; says how many files are new.

        Last come the `notes` on what the site was made from.
        """
        leaving = sorted(gone)
        news = [path for path, content in notes.items() if self._put(path, content, compare=True)]
        files = sum(len(one.new) for one in self.waiting.values()) + len(self._pages)
        if news or files or leaving:
            self._staging.mkdir(exist_ok=True)
            orders = {"move": [*self._order(), *news], "delete": leaving}
            unsure = self._orders.with_suffix(".tmp")
            unsure.write_text(json.dumps(orders), encoding="utf-8")
            unsure.replace(self._orders)
            self._carry_out(orders)
        self.drop()
        return files

    def _order(self) -> list[str]:
        """Sort what is to be moved: first what nobody can have a link to yet, then what has links to it.

        The start page goes last of the new ones: until then, nothing of a first site can be reached.
        """
        folders, files = [], []
        for one in self.waiting.values():
            below = f"{GAMES}/{one.slug}"
            if (self.folder / below).exists():
                files += [f"{below}/{name}" for name in one.new]
            else:
                folders.append(below)
        pages = sorted(self._pages, key=lambda path: (-path.count("/"), path == "index.html", path))
        is_there = {path: (self.folder / path).exists() for path in (*files, *pages)}
        return [*folders, *sorted((*files, *pages), key=is_there.__getitem__)]

    def _carry_out(self, orders: Mapping[str, Sequence[str]]) -> None:
        for path in orders["move"]:
            _move(self._staging / "files" / path, self.folder / path)
        for path in orders["delete"]:
            file = self.folder / path
            with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                file.unlink()
            with suppress(OSError):  # something else lies there
                while (file := file.parent) != self.folder:
                    file.rmdir()


def _move(source: Path, target: Path) -> None:
    """Move a file, or a folder where there is none yet; what was moved before stays so."""
    try:
        source.replace(target)
    except FileNotFoundError:
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or not source.is_dir():
            raise
        for below in sorted(source.iterdir()):
            _move(below, target / below.name)


@contextmanager
def opened(folder: Path) -> Iterator[Site]:
    """Open a site. Raises ArchiveError, also for whatever the disk has against it."""
    site = Site(folder)
    try:
        site.open()
        yield site
    except OSError as error:
        if error.errno in _FULL and not (folder / STAGING / "orders.json").exists():
            site.drop()  # the room is needed
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
    """Make sure that a site can be in this folder. Raises ArchiveError with the mend."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise ArchiveError(f"{there} is a file; the archive needs a folder: name another one.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ArchiveError(f"{there} can't be written to; check its rights, or name another folder.")
    if there != folder:
        return
    inside = {path.name for path in folder.iterdir()}
    is_ours = manifest.NAME in inside or (folder / STAGING / "orders.json").exists()
    if not is_ours and any(not name.startswith(".") and name != "lost+found" for name in inside):
        raise ArchiveError(
            f"{folder} has files in it and no archive of pages; name an empty folder, or a new one: it will be made."
        )


def _locked(folder: Path) -> int:
    """Take the folder for this process alone, until the descriptor is closed. Raises ArchiveBusy."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise ArchiveBusy(f"Another gm is writing the archive {folder} right now; try again when it is done.") from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            os.close(descriptor)
            raise
    return descriptor
