"""The pages beside the games: who runs the archive, and what is stored of players, as the settings say it."""

from typing import Any, Final

from gm.archive.list_context import ListContext, Listing, html
from gm.archive.list_pages.game_index import SCHEMAS
from gm.players.shown_names import written
from gm.runtime.config.hosts import is_loopback
from gm.runtime.config.settings import Settings

STORED: Final = ("PERSON", "RECEIVED", "SENT", "MOVES", "PRESS", "DAYS", "STRANGERS", "LOG")
"""What is stored, by the ends of the phrases that say what it is, why and how long."""


def listing(context: ListContext) -> Listing:
    """Make the imprint and the privacy page."""
    return Listing(
        pages=[
            html(context, "impressum/index.html", "about.html", {"schemas": SCHEMAS}),
            html(context, "datenschutz/index.html", "privacy.html", stored(context.app.settings)),
        ]
    )


def stored(settings: Settings) -> dict[str, Any]:
    """Collect what the settings say about the data of players: no setting means that anything is deleted by itself."""
    second = settings.service.second_gm
    return {
        "stored": STORED,
        "names": settings.archive.names.upper(),
        "hosts": tuple(host for host in _hosts(settings) if not is_loopback(host)),
        "processed": settings.imap.processed,
        "quarantine": settings.imap.quarantine,
        "second": (written(second.name, "full") or "GM 2") if second else "",
        "is_published": bool(settings.archive.base_url),
    }


def _hosts(settings: Settings) -> list[str]:
    """List the servers that players' mails go through."""
    return sorted({settings.imap.host.lower(), settings.smtp.host.lower()})
