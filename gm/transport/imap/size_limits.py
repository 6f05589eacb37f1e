"""How much of a mail is kept."""

from typing import Final

WHOLE_LIMIT: Final = 256 * 1024
"""Of a longer mail only the beginnings of header and text are fetched."""
HEADER_LIMIT: Final = 64 * 1024
TEXT_LIMIT: Final = 64 * 1024


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
