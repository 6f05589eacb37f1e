"""The steps of a game: its start, a closed round, a move at once, a seat given up.

This is the second of the three stations of a closing: `gm.game.schedule.due_rounds` finds the rounds that are due, here
they are resolved, and `gm.game.announcements` tells the players.

A step is one row, written in one transaction with its mails. Two processes that try the same step collide on the row's
uniqueness. A crash before the commit leaves the round open; a crash after it leaves a closed round with its mails
queued.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import SPECTATOR, Language, Resolution, say
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.errors import SetupError
from gm.app.context import App
from gm.app.recorded_rules import made_by
from gm.game import given_up, missing_moves, moves_on_file, word_judge
from gm.game.announcements import bulletins, unreleased
from gm.game.announcements.announced_step import MadeStep
from gm.game.deadlines import zat_of_new_round
from gm.game.moves_on_file import TriedMove
from gm.game.position import Position, is_released, position
from gm.game.replayed_step import look_back, result
from gm.game.upgrades import new_rules
from gm.lexicon.lexicon import Judge
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.rendering.wording import Names, Speaker
from gm.runtime.errors import Refused, in_each, sentence
from gm.store import game_file
from gm.store.json_values import decode, encode, encode_events
from gm.store.queries import duty_queries, question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game, Turn

# -- the start ---------------------------------------------------------------------------------------------------------


def new_seed() -> str:
    """Draw a game's seed from the system's entropy."""
    return secrets.token_hex(16)


def start_if_complete(app: App, session: Session, game: Game) -> bool:
    """Start a game that was opened with --autostart once every seat and wish is there."""
    is_complete = starts_now(app, game)
    if is_complete:
        start(app, session, game)
    return is_complete


def starts_now(app: App, game: Game) -> bool:
    """Return whether a game was opened with --autostart and every seat and wish is there."""
    seats = seat_queries.seats(game)
    is_complete = len(seats) == app.engine(game.engine).rules.seats[1] and all(seat.entry is not None for seat in seats)
    return game.autostart and game.status == "open" and is_complete


def start(app: App, session: Session, game: Game) -> None:
    """Start a game and queue its first bulletins. Raises Refused with what is missing."""
    if game.status != "open":
        raise Refused(say("steps.not_open", game=game.name, status=game.status))
    engine = app.engine(game.engine)
    names = seat_queries.names(game)
    entries = {
        SeatNumber(seat.number): decode(engine.entry_type, seat.entry) if seat.entry is not None else None
        for seat in seat_queries.seats(game)
    }
    try:
        resolution = engine.start(entries, game.options, Dice(game.seed, 0))
    except SetupError as error:
        raise _cannot_start(engine, game, error, names) from error
    given = {
        "entries": {str(seat): encode(engine.entry_type, entry) for seat, entry in entries.items()},
        "options": game.options,
    }
    game.status = "running"
    set_clock(app, session, game, resolution.state)
    turn = write(app, session, game, NewStep(number=0, kind="start", resolution=resolution, given=given))
    go_on(app, session, game, [MadeStep(turn=turn, resolution=resolution)])


def _cannot_start(engine: AnyEngine, game: Game, error: SetupError, names: Mapping[int, str]) -> Refused:
    """Say why in each language, with the players' names. An author may have written a sentence of their own."""
    why = error.why
    if isinstance(why, str):
        return Refused(say("steps.cannot_start_untranslated", game=game.name, why=why))

    def write(language: Language) -> str:
        seats = range(1, engine.rules.seats[1] + 1)
        shown: Names = {
            SeatNumber(seat): names.get(seat) or sentence(say("steps.seat", number=seat), language) for seat in seats
        }
        return Speaker(language=language, wording=engine.wording, names=shown).say(why)

    return Refused(say("steps.cannot_start", game=game.name, why=in_each(write)))


# -- a closed round ----------------------------------------------------------------------------------------------------


def close(app: App, session: Session, game: Game, instant: datetime) -> Turn:
    """Close the present round with what had arrived by `instant`, and queue the bulletins.

    Raises RulesChanged where the GM has to agree to new rules first.
    """
    at = position(app, game)
    new_rules.check(app, game)
    asked, number = at.engine.due(at.state), at.turn.number + 1
    filed = sheet_queries.sheets_on_file(game, instant)
    moves = {
        SeatNumber(seat): decode(at.engine.move_type, sheet.move) for seat, sheet in filed.items() if seat in asked
    }
    judge = word_judge.judge(app, game)
    resolution, noted = given_up.carry_out(
        session, game, at.engine, at.state,
        lambda state: at.engine.resolve(state, moves, Dice(game.seed, number), judge),
    )  # fmt: skip
    given = {"moves": {str(seat): encode(at.engine.move_type, move) for seat, move in moves.items()}, **noted}
    owing = missing_moves.still_owing(session, game, at, filed)
    unclear = missing_moves.unclear(app, session, game, instant) if owing else ()
    questions.close_about(app, session, game, *gm_list.OF_A_ROUND, question_queries.READING, answer="closed")
    game.held, game.reopened, game.paused_until = "", False, None
    step = NewStep(
        number=number, kind="resolve", resolution=resolution, given=given, verdicts=word_judge.record(judge.asked)
    )
    set_clock(app, session, game, resolution.state)
    turn = write(app, session, game, step)
    _note_duties(session, game, turn, {seat: seat not in owing for seat in asked}, {one.seat for one in unclear})
    go_on(app, session, game, [MadeStep(turn=turn, resolution=resolution)])
    return turn


