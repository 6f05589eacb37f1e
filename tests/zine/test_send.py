"""`gm issue send`: a link or the file, kept once, once to each reader (issue 30)."""

from __future__ import annotations

import email
from email import policy

import pytest
from printed_zine import PrintedZine, without_pages
from sqlmodel import select

from gm.archive.issue.send import send
from gm.demo.in_memory_zine import PLAYERS
from gm.messages import stored_files
from gm.messages.rendering.mime import BinaryFile
from gm.runtime.errors import Refused
from gm.store.tables import MailOut
from gm.store.zine_tables import StoredFile

HERE = {"archive": {"base_url": "https://postspiel.example/ds/"}}
PAGES = b"%PDF-1.7\n" + bytes(range(256)) * 40


@pytest.fixture
def begin(new_zine, monkeypatch):
    """Begin a zine with a game and its first issue. Its pages are any bytes: setting them takes seconds."""
    without_pages(monkeypatch)

    def begin(**more) -> PrintedZine:
        zine = new_zine(**more)
        zine.begins("combinato", "Como", PLAYERS[:2])
        zine.plays("Como", 2)
        zine.builds()
        (zine.issues / "1" / "issue.pdf").write_bytes(PAGES)
        zine.tick()
        zine.mails()
        return zine

    return begin


def delivered(zine: PrintedZine) -> dict[str, email.message.EmailMessage]:
    """Give the mails about issues that have gone out since the last look, by recipient."""
    before = zine._read
    zine.tick()
    zine.mails()
    letters = zine.outbox.letters[before:]
    found = {one.recipient: email.message_from_bytes(one.raw, policy=policy.default) for one in letters}
    assert len(found) == len(letters)
    return found


def test_the_file_goes_along(begin):
    """Without a published archive every reader gets issue.pdf, byte by byte, and it is kept once."""
    zine = begin()
    sent = send(zine.app)
    assert (sent.mails, sent.readers, sent.way) == (2, 2, "issue-1.pdf")
    with zine.app.database.read() as session:
        queued = session.exec(select(MailOut).where(MailOut.kind == "issue")).all()
        kept = session.exec(select(StoredFile)).all()
    assert len(kept) == 1
    assert all(len(mail.raw) < len(PAGES) for mail in queued)
    mails = delivered(zine)
    assert sorted(mails) == sorted(zine.address(who) for who in PLAYERS[:2])
    for mail in mails.values():
        (file,) = mail.iter_attachments()
        assert file.get_content() == PAGES
        assert (file.get_content_type(), file.get_filename()) == ("application/pdf", "issue-1.pdf")
        assert "Heft 1" in mail["subject"]
        assert "Combinato »Como«" in mail.get_body(("plain",)).get_content()
        assert "Digest%20aus" in mail["list-unsubscribe"]
        assert stored_files.STORED_FILE not in mail


def test_a_link_where_the_archive_is_published(begin):
    """With a base_url the issue is put there, and the mail has its address and no file."""
    zine = begin(**HERE)
    sent = send(zine.app)
    assert sent.way == "https://postspiel.example/ds/hefte/1/"
    for mail in delivered(zine).values():
        assert list(mail.iter_attachments()) == []
        assert sent.way in mail.get_body(("plain",)).get_content()
    folder = zine.app.settings.archive.path / "hefte" / "1"
    assert (folder / "issue.pdf").read_bytes() == PAGES
    assert (folder / "index.html").read_bytes() == zine.reads("issue.html")
    zine.tick(archive=True)
    assert (folder / "index.html").exists(), "the archive leaves it alone"


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("more", [{}, HERE])
def test_a_second_send_sends_nothing(begin, more):
    """Once each, however often it is said."""
    zine = begin(**more)
    send(zine.app)
    assert len(delivered(zine)) == 2
    assert send(zine.app).mails == 0
    assert delivered(zine) == {}


def test_who_joins_later_gets_it_with_the_next_send(begin):
    """A reader who came after the first mails is the only one who gets another one."""
    zine = begin()
    send(zine.app)
    delivered(zine)
    zine.begins("combinato", "Zagreb", PLAYERS[1:3])
    zine.mails()
    assert list(send_and_look(zine)) == [zine.address(PLAYERS[2])]


