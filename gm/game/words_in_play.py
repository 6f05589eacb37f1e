"""The words of a running game that a ruling for all games, or another word list, touches."""

from collections.abc import Mapping

from sqlmodel import Session

from games.api import MoveBlock
from games.api import Seat as SeatNumber
from games.optional_parts import HidesWords
from gm.app.context import App
from gm.game import word_judge
from gm.game.position import Position, position
from gm.store.queries import sheet_queries, turn_queries
from gm.store.tables import Game


def hidden_words(at: Position) -> Mapping[str, str]:
    """Return the words that lie hidden in a position, each with its profile."""
    return at.engine.hidden_words(at.state) if isinstance(at.engine, HidesWords) else {}


def words_in_play(app: App, session: Session, game: Game) -> set[str]:
    """Find the words that were judged in a running game, that lie hidden in it, or that are on file for its round.

    Of those on file only words are found that the list or a ruling knows.
    """
    at, judge = position(app, session, game), word_judge.judge(app, session, game)
    for seat, sheet in sheet_queries.sheets_on_file(session, game).items():
        at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=tuple(sheet.lines)), judge)
    on_file = {key.partition("/")[2] for key in judge.asked}
    return turn_queries.words_judged(session, game) | hidden_words(at).keys() | on_file
