"""Whose move is missing in the present round, and which mails may hold it.

Two questions are answered here. The closing asks what may be a missing move, and waits for the GM's word on it.
`gm close` shows the GM each seat whose move is missing, with every mail that lies there for it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlmodel import Session, col, or_, select

from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game.deadlines import local_day
from gm.game.position import Position, position
from gm.runtime.errors import OperatorError
from gm.store.queries import (
    mail_queries,
    player_queries,
    question_queries,
    seat_queries,
    sheet_queries,
    thread_queries,
    turn_queries,
)
from gm.store.tables import Game, MailIn, Player, Question, Vacation
from parsers.invisible import fold_name

MOST_READ: Final = 64 * 1024
"""So many bytes of a mail whose sender can't be read are searched for the name of a game."""
STATUS: Final = {
    "new": "is not handled yet", "quarantined": "is in quarantine", "waiting": "waits for its sender's word",
    mail_queries.PUT_OFF: "waits for another hour", mail_queries.UNFETCHED: "can't be fetched",
}  # fmt: skip
"""The statuses of a mail that nobody has handled to its end."""
_WHOSE: Final = (question_queries.WHICH_PLAYER, question_queries.UNKNOWN_SENDER)


def still_owing(session: Session, game: Game, at: Position, filed: Collection[int]) -> frozenset[SeatNumber]:
    """List the due seats that have sent nothing: no sheet on file, no step of their own in this round."""
    owing = at.engine.due(at.state) - {SeatNumber(number) for number in filed}
    may_have_acted = at.turn.kind not in ("start", "resolve")  # these begin a round
    return owing - (turn_queries.seats_that_acted(session, game) if owing and may_have_acted else set[int]())


def all_in_since(app: App, session: Session, game: Game) -> datetime | None:
    """Return when the last move of a round came in of which nobody's is missing; None while one is.

    A seat that the others play on without lacks none.
    """
    at, filed = position(app, game), sheet_queries.sheets_on_file(game)
    complete = {SeatNumber(number): sheet for number, sheet in filed.items() if sheet.complete}
    missing = at.engine.due(at.state) - complete.keys()
    missing -= turn_queries.abandoned_seats(session, [game.id]).get(game.id, set()) if missing else set[int]()
    return None if missing else max((sheet.received_at for sheet in complete.values()), default=None)


def _asked_whose(game: Game, opened: datetime, until: datetime) -> Iterator[tuple[Question, datetime]]:
    """List the open questions about whose a move is, for moves that came in between; each with when it came."""
    for question in question_queries.questions_about(game, *_WHOSE):
        received = datetime.fromisoformat(question.payload["received"])
        if opened < received <= until:
            yield question, received


# -- for the closing ---------------------------------------------------------------------------------------------------


class Unclear(NamedTuple):
    """What may be a missing move: a mail put aside, or an open question about whose a move is."""

    seat: int
    """The seat whose player it is about."""
    why: str
    """For the GM, with the line to look at it."""


def waiting_for(app: App, session: Session, game: Game, instant: datetime) -> str:
    """Describe for the GM the possible missing move that a round waits for after its ZAT; "" if it doesn't wait."""
    if app.now() >= instant + app.settings.deadlines.hold:
        return ""
    owing = _owing(app, session, game)
    found = _unclear(session, game, owing, instant)
    return found[0].why if found else _nobodys_mail(app, session, game, instant) if owing else ""


def unclear(app: App, session: Session, game: Game, instant: datetime) -> list[Unclear]:
    """List what may be missing moves of the present round, among what came while it was open until then."""
    return _unclear(session, game, _owing(app, session, game), instant)


def _owing(app: App, session: Session, game: Game) -> dict[int, int]:
    """Find the players whose move is missing, by seat; nobody where nothing lies there that may be one."""
    last, opened = mail_queries.last_unsettled_at(session), turn_queries.current_turn(game).at
    if (last is None or last <= opened) and not question_queries.questions_about(game, *_WHOSE):
        return {}
    at, filed = position(app, game), sheet_queries.sheets_on_file(game)
    owing = still_owing(session, game, at, filed)
    return {seat.number: seat.player_id for seat in seat_queries.seats(game) if seat.number in owing}


def _unclear(session: Session, game: Game, owing: Mapping[int, int], instant: datetime) -> list[Unclear]:
    opened = turn_queries.current_turn(game).at
    found = []
    for row in mail_queries.unsettled_mails(session, opened, instant, set(owing.values())) if owing else ():
        writers = {row.player_id, *(player.id for player in player_queries.players_at(session, row.sender))}
        found += [Unclear(seat, _why(row)) for seat, player_id in owing.items() if player_id in writers]
    for question, _ in _asked_whose(game, opened, instant):
        why = f"{question.address} was asked whose a move is that may be a missing one: gm todo"
        found += [Unclear(seat, why) for seat in question.payload["seats"] if seat in owing]
    return found


def _nobodys_mail(app: App, session: Session, game: Game, instant: datetime) -> str:
    """Describe a mail that names the game, but whose sender can't be read; "" where there is none.

    One that can't be fetched may be about any game.
    """
    opened = turn_queries.current_turn(game).at
    for row in mail_queries.unsettled_mails(session, opened, instant):
        if row.status == mail_queries.UNFETCHED or game in games_named(
            app, session, session.get_one(MailIn, row.id), [game]
        ):
            return _why(row)
    return ""


