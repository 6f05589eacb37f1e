"""Queries for facts about this database: its secret, when it was restored, and what others note under a key."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from gm.runtime.errors import Overtaken, Refused
from gm.store.tables import Meta

COPIED: Final = "copied_at"
"""The key in a copy only: when it was made. Removed when the folders of handled mails were read."""
COPY_SENTENCE: Final = {
    "en": "The database is a copy that was put back; let it catch up first: gm serve --once",
    "de": "Die Datenbank ist eine zurückgespielte Sicherung; lass sie erst aufholen: gm serve --once",
}
"""What is said of a change that has to wait for such a copy."""
RECHECK_FROM: Final = "look_again_from"
"""The key in a copy that has caught up, until it has read the inbox too: the last fetch before the copy was made."""
RESTORED: Final = "restored_at"
"""The key of the times of `gm restore`, the last one last. Each is later than the one before, even by a wrong clock."""
HOME: Final = "home"
"""The entry with where the database lies, as the first `gm serve` there noted it."""
SITE: Final = "site"
"""The key of the site that shows all games without a mark. As a new name may stand anywhere, it removes the key."""
OVERTAKEN: Final = "overtaken"
"""The key in a database whose restored copy serves the mailbox: when that was restored, and a sentence that says so."""

# Built once: each pass asks it a dozen times.
_VALUE: Final = select(Meta.value).where(col(Meta.key) == bindparam("key"))


def get_meta(session: Session, key: str) -> str | None:
    """Look up a fact about this database."""
    return session.scalar(_VALUE, {"key": key})


def get_several(session: Session, keys: Collection[str]) -> dict[str, str]:
    """Look up several facts; those that nobody has noted are left out."""
    return {row.key: row.value for row in session.exec(select(Meta).where(col(Meta.key).in_(keys)))}


def set_meta(session: Session, key: str, value: str) -> None:
    """Write down a fact about this database."""
    row = session.get(Meta, key) or Meta(key=key, value=value)
    row.value = value
    session.add(row)


def delete_meta(session: Session, key: str) -> None:
    """Delete a fact, if it is still there."""
    if row := session.get(Meta, key):
        session.delete(row)


def secret(session: Session) -> str:
    """Return the database's secret; it is drawn when it is first asked for."""
    known = get_meta(session, "secret")
    if known is None:
        known = secrets.token_hex(32)
        set_meta(session, "secret", known)
    return known


def restore_times(session: Session) -> str:
    """Return the times of all restores, "" for none. Row ids are given a second time after each of them."""
    return get_meta(session, RESTORED) or ""


def secret_since_restore(session: Session) -> str:
    """Return a secret that changes with each `gm restore`, as row ids are given a second time then.

    Otherwise a new mail would have the Message-ID of an old one that this database doesn't know, and be dropped on the
    way as its copy; and the code of an old question would answer a new one.
    """
    return secret(session) + restore_times(session)


def secret_before_restore(session: Session) -> str | None:
    """Return the secret that held before the last restore, None where there was none."""
    times = restore_times(session).split()
    return secret(session) + " ".join(times[:-1]) if times else None


def restored_at(session: Session) -> datetime | None:
    """Return when the database was last restored; None if it never was."""
    times = restore_times(session).split()
    return datetime.fromisoformat(times[-1]) if times else None


def note_restore(session: Session, at: datetime) -> None:
    """Note that the database was restored."""
    set_meta(session, RESTORED, with_restore(restore_times(session), at))


def adopt(session: Session, now: datetime) -> None:
    """Let this copy take the mailbox over with its first pass, and handle there what it doesn't know.

    It may be a copy of a database that another copy has replaced: here it becomes the zine's database again.
    """
    copied, overtaken = get_meta(session, COPIED), get_meta(session, OVERTAKEN)
    others = [datetime.fromisoformat(at.split()[0]) for at in (copied, overtaken) if at]
    set_meta(session, RESTORED, with_restore(restore_times(session), now, *others))
    delete_meta(session, OVERTAKEN)
    delete_meta(session, HOME)
    if copied is None:
        set_meta(session, COPIED, now.isoformat())


def note_home(session: Session, here: str) -> None:
    """Note where the database lies, for a service that begins. Raises Refused where it was served elsewhere before.

    Then it is a copy: who serves it beside the other one answers everybody twice.
    """
    noted = get_meta(session, HOME)
    if noted is None:
        set_meta(session, HOME, here)
    elif noted != here:
        raise Refused(
            f"This database was served at {noted} before, and lies at {here} now: it is a copy, or was moved. If it is "
            "to serve from now on, say gm restore --adopt; a service that still runs there ends then.",
            de=f"Diese Datenbank wurde bisher auf {noted} benutzt und liegt jetzt auf {here}: Sie ist eine Kopie oder "
            "zog um. Soll sie ab jetzt gelten, sag gm restore --adopt; ein Dienst, der dort noch läuft, endet dann.",
        )


def refuse_if_overtaken(session: Session) -> None:
    """Raise Overtaken where a copy of this database serves the mailbox now."""
    if noted := session.get(Meta, OVERTAKEN):
        restored_at, _, said = noted.value.partition(" ")
        raise Overtaken(said, restored_at=datetime.fromisoformat(restored_at))


def note_overtaken(session: Session, by: Overtaken) -> None:
    """Note that a restored copy serves the mailbox: from then on this database isn't served any more."""
    session.merge(Meta(key=OVERTAKEN, value=f"{by.restored_at.isoformat()} {by}"))


def with_restore(times: str, at: datetime, *others: datetime) -> str:
    """Add the time of a restore, later than the last one and than these others, even if the clock is wrong."""
    known = times.split()
    before = [*map(datetime.fromisoformat, known[-1:]), *others]
    return " ".join([*known, max([at, *(one + timedelta(microseconds=1) for one in before)]).isoformat()])
