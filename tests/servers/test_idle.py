"""The thread that waits in IMAP IDLE, against servers that behave badly."""

import threading
import time

import pytest

from gm.mailbox.idler import Idler


@pytest.fixture
def woken():
    """Counts the calls of `wake`."""
    return []


@pytest.fixture
def idling(imap_settings, woken):
    """Start an idler for a port; it is stopped after the test."""
    idlers = []

    def start(port, **others):
        idlers.append(Idler(imap_settings(port, **others), lambda: woken.append(1), first_pause=0.02))
        idlers[-1].start()
        return idlers[-1]

    yield start
    for idler in idlers:
        idler.stop()


def stops_at_once(idler):
    """Whether stop() is over within the promised second and no thread is left."""
    began = time.monotonic()
    idler.stop()
    return time.monotonic() - began < 1 and not any(thread.name == "gm-idle" for thread in threading.enumerate())


def test_news_in_the_same_segment(scripted, idling, woken, eventually):
    """News that comes in one packet with "+ idling" wakes at once: polling the socket would sleep through it."""

    def script(line, number):
        heard = scripted.imap_until(line, b"IDLE")
        line.say(b"+ idling\r\n* 2 EXISTS")
        line.hear()
        line.say(heard.split()[0] + b" OK done")
        line.hear()

    with scripted.ScriptedServer(script) as server:
        idler = idling(server.port)
        eventually(lambda: len(woken) == 2)
        assert stops_at_once(idler)
    assert len(woken) == 2


def test_half_a_line(scripted, idling, woken, eventually):
    """News that arrives in two halves is one piece of news, not a broken connection."""

    def script(line, number):
        heard = scripted.imap_until(line, b"IDLE")
        line.say(b"+ idling")
        line.connection.sendall(b"* 2 EXI")
        line.hear()
        line.connection.sendall(b"STS\r\n" + heard.split()[0] + b" OK done\r\n")
        line.hear()

    with scripted.ScriptedServer(script) as server:
        idling(server.port)
        eventually(lambda: len(woken) == 2)
        assert server.connections == 1


@pytest.mark.parametrize("farewell", [b"", b"* BYE see you\r\n"], ids=["silently", "with BYE"])
def test_server_hangs_up(scripted, idling, woken, eventually, farewell):
    """After the server has hung up we connect again, with a pause and no spinning, and wake for what came between."""

    def script(line, number):
        scripted.imap_until(line, b"IDLE")
        line.say(b"+ idling")
        if number < 2:
            line.connection.sendall(farewell)
            return
        line.hear()

    with scripted.ScriptedServer(script) as server:
        idler = idling(server.port)
        eventually(lambda: len(woken) == 3)
        assert server.connections == 3
        assert stops_at_once(idler)


def test_reconnects_when_the_server_is_back(scripted, idling, woken, eventually):
    """A server that is down at first, or throws us out at login, is tried again."""

    def script(line, number):
        if number == 0:
            return
        if number == 1:
            scripted.imap_until(line, b"LOGIN")
            line.say(b"* BYE too many connections")
            return
        scripted.imap_until(line, b"IDLE")
        line.say(b"+ idling")
        line.hear()

    with scripted.ScriptedServer(script) as server:
        idling(server.port)
        eventually(lambda: woken)
        assert server.connections == 3


def test_pauses_grow(scripted, idling, eventually):
    """A server that never works is left in peace for longer and longer."""
    times = []
    with scripted.ScriptedServer(lambda *_: times.append(time.monotonic())) as server:
        idling(server.port)
        eventually(lambda: len(times) >= 5)
    assert times[4] - times[3] > 2 * (times[1] - times[0])


def test_without_idle(scripted, idling, woken, eventually):
    """A server without IDLE is left alone; polling does the work."""

    def script(line, number):
        scripted.imap_until(line, b"IDLE", capability=b"IMAP4rev1")

    with scripted.ScriptedServer(script) as server:
        idler = idling(server.port)
        eventually(lambda: server.connections == 1)
        eventually(lambda: not any(thread.name == "gm-idle" for thread in threading.enumerate()))
        assert stops_at_once(idler)
    assert not woken


def test_stop_during_idle(embedded_server, idling, woken, eventually):
    """A thread deep in IDLE ends within a second and doesn't wake anybody; it can be started again."""
    idler = idling(embedded_server.imap_port, username="gm199@local.test")
    eventually(lambda: woken)
    assert stops_at_once(idler)
    assert len(woken) == 1
    idler.start()
    eventually(lambda: len(woken) == 2)
    assert stops_at_once(idler)


def test_stop_while_pausing(idling, scripted):
    """A thread that waits for a dead server ends at once as well."""
    with scripted.ScriptedServer(scripted.silent) as server:
        port = server.port
    assert stops_at_once(idling(port))


@pytest.mark.server
def test_idle_over_tls(tls_dovecot, idling, woken, eventually, monkeypatch, dovecot_client):
    """News comes through TLS too, where it may lie in the TLS buffer; stop works as well."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tls_dovecot.certificate))
    account = {"username": "gm-idle@local.test", "security": "tls", "host": "localhost"}
    idler = idling(tls_dovecot.imaps_port, **account)
    eventually(lambda: woken)
    with dovecot_client(tls_dovecot.imap_port, "gm-idle@local.test") as client:
        client.append("INBOX", b"Subject: x\r\n\r\n")
    eventually(lambda: len(woken) >= 2)
    assert stops_at_once(idler)
