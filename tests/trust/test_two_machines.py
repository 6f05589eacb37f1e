"""Copies of one zine on two machines: the last one that began to serve has the mailbox, the others stop."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import mail_servers
import pytest
from copies import back_up, put_in_place
from imapclient import IMAPClient
from processes import answers, begin_eriwan, command, serving
from sqlmodel import col, select
from typer.testing import CliRunner
from waiting import until

from gm.app.context import open_app, owner_of
from gm.cli.commands import cli
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, one_pass, write_config, write_mail
from gm.reports.game import show
from gm.runtime.config.settings import load
from gm.runtime.errors import NotOurs
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import MailIn, MailOut
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.doubles.in_memory import MemoryInbox, MemoryServer
from gm.transport.imap.inbox import Target
from gm.transport.imap.mails import Fetched, Waiting

pytestmark = pytest.mark.sqlite


GAME, ZAT = "Eriwan", "2026-11-16T20:00:00+01:00"
MOVE = "Crossword Eriwan\nRunde: 1\nNeu: E\nDN....\n" + "......\n" * 5
ANNA, BERND, CARLA = PLAYERS[:3]
SENTENCE = re.compile(
    r"The mailbox \S+ is served by a restored copy of this database \(Dottendorfer Soccer on host (\S+), since "
    r"20\d\d-\d\d-\d\d \d\d:\d\d UTC\), so nothing is read, answered or sent from here any more; if that is a mistake, "
    r"end the service there, then run `gm restore --adopt` here\."
)


class Doors(MemoryInbox):
    """The mailbox as a machine sees it. What a test puts into `before` or `after` is done once, at that call."""

    def __init__(self, server: MemoryServer, **more: Any) -> None:
        super().__init__(server, **more)
        self.before: dict[str, Callable[[], object]] = {}
        self.after: dict[str, Callable[[], object]] = {}

    def waiting(self) -> Waiting:
        """As the inbox."""
        self.before.pop("waiting", int)()
        return super().waiting()

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """As the inbox."""
        found = super().fetch(uids)
        self.after.pop("fetch", int)()
        return found

    def move(self, uids: Sequence[int], target: Target) -> None:
        """As the inbox; what is done before comes after the look whose the mailbox is."""
        self.check_owner()
        self.before.pop("move", int)()
        for uid in uids:
            self.server.transfer(uid, "INBOX", self._targets[target])
        self.after.pop("move", int)()


class Machine(Story):
    """A story on a machine of its own, at a mailbox that others may read as well."""

    def __init__(self, folder: Path, server: MemoryServer, **more: Any) -> None:
        super().__init__(folder, words=["RAR", "ROT", "TOR"], **more)
        self.server, self.host = server, folder.name
        app = self.app
        self.doors = Doors(server, owner=lambda: replace(owner_of(app.settings, app.database), host=self.host))
        self.app = replace(app, inbox=self.doors)

    def copies(self, file: Path) -> Path:
        """Do what `gm backup` does."""
        back_up(self.app.settings.database.url, file, self.now)
        return file

    def stored(self) -> list[str]:
        """Return what became of the mails that were stored."""
        with self.app.database.read() as session:
            return list(session.exec(select(MailIn.status).order_by(col(MailIn.id))))

    def shown(self) -> dict[str, Any]:
        """Return what `gm show --json` prints."""
        with self.app.database.read() as session:
            return show(self.app, session, game_queries.named(session, GAME))

    def answered(self) -> list[str]:
        """List to whom answers went since the last call."""
        return [to for to, mail in self.mails() if mail.in_reply_to]

    def ends(self) -> str:
        """Do a pass, which ends with the sentence that another machine serves; returns that machine."""
        with pytest.raises(NotOurs) as error:
            self.tick()
        found = SENTENCE.fullmatch(str(error.value))
        assert found, str(error.value)
        return found[1]


@pytest.fixture
def old(running: Callable[..., Story], tmp_path: Path) -> Iterator[Machine]:
    """Eriwan in round 1 on its first machine, which serves."""
    before = running(tmp_path / "old")
    before.close()  # a copy is put in place where nobody has the database open
    with closing(Machine(tmp_path / "old", MemoryServer(), now=before.now.isoformat())) as story:
        story.tick()
        story.mails()
        yield story


@pytest.fixture
def restored(old: Machine, tmp_path: Path) -> Iterator[Callable[..., Machine]]:
    """Restore a copy on another machine: `restored("new", copy)`; `at` is what the clock says there."""
    opened: list[Machine] = []

    def restore(host: str, copy: Path, **clock: Any) -> Machine:
        folder = tmp_path / host
        folder.mkdir(exist_ok=True)
        put_in_place(copy, folder / "gm.db", clock.get("at", old.now))
        opened.append(Machine(folder, old.server, now=old.now.isoformat()))
        return opened[-1]

    yield restore
    for story in opened:
        story.close()


@pytest.fixture
def new(old: Machine, restored: Callable[..., Machine], tmp_path: Path) -> Machine:
    """A copy of just now on another machine, which hasn't begun to serve."""
    copy = old.copies(tmp_path / "copy.db")
    old.passes(minutes=1)
    return restored("new", copy)


