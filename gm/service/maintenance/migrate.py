"""`gm migrate`: a zine moves to another database while no service runs.

All rows are copied in one transaction, and counted. When it is committed the old file is renamed; of a database on a
server, the tables. A process that dies before that leaves the zine where it was. The new database is a new
incarnation (gm/transport/imap/ownership.py): once it has served, the old one can't any more.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel

from gm.runtime.clock import utcnow
from gm.runtime.config.settings import Settings
from gm.runtime.config.values import A_DATABASE, database_url
from gm.runtime.errors import Refused, StoreError
from gm.runtime.redaction import masked, without_password
from gm.service.maintenance import copying
from gm.store.database import Database
from gm.store.error_sentences import shown_url
from gm.store.queries import zine_queries
from gm.store.schema import refuse_unknown, schema_version, upgrade
from gm.store.sqlite_file import rename_aside

Tell = Callable[[str], object]

RETIRED: Final = "moved_"
"""What the names of tables on a server begin with when the zine has left them."""


def migrate(settings: Settings, url: str, *, tell: Tell) -> tuple[str, str]:
    """Move the zine to the database of this URL. Returns what the old one is called now, and the new one's URL.

    Raises Refused, StoreError: then the zine is where it was.
    """
    here, there = settings.database.url, _checked(url, settings)
    if shown_url(here) == shown_url(there) or _is_one_file(here, there):
        raise Refused(f"{shown_url(here)} is the database itself; name another one.")
    if _is_missing(here):
        raise Refused(f"There is no database {shown_url(here)} yet; nothing to move.")
    with closing(Database(here)) as source, closing(Database(there)) as target:
        source.prepare()
        left = _move(source, target, tell)
    return left, url if there.startswith("sqlite") else shown_url(there)


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


def _move(source: Database, target: Database, tell: Tell) -> str:
    """Move all rows; returns what the old database is called now."""
    now = utcnow()
    if not source.lead():
        raise Refused(
            f"{shown_url(source.url)} is still served: end `gm serve` (and its line in cron), then try again."
        )
    with source.write() as here:  # nobody writes there meanwhile
        copying.without_idle_limit(here)
        _make_ready(target)
        with target.write() as there:
            copying.without_idle_limit(there)
            _refuse_unless_empty(target, there)
            _copy_all(source, here, there, tell)
            zine_queries.draw_incarnation(there)
            moved = zine_queries.zine(there)
            moved.home = None
            if source.is_shared:
                _rename_tables(here)  # committed after the copy
        with target.read() as there:  # a file that was removed can still be written to
            if zine_queries.zine(there).incarnation != moved.incarnation:
                raise StoreError(f"{shown_url(target.url)} is another database by now; nothing was moved.")
        if not source.is_shared:
            return str(rename_aside(Path(source.engine.url.database or ""), f"moved-{now:%Y%m%d-%H%M%S}"))
    return f"{shown_url(source.url)}, where each table is called {RETIRED}... now,"


def _make_ready(target: Database) -> None:
    """Create the schema in the new database. Nobody else can read its file. One that is in use is left as it is."""
    if not _is_missing(target.url):
        with target.read() as session:
            _refuse_unless_empty(target, session)
    if not target.is_shared:
        with suppress(OSError):  # it exists, or SQLite says why it can't be created
            path = Path(target.engine.url.database or "")
            path.touch(0o600)
            path.chmod(0o600)
    with target.errors_as_sentences():
        upgrade(target.engine, shown_url(target.url))


def _refuse_unless_empty(target: Database, session: Session) -> None:
    """Make sure that a database holds nothing, at most empty tables of ours. Raises Refused, StoreError."""
    there, named = set(sa.inspect(session.connection()).get_table_names()), f"The database {shown_url(target.url)}"
    if strange := sorted(there - {"alembic_version", *SQLModel.metadata.tables}):
        raise Refused(f"{named} has tables of something else ({', '.join(strange[:3])}); name an empty one.")
    if revision := schema_version(session):
        refuse_unknown(revision, named)
    if any(copying.count_rows(session, table) for table in copying.tables() if table.name in there):
        raise Refused(f"{named} holds a zine already, which is never overwritten; name an empty one.")


def _copy_all(source: Database, here: Session, there: Session, tell: Tell) -> None:
    """Copy the rows of all tables, and count them on both sides. Raises StoreError."""
    total = 0
    for table in copying.tables():
        nuls = sum(copying.insert_rows(there, table, rows) for rows in _read(source, here, table))
        found, expected = copying.count_rows(there, table), copying.count_rows(here, table)
        if found != expected:
            raise StoreError(
                f"{table.name} has {found} rows in the new database, and {expected} here: nothing was moved. This is a "
                "bug, please report it."
            )
        if found:
            tell(f"{table.name}: {found:,} rows")
        if nuls:
            tell(f"{table.name}: {nuls} texts held a NUL, which PostgreSQL can't; it is '{copying.NUL_SIGN}' there")
        total += found
    copying.set_sequences(there)
    tell(f"All {total:,} rows are there.")


def _read(source: Database, here: Session, table: sa.Table) -> Iterator[Sequence[copying.Row]]:
    """Read rows in chunks. Errors are reported as those of the old database."""
    chunks = copying.read_rows(here, table)
    while True:
        with source.errors_as_sentences():
            rows = next(chunks, None)
        if rows is None:
            return
        yield rows


def _rename_tables(session: Session) -> None:
    """Rename the tables of a zine that has left, so that nobody serves it by mistake; nothing is deleted."""
    for name in sorted({"alembic_version", *SQLModel.metadata.tables}):
        session.connection().execute(sa.text(f'ALTER TABLE "{name}" RENAME TO "{RETIRED}{name}"'))
