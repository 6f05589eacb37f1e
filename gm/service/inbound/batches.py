"""Stored mails are handled batch by batch, in order of arrival, by one process or by several at once.

Processes choose their batches in turn. A turn ends when the senders and games of the batch are locked. A mail about
what another process has locked is left for later, and so is all that comes after it about the same. So no later mail of
a sender, and none about the same game, overtakes an earlier one.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.app.pass_report import Report
from gm.messages import gm_list, rate_limits
from gm.messages.questions import About
from gm.runtime.errors import NoRoom, OperatorError, StoreError
from gm.runtime.log_format import event
from gm.runtime.stop_signal import Stopped
from gm.service.inbound import row_locks
from gm.service.inbound.answer import Unwritable, queue_all
from gm.service.inbound.carry_out import carry_out_all, is_the_databases_own, quarantine
from gm.service.inbound.read import ReadMail, UnreadMail, read_all
from gm.store.database import HANDLING
from gm.store.queries import mail_queries, question_queries
from gm.store.tables import MailIn
from gm.transport.imap.size_limits import MOST_MAILS, batches

log = logging.getLogger("gm")

MOST_ATTEMPTS: Final = 3
MOST_TOGETHER: Final = 40
"""Mails in a batch where other processes work as well: few, so that the next ones are mostly about other games."""
FULL_HOURS: Final = 5
"""So many hours' answers to strangers may wait for room, so that each goes out within six hours."""
STRANGERS: Final = "strangers"
"""The kind of entry on the GM's list about more of them."""

EndTurn = Callable[[], object]
"""To be called as soon as other processes may choose their batches."""


def handle_stored(app: App, report: Report) -> None:
    """Handle what is stored and not yet handled, and of what was put off as much as there is room for.

    Other processes help. Raises StoreError.
    """
    while left := _left(app):
        if left == mail_queries.PUT_OFF and not _take_up(app):
            return
        with app.database.one_at_a_time(HANDLING) as end_turn:
            ids = _next_ids(app)
            if not ids:
                return  # other processes are at them
            handle_batch(app, ids, report, end_turn)


def _left(app: App) -> str | None:
    with app.database.read() as session:
        return mail_queries.status_to_handle(session)


def _take_up(app: App) -> bool:
    """Let the oldest mails that were put off be handled now, as many as have room in this hour; say whether any are."""
    with app.database.read() as session:
        room, is_news = rate_limits.room_for_strangers(app, session), _is_news(app, session)
    if not is_news and room <= 0:
        return False
    with app.database.write() as session:
        if _is_news(app, session) and (row := mail_queries.last_put_off_mail(session)):
            text = f"{row.sender}: {row.subject} ({rate_limits.most_to_strangers(app)}/h)"
            gm_list.tell(app, session, STRANGERS, text, About(mail=row))
        return room > 0 and mail_queries.release_put_off(session, room) > 0


def _is_news(app: App, session: Session) -> bool:
    """Say whether more mails were put off than can be answered in time, and the GM hasn't heard of it in a day."""
    number = mail_queries.count_with_status(session, MailIn, mail_queries.PUT_OFF)
    is_too_many = number > FULL_HOURS * rate_limits.most_to_strangers(app)
    return is_too_many and not question_queries.was_listed(session, STRANGERS, app.now() - rate_limits.DAY)


