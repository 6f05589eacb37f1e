"""What players say about themselves: language, digest, calendar, vacation, name in the archive, another address."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.commands.request import Incoming, running_seat
from gm.game.deadlines import local_day
from gm.game.schedule import clock_control
from gm.messages import questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.messages.rendering import calendar_files
from gm.messages.rendering.dates import write_day
from gm.players.shown_names import forms_of, shown_names
from gm.runtime.errors import PlayerError
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Address, Player, Question, Vacation
from parsers.addresses import is_address
from parsers.commands import commands

MOVE: Final = "address"
"""The kind of both questions about a new address."""
ADDRESS_DAYS: Final = 7
NEW_ADDRESSES: Final = 3
"""So many a player may name within a day (mail.md, what one mail may cause)."""


def set_language(incoming: Incoming, command: commands.SetLanguage) -> None:
    """Write to a player in this language from now on."""
    player = incoming.person()
    player.language = command.to
    incoming.session.add(player)
    incoming.notice(say("LANGUAGE_SET"), applied=True)


def set_digest(incoming: Incoming, command: commands.Digest) -> None:
    """Send a player the digest as often as wanted."""
    player = incoming.person()
    player.digest = command.how
    incoming.session.add(player)
    incoming.notice(say(f"DIGEST_{command.how.upper()}"), applied=True)


def set_calendar(incoming: Incoming, command: commands.Calendar) -> None:
    """Send a player ZATs as .ics as well, or no more."""
    player = incoming.person()
    player.calendar = command.on
    incoming.session.add(player)
    file = calendar_files.all_zats(incoming.app, incoming.session, player, incoming.language) if command.on else None
    code = "CALENDAR_OFF" if not command.on else "CALENDAR_ON" if file else "CALENDAR_ON_EMPTY"
    incoming.notice(say(code), applied=True)
    incoming.parts[-1] = replace(incoming.parts[-1], attachment=file)


def set_name_form(incoming: Incoming, command: commands.ArchiveName) -> None:
    """Show as much of a player's name in the archive as wanted; without a form, say what it shows."""
    session, player = incoming.session, incoming.person()
    if command.form:
        player.name_form = command.form
        session.add(player)
        session.flush()
    name = shown_names(session, incoming.app.settings)[player.id].name
    code = "ARCHIVE_NAME_SET" if command.form else "ARCHIVE_NAME"
    incoming.notice(say(code, name=name, **forms_of(session, player)), applied=True)


def ask_for_time(incoming: Incoming, command: commands.Extension) -> None:
    """Put a wish for a later ZAT before the GM. Raises PlayerError."""
    app, session = incoming.app, incoming.session
    game, seat = running_seat(incoming, command.game)
    player = session.get_one(Player, seat.player_id)
    span = command.span or "3d"
    incoming.tell_gm("extension", f"+{span}", game=game, player=player, offers=[("zat", game.name, f"+{span}")])
    incoming.notice(say("EXTENSION_ASKED", game=game.name, gm=gm_name(app)), applied=True)


def take_vacation(incoming: Incoming, command: commands.Vacation) -> None:
    """Note when a player is away; with `vacation = "extend"` no ZAT falls on those days. Raises PlayerError."""
    app, session, player = incoming.app, incoming.session, incoming.person()
    if command.last < local_day(app):
        raise PlayerError(say("VACATION_PAST"))
    _check_allowance(app, session, player, command)
    vacation = Vacation(player_id=player.id, first=command.first, last=command.last, at=app.now())
    session.add(vacation)
    session.flush()
    extends = app.settings.deadlines.vacation == "extend"
    moved = clock_control.move_for_vacation(app, session, player) if extends else []
    days = {"first": write_day(command.first, incoming.language), "last": write_day(command.last, incoming.language)}
    code = "VACATION_MOVED" if moved else "VACATION_KEPT_FREE" if extends else "VACATION_NOTED"
    incoming.notice(say(code, gm=gm_name(app), games=", ".join(game.name for game in moved), **days), applied=True)
    text = f"{command.first:%Y-%m-%d} - {command.last:%Y-%m-%d}"
    incoming.tell_gm("vacation", text, player=player)


