"""Raw bytes -> `Mail`: header fields, the sender's one address and the texts.

Sources: RFC 5322 (fields), RFC 2045-2047 (MIME); shared/spec/mail.md sections 0 and 4.4. Work is linear in the length
of the mail, and the length is limited (`MAX_BYTES`).
"""

import email
import email.policy
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import BytesHeaderParser
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from parsers.addresses import canonical
from parsers.errors import MailError, UnreadableMail
from parsers.mime.decoding import decode_text, decode_transfer, decode_words

MAX_BYTES: Final = 256 * 1024
"""Of a longer mail only the beginning is read, and `MAX_TEXT` characters of its text."""
MAX_TEXT: Final = 64 * 1024
MAX_LINES: Final = 12_000
"""Of all texts together: nobody writes so many, and each takes ten microseconds to be read."""
MAX_PARTS: Final = 200
MAX_MULTIPARTS: Final = 40
MAX_TRIALS: Final = 2_000_000
"""The standard library tries every open boundary on every line: deep nesting would take seconds."""
MAX_BOUNDARY: Final = 200
"""RFC 2046 allows 70."""
MAX_HEADER: Final = 8000
MOST_SENDERS: Final = 10
MAX_SUBJECT: Final = 500

Headers: TypeAlias = Mapping[str, tuple[str, ...]]

# A group of addresses, brackets with nothing in them, words behind the last bracket.
DOUBTFUL = re.compile(r"^[^<>@:]*:.*;|<\s*>|>[\s;,]*[^\s;,<>@][^<>@]*$", re.DOTALL)
ENCODED_WORDS = re.compile(r"\s*(?:=\?[^?\s]{1,60}\?[bq]\?[^?\s]*\?=\s*)+", re.IGNORECASE)
BETWEEN_ADDRESSES = re.compile(r"[\s,;:<>]+")
MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_.:+-]{1,40})", re.IGNORECASE)
FOLD = re.compile(r"[\r\n]+[ \t]*")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
CALENDAR_REPLY = re.compile(r"^METHOD:REPLY\s*$", re.IGNORECASE | re.MULTILINE)
NEWLINES: Final = ("\r\n", "\r", "\u2028", "\u2029")
LINES = re.compile(rb"\r\n|\n|\r")
MULTIPART = re.compile(rb"content-type[ \t]*:\s*multipart/", re.IGNORECASE)
ATTACHED_MAIL = re.compile(rb"content-type[ \t]*:\s*message/", re.IGNORECASE)
BOUNDARY = re.compile(rb"boundary\s*=\s*(?:\"([^\"]*)\"|([^\s;]+))", re.IGNORECASE)
HEAD_END = re.compile(rb"(?:\r\n|\n|\r(?!\n)){2}")
# RFC 5322 4.5 has readers take it; the standard library takes it for an mbox line and leaves it out.
SPACED_FROM = re.compile(rb"(?:^|(?<=\r))(from)[ \t]+:", re.IGNORECASE | re.MULTILINE)

# Types whose text can be read as it is; a signed and wrapped text or Outlook's own wrapping can't.
PLAIN: Final = frozenset({"text/markdown", "text/x-markdown", "text/enriched"})
OPAQUE: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "application/ms-tnef"})


