"""What players ask to be shown: positions, bulletins, games, help."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from sqlmodel import Session

from games import AnyEngine, engines
from games.api import SPECTATOR, say
from games.api import Seat as SeatNumber
from gm.commands.request import Incoming, game_meant, running_seat
from gm.game import moves_on_file
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import step_of
from gm.game.position import is_released, position
from gm.messages import game_mails
from gm.messages.outgoing import Part, gm_name
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.rules_page import Page, rules_page
from gm.players import access
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.queries import game_queries, seat_queries, turn_queries
from gm.store.tables import Game, Seat, Turn
from parsers.commands import commands

MOST_GAMES: Final = 100
"""A mail lists no more."""


def status(incoming: Incoming, command: commands.Status) -> None:
    """Show the writer's position, the own move included. Raises PlayerError."""
    game, seat = running_seat(incoming, command.game)
    at = position(incoming.app, incoming.session, game)
    own = moves_on_file.move_on_file(incoming.session, game, at, seat.number)
    context = game_mails.position_context(
        incoming.app, incoming.session, game, at.engine, at.state, SeatNumber(seat.number), own=own,
    )  # fmt: skip
    incoming.answer("status", game, seat.number, on_file=own is not None, **context)
    incoming.applied = True


def explain(incoming: Incoming, command: commands.Help) -> None:
    """Explain a game, or how to write to us."""
    engine = _kind_meant(incoming, command.topic)
    page = rules_page(engine, incoming.language) if engine else ()
    incoming.parts.append(_rules(incoming, engine, page) if engine and page else general_help(incoming, command.topic))
    incoming.applied = True


def _kind_meant(incoming: Incoming, topic: str) -> AnyEngine | None:
    """Find the kind of game that help is asked about; a player may name the game itself."""
    game = game_queries.game_named(incoming.session, topic) if topic and incoming.players else None
    return engines().get(game.engine if game else topic)


def _rules(incoming: Incoming, engine: AnyEngine, page: Page) -> Part:
    """Give the rules of a game, with how the writer moves now where he sits in one of the kind."""
    own = _own_position(incoming, engine.rules.key)
    if own is None:
        return Part(template="rules", context={"title": engine.rules.title, "page": page, "game": ""}, engine=engine)
    return replace(own, template="rules", context={**own.context, "page": page})


def short_help(incoming: Incoming) -> Part:
    """Say in two paragraphs, one in each language, what this is and how one plays: for who asked for nothing."""
    return Part(template="stranger", context=_house(incoming))


def general_help(incoming: Incoming, topic: str = "") -> Part:
    """Name the commands, with examples of a game in which the writer sits; `topic` is what we have no page about."""
    kinds = sorted(engines().values(), key=lambda engine: engine.rules.title)
    own = _own_position(incoming) or Part(
        template="help", context={**_house(incoming), "title": kinds[0].rules.title, "game": "", "block": ()}
    )
    meant = _kind_meant(incoming, topic)
    more = {
        "titles": [engine.rules.title for engine in kinds],
        "explained": next((e.rules.title for e in (own.engine, *kinds) if e and rules_page(e, "de")), "?"),
        "without_rules": meant.rules.title if meant else "",
        "unknown": "" if meant or not incoming.players else topic,  # who forged the sender could have us say anything
    }
    return replace(own, template="help", context={**own.context, **more})


def _own_position(incoming: Incoming, key: str = "") -> Part | None:
    """Show the writer's position in a running game (of a kind), best in one where it is his turn."""
    found: list[Part] = []
    for game in access.games_of(incoming.session, incoming.players):
        if game.status != "running" or key not in ("", game.engine):
            continue
        seat = access.any_seat(incoming.session, game, incoming.players)
        with suppress(OperatorError):  # whose rules can't be had here
            found += _position(incoming, game, seat)
    return next((part for part in found if part.context["is_due"]), found[0] if found else None)


def _position(incoming: Incoming, game: Game, seat: Seat) -> list[Part]:
    app, session = incoming.app, incoming.session
    at = position(app, session, game)
    if not is_released(at.turn):
        return []
    number = SeatNumber(seat.number)
    own = moves_on_file.move_on_file(session, game, at, seat.number)
    context = {
        **game_mails.frame_context(app, game, at.engine, incoming.language),
        **game_mails.position_context(
            app, session, game, at.engine, at.state, number, own=own,
        ),
    }  # fmt: skip
    names = game_mails.names_by_seat(session, game)
    return [Part(template="", context=context, engine=at.engine, names=names, own=number)]


def games(incoming: Incoming, _command: commands.Games) -> None:
    """List the games that are open or running; of very many the open ones and the newest."""
    rows = []
    found, more = game_queries.newest_games(incoming.session, ("open", "running"), MOST_GAMES)
    for game in found:
        engine = incoming.app.engine(game.engine)
        free = engine.rules.seats[1] - len(seat_queries.seats(incoming.session, game)) if game.status == "open" else 0
        rows.append({**game_mails.frame_context(incoming.app, game, engine, incoming.language), "free": free})
    incoming.parts.append(Part(template="games", context={**_house(incoming), "games": rows, "more": more}))
    incoming.applied = True


def _house(incoming: Incoming) -> dict[str, Any]:
    service = incoming.app.settings.service
    return {"gm": gm_name(incoming.app), "service": service.name}


def history(incoming: Incoming, command: commands.History) -> None:
    """Send a round's bulletin again, as its reader saw it: the last one, or that of a number. Raises PlayerError."""
    app, session = incoming.app, incoming.session
    game = incoming.about(game_meant(incoming, command.game)[0])
    number = _seat_number(incoming, game)
    found = _bulletins(session, game, command.number)
    if not found:
        asked = "" if command.number is None else str(command.number)
        raise PlayerError(say("NO_BULLETIN", game=game.name, number=asked))
    for turn in found:
        step = step_of(app, session, game, turn)
        day = write_date(turn.released_at or turn.at, app.settings.service.timezone, incoming.language, "date")
        incoming.notice(say("BULLETIN_AGAIN", game=game.name, day=day), applied=True)
        incoming.parts.append(bulletins.part_of(step, number or SPECTATOR, incoming.language))


def _seat_number(incoming: Incoming, game: Game) -> SeatNumber | None:
    """Give the writer's seat; None for who only watches. Raises PlayerError for anybody else."""
    sits = {seat.player_id for seat in seat_queries.seats(incoming.session, game)}
    watching = [player for player in incoming.players if seat_queries.watcher(incoming.session, game, player.id)]
    if watching and not sits & {player.id for player in incoming.players}:
        incoming.writer = incoming.writer or watching[0]
        return None
    return SeatNumber(incoming.own_seat(game).number)


def _bulletins(session: Session, game: Game, number: int | None) -> list[Turn]:
    """Find the steps whose bulletins have this number: the round that they closed, 0 for the start; None: the last.

    Where a game begins with a round 0, that one's bulletin comes with the start.
    """
    found: dict[int, dict[int, Turn]] = {}
    for turn in turn_queries.turns(session, game):
        if turn.undone_at is None and is_released(turn):
            before = turn_queries.turn_before(session, turn)
            is_end = turn.number == game.turn and game.status in ("provisional", "finished")
            if before is None or turn.kind != "act" or turn.round != before.round or is_end:
                found.setdefault(before.round if before else 0, {})[turn.number] = turn
    if number is not None:
        return list(found.get(number, {}).values())
    return [turn for steps in found.values() for turn in steps.values()][-1:]
