"""What an issue prints of each game, and the all-time table: as everybody could know it when the issue's window closed.

Whoever builds an issue later sees the same: steps, seats and results from after the window are as if they hadn't
happened, and what was hidden then stays hidden. Only what readers may act on is printed as it is now: a ZAT, if it is
still to come, and who is wanted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from gm.app.context import App
from gm.app.issues import Issue
from gm.app.recorded_rules import outcome_of
from gm.archive.list_data.games_by_status import Who
from gm.archive.list_pages.all_time_tables import Line, ranking
from gm.archive.record import public_steps
from gm.archive.record.builder import build_record
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Record, Snapshot
from gm.game.people.shown_names import Person
from gm.game.people.site_directory import directory
from gm.game.seats import empty_seats
from gm.runtime.errors import OperatorError
from gm.store.archive_tables import ArchivedGame, ArchivedScore
from gm.store.queries import seat_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Game, MailIn, MailOut, Press, Seat, Turn

_TURNS: Final = (
    select(Turn)
    .where(
        Turn.game_id == bindparam("game"), col(Turn.released_at) < bindparam("until"),
        col(Turn.published_at).is_not(None),
        col(Turn.undone_at).is_(None) | (col(Turn.undone_at) >= bindparam("until")),
    )
    .order_by(col(Turn.number), col(Turn.version))
    .options(defer(Turn.input, raiseload=True), defer(Turn.verdicts, raiseload=True))  # type: ignore[arg-type]
)  # fmt: skip
_LATER: Final = sa.exists().where(
    col(Turn.game_id) == col(Game.id),
    col(Turn.released_at).is_(None) | (col(Turn.released_at) >= bindparam("since")),
)
_GAMES: Final = (
    select(Game)
    .where(
        (col(Game.status) == "open") | (col(Game.created_at) < bindparam("until")),
        col(Game.status).in_(("open", "running", "aborted")) | _LATER,
    )
    .order_by(col(Game.id))
)  # fmt: skip
"""A game that was over before the window has no step in it or later. When one was broken off, its mails know."""
_SITTING: Final = (
    select(Seat)
    .where(Seat.game_id == bindparam("game"), col(Seat.since) < bindparam("until"))
    .order_by(col(Seat.number), col(Seat.since), col(Seat.id))
)
_PRESS_KNOWN: Final = (
    select(Press, MailIn.handled_at).outerjoin(MailIn, col(MailIn.id) == col(Press.mail_id))
    .where(Press.game_id == bindparam("game"), col(Press.received_at) < bindparam("until"))
    .order_by(col(Press.received_at), col(Press.id))
)  # fmt: skip
_ABORTED: Final = sa.select(sa.func.min(col(MailOut.created_at))).where(
    col(MailOut.cause) == bindparam("cause"), col(MailOut.kind) == "aborted"
)


@dataclass(frozen=True, kw_only=True)
class GameThen(LoadedGame):
    """A game with the rows that everybody knew at an instant."""

    until: datetime

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """All steps whose bulletins had gone out, also one that was taken back since."""
        return self.session.exec(_TURNS, params={"game": self.game.id, "until": self.until}).all()

    @cached_property
    def sitting(self) -> Sequence[Seat]:
        """Everybody who had sat in the game."""
        found = self.session.exec(_SITTING, params={"game": self.game.id, "until": self.until}).all()
        return [_still_sitting(seat) if seat.until and seat.until >= self.until else seat for seat in found]

    @cached_property
    def press(self) -> Mapping[int, Sequence[Press]]:
        """What was printed, by the number of the step.

        Press of a step that was taken back waits for another bulletin; it had gone out with the first after it came in.
        """
        numbers = {turn.id: turn.number for turn in self.turns}
        taken_back = [turn for turn in self.turns if turn.undone_at and turn.kind != "without"]
        found: dict[int, list[Press]] = {}
        for row, handled_at in self.session.exec(_PRESS_KNOWN, params={"game": self.game.id, "until": self.until}):
            came = handled_at or row.received_at
            with_it = (one.number for one in taken_back if one.released_at and one.released_at >= came)
            number = numbers.get(row.turn_id) if row.turn_id in numbers else next(with_it, None)
            if number is not None:
                found.setdefault(number, []).append(row)
        return found

    @cached_property
    def filed(self) -> frozenset[int]:
        """Nobody: paper doesn't say whose moves are in, nor how many."""
        return frozenset()


def _still_sitting(seat: Seat) -> Seat:
    return Seat(**{**seat.model_dump(), "until": None})


@dataclass(frozen=True, kw_only=True)
class Printed:
    """A game of an issue: its record at the end of the window, and what of it the window holds."""

    id: int
    record: Record
    news: tuple[Snapshot, ...]
    """The rounds that were evaluated in the window, oldest first."""
    is_vacant: bool = False
    """Whether it goes on with a seat that nobody holds."""

    @property
    def last(self) -> Snapshot:
        """The newest position in the window."""
        return self.news[-1]


