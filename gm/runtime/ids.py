"""Ids, keys and codes that follow from the database's secret: always the same again, and not to be guessed."""

import base64
import hmac
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Purpose: TypeAlias = Literal["mail", "move key", "question", "pseudonym", "owner"]

_TEXTS: Final[Mapping[Purpose, str]] = {
    "mail": "{}\n{}\n{}",
    "move key": "key:{}:{}:{}",
    "question": "question:{}",
    "pseudonym": "pseudonym:{}",
    "owner": "owner of a mailbox",
}
"""What the secret is mixed with. No two purposes make the same text, so none tells anything about another."""


def digest_of(secret: str, purpose: Purpose, *values: object) -> bytes:
    """Mix the secret with what something is made for."""
    return hmac.digest(secret.encode(), _TEXTS[purpose].format(*values).encode(), "sha256")


def id_of(secret: str, purpose: Purpose, *values: object, size: int = 15) -> str:
    """Write the first bytes of it as letters and digits: eight for five bytes."""
    return base64.b32encode(digest_of(secret, purpose, *values)[:size]).decode("ascii").lower()
