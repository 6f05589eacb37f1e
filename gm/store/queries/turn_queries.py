"""Questions about what goes on around the games: duties kept and missed, who watches, press, vacations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from gm.store.queries.query_cache import asked_once, insert_later, tell
from gm.store.tables import Duty, Game, Player, Press, Seat, Sheet, Turn, Vacation, Watcher


@dataclass(frozen=True, kw_only=True)
class Record:
    """How reliably somebody moves: of how many moves owed how many were missed, and how many in a row just now."""

    owed: int = 0
    missed: int = 0
    in_a_row: int = 0

    def after(self, duty: "Owed") -> "Record":
        """Count one more duty."""
        if duty.unclear:
            return self
        return replace(
            self, owed=self.owed + 1, missed=self.missed + (not duty.kept),
            in_a_row=0 if duty.kept else self.in_a_row + 1,
        )  # fmt: skip


class Owed(NamedTuple):
    """A duty: who owed a move in a step, and whether it came."""

    game_id: int
    turn_id: int
    seat: int
    player_id: int
    kept: bool
    unclear: bool
    """A mail lay there that may have been the move."""


class Silence(NamedTuple):
    """How many moves somebody has missed in a row up to now, and when the first of those rounds was closed."""

    times: int
    since: datetime


def silences(session: Session, game_ids: Sequence[int]) -> dict[tuple[int, int, int], Silence]:
    """Tell who missed the last move owed, by game, seat and player. NMR is the person's, not the seat's."""
    columns = (col(Duty.game_id), col(Duty.seat), col(Duty.player_id), col(Duty.kept), col(Turn.at))
    rows = sa.select(*columns).join(Turn, col(Duty.turn_id) == Turn.id)
    rows = rows.where(col(Duty.game_id).in_(game_ids), col(Turn.undone_at).is_(None), col(Duty.unclear).is_(False))
    found: dict[tuple[int, int, int], Silence] = {}
    for game_id, seat, player_id, kept, at in session.connection().execute(
        rows.order_by(col(Duty.turn_id), col(Duty.id))
    ):
        who = (game_id, seat, player_id)
        before = found.pop(who, Silence(0, at))
        if not kept:
            found[who] = Silence(before.times + 1, before.since)
    return found


def missed_in(session: Session, game: Game, turn: Turn) -> list[tuple[Player, Record | None]]:
    """List who owed a move in a step and sent none, with their record in this game as it was then.

    None stands for the record of those whose mail is unclear.
    """
    if not _was_missed(session, game.id, turn.id):
        return []
    duties = _duties(session, game, turn)
    found = _by_person(duties)
    late = [duty for duty in duties if duty.turn_id == turn.id and not duty.kept]
    return [
        (session.get_one(Player, duty.player_id), None if duty.unclear else found[duty.seat, duty.player_id])
        for duty in sorted(late, key=lambda duty: duty.seat)
    ]  # fmt: skip


def noted_missing(session: Session, turn: Turn) -> list[str]:
    """Name who was noted as missing in a closing that was taken back, in the version that counted then."""
    versions = select(Turn.id).where(
        Turn.game_id == turn.game_id, Turn.number == turn.number, Turn.undone_at == turn.undone_at
    )  # fmt: skip
    rows = select(Player.name).join(Duty).where(col(Duty.turn_id).in_(versions), col(Duty.kept).is_(False))
    return list(session.exec(rows.order_by(col(Duty.seat))))


def add_duties(session: Session, turn: Turn, duties: Sequence[tuple[int, int, bool, bool]]) -> None:
    """Write down who owed a move in a step (seat, player), whether it came, whether that is unclear: once a step."""
    rows = [
        {"game_id": turn.game_id, "turn_id": turn.id, "seat": seat, "player_id": player_id, "kept": kept,
         "unclear": unclear}
        for seat, player_id, kept, unclear in duties
    ]  # fmt: skip
    insert_later(session, Duty, rows)
    tell(session, _was_missed, (turn.game_id, turn.id), not all(kept for _, _, kept, _ in duties))


@asked_once(Duty, about_game=True)
def _was_missed(session: Session, _game_id: int, turn_id: int) -> bool:
    rows = select(Duty.id).where(Duty.turn_id == turn_id, col(Duty.kept).is_(False))
    return session.exec(rows).first() is not None


def missed_rounds(session: Session, game: Game) -> dict[int, list[int]]:
    """List by seat the rounds that were closed without a move of whoever sat there."""
    found: dict[int, list[int]] = {}
    for duty in _duties(session, game):
        before = None if duty.kept else turn_before(session, session.get_one(Turn, duty.turn_id))
        if before is not None:
            found.setdefault(duty.seat, []).append(before.round)
    return found


def _by_person(duties: Sequence[Owed]) -> dict[tuple[int, int], Record]:
    found: dict[tuple[int, int], Record] = {}
    for duty in duties:
        person = (duty.seat, duty.player_id)
        found[person] = found.get(person, Record()).after(duty)
    return found


def _duties(session: Session, game: Game, until: Turn | None = None) -> Sequence[Owed]:
    duties = _owed_in(session, game.id)
    return duties if until is None else [duty for duty in duties if duty.turn_id <= until.id]


@asked_once(Duty, Turn, about_game=True)
def _owed_in(session: Session, game_id: int) -> Sequence[Owed]:
    return _owed(session, col(Duty.game_id) == game_id)


def look_up_duties(session: Session, game_ids: Sequence[int]) -> None:
    """Look up the duties of games in which somebody was silent, for all of them at once."""
    found: dict[int, list[Owed]] = {game_id: [] for game_id in game_ids}
    for duty in _owed(session, col(Duty.game_id).in_(game_ids)) if game_ids else ():
        found[duty.game_id].append(duty)
    for game_id, duties in found.items():
        tell(session, _owed_in, (game_id,), duties)


_OWED: Final = (
    sa.select(*(getattr(Duty, name) for name in Owed._fields))
    .join(Turn, col(Duty.turn_id) == Turn.id)
    .where(col(Turn.undone_at).is_(None))
    .order_by(col(Duty.turn_id), col(Duty.id))
)


def _owed(session: Session, which: sa.ColumnElement[bool]) -> list[Owed]:
    """List duties in their order, but those of closings that were taken back."""
    session.flush()
    return [Owed(*row) for row in session.connection().execute(_OWED.where(which))]


def record_of(session: Session, player_id: int) -> Record:
    """Count a person's duties over all games."""
    record = Record()
    for duty in _owed(session, col(Duty.player_id) == player_id):
        record = record.after(duty)
    return record


