"""The IMAP IDLE thread, with misbehaving servers."""

import threading

import pytest
from waiting import NEVER, TIMEOUT, until

from gm.transport.imap.idle import LONGEST_IDLE, LONGEST_PAUSE, Idler


@pytest.fixture
def woken():
    """Counts the calls of `wake`."""
    return []


@pytest.fixture
def idling(imap_settings, woken):
    """Start an idler for a port; it is stopped after the test."""
    idlers = []

    def start(port, first_pause=0.02, **others):
        idlers.append(Idler(imap_settings(port, **others), lambda: woken.append(1), first_pause=first_pause))
        idlers[-1].start()
        return idlers[-1]

    yield start
    for idler in idlers:
        idler.stop()


def is_over():
    """Whether no idler's thread is left."""
    return not any(thread.name == "gm-idle" for thread in threading.enumerate())


def stop(idler):
    """Stop it, and see its thread end: by itself it would go on for much longer than we wait."""
    assert min(LONGEST_IDLE, LONGEST_PAUSE) > TIMEOUT
    idler.stop()
    until("the end of the thread", is_over)


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
        stop(idler)
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
        stop(idler)


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


class Impatient(threading.Event):
    """Notes for how long somebody would have waited, and doesn't let them."""

    def __init__(self):
        super().__init__()
        self.pauses = []

    def wait(self, timeout=None):
        """Note it."""
        self.pauses.append(timeout)
        return super().wait(0.001)


def test_pauses_grow(scripted, imap_settings, eventually):
    """A server that never works is left in peace for longer and longer, up to some minutes."""
    with scripted.ScriptedServer(scripted.silent) as server:
        idler = Idler(imap_settings(server.port), lambda: None)
        idler._stopping = clock = Impatient()
        idler.start()
        eventually(lambda: len(clock.pauses) >= 12)
        stop(idler)
    assert clock.pauses[:12] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]


def test_without_idle(scripted, idling, woken, eventually):
    """A server without IDLE is left alone; polling does the work."""

    def script(line, number):
        scripted.imap_until(line, b"IDLE", capability=b"IMAP4rev1")

    with scripted.ScriptedServer(script) as server:
        idler = idling(server.port)
        eventually(lambda: server.connections == 1)
        eventually(is_over)
        stop(idler)
    assert not woken


def test_stop_during_idle(embedded_server, idling, woken, eventually):
    """A thread deep in IDLE ends and doesn't wake anybody; it can be started again."""
    idler = idling(embedded_server.imap_port, username="gm199@local.test")
    eventually(lambda: woken)
    stop(idler)
    assert len(woken) == 1
    idler.start()
    eventually(lambda: len(woken) == 2)
    stop(idler)


def test_stop_while_pausing(idling, scripted, eventually, caplog):
    """A thread that waits for a dead server ends at once as well, though its next try is a day away."""
    with scripted.ScriptedServer(scripted.silent) as server:
        port = server.port
    idler = idling(port, first_pause=NEVER)
    eventually(lambda: caplog.messages)  # it has said that nobody is there
    stop(idler)


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
    stop(idler)
