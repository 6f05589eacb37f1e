"""Queries for the steps of games, their versions, and the press that their bulletins print."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, select

from gm.store import game_file
from gm.store.tables import Duty, Game, Player, Press, Seat, Turn


def current_turn(game: Game) -> Turn:
    """Return the step that a game stands at; it must have begun."""
    assert game.step is not None
    return game.step


def turns(session: Session, game: Game) -> Sequence[Turn]:
    """List every step of a game in order."""
    rows = select(Turn).where(Turn.game_id == game.id).order_by(col(Turn.number), col(Turn.version))
    return session.exec(rows).all()


def turn_before(session: Session, turn: Turn) -> Turn | None:
    """Load the step that a step was made from: the last version that was there then."""
    rows = select(Turn).where(Turn.game_id == turn.game_id, Turn.number == turn.number - 1, col(Turn.id) < turn.id)
    return session.exec(rows.order_by(col(Turn.id).desc())).first()


def opening_of_round(session: Session, turn: Turn) -> tuple[Turn, Turn | None]:
    """Return the closing, or the start, with which the round of a step began, and the last step before it."""
    opening, before = turn, turn_before(session, turn)
    while before is not None and opening.kind != "resolve":
        opening, before = before, turn_before(session, before)
    return opening, before


def closing_before(session: Session, turn: Turn) -> Turn | None:
    """Load the last closing, or the start, before a step: the one with which its round began."""
    rows = select(Turn).where(
        Turn.game_id == turn.game_id,
        Turn.number < turn.number,
        col(Turn.id) < turn.id,
        col(Turn.kind).in_(("start", "resolve")),
    )
    return session.exec(rows.order_by(col(Turn.number).desc(), col(Turn.id).desc()).limit(1)).first()


def closing_after(session: Session, turn: Turn, instant: datetime) -> Turn | None:
    """Load the first closing since an instant that led to a step."""
    rows = select(Turn).where(
        Turn.game_id == turn.game_id, Turn.kind == "resolve", col(Turn.number) <= turn.number, col(Turn.id) <= turn.id,
        col(Turn.undone_at).is_(None), col(Turn.at) >= instant,
    )  # fmt: skip
    return session.exec(rows.order_by(col(Turn.number), col(Turn.id)).limit(1)).first()


def owed_move(session: Session, closing: Turn, seat: Seat) -> bool:
    """Check whether who has a seat owed a move in a round that was closed, whether it came or not."""
    rows = select(Duty.id).where(Duty.turn_id == closing.id, Duty.seat == seat.number, Duty.player_id == seat.player_id)
    return session.exec(rows.limit(1)).first() is not None


def undone_after(session: Session, turn: Turn) -> Sequence[Turn]:
    """List the steps that were made from this one or later and taken back."""
    rows = select(Turn).where(
        Turn.game_id == turn.game_id,
        Turn.number > turn.number,
        col(Turn.id) > turn.id,
        col(Turn.undone_at).is_not(None),
    )
    return session.exec(rows.order_by(col(Turn.id))).all()


def was_ever_undone(session: Session, game_id: int) -> bool:
    """Return whether any step of a game was taken back."""
    rows = select(Turn.id).where(Turn.game_id == game_id, col(Turn.undone_at).is_not(None))
    return session.exec(rows.limit(1)).first() is not None


class StepVersion(NamedTuple):
    """A version of a step, without what happened in it."""

    id: int
    version: int
    kind: str
    round: int
    released_at: datetime | None


STEP_VERSION: Final = [col(getattr(Turn, name)) for name in StepVersion._fields]


def step_versions(session: Session, game_id: int, number: int) -> Sequence[StepVersion]:
    """List the versions of a step, undone ones included."""
    rows = sa.select(*STEP_VERSION).where(col(Turn.game_id) == game_id, col(Turn.number) == number)
    return [StepVersion(*row) for row in session.connection().execute(rows)]


def last_version(session: Session, game: Game, number: int) -> int:
    """Count the versions of a step, undone ones included."""
    return max((step.version for step in step_versions(session, game.id, number)), default=0)


def round_before(session: Session, turn: Turn) -> int | None:
    """Return the round of the step that a step was made from, None for the first."""
    earlier = (step for step in step_versions(session, turn.game_id, turn.number - 1) if step.id < turn.id)
    last = max(earlier, key=lambda step: step.id, default=None)
    return last.round if last else None


def add_step(session: Session, game: Game, turn: Turn) -> None:
    """Add a step and let its game stand at it."""
    game.turn, game.version, game.round = turn.number, turn.version, turn.round
    session.add_all([game, turn])
    session.flush()
    set_committed_value(game, "step", turn)
    game_file.forget(session, game, Game.sheets)


def seats_that_acted(session: Session, game: Game) -> set[int]:
    """Find the seats that made a step of their own in the present round, though it isn't closed."""
    rows = select(Turn.kind, Turn.round, Turn.input).where(Turn.game_id == game.id, col(Turn.undone_at).is_(None))
    seats: set[int] = set()
    round_before_step = 0
    for kind, round_, given in session.exec(rows.order_by(col(Turn.number), col(Turn.version))):
        if kind == "act" and round_before_step == game.round:  # the step that ends a round stands in the next one
            seats.add(int(given["seat"]))
        round_before_step = round_
    return seats


