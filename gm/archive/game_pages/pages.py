"""The pages of one game, made of its record alone: game, rounds, print, data, text, feed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from gm.archive import layout
from gm.archive.game_pages import sidebar
from gm.archive.game_pages.rounds import DrawnPart, DrawnRound, draw_parts, draw_round, draw_rounds, in_rows
from gm.archive.game_pages.text import boards_text, checks, game_text
from gm.archive.record.record import Record, to_json
from gm.runtime.config.settings import Settings

WITH_BOARDS: Final = 10
"""So many of the newest rounds have their boards in the feed: who reads one has seen the others."""


def game_pages(settings: Settings, record: Record) -> dict[str, bytes]:
    """Make all files of a game by path."""
    folder = f"partien/{record.slug}"
    drawn = draw_rounds(record)
    shared = _shared(record, drawn)

    def page(path: str, template: str, **more: object) -> tuple[str, bytes]:
        return path, layout.render(settings, path, template, {**shared, **more}, record.language)

    return dict(
        [
            page(f"{folder}/index.html", "game.html", up="", **_game(record, drawn)),
            *(
                page(f"{folder}/{one.path}/index.html", "round.html", up="../", **_round(drawn, at))
                for at, one in enumerate(drawn)
            ),
            page(f"{folder}/druck/index.html", "print.html", up="../"),
            (f"{folder}/partie.json", to_json(record)),
            (f"{folder}/partie.txt", _text(settings, record)),
            (f"{folder}/atom.xml", _feed(settings, record)),
        ]
    )


def _text(settings: Settings, record: Record) -> bytes:
    when = partial(layout.when, settings.service.timezone, record.language)
    return game_text(record, layout.gm_name(settings), when)


def _shared(record: Record, drawn: Sequence[DrawnRound]) -> dict[str, Any]:
    return {
        "record": record,
        "rounds": drawn,
        "now": draw_round(record.now, record.language) if record.now else None,
        "bars": sidebar.bars(record),
        "hindsight": in_rows(_hindsight(record)),
        "struck": sidebar.struck(record),
        "checks": checks(record),
        "names": {seat.seat: seat.name for seat in record.seats},
    }


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


def _game(record: Record, drawn: Sequence[DrawnRound]) -> dict[str, Any]:
    words = record.result.words if record.result else ()
    last = draw_round(record.now, record.language) if record.now else drawn[-1] if drawn else None
    again = _again(last, record, "IN_DETAIL" if record.result else "NOW") if last else None
    return {
        "now": again,
        "decades": sidebar.decades(drawn) if len(drawn) > 1 else [],
        "final": sidebar.final_parts(again) if record.result and again else [],
        "words": sidebar.words_by_seat(record, drawn[-1].text if drawn else ""),
        "best": sidebar.best_word(words, "accepted"),
        "worst": sidebar.best_word(words, "refused"),
        "wishes": sidebar.wishes(record),
        "press": sidebar.press(record),
    }


def _again(last: DrawnRound, record: Record, code: str) -> DrawnRound:
    """Draw a round that is on the page twice, with other names for its frames."""
    return replace(last, parts=draw_parts(last.snapshot.parts, layout.phrase(record.language, code), record.language))


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
