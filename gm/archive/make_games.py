"""Making the pages of games that have changed, a few games between two transactions."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from gm.app.recorded_rules import is_same_version
from gm.archive.database_state import DatabaseState
from gm.archive.game_pages.pages import game_pages
from gm.archive.manifest import game_folder
from gm.archive.program_version import program_checksum
from gm.archive.record import list_rows
from gm.archive.record.builder import build_minimal_record, build_record
from gm.archive.record.list_rows import ListRows
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Record, Snapshot, from_json, mentions
from gm.archive.run import INCOMPLETE, Failure, Run
from gm.archive.site_folder import Staged
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.tracebacks import described
from gm.store.tables import Game

BATCH: Final = 20
"""Games between two transactions, so that nobody who writes has to wait for a long export."""


def games_left(run: Run, state: DatabaseState) -> list[int]:
    """List the games whose pages, or whose rows for lists, have to be made."""
    return [
        game_id for game_id, made_from in state.fingerprints.items()
        if not run.is_up_to_date(state.slugs[game_id], made_from)
        or (game_id in state.without_list_rows and game_id not in run.made)
    ]  # fmt: skip


@dataclass(kw_only=True)
class _Made:
    """What was made of some games and isn't noted yet."""

    staged: list[Staged] = field(default_factory=list)
    rows: list[ListRows] = field(default_factory=list)


def make_games(run: Run, state: DatabaseState, game_ids: Iterable[int]) -> bool:
    """Make the pages of games, of one at least; False if it gave way to something else."""
    waiting = iter(game_ids)
    while some := list(islice(waiting, BATCH)):
        made = _Made()
        with run.app.database.read() as session:
            for game_id in some:
                run.app.stop_signal.check()
                game = session.get(Game, game_id)
                if game is not None:  # else it was deleted meanwhile
                    _make_game(run, state, session, game, made)
                if run.gives_way():
                    break
        _keep(run, made)
        if run.gives_way():
            return False
    return True


def _keep(run: Run, made: _Made) -> None:
    """Note what was made. The rows come first, as a game whose pages are noted isn't made again."""
    if made.rows:
        with run.app.database.write() as session:
            list_rows.write(session, made.rows)
    run.site.log(made.staged)


def _make_game(run: Run, state: DatabaseState, session: Session, game: Game, made: _Made) -> None:
    slug, made_from = state.slugs[game.id], state.fingerprints[game.id]
    loaded = LoadedGame(app=run.app, session=session, game=game, slug=slug, people=state.cast.people)
    run.done.games += 1
    run.made.add(game.id)
    run.failed.pop(slug, None)
    try:
        record = _as_published(run, loaded, build_record(loaded))
        pages, rows = game_pages(run.app.settings, record), list_rows.make(loaded, record, program_checksum())
    except (StoreError, SQLAlchemyError):
        raise
    except Exception as error:  # noqa: BLE001  one game's trouble, whatever it is, must not keep the others
        run.failed[slug] = Failure(game_id=game.id, made_from=made_from, sentence=_sentence(game, error))
        if _has_pages(run, slug):
            return
        pages, rows, made_from = game_pages(run.app.settings, build_minimal_record(loaded)), None, INCOMPLETE
    made.rows += [rows] if rows else []
    made.staged.append(run.site.stage_game(slug, made_from, pages))


def _as_published(run: Run, loaded: LoadedGame, record: Record) -> Record:
    """Leave the positions of a finished game as they were published, where another version of its rules is here.

    What people wrote and are called is as it is now: it may have been erased since.
    """
    if record.status != "finished" or is_same_version(loaded.engine, loaded.known[-1]):
        return record
    kept = _published(run, record.slug)
    if kept is None or kept.result is None or record.result is None:
        return record
    before = {snapshot.number: snapshot for snapshot in kept.snapshots}
    if kept.seats != record.seats or before.keys() != {snapshot.number for snapshot in record.snapshots}:
        return record
    snapshots = tuple(_with_position_of(before[snapshot.number], snapshot) for snapshot in record.snapshots)
    return replace(record, snapshots=snapshots, result=replace(record.result, words=kept.result.words))


def _with_position_of(kept: Snapshot, snapshot: Snapshot) -> Snapshot:
    return replace(
        snapshot, headline=kept.headline, parts=kept.parts, facts=kept.facts, seat_facts=kept.seat_facts
    )  # fmt: skip


def _published(run: Run, slug: str) -> Record | None:
    """Read what the site says of a game; None where it has no page, or one that can't be read any more."""
    content = run.site.read(f"{game_folder(slug)}/partie.json")
    try:
        return from_json(content) if content is not None else None
    except ValidationError:
        return None


def _sentence(game: Game, error: Exception) -> str:
    if isinstance(error, OperatorError):
        return f"The pages of {game.name} can't be made anew: {error}"
    return f"The pages of {game.name} can't be made anew; a bug in gm, please report it: {described(error)}."


def _has_pages(run: Run, slug: str) -> bool:
    """Whether a game that can't be made anew has pages worth keeping: those that show more than its name."""
    content = run.site.read(f"{game_folder(slug)}/partie.json")
    try:
        return content is not None and mentions(content).rules_version > 0
    except ValidationError:
        return False
