"""The testkit finds what games must not do with secrets: each fault is planted in every game that we have."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from games import AnyEngine, engines
from games.api import ALL, SPECTATOR, MoveBlock, Resolution, Sheet, View, public
from games.kit import testkit
from games.kit.testkit import Contract
from games.shared.phrases import plain

HIDDEN: dict[str, Callable[[Any], str]] = {
    "combinato": lambda state: state.secrets[1],
    "farbdomino": lambda state: " ".join(state.players[-1].hand),
    "combinato-zahlen": lambda state: state.secrets[1],
    "crossword": lambda state: " ".join(state.lists[-1]),
    "point-typ-dom": lambda state: state.racks[-1],
    "presto": lambda state: state.now.racks[-1],
    "typ-dom": lambda state: state.racks[-1],
    "wer-behaelt-recht": lambda state: state.racks[-1],
    "wort-yahtzee": lambda state: state.players[-1].dice,
}
"""What the last seat holds, and nobody else may see."""

FORGOTTEN: dict[str, Callable[[Any, Any], Any]] = {
    "combinato": lambda drawn, true: replace(drawn, secrets=(drawn.secrets[0], true.secrets[1])),
    "combinato-zahlen": lambda drawn, true: replace(drawn, secrets=(true.secrets[0], drawn.secrets[1])),
    "crossword": lambda drawn, true: replace(drawn, lists=(*drawn.lists[:-1], true.lists[-1])),
    "farbdomino": lambda drawn, true: replace(drawn, stock=true.stock),
    "point-typ-dom": lambda drawn, true: replace(drawn, bag=true.bag),
    "presto": lambda drawn, true: replace(drawn, now=replace(drawn.now, rest=true.now.rest)),
    "typ-dom": lambda drawn, true: replace(drawn, racks=(*drawn.racks[:-1], true.racks[-1])),
    "wer-behaelt-recht": lambda drawn, true: replace(drawn, bag=true.bag),
    "wort-yahtzee": lambda drawn, true: replace(drawn, players=(*drawn.players[:-1], true.players[-1])),
}
"""How a resampled position looks in which one secret is still the true one."""


@cache
def played(key: str) -> Contract:
    """The games of a sound engine: its moves and positions are those of the engine with a fault."""
    contract = Contract(engine=engines()[key], games=1)
    list(testkit.games(contract))
    return contract


def with_fault(key: str, **methods: Any) -> Contract:
    """A game of ours with some of its methods replaced."""
    sound = engines()[key]
    faulty = object.__new__(type("Faulty", (type(sound),), methods))
    vars(faulty).update(vars(sound))
    return replace(played(key), engine=faulty)


def sound(engine: AnyEngine) -> Any:
    """The class whose methods a faulty engine replaces."""
    return type(engine).__mro__[1]


def shows(key: str, secret: Callable[[Any], Any], where: str) -> Any:
    """Make a `view` that shows a secret."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        shown = sound(self).view(self, state, viewer, own)
        if where == "facts":
            return replace(shown, facts={**shown.facts, "odd": secret(state)})
        facts = {seat: {**facts, "odd": secret(state)} for seat, facts in shown.seat_facts.items()}
        return replace(shown, seat_facts=facts)

    return view


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_secret_in_the_facts_is_found(key: str) -> None:
    """What the last seat holds stands in the facts for all: the game, the viewer and the place are named."""
    title = engines()[key].rules.title
    with pytest.raises(AssertionError, match=rf"{title}: what is hidden from .* is shown in view\.facts\['odd'\]"):
        testkit.check_leaks(with_fault(key, view=shows(key, HIDDEN[key], "facts")))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_count_that_gives_a_secret_away_is_found(key: str) -> None:
    """How many signs of a kind the last seat holds is shown to all."""

    def count(state: Any) -> int:
        return sum(sign in "AEIOUY012345ac" for sign in HIDDEN[key](state))

    with pytest.raises(AssertionError, match=r"is shown in view\.seat_facts\[1\]\['odd'\]"):
        testkit.check_leaks(with_fault(key, view=shows(key, count, "seat_facts")))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_secret_in_an_event_is_found(key: str) -> None:
    """Everybody is told what the last seat held before a step."""

    def told(done: Resolution[Any], state: Any) -> Resolution[Any]:
        return replace(done, events=(*done.events, *public(plain(HIDDEN[key](state)))))

    def act(self: AnyEngine, state: Any, *arguments: Any) -> Any:
        done = sound(self).act(self, state, *arguments)
        return done and told(done, state)

    def resolve(self: AnyEngine, state: Any, *arguments: Any) -> Any:
        return told(sound(self).resolve(self, state, *arguments), state)

    with pytest.raises(AssertionError, match="is shown in events"):
        testkit.check_leaks(with_fault(key, act=act, resolve=resolve))


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("key", ["farbdomino", "point-typ-dom", "typ-dom", "wer-behaelt-recht", "wort-yahtzee"])
def test_a_private_event_for_everybody_is_found(key: str) -> None:
    """Everybody is told of the tiles that a seat draws, or of the dice that it rolls."""

    def loud(done: Resolution[Any] | None) -> Resolution[Any] | None:
        return done and replace(done, events=public(*(event.text for event in done.events)))

    def act(self: AnyEngine, *arguments: Any) -> Any:
        return loud(sound(self).act(self, *arguments))

    def resolve(self: AnyEngine, *arguments: Any) -> Any:
        return loud(sound(self).resolve(self, *arguments))

    with pytest.raises(AssertionError, match="is shown in events"):
        testkit.check_leaks(with_fault(key, act=act, resolve=resolve))


