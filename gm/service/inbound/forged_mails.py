"""Mails that a trusted server found forged (dmarc=fail): nothing in them is done, and who sent them isn't answered.

Where a registered address stands in From, that address is told, once a day at most, and the GM's page counts them.
"""

from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from gm.app.context import App
from gm.messages.outgoing import ANSWER, Occasion, Part, Recipient, gm_name, post, recipient
from gm.messages.rendering.dates import write_date
from gm.runtime.config.settings import Security
from gm.service.inbound.answer_limit import Answers
from gm.store.queries import game_queries, mail_queries
from gm.store.tables import MailIn, MailOut
from parsers.mime.authentication_results import found_forged
from parsers.mime.message import Mail

KIND: Final = "forged"
ONCE_IN: Final = timedelta(days=1)


def reason_to_ignore(mail: Mail, security: Security) -> str:
    """Say that a trusted server found the sender forged, in every mode; nothing where none did."""
    authserv = found_forged(mail, security.trusted_authserv)
    return f"{mail_queries.FORGED}: {authserv} says dmarc=fail" if authserv else ""


def warn(app: App, session: Session, row: MailIn, sent: Answers) -> None:
    """Tell the registered address that a mail came in its name, unless it has heard of one lately."""
    for player in game_queries.players_at(session, row.sender)[:1]:
        to = recipient(app, session, player)
        if not _was_told(app, session, to) and not sent.are_enough(app, session, to):
            sent.count(to)
            received = write_date(row.received_at, app.settings.service.timezone, to.language)
            part = Part(template=KIND, context={"received": received, "gm": gm_name(app)})
            post(app, session, Occasion(cause=f"mail:{row.id}", kind=KIND, priority=ANSWER), to, [part])


def _was_told(app: App, session: Session, to: Recipient) -> bool:
    session.flush()  # of an earlier mail of this batch
    lately = select(col(MailOut.id)).where(
        MailOut.address == to.address, col(MailOut.created_at) > app.now() - ONCE_IN, MailOut.kind == KIND
    )
    return session.exec(lately).first() is not None
