"""The contract of `games.kit.testkit`, for every engine there is."""
# ruff: noqa: ARG002 (a game of three lines uses little of what it is given)

import random
from collections.abc import Callable, Iterable
from itertools import count
from types import MappingProxyType
from typing import Any

import pytest

from games import engines
from games.api import (
    ALL,
    EVERYONE,
    SPECTATOR,
    Engine,
    Event,
    MoveBlock,
    Outcome,
    Played,
    Resolution,
    Rules,
    Seat,
    Section,
    Sheet,
    Text,
    View,
    say,
)
from games.dice import Dice
from games.kit.testkit import (
    CHECKS,
    Contract,
    WordSet,
    check_moves,
    check_written,
    damaged,
    play,
    playthrough,
    sign_ups,
    started,
    worded,
)
from games.shared.ranking import leaders, standings
from games.words import UNLISTED

ONE_OF_A_KIND = ("combinato", "crossword", "farbdomino", "presto")
"""A guessing game, a game of grids, one of turns and a race: the other games share their code."""


@pytest.mark.trust(except_first=len(ONE_OF_A_KIND))
@pytest.mark.parametrize("key", [*ONE_OF_A_KIND, *sorted({*engines()} - {*ONE_OF_A_KIND})])
def test_engine_keeps_the_contract(key: str, at_full_length: bool, subtests: pytest.Subtests) -> None:
    """Every engine passes every check of the contract; its games are played once."""
    contract = Contract(engine=engines()[key], games=20 if at_full_length else 1)
    for check in CHECKS:
        with subtests.test(check.__name__):
            check(contract)


@pytest.mark.parametrize("key", engines())
def test_playthrough(key: str, golden: Callable[[str, str], None]) -> None:
    """A whole game with its events, their readers and every seat's view is as reviewed: a leak shows in the diff."""
    golden(f"playthrough-{key}.txt", playthrough(Contract(engine=engines()[key]), nmr=0.15))


@pytest.mark.parametrize("key", engines())
def test_boards_name_their_lines(key: str) -> None:
    """Boards that the archive shows tell rows and columns apart, for those who hear them; racks are said."""
    engine = engines()[key]
    for step in play(Contract(engine=engine), "boards", 0.1):
        for viewer in (SPECTATOR, ALL):
            for section in engine.view(step.after.state, viewer).sections:
                boards = [grid for grid in section.grids if not grid.said]
                for labels in (labels for grid in boards for labels in (grid.columns, grid.rows)):
                    named = [label for label in labels if label]
                    assert named
                    assert len(set(named)) == len(named)


@pytest.mark.parametrize("key", [key for key, engine in engines().items() if engine.rules.unit == "turn"])
def test_a_missed_turn_is_no_purchase(key: str) -> None:
    """Issue 26, words said: after an NMR the subject says that nothing came, not what was bought for the seat."""
    contract = Contract(engine=engines()[key])
    state = started(contract).state
    (seat,) = contract.engine.due(state)
    after = contract.engine.resolve(state, {}, Dice("nmr", 1), contract.words).state
    assert (
        worded(contract.engine, contract.engine.view(after, SPECTATOR).headline or "", "de")
        == f"Kein Zug von Wilhelmine B{seat}"
    )


@pytest.mark.parametrize("key", engines())
def test_key_is_the_folder(key: str) -> None:
    """A game is found under its own key."""
    assert engines()[key].rules.key == key


def test_dice_are_the_seed_and_the_turn() -> None:
    """The same seed and turn give the same chance, another turn gives another."""
    assert Dice("a", 1).shuffled(range(20)) == Dice("a", 1).shuffled(range(20))
    assert Dice("a", 1).shuffled(range(20)) != Dice("a", 2).shuffled(range(20))
    assert sorted(Dice("a", 1).shuffled("abc")) == ["a", "b", "c"]
    assert Dice("a", 1).choice("x") == "x"


def test_word_set_knows_three_answers() -> None:
    """A word is accepted, refused with a reason, or doubtful."""
    words = WordSet(["UR"], {"USW": "ABBREVIATION"})
    assert words.check("UR", "duden").status == "accepted"
    assert words.check("USW", "duden").reason == "ABBREVIATION"
    assert words.check("URB", "duden") == UNLISTED
    assert tuple(words.listed("duden")) == ("UR",)


