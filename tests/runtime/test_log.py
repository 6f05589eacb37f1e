"""The log: sentences for people, with priorities for the journal, and no secret in either."""

import io
import logging
import os

import pytest

from gm.runtime.config.settings import Secret
from gm.runtime.tracebacks import BriefFormatter, CarefulFormatter, formatter


def record(message: str, *values: object, error: BaseException | None = None) -> logging.LogRecord:
    """What a log call hands over."""
    return logging.LogRecord("gm", logging.WARNING, __file__, 1, message, values, error and (type(error), error, None))


def journal(monkeypatch: pytest.MonkeyPatch, stream: io.TextIOWrapper) -> logging.Formatter:
    """The formatter where systemd says that its journal reads the stream."""
    status = os.fstat(stream.fileno())
    monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
    return formatter(stream)


def test_a_line_is_a_sentence_with_its_time() -> None:
    """Where a terminal or a file is written to, a line has the time, the level and the sentence."""
    day, clock, level, sentence = formatter(io.StringIO()).format(record("closed %s", "Eriwan")).split(" ", 3)
    assert (len(day), len(clock), level, sentence) == (10, 12, "WARNING", "closed Eriwan")


def test_the_journal_gets_the_priority_of_each_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """systemd takes each line for an entry: also those of a traceback have the priority, and none a time."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream, os.fdopen(reading):
        assert not formatter(stream).format(record("x")).startswith("<")
        form = journal(monkeypatch, stream)
        assert form.format(record("a round")) == "<4>a round"
        assert form.format(record("a bug", error=ValueError("a hidden move"))) == "<4>a bug\n<4>ValueError"


@pytest.mark.parametrize("nasty", ["a\r", "\x1b[31mred", "\u2028x", "\ud800"])
def test_nothing_controls_the_terminal(nasty: str) -> None:
    """Whatever characters a sentence has: it is one line that can be printed."""
    line = formatter(io.StringIO()).format(record("said %s", nasty))
    assert line.isprintable()
    assert line.encode()


def test_no_secret_is_in_a_line() -> None:
    """Passwords are masked in the sentence."""
    for password in ('Kanari "vogel" 17', "kanari\\vogel\n18", "kanarivögel-19"):
        Secret(password)
        assert CarefulFormatter("%(message)s").format(record("failed with %s", password)) == "failed with ***"


def test_a_traceback_is_without_values() -> None:
    """A bug is told with its places, for the service below the sentence and for a command not at all."""
    bug = record("a bug", error=ValueError("a hidden move"))
    assert CarefulFormatter("%(message)s").format(bug) == "a bug\nValueError"
    assert BriefFormatter("%(message)s").format(bug) == "a bug"
