"""Mutated mails: realistic ones, damaged on every level. `mutated(number, ...)` always gives the same mail.

A mail begins as a letter (sender, subject, text), is written in the way of some mail program, and is then damaged in
its text, form, header, structure or bytes. Most are damaged once or twice only, so that they get deep into the service.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from .fields import BULKS, HEADERS
from .letters import Form, Letter, Rng, encoded_word
from .raw import BYTES
from .structure import STRUCTURES
from .texts import FLOODS, SUBJECTS, TEXTS
from .writers import WRITERS

__all__ = ["Letter", "borrowed", "mutated"]

HOME = "zug@postspiel.example"
FROM = re.compile(rb"\nFrom:[^\r\n]*")


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
