"""The clock of a running game: the GM moves, stops and starts it; a player's vacation moves it on."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from games.api import Text, say
from gm.app.context import App
from gm.game import closing_time, steps
from gm.game.deadlines import (
    days_without_zat,
    first_free,
    issue_of_round,
    later,
    least_zat,
    local_day,
    local_instant,
    moved,
    opened_at,
    parse_when,
    save_zat,
    zat_by_issue,
)
from gm.game.people.site_directory import game_page
from gm.game.position import position
from gm.game.schedule import closing
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.questions import About
from gm.runtime.config.settings import Span
from gm.runtime.errors import OperatorError, Refused, at_minute
from gm.store import game_file
from gm.store.queries import game_queries, player_queries, question_queries, seat_queries, turn_queries
from gm.store.tables import Game, Player, Question

ISSUE: Final = ("issue", "heft")
"""What stands in place of a deadline for that of the issue."""


def move_zat(app: App, session: Session, game: Game, when: str, why: str = "") -> dt.datetime:
    """Set a new deadline and tell the players, with the reason; a held game goes on. Raises Refused.

    If it is the deadline already, nothing changes and nobody is told.
    """
    closing.check_closable(game)
    gm_list.check_length("reason", why)
    if (until := closing_time.paused_until(app, game)) and not game.held:
        ends = at_minute(until.astimezone(app.settings.service.timezone))
        raise Refused(say("clock_control.is_paused", game=game.name, until=ends))
    now = app.now()
    if names_issue(when):
        by_issue = _zat_of_issue(app, session, game, after=now)
        if by_issue is None:
            raise Refused(say("clock_control.no_issue", game=game.name))
        zat = by_issue
    else:
        zone, rules = app.settings.service.timezone, app.settings.deadlines
        zat = parse_when(when, now, game.zat, zone, rules.time)
        if Span.parse(game.span).exact is None:
            zat = first_free(zat, rules.free_days, zone)
    if was_held := bool(game.held):
        _keep_open(session, game)
        game.held, game.paused_until = "", now
    elif game.zat and zat in (game.zat, game.zat.replace(second=0, microsecond=0)):
        return game.zat  # told to the minute, and typed so
    set_zat(app, session, game, zat, why=why)
    questions.close_about(app, session, game, *gm_list.STANDING_STILL, answer="done")
    if was_held:
        steps.go_on(app, session, game)  # an advance move that lies there again after an undo
    return zat


def names_issue(when: str) -> bool:
    """Say whether a deadline is that of an issue."""
    return when.strip().casefold() in ISSUE


def _zat_of_issue(app: App, session: Session, game: Game, after: dt.datetime) -> dt.datetime | None:
    """Find the first issue that leaves the present round its least time, behind `after`.

    After a pause that time counts from its end, but an issue that the round ends with already stays.
    """
    found = [zat_by_issue(app, session, game, least_zat(app, game, opened_at(game)), after=after)]
    if game.zat and game.zat > after and _ends_with_issue(app, session, game):
        found.append(game.zat)
    return min((zat for zat in found if zat), default=None)


def _ends_with_issue(app: App, session: Session, game: Game) -> bool:
    return issue_of_round(app, session, game, turn_queries.current_turn(game)) is not None


def move_to_issue(app: App, session: Session, game: Game, why: str = "") -> dt.datetime:
    """Let the present round end with the first issue that fits, and tell the players. Raises Refused.

    Where that issue has had its ZAT already, the round is about to be closed, or the GM has given this game alone more
    time: it isn't put off to the next issue.
    """
    closing.check_closable(game)
    zat = _zat_of_issue(app, session, game, after=opened_at(game))
    if zat and zat <= app.now() and not game.held:
        raise Refused(say("clock_control.issue_has_passed", game=game.name))
    return move_zat(app, session, game, ISSUE[0], why)


def paused(app: App, game: Game) -> str:
    """Describe for the GM until when a game is paused; "" if it isn't."""
    if game.paused_until is None or not closing_time.is_paused(app, game):
        return ""
    return f"{game.name} is paused until {game.paused_until.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}"


def _keep_open(session: Session, game: Game) -> None:
    """Keep a held round open until its new ZAT, even if all moves are in."""
    game.reopened = True
    for seat in seat_queries.seats(game):
        if seat.intent == "ready":
            seat.intent = ""
    game_file.touch(session, game)


