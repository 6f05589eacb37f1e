"""Robots without any mark: what says the same again and again, and had no effect, is answered no more.

Sent to and fro, the words of a robot (an absence, a ticket, a service like this one) are the same each time but for
numbers and what is quoted; a person's are not. Nothing is lost by it: what takes an effect is always answered, and
words for the GM that are not quite the same stand on the list (`gm todo`). What was said before is read again out of
the log, so only as much of it as takes no time.
"""

import re
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from sqlmodel import col, or_, select

from gm.commands.request import Heard, Incoming
from gm.store.tables import MailIn, MailOut
from parsers.commands.grammar import own_words
from parsers.errors import MailError
from parsers.mime.message import read_mail

LOOKED_BACK: Final = timedelta(days=1)
ENOUGH: Final = 8
"""So often a day is a mail answered that has no effect and says the same."""
MAILS: Final = ENOUGH
"""Of the mails before, so many are looked at."""
BYTES: Final = 96 * 1024
"""So much of them altogether. What is longer is no robot's note, or is stopped by the cap on answers."""
WORDS: Final = 400
LONGEST: Final = 20 * WORDS
"""Characters in which they stand."""
ALIKE: Final = 0.8
"""So much of two texts has to be the same, unless they are short."""
SHORT: Final = 6
NOTHING, TEXT = "nothing", "text"
"""The reasons in the log for a block without an entry and, here only, for free text."""
OWN_WORDS, OWN_MAILS = 15, 3
"""Fewer words are nobody's in particular; so many of our last answers are compared."""
ECHO: Final = "says the same as mail"
LISTED: Final = "on the GM's list"
"""The reason in the log for words that may be a program's."""
OURS: Final = "says what we said"

_WORD = re.compile(r"[^\W\d_]{2,}")


class Echo(NamedTuple):
    """A mail of the same day and sender with much the same free text, which was answered and put before the GM."""

    mail_id: int
    is_same: bool
    """To the letter; else a date or a number may be new, and the GM should be able to see it."""
    is_enough: bool
    """There were so many that this one isn't answered."""


def echo_of(incoming: Incoming) -> Echo | None:
    """Find what a mail's free text repeats."""
    text, words = incoming.reading.said, _words(incoming.reading.said)
    alike = [(mail_id, said) for mail_id, said in _before(incoming, TEXT) if _is_alike(words, said)]
    if not alike:
        return None
    return Echo(alike[0][0], any(said == text for _, said in alike), len(alike) >= ENOUGH)


def is_ours(incoming: Incoming) -> bool:
    """Say whether a text is that of our last answers to its sender: a robot sends it back, or is a program like us."""
    words = _words(incoming.reading.said)
    if len(words) < OWN_WORDS:
        return False
    since, player_id = incoming.app.now() - LOOKED_BACK, incoming.row.player_id
    rows = select(MailOut.raw).where(
        MailOut.player_id == player_id, MailOut.kind == "answer", col(MailOut.created_at) > since
    )
    sent = incoming.session.exec(rows.order_by(col(MailOut.id).desc()).limit(OWN_MAILS))
    return any(_is_alike(words, own_words(read_mail(raw))) for raw in sent if raw)


def why_silent(incoming: Incoming) -> str:
    """Say for the log why a mail that had no effect isn't answered, if so: it was, often enough, or it is our answer.

    A person sends the same again now and then, and why a move is refused may change within a day.
    """
    kind, own = _kind(incoming), incoming.reading.said
    if kind in ("", TEXT) or not own:
        return ""
    said = _with_subject(incoming.mail.subject, own)
    same = [mail_id for mail_id, other in _before(incoming, kind) if other == said]
    if len(same) >= ENOUGH:
        return f"{ECHO} {same[0]}: not answered again"
    return OURS if kind == NOTHING and is_ours(incoming) else ""


def heard(incoming: Incoming) -> list[Heard]:
    """Give what the next mail of the same batch may say again; the log doesn't have it yet."""
    kind = _kind(incoming)
    if not kind:
        return []
    said = incoming.reading.said
    return [Heard(incoming.row.id, said if kind == TEXT else _with_subject(incoming.mail.subject, said), kind)]


def _kind(incoming: Incoming) -> str:
    """Say in which way a player's mail had no effect: as free text, or by the reason in the log."""
    if not incoming.players or incoming.waits:
        return ""
    if incoming.row.status == "refused" or incoming.row.reason == NOTHING:
        return incoming.row.reason
    return "" if incoming.reading.commands else TEXT


def _before(incoming: Incoming, kind: str) -> list[tuple[int, str]]:
    """List the sender's last mails that had no effect in the same way, with what they said."""
    found = [(one.mail_id, one.said) for one in incoming.heard if one.kind == kind]
    row, reason = incoming.row, col(MailIn.reason)
    same = or_(reason == kind, reason.startswith(f"{kind}; {ECHO}", autoescape=True))
    texts = or_(reason == "notice", reason.startswith(ECHO), reason.startswith(LISTED))
    alike = texts if kind == TEXT else same
    rows = select(MailIn.id, MailIn.size, MailIn.handled_at).where(
        MailIn.player_id == row.player_id, MailIn.sender == row.sender, MailIn.id != row.id, alike
    )
    now, left = incoming.app.now(), BYTES
    for mail_id, size, at in incoming.session.exec(rows.order_by(col(MailIn.id).desc()).limit(MAILS)).all():
        if at and now - LOOKED_BACK < at <= now and size <= left:  # a clock that was ahead silences nobody
            left -= size
            with suppress(MailError):
                raw = incoming.session.exec(select(MailIn.raw).where(MailIn.id == mail_id)).one()
                subject, said = _said_before(raw)
                found.append((mail_id, said if kind == TEXT else _with_subject(subject, said)))
    return found


@lru_cache(maxsize=128)
def _said_before(raw: bytes) -> tuple[str, str]:
    """Read a mail's subject and own words. What a robot sent is looked at with each of its next mails."""
    mail = read_mail(raw)
    return mail.subject, own_words(mail)


def _with_subject(subject: str, said: str) -> str:
    """Give all that may be an order: a command or a code stands in the subject as well."""
    return f"{subject}\n{said}"


def _words(said: str) -> list[str]:
    return _WORD.findall(said[:LONGEST].lower())[:WORDS]


def _is_alike(words: list[str], other: str) -> bool:
    others = _words(other)
    if min(len(words), len(others)) < SHORT:
        return bool(words) and words == others
    common = (Counter(words) & Counter(others)).total()
    return common >= ALIKE * max(len(words), len(others))
