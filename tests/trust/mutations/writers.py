"""As mail programs write a letter: plain, quoted-printable, HTML, with files, as a report, as a reply."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable, Sequence
from html import escape
from typing import TypeAlias

from .letters import CHARSETS, CRLF, ENCODINGS, ODD, Form, Rng, Texting, spot

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
    lambda rng, page: page[: spot(rng, page)],
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


def text_part(text: str) -> bytes:
    """Write a part in plain text."""
    return part("text/plain; charset=utf-8", _crlf(text), "Content-Transfer-Encoding: 8bit")


def join_parts(form: Form, kind: str, parts: Sequence[bytes], boundary: str = "=_grenze") -> None:
    """Make a multipart of these."""
    form.set("Content-Type", f'multipart/{kind}; boundary="{boundary}"')
    line = b"--" + boundary.encode()
    form.body = b"Vorspann" + CRLF + b"".join(line + CRLF + one + CRLF for one in parts) + line + b"--" + CRLF


def _alternative(rng: Rng, form: Form, text: str) -> None:
    plain = rng.choice((text, text, "", "Ihr Programm zeigt kein HTML.", text.replace("A", "B")))
    join_parts(form, "alternative", (text_part(plain), part("text/html; charset=utf-8", _crlf(page_of(rng, text)))))


def _mixed(rng: Rng, form: Form, text: str) -> None:
    file = part("application/octet-stream; name=x.bin", base64.encodebytes(rng.randbytes(900)),
                "Content-Transfer-Encoding: base64",
                f"Content-Disposition: attachment; filename=\"{rng.choice(ODD[9:30])}.eml\"")  # fmt: skip
    parts = [text_part(text), file]
    rng.shuffle(parts)
    join_parts(form, rng.choice(("mixed", "related", "signed", "encrypted", "digest", "x-foo", "parallel")), parts)


def _forwarded(rng: Rng, form: Form, text: str) -> None:
    inner = form.raw + _crlf(text)
    parts = [text_part(rng.choice(("", "Anbei!", text))), part("message/rfc822", inner)]
    join_parts(form, "mixed", parts)


def _bounce(rng: Rng, form: Form, text: str) -> None:
    action, code = rng.choice(("failed", "delayed", "")), rng.choice(("5.1.1", "4.4.1", "x", "9" * 50))
    status = (
        "Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; anna@spieler.example\r\n"
        f"Action: {action}\r\nStatus: {code}\r\n"
    )
    report = part("message/delivery-status", status.encode())
    join_parts(form, "report; report-type=delivery-status", (text_part(text), report, part("message/rfc822", form.raw)))
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
