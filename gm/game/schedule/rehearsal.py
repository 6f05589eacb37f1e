"""What closing a round now would bring (`gm close --dry-run`): for each seat its move, its points and its mail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from games.api import MoveBlock
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import missing_moves, moves_on_file, steps, word_judge
from gm.game.position import Position, is_released, position
from gm.game.replayed_step import points
from gm.game.schedule import closing
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.store.queries import holder_queries, seat_queries, sheet_queries
from gm.store.tables import Game, MailOut, Player


@dataclass(frozen=True, kw_only=True)
class RehearsedSeat:
    """What a closing would mean for a seat."""

    seat: int
    player: str
    """Empty where nobody sits."""
    move: str
    """What is on file, as it was understood, in one line; `NMR`, or "" for a seat that owes none."""
    is_complete: bool
    waiting: Sequence[int]
    """The mails of a seat without a move that may hold it."""
    new: int | None
    """The points that the round brings; None in a game that counts none before its end."""
    points: int | None
    rank: int | None
    """Only where the game would be over."""
    mails: Sequence[MailOut]


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """What would come of closing a round now."""

    game: str
    counted: str
    """The round that would close: `round 3`."""
    seats: Sequence[RehearsedSeat]
    mails: Sequence[MailOut]
    """All of them, in the order in which they would go out."""
    waits: bool
    """The bulletin would wait for the GM first (`release = "gm"`)."""
    status: str
    """As what the game would go on: running | provisional | finished."""
    next_counted: str
    next_zat: datetime | None
    winners: Sequence[str]
    doubtful: Sequence[str]

    @property
    def others(self) -> Sequence[MailOut]:
        """The mails to those who have no seat: spectators, the GM."""
        seated = [mail for seat in self.seats for mail in seat.mails]
        return [mail for mail in self.mails if mail not in seated]


def rehearse(app: App, session: Session, game: Game) -> Rehearsal:
    """Close the round and release its bulletins, and describe that. Raises Refused.

    The caller takes the mails out of the session and rolls all else back.
    """
    closing.check_closable(game)
    last = session.exec(select(func.max(MailOut.id))).one() or 0
    before = _open_round(app, session, game)
    for seat in seat_queries.seats(game):  # nobody learns of advance moves
        moves_on_file.end_advance_move(session, game, seat.number, app.now(), "withdrawn")
    turn = steps.close(app, session, game, app.now())
    waits = not is_released(turn)
    if waits:
        closing.release(app, session, game, "")
    after, mails = position(app, game), _mails(session, last)
    outcome, names = after.outcome, seat_queries.names(game)
    return Rehearsal(
        game=game.name, counted=before.counted, seats=_seats(session, game, before, after, mails), mails=mails,
        waits=waits, status=game.status, next_counted=_counted(after, game), next_zat=game.zat,
        winners=[names.get(seat, f"seat {seat}") for seat in outcome.winners] if outcome else (),
        doubtful=outcome.doubtful if outcome else (),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _OpenRound:
    """What is known before the round closes."""

    at: Position
    counted: str
    moves: Mapping[int, str]
    """What is on file, by seat."""
    complete: Mapping[int, bool]
    waiting: Mapping[int, Sequence[int]]


def _open_round(app: App, session: Session, game: Game) -> _OpenRound:
    at, filed = position(app, game), sheet_queries.sheets_on_file(game)
    due, missing = at.engine.due(at.state), missing_moves.missing(app, session, game, app.now())
    return _OpenRound(
        at=at, counted=_counted(at, game),
        moves={seat: _summary(app, session, game, at, seat) if seat in filed else "NMR"
               for seat in due if seat in filed or any(one.seat == seat for one in missing)},
        complete={seat: sheet.complete for seat, sheet in filed.items()},
        waiting={one.seat: [mail.mail_id for mail in one.mails] for one in missing},
    )  # fmt: skip


def _summary(app: App, session: Session, game: Game, at: Position, seat: int) -> str:
    """Write what is on file for a seat in one line, as the confirmation to its player said it."""
    lines = tuple(sheet_queries.sheets_on_file(game)[seat].lines)
    own, judge = moves_on_file.move_on_file(game, at, seat), word_judge.judge(app, game)
    read = at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=lines), judge, own)
    wording = {**SENTENCES, **at.engine.wording}
    speaker = Speaker(language="en", wording=wording, names=holder_queries.names_by_seat(session, game))
    said = (f"{speaker.say(label)}: {speaker.say(content)}" for label, content in read.summary)
    return " ".join("; ".join(said).split()) or "on file"


def _counted(at: Position, game: Game) -> str:
    return f"{at.engine.rules.unit} {game.round}"


def _mails(session: Session, last: int) -> Sequence[MailOut]:
    rows = select(MailOut).where(col(MailOut.id) > last, MailOut.status == "queued").order_by(col(MailOut.id))
    return session.exec(rows).all()


def _seats(
    session: Session, game: Game, before: _OpenRound, after: Position, mails: Sequence[MailOut]
) -> list[RehearsedSeat]:
    was, now = (points(at.engine, at.state, at.outcome) for at in (before.at, after))
    ranks = {line.seat: line.rank for line in after.outcome.standings} if after.outcome else {}
    sitting = {seat.number: session.get_one(Player, seat.player_id) for seat in seat_queries.seats(game)}
    found = []
    for number in sorted({*sitting, *before.moves, *now, *ranks}):
        player, total = sitting.get(number), now.get(number)
        found.append(RehearsedSeat(
            seat=number, player=player.name if player else "", move=before.moves.get(number, ""),
            is_complete=before.complete.get(number, True), waiting=before.waiting.get(number, ()),
            new=None if total is None else total - (was.get(number) or 0), points=total,
            rank=ranks.get(SeatNumber(number)),
            mails=[mail for mail in mails if player and mail.player_id == player.id],
        ))  # fmt: skip
    return found
