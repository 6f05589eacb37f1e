"""Random mails of one player in random order: what is on file agrees with a model of a few lines."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gm.demo.in_memory_zine import PLAYERS

ANNA = PLAYERS[0]
MOVES = {"A": ("dn", "E"), "B": ("ti", "X")}
STEPS = [*MOVES, "invalid", "withdraw", "template", "duplicate", "oldest again", "tick", "restore"]


def on_file_after(steps: list[str]) -> tuple[str, str] | None:
    """Return what must be on file: the last valid move that was not withdrawn; nothing else matters."""
    on_file = None
    for step in steps:
        on_file = None if step == "withdraw" else MOVES.get(step, on_file)
    return on_file


def take(zine: Any, step: str, sent: list[bytes]) -> None:
    """Carry a step out."""
    if step in MOVES:
        letters, wish = MOVES[step]
        sent.append(zine.sends(ANNA, letters.upper(), wish))
    elif step == "invalid":
        sent.append(zine.sends(ANNA, "QQ"))
    elif step == "template":
        sent.append(zine.sends(ANNA, "", ""))
    elif step == "withdraw":
        sent.append(zine.writes(ANNA, "Zurückziehen Eriwan\n"))
    elif step in ("duplicate", "oldest again") and sent:
        zine.arrives(sent[-1 if step == "duplicate" else 0])
    elif step == "tick":
        zine.tick()
    elif step == "restore":
        zine.server.renumber()


@pytest.mark.trust
@settings(
    max_examples=15, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(steps=st.lists(st.sampled_from(STEPS), max_size=8))
def test_any_sequence_leaves_what_the_model_says(begin: Any, steps: list[str]) -> None:
    """Any sequence of moves, faults, withdrawals, duplicates and passes leaves the last valid move on file."""
    zine = begin("started", security={"answers_per_hour": 1000})
    sent: list[bytes] = []
    for step in steps:
        take(zine, step, sent)
    zine.tick()
    assert zine.on_file(ANNA) == on_file_after(steps)
    assert len(zine.mails()) == len(sent)
    assert zine.server.folders["INBOX"] == {}
