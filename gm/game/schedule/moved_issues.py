"""The GM moves an issue, and the games that take their ZATs from the issues follow, also after a change of config.toml.

Each game follows in a transaction of its own, with its mails, and notes the ZAT of the issue that it has then. So
nothing is done twice, and after a crash the next pass does the rest.
"""

import datetime as dt
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from gm.app import issues
from gm.app.context import App
from gm.app.issues import Calendar, Issue, Kept, Move
from gm.game.deadlines import is_by_issue, least_zat, opened_at, parse_when, zat_by_issue
from gm.game.schedule import clock_control
from gm.messages import gm_list
from gm.runtime.errors import Refused
from gm.store.queries import meta_queries
from gm.store.tables import Game

TO_FOLLOW: Final = "issues to follow"
"""The entry of `meta` with the numbers of issues that were moved, until all games have followed."""


@dataclass(frozen=True, kw_only=True)
class Moved:
    """What came of moving an issue."""

    before: Issue
    after: Issue
    games: Sequence[Game]
    """The games that have another ZAT now."""


def move(app: App, number: int, when: str, why: str = "") -> Moved:
    """Move an issue to another day, with its ZAT and copy deadline, and the ZATs of its games. Raises Refused."""
    gm_list.check_length("reason", why)
    with app.database.write() as session:
        if meta_queries.get_meta(session, meta_queries.COPIED):
            raise Refused("The database is a copy that was put back; let it catch up first: gm serve --once")
        before = _issue(app, session, number)
        found = issues.calendar(app, session)
        was = found.planned(number) if found else None
        assert was is not None, "an issue has its day"
        issues.note_move(session, number, Move(was=was, to=_day(app, before, when), why=" ".join(why.split())))
        after = _issue(app, session, number)
        _check_place(app, session, before, after)
        _note_to_follow(session, {number, *_to_follow(session)})
    return Moved(before=before, after=after, games=follow_moves(app))


def _issue(app: App, session: Session, number: int) -> Issue:
    """Find an issue. Raises Refused."""
    found = issues.calendar(app, session)
    if found is None:
        raise Refused("config.toml has no calendar of issues: write [zine] with date and rhythm.")
    issue = found.numbered(number)
    if issue is None:
        first, last = found.plan.first, found.plan.first + len(found.plan.dates) - 1
        known = f"they go from {first} to {last}" if found.plan.dates else f"the first one is {first}"
        raise Refused(f"There is no issue {number}; {known} ([zine] in config.toml).")
    return issue


def _day(app: App, issue: Issue, when: str) -> dt.date:
    """Read a day, or `+7d` from the present one. Raises Refused."""
    now, zone = app.now(), app.settings.service.timezone
    if issue.date < now.astimezone(zone).date():
        raise Refused(f"Issue {issue.number} appeared on {issue.date}; only an issue to come can be moved.")
    return parse_when(when, now, issue.noon, zone, dt.time(23, 59)).astimezone(zone).date()


def _check_place(app: App, session: Session, before: Issue, after: Issue) -> None:
    """Check that the issues stay in order, and that no ZAT comes to lie in the past. Raises Refused."""
    found, zone = issues.calendar(app, session), app.settings.service.timezone
    last = found.numbered(after.number - 1) if found else None
    following = found.numbered(after.number + 1) if found else None
    if last and after.date <= last.date:
        raise Refused(f"On {after.date} issue {last.number} ({last.date}) would not be out yet; name a later day.")
    if following and after.date >= following.date:
        raise Refused(
            f"On {after.date} issue {following.number} ({following.date}) would be out already; move that one first."
        )
    if after.zat <= app.now() < before.zat:
        raise Refused(
            f"Its ZAT would have been {after.zat.astimezone(zone):%Y-%m-%d %H:%M}, which has passed; name a later day."
        )


# -- the games follow --------------------------------------------------------------------------------------------------


def follow_calendar(app: App) -> None:
    """Let games follow the calendar: once in the life of a process, as config.toml may have changed, and each move.

    Only once, as a process that was started before that change has the old calendar: it must not move them back.
    """
    if not issues.is_planned(app):
        return
    if issues.KEY not in app.done:
        _follow(app, None)
        app.done.add(issues.KEY)
    follow_moves(app)


def follow_moves(app: App) -> list[Game]:
    """Let games follow the issues that the GM has moved; returns those that have another ZAT."""
    with app.database.read() as session:
        numbers = _to_follow(session)
    if not numbers:
        return []
    games = _follow(app, numbers)
    with app.database.write() as session:
        _note_to_follow(session, _to_follow(session) - numbers)
    return games


def _to_follow(session: Session) -> set[int]:
    return set(json.loads(meta_queries.get_meta(session, TO_FOLLOW) or "[]"))


def _note_to_follow(session: Session, numbers: Collection[int]) -> None:
    if numbers:
        meta_queries.set_meta(session, TO_FOLLOW, json.dumps(sorted(numbers)))
    else:
        meta_queries.delete_meta(session, TO_FOLLOW)


def _follow(app: App, numbers: Collection[int] | None) -> list[Game]:
    """Let the games of these issues, or of all, follow; returns those that have another ZAT."""
    with app.database.read() as session:
        found, kept = issues.calendar(app, session), issues.all_kept(session)
        ids = [
            game_id for game_id, one in kept.items()
            if found and one.number and (numbers is None or one.number in numbers) and _has_moved(found, one)
        ]  # fmt: skip
    games = []
    for game_id in ids:
        app.stop_signal.check()
        with app.database.write() as session:
            game = session.get_one(Game, game_id)
            if _follow_one(app, session, game):
                games.append(game)
    return games


def _has_moved(found: Calendar, kept: Kept) -> Issue | None:
    """Return the issue of a game if it has another ZAT now than the game knows."""
    issue = found.numbered(kept.number)
    return issue if issue and issue.zat != kept.zat else None


def _follow_one(app: App, session: Session, game: Game) -> bool:
    """Give a game the new ZAT of its issue and tell the players; returns whether it has another one now.

    If that leaves the round too little time, it ends with the next issue. A ZAT that was moved on for this game alone
    is never brought forward. A game that is held, waits for its release or is due goes on without it.
    """
    found, kept, now = issues.calendar(app, session), issues.kept(session, game.id), app.now()
    issue = _has_moved(found, kept) if found and kept else None
    if found is None or kept is None or issue is None or game.status != "running" or game.zat is None:
        return False
    if game.held or (issue.zat <= now and game.zat <= now):
        issues.keep(session, game.id, Kept(number=issue.number, zat=issue.zat))
        return False
    is_theirs, opened = is_by_issue(app, session, game), opened_at(session, game)
    zat = zat_by_issue(
        app, session, game, least_zat(app, session, game, opened), after=max(now, opened), first=kept.number
    )
    zat = zat if zat is None or is_theirs else max(zat, game.zat)
    if zat is None or zat == game.zat:
        return False
    ends_with = issues.kept(session, game.id)
    _tell(app, session, game, zat, issue, found.numbered(ends_with.number if ends_with else 0) or issue)
    return True


def _tell(app: App, session: Session, game: Game, zat: dt.datetime, moved: Issue, issue: Issue) -> None:
    is_other = issue.number != moved.number
    why = issues.moved(session).get(moved.number)
    about = {"number": issue.number, "at": issue.noon, "early": moved.number if is_other else 0}
    clock_control.set_zat(app, session, game, zat, why=why.why if why and why.to == moved.date else "", issue=about)