@dataclass(frozen=True, kw_only=True)
class Away:
    """Whose vacation has moved a ZAT, and at noon of which days it begins and ends."""

    name: str
    first: dt.datetime
    last: dt.datetime


def set_zat(
    app: App, session: Session, game: Game, zat: dt.datetime, reason: Text | None = None, why: str = "",
    away: Away | None = None,
) -> None:  # fmt: skip
    """Let the present round end at another time and tell the players, with our reason, or the GM's own words."""
    save_zat(app, session, game, zat)
    wishes = _settle_wishes(app, session, game, zat)
    cause = f"zat:{game.id}:{game.turn}:{zat.isoformat()}:{app.now().isoformat()}"
    context = {
        "reason": reason, "away": away, "why": " ".join(why.split()), "page": game_page(app, game), "wishes": wishes
    }  # fmt: skip
    game_mails.send_to_all(app, session, game, GameMail(template="zat", cause=cause, context=context))


def _settle_wishes(
    app: App, session: Session, game: Game, zat: dt.datetime
) -> Mapping[int, Sequence[tuple[bool, dt.datetime]]]:
    """Close the wishes that a new ZAT fulfils; returns by seat whether one is fulfilled, and until when it was."""
    found: dict[int, list[tuple[bool, dt.datetime]]] = {}
    seats = {seat.player_id: seat.number for seat in seat_queries.seats(game)}
    for question in question_queries.questions_about(game, question_queries.EXTENSION):
        seat = seats.get(question.player_id or 0)
        if seat is None:
            questions.close(app, session, question, "left")
            continue
        wished = dt.datetime.fromisoformat(question.payload["wished"])
        if is_granted := zat >= wished:
            questions.close(app, session, question, "granted")
        else:
            _name_the_day(app, session, game, question, wished)
        found.setdefault(seat, []).append((is_granted, wished))
    return found


def _name_the_day(app: App, session: Session, game: Game, question: Question, wished: dt.datetime) -> None:
    """Let a wish name its day: a span would count from the new ZAT."""
    when = f"{wished.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}"
    question.payload = {**question.payload, "text": when, "offers": [["zat", game.name, when]]}
    session.add(question)
    session.flush()


@dataclass(frozen=True, kw_only=True)
class Pause:
    """From when until when the clock is stopped, and why."""

    start: dt.datetime
    end: dt.datetime
    why: str


def pause_from_now(app: App, span: str | None, why: str) -> Pause:
    """Make a pause that begins now; without a span it is the longest one. Raises Refused."""
    gm_list.check_length("reason", why)
    now, most = app.now(), app.settings.deadlines.pause_max
    if span is None:
        return Pause(start=now, end=now + most, why=" ".join(why.split()))
    wanted = Span.parse(span)
    if not dt.timedelta() < wanted.length <= most:
        raise Refused(say("clock_control.too_long", span=span, most=_words(most)))
    return Pause(start=now, end=later(now, wanted, app.settings.service.timezone), why=" ".join(why.split()))


def _words(span: dt.timedelta) -> str:
    return f"{span.days}d" if span.days else f"{int(span.total_seconds() // 3600)}h"


def pause(app: App, session: Session, game: Game, wanted: Pause) -> None:
    """Stop the clock of a game; the ZAT moves on by as much. Raises Refused."""
    if closing_time.is_paused(app, game):
        raise Refused(say("clock_control.paused_already", game=game.name))
    if game.held:
        raise Refused(say("clock_control.stands_still", game=game.name, why=game.held))
    instant = closing_time.closing_instant(app, session, game, position(app, game))
    if instant and instant <= wanted.start:
        raise Refused(say("clock_control.round_is_over", round=game.round, game=game.name))
    zat = shifted(app, session, game, game.zat, wanted.start, wanted.end) if game.zat else None
    game.paused_until = wanted.end
    if zat:
        save_zat(app, session, game, zat)
    _tell_all(app, session, game, "paused", wanted.why)


