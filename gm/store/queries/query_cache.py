"""Questions that are asked once within a transaction: the answer is kept until a table that it rests on is written to.

A batch of mails asks the same about its games and players again and again. Nothing outlives the session, and what
another process does between two transactions is seen by the next one.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, Insert, event, insert
from sqlmodel import Session, SQLModel

from gm.store.queries import change_tracking

Key = ParamSpec("Key")
Answer = TypeVar("Answer")
Question = Callable[Concatenate[Session, Key], Answer]

_WAITING: Final = "gm: rows to be added"
"""Where a connection holds such rows, by table; a session, whether it has any."""
_RESTING: dict[type[SQLModel], list[Callable[..., Any]]] = {}
"""Table -> the questions whose answers rest on it."""
_ABOUT_A_GAME: set[Callable[..., Any]] = set()
"""The questions whose key begins with a game's id: what is written about a game leaves the answers about others."""


def asked_once(
    *tables: type[SQLModel], about_game: bool = False
) -> Callable[[Question[Key, Answer]], Question[Key, Answer]]:
    """Let a question be asked once for each key; its answers rest on these tables.

    `about_game`: the key begins with a game's id, and rows about other games don't matter.
    """

    def decorate(question: Question[Key, Answer]) -> Question[Key, Answer]:
        @wraps(question)
        def ask(session: Session, /, *key: Key.args, **named: Key.kwargs) -> Answer:
            known = _answers(session, ask, key)
            if key not in known or not _pending(session).isdisjoint(tables):
                session.flush()  # what was changed and not yet written counts
                known = _answers(session, ask, key)
                if key not in known:
                    known[key] = question(session, *key, **named)
            answer: Answer = known[key]
            return answer

        for table in tables:
            _RESTING.setdefault(table, []).append(ask)
        if about_game:
            _ABOUT_A_GAME.add(ask)
        return ask

    return decorate


def tell(session: Session, question: Callable[..., Any], key: tuple[Hashable, ...], answer: Any) -> None:
    """Give an answer before the question is asked, where one look-up can answer many."""
    _answers(session, question, key)[key] = answer


def insert_later(
    session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]], *, but: Callable[..., Any] | None = None
) -> None:
    """Add rows of which nobody needs the objects: a tenth of the time that a flush takes.

    They are written with the next ones of their table, before anything else is asked or written. What the table
    refuses is told then, or by `insert_now`. The answers to the question `but` the caller brings up to date himself.
    """
    if rows:
        session.flush()  # what they refer to comes first
        waiting = session.connection().info.setdefault(_WAITING, {})
        waiting.setdefault(table, []).extend(rows)
        session.info[_WAITING] = True
        change_tracking.note_rows(session, table, rows)
        _forget(session, table, {row.get("game_id") for row in rows}, but)


def insert_now(session: Session) -> None:
    """Write the rows that were to be added later."""
    if session.info.pop(_WAITING, False):
        _insert_waiting(session.connection())


def _insert_waiting(connection: Connection, *_statement: Any) -> None:
    for table, rows in connection.info.pop(_WAITING, {}).items():
        connection.execute(_insertion(table), rows)


event.listen(Engine, "before_cursor_execute", _insert_waiting)
event.listen(Session, "before_commit", insert_now)


@event.listens_for(Engine, "rollback")
def drop_rows(connection: Connection) -> None:
    """Forget the rows that were to be added later."""
    if not connection.invalidated:  # else they are gone with it
        connection.info.pop(_WAITING, None)


@cache
def _insertion(table: type[SQLModel]) -> Insert:
    return insert(table.__table__)  # type: ignore[attr-defined]


def _pending(session: Session) -> set[type[Any]]:
    """Name the tables to which something is yet to be written."""
    if not session.identity_map.check_modified() and not session.new:
        return set()
    return {type(row) for rows in (session.new, session.dirty) for row in rows}


def _answers(session: Session, question: Callable[..., Any], key: tuple[Any, ...]) -> dict[tuple[Any, ...], Any]:
    known: dict[Any, Any] = session.info.setdefault(question, {})
    return known.setdefault(key[0], {}) if question in _ABOUT_A_GAME else known


def forget(session: Session, table: type[SQLModel]) -> None:
    """Forget what rests on a table some rows of which were changed by a statement."""
    _forget(session, table, {None})


def _forget(
    session: Session, table: type[SQLModel], game_ids: Collection[int | None], but: Callable[..., Any] | None = None
) -> None:
    """Forget what rests on rows of a table; None is among the ids where a row is about no game in particular."""
    for question in _RESTING.get(table, ()):
        if question in _ABOUT_A_GAME and None not in game_ids:
            known = session.info.get(question, {})
            for game_id in () if question is but else game_ids:
                known.pop(game_id, None)
        elif question is not but:
            session.info.pop(question, None)


@event.listens_for(Session, "after_flush")
def _forget_what_changed(session: Session, _context: Any) -> None:
    changed: dict[type[SQLModel], set[int | None]] = {}
    for rows in (session.new, session.dirty, session.deleted):
        for row in rows:
            changed.setdefault(type(row), set()).add(getattr(row, "game_id", None))
    for table, game_ids in changed.items():
        _forget(session, table, game_ids)


@event.listens_for(Session, "after_soft_rollback")
def _forget_all(session: Session, _previous: Any) -> None:
    session.info.clear()
