"""The pages of people: everybody who sits or sat in a game that has begun, and what each has played."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import col

from gm.archive.edition import Edition, Listing, Page, html
from gm.archive.layout import phrase
from gm.archive.list_data.games_by_status import Over, Who
from gm.archive.list_data.numbers import decimal, percent
from gm.archive.list_data.paging import leaves
from gm.store.chunks import in_chunks
from gm.store.tables import ArchivedGame, ArchivedScore, ArchivedWord, Game, Seat

OPPONENTS: Final = 10
WORDS: Final = 5


def everybody(edition: Edition) -> Listing:
    """Make the page of all people; it stays as long as nobody's games change."""
    if edition.changes.people is not None and not edition.changes.people:
        return Listing()
    return Listing(pages=[_index(edition, _played_by(edition))])


def each(edition: Edition) -> Listing:
    """Make the pages of each; somebody whose games are as they were has theirs still."""
    slugs, stale = edition.news.people, []
    if slugs is None:
        changed = sorted(_played_by(edition))
    else:
        changed = [one for one in edition.called(slugs) if _has_played(edition, one)]
        stale = [path for slug in sorted(slugs) for path in edition.before.pages_in(f"personen/{slug}")]
    return Listing(pages=_pages(edition, changed), stale=stale)


def _played_by(edition: Edition) -> dict[int, int]:
    return dict(iter(edition.session.connection().execute(_SEATS)))


def _has_played(edition: Edition, player_id: int) -> bool:
    return edition.session.connection().scalar(_PLAYED, {"player": player_id}) is not None


_SEATS: Final = (
    sa.select(col(Seat.player_id), sa.func.count())
    .join(Game, col(Game.id) == col(Seat.game_id))
    .where(col(Game.turn).is_not(None))
    .group_by(col(Seat.player_id))
)
_PLAYED: Final = (
    sa.select(col(Seat.game_id))
    .join(Game, col(Game.id) == col(Seat.game_id))
    .where(col(Seat.player_id) == sa.bindparam("player"), col(Game.turn).is_not(None))
    .limit(1)
)
_SCORES: Final = sa.select(
    col(ArchivedScore.player_id), sa.func.count(), sa.func.sum(sa.case((col(ArchivedScore.winner), 1), else_=0))
).group_by(col(ArchivedScore.player_id))


def _pages(edition: Edition, changed: Iterable[int]) -> Iterator[Page]:
    forgotten = False
    for player_id in changed:
        if edition.who(player_id).slug:
            yield from _of_person(edition, player_id)
        elif not forgotten:  # all of them share a page
            forgotten = True
            path = f"personen/{edition.people[player_id].slug}/index.html"
            yield html(edition, path, "forgotten.html", {"name": edition.people[player_id].name})


def _index(edition: Edition, played: Mapping[int, int]) -> Page:
    scores = {one: (int(games), int(wins)) for one, games, wins in edition.session.connection().execute(_SCORES)}
    rows = [(edition.who(one), count, *scores.get(one, (0, 0))) for one, count in played.items()]
    known = sorted((row for row in rows if row[0].slug), key=lambda row: (row[0].name.casefold(), row[0].slug))
    return html(edition, "personen/index.html", "people.html", {"rows": known, "forgotten": len(rows) - len(known)})


# -- one person --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlayedGame:
    """A game that somebody sat in; without a rank if it had no end, or another one's."""

    name: str
    slug: str
    title: str
    at: datetime
    status: str
    rank: int | None
    points: int | None


@dataclass(frozen=True, kw_only=True)
class KindLine:
    """What somebody has done in a kind of game."""

    title: str
    games: int
    wins: int
    average: str
    best: int | None
    best_name: str
    best_slug: str


@dataclass(frozen=True, kw_only=True)
class Rival:
    """Somebody often played against, and who came off better how often."""

    who: Who
    games: int
    better: int
    worse: int


def _of_person(edition: Edition, player_id: int) -> Iterator[Page]:
    person = edition.people[player_id]
    sitting = _sitting(edition, player_id)
    shelf = edition.shelf.over_among(sitting)
    scores = _scores(edition, player_id)
    over = sorted(shelf.values(), key=lambda game: (game.ended, game.id))
    games = [_played(edition, game, scores.get(game.id)) for game in over]
    summary = _summary(edition, player_id, shelf, scores)
    under_way = edition.shelf.under_way_among(sitting)
    running = [(game.name, game.slug, edition.title(game.kind)) for game in under_way]
    for leaf in leaves(f"personen/{person.slug}", games):
        is_first = not leaf.ways.newest
        context = {
            "name": person.name, "games": leaf.items, "ways": leaf.ways, "count": len(games) if is_first else 0,
            "summary": {**summary, "running": running} if is_first else {},
        }  # fmt: skip
        yield html(edition, leaf.path, "person.html", context)


def _sitting(edition: Edition, player_id: int) -> Sequence[int]:
    rows = sa.select(col(Seat.game_id)).join(Game, col(Game.id) == col(Seat.game_id))
    rows = rows.where(col(Seat.player_id) == player_id, col(Game.turn).is_not(None)).order_by(col(Seat.game_id))
    return list(edition.session.connection().scalars(rows))


def _scores(edition: Edition, player_id: int) -> dict[int, Any]:
    rows = sa.select(
        col(ArchivedScore.game_id), col(ArchivedScore.seat), col(ArchivedScore.rank), col(ArchivedScore.points),
        col(ArchivedScore.winner), col(ArchivedScore.guesses), col(ArchivedScore.owed), col(ArchivedScore.missed),
    ).where(col(ArchivedScore.player_id) == player_id)  # fmt: skip
    return {row.game_id: row for row in edition.session.connection().execute(rows.order_by(col(ArchivedScore.game_id)))}


