"""How much of a mail is kept, and how many mails are in memory at once."""

from collections.abc import Iterable, Iterator
from typing import Final

WHOLE_LIMIT: Final = 256 * 1024
"""Of a longer mail only the beginnings of header and text are fetched."""
HEADER_LIMIT: Final = 64 * 1024
TEXT_LIMIT: Final = 64 * 1024

MOST_MAILS: Final = 200
MOST_BYTES: Final = 8 * 1024 * 1024
"""The size of all mails in a batch. Parsed, they take several times as much memory."""


def clipped(raw: bytes) -> bytes:
    """Shorten a mail as if it had been fetched."""
    if len(raw) <= WHOLE_LIMIT:
        return raw
    head, blank, text = raw.partition(b"\r\n\r\n")
    return joined((head + blank)[:HEADER_LIMIT], text[:TEXT_LIMIT])


def joined(head: bytes, text: bytes) -> bytes:
    """Join the beginnings of header and text. A header that was cut off loses its last line."""
    if head.endswith((b"\r\n\r\n", b"\n\n")) or not head.strip():
        return head + text
    return head.rpartition(b"\n")[0].rstrip(b"\r") + b"\r\n\r\n" + text


def batches(mails: Iterable[tuple[int, int]], most: int = MOST_MAILS) -> Iterator[list[int]]:
    """Split mails, given as (number, size), into batches of numbers that fit into memory."""
    batch: list[int] = []
    size_of_batch = 0
    for number, size in mails:
        kept = size if size <= WHOLE_LIMIT else HEADER_LIMIT + TEXT_LIMIT
        if batch and (len(batch) == most or size_of_batch + kept > MOST_BYTES):
            yield batch
            batch, size_of_batch = [], 0
        batch.append(number)
        size_of_batch += kept
    if batch:
        yield batch
