"""Checks that nobody is shown what is hidden, and that a seat is shown its own move.

Two positions that a viewer can't tell apart are compared: all that this viewer is shown of them, is answered in them
and is told of what happens in them must be the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import count, islice, product
from typing import Any, Final

from games.api import ALL, EVERYONE, SPECTATOR, MoveBlock, Resolution, Seat, Text, Viewer
from games.dice import Dice
from games.errors import SetupError
from games.kit.testdraw import drawn_sections, worded
from games.kit.testplay import Contract, Sent, Step, WordSet, games, play, started, viewers_of
from games.kit.testsecrets import GAMES, picked, watching
from games.suggestions import suggested

_STEPS: Final = 10
"""Steps of each game at which is compared what viewers are shown."""
_OTHER_STEPS: Final = 3
"""Steps of a game with fewest seats."""
_OTHERS: Final = 3
"""Resampled positions with which each is compared."""
_BEGINNINGS: Final = 40
"""Games that begin with one other number of the dice."""
_VALUES: Final = 5
"""Values of each option with which a game is begun."""
_BLOCKS: Final = 3
"""Blocks that are sent in each of them."""


def check_leaks(contract: Contract) -> None:
    """Views, events and answers are the same in positions that differ only in what is hidden from a viewer."""
    for viewer in viewers_of(contract):
        _check_beginning(contract, viewer)
    for steps in islice(games(contract), GAMES):
        _check_game(contract, steps)


def check_other_games(contract: Contract) -> None:
    """Games with fewer seats and with other options begin; the one with fewest seats ends and keeps its secrets."""
    rules = contract.engine.rules
    if rules.seats[0] == rules.seats[1] and not rules.choices:
        return
    last = {name: allowed[-1] for name, allowed in rules.choices.items()}
    options = [{name: value} for name, allowed in rules.choices.items() for value in allowed[:_VALUES]]
    for seats, chosen in product(range(rules.seats[0], rules.seats[1] + 1), ({}, *options)):
        _begun(replace(contract, seats=seats, options=chosen))
    others = (replace(contract, seats=rules.seats[0], options=chosen, played={}) for chosen in (last, {}))
    if other := next(filter(_begun, others), None):
        _check_game(other, tuple(play(other, "other game", 0.2)), _OTHER_STEPS)


def _begun(contract: Contract) -> Resolution[Any] | None:
    """Begin a game; None where the rules don't allow so many seats with these options."""
    try:
        return started(contract)
    except SetupError:
        return None


def _check_game(contract: Contract, steps: Sequence[Step], most: int = _STEPS) -> None:
    """Compare at some steps of a game; all viewers look when a seat has resigned, and at the last step."""
    for number, step in enumerate(picked(steps[1:-1], most)):
        for viewer in watching(contract, number):
            _check_position(contract, step, viewer)
            _check_events(contract, step, viewer)
    leaving = next((at for at, step in enumerate(steps) if step.left), 0)
    for step in (*steps[leaving + 1 :][:1], steps[-1]):
        for viewer in viewers_of(contract):
            _check_position(contract, step, viewer)
    for step in (steps[leaving or -1], steps[-1]):
        for viewer in watching(contract):
            _check_events(contract, step, viewer)


class _OtherDice(Dice):
    """Dice of which one number is another one."""

    def __init__(self, seed: str, turn: int, other: int) -> None:
        super().__init__(seed, turn)
        same, drawn = self._random, count()
        self._random = lambda: (same() + (next(drawn) == other) / 2) % 1


def _check_beginning(contract: Contract, viewer: Viewer) -> None:
    """Compare what is said of games that begin nearly alike: where a viewer sees no difference, none is told."""
    told = started(contract)
    view = contract.engine.view(told.state, viewer)
    for number in range(_BEGINNINGS):
        again = started(contract, dice=_OtherDice("seed", 0, number))
        if contract.engine.view(again.state, viewer) == view:
            _check_same(contract, viewer, "events at the start", _heard(told, viewer), _heard(again, viewer))


