"""Refusals that are about our account, not about an address: no mail is given up, and no player is marked.

A provider that takes no more of our mails today answers 550 to each of them, as if no address existed. So refusals in a
row, with nothing accepted in between, are kept as rows. What they mean is decided when the next one comes, in any
pass and process.
"""

import logging
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete
from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.messages import bounces, gm_list
from gm.messages.questions import About
from gm.runtime.errors import OperatorError, at_minute
from gm.store.tables import MailOut
from gm.store.zine_tables import Refusal
from parsers.addresses import is_address

log = logging.getLogger("gm")

FIRST_PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=6)
GIVE_UP: Final = timedelta(days=5)

FEW: Final = 2
"""If the mails of so many people are refused one after the other, it is the account.

Hardly ever two players of a game lose their mailbox at once. If they do, each is refused again later, and marked then.
"""
MANY: Final = 3
"""The same where the server says each time that there is no such address: two in a row are likely."""
AGAIN: Final = 4
"""After so many tries, that others are accepted says more than the words of the server."""

_CODE: Final = re.compile(r"5\d\d[ -]+5\.(\d{1,3}\.\d{1,3})\b")
_OF_ADDRESS: Final = re.compile(r"1\.([0-6]|9|10)|2\.[0-4]")
"""RFC 3463: bad destination address, and whatever is wrong with the mailbox there."""
_OF_ACCOUNT: Final = re.compile(r"1\.[78]|4\.5|7\.\d+")
"""Bad sender, too much mail, policy."""
_SAYS_ACCOUNT: Final = re.compile(
    r"\b(daily|hourly|sending|outgoing|outbound|sender|rate|messages?|mails?|e-?mails?|account)\b[\w\s'-]{0,40}"
    r"\b(limits?|quota|rate)\b|\b(limit|quota)\b[\w\s]{0,30}\b(exceeded|reached)|\brate[- ]?limit|\bthrottl"
    r"|\btoo many (messages|mails|e-?mails|recipients)|\bnot (allowed|permitted|authori[sz]ed) to send"
    r"|\b(account|sending)\b.{0,40}\b(suspended|disabled|blocked|locked|restricted)",
    re.IGNORECASE,
)  # fmt: skip
_SAYS_MAILBOX: Final = re.compile(r"\b(mailbox|inbox|recipient'?s?|storage|disk|size)\b", re.IGNORECASE)
_SAYS_SENDING: Final = re.compile(r"\b(daily|hourly|sending|outgoing|outbound)\b", re.IGNORECASE)


def pause(attempts: int) -> timedelta:
    """Return how long a mail waits after so many attempts."""
    factor: int = 2 ** min(max(attempts - 1, 0), 10)
    return min(FIRST_PAUSE * factor, LONGEST_PAUSE)


def tells_of_account(said: str) -> bool:
    """Return whether a server's refusal is about the sender, not about the recipient."""
    code = _CODE.match(said)
    if code and (_OF_ADDRESS.fullmatch(code[1]) or _OF_ACCOUNT.fullmatch(code[1])):
        return bool(_OF_ACCOUNT.fullmatch(code[1]))
    is_about_mailbox = _SAYS_MAILBOX.search(said) and not _SAYS_SENDING.search(said)
    return not is_about_mailbox and bool(_SAYS_ACCOUNT.search(said))


def names_address(said: str) -> bool:
    """Return whether a server's refusal is about the address, or about the mailbox there."""
    code = _CODE.match(said)
    return bool(code and _OF_ADDRESS.fullmatch(code[1]))


def are_noted(session: Session) -> bool:
    """Return whether the last mail that a server decided about was refused."""
    return session.exec(select(Refusal.mail_id).limit(1)).first() is not None


