"""Setting a zine up (`gm init`), and checking everything that it needs (`gm doctor`)."""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from gm.app.context import owner_of
from gm.runtime.clock import utcnow
from gm.runtime.config import system_wide
from gm.runtime.config.passwords import exposed
from gm.runtime.config.settings import ImapSettings, Secret, Settings, SmtpSettings, default_path, load, render
from gm.runtime.errors import ArchiveError, ConfigError, OperatorError, Refused, StoreError
from gm.runtime.network import Check
from gm.service.setup.server_discovery import Kind, Server
from gm.service.setup.systemd_unit import UNIT, is_root, outdated, program, write_unit
from gm.store.database import Database
from gm.store.schema import HEAD, schema_version
from gm.transport.imap.ownership import Owner

LOGIN_REFUSED = "refused the login"
"""What the sentences of both mail servers contain when only the name or the password is wrong."""


@dataclass(frozen=True, kw_only=True)
class Login:
    """How to log in to one server. Without a password here, it comes from the environment."""

    server: Server
    username: str
    password: Secret


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What goes into a new zine's config."""

    address: str
    gm: str
    name: str
    language: str
    imap: Login
    smtp: Login
    oauth2: Mapping[str, str] | None = None
    """Keys of [imap.oauth2], instead of passwords."""


def config_in(folder: Path) -> Path:
    """Return where the config of a folder will be. Raises Refused where there is one."""
    path = folder / "config.toml"
    if path.exists():
        raise Refused(f"{path} is there already; edit it, or name another folder.")
    return path


def system_folder() -> Path:
    """Return the folder for the config of the system's zine. Raises Refused for who can't have one."""
    if not is_root():
        raise Refused("Only root sets up a zine for the whole system; say it with sudo, or leave --system out.")
    if closed := closed_to_service(system_wide.CONFIG_FOLDER):
        raise Refused(closed)
    return system_wide.CONFIG_FOLDER


def closed_to_service(folder: Path) -> str:
    """Say where the user of the system's service couldn't start gm or come to this folder; empty where it can."""
    needed = (Path(program()[0]), Path(sys.executable), folder.absolute())
    above = [up for path in needed for each in (path, path.resolve()) for up in each.parents]
    closed = next((up for up in above if up.exists() and not up.stat().st_mode & stat.S_IXOTH), None)
    if not closed:
        return ""
    return (
        f"The service's user {system_wide.USER} may not enter {closed}, and gm or the zine lies in there; "
        "install them where everybody may come: docs/install.md, For the whole system."
    )


def try_login(kind: Kind, login: Login) -> str:
    """Log in as the service will do it. Returns a sentence about what is wrong, or nothing."""
    server = {"host": login.server.host, "port": login.server.port, "security": login.server.security}
    options: dict[str, Any] = {**server, "username": login.username, "password": login.password}
    from gm.transport.imap.inbox import Inbox
    from gm.transport.smtp.outbox import Outbox

    # Not validated: `load` does that once they are written, and the check itself says what is wrong with them.
    checks = (
        Inbox(ImapSettings.model_construct(**options)).check()
        if kind == "imap"
        else Outbox(SmtpSettings.model_construct(**options)).check()
    )
    return next((check.sentence for check in checks if check.status == "fail"), "")


def set_up(folder: Path, draft: Draft) -> list[Path]:
    """Write config.toml, the passwords and gm.service, and create the database. Returns what was written.

    Raises Refused, ConfigError, StoreError.
    """
    path, state = config_in(folder), system_wide.state_folder(folder)
    passwords = _password_files(folder, draft)
    sources: dict[str, str | None] = (
        {"imap.password_file": "mailbox.password"}
        if passwords
        else {"imap.password_env": "GM_IMAP_PASSWORD", "smtp.password_env": "GM_SMTP_PASSWORD"}
    )
    if draft.smtp.password:
        sources["smtp.password_file"] = passwords[draft.smtp.password].name
    if draft.oauth2:
        sources = {f"imap.oauth2.{key}": value for key, value in draft.oauth2.items()}
    try:
        for needed in (folder, state):
            needed.mkdir(parents=True, exist_ok=True)
        # First without the passwords, which may come later: a config with faults isn't left behind.
        write_private(path, render(_options(draft)))
        load(path)
        write_private(path, render({**_options(draft), **sources}))
        for password, file in passwords.items():
            write_private(file, f"{password.reveal()}\n")
        unit = write_unit(folder / UNIT, path)
    except OSError as error:
        raise Refused(f"{error.filename or path} can't be written: {error.strerror}.") from error
    except ConfigError:
        path.unlink()
        raise
    return [path, *passwords.values(), _create_database(state / "gm.db"), unit]


