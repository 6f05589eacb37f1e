"""The ZATs of running games, as a page and as a calendar file. Neither holds the time of writing."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from gm.archive.game_pages.text import boards_text
from gm.archive.layout import authority, phrase, when
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_data.games_by_status import Running
from gm.archive.list_pages.games import stated
from gm.archive.manifest import digest
from gm.archive.record.status import Status
from gm.drawing import timelines
from gm.drawing.timelines import Span, Tick
from gm.messages.rendering.calendar_files import LENGTH

DRAWN: Final = 20
"""Games in the drawing, and those whose boards stand in the calendar; table and calendar have all."""
STEPS: Final = (1, 2, 7, 14, 28, 91, 364)
"""Days between two ticks of the axis."""
TICKS: Final = 5


def listing(context: ListContext) -> Listing:
    """Make the page of ZATs and the calendar."""
    rows = stated(context, [row for row in context.games.running if row.zat])
    values = {"rows": rows, "drawing": _drawing(context, rows[:DRAWN]) if rows else ""}
    return Listing(pages=[html(context, "termine/index.html", "deadlines.html", values), _calendar(context)])


# -- the drawing -------------------------------------------------------------------------------------------------------


def _drawing(context: ListContext, rows: Sequence[tuple[Running, Status | None]]) -> Markup:
    """Draw each game from the beginning of its round to its ZAT, on whole days."""
    zone, language = context.app.settings.service.timezone, context.language
    spans = [(game, game.known_since, game.zat, status) for game, status in rows if game.zat]
    first = _midnight(min(since for _, since, _, _ in spans), zone)
    last = _midnight(max(zat for _, _, zat, _ in spans), zone) + timedelta(days=1)

    def share(at: datetime) -> float:
        return min(1.0, max(0.0, (at - first) / (last - first)))

    drawn = [
        Span(
            label=f"{game.name} ({game.title})", end_label=when(zone, language, zat, "day"),
            begin=min(share(since), share(zat)), end=share(zat), tone=status.tone if status else "green",
        )
        for game, since, zat, status in spans
    ]  # fmt: skip
    ticks = [Tick(label=when(zone, language, at, "day"), at=share(at)) for at in _days(first, last)]
    return timelines.deadlines(phrase(language, "DATES_DRAWN", count=len(drawn)), drawn, ticks)


def _midnight(at: datetime, zone: ZoneInfo) -> datetime:
    return datetime.combine(at.astimezone(zone).date(), time(), zone)


def _days(first: datetime, last: datetime) -> Iterator[datetime]:
    """Give so many days that their labels have room."""
    days = (last - first).days
    step = next((step for step in STEPS if days / step < TICKS), STEPS[-1])
    yield from (first + timedelta(days=day) for day in range(0, days + 1, step))


# -- the calendar ------------------------------------------------------------------------------------------------------


def _calendar(context: ListContext) -> Page:
    next_ones = sorted((game.zat, game.id, game) for game in context.games.running if game.zat)
    texts = {game.slug: _position(context, game) for _, _, game in next_ones[:DRAWN]}
    by_id = sorted(next_ones, key=lambda one: one[1])
    events = tuple((game, zat, texts.get(game.slug, "")) for zat, _, game in by_id)
    base = context.app.settings.archive.base_url
    return Page(
        path="termine/termine.ics", made_from=digest(events, context.language, base),
        content=lambda: _written(context, events),
    )  # fmt: skip


def _position(context: ListContext, game: Running) -> str:
    """Write where a game stands, as its pages show it; "" where its file can't be read."""
    record = context.record(game.slug)
    last = (record.now or record.snapshots[-1]) if record and record.snapshots else None
    return boards_text(record, last) if record and last else ""


def _written(context: ListContext, events: tuple[tuple[Running, datetime, str], ...]) -> bytes:
    from icalendar import Calendar, Event  # takes a while to load, and most exports change no ZAT

    settings, base = context.app.settings, context.app.settings.archive.base_url
    calendar = Calendar()
    for key, value in (("prodid", "-//postal-gm//gm//EN"), ("version", "2.0"), ("method", "PUBLISH")):
        calendar.add(key, value)
    for game, zat, position in events:
        begins = zat.astimezone(UTC).replace(second=0, microsecond=0)
        event = Event()
        event.add("uid", f"zat-{game.slug}-{game.round}.{authority(settings)}")
        event.add("dtstamp", game.known_since.astimezone(UTC).replace(microsecond=0))
        event.add("dtstart", begins)
        event.add("dtend", begins + LENGTH)
        event.add("summary", phrase(context.language, "ZAT_OF", game=game.name, title=game.title, heading=game.heading))
        page = f"{base}partien/{game.slug}/" if base else ""
        if position or page:
            event.add("description", "\n\n".join(filter(None, (position, page))))
        if page:
            event.add("url", page)
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
