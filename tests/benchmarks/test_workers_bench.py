"""Mails from the inbox to the sent confirmation: one, two and three `gm serve` on one PostgreSQL, and one on SQLite.

All get the same mails, in turns, over Dovecot and Postfix's SMTP sink; what counts are the ratios. PostgreSQL, Dovecot
and the sink have their share of the same processors; how much PostgreSQL takes is measured as well.
"""

import contextlib
import os
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import busy_zine
import mail_servers
import postgres
import pytest
from processes import Services
from sqlmodel import col, func, select

from gm.app.context import App, open_app
from gm.demo.in_memory_zine import write_config
from gm.runtime.config.settings import load
from gm.store.queries import mail_queries
from gm.store.tables import MailIn, MailOut

GAMES = (100, 500)
"""In a zine of few games a batch is about many of them, and the other processes wait for its locks."""
PROCESSES = (1, 2, 3)
MAILS = 1200
TURNS = 5
MOST_SECONDS = 1200

pytestmark = pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing() or "-")


class Zine:
    """A zine, the processes that serve it, and its mailbox."""

    def __init__(self, folder: Path, servers: Any, games: int, processes: int, url: str = "") -> None:
        user = f"{folder.name}.{games}@local.test"
        imap = {"username": user, "password": mail_servers.PASSWORD, "port": servers.mail.imap_port, "poll_seconds": 1}
        more = {
            "imap": imap, "smtp": {"port": servers.sink_port, "per_minute": 1_000_000},
            "deadlines": {"reminders": [], "outage": "24h"}, "security": {"answers_per_hour": 10_000},
            **({"database": {"url": url}} if url else {}),
        }  # fmt: skip
        config = write_config(folder, words=["RAR"], more=more)
        self.app: App = open_app(load(config), create=True)
        busy_zine.begin(self.app, games, games)
        busy_zine.open_box(servers.mail, user)
        self._box = busy_zine.Maildir(servers.mail.root / "home" / user / "Maildir")
        self.services = Services([config] * processes, folder / "log")
        self._games, self._arrived = games, 0

    def take(self, number: int) -> float:
        """Let mails arrive; returns how many seconds it took until all were answered."""
        mails = _mails(self._games, number)
        began = time.monotonic()
        self._box.lay_down(mails)
        self._arrived += len(mails)
        while not self._is_done():
            assert time.monotonic() < began + MOST_SECONDS, self.services.log.read_text()[-2000:]
            time.sleep(0.25)
        return time.monotonic() - began

    def look_at_it(self) -> None:
        """Every mail was a move, and counts."""
        with self.app.database.read() as session:
            assert mail_queries.count_mails(session)["applied"] == self._arrived

    def _is_done(self) -> bool:
        """By indexes alone: who looks must not take part in the race."""
        with self.app.database.read() as session:
            arrived = session.exec(select(func.count(col(MailIn.id)))).one()
            left = [session.exec(select(func.count()).where(MailIn.status == "new")).one(),
                    session.exec(select(func.count()).where(MailOut.status == "queued")).one()]  # fmt: skip
        return arrived == self._arrived and left == [0, 0]


@dataclass
class Races:
    """The zines that take turns, and PostgreSQL, which serves all but one of them."""

    zines: dict[str, Zine]
    cluster: postgres.Cluster

    def server_seconds(self) -> float:
        """CPU that PostgreSQL has taken so far, in seconds: the postmaster's, its living children's, and the dead's."""
        postmaster = int((self.cluster.root / "data" / "postmaster.pid").read_text().split()[0])
        stats = [Path(f"/proc/{pid}/stat") for pid in (postmaster, *_children(postmaster))]
        fields = [stat.read_text().rpartition(")")[2].split() for stat in stats if stat.exists()]
        return sum(int(ticks) for one in fields for ticks in one[11:15]) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture(params=GAMES, ids=[f"{games} games" for games in GAMES])
def races(request: pytest.FixtureRequest, servers: Any, tmp_path: Path) -> Iterator[Races]:
    """All zines, being served."""
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(postgres.Cluster(settings={"shared_buffers": "128MB"}))
        found = {"1 on SQLite": Zine(tmp_path / "sqlite", servers, request.param, 1)}
        for number in PROCESSES:
            cluster.sql(f"CREATE DATABASE zine{number} OWNER gm")
            url = cluster.url(f"zine{number}")
            found[f"{number} on PostgreSQL"] = Zine(
                tmp_path / f"postgresql{number}", servers, request.param, number, url
            )
        for zine in found.values():
            stack.callback(zine.app.close)
            stack.enter_context(zine.services)
        time.sleep(3)  # until all of them are there
        yield Races(found, cluster)


def test_processes_on_postgresql(benchmark: Any, races: Races, capsys: pytest.CaptureFixture[str]) -> None:
    """How many mails a second 1, 2 and 3 processes take on the same server, and how much of the CPU is PostgreSQL's."""
    numbers = iter(range(10_000))
    took: dict[str, list[float]] = {name: [] for name in races.zines}
    server: dict[str, list[float]] = {name: [] for name in races.zines}

    def each() -> None:
        for name, zine in races.zines.items():
            before = races.server_seconds()
            took[name].append(zine.take(next(numbers)))
            server[name].append(races.server_seconds() - before)

    each()  # the first time all is new to them
    for seconds in (*took.values(), *server.values()):
        seconds.clear()
    benchmark.pedantic(each, rounds=TURNS)
    with capsys.disabled():
        print()
        for name, zine in races.zines.items():
            zine.look_at_it()
            rate, share = MAILS / statistics.median(took[name]), sum(server[name]) / sum(took[name])
            benchmark.extra_info[name] = rate
            print(f"{name}: {rate:.0f} mails/s, PostgreSQL takes {share:.2f} of {os.cpu_count()} processors, "
                  f"{1000 * sum(server[name]) / (TURNS * MAILS):.1f} ms a mail")  # fmt: skip


def _mails(games: int, number: int) -> list[bytes]:
    """Write moves in any order, with other Message-IDs than those before."""
    moves = busy_zine.moves(games, games, MAILS)
    mails = [raw.replace(b".move@", b".%d.move@" % number) for raw in moves]
    random.Random(number).shuffle(mails)
    return mails
