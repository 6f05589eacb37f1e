"""Checks that every engine must pass: games of this repository and of other packages.

A test calls each of `CHECKS` with a `Contract`: an engine, a judge of words and how many games to play. A check
raises AssertionError. Other packages import everything from this module: what plays games (`games.kit.testplay`) and
what writes them down (`games.kit.testdraw`) may move.
"""

import random
import string
from collections.abc import Callable
from typing import Any, Final

from games import AnyEngine, profiles
from games.api import (
    ALL,
    EVERYONE,
    SPECTATOR,
    Event,
    MoveBlock,
    Seat,
    View,
)
from games.dice import Dice
from games.kit.testdraw import block, drawn, drawn_sections, playthrough, worded
from games.kit.testleaks import check_leaks, check_other_games, check_own_moves
from games.kit.testmoves import check_moves, check_written
from games.kit.testplay import (
    COMMON_WORDS,
    MOST_TURNS,
    NASTY,
    Contract,
    Sent,
    Step,
    WordSet,
    damaged,
    games,
    play,
    play_on,
    sign_ups,
    started,
    viewers_of,
)
from games.kit.testsecrets import adapter_of, check_resampling, picked
from games.kit.testspelling import check_spellings
from games.kit.testwording import check_section, check_text, check_width, check_wording, texts_of_sheet, texts_of_view
from games.optional_parts import JudgesAgain, LooksBack, ReadsAhead
from games.suggestions import suggested
from games.words import DUDEN

__all__ = (
    "CHECKS", "COMMON_WORDS", "NASTY",
    "AnyEngine", "Contract", "Sent", "Step", "WordSet",
    "block", "check_copy_blocks", "check_damage", "check_ends", "check_everything_shown", "check_examples",
    "check_given_up", "check_inputs_stay", "check_judging_again", "check_leaks", "check_looking_back",
    "check_moves", "check_other_games", "check_own_moves", "check_resampling", "check_rules", "check_same_seed",
    "check_secrecy", "check_spellings", "check_stands", "check_storage", "check_suggestions", "check_width",
    "check_wording", "check_words", "check_written", "damaged", "drawn", "games", "play", "playthrough",
    "same_for_others", "sign_ups", "started", "texts_of_sheet", "texts_of_view", "viewers_of", "worded",
)  # fmt: skip
"""What other packages may import."""


_DAMAGED: Final = 15
"""Steps of each game in which damaged blocks are sent."""


def check_rules(contract: Contract) -> None:
    """The fixed facts make sense: key, seats, word profiles."""
    rules = contract.engine.rules
    assert set(rules.key) <= set(string.ascii_lowercase + string.digits + "-"), f"not a key: {rules.key}"
    assert 1 <= rules.seats[0] <= rules.seats[1], f"not a range of seats: {rules.seats}"
    assert rules.title, "a game has a title"
    assert rules.version > 0, "versions count from 1"
    assert rules.profile in {DUDEN.name, *(profile.name for profile in rules.profiles)}, f"no profile: {rules.profile}"
    for profile in rules.profiles:
        assert profiles().get(profile.name, profile) == profile, f"there is another profile {profile.name}"


def check_ends(contract: Contract) -> None:
    """Every game ends, even without moves, and there is an outcome exactly when nobody owes a move."""
    engine = contract.engine
    for steps in games(contract):
        for step in steps:
            over = engine.outcome(step.after.state) is not None
            assert over == (not engine.due(step.after.state)), "`due` and `outcome` disagree on the end"
        last = steps[-1].after.state
        outcome = engine.outcome(last)
        assert outcome is not None, "a game that is over has an outcome"
        assert outcome.standings, "a game that is over has standings"
        assert set(outcome.winners) <= {line.seat for line in outcome.standings}, "who has won isn't in the table"
        assert 0 <= engine.round(last) <= (engine.rules.rounds or MOST_TURNS), "more rounds than the rules have"


