"""The junk folder: mails of registered players that the provider took for junk are taken out. All others stay.

The sender of each mail is looked at once, and the last UID is written down. So no junk is stored or fetched.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, select

from gm.app.context import App, Inbox
from gm.runtime.errors import MailboxError, NoRoom
from gm.service.mailbox import unfetched
from gm.service.mailbox.fetching import Folder, all_heads, fetch_all
from gm.store.queries import mail_queries, player_queries, zine_queries
from gm.store.tables import Address
from gm.store.zine_tables import Zine
from gm.transport.imap.mails import Waiting
from parsers.errors import MailError
from parsers.mime.message import read_mail

log = logging.getLogger("gm")

BATCH: Final = 200
LONGEST_SENDER: Final = 2000
"""Bytes of a From field; a longer one is no player's."""


@dataclass(frozen=True, kw_only=True)
class Junk:
    """What was found in the folder, or what went wrong."""

    inbox: Inbox
    folder: str
    waiting: Waiting | None = None
    trouble: MailboxError | NoRoom | None = None
    has_stored: bool = False
    """Mails may have been stored."""


def fetch(app: App, looked: Zine) -> Junk:
    """Store the players' mails from the junk folder, if one is configured. What goes wrong is in the result.

    `looked` says up to where it was looked at before.
    """
    folder = app.settings.imap.junk
    inbox = app.inbox.other_folder(folder) if folder else app.inbox
    try:
        return _look(app, inbox, folder, looked) if folder else Junk(inbox=inbox, folder=folder)
    except (MailboxError, NoRoom) as error:
        return Junk(inbox=inbox, folder=folder, trouble=error, has_stored=True)


def _look(app: App, inbox: Inbox, folder: str, looked: Zine) -> Junk:
    if not inbox.exists():
        _note_missing(app, folder, looked)
        return Junk(inbox=inbox, folder=folder)
    waiting = inbox.waiting()
    is_known = (looked.junk_folder, looked.junk_uidvalidity) == (folder, waiting.uidvalidity)
    last = (looked.junk_uid or 0) if is_known else 0
    fresh = [uid for uid in waiting.uids if uid > last]
    here = Folder(inbox=inbox, stop_signal=app.stop_signal, uidvalidity=waiting.uidvalidity, seen_before=app.now())
    for at in range(0, len(fresh), BATCH):
        some = fresh[at : at + BATCH]
        senders = {uid: _sender(head.sender) for uid, head in all_heads(here, some, with_sender=True).items()}
        with app.database.read() as session:
            theirs = _of_players(session, senders)
        for haul in fetch_all(here, theirs):
            app.inbox.check_owner()
            with app.database.write() as session:
                mail_queries.store_mails(session, folder, haul.mails)
            unfetched.note(app, folder, haul.unfetched)
        with app.database.write() as session:
            _note_looked(session, folder, waiting.uidvalidity, some[-1])
    is_any_fetched = unfetched.try_again(app, folder, here, waiting)
    return Junk(inbox=inbox, folder=folder, waiting=waiting, has_stored=bool(fresh) or is_any_fetched)


def _note_missing(app: App, folder: str, looked: Zine) -> None:
    """Warn once that there is no such folder. It may be created later."""
    if (looked.junk_folder, looked.junk_uidvalidity) != (folder, None):
        log.warning("There is no folder %s in the mailbox; check junk in [imap].", folder)
        with app.database.write() as session:
            _note_looked(session, folder, None, None)


def _note_looked(session: Session, folder: str, uidvalidity: int | None, uid: int | None) -> None:
    zine = zine_queries.zine(session)
    zine.junk_folder, zine.junk_uidvalidity, zine.junk_uid = folder, uidvalidity, uid


def _sender(line: bytes) -> str:
    try:
        return read_mail(line).sender.lower() if len(line) <= LONGEST_SENDER else ""
    except MailError:
        return ""


def _of_players(session: Session, senders: Mapping[int, str]) -> list[int]:
    written = {sender: player_queries.known_address(session, sender) for sender in senders.values() if sender}
    known = set(session.exec(select(Address.address).where(col(Address.address).in_(written.values()))))
    return [uid for uid, sender in senders.items() if written.get(sender) in known]
