"""Names that games and players may have, and finding a kind of game by key or title."""

import re
import unicodedata
from difflib import get_close_matches
from typing import Final

from games import AnyEngine, engines
from gm.runtime.errors import Refused
from parsers.lines.arguments import FILLERS

RESERVED: Final = frozenset(
    """
    hilfe help spiele games anmeldung join abmeldung resign stand status protokoll history zurückziehen
    zurueckziehen withdraw warten wait fertig ready urlaub vacation verlängerung verlaengerung extension standby
    kein no beobachten nicht watch unwatch presse press einspruch appeal gm digest sprache
    language adresse address anonym anonymous stop ja nein yes zahlen ende end summe sum total neu new name runde
    round partie wunsch wish archivname archiv archive meine my
    """.split()  # noqa: SIM905  easier to read and to add to than sixty quoted words
)
"""Every word that begins a line in a mail (interface.md, rulings.md 3.1), also those of commands yet to come."""

LONGEST_NAME: Final = 40
NAME: Final = re.compile(r"[A-Za-zÄÖÜäöüß][A-Za-zÄÖÜäöüß0-9-]{1,29}")


def clean_name(name: str) -> str:
    """Make a name fit to print: one line, no control characters, at most 40 characters."""
    spaced = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in unicodedata.normalize("NFC", name))
    return " ".join(spaced.split())[:LONGEST_NAME].strip(" \"'<>")


def player_name(name: str) -> str:
    """Clean the name that the GM gives a player. Raises Refused for a long one, and if nothing is left of it."""
    if len(" ".join(name.split())) > LONGEST_NAME:
        raise Refused(f"'{name}' is too long for a name; {LONGEST_NAME} characters are the most.",
                      de=f"»{name}« ist als Name zu lang; höchstens {LONGEST_NAME} Zeichen passen.")  # fmt: skip
    wanted = clean_name(name)
    if not wanted:
        raise Refused("A player needs a name.", de="Wer mitspielt, braucht einen Namen.")
    return wanted


def check_name(name: str) -> None:
    """Check that a game's name can't be taken for anything else in a mail. Raises Refused (rulings.md 3.1)."""
    if not NAME.fullmatch(name):
        raise Refused(
            f"'{name}' can't be a game's name: one word of 2 to 30 letters, digits and -, a letter first.",
            de=f"»{name}« kann keine Partie heißen: ein Wort aus 2 bis 30 Buchstaben, Ziffern und -, vorn ein "
            "Buchstabe.",
        )
    titles = {word for engine in engines().values() for title in _titles(engine) for word in _words(title)}
    if name.casefold() in titles | RESERVED:
        raise Refused(f"'{name}' can't be a game's name: it is a title, a command or a keyword in mails.",
                      de=f"»{name}« kann keine Partie heißen: In Mails ist das ein Spiel oder ein Befehl.")  # fmt: skip
    if name.casefold() in FILLERS:
        raise Refused(
            f"'{name}' can't be a game's name: in a player's sentence nobody could tell it from the word.",
            de=f"»{name}« kann keine Partie heißen: In einem Satz wüsste niemand, dass die Partie gemeint ist.",
        )


def find_engine(kind: str) -> AnyEngine:
    """Find a kind of game by key or title, in any case. Raises Refused with what there is."""
    wanted = kind.casefold()
    for engine in engines().values():
        if wanted in {engine.rules.key, *(title.casefold() for title in _titles(engine))}:
            return engine
    keys = sorted(engines())
    near = get_close_matches(wanted, keys, 1)
    hint, tipp = (f" Did you mean {near[0]}?", f" Meinst du {near[0]}?") if near else ("", "")
    raise Refused(f"There is no game '{kind}'.{hint} There are: {', '.join(keys)}.",
                  de=f"Ein Spiel »{kind}« gibt es nicht.{tipp} Es gibt: {', '.join(keys)}.")  # fmt: skip


def _titles(engine: AnyEngine) -> tuple[str, ...]:
    return (engine.rules.title, *engine.rules.aliases)


def _words(title: str) -> set[str]:
    return {title.casefold(), *re.split(r"[ -]", title.casefold())}
