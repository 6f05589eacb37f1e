"""What we ask somebody, and what waits for the GM: one table, one way to ask, one way to be answered."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from games.api import Language
from gm.app import App
from gm.play.seats import clean_name
from gm.publish.post import Occasion, Part, gm_recipient, post
from gm.store import queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question
from parsers.commands import Join, Standby
from parsers.message import Mail

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without I, L, O, 0 and 1, which people mix up."""
NEWCOMER_DAYS = 7
LONGEST_TEXT = 4000


def new_code() -> str:
    """Draw a code for a question."""
    return "".join(secrets.choice(ALPHABET) for _ in range(8))


def ask_newcomer(
    app: App, session: Session, row: MailIn, mail: Mail, command: Join | Standby, language: Language
) -> Part:
    """Ask an unknown address whether it really wants to play: anybody can write any sender into a mail."""
    now = app.now()
    payload: dict[str, Any] = {
        "name": clean_name(mail.sender_name) or mail.sender.partition("@")[0],
        "language": language,
        "title_key": command.title_key,
        "game": command.game if isinstance(command, Join) else "",
        "lines": list(command.block.lines) if isinstance(command, Join) else [],
    }
    question = Question(
        code=new_code(), kind="join" if isinstance(command, Join) else "standby", address=mail.sender, mail_id=row.id,
        payload=payload, created_at=now, expires_at=now + timedelta(days=NEWCOMER_DAYS),
    )  # fmt: skip
    session.add(question)
    session.flush()
    title = app.engine(command.title_key).rules.title if command.title_key else ""
    context = {**payload, "code": question.code, "kind": question.kind, "days": NEWCOMER_DAYS, "title": title}
    return Part(template="question", context=context)


def meant(session: Session, mail: Mail, code: str, now: datetime) -> Question | None:
    """Find the question that a `Ja` answers: by its code, by the mail replied to, or because it is the only one."""
    asked = [q for q in queries.open_questions(session, mail.sender) if q.expires_at is None or q.expires_at > now]
    if code:
        return next((question for question in asked if question.code == code.upper()), None)
    replied = select(MailOut.cause).where(col(MailOut.message_id).in_({mail.in_reply_to, *mail.references} - {""}))
    causes = set(session.exec(replied))
    threaded = [question for question in asked if f"mail:{question.mail_id}" in causes]
    candidates = threaded or asked
    return candidates[0] if len(candidates) == 1 else None


def note(
    app: App, session: Session, kind: str, payload: dict[str, Any], *, row: MailIn | None, game: Game | None,
    player: Player | None,
) -> Question:  # fmt: skip
    """Put something on the GM's list (`gm todo`); `payload["text"]` is what the list shows of it."""
    question = Question(
        code=new_code(), kind=kind, game_id=game.id if game else None, player_id=player.id if player else None,
        mail_id=row.id if row else None, created_at=app.now(), payload=payload,
    )  # fmt: skip
    session.add(question)
    session.flush()
    return question


def tell_gm(
    app: App, session: Session, kind: str, *, text: str, row: MailIn | None = None, game: Game | None = None,
    player: Player | None = None, cause: str = "", out: MailOut | None = None,
) -> Question:  # fmt: skip
    """Put something on the GM's list (`gm todo`) and send one notice."""
    payload = {"text": text[:LONGEST_TEXT], **({"out": out.id} if out else {})}
    question = note(app, session, kind, payload, row=row, game=game, player=player)
    context = {
        "kind": kind, "text": text[:LONGEST_TEXT], "player": player.name if player else "",
        "game": game.name if game else "", "mail": row.id if row else 0, "subject_line": row.subject if row else "",
    }  # fmt: skip
    occasion = Occasion(cause=cause or f"question:{question.id}", kind="trouble", game=game)
    post(app, session, occasion, gm_recipient(app), [Part(template="trouble", context=context)])
    return question


def was_asked(session: Session, address: str) -> bool:
    """Say whether we ever asked this address something."""
    return session.exec(select(Question.id).where(Question.address == address)).first() is not None


def was_mailed_since(session: Session, address: str, kind: str, since: datetime) -> bool:
    """Say whether an address got a mail of this kind lately."""
    rows = select(MailOut.id).where(
        MailOut.address == address, MailOut.kind == kind, col(MailOut.created_at) > since
    )  # fmt: skip
    return session.exec(rows).first() is not None
