"""How the archive shows people and games: names as far as each wants, their pages' paths, and never an address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import sqlalchemy as sa
from sqlmodel import Session, col

from games.api import Language
from gm.app import App
from gm.archive.segments import segments
from gm.archive.stars import pseudonyms
from gm.config import Settings
from gm.play.traces import NOBODY
from gm.store import queries
from gm.store.tables import Game, Player

Form: TypeAlias = Literal["full", "initial", "pseudonym"]
FORMS: Final[tuple[Form, ...]] = ("full", "initial", "pseudonym")

FORGOTTEN: Final = "n-n"
"""The path segment of all who were forgotten: a number of their own would tell which games were one person's."""

_MARKS: Final = "\"'„“”‚‘’«»‹›()[]{}<>,;:*_"
_ADDITIONS: Final = frozenset(
    "dr prof dipl-ing herr frau mr mrs ms sir jun jr jnr sen sr snr ii iii iv".split()  # noqa: SIM905
)
"""What stands before or behind a name and is none."""

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
_IN_PLACE: Final[Mapping[Language, str]] = {"de": "[Adresse]", "en": "[address]"}


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody as the archive shows them."""

    id: int
    name: str
    slug: str
    """The path segment of their page; those who were forgotten share one."""


def shown_names(session: Session, settings: Settings) -> Mapping[int, Person]:
    """Say what the archive calls each player, by id: as they want it, else as the house does.

    Of two with the same name the later one gets a number, so that texts tell them apart and nobody's name changes
    when others come.
    """
    rows = sa.select(col(Player.id), col(Player.name), col(Player.name_form)).order_by(col(Player.id))
    house = settings.archive.names
    wanted = {one: (name, form or house) for one, name, form in session.connection().execute(rows)}
    shown = {one: written(name, form) for one, (name, form) in wanted.items()}
    if not all(shown.values()):
        stars = pseudonyms(queries.secret(session), shown)
        shown = {one: name or stars[one] for one, name in shown.items()}
    slugs = segments(((one, name) for one, name in shown.items() if name != NOBODY), "person")
    return {one: Person(id=one, name=name, slug=slugs.get(one, FORGOTTEN)) for one, name in _told_apart(shown).items()}


def forms_of(session: Session, player: Player) -> Mapping[str, str]:
    """Say what each form would make of a player's name."""
    star = pseudonyms(queries.secret(session), session.connection().scalars(sa.select(col(Player.id))))[player.id]
    return {form: written(player.name, form) or star for form in FORMS}


def written(name: str, form: str) -> str:
    """Write a name in a form; empty where a pseudonym is wanted, or nothing but an address is known."""
    if name == NOBODY:
        return name
    plain = "" if form == "pseudonym" else _without_addresses(name)
    return plain if form == "full" else _initial(plain)


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
    """Part a name into words, without titles; `Berg, Anna` is called Anna."""
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


def _told_apart(shown: Mapping[int, str]) -> dict[int, str]:
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    found = {}
    for one, name in shown.items():
        told, key = name, name.casefold()
        while told.casefold() in taken and name != NOBODY:
            numbers[key] = numbers.get(key, 1) + 1
            told = f"{name} ({numbers[key]})"
        taken.add(told.casefold())
        found[one] = told
    return found


def game_slugs(session: Session) -> Mapping[int, str]:
    """Give the path segment of each game's pages, by id."""
    rows = session.connection().execute(sa.select(col(Game.id), col(Game.name)))
    return segments(((game_id, name) for game_id, name in rows), "game")


def game_page(app: App, session: Session, game: Game) -> str:
    """Give the address of a game's page; empty where the archive isn't published."""
    base = app.settings.archive.base_url
    return f"{base}partien/{game_slugs(session)[game.id]}/" if base else ""


def masked(text: str, language: Language) -> str:
    """Write a text without what looks like an e-mail address."""
    if not _SIGN.search(text):
        return text
    return _ADDRESS.sub(_IN_PLACE[language], text)
