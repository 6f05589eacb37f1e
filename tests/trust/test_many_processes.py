"""Four `gm serve` on one PostgreSQL, the one that serves killed in turn or disconnected: all is done, and once."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import busy_zine
import mail_servers
import postgres
import pytest
from processes import Services
from sqlmodel import col, func, select
from waiting import TIMEOUT, until

from gm.app.context import App, open_app
from gm.demo.in_memory_zine import GM_ADDRESS, observed, write_config
from gm.game.replay import verify
from gm.runtime.config.settings import load
from gm.store.database import Database
from gm.store.tables import Game, MailIn, MailOut, Sheet, Turn

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing() or "-"),
    pytest.mark.skipif(bool(mail_servers.missing()), reason=mail_servers.missing() or "-"),
]
PROCESSES = 4
KILLS = (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75)
"""One is killed whenever so much of the work is done."""
WAVES, AHEAD = 20, 8
"""So many may wait to be handled when the next one comes."""
SOON = timedelta(seconds=2)
CUT_SECONDS = 25
"""Longer than PostgreSQL waits for a transaction of a process that says nothing."""


class Wire:
    """A way to PostgreSQL that can be cut: then it is as if the other end were gone, without a word."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open = threading.Event()
        self._open.set()
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End it, with all that goes through it."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.mend()

    def cut(self) -> None:
        """Let nothing through any more; connections stay open."""
        self._open.clear()

    def mend(self) -> None:
        """Let new connections through; those from before are dead."""
        ends, self._ends = self._ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.set()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._upstream))
            self._ends += [client, server]
            for one, other in ((client, server), (server, client)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                self._open.wait()
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
        one.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A PostgreSQL that four processes may work at."""
    with postgres.Cluster(settings={"autovacuum": "on", "shared_buffers": "128MB"}) as cluster:
        yield cluster


def test_one_leads_and_is_replaced(cluster: Any) -> None:
    """Of three one serves; when it ends, or only its connection does, another does, and the first one knows."""
    cluster.sql("CREATE DATABASE three OWNER gm")
    with contextlib.ExitStack() as stack:
        url = cluster.url("three")
        first, second, third = (stack.enter_context(contextlib.closing(Database(url))) for _ in range(3))
        assert [first.lead(), second.lead(), third.lead(), first.lead()] == [True, False, False, True]
        (pid,) = cluster.sql("SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database "
                             "WHERE locktype = 'advisory' AND d.datname = 'three'")[0]  # fmt: skip
        cluster.sql(f"SELECT pg_terminate_backend({pid})")
        until("another", second.lead)
        assert first.has_lost_the_lead()
        assert not first.lead()
        second.close()
        until("one more", third.lead)
        third.close()
        until("the first one's turn", first.lead)
        assert not first.has_lost_the_lead()


def test_a_host_that_is_gone_is_noticed(cluster: Any) -> None:
    """PostgreSQL asks a silent connection after five seconds, three times, and then ends it: the lead is free."""
    cluster.sql("CREATE DATABASE gone OWNER gm")
    url = cluster.url("gone", host="127.0.0.1")
    with contextlib.closing(Database(url)) as database, database.read() as session:
        asked = (f"SHOW tcp_keepalives_{name}" for name in ("idle", "interval", "count"))
        assert [session.connection().exec_driver_sql(ask).scalar() for ask in asked] == ["5", "5", "3"]


def test_one_that_stood_still_wakes_beside_another(cluster: Any, tmp_path: Path) -> None:
    """Frozen in the middle of its work, as if its host were gone, it is replaced; awake again it stands by at once."""
    games, number = 10, 60
    cluster.sql("CREATE DATABASE frozen OWNER gm")
    with contextlib.ExitStack() as stack:
        mail, sink = stack.enter_context(mail_servers.MailServers()), stack.enter_context(busy_zine.sink())
        configs = [_config(tmp_path / f"{at}", mail, sink, cluster.url("frozen", host="127.0.0.1")) for at in range(2)]
        app = stack.enter_context(contextlib.closing(open_app(load(configs[0]), create=True)))
        busy_zine.begin(app, games, 1)
        busy_zine.zat_for_all(app, datetime.now(UTC) + timedelta(days=2))
        sink.seen.clear()
        busy_zine.open_box(mail)
        box = busy_zine.Maildir(mail.root / "home" / GM_ADDRESS / "Maildir")
        mails = list(busy_zine.moves(games, 1, number + 1))

        def handled() -> int:
            with app.database.read() as session:
                return session.exec(select(func.count()).where(MailIn.status != "new")).one()

        with observed(app), Services(configs) as services:
            logs = [services.log_of(at) for at in range(2)]
            until("one that stands by", lambda: any("stands by" in log.read_text() for log in logs))
            leader, other = sorted(range(2), key=lambda at: "stands by" in logs[at].read_text())
            box.lay_down(mails[:number])
            until("some of the work", lambda: handled() > number / 4)
            services.services[leader].send_signal(signal.SIGSTOP)
            cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 2")
            until("another leader", lambda: "from now on" in logs[other].read_text())
            until("all of the work", lambda: handled() == number)
            services.services[leader].send_signal(signal.SIGCONT)
            until("one that stands by again", lambda: "stands by" in logs[leader].read_text())
            box.lay_down(mails[number:])
            until("one mail more", lambda: handled() == number + 1 and not _is_queued(app))
            assert [service.poll() for service in services.services] == [None, None]
        with app.database.read() as session:
            answered = session.exec(select(MailOut.message_id).where(MailOut.kind == "answer")).all()
    assert len(answered) == number + 1
    times = Counter(sink.seen[seen] for seen in sink.seen if seen[1] in answered)
    assert (times[1] + times[2], times.keys() <= {1, 2}) == (number + 1, True)
    assert times[2] <= 1


def _is_queued(app: App) -> bool:
    with app.database.read() as session:
        return session.exec(select(MailOut.id).where(MailOut.status == "queued")).first() is not None


@pytest.mark.slow
def test_four_of_whom_one_after_the_other_dies(cluster: Any, tmp_path: Path, at_full_length: bool) -> None:
    """Every move counts once, a bulletin goes out at most twice as the same mail, no round closes twice or early."""
    games, number = (2_000, 20_000) if at_full_length else (30, 240)
    tables = games // 10
    cluster.sql("CREATE DATABASE zine OWNER gm")
    with contextlib.ExitStack() as stack:
        mail, sink = stack.enter_context(mail_servers.MailServers()), stack.enter_context(busy_zine.sink())
        wire = stack.enter_context(contextlib.closing(Wire(cluster.port)))
        configs = [
            _config(tmp_path / f"{at}", mail, sink, cluster.url("zine", host="127.0.0.1", port=port))
            for at, port in enumerate([cluster.port] * (PROCESSES - 1) + [wire.port])
        ]
        app = stack.enter_context(contextlib.closing(open_app(load(configs[0]), create=True)))
        busy_zine.begin(app, games, tables)
        sink.seen.clear()
        busy_zine.open_box(mail)
        box = busy_zine.Maildir(mail.root / "home" / GM_ADDRESS / "Maildir")
        began = datetime.now(UTC)
        busy_zine.zat_for_all(app, began + timedelta(days=2))
        mails = list(busy_zine.moves(games, tables, number))
        with observed(app), Services(configs) as services:
            zat = _Work(app, services, wire, games, number).is_done(box, mails)
        _look_at_it(app, sink, games, number, began, zat)
        assert services.killed == len(KILLS)


def _config(folder: Path, mail: Any, sink: Any, url: str) -> Path:
    imap = {"username": GM_ADDRESS, "password": mail_servers.PASSWORD, "port": mail.imap_port, "poll_seconds": 1}
    more = {
        "imap": imap, "smtp": {"port": sink.port}, "database": {"url": url}, "archive": {"path": f"{folder / 'site'}"},
        "deadlines": {"reminders": [], "outage": "24h"}, "security": {"answers_per_hour": 10_000},
    }  # fmt: skip
    return write_config(folder, words=["RAR"], more=more)


class _Work:
    """What four processes do meanwhile, how far they are, and what happens to them."""

    def __init__(self, app: App, services: Services, wire: Wire, games: int, mails: int) -> None:
        self._app, self._services, self._wire = app, services, wire
        self._games, self._mails = games, mails
        self._kills = list(KILLS)
        self._cut_at, self._is_mended = float("inf"), False

    def is_done(self, box: Any, mails: list[bytes]) -> datetime:
        """Let mails arrive, and the ZAT come soon after the last of them; wait until all is done. Returns the ZAT."""
        size = -(-len(mails) // WAVES)
        for wave in range(WAVES):
            box.lay_down(mails[wave * size : (wave + 1) * size], datetime.now(UTC))
            self._goes_on(lambda wave=wave: self._handled() > size * (wave - AHEAD))
        zat = datetime.now(UTC).replace(microsecond=0) + SOON
        with contextlib.closing(Database(self._app.settings.database.url, lock_seconds=TIMEOUT)) as database:
            busy_zine.move_zats(database, zat)
        self._goes_on(lambda: self._share() == 1 and self._is_mended and not self._queued())
        return zat

    def _goes_on(self, condition: Callable[[], bool]) -> None:
        """Wait until it is so; meanwhile some are killed, and one is cut off."""
        end = time.monotonic() + 4 * TIMEOUT
        while not condition():
            assert time.monotonic() < end, f"not done: {_state(self._app)}\n{self._services.last_words()}"
            self._kill()
            self._cut()
            time.sleep(0.2)

    def _kill(self) -> None:
        if self._kills and self._share() >= self._kills[0]:
            self._kills.pop(0)
            self._services.kill(self._leader())

    def _leader(self) -> int:
        """Return which one serves, as the logs say; it may be the one that begins."""
        for number in range(PROCESSES - 1):
            said = self._services.log_of(number).read_text()
            if said.rfind("gm serves") > said.rfind("stands by") or said.rfind("from now on") > said.rfind("stands by"):
                return number
        return 0

    def _cut(self) -> None:
        """Cut one off after the third death, for longer than PostgreSQL waits."""
        if self._services.killed >= 3 and self._cut_at == float("inf"):
            self._wire.cut()
            self._cut_at = time.monotonic()
        if not self._is_mended and time.monotonic() > self._cut_at + CUT_SECONDS:
            self._wire.mend()
            self._is_mended = True

    def _handled(self) -> int:
        with self._app.database.read() as session:
            return session.exec(select(func.count()).where(MailIn.status != "new")).one()

    def _share(self) -> float:
        """Return how much is done: mails are handled, rounds closed, bulletins sent."""
        bulletin = (MailOut.status == "sent", MailOut.opens_round == 2, col(MailOut.player_id).is_not(None))
        with self._app.database.read() as session:
            closed = session.exec(select(func.count()).where(col(Game.turn) > 0)).one()
            sent = session.exec(select(func.count()).where(*bulletin)).one()
        return (self._handled() + closed + sent) / (self._mails + 7 * self._games)

    def _queued(self) -> int:
        with self._app.database.read() as session:
            return session.exec(select(func.count()).where(MailOut.status == "queued")).one()


def _state(app: App) -> str:
    with app.database.read() as session:
        mails = session.exec(select(MailIn.status, func.count()).group_by(MailIn.status)).all()
        out = session.exec(select(MailOut.status, func.count()).group_by(MailOut.status)).all()
        steps = session.exec(select(Game.turn, func.count()).group_by(col(Game.turn))).all()
    return f"mails in {mails}, mails out {out}, steps {steps}"


def _look_at_it(app: App, sink: Any, games: int, number: int, began: datetime, zat: datetime) -> None:
    with app.database.read() as session:
        mails = {row.id: row for row in session.exec(select(MailIn))}
        sheets = session.exec(select(Sheet).order_by(col(Sheet.id))).all()
        turns = session.exec(select(Turn).where(Turn.kind == "resolve")).all()
        out = session.exec(select(MailOut).where(col(MailOut.created_at) >= began)).all()
        found = [fault for game in session.exec(select(Game).limit(20)) for fault in verify(app, session, game)]
    assert Counter(row.status for row in mails.values()) == {"applied": number}
    assert Counter(sheet.mail_id for sheet in sheets) == dict.fromkeys(mails, 1), "a move was lost, or counts twice"
    assert Counter(turn.game_id for turn in turns) == dict.fromkeys((turn.game_id for turn in turns), 1)
    assert len(turns) == games
    assert min(turn.at for turn in turns) > zat, "a round was closed early"
    assert {turn.round for turn in turns} == {2}
    last = {}
    for sheet in sorted(sheets, key=lambda sheet: (mails[sheet.mail_id].received_at, mails[sheet.mail_id].uid)):
        last[sheet.game_id, sheet.seat] = sheet.move
    counted = {(turn.game_id, int(seat)): move for turn in turns for seat, move in turn.input["moves"].items()}
    assert counted == last, "another move than the last one counts"
    ours = [row for row in out if row.player_id]
    bulletins = Counter(row.game_id for row in ours if row.cause.startswith("turn:") and row.opens_round == 2)
    assert bulletins == {turn.game_id: 6 for turn in turns}
    sent = {(row.address, row.message_id) for row in ours if row.status == "sent"}
    assert set(sink.seen) >= sent, "a mail that is noted as sent never came"
    assert set(sink.seen.values()) <= {1, 2}
    assert found == []
