"""A mail's time limit ends with the mail: its alarm never interrupts later work."""

import signal

import pytest

from gm.service.inbound.time_limit import time_limit
from parsers.errors import MailError


def test_an_alarm_that_rings_as_the_block_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """However close the next alarm is to the end of the block, it is off behind it."""
    monkeypatch.setattr("gm.service.inbound.time_limit.RINGS_AGAIN", 0.0005)
    for _ in range(600):
        with pytest.raises(MailError):
            _be_busy()
        is_on = signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 0)  # or the failure would be somebody else's
        assert not is_on


def _be_busy() -> None:
    with time_limit(0.001):
        while True:
            pass
