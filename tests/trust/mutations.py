"""Mails that nobody meant to send: real-looking ones, spoilt on every level. `mutated(number, ...)` is always the same.

A mail begins as a letter (who, subject, text), is written as some mail program would, and is then spoilt: its text, its
form, its header, its structure, its bytes. Most are spoilt once or twice, so that they still get deep into the service.
"""

from __future__ import annotations

import base64
import quopri
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TypeAlias

Rng: TypeAlias = random.Random
CRLF = b"\r\n"
HOME = "zug@postspiel.example"
KIB = 1024
FROM = re.compile(rb"\nFrom:[^\r\n]*")

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
        """Give a field's value, empty where it is missing."""
        return next((value for known, value in self.fields if known == name), b"")

    @property
    def raw(self) -> bytes:
        """The mail."""
        lines = [b"%s: %s" % (name.encode(), value) for name, value in self.fields]
        return CRLF.join([*lines, *self.more, b"", self.body])


def mutated(number: int, letters: Sequence[Letter], mails: Sequence[bytes] = (), *, heavy: float = 0.004) -> bytes:
    """Make the mail with this number from one of these letters, or a whole mail by one of them.

    `heavy` is the share of those that are spoilt in bulk: they are the ones that take time.
    """
    rng = random.Random(f"mutated mail {number}")
    raw = rng.choice(mails) if mails and rng.random() < 0.2 else _written(rng, rng.choice(letters), heavy)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 5))):
        raw = rng.choice(BYTES)(rng, raw)
    return raw


def borrowed(number: int, letters: Sequence[Letter], mails: Sequence[bytes]) -> bytes:
    """Spoil one of these mails by others; every other one is sent by a writer of ours."""
    rng = random.Random(f"borrowed mail {number}")
    raw = rng.choice(mails)
    if rng.random() < 0.5:
        sender = b"\nFrom: " + rng.choice(letters).sender.encode()
        raw = FROM.sub(sender, raw, count=1)
    for _ in range(rng.choice((0, 1, 2, 5))):
        raw = rng.choice(BYTES)(rng, raw)
    return raw


def _written(rng: Rng, letter: Letter, heavy: float) -> bytes:
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        letter = replace(letter, text=rng.choice(TEXTS)(rng, letter.text))
    if rng.random() < heavy:
        letter = replace(letter, text=rng.choice(FLOODS)(rng, letter.text))
    if rng.random() < 0.2:
        letter = replace(letter, subject=rng.choice(SUBJECTS)(rng, letter.subject))
    form = _begun(rng, letter)
    rng.choice(WRITERS)(rng, form, letter.text)
    if rng.random() < heavy:
        rng.choice(BULKS)(rng, form)
    for _ in range(rng.choice((0, 0, 1, 2))):
        rng.choice(HEADERS)(rng, form)
    if rng.random() < 0.25:
        rng.choice(STRUCTURES)(rng, form)
    return form.raw


def _begun(rng: Rng, letter: Letter) -> Form:
    name = letter.name if letter.name.isascii() else encoded_word(rng, letter.name)
    subject = letter.subject if letter.subject.isascii() else encoded_word(rng, letter.subject)
    form = Form(fields=[], body=b"")
    form.set("Date", "Tue, 03 Nov 2026 09:41:12 +0100")
    form.set("From", f"{name} <{letter.sender}>")
    form.set("To", HOME)
    form.set("Subject", subject)
    form.set("Message-ID", f"<{rng.getrandbits(64):x}@spieler.example>")
    form.set("MIME-Version", "1.0")
    return form


def encoded_word(rng: Rng, text: str) -> str:
    """Write a text as an encoded word, now and then in the wrong way."""
    charset = rng.choice(("utf-8", "utf-8", "iso-8859-1", rng.choice(CHARSETS)))
    data = text.encode("utf-8", "replace")
    if rng.random() < 0.5:
        return f"=?{charset}?B?{base64.b64encode(data).decode()}?="
    return f"=?{charset}?Q?{''.join(f'={byte:02X}' for byte in data)}?="


