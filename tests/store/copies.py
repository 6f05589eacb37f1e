"""Copies of a database as `gm backup` makes them, put in place as `gm restore` does it, without the files around."""

import shutil
from datetime import datetime
from pathlib import Path

from gm.service.maintenance.backup import adopt
from gm.store.backup import copy_database


def back_up(url: str, copy: Path, now: datetime) -> Path:
    """Copy a database to a file; one that is there is replaced."""
    copy.unlink(missing_ok=True)
    copy_database(Path(url.removeprefix("sqlite:///")), copy, now=now)
    return copy


def put_in_place(copy: Path, place: Path, now: datetime) -> None:
    """Let a copy be the database at a place, which takes the mailbox over."""
    for old in place.parent.glob(f"{place.name}*"):
        old.unlink()
    shutil.copyfile(copy, place)
    adopt(f"sqlite:///{place}", now=now)
