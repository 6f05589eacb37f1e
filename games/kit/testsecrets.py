"""Checks that a game draws its secrets anew. They find the secrets by themselves, so no game has to list them.

A secret is a part of a position that `ALL` is shown and somebody else isn't. A part is changed, and whose view changes
with it is shown that part.
"""

import random
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, product
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import TypeAdapter, ValidationError

from games.api import ALL, SPECTATOR, MoveBlock, Viewer
from games.dice import Dice
from games.kit.testplay import Contract, Step, games, started, viewers_of
from games.suggestions import suggested

DRAWS: Final = 50
"""In so many draws every secret must have differed at least once."""
GAMES: Final = 3
"""Games that are looked at: one with all moves, one with most and one with none of them."""
_SEEDS: Final = ("one", "two", "three")
"""Other games that are only begun: what is the same in all games is no secret."""
_SEARCHED: Final = 2
"""In so many of them secrets are looked for:"""
_PARTS: Final = (4, 2)
"""after this part of the game, or at its beginning where it has no other position."""
_MEMBERS: Final = 2
"""Of the parts of one kind (`racks[0]`, `racks[1]`) so many are changed to see whether such parts are hidden."""
_CHANGED: Final = 5
"""Parts of a list that are changed to see whether `ALL` is shown it."""
_COUNTED: Final = 5
"""Positions of those drawn whose pieces are counted."""
_FORMS: Final = 60
"""Positions of all games in which the same pieces must be there to be always there."""
_EARLIER: Final = 3
"""Positions in which a part that is shown once, when it is new, can have been shown."""
_VALUES: Final = 3
"""How many other values are tried of each origin: other positions, other parts of its kind, another sign in a text."""
_TURNS: Final = 1000

Path: TypeAlias = tuple[str | int, ...]
"""Where a part of a position lies in its JSON: `("racks", 2)`."""
T = TypeVar("T")

_WRONG: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What a view may raise for a position that can't be."""


def check_resampling(contract: Contract) -> None:
    """`resample` draws everything anew that is hidden from a viewer, and what it draws is legal.

    Each part must be drawn anew in one of the positions in which it is hidden: in others nothing else may be possible.
    """
    hidden = _all_hidden(contract)
    if contract.engine.rules.hides_nothing:
        assert not hidden, f"the rules say `hides_nothing`, and there is {_told(hidden)}"
        return
    assert hidden, "nothing is hidden from anybody: the rules have to say `hides_nothing`"
    drawn_anew = {(one.viewer, one.path) for one in hidden if one.is_drawn_anew}
    same = [one for one in hidden if (one.viewer, one.path) not in drawn_anew]
    assert not same, f"`resample` never draws anew {_told(same)}"
    _check_pieces(contract)


@dataclass(frozen=True, kw_only=True)
class _Hidden:
    """A part of a position that is hidden from a viewer."""

    viewer: Viewer
    path: Path
    value: Any
    is_drawn_anew: bool


def _all_hidden(contract: Contract) -> list[_Hidden]:
    """Find what is hidden in some positions, and whether it is drawn anew."""
    hidden, others, viewers = list[_Hidden](), _forms(contract), watching(contract)
    beginning = Secrets(contract=contract, steps=next(games(contract))[:1], others=others)
    unseen = beginning.unseen(_beginnings(contract))
    for number, steps in enumerate(_examined(contract)):
        secrets = Secrets(contract=contract, steps=steps, others=others)
        for seat in {*watching(contract, number + 1)} - {*viewers}:
            secrets.check_seat(seat)
        drawn = {viewer: _drawn(contract, secrets.state, viewer) for viewer in viewers}
        for viewer, path in (*secrets.found(viewers), *product(viewers, unseen)):
            if (value := part(secrets.json, path)) is not None:
                is_drawn_anew = any(part(form, path) != value for form in drawn[viewer])
                hidden.append(_Hidden(viewer=viewer, path=path, value=value, is_drawn_anew=is_drawn_anew))
    for steps in islice(games(contract), _SEARCHED):
        Secrets(contract=contract, steps=steps, others=others).check_end({kind(one.path) for one in hidden})
    return hidden


