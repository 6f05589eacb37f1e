"""Mails that lie there and that the server doesn't hand out: they are noted, shown to the GM and tried again.

Each may be a move. So it holds the rounds in whose window it arrived, as a mail in quarantine does.
"""

import logging
from collections.abc import Sequence
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.messages import gm_list, questions
from gm.messages.questions import About
from gm.messages.unfetched_mails import described, sentence
from gm.service.mailbox.fetching import Folder, Haul, Unfetched, fetch
from gm.store.queries import mail_queries
from gm.store.queries.mail_queries import UNFETCHED
from gm.store.tables import MailIn
from gm.transport.imap.mails import Waiting

log = logging.getLogger("gm")

MOST_RETRIED: Final = 5
"""So many are tried again in a pass, in turn: where one fails, most servers break off the connection."""
MOST_MAILED: Final = 10
"""So many of those found in a pass stand in the mail to the GM; `gm todo` has all."""


def note(app: App, folder: str, found: Sequence[Unfetched]) -> None:
    """Write down which mails of a folder can't be fetched, once each, and tell the GM of them in one mail."""
    if not found:
        return
    with app.database.write() as session:
        known = mail_queries.stored_uids(session, folder, found[0].uidvalidity, [mail.uid for mail in found])
        entries = [_entry(app, session, folder, mail) for mail in found if mail.uid not in known]
        if entries:
            gm_list.send(app, session, entries[:MOST_MAILED])


def _entry(app: App, session: Session, folder: str, mail: Unfetched) -> gm_list.Entry:
    row = MailIn(
        folder=folder, uidvalidity=mail.uidvalidity, uid=mail.uid, raw=b"", size=mail.size, content="",
        received_at=mail.received_at, status=UNFETCHED, reason=mail.reason, handled_at=app.now(),
    )  # fmt: skip
    session.add(row)
    session.flush()
    zone = app.settings.service.timezone
    log.warning("%s. %s", sentence(row, zone), mail.reason)
    said = described(row, zone)
    return gm_list.add_trouble(app, session, UNFETCHED, said, About(mail=row), [("mail", "drop", f"{row.id}")])


def try_again(app: App, name: str, folder: Folder, waiting: Waiting) -> bool:
    """Fetch what could not be fetched before, to be handled now; says whether any was.

    What was taken out of the folder is settled. Raises MailboxError.
    """
    with app.database.read() as session:
        noted = mail_queries.unfetched(session, name)
        listed = {*waiting.uids}
        here = {row.uid: row.id for row in noted if row.uidvalidity == waiting.uidvalidity and row.uid in listed}
        gone = [row.id for row in noted if row.id not in here.values()]
    if not noted:
        return False
    haul = fetch(folder, [*here][:MOST_RETRIED]) if here else Haul([])
    app.inbox.check_owner()
    with app.database.write() as session:
        for mail_id in gone:
            row = session.get_one(MailIn, mail_id)
            row.status, row.reason = "ignored", "taken out of the folder before it could be read"
            _settle(app, session, row, "gone")
        for mail in haul.mails:
            row = session.get_one(MailIn, here[mail.uid])
            row.raw, row.size, row.received_at = mail.raw, mail.size, mail.received_at
            row.status, row.reason, row.handled_at = "new", "", None
            _settle(app, session, row, "fetched")
        for failed in haul.unfetched:
            session.get_one(MailIn, here[failed.uid]).handled_at = app.now()
    return bool(haul.mails)


def _settle(app: App, session: Session, row: MailIn, answer: str) -> None:
    session.add(row)
    questions.close_about_mail(app, session, row, UNFETCHED, answer=answer)
