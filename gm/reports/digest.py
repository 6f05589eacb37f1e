"""The contents of a player's digest: what waits for them, and what is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from sqlmodel import Session

from games.api import Language
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game.deadlines import local_instant
from gm.game.people.site_directory import game_page
from gm.game.position import position
from gm.messages.game_mails import frame_context, write_link
from gm.messages.outgoing import Part, gm_name, recipient
from gm.messages.rendering.dates import weekday_name, write_date
from gm.reports.games import GameState
from gm.reports.news import AHEAD, Ending, News
from gm.runtime.config.settings import WEEKDAYS
from gm.store.queries import question_queries
from gm.store.tables import Game, Player

Rhythm: TypeAlias = Literal["daily", "weekly", "monthly"]
Row: TypeAlias = dict[str, Any]

MOST_OPENINGS: Final = 20
MOST_PRESS: Final = 5
LONGEST_PRESS: Final = 300


def personal(app: App, session: Session, news: News, player: Player, rhythm: Rhythm) -> Part | None:
    """Make a player's digest; None where nothing in it would be worth a mail."""
    language = recipient(app, session, player).language
    reader = _Reader(app=app, news=news, player=player, language=language)
    missing, on_file = reader.moves()
    openings = reader.openings()
    context: Row = {
        "missing": missing,
        "on_file": on_file,
        "waiting": [reader.frame(one) for one in reader.seated() if one.stop == "release"],
        "closings": reader.closings() if rhythm != "daily" else [],  # the daily digests have told them
        "endings": reader.endings(),
        "openings": openings[:MOST_OPENINGS],
        "more_openings": len(openings) > MOST_OPENINGS,
        "press": reader.press() if rhythm != "daily" else [],
        "dates": reader.dates(),
        "rhythm": rhythm,
        "gm": gm_name(app),
        "player": player.name if player.id in news.share_address else "",
        "weekday": weekday_name(WEEKDAYS.index(app.settings.digest.weekday), language),
    }
    _link_once(*(context[name] for name in ("missing", "on_file", "waiting", "closings", "endings", "openings")))
    is_worth_it = any(context[name] for name in ("missing", "closings", "endings", "openings"))
    return Part(template="digest", context=context) if is_worth_it else None