@dataclass(frozen=True, kw_only=True)
class Mail:
    """A mail as far as the service needs it. What is missing or broken is empty."""

    sender: str = ""
    """Lower-cased address; empty unless From names exactly one well-formed address."""
    sender_name: str = ""
    """The display name beside it: a suggestion, never an identity."""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    subject: str = ""
    """One line, encoded words decoded."""
    texts: tuple[str, ...] = ()
    """The text/plain parts that have text; lines end in LF. Never from an attachment or an attached mail."""
    html: str = ""
    """The first text/html part, as source."""
    has_attachment: bool = False
    """A file is attached (also a signature's picture)."""
    has_attached_mail: bool = False
    """A message/rfc822 part: forwarded as attachment."""
    is_calendar_reply: bool = False
    """A calendar program says that its owner comes, or doesn't (RFC 5546, METHOD:REPLY)."""
    is_cut: bool = False
    """The mail was longer than `MAX_BYTES` or `MAX_LINES`: the text may lack its end."""
    part_types: tuple[str, ...] = ()
    """Content types of all parts in order, the mail's own first."""
    headers: Headers = field(default_factory=lambda: MappingProxyType({}))
    """Lower-case field name -> values, unfolded, encoded words as they came."""
    possible_senders: tuple[str, ...] = ()
    """Where From names no one address: all that stand in it."""
    named_senders: tuple[str, ...] = ()
    """All addresses in From, where each is beyond doubt."""
    reply_to: tuple[str, ...] = ()
    """The addresses in Reply-To. Where a list or a forwarder put its own into From, they may be the writer's."""
    written_from: str = ""
    """The address that stands in From, where `sender` is another spelling of the same mailbox."""
    names: tuple[str, ...] = ()
    """The lower-case names of the fields in order: the order shows which server added one."""

    @property
    def text(self) -> str:
        """The first plain text; empty where there is none."""
        return self.texts[0] if self.texts else ""


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A leaf or container of the MIME tree with its fields read."""

    kind: str
    headers: Headers
    raw: bytes

    @property
    def is_attachment(self) -> bool:
        disposition = self.headers.get("content-disposition", ("",))[0].lower()
        return disposition.startswith("attachment") or "filename" in disposition

    @property
    def is_file(self) -> bool:
        """Something else than text, also where nobody says that it is attached."""
        return self.kind in OPAQUE or not self.kind.startswith(("text/", "multipart/", "message/"))


def read_mail(raw: bytes) -> Mail:
    """Read a mail. Raises UnreadableMail and nothing else, for any bytes."""
    beginning, is_spaced = _close_up(raw[:MAX_BYTES])
    message = _parse(beginning)
    parts = _parts(message)
    is_cut = len(raw) > MAX_BYTES
    pages = _texts(parts, "text/html")
    written = _texts(parts, "text/plain") or _texts(parts, "multipart/")
    if not pages:  # a kind of text that nobody knows is plain (RFC 2046, 4.1.4)
        written = written or _texts(parts, "text/")
    texts = _first_lines(text[:MAX_TEXT] for text in written) if is_cut else _first_lines(written)
    return replace(
        _head(parts[0].headers, message.keys(), is_spaced),
        texts=texts,
        html=pages[0] if pages else "",
        has_attachment=any(part.is_attachment or part.is_file for part in parts),
        has_attached_mail=any(part.kind == "message/rfc822" for part in parts),
        is_calendar_reply=any(
            part.kind == "text/calendar" and CALENDAR_REPLY.search(_part_text(part)) for part in parts
        ),
        is_cut=is_cut or sum(map(len, texts)) < sum(map(len, written)),
        part_types=tuple(part.kind for part in parts),
    )


def attached_mail(raw: bytes) -> Mail | None:
    """Read the first mail that is attached to a mail; None where there is none that can be read."""
    try:
        parts = _parse(_close_up(raw[:MAX_BYTES])[0]).walk()
        attached = (part.get_payload(0) for part in parts if part.get_content_type() == "message/rfc822")
        inner = next((one for one in attached if isinstance(one, Message)), None)
        return read_mail(inner.as_bytes()) if inner else None
    except MailError:
        raise  # the time is up
    except Exception:  # noqa: BLE001  the library raises whatever it likes for crafted mails
        return None


def read_head(raw: bytes) -> Mail:
    """Read the header fields of a mail alone: who wrote it, and about what. Never raises, whatever stands below."""
    beginning, is_spaced = _close_up(raw[:MAX_BYTES])
    message = BytesHeaderParser(policy=_ShortFields()).parsebytes(beginning)
    return _head(_headers(message), message.keys(), is_spaced)


def below_head(raw: bytes) -> bytes:
    """Cut the header fields off, without a look at the rest."""
    found = HEAD_END.search(raw)
    return raw[found.end() :] if found else raw


def _close_up(raw: bytes) -> tuple[bytes, bool]:
    """Write `From :` as `From:`, and say whether it stood there."""
    found = HEAD_END.search(raw)
    end = found.start() if found else len(raw)
    head, number = SPACED_FROM.subn(rb"\1:", raw[:end])
    return (head + raw[end:], True) if number else (raw, False)


def _head(headers: Headers, names: Iterable[str], is_spaced: bool) -> Mail:
    # For some servers `From :` is a From field, for others it is none: whom they have checked can't be told.
    fields = tuple(dict.fromkeys(headers.get("from", ())))  # who writes the same line twice means the same
    named = () if is_spaced else _clear_senders(fields)
    sender = named[0] if len(named) == 1 else ""
    return Mail(
        sender=sender,
        sender_name=_display_name(fields) if sender else "",
        named_senders=named[:MOST_SENDERS],
        possible_senders=() if sender else _addresses_in(fields),
        reply_to=_addresses_in(headers.get("reply-to", ())),
        message_id=_first_id(headers.get("message-id", ())),
        in_reply_to=_first_id(headers.get("in-reply-to", ())),
        references=tuple(MESSAGE_ID.findall(" ".join(headers.get("references", ())))),
        subject=unicodedata.normalize("NFC", _one_line(decode_words(headers.get("subject", ("",))[0])))[:MAX_SUBJECT],
        headers=headers,
        names=tuple(map(str.lower, names)),
    )


class _ShortFields(email.policy.Compat32):
    """Cuts long fields: the standard library takes quadratic time for those with many parameters.

    Otherwise fields stay as they are. `policy.default` is no choice: it raises on real mails (mail.md section 0, 3).
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_HEADER]


