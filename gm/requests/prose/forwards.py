"""A forwarded mail that is a move or asks for time: it is never carried out, but the GM gets the line that does it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gm.game.people import access
from gm.messages.gm_list import Offer
from gm.messages.outgoing import gms_of
from gm.requests.moves import blocks
from gm.requests.moves.blocks import SentMove, read_move
from gm.requests.preferences import zat_lines
from gm.requests.prose.lines_for_gm import NOBODY, for_wish
from gm.requests.reading import known_for
from gm.requests.request import Request
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.queries import game_queries, player_queries, seat_queries
from gm.store.tables import Game, Player, Seat
from parsers import commands
from parsers.mime.forwards import forwarded
from parsers.mime.message import Mail
from parsers.reading import read

MOST: Final = 6
"""So many lines are offered where it isn't clear whose, or which game's, the move is."""


def pass_on(request: Request) -> bool:
    """Put a forwarded mail that plainly wishes something before the GM, with the lines that do it.

    Returns False where it doesn't. What our own mails say wishes nothing.
    """
    mail = forwarded(request.mail, request.row.raw) if request.reading.is_forward and not request.mark else None
    if mail is None or mail.sender == request.app.settings.service.address.lower():
        return False
    inner = _as_request(request, mail)
    lines = list(dict.fromkeys(_lines(inner)))[:MOST]
    if not lines:
        return False
    games = [game for name in dict.fromkeys(line[1] for line in lines) if (game := _game(request, name))]
    # A GM who plays in one of them doesn't see what may be another's move there.
    allowed = [gms_of(request.app, request.session, game) for game in (None, *games)]
    readers = [address for address in allowed[0] if all(address in one for one in allowed)]
    text = "\n".join(line for line in mail.text.splitlines() if line.strip())
    player = request.writer or next(iter(request.players), None)
    request.tell_gm(
        "forwarded", text, game=games[0] if len(games) == 1 else None, player=player, lines=lines if readers else (),
        readers=readers,
    )  # fmt: skip
    return True


def _game(request: Request, name: str) -> Game | None:
    return game_queries.game_named(request.session, name)


def _as_request(request: Request, mail: Mail) -> Request:
    """Read a forwarded mail as if it had come from those who may have written it."""
    session = request.session
    known = known_for(session, mail)
    named = None if known.players else player_queries.player_named(session, mail.sender_name)
    reading = replace(read(mail, known.names, request.today), is_forward=False)
    return Request(
        app=request.app, session=session, row=request.row, mail=mail, players=[named] if named else known.players,
        reading=reading, games=known.games,
    )  # fmt: skip


def _lines(inner: Request) -> Iterator[Offer]:
    """Write the lines that do what a mail says: for a move each player who may have sent it."""
    for said in inner.reading.commands:
        if isinstance(said.command, commands.Orders):
            yield from _for_block(inner, said.command)
        elif isinstance(said.command, commands.Extension):
            yield from zat_lines(inner.app, inner.session, said.command)
    if inner.reading.wish:
        yield from for_wish(inner, inner.reading.wish)
    if not inner.reading.commands:
        yield from (_line(inner, sent.game, sent.seat) for sent in blocks.untitled_for_any(inner))


def _for_block(inner: Request, orders: commands.Orders) -> Iterator[Offer]:
    for game in _games(inner, orders):
        found = list(_seats(inner, game, orders))
        yield from (_line(inner, game, seat) for seat in found if _is_move(inner, game, seat, orders))
        if not found:
            yield ("move", game.name, NOBODY)


def _games(inner: Request, orders: commands.Orders) -> list[Game]:
    """List the running games that a block may be for."""
    try:
        games = [blocks.game_of(inner, orders)[0]]
    except PlayerError:
        of_players = access.games_of(inner.session, inner.players)
        games = [game for game in of_players if orders.title_key in ("", game.engine)]
    return [game for game in games if game.status == "running"]


def _seats(inner: Request, game: Game, orders: commands.Orders) -> Iterator[Seat]:
    """List the seats that a block may be for: of whoever it names or wrote it, of both where two share the address."""
    who = orders.player_name or inner.reading.player_name
    try:
        yield inner.seat_in(game, who)
        return
    except PlayerError:
        ids = {player.id for player in inner.players}
    for seat in seat_queries.seats(game):
        is_named = who and access.is_called(inner.session.get_one(Player, seat.player_id), who)
        if is_named or (not who and seat.player_id in ids):
            yield seat


def _is_move(inner: Request, game: Game, seat: Seat, orders: commands.Orders) -> bool:
    """Whether a block says something: the empty one of our own mails doesn't."""
    try:
        sheet = read_move(inner, SentMove(game=game, seat=seat, block=orders.block)).sheet
    except (OperatorError, PlayerError):
        return False
    return sheet.move is not None or bool(sheet.problems)


def _line(inner: Request, game: Game, seat: Seat) -> Offer:
    return ("move", game.name, inner.session.get_one(Player, seat.player_id).name)
