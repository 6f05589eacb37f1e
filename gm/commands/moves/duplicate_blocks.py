"""Several blocks in one mail: where they are for the same seat, only equal ones can count."""

from collections.abc import Sequence
from typing import Any

from games.api import Seat as SeatNumber
from gm.commands.moves import moves
from gm.commands.request import Incoming
from gm.game import moves_on_file, word_judge
from gm.game.position import position
from gm.runtime.errors import PlayerError
from gm.store.tables import Game, Seat
from parsers.commands import commands
from parsers.commands.command_lines import ReadCommand


def compare_blocks(incoming: Incoming, all_said: Sequence[ReadCommand]) -> tuple[set[int], list[Game]]:
    """Find where one mail holds several blocks for a seat: different ones clash, as nobody can know which one counts.

    Of equal ones the first is enough, and our template, sent back as it was, is none. Returns which commands to skip,
    and the games that clash.
    """
    by_seat: dict[int, list[int]] = {}
    found: dict[int, tuple[Game, Seat]] = {}
    for at, said in enumerate(all_said):
        if isinstance(said.command, commands.Orders):
            try:
                game, seat = moves.own_game(incoming, said.command, said.player_name or incoming.reading.player_name)
            except PlayerError:
                continue  # it is answered when it is carried out
            by_seat.setdefault(seat.id, []).append(at)
            found[seat.id] = game, seat
    skipped: set[int] = set()
    clashing: list[Game] = []
    for seat_id, places in by_seat.items():
        if len(places) == 1:
            continue
        moved: dict[int, Any] = {}
        for at in places:
            before = next((essence for essence in moved.values() if essence is not None), None)
            moved[at] = _essence(incoming, *found[seat_id], all_said[at].command, before)
        counting = [at for at in places if moved[at] is not None] or places[:1]
        is_clash = any(moved[at] != moved[counting[0]] for at in counting)
        skipped.update(places if is_clash else {*places} - {counting[0]})
        clashing += [found[seat_id][0]] if is_clash else []
    return skipped, clashing


def _essence(incoming: Incoming, game: Game, seat: Seat, command: Any, before: Any) -> Any:
    """Say what a block comes to, for comparison; None: nothing was entered.

    `before` is what the block above it comes to: a second one with the wish only leaves its grid.
    """
    if game.status != "running":
        return command.block
    at = position(incoming.app, incoming.session, game)
    words = word_judge.judge(incoming.app, incoming.session, game)
    own = (
        before
        if isinstance(before, at.engine.move_type)
        else moves_on_file.move_on_file(incoming.session, game, at, seat.number)
    )
    sheet = at.engine.read(at.state, SeatNumber(seat.number), command.block, words, own)
    if sheet.move is None and not sheet.problems:
        return None
    return sheet.move or command.block