class _Entity(Message):
    """A mail or part of one. It ignores a boundary that is far too long: the library makes a slow pattern of it."""

    def get_boundary(self, failobj: Any = None) -> Any:
        boundary = super().get_boundary(failobj)
        return failobj if isinstance(boundary, str) and len(boundary) > MAX_BOUNDARY else boundary


def _parse(raw: bytes) -> "Message[str, str]":
    multiparts = _count_multiparts(raw)
    if multiparts > MAX_MULTIPARTS:
        raise UnreadableMail(f"The mail names more than {MAX_MULTIPARTS} multiparts.")
    if multiparts * max(raw.count(b"\n"), raw.count(b"\r")) > MAX_TRIALS:
        raise UnreadableMail(f"The mail names {multiparts} multiparts and has too many lines for that.")
    try:
        return email.message_from_bytes(raw, _class=_Entity, policy=_ShortFields())
    except MailError:
        raise  # the time is up
    except Exception as error:
        raise UnreadableMail(f"The mail's structure can't be read: {type(error).__name__}.") from error


def _count_multiparts(raw: bytes) -> int:
    """Count the multiparts. What only looks like one, in somebody's text or a quotation, doesn't count."""
    boundaries: set[bytes] = set()
    number, is_head, holds_mail, field = 0, True, False, b""
    for line in (*LINES.split(raw), b""):
        if is_head and field and not line.startswith((b" ", b"\t")):
            number += bool(MULTIPART.match(field))
            boundaries.update(b"--" + (found[1] or found[2] or b"") for found in BOUNDARY.finditer(field))
            holds_mail |= bool(ATTACHED_MAIL.match(field))
            field = b""
        if line.startswith(b"--") and line.rstrip() in boundaries:
            is_head, holds_mail = True, False
        elif is_head and not line.strip():
            is_head, holds_mail = holds_mail, False
        elif is_head:
            field += line
    return number


def _parts(message: "Message[str, str]") -> tuple[_Part, ...]:
    """All parts in order, containers included. What is inside an attached mail or report is no part of ours."""
    found: list[_Part] = []
    waiting = [message]
    while waiting and len(found) < MAX_PARTS:
        part = waiting.pop()
        headers = _headers(part)
        kind = headers.get("content-type", ("",))[0].partition(";")[0].strip().lower() or part.get_default_type()
        found.append(_Part(kind=kind, headers=headers, raw=_body(part)))
        if kind.startswith("multipart/") and part.is_multipart():
            waiting += reversed([child for child in part.get_payload() if isinstance(child, Message)])
    return tuple(found)


def _headers(part: "Message[str, str]") -> Headers:
    found: dict[str, list[str]] = {}
    for name, value in part.raw_items():
        text = str(value)[:MAX_HEADER]
        if not text.isascii():
            text = decode_text(text.encode("utf-8", "surrogateescape"), "utf-8")
        if not text.isprintable():
            text = FOLD.sub(" ", text).replace("\0", "\ufffd")  # which no database takes, and no address has
        found.setdefault(name.lower(), []).append(text.strip())
    return MappingProxyType({name: tuple(values) for name, values in found.items()})


