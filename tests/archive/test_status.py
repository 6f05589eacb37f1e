"""The status of a game: what home, lists and its own page say first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from games.api import Language
from gm.archive import layout
from gm.archive.record.record import Place, Record, ResultRecord, SeatRecord, Snapshot, WordRecord
from gm.archive.record.status import Status, status_of
from gm.game.announcements.counts import came_in, counts

BEGUN = datetime(2026, 10, 2, 18, 0, tzinfo=UTC)
SEATS = (
    SeatRecord(seat=1, name="Anna B.", person="anna-b"), SeatRecord(seat=2, name="Bernd C.", person="bernd-c"),
    SeatRecord(seat=3, name="Carla D.", person="carla-d"),
)  # fmt: skip


def snapshot(number: int, *figures: int, fact: str = "tiles", **more: Any) -> Snapshot:
    """Make a round after which each seat has a figure."""
    facts = {seat: {fact: figure} for seat, figure in enumerate(figures, 1)}
    return Snapshot(number=number, heading=f"Zug {number}", at=BEGUN, seat_facts=facts, **more)


def record(**more: Any) -> Record:
    """Make a running game with turns: two have been played."""
    made = Record(
        schema=1, game="Eriwan", slug="eriwan", kind="typ-dom", title="Typ-Dom", language="de", unit="turn",
        status="running", begun=BEGUN, zat=datetime(2026, 11, 27, 19, 0, tzinfo=UTC), due=(3,), seats=SEATS,
        snapshots=(snapshot(0, 13, 13, 13), snapshot(1, 8, 13, 13), snapshot(2, 8, 6, 13, headline="Bernd C. legt A")),
        rules_version=1, checksum="73b7" * 16,
    )  # fmt: skip
    return replace(made, **more)


def result(*points: int, winners: tuple[int, ...] = (1,), is_final: bool = True, words: Any = ()) -> ResultRecord:
    """Make a result, the seats in order."""
    ranks = [1 + sum(other > one for other in points) for one in points]
    places = tuple(
        Place(rank=rank, seat=at + 1, name=SEATS[at].name, points=points[at], winner=at + 1 in winners)
        for at, rank in enumerate(ranks)
    )
    return ResultRecord(version=1, is_final=is_final, standings=places, words=words)


def shown(found: Record) -> Status:
    """Give the status with plain blanks, as people read it."""
    status = status_of(found, partial(layout.when, ZoneInfo("Europe/Berlin"), found.language))
    plain = [
        replace(one, text=one.text.replace("\u00a0", " "), small=one.small.replace("\u00a0", " "))
        for one in status.facts
    ]
    return replace(status, facts=tuple(plain))


def first(found: Record) -> tuple[str, str, str, str]:
    """Give tone, chip and first fact."""
    status = shown(found)
    return status.tone, status.chip, status.facts[0].text, status.facts[0].small


def facts(found: Record) -> dict[str, tuple[str, str]]:
    """Give the other facts by their labels."""
    return {one.label: (one.text, one.small) for one in shown(found).facts[1:]}


def test_whose_turn() -> None:
    """A game with turns says who is to move, by when, who has fewest tiles, and what happened last."""
    assert first(record()) == ("amber", "Läuft", "Carla D. ist am Zug", "Zug 3")
    assert facts(record()) == {
        "ZAT": ("Fr, 27.11.2026", "20:00 Uhr (MEZ)"), "Wenigste Steine": ("Bernd C.", "6 Steine"),
        "Letzter Zug": ("Fr, 02.10.2026", "Bernd C. legt A"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("filed", "said", "tone"),
    [(0, "Noch kein Zug da", "amber"), (2, "2 von 3 Zügen da", "amber"), (3, "Alle 3 Züge sind da", "green")],
)
def test_how_many_are_in(filed: int, said: str, tone: str) -> None:
    """How many moves are in, and of how many rounds it is which; only what waits for nobody is green."""
    game = record(unit="round", rounds=6, due=(), filed=filed, owed=3)
    assert first(game) == (tone, "Läuft", said, "Runde 3 von 6")


def test_a_clock_that_stands_still() -> None:
    """Without a deadline it is up to the game master: amber."""
    game = record(unit="round", due=(), filed=3, owed=3, zat=None)
    assert shown(game).tone == "amber"
    assert facts(game)["ZAT"] == ("steht noch nicht fest", "die Spielleitung ist gefragt")


def test_deals_go_on() -> None:
    """Of a deal nobody may know who has moved."""
    assert first(record(unit="deal", due=()))[2:] == ("Durchgang 3 läuft", "")


WORDS = (
    WordRecord(seat=1, word="SAND", points=7), WordRecord(seat=2, word="STRAND", points=7),
    WordRecord(seat=3, word="RASEN", points=9, status="refused"),
)  # fmt: skip
WON = "Anna gewinnt mit 9 Punkten, 4 vor Bernd"
ENDS: list[tuple[dict[str, Any], tuple[str, str, str, str]]] = [
    ({"result": result(9, 5, 1), "headline": WON}, ("petrol", "Endstand", WON, "")),
    ({"result": result(5, 5, 5, winners=())}, ("petrol", "Endstand", "Unentschieden", "5 Punkte")),
    ({"result": replace(result(9, 5, 1), version=2), "headline": WON}, ("petrol", "Endstand", WON, "2. Fassung")),
    ({"result": replace(result(5, 5, 5, winners=()), version=2)},
     ("petrol", "Endstand", "Unentschieden", "5 Punkte, 2. Fassung")),
    (
        {"status": "provisional", "result": result(9, 5, 1, is_final=False)},
        ("amber", "Vorläufig", "Anna B. liegt vorn", "Wörter liegen noch beim GM"),
    ),
    ({"status": "aborted"}, ("", "Abgebrochen", "Kein Endstand", "")),
]  # fmt: skip


@pytest.mark.parametrize(("more", "expected"), ENDS)
def test_how_it_ended(more: dict[str, Any], expected: tuple[str, str, str, str]) -> None:
    """A game that is over says who has won and how; a provisional result says so; one broken off has none."""
    assert first(record(**{"status": "finished", "due": (), **more})) == expected


def test_what_else_is_told_of_the_end() -> None:
    """How many turns it took, the best word of those that count, and when it ended."""
    game = record(status="finished", due=(), zat=None, result=result(9, 5, 1, words=WORDS))
    assert facts(game) == {
        "Gespielt": ("2 Züge", "begonnen Fr, 02.10.2026"), "Wort der Partie": ("STRAND", "7 Punkte, Bernd C."),
        "Letzter Zug": ("Fr, 02.10.2026", "Bernd C. legt A"),
    }  # fmt: skip


def test_before_the_start() -> None:
    """A game that looks for players says how many places are free, and the line that takes one."""
    game = record(status="open", snapshots=(), seats=(), due=(), zat=None, free=2)
    assert first(game) == ("green", "Offen", "2 Plätze frei", "Noch nicht begonnen")
    assert facts(game)["Mitspielen"][0] == "»Anmeldung Typ-Dom Eriwan«"
    assert first(replace(game, free=0))[2] == "Alle Plätze sind vergeben"
    assert first(replace(game, free=None))[2] == "Mitspieler gesucht"


def test_without_rules() -> None:
    """A game whose rules aren't installed has a status without a tone."""
    game = record(snapshots=(), rules_version=0, due=(), zat=None)
    assert first(game) == ("", "Läuft", "Mehr steht hier zurzeit nicht", "")