class Coin(Engine[Any, str, str]):
    """A sequential game for two, to test the testkit: whoever is on turn says `kopf`, three times; effect at once."""

    rules = Rules(key="coin", title="Coin", seats=(2, 2), version=1, profile="duden", hides_nothing=True)
    wording: Any = MappingProxyType(
        {"SAID": {"de": "{seat} {word}", "en": "{seat} {word}"}, "BAD": {"de": "nein", "en": "no"}}
    )
    state_type = tuple[int, int, frozenset[Seat]]
    move_type = str
    entry_type = str

    def enrol(self, block: MoveBlock, options: Any) -> Sheet[str]:
        return Sheet(move="in")

    def start(self, entries: Any, options: Any, dice: Dice) -> Resolution[Any]:
        return Resolution(state=(0, 0, frozenset()))

    def due(self, state: Any) -> frozenset[Seat]:
        return frozenset() if state[0] > 2 else frozenset({Seat(1 + state[0] % 2)})

    def round(self, state: Any) -> int:
        return int(state[0])

    def stand(self, state: Any, seat: Seat) -> int:
        return int(state[0])

    def read(self, state: Any, seat: Seat, block: MoveBlock, words: Any, own: Any = None) -> Sheet[str]:
        if not block.lines:
            return Sheet()
        good = [line.lower() for line in block.lines] == ["kopf"]
        return Sheet(move="kopf") if good else Sheet(problems=(say("BAD"),), offer=("kopf",))

    def act(self, state: Any, seat: Seat, move: str, dice: Dice, words: Any) -> Resolution[Any] | None:
        events = (Event(text=say("SAID", seat=seat, word=move), readers=frozenset({seat})),)
        return Resolution(state=(state[0] + 1, state[1] + 1, state[2]), events=events)

    def resolve(self, state: Any, moves: Any, dice: Dice, words: Any) -> Resolution[Any]:
        return Resolution(state=(state[0] + 1, state[1], state[2]))

    def give_up(self, state: Any, seats: frozenset[Seat]) -> Any:
        return (*state[:2], state[2] | seats)

    def resign(self, state: Any, seat: Seat, dice: Dice) -> Resolution[Any]:
        return Resolution(state=(3, *self.give_up(state, frozenset({seat}))[1:]))

    def outcome(self, state: Any) -> Outcome | None:
        if state[0] <= 2:
            return None
        ranked = standings({Seat(1): 0, Seat(2): 0}, state[2])
        return Outcome(standings=ranked, winners=leaders(ranked, state[2]))

    def view(self, state: Any, viewer: Any, own: Any = None) -> View:
        return View(sections=())

    def write(self, state: Any, seat: Seat, move: str) -> tuple[str, ...]:
        return (move,)

    def moves(self, state: Any, seat: Seat) -> Iterable[str]:
        return ("kopf",) if seat in self.due(state) else ()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_sequential_game_passes_the_contract(check: Callable[[Contract], None]) -> None:
    """The testkit checks games whose moves take effect at once as well."""
    check(Contract(engine=Coin()))


def test_playthrough_names_the_readers() -> None:
    """An event for one seat is written with that seat."""
    text = playthrough(Contract(engine=Coin()), nmr=0.0)
    assert "event for [1]: Wilhelmine B1 kopf" in text
    assert EVERYONE not in text


class Endless(Coin):
    """A game that never ends."""

    def due(self, state: Any) -> frozenset[Seat]:
        return frozenset({Seat(1)})


class Picky(Coin):
    """A game for which no sign-up is enough."""

    def enrol(self, block: MoveBlock, options: Any) -> Sheet[str]:
        return Sheet(wanted=(say("BAD"),))


class Mistaken(Coin):
    """A game that writes another move than it is given."""

    def suggest(self, state: Any, seat: Seat, dice: Dice, words: Any) -> tuple[str, ...]:
        return ("kopf",)

    def write(self, state: Any, seat: Seat, move: str) -> tuple[str, ...]:
        return ("zahl",)


class Hasty(Coin):
    """A game that counts out moves for a seat that owes none."""

    def moves(self, state: Any, seat: Seat) -> Iterable[str]:
        return ("kopf",)


def test_testkit_reads_what_is_written() -> None:
    """Lines that are read as another move, or as none, are found."""
    with pytest.raises(AssertionError, match="kopf is written as"):
        check_written(Contract(engine=Mistaken()))


def test_testkit_finds_moves_of_others() -> None:
    """A seat that owes no move has none to choose from."""
    with pytest.raises(AssertionError, match="seat 2 owes no move"):
        check_moves(Contract(engine=Hasty()))


def test_testkit_finds_an_endless_game() -> None:
    """A game that doesn't end fails instead of running for ever."""
    with pytest.raises(AssertionError, match="isn't over"):
        list(play(Contract(engine=Endless()), "seed", 0.0))


def test_testkit_needs_a_sign_up() -> None:
    """A game whose suggested sign-up isn't enough says what to do."""
    with pytest.raises(AssertionError, match="suggest_entry"):
        sign_ups(Contract(engine=Picky()))


