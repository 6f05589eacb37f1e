"""The state of the zine for its GM: what is open, what is due, and what is wrong.

`gm`, `gm status`, `gm todo`, `gm show`, what a monitor asks and the GM's mails show parts of this one value. A monitor
may ask every minute, however big the zine is: only what waits is counted, by indexes, and each part is read when it is
first asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from sqlmodel import Session, SQLModel, col, func, or_, select

from games.api import Language
from gm.app.context import App
from gm.game import closing_time
from gm.messages import bounces
from gm.messages.unfetched_mails import sentence
from gm.reports import todo
from gm.reports.games import IS_HELD, GameState, first_games, states_of
from gm.runtime.clock import largest_unit
from gm.runtime.errors import OperatorError
from gm.store.queries import game_queries, mail_queries, question_queries, zine_queries
from gm.store.tables import Address, Game, MailIn, MailOut, Player, Turn
from gm.store.zine_tables import Zine

LATE_AFTER: Final = timedelta(minutes=10)
"""Something is wrong if mails weren't fetched for longer, or a round is still open so long after its ZAT."""
SEND_WITHIN: Final = timedelta(hours=1)
"""So is it if nobody has tried to send a mail for longer. One that a server puts off may take days."""
GM_LATE_AFTER: Final = timedelta(days=2)
"""The GM is late when something has waited for an answer for longer, or has held a round open for so long."""
COUNTED: Final = timedelta(days=7)
"""How far back forged mails are counted."""
UNDER_WAY: Final = ("running", "provisional")
MOST_UNFETCHED: Final = 5
"""So many of the mails that can't be fetched are named; `gm todo` has all."""


@dataclass(frozen=True, kw_only=True)
class Queue:
    """Mails that wait to be handled or sent."""

    number: int
    oldest: datetime | None


