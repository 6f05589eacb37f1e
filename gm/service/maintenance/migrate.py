"""A zine moves to another database, while the service may run: nothing is lost, counted twice or sent twice.

In this order, so that a process may die anywhere: the new database is marked as one that a zine is arriving in; the
old one is held in a transaction, in which nobody else writes; all rows go over, are compared, and every game is
replayed, in one transaction of the new database; the old one is marked as left, which decides; the new one's mark goes.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from gm.app.context import App, open_app
from gm.game.replay import verify
from gm.runtime.clock import TOLERANCE
from gm.runtime.config.settings import Settings
from gm.runtime.config.values import A_DATABASE, database_url
from gm.runtime.errors import Moved, OperatorError, Refused, StoreError
from gm.runtime.redaction import masked, without_password
from gm.runtime.tracebacks import described
from gm.service.outbound.delivery import LEASE
from gm.store import relocation_copy, relocation_marks
from gm.store.database import Database
from gm.store.tables import Game, MailOut

TELL_SECONDS: Final = 10.0
"""How often a long table says how far it is."""
LONGEST_WAIT: Final = LEASE + timedelta(minutes=1)
"""How long to wait for mails that are being sent: a lease of a process that died ends by itself."""

Tell = Callable[[str], None]


def migrate(settings: Settings, url: str, *, tell: Tell, replaces_nul: bool = False) -> tuple[str, str]:
    """Move the zine to the database of this URL; names both, without passwords. Raises Refused, StoreError.

    After an error the zine is where it was; a move whose process died when the zine had left is ended.
    """
    here, there = settings.database.url, _checked(url, settings)
    names = (relocation_marks.place(here), url if there.startswith("sqlite") else relocation_marks.place(there))
    if names[0] == relocation_marks.place(there) or _is_one_file(here, there):
        raise Refused(f"{names[0]} is the database itself; name another one.")
    if _is_missing(here):
        raise Refused(f"There is no database {names[0]} yet; nothing to move.")
    with closing(Database(there)) as target:
        try:
            app = open_app(settings)
        except Moved:
            if not _is_ended(here, target):
                raise
            return names
        with closing(app):
            _move(app, target, tell, replaces_nul)
    return names


def _look_again(source: Database, target: Database, mark: relocation_marks.Mark) -> None:
    """Make sure that both are still where they were: a file that was taken away takes what is written all the same."""
    with source.read():
        pass
    with target.read() as session:
        if relocation_marks.marks(session).get(relocation_marks.ARRIVING) != mark:
            raise StoreError(f"{relocation_marks.place(target.url)} is another database by now; nothing was moved.")


def _checked(url: str, settings: Settings) -> str:
    try:
        return database_url(url, settings.path.parent)
    except ValueError:
        said = masked(without_password(url))
        raise Refused(f"{said!r} is no database to move to; allowed is {A_DATABASE}.") from None


def _is_missing(url: str) -> bool:
    """Say whether it is a file that isn't there: a look would make an empty one."""
    return url.startswith("sqlite") and not Path(url.removeprefix("sqlite:///")).exists()


def _is_one_file(here: str, there: str) -> bool:
    """Say whether two URLs name one file: SQLite must not open it by both, as each would have a log of its own."""
    if not (here.startswith("sqlite") and there.startswith("sqlite")) or _is_missing(here) or _is_missing(there):
        return False
    return Path(here.removeprefix("sqlite:///")).samefile(there.removeprefix("sqlite:///"))


def _is_ended(source: str, target: Database) -> bool:
    """End a move whose process died when the zine had left; False where this is not where it went."""
    if _is_missing(target.url):
        return False
    with target.read() as session:
        if not sa.inspect(session.connection()).has_table("meta"):
            return False
        mark = relocation_marks.marks(session).get(relocation_marks.ARRIVING)
    return mark is not None and relocation_marks.arrive(target, mark, source)


