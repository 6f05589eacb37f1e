"""Random commands to the clock and random mails: a round closes once, on time, and never in a pause or a rest."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS
from gm.game import rests
from gm.game.rests import Rest
from gm.game.schedule import resting
from gm.runtime.errors import Refused
from gm.store.tables import Game, Seat, Sheet, Turn

STEPS = (
    "pause", "resume", "zat", "zat", "close", "move", "move", "all move", "withdraw", "wait", "ready", "hour", "hours",
    "hours", "day", "days", "to the zat", "outage", "rest", "rest", "rest over",
)  # fmt: skip


def game_of(zine: Any) -> Game:
    """Load the game."""
    return next(iter(zine.rows(Game)))


def rest_of(zine: Any) -> Rest | None:
    """Load the rest of the zine."""
    with zine.app.database.read() as session:
        return rests.current(zine.app, session)


def command(zine: Any, rng: Random, step: str) -> bool:
    """Let the GM do something; say whether it was taken."""
    try:
        if step == "pause":
            actions.pause(zine.app, "Eriwan", rng.choice(["1d", "5d", "30d", "12h", None]))
        elif step == "resume":
            actions.resume(zine.app, "Eriwan")
        elif step == "rest":
            first = zine.now + timedelta(days=rng.choice([0, 0, 1, 8]))
            last = first + timedelta(days=rng.choice([0, 2, 9]))
            resting.rest(zine.app, f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}", "")
        elif step == "rest over":
            resting.go_on(zine.app)
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
    if step in ("pause", "resume", "zat", "close", "rest", "rest over"):
        before = game_of(zine)
        taken = command(zine, rng, step)
        game = game_of(zine)
        was_over = step.startswith("rest") and (before.held or (before.zat and before.zat <= zine.now))
        assert not taken or game.zat is None or game.zat > zine.now or was_over, step
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
    before, rest = game_of(zine), rest_of(zine)
    was_over = before.zat is not None and rest is not None and before.zat < rest.start
    rests_now = rest and rest.holds(zine.now)
    closed = zine.tick().closed
    after = game_of(zine)
    assert closed in ([], ["Eriwan"])
    if closed:
        assert not before.held
        assert before.paused_until is None or before.paused_until < zine.now
        assert not rests_now or was_over or settled_by(zine, before, rest.start)
        assert before.zat is not None
        if before.zat >= zine.now:
            check_early(zine, before)
    assert (after.turn or 0) - (before.turn or 0) == len(closed)


def settled_by(zine: Any, before: Game, instant: datetime) -> bool:
    """Say whether all moves were in before a rest began: then nobody had looked since."""
    sheets = [sheet for sheet in zine.rows(Sheet) if sheet.round == before.round and sheet.withdrawn_at is None]
    return {sheet.seat for sheet in sheets} == set(range(1, 7)) and all(one.received_at < instant for one in sheets)


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
    """Play two stories of each kind, or twenty with --trust."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("--trust") else 2))


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
