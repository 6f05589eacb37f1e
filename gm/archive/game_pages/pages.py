"""The pages of one game, made of its record alone: game, rounds, data, text."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from markupsafe import Markup, escape

from gm.archive import layout
from gm.archive.game_pages.best_grid import best_grid
from gm.archive.game_pages.curves import curves
from gm.archive.game_pages.latest import latest
from gm.archive.game_pages.moves import moves
from gm.archive.game_pages.replay import replay
from gm.archive.game_pages.rounds import DrawnPart, draw_parts, in_rows
from gm.archive.game_pages.standings import part_of_result, standings
from gm.archive.game_pages.tables import table
from gm.archive.game_pages.text import checks, game_text
from gm.archive.record.record import Record, SeatRecord, WordRecord, to_json
from gm.archive.record.status import status_of
from gm.drawing.parts import Chart, Part
from gm.game.announcements.counts import counts
from gm.runtime.config.settings import Settings


def game_pages(settings: Settings, record: Record) -> dict[str, bytes]:
    """Make all files of a game by path."""
    folder = f"partien/{record.slug}"
    when = partial(layout.when, settings.service.timezone, record.language)
    names = _names(record)
    shared = {"record": record, "status": status_of(record, when, layout.address(settings)), "checks": checks(record)}

    def page(path: str, template: str, **more: object) -> tuple[str, bytes]:
        text = layout.render(settings, path, template, {**shared, **more}, record.language)
        return path, _with_whole_names(text, names).encode()

    return dict(
        [
            page(f"{folder}/index.html", "game.html", up="", **_game(record)),
            *(
                page(f"{folder}/{one.path}/index.html", "round.html", up="../", **_round(record, at))
                for at, one in enumerate(record.snapshots)
            ),
            (f"{folder}/partie.json", to_json(record)),
            (f"{folder}/partie.txt", game_text(record, layout.gm_name(settings), when)),
        ]
    )


def _names(record: Record) -> list[str]:
    """List the players' names as pages write them, longer ones first: one may begin with another."""
    names = {name for seat in record.seats for name in seat.names}
    return [str(escape(name)) for name in sorted(names, key=lambda name: (-len(name), name))]


def _with_whole_names(text: str, names: Sequence[str]) -> str:
    """Keep lines from being broken within a player's name."""
    for name in names:
        text = text.replace(name, layout.unbroken(name))
    return text


def _game(record: Record) -> dict[str, Any]:
    """Gather what the page of the game shows."""
    counted, found, best = counts(record.course), latest(record), best_grid(record)
    moved = moves(record, counted)
    return {
        "replay": replay(record, moved, counted) if moved else None,
        "standings": partial(standings, record, counted),
        "curves": curves(record, counted),
        "moves": moved[: len(record.snapshots)],
        "result_part": part_of_result(record),
        "lead": found.lead,
        "legend": found.legend,
        "details": draw_parts(found.details, layout.phrase(record.language, "IN_DETAIL"), record.language),
        "words": _words_by_seat(record, _text(record)),
        "best": best,
        "retrospect": in_rows(
            _retrospect(record, [one for one in record.retrospect if not best or one is not best.part])
        ),
        "wishes": _wishes(record),
        "names": {seat.seat: seat.name for seat in record.seats},
        "example": draw_parts([record.example], record.title, record.language)[0] if record.example else None,
    }


def _text(record: Record) -> str:
    """Give what the page says of words anyway: in sentences, and in the tables of the last round."""
    said = [line for one in record.snapshots for line in (one.headline, *one.events)]
    parts = record.snapshots[-1].parts if record.snapshots else ()
    cells = (str(item) for part in parts if part.table for row in part.table.rows for item in row)
    return " ".join([*said, *cells])


def _words_by_seat(record: Record, text: str) -> list[tuple[SeatRecord, list[WordRecord]]]:
    """List each seat's words, unless a text has them all."""
    if all(word.word in text for word in record.words if word.status != "refused"):
        return []
    by_seat = [(seat, [word for word in record.words if word.seat == seat.seat]) for seat in record.seats]
    return [(seat, own) for seat, own in by_seat if own]


def _wishes(record: Record) -> Markup | None:
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


def _retrospect(record: Record, parts: Sequence[Part]) -> list[DrawnPart]:
    """Draw what could have been; sections with a board, which nobody had, come first."""
    drawn = draw_parts(parts, layout.phrase(record.language, "RETROSPECT"), record.language)
    return sorted(drawn, key=lambda one: not one.part.boards)


def _round(record: Record, at: int) -> dict[str, Any]:
    rounds = record.snapshots
    return {
        "round": rounds[at],
        "rows": in_rows(draw_parts(rounds[at].parts, rounds[at].heading, record.language)),
        "before": rounds[at - 1] if at else None,
        "after": rounds[at + 1] if at + 1 < len(rounds) else None,
    }