def check_given_up(contract: Contract) -> None:
    """A given-up seat never wins and ranks behind all others; the last seat in play has won at once."""
    engine, chance = contract.engine, random.Random("given up")
    for number in range(contract.games):
        *steps, _ = play(contract, f"game {number}", 0.2)
        before = chance.choice(steps).after.state
        seat = min(engine.due(before))
        left = engine.resign(before, seat, Dice("left", 1))
        for step in play_on(contract, left, f"game {number}", 0.2):
            left = step.after
        _check_result(engine, left.state, {seat})
    _check_last_one(contract)


def _check_last_one(contract: Contract) -> None:
    engine, state = contract.engine, started(contract).state
    *others, last = contract.all_seats
    nobody = engine.resign(engine.give_up(state, frozenset(others)), last, Dice("left", 1)).state
    assert engine.outcome(nobody), "nobody is left in play, and it goes on"
    _check_result(engine, nobody, {*others, last})
    for at, seat in enumerate(others, start=1):
        assert engine.outcome(state) is None, "it is over although several seats are in play"
        state = engine.resign(state, seat, Dice("left", at)).state
    outcome = engine.outcome(state)
    assert outcome, "one seat is left in play, and it goes on"
    assert outcome.winners == (last,), f"seat {last} is the last in play and hasn't won"
    _check_result(engine, state, set(others))


def _check_result(engine: AnyEngine, state: Any, given_up: set[Seat]) -> None:
    outcome = engine.outcome(state)
    if outcome is None:
        return
    assert not given_up & set(outcome.winners), f"a seat that was given up has won: {outcome.winners}"
    behind = [line.rank for line in outcome.standings if line.seat in given_up]
    before = [line.rank for line in outcome.standings if line.seat not in given_up]
    assert not before or max(before) < min(behind, default=99), f"who gave up isn't last: {outcome.standings}"
    engine.view(state, ALL)


def check_same_seed(contract: Contract) -> None:
    """The same seed and the same blocks give the same game."""
    for nmr, steps in zip((0.0, 0.2), games(contract), strict=False):
        leaving = next((at for at, step in enumerate(steps) if step.left), 0)
        assert tuple(play(contract, "game 0", nmr, leaving)) == steps, "two games from one seed differ"


def check_storage(contract: Contract) -> None:
    """States, moves, sign-ups and events survive JSON."""
    engine = contract.engine
    for entry in sign_ups(contract):
        _survives(engine.entry_type, entry)
    for steps in games(contract):
        for step in steps:
            _survives(engine.state_type, step.after.state)
            for event in step.after.events:
                _survives(Event, event)
            for sent in step.sent:
                if sent.sheet.move is not None:
                    _survives(engine.move_type, sent.sheet.move)


def _survives(kind: Any, value: Any) -> None:
    adapter = adapter_of(kind)
    assert adapter.validate_json(adapter.dump_json(value)) == value, f"{value} doesn't survive JSON"


def check_inputs_stay(contract: Contract) -> None:
    """No method changes the position or the moves that it is given."""
    engine = contract.engine
    adapter = adapter_of(engine.state_type)
    for steps in games(contract):
        for step in steps[1:]:
            before = adapter.dump_json(step.before)
            moves = {sent.seat: sent.sheet.move for sent in step.sent if sent.sheet.move is not None}
            asked = dict(moves)
            for seat, move in moves.items():
                engine.act(step.before, seat, move, Dice("again", 1), contract.words)
                engine.view(step.before, seat, move)
            engine.resolve(step.before, moves, Dice("again", 1), contract.words)
            engine.resign(step.before, Seat(1), Dice("again", 1))
            assert adapter.dump_json(step.before) == before, "a state was changed"
            assert moves == asked, "the moves were changed"


def check_secrecy(contract: Contract) -> None:
    """A move on file is shown to its own seat only, and every event names readers that exist."""
    engine = contract.engine
    seats = set(contract.all_seats)
    for steps in games(contract):
        for step in steps:
            for event in step.after.events:
                assert event.readers == EVERYONE or set(event.readers) <= seats, f"unknown readers: {event}"
        for step in steps[1:]:
            for sent in step.sent:
                watched = engine.view(step.before, SPECTATOR)
                assert engine.view(step.before, SPECTATOR, sent.sheet.move) == watched, "a spectator sees a move"
        assert not engine.view(steps[0].after.state, SPECTATOR).block, "a spectator has nothing to send"


