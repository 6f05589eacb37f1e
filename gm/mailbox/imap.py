"""One IMAP connection: open it safely, name folders as the server does, say in English what failed.

Sources: RFC 9051 (IMAP4rev2), RFC 2342 (NAMESPACE), RFC 6851 (MOVE), RFC 4315 (UIDPLUS), RFC 2177 (IDLE).
"""

from __future__ import annotations

import contextlib
import imaplib
import re
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gm.errors import MailboxError
from gm.mailbox.connection import ANSWER_TIMEOUT, CONNECT_TIMEOUT, causes, explain_network, masked, refuse_plaintext

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.config import ImapSettings

# What IMAPClient and imaplib raise is a mix; a ValueError is an answer that they could not read.
FAILURES = (imaplib.IMAP4.error, OSError, ValueError)


@dataclass(frozen=True, kw_only=True)
class FolderNames:
    """How this server writes folder names: `GM/Processed` may be `INBOX.GM.Processed` there."""

    delimiter: str
    prefix: str

    def on_server(self, name: str) -> str:
        """The name as the server knows it. INBOX is INBOX everywhere; a name written out in full stays."""
        first, *rest = name.split("/")
        if first.upper() == "INBOX":
            return self.delimiter.join(["INBOX", *rest])
        local = self.delimiter.join([first, *rest])
        return local if local.startswith(self.prefix) else self.prefix + local


def folder_names(client: IMAPClient) -> FolderNames:
    """Ask the server for its delimiter and the prefix of personal folders."""
    if client.has_capability("NAMESPACE") and (personal := client.namespace().personal):
        prefix, delimiter = personal[0]
        return FolderNames(delimiter=delimiter or "-", prefix=prefix)
    listed = client.list_folders("", "")
    delimiter = listed[0][1].decode("ascii") if listed and listed[0][1] else "-"
    return FolderNames(delimiter=delimiter, prefix="")


def connect(settings: ImapSettings) -> IMAPClient:
    """A connection that is encrypted and logged in. Raises one of FAILURES."""
    client = open_connection(settings)
    try:
        log_in(client, settings)
    except BaseException:
        hang_up(client)
        raise
    return client


def open_connection(settings: ImapSettings) -> IMAPClient:
    """A connection, encrypted with a verified certificate as the settings say, not yet logged in."""
    # Imported late: it takes a tenth of a second, and most commands of `gm` read no mail.
    from imapclient import IMAPClient, SocketTimeout

    refuse_plaintext(settings)
    timeout = SocketTimeout(CONNECT_TIMEOUT, ANSWER_TIMEOUT)
    tls = settings.security == "tls"
    context = ssl.create_default_context() if settings.security != "none" else None
    client = IMAPClient(settings.host, settings.port, ssl=tls, ssl_context=context, timeout=timeout)
    # Otherwise IMAPClient turns INTERNALDATE into naive local time, which is ambiguous one hour a year.
    client.normalise_times = False
    try:
        # IMAPClient writes a command and its line end separately: Nagle's algorithm would add 40 ms to each.
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if settings.security == "starttls":
            client.starttls(context)
    except BaseException:
        hang_up(client)
        raise
    return client


def log_in(client: IMAPClient, settings: ImapSettings) -> None:
    """Log in if a name is given. LOGIN knows ASCII only, so other passwords go by AUTHENTICATE PLAIN."""
    password = settings.password.reveal()
    if not settings.username:
        return
    if (settings.username + password).isascii():
        client.login(settings.username, password)
    else:
        client.plain_login(settings.username, password)


def hang_up(client: IMAPClient, *, politely: bool = False) -> None:
    """Close the connection whatever state it is in; never raises."""
    with contextlib.suppress(*FAILURES):
        if politely:
            client.logout()
            return
    with contextlib.suppress(*FAILURES):
        client.shutdown()


def trouble(settings: ImapSettings, doing: str, error: BaseException) -> MailboxError:
    """The failure as one English sentence for the log and `gm doctor`, without the password."""
    sentence = f"The IMAP server {settings.host}:{settings.port} {_what_failed(settings, doing, error)}."
    is_login = type(error).__name__ == "LoginError" and not _is_broken_off(error) and "UNAVAILABLE" not in str(error)
    return MailboxError(masked(sentence, settings.password.reveal()), is_login=is_login)


def _what_failed(settings: ImapSettings, doing: str, error: BaseException) -> str:
    if reason := explain_network(error):
        return f"failed while {doing}: {reason}"
    if _is_broken_off(error):
        return f"broke off the connection while {doing} ({_answer(error)}); nothing is lost, we try again"
    if type(error).__name__ == "LoginError":
        return (
            f"refused the login of {settings.username}: {_answer(error)}; check username and password in [imap] "
            "and whether the provider wants IMAP switched on or a password for apps"
        )
    if type(error).__name__ == "CapabilityError":
        return f"can't do what is needed for {doing}: {_answer(error)}; check port and security in [imap]"
    return f"refused {doing}: {_answer(error)}; check the folders in [imap] and the server's log"


def _is_broken_off(error: BaseException) -> bool:
    """IMAPClient makes a LoginError of everything at login, also of a connection that ended there."""
    links = [*causes(error), error.__context__]
    return any(isinstance(link, imaplib.IMAP4.abort) for link in links)


def _answer(error: BaseException) -> str:
    """The server's words; imaplib shows some of them as the repr of bytes."""
    text = re.sub(r"\bb(['\"])(.*?)\1", r"\2", str(error)) or type(error).__name__
    return " ".join(text.split()).rstrip(".")[:300]