def _next_ids(app: App) -> list[int]:
    """Choose the next mails that no other process is at.

    After a crash they are fewer, in the end a single one. So a mail that kills the process is found out by its attempts
    and takes no other with it.
    """
    most = MOST_TOGETHER if app.database.is_shared else MOST_MAILS
    with app.database.write(together=True) as session:
        heads = mail_queries.new_mails(session, most, free=True)
    tried = heads[0].attempts if heads else 0
    alike = takewhile(lambda head: head.attempts == tried, heads)
    return next(batches(((head.id, head.size) for head in alike), max(1, most // 20**tried)), [])


def handle_batch(app: App, ids: Sequence[int], report: Report, end_turn: EndTurn = int) -> None:
    """Handle stored mails; before, write down that it was tried. Raises StoreError.

    Where the disk has little room each is handled by itself, in their order, up to the first that doesn't fit.
    """
    if len(ids) == 1 or not app.database.has_little_room():
        try:
            _try_to_handle(app, ids, report, end_turn)
            return
        except NoRoom:
            if len(ids) == 1:
                raise
    for mail_id in ids:
        _try_to_handle(app, [mail_id], report)


def _try_to_handle(app: App, ids: Sequence[int], report: Report, end_turn: EndTurn = int) -> None:
    app.stop_signal.check()
    _count_attempts(app, ids)
    try:
        batch = _choose(app, ids)
        _take_back_attempts(app, sorted(batch.left))
        report.received += _handle(app, batch, end_turn)
    except _Overtaking:
        _take_back_attempts(app, ids)
    except Stopped:
        _take_back_attempts(app, ids)
        raise
    except StoreError as error:
        if isinstance(error.__cause__, Exception) and is_the_databases_own(error.__cause__):
            _take_back_attempts(app, ids)
        raise


def _count_attempts(app: App, ids: Sequence[int]) -> None:
    with app.database.write(together=True) as session:
        mail_queries.add_attempts(session, [mail_id for mail_id in ids if mail_id not in app.excused], 1)
        worn_out = [row.id for row in mail_queries.unhandled(session, ids, MOST_ATTEMPTS + 1)]
    app.excused.difference_update(ids)
    if worn_out:
        with app.database.write() as session:
            for row in mail_queries.unhandled(session, worn_out, MOST_ATTEMPTS + 1):
                quarantine(app, session, row, OperatorError(
                    f"the service ended {MOST_ATTEMPTS} times while handling it",
                    de=f"Das Programm endete {MOST_ATTEMPTS}-mal, während es sie bearbeitete.",
                ))  # fmt: skip


def _take_back_attempts(app: App, ids: Sequence[int]) -> None:
    """A full disk or a lock is no mail's fault: however long it lasts, nothing is quarantined for it."""
    if not ids:
        return
    try:
        with app.database.write(together=True) as session:
            mail_queries.add_attempts(session, ids, -1)
    except StoreError:
        app.excused.update(ids)


@dataclass(frozen=True, kw_only=True)
class _Batch:
    """Mails that are handled in one transaction."""

    mails: Sequence[ReadMail | UnreadMail]
    left: frozenset[int] = frozenset()
    """Mails that were looked at with these, and wait."""
    together: bool = False
    """Other processes may write meanwhile, but nothing about the same senders and games."""
    is_careful: bool = False

    @property
    def ids(self) -> list[int]:
        return [mail.row.id for mail in self.mails]

    @property
    def reach(self) -> row_locks.Reach:
        return row_locks.reach_of(self.mails)


def _choose(app: App, ids: Sequence[int]) -> _Batch:
    """Read mails, and choose the first of them that can be handled in one transaction; the others wait.

    With SQLite, whose writers wait for each other anyway, these are all.
    """
    mails = _read(app, ids)
    if not app.database.is_shared:
        return _Batch(mails=mails)
    with app.database.read() as session:
        known = row_locks.known(session, row_locks.reach_of(mails))
    together = known.covers(mails[0]) if mails else False
    first = list(takewhile(lambda mail: known.covers(mail) == together, mails))
    chosen = _free_part(app, first) if together else first
    left = frozenset(ids) - {mail.row.id for mail in chosen}
    return _Batch(mails=chosen, left=left, together=together)


def _read(app: App, ids: Sequence[int]) -> list[ReadMail | UnreadMail]:
    with app.database.read() as session:
        rows = mail_queries.unhandled(session, ids)
        session.expunge_all()  # no savepoint takes back what is noted about a mail; it is written at the end
    return read_all(app, rows)


def _free_part(app: App, mails: Sequence[ReadMail | UnreadMail]) -> Sequence[ReadMail | UnreadMail]:
    """Choose the mails about nothing that another process is at. If these are few, choose all and wait for it."""
    with app.database.write(together=True) as session:
        free = row_locks.known(session, row_locks.reach_of(mails), lock="skip")
    chosen: list[ReadMail | UnreadMail] = []
    blocked: set[str] = set()
    for mail in mails:
        reach = row_locks.reach_of([mail])
        about = reach.senders | reach.games
        if free.covers(mail) and blocked.isdisjoint(about):
            chosen.append(mail)
        else:
            blocked |= about
    return chosen if len(chosen) * 4 >= len(mails) else mails


def _handle(app: App, batch: _Batch, end_turn: EndTurn) -> int:
    """Handle a batch in one transaction, again where one of its mails has to be put aside; returns how many they were.

    What the tables refuse may be what another process has just written: then it is tried again alone.
    """
    faults: dict[int, Exception] = {}
    while True:
        try:
            return _try_batch(app, batch, end_turn)
        except _NeedsWholeLock:
            batch = replace(batch, together=False)
        except Unwritable as error:
            if batch.is_careful:  # else it may be another one's, whose rows were only now to be written
                faults[error.mail_id] = error.cause
            mails = [_with_fault(mail, faults) for mail in _read(app, batch.ids)]
            batch = replace(batch, mails=mails, together=False, is_careful=True)


def _with_fault(mail: ReadMail | UnreadMail, faults: dict[int, Exception]) -> ReadMail | UnreadMail:
    return UnreadMail(row=mail.row, error=faults[mail.row.id]) if mail.row.id in faults else mail


def _try_batch(app: App, batch: _Batch, end_turn: EndTurn) -> int:
    """Handle those mails of a batch that no other process has handled meanwhile, in one transaction.

    Answers are written after all mails are carried out: one kind of work at a time takes half the time. Where an answer
    can't be written, nothing of its mail may stay. Then all is taken back and tried again without that mail.
    """
    with app.database.write(together=batch.together) as session:
        if batch.together and row_locks.known(session, batch.reach, lock="wait") != batch.reach:
            raise _NeedsWholeLock
        free = mail_queries.lock_free_mails(session, batch.ids)
        mails = [mail for mail in batch.mails if mail.row.id in free]
        chosen = batch.left.union(batch.ids)
        if app.database.is_shared and mails and mail_queries.is_overtaking_another(session, mails[0].row, chosen):
            raise _Overtaking
        end_turn()
        answers = carry_out_all(app, session, mails, is_careful=batch.is_careful)
        queue_all(app, session, answers)
        mail_queries.note_results(session, [mail.row for mail in mails])
    for mail in mails:
        row = mail.row
        log.info("mail %s %s", row.id, row.status,
                 extra=event("mail handled", mail=row.id, status=row.status, player=row.player_id))  # fmt: skip
    return len(mails)


class _NeedsWholeLock(Exception):  # noqa: N818  a way out of the transaction
    """A mail is about more than its sender and running games, which one of them may no longer be."""


class _Overtaking(Exception):  # noqa: N818  a way out of the transaction
    """The process that was at earlier mails has died: they come first."""
