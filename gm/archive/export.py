"""Writing the archive: what has changed since the last time, its pages, what lists them, and all at once in place."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from gm.app.context import App
from gm.archive import listings
from gm.archive.changes import Changes, changes
from gm.archive.edition import Edition
from gm.archive.game_pages.pages import game_pages
from gm.archive.manifest import GAMES, Damaged, Manifest, Owed
from gm.archive.record import list_rows
from gm.archive.record.builder import tell, tell_little
from gm.archive.record.list_rows import Extract
from gm.archive.record.loader import Teller
from gm.archive.record.record import mentions
from gm.archive.site_folder import Site, Staged, opened
from gm.archive.snapshot import House, is_known, is_quiet, keep_in_mind, look
from gm.archive.version_stamp import code, form
from gm.runtime.errors import ArchiveError, OperatorError, StoreError
from gm.runtime.tracebacks import described
from gm.store.queries import game_queries
from gm.store.tables import Game

BATCH: Final = 20
"""Games between two transactions: nobody who wants to write has to wait for a long export."""

UNTOLD: Final = ""
"""The stamp of a game whose pages are not what they should be: the next export tries again."""

DOING: Final = "Writing games"

Tracked = Callable[[Sequence[int], str], Iterable[int]]


@dataclass(kw_only=True)
class Exported:
    """What an export did."""

    games: int = 0
    written: int = 0
    deleted: int = 0
    finished: bool = True
    """False: its time was up, nothing is moved into place yet; the next one goes on."""
    troubles: list[str] = field(default_factory=list)
    """A sentence for each game that couldn't be told, and for each page that has no place."""


@dataclass(kw_only=True)
class _Export:
    """An export under way."""

    app: App
    site: Site
    full: bool
    in_passing: bool
    until: float
    form: str
    known: Manifest | None
    """What the site was made from; None where nobody can tell."""
    troubles: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """Folder of a game -> its id, the stamp it couldn't be told at, and a sentence."""
    told: set[int] = field(default_factory=set)
    done: Exported = field(default_factory=Exported)

    def __post_init__(self) -> None:
        trusted = self.known if self.known and self.known.form == self.form and not self.full else None
        self.trusts = trusted is not None
        self.before = trusted or Manifest()
        """What the site was made from, but empty where all is to be made anew."""

    def has_time(self) -> bool:
        """Say whether another game may be told."""
        return time.monotonic() < self.until

    @property
    def staged_as(self) -> str:
        """What pages that wait must be made by: a full export trusts no others."""
        return f"{self.form} anew" if self.full else self.form

    def is_settled(self, slug: str, stamp: str) -> bool:
        """Say whether nothing has to be done for a game any more."""
        if slug in self.troubles:
            return self.troubles[slug][1] == stamp
        return self.is_waiting(slug, stamp) or self.before.stamp(slug) == stamp

    def is_waiting(self, slug: str, stamp: str) -> bool:
        """Say whether a game's pages are made."""
        one = self.site.waiting.get(slug)
        return one is not None and (one.stamp, one.form) == (stamp, self.staged_as)

    def now(self) -> int:
        """Tell the second."""
        return int(self.app.now().timestamp())


def export(
    app: App, folder: Path, *, full: bool = False, tracked: Tracked = lambda items, _: items,
    seconds: float | None = None, in_passing: bool = False,
) -> Exported:  # fmt: skip
    """Bring the site in a folder up to date; `full` makes every page anew. Raises OperatorError.

    Only `full` takes away games that the database doesn't know.

    After `seconds` no more games are told: what is made waits, and the next export goes on with it. The site changes
    when all is there, and then as a whole. `in_passing` looks at no more than may have changed, and long lists rest.
    """
    until = time.monotonic() + seconds if seconds is not None else float("inf")
    with app.database.read() as session:
        has_secret = game_queries.meta(session, "secret") is not None
    if not has_secret:
        with app.database.write() as session:
            game_queries.secret(session)  # a look could not keep it
    with opened(folder) as site:
        run = _Export(
            app=app, site=site, full=full, in_passing=in_passing, until=until, form=form(app), known=site.manifest()
        )  # fmt: skip
        try:
            return _carried_out(run, tracked)
        except Damaged:
            return _carried_out(replace(run, known=None), tracked)


def _carried_out(run: _Export, tracked: Tracked) -> Exported:
    while not _go_on(run, tracked):
        pass
    return run.done


