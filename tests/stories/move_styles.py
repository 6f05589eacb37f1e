"""One move as people and mail programs write it: raw mails, and the expected result of each.

A style writes a `Case`: a move, and those of our mails that its writer replies to. No style uses the service's parsers.
The markup is written as the programs write it, from memory; all text is our own.
"""

from __future__ import annotations

import base64
import itertools
import quopri
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal, TypeAlias
from zlib import crc32

NAME = "Anna Berg"
SENDER = "anna@spieler.example"
HOUSE = "Dottendorfer Soccer"
HOME = "zug@postspiel.example"
HELLO = "Hallo Cici,\n\nschöne Grüße aus Köln, hier kommt mein Zug für diese Runde:"
BYE = "Viele Grüße\nAnna"
PROSE = (
    "Entschuldige bitte die Verspätung, bei uns war die ganze Woche über Besuch, und das Wetter war viel zu schön, um "
    "über Wörtern zu brüten. Der Zug steht weiter unten, hoffentlich ohne Tippfehler."
)
CRLF = "\r\n"


@dataclass(frozen=True, kw_only=True)
class Move:
    """A move as its writer means it: new letters are capitals, blanks are dots."""

    title: str
    game: str
    wish: str
    rows: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The block, line by line."""
        return (f"{self.title} {self.game}", f"Neu: {self.wish}", *self.rows)

    @property
    def block(self) -> str:
        """The block as it should be written."""
        return "\n".join(self.lines)

    @property
    def before(self) -> tuple[str, ...]:
        """The rows without the new letters."""
        return tuple(re.sub("[A-Z]", ".", row) for row in self.rows)

    @property
    def template(self) -> str:
        """The block as we offer it."""
        return "\n".join((self.lines[0], "Neu:", *self.before))

    @property
    def other(self) -> Move:
        """Another move that is legal too: the first new letter is left out."""
        return replace(self, rows=tuple(re.sub("[A-Z]", ".", "\n".join(self.rows), count=1).split("\n")))

    def with_rows(self, write: Callable[[str], str]) -> str:
        """The block with every row written in another way."""
        return "\n".join((*self.lines[:2], *(write(row) for row in self.rows)))


@dataclass(frozen=True, kw_only=True)
class Ours:
    """A mail of ours that is answered: what a mail program quotes."""

    subject: str
    message_id: str
    text: str
    html: str

    def filled(self, move: Move) -> Ours:
        """The same with the template block filled in. Raises AssertionError where it holds none."""
        first, *wanted = move.template.split("\n")
        lines = self.text.split("\n")
        at = next(n for n in range(len(lines)) if [line.strip() for line in lines[n + 1 : n + 8]] == wanted)
        title = lines[at].strip()
        assert title.startswith(first)  # and names the round
        lines[at : at + 8] = [f"     {line}" for line in (title, *move.lines[1:])]
        template, block = ("\n".join((title, *rest)) for rest in (wanted, move.lines[1:]))
        assert template in self.html
        return replace(self, text="\n".join(lines), html=self.html.replace(template, block))

    @property
    def inside(self) -> str:
        """What stands in the HTML's body."""
        return self.html.partition("<body")[2].partition(">")[2].partition("</body>")[0].strip()


@dataclass(frozen=True, kw_only=True)
class Case:
    """A move to be written, and what its writer has had from us."""

    move: Move
    round: int
    bulletin: Ours
    confirmation: Ours
    """Of another move in the same round, which was withdrawn."""
    rejection: Ours
    """Of a wrong move in the same round; it offers a block."""
    status: Ours
    """The answer to `Stand Eriwan`: the template block, and only one grid."""
    name: str = NAME
    sender: str = SENDER
    style: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What must become of a mail. A wrong grid or a quarantined mail is never right."""

    kind: Literal["taken", "asked", "refused", "silent"]
    """On file and confirmed; that or no move and an answer; no move and an answer; no move and no answer."""
    why: str = ""
    """Why a person couldn't know either."""
    answers: tuple[str, ...] = ()
    """Templates or codes of sentences, one of which must be in the answer; `offer`: the move is shown as a block."""
    wish: bool = True
    """False: the wish can't be read, it is asked for."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """A way to write a move."""

    name: str
    write: Callable[[Case], bytes]
    outcome: Outcome

    def mail(self, case: Case) -> bytes:
        """Write a case in this style, from its writer's address."""
        raw = self.write(replace(case, style=self.name))
        for address in (str, str.upper):
            raw = raw.replace(address(SENDER).encode(), address(case.sender).encode())
        return raw


Writer: TypeAlias = Callable[[Case], str]
Fields: TypeAlias = Mapping[str, Any]

TAKEN = Outcome(kind="taken")
SILENT = Outcome(kind="silent")
STYLES: dict[str, Style] = {}


def asked(why: str) -> Outcome:
    """Taken or asked about."""
    return Outcome(kind="asked", why=why)


def refused(*answers: str) -> Outcome:
    """No move, and an answer that holds one of these."""
    return Outcome(kind="refused", answers=answers)


NOTHING = refused("NOTHING_READ", "ATTACHED")
FORWARDED = refused("FORWARDED")
OFFERED = refused("offer")
PASSED_ON = refused("FREE_TEXT")


def add(name: str, write: Callable[[Case], bytes], outcome: Outcome = TAKEN) -> None:
    """Add a style. Raises AssertionError where its name is taken."""
    assert name not in STYLES, name
    STYLES[name] = Style(name=name, write=write, outcome=outcome)


def add_text(name: str, body: Writer, outcome: Outcome = TAKEN, **how: Any) -> None:
    """Add a style whose mail is plain text."""
    add(name, lambda case: mail(case, body(case), **how), outcome)


# --- Writing mails -----------------------------------------------------------------------------------------------


def _time_of(case: Case) -> str:
    """Let each mail be written at a time of its own: two with one Date and one text are the same mail."""
    hours, seconds = divmod(crc32(f"{case.style}.{case.round}".encode()) % 86_400, 3600)
    return f"{hours:02}:{seconds // 60:02}:{seconds % 60:02}"


def mail(
    case: Case, body: str | bytes, *, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit",
    subject: str | bytes = "Zug", fields: Fields | None = None, eol: str = CRLF,
) -> bytes:  # fmt: skip
    """Write a mail field by field; `fields` add, replace, double (a list) or drop (None) some."""
    known: dict[str, Any] = {
        "From": f"{NAME} <{SENDER}>",
        "To": HOME,
        "Subject": subject,
        "Date": f"Tue, 03 Nov 2026 {_time_of(case)} +0100",
        "Message-ID": f"<{case.style}.{case.round}@spieler.example>",
        "MIME-Version": "1.0",
        "Content-Type": kind,
        "Content-Transfer-Encoding": encoding,
        **(fields or {}),
    }
    head = b""
    for name, values in known.items():
        for value in values if isinstance(values, list) else [values]:
            if value is not None:
                head += name.encode() + b": " + _bytes(value) + b"\n"
    data = body if isinstance(body, bytes) else body.encode().replace(b"\r\n", b"\n")
    if isinstance(body, str):
        return (head + b"\n" + data).replace(b"\n", eol.encode())
    return head.replace(b"\n", b"\r\n") + b"\r\n" + data


def _bytes(value: str | bytes) -> bytes:
    return (value if isinstance(value, bytes) else value.encode()).replace(b"\r\n", b"\n")


def reply(case: Case, body: str | bytes, ours: Ours, mark: str = "Re: ", **how: Any) -> bytes:
    """Write a mail that answers one of ours."""
    fields = {"In-Reply-To": ours.message_id, "References": ours.message_id, **how.pop("fields", {})}
    return mail(case, body, subject=mark + worded(ours.subject), fields=fields, **how)


def worded(text: str, charset: str = "utf-8", way: str = "Q", size: int = 30) -> str:
    """Write a text as encoded words, if it needs any."""
    if text.isascii():
        return text
    pieces = ("".join(piece) for piece in itertools.zip_longest(*[iter(text)] * size, fillvalue=""))
    return "\r\n ".join(word(piece.encode(charset), charset, way) for piece in pieces)


