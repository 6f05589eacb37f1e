"""Mails that a person may have written or not: nothing of a registered player's is dropped without a word to the GM.

A mark of a robot or list decides only what becomes of such a mail: a move in it counts; other words stand on the GM's
list and aren't answered, for nobody knows what answers (mail.md, first policies).
"""

from datetime import timedelta
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.commands.moves import moves
from gm.commands.request import Incoming
from gm.messages import gm_list
from gm.messages.questions import About
from gm.store.queries import game_queries, question_queries
from gm.store.tables import MailIn
from parsers.commands.commands import Orders
from parsers.mime.message import Mail
from parsers.mime.triage import Mark, Weight

ONCE_IN: Final = timedelta(days=1)
LIST, AMBIGUOUS = "list", "ambiguous"
"""The GM's kinds: a player's post to a mailing list, and a mail that names a player among several senders."""


def is_left_to_gm(incoming: Incoming) -> bool:
    """Say whether a player's mail looks like a program's and holds no move."""
    if incoming.mark is None or incoming.mark.weight is not Weight.LIKELY:
        return False
    has_block = any(isinstance(one.command, Orders) for one in incoming.reading.commands)
    return not has_block and moves.find_untitled(incoming) is None


def leave_to_gm(incoming: Incoming) -> None:
    """Put the words of such a mail on the GM's list, unless they stand there already; nobody is answered."""
    assert incoming.mark is not None
    row, reading = incoming.row, incoming.reading
    app, session, player = incoming.app, incoming.session, incoming.players[0]
    if not (reading.said or incoming.mail.has_attachment):
        row.status, row.reason = "ignored", incoming.mark.reason
    elif reading.said and gm_list.was_passed_on(app, session, player, reading.said, within=ONCE_IN):
        row.status, row.reason = "ignored", "its words stand on the GM's list"
    else:
        text = reading.said or ", ".join(incoming.mail.part_types)
        gm_list.add_unmailed(app, session, "text", text, About(mail=row, player=player))
        row.status, row.reason = "applied", f"on the GM's list: {incoming.mark.reason}"


def tell_of_ignored(app: App, session: Session, row: MailIn, mail: Mail, mark: Mark | None) -> None:
    """Put a player's post to a list, and a mail with a player among several senders, before the GM: once a day each."""
    if mark and mark.weight is Weight.LIST:
        for player in game_queries.players_at(session, row.sender)[:1]:
            if not question_queries.was_listed(session, LIST, app.now() - ONCE_IN, player.id):
                gm_list.add_unmailed(app, session, LIST, f"{row.subject}\n{mail.text}", About(mail=row, player=player))
    elif mark and mark.weight is Weight.NOBODY:
        named = [player for address in mail.possible_senders for player in game_queries.players_at(session, address)]
        for player in named[:1]:
            if not question_queries.was_listed(session, AMBIGUOUS, app.now() - ONCE_IN, player.id):
                text = f"From: {', '.join(mail.possible_senders)}\n{row.subject}"
                gm_list.tell(app, session, AMBIGUOUS, text, About(mail=row, player=player))
