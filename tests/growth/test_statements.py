"""How many statements a mail, a closing, a copy of the digest and an idle pass take: as many among thousands of games.

Counts, not times: they are the same on every machine and each time. The times are in tests/benchmarks.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from crowd import Crowd, cost

from gm.app.pass_report import Report
from gm.game.schedule.due_rounds import close_due
from gm.reports.overview import all_games, first_rows

FEW, MANY, OLD_MAILS = 40, 600, 6000
SOME = range(1, 11)
OTHERS = range(21, 31)


@pytest.fixture(scope="module")
def few(tmp_path_factory: Any) -> Iterator[Crowd]:
    """A small zine."""
    crowd = Crowd(tmp_path_factory.mktemp("few"), FEW)
    crowd.settle()
    yield crowd
    crowd.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: Any) -> Iterator[Crowd]:
    """One of many running games, and with many mails behind it."""
    crowd = Crowd(tmp_path_factory.mktemp("many"), MANY, mails=OLD_MAILS)
    crowd.settle()
    yield crowd
    crowd.close()


def pass_with_mails(crowd: Crowd) -> list[str]:
    """Handle ten moves for ten games, with all that a pass does."""
    for number in SOME:
        crowd.sends(number)
    with cost(crowd.app.database) as spent:
        assert crowd.pass_without_delivery().received == len(SOME)
    crowd.settle()
    return spent.statements


def pass_with_closings(crowd: Crowd) -> list[str]:
    """Close ten rounds."""
    crowd.is_due(OTHERS)
    with cost(crowd.app.database) as spent:
        assert len(crowd.pass_without_delivery().closed) == len(OTHERS)
    crowd.settle()
    return spent.statements


def idle_pass(crowd: Crowd) -> list[str]:
    """Do a pass with nothing to do."""
    with cost(crowd.app.database) as spent:
        assert crowd.pass_without_delivery().is_idle
    return spent.statements


@pytest.mark.parametrize("work", [pass_with_mails, pass_with_closings, idle_pass])
def test_a_pass_takes_as_many_statements_among_many_games(few: Crowd, many: Crowd, work: Any) -> None:
    """Neither running games nor mails of former years make a mail, a closing or an idle pass ask more."""
    assert work(many) == work(few)


@pytest.mark.sqlite
def test_one_more_round_costs_its_row(few: Crowd) -> None:
    """Rounds that fall due together share their statements, silent seats or not; SQLite adds steps one by one."""

    def statements(numbers: range) -> int:
        few.is_due(numbers)
        with cost(few.app.database) as spent:
            close_due(few.app, few.now, Report())
        few.settle()
        return len(spent.statements)

    assert statements(range(11, 31)) - statements(range(31, 36)) == 20 - 5


def test_an_idle_pass_is_short(many: Crowd) -> None:
    """With nothing to do a pass asks a few questions and writes nothing."""
    idle_pass(many)  # where processes share the work it notes that it has fetched at this instant
    statements = idle_pass(many)
    assert len(statements) <= 30
    assert not [said for said in statements if said.startswith(("INSERT", "UPDATE", "DELETE"))]


def test_what_the_gm_looks_at_takes_statements_by_the_portion(few: Crowd, many: Crowd) -> None:
    """`gm show` asks as much in any zine, `gm list` once more for each 500 games; neither asks for each game."""
    asked = {}
    for crowd in (few, many):
        for look in (first_rows, all_games):
            with cost(crowd.app.database) as spent, crowd.app.database.read() as session:
                look(crowd.app, session)
            asked[crowd, look] = len(spent.statements)
    assert asked[many, first_rows] == asked[few, first_rows] <= 20
    assert asked[few, all_games] < asked[many, all_games] <= 2 * asked[few, all_games]


def test_the_digest_takes_statements_by_the_portion(few: Crowd, many: Crowd) -> None:
    """An issue for 1,200 players asks a few times for each 500 games or players, not for each of them."""
    counted = {}
    for crowd in (few, many):
        crowd.at("2026-11-08T17:00:00+01:00")
        crowd.settle()
        crowd.at("2026-11-08T18:00:01+01:00")
        with cost(crowd.app.database) as spent:
            crowd.pass_without_delivery()
        sent = [said for said in spent.statements if said.startswith("INSERT INTO mail_out")]
        counted[crowd] = len(spent.statements), len(sent)
    assert counted[many][1] > 2
    assert counted[many][0] < 5 * counted[few][0]
    assert counted[many][0] < MANY / 3
