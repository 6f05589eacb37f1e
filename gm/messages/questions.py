"""Questions to people: one table, one way to ask, one way to find which of them a mail answers.

A question has a code. It stands in the subject of the mail that asks, and that mail's Message-ID stands in every reply.
Questions without an address are for the GM (`gm.messages.gm_list`).
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, or_, select

from games.api import say
from gm.app.context import App
from gm.messages import game_mails, rate_limits
from gm.messages.outgoing import Occasion, Part, Recipient, gm_contacts, post, recipient
from gm.runtime.errors import PlayerError
from gm.runtime.ids import digest_of
from gm.store import game_file
from gm.store.queries import holder_queries, player_queries, question_queries, zine_queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question
from parsers.mime.message import Mail

ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without I, L, O, 0 and 1, which people mix up."""
AT_ONCE: Final = timedelta(minutes=1)
"""What answers a mail of ours so soon may be a program's."""
MOST_ASKED_AGAIN: Final = 20
NEEDS_CODE: Final = frozenset(["address", "sender", "wish"])
"""Kinds that a bare `Ja` never answers: whoever forges a sender may have caused the question, but hasn't seen it."""


@dataclass(frozen=True, kw_only=True)
class About:
    """What a question is about, as far as there is such a thing."""

    mail: MailIn | None = None
    sent: MailOut | None = None
    """A mail of ours."""
    game: Game | None = None
    player: Player | None = None
    cause: str = ""
    """Why the GM gets a mail about it, where that isn't the question itself: the same cause brings one mail."""
    readers: Sequence[str] | None = None
    """The GMs who may read the mail, by address; None: those who don't play in the game."""
    read: str = ""
    """What the mail says, for a second GM."""


# -- asking ------------------------------------------------------------------------------------------------------------


def add(
    app: App, session: Session, kind: str, payload: dict[str, Any], about: About, *, address: str = "",
    until: datetime | None = None,
) -> Question:  # fmt: skip
    """Write a question down. Without an address it is for the GM (`gm todo` shows `payload["text"]`)."""
    question = Question(
        code=secrets.token_hex(8), kind=kind, game_id=about.game.id if about.game else None,
        player_id=about.player.id if about.player else None, mail_id=about.mail.id if about.mail else None,
        created_at=app.now(), payload=payload, address=address, expires_at=until,
    )  # fmt: skip
    session.add(question)
    session.flush()
    question.code = _code(session, question.id)
    if about.game:
        game_file.touch(session, about.game, Game.questions)
    session.flush()
    return question


def _code(session: Session, number: int) -> str:
    """Make the code of a question: nobody can guess it, and it is the same again after a crash."""
    digest = digest_of(zine_queries.signing_secret(session), "question", number)
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:8])


def send(app: App, session: Session, question: Question, context: Mapping[str, Any]) -> None:
    """Queue the mail that asks a player. Its template is named after the question's kind."""
    player = session.get_one(Player, question.player_id)
    game = session.get_one(Game, question.game_id) if question.game_id else None
    to = recipient(app, session, player, game)
    if question.address != to.address:  # perhaps somebody else's, who doesn't know what players call themselves
        to = Recipient(name="", address=question.address, language=to.language, player_id=player.id)
    engine = app.engine(game.engine) if game else None
    frame = game_mails.frame_context(app, game, engine, to.language) if game and engine else {}
    part = Part(
        template=f"ask_{question.kind}", context={**frame, **question.payload, **context, "code": question.code},
        engine=engine, names=holder_queries.names_by_seat(session, game) if game else {},
    )  # fmt: skip
    post(app, session, Occasion(cause=f"question:{question.id}", kind="question", game=game), to, [part])


def may_ask(app: App, session: Session, address: str) -> bool:
    """Check whether one more question may go to an address now: as many an hour as answers."""
    return rate_limits.reached(app, session, "question", address) is None


def was_asked(session: Session, address: str) -> bool:
    """Check whether we ever asked this address something."""
    return session.exec(select(Question.id).where(Question.address == address)).first() is not None


def is_gm(app: App, address: str) -> bool:
    """Check whether this is the address of the GM or of the second GM."""
    return address.lower() in {contact.address.lower() for contact in gm_contacts(app)}


# -- answered ----------------------------------------------------------------------------------------------------------


