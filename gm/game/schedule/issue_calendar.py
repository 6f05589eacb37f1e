"""The calendar of the issues as the GM sees it: the year ahead with the games of each issue, and as a calendar file."""

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlmodel import Session

from games.api import Language
from gm.app import issues
from gm.app.context import App
from gm.app.issues import Calendar, Issue
from gm.game import deadlines
from gm.game.schedule import clashes
from gm.messages.rendering.calendar_files import LENGTH
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game

if TYPE_CHECKING:
    from icalendar import Event

_TITLES: Final[Mapping[str, Mapping[Language, str]]] = {
    "zat": {"de": "ZAT für {zine} {number}", "en": "Deadline for {zine} {number}"},
    "copy": {"de": "Redaktionsschluss {zine} {number}", "en": "Copy deadline of {zine} {number}"},
    "appears": {"de": "{zine} {number} erscheint", "en": "{zine} {number} appears"},
}
NO_CALENDAR: Final = "There is no calendar of issues: write [zine] with date and rhythm into config.toml."
_MINUTE: Final = 60


@dataclass(frozen=True, kw_only=True)
class Row:
    """An issue, the games whose present round it will print, and what is wrong with its days."""

    issue: Issue
    games: Sequence[str]
    clashes: Sequence[str]
    planned: dt.date | None
    """The day that it was moved from, if it was."""


def year(app: App, session: Session) -> list[Row]:
    """List the issues of the year ahead. Raises Refused without a calendar."""
    found, playing = _calendar(app, session), _playing(session)
    return [
        Row(
            issue=issue, games=[game.name for game in playing if game.zat and issue.since <= game.zat < issue.until],
            clashes=[
                *clashes.clashes(app.settings, session, found, issue), *_too_soon(app, session, issue, playing)
            ],
            planned=planned if (planned := found.planned(issue.number)) != issue.date else None,
        )
        for issue in clashes.year_ahead(found, app.now())
    ]  # fmt: skip


def _too_soon(app: App, session: Session, issue: Issue, playing: Sequence[Game]) -> Iterator[str]:
    """Name the games whose round would have too little time until an issue, and ends with a later one."""
    for game in playing:
        found = _round_of(app, session, game)
        if found and found[1] == issue.number:
            yield f"It comes too soon for {game.name}, which ends its round with issue {found[0].number}."


def end(app: App, session: Session) -> str:
    """Say where the dates of config.toml end, and what comes then; "" where they go on."""
    found = _calendar(app, session)
    last = found.numbered(found.plan.first + len(found.plan.dates) - 1) if found.plan.dates else None
    return f"After issue {last.number} there are no more dates; games go on with their own span then." if last else ""


def ends_with(app: App, session: Session, game: Game) -> str:
    """Say which issue the present round of a game ends with, and which was too soon; "" for one without an issue."""
    found = _round_of(app, session, game)
    if found is None:
        return ""
    return f"issue {found[0].number}{f'; issue {found[1]} leaves less than {game.span}' if found[1] else ''}"


def _round_of(app: App, session: Session, game: Game) -> tuple[Issue, int] | None:
    if game.zat is None or game.turn is None or not issues.is_planned(app):
        return None
    turn = turn_queries.current_turn(session, game)
    return deadlines.issue_of_round(app, session, game, turn.released_at or turn.at, game.zat)


def _calendar(app: App, session: Session) -> Calendar:
    found = issues.calendar(app, session)
    if found is None:
        raise Refused(NO_CALENDAR)
    return found


def _playing(session: Session) -> list[Game]:
    """List the running games that take their ZATs from the issues."""
    games = game_queries.games_by_id(session, list(issues.all_kept(session)))
    return [game for game in games if game.status == "running"]


# -- as a file ---------------------------------------------------------------------------------------------------------


def as_file(app: App, listed: Sequence[Issue]) -> bytes:
    """Write issues as a calendar file (RFC 5545): of each its ZAT, its copy deadline and the day it appears.

    An entry keeps its id, so that a calendar that reads a later file moves it.
    """
    from icalendar import Calendar as CalendarFile

    service = app.settings.service
    language: Language = "en" if service.language == "en" else "de"
    file = CalendarFile()
    for key, value in (("prodid", "-//postal-gm//gm//EN"), ("version", "2.0"), ("method", "PUBLISH")):
        file.add(key, value)
    for issue in listed:
        for event in _events(app, issue, language):
            file.add_component(event)
    return bytes(file.to_ical())


def _events(app: App, issue: Issue, language: Language) -> Iterator["Event"]:
    from icalendar import Event

    house = hashlib.sha256(app.settings.service.address.encode()).hexdigest()[:16]
    now = app.now().replace(microsecond=0)
    for key, begins, ends in (
        ("zat", issue.zat, issue.zat + LENGTH),
        ("copy", issue.copy_until, issue.copy_until + LENGTH),
        ("appears", issue.date, issue.date + dt.timedelta(days=1)),
    ):
        event = Event()
        event.add("uid", f"issue{issue.number}-{key}.{house}")
        event.add("sequence", int(now.timestamp()) // _MINUTE)
        event.add("dtstamp", now)
        event.add("dtstart", begins)
        event.add("dtend", ends)
        event.add("summary", _TITLES[key][language].format(zine=app.settings.service.name, number=issue.number))
        event.add("transp", "TRANSPARENT")
        yield event
