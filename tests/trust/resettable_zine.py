"""A zine in memory that can be reset to a snapshot, and whose process dies at a boundary."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import databases
from crashes import Crash, CrashPlan, files_below, with_boundaries
from kill_scripts import WORDS, Step, codes, facts
from promises import PromiseChecker

from gm.archive.export import export
from gm.archive.site_folder import STAMP
from gm.demo.in_memory_zine import Story, observers, one_pass, quicken
from gm.transport.doubles.in_memory import MemoryInbox, StoredMail
from gm.transport.smtp.letters import Letter

PASSES = (
    {"archive": False, "outbox": False}, {"archive": False, "outbox": True}, {"archive": True, "outbox": False},
)  # fmt: skip
"""A step in three: mails come in and rounds close; mails go out; the archive is written."""

FILES = 5
"""Of the files of a site each fifth has a boundary before it is changed."""
State = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Everything that outlives a process, between two passes."""

    now: datetime
    database: Any
    folders: dict[str, dict[int, StoredMail]]
    last_uid: int
    letters: Sequence[Letter]
    site: Path


@dataclass(frozen=True, kw_only=True)
class Part:
    """A pass as it goes when nobody dies: where it starts, its boundaries, where it ends."""

    step: Step
    flags: dict[str, bool]
    start: Snapshot
    counts: Counter[str]
    """How many boundaries of each kind lie before it."""
    names: Sequence[str]
    end: Snapshot
    state: State

    def lacks(self, letters: Sequence[Letter]) -> Counter[tuple[str, bytes]]:
        """Count what is missing among these letters."""
        return counted(self.end.letters) - counted(letters)

    def exceeds(self, letters: Sequence[Letter]) -> Counter[tuple[str, bytes]]:
        """Count what is too much among these letters."""
        return counted(letters) - counted(self.end.letters)


