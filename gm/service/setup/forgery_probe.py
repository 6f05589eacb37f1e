"""`gm doctor --probe`: one forged mail to ourselves shows which Authentication-Results may be trusted.

It shows whether forged ones are removed, and where the provider writes its own. The mail says that it is ours (X-Loop),
so a service that fetches it first only logs it. It is deleted wherever it is found.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gm.runtime.errors import DeliveryError
from gm.runtime.network import Check
from gm.transport.imap.connection import FAILURES, connect, folder_names, hang_up, is_folder, trouble
from gm.transport.smtp.letters import Letter
from gm.transport.smtp.outbox import Outbox
from parsers.errors import MailError
from parsers.mime.authentication_results import BELOW, NO_ID, Results, fields, means, trusted_results
from parsers.mime.message import Mail, read_mail

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings, Settings

NAME: Final = "probe"
MADE_UP: Final = "probe.invalid"
"""A server that doesn't exist. A provider that removes its results removes all results."""
MARK: Final = "policy.probe"
PAUSE: Final = 2.0
"""How many seconds to wait between two searches."""

Status = Literal["ok", "warn", "fail"]
STATUSES: Final = ("ok", "warn", "fail")
"""From the best to the worst."""


class _Field(NamedTuple):
    """An Authentication-Results field of the mail that came back."""

    results: Results
    is_on_top: bool
    is_ours: bool


def probe(settings: Settings, seconds: float) -> Check:
    """Send a forged mail to the service's own address, and wait so long for it. Report what it shows, and delete it."""
    token, trusted = secrets.token_hex(12), settings.security.trusted_authserv
    try:
        if refused := _send(settings, write_probe(settings.service.address, trusted, token)):
            return Check(NAME, "fail", f"The SMTP server didn't take the mail to ourselves: {refused}.")
        raw = _wait_for(settings.imap, token, seconds)
    except DeliveryError as error:
        return Check(NAME, "fail", str(error))
    except FAILURES as error:
        return Check(NAME, "fail", str(trouble(settings.imap, "looking for the mail to ourselves", error)))
    if raw is None:
        where = f"{settings.imap.folder}, {settings.imap.processed} or the junk folder"
        late = f"The mail to ourselves came neither into {where} within {seconds:g} s"
        return Check(NAME, "fail", f"{late}; look whether it lies elsewhere, and try again with a longer --wait.")
    try:
        return judge_probe(read_mail(raw), trusted, token)
    except MailError as error:
        return Check(NAME, "fail", f"The mail to ourselves came back broken: {error}")


def write_probe(address: str, trusted: Sequence[str], token: str) -> bytes:
    """Write a mail with forged results that the sender is genuine, by each trusted server and by a made-up one."""
    mail = EmailMessage(policy=SMTP)
    for name in dict.fromkeys((*map(_example, trusted), MADE_UP)):
        finding = f"dmarc=pass header.from={address.rpartition('@')[2]} {MARK}={token}"
        mail.add_header("Authentication-Results", finding if name == NO_ID else f"{name}; {finding}")
    for name, value in (
        ("From", address), ("To", address), ("Subject", f"gm doctor --probe {token}"), ("X-Loop", address),
        ("Date", format_datetime(datetime.now(UTC))), ("Message-ID", f"<{token}.probe@{address.rpartition('@')[2]}>"),
        ("Auto-Submitted", "auto-generated"),
    ):  # fmt: skip
        mail[name] = value
    mail.set_content("This mail tries out what the provider makes of forged findings. It may be deleted.\n")
    return mail.as_bytes()


def judge_probe(mail: Mail, trusted: Sequence[str], token: str) -> Check:
    """Report what the mail that came back shows, in one line."""
    said = [_Field(one, is_on_top, _is_ours(one, token)) for one, is_on_top in fields(mail)]
    if not said and "received" not in mail.names:
        return Check(NAME, "warn", 'The mail to ourselves has no Received field: nothing counts; use sender = "token".')
    found = [_judge_entry(entry, said) for entry in trusted] or list(_suggestions(said))
    if not found:
        wrote = "Your provider wrote no Authentication-Results into a mail to ourselves"
        found = [("warn", f"{wrote}; what players' mails carry, `gm doctor` says after a few of them")]
    says = f"{'; '.join(sentence for _, sentence in found)}."
    if any(_is_ours(one, token) for one in trusted_results(mail, trusted)):
        return Check(NAME, "fail", f"Take out of trusted_authserv by whom forged findings would count: {says}")
    return Check(NAME, max((status for status, _ in found), key=STATUSES.index), says)


