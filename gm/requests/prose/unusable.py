"""Mails that we could not use: what was seen in them, and in which games a move is expected until when."""

from collections.abc import Iterator
from contextlib import suppress

from games.api import Text, say
from gm.app.context import App
from gm.game.missing_moves import still_owing
from gm.game.position import is_released, position
from gm.messages.outgoing import gm_name
from gm.messages.rendering.dates import write_date
from gm.messages.sentences.table import SENTENCES
from gm.players import access
from gm.requests.request import Request
from gm.runtime.errors import OperatorError
from gm.store.queries import seat_queries, sheet_queries
from gm.store.tables import Game
from parsers.mime.message import Mail
from parsers.mime.quoting import divide

MOST_GAMES = 3
"""So many games are named; an answer is short."""


def answer(request: Request, code: str) -> Text:
    """Word a sentence about a mail: it may say what was seen, where a move is due, and the line that explains it."""
    due = list(_due_games(request))
    titles = {request.app.engine(game.engine).rules.title for game in due}
    line = say("HELP_LINE_OF", title=titles.pop()) if len(titles) == 1 else say("HELP_LINE")
    games = tuple(_worded(request, game) for game in due[:MOST_GAMES])
    expected = say("DUE_IN", games=games) if games else say("DUE_NOWHERE")
    return say(code, gm=gm_name(request.app), saw=tuple(_seen(request)), due=expected, line=line)


def attached_in_words(app: App, mail: Mail) -> str:
    """Say for the GM that a mail has no text, only attachments, and which kinds."""
    language = app.settings.service.language
    saw = ", ".join(SENTENCES[text.code][language].format(**text.values) for text in _attached(mail))
    return SENTENCES["ONLY_ATTACHED"][language].format(saw=saw)


def _seen(request: Request) -> Iterator[Text]:
    mail = request.mail
    lines = len(request.reading.free_text.splitlines())
    if lines:
        yield say("SAW_LINES", number=lines) if lines > 1 else say("SAW_LINE")
    if divide(mail.text).has_quotation:
        yield say("SAW_QUOTE")
    yield from _attached(mail)


def _attached(mail: Mail) -> Iterator[Text]:
    if mail.has_attached_mail:
        yield say("SAW_MAIL")
    pictures = [kind for kind in mail.part_types if kind.startswith("image/")]
    if pictures:
        yield say("SAW_PICTURE") if len(pictures) == 1 else say("SAW_PICTURES", number=len(pictures))
    others = [kind for kind in mail.part_types if not kind.startswith(("image/", "text/", "multipart/", "message/"))]
    if others or (mail.has_attachment and not pictures and not mail.has_attached_mail):
        yield say("SAW_FILE")


def _due_games(request: Request) -> Iterator[Game]:
    """Yield the running games in which a move of these players is missing."""
    app, session = request.app, request.session
    ids = {player.id for player in request.players}
    for game in access.games_of(session, request.players):
        if game.status != "running":
            continue
        with suppress(OperatorError):  # whose rules can't be had here
            at = position(app, session, game)
            filed = sheet_queries.sheets_on_file(session, game)
            own = {seat.number for seat in seat_queries.seats(session, game) if seat.player_id in ids}
            if is_released(at.turn) and own & still_owing(session, game, at, filed):
                yield game


def _worded(request: Request, game: Game) -> Text:
    if game.zat is None:
        return say("DUE_GAME_ANY_TIME", game=game.name)
    zat = write_date(game.zat, request.app.settings.service.timezone, request.language, "short")
    return say("DUE_GAME", game=game.name, zat=zat)
