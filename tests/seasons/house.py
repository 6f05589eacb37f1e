"""The house of a season: a zine in memory whose processes die and are followed by others on the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, Final

from boundaries import Crash, SiteWatcher
from interruptions import Interruptions, TightDatabase, UnsteadyInbox, UnsteadyOutbox

from games.kit.testplay import COMMON_WORDS
from gm.app.context import App, owner_of
from gm.demo.in_memory_zine import Story, observers, quicken
from gm.lexicon.lexicon import Lexicon
from gm.runtime.config.settings import Settings
from gm.runtime.errors import StoreError
from gm.service.tick import Report, tick
from gm.transport.doubles.in_memory import MemoryOutbox

FAULTS: Final = frozenset({
    "crash", "second service", "restore", "full disk", "IMAP", "SMTP", "renumbered", "clock", "forgers", "floods",
    "robots", "strangers",
})  # fmt: skip
"""What may go wrong in a season; each has some of them."""


class House(Story):
    """A story in which the faults of a season happen; which, and when, is the seed's."""

    def __init__(self, folder: Path, seed: int, faults: frozenset[str], more: Mapping[str, Mapping[str, Any]]) -> None:
        self.faults, self.chance = faults, Random(f"house {seed}")
        self.met = Counter[str]()
        """What has happened, by kind."""
        self.plan = Interruptions(met=self.met)
        self.copies = folder / "copies"
        self._second: App | None = None
        self._free = float("inf")
        self.latest_report: Report | None = None
        super().__init__(folder, words=COMMON_WORDS, more=more)

    # -- processes -----------------------------------------------------------------------------------------------------

    def make_outbox(self) -> MemoryOutbox:
        """Make a mail server that may refuse letters."""
        return UnsteadyOutbox(clock=lambda: self.now, plan=lambda: self.plan)

    def open(self, settings: Settings) -> App:
        """Let another process begin, which dies where the plan says."""
        return self._opened_by(settings, self.plan)

    def _opened_by(self, settings: Settings, plan: Interruptions) -> App:
        database = TightDatabase(settings.database.url)
        database.plan = plan
        database.limit(database.engine)
        quicken(database.engine)
        database.prepare(create=True)
        database.fill(self._free)
        app = App(
            settings=settings, database=database, outbox=self.outbox, lexicon=self._words(settings),
            inbox=UnsteadyInbox(self.server, plan, lambda: owner_of(settings, database), settings.imap.folder),
            now=lambda: self.now,
        )  # fmt: skip
        self._opened.append(app)
        return app

    def _words(self, settings: Settings) -> Lexicon:
        if not hasattr(self, "_lexicon"):
            self._lexicon = Lexicon.load(settings.lexicon.extra)
        return self._lexicon

    def begin_anew(self) -> None:
        """Let the process be followed by another one."""
        settings = self.app.settings
        self._end_processes()
        self.app = self.open(settings)

    def _end_processes(self) -> None:
        """End all processes, so that the files are free; what they had planned is over."""
        for app in self._opened:
            app.close()
        self._opened.clear()
        self._second = None
        self.plan = Interruptions(met=self.met)

    def _visits(self) -> None:
        """Let another service on the same zine do a pass."""
        if self._second is None:
            self._second = self._opened_by(self.app.settings, Interruptions(met=self.met))
        with suppress(StoreError):
            tick(self._second, archive=False)

    # -- passes --------------------------------------------------------------------------------------------------------

    def tick(self, *, archive: bool = False) -> Report | None:  # type: ignore[override]
        """Do a pass, under the eyes of all observers; None where the process died in it, or the database failed."""
        found = [observer.begins(self.app) for observer in observers]
        visits = self.met["visit"]
        report = self._pass(archive=archive)
        is_alone = self.met["visit"] == visits
        for observer, before in zip(observers, found, strict=True):
            observer.ends(self.app, before, report if is_alone else None)
        self.passes(seconds=2)
        return report

    def _pass(self, *, archive: bool) -> Report | None:
        try:
            if archive and self.plan.crash_in:
                with SiteWatcher.over(self.app.settings.archive.path, self.plan):
                    return tick(self.app, archive=True)
            return tick(self.app, archive=archive)
        except Crash:
            self.begin_anew()
        except StoreError as error:
            self.met[f"pass ended by {type(error).__name__}"] += 1
        return None

    def guarded(self, do: Callable[[], Any]) -> Any:
        """Do what the GM does at the computer, where the process may die as well; None then."""
        try:
            return do()
        except Crash:
            self.begin_anew()
            return None

    # -- faults --------------------------------------------------------------------------------------------------------

    def weather(self) -> None:
        """Let faults begin, or end, for the next pass."""
        chance, plan = self.chance, self.plan
        plan.calm()
        if "crash" in self.faults and chance.random() < 0.25:
            plan.crash_in = chance.choice((1, 2, 3, 5, 8, 13, 21, 34, 55))
        if "second service" in self.faults and chance.random() < 0.25:
            plan.visit_in, plan.visitor = chance.choice((1, 2, 3, 5, 8, 13, 21)), self._visits
        if "IMAP" in self.faults:
            plan.hang_up_in = chance.randint(1, 16) if chance.random() < 0.2 else 0
            self.server.is_down = chance.random() < 0.05
        if "SMTP" in self.faults:
            self.outbox.is_down = chance.random() < 0.05
            plan.letters_from_now({
                chance.randint(1, 9): chance.choice(("451", "451", "452", "550", "lost", "unheard"))
                for _ in range(chance.choice((0, 0, 0, 1, 2)))
            })  # fmt: skip
        if "renumbered" in self.faults and chance.random() < 0.05:
            self.met["renumbered"] += 1
            self.server.renumber()
        if "full disk" in self.faults:
            self._fill(chance.choice((0.0, 20_000.0, 400_000.0)) if chance.random() < 0.08 else float("inf"))

    def calm(self) -> None:
        """Let all be well."""
        self.plan.calm()
        self.server.is_down = self.outbox.is_down = False
        self._fill(float("inf"))

    def _fill(self, free: float) -> None:
        if free != self._free:
            self._free = free
            self.met["full disk"] += free != float("inf")
            for app in self._opened:
                assert isinstance(app.database, TightDatabase)
                app.database.fill(free)

    def until(self, instant: datetime) -> None:
        """Let time pass until then."""
        self.now = max(self.now, instant)
