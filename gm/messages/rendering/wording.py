"""Putting a game's texts into words: the reader's language, and names where the game knows seats."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.api import Grid, Language, Seat, Section, Table, Text, Wording
from games.words import REASONS
from gm.drawing.parts import Board, Chart, Part
from gm.runtime.catalogues import catalogue

SeatInRound: TypeAlias = tuple[Seat, int]

Names: TypeAlias = Mapping[Seat | SeatInRound, str]
"""The players' names by seat; where seats have changed hands, by seat and round as well."""

MANY: Final = "_MANY"
"""How the code of a sentence ends that says of several seats what the code without it says of one."""
NAMES: Final = "names"
"""The value that holds their names."""

Tone: TypeAlias = Literal["green", "red", "amber", "petrol"]
"""Taken; not taken; waits for the reader, or is due; all else."""


@dataclass(frozen=True, kw_only=True)
class Head:
    """What stands above a mail, or above one of its answers: which game, whom it is from, and how it is."""

    title: str
    """Kind and name of the game: `Crossword »Eriwan«`; the zine where a mail is about none."""
    sender: str
    """Zine and game master."""
    note: str = ""
    """Which bulletin, and of what day."""
    tone: Tone
    headline: str
    until: str = ""
    """Until when, or what comes next."""
    is_first: bool = True
    answered: str = ""
    """Above one of many answers: which line it answers."""
    anchor: str = ""
    """The name by which the same mail links to it."""


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """Puts texts into words for one reader. Only here a seat becomes a name."""

    language: Language
    wording: Wording
    names: Names
    own: Seat | None = None

    def say(self, text: Text | str | int) -> str:
        """Put a text into words; strings and numbers stay as they are. Raises KeyError for a code without wording."""
        if not isinstance(text, Text):
            return str(text)
        pattern = (self.wording.get(text.code) or REASONS[text.code])[self.language]
        if "{" not in pattern:
            return pattern
        values = {key: self._value(key, value) for key, value in text.values.items()}
        if isinstance(seat := text.values.get("seat"), int) and isinstance(number := text.values.get("in_round"), int):
            now = self.name(Seat(seat))
            then = self.names.get((Seat(seat), number), now)
            values |= {"seat": then, "unless_same": "" if then == now else f" ({first_name(then)})"}
        return pattern.format_map(values)

    def say_all(self, texts: Iterable[Text]) -> list[str]:
        """Put texts into words, one sentence for all seats of which the same is said: see `grouped`."""
        return [self.say(text) for text in grouped(texts, self.wording)]

    def name(self, seat: Seat | None) -> str:
        """Return the name of a seat's player. The layout marks the reader's own seat."""
        return self.names[seat] if seat is not None else ""

    def part(self, section: Section) -> Part:
        """Put a section of a view into words."""
        return Part(
            heading=self._said(section.title), lines=self._all(section.lines), legend=self._all(section.legend),
            boards=self.boards(section.grids), table=self._chart(section.table) if section.table else None,
            notes=self._all(section.notes),
        )  # fmt: skip

    def boards(self, grids: Iterable[Grid]) -> tuple[Board, ...]:
        """Put boards into words."""
        return tuple(
            Board(
                look=grid.look, name=self.name(grid.seat), note=self._said(grid.note), seat=grid.seat,
                columns=grid.columns, rows=grid.rows, cells=grid.cells, said=self._said(grid.said),
            )
            for grid in grids
        )  # fmt: skip

    def _chart(self, table: Table) -> Chart:
        return Chart(
            head=self._all(table.head), fold=table.fold, is_card=table.is_card,
            below=tuple(map(self._all, table.below)),
            rows=tuple(tuple(item if isinstance(item, int) else self.say(item) for item in row) for row in table.rows),
        )  # fmt: skip

    def _said(self, text: Text | None) -> str:
        return self.say(text) if text else ""

    def _all(self, texts: Iterable[Text | str]) -> tuple[str, ...]:
        return tuple(map(self.say, texts))

    def _value(self, key: str, value: object) -> object:
        if key == "seat" and isinstance(value, int):
            return self.name(Seat(value))
        if isinstance(value, Text):
            return self.say(value)
        if isinstance(value, tuple):
            said = [self.say(one) for one in value]
            return listed(said, self.language) if key == NAMES else ", ".join(said)
        return value


def grouped(texts: Iterable[Text], wording: Wording) -> list[Text]:
    """Put together what is said of several seats: `Kein Zug von Dora, Emil und Frida` in place of a sentence each.

    It is done where the wording has a sentence for many, by the code with `_MANY`: its `{names}` are theirs. The
    sentence stands where the first of them stood.
    """
    texts = list(texts)
    alike: dict[str, list[Text]] = {}
    for text in texts:
        if f"{text.code}{MANY}" in wording:
            alike.setdefault(text.code, []).append(text)
    many = {code: found for code, found in alike.items() if len(found) > 1}
    return [
        _of_many(many[text.code]) if text.code in many else text
        for text in texts
        if text.code not in many or text is many[text.code][0]
    ]


def _of_many(texts: Sequence[Text]) -> Text:
    given = [{name: text.values[name] for name in ("seat", "in_round") if name in text.values} for text in texts]
    return Text(f"{texts[0].code}{MANY}", {NAMES: tuple(Text("HOLDER", values) for values in given)})


def listed(names: Sequence[str], language: Language) -> str:
    """Write names as in a sentence: `Dora, Emil und Frida`."""
    if len(names) < 2:
        return "".join(names)
    return phrase(language, "frame.listed", first=", ".join(names[:-1]), last=names[-1])


def phrase(language: Language, code: str, **values: object) -> str:
    """Return a phrase of the catalogue `mail`, filled in."""
    return catalogue("mail", language)[code].format_map(values)


def first_name(name: str) -> str:
    """Return the name that somebody is greeted by: `Anna` of `Anna Berg`, `Eva` of `Dr. Eva Groß`."""
    return next((word for word in name.split() if not word.endswith(".")), name)
