"""A mail that the mail server doesn't hand out, at the command line: named as long as it lies there, and let go of."""

import json

import pytest

from gm.runtime.clock import utcnow
from gm.store.tables import MailIn


@pytest.fixture
def broken(running):
    """Eriwan in round 1, and a mail in the inbox that can't be fetched."""
    with running.app() as app, app.database.write() as session:
        session.add(MailIn(
            folder="INBOX", uidvalidity=1, uid=7, raw=b"", size=1234, content="", received_at=utcnow(),
            status="unfetched", reason="the server breaks off", handled_at=utcnow(),
        ))  # fmt: skip
    return running


def test_it_is_named(broken):
    """`gm status`, `gm status --json`, `gm doctor` and the log name its number, size and date."""
    for line in (
        broken("status").out,
        " ".join(json.loads(broken("status", "--json").out)["reasons"]),
        broken.run("doctor", "--config", str(broken.config)).out,
    ):
        said = " ".join(line.split())
        assert "Mail 1 can't be fetched (INBOX, UID 7, 1234 bytes, " in said
        assert f"{utcnow():%Y}" in said
    assert "unfetched" in broken("mail", "list").out
    assert "The mail server doesn't hand it out." in broken("mail", "show", "1").out
    assert "each pass of `gm serve` tries to fetch it" in broken.refused("mail", "retry", "1")


def test_it_is_let_go_of(broken):
    """After `gm mail drop` nobody speaks of it any more, and it can't be dropped twice."""
    assert broken("mail", "drop", "1").out == "Mail 1 is put aside.\n"
    assert "can't be fetched" not in broken("status").out + broken.run("doctor", "--config", str(broken.config)).out
    assert "Mail 1 is dropped; there is nothing to drop." in broken.refused("mail", "drop", "1")
