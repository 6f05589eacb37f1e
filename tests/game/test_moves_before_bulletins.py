"""A move that was sent before the mail with the position had gone out."""

from collections.abc import Callable

from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.store.tables import MailOut, Sheet

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


def test_a_move_before_the_start_has_gone_out_counts(running: Callable[..., Story]) -> None:
    """Before the first round there is none that a move could be late for: it counts, and is confirmed."""
    story = running()
    anna = address_of(PLAYERS[0])
    with story.app.database.write() as session:
        mail = session.exec(select(MailOut).where(MailOut.address == anna, MailOut.kind == "start")).one()
        mail.status, mail.sent_at, mail.attempts = "queued", None, 1
        session.add(mail)
    story.outbox.defer(anna)
    story.writes(PLAYERS[0], MOVE)
    story.tick()
    with story.app.database.read() as session:
        assert [(sheet.seat, sheet.round) for sheet in session.exec(select(Sheet))] == [(1, 1)]
    story.outbox.accept(anna)
    story.passes(hours=1)
    story.tick()
    assert not any("Runde 0" in mail.text or "verspätet" in mail.text for _, mail in story.mails())
