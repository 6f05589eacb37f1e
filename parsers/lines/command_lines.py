"""One line of a mail -> the command in it. The table `ROWS` has one row a command and language.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (4 Fertig).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from games.api import Language
from parsers.commands import (
    Command,
    Games,
    GmCommand,
    MyGames,
    NotUnderstood,
    Ready,
    Resign,
    Status,
    Wait,
    Withdraw,
)
from parsers.lines import arguments
from parsers.lines.arguments import MAX_COMMAND, Making
from parsers.lines.titles import Titles

MAX_REASON: Final = 4000
"""An appeal's reason may be a long line: many mail programs wrap nothing."""
MAX_PRESS: Final = 20_000
"""Characters of a press, also in one line."""

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
    line: str = field(default="", compare=False)
    """How it was written, without a text that follows; of a move the title line."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table: the command's word and what is made of the rest of the line."""

    language: Language | None
    word: str
    make: Making
    shown: str
    """The word as we write it."""
    argument: str = ""
    """An example of what must stand behind it, or TITLE. Without one, a line whose rest can't be read is prose."""
    is_sign_up: bool = False
    """Words may stand behind it in the same line (`parsers.lines.sign_ups`): nobody's sign-up is lost."""
    is_exact: bool = False
    """Ordinary lines lie near it (`Meine Karten`, `My name`), so no other line is taken for a slip of it."""
    longest: int = MAX_COMMAND
    """With more than MAX_COMMAND the line ends in free text, whose punctuation stays."""

    def example(self, titles: Titles) -> str:
        """Write a line as it should be."""
        return f"{self.shown} {titles.example if self.argument == TITLE else self.argument}".strip()


TITLE: Final = "TITLE"
"""Stands for the title of a game in an example."""
DAYS: Final = "24.12.2026-06.01.2027"
REASON_DE, REASON_EN = "Eriwan WORT: Begründung", "Eriwan WORD: reason"

