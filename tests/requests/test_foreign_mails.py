"""Mails that aren't meant for a game (`foreign_mails`), through the whole service."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from cpu_cost import work_units
from foreign_mails import mails

from gm.store.tables import Sheet

TOGETHER = 5
"""So many come between two looks into the mailbox; even these take no longer than one may."""
pytestmark = pytest.mark.reading


def test_no_move_no_answer_to_robots_nothing_stops(eriwan: Any) -> None:
    """Every mail is ignored or answered with the help, once an address, in the time that a mail has."""
    sent = mails()
    for at in range(0, len(sent), TOGETHER):
        batch = sent[at : at + TOGETHER]
        for mail in batch:
            eriwan.arrives(mail.raw)
        reports: list[Any] = []
        assert work_units(lambda reports=reports: reports.append(eriwan.tick())) < 1000, batch
        assert not reports[0].troubles, batch
    rows = eriwan.received()
    assert len(rows) == len(sent)
    assert "applied" in {row.status for row in rows}, "one asks for help in so many words"
    assert {row.reason for row in rows if row.status != "ignored"} == {"help", "stranger"}
    assert not eriwan.rows(Sheet)
    answered = Counter(row.address for row in eriwan.outgoing(kind="help"))
    assert set(answered.values()) == {1}
    assert not eriwan.outgoing(kind="trouble")
    senders = {kind: {row.sender for row, mail in zip(rows, sent, strict=True) if mail.kind == kind}
               for kind in ("person", "report")}  # fmt: skip
    assert senders["person"] <= set(answered)
    # One of the real ones is labelled as a report, but a person's with text and attachments.
    assert len(senders["report"] & set(answered)) <= 1
