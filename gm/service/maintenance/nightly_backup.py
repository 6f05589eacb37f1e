"""A backup every night, kept in rotation. Each pass looks whether the last night's is there, and else makes it.

Who is killed leaves a draft behind, which the next backup takes away. Several services with one folder are kept apart
by a lock in it.
"""

import logging
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from games.api import say
from gm.app.context import App
from gm.game.deadlines import local_instant
from gm.messages import gm_list, questions
from gm.messages.questions import About
from gm.runtime.config.settings import Settings
from gm.runtime.drafts import clear_drafts, draft_folder
from gm.runtime.errors import GmError, OperatorError, Refused, StoreError
from gm.runtime.file_lock import FileLock
from gm.runtime.network import Check
from gm.runtime.tracebacks import described
from gm.service.maintenance.backup import CONFIG, restore, write_backup
from gm.store.queries import question_queries, zine_queries

log = logging.getLogger("gm")

AT: Final = time(3)
"""When a night's backup is due, by the zine's clock."""
AGAIN_AFTER: Final = timedelta(hours=1)
"""How long after a failure it is tried again."""
LATE_AFTER: Final = timedelta(days=2)
"""`gm doctor` warns when the newest one is older."""
SPARE_BYTES: Final = 64 * 1024 * 1024
"""The room that a backup leaves to the zine, beside twice the size of the database that it needs itself."""

KIND: Final = "backup"
"""What the GM's list calls a failure."""

_NAME: Final = re.compile(r"gm-([0-9]{4}-[0-9]{2}-[0-9]{2})\.tar\.gz")


def back_up_nightly(app: App) -> None:
    """Make the backup of the last night if it is missing, and note how that went. Raises StoreError, Stopped."""
    rules, now = app.settings.backup, app.now()
    if not is_wanted(app):
        return
    night = last_night(app.settings.service.timezone, now)
    if (rules.path / _name(night)).exists() or _failed_lately(app, now):
        return
    trouble = ""
    try:
        make(app.settings, night, now, app.stop_signal.check)
    except GmError as error:
        trouble = str(error)
    except Exception as error:  # noqa: BLE001  told like any other trouble
        trouble = f"A bug in gm, please report it: {described(error)}."
    _note(app, trouble)


def is_wanted(app: App) -> bool:
    """Return whether there are nightly backups: PostgreSQL has its own."""
    return bool(app.settings.backup.keep) and not app.database.is_shared


def last_night(zone: ZoneInfo, now: datetime) -> date:
    """Return the day of the night whose backup is due."""
    today = now.astimezone(zone).date()
    return today if local_instant(today, AT, zone) <= now else today - timedelta(days=1)


def next_instant(zone: ZoneInfo, since: datetime) -> datetime:
    """Return when a backup is due for the first time after an instant."""
    return local_instant(last_night(zone, since) + timedelta(days=1), AT, zone)


def _name(night: date) -> str:
    return f"gm-{night:%Y-%m-%d}.tar.gz"


def _night_of(backup: Path) -> date:
    return date.fromisoformat(backup.name.removeprefix("gm-").removesuffix(".tar.gz"))


def _failed_lately(app: App, now: datetime) -> bool:
    with app.database.read() as session:
        failed_at = zine_queries.zine(session).backup_failed_at
    return failed_at is not None and timedelta() <= now - failed_at < AGAIN_AFTER


def _note(app: App, trouble: str) -> None:
    """Write down how a backup went. The GM is told once that they fail."""
    with app.database.read() as session:
        before = zine_queries.zine(session).backup_trouble
    if trouble:
        log.warning("%s", trouble)
        with app.database.write() as session:
            sentence = OperatorError(say("nightly_backup.failed", trouble=trouble))
            zine = zine_queries.zine(session)
            zine.backup_trouble, zine.backup_failed_at = str(sentence), app.now()
            if not before:
                gm_list.tell(app, session, KIND, sentence, About(cause=f"backup:{app.now().isoformat()}"))
    elif before is not None:
        with app.database.write() as session:
            zine = zine_queries.zine(session)
            zine.backup_trouble = zine.backup_failed_at = None
            for question in question_queries.open_questions(session):
                if question.kind == KIND:
                    questions.close(app, session, question, "works again")


