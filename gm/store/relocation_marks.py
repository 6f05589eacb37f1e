"""Marks of a zine that moves to another database: on the one it left, and on the one it goes to.

The mark on the one it left decides. Until that is written the zine is there, and the other is nobody's. From then on
nothing can be written to the one it left: triggers refuse, also what a command was about to write. Both marks have the
id of the move. A database whose restored copy serves the mailbox is left as well: it notes that when it finds the
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
"""In a database that the zine has left: where it went."""
ARRIVING: Final = "arriving_from"
"""In one that it goes to: where it comes from. It is served when this mark is gone."""

OVERTAKEN: Final = "overtaken"
"""In one whose restored copy serves the mailbox: when that was restored, and the sentence that says so."""

TRIGGER: Final = "zine_has_moved"
_BEGINS: Final = "The zine moved from "


@dataclass(frozen=True, kw_only=True)
class Mark:
    """One of the two marks; `place` is the other database, without a password."""

    id: str
    place: str
    at: str


def place(url: str) -> str:
    """Name a database so that it can be written into a config, without what only its owner may know."""
    made = make_url(url)._replace(password=None)  # `set` takes None for: as it is
    return made.difference_update_query(["password", "passfile"]).render_as_string()


def marks(session: Session) -> dict[str, Mark]:
    """Look both marks up, as far as they are there."""
    rows = session.exec(select(Meta.key, Meta.value).where(col(Meta.key).in_((MOVED, ARRIVING))))
    return {key: read(value) for key, value in rows}


def read(value: str) -> Mark:
    """Read a mark as it is stored."""
    return Mark(**json.loads(value))


def write(session: Session, key: str, mark: Mark) -> None:
    """Put a mark, in the place of one that is there."""
    session.merge(Meta(key=key, value=json.dumps(asdict(mark))))
    session.flush()


def refuse_if_moved(session: Session, url: str) -> None:
    """Raise Moved or Overtaken where the zine has left this database, StoreError where it has not arrived yet."""
    found, noted = marks(session), session.get(Meta, OVERTAKEN)
    if noted:
        raise overtaken(noted.value)
    if mark := found.get(MOVED):
        raise Moved(sentence(place(url), mark))
    if mark := found.get(ARRIVING):
        raise StoreError(
            f"The zine's move from {mark.place} to this database isn't finished: `gm migrate`, with the config as it "
            "was, begins it anew or ends it."
        )


def note_overtaken(session: Session, by: Overtaken) -> None:
    """Write down that a restored copy serves the mailbox: from then on this database is served no more."""
    session.merge(Meta(key=OVERTAKEN, value=f"{by.restored_at.isoformat()} {by}"))


def overtaken(value: str) -> Overtaken:
    """Read that note."""
    restored_at, _, said = value.partition(" ")
    return Overtaken(said, restored_at=datetime.fromisoformat(restored_at))


def leave(session: Session, url: str, mark: Mark) -> None:
    """Mark a database as left, and let nobody change it any more."""
    write(session, MOVED, mark)
    for statement in _lock(session.get_bind().dialect.name, sentence(place(url), mark)):
        session.connection().execute(text(statement.replace(":", "\\:")))


def end(session: Session) -> None:
    """Take the mark of an arriving zine away."""
    session.execute(delete(Meta).where(col(Meta.key) == ARRIVING))


def sentence_in(error: DBAPIError) -> str:
    """Give what our trigger said, nothing where it was something else."""
    said = str(error.orig).splitlines()[:1]
    return said[0] if said and said[0].startswith(_BEGINS) else ""


def sentence(here: str, mark: Mark) -> str:
    """Say where the zine is now."""
    here = here.removeprefix("sqlite:///")
    return f"{_BEGINS}{here} to {mark.place} on {mark.at[:10]}: write that as url under [database] in the config."


def _lock(dialect: str, said: str) -> list[str]:
    """Write the statements by which every table refuses to be changed."""
    tables, said = sorted(SQLModel.metadata.tables), said.replace("'", "''")
    if dialect == "sqlite":
        return [
            f'CREATE TRIGGER "{TRIGGER}_{table}_{event}" BEFORE {event} ON "{table}" '
            f"BEGIN SELECT RAISE(ABORT, '{said}'); END"
            for table in tables for event in ("INSERT", "UPDATE", "DELETE")
        ]  # fmt: skip
    function = (
        f"CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $gm$ BEGIN "
        f"RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = '{said}'; END $gm$"
    )
    return [
        function,
        *(
            f'CREATE TRIGGER {TRIGGER} BEFORE INSERT OR UPDATE OR DELETE ON "{table}" EXECUTE FUNCTION {TRIGGER}()'
            for table in tables
        ),
    ]
