"""Unexpected errors in the log: where they happened, without their messages.

The message of such an error may hold anything: a move of a running game, a state, parameters of a query, a password.
"""

import logging
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final

from gm.runtime.errors import OperatorError
from gm.runtime.redaction import masked

_ROOT: Final = Path(__file__).parents[2]


def described(error: BaseException) -> str:
    """Describe an unexpected error in one line: `KeyError in gm/store/tables.py, line 12`."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT)] or frames
    if not ours:
        return type(error).__name__
    path = Path(ours[-1].filename)
    place = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path.name
    return f"{type(error).__name__} in {place}, line {ours[-1].lineno}"


def trace(error: BaseException) -> str:
    """Format the traceback of an error and of what caused it, without messages that may hold hidden values."""
    return masked("".join(_links(error, set())).rstrip("\n"))


def _links(error: BaseException, seen: set[int]) -> Iterator[str]:
    if id(error) in seen:
        return
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _links(before, seen)
        yield "\nwhich led to:\n\n"
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.") + _message(error) + "\n"
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield "\namong them:\n\n"
            yield from _links(inner, seen)


def _message(error: BaseException) -> str:
    """Return the message of an error about a server, a file or a command. Others might be about a game."""
    return f": {error}" if isinstance(error, OperatorError | OSError) and str(error) else ""


class CarefulFormatter(logging.Formatter):
    """Log lines without secrets; tracebacks, also those of libraries, without values."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, without the text that another formatter has cached of its traceback."""
        copied = logging.makeLogRecord({**vars(record), "exc_text": None})
        return masked(super().format(copied)).encode(errors="replace").decode()  # surrogates can't be written

    def formatException(  # noqa: N802 (logging's name)
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Write a traceback without values."""
        return trace(ei[1]) if ei[1] is not None else ""


_TALKATIVE: Final = (
    "alembic", "apscheduler", "imapclient", "aiosmtplib", "asyncio", "sqlalchemy", "oauthlib", "keyring"
)  # fmt: skip


def log_carefully(level: int, form: logging.Formatter | None = None) -> None:
    """Send all logging of this process to stderr, without secrets and hidden values. `form`: see log_format."""
    handler = logging.StreamHandler()
    handler.setFormatter(form or CarefulFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    # At lower levels these log what goes over the wire: mails with moves in them.
    for library in _TALKATIVE:
        logging.getLogger(library).setLevel(logging.WARNING)
    threading.excepthook = _log_thread_error


def _log_thread_error(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        logging.getLogger("gm").error("a thread ended, this is a bug:\n%s", trace(args.exc_value))
