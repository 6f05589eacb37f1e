"""Who plays and how they stand: the result as the last bulletin had it, or the seats of a game that goes on."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from markupsafe import Markup

from gm.archive import layout
from gm.archive.game_pages.tables import table
from gm.archive.record.record import Place, Record
from gm.drawing import svg
from gm.drawing.parts import Chart, Part
from gm.game.announcements.counts import Count


def standings(record: Record, counted: Sequence[Count], root: str) -> Markup:
    """Write the table of the result, or of the seats; names lead to their pages."""
    heading = layout.phrase(record.language, "RESULT" if record.result else "SEATS")
    part = part_of_result(record)
    chart = part.table if part and part.table else _places(record) if record.result else _seats(record, counted)
    return table(chart, layout.piece("unseen", heading), heading, dict(_names(record, root)))


def part_of_result(record: Record) -> Part | None:
    """Find the section of the last round that has a table with all places of the result."""
    if not record.result or not record.snapshots:
        return None
    places = [(str(place.rank), place.name) for place in record.result.standings]
    return next((part for part in record.snapshots[-1].parts if part.table and _has_all(part.table, places)), None)


def _has_all(chart: Chart, places: Sequence[tuple[str, str]]) -> bool:
    return [(str(row[0]).rstrip("."), str(row[1])) for row in chart.rows if len(row) > 1] == places


def _places(record: Record) -> Chart:
    say = partial(layout.phrase, record.language)
    places = record.result.standings if record.result else ()
    is_guessed = any(place.guesses is not None for place in places)
    rows = tuple((place.rank, place.name, _figure(place)) for place in places)
    return Chart(head=(say("RANK"), say("NAME"), say("GUESSES" if is_guessed else "POINTS")), rows=rows)


def _figure(place: Place) -> str | int:
    return next((one for one in (place.guesses, place.points) if one is not None), "–")


def _seats(record: Record, counted: Sequence[Count]) -> Chart:
    say = partial(layout.phrase, record.language)
    held = {seat: _held(record, *tiles) for seat, tiles in _hidden(record).items()}
    titles = [*([say("IN_HAND")] if held else []), *(say(f"COUNTED_{count.kind}") for count in counted)]
    rows: list[tuple[str | int, ...]] = []
    for seat in record.seats:
        shown = [held[seat.seat]] if held else []
        rows.append((seat.name, *shown, *(count.by_seat[seat.seat][-1] for count in counted)))
    return Chart(head=(say("NAME"), *titles), rows=tuple(rows))


def _hidden(record: Record) -> dict[int, tuple[int, int]]:
    """Count the red and the black tiles that each seat has in hand, in a game in which that is public."""
    last = record.last
    facts = last.seat_facts if last and not record.is_over else {}
    tiles = {seat: one["tiles"] if isinstance(one.get("tiles"), Mapping) else one for seat, one in facts.items()}
    found = {seat: (one["red"], one["black"]) for seat, one in tiles.items() if {"red", "black"} <= one.keys()}
    return found if all(seat.seat in found for seat in record.seats) else {}


def _held(record: Record, red: int, black: int) -> str:
    return layout.phrase(record.language, "BACKS", red=red, black=black)


def _names(record: Record, root: str) -> Iterator[tuple[str, Markup]]:
    """Write each name as a link, with a word for who is on turn, or has won without being first; draw hidden tiles."""
    chips = {seat: layout.phrase(record.language, "ON_TURN") for seat in record.due}
    for place in record.result.standings if record.result else ():
        if place.winner and place.rank > 1:
            chips[place.seat] = layout.phrase(record.language, "WINNER")
    for red, black in _hidden(record).values():
        said = _held(record, red, black)
        yield said, svg.backs(red, black, said)
    for seat in record.seats:
        yield seat.name, layout.piece("name", seat, root, chips.get(seat.seat, ""))
