"""Marks of a zine that moves to another database: on the one that it leaves, and on the one that it goes to.

The mark on the database that was left decides: until it is written, the zine is there and nobody uses the other one.
From then on nothing can be written to the old database, as triggers refuse it. Both marks have the id of the move.

A database is also left when a copy of it was restored and serves the mailbox now. It notes that when it finds the
copy's mark in the mailbox.
"""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, SQLModel, col, select

from gm.runtime.errors import Moved, Overtaken, StoreError
from gm.store.tables import Meta

MOVED: Final = "moved_to"
"""The key in a database that the zine has left: where it went."""
ARRIVING: Final = "arriving_from"
"""The key in a database that it goes to: where it comes from. Without this mark it may be served."""
OVERTAKEN: Final = "overtaken"
"""The key in a database whose restored copy serves the mailbox: when that was restored, and a sentence that says so."""

_TRIGGER: Final = "zine_has_moved"
_BEGINNING: Final = "The zine moved from "


@dataclass(frozen=True, kw_only=True)
class Mark:
    """One of the two marks; `place` is the other database, without a password."""

    id: str
    place: str
    at: str


def shown_url(url: str) -> str:
    """Name a database so that it can be written into a config, without its password."""
    made = make_url(url)._replace(password=None)  # `set` takes None for: as it is
    return made.difference_update_query(["password", "passfile"]).render_as_string()


def read_marks(session: Session) -> dict[str, Mark]:
    """Read the marks of a move that are there."""
    rows = session.exec(select(Meta.key, Meta.value).where(col(Meta.key).in_((MOVED, ARRIVING))))
    return {key: parse_mark(value) for key, value in rows}


def parse_mark(value: str) -> Mark:
    """Read a mark as it is stored."""
    return Mark(**json.loads(value))


def write_mark(session: Session, key: str, mark: Mark) -> None:
    """Write a mark in place of the one that is there."""
    session.merge(Meta(key=key, value=json.dumps(asdict(mark))))
    session.flush()


def delete_arrival(session: Session) -> None:
    """Delete the mark of an arriving zine."""
    session.execute(delete(Meta).where(col(Meta.key) == ARRIVING))


def refuse_if_moved(session: Session, url: str) -> None:
    """Raise Moved or Overtaken where the zine has left this database, StoreError where it has not arrived yet."""
    found, overtaken = read_marks(session), session.get(Meta, OVERTAKEN)
    if overtaken:
        restored_at, _, said = overtaken.value.partition(" ")
        raise Overtaken(said, restored_at=datetime.fromisoformat(restored_at))
    if mark := found.get(MOVED):
        raise Moved(moved_sentence(shown_url(url), mark))
    if mark := found.get(ARRIVING):
        raise StoreError(
            f"The zine's move from {mark.place} to this database isn't finished: `gm migrate`, with the config as it "
            "was, begins it anew or ends it."
        )


def note_overtaken(session: Session, by: Overtaken) -> None:
    """Note that a restored copy serves the mailbox: from then on this database isn't served any more."""
    session.merge(Meta(key=OVERTAKEN, value=f"{by.restored_at.isoformat()} {by}"))


def leave(session: Session, url: str, mark: Mark) -> None:
    """Mark a database as left, and refuse all changes to it from then on."""
    write_mark(session, MOVED, mark)
    for statement in _triggers(session.get_bind().dialect.name, moved_sentence(shown_url(url), mark)):
        session.connection().execute(text(statement.replace(":", "\\:")))


def moved_sentence(here: str, mark: Mark) -> str:
    """Write where the zine is now."""
    here = here.removeprefix("sqlite:///")
    return f"{_BEGINNING}{here} to {mark.place} on {mark.at[:10]}: write that as url under [database] in the config."


def moved_sentence_in(error: DBAPIError) -> str:
    """Return the sentence that our trigger raised, "" where the error is another one."""
    said = str(error.orig).splitlines()[:1]
    return said[0] if said and said[0].startswith(_BEGINNING) else ""


def _triggers(dialect: str, said: str) -> list[str]:
    """Write the statements by which every table refuses to be changed."""
    tables, said = sorted(SQLModel.metadata.tables), said.replace("'", "''")
    if dialect == "sqlite":
        return [
            f'CREATE TRIGGER "{_TRIGGER}_{table}_{event}" BEFORE {event} ON "{table}" '
            f"BEGIN SELECT RAISE(ABORT, '{said}'); END"
            for table in tables for event in ("INSERT", "UPDATE", "DELETE")
        ]  # fmt: skip
    function = (
        f"CREATE OR REPLACE FUNCTION {_TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $gm$ BEGIN "
        f"RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = '{said}'; END $gm$"
    )
    return [
        function,
        *(
            f'CREATE TRIGGER {_TRIGGER} BEFORE INSERT OR UPDATE OR DELETE ON "{table}" EXECUTE FUNCTION {_TRIGGER}()'
            for table in tables
        ),
    ]
