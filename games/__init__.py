"""The games: pure rules. A folder with an `ENGINE` is a game, and no code outside of it knows its name."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, TypeAlias

from games.api import Engine
from games.words import DUDEN, Profile

AnyEngine: TypeAlias = Engine[Any, Any, Any]


@cache
def engines() -> MappingProxyType[str, AnyEngine]:
    """Return all games by key: the folders here, and those of other packages with an entry point in `gm.games`."""
    found: list[AnyEngine] = [point.load() for point in entry_points(group="gm.games")]
    found += [engine for name in _folders() if (engine := _engine_of(name))]
    return MappingProxyType({engine.rules.key: engine for engine in found})


def profiles() -> MappingProxyType[str, Profile]:
    """Return all word profiles by name: `duden`, and those that the games bring."""
    brought = [profile for engine in engines().values() for profile in engine.rules.profiles]
    return MappingProxyType({profile.name: profile for profile in (DUDEN, *brought)})


def example() -> AnyEngine:
    """Return the game that stands in examples."""
    return next((found for found in engines().values() if found.rules.is_example), next(iter(engines().values())))


def engine(key: str) -> AnyEngine:
    """Return one game by its key, if possible without loading the others. Raises KeyError."""
    alone = None if engines.cache_info().currsize else _alone(key)
    return alone or engines()[key]


@cache
def _alone(key: str) -> AnyEngine | None:
    """Load the game whose folder has the name of the key; None where there is no such folder."""
    name = key.replace("-", "_")
    if name not in _folders():
        return None
    found = _engine_of(name)
    return found if found and found.rules.key == key else None


def _engine_of(folder: str) -> AnyEngine | None:
    """Load the engine of a folder; None for folders that are no games (`kit`, `shared`)."""
    found: AnyEngine | None = getattr(importlib.import_module(f"games.{folder}"), "ENGINE", None)
    return found


def _folders() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
