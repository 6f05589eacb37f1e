"""Questions that are asked once within a transaction: the answer is kept until a table that it rests on is written to.

A batch of mails asks the same about its games and players again and again. Nothing outlives the session, and what
another process does between two transactions is seen by the next one.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Insert, event, insert
from sqlmodel import Session, SQLModel

from gm.store import touched

Key = ParamSpec("Key")
Answer = TypeVar("Answer")
Question = Callable[Concatenate[Session, Key], Answer]

_RESTING: dict[type[SQLModel], list[Callable[..., Any]]] = {}
"""Table -> the questions whose answers rest on it."""


def asked_once(*tables: type[SQLModel]) -> Callable[[Question[Key, Answer]], Question[Key, Answer]]:
    """Let a question be asked once for each key; its answers rest on these tables."""

    def decorate(question: Question[Key, Answer]) -> Question[Key, Answer]:
        @wraps(question)
        def ask(session: Session, /, *key: Key.args, **named: Key.kwargs) -> Answer:
            session.flush()  # as before any query: what was changed and not yet written counts
            known = _answers(session, ask)
            if key not in known:
                known[key] = question(session, *key, **named)
            answer: Answer = known[key]
            return answer

        for table in tables:
            _RESTING.setdefault(table, []).append(ask)
        return ask

    return decorate


def tell(session: Session, question: Callable[..., Any], key: tuple[Hashable, ...], answer: Any) -> None:
    """Give an answer before the question is asked, where one look-up can answer many."""
    _answers(session, question)[key] = answer


def insert_rows(
    session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]], *, but: Callable[..., Any] | None = None
) -> None:
    """Add rows of which nobody needs the objects: a fifth of the time that a flush takes, less for many at once.

    The answers to the question `but` the caller brings up to date himself.
    """
    if rows:
        session.flush()  # what they refer to comes first
        session.connection().execute(_insertion(table), rows)
        touched.note_rows(session, table, rows)
        _forget(session, table, but)


@cache
def _insertion(table: type[SQLModel]) -> Insert:
    return insert(table.__table__)  # type: ignore[attr-defined]


def _answers(session: Session, question: Callable[..., Any]) -> dict[tuple[Any, ...], Any]:
    known: dict[tuple[Any, ...], Any] = session.info.setdefault(question, {})
    return known


def _forget(session: Session, table: type[SQLModel], but: Callable[..., Any] | None = None) -> None:
    for question in _RESTING.get(table, ()):
        if question is not but:
            session.info.pop(question, None)


@event.listens_for(Session, "after_flush")
def _forget_what_changed(session: Session, _context: Any) -> None:
    for table in {type(row) for rows in (session.new, session.dirty, session.deleted) for row in rows}:
        _forget(session, table)


@event.listens_for(Session, "after_soft_rollback")
def _forget_all(session: Session, _previous: Any) -> None:
    session.info.clear()
