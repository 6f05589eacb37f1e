"""The rest of the whole zine (`gm pause --all`): a stretch in which no round ends and no day counts.

One rest is noted at a time. It lies in `meta`, and whoever computes a ZAT or asks when a round closes looks there. So
games that start or go on in the meantime rest as well, and nothing has to be done when it begins or ends.
"""

import datetime as dt
import json
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from sqlmodel import Session

from gm.app.context import App
from gm.store.queries import meta_queries

KEY: Final = "rest"
"""The entry of `meta`."""


@dataclass(frozen=True, kw_only=True)
class Rest:
    """From when until when the zine rests; `end` is the first instant after it."""

    start: dt.datetime
    end: dt.datetime
    told: dt.datetime
    """When the players were last told of it."""
    why: str = ""

    def holds(self, instant: dt.datetime) -> bool:
        """Return whether an instant lies in the rest."""
        return self.start <= instant < self.end

    def days(self, zone: ZoneInfo) -> tuple[dt.date, dt.date]:
        """Return its first and its last day."""
        return self.start.astimezone(zone).date(), (self.end - dt.timedelta.resolution).astimezone(zone).date()


def noted(session: Session) -> Rest | None:
    """Return the rest that was set last, also one that is over; None before the first."""
    text = meta_queries.get_meta(session, KEY)
    if not text:
        return None
    row = json.loads(text)
    instants = {name: dt.datetime.fromisoformat(row[name]) for name in ("start", "end", "told")}
    return Rest(**instants, why=row["why"])


def current(app: App, session: Session) -> Rest | None:
    """Return the rest that lies ahead or lasts now; None where there is none."""
    rest = noted(session)
    return rest if rest and rest.start < rest.end and app.now() < rest.end else None


def note(session: Session, rest: Rest) -> None:
    """Write a rest down, in place of the one before."""
    row = {name: getattr(rest, name).isoformat() for name in ("start", "end", "told")}
    meta_queries.set_meta(session, KEY, json.dumps({**row, "why": rest.why}, ensure_ascii=False))
