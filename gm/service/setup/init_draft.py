"""What `gm init` was told before it was broken off: kept as a config with gaps, for the next `gm init` there.

Passwords are never in it.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from gm.runtime.config.settings import render
from gm.runtime.errors import Refused
from gm.service.setup.zine_setup import write_private

DRAFT: Final = "config.draft.toml"

_KEPT: Final = (
    "service.address", "service.gm", "service.name", "service.language", "imap.host", "imap.port", "imap.security",
    "imap.username", "smtp.host", "smtp.port", "smtp.security", "smtp.username",
)  # fmt: skip
_IF_USED: Final = ("imap.oauth2.provider", "imap.oauth2.client_id")
_HEAD: Final = "# `gm init` was broken off. Say it again: it goes on with what stands here, and removes this file.\n\n"


def save_draft(folder: Path, answers: Mapping[str, Any]) -> Path:
    """Write down the answers so far (`{"imap.host": ...}`); what is missing is commented out. Raises Refused."""
    path = folder / DRAFT
    missing = dict.fromkeys([*_KEPT, "imap.password_env", "smtp.password_env"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_private(path, _HEAD + render({**missing, **answers}))
    except OSError as error:
        raise Refused(f"{path} can't be written: {error.strerror or error}.") from error
    return path


def read_draft(folder: Path) -> dict[str, Any]:
    """Return the answers that were written down in a folder, if there are any. What can't be read is ignored."""
    try:
        document = tomllib.loads((folder / DRAFT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found: dict[str, Any] = {}
    for place in (*_KEPT, *_IF_USED):
        *above, key = place.split(".")
        table: Any = document
        for name in above:
            table = table.get(name) if isinstance(table, dict) else None
        value = table.get(key) if isinstance(table, dict) else None
        if isinstance(value, int if key == "port" else str) and value:
            found[place] = value
    return found


def delete_draft(folder: Path) -> None:
    """Delete the draft once the config is there."""
    (folder / DRAFT).unlink(missing_ok=True)
