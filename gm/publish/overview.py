"""What the GM sees of the whole zine: health, games, what waits, the log of mails."""

from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from gm.app import App
from gm.play import turns
from gm.play.post_room import find
from gm.store import queries
from gm.store.tables import Game, MailIn, MailOut, Player
from parsers.errors import MailError
from parsers.message import read_mail


def all_games(app: App, session: Session) -> list[dict[str, Any]]:
    """List every game with its clock and how many moves are in."""
    return [_game_row(app, session, game) for game in queries.games(session)]


def _game_row(app: App, session: Session, game: Game) -> dict[str, Any]:
    running = game.status == "running"
    seats = len(queries.seats(session, game))
    due = len(_due(app, session, game)) if running else app.engine(game.engine).rules.seats[1]
    moves = len(queries.sheets_on_file(session, game)) if running else seats
    counted = f"{moves} of {due}" if running else f"{moves} of {due} seats" if game.status == "open" else ""
    return {
        "name": game.name,
        "game": game.engine,
        "title": app.engine(game.engine).rules.title,
        "status": game.status,
        "round": game.round,
        "zat": _iso(app, game.zat),
        "moves": counted,
        "held": game.held or None,
    }


def _due(app: App, session: Session, game: Game) -> frozenset[Any]:
    at = turns.position(app, session, game)
    return at.engine.due(at.state)


def _iso(app: App, instant: datetime | None) -> str | None:
    return instant.astimezone(app.settings.service.timezone).isoformat(timespec="seconds") if instant else None


def health(app: App, session: Session) -> dict[str, Any]:
    """Tell how the service does."""
    running = list(queries.games(session, ("running", "provisional")))
    running.sort(key=lambda game: (game.zat is None, game.zat or app.now()))
    return {
        "last fetch": queries.meta(session, "last_fetch") or "never",
        "last delivery": queries.meta(session, "last_delivery") or "never",
        "waiting for the GM": len(waiting_for_gm(app, session)),
        "mails": queries.count_mails(session),
        "games": [_game_row(app, session, game) for game in running],
    }


def waiting_for_gm(app: App, session: Session) -> list[dict[str, Any]]:
    """List what the GM has to decide or to look at, oldest first."""
    rows = [
        {
            "since": _iso(app, question.created_at),
            "what": question.kind,
            "about": _about(session, question.player_id, question.payload.get("text", "")),
            "do": f"gm mail show {question.mail_id}" if question.mail_id else "gm mail list --status refused",
        }
        for question in queries.open_questions(session)
    ]
    for game in queries.games(session, ("provisional",)):
        at = turns.position(app, session, game)
        outcome = at.engine.outcome(at.state)
        words = " ".join(outcome.doubtful) if outcome else ""
        rows.append(
            {"since": _iso(app, at.turn.at), "what": "words", "about": f"{game.name}: {words}",
             "do": f"gm rule {game.name} accept|reject {words}"}
        )  # fmt: skip
    return sorted(rows, key=lambda row: str(row["since"]))


def _about(session: Session, player_id: int | None, text: str) -> str:
    player = session.get(Player, player_id) if player_id else None
    start = " ".join(text.split())
    start = start if len(start) <= 60 else start[:59] + "…"
    return f"{player.name}: {start}" if player else start


def mails(app: App, session: Session, status: str | None) -> list[dict[str, Any]]:
    """List mails, received and outgoing, by time."""
    inward = (MailIn.id, MailIn.received_at, MailIn.status, MailIn.sender, MailIn.subject, MailIn.reason)
    outward = (MailOut.id, MailOut.created_at, MailOut.status, MailOut.address, MailOut.subject, MailOut.error)
    rows = [
        (prefix, *row) for prefix, columns in (("", inward), ("o", outward)) for row in _rows(session, columns, status)
    ]
    rows.sort(key=lambda row: (row[2], row[0]))
    return [
        {"id": f"{kind}{number}", "when": _iso(app, when), "status": state, "who": who, "subject": subject, "why": why}
        for kind, number, when, state, who, subject, why in rows
    ]


def _rows(session: Session, columns: tuple[Any, ...], status: str | None) -> list[tuple[Any, ...]]:
    wanted = select(*columns).order_by(columns[0])
    if status:
        wanted = wanted.where(columns[2] == status)
    return [tuple(row) for row in session.connection().execute(wanted)]


def one_mail(session: Session, mail_id: str, raw: bool) -> str:
    """Give a mail as a person reads it, or as it came or went, headers and all. Raises Refused."""
    row = find(session, mail_id)
    content = row.raw or b""
    if raw:
        return content.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        text = read_mail(content).text
    except MailError as error:
        text = f"({error}; --raw shows it as it came)"
    return "\n".join([*_head(row), f"Subject: {row.subject}", "", text])


def _head(row: MailIn | MailOut) -> list[str]:
    if isinstance(row, MailIn):
        status, who, when = f"{row.status}: {row.reason}", f"From: {row.sender}", row.received_at
    else:
        status, who, when = f"{row.status}: {row.error}", f"To: {row.address}", row.created_at
    return [f"Status: {status}".rstrip(": "), who, f"Time: {when:%Y-%m-%d %H:%M:%S} UTC"]
