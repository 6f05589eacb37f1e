"""What a game's page has below its rounds: the words of each seat, and wishes."""

from functools import partial

from markupsafe import Markup

from gm.archive import layout
from gm.archive.game_pages.tables import table
from gm.archive.record.record import Record, SeatRecord, WordRecord
from gm.drawing.parts import Chart


def words_by_seat(record: Record, text: str) -> list[tuple[SeatRecord, list[WordRecord]]]:
    """List each seat's words, unless a text has them all."""
    if all(word.word in text for word in record.words if word.status != "refused"):
        return []
    by_seat = [(seat, [word for word in record.words if word.seat == seat.seat]) for seat in record.seats]
    return [(seat, own) for seat, own in by_seat if own]


def wishes(record: Record) -> Markup | None:
    """Make the table of letters that players wished for; None in games without wishes."""
    asked = [one for one in record.snapshots if any(facts.get("wish") for facts in one.seat_facts.values())]
    if record.is_over:
        asked = asked[:-1]  # nothing comes of what stands beside the result
    if not asked:
        return None
    phrase = partial(layout.phrase, record.language)
    rows = [
        (seat.name, *(str(one.seat_facts.get(seat.seat, {}).get("wish") or "–") for one in asked))
        for seat in record.seats
    ]
    heading = phrase("WISHES")
    chart = Chart(head=(phrase("FOR_ROUND"), *(str(one.number + 1) for one in asked)), rows=tuple(rows))
    return table(chart, layout.piece("unseen", heading), heading)
