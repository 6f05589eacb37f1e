"""The questions of `gm init`; without a terminal nothing is asked."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import typer

from gm.cli.terminal.printing import say
from gm.runtime.config.settings import Secret
from gm.runtime.config.values import AN_ADDRESS, Contact
from gm.runtime.errors import Refused
from gm.service.setup.providers import PROVIDERS, Servers, provider_of_domain, provider_of_server, read_servers
from gm.service.setup.zine_setup import NewZine
from parsers.addresses import canonical

NAME: Final = "Postspiele"
"""What a zine is called that was given no name."""

Answer = TypeVar("Answer")


def complete(
    *, address: str, gm: str, provider: str, username: str, password_file: Path | None, client_id: str, name: str
) -> NewZine:
    """Ask for what was not given as an option. Raises Refused."""
    is_asked = sys.stdin.isatty()
    if not is_asked:
        _refuse_gaps(address, gm, provider, client_id)
    password = _password_from(password_file) if password_file else None
    address = _read(address, "Address that players write to", _address)
    gm = _read(gm, "You, the GM (Name <address>)", lambda text: _contact(text, address))
    servers = _servers(provider, address)
    known = provider_of_server(servers.imap.host)
    if known and known.hint:
        say(known.hint)
    if known and known.needs_app:
        client_id = _read(client_id, "Client id of your app there", _line)
    elif client_id:
        raise Refused("--client-id is for Microsoft; docs/install.md says where tokens of Google are set up.")
    elif password is None and is_asked:
        username = _read(username, "Login name", _line, address)
        password = Secret(
            typer.prompt("Password (hidden; empty if the environment will have it)", "", hide_input=True,
                         show_default=False)
        )  # fmt: skip
    name = _read(name, "The zine's name", _line, NAME) if is_asked else _line(name or NAME)
    return NewZine(
        address=address, gm=gm, name=name, servers=servers, username=_line(username or address),
        password=password or Secret(), client_id=client_id,
    )  # fmt: skip


def _refuse_gaps(address: str, gm: str, provider: str, client_id: str) -> None:
    """Name what is missing where nobody can be asked."""
    known = provider_of_domain(address.rpartition("@")[2])
    needed = {"--address": address, "--gm": gm, "--provider": provider or known}
    if known and known.needs_app and not provider:
        needed["--client-id"] = client_id
    if missing := [option for option, value in needed.items() if not value]:
        options = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        raise Refused(f"Without a terminal nothing can be asked; give {options} as well.")


def _read(given: str, question: str, reader: Callable[[str], Answer], default: str = "") -> Answer:
    """Read what was given, or ask until the answer is possible. Raises Refused where nobody can be asked again."""
    if given or not sys.stdin.isatty():
        return reader(given.strip())
    while True:
        answer = typer.prompt(question, default=default or None)
        try:
            return reader(str(answer).strip())
        except Refused as refused:
            say(str(refused))


def _line(text: str) -> str:
    if not text or not text.isprintable():
        raise Refused(f"'{text}' is not possible; allowed is a text of one line.")
    return text


def _address(text: str) -> str:
    address = canonical(text)
    if not address:
        raise Refused(f"'{text}' is not possible; allowed is {AN_ADDRESS}.")
    return address


def _contact(text: str, address: str) -> str:
    contact = Contact.parse(text)
    if contact.address.casefold() == address.casefold():
        raise Refused(
            f"'{text}' is not possible; allowed is another address than the players', which we read ourselves."
        )
    return str(contact)


def _servers(given: str, address: str) -> Servers:
    """Choose the servers: as given, as known of the address, or as answered."""
    known = provider_of_domain(address.rpartition("@")[2])
    if known and not given:
        servers = known.servers
    else:
        if not given:
            say(f"Known providers: {', '.join(dict.fromkeys(one.name for one in PROVIDERS))}.")
        servers = _read(given, "Mail provider, or its IMAP server and its SMTP server", read_servers)
    say(f"Mails are fetched from {servers.imap} and sent through {servers.smtp}.")
    return servers


def _password_from(file: Path) -> Secret:
    try:
        return Secret(file.read_text(encoding="utf-8").rstrip("\r\n"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8"
        raise Refused(f"--password-file {file} can't be read: {why}.") from error
