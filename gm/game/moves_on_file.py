"""The moves on file: sheets for the present round, and advance moves for when a seat's turn comes.

Sheets are added and withdrawn, never changed; a seat's last one counts. Of advance moves a seat has one set open, of
which nobody but its player may learn before it is played.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlmodel import Session

from games.api import MoveBlock, Sheet, Text, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import closing_time, word_judge
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge
from gm.messages import questions
from gm.messages.questions import About
from gm.store import game_file
from gm.store.json_values import decode, encode
from gm.store.queries import player_queries, question_queries, sheet_queries
from gm.store.tables import AdvanceMove, Game, Seat, Turn
from gm.store.tables import Sheet as SheetRow


def move_on_file(game: Game, at: Position, seat: int) -> Any | None:
    """Find the move that a seat has on file, as its engine knows it."""
    sheet = sheet_queries.sheets_on_file(game).get(seat)
    return decode(at.engine.move_type, sheet.move) if sheet else None


@dataclass(frozen=True, kw_only=True)
class Received:
    """A block of a move, and how it came."""

    block: MoveBlock
    at: datetime
    mail_id: int | None = None
    """None: the GM has typed it in."""


def file_sheet(
    app: App, session: Session, game: Game, at: Position, seat: Seat, sheet: Sheet[Any], received: Received
) -> None:  # fmt: skip
    """Add a sheet: the last one before the closing counts. What we offered to file before it is settled."""
    questions.close_readings(session, game, seat.number, received.at, "moved")
    sheet_queries.add_sheet(session, game, SheetRow(
        game_id=game.id, seat=seat.number, round=game.round, player_id=seat.player_id, mail_id=received.mail_id,
        received_at=received.at, lines=list(received.block.lines), move=encode(at.engine.move_type, sheet.move),
        complete=not sheet.wanted,
    ))  # fmt: skip
    if question_queries.questions_about(game, question_queries.OFFER, question_queries.VACANCY):
        game_file.touch(session, game)  # perhaps nobody else is needed for this seat any more
    else:
        closes_at = closing_time.closing_instant(app, session, game, at)
        game_file.touch_for_later(session, game, closes_at + closing_time.SECOND if closes_at else None)


def withdraw(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """Withdraw every sheet of a seat in this round; False where there is none."""
    questions.close_readings(session, game, seat.number, now, "withdrawn")
    on_file = sheet_queries.sheets_of_seat(game, seat.number)
    for sheet in on_file:
        sheet.withdrawn_at = now
    if on_file:
        game_file.touch(session, game, Game.sheets)
    return bool(on_file)


# -- advance moves -----------------------------------------------------------------------------------------------------

Ended: TypeAlias = Literal["played", "failed", "replaced", "withdrawn"]


def file_advance_move(
    session: Session, game: Game, seat: Seat, blocks: Sequence[MoveBlock], received: datetime, mail_id: int
) -> bool:
    """File blocks for when a seat's turn comes; returns whether they replace earlier ones."""
    replaced = end_advance_move(session, game, seat.number, received, "replaced")
    session.add(AdvanceMove(
        game_id=game.id, seat=seat.number, player_id=seat.player_id, mail_id=mail_id, received_at=received,
        blocks=[list(block.lines) for block in blocks],
    ))  # fmt: skip
    game_file.touch(session, game, Game.advance_moves)
    return replaced


def advance_move(game: Game, seat: int) -> AdvanceMove | None:
    """Return what a seat has on file for its turn."""
    return sheet_queries.advance_moves(game).get(seat)


def end_advance_move(
    session: Session, game: Game, seat: int, now: datetime, how: Ended, turn: Turn | None = None
) -> bool:
    """Note that what a seat has on file for its turn is played no more; False where there is nothing."""
    row = advance_move(game, seat)
    if row is None:
        return False
    row.ended_at, row.ended, row.turn_id = now, how, turn.id if turn else None
    game_file.touch(session, game, Game.advance_moves)
    return True


