"""Moves by mail: blocks are read, filed or refused; late ones are told so; withdrawn ones are taken back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.api import MoveBlock, Sheet, Text, say
from games.api import Seat as SeatNumber
from gm.errors import PlayerError
from gm.play import access, joining, judging, questions, seats, sheets, turns
from gm.play.incoming import Incoming, running_seat
from gm.publish import bulletins
from gm.store import queries
from gm.store.tables import Game, Seat
from parsers import commands


def take_orders(incoming: Incoming, command: commands.Orders) -> None:
    """Take a move block: a move, or before the start another wish. Raises PlayerError."""
    game, found_by = game_of_orders(incoming, command)
    incoming.about(game)
    engine = incoming.app.engine(game.engine)
    if command.title_key and command.title_key != game.engine:
        raise PlayerError(say("OTHER_TITLE", title=engine.rules.title, game=game.name))
    seat = incoming.own_seat(game, command.player_name)
    if game.status == "open":
        _change_entry(incoming, game, seat, command.block)
        return
    names_round = command.round is not None
    if names_round and command.round != game.round and game.status == "running":
        raise PlayerError(say("WRONG_ROUND", named=command.round or 0, round=game.round, game=game.name))
    file_block(incoming, game, seat, command.block, names_round=names_round, remarks=(found_by,) if found_by else ())


def game_of_orders(incoming: Incoming, command: commands.Orders) -> tuple[Game, Text | None]:
    """Find the game of a block: its title line, else the subject, the thread, or the only game the sender plays."""
    session = incoming.session
    if command.game:
        return access.game_of(session, command.game), None
    for name in incoming.reading.subject_games:
        if game := queries.game_named(session, name):
            return game, say("FOUND_BY_SUBJECT")
    if game := queries.game_of_thread(session, (incoming.mail.in_reply_to, *incoming.mail.references)):
        return game, say("FOUND_BY_THREAD")
    playing = [
        game for game in access.games_of(session, incoming.players)
        if not command.title_key or game.engine == command.title_key
    ]  # fmt: skip
    if len(playing) == 1:
        return playing[0], say("FOUND_BY_SENDER")
    if not playing:
        raise PlayerError(say("NO_SEAT_AT_ALL"))
    title = incoming.app.engine(playing[0].engine).rules.title
    names = ", ".join(game.name for game in playing)
    raise PlayerError(say("WHICH_GAME", title=title, game=playing[0].name, games=names))


def _change_entry(incoming: Incoming, game: Game, seat: Seat, block: MoveBlock) -> None:
    wanted = seats.change_entry(incoming.app, incoming.session, game, seat, block)
    started = seats.start_if_complete(incoming.app, incoming.session, game)
    joining.answer(incoming, game, seat, wanted, started)
    incoming.applied = True


def file_block(
    incoming: Incoming, game: Game, seat: Seat, block: MoveBlock, *, names_round: bool, remarks: tuple[Text, ...] = ()
) -> None:
    """Read a block for a seat and file it, or say everything that is wrong with it."""
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    at = turns.position(incoming.app, incoming.session, game)
    if seat.number not in at.engine.due(at.state):
        raise PlayerError(say("NOT_DUE", game=game.name))
    if is_late(incoming, game, at, seat, names_round):
        _show_to_gm(incoming, game, block)
        return
    at, own, sheet = _read(incoming, game, seat, block)
    if sheet.problems:
        _reject(incoming, game, seat, sheet, remarks, on_file=own is not None)
    elif sheet.move is None:
        view = at.engine.view(at.state, SeatNumber(seat.number), own)
        block_lines = bulletins.copy_block(at.engine.rules.title, game.name, view.block)
        incoming.answer("nothing", game, seat.number, on_file=own is not None, view=view, block=block_lines)
    else:
        sheets.file_sheet(incoming.session, game, at, seat, block, sheet, incoming.received, incoming.row.id)
        incoming.answer("confirmation", game, seat.number, sheet=sheet, replaced=own is not None,
                    remarks=(*remarks, *sheet.remarks), received=incoming.received)  # fmt: skip
        incoming.applied = True


def _reject(
    incoming: Incoming, game: Game, seat: Seat, sheet: Sheet[Any], remarks: tuple[Text, ...] = (), *, on_file: bool
) -> None:
    offer = bulletins.copy_block(incoming.app.engine(game.engine).rules.title, game.name, sheet.offer)
    mailto = bulletins.mailto(incoming.app.settings.service.address, game.name, offer)
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
            game, seat = _own_game(incoming, command)
        except PlayerError:
            continue
        if game.status != "running" or game.id in shown:
            continue
        _at, own, sheet = _read(incoming, game, seat, command.block)
        is_new = sheet.move is not None and sheet.move != own
        if is_new or (sheet.problems and says_nothing):
            shown.add(incoming.about(game).id)
            offer = sheet.offer if sheet.problems else command.block.lines
            quoted = replace(sheet, move=None, problems=(say("ONLY_QUOTED"), *sheet.problems), offer=offer)
            _reject(incoming, game, seat, quoted, on_file=own is not None)


def _own_game(incoming: Incoming, command: commands.Orders) -> tuple[Game, Seat]:
    game, _ = game_of_orders(incoming, command)
    return game, access.own_seat(incoming.session, game, incoming.players, command.player_name)


def _read(
    incoming: Incoming, game: Game, seat: Seat, block: MoveBlock
) -> tuple[turns.Position, Any | None, Sheet[Any]]:
    """Read a block for a seat of a running game: the position, the move on file, the sheet."""
    at = turns.position(incoming.app, incoming.session, game)
    own = sheets.move_on_file(incoming.session, game, at, seat.number)
    words = judging.judge(incoming.app, incoming.session, game)
    return at, own, at.engine.read(at.state, SeatNumber(seat.number), block, words, own)


def compare_blocks(incoming: Incoming, all_commands: Sequence[object]) -> tuple[set[int], list[Game]]:
    """Find where one mail holds several blocks for a seat: different ones clash, as nobody can know which one counts.

    Of equal ones the first is enough, and our template, sent back as it was, is none. Returns which commands to skip,
    and the games that clash.
    """
    by_seat: dict[int, list[int]] = {}
    found: dict[int, tuple[Game, Seat]] = {}
    for at, command in enumerate(all_commands):
        if isinstance(command, commands.Orders):
            try:
                game, seat = _own_game(incoming, command)
            except PlayerError:
                continue  # it is answered when it is carried out
            by_seat.setdefault(seat.id, []).append(at)
            found[seat.id] = game, seat
    skipped: set[int] = set()
    clashing: list[Game] = []
    for seat_id, places in by_seat.items():
        if len(places) == 1:
            continue
        said = {at: _essence(incoming, *found[seat_id], all_commands[at]) for at in places}
        counting = [at for at in places if said[at] is not None] or places[:1]
        is_clash = any(said[at] != said[counting[0]] for at in counting)
        skipped.update(places if is_clash else {*places} - {counting[0]})
        clashing += [found[seat_id][0]] if is_clash else []
    return skipped, clashing


def _essence(incoming: Incoming, game: Game, seat: Seat, command: Any) -> object:
    """Say what a block comes to, for comparison; None: nothing was entered."""
    if game.status != "running":
        return command.block, command.round
    sheet = _read(incoming, game, seat, command.block)[2]
    if sheet.move is None and not sheet.problems:
        return None
    return command.round, sheet.move or command.block


def _show_to_gm(incoming: Incoming, game: Game, block: MoveBlock) -> None:
    """Put a late move before the GM, who may have reasons to enter it."""
    questions.tell_gm(
        incoming.app, incoming.session, "late", text="\n".join(block.lines), row=incoming.row, game=game,
        player=incoming.writer,
    )  # fmt: skip


def is_late(incoming: Incoming, game: Game, at: turns.Position, seat: Seat, names_round: bool) -> bool:
    """Answer a block that came after its round closed; it is never a move of the next round.

    Without `Runde: n` a block belongs to the position that its sender has seen: it must have arrived after our
    mail with this round's position was accepted for delivery (the server's clock knows whole seconds).
    """
    closes = turns.closing_instant(incoming.app, incoming.session, game, at)
    if closes is not None and incoming.received > closes:
        incoming.answer("late", game, seat.number, late_for=game.round, received=incoming.received, closed=closes)
        incoming.refused = True
        return True
    if names_round:
        return False
    seen = queries.seen_at(incoming.session, game, seat.player_id, game.round)
    if seen is None or incoming.received < seen.replace(microsecond=0):
        incoming.answer(
            "late", game, seat.number, late_for=game.round - 1, received=incoming.received, closed=at.turn.at
        )
        incoming.refused = True
        return True
    return False


def take_back(incoming: Incoming, command: commands.Withdraw) -> None:
    """Take the writer\'s move of this round back. Raises PlayerError where there is none."""
    game, seat = running_seat(incoming, command.game)
    at = turns.position(incoming.app, incoming.session, game)
    if is_late(incoming, game, at, seat, False):
        return
    if not sheets.withdraw(incoming.session, game, seat, incoming.app.now()):
        raise PlayerError(say("NOTHING_TO_WITHDRAW", round=game.round, game=game.name))
    incoming.answer("withdrawn", game, seat.number)
    incoming.applied = True
