"""Refusals that are about our account, not about an address: nothing is given up, and nobody is marked.

A provider that takes no more of our mails today says 550 to each, as if nobody was at home anywhere. So refusals in a
row, with nothing accepted in between, are kept as one row of `meta`: what they mean is known when the next one comes,
in whichever pass or process.
"""

import json
import logging
import re
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlmodel import Session, col, select

from gm.app.context import App
from gm.commands.desk import mail_actions
from gm.messages import bounces, gm_list
from gm.messages.questions import About
from gm.runtime.log_format import event
from gm.store.queries import game_queries
from gm.store.tables import MailOut, Meta
from parsers.addresses import is_address

log = logging.getLogger("gm")

FIRST_PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=6)
GIVE_UP: Final = timedelta(days=5)

FEW: Final = 2
"""So many different people whose mails are refused one after the other, and it is the account: in a round of a game
hardly ever two have lost their mailbox. Where they have, each is refused again when others are served, and marked."""
MANY: Final = 3
"""So many where the server says each time that there is no such address: of these two next to each other are likely."""
AGAIN: Final = 4
"""At so many tries the server's words count for less than that others are taken."""
MOST_KEPT: Final = 100

_KEY: Final = "refusals"
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


class Refused(NamedTuple):
    """A letter that was refused."""

    id: int
    address: str
    names_address: bool
    """Whether the server speaks of the address."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """Refusals in a row."""

    since: str
    said: str
    letters: tuple[Refused, ...] = ()
    is_ours: bool = False
    """Whether they are about our account."""

    def and_one(self, one: Refused, *, tells: bool) -> "Row":
        """Add one; what it `tells`, or enough of them for different people, says that they are about us."""
        letters = (*self.letters, one)[-MOST_KEPT:]
        vague = {letter.address for letter in letters if not letter.names_address}
        is_ours = len(vague) >= FEW or len({letter.address for letter in letters}) >= MANY
        return replace(self, letters=letters, is_ours=self.is_ours or is_ours or tells)


def pause(attempts: int) -> timedelta:
    """Say how long a mail waits after so many attempts."""
    factor: int = 2 ** min(max(attempts - 1, 0), 10)
    return min(FIRST_PAUSE * factor, LONGEST_PAUSE)


def tells_of_account(said: str) -> bool:
    """Read from a server's refusal that it is about who sends, not about who is written to."""
    code = _CODE.match(said)
    if code and (_OF_ADDRESS.fullmatch(code[1]) or _OF_ACCOUNT.fullmatch(code[1])):
        return bool(_OF_ACCOUNT.fullmatch(code[1]))
    is_about_mailbox = _SAYS_MAILBOX.search(said) and not _SAYS_SENDING.search(said)
    return not is_about_mailbox and bool(_SAYS_ACCOUNT.search(said))


def names_address(said: str) -> bool:
    """Read from a server's refusal that there is no such address, or something is wrong with that mailbox."""
    code = _CODE.match(said)
    return bool(code and _OF_ADDRESS.fullmatch(code[1]))


def are_noted(session: Session) -> bool:
    """Say whether the last mail that a server decided about was refused."""
    return game_queries.meta(session, _KEY) is not None


def are_ours(app: App, session: Session, mail: MailOut, said: str) -> bool:
    """Take in one more refusal of a mail; say whether it is about our account.

    Then those right before it are queued again, and whoever was marked for them isn't any more.
    """
    before = _row(session) or Row(since=app.now().isoformat(), said=said)
    if not is_address(mail.address) or _is_hopeless(app, mail, datetime.fromisoformat(before.since)):
        return False
    one = Refused(mail.id, mail.address.lower(), names_address(said))
    # Whoever is refused time and again, right after others were taken, has an address that policy is against.
    is_suspect = mail.attempts >= AGAIN - 1 or mail.address in bounces.marked(session)
    tells = tells_of_account(said) and not is_suspect
    row = replace(before, said=before.said if before.is_ours else said).and_one(one, tells=tells)
    if row.is_ours and not before.is_ours:
        for letter in before.letters:
            _take_back(app, session, letter.id, datetime.fromisoformat(row.since))
    game_queries.set_meta(session, _KEY, json.dumps(asdict(row if not row.is_ours else replace(row, letters=()))))
    session.flush()
    return row.is_ours


def are_over(app: App, session: Session, at: datetime) -> None:
    """Note that a server has taken a mail; where none went out for a while, the GM hears since when."""
    row = _row(session)
    if row is None:
        return
    session.delete(session.get_one(Meta, _KEY))
    session.flush()
    if row.is_ours:
        zone = app.settings.service.timezone
        span = (f"{instant.astimezone(zone):%Y-%m-%d %H:%M}" for instant in (datetime.fromisoformat(row.since), at))
        text = f"{' - '.join(span)}\n{row.said}"
        gm_list.tell(app, session, "unsent", text, About(cause=f"refusals:{row.since}"))


def put_off(app: App, mail: MailOut) -> None:
    """Let a mail wait, longer each time."""
    mail.status, mail.next_try = "queued", app.now() + pause(mail.attempts)
    log.info("mail o%s put off", mail.id, extra=event("mail deferred", mail=f"o{mail.id}", code=code_of(mail)))


def code_of(mail: MailOut) -> int:
    """Give the code of the server's last answer, for the log: the words behind it may name somebody."""
    code = mail.error.partition(" ")[0]
    return int(code) if code.isdecimal() else 0


def are_its_own(mail: MailOut) -> bool:
    """Say whether refusals of a mail are about its address, when another one was taken right behind it.

    Not at the first try, with which a limit may have begun; much later where the server speaks of the account.
    """
    return mail.attempts >= (AGAIN if tells_of_account(mail.error) else FEW)


def _is_hopeless(app: App, mail: MailOut, since: datetime) -> bool:
    """Say whether a mail was refused for days in which others were taken."""
    return app.now() - mail.created_at >= GIVE_UP > app.now() - since


def _row(session: Session) -> Row | None:
    kept = game_queries.meta(session, _KEY)
    if kept is None:
        return None
    values = json.loads(kept)
    return Row(**{**values, "letters": tuple(Refused(*letter) for letter in values["letters"])})


def _take_back(app: App, session: Session, mail_id: int, since: datetime) -> None:
    """Queue a mail again that was taken for refused, and with it all that came of that."""
    mail = session.get(MailOut, mail_id)
    if mail is None or mail.status != "refused":
        return
    put_off(app, mail)
    session.add(mail)
    bounces.unmark(session, mail.address, since)
    mail_actions.settle_about(app, session, mail, "put off")
    told = select(MailOut).where(MailOut.cause == f"out:{mail.id}", col(MailOut.status).in_(("queued", "refused")))
    for notice in session.exec(told).all():
        notice.status = "dropped"
        session.add(notice)
