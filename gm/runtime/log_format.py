"""How the log is written: sentences on a terminal, elsewhere a JSON object a line, for journals and collectors.

JSON, as every collector reads it without being told how, and as it says without doubt where a value ends; `jq` makes
sentences of it again. Python's own logging does it in these lines, so no library.
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
"""The journal's, from syslog."""


def event(name: str, **facts: Any) -> dict[str, Any]:
    """Name an event and its facts, as `extra` of a log call. Ids and numbers; never an address or what a mail says."""
    return {"event": name, "facts": facts}


class JsonFormatter(logging.Formatter):
    """An event a line, whatever is in it: without secrets, tracebacks without values."""

    def __init__(self, *, for_journal: bool = False) -> None:
        super().__init__()
        self._for_journal = for_journal
        self._host, self._pid = socket.gethostname(), os.getpid()

    def format(self, record: logging.LogRecord) -> str:
        """Write a record as JSON; for the journal with its priority in front."""
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
    """For a person at a terminal: the sentence, below it where a bug happened."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record. Nothing in it steers the terminal."""
        found = getattr(record, "facts", {}).get("trace", "")
        text = super().format(record) + (f"\n{found}" if found else "")
        return "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in text)


def formatter(stream: TextIO, form: str = "auto") -> logging.Formatter:
    """Choose how to write to a stream: `text`, `json`, or as it suits what listens there."""
    if form == "text" or (form == "auto" and stream.isatty()):
        return TextFormatter("%(asctime)s %(levelname)s %(message)s")
    return JsonFormatter(for_journal=_is_journal(stream))


def _is_journal(stream: TextIO) -> bool:
    """Say whether systemd's journal reads there; it tells by device and inode (systemd.exec(5))."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"


def _plain(value: Any) -> Any:
    """Give what JSON knows as it is, numbers short, all else as text."""
    if isinstance(value, float):
        return round(value, 3)
    return value if value is None or isinstance(value, bool | int) else masked(str(value))
