"""A crash anywhere loses nothing and does nothing twice: the service is killed at every boundary of a story."""

import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from sqlalchemy import event
from sqlmodel import Session, col, select

from gm.app import App, Inbox, Outbox, open_app
from gm.config import load
from gm.mailbox.embedded import MailServer
from gm.mailbox.inbox import Fetched, Waiting
from gm.mailbox.outbox import Delivery, Letter
from gm.play import desk
from gm.store.database import Database
from gm.store.tables import Game, MailIn, MailOut, Question, Ruling, Sheet, Turn
from gm.testing import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail

WORDS = ("RAR", "ROT", "TOR")


class Crash(BaseException):
    """The process is gone: nothing may catch it, nothing more is done."""


@dataclass
class Fuse:
    """Burns down by one at every boundary; once it has blown, whatever is touched crashes again."""

    left: int | None = None
    passed: int = 0

    def burn(self) -> None:
        """Pass a boundary, or crash there."""
        self.passed += 1
        if self.left is not None and self.passed > self.left:
            raise Crash


@dataclass
class FusedInbox:
    """An inbox with a boundary after whatever the server is asked, and before each mail that is moved."""

    inner: Inbox
    fuse: Fuse

    def waiting(self) -> Waiting:
        found = self.inner.waiting()
        self.fuse.burn()
        return found

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        found = self.inner.fetch(uids)
        self.fuse.burn()
        return found

    def move(self, uids: Sequence[int], target: Literal["processed", "quarantine"]) -> None:
        for uid in uids:  # a server may have moved some when the connection is lost
            self.fuse.burn()
            self.inner.move([uid], target)
        self.fuse.burn()

    def close(self) -> None:
        self.inner.close()


@dataclass
class FusedOutbox:
    """An outbox with a boundary when the server has taken a mail and that isn't noted yet."""

    inner: Outbox
    fuse: Fuse

    def send(self, letters: Sequence[Letter]) -> Iterator[Sequence[Delivery]]:
        for deliveries in self.inner.send(letters):
            self.fuse.burn()
            yield deliveries

    def close(self) -> None:
        self.inner.close()


class FusedDatabase(Database):
    """A database with a boundary before and after each commit."""

    fuse: Fuse

    @contextmanager
    def write(self) -> Iterator[Session]:
        with super().write() as session:
            yield session
            self.fuse.burn()
        self.fuse.burn()


class Frail(Story):
    """A story that is told again and again from the same start, and whose process can be made to crash."""

    def __init__(self, folder: Path, start: Story) -> None:
        super().__init__(folder, words=WORDS)
        with start.app.database.engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql("BEGIN")
        self.start = start
        self.fuse = Fuse()
        database = FusedDatabase(self.app.settings.database.url)
        event.listen(database.engine, "connect", _not_waiting_for_the_disk)
        database.fuse = self.fuse
        inbox, outbox = FusedInbox(self.app.inbox, self.fuse), FusedOutbox(self.outbox, self.fuse)
        self.frail = replace(self.app, database=database, inbox=inbox, outbox=outbox)

    def begin_again(self, fuse_length: int | None = None) -> None:
        """Begin anew, as a process that crashes at that boundary."""
        self.app.database.close()
        self.frail.database.close()  # no connection to the files that go now
        for path in self.config.parent.glob("gm.db*"):
            path.unlink()
        shutil.copyfile(self.start.config.with_name("gm.db"), self.config.with_name("gm.db"))
        self.server.folders = deepcopy(self.start.server.folders)
        self.server._last_uid = self.start.server._last_uid
        self.outbox.letters[:] = self.start.outbox.letters
        self.now = self.start.now
        self.fuse.left, self.fuse.passed = fuse_length, 0
        self.app = self.frail

    def restart(self) -> None:
        """Let another process go on with the same files and mail servers."""
        self.app = self.open(load(self.config))
        event.listen(self.app.database.engine, "connect", _not_waiting_for_the_disk)


