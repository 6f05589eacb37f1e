"""What the GM wants in an issue, and where: `issues/N/issue.toml` and the Markdown files beside it.

The first build writes the file, then it is the GM's. Whatever it says that isn't known is refused with its line; games
that it doesn't name come in, so that nothing is lost by an old file.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gm.archive.issue.markdown import Article, read_article
from gm.runtime.config.settings import toml_value
from gm.runtime.errors import Refused

NAME: Final = "issue.toml"
SECTIONS: Final = (
    "cover", "editorial", "games", "press", "letters", "standings", "seek", "standbys", "tables", "puzzles", "imprint",
)  # fmt: skip
"""The sections in their usual order."""
PARTS: Final = ("foreword", "moves", "boards", "tables", "notes", "press")
"""What can be left out of a single game."""
NOTES: Final = "notes"
"""A filler: a page with lines to write on."""
KEYS: Final = ("number", "sections", "leave_out", "order", "letters", "puzzles", "filler", "forewords")
ALONE: Final = ("editorial", "imprint")
"""What has a foreword without being a game."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """An issue as the GM wants it."""

    sections: tuple[str, ...] = SECTIONS
    leave_out: frozenset[str] = frozenset()
    kinds: tuple[str, ...] = ()
    """Kinds of games that come first, in this order."""
    letters: tuple[Article, ...] = ()
    puzzles: tuple[Article, ...] = ()
    filler: tuple[str, ...] = (NOTES,)
    forewords: Mapping[str, Article] = field(default_factory=dict)
    """By the name of a game, `editorial` or `imprint`."""
    pages: Mapping[str, Article] = field(default_factory=dict)
    """The GM's own pages by what names them: `page:treffen.md`."""

    @property
    def articles(self) -> tuple[Article, ...]:
        """All that the GM has written for it, each file once."""
        found = (*self.forewords.values(), *self.pages.values(), *self.letters, *self.puzzles)
        return tuple({article.path: article for article in found}.values())

    def leaves_out(self, game: str, part: str = "") -> bool:
        """Whether a game, or a part of it, isn't wanted."""
        return f"game:{game}/{part}".rstrip("/") in self.leave_out


def first_order(number: int) -> str:
    """Write the file of a new issue."""
    sections = ",\n".join(
        "    " + ", ".join(map(toml_value, SECTIONS[at : at + 6])) for at in range(0, len(SECTIONS), 6)
    )
    return (
        f"number = {number}\n"
        f'sections = [  # in this order; "page:FILE.md" is a page of your own\n{sections},\n]\n'
        f'leave_out = []  # a section, "game:NAME", or a part of a game: "game:NAME/notes" ({", ".join(PARTS)})\n'
        "order = []  # kinds of games that come first; the rest by title\n"
        "letters = []  # Markdown files, in this order\n"
        "puzzles = []\n"
        'filler = ["notes"]  # what fills the last sheet: "page:FILE.md" first, then lines to write on\n'
        "\n[forewords]  # Markdown files: of the issue, of a game by its name, of the imprint\n"
        '# editorial = "vorwort.md"\n# imprint = "impressum.md"\n'
    )