ROWS: Final[tuple[Row, ...]] = (
    Row(language="de", word="hilfe", make=arguments.help_about, shown="Hilfe"),
    Row(language="en", word="help", make=arguments.help_about, shown="Help"),
    Row(language="de", word="spiele", make=arguments.alone(Games), shown="Spiele"),
    Row(language="en", word="games", make=arguments.alone(Games), shown="Games"),
    Row(language="de", word=r"meine\s+(?:partien?|spiele)", make=arguments.alone(MyGames), shown="Meine Partien",
        is_exact=True),
    Row(language="en", word=r"my\s+games", make=arguments.alone(MyGames), shown="My games", is_exact=True),
    Row(language="de", word="anmeldung:?", make=arguments.join, shown="Anmeldung", is_sign_up=True),
    Row(language="en", word="join:?", make=arguments.join, shown="Join", is_sign_up=True),
    Row(language="de", word="abmeldung:?", make=arguments.about_named(Resign), shown="Abmeldung", argument="Eriwan"),
    Row(language="en", word="resign:?", make=arguments.about_named(Resign), shown="Resign", argument="Eriwan"),
    Row(language="de", word="stand", make=arguments.about_game(Status), shown="Stand"),
    Row(language="en", word="status", make=arguments.about_game(Status), shown="Status"),
    Row(language="de", word="protokoll:?", make=arguments.history, shown="Protokoll", argument="Eriwan 3"),
    Row(language="en", word="history:?", make=arguments.history, shown="History", argument="Eriwan 3"),
    Row(language="de", word="vorab:?", make=arguments.advance, shown="Vorab", argument="Eriwan", is_exact=True),
    Row(language="en", word="advance:?", make=arguments.advance, shown="Advance", argument="Eriwan", is_exact=True),
    Row(language="de", word="zur(?:ü|ue)ckziehen", make=arguments.about_game(Withdraw), shown="Zurückziehen"),
    Row(language="en", word="withdraw", make=arguments.about_game(Withdraw), shown="Withdraw"),
    Row(language="de", word="warten", make=arguments.about_game(Wait), shown="Warten"),
    Row(language="en", word="wait", make=arguments.about_game(Wait), shown="Wait"),
    Row(language="de", word="fertig", make=arguments.about_named(Ready), shown="Fertig"),
    Row(language="en", word="ready", make=arguments.about_named(Ready), shown="Ready"),
    Row(language="de", word="urlaub:?", make=arguments.vacation("Urlaub", DAYS), shown="Urlaub", argument=DAYS),
    Row(language="en", word="vacation:?", make=arguments.vacation("Vacation", DAYS), shown="Vacation", argument=DAYS),
    Row(language="de", word="verl(?:ä|ae)ngerung:?", make=arguments.extension, shown="Verlängerung",
        argument="Eriwan 3 Tage"),
    Row(language="en", word="extension:?", make=arguments.extension, shown="Extension", argument="Eriwan 3 days"),
    Row(language=None, word="standby", make=arguments.standby(True), shown="Standby",
        argument=TITLE, is_sign_up=True),
    Row(language="de", word=r"kein\s+standby", make=arguments.standby(False), shown="kein Standby",
        argument=TITLE, is_sign_up=True),
    Row(language="en", word=r"no\s+standby", make=arguments.standby(False), shown="No standby",
        argument=TITLE, is_sign_up=True),
    Row(language="de", word="beobachten:?", make=arguments.watch(True), shown="Beobachten",
        argument="Eriwan", is_sign_up=True),
    Row(language="en", word="watch:?", make=arguments.watch(True), shown="Watch", argument="Eriwan", is_sign_up=True),
    Row(language="de", word=r"nicht\s+beobachten:?", make=arguments.watch(False), shown="nicht beobachten",
        argument="Eriwan", is_sign_up=True),
    Row(language="en", word="unwatch:?", make=arguments.watch(False), shown="Unwatch",
        argument="Eriwan", is_sign_up=True),
    Row(language="de", word="presse:?", make=arguments.press, shown="Presse", argument="Eriwan", longest=MAX_PRESS),
    Row(language="en", word="press:?", make=arguments.press, shown="Press", argument="Eriwan", longest=MAX_PRESS),
    Row(language="de", word="einspruch:?", make=arguments.appeal, shown="Einspruch", argument=REASON_DE,
        longest=MAX_REASON),
    Row(language="en", word="appeal:?", make=arguments.appeal, shown="Appeal", argument=REASON_EN, longest=MAX_REASON),
    Row(language="de", word="digest:?", make=arguments.digest("de"), shown="Digest", argument="aus"),
    Row(language="en", word="digest:?", make=arguments.digest("en"), shown="Digest", argument="off"),
    Row(language=None, word=r"stop\s+digest", make=arguments.stop_digest, shown="STOP DIGEST"),
    Row(language="de", word="sprache:?", make=arguments.language, shown="Sprache", argument="en"),
    Row(language="en", word="language:?", make=arguments.language, shown="Language", argument="de"),
    Row(language="de", word="adresse:?", make=arguments.address, shown="Adresse", argument="anna@example.org"),
    Row(language="en", word="address:?", make=arguments.address, shown="Address", argument="anna@example.org"),
    Row(language="de", word="archivname:?", make=arguments.archive_name("Archivname kurz"), shown="Archivname",
        argument="kurz"),
    Row(language="en", word=r"archive\s+name:?", make=arguments.archive_name("Archive name initial"),
        shown="Archive name", argument="initial"),
)  # fmt: skip


def _by_beginning() -> Mapping[str, Sequence[tuple[re.Pattern[str], Row]]]:
    found: dict[str, list[tuple[re.Pattern[str], Row]]] = {}
    for row in ROWS:
        pattern = re.compile(rf"(?:{row.word})(?:\s+(?P<rest>.*))?", re.IGNORECASE)
        found.setdefault(row.shown[:BEGINNING].lower(), []).append((pattern, row))
    return found


BEGINNING: Final = 3
WORDS: Final = _by_beginning()
"""Three letters -> the rows whose word begins so. Most lines are no commands, and this rules them out at once."""


def read_command(line: str, titles: Titles) -> ReadCommand | None:
    """Read a whole line as a command of the table; None where it is none. `line` is clean."""
    rows = WORDS.get(line[:BEGINNING].lower())
    if not rows:
        return None
    bare = line.rstrip(".!: ")
    for pattern, row in rows:
        text = bare if row.longest == MAX_COMMAND else line
        found = pattern.fullmatch(text) if len(text) <= row.longest else None
        command = row.make((found["rest"] or "").strip(), titles) if found else None
        if isinstance(command, NotUnderstood):
            command = replace(command, line=bare)
        if command:
            return ReadCommand(command=command, language=row.language, line=_without_text(bare, row))
    return None


def _without_text(line: str, row: Row) -> str:
    return line if row.longest == MAX_COMMAND else line.partition(":")[0][:MAX_COMMAND].strip()


def read_examples(line: str) -> list[tuple[Row, str]]:
    """Return the rows whose word begins the line, with what stands behind it."""
    found = ((row, pattern.fullmatch(line)) for pattern, row in WORDS.get(line[:BEGINNING].lower(), ()))
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
