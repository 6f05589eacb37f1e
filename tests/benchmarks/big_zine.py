"""A zine of any size, made in seconds: rows of a small one copied by SQL, on SQLite and PostgreSQL.

`python tests/benchmarks/big_zine.py DIR 100000 1000000` makes one to try commands on.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import seating
from sqlalchemy import event, inspect, text
from sqlmodel import Session

from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.requests.desk import actions
from gm.store.database import Database

BYTES = 700
"""So much is copied of a mail. Real ones are longer, which costs only the disk."""

STATUS = "CASE WHEN n % 10 = 0 THEN 'finished' WHEN n % 101 = 0 THEN 'open' ELSE one.status END"
HELD = "CASE WHEN n % 997 = 0 THEN 'a question is open' ELSE '' END"


def copy(session: Session, table: str, number: int, changes: Mapping[str, str], where: str = "TRUE") -> None:
    """Copy rows so many times. `changes` are SQL by column, in which `n` counts from 1."""
    connection = session.connection()
    columns = [column["name"] for column in inspect(connection).get_columns(table)]
    values = ", ".join(changes.get(column, f'one."{column}"') for column in columns)
    named = ", ".join(f'"{column}"' for column in columns)
    connection.execute(text(
        f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {number}) "
        f'INSERT INTO "{table}" ({named}) SELECT {values} FROM "{table}" AS one CROSS JOIN numbers WHERE {where}'
    ))  # fmt: skip


def enlarge(database: Database, *, games: int, mails: int) -> None:
    """Copy the one running game (the ZATs of the copies follow one another) and two mails, up to these numbers."""
    if database.engine.dialect.name == "sqlite":
        event.listen(database.engine, "connect", _in_a_hurry)
        database.engine.dispose()
        later = "datetime(one.zat, (n % 20160) || ' minutes') || '.000000'"
    else:
        later = "one.zat + n % 20160 * interval '1 minute'"
    ids = {"id": "one.id + n * 1000"}
    each = {**ids, "game_id": "one.game_id + n"}
    mail = {**ids, "message_id": "'<' || (n + 10000000) || '@copy.example>'", "raw": f"substr(one.raw, 1, {BYTES})"}
    about = {"cause": "'copy:' || (n + 10000000)", "game_id": f"1 + n % {games}"}
    for table, number, changes, where in (
        ("game", games - 1, {
            "id": "one.id + n", "name": "one.name || '-' || n", "name_key": "one.name_key || '-' || n", "zat": later,
            "status": STATUS, "held": HELD,
        }, "TRUE"),
        ("seat", games - 1, each, "TRUE"),
        ("turn", games - 1, each, "TRUE"),
        ("mail_in", mails // 2, {**mail, "uid": "one.uid + n * 1000"}, "one.id = 1"),
        ("mail_out", mails // 2, {**mail, **about}, "one.id = 1"),
    ):  # fmt: skip
        with database.write() as session:
            copy(session, table, number, changes, where)
    with database.write() as session:
        session.connection().execute(text("ANALYZE"))


def _in_a_hurry(connection: Any, _record: Any) -> None:
    """What is half made is thrown away."""
    for pragma in ("synchronous=OFF", "cache_size=-200000", "wal_autocheckpoint=20000"):
        connection.execute(f"PRAGMA {pragma}")


def small(folder: Path, **more: Any) -> Story:
    """Play a game up to a move and its confirmation: what is copied."""
    story = Story(folder, words=["RAR", "ROT", "TOR"], **more)
    actions.new_game(story.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(story.app, "Eriwan", name, address_of(name), wish)
    actions.start(story.app, "Eriwan")
    story.tick()
    story.writes("Anna Berg", "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5)
    story.tick()
    return story


if __name__ == "__main__":
    place, wanted_games, wanted_mails = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    made = small(place)
    enlarge(made.app.database, games=wanted_games, mails=wanted_mails)
    made.close()
