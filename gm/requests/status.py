"""What players can have shown: positions, bulletins, games, help."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from sqlmodel import Session

from games import AnyEngine, engines
from games.api import SPECTATOR, Viewer, say
from games.api import Seat as SeatNumber
from gm.game import moves_on_file
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import step_of
from gm.game.people import access
from gm.game.people.site_directory import game_page
from gm.game.position import Position, is_released, position
from gm.messages import game_mails
from gm.messages.mail_commands import help_lines
from gm.messages.outgoing import Part, gm_name
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.rules_page import Page, has_rules, rules_page
from gm.messages.sentences import SENTENCES
from gm.requests.declared import by_mail
from gm.requests.request import Request, find_game, running_seat
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.queries import game_queries, seat_queries, turn_queries
from gm.store.tables import Game, Seat, Turn
from parsers import commands
from parsers.lines import arguments

TO_ALL: Final = {False: "TO_ALL_LATER", True: "TO_ALL_AT_ONCE"}
"""How `An alle` goes out: the sentences about it in the help, by `[service] chat`."""
MOST_GAMES: Final = 100
"""The most games that a mail lists."""


@by_mail(commands.Status, "STATUS", takes=arguments.about_game(commands.Status), changes=False)
def show_status(request: Request, command: commands.Status) -> None:
    """Show the writer's position, the own move included. Raises PlayerError."""
    game, seat = running_seat(request, command.game)
    at = position(request.app, game)
    own = moves_on_file.move_on_file(game, at, seat.number)
    show_position(request, "status", game, at, seat, own)
    request.applied = True


def show_position(request: Request, template: str, game: Game, at: Position, seat: Seat, own: Any) -> None:
    """Answer with the position as a seat sees it; `own` is its move on file."""
    context = _position_context(request, game, at, seat, own)
    ahead = moves_on_file.advance_move(game, seat.number)
    blocks = ahead.blocks if ahead else ()
    request.answer(template, game, seat.number, on_file=own is not None, blocks=blocks, **context)


def _position_context(request: Request, game: Game, at: Position, seat: Seat, own: Any) -> dict[str, Any]:
    number = SeatNumber(seat.number)
    return game_mails.position_context(request.app, request.session, game, at.state, number, request.language, own=own)


@by_mail(commands.Help, "HELP", takes=arguments.help_about, changes=False, sender="anybody")
def show_help(request: Request, command: commands.Help) -> None:
    """Explain a game, or how to write to us."""
    engine = _kind_meant(request, command.topic)
    page = rules_page(engine, request.language) if engine else ()
    request.parts.append(_rules(request, engine, page) if engine and page else general_help(request, command.topic))
    request.applied = True


def _kind_meant(request: Request, topic: str) -> AnyEngine | None:
    """Find the kind of game that help is asked about; players may name a single game instead."""
    game = game_queries.game_named(request.session, topic) if topic and request.players else None
    return engines().get(game.engine if game else topic)


def _rules(request: Request, engine: AnyEngine, page: Page) -> Part:
    """Show the rules of a game, with the writer's own position if they sit in a game of that kind."""
    own = _own_position(request, engine.rules.key)
    if own is None:
        return Part(template="rules", context={"title": engine.rules.title, "page": page, "game": ""}, engine=engine)
    return replace(own, template="rules", context={**own.context, "page": page})


def short_help(request: Request) -> Part:
    """Explain in two paragraphs, one in each language, what this is and how to play."""
    return Part(template="stranger", context=_service(request))


