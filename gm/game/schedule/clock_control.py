"""The clock of a running game: the GM moves, stops and starts it; a player's vacation moves it on."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from sqlmodel import Session

from games.api import Text, say
from gm.app import issues
from gm.app.context import App
from gm.game import closing_time, rests, steps
from gm.game.deadlines import (
    days_without_zat,
    first_free,
    is_by_issue,
    issue_for,
    later,
    least_zat,
    moved,
    opened_at,
    over_rest,
    parse_when,
    save_zat,
    skip_rest,
    span_of,
    without_rest,
    zat_by_issue,
)
from gm.game.position import position
from gm.game.schedule import closing
from gm.messages import game_mails, gm_list
from gm.messages.game_mails import GameMail
from gm.messages.questions import About
from gm.players.site_directory import game_page
from gm.runtime.config.settings import Span
from gm.runtime.errors import OperatorError, Refused
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, Player

ISSUE: Final = ("issue", "heft")
"""What stands in place of a deadline for that of the issue."""


def move_zat(app: App, session: Session, game: Game, when: str, why: str = "") -> dt.datetime:
    """Set a new deadline and tell the players, with the reason; a held game goes on. Raises Refused.

    If it is the deadline already, nothing changes and nobody is told.
    """
    closing.check_closable(session, game)
    gm_list.check_length("reason", why)
    if closing_time.is_paused(app, game) and not game.held:
        raise Refused(
            f"{paused(app, game)}, and its ZAT has moved on by as much. Wait until then, or end the pause first: gm "
            f"resume {game.name}.",
            de=f"»{game.name}« macht Pause, und der ZAT ist um sie verschoben. Warte so lange, oder beende sie erst: "
            f"gm resume {game.name}.",
        )
    now = app.now()
    if when.strip().casefold() in ISSUE:
        zat = _next_issue(app, session, game)
    else:
        named = parse_when(when, now, game.zat, app.settings.service.timezone, app.settings.deadlines.time)
        zat = _behind_a_rest(app, session, game, when, named)
    if was_held := bool(game.held):
        _keep_open(session, game)
        game.held, game.paused_until = "", now
    elif game.zat and zat in (game.zat, game.zat.replace(second=0, microsecond=0)):
        return game.zat  # told to the minute, and typed so
    set_zat(app, session, game, zat, why=why)
    closing.close_clock_questions(app, session, game)
    if was_held:
        steps.go_on(app, session, game)  # an advance move that lies there again after an undo
    return zat


def _next_issue(app: App, session: Session, game: Game) -> dt.datetime:
    """Choose the issue that the present round ends with anew. Raises Refused."""
    least = least_zat(app, session, game, opened_at(session, game))
    zat = zat_by_issue(app, session, game, least, after=app.now())
    if zat is None:
        raise Refused(
            f"{game.name} wasn't opened for the issues (gm new ... --zat issue), or none lies ahead; name a day.",
            de=f"»{game.name}« richtet sich nicht nach den Heften, oder es ist keins geplant; nenne einen Tag.",
        )
    return zat


def _behind_a_rest(app: App, session: Session, game: Game, when: str, zat: dt.datetime) -> dt.datetime:
    """Count more time (`+3d`) without the days of a rest. Raises Refused for a date within it."""
    rest, zone = rests.current(app, session), app.settings.service.timezone
    if rest and span_of(when):
        return skip_rest(app, session, game, zat, max(game.zat or app.now(), app.now()))
    if rest and rest.holds(zat):
        first, last = rest.days(zone)
        raise Refused(
            f"The zine rests from {first} to {last}, and no ZAT falls in that time. Name a later one, or end the rest: "
            "gm resume --all.",
            de=f"Vom {first:%d.%m.%Y} bis zum {last:%d.%m.%Y} ruht der ganze Postspielbetrieb, und kein ZAT fällt in "
            "diese Zeit. Nenne einen späteren, oder beende die Ruhe: gm resume --all.",
        )
    return zat


def paused(app: App, game: Game) -> str:
    """Describe for the GM until when a game is paused; "" if it isn't."""
    if game.paused_until is None or not closing_time.is_paused(app, game):
        return ""
    return f"{game.name} is paused until {game.paused_until.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}"


def _keep_open(session: Session, game: Game) -> None:
    """Keep a held round open until its new ZAT, even if all moves are in."""
    game.reopened = True
    for seat in seat_queries.seats(session, game):
        if seat.intent == "ready":
            seat.intent = ""
            session.add(seat)