def games_of(app: App, session: Session, window: Issue) -> tuple[list[Printed], list[str]]:
    """Give the games that an issue may be about as everybody knew them, oldest first, and what can't be told.

    Games that were over before the window are left to the all-time tables.
    """
    known = directory(app, session)
    found, troubles = [], []
    for game in session.exec(_GAMES, params={"since": window.since, "until": window.until}):
        app.stop_signal.check()
        loaded = GameThen(
            app=app, session=session, game=Game(**game.model_dump()), slug=known.slugs[game.id],
            people=known.people, until=window.until,
        )  # fmt: skip
        try:
            if _set_back(loaded, game):
                record = replace(build_record(loaded), retrospect=(), seed=None)
                zat = record.zat if record.zat and record.zat > app.now() else None
                record = replace(record, zat=zat, free=_free_now(app, game))
                is_vacant = game.status == "running" and bool(empty_seats(game))
                found.append(Printed(id=game.id, record=record, news=tuple(_news(record, window)), is_vacant=is_vacant))
        except OperatorError as error:
            troubles.append(f"{game.name} isn't in the issue: {error}")
    return found, troubles


def _news(record: Record, window: Issue) -> Iterator[Snapshot]:
    for one in record.steps:
        if window.since <= one.at < window.until:
            yield one


def _free_now(app: App, game: Game) -> int | None:
    """Count the seats of an open game that can still be had; None of any other."""
    if game.status != "open":
        return None
    return app.engine(game.engine).rules.seats[1] - len(seat_queries.seats(game))


def _set_back(loaded: GameThen, game: Game) -> bool:
    """Set a copy of a game's row back to what everybody knew; False where nobody knew of the game."""
    then, steps = loaded.game, loaded.turns
    was_aborted = game.status == "aborted" and _aborted_before(loaded.session, game, loaded.until)
    if not steps:
        then.status, then.turn, then.zat = "open", None, None
        return not was_aborted
    last = public_steps.known(steps, steps[-1].number, steps[-1].version)[-1]
    is_present = (game.turn, game.version) == (last.number, last.version)
    then.turn, then.version, then.round, then.zat = last.number, last.version, last.round, last.zat
    then.held = game.held if is_present else ""
    is_over = outcome_of(loaded.engine, last, loaded.state(last)) is not None
    then.status = "aborted" if was_aborted else "finished" if is_over else "running"
    return True


def _aborted_before(session: Session, game: Game, until: datetime) -> bool:
    """Whether the players had been told by then that a game is broken off."""
    told = session.connection().scalar(_ABORTED, {"cause": f"abort:{game.id}"})
    return told is None or told < until


# -- the all-time table ------------------------------------------------------------------------------------------------

MOST: Final = 30
"""Lines of the table."""

_SCORES: Final = (
    sa.select(
        col(ArchivedScore.game_id), col(ArchivedScore.player_id), col(ArchivedScore.rank), col(ArchivedScore.winner)
    )
    .join(ArchivedGame, col(ArchivedGame.game_id) == col(ArchivedScore.game_id))
    .where(col(ArchivedGame.ended_at) < sa.bindparam("until"))
)  # fmt: skip


Ranked: TypeAlias = tuple[int, str, int, int, int]
"""A line of it: rank, name, games, wins, places in the first three."""


def all_time(
    session: Session, people: Mapping[int, Person], games: Sequence[Printed], until: datetime
) -> list[Ranked]:  # fmt: skip
    """Rank who has played enough games, best first.

    Games that an issue has looked at count as it knows them, the others as they are kept.
    """
    names: dict[str, str] = {}
    counted: dict[str, list[tuple[int, bool]]] = {}

    def add(name: str, slug: str, rank: int, won: bool) -> None:
        if name != NOBODY:
            names[slug] = name
            counted.setdefault(slug, []).append((rank, won))

    for game in games:
        seats = {seat.seat: seat for seat in game.record.seats}
        for place in game.record.result.standings if game.record.result else ():
            add(seats[place.seat].name, seats[place.seat].person, place.rank, place.winner)
    looked_at = {game.id for game in games}
    for game_id, player_id, rank, won in session.connection().execute(_SCORES, {"until": until}):
        if game_id not in looked_at:
            add(people[player_id].name, people[player_id].slug, rank, won)
    lines = [
        Line(
            who=Who(name=names[slug], slug=slug), games=len(results), wins=sum(won for _, won in results),
            podium=sum(rank <= 3 for rank, _ in results),
        )
        for slug, results in counted.items()
    ]  # fmt: skip
    ranked = ranking(lines, "wins").lines[:MOST]
    return [(rank, one.who.name, one.games, one.wins, one.podium) for rank, one in ranked]
