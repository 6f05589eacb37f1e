"""Setting a zine up, and examining whether everything it needs is there."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from gm.config import default_path, load, render
from gm.errors import ConfigError, OperatorError, Refused, StoreError
from gm.store.database import HEAD, Database, schema_version

Finding = tuple[str, str, str]
"""Check, `ok`, `warn` or `fail`, and a sentence."""


def set_up(
    folder: Path, *, address: str, gm: str, imap_host: str, smtp_host: str, username: str, name: str, language: str
) -> Path:
    """Write config.toml into a folder and create the database. Raises Refused, ConfigError, StoreError."""
    path = folder / "config.toml"
    if path.exists():
        raise Refused(f"{path} is there already; edit it, or name another folder.")
    options: dict[str, str | None] = {
        "service.name": name, "service.address": address, "service.gm": gm, "service.language": language,
        "imap.host": imap_host, "imap.username": username, "smtp.host": smtp_host, "smtp.username": username,
    }  # fmt: skip
    passwords = {"imap.password_env": "GM_IMAP_PASSWORD", "smtp.password_env": "GM_SMTP_PASSWORD"}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # First without the passwords, which may come later: a config with faults isn't left behind.
        path.write_text(render(options), encoding="utf-8")
        load(path)
        path.write_text(render({**options, **passwords}), encoding="utf-8")
    except OSError as error:
        raise Refused(f"{path} can't be written: {error.strerror}.") from error
    except ConfigError:
        path.unlink()
        raise
    Database(f"sqlite:///{(folder / 'gm.db').absolute()}").prepare()
    return path


def examine(config: Path | None) -> Iterator[Finding]:
    """Check one thing after the other; what builds on a failed one is left out."""
    path = config or default_path()
    try:
        settings = load(path)
    except ConfigError as error:
        yield "config", "fail", str(error)
        return
    yield "config", "ok", f"{path} is in order."
    yield from _database(settings.database.url)
    yield from _words(settings.lexicon.extra)
    yield _clock(str(settings.service.timezone))
    from gm.mailbox.inbox import Inbox
    from gm.mailbox.outbox import Outbox

    for check in Inbox(settings.imap).check():
        yield check.name, check.status, check.sentence
    for check in Outbox(settings.smtp).check():
        yield check.name, check.status, check.sentence
    yield _folder(settings.archive.path)


def _database(url: str) -> Iterator[Finding]:
    database = Database(url)
    try:
        database.prepare()
        yield "database", "ok", f"Schema {schema_version(database.engine)} of {HEAD}."
    except StoreError as error:
        yield "database", "fail", str(error)
    finally:
        database.close()


def _words(extra: tuple[Path, ...]) -> Iterator[Finding]:
    from gm.words.lexicon import Lexicon

    try:
        lexicon = Lexicon.load(extra)
        yield "word list", "ok", f"{lexicon.name}, checksum {lexicon.checksum[:12]}."
    except OperatorError as error:
        yield "word list", "fail", str(error)


def _clock(zone: str) -> Finding:
    now = datetime.now(UTC)
    if now.year < 2026:
        return "clock", "fail", f"The clock says {now:%Y-%m-%d %H:%M} UTC; set it, deadlines rest on it."
    return "clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC; deadlines are told in {zone}."


def _folder(path: Path) -> Finding:
    there = path if path.exists() else path.parent
    if there.is_dir():
        return "archive", "ok", f"{path} can be written to."
    return "archive", "warn", f"There is no folder {path.parent}; create it or change archive.path."
