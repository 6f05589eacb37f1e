"""Every query of a pass uses an index: no growing table is scanned from end to end."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
import sqlalchemy as sa
from many_games import ManyGames
from sqlalchemy import Connection
from sqlmodel import Session, SQLModel, col

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import digests_from
from gm.reports.games import first_games
from gm.reports.mail_log import mails
from gm.service.outbound.delivery import deliver, take_from_queue
from gm.store.database import follow_indexes
from gm.store.tables import Game

pytestmark = pytest.mark.tampers  # its zines are written by hand

GROWING: Final = ("game", "seat", "duty", "sheet", "turn", "mail_in", "mail_out", "address", "question", "player",
                  "press", "watcher", "ruling")  # fmt: skip
ONCE_A_WEEK: Final = 5
"""An issue of the digest is for all players: so many of its questions go through a whole table, once each."""


@pytest.fixture(scope="module")
def zine(tmp_path_factory: Any) -> Iterator[ManyGames]:
    """A zine with games and mails enough that the planner has a choice."""
    zine = ManyGames(tmp_path_factory.mktemp("zine"), 60, mails=600)
    zine.settle()
    yield zine
    zine.close()


class Asked(dict[str, Any]):
    """The statements of a database, each with values it was asked with."""

    def __init__(self, zine: ManyGames) -> None:
        super().__init__()
        self.engine = zine.app.database.engine
        sa.event.listen(self.engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Any, _cursor: Any, said: str, values: Any, _context: Any, many: bool) -> None:
        if said.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            self.setdefault(said, values[0] if many else values)

    def plans(self) -> dict[str, list[str]]:
        """Return how the database would go about each statement."""
        sa.event.remove(self.engine, "before_cursor_execute", self._note)
        with self.engine.connect() as connection:
            return {said: _plan(connection, said, values) for said, values in self.items()}

    def scans(self) -> dict[str, str]:
        """Name the growing tables that a statement goes through as a whole, by statement."""
        return {said: table for said, steps in self.plans().items() if (table := _scanned(steps))}


def _plan(connection: Connection, said: str, values: Any) -> list[str]:
    if connection.dialect.name == "sqlite":
        return [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", values)]
    # With so few rows it would rather scan; asked not to, it does where it has to.
    connection.exec_driver_sql("SET enable_seqscan = off")
    return [str(row[0]) for row in connection.exec_driver_sql(f"EXPLAIN {said}", values)]


SHORT: Final = "|".join(
    str(index.name) for table in SQLModel.metadata.tables.values() for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
)  # fmt: skip
"""The indexes of those rows alone with which something is still to be done."""


def _scanned(steps: list[str]) -> str:
    """Name the growing tables that these steps go through as a whole, or all that ever had something done to them."""
    long = [step for step in steps if not re.search(rf"INDEX ({SHORT})\b", step)]
    scanned = (re.search(r"^SCAN (\w+)|Seq Scan on (\w+)|^SEARCH (\w+) .*\(\w+_at>\?\)$", step) for step in long)
    names = {re.sub(r"_\d+$", "", found[1] or found[2] or found[3]) for found in scanned if found}
    return ", ".join(sorted(names & set(GROWING)))


def test_a_scan_is_noticed(zine: ManyGames) -> None:
    """This file's own eye: a question without an index is found."""
    asked = Asked(zine)
    with zine.app.database.read() as session:
        session.connection().execute(sa.text("SELECT id FROM game WHERE held = :held"), {"held": ""})
    assert list(asked.scans().values()) == ["game"]


MAILS: Final = {
    "move": "{text}", "help": "Hilfe\n", "games": "Spiele\n", "position": "Stand Eriwan{n}\n",
    "history": "Verlauf Eriwan{n}\n", "withdrawn": "Zurückziehen Eriwan{n}\n", "press": "Presse Eriwan{n}\nHallo!\n",
    "vacation": "Urlaub 1.12.2026 - 5.12.2026\n", "standby": "Ersatzspieler\n", "join": "Anmeldung Combinato\n",
    "nearest": "Stand Eriwam{n}\n", "digest": "Digest aus\n", "resigned": "Abmeldung Eriwan{n}\n",
}  # fmt: skip


