"""Many zines on one PostgreSQL server: a process and a database each, all at work at the same time.

Each zine has its mails in memory, so the processes and the server have the machine to themselves. What is measured
begins when all have their mails, and ends when the last one has confirmed all of them.
"""

import multiprocessing
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import postgres
import pytest
from many_games import ManyGames
from waiting import TIMEOUT

from gm.demo import in_memory_zine
from gm.service.tick import settle_in, tick

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing() or "-"),
]
ZINES = (1, 2, 4, 8)
GAMES, MOVES = 50, 4
"""So many games in each zine, and so many moves for each of them."""
DURABLE = {
    "autovacuum": "on", "shared_buffers": "128MB", "max_wal_size": "1GB",
    "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
}  # fmt: skip


@dataclass(frozen=True)
class Done:
    """When a zine began and ended, by the machine's clock, and what CPU its process took."""

    began: float
    ended: float
    cpu: float


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A server that keeps what it has promised, as far as its disk does."""
    with postgres.Cluster(settings=DURABLE) as cluster:
        yield cluster


def run_zine(folder: Path, url: str, all_ready: Any, done: Any) -> None:
    """Be the process of one zine: build it, wait for the others, and handle its mails in one pass."""
    in_memory_zine.database_url = lambda _folder: url
    zine = ManyGames(folder, GAMES + 1)
    zine.settle()
    settle_in()
    _let_all_move(zine, 1)
    tick(zine.app, archive=False)
    _let_all_move(zine, MOVES)
    all_ready.wait(TIMEOUT)
    began, cpu = time.monotonic(), time.process_time()
    report = tick(zine.app, archive=False)
    done.put(Done(began, time.monotonic(), time.process_time() - cpu))
    assert (report.received, report.troubles) == (GAMES * MOVES, [])
    zine.close()


def _let_all_move(zine: ManyGames, moves: int) -> None:
    for _ in range(moves):
        for number in range(1, GAMES + 1):
            zine.sends(number)


def server_cpu(cluster: Any) -> float:
    """Sum up the CPU seconds of the server's processes, those that have ended included."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if cluster.pid in (int(path.parent.name), int(values[1])):  # the first one, and those that it has started
            ticks += sum(map(int, values[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def test_many_zines(benchmark: Any, cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One, two, four and eight zines: mails a second of all together, and CPU a mail of gm and of the server."""
    context = multiprocessing.get_context("spawn")
    figures: dict[int, tuple[float, float, float]] = {}

    def measure(zines: int) -> tuple[float, float, float]:
        all_ready, done = context.Barrier(zines + 1), context.Queue()
        names = [f"zine_{zines}_{number}" for number in range(zines)]
        for name in names:
            cluster.sql(f"CREATE DATABASE {name} OWNER gm")
        processes = [
            context.Process(target=run_zine, args=(tmp_path / name, cluster.url(name), all_ready, done))
            for name in names
        ]
        for process in processes:
            process.start()
        all_ready.wait(TIMEOUT)
        before = server_cpu(cluster)
        found = [done.get(timeout=TIMEOUT) for _ in processes]
        on_server = server_cpu(cluster) - before
        for process in processes:
            process.join(TIMEOUT)
            assert process.exitcode == 0
        mails = zines * GAMES * MOVES
        seconds = max(one.ended for one in found) - min(one.began for one in found)
        return mails / seconds, 1000 * sum(one.cpu for one in found) / mails, 1000 * on_server / mails

    def all_numbers() -> None:
        figures.update((zines, measure(zines)) for zines in ZINES)

    benchmark.pedantic(all_numbers, rounds=1)
    for zines, (rate, cpu, on_server) in figures.items():
        benchmark.extra_info[f"{zines} zines"] = f"{rate:.0f} mails/s, {cpu:.1f} + {on_server:.1f} ms CPU"
        with capsys.disabled():
            print(f"\n{zines} zines: {rate:.0f} mails/s in all, {cpu:.1f} ms CPU a mail, {on_server:.1f} of the server")
