"""The registers of all words and of struck words, with one or more pages a letter."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import col

from games import engines
from games.api import Text
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_data.games_by_status import Who
from gm.archive.list_data.letter_ranges import DEPTH, Letter, Part, begin, divide
from gm.messages.rendering.sentences import SENTENCES
from gm.messages.rendering.wording import Speaker
from gm.players.shown_names import masked
from gm.store.chunks import in_chunks
from gm.store.tables import ArchivedScore, ArchivedWord, Game

SHOWN: Final = 5
"""Games that are named with a word: the first, and the last ones."""

_TEXT: TypeAdapter[Text | None] = TypeAdapter(Text | None)


@dataclass(frozen=True, kw_only=True)
class Use:
    """A use of a word: game, player, points, and why it was struck."""

    name: str
    slug: str
    who: Who
    points: int | None
    status: str
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A word with its uses, newest first; of many only the first and the last ones."""

    word: str
    count: int
    uses: tuple[Use, ...]


@dataclass(frozen=True, kw_only=True)
class Register:
    """One of the two registers: its folder, and which words are in it."""

    folder: str
    only_struck: bool


WORDS: Final = Register(folder="woerter", only_struck=False)
STRUCK: Final = Register(folder="gestrichen", only_struck=True)


def words(context: ListContext) -> Listing:
    """Make the register of all words."""
    return _listing(context, WORDS)


def struck(context: ListContext) -> Listing:
    """Make the register of struck words."""
    return _listing(context, STRUCK)


def _listing(context: ListContext, register: Register) -> Listing:
    changed = context.changes.words
    if changed is not None and not changed:
        return Listing()
    index = _Struck(context) if register.only_struck else _All(context)
    letters = divide(index.counts())
    parts = {_path(register, part): part for letter in letters for part in letter.parts}
    untouched = set() if changed is None else _untouched(parts, changed)
    stays = {path for path in untouched if path in context.manifest}
    touched = {_folder(register, key[0]) for key in changed or ()}
    stale = [path for folder in sorted(touched) for path in context.manifest.files_in(folder) if path not in stays]
    return Listing(pages=_pages(context, register, index, letters, stays), stale=stale)


def _untouched(parts: Mapping[str, Part], changed: Iterable[str]) -> set[str]:
    """Find the pages that no changed word is on, or was on, however the letter was divided then."""
    touched = {begin(key)[:length] for key in changed for length in range(1, DEPTH + 1)}
    return {path for path, part in parts.items() if part.prefix not in touched}


def _pages(
    context: ListContext, register: Register, index: "_Index", letters: Sequence[Letter], stays: Collection[str]
) -> Iterator[Page]:  # fmt: skip
    rows = tuple((letter.letter, _of_letter(register, letter.letter), letter.count) for letter in letters)
    frame = {"letters": rows, "struck": register.only_struck}
    total = sum(letter.count for letter in letters)
    yield html(context, f"{register.folder}/index.html", "register.html", {**frame, "count": total})
    for letter in letters:
        places = tuple((part.prefix, _path(register, part), part.count) for part in letter.parts)
        if letter.is_parted:
            values = {**frame, "letter": letter.letter, "parts": places}
            yield html(context, _of_letter(register, letter.letter), "letter.html", values)
        for part in letter.parts:
            if (path := _path(register, part)) not in stays:
                # Neither neighbours nor counts: a page changes with its own words alone.
                back = _of_letter(register, letter.letter) if letter.is_parted else ""
                values = {
                    "prefix": part.prefix, "entries": _entries(context, index.shown(part)), "back": back,
                    "letter": letter.letter, "struck": register.only_struck, "folder": register.folder,
                }  # fmt: skip
                yield html(context, path, "words.html", values)


def _of_letter(register: Register, letter: str) -> str:
    return f"{_folder(register, letter)}/index.html"


def _folder(register: Register, letter: str) -> str:
    return f"{register.folder}/{letter.lower()}"


def _path(register: Register, part: Part) -> str:
    small = part.prefix.lower()
    below = f"{small}/" if len(small) > 1 or part.is_whole else ""
    return f"{register.folder}/{small[0]}/{below}index.html"


# -- what is known of them ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A word with the number of its uses, and the rows of those that are shown, newest first."""

    key: str
    count: int
    ids: tuple[int, ...]


class _Index(Protocol):
    """Which words there are."""

    def counts(self) -> Mapping[str, int]:
        """Count the words by their first letters."""

    def shown(self, part: Part) -> list[Shown]:
        """List the words of a page."""


