"""How long tests wait for other processes: until a condition holds, or so long that on any machine it is stuck."""

import time
from collections.abc import Callable
from typing import Any, Final

TIMEOUT: Final = 240.0
"""After so many seconds something is stuck: a few are enough. The service waits longer between two tries."""
NEVER: Final = 86_400
"""A pause that ends in no test: whatever happens before was not caused by the clock."""


def until(what: str, condition: Callable[[], Any], *, pause: float = 0.01) -> Any:
    """Wait until the condition is true, and return its value."""
    end = time.monotonic() + TIMEOUT
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(pause)
    return found
