"""What a GM who plays in a game may not see of it: what the others have sent for the present round."""

from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.game.seats import seat_of_player
from gm.messages.rate_limits import is_answer
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, player_queries, seat_queries, sheet_queries, turn_queries
from gm.store.queries.mail_queries import find_mail
from gm.store.tables import Game, MailIn, MailOut

_WITH_MOVE: Final = ("confirmation", "rejection", "late", "ask_who")
"""Answers that only a mail with a move gets."""
_TO_ALL: Final = ("zat", "paused", "resumed", "aborted", "held", "ruled")
"""Mails about a game that say the same to all its players."""


def check_game(app: App, session: Session, game: Game) -> None:
    """Keep a GM who plays from looking at an open round. Raises Refused."""
    if game.status == "running" and _plays(app, session, game):
        raise Refused(
            f"You play in {game.name} yourself; what others have sent is not for you to see before the ZAT.",
            de=f"Du spielst in »{game.name}« selbst mit; was andere geschickt haben, siehst du erst nach dem ZAT.",
        )


def hides_words(app: App, session: Session, game: Game) -> bool:
    """Check whether judged words are kept from a GM who plays: some may be another's secret."""
    return game.status == "running" and _plays(app, session, game)


def check_seat(app: App, session: Session, game: Game, player_name: str) -> None:
    """Keep a GM who plays from seeing a running game as another player sees it. Raises Refused."""
    seat = seat_of_player(session, game, player_name)
    if seat.player_id not in _own(app, session):
        check_game(app, session, game)


def check_mail(app: App, session: Session, mail_id: str) -> None:
    """Keep a GM who plays from reading the others' moves in the mail log. Raises Refused."""
    row = find_mail(session, mail_id)
    if row.player_id is None or row.player_id in _own(app, session):
        return
    for game in game_queries.games_of_players(session, [row.player_id], ("running",)):
        if _is_of_round(session, game, row) or _may_be_sent_ahead(app, game, row):
            check_game(app, session, game)


def _may_be_sent_ahead(app: App, game: Game, row: MailIn | MailOut) -> bool:
    """Check whether a mail may hold a move for a later turn, or tell its player of one.

    In a game played in turns that is every mail: to keep back some of them would tell that these do.
    """
    if not app.engine(game.engine).rules.in_turns:
        return False
    if isinstance(row, MailIn):
        return row.received_at >= game.created_at and row.status in ("applied", "refused")
    is_of_games = row.game_id is None and is_answer(row.kind)  # `Meine Partien`
    return (row.game_id == game.id or is_of_games) and row.kind not in _TO_ALL


def _own(app: App, session: Session) -> set[int]:
    return {player.id for player in player_queries.players_at(session, app.settings.service.gm.address)}


def _plays(app: App, session: Session, game: Game) -> bool:
    return seat_queries.has_seat(session, game, app.settings.service.gm.address)


def _is_of_round(session: Session, game: Game, row: MailIn | MailOut) -> bool:
    """Check whether a mail holds a move for the present round, or our answer to one."""
    opened = turn_queries.current_turn(session, game).at.replace(microsecond=0)  # a server's clock knows whole seconds
    if isinstance(row, MailIn):
        if rounds := sheet_queries.rounds_of_mail(session, game, row.id):
            return game.round in rounds
        return row.received_at >= opened and any(template in row.reason for template in _WITH_MOVE)
    shows_move = is_answer(row.kind) or row.kind == "welcome"
    return shows_move and row.game_id == game.id and row.created_at >= opened
