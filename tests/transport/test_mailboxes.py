"""The inbox's contract, with the in-memory double, the demo's server, and Dovecot in three configurations."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from imapclient import IMAPClient

from gm.runtime.errors import MailboxError
from gm.transport.doubles.in_memory import MemoryInbox, MemoryServer
from gm.transport.imap.inbox import Inbox
from gm.transport.imap.size_limits import WHOLE_LIMIT

MAIL = b"From: anna@local.test\r\nSubject: Zug\r\n\r\nA1\r\n"


def mail(number):
    """A mail that can be told from others."""
    return b"Subject: %d\r\n\r\nbody %d\r\n" % (number, number)


def test_empty_folder(mailbox):
    """A new folder has a numbering and no mails; asking for none of them asks nothing."""
    inbox = mailbox.inbox()
    waiting = inbox.waiting()
    assert waiting.uids == ()
    assert waiting.uidvalidity > 0
    assert inbox.fetch([]) == []
    inbox.move([], "processed")


def test_fetch_by_uid(mailbox):
    """A waiting mail is fetched as it arrived, under its UID, and goes on waiting."""
    mailbox.deliver(MAIL)
    inbox = mailbox.inbox()
    waiting = inbox.waiting()
    (fetched,) = inbox.fetch(waiting.uids)
    assert (fetched.uid, fetched.uidvalidity) == (waiting.uids[0], waiting.uidvalidity)
    assert (fetched.raw, fetched.size) == (MAIL, len(MAIL))
    assert inbox.waiting() == waiting


def test_new_mail_is_seen(mailbox):
    """Mail that arrives while the connection is open waits at the next look."""
    inbox = mailbox.inbox()
    assert not inbox.waiting().uids
    mailbox.deliver(mail(1))
    assert len(inbox.waiting().uids) == 1
    mailbox.deliver(mail(2))
    assert len(inbox.waiting().uids) == 2


def test_read_mail_is_waiting_too(mailbox):
    """A mail that the GM has opened in a mail program is not overlooked, and fetching marks nothing as read."""
    mailbox.deliver(MAIL)
    inbox = mailbox.inbox()
    (uid,) = inbox.waiting().uids
    if hasattr(mailbox, "client"):
        inbox.fetch([uid])
        with mailbox.client() as client:
            client.select_folder("INBOX")
            assert rb"\Seen" not in client.get_flags([uid])[uid]
            client.add_flags([uid], [rb"\Seen"])
    assert inbox.waiting().uids == (uid,)


def test_same_mail_twice(mailbox):
    """Two copies of a mail are two mails: whether it is a duplicate is not the mailbox's question."""
    mailbox.deliver(MAIL)
    mailbox.deliver(MAIL)
    inbox = mailbox.inbox()
    fetched = inbox.fetch(inbox.waiting().uids)
    assert [found.raw for found in fetched] == [MAIL, MAIL]
    assert fetched[0].uid < fetched[1].uid


def test_missing_uids_are_left_out(mailbox):
    """Mails that somebody has removed meanwhile are left out, the order is that of the question."""
    for number in (1, 2):
        mailbox.deliver(mail(number))
    inbox = mailbox.inbox()
    first, second = inbox.waiting().uids
    assert [found.uid for found in inbox.fetch([second, 999_999, first])] == [second, first]


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=2)), timezone(timedelta(hours=-9, minutes=-30))])
def test_arrival_time(mailbox, zone):
    """The server's arrival time comes as aware UTC whatever the zone it is written in."""
    at = datetime(2026, 10, 25, 2, 30, 15, tzinfo=zone)
    mailbox.deliver(MAIL, at)
    inbox = mailbox.inbox()
    (fetched,) = inbox.fetch(inbox.waiting().uids)
    assert fetched.received_at == at
    assert fetched.received_at.tzinfo is UTC


@pytest.mark.parametrize(("target", "folder"), [("processed", "GM/Processed"), ("quarantine", "GM/Quarantine")])
def test_move_creates_the_folder(mailbox, target, folder):
    """The first move creates the folder, the next ones use it."""
    inbox = mailbox.inbox()
    for number in (1, 2):
        mailbox.deliver(mail(number))
        inbox.move(inbox.waiting().uids, target)
    assert inbox.waiting().uids == ()
    assert mailbox.mails(folder) == [mail(1), mail(2)]


