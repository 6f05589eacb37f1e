"""Which mails are sent next: the SQL query gives the same as a simple loop over the queue."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gm.app.context import App
from gm.demo.in_memory_zine import Story
from gm.service.outbound.delivery import LONGEST_PAUSE, take_from_queue
from gm.store.tables import MailOut

MOST: Final = 6
STATES: Final[dict[str, dict[str, Any]]] = {
    "fresh": {},
    "put off": {"attempts": 1, "next_try": timedelta(minutes=3)},
    "put off until now": {"attempts": 1},
    "put off by a clock that was ahead": {"attempts": 1, "next_try": LONGEST_PAUSE + timedelta(days=1)},
    "left by a crash": {"sending": True},
    "sent": {"status": "sent", "attempts": 1},
    "dropped": {"status": "dropped"},
}
"""What a mail can be like, with instants from now on."""
READY: Final = ("fresh", "put off until now", "put off by a clock that was ahead", "left by a crash")
GONE: Final = ("sent", "dropped")

Queue = Sequence[tuple[str, int, str]]
"""Address, priority and state of each mail, in the order in which they were queued."""


def expected(queue: Queue, most: int) -> list[int]:
    """Return which go next, by their places: the first ones that nothing waits before that is for the same hands."""
    waiting, free = set(), []
    for place, (address, priority, state) in enumerate(queue, start=1):
        if state in GONE:
            continue
        if state not in READY:
            waiting.add((address, priority))
        elif (address, priority) not in waiting:
            free.append((priority, place))
    return [place for _, place in sorted(free)[:most]]


def put(app: App, now: datetime, queue: Queue) -> None:
    """Let this be all that is queued."""
    rows = []
    for place, (address, priority, state) in enumerate(queue, start=1):
        blank = {"status": "queued", "attempts": 0, "next_try": timedelta(0), "sending": False, **STATES[state]}
        instants = {key: now + value for key, value in blank.items() if isinstance(value, timedelta)}
        rows.append({
            "id": place, "cause": f"{place}", "kind": "note", "recipient": address, "address": address,
            "message_id": f"<{place}@test>", "subject": "", "raw": b"", "priority": priority, "created_at": now,
            "error": "", "raw_hash": "", **blank, **instants,
        })  # fmt: skip
    with app.database.engine.begin() as connection:
        connection.execute(sa.delete(MailOut))
        if rows:
            connection.execute(sa.insert(MailOut), rows)


def test_nobodys_mail_overtakes_another(running: Callable[..., Story]) -> None:
    """The first mails that may go are taken, answers first, without what stands behind one that may not."""
    story = running(more={"smtp": {"per_minute": MOST}})
    mails = st.tuples(st.sampled_from("abc"), st.integers(0, 1), st.sampled_from(list(STATES)))
    fresh = st.tuples(st.sampled_from("abc"), st.integers(0, 1), st.just("fresh"))

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
    @given(st.lists(mails | fresh, max_size=14))
    def check(queue: Queue) -> None:
        put(story.app, story.now, queue)
        assert [letter.id for letter in take_from_queue(story.app)] == expected(queue, MOST)

    check()
