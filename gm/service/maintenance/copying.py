"""Copies all rows of a database into another one, with their ids. JSON goes over as the text that is stored."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel

import gm.store.archive_tables  # noqa: F401  (with it all tables are known)
from gm.runtime.errors import StoreError

ROWS_AT_ONCE: Final = 100
"""So many are in memory at once. No stored mail is bigger than 256 kB (gm/transport/imap/size_limits.py)."""
NUL_SIGN: Final = "�"
"""Takes the place of a NUL, which a text in PostgreSQL can't hold."""

Row = Sequence[Any]


def tables() -> Sequence[sa.Table]:
    """List the tables, each behind those that its rows refer to."""
    return SQLModel.metadata.sorted_tables


def count_rows(session: Session, table: sa.Table) -> int:
    """Count the rows of a table."""
    return int(session.connection().execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def read_rows(session: Session, table: sa.Table) -> Iterator[Sequence[Row]]:
    """Read all rows of a table in the order of their keys, a few at a time."""
    as_text = sa.cast if _is_server(session) else sa.type_coerce
    columns = [as_text(one, sa.Text) if isinstance(one.type, sa.JSON) else one for one in table.columns]
    is_json = [isinstance(one.type, sa.JSON) for one in table.columns]
    (key,) = table.primary_key
    at, after = list(table.columns).index(key), sa.true()
    while rows := session.connection().execute(
        sa.select(*columns).where(after).order_by(key).limit(ROWS_AT_ONCE)
    ).all():  # fmt: skip
        yield [_with_json_as_text(row, is_json) for row in rows]
        after = key > rows[-1][at]


def _with_json_as_text(row: Row, is_json: Sequence[bool]) -> Row:
    """Turn into text what SQLite has stored as a number because the JSON is one."""
    return [
        json.dumps(value) if of_json and value is not None and not isinstance(value, str) else value
        for value, of_json in zip(row, is_json, strict=True)
    ]


def insert_rows(session: Session, table: sa.Table, rows: Sequence[Row]) -> int:
    """Insert rows as they are; returns how many texts held a NUL that had to be replaced. Raises StoreError."""
    if _is_server(session):
        clean = [[_without_nul(value) for value in row] for row in rows]
        _copy_in(session, table, clean)
        return sum(
            before != after
            for row, new in zip(rows, clean, strict=True)
            for before, after in zip(row, new, strict=True)
        )
    plain = (sa.Text() if isinstance(one.type, sa.JSON) else one.type for one in table.columns)
    columns = [sa.column(one.name, kind) for one, kind in zip(table.columns, plain, strict=True)]
    names = [one.name for one in columns]
    session.connection().execute(
        sa.insert(sa.table(table.name, *columns)), [dict(zip(names, row, strict=True)) for row in rows]
    )
    return 0


def _without_nul(value: Any) -> Any:
    return value.replace("\0", NUL_SIGN) if isinstance(value, str) else value


def _copy_in(session: Session, table: sa.Table, rows: Sequence[Row]) -> None:
    import psycopg

    names = ", ".join(f'"{column.name}"' for column in table.columns)
    connection: Any = session.connection().connection.driver_connection
    try:
        with connection.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.Error as error:
        said = (error.diag.message_primary or str(error)).strip().splitlines()[0]
        where = f", in rows {rows[0][0]} to {rows[-1][0]}"
        raise StoreError(f"The new database doesn't take {table.name}{where}: {said}; nothing was moved.") from error


def set_sequences(session: Session) -> None:
    """Let PostgreSQL give new rows ids above those that are taken."""
    for table in tables() if _is_server(session) else ():
        (key,) = table.primary_key
        if isinstance(key.type, sa.Integer):
            last = session.connection().scalar(sa.select(sa.func.max(key))) or 0
            sequence = sa.func.pg_get_serial_sequence(table.name, key.name)
            session.connection().execute(sa.select(sa.func.setval(sequence, max(last, 1), last >= 1)))


def without_idle_limit(session: Session) -> None:
    """Let PostgreSQL keep this transaction open, however long the work at the other database takes."""
    if _is_server(session):
        no_limit = sa.func.set_config("idle_in_transaction_session_timeout", "0", True)
        session.connection().execute(sa.select(no_limit))


def _is_server(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"
