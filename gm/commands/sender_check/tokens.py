"""`sender = "token"`: a mail shows that its writer has our mails, by the keys in them or as a reply to one.

A key counts in its round only, so that no old mail moves anything when it is sent again. It has 80 bits: who guesses
gets nowhere, and locks nobody out.
"""

import hmac
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from sqlmodel import col, select

from gm.commands.moves import late_moves
from gm.commands.request import Incoming, game_meant
from gm.game.position import is_released, position
from gm.messages.move_keys import key_of
from gm.players import access
from gm.runtime.errors import OperatorError, PlayerError
from gm.store.tables import Game, MailOut, Player, Turn
from parsers.commands import commands
from parsers.mime.keys import MOST, keys_in_addresses

THREAD_DAYS: Final = 30
"""So long a reply to a mail of ours vouches for what is about no round."""
_ADDRESSED: Final = ("to", "cc", "delivered-to", "x-original-to")


def vouch(incoming: Incoming) -> bool:
    """Say whether keys, or the mail replied to, cover what a player's mail asks for."""
    return _Keys(incoming).vouch()


class _Keys:
    """For which games a mail shows that its writer has our mails: by keys, or as a reply to one of them."""

    def __init__(self, incoming: Incoming) -> None:
        self.incoming = incoming
        self.session = incoming.session
        self.games: set[int] = set()
        self.before: set[int] = set()
        """Games whose key is that of the round before."""
        self.is_reply = False

    def vouch(self) -> bool:
        """Say whether the keys cover what the mail asks for."""
        playing = access.games_of(self.session, self.incoming.players)
        self._compare(playing)
        self._follow_thread(playing)
        moved = [game for game in self._games_moved_in() if game.id in {one.id for one in playing}]
        if not moved:
            return bool(self.games) or self.is_reply
        return all(game.id in self.games or self._is_for_round_before(game) for game in moved)

    def _games_moved_in(self) -> list[Game]:
        """Find the games of the blocks, and that of lines which may be a move without its title."""
        orders = [one.command for one in self.incoming.reading.commands if isinstance(one.command, commands.Orders)]
        if not orders and self.incoming.reading.paragraphs:
            orders = [commands.Orders()]
        return [game for one in orders if (game := self._game_of(one))]

    def _compare(self, playing: list[Game]) -> None:
        fields = [value for name in _ADDRESSED for value in self.incoming.mail.headers.get(name, ())]
        named = {*self.incoming.reading.keys[:MOST], *islice(keys_in_addresses(fields), MOST)}
        for game in playing if named else ():
            for player in self.incoming.players:
                if self._is_named(named, player, game, game.round):
                    self.games.add(game.id)
                elif game.round and self._is_named(named, player, game, game.round - 1):
                    self.before.add(game.id)

    def _is_named(self, named: set[str], player: Player, game: Game, number: int) -> bool:
        key = key_of(self.session, player.id, game, number).encode()
        return any(hmac.compare_digest(key, one.encode()) for one in named)

    def _follow_thread(self, playing: list[Game]) -> None:
        """A Message-ID of ours is a key as well: nobody but the one whom the mail went to has seen it."""
        replied = self.incoming.mail.in_reply_to
        ids = [player.id for player in self.incoming.players]
        rows = select(MailOut).where(MailOut.message_id == replied, col(MailOut.player_id).in_(ids))
        mail = self.session.exec(rows).first() if replied else None
        if mail is None:
            return
        self.is_reply = mail.created_at > self.incoming.app.now() - timedelta(days=THREAD_DAYS)
        for game in playing:
            if game.id == mail.game_id and mail.created_at >= self._opened(game):
                self.games.add(game.id)

    def _opened(self, game: Game) -> datetime:
        """Say when the present round began."""
        rows = select(Turn.at).where(Turn.game_id == game.id, Turn.round == game.round, col(Turn.undone_at).is_(None))
        return self.session.exec(rows.order_by(col(Turn.id))).first() or game.created_at

    def _is_for_round_before(self, game: Game) -> bool:
        """Let a block with the last round's key through as one for that round: it is answered, and changes nothing."""
        if game.id not in self.before or game.status != "running":
            return False
        try:
            seat = self.incoming.seat_in(game)
            at = position(self.incoming.app, self.session, game)
        except (PlayerError, OperatorError):
            return False
        if not is_released(at.turn) or not late_moves.has_seen(self.incoming, game, at, seat):
            return True
        return self._name_round(game)

    def _name_round(self, game: Game) -> bool:
        """The key names the round as `Runde: 3` does; False where nothing but a block without a title is there."""
        reading, is_named, said = self.incoming.reading, False, []
        for one in reading.commands:
            if isinstance(one.command, commands.Orders) and self._game_of(one.command) == game:
                one, is_named = replace(one, command=replace(one.command, round=game.round - 1)), True
            said.append(one)
        self.incoming.reading = replace(reading, commands=tuple(said))
        return is_named

    def _game_of(self, orders: commands.Orders) -> Game | None:
        try:
            return game_meant(self.incoming, orders.game, orders)[0]
        except PlayerError:
            return None  # the answer says so
