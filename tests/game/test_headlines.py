"""Headlines say what was most exciting, and nothing that the figures don't say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import Outcome, Seat, Standing
from gm.game.announcements.headlines import Headlines, short_names

NAMES = {1: "Anna", 2: "Bernd", 3: "Carla"}
GERMAN, ENGLISH = Headlines(names=NAMES, language="de"), Headlines(names=NAMES, language="en")


def ended(*points: int | None, winners: tuple[int, ...] = (1,), doubtful: tuple[str, ...] = ()) -> Outcome:
    """Make an outcome in which seat 1 has the first points, seat 2 the next."""
    order = sorted(enumerate(points, 1), key=lambda one: -(one[1] or 0))
    standings = tuple(Standing(rank=at, seat=Seat(seat), points=had) for at, (seat, had) in enumerate(order, 1))
    return Outcome(standings=standings, winners=tuple(map(Seat, winners)), doubtful=doubtful)


@pytest.mark.parametrize(
    ("points", "before", "german", "english"),
    [
        ((70, 69, 12), {}, "Anna schlägt Bernd mit 70:69", "Anna beats Bernd 70 to 69"),
        ((70, 40, 40), {}, "Anna gewinnt mit 70 Punkten, 30 vor Bernd und Carla",
         "Anna wins with 70 points, 30 ahead of Bernd and Carla"),
        ((100, 95, 1), {}, "Anna schlägt Bernd mit 100:95", "Anna beats Bernd 100 to 95"),
        ((100, 94, 1), {}, "Anna gewinnt mit 100 Punkten, 6 vor Bernd",
         "Anna wins with 100 points, 6 ahead of Bernd"),
        ((50, 20), {}, "Anna schlägt Bernd mit 50:20", "Anna beats Bernd 50 to 20"),
        ((18, -13, -5), {}, "Anna gewinnt mit 18 Punkten", "Anna wins with 18 points"),
        ((1, 0, 0), {}, "Anna gewinnt mit 1 Punkt", "Anna wins with 1 point"),
        ((2, 1, 1), {}, "Anna schlägt Bernd und Carla mit 2:1", "Anna beats Bernd and Carla 2 to 1"),
        ((3, 9, 7), {}, "Anna gewinnt mit 3 Punkten", "Anna wins with 3 points"),
        ((None, None, None), {}, "Anna gewinnt", "Anna wins"),
        ((70, 69, 1), {1: 38, 2: 50, 3: 1}, "Anna schlägt Bernd mit 70:69: 32 Punkte in der letzten Runde",
         "Anna beats Bernd 70 to 69: 32 points in the last round"),
        ((70, 69, 1), {1: 60, 2: 50, 3: 1}, "Anna schlägt Bernd mit 70:69", "Anna beats Bernd 70 to 69"),
        ((70, 10, 1), {1: 40, 2: 9, 3: 1}, "Anna gewinnt mit 70 Punkten, 60 vor Bernd: 30 Punkte in der letzten Runde",
         "Anna wins with 70 points, 60 ahead of Bernd: 30 points in the last round"),
        ((9, 8, 1), {1: 8, 2: 8, 3: 9}, "Anna schlägt Bernd mit 9:8: 1 Punkt in der letzten Runde",
         "Anna beats Bernd 9 to 8: 1 point in the last round"),
        ((9, 8, 1), {1: 0, 2: 0, 3: 0}, "Anna schlägt Bernd mit 9:8", "Anna beats Bernd 9 to 8"),
        ((7, 6, 1), {1: 9, 2: 10, 3: 1}, "Anna schlägt Bernd mit 7:6", "Anna beats Bernd 7 to 6"),
    ],
)  # fmt: skip
def test_the_end(points: tuple[int, ...], before: dict[int, int], german: str, english: str) -> None:
    """A narrow win is a duel; a clear one says by how much; what came in the last round is told where it decided."""
    assert GERMAN.of_end(ended(*points), before=before) == german
    assert ENGLISH.of_end(ended(*points), before=before) == english


def test_several_winners() -> None:
    """They win together."""
    assert GERMAN.of_end(ended(20, 20, 3, winners=(1, 2))) == "Anna und Bernd gewinnen gemeinsam mit 20 Punkten"
    assert GERMAN.of_end(ended(0, 0, 0, winners=(1, 2, 3))) == "Unentschieden: alle mit 0 Punkten"
    assert ENGLISH.of_end(ended(None, None, winners=(1, 2))) == "Anna and Bernd win together"


def test_what_a_game_says_itself() -> None:
    """Where points don't say it, the game's own words follow the name."""
    assert GERMAN.of_end(ended(None, None), "gewinnt in Runde 4") == "Anna gewinnt in Runde 4"


def test_nothing_to_tell() -> None:
    """No headline before the last word is ruled on, or where nobody has won."""
    assert GERMAN.of_end(ended(20, 19, doubtful=("UR",))) == ""
    assert GERMAN.of_end(ended(20, 20, winners=()), "niemand gewinnt") == ""


@pytest.mark.parametrize(
    ("now", "before", "left", "german", "english"),
    [
        ({1: 40, 2: 37, 3: 5}, {1: 30, 2: 29, 3: 5}, 5, "Anna führt mit 40 Punkten, 3 vor Bernd.",
         "Anna leads with 40 points, 3 ahead of Bernd."),
        ({1: 40, 2: 37, 3: 5}, {1: 30, 2: 33, 3: 5}, 5, "Anna überholt Bernd und führt mit 40:37.",
         "Anna overtakes Bernd and leads 40 to 37."),
        ({1: 40, 2: 37, 3: 39}, {1: 30, 2: 33, 3: 5}, 5, "Anna führt mit 40 Punkten, 1 vor Carla.",
         "Anna leads with 40 points, 1 ahead of Carla."),
        ({1: 40, 2: 40, 3: 5}, {1: 30, 2: 29, 3: 5}, 4, "Anna und Bernd liegen mit 40 Punkten gleichauf vorn. "
         "Halbzeit: noch 4 Runden.", "Anna and Bernd share the lead with 40 points each. Half-time: 4 rounds to go."),
        ({1: 4, 2: 4, 3: 4}, {1: 0, 2: 0, 3: 0}, 1, "Jetzt kommt die letzte Runde.", "The last round is next."),
        ({1: 1, 2: 0, 3: 0}, {1: 0, 2: 0, 3: 0}, 7, "Anna führt mit 1 Punkt, 1 vor Bernd und Carla.",
         "Anna leads with 1 point, 1 ahead of Bernd and Carla."),
        ({1: 0, 2: -3, 3: 0}, {}, 7, "", ""),
        ({}, {}, 2, "", ""),
        ({}, {}, None, "", ""),
    ],
)  # fmt: skip
def test_a_round(now: dict[int, int], before: dict[int, int], left: int | None, german: str, english: str) -> None:
    """Who leads, who has overtaken, half-time and the last round: eight rounds in all."""
    assert GERMAN.of_round(now, before, left, 8) == german
    assert ENGLISH.of_round(now, before, left, 8) == english


@given(st.lists(st.tuples(st.integers(-20, 120), st.integers(0, 120)), min_size=2, max_size=3))
def test_figures_are_true(figures: list[tuple[int, int]]) -> None:
    """Every figure is one of the points, or a difference of two; the winner stands first."""
    points, had = zip(*figures, strict=True)
    best = max(points)
    winners = tuple(seat for seat, one in enumerate(points, 1) if one == best)
    before = dict(enumerate(had, 1))
    for headline in (
        GERMAN.of_end(ended(*points, winners=winners), before=before),
        GERMAN.of_round(dict(enumerate(points, 1)), before, None, None),
    ):
        assert not headline or headline.startswith(("Unentschieden", *(NAMES[seat] for seat in winners)))
        told = {
            abs(int(figure)) for word in headline.replace(":", " ").split() if (figure := word.strip(",.")).isdigit()
        }
        known = {abs(one - other) for one in (0, *points) for other in (0, *points, *had)}
        assert told <= known | {abs(one) for one in points}


def test_short_names() -> None:
    """First names are enough, unless two share one; titles are no names, and initials stay whole."""
    assert short_names({1: "Anna Berg", 2: "Dr. Eva Groß", 3: "N. N."}) == {1: "Anna", 2: "Eva", 3: "N. N."}
    assert short_names({1: "Anna Berg", 2: "Anna Fuchs"}) == {1: "Anna Berg", 2: "Anna Fuchs"}


def test_many_who_are_even_are_not_named() -> None:
    """Four names would make no headline."""
    many = Headlines(names={seat: f"Name{seat}" for seat in range(1, 7)}, language="de")
    assert many.of_end(ended(9, 4, 4, 4, 4, 4)) == "Name1 gewinnt mit 9 Punkten"
    assert many.of_round({1: 9, 2: 4, 3: 4, 4: 4}, {}, None, None) == "Name1 führt mit 9 Punkten."


def test_nobody_beats_who_has_left() -> None:
    """Whoever is left alone has won, and has beaten nobody."""
    left_alone = Headlines(names=NAMES, language="de", gone={2, 3})
    assert left_alone.of_end(ended(9, 8, 7)) == "Anna gewinnt mit 9 Punkten"
    one_left = Headlines(names=NAMES, language="de", gone={2})
    assert one_left.of_end(ended(9, 8, 7)) == "Anna schlägt Carla mit 9:7"
