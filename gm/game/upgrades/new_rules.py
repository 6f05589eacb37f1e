"""A running game whose last step was made by another version of its rules: it waits for the GM's word.

What is recorded stands. Moves are taken, but no step is made before the GM lets the game go on (`gm upgrade GAME`); the
next one is made by the rules that are here. Versions that a game declares compatible go on without asking.
"""

from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.app.recorded_rules import RulesChanged
from gm.messages import gm_list, questions
from gm.messages.gm_list import Entry
from gm.messages.questions import About
from gm.store.queries import question_queries, turn_queries
from gm.store.tables import Game

KIND = "upgrade"
"""The kind of the GM's question about it."""


def may_go_on(app: App, game: Game) -> bool:
    """Check whether the next step of a game may be made by the rules that are here.

    What newer rules have made can't be read here at all; `position` says so.
    """
    rules, made_by = app.engine(game.engine).rules, turn_queries.current_turn(game).rules_version
    return made_by >= rules.version or made_by in rules.compatible or game.upgraded_to == rules.version


def check(app: App, game: Game) -> None:
    """Make sure that the next step of a game may be made. Raises RulesChanged."""
    if not may_go_on(app, game):
        raise changed(game)


def changed(game: Game) -> RulesChanged:
    """Say why a game waits, with the line to type."""
    return RulesChanged(say("new_rules.changed", game=game.name, line=_line(game)))


def _line(game: Game) -> str:
    """Write what the GM has to type. A game that is held for it has a reason that ends so."""
    return f"gm upgrade {game.name}."


def ask(app: App, session: Session, game: Game) -> Entry | None:
    """Put the question on the GM's list; returns what is to be mailed, None where the GM has been asked."""
    if any(one.kind == KIND for one in question_queries.open_about(game)):
        return None
    return gm_list.add_trouble(app, session, KIND, changed(game), About(game=game), [("upgrade", game.name)])


def agree(app: App, session: Session, game: Game) -> None:
    """Let a game go on by the rules that are here. Moves that came while it waited are in time."""
    game.upgraded_to = app.engine(game.engine).rules.version
    if game.held.endswith(_line(game)):
        game.held = ""
        game.paused_until = max(app.now(), game.paused_until or app.now())
    questions.close_about(app, session, game, KIND, answer="agreed")
    session.add(game)
    session.flush()
