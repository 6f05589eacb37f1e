"""What speaks against a person as the writer of a mail, and how much (mail.md, first policies)."""

import pytest

from parsers.mime.message import read_mail
from parsers.mime.triage import RULES, Weight, mark_of

OURS = "<made-by-us@example.org>"


def judged(*fields: str, body: str = "Hallo") -> tuple[str, str]:
    """Return weight and reason of the verdict on a mail with these fields; a From is added if there is none."""
    sender = () if any(field.startswith("From:") for field in fields) else ("From: Anna <anna@gmx.example>",)
    raw = "\n".join((*sender, *fields, "", body)).encode()
    mark = mark_of(read_mail(raw), own_address="GM@example.org", is_ours=lambda found: found == OURS)
    return (mark.weight.value, mark.reason) if mark else ("", "")


BY_PEOPLE = [
    ["Subject: Crossword Eriwan"],
    ["X-Auto-Response-Suppress: All"],
    ["Auto-Submitted: no (I am human)"],
    ["Auto-Submitted: no (a comment (in one) and without end"],
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
    ["Feedback-ID: 1:2:3:provider"],
    ["X-Mailer: x", "X-Report-Abuse: abuse@provider.example"],
    ["List-Post: NO"],
    ["List-Id:"],
    ["From: newsletteranna@gmx.example"],
    ["From: anna.owner@gmx.example"],
    ["From: alerta@gmx.example"],
]


def test_mails_by_people(subtests: pytest.Subtests) -> None:
    """What people send has no mark."""
    for fields in BY_PEOPLE:
        with subtests.test(fields=fields):
            assert judged(*fields) == ("", "")


CERTAIN = {
    "own mail: X-Loop": [["X-Loop: <gm@EXAMPLE.org>"]],
    "own mail: From": [["From: gm@example.org"]],
    "own mail: Message-ID": [[f"Message-ID: {OURS}"]],
    "report": [["Content-Type: multipart/report; boundary=b"], ["Content-Type: message/disposition-notification"]],
    "automatic: Auto-Submitted": [["Auto-Submitted: (note) auto-replied; owner-email=x"]],
}
LIST = {
    "list": [
        ["List-Id: <x.y.example>"], ["X-Mailing-List: x@y.example"], ["List-Post: <mailto:zine@lists.example>"],
        ["List-Id: <x.y.example>", "Precedence: list"],
    ],
}  # fmt: skip
LIKELY = {
    "loop": [["Received: x"] * 31],
    "bounce: null": [["Return-Path: <>"], ["Return-Path: <MAILER-DAEMON@mx.example>"]],
    "bounce: X-Failed": [["X-Failed-Recipients: x@y.example"]],
    "automatic: Precedence": [["Precedence: auto_reply"]],
    "automatic: a robot's own": [["X-Autoreply: yes"], ["X-MS-Exchange-Inbox-Rules-Loop: x@y.example"]],
    "automatic: a robot's address": [
        [f"From: {name}@shop.example"] for name in (
            "MAILER-DAEMON", "no-reply", "shop-noreply", "newsletter", "notification+x7", "alerts", "nobody",
            "post_master", "owner-list", "list-owner", "zine-request", "do_not_reply", "bounces+12",
        )
    ],
    "automatic: a robot's subject": [
        [f"Subject: {subject}"] for subject in (
            "Abwesenheitsnotiz: Crossword Eriwan", "Automatic reply: x", "=?utf-8?q?Unzustellbar=3A_x?=",
            "Gelesen: Runde 3", "Read: Runde 3", "Auto: Zug", "Automatische Antwort: Zug",
            "Message could not be delivered!",
        )
    ],
}  # fmt: skip
CAMPAIGN = {
    "campaign": [
        ["List-Unsubscribe: <mailto:x@y.example>"], ["Precedence: Bulk"], ["Precedence: list"], ["X-Campaign: x"],
        ["Return-Path: <bounce-md_3.55a0@shop.example>"],
        ["Return-Path: <12ab@bounce.shop.example>"], ["Return-Path: <zine-request@lists.example>"],
        ["Return-Path: <owner-zine@lists.example>"], ["Reply-To: The shop <noreply-sales@shop.example>"],
    ],
}  # fmt: skip
NOBODY = {
    "no usable sender": [
        ["From: anna@gmx.example <x@evil.example>"], ["From: a@b.example, c@d.example"],
        ["From: \"Anna <a@b.example>", "Return-Path: <>"],
    ],
}  # fmt: skip
MARKED = [
    (weight, begins, fields)
    for weight, table in {
        Weight.CERTAIN: CERTAIN, Weight.LIST: LIST, Weight.LIKELY: LIKELY, Weight.CAMPAIGN: CAMPAIGN,
        Weight.NOBODY: NOBODY,
    }.items()
    for begins, many in table.items()
    for fields in many
]  # fmt: skip


def test_marked_mails(subtests: pytest.Subtests) -> None:
    """Robots, bounces, lists and loops are recognised, each with its reason and what it is worth."""
    for weight, begins, fields in MARKED:
        with subtests.test(weight=weight, begins=begins, fields=fields):
            found, reason = judged(*fields)
            assert found == weight.value
            assert reason.startswith(begins)


def test_report_part_inside() -> None:
    """A delivery report counts wherever it stands in the mail."""
    body = "--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: message/delivery-status\n\nx: y\n\n--b--\n"
    found = judged("Content-Type: multipart/mixed; boundary=b", body=body)
    assert found == ("certain", "report: delivery, receipt or complaint")


def test_reasons_are_distinct() -> None:
    """The log can tell the rules apart."""
    assert len({name for name, _, _ in RULES}) == len(RULES)
