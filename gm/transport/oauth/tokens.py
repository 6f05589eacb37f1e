"""The access token for the mail servers: kept in a file for nobody else to read, renewed by the provider's library."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.api import say
from gm.runtime import drafts
from gm.runtime.config.oauth import OAuth
from gm.runtime.errors import Refused, TokenError
from gm.runtime.file_lock import FileLock
from gm.runtime.network import Check
from gm.runtime.redaction import Secret

if TYPE_CHECKING:
    from gm.runtime.config.settings import Settings


def access_token(app: OAuth, *, refused: Secret | None = None) -> Secret:
    """Return a token to log in with, not the one that the mail server has just `refused`. Raises TokenError."""
    with _locked(app.tokens):
        try:
            kept = _kept(app.tokens)
            found: tuple[Secret, str] | None = _library(app).fetch(app, kept, refused) if kept else None
        except (ValueError, TypeError, AttributeError, KeyError):
            raise TokenError(f"{app.tokens} isn't what `gm login` writes; run `gm login` again.") from None
        if found is None:
            raise TokenError(f"There is no login at {app.name} yet; run `gm login`.")
        token, to_keep = found
        if to_keep != kept:
            _keep(app.tokens, to_keep)
        return token


def log_in(settings: "Settings", tell: Callable[[str], None], ask: Callable[[str], str]) -> None:
    """Let a person log in to the mailbox, and keep the tokens. Raises TokenError, Refused."""
    app = settings.oauth
    if not app:
        raise Refused(say("tokens.no_oauth", config=str(settings.path)))
    tell(f"Logging in {settings.imap.username} at {app.name}.")
    to_keep = _library(app).log_in(app, settings.imap.username, tell, ask)
    with _locked(app.tokens):
        _keep(app.tokens, to_keep)
    tell(f"Done: the tokens are kept in {app.tokens}, and are renewed as needed.")
    tell("Next: gm doctor")


def check(settings: "Settings") -> Iterator[Check]:
    """Report for `gm doctor` whether there is a token that is valid or can be renewed."""
    if not settings.oauth:
        return
    try:
        access_token(settings.oauth)
    except TokenError as error:
        yield Check("token", "fail", str(error))
    else:
        yield Check("token", "ok", f"{settings.oauth.name} gives tokens, and renews them.")


def _library(app: OAuth) -> Any:
    """Return the module of a provider. Its library takes a while to load, and most zines need none."""
    if app.provider == "google":
        from gm.transport.oauth import google

        return google
    from gm.transport.oauth import microsoft

    return microsoft


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep others from renewing meanwhile: they would write over what was just kept."""
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.take(waits=True)
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        yield
    finally:
        lock.release()


def _kept(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _unusable(path, error) from error


def _keep(path: Path, text: str) -> None:
    try:
        drafts.replace(path, text.encode())
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> TokenError:
    return TokenError(f"The tokens in {path} can't be used ({error.strerror}); check the file and its folder's rights.")
