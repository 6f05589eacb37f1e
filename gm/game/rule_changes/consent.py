"""The GM's consent to go on by other rules or words, where a running game would have come out otherwise by them.

The record is never rewritten. A game whose replay leads to the same results goes on by itself. Any other keeps its
results: moves are taken, but no step is made before the GM agrees (`gm upgrade GAME`). Then the recorded results stand,
and the next step is made by the rules and words that are here.
"""

from sqlmodel import Session

from gm.app.context import App
from gm.app.recorded_rules import RulesChanged
from gm.game.rule_changes.comparison import Change, compare, present, recorded
from gm.messages import gm_list, questions
from gm.messages.gm_list import Entry
from gm.messages.questions import About
from gm.store.queries import question_queries, turn_queries
from gm.store.tables import Game

KIND = "upgrade"
"""The kind of the GM's question about it."""


def is_agreed(app: App, session: Session, game: Game) -> bool:
    """Check whether the next step of a game may be made by what is here. A replay without a difference is noted."""
    engine, turn = app.engine(game.engine), turn_queries.current_turn(session, game)
    if present(app, engine) in (recorded(turn.rules_version, turn.made_by, turn.words), game.agreed):
        return True
    change = compare(app, session, game)
    if change is not None and change.is_result:
        return False
    game.agreed = present(app, engine)
    return True


def check(app: App, session: Session, game: Game) -> None:
    """Make sure that the next step of a game may be made. Raises RulesChanged."""
    if not is_agreed(app, session, game):
        raise changed(game)


def changed(game: Game) -> RulesChanged:
    """Say why a game waits, with the line to type."""
    return RulesChanged(
        f"By the rules and words of this version {game.name} would have come out otherwise so far. What is recorded "
        f"stands, and moves are taken; no round closes before you agree to go on: {_line(game)}",
        de=f"Nach den Regeln und Wörtern dieser Version wäre »{game.name}« bisher anders ausgegangen. Was "
        "ausgewertet ist, bleibt, und Züge nehme ich an; ausgewertet wird erst wieder, wenn du zustimmst: "
        f"{_line(game)}",
    )


def _line(game: Game) -> str:
    """Write what the GM has to type. A game that is held for it has a reason that ends so."""
    return f"gm upgrade {game.name}."


def ask(app: App, session: Session, game: Game) -> Entry | None:
    """Put the question on the GM's list; returns what is to be mailed, None where the GM has been asked."""
    if _is_asked(session, game):
        return None
    return gm_list.add_trouble(app, session, KIND, changed(game), About(game=game), [("upgrade", game.name)])


def _is_asked(session: Session, game: Game) -> bool:
    return any(one.kind == KIND for one in question_queries.open_about(session, game))


def agree(app: App, session: Session, game: Game) -> Change | None:
    """Let a game go on by what is here; returns what would have come out otherwise, None where nothing would.

    Moves that came while it waited are in time.
    """
    change = compare(app, session, game)
    game.agreed = present(app, app.engine(game.engine))
    if game.held.endswith(_line(game)):
        game.held = ""
        game.paused_until = max(app.now(), game.paused_until or app.now())
    questions.close_about(app, session, game, KIND, answer="agreed")
    session.add(game)
    session.flush()
    return change
