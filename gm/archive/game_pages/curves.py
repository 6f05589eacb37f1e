"""Pictures that tell how a game went: what each seat had after each round, as a curve and as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from gm.archive import layout
from gm.archive.game_pages.tables import table
from gm.archive.record.record import Record
from gm.drawing import chart
from gm.drawing.chart import Curves, Line
from gm.drawing.parts import Chart
from gm.game.announcements.counts import Count


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A curve with its heading, and the same as a table."""

    title: str
    picture: Markup
    note: str
    table: Markup


def curves(record: Record, counted: Sequence[Count]) -> list[Drawn]:
    """Draw what tells something: figures that have changed before the last round."""
    return [_drawn(record, count) for count in counted if count.tells]


def _drawn(record: Record, count: Count) -> Drawn:
    say = partial(layout.phrase, record.language)
    names = {seat.seat: seat.name for seat in record.seats}
    title = say(f"CURVE_{count.kind}")
    order = sorted(count.by_seat, key=lambda seat: (-count.by_seat[seat][-1], seat))
    lines = [Line(label=names[seat], values=count.by_seat[seat]) for seat in order]
    ends = ", ".join(f"{line.label} {layout.minus(line.values[-1])}" for line in lines)
    picture = chart.draw(
        Curves(
            name=f"kurve-{count.kind}", title=title, description=say("CURVE_ENDS", ends=ends), rounds=count.rounds,
            lines=lines, is_stepped=count.kind != "points",
        )
    )  # fmt: skip
    rows = [(number, *(line.values[at] for line in lines)) for at, number in enumerate(count.rounds)]
    head = (say(f"COLUMN_{record.unit}"), *(line.label for line in lines))
    figures = table(Chart(head=head, rows=tuple(rows)), layout.piece("unseen", title), title)
    notes = [*([say("CURVE_OF_WORDS")] if count.is_of_words else []), say(f"CURVE_ACROSS_{record.unit}")]
    return Drawn(title=title, picture=picture, note=" ".join(notes), table=figures)
