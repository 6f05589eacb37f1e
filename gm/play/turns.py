"""The steps of a game: start, closing a round, ruling on words. Each is one row, written with its mails.

Two processes that try the same step collide on the row's uniqueness; a crash before the commit leaves the round
open, a crash after it leaves a closed round with its mails queued.
"""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games import AnyEngine, engines
from games.api import Resolution, Text, say
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.errors import SetupError
from games.words import Verdict, Words
from gm.app import App
from gm.config import Span
from gm.errors import Refused
from gm.play import judging
from gm.play.zat import next_zat
from gm.publish import bulletins
from gm.store import queries
from gm.store.codec import decode, encode, encode_events
from gm.store.tables import Game, Turn
from gm.words.lexicon import Judge


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where a game stands: its engine, the step, and the state after it."""

    engine: AnyEngine
    turn: Turn
    state: Any


def prepare(app: App) -> None:
    """Let the running kinds of games look through the word list before the clock of a mail runs: once, it takes 1 s."""
    with app.database.read() as session:
        for game in queries.games(session, ("running",)) if not app.prepared else ():
            if game.engine not in app.prepared and game.engine in engines():
                app.prepared.add(game.engine)
                with suppress(Exception):  # whatever is wrong with a game is told where it matters
                    at, judge = position(app, session, game), judging.judge(app, session, game)
                    for seat in sorted(at.engine.due(at.state))[:1]:
                        at.engine.example(at.state, seat, judge)


def new_seed() -> str:
    """Draw a game's seed from the system's entropy."""
    return secrets.token_hex(16)


def position(app: App, session: Session, game: Game) -> Position:
    """Load where a game stands. Raises OperatorError for a game whose rules can't be had here."""
    engine = app.engine(game.engine)
    turn = queries.current_turn(session, game)
    if turn.rules_version != engine.rules.version:
        raise Refused(
            f"{game.name} was played by version {turn.rules_version} of the rules of {engine.rules.title}, here is "
            f"version {engine.rules.version}; install a version of gm that brings the old ones."
        )
    return Position(engine=engine, turn=turn, state=decode(engine.state_type, turn.state))


def start(app: App, session: Session, game: Game) -> None:
    """Start a game and queue its first bulletins. Raises Refused with what is missing."""
    if game.status != "open":
        raise Refused(f"{game.name} is {game.status}; only an open game can be started.")
    engine, now = app.engine(game.engine), app.now()
    names = queries.names(session, game)
    entries = {
        SeatNumber(seat.number): decode(engine.entry_type, seat.entry) if seat.entry is not None else None
        for seat in queries.seats(session, game)
    }
    try:
        resolution = engine.start(entries, game.options, Dice(game.seed, 0))
    except SetupError as error:
        missing = ", ".join(names.get(seat, f"seat {seat}") for seat in error.seats)
        raise Refused(f"{game.name} can't start: {error.message.replace('{seats}', missing)}") from error
    given = {str(seat): encode(engine.entry_type, entry) for seat, entry in entries.items()}
    turn = _write(
        app, session, game, engine, number=0, version=1, kind="start", resolution=resolution,
        given={"entries": given, "options": game.options}, verdicts={},
    )  # fmt: skip
    game.status, game.zat = "running", deadline(app, game, now)
    judge = judging.judge(app, session, game)
    bulletins.announce_start(app, session, game, engine, turn, resolution, judge)


