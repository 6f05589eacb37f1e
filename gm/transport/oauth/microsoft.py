"""Tokens of Microsoft: a code to type in any browser, and renewals, by `msal`."""

from collections.abc import Callable
from typing import Any, Final

import msal
import requests
from msal.exceptions import MsalError

from gm.runtime.config.oauth import OAuth
from gm.runtime.errors import TokenError
from gm.runtime.network import CONNECT_TIMEOUT
from gm.runtime.redaction import Secret
from gm.transport.oauth.refusals import refused, unreachable

_AUTHORITY: Final = "https://login.microsoftonline.com/{}"
_SCOPES: Final = ["https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send"]

_answers: dict[str, Any] = {}
"""What Microsoft says of its own addresses; msal asks once a day."""


def log_in(app: OAuth, _username: str, tell: Callable[[str], None], _ask: Callable[[str], str]) -> str:
    """Show an address and a code, and wait until somebody has typed the code there.

    Returns what is to be kept. Raises TokenError.
    """
    cache = msal.SerializableTokenCache()
    try:
        client = _client(app, cache)
        flow = client.initiate_device_flow(_SCOPES)
        if "user_code" not in flow:
            raise _refused(app, flow)
        tell(f"Open {flow['verification_uri']} in any browser and type the code: {flow['user_code']}")
        tell("Waiting ... (Ctrl-C ends it)")
        found = client.acquire_token_by_device_flow(flow)
    except (requests.RequestException, MsalError, ValueError) as error:
        raise unreachable(app, error) from None
    if "access_token" not in found:
        raise _refused(app, found)
    return str(cache.serialize())


def fetch(app: OAuth, kept: str, not_this: Secret | None) -> tuple[Secret, str] | None:
    """Return a token, renewed where it must be, and what is to be kept from now on; None if nobody has logged in.

    Raises TokenError.
    """
    cache = msal.SerializableTokenCache()
    cache.deserialize(kept)
    for entry in cache.search(cache.CredentialType.REFRESH_TOKEN):
        Secret(entry["secret"])  # so that no text shows it
    try:
        client = _client(app, cache)
        account = next(iter(client.get_accounts()), None)
        found = client.acquire_token_silent_with_error(_SCOPES, account)
        if not_this and found and found.get("access_token") == not_this.get_secret_value():
            found = client.acquire_token_silent_with_error(_SCOPES, account, force_refresh=True)
    except (requests.RequestException, MsalError, ValueError) as error:
        raise unreachable(app, error) from None
    if not found:
        return None
    if "access_token" not in found:
        raise _refused(app, found)
    return Secret(found["access_token"]), str(cache.serialize()) if cache.has_state_changed else kept


def _client(app: OAuth, cache: msal.SerializableTokenCache) -> msal.PublicClientApplication:
    try:
        return msal.PublicClientApplication(
            app.client_id, authority=_AUTHORITY.format(app.tenant), instance_discovery=False, token_cache=cache,
            timeout=CONNECT_TIMEOUT, http_cache=_answers,
        )  # fmt: skip
    except ValueError as error:
        if isinstance(error, requests.RequestException):
            raise
        raise TokenError(f"Microsoft knows no tenant {app.tenant}; check tenant in [oauth].") from None


def _refused(app: OAuth, found: dict[str, Any]) -> TokenError:
    why = str(found.get("error_description") or "").partition("\n")[0]  # the other lines are numbers for Microsoft
    return refused(app, str(found.get("error") or "no code"), why)