# -- making one --------------------------------------------------------------------------------------------------------


def make(settings: Settings, night: date, now: datetime, go_on: Callable[[], int | None]) -> None:
    """Make the backup of a night and delete the oldest ones, unless another process is at it. Raises GmError."""
    folder, keep = settings.backup.path, settings.backup.keep
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(folder) as is_alone:
            target = folder / _name(night)
            if not is_alone or target.exists():
                return
            clear_drafts(folder, ".gm-*")
            _check_room(settings, folder)
            write_backup(settings, target, now=now, go_on=go_on)
            log.info("%s holds the zine as of this night", target)
            for old in sorted(set(kept(folder)) - {target}, reverse=True)[keep - 1 :]:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} can't be written to: {error.strerror or error}.") from error


def kept(folder: Path) -> list[Path]:
    """List the nightly backups in a folder, the newest first."""
    try:
        found = [path for path in folder.iterdir() if _NAME.fullmatch(path.name) and not path.is_symlink()]
    except OSError:
        return []
    return sorted(found, reverse=True)


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Let one process at a time make backups in a folder. Says whether it is this one."""
    lock = FileLock(folder / ".lock")
    try:
        yield lock.take()
    finally:
        lock.release()


def _check_room(settings: Settings, folder: Path) -> None:
    """Keep a backup from filling the disk that the zine needs. Raises StoreError."""
    database = Path(settings.database.url.removeprefix("sqlite:///"))
    needed = 2 * database.stat().st_size + SPARE_BYTES
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise StoreError(
            f"{folder} has {free / 1e6:,.0f} MB left, and {needed / 1e6:,.0f} MB are needed. Make room, name another "
            "folder in [backup] path, or keep fewer."
        )


# -- what `gm doctor` says of them -------------------------------------------------------------------------------------


def check(settings: Settings, now: datetime) -> Check:
    """Restore the newest nightly backup into a folder that is gone afterwards, and say how that went."""
    rules = settings.backup
    if not settings.database.url.startswith("sqlite"):
        return Check(
            "backup", "ok", "PostgreSQL is backed up by its own tools: let cron run pg_dump every night; after "
            "pg_restore say gm restore --adopt.",
        )  # fmt: skip
    if not rules.keep:
        return Check("backup", "ok", "No nightly backups are made, as [backup] keep = 0 says.")
    found = kept(rules.path)
    if not found:
        return Check("backup", "ok", f"There is none in {rules.path} yet; `gm serve` makes one in its next pass.")
    try:
        _try_restore(found[0], settings, now)
    except (GmError, OSError) as error:
        return Check("backup", "fail", f"{error} Move it away, and `gm serve` makes another one in its next pass.")
    night = _night_of(found[0])
    says = f"{len(found)} kept in {rules.path}; the newest, of {night}, was restored and is whole."
    if last_night(settings.service.timezone, now) - night > LATE_AFTER:
        return Check("backup", "warn", f"{says} But it is old: does `gm serve` run? `gm status` says what is wrong.")
    return Check("backup", "ok", says)


def _try_restore(file: Path, settings: Settings, now: datetime) -> None:
    """Restore a backup elsewhere, where it is checked, and take it away. Raises GmError, OSError."""
    with draft_folder(_roomy(file) / "gm-doctor") as draft:
        restore(file, draft / "zine", now=now)
        config = draft / "zine" / CONFIG
        whose = tomllib.loads(config.read_text("utf-8-sig"))["service"]["address"]
        if whose.strip() != settings.service.address:
            raise StoreError(f"{file} is of the zine {whose}; give each zine a folder of its own in [backup] path.")


def _roomy(file: Path) -> Path:
    """Return the backups' folder, which has room for one more, if we may write to it; else the system's for such."""
    with suppress(OSError, Refused):
        if os.access(file.parent, os.W_OK):
            return file.parent
    return Path(tempfile.gettempdir())
