"""The start page, the page about the archive, the error page, stylesheet and icon."""

from urllib.parse import urlsplit

from gm.archive import layout
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_pages.results import ended
from gm.archive.manifest import digest

EVALUATIONS = 20
RESULTS = 10


def listing(context: ListContext) -> Listing:
    """Make the start page: what runs, what has happened, what can be joined."""
    values = {
        "running": context.games.running, "vacant": context.games.open,
        "closings": context.recent_rounds[:EVALUATIONS], "newest": ended(context, context.games.newest(RESULTS)),
    }  # fmt: skip
    pages = [
        html(context, "index.html", "start.html", values),
        html(context, "impressum/index.html", "about.html", {}),
    ]
    return Listing(pages=[*pages, _not_found(context), _static("style.css"), _static("icon.svg")])


def _not_found(context: ListContext) -> Page:
    """Make the error page. A server shows it at any depth, so its links begin at the root of the site."""
    base = urlsplit(context.app.settings.archive.base_url).path
    return html(context, "404.html", "not_found.html", {"root": base})


def _static(name: str) -> Page:
    content = layout.static_file(name)
    return Page(path=name, made_from=digest(content), content=lambda: content)