def marks(server: MemoryServer) -> int:
    """Count the marks in the mailbox."""
    return len(server.folders["GM/Owner"])


# -- who serves, and who ends ------------------------------------------------------------------------------------------


def test_the_old_one_ends_and_the_new_one_answers(old: Machine, new: Machine) -> None:
    """A move that comes when both run is answered once, by the new one, and is no NMR."""
    new.tick()
    old.writes(ANNA, MOVE)
    assert old.ends() == "new"
    assert (old.stored(), old.mails(), marks(old.server)) == ([], [], 2)
    new.now = old.now
    new.tick()
    assert new.answered() == [address_of(ANNA)]
    new.at(ZAT)
    new.passes(seconds=2)
    new.tick()
    assert [seat["nmr"] for seat in new.shown()["seats"]][:2] == [[], [1]]


def test_nothing_that_was_queued_goes_out(old: Machine, new: Machine) -> None:
    """Letters that wait on the old machine and a round that falls due there stay as they are."""
    old.writes(ANNA, MOVE)
    one_pass(old.app, outbox=False, archive=False)
    new.tick()
    old.at(ZAT)
    old.passes(seconds=2)
    old.ends()
    assert old.mails() == []
    assert old.shown()["round"] == 1
    with old.app.database.read() as session:
        assert session.exec(select(MailOut.status).where(MailOut.kind == "answer")).all() == ["queued"]


@pytest.mark.parametrize("when", ["fetch", "move", "moved"])
def test_overtaken_in_the_middle_of_a_pass(old: Machine, new: Machine, when: str) -> None:
    """Overtaken after the fetch it stores nothing; later it sends nothing. The new one answers the mail, once."""
    where = {
        "fetch": (old.doors.after, "fetch"),
        "move": (old.doors.before, "move"),
        "moved": (old.doors.after, "move"),
    }
    steps, call = where[when]
    steps[call] = new.tick
    old.writes(ANNA, MOVE)
    new.now = old.now
    assert old.ends() == "new"
    assert old.stored() == ([] if when == "fetch" else ["applied"])
    assert old.mails() == []
    new.tick()
    assert new.answered() == [address_of(ANNA)]
    assert [seat["moved"] for seat in new.shown()["seats"]][:2] == [True, False]
    assert old.server.folders["INBOX"] == {}


def test_a_mail_that_is_put_away_behind_the_new_ones_back(old: Machine, new: Machine) -> None:
    """The new one has looked through the handled mails when the old one puts one there: it is found all the same."""

    def puts_it_away() -> None:
        for uid in list(old.server.folders["INBOX"]):
            old.server.transfer(uid, "INBOX", "GM/Processed")

    old.writes(ANNA, MOVE)
    new.now = old.now
    new.doors.before["waiting"] = puts_it_away
    old.doors.before["move"] = new.tick
    old.ends()
    assert new.stored() == ["applied"]
    assert new.answered() == [address_of(ANNA)]
    with new.app.database.read() as session:
        assert not zine_queries.zine(session).is_behind
        assert zine_queries.zine(session).look_again_from is None


def test_the_last_to_begin_serves(old: Machine, restored: Callable[..., Machine], tmp_path: Path) -> None:
    """Two copies of one backup: whichever was restored first, the one that begins later serves, and for good."""
    copy = old.copies(tmp_path / "copy.db")
    for first, second in (("a", "b"), ("d", "c")):  # begun in this order, restored in that of the alphabet
        machines = {host: restored(host, copy) for host in sorted((first, second))}
        machines[first].tick()
        for _ in range(2):
            machines[second].tick()
            assert machines[first].ends() == second
    assert (old.ends(), marks(old.server)) == ("c", 5)


def test_restored_again_on_the_same_machine(old: Machine, restored: Callable[..., Machine], tmp_path: Path) -> None:
    """Going back to older copies, once and again, needs no word to the mailbox."""
    copies = []
    for number in range(2):
        copies.append(old.copies(tmp_path / f"copy{number}.db"))
        old.writes(ANNA, MOVE)
        old.tick()
    old.close()
    for copy in (copies[0], copies[1], copies[0]):
        old.passes(hours=1)
        with closing(restored("old", copy)) as again:
            again.tick()
            assert again.stored() == ["applied"] * 2


