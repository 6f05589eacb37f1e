"""Old mails lose their bytes (`gm mail prune`), and prove as much as before who sent which move when.

What stays of a received mail: sender, subject, Message-ID, arrival, size, two hashes and what became of it; its moves
stand in the sheets, line by line, from which `gm verify` replays the game. `content` is the hash of what it said, which
anybody's copy of the mail gives; `raw_hash` that of its bytes, as they lie in the folder of handled mails.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, update
from sqlmodel import Session, col, func, or_, select

from gm.app import App
from gm.errors import Refused
from gm.store.portions import AT_ONCE
from gm.store.tables import Game, MailIn, MailOut, Press, Question, Sheet, Unanswered

OVER: Final = ("finished", "aborted")
DONE_IN: Final = ("applied", "refused", "ignored")
DONE_OUT: Final = ("sent", "refused", "bounced", "left out", "dropped")


@dataclass(kw_only=True)
class Pruned:
    """What was taken away, and why other mails as old were not touched."""

    received: int = 0
    sent: int = 0
    bytes: int = 0
    kept: int = 0
    """Of games that aren't over, or with something open about them."""
    is_compact: bool = field(default=True)
    """False: the file keeps its size for now."""


def cutoff(now: datetime, span: str) -> datetime:
    """Say which mails are older than a span of days, months or years: `90d`, `18m`, `2y`. Raises Refused."""
    found = re.fullmatch(r"([1-9][0-9]{0,4})\s*([dmy])", span.strip().lower(), re.ASCII)
    if not found:
        raise Refused(f"'{span}' is no span of time; write for instance 90d, 18m (months) or 2y.")
    number, unit = int(found[1]), found[2]
    try:
        if unit == "d":
            return datetime.fromtimestamp(now.timestamp() - number * 86400, now.tzinfo)
        months = now.year * 12 + now.month - 1 - number * (12 if unit == "y" else 1)
        return now.replace(year=months // 12, month=months % 12 + 1, day=min(now.day, 28))
    except (ValueError, OverflowError, OSError):
        raise Refused(f"Nobody had mails '{span}' ago.") from None


def prune(app: App, older: str) -> Pruned:
    """Take away the bytes of mails that are older, and have nothing left to do. Raises Refused.

    Portion by portion: nobody who wants to write waits for more than some hundred mails.
    """
    before, done = cutoff(app.now(), older), Pruned()
    for table, conditions in ((MailIn, _received(before)), (MailOut, _sent(before))):
        for some in _portions(app, table, conditions):
            number, size = _take_away(app, table, conditions, some)
            done.received += number if table is MailIn else 0
            done.sent += number if table is MailOut else 0
            done.bytes += size
    with app.database.read() as session:
        done.kept = _left(session, MailIn, MailIn.received_at, before) + _left(
            session, MailOut, MailOut.created_at, before
        )
    done.is_compact = app.database.compact() if done.received or done.sent else True
    return done


def _left(session: Session, table: Any, at: Any, before: datetime) -> int:
    return session.exec(select(func.count(table.id)).where(at < before, func.length(table.raw) > 0)).one()


def _received(before: datetime) -> tuple[Any, ...]:
    """Name the received mails that nothing is made from any more."""
    going_on = select(Game.id).where(col(Game.status).not_in(OVER))
    in_games: tuple[Any, ...] = (Sheet, Press)
    return (
        col(MailIn.received_at) < before, or_(col(MailIn.handled_at).is_(None), col(MailIn.handled_at) < before),
        col(MailIn.status).in_(DONE_IN), func.length(MailIn.raw) > 0,
        *(
            ~select(table.id).where(table.mail_id == MailIn.id, table.game_id.in_(going_on)).exists()
            for table in in_games
        ),
        ~select(Question.id).where(Question.mail_id == MailIn.id, col(Question.answered_at).is_(None)).exists(),
        ~select(Unanswered.id).where(Unanswered.mail_id == MailIn.id).exists(),
    )  # fmt: skip


def _sent(before: datetime) -> tuple[Any, ...]:
    """Name the outgoing mails that have gone, or never will; those that came back wait as long as the GM is asked."""
    going_on = select(Game.id).where(col(Game.status).not_in(OVER))
    return (
        col(MailOut.created_at) < before, col(MailOut.status).in_(DONE_OUT), func.length(MailOut.raw) > 0,
        or_(col(MailOut.sent_at).is_(None), col(MailOut.sent_at) < before),
        or_(col(MailOut.game_id).is_(None), col(MailOut.game_id).not_in(going_on)),
    )  # fmt: skip


def _portions(app: App, table: Any, conditions: Sequence[Any]) -> Iterator[list[int]]:
    """Find the mails, some hundred at a time, by looks that block nobody."""
    last = 0
    while True:
        app.pulse.beat()
        with app.database.read() as session:
            rows = select(table.id).where(table.id > last, *conditions).order_by(table.id).limit(AT_ONCE)
            found = list(session.exec(rows))
            asked = _asked_about(session) if table is MailOut else set()
        if not found:
            return
        last = found[-1]
        yield [mail_id for mail_id in found if mail_id not in asked]


def _asked_about(session: Session) -> set[int]:
    """List the outgoing mails that the GM is asked about: `gm mail retry` sends them as they are."""
    rows = select(Question).where(Question.kind == "undelivered", col(Question.answered_at).is_(None))
    return {number for one in session.exec(rows) if isinstance(number := one.payload.get("out"), int)}


def _take_away(app: App, table: Any, conditions: Sequence[Any], ids: Sequence[int]) -> tuple[int, int]:
    """Keep the hash of some mails instead of their bytes, if they still may go; says how many, and how much."""
    empty = b"" if table is MailIn else None
    with app.database.write() as session:
        found = session.exec(select(table.id, table.raw).where(table.id.in_(ids), *conditions)).all()
        hashes = [{"row_id": mail_id, "hash": hashlib.sha256(raw).hexdigest()} for mail_id, raw in found]
        if hashes:
            kept = update(table.__table__).where(table.id == bindparam("row_id"))
            session.connection().execute(kept.values(raw=empty, raw_hash=bindparam("hash")), hashes)
    return len(found), sum(len(raw) for _, raw in found)