@dataclass(kw_only=True)
class _Told:
    """Games that were told: how many, what waits to be moved, what waits to be written into the database."""

    games: int = 0
    staged: list[Staged] = field(default_factory=list)
    extracts: list[Extract] = field(default_factory=list)


def _go_on(run: _Export, tracked: Tracked) -> bool:
    """Tell the games that have to be told. Says whether the export has ended; else it takes another look.

    Lists are made by the look at the database after which no game has to be told any more: so they name none that
    has no pages. A look tells the first games itself; without a result that lists need, one is enough for a few.
    """
    with run.app.database.read() as session:
        is_own = is_known(session, run.known.mark if run.known else "")
        follows = is_own and run.trusts and run.in_passing
        if follows and is_quiet(session) and not run.site.waiting and not _owes(run):
            return True
        house = look(run.app, session, is_known=follows, waiting=run.site.waiting)
        if not (run.full or house.is_part):
            _refuse_to_shrink(run, house)
        waiting = _waiting(run, house)
        games = iter(tracked(waiting, DOING) if waiting else ())
        told = _tell_games(run, house, session, islice(games, BATCH))
        has_ended = told.games == len(waiting) and not told.extracts
        if has_ended:
            run.site.log(told.staged)
            mark = _finish(run, house, session)
    if has_ended:
        if is_own or run.in_passing:
            keep_in_mind(run.app, house, {game_id for game_id, _, _ in run.troubles.values()}, mark)
        return True
    _keep(run, told)
    while run.has_time() and (some := list(islice(games, BATCH))):
        with run.app.database.read() as session:
            told = _tell_games(run, house, session, some)
        _keep(run, told)
    run.done.finished = run.has_time()
    return not run.done.finished


def _refuse_to_shrink(run: _Export, house: House) -> None:
    """Raise ArchiveError where the site has games that the database doesn't know: it may be another, or an older copy.

    A game that was broken off before it began is known; its page goes, as nothing was played.
    """
    lost = sorted(_games_shown(run) - set(house.slugs.values()))
    if lost:
        folder, more = run.site.folder, f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        raise ArchiveError(
            f"The archive {folder} has pages of games that aren't in the database ({', '.join(lost[:3])}{more}) and "
            "stays as it is: check [database] url, and whether an older copy was put back. "
            f"`gm archive {folder} --full` takes their pages away."
        )


def _games_shown(run: _Export) -> set[str]:
    """Name the folders of the games that the site shows; where its list is damaged, its folders tell."""
    return set(run.known.games()) if run.known else run.site.games()


def _waiting(run: _Export, house: House) -> list[int]:
    return [
        game_id for game_id, stamp in house.stamps.items()
        if not run.is_settled(house.slugs[game_id], stamp)
        or (game_id in house.unextracted and game_id not in run.told)
    ]  # fmt: skip


def _owes(run: _Export) -> bool:
    return listings.is_due(run.before.owed, run.now())


# -- games -------------------------------------------------------------------------------------------------------------


def _tell_games(run: _Export, house: House, session: Session, game_ids: Iterable[int]) -> _Told:
    """Tell some games, one at least, as long as there is time."""
    told = _Told()
    for game_id in game_ids:
        run.app.stop_signal.check()
        game = session.get(Game, game_id)
        if game is not None:  # else it has gone since
            _tell_game(run, house, session, game, told)
        told.games += 1
        if not run.has_time():
            break
    return told


def _keep(run: _Export, told: _Told) -> None:
    """Let what was told last: first the rows, as nobody tells a game again whose pages are noted."""
    if told.extracts:
        with run.app.database.write() as session:
            list_rows.keep(session, told.extracts)
    run.site.log(told.staged)


def _tell_game(run: _Export, house: House, session: Session, game: Game, told: _Told) -> None:
    slug = house.slugs[game.id]
    teller = Teller(app=run.app, session=session, game=game, slug=slug, people=house.cast.people)
    run.done.games += 1
    run.told.add(game.id)
    run.troubles.pop(slug, None)
    stamp = house.stamps[game.id]
    try:
        record = tell(teller)
        pages, extract = game_pages(run.app.settings, record), list_rows.made(teller, record, code())
    except (StoreError, SQLAlchemyError):
        raise
    except Exception as error:  # noqa: BLE001  one game's trouble, whatever it is, must not keep the others
        run.troubles[slug] = game.id, stamp, _trouble(game, error)
        if _has_pages(run, slug):
            return
        pages, extract, stamp = game_pages(run.app.settings, tell_little(teller)), None, UNTOLD
    told.extracts += [extract] if extract else []
    own = run.known.names(slug) if run.known else None
    told.staged.append(run.site.stage_game(slug, stamp, run.staged_as, pages, own))


