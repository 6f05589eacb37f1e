"""Stored mails are handled batch after batch, by one process or by several at once, in order of arrival.

One at a time takes a batch, until it has locked the senders and games in it. What is about those of another process'
batch is left for later, with all that comes after it about the same. So nobody's later mail, and none about the same
game, overtakes an earlier one.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.app.pass_report import Report
from gm.messages import gm_list, rate_limits
from gm.messages.outgoing import queue
from gm.messages.questions import About
from gm.runtime.errors import NoRoom, StoreError
from gm.runtime.log_format import event
from gm.runtime.stop_signal import Stopped
from gm.service.inbound import row_locks
from gm.service.inbound.handle import (
    Read,
    Unwritable,
    handle_all,
    is_the_databases_own,
    quarantine,
    read_all,
    written,
)
from gm.store.database import MAILS
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
"""To be called as soon as others may take theirs."""


def handle_stored(app: App, report: Report) -> None:
    """Handle what is stored and not yet handled, and of what was put off as much as there is room for.

    Other processes help. Raises StoreError.
    """
    while left := _left(app):
        if left == mail_queries.PUT_OFF and not _take_up(app):
            return
        with app.database.in_turn(MAILS) as end_turn:
            ids = _next_batch(app)
            if not ids:
                return  # others are at them
            handle_batch(app, ids, report, end_turn)


def _left(app: App) -> str | None:
    with app.database.read() as session:
        return mail_queries.left(session)


def _take_up(app: App) -> bool:
    """Let the oldest mails that were put off be handled now, as many as have room in this hour; say whether any are."""
    with app.database.read() as session:
        room, is_news = rate_limits.room_for_strangers(app, session), _is_news(app, session)
    if not is_news and room <= 0:
        return False
    with app.database.write() as session:
        if _is_news(app, session) and (row := mail_queries.last_put_off(session)):
            text = f"{row.sender}: {row.subject} ({rate_limits.most_to_strangers(app)}/h)"
            gm_list.tell(app, session, STRANGERS, text, About(mail=row))
        return room > 0 and mail_queries.take_up(session, room) > 0


def _is_news(app: App, session: Session) -> bool:
    """Say whether more mails were put off than can be answered in time, and the GM hasn't heard of it in a day."""
    number = mail_queries.count_received(session, mail_queries.PUT_OFF)
    is_too_many = number > FULL_HOURS * rate_limits.most_to_strangers(app)
    return is_too_many and not question_queries.was_listed(session, STRANGERS, app.now() - rate_limits.DAY)


