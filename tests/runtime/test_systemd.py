"""What the service reports to systemd, over real datagram sockets."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import NEVER, TIMEOUT

from gm.demo.in_memory_zine import Story
from gm.runtime.stop_signal import Stopped, StopSignal
from gm.runtime.systemd import Systemd
from gm.service.scheduler import Loop


@pytest.fixture(params=["path", "abstract"])
def listener_and_name(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """systemd's listener, and what $NOTIFY_SOCKET says of it."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@gm-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(name if request.param == "path" else f"\0{name[1:]}")
        listener.settimeout(TIMEOUT)
        yield listener, name


def receive(listener: socket.socket) -> list[str]:
    """The lines of the next datagram."""
    return listener.recv(4096).decode().splitlines()


def receive_until(listener: socket.socket, text: str) -> list[str]:
    """All lines until one with this text."""
    lines = receive(listener)
    while not any(text in line for line in lines):
        lines += receive(listener)
    return lines


def test_the_loop_says_how_it_stands(
    listener_and_name: tuple[socket.socket, str], running: Callable[..., Story]
) -> None:
    """READY after the start, STATUS after each pass, WATCHDOG between units of work, STOPPING at the end."""
    listener, name = listener_and_name
    systemd = Systemd({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "400000", "WATCHDOG_PID": str(os.getpid())})
    app = replace(running().app, stop_signal=StopSignal(systemd=systemd))
    loop = Loop(app=app, makes_pages=False)
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        assert receive(listener) == ["READY=1", "STATUS=the first pass has begun"]
        assert "WATCHDOG=1" in receive_until(listener, "0 mails handled")
    finally:
        app.stop_signal.set()
        thread.join(TIMEOUT)
    assert not thread.is_alive()
    receive_until(listener, "STOPPING=1")


def test_nobody_listens(listener_and_name: tuple[socket.socket, str]) -> None:
    """Without systemd, or with a socket that is gone, nothing is raised and nothing is sent."""
    listener, name = listener_and_name
    listener.setblocking(False)
    for environment in (
        {}, {"NOTIFY_SOCKET": "/nowhere/notify"}, {"NOTIFY_SOCKET": "@gone", "WATCHDOG_USEC": "x"},
        {"NOTIFY_SOCKET": f"{name}-gone", "WATCHDOG_USEC": "1000"},
    ):  # fmt: skip
        systemd = Systemd(environment)
        systemd.ready("x")
        systemd.alive()
        systemd.status("a\nb")
        systemd.stopping()
        with pytest.raises(BlockingIOError):
            listener.recv(100)


def test_a_watchdog_that_means_another_process(listener_and_name: tuple[socket.socket, str]) -> None:
    """A process that isn't the watched one sends no WATCHDOG, but everything else."""
    listener, name = listener_and_name
    systemd = Systemd({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"})
    systemd.alive()
    systemd.status("a\nb")
    assert receive(listener) == ["STATUS=a b"], "a WATCHDOG=1 would have come first"


def test_signs_of_life_are_not_too_many(tmp_path: Path) -> None:
    """Thousands of checks a second make a handful of datagrams; a stop ends the work instead."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.setblocking(False)
        systemd = Systemd({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": f"{NEVER}000000"})
        stop_signal = StopSignal(systemd=systemd)
        for _ in range(10_000):
            stop_signal.check()
        assert listener.recv(100) == b"WATCHDOG=1"
        with pytest.raises(BlockingIOError):
            listener.recv(100)
        stop_signal.set()
        assert listener.recv(100).startswith(b"STOPPING=1")
        with pytest.raises(Stopped):
            stop_signal.check()
