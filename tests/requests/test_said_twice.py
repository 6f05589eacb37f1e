"""A subject that says the command's word over the full line in the body is one wish (issue 47)."""

from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions

ANNA = PLAYERS[0]
TWICE = [
    ("Presse", "Presse Eriwan: Das war knapp!\n", "Erledigt"), ("Presse", "Presse Eriwan\nHallo!\nEnde\n", "Erledigt"),
    ("Press", "Hello,\n\nPress Eriwan: That was close!\n", "Done"), ("Re: Presse", "Presse Eriwan: Na!\n", "Erledigt"),
    ("Stand", "Stand Eriwan\n", "so steht »Eriwan«"), ("Status", "Status Eriwan\n", "Position in round 1"),
    ("Stand bitte", "Hallo Cici,\nStand Eriwan bitte\nLG Anna\n", "so steht »Eriwan«"),
    ("Stand", "Stand Crossword Eriwan\n", "so steht »Eriwan«"), ("Stand Eriwan", "Stand\n", "so steht »Eriwan«"),
    ("[Eriwan] Stand", "Stand Eriwan\n", "so steht »Eriwan«"), ("Warten", "Warten Eriwan\n", "wartet in Runde 1"),
    ("Wait", "Wait Eriwan, please\n", "will wait"), ("Zurückziehen", "Zurückziehen Eriwan\n", "zurückgezogen"),
    ("Protokoll", "Protokoll Eriwan\n", "noch einmal"), ("Hilfe", "Hilfe Crossword\n", "Regeln und Form der Züge"),
    ("Standby", "Standby Crossword\n", "Liste der Ersatzspieler"),
]  # fmt: skip


@pytest.mark.trust(except_first=5)
@pytest.mark.parametrize(("subject", "text", "said"), TWICE)
def test_the_full_line_counts(begin: Any, subject: str, text: str, said: str) -> None:
    """One answer, and no refusal beside it: also for somebody who sits in several games."""
    zine = begin("started")
    actions.new_game(zine.app, "crossword", "Tiflis")
    for name in PLAYERS:
        seating.join(zine.app, "Tiflis", name, address_of(name), "D")
    actions.start(zine.app, "Tiflis")
    zine.sends(ANNA, "DN")
    zine.tick()
    zine.mails()
    zine.writes(ANNA, text, subject=subject)
    answer = zine.reply(ANNA)
    assert said.casefold() in answer.casefold()
    assert "Das ging nicht".casefold() not in answer.casefold()
    assert "not possible" not in answer.casefold()


@pytest.mark.parametrize(
    ("subject", "text", "number"),
    [
        ("Stand Eriwan", "Stand Tiflis\n", 2), ("[Eriwan] Stand", "Stand Tiflis\n", 2),
        ("Stand", "Stand Eriwan\n\nStand Tiflis\n", 2), ("Stand Eriwan", "Warten Eriwan\n", 2),
        ("kein Standby", "Standby Crossword\n", 2), ("Urlaub streichen", "Urlaub 24.12.-6.1.\n", 2),
    ],
)  # fmt: skip
def test_different_wishes_stay_two(eriwan: Any, subject: str, text: str, number: int) -> None:
    """Another game, another command, or its opposite is a wish of its own."""
    eriwan.writes(ANNA, text, subject=subject)
    eriwan.tick()
    assert len(eriwan.last_reason().split(",")) == number
