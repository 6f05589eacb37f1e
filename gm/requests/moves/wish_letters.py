"""A letter alone, or `Wunschbuchstabe R`: it answers the question for the wish, and is a move nowhere else."""

from games.api import MoveBlock, say
from gm.game import seats
from gm.game.people import access
from gm.game.position import is_released
from gm.requests import joining
from gm.requests.moves import filing
from gm.requests.moves.block_to_send import Due, show_block
from gm.requests.moves.blocks import SentMove, read_move
from gm.requests.request import Request, answered_game
from gm.runtime.errors import PlayerError
from gm.store.queries import sheet_queries
from gm.store.tables import Game
from parsers import commands


def take(request: Request) -> bool:
    """File the letter that a player names as the wish that is wanted; False where none is, or none is named.

    It is wanted in the game whose mail was replied to or that the subject names, else in the only open one of the
    sender's games that lacks it. In a running game it only completes a move on file that lacks nothing else; where no
    move is there yet, the answer says what is missing.
    """
    reading = request.reading
    letter = reading.answer.letter if reading.answer else ""
    taken = (commands.Orders, commands.Join)
    if not letter or not request.players or any(isinstance(one.command, taken) for one in reading.commands):
        return False
    block = MoveBlock(lines=(f"Neu: {letter}",))
    try:
        return _take(request, block)
    except PlayerError:
        return False  # nobody has asked these players


def _take(request: Request, block: MoveBlock) -> bool:
    """File a wish. Raises PlayerError where the sender has no seat in the game."""
    game = answered_game(request)
    if game is not None and game.status != "open":
        return game.status == "running" and (
            _complete_move(request, game, block) or _say_what_is_missing(request, game, block)
        )
    wanting = [one for one in ([game] if game else _open_games(request)) if joining.wants(request.app, one, block)]
    if not wanting and game is None:
        running = [one for one in access.games_of(request.session, request.players) if one.status == "running"]
        asking = [one for one in running if joining.wants(request.app, one, block)]
        return len(asking) == 1 and _say_what_is_missing(request, asking[0], block)
    if len(wanting) != 1:
        return False
    game = wanting[0]
    seat = request.own_seat(request.note_game(game))
    sheet = seats.change_entry(request.app, request.session, game, seat, block)
    joining.start_or_answer(request, game, seat, sheet)
    return True


def _open_games(request: Request) -> list[Game]:
    """List the open games in which the sender's seat has no wish yet."""
    games = [one for one in access.games_of(request.session, request.players) if one.status == "open"]
    return [game for game in games if request.seat_in(game).entry is None]


def _complete_move(request: Request, game: Game, block: MoveBlock) -> bool:
    """Complete the move on file with a wish, if it lacks just that."""
    seat = request.seat_in(game)
    on_file = sheet_queries.sheets_on_file(game).get(seat.number)
    if on_file is None or on_file.complete or not joining.wants(request.app, game, block):
        return False
    sent = SentMove(game=game, seat=seat, block=block)
    sheet = read_move(request, sent).sheet
    if sheet.move is None or sheet.wanted:
        return False
    request.own_seat(request.note_game(game))
    filing.file_move(request, sent)
    return True


def _say_what_is_missing(request: Request, game: Game, block: MoveBlock) -> bool:
    """Answer a letter alone, where a whole move is due and none is on file, with what the rules miss in it."""
    seat, answer = request.seat_in(game), request.reading.answer
    has_move = seat.number in sheet_queries.sheets_on_file(game)
    if request.parts or has_move or answer is None or not joining.wants(request.app, game, block):
        return False
    read = read_move(request, SentMove(game=game, seat=seat, block=block))
    is_due = is_released(read.at.turn) and read.number in read.at.engine.due(read.at.state)
    if not is_due or not read.sheet.remarks:
        return False
    request.own_seat(request.note_game(game))
    request.refuse(say("LETTER_ALONE", letter=answer.letter, game=game.name, missing=read.sheet.remarks[0]))
    show_block(request, Due(game=game, at=read.at, seat=read.number), "FORM_OF_MOVE")
    return True
