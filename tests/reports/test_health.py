"""What a monitor is told of the service, in ill and well."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from gm.demo.in_memory_zine import Story
from gm.messages import gm_list, questions
from gm.reports import health
from gm.reports.state import State
from gm.requests.desk import actions
from gm.store.queries import game_queries, question_queries


def test_what_is_wrong_is_a_reason(running: Callable[..., Story]) -> None:
    """All is well; then nobody looks into the mailbox, rounds stay open, a mail doesn't go out: each is told."""
    story = running()
    story.tick()

    def reasons() -> list[str]:
        with story.app.database.read() as session:
            found = health.monitored(State(story.app, session))
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
        "no mails were fetched for days", "a mail has not gone out for days",
        "rounds that are open though their ZAT has passed:",
    ]  # fmt: skip
    story.server.is_down = story.outbox.is_down = False
    story.tick()
    story.tick()
    assert reasons() == []


def test_a_late_gm_is_a_reason(running: Callable[..., Story]) -> None:
    """What waits for the GM for more than two days, and a round held so long after its ZAT, is told; not before."""
    story = running()
    story.tick()

    def found() -> dict[str, Any]:
        with story.app.database.read() as session:
            return health.monitored(State(story.app, session))

    with story.app.database.write() as session:
        gm_list.tell(story.app, session, "text", "Wie geht das?")
    story.passes(days=1, hours=23)
    story.tick()
    assert (found()["reasons"], found()["waiting_for_gm"]) == ([], 1)
    story.passes(hours=2)
    story.tick()
    assert found()["reasons"] == ["something has waited for the GM for more than 2 days: gm todo"]
    with story.app.database.write() as session:
        (question,) = question_queries.open_questions(session)
        questions.close(story.app, session, question, "done")
        game = game_queries.named(session, "Eriwan")
        game.held, zat = "somebody has to look", game.zat
    story.at((zat + timedelta(days=1, hours=23)).isoformat())
    story.tick()
    assert found()["reasons"] == []
    story.passes(hours=2)
    story.tick()
    assert found()["reasons"] == ["rounds held open for more than 2 days after their ZAT: 1; gm list says why"]
