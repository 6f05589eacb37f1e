"""What `gm doctor` finds out about the mailbox: connection, login, folders, owner, IDLE, MOVE."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from gm.runtime.network import Check
from gm.transport.imap.connection import (
    FAILURES,
    FolderNames,
    folder_names,
    hang_up,
    is_folder,
    log_in,
    open_connection,
    trouble,
)

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings
    from gm.transport.imap.ownership_marks import Claim


def check_inbox(settings: ImapSettings, folder: str, claim: Claim | None) -> Iterator[Check]:
    """Try everything that the service needs, over a connection of its own. What builds on a failure is left out."""
    where = f"{settings.host}:{settings.port} ({settings.security})"
    try:
        client = open_connection(settings)
    except FAILURES as error:
        yield Check("IMAP connection", "fail", str(trouble(settings, "connecting", error)))
        return
    yield Check("IMAP connection", "ok", f"The IMAP server {where} answers.")
    with ExitStack() as stack:
        stack.callback(hang_up, client, politely=True)
        try:
            log_in(client, settings)
        except FAILURES as error:
            yield Check("IMAP login", "fail", str(trouble(settings, "logging in", error)))
            return
        yield Check("IMAP login", "ok", f"{settings.username or 'The service'} is logged in.")
        try:
            names = folder_names(client)
            yield _check_folders(client, names, settings, folder)
            if claim is not None:
                yield claim.check(client, names, names.on_server(folder))
            yield _check_idle(client, settings)
            yield _check_move(client, folder, settings.processed)
        except FAILURES as error:
            yield Check("IMAP folders", "fail", str(trouble(settings, "opening the folder", error)))


def _check_folders(client: IMAPClient, names: FolderNames, settings: ImapSettings, folder: str) -> Check:
    wanted = (folder, settings.processed, settings.quarantine, settings.junk)
    mine, *others = (names.on_server(name) for name in wanted if name)
    exists = client.select_folder(mine, readonly=True)[b"EXISTS"]
    missing = [name for name in others if not is_folder(client, name)]
    if settings.junk and names.on_server(settings.junk) in missing:
        return Check("IMAP folders", "warn", f"There is no folder {settings.junk}; check junk in [imap].")
    later = f"; {' and '.join(missing)} will be created when needed" if missing else ""
    return Check("IMAP folders", "ok", f"{mine} holds {exists} mails{later}.")


def _check_idle(client: IMAPClient, settings: ImapSettings) -> Check:
    if not settings.idle:
        return Check("IMAP IDLE", "ok", f"Not wanted; the folder is read every {settings.poll_seconds} s.")
    if client.has_capability("IDLE"):
        return Check("IMAP IDLE", "ok", "The server tells us when mail arrives.")
    return Check("IMAP IDLE", "warn", f"The server has no IDLE; the folder is read every {settings.poll_seconds} s.")


def _check_move(client: IMAPClient, folder: str, processed: str) -> Check:
    if client.has_capability("MOVE"):
        return Check("IMAP MOVE", "ok", "The server moves mails.")
    if client.has_capability("UIDPLUS"):
        return Check("IMAP MOVE", "ok", "The server has no MOVE; mails are copied and then deleted.")
    sentence = (
        f"The server has neither MOVE nor UIDPLUS: handled mails are copied to {processed} and stay in {folder}, "
        "marked as read and deleted, until a mail program compacts (expunges) it; gm takes no notice of them."
    )
    return Check("IMAP MOVE", "warn", sentence)
