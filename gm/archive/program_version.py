"""What every page rests on beside its game: this version of the program with its games, and the settings."""

from functools import cache
from hashlib import blake2b
from importlib import resources
from importlib.metadata import entry_points, version
from pathlib import Path

from games import engines
from gm.app.context import App
from gm.archive.manifest import digest


def site_version(app: App) -> str:
    """Give a checksum of program and settings. Where it changes, every page is made anew."""
    settings = app.settings
    return digest(
        program_checksum(), settings.service.name, str(settings.service.gm.name), settings.service.language,
        str(settings.service.timezone), settings.service.address, settings.archive.base_url, settings.archive.names,
    )  # fmt: skip


@cache
def program_checksum() -> str:
    """Give a checksum of all that makes pages, so that another version of it writes them anew."""
    found = blake2b(repr((version("babel"), _games())).encode(), digest_size=12)
    for package in ("gm.archive", "gm.messages", "gm.players", "templates.archive", "games"):
        folder = Path(str(resources.files(package)))
        files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
        for file in sorted(files):
            found.update(f"\n{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return found.hexdigest()


def _games() -> list[tuple[str, ...]]:
    """List the games with their versions, those of other distributions with these."""
    rules = [(key, str(engine.rules.version)) for key, engine in sorted(engines().items())]
    others = [
        (point.name, point.dist.name, point.dist.version) for point in entry_points(group="gm.games") if point.dist
    ]
    return [*rules, *sorted(others)]
