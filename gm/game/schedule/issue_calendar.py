"""The calendar of the issues as the GM sees it: the year ahead with the games of each issue, and as a calendar file."""

import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlmodel import Session

from games.api import Language, say
from gm.app import issues
from gm.app.context import App
from gm.app.issues import Calendar, Issue
from gm.game.schedule import clashes
from gm.messages.rendering.calendar_files import LENGTH
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences.table import SENTENCES
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Game

if TYPE_CHECKING:
    from icalendar import Event

NO_CALENDAR: Final = "There is no calendar of issues: write [zine] with date and rhythm into config.toml."
_MINUTE: Final = 60


@dataclass(frozen=True, kw_only=True)
class Row:
    """An issue, the games whose present round ends with it, and what is wrong with its days."""

    issue: Issue
    games: Sequence[str]
    clashes: Sequence[str]
    planned: dt.date | None
    """The day that it was moved from, if it was."""


def year(app: App, session: Session) -> list[Row]:
    """List the issues of the year ahead. Raises Refused without a calendar."""
    found = _calendar(app, session)
    return [row(app, session, found, issue) for issue in clashes.year_ahead(found, app.now())]


def row(app: App, session: Session, found: Calendar, issue: Issue) -> Row:
    """Describe an issue."""
    games, planned = _games_of(session, issue.number), found.planned(issue.number)
    return Row(
        issue=issue, games=games, clashes=list(clashes.clashes(app.settings, session, found, issue)),
        planned=planned if planned != issue.date else None,
    )  # fmt: skip


def end(app: App, session: Session) -> str:
    """Say where the dates of config.toml end, and what comes then; "" where they go on."""
    found = _calendar(app, session)
    last = found.numbered(found.plan.first + len(found.plan.dates) - 1) if found.plan.dates else None
    return f"After issue {last.number} there are no more dates; games go on with their own span then." if last else ""


def ends_with(app: App, session: Session, game: Game) -> str:
    """Say which issue the present round of a game ends with; "" for a game with a span of its own."""
    kept = issues.kept(session, game.id) if issues.is_planned(app) else None
    return f"issue {kept.number}" if kept and kept.number and game.zat else ""


def _calendar(app: App, session: Session) -> Calendar:
    found = issues.calendar(app, session)
    if found is None:
        raise Refused(NO_CALENDAR)
    return found


def _games_of(session: Session, number: int) -> list[str]:
    ids = [game_id for game_id, kept in issues.all_kept(session).items() if kept.number == number]
    return [game.name for game in game_queries.games_by_id(session, ids) if game.status == "running" and game.zat]


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
    speaker = Speaker(language=language, wording=SENTENCES, names={})
    now = app.now().replace(microsecond=0)
    for key, begins, ends in (
        ("ISSUE_ZAT", issue.zat, issue.zat + LENGTH),
        ("ISSUE_COPY", issue.copy_until, issue.copy_until + LENGTH),
        ("ISSUE_APPEARS", issue.date, issue.date + dt.timedelta(days=1)),
    ):
        event = Event()
        event.add("uid", f"{key.lower()}_{issue.number}.{house}")
        event.add("sequence", int(now.timestamp()) // _MINUTE)
        event.add("dtstamp", now)
        event.add("dtstart", begins)
        event.add("dtend", ends)
        event.add("summary", speaker.say(say(key, zine=app.settings.service.name, number=issue.number)))
        event.add("transp", "TRANSPARENT")
        yield event
