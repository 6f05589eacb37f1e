"""Move blocks in mails: whose they are, and what they come to in the present position."""

from dataclasses import dataclass
from typing import Any

from games.api import MoveBlock, Sheet, Text
from games.api import Seat as SeatNumber
from gm.commands.request import Request, find_game
from gm.game import moves_on_file, word_judge
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge
from gm.runtime.errors import PlayerError
from gm.store.tables import Game, Seat
from parsers.commands import commands
from parsers.commands.eriwan import STAND_LINE


@dataclass(frozen=True, kw_only=True)
class Block:
    """The lines of a move, and the seat that they are for."""

    game: Game
    seat: Seat
    lines: MoveBlock
    names_round: bool = False
    """Whether it says which round it is for."""
    stand: int | None = None
    """The number of the position that it is for, where it says so."""
    remarks: tuple[Text, ...] = ()
    """What the answer says beside the move: how the game was found, where the mail doesn't name it."""


@dataclass(frozen=True, kw_only=True)
class ReadBlock:
    """A block of a running game, read by its rules."""

    block: Block
    at: Position
    own: Any | None
    """The move that the seat has on file."""
    sheet: Sheet[Any]
    judge: Judge

    @property
    def number(self) -> SeatNumber:
        """The seat's number."""
        return SeatNumber(self.block.seat.number)


def read_block(request: Request, block: Block) -> ReadBlock:
    """Read a block for a seat of a running game."""
    game, seat = block.game, SeatNumber(block.seat.number)
    at = position(request.app, request.session, game)
    own = moves_on_file.move_on_file(request.session, game, at, seat)
    judge = word_judge.judge(request.app, request.session, game)
    return ReadBlock(block=block, at=at, own=own, sheet=at.engine.read(at.state, seat, block.lines, judge, own),
                     judge=judge)  # fmt: skip


def seat_of(request: Request, orders: commands.Orders, who: str = "") -> tuple[Game, Seat]:
    """Find the game and the seat that a block is for. Raises PlayerError."""
    game, _ = find_game(request, orders.game, orders)
    return game, request.seat_in(game, orders.player_name or who)


def find_untitled(request: Request) -> Block | None:
    """Find free lines that are a move without its title, in the game that subject, thread or the only seat names.

    They must be a complete move. A single word beside other text never counts as one: it may be a name.
    """
    paragraphs = () if request.reading.is_forward or not request.players else request.reading.paragraphs
    readable = [lines for lines in paragraphs if len(paragraphs) == 1 or not _is_a_word(lines)]
    if not readable:
        return None
    try:
        game, found_by = find_game(request, "", commands.Orders())
        seat = request.seat_in(game)
    except PlayerError:
        return None
    if game.status != "running":
        return None
    at = position(request.app, request.session, game)
    if seat.number not in at.engine.due(at.state):
        return None
    remarks = (found_by,) if found_by else ()
    blocks = [_without_title(game, seat, lines, remarks) for lines in readable]
    moves = [block for block in blocks if read_block(request, block).sheet.move is not None]
    return moves[0] if len(moves) == 1 else None


def _is_a_word(lines: MoveBlock) -> bool:
    return len(lines.lines) == 1 and lines.lines[0].isalpha()


def _without_title(game: Game, seat: Seat, lines: MoveBlock, remarks: tuple[Text, ...]) -> Block:
    """Part the lines of a move from the one that names the position."""
    stands = [int(found["number"]) for line in lines.lines if (found := STAND_LINE.fullmatch(line))]
    kept = MoveBlock(lines=tuple(line for line in lines.lines if not STAND_LINE.fullmatch(line)))
    return Block(game=game, seat=seat, lines=kept, stand=stands[0] if stands else None, remarks=remarks)