def same_for_others(contract: Contract, one: Any, other: Any, seat: Seat) -> None:
    """Assert that two positions look the same to everybody but one seat: they differ only in what it hides."""
    for viewer in (viewer for viewer in viewers_of(contract) if viewer != seat):
        assert contract.engine.view(one, viewer) == contract.engine.view(other, viewer), f"{viewer} sees seat {seat}"


def check_everything_shown(contract: Contract) -> None:
    """`ALL` sees whatever spectators see, at any time, and neither is asked for a move."""
    engine = contract.engine
    for steps in games(contract):
        for step in steps:
            watched, all_of_it = (engine.view(step.after.state, viewer) for viewer in (SPECTATOR, ALL))
            for view in (watched, all_of_it):
                asked = (view.ask, view.how_to, view.in_short, view.block)
                assert not any(asked), f"nobody is asked here: {asked}"
            shown = set(drawn_sections(engine, all_of_it, "de"))
            lacking = [line for line in drawn_sections(engine, watched, "de") if line not in shown]
            assert not lacking, f"what a spectator sees is missing: {lacking}"
            assert watched.facts.keys() <= all_of_it.facts.keys(), "a fact is missing"
            for seat, facts in watched.seat_facts.items():
                assert facts.keys() <= all_of_it.seat_facts[seat].keys(), f"a fact about seat {seat} is missing"


def check_words(contract: Contract) -> None:
    """A view lists the words of the game, after its end only; refused words have a reason."""
    engine = contract.engine
    for steps in games(contract):
        *before, last = (step.after.state for step in steps)
        for state in before:
            assert not any(engine.view(state, viewer).words for viewer in (SPECTATOR, ALL)), "words before the end"
        words = engine.view(last, SPECTATOR).words
        assert words == engine.view(last, ALL).words, "the words are the same for all"
        for played in words:
            assert played.seat in contract.all_seats, f"no such seat: {played}"
            assert played.word.isalpha(), f"not a word: {played}"
            assert played.word == played.word.upper(), f"not in capitals: {played}"
            assert (played.why is not None) == (played.status == "refused"), f"refused without a reason: {played}"


def check_looking_back(contract: Contract) -> None:
    """Looking back finds something after the end only; it depends on the seed alone, and has wordings."""
    engine = contract.engine
    if isinstance(engine, LooksBack):
        *_, before, last = (step.after.state for step in play(contract, "back", 0.2))
        assert not engine.look_back(before, contract.words, Dice("back", 1)), "it looks back before the end"
        first, again = (engine.look_back(last, contract.words, Dice("back", 1)) for _ in range(2))
        assert first == again, "two ways to look back from one seed differ"
        for section in first:
            check_section(engine, section)
        for text in texts_of_view(View(sections=first)):
            check_text(engine, text)


def check_judging_again(contract: Contract) -> None:
    """Words that are judged as before change no score, and judging twice changes nothing more."""
    engine = contract.engine
    if isinstance(engine, JudgesAgain):
        for steps in games(contract):
            for step in steps:
                state = step.after.state
                again = engine.judge_again(state, contract.words)
                assert engine.outcome(again) == engine.outcome(state), "the same words bring another result"
                assert engine.judge_again(again, contract.words) == again, "judging twice changes something more"


def check_suggestions(contract: Contract) -> None:
    """`read` accepts what `suggest` returns."""
    for steps in games(contract):
        for step in steps[1:]:
            for seat in sorted(contract.engine.due(step.before)):
                lines = suggested(contract.engine, step.before, seat, Dice("suggest", 1), contract.words)
                sheet = contract.engine.read(step.before, seat, MoveBlock(lines=lines), contract.words)
                assert not sheet.problems, f"a suggested block is refused: {lines} {sheet.problems}"
                assert sheet.move is not None, f"a suggested block is no move: {lines}"
                if isinstance(contract.engine, ReadsAhead):
                    assert not contract.engine.misread(MoveBlock(lines=lines)), f"a move is misread: {lines}"


