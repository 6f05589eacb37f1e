"""What everybody may know of a game, by its rows: which steps, the rounds that these closed, and the deadline."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol, TypeVar

from games.api import Text, Unit, say

HEADINGS: Final[Mapping[Unit, str]] = {"round": "ARCHIVE_ROUND", "turn": "ARCHIVE_TURN", "deal": "ARCHIVE_DEAL"}


class Row(Protocol):
    """A step: a `Turn`, or as much of one as is asked for here."""

    @property
    def number(self) -> int: ...
    @property
    def version(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def published_at(self) -> datetime | None: ...


Step = TypeVar("Step", bound=Row)


def known(steps: Iterable[Step], turn: int | None, version: int) -> list[Step]:
    """Follow a game from its start to where it stands, by steps that weren't taken back and that everybody may know.

    Of each step the last version counts; `steps` come by number and version, `turn` and `version` are the game's.
    """
    standing = {
        step.number: step for step in steps
        if step.published_at is not None
        and turn is not None and (step.number < turn or (step.number == turn and step.version <= version))
    }  # fmt: skip
    return [step for _, step in sorted(standing.items())]


def rounds(steps: Sequence[Step], *, is_over: bool) -> tuple[dict[int, list[Step]], list[Step]]:
    """Part known steps by the round that they end, 0 being the start, and give those of a round that goes on.

    A game may begin with a round 0, in which everybody chooses something: with it ends the start.
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
    """Give the ZAT of a game whose last bulletin went out: none while the GM has to decide, or after the end."""
    return zat if status == "running" and not held else None
