"""Promises 1 and 6: a move that was confirmed is on record, a closing takes it, and a replay leads to the same.

Each step is looked at once, as it is made. The replay is written anew here: it must not be wrong as the service's is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from observation import Observation
from sqlmodel import col, select

from games import AnyEngine
from games.api import Resolution
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.optional_parts import JudgesAgain
from gm.game import word_judge
from gm.store.json_values import decode, encode_events
from gm.store.tables import Duty, Game, MailIn, Question, Seat, Sheet, Turn


def every_confirmed_move_is_on_file(zine: Observation) -> Iterator[str]:
    """Who was told that a move is taken has it on record: on file for the closing, or as a step."""
    for row in zine.handled:
        answers = row.reason.removeprefix("confirmed: ").split(", ")
        if row.status != "applied":
            continue
        if "confirmation" in answers and not _is_filed(zine, row):
            yield f"mail {row.id} was confirmed ({row.reason}), and no move is on file"
        if "acted" in answers and not any(turn.kind == "act" for turn in zine.turns):
            yield f"mail {row.id} was confirmed ({row.reason}), and no step was made"


def _is_filed(zine: Observation, row: MailIn) -> bool:
    """Whether a mail's move is on file: under the mail itself, or under the one that it vouches for."""
    vouched = select(Question.mail_id).where(
        Question.player_id == row.player_id, Question.kind == "sender", Question.answer == "yes"
    )
    mails = {row.id, *(mail_id for mail_id in zine.session.exec(vouched) if mail_id)}
    filed = select(Sheet.id).where(col(Sheet.id) > zine.last.sheet, col(Sheet.mail_id).in_(mails))
    return zine.session.exec(filed).first() is not None


# -- a closing ---------------------------------------------------------------------------------------------------------


def a_closing_takes_what_is_on_file(zine: Observation) -> Iterator[str]:
    """Of each seat the last move that was in time counts, and no other; who has none, and only that, misses it."""
    for turn in zine.turns if not zine.is_tampered else ():
        if turn.kind == "resolve" and (before := _step_before(zine, turn)) is not None:
            yield from (
                f"turn {turn.number} of game {turn.game_id}: {said}" for said in _closing_faults(zine, turn, before)
            )


def _closing_faults(zine: Observation, turn: Turn, before: Turn) -> Iterator[str]:
    game = zine.session.get_one(Game, turn.game_id)
    engine = zine.app.engine(game.engine)
    rows = select(Sheet).where(Sheet.game_id == game.id, Sheet.round == before.round, col(Sheet.received_at) <= turn.at)
    sheets = [
        sheet for sheet in zine.session.exec(rows.order_by(col(Sheet.received_at), col(Sheet.id)))
        if sheet.withdrawn_at is None or sheet.withdrawn_at > turn.at
    ]  # fmt: skip
    ends = [turn.at, *_ends(zine, turn, before)]
    duties = zine.session.exec(select(Duty).where(Duty.turn_id == turn.id)).all()
    for seat in sorted(engine.due(decode(engine.state_type, before.state))):
        own = [sheet for sheet in sheets if sheet.seat == seat]
        lasts = [next((one for one in reversed(own) if one.received_at <= end), None) for end in ends]
        taken = turn.input["moves"].get(str(seat))
        if taken not in [one.move if one else None for one in lasts]:
            yield f"seat {seat} has on file {[one and one.id for one in lasts]}, and the closing took {taken}"
        yield from _duty_faults(zine, turn, before, seat, [duty for duty in duties if duty.seat == seat], lasts)


def _ends(zine: Observation, turn: Turn, before: Turn) -> Iterator[datetime]:
    """Go through the instants by which a move may have had to be there."""
    was = zine.before.games.get(turn.game_id)
    yield from (end for end in (was.zat if was else None, before.zat) if end is not None and end <= turn.at)


