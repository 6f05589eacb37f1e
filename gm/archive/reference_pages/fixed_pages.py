"""The pages that only program and settings change: imprint, privacy, error page, stylesheet, icon, schemas."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from gm.archive import layout
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_pages import game_index
from gm.archive.record import record
from gm.game.people.shown_names import written
from gm.runtime.config.hosts import is_loopback
from gm.runtime.config.settings import Settings

STORED: Final = ("PERSON", "RECEIVED", "SENT", "MOVES", "PRESS", "DAYS", "STRANGERS", "LOG")
"""What is stored, by the ends of the phrases that say what it is, why and how long."""

SCHEMAS: Final = {"partie.schema.json": record.json_schema, "index.schema.json": game_index.json_schema}
"""Where the schemas of the data are, and what describes them."""


def pages(context: ListContext) -> Iterator[Page]:
    """Make them. A server shows the error page at any depth, so its links begin at the root of the site."""
    settings = context.app.settings
    root = urlsplit(settings.archive.base_url).path
    yield html(context, "impressum/index.html", "about.html", lambda: {"schemas": tuple(SCHEMAS)})
    yield html(context, "datenschutz/index.html", "privacy.html", lambda: stored(settings))
    yield html(context, "404.html", "not_found.html", lambda: {"root": root})
    yield Page(path="style.css", content=layout.stylesheet)
    yield Page(path="icon.svg", content=partial(layout.static_file, "icon.svg"))
    for path, describe in SCHEMAS.items():
        yield Page(path=path, content=partial(_written, describe))


def _written(describe: Callable[[], dict[str, Any]]) -> bytes:
    return json.dumps(describe(), ensure_ascii=False, indent=1).encode() + b"\n"


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
