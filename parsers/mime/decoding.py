"""Bytes of a mail -> characters: transfer encodings, charsets, encoded words in fields.

Programs lie about all three, so every function takes any bytes and never raises.
"""

import binascii
import codecs
import re
from itertools import groupby
from typing import Final

ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
LATE_BLANKS = re.compile(rb"=[ \t]+(?=\r?\n)")
ONE_BYTE = re.compile(r"(?:iso[-_]?8859|latin|windows-125|cp125|us-ascii|ascii|x-unknown|unknown)", re.IGNORECASE)
UNDECLARED_QP = re.compile(rb"=(?:20)?\r?\n|=C3=[89AB][0-9A-F]")
BASE64_LINES = re.compile(rb"\s*(?:(?:[A-Za-z0-9+/]{4}){1,20}={0,2}[ \t]*(?:\r?\n|\Z))+")
BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]{2,}={0,2}")
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\r\n]")
NOT_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")
LONG: Final = 40
"""Nothing longer is in letters of the code by chance."""
# Codecs that are no charsets of mails: slow (idna), warning (unicode_escape) or always failing (undefined).
NO_CHARSETS: Final = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})


def decode_words(value: str) -> str:
    """Decode encoded words (RFC 2047). Neighbours of one charset are joined first: some programs split a letter."""
    if value.isascii() and "=?" not in value:
        return value
    pieces: list[tuple[str, bytes]] = []
    end = 0
    for match in ENCODED_WORD.finditer(value):
        between = value[end : match.start()]
        if between.strip() or not pieces:
            pieces.append(("utf-8 as it came", between.encode("utf-8", "replace")))
        pieces.append((match[1].partition("*")[0].lower(), _word_bytes(match[2], match[3])))
        end = match.end()
    pieces.append(("utf-8 as it came", value[end:].encode("utf-8", "replace")))
    runs = groupby(pieces, key=lambda piece: piece[0])
    return "".join(decode_text(b"".join(data for _, data in run), charset) for charset, run in runs)


def decode_text(data: bytes, charset: str) -> str:
    """Decode by the declared charset if Python knows it and it fits, else as utf-8, else as windows-1252.

    Before a one-byte charset utf-8 is tried: bytes beyond ASCII that are valid utf-8 are hardly ever anything else.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        charset = "utf-16"
    names = ("utf-8", charset) if ONE_BYTE.match(charset) else (charset, "utf-8")
    for name in names:
        if (text := _decode_strictly(data, name)) is not None:
            return text
    # A byte or two that broke on the way don't make windows-1252 of a text.
    mended = data.decode("utf-8", "replace")
    broken = mended.count("\ufffd")
    if sum(char > "\x7f" for char in mended) > 4 * broken:
        return mended
    return data.decode("windows-1252", "replace")


def decode_transfer(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(LATE_BLANKS.sub(b"=", body))
    if encoding == "base64":
        return _decode_base64(body)
    # Some gateway forgot to say so: soft line breaks and umlauts in this form are nothing else.
    return binascii.a2b_qp(body) if len(UNDECLARED_QP.findall(body)) > 1 else body


def rough_text(raw: bytes) -> str:
    """Return what may be words in a mail whose structure can't be read: what is encoded in its bytes, then these."""
    lines = [line.strip() for line in raw.splitlines()]
    runs = groupby(lines, key=lambda line: BASE64_LINE.fullmatch(line) is not None)
    coded = [_decode_base64(b"".join(run)) for is_coded, run in runs if is_coded]
    # A word in letters of the code decodes to a few odd bytes, a picture to control characters.
    texts = [decode_text(one, "utf-8") for one in coded if len(one) > LONG or _decode_strictly(one, "utf-8")]
    written = decode_text(binascii.a2b_qp(raw) if UNDECLARED_QP.search(raw) else raw, "utf-8")
    return "\n".join([*(text for text in texts if not NOT_TEXT.search(text)), written])


def _decode_base64(body: bytes) -> bytes:
    """Decode leniently: foreign characters and missing padding are forgiven, plain text under a wrong label is kept."""
    # A list server may append its footer behind the padding: nothing after that counts.
    first = body.partition(b"=")[0]
    if len(NOT_BASE64.findall(first)) * 20 > len(first):
        # Without padding the footer stands right below: whole lines of the code are read, the rest is not.
        coded = BASE64_LINES.match(body)
        if not coded or len(coded[0]) * 4 < len(body):
            return body
        first = coded[0].partition(b"=")[0]
    first = NOT_BASE64.sub(b"", first).translate(None, b"\r\n")
    whole = first[: len(first) - (len(first) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def _decode_strictly(data: bytes, charset: str) -> str | None:
    try:
        name = codecs.lookup(charset).name
        if name in NO_CHARSETS:
            return None
        # Windows programs say latin-1 and mean windows-1252: `…` would become a control character.
        text = data.decode("windows-1252" if name == "iso8859-1" else name)
    except (LookupError, ValueError):
        return None
    # utf-7 can smuggle in half characters that no database takes.
    return text if name == "utf-8" else text.encode("utf-8", "replace").decode("utf-8")


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    return _decode_base64(data) if encoding in "bB" else binascii.a2b_qp(data, header=True)
