"""What everybody may know of a game: its steps, the rounds that these closed, and the deadline.

A step is public when its bulletins have gone out. Steps at the end that only one player saw aren't public.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlmodel import Session, col

from games.api import EVERYONE, Text, Unit, say
from gm.store.json_values import decode_events
from gm.store.tables import Game, Turn

HEADINGS: Final[Mapping[Unit, str]] = {"round": "ARCHIVE_ROUND", "turn": "ARCHIVE_TURN", "deal": "ARCHIVE_DEAL"}


class StepRow(NamedTuple):
    """A step without its big columns."""

    id: int
    game_id: int
    number: int
    version: int
    kind: str
    round: int
    at: datetime
    zat: datetime | None
    released_at: datetime | None
    published_at: datetime | None
    zat_moves: int
    zat_at: datetime | None


Step = TypeVar("Step", Turn, StepRow)


def known(steps: Iterable[Step], turn: int | None, version: int) -> list[Step]:
    """Pick the published steps of a game, up to where it stands; of each step the last version counts.

    `steps` are those that weren't undone, by number and version; `turn` and `version` are the game's.
    """
    if turn is None:
        return []
    return _standing(step for step in steps if step.number < turn or (step.number == turn and step.version <= version))


def _standing(steps: Iterable[Step]) -> list[Step]:
    """Give the last version of each step whose bulletins went out."""
    found = {step.number: step for step in steps if step.published_at is not None}
    return [step for _, step in sorted(found.items())]


def without_private(steps: Sequence[Step], events_of: Callable[[Step], Any]) -> list[Step]:
    """Leave out the last steps that only the player who moved knows: not even their date may show.

    They are public when the round has closed.
    """
    found = list(steps)
    while len(found) > 1 and _is_private(found[-2], found[-1], events_of):
        found.pop()
    return found


def _is_private(before: Step, step: Step, events_of: Callable[[Step], Any]) -> bool:
    if step.kind != "act" or step.round != before.round:
        return False
    return not any(event.readers == EVERYONE for event in decode_events(events_of(step)))


def rounds(steps: Sequence[Step], *, is_over: bool) -> tuple[dict[int, list[Step]], list[Step]]:
    """Group known steps by the round that they end (0: the start), and give those of the round that goes on.

    A game may begin with a round 0, in which everybody chooses something: the start ends with it.
    """
    found: dict[int, list[Step]] = {}
    waiting: list[Step] = []
    before = 0
    for step in steps:
        waiting.append(step)
        if step.kind == "start" or step.round != before or (is_over and step is steps[-1]):
            found.setdefault(before, []).extend(waiting)
            waiting = []
        before = step.round
    return found, waiting


def heading(unit: Unit, number: int) -> Text:
    """Name a round, turn or deal: `Runde 3`; 0 is the start."""
    return say(HEADINGS[unit] if number else "ARCHIVE_START", number=number)


def deadline(zat: datetime | None, status: str, held: str) -> datetime | None:
    """Give the ZAT of a game whose last bulletin went out; None while the GM has to decide, and after the end."""
    return zat if status == "running" and not held else None


# -- where games stand, without reading all steps -------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Known:
    """The last step that everybody knows."""

    number: int
    version: int
    round: int
    since: datetime
    """When its round was published."""
    zat: datetime | None
    """The deadline as it was set before a closing that waits."""
    zat_moves: int
    zat_at: datetime
    """How often the deadline of the round was another one, and since when it is this one."""


STEPS: Final = sa.select(*(col(getattr(Turn, name)) for name in StepRow._fields)).where(col(Turn.undone_at).is_(None))
_LAST_FIRST: Final = STEPS.where(col(Turn.game_id) == sa.bindparam("game")).order_by(
    col(Turn.number).desc(), col(Turn.version).desc()
)
IS_UNPUBLISHED: Final = col(Turn.published_at).is_(None) & col(Turn.undone_at).is_(None)
_IS_ACT: Final = (  # not as a join: SQLite would go through all steps of all games
    sa.select(col(Turn.kind) == "act")
    .where(
        col(Turn.game_id) == col(Game.id), col(Turn.number) == col(Game.turn), col(Turn.version) == col(Game.version)
    )
    .correlate(Game).scalar_subquery()
)  # fmt: skip
_UNSURE: Final = sa.select(col(Game.id)).where(
    col(Game.id).in_(sa.select(col(Turn.game_id)).where(IS_UNPUBLISHED))
    | (col(Game.status).in_(("running", "aborted")) & col(Game.turn).is_not(None) & _IS_ACT.is_(True))
)


def last_known(session: Session, game_id: int) -> Known | None:
    """Find the last step that everybody knows; None where nothing went out yet. Few rows are read, as they are big."""
    read = _last_published(session, game_id)
    published = _standing(read)
    if not published:
        return None
    last = without_private(published, lambda step: _events(session, step.id))[-1]
    first = next(step for step in read if step.round == last.round)
    moves, moved_at = _moves_of_zat([step for step in published if step.round == last.round])
    since = first.released_at or first.at
    return Known(
        number=last.number, version=last.version, round=last.round, since=since,
        zat_moves=moves, zat_at=max([since, *moved_at]),
        zat=published[-1].zat,  # of a private step as well: the GM may have moved it since
    )  # fmt: skip


def _moves_of_zat(steps: Sequence[StepRow]) -> tuple[int, list[datetime]]:
    """Count how often the deadline of a round was another one, and say when.

    A step within the round may have set it as well, and a step that is made again after `gm undo` sets it anew.
    """
    reset = [after for before, after in pairwise(steps) if before.zat != after.zat]
    moves = sum(step.zat_moves + step.version - 1 for step in steps) + len(reset)
    instants = [*(step.released_at or step.at for step in reset), *(step.zat_at for step in steps if step.zat_at)]
    return moves, instants


def _last_published(session: Session, game_id: int) -> list[StepRow]:
    """Read the published steps of the last round and the last one of the round before, by number and version."""
    found: list[StepRow] = []
    with session.connection().execute(_LAST_FIRST, {"game": game_id}) as rows:
        for step in (StepRow(*row) for row in rows):
            found += [step] if step.published_at else []
            if found and found[-1].round != found[0].round:
                break
    return found[::-1]


def unsure(session: Session, among: Collection[int] | None = None) -> Sequence[int]:
    """List the games that may stand at a step that not everybody knows."""
    games = _UNSURE if among is None else _UNSURE.where(col(Game.id).in_(among))
    return list(session.connection().scalars(games))


def _events(session: Session, turn_id: int) -> Any:
    return session.connection().scalar(sa.select(col(Turn.events)).where(col(Turn.id) == turn_id))