def test_testkit_finds_a_missing_wording() -> None:
    """A code without a wording fails."""

    class Dumb(Coin):
        wording: Any = MappingProxyType({})

    with pytest.raises(AssertionError, match="no wording"):
        _check("check_wording")(Contract(engine=Dumb()))


def _check(name: str) -> Callable[[Contract], None]:
    return next(check for check in CHECKS if check.__name__ == name)


def test_testkit_finds_who_wins_by_leaving() -> None:
    """rulings.md, All games: a game in which who gave up wins, or isn't behind, or goes on with one seat, fails."""

    class Kind(Coin):
        def outcome(self, state: Any) -> Outcome | None:
            ranked = standings({Seat(1): 0, Seat(2): 0}, state[2])
            return Outcome(standings=ranked, winners=(Seat(1),)) if state[0] > 2 else None

    class Flat(Coin):
        def outcome(self, state: Any) -> Outcome | None:
            ranked = standings({Seat(1): 0, Seat(2): 0})
            return Outcome(standings=ranked, winners=leaders(ranked, state[2])) if state[0] > 2 else None

    class Deaf(Coin):
        def resign(self, state: Any, seat: Seat, dice: Dice) -> Resolution[Any]:
            return Resolution(state=self.give_up(state, frozenset({seat})))

    for engine, fault in ((Kind(), "has won"), (Flat(), "isn't last"), (Deaf(), "goes on")):
        with pytest.raises(AssertionError, match=fault):
            _check("check_given_up")(Contract(engine=engine))


def test_testkit_finds_what_all_eyes_lack() -> None:
    """A game that shows spectators more than the archive, or asks those who only look on, fails."""

    class Blind(Coin):
        def view(self, state: Any, viewer: Any, own: Any = None) -> View:
            return View(sections=() if viewer == "all" else (Section(lines=(say("BAD"),)),))

    class Asking(Coin):
        def view(self, state: Any, viewer: Any, own: Any = None) -> View:
            return View(sections=(), block=("kopf",))

    for engine, fault in ((Blind(), "missing"), (Asking(), "asked")):
        with pytest.raises(AssertionError, match=fault):
            _check("check_everything_shown")(Contract(engine=engine))


@pytest.mark.parametrize(
    ("played", "over", "fault"),
    [
        (Played(seat=Seat(1), word="KOPF"), False, "before the end"),
        (Played(seat=Seat(3), word="KOPF"), True, "no such seat"),
        (Played(seat=Seat(1), word="Kopf"), True, "capitals"),
        (Played(seat=Seat(1), word="KO PF"), True, "not a word"),
        (Played(seat=Seat(1), word="KOPF", status="refused"), True, "without a reason"),
        (Played(seat=Seat(1), word="KOPF", why=say("BAD")), True, "without a reason"),
    ],
)
def test_testkit_finds_wrong_words(played: Played, over: bool, fault: str) -> None:
    """A list of words that comes early, names nobody, is no word or is refused without a reason fails."""

    class Talking(Coin):
        def view(self, state: Any, viewer: Any, own: Any = None) -> View:
            return View(sections=(), words=(played,) if (state[0] > 2) >= over else ())

    with pytest.raises(AssertionError, match=fault):
        _check("check_words")(Contract(engine=Talking()))


def test_testkit_finds_a_bad_look_back() -> None:
    """A game that looks back too early, or finds something else each time, fails."""
    answers = count()

    class Early(Coin):
        def look_back(self, state: Any, words: Any, dice: Dice) -> tuple[Section, ...]:
            return (Section(lines=(say("BAD"),)),)

    class Moody(Coin):
        def look_back(self, state: Any, words: Any, dice: Dice) -> tuple[Section, ...]:
            return (Section(lines=(say("SAID", seat=Seat(1), word=str(next(answers))),)),) if state[0] > 2 else ()

    for engine, fault in ((Early(), "before the end"), (Moody(), "two ways")):
        with pytest.raises(AssertionError, match=fault):
            _check("check_looking_back")(Contract(engine=engine))


def test_testkit_finds_judging_that_never_ends() -> None:
    """A game whose points change each time its words are judged fails."""

    class Restless(Coin):
        def judge_again(self, state: Any, words: Any) -> Any:
            return (state[0] + 1, *state[1:])

    with pytest.raises(AssertionError, match=r"another result|something more"):
        _check("check_judging_again")(Contract(engine=Restless()))


def test_worded_numbers_and_strings_stand_for_themselves() -> None:
    """Only texts are looked up."""
    assert worded(Coin(), "abc", "de") == "abc"
    assert worded(Coin(), Text("SAID", {"seat": 1, "word": 3}), "en") == "Wilhelmine B1 3"


def test_damage_keeps_a_block_of_lines() -> None:
    """Damage of nothing is still a block."""
    assert all(isinstance(line, str) for line in damaged((), random.Random(1)))