def has_moves(session: Session, game: Game) -> bool:
    """Return whether anybody has ever moved in a game: in a step that holds, or on file for the present round."""
    rows = select(Turn.kind, Turn.input).where(
        Turn.game_id == game.id, col(Turn.kind).in_(("act", "resolve")), col(Turn.undone_at).is_(None)
    )
    played = any(kind == "act" or given["moves"] for kind, given in session.exec(rows))
    return played or bool(game.sheets)


def abandoned_seats(session: Session, game_ids: Sequence[int]) -> dict[int, set[int]]:
    """Find, by game, the seats that were resigned and are empty: the games go on without them."""
    resigned = select(Turn.game_id, Turn.input).where(
        col(Turn.game_id).in_(game_ids), Turn.kind == "resign", col(Turn.undone_at).is_(None)
    )  # fmt: skip
    found: dict[int, set[int]] = {}
    for game_id, given in session.exec(resigned.order_by(col(Turn.id))):
        number = int(given["seat"])
        taken = select(Seat.id).where(Seat.game_id == game_id, Seat.number == number, col(Seat.until).is_(None))
        if session.exec(taken).first() is None:
            found.setdefault(game_id, set()).add(number)
    return found


def words_judged(session: Session, game: Game) -> set[str]:
    """Find the words on which the steps of a game rest."""
    rows = select(Turn.verdicts).where(Turn.game_id == game.id, col(Turn.undone_at).is_(None))
    return {key.partition("/")[2] for verdicts in session.exec(rows) for key in verdicts}


def verdicts_until(session: Session, turn: Turn) -> Sequence[Mapping[str, Any]]:
    """List the verdicts of the steps that were made up to one and not taken back, oldest first."""
    rows = select(Turn.verdicts).where(
        Turn.game_id == turn.game_id, col(Turn.id) <= turn.id,
        col(Turn.undone_at).is_(None) | (col(Turn.id) == turn.id),
    )  # fmt: skip
    return session.exec(rows.order_by(col(Turn.id))).all()


def waiting_press(session: Session, game: Game) -> Sequence[Press]:
    """List press that no bulletin has printed yet, in order of arrival."""
    rows = select(Press).where(Press.game_id == game.id, col(Press.turn_id).is_(None))
    return session.exec(rows.order_by(col(Press.received_at), col(Press.id))).all()


def press_in(session: Session, turn: Turn) -> Sequence[tuple[Press, Player]]:
    """List the press of a step's bulletin, each with its writer."""
    rows = select(Press, Player).join(Player).where(Press.turn_id == turn.id)
    return session.exec(rows.order_by(col(Press.received_at), col(Press.id))).all()
