"""`gm upgrade --rehearse`: what an upgrade would change in the stored games, tried on a copy of the database.

The zine is only read: not even its tables are brought up to date. Of an SQLite file the copy is complete, and is
brought up to date as the zine will be. Of a database on a server only what a replay needs is copied, into an SQLite
file.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, select

from gm.app.context import App, open_app
from gm.game import gm_visibility
from gm.game.position import position
from gm.game.rule_changes.comparison import Change, compare, present, recorded
from gm.runtime.config.settings import Settings
from gm.runtime.errors import OperatorError, StoreError
from gm.store import relocation_copy, relocation_marks
from gm.store.backup import back_up, draft_folder
from gm.store.database import Database
from gm.store.error_sentences import missing_sentence
from gm.store.queries import game_queries, seat_queries
from gm.store.schema import refuse_unknown, schema_version, upgrade
from gm.store.tables import Game, Player, Turn

Tracked = Callable[[Sequence[int], str], Iterable[int]]

_COPIED: Final = ("meta", "player", "game", "seat", "turn", "ruling", "archived_game", "archived_score")
"""What a replay needs, in the order in which it can be written."""
_NAME: Final = "upgrade-rehearsal.db"


@dataclass(frozen=True, kw_only=True)
class RehearsedGame:
    """A game in which something would come out otherwise."""

    game: str
    kind: str
    status: str
    unit: str
    change: Change
    names: dict[int, str]
    """Who has or had each seat last."""

    @property
    def waits(self) -> bool:
        """Whether the GM has to agree before it goes on."""
        return self.change.is_result and self.status in ("running", "provisional")


@dataclass(frozen=True, kw_only=True)
class UpgradeRehearsal:
    """What came of replaying the stored games."""

    replayed: int
    same: int
    """How many games weren't replayed: the rules and words that made them are those that are here."""
    changed: Sequence[RehearsedGame]
    unreadable: Sequence[tuple[str, str]]
    """Games that can't be replayed here at all, each with the reason."""

    @property
    def is_without_change(self) -> bool:
        """Whether everything comes out as it was."""
        return not (self.changed or self.unreadable)


def rehearse(settings: Settings, *, now: datetime, name: str = "", tracked: Tracked) -> UpgradeRehearsal:
    """Replay the stored games, or the one of this name, on a copy. Raises Refused, Moved, StoreError."""
    with _copied(settings, now) as app:
        with app.database.read() as session:
            chosen = [game_queries.named(session, name)] if name else game_queries.games(session)
            ids = [game.id for game in chosen if game.turn is not None]
        changed, unreadable, same = list[RehearsedGame](), list[tuple[str, str]](), 0
        for game_id in tracked(ids, "Replaying"):
            with app.database.read() as session:
                game = session.get_one(Game, game_id)
                try:
                    if not _is_concerned(app, session, game):
                        same += 1
                        continue
                    position(app, session, game)
                    if change := compare(app, session, game):
                        changed.append(_rehearsed(app, session, game, change))
                except OperatorError as error:
                    unreadable.append((game.name, str(error)))
    return UpgradeRehearsal(replayed=len(ids) - same, same=same, changed=changed, unreadable=unreadable)


def _is_concerned(app: App, session: Session, game: Game) -> bool:
    """Check whether other rules or words than those that are here have made a step. Positions aren't read for that."""
    engine = app.engine(game.engine)
    columns = (col(Turn.rules_version), col(Turn.made_by), col(Turn.words))
    rows = select(*columns).where(Turn.game_id == game.id, col(Turn.undone_at).is_(None)).distinct()
    return any(recorded(*row) != present(app, engine) for row in session.exec(rows))


def _rehearsed(app: App, session: Session, game: Game, change: Change) -> RehearsedGame:
    names = {seat.number: session.get_one(Player, seat.player_id).name for seat in seat_queries.holders(session, game)}
    unit = app.engine(game.engine).rules.unit
    return RehearsedGame(
        game=game.name, kind=game.engine, status=game.status, unit=unit, names=names,
        change=gm_visibility.shown_change(app, session, game, change),
    )  # fmt: skip


def described(rehearsed: RehearsedGame) -> dict[str, Any]:
    """Describe a game as plain JSON."""
    change = rehearsed.change
    return {
        "game": rehearsed.game, "kind": rehearsed.kind, "status": rehearsed.status, "waits": rehearsed.waits,
        "counted": rehearsed.unit, "first": change.round, "turn": change.step, "result": change.is_result,
        "seats": [
            {"seat": one.seat, "player": rehearsed.names.get(one.seat, ""), "before": one.before, "now": one.now}
            for one in change.points
        ],
        "words": [{"word": one.word, "before": one.before, "now": one.now} for one in change.words],
        "fault": change.fault or None,
    }  # fmt: skip


# -- the copy ----------------------------------------------------------------------------------------------------------


@contextmanager
def _copied(settings: Settings, now: datetime) -> Iterator[App]:
    """Open a copy of the zine that is gone afterwards, with the tables of this version."""
    url = settings.database.url
    place = Path(url.removeprefix("sqlite:///")).parent if url.startswith("sqlite") else settings.folder
    with draft_folder(place / _NAME) as folder:
        copy = folder / _NAME
        if url.startswith("sqlite"):
            back_up(url, copy, now=now, force=False)
        else:
            _copy_from_server(url, copy)
        there = settings.database.model_copy(update={"url": f"sqlite:///{copy}"})
        with closing(open_app(settings.model_copy(update={"database": there}))) as app:
            yield app


def _copy_from_server(url: str, copy: Path) -> None:
    """Copy what a replay needs, whichever version's tables it stands in. What these lack gets its default."""
    copy.touch(0o600)
    with closing(Database(url)) as source, closing(Database(f"sqlite:///{copy}")) as target, source.read() as here:
        version = schema_version(here)
        if version is None:
            raise StoreError(missing_sentence(url))
        refuse_unknown(version, f"The database {source.place}")
        relocation_marks.refuse_if_moved(here, url)
        relocation_copy.without_idle_limit(here)
        with target.errors_as_sentences():
            upgrade(target.engine, str(copy))
        with target.write() as there:
            for name in _COPIED:
                _copy_table(here, there, SQLModel.metadata.tables[name])


def _copy_table(here: Session, there: Session, table: sa.Table) -> None:
    """Copy the columns that both sides have."""
    known = {one["name"] for one in sa.inspect(here.connection()).get_columns(table.name)}
    both = sa.Table(
        table.name, sa.MetaData(),
        *(sa.Column(one.name, one.type, primary_key=one.primary_key) for one in table.columns if one.name in known),
    )  # fmt: skip
    for rows in relocation_copy.read_rows(here, both):
        relocation_copy.insert_rows(there, both, rows)
