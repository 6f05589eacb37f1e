"""Moves by mail: blocks are read, filed or refused; late ones are told so; withdrawn ones are taken back."""

from dataclasses import dataclass, replace
from typing import Any

from games.api import MoveBlock, Sheet, Text, say
from games.api import Seat as SeatNumber
from gm.commands import joining
from gm.commands.moves import late_moves, moves_on_hold
from gm.commands.request import Incoming, game_meant, running_seat
from gm.game import closing_time, moves_on_file, seats, steps, word_judge
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import step_of
from gm.game.position import Position, is_released, position
from gm.lexicon.lexicon import Judge
from gm.messages import game_mails
from gm.runtime.errors import PlayerError
from gm.store.json_values import decode
from gm.store.queries import game_queries
from gm.store.tables import Game, Seat
from parsers.commands import commands
from parsers.commands.eriwan import STAND_LINE


def take_orders(incoming: Incoming, command: commands.Orders) -> None:
    """Take a move block: a move, or before the start another wish. Raises PlayerError."""
    game, found_by = game_meant(incoming, command.game, command)
    incoming.about(game)
    engine = incoming.app.engine(game.engine)
    if command.title_key and command.title_key != game.engine:
        raise PlayerError(say("OTHER_TITLE", title=engine.rules.title, game=game.name))
    seat = incoming.own_seat(game, command.player_name)
    if game.status == "open":
        _change_entry(incoming, game, seat, command.block)
        return
    names_round = command.round is not None
    is_closed = game.status == "running" and not is_released(game_queries.current_turn(incoming.session, game))
    if late_moves.is_other_round(game, command.round) and game.status == "running" and not is_closed:
        raise PlayerError(late_moves.wrong_round(incoming, game, command.round or 0))
    file_block(
        incoming, game, seat, command.block, names_round=names_round, stand=command.stand,
        remarks=(found_by,) if found_by else (),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Untitled:
    """Free lines that are a move without its title."""

    game: Game
    seat: Seat
    block: MoveBlock
    stand: int | None
    found_by: Text | None
    """How its game was found, where the mail doesn't say it."""


def find_untitled(incoming: Incoming) -> Untitled | None:
    """Find free lines that are a move without its title, in the game that subject, thread or the only seat names.

    They must be a move as they stand. A single word among other text may be a name, and never is one.
    """
    paragraphs = () if incoming.reading.is_forward or not incoming.players else incoming.reading.paragraphs
    readable = [block for block in paragraphs if len(paragraphs) == 1 or not _is_a_word(block)]
    try:
        game, found_by = game_meant(incoming, "", commands.Orders()) if readable else (None, None)
        seat = incoming.seat_in(game) if game else None
    except PlayerError:
        return None
    if game is None or seat is None or game.status != "running":
        return None
    at = position(incoming.app, incoming.session, game)
    if SeatNumber(seat.number) not in at.engine.due(at.state):
        return None
    found = [move for block in readable if (move := _as_move(incoming, game, seat, block)) is not None]
    if len(found) != 1:
        return None
    block, stand = found[0]
    return Untitled(game=game, seat=seat, block=block, stand=stand, found_by=found_by)


def take_untitled(incoming: Incoming) -> bool:
    """Take such a move, if there is one."""
    found = find_untitled(incoming)
    if found is None:
        return False
    incoming.own_seat(incoming.about(found.game))
    file_block(
        incoming, found.game, found.seat, found.block, names_round=False, stand=found.stand,
        remarks=(found.found_by,) if found.found_by else (),
    )  # fmt: skip
    return True


def _is_a_word(block: MoveBlock) -> bool:
    return len(block.lines) == 1 and block.lines[0].isalpha()


def _as_move(incoming: Incoming, game: Game, seat: Seat, block: MoveBlock) -> tuple[MoveBlock, int | None] | None:
    """Give the lines and the position's number that they name, if the rules take them as a move."""
    stands = [int(found["number"]) for line in block.lines if (found := STAND_LINE.fullmatch(line))]
    lines = MoveBlock(lines=tuple(line for line in block.lines if not STAND_LINE.fullmatch(line)))
    sheet = _read(incoming, game, seat, lines).sheet
    return (lines, stands[0] if stands else None) if sheet.move is not None else None


def _change_entry(incoming: Incoming, game: Game, seat: Seat, block: MoveBlock) -> None:
    wanted = seats.change_entry(incoming.app, incoming.session, game, seat, block)
    started = steps.start_if_complete(incoming.app, incoming.session, game)
    joining.answer(incoming, game, seat, wanted, started)
    incoming.applied = True


def file_block(
    incoming: Incoming, game: Game, seat: Seat, block: MoveBlock, *, names_round: bool, stand: int | None = None,
    remarks: tuple[Text, ...] = (),
) -> None:  # fmt: skip
    """Read a block for a seat and file it, or say everything that is wrong with it."""
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    looked = _read(incoming, game, seat, block)
    at, own, sheet = looked.at, looked.own, looked.sheet
    number = SeatNumber(seat.number)
    if not is_released(at.turn):
        late_moves.too_late(incoming, game, at, seat)
        _show_to_gm(incoming, game, block)
    elif number not in at.engine.due(at.state):
        _not_on_turn(incoming, game, at)
    elif stand not in (None, at.engine.stand(at.state, number)) or (
        stand is None and late_moves.is_for_earlier(incoming, game, at, seat, block.lines)
    ):
        incoming.notice(say("STALE", game=game.name))
        _show_position(incoming, game, looked, seat, "status")
    elif late_moves.is_late(incoming, game, at, seat, names_round or stand is not None):
        if late_moves.closes_by_round(at):
            _show_to_gm(incoming, game, block)
    elif sheet.problems:
        _reject(incoming, game, seat, sheet, remarks, on_file=own is not None)
    elif sheet.move is None:
        _show_position(incoming, game, looked, seat, "nothing")
    elif not _act(incoming, game, seat, block, looked, remarks):
        _file(incoming, game, seat, block, looked, remarks)


def _not_on_turn(incoming: Incoming, game: Game, at: Position) -> None:
    """Say who is on turn, where it is somebody else."""
    due = tuple(say("WHO", seat=number) for number in sorted(at.engine.due(at.state)))
    incoming.about(game)
    incoming.notice(say("OTHERS_TURN", game=game.name, players=due) if due else say("NOT_DUE", game=game.name))


def _show_position(incoming: Incoming, game: Game, looked: "Looked", seat: Seat, template: str) -> None:
    context = game_mails.position_context(
        incoming.app, incoming.session, game, looked.at.engine, looked.at.state, SeatNumber(seat.number),
        own=looked.own,
    )  # fmt: skip
    incoming.answer(template, game, seat.number, on_file=looked.own is not None, **context)


def _act(
    incoming: Incoming, game: Game, seat: Seat, block: MoveBlock, looked: "Looked", remarks: tuple[Text, ...]
) -> bool:
    """Carry out a move that has its effect at once, or let it wait for the GM; False: it is one for the closing."""
    app, session, at, number = incoming.app, incoming.session, looked.at, SeatNumber(seat.number)
    if at.engine.rules.unit != "round":
        moves_on_hold.replace(app, session, game, seat.number)
        if looked.sheet.doubtful or closing_time.waits_for_gm(session, game, at.engine):
            moves_on_hold.hold(incoming, game, seat, block, looked.sheet)
            return True
    moved = steps.MoveAtOnce(seat=number, move=looked.sheet.move, judge=looked.judge, is_answered=True)
    resolution = steps.act(app, session, game, at, moved)
    if resolution is None:
        return False
    moves_on_file.withdraw(session, game, seat, app.now())  # what was on file was for the position before
    context = {
        **game_mails.position_context(app, session, game, at.engine, resolution.state, number),
        "events": [event.text for event in game_mails.events_for(resolution.events, number)],
    }
    press = bulletins.press_of(step_of(app, session, game, game_queries.current_turn(session, game)))
    incoming.answer("acted", game, seat.number, press=press, remarks=(*remarks, *looked.sheet.remarks), **context,
                    received=incoming.received, over=at.engine.outcome(resolution.state) is not None)  # fmt: skip
    incoming.shows = at.engine.stand(resolution.state, number)
    incoming.applied = True
    return True


def _file(
    incoming: Incoming, game: Game, seat: Seat, block: MoveBlock, looked: "Looked", remarks: tuple[Text, ...]
) -> None:
    """Put a move on file for the closing and confirm it, with what has changed against the one before."""
    at, sheet = looked.at, looked.sheet
    before = _summary_on_file(incoming, game, at, seat)
    received = moves_on_file.Received(block=block, at=incoming.received, mail_id=incoming.row.id)
    moves_on_file.file_sheet(incoming.session, game, at, seat, sheet, received)
    changed = [(label, was) for (label, now), (_, was) in zip(sheet.summary, before, strict=False) if now != was]
    incoming.answer("confirmation", game, seat.number, sheet=sheet, changed=changed, replaced=bool(before),
                    remarks=(*remarks, *sheet.remarks), received=incoming.received)  # fmt: skip
    incoming.applied = True


def _summary_on_file(incoming: Incoming, game: Game, at: Position, seat: Seat) -> tuple[tuple[Text, Text], ...]:
    """Say what the move on file comes to, to be compared with the one that replaces it."""
    on_file = game_queries.sheets_on_file(incoming.session, game).get(seat.number)
    if on_file is None:
        return ()
    words = word_judge.judge(incoming.app, incoming.session, game)
    move = decode(at.engine.move_type, on_file.move)
    return at.engine.read(at.state, SeatNumber(seat.number), MoveBlock(lines=tuple(on_file.lines)), words, move).summary


def _reject(
    incoming: Incoming, game: Game, seat: Seat, sheet: Sheet[Any], remarks: tuple[Text, ...] = (), *, on_file: bool
) -> None:
    at = position(incoming.app, incoming.session, game)
    number = SeatNumber(seat.number)
    offer = game_mails.offered_block(incoming.app, incoming.session, game, at.engine, at.state, number, sheet.offer)
    mailto = game_mails.mailto(incoming.app.settings.service.address, game.name, offer)
    remarks += tuple(say("APPEAL_LINE", word=word, game=game.name) for word in sheet.doubtful)
    incoming.answer("rejection", game, seat.number, sheet=sheet, on_file=on_file, offer=offer, mailto=mailto,
                    remarks=remarks, received=incoming.received)  # fmt: skip
    incoming.refused = True


def show_quoted(incoming: Incoming) -> None:
    """Answer blocks that stand in quotations and hold a new move: never applied, shown as we would read them.

    A quotation of our template or of the move on file is nothing; one with faults is an old mail, unless there is
    nothing else in this one (mail.md, policies).
    """
    says_nothing = not incoming.parts and not incoming.reading.free_text
    shown: set[int] = set()
    for command in incoming.reading.quoted:
        try:
            game, seat = own_game(incoming, command)
        except PlayerError:
            continue
        is_closed = game.status == "running" and not is_released(game_queries.current_turn(incoming.session, game))
        if game.status != "running" or game.id in shown or is_closed:
            continue
        looked = _read(incoming, game, seat, command.block)
        own, sheet = looked.own, looked.sheet
        is_new = sheet.move is not None and sheet.move != own
        if is_new or (sheet.problems and says_nothing):
            shown.add(incoming.about(game).id)
            offer = sheet.offer if sheet.problems else command.block.lines
            quoted = replace(sheet, move=None, problems=(say("ONLY_QUOTED"), *sheet.problems), offer=offer)
            _reject(incoming, game, seat, quoted, on_file=own is not None)


def own_game(incoming: Incoming, command: commands.Orders, who: str = "") -> tuple[Game, Seat]:
    game, _ = game_meant(incoming, command.game, command)
    return game, incoming.seat_in(game, command.player_name or who)


@dataclass(frozen=True, kw_only=True)
class Looked:
    """A block as read for a seat: the position, the move on file, the sheet, and the judge of its words."""

    at: Position
    own: Any | None
    sheet: Sheet[Any]
    judge: Judge


def _read(incoming: Incoming, game: Game, seat: Seat, block: MoveBlock) -> Looked:
    """Read a block for a seat of a running game."""
    at = position(incoming.app, incoming.session, game)
    own = moves_on_file.move_on_file(incoming.session, game, at, seat.number)
    judge = word_judge.judge(incoming.app, incoming.session, game)
    sheet = at.engine.read(at.state, SeatNumber(seat.number), block, judge, own)
    return Looked(at=at, own=own, sheet=sheet, judge=judge)


def _show_to_gm(incoming: Incoming, game: Game, block: MoveBlock) -> None:
    """Put a late move before the GM, who may have reasons to enter it."""
    incoming.tell_gm("late", "\n".join(block.lines), game=game, player=incoming.writer)


def take_back(incoming: Incoming, command: commands.Withdraw) -> None:
    """Take the writer\'s move of this round back. Raises PlayerError where there is none."""
    game, seat = running_seat(incoming, command.game)
    at = position(incoming.app, incoming.session, game)
    if late_moves.is_late(incoming, game, at, seat, False):
        return
    if not moves_on_file.withdraw(incoming.session, game, seat, incoming.app.now()):
        raise PlayerError(say("NOTHING_TO_WITHDRAW", game=game.name))
    incoming.answer("withdrawn", game, seat.number)
    incoming.applied = True
