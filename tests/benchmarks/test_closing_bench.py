"""Closing the rounds of many games that are due at the same minute, from finding them to the queued bulletins.

A few games of Crossword are played up to a round in which all moves are on file. The others are copies of their rows
with other names and players, each with its own threads, duties and history. Nothing is delivered.
"""

import shutil
import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import seating
import sqlalchemy as sa
from sqlmodel import SQLModel, select

from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.app.context import App, open_app
from gm.app.pass_report import Report
from gm.demo.in_memory_zine import Story, address_of
from gm.game.position import position
from gm.game.schedule.due_rounds import close_due
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.service.tick import settle_in
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Address, Duty, Game, MailOut, Player, Seat, Sheet, Turn

GAMES = 1000
MODELS = 10
"""Games that are really played: what is kept for a board that was drawn before must not flatter the others."""
FIRST = 1000
"""The id of the first copy."""
RUNS = 3
SEATS = range(1, 7)

SPREADS = {
    "one game a player": (GAMES, "", 0),
    "four games a player": (GAMES // 4, "", 0),
    "four games a player, one in each is silent": (GAMES // 4, "", 1),
    "ten games a player, each second one reads English": (GAMES // 10, "en", 0),
}
"""The players of so many tables, the language of each second one, and how many at each table sent no move."""


# -- games that are due ------------------------------------------------------------------------------------------------


def play_models(folder: Path, until: int) -> Story:
    """Play a few games up to this round, with all moves of it on file."""
    more = {"deadlines": {"close_early": False}, "security": {"answers_per_hour": 10_000}}
    story = Story(folder, more=more)
    for game in range(MODELS):
        actions.new_game(story.app, "crossword", f"Modell-{game}")
        for seat, wish in zip(SEATS, "DNTIRO", strict=True):
            name = f"{'ABCDEF'[seat - 1]}{game} Muster"
            seating.join(story.app, f"Modell-{game}", name, address_of(name), wish)
        actions.start(story.app, f"Modell-{game}")
    for number in range(until):
        if number:
            story.now = _zat(story.app) + timedelta(seconds=2)
        story.tick()
        story.passes(minutes=1)
        _all_send(story)
    return story


def _zat(app: App) -> datetime:
    """Return the ZAT that all games have in common."""
    with app.database.read() as session:
        return max(zat for zat in session.exec(select(Game.zat)) if zat)


def _all_send(story: Story) -> None:
    with story.app.database.read() as session:
        for game in game_queries.games(session):
            at = position(story.app, game)
            for seat, held in zip(SEATS, seat_queries.seats(game), strict=True):
                lines = at.engine.suggest(at.state, SeatNumber(seat), Dice(game.name, seat), story.app.lexicon)
                player = session.get_one(Player, held.player_id)
                story.writes(player.name, "\n".join([f"Crossword {game.name}", *lines, ""]))
    story.tick()


def copy_games(app: App, tables: int, language: str, silent: int) -> None:
    """Copy the rows of the models until there are enough games, for the players of so many tables."""
    with app.database.write() as session:
        connection = session.connection()
        connection.execute(sa.delete(Sheet).where(Sheet.__table__.c.seat <= silent))  # type: ignore[attr-defined]
        models = [_rows(connection, game.id) for game in game_queries.games(session)]
        connection.execute(sa.update(Game).values(status="aborted", zat=None))
        for number in range(FIRST, FIRST + 6 * tables):
            player = Player(
                id=number, name=f"{'ABCDEF'[number % 6]}{number} Kopie", name_key=f"copy-{number}",
                language=language if number % 2 else "", created_at=app.now(),
            )  # fmt: skip
            connection.execute(sa.insert(Player), [player.model_dump()])
            connection.execute(sa.insert(Address), [{"player_id": number, "address": f"p{number}@spieler.example"}])
        for number in range(GAMES):
            _lay_down(connection, models[number % MODELS], FIRST + number, FIRST - 1 + 6 * (number % tables))


_TABLES: tuple[type[SQLModel], ...] = (Game, Seat, Turn, Sheet, Duty, MailOut)


def _rows(connection: sa.Connection, game_id: int) -> dict[type[SQLModel], list[dict[str, Any]]]:
    found = {}
    for table in _TABLES:
        columns = table.__table__.c  # type: ignore[attr-defined]
        key = columns.id if table is Game else columns.game_id
        rows = connection.execute(sa.select(table.__table__).where(key == game_id).order_by(columns.id))  # type: ignore[attr-defined]
        found[table] = [dict(row._mapping) for row in rows]
    found[MailOut] = [row for row in found[MailOut] if row["opens_round"] is not None and row["player_id"]]
    return found


def _lay_down(connection: sa.Connection, model: Mapping[Any, Any], game_id: int, before: int) -> None:
    """Lay the rows of a model down once more, under other ids."""
    players = {row["player_id"]: before + row["number"] for row in model[Seat]}
    steps = {row["id"]: game_id * 100 + at for at, row in enumerate(model[Turn])}

    def copied(row: Mapping[str, Any], at: int, **more: Any) -> dict[str, Any]:
        other = {**row, "id": game_id * 1000 + at, "game_id": game_id, **more}
        other |= {"player_id": players[row["player_id"]]} if row.get("player_id") else {}
        return other | {key: None for key in ("mail_id",) if key in row}

    (game,) = model[Game]
    connection.execute(
        sa.insert(Game), [{**game, "id": game_id, "name": f"Spiel-{game_id}", "name_key": f"spiel-{game_id}"}]
    )
    connection.execute(
        sa.insert(Turn), [copied(row, at) | {"id": steps[row["id"]]} for at, row in enumerate(model[Turn])]
    )
    for table in (Seat, Sheet):
        connection.execute(sa.insert(table), [copied(row, at) for at, row in enumerate(model[table])])
    duties = [copied(row, at, turn_id=steps[row["turn_id"]]) for at, row in enumerate(model[Duty])]
    if duties:
        connection.execute(sa.insert(Duty), duties)
    mails = []
    for at, row in enumerate(model[MailOut]):
        mail = copied(row, at, message_id=f"<{game_id}.{at}@postspiel.example>", raw=None, cause=f"copy:{game_id}:{at}")
        mails.append(mail | {"recipient": str(mail["player_id"])})
    connection.execute(sa.insert(MailOut), mails)


# -- measuring ---------------------------------------------------------------------------------------------------------


@dataclass
class Cost:
    """What closing them all took."""

    wall: float = 0
    cpu: float = 0
    statements: int = 0


@contextmanager
def measured(app: App) -> Iterator[Cost]:
    """Take the time, and count what the database is asked."""
    cost = Cost()

    def count(*_: Any) -> None:
        cost.statements += 1

    sa.event.listen(app.database.engine, "before_cursor_execute", count)
    wall, cpu = time.perf_counter(), time.process_time()
    yield cost
    cost.wall, cost.cpu = time.perf_counter() - wall, time.process_time() - cpu
    sa.event.remove(app.database.engine, "before_cursor_execute", count)


def say(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """Print where it is seen without `-s`."""
    with capsys.disabled():
        print(f"\n{line}")


@pytest.fixture(scope="module", params=[3, 6], ids=["round 3", "the last round"])
def models(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """The models, up to a round in the middle or to the last one."""
    story = play_models(tmp_path_factory.mktemp("models"), request.param)
    story.close()
    return story


@pytest.mark.parametrize("spread", SPREADS)
def test_closing_at_the_same_minute(
    spread: str, models: Story, benchmark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So many rounds closed, every disk sync included (target: 100 games/s, mark to beat 200)."""
    tables, language, silent = SPREADS[spread]
    shutil.copytree(models.config.parent, tmp_path / "made")
    made = models.open(load(tmp_path / "made" / "config.toml"))
    copy_games(made, tables, language, silent)
    due = _zat(made) + timedelta(seconds=5)
    with made.database.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    made.close()
    costs = []

    def open_one() -> tuple[tuple[App], dict[str, Any]]:
        folder = tmp_path / f"run{len(costs)}"
        shutil.copytree(tmp_path / "made", folder)
        app = replace(open_app(load(folder / "config.toml")), now=lambda: due)
        settle_in()
        return (app,), {}

    def close_all(app: App) -> None:
        report = Report()
        with measured(app) as cost:
            close_due(app, due, report)
        costs.append(cost)
        assert len(report.closed) == GAMES
        with app.database.read() as session:
            queued = select(sa.func.count()).select_from(MailOut).where(MailOut.status == "queued")
            assert session.exec(queued).one() == 6 * GAMES
        app.close()

    benchmark.pedantic(close_all, setup=open_one, rounds=RUNS)
    figures = {
        "games_per_s": GAMES / statistics.median(cost.wall for cost in costs),
        "cpu_ms": 1000 * statistics.median(cost.cpu for cost in costs) / GAMES,
        "statements": costs[0].statements / GAMES,
    }
    benchmark.extra_info.update(figures)
    say(capsys, f"{spread}: {figures['games_per_s']:.0f} games/s, {figures['cpu_ms']:.2f} ms CPU and "
        f"{figures['statements']:.1f} statements a closing")  # fmt: skip