def _create_database(path: Path) -> Path:
    """Create the database. Nobody else can read it, as it holds every mail. One that exists keeps its rights."""
    is_new = not path.exists()
    with closing(Database(f"sqlite:///{path.absolute()}")) as database:
        database.prepare(create=True)
    if is_new:
        path.chmod(0o600)
    return path


def _options(draft: Draft) -> dict[str, Any]:
    options: dict[str, Any] = {
        "service.name": draft.name, "service.address": draft.address, "service.gm": draft.gm,
        "service.language": draft.language,
    }  # fmt: skip
    for section, login in (("imap", draft.imap), ("smtp", draft.smtp)):
        for key, value in (
            ("host", login.server.host), ("port", login.server.port), ("security", login.server.security),
            ("username", login.username),
        ):  # fmt: skip
            options[f"{section}.{key}"] = value
    return options


def _password_files(folder: Path, draft: Draft) -> dict[Secret, Path]:
    """Return the file for each password. Most mailboxes have one password for both servers."""
    if not draft.imap.password:
        return {}
    files = {draft.imap.password: folder / "mailbox.password"}
    if draft.smtp.password:
        files.setdefault(draft.smtp.password, folder / "smtp.password")
    return files


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read, not even while it is written."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(descriptor, 0o600)  # it may have been there before
        file.write(text)


def examine(config: Path | None, probe_seconds: float = 0) -> Iterator[Check]:
    """Check one thing after the other. What builds on a failed one is left out.

    With `probe_seconds` a forged mail is sent to ourselves and waited for so long (see `forgery_probe`).
    """
    from gm.service.maintenance.nightly_backup import check as check_backups

    path = config or default_path()
    try:
        settings = load(path)
    except ConfigError as error:
        yield Check("config", "fail", str(error))
        return
    yield Check("config", "ok", f"{path} is in order.")
    yield from (Check("secrets", status, sentence) for status, sentence in exposed(path))
    if says := outdated(path):
        yield Check("unit", "warn", says)
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
            with suppress(StoreError):  # the database can be read, and not written
                owner = owner_of(settings, database)
    yield from _check_servers(settings, owner, probe_seconds)
    yield _check_archive(settings.archive.path)


def _check_servers(settings: Settings, owner: Owner | None, probe_seconds: float) -> Iterator[Check]:
    from gm.transport.imap.inbox import Inbox
    from gm.transport.oauth.accounts import check as check_tokens
    from gm.transport.smtp.outbox import Outbox

    yield from check_tokens(settings)
    inbox = Inbox(settings.imap, owner=(lambda: owner) if owner else None)
    are_reached = True
    for check in chain(inbox.check(), Outbox(settings.smtp).check()):
        yield check
        are_reached = are_reached and check.status != "fail"
    if probe_seconds and are_reached:
        from gm.service.setup.forgery_probe import probe

        yield probe(settings, probe_seconds)


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
    from gm.commands.sender_check.provider_results import check_senders
    from gm.service.setup.providers import provider_of_server

    provider = provider_of_server(settings.imap.host)
    with database.read() as session:
        return Check(*check_senders(session, settings.security, provider.below.split() if provider else ()))


def _check_issues(settings: Settings, database: Database) -> Iterator[Check]:
    from gm.game.schedule import clashes

    with database.read() as session:
        if found := clashes.check(settings, session, utcnow()):
            yield Check("issues", "ok" if found[0] else "warn", found[1])


def _check_words(extra: tuple[Path, ...]) -> Check:
    from gm.lexicon.lexicon import Lexicon

    try:
        lexicon = Lexicon.load(extra)
    except OperatorError as error:
        return Check("word list", "fail", str(error))
    return Check("word list", "ok", f"{lexicon.name}, checksum {lexicon.checksum[:12]}.")


def _check_clock(zone: str) -> Check:
    now = datetime.now(UTC)
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
