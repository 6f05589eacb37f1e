"""Moves of which nobody knows whose they are: a couple's without a name, a stranger's. We ask; their arrival counts.

A round in which such a move may be the missing one waits a while for the answer (`deadlines.hold`).
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session

from games.api import MoveBlock, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.commands.moves import late_moves, moves
from gm.commands.request import Incoming, game_meant
from gm.game import moves_on_file, word_judge
from gm.game.position import is_released, position
from gm.messages import game_mails, gm_list, questions
from gm.messages.outgoing import Part
from gm.messages.questions import About
from gm.players import access
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Game, Player, Question, Seat
from parsers.commands import commands

DAYS: Final = 7
MOST_LISTED: Final = 50
"""Of more mails for one seat the GM's list names the last."""


def ask_who(incoming: Incoming, game: Game, command: commands.Orders) -> None:
    """Ask a couple which of them a move is from; the answer is one line with the name, which can't part several."""
    moved = [said.command for said in incoming.reading.commands if isinstance(said.command, commands.Orders)]
    nameless = [one for one in moved if not one.player_name and one.game.casefold() == command.game.casefold()]
    if len(nameless) > 1:
        incoming.notice(say("TWO_NAMELESS", game=game.name))
        return
    held = [
        seat
        for seat in game_queries.seats(incoming.session, game)
        if seat.player_id in {p.id for p in incoming.players}
    ]
    names = [incoming.session.get_one(Player, seat.player_id).name for seat in held]
    question = questions.add(
        incoming.app, incoming.session, question_queries.WHO, _kept(incoming, command, [seat.number for seat in held]),
        About(mail=incoming.row, game=game), address=incoming.mail.sender,
        until=incoming.app.now() + timedelta(days=DAYS),
    )  # fmt: skip
    engine = incoming.app.engine(game.engine)
    frame = game_mails.frame_context(incoming.app, game, engine, incoming.language)
    context = {**frame, "code": question.code, "names": names, "lines": command.block.lines}
    incoming.about(game)
    incoming.parts.append(Part(template="ask_who", context=context, engine=engine))
    incoming.applied = True


def _kept(incoming: Incoming, command: commands.Orders, seats: list[int]) -> dict[str, Any]:
    return {
        "lines": list(command.block.lines), "round": command.round, "stand": command.stand, "seats": seats,
        "received": incoming.received.isoformat(), "text": command.game,
    }  # fmt: skip


def answer_who(incoming: Incoming) -> bool:
    """Take a mail that says nothing but a name as the answer to the question whose move it was."""
    incoming.named = incoming.named or _bare_name(incoming)
    if not incoming.named:
        return False
    try:
        question = questions.find(
            incoming.app, incoming.session, incoming.mail, incoming.players, incoming.reading.code
        )
    except PlayerError:
        return False
    if question.kind != question_queries.WHO:
        return False
    game = incoming.session.get_one(Game, question.game_id)
    try:
        seat = access.own_seat(incoming.session, game, incoming.players, incoming.named)
    except PlayerError as error:
        incoming.notice(error.text)
        return True
    questions.close(incoming.app, incoming.session, question, incoming.named)
    incoming.writer = incoming.session.get_one(Player, seat.player_id)
    try:
        file_kept(incoming, question, seat)
    except PlayerError as error:
        incoming.notice(error.text)
    return True


def _bare_name(incoming: Incoming) -> str:
    """Give the one line of a mail where it is a name of somebody at this address."""
    line = incoming.reading.free_text.strip(" .!\n")
    return line if any(access.is_called(player, line) for player in incoming.players) else ""


def ask_owner(incoming: Incoming) -> None:
    """Ask the player whose seat alone a stranger's block can be for, once a day at most; the stranger isn't told.

    A mail asks one player. The GM has each block on the list, without a mail.
    """
    has_asked = False
    for said in incoming.reading.commands:
        if not isinstance(said.command, commands.Orders):
            continue
        try:
            game, _ = game_meant(incoming, said.command.game, said.command)
            fitting = list(_fitting(incoming, game, said.command))
        except (PlayerError, OperatorError):
            continue
        if len(fitting) == 1:
            has_asked |= _ask_owner(incoming, game, fitting[0], said.command, may_ask=not has_asked)


