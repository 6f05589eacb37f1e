"""Putting a game's texts into words: the reader's language, and names where the game knows seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from games.api import Language, Seat, Text, Wording
from games.words import REASONS

SeatInRound: TypeAlias = tuple[Seat, int]

Names: TypeAlias = Mapping[Seat | SeatInRound, str]
"""The players' names by seat; where seats have changed hands, by seat and round as well."""

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

    def name(self, seat: Seat | None) -> str:
        """Return the name of a seat's player. The layout marks the reader's own seat."""
        return self.names[seat] if seat is not None else ""

    def _value(self, key: str, value: object) -> object:
        if key == "seat" and isinstance(value, int):
            return self.name(Seat(value))
        if isinstance(value, Text):
            return self.say(value)
        if isinstance(value, tuple):
            return ", ".join(map(self.say, value))
        return value


def first_name(name: str) -> str:
    """Return the name that somebody is greeted by: `Anna` of `Anna Berg`, `Eva` of `Dr. Eva Groß`."""
    return next((word for word in name.split() if not word.endswith(".")), name)