def watchers(session: Session, game: Game) -> Sequence[Player]:
    """List who gets a game's bulletins as spectators see it."""
    return watchers_of(session, game.id)


@asked_once(Watcher, Player, about_game=True)
def watchers_of(session: Session, game_id: int) -> Sequence[Player]:
    """List who watches a game, by its id."""
    rows = select(Player).join(Watcher).where(Watcher.game_id == game_id).order_by(col(Watcher.id))
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
    if not has_press(session, game.id):
        return []
    rows = select(Press).where(Press.game_id == game.id, col(Press.turn_id).is_(None))
    return session.exec(rows.order_by(col(Press.received_at), col(Press.id))).all()


@asked_once(Press, about_game=True)
def has_press(session: Session, game_id: int) -> bool:
    """Say whether anybody ever had something to say in a game."""
    return session.exec(select(Press.id).where(Press.game_id == game_id)).first() is not None


def press_in(session: Session, turn: Turn) -> Sequence[tuple[Press, Player]]:
    """List the press of a step's bulletin with who wrote it."""
    if not has_press(session, turn.game_id):
        return []
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


def was_ever_undone(session: Session, game_id: int) -> bool:
    """Say whether any step of a game was taken back."""
    rows = select(Turn.id).where(Turn.game_id == game_id, col(Turn.undone_at).is_not(None))
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


def last_version(session: Session, game: Game, number: int) -> int:
    """Say how many versions of a step there are, undone ones included."""
    return max((step.version for step in steps(session, game.id, number)), default=0)


