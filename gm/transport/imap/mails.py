"""Mails as the IMAP server has them: measured and fetched in batches, never marked as read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from gm.runtime.clock import utcnow
from gm.transport.imap.size_limits import HEADER_LIMIT, TEXT_LIMIT, WHOLE_LIMIT, joined

if TYPE_CHECKING:
    from imapclient import IMAPClient

BATCH: Final = 200
"""How many mails one command is about."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Every mail in a folder. UIDs mean something only together with the UIDVALIDITY."""

    uidvalidity: int
    uids: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """One mail as the server has it. Over 256 KiB `raw` is the first 64 KiB of the header and of the text."""

    uid: int
    uidvalidity: int
    received_at: datetime
    raw: bytes
    size: int


@dataclass(frozen=True, kw_only=True)
class Head:
    """What the server says about a mail without handing it out."""

    received_at: datetime
    size: int
    sender: bytes
    """The From field as it stands, with its name."""


def in_batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Split UIDs into as many as go into one command."""
    return (uids[start : start + BATCH] for start in range(0, len(uids), BATCH))


def fetch_heads(client: IMAPClient, uids: Sequence[int], *, with_sender: bool) -> dict[int, Head]:
    """Return arrival and size of those mails that are there, and who sent them if that is asked for."""
    asked = ["RFC822.SIZE", "INTERNALDATE", *(["BODY.PEEK[HEADER.FIELDS (FROM)]"] if with_sender else [])]
    heads = {}
    for batch in in_batches(uids):
        for uid, found in client.fetch(batch, asked).items():
            # Servers write the list of fields their own way.
            sender = next((value for key, value in found.items() if key.startswith(b"BODY[HEADER.FIELDS")), None)
            if b"RFC822.SIZE" in found:  # else it is an answer that nobody asked for
                received_at = _arrival(found.get(b"INTERNALDATE"))
                heads[uid] = Head(received_at=received_at, size=int(found[b"RFC822.SIZE"]), sender=sender or b"")
    return heads


def fetch_arrival(client: IMAPClient, uid: int) -> datetime | None:
    """Return when a mail arrived; None where it isn't there, or the server doesn't say it."""
    at = client.fetch([uid], ["INTERNALDATE"]).get(uid, {}).get(b"INTERNALDATE")
    return _arrival(at) if at else None


def fetch_raw(client: IMAPClient, sizes: Mapping[int, int]) -> dict[int, bytes]:
    """Return the bytes of mails of these sizes; of a huge mail only the beginnings of header and text."""
    raws: dict[int, bytes] = {}
    for uids in in_batches(list(sizes)):
        whole, huge = ([uid for uid in uids if (sizes[uid] > WHOLE_LIMIT) is big] for big in (False, True))
        raws |= {uid: raw for uid, (raw,) in _fetch_parts(client, whole, {"BODY[]": 0}).items()}
        begun = _fetch_parts(client, huge, {"BODY[HEADER]": HEADER_LIMIT, "BODY[TEXT]": TEXT_LIMIT})
        raws |= {uid: joined(head, text) for uid, (head, text) in begun.items()}
    return raws


def _fetch_parts(client: IMAPClient, uids: Sequence[int], parts: Mapping[str, int]) -> dict[int, list[bytes]]:
    """Return the parts, or so many bytes of them, of each mail that has them: servers mix in other answers."""
    asked = [part.replace("BODY", "BODY.PEEK") + (f"<0.{most}>" if most else "") for part, most in parts.items()]
    keys = [f"{part}<0>".encode() if most else part.encode() for part, most in parts.items()]
    answers = client.fetch(uids, asked) if uids else {}
    return {uid: [answer[key] or b"" for key in keys] for uid, answer in answers.items() if {*keys} <= answer.keys()}


def _arrival(internal_date: datetime | None) -> datetime:
    """Convert the server's arrival time, whatever its zone. Where it could not be read, the mail arrived just now."""
    if internal_date is None:
        return utcnow()
    aware = internal_date if internal_date.tzinfo else internal_date.replace(tzinfo=UTC)
    return aware.astimezone(UTC)
