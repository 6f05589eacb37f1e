"""The folder of the site: what it holds, and how new pages take the place of old ones all at once.

New files wait in `.new`. When all are there, a list of what to do is written, and only then is anything moved: a
process that ends before leaves the old site as it was; one that ends in the middle is finished by the next.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = ".manifest.json"
STAGING: Final = ".new"
ORDERS: Final = "orders.json"


@dataclass(kw_only=True)
class Manifest:
    """What the site was made from: stamps of games by folder, checksums of the other pages by path."""

    form: str = ""
    games: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)


class Site:
    """A folder with a site, or that shall get one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._staging = folder / STAGING
        self._staged: list[str] = []

    def open(self) -> None:
        """Stand ready; finish what another process had begun to move, drop what it had not."""
        self.folder.mkdir(parents=True, exist_ok=True)
        orders = self._staging / ORDERS
        if orders.exists():
            self._carry_out(json.loads(orders.read_text(encoding="utf-8")))
        shutil.rmtree(self._staging, ignore_errors=True)

    def manifest(self) -> Manifest:
        """Say what the site was made from."""
        path = self.folder / MANIFEST
        return Manifest(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else Manifest()

    def read(self, path: str) -> bytes | None:
        """Read a file of the site as it is now."""
        file = self.folder / path
        return file.read_bytes() if file.is_file() else None

    def files(self, scope: str) -> set[str]:
        """List the files below a folder."""
        below = self.folder / scope
        return {str(file.relative_to(self.folder)) for file in below.rglob("*") if file.is_file()}

    def stage(self, path: str, content: bytes) -> bool:
        """Let a file wait for its place; False if the site has it as it is."""
        if self.read(path) == content:
            return False
        file = self._staging / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        self._staged.append(path)
        return True

    def commit(self, manifest: Manifest, gone: Iterable[str]) -> None:
        """Move all that waits into place and take away what is gone."""
        self.stage(MANIFEST, (json.dumps(vars(manifest), sort_keys=True, indent=0) + "\n").encode())
        if not self._staged and not gone:
            return
        orders = {"move": self._staged, "delete": sorted(gone)}
        self._staging.mkdir(exist_ok=True)
        waiting = self._staging / "orders.tmp"
        waiting.write_text(json.dumps(orders), encoding="utf-8")
        waiting.rename(self._staging / ORDERS)
        self._carry_out(orders)
        shutil.rmtree(self._staging)
        self._staged = []

    def _carry_out(self, orders: dict[str, Any]) -> None:
        for path in orders["move"]:
            source, target = self._staging / "files" / path, self.folder / path
            if source.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                source.replace(target)
        for path in orders["delete"]:
            file = self.folder / path
            file.unlink(missing_ok=True)
            while file.parent != self.folder and not any(file.parent.iterdir()):
                file = file.parent
                file.rmdir()
