"""What the shell offers at <Tab>: names of games and players. Never an error, never a new database."""

import os
import re
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import typer

_HARMLESS: Final = re.compile(r"\w[\w .–’-]*")
"""Players choose their names, and shells expand what is completed: names with special characters aren't offered."""


class Offer(str):
    """A completion, chosen already: Typer filters once more by the letters typed, and knows nothing of quotes."""

    __slots__ = ()

    def startswith(self, *_: Any) -> bool:
        """Pass."""
        return True


def games(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the games, the newest first."""
    return _offer(ctx, incomplete, "SELECT name FROM game ORDER BY id DESC")


def players(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the players but the forgotten ones, who have no address."""
    known = "SELECT name FROM player WHERE id IN (SELECT player_id FROM address) ORDER BY name"
    return _offer(ctx, incomplete, known)


def _offer(ctx: typer.Context, incomplete: str, query: str) -> list[str]:
    try:
        names = _look_up(ctx.params.get("config"), query)
    except Exception:  # noqa: BLE001 (whatever is wrong: a shell that completes is no place to say so)
        return []
    is_bash = os.environ.get("_GM_COMPLETE") == "complete_bash"
    begun = incomplete.casefold()
    fitting = [name for name in names if _HARMLESS.fullmatch(name) and name.casefold().startswith(begun)]
    return [Offer(_quoted_for_bash(name) if is_bash else name) for name in fitting]


def _look_up(config: Path | str | None, query: str) -> list[str]:
    """Ask the database directly: loading SQLAlchemy takes too long for a key press."""
    from gm.runtime.config.settings import load

    url = load(Path(config) if config else None).database.url
    with closing(_connected(url)) as connection:
        return [str(name) for (name,) in connection.execute(query)]


def _connected(url: str) -> Any:
    """Connect read-only and briefly, as the shell waits."""
    if url.startswith("sqlite:///"):
        import sqlite3

        from gm.store.sqlite_file import uri_of

        return sqlite3.connect(uri_of(Path(url.removeprefix("sqlite:///")), "ro"), uri=True, timeout=0.2)
    import psycopg

    options = "-c statement_timeout=500 -c default_transaction_read_only=on"
    return psycopg.connect(url.replace("+psycopg", "", 1), connect_timeout=2, options=options, autocommit=True)


def _quoted_for_bash(name: str) -> str:
    """Escape blanks for bash, unless the GM has begun with a quotation mark."""
    words, at = os.environ.get("COMP_WORDS", "").split("\n"), int(os.environ.get("COMP_CWORD", "0"))
    is_quoted = at < len(words) and words[at][:1] in ("'", '"')
    return name if is_quoted else name.replace(" ", "\\ ")
