"""The file with the tokens. Nobody else can read it. It is replaced in one step, by one process at a time."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gm.runtime import drafts
from gm.runtime.config.oauth import OAuth2
from gm.runtime.errors import TokenError
from gm.runtime.redaction import Secret


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """The result of a login: the token for the mail servers, when it expires, and the token to renew it with."""

    access: Secret
    refresh: Secret
    expires_at: float


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes and threads from renewing meanwhile: some providers take a renewal token only once."""
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def load_tokens(settings: OAuth2, username: str) -> Tokens | None:
    """Read the tokens of a mailbox; None if there are none. Raises TokenError."""
    entry = _entries(settings.tokens).get(_account(settings, username))
    if entry is None:
        return None
    try:
        access, refresh, until = str(entry["access_token"]), str(entry["refresh_token"]), float(entry["expires_at"])
    except (KeyError, TypeError, ValueError):
        raise _unreadable(settings.tokens) from None
    return Tokens(access=Secret(access), refresh=Secret(refresh), expires_at=until)


def store_tokens(settings: OAuth2, username: str, tokens: Tokens) -> None:
    """Store the tokens of a mailbox. They are on the disk when this returns. Raises TokenError."""
    entries = _entries(settings.tokens)
    entries[_account(settings, username)] = {
        "access_token": tokens.access.reveal(), "refresh_token": tokens.refresh.reveal(),
        "expires_at": tokens.expires_at,
    }  # fmt: skip
    try:
        drafts.replace(settings.tokens, json.dumps(entries, indent=1).encode())
    except OSError as error:
        raise _unusable(settings.tokens, error) from error


def _account(settings: OAuth2, username: str) -> str:
    """Return the key of a mailbox in the file. With another app or scope a new login is needed."""
    return " ".join((username, settings.token_url, settings.client_id, *sorted(settings.scope.split())))


def _entries(path: Path) -> dict[str, Any]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _unusable(path, error) from error
    except ValueError:
        raise _unreadable(path) from None
    if not isinstance(entries, dict):
        raise _unreadable(path)
    return entries


def _unusable(path: Path, error: OSError) -> TokenError:
    return TokenError(f"The tokens in {path} can't be used ({error.strerror}); check the file and its folder's rights.")


def _unreadable(path: Path) -> TokenError:
    return TokenError(f"{path} doesn't hold what `gm login` writes; remove it and run `gm login` again.")
