"""`gm upgrade GAME`: the GM lets a game go on by new rules, and what waited for it goes on."""

from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.game import steps
from gm.game.upgrades import new_rules
from gm.requests.desk import actions, held_moves
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Game

_LIVE = ("running", "provisional")


def agree_by_name(app: App, name: str) -> str:
    """Do what `agree` does; returns the game's name. Raises Refused, also while a restored copy handles old mails."""
    with app.database.write() as session:
        actions.check_up_to_date(session)
        game = game_queries.named(session, name)
        agree(app, session, game)
        return game.name


def agree_to_all(app: App) -> list[str]:
    """Let all games go on that wait for it; returns their names. Raises Refused as `agree_by_name` does."""
    with app.database.write() as session:
        actions.check_up_to_date(session)
        waiting = [game for game in game_queries.games(session, _LIVE) if not new_rules.may_go_on(app, game)]
        for game in waiting:
            agree(app, session, game)
        return [game.name for game in waiting]


def agree(app: App, session: Session, game: Game) -> None:
    """Let a game go on by the rules that are here. What is recorded stands; moves that waited are carried out now.

    Raises Refused where nothing waits for it.
    """
    if game.status not in _LIVE:
        raise Refused(say("upgrade.not_running", game=game.name, status=game.status))
    if new_rules.may_go_on(app, game):
        raise Refused(say("upgrade.goes_on_anyway", game=game.name))
    new_rules.agree(app, session, game)
    held_moves.resume(app, session, game)
    if game.status == "running":
        steps.go_on(app, session, game)
