"""The words that the demo's players know: common ones that count, and enough to play every game with."""

from collections import Counter

import pytest

from games import engines
from games.api import MoveBlock, Seat
from games.dice import Dice
from games.kit.testkit import Contract, sign_ups
from gm.demo.any_game import KnownWords, known_words
from gm.lexicon.lexicon import Lexicon

LEXICON = Lexicon.load()
NOT_SHOWN = {"AIDS", "EBOLA", "GAS", "HEIL", "JUDE", "KREBS", "KRIEG", "MORD", "NAZI", "SEX", "TOD", "YONI"}


def test_every_known_word_counts() -> None:
    """The list is sorted, in board letters; each word is accepted, no slur, and no mere name."""
    words = known_words()
    assert list(words) == sorted({*words})
    assert 4_000 < len(words) < 6_000
    assert all(2 <= len(word) <= 10 for word in words)
    assert [word for word in words if LEXICON.check(word, "duden").status != "accepted"] == []
    assert [word for word in words if "slur" in LEXICON.flags(word)] == []
    assert NOT_SHOWN.isdisjoint(words)


def test_what_is_not_known_counts_all_the_same() -> None:
    """Players think of known words that the game accepts; judged is as ever."""
    known = KnownWords(LEXICON)
    assert known.check("EBOLA", "duden") == LEXICON.check("EBOLA", "duden")
    assert {"BAUM", "GEHT"} <= {*known.listed("duden")}
    assert "BAUM" in known.listed("combinato-nouns")
    assert "GEHT" not in known.listed("typdom")
    assert known.listed("duden") is known.listed("duden")


@pytest.mark.parametrize("key", engines())
def test_known_words_are_enough_for_a_game(key: str) -> None:
    """Every suggestion is legal, nothing else than known words is laid, and most of the moves are no passes."""
    engine, words, chance = engines()[key], KnownWords(LEXICON), 0
    entries = dict(enumerate(sign_ups(Contract(engine=engine)), start=1))
    state, kinds = engine.start({Seat(n): e for n, e in entries.items()}, engine.rules.options, Dice("x", 0)).state, []
    while due := sorted(engine.due(state)):
        chance, moves = chance + 1, {}
        for seat in due:
            lines = engine.suggest(state, seat, Dice(f"seat {seat}", chance), words)
            sheet = engine.read(state, seat, MoveBlock(lines=lines), words)
            assert sheet.move is not None
            assert (sheet.problems, sheet.doubtful) == ((), ())
            kinds.append(lines[0].split()[0])
            if at_once := engine.act(state, seat, sheet.move, Dice("act", chance), words):
                state = at_once.state
                break
            moves[seat] = sheet.move
        else:
            state = engine.resolve(state, moves, Dice("close", chance), words).state
    passed = Counter(kinds)["passe"] + Counter(kinds)["weiter"]
    assert passed * 2 < len(kinds)
