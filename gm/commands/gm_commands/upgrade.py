"""`gm upgrade GAME`: the GM agrees to go on by other rules or words, and what waited for it goes on."""

from sqlmodel import Session

from gm.app.context import App
from gm.commands.moves import moves_on_hold
from gm.game import gm_visibility, steps
from gm.game.rule_changes import consent
from gm.game.rule_changes.comparison import Change, compare
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, meta_queries
from gm.store.tables import Game


def agree_by_name(app: App, name: str) -> Change | None:
    """Do what `agree` does. Raises Refused, also while a restored copy still handles its old mails."""
    with app.database.write() as session:
        if meta_queries.get_meta(session, meta_queries.COPIED):
            raise Refused(meta_queries.COPY_SENTENCE["en"], de=meta_queries.COPY_SENTENCE["de"])
        return agree(app, session, game_queries.named(session, name))


def preview(app: App, name: str) -> Change | None:
    """Say what would have come out otherwise in a game. Raises Refused."""
    with app.database.read() as session:
        game = game_queries.named(session, name)
        change = compare(app, session, game)
        return gm_visibility.shown_change(app, session, game, change) if change else None


def agree(app: App, session: Session, game: Game) -> Change | None:
    """Let a game go on by the rules and words that are here; returns what would have come out otherwise by them.

    What is recorded stands. Moves that waited are carried out now. Raises Refused where nothing waits for it.
    """
    if game.status not in ("running", "provisional"):
        raise Refused(
            f"{game.name} is {game.status}; what is recorded of it stands, and there is nothing to agree to.",
            de=f"»{game.name}« läuft nicht; was ausgewertet ist, bleibt, und zuzustimmen ist nichts.",
        )
    if consent.is_agreed(app, session, game):
        raise Refused(
            f"{game.name} goes on as it is; nothing would have come out otherwise, or you have agreed already.",
            de=f"»{game.name}« geht ohnehin weiter: Nichts wäre anders ausgegangen, oder du hast schon zugestimmt.",
        )
    change = consent.agree(app, session, game)
    moves_on_hold.resume(app, session, game)
    if game.status == "running":
        steps.go_on(app, session, game)
    return change
