"""The games: rules only, pure. Each folder with an `ENGINE` is a game; nothing outside knows its name."""

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
    """All games by key: the folders here, and what other distributions add under `gm.games`."""
    found: list[AnyEngine] = [point.load() for point in entry_points(group="gm.games")]
    found += [engine for name in _folders() if (engine := _engine_of(name))]
    return MappingProxyType({engine.rules.key: engine for engine in found})


def profiles() -> MappingProxyType[str, Profile]:
    """All word profiles by name: the one that every game has, and what the games bring."""
    brought = [profile for engine in engines().values() for profile in engine.rules.profiles]
    return MappingProxyType({profile.name: profile for profile in (DUDEN, *brought)})


def engine(key: str) -> AnyEngine:
    """One game by its key; as long as nobody asked for all of them, the others aren't loaded. Raises KeyError."""
    alone = None if engines.cache_info().currsize else _alone(key)
    return alone or engines()[key]


@cache
def _alone(key: str) -> AnyEngine | None:
    """A game of a folder here that is named after it."""
    name = key.replace("-", "_")
    if name not in _folders():
        return None
    found = _engine_of(name)
    return found if found and found.rules.key == key else None


def _engine_of(folder: str) -> AnyEngine | None:
    """The engine of a folder; None where it is no game (`kit`, `shared`)."""
    found: AnyEngine | None = getattr(importlib.import_module(f"games.{folder}"), "ENGINE", None)
    return found


def _folders() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
