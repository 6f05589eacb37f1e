"""What a monitor is told of the service, in ill and well."""

from collections.abc import Callable

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import Story
from gm.reports import health


def test_what_is_wrong_is_a_reason(running: Callable[..., Story]) -> None:
    """All is well; then nobody looks into the mailbox, rounds stay open, a mail doesn't go out: each is told."""
    story = running()
    story.tick()

    def reasons() -> list[str]:
        with story.app.database.read() as session:
            found = health.monitored(story.app, session)
        assert found["ok"] is not bool(found["reasons"])
        return [" ".join(word for word in reason.split() if not word.isdigit()) for reason in found["reasons"]]

    assert reasons() == []
    story.server.is_down = True
    story.tick()
    assert reasons() == ["The IMAP server in memory is switched off; switch it on again."]
    actions.close(story.app, "Eriwan", story.now)
    story.outbox.is_down = True
    story.passes(days=20)
    story.tick()
    assert [reason.partition(";")[0] for reason in reasons()] == [
        "The IMAP server in memory is switched off", "The SMTP server in memory is switched off",
        "no mails were fetched for s", "a mail has not gone out for s",
        "rounds are open though their ZAT has passed",
    ]  # fmt: skip
    story.server.is_down = story.outbox.is_down = False
    story.tick()
    story.tick()
    assert reasons() == []
