"""The game of test_kills over real IMAP, SMTP and files; processes are killed by SIGKILL at the named boundaries.

As there, each starts at the last pass before the boundary and goes on until all is as without a crash.
"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import kill_scripts
import pytest
import resettable_zine
from crashes import KINDS, CrashPlan, Ended, files_below, forked, kill, kind_of, with_boundaries
from imapclient import IMAPClient
from processes import begin_eriwan
from sqlmodel import select
from waiting import TIMEOUT

from gm.app.context import open_app
from gm.archive.site_folder import STAMP
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, digests_from, quicken, write_config, write_mail
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.service.tick import tick
from gm.store.database import Database
from gm.store.tables import MailOut, Sheet
from gm.transport.doubles.embedded_server import MailServer

pytestmark = pytest.mark.sqlite

KILLS, FRESH = 40, 2
IN_MEMORY = 5
"""The steps that are played in memory before: six sign-ups, moves, the end of round 1."""
GROUPS = 12
HANDLED = ("GM/Processed", "GM/Quarantine")
GM_MAILBOX = "cici@postspiel.example"
LONG_AGO = timedelta(days=60)
"""The game begins so long before today: it ends before today, so that a real `gm serve --once` can end it."""


@dataclass(frozen=True, kw_only=True)
class Pass:
    """A step as it goes when nobody dies."""

    number: int
    begins: datetime
    at: datetime
    """When the service does its pass: all mails are there."""
    database: bytes
    site: Path
    counts: Counter[str]
    names: list[str]
    state: dict[str, Any]
    letters: Counter[tuple[str, bytes]]
    moved: Counter[bytes]


class KillableZine:
    """A zine on real servers, whose processes die when they are told to."""

    def __init__(self, folder: Path, server: MailServer, users: list[str]) -> None:
        self.server, self._users = server, users
        login = {"username": GM_ADDRESS, "password": "x"}
        self.config = write_config(
            folder / "zine", words=kill_scripts.WORDS,
            more={"imap": {**login, "port": server.imap_port}, "smtp": {"port": server.smtp_port}},
        )  # fmt: skip
        self._file, self._spares = self.config.with_name("gm.db"), folder / "sites"
        self._spares.mkdir()
        app = open_app(load(self.config))
        kill_scripts.open_eriwan(app)
        digests_from(app)  # one would come where today is a Sunday
        self.site, self._lexicon = app.settings.archive.path, app.lexicon
        app.close()
        self._marks: Counter[str] = Counter()
        self.now = (datetime.now(UTC) - LONG_AGO).replace(second=0, microsecond=0)

    # -- there and back ------------------------------------------------------------------------------------------------

    def go_back(self, to: Pass) -> None:
        """Put files and clock back; players' mailboxes only grow, so count from here."""
        for path in self.config.parent.glob("gm.db*"):
            path.unlink()
        self._file.write_bytes(to.database)
        shutil.rmtree(self.site, ignore_errors=True)
        self._copy(to.site, self.site)
        self.now = to.begins
        self._forget_handled()
        self.mark()

    def _forget_handled(self) -> None:
        """Empty the folders of handled mails: those that the database doesn't know would be handled again."""
        with IMAPClient("127.0.0.1", self.server.imap_port, ssl=False) as client:
            client.login(GM_ADDRESS, "x")
            for folder in HANDLED:
                if client.folder_exists(folder):
                    client.select_folder(folder)
                    client.delete_messages(client.search())
                    client.expunge()

    def _database(self) -> bytes:
        """Read the database, with what the last process left in the log beside it."""
        with closing(sqlite3.connect(self._file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return self._file.read_bytes()

    def mark(self) -> None:
        """Count letters and moved mails from here."""
        self._marks = Counter({f"{user} {box}": len(self.server.mails(user, box)) for user, box in self._boxes()})

    def _boxes(self) -> Iterator[tuple[str, str]]:
        yield from ((user, "INBOX") for user in self._users)
        yield from ((GM_ADDRESS, folder) for folder in HANDLED)

    def _new(self, user: str, folder: str = "INBOX") -> list[bytes]:
        return self.server.mails(user, folder)[self._marks[f"{user} {folder}"] :]

    def _copy(self, source: Path, target: Path) -> None:
        if source.exists():
            shutil.copytree(source, target, copy_function=os.link)

    # -- processes -----------------------------------------------------------------------------------------------------

    def arrive(self, number: int) -> datetime:
        """Put the mails of a step into the inbox, a minute apart; returns when all are there."""
        with closing(Database(load(self.config).database.url)) as database:
            mails = kill_scripts.CROSSWORD[number].write(number, kill_scripts.codes(database))
        for minutes, raw in enumerate(mails):
            self.server.append(GM_ADDRESS, raw, at=self.now + timedelta(minutes=minutes))
        return self.now + timedelta(minutes=len(mails))

    def do(self, number: int, counts: Counter[str], *, at: str = "") -> Ended:
        """Let a process do a pass, and die at that boundary; it returns the names of those that it has reached."""
        return forked(partial(self._pass, number, CrashPlan(at=at, die=kill, counts=counts.copy())))

    def _pass(self, number: int, plan: CrashPlan) -> list[str]:
        """Open the app and do what is asked for; the word list is the one that is loaded."""
        plain = open_app(load(self.config), now=lambda: self.now)
        app = with_boundaries(replace(plain, lexicon=self._lexicon), plan, quicken)
        with files_below(self.site, plan, every=resettable_zine.FILES):
            kill_scripts.CROSSWORD[number].command(app)
            tick(app)
        app.close()
        plain.database.close()  # the inbox asks it whose mailbox this is
        return plan.names

    # -- what is there -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the facts, the site, and what lies in the inbox."""
        database = Database(load(self.config).database.url)
        found = kill_scripts.facts(SimpleNamespace(database=database))
        database.close()
        files = (path for path in self.site.rglob("*") if path.is_file() and path.name != STAMP)
        site = {str(path.relative_to(self.site)): sha256(path.read_bytes()).hexdigest() for path in files}
        return {**found, "site": site, "inbox": self.server.mails(GM_ADDRESS)}

    def letters(self) -> Counter[tuple[str, bytes]]:
        """Count the letters that have come to players and GM, by recipient and bytes; the GM's own inbox is another."""
        return Counter((user, raw) for user in self._users if user != GM_ADDRESS for raw in self._new(user))

    def moved(self) -> Counter[bytes]:
        """Count the mails that were moved."""
        return Counter(raw for folder in HANDLED for raw in self._new(GM_ADDRESS, folder))

    # -- the game ------------------------------------------------------------------------------------------------------

    def tell(self) -> list[Pass]:
        """Play to the end without dying, and write down every pass."""
        told, counts = list[Pass](), Counter[str]()
        self.do(0, Counter())  # the first pages
        for number, step in enumerate(kill_scripts.CROSSWORD):
            base = self.now
            if step.zat:
                base = next(zat for *_, zat, _ in told[-1].state["games"])
            self.now, site = base + step.after, self._spares / str(number)
            self._copy(self.site, site)
            self.mark()
            begins, database = self.now, self._database()
            self.now = self.arrive(number)
            done = self.do(number, counts)
            assert done.is_well
            told.append(Pass(
                number=number, begins=begins, at=self.now, database=database, site=site, counts=counts.copy(),
                names=done.returned, state=self.state(), letters=self.letters(), moved=self.moved(),
            ))  # fmt: skip
            counts += Counter(map(kind_of, done.returned))
        return told

    def die_at(self, one: Pass, name: str) -> None:
        """Do a pass with a process that is killed there."""
        self.go_back(one)
        self.now = self.arrive(one.number)
        assert self.do(one.number, one.counts, at=name).is_killed, f"nobody died at {name}"

    def recover(self, one: Pass) -> dict[str, Any]:
        """Let the next process go on, with all that the dead one had in its hands."""
        assert self.do(one.number, Counter()).is_well
        return self.state()


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The boundaries of the first steps in memory. What they load, each process has: so it starts in milliseconds."""
    story = resettable_zine.ResettableZine(tmp_path_factory.mktemp("memory"))
    kill_scripts.open_eriwan(story.app)
    tick(story.app, outbox=False)
    names = [name for part in story.tell(kill_scripts.CROSSWORD[:IN_MEMORY]) for name in part.names]
    story.close()
    return names


@pytest.fixture(scope="module")
def whole_game(
    in_memory: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[KillableZine, list[Pass]]]:
    """The game as it goes when nobody dies."""
    users = [GM_ADDRESS, GM_MAILBOX, *map(address_of, kill_scripts.CAST)]
    with MailServer(dict.fromkeys(users, "x")) as server:
        zine = KillableZine(tmp_path_factory.mktemp("killable"), server, users)
        yield zine, zine.tell()


def _chosen(names: list[str]) -> list[str]:
    """Choose boundaries: one of each kind, the others evenly; the same each time."""
    kinds = defaultdict(list)
    for name in names:
        kinds[kind_of(name)].append(name)
    draw = random.Random(40)
    chosen = {draw.choice(found) for found in kinds.values()}
    rest = [name for name in names if name not in chosen]
    wanted = KILLS - FRESH - len(chosen)
    return sorted(chosen | set(rest[:: len(rest) // wanted][:wanted]), key=names.index)


def _names(passes: list[Pass]) -> list[str]:
    return [name for one in passes for name in one.names]


def test_real_processes_pass_the_same_boundaries(
    in_memory: list[str], whole_game: tuple[KillableZine, list[Pass]]
) -> None:
    """Over IMAP and SMTP a game has the boundaries that it has in memory, in the same order and as many."""
    _, passes = whole_game
    names = _names(passes)
    assert names[: len(in_memory)] == in_memory
    assert len(names) == len(set(names)) > 500
    assert {kind_of(name) for name in names} == KINDS
    assert len(_chosen(names)) == KILLS - FRESH


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_killed_process_is_taken_up_by_the_next_one(
    group: int, whole_game: tuple[KillableZine, list[Pass]], at_full_length: bool
) -> None:
    """After SIGKILL the next process ends where an undisturbed one does; at most the mail in flight comes twice."""
    zine, passes = whole_game
    names = _names(passes) if at_full_length else _chosen(_names(passes))
    for name in names[group::GROUPS]:
        one = next(one for one in passes if name in one.names)
        zine.die_at(one, name)
        _is_as_if_nobody_died(zine, one, name, zine.recover(one))


def _is_as_if_nobody_died(
    zine: KillableZine, one: Pass, name: str, state: dict[str, Any], *, later: bool = False
) -> None:
    """Compare all; what was made `later`, weeks after the death, may say so: pages and letters."""
    wrong = {key: (found, one.state[key]) for key, found in state.items() if found != one.state[key]}
    wrong.pop("site" if later else "", None)
    assert not wrong, f"died at {name}: {wrong}"
    assert zine.moved() == one.moved, f"died at {name}: a mail was lost or moved twice"
    letters, expected = zine.letters(), one.letters
    if later:
        letters, expected = map(_named, (letters, expected))
    assert not expected - letters, f"died at {name}: a letter is missing"
    twice = letters - expected
    assert twice.total() <= ("accepted" in name), f"died at {name}: {twice.total()} letters came twice"
    assert not twice - expected, f"died at {name}: the second attempt is another mail"


def _named(letters: Counter[tuple[str, bytes]]) -> Counter[tuple[str, bytes]]:
    named = Counter((user, resettable_zine.message_id(raw)) for user, raw in letters.elements())
    assert len(named) == len(letters), "the second attempt is another mail"
    return named


def test_a_killed_process_is_taken_up_by_the_installed_command(whole_game: tuple[KillableZine, list[Pass]]) -> None:
    """`gm serve --once`, started weeks later, ends what a killed process has left, with its own date."""
    zine, (*_, one, _) = whole_game  # the result is provisional, no other ZAT has passed since
    for name in random.Random(5).sample(one.names, FRESH):
        zine.die_at(one, name)
        subprocess.run(
            [*GM, "serve", "--once", "--config", zine.config], check=True, capture_output=True, timeout=TIMEOUT
        )
        _is_as_if_nobody_died(zine, one, name, zine.state(), later=True)


# -- at any instant ----------------------------------------------------------------------------------------------------

GM = [str(Path(sys.executable).with_name("gm"))]


def test_a_service_killed_at_any_instant_is_taken_up_by_the_next_one(tmp_path: Path) -> None:
    """The next `gm serve --once` goes on at once; each SIGKILL costs at most the one letter in flight twice."""
    people = {name: address_of(name) for name in PLAYERS}
    with MailServer(dict.fromkeys((GM_ADDRESS, GM_MAILBOX, *people.values()), "x")) as server:
        config = _real_zine(tmp_path, server)
        for address in people.values():
            block = "Crossword Eriwan\nRunde: 1\nNeu: E\nDNTIRO" + "\n......" * 5
            server.append(GM_ADDRESS, write_mail(address, block))
        _kill_when(config, lambda: not server.mails(GM_ADDRESS))  # all is moved, answers begin to go out
        assert len(lost := _unmarked(config, server)) <= 1
        _kill_when(config, lambda: _delivered(server, people) > 8)
        assert len((more := _unmarked(config, server)) - lost) <= 1
        with closing(open_app(load(config))) as app:
            actions.close(app, "Eriwan", app.now())
        _kill_when(config, lambda: _delivered(server, people) > 15)
        assert len(_unmarked(config, server) - more) <= 1
        _kill_when(config, None)
        with closing(open_app(load(config))) as app, app.database.read() as session:
            sheets, queued = session.exec(select(Sheet)).all(), session.exec(select(MailOut)).all()
        assert [sheet.seat for sheet in sheets] == [1, 2, 3, 4, 5, 6]
        assert {(row.kind, row.status) for row in queued} == {
            ("start", "sent"), ("answer", "sent"), ("bulletin", "sent")
        }  # fmt: skip
        letters = Counter(raw for address in people.values() for raw in server.mails(address))
        assert len(letters) == 3 * len(people), "a second attempt is the same mail, to the byte"
        for address in people.values():
            mine = sorted(row.message_id for row in queued if row.address == address)
            arrived = {resettable_zine.message_id(raw).decode() for raw in server.mails(address)}
            assert len(mine) == 3
            assert max(letters[raw] for raw in server.mails(address)) <= 2
            assert arrived == set(mine), "every mail arrived, and a second attempt carried the same Message-ID"


def _real_zine(folder: Path, server: MailServer) -> Path:
    login = {"username": GM_ADDRESS, "password": "x"}
    config = write_config(
        folder, words=["RAR"], more={"imap": {**login, "port": server.imap_port}, "smtp": {"port": server.smtp_port}}
    )
    with closing(open_app(load(config))) as app:
        begin_eriwan(app)
    return config


def _unmarked(config: Path, server: MailServer) -> set[str]:
    """List the letters that have arrived and are not marked as sent: these come a second time."""
    with closing(open_app(load(config))) as app, app.database.read() as session:
        queued = session.exec(select(MailOut).where(MailOut.status != "sent")).all()
    arrived = {
        (row.address, resettable_zine.message_id(raw).decode()) for row in queued for raw in server.mails(row.address)
    }
    return {row.message_id for row in queued if (row.address, row.message_id) in arrived}


def _delivered(server: MailServer, people: dict[str, str]) -> int:
    return sum(len(server.mails(address)) for address in people.values())


def _kill_when(config: Path, reached: Callable[[], bool] | None) -> None:
    """Run one pass of the real program and kill it as soon as it got so far; without that, let it end well."""
    command = [*GM, "serve", "--once", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as service:
        until = time.monotonic() + TIMEOUT
        while reached and service.poll() is None and not reached() and time.monotonic() < until:
            time.sleep(0.002)
        if reached:
            service.send_signal(signal.SIGKILL)
        _, said = service.communicate(timeout=TIMEOUT)
    assert service.returncode in ((0, -signal.SIGKILL) if reached else (0,)), said.decode()
