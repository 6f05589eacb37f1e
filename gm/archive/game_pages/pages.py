"""The pages of one game, made of its record alone: game, rounds, print, data, text, feed."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from markupsafe import escape

from gm.archive import layout
from gm.archive.game_pages import appendix
from gm.archive.game_pages.curves import curves
from gm.archive.game_pages.latest import latest
from gm.archive.game_pages.moves import moves
from gm.archive.game_pages.replay import replay
from gm.archive.game_pages.rounds import DrawnPart, DrawnRound, draw_parts, draw_rounds, in_rows
from gm.archive.game_pages.standings import part_of_result, standings
from gm.archive.game_pages.text import boards_text, checks, game_text
from gm.archive.record.counts import counts
from gm.archive.record.record import Record, to_json
from gm.archive.record.status import status_of
from gm.runtime.config.settings import Settings

WITH_BOARDS: Final = 10
"""So many of the newest rounds have their boards in the feed: who reads one has seen the others."""


def game_pages(settings: Settings, record: Record) -> dict[str, bytes]:
    """Make all files of a game by path."""
    folder = f"partien/{record.slug}"
    when = partial(layout.when, settings.service.timezone, record.language)
    drawn = draw_rounds(record)
    shared = {"record": record, "status": status_of(record, when), "checks": checks(record)}
    game = _game(record)

    def page(path: str, template: str, **more: object) -> tuple[str, bytes]:
        content = layout.render(settings, path, template, {**shared, **more}, record.language)
        return path, _with_whole_names(content, record)

    return dict(
        [
            page(f"{folder}/index.html", "game.html", up="", **game),
            *(
                page(f"{folder}/{one.path}/index.html", "round.html", up="../", **_round(drawn, at))
                for at, one in enumerate(drawn)
            ),
            page(f"{folder}/druck/index.html", "print.html", up="../", **game),
            (f"{folder}/partie.json", to_json(record)),
            (f"{folder}/partie.txt", game_text(record, layout.gm_name(settings), when)),
            (f"{folder}/atom.xml", _feed(settings, record)),
        ]
    )


def _with_whole_names(content: bytes, record: Record) -> bytes:
    """Keep lines from being broken within a player's name."""
    text = content.decode()
    for name in sorted({seat.name for seat in record.seats}, key=lambda name: (-len(name), name)):
        text = text.replace(str(escape(name)), layout.unbroken(str(escape(name))))
    return text.encode()


def _game(record: Record) -> dict[str, Any]:
    """Gather what the page of the game and the one to print show."""
    counted, found = counts(record), latest(record)
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
        "words": appendix.words_by_seat(record, _text(record)),
        "struck": appendix.struck(record),
        "hindsight": in_rows(_hindsight(record)),
        "wishes": appendix.wishes(record),
        "press": appendix.press(record),
        "names": {seat.seat: seat.name for seat in record.seats},
    }


def _text(record: Record) -> str:
    """Give what the page says of words anyway: in sentences, and in the tables of the last round."""
    said = [line for one in record.snapshots for line in (one.headline, *one.events)]
    parts = record.snapshots[-1].parts if record.snapshots else ()
    cells = (str(item) for part in parts if part.table for row in part.table.rows for item in row)
    return " ".join([*said, *cells])


def _hindsight(record: Record) -> list[DrawnPart]:
    """Draw what could have been; sections with a board, which nobody had, come first."""
    drawn = draw_parts(record.hindsight, layout.phrase(record.language, "HINDSIGHT"), record.language)
    return sorted(drawn, key=lambda one: not one.part.boards)


def _round(drawn: Sequence[DrawnRound], at: int) -> dict[str, Any]:
    return {
        "round": drawn[at],
        "before": drawn[at - 1] if at else None,
        "after": drawn[at + 1] if at + 1 < len(drawn) else None,
    }


def _feed(settings: Settings, record: Record) -> bytes:
    """Write the feed of a game, the newest entry first."""
    folder = f"partien/{record.slug}/"
    base = settings.archive.base_url
    context = {
        "record": record,
        "rounds": [
            (one, boards_text(record, one) if at < WITH_BOARDS else "") for at, one in enumerate(record.snapshots[::-1])
        ],
        "base": f"{base}{folder}" if base else "",
        "tag": layout.tag(settings, record.begun.year, folder.rstrip("/")),
        "updated": max([record.begun, *(one.at for one in record.snapshots)]),
    }
    return layout.xml(layout.render(settings, f"{folder}atom.xml", "game.atom.xml", context, record.language))
