"""Reads a lock: the packages that it pins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Pinned:
    """A package of a lock: its version, where it is needed (empty: everywhere), and the SHA-256 of all its files."""

    name: str
    version: str
    where: str
    hashes: tuple[str, ...]


def pinned(lock: Path) -> Iterator[Pinned]:
    """Read a lock."""
    for entry in re.split(r"\n(?! )", lock.read_text(encoding="utf-8").strip()):
        head, *hashes = re.split(r"\s*\\?\s*--hash=sha256:", entry)
        requirement, _, where = head.partition(";")
        name, version = requirement.split("==")
        yield Pinned(name=name.split("[")[0], version=version.strip(), where=where.strip(), hashes=tuple(hashes))


def constraints(lock: Path) -> str:
    """Write the versions of a lock without checksums: pipx gives them to pip for its own needs as well."""
    lines = (f"{one.name}=={one.version}{f' ; {one.where}' if one.where else ''}\n" for one in pinned(lock))
    return "".join(lines)
