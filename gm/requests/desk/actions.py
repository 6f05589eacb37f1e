"""The GM's commands: one function for each. They queue mails and never send them."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlmodel import Session

from games.api import LANGUAGES, Language, MoveBlock, Rules, Sheet, Text, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import closing_time, gm_visibility, moves_on_file, seats, steps, word_judge
from gm.game.missing_moves import Missing, missing
from gm.game.people import lookup
from gm.game.people.name_rules import find_engine
from gm.game.position import Position, position
from gm.game.schedule import clock_control, closing, giving_back, rehearsal
from gm.game.schedule.rehearsal import Rehearsal
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import recipient
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.requests.desk import leaving, rulings
from gm.requests.desk.new_games import PRESS, check_name, read_options, round_wanted
from gm.runtime.config.settings import Span
from gm.runtime.config.values import LONGEST_ROUND
from gm.runtime.errors import PlayerError, Refused, in_each, sentence
from gm.store.queries import game_queries, player_queries, seat_queries, zine_queries
from gm.store.tables import Game, Player, Seat, Turn
from parsers.clean_lines import clean_line
from parsers.commands import Orders
from parsers.invisible import fold_name
from parsers.lines.names import names_of
from parsers.mime.message import Mail
from parsers.reading import read


def running(session: Session, name: str) -> Game:
    """Find a game that is being played. Raises Refused."""
    game = game_queries.named(session, name)
    if game.status != "running":
        raise Refused(say("actions.not_running", game=game.name, status=game.status))
    return game


def _running_now(session: Session, name: str) -> Game:
    """Find a running game. Raises Refused, also while a restored copy still handles its old mails."""
    check_up_to_date(session)
    return running(session, name)


def check_up_to_date(session: Session) -> None:
    """Check that no restored copy still handles its old mails. Raises Refused."""
    if zine_queries.zine(session).is_behind:
        raise Refused(say("actions.is_behind"))


@contextmanager
def _changing(
    app: App, name: str, find: Callable[[Session, str], Game] = game_queries.named
) -> Iterator[tuple[Session, Game]]:
    """Open a transaction about a game. Raises Refused."""
    with app.database.write() as session:
        yield session, find(session, name)


def new_game(
    app: App, kind: str, name: str, *, options: Sequence[str] = (), zat: str | None = None, language: str | None = None,
    autostart: bool = False,
) -> Game:  # fmt: skip
    """Open a game for sign-up. `zat` is the span of its rounds, or that they end with the issues. Raises Refused."""
    engine, name = find_engine(kind), unicodedata.normalize("NFC", name)
    check_name(name)
    by_issue, wanted = round_wanted(app, zat, engine.rules.span)
    span = Span.parse(wanted) if wanted else app.settings.deadlines.zat
    if not timedelta() < span.length <= LONGEST_ROUND:
        raise Refused(say("actions.no_round", span=str(zat), most=LONGEST_ROUND.days))
    if language not in (None, *LANGUAGES):
        raise Refused(say("actions.no_language", language=str(language), known=", ".join(LANGUAGES)))
    with app.database.write() as session:
        if game_queries.game_named(session, name):
            raise Refused(say("actions.game_name_taken", game=name))
        game = Game(
            name=name, name_key=fold_name(name), engine=engine.rules.key,
            options=read_options(engine.rules, [item for item in options if item not in PRESS]),
            anonymous_press=any(PRESS.get(item) for item in options),
            language=language or app.settings.service.language, autostart=autostart, seed=steps.new_seed(),
            span=str(span), by_issue=by_issue, created_at=app.now(),
        )  # fmt: skip
        session.add(game)
    return game


@dataclass(frozen=True, kw_only=True)
class Joined:
    """Who has got a seat; `wanted` says in English what is still missing."""

    game: str
    player: str
    by_post: bool
    wanted: Sequence[str]


def join(app: App, name: str, player_name: str, address: str | None, wish: str | None) -> Joined:
    """Seat a player by hand, or enter another wish for one who has a seat, and tell the player.

    Without an address it is a player we know; with an empty one somebody who plays by post. Raises Refused.
    """
    with _changing(app, name) as (session, game):
        player = lookup.to_seat(app, session, player_name, address)
        block = MoveBlock(lines=(f"Neu: {wish}",)) if wish else None
        seat = seat_queries.seat_row(game, player.id) if block and game.status == "open" else None
        try:
            if seat and block:
                sheet = seats.change_entry(app, session, game, seat, block)
            else:
                sheet = seats.sign_up(app, session, game, player, block)
        except PlayerError as error:
            text = error.text
            why = in_each(lambda language: worded(app, game, text, language))
            raise Refused(say("actions.no_seat", player=player.name, why=why)) from error
        _confirm_seat(app, session, game, player, sheet, "changed" if seat else "seated")
        wanted = [worded(app, game, text) for text in sheet.wanted]
        by_post = player_queries.is_by_post(session, player)
        return Joined(game=game.name, player=player.name, by_post=by_post, wanted=wanted)


def _confirm_seat(app: App, session: Session, game: Game, player: Player, sheet: Sheet[Any], by_gm: str) -> None:
    """Tell a player what the GM has entered, and start the game if that was the last thing missing."""
    context = game_mails.seat_context(app, session, game, player, sheet)
    cause = f"joined:{game.id}:{player.id}:{app.now().isoformat()}"
    context = {**context, "started": steps.starts_now(app, game), "by_gm": by_gm}
    game_mails.send(app, session, game, GameMail(template="joined", cause=cause, context=context), player)
    steps.start_if_complete(app, session, game)


def worded(app: App, game: Game | None, text: Text, language: Language = "en") -> str:
    """Word a text for the GM."""
    wording = {**SENTENCES, **(app.engine(game.engine).wording if game else {})}
    return Speaker(language=language, wording=wording, names={}).say(text)


def start(app: App, name: str) -> Game:
    """Start a game. Raises Refused with what is missing."""
    with _changing(app, name) as (session, game):
        steps.start(app, session, game)
    return game


def enter_move(app: App, name: str, player_name: str, text: str) -> list[str]:
    """File a move that came by post or telephone, with the checks of a mail; returns what there is to say about it.

    Raises Refused, also with everything that is wrong with the move.
    """
    with _changing(app, name, _running_now) as (session, game):
        seat = seats.seat_of_player(session, game, player_name)
        whose = session.get_one(Player, seat.player_id).name
        number, at = SeatNumber(seat.number), position(app, game)
        if number not in at.engine.due(at.state):
            raise Refused(say("actions.owes_no_move", player=whose, game=game.name))
        own = moves_on_file.move_on_file(game, at, number)
        block = _block(text, at.engine.rules, game)
        judge = word_judge.judge(app, game)
        sheet = at.engine.read(at.state, number, block, judge, own)
        if sheet.move is None:
            faults = in_each(lambda language: _faults(app, game, sheet, language))
            raise Refused(say("actions.move_not_taken", player=whose, faults=faults))
        if sheet.doubtful and at.engine.rules.unit != "round":
            words = " ".join(sheet.doubtful)
            line = f"gm rule {game.name} accept|reject {words}"
            raise Refused(say("actions.words_unknown", words=words, line=line))
        moved = steps.MoveAtOnce(seat=number, move=sheet.move, judge=judge)
        if not steps.act(app, session, game, at, moved):
            received = moves_on_file.Received(block=block, at=_counts_as_received(app, session, game, at))
            moves_on_file.file_sheet(app, session, game, at, seat, sheet, received)
            _confirm(app, session, game, seat, sheet, replaced=own is not None)
    return [worded(app, game, one) for one in _said_of(sheet)]


def _confirm(app: App, session: Session, game: Game, seat: Seat, sheet: Sheet[Any], *, replaced: bool) -> None:
    """Tell a player what is on file now, as if the move had come by mail."""
    player = session.get_one(Player, seat.player_id)
    language = recipient(app, session, player, game).language
    withdraw = game_mails.withdraw_link(app, session, game, SeatNumber(seat.number), language)
    context = {
        "sheet": sheet, "changed": (), "replaced": replaced, "remarks": sheet.remarks, "received": app.now(),
        "withdraw": withdraw,
    }  # fmt: skip
    cause = f"move:{game.id}:{seat.number}:{app.now().isoformat()}"
    mail = GameMail(template="confirmation", cause=cause, context=context)
    game_mails.send(app, session, game, mail, player, seat.number)


def _said_of(sheet: Sheet[Any]) -> Sequence[Text]:
    return (*sheet.problems, *sheet.wanted, *sheet.remarks)


def _faults(app: App, game: Game, sheet: Sheet[Any], language: Language) -> str:
    """List what is wrong with a block that holds no move."""
    said = [worded(app, game, one, language) for one in _said_of(sheet)]
    return "\n".join(f"- {one}" for one in said or [sentence(say("actions.nothing_entered"), language)])


def _counts_as_received(app: App, session: Session, game: Game, at: Position) -> datetime:
    """Date a move that the GM enters so that it counts: while a round is open, that is for the GM to decide."""
    closes = closing_time.closing_instant(app, session, game, at)
    return min(app.now(), closes) if closes else app.now()


def _block(text: str, rules: Rules, game: Game) -> MoveBlock:
    """Read a block as in a mail; without a title line, all lines are the block.

    Raises Refused where it names another game, or another round than the present one.
    """
    said = [one.command for one in read(Mail(texts=(text,)), names_of([rules]), date.min).commands]
    orders = next((command for command in said if isinstance(command, Orders)), None)
    if orders is None:
        return MoveBlock(lines=tuple(filter(None, map(clean_line, text.splitlines()))))
    if orders.game and fold_name(orders.game) != fold_name(game.name):
        raise Refused(say("actions.for_another_game", other=orders.game, game=game.name))
    if orders.round not in (None, game.round):
        raise Refused(say("actions.for_another_round", named=orders.round, round=game.round, game=game.name))
    return orders.block


def who_sits(app: App, name: str, player_name: str, *, left_too: bool = False) -> str:
    """Give the whole name of a player in a running game, of whom less may be written. Raises Refused."""
    with app.database.read() as session:
        seat = seats.seat_of_player(session, _running_now(session, name), player_name, left_too=left_too)
        return session.get_one(Player, seat.player_id).name


def withdraw_move(app: App, name: str, player_name: str) -> None:
    """Take a player's move of this round back. Raises Refused."""
    with _changing(app, name, _running_now) as (session, game):
        seat = seats.seat_of_player(session, game, player_name)
        if not moves_on_file.withdraw(session, game, seat, app.now()):
            whose = session.get_one(Player, seat.player_id).name
            raise Refused(say("actions.no_move_on_file", player=whose, round=game.round, game=game.name))


