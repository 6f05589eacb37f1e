"""How a mail is named that the mail server doesn't hand out."""

from zoneinfo import ZoneInfo

from gm.messages.rendering.dates import write_date
from gm.runtime.errors import OperatorError
from gm.store.tables import MailIn


def described(row: MailIn, zone: ZoneInfo) -> OperatorError:
    """Say where it lies, its number there, its size and when it came: `INBOX, UID 7, 1234 bytes, 29 Nov 2026, ...`."""
    english, german = (write_date(row.received_at, zone, language, "short") for language in ("en", "de"))
    size_en, size_de = (
        (f"{row.size} bytes", f"{row.size} Bytes") if row.size else ("of unknown size", "Größe unbekannt")
    )
    return OperatorError(
        f"{row.folder}, UID {row.uid}, {size_en}, {english}", de=f"{row.folder}, UID {row.uid}, {size_de}, {german}"
    )


def sentence(row: MailIn, zone: ZoneInfo) -> str:
    """Say for a log or a check what is wrong and what can be done."""
    return (
        f"Mail {row.id} can't be fetched ({described(row, zone)}); it is tried again with each pass, and "
        f"gm mail drop {row.id} lets go of it"
    )