class ResettableZine(Story):
    """A story whose process dies at a boundary and is followed by another one on the same files and mail servers."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, words=WORDS)
        self._open = databases.KeptOpen(self.app.settings.database.url)
        self.plan = CrashPlan()
        self.site = self.app.settings.archive.path
        self._folder = self.config.parent
        self._spares = (folder / "sites" / f"{number}" for number in count())
        self._plain = self.app
        self._shown: Path | None = None
        """The snapshot whose site is the present one: removing folders is what takes longest."""
        self._digests: dict[tuple[int, int], str] = {}

    # -- there and back ------------------------------------------------------------------------------------------------

    def leave(self) -> Snapshot:
        """Write down where everything is."""
        self._let_go()
        if self._shown is None:
            self._shown = next(self._spares)
            _link(self.site, self._shown)
        return Snapshot(
            now=self.now, database=databases.CHOSEN.keep(self._folder), folders=deepcopy(self.server.folders),
            last_uid=self.server._last_uid, letters=tuple(self.outbox.letters), site=self._shown,
        )  # fmt: skip

    def go_back(self, to: Snapshot) -> None:
        """Begin anew from there."""
        self._let_go()
        databases.CHOSEN.put_back(self._folder, to.database)
        if self._shown != to.site:
            shutil.rmtree(self.site, ignore_errors=True)
            _link(to.site, self.site)
            self._shown = to.site
        self.server.folders, self.server._last_uid = deepcopy(to.folders), to.last_uid
        self.outbox.letters[:] = to.letters
        self.now = to.now
        for observer in observers:
            if isinstance(observer, PromiseChecker):
                observer.forget(self.app)

    def _let_go(self) -> None:
        """Close all connections, so that the database can be copied."""
        self.app.close()
        self._open.close()

    # -- processes -----------------------------------------------------------------------------------------------------

    def start(self, plan: CrashPlan) -> None:
        """Let another process go on, which dies where the plan says."""
        self.app.close()
        databases.CHOSEN.tidy(self._folder)
        self._open.look()
        self.plan = plan
        new = replace(self._plain, inbox=MemoryInbox(self.server), ours=set(), looked_by=set(), unnoted=[])
        self.app = with_boundaries(new, plan, quicken)

    def one_pass(self, step: Step, **flags: bool) -> bool:
        """Do what the GM typed, unless it is done, and one pass. Says whether there was nothing to do."""
        before = self.plan.counts["file"]
        try:
            with files_below(self.site, self.plan, every=FILES):
                step.command(self.app)
                return one_pass(self.app, **flags).is_idle
        finally:
            self._shown = self._shown if self.plan.counts["file"] == before else None

    def close(self) -> None:
        """End the story."""
        self._let_go()

    # -- nobody dies ---------------------------------------------------------------------------------------------------

    def tell(self, steps: Sequence[Step]) -> list[Part]:
        """Play from here to the end, and write down every pass."""
        parts, counts = list[Part](), Counter[str]()
        for number, step in enumerate(steps):
            self.start(CrashPlan())
            self.begin(step, number)
            parts += [self._part(step, flags, counts) for flags in PASSES]
            assert self.one_pass(step, archive=False), f"{step.title}: something was left to do"
        return parts

    def begin(self, step: Step, number: int) -> None:
        """Let time pass and the mails of a step come in."""
        base = self.now if not step.zat else next(zat for *_, zat, _ in facts(self.app)["games"])
        self.now = base + step.after
        for raw in step.write(number, codes(self.app.database)):
            self.arrives(raw)

    def _part(self, step: Step, flags: dict[str, bool], counts: Counter[str]) -> Part:
        start, before = self.leave(), counts.copy()
        self.start(CrashPlan(counts=counts))
        self.one_pass(step, **flags)
        names, state = self.plan.names, self.state()
        end = self.leave()
        self.start(CrashPlan())
        return Part(step=step, flags=flags, start=start, counts=before, names=names, end=end, state=state)

    # -- somebody dies -------------------------------------------------------------------------------------------------

    def die_at(self, part: Part, name: str) -> None:
        """Begin where a part begins, with a process that dies there. Raises AssertionError if it does not."""
        self.go_back(part.start)
        self.start(CrashPlan(at=name, counts=part.counts.copy()))
        with suppress(Crash):
            self.one_pass(part.step, **part.flags)
            raise AssertionError(f"nobody died at {name}")

    def recover(self, part: Part) -> State:
        """Let the next process do what is left."""
        self.start(CrashPlan())
        for _ in range(3):
            self.one_pass(part.step, **{**part.flags, "archive": False})
            if part.flags["archive"]:  # as a whole, however far the pass came
                export(self.app, self.site)
                self._shown = None
            if (state := self.state()) == part.state:
                break
        return state

    def play_on(self, parts: Sequence[Part], after: Part) -> State:
        """Play from where a part has ended to the end; returns what is there then."""
        steps = list(dict.fromkeys(part.step for part in parts))
        for number, step in list(enumerate(steps))[steps.index(after.step) :]:
            if step is not after.step:
                self.begin(step, number)
            self.start(CrashPlan())
            for flags in PASSES:
                self.one_pass(step, **flags)
            self.now = [part.end.now for part in parts if part.step is step][-1]
        return self.state()

    def state(self) -> State:
        """Return what is there between two passes: the facts, the site, what lies in the mailbox."""
        mailbox = {name: sorted(kept.raw for kept in mails.values()) for name, mails in self.server.folders.items()}
        return {**facts(self.app), "site": dict(self._files()), "mailbox": mailbox}

    def _files(self) -> Iterator[tuple[str, str]]:
        """List the files of the site but its stamp; one that is a link to a snapshot's is known."""
        for path in self.site.rglob("*"):
            found = path.stat()
            if path.is_file() and path.name != STAMP:
                key = found.st_ino, found.st_mtime_ns
                if key not in self._digests:
                    self._digests[key] = sha256(path.read_bytes()).hexdigest()
                yield str(path.relative_to(self.site)), self._digests[key]


def counted(letters: Sequence[Letter]) -> Counter[tuple[str, bytes]]:
    """Count letters by recipient and Message-ID; a second time, every byte is the same."""
    seen: dict[bytes, bytes] = {}
    for letter in letters:
        assert seen.setdefault(message_id(letter.raw), letter.raw) == letter.raw, "the second attempt is another mail"
    return Counter((letter.recipient, message_id(letter.raw)) for letter in letters)


def message_id(raw: bytes) -> bytes:
    """Find the Message-ID in the head of a letter of ours."""
    return raw.partition(b"\r\nMessage-ID: ")[2].partition(b"\r\n")[0]


def _link(source: Path, target: Path) -> None:
    """Copy a site by links: its files are replaced, never written into."""
    target.parent.mkdir(exist_ok=True)
    if source.exists():
        shutil.copytree(source, target, copy_function=os.link)
