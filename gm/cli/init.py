"""What `gm init` asks, and how it tries the answers; without a terminal nothing is asked."""

import os
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import typer

from gm.cli.terminal.printing import say
from gm.runtime.config.settings import Encryption, Secret
from gm.runtime.config.values import AN_ADDRESS, Contact
from gm.runtime.errors import OperatorError, Refused
from gm.service.setup.init_draft import DRAFT, delete_draft, read_draft, save_draft
from gm.service.setup.providers import PROVIDERS, Provider, provider_of_domain, provider_of_server
from gm.service.setup.server_discovery import Kind, Server, find_servers, read_server
from gm.service.setup.zine_setup import LOGIN_REFUSED, Draft, Login, set_up, try_login
from parsers.addresses import is_address

NAME: Final = "Postspiele"
"""What a zine is called that was given no name."""
LANGUAGE: Final = "de"
"""What it speaks where nobody says."""
LEFT_OUT: Final = "-"
"""The answer that leaves the login for sending out."""

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


class Answers(dict[str, Any]):
    """What is known so far, by the keys of the config. A draft of it is kept should the questions be broken off."""

    def note_address(self, address: str) -> None:
        """Note the game's address. Of another one than before the login isn't known, nor the servers of its domain."""
        before = self.get("service.address", address)
        if _domain(before) != _domain(address):
            for key in [key for key in self if key.startswith(("imap.", "smtp."))]:
                del self[key]
        elif before != address:
            for key in [key for key in ("imap.username", "smtp.username") if self.get(key) == before]:
                del self[key]
        self["service.address"] = address

    def note_server(self, kind: Kind, server: Server) -> None:
        """Note where one of the two servers is."""
        self.update({f"{kind}.host": server.host, f"{kind}.port": server.port, f"{kind}.security": server.security})

    def server(self, kind: Kind) -> Server | None:
        """Return the server that was answered before, if it was."""
        found = [self.get(f"{kind}.{key}") for key in ("host", "port", "security")]
        return read_server(kind, found[0], *found[1:]) if found[0] else None


def set_up_by_asking(folder: Path, given: InitOptions) -> tuple[Draft, list[Path]]:
    """Complete what was given, by asking on a terminal, try the logins, and write everything. Raises Refused.

    On a terminal no answer is lost: whatever ends the questions, they are kept in a draft, and the next `gm init` in
    this folder proposes them.
    """
    _refuse_if_unwritable(folder)
    kept = Answers(read_draft(folder)) if sys.stdin.isatty() else Answers()
    if kept:
        say(f"{folder / DRAFT} has what you answered before; Enter takes what stands in brackets.", "")
    answers = Answers(kept)
    try:
        draft = _draft_of(given, answers)
        with _uninterrupted():
            written = set_up(folder, draft)
    except (OperatorError, typer.Abort, KeyboardInterrupt):
        if sys.stdin.isatty() and answers:
            path = save_draft(folder, answers)
            here = "" if folder == Path() else f" {shlex.quote(str(folder))}"
            say("", f"What you answered is kept in {path}, without passwords. To go on: gm init{here}")
        raise
    delete_draft(folder)
    return draft, written


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the files are written: half a zine can't be set up again."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _refuse_if_unwritable(folder: Path) -> None:
    """Refuse a folder in which nothing can be written before anything is asked."""
    there = next((path for path in (folder.absolute(), *folder.absolute().parents) if path.exists()), Path("/"))
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise Refused(f"{folder} can't be written to: {there} is {'read-only' if there.is_dir() else 'no folder'}.")


def _draft_of(given: InitOptions, answers: Answers) -> Draft:
    """Complete what was given, and note each answer as soon as it is known. Raises Refused."""
    if not sys.stdin.isatty():
        _refuse_gaps(given)
    from_file = _password_from(given.password_file) if given.password_file else None
    address = given.address or _asked("Address that players write to", _address, answers.get("service.address", ""))
    answers.note_address(address)
    gm = given.gm or _asked(
        "You, the GM (Name <address>)", lambda text: _contact(text, address), answers.get("service.gm", "")
    )
    name = given.name or answers.get("service.name", NAME)
    language = given.language or answers.get("service.language", LANGUAGE)
    answers.update({"service.gm": gm, "service.name": name, "service.language": language})
    imap, smtp = _servers(given, address, answers)
    username = given.username or answers.get("imap.username") or address
    to_send = given.username or answers.get("smtp.username") or username
    answers.update({"imap.username": username, "smtp.username": to_send})
    oauth2 = _oauth2(given, imap, answers.get("imap.oauth2.client_id", ""))
    answers.update({f"imap.oauth2.{key}": value for key, value in (oauth2 or {}).items()})
    password = Secret() if oauth2 else from_file if from_file is not None else _password()
    draft = Draft(
        address=address, gm=gm, name=name, language=language,
        imap=Login(server=imap, username=username, password=password),
        smtp=Login(server=smtp, username=to_send, password=password), oauth2=oauth2,
    )  # fmt: skip
    return _tried(draft, answers) if given.is_tried and password else draft


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


def _servers(given: InitOptions, address: str, answers: Answers) -> tuple[Server, Server]:
    """Choose the servers: as given, as answered before, as known of the provider, or as found and confirmed."""
    provider = provider_of_domain(_domain(address))
    before = answers.server("imap"), answers.server("smtp")
    known = (provider.imap, provider.smtp) if provider else before
    imap_guess, smtp_guess = known if all(known) else _found(given, _domain(address))
    ask = _as_guessed if provider else _asked_server
    imap = _at("imap", given.imap) or _adapted("imap", given.imap, ask("imap", before[0] or imap_guess))
    answers.note_server("imap", imap)
    # Whoever names one server of a provider, or the provider itself, uses its other server as well.
    same = provider or provider_of_server(imap.host)
    known_smtp = (before[1] if before[0] == imap else None) or same.smtp if same else None
    smtp = _at("smtp", given.smtp) or _adapted("smtp", given.smtp, known_smtp or ask("smtp", before[1] or smtp_guess))
    answers.note_server("smtp", smtp)
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

    return _asked(f"{kind.upper()} server", lambda text: _read_server(kind, text, guessed), str(guessed or ""))


