"""Move blocks in mails: whose they are, and what they come to in the present position."""

from dataclasses import dataclass
from typing import Any

from games.api import MoveBlock, Sheet, Text, say
from games.api import Seat as SeatNumber
from gm.game import moves_on_file, word_judge
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge
from gm.players import access
from gm.requests.request import Request, find_game
from gm.runtime.errors import PlayerError
from gm.store.tables import Game, Seat
from parsers import commands
from parsers.lines.blocks import STAND_LINE


@dataclass(frozen=True, kw_only=True)
class SentMove:
    """A move block, and the seat that it is for."""

    game: Game
    seat: Seat
    block: MoveBlock
    names_round: bool = False
    """Whether it says which round it is for."""
    stand: int | None = None
    """The number of the position that it is for, where it says so."""
    remarks: tuple[Text, ...] = ()
    """What the answer says beside the move: how the game was found, where the mail doesn't name it."""


@dataclass(frozen=True, kw_only=True)
class ReadMove:
    """A move as the rules of its game read it."""

    sent: SentMove
    at: Position
    own: Any | None
    """The move that the seat has on file."""
    sheet: Sheet[Any]
    judge: Judge

    @property
    def number(self) -> SeatNumber:
        """The seat's number."""
        return SeatNumber(self.sent.seat.number)


def read_move(request: Request, sent: SentMove) -> ReadMove:
    """Read a move for a seat of a running game."""
    game, seat = sent.game, SeatNumber(sent.seat.number)
    at = position(request.app, request.session, game)
    own = moves_on_file.move_on_file(request.session, game, at, seat)
    judge = word_judge.judge(request.app, request.session, game)
    sheet = at.engine.read(at.state, seat, sent.block, judge, own)
    return ReadMove(sent=sent, at=at, own=own, sheet=sheet, judge=judge)


def game_of(request: Request, orders: commands.Orders) -> tuple[Game, Text | None]:
    """Find the game that a block is for, and a remark that says how, where its title doesn't. Raises PlayerError.

    A title `Crossword Riga`, where Riga is another game, means Riga or the sender's only Crossword: the one in which
    the block is a move. Where it is one in both or in none, nobody knows.
    """
    named, found_by = find_game(request, orders.game, orders)
    if orders.title_key in ("", named.engine):
        return named, found_by
    title = request.app.engine(named.engine).rules.title
    of_kind = [one for one in access.games_of(request.session, request.players) if one.engine == orders.title_key]
    fitting = [one for one in (named, *of_kind[:1]) if len(of_kind) <= 1 and _is_move(request, one, orders)]
    if len(fitting) != 1:
        raise PlayerError(say("OTHER_TITLE", title=title, game=named.name))
    return fitting[0], say("TAKEN_DESPITE_TITLE", title=title, named=named.name, game=fitting[0].name)


def _is_move(request: Request, game: Game, orders: commands.Orders) -> bool:
    """Whether a block is a faultless move of the sender's in a running game."""
    try:
        seat = request.seat_in(game, orders.player_name)
    except PlayerError:
        return False
    if game.status != "running":
        return False
    sheet = read_move(request, SentMove(game=game, seat=seat, block=orders.block)).sheet
    return sheet.move is not None and not sheet.problems


def seat_of(request: Request, orders: commands.Orders, who: str = "") -> tuple[Game, Seat]:
    """Find the game and the seat that a block is for. Raises PlayerError."""
    game, _ = game_of(request, orders)
    return game, request.seat_in(game, orders.player_name or who)


def find_untitled(request: Request) -> SentMove | None:
    """Find free lines that are a move without its title, in the game that subject, thread or the only seat names.

    They must be a complete move. A single word beside other text never counts as one: it may be a name.
    """
    paragraphs = () if request.reading.is_forward or not request.players else request.reading.paragraphs
    readable = [block for block in paragraphs if len(paragraphs) == 1 or not _is_a_word(block)]
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
    sent = [_without_title(game, seat, block, remarks) for block in readable]
    moves = [one for one in sent if read_move(request, one).sheet.move is not None]
    return moves[0] if len(moves) == 1 else None


def _is_a_word(block: MoveBlock) -> bool:
    return len(block.lines) == 1 and block.lines[0].isalpha()


def _without_title(game: Game, seat: Seat, block: MoveBlock, remarks: tuple[Text, ...]) -> SentMove:
    """Part the lines of a move from the one that names the position."""
    stands = [int(found["number"]) for line in block.lines if (found := STAND_LINE.fullmatch(line))]
    kept = MoveBlock(lines=tuple(line for line in block.lines if not STAND_LINE.fullmatch(line)))
    return SentMove(game=game, seat=seat, block=kept, stand=stands[0] if stands else None, remarks=remarks)
