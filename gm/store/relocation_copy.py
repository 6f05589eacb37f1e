"""Copies all rows of a database into an empty one, with their ids, and sums up both to compare them.

JSON is copied as the text that is stored: decoded and encoded anew, it might not be the same.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel

from gm.runtime.errors import Refused, StoreError
from gm.store.relocation_marks import ARRIVING, MOVED, read_marks
from gm.store.schema import refuse_unknown, schema_version
from gm.store.tables import Meta

ROWS_AT_ONCE: Final = 100
"""So many are in memory at once. No stored mail is bigger than 256 kB (gm/transport/imap/size_limits.py)."""
NUL_SIGN: Final = "�"
"""Takes the place of a NUL, which a text in PostgreSQL can't hold."""

Row = Sequence[Any]


@dataclass(kw_only=True)
class TableSum:
    """The number of rows of a table, and a checksum of them in the order of their keys."""

    rows: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows, one by one: with a mail in it, the `repr` of a row may have a megabyte."""
        self.rows += len(rows)
        for row in rows:
            self.digest.update(repr(list(row)).encode())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSum) and (self.rows, self.digest.digest()) == (other.rows, other.digest.digest())


def tables() -> Sequence[sa.Table]:
    """List the tables, each behind those that its rows refer to."""
    return SQLModel.metadata.sorted_tables


def count_rows(session: Session, table: sa.Table) -> int:
    """Count the rows of a table."""
    return int(session.connection().execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def read_rows(session: Session, table: sa.Table) -> Iterator[list[Row]]:
    """Read all rows of a table in the order of their keys, a few at a time."""
    is_json = [isinstance(one.type, sa.JSON) for one in table.columns]
    key, at = _key(session, table), list(table.columns.keys()).index(_key_name(table))
    all_rows, after = sa.select(*_columns(session, table)).order_by(key).limit(ROWS_AT_ONCE), sa.true()
    while rows := session.connection().execute(all_rows.where(after)).all():
        yield [_with_json_as_text(row, is_json) for row in rows] if any(is_json) else list(rows)
        after = key > rows[-1][at]


def _columns(session: Session, table: sa.Table) -> list[Any]:
    as_text = sa.cast if session.get_bind().dialect.name == "postgresql" else sa.type_coerce
    return [as_text(one, sa.Text) if isinstance(one.type, sa.JSON) else one for one in table.columns]


def _with_json_as_text(row: Row, is_json: Sequence[bool]) -> Row:
    """Turn into text what SQLite has stored as a number because the JSON is one."""
    return [
        value if not json_here or value is None or isinstance(value, str) else json.dumps(value)
        for value, json_here in zip(row, is_json, strict=True)
    ]


def _key(session: Session, table: sa.Table) -> Any:
    """Return the column by which rows are ordered: texts by their bytes, on every database."""
    (key,) = table.primary_key
    is_text = isinstance(key.type, sa.String) or key.type.python_type is str
    return sa.collate(key, "C") if is_text and session.get_bind().dialect.name == "postgresql" else key


# -- writing into the other database -----------------------------------------------------------------------------------


def without_idle_limit(session: Session) -> None:
    """Let PostgreSQL keep this transaction open, however long the work at the other database takes."""
    if session.get_bind().dialect.name == "postgresql":
        no_limit = sa.func.set_config("idle_in_transaction_session_timeout", "0", True)
        session.connection().execute(sa.select(no_limit))


def refuse_unless_free(session: Session, place: str, origin: str) -> None:
    """Make sure that a database is empty, or holds an unfinished copy from `origin`. Raises Refused, StoreError.

    Nothing in it is changed.
    """
    there, named = set(sa.inspect(session.connection()).get_table_names()), f"The database {place}"
    if strange := sorted(there - {"alembic_version", *SQLModel.metadata.tables}):
        raise Refused(f"{named} has tables of something else ({', '.join(strange[:3])}); name an empty one.")
    if revision := schema_version(session):
        refuse_unknown(revision, named)
    found = read_marks(session) if Meta.__tablename__ in there else {}
    if MOVED in found:
        raise Refused(f"{named} is what the zine has left once, and stays as it is; name a new one.")
    is_ours = ARRIVING in found and found[ARRIVING].place == origin
    if not is_ours and any(_has_rows(session, table) for table in tables() if table.name in there):
        raise Refused(f"{named} holds a zine already, which is never overwritten; name an empty one.")


def _has_rows(session: Session, table: sa.Table) -> bool:
    return session.connection().execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None


def delete_all_rows(session: Session) -> None:
    """Delete the rows of an unfinished copy."""
    for table in reversed(tables()):
        session.connection().execute(sa.delete(table))


def insert_rows(session: Session, table: sa.Table, rows: Sequence[Row]) -> None:
    """Insert rows as they are. Raises StoreError, which names the row if PostgreSQL does."""
    if session.get_bind().dialect.name == "postgresql":
        _copy_in(session, table, rows)
    else:
        names = [column.name for column in table.columns]
        session.connection().execute(_insertion(table), [dict(zip(names, row, strict=True)) for row in rows])


def _insertion(table: sa.Table) -> sa.Insert:
    """Write an INSERT that takes JSON columns for the text that they hold."""
    plain = (sa.Text() if isinstance(c.type, sa.JSON) else c.type for c in table.columns)
    columns = [sa.column(c.name, kind) for c, kind in zip(table.columns, plain, strict=True)]
    return sa.insert(sa.table(table.name, *columns))


def _copy_in(session: Session, table: sa.Table, rows: Sequence[Row]) -> None:
    import psycopg

    names = ", ".join(f'"{column.name}"' for column in table.columns)
    connection: Any = session.connection().connection.driver_connection
    try:
        with connection.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.Error as error:
        raise StoreError(_refused_row(table, rows, error)) from error


def _refused_row(table: sa.Table, rows: Sequence[Row], error: Any) -> str:
    line = re.search(r"COPY \w+, line (\d+)", error.diag.context or "")
    row = f", row {rows[int(line[1]) - 1][0]}" if line and int(line[1]) <= len(rows) else ""
    said = (error.diag.message_primary or str(error)).strip().splitlines()[0]
    return f"The new database doesn't take {table.name}{row}: {said}; nothing was moved."


def texts_with_nul(table: sa.Table, rows: Sequence[Row]) -> list[str]:
    """Name the texts that hold a NUL: `mail_in 17: subject`."""
    names = [column.name for column in table.columns]
    return [
        f"{table.name} {row[names.index(_key_name(table))]}: {name}"
        for row in rows for name, value in zip(names, row, strict=True) if isinstance(value, str) and "\0" in value
    ]  # fmt: skip


def _key_name(table: sa.Table) -> str:
    (key,) = table.primary_key
    return key.name


def without_nuls(rows: Sequence[Row]) -> list[Row]:
    """Put NUL_SIGN in place of each NUL in a text."""
    return [[value.replace("\0", NUL_SIGN) if isinstance(value, str) else value for value in row] for row in rows]


def set_sequences(session: Session) -> None:
    """Let PostgreSQL give new rows ids above those that are taken."""
    if session.get_bind().dialect.name != "postgresql":
        return
    for table in tables():
        key = _key_name(table)
        if isinstance(table.columns[key].type, sa.Integer):
            last = session.connection().scalar(sa.select(sa.func.max(table.columns[key]))) or 0
            sequence = sa.func.pg_get_serial_sequence(table.name, key)
            session.connection().execute(sa.select(sa.func.setval(sequence, max(last, 1), last >= 1)))