def test_mails_of_all_kinds_are_handled_by_index(zine: ManyGames) -> None:
    """Whatever a player, a stranger or the GM writes, no question about it grows with the zine."""
    asked = Asked(zine)
    for number, text in enumerate(MAILS.values(), 1):
        zine.sends(number)
        said = text.format(n=number, text="")
        if said:
            zine.writes(f"Anna Berg{number}", said, sender=f"anna{number}@spieler.example")
    zine.writes("Nobody", "Hilfe\n", sender="nobody@nowhere.example")
    zine.writes("Cici", "Was wartet?\n", sender="cici@postspiel.example")
    zine.pass_without_delivery()
    assert asked.scans() == {}
    assert len(zine.became("applied")) >= len(MAILS) - 2, zine.became("refused")


@pytest.mark.trust
def test_a_pass_with_everything_in_it_goes_by_index(zine: ManyGames) -> None:
    """Closings, missed moves, standbys, reminders and deliveries: each has its index."""
    digests_from(zine.app)
    asked = Asked(zine)
    for rounds in range(3):  # twice nobody moves: standbys are sought
        zine.is_due(range(20, 25))
        assert len(zine.pass_without_delivery().closed) == 5, rounds
    zine.passes(days=20)
    zine.pass_without_delivery()
    zine.passes(days=8)
    zine.pass_without_delivery()  # reminders
    deliver(zine.app, Report())
    zine.passes(hours=1)
    assert asked.scans() == {}


def test_the_next_mails_are_found_at_the_head_of_the_queue(zine: ManyGames) -> None:
    """However many mails are queued, the next ones are read in order until there are enough.

    Earlier mails to the same address are found by an index, also while PostgreSQL estimates that none is queued.
    """
    deliver(zine.app, Report())
    if zine.app.database.is_shared:
        with zine.app.database.write() as session:
            session.connection().exec_driver_sql("ANALYZE")
    zine.is_due(range(25, 28))
    zine.pass_without_delivery()
    asked = Asked(zine)
    assert take_from_queue(zine.app)
    plans = {said: " ".join(steps) for said, steps in asked.plans().items() if said.startswith("SELECT mail_out")}
    (said,) = plans
    with Session(asked.engine) as session:
        follow_indexes(session)
        queue = " ".join(_plan(session.connection(), said, asked[said]))
    assert "ix_mail_out_due" in queue
    assert re.search("ix_mail_out_(queue|lately)", queue)
    assert not re.search("TEMP B-TREE|Sort|Bitmap", queue)
    assert "ix_mail_out_sent_at" in plans[said]


@pytest.mark.trust
def test_only_an_issue_of_the_digest_reads_whole_tables(zine: ManyGames) -> None:
    """Once a week all games and players are read, with a handful of questions; the copies have their index."""
    digests_from(zine.app, zine.now)
    sunday = zine.now + timedelta(days=(6 - zine.now.weekday()) % 7 + 7)
    zine.now = sunday.replace(hour=17, minute=30)
    asked = Asked(zine)
    zine.pass_without_delivery()
    scans = asked.scans()
    assert any("'digest'" in str(values) or "digest" in map(str, values or ()) for values in asked.values())
    assert len(scans) <= ONCE_A_WEEK, scans


def test_the_games_that_come_first_are_found_by_index(zine: ManyGames) -> None:
    """Whether most games of a zine run or are over, none is looked at, or sorted, that isn't shown."""
    asked = Asked(zine)
    with Session(zine.app.database.engine) as session:
        first_games(session, zine.now)
        session.connection().execute(sa.update(Game).where(col(Game.id) > zine.game(9)).values(status="finished"))
        first_games(session, zine.now)  # and back they go: nothing is committed
    plans = asked.plans()
    assert {said: table for said, steps in plans.items() if (table := _scanned(steps))} == {}
    held = next(steps for said, steps in plans.items() if "held <> ''" in said)
    assert "ix_game_held" in " ".join(held), "else all games of a status would be looked at"
    assert sum("game.id DESC" in said for said in plans) == 1, "the newest are asked for as well"
    assert [steps for steps in plans.values() if "TEMP B-TREE" in " ".join(steps)] == []


@pytest.mark.trust
@pytest.mark.sqlite
def test_the_log_of_mails_is_read_from_its_end(zine: ManyGames) -> None:
    """`gm mail list` reads so many of the newest mails in order, and sorts none; a status is found by index."""
    asked = Asked(zine)
    with zine.app.database.read() as session:
        assert len(mails(zine.app, session, most=20)) == 20
        mails(zine.app, session, most=20, since=zine.now)
    assert [steps for steps in asked.plans().values() if "TEMP B-TREE" in " ".join(steps)] == []
    asked = Asked(zine)
    with zine.app.database.read() as session:
        mails(zine.app, session, most=20, status="quarantined")
    assert asked.scans() == {}