def check_running(app: App, name: str) -> None:
    """Make sure that there is a round to close. Raises Refused."""
    with app.database.read() as session:
        _running_now(session, name)


@dataclass(frozen=True, kw_only=True)
class ClosePreview:
    """What the GM should know before a round is closed."""

    game: Game
    counted: str
    """The round as players count it: `round 3`, `turn 12`."""
    missing: Sequence[Missing]


def preview_close(app: App, name: str, instant: datetime) -> ClosePreview:
    """List the moves that are missing at an instant in the open round. Raises Refused where it can't be closed."""
    with app.database.read() as session:
        game = _running_now(session, name)
        closing.check_closable(game)
        unit = app.engine(game.engine).rules.unit
        return ClosePreview(game=game, counted=f"{unit} {game.round}", missing=missing(app, session, game, instant))


def close(app: App, name: str, instant: datetime, seen: int | None = None) -> Game:
    """Close the round that was open at `instant`, with what had arrived by then. Raises Refused.

    `seen` is the turn that the GM decided on: if the game has moved on since, nothing is closed.
    """
    with _changing(app, name, _running_now) as (session, game):
        closing.close(app, session, game, instant, game.turn if seen is None else seen)
    return game


def rehearse_close(app: App, name: str) -> Rehearsal:
    """Describe what closing now would bring, and change nothing. Raises Refused."""
    with _changing(app, name, _running_now) as (session, game):
        gm_visibility.check_game(app, session, game)
        rehearsed = rehearsal.rehearse(app, session, game)
        session.expunge_all()
        session.rollback()
    return rehearsed


