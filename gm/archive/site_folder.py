"""The folder of the site: what it holds, and how a new file takes the place of an old one.

A file is written beside the pages and then takes its place, so nobody ever reads half of one. Whatever has a name and a
place of ours is ours; all other files stay.
"""

import errno
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from gm.app.issues import PUBLISHED
from gm.archive.progress import Stamp, read_stamp
from gm.runtime import drafts
from gm.runtime.errors import ArchiveBusy, ArchiveError
from gm.runtime.file_lock import FileLock

STAMP: Final = ".stamp.json"
GAMES: Final = "partien"
"""The folder of the games' folders."""
DRAFT: Final = ".new"
"""Where each file is written before it takes its place. A process that was killed may leave one there."""

_PAGES_OF_A_GAME: Final = ("index.html", "partie.json", "partie.txt", "runde-*/index.html")

_NO_LOCKS: Final = (errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EINVAL)
"""What file systems answer that know no locks: there, nothing but good sense keeps two apart."""


class Site:
    """A folder with a site, or for one. Of several processes only one has it open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stamp: Stamp | None = None
        """What it is known by; None where there is no site yet, or the stamp can't be read."""
        self.next_stamp: Stamp | None = None
        """What it is known by as soon as another page changes."""
        self.written = 0
        self.deleted = 0
        """Files that were replaced, or removed."""
        self._lock = FileLock(folder / ".lock", drafts.FOR_ALL)

    # -- open and close ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Read what the site is known by. Raises ArchiveError."""
        check(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        (self.folder / DRAFT).unlink(missing_ok=True)
        content = self.read(STAMP)
        self.stamp = read_stamp(content) if content is not None else None

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

    # -- files ---------------------------------------------------------------------------------------------------------

    def read(self, path: str) -> bytes | None:
        """Read a file of the site; None where there is none."""
        try:
            return (self.folder / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def put(self, path: str, content: bytes) -> None:
        """Let a file have this content; nothing is touched where it has."""
        if self.read(path) != content:
            self._note_change()
            self._replace(path, content)
            self.written += 1

    def put_stamp(self, stamp: Stamp) -> None:
        """Let the site be known by another stamp."""
        self._replace(STAMP, stamp.to_json())
        self.stamp = stamp

    def _note_change(self) -> None:
        """Let the site be known as changed, before the first page is."""
        if self.next_stamp and self.stamp != self.next_stamp:
            self.put_stamp(self.next_stamp)

    def _replace(self, path: str, content: bytes) -> None:
        draft, target = self.folder / DRAFT, self.folder / path
        draft.write_bytes(content)
        try:
            draft.replace(target)
        except FileNotFoundError:
            target.parent.mkdir(parents=True, exist_ok=True)
            draft.replace(target)

    def keep_only(self, paths: Collection[str], *patterns: str) -> None:
        """Remove our files that have such a name and aren't among these."""
        found = {file.relative_to(self.folder).as_posix() for pattern in patterns for file in self.folder.glob(pattern)}
        for path in sorted(found.difference(paths)):
            self._note_change()
            self._remove(path)

    def _remove(self, path: str) -> None:
        file = self.folder / path
        with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
            file.unlink()
            self.deleted += 1
        with suppress(OSError):  # something else lies there
            while (file := file.parent) != self.folder:
                file.rmdir()

    # -- games ---------------------------------------------------------------------------------------------------------

    def games(self) -> set[str]:
        """List the folders that hold a game."""
        return {file.parent.name for file in (self.folder / GAMES).glob("*/partie.json")}

    def keep_only_of_game(self, slug: str, paths: Collection[str]) -> None:
        """Remove the pages of a game that aren't among these."""
        self.keep_only(paths, *(f"{game_folder(slug)}/{name}" for name in _PAGES_OF_A_GAME))


def game_folder(slug: str) -> str:
    """Name the folder of a game's pages."""
    return f"{GAMES}/{slug}"


@contextmanager
def opened(folder: Path) -> Iterator[Site]:
    """Open a site. Raises ArchiveError. So does every error of the disk within the block."""
    site = Site(folder)
    try:
        site.open()
        yield site
    except OSError as error:
        if error.errno in _FULL:
            with suppress(OSError):
                (folder / DRAFT).unlink(missing_ok=True)  # the room is needed
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
    return f"{place}; {mend} and try again, the next export finishes what this one has begun."


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
    if STAMP not in inside and any(
        not name.startswith(".") and name not in ("lost+found", PUBLISHED) for name in inside
    ):
        raise ArchiveError(
            f"{folder} has files in it and no archive of pages; name an empty folder, or a new one: it will be made."
        )
