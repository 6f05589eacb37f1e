"""The format of the log: sentences on a terminal, elsewhere one JSON object a line.

Every log collector reads JSON without being configured, and it leaves no doubt where a value ends.
"""

import json
import logging
import os
import socket
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from gm.runtime.redaction import masked
from gm.runtime.tracebacks import CarefulFormatter, trace

PRIORITIES: Final = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
"""The priorities of the journal, as in syslog."""


def event(name: str, **facts: Any) -> dict[str, Any]:
    """Return the `extra` of a log call: an event and its facts. No fact is an address or text of a mail."""
    return {"event": name, "facts": facts}


class JsonFormatter(logging.Formatter):
    """One event a line, without secrets, and tracebacks without values."""

    def __init__(self, *, for_journal: bool = False) -> None:
        super().__init__()
        self._for_journal = for_journal
        self._host, self._pid = socket.gethostname(), os.getpid()

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as JSON; for the journal with its priority in front."""
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "note"),
            "message": masked(record.getMessage()),
            "host": self._host,
            "pid": self._pid,
        }
        facts = {name: _plain(value) for name, value in getattr(record, "facts", {}).items()}
        if record.exc_info and record.exc_info[1]:
            facts["trace"] = trace(record.exc_info[1])
        line = json.dumps({**facts, **said} if facts.keys() & said.keys() else {**said, **facts})
        return f"<{PRIORITIES.get(said['level'], 6)}>{line}" if self._for_journal else line


class TextFormatter(CarefulFormatter):
    """For a person at a terminal: a sentence, and below it the traceback of a bug."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, without characters that control the terminal."""
        found = getattr(record, "facts", {}).get("trace", "")
        text = super().format(record) + (f"\n{found}" if found else "")
        return "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in text)


def formatter(stream: TextIO, form: str = "auto") -> logging.Formatter:
    """Return the formatter for a stream: `text`, `json`, or `auto`: text on a terminal."""
    if form == "text" or (form == "auto" and stream.isatty()):
        return TextFormatter("%(asctime)s %(levelname)s %(message)s")
    return JsonFormatter(for_journal=_is_journal(stream))


def _is_journal(stream: TextIO) -> bool:
    """Return whether systemd's journal reads the stream: $JOURNAL_STREAM is its device and inode (systemd.exec(5))."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"


def _plain(value: Any) -> Any:
    """Convert a fact for JSON: floats are rounded, other objects become text."""
    if isinstance(value, float):
        return round(value, 3)
    return value if value is None or isinstance(value, bool | int) else masked(str(value))
