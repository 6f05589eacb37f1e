"""Players for the GM: addresses, reliability, present and former seats."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from gm.app.context import App, local_iso
from gm.game import gm_visibility
from gm.game.deadlines import local_day
from gm.game.people import lookup
from gm.game.people.shown_names import shown_names
from gm.game.position import position
from gm.runtime.errors import OperatorError
from gm.store.queries import duty_queries, player_queries, seat_queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question, Seat, Vacation, Watcher

NOW = ("open", "running", "provisional")


def all_players(app: App, session: Session) -> list[dict[str, Any]]:
    """List everybody who isn't forgotten, by name."""
    return [summary(app, session, player) for player in lookup.known(session)]


def summary(app: App, session: Session, player: Player) -> dict[str, Any]:
    """Describe a player in a line."""
    record = duty_queries.reliability_of(session, player.id)
    ahead = player_queries.vacations(session, [player.id], local_day(app))
    return {
        "name": player.name,
        "addresses": player_queries.addresses(session, player.id),
        "by_post": player_queries.is_by_post(session, player),
        "returned": _returned(app, player),
        "language": player.language or None,
        "games": [game.name for game, seat in _seats(session, player) if game.status in NOW and seat.until is None],
        "owed": record.owed,
        "missed": record.missed,
        "standby": [
            entry.engine or "any" for entry, who in player_queries.standby_list(session) if who.id == player.id
        ],
        "vacation": _days(ahead[0]) if ahead else None,
        "digest": f"{player.digest} {player.digest_at}".strip(),
    }


def _returned(app: App, player: Player) -> list[dict[str, Any]]:
    """List the addresses that mails come back from, since when and what the server there says."""
    return [
        {"address": row.address, "since": local_iso(app, row.bounced_at), "said": row.bounce}
        for row in player.addresses
        if row.bounced_at
    ]


def details(app: App, session: Session, player: Player) -> dict[str, Any]:
    """Describe all that is known of a player."""
    by_game = duty_queries.reliability_by_game(session, player.id)
    all_vacations = select(Vacation).where(Vacation.player_id == player.id).order_by(col(Vacation.first))
    watched = select(Game.name).join(Watcher).where(Watcher.player_id == player.id).order_by(col(Game.name_key))
    return {
        **summary(app, session, player),
        "name_form": player.name_form or None,
        "archive_name": shown_names(session, app.settings)[player.id].name,
        "former_names": player.former_names,
        "since": local_iso(app, player.created_at),
        "in_a_row": duty_queries.reliability_of(session, player.id).in_a_row,
        "seats": [_seat(app, game, seat, by_game) for game, seat in _seats(session, player)],
        "vacations": [_days(one) for one in session.exec(all_vacations)],
        "watching": list(session.exec(watched)),
        "questions": [_question(app, session, one) for one in _asked(session, player)],
        "last_received": _last_received(app, session, player),
        "last_sent": _last_sent(app, session, player),
    }


def _days(vacation: Vacation) -> dict[str, str]:
    return {"first": vacation.first.isoformat(), "last": vacation.last.isoformat()}


def _seats(session: Session, player: Player) -> Sequence[tuple[Game, Seat]]:
    rows = select(Game, Seat).join(Seat).where(Seat.player_id == player.id)
    return session.exec(rows.order_by(col(Seat.since), col(Seat.id))).all()


def _seat(
    app: App, game: Game, seat: Seat, by_game: Mapping[int, duty_queries.Reliability]
) -> dict[str, Any]:  # fmt: skip
    record = by_game.get(game.id, duty_queries.Reliability())
    before, after = _neighbours(game, seat)
    return {
        "game": game.name,
        "kind": game.engine,
        "status": game.status,
        "seat": seat.number,
        "from": local_iso(app, seat.since),
        "until": local_iso(app, seat.until),
        **_result(app, game, seat),
        "predecessors": before,
        "successors": after,
        "owed": record.owed,
        "missed": record.missed,
        "in_a_row": record.in_a_row,
    }


def _neighbours(game: Game, seat: Seat) -> tuple[list[str], list[str]]:
    """Name those who had the seat before, and after."""
    held = seat_queries.rows_of_seat(game, seat.number)
    at = next(number for number, one in enumerate(held) if one.id == seat.id)
    return [one.player.name for one in held[:at]], [one.player.name for one in held[at + 1 :]]


def _result(app: App, game: Game, seat: Seat) -> dict[str, Any]:
    """Give rank and points in a finished game; only the last holder of a seat has any."""
    nothing = {"rank": None, "points": None, "winner": False}
    if game.status != "finished" or seat.id not in {last.id for last in seat_queries.holders(game)}:
        return nothing
    try:
        at = position(app, game)
    except OperatorError:  # its rules aren't installed
        return nothing
    outcome = at.outcome
    standings = outcome.standings if outcome else ()
    own = next((standing for standing in standings if standing.seat == seat.number), None)
    if outcome is None or own is None:
        return nothing
    return {"rank": own.rank, "points": own.points, "winner": own.seat in outcome.winners}


def _asked(session: Session, player: Player) -> Sequence[Question]:
    rows = select(Question).where(
        Question.player_id == player.id, Question.address != "", col(Question.answered_at).is_(None)
    )
    return session.exec(rows.order_by(col(Question.id))).all()


def _question(app: App, session: Session, question: Question) -> dict[str, Any]:
    game = session.get(Game, question.game_id) if question.game_id else None
    return {
        "code": question.code,
        "kind": question.kind,
        "game": game.name if game else None,
        "address": question.address,
        "since": local_iso(app, question.created_at),
        "expires": local_iso(app, question.expires_at),
    }


def _last_received(app: App, session: Session, player: Player) -> dict[str, Any] | None:
    """Find the last mail from one of the player's addresses; a couple's may be the other's."""
    rows = select(MailIn.id, MailIn.received_at, MailIn.status, MailIn.subject).where(
        col(MailIn.sender).in_(player_queries.addresses(session, player.id))
    )
    last = session.exec(rows.order_by(col(MailIn.received_at).desc(), col(MailIn.id).desc()).limit(1)).first()
    if last is None:
        return None
    number, when, status, subject = last
    is_kept = bool(gm_visibility.kept_among(app, session, [(f"{number}", when)]))
    return _mail(app, "", number, when, status, "" if is_kept else subject)


def _last_sent(app: App, session: Session, player: Player) -> dict[str, Any] | None:
    rows = select(MailOut.id, MailOut.sent_at, MailOut.status, MailOut.subject).where(
        MailOut.player_id == player.id, col(MailOut.sent_at).is_not(None)
    )
    last = session.exec(rows.order_by(col(MailOut.sent_at).desc(), col(MailOut.id).desc()).limit(1)).first()
    return _mail(app, "o", *last) if last else None


def _mail(
    app: App, prefix: str, number: int, when: datetime | None, status: str, subject: str
) -> dict[str, Any]:  # fmt: skip
    return {"id": f"{prefix}{number}", "when": local_iso(app, when), "status": status, "subject": subject}