@dataclass(frozen=True, kw_only=True)
class _Reader:
    """What is new for one player: what is public, and their own seats."""

    app: App
    news: News
    player: Player
    language: Language

    def when(self, instant: datetime, pattern: str = "short") -> str:
        return write_date(instant, self.app.settings.service.timezone, self.language, pattern)

    def frame(self, about: Any) -> Row:
        """Describe the game of a piece of news as its other mails do, and name its page."""
        page = game_page(self.app, about.game)
        return {**frame_context(self.app, about.game, about.engine, self.language), "page": page}

    def seated(self) -> list[GameState]:
        """List the running games the player sits in, the nearest ZAT first; those that stand still come last."""
        seated = self.news.running_of(self.player)
        return sorted(seated, key=lambda one: (one.stands_still, one.game.zat is None, one.game.zat or self.news.until))

    def moves(self) -> tuple[list[Row], list[Row]]:
        """List the games where a move is owed: those where it is missing, and those where it is on file."""
        missing: list[Row] = []
        on_file: list[Row] = []
        for one in self.seated():
            seat = self.news.seated[self.player.id][one.game.id]
            if one.stop != "release" and seat in one.due:
                row = {**self.frame(one), **_clock(self.app, one), **self._own(one, seat)}
                if row["since"] or row["with_gm"]:
                    on_file.append(row)
                else:
                    missing.append({**row, "write": self._link(one.game, seat)})
        return missing, on_file

    def _link(self, game: Game, seat: int) -> str:
        name = self.player.name if self.player.id in self.news.share_address else ""
        return write_link(self.app, game, position(self.app, game).state, SeatNumber(seat), self.language, name)

    def _own(self, one: GameState, seat: int) -> Row:
        sheet = one.sheets.get(seat)
        return {
            "since": self.when(sheet.received_at) if sheet else "",
            "complete": sheet is None or sheet.complete,
            "with_gm": self.player.id in _with_gm(one.game),
            "filed": one.filed,
            "owed": len(one.due),
            "paused": self.when(until) if one.stop == "paused" and (until := one.game.paused_until) else "",
            "day": self.when(one.game.zat, "day") if one.game.zat and not one.stands_still else "",
        }

    def closings(self) -> list[Row]:
        return [
            {**self.frame(one), "first": one.first, "last": one.last, "on": self.when(one.at, "date"),
             "nmr": ", ".join(one.missing), "complete": one.complete}
            for one in self.news.closings_for(self.player)
        ]  # fmt: skip

    def endings(self) -> list[Row]:
        return [
            {**self.frame(one), "provisional": bool(one.outcome.doubtful),
             "places": [*self._how(one),
                        *(f"{line.rank}. {one.names[line.seat]} {line.points}" for line in one.outcome.standings
                          if line.rank <= 3 and line.points is not None)]}
            for one in self.news.endings_for(self.player)
        ]  # fmt: skip

    def _how(self, one: Ending) -> list[str]:
        """Name the winners, where the head of the table doesn't."""
        outcome = one.outcome
        if outcome.how is None and all(line.points is not None for line in outcome.standings):
            return []
        how = Part(template="", engine=one.engine).speaker(self.language).say(outcome.how) if outcome.how else ""
        return [" ".join(filter(None, [", ".join(one.names[seat] for seat in outcome.winners), how]))]

    def openings(self) -> list[Row]:
        """List games to join, one more than are shown."""
        free = (one for one in self.news.openings if (self.player.id, one.game.id) not in self.news.sat)
        return [{**self.frame(one), "free": one.free} for one in islice(free, MOST_OPENINGS + 1)]

    def press(self) -> list[Row]:
        printed = self.news.press_for(self.player)
        return [{"game": one.game.name, "name": one.name, "text": _short(one.text)} for one in printed[-MOST_PRESS:]]

    def dates(self) -> list[Row]:
        """List what the next days bring: ZATs where a move is owed, own vacations."""
        own = self.news.seated.get(self.player.id, {})
        end = self.app.now() + AHEAD
        dates: list[tuple[datetime, Row]] = []
        for one in self.seated():
            zat = one.zat_until(end)
            if zat and own[one.game.id] in one.due:
                dates.append((zat, {**self.frame(one), "until": ""}))
        for vacation in self.news.vacations_of(self.player):
            dates.append((self._noon(vacation.first), {"until": self.when(self._noon(vacation.last), "date")}))
        dates.sort(key=lambda dated: dated[0])
        return [{**row, "on": self.when(at, "date" if row["until"] else "short")} for at, row in dates]

    def _noon(self, day: date) -> datetime:
        return local_instant(day, time(12), self.app.settings.service.timezone)


def _link_once(*lists: Sequence[Row]) -> None:
    """Leave the page of a game where it stands first."""
    seen: set[str] = set()
    for row in (row for rows in lists for row in rows):
        row["page"] = "" if row["game"] in seen else row["page"]
        seen.add(row["game"])


def _with_gm(game: Game) -> set[int | None]:
    """List the players whose move waits for a ruling of the GM."""
    return {question.player_id for question in question_queries.held_moves(game)}


def _clock(app: App, one: GameState) -> Row:
    """Give how many days are left (-1: the ZAT has passed), or why the clock stands still."""
    zone, now, zat = app.settings.service.timezone, app.now(), one.game.zat
    days = (zat.astimezone(zone).date() - now.astimezone(zone).date()).days if zat else 0
    stop = ("paused" if one.stop == "paused" else "held") if one.stands_still else "" if zat else "no zat"
    return {"stop": stop, "days": -1 if zat and zat <= now else days}


def _short(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= LONGEST_PRESS:
        return line
    start = line[:LONGEST_PRESS]
    return f"{start.rpartition(' ')[0] or start} …"
