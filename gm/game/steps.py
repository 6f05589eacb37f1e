"""The steps of a game: start, a closed round, a move at once. Each is one row, written with its mails.

Two processes that try the same step collide on the row's uniqueness; a crash before the commit leaves the round
open, a crash after it leaves a closed round with its mails queued.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import Resolution
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.errors import SetupError
from gm.app.context import App
from gm.game import closing_time, given_up, word_judge
from gm.game.announcements import bulletins, unreleased
from gm.game.deadlines import days_off, first_free, next_zat
from gm.game.position import Position, is_released, position
from gm.lexicon.lexicon import Judge
from gm.messages import questions
from gm.runtime.config.settings import Span
from gm.runtime.errors import Refused
from gm.store.json_values import decode, encode, encode_events
from gm.store.queries import duty_queries, question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game, Turn


def new_seed() -> str:
    """Draw a game's seed from the system's entropy."""
    return secrets.token_hex(16)


def start(app: App, session: Session, game: Game) -> None:
    """Start a game and queue its first bulletins. Raises Refused with what is missing."""
    if game.status != "open":
        raise Refused(f"{game.name} is {game.status}; only an open game can be started.")
    engine = app.engine(game.engine)
    names = seat_queries.names(session, game)
    entries = {
        SeatNumber(seat.number): decode(engine.entry_type, seat.entry) if seat.entry is not None else None
        for seat in seat_queries.seats(session, game)
    }
    try:
        resolution = engine.start(entries, game.options, Dice(game.seed, 0))
    except SetupError as error:
        missing = ", ".join(names.get(seat, f"seat {seat}") for seat in error.seats)
        raise Refused(f"{game.name} can't start: {error.message.replace('{seats}', missing)}") from error
    given = {str(seat): encode(engine.entry_type, entry) for seat, entry in entries.items()}
    game.status = "running"
    turn = write(
        app, session, game, engine, number=0, kind="start", resolution=resolution,
        given={"entries": given, "options": game.options}, verdicts={},
    )  # fmt: skip
    wind_up(app, session, game, engine, turn, resolution.state)
    publish(app, session, game, turn, resolution=resolution)


@dataclass(frozen=True, kw_only=True)
class Due:
    """A round to be closed: its game, where that stands, and until when moves had to be there."""

    game: Game
    at: Position
    instant: datetime


def close(app: App, session: Session, game: Game, instant: datetime) -> Turn:
    """Close the present round with what had arrived by `instant`, and queue the bulletins."""
    at = position(app, session, game)
    return close_all(app, session, [Due(game=game, at=at, instant=instant)])[0]


def close_all(app: App, session: Session, rounds: Sequence[Due]) -> list[Turn]:
    """Close rounds of different games, and queue the bulletins.

    All are resolved, then all steps are written, then all that goes out: a few statements for all of them.
    """
    closings = [_resolved(app, session, due) for due in rounds]
    made = [(closing, _step_of(app, session, closing)) for closing in closings]
    turn_queries.add_steps(session, [(closing.due.game, turn) for closing, turn in made])
    for closing, turn in made:
        _note_duties(session, closing.due.game, turn, closing.duties, closing.unclear)
    duty_queries.prefetch_duties(
        session, [closing.due.game.id for closing in closings if not all(closing.duties.values())]
    )
    for closing, turn in made:
        publish(app, session, closing.due.game, turn, resolution=closing.resolution)
    return [turn for _, turn in made]


@dataclass(frozen=True, kw_only=True)
class _Closing:
    """What has come of a round: nothing of it is written yet."""

    due: Due
    resolution: Resolution[Any]
    given: Any
    verdicts: dict[str, Any]
    duties: Mapping[SeatNumber, bool]
    """Who owed a move, and whether it came."""
    unclear: frozenset[int]
    """The seats whose missing move may be a mail that nobody could read, or that nothing proved."""


def _resolved(app: App, session: Session, due: Due) -> _Closing:
    game, at = due.game, due.at
    asked = at.engine.due(at.state)
    filed = sheet_queries.sheets_on_file(session, game, due.instant)
    moves = moves_on_file(at.engine, {seat: sheet for seat, sheet in filed.items() if seat in asked})
    judge = word_judge.judge(app, session, game)
    resolution, left = given_up.carried_out(
        session, game, at.engine, at.state,
        lambda state: at.engine.resolve(state, moves, Dice(game.seed, at.turn.number + 1), judge),
    )  # fmt: skip
    given = {"moves": {str(seat): encode(at.engine.move_type, move) for seat, move in moves.items()}, **left}
    owing = still_owing(session, game, at, filed)
    return _Closing(
        due=due, resolution=resolution, given=given, verdicts=word_judge.record(judge.asked),
        duties={seat: seat not in owing for seat in asked}, unclear=_unclear(app, session, due, owing),
    )  # fmt: skip


def _unclear(app: App, session: Session, due: Due, missing: frozenset[SeatNumber]) -> frozenset[int]:
    found = closing_time.unclear(app, session, due.game, due.instant) if missing else ()
    return frozenset(one.seat for one in found if one.seat in missing and one.seat is not None)


def still_owing(session: Session, game: Game, at: Position, filed: Collection[int]) -> frozenset[SeatNumber]:
    """Say which of the due seats have sent nothing: no sheet on file, no step of their own in this round."""
    owing = at.engine.due(at.state) - {SeatNumber(number) for number in filed}
    may_have_acted = at.turn.kind not in ("start", "resolve")  # these begin a round
    return owing - (turn_queries.seats_that_acted(session, game) if owing and may_have_acted else set[int]())


def _step_of(app: App, session: Session, closing: _Closing) -> Turn:
    """Set clock and status by what a round has led to; returns its step."""
    game, at = closing.due.game, closing.due.at
    for question in question_queries.questions_about(session, game, *questions.OF_A_ROUND):
        questions.settle(app, session, question, "closed")
    game.held, game.reopened, game.paused_until = "", False, None
    _set_clock(app, session, game, at.engine, closing.resolution.state)
    return _step(
        app, session, game, at.engine, number=at.turn.number + 1, kind="resolve", resolution=closing.resolution,
        given=closing.given, verdicts=closing.verdicts,
        is_released=not _waits_for_release(app, at.engine, "resolve"),
    )  # fmt: skip


def act(
    app: App, session: Session, game: Game, at: Position, seat: SeatNumber, move: Any, judge: Judge,
    *, tell_actor: bool = False, foreword: str = "",
) -> Resolution[Any] | None:  # fmt: skip
    """Carry out a move that has its effect at once and queue what the others get; None where it waits for the closing.

    The one who moved is told by the answer to his mail, or, where there is none, with the others. The foreword is what
    the GM has to say about it.
    """
    number = at.turn.number + 1
    resolution, left = given_up.carried_out(
        session, game, at.engine, at.state,
        lambda state: at.engine.act(state, seat, move, Dice(game.seed, number), judge),
    )  # fmt: skip
    if resolution is None:
        return None
    turn = write(
        app, session, game, at.engine, number=number, kind="act", resolution=resolution,
        given={"seat": seat, "move": encode(at.engine.move_type, move), **left},
        verdicts=word_judge.record(judge.asked),
    )  # fmt: skip
    turn.foreword = foreword
    due = at.engine.due(resolution.state)
    if seat not in due or turn.round != at.turn.round:
        _note_duties(session, game, turn, {seat: True})
    if due - at.engine.due(at.state) or turn.round != at.turn.round or at.engine.outcome(resolution.state):
        # A private step doesn't wind the clock up again.
        game.reopened = False
        wind_up(app, session, game, at.engine, turn, resolution.state)
    publish(app, session, game, turn, but=None if tell_actor else seat, resolution=resolution)
    return resolution


def leave(app: App, session: Session, game: Game, seat: SeatNumber) -> None:
    """Play on without a seat that nobody will take, by the rules of the game, and tell all."""
    at = position(app, session, game)
    if not is_released(at.turn):
        raise Refused(f"The last bulletin of {game.name} waits for you: gm release {game.name} comes first.")
    number = at.turn.number + 1
    others = sorted(turn_queries.abandoned_seats(session, [game.id]).get(game.id, set()) - {seat})
    without = at.engine.give_up(at.state, frozenset(SeatNumber(other) for other in others))
    resolution, left = given_up.carried_out(
        session, game, at.engine, without,
        lambda state: at.engine.resign(state, seat, Dice(game.seed, number)), but=seat,
    )  # fmt: skip
    turn = write(
        app, session, game, at.engine, number=number, kind="resign", resolution=resolution,
        given={"seat": seat, given_up.KEY: others, **left}, verdicts={},
    )  # fmt: skip
    asks_others = at.engine.due(resolution.state) - at.engine.due(at.state) or turn.round != at.turn.round
    if asks_others or at.engine.outcome(resolution.state):
        wind_up(app, session, game, at.engine, turn, resolution.state)
    publish(app, session, game, turn, resolution=resolution)


def publish(
    app: App, session: Session, game: Game, turn: Turn, *, resolution: Resolution[Any], but: int | None = None
) -> None:
    """Queue a step's bulletins, or let those of a round wait for the GM (`release = "gm"`)."""
    engine = app.engine(game.engine)
    if _waits_for_release(app, engine, turn.kind):
        unreleased.ask(app, session, game, turn)
    else:
        release(app, session, game, turn, but=but, resolution=resolution)
    outcome = engine.outcome(resolution.state)
    if outcome and outcome.doubtful:
        questions.ask_for_rulings(app, session, game, f"turn:{turn.id}", outcome.doubtful)


