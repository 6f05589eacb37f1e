"""A player's settings: language, digest, calendar, vacation, name in the archive, another address."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.commands.request import Request, running_seat
from gm.game.deadlines import local_day
from gm.game.schedule import clock_control
from gm.messages import questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.rendering import calendar_files
from gm.messages.rendering.dates import write_day
from gm.players.shown_names import forms_of, shown_names
from gm.runtime.errors import PlayerError
from gm.store.queries import player_queries, question_queries
from gm.store.tables import Address, Player, Question, Vacation
from parsers.addresses import is_address
from parsers.commands import commands

NEW_ADDRESS: Final = "address"
"""The kind of both questions about a new address."""
ADDRESS_DAYS: Final = 7
MOST_NEW_ADDRESSES: Final = 3
"""New addresses that a player may name within a day (mail.md, what one mail may cause)."""


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


def set_calendar(request: Request, command: commands.Calendar) -> None:
    """Add .ics files with ZATs to a player's mails, or stop adding them."""
    player = request.find_writer()
    player.calendar = command.on
    request.session.add(player)
    file = calendar_files.all_zats(request.app, request.session, player, request.language) if command.on else None
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
    span = command.span or "3d"
    request.tell_gm("extension", f"+{span}", game=game, player=player, offers=[("zat", game.name, f"+{span}")])
    request.confirm(say("EXTENSION_ASKED", game=game.name, gm=gm_name(app)))


def take_vacation(request: Request, command: commands.Vacation) -> None:
    """Note when a player is away; with `vacation = "extend"` no ZAT falls on those days. Raises PlayerError."""
    app, session, player = request.app, request.session, request.find_writer()
    if command.last < local_day(app):
        raise PlayerError(say("VACATION_PAST"))
    _check_allowance(app, session, player, command)
    vacation = Vacation(player_id=player.id, first=command.first, last=command.last, at=app.now())
    session.add(vacation)
    session.flush()
    extends = app.settings.deadlines.vacation == "extend"
    moved = clock_control.make_room(app, session, player) if extends else []
    days = {"first": write_day(command.first, request.language), "last": write_day(command.last, request.language)}
    code = "VACATION_MOVED" if moved else "VACATION_KEPT_FREE" if extends else "VACATION_NOTED"
    request.confirm(say(code, gm=gm_name(app), games=", ".join(game.name for game in moved), **days))
    text = f"{command.first:%Y-%m-%d} - {command.last:%Y-%m-%d}"
    request.tell_gm("vacation", text, player=player)


def _check_allowance(app: App, session: Session, player: Player, wanted: commands.Vacation) -> None:
    """Where vacations move ZATs, check the days a year; a vacation counts for the year in which it begins."""
    rules = app.settings.deadlines
    if rules.vacation != "extend":
        return
    taken = session.exec(select(Vacation).where(Vacation.player_id == player.id)).all()
    used = sum((one.last - one.first).days + 1 for one in taken if one.first.year == wanted.first.year)
    asked = (wanted.last - wanted.first).days + 1
    if used + asked > rules.vacation_days:
        left = max(0, rules.vacation_days - used)
        raise PlayerError(say("VACATION_TOO_LONG", asked=asked, left=left, most=rules.vacation_days))


# -- another address ---------------------------------------------------------------------------------------------------


def ask_about_address(request: Request, command: commands.NewAddress) -> None:
    """Ask at both addresses: an impostor has only one of them. Raises PlayerError."""
    app, session, player, new = request.app, request.session, request.find_writer(), command.address.lower()
    service = app.settings.service
    if not is_address(new) or new == service.address.lower():
        raise PlayerError(say("NO_ADDRESS", address=command.address))
    old = player_queries.address_of(session, player.id)
    if new == old:
        raise PlayerError(say("ADDRESS_KNOWN", address=new))
    _check_wish(request, player, new)
    settle_open_questions(app, session, player, "replaced")
    payload, until = {"new": new, "old": old, "text": new}, app.now() + timedelta(days=ADDRESS_DAYS)
    context = {"new": new, "days": ADDRESS_DAYS, "service": service.name}
    here = questions.note(
        app, session, NEW_ADDRESS, payload, row=request.row, game=None, player=player, address=old, expires_at=until
    )
    request.parts.append(Part(template="ask_address", context={**context, "at_new": False, "code": here.code}))
    questions.ask_player(
        app, session, NEW_ADDRESS, player, payload, row=request.row, until=until, address=new,
        context={**context, "at_new": True},
    )  # fmt: skip
    request.applied = True


def _check_wish(request: Request, player: Player, new: str) -> None:
    """Limit the questions to strange addresses: one new address a mail, a few a day, each once. Raises PlayerError."""
    since = request.app.now() - timedelta(days=1)
    asked = question_queries.questions_to(request.session, player.id, NEW_ADDRESS)
    wishes = [question for question in asked if question.created_at > since]
    if any(one.mail_id == request.row.id for one in wishes):
        raise PlayerError(say("ADDRESS_ONE", address=new))
    if any(one.payload["new"] == new and one.answered_at is None for one in wishes):
        raise PlayerError(say("ADDRESS_PENDING", address=new))
    is_one_too_many = len({one.payload["new"] for one in wishes} | {new}) > MOST_NEW_ADDRESSES
    if is_one_too_many or not questions.may_ask(request.app, request.session, new):
        raise PlayerError(say("ADDRESS_ENOUGH", number=MOST_NEW_ADDRESSES))


def _open_questions(session: Session, player: Player) -> list[Question]:
    asked = question_queries.questions_to(session, player.id, NEW_ADDRESS)
    return [question for question in asked if question.answered_at is None]


def settle_open_questions(app: App, session: Session, player: Player, answer: str) -> None:
    """Settle what a player was asked about a new address: a late answer must change nothing."""
    for question in _open_questions(session, player):
        questions.settle(app, session, question, answer)


def answer_address(request: Request, question: Question, *, yes: bool) -> None:
    """Act on the answer from one of the two addresses: both must say yes, one no is enough. Raises PlayerError."""
    app, session = request.app, request.session
    player = session.get_one(Player, question.player_id)
    if not yes:
        settle_open_questions(app, session, player, "no")
        request.confirm(say("ADDRESS_STAYS"))
        return
    if request.mail.sender != question.address:
        raise PlayerError(say("ADDRESS_FROM_THERE", address=question.address))
    questions.settle(app, session, question, "yes")
    if _open_questions(session, player):
        request.confirm(say("ADDRESS_HALF"))
        return
    use_address(session, player, question.payload["new"])
    request.players, request.writer = [player], player
    request.confirm(say("ADDRESS_SET", address=question.payload["new"]))


def use_address(session: Session, player: Player, new: str) -> None:
    """Send a player's mails to this address from now on. Moves from the earlier ones still count."""
    rows = session.exec(select(Address).where(Address.player_id == player.id).order_by(col(Address.id))).all()
    first, known = rows[0], next((row for row in rows if row.address == new), None)
    mark = (known.bounced_at, known.bounce) if known else (None, "")
    if known is not None:
        session.delete(known)
        session.flush()
    before = Address(player_id=player.id, address=first.address, bounced_at=first.bounced_at, bounce=first.bounce)
    first.address, (first.bounced_at, first.bounce) = new, mark
    session.add(first)
    session.flush()
    session.add(before)
    session.flush()