def _not_waiting_for_the_disk(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")  # nobody pulls the plug here


Chapter = Callable[[Story], None]


def _moves(lines: str) -> Chapter:
    def tell(story: Story) -> None:
        for name in PLAYERS:
            story.writes(name, f"Crossword Eriwan\n{lines}\n")

    return tell


def _moves_come_in(story: Story) -> None:
    _moves("Neu: E\nDNTIRO" + "\n......" * 5)(story)
    story.writes("Gustav", "Werbung!", sender="gustav@fremd.example")


def _round_closes(story: Story) -> None:
    _moves_come_in(story)
    story.tick()
    story.passes(hours=13)


def _game_ends(story: Story) -> None:
    for _ in range(5):
        story.passes(hours=1)
        desk.close(story.app, "Eriwan", story.app.now())
    story.tick()
    _moves("DNTIRO" + "\n......" * 5 + "\nZ1: ntir 4")(story)
    story.tick()
    story.passes(hours=13)


def _word_is_ruled(story: Story) -> None:
    _game_ends(story)
    story.tick()


def _nothing(story: Story) -> None:
    return


def _ruling(story: Story) -> None:
    with story.app.database.read() as session:
        undecided = desk.named(session, "Eriwan").status == "provisional"
    if undecided:
        desk.rule(story.app, "Eriwan", ["NTIR"], False, "", False)


def _dice_roll_and_a_turn_is_played(story: Story) -> None:
    """Two roll their dice, one buys a tile: each effect at once, with chance in it."""
    for game, kind, seats in (("Elba", "wort-yahtzee", 2), ("Fiume", "typ-dom", 3)):
        desk.new_game(story.app, kind, game)
        for name in PLAYERS[:seats]:
            desk.join(story.app, game, name, address_of(name), None)
        desk.start(story.app, game)
    story.tick()
    story.passes(minutes=1)
    for name in PLAYERS[:2]:
        story.writes(name, "Wort-Yahtzee Elba\nbehalte nichts\n")
    for name in PLAYERS[:3]:
        story.writes(name, "Typ-Dom Fiume\nStand: 1\nkaufen\n")


def _the_zat_comes_near(story: Story) -> None:
    """Three days before the ZAT; one has moved."""
    story.at("2026-11-13T20:00:00+01:00")
    story.writes(PLAYERS[0], "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5)


def _two_seats_need_somebody(story: Story) -> None:
    """One has been silent twice, one resigns; one standby waits, so that the GM is told of the other seat."""
    for _ in range(2):
        for name in PLAYERS[:5]:
            story.writes(name, "Crossword Eriwan\nNeu: E\n" + "......\n" * 6)
        story.tick()
        desk.close(story.app, "Eriwan", story.app.now())
        story.passes(minutes=1)
    desk.add_standby(story.app, "Gerda Hahn", "gerda@spieler.example", None)
    story.writes(PLAYERS[1], "Abmeldung Eriwan\n")


CHAPTERS: dict[str, tuple[Chapter, Chapter]] = {
    "six moves and a stranger's mail come in": (_moves_come_in, _nothing),
    "a round closes and six bulletins go out": (_round_closes, _nothing),
    "the game ends and the GM is asked about a word": (_game_ends, _nothing),
    "the GM rules and six results go out": (_word_is_ruled, _ruling),
    "dice roll and a turn is played at once": (_dice_roll_and_a_turn_is_played, _nothing),
    "five are reminded": (_the_zat_comes_near, _nothing),
    "a standby is asked": (_two_seats_need_somebody, _nothing),
}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_crash_at_any_boundary_changes_nothing_but_the_time(
    chapter: str, running: Callable[..., Story], tmp_path: Path
) -> None:
    """However a pass is cut short, the next process ends where an undisturbed one does; one mail may go out twice."""
    before, command = CHAPTERS[chapter]
    start = running(tmp_path / "start")
    before(start)
    story = Frail(tmp_path / "story", start)
    story.begin_again()
    _go_on(story, command)
    boundaries = story.fuse.passed
    expected, letters = _facts(story), _letters(story)
    assert boundaries > 20
    for number in range(boundaries):
        story.begin_again(number)
        with pytest.raises(Crash):
            _go_on(story, command)
        story.restart()
        _go_on(story, command)
        if _facts(story) != expected:  # the mail in flight is left to the process that may still send it
            story.passes(minutes=11)
            _go_on(story, command)
        assert _facts(story) == expected, f"crash at boundary {number}"
        twice = _letters(story) - letters
        assert not letters - _letters(story), f"a mail was lost at boundary {number}"
        assert twice.total() <= 1, f"more than the mail in flight went out twice at boundary {number}"
        assert not story.server.folders["INBOX"], f"a mail lies in the inbox after boundary {number}"
    story.close()


def _go_on(story: Story, command: Chapter) -> None:
    command(story)
    while not story.tick().is_idle:
        pass


def _letters(story: Story) -> Counter[tuple[str, bytes]]:
    """Count what was delivered, by recipient and Message-ID: a second time, every byte is the same."""
    seen: dict[bytes, bytes] = {}
    for letter in story.outbox.letters:
        assert seen.setdefault(_message_id(letter.raw), letter.raw) == letter.raw, "the second attempt is another mail"
    return Counter((letter.recipient, _message_id(letter.raw)) for letter in story.outbox.letters)


def _message_id(raw: bytes) -> bytes:
    return raw.partition(b"\r\nMessage-ID: ")[2].partition(b"\r\n")[0]


def _facts(story: Story) -> dict[str, Any]:
    """Give all that must not depend on a crash: everything but instants and codes that are drawn."""
    with story.app.database.read() as session:

        def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
            found = session.exec(select(table).order_by(col(table.id))).all()
            return [tuple(getattr(row, name) for name in names) for row in found]

        return {
            "games": rows(Game, "name", "status", "round", "turn", "version", "held", "zat", "seed"),
            "turns": rows(
                Turn, "id", "number", "version", "kind", "round", "input", "state", "events", "verdicts", "words"
            ),
            "sheets": rows(Sheet, "seat", "round", "lines", "move", "complete", "mail_id", "received_at"),
            "received": rows(MailIn, "uid", "status", "reason", "player_id", "received_at"),
            "queued": sorted(rows(MailOut, "cause", "kind", "recipient", "subject", "status", "message_id")),
            "asked": rows(Question, "kind", "player_id", "mail_id", "payload", "answer"),
            "ruled": rows(Ruling, "word", "accepted"),
        }


# -- the whole program, killed -----------------------------------------------------------------------------------------

GM_MAILBOX = "cici@postspiel.example"


def test_a_killed_service_is_taken_up_by_the_next_one(tmp_path: Path) -> None:
    """After each SIGKILL the next `gm serve --once` goes on: one confirmation a move, one bulletin a player."""
    people = {name: address_of(name) for name in PLAYERS}
    with MailServer(dict.fromkeys((GM_ADDRESS, GM_MAILBOX, *people.values()), "x")) as server:
        config = _real_zine(tmp_path, server)
        app = open_app(load(config))
        for address in people.values():
            block = "Crossword Eriwan\nRunde: 1\nNeu: E\nDNTIRO" + "\n......" * 5
            server.append(GM_ADDRESS, write_mail(address, block))
        _kill_when(config, lambda: not server.mails(GM_ADDRESS))  # all is moved, answers begin to go out
        _kill_when(config, lambda: _delivered(server, people) > 8)
        desk.close(app, "Eriwan", app.now())
        _kill_when(config, lambda: _delivered(server, people) > 15)
        _leases_expire(app)
        _kill_when(config, None)
        with app.database.read() as session:
            sheets, queued = session.exec(select(Sheet)).all(), session.exec(select(MailOut)).all()
        app.close()
        assert [sheet.seat for sheet in sheets] == [1, 2, 3, 4, 5, 6]
        assert {(row.kind, row.status) for row in queued} == {
            ("start", "sent"), ("answer", "sent"), ("bulletin", "sent")
        }  # fmt: skip
        for address in people.values():
            mine = sorted(row.message_id for row in queued if row.address == address)
            arrived = {_message_id(raw).decode() for raw in server.mails(address)}
            assert len(mine) == 3
            assert arrived == set(mine), "every mail arrived, and a second attempt carried the same Message-ID"


def _real_zine(folder: Path, server: MailServer) -> Path:
    login = {"username": GM_ADDRESS, "password": "x"}
    config = write_config(
        folder, words=["RAR"], more={"imap": {**login, "port": server.imap_port}, "smtp": {"port": server.smtp_port}}
    )
    app = open_app(load(config))
    desk.new_game(app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        desk.join(app, "Eriwan", name, address_of(name), wish)
    desk.start(app, "Eriwan")
    app.close()
    return config


def _delivered(server: MailServer, people: dict[str, str]) -> int:
    return sum(len(server.mails(address)) for address in people.values())


def _kill_when(config: Path, reached: Callable[[], bool] | None) -> None:
    """Run one pass of the real program and kill it as soon as it got so far; without that, let it end well."""
    command = [sys.executable, "-c", "from gm.cli import main; main()", "serve", "--once", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as service:
        until = time.monotonic() + 20
        while reached and service.poll() is None and not reached() and time.monotonic() < until:
            time.sleep(0.002)
        if reached:
            service.send_signal(signal.SIGKILL)
        _, said = service.communicate(timeout=30)
    assert service.returncode in ((0, -signal.SIGKILL) if reached else (0,)), said.decode()


def _leases_expire(app: App) -> None:
    """What a killed process was sending is left to it for ten minutes; they are over."""
    with app.database.write() as session:
        for row in session.exec(select(MailOut).where(col(MailOut.lease_until).is_not(None))):
            row.lease_until = None
            session.add(row)
