"""Names that games and players may have, and finding a kind of game by key or title."""

import unicodedata
from difflib import get_close_matches
from typing import Final

from games import AnyEngine, engines
from gm.runtime.errors import Refused

LONGEST_NAME: Final = 40


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


def find_engine(kind: str) -> AnyEngine:
    """Find a kind of game by key or title, in any case. Raises Refused with what there is."""
    wanted = kind.casefold()
    for engine in engines().values():
        if wanted in {engine.rules.key, *(title.casefold() for title in titles_and_aliases(engine))}:
            return engine
    keys = sorted(engines())
    near = get_close_matches(wanted, keys, 1)
    hint, tipp = (f" Did you mean {near[0]}?", f" Meinst du {near[0]}?") if near else ("", "")
    raise Refused(f"There is no game '{kind}'.{hint} There are: {', '.join(keys)}.",
                  de=f"Ein Spiel »{kind}« gibt es nicht.{tipp} Es gibt: {', '.join(keys)}.")  # fmt: skip


def titles_and_aliases(engine: AnyEngine) -> tuple[str, ...]:
    """List what a kind of game is called in mails."""
    return (engine.rules.title, *engine.rules.aliases)
