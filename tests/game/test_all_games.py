"""`gm pause --all`, `gm resume --all` and `gm zat --all`: for every running game what they do for one.

`gm zat --all issue` is in test_issues.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions, all_games
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Game

ANNA, BERND = PLAYERS[:2]
BERLIN = ZoneInfo("Europe/Berlin")
PAIR = sorted(map(address_of, (ANNA, BERND)))


@pytest.fixture
def zine(begin: Any) -> Any:
    """Three games of two players: rounds of 14 days in Genua, of 36 hours in Lima, of 5 days in Riga."""
    zine = begin("empty")
    for name, span in (("Genua", "14d"), ("Lima", "36h"), ("Riga", "5d")):
        actions.new_game(zine.app, "combinato", name, zat=span)
        for player in (ANNA, BERND):
            seating.join(zine.app, name, player, address_of(player), None)
        actions.start(zine.app, name)
    zine.tick()
    zine.mails()
    return zine


def clocks(zine: Any) -> dict[str, tuple[datetime | None, datetime | None]]:
    """List the ZAT and the end of the pause of each game."""
    return {one.name: (one.zat, one.paused_until) for one in zine.rows(Game)}


def sent(zine: Any) -> list[tuple[str, str]]:
    """Do a pass and list the mails that went out: to whom, about which game."""
    zine.tick()
    return sorted((to, mail.subject.partition("]")[0].strip("[")) for to, mail in zine.mails())


def set_game(zine: Any, name: str, **values: Any) -> None:
    """Change a game's row."""
    with zine.writing() as session:
        for key, value in values.items():
            setattr(game_queries.named(session, name), key, value)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("span", "zats"),
    [
        ("5d", {"Genua": "2026-11-21T20:00", "Lima": "2026-11-09T00:01", "Riga": "2026-11-12T20:00"}),
        ("36h", {"Genua": "2026-11-18T20:00", "Lima": "2026-11-05T12:01", "Riga": "2026-11-09T20:00"}),
        (None, {"Genua": "2026-12-16T20:00", "Lima": "2026-12-04T00:01", "Riga": "2026-12-07T20:00"}),
    ],
)
def test_all_zats_move(zine: Any, span: str | None, zats: dict[str, str]) -> None:
    """By whole days where rounds have days, exactly where they have hours; resumed at once, by hours they come back."""
    before = clocks(zine)
    all_games.pause(zine.app, span)
    assert {name: f"{zat.astimezone(BERLIN):%Y-%m-%dT%H:%M}" for name, (zat, _) in clocks(zine).items()} == zats
    assert len({until for _, until in clocks(zine).values()}) == 1
    all_games.resume(zine.app)
    assert clocks(zine)["Lima"][0] == before["Lima"][0]


def test_all_players_are_told(zine: Any) -> None:
    """Each player gets a mail for each game, with the reason, when it pauses and when it goes on."""
    all_games.pause(zine.app, "10d", why="  Weihnachten <b>&\nNeujahr ")
    zine.tick()
    mails = zine.mails()
    assert all("Grund: Weihnachten <b>& Neujahr" in zine.said(mail) for _, mail in mails)
    every = [(to, name) for to in PAIR for name in ("Genua", "Lima", "Riga")]
    assert sorted((to, mail.subject[1:].partition("]")[0]) for to, mail in mails) == every
    zine.passes(days=2, hours=12)
    came = all_games.resume(zine.app)
    assert [one.name for one in came.changed] == ["Genua", "Lima", "Riga"]
    assert {until for _, until in clocks(zine).values()} == {zine.now}
    assert sent(zine) == every


def test_games_that_stay_as_they_are(zine: Any) -> None:
    """What is open, held or paused already is named with the reason, and nothing of it changes; the others pause."""
    actions.new_game(zine.app, "combinato", "Batumi")
    actions.pause(zine.app, "Lima", "20d")
    set_game(zine, "Riga", held="a bug")
    zine.tick()
    zine.mails()
    before = clocks(zine)
    came = all_games.pause(zine.app, "3d")
    assert [one.name for one in came.changed] == ["Genua"]
    assert list(came.refused) == [
        "Lima is paused already; gm resume Lima lets it go on.",
        "Riga stands still anyway: a bug. First gm zat Riga WHEN.",
        "Batumi is open; this needs a running game.",
    ]
    assert {name for name, clock in clocks(zine).items() if clock != before[name]} == {"Genua"}
    assert sent(zine) == [(to, "Genua") for to in PAIR]


