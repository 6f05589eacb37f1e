"""What a mail, a closing and a player's digest cost, by the number of running games and of stored mails.

The zines alternate, so that other load on the machine slows all of them alike; medians are compared. At full length
they have up to 100,000 games and 1,000,000 mails, which takes minutes and some gigabytes to build.
"""

import statistics
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import many_games
import pytest

from gm.service.outbound import digests

ROUNDS, AT_ONCE = 7, 10
"""How often each of them gets so many mails, and so many closings."""
SIZES = ((100, 0), (1000, 0), (1000, 10_000), (1000, 100_000))
ALL_SIZES = ((100, 0), (1000, 0), (10_000, 0), (100_000, 0), (1000, 1000), (1000, 1_000_000))
"""Games and mails."""


@pytest.fixture(scope="module")
def zines(tmp_path_factory: pytest.TempPathFactory, at_full_length: bool) -> Iterator[dict[tuple[int, int], Any]]:
    """Zines from small to large."""
    sizes = ALL_SIZES if at_full_length else SIZES
    built = {size: many_games.ManyGames(tmp_path_factory.mktemp("zine"), size[0], mails=size[1]) for size in sizes}
    for zine in built.values():
        zine.settle()
    yield built
    for zine in built.values():
        zine.close()


def _compare(
    zines: dict[tuple[int, int], Any], benchmark: Any, work: Callable[[Any, int], tuple[int, Any]]
) -> None:  # fmt: skip
    """Let all do the same in turns; keep what one thing took in each."""
    found: dict[tuple[int, int], list[tuple[float, float]]] = {size: [] for size in zines}

    def all_in_turn() -> None:
        for number in range(ROUNDS):
            for size, zine in zines.items():
                done, spent = work(zine, number)
                found[size].append((spent.seconds / done * 1000, len(spent.statements) / done))
                zine.settle()

    benchmark.pedantic(all_in_turn, rounds=1)
    for (games, mails), measured in found.items():
        seconds, statements = (statistics.median(one) for one in zip(*measured, strict=True))
        benchmark.extra_info[f"{games} games, {mails} mails"] = f"{seconds:.2f} ms CPU, {statements:.1f} statements"
    print(*benchmark.extra_info.items(), sep="\n")


def test_cost_of_a_mail(zines: dict[tuple[int, int], Any], benchmark: Any) -> None:
    """Ten moves for ten games, from the inbox to the queued confirmations and the next looks."""

    def work(zine: Any, number: int) -> tuple[int, Any]:
        for game in range(1, AT_ONCE + 1):
            zine.sends(game)
        with many_games.cost(zine.app.database) as spent:
            assert zine.pass_without_delivery().received == AT_ONCE
        return AT_ONCE, spent

    _compare(zines, benchmark, work)


def test_cost_of_a_closing(zines: dict[tuple[int, int], Any], benchmark: Any) -> None:
    """Ten rounds that are due, with their bulletins queued."""

    def work(zine: Any, number: int) -> tuple[int, Any]:
        zine.is_due(range(11 + AT_ONCE * number, 11 + AT_ONCE * (number + 1)))
        with many_games.cost(zine.app.database) as spent:
            assert len(zine.pass_without_delivery().closed) == AT_ONCE
        return AT_ONCE, spent

    _compare(zines, benchmark, work)


def test_cost_of_a_digest(zines: dict[tuple[int, int], Any], benchmark: Any) -> None:
    """An issue of the digest by its copies: two players to a game, each with a move to make."""

    def work(zine: Any, _number: int) -> tuple[int, Any]:
        with many_games.cost(zine.app.database) as spent, suppress(_TakenBack), zine.app.database.write() as session:
            made = digests.queue(zine.app, session, digests.out_of_turn(zine.app))
            raise _TakenBack
        copies = sum(copy.part is not None for copy in made.copies)
        assert copies == 2 * (zine.copies + 1)
        return copies, spent

    _compare({size: zine for size, zine in zines.items() if size[0] <= 10_000}, benchmark, work)


class _TakenBack(Exception):  # noqa: N818  the next round finds the zine as it was
    pass
