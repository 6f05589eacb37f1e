"""Queries for the questions that we ask players and the GM."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, func, or_, select

from gm.store.queries.thread_queries import THREAD_IDS
from gm.store.tables import Game, MailOut, Player, Question
from parsers.invisible import fold_name

HELD_MOVE: Final = "word"
"""Kind: to the GM, about a doubtful word in a move that would have its effect at once."""
OFFER: Final = "seat"
"""Kind: offers a seat; `payload`: seat, who leaves it, and until when nobody else is asked."""
WHICH_PLAYER: Final = "who"
"""Kind: asks two players who share an address whose move it is."""
UNKNOWN_SENDER: Final = "stranger"
"""Kind: asks a seat's player whether a move from an unknown address is theirs."""
SENDER: Final = "sender"
"""Kind: whether a mail without proof is its player's."""
WISH: Final = "wish"
"""Kind: whether a line that a player's words wish is meant."""
READING: Final = "reading"
"""Kind: asks a seat's player whether a refused block is read as it was meant; `payload`: seat, round, stand, lines, and
the cause of the mail that shows it."""
MOVES_FROM_ELSEWHERE: Final = "elsewhere"
"""Kind: tells the GM of moves for a seat that came from unknown addresses."""
SIMILAR_NAME: Final = "alike"
"""Kind: tells the GM of a newcomer whose name can be taken for another's."""
EXTENSION: Final = "extension"
"""Kind: tells the GM of a player's wish for more time; `payload`: the ZAT that is `wished`."""
ASKED_BACK: Final = "back"
"""Kind: asks the GM whether a player who has left gets the seat back."""
VACANCY: Final = "vacancy"
"""Kind: asks the GM what to do when nobody on the standby list takes a seat."""


def open_questions(session: Session, address: str | None = None) -> Sequence[Question]:
    """List the open questions to an address, or, without one, those that wait for the GM."""
    rows = select(Question).where(col(Question.answered_at).is_(None), Question.address == (address or ""))
    return session.exec(rows.order_by(col(Question.id))).all()


def questions_about(game: Game, *kinds: str) -> Sequence[Question]:
    """List the open questions of these kinds about a game, oldest first."""
    return [question for question in open_about(game) if question.kind in kinds]


def was_listed(session: Session, kind: str, since: datetime, player_id: int | None = None) -> bool:
    """Return whether an entry of a kind was made on the GM's list since then, about this player or about nobody."""
    rows = select(Question.id).where(
        Question.kind == kind, Question.player_id == player_id, col(Question.created_at) > since
    )
    return session.exec(rows).first() is not None


def count_listed(session: Session, kind: str, since: datetime) -> int:
    """Count the entries of a kind that were made on the GM's list since then."""
    rows = select(func.count()).select_from(Question).where(Question.kind == kind, col(Question.created_at) > since)
    return session.exec(rows).one()


def last_listed(session: Session, kind: str, since: datetime) -> Question | None:
    """Return the last entry of a kind that was made since then and is still open."""
    rows = select(Question).where(
        Question.kind == kind, col(Question.created_at) > since, col(Question.answered_at).is_(None)
    )
    return session.exec(rows.order_by(col(Question.id).desc())).first()


def games_asked_about(session: Session, mail_id: int) -> set[int]:
    """Find the games in which something was asked, or put before the GM, because of a mail."""
    rows = select(Question.game_id).where(Question.mail_id == mail_id)
    return {game_id for game_id in session.exec(rows) if game_id is not None}


def open_about_mail(session: Session, mail_id: int, *kinds: str) -> Sequence[Question]:
    """List the open questions of these kinds about a received mail."""
    rows = select(Question).where(Question.mail_id == mail_id, col(Question.answered_at).is_(None))
    return session.exec(rows.where(col(Question.kind).in_(kinds))).all()


def held_moves(game: Game) -> Sequence[Question]:
    """List the moves of a game that wait for the GM's ruling on a word, in order of arrival."""
    return questions_about(game, HELD_MOVE)


def open_about(game: Game) -> Sequence[Question]:
    """List the open questions about a game, oldest first."""
    return [question for question in game.questions if question.answered_at is None]


def open_for_gm_about(game: Game) -> Sequence[Question]:
    """List what waits for the GM about a game."""
    return [question for question in open_about(game) if not question.address]