def check_copy_blocks(contract: Contract) -> None:
    """The block to copy, sent back unchanged, is neither a move nor a mistake."""
    for steps in games(contract):
        for step in steps[1:]:
            for seat in sorted(contract.engine.due(step.before)):
                shown = contract.engine.view(step.before, seat).block
                lines = tuple(line for line in shown if not line.startswith("Stand:"))
                sheet = contract.engine.read(step.before, seat, MoveBlock(lines=lines), contract.words)
                assert sheet.move is None, f"an empty block is a move: {lines}"
                assert not sheet.problems, f"an empty block is refused: {lines} {sheet.problems}"


def check_examples(contract: Contract) -> None:
    """How-to texts only show the form: at the start a seat reads the same, whatever was dealt."""
    engine, told = contract.engine, dict[Seat, str]()
    for seed in ("one", "two", "three"):
        state = started(contract, seed).state
        for seat in engine.due(state):
            how = str(engine.view(state, seat).how_to)
            assert told.setdefault(seat, how) == how, f"what seat {seat} reads depends on what was dealt: {how}"


def check_stands(contract: Contract) -> None:
    """A seat that is asked about a new position gets a higher `stand`."""
    engine = contract.engine
    for steps in games(contract):
        for step in steps[1:]:
            for seat in contract.all_seats:
                before, after = engine.stand(step.before, seat), engine.stand(step.after.state, seat)
                assert before <= after, f"the stand of seat {seat} falls from {before} to {after}"
                acted = engine.round(step.before) == engine.round(step.after.state) and step.sent[-1:] and (
                    step.sent[-1].seat == seat and engine.due(step.before) & engine.due(step.after.state) & {seat}
                )  # fmt: skip
                assert not acted or before < after, f"a move of seat {seat} had its effect, its stand is still {before}"


def check_damage(contract: Contract) -> None:
    """A damaged block never raises. If it has problems, it is no move, and the block offered instead is accepted."""
    engine, chance = contract.engine, random.Random("damage")
    for steps in games(contract):
        for step in picked(steps[1:], _DAMAGED):
            for seat in sorted(engine.due(step.before)):
                lines = suggested(engine, step.before, seat, Dice("damage", 1), contract.words)
                for _ in range(5):
                    block = damaged(lines, chance)
                    _check_sheet(contract, step.before, seat, block)
                    engine.enrol(MoveBlock(lines=block), engine.rules.options)


def _check_sheet(contract: Contract, state: Any, seat: Seat, lines: tuple[str, ...]) -> None:
    engine = contract.engine
    sheet = engine.read(state, seat, MoveBlock(lines=lines), contract.words)
    assert not (sheet.problems and sheet.move is not None), f"a move with problems counts: {lines}"
    if sheet.offer:
        again = engine.read(state, seat, MoveBlock(lines=sheet.offer), contract.words)
        assert not again.problems, f"what was offered for {lines} is refused: {sheet.offer} {again.problems}"
    if sheet.move is not None:
        engine.view(state, seat, sheet.move)
        _survives(engine.move_type, sheet.move)


CHECKS: Final[tuple[Callable[[Contract], None], ...]] = (
    check_rules,
    check_ends,
    check_given_up,
    check_same_seed,
    check_storage,
    check_inputs_stay,
    check_secrecy,
    check_resampling,
    check_leaks,
    check_other_games,
    check_own_moves,
    check_everything_shown,
    check_words,
    check_judging_again,
    check_looking_back,
    check_suggestions,
    check_copy_blocks,
    check_examples,
    check_stands,
    check_damage,
    check_spellings,
    check_written,
    check_moves,
    check_wording,
    check_width,
)
"""The contract, check by check."""
