"""The pages of people who have or had a seat in a game that has begun, and a list of them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from markupsafe import Markup
from sqlalchemy.orm import aliased
from sqlmodel import col

from gm.archive.layout import phrase
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_data.cards import small_board
from gm.archive.list_data.game_kinds import by_title, short_title, title_of
from gm.archive.list_data.games_by_status import Over, Who
from gm.archive.list_data.numbers import decimal, percent
from gm.archive.list_data.paging import ListPage, paged
from gm.drawing import timelines
from gm.drawing.timelines import Point
from gm.game.people.shown_names import Person
from gm.store.archive_tables import ArchivedGame, ArchivedScore, ArchivedWord
from gm.store.chunks import in_chunks
from gm.store.tables import Game, Seat

OPPONENTS: Final = 10
WORDS: Final = 5
FORM: Final = 12
"""Games whose places are drawn."""
BOARDS: Final = 3
"""Games whose boards are drawn."""


def pages(context: ListContext) -> Iterator[Page]:
    """Make the page of all people, and those of each."""
    played = _played_by(context)
    yield html(context, "personen/index.html", "people.html", partial(_index, context, played))
    forgotten = {player_id for player_id in played if not context.who(player_id).slug}
    for player_id in sorted(forgotten)[:1]:  # all of them share a page
        person = context.people[player_id]
        yield html(context, f"personen/{person.slug}/index.html", "forgotten.html", partial(dict, name=person.name))
    for player_id in sorted(played.keys() - forgotten):
        yield from _of_person(context, player_id, played[player_id])


def _played_by(context: ListContext) -> dict[int, set[int]]:
    """List the games that have begun by player."""
    found: dict[int, set[int]] = {}
    for player_id, game_id in context.session.connection().execute(_SEATS):
        found.setdefault(player_id, set()).add(game_id)
    return found


_SEATS: Final = (
    sa.select(col(Seat.player_id), col(Seat.game_id))
    .join(Game, col(Game.id) == col(Seat.game_id))
    .where(col(Game.turn).is_not(None))
)
_SCORES: Final = sa.select(
    col(ArchivedScore.player_id), sa.func.count(), sa.func.sum(sa.case((col(ArchivedScore.winner), 1), else_=0))
).group_by(col(ArchivedScore.player_id))


def _index(context: ListContext, played: Mapping[int, Collection[int]]) -> dict[str, Any]:
    scores = {one: (int(games), int(wins)) for one, games, wins in context.session.connection().execute(_SCORES)}
    rows = [(context.who(one), len(games), *scores.get(one, (0, 0))) for one, games in played.items()]
    known = sorted((row for row in rows if row[0].slug), key=lambda row: (row[0].name.casefold(), row[0].slug))
    return {"rows": known, "forgotten": len(rows) - len(known)}


# -- one person --------------------------------------------------------------------------------------------------------


class PlayedGame(NamedTuple):
    """A game of a player."""

    game: Over
    score: Any
    """The row of the player's result; None if there was none, or another player had the seat at the end."""
    of: int
    """How many had a place."""


class Rival(NamedTuple):
    """A frequent opponent, and how often either of the two was better."""

    who: Who
    games: int
    better: int
    worse: int


class _Career:
    """The games of a player, read when the first page of them is made."""

    def __init__(self, context: ListContext, player_id: int, game_ids: Collection[int]) -> None:
        self.context, self.player_id, self.game_ids = context, player_id, game_ids
        known = context.games.over_by_id
        self.over = {game_id: known[game_id] for game_id in game_ids if game_id in known}
        """Those that are over."""

    @cached_property
    def scores(self) -> Mapping[int, Any]:
        """The results, by game."""
        return _scores(self.context, self.player_id)

    @cached_property
    def games(self) -> list[PlayedGame]:
        """Those that are over, oldest first."""
        counts = _counts(self.context, self.over)
        oldest_first = sorted(self.over.values(), key=lambda game: (game.at, game.id))
        return [PlayedGame(game, self.scores.get(game.id), counts.get(game.id, 0)) for game in oldest_first]

    @property
    def ranked(self) -> list[PlayedGame]:
        """Those with a result."""
        return [played for played in self.games if played.score]


def _of_person(context: ListContext, player_id: int, game_ids: Collection[int]) -> Iterator[Page]:
    """Make the pages of somebody who sits or sat in these games."""
    person, career = context.people[player_id], _Career(context, player_id, game_ids)
    for page in paged(f"personen/{person.slug}", len(career.over)):
        yield html(context, page.path, "person.html", partial(_values, career, person, page))


def _values(career: _Career, person: Person, page: ListPage) -> dict[str, Any]:
    summary = None if page.newest else _whole_summary(career)
    return {"name": person.name, "games": page.items(career.games), "others": page, "summary": summary}


def _whole_summary(career: _Career) -> dict[str, Any]:
    context = career.context
    running = sorted((one for one in context.games.running if one.id in career.game_ids), key=lambda game: game.id)
    return {
        **_summary(context, career.player_id, career.over, career.scores), **_in_short(career),
        "running": running, "form": _form(context, career.ranked), "boards": _boards(context, career.ranked),
    }  # fmt: skip


def _in_short(career: _Career) -> dict[str, Any]:
    """Give the figures of the status card; the best result is the one with most points."""
    pointed = [played for played in career.ranked if played.score.points is not None]
    return {
        "count": len(career.games), "ranked": len(career.ranked),
        "wins": sum(played.score.winner for played in career.ranked),
        "kinds_played": len({game.kind for game in career.over.values()}),
        "best": max(pointed, key=lambda played: played.score.points, default=None),
    }  # fmt: skip


