"""Moves by mail: blocks are filed or refused, late ones are told so, moves on file are taken back."""

from dataclasses import replace

from games.api import MoveBlock, Text, say
from gm.app.recorded_rules import RulesChanged
from gm.game import closing_time, gm_visibility, moves_on_file, seats, steps
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import step_of
from gm.game.people import access
from gm.game.position import Position, is_released, position
from gm.game.upgrades import new_rules
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.messages.rendering.wording import grouped
from gm.requests import joining, status
from gm.requests.declared import by_mail
from gm.requests.desk import held_moves
from gm.requests.moves import blocks, late_moves
from gm.requests.moves.block_to_send import Due, show_block
from gm.requests.moves.blocks import ReadMove, SentMove, read_move
from gm.requests.moves.round_meant import Meant, is_for_another, is_for_present, names_present, round_meant, wrong_round
from gm.requests.request import Request, answered_game, running_seat
from gm.runtime.errors import PlayerError
from gm.store import game_file
from gm.store.queries import question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game, Player
from parsers import commands
from parsers.invisible import fold_name
from parsers.lines import arguments


@by_mail(commands.Orders, "MOVE")
def take_orders(request: Request, command: commands.Orders) -> None:
    """Take a move block: a move, or before the start another wish. Raises PlayerError."""
    game, found_by = blocks.game_of(request, command)
    request.note_game(game)
    try:
        seat = request.own_seat(game, command.player_name)
    except access.SeatLeft as left:
        raise _ask_back(request, game, left) from left
    if game.status == "open":
        sheet = seats.change_entry(request.app, request.session, game, seat, command.block)
        joining.start_or_answer(request, game, seat, sheet)
        return
    file_move(request, SentMove(
        game=game, seat=seat, block=command.block, round=command.round, stand=command.stand,
        remarks=(found_by,) if found_by else (),
    ))  # fmt: skip


def _ask_back(request: Request, game: Game, left: access.SeatLeft) -> PlayerError:
    """Ask the GM once whether a player who has left gets the seat back; returns what the player is told.

    Nobody is asked where the game is over, or somebody else sits there.
    """
    session, seat = request.session, left.seat
    if game.status != "running" or any(one.number == seat.number for one in seat_queries.seats(game)):
        return left
    player = session.get_one(Player, seat.player_id)
    request.writer = request.writer or player
    asked = question_queries.questions_about(game, question_queries.ASKED_BACK)
    if all(question.player_id != player.id for question in asked):
        offer = ("standby", game.name, player.name, player.name)
        request.tell_gm(question_queries.ASKED_BACK, "", game=game, player=player, offers=[offer])
    return PlayerError(say("SEAT_ASKED_BACK", how=left.text, gm=gm_name(request.app)))


def take_untitled(request: Request) -> bool:
    """Take free lines that are a move without its title; False where there are none."""
    sent = blocks.find_untitled(request)
    if sent is None:
        return False
    request.own_seat(request.note_game(sent.game))
    file_move(request, sent)
    return True


def take_untitled_of_reply(request: Request) -> bool:
    """Take free lines beside blocks for other games as a move in the game that the mail answers; False for none."""
    said = [one.command for one in request.reading.commands]
    has_blocks = any(isinstance(command, commands.Orders) for command in said)
    if not (has_blocks and request.players and request.reading.free_text):
        return False
    game = answered_game(request)
    if game is None or game.name_key in {fold_name(getattr(command, "game", "")) for command in said}:
        return False
    try:
        return take_untitled(request)
    except PlayerError as error:
        request.refuse(error.text)
        return True