def _judge_entry(entry: str, said: Sequence[_Field]) -> tuple[Status, str]:
    """Report where the fields of one name stand, and whether forged ones survive.

    `warn` where the entry doesn't fit, `fail` where forged ones would count whenever the provider writes none.
    """
    name, is_below = entry.removesuffix(BELOW), entry.endswith(BELOW)
    survives = any(one.is_ours and means(name, one.results.authserv) for one in said)
    own = [one for one in said if not one.is_ours and means(name, one.results.authserv)]
    fate = "forged ones survive" if survives else "forged ones are removed"
    if not own:
        return "warn", f"{name} wrote nothing into a mail to ourselves, {fate}"
    if own[0].is_on_top:
        fits: Status = "warn" if is_below and survives else "ok"
        return fits, f'{name} writes above the topmost Received, {fate}: "{name}" can be trusted'
    if survives:
        untrue: Status = "fail" if is_below else "warn"
        return untrue, f'{name} writes below Received, and {fate}: it can\'t be trusted; use sender = "token"'
    return "ok" if is_below else "warn", f'{name} writes below Received, {fate}: "{name}{BELOW}" can be trusted'


def _suggestions(said: Sequence[_Field]) -> Iterator[tuple[Status, str]]:
    """Report which servers write where, if none is trusted yet. Forged fields in their names were not tried."""
    own = {one.results.authserv: one.is_on_top for one in reversed(said) if not one.is_ours and one.results.authserv}
    for name, is_on_top in reversed(own.items()):
        if is_on_top:
            yield "ok", f'{name} writes above the topmost Received: "{name}" can be trusted'
        else:
            put = f'put "{name}{BELOW}" into trusted_authserv and probe again'
            yield "warn", f"{name} writes below Received: to see whether forged ones are removed, {put}"


def _is_ours(results: Results, token: str) -> bool:
    return any(one.properties.get(MARK) == token for one in results.results)


def _example(entry: str) -> str:
    """Return a name that an entry matches."""
    return entry.removesuffix(BELOW).replace("*", "forged")


def _send(settings: Settings, raw: bytes) -> str:
    """Send the mail. Returns why it was refused, or nothing. Raises DeliveryError."""
    address, outbox = settings.service.address, Outbox(settings.smtp)
    try:
        letter = Letter(id=0, sender=address, recipient=address, raw=raw)
        deliveries = [one for known in outbox.send([letter]) for one in known]
    finally:
        outbox.close()
    return next((one.message.rstrip(".") or one.status for one in deliveries if one.status != "sent"), "")


def _wait_for(settings: ImapSettings, token: str, seconds: float) -> bytes | None:
    """Search for the mail until it is found or the time is over, and delete it. Raises one of FAILURES."""
    until = time.monotonic() + seconds
    client = connect(settings)
    try:
        while True:
            for folder in _folders(client, settings):
                if raw := _take(client, folder, token):
                    return raw
            left = until - time.monotonic()
            if left <= 0:
                return None
            time.sleep(min(PAUSE, left))
    finally:
        hang_up(client, politely=True)


def _folders(client: IMAPClient, settings: ImapSettings) -> Iterator[str]:
    """Yield the folders where the mail may be: a running service moves it out of the inbox."""
    names = folder_names(client)
    wanted = (settings.folder, settings.processed, settings.junk, settings.quarantine)
    found = [names.on_server(name) for name in wanted if name]
    junk = client.find_special_folder(rb"\Junk")
    yield from (name for name in dict.fromkeys([*found, *([junk] if junk else [])]) if is_folder(client, name))


def _take(client: IMAPClient, folder: str, token: str) -> bytes | None:
    """Fetch the mail from a folder and delete it there. It is found by its subject: providers change Message-IDs."""
    client.select_folder(folder)
    uids = client.search(["SUBJECT", token])
    answers = client.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
    raw = next((answer[b"BODY[]"] for answer in answers.values() if answer.get(b"BODY[]")), None)
    if raw:
        with contextlib.suppress(*FAILURES):  # if nothing may be deleted, the service ignores it as its own
            client.delete_messages(uids, silent=True)
            if client.has_capability("UIDPLUS"):
                client.uid_expunge(uids)
    return bytes(raw) if raw else None
