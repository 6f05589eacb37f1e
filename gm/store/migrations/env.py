"""Alembic's entry: runs migrations on the engine that `Database.prepare` hands in."""

from typing import Any

from alembic import context
from sqlmodel import SQLModel

import gm.store.archive_tables  # noqa: F401  (fills the metadata, with gm.store.tables)
from gm.store.database import LOCK_ZINE


def run() -> None:
    """Upgrade (or compare) in one transaction, so that a failed migration leaves nothing half done."""
    engine: Any = context.config.attributes["engine"]
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(LOCK_ZINE)  # of several processes that start at once, the first one migrates
        context.configure(
            connection=connection,
            target_metadata=SQLModel.metadata,
            render_as_batch=connection.dialect.name == "sqlite",
        )
        with context.begin_transaction():
            context.run_migrations()


run()
