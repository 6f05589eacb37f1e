"""What the shell offers at <Tab>: names of games and players, mails, codes. Never an error, never a new database."""

import os
import re
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import typer

STATUSES: Final = {
    "new": (), "join": ("open",), "start": ("open",), "move": ("running",), "close": ("running",),
    "zat": ("running",), "pause": ("running",), "resume": ("running",), "release": ("running",),
    "standby": ("running",), "rule": ("running", "provisional", "finished"),
    "abort": ("open", "running", "provisional"),
}  # fmt: skip
"""Command -> the statuses of games that it works on; a command that isn't listed works on all."""

LAST_MAILS: Final = 40

_HARMLESS: Final = re.compile(r"\w[\w .–’-]*")
"""Players choose their names, and shells expand what is completed: names with special characters aren't offered."""

_MAILS: Final = {
    "retry": ("status IN ('quarantined', 'waiting')", "status IN ('held', 'refused', 'bounced')"),
    "drop": ("status IN ('quarantined', 'waiting', 'put off')", "status IN ('queued', 'held', 'refused', 'bounced')"),
}


class Offer(str):
    """A completion, chosen without regard to case and quotes.

    Typer filters once more by the exact letters typed; this lets all pass.
    """

    __slots__ = ()

    def startswith(self, *_: Any) -> bool:
        """Pass."""
        return True


def games(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the games that the command can do something with."""
    statuses = STATUSES.get(ctx.info_name or "")
    if statuses is None:
        return _offer(ctx, incomplete, "SELECT name FROM game ORDER BY id DESC")
    marks = ", ".join("?" * len(statuses))
    return _offer(ctx, incomplete, f"SELECT name FROM game WHERE status IN ({marks}) ORDER BY id", *statuses)


def players(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the players in the game that is named before; without one, all players."""
    # While an option lacks its value, Typer leaves the words before it in `args`.
    name = ctx.params.get("name") or ("name" in ctx.params and next(iter(ctx.args), ""))
    if not name or ctx.info_name == "join":
        # Forgotten players have no address; no command works on them.
        known = "SELECT name FROM player WHERE id IN (SELECT player_id FROM address) ORDER BY name"
        return _offer(ctx, incomplete, known)
    seated = (
        "SELECT player.name FROM seat JOIN player ON player.id = seat.player_id JOIN game ON game.id = seat.game_id"
        " WHERE seat.until IS NULL AND game.name_key = ? ORDER BY seat.number"
    )
    return _offer(ctx, incomplete, seated, " ".join(str(name).split()).casefold())


def standbys(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the standby list, in its order."""
    listed = "SELECT player.name FROM standby JOIN player ON player.id = standby.player_id ORDER BY standby.id"
    return _offer(ctx, incomplete, listed)


def mails(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the latest mails that the command can do something with."""
    inward, outward = _MAILS.get(ctx.info_name or "", ("1 = 1", "1 = 1"))
    latest = (
        f"SELECT id FROM (SELECT CAST(id AS TEXT) AS id, received_at AS at FROM mail_in WHERE {inward}"
        f" UNION ALL SELECT 'o' || id, created_at FROM mail_out WHERE {outward}) AS mails ORDER BY at DESC LIMIT ?"
    )
    return _offer(ctx, incomplete, latest, LAST_MAILS)


def codes(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer what waits for the GM."""
    waiting = "SELECT code FROM question WHERE answered_at IS NULL AND address = '' ORDER BY id"
    return _offer(ctx, incomplete, waiting)


def kinds(incomplete: str) -> list[str]:
    """Offer the keys of all games that are installed."""
    from games import engines

    return _fitting(engines(), incomplete)


def profiles(incomplete: str) -> list[str]:
    """Offer the word profiles of all games."""
    from games import profiles as known

    return _fitting(known(), incomplete)


def verdicts(incomplete: str) -> list[str]:
    """Offer the two rulings."""
    return _fitting(("accept", "reject"), incomplete)


def name_forms(incomplete: str) -> list[str]:
    """Offer how much of a name the archive may show."""
    return _fitting(("full", "initial", "pseudonym", "house"), incomplete)


def _offer(ctx: typer.Context, incomplete: str, query: str, *values: Any) -> list[str]:
    try:
        return _fitting(_look_up(ctx.params.get("config"), query, values), incomplete)
    except Exception:  # noqa: BLE001 (whatever is wrong: a shell that completes is no place to say so)
        return []


def _look_up(config: Path | str | None, query: str, values: Iterable[Any]) -> list[str]:
    """Ask the database directly: loading SQLAlchemy takes too long for a key press."""
    from gm.runtime.config.settings import load

    url = load(Path(config) if config else None).database.url
    if url.startswith("sqlite:///"):
        return _ask_file(url.removeprefix("sqlite:///"), query, values)
    return _ask_server(url.replace("postgresql+psycopg://", "postgresql://", 1), query, values)


def _ask_file(path: str, query: str, values: Iterable[Any]) -> list[str]:
    import sqlite3

    from gm.store.sqlite_file import uri_of

    with closing(sqlite3.connect(uri_of(Path(path), "ro"), uri=True, timeout=0.2)) as connection:
        return [str(name) for (name,) in connection.execute(query, tuple(values))]


def _ask_server(url: str, query: str, values: Iterable[Any]) -> list[str]:
    """Ask a server, read-only and briefly: the shell waits. Two seconds is psycopg's shortest time to connect."""
    import psycopg

    asked: Any = query.replace("?", "%s")
    options = "-c statement_timeout=500 -c default_transaction_read_only=on"
    with closing(psycopg.connect(url, connect_timeout=2, options=options, autocommit=True)) as connection:
        return [str(name) for (name,) in connection.execute(asked, tuple(values))]


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    begun = incomplete.casefold()
    quote: Callable[[str], str] = _quoted_for_bash if os.environ.get("_GM_COMPLETE") == "complete_bash" else str
    return [Offer(quote(name)) for name in names if _HARMLESS.fullmatch(name) and name.casefold().startswith(begun)]


def _quoted_for_bash(name: str) -> str:
    """Escape blanks for bash, unless the GM has begun with a quotation mark."""
    words, at = os.environ.get("COMP_WORDS", "").split("\n"), int(os.environ.get("COMP_CWORD", "0"))
    is_quoted = at < len(words) and words[at][:1] in ("'", '"')
    return name if is_quoted else name.replace(" ", "\\ ")
