"""One site with every kind of page, exported once from a played zine: see `play_everything`."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from played_zine import BASE_URL, OTHERS, PlayedZine, play_everything
from publishing import send_and_export

from gm.archive.record.record import Record, from_json
from gm.runtime.config.settings import load
from gm.store.queries import game_queries
from gm.store.tables import Player


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A site, the same without a `base_url`, and who plays there: full names by address."""

    folder: Path
    bare: Path
    players: dict[str, str]

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """All pages, by path."""
        return self.files("html")

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """One page of each kind, game, status and language: of those alike the longest."""
        games = {record.slug: (record.kind, record.status, record.language) for record in self.records}
        longest: dict[Any, tuple[int, str]] = {}
        for path in self.pages:
            parts = path.split("/")
            shape = re.sub(r"(?<=-)\d+", "", parts[-2]) if parts[0] == "partien" and len(parts) > 3 else ""
            about = games.get(parts[1]) if len(parts) > 1 else None
            kind = (parts[0], len(parts), shape, about, re.search('<html lang="(..)"', self.text(path)))
            key = (*kind[:4], kind[4] and kind[4][1])
            longest[key] = max(longest.get(key, (0, "")), (len(self.text(path)), path))
        return tuple(sorted(path for _, path in longest.values()))

    @cached_property
    def few(self) -> tuple[str, ...]:
        """Of the samples those that a slow look is worth: of the boards of each kind only a round's page."""
        games = {f"partien/{name.lower()}/index.html" for name, *_ in OTHERS.values() if name not in ("Como", "Riga")}
        return tuple(path for path in self.samples if path not in games)

    @cached_property
    def colourful(self) -> tuple[str, ...]:
        """Of the samples those that have all colours: of games the last round of each kind, and one game page."""
        games = ["Eriwan", *(name for name, *_ in OTHERS.values())]
        rounds = tuple(f"partien/{name.lower()}/runde-" for name in games)
        others = (path for path in self.samples if not path.startswith("partien/") or path.startswith(rounds))
        return ("partien/eriwan/index.html", *others)

    def files(self, ending: str) -> tuple[str, ...]:
        """All files of a kind, by path."""
        return tuple(sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob(f"*.{ending}")))

    def text(self, path: str) -> str:
        """Read a file."""
        return (self.folder / path).read_text(encoding="utf-8")

    def record(self, game: str) -> Record:
        """Read what the site tells of a game."""
        return from_json((self.folder / "partien" / game.lower() / "partie.json").read_bytes())

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """What the site tells of all games."""
        return tuple(from_json(path.read_bytes()) for path in sorted(self.folder.glob("partien/*/partie.json")))


@pytest.fixture
def new_zine(tmp_path: Path) -> Iterator[Callable[..., PlayedZine]]:
    """Begin a zine of its own: `new_zine(release="gm")`."""
    zines: list[PlayedZine] = []

    def begin(**more: Any) -> PlayedZine:
        zines.append(zine := PlayedZine(tmp_path / "zine", **more))
        return zine

    yield begin
    for zine in zines:
        zine.close()


@pytest.fixture(scope="session")
def site(made_once: Callable[..., Path]) -> Archive:
    """The archive of everything."""
    shared = made_once("archive", _build)
    players = json.loads((shared / "players.json").read_text(encoding="utf-8"))
    return Archive(folder=shared / "site", bare=shared / "bare", players=players)


@pytest.fixture(scope="module")
def web(site: Archive, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site over HTTP on loopback, below /ds as in its `base_url`."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    root = tmp_path_factory.mktemp("web")
    (root / "ds").symlink_to(site.folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/ds"
    server.shutdown()
    server.server_close()


def _build(folder: Path) -> None:
    zine = PlayedZine(folder / "zine")
    try:
        play_everything(zine)
        send_and_export(zine.app, folder / "site")
        with zine.app.database.read() as session:
            found = {zine.address(player.name): player.name for player in session.exec(game_queries.select(Player))}
    finally:
        zine.close()
    _build_bare(zine, folder / "bare")
    (folder / "players.json").write_text(json.dumps(found), encoding="utf-8")


def _build_bare(zine: PlayedZine, folder: Path) -> None:
    """Export without an address on the web."""
    text = zine.config.read_text(encoding="utf-8")
    zine.config.write_text(text.replace(BASE_URL, ""), encoding="utf-8")
    app = zine.open(load(zine.config))
    try:
        send_and_export(app, folder)
    finally:
        app.close()
