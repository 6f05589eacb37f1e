"""Delivery reports in every form: which mail, whom it didn't reach, for good or for now, and why."""

from contextlib import suppress

import foreign_mails
import pytest
from cpu_cost import work_units

from parsers.errors import UnreadableMail
from parsers.mime.bounces import MAX_SAID, Bounce, read_bounce
from parsers.mime.message import read_mail

ID = "<abcdefghijklmnopqrstuvwx@postspiel.example>"
HEAD = """\
Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example>
To: zug@postspiel.example
Subject: Undelivered Mail Returned to Sender
"""
ORIGINAL = f"""\
Return-Path: <zug@postspiel.example>
From: Zug <zug@postspiel.example>
To: Anna <anna@spieler.example>
Subject: [Eriwan] Runde 1
Message-ID: {ID}

Hallo Anna,
"""
FORMAL = (
    HEAD
    + """\
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
MIME-Version: 1.0

--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; Anna@spieler.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <anna@spieler.example>:
    Recipient address rejected

--b
Content-Type: message/rfc822

"""
    + ORIGINAL
    + "--b--\n"
)
EXIM = (
    HEAD.replace("Undelivered", "Mail delivery failed: returning message to sender\nX-Old: ")
    + f"""\
X-Failed-Recipients: anna@spieler.example
Auto-Submitted: auto-replied
References: {ID}

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  anna@spieler.example
    host mx.spieler.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<anna@spieler.example>:
    550 mailbox is gone

------ This is a copy of the message, including all the headers. ------

"""
    + ORIGINAL
)
QMAIL = (
    HEAD
    + """\

Hi. This is the qmail-send program at mx.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@spieler.example>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

"""
    + ORIGINAL
)
IN_WORDS = (
    HEAD.replace("Undelivered Mail Returned to Sender", "Unzustellbar: [Eriwan] Runde 1")
    + """\

Ihre Nachricht hat den Empfänger nicht erreicht:

    anna@spieler.example
    Das Postfach existiert nicht.

-------- Ihre Nachricht --------
> From: Zug <zug@postspiel.example>
"""
    + f"> Message-ID: {ID}\n"
)


def read(text: str) -> Bounce | None:
    """Read a report as it came."""
    raw = text.encode()
    return read_bounce(raw, read_mail(raw))


def whom(text: str) -> list[tuple[str, bool, str]]:
    """List the failures of a report."""
    bounce = read(text)
    return [(one.recipient, one.is_final, one.said) for one in bounce.failures] if bounce else []


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (FORMAL, "550 5.1.1 <anna@spieler.example>: Recipient address rejected"),
        (EXIM, "550 mailbox is gone"),
        (QMAIL, "Sorry, no mailbox here by that name. (#5.1.1)"),
        (IN_WORDS, "Das Postfach existiert nicht."),
    ],
)
def test_every_form_is_read(report: str, said: str) -> None:
    """Each names the mail of ours, the address in lower case, that it is for good, and the reason in one line."""
    bounce = read(report)
    assert bounce is not None
    assert ID in bounce.message_ids
    assert whom(report) == [("anna@spieler.example", True, said)]


@pytest.mark.parametrize(
    ("action", "status", "is_final"),
    [
        ("failed", "5.1.1", True), ("failed", "4.4.7", True), ("FAILED (given up)", "4.0.0", True),
        ("delayed", "4.4.1", False), ("delayed", "5.0.0", False), ("", "5.2.2", True), ("", "4.2.2", False),
        ("delivered", "2.0.0", None), ("relayed", "2.0.0", None), ("expanded", "2.0.0", None), ("", "2.0.0", None),
        ("", "", None),
    ],
)  # fmt: skip
def test_for_good_or_for_now(action: str, status: str, is_final: bool | None) -> None:
    """The action decides, without one the status; a mail that arrived is no failure."""
    report = FORMAL.replace("Action: failed", f"Action: {action}").replace("Status: 5.1.1", f"Status: {status}")
    found = [final for _, final, _ in whom(report)]
    assert found == ([] if is_final is None else [is_final])


def test_a_delay_in_words() -> None:
    """A warning that a mail is still tried is for now."""
    report = QMAIL.replace("This is a permanent error; I've given up.", "Warning: delayed, it will be retried.")
    assert [final for _, final, _ in whom(report.replace("(#5.1.1)", ""))] == [False]


def test_the_address_it_was_sent_to_comes_first() -> None:
    """Where the player passes mails on, the original recipient is the one we know."""
    report = FORMAL.replace("Final-", "Original-Recipient: rfc822;anna@spieler.example\nFinal-").replace(
        "rfc822; Anna@spieler", "rfc822; anna@anderswo"
    )
    assert [one for one, *_ in whom(report)] == ["anna@spieler.example"]


