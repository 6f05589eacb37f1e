"""How to move is told in full once; a player who has moved before reads what can be sent, in short (issue 49)."""

import pytest

from games import engines
from games.api import LANGUAGES, Seat
from games.kit.testkit import Contract, worded
from games.kit.testplay import games

MOST_SIGNS = 370
"""Five lines of a mail. Cells that are listed (where a word may be crossed) don't count."""


@pytest.mark.parametrize("key", sorted(engines()))
def test_who_has_moved_before_is_told_in_short(key: str) -> None:
    """No first turn is told in short; no later one at length, in either language."""
    engine, later = engines()[key], 0
    for steps in games(Contract(engine=engine, games=1)):
        moved = set[Seat]()
        for step in steps:
            for sent in step.sent:
                view = engine.view(step.before, sent.seat)
                assert sent.seat in moved or not view.in_short
                for language in LANGUAGES if sent.seat in moved else ():
                    told = [worded(engine, text, language) for text in view.in_short or view.how_to]
                    listed = sum(len(str(text.values.get("cells", ""))) for text in view.in_short)
                    assert sum(map(len, told)) - listed <= MOST_SIGNS, told
                    later += 1
            moved |= {sent.seat for sent in step.sent}
    assert later, "nobody has moved twice"
