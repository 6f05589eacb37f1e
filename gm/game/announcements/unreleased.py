"""Bulletins that wait for the GM (`release = "gm"`): a look at them first, and a foreword."""

from sqlmodel import Session

from games.api import SPECTATOR
from gm.app.context import App
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import step_of
from gm.messages import game_mails, questions
from gm.messages.outgoing import Part, gm_recipient
from gm.store.tables import Game, Turn

KIND = "release"


def ask(app: App, session: Session, game: Game, turn: Turn) -> None:
    """Show the GM a round's bulletin as spectators will see it. The clock stands still until it is released.

    To the players the game goes on meanwhile, even if this was its end.
    """
    turn.zat = game.zat = None
    game.status = "running"
    session.add(turn)
    session.add(game)
    to = gm_recipient(app, session, game)
    step = step_of(app, session, game, turn)
    context = game_mails.frame_context(app, game, step.engine, to.language)
    entry = questions.enter(
        app, session, KIND, text=f"{game.name}, {context['counted']} {bulletins.closed_by(step)}", game=game,
        offers=[("release", game.name)], cause=f"turn:{turn.id}",
        part=Part(template=KIND, context={**context, "closed": bulletins.closed_by(step)}, engine=step.engine),
        below=[bulletins.preview(step, SPECTATOR, to.language)],
    )  # fmt: skip
    questions.send(app, session, [entry])
