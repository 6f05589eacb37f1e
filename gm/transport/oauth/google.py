"""Tokens of Google: a browser that comes back to this machine, or the address it ends at; and renewals."""

import json
import os
import sys
import webbrowser
from collections.abc import Callable
from typing import Final

import requests
from google.auth.exceptions import GoogleAuthError, RefreshError, TransportError
from google.auth.transport.requests import Request
from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import InstalledAppFlow, WSGITimeoutError
from oauthlib.oauth2 import OAuth2Error

from gm.runtime.config.oauth import OAuth
from gm.runtime.errors import TokenError
from gm.runtime.redaction import Secret
from gm.transport.oauth.refusals import refused, unreachable

_SCOPE: Final = "https://mail.google.com/"
_HOST: Final = "127.0.0.1"
_NOWHERE: Final = f"http://{_HOST}:1/"
"""Where a browser of another computer is sent: nobody listens there, but its address line has the answer."""
_BROWSER_SECONDS: Final = 600


def log_in(app: OAuth, username: str, tell: Callable[[str], None], ask: Callable[[str], str]) -> str:
    """Let a browser ask the person, and take its answer here. Returns what is to be kept. Raises TokenError."""
    flow = InstalledAppFlow.from_client_config({"installed": {
        "client_id": app.client_id, "client_secret": app.client_secret_file.get_secret_value(),
        "auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": "https://oauth2.googleapis.com/token",
    }}, [_SCOPE])  # fmt: skip
    asked = {"login_hint": username, "prompt": "consent"}
    try:
        if _has_browser():
            tell("A browser opens; if it doesn't, open this in a browser of this computer:")
            flow.run_local_server(
                host=_HOST, port=0, authorization_prompt_message="\n{url}\n", timeout_seconds=_BROWSER_SECONDS,
                success_message="That's all here; look at the terminal again. You may close this page.", **asked,
            )  # fmt: skip
        else:
            flow.redirect_uri = _NOWHERE
            tell(f"Open this in a browser of any computer:\n\n{flow.authorization_url(**asked)[0]}\n")
            tell("In the end the browser can't reach a page. Copy the whole address of that page.")
            address = ask("That address").strip()
            if not address.startswith(_NOWHERE):
                raise TokenError(f"That is no address that begins with {_NOWHERE}; run `gm login` again.")
            flow.fetch_token(authorization_response=address.replace("http:", "https:", 1))
    except OAuth2Error as error:
        raise refused(app, str(error.error or "no token"), str(error.description or "")) from None
    except WSGITimeoutError:
        raise TokenError("Nobody came back from the browser in time; run `gm login` again.") from None
    except Warning:  # as oauthlib says that other rights were granted
        raise refused(app, "access_denied", "not all that was asked for was granted") from None
    except requests.RequestException as error:
        raise unreachable(app, error) from None
    return _kept(flow.credentials)


def _has_browser() -> bool:
    """Return whether a browser with windows can be opened: those of a terminal don't show Google's pages."""
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))


def fetch(app: OAuth, kept: str, not_this: Secret | None) -> tuple[Secret, str] | None:
    """Return a token, renewed where it must be, and what is to be kept from now on; None if nobody has logged in.

    Raises TokenError.
    """
    if json.loads(kept).get("client_id") != app.client_id:
        return None
    found = Credentials.from_authorized_user_info(
        {**json.loads(kept), "client_secret": app.client_secret_file.get_secret_value()}, [_SCOPE]
    )
    Secret(found.refresh_token or "")  # so that no text shows it
    if found.valid and (not not_this or found.token != not_this.get_secret_value()):
        return Secret(found.token), kept
    try:
        found.refresh(Request())
    except TransportError as error:
        raise unreachable(app, error) from None
    except RefreshError as error:
        if error.retryable:
            raise unreachable(app, error) from None
        answer = error.args[1] if len(error.args) > 1 and isinstance(error.args[1], dict) else {}
        raise refused(app, str(answer.get("error", "no token")), str(answer.get("error_description", ""))) from None
    except GoogleAuthError as error:
        raise refused(app, "no token", str(error)) from None
    return Secret(found.token), _kept(found)


def _kept(found: Credentials) -> str:
    return str(found.to_json(strip=["client_secret"]))