def test_a_copy_of_a_copy(old: Machine, new: Machine, restored: Callable[..., Machine], tmp_path: Path) -> None:
    """From machine to machine: each ends when the next one has begun."""
    new.tick()
    old.passes(days=1)
    third = restored("third", new.copies(tmp_path / "next.db"))
    third.tick()
    assert new.ends() == old.ends() == "third"


def test_put_in_place_by_hand(old: Machine, tmp_path: Path) -> None:
    """A copy that was put there by `cp` takes the mailbox over as well: it notices that it is a copy."""
    copy = old.copies(tmp_path / "copy.db")
    (tmp_path / "new").mkdir()
    copy.rename(tmp_path / "new" / "gm.db")
    old.passes(minutes=1)
    with closing(Machine(tmp_path / "new", old.server, now=old.now.isoformat())) as new:
        with new.app.database.write() as session:
            zine_queries.note_home(session, "new")
        new.tick()
        assert old.ends() == "new"
        with new.app.database.read() as session:
            assert zine_queries.zine(session).home == "new"


# -- clocks, and the mark's mail ---------------------------------------------------------------------------------------


def test_a_clock_that_is_behind(old: Machine, new: Machine, restored: Callable[..., Machine], tmp_path: Path) -> None:
    """A copy of a database is restored later than that was, whatever the clock says."""
    new.tick()
    third = restored("third", new.copies(tmp_path / "next.db"), at=old.now - timedelta(days=400))
    third.tick()
    assert new.ends() == "third"
    third.tick()


def test_a_clock_that_was_ahead(old: Machine, restored: Callable[..., Machine], tmp_path: Path) -> None:
    """A machine that was restored in the year to come has no advantage by that."""
    copy = old.copies(tmp_path / "copy.db")
    ahead, right = restored("ahead", copy, at=old.now + timedelta(days=400)), restored("right", copy)
    ahead.tick()
    right.writes(ANNA, MOVE)
    right.tick()
    assert right.answered() == [address_of(ANNA)]
    assert ahead.ends() == "right"


def test_a_mark_deleted_after_the_end(old: Machine, new: Machine) -> None:
    """A machine that has stopped stays so when started again, even if the mark was deleted."""
    new.tick()
    assert old.ends() == "new"
    old.server.folders["GM/Owner"].clear()
    old.writes(ANNA, MOVE)
    assert old.ends() == "new"
    with pytest.raises(NotOurs, match="restored copy"):
        old.open(old.app.settings)
    new.tick()
    assert (new.stored(), marks(old.server)) == (["applied"], 1)


def test_a_mark_deleted_before_the_old_one_has_seen_it(old: Machine, new: Machine) -> None:
    """The old one marks the mailbox once more; the new one takes it back with its next pass."""
    new.tick()
    old.server.folders["GM/Owner"].clear()
    old.tick()
    new.tick()
    assert old.ends() == "new"
    new.tick()


def test_another_database_is_still_another(old: Machine, new: Machine) -> None:
    """A restored copy takes over from its own database only; of any other's mailbox it keeps away, as before."""
    with old.app.database.write() as session:
        zine_queries.zine(session).incarnation = "0" * 24
    old.server.folders["GM/Owner"].clear()
    new.tick()
    with pytest.raises(NotOurs, match="is served by another database"):
        old.tick()
    old.server.folders["GM/Owner"].clear()
    assert old.tick().troubles == []
    with pytest.raises(NotOurs, match="is served by another database"):
        new.tick()


# -- commands ----------------------------------------------------------------------------------------------------------


def test_the_commands_of_a_machine_that_has_ended(old: Machine, new: Machine, tmp_path: Path) -> None:
    """What would have no effect is refused with the sentence; `gm restore --adopt` makes it serve again."""

    def gm(*words: str) -> tuple[int, str]:
        ran = CliRunner().invoke(cli, [*words, "--config", str(old.config)])
        return ran.exit_code, " ".join(f"{ran.output} {ran.exception or ''}".split())

    new.tick()
    old.ends()
    old.close()
    for words in (("list",), ("serve", "--once"), ("zat", GAME, "+3d")):
        code, said = gm(*words)
        assert (code, bool(SENTENCE.search(said))) == (1, True), said
    code, said = gm("doctor")
    assert SENTENCE.search(said)
    assert gm("restore", "--adopt")[0] == 0
    assert gm("list")[0] == 0
    with closing(Machine(tmp_path / "old", old.server, now=old.now.isoformat())) as again:
        again.tick()
        assert new.ends() == "old"


