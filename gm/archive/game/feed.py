"""The feed of a game, and names of entries that never change."""

import re
from typing import Final
from urllib.parse import urlsplit

from gm.archive import layout
from gm.archive.game.scenes import keys
from gm.archive.record import Record
from gm.config import Settings

_NOT_IN_XML: Final = re.compile("[^\\t\\n\\r -\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def game_feed(settings: Settings, record: Record) -> bytes:
    """Write the feed of a game: an entry a round, the newest first."""
    folder = f"partien/{record.slug}/"
    base = settings.archive.base_url
    context = {
        "record": record,
        "rounds": list(zip(keys(record), record.snapshots, strict=True))[::-1],
        "base": f"{base}{folder}" if base else "",
        "tag": tag(settings, record.begun.year, folder.rstrip("/")),
        "updated": max([record.begun, *(one.at for one in record.snapshots)]),
    }
    return xml(layout.render(settings, f"{folder}atom.xml", "game.atom.xml", context, record.language))


def xml(content: bytes) -> bytes:
    """Leave out signs that no XML may have."""
    return _NOT_IN_XML.sub("", content.decode()).encode()


def tag(settings: Settings, year: int, path: str) -> str:
    """Give the name of an entry, for ever: `tag:example.org,2026:partien/eriwan`."""
    authority = urlsplit(settings.archive.base_url).hostname or settings.service.address.rpartition("@")[2]
    return f"tag:{authority.lower()},{year}:{path}"
