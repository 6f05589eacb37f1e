"""Questions to the database about what we ask somebody, players or the GM."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from gm.store.queries.game_queries import THREAD_IDS, key_of
from gm.store.queries.query_cache import asked_once, tell
from gm.store.tables import Game, MailOut, Player, Question

HELD_MOVE: Final = "word"
"""The kind of question that a doubtful word in a move with effect at once brings."""
OFFER: Final = "seat"
"""The kind of question that offers a seat; `payload`: seat, who leaves it, and until when nobody else is asked."""
WHO: Final = "who"
"""The kind of question to a couple whose move one is that names neither of them."""
STRANGER: Final = "stranger"
"""The kind of question to a seat's player whether a move from an unknown address is theirs."""
ELSEWHERE: Final = "elsewhere"
"""The kind of entry on the GM's list about moves for a seat that came from unknown addresses."""
ALIKE: Final = "alike"
"""The kind of entry on the GM's list about a newcomer whose name looks like another's."""
VACANCY: Final = "vacancy"
"""The kind of question to the GM when nobody on the list takes a seat."""


def open_questions(session: Session, address: str | None = None) -> Sequence[Question]:
    """List what is not answered yet: what we asked an address, or (None) what waits for the GM."""
    rows = select(Question).where(col(Question.answered_at).is_(None), Question.address == (address or ""))
    return session.exec(rows.order_by(col(Question.id))).all()


def questions_about(session: Session, game: Game, *kinds: str) -> Sequence[Question]:
    """List the open questions of these kinds about a game, oldest first."""
    return [question for question in _open_about(session, game.id) if question.kind in kinds]


def was_listed(session: Session, kind: str, since: datetime, player_id: int | None = None) -> bool:
    """Say whether something of a kind was put on the GM's list since then, about a player or about nobody."""
    rows = select(Question.id).where(
        Question.kind == kind, Question.player_id == player_id, col(Question.created_at) > since
    )
    return session.exec(rows).first() is not None


def held_moves(session: Session, game: Game) -> Sequence[Question]:
    """List the moves of a game that wait for the GM's word on a word, in order of arrival."""
    return questions_about(session, game, HELD_MOVE)


_OPEN_ABOUT: Final = (
    select(Question)
    .where(Question.game_id == bindparam("game"), col(Question.answered_at).is_(None))
    .order_by(col(Question.id))
)  # fmt: skip


@asked_once(Question, about_game=True)
def _open_about(session: Session, game_id: int) -> Sequence[Question]:
    return session.exec(_OPEN_ABOUT, params={"game": game_id}).all()


def for_gm_about(session: Session, game: Game) -> Sequence[Question]:
    """List what waits for the GM about a game."""
    return [question for question in _open_about(session, game.id) if not question.address]


def visit(session: Session, games: Sequence[Game]) -> None:
    """Look up the open questions about these games."""
    found: dict[int, list[Question]] = {game.id: [] for game in games}
    rows = select(Question).where(col(Question.game_id).in_(found), col(Question.answered_at).is_(None))
    for question in session.exec(rows.order_by(col(Question.id))) if found else ():
        found[question.game_id or 0].append(question)
    for game_id, asked in found.items():
        tell(session, _open_about, (game_id,), asked)


def games_with_vacancy(session: Session) -> set[int]:
    """List the running games in which a seat is, or was once, offered."""
    asked = select(Question.game_id).join(Game).where(
        col(Question.kind).in_((OFFER, VACANCY)), Game.status == "running"
    )  # fmt: skip
    return {game_id for game_id in session.exec(asked.distinct()) if game_id is not None}


def player_made_by_question(session: Session, address: str, name_key: str) -> Player | None:
    """Find the player whom an earlier `Ja` from this address made for the same name."""
    rows = select(Question, Player).join(Player).where(Question.address == address).order_by(col(Question.id))
    return next((player for one, player in session.exec(rows) if key_of(one.payload.get("name", "")) == name_key), None)


def questions_to(session: Session, player_id: int, kind: str) -> Sequence[Question]:
    """List all questions of a kind that a player was asked, answered or not."""
    rows = select(Question).where(Question.player_id == player_id, Question.kind == kind)
    return session.exec(rows.order_by(col(Question.id))).all()


def question_of_thread(session: Session, message_ids: Sequence[str]) -> Question | None:
    """Find the open question to the GM whose mail was replied to."""
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    rows = select(MailOut.cause, MailOut.kind).where(
        col(MailOut.message_id).in_(known), col(MailOut.kind).in_((*_ASKED_BY.values(), _TROUBLE))
    )
    mails = set(session.exec(rows)) if known else set()
    asked = open_questions(session) if mails else ()
    return next((one for one in asked if _asked_by(one) in mails), None)


def asked_together(session: Session, question: Question) -> Sequence[Question]:
    """List the open questions that the same mail has put to the GM."""
    return [one for one in open_questions(session) if _asked_by(one) == _asked_by(question)]


def _asked_by(question: Question) -> tuple[str, str]:
    """Give cause and kind of the mail that put a question to the GM: a step may ask for release and for rulings."""
    kind = question.payload.get("mail_kind") or _ASKED_BY.get(question.kind, _TROUBLE)
    return question.payload.get("cause") or f"question:{question.id}", kind


_ASKED_BY: Final = {"words": "words", HELD_MOVE: "words", "appeal": "appeal", "release": "release"}
_TROUBLE: Final = "trouble"