def file_move(request: Request, sent: SentMove) -> None:
    """Read a move and file it, or answer with everything that is wrong with it. Raises PlayerError."""
    game, seat = sent.game, sent.seat
    lines = sent.block.lines
    if game.status != "running":
        last = turn_queries.current_turn(game)
        if game.status != "aborted" and late_moves.was_in_time(request, game, last, seat, lines):
            return
        raise PlayerError(say("GAME_OVER", game=game.name))
    read = read_move(request, sent)
    at = read.at
    if _is_older_than_position(request, read) and late_moves.was_in_time(request, game, at.turn, seat, lines):
        pass
    elif not is_released(at.turn):
        late_moves.too_late(request, game, at, seat)
        _show_to_gm(request, sent)
    elif is_for_another(read):
        raise PlayerError(wrong_round(read))
    elif read.number not in at.engine.due(at.state):
        _not_on_turn(request, game, at)
    elif _is_for_another_position(request, read):
        request.refuse(say("STALE", game=game.name))
        status.show_position(request, "status", game, at, seat, read.own)
    elif late_moves.is_late(request, game, at, seat, names_position=is_for_present(read)):
        if late_moves.closes_by_round(at):
            _show_to_gm(request, sent)
    elif (meant := round_meant(request, read)) is Meant.BEFORE:
        late_moves.too_late(request, game, at, seat)
        _show_to_gm(request, sent)
    elif read.sheet.problems:
        reject(request, read)
    elif meant is Meant.UNCLEAR:
        _ask_which_round(request, read)
    elif read.sheet.move is None:
        status.show_position(request, "nothing", game, at, seat, read.own)
    elif not _act(request, read):
        _file(request, read)


def _is_older_than_position(request: Request, read: ReadMove) -> bool:
    """Whether a move came before the present position was there, and can't be meant for it."""
    if request.received > read.at.turn.at or names_present(read):
        return False
    return not late_moves.has_seen(request, read.sent.game, read.at, read.sent.seat)


def _show_to_gm(request: Request, sent: SentMove) -> None:
    """Put a late move before the GM, who may have reasons to enter it."""
    request.tell_gm("late", "\n".join(sent.block.lines), game=sent.game, player=request.writer)


def _not_on_turn(request: Request, game: Game, at: Position) -> None:
    """Answer that it is somebody else's turn, or that no move is due."""
    due = tuple(say("WHO", seat=number) for number in sorted(at.engine.due(at.state)))
    request.note_game(game)
    code = "OTHERS_TURN_AHEAD" if at.engine.rules.in_turns else "OTHERS_TURN"
    request.refuse(say(code, game=game.name, players=due) if due else say("NOT_DUE", game=game.name))


def _ask_which_round(request: Request, read: ReadMove) -> None:
    """Show how a block is read in the present round; `Ja` files it."""
    question = say("WHICH_ROUND", round=read.sent.game.round)
    sheet = replace(read.sheet, move=None, problems=(question,), offer=read.sent.block.lines)
    reject(request, replace(read, sheet=sheet))


def _is_for_another_position(request: Request, read: ReadMove) -> bool:
    sent, at = read.sent, read.at
    if sent.stand is not None:
        return sent.stand != at.engine.stand(at.state, read.number)
    return late_moves.is_for_earlier(request, sent.game, at, sent.seat, sent.block.lines)


def reject(request: Request, read: ReadMove) -> None:
    """Answer with what is wrong with a block, and a corrected one to send back."""
    game, at, sheet = read.sent.game, read.at, read.sheet
    offer = game_mails.offered_block(
        request.session, game, at.engine, at.state, read.number, sheet.offer, request.language
    )
    mailto = game_mails.mailto(request.app.settings.service.address, game.name, offer)
    player = request.session.get_one(Player, read.sent.seat.player_id)
    about = About(mail=request.answered or request.row, game=game, player=player, cause=request.cause)
    can_be_taken = bool(offer) and moves_on_file.note_reading(
        request.app, request.session, about, at, read.number, sheet.offer, read.judge
    )
    appeals = tuple(say("APPEAL_LINE", word=word, game=game.name) for word in sheet.doubtful)
    request.answer("rejection", game, read.number, sheet=sheet, on_file=read.own is not None, offer=offer,
                   mailto=mailto, can_be_taken=can_be_taken, remarks=(*read.sent.remarks, *appeals),
                   received=request.received)  # fmt: skip
    if not offer:
        sent = read.sent.block.lines if sheet.grids else ()
        show_block(request, Due(game=game, at=at, seat=read.number), "MOVE_AS_SENT" if sent else "FORM_OF_MOVE", sent)
    request.refused = True


