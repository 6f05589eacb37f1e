"""`[imap.oauth2]` and `[smtp.oauth2]`: whose app asks for tokens, and where."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from gm.runtime.config import values as read
from gm.runtime.network import is_loopback
from gm.runtime.redaction import Secret


def endpoint(value: Any, _folder: Path) -> str:
    """A web address that a token may be asked from: encrypted, unless it is on this machine."""
    if value == "":
        return ""
    parts = urlsplit(value) if isinstance(value, str) and re.fullmatch(r"https?://[^\s\"'<>@?#]+", value) else None
    if parts and parts.hostname and (parts.scheme == "https" or is_loopback(parts.hostname)):
        return str(value)
    raise read.Wrong("an address like https://login.example.org/token (http only on this machine)")


def organisation(value: Any, _folder: Path) -> str:
    """Microsoft's name of an organisation."""
    if isinstance(value, str) and re.fullmatch(r"[\w.-]+", value):
        return value
    raise read.Wrong("common, consumers, organizations, or the id or domain of your organisation")


@dataclass(frozen=True, kw_only=True)
class OAuth2:
    """How to get tokens for one mailbox. The GM registers an app at the provider and names it here."""

    provider: Annotated[Literal["google", "microsoft", "other"], read.choice("google", "microsoft", "other")]
    client_id: Annotated[str, read.line]
    client_secret: Secret = field(default_factory=Secret)
    tenant: Annotated[str, organisation] = "common"
    authorize_url: Annotated[str, endpoint] = ""
    device_url: Annotated[str, endpoint] = ""
    token_url: Annotated[str, endpoint] = ""
    scope: Annotated[str, read.line_or_nothing] = ""
    tokens: Annotated[Path, read.path] = Path("tokens.json")

    @property
    def host(self) -> str:
        """Who gives the tokens."""
        return urlsplit(self.token_url).hostname or ""


_MICROSOFT: Final = "https://login.microsoftonline.com/{tenant}/oauth2/v2.0"
_KNOWN: Final[Mapping[str, Mapping[str, str]]] = {
    "google": {
        "authorize_url": "https://accounts.google.com/o/oauth2/v2/auth",
        "token_url": "https://oauth2.googleapis.com/token",
        "scope": "https://mail.google.com/",
    },
    "microsoft": {
        "authorize_url": f"{_MICROSOFT}/authorize",
        "device_url": f"{_MICROSOFT}/devicecode",
        "token_url": f"{_MICROSOFT}/token",
        "scope": "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    },
    "other": {},
}
"""What the providers publish. Google's device codes aren't for mail."""


def finished(given: OAuth2) -> OAuth2:
    """Fill in what is known of the provider. Raises Wrong with what is still missing."""
    known = {key: value.format(tenant=given.tenant) for key, value in _KNOWN[given.provider].items()}
    missing: dict[str, Any] = {key: value for key, value in known.items() if not getattr(given, key)}
    whole = replace(given, **missing)
    if not whole.token_url or not whole.scope or not (whole.authorize_url or whole.device_url):
        raise read.Wrong("token_url, scope, and authorize_url or device_url, as the provider publishes them")
    return whole
