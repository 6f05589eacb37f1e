"""The same mail once more: fetched twice, or sent by two ways, perhaps with the footer of a list.

It is the same where sender, Date and text are the same, whatever its Message-ID. Without a Date only the Message-ID and
the same content tell. Where the earlier one had no effect yet, the later one takes its place.
"""

import re
from collections.abc import Collection, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.messages import questions
from gm.store.queries import mail_queries, question_queries
from gm.store.tables import MailIn
from parsers.errors import MailError
from parsers.mime.message import Mail, read_mail

DONE: Final = ("applied", "refused")
"""A mail with such a status has had its effect: the same mail again is ignored."""
WITHOUT_EFFECT: Final = ("waiting", "quarantined")
"""One with such a status may be replaced by the same mail."""
SHORTEST_FOOTER: Final = 20
"""So long is at least one line of what a list or a virus scanner writes below a mail."""
_TAG: Final = re.compile(r"<[^<>]*>")
_SEPARATOR: Final = re.compile(r"--|[-_=*~#]{4,}")


def date_of(mail: Mail) -> str:
    """Return when a mail says that it was written, the same however it is written; "" without a Date."""
    said = " ".join(mail.headers.get("date", ("",))[0].split())
    try:
        at = parsedate_to_datetime(said)
        return f"{at.astimezone(UTC) if at.tzinfo else at:%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, TypeError, IndexError):
        return said[:100]


def find(row: MailIn, mail: Mail, handled: Sequence[MailIn], writers: Collection[str]) -> MailIn | None:
    """Find the mail among those handled before that this one is once more; `writers` are addresses it may be from.

    One that was ignored doesn't count, unless the GM has dropped it: this one may have come by a better way.
    """
    for other in handled:
        is_dropped = other.status == "ignored" and other.reason.startswith(mail_queries.DROPPED)
        counts = other.status in (*DONE, *WITHOUT_EFFECT) or is_dropped
        if counts and other.id != row.id and _is_same(row, mail, other, writers):
            return other
    return None


def had_effect(other: MailIn) -> bool:
    """Whether a mail was carried out, or refused for what it says, or dropped: then it isn't handled once more."""
    return other.status not in WITHOUT_EFFECT and other.reason != mail_queries.NOBODY_VOUCHED


def replace(app: App, session: Session, old: MailIn, new: MailIn) -> None:
    """Let a mail take the place of the same one, which had no effect; what was asked about that is settled."""
    old.status, old.reason = "ignored", f"replaced by the same mail {new.id}"
    if old in session:
        session.add(old)
    questions.close_about_mail(app, session, old, "quarantine", question_queries.SENDER, answer="replaced")


def _is_same(row: MailIn, mail: Mail, other: MailIn, writers: Collection[str]) -> bool:
    if not (row.written and other.written):
        return (row.message_id, row.content) == (other.message_id, other.content)
    if row.written != other.written or other.sender not in writers:
        return False
    return row.content == other.content or _have_same_text(mail, other)


def _have_same_text(mail: Mail, other: MailIn) -> bool:
    """Compare texts; one may have a footer, or a banner, that the other lacks."""
    try:
        here, there = _lines(mail), _lines(read_mail(other.raw))
    except MailError:
        return False
    if here == there:
        return True
    short, long = sorted((here, there), key=len)
    at = next((at for at in range(len(long) - len(short) + 1) if long[at : at + len(short)] == short), None)
    if at is None or not short:
        return False
    more = [*long[:at], *long[at + len(short) :]]
    return any(len(line) >= SHORTEST_FOOTER or _SEPARATOR.match(line) for line in more)


def _lines(mail: Mail) -> list[str]:
    text = "\n".join(mail.texts) or _TAG.sub("\n", mail.html)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]
