"""The mailboxes of the config that log in with a token: for `gm login` and `gm doctor`."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gm.runtime.config.oauth import OAuth2
from gm.runtime.errors import Refused, TokenError
from gm.runtime.network import Check
from gm.transport.oauth.access_tokens import access_token
from gm.transport.oauth.token_file import load_tokens, locked, store_tokens

if TYPE_CHECKING:
    from gm.runtime.config.settings import Settings


def token_logins(settings: "Settings") -> dict[tuple[str, OAuth2], str]:
    """Return each login that needs a token, with the sections that use it. Mostly one login serves both."""
    found: dict[tuple[str, OAuth2], str] = {}
    for name, section in (("imap", settings.imap), ("smtp", settings.smtp)):
        if section.oauth2 and section.username:
            key = (section.username, section.oauth2)
            found[key] = f"{found[key]} and {name}" if key in found else name
    return found


def log_in(settings: "Settings", tell: Callable[[str], None], *, wants_browser: bool, port: int) -> None:
    """Let a person log in to each mailbox, and keep the tokens. Raises TokenError, Refused."""
    found = token_logins(settings)
    if not found:
        raise Refused(f"{settings.path} has no [imap.oauth2]; the mailbox is opened with its password.")
    from gm.transport.oauth.login import by_browser, by_device

    for (username, one), sections in found.items():
        tell(f"Logging in {username} at {one.host} (for {sections}).")
        by_code = one.device_url and not (wants_browser and one.authorize_url)
        tokens = by_device(one, tell) if by_code else by_browser(one, username, tell, port=port)
        with locked(one.tokens):
            store_tokens(one, username, tokens)
        tell(f"Done: the tokens are kept in {one.tokens}, and are renewed as needed.")
        if not tokens.refresh:
            tell("The provider gave none to renew them with: this lasts an hour only; check the app and its scope.")
    tell("Next: gm doctor")


def check(settings: "Settings") -> Iterator[Check]:
    """Report for `gm doctor` whether there is a token that is valid or can be renewed."""
    for (username, one), _ in token_logins(settings).items():
        try:
            access_token(one, username)
            tokens = load_tokens(one, username)
        except TokenError as error:
            yield Check("OAuth2 token", "fail", str(error))
            continue
        minutes = max(0, int(tokens.expires_at - time.time()) // 60) if tokens else 0
        lasts = f"The token of {username} is good for {minutes} min."
        if tokens and tokens.refresh:
            yield Check("OAuth2 token", "ok", f"{lasts} and can be renewed.")
        else:
            yield Check("OAuth2 token", "warn", f"{lasts}; then run `gm login`.")
