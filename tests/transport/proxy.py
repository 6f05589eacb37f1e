"""A proxy before a real IMAP server, which misbehaves at the command that a test names."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from waiting import TIMEOUT

Act = Callable[["Talk", bytes], bool]
"""What is done when a command comes (its tag is given); says whether the command goes on to the server."""


@dataclass(kw_only=True)
class Rule:
    """At commands with these words, so many times (None: for good), this is done."""

    words: bytes
    act: Act
    times: int | None


@dataclass
class Talk:
    """One connection of a client, passed on to the server."""

    client: socket.socket
    server: socket.socket
    alter: Callable[[bytes], bytes]
    cut_after: int | None = None
    """How many bytes the client still gets before the line goes dead."""
    _sending: threading.Lock = field(default_factory=threading.Lock)

    def say(self, data: bytes) -> None:
        """Send the client something, or as much of it as it still gets."""
        with self._sending:
            if self.cut_after is not None:
                data, whole = data[: self.cut_after], data
                self.cut_after -= len(data)
                self.client.sendall(data)
                if len(data) < len(whole):
                    self.hang_up()
                return
            self.client.sendall(data)

    def hang_up(self) -> None:
        """End both connections at once."""
        for sock in (self.client, self.server):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


class Proxy:
    """`with Proxy(port) as proxy: proxy.at(b"UID FETCH", cut(60))` lies before the server at that port."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.rules: list[Rule] = []
        self.alter: Callable[[bytes], bytes] = lambda data: data
        """What becomes of everything that the server says."""
        self.is_down = False
        self.connections = 0
        self.commands: list[bytes] = []
        """What was asked, without tags."""
        self._talks: list[Talk] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Proxy:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self.cut_all()
        for thread in list(self._threads):
            thread.join(TIMEOUT)
        self._listening.close()

    def at(self, words: bytes, act: Act, times: int | None = 1) -> None:
        """Do this when a command with these words comes."""
        self.rules.append(Rule(words=words, act=act, times=times))

    def behave(self) -> None:
        """Pass everything on again."""
        self.rules.clear()
        self.alter = lambda data: data
        self.is_down = False

    def cut_all(self) -> None:
        """Break off every connection."""
        for talk in list(self._talks):
            talk.hang_up()

    def asked(self, words: bytes) -> list[bytes]:
        """List the commands with these words."""
        return [command for command in self.commands if words in command]

    def _start(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            if self.is_down:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self._upstream))
            for sock in (client, server):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            talk = Talk(client, server, lambda data: self.alter(data))
            self._talks.append(talk)
            self._start(lambda talk=talk: self._up(talk))
            self._start(lambda talk=talk: self._down(talk))

    def _up(self, talk: Talk) -> None:
        with contextlib.suppress(OSError), talk.client.makefile("rb") as heard:
            while line := heard.readline():
                goes_on = self._meddle(talk, line)
                if goes_on:
                    talk.server.sendall(line)
                    if literal := re.search(rb"\{(\d+)\}\r\n$", line):
                        talk.server.sendall(heard.read(int(literal[1])))
        talk.hang_up()
        talk.client.close()

    def _meddle(self, talk: Talk, line: bytes) -> bool:
        tag, _, command = line.strip().partition(b" ")
        self.commands.append(command)
        for rule in self.rules:
            if rule.words in command.upper() and rule.times != 0:
                if rule.times is not None:
                    rule.times -= 1
                return rule.act(talk, tag)
        return True

    def _down(self, talk: Talk) -> None:
        with contextlib.suppress(OSError):
            while data := talk.server.recv(65536):
                talk.say(talk.alter(data))
        talk.hang_up()
        talk.server.close()


def cut(after: int) -> Act:
    """Let the command through, and the line goes dead after so many bytes of the answer."""

    def act(talk: Talk, _tag: bytes) -> bool:
        talk.cut_after = after
        return True

    return act


def answer(text: bytes) -> Act:
    """Answer in the server's place: `NO [LIMIT] too much`."""

    def act(talk: Talk, tag: bytes) -> bool:
        talk.say(tag + b" " + text + b"\r\n")
        return False

    return act


def bye(talk: Talk, _tag: bytes) -> bool:
    """Send BYE instead of an answer and close the connection."""
    talk.say(b"* BYE the server goes down\r\n")
    talk.hang_up()
    return False


def inject(lines: bytes) -> Act:
    """Send unsolicited data before the answer."""

    def act(talk: Talk, _tag: bytes) -> bool:
        talk.say(lines)
        return True

    return act


def garbage(data: bytes) -> Act:
    """Answer with anything but IMAP, and hang up then, as nobody would know what to wait for."""

    def act(talk: Talk, _tag: bytes) -> bool:
        talk.say(data)
        talk.hang_up()
        return False

    return act


def silence(_talk: Talk, _tag: bytes) -> bool:
    """Never answer the command."""
    return False


def first(do: Callable[[], object]) -> Act:
    """Let something happen on the server before the command goes on."""

    def act(_talk: Talk, _tag: bytes) -> bool:
        do()
        return True

    return act
