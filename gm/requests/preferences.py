"""A player's settings: language, digest, vacation, name in the archive; and more time for a move."""

from datetime import datetime

from sqlmodel import Session

from games.api import Text, say
from gm.app.context import App
from gm.game.announcements import daily_digest
from gm.game.deadlines import END_OF_TIME, parse_when
from gm.game.people.name_changes import name_changes
from gm.game.people.shown_names import forms_of, shown_names
from gm.game.schedule import vacations
from gm.messages import questions
from gm.messages.gm_list import Offer
from gm.messages.outgoing import gm_name
from gm.messages.rendering.dates import write_day
from gm.requests.declared import by_mail
from gm.requests.request import Request, running_seat
from gm.runtime.errors import OperatorError, PlayerError, Refused, on_day
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Game, Player
from parsers import commands
from parsers.lines import arguments


@by_mail(commands.SetLanguage, "LANGUAGE", takes=arguments.language)
def set_language(request: Request, command: commands.SetLanguage) -> None:
    """Write to a player in this language from now on."""
    player = request.find_writer()
    player.language = command.to
    request.session.add(player)
    request.confirm(say("LANGUAGE_SET"))


@by_mail(commands.Digest, "DIGEST", takes=arguments.digest)
@by_mail(commands.Digest, "STOP_DIGEST", takes=arguments.stop_digest)
def set_digest(request: Request, command: commands.Digest) -> None:
    """Send a player the digest as often as wanted. What a daily one had still to tell is told at once."""
    app, session, player = request.app, request.session, request.find_writer()
    at = command.at or f"{app.settings.digest.time:%H:%M}" if command.how == "daily" else ""
    if (player.digest, player.digest_at) != (command.how, at):
        daily_digest.send(app, session, player)
    player.digest, player.digest_at = command.how, at
    session.add(player)
    request.confirm(say(f"DIGEST_{command.how.upper()}", **({"time": at} if at else {})))


@by_mail(commands.ArchiveName, "ARCHIVE_NAME", takes=arguments.archive_name)
def set_name_form(request: Request, command: commands.ArchiveName) -> None:
    """Set how much of a player's name the archive shows; without a form, answer with what it shows."""
    session, player = request.session, request.find_writer()
    if command.form:
        with name_changes(session, request.app.settings):
            player.name_form = command.form
    name = shown_names(session, request.app.settings)[player.id].name
    code = "ARCHIVE_NAME_SET" if command.form else "ARCHIVE_NAME"
    request.confirm(say(code, name=name, **forms_of(player)))


@by_mail(commands.Extension, "EXTENSION", takes=arguments.extension)
def ask_for_time(request: Request, command: commands.Extension) -> None:
    """Put a wish for a later ZAT before the GM. Raises PlayerError."""
    app, session = request.app, request.session
    game, seat = running_seat(request, command.game)
    player = session.get_one(Player, seat.player_id)
    when = wanted_zat(app, game, command)
    if when is None:
        raise PlayerError(later_anyway(request, game))
    try:
        wished = parse_when(when, app.now(), game.zat, app.settings.service.timezone, app.settings.deadlines.time)
    except Refused:  # too far away for any ZAT
        wished = END_OF_TIME
    for earlier in question_queries.questions_about(game, question_queries.EXTENSION):
        if earlier.player_id == player.id:
            questions.close(app, session, earlier, "replaced")
    request.tell_gm("extension", when, game=game, player=player, offers=[("zat", game.name, when)])
    question = request.for_gm[-1].question
    question.payload = {**question.payload, "wished": wished.isoformat()}
    request.confirm(say("EXTENSION_ASKED", game=game.name, gm=gm_name(app)))


def later_anyway(request: Request, game: Game) -> Text:
    """Say that there is time until the ZAT."""
    zat = _local_zat(request.app, game)
    return say("EXTENSION_NOT_LATER", game=game.name, day=write_day(zat.date(), request.language))


def _local_zat(app: App, game: Game) -> datetime:
    return (game.zat or app.now()).astimezone(app.settings.service.timezone)


def wanted_zat(app: App, game: Game, command: commands.Extension) -> str | None:
    """Write a wished ZAT as `gm zat` takes it, a day at the time of the present one; None if that is not before it."""
    zat, day = _local_zat(app, game), command.until
    if day is None:
        return f"+{command.span or '3d'}"
    return None if game.zat_in_force and day <= zat.date() else f"{day:%Y-%m-%d} {zat:%H:%M}"


def zat_lines(app: App, session: Session, command: commands.Extension) -> list[Offer]:
    """Write the line with which the GM gives a running game the time that is wished."""
    game = game_queries.game_named(session, command.game)
    when = wanted_zat(app, game, command) if game and game.status == "running" else None
    return [("zat", game.name, when)] if game and when else []


@by_mail(commands.Vacation, "VACATION", takes=arguments.vacation)
@by_mail(commands.Vacation, "NO_VACATION", takes=arguments.no_vacation)
def take_vacation(request: Request, command: commands.Vacation) -> None:
    """Note when a player is away, or is not after all. Raises PlayerError."""
    app, session, player = request.app, request.session, request.find_writer()
    request.confirm(vacations.carry_out(app, session, player, command, request.language, request.today))
    offers = [] if command.is_off else [("player", "vacation", player.name, "off")]
    request.tell_gm("vacation", _for_gm(command), player=player, offers=offers)


def _for_gm(command: commands.Vacation) -> OperatorError:
    """Write the days for the GM, and whether they are taken back."""
    if not command.days:
        return OperatorError(say("preferences.all_taken_back"))
    first, last = map(on_day, command.days)
    code = "preferences.taken_back" if command.is_off else "preferences.away"
    return OperatorError(say(code, first=first, last=last))
