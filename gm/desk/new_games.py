"""What a new game may be called, and how its rounds and options are read."""

import re
from collections.abc import Sequence
from typing import Any, Final

from games import engines
from games.api import Rules
from gm.app.context import App
from gm.messages.mail_commands import command_words
from gm.players.name_rules import titles_and_aliases
from gm.runtime.errors import Refused
from parsers.invisible import fold_name
from parsers.lines.arguments import FILLERS
from parsers.lines.names import NAME, NAME_LETTER

KEYWORDS: Final = frozenset(
    """
    gm ja nein yes no ende end anonym anonymous zahlen summe sum total neu new name runde round partie wunsch wish
    archiv archive
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words that begin a line in a mail (rulings.md 3.1), beside those of the commands."""

MOST_SHOWN: Final = 5
"""So many characters that can't stand in a name are shown."""

PRESS: Final = {"press=signed": False, "press=anonymous": True}
"""An option of every game: whether press may go unsigned."""


def check_name(name: str) -> None:
    """Check that a game's name can't be taken for anything else in a mail. Raises Refused (rulings.md 3.1)."""
    if not re.fullmatch(NAME, name):
        english, german = _fault(name)
        raise Refused(
            f"'{name}' can't be a game's name: {english}; it is one word of 2 to 30 letters, digits and -, a letter "
            "first.",
            de=f"»{name}« kann keine Partie heißen: {german}; es ist ein Wort aus 2 bis 30 Buchstaben, Ziffern und -, "
            "vorn ein Buchstabe.",
        )
    titles = {word for engine in engines().values() for title in titles_and_aliases(engine) for word in _words(title)}
    key = fold_name(name)
    if key in {*map(fold_name, titles), *KEYWORDS, *map(fold_name, command_words())}:
        raise Refused(f"'{name}' can't be a game's name: it is a title, a command or a keyword in mails.",
                      de=f"»{name}« kann keine Partie heißen: In Mails ist das ein Spiel oder ein Befehl.")  # fmt: skip
    if key in FILLERS:
        raise Refused(
            f"'{name}' can't be a game's name: in a player's sentence nobody could tell it from the word.",
            de=f"»{name}« kann keine Partie heißen: In einem Satz wüsste niemand, dass die Partie gemeint ist.",
        )


def _fault(name: str) -> tuple[str, str]:
    """Say what is wrong with a name, in English and in German."""
    strange = dict.fromkeys(char for char in name if not re.fullmatch(f"{NAME_LETTER}|[0-9-]", char))
    if shown := [char for char in strange if char.isprintable() and char != " "][:MOST_SHOWN]:
        return f"{' '.join(shown)} can't stand in it", f"{' '.join(shown)} geht darin nicht"
    if strange:
        return "no blank can stand in it", "ein Leerzeichen geht darin nicht"
    if name[:1] and not re.fullmatch(NAME_LETTER, name[0]):
        return f"it begins with {name[0]}", f"vorn steht {name[0]}"
    return f"it has {len(name)} letters", f"das {'ist' if len(name) == 1 else 'sind'} {len(name)} Zeichen"


def _words(title: str) -> set[str]:
    return {title.casefold(), *re.split(r"[ -]", title.casefold())}


def round_wanted(app: App, zat: str | None, usual: str | None) -> tuple[bool, str]:
    """Read `14d`, `issue` or `issue 10d`: whether rounds end with the issues, and their span, the least one then.

    Raises Refused.
    """
    match = re.fullmatch(r"\s*(?:issues?|hefte?)(?:[\s:]+(\S.*))?", zat or "", re.IGNORECASE)
    if match and not app.settings.zine.dates:
        raise Refused(
            "There are no issues to take ZATs from; write their dates into config.toml first: [zine] dates.",
            de="Es gibt keine Hefte, aus denen der ZAT kommen könnte; schreib erst ihre Termine in config.toml: [zine] "
            "dates.",
        )
    return match is not None, ((match[1] if match else zat) or usual or "").strip()


def read_options(rules: Rules, given: Sequence[str]) -> dict[str, Any]:
    """Read `key=value` options for a game. Raises Refused for an unknown key or a wrong value."""
    options = dict(rules.options)
    for item in given:
        key, sign, value = item.partition("=")
        if not sign or key not in options:
            known = ", ".join([*options, "press=anonymous"])
            raise Refused(f"'{item}' is no option of {rules.title}; write key=value. Options: {known}.",
                          de=f"»{item}« gibt es bei {rules.title} nicht; möglich ist: {known}.")  # fmt: skip
        options[key] = _typed(key, value, options[key])
    return options


def _typed(key: str, value: str, default: Any) -> Any:
    """Read a value as the type of the option's default. Raises Refused."""
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise Refused(f"{key}={value}: write true or false.", de=f"{key}={value}: Schreib true oder false.")
        return value == "true"
    if isinstance(default, int):
        if not value.isascii() or not value.isdigit():
            raise Refused(f"{key}={value}: write a whole number.", de=f"{key}={value}: Schreib eine ganze Zahl.")
        return int(value)
    return value
