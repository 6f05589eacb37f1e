"""Query results kept within a transaction, until a table that they were read from is written to.

A batch of mails asks the same about its games and players again and again: without this, a move takes 3.7 times the
processor time. Nothing outlives the session, so the next transaction sees what other processes have written.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, Insert, event, insert
from sqlmodel import Session, SQLModel

from gm.store import change_tracking

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Query = Callable[Concatenate[Session, Arguments], Result]

_RESULTS: Final = "gm: query results"
"""Where a session keeps results, by query and arguments; those of a query about a game by the game's id as well."""
_QUEUED: Final = "gm: queued rows"
"""Where a connection keeps queued rows, by table; a session has this key while there may be any."""
_QUERIES_OF_TABLE: dict[type[SQLModel], list[Callable[..., Any]]] = {}
_PER_GAME: set[Callable[..., Any]] = set()


def cached_query(
    *tables: type[SQLModel], per_game: bool = False
) -> Callable[[Query[Arguments, Result]], Query[Arguments, Result]]:
    """Keep the results of a query that reads these tables, by its positional arguments; keyword arguments don't count.

    Of an argument that is a row, the id counts. `per_game`: the first argument is a game, or its id, and a row about
    another game leaves the result as it is.
    """

    def decorate(query: Query[Arguments, Result]) -> Query[Arguments, Result]:
        @wraps(query)
        def ask(session: Session, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
            key = tuple([getattr(one, "id", one) for one in arguments])
            known = _results(session, ask, key)
            if key not in known or not _pending(session).isdisjoint(tables):
                session.flush()  # changes that are not written yet count as well
                known = _results(session, ask, key)
                if key not in known:
                    known[key] = query(session, *arguments, **named)
            result: Result = known[key]
            return result

        for table in tables:
            _QUERIES_OF_TABLE.setdefault(table, []).append(ask)
        if per_game:
            _PER_GAME.add(ask)
        return ask

    return decorate


def prime(session: Session, query: Callable[..., Any], key: tuple[Hashable, ...], result: Any) -> None:
    """Store the result of a query before it is asked, where one statement finds the results for many keys."""
    _results(session, query, key)[key] = result


def forget(session: Session, table: type[SQLModel], game_ids: Collection[int | None] = (None,)) -> None:
    """Forget the results that rest on a table, after rows of these games were written; None: of any game."""
    results = session.info.get(_RESULTS, {})
    for query in _QUERIES_OF_TABLE.get(table, ()):
        if query in _PER_GAME and None not in game_ids:
            for game_id in game_ids:
                results.get(query, {}).pop(game_id, None)
        else:
            results.pop(query, None)


def forget_all(session: Session) -> None:
    """Forget all results, after rows were changed in a way that the session doesn't see."""
    session.info.pop(_RESULTS, None)


def insert_later(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Queue rows that are not needed as objects; inserting them takes a tenth of the time that a flush takes.

    They are written together with the next ones of their table, before any other statement is executed. What the table
    refuses is raised by that statement, or by `insert_now`.
    """
    if rows:
        session.flush()  # the rows that they refer to come first
        queued = session.connection().info.setdefault(_QUEUED, {})
        queued.setdefault(table, []).extend(rows)
        session.info[_QUEUED] = True
        change_tracking.note_rows(session, table, rows)
        forget(session, table, {row.get("game_id") for row in rows})


def insert_now(session: Session) -> None:
    """Write the queued rows."""
    if session.info.pop(_QUEUED, False):
        _insert_queued(session.connection())


def _insert_queued(connection: Connection, *_statement: Any) -> None:
    for table, rows in connection.info.pop(_QUEUED, {}).items():
        connection.execute(_insertion(table), rows)


event.listen(Engine, "before_cursor_execute", _insert_queued)
event.listen(Session, "before_commit", insert_now)


@event.listens_for(Engine, "rollback")
def drop_queued(connection: Connection) -> None:
    """Drop the queued rows."""
    if not connection.invalidated:  # an invalidated one has lost them already
        connection.info.pop(_QUEUED, None)


@cache
def _insertion(table: type[SQLModel]) -> Insert:
    return insert(table.__table__)  # type: ignore[attr-defined]


def _pending(session: Session) -> set[type[Any]]:
    """Name the tables of rows that were changed and not yet written."""
    if not session.identity_map.check_modified() and not session.new:
        return set()
    return {type(row) for rows in (session.new, session.dirty) for row in rows}


def _results(session: Session, query: Callable[..., Any], key: tuple[Any, ...]) -> dict[tuple[Any, ...], Any]:
    known: dict[Any, Any] = session.info.setdefault(_RESULTS, {}).setdefault(query, {})
    return known.setdefault(key[0], {}) if query in _PER_GAME else known


@event.listens_for(Session, "after_flush")
def _forget_flushed(session: Session, _context: Any) -> None:
    changed: dict[type[SQLModel], set[int | None]] = {}
    for rows in (session.new, session.dirty, session.deleted):
        for row in rows:
            changed.setdefault(type(row), set()).add(getattr(row, "game_id", None))
    for table, game_ids in changed.items():
        forget(session, table, game_ids)


@event.listens_for(Session, "after_soft_rollback")
def _forget_rolled_back(session: Session, _previous: Any) -> None:
    forget_all(session)
