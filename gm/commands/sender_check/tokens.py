"""`sender = "token"`: a mail proves its writer by a key from one of our mails, or as a reply to one.

A key counts in its round only: an old mail that is sent again moves nothing. It has 80 bits, so nobody can guess it;
wrong keys lock nobody out.
"""

import hmac
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from sqlmodel import col, select

from gm.commands.moves import late_moves, our_reading
from gm.commands.request import Request, find_game
from gm.game.position import is_released, position
from gm.messages.move_keys import key_of
from gm.players import access
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.tables import Game, MailOut, Turn
from parsers.commands import commands
from parsers.mime.keys import MOST, keys_in_addresses

THREAD_DAYS: Final = 30
"""Days in which a reply to a mail of ours proves its writer, for commands that are about no round."""
_ADDRESSED: Final = ("to", "cc", "delivered-to", "x-original-to")


def prove_writer(request: Request) -> bool:
    """Whether keys, or the mail replied to, prove that the writer may do all that the mail asks for."""
    playing = access.games_of(request.session, request.players)
    shown, before = _games_of_keys(request, playing)
    replied = _mail_replied_to(request)
    if replied:
        shown |= {
            one.id for one in playing if one.id == replied.game_id and replied.created_at >= _opened(request, one)
        }
    moved = [game for game in _games_moved_in(request) if game.id in {one.id for one in playing}]
    if not moved:
        is_fresh = replied and replied.created_at > request.app.now() - timedelta(days=THREAD_DAYS)
        return bool(shown or is_fresh)
    return all(game.id in shown or (game.id in before and _is_for_round_before(request, game)) for game in moved)


def _games_moved_in(request: Request) -> list[Game]:
    """Find the games of the blocks, of lines that may be a move without its title, and of a `Ja` that files one."""
    said = [one.command for one in request.reading.commands]
    orders = [one for one in said if isinstance(one, commands.Orders)]
    orders += [one.heading for one in said if isinstance(one, commands.Advance)]
    if not orders and request.reading.paragraphs:
        orders = [commands.Orders()]
    meant = our_reading.game_of_answer(request)
    return [game for one in orders if (game := _game_of(request, one))] + ([meant] if meant else [])


def _game_of(request: Request, orders: commands.Orders) -> Game | None:
    try:
        return find_game(request, orders.game, orders)[0]
    except PlayerError:
        return None  # the answer says so


def _games_of_keys(request: Request, playing: Sequence[Game]) -> tuple[set[int], set[int]]:
    """Find the games whose key the mail has: that of the present round, and only that of the round before."""
    fields = [value for name in _ADDRESSED for value in request.mail.headers.get(name, ())]
    keys = {*request.reading.keys[:MOST], *islice(keys_in_addresses(fields), MOST)}
    present: set[int] = set()
    before: set[int] = set()
    for game in playing if keys else ():
        if _has_key(request, keys, game, game.round):
            present.add(game.id)
        elif game.round and _has_key(request, keys, game, game.round - 1):
            before.add(game.id)
    return present, before


def _has_key(request: Request, keys: set[str], game: Game, number: int) -> bool:
    own = [key_of(request.session, player.id, game, number).encode() for player in request.players]
    return any(hmac.compare_digest(key, one.encode()) for key in own for one in keys)


def _mail_replied_to(request: Request) -> MailOut | None:
    """Find our mail that was replied to. Its Message-ID is a key as well: only the one whom it went to has seen it."""
    replied = request.mail.in_reply_to
    ids = [player.id for player in request.players]
    rows = select(MailOut).where(MailOut.message_id == replied, col(MailOut.player_id).in_(ids))
    return request.session.exec(rows).first() if replied else None


def _opened(request: Request, game: Game) -> datetime:
    """Find out when the present round began."""
    rows = select(Turn.at).where(Turn.game_id == game.id, Turn.round == game.round, col(Turn.undone_at).is_(None))
    return request.session.exec(rows.order_by(col(Turn.id))).first() or game.created_at


def _is_for_round_before(request: Request, game: Game) -> bool:
    """Let a block with the last round's key through as one for that round: it is answered, and changes nothing."""
    if game.status != "running":
        return False
    try:
        seat = request.seat_in(game)
        at = position(request.app, request.session, game)
    except (PlayerError, OperatorError):
        return False
    if not is_released(at.turn) or not late_moves.has_seen(request, game, at, seat):
        return True
    return _name_round(request, game)


def _name_round(request: Request, game: Game) -> bool:
    """The key names the round as `Runde: 3` does; False where nothing but a block without a title is there."""
    said, is_named = [], False
    for one in request.reading.commands:
        if isinstance(one.command, commands.Orders) and _game_of(request, one.command) == game:
            one, is_named = replace(one, command=replace(one.command, round=game.round - 1)), True
        said.append(one)
    request.reading = replace(request.reading, commands=tuple(said))
    return is_named
