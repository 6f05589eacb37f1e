"""Signing up by mail: known players at once, unknown addresses after their `Ja`."""

from sqlmodel import Session

from games.api import MoveBlock, Text, say
from gm.app import App
from gm.errors import PlayerError
from gm.play import access, questions, seats
from gm.play.incoming import Incoming
from gm.publish import bulletins
from gm.store import queries
from gm.store.tables import Game, Player, Question, Seat
from parsers import commands


def sign_up(incoming: Incoming, command: commands.Join) -> None:
    """Give a known player a seat in an open game. Raises PlayerError."""
    if not incoming.players:
        _ask(incoming, command)
        return
    game = game_to_join(incoming.app, incoming.session, command.title_key, command.game)
    incoming.about(game)
    player = _writer(incoming, game, command.player_name)
    join(incoming, game, player, command.block)


def _ask(incoming: Incoming, command: commands.Join | commands.Standby) -> None:
    """Ask an unknown address first."""
    app, session = incoming.app, incoming.session
    part = questions.ask_newcomer(app, session, incoming.row, incoming.mail, command, incoming.language)
    incoming.parts.append(part)
    incoming.applied = True


def join(incoming: Incoming, game: Game, player: Player, block: MoveBlock | None) -> None:
    """Seat a player and answer with what comes next."""
    incoming.writer = incoming.writer or player
    wanted = seats.sign_up(incoming.app, incoming.session, game, player, block)
    seat = queries.sat_before(incoming.session, game, player.id)
    assert seat is not None
    started = seats.start_if_complete(incoming.app, incoming.session, game)
    answer(incoming, game, seat, wanted, started)
    incoming.applied = True


def answer(incoming: Incoming, game: Game, seat: Seat, wanted: tuple[Text, ...], started: bool) -> None:
    """Answer with the seat, what is still wanted, and who else is there."""
    engine = incoming.app.engine(game.engine)
    taken = len(queries.seats(incoming.session, game))
    incoming.answer(
        "joined", game, seat.number, wanted=wanted, started=started, taken=taken, of=engine.rules.seats[1],
        block=bulletins.copy_block(engine.rules.title, game.name, ()) if wanted else [],
    )  # fmt: skip


def game_to_join(app: App, session: Session, title_key: str, name: str) -> Game:
    """Find the open game that a sign-up means. Raises PlayerError."""
    if name:
        return access.game_of(session, name)
    rules = app.engine(title_key).rules
    free = [
        game for game in queries.games(session, ("open",))
        if game.engine == title_key and len(queries.seats(session, game)) < rules.seats[1]
    ]  # fmt: skip
    if not free:
        raise PlayerError(say("NO_OPEN_GAME", title=rules.title))
    if len(free) > 1:
        raise PlayerError(say("SEVERAL_OPEN", games=", ".join(game.name for game in free)))
    return free[0]


def _writer(incoming: Incoming, game: Game, who: str) -> Player:
    """Say which player of an address writes, for what is not bound to a seat yet."""
    named = [player for player in incoming.players if who and access.is_called(player, who)]
    if len(named) == 1:
        return named[0]
    if len(incoming.players) == 1:
        return incoming.players[0]
    names = ", ".join(player.name for player in incoming.players)
    raise PlayerError(say("WHO_OF_YOU", game=game.name, names=names))


def set_standby(incoming: Incoming, command: commands.Standby) -> None:
    """Put the writer on the standby list or take them off it."""
    if not incoming.players:
        _ask(incoming, command)
        return
    seats.set_standby(incoming.app, incoming.session, incoming.players[0], command.title_key, command.on)
    incoming.notice(say("STANDBY_ON" if command.on else "STANDBY_OFF"), applied=True)


def take_answer(incoming: Incoming, command: commands.Yes | commands.No) -> None:
    """Act on a `Ja` or `Nein` to a question of ours. Raises PlayerError where none is meant."""
    question = questions.meant(incoming.session, incoming.mail, command.code, incoming.app.now())
    if question is None:
        answer = "Ja" if isinstance(command, commands.Yes) else "Nein"
        raise PlayerError(say("NO_QUESTION", answer=answer))
    question.answered_at, question.answer = incoming.app.now(), "yes" if isinstance(command, commands.Yes) else "no"
    incoming.session.add(question)
    if question.answer == "no":
        incoming.notice(say("DECLINED"), applied=True)
        return
    if question.kind == "standby":
        newcomer = _newcomer(incoming, question)
        seats.set_standby(incoming.app, incoming.session, newcomer, question.payload["title_key"], True)
        incoming.notice(say("STANDBY_ON"), applied=True)
        return
    game = game_to_join(incoming.app, incoming.session, question.payload["title_key"], question.payload["game"])
    block = MoveBlock(lines=tuple(question.payload["lines"]))
    join(incoming, incoming.about(game), _newcomer(incoming, question), block)


def _newcomer(incoming: Incoming, question: Question) -> Player:
    """Register who has said yes, or find the player whom an earlier yes made: two sign-ups are one person."""
    name = question.payload["name"]
    known = [player for player in incoming.players if seats.is_numbered(player.name, name)]
    newcomer = known[0] if known else seats.newcomer(incoming.app, incoming.session, name, question.address)
    if not known:
        newcomer.language = question.payload["language"]
        incoming.session.add(newcomer)
    incoming.players, incoming.writer = [newcomer], newcomer
    return newcomer