# -- the writer's text -------------------------------------------------------------------------------------------------

Texting: TypeAlias = Callable[[Rng, str], str]


def _lines(change: Callable[[Rng, list[str]], None]) -> Texting:
    def changed(rng: Rng, text: str) -> str:
        lines = text.split("\n")
        change(rng, lines)
        return "\n".join(lines)

    return changed


def _at(rng: Rng, what: Sequence[object]) -> int:
    return rng.randrange(len(what)) if what else 0


def _drop_line(rng: Rng, lines: list[str]) -> None:
    del lines[_at(rng, lines)]


def _double_line(rng: Rng, lines: list[str]) -> None:
    at = _at(rng, lines)
    lines[at:at] = [lines[at]] * rng.choice((1, 2, 30))


def _swap_lines(rng: Rng, lines: list[str]) -> None:
    one, other = _at(rng, lines), _at(rng, lines)
    lines[one], lines[other] = lines[other], lines[one]


def _join_lines(rng: Rng, lines: list[str]) -> None:
    at = _at(rng, lines)
    lines[at : at + 2] = [rng.choice(("", " ", "   ", "\t")).join(lines[at : at + 2])]


def _break_line(rng: Rng, lines: list[str]) -> None:
    at = _at(rng, lines)
    cut = _at(rng, lines[at])
    lines[at : at + 1] = [lines[at][:cut], lines[at][cut:]]


def _quote_from(rng: Rng, lines: list[str]) -> None:
    at, mark = _at(rng, lines), rng.choice(("> ", ">", "| ", "> > > ", ">>>>>>>> ", "AB> ", "> " * 500))
    lines[at:] = [mark + line for line in lines[at:]]


def _space_out(rng: Rng, lines: list[str]) -> None:
    at = _at(rng, lines)
    lines[at] = rng.choice((" ", "  ", "\u00a0", "\u200b", "\t")).join(lines[at])


def _change_case(rng: Rng, lines: list[str]) -> None:
    at = _at(rng, lines)
    lines[at] = rng.choice((str.upper, str.lower, str.swapcase, str.title))(lines[at])


def _put_number(rng: Rng, lines: list[str]) -> None:
    at = _at(rng, lines)
    head = lines[at].rpartition(" ")[0] or lines[at]
    lines[at] = f"{head} {rng.choice(NUMBERS)}"


def _odd_line(rng: Rng, lines: list[str]) -> None:
    line = rng.choice(
        ("--", "-- ", "_" * 40, "-----Ursprüngliche Nachricht-----", "Am 21.11.2026 schrieb Anna:", "Von: a", "Ende",
         "Name: Bernd", "Name:", "Stand: " + rng.choice(NUMBERS), "Runde: " + rng.choice(NUMBERS), "Neu:", "Neu: *",
         "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----",
         "Anfang der weitergeleiteten Nachricht:",
         "On 1 Nov 2026, Anna <a@b> wrote:", "GM: hallo", "gm status", "Ja", "Presse Eriwan: x", "```",
         "|....|"))  # fmt: skip
    lines.insert(_at(rng, lines), line)


def _odd_sign(rng: Rng, text: str) -> str:
    at = _at(rng, text)
    return text[:at] + rng.choice(ODD) * rng.choice((1, 1, 3, 40)) + text[at + rng.choice((0, 1)) :]


def _odd_signs(rng: Rng, text: str) -> str:
    odd = rng.choice(ODD)
    return "".join(sign + odd if rng.random() < 0.2 else sign for sign in text)


def _cut(rng: Rng, text: str) -> str:
    return text[: _at(rng, text)]


def _twice(rng: Rng, text: str) -> str:
    return text + rng.choice(("", "\n", "\n\n", "\nVON VORN\n")) + text