def _check_position(contract: Contract, step: Step, viewer: Viewer) -> None:
    """Compare all that is shown of a position, and what is answered to blocks."""
    shown = _shown(contract, step, viewer, step.before)
    for number in range(_OTHERS):
        other = contract.engine.resample(step.before, viewer, Dice("leaks", number))
        for place, value in _shown(contract, step, viewer, other).items():
            _check_same(contract, viewer, place, shown[place], value)


def _shown(contract: Contract, step: Step, viewer: Viewer, state: Any) -> Mapping[str, Any]:
    """Return all that a viewer is shown of a position, with and without a move on file, and answered to blocks."""
    engine, own = contract.engine, next((one.sheet.move for one in reversed(step.sent) if one.seat == viewer), None)
    shown = {
        "due": engine.due(state),
        "round": engine.round(state),
        "outcome": engine.outcome(state),
        "view": engine.view(state, viewer),
    }
    if isinstance(viewer, str):
        return shown
    with_own = engine.view(state, viewer, own)
    shown |= {"stand": engine.stand(state, viewer), "view with a move on file": with_own}
    for lines in (with_own.block, *picked([sent.lines for sent in step.sent], _BLOCKS)):
        block = MoveBlock(lines=tuple(line for line in lines if not line.startswith("Stand:")))
        shown[f"answer to {lines}"] = engine.read(state, viewer, block, contract.words)
    for sent in step.sent[-1:]:
        block = MoveBlock(lines=sent.lines)
        shown[f"answer to {sent.lines} with a move on file"] = engine.read(state, viewer, block, contract.words, own)
    return shown


def _moves(sent: Sequence[Sent]) -> dict[Seat, Sent]:
    """Return the block that counts of each seat: the last one."""
    return {one.seat: one for one in sent if one.sheet.move is not None}


def _check_events(contract: Contract, step: Step, viewer: Viewer) -> None:
    """Compare what happens at a step: where the position after it looks the same, so must the events.

    What the rules publish (an answer, a tile that was bought, racks at the end) can be seen in the position as well.
    """
    engine = contract.engine
    told = _carried_out(contract, step, step.before, _moves(step.sent), "step")
    for state, moves, seed in _alternatives(contract, step, viewer):
        again = _carried_out(contract, step, state, moves, seed)
        if engine.view(told.state, viewer) == engine.view(again.state, viewer):
            _check_same(contract, viewer, "events", _heard(told, viewer), _heard(again, viewer))


def _alternatives(contract: Contract, step: Step, viewer: Viewer) -> Iterator[tuple[Any, dict[Seat, Sent], str]]:
    """Yield what a viewer can't tell from a step before it happens: another position, other moves, other dice.

    A spectator knows less than the only seat that moves.
    """
    engine, moves = contract.engine, _moves(step.sent)
    yield step.before, moves, "other dice"
    for number in range(_OTHERS):
        others = [engine.resample(step.before, viewer, Dice("events", number))]
        if viewer == SPECTATOR and len(moves) == 1:
            others += [engine.resample(step.before, mover, Dice("events", number)) for mover in moves]
        yield from ((state, moves, "step") for state in others if _has_same_moves(contract, step, state))
        yield step.before, moves | _other_moves(contract, step, viewer, number), "step"


def _has_same_moves(contract: Contract, step: Step, other: Any) -> bool:
    """Return whether the blocks of a step are the same moves in another position: tiles may be lacking there."""
    blocks = [(sent.seat, MoveBlock(lines=sent.lines)) for sent in _moves(step.sent).values()]
    read = contract.engine.read
    return all(
        read(other, seat, block, contract.words).move == read(step.before, seat, block, contract.words).move
        for seat, block in blocks
    )


