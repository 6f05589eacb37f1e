"""ZATs as calendar files (RFC 5545): an event for each round, sent again when its ZAT moves, cancelled when it is void.

A game that plays in turns has only one event, which moves to the player's next turn. There a step takes hours, and
nobody wants to tidy up after each. `SEQUENCE` counts seconds since the game was opened, so a later mail always wins.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlmodel import Session

from games import AnyEngine
from games.api import Language, Unit, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.app.recorded_rules import read_state
from gm.messages.rendering.mime import Attachment, message_id
from gm.messages.rendering.own_view import own_view_as_text
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences.table import SENTENCES
from gm.runtime.errors import OperatorError
from gm.store.queries import game_queries, meta_queries, seat_queries, thread_queries, turn_queries
from gm.store.tables import Game, Player, Seat

if TYPE_CHECKING:
    from icalendar import Event

LENGTH: Final = timedelta(minutes=15)
"""Calendars hide or stretch an event without length."""
ALARM: Final = timedelta(days=2)
ASCII: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
"""A game's name has no other letters beyond ASCII (gm.players.name_rules)."""


@dataclass(frozen=True, kw_only=True)
class Zat:
    """The ZAT of a round as a player's calendar shows it."""

    game: Game
    unit: Unit
    round: int
    at: datetime
    stands: bool
    """False: the event is to be cancelled."""
    position: str = ""
    """The own position and what to send, as text."""
    page: str = ""
    """The address of the game's page, if the archive is published."""

    @property
    def key(self) -> str:
        """Tells the events of a zine apart."""
        return f"game{self.game.id}" + (f"-r{self.round}" if self.unit == "round" else "")


def zat_of(
    app: App, session: Session, game: Game, player_id: int, language: Language, page: str = ""
) -> Attachment | None:
    """Return the file for a mail about a game; None for a player who has no seat in it or isn't due."""
    zats = _with_positions(app, session, _zats(app, session, game, player_id), player_id, language)
    zats = [replace(zat, page=page) for zat in zats]
    return _file(app, session, game.name_key.translate(ASCII), zats, language) if zats else None


def all_zats(
    app: App, session: Session, player: Player, page_of: Callable[[App, Game], str], language: Language | None = None
) -> Attachment | None:
    """Return every present ZAT of a player's games in one file; None if there is none."""
    said: Language = "en" if (language or player.language or app.settings.service.language) == "en" else "de"
    zats: list[Zat] = []
    for game in game_queries.games_of_players(session, [player.id], ("running",)):
        with suppress(OperatorError):  # whose rules can't be had here
            found = [zat for zat in _zats(app, session, game, player.id) if zat.stands]
            shown = _with_positions(app, session, found, player.id, said)
            zats += [replace(zat, page=page_of(app, game)) for zat in shown]
    return _file(app, session, "zat", zats, said) if zats else None


def joined(files: Sequence[Attachment]) -> Attachment | None:
    """Put the entries of several files into one, as a mail brings one; None where there is none."""
    from icalendar import Calendar

    if len(files) <= 1:
        return next(iter(files), None)
    first, *others = (Calendar.from_ical(file.content) for file in files)
    for other in others:
        first.subcomponents += other.subcomponents
    return Attachment(name="zat.ics", content=first.to_ical())


def _with_positions(
    app: App, session: Session, zats: Sequence[Zat], player_id: int, language: Language
) -> Sequence[Zat]:
    """Add the position that a player has been shown last, to the entries that stand."""
    return [
        replace(zat, position=_position(app, session, zat.game, player_id, language)) if zat.stands else zat
        for zat in zats
    ]


