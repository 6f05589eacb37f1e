"""What the GM asks for on the command line: one function a command. They queue mails, they never send."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session

from games.api import MoveBlock, Rules, Text
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.commands import leaving
from gm.commands.desk import rulings
from gm.game import closing_time, gm_visibility, moves_on_file, seats, steps, word_judge
from gm.game.missing_moves import Missing, missing
from gm.game.position import Position, position
from gm.game.schedule import clock_control, closing
from gm.messages import game_mails, gm_list
from gm.messages.game_mails import GameMail
from gm.messages.rendering.sentences import SENTENCES
from gm.messages.rendering.wording import Speaker
from gm.players import lookup
from gm.players.name_rules import check_name, find_engine
from gm.runtime.config.settings import Span
from gm.runtime.config.values import LONGEST_ROUND
from gm.runtime.errors import PlayerError, Refused
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game, Player, Turn
from parsers.commands.commands import Orders
from parsers.commands.eriwan import clean_line
from parsers.commands.grammar import read_commands
from parsers.mime.message import Mail

MOST_NAMED: Final = 30
"""Games in a list of those that there are."""
PRESS: Final = {"press=signed": False, "press=anonymous": True}
"""An option of every game: whether press may go unsigned."""


def named(session: Session, name: str) -> Game:
    """Find a game. Raises Refused with the names there are."""
    game = game_queries.game_named(session, name)
    if game is None:
        found, are_more = game_queries.newest_games(session, game_queries.SHOWN, MOST_NAMED)
        names = ", ".join(game.name for game in found) or "none yet; `gm new` opens one"
        raise Refused(f"There is no game '{name}'. There are: {names}{', and others' if are_more else ''}.")
    return game


def new_game(
    app: App, kind: str, name: str, *, options: Sequence[str] = (), zat: str | None = None, language: str | None = None,
    autostart: bool = False,
) -> Game:  # fmt: skip
    """Open a game for sign-up. Raises Refused."""
    engine = find_engine(kind)
    check_name(name)
    wanted = zat or engine.rules.span
    span = Span.parse(wanted) if wanted else app.settings.deadlines.zat
    if not timedelta() < span.length <= LONGEST_ROUND:
        raise Refused(
            f"'{zat}' can't be the span of a round; name one like 90m, 12h or 3d, at most {LONGEST_ROUND.days}d."
        )
    if language not in (None, "de", "en"):
        raise Refused(f"'{language}' is no language here; write de or en.")
    with app.database.write() as session:
        if game_queries.game_named(session, name):
            raise Refused(f"There is or was a game {name}; names are never used twice.")
        game = Game(
            name=name, name_key=game_queries.key_of(name), engine=engine.rules.key,
            options=_options(engine.rules, [item for item in options if item not in PRESS]),
            anonymous_press=any(PRESS.get(item) for item in options),
            language=language or app.settings.service.language, autostart=autostart, seed=steps.new_seed(),
            span=str(span), created_at=app.now(),
        )  # fmt: skip
        session.add(game)
    return game


def _options(rules: Rules, given: Sequence[str]) -> dict[str, Any]:
    options = dict(rules.options)
    for item in given:
        key, sign, value = item.partition("=")
        if not sign or key not in options:
            known = ", ".join([*options, "press=anonymous"])
            raise Refused(f"'{item}' is no option of {rules.title}; write key=value. Options: {known}.")
        options[key] = _typed(key, value, options[key])
    return options


def _typed(key: str, value: str, default: Any) -> Any:
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise Refused(f"{key}={value}: write true or false.")
        return value == "true"
    if isinstance(default, int):
        if not value.isascii() or not value.isdigit():
            raise Refused(f"{key}={value}: write a whole number.")
        return int(value)
    return value


def join(app: App, name: str, player_name: str, address: str, wish: str | None) -> list[str]:
    """Seat a player by hand; returns what is still wanted, in English. Raises Refused."""
    with app.database.write() as session:
        game = named(session, name)
        player = lookup.find_or_register(app, session, player_name, address)
        block = MoveBlock(lines=(f"Neu: {wish}",)) if wish else None
        try:
            wanted = seats.sign_up(app, session, game, player, block)
        except PlayerError as error:
            raise Refused(in_english(app, game, error.text)) from error
        steps.start_if_complete(app, session, game)
        return [in_english(app, game, text) for text in wanted]


def in_english(app: App, game: Game | None, text: Text) -> str:
    """Word a text for the GM's terminal."""
    wording = {**SENTENCES, **(app.engine(game.engine).wording if game else {})}
    return Speaker(language="en", wording=wording, names={}).say(text)


def start(app: App, name: str) -> Game:
    """Start a game. Raises Refused with what is missing."""
    with app.database.write() as session:
        game = named(session, name)
        steps.start(app, session, game)
    return game


