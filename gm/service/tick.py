"""The whole flow on one page: fetch and handle what waits, close what is due, send digests, deliver, write pages."""

import gc
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Literal, NamedTuple

from gm.app.context import App
from gm.app.pass_report import Report
from gm.game.announcements import daily_digest
from gm.game.schedule.clock_control import move_for_holidays
from gm.messages.rate_limits import HOUR, send_summaries
from gm.runtime.errors import (
    ArchiveBusy,
    ArchiveError,
    DeliveryError,
    MailboxError,
    NoRoom,
    NotOurs,
    OperatorError,
    StoreError,
)
from gm.runtime.stop_signal import Stopped
from gm.runtime.tracebacks import described
from gm.service.due_games import handle_due_games, look_at_all_after_new_settings
from gm.service.inbound.receive import receive
from gm.service.maintenance.nightly_backup import back_up_nightly
from gm.service.outbound.delivery import answers_to_send, deliver
from gm.service.outbound.digests import send_digests
from gm.service.outbound.published_steps import publish
from gm.store.queries import work_queries, zine_queries
from gm.store.queries.work_queries import Work
from gm.store.zine_tables import Zine
from gm.transport.smtp.letters import Letter

__all__ = ["Report", "settle_in", "tick", "write_pages"]


def settle_in() -> None:
    """Let Python look for garbage rarely, for a process that stays: what is loaded now never becomes any.

    Each mail makes thousands of objects that live until it is handled; looking at them all took a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000)


log = logging.getLogger("gm")


def tick(app: App, *, inbox: bool = True, outbox: bool = True, archive: bool = True) -> Report:
    """Do one pass, without a server or an archive that is given a rest. Raises StoreError.

    Raises NotOurs where another database or a later incarnation serves the mailbox. Then nothing more is handled or
    sent, and the fact is written down. Mostly that is found out before anything is done.

    A mail server that can't be used is reported and doesn't stop the rest. But no round closes without a fetch, and
    nothing is sent and no page written before the mailbox was found to be ours. When the service is to end
    (`app.stop_signal`), the pass ends with the unit of work under way: a mail, a game, a page.
    """
    report = Report()
    try:
        with suppress(Stopped):
            _pass(app, report, inbox=inbox, outbox=outbox, archive=archive)
    except NotOurs as error:
        with suppress(StoreError), app.database.write() as session:  # else the next start finds out as well
            here = zine_queries.zine(session)
            here.inbox_trouble = str(error)
            here.overtaken = str(error) if error.is_overtaken else here.overtaken
        raise
    return report


class _ToDo(NamedTuple):
    """What is to do after the mails."""

    zine: Zine
    work: Work
    answers: Sequence[Letter]
    """Those that go out at once."""


def _pass(app: App, report: Report, *, inbox: bool, outbox: bool, archive: bool) -> None:
    app.stop_signal.check()
    fetched_at = _take_in(app, report) if inbox else None
    move_for_holidays(app)
    to_do = _look(app)
    if look_at_all_after_new_settings(app, to_do.zine.settings_seen):
        to_do = _look(app)
    if inbox:
        _note_trouble(app, to_do.zine.inbox_trouble, report.troubles)
    brings_letters = _work(app, to_do, fetched_at, report)
    if fetched_at and not report.is_idle:
        with suppress(MailboxError):  # the next pass says what is wrong
            app.inbox.check_owner()
    is_all = not (to_do.work.has_letters or brings_letters or to_do.work.has_refusals)
    if outbox and app.ours and not (is_all and not to_do.answers):
        _send(app, report, to_do.answers if is_all else None, to_do.zine.outbox_trouble)
    app.stop_signal.check()
    if to_do.work.has_steps or report.closed:
        publish(app)
    back_up_nightly(app)
    if archive:
        write_pages(app, report)


def _look(app: App) -> _ToDo:
    """Look what there is to do. Raises NotOurs where a later incarnation of this database serves the mailbox."""
    with app.database.read() as session:
        zine_queries.refuse_if_overtaken(session)
        work = work_queries.look(session, app.now(), HOUR)
        return _ToDo(zine=zine_queries.zine(session), work=work, answers=answers_to_send(app, session))


def _work(app: App, to_do: _ToDo, fetched_at: datetime | None, report: Report) -> bool:
    """Do what is due, but for sending; returns whether that may have brought mails. Raises StoreError, Stopped."""
    work = to_do.work
    if work.has_due_games:
        handle_due_games(app, fetched_at, report)
    app.stop_signal.check()
    if work.lacks_answers:
        _end_questions(app)
    app.stop_signal.check()
    brings_letters = send_digests(app, report, to_do.zine.last_digest) or work.brings_letters
    app.stop_signal.check()
    if work.has_left_out:
        send_summaries(app)
    if work.has_digest_steps:
        daily_digest.send_due(app)
    return brings_letters


def _take_in(app: App, report: Report) -> datetime | None:
    """Handle what comes in; returns when the look into the inbox began, None where it can't be read.

    No mail that had arrived by then is missing: rounds that were due by then may close.
    """
    try:
        return receive(app, report)
    except (MailboxError, NoRoom) as error:
        app.stop_signal.check()  # if we hung up ourselves, it is no trouble
        report.troubles.append(error)
        return None


def _end_questions(app: App) -> None:
    """Refuse mails, and pass lines on to the GM, whose question to their sender had no answer. Raises StoreError."""
    # What reads mails takes a tenth of a second to import, and few passes need it.
    from gm.requests.prose import line_questions
    from gm.requests.sender_check import confirmation

    confirmation.refuse_unconfirmed(app)
    line_questions.pass_on_unanswered(app)


def _send(app: App, report: Report, answers: Sequence[Letter] | None, trouble: str | None) -> None:
    try:
        deliver(app, report, answers)
    except DeliveryError as error:
        report.troubles.append(error)
    if report.sent or any(isinstance(found, DeliveryError) for found in report.troubles):
        # With nothing to send nobody knows whether mails go out again.
        _note_trouble(app, trouble, report.troubles, DeliveryError, "outbox_trouble")


def write_pages(app: App, report: Report) -> None:
    """Write the pages of what has changed, once the mailbox was found to be ours.

    Between two pages it gives way to what wakes the service: the next pass goes on with it.
    """
    if not app.ours:
        return
    from gm.archive.export import export

    try:
        done = export(app, app.settings.archive.path, gives_way=app.stop_signal.wake.is_set)
    except ArchiveBusy:
        log.info("Another gm writes the archive; what has changed comes with the next pass.")
    except (ArchiveError, StoreError) as error:
        report.troubles.append(error)
    except Exception as error:
        log.error("A page couldn't be made: %s", described(error), exc_info=error)
        report.troubles.append(ArchiveError(f"A bug in gm, please report it: {described(error)}."))
    else:
        report.troubles += map(ArchiveError, done.troubles)
        report.pages, report.has_pages_left = done.written, not done.finished


def _note_trouble(
    app: App, noted: str | None, troubles: Sequence[OperatorError], kind: type[OperatorError] = MailboxError,
    column: Literal["inbox_trouble", "outbox_trouble"] = "inbox_trouble",
) -> None:  # fmt: skip
    """Write down for `gm status` what is wrong with the mailbox, or with sending; or that nothing is any more."""
    found = next((str(trouble) for trouble in troubles if isinstance(trouble, kind)), None)
    if found != noted:
        with app.database.write() as session:
            setattr(zine_queries.zine(session), column, found)
