"""`gm migrate`: a zine moves to another database while no service runs.

The process may die at any moment. All rows are copied in one transaction, with a mark that keeps services from using
the copy. Both are compared. Then the old database is marked as left: this decides. Last, the mark of the new one is
removed. If `gm migrate` is run again, it begins anew, or does what is missing at the end.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import Session

from gm.runtime.clock import utcnow
from gm.runtime.config.settings import Settings
from gm.runtime.config.values import A_DATABASE, database_url
from gm.runtime.errors import Moved, Refused, StoreError
from gm.runtime.redaction import masked, without_password
from gm.store import relocation_copy, relocation_marks
from gm.store.database import Database
from gm.store.schema import upgrade

Tell = Callable[[str], object]


def migrate(settings: Settings, url: str, *, tell: Tell) -> tuple[str, str]:
    """Move the zine to the database of this URL. Returns the names of both, without passwords.

    Raises Refused, StoreError: then the zine is where it was.
    """
    here, there = settings.database.url, _checked(url, settings)
    names = (relocation_marks.shown_url(here), url if there.startswith("sqlite") else relocation_marks.shown_url(there))
    if names[0] == relocation_marks.shown_url(there) or _is_one_file(here, there):
        raise Refused(f"{names[0]} is the database itself; name another one.")
    if _is_missing(here):
        raise Refused(f"There is no database {names[0]} yet; nothing to move.")
    with closing(Database(here)) as source, closing(Database(there)) as target:
        try:
            source.prepare()
            _move(source, target, tell)
        except Moved:
            if not _activate(source, target):
                raise
    return names


def _checked(url: str, settings: Settings) -> str:
    try:
        return database_url(url, settings.folder)
    except ValueError:
        said = masked(without_password(url))
        raise Refused(f"{said!r} is no database to move to; allowed is {A_DATABASE}.") from None


def _is_missing(url: str) -> bool:
    """Return whether it is a file that doesn't exist. SQLite would create an empty one."""
    return url.startswith("sqlite") and not Path(url.removeprefix("sqlite:///")).exists()


def _is_one_file(here: str, there: str) -> bool:
    """Return whether two URLs name one file. SQLite must not open it by both: each would have a log of its own."""
    if not (here.startswith("sqlite") and there.startswith("sqlite")) or _is_missing(here) or _is_missing(there):
        return False
    return Path(here.removeprefix("sqlite:///")).samefile(there.removeprefix("sqlite:///"))


def _move(source: Database, target: Database, tell: Tell) -> None:
    mark = relocation_marks.Mark(
        id=secrets.token_hex(8), place=relocation_marks.shown_url(source.url), at=utcnow().isoformat()
    )
    gone = replace(mark, place=relocation_marks.shown_url(target.url))
    with source.write() as here:
        relocation_copy.without_idle_limit(here)
        if source.is_served(here):
            raise Refused(f"{mark.place} is still served: end `gm serve` (and its line in cron), then try again.")
        relocation_marks.refuse_if_moved(here, source.url)
        _make_ready(target, mark)
        with target.write() as there:
            relocation_copy.without_idle_limit(there)
            relocation_copy.refuse_unless_free(there, gone.place, mark.place)
            copy_all(source, here, there, tell)
            relocation_marks.write_mark(there, relocation_marks.ARRIVING, mark)
        _check_both_are_there(source, target, mark)
        relocation_marks.leave(here, source.url, gone)
    if not _activate(source, target):
        raise StoreError(f"The zine has moved, but {gone.place} doesn't know yet: say `gm migrate` once more.")


def _make_ready(target: Database, mark: relocation_marks.Mark) -> None:
    """Create the schema in the new database. Nobody else can read its file. One that is in use is left as it is."""
    if not _is_missing(target.url):
        with target.read() as session:
            relocation_copy.refuse_unless_free(session, relocation_marks.shown_url(target.url), mark.place)
    if not target.is_shared:
        with suppress(OSError):  # it exists, or SQLite says why it can't be created
            path = Path(target.engine.url.database or "")
            path.touch(0o600)
            path.chmod(0o600)
    with target.errors_as_sentences():
        upgrade(target.engine, relocation_marks.shown_url(target.url))


def _check_both_are_there(source: Database, target: Database, mark: relocation_marks.Mark) -> None:
    """Make sure that both are still where they were: a file that was removed can still be written to."""
    with source.read():
        pass
    with target.read() as session:
        if relocation_marks.read_marks(session).get(relocation_marks.ARRIVING) != mark:
            raise StoreError(f"{relocation_marks.shown_url(target.url)} is another database by now; nothing was moved.")


def _activate(source: Database, target: Database) -> bool:
    """Let services use the new database, if it is the one that the old one was left for. Says whether it is."""
    if _is_missing(target.url):
        return False
    with source.read() as session:
        left = relocation_marks.read_marks(session).get(relocation_marks.MOVED)
    with target.read() as session:
        there = relocation_marks.read_marks(session) if sa.inspect(session.connection()).has_table("meta") else {}
    arriving = there.get(relocation_marks.ARRIVING)
    if left is None or arriving is None or arriving.id != left.id:
        return False
    with target.write() as session:
        relocation_marks.delete_arrival(session)
    return True


def copy_all(source: Database, here: Session, there: Session, tell: Tell) -> None:
    """Copy and compare the rows of all tables. Raises StoreError."""
    relocation_copy.delete_all_rows(there)
    total = 0
    for table in relocation_copy.tables():
        rows = _copy(source, here, there, table, tell)
        if rows:
            tell(f"{table.name}: {rows:,} rows")
        total += rows
    relocation_copy.set_sequences(there)
    tell(f"All {total:,} rows are the same on both sides.")


def _copy(source: Database, here: Session, there: Session, table: sa.Table, tell: Tell) -> int:
    """Copy a table and compare it. Returns the number of rows. Raises StoreError."""
    written, found, odd = relocation_copy.TableSum(), relocation_copy.TableSum(), list[str]()
    for rows in _read(source, here, table):
        if there.get_bind().dialect.name == "postgresql" and (nuls := relocation_copy.texts_with_nul(table, rows)):
            odd += nuls
            rows = relocation_copy.without_nuls(rows)
        relocation_copy.insert_rows(there, table, rows)
        written.add(rows)
    for rows in relocation_copy.read_rows(there, table):
        found.add(rows)
    with source.errors_as_sentences():
        expected = relocation_copy.count_rows(here, table)
    if found != written or found.rows != expected:
        raise StoreError(
            f"{table.name} is another one in the new database ({found.rows} rows, {expected} were to be copied): "
            "nothing was moved. This is a bug, please report it."
        )
    if odd:
        few = "; ".join(odd[:3]) + (f" and {len(odd) - 3} more" if len(odd) > 3 else "")
        tell(
            f"{len(odd)} texts held a NUL, which PostgreSQL can't; '{relocation_copy.NUL_SIGN}' stands there now: {few}"
        )
    return found.rows


def _read(source: Database, here: Session, table: sa.Table) -> Iterator[Sequence[relocation_copy.Row]]:
    """Read rows in chunks. Errors are reported as those of the old database."""
    in_chunks = relocation_copy.read_rows(here, table)
    while True:
        with source.errors_as_sentences():
            rows = next(in_chunks, None)
        if rows is None:
            return
        yield rows
