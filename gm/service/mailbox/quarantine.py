"""The quarantine: a mail that can't be handled is put aside and before the GM, and nothing of it is lost.

Where every GM plays in a game that it may be about, none of them reads it: its sender is asked to send it again.
"""

from dataclasses import replace
from typing import Final

from sqlmodel import Session

from games.api import Language
from gm.app.context import App
from gm.game import gm_visibility
from gm.messages import gm_list, rate_limits
from gm.messages.outgoing import ANSWER, Occasion, Part, gm_name, recipient
from gm.messages.rendering.dates import write_date
from gm.runtime.errors import OperatorError
from gm.store.queries import player_queries
from gm.store.tables import Game, MailIn, Player
from parsers.mime.decoding import rough_text
from parsers.mime.message import below_head, read_head
from parsers.mime.triage import mark_of

MOST_READ: Final = 64 * 1024
"""So many bytes of a mail are shown where nothing of it could be read."""


def put_aside(app: App, session: Session, row: MailIn, reason: OperatorError, said: str = "") -> None:
    """Put a mail into quarantine and tell the GM who may read it; `said` is what was read of it."""
    row.status, row.reason, row.handled_at, row.begun = "quarantined", str(reason), app.now(), False
    players = player_queries.players_at(session, row.sender) if row.sender else ()
    row.player_id = players[0].id if players else None
    # Nothing is read anew here: that may be what ends the process.
    read = said or rough_text(below_head(row.raw)[:MOST_READ])
    about = gm_visibility.about_mail(app, session, row, cause=f"mail:{row.id}", read=read)
    asked = [] if about.readers else _ask_to_send_again(app, session, row)
    names = ", ".join(player.name for player in asked)
    gm_list.tell(app, session, "quarantine", reason, about, gm_list.mail_offers(row), names)


def _ask_to_send_again(app: App, session: Session, row: MailIn) -> list[Player]:
    """Ask who wrote a mail that no GM may read to send it again, once a day; returns whom. No program is asked."""
    games = [game for game in gm_visibility.games_kept_from(app, session, row) if not game.zat or game.zat > app.now()]
    seated = [
        player for player in player_queries.players_at(session, row.sender)
        if any(game in gm_visibility.games_with_secrets(app, session, player) for game in games)
    ]  # fmt: skip
    if not seated or mark_of(read_head(row.raw), own_address=app.settings.service.address, is_ours=lambda _: False):
        return []
    to = replace(recipient(app, session, seated[0], games[0]), name=", ".join(player.name for player in seated))
    context = {
        "received": write_date(row.received_at, app.settings.service.timezone, to.language),
        "game": games[0].name if len(games) == 1 else "", "gm": gm_name(app),
        "games": [_until(app, game, to.language) for game in games],
    }  # fmt: skip
    occasion = Occasion(cause=f"mail:{row.id}", kind="again", priority=ANSWER, game=games[0], answers=row)
    rate_limits.send(app, session, occasion, to, [Part(template="again", context=context)])
    return seated


def _until(app: App, game: Game, language: Language) -> tuple[str, str]:
    return game.name, write_date(
        game.zat_in_force, app.settings.service.timezone, language
    ) if game.zat_in_force else ""
