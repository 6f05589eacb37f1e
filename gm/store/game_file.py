"""The file of a game: its row with what hangs on it (step, seats, sheets, advance moves, rulings, questions, watchers).

It is the game itself, as a session knows it: a part is read once, when it is first asked for, or here for many games at
once. What is written about a game is said by `touch`: then the next pass looks at it, its pages are made anew, and the
parts that were written to are read again.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, update
from sqlalchemy.orm import selectinload
from sqlalchemy.orm.attributes import flag_modified
from sqlmodel import Session, col, select

from gm.store.chunks import in_chunks
from gm.store.tables import AT_ONCE, Game

_PARTS: Final[Sequence[Any]] = (Game.step, Game.seats, Game.sheets, Game.advance_moves, Game.rulings, Game.questions)


def load(session: Session, game_ids: Sequence[int]) -> Sequence[Game]:
    """Load games with their files, by age: as many statements for many as for one."""
    rows = select(Game).where(col(Game.id).in_(game_ids)).options(*(selectinload(part) for part in _PARTS))
    return session.exec(rows.order_by(col(Game.id)).execution_options(populate_existing=True)).all()


def touch(session: Session, game: Game, *parts: Any) -> None:
    """Note that something about a game was written, a row of these parts of its file perhaps (`Game.seats`)."""
    game.look_at = AT_ONCE
    flag_modified(game, "look_at")
    session.add(game)
    forget(session, game, *parts)


def touch_for_later(session: Session, game: Game, instant: datetime | None) -> None:
    """Note that something about a game was written that is due only then, or never by itself."""
    game.look_at = min(filter(None, (game.look_at, instant)), default=None)
    flag_modified(game, "look_at")
    session.add(game)


def note_unchanged(session: Session, game: Game, **noted: Any) -> None:
    """Note something with a game that nothing depends on, neither its next look nor its pages."""
    as_it_was = {"look_at": col(Game.look_at), "last_write": col(Game.last_write)}
    session.execute(update(Game).where(col(Game.id) == game.id).values(**noted, **as_it_was))


def forget(session: Session, game: Game, *parts: Any) -> None:
    """Let parts of a game's file be read again when they are asked for next."""
    if parts:
        session.flush()
        session.expire(game, [part.key for part in parts])


def touch_all(session: Session, game_ids: Collection[int]) -> None:
    """Note that something about these games was written."""
    for ids in in_chunks(game_ids):
        session.execute(update(Game).where(col(Game.id).in_(ids)).values(look_at=AT_ONCE))


def touch_for_archive(session: Session, game_ids: Collection[int]) -> None:
    """Note that something about these games was written that nothing but their pages depend on."""
    for ids in in_chunks(game_ids):
        session.execute(update(Game).where(col(Game.id).in_(ids)).values(look_at=col(Game.look_at)))


# -- what has been looked at -------------------------------------------------------------------------------------------

_AS_SEEN: Final = (
    update(Game.__table__)  # type: ignore[attr-defined]
    .where(col(Game.id) == bindparam("game"), col(Game.last_write) == bindparam("seen"))
)  # fmt: skip
_NEXT_LOOK: Final = _AS_SEEN.values(look_at=bindparam("next_look"), last_write=col(Game.last_write))


def note_next_looks(session: Session, found: Iterable[tuple[int, int, datetime | None]]) -> None:
    """Note when a pass looks at games next: id, the last write that was seen, when.

    A game that was written about since is looked at once more. It must have been read before everything else that the
    time rests on.
    """
    rows = [{"game": game_id, "seen": seen, "next_look": at} for game_id, seen, at in found]
    if rows:
        session.connection().execute(_NEXT_LOOK, rows)
