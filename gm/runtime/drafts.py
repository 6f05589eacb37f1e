"""Files that take another one's place all at once: a draft is made beside it, and renamed when it is complete.

Whatever ends a process, there is the old file or the new one, never a half. A draft that a killed process has left is
deleted by whoever makes the next one of the same file.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

DRAFT: Final = ".part"
"""The end of a draft's name."""

PRIVATE: Final = 0o600
FOR_ALL: Final = 0o666
"""Rights of a new file, of which the umask takes some away."""


def replace(target: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Write a file so that nobody ever reads half of it, and that is on the disk then. Raises OSError."""
    draft = _beside(target)
    draft.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
        sync(draft)
        draft.replace(target)
        sync(target.parent)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def draft_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside the target that nobody else can read, and that is gone afterwards. Raises OSError."""
    folder = _beside(target)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}{DRAFT}")
