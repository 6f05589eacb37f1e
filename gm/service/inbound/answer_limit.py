"""How many answers go out in an hour: to one address, and to strangers in all. What is left out is summed up later.

Whatever somebody's robot does with our answers, and whatever senders are forged, so many mails it can make us send and
no more. A player's mail is handled all the same, and a move in it counts. A stranger's is put off, as it is, until an
hour has room for its answer: a newcomer among forged senders waits, and isn't lost.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.commands.request import Incoming
from gm.messages import questions
from gm.messages.notice_limit import HOUR
from gm.messages.outgoing import ANSWER, Recipient
from gm.store.queries import game_queries, mail_queries
from gm.store.queries.query_cache import insert_later
from gm.store.tables import Unanswered
from parsers.commands import commands

STRANGERS: Final = 3
"""Strangers in all get so many times the answers of one address."""
FULL_HOURS: Final = 5
"""So many hours' answers may wait for room, so that each goes out within six hours."""
_TOLD: Final = "told of strangers"


@dataclass(kw_only=True)
class Answers:
    """The answers of the last hour, counted while a batch of mails is handled."""

    counted: Counter[str]
    known: set[str]
    to_strangers: int | None = None
    put_off: int | None = None

    @classmethod
    def lately(cls, app: App, session: Session, addresses: Iterable[str]) -> "Answers":
        """Count for all who have written, at once."""
        known = set(addresses)
        return cls(counted=_lately(app, session, known), known=known)

    def count(self, to: Recipient) -> None:
        """Count one more."""
        self.counted[to.address] += 1
        if to.player_id is None and self.to_strangers is not None:
            self.to_strangers += 1

    def are_enough(self, app: App, session: Session, to: Recipient) -> bool:
        """Say whether this address has had as many as it gets in an hour: the one we answer to, not the sender's."""
        if to.address not in self.known:
            self.known.add(to.address)
            self.counted += _lately(app, session, [to.address])
        return self.counted[to.address] >= app.settings.security.answers_per_hour

    def are_enough_for(self, incoming: Incoming) -> bool:
        """Say whether a stranger's mail has to wait: for another hour, or for those that wait already.

        The GM never waits, nor does who answers a question of ours: there are no more of those than we have asked.
        """
        app, session = incoming.app, incoming.session
        if incoming.players or questions.is_gm(app, incoming.mail.sender):
            return False
        if self.to_strangers is None:
            self.to_strangers = mail_queries.answers_to_strangers(session, app.now() - HOUR, ANSWER)
        is_full = self.to_strangers >= most_to_strangers(app)
        return (is_full or mail_queries.is_put_off_before(session, incoming.row)) and not _answers_us(incoming)


def _lately(app: App, session: Session, addresses: Iterable[str]) -> Counter[str]:
    return mail_queries.answers_between(session, addresses, app.now() - HOUR, app.now(), ANSWER)


def most_to_strangers(app: App) -> int:
    """Say how many answers strangers get in an hour, all together."""
    return STRANGERS * app.settings.security.answers_per_hour


def _answers_us(incoming: Incoming) -> bool:
    said = [one.command for one in incoming.reading.commands]
    return any(isinstance(one, commands.Yes | commands.No) for one in said) and questions.is_known(
        incoming.app, incoming.session, incoming.mail, incoming.players, incoming.reading.code
    )


def put_off(incoming: Incoming, answers: Answers) -> None:
    """Leave a stranger's mail as it is until its turn comes; the GM hears, once a day, of more than can be answered."""
    app, session, row = incoming.app, incoming.session, incoming.row
    row.status, row.reason = mail_queries.PUT_OFF, "too many mails from strangers in this hour"
    if answers.put_off is None:
        answers.put_off = mail_queries.count_received(session, mail_queries.PUT_OFF)
    answers.put_off += 1
    most = most_to_strangers(app)
    told = game_queries.meta(session, _TOLD)
    is_told = told is not None and app.now() - datetime.fromisoformat(told) < timedelta(days=1)
    if not is_told and answers.put_off > FULL_HOURS * most:
        game_queries.set_meta(session, _TOLD, app.now().isoformat())
        incoming.tell_gm("strangers", f"{row.sender}: {row.subject} ({most}/h)")


def take_up(app: App) -> bool:
    """Let the oldest mails that were put off be handled now, as many as have room in this hour; say whether any are."""
    with app.database.read() as session:
        room = most_to_strangers(app) - mail_queries.answers_to_strangers(session, app.now() - HOUR, ANSWER)
    if room <= 0:
        return False
    with app.database.write() as session:
        return mail_queries.take_up(session, room) > 0


def leave_out(incoming: Incoming, to: Recipient) -> None:
    """Remember that a player's mail got no answer of its own."""
    row = {"address": to.address, "mail_id": incoming.row.id, "at": incoming.app.now()}
    insert_later(incoming.session, Unanswered, [row])
