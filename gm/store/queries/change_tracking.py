"""Which games a transaction has written about, noted with its commit: a pass looks at them again, and at no others.

A mark too many costs a look, one too few would leave a round open. So nobody has to think of it: whatever is written
through a session counts, and what a savepoint takes back still does. Who writes past the session says `touch`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import Update, bindparam, delete, event, false, inspect, true, update
from sqlmodel import Session, SQLModel, col, select

from gm.store.chunks import portions
from gm.store.tables import (
    AT_ONCE,
    ArchivedGame,
    ArchivedScore,
    ArchivedWord,
    Game,
    Hindsight,
    MailOut,
    Meta,
    Player,
    Seat,
)

_WITHOUT: Final = (MailOut, ArchivedGame, ArchivedScore, ArchivedWord)
"""Rows about a game that change nothing in it."""

_BY_ID: Final = col(Game.id).in_(bindparam("ids", expanding=True))
_WRITTEN: Final = update(Game.__table__).where(_BY_ID)  # type: ignore[attr-defined]
_SHOWN_ANEW: Final = _WRITTEN.values(writes=col(Game.writes) + 1, changed=true())
_TOUCHED: Final = _SHOWN_ANEW.values(look_at=AT_ONCE, look_back=true())

_SHOWN_OF_PLAYERS: Final = ("name", "name_form")
SITE: Final = "site"
"""The fact which site shows all games that aren't changed. It goes with the next name: that may be anywhere."""
_FORGET_SITE: Final = delete(Meta).where(col(Meta.key) == SITE)

_touched: WeakKeyDictionary[Session, set[int]] = WeakKeyDictionary()
_shown_anew: WeakKeyDictionary[Session, set[int]] = WeakKeyDictionary()
_renamed: WeakKeyDictionary[Session, set[int]] = WeakKeyDictionary()
"""Not in the session's own notes, which end with a savepoint."""


def touch(session: Session, game_ids: Iterable[int]) -> None:
    """Note that something about these games is written."""
    _touched.setdefault(session, set()).update(game_ids)


def show_anew(session: Session, game_ids: Iterable[int]) -> None:
    """Note the same of what concerns the archive alone."""
    _shown_anew.setdefault(session, set()).update(game_ids)


def note_rows(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Note the games of rows that are added past the session."""
    if table not in _WITHOUT and "game_id" in table.model_fields:
        touch(session, {row["game_id"] for row in rows if row.get("game_id") is not None})


@event.listens_for(Session, "after_flush")
def _note_flush(session: Session, _context: Any) -> None:
    for rows in (session.new, session.dirty, session.deleted):
        for row in rows:
            _note(session, row)


def _note(session: Session, row: Any) -> None:
    if isinstance(row, Game):
        touch(session, [row.id])
    elif isinstance(row, Player):
        _renamed.setdefault(session, set()).add(row.id)
        if row not in session.new and any(inspect(row).attrs[name].history.has_changes() for name in _SHOWN_OF_PLAYERS):
            session.connection().execute(_FORGET_SITE)
    elif isinstance(row, Hindsight):
        show_anew(session, [row.game_id])
    elif not isinstance(row, _WITHOUT) and (game_id := getattr(row, "game_id", None)) is not None:
        touch(session, [game_id])


@event.listens_for(Session, "before_commit")
def _write_down(session: Session) -> None:
    session.flush()
    if renamed := _renamed.pop(session, None):
        show_anew(session, _games_of(session, renamed))
    touched, shown = _touched.pop(session, set()), _shown_anew.pop(session, set())
    for statement, game_ids in ((_TOUCHED, touched), (_SHOWN_ANEW, shown - touched)):
        for ids in portions(game_ids):
            session.connection().execute(statement, {"ids": ids})


# -- what came of a look -----------------------------------------------------------------------------------------------

_SEEN: Final = (
    update(Game.__table__)  # type: ignore[attr-defined]
    .where(col(Game.id) == bindparam("game"), col(Game.writes) == bindparam("seen"))
)  # fmt: skip
_NEXT: Final = _SEEN.values(look_at=bindparam("next_look"))
_SHOWN: Final = _SEEN.values(changed=false())
_LOOKED_BACK: Final = _SEEN.values(look_back=false())


def look_again(session: Session, found: Iterable[tuple[int, int, datetime | None]]) -> None:
    """Note when to look at games next: id, the `writes` that were seen, when.

    Of a game that was written about since nothing is noted, so that it is looked at once more. The game must have been
    read before all else that the look rests on.
    """
    rows = [{"game": game_id, "seen": seen, "next_look": at} for game_id, seen, at in found]
    if rows:
        session.connection().execute(_NEXT, rows)


def note_shown(session: Session, seen: Mapping[int, int]) -> None:
    """Note that the archive shows games as they were at these `writes`; what was written since is still to be shown."""
    _note_seen(session, _SHOWN, seen)


def note_looked_back(session: Session, seen: Mapping[int, int]) -> None:
    """Note that games were looked back on as they were at these `writes`."""
    _note_seen(session, _LOOKED_BACK, seen)


def _note_seen(session: Session, statement: Update, seen: Mapping[int, int]) -> None:
    if seen:
        rows = [{"game": game_id, "seen": writes} for game_id, writes in sorted(seen.items())]
        session.connection().execute(statement, rows)


def _games_of(session: Session, player_ids: Collection[int]) -> set[int]:
    """List where players sit or sat: their names stand there."""
    found: set[int] = set()
    for ids in portions(player_ids):
        found.update(session.exec(select(Seat.game_id).where(col(Seat.player_id).in_(ids))))
    return found