def _act(request: Request, read: ReadMove) -> bool:
    """Carry out a move that has its effect at once, or let it wait for the GM; False: it is one for the closing."""
    app, session, sent, at = request.app, request.session, read.sent, read.at
    game = sent.game
    if at.engine.rules.unit != "round":
        held_moves.drop(app, session, game, read.number)
        if read.sheet.doubtful or closing_time.waits_for_gm(game, at.engine):
            moves_on_file.end_advance_move(session, game, read.number, app.now(), "replaced")
            _hold(request, read)
            return True
    moved = steps.MoveAtOnce(seat=read.number, move=read.sheet.move, judge=read.judge, is_answered=True)
    try:
        made = steps.act(app, session, game, at, moved)
    except RulesChanged:  # it waits as long as the GM thinks about it
        held_moves.drop(app, session, game, read.number)
        _hold(request, read)
        return True
    if made is None:
        return False
    moves_on_file.withdraw(session, game, sent.seat, app.now())  # what was on file was for the position before
    step = step_of(app, session, game, made.turn, made.resolution)
    then = bulletins.frame(step, request.language)  # others' moves may have followed on it already
    context = {
        **{name: then[name] for name in ("round", "zat", "zat_short")},
        **game_mails.position_context(app, session, game, step.state, read.number, request.language),
        "events": grouped((one.text for one in game_mails.events_for(step.events, read.number)), step.engine.wording),
    }
    request.answer("acted", game, read.number, press=bulletins.press_of(step), **context,
                   remarks=(*sent.remarks, *read.sheet.remarks), received=request.received,
                   over=step.outcome is not None)  # fmt: skip
    request.shown_position = at.engine.stand(step.state, read.number)
    request.applied = True
    return True


def _file(request: Request, read: ReadMove) -> None:
    """Put a move on file for the closing and confirm it, with what has changed against the one before."""
    sent, sheet = read.sent, read.sheet
    before = _summary_on_file(read)
    received = moves_on_file.Received(block=sent.block, at=request.received, mail_id=request.row.id)
    moves_on_file.file_sheet(request.app, request.session, sent.game, read.at, sent.seat, sheet, received)
    changed = [(label, was) for (label, now), (_, was) in zip(sheet.summary, before, strict=False) if now != was]
    remarks = (*sent.remarks, *sheet.remarks, *_ask_about_words(request, read))
    withdraw = game_mails.withdraw_link(request.app, request.session, sent.game, read.number, request.language)
    request.answer("confirmation", sent.game, read.number, sheet=sheet, changed=changed, replaced=bool(before),
                   remarks=remarks, received=request.received, withdraw=withdraw)  # fmt: skip
    request.applied = True


def _ask_about_words(request: Request, read: ReadMove) -> tuple[Text, ...]:
    """Ask the GM at once about the doubtful words of a move on file; returns what its sender is told about them.

    The closing of the last round asks about all words of the result together. A GM who plays is asked when the round is
    closed.
    """
    app, session, game, at = request.app, request.session, read.sent.game, read.at
    if at.engine.round(at.state) == at.engine.rules.rounds:
        return ()
    doubtful = read.sheet.doubtful
    is_asked = bool(doubtful or question_queries.questions_about(game, "words"))
    if is_asked and not gm_visibility.hides_words(app, session, game):
        about = About(mail=request.row, game=game, player=request.writer)
        if entry := gm_list.ask_about_filed(app, session, about, read.number, doubtful, read.sheet.summary):
            request.for_gm.append(entry)
    return (say("FILED_DOUBTFUL", gm=gm_name(app), words=", ".join(doubtful)),) if doubtful else ()


def _summary_on_file(read: ReadMove) -> tuple[tuple[Text, Text], ...]:
    """Sum up the move on file, to be compared with the one that replaces it."""
    on_file = sheet_queries.sheets_on_file(read.sent.game).get(read.number)
    if on_file is None:
        return ()
    lines = MoveBlock(lines=tuple(on_file.lines))
    return read.at.engine.read(read.at.state, read.number, lines, read.judge, read.own).summary