def test_each_recipient_is_told() -> None:
    """A report about several has a failure for each."""
    group = "Final-Recipient: rfc822; bernd@spieler.example\nAction: delayed\nStatus: 4.0.0\n\n"
    report = FORMAL.replace("--b\nContent-Type: message/rfc822", f"{group}--b\nContent-Type: message/rfc822")
    assert [(one, final) for one, final, _ in whom(report)] == [
        ("anna@spieler.example", True), ("bernd@spieler.example", False),
    ]  # fmt: skip


def test_a_code_further_down_is_about_somebody_else() -> None:
    """What is wrong with an address stands beside it or right below; another's code two paragraphs on isn't its own."""
    words = "anna@spieler.example\n\nIt is still being retried.\n\n<berta@spieler.example>: 550 5.1.1 no such user\n\n"
    report = read(f"{HEAD}\n{words}{ORIGINAL}")
    assert report is not None
    assert {failure.recipient: failure.is_final for failure in report.failures} == {
        "anna@spieler.example": False,
        "berta@spieler.example": True,
    }


def test_what_a_person_writes_is_no_report() -> None:
    """A reply that quotes our mail with its headers, and says that something failed, reports nothing."""
    reply = "From: Anna <anna@spieler.example>\nSubject: Re: Zug\n\nbei bernd@spieler.example failed es: 550\n\n"
    assert read(reply + "".join(f"> {line}\n" for line in ORIGINAL.splitlines())) is None


def test_an_absence_is_no_report() -> None:
    """A note that somebody is away reports no failure, whatever its sender is, and whatever it quotes."""
    note = HEAD.replace("Undelivered Mail Returned to Sender", "Abwesend")
    assert read(f"{note}\nIch bin im Urlaub; dringend: carla@spieler.example.\n\n{ORIGINAL}") is None


def test_a_receipt_and_a_complaint_are_no_reports() -> None:
    """A read receipt has recipients as well, but nothing failed; so it is with a complaint."""
    assert read(FORMAL.replace("Action: failed\nStatus: 5.1.1", "Disposition: displayed")) is None
    assert read(HEAD + "\nFeedback-Type: abuse\nOriginal-Rcpt-To: anna@spieler.example\n\n" + ORIGINAL) is None


def test_what_is_said_is_one_short_line() -> None:
    """Control characters, line ends and length of what a server says are cut."""
    report = FORMAL.replace("Recipient address rejected", "\x1b[31m" + "x" * 5000)
    (said,) = [said for *_, said in whom(report)]
    assert len(said) <= MAX_SAID
    assert said.isprintable()


def test_nothing_hangs() -> None:
    """A quarter of a megabyte of anything that looks like a report takes half of the time that a mail has."""
    pieces = ("Final-Recipient: rfc822; a@b.c\nAction: failed\n\n", "a@b.c ", "Message-ID: <", "> " * 9, "550 ", "\n ",
              "--- original message follows", "<a@b.c>:\n5.1.1\n\n", "not ", "could")  # fmt: skip
    for piece in pieces:
        raw = (HEAD + "\n" + piece * (260_000 // len(piece))).encode()
        mail = read_mail(raw)
        assert work_units(lambda raw=raw, mail=mail: read_bounce(raw, mail), most=500) < 500, piece


def test_reports_of_many_servers(subtests: pytest.Subtests) -> None:
    """Whom a letter didn't reach, and whether that is final, is read in what many kinds of servers write."""
    for report in foreign_mails.reports():
        bounce = read_bounce(report.raw, read_mail(report.raw))
        with subtests.test(report.name):
            assert {one.recipient: one.is_final for one in (bounce.failures if bounce else ())} == report.failed


def test_letters_and_misshapen_mails_are_no_reports() -> None:
    """No mail by a person counts as a report, nor does one of ours that breaks the rules; nothing crashes."""
    ours = {mail.name for mail in foreign_mails.misshapen()}
    for mail in foreign_mails.mails():
        with suppress(UnreadableMail):
            is_report = read_bounce(mail.raw, read_mail(mail.raw)) is not None
            assert not is_report or not (mail.kind == "person" or mail.name in ours), mail.name


@pytest.mark.extra("GM_MAIL_CORPUS")
def test_real_reports() -> None:
    """Nearly nine in ten real reports give an address."""
    found = [read_bounce(mail.raw, read_mail(mail.raw)) for mail in foreign_mails.real() if mail.kind == "report"]
    assert sum(bounce is not None for bounce in found) >= 0.88 * len(found) > 0
