"""The testkit finds what only some games, seats or moments show, and takes what is unusual and sound."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from test_planted_leaks import HIDDEN, sound, with_fault

from games import AnyEngine
from games.api import ALL, SPECTATOR, MoveBlock, Resolution, Seat, Sheet, View, public
from games.kit import testkit
from games.shared.phrases import plain


def showing(key: str, when: Any) -> Any:
    """Make a `view` that shows everybody at some times what the last seat holds."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        shown = sound(self).view(self, state, viewer, own)
        return replace(shown, facts={**shown.facts, "odd": HIDDEN[key](state)}) if when(state, viewer) else shown

    return view


def telling(method: str, key: str) -> dict[str, Any]:
    """Make a step that tells everybody what the last seat holds."""

    def step(self: AnyEngine, *arguments: Any) -> Resolution[Any]:
        done: Resolution[Any] = getattr(sound(self), method)(self, *arguments)
        return done.then(done.state, *public(plain(HIDDEN[key](done.state))))

    return {method: step}


@pytest.mark.parametrize("key", ["farbdomino", "typ-dom"])
def test_a_secret_told_when_somebody_leaves_is_found(key: str) -> None:
    """All other events keep it."""
    with pytest.raises(AssertionError, match="is shown in events"):
        testkit.check_leaks(with_fault(key, **telling("resign", key)))


@pytest.mark.parametrize("key", ["farbdomino", "typ-dom"])
def test_a_secret_told_at_the_start_is_found(key: str) -> None:
    """There is no position before it that could be compared."""
    with pytest.raises(AssertionError, match="is shown in events at the start"):
        testkit.check_leaks(with_fault(key, **telling("start", key)))


def test_a_secret_shown_after_somebody_has_left_is_found() -> None:
    """As long as all play, nobody sees it."""
    view = showing("typ-dom", lambda state, _: state.given_up)
    with pytest.raises(AssertionError, match="is shown in view"):
        testkit.check_leaks(with_fault("typ-dom", view=view))


def test_a_secret_shown_to_one_seat_in_the_last_round_is_found() -> None:
    """At the last step all seats look."""
    last = [steps[-1].before.round for steps in testkit.games(with_fault("crossword"))]
    view = showing("crossword", lambda state, viewer: viewer == 3 and not state.over and state.round == last[0])
    with pytest.raises(AssertionError, match="hidden from 3 is shown in view"):
        testkit.check_leaks(with_fault("crossword", view=view))


@pytest.mark.parametrize("with_own", [True, False])
def test_a_secret_in_some_answers_is_found(with_own: bool) -> None:
    """It is told to who has a move on file, or sends the block back as it was."""

    def read(self: AnyEngine, state: Any, seat: Seat, block: Any, words: Any, own: Any = None) -> Sheet[Any]:
        sheet: Sheet[Any] = sound(self).read(self, state, seat, block, words, own)
        is_told = own is not None if with_own else sheet == Sheet()
        return replace(sheet, remarks=(plain(HIDDEN["typ-dom"](state)),)) if is_told else sheet

    with pytest.raises(AssertionError, match="is shown in answer to"):
        testkit.check_leaks(with_fault("typ-dom", read=read))


def test_a_secret_shown_between_two_seats_only_is_found() -> None:
    """The other games have five seats."""
    view = showing("farbdomino", lambda state, _: len(state.seats) == 2)
    with pytest.raises(AssertionError, match="is shown in view"):
        testkit.check_other_games(with_fault("farbdomino", view=view))


def test_an_option_with_which_no_game_begins_is_found() -> None:
    """The other games have the usual options."""

    def begin(self: AnyEngine, entries: Any, options: Any, dice: Any) -> Resolution[Any]:
        assert options["winner"] == "first_out", "no such game"
        done: Resolution[Any] = sound(self).begin(self, entries, options, dice)
        return done

    with pytest.raises(AssertionError, match="no such game"):
        testkit.check_other_games(with_fault("farbdomino", begin=begin))