def word(data: bytes, charset: str = "utf-8", way: str = "Q") -> str:
    """Write one encoded word."""
    plain = {*b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"}
    quoted = "".join(chr(sign) if sign in plain else "_" if sign == 32 else f"={sign:02X}" for sign in data)
    return f"=?{charset}?{way}?{quoted if way == 'Q' else base64.b64encode(data).decode()}?="


def crlf(text: str, charset: str = "utf-8") -> bytes:
    """Encode a text with the line ends of a mail."""
    return text.replace("\n", CRLF).encode(charset)


def qp(data: bytes) -> bytes:
    """Encode as quoted-printable."""
    return quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")


def b64(data: bytes, width: int = 76) -> bytes:
    """Encode as base64, in lines."""
    whole = base64.b64encode(data)
    return b"".join(whole[at : at + width] + b"\r\n" for at in range(0, len(whole), width))


def part(body: str | bytes, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit", **fields: str) -> bytes:
    """Write a part of a multipart; `content_id` becomes `Content-Id`."""
    known = {"Content-Type": kind, "Content-Transfer-Encoding": encoding}
    known |= {name.replace("_", "-").title(): value for name, value in fields.items()}
    head = "".join(f"{name}: {value}{CRLF}" for name, value in known.items() if value)
    return head.encode() + b"\r\n" + (body if isinstance(body, bytes) else crlf(body)) + b"\r\n"


def multipart(kind: str, *parts: bytes, boundary: str = "", ends: bool = True, more: str = "") -> tuple[bytes, str]:
    """Write a multipart: its body and its type."""
    boundary = boundary or f"----=_{kind}_{len(b''.join(parts))}_{len(parts)}"
    line = b"--" + boundary.encode()
    body = b"".join(line + b"\r\n" + one for one in parts) + (line + b"--\r\n" if ends else b"")
    return body, f'multipart/{kind}; boundary="{boundary}"{more}'


def within(kind: str, *parts: bytes, **more: Any) -> bytes:
    """Write a multipart as a part of another."""
    body, full = multipart(kind, *parts, **more)
    return part(body, full, encoding="")


def compound(case: Case, body_and_kind: tuple[bytes, str], **how: Any) -> bytes:
    """Write a mail that is a multipart."""
    body, kind = body_and_kind
    return mail(case, body, kind=kind, encoding="7bit", **how)


def picture(size: int = 300, **fields: str) -> bytes:
    """Write a part with something like a picture."""
    noise = bytes((at * 37 + at // 7) % 256 for at in range(size))
    return part(b64(b"\x89PNG\r\n\x1a\n" + noise), "image/png; name=logo.png", "base64", **fields)


def letter(block: str, hello: str = HELLO, bye: str = BYE) -> str:
    """Put a greeting above a block and a farewell below."""
    return "\n\n".join(text for text in (hello, block, bye) if text) + "\n"


def usual(case: Case) -> str:
    """A block between a greeting and a farewell."""
    return letter(case.move.block)


def dotted(case: Case) -> str:
    """The same with middle dots: here a wrong charset reaches into the grid."""
    return letter(case.move.with_rows(lambda row: row.replace(".", "·")))


def html_of(body: str, head: str = "") -> str:
    """Write a plain page."""
    return f"<html><head>{head}</head><body>{body}</body></html>"


def breaks(text: str) -> str:
    """Write a text with a `<br>` for each line end."""
    return escape(text, quote=False).replace("\n", "<br>\n")


def as_html(case: Case, html: str, *, encoding: str = "8bit", charset: str = "utf-8", **how: Any) -> bytes:
    """Write a mail that is HTML only."""
    data = crlf(html, charset)
    body = {"quoted-printable": qp, "base64": b64}.get(encoding, bytes)(data)
    return mail(case, body, kind=f"text/html; charset={charset}", encoding=encoding, **how)


def add_html(name: str, page: Writer, outcome: Outcome = TAKEN, **how: Any) -> None:
    """Add a style whose mail is HTML only."""
    add(name, lambda case: as_html(case, page(case), **how), outcome)


# --- Charsets ----------------------------------------------------------------------------------------------------

MOJIBAKE = "each middle dot has become two characters; the spec decodes as declared"


def _charset(declared: str | None, real: str, body: Writer = dotted, encode: Callable[[bytes], bytes] = bytes) -> Any:
    encoding = {b64: "base64", qp: "quoted-printable"}.get(encode, "8bit")
    kind = {"Content-Type": None} if declared == "" else {}
    return lambda case: mail(
        case, encode(crlf(body(case), real)), encoding=encoding, fields=kind,
        kind="text/plain" if declared is None else f"text/plain; charset={declared}",
    )  # fmt: skip


def _charsets() -> None:
    for name, declared, real in (
        ("utf8", "utf-8", "utf-8"), ("utf8-capitals", '"UTF-8"', "utf-8"), ("utf8-no-hyphen", "utf8", "utf-8"),
        ("utf8-bom", "utf-8", "utf-8-sig"), ("latin1", "iso-8859-1", "latin-1"), ("windows", "windows-1252", "cp1252"),
        ("latin9", "ISO-8859-15", "iso8859-15"), ("cp850", "ibm850", "cp850"), ("mac", "macintosh", "mac-roman"),
        ("gb18030", "gb18030", "gb18030"), ("utf7", "utf-7", "utf-7"),
        ("none-utf8", None, "utf-8"), ("none-latin1", None, "latin-1"),
        ("no-type-utf8", "", "utf-8"), ("no-type-latin1", "", "latin-1"),
        ("unknown-8bit", "unknown-8bit", "latin-1"), ("x-unknown", "x-unknown", "utf-8"),
        ("default", "_default", "latin-1"), ("macro", '"%CHARSET%"', "cp1252"),
        ("ascii-is-utf8", "us-ascii", "utf-8"), ("ascii-is-latin1", "US-ASCII", "latin-1"),
        ("utf8-is-latin1", "utf-8", "latin-1"), ("with-parameter", "utf-8; reply-type=original", "utf-8"),
    ):  # fmt: skip
        add(f"charset-{name}", _charset(declared, real))
    for name, declared, real in (
        ("utf16", "utf-16", "utf-16"), ("utf16le", "utf-16le", "utf-16-le"), ("utf16be", "UTF-16BE", "utf-16-be"),
    ):  # fmt: skip
        add(f"charset-{name}", _charset(declared, real, encode=b64))
    add("charset-utf16-says-utf8", _charset("utf-8", "utf-16", encode=b64), asked("every other byte is a NUL"))
    add("charset-latin1-is-utf8", _charset("iso-8859-1", "utf-8", usual))
    add("charset-latin1-is-utf8-middots", _charset("iso-8859-1", "utf-8"), asked(MOJIBAKE))
    add("charset-latin1-means-windows", _charset("iso-8859-1", "cp1252", lambda case: letter(_ellipses(case.move))))
    twice = _charset("utf-8", "utf-8", lambda case: usual(case).encode().decode("latin-1"))
    add("charset-encoded-twice", twice)
    add("charset-one-broken-byte", lambda case: _broken_byte(case, usual(case)))
    add("charset-one-broken-byte-middots", lambda case: _broken_byte(case, dotted(case)), asked(MOJIBAKE))
    add("charset-rfc2231", lambda case: mail(case, crlf(dotted(case)), kind="text/plain; charset*=us-ascii'de'utf-8"))
    add("charset-html-meta-only", lambda case: _meta(case, "text/html", "latin-1"))
    add("charset-html-meta-wrong", lambda case: _meta(case, "text/html; charset=utf-8", "utf-8"))
    add("charset-html-windows", lambda case: as_html(case, html_of(breaks(dotted(case))), charset="windows-1252"))


def _ellipses(move: Move) -> str:
    return move.with_rows(lambda row: row.replace("...", "…"))


def _broken_byte(case: Case, text: str) -> bytes:
    return mail(case, crlf(text).replace("schöne".encode(), b"sch\xc3ne", 1))


def _meta(case: Case, kind: str, charset: str) -> bytes:
    head = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">'
    return mail(case, crlf(html_of(breaks(dotted(case)), head), charset), kind=kind)


# --- Transfer encodings ------------------------------------------------------------------------------------------


def _coded(encoding: str, encode: Callable[[bytes], bytes], body: Writer = usual) -> Callable[[Case], bytes]:
    return lambda case: mail(case, encode(crlf(body(case))), encoding=encoding)


def _transfer_encodings() -> None:
    for name in ("7bit", "binary", "8BIT", "x-unknown", "8-bit", "utf-8", '"8bit"'):
        add(f"cte-{name.strip(chr(34))}{'-quoted' if chr(34) in name else ''}", _coded(name, bytes, dotted))
    add("cte-none", lambda case: mail(case, dotted(case), fields={"Content-Transfer-Encoding": None}))
    for name, encode in {
        "plain": lambda data: qp(data),
        "lowercase-hex": lambda data: re.sub(rb"=[0-9A-F]{2}", lambda found: found[0].lower(), qp(data)),
        "late-blanks": lambda data: re.sub(rb"\r\n", b"  \r\n", qp(data)).replace(b"=  \r\n", b"= \t\r\n"),
        "line-feeds": lambda data: qp(data).replace(b"\r\n", b"\n"),
        "every-byte": lambda data: b"".join(_hexed(line) + b"\r\n" for line in data.split(b"\r\n")),
        "dots": lambda data: qp(data).replace(b".", b"=2E"),
        "soft-breaks-in-rows": lambda data: re.sub(rb"(?m)^([A-Za-z.]{3})([A-Za-z.]{3}\r)", rb"\1=\r\n\2", qp(data)),
        "soft-break-after-rows": lambda data: re.sub(rb"(?m)^([A-Za-z.]{6})\r", b"\\1=\r\n\r", qp(data)),
        "blanks-at-ends": lambda data: re.sub(rb"(?m)([A-Za-z.])\r\n", b"\\1=20\r\n", qp(data)),
        "bare-equals": lambda data: b"E = mc=\xc3\xa4, a=b und =ZZ.\r\n\r\n" + data,
        "encoded-line-ends": lambda data: qp(data).replace(b"\r\n", b"=0D=0A=\r\n"),
        "encoded-line-feeds": lambda data: qp(data).replace(b"\r\n", b"=0A=\r\n"),
        "no-end": lambda data: qp(data).rstrip() + b"=",
    }.items():  # fmt: skip
        add(f"qp-{name}", _coded("quoted-printable", encode, dotted if name == "plain" else usual))
    add("qp-capitals", _coded("QUOTED-PRINTABLE", qp, dotted))
    undone = "quoted-printable never decoded: rows end in =20"
    spoilt = re.compile(rb"(?m)^([A-Za-z.]{6})\r")
    add("qp-says-7bit", _coded("7bit", qp))
    add("qp-says-7bit-blanks", _coded("7bit", lambda data: spoilt.sub(b"\\1=20\r", qp(data))), asked(undone))
    for name, encode in {
        "plain": b64,
        "one-line": lambda data: base64.b64encode(data) + b"\r\n",
        "short-lines": lambda data: b64(data, 20),
        "odd-lines": lambda data: b64(data, 61),
        "line-feeds": lambda data: b64(data.replace(b"\r\n", b"\n")).replace(b"\r\n", b"\n"),
        "no-padding": lambda data: b64(_to_length(data, 1)).replace(b"=", b""),
        "indented": lambda data: b64(data).replace(b"\r\n", b"\r\n\t "),
        "foreign-characters": lambda data: b64(data)[:50] + b"!" + b64(data)[50:],
        "blank-lines": lambda data: b64(data, 60).replace(b"\r\n", b"\r\n\r\n"),
        "footer-behind": lambda data: b64(_to_length(data, 1)) + _footer(),
        "footer-no-padding": lambda data: b64(_to_length(data, 0)) + _footer(),
        "two-pieces": lambda data: b64(_to_length(data, 1)) + b64(_footer()),
        "one-left-over": lambda data: b64(_to_length(data, 0)).rstrip() + b"Q\r\n",
    }.items():  # fmt: skip
        add(f"base64-{name}", _coded("base64", encode, dotted))
    add("base64-capitals", _coded("BASE64", b64, dotted))
    add("base64-is-plain", _coded("base64", bytes, dotted))
    add("base64-says-8bit", _coded("8bit", b64), refused("FREE_TEXT", "NOTHING_READ"))
    add("base64-each-line-padded", _coded("base64", _line_by_line), asked("nothing after the first padding counts"))
    uu = asked("an encoding of the eighties; nobody reads it by eye")
    add("cte-uuencode", _coded("x-uuencode", _uuencode), uu)


def _hexed(line: bytes) -> bytes:
    """Encode every byte; soft breaks every 24 of them."""
    signs = [f"={sign:02X}" for sign in line]
    return "=\r\n".join("".join(signs[at : at + 24]) for at in range(0, len(signs), 24)).encode()


def _to_length(data: bytes, rest: int) -> bytes:
    """Add blanks below, so that base64 needs so much padding."""
    return data + b"\r" * (-len(data) % 3) + b"\n" * rest


def _footer() -> bytes:
    return b"_______________________________________________\r\nSpieler mailing list\r\nSpieler@listen.example\r\n"


def _line_by_line(data: bytes) -> bytes:
    return b"".join(base64.b64encode(line + b"\r\n") + b"\r\n" for line in data.split(b"\r\n"))


def _uuencode(data: bytes) -> bytes:
    import binascii

    lines = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    return b"begin 644 zug.txt\n" + lines + b"`\nend\n"


# --- format=flowed -----------------------------------------------------------------------------------------------


def _flowed() -> None:
    kind = "text/plain; charset=UTF-8; format=flowed"
    delsp = f"{kind}; delsp=yes"
    soft = PROSE.replace(", ", ", \n")
    for name, body, how in (
        ("plain", usual, kind),
        ("prose", lambda case: letter(case.move.block, hello=soft), kind),
        ("stuffed", lambda case: re.sub("(?m)^", " ", usual(case)), kind),
        ("stuffed-indented-rows", lambda case: letter(case.move.with_rows(lambda row: f"    {row}")), kind),
        ("late-blanks-in-rows", lambda case: letter(case.move.with_rows(lambda row: f"{row} ")), kind),
        ("late-blanks-everywhere", lambda case: re.sub("(?m)$", " ", letter(case.move.block)), kind),
        ("delsp", usual, delsp),
        ("delsp-prose", lambda case: letter(case.move.block, hello=PROSE.replace("ohne Tippfehler", "oh \nne Ti")),
            delsp),
        ("delsp-late-blanks", lambda case: letter(case.move.with_rows(lambda row: f"{row} ")), delsp),
        ("quote", lambda case: f"{case.move.block}\n\nAm 02.11.26 um 12:02 schrieb {HOUSE}:\n"
                               f"{quoted(case.bulletin.text)}", kind),
        ("signature", lambda case: f"{case.move.block}\n-- \nAnna Berg \nKöln \n", kind),
        ("copied-template", lambda case: letter("\n".join(f"     {line}   " for line in case.move.lines)), kind),
    ):  # fmt: skip
        add_text(f"flowed-{name}", body, kind=how)


# --- Rows and blocks ---------------------------------------------------------------------------------------------

SLIP = "the rules page refuses whatever is no letter: taken or refused with the corrected block"


def _join(between: str) -> Callable[[str], str]:
    return between.join


def _blank(sign: str) -> Callable[[str], str]:
    return lambda row: row.replace(".", sign)


def _rows() -> None:
    for name, write in {
        "spaced": _join(" "), "spaced-twice": _join("  "), "tabs": _join("\t"), "nbsp-between": _join("\u00a0"),
        "thin-spaces": _join("\u2009"), "zero-width": _join("\u200b"), "word-joiner": _join("\u2060"),
        "soft-hyphens": _join("\u00ad"), "left-to-right-marks": lambda row: f"\u202a{row}\u202c\u200e",
        "bom-each": lambda row: f"\ufeff{row}", "indented": lambda row: f"    {row}", "tabbed": lambda row: f"\t{row}",
        "nbsp-indented": lambda row: f"\u00a0\u00a0{row}", "late-blanks": lambda row: f"{row}   \t",
        "late-nbsp": lambda row: f"{row}\u00a0", "ideographic-space": lambda row: f"\u3000{row}",
        "bullets": _blank("•"), "hyphens": _blank("-"), "underscores": _blank("_"),
        "en-dashes": _blank("–"), "minus-signs": _blank("−"), "hard-hyphens": _blank("\u2011"),
        "mixed-blanks": lambda row: re.sub(r"\.(.)", r"-\1", row),
        "middots-spaced": lambda row: " ".join(_blank("·")(row)),
        "em-dashes": _blank("—"), "hyphens-spaced": lambda row: " ".join(_blank("-")(row)),
        "ellipsis": lambda row: row.replace("...", "…"), "ellipsis-word": lambda row: row.replace("......", "… …"),
        "in-threes": lambda row: f"{row[:3]} {row[3:]}", "in-twos": lambda row: f"{row[:2]} {row[2:4]} {row[4:]}",
        "starred": lambda row: f"*{row}*", "starred-twice": lambda row: f"**{row}**",
        "bold-capitals": lambda row: re.sub("([A-Z]+)", r"*\1*", row),
        "bold-capitals-twice": lambda row: re.sub("([A-Z]+)", r"**\1**", row),
        "star-bullets": lambda row: f"* {row}",
    }.items():  # fmt: skip
        add_text(f"rows-{name}", _rewritten(write))
    for name, write, why in (
        ("full-width", _wide, "no letters of A to Z, though they look so"),
        ("cyrillic", lambda row: row.translate(str.maketrans("OTEINR", "ОТЕІNR")), "looks right, is another letter"),
        ("commas", _join(","), SLIP), ("bars", lambda row: f"|{'|'.join(row)}|", SLIP),
        ("late-comma", "{},".format, SLIP),
        ("late-full-stop", "{}.".format, "a seventh cell or a full stop?"), ("guillemets", "»{}«".format, SLIP),
        ("quotation-marks", '"{}"'.format, SLIP), ("backticks", "`{}`".format, SLIP), ("slashes", _join("/"), SLIP),
        ("underlined-capitals", lambda row: re.sub("([A-Z]+)", r"_\1_", row), "_ is a blank cell too"),
        ("bracketed-capitals", lambda row: re.sub("([A-Z]+)", r"[\1]", row), SLIP), ("stars", _blank("*"), SLIP),
        ("squares", _blank("□"), SLIP), ("zeros", _blank("0"), SLIP),
        ("blanks", _blank(" "), "an empty row is no line"),
        ("two-dot-leaders", lambda row: row.replace("..", "‥"), SLIP), ("one-dot-leaders", _blank("․"), SLIP),
        ("dashes-autocorrected", lambda row: _blank("-")(row).replace("--", "—"), "one dash may be one cell or two"),
        ("dots-doubled", lambda row: f".{row}" if row[0] == "." else row, "seven cells: no dot-stuffing was undone"),
        ("dots-lost", lambda row: row[1:] if row[0] == "." else row, "five cells: a gateway ate the first dot"),
        ("dots-lost-everywhere", lambda row: row.rstrip("."), "short rows might begin anywhere"),
    ):  # fmt: skip
        add_text(f"rows-{name}", _rewritten(write), asked(why))
    for name, labels in {
        "numbered": "{}. {}", "numbered-brackets": "{}) {}", "numbered-bare": "{} {}", "numbered-colons": "{}: {}",
        "labelled-z": "Z{}: {}", "numbered-spaced": "{}  {}",
    }.items():  # fmt: skip
        add_text(f"rows-{name}", _numbered(labels))
    add_text("rows-labelled-zeile", _numbered("Zeile {}: {}"), asked("five letters and a colon: may be a list"))
    add_text("rows-hyphen-bullets", _rewritten("- {}".format))
    add_text("rows-round-bullets", _rewritten("• {}".format))
    add_text("rows-coordinates", lambda case: letter(_with_coordinates(case.move)))
    add_text("rows-coordinates-both-sides", lambda case: letter(_with_coordinates(case.move, right=True)), asked(SLIP))
    add_text("rows-framed", lambda case: letter(_framed(case.move)), asked(SLIP))
    add_text("rows-nfd-greeting", lambda case: unicodedata.normalize("NFD", dotted(case)))
    add_text("rows-first-letter-capital", _rewritten(lambda row: row[0].upper() + row[1:]))
    add_text("case-all-lower", lambda case: letter(case.move.block.lower()))
    add_text("case-all-upper", lambda case: letter(case.move.block.upper()))
    add_text("case-swapped", _rewritten(str.swapcase))
    add_text("case-each-line", lambda case: letter("\n".join(line.capitalize() for line in case.move.lines)))
    add_text("two-columns", lambda case: _two_columns(case.move))
    add_text("two-columns-greeting", lambda case: f"Hallo!\n\n{_two_columns(case.move)}\n\nAnna\n")


def _rewritten(write: Callable[[str], str]) -> Writer:
    return lambda case: letter(case.move.with_rows(write))


def _wide(row: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) for sign in row)


def _numbered(label: str) -> Writer:
    return lambda case: letter(
        "\n".join((*case.move.lines[:2], *(label.format(n, row) for n, row in enumerate(case.move.rows, start=1))))
    )


def _with_coordinates(move: Move, *, right: bool = False) -> str:
    """As our confirmation shows a grid."""
    rows = [f"  {n} {' '.join(row)}{f' {n}' if right else ''}" for n, row in enumerate(move.rows, start=1)]
    return "\n".join((*move.lines[:2], "    a b c d e f", *rows))


def _framed(move: Move) -> str:
    return "\n".join((*move.lines[:2], "+------+", *(f"|{row}|" for row in move.rows), "+------+"))


def _two_columns(move: Move) -> str:
    """As the printed rules show a last round: the list to the right of the grid."""
    right = ("rot  3", "in  1", "...", "-", "rot  3", "...", "Summe  7")
    left = move.lines[1:]
    return "\n".join((move.lines[0], *(f"{one:<16}{other}" for one, other in zip(left, right, strict=True))))


def _blank_lines() -> None:
    for name, write in {
        "between-all": lambda lines: "\n\n".join(lines),
        "two-between-all": lambda lines: "\n\n\n".join(lines),
        "below-title": lambda lines: "\n".join((lines[0], "", *lines[1:])),
        "three-below-title": lambda lines: "\n".join((lines[0], "", "", "", *lines[1:])),
        "below-wish": lambda lines: "\n".join((*lines[:2], "", *lines[2:])),
        "below-title-and-wish": lambda lines: "\n".join((lines[0], "", lines[1], "", *lines[2:])),
        "between-rows": lambda lines: "\n".join(lines[:2]) + "\n" + "\n\n".join(lines[2:]),
        "in-the-middle": lambda lines: "\n".join((*lines[:5], "", *lines[5:])),
        "before-last-row": lambda lines: "\n".join((*lines[:7], "", lines[7])),
        "here-and-there": lambda lines: "\n".join((*lines[:3], "", *lines[3:4], "", "", *lines[4:])),
        "of-nbsp": lambda lines: "\n\u00a0\n".join(lines),
        "of-zero-width": lambda lines: "\n\u200b\n".join(lines),
        "of-blanks": lambda lines: "\n    \n".join(lines),
        "wish-apart-below": lambda lines: "\n".join((lines[0], *lines[2:], "", lines[1])),
    }.items():
        add_text(f"blank-lines-{name}", lambda case, write=write: letter(write(case.move.lines)))


# --- Title and wish ----------------------------------------------------------------------------------------------


def _titled(write: Callable[[str], str]) -> Writer:
    return lambda case: letter("\n".join((write(case.move.lines[0]), *case.move.lines[1:])))


def _wished(write: str) -> Writer:
    return lambda case: letter("\n".join((case.move.lines[0], write.format(case.move.wish), *case.move.rows)))


def _fields() -> None:
    for name, write in {
        "guillemets": lambda title: title.replace(" E", " »E") + "«",
        "quotation-marks": lambda title: title.replace(" E", " „E") + "“", "colon": lambda title: f"{title}:",
        "full-stop": lambda title: f"{title}.", "bold": lambda title: f"*{title}*",
        "underlined": "{}\n----------------".format,
        "with-name": "{} (Anna)".format, "announced": "Mein Zug: {}".format, "greeted": "Hallo Cici, {}".format,
        "hyphenated": lambda title: title.replace(" ", " - "), "title-only": lambda title: title.split()[0],
        "game-only": lambda title: title.split()[1], "misspelt": lambda title: title.replace("word", "wort"),


        "twice": lambda title: f"{title}\n\n{title}", "split": lambda title: title.replace("swo", "s-wo"),
    }.items():  # fmt: skip
        add_text(f"title-{name}", _titled(write))
    add_text(
        "title-with-round",
        lambda case: letter("\n".join((f"{case.move.lines[0]}, Runde {case.round}", *case.move.lines[1:]))),
    )
    add_text("title-misspelt-game", _titled(lambda title: f"{title[:-1]}m"), asked("there may be such a game"))
    add_text(
        "title-two-lines", _titled(lambda title: title.replace(" ", "\n")), asked("Eriwan might be a row: six letters")
    )
    add_text("title-missing", lambda case: letter("\n".join(case.move.lines[1:])))
    add_text("title-missing-nothing-else", lambda case: "\n".join(case.move.lines[1:]))
    add_text("title-in-prose-only", lambda case: letter(
        "\n".join(case.move.lines[1:]), hello=f"Hallo Cici, hier mein Zug für {case.move.lines[0]} in dieser Runde."
    ))  # fmt: skip
    add_text("title-with-wish", lambda case: letter(
        "\n".join((f"{case.move.lines[0]}  {case.move.lines[1]}", *case.move.rows))
    ), asked("the form asks for two lines"))  # fmt: skip
    for name, subject in {
        "name": "[Eriwan] mein Zug", "title": "[Crossword Eriwan]", "reply": "AW: Re: [Eriwan] Runde ausgewertet",
        "no-brackets": "Crossword Eriwan", "small": "re: [eriwan]",
    }.items():  # fmt: skip
        add_text(f"title-in-subject-{name}", lambda case: letter("\n".join(case.move.lines[1:])), subject=subject)
    for name, wish in {
        "no-blank": "Neu:{}", "no-colon": "Neu {}",
        "wunsch": "Wunsch: {}", "wunschbuchstabe": "Wunschbuchstabe: {}", "bold": "Neu: *{}*", "bold-line": "*Neu: {}*",
        "full-stop": "Neu: {}.", "bold-key": "**Neu:** {}", "nbsp": "Neu:\u00a0{}",
        "zero-width": "Neu:\u200b {}",
    }.items():  # fmt: skip
        add_text(f"wish-{name}", _wished(wish))
    add_text("wish-next-line", _wished("Neu:\n{}"), asked("may be a row that went wrong"))
    add_text("wish-explained", _wished("Neu: {} (wie Emil)"), asked("more than one letter stands there"))
    add_text("wish-in-words", _wished("Mein neuer Buchstabe ist das {}"), Outcome(kind="taken", wish=False))
    add_text("wish-missing", lambda case: letter("\n".join((case.move.lines[0], *case.move.rows))),
             Outcome(kind="taken", wish=False))  # fmt: skip
    add_text("wish-empty", _wished("Neu:"), Outcome(kind="taken", wish=False))
    add_text("wish-umlaut", _wished("Neu: Ä"), refused("rejection"))
    add_text("wish-two", _wished("Neu: {} oder Q"), refused("rejection"))
    add_text("wish-below", lambda case: letter("\n".join((case.move.lines[0], *case.move.rows, case.move.lines[1]))))
    for name, above in {
        "name": "Name: {1}", "first-name": "Name: {2}", "english-round": "Round: {0}", "round": "Runde: {0}",
        "round-dot": "Runde: {0}.", "name-and-round": "Name: {1}\nRunde: {0}",
    }.items():  # fmt: skip
        add_text(
            f"field-{name}",
            lambda case, above=above: letter(
                "\n".join(
                    (
                        case.move.lines[0],
                        above.format(case.round, case.name, case.name.split()[0]),
                        *case.move.lines[1:],
                    )
                )
            ),
        )
    add_text("field-name-above", lambda case: letter(f"Name: {case.name}\n{case.move.block}"))
    add_text("field-wrong-round", lambda case: letter(case.move.block.replace("\n", "\nRunde: 5\n", 1)),
             refused("WRONG_ROUND"))  # fmt: skip
    add_text("field-name-below", lambda case: letter(f"{case.move.block}\nName: {case.name}"))


# --- Prose, signatures and footers -------------------------------------------------------------------------------

FENCE = "```"
DISCLAIMER_DE = (
    "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Wenn Sie nicht der richtige "
    "Adressat sind oder diese E-Mail irrtümlich erhalten haben, informieren Sie bitte sofort den Absender und "
    "vernichten Sie diese Mail. Das unerlaubte Kopieren ist nicht gestattet."
)
DISCLAIMER_EN = (
    "CONFIDENTIALITY NOTICE: This message and any attachment may be confidential. If you are not the intended "
    "recipient, please notify the sender, delete it and do not disclose its contents to any other person."
)


def _around() -> None:
    for name, hello, bye in (
        ("nothing", "", ""), ("prose-above", PROSE, ""),
        ("prose-both", f"{PROSE}\n\n{PROSE}", f"{PROSE}\n{PROSE}"),
        ("english", "Hi there,\n\nplease find my move for this round below.", "Best regards,\nAnna"),
        ("six-letter-word-above", "Morgen\nfrüher", ""), ("six-letter-word-below", "", "Danke!\nSandra"),
        ("title-in-prose", "In Crossword Eriwan macht mir jede Runde Spaß.", "Crossword Eriwan gefällt mir."),
        ("neu-in-prose", "Neu ist bei mir: gar nichts.", "Neu: das war mein letzter Zug vor dem Urlaub."),
        ("rule-above", "------", ""), ("rule-below", "", "------"),
        ("fenced", FENCE, FENCE), ("dots-above", "...", ""),
 ("sentence-with-dots", "Also... hm... ja.", "Bis dann..."),
        ("ready-below", "", "Fertig!"), ("wait-below", "", "Warten Eriwan"), ("to-the-gm", "", "GM: Schönes Spiel!"),
        ("status-below", "", "Stand Eriwan"),
 ("bullets", "- Hallo\n- hier mein Zug", "- Anna"),
        ("list-numbers", "1. Grüße\n2. mein Zug", "3. bis bald"),
 ("hallo-six", "Hallo.", ""),
        ("long-line", PROSE * 30, ""), ("wish-question", "Was soll ich mir wünschen? Neu?", "Neu!"),
    ):  # fmt: skip
        add_text(f"around-{name}", lambda case, hello=hello, bye=bye: letter(case.move.block, hello, bye))
    add_text("around-glued", lambda case: f"Hallo Cici!\n{case.move.block}\nGruß Anna\n")
    for name, write in {
        "fence": "```\n{}\n```", "fence-named": "```text\n{}\n```", "tildes": "~~~\n{}\n~~~", "bold": "*{}*",
        "tags": "[code]\n{}\n[/code]", "guillemets": "»{}«", "brackets": "({})", "scissors": "--8<---\n{}\n--->8--",
    }.items():  # fmt: skip
        known = TAKEN if "\n" in write else asked(SLIP)
        add_text(f"wrapped-{name}", lambda case, write=write: letter(write.format(case.move.block)), known)


def _below() -> None:
    """What stands right below the grid, or with a blank line between."""
    for name, below in {
        "name-stuck": "Anna", "name-stuck-six": "Sandra", "name-stuck-full": "Anna Berg", "bye-stuck": "LG Anna",
        "mfg-stuck": "MfG\nAnna Berg", "gruss-stuck": "Gruß Anna", "gruesse-stuck": BYE,
        "comma-stuck": "Grüße,\nAnna", "smiley-stuck": ":-)",
        "signature": "\n-- \nAnna Berg\nKöln", "signature-stuck": "-- \nAnna Berg\nKöln",
        "signature-no-blank": "\n--\nAnna Berg\nKöln", "signature-no-blank-stuck": "--\nAnna",
        "three-dashes": "\n---\nAnna",
        "underscores": "\n__________________\nAnna Berg\nTel. 0228 1234567",
        "vcard": "\nDr. Anna Berg\nFon +49 228 123456\nwww.berg.example",
        "iphone": "\nVon meinem iPhone gesendet", "iphone-stuck": "Von meinem iPhone gesendet",

        "k9": "\n-- \nDiese Nachricht wurde von meinem "
        "Android-Gerät mit K-9 Mail gesendet.",
        "k9-no-mark": "\nDiese Nachricht wurde von meinem Android-Gerät mit K-9 "
        "Mail gesendet.", "outlook-app": "\nGesendet von Outlook für Android<https://aka.example/AAb9ysg>",
        "outlook-app-ios": "\nHolen Sie sich Outlook für iOS<https://aka.example/o0ukef>",
        "get-outlook": "\nGet Outlook for Android<https://aka.example/ghei36>",
        "yahoo": "\nVon Yahoo Mail auf Android gesendet",
        "gmx-app": "\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.",

        "proton": "\nGesendet mit Proton Mail Sicherer E-Mail.",
        "tutanota": "\n-- \nSicher versendet mit Tuta Mail: "
        "https://tuta.example", "avast": "\n-- \nDiese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.\n"
        "www.avast.example", "avast-old": "\n---\nDiese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.\n"
        "https://www.avast.example/antivirus", "avast-html": "\nVirenfrei.www.avast.example "
        "<https://www.avast.example/sig-email>\n<#DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2>",
        "disclaimer": f"\n{DISCLAIMER_DE}",
        "disclaimer-english": f"\n{DISCLAIMER_EN}", "disclaimer-stuck": DISCLAIMER_EN,

        "company": "\nBerg & Töchter GmbH\nGeschäftsführerin: Anna Berg\nAmtsgericht Köln, HRB 12345",
        "mailman": "\n_______________________________________________\nSpieler mailing list\nSpieler@listen.example",


        "crossed-out": "\nAuch ein Zug wäre gewesen: QUARZ",
    }.items():  # fmt: skip
        add_text(f"below-{name}", lambda case, below=below: f"{case.move.block}\n{below}\n")
    for name, below, why in (
        ("hyphens-stuck", "------", "may be a seventh row"), ("initials-stuck", "A. B.", "has dots, may be a row"),
        ("underscores-stuck", "______", "may be a seventh row"), ("dots-stuck", "......", "may be a seventh row"),
        ("name-with-dot-stuck", "Anna B.", "has a dot, may be a row"), ("three-dashes-stuck", "---", "may be a row"),
        ("lg-dot-stuck", "LG A.", "has a dot, may be a row"), ("dash-stuck", "- Anna", "- is a blank cell"),
        ("dashes-stuck", "-- Anna", "six cells, two of them blank"),
    ):  # fmt: skip
        add_text(f"below-{name}", lambda case, below=below: f"{case.move.block}\n{below}\n", asked(why))
    above = "below a signature nothing is read; who writes there must hear of it"
    add_text("above-signature", lambda case: f"Hallo Cici\n-- \nAnna Berg, Köln\n\n{case.move.block}\n", asked(above))
    add_text("above-iphone", lambda case: f"Von meinem iPhone gesendet\n\n{case.move.block}\n")
    add_text("above-avast", lambda case: f"Diese E-Mail ist virenfrei.\n\n{case.move.block}\n")


# --- Several blocks ----------------------------------------------------------------------------------------------


def _blocks() -> None:
    two = refused("TWO_BLOCKS")
    for name, write, outcome in (
        ("same-twice", lambda move: f"{move.block}\n\n{move.block}", TAKEN),
        ("same-spaced", lambda move: f"{move.block}\n\n{move.with_rows(' '.join)}", TAKEN),
        ("same-dashes", lambda move: f"{move.block}\n\n{move.with_rows(_blank('-'))}", TAKEN),
        ("same-small", lambda move: f"{move.block}\n\n{move.block.lower()}", TAKEN),
        ("same-without-wish", lambda move: f"{move.block}\n\n{move.block.replace(f'Neu: {move.wish}', 'Neu:')}",
         asked("the wish stands in one of two only")),
        ("different", lambda move: f"{move.block}\n\n{move.other.block}", two),
        ("different-no-blank-line", lambda move: f"{move.block}\n{move.other.block}", two),
        ("different-with-prose", lambda move: f"{move.other.block}\n\noder nein, lieber so:\n\n{move.block}", two),
        ("different-wish", lambda move: f"{move.block}\n\n{replace(move, wish='Q').block}", two),
        ("different-no-title", lambda move: f"{move.block}\n\n" + "\n".join(move.other.lines[1:]), two),
        ("template-below", lambda move: f"{move.block}\n\n{move.template}", TAKEN),
        ("template-above", lambda move: f"{move.template}\n\n{move.block}", TAKEN),
        ("template-glued", lambda move: f"{move.template}\n{move.block}", TAKEN),
        ("template-indented", lambda move: f"{move.block}\n\n" + re.sub("(?m)^", "     ", move.template), TAKEN),
        ("template-alone", lambda move: move.template, refused("nothing")),
        ("template-no-wish-below", lambda move: f"{move.block}\n\n{move.template.replace('Neu:', '')}", TAKEN),
        ("template-only-grid-below", lambda move: f"{move.block}\n\n" + "\n".join(move.before), TAKEN),
        ("three-of-two", lambda move: f"{move.block}\n\n{move.template}\n\n{move.other.block}", two),
        ("wish-again", lambda move: f"{move.block}\n\n{move.lines[0]}\n{move.lines[1]}", TAKEN),
    ):  # fmt: skip
        add_text(f"blocks-{name}", lambda case, write=write: letter(write(case.move)), outcome)


# --- Replies in plain text ---------------------------------------------------------------------------------------


def quoted(text: str, mark: str = "> ") -> str:
    """Mark every line as quoted, as most programs do."""
    return "\n".join(f"{mark}{line}".rstrip() for line in text.strip("\n").split("\n"))


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What a mail program writes above a quotation."""

    lines: str
    mark: str = "> "
    """Before each quoted line; empty: the quotation is not marked."""
    subject: str = "Re: "
    marked: bool = False
    """The heading is quoted too."""


HEADINGS = {
    "gmail": Heading(lines="Am Mo., 2. Nov. 2026 um 12:02 Uhr schrieb {house} <\n{home}>:\n"),
    "gmail-english": Heading(lines="On Mon, Nov 2, 2026 at 12:02 PM {house} <{home}>\nwrote:\n"),
    "thunderbird": Heading(lines="Am 02.11.26 um 12:02 schrieb {house}:", subject="Re: "),
    "thunderbird-english": Heading(lines="On 11/2/26 12:02, {house} wrote:"),
    "thunderbird-old": Heading(lines="{house} schrieb am 02.11.26 um 12:02:"),
    "apple": Heading(lines="Am 02.11.2026 um 12:02 schrieb {house} <{home}>:\n", subject="Aw: "),
    "apple-english": Heading(lines="On 2. Nov 2026, at 12:02, {house} <{home}> wrote:\n"),
    "ios": Heading(lines="Am 02.11.2026 um 12:02 schrieb {house} <{home}>:\n\n> \ufeff", subject="Aw: "),
    "ios-english": Heading(lines="On 2 Nov 2026, at 12:02, {house}\n<{home}> wrote:\n\n> \ufeff"),
    "outlook": Heading(mark="", subject="AW: ", lines="-----Ursprüngliche Nachricht-----\nVon: {house} <{home}> \n"
                       "Gesendet: Montag, 2. November 2026 12:02\nAn: Anna Berg <{sender}>\nBetreff: {subject}\n"),
    "outlook-english": Heading(mark="", subject="RE: ", lines="-----Original Message-----\nFrom: {house} <{home}> \n"
                               "Sent: Monday, November 2, 2026 12:02 PM\nTo: Anna <{sender}>\nSubject: {subject}\n"),
    "outlook-bare": Heading(mark="", subject="AW: ", lines="Von: {house} <{home}>\nGesendet: Montag, 2. November 2026 "
                            "12:02\nAn: Anna Berg <{sender}>\nBetreff: {subject}\n"),
    "outlook-marked": Heading(mark="> ", subject="AW: ", marked=True, lines="-----Ursprüngliche Nachricht-----\nVon: "
                              "{house} <{home}>\nGesendet: Montag, 2. November 2026 12:02\nAn: {sender}\nBetreff: "
                              "{subject}\n"),
    "outlook-com": Heading(mark="", subject="AW: ", lines="________________________________\nVon: {house} <{home}>\n"
                           "Gesendet: Montag, 2. November 2026 12:02:03\nAn: Anna <{sender}>\nBetreff: {subject}\n"),
    "outlook-com-english": Heading(mark="", subject="Re: ", lines="________________________________\nFrom: {house} "
                                   "<{home}>\nSent: Monday, November 2, 2026 12:02:03 PM\nTo: Anna Berg <{sender}>\n"
                                   "Subject: {subject}\n"),
    "gmx": Heading(mark="", subject="Aw: ", lines="Gesendet: Montag, 02. November 2026 um 12:02 Uhr\nVon: \"{house}\" "
                   "<{home}>\nAn: \"Anna Berg\" <{sender}>\nBetreff: {subject}\n"),
    "gmx-marked": Heading(marked=True, subject="Aw: ", lines="Gesendet: Montag, 02. November 2026 um 12:02 Uhr\nVon: "
                          "\"{house}\" <{home}>\nAn: \"Anna Berg\" <{sender}>\nBetreff: {subject}\n"),
    "webde": Heading(mark="", subject="Aw: ", lines="Von: \"{house}\" <{home}>\nGesendet: 02.11.26 12:02:03\nAn: "
                     "{sender}\nBetreff: {subject}\n"),
    "tonline": Heading(mark="", subject="AW: ", lines="-----Original-Nachricht-----\nBetreff: {subject}\nDatum: "
                       "2026-11-02T12:02:03+0100\nVon: \"{house}\" <{home}>\nAn: \"Anna Berg\" <{sender}>\n"),
    "yahoo": Heading(mark="  ", subject="Re: ",
        lines=" Am Montag, 2. November 2026 um 12:02:03 MEZ hat {house} <{home}> "
                     "Folgendes geschrieben:  \n"),
    "yahoo-english": Heading(mark="  ", lines=" On Monday, November 2, 2026 at 12:02:03 PM GMT+1, {house} <{home}> "
                             "wrote:  \n"),
    "samsung": Heading(mark="",
        lines="Von meinem Samsung Galaxy Smartphone gesendet.\n\n-------- Ursprüngliche Nachricht "
                       "--------\nVon: {house} <{home}> \nDatum: 02.11.26  12:02  (GMT+01:00) \nAn: Anna <{sender}> "
                       "\nBetreff: {subject} \n"),
    "k9": Heading(lines="Am 2. November 2026 12:02:03 MEZ schrieb {house} <{home}>:"),
    "fairemail": Heading(lines="2. Nov. 2026 12:02:03 {house} <{home}>:\n"),
    "proton": Heading(lines="{house} <{home}> schrieb am Montag, 2. November 2026 um 12:02:\n"),
    "proton-english": Heading(lines="On Monday, November 2nd, 2026 at 12:02, {house} <{home}> wrote:\n"),
    "proton-old": Heading(
        lines="------- Original Message -------\n{house} <{home}> schrieb am Montag, 2. November 2026 "
                          "um 12:02:\n"),
    "roundcube": Heading(lines="Am 2026-11-02 12:02, schrieb {house}:"),
    "roundcube-english": Heading(lines="On 2026-11-02 12:02, {house} wrote:"),
    "open-xchange": Heading(marked=True, lines="{house} <{home}> hat am 02.11.2026 12:02 CET geschrieben:\n\n"),
    "evolution": Heading(lines="Am Montag, dem 02.11.2026 um 12:02 +0100 schrieb {house}:"),
    "kmail": Heading(lines="Am Montag, 2. November 2026, 12:02:03 CET schrieb {house}:"),
    "mutt": Heading(lines="On Mon, Nov 02, 2026 at 12:02:03PM +0100, {house} wrote:"),
    "gnus": Heading(lines="{house} <{home}> writes:\n"),
    "bat": Heading(mark="DS> ", lines="Hallo Dottendorfer,\n\nMontag, 2. November 2026, 12:02:03, schrieben Sie:\n"),
    "notes": Heading(mark="", subject="Antwort: ",
        lines="\n\nVon:\t{house} <{home}>\nAn:\tAnna Berg <{sender}>\nDatum:\t"
                     "02.11.2026 12:02\nBetreff:\t{subject}\n\n\n"),
    "bar": Heading(mark="| ", lines="Am 02.11.2026 schrieb {house}:"),
}  # fmt: skip


ALIKE = (
    "outlook-english", "outlook-com-english", "yahoo-english", "ios-english", "thunderbird-english", "thunderbird-old",
    "roundcube", "roundcube-english", "evolution", "kmail", "mutt", "fairemail",
)  # fmt: skip
"""Tried less: they differ from another only in the words above the quotation."""


def heading_of(name: str, ours: Ours) -> str:
    """Write what stands above a quotation of ours."""
    heading = HEADINGS[name]
    lines = heading.lines.format(house=HOUSE, home=HOME, sender=SENDER, subject=ours.subject)
    return quoted(lines) + "\n>" if heading.marked else lines


def with_quote(name: str, own: str, ours: Ours, *, below: str = "") -> str:
    """Write an own text above the quotation, and perhaps one below."""
    mark = HEADINGS[name].mark
    text = quoted(ours.text, mark) if mark else ours.text
    return "\n".join((own, "", heading_of(name, ours), text, "", below))


def _replies() -> None:
    for name, heading in HEADINGS.items():
        how = {"mark": heading.subject}
        add_reply(f"reply-{name}", lambda case, ours, name=name: with_quote(name, usual(case), ours), **how)
        if name in ALIKE:
            continue
        # The Bat's initials before each line are no mark that the policies name.
        edited = refused("offer", "FREE_TEXT") if name == "bat" else OFFERED
        add_reply(f"reply-{name}-edited", lambda case, ours, name=name: with_quote(
            name, "Hallo Cici,\n\nmein Zug steht unten im Block. Schöne Grüße!", ours.filled(case.move)), edited, **how,
        )  # fmt: skip
        if heading.mark == "> ":
            add_reply(
                f"bottom-{name}", lambda case, ours, name=name: with_quote(name, "", ours, below=usual(case)), **how
            )
    for name in ("thunderbird", "gmail", "apple-english"):
        add_reply(f"inline-{name}", lambda case, ours, name=name: _inline(name, case, ours))
    add_reply("inline-row-by-row", _row_by_row)
    add_reply("inline-below-the-template", lambda case, ours: _below_template(case, ours))
    for which in ("confirmation", "rejection"):
        for head in ("gmail", "outlook", "gmx", "yahoo"):
            add_reply(f"reply-to-{which}-{head}", lambda case, ours, head=head: with_quote(head, usual(case), ours),
                      which=which)  # fmt: skip
    for head in ("thunderbird", "outlook", "gmx", "yahoo"):
        add_reply(
            f"thanks-{head}", lambda _, ours, head=head: with_quote(head, "Danke, wird gemacht!", ours), PASSED_ON
        )
        add_reply(f"thanks-for-confirmation-{head}", lambda _, ours, head=head: with_quote(
            head, "Prima, danke für die Bestätigung!", ours), PASSED_ON, which="confirmation")  # fmt: skip
    silent = refused("NOTHING_BUT_QUOTED", "NOTHING_READ")
    add_reply("quote-only", lambda _, ours: with_quote("thunderbird", "", ours), silent)
    add_reply("quote-only-outlook", lambda _, ours: with_quote("outlook", "", ours), silent)
    add_reply("quote-only-edited", lambda case, ours: with_quote("thunderbird", "", ours.filled(case.move)), OFFERED)
    add_reply("quote-no-heading", lambda case, ours: f"{usual(case)}\n{quoted(ours.text)}")
    add_reply("quote-no-heading-edited", lambda case, ours: quoted(ours.filled(case.move).text), OFFERED)
    add_reply("quote-of-own-move", lambda case, _: (
        f"Doch lieber so:\n\n{case.move.block}\n\nAm 03.11.26 um 08:15 schrieb Anna Berg:\n"
        f"{quoted(letter(case.move.other.block))}"))  # fmt: skip
    add_reply("quote-of-own-move-deeper", lambda case, _: (
        f"{case.move.block}\n\nAm 03.11.26 um 08:15 schrieb {HOUSE}:\n> Am 03.11.26 um 08:10 schrieb Anna Berg:\n"
        f"{quoted(letter(case.move.other.block), '>> ')}"))  # fmt: skip
    add_reply("quote-edited-and-own", lambda case, ours: with_quote("thunderbird", usual(case), ours.filled(case.move)))
    add_reply("quote-edited-own-differs", lambda case, ours: with_quote(
        "thunderbird", usual(case), ours.filled(case.move.other)))  # fmt: skip
    add_reply("quote-block-only-edited", lambda case, _: (
        f"Mein Zug:\n\nAm 02.11.26 um 12:02 schrieb {HOUSE}:\n{quoted(case.move.block)}\n"), OFFERED)  # fmt: skip
    add_reply("quote-edited-marks-no-blank", lambda case, ours: quoted(ours.filled(case.move).text, ">"), OFFERED)
    add_reply("quote-edited-marks-gone", lambda case, ours: _marks_gone(case, ours))
    add_reply("attribution-over-own", lambda case, _: (
        f"Am 02.11.26 um 12:02 schrieb {HOUSE}:\n{quoted('Hallo zusammen,')}\n\n{usual(case)}"))  # fmt: skip
    add_reply("quote-twice", lambda case, ours: (
        with_quote("gmail", usual(case), replace(ours, text=with_quote("thunderbird", "Danke!", ours)))))  # fmt: skip
    for name, text in {
        "spam-warning": "[EXTERN] Diese Mail kommt von außerhalb der Firma. Vorsicht bei Links!",
        "banner": "Sie erhalten nicht oft E-Mails von anna@spieler.example. Erfahren Sie, warum dies wichtig ist.",
    }.items():
        add_text(f"above-{name}", lambda case, text=text: f"{text}\n\n{usual(case)}")


def add_reply(
    name: str, body: Callable[[Case, Ours], str], outcome: Outcome = TAKEN, *, which: str = "bulletin", **how: Any
) -> None:
    """Add a style that answers one of our mails in plain text."""

    def write(case: Case) -> bytes:
        ours = getattr(case, which)
        return reply(case, body(case, ours), ours, **how)

    add(name, write, outcome)


def _inline(name: str, case: Case, ours: Ours) -> str:
    """Answers between quoted paragraphs; the block between two of them."""
    above, _, below = quoted(ours.text).partition("> Kopiere den Block")
    return f"{heading_of(name, ours)}\n{above}\nAlles klar!\n\n{case.move.block}\n\n> Kopiere den Block{below}\n"


def _row_by_row(case: Case, ours: Ours) -> str:
    """Every line of the template is quoted, and the own one stands below it."""
    pairs = zip(case.move.template.split("\n"), case.move.lines, strict=True)
    lines = "\n".join(f">      {theirs}\n{own}" for theirs, own in pairs)
    return f"{heading_of('thunderbird', ours)}\n> Kopiere den Block und trage die neuen Buchstaben ein.\n>\n{lines}\n"


def _below_template(case: Case, ours: Ours) -> str:
    """Our mail is quoted down to the template, the rest was deleted, the own block is typed below."""
    above, found, _ = quoted(ours.text).partition("> Bis zum ZAT")
    assert found
    return f"{heading_of('gmail', ours)}\n{above}\n{case.move.block}\n"


def _marks_gone(case: Case, ours: Ours) -> str:
    """The marks of the edited lines were deleted by hand: now it is own text."""
    lines = quoted(ours.filled(case.move).text)
    for line in case.move.lines:
        lines = lines.replace(f">      {line}", line, 1)
    return f"{heading_of('thunderbird', ours)}\n{lines}\n"


# --- HTML, program by program ------------------------------------------------------------------------------------

Page: TypeAlias = Callable[[Sequence[str], "Ours | None"], str]
"""Own lines and the mail answered -> the page."""


def _each(lines: Sequence[str], line: str, empty: str) -> str:
    return "".join(line.format(escape(text, quote=False)) if text else empty for text in lines)


def _facts(ours: Ours, form: str, between: str, *, order: str = "vgab") -> str:
    """Write Von, Gesendet, An, Betreff in a form like `<b>{}:</b> {}`."""
    known = {
        "v": ("Von", f"{HOUSE} &lt;{HOME}&gt;"),
        "g": ("Gesendet", "Montag, 2. November 2026 12:02"),
        "d": ("Datum", "02.11.26  12:02  (GMT+01:00)"),
        "a": ("An", f"Anna Berg &lt;{SENDER}&gt;"),
        "b": ("Betreff", escape(ours.subject)),
    }
    return between.join(form.format(*known[key]) for key in order)


def _outlook(own: Sequence[str], ours: Ours | None) -> str:
    lines = _each(
        own, "<p class=MsoNormal><span style='mso-fareast-language:EN-US'>{}<o:p></o:p></span></p>\n",
        "<p class=MsoNormal><span style='mso-fareast-language:EN-US'><o:p>&nbsp;</o:p></span></p>\n",
    )  # fmt: skip
    facts = f"""<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>
<p class=MsoNormal>{_facts(ours, "<b>{}:</b> {}", "<br>")}<o:p></o:p></p></div></div>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>{ours.inside}
""" if ours else ""  # fmt: skip
    return f"""<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" \
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head>\
<meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator \
content="Microsoft Word 15 (filtered medium)"><!--[if !mso]><style>v\\:* {{behavior:url(#default#VML);}}
o\\:* {{behavior:url(#default#VML);}}</style><![endif]--><style><!--
/* Font Definitions */
@font-face
	{{font-family:Calibri;
	panose-1:2 15 5 2 2 2 4 3 2 4;}}
p.MsoNormal, li.MsoNormal, div.MsoNormal
	{{margin:0cm;
	font-size:11.0pt;}}
--></style><!--[if gte mso 9]><xml>
<o:shapedefaults v:ext="edit" spidmax="1026" />
</xml><![endif]--></head><body lang=DE link="#0563C1" vlink="#954F72" style='word-wrap:break-word'>\
<div class=WordSection1>{lines}{facts}</div></body></html>"""


def _outlook_com(own: Sequence[str], ours: Ours | None) -> str:
    style = 'style="font-family: Aptos, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);"'
    lines = _each(own, f'<div class="elementToProof" {style}>\n{{}}</div>\n',
                  f'<div class="elementToProof" {style}>\n<br>\n</div>\n')  # fmt: skip
    tail = f"""<div id="appendonsend"></div>
<hr style="display:inline-block;width:98%" tabindex="-1">
<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">\
{_facts(ours, "<b>{}:</b> {}", "<br>" + chr(10))}</font>
<div>&nbsp;</div>
</div>
{ours.inside}
""" if ours else ""  # fmt: skip
    style = '<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>'
    return f'<html>\n<head>\n{style}\n</head>\n<body dir="ltr">\n{lines}{tail}</body>\n</html>\n'


def _gmail(own: Sequence[str], ours: Ours | None, *, way: str = "ltr") -> str:
    each = '<div dir="auto">{}</div>' if way == "auto" else "<div>{}</div>"
    lines = _each(own, each, each.format("<br>"))
    tail = f"""<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">Am Mo., \
2. Nov. 2026 um 12:02&nbsp;Uhr schrieb {HOUSE} &lt;<a href="mailto:{HOME}" target="_blank">zug@<wbr>\
postspiel.example</a>&gt;:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;\
border-left:1px solid #cccccc;padding-left:1ex">{ours.inside}</blockquote></div>""" if ours else ""  # fmt: skip
    return f'<div dir="{way}">{lines}</div>{tail}\n'


def _gmail_breaks(own: Sequence[str], ours: Ours | None) -> str:
    """Gmail with a text that was pasted: one div, line ends as `<br>`."""
    page = _gmail((), ours)
    return page.replace('<div dir="ltr"></div>', f'<div dir="ltr">{"<br>".join(map(escape, own))}</div>', 1)


def _apple(own: Sequence[str], ours: Ours | None) -> str:
    lines = escape(own[0]) + _each(own[1:], "<div>{}</div>", "<div><br></div>")
    tail = f"""<div><br><blockquote type="cite"><div>Am 02.11.2026 um 12:02 schrieb {HOUSE} &lt;<a \
href="mailto:{HOME}">{HOME}</a>&gt;:</div><br class="Apple-interchange-newline"><div>{ours.inside}</div></blockquote>\
</div><br>""" if ours else ""  # fmt: skip
    return f"""<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body \
style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">{lines}<div>
<div dir="auto" style="caret-color: rgb(0, 0, 0); letter-spacing: normal;"><div>--&nbsp;</div><div>Anna Berg</div></div>
</div>
{tail}</body></html>"""


def _ios(own: Sequence[str], ours: Ours | None) -> str:
    lines = _each(own, "<div>{}</div>", "<div><br></div>")
    tail = (
        f"""<div dir="ltr"><br><blockquote type="cite">Am 02.11.2026 um 12:02 schrieb {HOUSE} &lt;{HOME}&gt;:<br><br>\
</blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff{ours.inside}</div></blockquote>"""
        if ours
        else ""
    )
    return f"""<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">\
{lines}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr" id="AppleMailSignature">Von meinem iPhone gesendet</div>\
{tail}</body></html>"""


def _thunderbird(own: Sequence[str], ours: Ours | None) -> str:
    lines = "".join(f"<p>{breaks(text)}<br>\n    </p>\n    " for text in "\n".join(own).split("\n\n"))
    tail = f"""<div class="moz-cite-prefix">Am 02.11.26 um 12:02 schrieb {HOUSE}:<br>
    </div>
    <blockquote type="cite" cite="mid:{ours.message_id.strip("<>")}">
      <meta http-equiv="content-type" content="text/html; charset=UTF-8">
      {ours.inside}
    </blockquote>
""" if ours else ""  # fmt: skip
    return f"""<!DOCTYPE html>
<html>
  <head>
    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
  </head>
  <body text="#000000" bgcolor="#FFFFFF">
    {lines}{tail}<div class="moz-signature">-- <br>
      Anna Berg, Köln</div>
  </body>
</html>
"""


def _thunderbird_pre(own: Sequence[str], ours: Ours | None) -> str:
    """A plain-text mail of ours answered in HTML: the quotation is one `<pre class="moz-quote-pre">`."""
    page = _thunderbird(own, ours)
    pre = f'<pre class="moz-quote-pre" wrap="">{escape(ours.text)}</pre>' if ours else ""
    return page.replace(ours.inside, pre) if ours else page.replace("<p>", '<pre wrap="">').replace("</p>", "</pre>")


def _gmx(own: Sequence[str], ours: Ours | None, *, order: str = "gvab") -> str:
    lines = _each(own, "<div>{}</div>\n\n", "<div>&nbsp;</div>\n\n")
    tail = f"""<div>&nbsp;
<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; \
word-wrap: break-word; -webkit-nbsp-mode: space; -webkit-line-break: after-white-space;">
<div style="margin:0 0 10px 0;">{_facts(ours, "<b>{}:</b>&nbsp;{}", "<br/>" + chr(10), order=order)}</div>

<div name="quoted-content">{ours.inside}</div>
</div>
</div>
""" if ours else ""  # fmt: skip
    return f"""<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{lines}{tail}</div>\
</body></html>
"""


def _webde(own: Sequence[str], ours: Ours | None) -> str:
    page = _gmx(own, ours, order="vgab").replace("#C3D9E5", "rgb(195,217,229)").replace(' name="quoted-content"', "")
    return page.replace("Verdana", "Arial, Verdana, sans-serif").replace("<div>&nbsp;</div>", "<p>&nbsp;</p>")


def _tonline(own: Sequence[str], ours: Ours | None) -> str:
    tail = (
        f"""<br /><br />-----Original-Nachricht-----<br />{_facts(ours, "{}: {}", "<br />", order="bdva")}<br /><br />
<div class="ts-original">{ours.inside}</div>"""
        if ours
        else ""
    )
    return html_of(f'<div style="font-family: Arial; font-size: 10pt;">{"<br />".join(map(escape, own))}</div>{tail}')


def _samsung(own: Sequence[str], ours: Ours | None) -> str:
    lines = _each(own, '<div dir="auto">{}</div>', '<div dir="auto"><br></div>')
    facts = _facts(ours, "<div>{}: {} </div>", "", order="vdab") if ours else ""
    tail = (
        f"""<div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- \
Ursprüngliche Nachricht --------</div>{facts}<div><br></div></div>{ours.inside}"""
        if ours
        else ""
    )
    return f"""<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body dir="auto">\
<div id="composer_parent" dir="auto">{lines}<div dir="auto"><br></div><div id="composer_signature" dir="auto"><div \
style="font-size:12px;color:#575757" dir="auto">Von meinem Samsung Galaxy Smartphone gesendet.</div></div></div>{tail}\
</body></html>"""


def _yahoo(own: Sequence[str], ours: Ours | None) -> str:
    lines = _each(own, '<div dir="ltr" data-setdir="false">{}</div>', '<div dir="ltr" data-setdir="false"><br></div>')
    tail = (
        f"""<div id="ydp6a1c2fyahoo_quoted_0042" class="ydp6a1c2fyahoo_quoted"><div style="font-family:\
'Helvetica Neue', Helvetica, Arial, sans-serif;font-size:13px;color:#26282a;"><div>Am Montag, 2. November 2026 um \
12:02:03 MEZ hat {HOUSE} &lt;{HOME}&gt; Folgendes geschrieben: </div><div><br></div><div><br></div><div>\
<div id="ydp6a1c2fyiv0042">{ours.inside}</div></div></div></div>"""
        if ours
        else ""
    )
    return f"""<html><head></head><body><div class="ydp5b7ce2f6yahoo-style-wrap" style="font-family:Helvetica Neue, \
Helvetica, Arial, sans-serif;font-size:13px;"><div></div>{lines}</div>{tail}</body></html>"""


def _proton(own: Sequence[str], ours: Ours | None) -> str:
    style = 'style="font-family: Arial, sans-serif; font-size: 14px;"'
    lines = _each(own, f"<div {style}>{{}}</div>", f"<div {style}><br></div>")
    tail = (
        f"""<div class="protonmail_quote">
        {HOUSE} &lt;{HOME}&gt; schrieb am Montag, 2. November 2026 um 12:02:<br><br>
        <blockquote class="protonmail_quote" type="cite">
            {ours.inside}
        </blockquote><br>
    </div>"""
        if ours
        else ""
    )
    return f"""{lines}<div class="protonmail_signature_block protonmail_signature_block-user" {style}><div \
class="protonmail_signature_block-proton">Gesendet mit <a target="_blank" href="https://proton.example/">Proton \
Mail</a> Sicherer E-Mail.</div></div><div {style}><br></div>{tail}"""


def _k9(own: Sequence[str], ours: Ours | None) -> str:
    tail = (
        f"""<div class="gmail_quote"><div dir="auto">Am 2. November 2026 12:02:03 MEZ schrieb {HOUSE} &lt;{HOME}&gt;:\
</div><blockquote class="gmail_quote" style="margin: 0pt 0pt 1ex 0.8ex; border-left: 1px solid #729fcf; padding-left: \
1ex;">
{ours.inside}</blockquote></div>"""
        if ours
        else ""
    )
    return (
        f'<!DOCTYPE html><html><body><div dir="auto">{"<br>".join(map(escape, own))}<br><br></div>{tail}</body></html>'
    )


def _fairemail(own: Sequence[str], ours: Ours | None) -> str:
    tail = (
        f"""<div fairemail="reference"><p>2. Nov. 2026 12:02:03 {HOUSE} &lt;{HOME}&gt;:</p><blockquote \
style="border-left:3px solid #cccccc;padding-left:3px;margin:0">{ours.inside}</blockquote></div>"""
        if ours
        else ""
    )
    return html_of(f'<div dir="auto"><span dir="auto">{"<br>".join(map(escape, own))}</span></div><br>{tail}')


def _roundcube(own: Sequence[str], ours: Ours | None) -> str:
    lines = _each(own, "<div>{}</div>\n", "<div>&nbsp;</div>\n")
    tail = f"""<p id="reply-intro">Am 2026-11-02 12:02, schrieb {HOUSE}:</p>
<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0">
<div id="replybody1">{ours.inside}</div>
</blockquote>
""" if ours else ""  # fmt: skip
    return (
        f"<html><body style='font-size: 10pt; font-family: Verdana,Geneva,sans-serif'>\n{lines}{tail}</body></html>\n"
    )


def _open_xchange(own: Sequence[str], ours: Ours | None) -> str:
    lines = _each(own, '<div class="default-style">{}</div>', '<div class="default-style"><br></div>')
    tail = (
        f"""<blockquote type="cite"><div>{HOUSE} &lt;{HOME}&gt; hat am 02.11.2026 12:02 CET geschrieben:</div><div><br>\
</div><div><br></div>{ours.inside}</blockquote>"""
        if ours
        else ""
    )
    return f'<!doctype html><html><head><meta charset="UTF-8"></head><body>{lines}{tail}</body></html>'


def _windows_mail(own: Sequence[str], ours: Ours | None) -> str:
    """As Outlook, with a rule in place of the border and a head in one paragraph."""
    lines = _each(own, "<p class=MsoNormal>{}</p>", "<p class=MsoNormal><o:p>&nbsp;</o:p></p>")
    tail = f"""<div style='mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1pt;padding:3pt 0cm 0cm'>
<p class=MsoNormal style='border:none;padding:0cm'>{_facts(ours, "<b>{}: </b>{}", "<br>")}</p></div>{ours.inside}
""" if ours else ""  # fmt: skip
    return html_of(f"<div class=WordSection1>{lines}<p class=MsoNormal>Gesendet von Mail für Windows</p>{tail}</div>")


PAGES: dict[str, Page] = {
    "outlook": _outlook, "outlook-com": _outlook_com, "gmail": _gmail, "gmail-breaks": _gmail_breaks,
    "gmail-android": lambda own, ours: _gmail(own, ours, way="auto"), "apple": _apple, "ios": _ios,
    "thunderbird": _thunderbird, "thunderbird-pre": _thunderbird_pre, "gmx": _gmx, "webde": _webde, "tonline": _tonline,
    "samsung": _samsung, "yahoo": _yahoo, "proton": _proton, "k9": _k9, "fairemail": _fairemail,
    "roundcube": _roundcube,
    "open-xchange": _open_xchange, "windows-mail": _windows_mail,
}  # fmt: skip
SAME = ("gmail-breaks", "gmail-android", "thunderbird-pre", "windows-mail")
"""Programs whose plain text part is another program's."""


def _programs() -> None:
    for name, page in PAGES.items():
        add(f"html-{name}", lambda case, page=page: as_html(
            case, page(usual(case).rstrip().split("\n"), None), encoding="quoted-printable"))  # fmt: skip
        add(f"html-{name}-reply", lambda case, page=page: html_reply(case, page, usual(case), case.bulletin))
        if name in SAME:
            continue
        add(
            f"html-{name}-edited",
            lambda case, page=page: html_reply(
                case, page, "Hallo Cici,\n\nmein Zug steht unten im Block.", case.status.filled(case.move)
            ),
            OFFERED,
        )
        add(f"both-{name}-reply", lambda case, page=page, name=name: _both(case, page, name))
    for name in ("outlook", "outlook-com", "gmail", "ios", "thunderbird", "gmx", "tonline", "samsung", "yahoo"):
        add(f"html-{name}-thanks", lambda case, page=PAGES[name]: html_reply(
            case, page, "Danke, ich überlege noch!", case.confirmation), PASSED_ON)  # fmt: skip


def html_reply(case: Case, page: Page, own: str, ours: Ours) -> bytes:
    """Answer one of our mails in HTML only."""
    html = page(own.rstrip().split("\n"), ours)
    return reply(case, b64(crlf(html)), ours, kind="text/html; charset=utf-8", encoding="base64")


def _both(case: Case, page: Page, head: str) -> bytes:
    """Answer in text and HTML, as most programs do."""
    text = with_quote(head, usual(case), case.status)
    html = page(usual(case).rstrip().split("\n"), case.status)
    body, kind = multipart(
        "alternative", part(qp(crlf(text)), encoding="quoted-printable"),
        part(qp(crlf(html)), "text/html; charset=utf-8", "quoted-printable"),
    )  # fmt: skip
    return reply(case, body, case.status, kind=kind, encoding="7bit")


# --- HTML, odds and ends -----------------------------------------------------------------------------------------


def _lines_html(case: Case, write: Callable[[str], str]) -> str:
    """Write a page with a div for each line of the block, its rows in some other way."""
    rows = (*map(escape, case.move.lines[:2]), *(write(row) for row in case.move.rows))
    return html_of("<div>Schöne Grüße!</div><div><br></div>" + "".join(f"<div>{row}</div>" for row in rows))


def _table(rows: Sequence[str], blank: str = ".") -> str:
    cells = ("".join(f"<td>{sign if sign != '.' else blank}</td>" for sign in row) for row in rows)
    return '<table border="1" cellspacing="0">' + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>"


def _markup() -> None:
    colour = '<span style="color:#ff0000">{}</span>'
    for name, write in {
        "bold-capitals": lambda row: re.sub("([A-Z]+)", r"<b>\1</b>", row),
        "bold-each": lambda row: re.sub("([A-Z])", r"<b>\1</b>", row),
        "red-capitals": lambda row: re.sub("([A-Z]+)", colour.format(r"\1"), row),
        "red-each": lambda row: re.sub("([A-Z])", colour.format(r"\1"), row),
        "spans-everywhere": lambda row: "".join(f"<span>{sign}</span>" for sign in row),

        "code": lambda row: f"<code>{row}</code>",
        "wbr": lambda row: f"{row[:3]}<wbr>{row[3:]}",
        "spelling": lambda row: f"<span class=SpellE>{row[:4]}</span><span class=GramE>{row[4:]}</span>",
        "numeric-entities": lambda row: "".join(f"&#{ord(sign)};" for sign in row),
        "hellip": lambda row: row.replace("...", "&hellip;"),
        "middot": lambda row: row.replace(".", "&middot;"), "nbsp-between": "&nbsp;".join, "zwnj": "&zwnj;".join,
        "comment-inside": lambda row: f"{row[:3]}<!-- x -->{row[3:]}",
        "broken-source": lambda row: f"\n   {row}\n",
        "linked": lambda row: _linked(row, '<a href="http://{0}">{0}</a>'),
        "period-entity": lambda row: row.replace(".", "&period;"),
        "marked": lambda row: re.sub("([A-Z]+)", r'<mark style="background:yellow">\1</mark>', row),

    }.items():  # fmt: skip
        add_html(f"markup-{name}", lambda case, write=write: _lines_html(case, write))
    add_text("linked-in-text", lambda case: letter(case.move.with_rows(lambda row: _linked(row, "{0} <http://{0}>"))),
             asked(SLIP))  # fmt: skip
    add_text("linked-in-text-outlook", lambda case: letter(
        case.move.with_rows(lambda row: _linked(row, "{0}<http://{0}>"))), asked(SLIP))  # fmt: skip
    title, wish = "<div>Crossword Eriwan</div>", "<div>Neu: {}</div>"
    for name, page, outcome in (
        ("pre", lambda case: html_of(f"<p>Hallo,</p><pre>{case.move.block}</pre>"), TAKEN),
        ("paragraphs", lambda case: html_of("".join(f"<p>{line}</p>" for line in case.move.lines)), TAKEN),
        ("paragraphs-open", lambda case: "<p>Hallo!" + "".join(f"<p>{line}" for line in case.move.lines), TAKEN),
        ("no-html-tag", lambda case: "Hallo!<br>" + "<br>".join(case.move.lines), TAKEN),
        ("breaks-twice", lambda case: html_of("<br><br>".join(case.move.lines)), TAKEN),
        ("list", lambda case: html_of(f"{title}{wish.format(case.move.wish)}<ul>" + "".join(
            f"<li>{row}</li>" for row in case.move.rows) + "</ul>"), TAKEN),
        ("numbered-list", lambda case: html_of(f"{title}{wish.format(case.move.wish)}<ol>" + "".join(
            f"<li>{row}</li>" for row in case.move.rows) + "</ol>"), TAKEN),
        ("table-rows", lambda case: html_of("<table>" + "".join(
            f"<tr><td>{line}</td></tr>" for line in case.move.lines) + "</table>"), TAKEN),
        ("table-cells", lambda case: html_of(f"{title}{wish.format(case.move.wish)}{_table(case.move.rows)}"), TAKEN),
        ("table-empty-cells", lambda case: html_of(
            f"{title}{wish.format(case.move.wish)}{_table(case.move.rows, '&nbsp;')}"),
         asked("empty cells are blanks on the screen, but no text")),
        ("indented-blockquote", lambda case: html_of(
            '<div>Hier mein Zug:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>'
            + "</div><div>".join(case.move.lines) + "</div></blockquote>"), TAKEN),
        ("xhtml", lambda case: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 '
         'Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n' + html_of(
             f"<p>{'<br/>'.join(case.move.lines)}</p>"), TAKEN),
        ("scripts-and-styles", lambda case: html_of(
            f"{breaks(usual(case))}<script>var zug = 'Neu: Q';</script><style>.neu {{ color: red }}</style>",
            "<title>Crossword Eriwan</title><style>p { margin: 0 }</style>"), TAKEN),
        ("hidden-preheader", lambda case: html_of(
            f'<div style="display:none;max-height:0">{breaks(case.move.other.block)}</div>{breaks(usual(case))}'),
            TAKEN),
        ("picture-alt", lambda case: html_of(
            f'<img src="cid:logo" alt="Logo">{breaks(usual(case))}<img alt="😀" src="data:image/png;base64,iVBOR">'),
            TAKEN),
        ("conditional-comment", lambda case: html_of(
            f"<!--[if mso]><p>Neu: Q</p><![endif]-->{breaks(usual(case))}"), TAKEN),
        ("comment-with-move", lambda case: html_of(f"<!-- {case.move.other.block} -->{breaks(usual(case))}"), TAKEN),
        ("unclosed", lambda case: f"<html><body><div><span><b>{breaks(usual(case))}", TAKEN),
        ("two-bodies", lambda case: html_of("<div>Hallo</div>") + html_of(breaks(case.move.block)), TAKEN),
        ("many-divs", lambda case: html_of("<div>" * 60 + breaks(usual(case)) + "</div>" * 60), TAKEN),
        ("a-thousand-divs", lambda case: html_of("<div>" * 1000 + breaks(usual(case)) + "</div>" * 1000),
         asked("no mail program writes that; silence would be wrong")),
        ("collapsed", lambda case: html_of(" ".join(usual(case).split())), asked("all line ends are gone")),
        ("line-ends-only", lambda case: html_of(usual(case)), asked("shown as one line: tags were forgotten")),
        ("empty", lambda _: html_of('<div><img src="cid:zug@x"></div>'), NOTHING),
        ("picture-only", lambda _: html_of('<a href="https://x.example"><img src="cid:zug"></a>&nbsp;<br>'),
            NOTHING),
        ("word-list-spans", lambda case: html_of("".join(
            f"<p style='margin-left:36pt'><![if !supportLists]><span>·<span style='font:7pt'>&nbsp;&nbsp;</span></span>"
            f"<![endif]>{line}</p>" for line in case.move.lines)), asked("a bullet in front of every line")),
        ("white-space-pre", lambda case: html_of(f'<div style="white-space:pre-wrap">{usual(case)}</div>'), TAKEN),
        ("says-plain-inside", lambda case: html_of(f"<xmp>{usual(case)}</xmp>"), asked("a tag of the nineties")),
    ):  # fmt: skip
        add_html(f"page-{name}", page, outcome)
    add("page-says-plain", lambda case: mail(case, html_of(breaks(usual(case)))), asked("tags instead of text"))
    add("page-is-plain", lambda case: mail(case, usual(case), kind="text/html; charset=utf-8"),
        asked("shown as one line: the label is wrong"))  # fmt: skip
    for encoding in ("base64", "quoted-printable", "7bit"):
        add_html(f"page-{encoding}", lambda case: html_of(breaks(usual(case))), encoding=encoding)
    add(
        "page-long-line", lambda case: as_html(case, html_of("<br>".join(usual(case).split("\n")) + "<p>" + PROSE * 20))
    )


def _linked(row: str, link: str) -> str:
    """Programs take `rot.IN` for an address of the web."""
    return link.format(row) if re.fullmatch(r"[A-Za-z]{2,}\.[A-Za-z]{2}", row) else row


# --- Multiparts and attachments ----------------------------------------------------------------------------------


def _text_part(case: Case) -> bytes:
    return part(usual(case))


def _html_part(case: Case) -> bytes:
    return part(html_of(breaks(usual(case))), "text/html; charset=utf-8")


def _alternatives() -> None:
    for name, stub in {
        "empty": "", "blank": " \n\n ", "nbsp": "\u00a0\n", "stub": "Ihr E-Mail-Programm kann kein HTML anzeigen.",
        "stub-english": "Your email client does not support HTML messages.",
        "stub-url": "Online ansehen: https://x.example",
        "css": "p.MsoNormal {margin:0cm;}\n@media screen {.x {color:red}}",
        "html-in-text": "<html><body>&nbsp;</body></html>",
        "greeting-only": "Schöne Grüße aus Köln",
    }.items():  # fmt: skip
        add(f"alternative-{name}", lambda case, stub=stub: compound(
            case, multipart("alternative", part(stub), _html_part(case))))  # fmt: skip
    add("alternative-one-line", lambda case: compound(
        case, multipart("alternative", part(" ".join(usual(case).split())), _html_part(case))))  # fmt: skip
    add("alternative-bold-stars", lambda case: compound(case, multipart(
        "alternative", part(letter(case.move.with_rows(lambda row: re.sub("([A-Z]+)", r"*\1*", row)))),
        part(_lines_html(
            case, lambda row: re.sub("([A-Z]+)", r"<b>\1</b>", row)), "text/html; charset=utf-8"))))  # fmt: skip
    for name, parts in {
        "both": lambda case: (_text_part(case), _html_part(case)),
        "html-first": lambda case: (_html_part(case), _text_part(case)),
        "amp": lambda case: (_text_part(case), part("<html amp4email>", "text/x-amp-html; charset=utf-8"),
                             _html_part(case)),


        "text-only": lambda case: (_text_part(case),), "html-only": lambda case: (_html_part(case),),
        "watch": lambda case: (part("Hallo", "text/watch-html; charset=utf-8"), _text_part(case), _html_part(case)),
    }.items():  # fmt: skip
        add(f"alternative-{name}", lambda case, parts=parts: compound(case, multipart("alternative", *parts(case))))


def _attached(kind: str, body: str | bytes, name: str, encoding: str = "8bit", way: str = "attachment") -> bytes:
    return part(body, f'{kind}; name="{name}"', encoding, content_disposition=f'{way}; filename="{name}"')


def _nested() -> None:
    logo = picture(content_id="<logo@x>", content_disposition="inline; filename=logo.png")
    for name, parts in {
        "mixed-related-alternative": lambda case: ("mixed", within("related", within(
            "alternative", _text_part(case), _html_part(case)), logo), picture()),
        "mixed-alternative-related": lambda case: ("mixed", within("alternative", _text_part(case), within(
            "related", _html_part(case), logo))),
        "related-html-only": lambda case: ("related", _html_part(case), logo),
        "mixed-html-only": lambda case: ("mixed", _html_part(case), picture()),
        "alternative-mixed": lambda case: ("alternative", _text_part(case), within("mixed", _html_part(case), logo)),
        "mixed-mixed-mixed": lambda case: ("mixed", within("mixed", within("mixed", _text_part(case)))),
        "text-picture-text": lambda case: ("mixed", part("Hallo Cici, schöne Grüße!"), logo, part(case.move.block)),
        "text-text": lambda case: ("mixed", part("Schöne Grüße!\n"), part(f"{case.move.block}\n")),
        "text-html-mixed": lambda case: ("mixed", part("Hallo Cici!"), _html_part(case)),
        "footer-part": lambda case: ("mixed", _text_part(case),
            part(_footer(), "text/plain; charset=us-ascii", "7bit")),
        "disclaimer-part": lambda case: ("mixed", within("alternative", _text_part(case), _html_part(case)),
                                         part(f"<p>{DISCLAIMER_DE}</p>", "text/html; charset=utf-8")),
        "apple-html-picture-html": lambda case: ("alternative", _text_part(case), within(
            "mixed", _html_part(case), picture(), part("<html><body></body></html>", "text/html"))),
        "picture-first": lambda case: ("mixed", picture(), _text_part(case)),
        "no-headers-in-part": lambda case: ("mixed", b"\r\n" + crlf(case.move.block) + b"\r\n"),
        "unknown-multipart": lambda case: ("x-fancy", _text_part(case), picture()),
        "parallel": lambda case: ("parallel", _text_part(case), picture()),
        "empty-first-part": lambda case: ("mixed", part(""), _text_part(case)),
    }.items():  # fmt: skip
        add(f"nested-{name}", lambda case, parts=parts: compound(case, multipart(*parts(case))))
    for name, boundary in {"quoted": "=_(a)/b+c?d:e'f", "long": "x" * 70, "blank": "a b c", "dashes": "------",
        "short": "0",
                           }.items():  # fmt: skip
        add(f"boundary-{name}", lambda case, boundary=boundary: compound(case, multipart(
            "mixed", _text_part(case), picture(), boundary=boundary)))  # fmt: skip
    add("boundary-no-end", lambda case: compound(case, multipart("mixed", _text_part(case), ends=False)))
    add(
        "boundary-none",
        lambda case: mail(case, multipart("mixed", _text_part(case), boundary="b")[0], kind="multipart/mixed"),
    )
    add("boundary-wrong", lambda case: mail(
        case, multipart("mixed", _text_part(case), boundary="b")[0], kind="multipart/mixed; boundary=c"))  # fmt: skip
    add("boundary-not-used", lambda case: mail(case, usual(case), kind="multipart/mixed; boundary=c"))
    add("boundary-unquoted", lambda case: _boundary_unquoted(case))
    add("preamble", lambda case: _around_parts(case, b"This is a multi-part message in MIME format.\r\n\r\n", b""))
    add("epilogue", lambda case: _around_parts(case, b"", b"\r\nDies ist ein Nachspann.\r\n"))
    add("preamble-with-move", lambda case: _around_parts(case, crlf(case.move.other.block) + b"\r\n\r\n", b""))


def _boundary_unquoted(case: Case) -> bytes:
    body, kind = multipart("mixed", _text_part(case), picture(), boundary="Apple-Mail-42")
    return mail(case, body, kind=kind.replace('"', "").replace("; ", ";\r\n\t"), encoding="7bit")


def _around_parts(case: Case, above: bytes, below: bytes) -> bytes:
    body, kind = multipart("alternative", _text_part(case), _html_part(case))
    return mail(case, above + body + below, kind=kind, encoding="7bit")


def _attachments() -> None:
    move = "Zug.txt"
    for name, parts, outcome in (
        ("picture", lambda case: (_text_part(case), picture(content_disposition='attachment; filename="a.png"')),
            TAKEN),
        ("vcard", lambda case: (_text_part(case),
            _attached("text/x-vcard", "BEGIN:VCARD\nFN:Anna\nEND:VCARD", "a.vcf")), TAKEN),
        ("pdf", lambda case: (_text_part(case), _attached("application/pdf", b64(b"%PDF-1.4"), "a.pdf", "base64")),
            TAKEN),
        ("winmail", lambda case: (_text_part(case), _attached(
            "application/ms-tnef", b64(b"\x78\x9f\x3e\x22"), "winmail.dat", "base64")), TAKEN),
        ("text-other-move", lambda case: (_text_part(case), _attached("text/plain", case.move.other.block, move)),
            TAKEN),
        ("text-same-move", lambda case: (_text_part(case), _attached("text/plain", case.move.block, move)), TAKEN),
        ("html-other-move", lambda case: (_text_part(case), _attached(
            "text/html", html_of(breaks(case.move.other.block)), "zug.html")), TAKEN),
        ("text-first", lambda case: (_attached("text/plain", case.move.other.block, move), _text_part(case)), TAKEN),
        ("text-only", lambda case: (_attached("text/plain", case.move.block, move),), NOTHING),
        ("text-empty-body", lambda case: (part(""), _attached("text/plain", case.move.block, move)), NOTHING),
        ("text-blank-body", lambda case: (part("\n \n"), _attached("text/plain", case.move.block, move)), NOTHING),
        ("text-base64", lambda case: (part(""), _attached(
            "text/plain", b64(crlf(case.move.block)), move, "base64")), NOTHING),
        ("text-inline", lambda case: (part(""), _attached("text/plain", case.move.block, move, way="inline")),
         asked("shown like the mail's own text by some programs")),
        ("text-see-attachment", lambda case: (part("Siehe Anhang, schöne Grüße!"), _attached(
            "text/plain", case.move.block, move)), refused("FREE_TEXT_ATTACHED", "ATTACHED")),
        ("word-file", lambda _: (part(""), _attached(
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document", b64(b"PK\x03\x04"), "Zug.docx",
            "base64")), NOTHING),
        ("photo-only", lambda _: (picture(content_disposition='attachment; filename="zug.jpg"'),), NOTHING),
        ("html-attachment-only", lambda case: (part(""), _attached(
            "text/html", html_of(breaks(case.move.block)), "zug.html")), NOTHING),
        ("signature-file", lambda case: (_text_part(case), part("sig", "application/octet-stream",
                                                                content_disposition="attachment")), TAKEN),
        ("delivery-note", lambda case: (_text_part(case), _attached("text/plain", "Lieferschein", "l.txt")), TAKEN),
        ("umlaut-name", lambda case: (_text_part(case), part(
            b64(b"x"), "image/png", "base64", content_disposition="attachment; filename*=utf-8''Gr%C3%BC%C3%9Fe.png")),
            TAKEN),
        ("calendar", lambda case: (_text_part(case), _attached("text/calendar", "BEGIN:VCALENDAR", "zat.ics")), TAKEN),
        ("large-behind", lambda case: (_text_part(case), picture(240_000)), TAKEN),
        ("large-before", lambda case: (picture(240_000), _text_part(case)), refused("TOO_LARGE")),
    ):  # fmt: skip
        add(f"attached-{name}", lambda case, parts=parts: compound(case, multipart("mixed", *parts(case))), outcome)
    add("attached-whole-mail", lambda case: mail(case, case.move.block, fields={
        "Content-Disposition": 'attachment; filename="zug.txt"'}), NOTHING)  # fmt: skip
    add("attached-whole-mail-inline", lambda case: mail(case, usual(case), fields={"Content-Disposition": "inline"}))


# --- Signed and encrypted ----------------------------------------------------------------------------------------

ARMOUR = "iQEzBAEBCAAdFiEE0000000000000000000000000000FAmVxNAAKCRAxyzABCDEF\nAQf/abcdefghijklmnopqrstuvwx=\n=AbCd"
SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{}\n"
    "-----BEGIN PGP SIGNATURE-----\n\n{}\n-----END PGP SIGNATURE-----\n"
)


def _secured() -> None:
    def signature(kind: str, name: str) -> bytes:
        return part(b64(b"\x30\x82" * 90), f'application/{kind}; name="{name}"', "base64",
                    content_disposition=f"attachment; filename={name}")  # fmt: skip

    pgp = '; micalg=pgp-sha256; protocol="application/pgp-signature"'
    smime = '; protocol="application/pkcs7-signature"; micalg=sha-256'
    add_text("pgp-inline", lambda case: SIGNED.format(usual(case), ARMOUR))
    add_text("pgp-inline-quote", lambda case: SIGNED.format(
        with_quote("thunderbird", usual(case), case.bulletin), ARMOUR))  # fmt: skip
    add_text("pgp-inline-glued", lambda case: SIGNED.format(case.move.block, ARMOUR))
    add_text("pgp-inline-signature", lambda case: SIGNED.format(f"{usual(case)}- -- \nAnna Berg", ARMOUR))
    add_text(
        "pgp-inline-dash-escaped",
        lambda case: SIGNED.format(re.sub("(?m)^-", "- -", letter(case.move.with_rows(_blank("-")))), ARMOUR),
        asked("- is a blank cell too"),
    )
    for name, inner in {"text": _text_part, "alternative": lambda case: within(
        "alternative", _text_part(case), _html_part(case))}.items():  # fmt: skip
        add(f"pgp-mime-{name}", lambda case, inner=inner: compound(case, multipart("signed", inner(case), part(
            f"-----BEGIN PGP SIGNATURE-----\n\n{ARMOUR}\n-----END PGP SIGNATURE-----", 'application/pgp-signature; '
            'name="OpenPGP_signature.asc"', "7bit", content_disposition="attachment"), more=pgp)))  # fmt: skip
        add(f"smime-signed-{name}", lambda case, inner=inner: compound(case, multipart(
            "signed", inner(case), signature("pkcs7-signature", "smime.p7s"), more=smime)))  # fmt: skip
    add("pgp-mime-wrapped", lambda case: compound(case, multipart("mixed", within(
        "signed", within("mixed", _text_part(case), _attached("application/pgp-keys", "x", "OpenPGP_0x1.asc")),
        signature("pgp-signature", "signature.asc"), more=pgp), part(_footer(), encoding="7bit"))))  # fmt: skip
    add("pgp-mime-encrypted", lambda case: compound(case, multipart(
        "encrypted", part("Version: 1", "application/pgp-encrypted", "7bit"), _attached(
            "application/octet-stream", "-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----", "encrypted.asc"),
        more='; protocol="application/pgp-encrypted"')), NOTHING)  # fmt: skip
    add_text(
        "pgp-inline-encrypted",
        lambda _: f"-----BEGIN PGP MESSAGE-----\n\n{ARMOUR}\n-----END PGP MESSAGE-----\n",
        refused("FREE_TEXT", "NOTHING_READ"),
    )
    for name in ("signed-data", "enveloped-data"):
        kind = f'application/pkcs7-mime; smime-type={name}; name="smime.p7m"'
        add(f"smime-{name}", lambda case, kind=kind: mail(
            case, b64(b"\x30\x80" + crlf(usual(case))), kind=kind, encoding="base64"), NOTHING)  # fmt: skip
    add(
        "autocrypt",
        lambda case: mail(
            case,
            usual(case),
            fields={
                "Autocrypt": f"addr={SENDER}; prefer-encrypt=mutual; keydata={CRLF} "
                + f"{CRLF} ".join(["xjMEYwABCDEFGH"] * 90)
            },
        ),
    )


# --- Forwarded ---------------------------------------------------------------------------------------------------


def _forwards() -> None:
    heads = {
        "gmail": "---------- Forwarded message ---------\nVon: {0}\nDate: Mo., 2. Nov. 2026 um 12:02 Uhr\n"
        "Subject: Zug\nTo: <{1}>\n\n\n",
        "thunderbird": "-------- Weitergeleitete Nachricht --------\nBetreff: \tZug\n"
        "Datum: \tMon, 2 Nov 2026 12:02:03 +0100\nVon: \t{0}\nAn: \t{1}\n\n\n",
        "thunderbird-english": "-------- Forwarded Message --------\nSubject: \tZug\n"
        "Date: \tMon, 2 Nov 2026 12:02:03 +0100\nFrom: \t{0}\nTo: \t{1}\n\n\n",
        "apple": "Anfang der weitergeleiteten Nachricht:\n\nVon: {0}\nBetreff: Zug\n"
        "Datum: 2. November 2026 um 12:02:03 MEZ\nAn: {1}\n\n",
        "apple-english": "Begin forwarded message:\n\nFrom: {0}\nSubject: Zug\n"
        "Date: 2. November 2026 at 12:02:03 CET\nTo: {1}\n\n",
        "roundcube": "-------- Weitergeleitete Nachricht --------\nBETREFF: Zug\nDATUM: 2026-11-02 12:02\n"
        "VON: {0}\nAN: {1}\n\n",
        "proton": "------- Forwarded Message -------\nVon: {0}\nDatum: Am Montag, 2. November 2026 um 12:02\n"
        "Betreff: Zug\nAn: {1}\n\n",
        "gmx": "Gesendet: Montag, 02. November 2026 um 12:02 Uhr\nVon: {0}\nAn: {1}\nBetreff: Zug\n\n",
        "outlook": "-----Ursprüngliche Nachricht-----\nVon: {0} \nGesendet: Montag, 2. November 2026 12:02\n"
        "An: {1}\nBetreff: Zug\n\n",
    }
    for name, head in heads.items():
        full = head.format("Anna Berg <arbeit@firma.example>", HOME)
        # Without a mark of forwarding it looks like an answer to a mail that holds a move: either answer is right.
        other = ("offer",) if name in ("gmx", "outlook") else ()
        add_text(f"forward-{name}", lambda case, full=full: full + usual(case),
                 refused("FORWARDED", "NOTHING_BUT_QUOTED", *other), subject="WG: Zug")  # fmt: skip
        add_text(f"forward-{name}-comment", lambda case,
            full=full: f"Anbei mein Zug aus dem Büro.\n\n{full}{usual(case)}",
                 refused("FORWARDED", *other), subject="WG: Zug")  # fmt: skip
    add_text("forward-quoted", lambda case: heads["thunderbird"].format("Anna <a@firma.example>", HOME) + quoted(
        usual(case)), refused("FORWARDED", "NOTHING_BUT_QUOTED"), subject="Fwd: Zug")  # fmt: skip
    add_text("forward-with-own-move", lambda case: (
        f"{usual(case)}\n" + heads["gmail"].format("Bernd Cordes <bernd@spieler.example>", HOME)
        + letter(case.move.other.block)), subject="Fwd: Zug")  # fmt: skip
    add_text("forward-in-subject-only", usual, subject="WG: Zug")
    add_text("forward-of-our-bulletin", lambda case: heads["gmail"].format(f"{HOUSE} <{HOME}>", SENDER)
        + case.bulletin.text,
             refused("FORWARDED", "NOTHING_BUT_QUOTED", "FREE_TEXT"), subject="Fwd: Runde")  # fmt: skip
    for name, parts, outcome in (
        ("attached", lambda case: (part(""), _message(case)), FORWARDED),
        ("attached-alone", lambda case: (_message(case),), FORWARDED),
        ("attached-comment", lambda case: (part("Anbei mein Zug, schöne Grüße!"), _message(case)),
         refused("FORWARDED", "FREE_TEXT_ATTACHED")),
        ("attached-and-own-move", lambda case: (_text_part(case), _message(case, case.move.other)), TAKEN),
        ("attached-as-file", lambda case: (part("Anbei!"), part(
            mail(case, case.move.block), 'application/octet-stream; name="zug.eml"',
            content_disposition='attachment; filename="zug.eml"')), refused("FORWARDED", "FREE_TEXT_ATTACHED")),
    ):  # fmt: skip
        add(f"forward-{name}", lambda case, parts=parts: compound(
            case, multipart("mixed", *parts(case)), subject="WG: Zug"), outcome)  # fmt: skip
    add("forward-bare-rfc822", lambda case: mail(case, mail(case, case.move.block), kind="message/rfc822"), FORWARDED)
    moz = """<p>Schöne Grüße!</p><div class="moz-forward-container"><br><br>-------- Weitergeleitete Nachricht --------
<table class="moz-email-headers-table" cellspacing="0" cellpadding="0" border="0"><tbody><tr><th align="RIGHT" \
valign="BASELINE" nowrap="nowrap">Betreff: </th><td>Zug</td></tr><tr><th align="RIGHT" valign="BASELINE" \
nowrap="nowrap">Von: </th><td>Anna &lt;a@firma.example&gt;</td></tr></tbody></table><br><br>{}</div>"""
    gmail = """<div dir="ltr"><br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded \
message ---------<br>Von: <strong class="gmail_sendername">Anna</strong> <span dir="auto">&lt;\
a@firma.example&gt;</span><br>Date: Mo., 2. Nov. 2026 um 12:02&nbsp;Uhr<br>Subject: Zug<br>To: &lt;{home}&gt;<br></div>\
<br><br>{{}}</div></div>"""
    for name, page in {"thunderbird": moz, "gmail": gmail.format(home=HOME)}.items():
        add_html(
            f"forward-html-{name}",
            lambda case, page=page: page.format(breaks(usual(case))),
            FORWARDED,
            subject="Fwd: Zug",
        )


def _message(case: Case, move: Move | None = None) -> bytes:
    inner = mail(replace(case, style=f"{case.style}-inner"), letter((move or case.move).block))
    return part(inner, "message/rfc822", "8bit", content_disposition='attachment; filename="Zug.eml"')


# --- Header fields -----------------------------------------------------------------------------------------------


def _headers() -> None:
    for name, fields in {
        "no-message-id": {"Message-ID": None}, "two-message-ids": {"Message-ID": ["<a1@x.example>", "<a2@x.example>"]},
        "bare-message-id": {"Message-ID": "12345.abc"}, "empty-message-id": {"Message-ID": ""},

        "no-date": {"Date": None},
        "two-dates": {"Date": ["Tue, 03 Nov 2026 09:41:12 +0100", "Wed, 4 Nov 2026 09:00:00 Z"]},
        "date-2099": {"Date": "Fri, 01 Jan 2099 00:00:00 +0000"},
        "date-nonsense": {"Date": "gestern"},
        "no-to": {"To": None},
        "undisclosed": {"To": "undisclosed-recipients:;"}, "to-list": {"To": f"a@x.example, {HOME}, b@x.example"},
        "to-broken": {"To": "Dottendorfer, Soccer <zug@postspiel.example"},
        "from-bare": {"From": SENDER}, "from-capitals": {"From": f"ANNA BERG <{SENDER.upper()}>"},
        "from-comment": {"From": f"{SENDER} (Anna Berg)"}, "from-comma": {"From": f'"Berg, Anna" <{SENDER}>'},
        "from-q": {"From": f"{word('Änna Bérg'.encode())} <{SENDER}>"},
        "from-b": {"From": f"{word('Änna Bérg'.encode('latin-1'), 'iso-8859-1', 'B')} <{SENDER}>"},

        "from-itself": {"From": f'"{SENDER}" <{SENDER}>'}, "from-itself-bare": {"From": f"{SENDER} <{SENDER}>"},
        "from-folded": {"From": f"Anna{CRLF} Berg{CRLF}\t<{SENDER}>"},
        "from-apostrophes": {"From": f"'Anna Berg' <{SENDER}>"},
        "from-other-name": {"From": f"Bernd Cordes <{SENDER}>"},

        "reply-to": {"Reply-To": "ganz@woanders.example"},
        "suppress": {"X-Auto-Response-Suppress": "All"},
        "auto-submitted-no": {"Auto-Submitted": "no"}, "receipt-wanted": {"Disposition-Notification-To": SENDER},
        "no-mime-version": {"MIME-Version": None},
        "two-types": {"Content-Type": ["text/plain; charset=utf-8", "text/plain; charset=iso-8859-1"]},
        "type-capitals": {"Content-Type": "TEXT/PLAIN; CHARSET=UTF-8"}, "type-text": {"Content-Type": "text"},
        "type-broken": {"Content-Type": "text/plain;;; charset = utf-8 ;"}, "type-empty": {"Content-Type": ""},

        "type-nonsense": {"Content-Type": "klartext"},

        "raw-bytes": {"X-Wetter": b"sch\xf6n \xff\xfe"}, "long-field": {"X-Lang": "y" * 9000},
        "return-path": {"Return-Path": f"<{SENDER}>"},


    }.items():  # fmt: skip
        add_text(f"head-{name}", usual, fields=fields)
    for name, fields in {
        "no-from": {"From": None}, "empty-from": {"From": ""},
        "two-froms": {"From": [f"<{SENDER}>", "<x@evil.example>"]},
        "two-addresses": {"From": f"{SENDER}, zoe@spieler.example"},
        "spoofed-name": {"From": f"{SENDER} <x@evil.example>"},
        "group": {"From": f"Leute: {SENDER};"}, "auto-replied": {"Auto-Submitted": "auto-replied (vacation)"},
        "list": {"List-Id": "<spieler.listen.example>", "List-Post": "<mailto:spieler@listen.example>"},
        "loop": {"X-Loop": HOME},
    }.items():  # fmt: skip
        add_text(f"silent-{name}", usual, SILENT, fields=fields)
    # What may be a program's, or was passed on by one, is a move all the same.
    for name, fields in {
        "two-froms-same": {"From": [SENDER, SENDER]},
        "comma-unquoted": {"From": f"Berg, Anna <{SENDER}>"},
        "semicolon": {"From": f"Berg; Anna <{SENDER}>"}, "colon": {"From": f"Team: Anna <{SENDER}>"},
        "brackets": {"From": f"Anna [privat] <{SENDER}>"}, "bulk": {"Precedence": "bulk"},
        "null-sender": {"Return-Path": "<>"}, "autoreply": {"X-Autoreply": "yes"},
        "feedback-id": {"Feedback-ID": "1:2:3:provider"},
        "list-unsubscribe": {"List-Unsubscribe": "<mailto:x@y.example>"},
        "path-of-a-mailer": {"Return-Path": "<bounces+12-anna=spieler.example@mailer.example>"},
    }.items():  # fmt: skip
        add_text(f"marked-{name}", usual, fields=fields)
    add_text("marked-out-of-office", usual, subject=worded("Abwesenheitsnotiz: Runde ausgewertet – ZAT"))
    add_text("marked-automatic-reply", usual, subject="Automatic reply: [Eriwan]")
    add_text("marked-read", usual, subject="Gelesen: [Eriwan] Runde 1")
    add("silent-receipt", lambda case: compound(case, multipart(
        "report", _text_part(case),
        part("Disposition: manual-action; displayed", "message/disposition-notification", "7bit"),
        more="; report-type=disposition-notification")), SILENT)  # fmt: skip


def _subjects() -> None:
    text = "Zug für Köln – schöne Grüße"
    split = "für".encode()
    for name, subject in {
        "q": worded(text), "b": worded(text, way="B"),
        "windows": worded(text, "windows-1252", "B"), "split-q": f"{word(split[:2])}{CRLF} {word(split[2:])}",
        "split-b": f"{word(split[:2], way='B')}{CRLF} {word(split[2:], way='B')}",
        "raw-latin1": "schöne Grüße".encode("latin-1"), "empty": "", "unknown": "=?x-foo?Q?Z=FCg?=",
        "broken-word": "=?utf-8?B?Wvxn",
        "emoji": word("🎲🎲".encode()),
        "re-re": "Re: AW: Antwort: Re[2]: Zug", "nul": "Zug\0!",
        "in-brackets": word(b"[Eriwan] Zug"), "command-like": "Zug Eriwan",
        "game-and-title": "Crossword Eriwan: Zug",

    }.items():  # fmt: skip
        add_text(f"subject-{name}", usual, subject=subject)
    add_text("subject-missing", usual, fields={"Subject": None})
    add_text("subject-twice", usual, fields={"Subject": ["Zug", "[Eriwan] Zug"]})
    add_text("subject-encoded-brackets-no-title", lambda case: letter("\n".join(case.move.lines[1:])),
             subject=word("[Eriwan] für dich".encode()))  # fmt: skip
    add_text("subject-split-no-title", lambda case: letter("\n".join(case.move.lines[1:])),
             subject=f"Re: =?utf-8?Q?=5BEri?={CRLF} =?utf-8?Q?wan=5D_f=C3=BCr?=")  # fmt: skip


# --- Line ends and stray bytes -----------------------------------------------------------------------------------


def _bytes_and_lines() -> None:
    def changed(change: Callable[[bytes], bytes]) -> Callable[[Case], bytes]:
        return lambda case: change(mail(case, usual(case)))

    def body_changed(change: Callable[[bytes], bytes]) -> Callable[[Case], bytes]:
        return lambda case: mail(case, change(crlf(usual(case))))

    for name, change in {
        "line-feeds": lambda raw: raw.replace(b"\r\n", b"\n"), "returns": lambda raw: raw.replace(b"\r\n", b"\r"),
        "mbox": lambda raw: b"From anna@spieler.example Tue Nov  3 09:41:12 2026\r\n" + raw,
        "returns-doubled": lambda raw: raw.replace(b"\r\n", b"\r\r\n"),
        "no-last-line-end": lambda raw: raw.rstrip(), "many-last-line-ends": lambda raw: raw + b"\r\n" * 50,
    }.items():  # fmt: skip
        add(f"lines-all-{name}", changed(change))
    for name, change in {
        "returns": lambda data: data.replace(b"\r\n", b"\r"), "line-feeds": lambda data: data.replace(b"\r\n", b"\n"),

        "returns-doubled": lambda data: data.replace(b"\r\n", b"\r\r\n"), "form-feed": lambda data: b"\x0c" + data,
        "separators": lambda data: data.replace(b"\r\n", "\u2028".encode()),
        "paragraph-separators": lambda data: data.replace(b"\r\n\r\n", "\u2029".encode()),
        "nul-at-end": lambda data: data + b"\0\0", "nul-in-rows": lambda data: data.replace(b"..", b".\0."),
        "nul-lines": lambda data: b"\0\r\n" + data,
        "over-998": lambda data: b"x" * 1500 + b"\r\n\r\n" + data, "over-10000": lambda data: b"y z" * 9000 + b"\r\n"
        + data,
        "from-escaped": lambda data: b">From Bonn mit Liebe!\r\n\r\n" + data,
        "bom": lambda data: b"\xef\xbb\xbf" + data,
        "escape-sequences": lambda data: data.replace(b"Hallo", b"\x1b[1mHallo\x1b[0m"),
        "blank-top": lambda data: b"\r\n" * 40 + data,
        "vertical-tab": lambda data: data.replace(b"\r\n\r\n", b"\r\n\x0b\r\n"),
    }.items():  # fmt: skip
        add(f"lines-{name}", body_changed(change))
    add("lines-wrapped-title", lambda case: mail(case, letter(case.move.block.replace("Crossword ", "Crossword\n  "))),
        asked("Eriwan might be a row: six letters"))  # fmt: skip
    add("lines-html-escaped", lambda case: mail(case, f"&nbsp;{usual(case)}&lt;br&gt;"))


for _build in (
    _charsets, _transfer_encodings, _flowed, _rows, _blank_lines, _fields, _around, _below, _blocks, _replies,
    _programs,
    _markup, _alternatives, _nested, _attachments, _secured, _forwards, _headers, _subjects, _bytes_and_lines,
):  # fmt: skip
    _build()