def test_what_no_game_may_have(zine: Any) -> None:
    """A span over `pause_max`, no span at all, or a reason that no mail can hold: said once, and nothing changes."""
    before = clocks(zine)
    for span, why, said in (
        ("31d", "", r"^31d is no pause of at most 30d \(deadlines\.pause_max\); name another span\.$"),
        ("721h", "", "^721h is no pause of at most 30d "), ("0d", "", "^0d is no pause "),
        ("bald", "", "^'bald' is no span of time; write 90m, 12h or 3d\\.$"), ("3d", "x" * 5000, "at most 4000"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=said):
            all_games.pause(zine.app, span, why)
    assert (clocks(zine), sent(zine)) == (before, [])


def test_nothing_to_do(zine: Any, begin: Any) -> None:
    """Where no game can be paused, or none is paused, that is refused, with the reasons."""
    with pytest.raises(Refused, match=r"^No game is paused\.$"):
        all_games.resume(zine.app)
    all_games.pause(zine.app, "3d")
    with pytest.raises(Refused, match=r"^No game can be paused\. Genua is paused already; .* Riga is paused already; "):
        all_games.pause(zine.app, "3d")
    with pytest.raises(Refused, match=r"^No game can be paused\.$"):
        all_games.pause(begin("empty").app, "3d")


def test_a_game_whose_rules_are_missing(zine: Any) -> None:
    """It stays exactly as it is, paused or not, and holds up no other game."""
    set_game(zine, "Lima", engine="gone")
    before = clocks(zine)["Lima"]
    came = all_games.pause(zine.app, "3d")
    refused = ["Lima: The game 'gone' is not installed here; install the package that brings it."]
    assert ([one.name for one in came.changed], list(came.refused)) == (["Genua", "Riga"], refused)
    assert clocks(zine)["Lima"] == before
    set_game(zine, "Lima", paused_until=zine.now + timedelta(days=3))
    before = clocks(zine)["Lima"]
    came = all_games.resume(zine.app)
    assert ([one.name for one in came.changed], list(came.refused)) == (["Genua", "Riga"], refused)
    assert clocks(zine)["Lima"] == before
    set_game(zine, "Lima", engine="combinato")


# -- all ZATs ----------------------------------------------------------------------------------------------------------


def test_all_games_get_more_time(zine: Any) -> None:
    """Each ZAT moves by the span, and each player is told of each game; a held game goes on, as after `gm zat NAME`."""
    set_game(zine, "Riga", held="an outage")
    before = clocks(zine)
    came = all_games.move_zats(zine.app, "+14d", why="Weihnachten")
    assert [one.name for one in came.changed] == ["Genua", "Lima", "Riga"]
    assert came.refused == []
    moved = {name: (zat, before[name][0]) for name, (zat, _) in clocks(zine).items()}
    assert all(after and was and after - was == timedelta(days=14) for after, was in moved.values())
    zine.tick()
    mails = zine.mails()
    assert sorted((to, mail.subject[1:].partition("]")[0]) for to, mail in mails) == [
        (to, name) for to in PAIR for name in ("Genua", "Lima", "Riga")
    ]
    assert all("Grund: Weihnachten" in zine.said(mail) for _, mail in mails)


def test_games_whose_zat_stays(zine: Any) -> None:
    """A paused game, and one that has this ZAT already, is named with the reason; where all are, that is refused."""
    actions.pause(zine.app, "Lima", "20d")
    actions.move_zat(zine.app, "Genua", "2026-12-01 20:00")
    zine.tick()
    zine.mails()
    came = all_games.move_zats(zine.app, "2026-12-01 20:00")
    assert [one.name for one in came.changed] == ["Riga"]
    assert came.refused[0] == "Genua has this ZAT already."
    assert came.refused[1].startswith("Lima is paused until ")
    assert sent(zine) == [(to, "Riga") for to in PAIR]
    with pytest.raises(Refused, match=r"^No ZAT is moved\. Genua has this ZAT already\. Lima is paused"):
        all_games.move_zats(zine.app, "2026-12-01 20:00")


def test_no_zat_for_any_game(zine: Any, begin: Any) -> None:
    """What is no deadline, lies in the past or has a reason that no mail can hold is said once; nothing changes."""
    before = clocks(zine)
    for when, why, said in (
        ("bald", "", "^'bald' is no deadline; write [^']*$"), ("2026-10-01", "", "has passed; name a later time.$"),
        ("+1d", "x" * 5000, "at most 4000"), ("issue", "", "^No running game was opened for the issues"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=said):
            all_games.move_zats(zine.app, when, why)
    assert (clocks(zine), sent(zine)) == (before, [])
    with pytest.raises(Refused, match=r"^No ZAT is moved\.$"):
        all_games.move_zats(begin("empty").app, "+1d")


class Crash(BaseException):
    """The process dies."""


def test_a_crash_moves_no_zat(zine: Any) -> None:
    """Wherever the process dies, a span is for all games or for none: typed again, it moves none twice."""
    before = clocks(zine)
    for calls in range(100):
        looks = iter(range(calls))

        def now(looks: Iterator[int] = looks) -> datetime:
            if next(looks, None) is None:
                raise Crash
            return zine.now

        try:
            all_games.move_zats(replace(zine.app, now=now), "+14d")
        except Crash:
            assert (clocks(zine), sent(zine)) == (before, [])
        else:
            break
    assert 5 < calls < 99
