"""Files that take another one's place all at once: a draft is made beside it, and renamed when it is complete.

Whatever ends a process, there is the old file or the new one, never a half. A draft lies in a folder of its own, with a
lock: what a killed process has left is deleted by whoever makes the next draft of the same file.
"""

import glob
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from gm.runtime.file_lock import FileLock

DRAFT: Final = ".part"
"""The end of the name of a draft's folder."""
_LOCK: Final = "lock"

PRIVATE: Final = 0o600
FOR_ALL: Final = 0o666
"""Rights of a new file, of which the umask takes some away."""


@contextmanager
def replaced(target: Path, mode: int = PRIVATE) -> Iterator[Path]:
    """Give a new file that takes the target's place if nothing goes wrong, and is on the disk then. Raises OSError."""
    with draft_folder(target) as folder:
        draft = folder / "draft"
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
        sync(draft)
        draft.replace(target)
        sync(target.parent)


def replace(target: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Write a file so that nobody ever reads half of it. Raises OSError."""
    with replaced(target, mode) as draft:
        draft.write_bytes(content)


@contextmanager
def draft_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside the target that nobody else can read, and that is gone afterwards. Raises OSError."""
    clear_drafts(target.parent, f".{glob.escape(target.name)}.*")
    folder, lock = _begun(target)
    try:
        yield folder
    finally:
        _delete(folder, lock)


def clear_drafts(folder: Path, pattern: str) -> None:
    """Delete the drafts that killed processes have left; those that somebody is at stay."""
    for draft in folder.glob(f"{pattern}{DRAFT}"):
        lock = FileLock(draft / _LOCK)
        with suppress(OSError):  # by now it is gone
            if not draft.is_symlink() and lock.take():
                _delete(draft, lock)


def sync(path: Path) -> None:
    """Let the disk have what was written to a file, or which files a folder has. Raises OSError."""
    is_folder = path.is_dir()
    if is_folder and not hasattr(os, "O_DIRECTORY"):
        return  # Windows opens no folder
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)  # and writes to the disk what may be written to
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _begun(target: Path) -> tuple[Path, FileLock]:
    """Make the folder of a draft and lock it. Another process may take it for a left one before it is locked."""
    while True:
        folder = target.with_name(f".{target.name}.{secrets.token_hex(4)}{DRAFT}")
        folder.mkdir(mode=0o700)
        lock = FileLock(folder / _LOCK)
        try:
            if lock.take():
                return folder, lock
        except FileNotFoundError:
            continue
        except OSError:  # this file system has no locks
            return folder, lock


def _delete(draft: Path, lock: FileLock) -> None:
    """Delete a draft whose lock we have."""
    shutil.rmtree(draft, ignore_errors=True)
    lock.release()
    shutil.rmtree(draft, ignore_errors=True)  # Windows deletes nothing that is open, as the lock was
