"""The zine of a season, in memory: its processes die and are followed by others on the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from crashes import Crash, CrashingInbox, CrashingOutbox, files_below
from interruptions import Interruptions, TightDatabase, UnsteadyInbox, UnsteadyOutbox

from games.kit.testplay import COMMON_WORDS
from gm.app.context import App, owner_of
from gm.demo.in_memory_zine import Story, observers, quicken
from gm.lexicon.lexicon import Lexicon
from gm.runtime.clock import Clock, SteadyClock
from gm.runtime.config.settings import Settings
from gm.runtime.errors import StoreError
from gm.service.tick import Report, tick
from gm.store.database import Database
from gm.store.queries import zine_queries
from gm.transport.doubles.in_memory import MemoryOutbox

FAULTS: Final = frozenset({
    "crash", "second service", "restore", "full disk", "IMAP", "SMTP", "renumbered", "clock", "forgers", "floods",
    "robots", "strangers",
})  # fmt: skip
"""What may go wrong in a season; each has some of them."""


BEGINNING: Final = datetime(2026, 11, 2, 11, tzinfo=UTC)


class CrashingZine(Story):
    """A story in which the faults of a season happen; which, and when, is the seed's."""

    def __init__(self, folder: Path, seed: int, faults: frozenset[str], more: Mapping[str, Mapping[str, Any]]) -> None:
        self.faults = faults
        self.chances = {fault: Random(f"{fault} {seed}") for fault in FAULTS}
        """For each fault one of its own: so a season without one has the others as before."""
        self._ahead = timedelta()
        """How far the machine's clock is ahead of the time."""
        self.met = Counter[str]()
        """What has happened, by kind."""
        self.plan = Interruptions(met=self.met)
        self.copies = folder / "copies"
        self._second: App | None = None
        self._free = float("inf")
        super().__init__(folder, words=COMMON_WORDS, more=more, now=BEGINNING.isoformat())
        with self.app.database.write() as session:  # the empty zine that is copied was begun by chance
            zine = zine_queries.zine(session)
            zine.secret, zine.incarnation = "season", "0" * 24

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
        inbox = UnsteadyInbox(self.server, plan, lambda: owner_of(settings, database), settings.imap.folder)
        servers: Any = {"inbox": CrashingInbox(inbox, plan), "outbox": CrashingOutbox(self.outbox, plan)}
        app = App(
            settings=settings, database=database, lexicon=self._words(settings), now=self._clock_of(database), **servers
        )
        self._opened.append(app)
        return app

    def _clock_of(self, database: Database) -> Clock:
        """Give a process the service's clock, which looks at the machine's; without such faults simply the time."""
        if "clock" not in self.faults:
            return lambda: self.now
        with database.read() as session:
            noted = zine_queries.zine(session).clock
        return SteadyClock(
            lambda: self.now + self._ahead, lambda: (self.now - BEGINNING).total_seconds(), boot="season", noted=noted
        )

    def _words(self, settings: Settings) -> Lexicon:
        if not hasattr(self, "_lexicon"):
            self._lexicon = Lexicon.load(settings.lexicon.extra)
        return self._lexicon

    def begin_anew(self) -> None:
        """Let the process be followed by another one."""
        settings = self.app.settings
        self.end_processes()
        self.app = self.open(settings)

    def end_processes(self) -> None:
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
        report = self.watched(lambda: self._pass(archive=archive), is_pass=True)
        self.passes(seconds=2)
        return report

    def watched(self, do: Callable[[], Report | None], *, is_pass: bool = False) -> Report | None:
        """Do something under the eyes of all observers, who may be told that it was one pass, and all."""
        found = [observer.begins(self.app) for observer in observers]
        visits = self.met["visit"]
        report = do()
        is_all = is_pass and self.met["visit"] == visits
        for observer, before in zip(observers, found, strict=True):
            observer.ends(self.app, before, report if is_all else None)
        return report

    def _pass(self, *, archive: bool) -> Report | None:
        try:
            with files_below(self.app.settings.archive.path, self.plan, every=5):
                return tick(self.app, archive=archive)
        except Crash:
            self._dies()
        except StoreError as error:
            self.met[f"pass ended by {type(error).__name__}"] += 1
        return None

    def guarded(self, do: Callable[[], Any]) -> Any:
        """Do what the GM does at the computer, where the process may die as well; None then."""
        try:
            return do()
        except Crash:
            self._dies()
            return None

    def _dies(self) -> None:
        self.met["crash"] += 1
        self.begin_anew()

    # -- faults --------------------------------------------------------------------------------------------------------

    def weather(self) -> None:
        """Let faults begin, or end, for the next pass."""
        self.plan.calm()
        for fault in sorted(self.faults & BEFORE_A_PASS.keys()):
            BEFORE_A_PASS[fault](self, self.chances[fault])

    def _crash(self, chance: Random) -> None:
        if chance.random() < 0.25:
            self.plan.at = len(self.plan.reached) + chance.choice((0, 1, 2, 4, 7, 12, 20, 33, 54))

    def _visit(self, chance: Random) -> None:
        if chance.random() < 0.25:
            self.plan.visit_in, self.plan.visitor = chance.choice((1, 2, 3, 5, 8, 13, 21)), self._visits

    def _imap(self, chance: Random) -> None:
        """Lose the connection, or have no server; once in a while somebody deletes a folder that is empty."""
        self.plan.hang_up_in = chance.randint(1, 16) if chance.random() < 0.2 else 0
        self.server.is_down = chance.random() < 0.05
        if chance.random() < 0.1:
            self.server.folders = {name: mails for name, mails in self.server.folders.items() if mails}

    def _smtp(self, chance: Random) -> None:
        self.outbox.is_down = chance.random() < 0.05
        fates = ("451", "451", "452", "550", "lost", "unheard")
        number = chance.choice((0, 0, 0, 1, 2))
        self.plan.letters_from_now({chance.randint(1, 9): chance.choice(fates) for _ in range(number)})

    def _renumber(self, chance: Random) -> None:
        if chance.random() < 0.05:
            self.met["renumbered"] += 1
            self.server.renumber()

    def _full_disk(self, chance: Random) -> None:
        self._fill(chance.choice((0.0, 20_000.0, 400_000.0)) if chance.random() < 0.08 else float("inf"))

    def _clock(self, chance: Random) -> None:
        """Set the machine's clock ahead or back, or right again; mails have the time of the mail server."""
        if chance.random() < 0.1:
            self.met["clock set"] += 1
            self._ahead = timedelta(hours=chance.choice((0, 0, 0, -30, -2, 2, 30, 200)))

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


BEFORE_A_PASS: Final[Mapping[str, Callable[[CrashingZine, Random], None]]] = {
    "crash": CrashingZine._crash, "second service": CrashingZine._visit, "IMAP": CrashingZine._imap,
    "SMTP": CrashingZine._smtp, "renumbered": CrashingZine._renumber, "full disk": CrashingZine._full_disk,
    "clock": CrashingZine._clock,
}  # fmt: skip
"""What a fault does before a pass."""
