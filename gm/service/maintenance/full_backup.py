"""`gm backup --all`: database, config, word lists and tokens in one file, and passwords only where they are asked for.

In the copy of the config every path is one beside it, and a password that isn't taken along becomes the name of a file
to put it into. So the file can be restored into any folder, also on another machine.
"""

import shutil
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from gm.app.issues import FOLDER
from gm.runtime.config.passwords import SECRETS
from gm.runtime.config.rewriting import Change, rewritten
from gm.runtime.config.settings import Settings
from gm.runtime.drafts import sync
from gm.runtime.errors import ConfigError
from gm.service.maintenance.backup_file import CONFIG, DATABASE, ENVIRONMENT, KNOWN, TOKENS, Manifest, describe, pack
from gm.service.maintenance.migrate import copy_all
from gm.store.backup import back_up, check_free, check_target, count_rows, draft_folder, note_copied
from gm.store.database import Database
from gm.store.relocation_copy import without_idle_limit
from gm.store.schema import HEAD, upgrade

_LOGINS: Final = (("imap",), ("smtp",), ("imap", "oauth2"), ("smtp", "oauth2"))
"""The sections that may hold passwords."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is wanted of a backup."""

    target: Path
    now: datetime
    has_secrets: bool = False
    replaces: bool = False
    go_on: Callable[[], object] = int
    """Called every few megabytes. Whatever it raises ends the work, and nothing is left behind."""


@dataclass(kw_only=True)
class _Contents:
    """What goes into a backup beside the database."""

    has_secrets: bool
    files: dict[str, Path] = field(default_factory=dict)
    changes: dict[tuple[str, ...], Change] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def name(self, source: Path, pattern: str, otherwise: str) -> str:
        """Choose the name of a file in the backup: its own where that ends rightly, and no other has it."""
        known = next((name for name, path in self.files.items() if path == source), None)
        if known:
            return known
        own = source.name if source.match(pattern) and KNOWN.fullmatch(source.name) else otherwise
        stem, dot, end = own.rpartition(".")
        numbered = [own, *(f"{stem}-{number}{dot}{end}" for number in range(2, len(self.files) + 3))]
        return next(name for name in numbered if name not in self.files)

    def leave_out(self, kind: str, name: str) -> None:
        """Note what has to be put in by hand."""
        if (kind, name) not in self.left_out:
            self.left_out.append((kind, name))


def write_backup(settings: Settings, order: Order) -> Manifest:
    """Write a backup of the whole zine while it is served. The file is complete or not there, and for nobody else.

    Raises Refused, Moved, ConfigError, StoreError.
    """
    url = settings.database.url
    if url.startswith("sqlite"):
        check_target(url, order.target, force=order.replaces)
    else:
        check_free(order.target, force=order.replaces)
    contents, text = _contents(settings, has_secrets=order.has_secrets)
    with draft_folder(order.target) as folder:
        copied = folder / DATABASE
        _copy_database(url, copied, order)
        (folder / CONFIG).write_text(text, encoding="utf-8")
        kept = {name: _kept(source, folder / "kept" / name) for name, source in contents.files.items()}
        files = {CONFIG: folder / CONFIG, DATABASE: copied, **kept}
        manifest = Manifest(
            made_at=order.now, gm=version("postal-gm"), schema=HEAD, has_secrets=order.has_secrets,
            rows=count_rows(copied), left_out=contents.left_out,
            members={name: describe(path, order.go_on) for name, path in files.items()},
        )  # fmt: skip
        packed = folder / "packed"
        packed.touch(0o600)
        pack(packed, files, manifest, order.go_on)
        sync(packed)
        packed.replace(order.target)
        sync(order.target.parent)
    return manifest


