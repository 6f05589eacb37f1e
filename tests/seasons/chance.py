"""Chance from a seed: with it a season gives the same mails, rows and pages each time."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch

from waiting import TIMEOUT

from gm.service.inbound import handle


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """Let the seeds, secrets and numbers that the program draws come from this seed.

    Nothing else of it is chance but how long a mail takes to read: so no mail is put aside on a busy machine.
    """
    source = Random(f"secrets {seed}")

    def token_bytes(number: int | None = None) -> bytes:
        return source.randbytes(32 if number is None else number)

    with ExitStack() as stack:
        stack.enter_context(patch.object(secrets, "token_bytes", token_bytes))
        stack.enter_context(patch.object(secrets, "randbits", source.getrandbits))
        stack.enter_context(patch.object(handle, "SECONDS", TIMEOUT))
        yield
