"""Move blocks in mails: whose they are, and what they come to in the present position."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any, Final

from games.api import KEY, MoveBlock, Sheet, Text, say
from games.api import Seat as SeatNumber
from gm.game import moves_on_file, word_judge
from gm.game.people import access
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge
from gm.requests.request import Request, find_game
from gm.runtime.errors import PlayerError
from gm.store.queries import seat_queries
from gm.store.tables import Game, Seat
from parsers import commands
from parsers.lines.blocks import STAND_LINE, plain_lines
from parsers.lines.small_words import Bare, signatures, without_small_words

MOST_PARAGRAPHS: Final = 6
"""A mail with more of them is a letter: they are read as they stand."""


@dataclass(frozen=True, kw_only=True)
class SentMove:
    """A move block, and the seat that it is for."""

    game: Game
    seat: Seat
    block: MoveBlock
    round: int | None = None
    """The round that it is for, where it says so."""
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
    """Read a move for a seat of a running game: as it stands, or without small words if then all of it is a move."""
    reader = _reader(request, sent)
    read = reader.read(sent)
    return reader.read_bare(sent) or read if read.sheet.problems else read


def _reader(request: Request, sent: SentMove) -> "_Reader":
    game, seat = sent.game, SeatNumber(sent.seat.number)
    at = position(request.app, game)
    own = moves_on_file.move_on_file(game, at, seat)
    return _Reader(request=request, at=at, own=own, seat=seat)


@dataclass(frozen=True, kw_only=True)
class _Reader:
    """Reads blocks of one seat in one position."""

    request: Request
    at: Position
    own: Any | None
    seat: SeatNumber

    def read(self, sent: SentMove) -> ReadMove:
        """Read a block as it stands."""
        judge = word_judge.judge(self.request.app, sent.game)
        sheet = self.at.engine.read(self.at.state, self.seat, sent.block, judge, self.own)
        return ReadMove(sent=sent, at=self.at, own=self.own, sheet=sheet, judge=judge)

    def read_bare(self, sent: SentMove) -> ReadMove | None:
        """Read a block without small words; None where the rest is no faultless move, or they may be part of one."""
        is_grid = bool(self.at.engine.rules.grid_rows)
        for bare in without_small_words(sent.block, signs_of(self.request), is_grid=is_grid):
            read = self.read(replace(sent, block=bare.block))
            is_whole = not any(remark.code.startswith("UNREAD") for remark in read.sheet.remarks)
            if read.sheet.move is not None and not read.sheet.problems and is_whole and self._may_go(sent.game, bare):
                return read
        return None

    def _may_go(self, game: Game, bare: Bare) -> bool:
        """Whether no word that was taken off may be a move, and no letter one that the game reads.

        Of `BROT` and `ROSA` nobody knows which is the name. `Rosa` below `BROT` is one.
        """
        judge = word_judge.judge(self.request.app, game)
        rest = "".join(bare.block.lines)
        is_even = rest.isupper() or rest.islower()
        doubtful = [word for word in bare.taken if not (is_even and word.istitle())]
        if any(self._is_move(judge, word) for word in doubtful):
            return False
        has_letter = any(len(name.strip(".")) == 1 for name in bare.names)
        probes = ((*bare.block.lines, sign) for sign in ascii_uppercase if has_letter)
        return not any(self._is_move(judge, *probe) for probe in probes)

    def _is_move(self, judge: Judge, *lines: str) -> bool:
        sheet = self.at.engine.read(self.at.state, self.seat, MoveBlock(lines=lines), judge)
        return sheet.move is not None


def signs_of(request: Request) -> frozenset[str]:
    """Return how the writer of a mail may sign."""
    return signatures(*(player.name for player in request.players), request.mail.sender_name)


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

    They must be a complete move, or look like our block, and then they may be refused. A single word beside other text
    never counts as a move: it may be a name.
    """
    reading = request.reading
    if reading.is_forward or not request.players or not (reading.paragraphs or reading.greeted):
        return None
    try:
        game, found_by = find_game(request, "", commands.Orders())
        seat = request.seat_in(game)
    except PlayerError:
        return None
    if game.status != "running":
        return None
    remarks = (found_by,) if found_by else ()
    paragraphs = (*reading.paragraphs, *reading.greeted)
    like_ours = [sent for one in paragraphs if _is_like_ours(request, sent := _without_title(game, seat, one, remarks))]
    return _untitled_for(request, game, seat, remarks) or (like_ours[0] if len(like_ours) == 1 else None)