def _move(app: App, target: Database, tell: Tell, replaces_nul: bool) -> None:
    source = app.database
    mark = relocation_marks.Mark(
        id=secrets.token_hex(8), place=relocation_marks.place(source.url), at=app.now().isoformat()
    )
    gone = replace(mark, place=relocation_marks.place(target.url))
    relocation_copy.refuse_unless_free(target)
    _make_ready(target, mark)
    _refuse_itself(source, target)
    with _held(app, tell) as here:
        if left := relocation_marks.marks(here).get(relocation_marks.MOVED):
            raise Moved(relocation_marks.sentence(mark.place, left))
        with target.write() as there:
            if relocation_marks.marks(there).get(relocation_marks.ARRIVING) != mark:
                raise Refused(f"Another `gm migrate` to {gone.place} is under way; nothing was moved.")
            _Move(app, here, there, tell, replaces_nul).all()
            relocation_marks.write(there, relocation_marks.ARRIVING, mark)
        _look_again(source, target, mark)
        relocation_marks.leave(here, source.url, gone)
    if not relocation_marks.arrive(target, mark, source.url):
        raise StoreError(f"The zine has moved, but {gone.place} doesn't know yet: say `gm migrate` once more.")


def _refuse_itself(source: Database, target: Database) -> None:
    """Find out that the new database is the old one by another name: an empty one, else it had been refused."""
    with source.read() as session:
        is_itself = relocation_marks.ARRIVING in relocation_marks.marks(session)
    if is_itself:
        relocation_marks.end(target)
        raise Refused(f"{relocation_marks.place(target.url)} is the database itself; name another one.")


def _make_ready(target: Database, mark: relocation_marks.Mark) -> None:
    """Let the new database have the schema, our eyes only, and nobody take it for a zine."""
    target.prepare(is_target=True)
    if not target.is_shared:
        Path(target.engine.url.database or "").chmod(0o600)
    with target.write() as session:
        relocation_marks.write(session, relocation_marks.ARRIVING, mark)


@contextmanager
def _held(app: App, tell: Tell) -> Iterator[Session]:
    """Hold the zine at a moment at which nobody sends: what became of such a mail could not be noted any more."""
    until, is_said = time.monotonic() + LONGEST_WAIT.total_seconds(), False
    while True:
        with app.database.write() as session:
            if not (number := _being_sent(app, session)):
                relocation_copy.hold(session)
                yield session
                return
        if time.monotonic() > until:
            raise Refused(f"{number} mails are still being sent; end `gm serve`, then try again.")
        if not is_said:
            tell(f"Waiting until {number} mails are sent that a service has taken to send ...")
        is_said = True
        time.sleep(0.2)


def _being_sent(app: App, session: Session) -> int:
    now, lease = app.now(), col(MailOut.lease_until)
    rows = select(func.count(col(MailOut.id))).where(
        MailOut.status == "queued", lease > now, lease <= now + LEASE + TOLERANCE
    )
    return session.exec(rows).one()


