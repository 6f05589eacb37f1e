"""Mails that a person or a program may have written: no registered player's mail is dropped without telling the GM.

A move in such a mail counts. Other text goes on the GM's list and isn't answered, as a program might answer again
(mail.md, first policies).
"""

from datetime import timedelta
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.game import gm_visibility
from gm.messages import gm_list
from gm.messages.questions import About
from gm.requests.moves import blocks
from gm.requests.prose import unusable
from gm.requests.request import Request
from gm.store.queries import player_queries, question_queries
from gm.store.tables import MailIn
from parsers.commands import Advance, Orders
from parsers.mime.message import Mail
from parsers.mime.triage import Mark, Weight

ONCE_IN: Final = timedelta(days=1)
LIST, AMBIGUOUS = "list", "ambiguous"
"""Kinds of entries for the GM: a player's post to a mailing list, and a mail with a player among several senders."""


def is_left_to_gm(request: Request) -> bool:
    """Whether a player's mail looks like a program's and holds no move."""
    if request.mark is None or request.mark.weight is not Weight.LIKELY:
        return False
    has_block = any(isinstance(one.command, Orders | Advance) for one in request.reading.commands)
    return not has_block and blocks.find_untitled(request) is None


def leave_to_gm(request: Request) -> None:
    """Put the text of such a mail on the GM's list, unless it stands there already; the mail is not answered."""
    assert request.mark is not None
    row, reading = request.row, request.reading
    app, session, player = request.app, request.session, request.players[0]
    if not (reading.own_words or request.mail.has_attachment or request.mail.has_attached_mail):
        row.status, row.reason = "ignored", request.mark.reason
    elif reading.own_words and gm_list.was_passed_on(app, session, player, reading.own_words, within=ONCE_IN):
        row.status, row.reason = "ignored", "its words stand on the GM's list"
    else:
        text = reading.own_words or unusable.attached_in_words(app, request.mail)
        gm_list.add_unmailed(app, session, "text", text, About(mail=row, player=player))
        row.status, row.reason = "applied", f"on the GM's list: {request.mark.reason}"


def report_ignored(app: App, session: Session, row: MailIn, mail: Mail, mark: Mark | None) -> None:
    """Tell the GM of a player's post to a list, and of a mail with a player among several senders: once a day each."""
    if mark and mark.weight is Weight.LIST:
        for player in player_queries.players_at(session, row.sender)[:1]:
            if not question_queries.was_listed(session, LIST, app.now() - ONCE_IN, player.id):
                gm_list.add_unmailed(app, session, LIST, f"{row.subject}\n{mail.text}", About(mail=row, player=player))
    elif mark and mark.weight is Weight.NOBODY:
        named = [player for address in mail.possible_senders for player in player_queries.players_at(session, address)]
        for player in named[:1]:
            if not question_queries.was_listed(session, AMBIGUOUS, app.now() - ONCE_IN, player.id):
                about = gm_visibility.about_mail(app, session, row, player=player)
                subject = row.subject if about.readers else ""
                text = f"From: {', '.join(mail.possible_senders)}\n{subject}"
                gm_list.tell(app, session, AMBIGUOUS, text, about)
