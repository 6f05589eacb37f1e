"""The feed of a game: an entry a round."""

from gm.archive import layout
from gm.archive.atom import tag, xml
from gm.archive.record.record import Record
from gm.runtime.config.settings import Settings


def game_feed(settings: Settings, record: Record) -> bytes:
    """Write the feed of a game, the newest entry first."""
    folder = f"partien/{record.slug}/"
    base = settings.archive.base_url
    context = {
        "record": record,
        "rounds": record.snapshots[::-1],
        "base": f"{base}{folder}" if base else "",
        "tag": tag(settings, record.begun.year, folder.rstrip("/")),
        "updated": max([record.begun, *(one.at for one in record.snapshots)]),
    }
    return xml(layout.render(settings, f"{folder}atom.xml", "game.atom.xml", context, record.language))
