"""How much of a mail is kept, and how many mails are held in memory at once."""

from collections.abc import Iterable, Iterator
from typing import Final

WHOLE_LIMIT: Final = 256 * 1024
"""A longer mail is not fetched whole, only the beginnings of its header and its text."""
HEADER_LIMIT: Final = 64 * 1024
TEXT_LIMIT: Final = 64 * 1024

MOST_MAILS: Final = 200
MOST_BYTES: Final = 8 * 1024 * 1024
"""Of mails in one batch. Read, they take several times as much."""


def clipped(raw: bytes) -> bytes:
    """What is kept of a mail, as if it had been fetched."""
    if len(raw) <= WHOLE_LIMIT:
        return raw
    head, blank, text = raw.partition(b"\r\n\r\n")
    return joined((head + blank)[:HEADER_LIMIT], text[:TEXT_LIMIT])


def joined(head: bytes, text: bytes) -> bytes:
    """Put the beginnings of header and text together; of a header that was cut off the last line goes."""
    if head.endswith((b"\r\n\r\n", b"\n\n")) or not head.strip():
        return head + text
    return head.rpartition(b"\n")[0].rstrip(b"\r") + b"\r\n\r\n" + text


def batches(mails: Iterable[tuple[int, int]], most: int = MOST_MAILS) -> Iterator[list[int]]:
    """Part mails, given as number and size, into as many numbers as may be held at once."""
    batch: list[int] = []
    weight = 0
    for number, size in mails:
        kept = size if size <= WHOLE_LIMIT else HEADER_LIMIT + TEXT_LIMIT
        if batch and (len(batch) == most or weight + kept > MOST_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(number)
        weight += kept
    if batch:
        yield batch
