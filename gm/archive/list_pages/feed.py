"""The feed of all games."""

from gm.archive import layout
from gm.archive.list_context import ListContext, Listing, Page
from gm.archive.list_data.recent_rounds import LONGEST
from gm.archive.manifest import digest

FIRST_YEAR = 2026
"""Part of the feed's own identifier, which must never change."""


def listing(context: ListContext) -> Listing:
    """Make the feed."""
    settings, language = context.app.settings, context.language
    entries = tuple(
        (f"{layout.tag(settings, one.begun.year, f'partien/{one.slug}')}/runde-{one.number}", one)
        for one in context.recent_rounds[:LONGEST]
    )
    values = {
        "entries": entries, "base": settings.archive.base_url, "tag": layout.tag(settings, FIRST_YEAR, "archiv"),
    }  # fmt: skip
    page = Page(
        path="atom.xml", made_from=digest(values, language),
        content=lambda: layout.xml(layout.render(settings, "atom.xml", "atom.xml", values, language)),
    )  # fmt: skip
    return Listing(pages=[page])
