"""Finds the schema of a database, and brings it up to date."""

from pathlib import Path
from typing import Final

from sqlalchemy import Engine, inspect, text
from sqlmodel import Session

from gm.runtime.errors import StoreError

REVISIONS: Final = ("1.0.0",)
"""All schemas, the newest last, each named after the version of gm that introduced it.

They are listed here so that a start needs no Alembic; a test compares them with the folder of migrations.
"""
HEAD: Final = REVISIONS[-1]


def schema_version(session: Session) -> str | None:
    """Return the schema of a database, None for an empty one."""
    connection = session.connection()
    if not inspect(connection).has_table("alembic_version"):
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return str(row[0]) if row else None


def refuse_unknown(revision: str, place: str) -> None:
    """Raise StoreError where a database has a schema that this version doesn't know."""
    if revision in REVISIONS:
        return
    raise StoreError(
        f"{place} was written by gm {revision} or newer; this gm knows databases up to {HEAD}. Install the newer "
        "version, or restore an older backup."
    )


def upgrade(engine: Engine, place: str) -> None:
    """Bring a database to the newest schema, in one transaction. Raises StoreError if its encoding isn't UTF-8."""
    from alembic import command
    from alembic.config import Config

    _check_encoding(engine, place)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["engine"] = engine
    command.upgrade(config, "head")


def _check_encoding(engine: Engine, place: str) -> None:
    if engine.dialect.name != "postgresql":
        return
    with engine.connect() as connection:
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != "UTF8":
        command = "createdb --encoding=UTF8 --template=template0 NAME"
        raise StoreError(f"The database {place} is in {encoding}, which lacks letters; make another one: {command}.")
