"""Bytes flipped, lost, moved and repeated on the way, whatever they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .letters import CRLF, Rng, spot

Bytes: TypeAlias = Callable[[Rng, bytes], bytes]


def _flip(rng: Rng, raw: bytes) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.choice((1, 1, 8, len(raw) // 20))):
        if data:
            data[spot(rng, data)] ^= 1 << rng.randrange(8)
    return bytes(data)


def _insert(rng: Rng, raw: bytes) -> bytes:
    at = spot(rng, raw)
    odd = rng.choice((b"\0", b"\0" * 50, b"\xff", b"\xfe\xff", b"\xff\xfe", b"\r", b"\n", b"\r\n\r\n", b"\x1a",
        b"\x80" * 9, b"--", b"=\r\n", b"{3}\r\n",
                      b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", bytes(range(256))))  # fmt: skip
    return raw[:at] + odd + raw[at:]


def _piece(rng: Rng, raw: bytes) -> tuple[int, int]:
    start = spot(rng, raw)
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
    at = spot(rng, rest)
    return rest[:at] + raw[start:stop] + rest[at:]


BYTES: Sequence[Bytes] = (
    _flip, _flip, _insert, _insert, _lose, _repeat, _move,
    lambda rng, raw: raw[: spot(rng, raw)],
    lambda _, raw: raw.replace(CRLF, b"\n"),
    lambda _, raw: raw.replace(CRLF, b"\r"),
    lambda _, raw: raw.replace(CRLF, b"\r\r\n"),
    lambda _, raw: b"\xef\xbb\xbf" + raw,
    lambda _, raw: b"From anna@spieler.example Tue Nov  3 09:41:12 2026\r\n" + raw,
    lambda _, raw: raw.decode("latin-1").encode("utf-16"),
    lambda rng, raw: raw.translate(bytes.maketrans(b"=", rng.choice((b" ", b"-", b"\0")))),
)  # fmt: skip
