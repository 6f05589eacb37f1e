"""The games: rules only, pure. Each folder with an `ENGINE` is a game; nothing outside knows its name."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, TypeAlias

from games.api import Engine

AnyEngine: TypeAlias = Engine[Any, Any, Any]


@cache
def engines() -> MappingProxyType[str, AnyEngine]:
    """All games by key: the folders here, and what other distributions add under `gm.games`."""
    found: list[AnyEngine] = [point.load() for point in entry_points(group="gm.games")]
    found += [importlib.import_module(f"games.{name}").ENGINE for name in _folders()]
    return MappingProxyType({engine.rules.key: engine for engine in found})


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
    found: AnyEngine = importlib.import_module(f"games.{name}").ENGINE
    return found if found.rules.key == key else None


def _folders() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