@pytest.mark.parametrize("language", ["de", "en"])
def test_names_and_dates_stay_in_one_piece(language: Language) -> None:
    """No line is broken within a name or a date."""
    status = status_of(record(language=language), partial(layout.when, ZoneInfo("Europe/Berlin"), language))
    texts = [text for one in status.facts for text in (one.text, one.small)]
    assert not [text for text in texts if "Bernd C." in text or "Carla D." in text or ", 27" in text]


# -- what is counted ---------------------------------------------------------------------------------------------------

Make = Callable[[], Record]


def test_figures_of_every_seat() -> None:
    """A figure is counted if every seat has it after every round, whatever game calls it."""
    (tiles,) = counts(record().course)
    assert (tiles.kind, tiles.by_seat) == ("tiles", {1: (13, 8, 8), 2: (13, 13, 6), 3: (13, 13, 13)})
    split = [{seat: {"red": seat, "black": at} for seat in (1, 2, 3)} for at in range(2)]
    rounds = tuple(replace(snapshot(at), seat_facts=one) for at, one in enumerate(split))
    assert counts(record(snapshots=rounds).course)[0].by_seat == {1: (1, 2), 2: (2, 3), 3: (3, 4)}
    gone = (*record().snapshots[:2], snapshot(2, 8, 6))
    assert counts(record(snapshots=gone).course) == []
    same = tuple(snapshot(at, 0, 0, 0, fact="points") for at in range(3))
    assert counts(record(snapshots=same).course) == []


def test_words_count_when_their_last_letter_has_come() -> None:
    """On boards of one's own a word counts from the round on in which it was complete; the rest comes at the end."""
    grids = [["....", "...."], ["SA..", "O..."], ["SAND", "OB.."]]
    rounds = tuple(
        replace(snapshot(at), seat_facts={seat: {"grid": grid} for seat in (1, 2, 3)}) for at, grid in enumerate(grids)
    )
    words = (
        WordRecord(seat=1, word="SA", points=2, first="a1", last="b1"),
        WordRecord(seat=1, word="SO", points=3, first="a1", last="a2"),
        WordRecord(seat=2, word="SB", points=4, first="a1", last="b2"),
        WordRecord(seat=2, word="SAND", points=7, first="a1", last="d1", status="refused"),
        WordRecord(seat=3, word="SAND", points=7),
    )
    game = record(status="finished", snapshots=rounds, result=result(6, 4, 7, words=words))
    (points,) = counts(game.course)
    assert points.by_seat == {1: (0, 5, 6), 2: (0, 0, 4), 3: (0, 0, 7)}
    assert points.leaders == (3,)
    assert came_in(game.snapshots, words) == [1, 1, 2, 2, None]
