"""The mails that tell the GM how the zine stands: the answer to `gm todo`, and the GM's copy of the digest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any, Final

from sqlmodel import Session

from games.api import Language, say
from gm.app.context import App
from gm.game.deadlines import local_instant
from gm.game.schedule.closing import UNDONE
from gm.messages.game_mails import frame_context
from gm.messages.outgoing import Part, gm_recipient
from gm.messages.rendering.dates import write_date
from gm.messages.sentences import SENTENCES
from gm.reports.games import GameState, missing_names
from gm.reports.news import AHEAD, News
from gm.reports.state import State
from gm.reports.todo import Waiting
from gm.runtime.catalogues import catalogue
from gm.runtime.errors import OperatorError
from gm.store.queries import question_queries
from gm.store.tables import Game, Vacation

NEXT: Final = 8
"""Rounds that are shown: the next ones to close."""
MOST_ZATS: Final = 50


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Who got an issue of the digest, and who didn't."""

    sent: int
    skipped: int
    off: int
    later: int
    """Those who get it monthly and not this time, or came after the day."""
    returned: int = 0
    """Those whose mails come back."""


@dataclass(frozen=True)
class _Writer:
    """Puts the state into what the templates take."""

    state: State
    language: Language

    def when(self, instant: datetime | None, pattern: str = "short") -> str:
        zone = self.state.app.settings.service.timezone
        return write_date(instant, zone, self.language, pattern) if instant else ""

    def todo(self) -> list[dict[str, Any]]:
        """List what waits: the kinds in words, and the days as they are written."""
        words = catalogue("reports", self.language)
        return [self._waiting(one, words.get(f"kinds.{one.what}", one.what))
                for one in self.state.waiting(self.language)]  # fmt: skip

    def _waiting(self, one: Waiting, what: str) -> dict[str, Any]:
        return {"what": what, "on": self.when(one.since, "date"), "named": one.named, "says": one.says, "do": one.do}

    def round(self, one: GameState) -> dict[str, Any]:
        """Describe a round that closes next, and who is missing."""
        game = one.game
        return {
            "game": game.name, "title": one.title if one.engine else "",
            "counted": SENTENCES[f"UNIT_{one.unit.upper()}"][self.language] if one.engine else "", "round": game.round,
            "zat": self.when(game.zat_in_force), "held": bool(one.why),
            "missing": missing_names(self.state.app, self.state.session, game, self.language),
        }  # fmt: skip

    def zat(self, one: GameState) -> dict[str, Any]:
        """Describe a date of the next days."""
        frame = frame_context(self.state.app, one.game, one.engine, self.language) if one.engine else {}
        return {**frame, "on": self.when(one.game.zat), "filed": one.filed, "owed": len(one.due)}

    def why_held(self, game: Game) -> str:
        """Say why a game stands still, as its entry on the GM's list does; in English as `gm status` does."""
        held = " ".join(game.held.split())
        if self.state.app.settings.service.language == "en" or not held:
            return held
        asked = question_queries.questions_about(game, "held", "outage")
        if asked:
            return " ".join(str(asked[-1].payload.get("shown", asked[-1].payload.get("text"))).split())
        why = UNDONE if game.held == str(UNDONE) else OperatorError(say("digest.held", why=held))
        return why.said_in(self.state.app.settings.service.language)

    def troubles(self) -> dict[str, Any]:
        """Name what is wrong: mails, games that stand still, rounds that should be closed."""
        state = self.state
        return {
            "quarantined": state.quarantined, "refused": state.refused, "forged": state.forged,
            "held": [(game.name, self.why_held(game)) for game in state.held],
            "overdue": [(game.name, self.when(game.zat)) for game in state.overdue],
            "returned": [(player.name, address.address) for player, address in state.unreachable],
            "unreleased": state.unreleased,
        }  # fmt: skip

    def vacations(self, away: Sequence[tuple[Vacation, str]]) -> list[dict[str, str]]:
        """List who is away when."""
        noon, zone = time(12), self.state.app.settings.service.timezone
        return [
            {"name": name, "first": self.when(local_instant(one.first, noon, zone), "date"),
             "last": self.when(local_instant(one.last, noon, zone), "date")}
            for one, name in away
        ]  # fmt: skip


def today_by_mail(app: App, session: Session, language: Language) -> Part:
    """Make the answer to a GM who asks by mail what waits."""
    state = State(app, session)
    write = _Writer(state, language)
    context = {
        "game": "", "todo": write.todo(), "rounds": [write.round(one) for one in state.coming(NEXT)[0]],
        "fetched": write.when(state.zine.last_fetch), "queued": state.to_send.number,
    }  # fmt: skip
    return Part(template="gm_today", context=context)


def for_gm(app: App, session: Session, news: News, counts: Counts) -> Part:
    """Make the GM's copy of the digest: who got it, what is wrong, what waits, the next dates."""
    state = State(app, session)
    write = _Writer(state, gm_recipient(app, session).language)
    coming, more = state.coming(MOST_ZATS, app.now() + AHEAD)
    context = {
        "counts": counts,
        "fetched": write.when(state.zine.last_fetch),
        "troubles": {**write.troubles(), "left_out": sorted(news.left_out.items())},
        "todo": write.todo(),
        "zats": [write.zat(one) for one in coming if not one.stands_still],
        "more_zats": more,
        "vacations": write.vacations(news.vacations),
    }
    return Part(template="heartbeat", context=context)
