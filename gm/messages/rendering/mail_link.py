"""Links that open a mail to us, with its subject and its lines in it (RFC 6068)."""

from collections.abc import Iterable
from urllib.parse import quote


def mail_link(address: str, subject: str, lines: Iterable[str]) -> str:
    """Make the link to a mail; whoever clicks it has only to send it. An empty line at the end leaves room to write."""
    body = quote("\r\n".join(lines))
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject)}&body={body}"
