"""`gm restore`: a database alone, or a whole zine into a folder that holds none.

A whole zine is unpacked and checked in a folder of its own first. Then the files are moved to their places, the config
last: without it there is no zine. What was moved is written down before, so that a restore which was killed is taken
back by the next one.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from gm.runtime.config.settings import Settings
from gm.runtime.drafts import sync
from gm.runtime.errors import Refused, StoreError
from gm.service.maintenance.backup_file import CONFIG, DATABASE, Manifest, describe, is_packed, unpack
from gm.service.setup.systemd_unit import UNIT, write_unit
from gm.store.backup import SIDE_FILES, draft_folder, put_back

WORKPLACE: Final = ".gm-restore"
"""The folder in which everything is made ready."""
_PLAN: Final = "moved.json"
"""In it: which files are moved, with their hashes."""


@dataclass(frozen=True, kw_only=True)
class Restored:
    """What was restored, and where."""

    manifest: Manifest
    config: Path
    written: Sequence[Path]


def restore_all(file: Path, folder: Path, *, now: datetime) -> Restored:
    """Restore a whole zine, which from now on is the one that serves the mailbox. Raises Refused, StoreError.

    All of it is there afterwards, or nothing.
    """
    try:
        with _workplace(folder) as ready:
            _refuse_if_used(folder, [CONFIG, DATABASE, *(f"{DATABASE}{end}" for end in SIDE_FILES)])
            manifest = unpack(file, ready)
            names = [*sorted(manifest.members.keys() - {CONFIG}), UNIT, CONFIG]
            _refuse_if_used(folder, names)
            _make_ready(ready, folder, now)
            _move(ready, folder, names)
    except OSError as error:
        raise StoreError(f"{error.filename or folder} can't be written: {error.strerror or error}.") from error
    return Restored(manifest=manifest, config=folder / CONFIG, written=[folder / name for name in names])


def restore_database(settings: Settings, file: Path, *, now: datetime) -> Path | None:
    """Restore only the database, of a bare copy or of a whole zine; returns the new name of the old one.

    Config and all other files stay as they are. No process may have the database open. Raises Refused, StoreError.
    """
    url = settings.database.url
    if not is_packed(file) or not url.startswith("sqlite:///"):
        return put_back(url, file, now=now)
    place = Path(url.removeprefix("sqlite:///"))
    with draft_folder(place) as folder:
        unpack(file, folder)
        return put_back(url, folder / DATABASE, now=now)


def _refuse_if_used(folder: Path, names: Sequence[str]) -> None:
    used = next((name for name in names if os.path.lexists(folder / name)), None)
    if used in (CONFIG, DATABASE, *(f"{DATABASE}{end}" for end in SIDE_FILES)):
        raise Refused(
            f"{folder} holds a zine already ({used}). Name an empty folder behind the file; or say --database to put "
            "back the database alone, into the zine that the config describes."
        )
    if used:
        raise Refused(f"{folder / used} is there already, and the backup holds such a file; name an empty folder.")


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """Give a new folder in it for one restore at a time, and take away what a killed one has left."""
    is_new, workplace = not folder.exists(), folder / WORKPLACE
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    workplace.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(workplace, os.O_RDONLY)  # let go of by the end of the process as well
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise Refused(f"Another `gm restore` is at work in {folder}; wait for its end.") from None
    try:
        _take_back(workplace, folder)
        _empty(workplace)
        ready = workplace / "ready"
        ready.mkdir(mode=0o700)
        yield ready
    finally:
        _take_back(workplace, folder)
        _empty(workplace)
        workplace.rmdir()
        os.close(lock)
        if is_new:
            with suppress(OSError):  # what was restored lies there
                folder.rmdir()


def _empty(workplace: Path) -> None:
    """Empty the folder; the plan goes last, as it says what may lie elsewhere."""
    shutil.rmtree(workplace / "ready", ignore_errors=True)
    (workplace / _PLAN).unlink(missing_ok=True)


def _take_back(workplace: Path, folder: Path) -> None:
    """Delete what a killed or failed restore has moved. With the config in place it was complete, and stays."""
    plan = workplace / _PLAN
    if not plan.exists() or (folder / CONFIG).exists():
        return
    for name, sha256 in json.loads(plan.read_text(encoding="utf-8")).items():
        moved = folder / name
        if moved.is_file() and not (workplace / "ready" / name).exists() and describe(moved, int).sha256 == sha256:
            moved.unlink()
            _delete_empty(moved.parent, folder)


def _delete_empty(below: Path, folder: Path) -> None:
    """Delete the folders that a restore has made in a zine's folder, as far as nothing lies in them."""
    with suppress(OSError):
        while below != folder:
            below.rmdir()
            below = below.parent


def _make_ready(ready: Path, folder: Path, now: datetime) -> None:
    """Note in the database that it was restored, and write the unit for the new place.

    Raises StoreError, OSError, ConfigError.
    """
    copied = ready / "copied.db"
    (ready / DATABASE).rename(copied)
    put_back(f"sqlite:///{ready / DATABASE}", copied, now=now)
    copied.unlink()
    write_unit(ready / UNIT, folder / CONFIG)


def _move(ready: Path, folder: Path, names: Sequence[str]) -> None:
    plan = {name: describe(ready / name, int).sha256 for name in names}
    draft = ready / _PLAN
    draft.write_text(json.dumps(plan), encoding="utf-8")
    for path in (*(ready / name for name in names), draft, ready):
        sync(path)
    draft.rename(ready.parent / _PLAN)
    sync(ready.parent)
    for name in names:
        if name == CONFIG:  # from here on it is a zine: the others must be on the disk by now
            for written in {folder / above for other in names for above in Path(other).parents}:
                sync(written)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (ready / name).rename(folder / name)
    sync(folder)