def round_before(session: Session, turn: Turn) -> int | None:
    """Say in which round the step was that a step was made from, None for the first."""
    earlier = (step for step in steps(session, turn.game_id, turn.number - 1) if step.id < turn.id)
    last = max(earlier, key=lambda step: step.id, default=None)
    return last.round if last else None


class Step(NamedTuple):
    """A version of a step, without what happened in it."""

    id: int
    version: int
    kind: str
    round: int
    released_at: datetime | None


STEP: Final = [col(getattr(Turn, name)) for name in Step._fields]


def add_steps(session: Session, made: Sequence[tuple[Game, Turn]]) -> None:
    """Add steps and let their games stand at them. What they were made from is known without another look."""
    before = {(game.id, turn.number - 1): steps(session, game.id, turn.number - 1) for game, turn in made}
    for game, turn in made:
        game.turn, game.version, game.round = turn.number, turn.version, turn.round
    session.add_all([row for pair in made for row in pair])
    session.flush()
    for key, known in before.items():
        tell(session, steps, key, known)


@asked_once(Turn, about_game=True)
def steps(session: Session, game_id: int, number: int) -> Sequence[Step]:
    """List the versions of a step, undone ones included."""
    rows = sa.select(*STEP).where(col(Turn.game_id) == game_id, col(Turn.number) == number)
    return [Step(*row) for row in session.connection().execute(rows)]


def heard_of(session: Session, games: Sequence[Game]) -> dict[int, set[int]]:
    """Tell which seats have moved in the present round of these games: a sheet on file, or a step of their own."""
    ids = [game.id for game in games]
    rows = select(Sheet.game_id, Sheet.seat).join(Game).where(
        col(Sheet.game_id).in_(ids), Sheet.round == Game.round, col(Sheet.withdrawn_at).is_(None)
    )  # fmt: skip
    found: dict[int, set[int]] = {}
    for game_id, seat in session.exec(rows.distinct()):
        found.setdefault(game_id, set()).add(seat)
    acted = set(session.exec(select(Turn.game_id).where(col(Turn.game_id).in_(ids), Turn.kind == "act").distinct()))
    for game in games:
        if game.id in acted:
            found.setdefault(game.id, set()).update(acted_in(session, game))
    return found


def acted_in(session: Session, game: Game) -> set[int]:
    """Tell which seats made a step of their own in the present round, though it isn't closed."""
    rows = select(Turn.kind, Turn.round, Turn.input).where(Turn.game_id == game.id, col(Turn.undone_at).is_(None))
    seats: set[int] = set()
    stood = 0
    for kind, round_, given in session.exec(rows.order_by(col(Turn.number), col(Turn.version))):
        if kind == "act" and stood == game.round:  # the step that ends a round stands in the next one
            seats.add(int(given["seat"]))
        stood = round_
    return seats


def left_behind(session: Session, game_ids: Sequence[int]) -> dict[int, set[int]]:
    """Tell which empty seats games go on without."""
    resigned = select(Turn).where(
        col(Turn.game_id).in_(game_ids), Turn.kind == "resign", col(Turn.undone_at).is_(None)
    )  # fmt: skip
    found: dict[int, set[int]] = {}
    for turn in session.exec(resigned.order_by(col(Turn.id))):
        number = int(turn.input["seat"])
        taken = select(Seat.id).where(Seat.game_id == turn.game_id, Seat.number == number, col(Seat.until).is_(None))
        if session.exec(taken).first() is None:
            found.setdefault(turn.game_id, set()).add(number)
    return found


def records_of(session: Session, player_id: int) -> dict[int, Record]:
    """Count a person's duties by game."""
    found: dict[int, Record] = {}
    for duty in _owed(session, col(Duty.player_id) == player_id):
        found[duty.game_id] = found.get(duty.game_id, Record()).after(duty)
    return found


def unreleased(session: Session, game_ids: Sequence[int]) -> set[int]:
    """Find those of these games whose last bulletin waits for the GM."""
    rows = select(Game.id).join(Turn, (col(Turn.game_id) == Game.id) & (col(Turn.number) == Game.turn)).where(
        col(Game.id).in_(game_ids), col(Turn.version) == Game.version, col(Turn.released_at).is_(None)
    )  # fmt: skip
    return set(session.exec(rows))
