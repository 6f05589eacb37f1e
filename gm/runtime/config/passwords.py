"""The passwords of the config: from itself, the environment or a file. Who else can read them."""

import os
import stat
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import PlainValidator, ValidationInfo, model_validator

from gm.runtime.config.values import NotAllowed, Section, allowed, folder_of
from gm.runtime.redaction import Secret, without_password

SECRETS: Final = ("password",)
WAYS: Final = ("", "_env", "_file")
"""The ends of the keys for a password: `password`, `password_env` ..."""

TOKENS: Final = "tokens.json"
"""The file that `gm login` writes, beside the database."""


def keys_of(key: str) -> tuple[str, ...]:
    """Return the keys by which a setting may be given. A password has three."""
    return tuple(key + way for way in WAYS) if key in SECRETS else (key,)


class WithPassword(Section):
    """A section with a password, which may be given by one of three keys."""

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, table: Any) -> Any:
        """Put what is given by any of the three keys under the main one, for `_read`."""
        for key in SECRETS if isinstance(table, dict) else ():
            given = {way: table[way] for way in keys_of(key) if way in table and key in cls.model_fields}
            if given and not isinstance(given.get(key), Secret):
                table = {**{name: value for name, value in table.items() if name not in given}, key: given}
        return table


def _read(given: Any, info: ValidationInfo) -> Secret:
    if isinstance(given, Secret):
        return given
    key, ((found, value), *more) = str(info.field_name), given.items()
    if more:
        raise NotAllowed(f"only one of {', '.join(keys_of(key))}, here are {' and '.join(given)}")
    if not isinstance(value, str) or not value:
        raise ValueError
    return _SOURCES[found.removeprefix(key)](value, folder_of(info))


Password: TypeAlias = Annotated[Secret, PlainValidator(_read), allowed("a text in quotes")]


def _plain(value: str, _folder: Path) -> Secret:
    return Secret(value)


def _from_environment(variable: str, _folder: Path) -> Secret:
    if not os.environ.get(variable):
        raise NotAllowed("the name of an environment variable that holds the password; this one isn't set")
    return Secret(os.environ[variable])


def from_file(name: str, folder: Path) -> Secret:
    """Read a password from a file. Raises NotAllowed."""
    path = folder / Path(name).expanduser()
    try:
        return Secret(path.read_text(encoding="utf-8").rstrip("\r\n"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8"
        # The value may be the password itself: only what looks like a path is shown.
        which = str(path) if looks_like_a_path(name) else "this one"
        raise NotAllowed(f"a file that holds the password; {which} can't be read ({why})") from None


def looks_like_a_path(name: str) -> bool:
    """Return whether a value is the name of a file, not a password in the wrong place."""
    return "/" in name or name.endswith((".password", ".secret", ".txt", ".pw", ".key"))


_SOURCES: Final = {"": _plain, "_env": _from_environment, "_file": from_file}


def exposed(config: Path) -> Iterator[tuple[Literal["warn", "fail"], str]]:
    """Yield a sentence for each file with secrets that others on this machine can read. It says what to do.

    For the config itself that is a failure, unless its disk has no access rights: then nobody can change it.
    """
    try:
        document = tomllib.loads(config.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return  # `load` reports that
    folder = config.absolute().parent
    files = [*_files_named(document, folder), folder / TOKENS, folder / "gm.env"]
    if _holds_secrets(document):
        files.insert(0, config)
    for path in dict.fromkeys(files):
        if rights := _others_rights(path):
            says = f"{path} holds secrets and can be read by {rights}"
            if not _has_access_rights(path.parent):
                yield "warn", f"{says}, as this disk knows no rights; keep passwords elsewhere (password_file)"
            else:
                mode = "600" if path.stat().st_uid == os.geteuid() else "o="  # root's file is read by our group
                yield "fail" if path == config else "warn", f"{says}; say: chmod {mode} {path}"


def _tables(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    left: list[Mapping[str, Any]] = [document]  # no recursion: dotted keys nest tables to any depth
    for table in left:
        yield table
        left += [value for value in table.values() if isinstance(value, dict)]


def _holds_secrets(document: Mapping[str, Any]) -> bool:
    tables = list(_tables(document))
    urls = [str(table["url"]) for table in tables if "url" in table]
    return any(table.get(key) for table in tables for key in SECRETS) or any(
        without_password(url) != url for url in urls
    )


def _files_named(document: Mapping[str, Any], folder: Path) -> Iterator[Path]:
    for table in _tables(document):
        for key in ("password_file", "client_secret_file"):
            if (name := table.get(key)) and isinstance(name, str):
                yield folder / Path(name).expanduser()


def _others_rights(path: Path) -> str:
    if not hasattr(os, "geteuid"):
        return ""  # on Windows the mode says nothing, and a user's folder is nobody else's
    try:
        found = path.stat()
    except OSError:
        return ""
    if found.st_mode & stat.S_IROTH:
        return "everybody on this machine"
    # A file that root has put there for us is read by its group.
    is_for_us = found.st_uid != os.geteuid() and found.st_gid in {os.getegid(), *os.getgroups()}
    return "the file's group" if found.st_mode & stat.S_IRGRP and not is_for_us else ""


def _has_access_rights(folder: Path) -> bool:
    """Return whether a disk has access rights. Where nothing may be written it is taken for granted."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".gm-") as made:
            return not os.fstat(made.fileno()).st_mode & (stat.S_IRGRP | stat.S_IROTH)
    except OSError:
        return True
