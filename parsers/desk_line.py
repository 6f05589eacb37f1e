"""A line of the GM's in a mail: `gm rule Eriwan accept URAN`, as on the command line."""

import re
from collections.abc import Iterator
from typing import Final

from parsers.commands import Desk

MAX_LINE: Final = 1000
"""A note may be long."""

DESK = re.compile(r"gm\s+(?P<words>(?:rule|zat|close|release|mail|todo|standby|player)(?:\s.*)?)", re.IGNORECASE)
QUOTED = r"\"[^\"]*\"|„[^“”\"]*[“”\"]|“[^”]*”|»[^«]*«|«[^»]*»|(?<!\S)'[^']*'(?!\S)"
TOKEN = re.compile(rf"(?P<quoted>{QUOTED})|(?P<blank>\s+)|(?P<plain>.)")
# Programs that beautify what is typed make one dash of two.
ONE_DASH = re.compile(r"^[–—](?=[a-z])")


def read_desk(line: str) -> Desk | None:
    """Read a whole line as one of the GM's; None where it is none. `line` is clean."""
    found = DESK.fullmatch(line) if len(line) <= MAX_LINE else None
    if not found:
        return None
    verb, *words = _words(found["words"])
    return Desk(words=(verb.lower(), *words))


def _words(text: str) -> Iterator[str]:
    """Part at blanks as a shell does; what stands in quotation marks is one word, an open mark is a character."""
    word: list[str] = []
    has_begun = False
    for token in TOKEN.finditer(f"{text.strip()} "):
        if token["blank"] and has_begun:
            yield ONE_DASH.sub("--", "".join(word))
            word, has_begun = [], False
        elif not token["blank"]:
            word.append(token["quoted"][1:-1] if token["quoted"] else token["plain"])
            has_begun = True
