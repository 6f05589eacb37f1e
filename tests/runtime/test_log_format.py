"""Log formats: sentences for people, one JSON object per line for machines, no secret in either."""

import io
import json
import logging
import os

import pytest

from gm.runtime.config.settings import Secret
from gm.runtime.log_format import JsonFormatter, TextFormatter, event, formatter


def record(message: str, *values: object, error: BaseException | None = None, **facts: object) -> logging.LogRecord:
    """What a log call hands over."""
    made = logging.LogRecord("gm", logging.WARNING, __file__, 1, message, values, error and (type(error), error, None))
    vars(made).update(event("round closed", **facts))
    return made


def test_an_event_is_a_line_of_json() -> None:
    """Time in UTC, level, event, sentence, process and facts, numbers as numbers, all on one line."""
    line = JsonFormatter().format(record("closed %s", "Eriwan", game="Eriwan", turn=3, seconds=0.12345, mail=None))
    said = json.loads(line)
    assert said["time"].endswith("+00:00")
    assert said["pid"] == os.getpid()
    assert said["host"]
    facts = ("level", "event", "message", "game", "turn", "seconds", "mail")
    assert [said[name] for name in facts] == [
        "warning", "round closed", "closed Eriwan", "Eriwan", 3, 0.123, None,
    ]  # fmt: skip


@pytest.mark.parametrize("nasty", ["a\nb", "a\r\nb", "\x1b[31mred", "\u2028x", '{"level": "x"}', "\ud800"])
def test_nothing_breaks_a_line(nasty: str) -> None:
    """Whatever characters a sentence or fact has: one line that can be encoded and decoded to the same values."""
    line = JsonFormatter().format(record("said %s", nasty, game=nasty))
    assert len(line.splitlines()) == 1
    assert line.encode("ascii")
    assert (json.loads(line)["message"], json.loads(line)["game"]) == (f"said {nasty}", nasty)
    assert "\x1b" not in TextFormatter("%(message)s").format(record("said %s", nasty))


def test_no_secret_is_in_a_line() -> None:
    """Passwords are masked in the sentence and in facts, also those that JSON would write otherwise."""
    for password in ('Kanari "vogel" 17', "kanari\\vogel\n18", "kanarivögel-19"):
        Secret(password)
        line = JsonFormatter().format(record("failed with %s", password, reason=f"by {password}"))
        assert json.loads(line)["message"] == "failed with ***"
        assert json.loads(line)["reason"] == "by ***"


def test_a_traceback_is_a_fact_without_values() -> None:
    """A bug is told in the same line, by its places; what was at hand isn't told."""
    line = JsonFormatter().format(record("a bug", error=ValueError("a hidden move")))
    assert json.loads(line)["trace"] == "ValueError"
    assert "hidden" not in line
    shown = TextFormatter("%(levelname)s %(message)s").format(record("a bug", trace="KeyError in x"))
    assert shown == "WARNING a bug\nKeyError in x"


def test_the_form_suits_who_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON where no terminal is attached, unless the GM asks for text; the journal gets the priority in front."""
    assert isinstance(formatter(io.StringIO()), JsonFormatter)
    assert isinstance(formatter(io.StringIO(), "text"), TextFormatter)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream, os.fdopen(reading):
        assert formatter(stream).format(record("x")).startswith("{")
        status = os.fstat(stream.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
        assert formatter(stream).format(record("x")).startswith("<4>{")
