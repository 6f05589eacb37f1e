"""Files that go to many: kept once, and put into each mail when it is sent.

A queued mail only names its file. What is kept under a name never changes, so every attempt sends the same bytes.
"""

from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.messages.rendering.mime import STORED_FILE, BinaryFile, with_file
from gm.store.tables import MailOut
from gm.store.zine_tables import StoredFile

_MARK: Final = f"\r\n{STORED_FILE}: ".encode()


def keep(session: Session, name: str, file: BinaryFile) -> None:
    """Keep a file for mails that are queued in the same transaction.

    One of the same name stays; those that no mail waits for any more go.
    """
    drop_delivered(session)
    if session.connection().scalar(sa.select(col(StoredFile.name)).where(col(StoredFile.name) == name)) is None:
        session.add(StoredFile(name=name, file_name=file.name, kind=file.kind, content=file.content))


def drop_delivered(session: Session) -> None:
    """Drop the files that no mail waits for any more."""
    waited_for = sa.exists().where(col(MailOut.status) == "queued", col(MailOut.cause) == StoredFile.name)
    session.connection().execute(sa.delete(StoredFile).where(~waited_for))


def filled(session: Session, raw: bytes) -> bytes:
    """Return a mail as it is sent: with its file in it, if it names one."""
    head = raw.partition(b"\r\n\r\n")[0]
    if _MARK not in head:
        return raw
    name = head.partition(_MARK)[2].partition(b"\r\n")[0].decode("ascii")
    kept = session.get(StoredFile, name)
    if kept is None:  # its row is gone, as after a restore: the words still say what there is
        return raw
    return with_file(raw, BinaryFile(name=kept.file_name, kind=kept.kind, content=kept.content))
