"""Several blocks in one mail: where they are for the same seat, only equal ones can count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.api import Seat as SeatNumber
from gm.game import moves_on_file, word_judge
from gm.game.position import position
from gm.requests.moves import blocks
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from gm.store.tables import Game, Seat
from parsers import commands
from parsers.lines.command_lines import ReadCommand


@dataclass(frozen=True, kw_only=True)
class _OfSeat:
    """The blocks of a mail that are for one seat, by their places among its commands."""

    game: Game
    seat: Seat
    orders: dict[int, commands.Orders] = field(default_factory=dict)


def compare_blocks(request: Request, all_said: Sequence[ReadCommand]) -> tuple[set[int], list[Game]]:
    """Find where one mail holds several blocks for a seat: different ones clash, as nobody can know which one counts.

    Of equal ones the first is enough. Our template, sent back as it was, is none. Returns the places of the commands to
    skip, and the games in which blocks clash.
    """
    skipped: set[int] = set()
    clashing: list[Game] = []
    for of_seat in _by_seat(request, all_said):
        if len(of_seat.orders) == 1:
            continue
        moved = _moves(request, of_seat)
        counting = [at for at, move in moved.items() if move is not None] or list(moved)[:1]
        if any(moved[at] != moved[counting[0]] for at in counting):
            skipped.update(moved)
            clashing.append(of_seat.game)
        else:
            skipped.update(moved.keys() - {counting[0]})
    return skipped, clashing


def _by_seat(request: Request, all_said: Sequence[ReadCommand]) -> Sequence[_OfSeat]:
    """Group the blocks of a mail by seat."""
    found: dict[int, _OfSeat] = {}
    for at, said in enumerate(all_said):
        if isinstance(said.command, commands.Orders):
            try:
                game, seat = blocks.seat_of(request, said.command, said.player_name or request.reading.player_name)
            except PlayerError:
                continue  # it is answered when it is carried out
            found.setdefault(seat.id, _OfSeat(game=game, seat=seat)).orders[at] = said.command
    return list(found.values())


def _moves(request: Request, of_seat: _OfSeat) -> dict[int, Any]:
    """Read the blocks for a seat: the move, or a block as it stands where it isn't one. None: nothing was entered.

    A block completes the first one that entered something: one with only the wish leaves its grid.
    """
    game, seat = of_seat.game, SeatNumber(of_seat.seat.number)
    if game.status != "running":
        return {at: orders.block for at, orders in of_seat.orders.items()}
    at_now = position(request.app, game)
    judge = word_judge.judge(request.app, game)
    own, has_first = moves_on_file.move_on_file(game, at_now, seat), False
    moved: dict[int, Any] = {}
    for at, orders in of_seat.orders.items():
        sheet = at_now.engine.read(at_now.state, seat, orders.block, judge, own)
        is_empty = sheet.move is None and not sheet.problems
        moved[at] = None if is_empty else sheet.move or orders.block
        if not is_empty and not has_first:
            own, has_first = sheet.move or own, True
    return moved