@dataclass(frozen=True, kw_only=True)
class Entered:
    """What became of a move that the GM typed in."""

    taken: bool
    sentences: tuple[str, ...]


def enter_move(app: App, name: str, player_name: str, text: str) -> Entered:
    """File a move that came by post or telephone, with the checks of a mail. Raises Refused."""
    with app.database.write() as session:
        game = _running_now(session, name)
        seat = seats.seat_of_player(session, game, player_name)
        at = position(app, session, game)
        if seat.number not in at.engine.due(at.state):
            raise Refused(f"{player_name} owes no move in {game.name} now.")
        own = moves_on_file.move_on_file(session, game, at, seat.number)
        block = _block(text, at.engine.rules)
        judge = word_judge.judge(app, session, game)
        sheet = at.engine.read(at.state, SeatNumber(seat.number), block, judge, own)
        texts = [in_english(app, game, one) for one in (*sheet.problems, *sheet.wanted, *sheet.remarks)]
        if sheet.move is None:
            return Entered(taken=False, sentences=tuple(texts or ["Nothing was entered in the block."]))
        if sheet.doubtful and at.engine.rules.unit != "round":
            words = " ".join(sheet.doubtful)
            raise Refused(f"The list doesn't know {words}; rule first: gm rule {game.name} accept|reject {words}")
        moved = steps.MoveAtOnce(seat=SeatNumber(seat.number), move=sheet.move, judge=judge)
        if steps.act(app, session, game, at, moved):
            return Entered(taken=True, sentences=tuple(texts))
        received = moves_on_file.Received(block=block, at=_counts_as_received(app, session, game, at))
        moves_on_file.file_sheet(session, game, at, seat, sheet, received)
        return Entered(taken=True, sentences=tuple(texts))


def _counts_as_received(app: App, session: Session, game: Game, at: Position) -> datetime:
    """Date a move that the GM enters so that it counts: while a round is open, that is for the GM to decide."""
    closes = closing_time.closing_instant(app, session, game, at)
    return min(app.now(), closes) if closes else app.now()


def _block(text: str, rules: Rules) -> MoveBlock:
    """Read a block as in a mail; without a title line, all lines are the block."""
    said = [one.command for one in read_commands(Mail(texts=(text,)), [rules]).commands]
    blocks = [command.block for command in said if isinstance(command, Orders)]
    return blocks[0] if blocks else MoveBlock(lines=tuple(filter(None, map(clean_line, text.splitlines()))))


def withdraw_move(app: App, name: str, player_name: str) -> None:
    """Take a player's move of this round back. Raises Refused."""
    with app.database.write() as session:
        game = _running_now(session, name)
        seat = seats.seat_of_player(session, game, player_name)
        if not moves_on_file.withdraw(session, game, seat, app.now()):
            raise Refused(f"There is no move by {player_name} on file for round {game.round} of {game.name}.")


def running(session: Session, name: str) -> Game:
    """Find a game that is being played. Raises Refused."""
    game = named(session, name)
    if game.status != "running":
        raise Refused(f"{game.name} is {game.status}; this needs a running game.")
    return game


def _running_now(session: Session, name: str) -> Game:
    """Find the same for a command of today: a restored copy relives its past first. Raises Refused."""
    if game_queries.meta(session, game_queries.COPIED):
        raise Refused("The database is a copy that was put back; let it catch up first: gm serve --once")
    return running(session, name)


def check_running(app: App, name: str) -> None:
    """Make sure that there is a round to close. Raises Refused."""
    with app.database.read() as session:
        _running_now(session, name)


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What closing a round now would come upon."""

    game: Game
    counted: str
    """The round as players count it: `round 3`, `turn 12`."""
    missing: Sequence[Missing]


def look_at_round(app: App, name: str, instant: datetime) -> Outlook:
    """Say whose move is missing at an instant in the round that is open. Raises Refused where it can't be closed."""
    with app.database.read() as session:
        game = _running_now(session, name)
        closing.check_closable(session, game)
        unit = app.engine(game.engine).rules.unit
        return Outlook(game=game, counted=f"{unit} {game.round}", missing=missing(app, session, game, instant))


class _DryRun(Exception):  # noqa: N818  a way out of the transaction, no error
    """Take everything back."""


def close(app: App, name: str, instant: datetime, seen: int | None = None) -> Game:
    """Close the round that was open at `instant`, with what had arrived by then. Raises Refused.

    `seen` is the turn at which the GM has seen the game stand; without it, the one at which it stands now.
    """
    if seen is None:
        with app.database.read() as session:
            seen = named(session, name).turn
    with app.database.write() as session:
        game = _running_now(session, name)
        closing.close(app, session, game, instant, seen)
    return game


