"""Mails that a trusted server found forged (dmarc=fail): nothing in them is done, and who sent them isn't answered.

Where a registered address stands in From, that address is told, once a day at most, and the GM's page counts them.
"""

from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.messages import rate_limits
from gm.messages.outgoing import ANSWER, Occasion, Part, gm_name, recipient
from gm.messages.rendering.dates import write_date
from gm.runtime.config.settings import Security
from gm.store.queries import mail_queries, player_queries
from gm.store.tables import MailIn
from parsers.mime.authentication_results import found_forged
from parsers.mime.message import Mail

KIND: Final = "forged"


def reason_to_ignore(mail: Mail, security: Security) -> str:
    """Say that a trusted server found the sender forged, in every mode; nothing where none did."""
    authserv = found_forged(mail, security.trusted_authserv)
    return f"{mail_queries.FORGED}: {authserv} says dmarc=fail" if authserv else ""


def warn(app: App, session: Session, row: MailIn) -> None:
    """Tell the registered address that a mail came in its name, unless it has heard of one lately."""
    for player in player_queries.players_at(session, row.sender)[:1]:
        to = recipient(app, session, player)
        received = write_date(row.received_at, app.settings.service.timezone, to.language)
        part = Part(template=KIND, context={"received": received, "gm": gm_name(app)})
        rate_limits.send(app, session, Occasion(cause=f"mail:{row.id}", kind=KIND, priority=ANSWER), to, [part])
