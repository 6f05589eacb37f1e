"""Requests to the server that issues tokens. TLS is verified; redirects are refused."""

import json
import ssl
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, Final

from oauthlib.oauth2 import OAuth2Error
from oauthlib.oauth2.rfc6749.clients.base import Client

from gm.runtime.config.hosts import is_loopback
from gm.runtime.config.oauth import OAuth2
from gm.runtime.errors import TokenError
from gm.runtime.network import CONNECT_TIMEOUT, explain_network
from gm.runtime.redaction import Secret, masked
from gm.transport.oauth.token_file import Tokens

LONGEST_ANSWER: Final = 64 * 1024
USUAL_LIFE: Final = 3600
"""How many seconds a token is valid where the server doesn't say."""


class TokenRefused(TokenError):  # noqa: N818 (its name is the sentence)
    """The server refused. `code` is the reason by RFC 6749 or RFC 8628."""

    def __init__(self, settings: OAuth2, code: str, why: str) -> None:
        said = " ".join(masked(why).split())[:200]
        super().__init__(f"{settings.host} gives no token: {code}{f' ({said})' if said else ''}; {_mend(code)}.")
        self.code = code


class TokenServerDown(TokenError):  # noqa: N818 (its name is the sentence)
    """The server can't be reached at the moment."""


_MENDS: Final = {
    "invalid_client": "check client_id and client_secret",
    "unauthorized_client": "check client_id, and that the app is allowed this kind of login (public client)",
    "invalid_scope": "check scope, and the rights that the app asks for",
    "authorization_declined": "run `gm login` again and say yes there",
    "access_denied": "run `gm login` again and say yes there",
    "expired_token": "run `gm login` again, and be quicker with the code",
}


def _mend(code: str) -> str:
    return _MENDS.get(code, "run `gm login` again; if that doesn't help, check the app's settings at the provider")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: what is sent holds secrets."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post(settings: OAuth2, url: str, form: str) -> str:
    """Send a form. Returns the answer, also one that refuses. Raises TokenServerDown."""
    request = urllib.request.Request(
        url, form.encode(), {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    )
    try:
        return _answer(_opener(request.host), request)
    except (OSError, HTTPException) as error:
        inner = error.reason if isinstance(error, urllib.error.URLError) else error
        why = (explain_network(inner) if isinstance(inner, BaseException) else None) or type(error).__name__
        if isinstance(error, urllib.error.HTTPError):
            why = f"it answered {error.code}"
        raise TokenServerDown(f"No token can be had from {settings.host}: {why}.") from None


def _opener(host: str) -> urllib.request.OpenerDirector:
    tls = urllib.request.HTTPSHandler(context=ssl.create_default_context())
    name = host.rpartition(":")[0] or host
    proxies = [urllib.request.ProxyHandler({})] if is_loopback(name.strip("[]")) else []
    return urllib.request.build_opener(_NoRedirects, tls, *proxies)


def _answer(opener: urllib.request.OpenerDirector, request: urllib.request.Request) -> str:
    try:
        with opener.open(request, timeout=CONNECT_TIMEOUT) as response:
            return str(response.read(LONGEST_ANSWER).decode(errors="replace"))
    except urllib.error.HTTPError as error:
        with error:
            said = error.read(LONGEST_ANSWER).decode(errors="replace")
        if error.code in (400, 401, 403) and said.lstrip().startswith("{"):
            return said
        raise


def read_json(settings: OAuth2, answer: str) -> dict[str, Any]:
    """Read an answer that holds no token. Raises TokenRefused."""
    try:
        found = json.loads(answer)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise TokenRefused(settings, "no answer that can be read", "")
    if "error" in found:
        raise TokenRefused(settings, str(found["error"])[:60], str(found.get("error_description", "")))
    return found


def read_tokens(settings: OAuth2, client: Client, answer: str, *, before: Secret) -> Tokens:
    """Read an answer with tokens. If it has no new renewal token, the old one stays. Raises TokenRefused."""
    try:
        found = client.parse_request_body_response(answer)
        life = float(found.get("expires_in") or USUAL_LIFE)
    except OAuth2Error as error:
        raise TokenRefused(settings, str(error.error or "no token")[:60], str(error.description or "")) from None
    except (ValueError, TypeError, AttributeError):
        raise TokenRefused(settings, "no answer that can be read", "") from None
    refresh = Secret(str(found["refresh_token"])) if found.get("refresh_token") else before
    return Tokens(access=Secret(str(found["access_token"])), refresh=refresh, expires_at=time.time() + life)
