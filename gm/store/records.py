"""Questions about what goes on around the games: duties kept and missed, who watches, press, vacations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlmodel import Session, col, select

from gm.store import queries
from gm.store.tables import Duty, Game, Player, Press, Turn, Vacation, Watcher


@dataclass(frozen=True, kw_only=True)
class Record:
    """How reliably somebody moves: of how many moves owed how many were missed, and how many in a row just now."""

    owed: int = 0
    missed: int = 0
    in_a_row: int = 0
    last_turn: int = 0
    """The step that closed the last round in which a move was owed."""

    def after(self, duty: Duty) -> "Record":
        """Count one more duty."""
        return replace(
            self, owed=self.owed + 1, missed=self.missed + (not duty.kept), last_turn=duty.turn_id,
            in_a_row=0 if duty.kept else self.in_a_row + 1,
        )  # fmt: skip


def records(session: Session, game: Game, until: Turn | None = None) -> dict[int, Record]:
    """Count by seat for whoever sits there (or sat last), up to a step. NMR is the person's, not the seat's."""
    holders = {seat.number: seat.player_id for seat in queries.holders(session, game)}
    found: dict[int, Record] = {}
    for duty in _duties(session, game, until):
        if holders.get(duty.seat) == duty.player_id:
            found[duty.seat] = found.get(duty.seat, Record()).after(duty)
    return found


def _duties(session: Session, game: Game, until: Turn | None) -> Sequence[Duty]:
    rows = select(Duty).join(Turn).where(Duty.game_id == game.id, col(Turn.undone_at).is_(None))
    if until is not None:
        rows = rows.where(col(Duty.turn_id) <= until.id)
    return session.exec(rows.order_by(col(Duty.turn_id), col(Duty.id))).all()


def record_of(session: Session, player_id: int) -> Record:
    """Count a person's duties over all games."""
    rows = select(Duty).join(Turn).where(Duty.player_id == player_id, col(Turn.undone_at).is_(None))
    record = Record()
    for duty in session.exec(rows.order_by(col(Duty.turn_id), col(Duty.id))):
        record = record.after(duty)
    return record


def watchers(session: Session, game: Game) -> Sequence[Player]:
    """List who gets a game's bulletins as spectators see it."""
    rows = select(Player).join(Watcher).where(Watcher.game_id == game.id).order_by(col(Watcher.id))
    return session.exec(rows).all()


def watcher(session: Session, game: Game, player_id: int) -> Watcher | None:
    """Find somebody's watching of a game."""
    rows = select(Watcher).where(Watcher.game_id == game.id, Watcher.player_id == player_id)
    return session.exec(rows).first()


def watched(session: Session, player_id: int) -> Sequence[Game]:
    """List the games that somebody watches."""
    rows = select(Game).join(Watcher).where(Watcher.player_id == player_id).order_by(col(Watcher.id))
    return session.exec(rows).all()


def press_waiting(session: Session, game: Game) -> Sequence[Press]:
    """List press that no bulletin has printed yet, in order of arrival."""
    rows = select(Press).where(Press.game_id == game.id, col(Press.turn_id).is_(None))
    return session.exec(rows.order_by(col(Press.received_at), col(Press.id))).all()


def press_in(session: Session, turn: Turn) -> Sequence[tuple[Press, Player]]:
    """List the press of a step's bulletin with who wrote it."""
    rows = select(Press, Player).join(Player).where(Press.turn_id == turn.id)
    return session.exec(rows.order_by(col(Press.received_at), col(Press.id))).all()


def vacations(session: Session, player_ids: Sequence[int], since: date) -> Sequence[Vacation]:
    """List the vacations of players that aren't over on a day."""
    rows = select(Vacation).where(col(Vacation.player_id).in_(player_ids), col(Vacation.last) >= since)
    return session.exec(rows.order_by(col(Vacation.first), col(Vacation.id))).all()


def turn_before(session: Session, turn: Turn) -> Turn | None:
    """Load the step that a step was made from: the last version that was there then."""
    rows = select(Turn).where(Turn.game_id == turn.game_id, Turn.number == turn.number - 1, col(Turn.id) < turn.id)
    return session.exec(rows.order_by(col(Turn.id).desc())).first()


def last_version(session: Session, game: Game, number: int) -> int:
    """Say how many versions of a step there are, undone ones included."""
    rows = select(Turn.version).where(Turn.game_id == game.id, Turn.number == number)
    return max(session.exec(rows), default=0)


def acted_in(session: Session, game: Game) -> set[int]:
    """Tell which seats made a step of their own in the present round, though it isn't closed."""
    rows = select(Turn).where(
        Turn.game_id == game.id, Turn.kind == "act", Turn.round == game.round, col(Turn.undone_at).is_(None)
    )
    return {int(turn.input["seat"]) for turn in session.exec(rows)}
