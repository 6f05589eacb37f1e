"""What `gm init` asks, and how it tries the answers; without a terminal nothing is asked."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import typer

from gm.cli.terminal.printing import say
from gm.runtime.config.settings import Encryption, Secret
from gm.runtime.config.values import AN_ADDRESS, Contact
from gm.runtime.errors import Refused
from gm.service.setup.providers import PROVIDERS, Provider, provider_of_domain, provider_of_server
from gm.service.setup.server_discovery import Kind, Server, find_servers, read_server
from gm.service.setup.zine_setup import LOGIN_REFUSED, Draft, Login, try_login
from parsers.addresses import is_address

TRIES = 4
"""How often a login is tried before we offer to write the config all the same."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """The options about a server; empty where not given."""

    host: str
    port: int | None
    security: Encryption | None


@dataclass(frozen=True, kw_only=True)
class InitOptions:
    """The options of `gm init`; empty where not given."""

    address: str
    gm: str
    imap: ServerOptions
    smtp: ServerOptions
    username: str
    password_file: Path | None
    is_tried: bool
    name: str
    language: str
    client_id: str = ""


def draft_of(given: InitOptions) -> Draft:
    """Complete what was given, by asking on a terminal, and try the logins. Raises Refused."""
    if not sys.stdin.isatty():
        _refuse_gaps(given)
    address = given.address or _asked("Address that players write to", _address)
    gm = given.gm or _asked("You, the GM (Name <address>)", lambda text: _contact(text, address))
    imap, smtp = _servers(given, address)
    username, oauth2 = given.username or address, _oauth2(given, imap)
    password = Secret() if oauth2 else _password(given)
    draft = Draft(
        address=address, gm=gm, name=given.name, language=given.language,
        imap=Login(server=imap, username=username, password=password),
        smtp=Login(server=smtp, username=username, password=password), oauth2=oauth2,
    )  # fmt: skip
    return _tried(draft) if given.is_tried and password else draft


def _refuse_gaps(given: InitOptions) -> None:
    """Name what is missing where nobody can be asked."""
    provider = provider_of_domain(_domain(given.address))
    needed = {
        "--address": given.address, "--gm": given.gm, "--imap-host": given.imap.host or provider,
        "--smtp-host": given.smtp.host or provider,
    }  # fmt: skip
    if missing := [option for option, value in needed.items() if not value]:
        options = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        raise Refused(f"Without a terminal nothing can be asked; give {options} as well.")


def _domain(address: str) -> str:
    return address.strip().rpartition("@")[2]


def _asked(question: str, reader: Callable[[str], Answer], default: str = "") -> Answer:
    """Ask until the answer is possible."""
    while True:
        answer = typer.prompt(question, default=default or None, show_default=bool(default))
        try:
            return reader(str(answer).strip())
        except Refused as refused:
            say(str(refused))


def _address(text: str) -> str:
    if not is_address(text):
        raise Refused(f"'{text}' is not possible; allowed is {AN_ADDRESS}.")
    return text


def _contact(text: str, address: str) -> str:
    contact = Contact.parse(text)
    if contact.address.casefold() == address.casefold():
        raise Refused(
            f"'{text}' is not possible; allowed is another address than the players', which we read ourselves."
        )
    return str(contact)


def _servers(given: InitOptions, address: str) -> tuple[Server, Server]:
    """Choose the servers: as given, as known of the provider, or as found and confirmed."""
    provider = provider_of_domain(_domain(address))
    imap_guess, smtp_guess = (provider.imap, provider.smtp) if provider else _found(given, _domain(address))
    ask = _as_guessed if provider else _asked_server
    imap = _at("imap", given.imap) or _adapted("imap", given.imap, ask("imap", imap_guess))
    # Whoever names one server of a provider, or the provider itself, uses its other server as well.
    same = provider or provider_of_server(imap.host)
    smtp = _at("smtp", given.smtp) or _adapted("smtp", given.smtp, same.smtp if same else ask("smtp", smtp_guess))
    if same and imap.host == same.imap.host:
        say(f"{same.name}: mails are fetched from {imap} and sent through {smtp}.")
    return imap, smtp


def _found(given: InitOptions, domain: str) -> tuple[Server | None, Server | None]:
    """Look for the servers of a domain, unless both are given."""
    if given.imap.host and given.smtp.host:
        return None, None
    say(f"Looking for the mail servers of {domain} ...")
    imap, smtp = find_servers(domain)
    if not imap or not smtp:
        names = ", ".join(dict.fromkeys(one.name for one in PROVIDERS))
        say(f"Not found; the provider says what they are called. A provider's name will do for {names}.")
    return imap, smtp


def _at(kind: Kind, options: ServerOptions) -> Server | None:
    return read_server(kind, options.host, options.port, options.security) if options.host else None


def _adapted(kind: Kind, options: ServerOptions, server: Server) -> Server:
    """Apply the port and encryption from the command line."""
    return (
        read_server(kind, server.host, options.port, options.security) if options.port or options.security else server
    )


def _as_guessed(_kind: Kind, guessed: Server | None) -> Server:
    assert guessed is not None
    return guessed


def _asked_server(kind: Kind, guessed: Server | None) -> Server:
    """Ask for a server; the default may keep an encryption that its port doesn't tell."""

    def reader(text: str) -> Server:
        if guessed and text == str(guessed):
            return guessed
        provider = _provider_called(text)
        return getattr(provider, kind) if provider else read_server(kind, text)

    return _asked(f"{kind.upper()} server", reader, str(guessed or ""))


