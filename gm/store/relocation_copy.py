"""All rows of a database into an empty one: in portions, with their ids, and compared afterwards value by value.

JSON is carried as the text that is stored: read and written anew it might not be the same.
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
from gm.store.relocation_marks import ARRIVING, MOVED, marks
from gm.store.schema import refuse_unknown, schema_version
from gm.store.tables import Meta

ROWS: Final = 100
"""So many are held at once. No stored mail is bigger than 256 kB (gm/transport/imap/size_limits.py)."""
NUL_SAYS: Final = "�"
"""Stands for a NUL, which PostgreSQL has no place for in a text."""

Row = Sequence[Any]


@dataclass(kw_only=True)
class Sum:
    """What a table holds: how many rows, and a checksum of them in the order of their keys."""

    rows: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, rows: Sequence[Row]) -> None:
        """Take in a portion. Bytes are taken as they are: written out they would be four times as long."""
        self.rows += len(rows)
        for row in rows:
            raw = [value for value in row if isinstance(value, bytes)]
            plain = [len(value) if isinstance(value, bytes) else value for value in row]
            self.digest.update(repr(plain).encode())
            for value in raw:
                self.digest.update(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and (self.rows, self.digest.digest()) == (other.rows, other.digest.digest())


def tables() -> Sequence[sa.Table]:
    """List the tables; whatever a row refers to comes before it."""
    return SQLModel.metadata.sorted_tables


def count(session: Session, table: sa.Table) -> int:
    """Count the rows of a table."""
    return int(session.connection().execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def portions(session: Session, table: sa.Table) -> Iterator[list[Row]]:
    """Give all rows of a table in the order of their keys, a few at a time."""
    is_json = [isinstance(one.type, sa.JSON) for one in table.columns]
    key, at = _key(session, table), list(table.columns.keys()).index(_key_name(table))
    all_rows, after = sa.select(*_columns(session, table)).order_by(key).limit(ROWS), sa.true()
    while rows := session.connection().execute(all_rows.where(after)).all():
        yield [_with_json_as_text(row, is_json) for row in rows] if any(is_json) else list(rows)
        after = key > rows[-1][at]


def _columns(session: Session, table: sa.Table) -> list[Any]:
    as_text = sa.cast if session.get_bind().dialect.name == "postgresql" else sa.type_coerce
    return [as_text(one, sa.Text) if isinstance(one.type, sa.JSON) else one for one in table.columns]


def _with_json_as_text(row: Row, is_json: Sequence[bool]) -> Row:
    """SQLite keeps JSON that is no more than a number as one."""
    return [
        value if not json_here or value is None or isinstance(value, str) else json.dumps(value)
        for value, json_here in zip(row, is_json, strict=True)
    ]


def _key(session: Session, table: sa.Table) -> Any:
    """Give what rows are ordered by, texts by their bytes everywhere."""
    (key,) = table.primary_key
    is_text = isinstance(key.type, sa.String) or key.type.python_type is str
    return sa.collate(key, "C") if is_text and session.get_bind().dialect.name == "postgresql" else key


# -- into the other database -------------------------------------------------------------------------------------------


def hold(session: Session) -> None:
    """Let a transaction of PostgreSQL last, however long we are at the other database."""
    if session.get_bind().dialect.name == "postgresql":
        for_ever = sa.func.set_config("idle_in_transaction_session_timeout", "0", True)
        session.connection().execute(sa.select(for_ever))


def refuse_unless_free(session: Session, place: str, origin: str) -> None:
    """Make sure that a database is empty, or has nothing but an unfinished copy from there. Raises Refused, StoreError.

    It is looked at as it is: whatever else it may be, it isn't changed.
    """
    there, named = set(sa.inspect(session.connection()).get_table_names()), f"The database {place}"
    if strange := sorted(there - {"alembic_version", *SQLModel.metadata.tables}):
        raise Refused(f"{named} has tables of something else ({', '.join(strange[:3])}); name an empty one.")
    if revision := schema_version(session):
        refuse_unknown(revision, named)
    found = marks(session) if Meta.__tablename__ in there else {}
    if MOVED in found:
        raise Refused(f"{named} is what the zine has left once, and stays as it is; name a new one.")
    is_ours = ARRIVING in found and found[ARRIVING].place == origin
    if not is_ours and any(_has_rows(session, table) for table in tables() if table.name in there):
        raise Refused(f"{named} holds a zine already, which is never overwritten; name an empty one.")


def _has_rows(session: Session, table: sa.Table) -> bool:
    return session.connection().execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None


def clear(session: Session) -> None:
    """Take away what an unfinished copy left."""
    for table in reversed(tables()):
        session.connection().execute(sa.delete(table))


def write(session: Session, table: sa.Table, rows: Sequence[Row]) -> None:
    """Add rows as they are. Raises StoreError, with the row where there is one to name."""
    if session.get_bind().dialect.name == "postgresql":
        _copy_in(session, table, rows)
    else:
        names = [column.name for column in table.columns]
        session.connection().execute(_insertion(table), [dict(zip(names, row, strict=True)) for row in rows])


def _insertion(table: sa.Table) -> sa.Insert:
    """Insert into a table whose JSON is taken for the text that it is."""
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
        raise StoreError(_not_taken(table, rows, error)) from error


def _not_taken(table: sa.Table, rows: Sequence[Row], error: Any) -> str:
    line = re.search(r"COPY \w+, line (\d+)", error.diag.context or "")
    row = f", row {rows[int(line[1]) - 1][0]}" if line and int(line[1]) <= len(rows) else ""
    said = (error.diag.message_primary or str(error)).strip().splitlines()[0]
    return f"The new database doesn't take {table.name}{row}: {said}; nothing was moved."


def nuls(table: sa.Table, rows: Sequence[Row]) -> list[str]:
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
    """Write another sign for each NUL in a text."""
    return [[value.replace("\0", NUL_SAYS) if isinstance(value, str) else value for value in row] for row in rows]


def go_on_behind(session: Session) -> None:
    """Let PostgreSQL give new rows ids behind those that are taken."""
    if session.get_bind().dialect.name != "postgresql":
        return
    for table in tables():
        key = _key_name(table)
        if isinstance(table.columns[key].type, sa.Integer):
            last = session.connection().scalar(sa.select(sa.func.max(table.columns[key]))) or 0
            sequence = sa.func.pg_get_serial_sequence(table.name, key)
            session.connection().execute(sa.select(sa.func.setval(sequence, max(last, 1), last >= 1)))
