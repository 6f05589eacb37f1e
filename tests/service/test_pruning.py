"""`gm mail prune`: old mails lose their bytes, and prove as much as before."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import select
from typer.testing import CliRunner

from gm.cli.commands import cli
from gm.demo.in_memory_zine import NESTED, PLAYERS, Story
from gm.requests.desk import actions, mail_actions
from gm.runtime.errors import Refused
from gm.service.inbound.read import content_of
from gm.service.maintenance.prune import cutoff, prune
from gm.store.tables import MailIn, MailOut, Sheet
from parsers.mime.message import read_mail

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "day"), [("90d", "2026-08-23"), ("18m", "2025-05-21"), ("2y", "2024-11-21"), ("11m", "2025-12-21")]
)
def test_spans(span: str, day: str) -> None:
    """Days, months and years back."""
    assert str(cutoff(NOW, span))[:10] == day


@pytest.mark.parametrize("span", ["", "2", "0d", "-1y", "90 minutes", "12h", "9999y", "²y"])
def test_no_spans(span: str) -> None:
    """What is no such span is refused, rather than taken for a short one."""
    with pytest.raises(Refused):
        cutoff(NOW, span)


@pytest.fixture
def old(running: Callable[..., Story]) -> Story:
    """Two years ago everybody moved in Eriwan; the game went on for a while, and was broken off."""
    story = running()
    for name in PLAYERS:
        story.writes(name, MOVE)
    story.writes("Anna Berg", "Was ist mit der Post?")
    story.tick()
    story.passes(days=20)
    story.tick()
    actions.abort(story.app, "Eriwan", "genug")
    story.tick()
    story.passes(days=800)
    return story


def rows(story: Story, table: Any) -> list[Any]:
    """List a table."""
    with story.app.database.read() as session:
        return list(session.exec(select(table).order_by(table.id)).all())


def test_what_is_left_of_old_mails(old: Story) -> None:
    """Bytes go; who sent which move when, and that a shown copy is this very mail, is proven as before."""
    before = {row.id: row for row in rows(old, MailIn)}
    done = prune(old.app, "2y")
    assert done.received == 6, "the seventh waits for the GM"
    assert done.sent == len(rows(old, MailOut)) > 12
    assert (done.kept, done.is_compact) == (1, True)
    after = [row for row in rows(old, MailIn) if not row.raw]
    assert len(after) == 6
    for row in after:
        was = before[row.id]
        same = ("sender", "subject", "message_id", "received_at", "size", "content", "status", "player_id")
        assert all(getattr(row, name) == getattr(was, name) for name in same)
        assert row.raw_hash == hashlib.sha256(was.raw).hexdigest()
        assert row.content == content_of(read_mail(was.raw), was.raw)
    assert {sheet.mail_id for sheet in rows(old, Sheet)} == {row.id for row in after}
    assert prune(old.app, "2y").received == 0


def test_a_copy_of_a_pruned_mail_is_known(old: Story) -> None:
    """The same mail, delivered again, is ignored as before."""
    raw = {row.id: row.raw for row in rows(old, MailIn)}
    prune(old.app, "2y")
    old.arrives(raw[1])
    old.tick()
    assert [(row.status, row.reason) for row in rows(old, MailIn)][-1] == ("ignored", "the same mail as 1")


def test_games_that_are_not_over_keep_their_mails(running: Callable[..., Story]) -> None:
    """Moves and bulletins of running games and quarantined mails keep their bytes, however old they are.

    The notice to the GM about a quarantined mail belongs to no game and is pruned.
    """
    story = running()
    story.writes("Anna Berg", MOVE)
    story.arrives(b"From: anna@spieler.example\r\nSubject: x\r\n" + NESTED)
    story.tick()
    story.passes(days=900)
    done = prune(story.app, "2y")
    assert [row.status for row in rows(story, MailIn)] == ["applied", "quarantined"]
    assert all(row.raw for row in rows(story, MailIn))
    assert (done.received, [row.kind for row in rows(story, MailOut) if row.raw is None]) == (0, ["trouble"])
    assert done.kept == len(rows(story, MailOut)) + 1


def test_prune_on_the_command_line(old: Story) -> None:
    """It says what it did; a pruned mail shows its proof and its moves, and the game is verified as before."""

    def gm(*words: str) -> str:
        ran = CliRunner().invoke(cli, [*words, "--config", str(old.config)])
        assert ran.exit_code == 0, ran.exception
        return ran.output

    said = gm("mail", "prune", "--older", "9000d")
    assert said == "0 received and 0 outgoing mails have lost their text, 0 bytes.\n"
    prune(old.app, "2y")
    shown = gm("mail", "show", "1")
    assert "Message-ID: <" in shown
    assert "SHA-256 of its bytes: " in shown
    assert "Eriwan, round 1, seat 1:\n" in shown
    assert "DNTIRO" in shown
    assert "DNTIRO" in gm("mail", "show", "1", "--raw")
    assert "taken away" in gm("mail", "show", "o1")
    assert gm("mail", "list").count("\n") > 18
    assert gm("verify") == "Eriwan: as recorded\n"


def test_a_mail_without_text_is_not_sent_again(old: Story) -> None:
    """What came back and lost its text since can't be tried again, which is said."""
    prune(old.app, "2y")
    with old.app.database.write() as session:
        session.get_one(MailOut, 1).status = "bounced"
        session.flush()
        with pytest.raises(Refused, match="no text any more"):
            mail_actions.retry(old.app, session, "o1")
