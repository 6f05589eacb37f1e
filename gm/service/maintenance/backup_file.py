"""The file of `gm backup --all`: a tar with a manifest, checked member by member when it is read.

Whoever restores it may have it from anywhere. Only names of a closed list come out of it, only plain files, only with
the size and the hash of the manifest.
"""

import gzip
import hashlib
import io
import json
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

from pydantic import TypeAdapter

from gm.app.issues import FOLDER
from gm.runtime.errors import Refused, StoreError

CONFIG: Final = "config.toml"
DATABASE: Final = "gm.db"
ENVIRONMENT: Final = "gm.env"
TOKENS: Final = "tokens.json"
_PLAIN: Final = r"[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,100}"
"""A part of a path that leads to no other folder; pages of an issue have names in any language."""
KNOWN: Final = re.compile(
    r"config\.toml|gm\.db|gm\.env|(?!gm)(?:\w[\w-]{0,60}\.)?tokens\.json|words[\w-]{0,60}(?:\.\w{1,10})?|"
    r"(?!gm)\w[\w-]{0,60}\.(?:password|secret)|"
    rf"{FOLDER}/[1-9]\d{{0,5}}/(?:issue\.toml|{_PLAIN}(?:/{_PLAIN}){{0,3}}\.md)",
    re.ASCII,
)
"""The names that files in a backup may have."""

FORMAT: Final = 2
"""1 had no files in folders."""
_MANIFEST: Final = "manifest.json"
_LARGEST_MANIFEST: Final = 1_000_000
_CHUNK: Final = 1 << 20
_COMPRESSION: Final = 3
"""Mails shrink to a third; more effort would hardly save room."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """A file in the backup."""

    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a backup holds, and what has to be put in by hand where it is restored."""

    made_at: datetime
    gm: str
    schema: str
    has_secrets: bool
    rows: Mapping[str, int]
    """How many rows each table has, but for `meta`."""
    members: Mapping[str, Member]
    left_out: Sequence[tuple[str, str]] = ()
    """What isn't in it: a kind (file, environment, keyring, tokens) and a name."""
    format: int = FORMAT


_READER: TypeAdapter[Manifest] = TypeAdapter(Manifest)


def describe(path: Path, go_on: Callable[[], object]) -> Member:
    """Measure a file that goes into a backup. Raises OSError."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            go_on()
            found.update(chunk)
        return Member(size=file.tell(), sha256=found.hexdigest())


def pack(draft: Path, files: Mapping[str, Path], manifest: Manifest, go_on: Callable[[], object]) -> None:
    """Write a backup with these files. Raises OSError."""
    at = int(manifest.made_at.timestamp())
    stated = json.dumps({**asdict(manifest), "made_at": manifest.made_at.isoformat()}, indent=1).encode()
    with (
        draft.open("wb") as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=_COMPRESSION, mtime=at) as packed,
        tarfile.open(fileobj=packed, mode="w|", bufsize=_CHUNK) as tar,
    ):
        tar.addfile(_entry(_MANIFEST, len(stated), at), io.BytesIO(stated))
        for name, member in manifest.members.items():
            with files[name].open("rb") as file:
                tar.addfile(_entry(name, member.size, at), _Watched(file, go_on))


class _Watched:
    """A file that asks before each read whether to go on."""

    def __init__(self, file: IO[bytes], go_on: Callable[[], object]) -> None:
        self._file, self._go_on = file, go_on

    def read(self, size: int = -1, /) -> bytes:
        """As the file."""
        self._go_on()
        return self._file.read(size)


def _entry(name: str, size: int, at: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = size, 0o600, at
    return entry


def is_packed(file: Path) -> bool:
    """Return whether this is a packed file, not a bare copy of a database. Raises Refused where there is no file."""
    try:
        with file.open("rb") as opened:
            return opened.read(2) == b"\x1f\x8b"
    except IsADirectoryError:
        raise Refused(f"{file} is a folder; name the file in it.") from None
    except FileNotFoundError:
        raise Refused(f"There is no file {file}.") from None
    except OSError as error:
        raise Refused(f"{file} can't be read: {error.strerror or error}.") from error


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder and check all of it. Raises StoreError, where the folder may hold a part."""
    with _faults_as_sentences(file), tarfile.open(file, "r|gz") as tar:
        manifest, seen = _read_manifest(file, tar), set[str]()
        while entry := tar.next():
            member = manifest.members.get(entry.name)
            if member is None or entry.name in seen or not entry.isreg() or entry.size != member.size:
                raise _foreign(file, f"“{entry.name[:80]}” doesn't belong there")
            seen.add(entry.name)
            _extract(tar, entry, folder)
        if missing := manifest.members.keys() - seen:
            raise _foreign(file, f"{', '.join(sorted(missing))} isn't in it")
    for name, member in manifest.members.items():
        if describe(folder / name, int) != member:
            raise _foreign(file, f"{name} isn't what was put in")
    return manifest


def _extract(tar: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path) -> None:
    source = tar.extractfile(entry)
    assert source is not None  # it is a regular file
    target = folder / entry.name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch(0o600, exist_ok=False)
    with target.open("wb") as written:
        while chunk := source.read(_CHUNK):
            written.write(chunk)


def _read_manifest(file: Path, tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    if first is None or first.name != _MANIFEST or not first.isreg() or first.size > _LARGEST_MANIFEST:
        raise _foreign(file, "it has no manifest")
    opened = tar.extractfile(first)
    assert opened is not None
    document: Any = json.loads(opened.read())
    if isinstance(document, dict) and isinstance(document.get("format"), int) and document["format"] > FORMAT:
        raise StoreError(f"{file} was written by a newer gm; install that version to restore it.")
    manifest = _READER.validate_python(document)
    if not {CONFIG, DATABASE} <= manifest.members.keys() or not all(map(KNOWN.fullmatch, manifest.members)):
        raise _foreign(file, "its manifest names other files than a backup has")
    return manifest


@contextmanager
def _faults_as_sentences(file: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, RecursionError) as error:
        if isinstance(error, OSError) and error.errno:
            raise StoreError(f"{file} can't be unpacked: {error.strerror}; nothing was changed.") from error
        raise _foreign(file, "damaged, or something else") from error


def _foreign(file: Path, why: str) -> StoreError:
    return StoreError(f"{file} is no whole backup of gm ({why}). Is there another one?")
