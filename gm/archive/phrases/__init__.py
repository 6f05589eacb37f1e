"""The phrases of the pages, in both languages."""

from typing import Final

from games.api import Wording
from gm.archive.phrases.games import GAMES
from gm.archive.phrases.lists import LISTS
from gm.archive.phrases.pages import PAGES
from gm.archive.phrases.reference import REFERENCE

PHRASES: Final[Wording] = {**GAMES, **PAGES, **LISTS, **REFERENCE}
"""Code -> language -> phrase. A test checks that each is used and that both languages have the same placeholders."""
