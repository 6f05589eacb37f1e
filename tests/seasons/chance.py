"""Chance from a seed: with it a season gives the same mails, rows and pages each time."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """Let the seeds, secrets and numbers that the program draws come from this seed; nothing else of it is chance."""
    source = Random(f"secrets {seed}")

    def token_bytes(number: int | None = None) -> bytes:
        return source.randbytes(32 if number is None else number)

    with patch.object(secrets, "token_bytes", token_bytes), patch.object(secrets, "randbits", source.getrandbits):
        yield