def find(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> Question:
    """Find the question that a mail answers: by its code, by the mail it replies to, or because only one is open.

    Raises PlayerError that says what is wrong with the answer.
    """
    now = app.now()
    if code:
        return _by_code(app, session, mail, players, code.upper())
    thread = (mail.in_reply_to, *mail.references)
    if is_gm(app, mail.sender) and (to_gm := question_queries.question_of_thread(session, thread)):
        return to_gm  # never a bare one: anybody can write the GM's address into a mail
    asked = [q for q in _open_questions(session, mail.sender, players) if q.expires_at is None or q.expires_at > now]
    candidates = _replied_to(session, asked, thread) or (_bare(asked) if players else [])
    is_clear = len(candidates) == 1 or any(q.kind == question_queries.READING for q in candidates)
    here = candidates if is_clear else [q for q in candidates if q.address == mail.sender]
    if len(here) != 1:
        raise PlayerError(say("NO_QUESTION"))
    return here[0]


def _bare(asked: Sequence[Question]) -> Sequence[Question]:
    """Keep what a player's bare answer can be for. Where it would file a move, nothing else may be open.

    Who forges an unknown sender has not seen our mail; a registered player's address is asked about each change.
    """
    if any(q.kind == question_queries.READING for q in asked):
        return asked
    return [q for q in asked if q.kind not in NEEDS_CODE]


def _replied_to(session: Session, asked: Sequence[Question], thread: Collection[str]) -> list[Question]:
    """Keep the questions whose mail was replied to."""
    causes = set(session.exec(select(MailOut.cause).where(col(MailOut.message_id).in_({*thread} - {""}))))
    return [q for q in asked if causes & _causes(q)]


def _causes(question: Question) -> set[str]:
    """Return the causes of the mails that ask a question: the first one, and those that said it is still open."""
    mails = (question.mail_id, *question.payload.get("asked_again", ()))
    return {f"question:{question.id}", question.payload.get("cause", ""), *(f"mail:{one}" for one in mails)}


def replied_to(mail: Mail) -> str:
    """Return the Message-ID of the mail that was replied to."""
    return mail.in_reply_to or (mail.references[-1] if mail.references else "")


def causes_of(session: Session, message_id: str, players: Collection[Player]) -> set[str]:
    """Return the cause of a mail of ours to one of these players; nothing where it isn't one."""
    rows = select(MailOut.cause).where(
        MailOut.message_id == message_id, col(MailOut.player_id).in_([player.id for player in players])
    )
    return set(session.exec(rows)) if message_id and players else set()


def asked_by_mail_replied_to(app: App, session: Session, mail: Mail, players: Collection[Player]) -> Sequence[Question]:
    """List the open questions to the sender that stand in the very mail that was replied to."""
    replied = replied_to(mail)
    asked = _open_questions(session, mail.sender, players) if replied else ()
    return _replied_to(session, [q for q in asked if q.expires_at is None or q.expires_at > app.now()], [replied])


def named_by_code(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> Question | None:
    """Find the question to the sender with this code, open or not."""
    question = session.exec(select(Question).where(Question.code == code.upper())).first() if code else None
    return question if question and _is_for(app, session, question, mail.sender, players) else None


def open_readings(session: Session, players: Collection[Player]) -> Sequence[Question]:
    """List the open questions to these players whose answer files a move."""
    asked = _open_questions(session, "", players) if players else ()
    return [q for q in asked if q.kind == question_queries.READING]


def asked_at(app: App, session: Session, address: str, players: Collection[Player]) -> list[Question]:
    """List the open questions that were asked at an address, oldest first."""
    asked = _open_questions(session, address, players)
    return [q for q in asked if q.address == address and (q.expires_at is None or q.expires_at > app.now())]


def subject_of(session: Session, question: Question) -> str:
    """Return the subject of the mail that asks a question; empty where there is none."""
    rows = select(MailOut.subject).where(col(MailOut.cause).in_(_causes(question)), MailOut.address == question.address)
    return session.exec(rows.order_by(col(MailOut.id))).first() or ""


def asked_last(session: Session, question: Question) -> datetime:
    """Return when a mail that asks a question last went out."""
    rows = select(MailOut.sent_at).where(col(MailOut.cause).in_(_causes(question)), col(MailOut.sent_at).is_not(None))
    return max((at for at in session.exec(rows) if at), default=question.created_at)


def ask_again(session: Session, question: Question, mail: MailIn) -> None:
    """Note that the answer to a mail says that a question is still open: a reply to that answers the question."""
    again = [*question.payload.get("asked_again", ()), mail.id]
    question.payload = {**question.payload, "asked_again": again[-MOST_ASKED_AGAIN:]}
    session.add(question)
    session.flush()


def has_read_question(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> bool:
    """Check whether a mail proves that its writer has read an open question at the address that it was sent to.

    To have read our reading of a block proves nothing: a block needs another proof as well.
    """
    if code:
        try:
            found = [_by_code(app, session, mail, players, code.upper())]
        except PlayerError:
            return False
    else:
        thread = (mail.in_reply_to, *mail.references)
        if is_gm(app, mail.sender) and question_queries.question_of_thread(session, thread):
            return True
        open_ones = [
            q for q in _open_questions(session, mail.sender, players) if not q.expires_at or q.expires_at > app.now()
        ]
        found = _replied_to(session, open_ones, thread)
    known = {"", mail.sender, *(player_queries.address_of(session, player.id) for player in players)}
    return any(one.address in known and one.kind != question_queries.READING for one in found)


def _by_code(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> Question:
    now, sender = app.now(), mail.sender
    question = session.exec(select(Question).where(Question.code == code)).first()
    if question is None or not _is_for(app, session, question, sender, players):
        raise PlayerError(say("WRONG_CODE", named=code))
    if question.answered_at is not None:
        # The code of a mail to the GM stands for all that it asks.
        if not question.address and (others := question_queries.questions_in_same_mail(session, question)):
            return others[0]
        raise PlayerError(say("ANSWERED_ALREADY"))
    if question.expires_at is not None and question.expires_at <= now:
        raise PlayerError(say("QUESTION_EXPIRED"))
    return question


def _is_for(app: App, session: Session, question: Question, sender: str, players: Collection[Player]) -> bool:
    """Check whether this sender was asked, at this address or as a player who writes from another one today."""
    return _was_asked(session, question, sender, players) if question.address else is_gm(app, sender)


def _was_asked(session: Session, question: Question, sender: str, players: Collection[Player]) -> bool:
    """Do the same for a question with an address. Where that isn't the player's any more, nobody was asked.

    A player's new address isn't theirs before it has said yes.
    """
    is_their_own = question.player_id in {player.id for player in players}
    if question.player_id is None or question.payload.get("new") == question.address:
        return is_their_own or question.address == sender
    return is_their_own and question.player_id in {
        one.id for one in player_queries.players_at(session, question.address)
    }


def _open_questions(session: Session, sender: str, players: Collection[Player]) -> Sequence[Question]:
    """List the open questions that this sender was asked, oldest first."""
    rows = select(Question).where(
        col(Question.answered_at).is_(None), Question.address != "",
        or_(Question.address == sender, col(Question.player_id).in_([player.id for player in players])),
    )  # fmt: skip
    found = session.exec(rows.order_by(col(Question.id))).all()
    return [one for one in found if _was_asked(session, one, sender, players)]


def close(app: App, session: Session, question: Question, answer: str) -> None:
    """Write down how a question was answered, or why it needs no answer any more."""
    question.answered_at, question.answer = app.now(), answer
    session.add(question)
    if question.game_id:
        game_file.touch(session, session.get_one(Game, question.game_id))
    session.flush()


def close_readings(session: Session, game: Game, seat: int | None, now: datetime, answer: str) -> None:
    """Close the question whether a refused block is read as it was meant, of one seat or of all."""
    shown = question_queries.questions_about(game, question_queries.READING)
    for question in [one for one in shown if seat in (None, one.payload["seat"])]:
        question.answered_at, question.answer = now, answer
        game_file.touch(session, game)


def close_about_mail(app: App, session: Session, row: MailIn, *kinds: str, answer: str) -> None:
    """Close all open questions of these kinds about a received mail."""
    for question in question_queries.open_about_mail(session, row.id, *kinds):
        close(app, session, question, answer)


def close_about(app: App, session: Session, game: Game, *kinds: str, answer: str) -> None:
    """Close all open questions of these kinds about a game."""
    for question in question_queries.questions_about(game, *kinds):
        close(app, session, question, answer)
