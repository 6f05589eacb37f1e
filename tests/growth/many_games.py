"""A zine with thousands of games and mails, copied row by row from one game that was played through the service.

Playing a hundred thousand games would take days. Copies are complete (players, seats, steps, sheets, mails) and have
players of their own, so the service handles them like any other running game.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import seating
import sqlalchemy as sa
from sqlmodel import SQLModel

from games.api import Seat
from games.dice import Dice
from gm.app.pass_report import Report
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.service.maintenance.copying import set_sequences
from gm.service.tick import tick
from gm.store.database import Database
from gm.store.queries import game_queries

ANNA, BERND = PLAYERS[:2]
WORDS: Final = ("ROT", "TOR", "ORT", "RAST", "TAG", "RAR", "AST", "STERN", "NACHT", "RASEN")
FAR: Final = 10_000_000
"""Copies have ids from here on, above all that the story itself writes."""
PERSONAL: Final = {
    "player": ("name", "name_key"), "game": ("name", "name_key"), "address": (), "seat": (), "turn": (),
    "mail_in": ("message_id", "content"), "sheet": (), "duty": (), "mail_out": ("message_id", "cause"),
}  # fmt: skip
"""The tables that are copied, with their texts that must be unique."""


class ManyGames(Story):
    """A story with one game of Combinato by Anna and Bernd, and many copies of it."""

    def __init__(self, folder: Path, games: int, *, mails: int = 0) -> None:
        """Play a round, so that there are sheets, duties and mails of all kinds, and copy what came of it."""
        deadlines = {"zat": "30d", "settle": "1h", "reminders": ["3d"]}
        super().__init__(
            folder, words=WORDS, more={"deadlines": deadlines, "digest": {}, "security": {"answers_per_hour": 10_000}}
        )
        self.copies = games - 1
        actions.new_game(self.app, "combinato", "Eriwan")
        for name in (ANNA, BERND):
            seating.join(self.app, "Eriwan", name, f"{name.split()[0].lower()}@spieler.example", "")
        actions.start(self.app, "Eriwan")
        self.tick()
        self.writes(ANNA, self.move(1))
        self.tick()
        actions.close(self.app, "Eriwan", self.now)
        self.tick()
        self.text = self.move(1)
        self.mails()
        copy(self.app.database, self.copies)
        self.copied_at = self.now
        store_mails(self.app.database, mails, games)
        with self.app.database.write() as session:
            set_sequences(session)  # steps are replayed in the order of their ids: new ones come after the copies

    def move(self, seat: int) -> str:
        """Write a move that the game takes as it stands."""
        with self.app.database.read() as session:
            game = game_queries.named(session, "Eriwan")
            at = position(self.app, game)
            words = word_judge.judge(self.app, game)
            lines = at.engine.suggest(at.state, Seat(seat), Dice("zine", at.turn.number), words)
        return "\n".join([f"{at.engine.rules.title} Eriwan", f"Runde: {game.round}", *lines, ""])

    def game(self, number: int) -> int:
        """Return the id of a copy, from 1 on."""
        return 1 + FAR + number * STEP

    def sends(self, number: int, **more: Any) -> None:
        """Let the first player of a copy send a move."""
        sender = f"anna{number}@spieler.example"
        self.writes(f"{ANNA}{number}", self.text.replace("Eriwan", f"Eriwan{number}"), sender=sender, **more)

    def is_due(self, numbers: Sequence[int]) -> None:
        """Let the time of these copies have come."""
        with self.app.database.engine.begin() as connection:
            ids = [self.game(number) for number in numbers]
            rows = sa.update(tables["game"]).where(tables["game"].c.id.in_(ids))
            connection.execute(
                rows.values(zat=self.now - timedelta(minutes=1), look_at=self.now - timedelta(minutes=1))
            )

    def settle(self) -> None:
        """Let the service look at all that is new, once."""
        self.tick()
        self.tick()
        self.mails()

    def became(self, status: str) -> list[tuple[str, str]]:
        """List subject and reason of the mails of this story that ended so."""
        mail_in = tables["mail_in"]
        rows = sa.select(mail_in.c.subject, mail_in.c.reason).where(mail_in.c.status == status)
        with self.app.database.engine.connect() as connection:
            return [(row[0], row[1]) for row in connection.execute(rows.where(mail_in.c.received_at > self.copied_at))]

    def pass_without_delivery(self) -> Report:
        """Do one pass; sending is another matter."""
        return tick(self.app, outbox=False, archive=False)


tables = SQLModel.metadata.tables
STEP: Final = 100
"""The base has fewer rows than that in each table."""


def copy(database: Database, copies: int) -> None:
    """Copy every row of the base so many times, in the database itself."""
    with database.engine.begin() as connection:
        for name, personal in PERSONAL.items():
            table = tables[name]
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() < STEP
            values = ", ".join(_value(column, personal) for column in table.columns)
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            base = "game_id IS NOT NULL AND " if name == "mail_out" else ""
            connection.execute(
                sa.text(
                    f"INSERT INTO {name} ({columns}) WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k "
                    f"WHERE n < {copies}) SELECT {values} FROM {name} AS t CROSS JOIN k WHERE {base}t.id < {FAR} "
                    f"AND {copies} > 0"
                )
            )


def _value(column: Any, personal: Sequence[str]) -> str:
    """Return what a copy has in a column: ids go on by so many a copy, what must be its own gets its number."""
    name = f't."{column.name}"'
    if column.primary_key or column.foreign_keys:
        return f"{name} + {FAR} + n * {STEP}"
    if column.name in personal:
        return f"{name} || n"
    if column.name in ("address", "sender"):
        return f"replace({name}, '@', n || '@')"
    if column.name == "uid":
        return f"{name} + {FAR} + n * {STEP}"
    return f"CASE WHEN {name} = '1' THEN '1:' || n ELSE {name} || ':' || n END" if column.name == "recipient" else name


def store_mails(database: Database, mails: int, games: int) -> None:
    """Store so many mails that were handled and sent years ago, half of them each, from and to all players."""
    if not mails:
        return
    owner = f"(n % {games - 1} + 1)"
    person, address = f"1 + {FAR} + {owner} * {STEP}", f"'anna' || {owner} || '@spieler.example'"
    kind = "" if database.engine.dialect.name == "sqlite" else "timestamptz "
    old = f"{kind}'2020-01-02 03:04:05.000000'"
    series = f"WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < {mails // 2})"
    given: dict[str, dict[str, str]] = {
        "mail_in": {
            "uid": f"{4 * FAR} + n", "message_id": "'<old' || n || '@spieler.example>'", "content": "'old' || n",
            "sender": address, "player_id": person, "received_at": old, "handled_at": old,
        },
        "mail_out": {
            "cause": "'old:' || n", "message_id": "'<old' || n || '@postspiel.example>'", "address": address,
            "player_id": person, "game_id": person, "opens_round": "NULL", "created_at": old, "sent_at": old,
        },
    }  # fmt: skip
    with database.engine.begin() as connection:
        for name, own in given.items():
            table = tables[name]
            own = {"id": f"{100 * FAR} + n", **own}
            values = ", ".join(own.get(column.name, f't."{column.name}"') for column in table.columns)
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            base = f"(SELECT * FROM {name} WHERE id < {FAR} ORDER BY id DESC LIMIT 1)"
            connection.execute(sa.text(f"INSERT INTO {name} ({columns}) {series} SELECT {values} FROM {base} AS t, k"))


# -- what it costs -----------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Cost:
    """What was done within a span: statements, transactions, and seconds of this process."""

    statements: list[str] = field(default_factory=list)
    transactions: int = 0
    seconds: float = 0.0


@contextmanager
def cost(database: Database) -> Iterator[Cost]:
    """Measure what is done within."""
    spent = Cost()

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        spent.statements.append(statement)

    def count(_connection: Any) -> None:
        spent.transactions += 1

    sa.event.listen(database.engine, "before_cursor_execute", note)
    sa.event.listen(database.engine, "begin", count)
    began = time.process_time()
    try:
        yield spent
    finally:
        spent.seconds = time.process_time() - began
        sa.event.remove(database.engine, "before_cursor_execute", note)
        sa.event.remove(database.engine, "begin", count)