def closing_instant(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    """Say when the present round closes: its ZAT, or earlier when all moves are in and had time to settle."""
    if game.status != "running" or game.held or waits_for_gm(session, game, at.engine):
        return None  # the clock stands still while the GM has to decide
    early = _early(app, session, game, at)
    instants = [instant for instant in (game.zat, early) if instant is not None]
    return min(instants, default=None)


def waits_for_gm(session: Session, game: Game, engine: AnyEngine) -> bool:
    """Say whether a move of a game that plays in turns waits for the GM's word on a word."""
    return engine.rules.unit != "round" and bool(queries.held_moves(session, game))


def _early(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    due = at.engine.due(at.state)
    filed = queries.sheets_on_file(session, game)
    seats = [seat for seat in queries.seats(session, game) if seat.number in due]
    intents = [seat.intent if seat.intent_round == game.round else "" for seat in seats]
    sheets = [
        filed[seat.number] for seat, intent in zip(seats, intents, strict=True)
        if seat.number in filed and filed[seat.number].complete
        # A standby may think over what the predecessor left, until the ZAT or an own word.
        and (filed[seat.number].player_id == seat.player_id or intent == "ready")
    ]  # fmt: skip
    if len(sheets) < len(due) or not sheets:
        return None
    all_ready = bool(intents) and all(intent == "ready" for intent in intents)
    if "wait" in intents or not (app.settings.deadlines.close_early or all_ready):
        return None
    last = max(sheet.received_at for sheet in sheets)
    return last if all_ready else last + app.settings.deadlines.settle


def close(app: App, session: Session, game: Game, instant: datetime) -> Turn:
    """Close the present round with what had arrived by `instant`, and queue the bulletins."""
    at = position(app, session, game)
    moves = moves_on_file(at.engine, queries.sheets_on_file(session, game, instant))
    judge = judging.judge(app, session, game)
    number = at.turn.number + 1
    resolution = at.engine.resolve(at.state, moves, Dice(game.seed, number), judge)
    given = {"moves": {str(seat): encode(at.engine.move_type, move) for seat, move in moves.items()}}
    turn = _write(
        app, session, game, at.engine, number=number, version=1, kind="resolve", resolution=resolution,
        given=given, verdicts=judging.record(judge.asked),
    )  # fmt: skip
    game.held = ""
    _settle_status(app, game, at.engine, resolution.state)
    bulletins.announce_round(app, session, game, at.engine, turn, resolution, judge, closed=at.turn.round)
    return turn


def act(
    app: App, session: Session, game: Game, at: Position, seat: SeatNumber, move: Any, judge: Judge,
    *, tell_actor: bool = False,
) -> Resolution[Any] | None:  # fmt: skip
    """Carry out a move that has its effect at once and queue what the others get; None where it waits for the closing.

    The one who moved is told by the answer to his mail, or, where there is none, with the others.
    """
    number = at.turn.number + 1
    resolution = at.engine.act(at.state, seat, move, Dice(game.seed, number), judge)
    if resolution is None:
        return None
    turn = _write(
        app, session, game, at.engine, number=number, version=1, kind="act", resolution=resolution,
        given={"seat": seat, "move": encode(at.engine.move_type, move)}, verdicts=judging.record(judge.asked),
    )  # fmt: skip
    newly_due = at.engine.due(resolution.state) - at.engine.due(at.state)
    if newly_due or turn.round != at.turn.round or at.engine.outcome(resolution.state):
        _settle_status(app, game, at.engine, resolution.state)  # a private step doesn't wind the clock up again
    bulletins.announce_act(app, session, game, at.engine, turn, resolution, judge, None if tell_actor else seat)
    return resolution


def moves_on_file(engine: AnyEngine, sheets: Mapping[int, queries.OnFile]) -> dict[SeatNumber, Any]:
    """Give the moves of these sheets by seat."""
    return {SeatNumber(seat): decode(engine.move_type, sheet.move) for seat, sheet in sheets.items()}


def resolve_again(app: App, session: Session, game: Game) -> bool:
    """Resolve the last turn once more with today's rulings, as its next version; False where no result changes.

    The result goes out when no word is doubtful any more; while some are, nothing is mailed.
    """
    at = position(app, session, game)
    if at.turn.kind == "act":
        return False  # boards are never rolled back, and no doubtful word ever lies on one (rulings.md 2)
    judge = judging.judge_again(session, game, at.turn)
    resolution = resolved_by(session, game, at, judge)
    if encode(at.engine.state_type, resolution.state) == at.turn.state:
        return False
    turn = _write(
        app, session, game, at.engine, number=at.turn.number, version=at.turn.version + 1, kind="rule",
        resolution=resolution, given=at.turn.input, verdicts={**at.turn.verdicts, **judging.record(judge.asked)},
        words=at.turn.words,
    )  # fmt: skip
    _settle_status(app, game, at.engine, resolution.state)
    outcome = at.engine.outcome(resolution.state)
    if outcome == at.engine.outcome(at.state):
        return False  # another best possible score, perhaps, but nobody's points: no reason for a mail
    if outcome and not outcome.doubtful:
        changes = _changes(_last_mailed(session, game, turn), judge.asked)
        bulletins.announce_result(app, session, game, at.engine, turn, resolution, judge, outcome, changes)
    return True


def resolved_by(session: Session, game: Game, at: Position, words: Words) -> Resolution[Any]:
    """Resolve the last turn once more as this judge of words sees it; nothing is written."""
    moves = {SeatNumber(int(seat)): decode(at.engine.move_type, move) for seat, move in at.turn.input["moves"].items()}
    return at.engine.resolve(_state_before(session, game, at), moves, Dice(game.seed, at.turn.number), words)


def _last_mailed(session: Session, game: Game, turn: Turn) -> Turn | None:
    """Find the version of a result that went out last."""
    versions = [version for version in queries.turns(session, game) if version.number == turn.number]
    return next((v for v in reversed(versions) if queries.was_mailed(session, f"turn:{v.id}")), None)


def _changes(mailed: Turn | None, asked: Mapping[str, Verdict]) -> tuple[Text, ...]:
    """Word what the GM has ruled otherwise since a result went out, as far as it rests on it."""
    before = mailed.verdicts if mailed else {}
    now = judging.record(asked)
    ruled = {
        key: verdict for key, verdict in asked.items() if verdict.reason == "RULED" and before.get(key) != now[key]
    }
    return tuple(_change(key.rpartition("/")[2], said) for key, said in sorted(ruled.items()))


def _change(word: str, verdict: Verdict) -> Text:
    text = say("RULED_IN" if verdict.status == "accepted" else "RULED_OUT", word=word)
    return say("RULED_BECAUSE", ruling=text, note=verdict.note) if verdict.note else text


def _state_before(session: Session, game: Game, at: Position) -> Any:
    earlier = [turn for turn in queries.turns(session, game) if turn.number == at.turn.number - 1]
    return decode(at.engine.state_type, earlier[-1].state)


def _settle_status(app: App, game: Game, engine: AnyEngine, state: Any) -> None:
    outcome = engine.outcome(state)
    if outcome is None:
        game.zat = deadline(app, game, app.now())
    else:
        game.zat, game.status = None, "provisional" if outcome.doubtful else "finished"


def deadline(app: App, game: Game, now: datetime) -> datetime:
    """Compute the ZAT of a round that opens now."""
    rules = app.settings.deadlines
    return next_zat(now, Span.parse(game.span), rules.time, app.settings.service.timezone, rules.holidays)


def _write(
    app: App, session: Session, game: Game, engine: AnyEngine, *, number: int, version: int, kind: str,
    resolution: Any, given: Any, verdicts: dict[str, Any], words: str = "",
) -> Turn:  # fmt: skip
    """Add the row of a step and let the game stand at it."""
    turn = Turn(
        game_id=game.id, number=number, version=version, kind=kind, round=engine.round(resolution.state),
        input=given, state=encode(engine.state_type, resolution.state), events=encode_events(resolution.events),
        verdicts=verdicts, rules_version=engine.rules.version, at=app.now(),
        words=words or judging.list_name(app.lexicon),
    )  # fmt: skip
    game.turn, game.version, game.round = number, version, turn.round
    session.add(turn)
    session.add(game)
    session.flush()
    return turn
