"""Robots without any mark: what says the same again, and had no effect, is answered no more.

Sent to and fro, the words of a robot (an absence, a ticket, a service like this one) are the same each time but for
numbers and what is quoted; a person's are not. A move is never lost by it: what takes an effect is always answered.
What was said before is read again out of the log, so only as much of it as takes no time.
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
from parsers.grammar import own_words
from parsers.message import Mail, read_mail

LOOKED_BACK: Final = timedelta(days=1)
MAILS: Final = 8
"""Of the mails before, so many are looked at."""
BYTES: Final = 32 * 1024
"""So much of them altogether. What is longer is no robot's note, or is stopped by the cap on answers."""
WORDS: Final = 400
LONGEST: Final = 20 * WORDS
"""Characters in which they stand."""
ALIKE: Final = 0.8
"""So much of two texts has to be the same, unless they are short."""
SHORT: Final = 6
REFUSED, NOTHING, TEXT = "refused", "nothing", "text"
"""The ways of having no effect: a command that was refused, a block without an entry, free text."""
ECHO: Final = "says the same as mail"

_WORD = re.compile(r"[^\W\d_]{2,}")


def echo_of(incoming: Incoming) -> int | None:
    """Find the mail of the same day and sender that had the same free text: it was answered, and the GM knows it."""
    words = _words(incoming.reading.said)
    return next((mail_id for mail_id, said in _before(incoming, TEXT) if _is_alike(words, said)), None)


def said_enough(incoming: Incoming) -> int | None:
    """Find, for a mail that had no effect, an earlier one that said exactly the same: it was answered often enough.

    Why a move is refused may change within a day, so that is said twice; an empty block is one.
    """
    kind = _kind(incoming)
    if kind not in (REFUSED, NOTHING):
        return None
    said = _with_subject(incoming.mail, incoming.reading.said)
    same = [mail_id for mail_id, other in _before(incoming, kind) if other == said]
    return same[0] if len(same) >= (2 if kind == REFUSED else 1) else None


def heard(incoming: Incoming) -> list[Heard]:
    """Give what the next mail of the same batch may say again; the log doesn't have it yet."""
    kind = _kind(incoming)
    if not kind:
        return []
    said = incoming.reading.said
    return [Heard(incoming.row.id, said if kind == TEXT else _with_subject(incoming.mail, said), kind)]


def _kind(incoming: Incoming) -> str:
    """Say in which way a player's mail had no effect."""
    if not incoming.players or incoming.waits:
        return ""
    if incoming.row.status == "refused":
        return REFUSED
    if incoming.row.reason == NOTHING:
        return NOTHING
    return "" if incoming.reading.commands else TEXT


def _before(incoming: Incoming, kind: str) -> list[tuple[int, str]]:
    """List the sender's last mails that had no effect in the same way, with what they said."""
    found = [(one.mail_id, one.said) for one in incoming.heard if one.kind == kind]
    row, reason = incoming.row, col(MailIn.reason)
    alike: dict[str, Any] = {
        REFUSED: MailIn.status == "refused",
        NOTHING: or_(reason == NOTHING, reason.startswith(f"{NOTHING}; {ECHO}")),
        TEXT: or_(reason == "notice", reason.startswith(ECHO)),
    }  # fmt: skip
    rows = select(MailIn.id, MailIn.size, MailIn.handled_at).where(
        MailIn.player_id == row.player_id, MailIn.sender == row.sender, MailIn.id != row.id, alike[kind]
    )
    since, left = incoming.app.now() - LOOKED_BACK, BYTES
    for mail_id, size, at in incoming.session.exec(rows.order_by(col(MailIn.id).desc()).limit(MAILS)).all():
        if at and at > since and size <= left:
            left -= size
            with suppress(MailError):
                mail = read_mail(incoming.session.exec(select(MailIn.raw).where(MailIn.id == mail_id)).one())
                said = own_words(mail)
                found.append((mail_id, said if kind == TEXT else _with_subject(mail, said)))
    return found


def _with_subject(mail: Mail, said: str) -> str:
    """Give all that may be an order: a command or a code stands in the subject as well."""
    return f"{mail.subject}\n{said}"


def _words(said: str) -> list[str]:
    return _WORD.findall(said[:LONGEST].lower())[:WORDS]


def _is_alike(words: list[str], other: str) -> bool:
    others = _words(other)
    if min(len(words), len(others)) < SHORT:
        return bool(words) and words == others
    common = (Counter(words) & Counter(others)).total()
    return common >= ALIKE * max(len(words), len(others))
