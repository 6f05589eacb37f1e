"""Making the pages of games that were written about, a few games between two transactions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from gm.app.recorded_rules import is_same_version
from gm.archive.game_pages.pages import game_pages
from gm.archive.program_version import program_checksum
from gm.archive.progress import NEWS, RESULTS, ask_for
from gm.archive.record import list_rows
from gm.archive.record.builder import build_minimal_record, build_record
from gm.archive.record.list_rows import ListRows
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Record, Snapshot, from_json
from gm.archive.run import Run
from gm.archive.site_folder import game_folder
from gm.game.people.site_directory import Directory, directory
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.tracebacks import described
from gm.store.tables import Game

BATCH: Final = 20
"""Games between two transactions, so that nobody who writes has to wait for a long export."""


@dataclass(frozen=True, kw_only=True)
class _Made:
    """What was made of a game and isn't written yet."""

    game_id: int
    slug: str
    pages: Mapping[str, bytes] | None
    """Its files by path; None: it keeps those that are there."""
    rows: ListRows | None = None
    """Its rows for lists, where they are to be written."""
    trouble: str = ""
    """Why not all could be made."""


def make_games(run: Run, left: Mapping[int, int | None], game_ids: Iterable[int]) -> bool:
    """Make the pages of games, of one at least; returns whether all were made. `left` has the numbers of the writes."""
    waiting = iter(game_ids)
    while some := list(islice(waiting, BATCH)):
        made = []
        with run.app.database.read() as session:
            known = directory(run.app, session)
            games = {game.id: game for game in session.exec(select(Game).where(col(Game.id).in_(some)))}
            for game_id in some:
                run.app.stop_signal.check()
                if game_id in games:  # else it was deleted meanwhile
                    made.append(_make_game(run, session, known, games[game_id]))
                if run.gives_way():
                    break
        _write(run, made, left)
        if run.gives_way():
            return False
    return True


def _make_game(run: Run, session: Session, known: Directory, game: Game) -> _Made:
    slug = known.slugs[game.id]
    loaded = LoadedGame(app=run.app, session=session, game=game, slug=slug, people=known.people)
    run.games += 1
    if game.status == "aborted" and game.turn is None:  # nothing was played, and no list names it
        return _Made(game_id=game.id, slug=slug, pages={})
    try:
        record = _as_published(run, loaded, build_record(loaded))
        return _Made(
            game_id=game.id, slug=slug, pages=game_pages(run.app.settings, record),
            rows=list_rows.make(loaded, record, program_checksum()),
        )  # fmt: skip
    except (StoreError, SQLAlchemyError):
        raise
    except Exception as error:  # noqa: BLE001  one game's trouble, whatever it is, must not keep the others
        there = _published(run, slug)
        has_rules = there is not None and there.rules_version > 0  # more than the name, for which the rules are needed
        pages = None if has_rules else game_pages(run.app.settings, build_minimal_record(loaded))
        return _Made(game_id=game.id, slug=slug, pages=pages, trouble=_sentence(game, error))


def _write(run: Run, some: Sequence[_Made], left: Mapping[int, int | None]) -> None:
    """Write what was made, and then how far the site is made.

    Which lists are due is noted before: when the pages stand, it can't be told any more.
    """
    for made in some:
        ask_for(run.progress, _lists_due(run, made, is_news=left[made.game_id] is not None))
    with run.app.database.write() as session:
        run.save(session)
        if rows := [made.rows for made in some if made.rows]:
            list_rows.write(session, rows)
    for made in some:
        _write_game(run, made)
        if (write := left[made.game_id]) is not None:
            run.progress.last_write, run.progress.last_game = write, made.game_id
    with run.app.database.write() as session:
        run.save(session)


def _write_game(run: Run, made: _Made) -> None:
    failed = {*run.progress.failed} - {made.game_id}
    if made.trouble:
        run.troubles[made.game_id] = made.trouble
        failed.add(made.game_id)
    run.progress.failed = sorted(failed)
    if made.pages is not None:
        # Pages of rounds come before those that link to them.
        for path in sorted(made.pages, key=lambda path: (-path.count("/"), path == "index.html", path)):
            run.site.put(path, made.pages[path])
        run.site.keep_only_of_game(made.slug, made.pages)


def _lists_due(run: Run, made: _Made, *, is_news: bool) -> tuple[str, ...]:
    """Name the lists that a game changes: those of results only when it begins, ends or has other people."""
    path = f"{game_folder(made.slug)}/partie.json"
    before = run.site.read(path)
    after = before if made.pages is None else made.pages.get(path)
    fails_or_is_mended = bool(made.trouble) != (made.game_id in run.progress.failed)
    if made.rows or fails_or_is_mended or (before != after and _has_other_result(from_json(before), from_json(after))):
        return (*NEWS, *RESULTS)
    return NEWS if is_news else ()


def _has_other_result(then: Record | None, now: Record | None) -> bool:
    return (now is not None and now.is_over) or _listed(then) != _listed(now)


def _listed(known: Record | None) -> object:
    """Give what lists of results show of a game that goes on; None of one that hasn't begun."""
    return None if known is None or known.status == "open" else (known.status, known.seats)


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
    """Read what the site says of a game."""
    return from_json(run.site.read(f"{game_folder(slug)}/partie.json"))


def _sentence(game: Game, error: Exception) -> str:
    if isinstance(error, OperatorError):
        return f"The pages of {game.name} can't be made anew: {error}"
    return f"The pages of {game.name} can't be made anew; a bug in gm, please report it: {described(error)}."
