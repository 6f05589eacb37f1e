"""MIME trees that are too deep, too broad, cut, or not what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .letters import Form, Rng
from .writers import join_parts, part, text_part

Spoiling: TypeAlias = Callable[[Rng, Form], None]


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
    join_parts(form, "mixed", [part("text/plain", form.body), text_part("Stand Eriwan")], boundary)
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
