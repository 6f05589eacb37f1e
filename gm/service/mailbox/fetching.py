"""Fetching from servers that misbehave: a mail that can't be fetched keeps no other back."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from gm.app.context import Inbox
from gm.runtime.errors import MailboxError
from gm.runtime.stop_signal import StopSignal
from gm.transport.imap.mails import Fetched, Head
from gm.transport.imap.size_limits import MOST_MAILS


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

    mails: Sequence[Fetched]
    unfetched: Sequence[Unfetched] = ()
    tried: int = MOST_MAILS
    """How many of the mails were asked for; all together might have been too much to hold at once."""


def fetch_all(folder: Folder, uids: Sequence[int]) -> Iterator[Haul]:
    """Fetch mails of a folder, as many at a time as may be held at once. Raises MailboxError."""
    left = list(uids)
    while some := left[:MOST_MAILS]:
        folder.stop_signal.check()
        haul = fetch(folder, some)
        yield haul
        left = left[haul.tried :]


def fetch(folder: Folder, uids: Sequence[int]) -> Haul:
    """Fetch as many mails as may be held at once. If that fails, fetch one by one, without those that make it fail.

    Some servers refuse all mails where one has gone since it was listed; then the others are fetched. Raises
    MailboxError where the server doesn't even list the folder.
    """
    try:
        mails = folder.inbox.fetch(uids)
    except MailboxError as error:
        here = _still_there(folder, uids)
        if len(here) < len(uids):
            return _without_the_gone(folder, uids, here)
        if len(uids) == 1:
            return Haul([], [_described(folder, uids[0], str(error))])
        return _one_by_one(folder, uids)
    tried = uids.index(mails[-1].uid) + 1 if mails else len(uids)
    came = {mail.uid for mail in mails}
    missing = [uid for uid in uids[:tried] if uid not in came]
    if not missing:
        return Haul(mails, tried=tried)
    here = _still_there(folder, missing)
    if len(uids) == 1:
        return Haul([], [_described(folder, uid, "the server lists it but doesn't hand it out") for uid in here], tried)
    again = _one_by_one(folder, here)
    return Haul([*mails, *again.mails], again.unfetched, tried)


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


def _without_the_gone(folder: Folder, uids: Sequence[int], here: Sequence[int]) -> Haul:
    haul = fetch(folder, here) if here else Haul([])
    is_all = haul.tried >= len(here)
    return haul._replace(tried=len(uids) if is_all else uids.index(here[haul.tried]))


def _one_by_one(folder: Folder, uids: Sequence[int]) -> Haul:
    found = []
    for uid in uids:
        folder.stop_signal.check()
        found.append(fetch(folder, [uid]))
    mails = [mail for haul in found for mail in haul.mails]
    return Haul(mails, [mail for haul in found for mail in haul.unfetched], len(uids))


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