class _Move:
    """All that happens while both databases are held."""

    def __init__(self, app: App, here: Session, there: Session, tell: Tell, replaces_nul: bool) -> None:
        self._app, self._here, self._there = app, here, there
        self._tell, self._replaces_nul = tell, replaces_nul
        self._replaced: list[str] = []

    def all(self) -> None:
        """Copy, compare, replay. Raises StoreError, Refused."""
        relocation_copy.hold(self._there)
        relocation_copy.clear(self._there)
        sums = {table.name: self._copy(table) for table in relocation_copy.tables()}
        if self._replaced:
            self._tell(
                f"{len(self._replaced)} texts held a NUL; '{relocation_copy.NUL_SAYS}' stands there now: "
                + _few(self._replaced)
            )
        relocation_copy.go_on_behind(self._there)
        for table in relocation_copy.tables():
            self._compare(table, sums[table.name])
        self._tell(f"All {sum(found.rows for found in sums.values()):,} rows are the same on both sides.")
        self._replay()

    def _copy(self, table: sa.Table) -> relocation_copy.Sum:
        total, found, clock = self._count(table), relocation_copy.Sum(), _Clock(self._tell)
        for rows in self._read(table):
            rows = self._fitting(table, rows)
            relocation_copy.write(self._there, table, rows)
            found.add(rows)
            clock.tell(f"{table.name}: {found.rows:,} of {total:,} rows")
        if found.rows != total:
            raise StoreError(f"Of {table.name} {total} rows were to be read, {found.rows} came; nothing was moved.")
        if total:
            self._tell(f"{table.name}: {total:,} rows{clock.pace(total)}")
        return found

    def _count(self, table: sa.Table) -> int:
        with self._app.database.telling():
            return relocation_copy.count(self._here, table)

    def _read(self, table: sa.Table) -> Iterator[Sequence[relocation_copy.Row]]:
        """Read portions; what is wrong with reading is the old database's."""
        portions = relocation_copy.portions(self._here, table)
        while True:
            with self._app.database.telling():
                rows = next(portions, None)
            if rows is None:
                return
            yield rows

    def _fitting(self, table: sa.Table, rows: Sequence[relocation_copy.Row]) -> Sequence[relocation_copy.Row]:
        """Look for what the new database can't hold."""
        if self._there.get_bind().dialect.name != "postgresql" or not (found := relocation_copy.nuls(table, rows)):
            return rows
        if not self._replaces_nul:
            raise Refused(
                f"PostgreSQL can't hold the NUL in these texts and perhaps others: {_few(found)}. With --replace-nul "
                f"'{relocation_copy.NUL_SAYS}' stands there instead; the mails themselves keep every byte. "
                "Nothing was moved."
            )
        self._replaced += found
        return relocation_copy.without_nuls(rows)

    def _compare(self, table: sa.Table, expected: relocation_copy.Sum) -> None:
        found = relocation_copy.Sum()
        for rows in relocation_copy.portions(self._there, table):
            found.add(rows)
            self._keep_up()
        if found != expected:
            raise StoreError(
                f"{table.name} is another one in the new database ({found.rows} rows, {expected.rows} were written): "
                "nothing was moved. This is a bug, please report it."
            )

    def _replay(self) -> None:
        """Replay every game there; what can't be replayed here either is no fault of the move."""
        ids, clock, faulty = self._there.exec(select(Game.id).order_by(col(Game.id))).all(), _Clock(self._tell), []
        for number, game_id in enumerate(ids):
            clock.tell(f"replaying: {number:,} of {len(ids):,} games")
            if found := _faults(self._app, self._there, game_id):
                with self._app.database.telling():
                    name, before = self._here.get_one(Game, game_id).name, _faults(self._app, self._here, game_id)
                if found != before:
                    raise StoreError(f"{name} can't be replayed from the new database: {found[0]}; nothing was moved.")
                faulty.append(f"{name} ({found[0]})")
            self._keep_up()
        self._tell(f"{len(ids) - len(faulty):,} games were replayed there and lead to the same{clock.pace(len(ids))}.")
        if faulty:
            self._tell(f"As little as before the move can be replayed: {_few(faulty)}")

    def _keep_up(self) -> None:
        """Keep the old database waiting for us."""
        with self._app.database.telling():
            relocation_copy.hold(self._here)


def _faults(app: App, session: Session, game_id: int) -> list[str]:
    try:
        return verify(app, session, session.get_one(Game, game_id))
    except SQLAlchemyError:
        raise
    except OperatorError as error:
        return [str(error)]
    except Exception as error:  # noqa: BLE001  a game whose rules fail is no reason to stay
        return [described(error)]
    finally:
        session.expunge_all()
        session.info.clear()


def _few(names: Sequence[str]) -> str:
    return "; ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


class _Clock:
    """Says now and then how far something is, and at the end how fast it went."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._began = self._told = time.monotonic()

    def tell(self, line: str) -> None:
        """Say it if it is time to."""
        if time.monotonic() - self._told >= TELL_SECONDS:
            self._told = time.monotonic()
            self._tell(f"  {line}")

    def pace(self, number: int) -> str:
        """Give how many a second it were, where it took long enough to matter."""
        seconds = time.monotonic() - self._began
        return f", {number / seconds:,.0f} a second" if seconds >= 1 else ""
