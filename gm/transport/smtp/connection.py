"""One SMTP connection: encrypted, logged in, and its failures in plain English."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import TYPE_CHECKING

import aiosmtplib

from gm.runtime.errors import DeliveryError, TokenError
from gm.runtime.network import causes, explain_network, printable, refuse_plaintext
from gm.runtime.redaction import Secret
from gm.transport.oauth.tokens import access_token

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings

FAILURES = (aiosmtplib.SMTPException, OSError, ValueError, TokenError)


async def quit_connection(client: aiosmtplib.SMTP) -> None:
    """Say goodbye and hang up."""
    with contextlib.suppress(*FAILURES):
        await client.quit(timeout=1)
    client.close()


async def connect(settings: SmtpSettings, timeout: float) -> aiosmtplib.SMTP:
    """Connect, encrypt and log in. A token that was revoked before its time is renewed once.

    Raises one of FAILURES.
    """
    refuse_plaintext(settings)
    token = await _token(settings)
    try:
        return await _logged_in(settings, token, timeout)
    except aiosmtplib.SMTPAuthenticationError:
        if token is None:
            raise
        return await _logged_in(settings, await _token(settings, refused=token), timeout)


async def _token(settings: SmtpSettings, *, refused: Secret | None = None) -> Secret | None:
    """Get the token in a thread: the token server may have to be asked, and the stop signal is checked meanwhile."""
    if not settings.oauth:
        return None
    return await asyncio.to_thread(access_token, settings.oauth, refused=refused)


async def _logged_in(settings: SmtpSettings, token: Secret | None, timeout: float) -> aiosmtplib.SMTP:
    """Connect, encrypted as the settings say, with a verified certificate.

    `start_tls` is never None, which would mean "if the server offers it".
    """

    async def revealed() -> str:
        return token.get_secret_value() if token else ""

    client = aiosmtplib.SMTP(
        hostname=settings.host,
        port=settings.port,
        username=settings.username or None,
        password=settings.password.get_secret_value() if settings.username and token is None else None,
        oauth_token_generator=revealed if token else None,
        timeout=timeout,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=ssl.create_default_context() if settings.security != "none" else None,
    )
    await client.connect()
    try:
        if client.is_ehlo_or_helo_needed:  # without encryption and login; a refusal is about us, not about a letter
            await _greet(client)
    except FAILURES:
        client.close()
        raise
    return client


async def _greet(client: aiosmtplib.SMTP) -> None:
    try:
        await client.ehlo()
    except aiosmtplib.SMTPHeloError:
        if not client.is_connected:
            raise
        await client.helo()


def trouble(settings: SmtpSettings, error: BaseException) -> DeliveryError:
    """Describe a failure in one English sentence, without the password."""
    if isinstance(error, TokenError):
        return DeliveryError(printable(str(error)))
    sentence = f"The SMTP server {settings.host}:{settings.port} {_what_failed(settings, error)}."
    is_login = isinstance(error, aiosmtplib.SMTPAuthenticationError) and error.code >= 500
    return DeliveryError(printable(sentence), is_login=is_login)


def _what_failed(settings: SmtpSettings, error: BaseException) -> str:
    answer = " ".join(str(getattr(error, "message", error)).split()).rstrip(".")
    match error:
        case aiosmtplib.SMTPAuthenticationError() if settings.oauth:
            return (
                f"refused the login of {settings.username} with a token: {answer}; check username in [smtp] and the "
                "rights of the app, and run `gm login` again"
            )
        case aiosmtplib.SMTPAuthenticationError():
            return f"refused the login of {settings.username}: {answer}; check username and password in [smtp]"
        case aiosmtplib.SMTPResponseException():
            return f"does not take mail from us: {error.code} {answer}; check port, security and username in [smtp]"
    telling = [cause for cause in causes(error) if not isinstance(cause, aiosmtplib.SMTPException)]
    if telling and (reason := explain_network(telling[0])):
        return f"can't be used: {reason}"
    if isinstance(error, TimeoutError):
        return f"can't be used: {explain_network(error)}"
    return f"can't be used: {answer}; check port, security and username in [smtp]"
