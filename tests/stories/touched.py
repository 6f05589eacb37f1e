"""Whoever writes a row about a game says so by `game_file.touch`: looked at in every transaction of every test.

Without it the next pass wouldn't look at the game, and its pages would stay as they are. The rows that tests write by
hand don't count.
"""

import sys
from typing import Any

from sqlalchemy import event, inspect
from sqlmodel import Session

from gm.store.archive_tables import ArchivedGame, ArchivedScore, ArchivedWord
from gm.store.tables import DigestStep, Game, MailOut, Question

_BESIDE = (MailOut, DigestStep, ArchivedGame, ArchivedScore, ArchivedWord)
"""Rows about a game that change nothing in it."""
_WRITTEN, _TOUCHED = "tests: games written about", "tests: games touched"


class UntouchedError(AssertionError):
    """A row about a game was written, and the game was not touched."""


def watch() -> None:
    """Look at every session of this process."""
    event.listen(Session, "after_flush", _note_flush)
    event.listen(Session, "do_orm_execute", _note_update)
    event.listen(Session, "before_commit", _check)
    event.listen(Session, "after_rollback", _forget)


def _note_flush(session: Session, _context: Any) -> None:
    for row in (*session.new, *(row for row in session.dirty if _is_changed(session, row)), *session.deleted):
        if isinstance(row, Game):
            session.info.setdefault(_TOUCHED, set()).add(row.id)
        elif not isinstance(row, _BESIDE) and (game_id := getattr(row, "game_id", None)):
            by = _writer()
            if "/tests/" not in by:
                session.info.setdefault(_WRITTEN, {})[game_id] = f"{type(row).__name__} ({by})"


def _is_changed(session: Session, row: Any) -> bool:
    """Whether a row has other values; what is noted with a question changes nothing in its game."""
    if isinstance(row, Question):
        return bool(inspect(row).attrs.answered_at.history.has_changes())
    return session.is_modified(row)


def _note_update(state: Any) -> None:
    if state.is_update and state.bind_mapper is not None and state.bind_mapper.class_ is Game:
        state.session.info[_TOUCHED] = _Everything()


class _Everything(set[int]):
    def __contains__(self, _item: object) -> bool:
        return True


def _check(session: Session) -> None:
    session.flush()
    written, touched = session.info.pop(_WRITTEN, {}), session.info.pop(_TOUCHED, set())
    if left := {game_id: by for game_id, by in written.items() if game_id not in touched}:
        raise UntouchedError(left)


def _forget(session: Session) -> None:
    session.info.pop(_WRITTEN, None)
    session.info.pop(_TOUCHED, None)


def _writer() -> str:
    """Name the code that wrote: the first outside of the libraries and of what opens transactions."""
    frame = sys._getframe(2)
    while frame.f_back is not None:
        file = frame.f_code.co_filename
        if not any(part in file for part in ("sqlalchemy", "sqlmodel", "contextlib", "gm/store/", "stories/touched")):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
