"""Moves whose writer isn't known: a couple's without a name, a stranger's. We ask; the moves count as of their arrival.

A round in which such a move may be the missing one waits a while for the answer (`deadlines.hold`).
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session

from games.api import MoveBlock, say
from gm.app.context import App
from gm.game.people import access
from gm.game.position import is_released, position
from gm.messages import gm_list, questions
from gm.messages.questions import About
from gm.requests.moves import filing, late_moves
from gm.requests.moves.blocks import SentMove, read_move, untitled_for_any
from gm.requests.request import Request, find_game
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.queries import player_queries, question_queries, seat_queries, sheet_queries, thread_queries
from gm.store.tables import Game, Player, Question, Seat
from parsers import commands
from parsers.invisible import fold_name

DAYS: Final = 7
MOST_LISTED: Final = 50
"""The most mails for one seat that the GM's list names: the last ones."""


def ask_whose_move(request: Request, game: Game, command: commands.Orders) -> None:
    """Ask a couple which of them a move is from. The answer is one name, so only one move can be asked about."""
    moved = [said.command for said in request.reading.commands if isinstance(said.command, commands.Orders)]
    nameless = [one for one in moved if not one.player_name and fold_name(one.game) == fold_name(command.game)]
    if len(nameless) > 1:
        request.refuse(say("TWO_NAMELESS", game=game.name))
        return
    ids = {player.id for player in request.players}
    held = [seat for seat in seat_queries.seats(game) if seat.player_id in ids]
    names = [request.session.get_one(Player, seat.player_id).name for seat in held]
    question = questions.add(
        request.app, request.session, question_queries.WHICH_PLAYER,
        _kept(request, command, [seat.number for seat in held]), About(mail=request.row, game=game),
        address=request.mail.sender, until=request.app.now() + timedelta(days=DAYS),
    )  # fmt: skip
    request.note_game(game)
    request.answer("ask_who", game, code=question.code, names=names, lines=command.block.lines)
    request.applied = True


def _kept(request: Request, command: commands.Orders, seats: list[int]) -> dict[str, Any]:
    return {
        "lines": list(command.block.lines), "round": command.round, "stand": command.stand, "seats": seats,
        "received": request.received.isoformat(), "text": command.game,
    }  # fmt: skip


def take_name_as_answer(request: Request) -> bool:
    """Take a mail that holds nothing but a name as the answer to our question whose move it was; False if it isn't."""
    request.writer_name = request.writer_name or _bare_name(request)
    if not request.writer_name:
        return False
    try:
        question = questions.find(request.app, request.session, request.mail, request.players, request.reading.code)
    except PlayerError:
        return False
    if question.kind != question_queries.WHICH_PLAYER:
        return False
    game = request.session.get_one(Game, question.game_id)
    try:
        seat = access.own_seat(request.session, game, request.players, request.writer_name)
        questions.close(request.app, request.session, question, request.writer_name)
        _file_kept(request, question, seat)
    except PlayerError as error:
        request.refuse(error.text)
    return True


def _bare_name(request: Request) -> str:
    """Return the only line of a mail if it is the name of somebody at this address, else an empty string."""
    line = request.reading.free_text.strip(" .!\n")
    return line if any(access.is_called(player, line) for player in request.players) else ""


def ask_which_game(request: Request) -> bool:
    """Ask for which game, or whose, a move without its title is, in a reply to a mail about several.

    Returns False where there is none.
    """
    found = untitled_for_any(request) if late_moves.about_several(request) else []
    if not found:
        return False
    games = list(dict.fromkeys(sent.game.name for sent in found))
    if len(found) > 1 and len(games) == 1:
        game, block = found[0].game, found[0].block
        ask_whose_move(request, request.note_game(game), commands.Orders(game=game.name, block=block))
        return True
    title = request.app.engine(found[0].game.engine).rules.title
    playing = ", ".join(game.name for game in access.games_of(request.session, request.players))
    request.refuse(say("WHICH_GAME", title=title, game=games[0], games=playing))
    return True


def ask_owner(request: Request, among: Collection[Player] = ()) -> bool:
    """Ask the player whose seat is the only one that a stranger's block can be for; the stranger isn't told.

    A mail asks one player, and a player is asked once a day. Each block goes on the GM's list, without a mail. With
    `among` the mail is in the name of one of these players. Returns whether somebody is asked.
    """
    has_asked, named = False, {player.id for player in among}
    for said in request.reading.commands:
        if not isinstance(said.command, commands.Orders):
            continue
        try:
            game, _ = find_game(request, said.command.game, said.command)
            fitting = [seat for seat in _fitting(request, game, said.command) if seat.player_id in named or not named]
        except (PlayerError, OperatorError):
            continue
        if len(fitting) == 1:
            has_asked |= _ask_owner(request, game, fitting[0], said.command, may_ask=not has_asked)
    return has_asked


