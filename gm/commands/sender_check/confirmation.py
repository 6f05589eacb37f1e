"""Who wrote a mail: what `security.sender` takes as proof, and the question to the registered address where it lacks.

A mail that nothing vouches for waits as it is. `Ja` to our question comes with its code, which only the registered
address has seen; then the mail counts as of its own arrival. What changes nothing and only answers to that address
needs no proof.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from games import engines
from games.api import say
from gm.app.context import App
from gm.commands.moves import moves
from gm.commands.request import Incoming
from gm.commands.sender_check import tokens
from gm.messages import gm_list, questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.messages.rendering.dates import write_date
from gm.runtime.errors import PlayerError
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Game, MailIn, Player, Question
from parsers.commands import commands
from parsers.commands.grammar import read_commands
from parsers.mime.authentication_results import judge
from parsers.mime.message import read_mail

SENDER: Final = "sender"
FLOOD, DISOWNED = "unproven", "disowned"
"""The GM's kinds: mails about which their player isn't asked any more, and one that a player knows nothing of."""
DAYS: Final = 7
MOST_A_DAY: Final = 5
"""Open questions to one player within a day; what comes on top waits for the GM."""
_SHOWN, _WIDTH = 20, 120
"""Lines of a mail in the question about it, and their length."""
_HARMLESS: Final = (
    commands.Help, commands.Games, commands.Status, commands.History, commands.NotUnderstood,
    commands.Desk,  # its own code or thread is asked for where it is carried out
)  # fmt: skip


def is_given(incoming: Incoming) -> bool:
    """Say whether a mail may be carried out as it stands."""
    security = incoming.app.settings.security
    if security.sender == "address" or not _needs_proof(incoming):
        return True
    app, session, mail, code = incoming.app, incoming.session, incoming.mail, incoming.reading.code
    if questions.has_read_question(app, session, mail, incoming.players, code):
        return True
    if security.sender == "authenticated":
        return judge(incoming.mail, security.trusted_authserv).word == "pass"
    return bool(incoming.players) and tokens.vouch(incoming)


def _needs_proof(incoming: Incoming) -> bool:
    """Say whether a mail does something in a player's name. An answer that names a code is looked at with the code."""
    said = [one.command for one in incoming.reading.commands]
    answers = [one for one in said if isinstance(one, commands.Yes | commands.No)]
    if not incoming.players:
        was_asked = answers and questions.was_asked(incoming.session, incoming.mail.sender)
        return bool(was_asked) and not incoming.reading.code
    others = [one for one in said if one not in answers and not isinstance(one, _HARMLESS)]
    is_name = bool(incoming.reading.player_name) and not said  # an answer as well: whose move it was
    return bool(others or is_name or incoming.reading.free_text or (answers and not incoming.reading.code))


def status_of(incoming: Incoming) -> str:
    """Say for the log what became of a mail."""
    if incoming.waits:
        return "waiting"
    return "refused" if incoming.refused and not incoming.applied else "applied"


# -- the question ------------------------------------------------------------------------------------------------------


def ask(incoming: Incoming) -> None:
    """Let a mail wait and ask the registered address whether it is theirs; a bare `Ja` is no case for that."""
    said = [one.command for one in incoming.reading.commands]
    if not incoming.players or (said and all(isinstance(one, commands.Yes | commands.No) for one in said)):
        incoming.notice(say("NO_QUESTION"))
        return
    incoming.waits = True
    app, session, player = incoming.app, incoming.session, _addressee(incoming)
    incoming.writer = player
    if _is_flood(app, session, player):
        _leave_to_gm(incoming, player)
        return
    payload = {"received": incoming.received.isoformat(), "text": incoming.row.subject}
    about = About(mail=incoming.row, game=incoming.game, player=player)
    address, until = game_queries.address_of(session, player.id), app.now() + timedelta(days=DAYS)
    question = questions.add(app, session, SENDER, payload, about, address=address, until=until)
    received = write_date(incoming.received, app.settings.service.timezone, incoming.language)
    context = {
        "code": question.code, "lines": _shown(incoming), "days": DAYS, "received": received, "gm": gm_name(app),
    }  # fmt: skip
    incoming.parts.append(Part(template="ask_sender", context=context))


def _addressee(incoming: Incoming) -> Player:
    """Find whom a mail claims to be from: of a couple the one whose seat it is about, else the first."""
    for one in incoming.reading.commands:
        if isinstance(one.command, commands.Orders):
            try:
                game, seat = moves.own_game(incoming, one.command)
            except PlayerError:
                continue
            incoming.about(game)
            return incoming.session.get_one(Player, seat.player_id)
    return incoming.players[0]


def _shown(incoming: Incoming) -> list[str]:
    """Write down what a mail asks for, as it stands there."""
    lines: list[str] = []
    for one in incoming.reading.commands:
        lines += [one.line] if one.line else []
        lines += one.command.block.lines if isinstance(one.command, commands.Orders | commands.Join) else ()
    lines += incoming.reading.free_text.splitlines()
    return [line[:_WIDTH] for line in lines[:_SHOWN]] + (["..."] if len(lines) > _SHOWN else [])


