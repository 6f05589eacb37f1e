"""How SQLite opens a zine's file: to write where that is possible, else to read, also on a disk that is read-only.

SQLite wants to write for reading as well: an index to the log of changes, beside the file. Where it can't, and nobody
else has made one, the file alone is the whole zine.
"""

import os
from pathlib import Path
from typing import Literal
from urllib.parse import quote


def uri_of(path: Path, mode: Literal["rw", "ro"] = "rw") -> str:
    """Name a file for SQLite, so that it makes none where there is none; what can't be written is read."""
    way = mode if is_writable(path) else "ro" if _has_log(path) else "ro&immutable=1"
    return f"file:{quote(os.fsencode(path))}?mode={way}"


def is_writable(path: Path) -> bool:
    """Say whether we may write to the file, and to the log beside it."""
    return os.access(path, os.W_OK) and (os.access(path.parent, os.W_OK) or _has_log(path))


def _has_log(path: Path) -> bool:
    """Say whether changes may lie in the log, or somebody is about to write there."""
    logs = [Path(f"{path}{end}") for end in ("-wal", "-journal")]
    return Path(f"{path}-shm").exists() or any(log.exists() and log.stat().st_size > 0 for log in logs)
