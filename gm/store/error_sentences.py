"""Turns an error of the database into one sentence: the place without the login, what it said, and what to do.

PostgreSQL's messages are in the language of its administrator. Once connected, an error has a code; before that it has
only the message.
"""

from typing import Final

from sqlalchemy import make_url
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

_ADVICE: Final = {
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
_FULL_MESSAGES: Final = ("is full", "disk I/O")
_ADVICE_BY_CODE: Final = {
    "55P03": _HELD, "40P01": "two processes have waited for each other; nothing was half done, it is tried again",
    "53100": _FULL, "53200": "the server has no memory left; nothing was half done", "53300": _CROWDED,
    "25P03": "we were silent for too long within a transaction; nothing was half done, it is tried again",
    "25006": _COPY,
    "42501": _RIGHTS, "57P01": _ENDED, "57P02": _ENDED, "57P03": "the server is starting; try again in a moment",
    "3D000": _MISSING, "28P01": _LOGIN, "28000": _LOGIN,
}  # fmt: skip
"""By SQLSTATE, where it comes with the error (PostgreSQL, appendix A)."""


def error_sentence(place: str, error: DBAPIError, *, lock_seconds: float) -> str:
    """Write what is wrong with the database at this place, and what to do."""
    message = masked(_message(error))
    code = getattr(error.orig, "sqlstate", None)
    by_message = (advice for part, advice in _ADVICE.items() if part in message)
    advice = _ADVICE_BY_CODE.get(code or "") or next(by_message, "check [database] url and the server")
    return f"The database {place} said '{message}': {advice.format(seconds=lock_seconds)}."


def is_full(error: DBAPIError) -> bool:
    """Return whether the disk, or a quota, is full; something smaller may still fit."""
    return getattr(error.orig, "sqlstate", None) == "53100" or any(part in _message(error) for part in _FULL_MESSAGES)


def place_of(url: str) -> str:
    """Name the database without the login and the options, which may hold one as well."""
    return url.removeprefix("sqlite:///") if url.startswith("sqlite") else url.rpartition("@")[2].partition("?")[0]


def shown_url(url: str) -> str:
    """Name a database so that it can be written into a config, without its password."""
    made = make_url(url)._replace(password=None)  # `set` takes None for: as it is
    return made.difference_update_query(["password", "passfile"]).render_as_string()


def first_error(error: DBAPIError) -> DBAPIError:
    """Find the error that came first: on a full disk SQLite ends the transaction, and then our savepoint is missing."""
    first, seen = error, error.__context__
    while seen is not None:
        first = seen if isinstance(seen, DBAPIError) else first
        seen = seen.__context__
    return first


def _message(error: DBAPIError) -> str:
    """Return the first line of the message; the others may quote a row."""
    lines = str(error.orig or "").strip().splitlines() or ["no reason given"]
    return lines[0].removeprefix("connection failed: ").strip()


def missing_sentence(url: str) -> str:
    """Write that there is no zine at a place, and what to do."""
    what = f"There is no database {place_of(url)}" if url.startswith("sqlite") else (
        f"The database {place_of(url)} is empty, without the tables of gm"
    )  # fmt: skip
    return (
        f"{what}: check that its disk is mounted and that [database] url names the right one (after `gm migrate` "
        "another one); only `gm init` and `gm new` begin a new zine."
    )
