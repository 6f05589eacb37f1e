"""Press and watching: what players have to say to all, and who reads without playing."""

from typing import Final

from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.messages import game_mails
from gm.messages.game_mails import GameMail
from gm.requests import joining
from gm.requests.declared import by_mail
from gm.requests.request import Request, find_game
from gm.runtime.errors import PlayerError, UnknownGame
from gm.runtime.harmful_characters import visible
from gm.store import game_file
from gm.store.queries import game_queries, mail_queries, seat_queries
from gm.store.tables import Game, Player, Press, Seat, Watcher
from parsers import commands
from parsers.lines import arguments
from parsers.lines.command_table import MAX_TEXT

LONGEST_PRESS: Final = 4000
MOST_A_DAY: Final = 3
"""Texts of a player that go to all of a game at once within a day; more are printed in the bulletin (mail.md)."""


@by_mail(commands.Press, "PRESS", takes=arguments.press, longest=MAX_TEXT)
def take_press(request: Request, command: commands.Press) -> None:
    """Keep a text for the next bulletin, from who plays or watches. Raises PlayerError."""
    game, player, _ = _writer(request, command)
    if command.anonymous and not game.anonymous_press:
        raise PlayerError(say("PRESS_SIGNED_ONLY", game=game.name))
    _keep(request, game, player, _text(command, game), anonymous=command.anonymous)
    if command.is_open:
        request.confirm(say("PRESS_OPEN"))


@by_mail(commands.ToAll, "TO_ALL", takes=arguments.text_for(commands.ToAll), longest=MAX_TEXT)
def write_to_all(request: Request, command: commands.ToAll) -> None:
    """Send a player's text to all players of a game: at once with `chat`, else in the next bulletin.

    Who only watches, and who has sent many today, is printed in the bulletin. Raises PlayerError.
    """
    game, player, seat = _writer(request, command)
    text = _text(command, game)
    sent = f"chat:{game.id}:{player.id}:"
    is_at_once = request.app.settings.service.chat and seat is not None
    if not is_at_once or mail_queries.causes_lately(request.session, "chat", sent, request.app.now()) >= MOST_A_DAY:
        _keep(request, game, player, text)
        return
    cause = f"{sent}{request.row.id}:{len(request.parts)}"
    mail = GameMail(template="chat", cause=cause, context={"writer": player.name, "lines": text.split("\n")})
    game_mails.send_to_all(request.app, request.session, game, mail, but=player)
    request.confirm(say("TOLD_ALL", game=game.name))


def _writer(request: Request, command: commands.LongText) -> tuple[Game, Player, Seat | None]:
    """Find the game of a text and who writes it, with the seat of who plays. Raises PlayerError."""
    game = request.note_game(find_game(request, command.game)[0])
    player, seat = request.find_reader(game)
    if game.status not in ("open", "running"):
        raise PlayerError(say("PRESS_TOO_LATE", game=game.name))
    return game, player, seat


def _text(command: commands.LongText, game: Game) -> str:
    """Return the text as it is printed. Raises PlayerError where there is none, or too much."""
    text = visible(command.text.expandtabs(4)).strip("\n")
    if not text.strip():
        raise PlayerError(say("PRESS_EMPTY", game=game.name))
    if len(text) > LONGEST_PRESS:
        raise PlayerError(say("PRESS_TOO_LONG", length=len(text), most=LONGEST_PRESS))
    return text


def _keep(request: Request, game: Game, player: Player, text: str, *, anonymous: bool = False) -> None:
    request.session.add(
        Press(game_id=game.id, player_id=player.id, mail_id=request.row.id, anonymous=anonymous, text=text,
              received_at=request.received)
    )  # fmt: skip
    game_file.touch(request.session, game)
    code = "PRESS_TAKEN_ANONYMOUS" if anonymous else "PRESS_TAKEN"
    request.confirm(say(code, game=game.name, name=player.name))


@by_mail(commands.Watch, "WATCH", takes=arguments.watch(True), sender="anybody", goes_on=True)
@by_mail(commands.Watch, "UNWATCH", takes=arguments.watch(False), sender="anybody", goes_on=True)
def watch(request: Request, command: commands.Watch) -> None:
    """Send the writer a game's bulletins as spectators see them, or stop sending them. Raises PlayerError."""
    if not request.players:
        joining.note_wish(request, "watch", game_to_watch(request.session, command.game))
        return
    player = request.find_writer()
    if not command.on:
        _stop_watching(request, command.game, player)
        return
    game = request.note_game(game_to_watch(request.session, command.game))
    begin_watching(request.app, request.session, game, player)
    request.confirm(say("WATCHING", game=game.name))


def _stop_watching(request: Request, name: str, player: Player) -> None:
    """Remove a player from the spectators, whatever the game's status. Raises UnknownGame."""
    game = game_queries.game_named(request.session, name)
    held = seat_queries.watcher(game, player.id) if game else None
    if game is None:
        raise UnknownGame(say("NOTHING_TO_WATCH", game=name))
    if held is not None:
        request.session.delete(held)
        game_file.touch(request.session, game, Game.watchers)
    request.note_game(game)
    request.confirm(say("NOT_WATCHING", game=game.name))


def game_to_watch(session: Session, name: str) -> Game:
    """Find a game that may be watched: which there are is no secret. Raises PlayerError."""
    game = game_queries.game_named(session, name)
    if game is None or game.status not in ("open", "running"):
        raise UnknownGame(say("NOTHING_TO_WATCH", game=name))
    return game


def begin_watching(app: App, session: Session, game: Game, player: Player) -> None:
    """Put a player among the spectators. Raises PlayerError where they play."""
    if any(seat.player_id == player.id for seat in seat_queries.seats(game)):
        raise PlayerError(say("YOU_PLAY", game=game.name))
    if seat_queries.watcher(game, player.id) is None:
        session.add(Watcher(game_id=game.id, player_id=player.id, at=app.now()))
        game_file.touch(session, game, Game.watchers)
