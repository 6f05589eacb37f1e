"""Mails found by mutation that once took seconds or gigabytes or raised an error, one by one."""

from __future__ import annotations

import signal
import threading
import time
import tracemalloc
import weakref
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from cpu_cost import work_units
from sqlmodel import select
from waiting import TIMEOUT

from gm.demo.in_memory_zine import address_of
from gm.reports.mail_log import one_mail
from gm.requests.declared import all_names
from gm.service.inbound.time_limit import time_limit
from gm.store.tables import MailIn
from gm.transport.imap.size_limits import HEADER_LIMIT, MOST_BYTES, TEXT_LIMIT, WHOLE_LIMIT, batches, clipped
from parsers.errors import MailError
from parsers.mime.bounces import MAX_FAILURES, read_bounce
from parsers.mime.markup import MAX_AREA, html_text
from parsers.mime.message import MAX_BYTES, MAX_LINES, read_mail
from parsers.mime.quoting import divide
from parsers.reading import read as read_mail_text

TODAY = date(2026, 11, 4)

HEAD = b"From: anna@spieler.example\r\n"
MOST_UNITS = 1000  # the two seconds that each step of handling gives a mail
MOST_MEMORY = 50_000_000


def _nested(depth: int, body: bytes) -> bytes:
    opened = (b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))
    return HEAD + b"".join(opened) + b"\r\n" + body


MAILS = {
    "a boundary that becomes a pattern": HEAD + b"Content-Type: multipart/mixed; boundary=" + b"x" * 250_000,
    "a type with many parameters": HEAD + b"Content-Type: multipart/mixed" + b"; a=b" * 50_000,
    "a field folded often": HEAD + b"X: y\r\n" + b" z\r\n" * 60_000,
    "boundaries tried on every line": _nested(39, b"\n" * 240_000),
    "as many commands gone wrong": HEAD + b"\r\n" + b"Anmeldnug Crosword Eriwan\r\n" * 9_700,
    "as many headings": HEAD + b"\r\n" + b"Presse\r\n" * 32_000,
    "as many lines": HEAD + b"\r\n" + b"Von: a\r\n" * 32_000,
    "as many texts": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
    + (b"--x\r\n\r\n" + b"Sprache fr\r\n" * 100) * 190,
}  # fmt: skip


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_is_read_soon(name: str) -> None:
    """Whatever fills the largest mail that is read whole, it is read in the time that a mail has."""

    def read() -> None:
        with suppress(MailError):
            read_mail_text(read_mail(MAILS[name][:MAX_BYTES]), all_names(), TODAY)

    assert work_units(read, most=MOST_UNITS) < MOST_UNITS


