"""What to tell whoever gets no token: one sentence, with the mend."""

from gm.runtime.config.oauth import OAuth
from gm.runtime.errors import TokenError
from gm.runtime.network import causes, explain_network, printable

_AGAIN = "run `gm login` again"
_MENDS = {
    "invalid_grant": f"the login is over, by time or because it was revoked: {_AGAIN}",
    "invalid_client": "check client_id and client_secret_file in [oauth]",
    "unauthorized_client": "check client_id in [oauth], and that the app is one for this kind of login",
    "authorization_declined": f"{_AGAIN} and say yes there",
    "access_denied": f"{_AGAIN} and say yes there",
    "expired_token": f"{_AGAIN}, and be quicker with the code",
    "authorization_pending": f"{_AGAIN}, and be quicker with the code",
}


def refused(app: OAuth, code: str, why: str = "") -> TokenError:
    """Say that the provider gives no token. `code` is the reason by RFC 6749 or RFC 8628, `why` the server's words."""
    said = printable(why)[:200].rstrip(". ")
    mend = _MENDS.get(code, f"{_AGAIN}; if that doesn't help, check the app's settings at {app.name}")
    if code == "invalid_grant" and app.provider == "google":
        mend += " (an app in status Testing loses each after 7 days)"
    return TokenError(f"{app.name} gives no token: {printable(code)[:60]}{f' ({said})' if said else ''}; {mend}.")


def unreachable(app: OAuth, error: BaseException) -> TokenError:
    """Say that the provider can't be asked at the moment."""
    deepest = [*causes(error)][-1]
    while isinstance(inner := deepest.__context__ or getattr(deepest, "reason", None), BaseException):
        deepest = inner
    why = explain_network(deepest) or "it gave no answer that can be read; nothing is lost, we try again"
    return TokenError(f"{app.name} can't be asked for a token: {why}.")