def show_quoted(request: Request) -> None:
    """Answer blocks that stand in quotations and hold a new move: never applied, shown as we would read them.

    A quotation of our template or of the move on file is nothing. One with faults is an old mail, unless there is
    nothing else in this one (mail.md, policies).
    """
    says_nothing = not request.parts and not request.reading.free_text
    shown: set[int] = set()
    for orders in request.reading.quoted:
        try:
            game, seat = blocks.seat_of(request, orders)
        except PlayerError:
            continue
        if game.status != "running" or game.id in shown:
            continue
        read = read_move(request, SentMove(game=game, seat=seat, block=orders.block))
        if not is_released(read.at.turn):
            continue
        sheet = read.sheet
        is_new = sheet.move is not None and sheet.move != read.own
        if is_new or (sheet.problems and says_nothing):
            shown.add(request.note_game(game).id)
            offer = sheet.offer if sheet.problems else orders.block.lines
            quoted = replace(sheet, move=None, problems=(say("ONLY_QUOTED"), *sheet.problems), offer=offer)
            reject(request, replace(read, sheet=quoted))


@by_mail(commands.Withdraw, "WITHDRAW", takes=arguments.about_game(commands.Withdraw))
def withdraw(request: Request, command: commands.Withdraw) -> None:
    """Take the writer's move of this round, or for the next turn, back. Raises PlayerError where there is none."""
    game, seat = running_seat(request, command.game)
    if moves_on_file.end_advance_move(request.session, game, seat.number, request.app.now(), "withdrawn"):
        request.confirm(say("ADVANCE_WITHDRAWN", game=game.name))
        return
    at = position(request.app, game)
    if late_moves.is_late(request, game, at, seat):
        return
    if not moves_on_file.withdraw(request.session, game, seat, request.app.now()):
        raise PlayerError(say("NOTHING_TO_WITHDRAW", game=game.name))
    request.answer("withdrawn", game, seat.number)
    request.applied = True


@by_mail(commands.Wait, "WAIT", takes=arguments.about_game(commands.Wait))
@by_mail(commands.Ready, "READY", takes=arguments.about_named(commands.Ready))
def wait_or_ready(request: Request, command: commands.Wait | commands.Ready) -> None:
    """Note that the round shall wait for its ZAT, or may be closed when all moves are in. Raises PlayerError."""
    game, seat = running_seat(request, command.game)
    at = position(request.app, game)
    if at.engine.rules.unit != "round":
        request.refuse(say("NO_EFFECT", game=game.name))
        return
    if late_moves.is_late(request, game, at, seat):
        return
    waits = isinstance(command, commands.Wait)
    seat.intent, seat.intent_round = "wait" if waits else "ready", game.round
    game_file.touch(request.session, game)
    request.confirm(say("WILL_WAIT" if waits else "READY", game=game.name, round=game.round))


def _hold(request: Request, read: ReadMove) -> None:
    """Put a move before the GM, or behind one that waits already; its sender and all others are told."""
    app, session, game, doubtful = request.app, request.session, read.sent.game, read.sheet.doubtful
    words = ", ".join(doubtful)
    payload = {
        "text": words, "words": list(doubtful), "seat": read.number,
        "lines": list(read.sent.block.lines), "received": request.received.isoformat(),
        "offers": gm_list.rule_offers(game, doubtful) if doubtful else [],
    }  # fmt: skip
    about = About(mail=request.row, game=game, player=request.writer)
    is_first = not question_queries.held_moves(game)
    question = questions.add(app, session, question_queries.HELD_MOVE, payload, about)
    if not doubtful:
        if is_first and (entry := new_rules.ask(app, session, game)):
            request.for_gm.append(entry)
        request.confirm(say("HELD_FOR_GM" if is_first else "HELD_BEHIND", gm=gm_name(app), game=game.name))
        return
    request.confirm(say("HELD", gm=gm_name(app), game=game.name, words=words))
    asked = gm_list.Asked(words=doubtful, waiting="move", mover=read.number, move=read.sheet.summary)
    part = gm_list.words_part(app, session, game, asked)
    request.for_gm.append(gm_list.Entry(question=question, part=part, game=game))
    context = {"mover": read.number, "due": held_moves.due(app, game)}
    mail = GameMail(template="held", cause=f"question:{question.id}", context=context)
    game_mails.send_to_all(app, session, game, mail, but=request.writer)
