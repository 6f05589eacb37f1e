"""Fetching from servers that misbehave: a mail that can't be fetched keeps no other back."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from gm.app.context import Inbox
from gm.runtime.errors import MailboxError
from gm.runtime.stop_signal import StopSignal
from gm.transport.imap.mails import Fetched, Head

MOST_MAILS: Final = 32
"""So many are held at once: with 256 KiB each, the most that is kept of a mail, 8 MiB."""


@dataclass(frozen=True, kw_only=True)
class Folder:
    """A folder that is read. Its UIDs mean something only with this UIDVALIDITY."""

    inbox: Inbox
    stop_signal: StopSignal
    uidvalidity: int
    seen_before: datetime
    """When it was looked at before: a mail whose arrival the server doesn't say wasn't there then."""


class Unfetched(NamedTuple):
    """A mail that lies there and that the server doesn't hand out."""

    uid: int
    uidvalidity: int
    received_at: datetime
    size: int
    """0 where the server doesn't say it."""
    reason: str


class Haul(NamedTuple):
    """The mails that could be fetched, and those that could not."""

    mails: Sequence[Fetched] = ()
    unfetched: Sequence[Unfetched] = ()


def fetch_all(folder: Folder, uids: Sequence[int]) -> Iterator[Haul]:
    """Fetch mails of a folder, some at a time. Raises MailboxError."""
    for at in range(0, len(uids), MOST_MAILS):
        yield fetch(folder, uids[at : at + MOST_MAILS])


def fetch(folder: Folder, uids: Sequence[int]) -> Haul:
    """Fetch mails together. What doesn't come that way, and still lies there, is tried again, at last one by one.

    Some servers refuse all mails where one has gone since it was listed. Raises MailboxError where the server doesn't
    even list the folder.
    """
    folder.stop_signal.check()
    try:
        mails, reason = folder.inbox.fetch(uids), "the server lists it but doesn't hand it out"
    except MailboxError as error:
        mails, reason = [], str(error)
    came = {mail.uid for mail in mails}
    missing = [uid for uid in uids if uid not in came]
    here = _still_there(folder, missing) if missing else []
    if len(uids) == 1:
        return Haul(mails, [_described(folder, uid, reason) for uid in here])
    parts = ([here] if here else []) if len(here) < len(uids) else [[uid] for uid in here]
    again = [fetch(folder, part) for part in parts]
    found = [*mails, *(mail for haul in again for mail in haul.mails)]
    return Haul(found, [mail for haul in again for mail in haul.unfetched])


def all_heads(folder: Folder, uids: Sequence[int], *, with_sender: bool = False) -> dict[int, Head]:
    """Return arrival and size of mails, as far as the server says them of each. Raises MailboxError as `fetch` does."""
    try:
        return folder.inbox.heads(uids, with_sender=with_sender)
    except MailboxError:
        here = _still_there(folder, uids)
        if len(uids) == 1:
            return {}
    found: dict[int, Head] = {}
    for uid in here:
        folder.stop_signal.check()
        found |= all_heads(folder, [uid], with_sender=with_sender)
    return found


def _still_there(folder: Folder, uids: Sequence[int]) -> Sequence[int]:
    """List those of the mails that still lie there.

    Raises MailboxError where the server doesn't answer, or where the UIDs mean other mails now.
    """
    waiting = folder.inbox.waiting()
    if waiting.uidvalidity != folder.uidvalidity:
        raise MailboxError("The IMAP server has numbered its mails anew; the next look begins afresh.")
    listed = {*waiting.uids}
    return [uid for uid in uids if uid in listed]


def _described(folder: Folder, uid: int, reason: str) -> Unfetched:
    """Say of a mail what the server says of it without handing it out."""
    try:
        head = folder.inbox.heads([uid]).get(uid)
    except MailboxError:
        head = None
    at, size = (head.received_at, head.size) if head else (_arrival(folder, uid), 0)
    return Unfetched(uid=uid, uidvalidity=folder.uidvalidity, received_at=at, size=size, reason=reason)


def _arrival(folder: Folder, uid: int) -> datetime:
    with suppress(MailboxError):
        return folder.inbox.arrival(uid) or folder.seen_before
    return folder.seen_before
