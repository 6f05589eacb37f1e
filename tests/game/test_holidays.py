"""`deadlines.holidays`: a ZAT that falls on them moves to the first day after (interface.md, config.toml)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.tables import Game

BERLIN = ZoneInfo("Europe/Berlin")


def on(zine: Any) -> str:
    """Say when the ZAT is, in Berlin."""
    (game,) = zine.rows(Game)
    return f"{game.zat.astimezone(BERLIN):%Y-%m-%d %H:%M}"


def test_a_zat_that_is_set_already_moves_once(begin: Any) -> None:
    """The GM writes the holidays down when a ZAT lies in them: the next pass moves it and tells all players, once."""
    zine = begin("started", deadlines={"holidays": ["2026-12-24", "2026-11-14..2026-11-20"]})
    assert on(zine) == "2026-11-16 20:00"
    zine.tick()
    assert on(zine) == "2026-11-21 20:00"
    mails = zine.mails()
    assert sorted(recipient for recipient, _ in mails) == sorted(map(address_of, PLAYERS))
    assert all("Über die Feiertage ist kein ZAT." in zine.said(mail) for _, mail in mails)
    zine.passes(days=1)
    zine.tick()
    assert (on(zine), zine.mails()) == ("2026-11-21 20:00", [])


def test_no_round_closes_in_them(begin: Any) -> None:
    """Where the service was down at the ZAT, it moves all the same: nobody is noted NMR for the holidays."""
    zine = begin("started", deadlines={"holidays": ["2026-11-14..2026-11-20"], "outage": "30d"})
    zine.at("2026-11-18T12:00:00+01:00")
    zine.tick()
    assert (on(zine), zine.round) == ("2026-11-21 20:00", 1)


@pytest.mark.parametrize(
    ("when", "then"), [("2026-11-18 20:00", "2026-11-21 20:00"), ("2026-11-13 19:00", "2026-11-13 19:00")]
)
def test_the_gm_names_no_holiday(when: str, then: str, begin: Any) -> None:
    """`gm zat` with a day in them sets, and prints, the first day after."""
    zine = begin("started", deadlines={"holidays": ["2026-11-14..2026-11-20"]})
    zat = actions.move_zat(zine.app, "Eriwan", when)
    assert f"{zat.astimezone(BERLIN):%Y-%m-%d %H:%M}" == on(zine) == then


def test_hours_run_on(begin: Any) -> None:
    """A game whose rounds are counted in hours keeps its ZAT."""
    zine = begin("started", deadlines={"holidays": ["2026-11-14..2026-11-20"]})
    with zine.writing() as session:
        game_queries.named(session, "Eriwan").span = "336h"
    zine.tick()
    assert on(zine) == "2026-11-16 20:00"


def test_christmas_in_a_game_in_turns(begin: Any) -> None:
    """Ten turns of three days from the middle of December on: none ends in the holidays, none is shorter for them."""
    holidays = ["2026-12-20..2027-01-06"]
    zine = begin("empty", now="2026-12-10T12:00:00+01:00", deadlines={"holidays": holidays}, nmr={"standby_after": 0})
    actions.new_game(zine.app, "typ-dom", "Riga", zat="3d")
    for name in PLAYERS[:3]:
        seating.join(zine.app, "Riga", name, address_of(name), None)
    actions.start(zine.app, "Riga")
    zats = []
    for _ in range(10):
        zats.append(on(zine))
        zine.passes_until(zine.rows(Game)[0].zat, seconds=1)
        zine.tick()
    assert not [zat for zat in zats if "2026-12-20" <= zat < "2027-01-07"]
    assert "2027-01-07 20:00" in zats
    assert zats[0] < "2026-12-20"
    assert zats[-1] > "2027-01-20"
    assert all(before < after for before, after in pairwise(zats))
