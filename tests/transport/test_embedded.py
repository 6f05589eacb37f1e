"""The demo's mail server."""

import gc
import smtplib
import threading
import warnings

import pytest
from imapclient import IMAPClient
from waiting import TIMEOUT

from gm.transport.doubles.embedded_server import MailServer

MAIL = b"Subject: hello\r\n\r\nworld\r\n"


def test_repeated_start_and_stop(send_mail):
    """Servers come and go in one process, with conversations open at the end, and leave no thread or socket."""
    before = set(threading.enumerate())
    for _ in range(3):
        with MailServer({"gm@local.test": "secret"}) as server:
            send_mail(server.smtp_port, "gm@local.test", MAIL)
            client = IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=TIMEOUT)
            client.login("gm@local.test", "secret")
            client.select_folder("INBOX")
            client.idle()
        client.shutdown()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gc.collect()
    assert set(threading.enumerate()) <= before


def test_dump(tmp_path):
    """What is left of the demo lies in DIR/mail/<user>/<folder>/0001.eml."""
    with MailServer({"gm@local.test": "secret", "Anna@local.test": "secret"}) as server:
        server.append("gm@local.test", MAIL)
        server.append("gm@local.test", MAIL, folder="GM/Processed")
        server.append("ANNA@local.test", MAIL)
        server.append("anna@local.test", MAIL)
        server.dump(tmp_path)
        assert server.mails("anna@local.test", "Nowhere") == []
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.eml"))
    assert found == [
        "mail/anna@local.test/INBOX/0001.eml",
        "mail/anna@local.test/INBOX/0002.eml",
        "mail/gm@local.test/GM/Processed/0001.eml",
        "mail/gm@local.test/INBOX/0001.eml",
    ]
    assert (tmp_path / found[0]).read_bytes() == MAIL


def test_bad_password_and_unknown_recipient(send_mail):
    """It refuses what a real server refuses."""
    with MailServer({"gm@local.test": "secret"}) as server:
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            send_mail(server.smtp_port, "nobody@local.test", MAIL)
        client = IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=TIMEOUT)
        with pytest.raises(IMAPClient.Error):
            client.login("gm@local.test", "wrong")
        client.shutdown()
