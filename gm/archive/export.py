"""Writing the archive: the pages of the games that were written about, then the lists that name them.

Each file is written by itself, and only if its bytes differ. The database knows up to which write a site shows the
games and which lists are due (gm/archive/progress.py). That moves on when the files stand, so an export that ends
anywhere is taken up by the next one.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.app.context import App
from gm.archive import progress
from gm.archive.program_version import site_version
from gm.archive.progress import Stamp, digest
from gm.archive.run import Exported, Run
from gm.archive.site_folder import Site, opened
from gm.game.people.site_directory import directory
from gm.runtime.errors import ArchiveError
from gm.store.queries import zine_queries
from gm.store.tables import Game

DOING: Final = "Writing games"

Tracked = Callable[[Sequence[int], str], Iterable[int]]


def export(
    app: App, folder: Path, *, full: bool = False, tracked: Tracked = lambda items, _: items,
    gives_way: Callable[[], bool] = lambda: False,
) -> Exported:  # fmt: skip
    """Bring the site in a folder up to date; `full` makes every page anew. Raises OperatorError.

    Only `full` removes the pages of more than one game that the database doesn't know. When it `gives_way`, no more
    than one game or page is made, and the next export goes on.
    """
    with opened(folder) as site:
        run = _begin(app, site, full=full, gives_way=gives_way)
        is_done = _carry_out(run, tracked)
        return Exported(
            games=run.games, written=site.written, deleted=site.deleted, finished=is_done,
            troubles=[*run.troubles.values(), *_unknown(run)],
        )  # fmt: skip


def _begin(app: App, site: Site, *, full: bool, gives_way: Callable[[], bool]) -> Run:
    """Find how far a site is made; where nobody can say, or with another program, it is made anew.

    Raises ArchiveError.
    """
    program = site_version(app)
    with app.database.read() as session:
        here = zine_queries.zine(session)
        zine = digest(here.former[0] if here.former else here.incarnation)
        if site.stamp and site.stamp.zine != zine and not full:
            raise ArchiveError(
                f"The archive {site.folder} is another zine's and stays as it is: check [database] url, or name "
                f"another folder. `gm archive {site.folder} --full` makes it this zine's."
            )
        known = progress.progress_of(session, site.stamp)
        is_anew = full or known is None or known.program != program
        if is_anew and not full:
            _refuse_to_shrink(app, session, site)
    run = Run(app=app, site=site, progress=known or progress.begin(), full=full, gives_way=gives_way)
    if is_anew:
        progress.make_anew(run.progress, program)
        with app.database.write() as session:
            run.save(session)
    if known is None:
        site.put_stamp(Stamp(zine=zine, mark=run.progress.mark))
    site.next_stamp = Stamp(zine=zine, mark=run.progress.next_mark)
    return run


def _refuse_to_shrink(app: App, session: Session, site: Site) -> None:
    """Raise ArchiveError if a site has games that the database doesn't know: it may be an older copy, or another one.

    A single game may have been taken out of the database.
    """
    lost = sorted(site.games() - set(directory(app, session).slugs.values()))
    if len(lost) > 1:
        raise ArchiveError(
            f"The archive {site.folder} has pages of games that aren't in the database ({_listed(lost)}) and stays as "
            "it is: check [database] url, and whether an older copy was put back. "
            f"`gm archive {site.folder} --full` takes their pages away."
        )


def _listed(slugs: Sequence[str]) -> str:
    return ", ".join(slugs[:3]) + (f" and {len(slugs) - 3} more" if len(slugs) > 3 else "")


def _carry_out(run: Run, tracked: Tracked) -> bool:
    """Make the pages of games until none is left, then the lists. Returns whether all is made.

    The transaction that finds no game left makes the lists, so they name no game without pages.
    """
    while True:
        with run.app.database.read() as session:
            left = _games_left(session, run)
            if not left and not run.progress.due:
                return True
            # What makes pages takes a tenth of a second to import, and few passes make any.
            from gm.archive.make_games import make_games
            from gm.archive.make_lists import make_lists

            is_done = not left and make_lists(run, session)
        if not left:
            with run.app.database.write() as session:
                run.save(session)
            return is_done
        if not make_games(run, left, tracked([*left], DOING)):
            return False


_AS_SHOWN: Final = sa.tuple_(sa.bindparam("write"), sa.bindparam("game"))
_WRITTEN: Final = (
    sa.select(col(Game.id), col(Game.last_write))
    .where(sa.tuple_(col(Game.last_write), col(Game.id)) > _AS_SHOWN)
    .order_by(col(Game.last_write), col(Game.id))
)  # fmt: skip
_AMONG: Final = sa.select(col(Game.id)).where(col(Game.id).in_(sa.bindparam("ids", expanding=True)))


def _games_left(session: Session, run: Run) -> dict[int, int | None]:
    """List the games that were written about, by the number of the write; None: the last export has failed with it."""
    rows = session.connection().execute(_WRITTEN, {"write": run.progress.last_write, "game": run.progress.last_game})
    written: dict[int, int | None] = dict(iter(rows))
    failed = {*run.progress.failed} - run.troubles.keys()
    again = session.connection().scalars(_AMONG, {"ids": sorted(failed)}) if failed else ()
    return {**dict.fromkeys(again), **written}


def _unknown(run: Run) -> list[str]:
    """Say which games keep their pages though the database doesn't know them."""
    if not run.unknown:
        return []
    folder = run.site.folder
    return [
        f"The archive {folder} keeps pages of games that aren't in the database ({_listed(run.unknown)}); "
        f"`gm archive {folder} --full` takes them away."
    ]
