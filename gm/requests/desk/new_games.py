"""What a new game may be called, and how its rounds and options are read."""

import re
from collections.abc import Sequence
from typing import Any, Final

from games import engines
from games.api import Rules, Text, say
from gm.app.context import App
from gm.game.people.name_rules import titles_and_aliases
from gm.messages.mail_commands import command_words
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
        raise Refused(say("new_games.no_name", name=name, fault=_fault(name)))
    titles = {word for engine in engines().values() for title in titles_and_aliases(engine) for word in _words(title)}
    key = fold_name(name)
    if key in {*map(fold_name, titles), *KEYWORDS, *map(fold_name, command_words())}:
        raise Refused(say("new_games.name_is_word_of_mails", name=name))
    if key in FILLERS:
        raise Refused(say("new_games.name_is_filler", name=name))


def _fault(name: str) -> Text:
    """Say what is wrong with a name."""
    strange = dict.fromkeys(char for char in name if not re.fullmatch(f"{NAME_LETTER}|[0-9-]", char))
    if shown := [char for char in strange if char.isprintable() and char != " "][:MOST_SHOWN]:
        return say("new_games.strange_signs", signs=" ".join(shown))
    if strange:
        return say("new_games.blank")
    if name[:1] and not re.fullmatch(NAME_LETTER, name[0]):
        return say("new_games.begins_with", sign=name[0])
    return say("new_games.one_letter" if len(name) == 1 else "new_games.letters", number=len(name))


def _words(title: str) -> set[str]:
    return {title.casefold(), *re.split(r"[ -]", title.casefold())}


def round_wanted(app: App, zat: str | None, usual: str | None) -> tuple[bool, str]:
    """Read `14d`, `issue` or `issue 10d`: whether rounds end with the issues, and their span, the least one then.

    Raises Refused.
    """
    match = re.fullmatch(r"\s*(?:issues?|hefte?)(?:[\s:]+(\S.*))?", zat or "", re.IGNORECASE)
    if match and not app.settings.zine.dates:
        raise Refused(say("new_games.no_issues"))
    return match is not None, ((match[1] if match else zat) or usual or "").strip()


def read_options(rules: Rules, given: Sequence[str]) -> dict[str, Any]:
    """Read `key=value` options for a game. Raises Refused for an unknown key or a wrong value."""
    options = dict(rules.options)
    for item in given:
        key, sign, value = item.partition("=")
        if not sign or key not in options:
            known = ", ".join([*options, "press=anonymous"])
            raise Refused(say("new_games.no_option", item=item, title=rules.title, known=known))
        options[key] = _typed(key, value, options[key])
    return options


def _typed(key: str, value: str, default: Any) -> Any:
    """Read a value as the type of the option's default. Raises Refused."""
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise Refused(say("new_games.true_or_false", key=key, value=value))
        return value == "true"
    if isinstance(default, int):
        if not value.isascii() or not value.isdigit():
            raise Refused(say("new_games.whole_number", key=key, value=value))
        return int(value)
    return value
