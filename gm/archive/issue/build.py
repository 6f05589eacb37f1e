"""Building an issue: what it says, then its files in `issues/N/` beside the config."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import Session, col, select

from games import engines
from games.api import Language
from gm.app.context import App
from gm.app.issues import BEGINNING, FOLDER, Calendar, Issue, calendar
from gm.archive import layout
from gm.archive.issue import content, order, pdf
from gm.archive.issue.content import Edition
from gm.archive.issue.pages import anchors, for_paper, for_screen
from gm.archive.issue.phrases import phrase
from gm.archive.issue.text import game_text, issue_text
from gm.archive.issue.window import Printed, all_time, games_of
from gm.game.people.shown_names import masked
from gm.game.people.site_directory import directory
from gm.runtime import drafts
from gm.runtime.config.settings import Settings
from gm.runtime.errors import OperatorError, Refused
from gm.store.tables import Game, Standby, Turn

HTML, TEXT, PDF, BOOKLET = "issue.html", "issue.txt", "issue.pdf", "issue-booklet.pdf"


@dataclass(frozen=True, kw_only=True)
class Built:
    """What was made."""

    number: int
    folder: Path
    games: int
    files: tuple[str, ...]
    pages: int
    """0 where no pages could be set."""
    empty: tuple[int, ...]
    filler: tuple[str, ...]
    troubles: tuple[str, ...]
    """Sentences about what isn't there, and what brings it."""


def build(app: App, number: int | None = None, *, corrected: bool = False) -> Built:
    """Build an issue; without a number the next one. Raises OperatorError, Refused for what its file says.

    A `corrected` one says on its cover that it is.
    """
    window = window_of(app, number)
    folder = folder_of(app, window.number)
    _begin(folder, window.number)
    with app.database.read() as session:
        issue, troubles = compose(app, session, window, folder, corrected=corrected)
    files = {HTML: for_screen(issue), TEXT: issue_text(issue)}
    known = anchors(files[HTML].decode())
    troubles += [fault for article in issue.order.articles for fault in article.faults(known)]
    pages = None
    try:
        pages = _set(app, issue)
        files[PDF] = pages.pdf
        troubles += _unknown_letters(issue, pages.unknown)
        files[BOOKLET] = pdf.booklet(pages.pdf)
    except pdf.NoPages as missing:
        troubles.append(str(missing))
    except OperatorError as error:
        troubles += [str(error), *_upset_by(issue)]
    _write(folder, files)
    return Built(
        number=window.number, folder=folder, games=len(issue.games), files=tuple(files),
        pages=pages.count if pages else 0, empty=pages.empty if pages else (),
        filler=(*pages.filler, *([order.NOTES] if pages.lines else [])) if pages else (),
        troubles=tuple(troubles),
    )  # fmt: skip


def window_of(app: App, number: int | None) -> Issue:
    """Say which issue is meant. Without a number it is the one that appears next. Raises Refused.

    Without a calendar there is issue 1, with all that was released.
    """
    today = app.now().astimezone(app.settings.service.timezone).date()
    with app.database.read() as session:
        planned = calendar(app.settings)
        if planned is None:
            if number not in (None, 1):
                raise Refused(f"There is no issue {number}: without `dates` in [zine] there is only issue 1.")
            return _all_so_far(app, session)
        found = planned.numbered(number) if number is not None else next(planned.from_day(today), None)
    if found is None:
        which = f"issue {number}" if number is not None else "issue after today"
        raise Refused(f"By [zine] in config.toml there is no {which}.")
    return found


def _all_so_far(app: App, session: Session) -> Issue:
    """Make an issue of all that was released. Its date is that of the last news, so that the same is built twice."""
    last = [
        session.connection().scalar(sa.select(sa.func.max(col(column))))
        for column in (Turn.released_at, Turn.published_at, Game.created_at)
    ]
    until = max((at for at in last if at), default=app.now()) + timedelta(seconds=1)
    day = until.astimezone(app.settings.service.timezone).date()
    return Issue(number=1, date=day, noon=until, zat=until, since=BEGINNING, until=until)


def has_issues(settings: Settings) -> bool:
    """Say whether a zine prints issues: it has a calendar, or one was built."""
    return bool(settings.zine.dates) or (settings.folder / FOLDER).is_dir()


def folder_of(app: App, number: int) -> Path:
    """Give the folder of an issue."""
    return app.settings.folder / FOLDER / str(number)


def _begin(folder: Path, number: int) -> None:
    """Make the folder, and the file that says what the GM wants."""
    path = folder / order.NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(order.first_order(number), encoding="utf-8")
    except OSError as error:
        raise OperatorError(f"{path} can't be written: {error.strerror}.") from error


def _set(app: App, issue: Edition) -> pdf.Pages:
    filler = [name for name in issue.order.filler if name != order.NOTES]
    return pdf.set_pages(
        lambda fill: for_paper(issue, fill), filler=filler, page=app.settings.zine.page,
        identifier=phrase(issue.language, "TITLE", zine=issue.zine, number=issue.window.number),
    )  # fmt: skip


