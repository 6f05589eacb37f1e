"""Who takes part in the demo, and what they write beside their moves."""

from typing import Final

from gm.messages.rendering.wording import first_name

PLAYERS = ("Anna Berg", "Bernd Cordes", "Carla Dietz", "Dora Ems", "Emil Funk", "Frida Groß")
"""The players; their first names are their mailboxes."""
GM_MAILBOX = "cici@postspiel.example"
STANDBY = "Gerda Hahn"
PASSWORD = "demo"  # of mailboxes that live as long as the demo

TEASED: Final = "{other}, schon wieder die Erste im Postfach! Hast du gar nichts anderes zu tun?"
"""Press of one player, before the second move."""
TEASED_BACK: Final = "Doch, {other}. Aber nichts, was so viel Spaß macht. Zieh dich warm an!"
"""Press of the player who was teased, before the third move."""

WELCOME: Final = (
    "Die erste Runde ist da, und alle Züge kamen pünktlich: So darf es bleiben. "
    "Wer verreist, schreibt mir eine Zeile, dann finden wir einen Weg."
)
"""Foreword of the GM to the first bulletin."""
FAREWELL: Final = "Das war eine schöne Partie. Danke euch allen! Wer eine Revanche möchte: »{game}« ist schon offen."
"""Foreword of the GM to the last bulletin."""


def address_of(name: str, domain: str = "spieler.example") -> str:
    """Return the address of a player: `anna@spieler.example`."""
    return f"{first_name(name).lower()}@{domain}"
