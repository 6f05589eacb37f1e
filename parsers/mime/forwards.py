"""Finds the mail that somebody forwards, attached or inline under a head of its own.

It is never the sender's own word. A game master may want to know what it says.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from parsers.mime.message import Mail, attached_mail, read_head
from parsers.mime.quoting import FORWARD, HEAD_LINE, QUOTE_MARKS, divide, is_forward

LONGEST_HEAD: Final = 14
"""So many lines below the mark are searched for the head."""
_FIELDS: Final = {"von": "From", "from": "From", "betreff": "Subject", "subject": "Subject"}


def forwarded(mail: Mail, raw: bytes) -> Mail | None:
    """Return the mail that a mail forwards, as far as it can be read; None where there is none."""
    if mail.has_attached_mail:
        return attached_mail(raw)
    text = next(filter(is_forward, _texts(mail)), None)
    return _inline(text) if text is not None else None


def _texts(mail: Mail) -> Iterator[str]:
    yield from mail.texts
    if mail.html:
        # It takes 45 ms to load, and few mails are forwards.
        from parsers.mime.markup import html_text

        yield html_text(mail.html)


def _inline(text: str) -> Mail:
    lines = text.split("\n")
    mark = next(at for at, line in enumerate(lines) if FORWARD.match(line))
    fields: dict[str, str] = {}
    for line in lines[mark + 1 : mark + 1 + LONGEST_HEAD]:
        unmarked = QUOTE_MARKS.sub("", line, count=1)
        if found := HEAD_LINE.match(unmarked):
            value = unmarked[found.end() :].strip(" *\t")
            if name := _FIELDS.get(found["key"].lower()):
                fields.setdefault(name, value)
        elif line.strip() and fields:
            break
    said = [line for line in divide(text).quoted.split("\n") if not FORWARD.match(line)]
    return replace(_head(fields), texts=("\n".join(said),))


def _head(fields: dict[str, str]) -> Mail:
    """Read the fields as those of a mail; a name without an address stays a name."""
    head = read_head("".join(f"{name}: {value}\n" for name, value in fields.items()).encode() + b"\n")
    if head.sender:
        return head
    only = head.possible_senders[0] if len(head.possible_senders) == 1 else ""
    return replace(head, sender=only.lower(), sender_name=fields.get("From", "").split("<")[0].strip(' "'))
