"""How a mail is named that the mail server doesn't hand out."""

from zoneinfo import ZoneInfo

from games.api import say
from gm.messages.rendering.dates import write_date
from gm.runtime.errors import OperatorError, in_each
from gm.store.tables import MailIn


def described(row: MailIn, zone: ZoneInfo) -> OperatorError:
    """Say where it lies, its number there, its size and when it came: `INBOX, UID 7, 1234 bytes, 29 Nov 2026, ...`."""
    when = in_each(lambda language: write_date(row.received_at, zone, language, "short"))
    code = "unfetched_mails.described" if row.size else "unfetched_mails.of_unknown_size"
    return OperatorError(say(code, folder=row.folder, uid=row.uid, size=row.size, when=when))


def sentence(row: MailIn, zone: ZoneInfo) -> str:
    """Say for a log or a check what is wrong and what can be done."""
    return (
        f"Mail {row.id} can't be fetched ({described(row, zone)}); it is tried again with each pass, and "
        f"gm mail drop {row.id} lets go of it"
    )