def shifted(
    app: App, session: Session, game: Game, zat: dt.datetime, start: dt.datetime, end: dt.datetime
) -> dt.datetime:
    """Move a ZAT by the time between two instants, back if the second is the earlier one.

    If rounds are counted in days, it moves by whole days in the players' favour, keeps its clock time, and skips days
    that have to be free. The ZAT of an issue moves to the next one where the round would lack time, and else stays.
    """
    if _ends_with_issue(app, session, game) and (by_issue := _issue_after_pause(app, session, game, start, end)):
        return by_issue
    zone, span = app.settings.service.timezone, Span.parse(game.span)
    new = moved(zat, start, end, span, zone)
    return new if span.exact is not None else first_free(new, days_without_zat(app, session, game), zone)


def _issue_after_pause(
    app: App, session: Session, game: Game, start: dt.datetime, end: dt.datetime
) -> dt.datetime | None:
    """Choose the issue of a round in which the clock stands still from one instant to another, or goes on sooner."""
    if end < start:  # when the pause began isn't known
        return _zat_of_issue(app, session, game, after=end)
    least, span = least_zat(app, game, opened_at(game)), Span.parse(game.span)
    if least > start:
        least = moved(least, start, end, span, app.settings.service.timezone)
    return zat_by_issue(app, session, game, least, after=end)


def resume(app: App, session: Session, game: Game) -> dt.datetime | None:
    """End a pause early: the ZAT moves back by the rest of the pause. Raises Refused."""
    until, now = game.paused_until, app.now()
    if until is None or until <= now:
        raise Refused(say("clock_control.not_paused", game=game.name))
    game.paused_until = now
    if game.zat:
        save_zat(app, session, game, shifted(app, session, game, game.zat, until, now))
    _tell_all(app, session, game, "resumed")
    return game.zat


def _tell_all(app: App, session: Session, game: Game, template: str, why: str = "") -> None:
    session.add(game)
    session.flush()
    cause = f"{template}:{game.id}:{app.now().isoformat()}"
    context = {"until": game.paused_until, "why": why, "page": game_page(app, game)}
    game_mails.send_to_all(app, session, game, GameMail(template=template, cause=cause, context=context))


def move_for_vacation(app: App, session: Session, player: Player) -> list[Game]:
    """Move the ZATs that fall on a player's vacation (`vacation = "extend"`); returns those games."""
    changed = []
    zone = app.settings.service.timezone
    for game in game_queries.games_of_players(session, [player.id], ("running",)):
        if game.zat is None or game.held:
            continue
        zat = first_free(game.zat, days_without_zat(app, session, game), zone)
        if zat != game.zat:
            set_zat(app, session, game, zat, away=_away(app, session, player, game.zat))
            changed.append(game)
    return changed


def _away(app: App, session: Session, player: Player, zat: dt.datetime) -> Away | None:
    """Find the player's vacation that a ZAT falls on."""
    zone = app.settings.service.timezone
    found = player_queries.away_on(session, [player.id], zat.astimezone(zone).date()).get(player.id)
    if found is None:
        return None
    first, last = (local_instant(day, dt.time(12), zone) for day in (found.first, found.last))
    return Away(name=player.name, first=first, last=last)


def move_for_holidays(app: App) -> None:
    """Move the ZATs that fall on `deadlines.holidays` to the first day after, and tell the players. Raises StoreError.

    Hours run on through holidays, so a game whose rounds are counted in hours keeps its ZAT.
    """
    zone = app.settings.service.timezone
    spans = [
        (local_instant(days[0], dt.time(), zone), local_instant(days[-1] + dt.timedelta(days=1), dt.time(), zone))
        for days in app.settings.deadlines.holidays if days[-1] >= local_day(app)
    ]  # fmt: skip
    if not spans:
        return
    with app.database.read() as session:
        found = game_queries.games_with_zat(session, spans)
    for game_id in found:
        with app.database.write() as session:
            _move_off_holidays(app, session, session.get_one(Game, game_id))


def _move_off_holidays(app: App, session: Session, game: Game) -> None:
    if game.status == "running" and game.zat and not game.held and Span.parse(game.span).exact is None:
        zat = first_free(game.zat, days_without_zat(app, session, game), app.settings.service.timezone)
        if zat != game.zat:
            set_zat(app, session, game, zat, say("HOLIDAYS"))


def hold(app: App, session: Session, game: Game, kind: str, reason: OperatorError) -> None:
    """Let a game stand still until the GM closes its round or sets a new ZAT."""
    game.held = str(reason)
    session.add(game)
    gm_list.tell(app, session, kind, reason, About(game=game), gm_list.clock_offers(game))
