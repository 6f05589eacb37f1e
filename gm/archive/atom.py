"""What all feeds share: names for ever, and nothing that XML can't hold."""

import re
from typing import Final
from urllib.parse import urlsplit

from gm.runtime.config.settings import Settings

_NOT_IN_XML: Final = re.compile("[^\\t\\n\\r -\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def authority(settings: Settings) -> str:
    """Say in whose name things are named: the host of the archive, or of the GM's address."""
    return (urlsplit(settings.archive.base_url).hostname or settings.service.address.rpartition("@")[2]).lower()


def tag(settings: Settings, year: int, path: str) -> str:
    """Give the name of a feed or an entry, for ever: `tag:example.org,2026:partien/eriwan`."""
    return f"tag:{authority(settings)},{year}:{path}"


def xml(content: bytes) -> bytes:
    """Leave out signs that no XML may have."""
    return _NOT_IN_XML.sub("", content.decode()).encode()
