"""Robots without any mark: what says the same again, and had no effect, is answered no more.

Sent to and fro, the words of a robot (an absence, a ticket, a service like this one) are the same each time but for
numbers and what is quoted; a person's are not. A move is never lost by it: what takes an effect is always answered.
"""

import re
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from sqlmodel import col, or_, select

from gm.play.incoming import Heard, Incoming
from gm.store.tables import MailIn
from parsers.errors import MailError
from parsers.message import Mail, read_mail
from parsers.quoting import divide

LOOKED_BACK: Final = timedelta(days=1)
MAILS: Final = 8
"""Of the mails before, so many are looked at."""
WORDS: Final = 400
ALIKE: Final = 0.8
"""So much of two texts has to be the same, unless they are short."""
SHORT: Final = 6
REFUSED, NOTHING, TEXT = "refused", "nothing", "text"
"""The ways of having no effect: a command that was refused, a block without an entry, free text."""
ECHO: Final = "says the same as mail"

_WORD = re.compile(r"[^\W\d_]{2,}")


def echo_of(incoming: Incoming) -> int | None:
    """Find the mail of the same day and sender that had the same free text: it was answered, and the GM knows it."""
    words = _WORD.findall(said_in(incoming.mail).lower())[:WORDS]
    return next((mail_id for mail_id, said in _before(incoming, TEXT) if _is_alike(words, said)), None)


def said_enough(incoming: Incoming) -> int | None:
    """Find, for a mail that had no effect, an earlier one that said exactly the same: it was answered often enough.

    Why a move is refused may change within a day, so that is said twice; an empty block is one.
    """
    kind = _kind(incoming)
    if kind not in (REFUSED, NOTHING):
        return None
    said = _with_subject(incoming.mail)
    same = [mail_id for mail_id, other in _before(incoming, kind) if other == said]
    return same[0] if len(same) >= (2 if kind == REFUSED else 1) else None


def heard(incoming: Incoming) -> list[Heard]:
    """Give what the next mail of the same batch may say again; the log doesn't have it yet."""
    kind = _kind(incoming)
    if not kind:
        return []
    said = said_in(incoming.mail) if kind == TEXT else _with_subject(incoming.mail)
    return [Heard(incoming.row.id, said, kind)]


def _kind(incoming: Incoming) -> str:
    """Say in which way a player's mail had no effect."""
    if not incoming.players or incoming.waits:
        return ""
    if incoming.row.status == "refused":
        return REFUSED
    if incoming.row.reason == NOTHING:
        return NOTHING
    return "" if incoming.reading.commands else TEXT


def said_in(mail: Mail) -> str:
    """Give what the sender says in own words, without what is quoted, in one line."""
    text = mail.text
    if not text and mail.html:
        from parsers.markup import html_text

        text = html_text(mail.html)
    return " ".join(divide(text).own.split())


def _before(incoming: Incoming, kind: str) -> list[tuple[int, str]]:
    """List the sender's last mails that had no effect in the same way, with what they said."""
    found = [(one.mail_id, one.said) for one in incoming.heard if one.kind == kind]
    row, reason = incoming.row, col(MailIn.reason)
    alike: dict[str, Any] = {
        REFUSED: MailIn.status == "refused",
        NOTHING: or_(reason == NOTHING, reason.startswith(f"{NOTHING}; {ECHO}")),
        TEXT: or_(reason == "notice", reason.startswith(ECHO)),
    }  # fmt: skip
    rows = select(MailIn.id, MailIn.raw, MailIn.handled_at).where(
        MailIn.player_id == row.player_id, MailIn.sender == row.sender, MailIn.id != row.id, alike[kind]
    )
    now = incoming.app.now()
    for mail_id, raw, at in incoming.session.exec(rows.order_by(col(MailIn.id).desc()).limit(MAILS)):
        if at and now - LOOKED_BACK < at <= now:  # a clock that was ahead silences nobody
            with suppress(MailError):
                mail = read_mail(raw)
                found.append((mail_id, said_in(mail) if kind == TEXT else _with_subject(mail)))
    return found


def _with_subject(mail: Mail) -> str:
    """Give all that may be an order: a command or a code stands in the subject as well."""
    return f"{mail.subject}\n{said_in(mail)}"


def _is_alike(words: list[str], other: str) -> bool:
    others = _WORD.findall(other.lower())[:WORDS]
    if min(len(words), len(others)) < SHORT:
        return bool(words) and words == others
    common = (Counter(words) & Counter(others)).total()
    return common >= ALIKE * max(len(words), len(others))
