"""The ZATs of running games, as a page and as calendar files (RFC 5545). None of them holds the time of writing."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from markupsafe import Markup
from sqlmodel import col

from gm.archive.game_pages.text import boards_text
from gm.archive.layout import authority, phrase, when
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_data.games_by_status import Running
from gm.archive.list_pages.games import stated
from gm.archive.record.status import Status
from gm.drawing import timelines
from gm.drawing.timelines import Span, Tick
from gm.store.tables import Game, Seat

DRAWN: Final = 20
"""Games in the drawing, and those whose boards stand in a calendar; tables and calendars have all."""
STEPS: Final = (1, 2, 7, 14, 28, 91, 364)
"""Days between two ticks of the axis."""
TICKS: Final = 5
LENGTH: Final = timedelta(minutes=15)
"""Calendars hide or stretch an event without length."""


def pages(context: ListContext) -> Iterator[Page]:
    """Make the page of ZATs, the calendar of all, and that of each player with a running game."""
    yield html(context, "termine/index.html", "deadlines.html", partial(_values, context))
    yield calendar(context, "termine/termine.ics", context.games.running)
    yield from _of_players(context)


def _values(context: ListContext) -> dict[str, Any]:
    rows = stated(context, [row for row in context.games.running if row.zat])
    return {"rows": rows, "drawing": _drawing(context, rows[:DRAWN]) if rows else ""}


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
            begin=min(share(since), share(zat)), end=share(zat), tone=status.tone if status else "amber",
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


# -- calendars ---------------------------------------------------------------------------------------------------------


def _of_players(context: ListContext) -> Iterator[Page]:
    """Make a calendar without boards for each player: their pages change less often than ZATs do."""
    rows = sa.select(col(Seat.player_id), col(Seat.game_id)).distinct().join(Game).where(col(Game.status) == "running")
    running = {game.id: game for game in context.games.running}
    sitting: dict[int, list[Running]] = {}
    for player_id, game_id in context.session.connection().execute(rows.order_by(col(Seat.player_id))):
        if game_id in running and player_id in context.people:
            sitting.setdefault(player_id, []).append(running[game_id])
    for player_id, games in sitting.items():
        yield calendar(context, f"personen/{context.people[player_id].slug}/termine.ics", games, boards=0)


def calendar(context: ListContext, path: str, games: Iterable[Running], boards: int = DRAWN) -> Page:
    """Make the calendar file of games: an event for each ZAT, which keeps its id while the ZAT moves.

    `boards`: so many of the next ones show how the game stands.
    """
    return Page(path=path, content=lambda: _written(context, _events(context, games, boards)))


_Event: TypeAlias = tuple[Running, datetime, str]
"""A game, its ZAT, and how it stands."""


def _events(context: ListContext, games: Iterable[Running], boards: int) -> list[_Event]:
    next_ones = sorted((game.zat, game.id, game) for game in games if game.zat)
    texts = {game.slug: _position(context, game) for _, _, game in next_ones[:boards]}
    by_id = sorted(next_ones, key=lambda one: one[1])
    return [(game, zat, texts.get(game.slug, "")) for zat, _, game in by_id]


def _position(context: ListContext, game: Running) -> str:
    """Write where a game stands, as its pages show it; "" where its file can't be read."""
    record = context.record(game.slug)
    return boards_text(record.last) if record and record.last else ""


def _written(context: ListContext, events: Iterable[_Event]) -> bytes:
    from icalendar import Calendar, Event  # takes a while to load, and most exports change no ZAT

    settings, base = context.app.settings, context.app.settings.archive.base_url
    file = Calendar()
    for key, value in (("prodid", "-//postal-gm//gm//EN"), ("version", "2.0"), ("method", "PUBLISH")):
        file.add(key, value)
    for game, zat, position in events:
        begins = zat.astimezone(UTC).replace(second=0, microsecond=0)
        event = Event()
        event.add("uid", f"zat-{game.slug}-{game.round}.{authority(settings)}")
        changed = game.zat_at.astimezone(UTC).replace(microsecond=0)
        event.add("sequence", game.zat_moves)  # without a larger one, a calendar keeps the earlier time
        event.add("dtstamp", changed)
        event.add("last-modified", changed)
        event.add("dtstart", begins)
        event.add("dtend", begins + LENGTH)
        event.add("summary", phrase(context.language, "ZAT_OF", game=game.name, title=game.title, heading=game.heading))
        page = f"{base}partien/{game.slug}/" if base else ""
        if position or page:
            event.add("description", "\n\n".join(filter(None, (position, page))))
        if page:
            event.add("url", page)
        event.add("transp", "TRANSPARENT")
        file.add_component(event)
    return bytes(file.to_ical())
