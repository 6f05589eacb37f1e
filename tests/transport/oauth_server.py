"""The token servers of Microsoft and Google on loopback, as strict as they are (RFC 6749, 7636, 8252, 8628, 7662).

It is a proxy that answers in the providers' names, with certificates of a CA of its own. A program is brought to it by
`environment`, as by any proxy; nothing in the program itself is changed. `approve` does what a person does at
Microsoft; opening Google's page approves at once.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import certificates

CLIENT = "postal-gm-test"
MICROSOFT, GOOGLE, CONSENT = "login.microsoftonline.com", "oauth2.googleapis.com", "accounts.google.com"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES = {"microsoft": {"https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send"},
          "google": {"https://mail.google.com/"}}  # fmt: skip


class Authority:
    """`with Authority(folder) as server:`; `asked` holds every form that was sent for a token."""

    def __init__(self, folder: Path) -> None:
        ca = certificates.authority(folder)
        names = ",".join(f"DNS:{host}" for host in (MICROSOFT, GOOGLE, CONSENT))
        server = ca.sign("server", {**certificates.SERVER, "subjectAltName": names})
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(server, server.with_suffix(".key"))
        self._numbers = itertools.count(1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"authority": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.environment = {"HTTPS_PROXY": self.url, "https_proxy": self.url, "REQUESTS_CA_BUNDLE": str(ca.certificate)}
        self.anew()

    def anew(self) -> None:
        """Forget everything."""
        self.user, self.client_secret, self.life = "gm@local.test", "", 3600
        self.is_denying = self.is_down = False
        self.asked: list[dict[str, str]] = []
        self.given: list[str] = []
        self.active: dict[str, str] = {}
        self.refreshing: set[str] = set()
        self.devices: dict[str, dict[str, str]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.says: dict[str, str] = {}

    def __enter__(self) -> Authority:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def revoke(self) -> None:
        """End all tokens that are out, also those for renewal."""
        self.active.clear()
        self.refreshing.clear()

    # What the pages answer

    def discover(self, tenant: str) -> dict[str, object]:
        """Return Microsoft's own addresses."""
        if tenant == "nobody.example.org":
            return {"error": "invalid_tenant"}
        base = f"https://{MICROSOFT}/{tenant}"
        return {"issuer": f"{base}/v2.0", "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
                "token_endpoint": f"{base}/oauth2/v2.0/token",
                "device_authorization_endpoint": f"{base}/oauth2/v2.0/devicecode"}  # fmt: skip

    def device(self, form: dict[str, str]) -> dict[str, object]:
        """Begin a login by code."""
        if form.get("client_id") != CLIENT:
            return {"error": "unauthorized_client", "error_description": "AADSTS700016: Not found.\r\nTrace ID: 1"}
        if not SCOPES["microsoft"] | {"offline_access"} <= set(form["scope"].split()):
            return {"error": "invalid_scope"}
        number = next(self._numbers)
        code = f"device-code-{number}"
        self.devices[code] = {"user_code": f"ABCD-{number:04}", "status": "pending"}
        return {"device_code": code, "user_code": f"ABCD-{number:04}", "interval": 1,
                "verification_uri": "https://microsoft.com/devicelogin", "expires_in": 60}  # fmt: skip

    def approve(self, user_code: str, status: str = "approved") -> None:
        """What the person does at the other device."""
        next(one for one in self.devices.values() if one["user_code"] == user_code)["status"] = status

    def consent(self, query: dict[str, str]) -> str:
        """Where Google sends the browser: the person has said yes, or no."""
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert (query["access_type"], query["scope"]) == ("offline", *SCOPES["google"])
        assert len(query["state"]) >= 22
        assert urlsplit(query["redirect_uri"]).hostname == "127.0.0.1"
        back = {"state": query["state"]}
        if self.is_denying:
            return f"{query['redirect_uri']}?{urlencode({**back, 'error': 'access_denied'})}"
        code = f"auth-code-{next(self._numbers)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({**back, 'code': code})}"

    def token(self, host: str, form: dict[str, str]) -> dict[str, object]:
        """Return tokens for a code or a token for renewal."""
        self.asked.append(form)
        if form.get("client_id") != CLIENT or form.get("client_secret", "") != self.client_secret:
            return {"error": "invalid_client", "error_description": f"not {form.get('client_secret')}"}
        grant = {"authorization_code": self._by_code, "refresh_token": self._by_refresh, DEVICE: self._by_device}
        error = grant[form["grant_type"]](form)
        if error:
            return {"error": error, **({"error_description": self.says[error]} if error in self.says else {})}
        return self._tokens("microsoft" if host == MICROSOFT else "google", form)

    def _by_code(self, form: dict[str, str]) -> str:
        asked = self.codes.pop(form["code"], None)
        if asked is None or form["redirect_uri"] != asked["redirect_uri"]:
            return "invalid_grant"
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        return "" if proof == asked["code_challenge"] and 43 <= len(form["code_verifier"]) <= 128 else "invalid_grant"

    def _by_refresh(self, form: dict[str, str]) -> str:
        return "" if form["refresh_token"] in self.refreshing else "invalid_grant"

    def _by_device(self, form: dict[str, str]) -> str:
        one = self.devices.get(form["device_code"])
        if one is None:
            return "invalid_grant"
        if one["status"] == "approved":
            del self.devices[form["device_code"]]
            return ""
        return {"pending": "authorization_pending"}.get(one["status"], one["status"])

    def _tokens(self, provider: str, form: dict[str, str]) -> dict[str, object]:
        """Give tokens. Google renews without a new token for renewals; Microsoft says whose they are."""
        number = next(self._numbers)
        access, refresh = f"access-token-{number}-" + "x" * 40, f"refresh-token-{number}-" + "y" * 40
        self.active[access] = self.user
        self.given.append(access)
        found: dict[str, object] = {"access_token": access, "token_type": "Bearer", "expires_in": self.life,
                                    "scope": " ".join(sorted(SCOPES[provider]))}  # fmt: skip
        if provider == "microsoft" or form["grant_type"] != "refresh_token":
            self.refreshing.add(refresh)
            found["refresh_token"] = refresh
        if provider == "microsoft":
            now = int(time.time())
            claims = {"aud": CLIENT, "iss": f"https://{MICROSOFT}/t/v2.0", "iat": now, "exp": now + 3600, "oid": "o",
                      "sub": "s", "tid": "t", "preferred_username": self.user}  # fmt: skip
            found |= {"id_token": f"{_coded({'alg': 'none'})}.{_coded(claims)}.{_coded({})}",
                      "client_info": _coded({"uid": "o", "utid": "t"})}  # fmt: skip
        return found

    def introspect(self, form: dict[str, str]) -> dict[str, object]:
        """Answer a mail server's question whose token it is (RFC 7662)."""
        user = self.active.get(form.get("token", ""))
        return {"active": True, "username": user} if user else {"active": False}