def _duty_faults(
    zine: Observation, turn: Turn, before: Turn, seat: int, duties: Sequence[Duty], lasts: Sequence[Sheet | None]
) -> Iterator[str]:
    sits = select(Seat.id).where(
        Seat.game_id == turn.game_id, Seat.number == seat, col(Seat.since) < turn.at, col(Seat.until).is_(None)
    )
    if len(duties) != 1 and zine.session.exec(sits).first() is not None:
        yield f"seat {seat} has {len(duties)} duties"
    for duty in duties:
        acted = _has_acted(zine, turn, before, seat)
        if duty.kept and not any(lasts) and not acted:
            yield f"seat {seat} has kept its duty, and no move is on file"
        if not duty.kept and (all(lasts) or acted):
            yield f"seat {seat} is noted as missing, and its move is there"


def _has_acted(zine: Observation, turn: Turn, before: Turn, seat: int) -> bool:
    """Whether a seat has made a step of its own in the round that a step closed; one that ends a round is of it."""
    rows = select(Turn).where(
        Turn.game_id == turn.game_id, Turn.round == before.round, Turn.number < turn.number,
        col(Turn.undone_at).is_(None),
    )  # fmt: skip
    _, *others = zine.session.exec(rows.order_by(col(Turn.number), col(Turn.id))).all()
    return any(one.kind == "act" and one.input["seat"] == seat for one in others)


def _step_before(zine: Observation, turn: Turn) -> Turn | None:
    """Find the step that a step was made from."""
    rows = select(Turn).where(Turn.game_id == turn.game_id, Turn.number == turn.number - 1, col(Turn.id) < turn.id)
    return zine.session.exec(rows.order_by(col(Turn.id).desc())).first()


# -- the replay --------------------------------------------------------------------------------------------------------


def each_step_is_as_a_replay_makes_it(zine: Observation) -> Iterator[str]:
    """The seed, the number of the step, the moves and the recorded verdicts lead to the recorded position."""
    for turn in zine.turns if not zine.is_tampered else ():
        game = zine.session.get_one(Game, turn.game_id)
        engine = zine.app.engine(game.engine)
        before = _step_before(zine, turn)
        if turn.rules_version != engine.rules.version or (before is None and turn.kind != "start"):
            continue
        what = f"turn {turn.number}, version {turn.version}, of {game.name} ({turn.kind})"
        try:
            made = _replayed(engine, game, turn, decode(engine.state_type, before.state) if before else None)
        except Exception as error:  # noqa: BLE001  what can't be replayed is a fault of the record
            yield f"{what} can't be replayed: {error!r}"
            continue
        if made is None or made.state != decode(engine.state_type, turn.state):
            yield f"{what}: a replay leads to another position"
        elif encode_events(made.events) != turn.events:
            yield f"{what}: a replay brings other events"


def _replayed(engine: AnyEngine, game: Game, turn: Turn, before: Any) -> Resolution[Any] | None:
    given, dice, words = turn.input, Dice(game.seed, turn.number), word_judge.recorded(turn)
    if turn.kind == "start":
        entries = {
            SeatNumber(int(seat)): entry if entry is None else decode(engine.entry_type, entry)
            for seat, entry in given["entries"].items()
        }
        return engine.start(entries, given["options"], dice)
    if "given_up" in given:
        before = engine.give_up(before, frozenset(map(SeatNumber, given["given_up"])))
    if turn.kind == "rule":
        before = engine.judge_again(before, words) if isinstance(engine, JudgesAgain) else before
        if not given:
            return Resolution(state=before)
    if "moves" in given:
        moves = {SeatNumber(int(seat)): decode(engine.move_type, move) for seat, move in given["moves"].items()}
        return engine.resolve(before, moves, dice, words)
    if "move" not in given:
        return engine.resign(before, SeatNumber(given["seat"]), dice)
    return engine.act(before, SeatNumber(given["seat"]), decode(engine.move_type, given["move"]), dice, words)
