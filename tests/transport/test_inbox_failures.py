"""When reading the inbox fails: one sentence with a remedy, and the next call works again."""

import pytest

from gm.runtime.config.settings import Secret
from gm.runtime.errors import MailboxError
from gm.transport.imap.inbox import Inbox


@pytest.fixture
def inbox_at(imap_settings):
    """Make an inbox for a port; it is closed after the test."""
    inboxes = []

    def make(port, **others):
        inboxes.append(Inbox(imap_settings(port, **others)))
        return inboxes[-1]

    yield make
    for inbox in inboxes:
        inbox.close()


def sentence_of(error, port):
    """The message, once it is sure that it is a finished sentence that names the server."""
    sentence = str(error.value)
    assert sentence.startswith("The IMAP server ")
    assert f":{port} " in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


def test_nobody_listens(scripted, inbox_at):
    """Nothing on the port: host and port are to be checked."""
    with scripted.ScriptedServer(scripted.silent) as server:
        port = server.port
    with pytest.raises(MailboxError) as error:
        inbox_at(port).waiting()
    assert "nothing listens there" in sentence_of(error, port)
    assert isinstance(error.value.__cause__, ConnectionRefusedError)


def test_unknown_host(inbox_at):
    """A name without address says so."""
    with pytest.raises(MailboxError) as error:
        inbox_at(993, host="imap.invalid", security="tls").waiting()
    assert "address" in sentence_of(error, 993)


def test_refused_login(embedded_server, inbox_at):
    """A wrong password is told as that, and is itself not shown."""
    inbox = inbox_at(embedded_server.imap_port, password=Secret("not-the-right-1"))
    with pytest.raises(MailboxError) as error:
        inbox.waiting()
    sentence = sentence_of(error, embedded_server.imap_port)
    assert "refused the login of gm@local.test" in sentence
    assert "not-the-right-1" not in sentence + repr(error.value.__cause__)
    assert [check.status for check in inbox.check()] == ["ok", "fail"]


def test_password_with_umlauts(embedded_server, inbox_at):
    """A password beyond ASCII is refused or accepted by the server, not by our libraries."""
    with pytest.raises(MailboxError, match="refused the login"):
        inbox_at(embedded_server.imap_port, password=Secret("Käsekuchen")).waiting()


def test_server_that_repeats_the_password(scripted, inbox_at):
    """Even a server that quotes the password doesn't get it into our log."""

    def script(line, number):
        heard = scripted.imap_until(line, b"LOGIN")
        line.say(heard.split()[0] + b" NO wrong password geheim-7")

    with scripted.ScriptedServer(script) as server, pytest.raises(MailboxError) as error:
        inbox_at(server.port, password=Secret("geheim-7")).waiting()
    assert "geheim-7" not in str(error.value)


@pytest.mark.parametrize("farewell", [b"* BYE shutting down", b"* OK half a"], ids=["BYE", "cut"])
def test_broken_off_at_login(scripted, inbox_at, farewell):
    """A connection that ends during the login is no wrong password."""

    def script(line, number):
        scripted.imap_until(line, b"LOGIN")
        line.say(farewell)

    with scripted.ScriptedServer(script) as server, pytest.raises(MailboxError) as error:
        inbox_at(server.port).waiting()
    sentence = sentence_of(error, server.port)
    assert "broke off the connection" in sentence
    assert "refused the login" not in sentence


def test_cut_in_the_middle_of_a_mail(scripted, inbox_at):
    """Half a mail is never taken for a whole one; the next call fetches it all."""

    def script(line, number):
        heard = scripted.imap_until(line, b"UID FETCH")
        line.say(b'* 1 FETCH (UID 5 RFC822.SIZE 20 INTERNALDATE "01-Nov-2026 08:00:00 +0100")')
        line.say(heard.split()[0] + b" OK done")
        heard = line.hear()
        line.say(b"* 1 FETCH (UID 5 BODY[] {20}\r\nSubject: x")
        if number:
            line.connection.sendall(b"\r\n\r\nabcd)\r\n" + heard.split()[0] + b" OK done\r\n")
            line.hear()

    with scripted.ScriptedServer(script) as server:
        inbox = inbox_at(server.port)
        with pytest.raises(MailboxError) as error:
            inbox.fetch([5])
        assert "broke off the connection while fetching mail" in sentence_of(error, server.port)
        assert [found.raw for found in inbox.fetch([5])] == [b"Subject: x\r\n\r\n\r\nabcd"]
        inbox.close()