def _waits_for_release(app: App, engine: AnyEngine, kind: str) -> bool:
    return app.settings.deadlines.release == "gm" and kind == "resolve" and engine.rules.unit == "round"


def release(
    app: App, session: Session, game: Game, turn: Turn, *, but: int | None = None,
    resolution: Resolution[Any] | None = None,
) -> None:  # fmt: skip
    """Queue a step's bulletins. `resolution` is what it has just led to, where it needn't be read from the row."""
    if turn.released_at is None:
        turn.released_at = app.now()
        session.add(turn)
        session.flush()
    bulletins.announce(app, session, game, turn, but=but, resolution=resolution)


def moves_on_file(engine: AnyEngine, sheets: Mapping[int, sheet_queries.SheetOnFile]) -> dict[SeatNumber, Any]:
    """Give the moves of these sheets by seat."""
    return {SeatNumber(seat): decode(engine.move_type, sheet.move) for seat, sheet in sheets.items()}


def wind_up(app: App, session: Session, game: Game, engine: AnyEngine, turn: Turn, state: Any) -> None:
    """Set clock and status by what a step has led to, and note its ZAT with it."""
    _set_clock(app, session, game, engine, state)
    turn.zat = game.zat
    session.add(turn)
    session.add(game)
    session.flush()


def _set_clock(app: App, session: Session, game: Game, engine: AnyEngine, state: Any) -> None:
    outcome = engine.outcome(state)
    if outcome is None:
        game.zat = deadline(app, session, game, app.now())
    else:
        game.zat, game.status = None, "provisional" if outcome.doubtful else "finished"
        questions.settle_all(app, session, game, but=questions.AFTER_THE_END)
    for question in question_queries.questions_about(session, game, "extension"):
        questions.settle(app, session, question, "over")