def _coded(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class _Handler(BaseHTTPRequestHandler):
    authority: Authority
    protocol_version = "HTTP/1.1"
    host = ""

    def do_CONNECT(self) -> None:
        """Become the server that was asked for."""
        self.host = self.path.partition(":")[0]
        self.send_response(200)
        self.end_headers()
        try:
            self.connection = self.authority.tls.wrap_socket(self.connection, server_side=True)
        except OSError:  # whoever doesn't trust us hangs up
            self.close_connection = True
            return
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.close_connection = False  # also of a program that asked by HTTP/1.0

    def finish(self) -> None:
        """Hang up."""
        super().finish()
        self.connection.close()

    def do_GET(self) -> None:
        """The browser, and Microsoft's own addresses."""
        parts = urlsplit(self.path)
        if self.authority.is_down:
            self._say(503, {})
        elif self.host == CONSENT:
            self.send_response(302)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            self.send_header("Location", self.authority.consent(query))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.host == MICROSOFT and parts.path.endswith("/v2.0/.well-known/openid-configuration"):
            answer = self.authority.discover(parts.path.split("/")[1])
            self._say(400 if "error" in answer else 200, answer)
        else:
            self._say(404, {})

    def do_POST(self) -> None:
        """The programs."""
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {key: values[0] for key, values in parse_qs(sent).items()}
        if (basic := self.headers.get("Authorization", "")).startswith("Basic ") and self.host == GOOGLE:
            given = base64.b64decode(basic.removeprefix("Basic ")).decode().partition(":")
            form |= {"client_id": given[0], "client_secret": given[2]}
        if self.path == "/introspect":
            self._say(200, self.authority.introspect(form))
        elif self.authority.is_down:
            self._say(503, {})
        elif self.path.endswith("/devicecode"):
            answer = self.authority.device(form)
            self._say(400 if "error" in answer else 200, answer)
        else:
            answer = self.authority.token(self.host, form)
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
