"""What the GM sees of the whole zine: health, games, what waits, the log of mails."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select
from sqlmodel import Session, col
from sqlmodel import select as sqlmodel_select

from gm.app import App
from gm.errors import OperatorError
from gm.fetching import TROUBLE
from gm.play import bounces, clock, turns
from gm.play.post_room import find
from gm.publish.health import first_games, last_fetch, monitored, waiting_for_the_gm
from gm.rounds import waiting_for
from gm.store import inquiries, mail_log, queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question, Sheet
from parsers.errors import MailError
from parsers.keys import take_keys
from parsers.message import read_mail


def all_games(app: App, session: Session) -> list[dict[str, Any]]:
    """List every game with its clock and how many moves are in."""
    return [_game_row(app, session, game) for game in queries.games(session)]


def _game_row(app: App, session: Session, game: Game) -> dict[str, Any]:
    try:
        title, moves, held = app.engine(game.engine).rules.title, _moves(app, session, game), _held(app, session, game)
    except OperatorError as error:  # its rules can't be had here: the other games are listed all the same
        title, moves, held = game.engine, "", game.held or str(error)
    return {
        "name": game.name,
        "game": game.engine,
        "title": title,
        "status": game.status,
        "round": game.round,
        "zat": _iso(app, game.zat),
        "moves": moves,
        "held": held or None,
        "paused_until": _iso(app, game.paused_until) if clock.is_paused(app, game) else None,
    }


def _held(app: App, session: Session, game: Game) -> str:
    """Say why a round stays open although its time has come."""
    if game.status == "running" and not turns.is_released(queries.current_turn(session, game)):
        return f"the bulletin waits for you: gm release {game.name}"
    is_due = game.status == "running" and game.zat is not None and game.zat <= app.now()
    waiting = waiting_for(app, session, game, game.zat) if is_due and game.zat else ""
    return game.held or waiting


def _moves(app: App, session: Session, game: Game) -> str:
    """Count the moves that are in, or the seats that are taken."""
    if game.status == "open":
        return f"{len(queries.seats(session, game))} of {app.engine(game.engine).rules.seats[1]} seats"
    if game.status != "running":
        return ""
    at = turns.position(app, session, game)
    due = at.engine.due(at.state)
    return f"{len(due & queries.sheets_on_file(session, game).keys())} of {len(due)}"


def _iso(app: App, instant: datetime | None) -> str | None:
    return instant.astimezone(app.settings.service.timezone).isoformat(timespec="seconds") if instant else None


def health(app: App, session: Session) -> dict[str, Any]:
    """Tell how the service does; of the games those that the GM should see first."""
    running, left_out = first_games(session, app.now(), ("running", "provisional"))
    running = sorted(running, key=lambda game: (game.zat is None, game.zat or app.now(), game.id))
    return {
        **monitored(app, session),
        "last fetch": _iso(app, last_fetch(session)) or "never",
        "last delivery": _iso(app, mail_log.last_delivery(session)) or "never",
        "mailbox trouble": queries.meta(session, TROUBLE) or "",
        "waiting for the GM": waiting_for_the_gm(session),
        "mails": mail_log.count_mails(session),
        "mails come back": [f"{one.name} ({address.address})" for one, address in bounces.returns(session)],
        "games": [_game_row(app, session, game) for game in running],
        "games_left_out": left_out,
    }


def first_rows(app: App, session: Session) -> dict[str, Any]:
    """List the games that the GM should see first, and say how many more there are."""
    games, left_out = first_games(session, app.now(), queries.SHOWN)
    return {"games": [_game_row(app, session, game) for game in games], "games_left_out": left_out}


def waiting_for_gm(app: App, session: Session) -> list[dict[str, Any]]:
    """List what the GM has to decide or to look at, oldest first."""
    rows = [
        {
            "since": _iso(app, question.created_at),
            "what": question.kind,
            "about": _about(session, question),
            "do": _mend(session, question),
        }
        for question in inquiries.open_questions(session)
        if question.kind != "words"  # below, from the games themselves
    ]
    asked = {question.game_id for question in inquiries.open_questions(session) if question.kind == "words"}
    rows += [_words_row(app, session, game) for game in _with_doubtful_words(session, asked - {None})]
    return sorted(rows, key=lambda row: str(row["since"]))


def _with_doubtful_words(session: Session, asked: Collection[Any]) -> list[Game]:
    """List the games whose result hangs on words, also one that waits for its release."""
    over = {game.id: game for game in queries.games(session, ("provisional",))}
    over |= {game.id: game for game in queries.games_by_id(session, sorted(asked)) if game.status == "running"}
    return [over[game_id] for game_id in sorted(over)]


def _words_row(app: App, session: Session, game: Game) -> dict[str, Any]:
    since = _iso(app, queries.current_turn(session, game).at)
    try:
        at = turns.position(app, session, game)
    except OperatorError as error:  # its rules can't be had here: what else waits is listed all the same
        return {"since": since, "what": "words", "about": game.name, "do": str(error)}
    outcome = at.engine.outcome(at.state)
    words = " ".join(outcome.doubtful) if outcome else ""
    rule = f"gm rule {game.name} accept|reject {words}"
    return {"since": since, "what": "words", "about": f"{game.name}: {words}", "do": rule}


def _about(session: Session, question: Question) -> str:
    player = session.get(Player, question.player_id) if question.player_id else None
    game = session.get(Game, question.game_id) if question.game_id else None
    start = " ".join(str(question.payload.get("text", "")).split())
    named = [one.name for one in (game, player) if one]
    return ": ".join([*named, start if len(start) <= 60 else f"{start[:59]}…"])


def _mend(session: Session, question: Question) -> str:
    """Say which command comes next."""
    game = session.get(Game, question.game_id) if question.game_id else None
    player = session.get(Player, question.player_id) if question.player_id else None
    done = f"gm todo --done {question.code}"
    if question.kind in ("quarantine", "undelivered"):
        mail = question.mail_id if question.kind == "quarantine" else f"o{question.payload.get('out')}"
        return f"gm mail retry {mail} (or show, drop){_elsewhere(question, player)}"
    if question.kind == "digest":
        return f"gm digest --send; then {done}"
    if game and (wanted := _mend_game(game, question, player.name if player else "")):
        return f"{wanted}; else {done}" if question.kind in _MAY_BE_LEFT else wanted
    return f"gm mail show {question.mail_id}; then {done}" if question.mail_id else done


def _elsewhere(question: Question, player: Player | None) -> str:
    return f', gm player address "{player.name}" ADDRESS' if question.kind == "undelivered" and player else ""


_MAY_BE_LEFT: Final = ("extension", "vacancy", "resigned", "held", "outage")


def _mend_game(game: Game, question: Question, player: str) -> str:
    """Say what to do about a game; "" where the GM only has to know."""
    if question.kind == "appeal":
        return f"gm rule {game.name} accept|reject {question.payload['word']}"
    if question.kind == inquiries.HELD_MOVE:
        return f"gm rule {game.name} accept|reject {' '.join(question.payload['words'])}".rstrip()
    if question.kind in ("held", "outage"):
        return f"gm close {game.name}, or gm zat {game.name} WHEN"
    if question.kind == "extension":
        return f"gm zat {game.name} {question.payload.get('text') or 'WHEN'}"
    if question.kind == "release":
        return f"gm release {game.name} [--foreword FILE], or gm undo {game.name}"
    if question.kind == "vacancy":
        return f'gm standby {game.name} "{player}" NAME ADDRESS (or --none)'
    if question.kind == "resigned" and game.status == "running":
        return f'gm standby {game.name} "{player}" (NAME ADDRESS, or --none)'
    return ""


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
    if row.raw_hash and not content:
        return "\n".join([*_head(row), f"Subject: {row.subject}", *_sent_for(session, row), "", *_proof(session, row)])
    if raw:
        return content.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        text = read_mail(content).text
    except MailError as error:
        text = f"({error}; --raw shows it as it came)"
    if isinstance(row, MailOut):
        text = take_keys(text)[0]  # for its recipient's eyes only
    return "\n".join([*_head(row), f"Subject: {row.subject}", *_sent_for(session, row), "", text])


def _proof(session: Session, row: MailIn | MailOut) -> list[str]:
    """Say what is left of a mail whose bytes were taken away: the moves it brought, and how a copy of it is known."""
    lines = [f"Message-ID: {row.message_id}", f"SHA-256 of its bytes: {row.raw_hash}"]
    if isinstance(row, MailOut):
        return ["Its text was taken away by `gm mail prune`.", *lines]
    sheets = session.exec(
        sqlmodel_select(Sheet, Game.name).join(Game).where(Sheet.mail_id == row.id).order_by(col(Sheet.id))
    ).all()
    moves = [line for sheet, name in sheets for line in ("", f"{name}, round {sheet.round}, seat {sheet.seat}:",
                                                         *sheet.lines)]  # fmt: skip
    size = [f"Bytes: {row.size}", f"SHA-256 of sender, subject and text: {row.content}"]
    return ["Its text was taken away by `gm mail prune`; moves are kept.", *lines, *size, *moves]


def _head(row: MailIn | MailOut) -> list[str]:
    if isinstance(row, MailIn):
        status, who, when = f"{row.status}: {row.reason}", f"From: {row.sender}", row.received_at
    else:
        status, who, when = f"{row.status}: {row.error}", f"To: {row.address}", row.created_at
    return [f"Status: {status}".rstrip(": "), who, f"Time: {when:%Y-%m-%d %H:%M:%S} UTC"]


def _sent_for(session: Session, row: MailIn | MailOut) -> list[str]:
    """Name the mails that a received one has brought about: the answer says why it was refused."""
    if isinstance(row, MailOut):
        return []
    sent = select(MailOut.id, MailOut.subject).where(MailOut.cause == f"mail:{row.id}").order_by(MailOut.id)  # type: ignore[call-overload]
    return [f"Sent: o{number}, {subject}" for number, subject in session.connection().execute(sent)]
