"""One line of a mail -> the command in it, by the table of commands that the parser is given.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (4 Fertig).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from games.api import Language
from parsers.commands import (
    Advance,
    Command,
    GmCommand,
    LongText,
    NotUnderstood,
    OfGame,
    has_text,
    in_game,
    is_part_of,
)
from parsers.lines.command_table import MAX_COMMAND, Row
from parsers.lines.names import Names

MAX_GM_LINE: Final = 1000
"""A line of the GM's may hold a long note."""

GM_LINE = re.compile(
    r"gm\s+(?P<words>(?:rule|zat|close|release|mail|todo|standby|player|upgrade)(?:\s.*)?)", re.IGNORECASE
)
QUOTED = r"\"[^\"]*\"|„[^“”\"]*[“”\"]|“[^”]*”|»[^«]*«|«[^»]*»|(?<!\S)'[^']*'(?!\S)"
TOKEN = re.compile(rf"(?P<quoted>{QUOTED})|(?P<blank>\s+)|(?P<plain>.)")
# Programs that beautify what is typed make one dash of two.
ONE_DASH = re.compile(r"^[–—](?=[a-z])")

TO_GM = re.compile(r"GM\s*:\s*(?P<text>.*)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class ReadCommand:
    """A command as read from a mail, and the language that it was written in; None where both have the same word."""

    command: Command
    language: Language | None = None
    player_name: str = ""
    """From the last line `Name: Anna` above it."""
    is_doubtful: bool = field(default=False, compare=False)
    """The line stands in a mail of ours as well, in somebody else's words: they may be quoted without a mark."""
    line: str = field(default="", compare=False)
    """How it was written, without a text that follows; of a move the title line."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What the subject says."""

    command: ReadCommand | None = None
    behind: tuple[str, ...] = ()
    """What stood behind a sign-up: more of them, words, a wish. It is read as the first lines of the body."""
    code: str = ""
    game: str = ""
    """The game's name where it stands as `[Eriwan]`."""

    def said_once(self, said: list[ReadCommand]) -> list[ReadCommand]:
        """Leave out what subject and body both say: the body's counts, perhaps with more, unless it says less."""
        if not (self.command and said):
            return said
        first, below = in_game(said[0].command, self.game), said[1:]
        if any(is_part_of(first, one.command) for one in below):
            return below
        return [said[0], *(one for one in below if has_text(one.command) or not is_part_of(one.command, first))]


def read_command(line: str, names: Names) -> ReadCommand | None:
    """Read a whole line as a command of the table; None where it is none. `line` is clean."""
    rows = names.commands.with_beginning(line)
    if not rows:
        return None
    bare = line.rstrip(".!: ")
    for pattern, row in rows:
        text = bare if row.longest == MAX_COMMAND else line
        found = pattern.fullmatch(text) if len(text) <= row.longest else None
        command = row.make((found["rest"] or "").strip(), names, row) if found else None
        if isinstance(command, NotUnderstood):
            command = replace(command, line=bare)
        if command and _is_about_some_game(command, row, names):
            return ReadCommand(command=command, language=row.language, line=_without_text(bare, row))
    return None


def _is_about_some_game(command: Command, row: Row, names: Names) -> bool:
    """Return whether the game that a command names may exist: else `Warten lohnt` is prose.

    A sign-up is answered in any case, and so is what has a text or moves below it: they must not count as commands.
    """
    if row.is_sign_up or not isinstance(command, OfGame) or isinstance(command, LongText | Advance):
        return True
    return not command.game or bool(command.title_key) or names.may_mean(command.game)


def _without_text(line: str, row: Row) -> str:
    return line if row.longest == MAX_COMMAND else line.partition(":")[0][:MAX_COMMAND].strip()


def read_examples(line: str, names: Names) -> list[tuple[Row, str]]:
    """Return the rows whose word begins the line, with what stands behind it."""
    found = ((row, pattern.fullmatch(line)) for pattern, row in names.commands.with_beginning(line))
    return [(row, (match["rest"] or "").strip()) for row, match in found if match]


def read_gm_line(line: str) -> GmCommand | None:
    """Read a line of the GM's, as on the command line: `gm rule Eriwan accept URAN`. None where it is none.

    `line` is clean.
    """
    found = GM_LINE.fullmatch(line) if len(line) <= MAX_GM_LINE else None
    if not found:
        return None
    verb, *words = _words(found["words"])
    return GmCommand(words=(verb.lower(), *words))


def _words(text: str) -> Iterator[str]:
    """Split at blanks as a shell does: a quotation is one word, a mark that isn't closed is a character."""
    word: list[str] = []
    has_begun = False
    for token in TOKEN.finditer(f"{text.strip()} "):
        if token["blank"] and has_begun:
            yield ONE_DASH.sub("--", "".join(word))
            word, has_begun = [], False
        elif not token["blank"]:
            word.append(token["quoted"][1:-1] if token["quoted"] else token["plain"])
            has_begun = True