def read_order(folder: Path, number: int, *, games: Collection[str], kinds: Mapping[str, str]) -> Order:
    """Read what the GM wants; `games` are all names of games, `kinds` titles by key. Raises Refused with the line."""
    path = folder / NAME
    reader = _Reader(path, _text_of(path))
    given = reader.document()
    if given.get("number", number) != number:
        reader.refuse(str(given["number"]), f"is the issue of another folder; allowed is {number}")
    reader.check_keys(given)
    titles = {title: key for key, title in kinds.items()}
    order = reader.names(given, "order", {*kinds, *titles}, "a kind of game")
    sections = reader.names(given, "sections", SECTIONS, "a section", SECTIONS)
    filler = reader.names(given, "filler", (NOTES,), "a filler", (NOTES,))
    return Order(
        sections=sections,
        leave_out=frozenset(reader.left_out(given, games)),
        kinds=tuple(titles.get(name, name) for name in order),
        letters=reader.articles(given, "letters"),
        puzzles=reader.articles(given, "puzzles"),
        filler=filler,
        forewords=reader.forewords(given, games),
        pages={name: reader.article(name.removeprefix("page:")) for name in (*sections, *filler) if ":" in name},
    )


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Refused(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8; save it as UTF-8.") from error


class _Reader:
    """Reads a file and names the line of whatever is wrong."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text

    def document(self) -> Mapping[str, Any]:
        """Read the file as TOML."""
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise Refused(f"{self._path} is not TOML: {error}. Texts need quotes, lists brackets.") from error

    def refuse(self, value: str, why: str) -> None:
        """Raise Refused with the first line that holds a value."""
        lines = self._text.splitlines()
        number = next((at for at, line in enumerate(lines, 1) if value in line.partition("#")[0]), 1)
        raise Refused(f"{self._path}, line {number}: {value} {why}.")

    def check_keys(self, given: Mapping[str, Any]) -> None:
        """Refuse keys that are none."""
        for key in given:
            if key not in KEYS:
                self.refuse(key, f"is no setting of an issue; there are {', '.join(KEYS)}")
        if not isinstance(given.get("forewords", {}), dict):
            self.refuse("forewords", "is no section; write [forewords] and a line for each below it")

    def names(
        self, given: Mapping[str, Any], key: str, known: Collection[str], what: str, usual: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Read a list of known names, each once; where pages may stand, also of the GM's own."""
        found = self._list(given, key, usual)
        for at, name in enumerate(found):
            is_page = key != "order" and name.startswith("page:")
            if not is_page and name not in known:
                more = ' and "page:FILE.md"' if key != "order" else ""
                self.refuse(name, f"is not {what}; there are {', '.join(sorted(known))}{more}")
            if name in found[:at]:
                self.refuse(name, f"stands twice in {key}")
        return found

    def left_out(self, given: Mapping[str, Any], games: Collection[str]) -> Iterator[str]:
        """Read what isn't wanted."""
        for name in self._list(given, "leave_out"):
            game, _, part = name.removeprefix("game:").partition("/")
            if not name.startswith("game:"):
                if name not in SECTIONS:
                    self.refuse(name, f'is no section; there are {", ".join(SECTIONS)}, and "game:NAME"')
            elif game not in games:
                self.refuse(name, f"names no game of this zine: {game}")
            elif "/" in name and part not in PARTS:
                self.refuse(name, f"names no part of a game; there are {', '.join(PARTS)}")
            yield name

    def articles(self, given: Mapping[str, Any], key: str) -> tuple[Article, ...]:
        """Read the files of a list."""
        return tuple(self.article(name) for name in self._list(given, key))

    def forewords(self, given: Mapping[str, Any], games: Collection[str]) -> Mapping[str, Article]:
        """Read the forewords by what they are about."""
        found = {}
        for about, name in given.get("forewords", {}).items():
            if about not in ALONE and about not in games:
                self.refuse(about, f"is no game of this zine; there are also {' and '.join(ALONE)}")
            if not isinstance(name, str):
                self.refuse(about, "is not the name of a file in quotes")
            found[about] = self.article(name)
        return found

    def article(self, name: str) -> Article:
        """Read a Markdown file beside the order. Files elsewhere are refused, also those that a link leads to."""
        folder, file = self._path.parent.resolve(), (self._path.parent / name).resolve()
        if not re.fullmatch(r".+\.md", name) or not file.is_relative_to(folder):
            self.refuse(name, f"is no Markdown file (FILE.md) in {self._path.parent}")
        try:
            path = self._path.parent / name
            return read_article(file.name, file.read_bytes().decode("utf-8-sig"), str(path))
        except OSError as error:
            self.refuse(name, f"can't be read: {error.strerror}")
        except UnicodeDecodeError:
            self.refuse(name, "is not UTF-8; save it as UTF-8")
        raise AssertionError(name)

    def _list(self, given: Mapping[str, Any], key: str, usual: Sequence[str] = ()) -> tuple[str, ...]:
        found = given.get(key, list(usual))
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            self.refuse(key, "is no list of texts: write them in brackets, each in quotes")
        return tuple(found)
