"""A player's settings: language, digest, calendar, vacation, name in the archive; and more time for a move."""

from dataclasses import replace
from datetime import date, datetime

from sqlmodel import Session, select

from games.api import Text, say
from gm.app.context import App
from gm.commands.request import Request, running_seat
from gm.game.announcements import bundles
from gm.game.deadlines import local_day, next_time
from gm.game.schedule import clock_control
from gm.messages import held_mails
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.messages.rendering import calendar_files
from gm.messages.rendering.dates import write_day
from gm.players import lookup
from gm.players.shown_names import forms_of, shown_names
from gm.players.site_directory import game_page
from gm.runtime.errors import OperatorError, PlayerError, Refused
from gm.store.tables import Game, Player, Vacation
from parsers.commands import commands
from parsers.commands.dates import read_time


def set_language(request: Request, command: commands.SetLanguage) -> None:
    """Write to a player in this language from now on."""
    player = request.find_writer()
    player.language = command.to
    request.session.add(player)
    request.confirm(say("LANGUAGE_SET"))


def set_digest(request: Request, command: commands.Digest) -> None:
    """Send a player the digest as often as wanted."""
    player = request.find_writer()
    player.digest = command.how
    request.session.add(player)
    request.confirm(say(f"DIGEST_{command.how.upper()}"))


def set_bundle(request: Request, command: commands.Bundle) -> None:
    """Gather a player's bulletins that ask for nothing in one mail a day, or send each at once."""
    gather_bulletins(request.app, request.session, request.find_writer(), command.at)
    request.confirm(say("BUNDLE_SET", time=command.at) if command.at else say("BUNDLE_OFF"))


def gather_bulletins(app: App, session: Session, player: Player, at: str) -> None:
    """Let a player's mail of the day come at this time, or ("") none; then what is held goes out now."""
    if at:
        held_mails.wait_until(session, player.id, next_time(app, at))
    else:
        bundles.send(app, session, player)
    player.bundle = at
    session.add(player)
    session.flush()


def gather_for(app: App, name: str, time: str) -> tuple[str, str]:
    """Do that for the GM, and tell the player; returns the name and the time. Raises Refused."""
    at = "" if time.strip().lower() in ("off", "aus") else read_time(time)
    if at is None:
        raise Refused(
            f"'{time}' is no time of day; write one like 18:00, or off.",
            de=f"»{time}« ist keine Uhrzeit; schreib eine wie 18:00, oder off.",
        )
    with app.database.write() as session:
        player = lookup.reachable(session, name)
        gather_bulletins(app, session, player, at)
        text = say("BUNDLE_SET", time=at) if at else say("BUNDLE_OFF")
        occasion = Occasion(cause=f"preference:{player.id}:{app.now().isoformat()}", kind="bundle set")
        part = Part(template="notice", context={"text": text, "game": "", "taken": None})
        post(app, session, occasion, recipient(app, session, player), [part])
        return player.name, at


def set_calendar(request: Request, command: commands.Calendar) -> None:
    """Add .ics files with ZATs to a player's mails, or stop adding them."""
    player = request.find_writer()
    player.calendar = command.on
    request.session.add(player)
    write = calendar_files.all_zats
    file = write(request.app, request.session, player, game_page, request.language) if command.on else None
    code = "CALENDAR_OFF" if not command.on else "CALENDAR_ON" if file else "CALENDAR_ON_EMPTY"
    request.confirm(say(code))
    request.parts[-1] = replace(request.parts[-1], attachment=file)


def set_name_form(request: Request, command: commands.ArchiveName) -> None:
    """Set how much of a player's name the archive shows; without a form, answer with what it shows."""
    session, player = request.session, request.find_writer()
    if command.form:
        player.name_form = command.form
        session.add(player)
        session.flush()
    name = shown_names(session, request.app.settings)[player.id].name
    code = "ARCHIVE_NAME_SET" if command.form else "ARCHIVE_NAME"
    request.confirm(say(code, name=name, **forms_of(session, player)))


