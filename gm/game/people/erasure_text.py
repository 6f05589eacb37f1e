"""Removing a person from what others wrote and the archive shows."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import String, cast, func, update
from sqlmodel import Session, SQLModel, col, select

from gm.game.people.personal_data import PersonFinder
from gm.store import game_file
from gm.store.archive_tables import ArchivedGame, ArchivedWord
from gm.store.chunks import CHUNK_SIZE, in_chunks
from gm.store.tables import Game, Press, Ruling, Turn

ALL_GAMES: Final = None

PUBLISHED: Final[tuple[tuple[type[SQLModel], str], ...]] = ((Press, "text"), (Ruling, "note"), (Turn, "foreword"))
"""Columns with texts that pages show; their rows name the game."""

NOTES: Final[tuple[tuple[type[SQLModel], tuple[str, ...]], ...]] = (
    (Turn, ("verdicts", "state", "events", "retrospect")), (ArchivedWord, ("why",)), (ArchivedGame, ("facts",)),
)  # fmt: skip
"""Where the note of a ruling is repeated once a game rests on it."""


def change(session: Session, table: Any, ids: Collection[int], *where: Any, **values: Any) -> None:
    """Update these rows directly, without loading them."""
    for some in in_chunks(ids):
        changed = update(table).where(table.id.in_(some), *where).values(**values)
        session.execute(changed, execution_options={"synchronize_session": False})


def erase_from_texts(session: Session, found: PersonFinder) -> set[int | None]:
    """Remove somebody from all published texts; returns the games that had such a text."""
    edited: set[int | None] = set()
    for table, column in PUBLISHED:
        for row_id, game_id, text in _rows_of(session, table, column):
            if text and (plain := found.scrub(text)) != text:
                change(session, table, [row_id], **{column: plain})
                edited.add(game_id)
    return edited


def _rows_of(session: Session, table: Any, column: str) -> Iterator[tuple[Any, ...]]:
    """Iterate over a table in chunks: all rows at once may not fit into memory."""
    after = 0
    while True:
        wanted = select(table.id, table.game_id, getattr(table, column)).where(table.id > after)
        found = session.exec(wanted.order_by(table.id).limit(CHUNK_SIZE)).all()
        yield from found
        if len(found) < CHUNK_SIZE:
            return
        after = found[-1][0]


def erase_from_notes(session: Session, found: PersonFinder) -> set[int]:
    """Remove somebody from the notes of rulings in the record; returns the games whose record had such a note.

    Verdicts, positions and events change alike, so a replay still leads to what is recorded.
    """
    by_game: dict[int, dict[str, str]] = {}
    for game_id, verdicts in _noted(session):
        for note in {verdict.get("note", "") for verdict in verdicts.values()}:
            if (plain := found.scrub(note)) != note:
                by_game.setdefault(game_id, {})[note] = plain
    for game_id, notes in by_game.items():
        for table, columns in NOTES:
            _rewrite(session, table, columns, game_id, notes)
    return set(by_game)


def _noted(session: Session) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Iterate over the verdicts of all steps in which one has a note; there are few of them."""
    said = func.replace(cast(Turn.verdicts, String), '"note": ""', "")
    ids = session.exec(select(Turn.id).where(said.like('%"note"%'))).all()
    for some in in_chunks(ids):
        yield from session.exec(select(Turn.game_id, Turn.verdicts).where(col(Turn.id).in_(some)))


def _rewrite(session: Session, table: Any, columns: tuple[str, ...], game_id: int, notes: Mapping[str, str]) -> None:
    for row in session.exec(select(table).where(table.game_id == game_id)).all():
        for column in columns:
            before = getattr(row, column)
            if (plain := _with_new_notes(before, notes)) != before:
                setattr(row, column, plain)
    session.flush()
    game_file.touch_all(session, [game_id])


def _with_new_notes(value: Any, notes: Mapping[str, str], key: str = "") -> Any:
    """Replace the old notes by the new ones, wherever an engine keeps them."""
    if isinstance(value, dict):
        return {name: _with_new_notes(item, notes, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_new_notes(item, notes, key) for item in value]
    return _text_with_new_notes(value, notes, key) if isinstance(value, str) else value


def _text_with_new_notes(text: str, notes: Mapping[str, str], key: str) -> str:
    if key == "note" and text in notes:
        return notes[text]
    for note in sorted(notes, key=len, reverse=True):
        if not note.isalpha():  # a note of one word may be a word of the game by chance
            text = text.replace(note, notes[note])
    return text


def touch_edited(session: Session, games: Collection[int | None]) -> None:
    """Note for the archive that what these games show of others' texts was written."""
    named = [game for game in games if game is not ALL_GAMES]
    game_file.touch_for_archive(session, session.exec(select(Game.id)).all() if ALL_GAMES in games else named)
