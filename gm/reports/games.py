"""How games stand, for the GM: what each waits for, who is missing, and which come first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import text
from sqlmodel import Session, and_, col, select

from games import AnyEngine
from games.api import Language
from games.api import Seat as SeatNumber
from gm.app.context import App, local_iso
from gm.game import closing_time, missing_moves
from gm.game.position import Position, is_released, position
from gm.messages.rendering.dates import write_day
from gm.messages.sentences import SENTENCES
from gm.runtime.errors import OperatorError
from gm.runtime.tracebacks import described
from gm.store import game_file
from gm.store.chunks import CHUNK_SIZE
from gm.store.queries import game_queries, seat_queries, sheet_queries
from gm.store.tables import Game, Sheet

MOST_GAMES: Final = 30
IS_HELD: Final = text("held <> ''")
"""Literally as in the index of held games: with a bound value the database wouldn't use it."""

Stop: TypeAlias = Literal["", "release", "held", "word", "mail", "paused", "rules"]
"""What keeps a round open: its bulletin waits for the GM, the GM, a ruling, a mail, a pause, rules that aren't here."""

_RANK: Final = {"open": 1, "running": 2, "provisional": 2, "finished": 3, "aborted": 3}
"""The order of games in lists; 0 is one that needs the GM."""


@dataclass(frozen=True, kw_only=True)
class GameState:
    """How a game stands."""

    game: Game
    engine: AnyEngine | None
    """None where its rules aren't installed, or can't read the game: see `fault`."""
    stop: Stop = ""
    why: str = ""
    """In English, why it stands still; "" for a pause."""
    fault: Exception | None = None
    due: frozenset[SeatNumber] = frozenset()
    """The seats of a running game that owe a move."""
    sheets: Mapping[int, Sheet] = field(default_factory=dict)
    """The moves on file, by seat."""

    @property
    def filed(self) -> int:
        """Count the moves that are in."""
        return len(self.due & self.sheets.keys())

    @property
    def stands_still(self) -> bool:
        """Whether its clock stands: the ZAT isn't in force."""
        return self.stop in ("release", "held", "word", "paused", "rules")

    def zat_until(self, end: datetime) -> datetime | None:
        """Give the ZAT where it is in force and not after `end`."""
        zat = self.game.zat
        return zat if not self.stands_still and zat and zat <= end else None

    @property
    def title(self) -> str:
        """Name the kind of game."""
        return self.engine.rules.title if self.engine else self.game.engine

    @property
    def unit(self) -> str:
        """Name what is counted: round or turn."""
        return self.engine.rules.unit if self.engine else "round"

    @property
    def moves(self) -> str:
        """Count the moves that are in, or the seats that are taken."""
        if self.engine and self.game.status == "open":
            return f"{len(seat_queries.seats(self.game))} of {self.engine.rules.seats[1]} seats"
        return f"{self.filed} of {len(self.due)}" if self.engine and self.game.status == "running" else ""

    def need(self, now: datetime) -> str:
        """Say why the game needs the GM; "" if it doesn't."""
        if self.why or self.game.status == "provisional":
            return self.why or "words to rule on: gm todo"
        zat = self.game.zat_in_force
        return "the ZAT has passed" if self.game.status == "running" and zat and zat <= now else ""


def state_of(app: App, session: Session, game: Game) -> GameState:
    """Look how a game stands, also one whose rules aren't installed, or are faulty: the others are told of as well."""
    try:
        engine = app.engine(game.engine)
        if game.status != "running":
            return GameState(game=game, engine=engine, stop="held" if game.held else "", why=game.held)
        at = position(app, game)
        due = engine.due(at.state)
    except OperatorError as error:
        return GameState(game=game, engine=None, stop="rules", why=game.held or str(error), fault=error)
    except Exception as error:  # noqa: BLE001  whatever a game does
        why = f"a bug in its rules: {described(error)}"
        return GameState(game=game, engine=None, stop="rules", why=why, fault=error)
    stop, why = stopped_by(app, session, game, at)
    sheets = sheet_queries.sheets_on_file(game)
    return GameState(game=game, engine=engine, stop=stop, why=why, due=due, sheets=sheets)


