"""For programs: the feed of all games, and the index of their data."""

import json

from gm.archive import layout
from gm.archive.list_context import ListContext, Listing, Page
from gm.archive.manifest import digest

FIRST_YEAR = 2026
"""Part of the feed's own identifier, which must never change."""
ENTRIES = 30
"""Rounds in the feed."""
SCHEMA = 1


def feed(context: ListContext) -> Listing:
    """Make the feed."""
    settings, language = context.app.settings, context.language
    entries = tuple(
        (f"{layout.tag(settings, one.begun.year, f'partien/{one.slug}')}/runde-{one.number}", one)
        for one in context.recent_rounds[:ENTRIES]
    )
    values = {
        "entries": entries, "base": settings.archive.base_url, "tag": layout.tag(settings, FIRST_YEAR, "archiv"),
    }  # fmt: skip
    page = Page(
        path="atom.xml", made_from=digest(values, language),
        content=lambda: layout.xml(layout.render(settings, "atom.xml", "atom.xml", values, language)),
    )  # fmt: skip
    return Listing(pages=[page])


def index(context: ListContext) -> Listing:
    """Make the index of all games."""
    all_games = context.games
    games = sorted(
        [
            *((one.slug, one.name, one.kind, one.status) for one in all_games.over),
            *((one.slug, one.name, one.kind, "running") for one in all_games.running),
            *((one.slug, one.name, one.kind, "open") for one in all_games.open),
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

    return Listing(pages=[Page(path="api/1/partien.json", made_from=digest(games), content=content)])
