"""Who wrote a mail: the proof that `security.sender` asks for, and the question to the registered address without it.

A mail without proof waits. `Ja` to our question brings its code, which only the registered address has seen; then the
mail counts as of its own arrival. Commands that only show something need no proof: the answer goes to that address.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.game import gm_visibility
from gm.messages import gm_list, questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.messages.rendering.dates import write_date
from gm.requests.declared import changes
from gm.requests.moves import blocks, our_reading
from gm.requests.reading import read_received
from gm.requests.request import Request
from gm.requests.sender_check.senders import with_known_sender
from gm.runtime.errors import PlayerError
from gm.store.queries import mail_queries, player_queries, question_queries, sheet_queries
from gm.store.tables import Game, MailIn, Player, Question
from parsers import commands
from parsers.mime.authentication_results import judge
from parsers.mime.message import read_mail
from parsers.reading import Reading

SENDER: Final = question_queries.SENDER
FLOOD, DISOWNED = "unproven", "disowned"
"""Kinds of entries for the GM: mails whose player has too many questions open, and one that its player has denied."""
DAYS: Final = 7
"""So long a mail without proof waits for its registered address."""
MOST_A_DAY: Final = 5
"""Open questions to one player within a day; further mails wait for the GM."""
_SHOWN, _WIDTH = 20, 120
"""Lines of a mail in the question about it, and their length."""


def is_proven(request: Request) -> bool:
    """Whether a mail may be carried out without asking."""
    security = request.app.settings.security
    if security.sender == "address" or not _needs_proof(request):
        return True
    if questions.has_read_question(request.app, request.session, request.mail, request.players, request.reading.code):
        return True
    return judge(request.mail, security.trusted_authserv).word == "pass"


def _needs_proof(request: Request) -> bool:
    """Whether a mail does something in a player's name. An answer with a code is checked by its code instead."""
    said = [one.command for one in request.reading.commands]
    answers = [one for one in said if isinstance(one, commands.Yes | commands.No)]
    if not request.players:
        was_asked = answers and questions.was_asked(request.session, request.mail.sender)
        return bool(was_asked) and not request.reading.code
    others = [one for one in said if one not in answers and changes(one)]
    is_name = bool(request.reading.player_name) and not said  # an answer as well: whose move it was
    wish = request.reading.wish
    has_words = request.reading.free_text and not (wish and wish.is_harmless and not wish.beside)
    return bool(others or is_name or has_words or (answers and not request.reading.code))


# -- the question ------------------------------------------------------------------------------------------------------


def ask(request: Request) -> None:
    """Let a mail wait and ask the registered address whether it is theirs.

    A `Ja` is refused instead, unless it files a move.
    """
    said = [one.command for one in request.reading.commands]
    is_answer = said and all(isinstance(one, commands.Yes | commands.No) for one in said)
    if not request.players or (is_answer and not our_reading.in_mail_replied_to(request)):
        request.refuse(say("NO_QUESTION"))
        return
    request.waiting = True
    app, session, player = request.app, request.session, _addressee(request)
    request.writer = player
    if _is_flood(app, session, player):
        _leave_to_gm(request, player)
        return
    payload = {"received": request.received.isoformat(), "text": request.row.subject}
    about = About(mail=request.row, game=request.game, player=player)
    address, until = player_queries.address_of(session, player.id), app.now() + timedelta(days=DAYS)
    question = questions.add(app, session, SENDER, payload, about, address=address, until=until)
    received = write_date(request.received, app.settings.service.timezone, request.language)
    context = {
        "code": question.code, "lines": _shown(request), "days": DAYS, "received": received, "gm": gm_name(app),
    }  # fmt: skip
    request.parts.append(Part(template="ask_sender", context=context))


def _addressee(request: Request) -> Player:
    """Find the player to ask: of several at the address the one whose seat the mail is about, else the first."""
    for one in request.reading.commands:
        said = one.command.heading if isinstance(one.command, commands.Advance) else one.command
        if isinstance(said, commands.Orders):
            try:
                game, seat = blocks.seat_of(request, said)
            except PlayerError:
                continue
            request.note_game(game)
            return request.session.get_one(Player, seat.player_id)
    for reading in our_reading.in_mail_replied_to(request):
        return our_reading.player_of(request.session, reading)
    return request.players[0]


def _shown(request: Request) -> list[str]:
    """Quote what a mail asks for."""
    lines: list[str] = []
    for one in request.reading.commands:
        lines += [one.line] if one.line else []
        lines += one.command.block.lines if isinstance(one.command, commands.Orders | commands.Join) else ()
        lines += one.command.lines if isinstance(one.command, commands.Advance) else ()
    if our_reading.game_of_answer(request):
        lines += [line for one in our_reading.in_mail_replied_to(request) for line in one.payload["lines"]]
    lines += request.reading.free_text.splitlines()
    return [line[:_WIDTH] for line in lines[:_SHOWN]] + (["..."] if len(lines) > _SHOWN else [])