def _trouble(game: Game, error: Exception) -> str:
    if isinstance(error, OperatorError):
        return f"The pages of {game.name} can't be made anew: {error}"
    return f"The pages of {game.name} can't be made anew; a bug in gm, please report it: {described(error)}."


def _has_pages(run: _Export, slug: str) -> bool:
    """Say whether a game that can't be told has pages worth keeping: those that tell of more than its name."""
    content = run.site.read(f"{GAMES}/{slug}/partie.json")
    try:
        return content is not None and mentions(content).rules_version > 0
    except ValidationError:
        return False


# -- all the rest ------------------------------------------------------------------------------------------------------


def _finish(run: _Export, house: House, session: Session) -> str:
    """Make what lists the games, and put everything into place. Gives the site's mark."""
    gone = [slug for slug in _unwanted(run, house) if run.before.stamp(slug) is not None]
    for slug in run.site.waiting.keys() - house.wanted.keys():
        del run.site.waiting[slug]
    if not gone and not run.troubles and _is_as_it_was(run, house):
        return run.before.mark
    after = run.site.manifest() if run.trusts else None
    after = after or Manifest(run.form)
    for slug in gone:
        after.drop(slug)
    for slug, stamp in house.wanted.items():
        if slug in run.site.waiting or slug in run.troubles or after.stamp(slug) != stamp:
            _note(run, after, slug, stamp)
    _write_listings(run, house, session, after, gone)
    written = after.written()
    lost = after.gone
    if run.known and not run.trusts:
        lost = (run.known.files() | run.known.parts()) - after.files() - after.parts()
    run.done.deleted = len(lost)
    run.done.written = run.site.commit(written, lost)
    foreign = (
        f"{run.site.folder / path} was not made by gm and stays; its page is missing until you move it away."
        for path in run.site.foreign
    )
    run.done.troubles = [*(sentence for _, _, sentence in run.troubles.values()), *foreign]
    return after.mark


def _unwanted(run: _Export, house: House) -> Iterable[str]:
    return house.unwanted if house.is_part else run.before.games().keys() - house.wanted.keys()


def _is_as_it_was(run: _Export, house: House) -> bool:
    """Say whether the site shows it all: most passes of the service find no news."""
    owes = _owes(run) if house.is_part else bool(run.before.owed.lists)
    is_same = all(run.before.stamp(slug) == stamp for slug, stamp in house.wanted.items())
    return run.trusts and not run.site.waiting and not owes and is_same


def _note(run: _Export, after: Manifest, slug: str, stamp: str) -> None:
    """Note a game's pages as they will be."""
    wanted = UNTOLD if slug in run.troubles else stamp
    if run.is_waiting(slug, wanted):
        names = run.site.waiting[slug].names
    else:
        run.site.waiting.pop(slug, None)  # made for what is no more
        names = run.known.names(slug) if run.known else run.site.names(slug) if slug in run.troubles else ()
    after.add(slug, wanted, names)


def _write_listings(run: _Export, house: House, session: Session, after: Manifest, gone: Sequence[str]) -> None:
    own, now = run.known, run.now()
    untold = {slug for slug in run.site.waiting if run.before.stamp(slug) == UNTOLD}
    changed = changes(run.site, gone, untold, run.app.settings) if run.trusts else Changes()
    edition = Edition(
        app=run.app, session=session, cast=house.cast, slugs=house.slugs, before=run.before,
        news=changed, changes=changed | listings.changes_owed(run.before.owed), untold=run.troubles.keys(),
    )  # fmt: skip
    is_part = house.is_part and changed.people is not None
    is_news = bool(run.site.waiting or gone or run.troubles)
    if not is_part:
        after.owed = Owed()
    stale = set() if is_part or changed.people is not None else run.before.pages()
    found = (
        listings.some(edition, after.owed, now, is_news=is_news, has_time=run.has_time)
        if is_part
        else listings.everything(edition)
    )
    for listing in found:
        stale.update(listing.stale)
        for page in listing.pages:
            run.app.stop_signal.check()
            is_same = run.before.page(page.path) == page.made_from
            if is_same or run.site.stage(page.path, page.content(), own):
                after.add_page(page.path, page.made_from)
                stale.discard(page.path)
    for path in stale:
        after.drop_page(path)
    if run.in_passing and not is_part:
        listings.rest(edition, after.owed, now)
