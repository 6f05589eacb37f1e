"""Queries for the facts about this database: its secret, its incarnations, whether it is a copy, where it lies.

A database is a new incarnation after each `gm restore`, `gm restore --adopt` and `gm migrate`. The mailbox bears the
list of those that have served it, and the last one serves (gm/transport/imap/ownership.py).
"""

import secrets
from datetime import datetime
from typing import Final

from sqlmodel import Session

from games.api import say
from gm.runtime.errors import NotOurs, Refused
from gm.store.zine_tables import ONLY, Zine

_HERE: Final = "zine"
"""Where a session holds the row, so that it is read once."""


def zine(session: Session) -> Zine:
    """Return the facts about this database. What is changed there is written with the transaction."""
    here: Zine | None = session.info.get(_HERE)
    if here is None or here not in session:
        here = session.info[_HERE] = session.get_one(Zine, ONLY)
    return here


def is_begun(session: Session) -> bool:
    """Return whether the database is more than empty tables."""
    return session.get(Zine, ONLY) is not None


def begin(session: Session) -> None:
    """Give a new database its secret and its first incarnation."""
    if not is_begun(session):
        session.add(Zine(secret=secrets.token_hex(32), incarnation=_new_incarnation()))


def signing_secret(session: Session) -> str:
    """Return a secret that changes with each incarnation, as row ids may be given a second time then.

    Otherwise a new mail would have the Message-ID of an old one that this database doesn't know, and be dropped on the
    way as its copy; and the code of an old question would answer a new one.
    """
    here = zine(session)
    return here.secret + here.incarnation


def former_signing_secret(session: Session) -> str | None:
    """Return the secret that held for the incarnation before this one, None where there was none."""
    here = zine(session)
    return here.secret + here.former[-1] if here.former else None


def draw_incarnation(session: Session) -> None:
    """Make the database a new incarnation of itself."""
    here = zine(session)
    here.former, here.incarnation = [*here.former, here.incarnation], _new_incarnation()
    here.overtaken = None


def _new_incarnation() -> str:
    return secrets.token_hex(12)


def adopt(session: Session, now: datetime) -> None:
    """Let this copy take the mailbox over with its first pass, and handle there what it doesn't know.

    It may be the database of a former incarnation that another one has overtaken.
    """
    here = zine(session)
    here.catch_up_from = here.catch_up_from or here.last_fetch or here.copied_at or now
    here.copied_at = None
    draw_incarnation(session)


def note_home(session: Session, where: str) -> None:
    """Note where the database lies, for a service that begins. Raises Refused where it was served elsewhere before.

    Then it is a copy: who serves it beside the other one answers everybody twice.
    """
    here = zine(session)
    if here.home is None:
        here.home = where
    elif here.home != where:
        raise Refused(say("zine_queries.served_elsewhere", before=here.home, now=where))


def refuse_if_overtaken(session: Session) -> None:
    """Raise NotOurs where a later incarnation of this database serves the mailbox."""
    if said := zine(session).overtaken:
        raise NotOurs(said, is_overtaken=True)
