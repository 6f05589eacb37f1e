"""Reads a mail with what the zine knows: titles, commands, names of games, and the mails that its sender has got."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.messages.rendering.mime import text_of
from gm.requests.declared import all_names
from gm.store.queries import game_queries, player_queries, thread_queries
from gm.store.tables import Game, MailIn, Player
from parsers.invisible import fold_name
from parsers.lines.names import Names
from parsers.mime.message import Mail
from parsers.reading import Reading, read
from parsers.sent_texts import SentTexts

MOST_WORDS: Final = 400
"""So many different words of a mail are looked up; a game's name stands early in it, or on a line with its title."""
MOST_SENT: Final = 12
"""So many mails of ours are compared with one."""
SENT_OF_A_GAME: Final = 2
"""So many of each game, beside those of the thread: the bulletin, and what came after it."""
_WORD: Final = re.compile(r"(?<![\w-])[^\W\d_][\w-]{1,29}(?![\w-])")
_TAG: Final = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, kw_only=True)
class Known:
    """What is known for a mail: who writes from its address, and the games that it may be about."""

    players: Sequence[Player]
    games: Sequence[Game]
    """Those whose names stand in it, and those in which its sender plays."""

    @property
    def names(self) -> Names:
        """What the parser must know."""
        return all_names(frozenset(game.name_key for game in self.games))


def read_received(app: App, session: Session, row: MailIn, mail: Mail, known: Known | None = None) -> Reading:
    """Read what a mail asked for when it came; its dates count from that day, in the zine's zone."""
    today = row.received_at.astimezone(app.settings.service.timezone).date()
    known = known or known_for(session, mail)
    return read(mail, known.names, today, sent_texts(session, row, mail, known.players))


def known_for(session: Session, mail: Mail) -> Known:
    """Look up what is known for a mail."""
    text = unicodedata.normalize("NFC", " ".join((mail.subject, *mail.texts, _TAG.sub(" ", mail.html))))
    words = dict.fromkeys(map(fold_name, dict.fromkeys(_WORD.findall(text))))  # a quotation says the same often
    players = player_queries.players_at(session, mail.sender) if mail.sender else ()
    games = game_queries.games_among(session, list(words)[:MOST_WORDS], [player.id for player in players])
    return Known(players=players, games=games)


def sent_texts(session: Session, row: MailIn, mail: Mail, players: Sequence[Player]) -> SentTexts:
    """Return the mails to the sender of a mail that it may repeat: those of its thread, and each game's latest.

    What was sent since it was handled first isn't among them: that may show its own words.
    """
    addresses = {mail.sender, *(player_queries.address_of(session, player.id) for player in players)} - {""}
    references = (mail.in_reply_to, *mail.references)
    sent = thread_queries.may_be_repeated(session, references, addresses, row.handled_at, SENT_OF_A_GAME)
    texts = (text_of(mail.raw) for mail in sent[:MOST_SENT] if mail.raw)
    return SentTexts(texts, (mail.subject for mail in sent if mail.is_in_thread))
