"""An OAuth server on loopback after RFC 6749, 7636, 8252, 8628 and 7662, as strict as the big providers.

`approve` and `deny` do what a person does in the browser; opening /authorize approves at once.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT = "postal-gm-test"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


class Authority:
    """`with Authority() as server:`; `asked` holds every form that was sent to /token."""

    def __init__(self) -> None:
        self.user = "gm@local.test"
        self.client_secret = ""
        self.life: int | str = 3600
        self.is_denying = self.is_down = False
        self.rotates = True
        self.asked: list[dict[str, str]] = []
        self.given: list[str] = []
        self.active: dict[str, str] = {}
        self.refreshing: set[str] = set()
        self.devices: dict[str, dict[str, str]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.answers: list[tuple[int, dict[str, object]]] = []
        self._numbers = itertools.count(1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"authority": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Authority:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def section(self, **more: object) -> dict[str, object]:
        """The keys of [imap.oauth2] for this server."""
        urls = {f"{name}_url": f"{self.url}/{name}" for name in ("authorize", "device", "token")}
        return {"provider": "other", "client_id": CLIENT, "scope": "mail offline", **urls, **more}

    def revoke(self) -> None:
        """End all tokens that are out, also those for renewal."""
        self.active.clear()
        self.refreshing.clear()

    # What the endpoints do

    def device(self, form: dict[str, str]) -> dict[str, object]:
        """Begin a login by code."""
        if form.get("client_id") != CLIENT or not form.get("scope"):
            return {"error": "invalid_client"}
        number = next(self._numbers)
        self.devices[f"device-code-{number}"] = {"user_code": f"ABCD-{number:04}", "status": "pending"}
        code = f"device-code-{number}"
        return {"device_code": code, "user_code": f"ABCD-{number:04}", "verification_uri": f"{self.url}/type-it",
                "expires_in": 60, "interval": 1}  # fmt: skip

    def approve(self, user_code: str, status: str = "approved") -> None:
        """What the person does at the other device."""
        next(one for one in self.devices.values() if one["user_code"] == user_code)["status"] = status

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser is sent to: the person has said yes, or no."""
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert len(query["state"]) >= 22
        assert urlsplit(query["redirect_uri"]).hostname == "127.0.0.1"
        back = {"state": query["state"]}
        if self.is_denying:
            return f"{query['redirect_uri']}?{urlencode({**back, 'error': 'access_denied'})}"
        code = f"auth-code-{next(self._numbers)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({**back, 'code': code})}"

    def token(self, form: dict[str, str]) -> dict[str, object]:
        """Return tokens for a code or a token for renewal; each is good once."""
        self.asked.append(form)
        if form.get("client_id") != CLIENT or form.get("client_secret", "") != self.client_secret:
            return {"error": "invalid_client", "error_description": f"not {form.get('client_secret')}"}
        grant = {"authorization_code": self._by_code, "refresh_token": self._by_refresh, DEVICE: self._by_device}
        error = grant[form["grant_type"]](form)
        return {"error": error} if error else self._tokens()

    def _by_code(self, form: dict[str, str]) -> str:
        asked = self.codes.pop(form["code"], None)
        if asked is None or form["redirect_uri"] != asked["redirect_uri"]:
            return "invalid_grant"
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        return "" if proof == asked["code_challenge"] and 43 <= len(form["code_verifier"]) <= 128 else "invalid_grant"

    def _by_refresh(self, form: dict[str, str]) -> str:
        if form["refresh_token"] not in self.refreshing:
            return "invalid_grant"
        if self.rotates:
            self.refreshing.remove(form["refresh_token"])
        return ""

    def _by_device(self, form: dict[str, str]) -> str:
        one = self.devices.get(form["device_code"])
        if one is None:
            return "invalid_grant"
        if one["status"] == "approved":
            del self.devices[form["device_code"]]
            return ""
        return {"pending": "authorization_pending", "hurried": "slow_down"}.get(one["status"], one["status"])

    def _tokens(self) -> dict[str, object]:
        number = next(self._numbers)
        access, refresh = f"access-token-{number}-" + "x" * 40, f"refresh-token-{number}-" + "y" * 40
        self.active[access] = self.user
        self.given.append(access)
        self.refreshing.add(refresh)
        more = {"refresh_token": refresh} if self.rotates or number else {}
        return {"access_token": access, "token_type": "Bearer", "expires_in": self.life, "scope": "mail", **more}

    def introspect(self, form: dict[str, str]) -> dict[str, object]:
        """Answer a mail server's question whose token it is (RFC 7662)."""
        user = self.active.get(form.get("token", ""))
        return {"active": True, "username": user} if user else {"active": False}


class _Handler(BaseHTTPRequestHandler):
    authority: Authority

    def do_GET(self) -> None:
        """The browser."""
        parts = urlsplit(self.path)
        if parts.path == "/authorize":
            self.send_response(302)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            self.send_header("Location", self.authority.authorize(query))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._say(404, {})

    def do_POST(self) -> None:
        """The programs."""
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {key: values[0] for key, values in parse_qs(sent).items()}
        if self.authority.is_down and self.path != "/introspect":
            self._say(503, {})
        elif self.authority.answers and self.path == "/token":
            self._say(*self.authority.answers.pop(0))
        else:
            answer = getattr(self.authority, self.path.strip("/"))(form)
            self._say(400 if "error" in answer else 200, answer)

    def _say(self, status: int, answer: dict[str, object]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the tests quiet."""