def _fitting(incoming: Incoming, game: Game, command: commands.Orders) -> Iterator[Seat]:
    """Go through the seats for which a block would be a move, and one with something in it."""
    if game.status != "running" or command.title_key not in ("", game.engine):
        return
    at = position(incoming.app, incoming.session, game)
    judge = word_judge.judge(incoming.app, incoming.session, game)
    # Who replies to a mail of ours from elsewhere has it from the one whom it went to.
    addressed = game_queries.player_of_thread(incoming.session, (incoming.mail.in_reply_to,))
    for seat in game_queries.seats(incoming.session, game):
        player = incoming.session.get_one(Player, seat.player_id)
        if seat.number not in at.engine.due(at.state) or not is_released(at.turn):
            continue
        if addressed not in (None, player.id):
            continue
        if command.player_name and not access.is_called(player, command.player_name):
            continue
        own = moves_on_file.move_on_file(incoming.session, game, at, seat.number)
        if at.engine.read(at.state, SeatNumber(seat.number), command.block, judge, own).move is not None:
            yield seat


def _ask_owner(incoming: Incoming, game: Game, seat: Seat, command: commands.Orders, *, may_ask: bool) -> bool:
    """Ask a seat's player, and say whether a mail went out for it."""
    app, session = incoming.app, incoming.session
    player = session.get_one(Player, seat.player_id)
    asked = question_queries.questions_to(session, player.id, question_queries.STRANGER)
    if any(one.mail_id == incoming.row.id for one in asked):
        return True  # its stranger had to wait for an answer meanwhile
    was_asked = any(one.created_at > app.now() - timedelta(days=1) for one in asked)
    address = game_queries.address_of(session, player.id)
    asks = may_ask and not was_asked and questions.may_ask(app, session, address)
    if asks:
        question = questions.add(
            app, session, question_queries.STRANGER, _kept(incoming, command, [seat.number]),
            About(mail=incoming.row, game=game, player=player), address=address, until=app.now() + timedelta(days=DAYS),
        )  # fmt: skip
        context = {"sender": incoming.mail.sender, "name": player.name, "when_received": incoming.received}
        questions.send(app, session, question, context)
    _list_for_gm(incoming, game, player)
    return asks


def _list_for_gm(incoming: Incoming, game: Game, player: Player) -> None:
    """Put a stranger's move on the GM's list, all for one seat into one entry; what it is stays in the mail."""
    app, session, row = incoming.app, incoming.session, incoming.row
    said = f"mail {row.id} from {incoming.mail.sender}"
    entry = _listed(session, game.id, player.id)
    if entry is None:
        payload = {"text": said, "mails": [row.id]}
        questions.add(app, session, question_queries.ELSEWHERE, payload, About(mail=row, game=game, player=player))
    elif row.id not in entry.payload["mails"]:
        text = f"{entry.payload['text']}, {said}"[: gm_list.LONGEST_TEXT]
        entry.payload = {"text": text, "mails": [*entry.payload["mails"], row.id][-MOST_LISTED:]}
        session.add(entry)


def _listed(session: Session, game_id: int | None, player_id: int | None) -> Question | None:
    """Find the open entry about moves for a seat from unknown addresses."""
    listed = question_queries.questions_to(session, player_id or 0, question_queries.ELSEWHERE)
    return next((one for one in listed if one.game_id == game_id and one.answered_at is None), None)


def note_answer(app: App, session: Session, asked: Question) -> None:
    """Take the entry about a move off the GM's list, for its player has said whose it is; others in it stay."""
    entry = _listed(session, asked.game_id, asked.player_id)
    if entry and entry.payload["mails"] == [asked.mail_id]:
        questions.close(app, session, entry, asked.answer)


def take_stranger(incoming: Incoming, question: Question) -> None:
    """The seat's player says that the move is theirs."""
    game = incoming.session.get_one(Game, question.game_id)
    seat = access.own_seat(incoming.session, game, [incoming.session.get_one(Player, question.player_id)])
    incoming.writer = incoming.session.get_one(Player, seat.player_id)
    file_kept(incoming, question, seat)


def file_kept(incoming: Incoming, question: Question, seat: Seat) -> None:
    """File a move that waited for an answer, as of its own arrival. Raises PlayerError."""
    kept, game = question.payload, incoming.session.get_one(Game, question.game_id)
    incoming.about(game)
    incoming.arrived = datetime.fromisoformat(kept["received"])
    on_file = game_queries.sheets_on_file(incoming.session, game).get(seat.number)
    if on_file and on_file.received_at > incoming.arrived:
        raise PlayerError(say("LATER_MOVE_COUNTS", game=game.name))
    if late_moves.is_other_round(game, kept["round"]) and game.status == "running":
        raise PlayerError(late_moves.wrong_round(incoming, game, kept["round"]))
    moves.file_block(
        incoming, game, seat, MoveBlock(lines=tuple(kept["lines"])), names_round=kept["round"] is not None,
        stand=kept["stand"],
    )  # fmt: skip
