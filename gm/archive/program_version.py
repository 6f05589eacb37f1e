"""What every page rests on beside its game: this version of the program with its games, and the settings."""

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib import resources
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Final

from gm.app.context import App
from gm.archive.progress import digest


def site_version(app: App) -> str:
    """Give a checksum of program and settings. Where it changes, every page is made anew."""
    service, archive, imap = app.settings.service, app.settings.archive, app.settings.imap
    return digest(
        program_checksum(), service.name, service.gm.name, service.second_gm and service.second_gm.name,
        service.language, str(service.timezone), service.address, archive.base_url, archive.names, archive.address,
        imap.host, imap.processed, imap.quarantine, app.settings.smtp.host,
    )  # fmt: skip


@cache
def program_checksum() -> str:
    """Give a checksum of all that makes pages, so that another version of it writes them anew."""
    found = blake2b(repr((version("babel"), _games())).encode(), digest_size=12)
    for name, file in program_files():
        found.update(f"\n{name}\n".encode() + file.read_bytes())
    return found.hexdigest()


def program_files() -> Iterator[tuple[str, Path]]:
    """List all that makes pages, by name: code, templates, styles."""
    for package in ("gm", "templates", "games"):
        top = Path(str(resources.files(package)))
        folders = [top / name for name in _ROOMS[package]]
        files = sorted(file for folder in folders for file in folder.rglob("*"))
        for file in files:
            if file.is_file() and file.suffix != ".pyc":
                yield f"{package}/{file.relative_to(top).as_posix()}", file


_ROOMS: Final = {
    "gm": ("archive", "drawing", "messages", "game/people"), "templates": ("archive", "words"), "games": (".",)
}  # fmt: skip


def _games() -> list[tuple[str, ...]]:
    """List the games of other distributions, with their versions and these. Ours are among the files."""
    return sorted(
        (point.name, point.dist.name, point.dist.version, str(point.load().rules.version))
        for point in entry_points(group="gm.games") if point.dist
    )  # fmt: skip
