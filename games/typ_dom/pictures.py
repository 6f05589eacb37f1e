"""How tiles, words, points and cells are put into texts."""

from collections.abc import Sequence

from games.api import Text, say
from games.plane import Rows, cell_name, exchangeable, occupied, sign_at
from games.tiles import count_colours, shown


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def listed(names: Sequence[str], most: int = 8) -> str:
    """Join names with commas, not more than fit on a line."""
    return ", ".join([*names[:most], "..."] if len(names) > most else names)


def points_text(points: int) -> Text:
    """Write `1 Punkt`, `90 Punkte`."""
    return say("POINT", points=points) if abs(points) == 1 else say("POINTS", points=points)


def colours_text(red: int, black: int) -> Text:
    """Write a number of tiles: `1 rot`, `2 rot, 1 schwarz`."""
    parts = [say("RED", number=red)] if red else []
    parts += [say("BLACK", number=black)] if black else []
    return say("LISTED", parts=tuple(parts)) if parts else say("NONE")


def rack_text(tiles: str) -> Text:
    """Write tiles with their colours: `rot E I *, schwarz D F`."""
    red, _ = count_colours(tiles)
    row = shown(tiles).replace(" ", "")
    parts = [say("RED_TILES", tiles=" ".join(row[:red]))] if red else []
    parts += [say("BLACK_TILES", tiles=" ".join(row[red:]))] if row[red:] else []
    return say("LISTED", parts=tuple(parts)) if parts else say("NONE")


def word_text(words: Sequence[str]) -> Text:
    """Write one word or two: `TIER`, `TIER und EIS`."""
    if len(words) == 2:
        return say("WORD_AND_WORD", first=words[0], second=words[1])
    return plain(" ".join(words))


def jokers_text(rows: Rows) -> tuple[Text, ...]:
    """Say where jokers lie and which of them may be taken; nothing where there are none."""
    spots = [spot for spot in occupied(rows) if sign_at(rows, spot).islower()]
    parts = tuple(
        say(
            "JOKER_FREE" if exchangeable(rows, spot) else "JOKER_CLOSED",
            cell=cell_name(spot),
            letter=sign_at(rows, spot).upper(),
        )
        for spot in spots
    )
    return (say("JOKERS", jokers=parts),) if parts else ()