def _check_allowance(app: App, session: Session, player: Player, wanted: commands.Vacation) -> None:
    """Where vacations move ZATs, each has so many days a year; the year in which a vacation begins counts."""
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


def ask_about_address(incoming: Incoming, command: commands.NewAddress) -> None:
    """Ask at both addresses: whoever writes in somebody's name has only one of them. Raises PlayerError."""
    app, session, player, new = incoming.app, incoming.session, incoming.person(), command.address.lower()
    service = app.settings.service
    if not is_address(new) or new == service.address.lower():
        raise PlayerError(say("NO_ADDRESS", address=command.address))
    old = game_queries.address_of(session, player.id)
    if new == old:
        raise PlayerError(say("ADDRESS_KNOWN", address=new))
    _check_wish(incoming, player, new)
    for question in _open_moves(session, player):
        questions.close(app, session, question, "replaced")
    payload, until = {"new": new, "old": old, "text": new}, app.now() + timedelta(days=ADDRESS_DAYS)
    context = {"new": new, "days": ADDRESS_DAYS, "service": service.name}
    about = About(mail=incoming.row, player=player)
    here = questions.add(app, session, MOVE, payload, about, address=old, until=until)
    incoming.parts.append(Part(template="ask_address", context={**context, "at_new": False, "code": here.code}))
    there = questions.add(app, session, MOVE, payload, about, address=new, until=until)
    questions.send(app, session, there, {**context, "at_new": True})
    incoming.applied = True


def _check_wish(incoming: Incoming, player: Player, new: str) -> None:
    """Let nobody have others asked through us: one new address a mail, a few a day, each once. Raises PlayerError."""
    since = incoming.app.now() - timedelta(days=1)
    wishes = [one for one in question_queries.questions_to(incoming.session, player.id, MOVE) if one.created_at > since]
    if any(one.mail_id == incoming.row.id for one in wishes):
        raise PlayerError(say("ADDRESS_ONE", address=new))
    if any(one.payload["new"] == new and one.answered_at is None for one in wishes):
        raise PlayerError(say("ADDRESS_PENDING", address=new))
    is_one_too_many = len({one.payload["new"] for one in wishes} | {new}) > NEW_ADDRESSES
    if is_one_too_many or not questions.may_ask(incoming.app, incoming.session, new):
        raise PlayerError(say("ADDRESS_ENOUGH", number=NEW_ADDRESSES))


def _open_moves(session: Session, player: Player) -> list[Question]:
    rows = select(Question).where(
        Question.kind == MOVE, Question.player_id == player.id, col(Question.answered_at).is_(None)
    )
    return list(session.exec(rows.order_by(col(Question.id))))


def answer_address(incoming: Incoming, question: Question, *, yes: bool) -> None:
    """One of the two has answered: it takes a yes from both, and a no from either is the end. Raises PlayerError."""
    app, session = incoming.app, incoming.session
    player = session.get_one(Player, question.player_id)
    if not yes:
        for one in _open_moves(session, player):
            questions.close(app, session, one, "no")
        incoming.notice(say("ADDRESS_STAYS"), applied=True)
        return
    if incoming.mail.sender != question.address:
        raise PlayerError(say("ADDRESS_FROM_THERE", address=question.address))
    questions.close(app, session, question, "yes")
    if _open_moves(session, player):
        incoming.notice(say("ADDRESS_HALF"), applied=True)
        return
    use_address(session, player, question.payload["new"])
    incoming.players, incoming.writer = [player], player
    incoming.notice(say("ADDRESS_SET", address=question.payload["new"]), applied=True)


def use_address(session: Session, player: Player, new: str) -> None:
    """Send mails to this address from now on; the ones before stay known, so that a move from there still counts."""
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