# -- the whole program -------------------------------------------------------------------------------------------------


class World:
    """A mailbox on Dovecot, a server that takes the service's mails, and configs for machines at them."""

    def __init__(self, imap_port: int, smtp: MailServer, folder: Path) -> None:
        self.imap_port, self.smtp, self.folder = imap_port, smtp, folder

    def config(self, host: str) -> Path:
        """Write the config of a machine."""
        imap = {"username": "gm@local.test", "password": "secret", "port": self.imap_port}
        return write_config(self.folder / host, words=["ROT"], more={
            "imap": {**imap, "poll_seconds": 1, "idle": True}, "smtp": {"port": self.smtp.smtp_port},
        })  # fmt: skip

    def writes(self, name: str) -> None:
        """Let a player send a move."""
        with self.mailbox() as client:
            client.append("INBOX", write_mail(address_of(name), MOVE, name=name, message_id=id_of(name)))

    def mailbox(self) -> IMAPClient:
        """Log in."""
        client = IMAPClient("127.0.0.1", self.imap_port, ssl=False, timeout=60)
        client.login("gm@local.test", "secret")
        return client

    def mails(self, folder: str) -> list[bytes]:
        """List what lies in a folder."""
        with self.mailbox() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            return [one[b"BODY[]"] for one in client.fetch(client.search(), ["BODY.PEEK[]"]).values()]

    def answers(self, *names: str) -> list[str]:
        """List the answers to their moves that came."""
        return [answered for answered in answers(self.smtp, *names) if answered in map(id_of, PLAYERS)]


def id_of(name: str) -> str:
    """Return the Message-ID of a player's move."""
    return f"<{address_of(name)}>"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Begin a zine on the machine `old`."""
    if reason := mail_servers.missing():
        pytest.skip(reason)
    users = dict.fromkeys((GM_ADDRESS, "cici@postspiel.example", *map(address_of, PLAYERS)), "x")
    with mail_servers.MailServers() as dovecot, MailServer(users) as smtp:
        world = World(dovecot.imap_port, smtp, tmp_path)
        with closing(open_app(load(world.config("old")))) as app:
            begin_eriwan(app)
        yield world


def run(config: Path, *words: str) -> str:
    """Run `gm ...` as a process of its own. Raises AssertionError where it fails."""
    ran = subprocess.run(command(config, *words), capture_output=True, text=True, timeout=180, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def is_queued(config: Path) -> bool:
    """Return whether mails wait to be sent, or to be noted as sent."""
    with closing(sqlite3.connect(config.with_name("gm.db"))) as database:
        return bool(database.execute("SELECT count(*) FROM mail_out WHERE status = 'queued'").fetchone()[0])


@pytest.mark.server
def test_two_machines_one_zine(world: World, tmp_path: Path) -> None:
    """`gm backup`, then `gm restore` elsewhere while the old service runs on: it ends, and no player notices."""
    before, between, *both = PLAYERS[:5]
    copy, configs = str(tmp_path / "zine.tar.gz"), {host: tmp_path / host / "config.toml" for host in ("old", "new")}
    with serving(configs["old"]) as old:
        world.writes(before)
        until("the first answer", lambda: world.answers(before) and not is_queued(configs["old"]))
        run(configs["old"], "backup", copy)
        world.writes(between)
        until("an answer that the copy doesn't know", lambda: world.answers(between))
        run(configs["old"], "restore", copy, str(tmp_path / "new"))
        with serving(configs["new"]):
            until("the new mark", lambda: len(world.mails("GM/Owner")) == 2)
            for name in both:
                world.writes(name)
            said = old.communicate(timeout=120)[0]
            assert old.returncode == 1, said
            assert len(SENTENCE.findall(said)) == 1, said
            until("all answers", lambda: len(world.answers(*both)) == len(both) and not world.mails("INBOX"))
            run(configs["new"], "close", GAME)
            until("the bulletins", lambda: world.smtp.mails(address_of(PLAYERS[5]))[1:])
    assert sorted(world.answers(before, *both)) == sorted(map(id_of, (before, *both)))
    assert set(world.answers(between)) == {id_of(between)}
    assert (len(world.mails("GM/Processed")), len(world.mails("GM/Owner"))) == (5, 2)
    with closing(open_app(load(configs["new"]))) as app, app.database.read() as session:
        seats = show(app, session, game_queries.named(session, GAME))["seats"]
        assert [seat["nmr"] for seat in seats] == [[], [], [], [], [], [1]]
        assert set(session.exec(select(MailIn.message_id))) == set(map(id_of, PLAYERS[:5]))