def ask_for_time(request: Request, command: commands.Extension) -> None:
    """Put a wish for a later ZAT before the GM. Raises PlayerError."""
    app, session = request.app, request.session
    game, seat = running_seat(request, command.game)
    player = session.get_one(Player, seat.player_id)
    when = _until(request, game, command) if command.until else f"+{command.span or '3d'}"
    request.tell_gm("extension", when, game=game, player=player, offers=[("zat", game.name, when)])
    request.confirm(say("EXTENSION_ASKED", game=game.name, gm=gm_name(app)))


def has_time_until(request: Request, game: Game, command: commands.Extension) -> bool:
    """Whether the ZAT of a game is not before the day that a player wishes."""
    day = command.until.to_come(local_day(request.app)) if command.until else None
    return bool(day and game.zat and day <= _local(request, game.zat).date())


def later_anyway(request: Request, game: Game) -> Text:
    """Say that there is time until the ZAT."""
    zat = _local(request, game.zat or request.app.now())
    return say("EXTENSION_NOT_LATER", game=game.name, day=write_day(zat.date(), request.language))


def _local(request: Request, instant: datetime) -> datetime:
    return instant.astimezone(request.app.settings.service.timezone)


def _until(request: Request, game: Game, command: commands.Extension) -> str:
    """Write a wished ZAT as `gm zat` takes it, at the time of the present one. Raises PlayerError."""
    zat = _local(request, game.zat or request.app.now())
    day = command.until.to_come(local_day(request.app)) if command.until else None
    if day is None or has_time_until(request, game, command):
        raise PlayerError(later_anyway(request, game))
    return f"{day:%Y-%m-%d} {zat:%H:%M}"


def take_vacation(request: Request, command: commands.Vacation) -> None:
    """Note when a player is away; with `vacation = "extend"` no ZAT falls on those days. Raises PlayerError."""
    app, session, player = request.app, request.session, request.find_writer()
    first, last = days_to_come(request, command)
    _check_allowance(app, session, player, first, last)
    vacation = Vacation(player_id=player.id, first=first, last=last, at=app.now())
    session.add(vacation)
    session.flush()
    extends = app.settings.deadlines.vacation == "extend"
    moved = clock_control.move_for_vacation(app, session, player) if extends else []
    days = {"first": write_day(first, request.language), "last": write_day(last, request.language)}
    code = "VACATION_MOVED" if moved else "VACATION_KEPT_FREE" if extends else "VACATION_NOTED"
    request.confirm(say(code, gm=gm_name(app), games=", ".join(game.name for game in moved), **days))
    told = OperatorError(f"{first:%Y-%m-%d} - {last:%Y-%m-%d}", de=f"{first:%d.%m.%Y} bis {last:%d.%m.%Y}")
    request.tell_gm("vacation", told, player=player)


def days_to_come(request: Request, command: commands.Vacation) -> tuple[date, date]:
    """Return the days that are meant today. Raises PlayerError for those that are over or can't be."""
    today = local_day(request.app)
    days = command.days.on(today)
    if days is None or days[1] < today:
        raise PlayerError(say("VACATION_PAST"))
    return days


def _check_allowance(app: App, session: Session, player: Player, first: date, last: date) -> None:
    """Where vacations move ZATs, check the days a year; a vacation counts for the year in which it begins."""
    rules = app.settings.deadlines
    if rules.vacation != "extend":
        return
    taken = session.exec(select(Vacation).where(Vacation.player_id == player.id)).all()
    used = sum((one.last - one.first).days + 1 for one in taken if one.first.year == first.year)
    asked = (last - first).days + 1
    if used + asked > rules.vacation_days:
        left = max(0, rules.vacation_days - used)
        raise PlayerError(say("VACATION_TOO_LONG", asked=asked, left=left, most=rules.vacation_days))