def _form(context: ListContext, ranked: Sequence[PlayedGame]) -> Markup:
    """Draw the places in the last games that had a result; one alone is no course."""
    last = ranked[-FORM:]
    if len(last) < 2:
        return Markup("")
    points = [
        Point(label=short_title(game.kind), place=score.rank, of=of, is_won=score.winner) for game, score, of in last
    ]
    language = context.language
    heard = "; ".join(
        phrase(language, "FORM_PLACE", title=game.title, place=score.rank, of=of) for game, score, of in last
    )
    above, below = phrase(language, "FORM_FIRST"), phrase(language, "FORM_LAST")
    return timelines.form(f"{phrase(language, 'FORM')}: {heard}", points, above, below)


def _boards(context: ListContext, ranked: Sequence[PlayedGame]) -> list[tuple[Over, Markup]]:
    """Draw the boards of the newest games with a result: the player's own, where everybody has one."""
    records = [(one, context.record(one.game.slug)) for one in ranked[: -BOARDS - 1 : -1]]
    boards = [(one.game, small_board(record, one.score.seat)) for one, record in records if record]
    return [(game, board) for game, board in boards if board]


def _scores(context: ListContext, player_id: int) -> dict[int, Any]:
    rows = sa.select(
        col(ArchivedScore.game_id), col(ArchivedScore.seat), col(ArchivedScore.rank), col(ArchivedScore.points),
        col(ArchivedScore.winner), col(ArchivedScore.guesses), col(ArchivedScore.owed), col(ArchivedScore.missed),
    ).where(col(ArchivedScore.player_id) == player_id)  # fmt: skip
    return {row.game_id: row for row in context.session.connection().execute(rows.order_by(col(ArchivedScore.game_id)))}


def _counts(context: ListContext, over: Collection[int]) -> dict[int, int]:
    """Count who had a place, by game."""
    rows = sa.select(col(ArchivedScore.game_id), sa.func.count()).group_by(col(ArchivedScore.game_id))
    connection, found = context.session.connection(), dict[int, int]()
    for some in in_chunks(over):
        found |= dict(iter(connection.execute(rows.where(col(ArchivedScore.game_id).in_(some)))))
    return found


def _summary(
    context: ListContext, player_id: int, over: Mapping[int, Over], scores: Mapping[int, Any]
) -> dict[str, Any]:
    owed, missed = (sum(getattr(score, name) for score in scores.values()) for name in ("owed", "missed"))
    dearest = _words(context, player_id, over, col(ArchivedWord.points))
    longest = _words(context, player_id, over, sa.func.length(col(ArchivedWord.word)))
    return {
        "kinds": _kinds(context, over, scores), "owed": owed, "missed": missed,
        "quota": percent(missed, owed, context.language),
        "wishes": _wishes(context, scores), "rivals": _rivals(context, player_id),
        "dearest": dearest, "longest": [one for one in longest if one not in dearest],
    }  # fmt: skip


def _kinds(context: ListContext, over: Mapping[int, Over], scores: Mapping[int, Any]) -> list[dict[str, Any]]:
    """Sum up the results in each kind of game; the best one is the first with most points."""
    by_kind: dict[str, list[tuple[Any, Over]]] = {}
    for game_id, score in scores.items():
        by_kind.setdefault(over[game_id].kind, []).append((score, over[game_id]))
    found = []
    for kind in by_title(by_kind):
        rows = by_kind[kind]
        pointed = [(score.points, game) for score, game in rows if score.points is not None]
        best, game = max(pointed, key=lambda row: (row[0], -row[1].id), default=(None, rows[0][1]))
        found.append(
            {
                "title": title_of(kind), "games": len(rows), "wins": sum(score.winner for score, _ in rows),
                "average": _average(context, [score for score, _ in rows]), "best": best, "best_game": game,
            }
        )  # fmt: skip
    return found


def _average(context: ListContext, scores: Sequence[Any]) -> str:
    """Write the mean of the points; in games without points that of the guesses."""
    points = [score.points for score in scores if score.points is not None]
    if points:
        return decimal(sum(points), len(points), context.language)
    guesses = [score.guesses for score in scores if score.guesses is not None]
    if not guesses:
        return "–"
    return phrase(context.language, "IN_GUESSES", count=decimal(sum(guesses), len(guesses), context.language))


def _wishes(context: ListContext, scores: Mapping[int, Any]) -> list[tuple[str, int]]:
    """Count the letters that a player wished for, the most frequent first."""
    counted: Counter[str] = Counter()
    for some in in_chunks(scores):
        rows = sa.select(col(ArchivedGame.game_id), col(ArchivedGame.facts)).where(col(ArchivedGame.game_id).in_(some))
        for game_id, facts in context.session.connection().execute(rows):
            counted.update(facts.get("wishes", {}).get(str(scores[game_id].seat), ""))
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:WORDS]


def _words(
    context: ListContext, player_id: int, over: Mapping[int, Over], value: Any
) -> list[tuple[str, int | None, str, str]]:  # fmt: skip
    """List the best words of a player, each once: word, points, game, folder of the game."""
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
    found = context.session.connection().execute(rows)
    return [(word, points, over[game_id].name, over[game_id].slug) for word, points, game_id in found]


def _rivals(context: ListContext, player_id: int) -> list[Rival]:
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
        Rival(context.who(one), games, int(better), int(worse))
        for one, games, better, worse in context.session.connection().execute(rows)
    ]
    return [rival for rival in found if rival.who.slug][:OPPONENTS]