def untitled_for_any(request: Request) -> list[SentMove]:
    """List the seats of the sender in whose games the free lines are a move without its title."""
    reading, ids = request.reading, {player.id for player in request.players}
    if reading.is_forward or not (reading.paragraphs or reading.greeted):
        return []
    games = [game for game in access.games_of(request.session, request.players) if game.status == "running"]
    held = [(game, seat) for game in games for seat in seat_queries.seats(game)]
    found = (_untitled_for(request, game, seat, ()) for game, seat in held if seat.player_id in ids)
    return [sent for sent in found if sent]


def _untitled_for(request: Request, game: Game, seat: Seat, remarks: tuple[Text, ...]) -> SentMove | None:
    sent = [_without_title(game, seat, block, remarks) for block in request.reading.paragraphs]
    greeted = [_without_title(game, seat, block, remarks) for block in request.reading.greeted]
    return _only_move(_reader(request, (sent or greeted)[0]), sent, greeted)


def _only_move(reader: "_Reader", sent: Sequence[SentMove], greeted: Sequence[SentMove]) -> SentMove | None:
    """Return the one paragraph that is a move, or all together without small words; greeted ones if alone."""
    if reader.seat not in reader.at.engine.due(reader.at.state):
        return None
    is_letter = len(sent) + len(greeted) > MOST_PARAGRAPHS
    moves = [found for one in sent if (found := _move_in(reader, one, is_alone=len(sent) == 1, is_letter=is_letter))]
    if not moves and not is_letter:
        rest = [_together(sent)] if len(sent) > 1 else [] if sent else greeted
        moves = [found for one in rest if (found := reader.read_bare(one))]
    return moves[0].sent if len(moves) == 1 else None


def _is_like_ours(request: Request, sent: SentMove) -> bool:
    """Whether a line begins as one of the block that we send: `Stand: 3`, `Geheim: ...`."""
    wording = request.app.engine(sent.game.engine).wording
    words = (word for code, said in wording.items() if code.startswith(KEY) for word in said.values())
    keys = tuple(word.casefold() for word in words if word.endswith(":"))
    return sent.stand is not None or any(line.casefold().startswith(keys) for line in sent.block.lines)


def _move_in(reader: "_Reader", sent: SentMove, *, is_alone: bool, is_letter: bool) -> ReadMove | None:
    """Read a paragraph that is a move; beside others a single word is none."""
    if not is_alone and _is_a_word(sent.block):
        return None
    read = reader.read(sent)
    bare = reader.read_bare(sent) if read.sheet.problems and not is_letter else None
    if bare and (is_alone or not _is_a_word(bare.sent.block)):
        return bare
    return read if read.sheet.move is not None else None


def _together(sent: Sequence[SentMove]) -> SentMove:
    """Put paragraphs together: a name may stand below the move."""
    lines = tuple(line for one in sent for line in one.block.lines)
    stand = next((one.stand for one in sent if one.stand is not None), None)
    return replace(sent[0], block=MoveBlock(lines=lines), stand=stand)


def _is_a_word(block: MoveBlock) -> bool:
    return len(block.lines) == 1 and block.lines[0].isalpha()


def _without_title(game: Game, seat: Seat, block: MoveBlock, remarks: tuple[Text, ...]) -> SentMove:
    """Part the lines of a move from the one that names the position."""
    stands = [int(found["number"]) for line in block.lines if (found := STAND_LINE.fullmatch(line))]
    kept = plain_lines([line for line in block.lines if not STAND_LINE.fullmatch(line)])
    return SentMove(
        game=game, seat=seat, block=MoveBlock(lines=kept), stand=stands[0] if stands else None, remarks=remarks
    )
