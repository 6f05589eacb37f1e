"""The clock of a running game: moved, stopped and started by the GM, moved on while a player is away."""

import datetime as dt

from sqlmodel import Session

from games.api import Text, say
from gm.app import App
from gm.config import Span
from gm.errors import Refused
from gm.play import closing, questions, turns
from gm.play.zat import later, local_instant, parse_when
from gm.publish import bulletins
from gm.store import queries
from gm.store.tables import Game, Player


def move_zat(app: App, session: Session, game: Game, when: str) -> dt.datetime:
    """Set the deadline anew and tell the players: a held or paused game goes on. Raises Refused."""
    closing.check_closable(session, game)
    zat = parse_when(when, app.now(), game.zat, app.settings.service.timezone)
    game.held, game.paused_until = "", None
    set_zat(app, session, game, zat)
    closing.settle_clock(app, session, game)
    return zat


def set_zat(app: App, session: Session, game: Game, zat: dt.datetime, reason: Text | None = None) -> None:
    """Let the present round end at another time and tell the players, with the reason if there is one."""
    turns.note_zat(session, game, zat)
    cause = f"zat:{game.id}:{game.turn}:{zat.isoformat()}:{app.now().isoformat()}"
    bulletins.tell_all(app, session, game, "zat", cause, {"reason": reason})


def pause(app: App, session: Session, game: Game, span: str | None) -> dt.datetime:
    """Stop the clock for a while, at most `pause_max`; the ZAT moves on by as much. Raises Refused."""
    now, most = app.now(), app.settings.deadlines.pause_max
    if game.paused_until and now < game.paused_until:
        raise Refused(f"{game.name} is paused already; gm resume {game.name} lets it go on.")
    if game.held:
        raise Refused(f"{game.name} stands still anyway: {game.held}. First gm zat {game.name} WHEN.")
    zone = app.settings.service.timezone
    wanted = Span.parse(span) if span else None
    if wanted and not dt.timedelta() < wanted.length <= most:
        raise Refused(f"{span} is no pause of at most {_words(most)} (deadlines.pause_max); name another span.")
    until = later(now, wanted, zone) if wanted else now + most
    game.paused_until = until
    if game.zat:
        turns.note_zat(session, game, later(game.zat, _as_long(game, until - now), zone))
    _tell(app, session, game, "paused")
    return until


def _words(span: dt.timedelta) -> str:
    return f"{span.days}d" if span.days else f"{int(span.total_seconds() // 3600)}h"


def _as_long(game: Game, length: dt.timedelta) -> Span:
    """Give a length as a span: whole days, rounded up, where the game's rounds are counted in days."""
    if Span.parse(game.span).exact is None:
        return Span(-(-length // dt.timedelta(days=1)), "d")
    return Span(max(1, round(length.total_seconds() / 60)), "m")


def resume(app: App, session: Session, game: Game) -> dt.datetime | None:
    """Let a paused game go on before its time: the ZAT comes back by what is left of the pause. Raises Refused."""
    now, zone = app.now(), app.settings.service.timezone
    if game.paused_until is None or game.paused_until <= now:
        raise Refused(f"{game.name} is not paused.")
    rest = game.paused_until - now
    game.paused_until = None
    if game.zat and Span.parse(game.span).exact is None:
        local = game.zat.astimezone(zone)
        turns.note_zat(session, game, local_instant(local.date() - dt.timedelta(days=rest.days), local.time(), zone))
    elif game.zat:
        turns.note_zat(session, game, game.zat - rest)
    _tell(app, session, game, "resumed")
    return game.zat


def _tell(app: App, session: Session, game: Game, template: str) -> None:
    session.add(game)
    session.flush()
    until = game.paused_until
    cause = f"{template}:{game.id}:{app.now().isoformat()}"
    bulletins.tell_all(app, session, game, template, cause, {"until": until})


def make_room(app: App, session: Session, player: Player) -> list[Game]:
    """Move the ZATs that fall on days on which a player is away (`vacation = "extend"`); returns those games."""
    moved = []
    zone = app.settings.service.timezone
    for game in queries.games(session, ("running",)):
        if game.zat is None or all(seat.player_id != player.id for seat in queries.seats(session, game)):
            continue
        free = turns.days_without_zat(app, session, game)
        local = game.zat.astimezone(zone)
        day = local.date()
        while day in free:
            day += dt.timedelta(days=1)
        if day != local.date():
            set_zat(app, session, game, local_instant(day, local.time(), zone), say("AWAY", name=player.name))
            moved.append(game)
    return moved


def hold(app: App, session: Session, game: Game, kind: str, reason: str) -> None:
    """Let a game stand still until the GM closes its round or sets its ZAT anew."""
    game.held = reason
    session.add(game)
    questions.tell_gm(app, session, kind, game=game, text=reason, offers=questions.clock_offers(app, game),
                      cause=f"{kind}:{game.id}:{game.turn}:{game.version}")  # fmt: skip
