"""The game that is written down for the demo: legal, of words that people know, and with its four slips."""

import re
from typing import Any

from games.api import MoveBlock, Seat
from games.crossword import ENGINE
from games.crossword.rules import SEATS
from games.dice import Dice
from gm.demo.any_game import known_words
from gm.demo.scripted_game import script_of
from gm.lexicon.lexicon import Lexicon

INVENTED = "TEEBAR"
SCRIPT = script_of("crossword")


def play() -> tuple[Any, list[tuple[int, Seat]], list[tuple[int, Seat]]]:
    """Play the script; returns the final state, whose first block was refused, and who sent none, by round and seat."""
    lexicon = Lexicon.load(())
    engine, refused, silent = ENGINE, list[tuple[int, Seat]](), list[tuple[int, Seat]]()
    entries = {seat: engine.enrol(MoveBlock(lines=SCRIPT[0, seat][0]), {}).move for seat in SEATS}
    state = engine.start(entries, {}, Dice("script", 0)).state
    for number in range(1, 7):
        moves = {}
        for seat in SEATS:
            blocks = SCRIPT.get((number, seat), ())
            sheets = [engine.read(state, seat, MoveBlock(lines=block), lexicon) for block in blocks]
            if not sheets:
                silent.append((number, seat))
                continue
            if sheets[0].problems:
                refused.append((number, seat))
            assert not sheets[-1].problems
            moves[seat] = sheets[-1].move
        state = engine.resolve(state, moves, Dice("script", number), lexicon).state
    return state, refused, silent


def test_it_is_played_to_its_end() -> None:
    """One block is refused, one seat is silent once, one word is doubtful, and one point decides."""
    state, refused, silent = play()
    assert (refused, silent) == ([(2, 2)], [(4, 4)])
    claims = [claim for result in state.results for claim in result.claims]
    assert [claim.word for claim in claims if claim.status != "accepted"] == [INVENTED]
    assert not any(result.unplaced for result in state.results)
    best, second, *others = sorted((result.points for result in state.results), reverse=True)
    assert best - second == 1
    assert min(others) >= 70


def test_one_seat_thinks_again() -> None:
    """The first block of two lacks a letter that the second one has."""
    twice = [found for place, found in SCRIPT.items() if len(found) > 1 and place != (2, 2)]
    assert len(twice) == 1
    first, second = ("".join(block[1:]) for block in twice[0])
    assert sum(map(str.isupper, first)) == sum(map(str.isupper, second)) - 1


def test_all_its_words_are_on_the_list_that_was_read() -> None:
    """What is claimed in the end is known to everybody, but for the invented word."""
    lines = [line for seat in SEATS for line in SCRIPT[6, seat][-1][6:-1]]
    words = {word.upper() for line in lines for word in re.findall("[a-z]{2,}", line)}
    assert len(words) > 60
    assert words - set(known_words()) == {INVENTED}
