"""Marks the games that a transaction has written about: the next pass checks these games, and no others.

A mark too many costs a query; a missing one would leave a round open. So every row that is written through a session
marks its game by itself, even if it is rolled back to a savepoint. Code that writes with an SQL statement of its own
calls `mark_changed`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, event, false, inspect, true, update
from sqlmodel import Session, SQLModel, col, select

from gm.store.chunks import in_chunks
from gm.store.tables import (
    AT_ONCE,
    ArchivedGame,
    ArchivedScore,
    ArchivedWord,
    Game,
    MailOut,
    Player,
    Seat,
)
from gm.store.zine_tables import Zine

_UNTRACKED: Final = (MailOut, ArchivedGame, ArchivedScore, ArchivedWord)
"""Rows about a game that change nothing in it."""

_BY_ID: Final = update(Game.__table__).where(col(Game.id).in_(bindparam("ids", expanding=True)))  # type: ignore[attr-defined]
_MARK_FOR_ARCHIVE: Final = _BY_ID.values(writes=col(Game.writes) + 1, changed=true())
_MARK_CHANGED: Final = _MARK_FOR_ARCHIVE.values(look_at=AT_ONCE)

_SHOWN_OF_PLAYERS: Final = ("name", "name_form")
_FORGET_SITE: Final = update(Zine).values(site=None)
"""A new name of a player may be anywhere."""


@dataclass(kw_only=True)
class _Changes:
    """What a transaction has written about: ids of games, of games for the archive alone, and of renamed players."""

    games: set[int] = field(default_factory=set)
    games_for_archive: set[int] = field(default_factory=set)
    players: set[int] = field(default_factory=set)


_CHANGES: Final = "gm: changes"


def _changes_of(session: Session) -> _Changes:
    changes: _Changes = session.info.setdefault(_CHANGES, _Changes())
    return changes


def mark_changed(session: Session, game_ids: Iterable[int]) -> None:
    """Mark games as changed when the transaction is committed."""
    _changes_of(session).games.update(game_ids)


def mark_for_archive(session: Session, game_ids: Iterable[int]) -> None:
    """Mark games as changed for the archive alone, when the transaction is committed."""
    _changes_of(session).games_for_archive.update(game_ids)


def note_rows(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Mark the games of rows that are inserted without a flush."""
    if table not in _UNTRACKED and "game_id" in table.model_fields:
        mark_changed(session, {row["game_id"] for row in rows if row.get("game_id") is not None})


@event.listens_for(Session, "after_flush")
def _note_flush(session: Session, _context: Any) -> None:
    for rows in (session.new, session.dirty, session.deleted):
        for row in rows:
            _note(session, row)


def _note(session: Session, row: Any) -> None:
    if isinstance(row, Game):
        mark_changed(session, [row.id])
    elif isinstance(row, Player):
        _changes_of(session).players.add(row.id)
        if row not in session.new and any(inspect(row).attrs[name].history.has_changes() for name in _SHOWN_OF_PLAYERS):
            session.connection().execute(_FORGET_SITE)
    elif not isinstance(row, _UNTRACKED) and (game_id := getattr(row, "game_id", None)) is not None:
        mark_changed(session, [game_id])


@event.listens_for(Session, "before_commit")
def _write_marks(session: Session) -> None:
    session.flush()
    if (changes := session.info.pop(_CHANGES, None)) is None:
        return
    for_archive = changes.games_for_archive | _games_of(session, changes.players)
    for statement, game_ids in ((_MARK_CHANGED, changes.games), (_MARK_FOR_ARCHIVE, for_archive - changes.games)):
        for ids in in_chunks(game_ids):
            session.connection().execute(statement, {"ids": ids})


def _games_of(session: Session, player_ids: Collection[int]) -> set[int]:
    """List where players sit or have sat: their names stand there."""
    found: set[int] = set()
    for ids in in_chunks(player_ids):
        found.update(session.exec(select(Seat.game_id).where(col(Seat.player_id).in_(ids))))
    return found


# -- marks that are taken away -----------------------------------------------------------------------------------------

_UNCHANGED: Final = (
    update(Game.__table__)  # type: ignore[attr-defined]
    .where(col(Game.id) == bindparam("game"), col(Game.writes) == bindparam("seen"))
)  # fmt: skip
_NEXT_CHECK: Final = _UNCHANGED.values(look_at=bindparam("next_check"))
_ARCHIVED: Final = _UNCHANGED.values(changed=false())


def note_next_checks(session: Session, found: Iterable[tuple[int, int, datetime | None]]) -> None:
    """Note when games are to be checked next: id, the `writes` that were seen, when.

    A game that was written about since keeps its mark, so that it is checked once more. The game must have been read
    before everything else that the check rests on.
    """
    rows = [{"game": game_id, "seen": seen, "next_check": at} for game_id, seen, at in found]
    if rows:
        session.connection().execute(_NEXT_CHECK, rows)


def note_archived(session: Session, seen: Mapping[int, int]) -> None:
    """Note that the archive shows games as they were at these `writes`; what was written since is still to be shown."""
    if seen:
        rows = [{"game": game_id, "seen": writes} for game_id, writes in sorted(seen.items())]
        session.connection().execute(_ARCHIVED, rows)
