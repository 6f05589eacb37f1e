"""How long tests wait for others: until it is so, or until it is clear that it hangs, however busy the machine is."""

import time
from collections.abc import Callable
from typing import Any, Final

HANGS: Final = 120.0
"""What hasn't come after so many seconds doesn't come; on a quiet machine all of it takes a few at most."""
NEVER: Final = 86_400
"""A pause that no test sees the end of: what happens nevertheless was not brought about by the clock."""


def until(what: str, condition: Callable[[], Any], *, pause: float = 0.01) -> Any:
    """Wait until it is so, and return what the condition gave."""
    end = time.monotonic() + HANGS
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(pause)
    return found
