"""`gm backup` and `gm restore`. A zine is a folder; a backup is a tar of it, made while the service runs.

In it are the database, the config, the word lists and what the GM wrote for the issues. Secrets in files of their own
stay out: `missing_secrets` names those to put back. What is restored takes the mailbox over when it is first served
(gm/store/queries/zine_queries.py, `adopt`); until then nobody notices it.
"""

import io
import os
import shutil
import tarfile
import tomllib
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, TypeAlias

from gm.app.issues import FOLDER
from gm.runtime.config.settings import Settings
from gm.runtime.drafts import draft_folder, sync
from gm.runtime.errors import ConfigError, Refused, StoreError
from gm.store.backup import check_copy, copy_database
from gm.store.database import Database
from gm.store.error_sentences import missing_sentence
from gm.store.queries import zine_queries
from gm.store.schema import schema_version

GoOn: TypeAlias = Callable[[], int | None]
"""Called now and then while a backup is made; whatever it raises ends the work."""

CONFIG: Final = "config.toml"
_CONFIG_DRAFT: Final = f".{CONFIG}.part"
"""Its name until all the rest is in place: without a config it is no zine."""
_SQLITE: Final = "sqlite:///"
_DEFAULT_URL: Final = f"{_SQLITE}gm.db"
_COMPRESSION: Final = 3
"""Mails shrink to a third; more effort would hardly save room."""


# -- making one --------------------------------------------------------------------------------------------------------


def write_backup(settings: Settings, target: Path, *, now: datetime, go_on: GoOn = int) -> list[str]:
    """Write a backup of the zine; returns the names of the files in it.

    The file is complete or not there, and nobody else can read it. Raises Refused, ConfigError, StoreError.
    """
    if target.exists():
        raise Refused(f"{target} is there already; name another file.")
    if not target.parent.is_dir():
        raise Refused(f"There is no folder {target.parent}; make it first, or name another one.")
    text, document = _read_config(settings.path)
    database = _database_in(document)
    if not (settings.folder / database).exists():
        raise Refused(f"There is no database {settings.folder / database} yet; nothing to copy.")
    try:
        files = _small_files(settings, document)
        with draft_folder(target) as draft:
            copied, packed = draft / "copied", draft / "packed"
            copy_database(settings.folder / database, copied, now=now, go_on=go_on)
            packed.touch(0o600)
            with tarfile.open(packed, "w:gz", compresslevel=_COMPRESSION) as tar, copied.open("rb") as opened:
                _add(tar, database, copied.stat().st_size, _Watched(opened, go_on), now)
                for name, content in {**files, CONFIG: text}.items():  # without a config it is no zine: that is last
                    _add(tar, name, len(content), io.BytesIO(content), now)
            sync(packed)
            packed.replace(target)
            sync(target.parent)
    except OSError as error:
        where = error.filename or target.parent
        raise StoreError(f"{where} can't be used: {error.strerror or error}; nothing was changed.") from error
    return [database, *files, CONFIG]


def _read_config(path: Path) -> tuple[bytes, Mapping[str, Any]]:
    try:
        text = path.read_bytes()
        return text, tomllib.loads(text.decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} can't be read any more; `gm doctor` says why.") from error


def _database_in(document: Mapping[str, Any]) -> str:
    """Return the name of the database's file in the zine's folder. Raises Refused."""
    url = str(document.get("database", {}).get("url", _DEFAULT_URL))
    if not url.startswith(_SQLITE):
        raise Refused(
            "The database is on a PostgreSQL server: pg_dump --format=custom --file=FILE copies it while gm runs; "
            "after pg_restore say gm restore --adopt."
        )
    return _inside(url.removeprefix(_SQLITE), "[database] url")


def _small_files(settings: Settings, document: Mapping[str, Any]) -> dict[str, bytes]:
    """Read the word lists, and what the GM wrote for the issues, at once: somebody may be at them."""
    names = [_inside(str(name), "[lexicon] extra") for name in document.get("lexicon", {}).get("extra", ())]
    found = {name: path.read_bytes() for name, path in zip(names, settings.lexicon.extra, strict=True)}
    for path in sorted((settings.folder / FOLDER).rglob("*")):
        if path.is_file() and not path.is_symlink() and (path.name == "issue.toml" or path.suffix == ".md"):
            found[path.relative_to(settings.folder).as_posix()] = path.read_bytes()
    return found


def _inside(name: str, key: str) -> str:
    """Make sure that a file lies in the zine's folder, wherever that is. Raises Refused."""
    if not _is_plain(name):
        raise Refused(
            f"A zine is a folder, and {key} names a file elsewhere ({name}): move it beside the config, and name it "
            "without a path."
        )
    return PurePosixPath(name).as_posix()


