"""`gm login`: a person grants access to the mailbox, by a code on any device (RFC 8628) or in a browser (RFC 8252)."""

import html
import secrets
import socket
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from oauthlib.oauth2 import DeviceClient, WebApplicationClient

from gm.runtime.config.oauth import OAuth2
from gm.runtime.errors import TokenError
from gm.runtime.redaction import Secret
from gm.transport.oauth.token_file import Tokens
from gm.transport.oauth.token_requests import TokenRefused, TokenServerDown, post, read_json, read_tokens

Tell = Callable[[str], None]

BROWSER_SECONDS: Final = 600.0
"""How many seconds the browser may take."""
SLOWER: Final = 5.0
"""How many seconds each `slow_down` adds to the pause between two requests (RFC 8628, 3.5)."""


def by_device(settings: OAuth2, tell: Tell, pause: Callable[[float], None] = time.sleep) -> Tokens:
    """Show an address and a code, and wait until somebody has typed the code there. Raises TokenError."""
    form = urlencode({"client_id": settings.client_id, "scope": settings.scope})
    found = read_json(settings, post(settings, settings.device_url, form))
    if not found.get("device_code") or not found.get("user_code"):
        raise TokenRefused(settings, "no code", "")
    code, where = Secret(str(found["device_code"])), found.get("verification_uri") or found.get("verification_url")
    tell(f"Open {where} in any browser and type the code: {found['user_code']}")
    tell("Waiting ... (Ctrl-C ends it)")
    interval, end = max(1.0, float(found.get("interval") or 5)), time.monotonic() + float(found.get("expires_in", 900))
    while time.monotonic() < end:
        pause(interval)
        try:
            return _device_tokens(settings, code)
        except TokenServerDown:
            interval += SLOWER
        except TokenRefused as error:
            if error.code not in ("authorization_pending", "slow_down"):
                raise
            interval += SLOWER if error.code == "slow_down" else 0
    raise TokenRefused(settings, "expired_token", "")


def _device_tokens(settings: OAuth2, code: Secret) -> Tokens:
    client = DeviceClient(settings.client_id)
    form = client.prepare_request_body(code.reveal(), include_client_id=True, **_client_secret(settings))
    return read_tokens(settings, client, post(settings, settings.token_url, form), before=Secret())


def by_browser(settings: OAuth2, username: str, tell: Tell, *, port: int = 0) -> Tokens:
    """Show an address for a browser, and wait until the browser is sent back to this machine. Raises TokenError."""
    client = WebApplicationClient(settings.client_id)
    verifier = Secret(client.create_code_verifier(64))
    state = secrets.token_urlsafe(24)
    with _listening(port) as server:
        here = f"http://127.0.0.1:{server.server_port}/"
        question = {
            "response_type": "code", "client_id": settings.client_id, "redirect_uri": here, "scope": settings.scope,
            "state": state, "code_challenge": client.create_code_challenge(verifier.reveal(), "S256"),
            "code_challenge_method": "S256", "login_hint": username, "access_type": "offline", "prompt": "consent",
        }  # fmt: skip
        tell(f"Open this in a browser:\n\n{settings.authorize_url}?{urlencode(question)}\n")
        tell(_hint_for_ssh(server.server_port))
        code = server.wait_for(state, settings)
    form = client.prepare_request_body(
        code=code.reveal(), redirect_uri=here, code_verifier=verifier.reveal(), include_client_id=True,
        **_client_secret(settings),
    )  # fmt: skip
    return read_tokens(settings, client, post(settings, settings.token_url, form), before=Secret())


def _hint_for_ssh(port: int) -> str:
    return (
        "It must be a browser of this computer. If this one has none, type on yours before:\n"
        f"  ssh -N -L {port}:127.0.0.1:{port} {socket.gethostname()}\n"
        "Waiting ... (Ctrl-C ends it)"
    )


def _client_secret(settings: OAuth2) -> dict[str, str]:
    return {"client_secret": settings.client_secret.reveal()} if settings.client_secret else {}


def _listening(port: int) -> "_CallbackServer":
    try:
        return _CallbackServer(("127.0.0.1", port), _Page)
    except OSError as error:
        raise TokenError(f"Port {port} of this machine can't be used ({error.strerror}); take another.") from error


class _CallbackServer(HTTPServer):
    """Waits for the browser to come back with our state. All other requests are refused."""

    state = ""
    answer: dict[str, list[str]] | None = None

    def wait_for(self, state: str, settings: OAuth2) -> Secret:
        """Serve until the code is here. Raises TokenError."""
        self.state, end = state, time.monotonic() + BROWSER_SECONDS
        while self.answer is None:
            self.timeout = end - time.monotonic()
            if self.timeout <= 0:
                raise TokenError("Nobody came back from the browser in time; run `gm login` again.")
            self.handle_request()
        if "error" in self.answer or not self.answer.get("code"):
            why = self.answer.get("error_description", [""])[0]
            raise TokenRefused(settings, self.answer.get("error", ["no code"])[0][:60], why)
        return Secret(self.answer["code"][0])

    def handle_error(self, *_: Any) -> None:
        """Ignore errors: a browser that hangs up is no trouble."""


class _Page(BaseHTTPRequestHandler):
    """Answers the browser."""

    server: _CallbackServer
    timeout = 10

    def do_GET(self) -> None:
        """Take the answer, if it carries our state."""
        answer = parse_qs(urlsplit(self.path).query)
        if not secrets.compare_digest(answer.get("state", [""])[0].encode(), self.server.state.encode()):
            self._say(400, "This is no answer to the login that waits here.")
            return
        self.server.answer = answer
        self._say(200, "That's all here; look at the terminal again. You may close this page.")

    def _say(self, status: int, sentence: str) -> None:
        page = f"<!DOCTYPE html><title>gm login</title><p>{html.escape(sentence)}</p>".encode()
        self.send_response(status)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(page))),
            ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"), ("Connection", "close"),
        ):  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: Any) -> None:
        """Log nothing: the address holds the code."""
