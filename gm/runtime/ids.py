"""Ids, keys and codes made from the database's secret. They are always the same, and can't be guessed."""

import base64
import hmac
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Purpose: TypeAlias = Literal["mail", "move key", "question", "owner"]

_TEXTS: Final[Mapping[Purpose, str]] = {
    "mail": "{}\n{}\n{}",
    "move key": "key:{}:{}:{}",
    "question": "question:{}",
    "owner": "owner of a mailbox",
}
"""The text that is hashed with the secret. No two purposes share a text: no id reveals anything about another."""


def digest_of(secret: str, purpose: Purpose, *values: object) -> bytes:
    """Return the HMAC of a purpose and its values, with the secret as the key."""
    return hmac.digest(secret.encode(), _TEXTS[purpose].format(*values).encode(), "sha256")


def id_of(secret: str, purpose: Purpose, *values: object, size: int = 15) -> str:
    """Return the first bytes of the digest as letters and digits, eight for five bytes."""
    return base64.b32encode(digest_of(secret, purpose, *values)[:size]).decode("ascii").lower()
