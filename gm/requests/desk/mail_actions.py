"""What the GM does with logged mails: try one again, put one aside; and ticking off what waits for the GM."""

import re
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, or_, select

from games.api import say
from gm.app.context import App
from gm.game import deadlines
from gm.messages import bounces, gm_list, questions
from gm.runtime.errors import Refused
from gm.store.queries import mail_queries, question_queries
from gm.store.tables import MailIn, MailOut, Question
from parsers.lines.dates import read_day

_BESIDE_TIME: Final = re.compile(r"^(?:seit|since|vor|am|dem|den) | ago$", re.IGNORECASE)
"""What may stand beside a time that lies behind us."""
_SINCE: Final = re.compile(r"(?P<day>.+?)(?:,?\s+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?:\s+Uhr)?)?", re.IGNORECASE)
_DAYS_AGO: Final = {"yesterday": 1, "gestern": 1, "vorgestern": 2}
NOT_DELIVERED: Final = ("refused", "bounced")
"""What becomes of a mail that a server doesn't take, or sends back."""


def retry(app: App, session: Session, mail_id: str) -> str:
    """Let a quarantined or waiting mail be handled, or one that was refused or came back be sent, once more.

    Raises Refused.
    """
    row = mail_queries.find_mail(session, mail_id)
    if isinstance(row, MailIn) and row.status in mail_queries.PUT_ASIDE:
        row.status, row.reason, row.attempts = "new", "", 0
        settle_about(app, session, row, "retried")
    elif isinstance(row, MailOut) and row.status in NOT_DELIVERED and not row.raw:
        raise Refused(say("mail_actions.no_text", mail=mail_id))
    elif isinstance(row, MailOut) and row.status in NOT_DELIVERED:
        row.status, row.error, row.attempts, row.next_try = "queued", "", 0, app.now()
        row.created_at = app.now()
        bounces.unmark(session, row.address)  # if it comes back again, that is news
        settle_about(app, session, row, "retried")
    else:
        raise Refused(say(_not_tried_again(row), mail=mail_id, status=row.status, id=row.id))
    session.add(row)
    return f"Mail {mail_id} is tried again with the next pass of `gm serve`."


def _not_tried_again(row: MailIn | MailOut) -> str:
    """Choose the code of which mails are tried again."""
    if isinstance(row, MailOut):
        return "mail_actions.sent_not_tried_again"
    is_tried_anyway = row.status == mail_queries.UNFETCHED
    return "mail_actions.tried_again_anyway" if is_tried_anyway else "mail_actions.received_not_tried_again"


def retry_all(app: App, session: Session, since: datetime | None) -> int:
    """Let all mails be sent once more that were refused or came back (since then); returns how many."""
    rows = select(MailOut.id).where(col(MailOut.status).in_(NOT_DELIVERED), col(MailOut.raw).is_not(None))
    if since:
        rows = rows.where(or_(col(MailOut.created_at) >= since, col(MailOut.next_try) >= since))
    found = session.exec(rows.order_by(col(MailOut.id))).all()
    for mail_id in found:
        retry(app, session, f"o{mail_id}")
    return len(found)


def since_when(text: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Read since when: `12h`, `vor 3 Tagen`, or a day as people write it, with or without a time by the clock.

    Without a year it is the last such day. Raises Refused.
    """
    said = _BESIDE_TIME.sub("", " ".join(text.split()))
    try:
        span, found = deadlines.span_of(said), _SINCE.fullmatch(said)
        if span:
            return now - (timedelta(days=span.days) if span.exact is None else span.exact)
        named = deadlines.named(said, zone)
        if named:
            return named
        day = _day_before(found["day"], now.astimezone(zone).date()) if found else None
        if found and day:
            return deadlines.local_instant(day, time(int(found["hour"] or 0), int(found["minute"] or 0)), zone)
    except (ValueError, OverflowError):
        pass
    raise Refused(say("mail_actions.no_time", text=text))


def _day_before(text: str, today: date) -> date | None:
    ago = _DAYS_AGO.get(text.lower())
    if ago is not None:
        return today - timedelta(days=ago)
    day = read_day(text)
    return day.past(today) if day else None


def drop(app: App, session: Session, mail_id: str) -> str:
    """Put a mail aside that is yet to be decided on, or take an outgoing one out of the queue. Raises Refused."""
    row = mail_queries.find_mail(session, mail_id)
    if isinstance(row, MailIn) and row.status in mail_queries.UNSETTLED:
        row.status = mail_queries.NEVER_FETCHED if row.status == mail_queries.UNFETCHED else "ignored"
        row.reason = f"{mail_queries.DROPPED}; was: {row.reason}"[:500]
        settle_about(app, session, row, "dropped")
    elif isinstance(row, MailOut) and row.status in ("queued", *NOT_DELIVERED):
        row.status = "dropped"
        settle_about(app, session, row, "dropped")
    else:
        raise Refused(say("mail_actions.nothing_to_drop", mail=mail_id, status=row.status))
    session.add(row)
    return f"Mail {mail_id} is put aside."


def tick_off(app: App, code: str) -> str:
    """Tick off something that waited for the GM. Raises Refused."""
    with app.database.write() as session:
        rows = select(Question).where(Question.code == code.upper(), col(Question.answered_at).is_(None))
        question = session.exec(rows.where(Question.address == "")).first()
        if question is None:
            raise Refused(say("mail_actions.nothing_waits", question=code))
        if question.kind in gm_list.TO_BE_DECIDED:
            raise Refused(say("mail_actions.decision_waits", question=code.upper()))
        questions.close(app, session, question, "done")
    return f"{code.upper()} is ticked off."


def settle_about(app: App, session: Session, row: MailIn | MailOut, answer: str) -> None:
    """Settle what the GM was asked about this mail."""
    if isinstance(row, MailIn):
        kinds = ("quarantine", question_queries.SENDER, question_queries.SIMILAR_NAME, mail_queries.UNFETCHED)
        questions.close_about_mail(app, session, row, *kinds, answer=answer)
        return
    rows = select(Question).where(Question.kind == "undelivered", col(Question.answered_at).is_(None))
    for question in session.exec(rows).all():
        if question.payload.get("out") == row.id:
            questions.close(app, session, question, answer)
