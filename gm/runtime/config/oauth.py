"""`[imap.oauth2]` and `[smtp.oauth2]`: the app that requests tokens, and the URLs of the provider."""

from collections.abc import Mapping
from typing import Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationInfo, field_validator, model_validator

from gm.runtime.config import values
from gm.runtime.config.passwords import Password, WithPassword
from gm.runtime.config.values import NotAllowed
from gm.runtime.redaction import Secret

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
"""The URLs that providers publish. Google's device codes can't be used for mail."""


class OAuth2(WithPassword):
    """How to get tokens for one mailbox. The GM registers an app at the provider and names it here.

    URLs and scope that aren't given are filled in for providers that we know.
    """

    provider: Literal["google", "microsoft", "other"]
    client_id: values.Line
    client_secret: Password = Secret()
    tenant: values.Organisation = "common"
    authorize_url: values.Endpoint = ""
    device_url: values.Endpoint = ""
    token_url: values.Endpoint = ""
    scope: values.Scope = ""
    tokens: values.WrittenPath = Field(default="tokens.json", validate_default=True)

    @field_validator("authorize_url", "device_url", "token_url", "scope")
    @classmethod
    def _or_as_published(cls, given: str, info: ValidationInfo) -> str:
        known = _KNOWN.get(info.data.get("provider", ""), {}).get(str(info.field_name), "")
        return given or known.format(tenant=info.data.get("tenant"))

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if not self.token_url or not self.scope or not (self.authorize_url or self.device_url):
            raise NotAllowed(
                "a section with token_url, scope, and authorize_url or device_url, as the provider publishes them"
            )
        return self

    @property
    def host(self) -> str:
        """The host that issues the tokens."""
        return urlsplit(self.token_url).hostname or ""