def _counted(begins: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, count in begins:
        found[begin(key)] = found.get(begin(key), 0) + count
    return found


class _All:
    """All words. The index on keys answers everything: the rows lie scattered all over the table."""

    def __init__(self, context: ListContext) -> None:
        self._connection = context.session.connection()

    def counts(self) -> Mapping[str, int]:
        begins = sa.func.substr(sa.select(col(ArchivedWord.key)).distinct().subquery().c.key, 1, DEPTH)
        return _counted(iter(self._connection.execute(sa.select(begins, sa.func.count()).group_by(begins))))

    def shown(self, part: Part) -> list[Shown]:
        key, game_id = col(ArchivedWord.key), col(ArchivedWord.game_id)
        # Keys begin with nothing but letters and figures, and Z comes last wherever letters are sorted.
        known = sa.select(
            key, col(ArchivedWord.id),
            sa.func.row_number().over(partition_by=key, order_by=(game_id, col(ArchivedWord.id))).label("nth"),
            sa.func.count().over(partition_by=key).label("times"),
        ).where(key.between(part.prefix, part.prefix + "Z" * 64))  # fmt: skip
        if part.is_whole:
            goes_on = sa.func.substr(key, 1, len(part.prefix) + 1) == f"{part.prefix} "
            known = known.where((key == part.prefix) | goes_on)
        of = known.subquery().c
        some = sa.select(of.key, of.id, of.nth, of.times).where((of.nth == 1) | (of.nth > of.times - SHOWN + 1))
        uses: dict[str, list[tuple[int, int]]] = {}
        counts: dict[str, int] = {}
        for of_key, one, nth, times in self._connection.execute(some):
            uses.setdefault(of_key, []).append((-nth, one))
            counts[of_key] = times
        return [
            Shown(key=of_key, count=counts[of_key], ids=tuple(one for _, one in sorted(rows)))
            for of_key, rows in sorted(uses.items())
        ]


class _Struck:
    """The struck words: no index knows them, but they are few enough to be read at once."""

    def __init__(self, context: ListContext) -> None:
        self._ids: dict[str, list[int]] = {}
        rows = sa.select(col(ArchivedWord.key), col(ArchivedWord.game_id), col(ArchivedWord.id))
        rows = rows.where(col(ArchivedWord.status) == "refused")
        for row in sorted(context.session.connection().execute(rows), key=tuple):
            self._ids.setdefault(row.key, []).append(row.id)
        self._keys: dict[str, list[str]] = {}
        for key in self._ids:
            self._keys.setdefault(begin(key), []).append(key)

    def counts(self) -> Mapping[str, int]:
        return {prefix: len(keys) for prefix, keys in self._keys.items()}

    def shown(self, part: Part) -> list[Shown]:
        begins = [
            one for one in self._keys if one == part.prefix or (one.startswith(part.prefix) and not part.is_whole)
        ]
        return [self._shown(key) for key in sorted(key for one in begins for key in self._keys[one])]

    def _shown(self, key: str) -> Shown:
        ids = self._ids[key]
        some = ids if len(ids) <= SHOWN else [ids[0], *ids[1 - SHOWN :]]
        return Shown(key=key, count=len(ids), ids=tuple(reversed(some)))


_USES: Final = (
    sa.select(
        col(ArchivedWord.id), col(ArchivedWord.word), col(ArchivedWord.points), col(ArchivedWord.status),
        col(ArchivedWord.why), col(ArchivedWord.game_id), col(Game.name), col(Game.engine),
        col(ArchivedScore.player_id),
    )
    .join(Game, col(Game.id) == col(ArchivedWord.game_id))
    .join(
        ArchivedScore,
        (col(ArchivedScore.game_id) == col(ArchivedWord.game_id))
        & (col(ArchivedScore.seat) == col(ArchivedWord.seat)),
    )
)  # fmt: skip


def _entries(context: ListContext, shown: Sequence[Shown]) -> tuple[Entry, ...]:
    """Describe words with their uses."""
    ids = [one for word in shown for one in word.ids]
    rows = {
        row.id: row
        for some in in_chunks(ids)
        for row in context.session.connection().execute(_USES.where(col(ArchivedWord.id).in_(some)))
    }
    return tuple(
        Entry(
            word=rows[word.ids[0]].word, count=word.count, uses=tuple(_use(context, rows[one]) for one in word.ids)
        )
        for word in shown
    )  # fmt: skip


def _use(context: ListContext, row: Any) -> Use:
    return Use(
        name=row.name, slug=context.slugs[row.game_id], who=context.who(row.player_id), points=row.points,
        status=row.status, why=_said(context, row) if row.status == "refused" else "",
    )  # fmt: skip


def _said(context: ListContext, row: Any) -> str:
    """Write why a word was struck; "" where the rules of the game aren't installed."""
    text, engine = _TEXT.validate_python(row.why), engines().get(row.engine)
    if text is None or engine is None:
        return ""
    speaker = Speaker(language=context.language, wording={**SENTENCES, **engine.wording}, names={})
    return masked(speaker.say(text), context.language)
