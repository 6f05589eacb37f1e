"""What the parser must know: titles of games, in whatever way a player writes them, names of games, and commands.

Sources: shared/spec/games.md (Conventions), rulings.md part 3 (1 title).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from games.api import Rules
from parsers.invisible import fold_name
from parsers.lines.command_table import NO_COMMANDS, CommandTable
from parsers.slips import SHORT_WORD, distance, most_slips

NAME_LETTER = "[A-Za-zÄÖÜäöüßẞ]"
NAME = r"[A-Za-zÄÖÜäöüßẞ][A-Za-zÄÖÜäöüßẞ0-9-]{1,29}"
ROUND = r"(?:Runde|Round|Zug|Turn|Durchgang|Deal)"
_ROUND_BEHIND = re.compile(
    rf"(?<=[\w«“”\"])[\s,;:(/–—-]+(?:{ROUND}\b\s*:?\s*(?P<number>\d{{1,3}})|(?P<before>\d{{1,3}})\.\s*{ROUND})"
    rf"(?:\s*\([^()]*\))?\)?[.:]?$",
    re.IGNORECASE,
)
MOST_TITLE_WORDS = 5
"""Of a title with the name of a game behind."""
QUOTED_NAME = re.compile(rf"[»„“\"]?(?P<name>{NAME})[«“”\"]?[.:]?")


@dataclass(frozen=True, kw_only=True)
class Named:
    """A title and a game's name as they stand together; either may be missing."""

    title_key: str = ""
    game: str = ""
    round: int | None = None
    """Behind a title: `Crossword Eriwan, Runde 3`."""


@dataclass(frozen=True, kw_only=True)
class Names:
    """All names that a mail may hold, to recognise them, and the day on which it came."""

    keys: Mapping[str, str]
    """Folded title or alias -> key."""
    grid_rows: Mapping[str, int]
    """Key -> rows of the grid in its block."""
    pattern: re.Pattern[str]
    written: Mapping[str, str]
    """Folded title or alias -> as it is printed."""
    example: str
    """The title that examples of commands are about."""
    commands: CommandTable = NO_COMMANDS
    games: frozenset[str] | None = None
    """The names of the games that a mail may mean, folded; None: any word may be one."""
    today: date = date.min
    """The day of the mail, in the zine's zone: days of the week, and dates without a year, count from it."""

    def may_mean(self, name: str) -> bool:
        """Return whether a word may be the name of a game: there is one, or one whose name is much like it.

        A word in capitals may always be one: who writes `Stand Tiflis` is told that there is no such game.
        """
        wanted = fold_name(name)
        if self.games is None or name[:1].isupper() or wanted in self.games:
            return True
        most = most_slips(wanted)
        near = (one for one in self.games if abs(len(one) - len(wanted)) <= most)
        return any(distance(wanted, one) <= most for one in near)

    def _has_game(self, name: str) -> bool:
        """Return whether a game is called so: behind a dash there is often just a remark, `Crossword – toll`."""
        return self.games is None or fold_name(name) in self.games

    @property
    def fewest_rows(self) -> int:
        """Rows of the lowest grid; 0 where no game has one."""
        return min((rows for rows in self.grid_rows.values() if rows), default=0)

    def read(self, text: str) -> Named | None:
        """Read `Crossword Eriwan`, `Crossword`, `Eriwan` or nothing; None where it is something else."""
        if found := self.read_title_line(text):
            return found
        if not text:
            return Named()
        named = QUOTED_NAME.fullmatch(text)
        return Named(game=named["name"]) if named else None

    def read_title_line(self, line: str) -> Named | None:
        """Read a title line, with or without a game's name and a round; None where the line is something else."""
        title, number = _without_round(line)
        found = self.pattern.fullmatch(title)
        if not found or (found["dash"] and not self._has_game(found["name"])):
            return None
        return Named(title_key=self.keys[fold(found["title"])], game=found["name"] or "", round=number)

    def read_misspelt_title_line(self, line: str) -> Named | None:
        """Read `Krosswort Eriwan` or `Wort Jazzy` as the title that is meant; None where the line is something else.

        Behind it only the name of a game may stand: `Preston Sturges` is no Presto.
        """
        title, number = _without_round(line)
        words = title.rstrip(".:").split()
        name = QUOTED_NAME.fullmatch(words[-1]) if 0 < len(words) <= MOST_TITLE_WORDS else None
        if name is None:
            return None
        is_game = self.games is not None and fold_name(name["name"]) in self.games
        key = self._key_of_misspelt(words[:-1] if is_game else words, is_named=is_game)
        return Named(title_key=key, game=name["name"] if is_game else "", round=number) if key else None

    def _key_of_misspelt(self, words: Sequence[str], *, is_named: bool = False) -> str:
        """Return the key of the title that these words nearly are; empty where they are something else.

        Half of a long title may be wrong if it has several words, or if the name of a game stands behind.
        """
        wrong = fold(" ".join(words))
        near = (title for title in self.written if abs(len(wrong) - len(title)) <= len(title) // 2)
        slips, title = min(((distance(wrong, title), title) for title in near), default=(0, ""))
        is_long = len(title) > SHORT_WORD and (is_named or not self.written[title].isalpha())
        return self.keys[title] if title and slips <= (len(title) // 2 if is_long else most_slips(title)) else ""


def _without_round(line: str) -> tuple[str, int | None]:
    """Part a title line from the round behind it."""
    found = _ROUND_BEHIND.search(line)
    return (line[: found.start()], int(found["number"] or found["before"])) if found else (line, None)


def names_of(rules: Iterable[Rules], commands: CommandTable = NO_COMMANDS) -> Names:
    """Collect the titles and aliases of these games, and the commands."""
    known = sorted(rules, key=lambda game: not game.is_example)
    return _names_of(tuple((game.key, game.grid_rows, (game.title, *game.aliases)) for game in known), commands)


@cache
def _names_of(known: tuple[tuple[str, int, tuple[str, ...]], ...], commands: CommandTable) -> Names:
    """Make the table of keys, rows of the grid and titles; the first game is the example."""
    keys = {fold(title): key for key, _, titles in known for title in titles}
    written = {fold(title): title for _, _, titles in known for title in titles}
    pattern = _title_pattern(tuple(sorted({title for _, _, titles in known for title in titles})))
    rows = {key: rows for key, rows, _ in known}
    example = known[0][2][0] if known else ""
    return Names(keys=keys, grid_rows=rows, pattern=pattern, written=written, example=example, commands=commands)


def _title_pattern(titles: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(titles, key=lambda title: (-len(title), title))
    # Without games no title fits.
    words = "|".join("".join(_loose(char) for char in title) for title in longest_first) or "(?!)"
    between = r"(?:\s+|(?P<dash>\s*(?:[–—/|→]|-+>?|=>)\s*))"
    return re.compile(rf"(?P<title>{words})[?:]?(?:{between}{QUOTED_NAME.pattern}|[.:]?)", re.IGNORECASE)


def _loose(char: str) -> str:
    """Hyphens are optional or blanks, umlauts may be written with E."""
    spelled = {"ä": "(?:ä|ae)", "ö": "(?:ö|oe)", "ü": "(?:ü|ue)", "ß": "(?:ß|ss)"}
    return r"[-‐‑–\s]{0,3}" if char in "- " else spelled.get(char.lower(), re.escape(char))


def fold(title: str) -> str:
    """Make titles and words comparable: lower case, no hyphens and blanks, AE for Ä."""
    plain = title.lower().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"})
    return re.sub(r"[-‐‑–\s]", "", plain)