def _fitting(request: Request, game: Game, command: commands.Orders) -> Iterator[Seat]:
    """Find the seats for which a block would be a move."""
    if game.status != "running" or command.title_key not in ("", game.engine):
        return
    at = position(request.app, game)
    if not is_released(at.turn):
        return
    # A reply from another address comes from the player whom our mail went to.
    addressed = thread_queries.player_of_thread(request.session, (request.mail.in_reply_to,))
    for seat in seat_queries.seats(game):
        player = request.session.get_one(Player, seat.player_id)
        is_named = not command.player_name or access.is_called(player, command.player_name)
        if seat.number not in at.engine.due(at.state) or addressed not in (None, player.id) or not is_named:
            continue
        if read_move(request, SentMove(game=game, seat=seat, block=command.block)).sheet.move is not None:
            yield seat


def _ask_owner(request: Request, game: Game, seat: Seat, command: commands.Orders, *, may_ask: bool) -> bool:
    """Ask a seat's player; returns whether a question goes out for this mail."""
    app, session = request.app, request.session
    player = session.get_one(Player, seat.player_id)
    asked = question_queries.questions_to(session, player.id, question_queries.UNKNOWN_SENDER)
    if any(one.mail_id == request.row.id for one in asked):
        return True  # asked when this mail was put off
    was_asked = any(one.created_at > app.now() - timedelta(days=1) for one in asked)
    address = player_queries.address_of(session, player.id)
    asks = may_ask and address != "" and not was_asked and questions.may_ask(app, session, address)
    if asks:
        question = questions.add(
            app, session, question_queries.UNKNOWN_SENDER, _kept(request, command, [seat.number]),
            About(mail=request.row, game=game, player=player), address=address, until=app.now() + timedelta(days=DAYS),
        )  # fmt: skip
        context = {"sender": request.mail.sender, "name": player.name, "when_received": request.received}
        questions.send(app, session, question, context)
    _list_for_gm(request, game, player)
    return asks


def _list_for_gm(request: Request, game: Game, player: Player) -> None:
    """Put a stranger's move on the GM's list, with one entry for a seat; the move itself stays in the mail."""
    app, session, row = request.app, request.session, request.row
    said = f"mail {row.id} from {request.mail.sender}"
    entry = _listed(session, game.id, player.id)
    if entry is None:
        payload = {"text": said, "mails": [row.id]}
        about = About(mail=row, game=game, player=player)
        questions.add(app, session, question_queries.MOVES_FROM_ELSEWHERE, payload, about)
    elif row.id not in entry.payload["mails"]:
        text = f"{entry.payload['text']}, {said}"[: gm_list.LONGEST_TEXT]
        entry.payload = {"text": text, "mails": [*entry.payload["mails"], row.id][-MOST_LISTED:]}
        session.add(entry)


def _listed(session: Session, game_id: int | None, player_id: int | None) -> Question | None:
    """Find the open entry about moves for a seat from unknown addresses."""
    listed = question_queries.questions_to(session, player_id or 0, question_queries.MOVES_FROM_ELSEWHERE)
    return next((one for one in listed if one.game_id == game_id and one.answered_at is None), None)


def settle_entry_of_gm(app: App, session: Session, asked: Question) -> None:
    """Settle the GM's entry about a move whose player has answered, unless it is about other mails as well."""
    entry = _listed(session, asked.game_id, asked.player_id)
    if entry and entry.payload["mails"] == [asked.mail_id]:
        questions.close(app, session, entry, asked.answer)


def file_strangers_move(request: Request, question: Question) -> None:
    """File a stranger's move that the seat's player says is theirs. Raises PlayerError."""
    game = request.session.get_one(Game, question.game_id)
    seat = access.own_seat(request.session, game, [request.session.get_one(Player, question.player_id)])
    _file_kept(request, question, seat)


def _file_kept(request: Request, question: Question, seat: Seat) -> None:
    """File a move that waited for an answer, as of its own arrival. Raises PlayerError."""
    request.writer = request.session.get_one(Player, seat.player_id)
    kept, game = question.payload, request.session.get_one(Game, question.game_id)
    request.note_game(game)
    request.received = datetime.fromisoformat(kept["received"])
    on_file = sheet_queries.sheets_on_file(game).get(seat.number)
    if on_file and on_file.received_at > request.received:
        raise PlayerError(say("LATER_MOVE_COUNTS", game=game.name))
    block = MoveBlock(lines=tuple(kept["lines"]))
    filing.file_move(request, SentMove(game=game, seat=seat, block=block, round=kept["round"], stand=kept["stand"]))