def are_ours(app: App, session: Session, mail: MailOut, said: str) -> bool:
    """Note one more refusal of a mail, and return whether it is about our account.

    If so, mails that were refused right before are queued again, and players who were marked for that are unmarked.
    """
    before = _series(session)
    since = min((one.at for one, _ in before), default=app.now())
    if not is_address(mail.address) or _is_hopeless(app, mail, since):
        return False
    if any(one.is_ours for one, _ in before):
        return True
    refusal = session.get(Refusal, mail.id) or Refusal(mail_id=mail.id, at=app.now(), said=said)
    refusal.said = said
    session.add(refusal)
    # A mail that is refused time and again while others are taken is refused because of its address.
    is_suspect = mail.attempts >= AGAIN - 1 or mail.address in bounces.marked(session)
    tells = tells_of_account(said) and not is_suspect
    refusal.is_ours = tells or _are_enough([*before, (refusal, mail.address)])
    if refusal.is_ours:
        for one, _ in before:
            _take_back(app, session, one.mail_id, since)
    session.flush()
    return refusal.is_ours


def _are_enough(series: Sequence[tuple[Refusal, str]]) -> bool:
    """Return whether so many different people were refused that it is the account."""
    vague = {address.lower() for one, address in series if not names_address(one.said)}
    return len(vague) >= FEW or len({address.lower() for _, address in series}) >= MANY


def are_over(app: App, session: Session, at: datetime) -> None:
    """Note that a server has taken a mail. Where none went out for a while, the GM is told since when."""
    series = [one for one, _ in _series(session)]
    if not series:
        return
    since = min(one.at for one in series)
    session.execute(delete(Refusal))
    for said in (one.said for one in series if one.is_ours):
        zone = app.settings.service.timezone
        first, last = since.astimezone(zone), at.astimezone(zone)
        text = OperatorError(say("refusals.over", first=at_minute(first), last=at_minute(last), said=said))
        gm_list.tell(app, session, "unsent", text, About(cause=f"refusals:{since.isoformat()}"))


def put_off(app: App, mail: MailOut) -> None:
    """Try a mail again later, after a pause that grows each time."""
    mail.status, mail.next_try = "queued", app.now() + pause(mail.attempts)
    log.info("mail o%s put off (%s)", mail.id, code_of(mail))


def code_of(mail: MailOut) -> int:
    """Return the code of the server's last answer, for the log. The words after it may name somebody."""
    code = mail.error.partition(" ")[0]
    return int(code) if code.isdecimal() else 0


def are_its_own(mail: MailOut) -> bool:
    """Return whether refusals of a mail are about its address, given that another mail was taken right after it.

    At the first try nobody knows: a limit may have been reached. If the server speaks of the account, it takes more.
    """
    return mail.attempts >= (AGAIN if tells_of_account(mail.error) else FEW)


def _is_hopeless(app: App, mail: MailOut, since: datetime) -> bool:
    """Return whether a mail was refused for days while others were taken."""
    return app.now() - mail.created_at >= GIVE_UP > app.now() - since


def _series(session: Session) -> Sequence[tuple[Refusal, str]]:
    """List the refusals since a server took the last mail, with the address of each."""
    rows = select(Refusal, MailOut.address).join(MailOut, col(MailOut.id) == Refusal.mail_id)
    return session.exec(rows.order_by(col(Refusal.at), col(Refusal.mail_id))).all()


def _take_back(app: App, session: Session, mail_id: int, since: datetime) -> None:
    """Queue a mail again that had been given up as refused, and undo what followed from that."""
    mail = session.get(MailOut, mail_id)
    if mail is None or mail.status != "refused":
        return
    put_off(app, mail)
    session.add(mail)
    bounces.unmark(session, mail.address, since)
    from gm.requests.desk import mail_actions  # a pass that sends nothing needs none of what it imports

    mail_actions.settle_about(app, session, mail, "put off")
    told = select(MailOut).where(MailOut.cause == f"out:{mail.id}", col(MailOut.status).in_(("queued", "refused")))
    for notice in session.exec(told).all():
        notice.status = "dropped"
        session.add(notice)
