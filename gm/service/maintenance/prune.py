"""`gm mail prune`: old mails lose their bytes. They still prove who sent which move when.

Of a received mail stay sender, subject, Message-ID, arrival, size, two hashes and what became of it. Its moves stand in
the sheets, line by line, and `gm verify` replays the game from these. `content` is the hash of the mail's text, as it
is in anybody's copy. `raw_hash` is the hash of its bytes, as they lie in the folder of processed mails.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, null, update
from sqlmodel import Session, col, func, select

from gm.app.context import App
from gm.messages import stored_files
from gm.runtime.errors import Refused
from gm.store.chunks import CHUNK_SIZE
from gm.store.tables import AdvanceMove, Game, MailIn, MailOut, Press, Question, Sheet

OVER: Final = ("finished", "aborted")
_UNITS: Final = {"d": "d|tage?n?|days?", "m": "m|monate?n?|months?", "y": "y|jahre?n?|years?"}
DONE: Final = ("applied", "refused", "ignored", "sent", "bounced", "left out", "dropped")
"""The states of a mail, received or outgoing, with which nothing is to be done any more."""


@dataclass(kw_only=True)
class Pruned:
    """How many mails were pruned, and how many others as old were not."""

    received: int = 0
    sent: int = 0
    bytes: int = 0
    kept: int = 0
    """Mails of games that aren't over, or with an open question about them."""
    is_compact: bool = True
    """Whether the file has become smaller."""


def cutoff(now: datetime, span: str) -> datetime:
    """Return the instant so many days, months or years ago: `90d`, `18m`, `2y`, `2 Jahre`. Raises Refused."""
    found = re.fullmatch(r"\+?([1-9][0-9]{0,4})\s*([a-z]+)", span.strip().lower(), re.ASCII)
    unit = next((unit for unit, written in _UNITS.items() if found and re.fullmatch(written, found[2])), "")
    if not found or not unit:
        raise Refused(f"'{span}' is no span of time; write for instance 90d, 18m (months) or 2y.")
    number = int(found[1])
    try:
        if unit == "d":
            return datetime.fromtimestamp(now.timestamp() - number * 86400, now.tzinfo)
        months = now.year * 12 + now.month - 1 - number * (12 if unit == "y" else 1)
        return now.replace(year=months // 12, month=months % 12 + 1, day=min(now.day, 28))
    except (ValueError, OverflowError, OSError):
        raise Refused(f"Nobody had mails '{span}' ago.") from None


def prune(app: App, older: str) -> Pruned:
    """Remove the bytes of mails that are older and done with. Raises Refused.

    It goes by in_chunks: other writers wait for some hundred mails at most.
    """
    before, done = cutoff(app.now(), older), Pruned()
    with app.database.read() as session:
        wanted, asked = _wanted(session), _asked_about(session)
        going_on = set(session.exec(select(Game.id).where(col(Game.status).not_in(OVER))))
    for some in _portions(app, MailIn.id):
        done.received += _remove_bytes(app, MailIn, some, before, done, lambda mail_id, _: mail_id not in wanted)
    for some in _portions(app, MailOut.id):
        done.sent += _remove_bytes(
            app, MailOut, some, before, done, lambda mail_id, game_id: not (mail_id in asked or game_id in going_on)
        )
    with app.database.write() as session:
        stored_files.drop_delivered(session)
    done.is_compact = app.database.compact() if done.received or done.sent else True
    return done


def _wanted(session: Session) -> set[int]:
    """List the received mails that are still needed: for moves and press of running games, or open questions."""
    going_on = select(Game.id).where(col(Game.status).not_in(OVER))
    rows: tuple[Any, ...] = (
        select(Sheet.mail_id).where(col(Sheet.game_id).in_(going_on)),
        select(AdvanceMove.mail_id).where(col(AdvanceMove.game_id).in_(going_on)),
        select(Press.mail_id).where(col(Press.game_id).in_(going_on)),
        select(Question.mail_id).where(col(Question.answered_at).is_(None)),
    )
    return {mail_id for one in rows for mail_id in session.exec(one) if mail_id is not None}


def _asked_about(session: Session) -> set[int]:
    """List the outgoing mails that the GM is asked about: `gm mail retry` may send them again."""
    rows = select(Question).where(Question.kind == "undelivered", col(Question.answered_at).is_(None))
    return {number for one in session.exec(rows) if isinstance(number := one.payload.get("out"), int)}


def _portions(app: App, key: Any) -> Iterator[Sequence[int]]:
    """Yield the ids of all mails, some hundred at a time. Reading them blocks nobody."""
    found: Sequence[int] = [0]
    while found:
        app.stop_signal.check()
        with app.database.read() as session:
            found = session.exec(select(key).where(key > found[-1]).order_by(key).limit(CHUNK_SIZE)).all()
        yield found


def _remove_bytes(
    app: App, table: Any, ids: Sequence[int], before: datetime, done: Pruned, may_go: Callable[[int, Any], bool]
) -> int:
    """Replace the bytes of old mails by their hashes, where they may go. Returns how many it were."""
    with app.database.read() as session:
        old = session.exec(_old(table, before, ids)).all()
    going = [mail_id for mail_id, game_id in old if may_go(mail_id, game_id)]
    done.kept += len(old) - len(going)
    if not going:
        return 0
    with app.database.write() as session:
        rows = select(table.id, table.raw).where(table.id.in_(going), func.length(table.raw) > 0)
        found = session.exec(rows.where(table.status.in_(DONE))).all()
        hashes = [{"row_id": mail_id, "hash": hashlib.sha256(raw).hexdigest()} for mail_id, raw in found]
        kept = update(table.__table__).where(table.id == bindparam("row_id"))
        empty = b"" if table is MailIn else None
        if hashes:
            session.connection().execute(kept.values(raw=empty, raw_hash=bindparam("hash")), hashes)
    done.bytes += sum(len(raw) for _, raw in found)
    done.kept += len(going) - len(found)
    return len(found)


def _old(table: Any, before: datetime, ids: Sequence[int]) -> Any:
    """Return the query for the old mails among these that still have their bytes, each with its game if outgoing."""
    if table is MailIn:
        return select(MailIn.id, null()).where(
            col(MailIn.id).in_(ids), col(MailIn.received_at) < before, func.length(MailIn.raw) > 0
        )
    return select(MailOut.id, MailOut.game_id).where(
        col(MailOut.id).in_(ids), col(MailOut.created_at) < before, func.length(MailOut.raw) > 0
    )