def games_with_vacancy(session: Session) -> set[int]:
    """List the running games in which a seat is, or was once, offered."""
    asked = select(Question.game_id).join(Game).where(
        col(Question.kind).in_((OFFER, VACANCY)), Game.status == "running"
    )  # fmt: skip
    return {game_id for game_id in session.exec(asked.distinct()) if game_id is not None}


def player_made_by_question(session: Session, address: str, name_key: str) -> Player | None:
    """Find the player whom an earlier `Ja` from this address made for the same name."""
    rows = select(Question, Player).join(Player).where(Question.address == address).order_by(col(Question.id))
    return next(
        (player for one, player in session.exec(rows) if fold_name(one.payload.get("name", "")) == name_key), None
    )


def questions_to(session: Session, player_id: int, kind: str) -> Sequence[Question]:
    """List all questions of a kind that a player was asked, answered or not."""
    rows = select(Question).where(Question.player_id == player_id, Question.kind == kind)
    return session.exec(rows.order_by(col(Question.id))).all()


def question_of_thread(session: Session, message_ids: Sequence[str]) -> Question | None:
    """Find the open question to the GM whose mail was replied to."""
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    kinds = (*_MAIL_KINDS.values(), _OTHER_MAIL_KIND, _ASKED_BACK)
    rows = select(MailOut.cause, MailOut.kind).where(
        col(MailOut.message_id).in_(known), col(MailOut.kind).in_(kinds)
    )  # fmt: skip
    mails = set(session.exec(rows)) if known else set()
    asked = open_questions(session) if mails else ()
    return next((one for one in asked if _mail_of(one) in mails), None)


def questions_in_same_mail(session: Session, question: Question) -> Sequence[Question]:
    """List the open questions that one mail has put to the GM, this one among them."""
    return [one for one in open_questions(session) if _mail_of(one) == _mail_of(question)]


def put_by_mails(session: Session, mails: Sequence[MailOut]) -> Sequence[Question]:
    """List what these mails have put to the GM, answered or not, as far as it is about a mail or stands alone."""
    known = {(mail.cause, mail.kind) for mail in mails}
    found = [match for cause, _ in known if (match := _NUMBERED.fullmatch(cause))]
    numbers = [int(match[2]) for match in found if match[1] == "question"]
    own = select(Question).where(col(Question.id).in_(numbers), Question.address == "")
    about = {question.mail_id for question in session.exec(own)} - {None}
    about |= {int(match[2]) for match in found if match[1] == "mail"}
    rows = select(Question).where(
        Question.address == "", or_(col(Question.id).in_(numbers), col(Question.mail_id).in_(about))
    )
    return [one for one in session.exec(rows.order_by(col(Question.id))) if _mail_of(one) in known]


def put_by_same_mail(session: Session, code: str) -> Sequence[Question]:
    """List what the mail with this code has put to the GM, answered or not."""
    first = session.exec(select(Question).where(Question.code == code, Question.address == "")).first()
    if first is None or first.mail_id is None:
        return [first] if first else []
    rows = select(Question).where(Question.address == "", Question.mail_id == first.mail_id)
    return [one for one in session.exec(rows.order_by(col(Question.id))) if _mail_of(one) == _mail_of(first)]


def mails_that_put(session: Session, asked: Sequence[Question]) -> Sequence[MailOut]:
    """List the mails that have put these questions to the GM."""
    known = {_mail_of(question) for question in asked}
    rows = select(MailOut).where(col(MailOut.cause).in_([cause for cause, _ in known]))
    return [mail for mail in session.exec(rows) if (mail.cause, mail.kind) in known]


def codes_among(session: Session, words: Collection[str]) -> set[str]:
    """Find those of these words that are codes of questions, open or not."""
    return set(session.exec(select(Question.code).where(col(Question.code).in_(words)))) if words else set()


def _mail_of(question: Question) -> tuple[str, str]:
    """Return cause and kind of the mail that put a question to the GM; two mails may have the same cause."""
    kind = question.payload.get("mail_kind") or _MAIL_KINDS.get(question.kind, _OTHER_MAIL_KIND)
    return question.payload.get("cause") or f"question:{question.id}", kind


_MAIL_KINDS: Final = {"words": "words", HELD_MOVE: "words", "appeal": "appeal", "release": "release"}
_OTHER_MAIL_KIND: Final = "trouble"
_ASKED_BACK: Final = "answer"
"""The kind of the mail that asks the GM whether a letter shall go out."""
_NUMBERED: Final = re.compile(r"(question|mail):(\d+)")
