"""Promise 6 for the archive: brought up to date game by game, it is as if all its pages were made anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gm.app.context import App
from gm.archive.export import export
from gm.archive.site_folder import STAMP


def archive_in_parts_is_whole(app: App, fresh: Path) -> Iterator[str]:
    """Compare the archive with one that is made anew in an empty folder; takes as long as all its pages."""
    site = app.settings.archive.path
    export(app, site)
    export(app, fresh, full=True)
    one, other = _files(site), _files(fresh)
    different = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    if different:
        yield f"6: the archive in parts is whole: {', '.join(different[:5])} of {len(different)} files differ"


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*") if path.is_file() and path.name != STAMP
    }  # fmt: skip
