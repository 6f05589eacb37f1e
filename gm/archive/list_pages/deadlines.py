"""The ZATs of running games, as a page and as a calendar file. Neither holds the time of writing."""

from datetime import UTC, datetime

from gm.archive.layout import authority, phrase
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_data.games_by_status import Running
from gm.archive.manifest import digest
from gm.messages.rendering.calendar_files import LENGTH


def listing(context: ListContext) -> Listing:
    """Make the page of ZATs and the calendar."""
    rows = [row for row in context.games.running if row.zat]
    return Listing(pages=[html(context, "termine/index.html", "deadlines.html", {"rows": rows}), _calendar(context)])


def _calendar(context: ListContext) -> Page:
    events = tuple(
        (game, game.zat) for game in sorted(context.games.running, key=lambda game: game.id) if game.zat
    )  # fmt: skip
    return Page(
        path="termine/termine.ics", made_from=digest(events, context.language),
        content=lambda: _written(context, events),
    )  # fmt: skip


def _written(context: ListContext, events: tuple[tuple[Running, datetime], ...]) -> bytes:
    from icalendar import Calendar, Event  # takes a while to load, and most exports change no ZAT

    settings = context.app.settings
    calendar = Calendar()
    for key, value in (("prodid", "-//postal-gm//gm//EN"), ("version", "2.0"), ("method", "PUBLISH")):
        calendar.add(key, value)
    for game, zat in events:
        begins = zat.astimezone(UTC).replace(second=0, microsecond=0)
        event = Event()
        event.add("uid", f"zat-{game.slug}-{game.round}.{authority(settings)}")
        event.add("dtstamp", game.known_since.astimezone(UTC).replace(microsecond=0))
        event.add("dtstart", begins)
        event.add("dtend", begins + LENGTH)
        event.add("summary", phrase(context.language, "ZAT_OF", game=game.name, title=game.title, heading=game.heading))
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
