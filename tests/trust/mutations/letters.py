"""A letter, a mail as it is about to be written, and the odd signs, numbers and charsets that spoil both."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Rng: TypeAlias = random.Random
Texting: TypeAlias = Callable[[Rng, str], str]
CRLF = b"\r\n"
KIB = 1024

CHARSETS = (
    "utf-8", "iso-8859-1", "iso-8859-15", "windows-1252", "us-ascii", "utf-16", "utf-16-le", "utf-32", "utf-7",
    "iso-2022-jp", "iso-2022-kr", "hz", "gb18030", "big5", "koi8-r", "cp037", "x-foo", "idna", "punycode",
    "unicode-escape", "raw-unicode-escape", "undefined", "rot13", "zlib", "bz2", "hex", "base64", "mbcs", "utf-8-sig",
    "", "\"", "utf-8\0", "../../etc/passwd", "%s", "=?utf-8?Q?utf-8?=", "u" * 900, "ütf-8",
)  # fmt: skip
ENCODINGS = (
    "7bit", "8bit", "binary", "quoted-printable", "base64", "x-uuencode", "uuencode", "x-foo", "", "base64;",
    "8bit, base64",
    "BASE64", "quoted_printable", "\0",
)  # fmt: skip
ODD = (
    "\0", "\x01", "\x1b[2J", "\x7f", "\x85", "\xa0", "\xad", "ß", "ẞ", "ſ", "ı", "İ", "ŉ", "Ǆ", "ﬃ", "²", "½", "①", "٣",
    "０", "\u0301", "\u0308", "\u0323\u0307", "\u200b", "\u200d", "\u202e", "\u202d", "\u2066", "\u2069", "\u2028",
    "\u2029", "\ufeff", "\ufffd", "\uffff", "\ufe0f", "\U0001f1e9", "\U0001f468\u200d\U0001f469", "\U000e0041",
    "\U0010ffff",
    "’", "—", "…", "»", "`", "'", '"', "\\", "%s", "{0}", "{{ 7*7 }}", "{% raw %}", "<b>", "&amp;", "\t", "\v", "\f",
    "\x1c", "\r",
)  # fmt: skip
NUMBERS = (
    "0", "-1", "00", "1e9", "9" * 3, "9" * 18, "9" * 4301, "4294967296", "9223372036854775808", "٣", "²", "½", "1.5",
    "NaN",
    "1_000", "0x10", "+5", "31.02.2026", "29.02.2027", "32.13.9999", "00.00.0000", "01.01.0001-31.12.9999",
    "2026-13-45",
    "24.12.2026-06.01.2020", "99:99",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Letter:
    """Somebody writes something."""

    name: str
    sender: str
    subject: str
    text: str


@dataclass(kw_only=True)
class Form:
    """A letter as it is about to be written: header fields in order, and the body's bytes."""

    fields: list[tuple[str, bytes]]
    body: bytes
    more: list[bytes] = field(default_factory=list)
    """Whole lines for the header, as they are."""

    def set(self, name: str, value: str | bytes) -> None:
        """Set a field in its place, or put it at the end."""
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
        found = next((at for at, (known, _) in enumerate(self.fields) if known == name), None)
        if found is None:
            self.fields.append((name, data))
        else:
            self.fields[found] = (name, data)

    def get(self, name: str) -> bytes:
        """Return a field's value, empty where it is missing."""
        return next((value for known, value in self.fields if known == name), b"")

    @property
    def raw(self) -> bytes:
        """The mail."""
        lines = [b"%s: %s" % (name.encode(), value) for name, value in self.fields]
        return CRLF.join([*lines, *self.more, b"", self.body])


def encoded_word(rng: Rng, text: str) -> str:
    """Write a text as an encoded word, now and then in the wrong way."""
    charset = rng.choice(("utf-8", "utf-8", "iso-8859-1", rng.choice(CHARSETS)))
    data = text.encode("utf-8", "replace")
    if rng.random() < 0.5:
        return f"=?{charset}?B?{base64.b64encode(data).decode()}?="
    return f"=?{charset}?Q?{''.join(f'={byte:02X}' for byte in data)}?="


def spot(rng: Rng, what: Sequence[object]) -> int:
    """Choose a place in something; 0 where it is empty."""
    return rng.randrange(len(what)) if what else 0
