"""The clock of a running game: the GM moves, stops and starts it; a player's vacation moves it on."""

import datetime as dt

from sqlmodel import Session

from games.api import Text, say
from gm.app.context import App
from gm.game import closing_time
from gm.game.deadlines import days_without_zat, first_free, later, parse_when, save_zat
from gm.game.position import position
from gm.game.schedule import closing
from gm.messages import game_mails, gm_list
from gm.messages.game_mails import GameMail
from gm.messages.questions import About
from gm.players.site_directory import game_page
from gm.runtime.config.settings import Span
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, Player


def move_zat(app: App, session: Session, game: Game, when: str) -> dt.datetime:
    """Set a new deadline and tell the players; a held game goes on. Raises Refused.

    If it is the deadline already, nothing changes and nobody is told.
    """
    closing.check_closable(session, game)
    if closing_time.is_paused(app, game) and not game.held:
        raise Refused(
            f"{paused(app, game)}, and its ZAT has moved on by as much. Wait until then, or end the pause first: gm "
            f"resume {game.name}."
        )
    now = app.now()
    zat = parse_when(when, now, game.zat, app.settings.service.timezone, app.settings.deadlines.time)
    if game.held:
        _keep_open(session, game)
        game.held, game.paused_until = "", now
    elif game.zat and zat in (game.zat, game.zat.replace(second=0, microsecond=0)):
        return game.zat  # told to the minute, and typed so
    set_zat(app, session, game, zat)
    closing.close_clock_questions(app, session, game)
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


def set_zat(app: App, session: Session, game: Game, zat: dt.datetime, reason: Text | None = None) -> None:
    """Let the present round end at another time and tell the players, with the reason if there is one."""
    save_zat(session, game, zat)
    cause = f"zat:{game.id}:{game.turn}:{zat.isoformat()}:{app.now().isoformat()}"
    context = {"reason": reason, "page": game_page(app, game)}
    game_mails.send_to_all(app, session, game, GameMail(template="zat", cause=cause, context=context))


def pause(app: App, session: Session, game: Game, span: str | None) -> dt.datetime:
    """Stop the clock for a while, at most `pause_max`; the ZAT moves on by as much. Raises Refused."""
    now, most = app.now(), app.settings.deadlines.pause_max
    if closing_time.is_paused(app, game):
        raise Refused(f"{game.name} is paused already; gm resume {game.name} lets it go on.")
    if game.held:
        raise Refused(f"{game.name} stands still anyway: {game.held}. First gm zat {game.name} WHEN.")
    instant = closing_time.closing_instant(app, session, game, position(app, session, game))
    if instant and instant <= now:
        raise Refused(
            f"The time of round {game.round} of {game.name} is over, the next look into the mailbox closes it; "
            f"pause the round after it, or first give this one more time: gm zat {game.name} WHEN."
        )
    wanted = Span.parse(span) if span else None
    if wanted and not dt.timedelta() < wanted.length <= most:
        raise Refused(f"{span} is no pause of at most {_words(most)} (deadlines.pause_max); name another span.")
    until = later(now, wanted, app.settings.service.timezone) if wanted else now + most
    game.paused_until = until
    if game.zat:
        save_zat(session, game, _moved(app, session, game, game.zat, now, until))
    _tell_all(app, session, game, "paused")
    return until


def _words(span: dt.timedelta) -> str:
    return f"{span.days}d" if span.days else f"{int(span.total_seconds() // 3600)}h"


def _moved(
    app: App, session: Session, game: Game, zat: dt.datetime, start: dt.datetime, end: dt.datetime
) -> dt.datetime:
    """Move a ZAT by the time between two instants, back if the second is the earlier one.

    If rounds are counted in days, it moves by whole days in the players' favour, keeps its clock time, and skips days
    that have to be free.
    """
    if Span.parse(game.span).exact is not None:
        return zat + (end - start)
    zone = app.settings.service.timezone
    by_the_clock = end.astimezone(zone).replace(tzinfo=None) - start.astimezone(zone).replace(tzinfo=None)
    days = -(-by_the_clock // dt.timedelta(days=1))
    return first_free(later(zat, Span(days, "d"), zone), days_without_zat(app, session, game), zone)


def resume(app: App, session: Session, game: Game) -> dt.datetime | None:
    """End a pause early: the ZAT moves back by the rest of the pause. Raises Refused."""
    until, now = game.paused_until, app.now()
    if until is None or until <= now:
        raise Refused(f"{game.name} is not paused.")
    game.paused_until = now
    if game.zat:
        save_zat(session, game, _moved(app, session, game, game.zat, until, now))
    _tell_all(app, session, game, "resumed")
    return game.zat


def _tell_all(app: App, session: Session, game: Game, template: str) -> None:
    session.add(game)
    session.flush()
    cause = f"{template}:{game.id}:{app.now().isoformat()}"
    mail = GameMail(template=template, cause=cause, context={"until": game.paused_until, "page": game_page(app, game)})
    game_mails.send_to_all(app, session, game, mail)


def move_for_vacation(app: App, session: Session, player: Player) -> list[Game]:
    """Move the ZATs that fall on a player's vacation (`vacation = "extend"`); returns those games."""
    moved = []
    zone = app.settings.service.timezone
    for game in game_queries.games_of_players(session, [player.id], ("running",)):
        if game.zat is None:
            continue
        zat = first_free(game.zat, days_without_zat(app, session, game), zone)
        if zat != game.zat:
            set_zat(app, session, game, zat, say("AWAY", name=player.name))
            moved.append(game)
    return moved


def hold(app: App, session: Session, game: Game, kind: str, reason: str) -> None:
    """Let a game stand still until the GM closes its round or sets a new ZAT."""
    game.held = reason
    session.add(game)
    gm_list.tell(app, session, kind, reason, About(game=game), gm_list.clock_offers(game))
