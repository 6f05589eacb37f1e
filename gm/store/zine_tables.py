"""Tables for what a zine keeps beside its games, and what all tables have in common: `tables` builds on this module."""

from datetime import datetime
from typing import Final

from sqlalchemy import JSON, BigInteger, LargeBinary, false
from sqlmodel import Field, SQLModel

# Named constraints, so that a later migration can drop one on every database. Before the first table.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """A row. No value is validated, so the validators are not built when a command starts (10 ms)."""

    model_config = {"defer_build": True}


ONLY: Final = 1
"""The id of the only row of `zine`."""


class Zine(Row, table=True):
    """The facts about this database, one column each. There is one row; None: not noted yet, or no longer true."""

    id: int = Field(default=ONLY, primary_key=True)
    secret: str
    """What ids and codes are signed with, together with the incarnation."""
    incarnation: str
    """Who this database is at its mailbox (gm/transport/imap/ownership.py)."""
    former: list[str] = Field(default_factory=list, sa_type=JSON, sa_column_kwargs={"server_default": "[]"})
    """The incarnations that it was before, the first one first."""
    overtaken: str | None = None
    """Where a later incarnation of it serves the mailbox: the sentence that says so. It isn't served any more."""
    home: str | None = None
    """Where the database lies, as the first `gm serve` there noted it."""
    copied_at: datetime | None = None
    """In a copy that is still the incarnation of its original: when it was made."""
    catch_up_from: datetime | None = None
    """In a copy of its own incarnation, until the folders of handled mails were read: what it knows ends here."""
    look_again_from: datetime | None = None
    """In a copy that has caught up, until it has read the inbox too: the last fetch before the copy was made."""
    last_fetch: datetime | None = None
    """When the last look into the inbox began after which all mails found were stored."""
    clock: str | None = None
    """What the service's clock wants to know again after a restart (gm/runtime/clock.py)."""
    junk_folder: str | None = None
    """The junk folder that was looked at last, with its UIDVALIDITY and the last UID; without these it is missing."""
    junk_uidvalidity: int | None = Field(default=None, sa_type=BigInteger)
    junk_uid: int | None = Field(default=None, sa_type=BigInteger)
    inbox_trouble: str | None = None
    """What keeps us from fetching mails, from sending them, and from making the nightly backup."""
    outbox_trouble: str | None = None
    backup_trouble: str | None = None
    backup_failed_at: datetime | None = None
    last_digest: datetime | None = None
    """Up to which instant digests were sent. In a new zine it is the first pass."""
    settings_seen: str | None = None
    """The settings, rules and word lists that all `look_at` of games were computed from."""
    word_lists: str | None = None
    """The word lists that the running games were last compared with."""

    @property
    def is_behind(self) -> bool:
        """Whether it is a copy that hasn't caught up yet."""
        return self.copied_at is not None or self.catch_up_from is not None


class StoredFile(Row, table=True):
    """A file that goes to many, kept once; queued mails name it (gm/messages/stored_files.py)."""

    __tablename__ = "stored_file"
    name: str = Field(primary_key=True)
    file_name: str
    kind: str
    content: bytes = Field(sa_type=LargeBinary)


class SentIssue(Row, table=True):
    """Which bytes of an issue went out."""

    __tablename__ = "sent_issue"
    number: int = Field(primary_key=True)
    checksum: str


class Refusal(Row, table=True):
    """A mail that a server refused, with nothing accepted since (gm/service/outbound/refusals.py)."""

    mail_id: int = Field(primary_key=True, foreign_key="mail_out.id")
    at: datetime
    said: str
    is_ours: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """With this one it was clear that they are about our account."""