def _note_duties(
    session: Session, game: Game, turn: Turn, kept: Mapping[SeatNumber, bool], unclear: Collection[int] = ()
) -> None:
    """Write down who owed a move and whether it came; of an empty seat nobody owes one.

    `unclear` are the seats whose missing move may be a mail that nobody could read, or that nothing proved.
    """
    players = {seat.number: seat.player_id for seat in seat_queries.seats(game)}
    duties = [(seat, players[seat], came, seat in unclear) for seat, came in kept.items() if seat in players]
    duty_queries.add_duties(session, turn, duties)


# -- a move at once, a seat given up -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MoveAtOnce:
    """A move that takes effect without waiting for the closing."""

    seat: SeatNumber
    move: Any
    judge: Judge
    is_answered: bool = False
    """The player who moved is told by the answer to a mail, and gets no bulletin."""
    foreword: str = ""
    """What the GM has to say about it."""
    was_sent_ahead: bool = False
    """It is the seat's advance move, and not one that replaces it."""


def act(app: App, session: Session, game: Game, at: Position, moved: MoveAtOnce) -> MadeStep | None:
    """Carry out a move that has its effect at once and queue the bulletins; None where it waits for the closing.

    Advance moves whose turn has come by it are played as well.
    """
    made = _act(app, session, game, at, moved)
    if made:
        go_on(app, session, game, [made])
    return made


def _act(app: App, session: Session, game: Game, at: Position, moved: MoveAtOnce) -> MadeStep | None:
    engine, seat, number = at.engine, moved.seat, at.turn.number + 1
    resolution, noted = given_up.carry_out(
        session, game, engine, at.state,
        lambda state: engine.act(state, seat, moved.move, Dice(game.seed, number), moved.judge),
    )  # fmt: skip
    if resolution is None:
        return None
    new_rules.check(app, game)
    questions.close_readings(session, game, seat, app.now(), "moved")
    given = {"seat": seat, "move": encode(engine.move_type, moved.move), **noted}
    verdicts = word_judge.record(moved.judge.asked)
    step = NewStep(number=number, kind="act", resolution=resolution, given=given, verdicts=verdicts)
    if _asks_others_or_ends(at, resolution):
        # A private step doesn't wind the clock up again.
        game.reopened = False
        set_clock(app, session, game, resolution.state)
    turn = write(app, session, game, step)
    turn.foreword = moved.foreword
    if engine.rules.in_turns:
        ended: moves_on_file.Ended = "played" if moved.was_sent_ahead else "replaced"
        moves_on_file.end_advance_move(session, game, seat, app.now(), ended, turn if moved.was_sent_ahead else None)
    if seat not in engine.due(resolution.state) or turn.round != at.turn.round:
        _note_duties(session, game, turn, {seat: True})
    return MadeStep(turn=turn, resolution=resolution, but=seat if moved.is_answered else None)


def resign(app: App, session: Session, game: Game, seat: SeatNumber) -> None:
    """Play on without a seat that nobody will take, by the rules of the game, and tell all. Raises Refused."""
    at = position(app, game)
    if not is_released(at.turn):
        raise Refused(say("steps.bulletin_waits", game=game.name))
    new_rules.check(app, game)
    number = at.turn.number + 1
    others = sorted(turn_queries.abandoned_seats(session, [game.id]).get(game.id, set()) - {seat})
    without = at.engine.give_up(at.state, frozenset(SeatNumber(other) for other in others))
    resolution, noted = given_up.carry_out(
        session, game, at.engine, without,
        lambda state: at.engine.resign(state, seat, Dice(game.seed, number)), but=seat,
    )  # fmt: skip
    given = {"seat": seat, given_up.KEY: others, **noted}
    if _asks_others_or_ends(at, resolution):
        set_clock(app, session, game, resolution.state)
    turn = write(app, session, game, NewStep(number=number, kind="resign", resolution=resolution, given=given))
    moves_on_file.end_advance_move(session, game, seat, app.now(), "withdrawn", turn)
    go_on(app, session, game, [MadeStep(turn=turn, resolution=resolution)])


def _asks_others_or_ends(at: Position, resolution: Resolution[Any]) -> bool:
    """Say whether a step within a round makes others due, or ends the round or the game."""
    engine, state = at.engine, resolution.state
    asks_others = engine.due(state) - engine.due(at.state)
    return bool(asks_others or engine.round(state) != at.turn.round or engine.outcome(state))


