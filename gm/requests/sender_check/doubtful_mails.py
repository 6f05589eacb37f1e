"""Mails that a person or a program may have written: no registered player's mail is dropped without telling the GM.

A move in such a mail counts. Other text goes on the GM's list and isn't answered, as a program might answer again
(mail.md, first policies).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from gm.game import gm_visibility
from gm.messages import gm_list, questions
from gm.messages.questions import About
from gm.requests.moves import blocks, unknown_sender
from gm.requests.prose import threads, unusable
from gm.requests.request import Request
from gm.requests.sender_check import senders
from gm.store.queries import player_queries, question_queries
from gm.store.tables import MailIn, Player
from parsers.commands import Advance, NotUnderstood, Orders
from parsers.mime.machine_words import is_only_signs
from parsers.mime.triage import BY_WORDS, GENERATED, REACTION, Weight

ONCE_IN: Final = timedelta(days=1)
LIST, AMBIGUOUS, CLAIMED = "list", "ambiguous", "claimed"
"""Kinds of entries for the GM: a player's post to a list, and a mail with a player among several senders, both without
anything to do in them; and a mail in a player's name with a block or command that wasn't carried out."""


def is_left_to_gm(request: Request) -> bool:
    """Whether a player's mail looks like a program's and holds no move."""
    if request.mark is None or request.mark.weight is not Weight.LIKELY or not request.players:
        return False
    if request.mark.reason in (GENERATED, BY_WORDS, REACTION) and says_something_to_do(request):
        return False
    has_block = any(isinstance(one.command, Orders | Advance) for one in request.reading.commands)
    return not has_block and blocks.find_untitled(request) is None


def leave_to_gm(request: Request) -> None:
    """Put the text of such a mail on the GM's list, unless it stands there already; the mail is not answered."""
    assert request.mark is not None
    row, reading = request.row, request.reading
    app, session, player = request.app, request.session, request.players[0]
    is_empty = not (reading.own_words or request.mail.has_attachment or request.mail.has_attached_mail)
    if is_empty or request.mark.reason == REACTION:
        row.status, row.reason = "ignored", request.mark.reason
    elif _is_listed_in_thread(request):
        row.status, row.reason = "ignored", "its thread stands on the GM's list"
    elif reading.own_words and gm_list.was_passed_on(app, session, player, reading.own_words, within=ONCE_IN):
        row.status, row.reason = "ignored", "its words stand on the GM's list"
    else:
        text = reading.own_words or unusable.attached_in_words(app, request.mail)
        gm_list.add_unmailed(app, session, "text", text, About(mail=row, player=player))
        row.status, row.reason = "applied", f"on the GM's list: {request.mark.reason}"


def is_only_a_sign(request: Request) -> bool:
    """Whether a mail holds nothing but 👍 or the like, and answers no question of ours."""
    app, session, mail = request.app, request.session, request.mail
    if request.reading.commands or not is_only_signs(request.reading.own_words) or mail.has_attachment:
        return False
    return not request.reading.code and not questions.asked_by_mail_replied_to(app, session, mail, request.players)


def _is_listed_in_thread(request: Request) -> bool:
    """Whether a mail of the same thread stands on the GM's list: a program answers each mail of ours."""
    app, session, mail = request.app, request.session, request.mail
    asked = question_queries.questions_to(session, request.players[0].id, "text")
    rows = [session.get(MailIn, one.mail_id) for one in asked[-gm_list.MOST_COMPARED :] if one.mail_id]
    since = app.now() - gm_list.SAID_LATELY
    return any(threads.is_same_thread(session, mail, row) for row in rows if row and row.received_at > since)


def says_something_to_do(request: Request) -> bool:
    """Whether a mail carries a block or a command of ours."""
    return any(not isinstance(one.command, NotUnderstood) for one in request.reading.commands)


def take_possible_players(request: Request) -> bool:
    """Look after a block or command in a mail that may be a player's, though From is somebody else's or a program's.

    Where nothing speaks of a program, words are looked after as well.
    Nothing of it is carried out, and nobody is answered there. The player is asked at the address we know whether the
    move is theirs; what that can't settle is put before the GM. Returns False where there is no such thing.
    """
    app, session, row, mail = request.app, request.session, request.row, request.mail
    is_nobodys = request.mark is not None and request.mark.weight is Weight.NOBODY
    if is_nobodys or player_queries.players_at(session, mail.sender):
        return False
    named = senders.possible_writers(session, mail)
    has_words = request.mark is None and bool(request.reading.free_text)
    if not named or not (has_words or says_something_to_do(request) or _has_untitled(request, named)):
        return False
    if len(named) == 1 and unknown_sender.ask_owner(request, named):
        return True
    about = gm_visibility.about_mail(app, session, row, player=named[0], read=mail.text)
    head = [f"{field.title()}: {value}" for field in ("from", "reply-to") for value in mail.headers.get(field, ())]
    said = "\n".join([*head, row.subject, "", mail.text])
    request.for_gm.append(gm_list.add_trouble(app, session, CLAIMED, said, about))
    return True


def _has_untitled(request: Request, players: Sequence[Player]) -> bool:
    return blocks.find_untitled(replace(request, players=players)) is not None


def report_ignored(request: Request) -> None:
    """Put a player's ignored mail before the GM: a post to a list, or a mail with a player among several senders.

    Once a day each, but with a block or command in it each time, and then also what a program is said to have written.
    """
    mark, row, session, mail = request.mark, request.row, request.session, request.mail
    if mark is None:
        return
    does = says_something_to_do(request)
    if mark.weight is Weight.LIST or (mark.weight is Weight.CERTAIN and does):
        kind = LIST if mark.weight is Weight.LIST else CLAIMED
        for player in player_queries.players_at(session, row.sender)[:1]:
            text = f"{row.subject}\n{mail.text}"
            if _is_to_be_listed(request, kind, player, text, each=does):
                gm_list.add_unmailed(request.app, session, kind, text, About(mail=row, player=player))
    elif mark.weight is Weight.NOBODY:
        named = [player for address in mail.possible_senders for player in player_queries.players_at(session, address)]
        for player in named[:1]:
            _report_ambiguous(request, player, each=does)


def _report_ambiguous(request: Request, player: Player, *, each: bool) -> None:
    """Tell the GM once a day by mail; the others of a day stand on the list."""
    app, session, row, mail = request.app, request.session, request.row, request.mail
    about = gm_visibility.about_mail(app, session, row, player=player)
    text = f"From: {', '.join(mail.possible_senders)}\n{row.subject if about.readers else ''}"
    if not question_queries.was_listed(session, AMBIGUOUS, app.now() - ONCE_IN, player.id):
        gm_list.tell(app, session, AMBIGUOUS, text, about)
    elif each and _is_to_be_listed(request, AMBIGUOUS, player, text, each=each):
        gm_list.add_unmailed(app, session, AMBIGUOUS, text, about)


def _is_to_be_listed(request: Request, kind: str, player: Player, text: str, *, each: bool) -> bool:
    """Whether an entry is news: the first of a day, or with `each` the first with these words."""
    since = request.app.now() - ONCE_IN
    lately = [
        one for one in question_queries.questions_to(request.session, player.id, kind) if one.created_at > since
    ]  # fmt: skip
    return not lately or (each and all(one.payload.get("text") != text[: gm_list.LONGEST_TEXT] for one in lately))
