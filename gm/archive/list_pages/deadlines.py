"""The ZATs of running games, as a page and as a calendar file. Nothing in it is of the hour it was written in."""

from datetime import UTC, datetime

from gm.archive.atom import authority
from gm.archive.edition import Edition, Listing, Page, html
from gm.archive.layout import phrase
from gm.archive.list_data.games_by_status import Running
from gm.archive.manifest import digest
from gm.messages.rendering.calendar_files import LENGTH


def listing(edition: Edition) -> Listing:
    """Make the page of ZATs and the calendar."""
    rows = [row for row in edition.running_rows if row.zat]
    return Listing(pages=[html(edition, "termine/index.html", "deadlines.html", {"rows": rows}), _calendar(edition)])


def _calendar(edition: Edition) -> Page:
    events = tuple(
        (game, game.zat, edition.title(game.kind), edition.heading(game.kind, game.round))
        for game in sorted(edition.shelf.running, key=lambda game: game.id) if game.zat
    )  # fmt: skip
    return Page(
        path="termine/termine.ics", made_from=digest(events, edition.language),
        content=lambda: _written(edition, events),
    )  # fmt: skip


def _written(edition: Edition, events: tuple[tuple[Running, datetime, str, str], ...]) -> bytes:
    from icalendar import Calendar, Event  # takes a while to load, and most exports change no ZAT

    settings = edition.app.settings
    calendar = Calendar()
    for key, value in (("prodid", "-//postal-gm//gm//EN"), ("version", "2.0"), ("method", "PUBLISH")):
        calendar.add(key, value)
    for game, zat, title, round_ in events:
        begins = zat.astimezone(UTC).replace(second=0, microsecond=0)
        event = Event()
        event.add("uid", f"zat-{game.slug}-{game.round}.{authority(settings)}")
        event.add("dtstamp", game.known_since.astimezone(UTC).replace(microsecond=0))
        event.add("dtstart", begins)
        event.add("dtend", begins + LENGTH)
        event.add("summary", phrase(edition.language, "ZAT_OF", game=game.name, title=title, heading=round_))
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