def _unknown_letters(issue: Edition, unknown: str) -> Iterator[str]:
    """Say which letters the fonts don't have, and where they stand: the line of a page of the GM's, or the games."""
    how = "a box stands for a letter, a mark is left out."
    left = dict.fromkeys(unknown)
    for place, line in (at for article in issue.order.articles for at in article.lines):
        written = unicodedata.normalize("NFC", line)
        if found := [one for one in unknown if one in written]:
            yield f"{place}: the fonts of the pages don't have {_named(found)}; {how}"
            left = {one: None for one in left if one not in found}
    texts = {article.path: f"{article.title}{article.html(issue.language)}" for article in issue.order.articles}
    texts |= {game.title: game_text(game) for game in issue.games}
    elsewhere = [name for name, text in texts.items() if left.keys() & set(unicodedata.normalize("NFC", text))]
    if left:
        where = f" ({', '.join(elsewhere)})" if elsewhere else ""
        yield f"The fonts of the pages don't have {_named(left)}{where}; {how}"


def _named(letters: Iterable[str]) -> str:
    are_marks = {one: unicodedata.category(one) in ("Mn", "Me") for one in letters}
    return ", ".join(f"{'◌' * is_mark}{one} (U+{ord(one):04X})" for one, is_mark in are_marks.items())


def _upset_by(issue: Edition) -> Iterator[str]:
    """Name the pages of the GM's that can't be set by themselves."""
    for article in issue.order.articles:
        if not pdf.can_be_set(article.html(issue.language)):
            yield f"It is {article.path} that can't be set; the other files are as they should be."


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put the files in place, each at once; pages of an earlier build that can't be made now go."""
    try:
        for name, made in files.items():
            drafts.replace(folder / name, made, drafts.FOR_ALL)
        for name in {PDF, BOOKLET} - files.keys():
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise OperatorError(f"{folder} can't be written to: {error.strerror}.") from error


# -- what it says ------------------------------------------------------------------------------------------------------


def compose(
    app: App, session: Session, window: Issue, folder: Path, *, corrected: bool = False
) -> tuple[Edition, list[str]]:  # fmt: skip
    """Gather what an issue says, and what it can't."""
    settings = app.settings
    language: Language = settings.service.language
    names = session.exec(select(Game.name)).all()
    wanted = order.read_order(folder, window.number, games={*names}, kinds=_kinds())
    known, troubles = games_of(app, session, window)
    games = [one for one in content.sorted_games(known, wanted) if not wanted.leaves_out(one.record.game)]
    pages = content.game_pages(games, wanted, settings)
    people = directory(app, session).people
    return Edition(
        window=window, language=language, zone=settings.service.timezone, order=wanted,
        zine=masked(settings.service.name, language), gm=layout.gm_name(settings),
        address=layout.address(settings),
        games=pages, standings=tuple(content.standings(games, pages, settings)),
        seek=tuple(content.wanted(games)), vacant=tuple(_vacant(games)),
        standbys=tuple(_without_standbys(session, games)),
        ranking=all_time(session, people, known, window.until),
        dates=tuple(_dates(app, window, games, calendar(settings))), corrected=corrected,
    ), troubles  # fmt: skip


def _kinds() -> dict[str, str]:
    return {key: engine.rules.title for key, engine in engines().items()}


def _vacant(games: Sequence[Printed]) -> Iterator[str]:
    for game in games:
        if game.is_vacant:
            yield phrase(game.record.language, "GAME", title=game.record.title, game=game.record.game)


def _without_standbys(session: Session, games: Sequence[Printed]) -> Iterator[str]:
    """Name the kinds that are played and that nobody is on the standby list for."""
    listed = set(session.connection().scalars(sa.select(col(Standby.engine))))
    played = {game.record.kind: game.record.title for game in games if game.record.status == "running"}
    for kind, title in sorted(played.items(), key=lambda one: one[1]):
        if not listed & {"", kind}:
            yield title


def _dates(
    app: App, window: Issue, games: Sequence[Printed], planned: Calendar | None
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """List the next deadlines, those of several games at once in one line, and when the next issue appears."""
    zone, language = app.settings.service.timezone, app.settings.service.language
    found: dict[datetime, list[str]] = {}
    for game in games:
        if game.record.zat:
            found.setdefault(game.record.zat.replace(second=0, microsecond=0), []).append(game.record.game)
    listed = [
        (at, layout.when(zone, language, at, "short"), phrase(language, "DATE_zat_of", games=", ".join(sorted(names))))
        for at, names in found.items()
    ]
    after = planned.numbered(window.number + 1) if planned else None
    if after:
        written = layout.when(zone, language, after.until, "short")
        listed.append((after.until, written, phrase(language, "DATE_copy")))
        day = layout.when(zone, language, after.noon, "weekday")
        listed.append((after.noon, day, phrase(language, "DATE_issue", number=after.number)))
    for _, day, what in sorted(listed):
        yield day, what