def _body(part: "Message[str, str]") -> bytes:
    """The body as it came. Without its encoding field the standard library hands it out untouched."""
    del part["content-transfer-encoding"]
    body = part.get_payload(decode=True)
    return body if isinstance(body, bytes) else b""


def _texts(parts: tuple[_Part, ...], kind: str) -> tuple[str, ...]:
    """All texts of a kind; a multipart has one where its boundary is unusable."""
    found = (part for part in parts if _is_kind(part, kind) and not part.is_attachment)
    return tuple(text for part in found if (text := _part_text(part)).strip())


def _first_lines(texts: Iterable[str]) -> tuple[str, ...]:
    """Take as many lines as are read at all, of one text after the other."""
    kept: list[str] = []
    room = MAX_LINES
    for text in texts:
        lines = text.split("\n", room)
        kept += ["\n".join(lines[:room])]
        room -= min(room, len(lines))
    return tuple(text for text in kept if text)


def _is_kind(part: _Part, kind: str) -> bool:
    return part.kind.startswith(kind) or (kind == "text/plain" and ("/" not in part.kind or part.kind in PLAIN))


def _part_text(part: _Part) -> str:
    encoding = part.headers.get("content-transfer-encoding", ("",))[0].partition(";")[0].strip().lower()
    declared = CHARSET.search(part.headers.get("content-type", ("",))[0])
    text = decode_text(decode_transfer(part.raw, encoding), declared[1] if declared else "utf-8")
    for newline in NEWLINES:
        text = text.replace(newline, "\n")
    return text.replace("\0", "")


def _clear_senders(fields: Sequence[str]) -> tuple[str, ...]:
    """List the distinct addresses in From, however it is written; none where anything about it is doubtful.

    A doubtful sender is nobody (mail.md section 0, 1).
    """
    is_odd = any(CONTROL.search(value) or len(value) > 1000 for value in fields)
    if is_odd or DOUBTFUL.search(_without_strings(_readable(fields))):
        return ()
    addresses = tuple(dict.fromkeys(canonical(word) for word in _words_with_at(_readable(fields))))
    return () if "" in addresses else addresses


def _display_name(fields: Sequence[str]) -> str:
    """Return the name beside the one address in From."""
    text = _readable(fields)
    is_once = _without_strings(text).count("<") == 1
    phrase, _, _ = text.rpartition("<") if is_once else text.partition("<")
    name = decode_words(phrase if "<" in text else "").replace('"', "").replace("\\", "")
    return _one_line(name)[:100]


def _readable(values: Sequence[str]) -> str:
    """Join From fields; one that is an encoded word as a whole, with the address in it, is decoded."""
    text = ", ".join(values)[:MAX_HEADER]
    return decode_words(text) if ENCODED_WORDS.fullmatch(text) else text


def _words_with_at(text: str) -> list[str]:
    """List what may be addresses outside of comments and quoted strings."""
    return [word for word in BETWEEN_ADDRESSES.split(_without_strings(text)) if word.strip("@") and "@" in word]


def _addresses_in(fields: Iterable[str]) -> tuple[str, ...]:
    """List all addresses in fields of a mail, in canonical form."""
    words = _words_with_at(_readable(tuple(fields)))
    return tuple(dict.fromkeys(filter(None, map(canonical, words))))[:MOST_SENDERS]


def _without_strings(value: str) -> str:
    r"""Blank out comments and shorten quoted strings to one `"`; an open end leaves a `"` that fits nowhere.

    One pass with a counter, no recursion: `((((` is a known trap.
    """
    kept: list[str] = []
    depth, is_quoted, is_escaped = 0, False, False
    for char in value:
        if is_escaped:
            is_escaped = False
        elif char == "\\" and (is_quoted or depth):
            is_escaped = True
        elif is_quoted:
            is_quoted = char != '"'
        elif char == "(":
            depth += 1
            kept.append(" ")
        elif depth:
            depth -= char == ")"
        else:
            is_quoted = char == '"'
            kept.append(char)
    return "".join(kept) + ('"' if depth or is_quoted else "")


def _first_id(values: tuple[str, ...]) -> str:
    found = MESSAGE_ID.search(" ".join(values))
    return found[0] if found else ""


def _one_line(text: str) -> str:
    return " ".join(CONTROL.sub(" ", text).split())