def test_move_is_by_uid_only(mailbox):
    """Exactly the mails named are moved; one that arrived since stays, one that is gone is no trouble."""
    for number in (1, 2, 3):
        mailbox.deliver(mail(number))
    inbox = mailbox.inbox()
    first, second, third = inbox.waiting().uids
    mailbox.deliver(mail(4))
    inbox.move([second, 999_999], "processed")
    left = inbox.waiting().uids
    assert left[:2] == (first, third)
    assert len(left) == 3
    assert mailbox.mails("GM/Processed") == [mail(2)]


def test_move_twice(mailbox):
    """Moving again after a crash between move and note does no harm."""
    mailbox.deliver(MAIL)
    inbox = mailbox.inbox()
    uids = inbox.waiting().uids
    inbox.move(uids, "processed")
    inbox.move(uids, "processed")
    assert inbox.waiting().uids == ()


def test_mails_marked_as_deleted_survive(mailbox):
    """A mail that somebody else marked as deleted isn't removed by our moving: a plain EXPUNGE would do that."""
    mailbox.deliver(mail(1))
    mailbox.deliver(mail(2))
    inbox = mailbox.inbox()
    first, second = inbox.waiting().uids
    if hasattr(mailbox, "client"):
        with mailbox.client() as client:
            client.select_folder("INBOX")
            client.add_flags([first], [rb"\Deleted"])
    inbox.move([second], "processed")
    assert mail(1) in mailbox.mails("INBOX")


@pytest.mark.parametrize(
    "body", [b"\xe4\xf6\xfc latin-1\r\n", "größer – ß\r\n".encode(), b"a\x1a\x07)\r\n* 1 FETCH ({3}\r\n"]
)
def test_bytes_are_kept(mailbox, body):
    """Bytes of any charset come as they were sent, also those that look like IMAP."""
    raw = b"Subject: 8 bit\r\n\r\n" + body
    mailbox.deliver(raw)
    inbox = mailbox.inbox()
    assert [found.raw for found in inbox.fetch(inbox.waiting().uids)] == [raw]


def test_nul_bytes(mailbox):
    """A mail with NUL is delivered by some servers, with the NUL or another byte in its place; we can read it."""
    mailbox.deliver(b"Subject: NUL\r\n\r\nbefore\0after\r\n")
    inbox = mailbox.inbox()
    (fetched,) = inbox.fetch(inbox.waiting().uids)
    assert b"before" in fetched.raw
    assert b"after" in fetched.raw


@pytest.mark.parametrize(
    "raw", [b"no header at all\r\n", b"Subject: no body\r\n\r\n", b"Date: nonsense\r\nFrom: <<<\r\n\r\nx\r\n"]
)
def test_odd_mails(mailbox, raw):
    """Mails without header, without body or with nonsense in the header are fetched like any other."""
    mailbox.deliver(raw)
    inbox = mailbox.inbox()
    assert [found.raw.strip() for found in inbox.fetch(inbox.waiting().uids)] == [raw.strip()]


def test_huge_mail_is_clipped(mailbox):
    """Of a mail of 400 kB the header and 64 KiB of the text are fetched, and its true size is told."""
    head = b"Subject: photos\r\nX-Long: " + b"y" * 900 + b"\r\n\r\n"
    raw = head + b"0123456789abcde\r\n" * 24_000
    mailbox.deliver(raw)
    mailbox.deliver(MAIL)
    inbox = mailbox.inbox()
    huge, small = inbox.fetch(inbox.waiting().uids)
    assert huge.raw == raw[: len(head) + 64 * 1024]
    assert huge.size == len(raw)
    assert small.raw == MAIL


