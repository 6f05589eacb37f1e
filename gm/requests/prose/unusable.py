"""Mails that we could not use: what was seen in them, and in which games a move is expected until when."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from games.api import Text, say
from gm.app.context import App
from gm.messages.outgoing import gm_name
from gm.messages.rendering.dates import write_date
from gm.messages.sentences import SENTENCES
from gm.requests.moves.block_to_send import Due, due_moves, show_block
from gm.requests.request import Request, find_game
from gm.runtime.errors import PlayerError
from gm.store.tables import Game
from parsers.mime.message import Mail
from parsers.mime.quoting import divide

MOST_GAMES = 3
"""So many games are named; an answer is short."""


def refuse(request: Request, code: str) -> None:
    """Say that a mail couldn't be used, what was seen in it, and show the block to send where a move is due."""
    due = list(due_moves(request))
    request.refuse(_text(request, code, due))
    _show_form(request, due, "FORM_OF_MOVE")


def pass_on(request: Request) -> None:
    """Say that a player's words went to the GM; where a move is due, also that they are none, and how one looks."""
    due = list(due_moves(request))
    code = "FREE_TEXT_ATTACHED" if request.mail.has_attachment else "FREE_TEXT" if due else "FREE_TEXT_ALONE"
    request.pass_on(_text(request, code, due))
    _show_form(request, due, "FORM_IF_MEANT")


def _text(request: Request, code: str, due: Sequence[Due]) -> Text:
    games = tuple(_worded(request, one.game) for one in due[:MOST_GAMES])
    expected = say("DUE_IN", games=games) if games else say("DUE_NOWHERE")
    return say(code, gm=gm_name(request.app), saw=tuple(_seen(request)), due=expected)


def _show_form(request: Request, due: Sequence[Due], code: str) -> None:
    """Show the block to send: for the game that the mail is about, or where that isn't known for one that is due."""
    with suppress(PlayerError):
        meant = find_game(request, "")[0]
        due = [one for one in due if one.game == meant]
    if due:
        show_block(request, due[0], code)


def attached_in_words(app: App, mail: Mail) -> str:
    """Say for the GM that a mail has no text, only attachments, and which kinds."""
    language = app.settings.service.language
    saw = ", ".join(SENTENCES[text.code][language].format(**text.values) for text in _attached(mail))
    return SENTENCES["ONLY_ATTACHED"][language].format(saw=saw)


def _seen(request: Request) -> Iterator[Text]:
    mail = request.mail
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


def _worded(request: Request, game: Game) -> Text:
    if game.zat_in_force is None:
        return say("DUE_GAME_ANY_TIME", game=game.name)
    zat = write_date(game.zat_in_force, request.app.settings.service.timezone, request.language, "short")
    return say("DUE_GAME", game=game.name, zat=zat)
