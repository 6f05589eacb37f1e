"""How many SQL statements a mail, a closing, a digest and an idle pass take: no more with thousands of games.

Statements are counted, not timed: the counts are the same on every machine. The times are in tests/benchmarks.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from many_games import ManyGames, cost

from gm.app.pass_report import Report
from gm.game.schedule.due_rounds import close_due
from gm.reports.overview import all_games, first_rows

pytestmark = pytest.mark.tampers  # its zines are written by hand

FEW, MANY, OLD_MAILS = 40, 600, 6000
SOME = range(1, 11)
OTHERS = range(21, 31)


@pytest.fixture(scope="module")
def few(tmp_path_factory: Any) -> Iterator[ManyGames]:
    """A small zine."""
    zine = ManyGames(tmp_path_factory.mktemp("few"), FEW)
    zine.settle()
    yield zine
    zine.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: Any) -> Iterator[ManyGames]:
    """One of many running games, and with many mails behind it."""
    zine = ManyGames(tmp_path_factory.mktemp("many"), MANY, mails=OLD_MAILS)
    zine.settle()
    yield zine
    zine.close()


def pass_with_mails(zine: ManyGames) -> list[str]:
    """Handle ten moves for ten games, with all that a pass does."""
    for number in SOME:
        zine.sends(number)
    with cost(zine.app.database) as spent:
        assert zine.pass_without_delivery().received == len(SOME)
    zine.settle()
    return spent.statements


def pass_with_closings(zine: ManyGames) -> list[str]:
    """Close ten rounds."""
    zine.is_due(OTHERS)
    with cost(zine.app.database) as spent:
        assert len(zine.pass_without_delivery().closed) == len(OTHERS)
    zine.settle()
    return spent.statements


def idle_pass(zine: ManyGames) -> list[str]:
    """Do a pass with nothing to do."""
    with cost(zine.app.database) as spent:
        assert zine.pass_without_delivery().is_idle
    return spent.statements


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("work", [pass_with_mails, pass_with_closings, idle_pass])
def test_a_pass_takes_as_many_statements_among_many_games(few: ManyGames, many: ManyGames, work: Any) -> None:
    """Neither running games nor mails of former years make a mail, a closing or an idle pass ask more."""
    assert work(many) == work(few)


@pytest.mark.trust
@pytest.mark.sqlite
def test_one_more_round_costs_its_row(few: ManyGames) -> None:
    """Rounds that are due together share their statements, with or without NMRs; SQLite inserts steps one by one."""

    def statements(numbers: range) -> int:
        few.is_due(numbers)
        with cost(few.app.database) as spent:
            close_due(few.app, few.now, Report())
        few.settle()
        return len(spent.statements)

    assert statements(range(11, 31)) - statements(range(31, 36)) == 20 - 5


def test_an_idle_pass_is_short(many: ManyGames) -> None:
    """With nothing to do a pass asks a few questions and writes nothing."""
    idle_pass(many)
    statements = idle_pass(many)
    assert len(statements) <= 31
    assert not [said for said in statements if said.startswith(("INSERT", "UPDATE", "DELETE"))]


def test_gm_list_takes_one_more_statement_for_500_games(few: ManyGames, many: ManyGames) -> None:
    """`gm show` takes the same statements in any zine, `gm list` one more for each 500 games, none for each game."""
    asked = {}
    for zine in (few, many):
        for look in (first_rows, all_games):
            with cost(zine.app.database) as spent, zine.app.database.read() as session:
                look(zine.app, session)
            asked[zine, look] = len(spent.statements)
    assert asked[many, first_rows] == asked[few, first_rows] <= 20
    assert asked[few, all_games] < asked[many, all_games] <= 2 * asked[few, all_games]


@pytest.mark.trust
def test_the_digest_takes_statements_by_the_portion(few: ManyGames, many: ManyGames) -> None:
    """An issue for 1,200 players asks a few times for each 500 games or players, not for each of them."""
    counted = {}
    for zine in (few, many):
        zine.at("2026-11-08T17:00:00+01:00")
        zine.settle()
        zine.at("2026-11-08T18:00:01+01:00")
        with cost(zine.app.database) as spent:
            zine.pass_without_delivery()
        sent = [said for said in spent.statements if said.startswith("INSERT INTO mail_out")]
        counted[zine] = len(spent.statements), len(sent)
    assert counted[many][1] > 2
    assert counted[many][0] < 5 * counted[few][0]
    assert counted[many][0] < MANY / 3
