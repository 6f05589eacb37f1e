"""How many answers go out in an hour: to one address, and to strangers in all. What is left out is summed up later.

Whatever somebody's robot does with our answers, and whatever senders are forged, so many mails it can make us send and
no more. A mail is handled all the same, and a move in it counts.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from gm.app import App
from gm.play import questions
from gm.play.incoming import Incoming
from gm.play.notices import HOUR
from gm.publish.post import ANSWER, Recipient
from gm.store import mail_log, queries
from gm.store.recall import insert_later
from gm.store.tables import Unanswered

STRANGERS: Final = 3
"""Strangers in all get so many times the answers of one address."""
_TOLD: Final = "told of strangers"


@dataclass(kw_only=True)
class Answers:
    """The answers of the last hour, counted while a batch of mails is handled."""

    counted: Counter[str]
    known: set[str]
    to_strangers: int | None = None

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

    def are_enough_for_strangers(self, incoming: Incoming) -> bool:
        """Say whether strangers have had enough; who has just become a player by a code that we sent is none."""
        if queries.players_at(incoming.session, incoming.mail.sender) or questions.is_gm(
            incoming.app, incoming.mail.sender
        ):
            return False
        if self.to_strangers is None:
            self.to_strangers = mail_log.answers_to_strangers(incoming.session, incoming.app.now() - HOUR, ANSWER)
        return self.to_strangers >= STRANGERS * incoming.app.settings.security.answers_per_hour


def _lately(app: App, session: Session, addresses: Iterable[str]) -> Counter[str]:
    return mail_log.answers_between(session, addresses, app.now() - HOUR, app.now(), ANSWER)


def ignore_stranger(incoming: Incoming) -> None:
    """Leave a stranger without an answer, for there are too many of them; the GM hears of it once a day."""
    app, session, row = incoming.app, incoming.session, incoming.row
    row.status, row.reason = "ignored", "too many mails from strangers in this hour"
    told = queries.meta(session, _TOLD)
    if told is None or app.now() - datetime.fromisoformat(told) >= timedelta(days=1):
        queries.set_meta(session, _TOLD, app.now().isoformat())
        most = STRANGERS * app.settings.security.answers_per_hour
        questions.tell_gm(app, session, "strangers", text=f"{row.sender}: {row.subject} ({most}/h)", row=row)


def leave_out(incoming: Incoming, to: Recipient) -> None:
    """Remember that a player's mail got no answer of its own."""
    row = {"address": to.address, "mail_id": incoming.row.id, "at": incoming.app.now()}
    insert_later(incoming.session, Unanswered, [row])
