"""What a database says when it can't do its work, as one sentence with the place and the mend, without the login.

PostgreSQL speaks the language of its administrator: once connected, its codes tell what is meant. Before that there is
only what it says.
"""

from typing import Final

from sqlalchemy.exc import DBAPIError

from gm.runtime.redaction import masked

_HELD: Final = "another process has held it for {seconds:g} s; try again"
_FULL: Final = "the disk is full; make room and try again, nothing was half done"
_RIGHTS: Final = "the user of [database] url needs all rights there: make it the owner of the database"
_CROWDED: Final = "too many are connected; end some, or raise max_connections there"
_ENDED: Final = "the server has ended or cut the connection; nothing was half done, it is tried again"
_LOGIN: Final = "check user and password in [database] url"
_MISSING: Final = "check the name in [database] url, or make it: createdb --encoding=UTF8 NAME"
_COPY: Final = "it can only be read, as a copy of another server is; name the one that can be written"
_UNREACHABLE: Final = "check [database] url, and that the server runs and can be reached"

_MENDS: Final = {
    "database is locked": f"{_HELD}, or see which gm still runs",
    "is full": _FULL,
    "disk I/O": "the disk can't be read or written, or its quota is used up; nothing was half done",
    "unable to open": "check the path and the rights of its folder",
    "readonly": "it can't be written; check the rights of the file and its folder",
    "not a database": "the file is something else; check [database] url",
    "malformed": "the file is damaged; restore a backup",
    "password authentication failed": _LOGIN,
    "no password supplied": _LOGIN,
    "pg_hba.conf": "pg_hba.conf there does not let us in; check user and host in [database] url",
    "role ": _LOGIN,
    "does not exist": _MISSING,
    "permission denied": _RIGHTS,
    "too many ": _CROWDED,
    "connection slots": _CROWDED,
    "starting up": "the server is starting; try again in a moment",
    "shutting down": _ENDED,
    "server closed the connection": _ENDED,
    "connection is lost": _ENDED,
    "during recovery": _COPY,
    "SSL": "check sslmode in [database] url and the server's certificate",
    "refused": _UNREACHABLE,
    "No such file": _UNREACHABLE,
    "timeout expired": _UNREACHABLE,
    "resolve host": _UNREACHABLE,
    "Name or service": _UNREACHABLE,
}
_NO_ROOM: Final = ("is full", "disk I/O")
_BY_CODE: Final = {
    "55P03": _HELD, "40P01": "two processes have waited for each other; nothing was half done, it is tried again",
    "53100": _FULL, "53200": "the server has no memory left; nothing was half done", "53300": _CROWDED,
    "25P03": "we were silent for too long within a transaction; nothing was half done, it is tried again",
    "25006": _COPY,
    "42501": _RIGHTS, "57P01": _ENDED, "57P02": _ENDED, "57P03": "the server is starting; try again in a moment",
    "3D000": _MISSING, "28P01": _LOGIN, "28000": _LOGIN,
}  # fmt: skip
"""SQLSTATE, where it comes with the error (PostgreSQL, appendix A)."""


def sentence(place: str, error: DBAPIError, *, lock_seconds: float) -> str:
    """Tell a trouble of the database at this place, and what to do."""
    said = masked(_said(error))
    by_words = (mend for sign, mend in _MENDS.items() if sign in said)
    code = getattr(error.orig, "sqlstate", None)
    mend = _BY_CODE.get(code or "") or next(by_words, "check [database] url and the server")
    return f"The database {place} said '{said}': {mend.format(seconds=lock_seconds)}."


def is_full(error: DBAPIError) -> bool:
    """Tell a disk, or a quota, that is used up: less may still fit."""
    return getattr(error.orig, "sqlstate", None) == "53100" or any(sign in _said(error) for sign in _NO_ROOM)


def place_of(url: str) -> str:
    """Name the database without the login; options may hold one as well."""
    return url.removeprefix("sqlite:///") if url.startswith("sqlite") else url.rpartition("@")[2].partition("?")[0]


def first_of(error: DBAPIError) -> DBAPIError:
    """Find what began it: SQLite ends the transaction on a full disk, and then misses our savepoint."""
    first, seen = error, error.__context__
    while seen is not None:
        first = seen if isinstance(seen, DBAPIError) else first
        seen = seen.__context__
    return first


def _said(error: DBAPIError) -> str:
    """Give the first line that says something: what is behind may quote a row."""
    lines = str(error.orig or "").strip().splitlines() or ["no reason given"]
    return lines[0].removeprefix("connection failed: ").strip()


def missing(url: str) -> str:
    """Say that no zine is at a place, and what to do."""
    what = f"There is no database {place_of(url)}" if url.startswith("sqlite") else (
        f"The database {place_of(url)} is empty, without the tables of gm"
    )  # fmt: skip
    return (
        f"{what}: check that its disk is mounted and that [database] url names the right one. A backup is put in place "
        "by `gm restore FILE`; only `gm init` and `gm new` begin a new zine."
    )
