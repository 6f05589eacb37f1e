"""The GM's address is an address as well: only so many notices an hour, the others are one mail after it.

Nothing is lost by it: whatever a notice is about stands on the GM's list (`gm todo`).
"""

import json
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlmodel import Session, col, func, select

from gm.app.context import App
from gm.store.database import NOTICES, one_at_a_time
from gm.store.queries import game_queries
from gm.store.tables import MailOut

NOTICE: Final = "trouble"
"""The template, and the kind of mail, that troubles and players' words come by."""
HOUR: Final = timedelta(hours=1)
_LEFT_OUT: Final = "notices left out"


class LeftOut(NamedTuple):
    """How many notices to an address have been left out, since when."""

    since: datetime
    number: int


def leave_out(app: App, session: Session, address: str) -> bool:
    """Say whether one more notice to this address would be too many; it is counted then."""
    lately = select(func.count()).where(
        MailOut.address == address, col(MailOut.created_at) > app.now() - HOUR, MailOut.kind == NOTICE
    )
    if session.exec(lately).one() < app.settings.security.answers_per_hour:
        return False
    one_at_a_time(session, NOTICES)
    kept = left_out(session)
    before = kept.get(address, LeftOut(app.now(), 0))
    _keep(session, {**kept, address: before._replace(number=before.number + 1)})
    return True


def left_out(session: Session) -> dict[str, LeftOut]:
    """List what was left out and not summed up yet, by address."""
    kept: dict[str, tuple[str, int]] = json.loads(game_queries.meta(session, _LEFT_OUT) or "{}")
    return {address: LeftOut(datetime.fromisoformat(since), number) for address, (since, number) in kept.items()}


def summed_up(session: Session, address: str) -> None:
    """Note that a summary has gone there."""
    _keep(session, {other: kept for other, kept in left_out(session).items() if other != address})


def _keep(session: Session, kept: dict[str, LeftOut]) -> None:
    rows = {address: (one.since.isoformat(), one.number) for address, one in kept.items()}
    game_queries.set_meta(session, _LEFT_OUT, json.dumps(rows))