def give_advance_moves_back(
    session: Session, game: Game, undone: Collection[Turn], now: datetime
) -> Mapping[int, Sequence[Sequence[str]]]:
    """Put the advance moves that ended with steps taken back on file again; returns their blocks by seat.

    One that was played comes back in place of what its seat has sent since, which was for the positions taken back.
    """
    given: dict[int, Sequence[Sequence[str]]] = {}
    for row in sheet_queries.advance_moves_ended(session, [turn.id for turn in undone]):
        if row.ended == "played":
            end_advance_move(session, game, row.seat, now, "replaced")
        if advance_move(game, row.seat) is None:
            row.ended_at, row.ended, row.turn_id = None, "", None
            game_file.touch(session, game, Game.advance_moves)
            given[row.seat] = row.blocks
    return given


@dataclass(frozen=True, kw_only=True)
class TriedMove:
    """What came of an advance move when its seat's turn had come; for its player alone."""

    seat: SeatNumber
    faults: Sequence[tuple[Sequence[str], Sequence[Text]]]
    """The blocks that can't be played, each with why."""
    played: Sequence[str] = ()
    """The lines of the one that is played; none where none is."""
    move: Any | None = None
    judge: Judge | None = None


def try_advance_move(app: App, session: Session, game: Game) -> TriedMove | None:
    """Find the first block that is legal now and has no doubtful word, for a seat that is due; None if none is on file.

    Where no block is, the seat has nothing on file any more. Which words are asked for a block that isn't played is
    written down nowhere.
    """
    if game.status != "running" or not app.engine(game.engine).rules.in_turns:
        return None
    rows = sheet_queries.advance_moves(game)
    at = position(app, game) if rows else None
    seat = next((seat for seat in sorted(at.engine.due(at.state)) if seat in rows), None) if at else None
    if at is None or seat is None:
        return None
    faults: list[tuple[Sequence[str], Sequence[Text]]] = []
    for lines in rows[seat].blocks:
        judge = word_judge.judge(app, game)
        sheet = at.engine.read(at.state, seat, MoveBlock(lines=tuple(lines)), judge)
        if not (why := _why_not(sheet)):
            return TriedMove(seat=seat, played=lines, faults=faults, move=sheet.move, judge=judge)
        faults.append((lines, why))
    end_advance_move(session, game, seat, app.now(), "failed", at.turn)
    return TriedMove(seat=seat, faults=faults)


def _why_not(sheet: Sheet[Any]) -> Sequence[Text]:
    if sheet.problems:
        return sheet.problems
    if sheet.doubtful:
        return (say("ADVANCE_DOUBTFUL", words=", ".join(sheet.doubtful)),)
    return sheet.wanted if sheet.move is not None else (say("ADVANCE_NO_MOVE"),)


def note_reading(
    app: App, session: Session, about: About, at: Position, seat: SeatNumber, lines: Sequence[str], judge: Judge
) -> bool:
    """Note the block that a mail to a seat's player offers; returns whether a `Ja` to that mail files it.

    It doesn't where the block isn't a whole move, or none is due. An earlier reading is replaced in any case.
    `about` says which mail it is, by its cause.
    """
    game, player = about.game, about.player
    assert game is not None
    assert player is not None
    questions.close_readings(session, game, seat, app.now(), "replaced")
    if seat not in at.engine.due(at.state):
        return False
    own = move_on_file(game, at, seat)
    sheet = at.engine.read(at.state, seat, MoveBlock(lines=tuple(lines)), judge, own)
    if sheet.move is None or sheet.problems:
        return False
    payload = {
        "seat": seat, "round": game.round, "stand": at.engine.stand(at.state, seat), "lines": list(lines),
        "cause": about.cause,
    }  # fmt: skip
    address = player_queries.address_of(session, player.id)
    questions.add(app, session, question_queries.READING, payload, about, address=address)
    return True
