"""One IMAP connection: opened securely, with the server's folder names, and its failures in plain English.

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

from gm.runtime.errors import MailboxError, TokenError
from gm.runtime.network import ANSWER_TIMEOUT, CONNECT_TIMEOUT, causes, explain_network, printable, refuse_plaintext
from gm.transport.oauth.tokens import access_token

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

# What IMAPClient and imaplib raise. The second line is about answers that they could not read.
FAILURES = (
    imaplib.IMAP4.error, OSError, TokenError,
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError, MemoryError,
)  # fmt: skip

# Response codes (RFC 5530, RFC 9051) that say more than "no", and what is to be done then.
_MENDS = {
    "OVERQUOTA": "the mailbox is full: make room in it",
    "NOPERM": "the account may not do that: give it the right to",
    **dict.fromkeys(("UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG"), "nothing is lost, we try again"),
}


@dataclass(frozen=True, kw_only=True)
class FolderNames:
    """How a server writes folder names: `GM/Processed` may be `INBOX.GM.Processed` there."""

    delimiter: str
    prefix: str

    def on_server(self, name: str) -> str:
        """Return a folder's name on the server. INBOX is INBOX everywhere. A name with the prefix stays as it is."""
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


def is_folder(client: IMAPClient, folder: str) -> bool:
    """Return whether mails can be put there. Servers also list folders that only contain other folders."""
    unusable = {rb"\noselect", rb"\nonexistent"}
    return any(not unusable & {flag.lower() for flag in flags} for flags, _, _ in client.list_folders("", folder))


def create_folder(client: IMAPClient, folder: str) -> None:
    """Create a folder and subscribe to it, so that mail programs show it. Not every server has subscriptions."""
    client.create_folder(folder)
    with contextlib.suppress(*FAILURES):
        client.subscribe_folder(folder)


def is_refusal(error: BaseException) -> bool:
    """Return whether the server answered NO or BAD. Then the connection can still be used."""
    return isinstance(error, imaplib.IMAP4.error) and not isinstance(error, imaplib.IMAP4.abort)


def connect(settings: ImapSettings, answer_timeout: float = ANSWER_TIMEOUT) -> IMAPClient:
    """Connect, encrypt and log in. Raises one of FAILURES."""
    client = open_connection(settings, answer_timeout)
    try:
        log_in(client, settings)
    except BaseException:
        hang_up(client)
        raise
    return client


def open_connection(settings: ImapSettings, answer_timeout: float = ANSWER_TIMEOUT) -> IMAPClient:
    """Connect, encrypted with a verified certificate as the settings say, without logging in."""
    # Imported late: that takes a tenth of a second, and most commands of `gm` read no mail.
    from imapclient import IMAPClient, SocketTimeout

    refuse_plaintext(settings)
    timeout = SocketTimeout(CONNECT_TIMEOUT, answer_timeout)
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
    """Log in if a username is given. LOGIN allows only ASCII, so other passwords are sent by AUTHENTICATE PLAIN."""
    password = settings.password.get_secret_value()
    if not settings.username:
        return
    if settings.oauth:
        _log_in_by_token(client, settings)
    elif (settings.username + password).isascii():
        client.login(settings.username, password)
    else:
        client.plain_login(settings.username, password)


def _log_in_by_token(client: IMAPClient, settings: ImapSettings) -> None:
    """Log in with a token. It may have been revoked before its time: after a refusal a new one is tried once."""
    from imapclient.exceptions import LoginError

    assert settings.oauth
    token = access_token(settings.oauth)
    try:
        client.oauth2_login(settings.username, token.get_secret_value())
    except LoginError as error:
        if not client.has_capability("AUTH=XOAUTH2"):
            raise
        newer = access_token(settings.oauth, refused=token)
        if _is_broken_off(error):
            raise
        client.oauth2_login(settings.username, newer.get_secret_value())


def cut_off(client: IMAPClient) -> None:
    """End another thread's wait for the server. To shut the socket is the only way."""
    with contextlib.suppress(OSError):
        # Not SSLSocket.shutdown, which takes the TLS object away under the reading thread.
        socket.socket.shutdown(client.socket(), socket.SHUT_RDWR)


def hang_up(client: IMAPClient, *, politely: bool = False) -> None:
    """Close the connection whatever state it is in. Never raises."""
    with contextlib.suppress(*FAILURES):
        if politely:
            client.logout()
            return
    with contextlib.suppress(*FAILURES):
        client.shutdown()


def trouble(settings: ImapSettings, doing: str, error: BaseException) -> MailboxError:
    """Describe a failure in one English sentence, without the password."""
    if isinstance(error, TokenError):
        return MailboxError(printable(str(error)))
    sentence = f"The IMAP server {settings.host}:{settings.port} {_what_failed(settings, doing, error)}."
    is_login = type(error).__name__ == "LoginError" and not _is_broken_off(error) and "UNAVAILABLE" not in str(error)
    return MailboxError(printable(sentence), is_login=is_login)


def _what_failed(settings: ImapSettings, doing: str, error: BaseException) -> str:
    if reason := explain_network(error):
        return f"failed while {doing}: {reason}"
    if _is_broken_off(error):
        return f"broke off the connection while {doing} ({_answer(error)}); nothing is lost, we try again"
    if mend := next((mend for code, mend in _MENDS.items() if f"[{code}" in str(error)), ""):
        return f"refused {doing}: {_answer(error)}; {mend}"
    if not isinstance(error, imaplib.IMAP4.error) or type(error).__name__ == "ProtocolError":
        return f"gave an answer that can't be read while {doing} ({_answer(error)}); nothing is lost, we try again"
    if type(error).__name__ == "LoginError" and settings.oauth:
        return (
            f"refused the login of {settings.username} with a token: {_answer(error)}; check username in [imap] and "
            "the rights of the app, and run `gm login` again"
        )
    if type(error).__name__ == "LoginError":
        return (
            f"refused the login of {settings.username}: {_answer(error)}; check username and password in [imap] "
            "and whether the provider wants IMAP switched on or a password for apps"
        )
    if type(error).__name__ == "CapabilityError":
        return f"can't do what is needed for {doing}: {_answer(error)}; check port and security in [imap]"
    return f"refused {doing}: {_answer(error)}; check the folders in [imap] and the server's log"


def _is_broken_off(error: BaseException) -> bool:
    """Return whether the connection ended. During login IMAPClient reports that as a LoginError, too."""
    links = [*causes(error), error.__context__]
    return any(isinstance(link, imaplib.IMAP4.abort) for link in links)


def _answer(error: BaseException) -> str:
    """Return the server's words, some of which imaplib quotes as bytes. Unreadable ones may be part of a mail."""
    if type(error).__name__ == "ProtocolError" or "unexpected response" in str(error) or isinstance(error, ValueError):
        return f"an answer that can't be read ({type(error).__name__})"
    text = re.sub(r"\bb(['\"])(.*?)\1", r"\2", str(error)) or type(error).__name__
    return " ".join(text.split()).rstrip(".")[:300]
