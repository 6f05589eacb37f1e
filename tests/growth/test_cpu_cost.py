"""`cpu_cost`: CPU time is measured independently of the machine's speed and of waiting."""

import time

from cpu_cost import work_units


def test_more_work_takes_more_units() -> None:
    """A hundred times the work takes about a hundred times as long: between ten and a thousand times."""
    one = min(work_units(lambda: sum(range(50_000))) for _ in range(5))
    many = min(work_units(lambda: sum(range(5_000_000))) for _ in range(3))
    assert 10 < many / one < 1000


def test_waiting_takes_no_units() -> None:
    """Sleeping doesn't count."""
    assert work_units(lambda: time.sleep(0.3)) < 50


def test_work_over_the_limit_is_repeated() -> None:
    """With a limit the fastest of five tries counts; without one the work is done once."""
    done: list[int] = []
    assert work_units(lambda: done.append(sum(range(100_000))), most=1e-9) > 1e-9
    assert len(done) == 5
    work_units(lambda: done.append(0))
    assert len(done) == 6