def _provider_called(text: str) -> Provider | None:
    """Find a provider by its name: who has an own domain at IONOS may well answer `IONOS`."""
    folded = re.sub(r"\W", "", text.lower())
    return next((one for one in PROVIDERS if re.sub(r"\W", "", one.name.lower()) == folded), None)


def _oauth2(given: InitOptions, imap: Server) -> dict[str, str] | None:
    """Choose OAuth2 with the id of the GM's own app where the provider has it; None: by password. Raises Refused."""
    provider = provider_of_domain(_domain(given.address)) or provider_of_server(imap.host)
    kind, client_id = provider.oauth if provider else None, given.client_id
    if client_id and not kind:
        raise Refused("--client-id is for Gmail and Microsoft; for others write [imap.oauth2] into config.toml.")
    if kind == "microsoft" and not client_id and not given.password_file and sys.stdin.isatty():
        question = "Microsoft takes tokens only. Client id of the app that you registered there (empty: none yet)"
        client_id = str(typer.prompt(question, default="", show_default=False)).strip()
    return {"provider": kind, "client_id": client_id} if kind and client_id else None


def _password(given: InitOptions) -> Secret:
    """Read the password from the file or ask for it; empty means that it will come from the environment."""
    if given.password_file:
        try:
            return Secret(given.password_file.read_text(encoding="utf-8").rstrip("\r\n"))
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "not UTF-8"
            raise Refused(f"--password-file {given.password_file} can't be read: {why}.") from error
    if not sys.stdin.isatty():
        return Secret()
    return _hidden("Password of the mailbox (hidden; empty if the environment will have it)")


def _hidden(question: str) -> Secret:
    return Secret(str(typer.prompt(question, default="", hide_input=True, show_default=False)))


def _tried(draft: Draft) -> Draft:
    """Try both logins, asking again for what may be wrong; what worked for IMAP is tried first for SMTP."""
    imap = _until_it_works("imap", draft.imap)
    smtp = replace(draft.smtp, username=imap.username, password=imap.password)
    return replace(draft, imap=imap, smtp=_until_it_works("smtp", smtp))


def _until_it_works(kind: Kind, login: Login) -> Login:
    """Try a login, asking again for what may be wrong. Raises Refused where nobody can be asked, or wants to go on."""
    for left in reversed(range(TRIES)):
        say(f"Trying the {kind.upper()} login at {login.server} ...")
        trouble = try_login(kind, login)
        if not trouble:
            say(f"ok    {kind.upper()}: {login.username} is logged in at {login.server}.")
            return login
        say(f"fail  {kind.upper()}: {trouble}", *_hint(login, trouble))
        if not sys.stdin.isatty():
            raise Refused(f"The {kind.upper()} login failed; nothing was written. --no-login leaves the trial out.")
        if left:
            login = _asked_again(kind, login, trouble)
    if not typer.confirm("Write the config all the same?"):
        raise Refused("Nothing was written.")
    return login


def _hint(login: Login, trouble: str) -> list[str]:
    provider = provider_of_server(login.server.host)
    return [f"      {provider.hint}"] if provider and provider.hint and LOGIN_REFUSED in trouble else []


def _asked_again(kind: Kind, login: Login, trouble: str) -> Login:
    """Ask for the server, or for name and password where the server has answered that they are wrong."""
    if LOGIN_REFUSED not in trouble:
        return replace(login, server=_asked_server(kind, login.server))
    username = _asked("User name", lambda text: text, login.username)
    password = _hidden("Password (hidden; empty if it stays the same)")
    return replace(login, username=username, password=password or login.password)
