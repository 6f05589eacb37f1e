"""The register of words, and that of struck ones: by letter, and where a letter has too many, by two, three or four."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import col

from games import engines
from games.api import Text
from gm.archive.edition import Edition, Listing, Page, html
from gm.archive.names import masked
from gm.archive.shelf import Who
from gm.publish.sentences import SENTENCES
from gm.publish.wording import Speaker
from gm.store.tables import ArchivedScore, ArchivedWord, Game

MOST: Final = 200
"""Words on a page, unless even those with the same four letters are more."""
DEPTH: Final = 4
SHOWN: Final = 5
"""Games that are named with a word: the first, and the last ones."""

_TEXT: TypeAdapter[Text | None] = TypeAdapter(Text | None)


@dataclass(frozen=True, kw_only=True)
class Part:
    """The words that begin alike; `is_whole` says that the page has no words that begin with it and go on."""

    prefix: str
    count: int
    is_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A letter and the pages that its words are on."""

    letter: str
    count: int
    parts: tuple[Part, ...]

    @property
    def is_parted(self) -> bool:
        """Say whether the letter's own page only lists others."""
        return self.parts[0] != Part(prefix=self.letter, count=self.count)


@dataclass(frozen=True, kw_only=True)
class Use:
    """Where a word was laid, and by whom; why it was struck, if it was."""

    game: str
    slug: str
    who: Who
    points: int | None
    status: str
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A word; of many uses the first and the last ones, newest first."""

    word: str
    count: int
    uses: tuple[Use, ...]


@dataclass(frozen=True, kw_only=True)
class Register:
    """One of the two: its folder, its templates, and which words are in it."""

    folder: str
    only_struck: bool


WORDS: Final = Register(folder="woerter", only_struck=False)
STRUCK: Final = Register(folder="gestrichen", only_struck=True)


def words(edition: Edition) -> Listing:
    """Make the register of all words."""
    return _listing(edition, WORDS)


def struck(edition: Edition) -> Listing:
    """Make the register of struck words."""
    return _listing(edition, STRUCK)


def _listing(edition: Edition, register: Register) -> Listing:
    there = [path for path in edition.before.pages if path.startswith(f"{register.folder}/")]
    changed = edition.changes.words
    if changed is not None and not changed:
        return Listing(kept=there)
    letters = divide(_counts(edition, register))
    parts = {_path(register, part): part for letter in letters for part in letter.parts}
    stays = set() if changed is None else _untouched(parts, changed) & set(there)
    return Listing(pages=_pages(edition, register, letters, stays), kept=stays)


def _untouched(parts: Mapping[str, Part], changed: Iterable[str]) -> set[str]:
    """Find the pages that no changed word can have been on, or be on now, wherever letters were parted before."""
    touched = {key[:length] for key in changed for length in range(1, DEPTH + 1)}
    return {path for path, part in parts.items() if part.prefix not in touched}


def _pages(
    edition: Edition, register: Register, letters: Sequence[Letter], stays: Collection[str]
) -> Iterator[Page]:  # fmt: skip
    rows = tuple((letter.letter, _of_letter(register, letter.letter), letter.count) for letter in letters)
    frame = {"letters": rows, "struck": register.only_struck}
    total = sum(letter.count for letter in letters)
    yield html(edition, f"{register.folder}/index.html", "register.html", {**frame, "count": total})
    for letter in letters:
        places = tuple((part.prefix, _path(register, part), part.count) for part in letter.parts)
        if letter.is_parted:
            context = {**frame, "letter": letter.letter, "parts": places}
            yield html(edition, _of_letter(register, letter.letter), "letter.html", context)
        for part in letter.parts:
            if (path := _path(register, part)) not in stays:
                # Neither neighbours nor counts: a page changes with its own words alone.
                back = _of_letter(register, letter.letter) if letter.is_parted else ""
                context = {
                    "prefix": part.prefix, "entries": _entries(edition, register, part), "back": back,
                    "letter": letter.letter, "struck": register.only_struck, "folder": register.folder,
                }  # fmt: skip
                yield html(edition, path, "words.html", context)


def _of_letter(register: Register, letter: str) -> str:
    return f"{register.folder}/{letter.lower()}/index.html"


def _path(register: Register, part: Part) -> str:
    small = part.prefix.lower()
    below = f"{small}/" if len(small) > 1 or part.is_whole else ""
    return f"{register.folder}/{small[0]}/{below}index.html"


# -- which words share a page ------------------------------------------------------------------------------------------


def divide(counts: Mapping[str, int]) -> list[Letter]:
    """Part words by how they begin; `counts` says how many begin with the same four letters, or are shorter."""
    found = []
    for letter, prefixes in groupby(sorted(counts), key=lambda prefix: prefix[0]):
        of_letter = {prefix: counts[prefix] for prefix in prefixes}
        total = sum(of_letter.values())
        parts = tuple(_parts(letter, of_letter)) if total > MOST else (Part(prefix=letter, count=total),)
        found.append(Letter(letter=letter, count=total, parts=parts))
    return found


def _parts(prefix: str, counts: Mapping[str, int]) -> Iterator[Part]:
    if prefix in counts and len(prefix) < DEPTH:
        yield Part(prefix=prefix, count=counts[prefix], is_whole=True)
    longer = sorted(one for one in counts if len(one) > len(prefix))
    for start, group in groupby(longer, key=lambda one: one[: len(prefix) + 1]):
        below = {one: counts[one] for one in group}
        total = sum(below.values())
        if total > MOST and len(start) < DEPTH:
            yield from _parts(start, below)
        else:
            yield Part(prefix=start, count=total)


# -- what is known of them ---------------------------------------------------------------------------------------------


def _counts(edition: Edition, register: Register) -> Mapping[str, int]:
    """Count the words by their first letters."""
    known = sa.select(col(ArchivedWord.key)).distinct()
    if register.only_struck:
        known = known.where(col(ArchivedWord.status) == "refused")
    begins = sa.func.substr(known.subquery().c.key, 1, DEPTH)
    rows = edition.session.connection().execute(sa.select(begins, sa.func.count()).group_by(begins))
    return {prefix: count for prefix, count in rows}


def _entries(edition: Edition, register: Register, part: Part) -> tuple[Entry, ...]:
    """Give the words of a page with their uses."""
    found = []
    rows = edition.session.connection().execute(_uses(register, part))
    for (_, word), uses in groupby(rows, key=lambda row: (row.key, row.word)):
        some = list(uses)
        found.append(Entry(word=word, count=some[0].times, uses=tuple(_use(edition, row) for row in some)))
    return tuple(found)


def _uses(register: Register, part: Part) -> Any:
    """Ask for the first and the last uses of the words that begin alike."""
    word = ArchivedWord
    by_age = (col(word.game_id), col(word.seat), col(word.id))
    same = [col(word.key), col(word.word)]
    known = sa.select(
        col(word.key), col(word.word), col(word.game_id), col(word.seat), col(word.points), col(word.status),
        col(word.why), col(word.id),
        sa.func.row_number().over(partition_by=same, order_by=by_age).label("nth"),
        sa.func.count().over(partition_by=same).label("times"),
    )  # fmt: skip
    if part.is_whole:
        known = known.where(col(word.key) == part.prefix)
    else:  # keys have no other signs, and Z comes last wherever letters are sorted
        known = known.where(col(word.key).between(part.prefix, part.prefix + "Z" * 64))
    if register.only_struck:
        known = known.where(col(word.status) == "refused")
    of = known.subquery().c
    return (
        sa.select(
            of.key, of.word, of.points, of.status, of.why, of.times, of.game_id, col(Game.name), col(Game.engine),
            col(ArchivedScore.player_id),
        )
        .join(Game, col(Game.id) == of.game_id)
        .join(ArchivedScore, (col(ArchivedScore.game_id) == of.game_id) & (col(ArchivedScore.seat) == of.seat))
        .where((of.nth == 1) | (of.nth > of.times - SHOWN + 1))
        .order_by(of.key, of.word, of.nth.desc())
    )  # fmt: skip


def _use(edition: Edition, row: Any) -> Use:
    return Use(
        game=row.name, slug=edition.slugs[row.game_id], who=edition.who(row.player_id), points=row.points,
        status=row.status, why=_said(edition, row) if row.status == "refused" else "",
    )  # fmt: skip


def _said(edition: Edition, row: Any) -> str:
    """Word why it was struck; nothing where the game can't be had here."""
    text, engine = _TEXT.validate_python(row.why), engines().get(row.engine)
    if text is None or engine is None:
        return ""
    speaker = Speaker(language=edition.language, wording={**SENTENCES, **engine.wording}, names={})
    return masked(speaker.say(text), edition.language)
