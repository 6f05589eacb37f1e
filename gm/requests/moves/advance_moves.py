"""Moves that are sent before a seat's turn (`Vorab`): filed, shown to their sender, and to nobody else."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from games import AnyEngine
from games.api import MoveBlock, Sheet, Text, say
from games.api import Seat as SeatNumber
from games.optional_parts import ReadsAhead
from gm.game import moves_on_file
from gm.game.position import position
from gm.messages import game_mails
from gm.requests.declared import by_mail
from gm.requests.moves import filing
from gm.requests.moves.blocks import ReadMove, SentMove, read_move, signs_of
from gm.requests.request import Request, find_game
from gm.runtime.errors import PlayerError
from gm.store.queries import turn_queries
from gm.store.tables import Game, Seat
from parsers import commands
from parsers.lines import arguments
from parsers.lines.small_words import without_small_words

MOST: Final = 3
"""So many blocks may be sent for a turn."""


@by_mail(commands.Advance, "ADVANCE", takes=arguments.advance)
def take_advance(request: Request, command: commands.Advance) -> None:
    """File blocks for the sender's next turn. Raises PlayerError where that can't be.

    A seat that is on turn already is shown the block that would count now: a move can't be taken back, and this one may
    be meant for the turn after.
    """
    game, found_by = find_game(request, command.game, command.heading)
    request.note_game(game)
    seat, engine = request.own_seat(game, command.player_name), request.app.engine(game.engine)
    _check_game(game, engine, command)
    blocks = [_bare(request, engine, block) for block in command.blocks]
    kept, problems, remarks = _sorted(engine, blocks)
    if not kept:
        raise PlayerError(say("ADVANCE_EMPTY", title=engine.rules.title, game=game.name))
    at = position(request.app, game)
    if problems:
        _answer(request, game, seat, problems=problems)
        request.refused = True
    elif seat.number in at.engine.due(at.state):
        _offer(request, game, seat, kept)
    else:
        _file(request, game, seat, kept, ([found_by] if found_by else []) + remarks)


def _check_game(game: Game, engine: AnyEngine, command: commands.Advance) -> None:
    """Raise PlayerError where no move can be sent ahead."""
    if command.title_key not in ("", game.engine):
        raise PlayerError(say("OTHER_TITLE", title=engine.rules.title, game=game.name))
    if not engine.rules.in_turns:
        raise PlayerError(say("ADVANCE_NOT_HERE", game=game.name))
    if game.status != "running":
        raise PlayerError(say("NOT_STARTED" if game.status == "open" else "GAME_OVER", game=game.name))


def _sorted(engine: AnyEngine, sent: Sequence[MoveBlock]) -> tuple[list[MoveBlock], list[Text], list[Text]]:
    """Return the blocks that may be moves, at most three, then what can't be read in them, and remarks.

    A later paragraph without a line of a move is prose that stands below them. It may as well be a move gone wrong,
    so nobody else gets it.
    """
    kept: list[MoveBlock] = []
    problems: list[Text] = []
    remarks: list[Text] = []
    for block in sent:
        misread = engine.misread(block) if isinstance(engine, ReadsAhead) else ()
        if kept and len(misread) == len(block.lines):
            remarks.append(say("ADVANCE_PROSE", line=block.lines[0]))
        else:
            kept.append(block)
            problems += misread
    if len(kept) > MOST:
        remarks.append(say("ADVANCE_TOO_MANY", most=MOST))
    return kept[:MOST], problems, remarks


def _bare(request: Request, engine: AnyEngine, block: MoveBlock) -> MoveBlock:
    """Leave out small words around moves, where all lines can be read then and no such word could be a move itself."""
    if not (isinstance(engine, ReadsAhead) and engine.misread(block)):
        return block
    for bare in without_small_words(block, signs_of(request), is_grid=bool(engine.rules.grid_rows)):
        may_go = all(engine.misread(MoveBlock(lines=(word,))) for word in bare.taken)
        if may_go and not engine.misread(bare.block):
            return bare.block
    return block


def _offer(request: Request, game: Game, seat: Seat, blocks: Sequence[MoveBlock]) -> None:
    """Answer that it is the sender's turn, with the block that can be played now; `Ja` plays it."""
    read = [read_move(request, SentMove(game=game, seat=seat, block=block)) for block in blocks]
    legal = next((one for one in read if one.sheet.move is not None and not one.sheet.doubtful), None)
    best: ReadMove = legal or read[0]
    sheet: Sheet[object] = best.sheet
    offer = best.sent.block.lines if legal else sheet.offer
    problems = (say("ADVANCE_ON_TURN", game=game.name), *sheet.problems)
    filing.reject(request, replace(best, sheet=replace(sheet, move=None, problems=problems, offer=offer)))


def _file(
    request: Request, game: Game, seat: Seat, blocks: Sequence[MoveBlock], remarks: Sequence[Text]
) -> None:  # fmt: skip
    session, number = request.session, SeatNumber(seat.number)
    before = moves_on_file.advance_move(game, number)
    if (before and before.received_at > request.received) or _has_moved_since(request, game, number):
        raise PlayerError(say("LATER_MOVE_COUNTS", game=game.name))
    moves_on_file.file_advance_move(session, game, seat, blocks, request.received, request.row.id)
    withdraw = game_mails.withdraw_link(request.app, session, game, number, request.language)
    _answer(request, game, seat, problems=(), blocks=[block.lines for block in blocks], remarks=remarks,
            replaced=before is not None, received=request.received, withdraw=withdraw)  # fmt: skip
    request.applied = True


def _has_moved_since(request: Request, game: Game, seat: SeatNumber) -> bool:
    """Whether a mail waited for its sender's word until the turn that it was for was over."""
    if request.answered is None:
        return False
    acts = [one for one in turn_queries.turns(request.session, game) if one.kind == "act" and one.undone_at is None]
    sent_with_it = any(isinstance(one.command, commands.Orders) for one in request.reading.commands)
    return not sent_with_it and any(one.at > request.received and one.input["seat"] == seat for one in acts)


def _answer(request: Request, game: Game, seat: Seat, **context: Any) -> None:
    """Answer about an advance move. Neither the subject nor the log says so: a GM who plays reads both."""
    request.parts.append(replace(request.part("advance", game, seat.number, **context), logged_as="notice"))