def _why(row: mail_queries.UnsettledMail) -> str:
    kind = "in quarantine" if row.status == "quarantined" else f"that {STATUS[row.status]}"
    return f"mail {row.id} {kind} may be a missing move: gm mail show {row.id}"


def games_named(
    app: App, session: Session, row: MailIn, games: Sequence[Game], *, by_title: bool = True
) -> list[Game]:  # fmt: skip
    """Find those of some games that a mail is about whose sender doesn't tell: its thread's, else all that it names."""
    from parsers.mime.decoding import rough_text
    from parsers.mime.message import read_head  # `gm show` reads no mail and needn't load the parsers

    head = read_head(row.raw)
    thread = thread_queries.game_of_thread(session, (head.in_reply_to, *head.references))
    if thread is not None:
        return [thread]
    said = fold_name(f"{head.subject} {rough_text(row.raw[:MOST_READ])}")
    return [
        game for game in games
        if game.name_key in said or (by_title and _title(app, game).casefold() in said)
    ]  # fmt: skip


def _title(app: App, game: Game) -> str:
    try:
        return app.engine(game.engine).rules.title
    except OperatorError:  # its rules aren't installed
        return game.name


# -- for the GM --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class WaitingMail:
    """A mail that may hold a move: which one, and what it waits for."""

    mail_id: int
    received: datetime
    why: str


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A seat whose move is missing; without a player nobody sits there."""

    seat: int
    player: str
    mails: Sequence[WaitingMail]
    away: tuple[date, date] | None = None
    """The player's vacation, if it holds now or at the ZAT: one in December is nothing to a round in October."""
    is_away: bool = False
    """Whether it holds now."""


def missing(app: App, session: Session, game: Game, instant: datetime) -> list[Missing]:
    """List the seats whose move is missing at an instant, each with the mails that lie there."""
    at, opened = position(app, game), turn_queries.current_turn(game).at
    owing = still_owing(session, game, at, sheet_queries.sheets_on_file(game, instant))
    owing -= turn_queries.abandoned_seats(session, [game.id]).get(game.id, set())  # the others play on without it
    held = {seat.number: session.get_one(Player, seat.player_id) for seat in seat_queries.seats(game)}
    today = local_day(app)
    day = game.zat.astimezone(app.settings.service.timezone).date() if game.zat else today
    away = _vacations(session, [player.id for player in held.values()], today, day) if owing else {}
    found = []
    for number in sorted(owing):
        player = held.get(number)
        waiting = _waiting_mails(session, game, number, player, opened, instant) if player else ()
        mails = {one.mail_id: one for one in reversed(list(waiting))}  # the first reason is the one that counts
        days = away.get(player.id) if player else None
        found.append(Missing(
            seat=number, player=player.name if player else "", mails=[mails[mail_id] for mail_id in sorted(mails)],
            away=(days.first, days.last) if days else None, is_away=days is not None and days.first <= today,
        ))  # fmt: skip
    return found


def _vacations(session: Session, player_ids: Sequence[int], today: date, zat: date) -> dict[int, Vacation]:
    """Find who is away now, or will be at the ZAT."""
    return {**player_queries.away_on(session, player_ids, zat), **player_queries.away_on(session, player_ids, today)}


def _waiting_mails(
    session: Session, game: Game, seat: int, player: Player, opened: datetime, until: datetime
) -> Iterator[WaitingMail]:
    """List the mails of a seat's player that came in between and aren't done with."""
    addresses = player_queries.addresses(session, player.id)
    for mail in _put_aside(session, addresses, opened, until):
        yield WaitingMail(mail_id=mail.id, received=mail.received_at, why=STATUS[mail.status])
    for question, received in _asked_whose(game, opened, until):
        if question.mail_id and seat in question.payload["seats"]:
            yield WaitingMail(mail_id=question.mail_id, received=received, why="holds a move, and we asked whose")
    rows = select(Question, MailIn).join(MailIn).where(
        col(Question.answered_at).is_(None), Question.address == "", col(MailIn.received_at) > opened,
        col(MailIn.received_at) <= until,
        or_(Question.player_id == player.id, col(Question.player_id).is_(None) & col(MailIn.sender).in_(addresses)),
    )  # fmt: skip
    for question, mail in session.exec(rows.order_by(col(Question.id))):
        yield WaitingMail(mail_id=mail.id, received=mail.received_at, why=f"waits for you in gm todo ({question.kind})")


def _put_aside(session: Session, addresses: Sequence[str], opened: datetime, until: datetime) -> Iterator[MailIn]:
    """List the mails from some addresses that aren't handled, or were put aside, in order of arrival."""
    rows = select(MailIn).where(
        col(MailIn.status).in_(("new", *mail_queries.UNSETTLED)), col(MailIn.sender).in_((*addresses, "")),
        col(MailIn.received_at) > opened, col(MailIn.received_at) <= until,
    )  # fmt: skip
    for mail in session.exec(rows.order_by(col(MailIn.received_at), col(MailIn.id))):
        if mail.status == mail_queries.UNFETCHED or (mail.sender or _sender(mail.raw)) in addresses:
            yield mail


def _sender(raw: bytes) -> str:
    """Read who wrote a mail that isn't handled yet; "" if that can't be read."""
    from parsers.mime.message import read_head

    return read_head(raw).sender
