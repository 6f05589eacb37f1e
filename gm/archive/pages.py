"""The pages of one game, made of its record alone: game, rounds, print, data, text, feed."""

from gm.archive import layout
from gm.archive.record import Record, to_json
from gm.config import Settings


def game_pages(settings: Settings, record: Record) -> dict[str, bytes]:
    """Make all files of a game by path."""
    folder = f"partien/{record.slug}"
    context = {"record": record}

    def page(path: str, template: str, **more: object) -> tuple[str, bytes]:
        return path, layout.render(settings, path, template, {**context, **more}, record.language)

    return dict(
        [
            page(f"{folder}/index.html", "game.html"),
            *(page(f"{folder}/runde-{one.number}/index.html", "round.html", snapshot=one) for one in record.snapshots),
            page(f"{folder}/druck/index.html", "print.html"),
            (f"{folder}/partie.json", to_json(record)),
        ]
    )
