"""The whole flow on one page: fetch and handle what waits, close what is due, send digests, write pages, deliver."""

import gc
import logging
from typing import Final

from gm.app import App
from gm.bugs import described, trace
from gm.delivery import deliver
from gm.digests import send_digests
from gm.errors import ArchiveBusy, ArchiveError, DeliveryError, MailboxError, StoreError
from gm.fetching import note_trouble
from gm.handling import handle_stored
from gm.hindsight import look_back
from gm.intake import last_fetch, receive
from gm.play import proof, standbys
from gm.play.turns import prepare
from gm.reminders import remind
from gm.report import Report
from gm.rounds import close_due
from gm.summaries import send_summaries

__all__ = ["Report", "settle_in", "tick"]


def settle_in() -> None:
    """Let Python look for garbage rarely, for a process that stays: what is loaded now never becomes any.

    A batch of mails makes thousands of objects that live until its end; looking at them all took a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000)


log = logging.getLogger("gm")

PAGES_SECONDS: Final = 5.0
"""How long a pass writes pages; after an upgrade, when all are written anew, the next passes go on with it."""


def tick(app: App, *, inbox: bool = True, outbox: bool = True, archive: bool = True) -> Report:
    """Do one pass, without a server or an archive that is given a rest. Raises StoreError.

    A mail server that can't be used is reported and doesn't stop the rest; but no round closes without a fetch. Where
    another process fetches, its mails are handled, and what they have made due is closed.
    """
    report = Report()
    prepare(app)
    is_first = app.fetches()
    if inbox and is_first:
        _take_in(app, report)
    elif app.database.is_shared:
        handle_stored(app, report)
        close_due(app, last_fetch(app), report)
    proof.give_up_waiting(app)
    standbys.seek(app)
    remind(app)
    send_digests(app, report)
    send_summaries(app)
    if archive and is_first:
        _write_pages(app, report)
    if outbox:
        try:
            deliver(app, report)
        except DeliveryError as error:
            report.troubles.append(error)
    if archive and is_first and report.is_idle:
        look_back(app)
    return report


def _take_in(app: App, report: Report) -> None:
    """Fetch and handle mails, and close what is due by then."""
    try:
        close_due(app, receive(app, report), report)
    except MailboxError as error:
        report.troubles.append(error)
    note_trouble(app, report.troubles)


def _write_pages(app: App, report: Report) -> None:
    from gm.archive.export import export

    try:
        done = export(app, app.settings.archive.path, seconds=PAGES_SECONDS, in_passing=True)
    except ArchiveBusy:
        log.info("Another gm writes the archive; what has changed comes with the next pass.")
    except (ArchiveError, StoreError) as error:
        report.troubles.append(error)
    except Exception as error:  # noqa: BLE001  mails are more urgent than pages
        log.error("A page couldn't be made.\n%s", trace(error))
        report.troubles.append(ArchiveError(f"A bug in gm, please report it: {described(error)}."))
    else:
        report.troubles += map(ArchiveError, done.troubles)
        report.pages, report.has_pages_left = done.written, not done.finished
