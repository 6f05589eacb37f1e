"""How tests measure how much work something is."""

import time

from effort import effort


def test_effort_grows_with_the_work() -> None:
    """A hundred times the work is about a hundred times the effort: less than a thousand, more than ten times."""
    one = min(effort(lambda: sum(range(200_000))) for _ in range(5))
    many = min(effort(lambda: sum(range(20_000_000))) for _ in range(3))
    assert 10 < many / one < 1000


def test_waiting_is_no_effort() -> None:
    """What only waits, for others or for a clock, is no work."""
    assert effort(lambda: time.sleep(0.3)) < 0.1


def test_what_is_too_much_is_tried_again() -> None:
    """With a limit the least of a few tries counts; without one there is one."""
    done: list[int] = []
    assert effort(lambda: done.append(sum(range(100_000))), most=1e-9) > 1e-9
    assert len(done) == 5
    effort(lambda: done.append(0))
    assert len(done) == 6
