"""What programs read: the feed of all games, and the index of their data."""

import json

from gm.archive import layout
from gm.archive.atom import tag, xml
from gm.archive.edition import Edition, Listing, Page
from gm.archive.list_data.recent_rounds import LONGEST
from gm.archive.manifest import digest

FIRST_YEAR = 2026
"""In the feed's own name, which must never change."""
SCHEMA = 1


def feed(edition: Edition) -> Listing:
    """Make the feed."""
    return Listing(pages=[_feed(edition)])


def index(edition: Edition) -> Listing:
    """Make the index of all games."""
    return Listing(pages=[_index(edition)])


def _feed(edition: Edition) -> Page:
    settings, language = edition.app.settings, edition.language
    entries = tuple(
        (f"{tag(settings, one.begun.year, f'partien/{one.slug}')}/runde-{one.number}", one)
        for one in edition.closings[:LONGEST]
    )
    context = {
        "entries": entries, "base": settings.archive.base_url, "tag": tag(settings, FIRST_YEAR, "archiv"),
    }  # fmt: skip
    return Page(
        path="atom.xml", made_from=digest(context, language),
        content=lambda: xml(layout.render(settings, "atom.xml", "atom.xml", context, language)),
    )  # fmt: skip


def _index(edition: Edition) -> Page:
    shelf = edition.shelf
    games = sorted(
        [
            *((one.slug, one.name, one.kind, one.status) for one in shelf.over),
            *((one.slug, one.name, one.kind, "running") for one in shelf.running),
            *((one.slug, one.name, one.kind, "open") for one in shelf.open),
        ]
    )

    def content() -> bytes:
        rows = [
            {"partie": name, "spiel": kind, "status": status, "seite": f"partien/{slug}/index.html",
             "daten": f"partien/{slug}/partie.json"}
            for slug, name, kind, status in games
        ]  # fmt: skip
        found = {"schema": SCHEMA, "partien": rows}
        return (json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n").encode()

    return Page(path="api/1/partien.json", made_from=digest(games), content=content)
