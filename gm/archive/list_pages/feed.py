"""The feed of all games."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from gm.archive import layout
from gm.archive.game_pages.text import boards_text
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_data.recent_rounds import ClosedRound

FIRST_YEAR: Final = 2026
"""Part of the feed's own identifier, which must never change."""
ENTRIES: Final = 30
"""Rounds in the feed."""


def pages(context: ListContext) -> Iterator[Page]:
    """Make the feed."""
    yield html(context, "atom.xml", "atom.xml", partial(_values, context))


def _values(context: ListContext) -> dict[str, Any]:
    settings = context.app.settings
    entries = tuple(
        (f"{layout.tag(settings, one.begun.year, f'partien/{one.slug}')}/runde-{one.number}", one, _told(context, one))
        for one in context.recent_rounds[:ENTRIES]
    )
    return {
        "entries": entries, "base": settings.archive.base_url, "tag": layout.tag(settings, FIRST_YEAR, "archiv"),
    }  # fmt: skip


def _told(context: ListContext, closed: ClosedRound) -> dict[str, Any] | None:
    """Tell what happened in a round, and where the game stood; None where the game's file can't be read."""
    record = context.record(closed.slug)
    found = next((one for one in record.snapshots if one.number == closed.number), None) if record else None
    if record is None or found is None:
        return None
    return {"lines": (found.headline, *found.events), "board": boards_text(found), "language": record.language}