def send_and_look(zine: PrintedZine) -> dict[str, email.message.EmailMessage]:
    """Send, and give what goes out."""
    send(zine.app)
    return delivered(zine)


def test_who_wants_no_digest_gets_no_issue(begin):
    """`Digest aus` stops both."""
    zine = begin()
    zine.writes(PLAYERS[0], "Digest aus", sender=zine.address(PLAYERS[0]))
    zine.tick()
    zine.mails()
    assert list(send_and_look(zine)) == [zine.address(PLAYERS[1])]


def test_too_large_a_file(begin):
    """Over 5 MB nothing is sent, and the GM hears what can be done."""
    zine = begin()
    (zine.issues / "1" / "issue.pdf").write_bytes(PAGES + b" " * 5_000_000)
    with pytest.raises(Refused, match=r"5\.0 MB, and a mail takes 5 MB.*archive.base_url"):
        send(zine.app)
    assert delivered(zine) == {}


def test_what_is_not_built_is_not_sent(new_zine):
    """First it is built."""
    with pytest.raises(Refused, match="first: gm issue build 1"):
        send(new_zine().app)


def test_a_changed_issue_needs_to_be_called_corrected(begin):
    """What went out isn't changed behind the readers' backs: a correction says so, and goes out once."""
    zine = begin()
    with pytest.raises(Refused, match="has not been sent yet"):
        send(zine.app, corrected=True)
    send(zine.app)
    delivered(zine)
    (zine.issues / "1" / "issue.pdf").write_bytes(PAGES + b"2")
    with pytest.raises(Refused, match=r"has changed since it was sent.*--corrected"):
        send(zine.app)
    assert send(zine.app, corrected=True).mails == 2
    mails = delivered(zine)
    assert all("in berichtigter Fassung" in mail["subject"] for mail in mails.values())
    assert all(next(mail.iter_attachments()).get_content() == PAGES + b"2" for mail in mails.values())
    assert send(zine.app, corrected=True).mails == 0


def test_the_cover_says_that_it_is_corrected(begin):
    """`gm issue build --corrected`."""
    zine = begin()
    zine.builds(corrected=True)
    assert "Berichtigte Ausgabe" in zine.text()
    assert "Berichtigte Ausgabe" in zine.reads("issue.html").decode()


def test_without_pages_the_html_goes_along(begin):
    """Where no pages could be set the readers get issue.html."""
    zine = begin()
    (zine.issues / "1" / "issue.pdf").unlink()
    send(zine.app)
    for mail in delivered(zine).values():
        (file,) = mail.iter_attachments()
        assert file.get_content_type() == "text/html"
        assert file.get_payload(decode=True) == zine.reads("issue.html")


def test_a_failed_attempt_sends_the_same_bytes_again(begin):
    """What is put in when a mail is sent never changes, also if the file was built anew meanwhile."""
    zine = begin()
    send(zine.app)
    with zine.app.database.read() as session:
        raws = [mail.raw for mail in session.exec(select(MailOut).where(MailOut.kind == "issue"))]
        first = [stored_files.filled(session, raw) for raw in raws]
    (zine.issues / "1" / "issue.pdf").write_bytes(b"other")
    zine.builds()
    with zine.app.database.read() as session:
        assert [stored_files.filled(session, raw) for raw in raws] == first


def test_a_file_that_nobody_waits_for_goes(begin):
    """The next file takes the place of one that has reached everybody."""
    zine = begin()
    send(zine.app)
    delivered(zine)
    with zine.app.database.write() as session:
        stored_files.keep(session, "issue:2", BinaryFile(name="x.pdf", kind="application/pdf", content=b"x"))
    with zine.app.database.read() as session:
        keys = [row.name for row in session.exec(select(StoredFile))]
    assert keys == ["issue:2"]


@pytest.mark.trust
def test_other_mails_are_left_alone(begin):
    """Only a field of the head names a file; whatever stands below is somebody's words."""
    zine = begin()
    raw = b"Subject: x\r\n\r\nX-Stored-File: issue:1\r\n"
    with zine.app.database.read() as session:
        assert stored_files.filled(session, raw) is raw
        lost = b"Subject: x\r\nX-Stored-File: issue:9\r\n\r\nWorte\r\n"
        assert stored_files.filled(session, lost) is lost