def general_help(request: Request, topic: str = "") -> Part:
    """List the commands, with examples from the writer's own game; `topic` is what there is no page about."""
    kinds = sorted(engines().values(), key=lambda engine: engine.rules.title)
    own = _own_position(request) or Part(
        template="help", context={**_service(request), "title": kinds[0].rules.title, "game": "", "block": ()}
    )
    meant = _kind_meant(request, topic)
    more: dict[str, Any] = {
        "titles": [engine.rules.title for engine in kinds],
        "explained": next((e.rules.title for e in (own.engine, *kinds) if e and has_rules(e)), "?"),
        "without_rules": meant.rules.title if meant else "",
        "unknown": "" if meant or not request.players else topic,  # words of a stranger are never repeated
    }
    more["commands"] = help_lines(
        request.language, game=own.context["game"] or "NAME", title=own.context["title"], gm=gm_name(request.app),
        explained=str(more["explained"]), how=SENTENCES[TO_ALL[request.app.settings.service.chat]][request.language],
    )  # fmt: skip
    return replace(own, template="help", context={**own.context, **more})


def _own_position(request: Request, key: str = "") -> Part | None:
    """Show the writer's position in a running game (of a kind), preferably one in which their move is due."""
    found: list[Part] = []
    for game in access.games_of(request.session, request.players):
        if game.status != "running" or key not in ("", game.engine):
            continue
        with suppress(OperatorError):  # whose rules can't be had here
            at = position(request.app, game)
            if is_released(at.turn):
                seat = access.any_seat(request.session, game, request.players)
                own = moves_on_file.move_on_file(game, at, seat.number)
                found.append(request.part("", game, seat.number, **_position_context(request, game, at, seat, own)))
    return next((part for part in found if part.context["is_due"]), found[0] if found else None)


@by_mail(commands.Games, "GAMES", takes=arguments.alone(commands.Games), changes=False, sender="anybody")
def list_games(request: Request, _command: commands.Games) -> None:
    """List the games that are open or running; of very many the open ones and the newest."""
    rows = []
    found, more = game_queries.newest_games(request.session, ("open", "running"), MOST_GAMES)
    for game in found:
        engine = request.app.engine(game.engine)
        free = engine.rules.seats[1] - len(seat_queries.seats(game)) if game.status == "open" else 0
        frame = game_mails.frame_context(request.app, game, engine, request.language)
        rows.append({**frame, "free": free, "page": game_page(request.app, game)})
    request.parts.append(Part(template="games", context={**_service(request), "games": rows, "more": more}))
    request.applied = True


def _service(request: Request) -> dict[str, Any]:
    service = request.app.settings.service
    return {"gm": gm_name(request.app), "service": service.name}


@by_mail(commands.History, "HISTORY", takes=arguments.history, changes=False)
def show_history(request: Request, command: commands.History) -> None:
    """Send a round's bulletin again, as the reader saw it: the last one, or the one of a round. Raises PlayerError."""
    app, session = request.app, request.session
    game = request.note_game(find_game(request, command.game)[0])
    _, seat = request.find_reader(game)
    viewer: Viewer = SeatNumber(seat.number) if seat else SPECTATOR
    found = _bulletins(session, game, command.number)
    if not found:
        asked = "" if command.number is None else str(command.number)
        raise PlayerError(say("NO_BULLETIN", game=game.name, number=asked))
    for turn in found:
        step = step_of(app, session, game, turn)
        day = write_date(turn.released_at or turn.at, app.settings.service.timezone, request.language, "date")
        request.confirm(say("BULLETIN_AGAIN", game=game.name, day=day))
        request.parts.append(bulletins.part_of(step, viewer, request.language))


def _bulletins(session: Session, game: Game, number: int | None) -> list[Turn]:
    """Find the steps whose bulletins are about this round; None: the last bulletin.

    Number 0 is the start. In a game that begins with a round 0, that round's bulletin comes with it.
    """
    found: dict[int, dict[int, Turn]] = {}
    for turn in turn_queries.turns(session, game):
        if turn.undone_at is None and is_released(turn):
            before = turn_queries.turn_before(session, turn)
            is_end = turn.number == game.turn and game.status in ("provisional", "finished")
            if before is None or turn.kind not in ("act", "rule") or turn.round != before.round or is_end:
                found.setdefault(before.round if before else 0, {})[turn.number] = turn
    if number is not None:
        return list(found.get(number, {}).values())
    return [turn for steps in found.values() for turn in steps.values()][-1:]