def release(app: App, name: str, foreword: str) -> Game:
    """Send a bulletin that waits for the GM. Raises Refused."""
    with _changing(app, name) as (session, game):
        closing.release(app, session, game, foreword)
    return game


@dataclass(frozen=True, kw_only=True)
class Undone:
    """What was taken back: a step, or, without one, a takeover."""

    game: Game
    turn: Turn | None = None
    left: str = ""
    """Who came by the takeover, or whose seat the game went on without."""
    back: str = ""
    """Who sits again."""


def undo(app: App, name: str) -> Undone:
    """Take the latest of closing, move, takeover and playing on without a seat back. Raises Refused."""
    with _changing(app, name) as (session, game):
        if row := giving_back.latest_takeover(session, game):
            left, back = giving_back.undo_takeover(app, session, game, row)
            return Undone(game=game, left=left, back=back)
        turn = closing.step_to_undo(session, game)
        if turn.kind == "resign" and game.status == "running":
            left, back = giving_back.undo_resignation(app, session, game, turn)
            return Undone(game=game, turn=turn, left=left, back=back)
        return Undone(game=game, turn=closing.undo(app, session, game))


def move_zat(app: App, name: str, when: str, why: str = "") -> datetime:
    """Set the deadline anew and tell the players, with the reason. Raises Refused."""
    with _changing(app, name, _running_now) as (session, game):
        return clock_control.move_zat(app, session, game, when, why)


