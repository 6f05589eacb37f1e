"""Writing the archive: what has changed since the last time, its pages, what lists them, and all at once in place."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Final

from gm.app import App
from gm.archive import deadlines, extracts, figures, gamelists, hall, machine, persons, register, rules, start
from gm.archive.edition import Changes, Edition, Listing, digest
from gm.archive.extracts import Extract
from gm.archive.names import Person, game_slugs, shown_names
from gm.archive.pages import game_pages
from gm.archive.record import Record, from_json
from gm.archive.shelf import local_year
from gm.archive.site import Manifest, Site
from gm.archive.stamps import stamps
from gm.archive.telling import Teller, tell
from gm.store.tables import Game

LISTINGS: Final[tuple[Callable[[Edition], Listing], ...]] = (
    start.listing, gamelists.listing, persons.listing, hall.listing, register.words, register.struck, figures.listing,
    rules.listing, machine.listing, deadlines.listing,
)  # fmt: skip
"""All pages that are about more than one game."""

BATCH: Final = 20
"""Games between two transactions: nobody who wants to write has to wait for a long export."""

Tracked = Callable[[Sequence[int], str], Iterable[int]]


@dataclass(kw_only=True)
class Exported:
    """What an export did."""

    games: int = 0
    written: int = 0
    deleted: int = 0


@dataclass(kw_only=True)
class _Export:
    """An export under way."""

    app: App
    site: Site
    form: str
    before: Manifest
    people: dict[int, Person]
    slugs: dict[int, str]
    after: Manifest
    touched: set[str] = field(default_factory=set)
    """Slugs of the people of the games that have changed."""
    words: set[str] = field(default_factory=set)
    ended: set[tuple[int, str]] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    done: Exported = field(default_factory=Exported)


def export(app: App, folder: Path, *, full: bool = False, tracked: Tracked = lambda items, _: items) -> Exported:
    """Bring the site in a folder up to date; `full` writes every page anew. Raises OperatorError."""
    site = Site(folder)
    site.open()
    form, known = _form(app), site.manifest()
    before = Manifest() if full or known.form != form else known
    with app.database.read() as session:
        people, slugs = dict(shown_names(session, app.settings)), dict(game_slugs(session))
        found = stamps(session, people, slugs)
    run = _Export(
        app=app, site=site, form=form, before=before, people=people, slugs=slugs,
        after=Manifest(form=form, games={slugs[game_id]: stamp for game_id, stamp in found.items()}),
    )  # fmt: skip
    changed = [game_id for game_id, stamp in found.items() if before.games.get(slugs[game_id]) != stamp]
    for slug in known.games.keys() - run.after.games.keys():
        _forget_game(run, slug)
    batch: list[int] = []
    for game_id in tracked(changed, "Writing games"):
        batch.append(game_id)
        if len(batch) == BATCH or game_id == changed[-1]:
            _write_games(run, batch)
            batch = []
    _write_listings(run, everything=not before.form)
    run.gone |= known.pages.keys() - run.after.pages.keys()
    run.done.deleted = len(run.gone)
    site.commit(run.after, run.gone)
    return run.done


def _write_games(run: _Export, game_ids: Sequence[int]) -> None:
    made: list[Extract] = []
    with run.app.database.read() as session:
        for game in (session.get_one(Game, game_id) for game_id in game_ids):
            teller = Teller(app=run.app, session=session, game=game, slug=run.slugs[game.id], people=run.people)
            record = tell(teller)
            _write_game(run, record)
            if extract := extracts.made(teller, record, _code()):
                made.append(extract)
    if made:
        with run.app.database.write() as session:
            for extract in made:
                extracts.keep(session, extract)


def _write_game(run: _Export, record: Record) -> None:
    _touch(run, record)
    pages = game_pages(run.app.settings, record)
    run.gone |= _forget_game(run, record.slug) - pages.keys()
    run.gone -= pages.keys()
    run.done.games += 1
    for path, content in pages.items():
        run.done.written += run.site.stage(path, content)


def _forget_game(run: _Export, slug: str) -> set[str]:
    """Note what the site says of a game that has changed or gone: all that may be different elsewhere."""
    if content := run.site.read(f"partien/{slug}/partie.json"):
        _touch(run, from_json(content))
    files = run.site.files(f"partien/{slug}")
    run.gone |= files
    return files


def _touch(run: _Export, record: Record) -> None:
    for seat in record.seats:
        run.touched |= {seat.person, *(holder.person for holder in seat.before)}
    for word in record.result.words if record.result else ():
        run.words.add(extracts.sort_key(word.word))
    if record.ended:
        run.ended.add((local_year(run.app.settings, record.ended), record.kind))


def _write_listings(run: _Export, *, everything: bool) -> None:
    changes = Changes() if everything else Changes(people=run.touched, words=run.words, ended=run.ended)
    with run.app.database.read() as session:
        edition = Edition(
            app=run.app, session=session, people=run.people, slugs=run.slugs, changes=changes, before=run.before
        )
        for listing in (make(edition) for make in LISTINGS):
            run.after.pages |= {path: run.before.pages[path] for path in listing.kept}
            for page in listing.pages:
                run.after.pages[page.path] = page.made_from
                if run.before.pages.get(page.path) != page.made_from:
                    run.done.written += run.site.stage(page.path, page.content())


def _form(app: App) -> str:
    """Name what every page rests on beside its game: this version of the program, and the settings."""
    settings = app.settings
    return digest(
        _code(), settings.service.name, str(settings.service.gm.name), settings.service.language,
        str(settings.service.timezone), settings.archive.base_url, settings.archive.names,
    )  # fmt: skip


@cache
def _code() -> str:
    """Give the checksum of all that makes pages, so that another version of it writes them anew."""
    found = blake2b(digest_size=12)
    for package in ("gm.archive", "gm.publish", "templates.archive", "games"):
        folder = resources.files(package)
        files = [
            file for file in Path(str(folder)).rglob("*") if file.suffix in (".py", ".html", ".css", ".svg", ".md")
        ]
        for file in sorted(files):
            found.update(file.read_bytes())
    return found.hexdigest()
