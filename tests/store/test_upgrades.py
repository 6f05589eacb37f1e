"""Upgrades from every kept wheel: the old program makes a zine, today's program goes on with it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa
from postgres import Cluster
from processes import answers
from sqlmodel import col, select
from waiting import TIMEOUT

from games import engines
from games.api import Seat
from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_mail
from gm.runtime.config.settings import load
from gm.store.database import Database
from gm.store.queries import game_queries
from gm.store.schema import HEAD, schema_version
from gm.store.tables import Duty, Turn
from gm.transport.doubles.embedded_server import MailServer
from parsers.mime.message import read_mail

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]  # it sees to the other one itself

WHEELS = sorted(Path(__file__).parent.glob("upgrades/*.whl"))
GAME = "Eriwan"
CONFIG = """\
[service]
name = "Dottendorfer Soccer"
address = "{address}"
gm = "Cici Beilken <cici@postspiel.example>"

[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
idle = false
username = "{address}"
password = "x"

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
username = "{address}"
password = "x"

[database]
url = "{url}"
"""
SAY = """\
import json, sys, gm
assert gm.__file__.startswith(sys.argv[1]), gm.__file__
from gm.cli import main
for words in json.loads(sys.argv[2]):
    sys.argv = ["gm", *words]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
"""
GONE = {"unanswered"}
"""Tables that later versions have no use for."""
NOW = Path(__file__).parents[2]
"""Where today's program is."""


@dataclass
class Zine:
    """A zine on a mail server, and the commands that work on it."""

    config: Path
    server: MailServer
    is_file: bool
    mails: int = 0

    def gm(self, program: Path, *commands: str) -> str:
        """Run commands of the program in a folder, all in one process, as starting takes long; returns their output."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GM_"))}
        lines = [[*shlex.split(command), "--config", str(self.config)] for command in commands]
        ran = subprocess.run(
            [sys.executable, "-c", SAY, str(program), json.dumps(lines)],
            env={**environment, "PYTHONPATH": str(program)}, cwd=self.config.parent, capture_output=True, text=True,
            timeout=TIMEOUT,
        )  # fmt: skip
        assert ran.returncode == 0, f"{commands}:\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def writes(self, name: str, text: str) -> None:
        """Let a player write to the game address."""
        self.mails += 1
        mail = write_mail(address_of(name), text, name=name, message_id=f"<{self.mails}@spieler.example>")
        self.server.append(GM_ADDRESS, mail)

    def moves(self, name: str, wish: str, *rows: str) -> None:
        """Let a player send a block."""
        lines = [*rows, *["......"] * (6 - len(rows))]
        self.writes(name, f"Crossword {GAME}\nNeu: {wish}\n" + "\n".join(lines))

    def subjects(self, name: str) -> list[str]:
        """List what a player has been sent."""
        return [read_mail(raw).subject for raw in self.server.mails(address_of(name))]

    def counts(self) -> dict[str, int]:
        """Count the rows of every table, whichever version made them."""
        with closing(Database(load(self.config).database.url)) as database, database.read() as session:
            connection = session.connection()
            tables = [sa.table(name) for name in sa.inspect(connection).get_table_names()]
            count = sa.select(sa.func.count())
            kept = (table for table in tables if table.name not in GONE)
            return {table.name: connection.execute(count.select_from(table)).scalar_one() for table in kept}


@pytest.fixture(scope="module", params=WHEELS, ids=[wheel.name.split("-")[1] for wheel in WHEELS])
def before(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of a version before, unpacked; what it depends on is what is installed here."""
    folder = tmp_path_factory.mktemp("before")
    zipfile.ZipFile(request.param).extractall(folder)
    return folder


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty place for a zine, of each kind."""
    if request.param == "sqlite":
        yield "sqlite:///gm.db"
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    cluster.create("upgraded")
    yield cluster.url("upgraded")
    cluster.drop("upgraded")


@pytest.fixture
def zine(url: str, tmp_path: Path) -> Iterator[Zine]:
    """A config for a zine, with a mailbox for everybody."""
    users = {GM_ADDRESS: "x", "cici@postspiel.example": "x", **{address_of(name): "x" for name in PLAYERS}}
    with MailServer(users) as server:
        config = tmp_path / "config.toml"
        config.touch(0o600)
        config.write_text(CONFIG.format(address=GM_ADDRESS, imap=server.imap_port, smtp=server.smtp_port, url=url))
        yield Zine(config, server, is_file=url.startswith("sqlite"))


def play(zine: Zine, program: Path) -> None:
    """Let a program close a round, read a move for the next one and make a backup."""
    wishes = zip(PLAYERS, "DNTIRO", strict=True)
    seats = [f"join {GAME} '{name}' {address_of(name)} --wish {wish}" for name, wish in wishes]
    zine.gm(program, f"new crossword {GAME}", *seats, f"start {GAME}", "serve --once")
    for name in PLAYERS[:4]:
        zine.moves(name, "E", "DNTIRO")
    zine.writes(PLAYERS[4], f"Presse {GAME}\nWer schweigt, verliert.\nEnde\n")
    zine.writes(PLAYERS[5], "Standby\n")
    zine.gm(program, "serve --once", f"rule {GAME} accept DNTIRO", f"close {GAME}", "serve --once")
    zine.moves(PLAYERS[0], "S", "DNTIRO", "E.....")
    more = ("new farbdomino Elba", f"join Elba '{PLAYERS[0]}' {address_of(PLAYERS[0])}")
    zine.gm(program, "serve --once", *more, *(["backup copy.db"] if zine.is_file else []))


def test_the_wheels_are_there() -> None:
    """At least the first version's is."""
    assert WHEELS


def test_a_zine_goes_on(before: Path, zine: Zine) -> None:
    """Today's program opens the old program's zine: all rows are there, all games are verified, the round goes on.

    So it does with the old program's backup.
    """
    play(zine, before)
    counts, heard = zine.counts(), {name: len(zine.subjects(name)) for name in PLAYERS}
    assert {name for name, number in counts.items() if number} >= {
        "address", "duty", "game", "mail_in", "mail_out", "player", "press", "ruling", "seat", "sheet", "standby",
        "turn",
    }  # fmt: skip
    with closing(open_app(load(zine.config))) as app, app.database.read() as session:
        assert schema_version(session) == HEAD
        assert {(game.name, game.status, game.round) for game in game_queries.games(session)} == {
            (GAME, "running", 2), ("Elba", "open", 0),
        }  # fmt: skip
    now = zine.counts()
    assert {name: now[name] for name in counts} == counts
    zine.gm(NOW, "verify")
    for name in PLAYERS[1:4]:
        zine.moves(name, "S", "DNTIRO", "E.....")
    zine.gm(NOW, "serve --once")
    answered = Counter(answers(zine.server, *PLAYERS))
    assert [answered[f"<{number}@spieler.example>"] for number in range(1, zine.mails + 1)] == [1] * zine.mails
    zine.gm(NOW, f"close {GAME}", "serve --once", "verify", "archive pages")
    assert all(len(zine.subjects(name)) > heard[name] for name in PLAYERS)
    with closing(open_app(load(zine.config))) as app, app.database.read() as session:
        step = session.exec(select(Turn).order_by(col(Turn.id).desc())).first()
        kept = session.exec(select(Duty.kept).where(Duty.turn_id == step.id)).all()
        assert (step.kind, step.round) == ("resolve", 3)
        assert sum(kept) == 4, "three moves and the one that the program before had filed"
    if zine.is_file:
        zine.gm(NOW, "restore copy.db")
        restored = {**dict.fromkeys(now, 0), **zine.counts()}  # the copy has no tables that have come since
        assert {**restored, "meta": 0} == {**now, "meta": 0}, "but for the note that it was restored"
        zine.gm(NOW, "serve --once", "verify")


CITIES = ("Aden", "Bonn", "Cork", "Dover", "Essen", "Faro", "Genua", "Havanna", "Izmir")


def play_all_kinds(zine: Zine, program: Path) -> dict[str, str]:
    """Let a program begin a game of each kind and close two rounds; returns the kinds by the games' names."""
    games = dict(zip(CITIES, sorted(engines()), strict=True))
    commands = []
    for name, kind in games.items():
        engine = engines()[kind]
        commands.append(f"new {kind} {name}")
        for number, player in enumerate(PLAYERS[: max(2, engine.rules.seats[0])], start=1):
            wish = "".join(engine.suggest_entry(Seat(number))).rpartition(" ")[2]
            commands.append(f"join {name} '{player}' {address_of(player)}" + (f" --wish {wish}" if wish else ""))
        commands += [f"start {name}", f"close {name}", f"close {name}"]
    zine.gm(program, *commands, "serve --once")
    return games


def test_upgrading_step_by_step(before: Path, zine: Zine) -> None:
    """The steps of docs/operate.md, Upgrading, with a zine of all nine kinds that the old program made (issue 31).

    The rehearsal by the new program leaves the old one's database as it is; then all goes on, and back.
    """
    games = play_all_kinds(zine, before)
    if zine.is_file:
        zine.gm(before, "backup before-upgrade.db")
    counts = zine.counts()
    said = json.loads(zine.gm(NOW, "upgrade --rehearse --json"))
    assert (said["replayed"], said["same"], said["games"], said["unreadable"]) == (len(games), 0, [], [])
    assert zine.counts() == counts, "the tables are those of the old program"
    zine.gm(before, "serve --once", "verify")  # it serves still
    zine.gm(NOW, "serve --once", "status")
    verified = zine.gm(NOW, "verify").splitlines()
    assert verified == [f"{name}: as recorded" for name in games]
    zine.gm(NOW, *(f"close {name}" for name in games), "serve --once", "verify", "archive pages")
    if zine.is_file:
        zine.gm(before, "restore before-upgrade.db", "serve --once", "verify")
        assert zine.counts().keys() == counts.keys()


def changed_program(folder: Path) -> Path:
    """Copy today's program, with another score for a word of three letters in the rules of one game."""
    for package in ("gm", "games", "parsers", "templates"):
        shutil.copytree(NOW / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    board = folder / "games" / "crossword" / "board.py"
    rules = board.read_text()
    board.write_text(rules.replace("3: 3,", "3: 4,"))
    assert board.read_text() != rules
    return folder


def test_a_forgotten_version_number(zine: Zine, tmp_path: Path) -> None:
    """Rules that were changed without another number are found by their code: exactly their games are replayed.

    Those whose results aren't touched go on by themselves (issue 31).
    """
    games = play_all_kinds(zine, NOW)
    changed = changed_program(tmp_path / "changed")
    said = json.loads(zine.gm(changed, "upgrade --rehearse --json"))
    assert (said["replayed"], said["same"], said["games"]) == (1, len(games) - 1, [])
    assert zine.gm(changed, "verify Cork").startswith("Cork: as recorded by rules 1; here are 1 in another form")
    zine.gm(changed, "close Cork", "serve --once", "verify")