def _examined(contract: Contract) -> Iterator[tuple[Step, ...]]:
    """Choose the positions in which secrets are looked for; each comes with the steps before it."""
    for steps in islice(games(contract), _SEARCHED):
        later = [at for at, step in enumerate(steps) if at and contract.engine.due(step.after.state)]
        for at in dict.fromkeys(later[len(later) // share] for share in _PARTS if later) or (0,):
            yield steps[: at + 1]


def _check_pieces(contract: Contract) -> None:
    """Of a card or tile that every position has equally often, a resampled one has as many."""
    first, *counted = (pieces(form) for form in picked(_forms(contract), _FORMS))
    always = [(piece, number) for piece, number in first.items() if all(one[piece] == number for one in counted)]
    for steps in _examined(contract):
        for viewer, number in product(watching(contract), range(_COUNTED)):
            drawn = pieces(
                plain(contract, contract.engine.resample(steps[-1].after.state, viewer, Dice("drawn", number)))
            )
            odd = [f"{one!r} {drawn[one]} times, not {number}" for one, number in always if drawn[one] != number]
            assert not odd, f"resampled for {viewer}, a position that can't be: it has {odd[0]}"


def _forms(contract: Contract) -> list[Any]:
    """Return positions of several games as plain values."""
    played = [step.after.state for steps in islice(games(contract), GAMES) for step in steps]
    return [*(plain(contract, state) for state in played), *_beginnings(contract)]


def _beginnings(contract: Contract) -> list[Any]:
    return [plain(contract, started(contract, seed).state) for seed in _SEEDS]


def _drawn(contract: Contract, state: Any, viewer: Viewer) -> list[Any]:
    """Resample a position often; gives them as plain values."""
    drawn = [contract.engine.resample(state, viewer, Dice("drawn", number)) for number in range(DRAWS)]
    _check_legal(contract, drawn[0], viewer)
    return [plain(contract, other) for other in drawn]


def _check_legal(contract: Contract, state: Any, viewer: Viewer) -> None:
    """Whoever is due can move in a resampled position, and from there the game comes to its end."""
    engine, adapter = contract.engine, adapter_of(contract.engine.state_type)
    assert adapter.validate_json(adapter.dump_json(state)) == state, f"resampled for {viewer}, it doesn't survive JSON"
    for seat in sorted(engine.due(state)):
        lines = suggested(engine, state, seat, Dice("legal", 1), contract.words)
        sheet = engine.read(state, seat, MoveBlock(lines=lines), contract.words)
        assert sheet.move is not None, f"resampled for {viewer}, seat {seat} can't move: {lines} {sheet.problems}"
    for turn in range(_TURNS):
        if engine.due(state):
            state = engine.resolve(state, {}, Dice("legal", turn), contract.words).state
    assert engine.outcome(state) is not None, f"resampled for {viewer}, the game doesn't end"


def _told(found: Sequence[_Hidden]) -> str:
    one = found[0]
    return f"{_name(one.path)}, which is hidden from {one.viewer}: {one.value!r:.100} (of {len(found)})"


def _name(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


@dataclass(frozen=True, kw_only=True)
class Secrets:
    """Looks for what is hidden in the last of the steps of a game."""

    contract: Contract
    steps: tuple[Step, ...]
    others: Sequence[Any]
    """Positions of all games as plain values: what is the same in all of them is no secret."""
    shown: dict[tuple[int, Viewer], Any] = field(default_factory=dict)
    """What was looked at."""

    @cached_property
    def state(self) -> Any:
        """The position."""
        return self.steps[-1].after.state

    @cached_property
    def json(self) -> Any:
        """The position as plain values."""
        return self._forms[-1]

    @cached_property
    def _forms(self) -> list[Any]:
        return [plain(self.contract, step.after.state) for step in self.steps]

    @cached_property
    def _kinds(self) -> dict[Path, list[Any]]:
        found = dict[Path, list[Any]]()
        for form in picked(self.others, _FORMS):
            for path in paths(form):
                found.setdefault(kind(path), []).append(part(form, path))
        return found

    def found(self, viewers: Sequence[Viewer]) -> Iterator[tuple[Viewer, Path]]:
        """Yield from whom which part is hidden. Raises AssertionError for what a seat is shown, and `ALL` isn't."""
        kinds = dict[Path, list[Path]]()
        for path in paths(self.json):
            kinds.setdefault(kind(path), []).append(path)
        for members in kinds.values():
            if any(self._is_hidden(path, SPECTATOR) for path in picked(members, _MEMBERS)):
                for viewer in viewers:
                    yield from ((viewer, path) for path in members if self._is_hidden(path, viewer))

    def check_seat(self, seat: Viewer) -> None:
        """Look whether a seat from which something is hidden is given another position. Raises AssertionError."""
        drawn = (self.contract.engine.resample(self.state, seat, Dice("drawn", number)) for number in range(DRAWS))
        if all(other == self.state for other in drawn):
            hidden = next(self.found((seat,)), None)
            assert not hidden, f"`resample` never draws anew {_name(hidden[1])}, which is hidden from {seat}"

    def check_end(self, kinds: Container[Path]) -> None:
        """Look whether `ALL` is shown at the end what was hidden before it. Raises AssertionError."""
        left = [path for path in paths(self.json) if kind(path) in kinds and part(self.json, path)]
        for path in (path for path in left if part(self._forms[-2], path) == part(self.json, path)):
            for value in self._other_values(path):
                was_hidden = self._tells(-2, path, value, ALL) and not self._tells(-2, path, value, SPECTATOR)
                is_shown = not was_hidden or self._tells(-1, path, value, ALL)
                assert is_shown, f"{_name(path)} was hidden, and at the end not even `ALL` is shown it"

    def unseen(self, others: Sequence[Any]) -> list[Path]:
        """Return what has other values in other positions, and nobody is shown, not even `ALL`."""
        fields = dict[Path, dict[Path, Any]]()
        for path in paths(self.json):
            now, values = part(self.json, path), (part(form, path) for form in others)
            if (other := next((one for one in values if one not in (now, None)), None)) is not None:
                fields.setdefault(tuple(filter(None, kind(path))), {})[path] = other
        hidden = list[Path]()
        for changed in fields.values():
            tried = picked(tuple(changed.items()), _CHANGED)
            viewers = (ALL, *watching(self.contract))
            if not any(self._tells(-1, path, other, viewer) for viewer in viewers for path, other in tried):
                hidden += changed
        return hidden

    def _is_hidden(self, path: Path, viewer: Viewer) -> bool:
        """Return whether a part may have another value for all that this viewer has been shown so far."""
        for value in self._other_values(path):
            if self._tells(-1, path, value, viewer):
                continue
            if self._tells(-1, path, value, ALL):
                earlier = range(len(self.steps) - 1)
                same = (at for at in earlier if part(self._forms[at], path) == part(self.json, path))
                return not any(self._tells(at, path, value, viewer) for at in islice(same, _EARLIER))
            seats = () if viewer != SPECTATOR else watching(self.contract)
            blind = [seat for seat in seats if self._tells(-1, path, value, seat)]
            assert not blind, f"seat {blind[0]} is shown {_name(path)}, and `ALL` isn't: {value!r:.100}"
        return False

    def _tells(self, at: int, path: Path, value: Any, viewer: Viewer) -> bool:
        """Return whether a view of a position changes with a part of it, or the part can't be so."""
        engine = self.contract.engine
        try:
            changed = adapter_of(engine.state_type).validate_python(_with(self._forms[at], path, value))
            return bool(content(engine.view(changed, viewer)) != self._shown(at, viewer))
        except (ValidationError, *_WRONG):
            return True

    def _shown(self, at: int, viewer: Viewer) -> Any:
        """Return what is shown of a position; it is looked at once."""
        if (at, viewer) not in self.shown:
            self.shown[at, viewer] = content(self.contract.engine.view(self.steps[at].after.state, viewer))
        return self.shown[at, viewer]

    def _other_values(self, path: Path) -> list[Any]:
        """Return what a part could be instead: as in other positions, as the parts beside it, with another sign."""
        now, chance = part(self.json, path), random.Random(_name(path))
        others = [one for form in self.others if (one := part(form, path)) not in (now, None)]
        if not others:
            same_kind = [] if isinstance(now, list) else self._kinds.get(kind(path), [])
            return [one for one in dict.fromkeys(same_kind) if one != now][:_VALUES]
        *above, last = path
        beside = part(self.json, tuple(above))
        alike = [one for one in beside if type(one) is type(now)] if isinstance(last, int) else []
        signs = [_one_sign_changed(now, alike or [now], chance) for _ in range(_VALUES)] if isinstance(now, str) else []
        found = []
        for values in (others, alike, signs, [now - 1, now + 1] if type(now) is int else []):
            fresh = [one for one in values if type(one) is type(now) and one != now and one not in found]
            found += chance.sample(fresh, min(_VALUES, len(fresh)))
        return found


def _one_sign_changed(text: str, alike: Sequence[str], chance: random.Random) -> str:
    if not text:
        return text
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("".join(alike)) + text[at + 1 :]


def content(view: Any) -> Any:
    """Return what a view says of a position, without what it says to whoever is asked for a move."""
    return view.headline, view.sections, view.facts, view.seat_facts, view.words


# --- Positions as plain values ---


def watching(contract: Contract, number: int = 0) -> tuple[Viewer, ...]:
    """Choose who looks: a spectator and two seats, others for another number."""
    *seats, spectator = viewers_of(contract)
    return (spectator, *dict.fromkeys((seats[number % len(seats)], seats[(number - 1) % len(seats)])))


def picked(items: Sequence[T], most: int) -> tuple[T, ...]:
    """Choose some items, the same ones each time, in their order."""
    if len(items) <= most:
        return tuple(items)
    return tuple(items[at] for at in sorted(random.Random(len(items)).sample(range(len(items)), most)))


adapter_of: Final[Callable[[Any], TypeAdapter[Any]]] = cache(TypeAdapter)


def plain(contract: Contract, state: Any) -> Any:
    """Write a position as plain values, as it is stored."""
    return adapter_of(contract.engine.state_type).dump_python(state, mode="json")


def paths(form: Any, above: Path = ()) -> Iterator[Path]:
    """Yield where the texts and numbers of a position lie, and the lists of them."""
    if isinstance(form, dict | list):
        inner = list(form.items() if isinstance(form, dict) else enumerate(form))
        if isinstance(form, list) and not any(isinstance(one, dict | list) for _, one in inner):
            yield above
        for step, one in inner:
            yield from paths(one, (*above, step))
    elif form is not None:
        yield above


def pieces(form: Any) -> Counter[Any]:
    """Count the texts and numbers in the lists of a position."""
    if not isinstance(form, dict | list):
        return Counter()
    inner = form if isinstance(form, list) else form.values()
    alone = (one for one in form if isinstance(one, str | int)) if isinstance(form, list) else ()
    return sum(map(pieces, inner), Counter(alone))


def kind(path: Path) -> Path:
    """Return what a part has in common with those beside it: `racks[0]` and `racks[1]` are `racks`, twice."""
    return tuple("" if isinstance(step, int) else step for step in path)


def part(form: Any, path: Path) -> Any:
    """Return the part of a position; None where there is no such part."""
    for step in path:
        try:
            form = form[step]
        except (IndexError, KeyError, TypeError):
            return None
    return form


def _with(form: Any, path: Path, value: Any) -> Any:
    """Change a part of a position."""
    if not path:
        return value
    step, *rest = path
    inner = _with(form[step], tuple(rest), value)
    if isinstance(form, dict):
        return {**form, step: inner}
    return [inner if at == step else one for at, one in enumerate(form)]
