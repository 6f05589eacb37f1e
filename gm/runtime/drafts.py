"""Files that take another one's place all at once: a draft is made beside it, and renamed when it is complete.

Whatever ends a process, there is the old file or the new one, never a half. What a killed one has left of its draft is
deleted by whoever makes the next draft of the same file.
"""

import fcntl
import glob
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

DRAFT: Final = ".part"
"""The end of a draft's name."""

PRIVATE: Final = 0o600
FOR_ALL: Final = 0o666
"""Rights of a new file, of which the umask takes some away."""


@contextmanager
def replaced(target: Path, mode: int = PRIVATE) -> Iterator[Path]:
    """Give a new file beside the target, which takes its place if nothing goes wrong, and is on the disk then.

    Raises OSError.
    """
    with _begun(target, lambda draft: _new_file(draft, mode)) as draft:
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
    with _begun(target, lambda draft: draft.mkdir(mode=0o700)) as draft:
        yield draft


def clear_drafts(folder: Path, pattern: str) -> None:
    """Delete the drafts that killed processes have left; those that somebody is at stay."""
    for draft in folder.glob(f"{pattern}{DRAFT}"):
        lock = _lock(draft)
        if lock is not None:
            _delete(draft)
            os.close(lock)


def sync(path: Path) -> None:
    """Let the disk have what was written to a file, or which files a folder has. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _new_file(draft: Path, mode: int) -> None:
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))


@contextmanager
def _begun(target: Path, make: Callable[[Path], None]) -> Iterator[Path]:
    """Make a draft beside the target that is locked as long as this process is at it, and gone afterwards."""
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}{DRAFT}")
    with _locked_while_beginning(target.parent):
        clear_drafts(target.parent, f".{glob.escape(target.name)}.*")
        make(draft)
        lock = _lock(draft)
    try:
        yield draft
    finally:
        _delete(draft)
        if lock is not None:
            os.close(lock)


@contextmanager
def _locked_while_beginning(folder: Path) -> Iterator[None]:
    """Keep others from taking a draft for a left one between its making and its lock.

    Within a draft there are no others, and it is locked itself.
    """
    if folder.suffix == DRAFT:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # this file system has no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _lock(path: Path) -> int | None:
    """Lock a file or folder until the handle is closed or the process ends; None where another one has."""
    handle = None
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if handle is not None:
            os.close(handle)
        return None
    return handle


def _delete(draft: Path) -> None:
    """Delete a draft, and files that are named after it, as SQLite makes them."""
    if draft.is_dir():
        shutil.rmtree(draft, ignore_errors=True)
        return
    for leftover in draft.parent.glob(f"{glob.escape(draft.name)}*"):
        with suppress(OSError):
            leftover.unlink(missing_ok=True)