def _next_batch(app: App) -> list[int]:
    """Choose the next mails that nobody is at: one commit for all, a savepoint for each.

    After a crash they are fewer, at last one, so that a mail that kills the process is found out by its attempts and
    takes no other with it.
    """
    most = MOST_TOGETHER if app.database.is_shared else MOST_MAILS
    with app.database.write(together=True) as session:
        heads = mail_queries.waiting(session, most, free=True)
    tried = heads[0].attempts if heads else 0
    alike = takewhile(lambda head: head.attempts == tried, heads)
    return next(batches(((head.id, head.size) for head in alike), max(1, most // 20**tried)), [])


def handle_batch(app: App, ids: Sequence[int], report: Report, end_turn: EndTurn = int) -> None:
    """Handle stored mails; before, write down that it was tried. Raises StoreError.

    Where the disk has little room each is handled by itself, in their order, up to the first that doesn't fit.
    """
    if len(ids) == 1 or not app.database.is_short():
        try:
            _handle_together(app, ids, report, end_turn)
            return
        except NoRoom:
            if len(ids) == 1:
                raise
    for mail_id in ids:
        _handle_together(app, [mail_id], report)


def _handle_together(app: App, ids: Sequence[int], report: Report, end_turn: EndTurn = int) -> None:
    app.pulse.beat()
    _count_attempts(app, ids)
    try:
        _handle_runs(app, _runs(app, ids), report, end_turn)
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
        mail_queries.count_attempts(session, [mail_id for mail_id in ids if mail_id not in app.excused], 1)
        worn_out = [row.id for row in mail_queries.unhandled(session, ids, MOST_ATTEMPTS + 1)]
    app.excused.difference_update(ids)
    if worn_out:
        with app.database.write() as session:
            for row in mail_queries.unhandled(session, worn_out, MOST_ATTEMPTS + 1):
                quarantine(app, session, row, f"the service ended {MOST_ATTEMPTS} times while handling it")


def _take_back_attempts(app: App, ids: Sequence[int]) -> None:
    """A full disk or a lock is no mail's fault: however long it lasts, nothing is quarantined for it."""
    try:
        with app.database.write(together=True) as session:
            mail_queries.count_attempts(session, ids, -1)
    except StoreError:
        app.excused.update(ids)


@dataclass(frozen=True, kw_only=True)
class _Mail:
    """A stored mail with what it says, and the games that it can change, if these are all that it can."""

    row: MailIn
    read: Read | Exception
    games: frozenset[str] | None


@dataclass(frozen=True, kw_only=True)
class _Run:
    """Mails that are handled in one transaction; `together`: others may write meanwhile, but not about the same."""

    mails: Sequence[_Mail]
    together: bool = False
    is_careful: bool = False
    turn: frozenset[int] = frozenset()
    """All mails that were taken at once; some may have to wait."""

    @property
    def ids(self) -> list[int]:
        return [mail.row.id for mail in self.mails]

    @property
    def reach(self) -> row_locks.Reach:
        return _reach_of(self.mails)


def _reach_of(mails: Sequence[_Mail]) -> row_locks.Reach:
    games = frozenset[str]().union(*(mail.games or () for mail in mails))
    return row_locks.Reach(senders=frozenset(mail.row.sender.lower() for mail in mails), games=games)


def _runs(app: App, ids: Sequence[int]) -> list[_Run]:
    """Read mails and part them, in their order, by whether others may write while they are handled."""
    mails = _read_all(app, ids)
    if not app.database.is_shared:
        return [_Run(mails=mails)]
    with app.database.read() as session:
        known = row_locks.known(session, _reach_of(mails))
    grouped = groupby(mails, lambda mail: known.covers(mail.row.sender, mail.games))
    turn = frozenset(ids)
    return [_Run(mails=list(some), together=is_bounded, turn=turn) for is_bounded, some in grouped]


def _read_all(app: App, ids: Sequence[int]) -> list[_Mail]:
    with app.database.read() as session:
        rows = mail_queries.unhandled(session, ids)
        session.expunge_all()  # no savepoint takes back what is noted about a mail; it is written at the end
    reads = read_all(app, rows)
    return [_Mail(row=row, read=read, games=_games_of(read)) for row, read in zip(rows, reads, strict=True)]


def _games_of(read: Read | Exception) -> frozenset[str] | None:
    return None if isinstance(read, Exception) or read.reason else row_locks.games_of(read.reading)


def _handle_runs(app: App, runs: Sequence[_Run], report: Report, end_turn: EndTurn) -> None:
    for at, run in enumerate(runs, 1):
        now = _free_part(app, run) if run.together else run
        left = set(run.ids) - set(now.ids)
        if left:  # what comes after it must wait as well
            _take_back_attempts(app, [*left, *(mail_id for later in runs[at:] for mail_id in later.ids)])
        is_last = bool(left) or at == len(runs)
        report.received += _handle_run(app, now, end_turn if is_last else int)
        if left:
            return


def _free_part(app: App, run: _Run) -> _Run:
    """Choose what is about nothing that another process is at; if that isn't much, all: that process is waited for."""
    with app.database.write(together=True) as session:
        free = row_locks.known(session, run.reach, lock="skip")
    chosen: list[_Mail] = []
    blocked: set[str] = set()
    for mail in run.mails:
        about = {mail.row.sender.lower(), *(mail.games or ())}
        if free.covers(mail.row.sender, mail.games) and blocked.isdisjoint(about):
            chosen.append(mail)
        else:
            blocked |= about
    return replace(run, mails=chosen) if len(chosen) * 4 >= len(run.mails) else run


def _handle_run(app: App, run: _Run, end_turn: EndTurn) -> int:
    """Handle mails in one transaction, again where one of them has to be put aside; returns how many it were.

    What the tables refuse may be what somebody else has just written: then it is tried again alone.
    """
    faults: dict[int, Exception] = {}
    while True:
        try:
            return _try_run(app, run, faults, end_turn)
        except _ReachesFurther:
            run = replace(run, together=False)
        except Unwritable as error:
            if run.is_careful:  # else it may be another one's, whose rows were only now to be written
                faults[error.mail_id] = error.cause
            run = replace(run, mails=_read_all(app, run.ids), together=False, is_careful=True)


def _try_run(app: App, run: _Run, faults: Mapping[int, Exception], end_turn: EndTurn) -> int:
    """Handle those mails of a run that nobody has handled meanwhile, in one transaction.

    Answers are written after all mails are handled: one kind of work at a time takes half the time. Where one can't
    be written, nothing of its mail may stay; so all is taken back, and tried again with that noted in `faults`. So it
    is where a flush fails, which takes all back by itself.
    """
    with app.database.write(together=run.together) as session:
        if run.together and row_locks.known(session, run.reach, lock="wait") != run.reach:
            raise _ReachesFurther
        free = mail_queries.take(session, run.ids)
        mails = [(mail.row, faults.get(mail.row.id) or mail.read) for mail in run.mails if mail.row.id in free]
        if app.database.is_shared and mails and mail_queries.is_overtaking(session, mails[0][0], run.turn):
            raise _Overtaking
        end_turn()
        answers = handle_all(app, session, mails, is_careful=run.is_careful)
        queue(session, [written(app, row, answer) for row, answer in answers])
        mail_queries.settle(session, [row for row, _ in mails])
    for row, _ in mails:
        log.info("mail %s %s", row.id, row.status,
                 extra=event("mail handled", mail=row.id, status=row.status, player=row.player_id))  # fmt: skip
    return len(mails)


class _ReachesFurther(Exception):  # noqa: N818  a way out of the transaction
    """A mail is about more than its sender and running games, which one of them may no longer be."""


class _Overtaking(Exception):  # noqa: N818  a way out of the transaction
    """Whoever was at earlier mails has died: they come first."""
