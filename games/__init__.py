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
    """All games by key: the folders here, and what other distributions offer under `gm.games`."""
    folders = [importlib.import_module(f"games.{m.name}") for m in pkgutil.iter_modules(__path__) if m.ispkg]
    found: list[AnyEngine] = [folder.ENGINE for folder in folders]
    found += [point.load() for point in entry_points(group="gm.games")]
    return MappingProxyType({engine.rules.key: engine for engine in found})
