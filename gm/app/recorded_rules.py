"""The rules that steps were made by: which code that was, whether it is what is installed, and the states they left.

Each step has the version of the rules, which their author raises, and a checksum of their code. A test of ours compares
the checksums (tests/games/test_rules_versions.py), so that nobody forgets the version; here only the version counts.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from games import AnyEngine
from games.api import Outcome, say
from gm.runtime.errors import Refused
from gm.store.json_values import decode
from gm.store.tables import Turn

_IMPORTS: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE
)


class RulesChanged(Refused):
    """A running game was played by another version of its rules: the GM has to let it go on first."""


def made_by(engine: AnyEngine) -> str:
    """Name the code of an engine, as it is stored with each step: `postal-gm 1.0.0 1f0c...`."""
    return f"{_program(engine.rules.key)} {checksum(engine)}"


def is_same_version(engine: AnyEngine, turn: Turn) -> bool:
    """Check whether a step must come out the same by the rules that are here."""
    return turn.rules_version == engine.rules.version


def read_state(engine: AnyEngine, name: str, turn: Turn) -> Any:
    """Read the position after a step of the game of this name, also one of older rules.

    Raises Refused, with the version to install, where newer rules wrote it, or older ones in a way that is gone.
    """
    if turn.rules_version <= engine.rules.version:
        try:
            return decode(engine.state_type, turn.state)
        except ValidationError:
            if is_same_version(engine, turn):
                raise
    raise unreadable(engine, name, turn)


def check_readable(engine: AnyEngine, name: str, turn: Turn) -> None:
    """Check that a step can be shown here. Raises Refused."""
    read_state(engine, name, turn)


def unreadable(engine: AnyEngine, name: str, turn: Turn) -> Refused:
    """Say of a step which rules made it, and what to install."""
    program = turn.made_by.rpartition(" ")[0]
    return Refused(
        say(
            "recorded_rules.unreadable",
            game=name,
            made_by=turn.rules_version,
            title=engine.rules.title,
            version=engine.rules.version,
            program=program,
        )
    )


def outcome_of(engine: AnyEngine, turn: Turn, state: Any) -> Outcome | None:
    """Return how a game has ended with a step; as it was recorded, where another version has made the step."""
    if is_same_version(engine, turn):
        return engine.outcome(state)
    recorded = turn.result.get("outcome")
    outcome: Outcome | None = None if recorded is None else decode(Outcome, recorded)
    return outcome


# -- the checksum ------------------------------------------------------------------------------------------------------


def checksum(engine: AnyEngine) -> str:
    """Give a checksum of all modules that a game's rules consist of: its own, and what they import from games."""
    return _checksum(tuple(sorted(_own_modules(engine))))


@cache
def _checksum(modules: tuple[str, ...]) -> str:
    found = blake2b(digest_size=6)
    for name, source in sorted(_sources(modules).items()):
        found.update(f"\n{name}\n".encode() + source)
    return found.hexdigest()


def _own_modules(engine: AnyEngine) -> Iterator[str]:
    """List the modules that an engine comes from: where it is made, and where its classes are."""
    folder = f"games.{engine.rules.key.replace('-', '_')}"
    if folder in sys.modules:
        yield folder
    yield from (one.__module__ for one in type(engine).__mro__ if one.__module__ not in ("builtins", "typing"))


def _sources(modules: Iterable[str]) -> dict[str, bytes]:
    """Read these modules, and what they import from their own packages and from `games`."""
    found, left = dict[str, bytes](), set(modules)
    packages = {"games", *(name.partition(".")[0] for name in left)}
    while left:
        name = left.pop()
        if name not in found and name.partition(".")[0] in packages:
            source, imported = _read(name)
            if source is not None:
                found[name] = source
                left |= imported - found.keys()
    return found


@cache
def _read(name: str) -> tuple[bytes | None, frozenset[str]]:
    """Read a module, and what it may import; None for a name that is none."""
    path = _file_of(name)
    if path is None:
        return None, frozenset()
    source = path.read_bytes()
    return source, frozenset(_imported(name, path.name == "__init__.py", source.decode()))


def _file_of(name: str) -> Path | None:
    """Find the file of a module; None where the name is something else, or nothing that is written in Python."""
    module, (above, _, leaf) = sys.modules.get(name), name.rpartition(".")
    if module is None:  # it is imported within a function, if it is a module at all
        folders = getattr(sys.modules.get(above), "__path__", ())
        named = [Path(folder, *end) for folder in folders for end in ((f"{leaf}.py",), (leaf, "__init__.py"))]
        return next((path for path in named if path.is_file()), None)
    path = Path(getattr(module, "__file__", None) or "")
    return path if path.suffix == ".py" else None


def _imported(name: str, is_package: bool, source: str) -> Iterator[str]:
    """List all that a source may import; among them are names that are no modules."""
    for origin, names, plain in _IMPORTS.findall(source):
        if plain:
            yield from (one.split()[0] for one in plain.split(",") if one.split())
            continue
        base = _absolute(origin, name, is_package)
        yield base
        yield from (f"{base}.{one}" for one in re.findall(r"\w+", names.partition("#")[0]))


def _absolute(origin: str, name: str, is_package: bool) -> str:
    """Write where a `from` imports from in full: `.rules` in `nim` is `nim.rules`."""
    above = len(origin) - len(origin.lstrip("."))
    if not above:
        return origin
    parts = name.split(".")
    parts = parts[: len(parts) - above + is_package]
    return ".".join([*parts, *filter(None, [origin.lstrip(".")])])


@cache
def _program(key: str) -> str:
    """Name the package that brings a game, with its version."""
    folder = f"games.{key.replace('-', '_')}"
    if folder not in sys.modules:
        for point in entry_points(group="gm.games"):
            if point.name == key and point.dist:
                return f"{point.dist.name} {point.dist.version}"
    try:
        return f"postal-gm {version('postal-gm')}"
    except PackageNotFoundError:
        return "postal-gm"
