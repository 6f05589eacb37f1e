"""Header fields lost, doubled, folded, forged and filled, also in bulk; and pages that are all tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .letters import ENCODINGS, KIB, ODD, Form, Rng, spot

Spoiling: TypeAlias = Callable[[Rng, Form], None]


def _double_field(rng: Rng, form: Form) -> None:
    form.fields.insert(spot(rng, form.fields), rng.choice(form.fields))


def _lose_field(rng: Rng, form: Form) -> None:
    del form.fields[spot(rng, form.fields)]


def _swap_values(rng: Rng, form: Form) -> None:
    one, other = spot(rng, form.fields), spot(rng, form.fields)
    form.fields[one], form.fields[other] = (
        (form.fields[one][0], form.fields[other][1]),
        (form.fields[other][0], form.fields[one][1]),
    )


def _fold_badly(rng: Rng, form: Form) -> None:
    at = spot(rng, form.fields)
    name, value = form.fields[at]
    cut = spot(rng, value)
    fold = rng.choice((b"\r\n ", b"\n\t", b"\r ", b"\r\n", b"\r\n\r\n", b"\n \n ", b"\r\n  \r\n "))
    form.fields[at] = (name, value[:cut] + fold * rng.choice((1, 1, 50)) + value[cut:])


def _odd_value(rng: Rng, form: Form) -> None:
    at = spot(rng, form.fields)
    name, value = form.fields[at]
    cut = spot(rng, value)
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
