"""Bulletins that wait for the GM (`release = "gm"`), who reads them first and may add a foreword."""

from dataclasses import replace

from sqlmodel import Session

from games.api import SPECTATOR
from gm.app.context import App
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import step_of
from gm.messages import game_mails, gm_list
from gm.messages.outgoing import Part, gm_recipient
from gm.messages.questions import About
from gm.store import game_file
from gm.store.tables import Game, Turn

KIND = "release"


def ask(app: App, session: Session, game: Game, turn: Turn) -> None:
    """Mail the GM a round's bulletin as spectators will see it. The clock stands still until it is released.

    For the players the game still runs, even if this was its end.
    """
    turn.zat = game.zat = None
    game.status = "running"
    game_file.touch(session, game)
    to = gm_recipient(app, session, game)
    step = step_of(app, session, game, turn)
    closed = bulletins.closed_round(step)
    context = {**game_mails.frame_context(app, game, step.engine, to.language), "closed": closed}
    part = Part(template=KIND, context=context, engine=step.engine)
    about = About(game=game, cause=f"turn:{turn.id}")
    entry = gm_list.add(
        app, session, KIND, f"{game.name}, {context['counted']} {closed}", about, part, [("release", game.name)]
    )
    shown = bulletins.preview(step, SPECTATOR, to.language)
    gm_list.send(app, session, [replace(entry, below=[shown])])
