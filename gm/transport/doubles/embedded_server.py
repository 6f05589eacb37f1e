"""A mail server in this process, for `gm demo` and tests: pymap for IMAP, aiosmtpd for SMTP, everything in memory.

It uses internals of pymap, so pymap's version is pinned.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from argparse import Namespace
from collections.abc import AsyncIterator, Coroutine
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import Config, Identity, Login
from pymap.backend.dict.mailbox import MailboxData
from pymap.concurrent import Subsystem
from pymap.context import connection_exit
from pymap.exceptions import MailboxConflict, MailboxNotFound
from pymap.imap import IMAPConnection
from pymap.imap.state import ConnectionState
from pymap.interfaces.session import SessionInterface
from pymap.parsing.message import AppendMessage
from pymap.parsing.response import Response
from pymap.parsing.specials.flag import Answered, Deleted, Draft, Flag, Flagged, Seen, Wildcard
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from gm.runtime.clock import Clock, utcnow

HOST = "127.0.0.1"

Answer = TypeVar("Answer")


class MailServer:
    """IMAP and SMTP on two free loopback ports, in a thread of its own. `users` maps addresses to passwords.

    with MailServer({"gm@local.test": "secret"}) as server: server.imap_port, server.smtp_port
    """

    def __init__(self, users: dict[str, str], now: Clock = utcnow) -> None:
        self.users = {address.lower(): password for address, password in users.items()}
        self.now = now
        """When a mail arrives."""
        self.imap_port = 0
        self.smtp_port = 0
        self.delivered = 0
        """How many mails were put into mailboxes."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._ready = threading.Event()
        self._fault: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._sessions: dict[str, SessionInterface] = {}
        self._config: Config | None = None

    def __enter__(self) -> MailServer:
        self._thread = threading.Thread(target=self._run, name="gm-embedded-mail", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            raise self._fault
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
        if self._thread is not None:
            self._thread.join()

    def append(self, user: str, raw: bytes, folder: str = "INBOX", at: datetime | None = None) -> None:
        """Put a mail into a folder, which is created if missing, as if it had arrived then (or now)."""
        self._call(self._append(user.lower(), raw, folder, at or self.now()))

    def mails(self, user: str, folder: str = "INBOX") -> list[bytes]:
        """Return the mails in a folder, oldest first; none if there is no such folder."""
        return self._call(self._folders(user.lower())).get(folder, [])

    def dump(self, folder: Path) -> None:
        """Write every mail to `folder`/mail/<user>/<folder>/0001.eml, for reading after the demo."""
        for user in self.users:
            for name, mails in self._call(self._folders(user)).items():
                directory = folder.joinpath("mail", user, *name.split("/"))
                directory.mkdir(parents=True, exist_ok=True)
                for number, raw in enumerate(mails, 1):
                    (directory / f"{number:04}.eml").write_bytes(raw)

    def _call(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        assert self._loop is not None, "the server is not running"
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    # The server's thread

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # noqa: BLE001 (raised again in the thread that waits for us)
            self._fault = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        async with contextlib.AsyncExitStack() as stack:
            login = await self._accounts(stack)
            await stack.enter_async_context(self._imap(login))
            await stack.enter_async_context(self._smtp())
            self._ready.set()
            await self._stopping.wait()

    async def _accounts(self, stack: contextlib.AsyncExitStack) -> Login:
        _allow_keywords()
        self._config = config = Config(
            Namespace(passlib_cfg=None, proxy_protocol=None),
            demo_data=False,
            demo_user="",
            demo_password="",
            host=HOST,
            port=0,
            tls_enabled=False,
            # Passwords of the demo need no slow hash.
            hash_context=Cleartext(),
            # Otherwise pymap starts a pool of threads for hashing, and never ends it.
            cpu_subsystem=Subsystem.for_asyncio(),
            invalid_user_sleep=0.0,
        )
        config.apply_context()
        login = Login(config)
        for user, password in self.users.items():
            login.users_dict[user] = UserMetadata(config, user, password=password)
            session = Identity(user, login, None, frozenset()).new_session()
            self._sessions[user] = await stack.enter_async_context(session)
        return login

    @contextlib.asynccontextmanager
    async def _imap(self, login: Login) -> AsyncIterator[None]:
        conversations: set[asyncio.Task[None]] = set()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(_converse(login, reader, writer))
            conversations.add(task)
            task.add_done_callback(conversations.discard)

        server = await asyncio.start_server(accept, HOST, 0)
        self.imap_port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            await _end(conversations)

    @contextlib.asynccontextmanager
    async def _smtp(self) -> AsyncIterator[None]:
        conversations: list[SMTP] = []

        def accept() -> SMTP:
            # Mail is taken without a login as well, as from a machine of one's own.
            smtp = SMTP(
                _Delivery(self), enable_SMTPUTF8=True, hostname="localhost", auth_require_tls=False,
                authenticator=lambda _server, _session, _envelope, _mechanism, login: self._check_password(login),
            )  # fmt: skip
            conversations.append(smtp)
            return smtp

        server = await asyncio.get_running_loop().create_server(accept, HOST, 0)
        self.smtp_port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            for conversation in conversations:
                if conversation.transport is not None:
                    conversation.transport.close()
            await _end({task for smtp in conversations if (task := smtp._handler_coroutine) is not None})

    def _check_password(self, login: object) -> AuthResult:
        """Compare the password. `handled=False` lets aiosmtpd write the refusal."""
        assert isinstance(login, LoginPassword)
        name, password = login.login.decode(errors="replace"), login.password.decode(errors="replace")
        return AuthResult(success=self.users.get(name.lower()) == password, handled=False)

    async def _append(self, user: str, raw: bytes, folder: str, at: datetime) -> None:
        session = self._sessions[user]
        mail = AppendMessage(raw, at)
        try:
            await session.append_messages(folder, [mail])
        except MailboxNotFound:
            with contextlib.suppress(MailboxConflict):
                await session.create_mailbox(folder)
            await session.append_messages(folder, [mail])
        self.delivered += 1

    async def _folders(self, user: str) -> dict[str, list[bytes]]:
        assert self._config is not None
        mailboxes, _ = self._config.set_cache[user]
        names = [entry.name for entry in (await mailboxes.list_mailboxes()).list() if entry.exists]
        return {name: await _raw_mails(await mailboxes.get_mailbox(name)) for name in names}


class _Delivery:
    """Puts accepted mails into the recipients' INBOX, with the headers that a real server adds."""

    def __init__(self, server: MailServer) -> None:
        self._server = server

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        if address.lower() not in self._server.users:
            return "550 5.1.1 no such user here"
        envelope.rcpt_tos.append(address.lower())
        return "250 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        del server, session
        assert isinstance(envelope.content, bytes)
        # aiosmtpd keeps the brackets of the null sender only.
        sender = (envelope.mail_from or "").strip("<>")
        for recipient in dict.fromkeys(envelope.rcpt_tos):
            head = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n".encode()
            await self._server._append(recipient, head + envelope.content, "INBOX", self._server.now())
        return "250 2.0.0 delivered"


class _WholeAnswers(IMAPConnection):
    """Sends each answer in one write. pymap writes it in many pieces, and some clients fail on half lines."""

    async def write_response(self, resp: Response) -> None:
        parts = bytearray()
        await resp.async_write(Namespace(write=parts.extend))
        with contextlib.suppress(ConnectionError):
            self.writer.write(bytes(parts))
            await self.writer.drain()


async def _converse(login: Login, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Do what pymap's IMAPServer does, with our connection class."""
    config = login.config
    async with contextlib.AsyncExitStack() as stack:
        connection_exit.set(stack)
        info = SocketInfoLocal(writer, unique_id=b"", dnsbl=None)
        connection = _WholeAnswers(config.commands, config, reader, writer, info)
        stack.enter_context(contextlib.closing(connection))
        await connection.run(ConnectionState(login, config))


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    """Cancel conversations, and let the loop close their sockets."""
    for task in list(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for _ in range(3):
        await asyncio.sleep(0)


async def _raw_mails(mailbox: MailboxData) -> list[bytes]:
    return [bytes(message._content or b"") async for message in mailbox.messages()]


def _allow_keywords() -> None:
    r"""Allow keywords such as $Forwarded, as real servers do: pymap's backend doesn't offer `\*`."""
    flags: frozenset[Flag] = frozenset({Answered, Deleted, Draft, Flagged, Seen, Wildcard})
    MailboxData.permanent_flags = property(lambda _: flags)  # type: ignore[method-assign,assignment]