@dataclass(frozen=True)
class State:
    """The state of the zine."""

    app: App
    session: Session

    @cached_property
    def now(self) -> datetime:
        """The time, in the zine's own zone."""
        return self.app.now().astimezone(self.app.settings.service.timezone)

    @cached_property
    def zine(self) -> Zine:
        """The facts about the zine: when mails were last fetched, and what is wrong with mailbox, mail and copies."""
        return zine_queries.zine(self.session)

    # what is open

    def waiting(self, language: Language = "en") -> list[todo.Waiting]:
        """List what the GM has to decide or to look at, oldest first."""
        return todo.waiting(self.app, self.session, language)

    @cached_property
    def open(self) -> list[todo.Waiting]:
        """The same in English."""
        return self.waiting()

    # what is due

    @cached_property
    def first(self) -> list[GameState]:
        """The games that the GM should see first: what may need the GM, the next ZATs, the newest of the others."""
        return states_of(self.app, self.session, first_games(self.session, self.now))

    @property
    def first_running(self) -> list[GameState]:
        """Those of them that are played, or wait for a ruling."""
        return [one for one in self.first if one.game.status in UNDER_WAY]

    def others(self, shown: Sequence[GameState], statuses: Sequence[str] = game_queries.STATUSES) -> int:
        """Count the games that aren't among those that are shown."""
        return _count(self.session, Game, col(Game.status).in_(statuses)) - len(shown)

    def coming(self, most: int, until: datetime | None = None) -> tuple[list[GameState], int]:
        """List the next rounds to close, and count the others; `until` leaves out what is later, or stands still."""
        rows = [col(Game.status) == "running", col(Game.zat).is_not(None)]
        if until:
            rows += [col(Game.zat) <= until, col(Game.held) == "", _is_going_on(self.now)]
        games = self.session.exec(select(Game).where(*rows).order_by(col(Game.zat), col(Game.id)).limit(most)).all()
        return states_of(self.app, self.session, games), _count(self.session, Game, *rows) - len(games)

    # what is wrong

    @cached_property
    def late_after(self) -> timedelta:
        """After how long without a fetch something is wrong, or with a round that is open after its ZAT."""
        return max(LATE_AFTER, 2 * timedelta(seconds=self.app.settings.imap.poll_seconds))

    @property
    def is_fetch_late(self) -> bool:
        """Whether nobody has looked into the mailbox for too long."""
        return self.zine.last_fetch is None or self.now - self.zine.last_fetch > self.late_after

    @cached_property
    def to_handle(self) -> Queue:
        """The stored mails that nobody has handled."""
        return _queue(self.session, MailIn, "new", MailIn.received_at)

    @cached_property
    def to_send(self) -> Queue:
        """The mails that wait to be sent."""
        return _queue(self.session, MailOut, "queued", MailOut.created_at)

    @cached_property
    def untried(self) -> Queue:
        """Those of them that nobody has tried to send."""
        return _queue(self.session, MailOut, "queued", MailOut.created_at, col(MailOut.attempts) == 0)

    @cached_property
    def quarantined(self) -> int:
        """So many received mails were put aside."""
        return mail_queries.count_with_status(self.session, MailIn, "quarantined")

    @cached_property
    def refused(self) -> int:
        """So many of our mails can't be delivered."""
        return mail_queries.count_with_status(self.session, MailOut, "refused")

    @cached_property
    def forged(self) -> int:
        """So many mails in players' names were found forged lately."""
        return mail_queries.count_forged(self.session, self.now - COUNTED)

    @cached_property
    def unreachable(self) -> Sequence[tuple[Player, Address]]:
        """The players whose mails come back, with the address."""
        return bounces.unreachable(self.session)

    @cached_property
    def unfetched(self) -> list[str]:
        """A line for each of the first mails that the mail server lists and doesn't hand out."""
        rows = mail_queries.unfetched(self.session)[:MOST_UNFETCHED]
        return [sentence(row, self.app.settings.service.timezone) for row in rows]

    @cached_property
    def overdue(self) -> list[Game]:
        """The games whose round should have closed: nobody holds it, and no pause, ruling or release is waited for."""
        rows = select(Game).where(
            Game.status == "running", col(Game.zat) < self.now - self.late_after, col(Game.held) == "",
            _is_going_on(self.now),
        )  # fmt: skip
        return [game for game in self.session.exec(rows.order_by(col(Game.zat), col(Game.id))) if not self._waits(game)]

    @cached_property
    def held(self) -> list[Game]:
        """The running games that the GM holds, or that wait for the GM to rule on a word."""
        rows = select(Game).where(IS_HELD, Game.status == "running").order_by(col(Game.id))
        asked = question_queries.open_questions(self.session)
        ids = {one.game_id for one in asked if one.kind == question_queries.HELD_MOVE and one.game_id}
        about = game_queries.games_by_id(self.session, sorted(ids)) if ids else []
        return [*self.session.exec(rows), *(game for game in about if not game.held and self._waits(game))]

    def _waits(self, game: Game) -> bool:
        try:
            return game.status == "running" and closing_time.waits_for_gm(game, self.app.engine(game.engine))
        except OperatorError:  # its rules aren't installed
            return False

    @cached_property
    def held_too_long(self) -> int:
        """So many rounds are held open since their ZAT, longer than a GM should need."""
        late = self.now - GM_LATE_AFTER
        return sum(bool(game.held and game.zat and game.zat < late) for game in self.held)

    @cached_property
    def unreleased(self) -> Sequence[str]:
        """The games whose last bulletin waits for the GM, also those that are over."""
        rows = select(Game.name).join(Turn).where(
            Turn.number == Game.turn, Turn.version == Game.version, col(Turn.released_at).is_(None),
            col(Game.status).in_(("running", "provisional", "finished")),
        )  # fmt: skip
        return self.session.exec(rows.order_by(col(Game.id))).all()

    @cached_property
    def troubles(self) -> list[str]:
        """What is wrong with mailbox, outgoing mail and nightly copies now."""
        return [*filter(None, (self.zine.inbox_trouble, self.zine.outbox_trouble, self.zine.backup_trouble))]

    @cached_property
    def reasons(self) -> list[str]:
        """What somebody has to look at, a sentence each; nothing if all is well."""
        return [*self.troubles, *self.unfetched, *self._reasons()]

    def _reasons(self) -> Iterator[str]:
        if self.zine.last_fetch is None:
            yield "mails were never fetched; does `gm serve` run?"
        elif self.is_fetch_late:
            yield f"no mails were fetched for {largest_unit(self.now - self.zine.last_fetch)}; does `gm serve` run?"
        if (since := self.to_handle.oldest) and self.now - since > self.late_after:
            yield f"a mail has not been handled for {largest_unit(self.now - since)}"
        if (since := self.untried.oldest) and self.now - since > SEND_WITHIN:
            yield f"a mail has not gone out for {largest_unit(self.now - since)}"
        if self.overdue:
            yield f"rounds that are open though their ZAT has passed: {len(self.overdue)}"
        if self.open and self.open[0].since < self.now - GM_LATE_AFTER:
            yield f"something has waited for the GM for more than {GM_LATE_AFTER.days} days: gm todo"
        if self.held_too_long:
            yield (
                f"rounds held open for more than {GM_LATE_AFTER.days} days after their ZAT: {self.held_too_long}; "
                "gm list says why"
            )
        if self.quarantined:
            yield f"mails in quarantine: {self.quarantined}; gm todo lists them"

    def seconds_since(self, instant: datetime | None) -> int | None:
        """Count the seconds since an instant; None if there was none."""
        return max(0, int((self.now - instant).total_seconds())) if instant else None


def _is_going_on(now: datetime) -> Any:
    """Say, for a statement, that a game isn't paused."""
    return or_(col(Game.paused_until).is_(None), col(Game.paused_until) <= now)


def _queue(session: Session, table: Any, status: str, since: Any, *conditions: Any) -> Queue:
    """Count the mails that wait, and find since when.

    An inner query picks the ids by the index: SQLite doesn't know how rare a status is and would read all mails.
    """
    ids = select(table.id).where(table.status == status)
    number, oldest = session.exec(select(func.count(), func.min(since)).where(table.id.in_(ids), *conditions)).one()
    return Queue(number=number, oldest=oldest)


def _count(session: Session, table: type[SQLModel], *conditions: Any) -> int:
    return session.exec(select(func.count()).select_from(table).where(*conditions)).one()
