"""Setting a zine up (`gm init`), and checking everything that it needs (`gm doctor`)."""

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gm.app.context import owner_of
from gm.runtime import drafts
from gm.runtime.clock import utcnow
from gm.runtime.config.passwords import exposed
from gm.runtime.config.settings import Secret, Settings, default_path, load, render
from gm.runtime.errors import ArchiveError, ConfigError, OperatorError, Refused, StoreError
from gm.runtime.network import Check
from gm.service.setup.providers import Servers, provider_of_server
from gm.store.database import Database
from gm.store.queries import game_queries, mail_queries
from gm.store.schema import HEAD, schema_version
from gm.transport.imap.ownership import Owner

_LOGIN_REFUSED: Final = "refused the login"
"""What the sentences of both mail servers contain when only the name or the password is wrong."""


@dataclass(frozen=True, kw_only=True)
class NewZine:
    """What goes into a new zine's config. Without a password and a `client_id` it comes from the environment."""

    address: str
    gm: str
    name: str
    servers: Servers
    username: str
    password: Secret
    client_id: str
    """Of the app at Microsoft."""


def config_in(folder: Path) -> Path:
    """Return where the config of a folder will be. Raises Refused where there is one, or can't be one."""
    path = folder / "config.toml"
    if path.exists():
        raise Refused(f"{path} is there already; edit it, or name another folder.")
    there = next((above for above in (folder.absolute(), *folder.absolute().parents) if above.exists()), Path("/"))
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise Refused(f"{folder} can't be written to: {there} is {'read-only' if there.is_dir() else 'no folder'}.")
    return path


def set_up(folder: Path, zine: NewZine) -> list[Path]:
    """Write config.toml and the password, and create the database. Returns what was written.

    The config comes last: without it there is no zine, and this can be done again. Raises Refused, StoreError.
    """
    path, password = config_in(folder), folder / "mailbox.password"
    options = _options(zine)
    if zine.client_id:
        options |= {"oauth.provider": "microsoft", "oauth.client_id": zine.client_id}
    elif zine.password:
        options |= {"imap.password_file": password.name, "smtp.password_file": password.name}
    else:
        options |= {"imap.password_env": "GM_IMAP_PASSWORD", "smtp.password_env": "GM_SMTP_PASSWORD"}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if zine.password:
            drafts.replace(password, f"{zine.password.get_secret_value()}\n".encode())
        database = _create_database(folder / "gm.db")
        drafts.replace(path, render(options).encode())
    except OSError as error:
        raise Refused(f"{error.filename or path} can't be written: {error.strerror}.") from error
    return [path, *([password] if zine.password else []), database]


def _create_database(path: Path) -> Path:
    """Create the database. Nobody else can read it, as it holds every mail. One that exists keeps its rights."""
    is_new = not path.exists()
    with closing(Database(f"sqlite:///{path.absolute()}")) as database:
        database.prepare(create=True)
    if is_new:
        path.chmod(0o600)
    return path


def _options(zine: NewZine) -> dict[str, Any]:
    options: dict[str, Any] = {
        "service.name": zine.name, "service.address": zine.address, "service.gm": zine.gm,
    }  # fmt: skip
    for section, server in zip(("imap", "smtp"), zine.servers, strict=True):
        options |= {
            f"{section}.host": server.host, f"{section}.port": server.port, f"{section}.security": server.security,
            f"{section}.username": zine.username,
        }  # fmt: skip
    return options


def examine(config: Path | None) -> Iterator[Check]:
    """Check one thing after the other. What builds on a failed one is left out."""
    from gm.service.maintenance.nightly_backup import check as check_backups

    path = config or default_path()
    try:
        settings = load(path)
    except ConfigError as error:
        yield Check("config", "fail", str(error))
        return
    yield Check("config", "ok", f"{path} is in order.")
    yield from (Check("secrets", status, sentence) for status, sentence in exposed(path))
    with closing(Database(settings.database.url)) as database:
        in_database = _check_database(database)
        yield in_database
        yield check_backups(settings, utcnow())
        yield _check_words(settings.lexicon.extra)
        yield _check_clock(str(settings.service.timezone))
        owner = None
        if in_database.status == "ok":
            yield _check_senders(settings, database)
            yield from _check_issues(settings, database)
            yield from _check_unfetched(settings, database)
            with suppress(StoreError):  # the database can be read, and not written
                owner = owner_of(settings, database)
    yield from _check_servers(settings, owner)
    yield _check_archive(settings.archive.path)


def _check_servers(settings: Settings, owner: Owner | None) -> Iterator[Check]:
    from gm.transport.imap.inbox import Inbox
    from gm.transport.oauth.tokens import check as check_tokens
    from gm.transport.smtp.outbox import Outbox

    yield from check_tokens(settings)
    inbox = Inbox(settings.imap, owner=(lambda: owner) if owner else None)
    for check in (*inbox.check(), *Outbox(settings.smtp).check()):
        yield _with_hint(check, settings)


def _with_hint(check: Check, settings: Settings) -> Check:
    """Add what the provider wants done first, where it refused the login."""
    provider = provider_of_server(settings.imap.host)
    if check.status == "fail" and _LOGIN_REFUSED in check.sentence and provider and provider.hint:
        return check._replace(sentence=f"{check.sentence} {provider.hint}")
    return check


def _check_database(database: Database) -> Check:
    try:
        database.prepare()
        database.check()
        server = f"{database.version}, schema" if database.is_shared else "Schema"
        with database.read() as session:
            return Check("database", "ok", f"{server} {schema_version(session)} of {HEAD}.")
    except StoreError as error:
        return Check("database", "fail", str(error))


def _check_senders(settings: Settings, database: Database) -> Check:
    from gm.requests.sender_check.provider_results import check_senders

    provider = provider_of_server(settings.imap.host)
    with database.read() as session:
        return Check(*check_senders(session, settings.security, provider.below.split() if provider else ()))


def _check_issues(settings: Settings, database: Database) -> Iterator[Check]:
    from gm.app import issues

    with database.read() as session:
        if game_queries.any_by_issue(session) and issues.are_over(settings, utcnow()):
            yield Check("issues", "warn", issues.OVER)


def _check_unfetched(settings: Settings, database: Database) -> Iterator[Check]:
    from gm.messages.unfetched_mails import sentence

    with database.read() as session:
        for row in mail_queries.unfetched(session):
            yield Check("mails", "warn", f"{sentence(row, settings.service.timezone)}.")


def _check_words(extra: tuple[Path, ...]) -> Check:
    from gm.lexicon.lexicon import Lexicon

    try:
        lexicon = Lexicon.load(extra)
    except OperatorError as error:
        return Check("word list", "fail", str(error))
    return Check("word list", "ok", f"{lexicon.name}, checksum {lexicon.checksum[:12]}.")


def _check_clock(zone: str) -> Check:
    now = utcnow()
    if now.year < 2026:
        return Check("clock", "fail", f"The clock says {now:%Y-%m-%d %H:%M} UTC; set it, deadlines rest on it.")
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC; deadlines are told in {zone}.")


def _check_archive(path: Path) -> Check:
    from gm.archive.site_folder import check

    try:
        check(path)
    except ArchiveError as error:
        return Check("archive", "fail", str(error))
    if path.is_dir() or path.parent.is_dir():
        return Check("archive", "ok", f"{path} can be written to.")
    return Check("archive", "warn", f"There is no folder {path.parent}; create it or change archive.path.")
