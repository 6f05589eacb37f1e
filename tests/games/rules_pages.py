"""The rules of a game for players, as they stand beside its engine."""

from pathlib import Path
from types import ModuleType


def in_language(game: ModuleType, name: str) -> str:
    """Return a file of rules: `README.md` or `README.en.md`."""
    return Path(str(game.__file__)).with_name(name).read_text(encoding="utf-8")


def in_both_languages(game: ModuleType) -> str:
    """Return the German rules and the English ones."""
    return in_language(game, "README.md") + in_language(game, "README.en.md")
