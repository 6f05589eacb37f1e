"""Fetching from servers that misbehave. A mail that can't be fetched keeps no other back, and the GM sees why."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from gm.app.context import App, Inbox
from gm.runtime.errors import MailboxError, OperatorError
from gm.store.queries import meta_queries
from gm.store.queries.mail_queries import INBOX_TROUBLE
from gm.transport.imap.mails import Fetched
from gm.transport.imap.size_limits import MOST_MAILS

MOST_FAILURES: Final = 2
"""So many failures in a row are the server's fault, not a mail's."""


class Haul(NamedTuple):
    """The mails that could be fetched, and what is wrong if one that waits could not be."""

    mails: Sequence[Fetched]
    trouble: MailboxError | None = None
    tried: int = MOST_MAILS
    """How many of the mails were asked for; all together might have been too much to hold at once."""


def fetch(app: App, uidvalidity: int, uids: Sequence[int]) -> Haul:
    """Fetch as many mails as may be held at once. If that fails, fetch one by one: it may be a single mail's fault.

    Some servers refuse all mails where one has gone since it was listed; then the others are fetched. Raises
    MailboxError.
    """
    try:
        mails = app.inbox.fetch(uids)
    except MailboxError:
        here = _still_there(app, uidvalidity, uids)
        if len(here) < len(uids):
            return _without_the_gone(app, uidvalidity, uids, here)
        if len(uids) == 1:
            raise
        return _one_by_one(app, uids)
    tried = uids.index(mails[-1].uid) + 1 if mails else len(uids)
    gone = set(uids[:tried]) - {mail.uid for mail in mails}
    found = _again(app, uidvalidity, gone, mails) if gone else Haul(mails)
    return found._replace(tried=tried)


def _still_there(app: App, uidvalidity: int, uids: Sequence[int]) -> Sequence[int]:
    waiting = app.inbox.waiting()
    listed = {*waiting.uids}
    return [uid for uid in uids if uid in listed] if waiting.uidvalidity == uidvalidity else uids


def _without_the_gone(app: App, uidvalidity: int, uids: Sequence[int], here: Sequence[int]) -> Haul:
    haul = fetch(app, uidvalidity, here) if here else Haul([])
    is_all = haul.tried >= len(here)
    return haul._replace(tried=len(uids) if is_all else uids.index(here[haul.tried]))


def in_batches(inbox: Inbox, uids: Sequence[int]) -> Iterator[Sequence[Fetched]]:
    """Fetch mails of a folder, as many at a time as may be held at once. Raises MailboxError."""
    left = list(uids)
    while left:
        mails = inbox.fetch(left[:MOST_MAILS])
        yield mails
        left = left[left.index(mails[-1].uid) + 1 :] if mails else left[MOST_MAILS:]


def _again(app: App, uidvalidity: int, gone: AbstractSet[int], mails: Sequence[Fetched]) -> Haul:
    """Find out about mails that didn't come: somebody took them away, or the server doesn't hand them out."""
    waiting = app.inbox.waiting()
    kept = sorted(gone & {*waiting.uids}) if waiting.uidvalidity == uidvalidity else []
    if not kept:
        return Haul(mails)
    again = app.inbox.fetch(kept)
    missing = [uid for uid in kept if uid not in {mail.uid for mail in again}]
    trouble = _sentence(app, missing, "the server lists it but doesn't hand it out") if missing else None
    return Haul([*mails, *again], trouble)


def _one_by_one(app: App, uids: Sequence[int]) -> Haul:
    """Fetch mail by mail, without the one that makes the server refuse."""
    mails: list[Fetched] = []
    failed: list[int] = []
    in_a_row, reason = 0, ""
    for uid in uids:
        try:
            mails += app.inbox.fetch([uid])
            in_a_row = 0
        except MailboxError as error:
            in_a_row, reason = in_a_row + 1, str(error)
            failed.append(uid)
            if in_a_row == MOST_FAILURES:
                return Haul(mails, error)
    return Haul(mails, _sentence(app, failed, reason) if failed else None)


def _sentence(app: App, uids: Sequence[int], reason: str) -> MailboxError:
    """Name the mails that can't be fetched. They hold all rounds up: each may be the move that a round waits for."""
    return MailboxError(
        f"Of the mails in {app.settings.imap.folder}, UID {', '.join(map(str, uids))} can't be fetched: "
        f"{reason.rstrip('.')}. All others were read, but no round closes; if this lasts, move it away with a mail "
        "program."
    )


def note_trouble(
    app: App, troubles: Sequence[OperatorError], kind: type[OperatorError] = MailboxError, key: str = INBOX_TROUBLE
) -> None:
    """Write down for `gm status` what is wrong with the mailbox, or with sending; or that nothing is any more."""
    found = next((str(trouble) for trouble in troubles if isinstance(trouble, kind)), "")
    with app.database.read() as session:
        if found == (meta_queries.get_meta(session, key) or ""):
            return
    with app.database.write() as session:
        meta_queries.set_meta(session, key, found)