def stopped_by(app: App, session: Session, game: Game, at: Position) -> tuple[Stop, str]:
    """Find what keeps the round of a running game open, and say why in English."""
    if not is_released(at.turn):
        return "release", f"the bulletin waits for you: gm release {game.name}"
    if game.held:
        return "held", game.held
    if closing_time.waits_for_gm(game, at.engine):
        return "word", "a move waits for you to rule on a word: gm todo"
    if closing_time.is_paused(app, game):
        return "paused", ""
    why = closing_time.standing_still(app, session, game, at)
    return "mail" if why else "", why


def as_json(app: App, one: GameState) -> dict[str, Any]:
    """Describe how a game stands, as `gm list --json` does."""
    game = one.game
    return {
        "name": game.name, "game": game.engine, "title": one.title, "status": game.status, "round": game.round,
        "zat": local_iso(app, game.zat_in_force), "moves": one.moves, "held": one.why or None,
        "paused_until": local_iso(app, closing_time.paused_until(app, game)),
    }  # fmt: skip


def by_need(games: Iterable[GameState], now: datetime) -> list[GameState]:
    """Sort games: first those that need the GM, then the open ones, the running ones by ZAT, and the finished ones."""

    def key(one: GameState) -> tuple[int, bool, datetime]:
        zat = one.game.zat_in_force
        return 0 if one.need(now) else _RANK[one.game.status], zat is None, zat or now

    return sorted(games, key=key)


def missing_names(app: App, session: Session, game: Game, language: Language = "en") -> list[str]:
    """Name whose move is missing; nobody where the rules aren't installed."""
    seat = SENTENCES["SEAT_NUMBER"][language]
    try:
        found = missing_moves.missing(app, session, game, app.now())
    except OperatorError:
        return []
    return [_named(one, language) if one.player else seat.format(seat=one.seat) for one in found]


def _named(one: missing_moves.Missing, language: Language) -> str:
    """Name whose move is missing, with the days of a vacation that it may be missing for."""
    if one.away is None:
        return one.player
    first, last = (write_day(day, language) for day in one.away)
    pattern = SENTENCES["AWAY_UNTIL" if one.is_away else "AWAY_FROM"][language]
    return pattern.format(name=one.player, first=first, last=last)


# -- which games -------------------------------------------------------------------------------------------------------


def all_games(app: App, session: Session) -> list[GameState]:
    """Look how every game stands."""
    games = game_queries.games(session)
    parts = (games[at : at + CHUNK_SIZE] for at in range(0, len(games), CHUNK_SIZE))
    return [one for part in parts for one in states_of(app, session, part)]


def states_of(app: App, session: Session, games: Sequence[Game]) -> list[GameState]:
    """Look how games stand, with as many statements as for one. There may be as many as a statement takes."""
    under_way = [game.id for game in games if game.status in ("open", "running")]
    _files = game_file.load(session, under_way)
    return [state_of(app, session, game) for game in games]


def first_games(session: Session, now: datetime) -> Sequence[Game]:
    """Pick the games that may need the GM, then the next ZATs, then the newest of the others."""
    status, zat, number = col(Game.status), col(Game.zat), col(Game.id)
    is_running = status == "running"
    urgent = (
        and_(IS_HELD, zat.is_not(None)), and_(IS_HELD, zat.is_(None)), status == "provisional",
        and_(is_running, zat.is_(None)), and_(is_running, zat <= now),
    )  # fmt: skip
    by_zat = (zat.asc().nulls_last(), number)
    found: list[int] = []
    for kinds, order, place in (
        (urgent, by_zat, lambda row: (row.zat is None, row.zat or now, row.id)),
        ([and_(is_running, zat > now)], by_zat, lambda row: (row.zat, row.id)),
        ([status == one for one in game_queries.STATUSES], (number.desc(),), lambda row: -row.id),
    ):  # fmt: skip
        more = sorted(_of_each(session, kinds, order, found), key=place)
        found += [row.id for row in more[: MOST_GAMES - len(found)]]
    games = {game.id: game for game in game_queries.games_by_id(session, found)}
    return [games[game_id] for game_id in found]


def _of_each(session: Session, kinds: Iterable[Any], order: Sequence[Any], but: Sequence[int]) -> set[Any]:
    """List the first games of each kind, with their ZATs, as many as are wanted beside those of `but`.

    Each kind is a statement of its own, which an index answers in the right order. A statement for all kinds would read
    every game.
    """
    rows = select(Game.id, Game.zat).order_by(*order).limit(MOST_GAMES - len(but))
    others = rows.where(col(Game.id).not_in(but)) if but else rows
    return {row for kind in kinds for row in session.exec(others.where(kind))} if len(but) < MOST_GAMES else set()
