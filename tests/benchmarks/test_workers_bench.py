"""Mails from the inbox to the sent confirmation: two `gm serve` on one PostgreSQL against one on SQLite.

Both get the same mails, alternately, over Dovecot and Postfix's SMTP sink; the ratio counts. PostgreSQL, Dovecot and
the sink run on the same processors.
"""

import contextlib
import random
import statistics
import time
from collections.abc import Iterator
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
"""In a zine of few games a batch is about many of them, and the other process waits for its locks."""
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
        self.app: App = open_app(load(config))
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


@pytest.fixture(params=GAMES, ids=[f"{games} games" for games in GAMES])
def zines(request: pytest.FixtureRequest, servers: Any, tmp_path: Path) -> Iterator[dict[str, Zine]]:
    """Both, being served."""
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(postgres.Cluster(settings={"shared_buffers": "128MB"}))
        cluster.sql("CREATE DATABASE zine OWNER gm")
        found = {
            "SQLite": Zine(tmp_path / "sqlite", servers, request.param, 1),
            "PostgreSQL": Zine(tmp_path / "postgresql", servers, request.param, 2, cluster.url("zine")),
        }
        for zine in found.values():
            stack.callback(zine.app.close)
            stack.enter_context(zine.services)
        time.sleep(3)  # until all of them are there
        yield found


def test_two_workers_on_postgresql(benchmark: Any, zines: dict[str, Zine], capsys: pytest.CaptureFixture[str]) -> None:
    """Target: with PostgreSQL and two workers not slower than SQLite with one."""
    numbers = iter(range(10_000))
    took: dict[str, list[float]] = {name: [] for name in zines}

    def both() -> None:
        for name, zine in zines.items():
            took[name].append(zine.take(next(numbers)))

    both()  # the first time all is new to them
    for seconds in took.values():
        seconds.clear()
    benchmark.pedantic(both, rounds=TURNS)
    for zine in zines.values():
        zine.look_at_it()
    figures = {name: MAILS / statistics.median(seconds) for name, seconds in took.items()}
    ratio = statistics.median(one / two for one, two in zip(took["SQLite"], took["PostgreSQL"], strict=True))
    benchmark.extra_info.update(figures, ratio=ratio)
    with capsys.disabled():
        print(f"\none on SQLite {figures['SQLite']:.0f} mails/s, two on PostgreSQL {figures['PostgreSQL']:.0f}: "
              f"ratio {ratio:.0%}")  # fmt: skip


def _mails(games: int, number: int) -> list[bytes]:
    """Write moves in any order, with other Message-IDs than those before."""
    moves = busy_zine.moves(games, games, MAILS)
    mails = [raw.replace(b".move@", b".%d.move@" % number) for raw in moves]
    random.Random(number).shuffle(mails)
    return mails
