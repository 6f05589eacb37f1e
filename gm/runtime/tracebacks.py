"""The log: sentences, and unexpected errors by where they happened, without their messages.

The message of such an error may hold anything: a move of a running game, a state, parameters of a query, a password.
"""

import logging
import os
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

from gm.runtime.errors import OperatorError
from gm.runtime.harmful_characters import visible
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
    """Log lines without secrets and control characters; tracebacks, also those of libraries, without values."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, without the text that another formatter has cached of its traceback."""
        copied = logging.makeLogRecord({**vars(record), "exc_text": None})
        return visible(masked(super().format(copied)))

    def formatException(  # noqa: N802 (logging's name)
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Write a traceback without values."""
        return trace(ei[1]) if ei[1] is not None else ""


class BriefFormatter(CarefulFormatter):
    """For a command at a terminal, where nobody wants to read a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record by its sentence alone."""
        return super().format(logging.makeLogRecord({**vars(record), "exc_info": None}))


PRIORITIES: Final = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""The priorities of the journal, as in syslog."""


class JournalFormatter(CarefulFormatter):
    """For systemd's journal, which has the time, and takes each line for an entry of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, with the priority in front as sd-daemon(3) says."""
        priority = PRIORITIES.get(record.levelno, 6)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).split("\n"))


def formatter(stream: TextIO) -> logging.Formatter:
    """Return the formatter of the service for a stream."""
    if _is_journal(stream):
        return JournalFormatter("%(message)s")
    return CarefulFormatter("%(asctime)s %(levelname)s %(message)s")


def _is_journal(stream: TextIO) -> bool:
    """Return whether systemd's journal reads the stream: $JOURNAL_STREAM is its device and inode (systemd.exec(5))."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"


_TALKATIVE: Final = (
    "alembic", "apscheduler", "imapclient", "aiosmtplib", "asyncio", "sqlalchemy", "oauthlib",
    "requests_oauthlib", "google", "google_auth_oauthlib", "urllib3",
)  # fmt: skip


def log_carefully(level: int, form: logging.Formatter | None = None) -> None:
    """Send all logging of this process to stderr, without secrets and hidden values. The service has a `form`."""
    handler = logging.StreamHandler()
    handler.setFormatter(form or BriefFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    # At lower levels these log what goes over the wire: mails with moves in them.
    for library in _TALKATIVE:
        logging.getLogger(library).setLevel(logging.WARNING)
    logging.getLogger("msal").setLevel(logging.CRITICAL)  # in an error it may log a whole answer, with tokens in it
    threading.excepthook = _log_thread_error


def _log_thread_error(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        logging.getLogger("gm").error("a thread ended, this is a bug:\n%s", trace(args.exc_value))
