"""The phrases of an issue."""

from typing import Final

from games.api import Language
from gm.runtime.catalogues import wording

PHRASES: Final = wording("zine")
"""Code -> language -> phrase. Sections go by their own names."""


def phrase(language: Language, code: str, **values: object) -> str:
    """Give a phrase of the issue."""
    return PHRASES[code][language].format_map(values)
