"""One line of a mail -> the command in it. The table `ROWS` has one row a command and language.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (4 Fertig).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.api import Language
from parsers.commands import (
    Appeal,
    Command,
    Games,
    Help,
    Join,
    No,
    Ready,
    Standby,
    Status,
    Wait,
    Withdraw,
    Yes,
)
from parsers.eriwan import (
    Titles,
)

MAX_COMMAND: Final = 120
"""Longer lines are prose."""
MAX_REASON: Final = 4000
"""An appeal's reason may be a long line: many mail programs wrap nothing."""

TO_GM = re.compile(r"GM\s*:\s*(?P<text>.*)", re.IGNORECASE)
APPEAL = re.compile(r"(?P<named>\S+(?: \S+){0,3}) [»„“\"]?(?P<word>[^\s»«„“”\"]{1,60})[«“”\"]?")

Making: TypeAlias = Callable[[str, Titles], Command | None]
"""What stands behind the command's word -> the command; None where it is prose after all."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A command and the language it was given in; None where both have the same word."""

    command: Command
    language: Language | None = None
    player_name: str = ""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table: the command's word and what is made of the rest of the line."""

    language: Language | None
    word: str
    make: Making
    longest: int = MAX_COMMAND
    """With more than MAX_COMMAND the line ends in free text, whose punctuation stays."""


def _about_game(kind: type[Withdraw | Wait | Ready | Status | Join]) -> Making:
    def make(rest: str, titles: Titles) -> Command | None:
        named = titles.read(rest)
        return kind(title_key=named.title_key, game=named.game) if named else None

    return make


def _ready(rest: str, titles: Titles) -> Command | None:
    named = titles.read(rest)
    return Ready(title_key=named.title_key, game=named.game) if named and named.game else None


def _join(rest: str, titles: Titles) -> Command | None:
    return _about_game(Join)(rest, titles) if rest else None


def _help(rest: str, titles: Titles) -> Command | None:
    named = titles.read(rest)
    return Help(topic=named.title_key or named.game) if named else None


def _games(rest: str, _: Titles) -> Command | None:
    return None if rest else Games()


def _standby(on: bool) -> Making:
    def make(rest: str, titles: Titles) -> Command | None:
        named = titles.read(rest)
        return Standby(title_key=named.title_key, on=on) if named and not named.game else None

    return make


def _appeal(rest: str, titles: Titles) -> Command | None:
    head, _, reason = rest.partition(":")
    found = APPEAL.fullmatch(" ".join(head.rstrip(".! ").split())) if len(head) <= MAX_COMMAND else None
    named = titles.read(found["named"]) if found else None
    if not found or not named or not named.game:
        return None
    return Appeal(title_key=named.title_key, game=named.game, word=found["word"], reason=reason.strip())


ROWS: Final[tuple[Row, ...]] = (
    Row(language="de", word="hilfe", make=_help),
    Row(language="en", word="help", make=_help),
    Row(language="de", word="spiele", make=_games),
    Row(language="en", word="games", make=_games),
    Row(language="de", word="anmeldung:?", make=_join),
    Row(language="en", word="join:?", make=_join),
    Row(language="de", word="stand", make=_about_game(Status)),
    Row(language="en", word="status", make=_about_game(Status)),
    Row(language="de", word="zur(?:ü|ue)ckziehen", make=_about_game(Withdraw)),
    Row(language="en", word="withdraw", make=_about_game(Withdraw)),
    Row(language="de", word="warten", make=_about_game(Wait)),
    Row(language="en", word="wait", make=_about_game(Wait)),
    Row(language="de", word="fertig", make=_ready),
    Row(language="en", word="ready", make=_ready),
    Row(language=None, word="standby", make=_standby(True)),
    Row(language="de", word=r"kein\s+standby", make=_standby(False)),
    Row(language="en", word=r"no\s+standby", make=_standby(False)),
    Row(language="de", word="einspruch:?", make=_appeal, longest=MAX_REASON),
    Row(language="en", word="appeal:?", make=_appeal, longest=MAX_REASON),
)
WORDS: Final = tuple((re.compile(rf"(?:{row.word})(?:\s+(?P<rest>.*))?", re.IGNORECASE), row) for row in ROWS)
ANY_WORD: Final = re.compile("|".join(row.word for row in ROWS), re.IGNORECASE)
"""Tells what begins with none of them at once: nearly every line is no command."""
ANSWERS: Final[dict[str, tuple[type[Yes | No], Language]]] = {
    "ja": (Yes, "de"),
    "yes": (Yes, "en"),
    "nein": (No, "de"),
    "no": (No, "en"),
}


def read_command(line: str, titles: Titles) -> Said | None:
    """Read a whole line as a command of the table; None where it is none. `line` is clean."""
    if not ANY_WORD.match(line):
        return None
    bare = line.rstrip(".!: ")
    for pattern, row in WORDS:
        text = bare if row.longest == MAX_COMMAND else line
        if len(text) <= row.longest and (found := pattern.fullmatch(text)):
            command = row.make((found["rest"] or "").strip(), titles)
            return Said(command=command, language=row.language) if command else None
    return None


def read_answer(line: str, code: str) -> Said | None:
    """Read a whole line as `Ja` or `Nein` to the question with this code."""
    answer = ANSWERS.get(line.rstrip(".! ").lower())
    return Said(command=answer[0](code=code), language=answer[1]) if answer else None