def _played(edition: Edition, game: Over, score: Any) -> PlayedGame:
    return PlayedGame(
        name=game.name, slug=game.slug, title=edition.title(game.kind), at=game.ended, status=game.status,
        rank=score.rank if score else None, points=score.points if score else None,
    )  # fmt: skip


def _summary(edition: Edition, player_id: int, shelf: Mapping[int, Over], scores: Mapping[int, Any]) -> dict[str, Any]:
    owed, missed = (sum(getattr(score, name) for score in scores.values()) for name in ("owed", "missed"))
    return {
        "kinds": _kinds(edition, shelf, scores), "owed": owed, "missed": missed,
        "quota": percent(missed, owed, edition.language),
        "wishes": _wishes(edition, scores), "rivals": _rivals(edition, player_id),
        "longest": _words(edition, player_id, sa.func.length(col(ArchivedWord.word))),
        "dearest": _words(edition, player_id, col(ArchivedWord.points)),
    }  # fmt: skip


def _kinds(edition: Edition, shelf: Mapping[int, Over], scores: Mapping[int, Any]) -> list[KindLine]:
    by_kind: dict[str, list[tuple[Any, Over]]] = {}
    for game_id, score in scores.items():
        by_kind.setdefault(shelf[game_id].kind, []).append((score, shelf[game_id]))
    found = []
    for kind, rows in sorted(by_kind.items(), key=lambda one: (edition.title(one[0]), one[0])):
        pointed = [(score.points, game) for score, game in rows if score.points is not None]
        best, game = max(pointed, key=lambda row: (row[0], -row[1].id), default=(None, rows[0][1]))
        found.append(
            KindLine(
                title=edition.title(kind), games=len(rows), wins=sum(score.winner for score, _ in rows),
                average=_average(edition, [score for score, _ in rows]),
                best=best, best_name=game.name, best_slug=game.slug,
            )
        )  # fmt: skip
    return found


def _average(edition: Edition, scores: Sequence[Any]) -> str:
    """Write the mean of the points; in a game without any, how often it took."""
    points = [score.points for score in scores if score.points is not None]
    if points:
        return decimal(sum(points), len(points), edition.language)
    guesses = [score.guesses for score in scores if score.guesses is not None]
    if not guesses:
        return "–"
    return phrase(edition.language, "IN_GUESSES", count=decimal(sum(guesses), len(guesses), edition.language))


def _wishes(edition: Edition, scores: Mapping[int, Any]) -> list[tuple[str, int]]:
    """Count the letters that somebody wished, most frequent first."""
    counted: Counter[str] = Counter()
    for some in in_chunks(scores):
        rows = sa.select(col(ArchivedGame.game_id), col(ArchivedGame.facts)).where(col(ArchivedGame.game_id).in_(some))
        for game_id, facts in edition.session.connection().execute(rows):
            counted.update(facts.get("wishes", {}).get(str(scores[game_id].seat), ""))
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:WORDS]


def _words(edition: Edition, player_id: int, value: Any) -> list[tuple[str, int | None, str, str]]:
    """Name somebody's best words, each once: word, points, game, its folder."""
    rows = (
        sa.select(col(ArchivedWord.word), sa.func.max(col(ArchivedWord.points)), sa.func.min(col(ArchivedWord.game_id)))
        .join(
            ArchivedScore,
            (col(ArchivedScore.game_id) == col(ArchivedWord.game_id))
            & (col(ArchivedScore.seat) == col(ArchivedWord.seat)),
        )
        .where(col(ArchivedScore.player_id) == player_id, col(ArchivedWord.status) == "accepted", value.is_not(None))
        .group_by(col(ArchivedWord.word))
        .order_by(sa.func.max(value).desc(), sa.func.max(col(ArchivedWord.points)).desc(), col(ArchivedWord.word))
        .limit(WORDS)
    )
    names = dict(_names(edition, found := list(edition.session.connection().execute(rows))))
    return [(word, points, names[game_id], edition.slugs[game_id]) for word, points, game_id in found]


def _names(edition: Edition, rows: Sequence[Any]) -> Iterator[tuple[int, str]]:
    wanted = sa.select(col(Game.id), col(Game.name)).where(col(Game.id).in_({row[2] for row in rows}))
    yield from iter(edition.session.connection().execute(wanted))


def _rivals(edition: Edition, player_id: int) -> list[Rival]:
    own, other = aliased(ArchivedScore), aliased(ArchivedScore)
    rows = (
        sa.select(
            col(other.player_id), sa.func.count(), sa.func.sum(sa.case((col(own.rank) < col(other.rank), 1), else_=0)),
            sa.func.sum(sa.case((col(own.rank) > col(other.rank), 1), else_=0)),
        )
        .join(own, col(own.game_id) == col(other.game_id))
        .where(col(own.player_id) == player_id, col(other.player_id) != player_id)
        .group_by(col(other.player_id))
        .order_by(sa.func.count().desc(), col(other.player_id))
        .limit(3 * OPPONENTS)
    )  # fmt: skip
    found = [
        Rival(who=edition.who(one), games=games, better=int(better), worse=int(worse))
        for one, games, better, worse in edition.session.connection().execute(rows)
    ]
    return [rival for rival in found if rival.who.slug][:OPPONENTS]