def test_resampling_nothing_for_one_seat_is_found() -> None:
    """Seats in the middle are looked at as well."""

    def resample(self: AnyEngine, state: Any, viewer: Any, dice: Any) -> Any:
        return state if viewer == 3 else sound(self).resample(self, state, viewer, dice)

    with pytest.raises(AssertionError, match=r"never draws anew .* hidden from 3"):
        testkit.check_resampling(with_fault("typ-dom", resample=resample))


def test_a_resampled_position_that_cannot_be_is_found() -> None:
    """One tile is there several times, and others are missing."""

    def resample(self: AnyEngine, state: Any, viewer: Any, dice: Any) -> Any:
        drawn = sound(self).resample(self, state, viewer, dice)
        return replace(drawn, stock=drawn.stock[:1] * len(drawn.stock))

    with pytest.raises(AssertionError, match=r"a position that can't be: it has '\w\d' \d+ times, not 1"):
        testkit.check_resampling(with_fault("farbdomino", resample=resample))


def test_a_secret_that_nobody_ever_sees_is_one() -> None:
    """A game can't call it no secret by never showing it, not even to `ALL`."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        return sound(self).view(self, state, SPECTATOR)

    rules = property(lambda self: replace(sound(self).rules, hides_nothing=True))
    with pytest.raises(AssertionError, match="`hides_nothing`, and there is"):
        testkit.check_resampling(with_fault("farbdomino", view=view, rules=rules))


def test_a_game_that_shows_nothing_at_the_end_is_found() -> None:
    """What was hidden until then is shown to nobody."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        return View(sections=()) if state.over else sound(self).view(self, state, viewer, own)

    with pytest.raises(AssertionError, match="was hidden, and at the end not even `ALL` is shown it"):
        testkit.check_resampling(with_fault("farbdomino", view=view))


def test_a_move_that_is_not_listed_is_found() -> None:
    """Every second move is read and carried out, and `moves` doesn't list it."""

    def moves(self: AnyEngine, state: Any, seat: Seat) -> Iterable[Any]:
        return islice(sound(self).moves(self, state, seat), 0, 1000, 2)

    with pytest.raises(AssertionError, match="which `moves` doesn't list"):
        testkit.check_moves(with_fault("combinato-zahlen", moves=moves))


def test_another_move_by_another_spelling_is_found() -> None:
    """The confirmation says the same, but the move is another one."""

    def read(self: AnyEngine, state: Any, seat: Seat, block: MoveBlock, *arguments: Any) -> Sheet[Any]:
        sheet: Sheet[Any] = sound(self).read(self, state, seat, block, *arguments)
        is_odd = sheet.move is not None and any("->" in line for line in block.lines)
        return replace(sheet, move=next(iter(self.moves(state, seat)))) if is_odd else sheet

    with pytest.raises(AssertionError, match="isn't read as"):
        testkit.check_spellings(with_fault("combinato-zahlen", read=read))


def test_seats_may_have_other_tasks() -> None:
    """What a seat reads about its move may depend on the seat."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        shown = sound(self).view(self, state, viewer, own)
        return replace(shown, how_to=(*shown.how_to, plain(f"{viewer}"))) if shown.how_to else shown

    testkit.check_examples(with_fault("typ-dom", view=view))


def test_a_move_without_a_summary_is_found_by_its_lines() -> None:
    """A confirmation may be short."""

    def read(self: AnyEngine, *arguments: Any) -> Sheet[Any]:
        return replace(sound(self).read(self, *arguments), summary=())

    testkit.check_own_moves(with_fault("combinato-zahlen", read=read))


def test_what_even_all_see_at_the_end_only_may_be_hidden() -> None:
    """A game may keep from everybody what lies in the stock, as long as it is drawn anew."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        shown: View = sound(self).view(self, state, viewer, own)
        return shown if viewer != ALL or state.over else sound(self).view(self, replace(state, stock=()), ALL)

    testkit.check_resampling(with_fault("farbdomino", view=view))
