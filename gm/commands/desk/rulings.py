"""The GM's rulings on words, and all that hangs on them: appeals, moves that wait, results."""

from collections.abc import Sequence
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.commands import appeals
from gm.commands.moves import moves_on_hold
from gm.game import replay
from gm.game.position import is_released, position
from gm.lexicon.lexicon import board
from gm.messages import gm_list, questions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Game, Ruling

LONGEST_WORD: Final = 80


def rule(
    app: App, session: Session, game: Game, words: Sequence[str], accepted: bool, *, note: str = "", house: bool = False
) -> list[str]:
    """Rule on words, for a game or the house, and correct what rests on them; returns what came of it.

    Raises Refused for a word that can't stand on a board, and a note that is too long.
    """
    gm_list.check_length("note", note)
    written = [_board_word(word) for word in words]
    game_id, now = None if house else game.id, app.now()
    rulings = [Ruling(game_id=game_id, word=word, accepted=accepted, note=note, at=now) for word in written]
    session.add_all(rulings)
    session.flush()
    appeals.settle(app, session, rulings)
    waiting = [one for one in game_queries.games(session, ("running",)) if _waits(session, one)]
    concerned = [*waiting, *game_queries.games(session, ("provisional", "finished"))] if house else [game]
    return [line for one in concerned if (line := _correct(app, session, one))]


def _waits(session: Session, game: Game) -> bool:
    """Say whether a running game may hang on a ruling: by a move that is held, or a result not yet released."""
    return bool(question_queries.held_moves(session, game)) or not is_released(game_queries.current_turn(session, game))


def _board_word(word: str) -> str:
    written = board(word)
    if written is None:
        raise Refused(f"'{word}' is no word of A-Z, Ä, Ö, Ü, ß.")
    if len(written) > LONGEST_WORD:
        raise Refused(f"'{word}' has {len(written)} letters; no word has more than {LONGEST_WORD}.")
    return written


def _correct(app: App, session: Session, game: Game) -> str:
    if moves_on_hold.resume(app, session, game):
        return f"{game.name}: the move that waited for it goes on"
    is_over = game.status in ("provisional", "finished")
    if not is_over and (game.status != "running" or position(app, session, game).outcome is None):
        return f"{game.name}: noted; it counts when the round is closed"
    was = game.status
    if not replay.resolve_again(app, session, game):
        return f"{game.name}: nothing changes" if was == "finished" else ""
    at = position(app, session, game)
    if at.outcome and at.outcome.doubtful:
        return f"{game.name}: still open: {', '.join(at.outcome.doubtful)}"
    questions.close_about(app, session, game, "words", answer="ruled")
    if not is_released(at.turn):
        return f"{game.name}: the scores are final; gm release {game.name} sends them"
    return f"{game.name}: the {'corrected' if was == 'finished' else 'final'} scores are queued for all players"
