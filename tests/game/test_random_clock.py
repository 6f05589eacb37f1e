"""Random commands to the clock and random mails: a round closes once, on time, and never in a pause."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.tables import Game, Seat, Sheet, Turn

STEPS = (
    "pause", "resume", "zat", "zat", "close", "move", "move", "all move", "withdraw", "wait", "ready", "hour", "hours",
    "hours", "day", "days", "to the zat", "outage",
)  # fmt: skip


def game_of(zine: Any) -> Game:
    """Load the game."""
    return next(iter(zine.rows(Game)))


def command(zine: Any, rng: Random, step: str) -> bool:
    """Let the GM do something; say whether it was taken."""
    try:
        if step == "pause":
            actions.pause(zine.app, "Eriwan", rng.choice(["1d", "5d", "30d", "12h", None]))
        elif step == "resume":
            actions.resume(zine.app, "Eriwan")
        elif step == "zat":
            actions.move_zat(
                zine.app, "Eriwan", rng.choice(["+1d", "+7d", "+12h", "2026-12-01 20:00", "2027-03-28 02:30"])
            )
        else:
            actions.close(zine.app, "Eriwan", zine.now)
    except Refused:
        return False
    return True


def let_time_pass(zine: Any, rng: Random, step: str) -> None:
    """An hour, a day, up to the ZAT, or a time without the service."""
    zat = game_of(zine).zat
    if step == "to the zat" and zat:
        zine.passes_until(max(zine.now, zat - timedelta(seconds=rng.choice([0, 1, 30, 7200]))))
    elif step == "outage":
        zine.passes(hours=rng.choice([25, 70]))
    else:
        zine.passes(hours={"hour": 1, "hours": 6, "day": 20}.get(step, 22))


def take(zine: Any, rng: Random, step: str) -> None:
    """Carry a step out; a ZAT that a command leaves lies ahead."""
    name = rng.choice(PLAYERS)
    if step in ("pause", "resume", "zat", "close"):
        taken = command(zine, rng, step)
        zat = game_of(zine).zat
        assert not taken or zat is None or zat > zine.now, step
    elif step == "move":
        zine.sends(name, "", rng.choice(["E", ""]))
    elif step == "all move":
        for one in PLAYERS:
            zine.sends(one, "")
    elif step in ("withdraw", "wait", "ready"):
        zine.writes(name, {"withdraw": "Zurückziehen", "wait": "Warten", "ready": "Fertig"}[step] + " Eriwan\n")
    else:
        let_time_pass(zine, rng, step)


def check_pass(zine: Any) -> None:
    """Do a pass; what it closes had come to its end, and stood still neither by the GM nor in a pause."""
    before = game_of(zine)
    closed = zine.tick().closed
    after = game_of(zine)
    assert closed in ([], ["Eriwan"])
    if closed:
        assert not before.held
        assert before.paused_until is None or before.paused_until < zine.now
        assert before.zat is not None
        if before.zat >= zine.now:
            check_early(zine, before)
    assert (after.turn or 0) - (before.turn or 0) == len(closed)


def check_early(zine: Any, before: Game) -> None:
    """All moves were in, nobody waited, and the last one had settled, unless all had said to be ready."""
    seats = [seat for seat in zine.rows(Seat) if seat.intent_round == before.round]
    sheets = [sheet for sheet in zine.rows(Sheet) if sheet.round == before.round and sheet.withdrawn_at is None]
    last = max(sheet.received_at for sheet in sheets)
    assert {sheet.seat for sheet in sheets} == set(range(1, 7))
    assert "wait" not in [seat.intent for seat in seats]
    all_ready = [seat.intent for seat in seats] == ["ready"] * 6
    may_close = zine.app.settings.deadlines.close_early and not before.reopened
    assert all_ready or (may_close and last + timedelta(hours=12) < zine.now)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Play two stories of each kind, or twenty with --full-length."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("--full-length") else 2))


@pytest.mark.trust
@pytest.mark.parametrize("deadlines", [{"outage": "24h"}, {"close_early": False}], ids=["outages", "late"])
def test_a_round_closes_once_and_in_its_time(begin: Any, seed: int, deadlines: dict[str, Any]) -> None:
    """In any order of pauses, ZATs, moves and waits nothing closes too early, twice, or with its clock stopped."""
    rng = Random(f"clock {seed}")
    zine = begin("started", security={"answers_per_hour": 10_000}, deadlines=deadlines)
    for _ in range(40):
        take(zine, rng, rng.choice(STEPS))
        if rng.random() < 0.8:
            check_pass(zine)
        if zine.status != "running":
            break
    numbers = [(turn.number, turn.version) for turn in zine.rows(Turn)]
    assert len(set(numbers)) == len(numbers)
    assert [number for number, _ in numbers] == list(range(len(numbers)))
    ends = [datetime.fromisoformat(turn.at.isoformat()) for turn in zine.rows(Turn)]
    assert ends == sorted(ends)
