"""`first_games`: which games the GM sees first, of few and of many (gm.reports.games)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import write_config
from gm.reports.games import MOST_GAMES, GameState, Stop, by_need, first_games
from gm.runtime.config.settings import load
from gm.store.database import Database
from gm.store.queries.game_queries import STATUSES
from gm.store.tables import Game

NOW = datetime(2026, 11, 2, 11, 0, tzinfo=UTC)
DAYS = [None, *range(-3, 4)]
"""How far off a ZAT is: few values, so that many are the same."""
LIKELY = {
    "most are overdue": (("running", "running", "finished"), (-3, -2, -1, 0)),
    "none is overdue": (("running", "running", "finished"), (1, 2, 3)),
    "few run": (("finished",) * 20 + ("aborted", "open", "running"), (None, 1)),
    "most wait for the GM": (("provisional", "provisional", "running"), (None, None, -1)),
    "of all kinds": (STATUSES, DAYS),
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty zine."""
    database = Database(load(write_config(tmp_path)).database.url)
    database.prepare()
    yield database
    database.close()


def some_game(number: int, dice: Random, statuses: Sequence[str], days: Sequence[int | None]) -> Game:
    """A game as chance makes it; one in ten is held."""
    off = dice.choice(days)
    return Game(
        id=number, name=f"G{number}", name_key=f"g{number}", engine="crossword", language="de", seed="", span="1d",
        created_at=NOW, status=dice.choice(statuses), held="" if dice.random() < 0.9 else "somebody has to look",
        zat=None if off is None else NOW + timedelta(days=off),
    )  # fmt: skip


def in_order(shown: Sequence[Game]) -> list[int]:
    """The order by its definition: what may need something by ZAT, the next ZATs, and then the newest first."""
    running = [game for game in shown if game.status == "running"]
    urgent = [game for game in running if game.zat is None or game.zat <= NOW]
    urgent += [game for game in shown if game.held or game.status == "provisional"]
    urgent.sort(key=lambda game: (game.zat is None, game.zat or NOW, game.id))
    coming = sorted((game for game in running if game.zat and game.zat > NOW), key=lambda game: (game.zat, game.id))
    newest = sorted(shown, key=lambda game: -game.id)
    return list(dict.fromkeys(game.id for game in (*urgent, *coming, *newest)))


@pytest.mark.trust(except_first=10)
@pytest.mark.parametrize("number", [3, 40, 300])
@pytest.mark.parametrize("likely", LIKELY)
def test_what_comes_first(database: Database, likely: str, number: int) -> None:
    """Whatever stands in a zine, the same games are picked in the same order as if all had been looked at."""
    dice = Random(f"{likely} {number}")
    with database.write() as session:
        session.add_all(some_game(one, dice, *LIKELY[likely]) for one in range(1, number + 1))
    with database.read() as session:
        found = first_games(session, NOW)
        wanted = in_order(session.exec(select(Game)).all())
    assert [game.id for game in found] == wanted[:MOST_GAMES]


def game(name: str, status: str, zat: str | None = None, stop: Stop = "", why: str = "") -> GameState:
    """A game as it stands."""
    row = some_game(1, Random(1), [status], [None])
    row.name, row.zat = name, datetime.fromisoformat(zat) if zat else None
    return GameState(game=row, engine=None, stop=stop, why=why)


def test_the_order_of_games() -> None:
    """First the games that need the GM, then open ones, running ones by ZAT (in any time zone), then finished ones."""
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    games = [
        game("over", "finished"),
        game("later", "running", "2026-12-01T20:00:00+01:00"),
        game("open", "open"),
        game("summer", "running", "2026-11-30T20:30:00+02:00"),
        game("winter", "running", "2026-11-30T19:15:00+01:00"),
        game("doubtful", "provisional"),
        game("late", "running", "2026-11-21T12:59:00+01:00"),
        game("two mails", "running", "2026-11-20T20:00:00+01:00", "mail", "two mails"),
        game("broken off", "aborted"),
    ]
    ordered = by_need(games, now)
    assert [one.game.name for one in ordered] == [
        "two mails", "late", "doubtful", "open", "winter", "summer", "later", "over", "broken off"
    ]  # fmt: skip
    assert [one.need(now) for one in ordered][:4] == [
        "two mails", "the ZAT has passed", "words to rule on: gm todo", "",
    ]  # fmt: skip