def _position(app: App, session: Session, game: Game, player_id: int, language: Language) -> str:
    """Write the own position; empty where it is not released, or rules wrote it that can't be had here."""
    engine, turn = app.engine(game.engine), turn_queries.current_turn(session, game)
    if turn.released_at is None:
        return ""
    try:
        state = read_state(engine, game.name, turn)
    except OperatorError:
        return ""
    number = next(seat.number for seat in seat_queries.seats(session, game) if seat.player_id == player_id)
    names = {SeatNumber(seat): name for seat, name in seat_queries.names(session, game).items()}
    own = SeatNumber(number)
    speaker = Speaker(language=language, wording={**SENTENCES, **engine.wording}, names=names, own=own)
    view = engine.view(state, own)
    block = (f"{engine.rules.title} {game.name}", *view.block) if view.block else ()
    return own_view_as_text(replace(view, block=block), speaker, own)


def _zats(app: App, session: Session, game: Game, player_id: int) -> list[Zat]:
    """List the present ZAT of a game and, to be cancelled, later ones that were announced and are void."""
    engine, now = app.engine(game.engine), app.now()
    unit, running = engine.rules.unit, game.status == "running"
    seat = next((seat for seat in seat_queries.seats(session, game) if seat.player_id == player_id), None)
    if seat is None or (running and unit != "round" and not _is_due(session, game, engine, seat)):
        return []
    ahead = game.zat if game.zat and game.zat > now else None
    paused = game.paused_until is not None and game.paused_until > now
    stands = ahead is not None and running and not game.held and not paused
    # Who was never shown a position has nothing in the calendar to be cancelled.
    was_shown = bool(thread_queries.references(session, game, player_id))
    known = turn_queries.future_zats(session, game, now) if was_shown else {}
    if ahead and (stands or was_shown):
        known[game.round] = ahead
    found = [
        Zat(game=game, unit=unit, round=number, at=at, stands=stands and number == game.round)
        for number, at in sorted(known.items())
    ]
    return found if unit == "round" else sorted(found, key=lambda zat: zat.stands)[-1:]


def _is_due(session: Session, game: Game, engine: AnyEngine, seat: Seat) -> bool:
    turn = turn_queries.current_turn(session, game)
    try:
        return SeatNumber(seat.number) in engine.due(read_state(engine, game.name, turn))
    except OperatorError:  # other rules wrote it; `gm zat` reaches such a game's players nevertheless
        return False


def _file(app: App, session: Session, name: str, zats: Sequence[Zat], language: Language) -> Attachment:
    from icalendar import Calendar

    address = app.settings.service.address
    # From the database's secret, so that two zines of one provider, or a zine set up twice, never share an event.
    house = message_id(meta_queries.secret(session), "calendar", "", "uid", address.rpartition("@")[2])[1:-1]
    calendar = Calendar()
    for key, value in (("prodid", "-//postal-gm//gm//EN"), ("version", "2.0"), ("method", "PUBLISH")):
        calendar.add(key, value)
    for zat in zats:
        calendar.add_component(_event(zat, f"{zat.key}.{house}", address, language, app.now().replace(microsecond=0)))
    return Attachment(name=f"{name}.ics", content=calendar.to_ical())


def _event(zat: Zat, uid: str, address: str, language: Language, now: datetime) -> "Event":
    from icalendar import Alarm, Event

    speaker = Speaker(language=language, wording=SENTENCES, names={})
    title = speaker.say(say(f"CALENDAR_{zat.unit.upper()}", game=zat.game.name, round=zat.round))
    begins = zat.at.astimezone(UTC).replace(second=0, microsecond=0)  # to the minute, as mails name it
    event = Event()
    event.add("uid", uid)
    event.add("sequence", int((now - zat.game.created_at).total_seconds()))
    event.add("dtstamp", now)
    event.add("dtstart", begins)
    event.add("dtend", begins + LENGTH)
    event.add("summary", title)
    how = speaker.say(say("CALENDAR_HOW", game=zat.game.name, address=address))
    event.add("description", "\n\n".join(filter(None, (zat.position, how, zat.page))))
    if zat.page:
        event.add("url", zat.page)
    event.add("status", "CONFIRMED" if zat.stands else "CANCELLED")
    event.add("transp", "TRANSPARENT")
    if zat.stands and begins - ALARM > now:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", title)
        alarm.add("trigger", -ALARM)
        event.add_component(alarm)
    return event
