"""How letters, tiles and sides are shown."""

from games.api import Text, say
from games.tiles import JOKERS, colour, count_colours, shown
from games.wer_behaelt_recht.state import Laying, Side


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def tiles_text(rack: str) -> Text:
    """Show tiles: `AEEI* BDFLMNR (5 rote, 7 schwarze)`."""
    red, black = count_colours(rack)
    return say("TILES", tiles=shown(rack), red=red, black=black) if rack else say("NO_TILES")


def tile_name(tile: str) -> Text:
    """Name a tile: `E`, `Joker (schwarz)`."""
    if tile in JOKERS:
        return say("RED_JOKER") if colour(tile) == "red" else say("BLACK_JOKER")
    return plain(tile)


def sign_of(laying: Laying) -> str:
    """Write a tile: `E`, `E*` for a joker."""
    return f"{laying.letter}*" if laying.joker else laying.letter


def side_text(side: Side) -> Text:
    """Name the side of a fragment."""
    return say("FRONT" if side == "front" else "BACK")


def counted(points: int) -> Text:
    """Write `1 Punkt`, `-4 Punkte`."""
    return say("POINT") if points == 1 else say("POINTS", points=points)


def signed(points: int) -> str:
    """Write a balance: `+30`, `-11`, `0`."""
    return f"{points:+d}" if points else "0"
