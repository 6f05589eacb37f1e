"""The access token for a login. It is renewed before it expires, and when a server has refused it."""

import logging
import time
from typing import Final

from gm.runtime.config.oauth import OAuth2
from gm.runtime.errors import TokenError
from gm.runtime.redaction import Secret
from gm.transport.oauth.token_file import Tokens, load_tokens, locked, store_tokens

log = logging.getLogger("gm")

AHEAD: Final = 300.0
"""How many seconds before it expires a token is renewed."""

_LOGIN_IS_OVER: Final = ("invalid_grant", "interaction_required", "login_required", "consent_required")
"""Refusals after which only a person can help."""


def access_token(settings: OAuth2, username: str, *, refused: Secret | None = None) -> Secret:
    """Return a token to log in with, not the one that the server has just `refused`. Raises TokenError."""
    found = _kept(settings, username)
    if _is_good(found, refused):
        return found.access
    with locked(settings.tokens):
        found = _kept(settings, username)  # somebody else may have renewed it while we waited
        return found.access if _is_good(found, refused) else _renewed(settings, username, found, refused)


def _kept(settings: OAuth2, username: str) -> Tokens:
    found = load_tokens(settings, username)
    if found is None:
        raise TokenError(f"There is no token for {username} at {settings.host} yet; run `gm login`.")
    return found


def _is_good(found: Tokens, refused: Secret | None) -> bool:
    return found.access != refused and time.time() < found.expires_at - AHEAD


def _renewed(settings: OAuth2, username: str, old: Tokens, refused: Secret | None) -> Secret:
    """Renew a token and store it. The caller holds the lock."""
    from gm.transport.oauth.token_requests import TokenRefused, TokenServerDown

    if not old.refresh:
        raise TokenError(f"The token for {username} at {settings.host} has run out; run `gm login` again.")
    store_tokens(settings, username, old)  # a full disk is noticed before the renewal token is used up
    try:
        new = _fetched(settings, old)
    except TokenServerDown as error:
        if old.access != refused and time.time() < old.expires_at:
            log.info("%s The old token is good for a while yet.", error)
            return old.access
        raise
    except TokenRefused as error:
        raise _login_is_over(settings, username, error) if error.code in _LOGIN_IS_OVER else error from None
    store_tokens(settings, username, new)
    return new.access


def _fetched(settings: OAuth2, old: Tokens) -> Tokens:
    from oauthlib.oauth2 import WebApplicationClient

    from gm.transport.oauth.token_requests import post, read_tokens

    client = WebApplicationClient(settings.client_id)
    secret = {"client_secret": settings.client_secret.reveal()} if settings.client_secret else {}
    form = client.prepare_refresh_body(
        refresh_token=old.refresh.reveal(), client_id=settings.client_id, **secret
    )  # fmt: skip
    return read_tokens(settings, client, post(settings, settings.token_url, form), before=old.refresh)


def _login_is_over(settings: OAuth2, username: str, error: Exception) -> TokenError:
    testing = " (Google: an app in status Testing loses it after 7 days)" if settings.provider == "google" else ""
    said = str(error).partition(": ")[2].partition(";")[0]
    return TokenError(
        f"The login of {username} at {settings.host} is over, by time or because it was revoked{testing}: {said}; "
        "run `gm login` again."
    )
