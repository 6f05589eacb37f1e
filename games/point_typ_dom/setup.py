"""The size of the racks: the text's own variants, as far as the tiles go."""

from collections.abc import Mapping
from typing import Any, Final

from games.errors import SetupError
from games.tiles import TILES, count_colours

RACKS: Final = ("5+8", "8+10", "8+12")
"""Red and black tiles of a rack."""


def rack(options: Mapping[str, Any], seats: int) -> tuple[int, int]:
    """Read the option `rack`. Raises SetupError where it can't be dealt to so many."""
    chosen = str(options["rack"])
    if chosen not in RACKS:
        raise SetupError(f"The option rack is one of {', '.join(RACKS)}, not {chosen}.")
    red, black = (int(part) for part in chosen.split("+"))
    if any(n * seats > held for n, held in zip((red, black), count_colours(TILES), strict=True)):
        raise SetupError(
            f"Racks of {chosen} can't be dealt to {seats}: there are only 30 red tiles. Three is the most."
        )
    return red, black
