"""Mails about a game: what they are made of, and sending one to a player or to all."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import EVERYONE, KEY, Engine, Event, Language, Sheet, Viewer
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.mail_link import mail_link
from gm.messages.rendering.own_view import to_move
from gm.messages.rendering.wording import phrase
from gm.messages.sentences import SENTENCES
from gm.store.queries import holder_queries, player_queries, seat_queries, sheet_queries
from gm.store.tables import Game, Player


@dataclass(frozen=True, kw_only=True)
class GameMail:
    """A mail about a game, before it is known who gets it and in which language."""

    template: str
    cause: str
    context: Mapping[str, Any]
    """What it says beside `frame_context`."""
    kind: str = ""
    """By default the template's name."""
    opens_round: int | None = None
    greet: bool = True


def send_to_all(
    app: App, session: Session, game: Game, mail: GameMail, *, but: Player | None = None, also: Iterable[Player] = ()
) -> None:
    """Queue a mail to every player of a game `but` one, and `also` to others."""
    for player, seat in [*seated(session, game), *((spectator, None) for spectator in also)]:
        if not (but and player.id == but.id):
            send(app, session, game, mail, player, seat)


def send(app: App, session: Session, game: Game, mail: GameMail, player: Player, seat: int | None = None) -> None:
    """Queue a mail about a game to one player; `seat` is the player's own."""
    to = recipient(app, session, player, game)
    part = part_of(app, session, game, mail, to.language, seat)
    occasion = Occasion(cause=mail.cause, kind=mail.kind or mail.template, game=game, opens_round=mail.opens_round)
    post(app, session, occasion, to, [part], greet=mail.greet)


def part_of(
    app: App, session: Session, game: Game, mail: GameMail, language: Language, seat: int | None = None
) -> Part:
    """Make what a mail says about a game, for a seat in it."""
    engine = app.engine(game.engine)
    return Part(
        template=mail.template, context={**frame_context(app, game, engine, language), **mail.context}, engine=engine,
        names=holder_queries.names_by_seat(session, game), own=SeatNumber(seat) if seat else None,
    )  # fmt: skip


def seat_context(app: App, session: Session, game: Game, player: Player, sheet: Sheet[Any]) -> dict[str, Any]:
    """Return what the confirmation of a seat says: whose it is, how the sign-up was read, what is still wanted."""
    engine = app.engine(game.engine)
    address = player_queries.address_of(session, player.id)
    name = player.name if len(player_queries.players_at(session, address)) > 1 else ""
    return {
        "name": name, "summary": sheet.summary, "wanted": sheet.wanted,
        "taken": len(seat_queries.seats(game)), "of": engine.rules.seats[1],
        "block": copy_block(f"{engine.rules.title} {game.name}", (), name) if sheet.wanted else [],
    }  # fmt: skip


def seated(session: Session, game: Game) -> list[tuple[Player, int]]:
    """List the players in their seats."""
    found = [(session.get(Player, seat.player_id), seat.number) for seat in seat_queries.seats(game)]
    return [(player, number) for player, number in found if player is not None]


def frame_context(app: App, game: Game, engine: AnyEngine, language: Language) -> dict[str, Any]:
    """Return what every mail about a game may say: its names, its clock, whom to write to."""
    zone = app.settings.service.timezone

    def when(instant: datetime | None, pattern: str = "long") -> str:
        return write_date(instant, zone, language, pattern) if instant else ""

    now = app.now()
    zat = game.zat_in_force if game.zat and game.zat > now else None  # a mail names none that isn't in force
    return {
        "game": game.name,
        "title": engine.rules.title,
        "round": round_named(engine, game.round, language),
        "round_number": game.round,
        "unit": engine.rules.unit,
        "counted": SENTENCES[f"UNIT_{engine.rules.unit.upper()}"][language],
        "rounds": engine.rules.rounds,
        "zat": when(zat),
        "zat_short": when(zat, "short"),
        "stands_still": bool(game.held),
        "now": when(now),
        "today": when(now, "date"),
        "when": when,
        "gm": gm_name(app),
        "address": app.settings.service.address,
        "service": app.settings.service.name,
        "early": "" if game.held or game.reopened else early_hint(app, language),
        "some_at_once": type(engine).act is not Engine.act,
    }


def round_named(engine: AnyEngine, number: int, language: Language) -> int | str:
    """Return the number of a round, with what it is for where the game says so of that one: `0 (Geheimwort)`."""
    named = engine.wording.get(f"ROUND_{number}")
    return named[language] if named else number


