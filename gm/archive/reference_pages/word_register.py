"""The registers of all words and of struck words, with one or more pages a letter."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import col

from games import engines
from games.api import Text
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_data.games_by_status import Who
from gm.archive.list_data.letter_ranges import Letter, Part, divide, first_letters
from gm.game.people.shown_names import masked
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.store.archive_tables import ArchivedGame, ArchivedScore, ArchivedWord
from gm.store.chunks import in_chunks
from gm.store.tables import Game

SHOWN: Final = 5
"""Games that are named with a word: the first, and the last ones."""

_TEXT: TypeAdapter[Text | None] = TypeAdapter(Text | None)


class Use(NamedTuple):
    """A use of a word: its row, the folder of the game, the player, and why it was struck."""

    row: Any
    slug: str
    who: Who
    why: str


class Entry(NamedTuple):
    """A word with its uses, newest first; of many only the first and the last ones."""

    word: str
    times: int
    uses: list[Use]


Register: TypeAlias = Literal["woerter", "gestrichen"]
"""One of the two registers, by its folder: of all words, or of those that were struck."""


def words(context: ListContext) -> Iterator[Page]:
    """Make the register of all words."""
    return _pages(context, "woerter")


def struck(context: ListContext) -> Iterator[Page]:
    """Make the register of struck words."""
    return _pages(context, "gestrichen")


def _pages(context: ListContext, register: Register) -> Iterator[Page]:
    letters = divide(_counts(context, register))
    rows = tuple((letter.letter, _of_letter(register, letter.letter), letter.count) for letter in letters)
    frame = {"letters": rows, "struck": register == "gestrichen"}
    total = sum(letter.count for letter in letters)
    yield html(context, f"{register}/index.html", "register.html", partial(dict, frame, count=total))
    for letter in letters:
        places = tuple((part.prefix, _path(register, part), part.count) for part in letter.parts)
        if letter.is_parted:
            told = frame | {"letter": letter.letter, "parts": places}
            yield html(context, _of_letter(register, letter.letter), "letter.html", partial(dict, told))
        for part in letter.parts:
            listed = partial(_values, context, register, letter, part)
            yield html(context, _path(register, part), "words.html", listed)


def _values(context: ListContext, register: Register, letter: Letter, part: Part) -> dict[str, Any]:
    return {
        "prefix": part.prefix, "entries": _entries(context, _shown(context, register, part)),
        "back": _of_letter(register, letter.letter) if letter.is_parted else "",
        "letter": letter.letter, "struck": register == "gestrichen", "folder": register,
    }  # fmt: skip


def _of_letter(register: Register, letter: str) -> str:
    return f"{register}/{letter.lower()}/index.html"


def _path(register: Register, part: Part) -> str:
    small = part.prefix.lower()
    below = f"{small}/" if len(small) > 1 or part.is_whole else ""
    return f"{register}/{small[0]}/{below}index.html"


# -- what is known of them ---------------------------------------------------------------------------------------------


Shown: TypeAlias = tuple[int, list[int]]
"""Of a word the number of its uses, and the rows of those that are shown, newest first."""


def _of(register: Register, rows: Any) -> Any:
    return rows.where(col(ArchivedWord.status) == "refused") if register == "gestrichen" else rows


def _counts(context: ListContext, register: Register) -> Counter[str]:
    """Count the words of a register by their first letters."""
    keys = _of(register, sa.select(col(ArchivedWord.key)))
    # Not DISTINCT for struck words: SQLite would look up each word of the index to see whether it was struck.
    rows = keys if register == "gestrichen" else keys.distinct()
    return Counter(first_letters(key) for key in set(context.session.connection().scalars(rows)))


def _shown(context: ListContext, register: Register, part: Part) -> list[Shown]:
    """List the words of a page."""
    key = col(ArchivedWord.key)
    # Keys begin with nothing but letters and figures, and Z comes last wherever letters are sorted.
    known = _of(register, sa.select(key, col(ArchivedWord.id), col(ArchivedWord.game_id)))
    known = known.where(key.between(part.prefix, part.prefix + "Z" * 64))
    if part.is_whole:
        goes_on = sa.func.substr(key, 1, len(part.prefix) + 1) == f"{part.prefix} "
        known = known.where((key == part.prefix) | goes_on)
    of = known.subquery().c
    numbered = sa.select(
        of.key, of.id,
        sa.func.row_number().over(partition_by=of.key, order_by=(of.game_id, of.id)).label("nth"),
        sa.func.count().over(partition_by=of.key).label("times"),
    ).subquery().c  # fmt: skip
    first_and_last = (numbered.nth == 1) | (numbered.nth > numbered.times - SHOWN + 1)
    some = sa.select(numbered.key, numbered.id, numbered.nth, numbered.times).where(first_and_last)
    uses: dict[str, list[tuple[int, int]]] = {}
    counts: dict[str, int] = {}
    for of_key, one, nth, times in context.session.connection().execute(some):
        uses.setdefault(of_key, []).append((-nth, one))
        counts[of_key] = times
    return [(counts[of_key], [one for _, one in sorted(rows)]) for of_key, rows in sorted(uses.items())]


_USES: Final = (
    sa.select(
        col(ArchivedWord.id), col(ArchivedWord.word), col(ArchivedWord.points), col(ArchivedWord.status),
        col(ArchivedWord.why), col(ArchivedWord.game_id), col(Game.name), col(Game.engine),
        col(ArchivedScore.player_id), col(ArchivedGame.ended_at),
    )
    .join(Game, col(Game.id) == col(ArchivedWord.game_id))
    .join(ArchivedGame, col(ArchivedGame.game_id) == col(ArchivedWord.game_id))
    .join(
        ArchivedScore,
        (col(ArchivedScore.game_id) == col(ArchivedWord.game_id))
        & (col(ArchivedScore.seat) == col(ArchivedWord.seat)),
    )
)  # fmt: skip


def _entries(context: ListContext, shown: Sequence[Shown]) -> tuple[Entry, ...]:
    """Describe words with their uses."""
    rows = {
        row.id: row
        for some in in_chunks([one for _, ids in shown for one in ids])
        for row in context.session.connection().execute(_USES.where(col(ArchivedWord.id).in_(some)))
    }
    return tuple(
        Entry(word=rows[ids[0]].word, times=times, uses=[_use(context, rows[one]) for one in ids])
        for times, ids in shown
    )


def _use(context: ListContext, row: Any) -> Use:
    why = _said(context, row) if row.status == "refused" else ""
    return Use(row=row, slug=context.slugs[row.game_id], who=context.who(row.player_id), why=why)


def _said(context: ListContext, row: Any) -> str:
    """Write why a word was struck; "" where the rules of the game aren't installed."""
    text, engine = _TEXT.validate_python(row.why), engines().get(row.engine)
    if text is None or engine is None:
        return ""
    speaker = Speaker(language=context.language, wording={**SENTENCES, **engine.wording}, names={})
    return masked(speaker.say(text), context.language)