def test_mail_at_the_limit_is_whole(mailbox):
    """256 KiB exactly is not too much."""
    raw = b"Subject: x\r\n\r\n"
    raw += b"z" * 62 + b"\r\n"
    raw += (b"z" * 62 + b"\r\n") * ((WHOLE_LIMIT - len(raw)) // 64)
    raw += b"q" * (WHOLE_LIMIT - len(raw) - 2) + b"\r\n"
    mailbox.deliver(raw)
    inbox = mailbox.inbox()
    (fetched,) = inbox.fetch(inbox.waiting().uids)
    assert (len(fetched.raw), fetched.size) == (WHOLE_LIMIT, WHOLE_LIMIT)


@pytest.mark.trust(except_first=2)
def test_three_hundred_mails(mailbox):
    """More mails than one batch holds are fetched in order and moved."""
    raws = [mail(number) for number in range(300)]
    if hasattr(mailbox, "client"):
        with mailbox.client() as client:
            for raw in raws:
                client.append("INBOX", raw)
    else:
        for raw in raws:
            mailbox.deliver(raw)
    inbox = mailbox.inbox()
    uids = inbox.waiting().uids
    assert [found.raw for found in inbox.fetch(uids)] == raws
    inbox.move(uids, "processed")
    assert inbox.waiting().uids == ()
    assert len(mailbox.mails("GM/Processed")) == 300


def test_after_close(mailbox):
    """A closed inbox opens again by itself."""
    mailbox.deliver(MAIL)
    inbox = mailbox.inbox()
    uids = inbox.waiting().uids
    inbox.close()
    assert len(inbox.fetch(uids)) == 1
    inbox.close()
    inbox.move(uids, "processed")
    assert inbox.waiting().uids == ()


def test_check_is_content(mailbox):
    """`gm doctor` finds nothing to complain about but what the server really lacks."""
    complaints = {check.name for check in mailbox.inbox().check() if check.status != "ok"}
    assert complaints <= {"IMAP IDLE", "IMAP MOVE"}


def test_idler_wakes(mailbox, eventually):
    """Mail wakes the service where the server can tell; elsewhere the idler ends quietly."""
    if not hasattr(mailbox, "idler"):  # in memory nobody waits
        return
    woken = []
    idler = mailbox.idler(lambda: woken.append(1))
    idler.start()
    if any(check.name == "IMAP IDLE" and check.status == "warn" for check in mailbox.inbox().check()):
        idler.stop()
        assert not woken
        return
    eventually(lambda: len(woken) == 1)
    mailbox.deliver(MAIL)
    eventually(lambda: len(woken) >= 2)
    idler.stop()


@pytest.mark.server
def test_large_folder_is_searched_in_windows(dovecot_mailbox):
    """A folder with more mails than one line of answer can name is searched piece by piece."""
    with dovecot_mailbox.client() as client:
        for number in range(25):
            client.append("INBOX", mail(number))
    assert len(dovecot_mailbox.inbox(search_window=10).waiting().uids) == 25
    assert len(dovecot_mailbox.inbox(search_window=5).waiting().uids) == 25


@pytest.mark.server
def test_folder_names_with_umlauts(dovecot, imap_settings):
    """Folder names may hold any letter; a name given in full is not prefixed twice."""
    settings = imap_settings(dovecot.imap_port, "gm-umlaut@local.test", processed="Züge/Erledigt", junk="Müll")
    inbox = Inbox(settings)
    checks = {check.name: check for check in inbox.check()}
    assert checks["IMAP folders"].status == "warn"
    assert "Müll" in checks["IMAP folders"].sentence
    with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False) as client:
        client.login("gm-umlaut@local.test", "secret")
        client.append("INBOX", MAIL)
        inbox.move(inbox.waiting().uids, "processed")
        assert client.folder_exists("Züge/Erledigt")
    inbox.close()


def test_memory_switches():
    """The twin in memory can be down, and can number its mails anew as a server does after a restore."""
    server = MemoryServer()
    server.deliver(MAIL, datetime(2026, 11, 1, tzinfo=UTC))
    inbox = MemoryInbox(server)
    before = inbox.waiting()
    server.renumber()
    after = inbox.waiting()
    assert after.uidvalidity != before.uidvalidity
    assert not set(after.uids) & set(before.uids)
    assert [found.raw for found in inbox.fetch(after.uids)] == [MAIL]
    server.is_down = True
    with pytest.raises(MailboxError):
        inbox.waiting()
    assert [check.status for check in inbox.check()] == ["fail"]