# -- advance moves, announced ------------------------------------------------------------------------------------------


def go_on(app: App, session: Session, game: Game, made: Sequence[MadeStep] = ()) -> bool:
    """Play the advance moves whose turn has come, one after another, and tell of all steps in one bulletin.

    `made` is what has just been done. Returns whether there is any step now. All happens in the caller's transaction:
    no crash can part a step from the moves that follow on it.
    """
    steps, tried = [*made], dict[int, TriedMove]()
    while (one := moves_on_file.try_advance_move(app, session, game)) is not None:
        tried[one.seat] = one
        if one.move is not None and one.judge is not None:
            moved = MoveAtOnce(seat=one.seat, move=one.move, judge=one.judge, was_sent_ahead=True)
            step = _act(app, session, game, position(app, game), moved)
            assert step is not None, "in a game played in turns a move has its effect at once"
            steps.append(step)
    if steps:
        _announce(app, session, game, steps, tried)
    else:
        for one in tried.values():
            _tell_failed(app, session, game, one)
    return bool(steps)


def _tell_failed(app: App, session: Session, game: Game, tried: TriedMove) -> None:
    """Tell a seat's player that the advance move can't be played, where no bulletin does."""
    cause = f"advance:{game.id}:{tried.seat}:{app.now().isoformat()}"
    mail = GameMail(template="advance_failed", cause=cause, context={"advance": tried})
    for player, seat in game_mails.seated(session, game):
        if seat == tried.seat:
            game_mails.send(app, session, game, mail, player, seat)


def _announce(app: App, session: Session, game: Game, made: Sequence[MadeStep], tried: Mapping[int, TriedMove]) -> None:
    """Queue the bulletins of steps, or let those of a round wait for the GM (`release = "gm"`)."""
    engine, turn = app.engine(game.engine), made[-1].turn
    if _waits_for_release(app, engine, turn.kind):
        unreleased.ask(app, session, game, turn)
    else:
        bulletins.announce(app, session, game, made, tried)
    assert made[-1].resolution is not None, "it was just made"
    outcome = engine.outcome(made[-1].resolution.state)
    if outcome and outcome.doubtful:
        played = engine.view(made[-1].resolution.state, SPECTATOR).words
        gm_list.ask_for_rulings(app, session, game, f"turn:{turn.id}", outcome.doubtful, played)
    elif outcome is None and turn.kind == "resolve":
        on_board = word_judge.open_words(app, game, engine, made[-1].resolution.state)
        gm_list.ask_about_words(app, session, game, f"turn:{turn.id}", on_board)


def _waits_for_release(app: App, engine: AnyEngine, kind: str) -> bool:
    return app.settings.deadlines.release == "gm" and kind == "resolve" and engine.rules.unit == "round"


# -- clock and row -----------------------------------------------------------------------------------------------------


def set_clock(app: App, session: Session, game: Game, state: Any) -> None:
    """Set clock and status of a game by what a step leads to; the step that is written next notes the ZAT."""
    outcome = app.engine(game.engine).outcome(state)
    if outcome is None:
        game.zat = zat_of_new_round(app, session, game)
    else:
        game.zat, game.status = None, "provisional" if outcome.doubtful else "finished"
        gm_list.close_all(app, session, game, but=gm_list.AFTER_THE_END)
    questions.close_about(app, session, game, "extension", answer="over")
    game_file.touch(session, game)


@dataclass(frozen=True, kw_only=True)
class NewStep:
    """A step that is carried out and not written yet."""

    number: int
    kind: str
    resolution: Resolution[Any]
    given: Any
    """What it was made from, for a replay."""
    verdicts: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    """The word list that was asked; by default today's."""


def write(app: App, session: Session, game: Game, step: NewStep) -> Turn:
    """Add the row of a step, as the next version of its number, and let the game stand at it.

    It is public with this transaction, unless its bulletin waits for the GM; when a ruling is, its caller says.
    """
    engine, resolution = app.engine(game.engine), step.resolution
    is_public = step.kind != "rule" and not _waits_for_release(app, engine, step.kind)
    turn = Turn(
        game_id=game.id, number=step.number, version=turn_queries.last_version(session, game, step.number) + 1,
        kind=step.kind, round=engine.round(resolution.state), input=step.given,
        state=encode(engine.state_type, resolution.state), events=encode_events(resolution.events),
        verdicts=dict(step.verdicts), rules_version=engine.rules.version, made_by=made_by(engine),
        result=result(engine, resolution.state), at=app.now(), zat=game.zat,
        released_at=app.now() if is_public else None,
        words=step.words or word_judge.list_name(app.lexicon),
        retrospect=look_back(app, game, engine, resolution.state, step.number),
    )  # fmt: skip
    turn_queries.add_step(session, game, turn)
    return turn
