"""Wishes for more time: a new ZAT fulfils some of them; the others stay open, as the day that was wished."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session

from gm.app.context import App
from gm.messages import questions
from gm.store.queries import question_queries, seat_queries
from gm.store.tables import Game, Question


def settle(app: App, session: Session, game: Game, zat: datetime) -> Mapping[int, Sequence[tuple[bool, datetime]]]:
    """Close the wishes that a new ZAT fulfils; returns by seat whether one is fulfilled, and until when it was."""
    found: dict[int, list[tuple[bool, datetime]]] = {}
    seats = {seat.player_id: seat.number for seat in seat_queries.seats(session, game)}
    for question in question_queries.questions_about(session, game, question_queries.EXTENSION):
        seat = seats.get(question.player_id or 0)
        if seat is None:
            questions.close(app, session, question, "left")
            continue
        wished = datetime.fromisoformat(question.payload["wished"])
        if is_granted := zat >= wished:
            questions.close(app, session, question, "granted")
        else:
            _name_the_day(app, session, game, question, wished)
        found.setdefault(seat, []).append((is_granted, wished))
    return found


def _name_the_day(app: App, session: Session, game: Game, question: Question, wished: datetime) -> None:
    """Let a wish name its day: a span would count from the new ZAT."""
    when = f"{wished.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}"
    question.payload = {**question.payload, "text": when, "offers": [["zat", game.name, when]]}
    session.add(question)
    session.flush()
