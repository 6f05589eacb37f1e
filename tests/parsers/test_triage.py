"""Which mails are neither obeyed nor answered, and why."""

import pytest

from parsers.message import read_mail
from parsers.triage import RULES, reason_to_ignore

OURS = "<made-by-us@example.org>"


def reason(*fields: str, body: str = "Hallo") -> str | None:
    """The reason to ignore a mail with these fields (and a sender, if there is none among them)."""
    sender = () if any(field.startswith("From:") for field in fields) else ("From: Anna <anna@gmx.example>",)
    raw = "\n".join((*sender, *fields, "", body)).encode()
    return reason_to_ignore(read_mail(raw), own_address="GM@example.org", is_ours=lambda found: found == OURS)


@pytest.mark.parametrize(
    "fields",
    [
        ["Subject: Crossword Eriwan"],
        ["X-Auto-Response-Suppress: All"],
        ["Auto-Submitted: no (I am human)"],
        ["Auto-Submitted:"],
        ["Precedence: first-class"],
        ["Return-Path: <anna@gmx.example>"],
        ["X-Loop: another@example.org"],
        ["Message-ID: <1@example.org>"],
        ["Subject: Re: Out of office"],
        ["Subject: Urlaub 24.12.2026-06.01.2027"],
        ["Subject: Readiness of Eriwan"],
        ["From: noreplyanna@gmx.example"],
        ["From: bouncer@gmx.example"],
        ["Reply-To: anna@work.example"],
        ["Return-Path: <downer-anna@gmx.example>"],
        ["Received: x"] * 30,
    ],
)
def test_mails_by_people(fields: list[str]) -> None:
    """What people send is taken."""
    assert reason(*fields) is None


@pytest.mark.parametrize(
    ("fields", "begins"),
    [
        (["X-Loop: <gm@EXAMPLE.org>"], "own mail: X-Loop"),
        (["From: gm@example.org"], "own mail: From"),
        ([f"Message-ID: {OURS}"], "own mail: Message-ID"),
        (["Received: x"] * 31, "loop"),
        (["Return-Path: <>"], "bounce: null"),
        (["Return-Path: <MAILER-DAEMON@mx.example>"], "bounce: null"),
        (["Content-Type: multipart/report; boundary=b"], "report"),
        (["Content-Type: message/disposition-notification"], "report"),
        (["X-Failed-Recipients: x@y.example"], "bounce: X-Failed"),
        (["Auto-Submitted: (note) auto-replied; owner-email=x"], "automatic: Auto-Submitted"),
        (["Precedence: Bulk"], "automatic: Precedence"),
        (["X-Autoreply: yes"], "automatic: a robot's own"),
        (["X-MS-Exchange-Inbox-Rules-Loop: x@y.example"], "automatic: a robot's own"),
        (["List-Id: <x.y.example>"], "list"),
        (["List-Unsubscribe: <mailto:x@y.example>"], "list"),
        (["X-Mailing-List: x@y.example"], "list"),
        (["Feedback-ID: 1:2:3:shop"], "list"),
        (["Return-Path: <owner-zine@lists.example>"], "list"),
        (["Return-Path: <zine-request@lists.example>"], "list"),
        (["Return-Path: <12ab@bounce.shop.example>"], "list"),
        (["Return-Path: <bounce-md_3.55a0@shop.example>"], "bounce: null"),
        (["From: Mail Delivery System <MAILER-DAEMON@mx.example>"], "automatic: a robot's address"),
        (["From: no-reply@shop.example"], "automatic: a robot's address"),
        (["From: shop-noreply@shop.example"], "automatic: a robot's address"),
        (["Reply-To: The shop <noreply-sales@shop.example>"], "automatic: a robot's address"),
        (["Subject: Abwesenheitsnotiz: Crossword Eriwan"], "automatic: a robot's subject"),
        (["Subject: Automatic reply: x"], "automatic: a robot's subject"),
        (["Subject: =?utf-8?q?Unzustellbar=3A_x?="], "automatic: a robot's subject"),
        (["Subject: Gelesen: Runde 3"], "automatic: a robot's subject"),
        (["Subject: Message could not be delivered!"], "automatic: a robot's subject"),
        (["From: anna@gmx.example <x@evil.example>"], "no usable sender"),
    ],
)
def test_other_mails(fields: list[str], begins: str) -> None:
    """Robots, bounces, lists and loops are recognised, each with its reason."""
    assert (reason(*fields) or "").startswith(begins)


def test_report_part_inside() -> None:
    """A delivery report counts wherever it stands in the mail."""
    body = "--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: message/delivery-status\n\nx: y\n\n--b--\n"
    assert reason("Content-Type: multipart/mixed; boundary=b", body=body) == "report: delivery, receipt or complaint"


def test_reasons_are_distinct() -> None:
    """The log can tell the rules apart."""
    assert len({name for name, _ in RULES}) == len(RULES)