def _is_plain(name: str) -> bool:
    """Return whether a name stays in its folder, as POSIX reads it and as this system does (`..\\x`, `C:x`)."""
    paths = (PurePosixPath(name), Path(name))
    return not name.startswith("~") and all(one.parts and not one.anchor and ".." not in one.parts for one in paths)


class _Watched:
    """A file that asks before each read whether to go on."""

    def __init__(self, file: IO[bytes], go_on: GoOn) -> None:
        self._file, self._go_on = file, go_on

    def read(self, size: int = -1, /) -> bytes:
        """As the file."""
        self._go_on()
        return self._file.read(size)


def _add(tar: tarfile.TarFile, name: str, size: int, content: Any, now: datetime) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = size, 0o600, int(now.timestamp())
    tar.addfile(entry, content)


# -- putting it back ---------------------------------------------------------------------------------------------------


def restore(file: Path, folder: Path, *, now: datetime) -> list[str]:
    """Unpack a backup into an empty folder, which may then be served; returns the names of the files.

    The config comes last: what was cut short is no zine. Raises Refused, StoreError.
    """
    if not file.is_file():
        raise Refused(f"There is no file {file}.")
    is_new = not folder.exists()
    try:
        if not is_new and any(folder.iterdir()):
            raise Refused(f"{folder} is not empty; name an empty folder. Nothing was changed.")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return _unpack(file, folder, now)
        except BaseException:
            for left in folder.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            if is_new:
                folder.rmdir()
            raise
    except OSError as error:
        raise StoreError(f"{error.filename or folder} can't be written: {error.strerror or error}.") from error


def _unpack(file: Path, folder: Path, now: datetime) -> list[str]:
    names = _unpack_files(file, folder)
    draft = folder / _CONFIG_DRAFT
    place = folder / _database_in(_read_config(draft)[1])
    check_copy(place)
    adopt(f"{_SQLITE}{place}", now=now)
    for name in names:
        sync(draft if name == CONFIG else folder / name)
    draft.rename(folder / CONFIG)
    sync(folder)
    return names


def _unpack_files(file: Path, folder: Path) -> list[str]:
    """Unpack a backup; only plain files come out of it, and only into this folder. The config is still a draft.

    `tarfile` has a filter for that only since Python 3.11.4. Raises StoreError, OSError.
    """
    names: list[str] = []
    with _faults_as_sentences(file), tarfile.open(file, "r:gz") as tar:
        for entry in tar:
            source = tar.extractfile(entry) if entry.isreg() else None  # no link, no device
            if source is None or not _is_plain(entry.name):
                raise StoreError(f"{file} is no backup of gm: “{entry.name[:80]}” doesn't belong there.")
            target = folder / (_CONFIG_DRAFT if entry.name == CONFIG else entry.name)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            target.touch(0o600, exist_ok=False)
            with target.open("wb") as written:
                shutil.copyfileobj(source, written)
            names.append(entry.name)
    if CONFIG not in names:
        raise StoreError(f"{file} is no backup of gm: {CONFIG} isn't in it.")
    return names


@contextmanager
def _faults_as_sentences(file: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zlib.error, EOFError, ValueError) as error:
        raise StoreError(f"{file} is no backup of gm, or it is damaged. Is there another one?") from error
    except OSError as error:
        if error.errno:
            raise
        raise StoreError(f"{file} is no backup of gm, or it is damaged. Is there another one?") from error


def adopt(url: str, *, now: datetime) -> None:
    """Make a copied database the one that serves the mailbox from its first pass on. Raises Refused, StoreError."""
    if url.startswith(_SQLITE) and not Path(url.removeprefix(_SQLITE)).exists():
        raise StoreError(missing_sentence(url))
    with closing(Database(url)) as database, database.write() as session:
        if schema_version(session) is None:
            raise StoreError(missing_sentence(url))
        if not database.lead():
            raise Refused(f"The database {database.place} is served right now; end `gm serve` first, then try again.")
        zine_queries.adopt(session, now)
        zine_queries.zine(session).home = None


def missing_secrets(config: Path) -> list[str]:
    """Say what a restored zine lacks, and where it goes."""
    _, document = _read_config(config)
    found: dict[str, None] = {}
    for key, value in _leaves(document):
        path = config.parent / Path(value).expanduser()
        if key.endswith("_file") and not path.exists():
            found[f"Put the password into {path} (one line; chmod 600)."] = None
        elif key.endswith("_env") and not os.environ.get(value):
            found[f"Set the variable {value}, for systemd in {config.parent / 'gm.env'} (NAME=VALUE; chmod 600)."] = (
                None
            )
        elif key == "provider":
            found["Log in again: gm login"] = None
    return list(found)


def _leaves(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value)
        elif isinstance(value, str):
            yield key, value
