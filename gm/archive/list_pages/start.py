"""The start page, what all pages share, and those about the archive itself."""

from urllib.parse import urlsplit

from gm.archive import layout
from gm.archive.edition import Edition, Listing, Page, html
from gm.archive.list_data.running_games import vacant
from gm.archive.list_pages.results import ended
from gm.archive.manifest import digest

EVALUATIONS = 20
RESULTS = 10


def listing(edition: Edition) -> Listing:
    """Make the start page: what runs, what has happened, what can be joined."""
    context = {
        "running": edition.running_rows, "vacant": vacant(edition.shelf.open, edition.title),
        "closings": edition.closings[:EVALUATIONS], "newest": ended(edition, edition.shelf.newest(RESULTS)),
    }  # fmt: skip
    pages = [
        html(edition, "index.html", "start.html", context),
        html(edition, "impressum/index.html", "about.html", {}),
    ]
    return Listing(pages=[*pages, _not_found(edition), _style(), _icon()])


def _not_found(edition: Edition) -> Page:
    """Make the page for wrong addresses: a server shows it at any depth, so its links begin at the site's root."""
    base = urlsplit(edition.app.settings.archive.base_url).path
    return html(edition, "404.html", "not_found.html", {"root": base})


def _style() -> Page:
    content = layout.stylesheet()
    return Page(path="style.css", made_from=digest(content), content=lambda: content)


def _icon() -> Page:
    content = layout.icon()
    return Page(path="icon.svg", made_from=digest(content), content=lambda: content)