def pause(app: App, name: str, span: str | None, why: str = "") -> Game:
    """Stop the clock. Raises Refused."""
    with _changing(app, name, _running_now) as (session, game):
        clock_control.pause(app, session, game, clock_control.pause_from_now(app, span, why))
    return game


def resume(app: App, name: str) -> Game:
    """Let a paused game go on. Raises Refused."""
    with _changing(app, name, _running_now) as (session, game):
        clock_control.resume(app, session, game)
    return game


def standby(app: App, name: str, out: str, new: str | None, address: str | None) -> tuple[str, str, bool]:
    """Put a standby into a seat, or give it back to who has left it; returns who left, who came, and if it is back.

    Raises Refused.
    """
    with _changing(app, name, _running_now) as (session, game):
        if left := giving_back.meant(session, game, out, new):
            return *giving_back.give_back(app, session, game, left), True
        seat = seats.seat_of_player(session, game, out, left_too=True)
        return *leaving.put_standby(app, session, game, seat, new, address or ""), False


def take_off(app: App, name: str, out: str, new: str | None = None) -> str:
    """Take a player off a game that hasn't started; returns the name, "" for another game. Raises Refused."""
    with _changing(app, name) as (session, game):
        if game.status != "open":
            return ""
        seat = seats.seat_of_player(session, game, out)
        if new is not None:
            raise Refused(say("actions.not_started", game=game.name, out=out, new=new))
        return leaving.take_off(app, session, game, seat)


def play_on_without(app: App, name: str, out: str, *, is_sure: bool = True) -> tuple[Game, Sequence[str]]:
    """Let a game go on without a seat; returns who has won if that has ended it.

    Raises Refused; EndsGame where it would end the game, and the GM isn't sure.
    """
    with _changing(app, name, _running_now) as (session, game):
        seat = seats.seat_of_player(session, game, out, left_too=True)
        won = leaving.play_on_without(app, session, game, seat, is_sure=is_sure)
    return game, won


def add_standby(app: App, player_name: str, address: str, kind: str | None) -> None:
    """Put a player on the standby list. Raises Refused."""
    engine = find_engine(kind).rules.key if kind else ""
    with app.database.write() as session:
        seats.set_standby(app, session, lookup.find_or_register(app, session, player_name, address), engine, True)


def remove_standby(app: App, player_name: str) -> str:
    """Take a player off the standby list; returns the whole name. Raises Refused."""
    with app.database.write() as session:
        player = lookup.meant(session, player_name, [held for _, held in player_queries.standby_list(session)])
        if player is None:
            raise Refused(say("actions.no_standby", player=player_name))
        seats.set_standby(app, session, player, "", False)
        return player.name


def rule(app: App, name: str, words: Sequence[str], accepted: bool, note: str, house: bool) -> list[str]:
    """Rule on words, for a game or the house; returns what came of it. Raises Refused."""
    with _changing(app, name) as (session, game):
        unplayed = [] if house else rulings.never_played(app, session, game, words)
        return [*unplayed, *rulings.rule(app, session, game, words, accepted, note=note, house=house)]


@dataclass(frozen=True, kw_only=True)
class AbortPreview:
    """What breaking a game off would end, and who would be told."""

    game: Game
    title: str
    players: Sequence[str]
    spectators: Sequence[str]


def preview_abort(app: App, name: str) -> AbortPreview:
    """Describe what breaking a game off would end, and who would be told. Raises Refused."""
    with app.database.read() as session:
        game = _to_abort(session, name)
        sitting = game_mails.seated(session, game)
        seated = {player.id for player, _ in sitting}
        watching = [player.name for player in seat_queries.watchers(game) if player.id not in seated]
        return AbortPreview(
            game=game, title=app.engine(game.engine).rules.title, players=[player.name for player, _ in sitting],
            spectators=watching,
        )  # fmt: skip


def _to_abort(session: Session, name: str) -> Game:
    game = game_queries.named(session, name)
    if game.status not in ("open", "running"):
        raise Refused(say("actions.nothing_to_abort", game=game.name, status=game.status))
    return game


def abort(app: App, name: str, why: str) -> Game:
    """End a game without a result and tell the players. Raises Refused."""
    with _changing(app, name, _to_abort) as (session, game):
        gm_list.check_length("reason", why)
        game.status, game.zat = "aborted", None
        session.add(game)
        gm_list.close_all(app, session, game)
        questions.close_readings(session, game, None, app.now(), "aborted")
        watching = seat_queries.watchers(game)
        mail = GameMail(template="aborted", cause=f"abort:{game.id}", context={"why": why})
        game_mails.send_to_all(app, session, game, mail, also=watching)
    return game