def rehearse_close(app: App, name: str) -> Sequence[tuple[str, str, bytes]]:
    """Say what closing now would send (recipient, subject, mail), and change nothing. Raises Refused."""
    try:
        with app.database.write() as session:
            game = _running_now(session, name)
            gm_visibility.check_game(app, session, game)
            mails = closing.rehearse(app, session, game)
            raise _DryRun
    except _DryRun:
        return mails


def release(app: App, name: str, foreword: str) -> Game:
    """Send a bulletin that waits for the GM. Raises Refused."""
    with app.database.write() as session:
        game = named(session, name)
        closing.release(app, session, game, foreword)
    return game


def undo(app: App, name: str) -> tuple[Game, Turn]:
    """Take the last closing back; returns the game and the step. Raises Refused."""
    with app.database.write() as session:
        game = named(session, name)
        turn = closing.undo(app, session, game)
    return game, turn


def move_zat(app: App, name: str, when: str) -> datetime:
    """Set the deadline anew and tell the players. Raises Refused."""
    with app.database.write() as session:
        return clock_control.move_zat(app, session, _running_now(session, name), when)


def pause(app: App, name: str, span: str | None) -> Game:
    """Stop the clock. Raises Refused."""
    with app.database.write() as session:
        game = _running_now(session, name)
        clock_control.pause(app, session, game, span)
    return game


def resume(app: App, name: str) -> Game:
    """Let a paused game go on. Raises Refused."""
    with app.database.write() as session:
        game = _running_now(session, name)
        clock_control.resume(app, session, game)
    return game


def standby(app: App, name: str, out: str, incoming: str | None, address: str | None) -> tuple[str, str]:
    """Put a standby into a seat; returns who left and who came. Raises Refused."""
    with app.database.write() as session:
        game = _running_now(session, name)
        leaver = seats.seat_of_player(session, game, out, left_too=True)
        if incoming is None:
            player = seats.first_standby(session, game)
        else:
            player = seats.standby_named(app, session, game, incoming, address or "")
        seats.take_over(app, session, game, leaver, player)
        return session.get_one(Player, leaver.player_id).name, player.name


def play_on_without(app: App, name: str, out: str) -> Game:
    """Let a game go on without a seat. Raises Refused."""
    with app.database.write() as session:
        game = _running_now(session, name)
        leaving.play_on_without(app, session, game, seats.seat_of_player(session, game, out, left_too=True))
    return game


def add_standby(app: App, player_name: str, address: str, kind: str | None) -> None:
    """Put a player on the standby list. Raises Refused."""
    engine = find_engine(kind).rules.key if kind else ""
    with app.database.write() as session:
        seats.set_standby(app, session, lookup.find_or_register(app, session, player_name, address), engine, True)


def remove_standby(app: App, player_name: str) -> None:
    """Take a player off the standby list. Raises Refused."""
    with app.database.write() as session:
        player = game_queries.player_named(session, player_name)
        if player is None or all(held.id != player.id for _, held in game_queries.standby_list(session)):
            raise Refused(f"'{player_name}' is not on the standby list.")
        seats.set_standby(app, session, player, "", False)


def rule(app: App, name: str, words: Sequence[str], accepted: bool, note: str, house: bool) -> list[str]:
    """Rule on words, for a game or the house; returns what came of it. Raises Refused."""
    with app.database.write() as session:
        return rulings.rule(app, session, named(session, name), words, accepted, note=note, house=house)


@dataclass(frozen=True, kw_only=True)
class Ending:
    """What breaking a game off would mean."""

    game: Game
    title: str
    players: Sequence[str]
    spectators: Sequence[str]


def look_at_abort(app: App, name: str) -> Ending:
    """Say what breaking a game off would end, and who would be told. Raises Refused."""
    with app.database.read() as session:
        game = _to_abort(session, name)
        sitting = game_mails.seated(session, game)
        seated = {player.id for player, _ in sitting}
        watching = [player.name for player in turn_queries.watchers(session, game) if player.id not in seated]
        return Ending(
            game=game, title=app.engine(game.engine).rules.title, players=[player.name for player, _ in sitting],
            spectators=watching,
        )  # fmt: skip


def _to_abort(session: Session, name: str) -> Game:
    game = named(session, name)
    if game.status not in ("open", "running"):
        raise Refused(f"{game.name} is {game.status}; there is nothing to abort.")
    return game


def abort(app: App, name: str, why: str) -> Game:
    """End a game without a result and tell the players. Raises Refused."""
    with app.database.write() as session:
        game = _to_abort(session, name)
        gm_list.check_length("reason", why)
        game.status, game.zat = "aborted", None
        session.add(game)
        gm_list.close_all(app, session, game)
        watching = turn_queries.watchers(session, game)
        mail = GameMail(template="aborted", cause=f"abort:{game.id}", context={"why": why})
        game_mails.send_to_all(app, session, game, mail, also=watching)
    return game
