"""The service as a process that dies by SIGKILL at a named boundary: `python killable_service.py FOLDER`.

Each line of JSON on standard input describes a pass: config, time, step of the script, boundaries of each kind before
it, and optionally the boundary to die at. For each line a child is forked, which opens the real app (IMAP, SMTP, files)
and does the pass. A line on standard output says how it ended and which boundaries it passed. The parent has played
the first round in memory before, so a child starts in milliseconds, without the second of imports.
"""

import gc
import json
import os
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

# pytest looks there by itself
sys.path += [str(Path(__file__).parents[1] / name) for name in ("store", "stories", "promises")]

from boundaries import CrashPlan, SiteWatcher, kill, with_boundaries
from kill_scripts import CROSSWORD, open_eriwan
from resettable_zine import ResettableZine

from gm.app.context import App, Outbox, open_app
from gm.demo.in_memory_zine import quicken
from gm.runtime.config.settings import load
from gm.service.tick import tick
from gm.transport.smtp.letters import Delivery, Letter

WARM_UP = 5
"""Steps: six sign-ups, moves, the end of round 1."""


@dataclass
class GameTimeOutbox:
    """An outbox whose server has the clock of the game: it says when a mail went out."""

    inner: Outbox
    now: datetime

    def send(self, letters: Sequence[Letter]) -> Iterator[Sequence[Delivery]]:
        """As the outbox."""
        for deliveries in self.inner.send(letters):
            yield [replace(delivery, at=self.now) for delivery in deliveries]

    def close(self) -> None:
        """As the outbox."""
        self.inner.close()


def main(folder: Path) -> None:
    """Play the first steps in memory, say their boundaries, then do pass after pass."""
    story = ResettableZine(folder)
    open_eriwan(story.app)
    tick(story.app, outbox=False)
    warm = story.app
    _say([name for part in story.tell(CROSSWORD[:WARM_UP]) for name in part.names])
    story.close()
    gc.collect()
    gc.freeze()  # else each child would copy what it looks at for garbage
    for line in sys.stdin:
        _say(_in_a_child(json.loads(line), warm))


def _say(what: Any) -> None:
    print(json.dumps(what), flush=True)


def _in_a_child(order: dict[str, Any], warm: App) -> dict[str, Any]:
    here, there = os.pipe()
    if (child := os.fork()) == 0:
        status = 1
        try:
            os.close(here)
            names = _one_pass(order, warm)
            os.write(there, json.dumps(names).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    is_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return {"killed": is_killed, "well": status == 0, "names": json.loads(said or "[]")}


def _one_pass(order: dict[str, Any], warm: App) -> list[str]:
    """Open the app and do what is asked for; the word list is the one that is loaded."""
    plan = CrashPlan(at=order["at"], die=kill, counts=Counter(order["counts"]))
    now, step = datetime.fromisoformat(order["now"]), CROSSWORD[order["step"]]
    plain = open_app(load(Path(order["config"])))
    plain = replace(plain, now=lambda: now, lexicon=warm.lexicon, outbox=GameTimeOutbox(plain.outbox, now))
    app = with_boundaries(plain, plan, quicken)
    with SiteWatcher.over(app.settings.archive.path, plan):
        step.command(app)
        tick(app)
    app.close()
    plain.database.close()  # the inbox asks it whose mailbox this is
    return plan.names


if __name__ == "__main__":
    main(Path(sys.argv[1]))
