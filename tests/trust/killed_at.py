"""Kill a function, in a process of its own, just before its n-th change of the file system."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

CHANGES = frozenset(["os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect", "shutil.rmtree"])


def killed_at(number: int, work: Callable[[], object]) -> bool:
    """Do the work in a child that dies by SIGKILL at that change. Returns whether it lived long enough to die."""
    child = os.fork()
    if not child:
        left = number

        def count(event: str, _arguments: Any) -> None:
            nonlocal left
            if event in CHANGES or (event == "open" and isinstance(_arguments[1], str) and "w" in _arguments[1]):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
