"""What the parser must know to read a mail: titles, commands, and the names of games that the mail may mean."""

import re
from typing import Final

from sqlmodel import Session

from gm.players import access
from gm.requests.declared import all_names
from gm.store.queries import game_queries, player_queries
from gm.store.tables import name_key_of
from parsers.lines.names import Names
from parsers.mime.message import Mail

MOST_WORDS: Final = 400
"""So many different words of a mail are looked up; a game's name stands early in it, or on a line with its title."""
_WORD: Final = re.compile(r"(?<![\w-])[^\W\d_][\w-]{1,29}(?![\w-])")
_TAG: Final = re.compile(r"<[^<>]*>")


def names_for(session: Session, mail: Mail) -> Names:
    """Return what is known for a mail: the games whose names stand in it, and those in which its sender plays."""
    text = " ".join((mail.subject, *mail.texts, _TAG.sub(" ", mail.html)))
    words = dict.fromkeys(name_key_of(found[0]) for found in _WORD.finditer(text))
    named = game_queries.names_among(session, list(words)[:MOST_WORDS])
    players = player_queries.players_at(session, mail.sender)
    own = {game.name_key for game in access.games_of(session, players)} if players else set()
    return all_names(frozenset({*named, *own}))
