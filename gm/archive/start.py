"""The start page."""

from gm.archive import layout
from gm.archive.edition import Edition, Listing, Page, digest, html
from gm.store import queries


def listing(edition: Edition) -> Listing:
    """Make the start page: the games that run."""
    running = queries.games(edition.session, ("running",))
    rows = tuple((game.name, edition.slugs[game.id], game.round, game.zat) for game in running)
    return Listing(pages=[html(edition, "index.html", "start.html", {"running": rows}), _style(), _icon()])


def _style() -> Page:
    content = layout.stylesheet()
    return Page(path="style.css", made_from=digest(content), content=lambda: content)


def _icon() -> Page:
    content = layout.icon()
    return Page(path="icon.svg", made_from=digest(content), content=lambda: content)
