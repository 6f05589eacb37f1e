"""Writing the archive: the pages of games that have changed, the lists of games, then all of it into place at once."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.archive.database_state import DatabaseState, is_last_shown, note_shown, read_state
from gm.archive.manifest import Changes, Damaged, game_folder
from gm.archive.program_version import site_version
from gm.archive.record.fingerprints import changed_games
from gm.archive.run import INCOMPLETE, Exported, Run
from gm.archive.site_folder import Site, opened
from gm.runtime.errors import ArchiveError

DOING: Final = "Writing games"

Tracked = Callable[[Sequence[int], str], Iterable[int]]


def export(
    app: App, folder: Path, *, full: bool = False, tracked: Tracked = lambda items, _: items,
    gives_way: Callable[[], bool] = lambda: False, in_passing: bool = False, shown: str | None = None,
) -> Exported:  # fmt: skip
    """Bring the site in a folder up to date; `full` makes every page anew. Raises OperatorError.

    Only `full` deletes games that the database doesn't know.

    When it `gives_way` no more games are made: those that are stay staged, and the next export goes on. The site
    changes when everything is there, and all at once. `in_passing` looks only at games that have changed, where that is
    enough, and lets long lists rest. `shown` is the site that shows all games, where the caller knows that none has
    changed: if it is this one, the database needn't be asked.
    """
    version = site_version(app)
    # What waits of a full export was made anew: no other export has made the same.
    with opened(folder, f"{version} anew" if full else version) as site:

        def begun() -> Run:
            return Run(app=app, site=site, version=version, full=full, in_passing=in_passing, gives_way=gives_way)

        try:
            run = begun()
            return run.done if shown and _is_at_rest(run, shown) else _carried_out(run, tracked)
        except Damaged:
            site.give_up_manifest()
            return _carried_out(begun(), tracked)


def _carried_out(run: Run, tracked: Tracked) -> Exported:
    """Make the pages of changed games until none is left, then the lists.

    The transaction that finds no game left makes the lists, so they name no game without pages.
    """
    while True:
        with run.app.database.read() as session:
            is_known = is_last_shown(session, run.site.manifest.mark if run.site.manifest else "")
            looks_at_part = is_known and run.is_trusted and run.in_passing
            if looks_at_part and not (changed_games(session) or run.site.staged or _has_due_lists(run)):
                return run.done
            # What makes pages takes a tenth of a second to import, and few passes make any.
            from gm.archive.make_games import games_left, make_games

            state = read_state(run.app, session, is_known=looks_at_part, waiting=run.site.staged)
            if not (run.full or state.is_part):
                _refuse_to_shrink(run, state)
            left = games_left(run, state)
            if not left:
                mark = _finish(run, state, session)
                break
        if not make_games(run, state, tracked(left, DOING)):
            run.done.finished = False
            return run.done
    if is_known or run.in_passing:
        note_shown(run.app, state, {failure.game_id for failure in run.failed.values()}, mark)
    return run.done


def _is_at_rest(run: Run, shown: str) -> bool:
    """Whether a site is this one, and nothing is to be made."""
    known = run.site.manifest
    is_this_one = known is not None and known.mark == shown
    return is_this_one and run.is_trusted and not run.site.staged and not _has_due_lists(run)


def _has_due_lists(run: Run) -> bool:
    return run.manifest.long_lists.are_due(run.now())


def _refuse_to_shrink(run: Run, state: DatabaseState) -> None:
    """Raise ArchiveError if the site has games that the database doesn't know: it may be another one, or an older copy.

    A game that was broken off before it began is known: its page goes, as nothing was played.
    """
    known = run.site.manifest
    shown = set(known.games()) if known else run.site.games()
    lost = sorted(shown - set(state.slugs.values()))
    if lost:
        folder, more = run.site.folder, f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        raise ArchiveError(
            f"The archive {folder} has pages of games that aren't in the database ({', '.join(lost[:3])}{more}) and "
            "stays as it is: check [database] url, and whether an older copy was put back. "
            f"`gm archive {folder} --full` takes their pages away."
        )


def _finish(run: Run, state: DatabaseState, session: Session) -> str:
    """Make what lists the games, and move everything into place. Gives the manifest's checksum."""
    from gm.archive.changes import changes  # as above
    from gm.archive.list_context import ListContext
    from gm.archive.make_lists import make_lists

    gone = [slug for slug in _without_pages(run, state) if run.manifest.game(slug) is not None]
    _forget_outdated(run, state)
    if not gone and not run.failed and _is_as_it_was(run, state):
        run.site.clear_staging()
        return run.manifest.mark
    incomplete = {slug for slug in run.site.staged if run.manifest.game(slug) == INCOMPLETE}
    changed = changes(run.site, gone, incomplete, run.app.settings) if run.is_trusted else Changes()
    _note_games(run, gone)
    waiting = run.manifest.long_lists.changes
    context = ListContext(
        app=run.app, session=session, cast=state.cast, slugs=state.slugs, manifest=run.manifest,
        changed_people=changed.people, changes=changed | waiting if waiting else changed, failed=run.failed.keys(),
        read=run.site.read_of_game,
    )  # fmt: skip
    is_part = state.is_part and changed.people is not None
    make_lists(run, context, everything=not is_part, has_news=bool(run.site.staged or gone or run.failed))
    _move_into_place(run)
    return run.manifest.mark


def _without_pages(run: Run, state: DatabaseState) -> Iterable[str]:
    return state.without_pages if state.is_part else run.manifest.games().keys() - state.wanted.keys()


def _forget_outdated(run: Run, state: DatabaseState) -> None:
    """Forget staged games that have changed since an earlier process has made them."""
    for slug, game in list(run.site.staged.items()):
        if game.made_from != (INCOMPLETE if slug in run.failed else state.wanted.get(slug)):
            del run.site.staged[slug]


def _is_as_it_was(run: Run, state: DatabaseState) -> bool:
    """Whether the site shows everything: most passes of the service find no news."""
    lists = run.manifest.long_lists
    is_due = lists.are_due(run.now()) if state.is_part else lists.changes is not None
    return run.is_trusted and not run.site.staged and not is_due


def _note_games(run: Run, gone: Iterable[str]) -> None:
    for slug in gone:
        run.manifest.note_game(slug, "", ())
    for game in run.site.staged.values():
        run.manifest.note_game(game.slug, game.made_from, game.names)
    for slug in run.failed.keys() - run.site.staged.keys():
        run.manifest.note_game(slug, INCOMPLETE, _names(run.site, slug))


def _names(site: Site, slug: str) -> Iterable[str]:
    """List the files of a game that keeps its pages."""
    if site.manifest is None:
        return site.names(slug)
    folder = game_folder(slug)
    return [path.removeprefix(f"{folder}/") for path in site.manifest.files_in(folder)]


def _move_into_place(run: Run) -> None:
    notes, gone = run.manifest.written(), run.manifest.gone
    if run.site.manifest and not run.is_trusted:
        before = run.site.manifest
        gone = (before.files() | before.parts()) - run.manifest.files() - run.manifest.parts()
    run.done.deleted = len(gone)
    run.done.written = run.site.commit(notes, gone)
    foreign = (
        f"{run.site.folder / path} was not made by gm and stays; its page is missing until you move it away."
        for path in run.site.foreign
    )
    run.done.troubles = [*(failure.sentence for failure in run.failed.values()), *foreign]
