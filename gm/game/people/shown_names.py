"""How the archive names players: as far as each wants, and never with an address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import sqlalchemy as sa
from sqlmodel import Session, col

from games.api import Language
from gm.game.people.name_rules import is_nobodys
from gm.game.people.slugs import Segments
from gm.runtime.catalogues import wording
from gm.runtime.config.settings import Settings
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Player

Form: TypeAlias = Literal["full", "initial"]
FORMS: Final[tuple[Form, ...]] = ("full", "initial")

FORGOTTEN: Final = "n-n"
"""The path segment of all who were forgotten: a number each would show which games were one person's."""

_MARKS: Final = "\"'„“”‚‘’«»‹›()[]{}<>,;:*_"
_ADDITIONS: Final = frozenset(
    "dr prof dipl-ing herr frau mr mrs ms sir jun jr jnr sen sr snr ii iii iv".split()  # noqa: SIM905
)
"""What stands before or behind a name and is no part of it."""

_AT: Final = r"(?:@|＠|[(\[]at[)\]])"
_SIGN: Final = re.compile(_AT, re.IGNORECASE)
_NO_PART: Final = r"\s@＠<>()\[\],;:\"/„“”«»"
_HOST: Final = rf"(?:\[(?:IPv6:)?[\d.:a-f]+\]|[^{_NO_PART}]*\w)"
_ADDRESS: Final = re.compile(
    rf"(?<![^{_NO_PART}])(?:\"[^\"\n]{{1,64}}\"|[^{_NO_PART}]+)(?:{_AT}{_HOST})+"
    # Broken into lines, or with blanks against the machines that look for addresses.
    rf"|(?<![\w.+-])[\w.+-]+\s{{0,2}}{_AT}\s{{0,2}}[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{{2,}}",
    re.IGNORECASE,
)
_IN_PLACE: Final = wording("sentences")["HIDDEN_ADDRESS"]


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody as the archive shows them."""

    id: int
    name: str
    slug: str
    """The path segment of their page; those who were forgotten share one."""


def shown_names(session: Session, settings: Settings) -> Mapping[int, Person]:
    """Return what the archive calls each player, by id: as they want it, else as config.toml says."""
    return everybody(session, settings).people


def everybody(session: Session, settings: Settings) -> "ShownNames":
    """Name all players."""
    rows = sa.select(col(Player.id), col(Player.name), col(Player.name_form)).order_by(col(Player.id))
    cast = ShownNames(settings.archive.names)
    for one, name, form in session.connection().execute(rows):
        cast.add(one, name, form)
    return cast


class ShownNames:
    """All players as the archive calls them.

    Players are added in the order of their ids. Of two with the same name the later one gets a number, so that texts
    tell them apart. So nobody's name changes when others come.
    """

    def __init__(self, house: str) -> None:
        self.people: dict[int, Person] = {}
        self._house, self._slugs = house, Segments("person")
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def add(self, player_id: int, name: str, form: str) -> None:
        """Name one more."""
        shown = written(name, form or self._house) or _by_number(player_id)
        slug = FORGOTTEN if shown == NOBODY else self._slugs.add(player_id, shown)
        self.people[player_id] = Person(id=player_id, name=self._told_apart(shown), slug=slug)

    def _told_apart(self, name: str) -> str:
        told, key = name, name.casefold()
        while told.casefold() in self._taken and name != NOBODY:
            self._numbers[key] = self._numbers.get(key, 1) + 1
            told = f"{name} ({self._numbers[key]})"
        self._taken.add(told.casefold())
        return told


def forms_of(player: Player) -> Mapping[str, str]:
    """Return what each form would make of a player's name."""
    return {form: written(player.name, form) or _by_number(player.id) for form in FORMS}


def _by_number(player_id: int) -> str:
    """Name somebody of whom nothing but an address is known."""
    return f"Nr. {player_id}"


def written(name: str, form: str) -> str:
    """Write a name in a form; empty where nothing but an address is known, or it would be that of the forgotten."""
    if name == NOBODY:
        return name
    plain = _without_addresses(name)
    shown = plain if form == "full" else _initial(plain)
    return "" if is_nobodys(shown) else shown


def _without_addresses(name: str) -> str:
    words = _ADDRESS.sub(" ", name).split()
    kept = " ".join(word for word in words if word.strip("<>()[]") and not re.search(_AT, word, re.IGNORECASE))
    return kept if any(sign.isalnum() for sign in kept) else ""


def _initial(name: str) -> str:
    """`Karl von der Heide` -> `Karl H.`; a name of one word stays."""
    words = _in_order(name)
    for word in reversed(words[1:]):
        if letter := next((sign for sign in word if sign.isalpha()), ""):
            capital = letter.upper() if len(letter.upper()) == 1 else letter
            return f"{words[0]} {capital}."
    return words[0] if words else name


def _in_order(name: str) -> list[str]:
    """Split a name into words, without titles; `Berg, Anna` is called Anna."""
    family, comma, given = name.partition(",")
    if comma and _words(family) and any(not _is_addition(word) for word in _words(given)):
        name = f"{given} {family}"
    words = _words(name)
    while len(words) > 2 and _is_addition(words[0]):
        words.pop(0)
    while len(words) > 2 and _is_addition(words[-1]):
        words.pop()
    return words


def _words(name: str) -> list[str]:
    return [bare for word in name.split() if (bare := word.strip(_MARKS))]


def _is_addition(word: str) -> bool:
    return word.casefold().rstrip(".") in _ADDITIONS


def masked(text: str, language: Language) -> str:
    """Write a text without what looks like an e-mail address."""
    if not _SIGN.search(text):
        return text
    return _ADDRESS.sub(_IN_PLACE[language], text)
