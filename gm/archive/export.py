"""Writing the archive: what has changed since the last time, its pages, what lists them, and all at once in place."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from gm.app import App
from gm.archive import extracts
from gm.archive.changes import changes
from gm.archive.edition import Edition, Listing
from gm.archive.extracts import Extract
from gm.archive.forms import code, form
from gm.archive.game.pages import game_pages
from gm.archive.lists import deadlines, figures, gamelists, hall, machine, persons, register, rules, start
from gm.archive.manifest import GAMES, Manifest
from gm.archive.names import Person, game_slugs, shown_names
from gm.archive.record import mentions
from gm.archive.site import Site, Staged, opened
from gm.archive.stamps import stamps, without_extract
from gm.archive.teller import Teller
from gm.archive.telling import tell, tell_little
from gm.bugs import described
from gm.errors import OperatorError, StoreError
from gm.store import queries
from gm.store.tables import Game

LISTINGS: Final[tuple[Callable[[Edition], Listing], ...]] = (
    start.listing, gamelists.listing, persons.listing, hall.listing, register.words, register.struck, figures.listing,
    rules.listing, machine.listing, deadlines.listing,
)  # fmt: skip
"""All pages that are about more than one game."""

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


@dataclass(frozen=True, kw_only=True)
class _House:
    """People and games as they are now."""

    people: dict[int, Person]
    slugs: dict[int, str]
    stamps: dict[int, str]
    unextracted: set[int]

    @cached_property
    def wanted(self) -> dict[str, str]:
        """What the site shall hold: folders of games with their stamps."""
        return {self.slugs[game_id]: stamp for game_id, stamp in self.stamps.items()}


@dataclass(kw_only=True)
class _Export:
    """An export under way."""

    app: App
    site: Site
    full: bool
    until: float
    known: Manifest | None
    """What the site was made from; None where nobody can tell."""
    before: Manifest
    """The same, but empty where all is to be made anew."""
    form: str
    troubles: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Folder of a game -> the stamp it couldn't be told at, and a sentence."""
    told: set[int] = field(default_factory=set)
    done: Exported = field(default_factory=Exported)

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
            return self.troubles[slug][0] == stamp
        return self.is_waiting(slug, stamp) or self.before.games.get(slug) == stamp

    def is_waiting(self, slug: str, stamp: str) -> bool:
        """Say whether a game's pages are made."""
        one = self.site.waiting.get(slug)
        return one is not None and (one.stamp, one.form) == (stamp, self.staged_as)


def export(
    app: App, folder: Path, *, full: bool = False, tracked: Tracked = lambda items, _: items,
    seconds: float | None = None,
) -> Exported:  # fmt: skip
    """Bring the site in a folder up to date; `full` makes every page anew. Raises OperatorError.

    After `seconds` no more games are told: what is made waits, and the next export goes on with it. The site changes
    when all is there, and then as a whole.
    """
    until = time.monotonic() + seconds if seconds is not None else float("inf")
    with app.database.write() as session:
        queries.secret(session)  # drawn now if never before: a look could not keep it
    with opened(folder) as site:
        made_by, known = form(app), site.manifest()
        trusted = known if known and known.form == made_by and not full else Manifest()
        run = _Export(app=app, site=site, full=full, until=until, known=known, before=trusted, form=made_by)
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
        house = _look(run, session)
        waiting = _waiting(run, house)
        if not waiting and _is_as_it_was(run, house):
            return True
        games = iter(tracked(waiting, DOING))
        told = _tell_games(run, house, session, islice(games, BATCH))
        if told.games == len(waiting) and not told.extracts:
            run.site.log(told.staged)
            _finish(run, house, session)
            return True
    _keep(run, told)
    while run.has_time() and (some := list(islice(games, BATCH))):
        with run.app.database.read() as session:
            told = _tell_games(run, house, session, some)
        _keep(run, told)
    run.done.finished = run.has_time()
    return not run.done.finished


