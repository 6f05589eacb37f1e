"""A mail's time limit ends with the mail: its alarm never interrupts later work."""

import signal
import sys
from types import FrameType
from typing import Any

import pytest

from gm.service.inbound.time_limit import time_limit
from parsers.errors import MailError


@pytest.mark.parametrize("edge", [time_limit.__enter__, time_limit.__exit__])
def test_an_alarm_that_rings_at_the_edge_of_the_block(edge: Any) -> None:
    """Whichever line of the block's beginning or end it rings at, it is off behind it."""
    code, rung = edge.__code__, list[int]()

    def rings(frame: FrameType, event: str, _given: Any) -> Any:
        if frame.f_code is not code:
            return None
        if event == "line":
            rung.append(frame.f_lineno)
            signal.raise_signal(signal.SIGALRM)
        return rings

    with time_limit(1):
        pass  # from the first block on somebody hears the alarm
    before = sys.gettrace()
    sys.settrace(rings)
    try:
        with pytest.raises(MailError):
            _be_busy()
    finally:
        sys.settrace(before)
    is_on = signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
    signal.setitimer(signal.ITIMER_REAL, 0)  # or the failure would be somebody else's
    assert rung
    assert not is_on


def _be_busy() -> None:
    with time_limit(0.001):
        while True:
            pass