def note_zat(session: Session, game: Game, zat: datetime) -> None:
    """Write a new deadline down, also with the step that it belongs to."""
    turn = turn_queries.current_turn(session, game)
    game.zat = turn.zat = zat
    session.add(game)
    session.add(turn)
    session.flush()


def deadline(app: App, session: Session, game: Game, now: datetime) -> datetime:
    """Compute the ZAT of a round that opens now: never on a holiday, nor while somebody is away who may be.

    In a pause the time counts from its end.
    """
    rules, zone = app.settings.deadlines, app.settings.service.timezone
    start = max(now, game.paused_until or now)
    zat = next_zat(start, Span.parse(game.span), rules.time, zone, days_without_zat(app, session, game))
    return first_free(zat, days_off(app, session, game), zone)


def days_without_zat(app: App, session: Session, game: Game) -> set[date]:
    """List the holidays, and the days on which somebody in this game is away and may be."""
    return {*app.settings.deadlines.holidays, *days_off(app, session, game)}


def _note_duties(
    session: Session, game: Game, turn: Turn, kept: Mapping[SeatNumber, bool], unclear: frozenset[int] = frozenset()
) -> None:
    """Write down who owed a move and whether it came; of an empty seat nobody owes one."""
    players = {seat.number: seat.player_id for seat in seat_queries.seats(session, game)}
    duties = [(seat, players[seat], came, seat in unclear) for seat, came in kept.items() if seat in players]
    duty_queries.add_duties(session, turn, duties)


def write(
    app: App, session: Session, game: Game, engine: AnyEngine, *, number: int, kind: str, resolution: Resolution[Any],
    given: Any, verdicts: dict[str, Any], words: str = "",
) -> Turn:  # fmt: skip
    """Add the row of a step, as the next version of its number, and let the game stand at it."""
    turn = _step(
        app, session, game, engine, number=number, kind=kind, resolution=resolution, given=given, verdicts=verdicts,
        words=words,
    )  # fmt: skip
    turn_queries.add_steps(session, [(game, turn)])
    return turn


def _step(
    app: App, session: Session, game: Game, engine: AnyEngine, *, number: int, kind: str, resolution: Resolution[Any],
    given: Any, verdicts: dict[str, Any], words: str = "", is_released: bool = False,
) -> Turn:  # fmt: skip
    version = turn_queries.last_version(session, game, number) + 1
    return Turn(
        game_id=game.id, number=number, version=version, kind=kind, round=engine.round(resolution.state),
        input=given, state=encode(engine.state_type, resolution.state), events=encode_events(resolution.events),
        verdicts=verdicts, rules_version=engine.rules.version, at=app.now(), zat=game.zat,
        words=words or word_judge.list_name(app.lexicon), released_at=app.now() if is_released else None,
    )  # fmt: skip