def test_stale_connection_is_replaced(scripted, inbox_at):
    """A connection that died between two looks costs nothing: the look connects anew and succeeds."""

    def script(line, number):
        heard = scripted.imap_until(line, b"UID SEARCH")
        line.say(b"* SEARCH 5")
        line.say(heard.split()[0] + b" OK done")
        if number:
            line.hear()

    with scripted.ScriptedServer(script) as server:
        inbox = inbox_at(server.port)
        assert inbox.waiting().uids == (5,)
        assert inbox.waiting().uids == (5,)
        assert server.connections == 2
        inbox.close()


def test_bye_in_the_middle(scripted, inbox_at):
    """BYE instead of an answer is one sentence; the next look connects again."""

    def script(line, number):
        heard = scripted.imap_until(line, b"UID SEARCH")
        if number == 0:
            line.say(b"* BYE server goes down")
            return
        line.say(b"* SEARCH 5 6")
        line.say(heard.split()[0] + b" OK done")
        line.hear()

    with scripted.ScriptedServer(script) as server:
        inbox = inbox_at(server.port)
        with pytest.raises(MailboxError) as error:
            inbox.waiting()
        assert "broke off the connection while looking for mail" in sentence_of(error, server.port)
        assert inbox.waiting().uids == (5, 6)
        inbox.close()


def test_new_numbering_moves_nothing(scripted, inbox_at):
    """If the server numbers the folder anew between look and move, the UIDs mean other mails: nothing is moved."""
    commands = []

    def script(line, number):
        line.say(b"* OK ready")
        while True:
            tag, _, rest = line.hear().partition(b" ")
            commands.append(rest)
            answers = {
                b"CAPA": b"* CAPABILITY IMAP4rev1 MOVE UIDPLUS\r\n",
                b"LIST": b'* LIST (\\HasNoChildren) "/" GM/Processed\r\n',
                b"SELE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY %d] valid\r\n" % (7 + number),
                b"UID ": b"* SEARCH 5\r\n",
            }
            line.say(answers.get(rest[:4], b"") + tag + b" OK done")
            if number == 0 and rest.startswith(b"UID SEARCH"):
                return

    with scripted.ScriptedServer(script) as server:
        inbox = inbox_at(server.port)
        assert inbox.waiting().uidvalidity == 7
        # The first move meets the dead connection, the others the new numbering.
        for _ in range(3):
            with pytest.raises(MailboxError):
                inbox.move([5], "processed")
        assert inbox.waiting().uidvalidity > 7
        inbox.move([5], "processed")
        inbox.close()
    assert [rest for rest in commands if rest.startswith(b"UID MOVE")] == [b'UID MOVE 5 "GM/Processed"']


def test_missing_folder(embedded_server, imap_settings):
    """A folder that isn't there is named as the thing to check."""
    inbox = Inbox(imap_settings(embedded_server.imap_port, "gm198@local.test"), folder="Nowhere")
    with pytest.raises(MailboxError, match=r"check the folders in \[imap\]"):
        inbox.waiting()
    assert [check.status for check in inbox.check()] == ["ok", "ok", "fail"]


def test_no_plain_text_over_the_network(inbox_at):
    """Without encryption only this machine is spoken to; no connection is even tried."""
    with pytest.raises(MailboxError, match='use "tls" or "starttls"'):
        inbox_at(143, host="192.0.2.1", security="none").waiting()


def test_no_starttls_offered(embedded_server, inbox_at):
    """Where the server offers no encryption we don't go on without."""
    with pytest.raises(MailboxError, match="check port and security"):
        inbox_at(embedded_server.imap_port, security="starttls").waiting()


def test_tls_on_a_plain_port(embedded_server, inbox_at):
    """TLS on the wrong port says that port and security don't fit."""
    with pytest.raises(MailboxError, match="check that port and security belong together"):
        inbox_at(embedded_server.imap_port, security="tls").waiting()


@pytest.mark.server
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_self_signed_certificate(tls_dovecot, inbox_at, security):
    """A certificate that nobody vouches for is refused, and the sentence says what to do."""
    port = tls_dovecot.imaps_port if security == "tls" else tls_dovecot.imap_port
    with pytest.raises(MailboxError) as error:
        inbox_at(port, security=security, host="localhost").waiting()
    sentence = sentence_of(error, port)
    assert "certificate is not trusted" in sentence
    assert "self-signed" in sentence
    assert "trusted certificates of this machine" in sentence


@pytest.mark.server
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_trusted_certificate(tls_dovecot, inbox_at, security, monkeypatch):
    """With the authority installed both kinds of TLS work, but not under another name."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tls_dovecot.certificate))
    port = tls_dovecot.imaps_port if security == "tls" else tls_dovecot.imap_port
    assert inbox_at(port, security=security, host="localhost").waiting().uids == ()
    with pytest.raises(MailboxError, match="certificate is not trusted"):
        inbox_at(port, security=security, host="127.0.0.1").waiting()
