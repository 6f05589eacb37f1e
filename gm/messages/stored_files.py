"""Files that go to many: kept once, and put into each mail when it is sent.

A queued mail only names its file. What is kept under a name never changes, so every attempt sends the same bytes.
"""

import base64
import json
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.messages.rendering.mime import STORED_FILE, BinaryFile, with_file
from gm.store.queries import meta_queries
from gm.store.tables import MailOut, Meta

PREFIX: Final = "stored file:"
_MARK: Final = f"\r\n{STORED_FILE}: ".encode()


def keep(session: Session, name: str, file: BinaryFile) -> None:
    """Keep a file for mails that are queued in the same transaction.

    One of the same name stays; those that no mail waits for any more go.
    """
    drop_delivered(session)
    if session.connection().scalar(sa.select(col(Meta.key)).where(col(Meta.key) == PREFIX + name)) is None:
        content = base64.b64encode(file.content).decode("ascii")
        meta_queries.set_meta(session, PREFIX + name, json.dumps([file.name, file.kind, content]))


def drop_delivered(session: Session) -> None:
    """Drop the files that no mail waits for any more."""
    waited_for = sa.exists().where(col(MailOut.status) == "queued", sa.literal(PREFIX) + col(MailOut.cause) == Meta.key)
    session.connection().execute(sa.delete(Meta).where(col(Meta.key).startswith(PREFIX), ~waited_for))


def filled(session: Session, raw: bytes) -> bytes:
    """Return a mail as it is sent: with its file in it, if it names one."""
    head = raw.partition(b"\r\n\r\n")[0]
    if _MARK not in head:
        return raw
    name = head.partition(_MARK)[2].partition(b"\r\n")[0].decode("ascii")
    kept = meta_queries.get_meta(session, PREFIX + name)
    if kept is None:  # its row is gone, as after a restore: the words still say what there is
        return raw
    file_name, kind, content = json.loads(kept)
    return with_file(raw, BinaryFile(name=file_name, kind=kind, content=base64.b64decode(content)))