def _look(run: _Export, session: Session) -> _House:
    people, slugs = dict(shown_names(session, run.app.settings)), dict(game_slugs(session))
    return _House(
        people=people, slugs=slugs, stamps=stamps(session, people, slugs), unextracted=without_extract(session, code())
    )


def _waiting(run: _Export, house: _House) -> list[int]:
    return [
        game_id for game_id, stamp in house.stamps.items()
        if not run.is_settled(house.slugs[game_id], stamp)
        or (game_id in house.unextracted and game_id not in run.told)
    ]  # fmt: skip


def _is_as_it_was(run: _Export, house: _House) -> bool:
    """Say whether the site shows it all: most passes of the service find no news."""
    return bool(run.before.form) and not run.site.waiting and run.before.games == house.wanted


# -- games -------------------------------------------------------------------------------------------------------------


def _tell_games(run: _Export, house: _House, session: Session, game_ids: Iterable[int]) -> _Told:
    """Tell some games, one at least, as long as there is time."""
    told = _Told()
    for game_id in game_ids:
        run.app.pulse.beat()
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
            extracts.keep(session, told.extracts)
    run.site.log(told.staged)


def _tell_game(run: _Export, house: _House, session: Session, game: Game, told: _Told) -> None:
    slug = house.slugs[game.id]
    teller = Teller(app=run.app, session=session, game=game, slug=slug, people=house.people)
    run.done.games += 1
    run.told.add(game.id)
    run.troubles.pop(slug, None)
    stamp = house.stamps[game.id]
    try:
        record = tell(teller)
        pages, extract = game_pages(run.app.settings, record), extracts.made(teller, record, code())
    except (StoreError, SQLAlchemyError):
        raise
    except Exception as error:  # noqa: BLE001  one game's trouble, whatever it is, must not keep the others
        run.troubles[slug] = stamp, _trouble(game, error)
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


def _finish(run: _Export, house: _House, session: Session) -> None:
    """Make what lists the games, and put everything into place."""
    after = Manifest(form=run.form)
    for slug, stamp in house.wanted.items():
        _note(run, after, slug, stamp)
    for slug in run.site.waiting.keys() - house.wanted.keys():
        del run.site.waiting[slug]
    _write_listings(run, house, session, after)
    gone = run.known.lost(after) if run.known else set()
    run.done.deleted = len(gone)
    run.done.written = run.site.commit(after, gone)
    foreign = (
        f"{run.site.folder / path} was not made by gm and stays; its page is missing until you move it away."
        for path in run.site.foreign
    )
    run.done.troubles = [*(sentence for _, sentence in run.troubles.values()), *foreign]


def _note(run: _Export, after: Manifest, slug: str, stamp: str) -> None:
    """Note a game's pages as they will be."""
    wanted = UNTOLD if slug in run.troubles else stamp
    if run.is_waiting(slug, wanted):
        names = run.site.waiting[slug].names
    else:
        run.site.waiting.pop(slug, None)  # made for what is no more
        names = run.known.names(slug) if run.known else run.site.names(slug) if slug in run.troubles else ()
    after.add(slug, wanted, names)


def _write_listings(run: _Export, house: _House, session: Session, after: Manifest) -> None:
    own = run.known.pages if run.known else None
    changed = changes(run.site, run.before, house.wanted, run.app.settings)
    edition = Edition(
        app=run.app, session=session, people=house.people, slugs=house.slugs, changes=changed, before=run.before,
        untold=run.troubles.keys(),
    )  # fmt: skip
    for listing in (make(edition) for make in LISTINGS):
        after.pages |= {path: run.before.pages[path] for path in listing.kept}
        for page in listing.pages:
            run.app.pulse.beat()
            is_same = run.before.pages.get(page.path) == page.made_from
            if is_same or run.site.stage(page.path, page.content(), own):
                after.pages[page.path] = page.made_from
