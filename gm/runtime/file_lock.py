"""A lock between processes, on an empty file that stays. It is free as soon as its process ends, however that died."""

import os
from pathlib import Path


class FileLock:
    """The lock on a file, which is made where there is none. Only one has it, also within a process."""

    def __init__(self, path: Path, mode: int = 0o600) -> None:
        self._path, self._mode = path, mode
        self._handle: int | None = None

    def take(self, *, waits: bool = False) -> bool:
        """Take the lock if it is free, or once it is; returns whether it is ours. Raises OSError."""
        from filelock import lock_descriptor  # loads asyncio, and most commands take no lock

        if self._handle is None:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, self._mode)
            try:
                if lock_descriptor(handle, blocking=waits):
                    self._handle = handle
            finally:
                if self._handle is None:
                    os.close(handle)
        return self._handle is not None

    def release(self) -> None:
        """Let another one have the lock."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