def _is_flood(app: App, session: Session, player: Player) -> bool:
    since = app.now() - timedelta(days=1)
    asked = question_queries.questions_to(session, player.id, SENDER)
    return sum(one.answered_at is None and one.created_at > since for one in asked) >= MOST_A_DAY


def _leave_to_gm(request: Request, player: Player) -> None:
    """Put a mail on the GM's list; all mails of a player share one entry."""
    session, row = request.session, request.row
    if entry := _entry(session, FLOOD, player):
        entry.payload = {
            **entry.payload, "text": f"{entry.payload['text']}, {row.id}"[: gm_list.LONGEST_TEXT],
            "offers": [*entry.payload["offers"], *map(list, gm_list.mail_offers(row))][:40],
        }  # fmt: skip
        session.add(entry)
        return
    about = gm_visibility.about_mail(request.app, session, row, player=player, read=request.mail.text)
    offers = gm_list.mail_offers(row)
    request.for_gm.append(gm_list.add_trouble(request.app, session, FLOOD, f"Mail {row.id}", about, offers))


def _entry(session: Session, kind: str, player: Player) -> Question | None:
    return next(
        (one for one in question_queries.questions_to(session, player.id, kind) if one.answered_at is None), None
    )


def confirm(request: Request, question: Question) -> Request:
    """Return the mail that waited, ready to be carried out: its registered address has confirmed it.

    Raises PlayerError.
    """
    session, row = request.session, request.session.get(MailIn, question.mail_id)
    if row is None or row.status != "waiting":
        raise PlayerError(say("ANSWERED_ALREADY"))
    mail = with_known_sender(session, read_mail(row.raw))
    players = player_queries.players_at(session, mail.sender)
    if not players:
        raise PlayerError(say("NO_QUESTION"))
    confirmed = Request(
        app=request.app, session=session, row=row, mail=mail, players=players, reading=Reading(),
        answered=request.row,
    )  # fmt: skip
    confirmed.reading = read_received(request.app, session, row, mail)
    _leave_out_overtaken(confirmed)
    return confirmed


def add_answer_of(request: Request, confirmed: Request) -> None:
    """Note what became of a confirmed mail, and put its answer into the answer to the `Ja`."""
    session, row = request.session, confirmed.row
    row.status, row.handled_at = confirmed.status, request.app.now()
    row.reason = f"confirmed: {', '.join(part.name_in_log for part in confirmed.parts)}"
    session.add(row)
    request.parts += confirmed.parts
    request.for_gm += confirmed.for_gm
    request.game, request.writer = request.game or confirmed.game, confirmed.writer or request.writer
    request.shown_position = (
        confirmed.shown_position if confirmed.shown_position is not None else request.shown_position
    )
    request.applied, request.refused = True, request.refused or confirmed.refused


def _leave_out_overtaken(request: Request) -> None:
    """Leave out moves with a later one on file: the last to arrive counts, whenever it was confirmed."""
    kept = []
    for one in request.reading.commands:
        game = _overtaken_in(request, one.command) if isinstance(one.command, commands.Orders) else None
        if game is None:
            kept.append(one)
        else:
            request.refuse(say("LATER_MOVE_COUNTS", game=game.name))
    request.reading = replace(request.reading, commands=tuple(kept))


def _overtaken_in(request: Request, command: commands.Orders) -> Game | None:
    try:
        game, seat = blocks.seat_of(request, command)
    except PlayerError:
        return None
    on_file = sheet_queries.sheets_on_file(game).get(seat.number)
    return game if on_file and on_file.received_at > request.received else None


def deny(request: Request, question: Question) -> None:
    """Refuse a mail that its registered address didn't write; the GM is told once."""
    session, row = request.session, request.session.get(MailIn, question.mail_id)
    player = session.get_one(Player, question.player_id)
    if row is not None and row.status == "waiting":
        row.status, row.reason = "refused", mail_queries.NOT_THEIRS
        session.add(row)
    if _entry(session, DISOWNED, player) is None:
        app, text = request.app, question.payload["text"]
        about = gm_visibility.about_mail(app, session, row, player=player) if row else About(player=player)
        request.for_gm.append(gm_list.add_trouble(app, session, DISOWNED, text, about))
    request.confirm(say("DISOWNED", gm=gm_name(request.app)))


def refuse_unconfirmed(app: App) -> None:
    """Refuse mails that have waited a week for their registered address."""
    long_ago = app.now() - timedelta(days=DAYS)
    rows = select(MailIn).where(MailIn.status == "waiting", col(MailIn.handled_at) <= long_ago)
    rows = rows.where(col(MailIn.player_id).is_not(None))  # a newcomer's waits for the GM
    with app.database.read() as session:
        if session.exec(rows).first() is None:
            return
    with app.database.write() as session:
        for row in session.exec(rows.order_by(col(MailIn.id))).all():
            row.status, row.reason = "refused", mail_queries.NOBODY_VOUCHED
            session.add(row)
        asked = select(Question).where(Question.kind == SENDER, col(Question.answered_at).is_(None))
        asked = asked.where(col(Question.expires_at) <= app.now())
        for question in session.exec(asked.order_by(col(Question.id))).all():
            questions.close(app, session, question, "expired")
