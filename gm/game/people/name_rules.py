"""Names that games and players may have, and finding a kind of game by key or title."""

import re
import unicodedata
from difflib import get_close_matches
from typing import Final

from games import AnyEngine, engines
from games.api import say
from gm.runtime.errors import Refused
from gm.store.queries.player_queries import NOBODY
from parsers.invisible import in_one_line

LONGEST_NAME: Final = 40


def clean_name(name: str) -> str:
    """Make a name fit to print: one line, nothing invisible, at most 40 characters; "" if nothing is left."""
    seen = unicodedata.normalize("NFC", in_one_line(name))
    spaced = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in seen)
    return " ".join(spaced.split())[:LONGEST_NAME].strip(" \"'<>")


def letters_of(name: str) -> str:
    """Reduce a name to its letters, digits and signs, whatever their case and form: equal ones look alike."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", in_one_line(name)).casefold())
    return "".join(c for c in in_one_line(folded) if unicodedata.category(c)[0] not in "CZP")


def is_nobodys(name: str) -> bool:
    """Whether a name is one of those under which the forgotten appear, in any spelling: N. N., n.n., N. N. 2."""
    return re.fullmatch(rf"{letters_of(NOBODY)}\d*", letters_of(name)) is not None


def player_name(name: str) -> str:
    """Clean the name that the GM gives a player. Raises Refused for a long one, and if nothing is left of it."""
    if len(in_one_line(name)) > LONGEST_NAME:
        raise Refused(say("name_rules.too_long", name=name, most=LONGEST_NAME))
    wanted = clean_name(name)
    if not wanted:
        raise Refused(say("name_rules.no_name"))
    return wanted


def check_somebodys(name: str) -> None:
    """Check that a player may be called so. Raises Refused for nobody's name."""
    if is_nobodys(name):
        raise Refused(say("name_rules.nobodys_name", name=name))


def find_engine(kind: str) -> AnyEngine:
    """Find a kind of game by key or title, in any case. Raises Refused with what there is."""
    wanted = kind.casefold()
    for engine in engines().values():
        if wanted in {engine.rules.key, *(title.casefold() for title in titles_and_aliases(engine))}:
            return engine
    keys = sorted(engines())
    near, there_are = get_close_matches(wanted, keys, 1), ", ".join(keys)
    if near:
        raise Refused(say("name_rules.no_game_but_near", kind=kind, near=near[0], there_are=there_are))
    raise Refused(say("name_rules.no_game", kind=kind, there_are=there_are))


def titles_and_aliases(engine: AnyEngine) -> tuple[str, ...]:
    """List what a kind of game is called in mails."""
    return (engine.rules.title, *engine.rules.aliases)
