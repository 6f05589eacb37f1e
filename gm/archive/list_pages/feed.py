"""The feed of all games."""

from dataclasses import dataclass
from typing import Final

from games.api import Language
from gm.archive import layout
from gm.archive.game_pages.text import boards_text
from gm.archive.list_context import ListContext, Listing, Page
from gm.archive.list_data.recent_rounds import ClosedRound
from gm.archive.manifest import digest

FIRST_YEAR: Final = 2026
"""Part of the feed's own identifier, which must never change."""
ENTRIES: Final = 30
"""Rounds in the feed."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an entry tells of a round, in the language of its game."""

    lines: tuple[str, ...]
    board: str
    language: Language


def listing(context: ListContext) -> Listing:
    """Make the feed."""
    settings, language = context.app.settings, context.language
    entries = tuple(
        (f"{layout.tag(settings, one.begun.year, f'partien/{one.slug}')}/runde-{one.number}", one, _told(context, one))
        for one in context.recent_rounds[:ENTRIES]
    )
    values = {
        "entries": entries, "base": settings.archive.base_url, "tag": layout.tag(settings, FIRST_YEAR, "archiv"),
    }  # fmt: skip
    page = Page(
        path="atom.xml", made_from=digest(values, language),
        content=lambda: layout.render(settings, "atom.xml", "atom.xml", values, language),
    )  # fmt: skip
    return Listing(pages=[page])


def _told(context: ListContext, closed: ClosedRound) -> Told | None:
    """Tell what happened in a round, and where the game stood; None where the game's file can't be read."""
    record = context.record(closed.slug)
    found = next((one for one in record.snapshots if one.number == closed.number), None) if record else None
    if record is None or found is None:
        return None
    lines = (*([found.headline] if found.headline else []), *found.events)
    return Told(lines=lines, board=boards_text(found), language=record.language)