def early_hint(app: App, language: Language) -> str:
    """Write how long after the last move a round may close: "" if it never closes early, "0" for at once."""
    rules = app.settings.deadlines
    if not rules.close_early:
        return ""
    minutes = int(rules.settle.total_seconds() // 60)
    if not minutes:
        return "0"
    number, unit = (minutes // 60, "hour") if minutes % 60 == 0 else (minutes, "minute")
    return phrase(language, f"span.{unit}" if number == 1 else f"span.{unit}s", number=number)


def seed_checksum(seed: str) -> str:
    """Return the SHA-256 that is published before a game, so that its seed can be checked after it."""
    return hashlib.sha256(seed.encode()).hexdigest()


def copy_block(title_line: str, lines: Iterable[str], name: str = "") -> list[str]:
    """Put the title line above a block's lines, and the player's name where it must say whose the move is."""
    return [title_line, *([f"Name: {name}"] if name else []), *lines]


def _title_line(engine: AnyEngine, game: Game, state: Any, lines: Iterable[str], language: Language) -> str:
    """Write the title line of a block: with the round, unless a line of the block names the position."""
    if any(line.startswith("Stand:") for line in lines):
        return f"{engine.rules.title} {game.name}"
    word = SENTENCES["UNIT_ROUND"][language].capitalize()
    return f"{engine.rules.title} {game.name}, {word} {engine.round(state)}"


def in_language(engine: AnyEngine, lines: Iterable[str], language: Language) -> tuple[str, ...]:
    """Begin the lines of an engine's block with the words of a language, where the game has some: `New: D`."""
    keys = [said for code, said in engine.wording.items() if code.startswith(KEY)]
    return tuple(
        next((said[language] + line.removeprefix(said["de"]) for said in keys if line.startswith(said["de"])), line)
        for line in lines
    )


def _name_to_write(session: Session, game: Game, viewer: Viewer) -> str:
    """Return the name that a seat's moves need if another player of the game writes from the same address; else ""."""
    sharing = player_queries.sharing_an_address(session, game)
    if not sharing:
        return ""
    return next((player.name for player, seat in seated(session, game) if seat == viewer and player.id in sharing), "")


def offered_block(
    session: Session, game: Game, engine: AnyEngine, state: Any, seat: SeatNumber, lines: tuple[str, ...],
    language: Language,
) -> list[str]:  # fmt: skip
    """Complete a corrected block, so that it can be sent as it is. It names the position if the copy block does."""
    if not lines:
        return []
    stand = [line for line in engine.view(state, seat).block[:1] if line.startswith("Stand:")]
    told = in_language(engine, [*stand, *lines], language)
    name = _name_to_write(session, game, seat)
    return copy_block(_title_line(engine, game, state, told, language), told, name)


def mailto(address: str, game: str, lines: Iterable[str]) -> str:
    """Make the link that opens a mail with the block in it."""
    return mail_link(address, f"[{game}]", [*lines, ""])


def withdraw_link(app: App, session: Session, game: Game, seat: SeatNumber, language: Language) -> str:
    """Make the link to a mail that takes a seat's move back."""
    name = _name_to_write(session, game, seat)
    lines = [*([f"Name: {name}"] if name else []), phrase(language, "frame.withdraw", game=game.name)]
    return mailto(app.settings.service.address, game.name, lines)


def events_for(events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    """Keep what this viewer may know."""
    return tuple(event for event in events if event.readers == EVERYONE or viewer in event.readers)


def position_context(
    app: App, session: Session, game: Game, state: Any, viewer: Viewer, language: Language, own: Any = None
) -> dict[str, Any]:
    """Return what a mail shows of a position: who is on turn, and the block that a seat answers with.

    Where there is a block, what its seat looks at to move is `needed`, and the `view` is the rest. `own` is the move
    that the seat has on file.
    """
    engine = app.engine(game.engine)
    view, due = engine.view(state, viewer, own), engine.due(state)
    needed, rest = to_move(view, SeatNumber(int(viewer))) if view.block else ((), view)
    block = _block(engine, game, state, view.block, language, _name_to_write(session, game, viewer))
    return {
        "needed": needed,
        "view": rest,
        "due": sorted(due),
        "is_due": viewer in due,
        "others": _others_due(game, engine, state, viewer),
        "block": block,
        "mailto": mailto(app.settings.service.address, game.name, block),
    }


def write_link(app: App, game: Game, state: Any, seat: SeatNumber, language: Language, name: str = "") -> str:
    """Make the link to a mail with a seat's block in it, and the `name` where the block needs one; empty without it."""
    engine = app.engine(game.engine)
    block = _block(engine, game, state, engine.view(state, seat).block, language, name)
    return mailto(app.settings.service.address, game.name, block) if block else ""


def _block(
    engine: AnyEngine, game: Game, state: Any, lines: tuple[str, ...], language: Language, name: str
) -> list[str]:
    """Put the title above the block of a view."""
    told = in_language(engine, lines, language)
    return copy_block(_title_line(engine, game, state, told, language), told, name) if told else []


def _others_due(game: Game, engine: AnyEngine, state: Any, viewer: Viewer) -> list[SeatNumber]:
    """List who is on turn beside the viewer; where the viewer is as well, without all in a round, and who has moved."""
    due = engine.due(state)
    if viewer not in due:
        return sorted(due)
    if engine.rules.unit == "round" or engine.round(state) != game.round:
        return []
    return sorted(due - {viewer} - sheet_queries.sheets_on_file(game).keys())