PAGES = {
    "indents": "<div style='padding-left:99999em'>x<br>" * 140 + "x<br>" * 9_000,
    "indents of quotations": "<blockquote style='border:0'>" * 140 + "<pre>" + "x\n" * 110_000,
    "margins": "<p style='margin-top:99999em;margin-bottom:99999em'>x</p>" * 4_000,
    "a length that is none": "<p style='margin-top:" + "9" * 400 + "em'>x",
    "a wide table": "<table>" + "<tr><td>x" * 5_000 + "<tr><td>" + "y" * 100_000,
    "a table with a long row": "<table>" + "<tr><td>x" * 3_000 + "<tr>" + "<td>y" * 3_000,
    "tables in tables": "<table><tr><td>" * 48 + "<tr><td>x" * 3_000,
    "cells": "<table>" + ("<tr>" + "<td>" * 200) * 200,
    "line breaks": "<br>" * 60_000,
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_soon(name: str) -> None:
    """A page of 256 KiB can't make a text of gigabytes, nor one that takes longer than a mail may."""
    page = PAGES[name][:MAX_BYTES]
    assert len(html_text(page)) <= MAX_AREA
    assert work_units(lambda: html_text(page), most=MOST_UNITS) < MOST_UNITS


@pytest.mark.parametrize("name", ["indents", "indents of quotations", "a wide table"])
def test_a_page_is_read_in_little_memory(name: str) -> None:
    """Nor is it held many times while it is drawn."""
    html_text("x")  # what is loaded once doesn't count
    tracemalloc.start()
    html_text(PAGES[name][:MAX_BYTES])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST_MEMORY


REPORT = b"From: MAILER-DAEMON@mx.example\r\nSubject: Undelivered\r\n"
WORDS = b"word " * 340 + b"\r\n\r\n"
MANY = [b"%d@spieler.example" % number for number in range(1500)]
REPORTS = {
    "many recipients": REPORT + b"X-Failed-Recipients: " + b", ".join(MANY) + b"\r\n\r\n" + WORDS * 100,
    "many addresses": REPORT + b"\r\n" + b"".join(b" ".join(MANY[at : at + 10]) + WORDS for at in range(0, 1500, 10)),
    "many groups": REPORT + b"\r\n" + b"Final-Recipient: rfc822;a@b.example\r\nAction: failed\r\n\r\n" * 4000,
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_read_soon(name: str) -> None:
    """However many addresses a report names, and however much it says, looking for failures takes no time."""
    raw = REPORTS[name][:MAX_BYTES]
    mail = read_mail(raw)
    assert work_units(lambda: read_bounce(raw, mail), most=MOST_UNITS) < MOST_UNITS
    bounce = read_bounce(raw, mail)
    assert len(bounce.failures if bounce else ()) <= MAX_FAILURES


def test_pages_are_not_drawn_again(running: Callable[..., Any]) -> None:
    """A mail is compared with the player's earlier ones, but four slow HTML mails don't make the fifth slower."""
    story = running()
    head = b"From: %s\r\nContent-Type: text/html\r\n" % address_of("Anna Berg").encode()
    page = b"<table>" + b"<tr><td>x<td>yy" * 3_600 + b"</table>Gru\xc3\x9f %d"
    for number in range(5):
        story.arrives(head + b"Message-ID: <%d@spieler.example>\r\n\r\n" % number + page % number)
        reports: list[Any] = []
        last = work_units(lambda reports=reports: reports.append(story.tick()))
        assert reports[0].received == 1
    assert last < MOST_UNITS


def test_a_page_keeps_what_is_hidden_hidden() -> None:
    """Of the styles only lengths are left out: hidden text stays hidden, broken lines stay broken."""
    page = "<p style='color:red; Display : none'>x</p><p style='padding-left:9em;white-space:pre'>a\nb</p>"
    assert html_text(page).strip() == "a\nb"


def test_lines_beyond_the_limit_are_not_read() -> None:
    """Of a mail with too many lines the beginning is read, and it is known that something is missing."""
    mail = read_mail(HEAD + b"\n" + b"x\n" * (MAX_LINES + 1))
    assert (mail.text.count("\n"), mail.is_cut) == (MAX_LINES - 1, True)
    mail = read_mail(HEAD + b"\n" + b"x\n" * (MAX_LINES - 1))
    assert (mail.text.count("\n"), mail.is_cut) == (MAX_LINES - 1, False)


@pytest.mark.parametrize("mark", ["-----Ursprüngliche Nachricht-----", "---- Forwarded message ----"])
def test_a_mark_of_a_quotation_as_last_line(mark: str) -> None:
    """Where the quotation itself got lost its mark goes, and what stands above stays."""
    assert divide(f"Crossword Eriwan\nNeu: D\n{mark}").own == "Crossword Eriwan\nNeu: D"


# -- how much is held at once ------------------------------------------------------------------------------------------


def test_a_header_is_clipped_at_a_line() -> None:
    """Of a header without end whole lines are kept, and the text still stands below a blank line."""
    raw = HEAD + b"X-Viel: wenig\r\n" * 50_000 + b"\r\nNeu: E\r\n" + b"x" * TEXT_LIMIT
    kept = clipped(raw)
    head, _, text = kept.partition(b"\r\n\r\n")
    assert len(head) <= HEADER_LIMIT
    assert head.endswith(b"X-Viel: wenig")
    assert text == raw.partition(b"\r\n\r\n")[2][:TEXT_LIMIT]
    assert read_mail(kept).sender == "anna@spieler.example"
    assert clipped(HEAD + b"x" * WHOLE_LIMIT) == HEAD.rstrip() + b"\r\n\r\n"


def test_batches_are_bounded_by_their_bytes() -> None:
    """No batch is heavier than may be, none is empty, and of a huge mail only what is kept counts."""
    mails = [(number, size) for number, size in enumerate([WHOLE_LIMIT] * 100 + [100] * 500 + [10**9] * 300)]
    found = list(batches(mails))
    assert [number for batch in found for number in batch] == [number for number, _ in mails]
    kept = {number: size if size <= WHOLE_LIMIT else HEADER_LIMIT + TEXT_LIMIT for number, size in mails}
    assert max(sum(kept[number] for number in batch) for batch in found) <= MOST_BYTES
    assert max(map(len, found)) == 200
    assert list(batches([])) == []


def test_all_mails_of_a_heavy_inbox_are_fetched(running: Callable[..., Any]) -> None:
    """What one fetch leaves for the next one is not forgotten, in whatever order mails are gone meanwhile."""
    story = running()
    for number in range(40):
        story.arrives(HEAD + b"Message-ID: <%d@x.example>\r\n\r\n" % number + b"x" * (WHOLE_LIMIT - 100))
    uids = story.app.inbox.waiting().uids
    assert 0 < len(story.app.inbox.fetch(uids)) < 40
    assert story.tick().received == 40
    assert not story.server.folders["INBOX"]


# -- the limit ---------------------------------------------------------------------------------------------------------


def test_time_that_others_took_is_nobodys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that is busy with other things a mail gets its time; one that waits or works for ever does not."""
    with pytest.raises(MailError, match=r"longer than 0\.1 s"), time_limit(0.1):
        time.sleep(TIMEOUT)
    monkeypatch.setattr("gm.service.inbound.time_limit.MOST", TIMEOUT / 0.1)
    with time_limit(0.1):
        time.sleep(0.2)
    with pytest.raises(MailError):
        _be_busy()


def _be_busy() -> None:
    with time_limit(0.1):
        while True:
            pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_alarm_that_gets_lost_rings_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python drops what is raised while garbage is cleared away: the mail is interrupted even so."""
    monkeypatch.setattr("gm.service.inbound.time_limit.RINGS_AGAIN", 0.1)

    class Garbage:
        """Something."""

    def clear(_: Any) -> None:
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass

    def make_garbage() -> None:
        garbage = Garbage()
        watched = weakref.ref(garbage, clear)
        del garbage
        while watched() is None:
            pass

    # The loop stands in a function: Python 3.13 doesn't end a block for what is raised in a jump back inside of it.
    with pytest.raises(MailError), time_limit(0.1):
        make_garbage()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert threading.current_thread() is threading.main_thread()


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_question_put_twice_is_answered_once(running: Callable[..., Any]) -> None:
    """The same question again costs nothing, unless something was done between that may change the answer."""
    story = running()
    for text in ("Stand Eriwan\nHilfe\n" * 20, "Stand Eriwan\nWarten Eriwan\nStand Eriwan\n"):
        story.writes("Anna Berg", text)
    story.tick()
    assert _reasons(story) == ["status, help", "status, notice, status"]


def test_a_mail_shows_what_was_answered(running: Callable[..., Any]) -> None:
    """`gm mail show` names the answer, which says why something was refused."""
    story = running()
    story.writes("Anna Berg", "Stand Riga\n")
    story.tick()
    with story.app.database.read() as session:
        lines = one_mail(story.app, session, "1", False).split("\n")
        number = next(line for line in lines if line.startswith("Sent: ")).split()[1].rstrip(",")
        assert lines[0] == "Status: refused: notice"
        assert "Riga" in one_mail(story.app, session, number, False)


def _reasons(story: Any) -> list[str]:
    with story.app.database.read() as session:
        return [row.reason for row in session.exec(select(MailIn).order_by(MailIn.id))]