def _kept(source: Path, copy: Path) -> Path:
    """Copy a small file: the one that goes in must be the one that was measured, whoever writes it meanwhile."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(source, copy))


def _copy_database(url: str, copied: Path, order: Order) -> None:
    """Copy the database as it is at this moment; one on a server becomes an SQLite file. Raises Moved, StoreError."""
    if url.startswith("sqlite"):
        back_up(url, copied, now=order.now, force=False, go_on=order.go_on)
        return
    copied.touch(0o600)
    with closing(Database(url)) as source, closing(Database(f"sqlite:///{copied}")) as copy:
        source.prepare()
        with copy.errors_as_sentences():
            upgrade(copy.engine, str(copied))
        with source.read() as here, copy.write() as there:
            without_idle_limit(here)
            copy_all(source, here, there, lambda _: order.go_on())
    note_copied(copied, order.now)


def _contents(settings: Settings, *, has_secrets: bool) -> tuple[_Contents, str]:
    """Choose what goes in, and write the config that fits to it. Raises ConfigError."""
    try:
        text = settings.path.read_bytes().decode("utf-8-sig")
        document = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{settings.path} can't be read any more; `gm doctor` says why.") from error
    found, folder = _Contents(has_secrets=has_secrets), settings.path.parent
    if "url" in document.get("database", {}):
        found.changes["database", "url"] = ("url", f"sqlite:///{DATABASE}")
    _add_word_lists(found, document, settings)
    _add_issues(found, settings.folder)
    for place in _LOGINS:
        table: Any = document
        for name in place:
            table = table.get(name, {})
        _add_secrets(found, place, table, folder)
        if table and place[-1] == "oauth2":
            _add_tokens(found, place, table, settings.folder)
    return found, rewritten(text, found.changes)


def _add_word_lists(found: _Contents, document: Mapping[str, Any], settings: Settings) -> None:
    if not settings.lexicon.extra:
        return
    names: list[str] = []
    for path in settings.lexicon.extra:
        name = found.name(path, "words*", f"words-{path.stem}.txt")
        if not KNOWN.fullmatch(name):
            name = found.name(path, "words*", f"words-{len(names) + 1}.txt")
        found.files[name] = path
        names.append(name)
    if document["lexicon"]["extra"] != names:
        found.changes["lexicon", "extra"] = ("extra", names)


def _add_issues(found: _Contents, folder: Path) -> None:
    """Take along what the GM wrote for the issues; what was made of it is made again by `gm issue build`."""
    for path in sorted((folder / FOLDER).rglob("*")):
        name = path.relative_to(folder).as_posix()
        if KNOWN.fullmatch(name) and path.is_file() and not path.is_symlink():
            found.files[name] = path


def _add_secrets(found: _Contents, place: tuple[str, ...], table: Mapping[str, Any], folder: Path) -> None:
    """Take the passwords of a section along, or note what is missing."""
    for key in SECRETS:
        file, end = f"{key}_file", "password" if key == "password" else "secret"
        if key in table and not found.has_secrets:
            found.changes[*place, key] = (file, f"{place[0]}.{end}")
            found.leave_out("file", f"{place[0]}.{end}")
        if file in table:
            source = folder / Path(table[file]).expanduser()
            name = found.name(source, f"*.{end}", f"{place[0]}.{end}")
            found.changes[*place, file] = (file, name)
            if found.has_secrets:
                found.files[name] = source
            else:
                found.leave_out("file", name)
        if f"{key}_keyring" in table:
            found.leave_out("keyring", str(table[f"{key}_keyring"]))
        if f"{key}_env" in table:
            _add_environment(found, str(table[f"{key}_env"]), folder / ENVIRONMENT)


def _add_environment(found: _Contents, variable: str, file: Path) -> None:
    """Take along the file from which systemd sets the variables, where it is there."""
    if found.has_secrets and file.is_file():
        found.files[ENVIRONMENT] = file
    else:
        found.leave_out("environment", variable)


def _add_tokens(found: _Contents, place: tuple[str, ...], table: Mapping[str, Any], folder: Path) -> None:
    source = folder / Path(str(table.get("tokens", TOKENS))).expanduser()
    name = found.name(source, f"*{TOKENS}", TOKENS if place[0] == "imap" else f"smtp.{TOKENS}")
    if "tokens" in table:
        found.changes[*place, "tokens"] = ("tokens", name)
    if source.is_file():
        found.files[name] = source
    else:
        found.leave_out("tokens", name)