TEXTS: Sequence[Texting] = (
    *map(_lines, (_drop_line, _double_line, _swap_lines, _join_lines, _break_line, _quote_from, _space_out,
                  _change_case, _put_number, _put_number, _odd_line, _odd_line)),
    _odd_sign, _odd_sign, _odd_signs, _cut, _twice,
)  # fmt: skip
FLOODS: Sequence[Texting] = (
    lambda rng, text: text + "\n" + rng.choice("a.>| -_*:\u0301\u202e\u00a0\U0001f3b2ß") * 64 * KIB,
    lambda rng, text: (text + rng.choice(("\n", "\n\n"))) * (60 * KIB // (len(text) + 2)),
    lambda rng, text: "\n".join(rng.choice(ODD) for _ in range(8 * KIB)) + text,
    lambda _, text: "\n".join(("> " * min(n, 400)) + "Zug" for n in range(300)) + text,
    lambda rng, text: rng.choice(("\n", " \n", ">\n", "Neu:\n", "Neu: E\n", "......\n", "Crossword Eriwan\n", "AB.\n"))
    * (12 * KIB) + text,
    lambda _, text: "\n".join(f"{word} Eriwan" for word in ("Warten", "Stand", "Zurückziehen", "Fertig")
                                for _ in range(1500)) + text,
    lambda rng, text: rng.choice(("Am 21.11.2026 schrieb ", "Presse ", "Von: ", "-- ", "a@b <", "=?utf-8?Q?", "* ",
    "GM: "))
    * (3 * KIB) + text,
    lambda _, text: "".join(letter + "\u0323\u0307\u0301" * 60 for letter in text[:300]),
    lambda _, text: "Presse Eriwan\n" * 2000 + text,
    lambda _, text: "Einspruch Eriwan " + "W" * 60 + ": " + "weil " * 9000 + text,
)  # fmt: skip
SUBJECTS: Sequence[Texting] = (
    _odd_sign, _odd_signs, _cut, _twice,
    lambda rng, text: "Re: " * rng.choice((3, 2000)) + text,
    lambda rng, text: "[Eriwan] " * rng.choice((1, 900)) + text,
    lambda rng, text: text + rng.choice(("[Frage ABCDEFGH]", "[Frage 23456789]", "[extern]", "[", "]" * 300)),
    lambda rng, _: rng.choice(("Presse Eriwan", "Anmeldung Crossword", "gm close Eriwan", "Ja", "GM: Hallo", "Stand",
    "")),
)  # fmt: skip


# -- as mail programs write it -----------------------------------------------------------------------------------------

Writing: TypeAlias = Callable[[Rng, Form, str], None]


def _crlf(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").replace(b"\n", CRLF)


def _plain(rng: Rng, form: Form, text: str) -> None:
    form.set(
        "Content-Type", "text/plain; charset=utf-8" + rng.choice(("", "; format=flowed", "; format=flowed; delsp=yes"))
    )
    form.set("Content-Transfer-Encoding", "8bit")
    form.body = _crlf(text)


def _quoted_printable(_rng: Rng, form: Form, text: str) -> None:
    form.set("Content-Type", "text/plain; charset=utf-8")
    form.set("Content-Transfer-Encoding", "quoted-printable")
    form.body = quopri.encodestring(_crlf(text).replace(CRLF, b"\n")).replace(b"\n", CRLF)


def _base64(rng: Rng, form: Form, text: str) -> None:
    form.set("Content-Type", "text/plain; charset=utf-8")
    form.set("Content-Transfer-Encoding", "base64")
    data = base64.encodebytes(_crlf(text)).replace(b"\n", CRLF)
    form.body = (
        data if rng.random() < 0.8 else data.rstrip(b"=\r\n") + rng.choice((b"", b"!", b"====", b"\r\n-- \r\nListe"))
    )


def _charset(rng: Rng, form: Form, text: str) -> None:
    """In a charset that Python may know, declared as that or as another one."""
    charset = rng.choice(CHARSETS)
    try:
        data = _crlf(text).decode("utf-8", "replace").encode(charset, "replace")
    except (LookupError, ValueError, TypeError):
        data = _crlf(text)
    form.set("Content-Type", f"text/plain; charset={charset if rng.random() < 0.7 else rng.choice(CHARSETS)}")
    form.set("Content-Transfer-Encoding", rng.choice(("8bit", "base64", rng.choice(ENCODINGS))))
    form.body = base64.encodebytes(data) if form.get("Content-Transfer-Encoding") == b"base64" else data


def page_of(rng: Rng, text: str) -> str:
    """Write a text as some program's HTML, now and then as broken HTML."""
    lines = [escape(line.replace("\0", "")) or "<br>" for line in text.split("\n")]
    page = rng.choice(
        (lambda: "<br>\n".join(lines), lambda: "".join(f"<div>{line}</div>" for line in lines),
         lambda: "".join(f"<p class=MsoNormal>{line}<o:p></o:p></p>" for line in lines),
         lambda: f"<pre>{chr(10).join(lines)}</pre>",
         lambda: "<table>" + "".join(f"<tr><td>{'</td><td>'.join(line)}</td></tr>" for line in lines[:40]) + "</table>",
         lambda: f"<ol><li>{'<li>'.join(lines)}</ol>"))()  # fmt: skip
    return rng.choice(PAGES)(rng, page)


PAGES: Sequence[Texting] = (
    lambda _, page: f"<html><body>{page}</body></html>",
    lambda _, page: f"<html><head><style>p{{}}</style></head><body>{page}<blockquote>{page}</blockquote></body></html>",
    lambda _, page: page,
    lambda rng, page: page[: _at(rng, page)],
    lambda _, page: page.replace("</div>", "").replace("</p>", ""),
    lambda _, page: f"{page}<!-- {page}",
    lambda _, page: f"<div style='display:none'>{page}</div><span style='font-size:0'>x</span>",
    lambda rng, page: "<div>" * rng.choice((100, 160, 800)) + page,
    lambda rng, page: page + rng.choice(("&#x110000;", "&#0;", "&#55296;", "&" * 200, "&nbsp" * 50, "&zwnj;",
    "&#99999999999;")),
    lambda rng, page: f"<blockquote>{'<blockquote>' * rng.choice((1, 30, 100))}{page}",
    lambda _, page: f"<?xml version='1.0' encoding='utf-16'?>{page}",
    lambda _, page: f"<html xmlns='x'><body><svg><script>{page}</script></svg><![CDATA[{page}]]>",
    lambda _, page: f"<base href='x'><table><tr><td colspan=99999999 rowspan=99999999>{page}<td width=-1>",
    lambda _, page: f"<p style='margin:{'9' * 50}px;padding-left:99999em;white-space:pre;display:x'>{page}",
    lambda rng, page: "<ul>" * rng.choice((5, 60)) + page,
    lambda _, page: f"<a href='{'x' * 900}'>{page}</a><img alt='{'y' * 900}'>",
)  # fmt: skip


def _html(rng: Rng, form: Form, text: str) -> None:
    form.set("Content-Type", "text/html; charset=utf-8")
    form.set("Content-Transfer-Encoding", "8bit")
    form.body = _crlf(page_of(rng, text))


def part(kind: str, body: bytes, *more: str) -> bytes:
    """Write a MIME part."""
    head = [f"Content-Type: {kind}", *more]
    return CRLF.join([*(line.encode() for line in head), b"", body])


def _text_part(text: str) -> bytes:
    return part("text/plain; charset=utf-8", _crlf(text), "Content-Transfer-Encoding: 8bit")


def join_parts(form: Form, kind: str, parts: Sequence[bytes], boundary: str = "=_grenze") -> None:
    """Make a multipart of these."""
    form.set("Content-Type", f'multipart/{kind}; boundary="{boundary}"')
    line = b"--" + boundary.encode()
    form.body = b"Vorspann" + CRLF + b"".join(line + CRLF + one + CRLF for one in parts) + line + b"--" + CRLF


def _alternative(rng: Rng, form: Form, text: str) -> None:
    plain = rng.choice((text, text, "", "Ihr Programm zeigt kein HTML.", text.replace("A", "B")))
    join_parts(form, "alternative", (_text_part(plain), part("text/html; charset=utf-8", _crlf(page_of(rng, text)))))


def _mixed(rng: Rng, form: Form, text: str) -> None:
    file = part("application/octet-stream; name=x.bin", base64.encodebytes(rng.randbytes(900)),
                "Content-Transfer-Encoding: base64",
                f"Content-Disposition: attachment; filename=\"{rng.choice(ODD[9:30])}.eml\"")  # fmt: skip
    parts = [_text_part(text), file]
    rng.shuffle(parts)
    join_parts(form, rng.choice(("mixed", "related", "signed", "encrypted", "digest", "x-foo", "parallel")), parts)


def _forwarded(rng: Rng, form: Form, text: str) -> None:
    inner = form.raw + _crlf(text)
    parts = [_text_part(rng.choice(("", "Anbei!", text))), part("message/rfc822", inner)]
    join_parts(form, "mixed", parts)


def _bounce(rng: Rng, form: Form, text: str) -> None:
    action, code = rng.choice(("failed", "delayed", "")), rng.choice(("5.1.1", "4.4.1", "x", "9" * 50))
    status = (
        "Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; anna@spieler.example\r\n"
        f"Action: {action}\r\nStatus: {code}\r\n"
    )
    report = part("message/delivery-status", status.encode())
    join_parts(
        form, "report; report-type=delivery-status", (_text_part(text), report, part("message/rfc822", form.raw))
    )
    if rng.random() < 0.5:
        form.set("From", rng.choice(("MAILER-DAEMON@mx.example", "<>", "Mail System <postmaster@spieler.example>")))
        form.set("Return-Path", "<>")


def _reply(rng: Rng, form: Form, text: str) -> None:
    form.set("In-Reply-To", rng.choice(("<1@postspiel.example>", "<", "<a b>", f"<{'x' * 950}@b>")))
    form.set("References", " ".join(f"<{n}@postspiel.example>" for n in range(rng.choice((1, 40, 300)))))
    quoted = "\n".join(f"> {line}" for line in text.split("\n"))
    head = rng.choice(("Am 2. November 2026 schrieb Dottendorfer Soccer <zug@postspiel.example>:",
        "zug@postspiel.example wrote:",
                       "-----Ursprüngliche Nachricht-----\nVon: Zug\nGesendet: heute"))  # fmt: skip
    _plain(rng, form, rng.choice((f"{text}\n\n{head}\n{quoted}", f"{head}\n{quoted}\n\n{text}", f"{head}\n{quoted}")))


WRITERS: Sequence[Writing] = (
    _plain, _plain, _plain, _plain, _quoted_printable, _quoted_printable, _base64, _charset, _charset, _html, _html,
    _alternative, _alternative, _mixed, _forwarded, _bounce, _reply, _reply,
)  # fmt: skip


# -- header fields -----------------------------------------------------------------------------------------------------

Spoiling: TypeAlias = Callable[[Rng, Form], None]


def _double_field(rng: Rng, form: Form) -> None:
    form.fields.insert(_at(rng, form.fields), rng.choice(form.fields))


def _lose_field(rng: Rng, form: Form) -> None:
    del form.fields[_at(rng, form.fields)]


def _swap_values(rng: Rng, form: Form) -> None:
    one, other = _at(rng, form.fields), _at(rng, form.fields)
    form.fields[one], form.fields[other] = (
        (form.fields[one][0], form.fields[other][1]),
        (form.fields[other][0], form.fields[one][1]),
    )


def _fold_badly(rng: Rng, form: Form) -> None:
    at = _at(rng, form.fields)
    name, value = form.fields[at]
    cut = _at(rng, value)
    fold = rng.choice((b"\r\n ", b"\n\t", b"\r ", b"\r\n", b"\r\n\r\n", b"\n \n ", b"\r\n  \r\n "))
    form.fields[at] = (name, value[:cut] + fold * rng.choice((1, 1, 50)) + value[cut:])


def _odd_value(rng: Rng, form: Form) -> None:
    at = _at(rng, form.fields)
    name, value = form.fields[at]
    cut = _at(rng, value)
    form.fields[at] = (name, value[:cut] + rng.choice(ODD).encode() * rng.choice((1, 9)) + value[cut:])


def _other_from(rng: Rng, form: Form) -> None:
    sender = form.get("From")
    form.set("From", rng.choice(
        (b"", b"<>", b"@", b"(" * 400 + sender, sender + b", bernd@spieler.example", b"Leute: " + sender + b";",
         b"anna@spieler.example <x@evil.example>", b'"' + sender, b"\\" * 500 + sender, sender.replace(b"@", b"@@"),
         sender.replace(b".", b"\xef\xbc\x8e"), b"=?utf-8?Q?" + sender + b"?=", b"<@a,@b:" + sender + b">",
         sender.upper(),
         sender + b" (Kommentar (im (Kommentar)))", b"a" * 70 + sender, b"anna@xn--spieler-.example",
         b"cici@postspiel.example",
         b"zug@postspiel.example", b"mailer-daemon@spieler.example", sender + b"\0", b"<" * 900 + sender)))  # fmt: skip


def _robot_field(rng: Rng, form: Form) -> None:
    form.fields.append(rng.choice(
        (("Auto-Submitted", b"auto-replied"), ("Auto-Submitted", b"no (" + b"(" * 3000), ("Precedence", b"bulk"),
        ("List-Id", b"<x>"),
         ("Return-Path", b"<>"), ("X-Loop", b"zug@postspiel.example"), ("Reply-To", b"noreply@x"), ("Reply-To",
         b"@" * 5000),
         ("Received", b"from a by b"), ("X-Failed-Recipients", b"anna@spieler.example"), ("X-Autoreply", b""),
         ("Content-Disposition", b"attachment"), ("Authentication-Results",
         b"mx.example; dmarc=fail " + b"(" * 999))))  # fmt: skip


def _odd_line_in_header(rng: Rng, form: Form) -> None:
    form.more.append(rng.choice(
        (b": kein Name", b"kein Doppelpunkt", b" gefaltet", b"\xff\xfe: \x80", b"Sub ject: x", b"X" * 2000 + b": x",
        b"\0: \0", b"X-:",
         b"From anna@spieler.example Tue Nov  3", b">From x", b"Subject : x", b"X-Umlaut: \xe4\xf6", b"\r",
         b"\n")))  # fmt: skip


def _wrong_type(rng: Rng, form: Form) -> None:
    kind = rng.choice(("text", "text/", "/", "text/plain", "text/html", "text/calendar", "application/json",
        "multipart/mixed",
                       "multipart", "message/rfc822", "message/partial", "message/external-body", "image/png",
                       "TEXT/PLAIN",
                       "text/plain; charset", "text/plain; charset=\"", "text/plain; charset*=utf-8''utf-8",
                       "text/plain; charset*0=ut; charset*1=f-8", f"text/{'x' * 900}", "text/plain; " + "a=b; " * 600,
                       ""))  # fmt: skip
    form.set("Content-Type", kind)
    if rng.random() < 0.5:
        form.set("Content-Transfer-Encoding", rng.choice(ENCODINGS))


HEADERS: Sequence[Spoiling] = (
    _double_field, _double_field, _lose_field, _swap_values, _fold_badly, _fold_badly, _odd_value, _odd_value,
    _other_from,
    _robot_field, _odd_line_in_header, _wrong_type,
)  # fmt: skip


def _field_a_thousand_times(rng: Rng, form: Form) -> None:
    name, value = rng.choice(form.fields)
    form.fields += [(rng.choice((name, "X-Viel")), value)] * rng.choice((1000, 5000))


def _long_field(rng: Rng, form: Form) -> None:
    name = rng.choice(
        ("Subject", "From", "To", "References", "Message-ID", "Content-Type", "X-Lang", "Received", "Reply-To")
    )
    piece = rng.choice((b"x", b"<a@b> ", b"(", b'"', b"\\", b"=?utf-8?Q?=C3=BC?= ", b"=?utf-8?B?w7w=?=\r\n ",
        b"\xc3\xbc", b"\r\n ", b"; a=b",
                        b"=?", b"[a] ", b"Re: ", b"@", b"<", b",", b"\t"))  # fmt: skip
    size = rng.choice((9, 200, 1000)) * KIB
    form.set(name, form.get(name) + piece * (size // len(piece)))


def _names_a_thousand(rng: Rng, form: Form) -> None:
    form.more += [b"X-%x: %x" % (n, n) for n in range(rng.choice((3000, 20000)))]


def _big_page(rng: Rng, form: Form) -> None:
    form.set("Content-Type", "text/html; charset=utf-8")
    form.set("Content-Transfer-Encoding", "8bit")
    form.body = rng.choice(BIG_PAGES)() + form.body


BIG_PAGES: Sequence[Callable[[], bytes]] = (
    lambda: b"<div>" * 200_000, lambda: b"<div>x</div>" * 20_000, lambda: b"<b>" * 80_000, lambda: b"<!--" * 60_000,
    lambda: b"<p style='margin:0'>&nbsp;" * 9_000, lambda: b"<table><tr><td>" * 140,
    lambda: b"<table><tr><td>" * 16_000,
    lambda: b"<blockquote>x" * 140, lambda: (b"<blockquote>" * 70 + b"x" + b"</blockquote>" * 70) * 140,
    lambda: b"<blockquote>x</blockquote>" * 9_000,
    lambda: b"&amp;" * 50_000, lambda: b"&" * 250_000, lambda: b"<" * 250_000, lambda: b"<a " + b"x=y " * 60_000,
    lambda: b"<table>" + (b"<tr>" + b"<td>" * 200) * 200, lambda: b"<ul><li>" * 140 + b"x" * 99_999,
    lambda: b"<br>" * 60_000,
    lambda: b"<div style='padding-left:99999em'>x<br>" * 140 + b"x<br>" * 9_000, lambda: b"</body></html>" * 18_000,
    lambda: b"<div><p>&nbsp;</p>" * 149 + b"<p>&nbsp;</p>" * 15_000, lambda: b"<pre>" + b"x\n" * 100_000,
    lambda: b"<div>" * 140 + b"<p style='margin:0'>\xc2\xa0</p>" * 7_000,
    lambda: b"<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>e</table>" * 4_000,
)  # fmt: skip
BULKS: Sequence[Spoiling] = (_field_a_thousand_times, _long_field, _long_field, _names_a_thousand, _big_page, _big_page)


# -- structure ---------------------------------------------------------------------------------------------------------


def _nest(rng: Rng, form: Form) -> None:
    depth = rng.choice((2, 5, 20, 38, 45, 300, 1000))
    body, kind = form.body, form.get("Content-Type").decode("utf-8", "replace") or "text/plain"
    head = b"".join(b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (n, n + 1) for n in range(depth))
    tail = b"".join(b"\r\n--b%d--\r\n" % n for n in range(depth, -1, -1))
    form.set("Content-Type", "multipart/mixed; boundary=b0")
    form.body = head + b"--b%d\r\n" % depth + part(kind, body) + tail


def _nest_mails(rng: Rng, form: Form) -> None:
    depth = rng.choice((1, 3, 30, 300, 1000))
    inner = form.raw
    form.set("Content-Type", "message/rfc822")
    form.body = b"Content-Type: message/rfc822\r\n\r\n" * (depth - 1) + inner


def _many_parts(rng: Rng, form: Form) -> None:
    kind = rng.choice(("text/plain", "text/html", "message/rfc822", "application/x", "text/plain; charset=utf-16"))
    join_parts(form, "mixed", [part(kind, form.body[:2000])] * rng.choice((3, 150, 250)))


def _odd_boundary(rng: Rng, form: Form) -> None:
    boundary = rng.choice(
        ("", " ", "-", "--", "=_grenze--", '"', "\\", "(", "x" * 2000, "ü", "\0", "%", "[a-z]*", "=_grenze ; x")
    )
    join_parts(form, "mixed", [part("text/plain", form.body), _text_part("Stand Eriwan")], boundary)
    if rng.random() < 0.5:
        form.set("Content-Type", rng.choice(('multipart/mixed', 'multipart/mixed; boundary=',
            f"multipart/mixed; boundary={boundary}",
                                             "multipart/mixed; boundary=fremd", 'multipart/mixed; boundary="',
                                             "multipart/")))  # fmt: skip


def _cut_boundary(rng: Rng, form: Form) -> None:
    form.body = form.body.replace(
        b"--=_grenze",
        rng.choice((b"--=_grenz", b"-=_grenze", b"--=_grenze--", b"--=_grenze \t", b"")),
        rng.choice((1, 9)),
    )


def _same_boundary_inside(_rng: Rng, form: Form) -> None:
    inner = part('multipart/alternative; boundary="=_grenze"', form.body)
    join_parts(form, "mixed", [inner, inner])


STRUCTURES: Sequence[Spoiling] = (
    _nest, _nest_mails, _many_parts, _odd_boundary, _odd_boundary, _cut_boundary, _same_boundary_inside,
)  # fmt: skip


# -- bytes -------------------------------------------------------------------------------------------------------------

Bytes: TypeAlias = Callable[[Rng, bytes], bytes]


def _flip(rng: Rng, raw: bytes) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.choice((1, 1, 8, len(raw) // 20))):
        if data:
            data[_at(rng, data)] ^= 1 << rng.randrange(8)
    return bytes(data)


def _insert(rng: Rng, raw: bytes) -> bytes:
    at = _at(rng, raw)
    odd = rng.choice((b"\0", b"\0" * 50, b"\xff", b"\xfe\xff", b"\xff\xfe", b"\r", b"\n", b"\r\n\r\n", b"\x1a",
        b"\x80" * 9, b"--", b"=\r\n", b"{3}\r\n",
                      b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", bytes(range(256))))  # fmt: skip
    return raw[:at] + odd + raw[at:]


def _piece(rng: Rng, raw: bytes) -> tuple[int, int]:
    start = _at(rng, raw)
    return start, min(len(raw), start + rng.choice((1, 30, 400)))


def _lose(rng: Rng, raw: bytes) -> bytes:
    start, stop = _piece(rng, raw)
    return raw[:start] + raw[stop:]


def _repeat(rng: Rng, raw: bytes) -> bytes:
    start, stop = _piece(rng, raw)
    return raw[:stop] + raw[start:stop] * rng.choice((1, 1, 20)) + raw[stop:]


def _move(rng: Rng, raw: bytes) -> bytes:
    start, stop = _piece(rng, raw)
    rest = raw[:start] + raw[stop:]
    at = _at(rng, rest)
    return rest[:at] + raw[start:stop] + rest[at:]


BYTES: Sequence[Bytes] = (
    _flip, _flip, _insert, _insert, _lose, _repeat, _move,
    lambda rng, raw: raw[: _at(rng, raw)],
    lambda _, raw: raw.replace(CRLF, b"\n"),
    lambda _, raw: raw.replace(CRLF, b"\r"),
    lambda _, raw: raw.replace(CRLF, b"\r\r\n"),
    lambda _, raw: b"\xef\xbb\xbf" + raw,
    lambda _, raw: b"From anna@spieler.example Tue Nov  3 09:41:12 2026\r\n" + raw,
    lambda _, raw: raw.decode("latin-1").encode("utf-16"),
    lambda rng, raw: raw.translate(bytes.maketrans(b"=", rng.choice((b" ", b"-", b"\0")))),
)  # fmt: skip
