"""Names that games may have."""

import re
from typing import Final

from games import engines
from gm.messages.mail_commands import command_words
from gm.players.name_rules import titles_and_aliases
from gm.runtime.errors import Refused
from parsers.lines.arguments import FILLERS
from parsers.lines.names import NAME

KEYWORDS: Final = frozenset(
    """
    gm ja nein yes no ende end anonym anonymous zahlen summe sum total neu new name runde round partie wunsch wish
    archiv archive
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words that begin a line in a mail (rulings.md 3.1), beside those of the commands."""


def check_name(name: str) -> None:
    """Check that a game's name can't be taken for anything else in a mail. Raises Refused (rulings.md 3.1)."""
    if not re.fullmatch(NAME, name):
        raise Refused(
            f"'{name}' can't be a game's name: one word of 2 to 30 letters, digits and -, a letter first.",
            de=f"»{name}« kann keine Partie heißen: ein Wort aus 2 bis 30 Buchstaben, Ziffern und -, vorn ein "
            "Buchstabe.",
        )
    titles = {word for engine in engines().values() for title in titles_and_aliases(engine) for word in _words(title)}
    if name.casefold() in titles | KEYWORDS | command_words():
        raise Refused(f"'{name}' can't be a game's name: it is a title, a command or a keyword in mails.",
                      de=f"»{name}« kann keine Partie heißen: In Mails ist das ein Spiel oder ein Befehl.")  # fmt: skip
    if name.casefold() in FILLERS:
        raise Refused(
            f"'{name}' can't be a game's name: in a player's sentence nobody could tell it from the word.",
            de=f"»{name}« kann keine Partie heißen: In einem Satz wüsste niemand, dass die Partie gemeint ist.",
        )


def _words(title: str) -> set[str]:
    return {title.casefold(), *re.split(r"[ -]", title.casefold())}
