"""A letter alone, or `Wunschbuchstabe R`: it answers the question for the wish, and is a move nowhere else."""

from games.api import MoveBlock
from gm.game import seats
from gm.game.people import access
from gm.requests import joining
from gm.requests.moves import filing
from gm.requests.moves.blocks import SentMove, read_move
from gm.requests.request import Request, answered_game
from gm.runtime.errors import PlayerError
from gm.store.queries import sheet_queries
from gm.store.tables import Game
from parsers import commands


def take(request: Request) -> bool:
    """File the letter that a player names as the wish that is wanted; False where none is, or none is named.

    It is wanted in the game whose mail was replied to or that the subject names, else in the only open one of the
    sender's games that lacks it. In a running game it only completes a move on file that lacks nothing else.
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
        return game.status == "running" and _complete_move(request, game, block)
    wanting = [one for one in ([game] if game else _open_games(request)) if joining.wants(request.app, one, block)]
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
