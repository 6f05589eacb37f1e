"""The GM's commands to all games. Each does to every game what it does to one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlmodel import Session

from gm.app.context import App
from gm.game import closing_time
from gm.game.deadlines import parse_when, span_back
from gm.game.schedule import clock_control
from gm.messages import gm_list
from gm.requests.desk import actions
from gm.runtime.errors import OperatorError, Refused
from gm.store.queries import game_queries
from gm.store.tables import Game


@dataclass(frozen=True, kw_only=True)
class ChangedGames:
    """The games that a command to all has changed, and why others stay as they are."""

    changed: Sequence[Game]
    refused: Sequence[str]
    """A sentence for each other game."""


def pause(app: App, span: str | None, why: str = "") -> ChangedGames:
    """Stop the clock of every running game; open ones are refused. Raises Refused if none can be paused."""
    with app.database.write() as session:
        wanted = clock_control.pause_from_now(app, span, why)
        games = game_queries.games(session, ("open", "running"))
        done = _change_each(app, session, games, partial(clock_control.pause, wanted=wanted))
        return _refused_if_none(done, "No game can be paused.")


def resume(app: App) -> ChangedGames:
    """Let every paused game go on. Raises Refused if there is none."""
    with app.database.write() as session:
        games = [game for game in game_queries.games(session, ("running",)) if closing_time.is_paused(app, game)]
        return _refused_if_none(_change_each(app, session, games, clock_control.resume), "No game is paused.")


def move_zats(app: App, when: str, why: str = "") -> ChangedGames:
    """Give every running game a new deadline. Raises Refused if none gets one."""
    gm_list.check_length("reason", why)
    if clock_control.names_issue(when):
        return _move_to_issues(app, why)
    service = app.settings.service
    if span_back(when) is None:  # which counts from each game's own ZAT
        parse_when(when, app.now(), None, service.timezone, app.settings.deadlines.time)  # said once, if it is none
    move = partial(_move, move=partial(clock_control.move_zat, when=when, why=why))
    with app.database.write() as session:
        done = _change_each(app, session, game_queries.games(session, ("running",)), move)
        return _refused_if_none(done, "No ZAT is moved.")


def _move_to_issues(app: App, why: str) -> ChangedGames:
    """Let every running game that was opened for the issues end its round with the first that fits. Raises Refused."""
    move = partial(_move, move=partial(clock_control.move_to_issue, why=why))
    with app.database.write() as session:
        running = game_queries.games(session, ("running",))
        theirs, others = ([game for game in running if game.by_issue is which] for which in (True, False))
        if not theirs:
            raise Refused("No running game was opened for the issues (gm new GAME NAME --zat issue).")
        done = _change_each(app, session, theirs, move)
    left = [f"Not opened for the issues, so left alone: {', '.join(game.name for game in others)}."] if others else []
    return ChangedGames(changed=done.changed, refused=[*done.refused, *left])


def _move(app: App, session: Session, game: Game, move: Callable[[App, Session, Game], datetime]) -> None:
    """Move a ZAT. Raises Refused where it is that already."""
    before = None if game.held else game.zat
    if move(app, session, game) == before:
        raise Refused(f"{game.name} has this ZAT already.")


def _change_each(
    app: App, session: Session, games: Sequence[Game], change: Callable[[App, Session, Game], object]
) -> ChangedGames:
    """Change every game that allows it."""
    actions.check_up_to_date(session)
    changed, refused = [], []
    for game in games:
        if sentence := _change(app, session, game, change):
            refused.append(sentence)
        else:
            changed.append(game)
    return ChangedGames(changed=changed, refused=refused)


def _refused_if_none(done: ChangedGames, if_none: str) -> ChangedGames:
    """Return what was done. Raises Refused with the sentence `if_none` where no game was changed."""
    if not done.changed:
        raise Refused(" ".join([if_none, *done.refused]))
    return done


def _change(app: App, session: Session, game: Game, change: Callable[[App, Session, Game], object]) -> str:
    """Change a game; returns a sentence if it stays as it is, else an empty text."""
    try:
        actions.running(session, game.name)
        app.engine(game.engine)  # rules that aren't installed are refused before anything is changed
        change(app, session, game)
    except OperatorError as error:
        return str(error) if isinstance(error, Refused) else f"{game.name}: {error}"
    return ""
