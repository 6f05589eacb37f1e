"""What there is to do beside mails that come in: one statement asks for all of it, and mostly it is nothing."""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.store.queries.mail_queries import LEFT_OUT
from gm.store.queries.question_queries import WISH
from gm.store.tables import DigestStep, Game, MailIn, MailOut, Question, Turn
from gm.store.zine_tables import Refusal


class Work(NamedTuple):
    """What may be to do."""

    has_due_games: bool
    """A pass is to look at a game."""
    lacks_answers: bool
    """A mail waits for its player's word, or a question about a line had no answer in its time."""
    has_left_out: bool
    """A mail was left out long ago, and its summary is due."""
    has_digest_steps: bool
    """A daily digest is due."""
    has_letters: bool
    """A mail waits to be sent, be it that it has to wait longer. Answers that go out at once are not among them."""
    has_steps: bool
    """A step isn't public yet, be it that it waits for the GM."""
    has_refusals: bool
    """A server has refused a mail, and accepted none since."""

    @property
    def brings_letters(self) -> bool:
        """Whether it may make mails."""
        return self.has_due_games or self.lacks_answers or self.has_left_out or self.has_digest_steps


def _any(table: Any, *conditions: Any) -> sa.ColumnElement[bool]:
    return sa.select(table.id).where(*conditions).exists()


_NOW: Final[sa.BindParameter[datetime]] = sa.bindparam("now")
_ASKED: Final = sa.select(  # built once: every pass asks
    _any(Game, col(Game.look_at) <= _NOW),
    sa.or_(
        _any(MailIn, MailIn.status == "waiting"),
        _any(Question, Question.kind == WISH, col(Question.answered_at).is_(None), col(Question.expires_at) <= _NOW),
    ),
    _any(MailOut, MailOut.status == LEFT_OUT, col(MailOut.created_at) <= sa.bindparam("left_out_until")),
    _any(DigestStep, DigestStep.told_by == "", col(DigestStep.due_at) <= _NOW),
    _any(MailOut, MailOut.status == "queued", col(MailOut.sending).is_(False)),
    _any(Turn, col(Turn.published_at).is_(None), col(Turn.undone_at).is_(None)),
    sa.select(col(Refusal.mail_id)).exists(),
)


def look(session: Session, now: datetime, left_out_for: timedelta) -> Work:
    """Look what there is to do; mails that were left out wait so long for their summary."""
    given = {"now": now, "left_out_until": now - left_out_for}
    return Work(*map(bool, session.connection().execute(_ASKED, given).one()))