def _read_server(kind: Kind, text: str, guessed: Server | None) -> Server:
    if guessed and text == str(guessed):
        return guessed
    provider = _provider_called(text)
    return getattr(provider, kind) if provider else read_server(kind, text)


def _provider_called(text: str) -> Provider | None:
    """Find a provider by its name: who has an own domain at IONOS may well answer `IONOS`."""
    folded = re.sub(r"\W", "", text.lower())
    return next((one for one in PROVIDERS if re.sub(r"\W", "", one.name.lower()) == folded), None)


def _oauth2(given: InitOptions, imap: Server, before: str) -> dict[str, str] | None:
    """Choose OAuth2 with the id of the GM's own app where the provider has it; None: by password. Raises Refused."""
    provider = provider_of_domain(_domain(given.address)) or provider_of_server(imap.host)
    kind, client_id = provider.oauth if provider else None, given.client_id
    if client_id and not kind:
        raise Refused("--client-id is for Gmail and Microsoft; for others write [imap.oauth2] into config.toml.")
    if kind == "microsoft" and not client_id and not given.password_file and sys.stdin.isatty():
        question = "Microsoft takes tokens only. Client id of the app that you registered there (empty: none yet)"
        client_id = str(typer.prompt(question, default=before, show_default=bool(before))).strip()
    return {"provider": kind, "client_id": client_id} if kind and client_id else None


def _password_from(file: Path) -> Secret:
    """Read the password from a file, before anything is asked. Raises Refused."""
    try:
        return Secret(file.read_text(encoding="utf-8").rstrip("\r\n"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8"
        raise Refused(f"--password-file {file} can't be read: {why}.") from error


def _password() -> Secret:
    """Ask for the password; empty means that it will come from the environment."""
    if not sys.stdin.isatty():
        return Secret()
    return _hidden("Password of the mailbox (hidden; empty if the environment will have it)")


def _hidden(question: str) -> Secret:
    return Secret(str(typer.prompt(question, default="", hide_input=True, show_default=False)))


def _tried(draft: Draft, answers: Answers) -> Draft:
    """Try both logins, asking again for what may be wrong; what worked for IMAP is tried first for SMTP."""
    imap = _until_it_works("imap", draft.imap, answers)
    is_one_login = draft.smtp.username == draft.imap.username
    username = imap.username if is_one_login else draft.smtp.username
    smtp = replace(draft.smtp, username=username, password=imap.password)
    return replace(draft, imap=imap, smtp=_until_it_works("smtp", smtp, answers))


def _until_it_works(kind: Kind, login: Login, answers: Answers) -> Login:
    """Try a login, asking again for what may be wrong. Raises Refused where nobody can be asked, or wants to go on."""
    for left in reversed(range(TRIES)):
        say(f"Trying the {kind.upper()} login at {login.server} ...")
        trouble = try_login(kind, login)
        if not trouble:
            _tell_success(kind, login)
            return login
        say(f"fail  {kind.upper()}: {trouble}", *_hint(login, trouble))
        if not sys.stdin.isatty():
            raise Refused(f"The {kind.upper()} login failed; nothing was written. --no-login leaves the trial out.")
        if kind == "smtp" and not login.username:
            say("      Without a login nothing goes out yet; mails are fetched. Mend [smtp] in config.toml later.")
            return login
        if left:
            login = _asked_again(kind, login, trouble)
            answers.note_server(kind, login.server)
            answers[f"{kind}.username"] = login.username
    if not typer.confirm("Write the config all the same?"):
        raise Refused("No config was written.")
    return login


def _tell_success(kind: Kind, login: Login) -> None:
    if login.username:
        say(f"ok    {kind.upper()}: {login.username} is logged in at {login.server}.")
    else:
        say(f"ok    {kind.upper()}: {login.server} takes mails without a login.")


def _hint(login: Login, trouble: str) -> list[str]:
    provider = provider_of_server(login.server.host)
    return [f"      {provider.hint}"] if provider and provider.hint and LOGIN_REFUSED in trouble else []


def _asked_again(kind: Kind, login: Login, trouble: str) -> Login:
    """Ask for the server, or for name and password where the server has answered that they are wrong.

    The login for sending may be left out.
    """
    if kind == "smtp":
        say(f"      A minus ({LEFT_OUT}) leaves the SMTP login out: mails are fetched, and sending is mended later.")
    if LOGIN_REFUSED not in trouble:
        server = _asked(
            f"{kind.upper()} server", lambda text: _server_or_none(kind, text, login.server), str(login.server)
        )
        return replace(login, server=server) if server else _without_login(login)
    username = _asked("User name", lambda text: text, login.username)
    if kind == "smtp" and username == LEFT_OUT:
        return _without_login(login)
    password = _hidden("Password (hidden; empty if it stays the same)")
    return replace(login, username=username, password=password or login.password)


def _server_or_none(kind: Kind, text: str, before: Server) -> Server | None:
    return None if kind == "smtp" and text == LEFT_OUT else _read_server(kind, text, before)


def _without_login(login: Login) -> Login:
    return replace(login, username="", password=Secret())