def _is_flood(app: App, session: Session, player: Player) -> bool:
    since = app.now() - timedelta(days=1)
    asked = question_queries.questions_to(session, player.id, SENDER)
    return sum(one.answered_at is None and one.created_at > since for one in asked) >= MOST_A_DAY


def _leave_to_gm(incoming: Incoming, player: Player) -> None:
    """Put a mail on the GM's list, all of a player's into one entry."""
    session, row = incoming.session, incoming.row
    offers = [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]
    if entry := _entry(session, FLOOD, player):
        entry.payload = {
            **entry.payload, "text": f"{entry.payload['text']}, {row.id}"[: gm_list.LONGEST_TEXT],
            "offers": [*entry.payload["offers"], *map(list, offers)][:40],
        }  # fmt: skip
        session.add(entry)
        return
    incoming.tell_gm(FLOOD, f"Mail {row.id}", player=player, offers=offers)


def _entry(session: Session, kind: str, player: Player) -> Question | None:
    return next(
        (one for one in question_queries.questions_to(session, player.id, kind) if one.answered_at is None), None
    )


def confirm(incoming: Incoming, question: Question) -> None:
    """Let a mail that waited be carried out: its registered address says that it is theirs. Raises PlayerError."""
    session, row = incoming.session, incoming.session.get(MailIn, question.mail_id)
    if row is None or row.status != "waiting":
        raise PlayerError(say("ANSWERED_ALREADY"))
    mail = read_mail(row.raw)
    players = game_queries.players_at(session, mail.sender)
    if not players:
        raise PlayerError(say("NO_QUESTION"))
    reading = read_commands(mail, [engine.rules for engine in engines().values()])
    owned = Incoming(app=incoming.app, session=session, row=row, mail=mail, players=players, reading=reading)
    _leave_out_overtaken(owned)
    incoming.confirmed = owned


def take_over(incoming: Incoming, owned: Incoming) -> None:
    """Note what became of a mail that was confirmed; the answer to the `Ja` tells it."""
    session, row = incoming.session, owned.row
    row.status, row.handled_at = status_of(owned), incoming.app.now()
    row.reason = f"confirmed: {', '.join(part.template for part in owned.parts)}"
    session.add(row)
    incoming.parts += owned.parts
    incoming.for_gm += owned.for_gm
    incoming.game, incoming.writer = incoming.game or owned.game, owned.writer or incoming.writer
    incoming.shows = owned.shows if owned.shows is not None else incoming.shows
    incoming.applied, incoming.refused = True, incoming.refused or owned.refused


def _leave_out_overtaken(incoming: Incoming) -> None:
    """Of a seat's moves the one that arrived last counts, whenever it was vouched for."""
    kept = []
    for one in incoming.reading.commands:
        game = _overtaken_in(incoming, one.command) if isinstance(one.command, commands.Orders) else None
        if game is None:
            kept.append(one)
        else:
            incoming.notice(say("LATER_MOVE_COUNTS", game=game.name))
    incoming.reading = replace(incoming.reading, commands=tuple(kept))


def _overtaken_in(incoming: Incoming, command: commands.Orders) -> Game | None:
    try:
        game, seat = moves.own_game(incoming, command)
    except PlayerError:
        return None
    on_file = game_queries.sheets_on_file(incoming.session, game).get(seat.number)
    return game if on_file and on_file.received_at > incoming.received else None


def deny(incoming: Incoming, question: Question) -> None:
    """Drop a mail that its registered address knows nothing of; the GM is told once."""
    session, row = incoming.session, incoming.session.get(MailIn, question.mail_id)
    player = session.get_one(Player, question.player_id)
    if row is not None and row.status == "waiting":
        row.status, row.reason = "refused", "the registered address says that it isn't theirs"
        session.add(row)
    if _entry(session, DISOWNED, player) is None:
        about = About(mail=row, player=player)
        entry = gm_list.add_trouble(incoming.app, session, DISOWNED, question.payload["text"], about)
        incoming.for_gm.append(entry)
    incoming.notice(say("DISOWNED", gm=gm_name(incoming.app)), applied=True)


def give_up_waiting(app: App) -> None:
    """Refuse what waited a week for its registered address."""
    long_ago = app.now() - timedelta(days=DAYS)
    rows = select(MailIn).where(MailIn.status == "waiting", col(MailIn.handled_at) <= long_ago)
    rows = rows.where(col(MailIn.player_id).is_not(None))  # a newcomer's waits for the GM
    with app.database.read() as session:
        if session.exec(rows).first() is None:
            return
    with app.database.write() as session:
        for row in session.exec(rows.order_by(col(MailIn.id))).all():
            row.status, row.reason = "refused", f"nobody vouched for it within {DAYS} days"
            session.add(row)
        asked = select(Question).where(Question.kind == SENDER, col(Question.answered_at).is_(None))
        asked = asked.where(col(Question.expires_at) <= app.now())
        for question in session.exec(asked.order_by(col(Question.id))).all():
            questions.close(app, session, question, "expired")