def _other_moves(contract: Contract, step: Step, viewer: Viewer, number: int) -> dict[Seat, Sent]:
    """Let others send something else."""
    moves = dict[Seat, Sent]()
    for seat in picked([seat for seat in _moves(step.sent) if seat != viewer], _BLOCKS):
        lines = suggested(contract.engine, step.before, seat, Dice("other moves", number), contract.words)
        sheet = contract.engine.read(step.before, seat, MoveBlock(lines=lines), contract.words)
        moves |= {seat: Sent(seat=seat, lines=lines, sheet=sheet)} if sheet.move is not None else {}
    return moves


def _carried_out(contract: Contract, step: Step, state: Any, moves: Mapping[Seat, Sent], seed: str) -> Resolution[Any]:
    """Carry out moves, at once or by closing the round; or let the seat resign that does so in the step."""
    engine, waiting = contract.engine, dict[Seat, Any]()
    if step.left:
        return engine.resign(state, step.left, Dice(seed, 1))
    for seat, sent in moves.items():
        at_once = engine.act(state, seat, sent.sheet.move, Dice(seed, 1), contract.words)
        if at_once and not sent.sheet.doubtful:
            return at_once
        waiting |= {} if at_once else {seat: sent.sheet.move}
    return engine.resolve(state, waiting, Dice(seed, 1), contract.words)


def _heard(told: Resolution[Any], viewer: Viewer) -> tuple[Text, ...]:
    return tuple(event.text for event in told.events if event.readers == EVERYONE or viewer in event.readers)


def _check_same(contract: Contract, viewer: Viewer, place: str, one: Any, other: Any) -> None:
    found = _difference(place, one, other)
    title = contract.engine.rules.title
    assert not found, f"{title}: what is hidden from {viewer} is shown in {found}; or `resample` changes what it knows"


def _difference(place: str, one: Any, other: Any) -> str:
    """Name the place where two values differ, and what stands there; nothing where they are the same."""
    if one == other:
        return ""
    if is_dataclass(one) and type(one) is type(other):
        names = [field.name for field in fields(one)]
        pairs = [(f"{place}.{name}", getattr(one, name), getattr(other, name)) for name in names]
    elif isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        pairs = [(f"{place}[{key!r}]", value, other[key]) for key, value in one.items()]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        pairs = [(f"{place}[{at}]", *pair) for at, pair in enumerate(zip(one, other, strict=True))]
    else:
        pairs = []
    inner = (_difference(*pair) for pair in pairs)
    return next(filter(None, inner), f"{place}: {one!r:.200} or {other!r:.200}")


# --- A seat's own move ---


def check_own_moves(contract: Contract) -> None:
    """A move that waits for the closing, or for the GM, is shown to its seat by what was sent, and to nobody else."""
    for steps in islice(games(contract), GAMES):
        for step in picked(steps[1:], _STEPS):
            for sent in picked(step.sent, _BLOCKS):
                unlisted = contract.engine.read(step.before, sent.seat, MoveBlock(lines=sent.lines), WordSet())
                _check_own(contract, step, sent)
                _check_own(contract, step, Sent(seat=sent.seat, lines=sent.lines, sheet=unlisted))


def _check_own(contract: Contract, step: Step, sent: Sent) -> None:
    engine, state, sheet = contract.engine, step.before, sent.sheet
    if sheet.move is None:
        return
    for viewer in (SPECTATOR, ALL):
        is_same = engine.view(state, viewer, sheet.move) == engine.view(state, viewer)
        assert is_same, f"{viewer} is shown the move of seat {sent.seat}: {sent.lines}"
    if engine.act(state, sent.seat, sheet.move, Dice("own", 1), contract.words) and not sheet.doubtful:
        return  # it never waits
    before, after = (drawn_sections(engine, engine.view(state, sent.seat, own), "de") for own in (None, sheet.move))
    new = "\n".join(line for line in after if line not in before)
    named = [worded(engine, what, "de") for _, what in sheet.summary]
    named = named or [word for line in engine.write(state, sent.seat, sheet.move) for word in line.split()]
    assert any(text and text in new for text in named), f"seat {sent.seat} isn't shown its move: {sent.lines} {named}"
