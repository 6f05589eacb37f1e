"""An issue as plain text, in the layout of the mails: for copying, for screen readers, for who wants no more."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from gm.archive.game_pages.text import kept_narrow
from gm.archive.issue.content import Edition, GamePage, Remarks
from gm.archive.issue.markdown import Article
from gm.archive.issue.pages import paragraphs, write_until
from gm.archive.issue.phrases import phrase
from gm.archive.layout import phrase as archived
from gm.archive.list_pages.all_time_tables import ENOUGH
from gm.messages.rendering.dates import write_day
from gm.messages.rendering.plain_text import Plain
from gm.runtime.harmful_characters import visible


def issue_text(issue: Edition) -> bytes:
    """Write all of an issue."""
    write = Plain()
    forms = [form for name in issue.sections for form in _section(write, issue, name)]
    return (visible("\n".join(kept_narrow("".join(forms))).rstrip()) + "\n").encode()


def game_text(game: GamePage) -> str:
    """Write all of a game, its press too."""
    return "".join(_game(game, is_alone=True))


def _section(write: Plain, issue: Edition, name: str) -> Iterator[str]:
    if name == "cover":
        yield from _cover(write, issue)
    elif name == "games":
        for game in issue.games:
            yield from _game(game, is_alone="press" not in issue.order.sections)
        if not issue.games:
            yield write.p(phrase(issue.language, "NO_GAMES"))
    elif name in issue.order.pages:
        yield from _article(write, issue.order.pages[name], issue)
    else:
        yield write.banner([(phrase(issue.language, name), "")])
        yield from _WRITERS[name](write, issue)


def _cover(write: Plain, issue: Edition) -> Iterator[str]:
    phrased = partial(phrase, issue.language)
    day = write_day(issue.window.date, issue.language)
    yield write.banner([(issue.zine, phrased("NUMBER", number=issue.window.number)), ("", day)])
    if issue.corrected:
        yield write.p(phrased("CORRECTED"))
    yield from (write.p(f"{one.headline} ({one.title}).") for one in issue.headlines)
    if issue.dates:
        yield write.pairs(phrased("CALENDAR"), issue.dates, headed=True)


def _editorial(write: Plain, issue: Edition) -> Iterator[str]:
    yield from _words(issue.order.forewords["editorial"], issue)
    yield write.p(f"– {issue.gm}")


def _words(article: Article, issue: Edition) -> Iterator[str]:
    yield f"{article.text(issue.language)}\n\n"


def _article(write: Plain, article: Article, issue: Edition) -> Iterator[str]:
    yield write.banner([(article.title, "")])
    yield from _words(article, issue)


def _articles(write: Plain, articles: Iterable[Article], issue: Edition) -> Iterator[str]:
    for article in articles:
        yield write.h(article.title)
        yield from _words(article, issue)


def _game(game: GamePage, *, is_alone: bool) -> Iterator[str]:
    write = Plain()
    yield write.banner([(game.title, game.span)], *(("", "") if not game.zat else ("ZAT", game.zat.partition(": ")[2])))
    yield write.block([name.replace("\u00a0", " ") for name in game.players])
    if game.remark:
        yield write.p(game.remark)
    if game.foreword:
        yield f"{game.foreword.text(game.language)}\n\n"
    for moves in game.moves:
        yield write.quote(moves.foreword) if moves.foreword else ""
        yield write.p(f"{moves.label}: {' '.join(moves.sentences)}") if moves.sentences else ""
    for drawn in game.parts:
        yield write.section(drawn.part)
    for line in game.legend:
        yield write.small(line)
    if is_alone and game.press:
        yield write.h(phrase(game.language, "press"))
        yield from _remarks(write, game.press, game)


def _press(write: Plain, issue: Edition) -> Iterator[str]:
    for game in issue.games:
        if game.press:
            yield write.h(game.title)
            yield from _remarks(write, game.press, game)


def _remarks(write: Plain, press: Iterable[Remarks], game: GamePage) -> Iterator[str]:
    for of_round in press:
        yield write.p(f"{of_round.heading}:")
        for remark in of_round.remarks:
            lines = [line for paragraph in paragraphs(remark.text) for line in (*paragraph, "")]
            yield write.quote([*lines[:-1], f"– {remark.signed or archived(game.language, 'ANONYMOUS')}"])


def _standings(write: Plain, issue: Edition) -> Iterator[str]:
    yield write.pairs(
        "", [(row.title, ", ".join(filter(None, (row.stand, row.ahead, row.zat)))) for row in issue.standings]
    )


def _seek(write: Plain, issue: Edition) -> Iterator[str]:
    yield write.p(phrase(issue.language, "SEEK_HOW", address=_at(issue)))
    yield write.pairs("", [(one.line, f"{one.title}, {one.free}") for one in issue.seek])


def _standbys(write: Plain, issue: Edition) -> Iterator[str]:
    yield from (write.p(phrase(issue.language, "VACANT", game=name)) for name in issue.vacant)
    if issue.standbys:
        yield write.p(phrase(issue.language, "STANDBYS_HOW", address=_at(issue)))
        yield write.points(phrase(issue.language, "STANDBYS_LINE", title=title) for title in issue.standbys)


def _at(issue: Edition) -> str:
    return phrase(issue.language, "AT", address=issue.address) if issue.address else ""


def _tables(write: Plain, issue: Edition) -> Iterator[str]:
    phrased = partial(phrase, issue.language)
    head = ("RANK", "NAME", "GAMES_COLUMN", "WINS", "PODIUM")
    rows = [(f"{rank}.", name, *map(str, figures)) for rank, name, *figures in issue.ranking]
    lines = [tuple(phrased(code) for code in head), *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    yield write.block(
        "  ".join([rank.rjust(widths[0]), name.ljust(widths[1]), *map(str.rjust, figures, widths[2:])])
        for rank, name, *figures in lines
    )
    yield write.small(phrased("TABLES_HOW", until=write_until(issue), enough=ENOUGH))


def _imprint(write: Plain, issue: Edition) -> Iterator[str]:
    phrased = partial(phrase, issue.language)
    day = write_day(issue.window.date, issue.language)
    yield write.p(phrased("IMPRINT_ISSUE", zine=issue.zine, number=issue.window.number, date=day, gm=issue.gm))
    if issue.address:
        yield write.p(phrased("ADDRESS", address=issue.address))
    if "imprint" in issue.order.forewords:
        yield from _words(issue.order.forewords["imprint"], issue)
    yield write.p(phrased("IMPRINT_WINDOW", until=write_until(issue)))
    yield write.p(phrased("IMPRINT_NAMES"))


def _letters(write: Plain, issue: Edition) -> Iterator[str]:
    return _articles(write, issue.order.letters, issue)


def _puzzles(write: Plain, issue: Edition) -> Iterator[str]:
    return _articles(write, issue.order.puzzles, issue)


_WRITERS: Final[Mapping[str, Callable[[Plain, Edition], Iterator[str]]]] = {
    "editorial": _editorial, "press": _press, "letters": _letters, "standings": _standings, "seek": _seek,
    "standbys": _standbys, "tables": _tables, "puzzles": _puzzles, "imprint": _imprint,
}  # fmt: skip