def set_zat(
    app: App, session: Session, game: Game, zat: dt.datetime, reason: Text | None = None, why: str = "",
    issue: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """Let the present round end at another time and tell the players, with our reason, or the GM's own words.

    `issue` is what the mail says of the issue that has moved.
    """
    save_zat(session, game, zat)
    cause = f"zat:{game.id}:{game.turn}:{zat.isoformat()}:{app.now().isoformat()}"
    context = {"reason": reason, "why": " ".join(why.split()), "page": game_page(app, game), "issue": issue}
    game_mails.send_to_all(app, session, game, GameMail(template="zat", cause=cause, context=context))


def pause(app: App, session: Session, game: Game, span: str | None, why: str = "") -> dt.datetime:
    """Stop the clock for a while, at most `pause_max`; the ZAT moves on by as much. Raises Refused."""
    gm_list.check_length("reason", why)
    now, most = app.now(), app.settings.deadlines.pause_max
    if closing_time.is_paused(app, game):
        raise Refused(
            f"{game.name} is paused already; gm resume {game.name} lets it go on.",
            de=f"»{game.name}« macht schon Pause; gm resume {game.name} lässt die Partie weitergehen.",
        )
    if game.held:
        raise Refused(f"{game.name} stands still anyway: {game.held}. First gm zat {game.name} WHEN.",
                      de=f"»{game.name}« steht ohnehin still; erst gm zat {game.name} WANN.")  # fmt: skip
    instant = closing_time.closing_instant(app, session, game, position(app, session, game))
    if instant and instant <= now:
        raise Refused(
            f"The time of round {game.round} of {game.name} is over, the next look into the mailbox closes it; "
            f"pause the round after it, or first give this one more time: gm zat {game.name} WHEN.",
            de=f"Die Zeit für Runde {game.round} von »{game.name}« ist um, und sie wird gleich ausgewertet; lass die "
            f"Runde danach pausieren, oder gib dieser erst mehr Zeit: gm zat {game.name} WANN.",
        )
    wanted = Span.parse(span) if span else None
    if wanted and not dt.timedelta() < wanted.length <= most:
        raise Refused(
            f"{span} is no pause of at most {_words(most)} (deadlines.pause_max); name another span.",
            de=f"»{span}« ist keine Pause von höchstens {_words(most)} (pause_max in den Einstellungen); nenne eine "
            "andere Dauer.",
        )
    until = later(now, wanted, app.settings.service.timezone) if wanted else now + most
    rest = rests.current(app, session)
    if rest and rest.holds(now) and until <= rest.end:
        last = rest.days(app.settings.service.timezone)[1]
        raise Refused(f"The zine rests, and {game.name} with it, until the end of {last}.",
                      de=f"Alles ruht, und »{game.name}« mit, bis einschließlich {last:%d.%m.%Y}.")  # fmt: skip
    zat = shifted(app, session, game, game.zat, now, until) if game.zat else None
    game.paused_until = until
    if zat:
        save_zat(session, game, zat)
    _tell_all(app, session, game, "paused", " ".join(why.split()))
    return until


def _words(span: dt.timedelta) -> str:
    return f"{span.days}d" if span.days else f"{int(span.total_seconds() // 3600)}h"


def shifted(
    app: App, session: Session, game: Game, zat: dt.datetime, start: dt.datetime, end: dt.datetime
) -> dt.datetime:
    """Move a ZAT by the time between two instants, back if the second is the earlier one.

    If rounds are counted in days, it moves by whole days in the players' favour, keeps its clock time, and skips days
    that have to be free. Days on which the zine rests aren't counted twice. The ZAT of an issue moves to the next one
    where the round would lack time, and else stays.
    """
    if is_by_issue(app, session, game) and (by_issue := _issue_after_pause(app, session, game, start, end)):
        return by_issue
    zone, span, rest = app.settings.service.timezone, Span.parse(game.span), rests.current(app, session)
    new = over_rest(moved(without_rest(zat, start, rest, span, zone), start, end, span, zone), end, rest, span, zone)
    return new if span.exact is not None else first_free(new, days_without_zat(app, session, game), zone)


def _issue_after_pause(
    app: App, session: Session, game: Game, start: dt.datetime, end: dt.datetime
) -> dt.datetime | None:
    """Choose the issue of a round in which the clock stands still from one instant to another, or goes on sooner."""
    if end < start:
        # When the pause began isn't known: an earlier issue must leave all of the least time from now on.
        least = least_zat(app, session, game, end)
        earlier, kept = issue_for(app, session, game, least, after=end), issues.kept(session, game.id)
        is_earlier = earlier and kept and earlier.number < kept.number
        return zat_by_issue(app, session, game, least, after=end) if is_earlier else game.zat
    least, span = least_zat(app, session, game, opened_at(session, game)), Span.parse(game.span)
    if least > start:
        least = moved(least, start, end, span, app.settings.service.timezone)
    return zat_by_issue(app, session, game, least, after=end)


def resume(app: App, session: Session, game: Game) -> dt.datetime | None:
    """End a pause early: the ZAT moves back by the rest of the pause. Raises Refused."""
    until, now = game.paused_until, app.now()
    if until is None or until <= now:
        raise Refused(f"{game.name} is not paused.", de=f"»{game.name}« macht keine Pause.")
    game.paused_until = now
    if game.zat:
        save_zat(session, game, shifted(app, session, game, game.zat, until, now))
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
        if game.zat is None:
            continue
        zat = first_free(game.zat, days_without_zat(app, session, game), zone)
        if zat != game.zat:
            set_zat(app, session, game, zat, say("AWAY", name=player.name))
            changed.append(game)
    return changed


def hold(app: App, session: Session, game: Game, kind: str, reason: OperatorError) -> None:
    """Let a game stand still until the GM closes its round or sets a new ZAT."""
    game.held = str(reason)
    session.add(game)
    gm_list.tell(app, session, kind, reason, About(game=game), gm_list.clock_offers(game))