@pytest.mark.parametrize("key", ["combinato", "combinato-zahlen"])
def test_a_move_that_stays_secret_in_an_event_is_found(key: str) -> None:
    """At the closing of round 0 everybody is told what one of the two has hidden."""

    def resolve(self: AnyEngine, state: Any, moves: Any, *arguments: Any) -> Any:
        done = sound(self).resolve(self, state, moves, *arguments)
        told = [plain(str(move)) for seat, move in moves.items() if seat == 2 and not state.round]
        return replace(done, events=(*done.events, *public(*told)))

    with pytest.raises(AssertionError, match="is shown in events"):
        testkit.check_leaks(with_fault(key, resolve=resolve))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_secret_in_an_answer_is_found(key: str) -> None:
    """Whoever sends a block is told what the last seat holds."""

    def read(self: AnyEngine, state: Any, *arguments: Any) -> Sheet[Any]:
        sheet = sound(self).read(self, state, *arguments)
        return replace(sheet, remarks=(*sheet.remarks, plain(HIDDEN[key](state))))

    with pytest.raises(AssertionError, match="is shown in answer to"):
        testkit.check_leaks(with_fault(key, read=read))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_resampling_nothing_is_found(key: str) -> None:
    """`resample` gives back the position that it was given."""

    def resample(self: AnyEngine, state: Any, viewer: Any, dice: Any) -> Any:
        return state

    with pytest.raises(AssertionError, match="never draws anew"):
        testkit.check_resampling(with_fault(key, resample=resample))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_resampling_the_beginning_only_is_found(key: str) -> None:
    """`resample` gives back what it was given as soon as something has happened."""
    first = engines()[key].round(testkit.started(played(key)).state)

    def resample(self: AnyEngine, state: Any, viewer: Any, dice: Any) -> Any:
        drawn = sound(self).resample(self, state, viewer, dice)
        return drawn if self.round(state) <= first else state

    with pytest.raises(AssertionError, match="never draws anew"):
        testkit.check_resampling(with_fault(key, resample=resample))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_secret_that_is_never_drawn_anew_is_found(key: str) -> None:
    """`resample` forgets one of the secrets, and draws the others."""

    def resample(self: AnyEngine, state: Any, viewer: Any, dice: Any) -> Any:
        return FORGOTTEN[key](sound(self).resample(self, state, viewer, dice), state)

    with pytest.raises(AssertionError, match="never draws anew"):
        testkit.check_resampling(with_fault(key, resample=resample))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_game_that_denies_its_secrets_is_found(key: str) -> None:
    """The rules say that nothing is hidden, but something is."""
    rules = replace(engines()[key].rules, hides_nothing=True)
    with pytest.raises(AssertionError, match="the rules say `hides_nothing`, and there is"):
        testkit.check_resampling(with_fault(key, rules=property(lambda _: rules)))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_what_is_never_shown_to_all_is_found(key: str) -> None:
    """`ALL` sees no more than a spectator."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        return sound(self).view(self, state, SPECTATOR if viewer == ALL else viewer, own)

    with pytest.raises(AssertionError, match=r"and `ALL` isn't|nothing is hidden from anybody"):
        testkit.check_resampling(with_fault(key, view=view))


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("key", [key for key in HIDDEN if key != "farbdomino"])
def test_a_move_that_its_seat_never_sees_is_found(key: str) -> None:
    """A move on file isn't shown to its seat. (In Farbdomino none ever waits.)"""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        return sound(self).view(self, state, viewer)

    with pytest.raises(AssertionError, match="isn't shown its move"):
        testkit.check_own_moves(with_fault(key, view=view))


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("key", [key for key in HIDDEN if key != "farbdomino"])
def test_a_move_that_others_see_is_found(key: str) -> None:
    """A move on file is shown to whoever looks."""

    def view(self: AnyEngine, state: Any, viewer: Any, own: Any = None) -> View:
        shown = sound(self).view(self, state, viewer, own)
        return replace(shown, facts={**shown.facts, "own": str(own)})

    with pytest.raises(AssertionError, match="spectator is shown the move of seat"):
        testkit.check_own_moves(with_fault(key, view=view))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", HIDDEN)
def test_a_game_that_reads_one_spelling_is_found(key: str) -> None:
    """A block is read exactly as it was suggested, and in no other way."""
    steps = [step for steps in testkit.games(played(key)) for step in steps]
    known = {step.sent[-1].lines for step in steps if step.sent}

    def read(self: AnyEngine, state: Any, seat: Any, block: MoveBlock, *arguments: Any) -> Sheet[Any]:
        if block.lines not in known:
            return Sheet(problems=(plain("?"),))
        return sound(self).read(self, state, seat, block, *arguments)

    with pytest.raises(AssertionError, match="isn't read as"):
        testkit.check_spellings(with_fault(key, read=read))
