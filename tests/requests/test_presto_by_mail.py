"""Presto by mail: the server's arrival time decides who was first, within a second the order in the mailbox."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
import seating

from games.api import MoveBlock, Seat
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.queries.question_queries import HELD_MOVE
from gm.store.tables import Question


@pytest.fixture
def race(begin: Callable[..., Any]) -> Any:
    """Presto »Ravenna« with four players, started, everybody has the rack."""
    zine = started(begin("empty"), deals=1)
    zine.mails()
    return zine


def started(zine: Any, deals: int) -> Any:
    """Start »Ravenna« in so many deals."""
    actions.new_game(zine.app, "presto", "Ravenna", options=[f"deals={deals}"])
    with zine.writing() as session:
        game_queries.named(session, "Ravenna").seed = "racks that can be built"
    for name in PLAYERS[:4]:
        seating.join(zine.app, "Ravenna", name, address_of(name), None)
    actions.start(zine.app, "Ravenna")
    zine.tick()
    return zine


def grid_of(zine: Any, seat: int) -> bytes:
    """The mail of a seat with a grid of all its tiles, if the solver finds one."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Ravenna")
        at = position(zine.app, game)
        words = word_judge.judge(zine.app, game)
        lines = at.engine.suggest(at.state, Seat(seat), Dice("race", seat), words)
    return write_mail(address_of(PLAYERS[seat - 1]), "\n".join(["Presto Ravenna", *lines, ""]))


def places(zine: Any) -> list[tuple[str, int]]:
    """Return what each player has won."""
    from gm.reports.game import show

    with zine.app.database.read() as session:
        shown = show(zine.app, session, game_queries.named(session, "Ravenna"))
    return [(one["player"], one["points"]) for one in shown["standings"] if one["points"]]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_of_one_second_the_mailbox_decides(race: Any, order: tuple[int, ...]) -> None:
    """Rulings 2 (Presto): equal seconds go by UID; 4 points, 2 points, and the third comes too late."""
    mails = [grid_of(race, seat) for seat in order]
    for raw in mails:
        race.server.deliver(raw, race.now)
    race.passes(minutes=1)
    race.tick()
    assert places(race) == [(PLAYERS[order[0] - 1], 4), (PLAYERS[order[1] - 1], 2)]


def test_the_earlier_arrival_wins_though_it_was_fetched_later(race: Any) -> None:
    """The server's time counts, not the order in which the service comes to see the mails."""
    first, second = grid_of(race, 1), grid_of(race, 2)
    now = race.now
    race.passes(minutes=2)
    race.server.deliver(second, race.now)
    race.server.deliver(first, now)
    race.tick()
    assert [name for name, _ in places(race)] == [PLAYERS[0], PLAYERS[1]]


def doubtful_grid(zine: Any, seat: int) -> list[str]:
    """A grid of all tiles of a seat with two of them changed about, so that the GM has to be asked about a word."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Ravenna")
        at, words = position(zine.app, game), word_judge.judge(zine.app, game)
        lines = at.engine.suggest(at.state, Seat(seat), Dice("race", seat), words)
        cells = [(row, column) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign.isalpha()]
        for one, other in combinations(cells, 2):
            signs = [list(line) for line in lines]
            signs[one[0]][one[1]], signs[other[0]][other[1]] = lines[other[0]][other[1]], lines[one[0]][one[1]]
            changed = ["".join(line) for line in signs]
            sheet = at.engine.read(at.state, Seat(seat), MoveBlock(lines=tuple(changed)), words)
            if sheet.doubtful and sheet.move:
                return changed
    raise AssertionError("no grid to ask about")


def test_who_still_builds_hears_that_the_race_goes_on(race: Any) -> None:
    """rulings.md, Presto: while a grid waits for the GM later ones are taken; refused, the next one moves up."""
    race.writes(PLAYERS[0], "\n".join(["Presto Ravenna", *doubtful_grid(race, 1), ""]))
    race.tick()
    told = {to: " ".join(mail.text.split()) for to, mail in race.mails() if to != address_of(PLAYERS[0])}
    for name in PLAYERS[1:4]:
        assert "Das Rennen geht weiter: Schick deinen Zug" in told[address_of(name)]
        assert "nichts tun" not in told[address_of(name)]
    race.server.deliver(grid_of(race, 2), race.now)
    race.tick()
    assert "muss aber warten" in " ".join(dict(race.mails())[address_of(PLAYERS[1])].text.split())
    held = next(one for one in race.rows(Question) if one.kind == HELD_MOVE and one.payload["words"])
    actions.rule(race.app, "Ravenna", held.payload["words"], False, "", False)
    race.tick()
    told = {to: " ".join(mail.text.split()) for to, mail in race.mails()}
    assert "nichts tun" not in told[address_of(PLAYERS[2])]
    race.server.deliver(grid_of(race, 3), race.now)
    race.tick()
    assert places(race) == [(PLAYERS[1], 4), (PLAYERS[2], 2)]


def test_a_deal_is_called_so_in_every_mail_and_has_one_bulletin(begin: Callable[..., Any]) -> None:
    """Issue 26, words said: Durchgang everywhere (never Runde, nor Partie for a deal), and bulletins counted once."""
    zine = started(begin("empty"), deals=2)
    zine.writes(PLAYERS[3], "Presto Ravenna\nDurchgang: 2\nA\n")
    zine.writes(PLAYERS[2], "Presto Ravenna\nSALAT\n")
    zine.writes(PLAYERS[2], "Stand Ravenna\nHilfe Presto\nSpiele\nWarten Ravenna\nZurückziehen Ravenna\n")
    zine.tick()
    for seat in (1, 2):
        zine.server.deliver(grid_of(zine, seat), zine.now)
        zine.passes(minutes=1)
        zine.tick()
    zine.writes(PLAYERS[0], "Protokoll Ravenna 1\n")
    for days in (11, 2, 20):
        zine.passes(days=days)
        zine.tick()
    mails = [(address, " ".join(f"{mail.subject} {mail.text}".split())) for address, mail in zine.mails()]
    wrong = [(found[0], text) for _, text in mails if (found := re.search(r"\b[Rr]unden?\b|\bPartie [0-9]", text))]
    assert not wrong
    numbers = [re.findall("Bulletin ([0-9])", text) for address, text in mails if address == address_of(PLAYERS[2])]
    assert [number for found in numbers for number in found] == ["0", "1", "2"]
