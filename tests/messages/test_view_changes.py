"""The changes that a corrected bulletin lists: for every game, every viewer and both languages."""

from itertools import zip_longest

import pytest

from games import engines
from games.api import LANGUAGES, Cell, Grid, Outcome, Seat, Section, Standing, Table, Text, View, say
from games.kit.testkit import Contract, play, viewers_of
from gm.messages import view_changes
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences.table import SENTENCES

NAMES = {Seat(number): f"Player {number}" for number in range(1, 20)}
WORDING = {"NAME": {"de": "{seat}", "en": "{seat}"}, "NOTHING": {"de": "", "en": ""},
           "HEAD": {"de": "Punkte", "en": "Points"}, "LINE": {"de": "Noch {n}", "en": "{n} left"}}  # fmt: skip


def speaker(language="en", wording=WORDING):
    """Word texts for one reader."""
    return Speaker(language=language, wording={**SENTENCES, **wording}, names=NAMES)


def said(before, after, told=()):
    """Return the differences between two views in English."""
    return [speaker().say(text) for text in view_changes.of_views(before, after, speaker(), told)]


def board(*rows, seat=1):
    """A board with letters."""
    cells = tuple(tuple(Cell(text="" if sign == "." else sign) for sign in row) for row in rows)
    columns = tuple("abcdefgh"[: len(rows[0])])
    return Grid(seat=Seat(seat), columns=columns, rows=tuple(map(str, range(1, len(rows) + 1))), cells=cells)


def view(*sections):
    """A view of these sections."""
    return View(sections=sections)


@pytest.mark.parametrize("key", sorted(engines()))
def test_every_game(key):
    """Any two positions of a game give sentences for each reader, and two equal positions give none."""
    engine = engines()[key]
    contract = Contract(engine=engine)
    one, other = (list(play(contract, "one", nmr)) for nmr in (0.0, 0.6))
    pairs = list(zip_longest(one, other, fillvalue=one[-1]))
    for first, second in pairs[:: max(1, len(pairs) // 6)]:
        for viewer in viewers_of(contract):
            before, after = (engine.view(step.after.state, viewer) for step in (first, second))
            assert view_changes.of_views(before, before, speaker("en", engine.wording)) == []
            standings = view_changes.of_standings(*(engine.outcome(step.after.state) for step in (first, second)))
            for language in LANGUAGES:
                voice = speaker(language, engine.wording)
                texts = [*standings.values(), *view_changes.of_views(before, after, voice, standings)]
                assert len(view_changes.shortened(texts)) <= view_changes.MOST + 1
                for text in texts:
                    assert voice.say(text).strip()
                assert not texts or _shown(before) != _shown(after)


def _shown(seen: View) -> object:
    """Return what may be told of a view: what is new or coloured on a board is no other letter."""
    parts = []
    for part in seen.sections:
        boards = [(grid.seat, grid.rows, [[c.text.strip(" .").lower() for c in row] for row in grid.cells])
                  for grid in part.grids]  # fmt: skip
        parts.append((part.lines, part.notes, part.table and part.table.rows, boards))
    return seen.headline, parts


def test_rows_of_a_board():
    """A row that changed is told with what it was; a capital that only says "new" is no change."""
    before, after = view(Section(grids=(board("AB.", "..."),))), view(Section(grids=(board("ab.", "..D"),)))
    assert said(before, after) == ["Player 1, row 2: ..D instead of ..."]


def test_a_board_that_has_grown():
    """Cells are compared by the names of their rows and columns, wherever they stand now."""
    before, after = view(Section(grids=(board("AB"),))), view(Section(grids=(board("ABC", "..."),)))
    assert said(before, after) == ["Player 1, row 1: ABC instead of AB."]


def test_sections_in_another_order():
    """A result that puts players into another order is compared player by player."""
    parts = [Section(grids=(board("AB", seat=seat),), notes=(say("LINE", n=seat),)) for seat in (1, 2)]
    assert said(view(*parts), view(*reversed(parts))) == []
    other = Section(grids=(board("AB", seat=2),), notes=(say("LINE", n=7),))
    assert said(view(*parts), view(other, parts[0])) == ["Player 2: 7 left (before: 2 left)"]


def table(*rows, head=("NOTHING", "HEAD")):
    """A section with a table."""
    return Section(table=Table(head=tuple(map(Text, head)), rows=rows))


def test_rows_about_players():
    """A changed player row lists its cells with their headings; it is left out if the standings already named it."""
    before = view(table((say("NAME", seat=1), 5, Text("NOTHING")), (say("NAME", seat=2), 3, "x")))
    after = view(table((say("NAME", seat=2), 4, "y"), (say("NAME", seat=1), 7, "z")))
    assert said(before, after) == [
        "Player 2: Points 4 instead of 3, y instead of x", "Player 1: Points 7 instead of 5, z instead of -"
    ]  # fmt: skip
    assert said(before, after, [Seat(1)]) == ["Player 2: Points 4 instead of 3, y instead of x"]


def test_other_rows():
    """Rows come and go by what they are about."""
    before, after = view(table(("Z1", 3))), view(table(("Z1", 4), ("Z2", 5)))
    assert said(before, after) == ["Position, Z1: Points 4 instead of 3", "Position, new: Z2, Points 5"]
    assert said(after, before)[1] == "Position, gone: Z2, Points 5"


def test_standings():
    """Rank and points of whoever has others now; without two results there is nothing to compare."""
    first, second, shared = (Standing(rank=r, seat=Seat(s), points=p) for r, s, p in ((1, 1, 9), (2, 2, 1), (1, 2, 9)))
    before = Outcome(standings=(first, second), winners=(Seat(1),))
    after = Outcome(standings=(first, shared), winners=(Seat(1), Seat(2)))
    found = view_changes.of_standings(before, after)
    told = [speaker().say(text) for text in found.values()]
    assert told == ["Player 2: rank 1 with 9 points instead of rank 2 with 1 point"]
    assert view_changes.of_standings(None, after) == {}


def test_a_long_list_is_shortened():
    """Nothing stands there twice, and what is too much is counted."""
    texts = [say("LINE", n=number % 50) for number in range(100)]
    short = view_changes.shortened(texts)
    assert len(short) == view_changes.MOST + 1
    assert speaker().say(short[-1]) == "and 30 more changes; all of it is below"
    assert len(view_changes.shortened(texts[: view_changes.MOST + 1])) == view_changes.MOST + 1
